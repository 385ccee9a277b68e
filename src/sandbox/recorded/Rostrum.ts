/** Recordings of Electrum servers: rostrum (Bitcoin Cash) and electrs (Bitcoin). */
import { endpoints } from "../../chains/Rostrum.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

/** The first blocks, which Bitcoin and Bitcoin Cash share, with their headers. */
const first = {
  main: {
    hash: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
    ending: "29ab5f49ffff001d1dac2b7c"
  },
  test: {
    hash: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
    ending: "dae5494dffff001d1aa4ae18"
  }
}
const firstRoot = "3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a"

const firstOf = ({ testnet }: RecordedRequest) => (testnet ? first.test : first.main)

const hashOf = (request: RecordedRequest, height: number): string =>
  height === 0 ? firstOf(request).hash : blockHash(height)

const reverseBytes = (digits: string): string => Buffer.from(digits, "hex").reverse().toString("hex")

const word = (value: number): string => reverseBytes((value >>> 0).toString(16).padStart(8, "0"))

const secondsOf = (request: RecordedRequest, height: number): number =>
  Math.floor(request.timeOf(height) / 1000)

/** The 80 bytes of a header. */
const headerOf = (request: RecordedRequest, height: number): string =>
  height === 0
    ? `01000000${"00".repeat(32)}${firstRoot}${firstOf(request).ending}`
    : [
        word(0x20000000),
        reverseBytes(hashOf(request, height - 1)),
        syntheticHex(`root ${height}`),
        word(secondsOf(request, height)),
        word(0x1703255b),
        word(height)
      ].join("")

/** A block by its height or its hash. */
const heightAt = (request: RecordedRequest): number => {
  const given = request.get(0)
  if (typeof given !== "string") return request.whole(0, request.height)
  return given === firstOf(request).hash ? 0 : heightOfBlockHash(given, request.height)
}

const tip = (request: RecordedRequest) => ({
  height: request.height,
  hex: headerOf(request, request.height)
})

const owner = ({ text }: RecordedRequest): string => text(0, "owner")
const txOf = (request: RecordedRequest): string => syntheticHex(`payment ${owner(request)}`)
const paidAt = (request: RecordedRequest): number => request.height - 6

const balance = { confirmed: 150_000_000, unconfirmed: 0 }
const history = (request: RecordedRequest) => [{ tx_hash: txOf(request), height: paidAt(request) }]
const unspent = (request: RecordedRequest) => [
  { tx_hash: txOf(request), tx_pos: 0, height: paidAt(request), value: 150_000_000 }
]
const firstUse = (request: RecordedRequest) => ({
  block_hash: hashOf(request, paidAt(request)),
  block_height: paidAt(request),
  height: paidAt(request),
  tx_hash: txOf(request)
})
const status = (request: RecordedRequest): string => syntheticHex(`status ${owner(request)}`)
const noTokens = { confirmed: {}, unconfirmed: {}, cursor: null }
const noHistory = { transactions: [], cursor: null }
const noOutputs = { unspent: [], cursor: null }

/** An unsigned transaction with one input, and one output that pays 1.5 coins to a script hash of zeros. */
const rawTransaction = [
  "01000000",
  "01",
  syntheticHex("input"),
  "00000000",
  "00",
  "ffffffff",
  "01",
  "80d1f00800000000",
  `1976a914${"00".repeat(20)}88ac`,
  "00000000"
].join("")

const transaction = (request: RecordedRequest) => {
  const id = request.text(0, syntheticHex("transaction"))
  const height = paidAt(request)
  return {
    txid: id,
    hash: id,
    version: 1,
    size: rawTransaction.length / 2,
    vsize: rawTransaction.length / 2,
    weight: rawTransaction.length * 2,
    locktime: 0,
    vin: [
      {
        txid: reverseBytes(syntheticHex("input")),
        vout: 0,
        scriptSig: { asm: "", hex: "" },
        sequence: 4_294_967_295
      }
    ],
    vout: [
      {
        value: 1.5,
        n: 0,
        scriptPubKey: {
          asm: `OP_DUP OP_HASH160 ${"00".repeat(20)} OP_EQUALVERIFY OP_CHECKSIG`,
          hex: `76a914${"00".repeat(20)}88ac`,
          type: "pubkeyhash"
        }
      }
    ],
    hex: rawTransaction,
    blockhash: hashOf(request, height),
    confirmations: request.height - height + 1,
    time: secondsOf(request, height),
    blocktime: secondsOf(request, height)
  }
}

