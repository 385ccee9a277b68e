/**
 * How Solana's nodes speak, and the endpoints of Solana, each of which a bundle leaves out that does not name it.
 *
 * @since 0.1.0
 */

import { type BytesForm, base64, eachOf } from "../../data/bytes.js"
import { type Dialect, type Fault, rpc } from "../../data/Endpoint.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { base58, decodeBase58, encodeBase58 } from "../internal/base58.js"
import { standardFaultOf } from "../internal/faults.js"
import type {
  Account,
  AccountBalance,
  AccountConfig,
  AirdropConfig,
  Block,
  BlockCommitment,
  BlockConfig,
  BlockProduction,
  BlockProductionConfig,
  ClusterNode,
  CommitmentConfig,
  ContextConfig,
  EpochInfo,
  EpochSchedule,
  InflationGovernor,
  InflationRate,
  InflationReward,
  InflationRewardConfig,
  Integer,
  KeyedAccount,
  LargestAccountsConfig,
  LatestBlockhash,
  LeaderScheduleConfig,
  ParsedTokenAccount,
  PerformanceSample,
  PrioritizationFee,
  ProgramAccountsConfig,
  Pubkey,
  SendConfig,
  Signature,
  SignatureInfo,
  SignatureStatus,
  SignatureStatusesConfig,
  SignaturesConfig,
  SimulateConfig,
  Simulation,
  SnapshotSlots,
  StakeActivation,
  StakeActivationConfig,
  Supply,
  SupplyConfig,
  TokenAccountFilter,
  TokenAmount,
  TokenHolding,
  Transaction,
  TransactionConfig,
  Version,
  VoteAccounts,
  VoteAccountsConfig,
  WithContext
} from "./Types.js"

/** Methods about the past, by their exact names (specification, section 5). */
const archiveMethods: ReadonlySet<string> = new Set([
  "getBlock",
  "getBlocks",
  "getBlocksWithLimit",
  "getBlockTime",
  "getInflationReward",
  "getProgramAccounts",
  "getSignaturesForAddress",
  "getConfirmedSignaturesForAddress2"
])

/** A signed transaction, in the encoding that the options name: Base58 where they name none, as nodes have it. */
const transactionBytes: BytesForm = (value, place, args) => {
  const [, config] = args
  const isBase64 =
    typeof config === "object" && config !== null && Reflect.get(config, "encoding") === "base64"
  return (isBase64 ? base64() : base58())(value, place, args)
}

/**
 * Which calls belong on an archive node: those of eight methods, by their exact names.
 *
 * @since 0.1.0
 * @category getters
 */
export const needsArchive = (method: string): boolean => archiveMethods.has(method)

/** Errors that say more of the node than of the request, by the codes of Agave. */
const faults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [-32005, "node"], // behind the cluster
  [-32019, "node"], // its long-term storage is out of reach
  [-32429, "node"],
  [-32002, "caller"], // the transaction fails when it is tried
  [-32003, "caller"], // a wrong signature
  [-32006, "caller"], // a precompile refuses the transaction
  [-32013, "caller"], // a signature of the wrong length
  [-32015, "caller"], // a version of transactions that was not asked for
  [-32017, "caller"], // the rewards of an epoch are being paid
  [-32018, "caller"], // no boundary of epochs
  [-32001, "elsewhere"], // the block has been cleaned up
  [-32004, "elsewhere"], // no such block yet
  [-32007, "elsewhere"], // slot skipped, or lost in a jump to a snapshot
  [-32008, "elsewhere"], // no snapshot
  [-32009, "elsewhere"], // slot skipped, or not in long-term storage
  [-32010, "elsewhere"], // left out of this node's index
  [-32011, "elsewhere"], // no transaction history
  [-32012, "elsewhere"], // scan aborted
  [-32014, "elsewhere"], // status of the block not known yet
  [-32016, "elsewhere"], // minContextSlot not reached
  [-32020, "elsewhere"] // no such transaction here
])

/**
 * Whose fault a JSON-RPC error of a Solana node is.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  // a node that lags does not know the newest blockhash
  if (/blockhash not found/i.test(error.message)) return "elsewhere"
  return faults.get(error.code) ?? standardFaultOf(error)
}

/** The first signature of a transaction on the wire, which is the node's answer to it. */
const findFirstSignature = async ([transaction, config]: ReadonlyArray<unknown>): Promise<Signature> => {
  const isBase64 =
    typeof config === "object" && config !== null && Reflect.get(config, "encoding") === "base64"
  const bytes = isBase64
    ? Uint8Array.from(atob(String(transaction)), (character) => character.charCodeAt(0))
    : decodeBase58(String(transaction))
  return encodeBase58(bytes.slice(1, 65))
}

