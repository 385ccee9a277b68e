import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as SdkError from "../src/data/SdkError.js"
import { runs } from "./properties.js"

const {
  AccountAccessDenied,
  Aborted,
  BlockNotReached,
  CallTimeout,
  ChainNotSupported,
  DecimalsUnreadable,
  TransactionFailed,
  MissingPeer,
  InvalidMnemonic,
  InvalidKey,
  InvalidAddress,
  InvalidAmount,
  InsufficientFunds,
  DustAmount,
  FeeOverCap,
  GasOverCap,
  PolicyDenied,
  SweepIncomplete,
  MemoRequired,
  NonceTaken,
  SigningFailed,
  BroadcastUnclear,
  TransactionReplaced,
  ContractReverted,
  decodeErrorBody,
  displayUrl,
  ExtensionFailed,
  ExtensionNotSupported,
  GatewayError,
  InvalidArgument,
  InvalidCaip,
  InvalidConfig,
  LoadError,
  NoActiveNode,
  NoChainId,
  NodeError,
  NoQuorum,
  NoRpcUrls,
  NotSupportedForNetwork,
  NullResult,
  RequestRejected,
  RetryTimeout,
  RpcError,
  QuotaExceeded,
  StateUnavailable,
  SubscriptionOverflow,
  TransactionDenied,
  TransactionDropped,
  TransactionExpired,
  TransactionNotConfirmed,
  Unexpected,
  UnsupportedNetwork,
  UtxoSingleAddress,
  WalletBusy,
  WalletError,
  WalletNotChosen,
  WalletNotFound,
  WalletNotInstalled,
  WalletUnclear,
  WebSocketUnavailable,
  WrongChain
} = SdkError

/** Tag, error, sentence, lines beneath it. */
type Row = readonly [
  tag: string,
  error: Error & { readonly details: ReadonlyArray<string>; readonly docsUrl: string },
  message: string,
  details: ReadonlyArray<string>
]

const network = "ethereum-mainnet"
const url = "https://user:pass@node.example/v3/KEY?k=KEY"

