/** The playground on a network that no table has: its build on a sandbox that runs it, in Chromium. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, Locator, Page } from "playwright-core"
import { createPublicClient, http, parseEther } from "viem"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { servePlayground } from "../../scripts/playgroundServer.js"
import { defineNetwork } from "../../src/define.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import type { SandboxService } from "../../src/sandbox/Sandbox.js"
import { complaintOf, isRunnable, launch } from "./chromium.js"

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
const runnable = isRunnable(
  "the playground on a network of one's own",
  anvil._tag === "Left" ? ["no anvil binary"] : []
)

const root = fileURLToPath(new URL("../../", import.meta.url))

const network = defineNetwork({
  id: "playground-own",
  family: "evm",
  chainId: 990_502,
  currency: { symbol: "OWN", decimals: 18 },
  explorers: [{ name: "Own", url: "https://explorer.example" }]
})

describe.runIf(runnable)("the playground on a network of one's own", () => {
  const scope = Effect.runSync(Scope.make())
  const problems: Array<string> = []
  const soon = { interval: 100 }
  let browser: Browser
  let page: Page
  let sandbox: SandboxService
  let origin = ""

  const panel = (title: string): Locator => page.getByRole("region", { name: title, exact: true })
  const row = (account: number): Locator =>
    panel("Balances")
      .getByRole("listitem")
      .filter({ hasText: `Account ${account}` })
  const go = async (view: string, title: string): Promise<void> => {
    await page.evaluate((hash) => {
      location.hash = hash
    }, `#/${view}`)
    await page.getByRole("heading", { level: 1, name: title }).waitFor()
  }

  beforeAll(async () => {
    const folder = join(root, "node_modules", ".cache", "effect-chains", "playground-own-test")
    const served = await Effect.runPromise(
      Scope.extend(servePlayground({ root, build: true, nodes: 1, networks: [network], folder }), scope)
    )
    origin = served.url
    sandbox = served.sandbox
    browser = await launch()
    const context = await browser.newContext()
    // nothing but loopback: a link is followed by nobody here
    await context.route("**/*", (route) => {
      const { hostname, protocol } = new URL(route.request().url())
      if (hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:") return route.continue()
      problems.push(`the page asks for ${route.request().url()}`)
      return route.abort()
    })
    page = await context.newPage()
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (line) => {
      const complaint = complaintOf(line)
      if (complaint !== undefined) problems.push(complaint)
    })
    await page.goto(`${origin}/?network=${network.id}#/`)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  afterEach(() => {
    expect(problems.splice(0)).toEqual([])
  })

  it("has its nodes, and balances by them, in its coin", async () => {
    await page.getByRole("button", { name: network.id }).waitFor()
    await expect.poll(() => page.getByRole("article").count(), soon).toBe(2)
    await page.getByRole("article").first().getByText("Healthy").waitFor()
    await expect.poll(() => row(1).locator(".amount").textContent(), soon).toBe("10,000 OWN")
  })

  it("links addresses to the explorer of the definition", async () => {
    const [account] = sandbox.accounts
    const link = row(1).getByRole("link")
    await link.waitFor()
    expect(await link.getAttribute("href")).toBe(`https://explorer.example/address/${account?.address}`)
    expect(await link.getAttribute("rel")).toBe("noreferrer")
  })

  it("shows a payment, and the code that defines the network", async () => {
    const drive = panel("Make something happen")
    await drive.getByLabel("Amount in OWN").fill("2.5")
    await drive.getByRole("button", { name: "Send" }).click()
    await expect.poll(() => row(2).locator(".amount").textContent(), soon).toBe("10,002.5 OWN")
    const [url = ""] = sandbox.network(network.id).urls
    const chain = createPublicClient({ transport: http(url) })
    const address = sandbox.accounts[1]?.address ?? "0x"
    expect(await chain.getBalance({ address })).toBe(parseEther("10002.5"))
    await panel("Balances").getByRole("button", { name: "Show the code: Balances" }).click()
    const code = panel("Balances").locator("code")
    await code.waitFor()
    expect(await code.textContent()).toContain("const network = defineNetwork({")
  })

  it("lists the methods of its nodes in the console, and says what the provider lacks", async () => {
    await go("console", "RPC console")
    await page
      .getByText("rpc.chainId", { exact: true })
      .or(page.getByText("chainId", { exact: true }))
      .first()
      .waitFor()
    await go("chain", "Chain data")
    await panel("Transactions").getByText("Histories are not to be had here").waitFor()
    await panel("Fees").getByText("No estimates here").waitFor()
  })

  it("is in the list of networks before those of the table, and leads back from them", async () => {
    await go("", "Overview")
    await page.getByRole("button", { name: network.id }).click()
    const options = page.locator("[data-network]")
    await options.first().waitFor()
    expect(await options.first().getAttribute("data-network")).toBe(network.id)
    await page.locator('[data-network="ethereum-mainnet"]').click()
    await expect.poll(() => row(1).locator(".amount").textContent(), soon).toMatch(/ ETH$/)
    // the sandbox's own Ethereum is on no explorer
    expect(await panel("Balances").getByRole("link").count()).toBe(0)
    await page.goto(`${origin}/?network=${network.id}#/`)
    await expect.poll(() => row(1).locator(".amount").textContent(), soon).toMatch(/ OWN$/)
  })
})