/** Integers that stay small wherever they are. The lists of endpoints come on top. */
const smallNumbers: ReadonlyArray<string> = ["**.decimals", "**.Custom", "**.uiAmount"]

const errorPaths = (at: string): ReadonlyArray<string> => [
  `${at}err.InstructionError.[]`,
  `${at}status.Err.InstructionError.[]`
]

/** Of a transaction with its meta data. */
const transactionPaths = (at: string): ReadonlyArray<string> => [
  ...errorPaths(`${at}meta.`),
  ...[`${at}transaction.message.instructions.[]`, `${at}meta.innerInstructions.[].instructions.[]`].flatMap(
    (instruction) => [
      `${instruction}.programIdIndex`,
      `${instruction}.accounts.[]`,
      `${instruction}.stackHeight`
    ]
  ),
  `${at}transaction.message.addressTableLookups.[].writableIndexes.[]`,
  `${at}transaction.message.addressTableLookups.[].readonlyIndexes.[]`,
  `${at}transaction.message.header.numRequiredSignatures`,
  `${at}transaction.message.header.numReadonlySignedAccounts`,
  `${at}transaction.message.header.numReadonlyUnsignedAccounts`,
  `${at}meta.innerInstructions.[].index`,
  `${at}meta.preTokenBalances.[].accountIndex`,
  `${at}meta.postTokenBalances.[].accountIndex`,
  `${at}meta.rewards.[].commission`,
  `${at}version`
]

/** Methods outside of the table that only read: those of old, and what providers have added. */
const reads = /^(?:get[A-Z]\w*|searchAssets|simulateBundle)$/

/**
 * How Solana's nodes speak JSON-RPC, and which calls belong on an archive node.
 *
 * @since 0.1.0
 * @category getters
 */
export const dialect: Dialect = {
  numbers: smallNumbers,
  integers: bigintIntegers,
  archive: needsArchive,
  archiveUrl: false,
  classify,
  reads
}

/** Account with its balance (lamports) and data; null if there is none. @since 0.1.0 @category endpoints */
export const getAccountInfo = /*#__PURE__*/ rpc<
  [pubkey: Pubkey, config?: AccountConfig],
  WithContext<Account | null>
>("getAccountInfo")

/** Balance of an account, in lamports. @since 0.1.0 @category endpoints */
export const getBalance = /*#__PURE__*/ rpc<[pubkey: Pubkey, config?: ContextConfig], WithContext<bigint>>(
  "getBalance"
)

/** Block by slot; null if it is not confirmed. @since 0.1.0 @category endpoints */
export const getBlock = /*#__PURE__*/ rpc<[slot: Integer, config?: BlockConfig], Block | null>(
  "getBlock"
).numbers(
  /*#__PURE__*/ smallNumbers.concat(
    /*#__PURE__*/ transactionPaths("transactions.[]."),
    "rewards.[].commission"
  )
)

/** Stake (lamports) that has voted for a block. @since 0.1.0 @category endpoints */
export const getBlockCommitment = /*#__PURE__*/ rpc<[slot: Integer], BlockCommitment>("getBlockCommitment")

/** Height of the newest block: the number of blocks below it, without skipped slots. @since 0.1.0 @category endpoints */
export const getBlockHeight = /*#__PURE__*/ rpc<[config?: ContextConfig], bigint>("getBlockHeight")

/** Blocks that validators have made in this epoch, or in a range of slots. @since 0.1.0 @category endpoints */
export const getBlockProduction = /*#__PURE__*/ rpc<
  [config?: BlockProductionConfig],
  WithContext<BlockProduction>
>("getBlockProduction")

/** When a block was made, in seconds since 1970; null if the node does not know. @since 0.1.0 @category endpoints */
export const getBlockTime = /*#__PURE__*/ rpc<[slot: Integer], bigint | null>("getBlockTime")

/** Slots with a confirmed block between two slots (by default up to the newest). @since 0.1.0 @category endpoints */
export const getBlocks = /*#__PURE__*/ rpc<
  [startSlot: Integer, endSlot?: bigint, config?: CommitmentConfig],
  ReadonlyArray<bigint>
>("getBlocks")
  .params((start, end, config) => [start, ...(end === undefined ? [] : [end]), config])
  .lists()

/** Slots with a confirmed block, a number of them from a slot on. @since 0.1.0 @category endpoints */
export const getBlocksWithLimit = /*#__PURE__*/ rpc<
  [startSlot: Integer, limit: Integer, config?: CommitmentConfig],
  ReadonlyArray<bigint>
