/**
 * The calls that the incumbent's SDK and this one both make of the same sandbox. Where their answers are not the same, a call says how the
 * incumbent's reads in the words of this SDK, and why they differ.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { expect } from "vitest"
import * as Units from "../../../src/data/Units.js"
import type { SandboxService } from "../../../src/sandbox/index.js"
import { readRate } from "../../../src/sandbox/provider/Rate.js"
import {
  alice,
  bob,
  callContract,
  deployCollection,
  deployFungible,
  deployMultitoken,
  rpcAt,
  send
} from "../tokens.js"

/** What the calls are about: on each chain, addresses that have something. */
export type World = Effect.Effect.Success<ReturnType<typeof fill>>

/** How an answer differs, and why; `theirs` is what the incumbent's answer is in the words of this SDK. */
interface Difference {
  readonly because: string
  readonly theirs?: (answer: unknown) => unknown
  /** What is left of both answers: nodes move on between the two calls. */
  readonly both?: (answer: unknown) => unknown
}

export interface Call {
  readonly network: string
  readonly target: string
  readonly args: (world: World) => ReadonlyArray<unknown>
  readonly differs?: Difference
}

/** A call that the incumbent's SDK makes in vain over living routes: what it is refused with, and what this SDK has in its place. */
export interface Refused extends Omit<Call, "differs"> {
  /** The route that is gone; none where the SDK has no such call of its own. */
  readonly route?: (world: World) => string
  readonly refusal: (world: World) => string
  readonly ours: (world: World) => unknown
}

/** An address with something of every kind, and nothing else. */
export const holder = `0x${"c".repeat(40)}`
const tezos = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
const tron = "TRvz1r3URQq5otL7ioTbxVUfim9RVSm1hA"
const xrp = "rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn"
const stellar = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7"
const file = Buffer.from("hello world")
export const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** Gives addresses what the calls ask for. */
export const fill = (sandbox: SandboxService) =>
  Effect.gen(function* () {
    const rpc = rpcAt(sandbox.network("ethereum-mainnet").urls[0] ?? "")
    const paid = yield* send(rpc, { to: holder, value: "0xde0b6b3a7640001" })
    const token = yield* deployFungible(rpc, { decimals: 6, supply: 1_500_001n })
    yield* callContract(rpc, token.contract, "transfer", [holder, 1_500_001n])
    const form = new FormData()
    form.append(
      "file",
      new Blob([JSON.stringify({ name: "Ape", description: "An ape", image: "ipfs://ape" })])
    )
    const uploaded = yield* Effect.promise(async () => {
      const said: unknown = await (
        await fetch(`${sandbox.baseUrl}/v4/ipfs`, { method: "POST", body: form })
      ).json()
      return String(Object(said).ipfsHash)
    })
    const items = yield* deployCollection(rpc)
    yield* callContract(rpc, items.contract, "mintWithTokenURI", [holder, 7n, `ipfs://${uploaded}`])
    const multi = yield* deployMultitoken(rpc, "")
    yield* callContract(rpc, multi.contract, "mintBatch", [holder, [1n, 2n], [5n, 6n], "0x"])
    const bitcoin = sandbox.network("bitcoin-mainnet")
    const receiver = bitcoin.accounts[1]?.address ?? ""
    const bitcoinHash = yield* bitcoin.fund(receiver, "1.5")
    yield* bitcoin.mine(1)
    return {
      token: token.contract,
      tokenHash: token.hash,
      items: items.contract,
      multi: multi.contract,
      uploaded,
      hash: paid.hash,
      block: paid.block,
      bitcoin: receiver,
      bitcoinHash,
      solana: sandbox.network("solana-mainnet").accounts[0]?.address ?? "",
      hook: `${sandbox.baseUrl}/hook`
    }
  })

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)
const rowsOf = (value: unknown): ReadonlyArray<object> => (Array.isArray(value) ? value.map(Object) : [])
const without = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  Object.fromEntries(Object.entries(Object(value)).filter(([name]) => !names.includes(name)))

