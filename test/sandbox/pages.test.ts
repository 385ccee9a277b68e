/**
 * The programs of the start page, by its commands, and of the recipes, run by Node as they stand. `EFFECT_CHAINS_PROVIDER` names the sandbox,
 * as the pages tell their readers to, and those that name it themselves find it at its usual address.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { build, type Plugin, transform } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../scripts/freePort.mjs"
import { startProgram } from "../../scripts/pack.mjs"
import { entries } from "../../scripts/sources.js"
import * as Network from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { bundle, listBlocks, listSteps, pages, readPage, runScript, type Step } from "../pages.js"
import { sandboxAt } from "../sandboxPort.js"

const root = dirname(dirname(import.meta.dirname))
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (anvil._tag === "Left") console.log("left out: programs of the docs on the sandbox (no anvil binary)")

const MNEMONIC = "test test test test test test test test test test test junk"

/** The entries are their sources. */
const entriesOfSources: Plugin = {
  name: "entries",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^effect-chains(\/|$)/ }, ({ path }) => ({ path: join(root, entries[path] ?? "") }))
  }
}

/** Programs that name hosts of nobody, or wait for what nobody sends. */
const isForReading = (code: string): boolean => /\.example|"0x…"|near-mainnet/.test(code)

const chainPage = listBlocks(readPage("docs/recipes-chains.md"))

/** The networks of programs on other chains. */
const chains = Object.keys(Network.networks)
  .filter(Network.isNetwork)
  .filter((id) => chainPage.some(({ code }) => code.includes(`"${id}"`)))

