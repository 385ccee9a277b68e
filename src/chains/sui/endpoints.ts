/**
 * The endpoints of Sui's nodes and its indexer, and how they report errors.
 *
 * @since 0.1.0
 */
import { fieldAt } from "../../balancer/Family.js"
import { base64, eachOf } from "../../data/bytes.js"
import { type Fault, group, merge, post, rpc } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord, type Json } from "../../data/untrusted.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { standardFaultOf } from "../internal/faults.js"
import type {
  Address,
  Balance,
  Base64,
  Checkpoint,
  Coin,
  CoinMetadata,
  CoinType,
  CommitteeInfo,
  DelegatedStake,
  DevInspectOptions,
  DevInspectResult,
  Digest,
  DryRunResult,
  DynamicFieldInfo,
  DynamicFieldName,
  Event,
  EventFilter,
  EventId,
  ExecuteRequestType,
  GraphQlAnswer,
  GraphQlAnswerOf,
  Integer,
  MoveFunction,
  MoveFunctionArgType,
  MoveModule,
  MoveStructType,
  ObjectId,
  ObjectOptions,
  ObjectQuery,
  ObjectRead,
  ObjectResponse,
  Page,
  PastObject,
  ProtocolConfig,
  Supply,
  SystemState,
  TransactionOptions,
  TransactionQuery,
  TransactionResponse,
  U64,
  ValidatorApys,
  ZkLoginIntentScope,
  ZkLoginVerifyResult
} from "./Types.js"

/** A 64-bit integer of a caller, as nodes read it. */
const toDecimal = (value: Integer | null | undefined): string | null | undefined =>
  value === undefined || value === null ? value : String(value)

const toBigInt = (value: string): bigint => BigInt(value)

/** Fields that are a `number` wherever they stand: counts, positions, versions of formats, weights, shares and bytes. */
export const numbers: ReadonlyArray<string> = [
  "!**.fields",
  "!**.parsedJson",
  "!**.value",
  "**.Input",
  "**.NestedResult.[]",
  "**.Result",
  "**.TypeParameter",
  "**.apy",
  "**.authenticator_data.[]",
  "**.bitmap",
  "**.coinObjectCount",
  "**.decimals",
  "**.digest.[]",
  "**.fileFormatVersion",
  "**.indexMod4",
  "**.line",
  "**.mutableReferenceOutputs.[].[].[]",
  "**.pk_map.[].[]",
  "**.random_bytes.[]",
  "**.rawEffects.[]",
  "**.rawTxnData.[]",
  "**.returnValues.[].[].[]",
  "**.stakeSubsidyDecreaseRate",
  "**.threshold"
]

/** The words by which a node says that it has not what was asked for: it may have been pruned there, or not yet have arrived. */
export const absentMessage =
  /could not find the referenced|not found for (?:sequence number|digest)|indexes are not available|has been pruned/i

/** Codes of the chain: a transaction that validators refuse, and a failure that passes. */
const REFUSED_CODE = -32_002

const TRANSIENT_CODE = -32_050

/** What inputs of a transaction lack, no other node has: the validators have said so. */
const inputsMessage = /transaction inputs|signature/i

