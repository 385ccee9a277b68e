// @runtime both
/** The messages about a user's mistakes: the place, the problem, and the values that fit. */
import { describe, expect, it } from "vitest"
import { type InitConfig, init, type PromiseSdk } from "../src/promise.js"

const url = "http://127.0.0.1:1"
const one = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const fetch = () => Promise.reject(new Error("nothing is to be sent"))

/** What JavaScript may pass. */
const anything = (value: unknown) => value as never

const messageOf = async (made: Promise<unknown>): Promise<string> => {
  try {
    const result = await made
    if (typeof result !== "object" || result === null) return "nothing is wrong"
    const error: unknown = Reflect.get(result, "error")
    return typeof error === "object" && error !== null
      ? [Reflect.get(error, "message")].flat().join(" | ")
      : "nothing is wrong"
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

/** A call with an argument more than the method takes, which the compiler would not let through. */
const excess = (method: (...args: ReadonlyArray<never>) => Promise<unknown>): Promise<unknown> =>
  method(anything(`0x${"11".repeat(32)}`), anything(false), anything(1))

type Row = readonly [given: unknown, message: string]

const configurations: ReadonlyArray<Row> = [
  [null, "Invalid configuration: config must be an object with a network"],
  [{}, "Invalid configuration: network is missing"],
  [{ network: "etherum-mainnet" }, 'Unsupported network etherum-mainnet. Did you mean "ethereum-mainnet"?'],
  [{ network: "ethereum" }, 'Unsupported network ethereum. Did you mean "ethereum-mainnet"?'],
  [{ network: "Ethereum Mainnet" }, 'Unsupported network Ethereum Mainnet. Did you mean "ethereum-mainnet"?'],
  [{ network: "moon-mainnet-of-cheese" }, "Unsupported network moon-mainnet-of-cheese"],
  [{ network: 1 }, 'Unsupported network 1. Did you mean "ethereum-mainnet"?'],
  [{ network: {} }, "Invalid configuration: network must be an id, or what defineNetwork returns"],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [url] } },
    'Invalid configuration: rpc.nodes[0] must be { url: "https://node.example", type: "normal" }, not a string'
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: url } },
    "Invalid configuration: rpc.nodes must be a list, not a string"
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [{}] } },
    'Invalid configuration: rpc.nodes[0].url is missing: give { url: "https://node.example", type: "normal" }'
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [{ uri: url }] } },
    'Invalid configuration: rpc.nodes[0].url is missing: give { url: "https://node.example", type: "normal" }; rpc.nodes[0].uri is not an option; there are jsonRpcUrl, beaconUrl, rosettaUrl, waspUrl, tonCenterUrl, graphqlUrl, url, wsUrl, type, weight, headers, sendApiKey, quota'
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [{ url: "node.example" }] } },
    'Invalid configuration: rpc.nodes[0].url must be an absolute url such as "https://node.example"'
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [{ url: "wss://node.example" }] } },
    "Invalid configuration: rpc.nodes[0].url must be an http or https url"
  ],
  [
    { network: "ethereum-mainnet", rpc: { nodes: [{ url, type: "full" }] } },
    'Invalid configuration: rpc.nodes[0].type must be "normal" or "archive" or 0 or 1, not a string'
  ],
  [{ network: "ethereum-mainnet", rpc: url }, "Invalid configuration: rpc must be an object, not a string"],
  [
    { network: "ethereum-mainnet", apiKeys: "x" },
    "Invalid configuration: apiKeys is not an option; did you mean apiKey? There are network, apiKey, version, retryCount, retryDelay, timeout, attemptTimeout, maxResponseBytes, rpc, provider, sendSdkHeaders, verifyChain, selection, hedge, retryBudget, consistency, quota, health, logger, quiet, verbose, batch, coalesce, dataApi, subscriptions, configureExtensions, configureWalletProviders"
  ],
  [
    { network: "ethereum-mainnet", timeout: "5s" },
    "Invalid configuration: timeout must be a number above 0, not a string"
  ],
  [{ network: "ethereum-mainnet", fetch: 5 }, "Invalid configuration: fetch must be a function"]
]

