/**
 * The documentation site as it is built: its search answers what newcomers ask, its links lead somewhere, people can read it, and run its
 * examples; those also where it is served over a sandbox.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import type { AxeResults } from "axe-core"
import * as Effect from "effect/Effect"
import MiniSearch from "minisearch"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { livePrograms } from "../../docs/.vitepress/markdown.js"
import { miniSearch } from "../../docs/.vitepress/search.js"
import { entries } from "../../scripts/sources.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { pages } from "../pages.js"
import { isRunnable, launch } from "./chromium.js"
import { questions } from "./questions.js"
import { plain, publicSurface, sentencesOf } from "./surface.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = mkdtempSync(join(root, "node_modules", ".site-"))

/** The paths of the site's pages: `/`, `/errors`. */
const paths = (): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && file !== "404.html")
    .map((file) => `/${file.replaceAll("\\", "/").replace(/(^|\/)?index\.html$|\.html$/, "$1")}`)

const fileOf = (path: string): string =>
  join(folder, path.endsWith("/") ? `${path}index.html` : `${path}.html`)

const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
const hasAnvil = anvil._tag === "Right"

beforeAll(async () => {
  const live = hasAnvil ? [] : ["--no-live"]
  const args = ["scripts/run.mjs", "scripts/docs.ts", "build", `--out=${folder}`, ...live]
  await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 290_000 })
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The site's search, as VitePress makes it: its fields for MiniSearch, and the site's own options over them. */
const searchIndex = async (): Promise<MiniSearch> => {
  const chunks = join(folder, "assets/chunks")
  const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndex")) ?? ""
  const { default: text }: { default: string } = await import(pathToFileURL(join(chunks, name)).href)
  return MiniSearch.loadJSON(text, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: miniSearch.searchOptions,
    ...miniSearch.options
  })
}

describe("the site", () => {
  it("finds the right page among the first three for each question of a newcomer", async () => {
    const index = await searchIndex()
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

  it("has a page for every error, to which links of other pages lead", () => {
    const names = readdirSync(join(root, "docs/errors")).map((file) => file.slice(0, -".md".length))
    expect(names.length).toBeGreaterThan(50)
    const html = (path: string) => readFileSync(fileOf(path), "utf8")
    for (const name of names) {
      expect(html(`/errors/${name}`)).toContain("What to do:")
      expect(html("/errors")).toContain(`href="/errors/${name}"`)
    }
    expect(html("/errors")).not.toContain("What to do:")
    expect(html("/balancer")).toContain('href="/errors/blocknotreached"')
  })

  it("tells programs what it has, in llms.txt", () => {
    const text = readFileSync(join(folder, "llms.txt"), "utf8")
    const lines = Array.from(text.matchAll(/^- \[.+\]\(\/(.+\.md)\): (.*)$/gm))
    expect(
      lines.filter(([, file = "", summary]) => summary === "" || !existsSync(join(folder, file)))
    ).toEqual([])
    const others = paths().filter((path) => path === "/api/" || !path.startsWith("/api/"))
    expect(lines.map(([, file = ""]) => `/${file.replace(/(^|\/)index\.md$|\.md$/, "$1")}`).sort()).toEqual(
      others.sort()
    )
    expect(readFileSync(join(folder, "llms-full.txt"), "utf8")).toContain("## NoActiveNode")
  })
})

/** The text of HTML. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")

describe("the pages of exports", () => {
  const surface = publicSurface()

  /** The parts of a page under the names of exports: the heading of the category, and what stands under the name. */
  const exportsOn = (
    path: string
  ): ReadonlyMap<string, { readonly category: string; readonly html: string }> => {
    const html = readFileSync(fileOf(`/api/${path}`), "utf8")
    const found = new Map<string, { readonly category: string; readonly html: string }>()
    let category = ""
    for (const part of html.split(/(?=<h[23] id=)/)) {
      const [, level, title = ""] = /^<h([23]) id="[^"]*"[^>]*>(.*?)<a class="header-anchor"/.exec(part) ?? []
      const name = textOf(title)
        .replace(/[^\x20-\x7e]/g, "")
        .trim()
        .replace(/\(\)$|<.*$/g, "")
      if (level === "2") category = name
      // a type and a constant may share a name
      if (level === "3") found.set(name, { category, html: `${found.get(name)?.html ?? ""}${part}` })
    }
    return found
  }

  it("have every export of every entry: its first sentence, its signature and version, or the page with these", () => {
    expect(new Set(surface.map(({ of }) => of.replace(/namespaces\/.*/, ""))).size).toBe(
      Object.keys(entries).length
    )
    expect(surface.length).toBeGreaterThan(5_000)
    const sentences = new Map<string, ReadonlyMap<string, string>>()
    const pagesOfExports = new Map(
      Array.from(new Set(surface.map(({ of }) => of)), (of) => [of, exportsOn(of)])
    )
    const lacking = surface.flatMap(({ declared, file, name, of }) => {
      const found = pagesOfExports.get(of)?.get(name)
      if (found === undefined) return [`${of}: no ${name}`]
      const known = sentences.get(file) ?? sentencesOf(file)
      sentences.set(file, known)
      const sentence = known.get(declared) ?? ""
      const text = plain(textOf(found.html))
      if (sentence === "" || !text.includes(sentence))
        return [`${of}: ${name} without "${sentence}" (${file})`]
      if (/[Rr]e-exports <a href="[^"]+"/.test(found.html)) return []
      return [
        ...(/<(blockquote|table|pre)/.test(found.html) ? [] : [`${of}: ${name} without a signature`]),
        ...(/Since \d+\.\d+\.\d+/.test(text) ? [] : [`${of}: ${name} without a version`]),
        ...(/^[a-z]+$/.test(found.category) ? [] : [`${of}: ${name} in ${found.category}`])
      ]
    })
    expect(lacking).toEqual([])
  })

  it("are found by the names of exports, on the list that the search shows", async () => {
    const index = await searchIndex()
    // words of the language are found on the other pages first
    const named = new Set(surface.map(({ name }) => name).filter((name) => /[a-z][A-Z]/.test(name)))
    const names = [...named].filter((_, at) => at % 10 === 0)
    expect(names.length).toBeGreaterThan(100)
    const hidden = names.filter(
      (name) =>
        !index
          .search(name)
          .slice(0, 16)
          .some(({ id, title }) => String(id).startsWith("/api/") && plain(String(title)).startsWith(name))
    )
    expect(hidden).toEqual([])
  })
})

