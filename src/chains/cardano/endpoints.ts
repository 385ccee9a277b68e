/**
 * The endpoints of Rosetta, which Cardano and Cosmos have, and how it reports errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, hex, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, type Fault, group, post, type Refusal } from "../../data/Endpoint.js"
import { isRecord } from "../../data/untrusted.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { isRefusalStatus } from "../../wire/jsonRpc.js"
import type {
  AccountBalance,
  AccountCoins,
  AccountIdentifier,
  BlockAnswer,
  BlockEvents,
  ConstructionMetadata,
  ConstructionMetadataAnswer,
  Currency,
  DeriveMetadata,
  FoundTransactions,
  Integer,
  Metadata,
  NetworkIdentifier,
  NetworkOptions,
  NetworkStatus,
  OfNetwork,
  OfNetworkWithMetadata,
  Operation,
  ParsedTransaction,
  PartialBlockIdentifier,
  Preprocessed,
  ProtocolParameters,
  PublicKey,
  Signature,
  Signed,
  Transaction,
  TransactionAnswer,
  TransactionIdentifier,
  TransactionSearch,
  UnsignedTransaction
} from "./Types.js"

interface RosettaError {
  readonly code: number
  readonly message: string
  readonly retriable: boolean
  readonly details: unknown
}

/** The error that an answer is. No other answer of the interface has these fields. */
const readError = (answer: unknown): RosettaError | undefined => {
  if (!isRecord(answer)) return undefined
  const { code, details, message, retriable } = answer
  const isCode = typeof code === "number" || typeof code === "bigint"
  return isCode && typeof message === "string" && typeof retriable === "boolean"
    ? { code: Number(code), message, retriable, details }
    : undefined
}

const formatError = ({ details, message }: RosettaError): ReadonlyArray<string> => {
  const more = isRecord(details) && typeof details.message === "string" ? details.message : undefined
  return more === undefined ? [message] : [message, more]
}

/**
 * A server that cannot do its work says so in words. Data that it lacks, and errors that it calls retriable, may be different
 * elsewhere; but servers call wrong addresses and undecodable bytes retriable too, so that no node is blamed for it.
 */
const faultOf = (message: string, retriable: boolean): Fault =>
  /downstream|timeout|timed out|misconfigured|environment configurations/i.test(message)
    ? "node"
    : retriable || /not found|offline mode|not implemented/i.test(message)
      ? "elsewhere"
      : "caller"

/** Rosetta has one status for all errors, 500: its body tells whose fault it is. Other statuses come from proxies. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const said = readError(answer)
  return said === undefined || status > 500 || isRefusalStatus(status)
    ? undefined
    : { messages: formatError(said), fault: faultOf(said.message, said.retriable) }
}

const refusal = (answer: unknown): Refusal | undefined => {
  const said = readError(answer)
  return said === undefined ? undefined : { code: said.code, message: formatError(said).join("; ") }
}

/** Paths of the numbers that the interface declares; the rest is the chain's own. */
const numbers: ReadonlyArray<string> = [
  "**.block_identifier.index",
  "**.parent_block_identifier.index",
  "current_block_identifier.index",
  "current_block_timestamp",
  "genesis_block_identifier.index",
  "oldest_block_identifier.index",
  "sync_status.current_index",
  "sync_status.target_index",
  "allow.errors.[].code",
  "allow.timestamp_start_index",
  "block.timestamp",
  "**.operation_identifier.index",
  "**.operation_identifier.network_index",
  "**.related_operations.[].index",
  "**.related_operations.[].network_index",
  "**.currency.decimals",
  "max_sequence",
  "events.[].sequence",
  "total_count",
  "next_offset",
  "block.metadata.transactionsCount",
  "block.metadata.size",
  "block.metadata.epochNo",
  "block.metadata.slotNo",
  "**.transactions.[].metadata.size",
  "**.transactions.[].metadata.scriptSize",
  "**.transaction.metadata.size",
  "**.transaction.metadata.scriptSize",
  "**.operations.[].metadata.epoch",
  "**.operations.[].metadata.voteRegistrationMetadata.votingNonce",
  "options.relative_ttl",
  "options.transaction_size",
  "metadata.ttl",
  "metadata.protocol_parameters.*"
]

