/** Versions by the names of packages. */
export type Packages = Readonly<Record<string, string>>

/** The folder of a set of packages, which contains its `node_modules`. */
export const homeOf: (packages: Packages) => string
/** Installs a set of packages if necessary. Returns the reason why that fails, or undefined. */
export const ensure: (packages: Packages) => string | undefined
/** The CommonJS exports of a package in a set. */
export const load: (packages: Packages, name: string) => unknown
