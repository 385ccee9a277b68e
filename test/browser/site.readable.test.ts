/** The documentation site in a browser: people can read it, whatever they see it with, and search it. */
import type { RunOptions } from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { networks } from "../../src/data/Network.js"
import { isNight } from "../night.js"
import { isRunnable, launch } from "./chromium.js"
import { serveSite, siteFolder, violationsOf } from "./site.js"

const desktop = { width: 1440, height: 900 }
const tablet = { width: 1024, height: 768 }
const mobile = { width: 380, height: 740 }

/** Rules about colours, which are most of axe's work. The theme of the code blocks has its own for each of light and dark. */
const colours = ["color-contrast", "link-in-text-block"]

const withoutColours: RunOptions = {
  rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]))
}

/**
 * How a page is looked at. Its document is the same in the dark, so that only rules about colours can find something else there; on
 * smaller screens its colours are the same, so that these cannot. At night each page is looked at with all rules in all modes.
 */
const modes: ReadonlyArray<{
  readonly name: string
  readonly colorScheme: "light" | "dark"
  readonly viewport: typeof desktop
  readonly rules: RunOptions
}> = [
  { name: "light", colorScheme: "light", viewport: desktop, rules: {} },
  {
    name: "dark",
    colorScheme: "dark",
    viewport: desktop,
    rules: { runOnly: { type: "rule", values: colours } }
  },
  { name: "tablet", colorScheme: "light", viewport: tablet, rules: withoutColours },
  { name: "mobile", colorScheme: "light", viewport: mobile, rules: withoutColours },
  ...(isNight
    ? [tablet, mobile].map((viewport) => ({
        name: `dark, ${viewport.width} px`,
        colorScheme: "dark" as const,
        viewport,
        rules: {}
      }))
    : [])
]

/** The pairs of elements of a page's text that lie on each other, though neither has the other in itself. */
const overlapsOn = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    // the button that copies a program is above it on purpose
    const selector = "h1, h2, h3, p, li, pre, table, img, button:not(.copy), input, dl"
    /** What is seen of an element: what scrolls cuts it off. */
    const boxOf = (element: Element) => {
      let { bottom, left, right, top } = element.getBoundingClientRect()
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowY === "visible") continue
        const edge = outer.getBoundingClientRect()
        ;[top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)]
        ;[left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)]
      }
      return { bottom, left, right, top, width: right - left, height: bottom - top }
    }
    const found = Array.from(document.querySelectorAll(`#VPContent .vp-doc :is(${selector})`))
      .map((element) => ({ element, box: boxOf(element) }))
      // the radio buttons of tabs are there for keys and readers, and not seen
      .filter(
        ({ box, element }) => box.width > 0 && box.height > 0 && getComputedStyle(element).opacity !== "0"
      )
      .sort((one, other) => one.box.top - other.box.top)
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute("alt") || "").trim().slice(0, 40)}"`
    return found.flatMap((one, i) => {
      const pairs: Array<string> = []
      for (const other of found.slice(i + 1)) {
        if (other.box.top >= one.box.bottom - 1) break
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        if (other.box.left < one.box.right - 1 && one.box.left < other.box.right - 1)
          pairs.push(`${name(one.element)} and ${name(other.element)} overlap`)
      }
      return pairs
    })
  })

/**
 * What a layout has of its own is on every page of it: the first page, the table of networks, one with a live example, and one with tables
 * and much code.
 */
const layouts = ["/", `/networks${isNight ? "" : "?q=polygon"}`, "/start", "/signers"]

/** The pages: those of the docs, at night also the list of entries, and the page of one. */
const pages = isNight
  ? [...layouts, "/balancer", "/recipes", "/errors", "/api/", "/api/effect-chains/cache/"]
  : layouts

