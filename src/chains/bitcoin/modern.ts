/**
 * Further endpoints of newer nodes, which those of Dogecoin have not.
 *
 * @since 0.1.0
 */
import { eachOf, hex } from "../../data/bytes.js"
import { rpc } from "../../data/Endpoint.js"
import { inputBytes, toUnsignedParams } from "../internal/unsigned.js"
import type {
  Amount,
  Block,
  BlockFilter,
  BlockScan,
  BlockScanOptions,
  ChainStates,
  DecodedPsbt,
  DeploymentInfo,
  DescriptorActivity,
  DescriptorInfo,
  FinalizedPsbt,
  Hex,
  IndexInfo,
  Input,
  MempoolAcceptance,
  Outpoint,
  Outputs,
  PackageResult,
  PsbtAnalysis,
  ScanObject,
  Spending,
  TxOutScan,
  Verbosity,
  WaitedBlock
} from "./Types.js"

/** A node looks through all outputs, or through the filters of all blocks, for minutes. */
const SCAN_MS = 600_000

/** A node that is to wait for a block is asked to give up before its caller does (milliseconds). */
const WAIT_MS = 60_000
const WAIT_TIMEOUT_MS = WAIT_MS + 15_000

/** Block by hash: with ids of its transactions or, by verbosity, as hex (0) or with whole transactions (2, 3). @since 0.1.0 @category endpoints */
export const getBlock = /*#__PURE__*/ rpc<[blockHash: Hex, verbosity?: Verbosity], Block | Hex>("getblock")
  .bytes({ 0: /*#__PURE__*/ hex(32) })
  .echoes({ hash: 0 })
  .params((hash, verbosity) => [hash, verbosity ?? 1])

/** Compact filter of a block (BIP 157). @since 0.1.0 @category endpoints */
export const getBlockFilter = /*#__PURE__*/ rpc<[blockHash: Hex, type?: string], BlockFilter>(
  "getblockfilter"
).bytes({ 0: /*#__PURE__*/ hex(32) })

/** Soft forks at a block (by default the newest). @since 0.1.0 @category endpoints */
export const getDeploymentInfo = /*#__PURE__*/ rpc<[blockHash?: Hex], DeploymentInfo>(
  "getdeploymentinfo"
).bytes({ 0: /*#__PURE__*/ hex(32) })

/** How far the node's indexes are, all or one. @since 0.1.0 @category endpoints */
export const getIndexInfo = /*#__PURE__*/ rpc<[name?: string], IndexInfo>("getindexinfo")

/** Which transactions of the pool spend outputs. @since 0.1.0 @category endpoints */
export const getTxSpendingPrevout = /*#__PURE__*/ rpc<
  [outpoints: ReadonlyArray<Outpoint>],
  ReadonlyArray<Spending>
>("gettxspendingprevout")
  .bytes({ 0: inputBytes })
  .lists()

/** Whether the pool would take signed transactions (hex). `maxFeeRate` is in whole coins per 1000 virtual bytes. @since 0.1.0 @category endpoints */
export const testMempoolAccept = /*#__PURE__*/ rpc<
  [transactions: ReadonlyArray<Hex>, maxFeeRate?: string],
  ReadonlyArray<MempoolAcceptance>
>("testmempoolaccept")
  .bytes({ 0: /*#__PURE__*/ eachOf(/*#__PURE__*/ hex()) })
  .lists()

/** Sends signed transactions (hex) of which the last pays for the others. Safe to repeat. @since 0.1.0 @category endpoints */
export const submitPackage = /*#__PURE__*/ rpc<
  [transactions: ReadonlyArray<Hex>, maxFeeRate?: string, maxBurnAmount?: Amount],
  PackageResult
>("submitpackage")
  .bytes({ 0: /*#__PURE__*/ eachOf(/*#__PURE__*/ hex()) })
  .broadcast()

/** Sends a header (hex), whose parent the node must know. Safe to repeat. @since 0.1.0 @category endpoints */
export const submitHeader = /*#__PURE__*/ rpc<[header: Hex], null>("submitheader")
  .bytes({ 0: /*#__PURE__*/ hex() })
  .broadcast()

