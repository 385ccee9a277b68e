/** The documentation site in a browser: people can read it, whatever they see it with, and search it. */
import type { RunOptions } from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isRunnable, launch } from "./chromium.js"
import { isWhole } from "./launch.js"
import { serveSite, siteFolder, violationsOf } from "./site.js"

const desktop = { width: 1280, height: 800 }
const mobile = { width: 375, height: 740 }

/** Rules about colours, which are most of axe's work. The theme of the code blocks has its own for each of light and dark. */
const colours = ["color-contrast", "link-in-text-block"]

/**
 * How a page is looked at. Its document is the same in the dark, so that only rules about colours can find something else there; on a
 * small screen its colours are the same, so that these cannot. At night each page is looked at with all rules in all modes.
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
  {
    name: "mobile",
    colorScheme: "light",
    viewport: mobile,
    rules: { rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) }
  }
]

/** What a layout has of its own is on every page of it: the first page, one with a live example, and one with tables and much code. */
const layouts = ["/", "/start", "/signers"]

/** The pages: those of the docs, at night also the list of entries, and the page of one. */
const pages = isWhole
  ? [...layouts, "/balancer", "/recipes", "/errors", "/api/", "/api/effect-chains/cache/"]
  : layouts

describe.runIf(isRunnable("the site in a browser"))("the site in a browser", () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveSite>>

  beforeAll(async () => {
    site = await serveSite(await siteFolder())
    browser = await launch()
  }, 600_000)

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
      const problems = await violationsOf(page, isWhole ? {} : rules)
      found.push(...problems.map((problem) => `${name}: ${problem}`))
      const { scrolled, wide } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        scrolled: document.documentElement.clientWidth
      }))
      if (wide > scrolled + 1) found.push(`${name}: ${wide} px wide`)
    }
    expect(found).toEqual([])
    await context.close()
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
    expect(await page.locator("h1").first().textContent()).toContain("Webhooks")
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
