/** Not a literal in the import: bundles for browsers would fail on the Node modules that it needs. */
const name: string = "undici"

/**
 * The package of the user's, if there is one. Metro takes no import whose name it cannot read: the manifest leaves this file out for
 * React Native, where `load` is undefined: nothing may touch it before it is needed.
 */
export const load = (): Promise<typeof import("undici")> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name)
