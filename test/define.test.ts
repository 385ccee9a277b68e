import { afterEach, describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { definitionOf } from "../src/config/define.js"
import { defineNetwork, type NetworkDefinition } from "../src/define.js"
import { init as initCosmos } from "../src/entries/Cosmos.js"
import { init as initEvm } from "../src/entries/Evm.js"
import { createClient, getBalance } from "../src/pick/evm.js"
import { type InitConfig, init, type PromiseSdk } from "../src/promise.js"
import { invalid, thrown } from "./thrown.js"

const open: Array<AsyncDisposable> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sdk) => sdk[Symbol.asyncDispose]()))
})

const currency = { symbol: "TST", decimals: 18 } as const
const nodes = [{ url: "http://127.0.0.1:1" }] as const

const alpha = defineNetwork({ id: "alpha-chain", family: "evm", chainId: 990_001, currency, nodes })

/** A node of a chain: it says its id and the height 7, and that any account has 16. */
const chain = (chainId: number) => {
  const asked: Array<{ readonly url: string; readonly method: string }> = []
  const answers: Readonly<Record<string, string>> = {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_blockNumber: "0x7",
    eth_getBalance: "0x10"
  }
  const fetch: typeof globalThis.fetch = async (input, options) => {
    const { id, method } = JSON.parse(String(options?.body))
    asked.push({ url: String(input), method })
    return new Response(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? null }))
  }
  return { asked, fetch }
}

const quietly = { quiet: true, retryCount: 0 } as const

const start = async <const N extends NetworkDefinition>(
  config: InitConfig<N, "eventual">
): Promise<PromiseSdk<N>> => {
  const sdk = await init<N>({ ...quietly, ...config })
  open.push(sdk)
  return sdk
}

const issuesOf = async (made: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await made.then(
    () => "it was made",
    (failure: unknown) => failure
  )
  return error
}

