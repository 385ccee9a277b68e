// Runs a TypeScript file of this repository: `node scripts/run.mjs test/conformance/main.ts …`. A preceding `--lean`
// runs the sources on the lean runtime, `--effect4` on Effect 4.
import { fileURLToPath } from "node:url"
import { run } from "./program.mjs"

const runtimes = {
  lean: async () => ({ plugins: [(await import("./lean.mjs")).runner] }),
  effect4: async () => ({
    plugins: [(await import("./effect4.mjs")).runner],
    inject: [fileURLToPath(new URL("../test/effect4/environment.ts", import.meta.url))]
  })
}

const given = process.argv.slice(2)
const runtime = Object.keys(runtimes).find((name) => given[0] === `--${name}`)
const [entry, ...args] = runtime === undefined ? given : given.slice(1)
if (entry === undefined) throw new Error("usage: node scripts/run.mjs [--lean|--effect4] FILE.ts [arguments]")
// several programs are called main.ts, and some of them run at the same time
const name = entry.replace(/\.ts$/, "").replaceAll(/[\\/:]/g, ".")
await (runtime === undefined
  ? run(entry, args, name)
  : run(entry, args, `${name}.${runtime}`, await runtimes[runtime]()))