const recordings = makeRecordings(endpoints, {
  blockchainAddressDecode: { payload: "00".repeat(20), type: "p2pkh", is_token_aware: false },
  blockchainAddressGetBalance: balance,
  blockchainAddressGetFirstUse: firstUse,
  blockchainAddressGetHistory: history,
  blockchainAddressGetMempool: [],
  blockchainAddressGetStatus: status,
  blockchainAddressToScriptHash: (request) => syntheticHex(`script ${owner(request)}`),
  blockchainAddressSubscribe: status,
  blockchainAddressUnsubscribe: true,
  blockchainListUnspent: unspent,
  blockchainBlockGet: (request) => `${headerOf(request, heightAt(request))}01${rawTransaction}`,
  blockchainBlockHeader: (request) => headerOf(request, request.whole(0, request.height)),
  blockchainBlockHeaderVerbose: (request) => {
    const height = heightAt(request)
    return {
      hash: hashOf(request, height),
      height,
      hex: headerOf(request, height),
      version: 0x20000000,
      ...(height === 0 ? {} : { previousblockhash: hashOf(request, height - 1) }),
      merkleroot: reverseBytes(height === 0 ? firstRoot : syntheticHex(`root ${height}`)),
      time: secondsOf(request, height),
      nonce: height
    }
  },
  blockchainBlockHeaders: (request) => {
    const start = request.whole(0, 0)
    const count = Math.max(0, Math.min(request.whole(1, 1), 2016, request.height - start + 1))
    return {
      count,
      hex: Array.from({ length: count }, (_, i) => headerOf(request, start + i)).join(""),
      max: 2016
    }
  },
  blockchainEstimateFee: 0.00001,
  blockchainHeaderGet: (request) => ({
    height: heightAt(request),
    hex: headerOf(request, heightAt(request))
  }),
  blockchainHeadersGetTip: tip,
  blockchainHeadersSubscribe: tip,
  blockchainHeadersTip: tip,
  blockchainRelayFee: 0.00001,
  blockchainScriptHashGetBalance: balance,
  blockchainScriptHashGetFirstUse: firstUse,
  blockchainScriptHashGetHistory: history,
  blockchainScriptHashGetMempool: [],
  blockchainScriptHashGetStatus: status,
  blockchainScriptHashListUnspent: unspent,
  blockchainScriptHashSubscribe: status,
  blockchainScriptHashUnsubscribe: true,
  blockchainTransactionBroadcast: (request) => syntheticHex(request.text(0, "transaction")),
  blockchainRpaGetHistory: [],
  blockchainRpaGetMempool: [],
  blockchainTransactionBroadcastPackage: { success: true },
  blockchainTransactionDsproofGet: null,
  blockchainTransactionDsproofList: [],
  blockchainTransactionGetHeight: paidAt,
  blockchainTransactionGet: (request) => (request.get(1) === true ? transaction(request) : rawTransaction),
  blockchainTransactionGetConfirmedBlockhash: (request) => ({
    block_hash: hashOf(request, paidAt(request)),
    block_height: paidAt(request)
  }),
  blockchainTransactionGetMerkle: (request) => ({
    block_height: request.whole(1, paidAt(request)),
    merkle: [syntheticHex("branch")],
    pos: 0
  }),
  blockchainTransactionIdFromPos: (request) => {
    const id = syntheticHex(`transaction ${request.whole(1, 0)} of ${request.whole(0, 0)}`)
    return request.get(2) === true ? { tx_hash: id, merkle: [syntheticHex("branch")] } : id
  },
  blockchainUtxoGet: (request) => ({
    status: "unspent" as const,
    amount: 150_000_000,
    height: paidAt(request),
    scripthash: syntheticHex("script"),
    spent: { tx_hash: null, tx_pos: null, height: null }
  }),
  blockchainUtxoGetInfo: (request) => ({
    confirmed_height: paidAt(request),
    scripthash: syntheticHex("script"),
    value: 150_000_000
  }),
  mempoolGetInfo: { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 },
  mempoolGetFeeHistogram: [
    [12, 102_131],
    [5, 38_180],
    [1, 240_611]
  ],
  serverBanner: "A recording of the sandbox: no server runs here",
  serverDonationAddress: "",
  serverFeatures: (request) => ({
    genesis_hash: firstOf(request).hash,
    hash_function: "sha256",
    hosts: {},
    protocol_max: "1.4.3",
    protocol_min: "1.4",
    pruning: null,
    server_version: "Sandbox recording"
  }),
  serverPeersSubscribe: [],
  serverPing: null,
  serverVersion: ["Sandbox recording", "1.4.3"],
  tokenAddressGetBalance: noTokens,
  tokenAddressGetHistory: noHistory,
  tokenAddressGetMempool: noHistory,
  tokenAddressListUnspent: noOutputs,
  tokenGenesisInfo: (request) => ({
    height: paidAt(request),
    name: null,
    ticker: null,
    txid: request.text(0, "")
  }),
  tokenNftList: { nft: [], cursor: null },
  tokenScripthashGetBalance: noTokens,
  tokenScripthashGetHistory: noHistory,
  tokenScripthashGetMempool: noHistory,
  tokenScripthashListUnspent: noOutputs,
  tokenTransactionGetHistory: noHistory
})

/**
 * The answers of an Electrum server.
 *
 * @since 0.1.0
 * @category constants
 */
export const rostrum: RecordedFamily = {
  unknown: () =>
    new RecordedRefusal({ code: 2, message: "daemon error: {'code': -5, 'message': 'Block not found'}" }),
  height: 910_000,
  blockTime: 600_000,
  protocol: "rpc",
  recordings
}
