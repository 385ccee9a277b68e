/** Programs of this repository as one file each, which runs where the packages are found. */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** Bundles a file into the cache, under a name of its own; gives back the path of what is run. */
export const bundled = async (entry, name, options = {}) => {
  const folder = fileURLToPath(new URL("../node_modules/.cache/effect-chains/", import.meta.url))
  mkdirSync(folder, { recursive: true })
  const outfile = `${folder}${name}.mjs`
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    ...options
  })
  return outfile
}
