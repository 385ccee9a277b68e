/** Versions by the names of packages. */
export type Packages = Readonly<Record<string, string>>

/** The folder of a set of packages, in which a `node_modules` stands. */
export const homeOf: (packages: Packages) => string
/** Installs a set of packages if need be; returns why they are not to be had, or undefined. */
export const ensure: (packages: Packages) => string | undefined
/** What a package of a set exports to CommonJS. */
export const load: (packages: Packages, name: string) => unknown