const catalogue: ReadonlyArray<Row> = [
  [
    "UnsupportedNetwork",
    new UnsupportedNetwork({ network: "etherum", suggestion: network }),
    'Unsupported network etherum. Did you mean "ethereum-mainnet"?',
    []
  ],
  ["UnsupportedNetwork", new UnsupportedNetwork({ network: "x" }), "Unsupported network x", []],
  [
    "NotSupportedForNetwork",
    new NotSupportedForNetwork({ network, feature: "nft", networks: ["celo-mainnet"] }),
    "Not supported for ethereum-mainnet network.",
    ["Not there: nft", "Networks that have it: celo-mainnet"]
  ],
  [
    "NotSupportedForNetwork",
    new NotSupportedForNetwork({ network, feature: "address balances" }),
    "Unsupported network ethereum-mainnet for now.",
    ["Not there: address balances"]
  ],
  [
    "NotSupportedForNetwork",
    new NotSupportedForNetwork({ network, feature: "notification" }),
    "Network ethereum-mainnet is not supported.",
    ["Not there: notification"]
  ],
  [
    "NotSupportedForNetwork",
    new NotSupportedForNetwork({ network, feature: "fee" }),
    "Unsupported network ethereum-mainnet",
    ["Not there: fee"]
  ],
  [
    "UtxoSingleAddress",
    new UtxoSingleAddress({ network: "bitcoin-mainnet", addresses: 2 }),
    "UTXO based networks like bitcoin-mainnet support only one address per call.",
    ["The call had 2 addresses."]
  ],
  [
    "ExtensionNotSupported",
    new ExtensionNotSupported({ extension: "Staking", network }),
    "Extension Staking is not supported on ethereum-mainnet network.",
    []
  ],
  [
    "ExtensionFailed",
    new ExtensionFailed({ extension: "Staking", reason: "no disk" }),
    "Extension Staking failed: no disk",
    []
  ],
  ["ChainNotSupported", new ChainNotSupported({ chain: "TEZOS" }), "Chain TEZOS is not supported.", []],
  ["NoChainId", new NoChainId({ network }), "No chain id exists for network ethereum-mainnet.", []],
  [
    "WalletNotInstalled",
    new WalletNotInstalled(),
    "The browser wallet is not installed, or it is impossible to connect to it.",
    []
  ],
  [
    "WalletNotFound",
    new WalletNotFound({ wallet: "example.two" }),
    "The browser wallet that was chosen (example.two) is not on this page, and no other one is used instead. Enable it and try again, choose another with wallet.use, or forget it with wallet.disconnect.",
    []
  ],
  [
    "WalletNotChosen",
    new WalletNotChosen({ wallets: ["example.one", "example.two"] }),
    "No browser wallet is chosen: have the user choose one, and pass its rdns to wallet.use. On this page there are: example.one, example.two.",
    []
  ],
  [
    "AccountAccessDenied",
    new AccountAccessDenied({ detail: "closed" }),
    "User denied account access. Error is closed.",
    []
  ],
  [
    "TransactionDenied",
    new TransactionDenied({ detail: "closed" }),
    "User denied transaction signature. Error is closed.",
    []
  ],
  [
    "WalletBusy",
    new WalletBusy({ method: "eth_requestAccounts", detail: "already pending" }),
    "The browser wallet waits for an answer to an earlier request: open the wallet and answer it.",
    ["Request: eth_requestAccounts", "The wallet: already pending"]
  ],
  [
    "WalletError",
    new WalletError({ kind: "unauthorized", method: "eth_sendTransaction", detail: "no", code: 4100 }),
    "The browser wallet failed at eth_sendTransaction: no",
    ["Code: 4100"]
  ],
  [
    "WalletError",
    new WalletError({ kind: "failed", method: "eth_accounts", detail: "no" }),
    "The browser wallet failed at eth_accounts: no",
    []
  ],
  [
    "WalletUnclear",
    new WalletUnclear({
      from: "0x1",
      to: "0x2",
      value: "5",
      nonce: 7,
      code: -32603,
      reason: "internal error"
    }),
    "The wallet was asked to send a transaction, which may have been sent: internal error",
    ["From: 0x1", "Nonce: 7 or later", "To: 0x2", "Value: 5 wei", "Code: -32603"]
  ],
  [
    "WalletUnclear",
    new WalletUnclear({ from: "0x1", value: "0", reason: "its answer is no hash" }),
    "The wallet was asked to send a transaction, which may have been sent: its answer is no hash",
    ["From: 0x1", "Value: 0 wei"]
  ],
  [
    "WrongChain",
    new WrongChain({ kind: "unchanged", network, expected: 1, actual: "137", detail: "Switch it by hand." }),
    "The browser wallet is on chain 137, and ethereum-mainnet is chain 1. Switch it by hand.",
    []
  ],
  [
    "MissingPeer",
    new MissingPeer({ package: "ox", install: "npm install ox", reason: "Cannot find package 'ox'" }),
    "ox cannot be loaded: run npm install ox",
    ["Reason: Cannot find package 'ox'"]
  ],
  [
    "InvalidMnemonic",
    new InvalidMnemonic({ reason: "word 3 is not in the list of BIP-39", position: 3 }),
    "The mnemonic cannot be used: word 3 is not in the list of BIP-39",
    []
  ],
  [
    "InvalidKey",
    new InvalidKey({ reason: "a private key has 32 bytes" }),
    "The key cannot be used: a private key has 32 bytes",
    []
  ],
  [
    "InvalidAddress",
    new InvalidAddress({ address: "0x1", network: "ethereum-mainnet", reason: "must be 20 bytes" }),
    "0x1 is no address of ethereum-mainnet: it must be 20 bytes",
    []
  ],
  [
    "InvalidAmount",
    new InvalidAmount({ amount: "0.1234567", reason: "has 7 digits after the point, and USDC has 6" }),
    "0.1234567 cannot be sent: it has 7 digits after the point, and USDC has 6",
    []
  ],
  [
    "InsufficientFunds",
    new InsufficientFunds({ address: "0x1", asset: "ETH", needed: "1.01", available: "0.5" }),
    "0x1 has 0.5 ETH, and 1.01 ETH are needed",
    []
  ],
  [
    "DustAmount",
    new DustAmount({ amount: "0.000001", least: "0.00000294", asset: "BTC" }),
    "0.000001 BTC is less than the 0.00000294 BTC that can be sent",
    []
  ],
  [
    "FeeOverCap",
    new FeeOverCap({ fee: "0.01", cap: "0.001", asset: "ETH" }),
    "The fee is 0.01 ETH, and at most 0.001 ETH are allowed: a maxFee of 0.01 or more allows it",
    []
  ],
  [
    "PolicyDenied",
    new PolicyDenied({
      network: "ethereum-mainnet",
      address: "0x1",
      rule: "limit",
      reason: "it takes up to 2 ETH, and at most 1 ETH are allowed"
    }),
    "The policy of 0x1 on ethereum-mainnet does not allow it (limit): it takes up to 2 ETH, and at most 1 ETH are allowed",
    []
  ],
  [
    "GasOverCap",
    new GasOverCap({ address: "0x1", gas: "0x2", needed: "0.01", cap: "0.001", asset: "ETH" }),
    "The tokens of 0x1 take 0.01 ETH of gas, and at most 0.001 ETH are allowed: a maxGas of 0.01 or more allows it",
    []
  ],
  [
    "SweepIncomplete",
    new SweepIncomplete({
      address: "0x1",
      gas: "0x2",
      hashes: ["0x3"],
      cause: new FeeOverCap({ fee: "0.01", cap: "0.001", asset: "ETH" })
    }),
    "0x2 has paid (0x3) gas to 0x1, whose tokens are not sent yet: The fee is 0.01 ETH, and at most 0.001 ETH are allowed: a maxFee of 0.01 or more allows it. The gas stays there, and the same call goes on with it",
    []
  ],
  [
    "MemoRequired",
    new MemoRequired({ address: "r1", reason: "its account asks for a destination tag" }),
    "r1 needs a memo: its account asks for a destination tag",
    []
  ],
  [
    "NonceTaken",
    new NonceTaken({ address: "0x1", nonce: 7 }),
    "0x1 has used the number 7 for another transaction",
    []
  ],
  [
    "SigningFailed",
    new SigningFailed({ reason: "the user has refused" }),
    "It was not signed: the user has refused",
    []
  ],
  [
    "BroadcastUnclear",
    new BroadcastUnclear({ hash: "0x1", raw: "0x02", reason: "no node answered" }),
    "Transaction 0x1 may have been sent: no node answered",
    []
  ],
  [
    "TransactionReplaced",
    new TransactionReplaced({ hash: "0x1", by: "0x2" }),
    "Transaction 0x1 was replaced by 0x2",
    []
  ],
  [
    "TransactionFailed",
    new TransactionFailed({
      hash: "0x1",
      reason: "too late",
      data: "0x08c379a0",
      receipt: { status: "0x0", logs: [] }
    }),
    "Transaction 0x1 is in the chain, and has failed: too late",
    ["Data: 0x08c379a0"]
  ],
  [
    "ContractReverted",
    new ContractReverted({
      address: "0x1",
      functionName: "transfer",
      errorName: "TooMuch",
      args: [1n, "2"],
      data: "0x08c3",
      reason: "TooMuch(1, 2)"
    }),
    "transfer of 0x1 was refused: TooMuch(1, 2)",
    ["Data: 0x08c3"]
  ],
  [
    "DecimalsUnreadable",
    new DecimalsUnreadable({
      token: "0x1",
      cause: new CallTimeout({ call: "eth_call", timeout: 1, last: "x" })
    }),
    "The decimals of the token 0x1 could not be read: eth_call took longer than 1 ms",
    ["Last attempt: x"]
  ],
  [
    "TransactionNotConfirmed",
    new TransactionNotConfirmed({ hash: "0x1", confirmations: 2, wanted: 3, timeout: 5_000 }),
    "Transaction 0x1 had 2 of 3 confirmations after 5000 ms",
    []
  ],
  [
    "TransactionDropped",
    new TransactionDropped({ hash: "0x1", reason: "another one has its nonce" }),
    "Transaction 0x1 cannot be confirmed any more: another one has its nonce",
    []
  ],
  [
    "TransactionExpired",
    new TransactionExpired({ hash: "0x1", lastValidBlockHeight: 240n, height: 241n }),
    "Transaction 0x1 can no longer land: it was valid up to block 240, and the chain is final up to block 241 without it",
    []
  ],
  [
    "WebSocketUnavailable",
    new WebSocketUnavailable(),
    "There is no WebSocket here: use Node 22 or later, install undici (npm install undici), or configure subscriptions.webSocket.",
    []
  ],
  [
    "SubscriptionOverflow",
    new SubscriptionOverflow({ subscription: "subscribe.slot", buffer: 10 }),
    "More than 10 items of subscribe.slot waited for a consumer that is too slow",
    []
  ],
  ["RetryTimeout", new RetryTimeout(), "Retry timeout failed", []],
  ["NullResult", new NullResult(), "Null result", []],
  ...(["ARCHIVE", "NORMAL"] as const).flatMap(
    (type): ReadonlyArray<Row> => [
      [
        "NoActiveNode",
        new NoActiveNode({ network, type, manual: false, reason: "none" }),
        `No active ${type} node found.`,
        ["Network: ethereum-mainnet", "Why: none"]
      ],
      [
        "NoActiveNode",
        new NoActiveNode({ network, type, manual: true, reason: "none" }),
        `No active ${type} node found, fallback failed, please set node urls manually.`,
        ["Network: ethereum-mainnet", "Why: none"]
      ]
    ]
  ),
  [
    "NoActiveNode",
    new NoActiveNode({
      network,
      type: "NORMAL",
      manual: false,
      reason: "all 1 nodes have failed",
      nodes: [{ url: "https://node.example/…", kind: "timeout", reason: "no answer within 5 s" }]
    }),
    "No active NORMAL node found. https://node.example/…: no answer within 5 s (timeout)",
    ["Network: ethereum-mainnet", "Why: all 1 nodes have failed"]
  ],
  ["NoRpcUrls", new NoRpcUrls({ network }), "No RPC URLs provided", []],
  [
    "InvalidConfig",
    new InvalidConfig({
      issues: [
        { path: "a", message: "is wrong" },
        { path: "b.c", message: "is missing" }
      ]
    }),
    "Invalid configuration: a is wrong; b.c is missing",
    []
  ],
  [
    "NodeError",
    new NodeError({ kind: "status", call: "eth_call", url, reason: "HTTP 503", status: 503 }),
    "eth_call failed: HTTP 503",
    ["Node: https://node.example/…", "HTTP status: 503"]
  ],
  [
    "RpcError",
    new RpcError({ method: "eth_call", code: 3, rpcMessage: "execution reverted", data: "0x08c3", url }),
    "execution reverted",
    ["Method: eth_call", "Code: 3", "Data: 0x08c3", "Node: https://node.example/…"]
  ],
  [
    "RequestRejected",
    new RequestRejected({ call: "GET /x", status: 404, messages: ["no x", "no y"], body: "…", url }),
    "no x; no y",
    ["Call: GET /x", "HTTP status: 404", "Node: https://node.example/…"]
  ],
  [
    "InvalidCaip",
    new InvalidCaip({ kind: "account", at: 8, reason: "a colon and the address must come here" }),
    "Not the CAIP id of an account: a colon and the address must come here (character 9)",
    []
  ],
  [
    "InvalidArgument",
    new InvalidArgument({ call: "GET /x", reason: "id is missing" }),
    "GET /x: id is missing",
    []
  ],
  [
    "CallTimeout",
    new CallTimeout({ call: "eth_call", timeout: 30_000, last: "no answer" }),
    "eth_call took longer than 30000 ms",
    ["Last attempt: no answer"]
  ],
  ["CallTimeout", new CallTimeout({ call: "x", timeout: 1 }), "x took longer than 1 ms", []],
  [
    "NoQuorum",
    new NoQuorum({
      call: "eth_call",
      nodes: 3,
      agree: 2,
      answers: [
        { url, said: "1" },
        { url: "https://other.example", said: "2" }
      ]
    }),
    "eth_call: no 2 of 3 nodes agree",
    ["https://node.example/…: 1", "https://other.example: 2"]
  ],
  [
    "NoQuorum",
    new NoQuorum({ call: "eth_call", nodes: 3, agree: 2, answers: [] }),
    "eth_call: there are not 2 nodes to ask",
    []
  ],
  [
    "StateUnavailable",
    new StateUnavailable({ call: "eth_getLogs", block: "5", url }),
    "eth_getLogs: no node that can be asked now holds block 5",
    ["Node: https://node.example/…", "Ask again when an archive node is well, or add one to rpc.nodes."]
  ],
  [
    "QuotaExceeded",
    new QuotaExceeded({ call: "eth_call", retryAfter: 120 }),
    "eth_call: the quota has no room for this call before its deadline, and will have in 120 ms",
    ["Nothing was sent. Ask again later, with a longer timeout, or raise the quota."]
  ],
  [
    "BlockNotReached",
    new BlockNotReached({ call: "eth_call", minBlock: 100, height: 98, url, timeout: 2_000 }),
    "eth_call: no node has reached block 100 within 2000 ms, the best one is at 98",
    ["Node: https://node.example/…", "Ask again later, with a longer timeout, or for an earlier block."]
  ],
  [
    "BlockNotReached",
    new BlockNotReached({ call: "eth_call", minBlock: 100, height: undefined, url, timeout: 2_000 }),
    "eth_call: no node has reached block 100 within 2000 ms, no node tells its height",
    ["Node: https://node.example/…", "Ask again later, with a longer timeout, or for an earlier block."]
  ],
  [
    "GatewayError",
    new GatewayError({
      call: "GET data/balances",
      kind: "status",
      messages: ["chain must be set", "addresses must be set"],
      status: 400,
      code: "validation.failed",
      dashboardLog: "https://dashboard.example/1"
    }),
    "chain must be set; addresses must be set",
    [
      "Call: GET data/balances",
      "HTTP status: 400",
      "Code: validation.failed",
      "Dashboard: https://dashboard.example/1"
    ]
  ],
  [
    "GatewayError",
    new GatewayError({ call: "GET x", kind: "timeout", messages: ["late"] }),
    "late",
    ["Call: GET x"]
  ],
  ["Aborted", new Aborted({ reason: new Error("enough") }), "enough", []],
  ["Aborted", new Aborted({ reason: undefined }), "The call was aborted", []],
  [
    "LoadError",
    new LoadError({ reason: "Failed to fetch dynamically imported module" }),
    "A part of effect-chains cannot be loaded: Failed to fetch dynamically imported module",
    []
  ],
  ["Unexpected", new Unexpected({ defect: new TypeError("x is not a function") }), "x is not a function", []],
  ["Unexpected", new Unexpected({ defect: "thrown" }), "thrown", []]
]

