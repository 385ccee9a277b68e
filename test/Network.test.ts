import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { ids as pageIds } from "../react/playground/ids.js"
import * as Coverage from "../src/data/Coverage.js"
import { isServed } from "../src/data/dataRoutes.js"
import { ids as listed } from "../src/data/ids.js"
import * as Network from "../src/data/Network.js"
import { allIds } from "../src/data/NetworkTable.js"
import { findMeantNetwork, names } from "../src/data/networkNames.js"
import * as constants from "../src/data/networks.js"
import { type InitConfig, init } from "../src/promise.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const ids = Object.keys(Network.networks).filter(Network.isNetwork)
const rows = ids.map((id) => ({ id, ...Network.info(id) }))
const named = Object.entries(constants).flatMap(([name, id]) =>
  typeof id === "string" ? [{ name, id }] : []
)

/** The groups of ids that share a key which has to be unique. */
const shared = (
  from: ReadonlyArray<{ readonly id: string }>,
  key: (id: Network.Network) => string | undefined
) => {
  const groups = new Map<string, Array<string>>()
  for (const { id } of from) {
    const of = Network.isNetwork(id) ? key(id) : undefined
    if (of !== undefined) groups.set(of, [...(groups.get(of) ?? []), id])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

describe("the table of networks", () => {
  it("has one line per network", () => {
    const source = readFileSync(resolve(root, "src/data/Network.ts"), "utf8")
    const lines = [...source.matchAll(/^ {2}"([^"]+)": \{ family: .* \},?$/gm)].map((match) => match[1])
    expect(lines.length).toBeGreaterThan(100)
    // An id that stands there twice would be one key only.
    expect(lines).toEqual(ids)
  })

  it.each(rows)("$id makes sense", (row) => {
    expect(row.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    expect(row.currency).toMatch(/^[A-Z][A-Z_]*$/)
    expect(row.symbol).toMatch(/^[A-Z0-9]+$/)
    expect(Number.isInteger(row.decimals) && row.decimals >= 0 && row.decimals <= 30).toBe(true)
    if (Network.isEvm(row.id)) expect(row.chainId).toBeDefined()
    if (row.chainId !== undefined) {
      expect(Network.isEvm(row.id) || Network.isTron(row.id)).toBe(true)
      expect(Number.isSafeInteger(row.chainId) && row.chainId > 0).toBe(true)
    }
    if (row.asset !== undefined) expect([row.asset === "", row.asset]).not.toContain(row.symbol)
    if (row.realMoney !== undefined) expect(row.realMoney).toBe(row.testnet === true)
    if (row.defaultMainnet === true) expect(row.testnet).toBeUndefined()
    if (row.defaultTestnet === true) expect(row.testnet).toBe(true)
    if (row.archive === true) expect(row.loadBalanced).toBe(true)
    if (row.list !== undefined) {
      expect(row.loadBalanced).toBe(true)
      expect(row.list).not.toBe(row.id)
      expect(Network.isNetwork(row.list)).toBe(false)
    }
    if (row.gateway !== undefined) {
      expect(new URL(row.gateway).protocol).toBe("https:")
      expect(new URL(row.gateway).hostname).toMatch(/^[a-z0-9-]+\.gateway\.tatum\.io$/)
    }
    // each says in its own way where nodes are
    const sources = [row.gateway, row.ownNodes, row.node, row.loadBalanced]
    expect(sources.filter((source) => source !== undefined).length).toBeLessThan(2)
    if (row.notification !== undefined) expect(row.notification).toMatch(/^[A-Z][A-Z_]*$/)
    const states = [undefined, "sunset", "renamed", "protocol-changed", "sunset-announced", "deprecated"]
    expect(states).toContain(row.status)
  })

  it("leaves out every column that is false or has its default", () => {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        expect(value, `${row.id}.${column}`).not.toBe(undefined)
        if (column !== "realMoney") expect(value, `${row.id}.${column}`).not.toBe(false)
      }
    }
  })

  it("gives a chain id to one network, renamed ones aside", () => {
    expect(shared(rows, (id) => Network.info(id).chainId?.toString())).toEqual([
      ["klaytn-mainnet", "kaia-mainnet"],
      ["klaytn-baobab", "kaia-kairos"]
    ])
    const live = rows.filter((row) => row.status === undefined)
    expect(shared(live, (id) => Network.info(id).chainId?.toString())).toEqual([])
  })

  it("has at most one default of each kind per currency", () => {
    const { info } = Network
    expect(shared(rows, (id) => (info(id).defaultMainnet === true ? info(id).currency : undefined))).toEqual(
      []
    )
    expect(shared(rows, (id) => (info(id).defaultTestnet === true ? info(id).currency : undefined))).toEqual(
      []
    )
  })

  it("has the pinned values", () => {
    expect(Network.networks["ethereum-mainnet"]).toEqual({
      family: "evm-beacon",
      currency: "ETH",
      symbol: "ETH",
      decimals: 18,
      defaultMainnet: true,
      chainId: 1,
      loadBalanced: true,
      archive: true,
      notification: "ETH",
      fee: true
    })
    expect(Network.info("stellar-mainnet").decimals).toBe(7)
    expect(Network.info("polygon-mainnet").symbol).toBe("MATIC")
    expect(Network.info("bsc-mainnet").symbol).toBe("BNB")
    expect(Network.info("eon-mainnet").asset).toBe("EON")
    expect(Network.info("palm-mainnet").chainId).toBe(11297108109)
    expect(Network.info("flare-songbird")).toMatchObject({ testnet: true, realMoney: true })
    expect(Network.info("mocachain-devnet").testnet).toBeUndefined()
    expect(Network.info("mocachain-devnet").realMoney).toBe(false)
  })
})

it("the playground's list of ids says what the SDK's says", () => {
  expect(pageIds).toEqual(listed)
})

describe("the constants", () => {
  it("name every network exactly once", () => {
    expect(named.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(constants.ETHEREUM).toBe("ethereum-mainnet")
  })

  it("has the enumerations frozen, with the values of the specification", () => {
    const enumerations = Object.entries(constants).flatMap(([name, value]) =>
      typeof value === "object" ? [[name, value] as const] : []
    )
    for (const [name, value] of enumerations) expect(Object.isFrozen(value), name).toBe(true)
    expect(Object.fromEntries(enumerations.map(([name, value]) => [name, Object.values(value)]))).toEqual({
      ApiVersion: ["V3", "V4"],
      RequestKind: ["RPC", "POST", "GET", "BATCH", "PUT", "DELETE"],
      LogLevel: ["trace", "debug", "info", "warn", "error"],
      NotificationType: [
        "ADDRESS_EVENT",
        "INCOMING_NATIVE_TX",
        "OUTGOING_NATIVE_TX",
        "OUTGOING_FAILED_TX",
        "PAID_FEE",
        "INCOMING_INTERNAL_TX",
        "OUTGOING_INTERNAL_TX",
        "INCOMING_FUNGIBLE_TX",
        "OUTGOING_FUNGIBLE_TX",
        "INCOMING_NFT_TX",
        "OUTGOING_NFT_TX",
        "INCOMING_MULTITOKEN_TX",
        "OUTGOING_MULTITOKEN_TX",
        "CONTRACT_ADDRESS_LOG_EVENT",
        "FAILED_TXS_PER_BLOCK"
      ],
      NodeType: [0, 1],
      TokenType: ["native", "fungible", "nft", "multitoken"],
      TransactionType: ["incoming", "outgoing"],
      ResultStatus: ["SUCCESS", "ERROR"]
    })
    for (const [name, value] of enumerations) {
      for (const [key, of] of Object.entries(value)) {
        if (name !== "NodeType") expect(key, name).toBe(String(of).toUpperCase())
      }
    }
    expect(constants.NodeType).toEqual({ NORMAL: 0, ARCHIVE: 1 })
  })
})

describe("the predicates", () => {
  it.each(rows)("agree with the columns of $id", (row) => {
    const evm = ["evm", "evm-beacon", "evm-native", "zksync"].includes(row.family)
    expect(Network.isNetwork(row.id)).toBe(true)
    expect(Network.isEvm(row.id)).toBe(evm)
    expect(Network.isTestnet(row.id)).toBe(row.testnet ?? false)
    expect(Network.isLoadBalanced(row.id)).toBe(row.loadBalanced ?? false)
    expect(Network.isArchive(row.id)).toBe(row.archive ?? false)
    expect(Network.isSolana(row.id)).toBe(row.family === "solana")
    expect(Network.isXrp(row.id)).toBe(row.family === "xrp")
    expect(Network.isTron(row.id)).toBe(row.family === "tron")
    expect(Network.isUtxo(row.id)).toBe(["utxo", "utxo-estimatefee", "doge"].includes(row.family))
    expect(Coverage.isDataApi(row.id)).toBe(isServed("portfolio", row.id))
    expect(Coverage.isDataApiEvm(row.id)).toBe(evm && isServed("portfolio", row.id))
    expect(Coverage.isDataApiUtxo(row.id)).toBe(isServed("utxos", row.id))
    expect(Network.isAlternateTestnet(row.id)).toBe(row.testnet === true && row.defaultTestnet === undefined)
    expect(Network.hasFee(row.id)).toBe(row.fee ?? false)
    expect(Network.hasNotifications(row.id)).toBe(row.notification !== undefined)
    expect(Network.supportsBrowserWallet(row.id)).toBe(evm && row.chainId !== undefined)
    expect(Network.isSunset(row.id)).toBe(row.status === "sunset")
    expect(Network.needsOwnNodes(row.id)).toBe(row.ownNodes ?? false)
  })

  it("hold for the networks that they are about", () => {
    const of = (is: (network: Network.Network) => boolean) => ids.filter(is)
    expect(of(Network.isEvm)).toHaveLength(80)
    expect(of(Network.supportsBrowserWallet)).toEqual(of(Network.isEvm))
    expect(of(Network.isSolana)).toEqual(["solana-mainnet", "solana-devnet"])
    expect(of(Network.isXrp)).toEqual(["ripple-mainnet", "ripple-testnet"])
    expect(of(Network.isTron)).toEqual(["tron-mainnet", "tron-testnet", "tron-nile"])
    expect(of(Network.hasFee)).toEqual([
      "bitcoin-mainnet",
      "doge-mainnet",
      "ethereum-mainnet",
      "litecoin-mainnet",
      "bitcoin-testnet",
      "bitcoin-testnet4",
      "doge-testnet",
      "ethereum-sepolia",
      "litecoin-testnet"
    ])
    expect(of((id) => Network.isAlternateTestnet(id) && Network.hasNotifications(id))).toEqual([
      "bitcoin-testnet4",
      "ethereum-holesky",
      "ethereum-hoodi",
      "flare-coston2",
      "flare-songbird"
    ])
  })

  it.each(["", "ethereum", "Ethereum-mainnet", "toString", "__proto__"])("%j is no network", (id) => {
    expect(Network.isNetwork(id)).toBe(false)
  })
})

describe("suggest", () => {
  it.each([
    ["etherium-mainnet", "ethereum-mainnet"],
    ["ethereum", "ethereum-mainnet"],
    ["ETHEREUM_SEPOLIA", "ethereum-sepolia"],
    ["bitcoin-testnet", "bitcoin-testnet"],
    ["solana-mainet", "solana-mainnet"],
    ["arbitrum-mainnet", "arbitrum-one-mainnet"],
    ["base", "base-mainnet"],
    ["polygon", "polygon-mainnet"],
    ["", undefined],
    ["x", undefined],
    ["hyperliquid", undefined],
    ["e".repeat(1_000_000), undefined]
  ])("%.30j", (id, network) => {
    expect(Network.suggest(id)).toBe(network)
  })

  it("is the same where only the ids are known, for all that begin alike", () => {
    const { suggest } = allIds
    const begun = ids.flatMap((id) => [...id.matchAll(/-/g)].map(({ index }) => id.slice(0, index)))
    for (const id of new Set(begun)) expect([id, suggest(id)]).toEqual([id, Network.table.suggest(id)])
  })

  it.each([
    ["arb-one-mainnet", "arbitrum-one-mainnet"],
    ["eth-mainnet", "ethereum-mainnet"],
    ["ETH", "ethereum-mainnet"],
    ["mainnet", "ethereum-mainnet"],
    ["sepolia", "ethereum-sepolia"],
    ["op-mainnet", "optimism-mainnet"],
    ["op-sepolia", "optimism-testnet"],
    ["matic-mainnet", "polygon-mainnet"],
    ["Matic_Mainnet", "polygon-mainnet"],
    ["pol", "polygon-mainnet"],
    ["bnb", "bsc-mainnet"],
    ["bnb-mainnet", "bsc-mainnet"],
    ["btc", "bitcoin-mainnet"],
    ["trx", "tron-mainnet"],
    ["avax", "avalanche-c-mainnet"],
    ["avax-mainnet", "avalanche-c-mainnet"],
    ["gnosis", "gno-mainnet"],
    ["1", "ethereum-mainnet"],
    ["0x1", "ethereum-mainnet"],
    ["0XA", "optimism-mainnet"],
    ["eip155:56", "bsc-mainnet"],
    ["8217", "kaia-mainnet"],
    ["0x", undefined],
    ["999999999999", undefined],
    ["cosmos:1", undefined]
  ])("knows what else %j is", (id, network) => {
    expect(findMeantNetwork(id)?.network).toBe(network)
  })

  it("leads from every chain id, in both spellings, to a network of that chain", () => {
    for (const { chainId } of Object.values(Network.networks).map((row: Network.NetworkInfo) => row)) {
      if (chainId === undefined) continue
      for (const id of [String(chainId), `0x${chainId.toString(16)}`, `eip155:${chainId}`]) {
        const { network = "" } = findMeantNetwork(id) ?? {}
        expect(Network.isNetwork(network) ? Network.info(network).chainId : undefined).toBe(chainId)
      }
    }
  })
})

describe("names beside the ids", () => {
  const meantBy = (text: string) => findMeantNetwork(text)?.network
  const named = Object.entries(names).flatMap(([id, { field = "", provider = "" }]) =>
    [...field.split(" "), ...provider.split(" ")]
      .filter((name) => name !== "")
      .map((name) => [name, id] as const)
  )

  it("are of one network each, and no other one's id", () => {
    const seen = new Map<string, string>()
    for (const [name, id] of named) {
      expect([name, seen.get(name) ?? id]).toEqual([name, id])
      seen.set(name, id)
      expect(Network.isNetwork(name)).toBe(false)
      expect([name, meantBy(name)]).toEqual([name, id])
    }
  })

  it("with -mainnet are those of a mainnet, and with -testnet never", () => {
    for (const [name] of named) {
      const found = meantBy(`${name}-testnet`)
      if (found !== undefined && names[found]?.field?.split(" ").includes(`${name}-testnet`))
        expect([name, Network.isNetwork(found) && Network.isTestnet(found)]).toEqual([name, true])
    }
  })
})

describe("a configuration with another name of a network", () => {
  // the types have ids alone; plain JavaScript and the environment have what people write
  const configOf = (network: unknown) => ({ network, quiet: true, rpc: { nodes: [] } }) as InitConfig
  const aliases = Object.entries(names).flatMap(([id, { provider }]) =>
    (provider === undefined ? [] : provider.split(" ")).map((name) => [name, id] as const)
  )

  it.each(aliases)("is that of the network which the provider calls so: %s is %s", async (name, id) => {
    const sdk = await init(configOf(name))
    expect(sdk.network).toBe(id)
    await sdk.destroy()
  })

  it.each([
    ["eip155:1", "ethereum-mainnet"],
    ["eip155:8217", "kaia-mainnet"],
    ["bip122:000000000019d6689c085ae165831e93", "bitcoin-mainnet"],
    ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solana-devnet"],
    ["algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k", "algorand-mainnet-algod"],
    ["tron:728126428", "tron-mainnet"],
    ["tron:0x2b6653dc", "tron-mainnet"]
  ])("is that of the network which CAIP-2 calls so: %s is %s", async (name, id) => {
    const sdk = await init(configOf(name))
    expect(sdk.network).toBe(id)
    await sdk.destroy()
  })

  it.each([
    ["eth-mainnet", "ethereum-mainnet"],
    ["bnb", "bsc-mainnet"],
    ["ARB_ONE_MAINNET", "arbitrum-one-mainnet"],
    [1, "ethereum-mainnet"],
    [10n, "optimism-mainnet"],
    ["0x1", "ethereum-mainnet"]
  ])("is refused with the id that was meant: %s", async (network, suggestion) => {
    const refused = { _tag: "UnsupportedNetwork", network: String(network), suggestion }
    await expect(init(configOf(network))).rejects.toMatchObject(refused)
  })
})
