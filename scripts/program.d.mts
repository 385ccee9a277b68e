import type { BuildOptions } from "esbuild"

/** Bundles a file into the cache, under a name of its own; gives back the path of what is run. */
export const bundled: (
  entry: string,
  name: string,
  options?: Pick<BuildOptions, "banner" | "conditions" | "external" | "packages" | "plugins" | "sourcemap">
) => Promise<string>