describe("the catalogue", () => {
  it.each(catalogue)("%s has its sentence, details and docs", (tag, error, message, details) => {
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ _tag: tag, name: tag, message, details })
    expect(error.docsUrl).toBe(`https://unpkg.com/effect-chains/docs/errors/${tag.toLowerCase()}.md`)
  })

  it.each(catalogue)("%s is printed on several lines, the sentence first", (tag, error, message, details) => {
    const lines = [
      `${tag}: ${message}`,
      ...details.map((line) => `  ${line}`),
      `  Docs: https://unpkg.com/effect-chains/docs/errors/${tag.toLowerCase()}.md`
    ]
    expect(error.toString()).toBe(lines.join("\n"))
    expect(inspect(error)).toBe(lines.join("\n"))
    expect(String(error.stack).split("\n")[0]).toBe(`${tag}: ${message}`)
  })

  it.each(catalogue)("%s is told in JSON with its tag and sentence", (tag, error, message) => {
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ _tag: tag, message })
  })

  it("has a row here for every error class of the module", () => {
    const rows = new Set(catalogue.map(([tag]) => tag))
    const classes = Object.keys(SdkError).filter((name) => /^[A-Z]/.test(name))
    expect(classes.filter((name) => !rows.has(name))).toEqual([])
    expect(classes.length).toBeGreaterThan(20)
  })
})