>("getBlocksWithLimit").lists()

/** Nodes of the cluster. @since 0.1.0 @category endpoints */
export const getClusterNodes = /*#__PURE__*/ rpc<[], ReadonlyArray<ClusterNode>>("getClusterNodes")
  .numbers(["[].featureSet", "[].shredVersion"])
  .lists()

/** Epoch, slot and height of the cluster. @since 0.1.0 @category endpoints */
export const getEpochInfo = /*#__PURE__*/ rpc<[config?: ContextConfig], EpochInfo>("getEpochInfo")

/** How epochs are cut. @since 0.1.0 @category endpoints */
export const getEpochSchedule = /*#__PURE__*/ rpc<[], EpochSchedule>("getEpochSchedule")

/** Fee (lamports) for a message in Base64; null if its blockhash has expired. @since 0.1.0 @category endpoints */
export const getFeeForMessage = /*#__PURE__*/ rpc<
  [message: string, config?: ContextConfig],
  WithContext<bigint | null>
>("getFeeForMessage").bytes({ 0: /*#__PURE__*/ base64() })

/** Lowest slot whose block the node still has. @since 0.1.0 @category endpoints */
export const getFirstAvailableBlock = /*#__PURE__*/ rpc<[], bigint>("getFirstAvailableBlock")

/** Hash of the genesis block, which names the cluster. @since 0.1.0 @category endpoints */
export const getGenesisHash = /*#__PURE__*/ rpc<[], string>("getGenesisHash")

/** Succeeds with `ok` if the node keeps up with the cluster. @since 0.1.0 @category endpoints */
export const getHealth = /*#__PURE__*/ rpc<[], "ok">("getHealth")

/** Slots of the node's newest snapshots. @since 0.1.0 @category endpoints */
export const getHighestSnapshotSlot = /*#__PURE__*/ rpc<[], SnapshotSlots>("getHighestSnapshotSlot")

/** Public key of the node. @since 0.1.0 @category endpoints */
export const getIdentity = /*#__PURE__*/ rpc<[], { readonly identity: Pubkey }>("getIdentity")

/** Parameters of inflation. @since 0.1.0 @category endpoints */
export const getInflationGovernor = /*#__PURE__*/ rpc<[config?: CommitmentConfig], InflationGovernor>(
  "getInflationGovernor"
).numbers(["initial", "terminal", "taper", "foundation", "foundationTerm"])

/** Inflation of this epoch, as fractions. @since 0.1.0 @category endpoints */
export const getInflationRate = /*#__PURE__*/ rpc<[], InflationRate>("getInflationRate").numbers([
  "total",
  "validator",
  "foundation"
])

/** Rewards (lamports) of addresses for an epoch, in their order; null where there was none. @since 0.1.0 @category endpoints */
export const getInflationReward = /*#__PURE__*/ rpc<
  [addresses: ReadonlyArray<Pubkey>, config?: InflationRewardConfig],
  ReadonlyArray<InflationReward | null>
>("getInflationReward")
  .numbers(["[].commission"])
  .lists()

/** The 20 accounts with the highest balances (lamports). Nodes refresh the list every two hours. @since 0.1.0 @category endpoints */
export const getLargestAccounts = /*#__PURE__*/ rpc<
  [config?: LargestAccountsConfig],
  WithContext<ReadonlyArray<AccountBalance>>
>("getLargestAccounts").lists("value")

/** Newest blockhash, for a transaction. @since 0.1.0 @category endpoints */
export const getLatestBlockhash = /*#__PURE__*/ rpc<[config?: ContextConfig], WithContext<LatestBlockhash>>(
  "getLatestBlockhash"
)

/** Slots of the leaders, by validator, counted from the start of the epoch of a slot (by default the current). @since 0.1.0 @category endpoints */
export const getLeaderSchedule = /*#__PURE__*/ rpc<
  [slot?: Integer | null, config?: LeaderScheduleConfig],
  Readonly<Record<Pubkey, ReadonlyArray<bigint>>> | null
>("getLeaderSchedule").params((slot, config) => [...(slot === undefined ? [] : [slot]), config])

/** Highest slot that the node has seen in the retransmit stage. @since 0.1.0 @category endpoints */
export const getMaxRetransmitSlot = /*#__PURE__*/ rpc<[], bigint>("getMaxRetransmitSlot")

/** Highest slot of which the node has stored a shred. @since 0.1.0 @category endpoints */
export const getMaxShredInsertSlot = /*#__PURE__*/ rpc<[], bigint>("getMaxShredInsertSlot")

