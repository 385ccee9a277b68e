/**
 * The endpoints of EOS, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { byFieldName, eachOf, hex, unlessNumber, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, type Fault, group, merge, post, type Refusal } from "../../data/Endpoint.js"
import { type IntegerCodec, numberIntegers } from "../../data/integers.js"
import { isRecord, toPrintableJson } from "../../data/untrusted.js"
import type {
  Abi,
  Account,
  Asset,
  AuthorizedAccount,
  Base64,
  Block,
  BlockHeaderState,
  BlockInfo,
  ConsensusParameters,
  CurrencyStats,
  FinalizerInfo,
  Hex,
  HistoryAction,
  HistoryTransaction,
  IdentifiedHeader,
  Info,
  Integer,
  KvTableQuery,
  Name,
  PackedTransaction,
  ProducerSchedule,
  Producers,
  ProtocolFeature,
  PublicKey,
  PushedTransaction,
  PushOutcome,
  ScheduledTransaction,
  SignedBlock,
  SignedTransaction,
  TableQuery,
  TableRows,
  TableScopes,
  TracedBlock,
  TracedTransaction,
  Transaction,
  TransactionStatus,
  TriedTransaction
} from "./Types.js"

interface OfAccount {
  readonly accountName: Name
}

interface OfBlock {
  readonly blockNumOrId: Integer
}

interface Said {
  readonly code: number
  readonly messages: ReadonlyArray<string>
}

/** The error that an answer of nodeos is: what happened, its number and name, and what exactly. */
const readError = (answer: unknown): Said | undefined => {
  if (!isRecord(answer) || typeof answer.code !== "number" || !isRecord(answer.error)) return undefined
  const { code, details, name, what } = answer.error
  if (typeof code !== "number") return undefined
  const exactly = (Array.isArray(details) ? details : []).flatMap((detail) =>
    isRecord(detail) && typeof detail.message === "string" ? [detail.message] : []
  )
  const known = typeof what === "string" && what !== "" && what !== "unspecified" ? what : answer.message
  // an error without a name has no code either: interfaces beside the chain's
  const kind = typeof name === "string" && name !== "" ? ` (${code} ${name})` : ""
  return { code, messages: [`${String(known)}${kind}`, ...exactly] }
}

/** Text as it is, and any other value as text. */
const toText = (value: unknown): string =>
  typeof value === "string" ? value : String(toPrintableJson(value))

/** A transaction that failed, in an answer that is no error by its status. */
const readException = (answer: unknown): Said | undefined => {
  const trace = isRecord(answer) ? answer.processed : undefined
  const except = isRecord(trace) ? trace.except : undefined
  if (!isRecord(except)) return undefined
  const { code, message, name, stack } = except
  const [first]: ReadonlyArray<unknown> = Array.isArray(stack) ? stack : []
  const exactly =
    isRecord(first) && typeof first.format === "string" ? fillFormat(first.format, first.data) : []
  return {
    code: typeof code === "number" ? code : 0,
    messages: [`${toText(message)} (${toText(code)} ${toText(name)})`, ...exactly]
  }
}

/** A message of nodeos with its values in place. */
const fillFormat = (format: string, data: unknown): ReadonlyArray<string> => [
  format.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const value = isRecord(data) ? data[name] : undefined
    return value === undefined ? whole : typeof value === "string" ? value : JSON.stringify(value)
  })
]

type Range = readonly [from: number, to: number]

/** The node is out of order: its clock ran out, its database is full or inconsistent, its block production stands still. */
const nodeCodes: ReadonlyArray<Range> = [
  [2, 3],
  [3060100, 3060199],
  [3100001, 3100001],
  [3140000, 3140099],
  [3170000, 3170099],
  [3180000, 3180099],
  [3190000, 3190099],
  [3260000, 3260099]
]

/**
 * Another node may see it differently: blocks and transactions that are not here, references to a block of another branch,
 * limits of this node's own, interfaces that it does not have, its black lists. CPU time is among them, because it depends
 * on the node's speed and on its charge for failures; RAM and NET do not, and the lack of them is the caller's.
 */