/** Puts the signatures of several copies of a transaction (hex) together. @since 0.1.0 @category endpoints */
export const combineRawTransaction = /*#__PURE__*/ rpc<[transactions: ReadonlyArray<Hex>], Hex>(
  "combinerawtransaction"
).bytes({ 0: /*#__PURE__*/ eachOf(/*#__PURE__*/ hex()) })

/** Addresses of a descriptor; of one with a range, those from `begin` to `end`. @since 0.1.0 @category endpoints */
export const deriveAddresses = /*#__PURE__*/ rpc<
  [descriptor: string, range?: bigint | readonly [begin: number, end: number]],
  ReadonlyArray<string>
>("deriveaddresses").lists()

/** Checks a descriptor. @since 0.1.0 @category endpoints */
export const getDescriptorInfo = /*#__PURE__*/ rpc<[descriptor: string], DescriptorInfo>("getdescriptorinfo")

/** Outputs that descriptors spent and received in blocks, and in the pool unless told not to. @since 0.1.0 @category endpoints */
export const getDescriptorActivity = /*#__PURE__*/ rpc<
  [blockHashes: ReadonlyArray<Hex>, descriptors: ReadonlyArray<ScanObject>, includeMempool?: boolean],
  DescriptorActivity
>("getdescriptoractivity")
  .bytes({ 0: /*#__PURE__*/ eachOf(/*#__PURE__*/ hex(32)) })
  .minTimeout(SCAN_MS)
  .lists("activity")

/** Finds the unspent outputs of descriptors among all: takes minutes, and a node does one such scan at a time. @since 0.1.0 @category endpoints */
export const scanTxOutSet = /*#__PURE__*/ rpc<[descriptors: ReadonlyArray<ScanObject>], TxOutScan>(
  "scantxoutset"
)
  .params((descriptors) => ["start", descriptors])
  .minTimeout(SCAN_MS)
  .lists("unspents")

/** How far a scan of the outputs is on the node that is asked, in percent; null if none runs there. @since 0.1.0 @category endpoints */
export const scanTxOutSetStatus = /*#__PURE__*/ rpc<[], { readonly progress: number } | null>(
  "scantxoutset"
).params(() => ["status"])

/** Ends the scan of the outputs on the node that is asked; false if none runs there. @since 0.1.0 @category endpoints */
export const scanTxOutSetAbort = /*#__PURE__*/ rpc<[], boolean>("scantxoutset").params(() => ["abort"])

/** Finds the blocks that concern descriptors by their filters, between two heights: takes minutes on a whole chain. @since 0.1.0 @category endpoints */
export const scanBlocks = /*#__PURE__*/ rpc<
  [descriptors: ReadonlyArray<ScanObject>, options?: BlockScanOptions],
  BlockScan
>("scanblocks")
  .params((descriptors, options) => [
    "start",
    descriptors,
    options?.startHeight,
    options?.stopHeight,
    options?.filterType,
    options?.checkBlocks === undefined ? undefined : { filter_false_positives: options.checkBlocks }
  ])
  .minTimeout(SCAN_MS)
  .lists("relevant_blocks")

/** How far a scan of the blocks is on the node that is asked, in percent; null if none runs there. @since 0.1.0 @category endpoints */
export const scanBlocksStatus = /*#__PURE__*/ rpc<
  [],
  { readonly progress: number; readonly current_height: number } | null
>("scanblocks").params(() => ["status"])

/** Ends the scan of the blocks on the node that is asked; false if none runs there. @since 0.1.0 @category endpoints */
export const scanBlocksAbort = /*#__PURE__*/ rpc<[], boolean>("scanblocks").params(() => ["abort"])

