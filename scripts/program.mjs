/** Bundles programs of this repository into one file each, in a folder where Node finds the packages. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const cache = fileURLToPath(new URL("../node_modules/.cache/effect-chains/", import.meta.url))

/**
 * Bundles a file under a name, into the cache or another folder where Node finds the packages. Returns the path of the
 * program. A process that runs the same program at the same time finds each file whole, the old one or the new one.
 */
export const bundled = async (entry, name, { folder = cache, ...options } = {}) => {
  mkdirSync(folder, { recursive: true })
  // esbuild may be installed in that folder only
  const { build } = createRequire(join(folder, "/"))("esbuild")
  const { outputFiles } = await build({
    entryPoints: { [name]: entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    chunkNames: `${name}.parts/[name]-[hash]`,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    ...options,
    write: false
  })
  const program = join(folder, `${name}.mjs`)
  // the program refers to its chunks
  for (const { contents, path } of outputFiles.sort((file) => (file.path === program ? 1 : -1))) {
    const unfinished = `${path}.${process.pid}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(unfinished, contents)
    renameSync(unfinished, path)
  }
  return program
}

/** Runs a file in this process, as if it had been started with these arguments. */
export const run = async (entry, args, name, options = {}) => {
  const outfile = await bundled(entry, name, { sourcemap: "inline", ...options })
  process.argv = [process.argv[0] ?? "node", entry, ...args]
  await import(pathToFileURL(outfile).href)
}
