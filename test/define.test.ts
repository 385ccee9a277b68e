// @runtime both
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { parseDefinition } from "../src/config/defineNetwork.js"
import { defineNetwork, type NetworkDefinition } from "../src/define.js"
import { init as initCosmos } from "../src/entries/Cosmos.js"
import { init as initEvm } from "../src/entries/Evm.js"
import { createClient, getBalance } from "../src/pick/evm.js"
import { type InitConfig, init, type PromiseSdk } from "../src/promise.js"
import { runs } from "./properties.js"
import { catchThrown, invalid } from "./thrown.js"

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

describe("a client of a definition that says what the provider does for its network", () => {
  const provided = defineNetwork({
    id: "provided-chain",
    family: "evm",
    chainId: 990_080,
    currency,
    nodes,
    slug: "their-chain",
    services: { data: ["portfolio", "history"], fee: true, notification: "TST", code: "ETH_TST" }
  })
  const owner = "0x00000000000000000000000000000000000000aa"

  /** The provider, by path. It says of other paths that it has nothing there. */
  const provider = (answers: Readonly<Record<string, unknown>>) => {
    const asked: Array<{ readonly url: URL; readonly body: unknown }> = []
    const node = chain(990_080)
    const fetch: typeof globalThis.fetch = async (input, options) => {
      const url = new URL(String(input))
      if (url.port === "1") return node.fetch(input, options)
      asked.push({ url, body: typeof options?.body === "string" ? JSON.parse(options.body) : undefined })
      const answer = answers[url.pathname.replace("/v4/", "")]
      return Response.json(answer ?? { statusCode: 404, message: "Not Found" }, {
        status: answer ? 200 : 404
      })
    }
    return { asked, fetch, provider: { baseUrl: "http://127.0.0.1:3" } }
  }

  it("reads balances where the definition says so, by the provider's name and under its own id", async () => {
    const token = { chain: "their-chain", address: owner, type: "fungible", tokenAddress: "0xcc" }
    const { asked, ...over } = provider({
      "data/wallet/portfolio": {
        result: [{ ...token, balance: "250", decimals: 2, denominatedBalance: "2.5" }]
      }
    })
    const sdk = await start({ network: provided, ...over })
    const found = await sdk.address.getBalance({ address: owner, tokenTypes: ["fungible"] })
    expect(found).toMatchObject({
      status: "SUCCESS",
      data: expect.arrayContaining([
        { address: owner, tokenAddress: "0xcc", balance: "2.5", decimals: 2, type: "fungible" }
      ])
    })
    const chains = asked.filter(({ url }) => url.pathname.endsWith("portfolio"))
    expect(new Set(chains.map(({ url }) => url.searchParams.get("chain")))).toEqual(new Set(["their-chain"]))
  })

  it("asks for fees by the provider's code of the ledger", async () => {
    const { asked, ...over } = provider({
      "blockchain/fee/ETH_TST": {
        ...{ slow: 1e9, medium: 2e9, fast: 3e9, baseFee: 1e9 },
        ...{ time: "2026-01-01T00:00:00Z", block: 7 }
      }
    })
    const sdk = await start({ network: provided, ...over })
    expect(await sdk.fee.getCurrentFee()).toMatchObject({
      status: "SUCCESS",
      data: { chain: "provided-chain", gasPrice: { slow: "1", medium: "2", fast: "3" } }
    })
    expect(asked.some(({ url }) => url.pathname === "/v4/blockchain/fee/ETH_TST")).toBe(true)
  })

  it("subscribes with the definition's code", async () => {
    const { asked, ...over } = provider({ subscription: { id: "64" } })
    const sdk = await start({ network: provided, ...over })
    expect(
      await sdk.notification.subscribe.addressEvent({ address: owner, url: "https://hook.example" })
    ).toMatchObject({ status: "SUCCESS", data: { id: "64", chain: "TST" } })
    expect(asked.find(({ url }) => url.pathname === "/v4/subscription")?.body).toMatchObject({
      attr: { chain: "TST", address: owner }
    })
  })

  it("says of routes that the definition does not name that they do not serve it", async () => {
    const { asked, ...over } = provider({})
    const sdk = await start({ network: provided, ...over })
    const answer = await sdk.token.getTokenMetadata({ tokenAddress: owner })
    expect(answer).toMatchObject({ status: "ERROR", error: { cause: { _tag: "NotSupportedForNetwork" } } })
    expect(asked.filter(({ url }) => url.pathname.includes("/data/"))).toEqual([])
  })

  it("has none of it without that, and none of the data API's routes before today's", async () => {
    const { asked, ...over } = provider({})
    const bare = defineNetwork({
      id: "unprovided-chain",
      family: "evm",
      chainId: 990_081,
      currency,
      nodes,
      slug: "a"
    })
    const sdk = await start({ network: bare, ...over })
    // @ts-expect-error: its type has no such service
    const { fee, notification } = sdk
    expect(await fee.getCurrentFee()).toMatchObject({ error: { cause: { _tag: "NotSupportedForNetwork" } } })
    expect(
      await notification.subscribe.addressEvent({ address: owner, url: "https://hook.example" })
    ).toMatchObject({ error: { cause: { _tag: "NotSupportedForNetwork" } } })
    const legacy = await start({ network: provided, dataApi: "legacy", ...over })
    expect(await legacy.address.getTransactions({ address: owner })).toMatchObject({
      error: { cause: { _tag: "NotSupportedForNetwork" } }
    })
    expect(asked).toEqual([])
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
    ["chainId", /is not an option/, { ...good, family: "near", near: { chainId: "a" } }],
    ["near", /is missing/, { ...good, chainId: undefined, family: "near" }],
    ["slug", /is missing: services know/, { ...good, services: { fee: true } }],
    [
      "services.data[0]",
      /did you mean portfolio|must be/,
      { ...good, slug: "a", services: { data: ["portfolios"] } }
    ],
    ["services.fee", /must be true/, { ...good, slug: "a", services: { fee: "yes" } }],
    ["services.notification", /ledger/, { ...good, slug: "a", services: { notification: "eth base" } }],
    ["services.fees", /did you mean fee/, { ...good, slug: "a", services: { fees: true } }],
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
    expect(catchThrown(() => parseDefinition(value))).toEqual(invalid(path, message))
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
      "services",
      "data",
      "fee",
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
          const made = parseDefinition(given)
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
      { numRuns: runs(2_000) }
    )
  })
})
