/**
 * A module that may be there or not: one of Node's own, or a package of the user's. Its name is in no import that a bundler can
 * read, which would fail on what it needs. Metro takes no such import at all, so the manifest leaves this file out for React Native.
 */
export const outside = <M>(name: string): Promise<M> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name)