describe.runIf(isRunnable("the site in a browser"))("the site in a browser", () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveSite>>

  beforeAll(async () => {
    site = await serveSite(await siteFolder())
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  it.each(pages)("can be read by everybody: %s", async (path) => {
    const found: Array<string> = []
    const context = await browser.newContext({ viewport: desktop, reducedMotion: "reduce" })
    const page = await context.newPage()
    await page.goto(site.origin + path, { waitUntil: "networkidle" })
    for (const { colorScheme, name, rules, viewport } of modes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.setViewportSize(viewport)
      await page.waitForFunction(
        (is) => document.documentElement.classList.contains("dark") === is,
        colorScheme === "dark"
      )
      const problems = await violationsOf(page, isNight ? {} : rules)
      found.push(...problems.map((problem) => `${name}: ${problem}`))
      const { scrolled, wide } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        scrolled: document.documentElement.clientWidth
      }))
      if (wide > scrolled + 1) found.push(`${name}: ${wide} px wide`)
      found.push(...(await overlapsOn(page)).map((pair) => `${name}: ${pair}`))
    }
    expect(found).toEqual([])
    await context.close()
  })

  it("sees what lies on each other", async () => {
    const page = await browser.newPage({ viewport: desktop })
    await page.goto(site.origin, { waitUntil: "networkidle" })
    expect(await overlapsOn(page)).toEqual([])
    await page.addStyleTag({ content: ".landing-why { margin-right: -200px }" })
    expect((await overlapsOn(page)).join()).toContain('h1 "One SDK')
    await page.close()
  })

  it("finds networks by what their users know of them, and keeps the search in the url", async () => {
    const page = await browser.newPage({ viewport: mobile, reducedMotion: "reduce" })
    await page.goto(`${site.origin}/networks?q=matic%20testnet`, { waitUntil: "networkidle" })
    const box = page.getByLabel("Find a network")
    const ids = page.locator(".networks tbody th code")
    await page.getByText(/^1 of \d+ networks$/).waitFor()
    expect(await box.inputValue()).toBe("matic testnet")
    expect(await ids.allTextContents()).toEqual(["polygon-amoy"])
    await box.fill("137")
    await page.waitForURL(/\?q=137$/)
    expect(await ids.allTextContents()).toContain("polygon-mainnet")
    await box.fill("moonbeam-mainnet")
    await page.getByText(/^1 of/).waitFor()
    // the code by keys alone: behind the search comes the table, which can be scrolled, and then its first button
    for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key)
    const lines = page.locator(".network-lines dd")
    expect(await lines.allTextContents()).toEqual([
      'const sdk = await init({ network: "moonbeam-mainnet", rpc: { nodes: [{ url: "https://node.example" }] } })',
      'const sdk = yield* Sdk.make({ network: "moonbeam-mainnet", rpc: { nodes: [{ url: "https://node.example" }] } })',
      '<SdkProvider config={{ network: "moonbeam-mainnet", rpc: { nodes: [{ url: "https://node.example" }] } }}>'
    ])
    expect(await violationsOf(page)).toEqual([])
    await box.fill("")
    await page.waitForURL(/\/networks$/)
    expect(await ids.count()).toBe(Object.keys(networks).length)
    await page.close()
  })

  it("searches by its own window", async () => {
    const page = await browser.newPage()
    await page.goto(site.origin, { waitUntil: "networkidle" })
    await page.keyboard.press("Control+k")
    await page.locator("#localsearch-input").fill("webhook signature")
    const first = page.locator("#localsearch-list a").first()
    await first.waitFor()
    await first.click()
    await page.waitForURL(/\/webhooks/)
    // the url changes before the page
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    await page.close()
  })

  it("shows the chosen tab of the start page, with keys and without scripts too, and that of a link into one", async () => {
    const shownOn = (page: Page): Promise<ReadonlyArray<string>> =>
      page.locator(".tabs > section:visible h3").allTextContents()
    const first = /with promises$|for promises$/
    const sure = async (page: Page, what: RegExp): Promise<void> => {
      const shown = await shownOn(page)
      expect(shown.length).toBeGreaterThan(3)
      expect(shown.filter((title) => !what.test(title.replace(/[^\x20-\x7e]/g, "").trim()))).toEqual([])
    }
    const bare = await browser.newContext({ javaScriptEnabled: false })
    const plain = await bare.newPage()
    await plain.goto(`${site.origin}/start`)
    await sure(plain, first)
    await plain.getByText("With Effect", { exact: true }).first().click()
    await sure(plain, /(with|for) Effect$/)
    await bare.close()
    const page = await browser.newPage({ viewport: desktop, reducedMotion: "reduce" })
    await page.goto(`${site.origin}/start`, { waitUntil: "networkidle" })
    await sure(page, first)
    await page.getByRole("radio", { name: "With promises" }).focus()
    await page.keyboard.press("ArrowRight")
    await sure(page, /(with|for) Effect$/)
    await page.getByRole("navigation", { name: "On this page" }).getByText("Pay in React").click()
    await sure(page, /(in|for|beside) React$/)
    expect(new URL(page.url()).hash).toBe("#pay-in-react")
    await page.goto("about:blank")
    await page.goto(`${site.origin}/start#pay-with-effect`, { waitUntil: "networkidle" })
    await sure(page, /(with|for) Effect$/)
    expect(
      await page.locator("#pay-with-effect").evaluate((heading) => heading.getBoundingClientRect().top)
    ).toBeLessThan(desktop.height)
    await page.close()
  })
})
