/** The documentation site as it is built: its search answers what newcomers ask, its links lead somewhere, and people can read it. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import type { AxeResults } from "axe-core"
import MiniSearch from "minisearch"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { miniSearch } from "../../docs/.vitepress/search.js"
import { isRunnable, launch } from "./chromium.js"
import { questions } from "./questions.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = mkdtempSync(join(root, "node_modules", ".site-"))

/** The paths of the site's pages: `/`, `/errors`. */
const paths = (): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => `/${file.replaceAll("\\", "/").replace(/(^|\/)?index\.html$|\.html$/, "$1")}`)

const fileOf = (path: string): string =>
  join(folder, path.endsWith("/") ? `${path}index.html` : `${path}.html`)

beforeAll(async () => {
  const args = ["scripts/run.mjs", "scripts/docs.ts", "build", `--out=${folder}`, "--no-api"]
  await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 120_000 })
}, 130_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the site", () => {
  it("finds the right page among the first three for each question of a newcomer", async () => {
    const chunks = join(folder, "assets/chunks")
    const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndex")) ?? ""
    const { default: text }: { default: string } = await import(pathToFileURL(join(chunks, name)).href)
    // the fields that VitePress gives to MiniSearch, and the site's own options over them
    const index = MiniSearch.loadJSON(text, {
      fields: ["title", "titles", "text"],
      storeFields: ["title", "titles"],
      searchOptions: miniSearch.searchOptions,
      ...miniSearch.options
    })
    // a page that another change brings is asked for from then on
    const known = new Set(paths())
    const asked = questions.filter(({ pages }) => pages.some((page) => known.has(page)))
    expect(questions).toHaveLength(40)
    expect(asked.length).toBeGreaterThanOrEqual(39)
    const wrong = asked.flatMap(({ asked, pages, typed }) =>
      [asked, typed].flatMap((query) => {
        const first = index
          .search(query)
          .slice(0, 3)
          .map(({ id }) => String(id))
        return first.some((id) => pages.includes(id.replace(/#.*$/, ""))) ? [] : [{ query, first }]
      })
    )
    expect(wrong).toEqual([])
  })

  it("has no link to a page or a heading that is not there", () => {
    const htmls = new Map(paths().map((path) => [path, readFileSync(fileOf(path), "utf8")]))
    const links = [...htmls].flatMap(([from, html]) =>
      Array.from(html.matchAll(/<a [^>]*href="(\/[^"]*|#[^"]*)"/g), ([, href = ""]) => ({ from, href }))
    )
    expect(links.length).toBeGreaterThan(500)
    const dead = links.filter(({ from, href }) => {
      const [path = "", anchor] = href.split("#")
      const html = htmls.get(path === "" ? from : path)
      if (html === undefined) return !existsSync(join(folder, path))
      return anchor !== undefined && anchor !== "" && !html.includes(`id="${decodeURIComponent(anchor)}"`)
    })
    expect(dead).toEqual([])
  })

  it("tells programs what it has, in llms.txt", () => {
    const text = readFileSync(join(folder, "llms.txt"), "utf8")
    const lines = Array.from(text.matchAll(/^- \[.+\]\(\/(.+\.md)\): (.*)$/gm))
    expect(
      lines.filter(([, file = "", summary]) => summary === "" || !existsSync(join(folder, file)))
    ).toEqual([])
    expect(lines.map(([, file = ""]) => `/${file.replace(/(^|\/)index\.md$|\.md$/, "$1")}`).sort()).toEqual(
      [...paths()].sort()
    )
    expect(readFileSync(join(folder, "llms-full.txt"), "utf8")).toContain("## NoActiveNode")
  })
})

const modes = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  mobile: { colorScheme: "light", viewport: { width: 375, height: 740 } }
} as const

describe.runIf(isRunnable("the site in a browser"))("the site in a browser", () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
  let browser: Browser
  let server: Server
  let origin = ""

  beforeAll(async () => {
    const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" }
    server = createServer((request, response) => {
      const path = decodeURIComponent((request.url ?? "/").replace(/[?#].*$/, ""))
      const file = [join(folder, path), fileOf(path)].find((each) => /\.\w+$/.test(each) && existsSync(each))
      if (file === undefined) return response.writeHead(404).end()
      const type = Object.entries(types).find(([end]) => file.endsWith(`.${end}`))?.[1]
      response.writeHead(200, { "content-type": type ?? "application/octet-stream" }).end(readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("the server has no port")
    origin = `http://127.0.0.1:${address.port}`
    browser = await launch()
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it.each(["light", "dark", "mobile"] as const)(
    "can be read by everybody: %s",
    { timeout: 120_000 },
    async (mode) => {
      const context = await browser.newContext({ ...modes[mode], reducedMotion: "reduce" })
      const page = await context.newPage()
      const found: Array<string> = []
      for (const path of ["/", "/start-promise", "/balancer", "/recipes", "/errors", "/signers"]) {
        await page.goto(origin + path, { waitUntil: "networkidle" })
        await page.evaluate(axe)
        const { violations }: AxeResults = await page.evaluate("axe.run(document)")
        found.push(
          ...violations.map(
            ({ id, nodes }) =>
              `${path}: ${id} ${nodes
                .slice(0, 3)
                .map(({ html }) => html.slice(0, 160))
                .join(" ")}`
          )
        )
        const { scrolled, wide } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          scrolled: document.documentElement.clientWidth
        }))
        if (wide > scrolled + 1) found.push(`${path}: ${wide} px wide`)
      }
      expect(found).toEqual([])
      await context.close()
    }
  )

  it("searches by its own window", { timeout: 60_000 }, async () => {
    const page = await browser.newPage()
    await page.goto(origin, { waitUntil: "networkidle" })
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
