/** The programs of the start pages and of the recipes, run by Node as they stand, on a sandbox in the place of the provider. */
import { mkdtempSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { entries } from "../../scripts/sources.js"
import * as Network from "../../src/data/Network.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { bundle, listBlocks, readPage, runScript } from "../pages.js"

const root = dirname(dirname(import.meta.dirname))
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (anvil._tag === "Left") console.log("left out: programs of the docs on the sandbox (no anvil binary)")

const MNEMONIC = "test test test test test test test test test test test junk"

/** The entries are their sources, and `init` is given the sandbox where a program names no provider. */
const entriesOver = (sandbox: string): Plugin => ({
  name: "entries",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^effect-chains(\/|$)/ }, ({ importer, path }) =>
      path === "effect-chains/promise" && importer.includes(".programs-")
        ? { path, namespace: "sandboxed" }
        : { path: join(root, entries[path] ?? "") }
    )
    onLoad({ filter: /.*/, namespace: "sandboxed" }, () => ({
      resolveDir: root,
      contents: `
        import { init as made } from ${JSON.stringify(join(root, "src/promise.ts"))}
        export * from ${JSON.stringify(join(root, "src/promise.ts"))}
        const provider = { baseUrl: ${JSON.stringify(sandbox)}, nodeListUrl: ${JSON.stringify(sandbox)}, domain: "127.0.0.1" }
        export const init = (config) => made({ provider, quiet: true, ...config })`
    }))
  }
})

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
    const programs = blocks.map(({ at, code }) => ({
      at,
      code: code.replaceAll("http://127.0.0.1:4100", sandbox)
    }))
    const scripts = await bundle(programs, folder, { plugins: [entriesOver(sandbox)] })
    const outputs: Array<{ readonly at: string; readonly written: string }> = []
    for (const [i, script] of scripts.entries()) {
      const written = await runScript(script, { MNEMONIC }).catch(
        (error: { readonly stderr?: string }) => `failed: ${error.stderr}`
      )
      outputs.push({ at: blocks[i]?.at ?? "", written })
    }
    return outputs
  }

  it("show a balance on the start pages", { timeout: 180_000 }, async () => {
    const [promises, effects] = await run(
      ["docs/start-promise.md", "docs/start-effect.md"].flatMap((path) =>
        listBlocks(readPage(path)).slice(0, 1)
      )
    )
    expect(promises?.written).toMatch(/^\d{20,} wei$/)
    expect(effects?.written).toMatch(/^\d+(\.\d+)?$/)
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
