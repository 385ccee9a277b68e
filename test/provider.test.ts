// @runtime both
/** Promise clients go to the provider that the environment or their configuration names, and nowhere else. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ETHEREUM } from "../src/data/rows.js"
import { init as initFamily } from "../src/entries/Ethereum.js"
import { blockNumber, createClient } from "../src/pick/evm.js"
import { init } from "../src/promise.js"
import { startProvider } from "./providerDouble.js"

const network = "ethereum-mainnet"

let provider: Awaited<ReturnType<typeof startProvider>>
beforeEach(async () => {
  provider = await startProvider()
  vi.stubGlobal("fetch", provider.fetch)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  await provider.close()
})

type Options = Pick<Parameters<typeof init>[0], "provider" | "rpc" | "quiet" | "logger">

/** Each surface: a call of a node, and of those with services a call of the data API as well. */
const surfaces: Readonly<Record<string, (options: Options) => Promise<unknown>>> = {
  "init of effect-chains/promise": async (options) => {
    await using sdk = await init({ network, ...options })
    await sdk.rates.getCurrentRate("BTC", "EUR")
    return (await sdk.rpc.blockNumber()).data
  },
  "init of a family": async (options) => {
    await using sdk = await initFamily({ network, ...options })
    return (await sdk.rpc.blockNumber()).data
  },
  "createClient of picked calls": async (options) => {
    await using client = await createClient({ network: ETHEREUM, endpoints: { blockNumber }, ...options })
    return (await client.rpc.blockNumber()).data
  }
}

const each = Object.entries(surfaces)

describe("the provider of a Promise client", () => {
  it.each(each)("is that of EFFECT_CHAINS_PROVIDER: %s", async (_, use) => {
    for (const variable of [provider.url, "sandbox"]) {
      provider.asked.length = 0
      vi.stubEnv("EFFECT_CHAINS_PROVIDER", variable)
      expect(await use({ quiet: true })).toBe(16n)
      expect(provider.asked).toContain("/ethereum-mainnet/list.json")
      expect(provider.elsewhere).toEqual([])
    }
  })

  it.each(each)("is the one that the configuration names: %s", async (_, use) => {
    vi.stubEnv("EFFECT_CHAINS_PROVIDER", "http://127.0.0.1:1")
    for (const named of ["sandbox", provider.url, { baseUrl: provider.url }])
      expect(await use({ quiet: true, provider: named })).toBe(16n)
    expect(provider.elsewhere).toEqual([])
  })

  it("gets calls of its data API alone from a program with nodes of its own", async () => {
    vi.stubEnv("EFFECT_CHAINS_PROVIDER", provider.url)
    const rpc = { nodes: [{ url: "https://own.example" }] }
    await using sdk = await init({ network, rpc, quiet: true, verifyChain: false, retryCount: 0 })
    await sdk.rates.getCurrentRate("BTC", "EUR")
    expect(provider.asked.length).toBeGreaterThan(0)
    expect(provider.asked.every((path) => path.startsWith("/v"))).toBe(true)
    await sdk.rpc.blockNumber()
    expect(new Set(provider.elsewhere)).toEqual(new Set(["https://own.example"]))
  })

  it("is named in one line of the log when it comes from the environment, and in none when clients are quiet", async () => {
    vi.stubEnv("EFFECT_CHAINS_PROVIDER", provider.url)
    const lines: Array<string> = []
    const keep = (line: string): void => void lines.push(line)
    const logger = { trace: keep, debug: keep, info: keep, warn: keep, error: keep }
    const start = async (options: Options): Promise<void> => {
      await using _ = await init({ network, logger, ...options })
    }
    await start({ quiet: true })
    expect(lines).toEqual([])
    await start({ provider: provider.url })
    expect(lines).toEqual([])
    await start({})
    await start({})
    expect(lines).toEqual([`The provider is ${provider.url} (EFFECT_CHAINS_PROVIDER). Own rpc.nodes stay.`])
  })

  it("is refused by its name when the environment has no url", async () => {
    vi.stubEnv("EFFECT_CHAINS_PROVIDER", "sandbx")
    await expect(init({ network, quiet: true })).rejects.toMatchObject({
      _tag: "InvalidConfig",
      issues: [{ path: "EFFECT_CHAINS_PROVIDER", message: expect.stringContaining('is not "sandbox"') }]
    })
  })
})
