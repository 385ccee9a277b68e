/**
 * The start page, line by line, from an empty folder to a balance, a payment and a webhook: its shell lines, the files that it has saved,
 * the commands that it has run, and what it says that they print or show. All of it is read from the page.
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
import { listSteps, type Page, pages, type Step } from "../pages.js"
import { packed, terminal } from "./terminal.js"

const root = join(import.meta.dirname, "../..")
const compiler = `${process.execPath} ${join(root, "node_modules/ts7/bin/tsc")}`
const strictly =
  "--noEmit --strict --target es2022 --lib es2023,dom,dom.iterable,esnext.disposable --module nodenext --types '' --allowJs --checkJs"

/** What a page has installed into a project, in its blocks and in its sentences, without the start page, which is followed below. */
const linesOf = ({ path, text }: Page): ReadonlyArray<string> =>
  path === "docs/start.md"
    ? []
    : Array.from(text.matchAll(/(?:^|`)(npm (?:i|install) (?:[^`\\\n]|\\\n)+)/gm), ([, line = ""]) => line)
        .map((line) => line.replace(/\\\n\s*/g, "").trim())
        .filter((line) => !line.includes("--global"))

describe("the install lines of the pages", () => {
  const [readme = []] = pages.filter(({ path }) => path === "README.md").map(linesOf)
  /** Those of README are for one project each, those of another page one after the other, for each version of Effect. */
  const projects = [
    ...readme.map((line) => ({ name: "README.md", lines: [line] })),
    ...pages
      .filter(({ path }) => path !== "README.md")
      .flatMap((shown) =>
        [false, true].map((isOf4) => ({
          name: shown.path,
          lines: linesOf(shown).filter((line) => / effect@4\b/.test(line) === isOf4)
        }))
      )
      .filter(({ lines }) => lines.length > 0)
  ]

  it("are three of README, one of them for Effect 4, and those of what needs more", () => {
    expect(readme).toHaveLength(3)
    expect(projects.filter(({ lines }) => lines[0]?.includes(" effect@4")).length).toBeGreaterThan(2)
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

const browsers = isRunnable("the start page for React")

/** What a page says that is printed or shown: hashes are anything, and so are heights. */
const pattern = (said = "nothing is said"): RegExp =>
  new RegExp(
    `^${said
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replace("…", "[0-9a-f]+")
      .replace(/(?<=block )\d+$/, "\\d+")}$`,
    "m"
  )

describe("from an empty folder to a balance in two minutes, and then to a payment and a webhook", () => {
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

  type Terminal = ReturnType<typeof terminal>

  /** What Vite says of a page with React and Effect, by its bytes before gzip. */
  const ofVite = [
    "[plugin builtin:vite-reporter]",
    "(!) Some chunks are larger than 500 kB after minification. Consider:",
    "- Using dynamic import() to code-split the application",
    "- Use build.rolldownOptions.output.codeSplitting to improve chunking: https://rolldown.rs/reference/OutputOptions.codeSplitting",
    "- Adjust chunk size limit for this warning via build.chunkSizeWarningLimit."
  ]

  /** Follows the first steps of a part, until its balance is seen. */
  const begin = async (
    part: string,
    install: Step,
    balance: Step,
    see: (reader: Terminal) => Promise<void>
  ) => {
    const reader = terminal(home, part === "In React" ? ofVite : [])
    const begun = performance.now()
    await reader.run(...install.shell.slice(0, -1).map(packed))
    const sandbox = await reader.start(install.shell.at(-1) ?? "", /init\(.*\)/)
    writeFileSync(reader.at(balance.file), balance.code)
    await see(reader)
    const seconds = (performance.now() - begun) / 1000
    console.log(`start, ${part}: ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(120)
    return { reader, sandbox }
  }

  /** Has a server of webhooks wait, pays, and expects what the page says that the server prints. */
  const receive = async (reader: Terminal, { commands, says }: Step, pay: () => Promise<unknown>) => {
    const [waiting, received] = says
    await using server = await reader.start(commands[0] ?? "", pattern(waiting))
    await pay()
    await server.ended
    expect(server.output()).toMatch(pattern(received))
  }

  it.each(["With promises", "With Effect"])("%s", async (part) => {
    const [install, balance, payment, webhook] = listSteps(part)
    if (install === undefined || balance === undefined || payment === undefined || webhook === undefined)
      throw new Error(`the start page has too few steps ${part}`)
    const { reader, sandbox } = await begin(part, install, balance, async ({ run }) => {
      expect(await run(balance.commands[0] ?? "")).toBe(balance.says[0])
    })
    await using _ = sandbox
    await reader.run(...payment.shell)
    writeFileSync(reader.at(payment.file), payment.code)
    expect(await reader.run(payment.commands[0] ?? "")).toMatch(pattern(payment.says[0]))
    writeFileSync(reader.at(webhook.file), webhook.code)
    await receive(reader, webhook, () => reader.run(webhook.commands[1] ?? ""))
    sandbox.output()
    const files = [balance, payment].map(({ file }) => file).join(" ")
    await reader.run(`${compiler} ${strictly} ${files}`)
  })

  /** A page of the project that Vite serves, and what the browser warns of there. */
  const openPage = async (server: Awaited<ReturnType<Terminal["start"]>>) => {
    const warned: Array<string> = []
    const [, url = ""] = /Local:\s+(\S+)/.exec(server.output()) ?? []
    const page = await browser?.newPage()
    if (page === undefined) throw new Error("there is no browser")
    page.on("console", (line) => {
      if (["warning", "error"].includes(line.type())) warned.push(line.text())
    })
    page.on("pageerror", (error) => warned.push(String(error)))
    await page.goto(url)
    return { page, warned }
  }
  const checks = ["npm run build", "npx tsc -p tsconfig.app.json --noEmit --skipLibCheck false"]

  it.runIf(browsers)("In React", async () => {
    const [install, balance, payment, webhook] = listSteps("In React")
    const receiver = listSteps("With promises").at(-1)
    if (install === undefined || balance === undefined || payment === undefined || webhook === undefined)
      throw new Error("the start page has too few steps for React")
    const { reader, sandbox } = await begin("In React", install, balance, async (second) => {
      await using server = await second.start(balance.commands[0] ?? "", /Local:\s+\S+/)
      const { page, warned } = await openPage(server)
      // blocks come by the clock: the height is another one, and then the next
      const shown = page.getByText(pattern(balance.says[0]))
      const first = (await shown.textContent()) ?? ""
      await page.getByText(first.replace(/\d+$/, (height) => String(Number(height) + 1))).waitFor()
      await page.close()
      expect(warned).toEqual([])
    })
    await using _ = sandbox
    await reader.run(...checks, ...payment.shell)
    writeFileSync(reader.at(payment.file), payment.code)
    await using server = await reader.start(balance.commands[0] ?? "", /Local:\s+\S+/)
    const { page, warned } = await openPage(server)
    const button = page.getByRole("button", { name: "Pay 1.5 ETH" })
    await button.click()
    await page.getByText(pattern(payment.says[0])).waitFor()
    writeFileSync(reader.at(webhook.file), receiver?.code ?? "")
    await receive(reader, webhook, () => button.click())
    await page.close()
    expect(warned).toEqual([])
    await reader.run(...checks)
  })

  it.runIf(browsers)("A page on TanStack Query", async () => {
    const [only] = listSteps("A page on TanStack Query")
    if (only === undefined) throw new Error("the start page has no steps for TanStack Query")
    const { reader, sandbox } = await begin("TanStack Query", only, only, async (second) => {
      await using server = await second.start(only.commands[0] ?? "", /Local:\s+\S+/)
      const { page, warned } = await openPage(server)
      await page.getByText(only.says[0] ?? "", { exact: true }).waitFor()
      await page.close()
      expect(warned).toEqual([])
    })
    await using _ = sandbox
    await reader.run(...checks)
  })
})