/** Rows of balances in the smallest unit, in whole coins or tokens. */
const inWhole =
  (decimals: number, isIn: (row: object) => boolean = () => true) =>
  (answer: unknown): unknown =>
    rowsOf(answer).map((row) =>
      isIn(row)
        ? {
            ...row,
            balance: Units.format(BigInt(String(field(row, "balance"))), decimals),
            decimals: String(decimals)
          }
        : row
    )

const units = "amounts are in whole tokens here, and in the smallest unit there"
export const later = "the second client asks later"

const isFungible = (row: object): boolean => field(row, "type") === "fungible"
const whole: Difference = { because: units, theirs: inWhole(6, isFungible) }

/** A rate that is the sandbox's at the time that it tells. */
const ofItsTime = (answer: unknown): unknown => {
  const [currency, basePair, time] = ["_id", "basePair", "timestamp"].map((name) =>
    String(field(answer, name))
  )
  const right = readRate({ currency: currency ?? "", basePair: basePair ?? "" }, Number(time), "", "")
  const isRight = Either.isRight(right) && right.right.value === field(answer, "value")
  return {
    ...Object(without(answer, "timestamp")),
    value: isRight ? "that of its time" : field(answer, "value")
  }
}

/** XRP's answers are in an object there, as rippled has them. */
const result: Difference = {
  because: "rippled's answers are without the object around them here",
  theirs: (answer) => field(answer, "result")
}
const onLedger: Difference = {
  because: `${result.because}; ${later}`,
  theirs: (answer) => field(answer, "result"),
  both: (answer) => without(answer, "ledger_hash", "ledger_index", "ledger_current_index")
}

/** The value of an answer of Solana, whose slot moves. */
const inSlot: Difference = { because: later, both: (answer) => field(answer, "value") }

const eth = "ethereum-mainnet"
const call = (
  network: string,
  target: string,
  args: Call["args"] | ReadonlyArray<unknown> = [],
  differs?: Difference
): Call => ({
  network,
  target,
  args: typeof args === "function" ? args : () => args,
  ...(differs === undefined ? {} : { differs })
})

const item = ({ items }: World) => ({ tokenAddress: items, tokenId: "7" })
const pieces = ({ multi }: World) => ({ tokenAddress: multi, tokenId: "1" })

const owners: Difference = {
  because: "the route tells how many an owner has, which the incumbent passes on in the place of addresses",
  theirs: (answer) => rowsOf(answer).map((row) => field(row, "address"))
}
const tokens: Difference = {
  because: "the route has other names than the incumbent declares, and no chain",
  theirs: (answer) =>
    rowsOf(answer).map((row) => ({
      ...Object(without(row, "contractAddress")),
      chain: eth,
      tokenAddress: field(row, "contractAddress"),
      type: field(row, "tokenType")
    }))
}