describe("the guard", () => {
  it.each(catalogue)("knows %s", (_, error) => {
    expect(SdkError.isSdkError(error)).toBe(true)
  })

  it("knows errors of another copy of the package", async () => {
    const path = "../src/data/SdkError.js?another"
    const copy: typeof SdkError = await import(path)
    const error: unknown = new copy.InvalidArgument({ call: "x", reason: "no" })
    expect(error).not.toBeInstanceOf(InvalidArgument)
    expect(SdkError.isSdkError(error)).toBe(true)
  })

  it.each([
    undefined,
    null,
    "NodeError",
    {},
    new Error("no"),
    { _tag: "NodeError" },
    JSON.parse(JSON.stringify(new InvalidArgument({ call: "x", reason: "no" }))),
    Object.assign(new Error("no"), { _tag: "NodeError", docsUrl: "https://other.example" })
  ])("knows that %s is none", (value) => {
    expect(SdkError.isSdkError(value)).toBe(false)
  })

  it("narrows to the errors, of which each has its fields", () => {
    const retryAfter = (error: unknown): number | undefined =>
      SdkError.isSdkError(error) && error._tag === "NoActiveNode" ? error.retryAfter : undefined
    const error = new NoActiveNode({ network, type: "NORMAL", manual: false, reason: "no", retryAfter: 5 })
    expect(retryAfter(error)).toBe(5)
    expect(retryAfter(new Error("no"))).toBeUndefined()
  })
})

