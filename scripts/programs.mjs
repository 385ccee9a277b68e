/** Runs test programs, and yields their counts of passed and failed tests, and the messages of failures. */
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

/** Runs a program that passes or fails as a whole. */
export const runWhole = async (args) => {
  const { code, output } = await run(args)
  return code === 0
    ? { passed: 1, failed: 0, output: "", failures: [] }
    : { passed: 0, failed: 1, output, failures: lastOf(output) }
}

/** Runs a program that ends with `N passed, M failed`. */
export const runCounted = async (args) => {
  const { code, output } = await run(args)
  const [, passed = "0", failed = "1"] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  return {
    passed: Number(passed),
    failed: Math.max(Number(failed), code === 0 ? 0 : 1),
    output: code === 0 ? "" : output,
    failures: code === 0 ? [] : lastOf(output)
  }
}

/** The last lines of a step without test names, which are repeated at the end. */
const lastOf = (output) => stripVTControlCharacters(output).trim().split("\n").slice(-20)

/** The names of failed tests and the first line of each message, including files that could not run. */
const failuresOf = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.slice(root.length)
    const tests = assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages: [said = ""] }) => `${file}, ${fullName}: ${said.split("\n")[0]}`)
    return message === "" || tests.length > 0 ? tests : [`${file}: ${message.split("\n")[0]}`]
  })

/** The lines of a passing run that are shown: skipped tests, and measurements. */
const isNote = (line) =>
  /left out:|kB gzip$|^instantiations:|^completion:|^CPU per call:|^hostile:|^soak:/.test(line)

/**
 * Runs vitest projects, or only the named files, or one part of their files (`2/3`). Yields vitest's own count of tests, and its output if one has
 * failed.
 */
export const vitest = async (projects, workers, { files = [], part } = {}) => {
  const report = `${reports}${projects.join("-")}.json`
  rmSync(report, { force: true })
  const { code, output } = await run([
    "node_modules/vitest/vitest.mjs",
    "run",
    ...files,
    ...projects.flatMap((project) => ["--project", project]),
    `--maxWorkers=${workers}`,
    ...(part === undefined ? [] : [`--shard=${part}`]),
    // named files belong to some projects only, and a project without any test is an error
    ...(files.length > 0 ? ["--passWithNoTests"] : []),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`
  ])
  let counts
  try {
    counts = JSON.parse(readFileSync(report, "utf8"))
  } catch {
    return { passed: 0, failed: 1, output, failures: lastOf(output) }
  }
  const failed = counts.numFailedTests + (code !== 0 && counts.numFailedTests === 0 ? 1 : 0)
  if (failed === 0) {
    const lines = stripVTControlCharacters(output).split("\n")
    const notes = lines.filter((line) => isNote(line.trim())).map((line) => `  ${line.trim()}\n`)
    return { passed: counts.numPassedTests, failed, output: notes.join(""), failures: [] }
  }
  const named = failuresOf(counts)
  // errors outside of tests have no name in the report
  return {
    passed: counts.numPassedTests,
    failed,
    output,
    failures: named.length > 0 ? named : lastOf(output)
  }
}