/** Calls that change nothing. */
export const reads: ReadonlyArray<Call> = [
  call(eth, "rpc.blockNumber"),
  call(eth, "rpc.chainId"),
  call(eth, "rpc.gasPrice"),
  call(eth, "rpc.clientVersion"),
  call(eth, "rpc.getBalance", [holder]),
  call(eth, "rpc.getTransactionCount", [alice]),
  call(eth, "rpc.estimateGas", [{ from: alice, to: bob, value: "0x1" }]),
  call(eth, "rpc.getBlockByNumber", ({ block }) => [block]),
  call(eth, "rpc.getTransactionByHash", ({ hash }) => [hash]),
  call(eth, "rpc.getTransactionReceipt", ({ hash }) => [hash]),
  call(eth, "rpc.getContractAddress", ({ tokenHash }) => [tokenHash]),
  call(eth, "rpc.getTokenDecimals", ({ token }) => [token]),
  call(eth, "rpc.getTokenSymbol", ({ token }) => [token]),
  call(eth, "rpc.getTokenName", ({ token }) => [token], {
    because: "the incumbent leaves out blanks",
    theirs: (name) => (name === "MyToken" ? "My Token" : name)
  }),
  call(eth, "rpc.getTokenTotalSupply", ({ token }) => [token]),
  call(eth, "rpc.getCode", ({ token }) => [token]),
  call(eth, "rpc.getLogs", ({ token }) => [{ address: token, fromBlock: "0x0" }]),
  call(eth, "address.getBalance", [{ addresses: [holder] }], whole),
  call(eth, "address.getBalance", [{ addresses: [holder], tokenTypes: ["fungible"] }], whole),
  call(eth, "address.getBalance", [{ addresses: [holder, bob] }], whole),
  call(eth, "address.getTransactions", [{ address: holder }]),
  call(eth, "address.getTransactions", [
    { address: holder, transactionTypes: ["native"], transactionDirection: "incoming" }
  ]),
  call(eth, "address.getTransactions", ({ token }) => [{ address: holder, tokenAddress: token }]),
  call(eth, "address.getTransactions", [{ address: holder, pageSize: 2, page: 1 }]),
  call(eth, "token.getBalance", [{ addresses: [holder] }], { because: units, theirs: inWhole(6) }),
  call(eth, "token.getTokenMetadata", ({ token }) => [{ tokenAddress: token }]),
  call(eth, "token.getAllFungibleTransactions", [{ addresses: [holder] }]),
  call(eth, "token.getAllFungibleTransactions", ({ token }) => [
    { addresses: [holder], tokenAddress: token, transactionTypes: ["incoming"], blockFrom: 1, blockTo: 100 }
  ]),
  call(eth, "nft.getBalance", [{ addresses: [holder] }]),
  call(eth, "nft.getAllNftTransactions", (world) => [item(world)]),
  call(eth, "nft.getAllNftTransactions", (world) => [
    { ...item(world), transactionType: "incoming", fromBlock: 1, toBlock: 100 }
  ]),
  call(eth, "nft.getAllNftTransactionsByAddress", [{ addresses: [holder] }]),
  call(eth, "nft.getAllNftTransactionsByAddress", (world) => [{ addresses: [holder], ...item(world) }]),
  call(eth, "nft.getNftMetadata", (world) => [item(world)], {
    because:
      "the incumbent asks in the words of the generation before, whose answer has the kind and the address of the document",
    theirs: (answer) => without(answer, "tokenType", "type", "metadataURI")
  }),
  call(eth, "nft.getNftOwner", (world) => [item(world)], owners),
  call(eth, "nft.getNftOwner", (world) => [pieces(world)], owners),
  call(eth, "nft.checkNftOwner", (world) => [{ ...item(world), owner: holder }]),
  call(eth, "nft.checkNftOwner", (world) => [{ ...item(world), owner: bob }]),
  call(eth, "nft.getNftsInCollection", ({ items }) => [{ collectionAddress: items }], tokens),
  call(
    eth,
    "nft.getNftsInCollection",
    ({ items }) => [{ collectionAddress: items, excludeMetadata: true }],
    tokens
  ),
  call(eth, "nft.getNftsInCollection", ({ multi }) => [{ collectionAddress: multi }], tokens),
  call(eth, "fee.getCurrentFee", [], {
    because: later,
    both: (answer) => without(answer, "lastRecalculated")
  }),
  call(eth, "rates.getCurrentRate", ["ETH", "USD"], { because: later, both: ofItsTime }),
  call(
    eth,
    "rates.getCurrentRateBatch",
    [
      [
        { batchId: "1", currency: "BTC", basePair: "EUR" },
        { batchId: "2", currency: "SOL", basePair: "USD" }
      ]
    ],
    { because: later, both: (answer) => rowsOf(answer).map(ofItsTime) }
  ),
  call(eth, "ipfs.getFile", ({ uploaded }) => [{ id: uploaded }]),
  call(eth, "notification.getAll"),
  call(eth, "notification.getAllExecutedWebhooks"),
  call("bitcoin-mainnet", "rpc.getBlockCount"),
  call("bitcoin-mainnet", "rpc.getBestBlockHash"),
  call("bitcoin-mainnet", "rpc.getBlockHash", [0]),
  call("bitcoin-mainnet", "rpc.getDifficulty"),
  call("bitcoin-mainnet", "rpc.getRawTransaction", ({ bitcoinHash }) => [bitcoinHash, true]),
  call("bitcoin-mainnet", "address.getBalance", ({ bitcoin }) => [{ addresses: [bitcoin] }]),
  call("bitcoin-mainnet", "fee.getCurrentFee", [], {
    because: later,
    both: (answer) => without(answer, "lastRecalculated")
  }),
  call("litecoin-mainnet", "rpc.getBlockHash", [0]),
  call("doge-mainnet", "rpc.getBlockHash", [0]),
  call("bitcoin-cash-mainnet", "rpc.getBlockHash", [0]),
  call("polygon-mainnet", "rpc.chainId"),
  call("polygon-mainnet", "address.getBalance", [{ addresses: [alice] }]),
  call("arbitrum-one-mainnet", "rpc.chainId"),
  call("avalanche-c-mainnet", "rpc.chainId"),
  call("zksync-mainnet", "rpc.zksGetBridgeContracts"),
  call("solana-mainnet", "rpc.getGenesisHash"),
  call("solana-mainnet", "rpc.getVersion"),
  call("solana-mainnet", "rpc.getEpochSchedule"),
  call("solana-mainnet", "rpc.getMinimumBalanceForRentExemption", [50]),
  call("solana-mainnet", "rpc.getBalance", ({ solana }) => [solana], inSlot),
  call("solana-mainnet", "rpc.getAccountInfo", ({ solana }) => [solana], inSlot),
  call("solana-mainnet", "rpc.getSignaturesForAddress", ({ solana }) => [solana]),
  call("tezos-mainnet", "address.getBalance", [{ address: tezos }], {
    because: units,
    theirs: inWhole(6)
  }),
  call("tezos-mainnet", "address.getTransactions", [{ address: tezos }]),
  call("tezos-mainnet", "rpc.getChainId", [{ chainId: "main" }]),
  call("tezos-mainnet", "rpc.getBlockHash", [{ block: "5" }]),
  call("tron-mainnet", "address.getBalance", [{ address: tron }], { because: units, theirs: inWhole(6) }),
  call("tron-mainnet", "rpc.getAccount", [tron]),
  call("tron-mainnet", "rpc.getBlockByNum", [7]),
  call("ripple-mainnet", "rpc.ping", [], result),
  call("ripple-mainnet", "rpc.fee", [], onLedger),
  call("ripple-mainnet", "rpc.accountCurrencies", [xrp], onLedger),
  call("stellar-mainnet", "rpc.getLedger", [{ sequence: 7 }]),
  call("stellar-mainnet", "rpc.getAccount", [{ accountId: stellar }], {
    because: later,
    // an account's first sequence is made of its ledger
    both: (answer) => without(answer, "last_modified_ledger", "last_modified_time", "sequence")
  }),
  call("eos-mainnet", "rpc.getBlock", [{ blockNumOrId: 7 }]),
  call("eos-mainnet", "rpc.getAbi", [{ accountName: "eosio.token" }]),
  call("cardano-mainnet", "rpc.getNetworkOptions"),
  call("cosmos-mainnet", "rpc.getNodeInfo"),
  call("casper-mainnet", "rpc.chainGetStateRootHash", [7]),
  call("algorand-mainnet-indexer", "rpc.getBlock", [{ roundNumber: 7 }]),
  call("ton-mainnet", "rpc.getMasterchainInfo", [], {
    because: later,
    both: (answer) => without(answer, "@extra")
  })
]

