/** Errors in a page about nodes that do not allow its origin, and about nodes that are dead. */
import { createServer, type RequestListener, type Server } from "node:http"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isRunnable, launch } from "./chromium.js"
import type {} from "./page/cors.js"

const KEY = "s3cr3tk3yoftheuser"

describe.runIf(isRunnable("CORS in a page"))("a page, and nodes at other origins", () => {
  const servers: Array<Server> = []
  /** What the node was asked that says nothing of CORS. */
  const asked: Array<string> = []
  let browser: Browser
  let page: Page
  let app = ""
  /** Nodes: one that allows the page, one that does not, and one that is not there. */
  let open = ""
  let closed = ""
  let dead = ""

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const at = server.address()
    if (at === null || typeof at === "string") throw new Error("the server has no port")
    return `http://127.0.0.1:${at.port}`
  }

  const node =
    (headers: Readonly<Record<string, string>>): RequestListener =>
    async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      if (request.method === "POST") {
        const { id, method } = JSON.parse(body)
        const result = method === "eth_blockNumber" ? "0x10" : "0x1"
        response.writeHead(200, { ...headers, "content-type": "application/json" })
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
      } else response.writeHead(request.method === "OPTIONS" ? 204 : 405, headers).end()
    }

  const bundle = async (): Promise<ReadonlyMap<string, string>> => {
    const { outputFiles } = await build({
      entryPoints: { main: fileURLToPath(new URL("./page/cors.ts", import.meta.url)) },
      outdir: "/",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      minify: true,
      write: false,
      logLevel: "silent"
    })
    return new Map(outputFiles.map(({ path, text }) => [path, text]))
  }

  beforeAll(async () => {
    const scripts = await bundle()
    app = await serve(({ url = "" }, response) => {
      const script = scripts.get(url)
      response.writeHead(200, { "content-type": script === undefined ? "text/html" : "text/javascript" })
      response.end(
        script ?? '<!doctype html><title>cors</title><script type="module" src="/main.js"></script>'
      )
    })
    const allowed = {
      "access-control-allow-origin": app,
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "600"
    }
    open = await serve(node(allowed))
    closed = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      return node({})(request, response)
    })
    dead = await serve(() => {})
    await new Promise((resolve) => servers.pop()?.close(resolve))
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })

  beforeEach(async () => {
    asked.length = 0
    page = await browser.newPage()
    await page.goto(app)
    await page.waitForFunction(() => typeof window.ask === "function")
  })

  const ask = (nodes: ReadonlyArray<string>, isChecked = false) =>
    page.evaluate(([urls, checks]) => window.ask(urls, checks), [nodes, isChecked] as const)

  const refused = () =>
    `the node answers, but refuses pages of ${app} (CORS): allow this origin there, or call it from a server`

  it("names the refusal by CORS, and sends the key nowhere but to the node's own url", async () => {
    const failed = await ask([`${closed}/v1/${KEY}`])
    expect(failed.messages.join()).toContain(refused())
    expect(failed.text).toContain(refused())
    expect(failed.text).not.toContain(KEY)
    expect(failed.attempts).toHaveLength(1)
    expect(asked).toContain("HEAD /")
    expect(asked.filter((line) => !line.startsWith("OPTIONS"))).toEqual(["HEAD /"])
  })

  it("says nothing of CORS where nobody answers", async () => {
    const failed = await ask([dead])
    expect(failed.messages.join()).toContain("Failed to fetch")
    expect(failed.text).not.toContain("CORS")
  })

  it("gets its answer from a node that allows it", async () => {
    expect(await ask([open])).toMatchObject({ value: "1", attempts: [] })
    expect(await ask([closed, dead, open])).toMatchObject({ value: "1" })
    expect(await ask([closed, dead, open], true)).toMatchObject({ value: "1" })
  })

  it.each([false, true])(
    "names it where all nodes refuse the page (checked beforehand: %s)",
    async (isChecked) => {
      const failed = await ask([`${closed}/a`, `${closed}/b`], isChecked)
      expect(failed.value).toBeUndefined()
      expect(failed.messages.join()).toContain(refused())
      expect(failed.text).toContain(refused())
      expect(failed.next).toContain(refused())
      expect(asked.filter((line) => !line.startsWith("OPTIONS"))).toEqual(["HEAD /"])
    }
  )
})