describe("a client of a definition", () => {
  it("has links to the explorer that its definition names, and none without one", async () => {
    const linked = defineNetwork({
      id: "linked-chain",
      family: "evm",
      chainId: 990_077,
      currency,
      nodes,
      explorers: [{ url: "https://scan.example/" }]
    })
    const link = await (await start({ network: linked })).explorer.tx("0xab")
    expect(link).toMatchObject({ status: "SUCCESS", data: "https://scan.example/tx/0xab" })
    const none = await (await start({ network: alpha })).explorer.tx("0xab")
    expect(none).toMatchObject({ status: "ERROR", error: { cause: { _tag: "NotSupportedForNetwork" } } })
  })

  it("calls the nodes of the definition", async () => {
    const { asked, fetch } = chain(990_001)
    const sdk = await start({ network: alpha, fetch })
    expect(await sdk.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    expect(sdk.network).toBe("alpha-chain")
    expect(asked.map(({ url }) => url)).toContain("http://127.0.0.1:1")
  })

  it("calls the nodes of its configuration in place of those", async () => {
    const { asked, fetch } = chain(990_001)
    const sdk = await start({ network: alpha, fetch, rpc: { nodes: [{ url: "http://127.0.0.1:2" }] } })
    expect(await sdk.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(["http://127.0.0.1:2"]))
  })

  it("trusts no node of another chain", async () => {
    const { fetch } = chain(1)
    const sdk = await start({ network: alpha, fetch })
    const answer = await sdk.rpc.getBalance("0x1")
    expect(answer).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "NodeError", kind: "wrong-chain" } }
    })
    expect(JSON.stringify(answer)).toContain("990001")
  })

  it("has the calls of an EVM chain, and says of histories that it has none", async () => {
    const sdk = await start({ network: alpha, fetch: chain(990_001).fetch })
    expect(Object.keys(sdk.rpc)).toEqual(
      expect.arrayContaining(["getBlockByNumber", "subscribe", "viemTransport"])
    )
    // @ts-expect-error: its type has no such service
    const { address } = sdk
    expect(
      await address.getTransactions({ address: "0x0000000000000000000000000000000000000001" })
    ).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "NotSupportedForNetwork" } }
    })
  })

  it("is made by the module of its family, and refused by another", async () => {
    const { fetch } = chain(990_001)
    const sdk = await initEvm({ ...quietly, network: alpha, fetch })
    open.push(sdk)
    expect(await sdk.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    const wrong = initCosmos({
      ...quietly,
      // @ts-expect-error: it is of another family
      network: alpha
    })
    expect(await issuesOf(wrong)).toEqual(invalid("network", /is of the family evm/))
  })

  it("is made of picked endpoints", async () => {
    const { fetch } = chain(990_001)
    const client = await createClient({ ...quietly, network: alpha, endpoints: { getBalance }, fetch })
    open.push(client)
    expect(await client.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    expect(client.network).toBe("alpha-chain")
  })

  it("of another family than the picked endpoints is refused", async () => {
    const cosmos = defineNetwork({
      id: "beta-hub",
      family: "cosmos",
      currency: { symbol: "BETA", decimals: 6 },
      cosmos: { chainId: "beta-1", bech32Prefix: "beta", denom: "ubeta" },
      nodes
    })
    const wrong = createClient({
      ...quietly,
      // @ts-expect-error: it is of another family
      network: cosmos,
      endpoints: { getBalance }
    })
    expect(await issuesOf(wrong)).toEqual(invalid("network", /is of the family cosmos/))
  })

  it("without nodes says what to do", async () => {
    const bare = defineNetwork({ id: "bare-chain", family: "evm", chainId: 990_002, currency })
    const withoutNodes = invalid("rpc.nodes", /give nodes here or in its definition/)
    expect(await issuesOf(start({ network: bare }))).toEqual(withoutNodes)
    const picked = createClient({ ...quietly, network: bare, endpoints: { getBalance } })
    expect(await issuesOf(picked)).toEqual(withoutNodes)
  })

  it("without nodes goes over the provider where the definition has its name there", async () => {
    const slugged = defineNetwork({
      id: "slug-chain",
      family: "evm",
      chainId: 990_003,
      currency,
      slug: "slug-mainnet"
    })
    const { asked, fetch } = chain(990_003)
    const sdk = await start({ network: slugged, fetch, provider: { baseUrl: "http://127.0.0.1:3" } })
    expect(await sdk.rpc.getBalance("0x1")).toEqual({ status: "SUCCESS", data: 16n })
    expect(asked[0]?.url).toBe("http://127.0.0.1:3/v3/blockchain/node/slug-mainnet")
  })

  it("is refused where another chain has its id, and not for other nodes", async () => {
    await start({ network: alpha, fetch: chain(990_001).fetch })
    const moved = defineNetwork({
      id: "alpha-chain",
      family: "evm",
      chainId: 990_001,
      currency,
      nodes: [{ url: "http://127.0.0.1:9" }],
      name: "Alpha"
    })
    expect((await start({ network: moved, fetch: chain(990_001).fetch })).network).toBe("alpha-chain")
    const other = defineNetwork({ id: "alpha-chain", family: "evm", chainId: 990_004, currency, nodes })
    const taken = invalid("network", /is another definition of alpha-chain/)
    expect(await issuesOf(start({ network: other }))).toEqual(taken)
    const picked = createClient({ ...quietly, network: other, endpoints: { getBalance } })
    expect(await issuesOf(picked)).toEqual(taken)
  })

  it("is made of what defineNetwork returns alone", async () => {
    const raw = { id: "raw-chain", family: "evm", chainId: 990_005, currency, nodes }
    // @ts-expect-error: it is no definition
    expect(await issuesOf(init({ network: raw }))).toEqual(invalid("network", /what defineNetwork returns/))
  })
})

