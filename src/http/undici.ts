/**
 * The package of the user's, if there is one. Metro takes no import whose name it cannot read: the manifest leaves this file out for
 * React Native, where `load` is undefined: nothing may touch it before it is needed. The name is a parameter, because bundles for
 * browsers would fail on the Node modules that a literal brings.
 */
export const loadUndici = (name: string = "undici"): Promise<typeof import("undici")> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name)