describe("what the errors are made of", () => {
  it.each([
    ["an empty list", []],
    ["an object without prototype", Object.create(null)],
    ["a symbol", Symbol("why")],
    ["a bigint", 5n],
    ["undefined", undefined],
    [
      "an object that cannot be printed",
      {
        toString() {
          throw new Error("no")
        },
        toJSON() {
          throw new Error("no")
        }
      }
    ]
  ])("may be %s: the error is told all the same", (_, defect) => {
    for (const error of [new Unexpected({ defect }), new Aborted({ reason: defect })]) {
      expect(typeof error.message).toBe("string")
      expect(error.message).not.toBe("")
      expect(inspect(error)).toContain(error.message)
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ message: error.message })
    }
  })

  it("may be circular: the error is told all the same", () => {
    const defect: { self?: unknown } = {}
    defect.self = defect
    expect(JSON.parse(JSON.stringify(new Unexpected({ defect })))).toMatchObject({ _tag: "Unexpected" })
  })

  it("may hold integers beyond JSON, as nodes of bigint chains send them", () => {
    const error = new RpcError({ method: "x", code: 1, rpcMessage: "no", data: { need: 2n ** 64n }, url })
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ data: { need: "18446744073709551616" } })
  })
})

/** A key as providers give them out: in the path, in the query, as user or password. */
const key = FastCheck.string({
  minLength: 20,
  maxLength: 64,
  unit: FastCheck.constantFrom(..."abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789-_")
})
const host = FastCheck.constantFrom(
  "node.example",
  "eth-mainnet.g.provider.example:8443",
  "127.0.0.1:8545",
  "[::1]:1"
)
const secretUrl = FastCheck.tuple(key, host, FastCheck.constantFrom("https", "http", "wss")).chain(
  ([secret, at, scheme]) =>
    FastCheck.constantFrom(
      `${scheme}://${at}/v3/${secret}`,
      `${scheme}://${at}/${secret}/`,
      `${scheme}://${at}/v2/${secret}/rpc`,
      `${scheme}://${at}/?apikey=${secret}`,
      `${scheme}://${at}/rpc?a=1&key=${secret}#x`,
      `${scheme}://${secret}:x@${at}`,
      `${scheme}://user:${secret}@${at}/rpc`,
      `${scheme}://${secret}@${at}/`,
      `${at}/${secret}`
    ).map((full) => ({ secret, full }))
)