/**
 * Whose fault an error is. Nodes have the code of bad parameters also for transactions and checkpoints that they do not have.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = ({ code, message }: { readonly code: number; readonly message: string }): Fault => {
  if (code === REFUSED_CODE) return "caller"
  if (code === TRANSIENT_CODE) return "node"
  if (absentMessage.test(message) && !inputsMessage.test(message)) return "elsewhere"
  return standardFaultOf({ code, message })
}

export const jsonRpc = group(
  {
    integers: bigintIntegers,
    numbers,
    classify,
    reads: /^(?:rpc\.discover|suix?_(?:get|multiGet|tryGet|query|resolve)\w+)$/
  },
  {
    /** Chain's identifier: the first four bytes of the genesis checkpoint's digest, hexadecimal. */
    getChainIdentifier: rpc<[], string>("sui_getChainIdentifier"),
    /** Sequence number of the newest checkpoint that the node has executed. */
    getLatestCheckpointSequenceNumber: rpc<[], bigint>("sui_getLatestCheckpointSequenceNumber")
      .decode(toBigInt)
      .height(),
    /** Number of transactions that the node knows. */
    getTotalTransactionBlocks: rpc<[], bigint>("sui_getTotalTransactionBlocks").decode(toBigInt),
    /** Checkpoint by its sequence number or its digest. */
    getCheckpoint: rpc<[id: Integer | Digest], Checkpoint>("sui_getCheckpoint")
      .params((id) => [String(id)])
      .echoes({ sequenceNumber: 0, digest: 0 })
      .lists("checkpointCommitments", "transactions"),
    /** Checkpoints after a cursor, oldest first unless `descendingOrder`. */
    getCheckpoints: rpc<
      [cursor?: Integer | null, limit?: bigint | null, descendingOrder?: boolean],
      Page<Checkpoint, U64>
    >("sui_getCheckpoints")
      .params((cursor, limit, descendingOrder) => [toDecimal(cursor), limit, descendingOrder ?? false])
      .lists("data"),
    /** Object by its id. */
    getObject: rpc<[objectId: ObjectId, options?: ObjectOptions], ObjectResponse>("sui_getObject").echoes({
      "data.objectId": 0
    }),
    /** Objects by their ids, in this order. */
    multiGetObjects: rpc<
      [objectIds: ReadonlyArray<ObjectId>, options?: ObjectOptions],
      ReadonlyArray<ObjectResponse>
    >("sui_multiGetObjects").lists(),
    /** Object at a version, as far as the node still has it. */
    tryGetPastObject: rpc<[objectId: ObjectId, version: Integer, options?: ObjectOptions], ObjectRead>(
      "sui_tryGetPastObject"
    ).params((objectId, version, options) => [objectId, BigInt(version), options]),
    /** Objects at versions, in this order. */
    tryMultiGetPastObjects: rpc<
      [pastObjects: ReadonlyArray<PastObject>, options?: ObjectOptions],
      ReadonlyArray<ObjectRead>
    >("sui_tryMultiGetPastObjects")
      .params((pastObjects, options) => [
        pastObjects.map(({ objectId, version }) => ({ objectId, version: String(version) })),
        options
      ])
      .lists(),
    /** Transaction by its digest. */
    getTransactionBlock: rpc<[digest: Digest, options?: TransactionOptions], TransactionResponse>(
      "sui_getTransactionBlock"
    ).echoes({ digest: 0 }),
    /** Transactions by their digests, in this order. */
    multiGetTransactionBlocks: rpc<
      [digests: ReadonlyArray<Digest>, options?: TransactionOptions],
      ReadonlyArray<TransactionResponse>
    >("sui_multiGetTransactionBlocks").lists(),
    /** Events of a transaction. */
    getEvents: rpc<[transactionDigest: Digest], ReadonlyArray<Event>>("sui_getEvents").lists(),
    /** Limits and switches of a version of the protocol, by default of the newest. */
    getProtocolConfig: rpc<[version?: Integer | null], ProtocolConfig>("sui_getProtocolConfig").params(
      (version) => [toDecimal(version)]
    ),
    /** How a function of a module takes its arguments. */
    getMoveFunctionArgTypes: rpc<
      [packageId: ObjectId, module: string, fn: string],
      ReadonlyArray<MoveFunctionArgType>
    >("sui_getMoveFunctionArgTypes").lists(),
    /** Signature of a function. */
    getNormalizedMoveFunction: rpc<[packageId: ObjectId, module: string, fn: string], MoveFunction>(
      "sui_getNormalizedMoveFunction"
    ).lists("parameters", "return", "typeParameters"),
    /** Types and functions of a module. */
    getNormalizedMoveModule: rpc<[packageId: ObjectId, module: string], MoveModule>(
      "sui_getNormalizedMoveModule"
    ).lists("friends"),
    /** Modules of a package, by their names. */
    getNormalizedMoveModulesByPackage: rpc<[packageId: ObjectId], { readonly [name: string]: MoveModule }>(
      "sui_getNormalizedMoveModulesByPackage"
    ),
    /** Struct of a module. */
    getNormalizedMoveStruct: rpc<[packageId: ObjectId, module: string, struct: string], MoveStructType>(
      "sui_getNormalizedMoveStruct"
    ).lists("fields", "typeParameters"),
    /** Whether a signature by zkLogin of these bytes is valid for its author. */
    verifyZkLoginSignature: rpc<
      [bytes: Base64, signature: Base64, intentScope: ZkLoginIntentScope, author: Address],
      ZkLoginVerifyResult
    >("sui_verifyZkLoginSignature")
      .bytes({ 0: base64(), 1: base64() })
      .lists("errors"),
    /** Effects that a transaction would have, in full form and with gas. */
    dryRunTransactionBlock: rpc<[txBytes: Base64], DryRunResult>("sui_dryRunTransactionBlock")
      .bytes({ 0: base64() })
      .lists("balanceChanges", "events", "objectChanges"),
    /** Effects and returned values of a transaction's kind (BCS), which may be any call with any arguments. */
    devInspectTransactionBlock: rpc<
      [sender: Address, txBytes: Base64, options?: DevInspectOptions],
      DevInspectResult
    >("sui_devInspectTransactionBlock")
      .bytes({ 1: base64() })
      .params((sender, txBytes, options) => [
        sender,
        txBytes,
        toDecimal(options?.gasPrice),
        toDecimal(options?.epoch),
        options?.additionalArgs
      ])
      .lists("events"),
    /** Sends a signed transaction (BCS). Safe to repeat: a node answers for the same one with the same effects. */
    executeTransactionBlock: rpc<
      [
        txBytes: Base64,
        signatures: ReadonlyArray<Base64>,
        options?: TransactionOptions | null,
        requestType?: ExecuteRequestType | null
      ],
      TransactionResponse
    >("sui_executeTransactionBlock")
      .bytes({ 0: base64(), 1: eachOf(base64()) })
      .broadcast(),
    /** Balances of all coin types of an owner. */
    getAllBalances: rpc<[owner: Address], ReadonlyArray<Balance>>("suix_getAllBalances").lists(),
    /** Balance of a coin type, by default of SUI. */
    getBalance: rpc<[owner: Address, coinType?: CoinType | null], Balance>("suix_getBalance"),
    /** Coins of an owner, of all types. */
    getAllCoins: rpc<[owner: Address, cursor?: string | null, limit?: number | null], Page<Coin, string>>(
      "suix_getAllCoins"
    ).lists("data"),
    /** Coins of one type, by default of SUI. */
    getCoins: rpc<
      [owner: Address, coinType?: CoinType | null, cursor?: string | null, limit?: number | null],
      Page<Coin, string>
    >("suix_getCoins").lists("data"),
    /** Names and decimals of a coin type; null if nobody has registered them. */
    getCoinMetadata: rpc<[coinType: CoinType], CoinMetadata | null>("suix_getCoinMetadata"),
    /** Supply of a coin type. */
    getTotalSupply: rpc<[coinType: CoinType], Supply>("suix_getTotalSupply"),
    /** Objects of an owner. */
    getOwnedObjects: rpc<
      [address: Address, query?: ObjectQuery | null, cursor?: ObjectId | null, limit?: number | null],
      Page<ObjectResponse, ObjectId>
    >("suix_getOwnedObjects").lists("data"),
    /** Dynamic fields of an object. */
    getDynamicFields: rpc<
      [parentObjectId: ObjectId, cursor?: ObjectId | null, limit?: number | null],
      Page<DynamicFieldInfo, ObjectId>
    >("suix_getDynamicFields").lists("data"),
    /** Object in a dynamic field, by the field's name. */
    getDynamicFieldObject: rpc<[parentObjectId: ObjectId, name: DynamicFieldName], ObjectResponse>(
      "suix_getDynamicFieldObject"
    ),
    /** Events that match a filter, oldest first unless `descendingOrder`. */
    queryEvents: rpc<
      [query: EventFilter, cursor?: EventId | null, limit?: number | null, descendingOrder?: boolean],
      Page<Event, EventId>
    >("suix_queryEvents").lists("data"),
    /** Transactions that match a filter, oldest first unless `descendingOrder`. */
    queryTransactionBlocks: rpc<
      [query: TransactionQuery, cursor?: Digest | null, limit?: number | null, descendingOrder?: boolean],
      Page<TransactionResponse, Digest>
    >("suix_queryTransactionBlocks").lists("data"),
    /** State of the system: the epoch, the validators and the stake. */
    getLatestSuiSystemState: rpc<[], SystemState>("suix_getLatestSuiSystemState").lists(
      "activeValidators",
      "atRiskValidators",
      "pendingRemovals",
      "validatorReportRecords"
    ),
    /** Price of gas in this epoch, in MIST. */
    getReferenceGasPrice: rpc<[], bigint>("suix_getReferenceGasPrice").decode(toBigInt),
    /** Validators of an epoch with their voting power, by default of this one. */
    getCommitteeInfo: rpc<[epoch?: Integer | null], CommitteeInfo>("suix_getCommitteeInfo")
      .params((epoch) => [toDecimal(epoch)])
      .lists("validators"),
    /** Yields of the validators. */
    getValidatorsApy: rpc<[], ValidatorApys>("suix_getValidatorsApy").lists("apys"),
    /** Stake of an owner. */
    getStakes: rpc<[owner: Address], ReadonlyArray<DelegatedStake>>("suix_getStakes").lists(),
    /** Stake by the ids of its objects. */
    getStakesByIds: rpc<[stakedSuiIds: ReadonlyArray<ObjectId>], ReadonlyArray<DelegatedStake>>(
      "suix_getStakesByIds"
    ).lists(),
    /** Address that a name stands for; null if it stands for none. */
    resolveNameServiceAddress: rpc<[name: string], Address | null>("suix_resolveNameServiceAddress"),
    /** Names that stand for an address. */
    resolveNameServiceNames: rpc<
      [address: Address, cursor?: ObjectId | null, limit?: number | null],
      Page<string, ObjectId>
    >("suix_resolveNameServiceNames").lists("data")
  }
)

