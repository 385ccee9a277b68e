/** The playground as people see it: its build on a sandbox with five nodes, in Chromium. */
import { mkdir, stat, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import type { AxeResults } from "axe-core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from "playwright-core"
import { createPublicClient, createWalletClient, formatEther, type Hex, http, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { servePlayground } from "../../scripts/playgroundServer.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import type { SandboxService } from "../../src/sandbox/Sandbox.js"
import { isNight } from "../night.js"
import { complaintOf, isRunnable, launch } from "./chromium.js"

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
const runnable = isRunnable("the playground in a browser", anvil._tag === "Left" ? ["no anvil binary"] : [])

const root = fileURLToPath(new URL("../../", import.meta.url))
/** Screenshots of every run. */
const artefacts = join(root, "test-results")
/** Where those of the docs go, when somebody asks for new ones: `PLAYGROUND_SCREENSHOTS=docs`. */
const pictures = process.env.PLAYGROUND_SCREENSHOTS

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

const network = "ethereum-mainnet"
const views = ["", "chain", "nfts", "console", "wallet", "webhooks", "settings"] as const
type View = (typeof views)[number]

const titles: Readonly<Record<View, string>> = {
  "": "Overview",
  chain: "Chain data",
  nfts: "NFTs",
  console: "RPC console",
  wallet: "Wallet",
  webhooks: "Webhooks",
  settings: "Settings"
}

const sizes = {
  380: { width: 380, height: 780 },
  1024: { width: 1024, height: 768 },
  1600: { width: 1600, height: 1000 }
} as const

type Width = keyof typeof sizes

const LIMITS = {
  /**
   * Bytes after gzip of all that the page loads by itself: 18 more networks are 2 kB of them, longer names of members 1 kB; the providers that
   * a client can be moved to 0.4 kB, transactions that failed in their block 0.6 kB, the causes in NoActiveNode 0.2 kB, and calls that end with
   * their client 0.4 kB.
   */
  load: 321_200,
  /** Milliseconds that the page's thread may be busy without a break. */
  task: 200,
  /** Layout shift while data streams in, and before that: up to here browsers' makers call it good. */
  shift: 0.05,
  loadShift: 0.1,
  /** Bytes of a picture in the repository. */
  picture: 200_000
}

/** The rules of axe about colours. */
const COLOURS = ["color-contrast", "link-in-text-block"]

/** What the page's observers have seen. */
interface Observed {
  readonly tasks: ReadonlyArray<{ readonly at: number; readonly ms: number }>
  readonly shifts: ReadonlyArray<{ readonly at: number; readonly value: number; readonly of: string }>
}

declare global {
  interface Window {
    observed: {
      tasks: Array<{ at: number; ms: number }>
      shifts: Array<{ at: number; value: number; of: string }>
    }
    axe: { run: (options: object) => Promise<AxeResults> }
  }
}

/** Watches for long tasks and for what moves, before anything of the page runs. */
const observe = (): void => {
  window.observed = { tasks: [], shifts: [] }
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      window.observed.tasks.push({ at: startTime, ms: duration })
    }
  }).observe({ type: "longtask", buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, "hadRecentInput") === true) continue
      const sources: ReadonlyArray<{ readonly node?: Node | null }> = Reflect.get(entry, "sources") ?? []
      const of = sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return `${element?.tagName.toLowerCase()}.${element?.className} in #${element?.closest("section")?.id ?? ""}`
      })
      window.observed.shifts.push({
        at: entry.startTime,
        value: Reflect.get(entry, "value"),
        of: of.join(", ")
      })
    }
  }).observe({ type: "layout-shift", buffered: true })
}