/** Everything that prints an error. */
const prints = (error: Error): ReadonlyArray<string> => [
  error.message,
  error.toString(),
  String(error.stack),
  inspect(error),
  inspect(error, { customInspect: false, depth: 9 }),
  inspect({ error }, { depth: 9 }),
  JSON.stringify(error),
  JSON.stringify({ ...error })
]

describe("keys", () => {
  it.prop(
    "in the url of a node are in nothing that an error prints",
    { of: secretUrl },
    ({ of: { full, secret } }) => {
      for (const error of [
        new NodeError({ kind: "network", call: "eth_call", url: full, reason: "socket hang up" }),
        new RpcError({ method: "eth_call", code: -32000, rpcMessage: "no", url: full }),
        new RequestRejected({ call: "GET /x", status: 404, messages: ["no"], body: "no", url: full })
      ]) {
        for (const printed of prints(error)) expect(printed).not.toContain(secret)
      }
    },
    { fastCheck: { numRuns: runs(300) } }
  )

  it.prop(
    "that a node or proxy echoes from its url are in nothing that an error prints",
    { of: secretUrl, quote: FastCheck.nat(3) },
    ({ of: { full, secret }, quote }) => {
      const { pathname, search } = URL.canParse(full) ? new URL(full) : { pathname: `/${secret}`, search: "" }
      const echo =
        [
          `cannot POST ${full}`,
          `<pre>Cannot POST ${pathname}${search}</pre>`,
          `bad key ${secret}`,
          `"${full}": no`
        ][quote] ?? ""
      for (const error of [
        new NodeError({ kind: "network", call: "eth_call", url: full, reason: echo }),
        new RpcError({ method: "eth_call", code: -32000, rpcMessage: echo, data: echo, url: full }),
        new RequestRejected({ call: "GET /x", status: 404, messages: [echo], body: echo, url: full })
      ]) {
        for (const printed of prints(error)) expect(printed).not.toContain(secret)
      }
    },
    { fastCheck: { numRuns: runs(300) } }
  )

  it("leave the rest of what a node says as it was", () => {
    const said = "method eth_foo does not exist at node.example, see https://docs.example/errors"
    const error = new RpcError({
      method: "eth_foo",
      code: -32601,
      rpcMessage: said,
      data: { at: "/v1" },
      url: "https://node.example/v1/rpc"
    })
    expect(error.message).toBe(said)
    expect(error.data).toEqual({ at: "/v1" })
    expect(error.url).toBe("https://node.example/…")
  })

  it.each([
    ["https://node.example", "https://node.example"],
    ["https://node.example/", "https://node.example"],
    ["https://node.example/v3/KEY", "https://node.example/…"],
    ["https://node.example?key=KEY", "https://node.example/…"],
    ["https://user:pass@node.example", "https://node.example"],
    ["http://127.0.0.1:8545/", "http://127.0.0.1:8545"],
    ["https://node.example/…", "https://node.example/…"],
    ["node.example/KEY", "(not a url)"],
    ["", "(not a url)"]
  ])("are left out of %s: %s", (raw, shown) => expect(displayUrl(raw)).toBe(shown))
})

