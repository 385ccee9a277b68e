/**
 * The way to Effect 4: `test/effect4` stands for Effect 3's modules, and the sources of the Promise surface run on it. This is the list
 * of its functions and what compiles; the project `effect4` runs the tests of the Promise surface besides.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Effect3 from "effect/Effect"
import { describe, expect, it } from "vitest"
import { modules } from "../../scripts/lean.mjs"
import { shareInFlight } from "../../src/balancer/Background.js"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Where the Effect surface begins that entries bring with them for their types: layers, metrics, configuration, logs and spans. */
const BEHIND = [
  "src/balancer/Metrics.ts",
  "src/client/Sdk.ts",
  "src/config/Config.ts",
  "src/config/Logger.ts",
  "src/config/durations.ts",
  "src/http/Http.ts",
  "src/transport/ClientSpans.ts",
  "src/transport/Spans.ts"
]

/** The files with errors, by their paths in the repository. */
const compiled = (config: string): ReadonlyArray<string> => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["node_modules/ts7/bin/tsc", "--noEmit", "--pretty", "false", "-p", `test/effect4/${config}`],
    { cwd: root, encoding: "utf8" }
  )
  const files = [...new Set([...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, file = ""]) => file))]
  expect(status === 0).toBe(files.length === 0)
  return files.sort()
}

describe("the alias of Effect 4", () => {
  it.each([...modules()])("has what the sources use of effect/%s", async (module, names) => {
    const alias: Readonly<Record<string, unknown>> = await import(`../effect4/${module}.ts`)
    expect([...names].filter((name) => alias[name] === undefined)).toEqual([])
  })

  it("is what the sources run on", () => {
    const { run } = shareInFlight<string, number, never>(undefined as never, () => undefined as never)
    expect(Effect3.isEffect(run("one"))).toBe(false)
    expect(Object(run("one"))).toHaveProperty("~effect/Effect")
  })

  it("compiles against Effect 4, and the sources against it", () => {
    expect(compiled("tsconfig.json")).toEqual([])
    expect(compiled("tsconfig.sources.json")).toEqual(BEHIND)
  })
})
