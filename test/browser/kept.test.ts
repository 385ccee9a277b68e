/** Final answers that outlive the page, in Chromium's own IndexedDB: the store is the one of the docs. */
import { text } from "node:stream/consumers"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readPage as docs, listBlocks } from "../pages.js"
import { isRunnable, launch } from "./chromium.js"
import type {} from "./page/kept.js"
import { scriptOf, serveScript } from "./script.js"

const runnable = isRunnable("final answers in IndexedDB")

/** The node's chain: its head, what it calls final, and what it was asked for. */
const HEAD = 1_000
const FINAL = 900
const asked: Array<number> = []

let browser: Browser
let served: Awaited<ReturnType<typeof serveScript>>
let page: Page
const problems: Array<string> = []

const hashOf = (height: number): string => `0x${height.toString(16).padStart(64, "0")}`

/** A block as a node writes it, with what the SDK looks at. */
const blockAt = (height: number) => ({
  number: `0x${height.toString(16)}`,
  hash: hashOf(height),
  parentHash: hashOf(height - 1),
  timestamp: "0x1",
  transactions: []
})

const answer = (method: string, [place]: ReadonlyArray<unknown>): unknown => {
  if (method === "eth_chainId") return "0x1"
  if (method === "eth_blockNumber") return `0x${HEAD.toString(16)}`
  if (method !== "eth_getBlockByNumber") throw new Error(`unexpected: ${method}`)
  if (place === "finalized") return blockAt(FINAL)
  const height = Number(place)
  asked.push(height)
  return blockAt(height)
}

beforeAll(async () => {
  if (!runnable) return
  const script = await scriptOf("./page/kept.ts")
  served = await serveScript("kept", script, async (request) => {
    if (request.url !== "/node") return undefined
    const { id, method, params } = JSON.parse(await text(request))
    return JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })
  })
  browser = await launch()
  page = await browser.newPage()
  page.on("pageerror", (error) => problems.push(String(error)))
  page.on("console", (line) => problems.push(line.text()))
})

afterAll(async () => {
  await browser?.close()
  served?.close()
})

/** Opens the page anew, as a user does. */
const open = async (): Promise<void> => {
  await page.goto(served.url)
  await page.waitForFunction(() => window.cached !== undefined)
}

const block = (at: number): Promise<string> => page.evaluate((height) => window.cached.block(height), at)

/** How often the node was asked for a block. */
const times = (at: number): number => asked.filter((height) => height === at).length

it.runIf(runnable)("are there after a reload, and what is not final is asked for again", async () => {
  await open()
  // until the client knows what is final, blocks are not kept
  await expect
    .poll(
      async () => {
        await block(100)
        return (await page.evaluate(() => window.cached.names())).length
      },
      { interval: 100 }
    )
    .toBe(1)
  expect(await block(950)).toBe(hashOf(950))
  const [final, above] = [times(100), times(950)]
  await open()
  expect(await block(100)).toBe(hashOf(100))
  expect(await block(950)).toBe(hashOf(950))
  expect(await page.evaluate(() => window.cached.stats().storeHits)).toBe(1)
  expect([times(100), times(950)]).toEqual([final, above + 1])
  // without the database there is nothing left of them
  await page.evaluate(() => window.cached.clear())
  await open()
  expect(await block(100)).toBe(hashOf(100))
  expect(times(100)).toBe(final + 1)
  expect(problems).toEqual([])
})

it("are in the store that the docs show", () => {
  const shown = listBlocks(docs("docs/cache.md")).map(({ code }) => code)
  expect(shown.some((code) => code.includes("cache({ store: { get, set } })"))).toBe(true)
})
