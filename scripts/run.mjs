// Runs a TypeScript file of this repository: `node scripts/run.mjs test/conformance/main.ts …`. A preceding `--lean`
// runs the sources on the lean runtime.
import { basename } from "node:path"
import { run } from "./program.mjs"

const given = process.argv.slice(2)
const isLean = given[0] === "--lean"
const [entry, ...args] = isLean ? given.slice(1) : given
if (entry === undefined) throw new Error("usage: node scripts/run.mjs FILE.ts [arguments]")
await run(entry, args, `${basename(entry, ".ts")}${isLean ? ".lean" : ""}`, {
  plugins: isLean ? [(await import("./lean.mjs")).runner] : []
})
