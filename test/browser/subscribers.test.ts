/** The cost of many components on one page: requests, scripting, and leftovers. */
import { createServer, type Server } from "node:http"
import type { Browser, CDPSession, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { format } from "../../src/data/Units.js"
import { type Answer, type SocketNode, startSocketNode } from "../sockets.js"
import { isRunnable, launch } from "./chromium.js"
import type { Wanted } from "./page/subscribers.js"
import { scriptOf } from "./script.js"

const COMPONENTS = 200
const BALANCES = 50
const REFRESHES = 20

/** A frame of 60 a second, in milliseconds. */
const FRAME = 16

const addresses = Array.from({ length: BALANCES }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "0")}`)

const hex = (value: number | bigint): string => `0x${value.toString(16)}`

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  // only what hangs waits so long
  const end = Date.now() + 300_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Milliseconds of the page's thread. `script` is what Chromium counts as scripts, which leaves out whatever runs when a
 * promise is settled; `all` is all work but layout and style.
 */
interface Cost {
  readonly script: number
  readonly all: number
}

const of = (samples: ReadonlyArray<number>): { readonly median: number; readonly least: number } => {
  const sorted = [...samples].sort((a, b) => a - b)
  const [least = Number.NaN] = sorted
  return { least, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN }
}

/** Remembers what the page's timers are, before anything of the page runs. */
const watchTimers = (): void => {
  const { clearInterval, clearTimeout, setInterval, setTimeout } = window
  window.timers = new Map()
  const start =
    (kind: string, set: (run: () => void, ms?: number) => unknown, once: boolean) =>
    (run: unknown, ms?: number, ...args: ReadonlyArray<unknown>): unknown => {
      const id = set.call(
        window,
        () => {
          if (once) window.timers.delete(id)
          if (typeof run === "function") Reflect.apply(run, window, args)
        },
        ms
      )
      window.timers.set(id, `${kind} ${ms}: ${String(run).slice(0, 80)}`)
      return id
    }
  const end =
    (clear: typeof clearTimeout) =>
    (id: number | undefined): void => {
      window.timers.delete(id)
      clear.call(window, id)
    }
  Object.assign(window, {
    setTimeout: start("timeout", setTimeout, true),
    setInterval: start("interval", setInterval, false),
    clearTimeout: end(clearTimeout),
    clearInterval: end(clearInterval)
  })
}

describe.runIf(isRunnable("many subscribers on a page"))("200 components that watch 50 balances", () => {
  const problems: Array<string> = []
  /** How often each balance was asked for. */
  const asked = new Map<string, number>()
  let height = 100
  let browser: Browser
  let server: Server
  let sockets: SocketNode
  let origin = ""
  let page: Page
  let cdp: CDPSession

  const balanceOf = (address: string): bigint => BigInt(height) * 10n ** 18n + BigInt(address)

  const answer = (method: string, params: ReadonlyArray<unknown>): Answer => {
    switch (method) {
      case "eth_chainId":
        return { result: "0x1" }
      case "eth_blockNumber":
        return { result: hex(height) }
      case "eth_getBlockByNumber":
        return { result: head() }
      case "eth_subscribe":
        return { result: "0xheads" }
      case "eth_unsubscribe":
        return { result: true }
      case "eth_getBalance": {
        const address = String(params[0])
        asked.set(address, (asked.get(address) ?? 0) + 1)
        return { result: hex(balanceOf(address)) }
      }
      default:
        throw new Error(`unexpected: ${method}`)
    }
  }

  const head = () => ({
    number: hex(height),
    hash: `0xb${height}`,
    parentHash: `0xb${height - 1}`,
    transactions: []
  })

  const requests = (): number => [...asked.values()].reduce((sum, each) => sum + each, 0)

  /** A new block, of which the nodes tell. */
  const grow = (): void => {
    height++
    for (const peer of sockets.open()) {
      peer.send({
        jsonrpc: "2.0",
        method: "eth_subscription",
        params: { subscription: "0xheads", result: head() }
      })
    }
  }

  const watched = (): boolean =>
    sockets.open().some((peer) => peer.requests.some(({ method }) => method === "eth_subscribe"))

  beforeAll(async () => {
    const script = await scriptOf("./page/subscribers.tsx")
    sockets = await startSocketNode(answer)
    server = createServer((request, response) => {
      const reply = (type: string, body: string): void => {
        response.writeHead(200, { "content-type": type }).end(body)
      }
      if (request.url === "/") {
        return reply(
          "text/html",
          '<!doctype html><title>many</title><script type="module" src="/main.js"></script>'
        )
      }
      if (request.url === "/main.js") return reply("text/javascript", script)
      if (request.url === "/favicon.ico") return void response.writeHead(204).end()
      let text = ""
      request.on("data", (chunk) => {
        text += chunk
      })
      request.on("end", () => {
        try {
          const body: unknown = JSON.parse(text)
          const said = (one: unknown) => {
            const { id, method, params } = Object(one)
            return { jsonrpc: "2.0", id, ...Object(answer(method, params)) }
          }
          reply("application/json", JSON.stringify(Array.isArray(body) ? body.map(said) : said(body)))
        } catch (error) {
          problems.push(`${request.method} ${request.url}: ${error}`)
          response.writeHead(500).end()
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const at = server.address()
    if (at === null || typeof at === "string") throw new Error("the server has no port")
    origin = `http://127.0.0.1:${at.port}`
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    await sockets?.close()
    server?.closeAllConnections()
    server?.close()
  })

  beforeEach(async () => {
    page = await browser.newPage()
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (line) => {
      if (line.type() === "error") problems.push(line.text())
    })
    await page.addInitScript(watchTimers)
    await page.goto(origin)
    await page.waitForFunction(() => window.subscribers !== undefined)
    cdp = await page.context().newCDPSession(page)
    asked.clear()
    return async () => {
      await page.close()
      expect(problems.splice(0)).toEqual([])
    }
  })

  const wantedOf = (more: Partial<Wanted>): Wanted => ({
    addresses,
    components: COMPONENTS,
    node: `${origin}/node`,
    socket: sockets.url.replace(/^http/, "ws"),
    strict: true,
    batch: false,
    ...more
  })

  const mount = (more: Partial<Wanted> = {}): Promise<void> =>
    page.evaluate((each) => window.subscribers.mount(each), wantedOf(more))

  const shown = (): Promise<ReadonlyArray<string>> => page.evaluate(() => window.subscribers.shown())

  const expected = (): ReadonlyArray<string> =>
    Array.from({ length: COMPONENTS }, (_, i) => format(balanceOf(addresses[i % BALANCES] ?? ""), 18))

  const metrics = async (): Promise<ReadonlyMap<string, number>> => {
    const { metrics: all } = await cdp.send("Performance.getMetrics")
    return new Map(all.map(({ name, value }) => [name, value]))
  }

  it("ask once for each, whatever mounts, and once with every block", async () => {
    await mount()
    await until("all balances", async () => (await shown()).join() === expected().join())
    expect([...asked.keys()].sort()).toEqual([...addresses])
    expect([...asked.values()].filter((count) => count !== 1)).toEqual([])
    await until("a subscription", watched)
    for (let block = 1; block <= 5; block++) {
      grow()
      await until("the answers", () => requests() >= BALANCES * (block + 1))
      await until("the new balances", async () => (await shown()).join() === expected().join())
      // a request that is one too many has been sent before these
      for (let i = 0; i < 2; i++)
        await page.evaluate((url) => fetch(url).then(() => {}), `${origin}/favicon.ico`)
      expect([...asked.values()].filter((count) => count !== block + 1)).toEqual([])
    }
  })

  const costOf = async (work: () => Promise<void>): Promise<Cost> => {
    const before = await metrics()
    await work()
    const after = await metrics()
    const spent = (name: string): number =>
      1_000 * ((after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN))
    return {
      script: spent("ScriptDuration"),
      all: spent("TaskDuration") - spent("LayoutDuration") - spent("RecalcStyleDuration")
    }
  }

  /** What each of some refreshes costs, the browser's own price for as many bare requests beside it. */
  const measure = async (batch: boolean) => {
    await mount({ strict: false, batch })
    await until("all balances", async () => (await shown()).join() === expected().join())
    await until("a subscription", watched)
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" })
    const samples: Array<Cost> = []
    const wanted = requests()
    for (let i = 0; i < REFRESHES; i++) {
      await pause(40)
      const cost = await costOf(async () => {
        const already = requests()
        grow()
        await until("the answers", () => requests() >= already + BALANCES)
        await pause(60)
        // a page that waits for its turn has not done its work yet: the look at it is part of the cost
        await until("the new balances", async () => (await shown()).join() === expected().join())
      })
      samples.push(cost)
    }
    expect(requests() - wanted).toBe(REFRESHES * BALANCES)
    const bare: Array<number> = []
    for (let i = 0; i < 5; i++) {
      const { all } = await costOf(() =>
        page.evaluate(([node, every]) => window.subscribers.bare(node, every), [
          `${origin}/node`,
          addresses
        ] as const)
      )
      bare.push(all)
    }
    const told = {
      script: of(samples.map(({ script }) => script)),
      all: of(samples.map(({ all }) => all)),
      bare: of(bare)
    }
    const text = (name: keyof typeof told): string =>
      `${told[name].median.toFixed(1)} (at best ${told[name].least.toFixed(1)})`
    console.log(
      `a refresh of ${BALANCES} balances in ${COMPONENTS} components, ${batch ? "in a batch" : "one by one"}, median ms of ` +
        `the page's thread: ${text("script")} in scripts' tasks, ${text("all")} with promises and fetches; ` +
        `${BALANCES} bare fetches: ${text("bare")}`
    )
    return told
  }

  /** A frame, where the machine is fast enough to send as many bare requests in 30 ms (20 on the one of the figure). */
  const frameOf = (bare: number): number => FRAME * Math.max(1, bare / 30)

  // other programs have the machine too: what it takes at best is what it takes
  it(`take less than ${FRAME} ms of scripting for a refresh`, async () => {
    const { all, bare, script } = await measure(false)
    expect(script.least).toBeLessThan(frameOf(bare.least))
    // so many requests cost any page more than a frame: what the client and its hooks add is bounded beside that
    expect(all.least).toBeLessThan(3 * bare.least)
  })

  it(`take less than ${FRAME} ms of the page's thread for a refresh, fetch included, with a client that batches`, async () => {
    const { all, bare, script } = await measure(true)
    expect(script.least).toBeLessThan(frameOf(bare.least))
    expect(all.least).toBeLessThan(frameOf(bare.least))
  })

  /** What there is now. */
  const look = async () => {
    const { fibers, timers } = await page.evaluate(() => ({
      fibers: window.subscribers.fibers(),
      timers: [...window.timers.values()]
    }))
    return {
      fibers,
      // the height of the chain is held for minutes, which are counted from its last look
      timers: timers.map((timer) => timer.replace(/^timeout \d{6}:/, "timeout of minutes:")),
      sockets: sockets.open().length
    }
  }

  /** The listeners of the page, but for those that are garbage. */
  const listeners = async (): Promise<number> => {
    await cdp.send("HeapProfiler.collectGarbage")
    return (await metrics()).get("JSEventListeners") ?? Number.NaN
  }

  const nothing = { fibers: 0, timers: [], sockets: 0 }

  /** Waits until the page is at rest: what comes to an end by itself has ended. */
  const rest = async (state: Awaited<ReturnType<typeof look>> = nothing): Promise<number> => {
    await expect.poll(look).toEqual(state)
    return listeners()
  }

  it("leave nothing behind after 100 mounts and unmounts", async () => {
    await cdp.send("Performance.enable")
    const round = async (): Promise<void> => {
      const already = requests()
      await mount({ components: 20, addresses: addresses.slice(0, 5) })
      await until("some answers", () => requests() > already)
      await page.evaluate(() => window.subscribers.unmount())
    }
    await round()
    const before = await rest()
    for (let i = 0; i < 100; i++) await round()
    expect(await rest()).toBeLessThanOrEqual(before)
  })

  it("leave their provider as they have found it, whatever happens while they go", async () => {
    await cdp.send("Performance.enable")
    const wanted = wantedOf({ components: 20, addresses: addresses.slice(0, 5) })
    const show = (is: boolean): Promise<void> =>
      page.evaluate(([each, shown]) => window.subscribers.show(each, shown), [wanted, is] as const)
    const round = async (): Promise<void> => {
      const already = requests()
      const peers = sockets.peers.length
      await show(true)
      await until("some answers", () => requests() > already)
      await until("a subscription", () => watched() && sockets.peers.length > peers)
      await show(false)
      // nobody looks any more, and everything is still there for those who might come back
      grow()
      await until("the end of the subscription", () => sockets.open().length === 0)
    }
    await page.evaluate((each) => window.subscribers.mount(each), wanted)
    await until("some answers", () => requests() > 0)
    await show(false)
    // what the provider has of its own, as soon as only timers of minutes are left
    const isAtRest = async (): Promise<boolean> => {
      const { sockets, timers } = await look()
      return sockets === 0 && timers.every((timer) => timer.startsWith("timeout of minutes:"))
    }
    await until("a page at rest", isAtRest)
    const own = await look()
    const before = await rest(own)
    for (let i = 0; i < 4; i++) await round()
    expect(await rest(own)).toBeLessThanOrEqual(before)
    expect(own.sockets).toBe(0)
    await page.evaluate(() => window.subscribers.unmount())
    await rest()
  })
})
