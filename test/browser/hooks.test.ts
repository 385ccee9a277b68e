/** 500 hooks on one screen, beside TanStack Query in the same run: how often components are rendered, and how long it takes. */
import { createServer, type Server } from "node:http"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { median } from "../../bench/stats.mjs"
import { isRunnable, launch } from "./chromium.js"
import type { Turn, WayName } from "./page/hooks.js"

const COUNT = 500
const ROUNDS = 15

/** More than TanStack Query's own time: the limit of the issue that asked for these hooks. */
const MOST = 1.1

const names: ReadonlyArray<WayName> = ["effect-chains/react", "effect-chains/query", "viem"]

const parts = ["mount", "change", "same"] as const

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./page/hooks.tsx", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
    logLevel: "silent"
  })
  return outputFiles[0]?.text ?? ""
}

describe.runIf(isRunnable("500 hooks on a page"))("500 hooks on one screen", () => {
  const problems: Array<string> = []
  let browser: Browser
  let server: Server
  let page: Page

  beforeAll(async () => {
    const script = await bundle()
    server = createServer((request, response) => {
      if (request.url === "/main.js")
        return void response.writeHead(200, { "content-type": "text/javascript" }).end(script)
      response
        .writeHead(200, { "content-type": "text/html" })
        .end('<!doctype html><title>hooks</title><script type="module" src="/main.js"></script>')
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const at = server.address()
    if (at === null || typeof at === "string") throw new Error("the server has no port")
    browser = await launch()
    page = await browser.newPage()
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (line) => {
      if (line.type() === "error") problems.push(line.text())
    })
    await page.goto(`http://127.0.0.1:${at.port}`)
    await page.waitForFunction(() => window.turn !== undefined)
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  it("are rendered no more often than with TanStack Query, and take no longer", async () => {
    const turns = new Map<WayName, Array<Turn>>(names.map((name) => [name, []]))
    // each round has all of them, so that what the machine does beside this is paid by all
    for (let round = 0; round < ROUNDS + 2; round++)
      for (const name of names) {
        const turn = await page.evaluate(([way, count]) => window.turn(way, count), [name, COUNT] as const)
        // the first rounds are for the compiler of the browser
        if (round > 1) turns.get(name)?.push(turn)
      }
    const of = (name: WayName) => turns.get(name) ?? []
    const time = (name: WayName, part: (typeof parts)[number]): number =>
      median(of(name).map((turn) => turn[part]))
    const renders = (name: WayName, part: (typeof parts)[number]): number =>
      Math.max(...of(name).map((turn) => turn.renders[part]))
    const [own, tanstack] = names
    if (own === undefined || tanstack === undefined) throw new Error("two ways are compared")
    for (const part of parts)
      console.log(
        `${part}: ${names
          .map((name) => `${name} ${time(name, part).toFixed(1)} ms, ${renders(name, part)} renders`)
          .join("; ")}; ${(time(own, part) / time(tanstack, part)).toFixed(2)} of TanStack Query's time`
      )
    for (const part of parts) expect(renders(own, part), part).toBeLessThanOrEqual(renders(tanstack, part))
    for (const part of parts) expect(time(own, part) / time(tanstack, part), part).toBeLessThanOrEqual(MOST)
    expect(problems).toEqual([])
  }, 120_000)
})
