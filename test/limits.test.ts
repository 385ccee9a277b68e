/** Tests have no limits that a busy machine can reach: what hangs is ended by the one of `vitest.config.ts`. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = dirname(import.meta.dirname)

/** The least limit (milliseconds): half of that of a test. */
const LEAST = 300_000

const isTooLow = (number: string): boolean => Number(number.replaceAll("_", "")) < LEAST

/** What takes a limit behind its function. */
const HOOK = /^\s*(?:(?:it|test|describe|layer|before|after)(?:All|Each)?\b)/

/** The limits of the tests and hooks in a text, and of what waits for a state there, that are too low: each with its line. */
const findLowLimits = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const indentOf = (line: string): number => line.length - line.trimStart().length
  return lines.flatMap((line, i) => {
    const opensHook = (closing: string): boolean =>
      HOOK.test(
        lines.slice(0, i).findLast((each) => each.trim() !== "" && indentOf(each) <= indentOf(closing)) ?? ""
      )
    const [, behind] = /^\s*\}, ([\d_]+)\)$/.exec(line) ?? []
    if (behind !== undefined) return opensHook(line) && isTooLow(behind) ? [`${i + 1}: ${line.trim()}`] : []
    // the formatter may give it a line of its own
    const [, alone] = /^\s*([\d_]+)$/.exec(line) ?? []
    const next = lines[i + 1] ?? ""
    if (alone !== undefined)
      return next.trim() === ")" && opensHook(next) && isTooLow(alone) ? [`${i + 1}: ${line.trim()}`] : []
    // what waits for a state by looks has its end, which is no busy loop's
    const [, end] =
      /(?<!for \(const end = )\b(?:Date|performance)\.now\(\) \+ ([\d_]{4,})\b/.exec(line) ??
      /\bconst until = .*\b\w+ = ([\d_]{4,})\): Promise/.exec(line) ??
      []
    if (end !== undefined && isTooLow(end)) return [`${i + 1}: ${line.trim()}`]
    const [, option] = /\btimeout: ([\d_]+)\b/.exec(line) ?? []
    const isOfTest =
      HOOK.test(line) ||
      /\b(?:poll|waitFor(?!Transaction)\w*)\(/.test(line) ||
      /excludeTestServices/.test(line)
    return option !== undefined && isOfTest && isTooLow(option) ? [`${i + 1}: ${line.trim()}`] : []
  })
}

describe("the limits of tests", () => {
  it("are found wherever tests and what they wait for have them", () => {
    const low = [
      'it("is", async () => {\n  await work()\n}, 60_000)',
      "  beforeAll(async () => {\n    await work()\n  }, 5000)",
      'it("is", { timeout: 30_000 }, async () => {})',
      "await expect.poll(look, { timeout: 10_000 }).toBe(1)",
      "await page.getByText('x').waitFor({ timeout: 60_000 })",
      'it(\n  "is",\n  () => {\n    work()\n  },\n  60_000\n)',
      'it.effect("is", () =>\n  Effect.gen(function* () {\n  }),\n  60_000\n)',
      "  const end = Date.now() + 60_000",
      "const until = async (holds: () => boolean, limit = 50_000): Promise<void> => {",
      "layer(live, { excludeTestServices: true, timeout: 30_000 })((it) => {"
    ]
    for (const text of low) expect(findLowLimits(text), text).toHaveLength(1)
    const others = [
      'it("is", async () => {\n  setTimeout(() => {\n    end()\n  }, 10)\n})',
      'it("is", async () => {\n  await work()\n}, 600_000)',
      "const made = make(\n  () => {\n    work()\n  },\n  30_000\n)",
      "const sdk = await init({ network, timeout: 500 })",
      "await expect.poll(look, { timeout: 300_000 }).toBe(1)",
      "for (const end = Date.now() + 60_000; Date.now() < end; ) {}",
      "const end = performance.now() + 300_000"
    ]
    for (const text of others) expect(findLowLimits(text), text).toEqual([])
  })

  it("are none that a busy machine reaches", () => {
    const files = ["test", "packages/fleet/test"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { encoding: "utf8", recursive: true }).map((file) =>
          join(folder, file)
        )
      )
      .filter((file) => /(?<!\.test-d)\.tsx?$/.test(file) && !file.endsWith("limits.test.ts"))
    expect(files.length).toBeGreaterThan(400)
    const found = files.flatMap((file) =>
      findLowLimits(readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}`)
    )
    expect(found).toEqual([])
  })
})