describe.runIf(runnable)("the playground", () => {
  const scope = Effect.runSync(Scope.make())
  const problems: Array<string> = []
  /** The WebSockets of the page, the oldest first, and how many blocks each has told. */
  const sockets: Array<{ readonly url: string; heads: number }> = []
  /** Nodes that a test has taken down: a browser prints every connection that it cannot make. */
  const down = new Set<string>()
  let browser: Browser
  let context: BrowserContext
  let sandbox: SandboxService
  let origin = ""
  let page: Page

  const nodes = () => {
    const { archive, nodes: normal } = sandbox.network(network)
    return [...normal, ...archive].map(({ name, type, url }) => ({
      name: name.replace(/^.*\//, ""),
      type,
      url
    }))
  }
  const nodeOf = (name: string) => {
    const found = nodes().find((node) => node.name === name)
    if (found === undefined) throw new Error(`the sandbox has no node ${name}`)
    return found
  }
  const chain = () =>
    createPublicClient({
      transport: http(nodes().find(({ url }) => !down.has(url))?.url ?? ""),
      pollingInterval: 50
    })

  /** A transaction that is signed here, and in a block when this resolves. */
  const pay = async (from: number, to: number, amount: string): Promise<void> => {
    const sender = sandbox.accounts[from]
    const receiver = sandbox.accounts[to]
    if (sender === undefined || receiver === undefined) throw new Error("the sandbox has no such account")
    const url = nodes().find((node) => !down.has(node.url))?.url ?? ""
    const wallet = createWalletClient({
      account: privateKeyToAccount(sender.privateKey),
      transport: http(url)
    })
    const hash = await wallet.sendTransaction({
      chain: null,
      to: receiver.address,
      value: parseEther(amount)
    })
    await chain().waitForTransactionReceipt({ hash })
  }

  const complain = (line: ConsoleMessage): void => {
    const complaint = complaintOf(line)
    if (complaint === undefined) return
    const { url } = line.location()
    // of a socket the text has the place, and the location is that of the program
    const text = line.text().replace(/\bws:/g, "http:")
    if ([...down].some((each) => url.startsWith(each) || text.includes(each))) return
    problems.push(complaint)
  }

  const open = async (width: Width, view: View = "", theme: "light" | "dark" = "light"): Promise<Page> => {
    const opened = await context.newPage()
    await opened.setViewportSize(sizes[width])
    await opened.emulateMedia({ colorScheme: theme, reducedMotion: "no-preference" })
    opened.on("pageerror", (error) => problems.push(String(error)))
    opened.on("console", complain)
    await opened.goto(`${origin}/#/${view}`)
    await opened.getByRole("heading", { level: 1, name: titles[view] }).waitFor()
    return opened
  }

  /** Goes to a view, and waits until it is there and has its data. */
  const go = async (on: Page, view: View): Promise<void> => {
    await on.evaluate((hash) => {
      location.hash = hash
    }, `#/${view}`)
    await on.getByRole("heading", { level: 1, name: titles[view] }).waitFor()
    await on.locator("main .panel, main section").first().waitFor()
    await expect.poll(() => on.locator("main .skeleton").count()).toBe(0)
    // what is wide is the history
    if (view === "chain") await on.locator("main tbody tr").first().waitFor()
  }

  /** Waits until the page has a theme, and its colours, which change gradually, have changed. */
  const themed = async (on: Page, theme: "light" | "dark"): Promise<void> => {
    await on.waitForFunction(
      (name) =>
        document.documentElement.dataset.theme === name &&
        document.getAnimations().every((each) => !(each instanceof CSSTransition)),
      theme
    )
  }

  const panel = (title: string, on = page): Locator => on.getByRole("region", { name: title, exact: true })
  const card = (name: string): Locator => page.getByRole("article", { name, exact: true })
  const badge = (name: string, text: string): Locator => card(name).locator(".badge", { hasText: text })
  const balance = (account: number): Locator =>
    panel("Balances")
      .getByRole("listitem")
      .filter({ hasText: `Account ${account}` })
      .locator(".amount")
  /** Coins as the page writes them: six digits after the point, and no more. */
  const shown = (wei: bigint): string => {
    const [whole = "", fraction] = formatEther(wei).split(".")
    const digits = fraction === undefined ? "" : `.${fraction.slice(0, 6)}`
    return `${BigInt(whole).toLocaleString("en-US")}${digits} ETH`
  }
  const height = async (): Promise<number> => {
    const text = await panel("The pool in numbers").locator("dd").first().textContent()
    return Number((text ?? "").replaceAll(",", ""))
  }
  const active = async (): Promise<string> => {
    for (const { name, type } of nodes()) {
      if (type === "normal" && (await badge(name, "Active").count()) > 0) return name
    }
    throw new Error("no card of a normal node says that it is active")
  }
  const soon = { interval: 100 }

  beforeAll(async () => {
    await mkdir(artefacts, { recursive: true })
    // builds follow it, and this is to be the one that people get
    vi.stubEnv("NODE_ENV", "production")
    const folder = join(root, "node_modules", ".cache", "effect-chains", "playground-test")
    const served = await Effect.runPromise(
      Scope.extend(servePlayground({ root, build: true, nodes: 4, folder }), scope)
    )
    vi.unstubAllEnvs()
    origin = served.url
    sandbox = served.sandbox
    browser = await launch()
    context = await browser.newContext()
    await context.addInitScript(observe)
    // nothing but loopback, whatever the page would like
    await context.route("**/*", (route) => {
      const { hostname, protocol } = new URL(route.request().url())
      if (hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:") return route.continue()
      problems.push(`the page asks for ${route.request().url()}`)
      return route.abort()
    })
  })

  afterAll(async () => {
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  afterEach(async () => {
    await Effect.runPromise(sandbox.faults.clear())
    // a test that fails on its way leaves no node down for the next one
    const { archive, nodes: normal } = sandbox.network(network)
    for (const node of [...normal, ...archive].filter(({ url }) => down.has(url))) {
      await Effect.runPromise(node.restart)
      down.delete(node.url)
    }
    expect(problems.splice(0)).toEqual([])
  })

  it(`loads less than ${LIMITS.load / 1_000} kB until it shows everything`, async () => {
    const bodies = new Map<string, Promise<Buffer>>()
    page = await context.newPage()
    await page.setViewportSize(sizes[1600])
    // it is open for minutes, and its timeline is drawn sixteen times a second: other pages are opened with their motion
    await page.emulateMedia({ reducedMotion: "reduce" })
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", complain)
    page.on("websocket", (socket) => {
      const opened = { url: socket.url(), heads: 0 }
      sockets.push(opened)
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes('"eth_subscription"')) opened.heads++
      })
    })
    page.on("response", (response) => {
      const url = response.url()
      if (url.startsWith(origin) && /\.(js|css|html|woff2?|svg|png)$|\/$/.test(new URL(url).pathname)) {
        bodies.set(url, response.body())
      }
    })
    const started = Date.now()
    await page.goto(`${origin}/`)
    await card("normal-1").getByRole("button", { name: "Stop" }).waitFor()
    const usable = Date.now() - started
    // the last part that comes by itself: whether it is there before the page can be used depends on the machine
    await expect.poll(() => [...bodies.keys()].some((url) => /Sparkline.*\.js$/.test(url)), soon).toBe(true)
    let total = 0
    const lines: Array<string> = []
    for (const [url, body] of bodies) {
      const { length } = gzipSync(await body, { level: 6 })
      total += length
      lines.push(`${new URL(url).pathname} ${(length / 1_000).toFixed(1)}`)
    }
    console.log(
      `first load: ${(total / 1_000).toFixed(1)} kB gzip in ${bodies.size} files, usable after ${usable} ms (${lines.join(", ")})`
    )
    expect(bodies.size).toBeGreaterThan(2)
    // of the icon set only the logo of the network at hand
    expect([...bodies.keys()].filter((url) => url.includes("/logos/"))).toEqual([
      `${origin}/logos/ethereum.svg`
    ])
    expect(total).toBeLessThan(LIMITS.load)
  })

  it("shows the nodes, and balances as the chain has them", async () => {
    for (const { name } of nodes()) await badge(name, "Healthy").waitFor()
    expect(await page.getByRole("article").count()).toBe(5)
    await expect.poll(() => balance(1).textContent(), soon).toMatch(/ ETH$/)
    expect(await height()).toBeGreaterThan(0)
    expect(await page.title()).toContain("Overview")
  })

  it("begins with balances that differ, and with a history and pictures to look at", async () => {
    const amounts = await Promise.all([1, 2, 3, 4, 5].map((account) => balance(account).textContent()))
    expect(new Set(amounts).size).toBe(5)
    const on = await open(1600, "chain")
    const rows = panel("Transactions", on).locator("tbody tr")
    await expect.poll(() => rows.count(), soon).toBe(10)
    // every amount tells of what it is
    await expect
      .poll(
        () => rows.locator(".amount").evaluateAll((all) => all.map((each) => each.textContent ?? "")),
        soon
      )
      .toSatisfy((all: ReadonlyArray<string>) =>
        all.every((text) => /^[\d,.-]+ [A-Za-z]+( #\d+)?$/.test(text))
      )
    await go(on, "nfts")
    const pictures = on.locator(".nft-picture img")
    await expect.poll(() => pictures.count(), soon).toBeGreaterThan(4)
    await expect
      .poll(
        () => pictures.evaluateAll((all) => all.every((each) => Reflect.get(each, "naturalWidth") > 0)),
        soon
      )
      .toBe(true)
    await on.close()
  })

  it("has networks with their logos, which are fetched when they are looked at", async () => {
    const on = await open(1024)
    const asked = new Set<string>()
    on.on("request", (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith("/logos/")) asked.add(pathname)
    })
    await on.getByRole("button", { name: /^Network: / }).click()
    const option = (name: string): Locator => on.locator(`[data-network="${name}"]`)
    await option("polygon-mainnet").scrollIntoViewIfNeeded()
    const logo = option("polygon-mainnet").locator("img.logo")
    await expect
      .poll(() => logo.evaluate((image) => Reflect.get(image, "naturalWidth")), soon)
      .toBeGreaterThan(0)
    expect(asked).toContain("/logos/polygon.svg")
    // the list is long: what is far from view is not asked for
    expect(asked.size).toBeLessThan(60)
    // and what the icon set does not have is drawn
    expect(await option("haqq-mainnet").locator("svg.logo text").textContent()).toBe("ISL")
    await on.close()
  })

  it("uses a wide screen: what is asked, who is asked and what comes of it stand side by side", async () => {
    const on = await open(1600)
    await on.getByRole("article", { name: "normal-1", exact: true }).waitFor()
    const boxes = await Promise.all(
      ["Requests by node", "Node pool", "Balances"].map((title) => panel(title, on).boundingBox())
    )
    const [requests, pool, balances] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 })
    expect(pool?.y).toBe(requests?.y)
    expect(balances?.y).toBe(requests?.y)
    expect(pool?.x).toBeGreaterThan((requests?.x ?? 0) + (requests?.width ?? 0))
    expect((balances?.x ?? 0) + (balances?.width ?? 0)).toBeGreaterThan(1500)
    await on.close()
  })

  it("follows a balance when a transaction is in a block", async () => {
    const before = await chain().getBalance({ address: sandbox.accounts[2]?.address ?? "0x" })
    await expect.poll(() => balance(3).textContent(), soon).toBe(shown(before))
    await pay(3, 2, "1.5")
    await expect.poll(() => balance(3).textContent(), soon).toBe(shown(before + parseEther("1.5")))
  })

  it("follows the blocks over a WebSocket, whatever happens to it, and nothing of that is red", async () => {
    await expect.poll(() => sockets.at(-1)?.heads, soon).toBeGreaterThan(1)
    for (const kind of ["close", "duplicate", "reorder"] as const) {
      const before = sockets.length
      const rule = { target: { socket: true }, fault: { kind }, times: 1 }
      await Effect.runPromise(sandbox.faults.add(rule))
      if (kind === "close") await expect.poll(() => sockets.length, soon).toBeGreaterThan(before)
      await Effect.runPromise(sandbox.faults.clear())
      const opened = sockets.at(-1)
      const heard = opened?.heads ?? 0
      await Effect.runPromise(sandbox.network(network).mine(3))
      await expect.poll(() => opened?.heads, soon).toBeGreaterThan(heard + 1)
      const shown = await height()
      await expect.poll(height, soon).toBeGreaterThan(shown)
    }
    expect(
      sockets.every(({ url }) => nodes().some((node) => url.startsWith(node.url.replace("http", "ws"))))
    ).toBe(true)
  })

  it("goes on when the active node is taken down, and has it back afterwards", async () => {
    const victim = await active()
    const { url } = nodeOf(victim)
    down.add(url)
    const before = await height()
    await card(victim).getByRole("button", { name: "Stop" }).click()
    await badge(victim, "Out").waitFor()
    await expect.poll(active, soon).not.toBe(victim)
    await expect.poll(height, soon).toBeGreaterThan(before)
    await pay(4, 2, "2")
    const wei = await chain().getBalance({ address: sandbox.accounts[2]?.address ?? "0x" })
    await expect.poll(() => balance(3).textContent(), soon).toBe(shown(wei))
    expect(
      await panel("Make something happen").getByText("failed", { exact: false }).first().textContent()
    ).toMatch(/(^|\s)0 failed/)
    await page.screenshot({ path: join(artefacts, "playground-failover.png") })
    await card(victim).getByRole("button", { name: "Stop" }).click()
    await badge(victim, "Healthy").waitFor()
    down.delete(url)
  })

  it("shows how calls survive a broken node, and how those of a plain client do not", async () => {
    const guide = panel("See it survive")
    // which node that is may change until the button is pressed: the page says which it was
    for (const { url } of nodes()) down.add(url)
    await guide.getByRole("button", { name: "Break the active node" }).click()
    const told = guide.getByText(/ is stopped: calls have moved to /).first()
    await told.waitFor()
    const [, victim = ""] = /(normal-\d+) is stopped/.exec((await told.textContent()) ?? "") ?? []
    down.clear()
    down.add(nodeOf(victim).url)
    await badge(victim, "Out").waitFor()
    await guide.getByText(`${victim} was stopped for 8 seconds`, { exact: false }).first().waitFor()
    const figures = async (client: string) => {
      const text = (await guide.getByRole("region", { name: client }).textContent()) ?? ""
      const [, failed, before, after, calls] =
        /([\d,]+) failedp99 before(.+?)p99 after(.+?)calls([\d,]+)$/.exec(text) ?? []
      return { failed: Number(failed), before, after, calls: Number(calls) }
    }
    const [pool, single] = [await figures("effect-chains"), await figures("A plain client, one node")]
    console.log("the guided minute:", JSON.stringify({ pool, single }))
    // 240 on a page that is not slow
    expect(pool.calls).toBeGreaterThan(24)
    expect(single.calls).toBe(pool.calls)
    expect(pool.failed).toBe(0)
    expect(single.failed).toBeGreaterThan(pool.calls / 3)
    for (const latency of [pool.before, pool.after, single.before]) expect(latency).toMatch(/^\d+ ms$/)
    await page.screenshot({ path: join(artefacts, "playground-guided.png") })
    if (pictures !== undefined && pictures !== "")
      await page.screenshot({ path: join(root, pictures, "playground-guided.png") })
    await badge(victim, "Healthy").waitFor()
    down.clear()
  })

  it("says that nothing answers where all nodes are down, and goes on by itself when one is back", async () => {
    const pulse = panel("The pool in numbers")
    const all = nodes()
    for (const { name, url } of all) {
      down.add(url)
      await card(name).getByRole("button", { name: "Stop" }).click()
    }
    const bar = page.locator(".banner-bad")
    await bar.getByText("Nothing answers.").waitFor()
    await pulse.getByText("0 of 5 well: nothing answers, trying again in 2 s").waitFor()
    for (const { name } of all) await badge(name, "Out").waitFor()
    // an answer from before they were stopped may come in as late as now
    await expect.poll(() => page.locator(".node .badge", { hasText: /Healthy|Active/ }).count(), soon).toBe(0)
    expect(await bar.textContent()).toMatch(/What is shown is from before \d\d:\d\d:\d\d/)
    expect(await page.locator(".grid.is-old").count()).toBe(1)
    await page.screenshot({ path: join(artefacts, "playground-down.png") })
    for (const { name } of all) await card(name).getByRole("button", { name: "Stop" }).click()
    await bar.waitFor({ state: "detached" })
    for (const { name } of all) await badge(name, "Healthy").waitFor()
    expect(await page.locator(".grid.is-old").count()).toBe(0)
    down.clear()
  })

  it("says that its sandbox has gone, and connects by itself when that is back", async () => {
    const { baseUrl } = sandbox
    down.add(baseUrl)
    for (const { url } of nodes()) down.add(url)
    const gone = (url: URL) =>
      [baseUrl, ...nodes().map(({ url }) => url)].some((each) => url.href.startsWith(each))
    await context.route(gone, (route) => route.abort("connectionrefused"))
    const bar = page.locator(".banner-bad")
    await bar.getByText("The sandbox has gone.").waitFor()
    expect(await bar.textContent()).toContain("npm start -- --playground")
    await context.unroute(gone)
    await bar.waitFor({ state: "detached" })
    await badge("normal-1", "Healthy").waitFor()
    down.clear()
  })

  it("tells a wrong key, and a provider that cannot be reached", async () => {
    const on = await open(1024, "settings")
    const settings = panel("Connection", on)
    const use = async (baseUrl: string, listUrl: string): Promise<void> => {
      await settings.locator("label", { hasText: "Real provider" }).click()
      await settings.getByLabel("API key").fill("a-key-that-nobody-knows")
      await settings.getByLabel("Base url").fill(baseUrl)
      await settings.getByLabel("Node list url").fill(listUrl)
      await settings.getByRole("button", { name: "Use these settings" }).click()
    }
    // the test call is one of the provider's API, which refuses the key
    const rule = { target: { route: "/v4/*" }, fault: { kind: "status", status: 401 } } as const
    const { id } = await Effect.runPromise(sandbox.faults.add(rule))
    down.add(sandbox.baseUrl)
    await use(sandbox.baseUrl, sandbox.nodeListUrl)
    await settings.getByText("The provider refuses the key").waitFor()
    await on.evaluate(() => {
      location.hash = "#/chain"
    })
    await on.getByRole("link", { name: "Check the key in the settings" }).first().waitFor()
    await Effect.runPromise(sandbox.faults.remove(id))
    await go(on, "settings")
    await use(sandbox.baseUrl, sandbox.nodeListUrl)
    await settings.getByText("The provider has answered a call with these settings.").waitFor()
    const nowhere = "http://127.0.0.1:9"
    down.add(nowhere)
    await use(nowhere, nowhere)
    await settings.getByText("The provider does not answer").waitFor()
    await go(on, "")
    await panel("Node pool", on).getByText("The provider cannot be reached").waitFor()
    await on.close()
    down.clear()
  })

  it("answers calls in the console", async () => {
    await go(page, "console")
    // it opens on what people try first
    await page.getByRole("form", { name: "Call rpc.getBalance" }).waitFor()
    expect(await page.getByLabel(/^address/).inputValue()).toBe(sandbox.accounts[0]?.address)
    const search = page.getByRole("combobox", { name: "Search methods" })
    await search.fill("getBalance")
    await page
      .getByRole("option", { name: /rpc\.getBalance|^getBalance/ })
      .first()
      .click()
    await page.getByRole("button", { name: "Run", exact: true }).click()
    const answer = page.getByRole("region", { name: "Answer" })
    await answer.locator(".badge", { hasText: "Answered" }).waitFor()
    const address = await page.getByLabel(/^address/).inputValue()
    const found = sandbox.accounts.find((account) => account.address === address)
    expect(found, address).toBeDefined()
    const wei = await chain().getBalance({ address: found?.address ?? "0x" })
    expect((await answer.textContent())?.replace(/\D/g, " ")).toContain(String(wei))
    // what a node refuses is told as such
    await search.fill("getBlockByNumber")
    await page
      .getByRole("option", { name: /getBlockByNumber/ })
      .first()
      .click()
    await page.getByLabel(/^block/).fill("not a block")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await expect.poll(() => page.locator("[aria-invalid=true], .badge-bad").count(), soon).toBeGreaterThan(0)
  })

  it("sends with the sandbox's wallet", async () => {
    await go(page, "wallet")
    const receiver: Hex = sandbox.accounts[1]?.address ?? "0x"
    const before = await chain().getBalance({ address: receiver })
    await page
      .getByRole("button", { name: /^Connect / })
      .first()
      .click()
    await page.getByRole("dialog").getByRole("button", { name: "Connect", exact: true }).click()
    await panel("Wallets").locator(".badge", { hasText: "Connected" }).waitFor()
    const send = panel("Send")
    await send.getByLabel("To", { exact: true }).fill(receiver)
    await send.getByLabel(/^Amount/).fill("0.75")
    await send.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("dialog").getByText("0.75").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click()
    await send.locator(".badge", { hasText: "Mined" }).waitFor()
    expect((await chain().getBalance({ address: receiver })) - before).toBe(parseEther("0.75"))
    // and nothing when its user says no
    await send.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click()
    await send.getByRole("alert").getByText("TransactionDenied").waitFor()
  })

  it("subscribes, and shows what is delivered as it arrives", async () => {
    await go(page, "webhooks")
    await panel("Subscribe").getByRole("button", { name: "Subscribe" }).click()
    await panel("Subscribe")
      .getByText(/^Subscribed: /)
      .waitFor()
    const deliveries = panel("Deliveries")
    await deliveries.locator(".badge", { hasText: "Listening" }).waitFor()
    expect(await deliveries.locator("details").count()).toBe(0)
    await panel("Subscriptions")
      .getByRole("button", { name: /^Send / })
      .first()
      .click()
    await deliveries.locator("details").first().waitFor()
    expect(await deliveries.locator("details").first().textContent()).toContain("0.25")
    await panel("Subscriptions")
      .getByRole("button", { name: /^Delete / })
      .first()
      .click()
    await panel("Subscriptions").getByText("No subscriptions").waitFor()
  })

  // the narrowest has the least room, and all that the others show
  for (const width of isNight ? ([380, 1024, 1600] as const) : ([380] as const)) {
    it(`has no violations of accessibility at ${width} px, light and dark, and nothing is wider than that`, async () => {
      const found: Array<string> = []
      const check = async (on: Page, what: string, rules?: ReadonlyArray<string>): Promise<void> => {
        const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) }
        const { violations } = await on.evaluate((given) => window.axe.run(given), options)
        for (const { help, id, nodes: where } of violations) {
          const targets = where
            .slice(0, 4)
            .map(({ failureSummary, html, target }) => `${target} ${html.slice(0, 140)} ${failureSummary}`)
          found.push(`${what}: ${id} (${help}) at ${targets.join("; ")}`)
        }
      }
      const on = await open(width)
      await on.addScriptTag({ path: axePath })
      for (const view of views) {
        await go(on, view)
        for (const colorScheme of ["light", "dark"] as const) {
          await on.emulateMedia({ colorScheme })
          await themed(on, colorScheme)
          // in the dark only colours are others
          const rules = colorScheme === "dark" ? COLOURS : undefined
          await check(on, `${titles[view]} ${width} ${colorScheme}`, rules)
        }
        const wide = await on.evaluate(() => {
          const { clientWidth, scrollWidth } = document.documentElement
          const scrolls = (element: Element | null): boolean =>
            element !== null &&
            element !== document.body &&
            (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) ||
              scrolls(element.parentElement))
          const out = [...document.querySelectorAll("body *")].filter(
            (element) =>
              element.getBoundingClientRect().right > clientWidth + 0.5 && !scrolls(element.parentElement)
          )
          return {
            over: scrollWidth - clientWidth,
            names: out.slice(0, 3).map((element) => element.outerHTML.slice(0, 160))
          }
        })
        if (wide.over > 0) {
          found.push(`${titles[view]} is ${wide.over} px wider than ${width} px: ${wide.names.join("; ")}`)
        }
      }
      await go(on, "")
      await on.getByRole("button", { name: /^Use the / }).click()
      await themed(on, "light")
      await check(on, `Overview ${width}, the theme that is chosen`)
      // a theme that is chosen is remembered
      await on.evaluate(() => localStorage.clear())
      await on.close()
      expect(found).toEqual([])
    })
  }

  // it measures the machine, too
  it.runIf(isNight)("streams without long tasks, and nothing moves", async () => {
    const sum = (shifts: Observed["shifts"]): number => shifts.reduce((all, { value }) => all + value, 0)
    const told = (shifts: Observed["shifts"]): string =>
      shifts.map(({ at, of, value }) => `${value.toFixed(4)} at ${Math.round(at)} ms: ${of}`).join("\n")
    const runs: Array<{
      readonly task: number
      readonly loading: Observed["shifts"]
      readonly streaming: Observed["shifts"]
    }> = []
    const best = () => Math.min(...runs.map(({ task }) => task))
    // other programs have the machine too: the best of some runs is what the page takes
    while (runs.length < 8 && !(best() <= LIMITS.task)) {
      const on = await open(1600)
      await on.getByRole("article", { name: "normal-1", exact: true }).getByText("Healthy").waitFor()
      await panel("Make something happen", on).locator("label", { hasText: /^60$/ }).click()
      const from = await on.evaluate(() => performance.now())
      await on.waitForTimeout(5_000)
      const { shifts, tasks }: Observed = await on.evaluate(() => window.observed)
      await on.close()
      const loading = shifts.filter(({ at }) => at < from)
      const streaming = shifts.filter(({ at }) => at >= from)
      const longest = (some: Observed["tasks"]): number => Math.max(0, ...some.map(({ ms }) => ms))
      const task = longest(tasks.filter(({ at }) => at >= from))
      runs.push({ task, loading, streaming })
      console.log(
        `5 nodes, 60 reads a second: longest task ${task} ms (${longest(tasks.filter(({ at }) => at < from))} ms while loading), ` +
          `shift ${sum(streaming).toFixed(4)} (${sum(loading).toFixed(4)} while loading)`
      )
    }
    expect(best()).toBeLessThanOrEqual(LIMITS.task)
    // what moves does so on any machine
    for (const { loading, streaming } of runs) {
      expect(sum(streaming), told(streaming)).toBeLessThan(LIMITS.shift)
      expect(sum(loading), told(loading)).toBeLessThan(LIMITS.loadShift)
    }
  })

  it.runIf(isNight)("has its picture taken", async () => {
    for (const width of [380, 1024, 1600] as const) {
      const theme = width === 1024 ? "dark" : "light"
      const on = await open(width, "", theme)
      await on.getByRole("article", { name: "normal-1", exact: true }).getByText("Healthy").waitFor()
      await themed(on, theme)
      const picture = await on.screenshot()
      await writeFile(join(artefacts, `playground-${width}.png`), picture)
      if (pictures !== undefined && pictures !== "") {
        await mkdir(join(root, pictures), { recursive: true })
        const path = join(root, pictures, `playground-${width}.png`)
        await writeFile(path, picture)
        expect((await stat(path)).size).toBeLessThan(LIMITS.picture)
      }
      await on.close()
    }
  })
})
