/**
 * The endpoints of Aptos, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, eachOf, hex0x, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, type Fault, get, group, post } from "../../data/Endpoint.js"
import { isRecord, type Json } from "../../data/untrusted.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { toFailure } from "../internal/faults.js"
import type {
  AccountData,
  Address,
  AtVersion,
  Block,
  GasEstimation,
  HexBytes,
  IndexResponse,
  Integer,
  MoveModuleBytecode,
  MoveResource,
  MoveValue,
  Paging,
  PendingTransaction,
  PersistedAuxiliaryInfo,
  SignedTransaction,
  Transaction,
  TransactionSummary,
  TransactionsBatchSubmissionResult,
  UnsignedTransaction,
  UserTransaction,
  VersionedEvent,
  ViewRequest
} from "./Types.js"

/** Fields that are a `number` wherever they stand. Under the other names is the data of contracts, whose integers are `bigint`. */
const numbers: ReadonlyArray<string> = [
  "!**.arguments",
  "!**.data",
  "**.chain_id",
  "**.failed_proposer_indices.[]",
  "**.id.[]",
  "**.index",
  "**.payload.[]",
  "**.previous_block_votes_bitvec.[]",
  "**.signatures_required",
  "**.threshold",
  "**.transaction_index"
]

/** Bytes by their names, in signatures and payloads. A key or a signature of several schemes is an object. */
const bytesByName: BytesForm = byFieldName(
  {
    auth_data: hex0x(),
    bitmap: hex0x(),
    bytecode: hex0x(),
    ciphertext: hex0x(),
    payload_hash: hex0x(32),
    decryption_nonce: hex0x(),
    public_key: whenTextOrBytes(hex0x(), () => bytesByName),
    public_keys: eachOf(whenTextOrBytes(hex0x(), () => bytesByName)),
    signature: whenTextOrBytes(hex0x(), () => bytesByName),
    signatures: eachOf(whenTextOrBytes(hex0x(), () => bytesByName)),
    value: hex0x()
  },
  ["arguments", "key"]
)

/** Codes of errors about what this node has not, and another one may have. */
const elsewhereCode =
  /^(?:version_not_found|transaction_not_found|block_not_found|version_pruned|block_pruned|bcs_not_supported|api_disabled)$/

/** Codes of errors that speak of the node. */
const nodeCode = /^(?:health_check_failed|mempool_is_full|rate_limited|internal_error|web_framework_error)$/

/** Whose fault an error is, by the code that the node has put beside its words. */
const faultOf = (code: string): Fault =>
  elsewhereCode.test(code) ? "elsewhere" : nodeCode.test(code) ? "node" : "caller"

const failure = (answer: unknown, status: number): Failure | undefined => {
  if (!isRecord(answer)) return undefined
  const { error_code: code, message } = answer
  return typeof code === "string" && typeof message === "string"
    ? toFailure(message, status, faultOf(code))
    : undefined
}

export const dialect = {
  prefix: "/v1",
  query: "snake",
  integers: bigintIntegers,
  numbers,
  bytes: bytesByName,
  failure
} as const

export const getTransactionByHash = get("/transactions/by_hash/{hash}")
  .returns<Transaction>()
  .echoes({ hash: "hash" })

export const getBlockByVersion = get("/blocks/by_version/{version}")
  .query<{ readonly withTransactions?: boolean }>()
  .returns<Block>()

export const getLedgerInfo = get("").returns<IndexResponse>()

export const getAccountBalance = get("/accounts/{address}/balance/{assetType}")
  .query<AtVersion>()
  .returns<bigint>()

