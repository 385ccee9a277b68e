// Runs the tests step by step, each with its time and its processor time, and prints the totals at the end. Without arguments it runs the
// steps of `npm test`. `--all` adds those of `npm run test:all`, `--rest` runs those alone (also after `--all`), and
// names of steps run only these. `--whole`, and a name, run all parts of steps of which a commit runs one.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { runCounted, runWhole, vitest } from "./programs.mjs"
import { each, rest } from "./steps.mjs"

/** The shares of the machine: one more than cores, since tests also wait. */
const SHARES = availableParallelism() + 1

/** The shares that a step takes: one per worker, unless its workers mostly wait. */
const sharesOf = ({ share, workers = 1 }) => share ?? workers

const run = ({ counting, part, program, projects, workers = 1 }) =>
  projects !== undefined
    ? vitest(projects, workers, { part })
    : program !== undefined
      ? runWhole(program)
      : runCounted(counting)

const given = process.argv.slice(2)
const names = given.filter((word) => !word.startsWith("--"))
const known = [...each, ...rest]
const unknown = names.filter((name) => !known.some((step) => step.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no step: ${unknown.join(", ")}; there are ${known.map(({ name }) => name).join(", ")}\n`
  )
  process.exit(2)
}
const chosen =
  names.length > 0
    ? known.filter(({ name }) => names.includes(name))
    : given.includes("--rest")
      ? rest
      : given.includes("--all")
        ? known
        : each

/** A number that the commit chooses, so that each part has its turn; undefined where git knows none. */
const readTurn = () => {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" })
    return Number.parseInt(commit.slice(0, 8), 16)
  } catch {
    return undefined
  }
}
const turn = names.length > 0 || given.includes("--whole") ? undefined : readTurn()
/** Steps begin at different parts, since the longest files of each might meet in one turn. */
const steps = chosen.map((step, index) =>
  step.parts === undefined || turn === undefined
    ? step
    : { ...step, part: `${1 + ((turn + index) % step.parts)}/${step.parts}` }
)

/** The processor time in seconds of all processes that this one has started and that have ended; undefined outside of Linux. */
const readWork = () => {
  if (process.platform !== "linux") return undefined
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
  // user and system time of children, in hundredths
  return (Number(fields[13]) + Number(fields[14])) / 100
}

let counted = readWork()
/** The work of a step that has just ended: its processes count from then on. */
const takeWork = () => {
  const before = counted
  counted = readWork()
  return counted === undefined ? undefined : counted - before
}

const runTimed = async (step) => {
  const started = Date.now()
  const result = await run(step)
  return { ...result, seconds: (Date.now() - started) / 1000, work: takeWork() }
}

const total = { passed: 0, failed: 0 }
const failures = []
const report = ({ budget, name, part }, { passed, failed, output, seconds, work, failures: those }) => {
  failures.push(...those.map((failure) => `✗ ${name}: ${failure}\n`))
  total.passed += passed
  total.failed += failed
  const late = seconds > budget ? `, over its budget of ${budget} s` : ""
  const worked = work === undefined ? "" : `, ${work.toFixed(0)} s of work`
  const which = part === undefined ? "" : `, part ${part}`
  process.stdout.write(
    `${failed === 0 ? "✓" : "✗"} ${name}${which}: ${passed} of ${passed + failed} (${seconds.toFixed(1)} s${worked}${late})\n${output}`
  )
}

const waiting = [...steps]
const running = new Set()
let free = SHARES
/** Whether what a step needs has been made, or is not among the steps of this run. */
const isReady = ({ after }) => ![...running, ...waiting].some(({ name }) => name === after)
/**
 * Starts steps in their order while there are free shares. Each step that ends starts the next ones. One that needs more shares than are free is
 * waited for: otherwise the small ones after it would take each share that becomes free, and the longest would come last.
 */
const startSteps = () => {
  const at = waiting.findIndex(isReady)
  if (at < 0 || sharesOf(waiting[at]) > free) return []
  const [step] = waiting.splice(at, 1)
  free -= sharesOf(step)
  running.add(step)
  const ended = runTimed(step).then((result) => {
    report(step, result)
    running.delete(step)
    free += sharesOf(step)
    return Promise.all(startSteps())
  })
  return [ended, ...startSteps()]
}
await Promise.all(startSteps())

if (counted !== undefined)
  process.stdout.write(
    `${counted.toFixed(0)} s of work: ${availableParallelism()} cores take ${(counted / availableParallelism()).toFixed(0)} s or longer\n`
  )
// repeated at the end, where a long output is read first
process.stdout.write(failures.join(""))
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 ? 0 : 1
