import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { zora } from "viem/chains"
import { fromCosmosRegistry, fromEthereumList, fromViemChain } from "../src/define.js"
import { runs } from "./properties.js"
import { catchThrown, invalid } from "./thrown.js"

describe("viem's chains", () => {
  it("become definitions, with their sockets, explorers and stack", () => {
    const network = fromViemChain(zora, { id: "zora-mainnet" })
    expect(network).toMatchObject({
      id: "zora-mainnet",
      family: "evm",
      chainId: 7_777_777,
      name: "Zora",
      currency: { symbol: "ETH", decimals: 18, name: "Ether" },
      testnet: false,
      rollup: "op",
      nodes: [{ url: "https://rpc.zora.energy", wsUrl: "wss://rpc.zora.energy" }],
      explorers: [{ url: "https://explorer.zora.energy", name: "Explorer" }]
    })
    const chainId: 7777777 = network.chainId
    const id: "zora-mainnet" = network.id
    expect([chainId, id]).toEqual([7_777_777, "zora-mainnet"])
  })

  it("have an id of their name where none is given", () => {
    expect(fromViemChain({ ...zora, name: "My Own! Chain (L2)" }).id).toBe("my-own-chain-l2")
  })

  it("of networks of the table are refused with their id", () => {
    expect(catchThrown(() => fromViemChain({ ...zora, id: 10 }))).toEqual(
      invalid("chainId", /is that of optimism-mainnet/)
    )
  })
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: placeholders of the lists
const listed = {
  name: "Example Testnet",
  chain: "EXT",
  rpc: [
    "https://rpc.example/${API_KEY}",
    "https://free.example/",
    "wss://free.example/ws",
    "https://other.example",
    "wss://push.example/${WS_KEY}"
  ],
  faucets: [],
  nativeCurrency: { name: "Example", symbol: "EXT", decimals: 18 },
  shortName: "ext",
  chainId: 987_654,
  networkId: 987_654,
  slip44: 1,
  explorers: [{ name: "scan", url: "https://scan.example", standard: "EIP3091" }]
}

describe("entries of ethereum-lists", () => {
  it("leave out urls whose placeholders nobody fills", () => {
    const network = fromEthereumList(listed)
    expect(network).toMatchObject({
      id: "example-testnet",
      chainId: 987_654,
      testnet: true,
      nodes: [
        { url: "https://free.example/", wsUrl: "wss://free.example/ws" },
        { url: "https://other.example" }
      ],
      explorers: [{ name: "scan", url: "https://scan.example" }]
    })
  })

  it("fill placeholders with the caller's keys, in urls and sockets", () => {
    expect(fromEthereumList(listed, { keys: { API_KEY: "a/b", WS_KEY: "w" } }).nodes).toEqual([
      { url: "https://rpc.example/a%2Fb", wsUrl: "wss://push.example/w" },
      { url: "https://free.example/", wsUrl: "wss://free.example/ws" },
      { url: "https://other.example" }
    ])
  })

  it("take nodes of the caller in place of theirs", () => {
    expect(fromEthereumList(listed, { nodes: [{ url: "http://127.0.0.1:8545" }] }).nodes).toEqual([
      { url: "http://127.0.0.1:8545" }
    ])
  })

  it.each([
    ["chainId", /is missing/, { ...listed, chainId: undefined }],
    ["chainId", /must be a whole number/, { ...listed, chainId: "0x1" }],
    ["rpc", /must be a list/, { ...listed, rpc: "https://a.example" }],
    ["rpc[1]", /must be text/, { ...listed, rpc: ["https://a.example", 5] }],
    ["nativeCurrency.symbol", /is missing/, { ...listed, nativeCurrency: { decimals: 18, name: "A" } }],
    ["chain", /must be an object/, []]
  ])("with a wrong %s are refused", (path, message, value) => {
    // @ts-expect-error: the data is wrong
    expect(catchThrown(() => fromEthereumList(value))).toEqual(invalid(path, message))
  })
})

const osmosis = {
  chain_name: "osmosis",
  pretty_name: "Osmosis",
  chain_id: "osmosis-1",
  network_type: "mainnet",
  bech32_prefix: "osmo",
  fees: { fee_tokens: [{ denom: "uosmo", fixed_min_gas_price: 0.0025, average_gas_price: 0.025 }] },
  staking: { staking_tokens: [{ denom: "uosmo" }] },
  apis: {
    rest: [{ address: "https://lcd.osmosis.example/", provider: "a" }],
    rpc: [{ address: "https://rpc.osmosis.example" }]
  },
  explorers: [
    {
      kind: "Mintscan",
      url: "https://www.mintscan.io/osmosis",
      tx_page: "https://www.mintscan.io/osmosis/txs/${txHash}"
    }
  ]
}
const assets = {
  chain_name: "osmosis",
  assets: [
    {
      base: "uion",
      display: "ion",
      symbol: "ION",
      denom_units: [
        { denom: "uion", exponent: 0 },
        { denom: "ion", exponent: 6 }
      ]
    },
    {
      base: "uosmo",
      display: "osmo",
      symbol: "OSMO",
      name: "Osmosis",
      denom_units: [
        { denom: "uosmo", exponent: 0 },
        { denom: "osmo", exponent: 6 }
      ]
    }
  ]
}

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: placeholders of the lists

describe("chains of the Cosmos registry", () => {
  it("become definitions, with the coin of their list of assets", () => {
    expect(fromCosmosRegistry(osmosis, assets, { id: "osmosis-mainnet" })).toMatchObject({
      id: "osmosis-mainnet",
      family: "cosmos",
      name: "Osmosis",
      currency: { symbol: "OSMO", decimals: 6, name: "Osmosis" },
      cosmos: { chainId: "osmosis-1", bech32Prefix: "osmo", denom: "uosmo", gasPrice: "0.025" },
      nodes: [{ url: "https://lcd.osmosis.example/" }],
      explorers: [{ url: "https://www.mintscan.io/osmosis", name: "Mintscan" }]
    })
  })

  it("keep small prices of gas as decimal text", () => {
    const fees = { fee_tokens: [{ denom: "uosmo", fixed_min_gas_price: 0.000000025 }] }
    expect(fromCosmosRegistry({ ...osmosis, fees }, assets).cosmos?.gasPrice).toBe("0.000000025")
  })

  it.each([
    ["chain_id", /is missing/, { ...osmosis, chain_id: undefined }, assets],
    [
      "staking.staking_tokens",
      /must name the chain's own coin/,
      { ...osmosis, staking: undefined, fees: undefined },
      assets
    ],
    ["assets", /have no uosmo/, osmosis, { assets: [] }],
    ["apis.rest[0].address", /must be text/, { ...osmosis, apis: { rest: [{}] } }, assets],
    ["chain", /must be an object/, osmosis, undefined]
  ])("with a wrong %s are refused", (path, message, chain, list) => {
    // @ts-expect-error: the data is wrong
    expect(catchThrown(() => fromCosmosRegistry(chain, list))).toEqual(invalid(path, message))
  })
})

it("whatever data they are given, builders give a definition or InvalidConfig", () => {
  const keys = [
    ...Object.keys(listed),
    ...Object.keys(osmosis),
    ...Object.keys(zora),
    "default",
    "http",
    "denom",
    "base",
    "denom_units"
  ]
  const data = FastCheck.anything({
    key: FastCheck.constantFrom(...keys),
    withBigInt: true,
    withNullPrototype: true,
    maxDepth: 4
  })
  const changed = <A extends object>(base: A) =>
    FastCheck.dictionary(FastCheck.constantFrom(...Object.keys(base)), data).map((change) => ({
      ...base,
      ...change
    }))
  const builders: ReadonlyArray<(given: unknown) => unknown> = [
    // data of any form, which the types would not take
    (given) => fromViemChain(given as never),
    (given) => fromEthereumList(given as never),
    (given) => fromCosmosRegistry(given as never, assets),
    (given) => fromCosmosRegistry(osmosis, given as never)
  ]
  FastCheck.assert(
    FastCheck.property(
      FastCheck.oneof(data, changed(listed), changed(osmosis), changed(zora), changed(assets)),
      FastCheck.constantFrom(...builders),
      (given, build) => {
        const result = (() => {
          try {
            return build(given)
          } catch (error) {
            return error
          }
        })()
        return Object.isFrozen(result) || Reflect.get(Object(result), "_tag") === "InvalidConfig"
      }
    ),
    { numRuns: runs(2_000) }
  )
})
