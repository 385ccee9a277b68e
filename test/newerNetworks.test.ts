/** The networks that came after the reference SDK's, beside what two sources say of each. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { gatewayNodeUrl, isProviderUrl, resolve } from "../src/config/resolveConfig.js"
import { explorers as known } from "../src/data/explorers.js"
import * as Network from "../src/data/Network.js"
import { findMeantNetwork } from "../src/data/networkNames.js"
import { init } from "../src/promise.js"
import { hosts, newerChains, newerNetworks, otherChains } from "./newerNetworks.js"

const ids = newerNetworks.filter(Network.isNetwork)
const withoutHost = ids.filter(Network.needsOwnNodes)

/** The sites in a definition of viem. */
interface Viem {
  readonly rpcUrls: { readonly default: { readonly http: ReadonlyArray<string> } }
  readonly blockExplorers?: { readonly default: { readonly url: string } }
}

/** What viem says otherwise, and why the table does not follow. */
const deviations: Readonly<Record<string, string>> = {
  // the chain's own documentation and the list of chains have CELO; viem prefixes the coins of this testnet
  "celo-sepolia": "S-CELO"
}

const from = (found: string | undefined, source: string | undefined): string =>
  found === undefined ? "not found" : `${found} (${source})`

/** The row of the docs for a network: its values are those of the table of networks, and of viem where that is the only source. */
const foundOf = (id: Network.Network): ReadonlyArray<string> => {
  const { chainId, decimals, gateway, symbol } = Network.info(id)
  const coin = `${symbol}, ${decimals}`
  const host = gateway === undefined ? undefined : new URL(gateway).host.split(".")[0]
  const chain = Object.entries(newerChains).find(([name]) => name === id)?.[1]
  const other = otherChains[id]
  const sources = `viem, ${chain?.from}`
  const explorers: Partial<Record<string, string | object>> = known
  const viem: Viem | undefined = chain?.viem
  expect(explorers[id]).toBeUndefined()
  expect(other?.coin ?? coin).toBe(coin)
  return [
    `\`${id}\``,
    chain === undefined ? from(other?.chain, other?.from) : from(String(chainId), sources),
    from(coin, chain === undefined ? other?.coinFrom : sources),
    from(host, hosts[id]),
    from(viem?.blockExplorers?.default.url.replace(/^https:\/\/|\/$/g, ""), "viem"),
    from(viem?.rpcUrls.default.http[0]?.replace(/^https:\/\//, ""), "viem")
  ]
}

describe("newer networks", () => {
  it("are in the table", () => {
    expect(ids).toEqual(newerNetworks)
  })

  it.each(Object.entries(newerChains))("%s is as both sources have it", (id, { listed, viem }) => {
    if (!Network.isNetwork(id)) throw new Error(`${id} is not in the table`)
    const { chainId, decimals, symbol } = Network.info(id)
    expect({ chainId, decimals, symbol }).toEqual(listed)
    expect(viem.id).toBe(chainId)
    expect(viem.nativeCurrency).toMatchObject({ symbol: deviations[id] ?? symbol, decimals })
    expect(findMeantNetwork(String(chainId))?.network).toBe(id)
  })

  it.each(withoutHost)("%s is refused without nodes of one's own", async (network) => {
    const made = await Effect.runPromise(Effect.either(resolve({ network })))
    expect(made).toMatchObject({
      left: {
        _tag: "InvalidConfig",
        issues: [{ path: "rpc.nodes", message: `is missing: ${network} works with nodes of your own alone` }]
      }
    })
    const rpc = { nodes: [{ url: "http://127.0.0.1:1" }] }
    const { nodes } = await Effect.runPromise(resolve({ network, rpc }))
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
      "aptos-devnet",
      "hedera-mainnet-mirror",
      "hedera-testnet-mirror",
      "hedera-previewnet-mirror"
    ])
    for (const id of ids) {
      const { gateway, ownNodes } = Network.info(id)
      expect([id, gateway === undefined]).toEqual([id, ownNodes === true])
      expect([id, gateway !== undefined]).toEqual([id, id in hosts])
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
      const config = await Effect.runPromise(resolve({ network, provider }))
      expect(gatewayNodeUrl(config)).toBe(`http://127.0.0.1:3000/v3/blockchain/node/${network}`)
    }
  })

  it("go to the host of the public provider, without the key in the url", async () => {
    const config = await Effect.runPromise(resolve({ network: "monad-mainnet", apiKey: "KEY" }))
    const url = gatewayNodeUrl(config)
    expect(url).toBe("https://monad-mainnet.gateway.tatum.io")
    expect(isProviderUrl(config, url)).toBe(true)
  })

  it("are in the docs with what was found in which source, as the table has it", () => {
    const page = readFileSync(new URL("../docs/networks.md", import.meta.url), "utf8")
    const [, section = ""] = page.split("## Where the newer networks come from")
    const rows = (/^\|.*?(?=\n\n)/ms.exec(section)?.[0] ?? "").split("\n").slice(2)
    const cells = rows.map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
    expect(cells).toEqual(ids.map(foundOf))
  })
})
