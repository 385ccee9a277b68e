// Runs a TypeScript file of this repository: `node scripts/run.mjs test/conformance/main.ts …`. `--lean` before it puts the sources on
// the lean runtime.
import { mkdir } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const given = process.argv.slice(2)
const isLean = given[0] === "--lean"
const [entry, ...args] = isLean ? given.slice(1) : given
if (entry === undefined) throw new Error("usage: node scripts/run.mjs FILE.ts [arguments]")
const folder = fileURLToPath(new URL("../node_modules/.cache/effect-chains/", import.meta.url))
await mkdir(folder, { recursive: true })
const outfile = `${folder}${basename(entry, ".ts")}${isLean ? ".lean" : ""}.mjs`
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
  plugins: isLean ? [(await import("./lean.mjs")).runner] : []
})
process.argv = [process.argv[0] ?? "node", entry, ...args]
await import(pathToFileURL(outfile).href)
