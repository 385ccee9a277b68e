// The tests, step by step, each with its time, and at the end the totals of all. Without arguments these are the steps of `npm test`; `--all` adds
// those that `npm run test:all` has besides, `--rest` (also behind `--all`) runs those alone, and names of steps run no others.
import { availableParallelism } from "node:os"
import { counted, vitest, whole } from "./programs.mjs"
import { each, rest } from "./steps.mjs"

/** Shares that are given out: one more than there are cores, since tests also wait. */
const SHARES = availableParallelism() + 1

/** How many of them a step takes: one for each of its workers, unless these wait most of the time. */
const shareOf = ({ share, workers = 1 }) => share ?? workers

const run = ({ counting, program, projects, workers = 1 }) =>
  projects !== undefined
    ? vitest(projects, workers)
    : program !== undefined
      ? whole(program)
      : counted(counting)

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
const steps =
  names.length > 0
    ? known.filter(({ name }) => names.includes(name))
    : given.includes("--rest")
      ? rest
      : given.includes("--all")
        ? known
        : each

/** What a step yields, and the seconds that it took. */
const timed = async (step) => {
  const started = Date.now()
  const result = await run(step)
  return { ...result, seconds: (Date.now() - started) / 1000 }
}

const total = { passed: 0, failed: 0 }
const failures = []
const report = ({ budget, name }, { passed, failed, output, seconds, failures: those }) => {
  failures.push(...those.map((failure) => `✗ ${name}: ${failure}\n`))
  total.passed += passed
  total.failed += failed
  const late = seconds > budget ? `, over its budget of ${budget} s` : ""
  process.stdout.write(
    `${failed === 0 ? "✓" : "✗"} ${name}: ${passed} of ${passed + failed} (${seconds.toFixed(1)} s${late})\n${output}`
  )
}

const waiting = [...steps]
let free = SHARES
/** Begins steps for which there are shares; each that ends begins the next ones. */
const begin = () => {
  const at = waiting.findIndex((step) => shareOf(step) <= free)
  if (at < 0) return []
  const [step] = waiting.splice(at, 1)
  free -= shareOf(step)
  const ended = timed(step).then((result) => {
    report(step, result)
    free += shareOf(step)
    return Promise.all(begin())
  })
  return [ended, ...begin()]
}
await Promise.all(begin())

// once more at the end, where a long output is read first
process.stdout.write(failures.join(""))
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 ? 0 : 1