/** The codes of GraphQL errors that speak of the query, and not of the server. */
const queryErrorCode = /^(?:BAD_USER_INPUT|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$/

/** The first error of an answer that has no data. */
const readError = (
  answer: unknown
): { readonly message: string; readonly isOfQuery: boolean } | undefined => {
  if (!isRecord(answer) || (answer.data !== undefined && answer.data !== null)) return undefined
  const first: unknown = fieldAt("errors", 0)(answer)
  const message: unknown = fieldAt("message")(first)
  if (typeof message !== "string") return undefined
  return { message, isOfQuery: queryErrorCode.test(String(fieldAt("extensions", "code")(first))) }
}

const graphQl = group(
  {
    integers: numberIntegers,
    refusal: (answer) => readError(answer),
    failure: (answer) => {
      const error = readError(answer)
      return error && { messages: [error.message], fault: error.isOfQuery ? "caller" : "unclear" }
    }
  },
  {
    /** Answer to a GraphQL query of an indexer, at `graphqlUrl`. A document of `graphQlDocument` gives it a type. */
    graphql: post("/graphql")
      .returns<GraphQlAnswer<Json>>()
      .args((query: string, variables?: { readonly [name: string]: Json }, operationName?: string) => ({
        query,
        variables,
        operationName
      }))
      .verbatim()
      .choosing<0, string, GraphQlAnswerOf>()
  }
)

/**
 * The endpoints of Sui.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(jsonRpc, graphQl)
