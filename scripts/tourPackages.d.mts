/** A package in a lockfile of npm, by its path in node_modules. */
export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

type Packages = Readonly<Record<string, LockedPackage>>

/** The tour's imports, and esbuild, which bundles it. */
export const names: ReadonlyArray<string>
/** The options of the tour's bundle. */
export const options: { readonly sourcemap: false; readonly splitting: true }
/** Whether all packages of the repository are installed, and the lockfile is not newer. */
export const isComplete: () => boolean
/** The entries of a lockfile for these packages and their dependencies. */
export const cut: (packages: Packages, wanted: ReadonlyArray<string>) => Packages
/** Installs what the tour needs, if it is missing. Throws an Error that says what to do. */
export const ensure: (options: { readonly onProgress: (line: string) => void }) => void
/** The folder from which Node finds all imports of the tour; undefined if all packages are installed. */
export const folder: () => string | undefined