const elsewhereCodes: ReadonlyArray<Range> = [
  [3015010, 3015010],
  [3020001, 3020001],
  [3040007, 3040007],
  [3040011, 3040011],
  [3040018, 3040018],
  [3080003, 3081001],
  [3100002, 3100003],
  [3100006, 3100006],
  [3100008, 3100008],
  [3110000, 3110099],
  [3130000, 3130099]
]

const isInRanges = (ranges: ReadonlyArray<Range>, code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to)

const faultOf = (code: number): Fault =>
  isInRanges(nodeCodes, code) ? "node" : isInRanges(elsewhereCodes, code) ? "elsewhere" : "caller"

/** Statuses that nodeos itself gives to its refusals; any other is a proxy's, or says that the node is busy. */
const refusingStatuses: ReadonlyArray<number> = [400, 401, 404, 409, 413, 422, 500]

/** Nodes have 500 for most refusals, and 401 for missing signatures: the body tells whose fault it is. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const said = readError(answer)
  if (said === undefined || !refusingStatuses.includes(status)) return undefined
  // an endpoint, or a trace, that this node does not have
  return { messages: said.messages, fault: status === 404 ? "elsewhere" : faultOf(said.code) }
}

const refusal = (answer: unknown): Refusal | undefined => {
  const said = readError(answer) ?? readException(answer)
  return said === undefined ? undefined : { code: said.code, message: said.messages.join("; ") }
}

const classify = ({ code }: { readonly code: number }): Fault => faultOf(code)

/** Contracts take integers of any size as digits; as JSON numbers, nodes read no more than 64 bits. */
const integers: IntegerCodec = {
  parse: numberIntegers.parse,
  stringify: (value) =>
    JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item)) ?? "null"
}