describe.runIf(anvil._tag === "Right")("the programs of the docs", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(root, "node_modules", ".programs-"))
  let baseUrl = ""
  let chainsUrl = ""

  beforeAll(async () => {
    const made = Sandbox.make({
      networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }],
      blockTime: 1,
      populated: true
    })
    baseUrl = (await Effect.runPromise(Scope.extend(made, scope))).baseUrl
    const others = Sandbox.make({
      networks: chains.map((network) => ({ network, nodes: 1, archive: 0 })),
      blockTime: 1
    })
    chainsUrl = (await Effect.runPromise(Scope.extend(others, scope))).baseUrl
  }, 120_000)

  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }, 60_000)

  /** What each of these programs writes. */
  const run = async (blocks: ReturnType<typeof listBlocks>, sandbox = baseUrl) => {
    const scripts = await bundle(blocks, folder, { plugins: [entriesOfSources] })
    const environment = { MNEMONIC, EFFECT_CHAINS_PROVIDER: sandbox }
    const outputs: Array<{ readonly at: string; readonly written: string }> = []
    for (const [i, script] of scripts.entries()) {
      const written = await runScript(script, environment, sandboxAt(sandbox)).catch(
        (error: { readonly stderr?: string }) => `failed: ${error.stderr}`
      )
      outputs.push({ at: blocks[i]?.at ?? "", written })
    }
    return outputs
  }

  /** What a page says that a program prints; the digits and hashes of this sandbox are others. */
  const pattern = (said = "nothing is said"): RegExp =>
    new RegExp(
      `^${said
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/\d{9,}/g, "\\d+")
        .replace("…", "[0-9a-f]+")}$`,
      "m"
    )

  /**
   * A folder with the programs of some steps, in which the package is installed as npm would, built from its sources. Other packages are
   * those of the repository; at night the packed tarball and the registry's packages stand there (`test/nightly/start.test.ts`).
   */
  const newProject = async (steps: ReadonlyArray<Step>) => {
    const project = mkdtempSync(join(folder, "start-"))
    const home = join(project, "node_modules/effect-chains")
    const names = Array.from(
      new Set(
        steps.flatMap(({ code }) =>
          Array.from(code.matchAll(/"(effect-chains[^"]*)"/g), ([, name = ""]) => name)
        )
      )
    )
    const files = new Map(names.map((name, i) => [name, `entry${i}`]))
    await build({
      absWorkingDir: root,
      bundle: true,
      entryPoints: Array.from(files, ([name, out]) => ({ in: entries[name] ?? "", out })),
      format: "esm",
      logLevel: "error",
      outdir: home,
      outExtension: { ".js": ".mjs" },
      packages: "external",
      platform: "node",
      splitting: true,
      target: "node20"
    })
    const exports = Object.fromEntries(
      Array.from(files, ([name, file]) => [name.replace("effect-chains", "."), `./${file}.mjs`])
    )
    writeFileSync(join(home, "package.json"), JSON.stringify({ name: "effect-chains", exports }))
    for (const { code, file } of steps) {
      writeFileSync(join(project, file), code)
      // Node 20 reads no types
      if (file.endsWith(".mts")) {
        const { code: script } = await transform(code, { loader: "ts" })
        writeFileSync(join(project, file.replace(".mts", ".mjs")), script)
      }
    }
    const environment = {
      PORT: String(await freePort()),
      NODE_OPTIONS: `${sandboxAt(baseUrl).join("=")} --unhandled-rejections=strict`
    }
    /** The command of a step, with Node in the place of `tsx`. */
    const lineOf = ([command = ""]: ReadonlyArray<string>): ReadonlyArray<string> => [
      "-ec",
      `exec ${command.replace(/^npx tsx (.+)\.mts$/, "node $1.mjs")}`
    ]
    return {
      run: async ({ commands }: Pick<Step, "commands">): Promise<string> => {
        const options = { cwd: project, env: { ...process.env, NO_COLOR: "1", ...environment } }
        const { stdout } = await promisify(execFile)("sh", lineOf(commands), options)
        return stdout.trim()
      },
      start: ({ commands }: Step, ready: RegExp) =>
        startProgram("sh", lineOf(commands), project, ready, environment)
    }
  }

  it.each(["With promises", "With Effect"])(
    "lead from an empty folder to a balance, a payment and a webhook: %s",
    {
      timeout: 180_000
    },
    async (part) => {
      const [, balance, payment, webhook] = listSteps(part)
      if (balance === undefined || payment === undefined || webhook === undefined)
        throw new Error(`the start page has too few steps ${part.toLowerCase()}`)
      const reader = await newProject([balance, payment, webhook])
      // this sandbox has a history
      expect(await reader.run(balance)).toMatch(pattern(balance.says[0]))
      expect(await reader.run(payment)).toMatch(pattern(payment.says[0]))
      const [waiting, received] = webhook.says
      const { child, output } = await reader.start(webhook, pattern(waiting))
      const ended = once(child, "exit")
      await reader.run({ commands: webhook.commands.slice(1) })
      expect(await ended).toEqual([0, null])
      expect(output()).toMatch(pattern(received))
      // so that it can be run again: the provider takes no second subscription of the same kind
      const sdk = await init({ network: "ethereum-mainnet", provider: baseUrl, quiet: true })
      expect((await sdk.notification.count()).data).toBe(0)
      await sdk.destroy()
    }
  )

  it("name the sandbox or a test network, or nodes of this machine, where they sign", () => {
    const signing = pages
      .flatMap(listBlocks)
      .filter(
        ({ code }) =>
          /from "(effect-chains\/(?:effect\/)?signers\/|effect-chains\/react\/signers)/.test(code) &&
          /\binit\(|Sdk\.Tag\(|SdkProvider config/.test(code)
      )
    expect(signing.length).toBeGreaterThan(18)
    const real = signing.filter(
      ({ code }) =>
        !/provider: "sandbox"|"ethereum-sepolia"|nodes: \[\{ url: "http:\/\/127\.0\.0\.1/.test(code)
    )
    expect(real.map(({ at }) => at)).toEqual([])
  })

  it("do what the recipes say", { timeout: 400_000 }, async () => {
    const blocks = listBlocks(readPage("docs/recipes.md")).filter(({ code }) => !isForReading(code))
    expect(blocks.length).toBeGreaterThanOrEqual(15)
    const outputs = await run(blocks)
    expect(outputs.filter(({ written }) => written === "" || /^failed:|undefined/.test(written))).toEqual([])
  })

  it("do what the recipes of other chains say, ten families or more of them", {
    timeout: 400_000
  }, async () => {
    expect(new Set(chains.map((network) => Network.info(network).family)).size).toBeGreaterThanOrEqual(10)
    const outputs = await run(chainPage, chainsUrl)
    expect(outputs.filter(({ written }) => written === "" || /^failed:|undefined/.test(written))).toEqual([])
  })
})