/**
 * The endpoints of Aptos.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, {
  /** Chain, and how far the node is with it. */
  getLedgerInfo,
  /** Succeeds if the node is at most so many seconds behind. */
  checkHealth: get("/-/healthy")
    .query<{ readonly durationSecs?: number }>()
    .returns<{ readonly message: string }>(),
  /** Configuration of the node, as far as it shows it. */
  getNodeInfo: get("/info").returns<{ readonly [name: string]: Json }>(),
  /** Account: its sequence number and its authentication key. */
  getAccount: get("/accounts/{address}").query<AtVersion>().returns<AccountData>(),
  /** Balance of a coin type or of the address of a fungible asset, in its smallest unit. */
  getAccountBalance,
  /** Resources of an account. */
  getAccountResources: get("/accounts/{address}/resources")
    .query<AtVersion & { readonly start?: string; readonly limit?: number }>()
    .returns<ReadonlyArray<MoveResource>>()
    .lists(),
  /** Resource of an account by its type. */
  getAccountResource: get("/accounts/{address}/resource/{resourceType}")
    .query<AtVersion>()
    .returns<MoveResource>(),
  /** Modules of an account. */
  getAccountModules: get("/accounts/{address}/modules")
    .query<AtVersion & { readonly start?: string; readonly limit?: number }>()
    .returns<ReadonlyArray<MoveModuleBytecode>>()
    .lists(),
  /** Module of an account by its name. */
  getAccountModule: get("/accounts/{address}/module/{moduleName}")
    .query<AtVersion>()
    .returns<MoveModuleBytecode>(),
  /** Transactions of an account in the order of its sequence numbers. */
  getAccountTransactions: get("/accounts/{address}/transactions")
    .query<Paging>()
    .returns<ReadonlyArray<Transaction>>()
    .lists(),
  /** Transactions of an account in short, also those without a sequence number. */
  getAccountTransactionSummaries: get("/accounts/{address}/transaction_summaries")
    .query<{ readonly startVersion?: Integer; readonly endVersion?: Integer; readonly limit?: number }>()
    .returns<ReadonlyArray<TransactionSummary>>()
    .lists(),
  /** Events of an account by the number of their stream. */
  getEventsByCreationNumber: get("/accounts/{address}/events/{creationNumber}")
    .query<Paging>()
    .returns<ReadonlyArray<VersionedEvent>>()
    .lists(),
  /** Events of an account by the resource and the field that have their stream. */
  getEventsByEventHandle: get("/accounts/{address}/events/{eventHandle}/{fieldName}")
    .query<Paging>()
    .returns<ReadonlyArray<VersionedEvent>>()
    .lists(),
  /** Block by its height. */
  getBlockByHeight: get("/blocks/by_height/{blockHeight}")
    .query<{ readonly withTransactions?: boolean }>()
    .returns<Block>()
    .echoes({ block_height: "blockHeight" }),
  /** Block that has the transaction of a version. */
  getBlockByVersion,
  /** Transactions of the chain, oldest first; without `start` the newest ones. */
  getTransactions: get("/transactions").query<Paging>().returns<ReadonlyArray<Transaction>>().lists(),
  /** Transaction by its hash; one in the mempool has the type `pending_transaction`. */
  getTransactionByHash,
  /** Same, once it is no longer pending, or after a second. */
  waitTransactionByHash: get("/transactions/wait_by_hash/{hash}")
    .returns<Transaction>()
    .echoes({ hash: "hash" }),
  /** Transaction by its version. */
  getTransactionByVersion: get("/transactions/by_version/{version}")
    .returns<Transaction>()
    .echoes({ version: "version" }),
  /** Places of transactions in their blocks. */
  getTransactionsAuxiliaryInfo: get("/transactions/auxiliary_info")
    .query<{ readonly startVersion: Integer; readonly limit?: number }>()
    .returns<ReadonlyArray<PersistedAuxiliaryInfo>>()
    .lists(),
  /** Sends a signed transaction (BCS), and yields it as it waits in the mempool. Safe to repeat. */
  submitTransaction: post("/transactions")
    .body<{ readonly transaction: Uint8Array }>()
    .raw("transaction", "application/x.aptos.signed_transaction+bcs")
    .returns<PendingTransaction>()
    .broadcast(),
  /** Sends a signed transaction in JSON, and yields it as it waits in the mempool. Safe to repeat. */
  submitTransactionJson: post("/transactions")
    .body<SignedTransaction>()
    .verbatim()
    .returns<PendingTransaction>()
    .broadcast(),
  /** Sends signed transactions in JSON. The answer has those that were refused. Safe to repeat. */
  submitBatch: post("/transactions/batch")
    .body<{ readonly transactions: ReadonlyArray<SignedTransaction> }>()
    .whole("transactions")
    .verbatim()
    .returns<TransactionsBatchSubmissionResult>()
    .lists("transaction_failures")
    .broadcast(),
  /** Outcome that a transaction (BCS) with an invalid signature would have. */
  simulateTransaction: post(
    "/transactions/simulate{?estimateMaxGasAmount,estimateGasUnitPrice,estimatePrioritizedGasUnitPrice}"
  )
    .body<{
      readonly transaction: Uint8Array
      readonly estimateMaxGasAmount?: boolean
      readonly estimateGasUnitPrice?: boolean
      readonly estimatePrioritizedGasUnitPrice?: boolean
    }>()
    .raw("transaction", "application/x.aptos.signed_transaction+bcs")
    .returns<ReadonlyArray<UserTransaction>>()
    .lists(),
  /** Bytes of a transaction that are to be signed, hexadecimal. A node may give others than those that were meant. */
  encodeSubmission: post("/transactions/encode_submission")
    .body<UnsignedTransaction & { readonly secondary_signers?: ReadonlyArray<Address> }>()
    .verbatim()
    .returns<HexBytes>(),
  /** Prices of a unit of gas, in octas. */
  estimateGasPrice: get("/estimate_gas_price").returns<GasEstimation>(),
  /** Values that a view function returns. */
  view: post("/view{?ledgerVersion}")
    .body<ViewRequest & AtVersion>()
    .verbatim()
    .returns<ReadonlyArray<MoveValue>>()
    .numbers([])
    .lists(),
  /** Item of a table by its key. */
  getTableItem: post("/tables/{tableHandle}/item{?ledgerVersion}")
    .body<AtVersion & { readonly key_type: string; readonly value_type: string; readonly key: Json }>()
    .verbatim()
    .returns<MoveValue>()
    .numbers([]),
  /** Item of a table by its key in BCS. */
  getRawTableItem: post("/tables/{tableHandle}/raw_item{?ledgerVersion}")
    .body<AtVersion & { readonly key: HexBytes }>()
    .bytes({ key: hex0x() })
    .verbatim()
    .returns<MoveValue>()
    .numbers([])
})
