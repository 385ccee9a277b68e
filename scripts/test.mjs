// Types, lint, floors, conformance, unit and property tests on both runtimes, attacks, React, real nodes, sandbox, a real browser: each with its time,
// and at the end the totals of all. Names of steps as arguments leave out the others.
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"

const root = fileURLToPath(new URL("..", import.meta.url))
const reports = `${root}node_modules/.cache/effect-chains/`
mkdirSync(reports, { recursive: true })

const run = (args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk
      })
    }
    child.on("close", (code) => resolve({ code: code ?? 1, output }))
  })

/** A step that passes or fails as a whole. */
const whole = async (args) => {
  const { code, output } = await run(args)
  return code === 0
    ? { passed: 1, failed: 0, output: "", failures: [] }
    : { passed: 0, failed: 1, output, failures: lastOf(output) }
}

/** What is said again at the end of a step without names of tests: its last lines. */
const lastOf = (output) => stripVTControlCharacters(output).trim().split("\n").slice(-20)

/** Names of the tests that failed, and what each says first; of files that could not be run, too. */
const failuresOf = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.slice(root.length)
    const tests = assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages: [said = ""] }) => `${file}, ${fullName}: ${said.split("\n")[0]}`)
    return message === "" || tests.length > 0 ? tests : [`${file}: ${message.split("\n")[0]}`]
  })

/** A project of vitest; its own count of tests, and its output where a test has failed. */
const vitest = async (...projects) => {
  const report = `${reports}${projects[0]}.json`
  rmSync(report, { force: true })
  const { code, output } = await run([
    "node_modules/vitest/vitest.mjs",
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    // by default vitest leaves one core idle, which is half of a machine with two
    "--maxWorkers=100%",
    "--reporter=default",
    "--reporter=json",
    "--reporter=./scripts/twice.mjs",
    `--outputFile.json=${report}`
  ])
  let counts
  try {
    counts = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    return { passed: 0, failed: 1, output, failures: lastOf(output) }
  }
  const failed = counts.numFailedTests + (code !== 0 && counts.numFailedTests === 0 ? 1 : 0)
  // tests that were left out or run twice, and measures, get a line each
  const notes = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) =>
      /left out:|run twice:|kB gzip$|^instantiations:|^completion:|^CPU per call:|^hostile:|^soak:/.test(
        line.trim()
      )
    )
    .map((line) => `  ${line.trim()}\n`)
    .join("")
  if (failed === 0) return { passed: counts.numPassedTests, failed, output: notes, failures: [] }
  const named = failuresOf(counts)
  // errors outside of tests have no name in the report
  return {
    passed: counts.numPassedTests,
    failed,
    output,
    failures: named.length > 0 ? named : lastOf(output)
  }
}

/** A program that ends with `N passed, M failed`. */
const counted = async (args) => {
  const { code, output } = await run(args)
  const [, passed = "0", failed = "1"] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  return {
    passed: Number(passed),
    failed: Math.max(Number(failed), code === 0 ? 0 : 1),
    output: code === 0 ? "" : output,
    failures: code === 0 ? [] : lastOf(output)
  }
}

/**
 * Steps of one process, and those that wait more than they work: they run one after another beside the others, which use all cores
 * while they run.
 */
const beside = new Set([
  "types of the fleet",
  "lint and format",
  "floors",
  "what nothing uses",
  "seam",
  "path of a call",
  "soak",
  "fleet"
])

const steps = [
  ["types", 30, () => whole(["node_modules/ts7/bin/tsc", "--noEmit", "-p", "tsconfig.json"])],
  [
    "types of the fleet",
    20,
    () => whole(["node_modules/ts7/bin/tsc", "--noEmit", "-p", "packages/fleet/tsconfig.json"])
  ],
  [
    "lint and format",
    10,
    () => whole(["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."])
  ],
  [
    "floors",
    15,
    () =>
      whole([
        "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
        ...["--config", ".dependency-cruiser.mjs", "src", "react"]
      ])
  ],
  [
    "what nothing uses",
    30,
    () => whole(["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"])
  ],
  ["seam", 5, () => whole(["scripts/seam.mjs"])],
  ["path of a call", 10, () => whole(["scripts/path.mjs"])],
  ["conformance", 15, () => counted(["scripts/run.mjs", "test/conformance/main.ts"])],
  [
    "conformance, on the lean runtime",
    15,
    () => counted(["scripts/run.mjs", "--lean", "test/conformance/main.ts"])
  ],
  ["lean", 140, () => vitest("lean", "promised")],
  ["hostile", 115, () => vitest("hostile")],
  ["soak", 240, () => vitest("soak")],
  ["fleet", 410, () => vitest("fleet")],
  ["unit and property tests", 315, () => vitest("unit")],
  ["react", 90, () => vitest("react")],
  ["real nodes", 80, () => vitest("nodes")],
  ["sandbox", 215, () => vitest("sandbox")],
  // measures an editor's answers: by now nothing runs beside it
  ["editor", 40, () => vitest("editor")],
  ["browser", 185, () => vitest("browser")]
]

const wanted = process.argv.slice(2)

/** What a step yields, and the seconds that it took. */
const timed = async (step) => {
  const started = Date.now()
  const result = await step()
  return { ...result, seconds: (Date.now() - started) / 1000 }
}

/** The steps of each lane begin when the one before them in it has ended. */
const lanes = new Map()
const running = steps
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([name, budget, step]) => {
    const lane = beside.has(name)
    const result = Promise.resolve(lanes.get(lane)).then(() => timed(step))
    lanes.set(lane, result)
    return { name, budget, result }
  })

const total = { passed: 0, failed: 0 }
const failures = []
for (const { name, budget, result } of running) {
  const { passed, failed, output, seconds, failures: those } = await result
  failures.push(...those.map((failure) => `✗ ${name}: ${failure}\n`))
  total.passed += passed
  total.failed += failed
  const late = seconds > budget ? `, over its budget of ${budget} s` : ""
  process.stdout.write(
    `${failed === 0 ? "✓" : "✗"} ${name}: ${passed} of ${passed + failed} (${seconds.toFixed(1)} s${late})\n`
  )
  if (output !== "") process.stdout.write(output)
}
// once more at the end, where a long output is read first
process.stdout.write(failures.join(""))
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 ? 0 : 1
