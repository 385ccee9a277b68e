/** The live examples of the documentation site: people can run them, on recorded answers and where the site is served over a sandbox. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { livePrograms } from "../../docs/.vitepress/markdown.js"
import { freePort } from "../../scripts/freePort.mjs"
import { isNight } from "../night.js"
import { pages } from "../pages.js"
import { isRunnable, launch } from "./chromium.js"
import { hasAnvil, root, serveSite, siteFolder, violationsOf } from "./site.js"

/** The pages with programs that can be run, and how many of these they have. */
const livePages = pages
  .map(({ path, text }) => ({
    path: path.replace(/^docs(.*)\.md$/, "$1").replace(/\/index$/, "/"),
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
  const args = ["scripts/run.mjs", "scripts/docs.ts", "serve", "--no-api", `--port=${await freePort()}`]
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

describe.runIf(runnable)("live examples", () => {
  let browser: Browser
  let folder = ""
  let site: Awaited<ReturnType<typeof serveSite>>
  let served: Awaited<ReturnType<typeof serveDocs>>

  beforeAll(async () => {
    folder = await siteFolder()
    ;[browser, served] = await Promise.all([launch(), serveDocs()])
    site = await serveSite(folder)
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
    served?.child.kill("SIGKILL")
  })

  const opened = async (at: string, options: Parameters<Browser["newPage"]>[0] = {}) => {
    const page = await browser.newPage(options)
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await page.goto(at, { waitUntil: "networkidle" })
    return { page, asked, [Symbol.asyncDispose]: () => page.close() }
  }

  /** Where programs are not bundled, each run of one asks for every module: one page tells that they find the sandbox. */
  const overSandbox = isNight ? livePages : livePages.filter(({ path }) => path === "/start")

  it.each([
    ["recorded answers", livePages, () => site.origin, /^Done, answers recorded on the sandbox$/],
    ["a sandbox", overSandbox, () => served.origin, /^Done, from the sandbox at http:\/\/127\.0\.0\.1:\d+$/]
  ] as const)("run as they stand: on %s", async (_, looked, origin, said) => {
    expect(livePages.map(({ path }) => path).sort()).toEqual(["/", "/balancer", "/recipes", "/start"])
    expect(looked.length).toBeGreaterThan(0)
    const run = async ({ count, path }: (typeof livePages)[number]): Promise<void> => {
      await using opening = await opened(origin() + path)
      const { page } = opening
      // they come with the page's own program
      await expect.poll(() => page.getByRole("group", { name: "Live example" }).count()).toBe(count)
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
        if (path === "/start") expect(ended.text).toBe("10000000000000000000000 wei")
      }
    }
    await Promise.all(looked.map(run))
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
    const printed = async (at: string, address = "") => {
      await using opening = await opened(`${at}/start`)
      const example = exampleOn(opening.page)
      await example.button("Edit").click()
      await example.program.fill(program.replace("ADDRESS", `0x${address}`))
      await example.button("Run").click()
      return await example.ended()
    }
    const changed = "10000 ETH { big: 18446744073709551616n }"
    expect(await printed(site.origin, known)).toMatchObject({ text: changed, errors: [] })
    expect(await printed(served.origin, unknown)).toMatchObject({ text: changed, errors: [] })
    const { errors } = await printed(site.origin, unknown)
    expect(errors.join("\n")).toMatch(
      /^Not recorded: ethereum-mainnet eth_getBalance .*70997970[\s\S]*`npm run docs`/
    )
  })

  it("show errors in full, and can be stopped and put back", async () => {
    await using opening = await opened(`${site.origin}/start`)
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
    for (const colorScheme of isNight ? (["light", "dark"] as const) : (["dark"] as const)) {
      await using opening = await opened(`${site.origin}/start`, {
        colorScheme,
        reducedMotion: "reduce"
      })
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
    await using errors = await opened(`${site.origin}/errors`)
    expect(await loaded(errors.asked)).toEqual(nothing)
    expect(readFileSync(join(folder, "errors.html"), "utf8")).not.toMatch(/live/i)
    await using start = await opened(`${site.origin}/start`)
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
