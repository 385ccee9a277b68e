/**
 * The programs of the recipes, run by Node as they stand. `EFFECT_CHAINS_PROVIDER` names the sandbox, as the pages tell their readers to, and
 * those that name it themselves find it at its usual address.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { entries } from "../../scripts/sources.js"
import * as Network from "../../src/data/Network.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { bundle, listBlocks, pages, readPage, runScript } from "../pages.js"
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
  let sandbox: Sandbox.SandboxService
  let baseUrl = ""
  let chainsUrl = ""

  beforeAll(async () => {
    const made = Sandbox.make({
      networks: [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }],
      blockTime: 1,
      populated: true
    })
    sandbox = await Effect.runPromise(Scope.extend(made, scope))
    baseUrl = sandbox.baseUrl
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

  it("do what the guides to errors and payments say", { timeout: 400_000 }, async () => {
    const [, later] = listBlocks(readPage("docs/confirmations.md"))
    const blocks = [
      "errors",
      "signers",
      ...["keys", "fees", "nonces", "failures"].map((name) => `signers/${name}`)
    ]
      .flatMap((name) => listBlocks(readPage(`docs/${name}.md`)).slice(0, 1))
      .concat(later ?? [])
    expect(blocks).toHaveLength(7)
    const outputs = await run(blocks)
    expect(outputs.filter(({ written }) => written === "" || /^failed:|undefined/.test(written))).toEqual([])
  })

  it("notice the payment of a customer, as the guide says", { timeout: 120_000 }, async () => {
    const [program] = listBlocks(readPage("docs/accept-payments.md"))
    if (program === undefined) throw new Error("docs/accept-payments.md has no program")
    const { fund } = sandbox.network("ethereum-mainnet")
    const pay = Effect.repeat(
      fund("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0.25"),
      Schedule.spaced("1 second")
    )
    const paid = Effect.promise(() => run([program]))
    const [output] = await Effect.runPromise(Effect.raceFirst(paid, Effect.zipRight(pay, Effect.never)))
    expect(output?.written).toMatch(/^pay 0\.5 ETH to 0x70.*\norder 7 is paid$/)
  })

  it("do what the recipes of other chains say, ten families or more of them", {
    timeout: 400_000
  }, async () => {
    expect(new Set(chains.map((network) => Network.info(network).family)).size).toBeGreaterThanOrEqual(10)
    const outputs = await run(chainPage, chainsUrl)
    expect(outputs.filter(({ written }) => written === "" || /^failed:|undefined/.test(written))).toEqual([])
  })
})
