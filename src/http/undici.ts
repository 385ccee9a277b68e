/**
 * Loads the optional package `undici`. The name is a parameter, since bundlers for browsers would follow a literal and fail on Node's modules.
 * Metro refuses such an import: package.json leaves this file out for React Native, where this export is undefined, so access it only when it
 * is needed.
 */
export const loadUndici = (name: string = "undici"): Promise<typeof import("undici")> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name)
