/** A package in a lockfile of npm, by its place in node_modules. */
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

/** What the tour imports, and esbuild, which bundles it. */
export const names: ReadonlyArray<string>
/** How the tour is bundled. */
export const options: { readonly sourcemap: false; readonly splitting: true }
/** Whether all packages of the repository are installed, and none is older than the lockfile. */
export const isComplete: () => boolean
/** The entries of a lockfile for these packages and all that they depend on. */
export const cut: (packages: Packages, wanted: ReadonlyArray<string>) => Packages
/** Installs what the tour needs, unless it is there. Throws an Error that says what to do. */
export const ensure: (options: { readonly onProgress: (line: string) => void }) => void
/** The folder from which Node finds all that the tour imports; undefined where all packages are installed. */
export const folder: () => string | undefined