/** Balance (lamports) with which an account of so many bytes pays no rent. @since 0.1.0 @category endpoints */
export const getMinimumBalanceForRentExemption = /*#__PURE__*/ rpc<
  [dataLength: Integer, config?: CommitmentConfig],
  bigint
>("getMinimumBalanceForRentExemption")

/** Up to 100 accounts, in the order of their addresses; null where there is none. @since 0.1.0 @category endpoints */
export const getMultipleAccounts = /*#__PURE__*/ rpc<
  [pubkeys: ReadonlyArray<Pubkey>, config?: AccountConfig],
  WithContext<ReadonlyArray<Account | null>>
>("getMultipleAccounts").lists("value")

/** Accounts of a program; with `withContext` beside the slot. @since 0.1.0 @category endpoints */
export const getProgramAccounts = /*#__PURE__*/ rpc<
  [program: Pubkey, config?: ProgramAccountsConfig],
  ReadonlyArray<KeyedAccount> | WithContext<ReadonlyArray<KeyedAccount>>
>("getProgramAccounts")

/** What the cluster did in the last minutes, at most 720 of them, newest first. @since 0.1.0 @category endpoints */
export const getRecentPerformanceSamples = /*#__PURE__*/ rpc<
  [limit?: number],
  ReadonlyArray<PerformanceSample>
>("getRecentPerformanceSamples")
  .numbers(["[].samplePeriodSecs"])
  .lists()

/** Priority fees (micro-lamports per compute unit) of recent blocks, for transactions that lock all these accounts. @since 0.1.0 @category endpoints */
export const getRecentPrioritizationFees = /*#__PURE__*/ rpc<
  [addresses?: ReadonlyArray<Pubkey>],
  ReadonlyArray<PrioritizationFee>
>("getRecentPrioritizationFees").lists()

/** States of transactions, in the order of their signatures; null where the node knows none. @since 0.1.0 @category endpoints */
export const getSignatureStatuses = /*#__PURE__*/ rpc<
  [signatures: ReadonlyArray<Signature>, config?: SignatureStatusesConfig],
  WithContext<ReadonlyArray<SignatureStatus | null>>
>("getSignatureStatuses")
  .bytes({ 0: /*#__PURE__*/ eachOf(/*#__PURE__*/ base58(64)) })
  .numbers(/*#__PURE__*/ smallNumbers.concat(/*#__PURE__*/ errorPaths("value.[].")))
  .lists("value")

/** Transactions of an address, newest first. @since 0.1.0 @category endpoints */
export const getSignaturesForAddress = /*#__PURE__*/ rpc<
  [address: Pubkey, config?: SignaturesConfig],
  ReadonlyArray<SignatureInfo>
>("getSignaturesForAddress")
  .numbers(/*#__PURE__*/ smallNumbers.concat(/*#__PURE__*/ errorPaths("[]."), "[].transactionIndex"))
  .lists()

/** Slot that the node has reached. @since 0.1.0 @category endpoints */
export const getSlot = /*#__PURE__*/ rpc<[config?: ContextConfig], bigint>("getSlot")

/** Validator that leads the current slot. @since 0.1.0 @category endpoints */
export const getSlotLeader = /*#__PURE__*/ rpc<[config?: ContextConfig], Pubkey>("getSlotLeader")

/** Leaders of slots, at most 5000, from a slot on. @since 0.1.0 @category endpoints */
export const getSlotLeaders = /*#__PURE__*/ rpc<[startSlot?: Integer, limit?: bigint], ReadonlyArray<Pubkey>>(
  "getSlotLeaders"
).lists()

/** Stake (lamports) of a stake account in an epoch. Nodes since 2.0 no longer know the method. @since 0.1.0 @category endpoints */
export const getStakeActivation = /*#__PURE__*/ rpc<
  [pubkey: Pubkey, config?: StakeActivationConfig],
  StakeActivation
>("getStakeActivation")

/** Least stake that can be delegated, in lamports. @since 0.1.0 @category endpoints */
export const getStakeMinimumDelegation = /*#__PURE__*/ rpc<[config?: CommitmentConfig], WithContext<bigint>>(
  "getStakeMinimumDelegation"
)

/** All lamports there are. @since 0.1.0 @category endpoints */
export const getSupply = /*#__PURE__*/ rpc<[config?: SupplyConfig], WithContext<Supply>>("getSupply")

/** Tokens of a token account. @since 0.1.0 @category endpoints */
export const getTokenAccountBalance = /*#__PURE__*/ rpc<
  [pubkey: Pubkey, config?: CommitmentConfig],
  WithContext<TokenAmount>
>("getTokenAccountBalance")

