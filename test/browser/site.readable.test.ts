/** The documentation site in a browser: people can read it, whatever they see it with, and search it. */
import type { RunOptions } from "axe-core"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isRunnable, launch } from "./chromium.js"
import { serveSite, siteFolder, violationsOf } from "./site.js"

const desktop = { width: 1280, height: 800 }
const mobile = { width: 375, height: 740 }

/** Rules about colours, which are most of axe's work. The theme of the code blocks has its own for each of light and dark. */
const colours = ["color-contrast", "link-in-text-block"]

/**
 * How a page is looked at. Its document is the same in the dark, so that only rules about colours can find something else there; on a
 * small screen its colours are the same, so that these cannot. What a layout has of its own is on every page: one page for each layout is
 * looked at with all rules in all modes. `SITE_RULES=all` does so with all pages.
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

/** The pages: those of the docs, the list of entries, and the page of one. The first of each layout is looked at with all rules. */
const pages = [
  { path: "/", all: true },
  { path: "/start-promise", all: true },
  { path: "/balancer", all: false },
  { path: "/recipes", all: false },
  { path: "/errors", all: false },
  { path: "/signers", all: false },
  { path: "/api/", all: false },
  { path: "/api/effect-chains/cache/", all: true }
].map((page) => (process.env.SITE_RULES === "all" ? { ...page, all: true } : page))

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

  it.each(pages)("can be read by everybody: $path", async ({ all, path }) => {
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
      const problems = await violationsOf(page, all ? {} : rules)
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
})