/** Words that say that an earlier attempt has delivered a transaction. The node tells its id. */
const accepted = {
  known: /^[^(;]*\(3040008 /,
  result: async (_: ReadonlyArray<unknown>, said: string): Promise<PushedTransaction> => {
    const [id] = /\b[0-9a-f]{64}\b/.exec(said) ?? []
    if (id === undefined) throw new Error("the node does not say which transaction it has")
    return { transaction_id: id }
  }
}

/** Pairs of a number and bytes. */
const extensions = eachOf(eachOf(whenTextOrBytes(hex())))

const chain = "/v1/chain"

const history = "/v1/history"

const trace = "/v1/trace_api"

/** The data of actions is as their contracts define it: names mean nothing there. */
const bytesByName = byFieldName(
  {
    abiHash: hex(32),
    action_mroot: hex(32),
    binargs: hex(),
    blockNumOrId: unlessNumber(hex(32)),
    block_extensions: extensions,
    contextFreeData: eachOf(hex()),
    context_free_data: eachOf(hex()),
    header_extensions: extensions,
    hexData: hex(),
    hex_data: hex(),
    packedContextFreeData: hex(),
    packedTrx: hex(),
    packed_context_free_data: hex(),
    packed_trx: hex(),
    transactionExtensions: extensions,
    transaction_extensions: extensions,
    transaction_mroot: hex(32)
  },
  ["args", "data"]
)

const dialect = { body: "snake", integers, bytes: bytesByName, failure, classify, marked: true } as const

/** Reads, and sends of transactions: a transaction that failed is an error, whatever the status. */
const checkedEndpoints = group(
  { ...dialect, refusal },
  {
    /** State of the chain and version of the node. */
    getInfo: post(`${chain}/get_info`).returns<Info>(),
    /** Account with its permissions and resources; RAM and NET in bytes, CPU in microseconds. */
    getAccount: post(`${chain}/get_account`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount & { readonly expectedCoreSymbol?: string }>()
      .returns<Account>()
      .lists("permissions"),
    /** Block with its transactions, by number or id. */
    getBlock: post(`${chain}/get_block`)
      .echoes({ id: "blockNumOrId", block_num: "blockNumOrId" })
      .body<OfBlock>()
      .returns<Block>()
      .lists("transactions"),
    /** Block with its transactions, as nodes pass it on, by number or id: the data of actions are hex. */
    getRawBlock: post(`${chain}/get_raw_block`).body<OfBlock>().returns<SignedBlock>().lists("transactions"),
    /** Block without its transactions, by number. */
    getBlockInfo: post(`${chain}/get_block_info`)
      .echoes({ block_num: "blockNum" })
      .body<{ readonly blockNum: Integer }>()
      .returns<BlockInfo>(),
    /** Header of a block, by number or id. */
    getBlockHeader: post(`${chain}/get_block_header`)
      .echoes({ id: "blockNumOrId" })
      .body<OfBlock & { readonly includeExtensions?: boolean }>()
      .returns<IdentifiedHeader>(),
    /** What the node keeps of a block for consensus, by number or id. */
    getBlockHeaderState: post(`${chain}/get_block_header_state`)
      .echoes({ id: "blockNumOrId", block_num: "blockNumOrId" })
      .body<OfBlock>()
      .returns<BlockHeaderState>(),
    /** Interface of a contract. */
    getAbi: post(`${chain}/get_abi`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount>()
      .returns<{ readonly account_name: Name; readonly abi?: Abi }>(),
    /** Interface of a contract as bytes (base64), unless the given hash is that of the chain. */
    getRawAbi: post(`${chain}/get_raw_abi`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount & { readonly abiHash?: Hex }>()
      .returns<{
        readonly account_name: Name
        readonly code_hash: Hex
        readonly abi_hash: Hex
        readonly abi?: Base64
      }>(),
    /** Code (hex) and interface of a contract. */
    getCode: post(`${chain}/get_code`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount & { readonly codeAsWasm?: boolean | 0 | 1 }>()
      .returns<{
        readonly account_name: Name
        readonly code_hash: Hex
        readonly wast: string
        readonly wasm: Hex
        readonly abi?: Abi
      }>(),
    /** Hash of a contract's code, zeros if there is none. */
    getCodeHash: post(`${chain}/get_code_hash`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount>()
      .returns<{ readonly account_name: Name; readonly code_hash: Hex }>(),
    /** Code and interface of a contract as bytes (base64). */
    getRawCodeAndAbi: post(`${chain}/get_raw_code_and_abi`)
      .echoes({ account_name: "accountName" })
      .body<OfAccount>()
      .returns<{ readonly account_name: Name; readonly wasm: Base64; readonly abi: Base64 }>(),
    /** Arguments of an action as bytes (hex). Nodes of today leave this to their clients. */
    abiJsonToBin: post(`${chain}/abi_json_to_bin`)
      .body<{ readonly code?: Name; readonly action?: Name; readonly args?: unknown }>()
      .returns<{ readonly binargs: Hex }>()
      .keep("args"),
    /** Arguments of an action from their bytes (hex). Nodes of today leave this to their clients. */
    abiBinToJson: post(`${chain}/abi_bin_to_json`)
      .body<{ readonly code: Name; readonly action: Name; readonly binargs: Hex }>()
      .returns<{ readonly args: unknown }>(),
    /** Rows of a contract's table. */
    getTableRows: post(`${chain}/get_table_rows`).body<TableQuery>().returns<TableRows>().lists("rows"),
    /** Rows of a contract's key-value table (nodes of EOSIO 2.1). */
    getKvTableRows: post(`${chain}/get_kv_table_rows`)
      .body<KvTableQuery>()
      .returns<TableRows>()
      .lists("rows"),
    /** Scopes of a contract's tables, and how many rows they have. */
    getTableByScope: post(`${chain}/get_table_by_scope`)
      .body<{
        readonly code: Name
        readonly table?: Name
        readonly lowerBound?: string
        readonly upperBound?: string
        readonly limit?: Integer
        readonly reverse?: boolean
        readonly showPayer?: boolean
        readonly timeLimitMs?: number
      }>()
      .returns<TableScopes>()
      .lists("rows"),
    /** What an account has of a token, or of all tokens of a contract. */
    getCurrencyBalance: post(`${chain}/get_currency_balance`)
      .body<{ readonly code: Name; readonly account: Name; readonly symbol?: string }>()
      .returns<ReadonlyArray<Asset>>()
      .lists(),
    /** Supply and issuer of a token, by its symbol. */
    getCurrencyStats: post(`${chain}/get_currency_stats`)
      .body<{ readonly code: Name; readonly symbol: string }>()
      .returns<Readonly<Record<string, CurrencyStats>>>(),
    /** Producers, those with most votes first. */
    getProducers: post(`${chain}/get_producers`)
      .body<{
        readonly json?: boolean
        readonly lowerBound?: Name
        readonly limit?: Integer
        readonly timeLimitMs?: number
      }>()
      .returns<Producers>()
      // the node wants an object, even if there is nothing in it
      .prepare((query) => ({ query: query ?? {} }))
      .whole("query")
      .lists("rows"),
    /** Producers of now, and those that are to follow. */
    getProducerSchedule: post(`${chain}/get_producer_schedule`).returns<{
      readonly active: ProducerSchedule | null
      readonly pending: ProducerSchedule | null
      readonly proposed: ProducerSchedule | null
    }>(),
    /** Transactions that wait for their time, from a time or an id on. */
    getScheduledTransaction: post(`${chain}/get_scheduled_transactions`)
      .body<{
        readonly json?: boolean
        readonly lowerBound?: string
        readonly limit?: Integer
        readonly timeLimitMs?: number
      }>()
      .returns<{ readonly transactions: ReadonlyArray<ScheduledTransaction>; readonly more: string }>()
      .prepare((query) => ({ query: query ?? {} }))
      .whole("query")
      .lists("transactions"),
    /** Features of the protocol that are switched on, by their order or by block. */
    getActivatedProtocolFeatures: post(`${chain}/get_activated_protocol_features`)
      .body<{
        readonly lowerBound?: Integer
        readonly upperBound?: Integer
        readonly limit?: Integer
        readonly searchByBlockNum?: boolean
        readonly reverse?: boolean
        readonly timeLimitMs?: number
      }>()
      .returns<{
        readonly activated_protocol_features: ReadonlyArray<ProtocolFeature>
        readonly more?: number
      }>()
      .lists("activated_protocol_features"),
    /** Parameters of the chain. */
    getConsensusParameters: post(`${chain}/get_consensus_parameters`).returns<ConsensusParameters>(),
    /** Who decides on finality, and how they voted. */
    getFinalizerInfo: post(`${chain}/get_finalizer_info`)
      .returns<FinalizerInfo>()
      .lists("last_tracked_votes"),
    /** Permissions that keys or accounts have a part in. */
    getAccountsByAuthorizers: post(`${chain}/get_accounts_by_authorizers`)
      .body<{
        readonly accounts?: ReadonlyArray<Name | { readonly actor: Name; readonly permission?: Name }>
        readonly keys?: ReadonlyArray<PublicKey>
      }>()
      .returns<{ readonly accounts: ReadonlyArray<AuthorizedAccount> }>()
      .prepare((query) => ({ query: query ?? {} }))
      .whole("query")
      .lists("accounts"),
    /** Which of the keys have to sign a transaction. */
    getRequiredKeys: post(`${chain}/get_required_keys`)
      .body<{ readonly transaction: Transaction; readonly availableKeys: ReadonlyArray<PublicKey> }>()
      .returns<{ readonly required_keys: ReadonlyArray<PublicKey> }>()
      .keep("data")
      .lists("required_keys"),
    /** Id of a transaction, whose actions have their data in hex. */
    getTransactionId: post(`${chain}/get_transaction_id`).body<Transaction>().returns<string>().keep("data"),
    /** What has become of a transaction, on nodes that keep track. */
    getTransactionStatus: post(`${chain}/get_transaction_status`)
      .bytes({ id: hex(32) })
      .body<{ readonly id: string }>()
      .returns<TransactionStatus>(),
    /** Runs a transaction of read-only actions, signed by nobody. One that fails is an error. */
    sendReadOnlyTransaction: post(`${chain}/send_read_only_transaction`)
      .body<{ readonly transaction: PackedTransaction | SignedTransaction }>()
      .returns<TriedTransaction>()
      .keep("data"),
    /** Sends a signed transaction. Safe to repeat. */
    pushTransaction: post(`${chain}/push_transaction`)
      .body<PackedTransaction>()
      .returns<PushedTransaction>()
      .keep("data")
      .broadcast(accepted),
    /** Sends a signed transaction; its trace is flat. Safe to repeat. */
    sendTransaction: post(`${chain}/send_transaction`)
      .body<PackedTransaction>()
      .returns<PushedTransaction>()
      .keep("data")
      .broadcast(accepted),
    /**
     * Sends a signed transaction, which the node may send again itself until it is in a block (`retryTrx`): it answers no
     * sooner, so allow the call that. One that fails is an error, with or without a trace. Safe to repeat.
     */
    sendTransaction2: post(`${chain}/send_transaction2`)
      .body<{
        readonly returnFailureTrace?: boolean
        readonly retryTrx?: boolean
        readonly retryTrxNumBlocks?: number
        readonly transaction: PackedTransaction | SignedTransaction
      }>()
      .returns<PushedTransaction>()
      .keep("data")
      .broadcast(accepted),
    /** Sends signed transactions, one after the other: every outcome tells whether it was taken. Safe to repeat. */
    pushTransactions: post(`${chain}/push_transactions`)
      .returns<ReadonlyArray<PushOutcome>>()
      .args((transactions: ReadonlyArray<PackedTransaction | SignedTransaction>) => ({ transactions }))
      .whole("transactions")
      .keep("data")
      .broadcast()
      .lists(),
    /** Gives the node a block. Safe to repeat. */
    pushBlock: post(`${chain}/push_block`)
      .args((block: SignedBlock) => ({ block }))
      .whole("block")
      .verbatim()
      .noContent()
      .broadcast(),
    /** What happened in a block, on nodes that keep traces. */
    getBlockTrace: post(`${trace}/get_block`)
      .echoes({ number: "blockNum" })
      .body<{ readonly blockNum: number }>()
      .returns<TracedBlock>()
      .lists("transactions"),
    /** What happened in a transaction, on nodes that keep traces. */
    getTransactionTrace: post(`${trace}/get_transaction_trace`)
      .echoes({ id: "id" })
      .bytes({ id: hex(32) })
      .body<{ readonly id: string }>()
      .returns<TracedTransaction>()
      .lists("actions"),
    /** Actions of an account, on nodes with history; positions below zero count from the newest. */
    getActions: post(`${history}/get_actions`)
      .body<OfAccount & { readonly pos?: Integer; readonly offset?: Integer }>()
      .returns<{
        readonly actions: ReadonlyArray<HistoryAction>
        readonly last_irreversible_block: number
      }>()
      .lists("actions"),
    /** Transaction by its id, on nodes with history. */
    getTransaction: post(`${history}/get_transaction`)
      .bytes({ id: hex() })
      .body<{ readonly id: string; readonly blockNumHint?: Integer }>()
      .returns<HistoryTransaction>()
      .lists("traces"),
    /** Accounts that a key has a part in, on nodes with history. */
    getKeyAccounts: post(`${history}/get_key_accounts`)
      .body<{ readonly publicKey: PublicKey }>()
      .returns<{ readonly account_names: ReadonlyArray<Name> }>()
      .lists("account_names"),
    /** Accounts that an account has made, on nodes with history. */
    getControlledAccounts: post(`${history}/get_controlled_accounts`)
      .body<{ readonly controllingAccount: Name }>()
      .returns<{ readonly controlled_accounts: ReadonlyArray<Name> }>()
      .lists("controlled_accounts"),
    /** Paths of the interfaces that the node has. */
    getSupportedApis: post("/v1/node/get_supported_apis")
      .returns<{ readonly apis: ReadonlyArray<string> }>()
      .lists("apis")
  }
)

/** Trials of transactions: a failure is the outcome that was asked for. */
const trialEndpoints = group(dialect, {
  /** Tries a transaction without sending it. If it fails, `processed.except` of the answer tells why. */
  computeTransaction: post(`${chain}/compute_transaction`)
    .body<{ readonly transaction: PackedTransaction | SignedTransaction }>()
    .returns<TriedTransaction>()
    .keep("data")
})

/**
 * The endpoints of EOS.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(checkedEndpoints, trialEndpoints)