const subscriptions = [
  "addressEvent",
  "incomingNativeTx",
  "outgoingNativeTx",
  "outgoingFailedTx",
  "paidFee",
  "incomingInternalTx",
  "outgoingInternalTx",
  "incomingFungibleTx",
  "outgoingFungibleTx",
  "incomingNftTx",
  "outgoingNftTx",
  "incomingMultitokenTx",
  "outgoingMultitokenTx"
]

/** A part of what an earlier call of the list was answered, by its position. */
const answer = (at: number, ...path: ReadonlyArray<string>) => ({ $answer: at, path })

const subscribing: ReadonlyArray<Call> = [
  ...subscriptions.map((name) =>
    call(eth, `notification.subscribe.${name}`, ({ hook }) => [{ address: alice, url: hook }])
  ),
  call(eth, "notification.subscribe.contractAddressLogEvent", ({ hook, token }) => [
    { contractAddress: token, event: topic, url: hook }
  ]),
  call(eth, "notification.subscribe.failedTxsPerBlock", ({ hook }) => [{ url: hook }])
]

/** Calls that change something, in the order in which each client makes them. */
export const writes: ReadonlyArray<Call> = [
  ...subscribing,
  call(eth, "notification.getAll", [{ pageSize: 50 }]),
  call(eth, "notification.getAll", [{ address: alice, pageSize: 3, page: 1 }]),
  ...subscribing.map((_, at) => call(eth, "notification.unsubscribe", [answer(at, "id")])),
  call(eth, "notification.getAll", [{ pageSize: 50 }]),
  ...((first) => [
    call(eth, "token.createNewFungibleToken", [
      {
        symbol: "TST",
        name: "Test",
        decimals: 18,
        initialSupply: "1000",
        initialHolder: alice,
        owner: alice
      }
    ]),
    call(eth, "rpc.getContractAddress", [answer(first, "txId")]),
    call(eth, "token.getTokenMetadata", [{ tokenAddress: answer(first + 1) }]),
    call(eth, "nft.createNftCollection", [{ name: "Items", symbol: "ITM", owner: alice, minter: alice }]),
    call(eth, "nft.createMultiTokenNftCollection", [{ owner: alice }]),
    call(eth, "nft.createNftCollection", [{ name: "Items", symbol: "ITM", owner: alice }]),
    call(eth, "rpc.getContractAddress", [answer(first + 5, "txId")]),
    call(eth, "nft.mintNft", [
      { to: bob, contractAddress: answer(first + 6), tokenId: "21", url: "https://example.com/21" }
    ]),
    call(eth, "nft.mintNftWithMetadata", [
      {
        to: bob,
        contractAddress: answer(first + 6),
        tokenId: "22",
        file: { $bytes: Buffer.from("<svg/>").toString("base64") },
        metadata: { name: "Item", description: "An item" }
      }
    ]),
    call(eth, "nft.getNftOwner", [{ tokenAddress: answer(first + 6), tokenId: "21" }], owners)
  ])(subscribing.length * 2 + 3),
  call(eth, "ipfs.uploadFile", [{ file: { $bytes: file.toString("base64") } }])
]

