/** 500 hooks on one screen, beside TanStack Query in the same run: how often components are rendered, and how long it takes. */
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plugin as lean } from "../../scripts/lean.mjs"
import { isRunnable, launch } from "./chromium.js"
import type { Turn, WayName } from "./page/hooks.js"
import { scriptOf, serveScript } from "./script.js"

const COUNT = 500
const ROUNDS = 10
const MOST_ROUNDS = 60

/** The time that the hooks may take, as a multiple of TanStack Query's. */
const MOST = 1.1

const own = "effect-chains/react"
const tanstack = "effect-chains/query"
const names: ReadonlyArray<WayName> = [own, tanstack, "viem"]

/** All come, all have another answer, and all have the same answer again, which only a client has to do with. */
const parts = ["mount", "change", "same"] as const
type Part = (typeof parts)[number]

/** The page, with `init` as it is published: on the lean runtime, where the hooks of this SDK are on Effect. */
const bundle = async (): Promise<string> => {
  const published = await scriptOf("../../src/promise.ts", [lean])
  return scriptOf("./page/hooks.tsx", [
    {
      name: "published",
      setup: (to) => {
        to.onResolve({ filter: /src\/promise\.js$/ }, ({ importer, path }) =>
          importer.endsWith("page/hooks.tsx") ? { namespace: "published", path } : undefined
        )
        to.onLoad({ filter: /.*/, namespace: "published" }, () => ({ contents: published }))
      }
    }
  ])
}

describe.runIf(isRunnable("500 hooks on a page"))("500 hooks on one screen", () => {
  const problems: Array<string> = []
  let browser: Browser
  let served: Awaited<ReturnType<typeof serveScript>>
  let page: Page

  beforeAll(async () => {
    served = await serveScript("hooks", await bundle())
    browser = await launch()
    page = await browser.newPage()
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (line) => {
      if (line.type() === "error") problems.push(line.text())
    })
    await page.goto(served.url)
    await page.waitForFunction(() => window.turn !== undefined)
  })

  afterAll(async () => {
    await browser?.close()
    served?.close()
  })

  it("are rendered no more often than with TanStack Query, and take no longer", async () => {
    const turns = new Map<WayName, Array<Turn>>(names.map((name) => [name, []]))
    const turnsOf = (name: WayName): ReadonlyArray<Turn> => turns.get(name) ?? []
    // what else the machine does only ever adds: the least is what it takes
    const time = (name: WayName, ...of: ReadonlyArray<Part>): number =>
      Math.min(...turnsOf(name).map((turn) => of.reduce((sum, part) => sum + turn[part], 0)))
    const renders = (name: WayName, part: Part): number =>
      Math.max(...turnsOf(name).map((turn) => turn.renders[part]))
    const ratio = (...of: ReadonlyArray<Part>): number => time(own, ...of) / time(tanstack, ...of)
    const holds = (): boolean =>
      [...parts.map((part) => ratio(part)), ratio(...parts)].every((each) => each <= MOST)
    // the more rounds, the more exact: a quiet machine needs no more than the first ones
    for (let round = 0; round < MOST_ROUNDS + 2 && !(round >= ROUNDS + 2 && holds()); round++)
      for (const name of names) {
        const turn = await page.evaluate(([way, count]) => window.turn(way, count), [name, COUNT] as const)
        // the first rounds are for the compiler of the browser
        if (round > 1) turns.get(name)?.push(turn)
      }
    for (const part of parts)
      console.log(
        `${part}: ${names
          .map((name) => `${name} ${time(name, part).toFixed(1)} ms, ${renders(name, part)} renders`)
          .join("; ")}; ${ratio(part).toFixed(2)} of TanStack Query's time`
      )
    console.log(`all of it: ${ratio(...parts).toFixed(2)} of TanStack Query's time`)
    for (const part of parts) expect(renders(own, part), part).toBeLessThanOrEqual(renders(tanstack, part))
    for (const part of parts) expect(ratio(part), part).toBeLessThanOrEqual(MOST)
    expect(ratio(...parts)).toBeLessThanOrEqual(MOST)
    expect(problems).toEqual([])
  })
})