const modes = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  mobile: { colorScheme: "light", viewport: { width: 375, height: 740 } }
} as const

/** The list of entries, and the page of one. */
const apiPaths = ["/api/", "/api/effect-chains/cache/"]

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
let browser: Browser

/** The problems that axe finds on a page as it is now. */
const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const { violations }: AxeResults = await page.evaluate("axe.run(document)")
  return violations.map(
    ({ id, nodes }) =>
      `${id} ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(" ")}`
  )
}

/** Serves the folder as hosts of static files do. */
const serveFolder = async (): Promise<{ readonly server: Server; readonly origin: string }> => {
  const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").replace(/[?#].*$/, ""))
    const file = [join(folder, path), fileOf(path)].find((each) => /\.\w+$/.test(each) && existsSync(each))
    if (file === undefined) return response.writeHead(404).end()
    const type = Object.entries(types).find(([end]) => file.endsWith(`.${end}`))?.[1]
    response.writeHead(200, { "content-type": type ?? "application/octet-stream" }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return { server, origin: `http://127.0.0.1:${address.port}` }
}

describe.runIf(isRunnable("the site in a browser"))("the site in a browser", () => {
  let server: Server
  let origin = ""

  beforeAll(async () => {
    ;({ origin, server } = await serveFolder())
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
      for (const path of [
        "/",
        "/start-promise",
        "/balancer",
        "/recipes",
        "/errors",
        "/signers",
        ...apiPaths
      ]) {
        await page.goto(origin + path, { waitUntil: "networkidle" })
        found.push(...(await violationsOf(page)).map((problem) => `${path}: ${problem}`))
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

/** The pages with programs that can be run, and how many of these they have. */
const livePages = pages
  .map(({ path, text }) => ({
    path: path.replace(/^docs(.*)\.md$/, "$1"),
    count: livePrograms(text).length
  }))
  .filter(({ count }) => count > 0)

/** A live example of a page. */
const exampleOn = (page: Page, at = 0) => {
  const bar = page.getByRole("group", { name: "Live example" }).nth(at)
  const output = page.getByRole("log", { name: "Output" }).nth(at)
  return {
    button: (name: string) => bar.getByRole("button", { name, exact: true }),
    program: page.getByRole("textbox", { name: "The example’s program" }),
    output,
    /** Its output, and what is said of its end. */
    ended: async () => {
      await bar.getByText(/^(Done|Failed|Stopped)/).waitFor()
      const errors = await output.locator(".live-error").allTextContents()
      const lines = await output.locator("div").allTextContents()
      return { said: await bar.getByRole("status").textContent(), text: lines.join("\n"), errors }
    }
  }
}

/** The site over a sandbox, as `npm run docs` serves it: a process that has said where it is. */
const serveDocs = async (): Promise<{
  readonly child: ChildProcess
  readonly origin: string
  readonly nodes: ReadonlyArray<string>
}> => {
  const args = ["scripts/run.mjs", "scripts/docs.ts", "serve", "--no-api"]
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NO_COLOR: "1" } })
  let said = ""
  const origin = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += String(chunk)
      const [, url] = /Local: +(http:\S+)\/\s/.exec(said) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.on("exit", () => reject(new Error(`the site was not served: ${said}`)))
  })
  return { child, origin, nodes: Array.from(said.matchAll(/listens at (\S+)/g), ([, url = ""]) => url) }
}

const runnable = isRunnable("live examples in a browser", hasAnvil ? [] : ["no anvil binary"])

describe.runIf(runnable)("live examples", { timeout: 120_000 }, () => {
  let server: Server
  let origin = ""
  let served: Awaited<ReturnType<typeof serveDocs>>

  beforeAll(async () => {
    ;({ origin, server } = await serveFolder())
    browser = await launch()
    served = await serveDocs()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
    served?.child.kill("SIGKILL")
  })

  const opened = async (at: string, options: Parameters<Browser["newPage"]>[0] = {}) => {
    const page = await browser.newPage(options)
    page.setDefaultTimeout(60_000)
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(at, { waitUntil: "networkidle" })
    return { page, asked, [Symbol.asyncDispose]: () => page.close() }
  }

  it.each([
    ["recorded answers", () => origin, /^Done, answers recorded on the sandbox$/],
    ["a sandbox", () => served.origin, /^Done, from the sandbox at http:\/\/127\.0\.0\.1:\d+$/]
  ] as const)("run as they stand: on %s", async (_, site, said) => {
    expect(livePages.map(({ path }) => path).sort()).toEqual(["/balancer", "/recipes", "/start-promise"])
    for (const { count, path } of livePages) {
      await using opening = await opened(site() + path)
      const { page } = opening
      expect(await page.getByRole("group", { name: "Live example" }).count()).toBe(count)
      for (let at = 0; at < count; at++) {
        const example = exampleOn(page, at)
        await example.button("Run").click()
        const ended = await example.ended()
        expect({ path, at, ...ended }).toMatchObject({
          said: expect.stringMatching(said),
          errors: [],
          text: expect.stringMatching(/\S/)
        })
        // what the page says that it prints
        if (path === "/start-promise") expect(ended.text).toBe("10000000000000000000000 wei")
      }
    }
  })

  it("print what an edit makes of them, and what is not recorded only over a sandbox", async () => {
    const program = [
      'import { init } from "effect-chains/promise"',
      'const sdk = await init({ network: "ethereum-mainnet" })',
      'const ether = (wei: bigint): string => String(wei / 10n ** 18n) + " ETH"',
      'const balance = await sdk.rpc.getBalance("ADDRESS")',
      "console.log(balance.data === undefined ? balance.error.message : ether(balance.data), { big: 2n ** 64n })",
      "await sdk.destroy()"
    ].join("\n")
    const [known, unknown] = [
      "f39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      "70997970C51812dc3A010C7d01b50e0d17dc79C8"
    ]
    const printed = async (site: string, address = "") => {
      await using opening = await opened(`${site}/start-promise`)
      const example = exampleOn(opening.page)
      await example.button("Edit").click()
      await example.program.fill(program.replace("ADDRESS", `0x${address}`))
      await example.button("Run").click()
      return await example.ended()
    }
    const changed = "10000 ETH { big: 18446744073709551616n }"
    expect(await printed(origin, known)).toMatchObject({ text: changed, errors: [] })
    expect(await printed(served.origin, unknown)).toMatchObject({ text: changed, errors: [] })
    const { errors } = await printed(origin, unknown)
    expect(errors.join("\n")).toMatch(
      /^Not recorded: ethereum-mainnet eth_getBalance .*70997970[\s\S]*`npm run docs`/
    )
  })

  it("show errors in full, and can be stopped and put back", async () => {
    await using opening = await opened(`${origin}/start-promise`)
    const example = exampleOn(opening.page)
    await example.button("Edit").click()
    const original = await example.program.inputValue()
    const errorsOf = async (program: string): Promise<string> => {
      await example.program.fill(program)
      await example.button("Run").click()
      const { errors, said } = await example.ended()
      expect(said).toMatch(/^Failed/)
      return errors.join("\n")
    }
    expect(await errorsOf('throw new TypeError("no luck", { cause: new Error("none at all") })')).toBe(
      "TypeError: no luck\nCaused by Error: none at all"
    )
    expect(await errorsOf("const a = = 1")).toMatch(/SyntaxError.*\(1:\d+\)/)
    expect(await errorsOf('import { x } from "nothing"; x()')).toContain('"nothing" cannot be imported here')
    expect(
      await errorsOf(
        'import { init } from "effect-chains/promise"\nawait init({ network: "ethereum-mainet" as "ethereum-mainnet" })'
      )
    ).toMatch(/UnsupportedNetwork: .*ethereum-mainnet[\s\S]*errors\/unsupportednetwork\.md/)
    await example.program.fill("console.log(1); for (;;);")
    await example.button("Run").click()
    await example.output.getByText("1").waitFor()
    await example.button("Stop").click()
    expect(await example.ended()).toMatchObject({ said: "Stopped", text: "1" })
    await example.button("Reset").click()
    await example.button("Edit").click()
    expect(await example.program.inputValue()).toBe(original)
  })

  it("can be used by everybody, with keys alone", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opening = await opened(`${origin}/start-promise`, { colorScheme, reducedMotion: "reduce" })
      const { page } = opening
      const example = exampleOn(page)
      await example.button("Run").focus()
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Control+A")
      await page.keyboard.type('console.log("typed"); throw new Error("thrown")')
      await page.keyboard.press("Control+Enter")
      expect(await example.ended()).toMatchObject({ text: "typed\nError: thrown" })
      // the editor keeps nobody in: after it come its buttons and the output
      const focused: Array<string> = []
      for (let i = 0; i < 3; i++) {
        await page.keyboard.press("Tab")
        focused.push(
          await page.evaluate(() => {
            const { activeElement } = document
            return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? ""
          })
        )
      }
      expect(focused).toEqual(["Run", "Reset", "Output"])
      expect(await violationsOf(page)).toEqual([])
    }
  })

  it("cost pages without them nothing, and those that have some no compiler before one is run", async () => {
    /** Whether a page has loaded the component, and whether it has loaded what runs programs. */
    const loaded = async (asked: ReadonlyArray<string>) => {
      const texts = await Promise.all(
        asked.filter((url) => /\.(js|css|html)$/.test(url)).map(async (url) => (await fetch(url)).text())
      )
      const has = (mark: string): boolean => texts.some((text) => text.includes(mark))
      return {
        component: has("live-bar"),
        compiler: has("isolatedDeclarations") || has("cannot be imported here")
      }
    }
    const nothing = { component: false, compiler: false }
    await using errors = await opened(`${origin}/errors`)
    expect(await loaded(errors.asked)).toEqual(nothing)
    expect(readFileSync(join(folder, "errors.html"), "utf8")).not.toMatch(/live/i)
    await using start = await opened(`${origin}/start-promise`)
    expect(await loaded(start.asked)).toEqual({ component: true, compiler: false })
    await exampleOn(start.page).button("Run").click()
    await exampleOn(start.page).ended()
    expect(await loaded(start.asked)).toEqual({ component: true, compiler: true })
  })

  it("end with the server: so does its sandbox", async () => {
    expect(served.nodes.length).toBeGreaterThan(0)
    await Promise.all(served.nodes.map((url) => fetch(url, { method: "POST" })))
    served.child.kill("SIGINT")
    await once(served.child, "exit")
    const alive = await Promise.all(
      [served.origin, ...served.nodes].map((url) =>
        fetch(url).then(
          () => [url],
          () => []
        )
      )
    )
    expect(alive.flat()).toEqual([])
  })
})