const calls: ReadonlyArray<readonly [(sdk: PromiseSdk<"ethereum-mainnet">) => Promise<unknown>, string]> = [
  [(sdk) => sdk.address.getBalance(anything(undefined)), "address.getBalance: must be an object"],
  [
    (sdk) => sdk.address.getBalance(anything({})),
    "address.getBalance: must have either address or addresses, a list of at least one"
  ],
  [
    (sdk) => sdk.address.getBalance({ address: "0x123" }),
    'address.getBalance: address: "0x123" is not an address of ethereum-mainnet, which is 0x and 40 hexadecimal digits'
  ],
  [
    (sdk) => sdk.address.getBalance({ addresses: [one, "vitalik.eth"] }),
    'address.getBalance: addresses.1: "vitalik.eth" is not an address of ethereum-mainnet, which is 0x and 40 hexadecimal digits'
  ],
  [
    (sdk) => sdk.address.getBalance(anything({ address: 5 })),
    "address.getBalance: address: must be text, not number 5"
  ],
  [
    (sdk) => sdk.address.getBalance(anything({ address: one, tokenTypes: ["coupon"] })),
    "address.getBalance: tokenTypes.0: must be one of native, fungible, nft, multitoken"
  ],
  [
    (sdk) => sdk.address.getBalance(anything({ address: one, page: -1 })),
    "address.getBalance: page: must be a whole number from 0"
  ],
  [
    (sdk) => sdk.address.getTransactions(anything({ address: one, transactionDirection: "out" })),
    "address.getTransactions: transactionDirection: must be one of incoming, outgoing"
  ],
  [
    (sdk) => sdk.address.getTransactions(anything({})),
    "address.getTransactions: must have either address or addresses, a list of at least one"
  ],
  [
    (sdk) => sdk.token.getBalance(anything({ addresses: ["x"] })),
    "token.getBalance: addresses.0: must be an address: 0x and 40 hexadecimal digits"
  ],
  [(sdk) => sdk.token.getTokenMetadata(anything({})), "token.getTokenMetadata: tokenAddress: is missing"],
  [
    (sdk) => sdk.nft.getNftMetadata(anything({ tokenAddress: one })),
    "nft.getNftMetadata: tokenId: is missing"
  ],
  [
    (sdk) => sdk.nft.getNftMetadata(anything({ tokenAddress: one, tokenId: {} })),
    "nft.getNftMetadata: tokenId: must be text, not an object"
  ],
  [
    (sdk) => sdk.rates.getCurrentRate(anything(5), "EUR"),
    "rates.getCurrentRate: currency: must be text, not number 5"
  ],
  [
    (sdk) => sdk.rates.getCurrentRateBatch(anything("BTC")),
    "rates.getCurrentRateBatch: must be a list, not a string"
  ],
  [
    (sdk) => sdk.notification.subscribe.addressEvent(anything({ address: one })),
    "notification.subscribe.addressEvent: url: is missing"
  ],
  [
    (sdk) => sdk.notification.subscribe.addressEvent(anything({ address: one, url: "ftp://x.example" })),
    "notification.subscribe.addressEvent: url: must be an http or https url of at most 500 characters"
  ],
  [
    (sdk) => sdk.notification.unsubscribe(anything(5)),
    "notification.unsubscribe: must be text, not number 5"
  ],
  [
    (sdk) => sdk.ipfs.uploadFile(anything({ file: 5 })),
    "ipfs.uploadFile: file must be a Blob, bytes, text, a stream or iterable of bytes, or { path } of a file where Node is"
  ],
  [(sdk) => sdk.data.getEvents(anything({ chain: 5 })), "data.getEvents: chain: must be text, not number 5"],
  [(sdk) => sdk.provider.get(anything({ path: 5 })), "provider.get: path: must be text, not number 5"],
  [
    (sdk) => sdk.rpc.getBlockByNumber(anything(1.5)),
    "eth_getBlockByNumber: the block must be a whole number from 0 or a 0x string, not 1.5"
  ],
  [
    (sdk) => sdk.rpc.getBalance(one, anything("newest")),
    'eth_getBalance: the block must be a whole number from 0 or a 0x string, not "newest"'
  ],
  [(sdk) => excess(sdk.rpc.getBlockByHash), "eth_getBlockByHash: it takes 2 arguments, and the call has 3"],
  [
    (sdk) => sdk.rpc.rawRpcCall(anything({})),
    "rawRpcCall: the body needs a method, and its id must be text or a whole number"
  ],
  [
    (sdk) => sdk.rpc.beacon.v1.getBlockRoot(anything({})),
    "GET /eth/v1/beacon/blocks/{blockId}/root: blockId is missing"
  ],
  [
    (sdk) => sdk.with(anything({ timeOut: 5 })).rpc.blockNumber(),
    "with: timeOut is not an option; did you mean timeout? There are timeout, attemptTimeout, node, coalesce, batch, quorum, minBlock, archive, signal"
  ]
]

describe("a bad configuration", () => {
  it.each(configurations)("%j", async (config, message) => {
    // wrong on purpose
    expect(await messageOf(init(config as InitConfig))).toBe(message)
  })
})

describe("a bad argument", () => {
  it.each(calls)("%s", async (call, message) => {
    const sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url }] },
      verifyChain: false,
      quiet: true,
      fetch: anything(fetch)
    })
    expect(await messageOf(call(sdk))).toBe(message)
    await sdk.destroy()
  })
})