/** Waits until a block is the newest, for a minute or so many milliseconds; the call's own limits give way to 75 seconds. @since 0.1.0 @category endpoints */
export const waitForBlock = /*#__PURE__*/ rpc<[blockHash: Hex, timeout?: bigint], WaitedBlock>("waitforblock")
  .bytes({ 0: /*#__PURE__*/ hex(32) })
  .params((hash, timeout) => [hash, timeout ?? WAIT_MS])
  .minTimeout(WAIT_TIMEOUT_MS)

/** Waits until the chain has a height, for a minute or so many milliseconds; the call's own limits give way to 75 seconds. @since 0.1.0 @category endpoints */
export const waitForBlockHeight = /*#__PURE__*/ rpc<[height: number, timeout?: bigint], WaitedBlock>(
  "waitforblockheight"
)
  .params((height, timeout) => [height, timeout ?? WAIT_MS])
  .minTimeout(WAIT_TIMEOUT_MS)

/**
 * Waits for another block than the newest (or `currentTip`, where nodes take it), for a minute or so many milliseconds; the
 * call's own limits give way to 75 seconds.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const waitForNewBlock = /*#__PURE__*/ rpc<[timeout?: number, currentTip?: Hex], WaitedBlock>(
  "waitfornewblock"
)
  .bytes({ 1: /*#__PURE__*/ hex(32) })
  .params((timeout, currentTip) => [timeout ?? WAIT_MS, currentTip])
  .minTimeout(WAIT_TIMEOUT_MS)

/** Chains that the node keeps: a second one if it began with a snapshot. @since 0.1.0 @category endpoints */
export const getChainStates = /*#__PURE__*/ rpc<[], ChainStates>("getchainstates").lists("chainstates")

/** Makes a partially signed transaction (Base64) without signatures. @since 0.1.0 @category endpoints */
export const createPsbt = /*#__PURE__*/ rpc<
  [inputs: ReadonlyArray<Input>, outputs: Outputs, locktime?: number, replaceable?: boolean],
  string
>("createpsbt")
  .bytes({ 0: inputBytes })
  .params(toUnsignedParams)

/** Makes a partially signed transaction (Base64) of an unsigned one (hex). @since 0.1.0 @category endpoints */
export const convertToPsbt = /*#__PURE__*/ rpc<
  [transaction: Hex, permitSignatures?: boolean, isWitness?: boolean],
  string
>("converttopsbt").bytes({ 0: /*#__PURE__*/ hex() })

/** Decodes a partially signed transaction (Base64). @since 0.1.0 @category endpoints */
export const decodePsbt = /*#__PURE__*/ rpc<[psbt: string], DecodedPsbt>("decodepsbt").lists(
  "inputs",
  "outputs"
)

/** What a partially signed transaction (Base64) still lacks. @since 0.1.0 @category endpoints */
export const analyzePsbt = /*#__PURE__*/ rpc<[psbt: string], PsbtAnalysis>("analyzepsbt")

/** Puts the signatures of several copies of a partially signed transaction (Base64) together. @since 0.1.0 @category endpoints */
export const combinePsbt = /*#__PURE__*/ rpc<[psbts: ReadonlyArray<string>], string>("combinepsbt")

/** Puts the inputs and outputs of several partially signed transactions (Base64) into one. @since 0.1.0 @category endpoints */
export const joinPsbts = /*#__PURE__*/ rpc<[psbts: ReadonlyArray<string>], string>("joinpsbts")

/** Adds to a partially signed transaction (Base64) what the node knows of the outputs that it spends. @since 0.1.0 @category endpoints */
export const utxoUpdatePsbt = /*#__PURE__*/ rpc<[psbt: string, descriptors?: ReadonlyArray<unknown>], string>(
  "utxoupdatepsbt"
)

/** Makes the signed transaction of a partially signed one (Base64), if it has all signatures. @since 0.1.0 @category endpoints */
export const finalizePsbt = /*#__PURE__*/ rpc<[psbt: string, extract?: boolean], FinalizedPsbt>(
  "finalizepsbt"
)

/** Seconds since the node started. @since 0.1.0 @category endpoints */
export const uptime = /*#__PURE__*/ rpc<[], number>("uptime")
