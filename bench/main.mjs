/**
 * `npm run bench -- [parts] [--quick] [--check] [--dist FOLDER] [--faults a,b] [--clients a,b] [--write]`: measures the
 * SDK as it is built beside other clients. Without names of parts, all of them. A full run is kept for the documentation;
 * a quick or a partial one with `--write` only.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { exit } from "node:process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { chart } from "./chart.mjs"
import { stamp } from "./machine.mjs"
import { parts } from "./parts.mjs"
import { table } from "./table.mjs"
import { check, inQuick, targets } from "./targets.mjs"
import { ensure } from "./tatum.mjs"

const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const latest = file("results/latest.json")
const biome = file("../node_modules/@biomejs/biome/bin/biome")
const picture = file("../docs/bench.svg")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    dist: { type: "string", default: file("../dist") },
    faults: { type: "string" },
    clients: { type: "string" }
  }
})
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(", ")}: there are ${Object.keys(parts).join(", ")}.`)
  exit(2)
}
const names = positionals.length === 0 ? Object.keys(parts) : positionals
const only = { faults: values.faults?.split(","), clients: values.clients?.split(/,(?! )/) }
const filtered = only.faults !== undefined || only.clients !== undefined

const started = Date.now()
const say = (line) => console.error(`${((Date.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${line}`)

const wanted = values.quick ? inQuick : targets
const compare = (found, of) => check(wanted, found, of, { filtered })
const missesOf = (found, of) => compare(found, of).filter(({ met }) => !met)

const missing = ensure()
if (missing !== undefined) say(`left out: ${missing}`)

const made = stamp()
const results = {}
const measures = {}
const broken = []
for (const name of names) {
  const { measures: measuresOf, run } = await parts[name]()
  try {
    const { result, tables } = await run({
      quick: values.quick,
      dist: resolve(values.dist),
      only,
      say,
      // what a part is to look at again, where it was asked to meet targets
      missed: values.check ? (found) => missesOf(found, [name]) : undefined
    })
    results[name] = { ...made, quick: values.quick, ...result }
    Object.assign(measures, measuresOf(result))
    for (const text of tables) console.log(text)
  } catch (error) {
    broken.push(name)
    console.error(`${name} broke down: ${error instanceof Error ? error.stack : error}`)
  }
}
console.log(`${made.commit}, ${made.machine}, ${made.date}`)

if (values.write || (!values.quick && !filtered)) {
  const kept = existsSync(latest) ? JSON.parse(readFileSync(latest, "utf8")) : {}
  const all = { ...kept, ...results }
  for (const path of [latest, picture]) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(latest, `${JSON.stringify(all, undefined, 1)}\n`)
  writeFileSync(picture, chart(all))
  // kept like every other file of the repository
  spawnSync(process.execPath, [biome, "format", "--write", latest], { stdio: "ignore", timeout: 20_000 })
}

if (values.check) {
  const checked = compare(measures, names)
  const misses = missesOf(measures, names)
  console.log(`\nTargets: ${checked.length - misses.length} of ${checked.length} met`)
  if (misses.length > 0) {
    console.log(
      table(
        "Missed",
        ["measure", "value", "limit", "unit", "target"],
        misses.map(({ measure, value, limit, unit, name }) => [
          measure,
          value === Number.POSITIVE_INFINITY ? "never" : value,
          limit,
          unit,
          name
        ])
      )
    )
    process.exitCode = 1
  }
}
if (broken.length > 0) process.exitCode = 1
exit()