it("name no node where several answers make the failure", () => {
  const error = new SdkError.NodeError({ kind: "malformed", call: "prepare", url: "", reason: "no form" })
  expect(error.url).toBe("")
  expect(String(error)).not.toContain("Node:")
  expect(String(error)).not.toContain("not a url")
})

describe("the body of a failed answer", () => {
  const cases: ReadonlyArray<
    readonly [what: string, body: string, status: number, expected: SdkError.ErrorBody]
  > = [
    [
      "has its list of data, without the prefix attr.",
      '{"statusCode":400,"errorCode":"validation.failed","message":"Request validation failed.","data":["attr.address must be set","url must be set"],"dashboardLog":"https://d.example/1"}',
      400,
      {
        messages: ["address must be set", "url must be set"],
        code: "validation.failed",
        dashboardLog: "https://d.example/1"
      }
    ],
    [
      "loses only the first attr. of a line",
      '{"data":["attr.a is not attr.b"]}',
      400,
      { messages: ["a is not attr.b"] }
    ],
    ["has items of data that are no strings", '{"data":[{"a":1},2]}', 400, { messages: ['{"a":1}', "2"] }],
    ["has an empty list of data and a message", '{"data":[],"message":"no"}', 403, { messages: ["no"] }],
    [
      "has data that is no list",
      '{"data":{"a":1},"message":"no","errorCode":"x"}',
      403,
      { messages: ["no"], code: "x" }
    ],
    ["has a message", '{"message":"Not found"}', 404, { messages: ["Not found"] }],
    ["has a list of messages", '{"message":["one","two"]}', 400, { messages: ["one", "two"] }],
    ["has an empty list of messages", '{"message":[]}', 400, { messages: ['{"message":[]}'] }],
    ["has null for a message", '{"message":null,"x":1}', 400, { messages: ['{"message":null,"x":1}'] }],
    ["has an object for a message", '{"message":{"a":1}}', 400, { messages: ['{"a":1}'] }],
    ["has a number for a code", '{"message":"no","errorCode":17}', 400, { messages: ["no"], code: "17" }],
    [
      "has an object for a code",
      '{"message":"no","errorCode":{"a":1}}',
      400,
      { messages: ["no"], code: '{"a":1}' }
    ],
    [
      "has null for code and log",
      '{"message":"no","errorCode":null,"dashboardLog":null}',
      400,
      { messages: ["no"] }
    ],
    ["has nothing that we know", '{"fault":{"a":1}}', 400, { messages: ['{"fault":{"a":1}}'] }],
    ["is plain text", "  upstream connect error\n", 503, { messages: ["upstream connect error"] }],
    ["is empty", "", 502, { messages: ["HTTP 502 with an empty body"] }],
    ["is blank", " \r\n\t", 401, { messages: ["HTTP 401 with an empty body"] }],
    ["is only a byte order mark", "\ufeff", 500, { messages: ["HTTP 500 with an empty body"] }],
    ["is a string of JSON", '"quota used up"', 429, { messages: ["quota used up"] }],
    ["is a number of JSON", "42", 400, { messages: ["42"] }],
    ["is null", "null", 400, { messages: ["null"] }],
    ["is a list", '["a",1]', 400, { messages: ['["a",1]'] }],
    ["is cut JSON", '{"message":"no', 400, { messages: ['{"message":"no'] }],
    [
      "is an HTML page with a title",
      "<!DOCTYPE html>\n<html><head><title>\n 502 Bad Gateway </title></head><body>x</body></html>",
      502,
      { messages: ["HTTP 502 with an HTML page: 502 Bad Gateway"] }
    ],
    [
      "is an HTML page without a title",
      "<html><body>x</body></html>",
      403,
      { messages: ["HTTP 403 with an HTML page"] }
    ],
    [
      "is an HTML page behind a comment",
      "<!-- cdn --><html><title>Blocked</title></html>",
      403,
      { messages: ["HTTP 403 with an HTML page: Blocked"] }
    ]
  ]
  it.each(cases)("%s", (_, body, status, expected) => expect(decodeErrorBody(body, status)).toEqual(expected))

  it("is no UTF-8, and is read with replacements, and without what terminals obey", () => {
    const bytes = Uint8Array.from([0x7b, 0x22, 0xe4, 0xff, 0x00, 0x80])
    expect(decodeErrorBody(new TextDecoder().decode(bytes), 500).messages).toEqual([
      '{"\ufffd\ufffd\\u0000\ufffd'
    ])
  })

  it.each([
    ["text", "x".repeat(5_000_000)],
    ["a JSON message", JSON.stringify({ message: "x".repeat(5_000_000) })],
    ["a JSON list", JSON.stringify({ data: Array.from({ length: 200_000 }, () => "attr.x is wrong") })],
    ["JSON that we do not know", JSON.stringify({ x: "x".repeat(5_000_000) })],
    ["a title", `<html><title>${"x".repeat(5_000_000)}</title></html>`],
    ["titles that never end", `<html>${"<title".repeat(1_000_000)}`],
    ["brackets", "[".repeat(200_000) + "]".repeat(200_000)],
    ["nested objects", `${'{"message":'.repeat(100_000)}1${"}".repeat(100_000)}`]
  ])("is huge %s: it is read in no time, and cut", (_, body) => {
    const before = performance.now()
    const { messages } = decodeErrorBody(body, 500)
    expect(performance.now() - before).toBeLessThan(1_000)
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.join("; ").length).toBeLessThan(50_000)
  })

  it.prop(
    "is anything at all: there is always a message",
    {
      body: FastCheck.oneof(FastCheck.string(), FastCheck.json(), FastCheck.fullUnicodeString()),
      status: FastCheck.nat(599)
    },
    ({ body, status }) => {
      const { code, dashboardLog, messages } = decodeErrorBody(body, status)
      expect(messages.length).toBeGreaterThan(0)
      for (const message of messages) expect(typeof message).toBe("string")
      expect(["string", "undefined"]).toContain(typeof code)
      expect(["string", "undefined"]).toContain(typeof dashboardLog)
    },
    { fastCheck: { numRuns: runs(500) } }
  )
})
