/**
 * The start pages, line by line, from an empty folder to a balance: their shell lines, the file that they have saved, the command that
 * they have run, and what they say that it prints or shows. All of it is read from the pages.
 *
 * One thing stands in for another: the packed tarball for the name of the package, where npm is asked to install it. npm's cache is what it
 * is, so a first run may wait for the registry; the sandbox installs its own packages each time, in a folder of this test. Whatever
 * warns fails.
 *
 * And `npm start` in a clone, with an empty cache of npm.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isRunnable, launch } from "../browser/chromium.js"
import { listBlocks, type Page, pages, readPage } from "../pages.js"
import { packed, terminal } from "./terminal.js"

const root = join(import.meta.dirname, "../..")
const compiler = `${process.execPath} ${join(root, "node_modules/ts7/bin/tsc")}`
const strictly =
  "--noEmit --strict --target es2022 --lib es2023,dom,dom.iterable,esnext.disposable --module nodenext --types '' --allowJs --checkJs"

/** What a start page has its reader do. */
const guideOf = (path: string) => {
  const { text } = readPage(path)
  const found = (what: RegExp): string => {
    const [, text_] = what.exec(text) ?? []
    if (text_ === undefined) throw new Error(`${path} has nothing like ${what}`)
    return text_
  }
  const lines = found(/^```sh\n([\s\S]*?)^```$/m)
    .trim()
    .split("\n")
  const [first] = listBlocks({ path, text })
  return {
    install: lines.slice(0, -1),
    sandbox: lines.at(-1) ?? "",
    file: found(/^(?:Save this as|Replace) `([^`]+)`/m),
    command: found(/\brun `([^`]+)` in a second terminal/),
    code: first?.code ?? "",
    says: found(/^It (?:prints|shows) `([^`]+)`/m)
  }
}

/** What a page has installed into a project, in its blocks and in its sentences, without the start pages, which are followed below. */
const linesOf = ({ path, text }: Page): ReadonlyArray<string> =>
  path.startsWith("docs/start-")
    ? []
    : Array.from(text.matchAll(/(?:^|`)(npm (?:i|install) (?:[^`\\\n]|\\\n)+)/gm), ([, line = ""]) => line)
        .map((line) => line.replace(/\\\n\s*/g, "").trim())
        .filter((line) => !line.includes("--global"))

describe("the install lines of the pages", () => {
  const [readme = []] = pages.filter(({ path }) => path === "README.md").map(linesOf)
  /** Those of README are for one project each, those of another page one after the other. */
  const projects = [
    ...readme.map((line) => ({ name: "README.md", lines: [line] })),
    ...pages
      .filter(({ path }) => path !== "README.md")
      .map((shown) => ({ name: shown.path, lines: linesOf(shown) }))
      .filter(({ lines }) => lines.length > 0)
  ]

  it("are two of README, and those of what needs more", () => {
    expect(readme).toHaveLength(2)
    expect(projects.length).toBeGreaterThan(8)
  })

  it.each(projects)("$name: $lines.0", async ({ lines }) => {
    const home = mkdtempSync(join(tmpdir(), "effect-chains-start-"))
    const isWhole = / effect-chains( |$)/.test(lines[0] ?? "")
    try {
      const { run } = terminal(home)
      await run("npm init -y")
      for (const line of isWhole ? lines : [...readme.slice(0, 1), ...lines])
        expect(await run(packed(line))).toMatch(/^(added|changed|removed) \d+ package|^up to date/m)
    } finally {
      rmSync(home, { recursive: true })
    }
  })
})

describe("npm start in a clone", () => {
  const home = mkdtempSync(join(tmpdir(), "effect-chains-start-"))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const installing = "Installing the tour's packages from npm"

  it("installs at most 150 MB, and nothing when it runs again", async () => {
    const { run } = terminal(home)
    await run(`git clone -q "${root}" clone`, "cd clone")
    const start = `npm_config_cache="${join(home, "npm")}" npm start`
    const begun = performance.now()
    const first = await run(start)
    console.log(`npm start: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    expect(first).toContain(installing)
    expect(first).toContain("Everything worked.")
    const [megabytes] = (await run("du -sm node_modules")).split("\t")
    expect(Number(megabytes)).toBeLessThanOrEqual(150)
    const second = await run(start)
    expect(second).not.toContain("Installing")
    expect(second).toContain("Everything worked.")
    expect(await run("git status --short")).toBe("")
  })
})

const browsers = isRunnable("the start pages of React")

describe("from an empty folder to a balance in two minutes", () => {
  let home = ""
  let browser: Browser | undefined
  beforeAll(async () => {
    if (browsers) browser = await launch()
  })
  afterAll(() => browser?.close())
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "effect-chains-start-"))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  type Guide = ReturnType<typeof guideOf>
  type Terminal = ReturnType<typeof terminal>

  /** Follows a page until its balance is seen. */
  const follow = async (name: string, see: (guide: Guide, second: Terminal) => Promise<void>) => {
    const guide = guideOf(`docs/start-${name}.md`)
    const reader = terminal(home)
    const begun = performance.now()
    await reader.run(...guide.install.map(packed))
    await using sandbox = await reader.start(guide.sandbox, /init\(.*\)/)
    writeFileSync(reader.at(guide.file), guide.code)
    await see(guide, reader)
    const seconds = (performance.now() - begun) / 1000
    console.log(`start-${name}: ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(120)
    sandbox.output()
    return reader
  }

  it.each(["promise", "effect"])("start-%s", async (name) => {
    const { run } = await follow(name, async ({ command, says }, second) => {
      expect(await second.run(command)).toBe(says)
    })
    await run(`${compiler} ${strictly} ${guideOf(`docs/start-${name}.md`).file}`)
  })

  it.runIf(browsers).each(["react", "query"])("start-%s", async (name) => {
    const warned: Array<string> = []
    const { run } = await follow(name, async ({ command, says }, second) => {
      await using server = await second.start(command, /Local:\s+\S+/)
      const [, url = ""] = /Local:\s+(\S+)/.exec(server.output()) ?? []
      const shown = await browser?.newPage()
      shown?.on("console", (line) => {
        if (["warning", "error"].includes(line.type())) warned.push(line.text())
      })
      shown?.on("pageerror", (error) => warned.push(String(error)))
      await shown?.goto(url)
      if (name === "react") {
        // blocks come by the clock there: the height is another one, and then the next
        const balance = shown?.getByText(new RegExp(`^${says.replace(/\d+$/, "\\d+")}$`))
        const first = (await balance?.textContent()) ?? ""
        await shown?.getByText(first.replace(/\d+$/, (height) => String(Number(height) + 1))).waitFor()
      } else await shown?.getByText(says, { exact: true }).waitFor()
      await shown?.close()
    })
    expect(warned).toEqual([])
    await run("npm run build", "npx tsc -p tsconfig.app.json --noEmit --skipLibCheck false")
  })
})
