/**
 * Finds tests that sometimes fail. `npm run test:flaky -- 10 [files]` runs files ten times beside two processes that
 * keep two cores busy, and prints the failures, with a row for the table of `test/nightly/README.md`. Without files it
 * runs all tests of a commit.
 *
 * `--busy N` starts N such processes. `--project NAME` limits the tests to a project, and may be repeated.
 */
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { vitest } from "./programs.mjs"
import { each, rest } from "./steps.mjs"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: "string", default: "2" }, project: { type: "string", multiple: true } }
})
const [given, ...files] = positionals
const times = Number(given)
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write("usage: npm run test:flaky -- TIMES [--busy N] [--project NAME] [FILE …]\n")
  process.exit(2)
}
const chosen = values.project
const projects = [...each, ...rest]
  .flatMap((step) => step.projects ?? [])
  .filter((name) => chosen === undefined || chosen.includes(name))

/** Keeps a core busy while this process lives. */
const BUSY = "const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i++);"
const busy = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" })
)

const rows = []
try {
  for (const project of projects) {
    const started = Date.now()
    const failures = new Map()
    let tests = 0
    for (let time = 1; time <= times; time++) {
      const { failed, failures: those, passed } = await vitest([project], availableParallelism(), { files })
      tests = Math.max(tests, passed + failed)
      for (const failure of those) {
        const [name] = failure.split(": ")
        failures.set(name, (failures.get(name) ?? 0) + 1)
        process.stdout.write(`✗ ${project}, run ${time}: ${failure}\n`)
      }
    }
    if (tests === 0) continue
    const minutes = ((Date.now() - started) / 60_000).toFixed(1)
    const unstable = [...failures].map(([name, count]) => `${name} (${count} of ${times})`)
    rows.push([project, times, tests, minutes, unstable.length === 0 ? "none" : unstable.join("; ")])
    process.stdout.write(`${unstable.length === 0 ? "✓" : "✗"} ${rows.at(-1).join(" | ")}\n`)
  }
} finally {
  for (const child of busy) child.kill()
}

process.stdout.write(`\n| project | runs | tests | minutes | failed |\n| --- | --- | --- | --- | --- |\n`)
for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`)
process.exitCode = rows.length > 0 && rows.every((row) => row.at(-1) === "none") ? 0 : 1