const coins = [
  ["bitcoin", "bitcoin-mainnet", ({ bitcoin }: World) => bitcoin],
  ["litecoin", "litecoin-mainnet", () => "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1"],
  ["dogecoin", "doge-mainnet", () => "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L"]
] as const

/**
 * Of all that the incumbent exports, the histories of Bitcoin's kind alone still ask a route that is gone (a class that it does not export
 * asks another one for transactions by hash). The other calls here never get to the provider.
 */
export const refused: ReadonlyArray<Refused> = [
  ...coins.map(
    ([chain, network, address]): Refused => ({
      network,
      target: "address.getTransactions",
      args: (world) => [{ address: address(world) }],
      route: (world) => `/v3/${chain}/transaction/address/${address(world)}`,
      refusal: (world) => `Cannot GET /v3/${chain}/transaction/address/${address(world)}`,
      ours: ({ bitcoin, bitcoinHash }) =>
        chain === "bitcoin"
          ? expect.arrayContaining([
              expect.objectContaining({ hash: bitcoinHash, address: bitcoin, amount: "1.5" })
            ])
          : []
    })
  ),
  ...["base-mainnet", "arbitrum-one-mainnet"].map(
    (network): Refused => ({
      network,
      target: "address.getBalance",
      args: () => [{ addresses: [alice] }],
      refusal: () => "Cannot read properties of undefined (reading 'getBalance')",
      ours: () => [expect.objectContaining({ address: alice, balance: "10000", type: "native" })]
    })
  ),
  {
    network: "zksync-mainnet",
    target: "rpc.zksL1ChainId",
    args: () => [],
    refusal: () => "Method not found",
    ours: () => "1"
  }
]