describe("a definition", () => {
  it("is frozen, and a copy", () => {
    const given = {
      id: "frozen-chain",
      family: "evm",
      chainId: 990_006,
      currency: { ...currency },
      nodes: [...nodes]
    } as const
    const definition = defineNetwork(given)
    expect(Object.isFrozen(definition)).toBe(true)
    expect(Object.isFrozen(definition.nodes)).toBe(true)
    expect(Object.isFrozen(definition.currency)).toBe(true)
    expect(definition.currency).not.toBe(given.currency)
    expect(JSON.parse(JSON.stringify(definition))).toEqual({
      ...given,
      name: "frozen-chain",
      testnet: false,
      explorers: []
    })
  })

  const good = { id: "good-chain", family: "evm", chainId: 990_007, currency }

  it.each([
    ["id", /is a network of the table/, { ...good, id: "ethereum-mainnet" }],
    ["id", /small letters/, { ...good, id: "Good Chain" }],
    ["id", /small letters/, { ...good, id: "constructor" }],
    ["id", /is missing/, { ...good, id: undefined }],
    ["family", /did you mean|must be/, { ...good, family: "evmm" }],
    ["chainId", /is that of base-mainnet/, { ...good, chainId: 8_453 }],
    ["chainId", /is missing/, { ...good, chainId: undefined }],
    ["chainId", /safe integer above 0/, { ...good, chainId: 1.5 }],
    ["chainId", /safe integer above 0/, { ...good, chainId: "0x1" }],
    ["currency.decimals", /0 to 255/, { ...good, currency: { symbol: "A", decimals: 256 } }],
    ["currency.symbol", /is missing/, { ...good, currency: { decimals: 6 } }],
    ["currency", /is missing/, { ...good, currency: undefined }],
    ["nodes[0].url", /is missing/, { ...good, nodes: [{ uri: "http://a.example" }] }],
    [
      "nodes[0].wsUrl",
      /ws or wss/,
      { ...good, nodes: [{ url: "http://a.example", wsUrl: "http://a.example" }] }
    ],
    ["explorers[0].url", /http or https/, { ...good, explorers: [{ url: "ftp://a.example" }] }],
    ["chaiinId", /did you mean chainId/, { ...good, chaiinId: 5 }],
    ["rollup", /must be "op" or "arbitrum"/, { ...good, rollup: "zk" }],
    ["cosmos", /is missing/, { ...good, chainId: undefined, family: "cosmos" }],
    [
      "cosmos.denom",
      /is missing/,
      { ...good, chainId: undefined, family: "cosmos", cosmos: { chainId: "a-1", bech32Prefix: "a" } }
    ],
    ["chainId", /is not an option/, { ...good, family: "near" }],
    [
      "utxo.wif",
      /0 to 255/,
      {
        ...good,
        chainId: undefined,
        family: "utxo",
        utxo: { genesisHash: "0".repeat(64), pubKeyHash: 1, scriptHash: 2, wif: 300 }
      }
    ],
    ["definition", /must be an object/, 5],
    ["definition", /must be an object/, null],
    [
      "definition",
      /cannot be read/,
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no")
          }
        }
      )
    ]
  ])("with a wrong %s is refused", (path, message, value) => {
    expect(thrown(() => definitionOf(value))).toEqual(invalid(path, message))
  })

  it("that is wrong in any way is InvalidConfig, and never anything else", () => {
    const fields = [
      "id",
      "family",
      "chainId",
      "currency",
      "name",
      "testnet",
      "nodes",
      "explorers",
      "slug",
      "rollup",
      "cosmos",
      "utxo",
      "solana",
      "stellar",
      "tezos",
      "algorand",
      "symbol",
      "decimals",
      "url",
      "wsUrl",
      "headers",
      "__proto__",
      "constructor"
    ]
    const families = [
      "evm",
      "evm-beacon",
      "zksync",
      "tron",
      "cosmos",
      "utxo",
      "doge",
      "solana",
      "near",
      "none"
    ]
    const value = FastCheck.anything({
      key: FastCheck.constantFrom(...fields),
      withBigInt: true,
      withNullPrototype: true,
      withMap: true,
      withSet: true,
      withDate: true,
      withTypedArray: true,
      withSparseArray: true,
      maxDepth: 4
    })
    const near = FastCheck.record(
      Object.fromEntries(
        fields.map((name) => [name, name === "family" ? FastCheck.constantFrom(...families) : value])
      ),
      { requiredKeys: [] }
    )
    const whole = FastCheck.record({
      base: FastCheck.constant(good),
      change: near
    }).map(({ base, change }) => ({ ...base, ...change }))
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(value, near, whole), (given) => {
        try {
          const made = definitionOf(given)
          // what passes is whole
          return (
            Object.isFrozen(made) && typeof made.id === "string" && typeof made.currency.decimals === "number"
          )
        } catch (error) {
          return (
            error instanceof Error &&
            Reflect.get(error, "_tag") === "InvalidConfig" &&
            error.message.length > 0
          )
        }
      }),
      { numRuns: 2_000 }
    )
  })
})