/** Cardano's parameters have camelCase names on the wire. */
const parameters: ReadonlyArray<string> = [
  "protocolParameters",
  "protocol_parameters",
  "depositParameters",
  "deposit_parameters"
]

/** What has one meaning in all calls. The parameters of a procedure are its own. */
const bytesByName: BytesForm = byFieldName(
  {
    dataHash: hex(32),
    hash: hex(32),
    hexBytes: hex(),
    id: whenTextOrBytes(hex()),
    policyId: hex(),
    poolKeyHash: hex(),
    poolRegistrationCert: hex(),
    subject: hex(),
    vrfKeyHash: hex(32),
    votingSignature: hex(),
    data_hash: hex(32),
    hex_bytes: hex(),
    pool_key_hash: hex()
  },
  ["parameters"]
)

/**
 * The endpoints of any chain behind Rosetta. In operations, the content of `metadata` is sent as it is given.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const rosettaEndpoints = group(
  {
    body: "snake",
    integers: bigintIntegers,
    numbers,
    bytes: bytesByName,
    failure,
    refusal,
    classify: ({ message }) => faultOf(message, false)
  },
  {
    /** Networks that the server knows. */
    getNetworkList: post("/network/list")
      .body<{ readonly metadata?: Metadata }>()
      .returns<{ readonly network_identifiers: ReadonlyArray<NetworkIdentifier> }>()
      // the server wants an object, even if there is nothing in it
      .prepare((input) => ({ request: input ?? {} }))
      .whole("request")
      .lists("network_identifiers"),
    /** Newest, oldest and first block, and how far the node is with reading the chain. */
    getNetworkStatus: post("/network/status").body<OfNetworkWithMetadata>().returns<NetworkStatus>(),
    /** Versions, types of operations, errors, and what the server can do. */
    getNetworkOptions: post("/network/options").body<OfNetworkWithMetadata>().returns<NetworkOptions>(),
    /** Block with its transactions, by height, hash, or the newest one. */
    getBlock: post("/block")
      .echoes({
        "block.block_identifier.hash": "blockIdentifier.hash",
        "block.block_identifier.index": "blockIdentifier.index"
      })
      .body<OfNetwork & { readonly blockIdentifier: PartialBlockIdentifier }>()
      .returns<BlockAnswer>(),
    /** Transaction of a block. */
    getBlockTransaction: post("/block/transaction")
      .echoes({ "transaction.transaction_identifier.hash": "transactionIdentifier.hash" })
      .body<
        OfNetwork & {
          readonly blockIdentifier: { readonly index: Integer; readonly hash: string }
          readonly transactionIdentifier: TransactionIdentifier
        }
      >()
      .returns<{ readonly transaction: Transaction }>(),
    /** Hashes of the transactions that wait for a block. */
    getMempool: post("/mempool")
      .body<OfNetworkWithMetadata>()
      .returns<{ readonly transaction_identifiers: ReadonlyArray<TransactionIdentifier> }>()
      .lists("transaction_identifiers"),
    /** Transaction that waits for a block. */
    getMempoolTransaction: post("/mempool/transaction")
      .echoes({ "transaction.transaction_identifier.hash": "transactionIdentifier.hash" })
      .body<OfNetwork & { readonly transactionIdentifier: TransactionIdentifier }>()
      .returns<{ readonly transaction: Transaction; readonly metadata?: Metadata }>(),
    /** Balances of an account, now or at a block, in the smallest units. */
    getAccountBalance: post("/account/balance")
      .body<
        OfNetwork & {
          readonly accountIdentifier: AccountIdentifier
          readonly blockIdentifier?: PartialBlockIdentifier
          readonly currencies?: ReadonlyArray<Currency>
        }
      >()
      .returns<AccountBalance>()
      .lists("balances"),
    /** Unspent outputs of an account, in the smallest units. */
    getAccountCoins: post("/account/coins")
      .body<
        OfNetwork & {
          readonly accountIdentifier: AccountIdentifier
          readonly includeMempool?: boolean
          readonly currencies?: ReadonlyArray<Currency>
        }
      >()
      .returns<AccountCoins>()
      .lists("coins"),
    /** Address of a public key. */
    deriveAccount: post("/construction/derive")
      .body<OfNetwork & { readonly publicKey: PublicKey; readonly metadata?: DeriveMetadata }>()
      .returns<{
        readonly address?: string
        readonly account_identifier?: AccountIdentifier
        readonly metadata?: Metadata
      }>(),
    /** What the node has to be asked before these operations can be a transaction. Works without a connection to the chain. */
    constructionPreprocess: post("/construction/preprocess")
      .body<OfNetworkWithMetadata & { readonly operations: ReadonlyArray<Operation> }>()
      .returns<Preprocessed>()
      .keep("operations.metadata", ...parameters),
    /** What a transaction needs to know of the chain, and the fee, in the smallest unit. */
    getTransactionConstructionMetadata: post("/construction/metadata")
      .body<OfNetwork & { readonly options?: Metadata; readonly publicKeys?: ReadonlyArray<PublicKey> }>()
      .returns<ConstructionMetadataAnswer>()
      .keep(...parameters),
    /** Transaction without signatures, and what is to be signed. */
    generateUnsignedTransactionAndSigningPayloads: post("/construction/payloads")
      .body<
        OfNetwork & {
          readonly operations: ReadonlyArray<Operation>
          readonly metadata?: ConstructionMetadata & { readonly protocolParameters?: ProtocolParameters }
          readonly publicKeys?: ReadonlyArray<PublicKey>
        }
      >()
      .returns<UnsignedTransaction>()
      .keep("operations.metadata", ...parameters)
      .lists("payloads"),
    /** Transaction with its signatures. */
    createNetworkTransaction: post("/construction/combine")
      .body<
        OfNetwork & { readonly unsignedTransaction: string; readonly signatures: ReadonlyArray<Signature> }
      >()
      .returns<{ readonly signed_transaction: string }>(),
    /** Operations of a transaction, and of a signed one those who signed. */
    parseTransaction: post("/construction/parse")
      .body<OfNetwork & { readonly signed: boolean; readonly transaction: string }>()
      .returns<ParsedTransaction>()
      .lists("operations"),
    /** Hash of a signed transaction. */
    getHashOfTransaction: post("/construction/hash").body<Signed>().returns<TransactionAnswer>(),
    /** Sends a signed transaction. Safe to repeat. */
    submitTransaction: post("/construction/submit").body<Signed>().returns<TransactionAnswer>().broadcast(),
    /** Calls a procedure of the server, which may change something there: it is never repeated by itself. */
    call: post("/call")
      .body<OfNetwork & { readonly method: string; readonly parameters: Readonly<Record<string, unknown>> }>()
      .returns<{ readonly result: Metadata; readonly idempotent: boolean }>()
      .keep("parameters")
      .write(),
    /** Blocks that were added and given up; without an offset the newest events. */
    getEventsBlocks: post("/events/blocks")
      .body<OfNetwork & { readonly offset?: Integer; readonly limit?: Integer }>()
      .returns<BlockEvents>()
      .lists("events"),
    /** Transactions that match conditions. */
    searchTransactions: post("/search/transactions")
      .body<TransactionSearch>()
      .returns<FoundTransactions>()
      .lists("transactions")
  }
)

/**
 * The endpoints of Cardano.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = rosettaEndpoints
