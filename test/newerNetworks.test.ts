/** The networks that came after the reference SDK's, beside what two sources say of each. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Config from "../src/config/Config.js"
import * as Network from "../src/data/Network.js"
import { meant } from "../src/data/names.js"
import { init } from "../src/promise.js"
import { newer, newerChains } from "./newerNetworks.js"

const ids = newer.filter(Network.isNetwork)
const withoutHost = ids.filter(Network.needsOwnNodes)

/** What viem says otherwise, and why the table does not follow. */
const deviations: Readonly<Record<string, string>> = {
  // the chain's own documentation and the list of chains have CELO; viem prefixes the coins of this testnet
  "celo-sepolia": "S-CELO"
}

describe("newer networks", () => {
  it("are in the table", () => {
    expect(ids).toEqual(newer)
  })

  it.each(Object.entries(newerChains))("%s is as both sources have it", (id, { listed, viem }) => {
    if (!Network.isNetwork(id)) throw new Error(`${id} is not in the table`)
    const { chainId, decimals, symbol } = Network.info(id)
    expect({ chainId, decimals, symbol }).toEqual(listed)
    expect(viem.id).toBe(chainId)
    expect(viem.nativeCurrency).toMatchObject({ symbol: deviations[id] ?? symbol, decimals })
    expect(meant(String(chainId))?.network).toBe(id)
  })

  it.each(withoutHost)("%s is refused without nodes of one's own", async (network) => {
    const made = await Effect.runPromise(Effect.either(Config.resolve({ network })))
    expect(made).toMatchObject({
      left: {
        _tag: "InvalidConfig",
        issues: [{ path: "rpc.nodes", message: `is missing: ${network} works with nodes of your own alone` }]
      }
    })
    const rpc = { nodes: [{ url: "http://127.0.0.1:1" }] }
    const { nodes } = await Effect.runPromise(Config.resolve({ network, rpc }))
    expect(nodes?.map(({ url }) => url)).toEqual(["http://127.0.0.1:1"])
  })

  it("some have nodes of one's own alone, and some a host of the provider", () => {
    expect(withoutHost).toEqual([
      "xlayer-mainnet",
      "robinhood-mainnet",
      "moonbeam-mainnet",
      "moonriver-mainnet",
      "moonbase-alpha",
      "aptos-mainnet",
      "aptos-testnet",
      "aptos-devnet"
    ])
    for (const id of ids) {
      const { gateway, ownNodes } = Network.info(id)
      expect([id, gateway === undefined]).toEqual([id, ownNodes === true])
    }
  })

  it("are refused when a client is made, before anything is sent", async () => {
    await expect(init({ network: "moonbeam-mainnet", quiet: true })).rejects.toMatchObject({
      _tag: "InvalidConfig"
    })
  })

  it("are served by another provider, which knows them by their ids", async () => {
    const provider = { baseUrl: "http://127.0.0.1:3000" }
    for (const network of ids) {
      const config = await Effect.runPromise(Config.resolve({ network, provider }))
      expect(Config.gatewayNodeUrl(config)).toBe(`http://127.0.0.1:3000/v3/blockchain/node/${network}`)
    }
  })

  it("go to the host of the public provider, without the key in the url", async () => {
    const config = await Effect.runPromise(Config.resolve({ network: "monad-mainnet", apiKey: "KEY" }))
    const url = Config.gatewayNodeUrl(config)
    expect(url).toBe("https://monad-mainnet.gateway.tatum.io")
    expect(Config.isProviderUrl(config, url)).toBe(true)
  })
})
