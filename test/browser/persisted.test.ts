/** Answers that outlive the page, in Chromium's own IndexedDB: the store is the one of the docs. */
import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readPage as docs, listBlocks } from "../pages.js"
import { isRunnable, launch } from "./chromium.js"
import { scriptOf, serveScript } from "./script.js"

const runnable = isRunnable("answers in IndexedDB")

let browser: Browser
let served: Awaited<ReturnType<typeof serveScript>>
let page: Page
/** What the node answers, and how often it was asked for it. */
let wei = 7n
let asked = 0
const problems: Array<string> = []

const answer = (method: string): string => {
  if (method !== "eth_getBalance") throw new Error(`unexpected: ${method}`)
  asked++
  return `0x${wei.toString(16)}`
}

beforeAll(async () => {
  if (!runnable) return
  const script = await scriptOf("./page/persisted.tsx")
  served = await serveScript("persisted", script, async (request) => {
    if (request.url !== "/node") return undefined
    const { id, method } = JSON.parse(await text(request))
    return JSON.stringify({ jsonrpc: "2.0", id, result: answer(method) })
  })
  browser = await launch()
  page = await browser.newPage()
  page.on("pageerror", (error) => problems.push(String(error)))
  page.on("console", (line) => problems.push(line.text()))
  await page.goto(served.url)
})

afterAll(async () => {
  await browser?.close()
  served?.close()
})

/** All that the page shows until a line is there. */
const until = async (last: string): Promise<ReadonlyArray<string>> => {
  await page.waitForFunction((line) => window.seen?.at(-1) === line, last)
  return page.evaluate(() => window.seen)
}

it.runIf(runnable)("are shown again after a reload, without a request", async () => {
  expect(await until("success 7")).toEqual(["restoring", "loading undefined", "success 7"])
  const kept = () => page.evaluate(() => window.database.text())
  await expect.poll(kept).toContain("rpc.getBalance")
  wei = 8n
  await page.reload()
  expect(await until("success 7")).toEqual(["restoring", "success 7"])
  expect(asked).toBe(1)
  // without the database there is nothing left of them
  await page.evaluate(() => window.database.clear())
  await page.reload()
  expect(await until("success 8")).toEqual(["restoring", "loading undefined", "success 8"])
  expect(asked).toBe(2)
  expect(problems).toEqual([])
})

it("are in the store that the docs show", () => {
  const store = readFileSync(new URL("page/store.ts", import.meta.url), "utf8")
  expect(listBlocks(docs("docs/react/cache.md")).map(({ code }) => code)).toContain(store)
})
