/** The committed results of the long suites are of a commit that is not long gone. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()

/**
 * Days after which a run says too little. They are days of the calendar, as the night's are: into how many commits a change was divided says
 * nothing of its size.
 */
const AGE = 14
const DAY = 24 * 3_600

const rows = readFileSync(`${root}test/nightly/README.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, suite, commit] = /^\| `([\w.-]+)`\s*\| ([0-9a-f]{7,40})\s*\|/.exec(line) ?? []
    return suite === undefined || commit === undefined ? [] : [{ suite, commit }]
  })

/** When a commit was made, in seconds. */
const madeAt = (commit: string): number => Number(git("show", "--no-patch", "--format=%ct", commit))

const isComplete = (() => {
  try {
    return git("rev-parse", "--is-shallow-repository") === "false"
  } catch {
    return false
  }
})()
if (!isComplete) console.log("left out: the age of the nightly runs (no history here)")

describe("nightly runs", () => {
  it("have a result for each suite", () => {
    const suites = readdirSync(`${root}test/nightly`).filter((name) => name.endsWith(".test.ts"))
    expect(rows.map(({ suite }) => suite)).toEqual(expect.arrayContaining(suites))
  })

  it.runIf(isComplete && process.env.CI === "true").each(rows)("$suite ran not long ago", ({ commit }) => {
    expect((madeAt("HEAD") - madeAt(commit)) / DAY).toBeLessThanOrEqual(AGE)
  })
})
