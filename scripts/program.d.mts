import type { BuildOptions } from "esbuild"

type Options = Pick<
  BuildOptions,
  "banner" | "conditions" | "external" | "inject" | "packages" | "plugins" | "sourcemap" | "splitting"
> & {
  /** The folder of the bundle, where Node finds its packages; by default one of the cache. */
  readonly folder?: string
}

/** Bundles a file under a name. Returns the path of the program. */
export const bundled: (entry: string, name: string, options?: Options) => Promise<string>
/** Runs a file in this process, as if it had been started with these arguments. */
export const run: (
  entry: string,
  args: ReadonlyArray<string>,
  name: string,
  options?: Options
) => Promise<void>