/** Token accounts that a delegate may spend from. @since 0.1.0 @category endpoints */
export const getTokenAccountsByDelegate = /*#__PURE__*/ rpc<
  [delegate: Pubkey, filter: TokenAccountFilter, config?: AccountConfig],
  WithContext<ReadonlyArray<KeyedAccount<ParsedTokenAccount>>>
>("getTokenAccountsByDelegate").lists("value")

/** Token accounts of an owner. @since 0.1.0 @category endpoints */
export const getTokenAccountsByOwner = /*#__PURE__*/ rpc<
  [owner: Pubkey, filter: TokenAccountFilter, config?: AccountConfig],
  WithContext<ReadonlyArray<KeyedAccount<ParsedTokenAccount>>>
>("getTokenAccountsByOwner").lists("value")

/** The 20 largest accounts of a mint. @since 0.1.0 @category endpoints */
export const getTokenLargestAccounts = /*#__PURE__*/ rpc<
  [mint: Pubkey, config?: CommitmentConfig],
  WithContext<ReadonlyArray<TokenHolding>>
>("getTokenLargestAccounts").lists("value")

/** Tokens of a mint that exist. @since 0.1.0 @category endpoints */
export const getTokenSupply = /*#__PURE__*/ rpc<
  [mint: Pubkey, config?: CommitmentConfig],
  WithContext<TokenAmount>
>("getTokenSupply")

/** Confirmed transaction; null if the node knows none. @since 0.1.0 @category endpoints */
export const getTransaction = /*#__PURE__*/ rpc<
  [signature: Signature, config?: TransactionConfig],
  Transaction | null
>("getTransaction")
  .bytes({ 0: /*#__PURE__*/ base58(64) })
  .echoes({ "transaction.signatures.0": 0 })
  .numbers(/*#__PURE__*/ smallNumbers.concat(/*#__PURE__*/ transactionPaths("")))

/** Number of transactions since the genesis. @since 0.1.0 @category endpoints */
export const getTransactionCount = /*#__PURE__*/ rpc<[config?: ContextConfig], bigint>("getTransactionCount")

/** Version of the node's software. @since 0.1.0 @category endpoints */
export const getVersion = /*#__PURE__*/ rpc<[], Version>("getVersion").numbers(["feature-set"])

/** Vote accounts and their stake (lamports). @since 0.1.0 @category endpoints */
export const getVoteAccounts = /*#__PURE__*/ rpc<[config?: VoteAccountsConfig], VoteAccounts>(
  "getVoteAccounts"
)
  .numbers(["current.[].commission", "delinquent.[].commission"])
  .lists("current", "delinquent")

/** Whether transactions with a blockhash are still taken. @since 0.1.0 @category endpoints */
export const isBlockhashValid = /*#__PURE__*/ rpc<
  [blockhash: string, config?: ContextConfig],
  WithContext<boolean>
>("isBlockhashValid").bytes({ 0: /*#__PURE__*/ base58(32) })

/** Lowest slot of which the node's ledger knows anything. @since 0.1.0 @category endpoints */
export const minimumLedgerSlot = /*#__PURE__*/ rpc<[], bigint>("minimumLedgerSlot")

/** Asks a test cluster for lamports, and yields the signature of the transfer. Never sent twice. @since 0.1.0 @category endpoints */
export const requestAirdrop = /*#__PURE__*/ rpc<
  [pubkey: Pubkey, lamports: Integer, config?: AirdropConfig],
  Signature
>("requestAirdrop").write()

/** Sends a signed transaction, and yields its first signature. Safe to repeat. @since 0.1.0 @category endpoints */
export const sendTransaction = /*#__PURE__*/ rpc<[transaction: string, config?: SendConfig], Signature>(
  "sendTransaction"
)
  .bytes({ 0: transactionBytes })
  .broadcast({
    known: /already been processed|AlreadyProcessed/,
    result: findFirstSignature
  })

/** Runs a transaction without sending it. @since 0.1.0 @category endpoints */
export const simulateTransaction = /*#__PURE__*/ rpc<
  [transaction: string, config?: SimulateConfig],
  WithContext<Simulation>
>("simulateTransaction")
  .bytes({ 0: transactionBytes })
  .numbers(
    /*#__PURE__*/ smallNumbers.concat(
      "value.err.InstructionError.[]",
      "value.loadedAccountsDataSize",
      "value.innerInstructions.[].index",
      "value.innerInstructions.[].instructions.[].programIdIndex",
      "value.innerInstructions.[].instructions.[].accounts.[]",
      "value.innerInstructions.[].instructions.[].stackHeight",
      "value.preTokenBalances.[].accountIndex",
      "value.postTokenBalances.[].accountIndex"
    )
  )
