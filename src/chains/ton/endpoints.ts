/**
 * The endpoints of TON, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { bytesOfAnyBase64 } from "../../data/base64.js"
import { base64, byFieldName } from "../../data/bytes.js"
import {
  type Dialect,
  type Failure,
  type Fault,
  get,
  group,
  merge,
  post,
  type Refusal
} from "../../data/Endpoint.js"
import { bytesToHex } from "../../data/hex.js"
import { type IntegerCodec, numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { isRefusalStatus } from "../../wire/jsonRpc.js"
import { readMessage, standardFaultOf, toFailure } from "../internal/faults.js"
import { joinWithCommas } from "../internal/joinWithCommas.js"
import type {
  Account,
  AccountEvent,
  AccountEvents,
  AccountInfoByStateInit,
  AccountPurchases,
  AccountStaking,
  Accounts,
  Address,
  AddressForms,
  AddressInformation,
  AddressList,
  AddressState,
  ApyHistory,
  Auctions,
  Base64,
  BlockchainAccountInspect,
  BlockchainBlock,
  BlockchainBlockShards,
  BlockchainBlocks,
  BlockchainConfig,
  BlockchainLibrary,
  BlockchainRawAccount,
  BlockchainRawAccounts,
  BlockHeader,
  BlockId,
  BlockIdExt,
  BlockPlace,
  BlockProofStep,
  BlockRaw,
  BlockSignatures,
  BlockTransactions,
  BlockTransactionsQuery,
  Boc,
  BocBody,
  ChartPoints,
  ConfigInfo,
  ConnectProof,
  ConsensusBlock,
  DecodedMessage,
  DefiAssets,
  DetectedAddress,
  DnsExpiring,
  DnsRecord,
  DnsResolved,
  DomainBids,
  DomainInfo,
  DomainNames,
  EcPreview,
  Event,
  ExecGetMethodArg,
  ExtendedAddressInformation,
  ExtMessageInfo,
  FoundAccounts,
  GaslessConfig,
  GaslessTx,
  GetMethodCall,
  HashForms,
  InitStateRaw,
  InscriptionBalances,
  Integer,
  JettonBalance,
  JettonHolders,
  JettonInfo,
  JettonOperations,
  Jettons,
  JettonsBalances,
  JettonTransferPayload,
  JsonRpcCall,
  Language,
  Libraries,
  LogicalTime,
  MarketTonRates,
  MasterchainInfo,
  MessageConsequences,
  MessageParts,
  MessagePlace,
  MethodExecutionResult,
  MigrationPrepareRequest,
  MigrationPrepareResponse,
  MigrationWallets,
  Multisig,
  MultisigOrder,
  Multisigs,
  NftCollection,
  NftCollections,
  NftItem,
  NftItems,
  NftOperations,
  OptionalInteger,
  OutMsgQueueSizes,
  PoolImplementation,
  PoolInfo,
  QueryFees,
  RawBlockchainConfig,
  RawTransaction,
  ReducedBlocks,
  RewardsStats,
  RoundRewardsResponse,
  RunResult,
  RunResultStd,
  Seqno,
  ServiceStatus,
  ShardBlockProof,
  Shards,
  ShortTransactionId,
  SignRawParams,
  StackArgument,
  StorageProvider,
  Subscriptions,
  TokenData,
  TokenRates,
  TonResponse,
  Trace,
  TraceIDs,
  Transaction,
  TransactionExt,
  Transactions,
  TransactionsQuery,
  TransactionsStd,
  TvmCell,
  TvmStackEntry,
  ValidationRoundsResponse,
  Validators,
  ValidatorsResponse,
  Wallet,
  WalletInformation,
  Wallets,
  WalletsByPublicKeys
} from "./Types.js"

/** A shard or a logical time that a number cannot hold has lost its digits before it gets here. */
const exact = <F extends object>(fields: F): F => {
  for (const [name, value] of Object.entries(fields)) {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new Error(`${name} is above 2^53: it must be a bigint or text`)
    }
  }
  return fields
}

/** The input of a classic call, or the body of a request. */
const fields = (input: object): Readonly<Record<string, unknown>> => {
  if (!isRecord(input)) throw new Error("the input must be an object")
  return exact({ ...input })
}

const optional = (input: object | undefined): Readonly<Record<string, unknown>> =>
  input === undefined ? {} : fields(input)

/** The logical times of a classic call under their right names. */
const withUpperLt = (
  input: LogicalTime & { readonly to_It?: Integer }
): Readonly<Record<string, unknown>> => {
  const { It, to_It, ...rest } = fields(input)
  return {
    ...(It === undefined ? {} : { lt: It }),
    ...(to_It === undefined ? {} : { to_lt: to_It }),
    ...rest
  }
}

const atSeqno = (seqno: number): Readonly<Record<string, unknown>> => ({ seqno })

const atAddress = (address: Address): Readonly<Record<string, unknown>> => ({ address })

/** An account as of a block of the masterchain, or as it is now. */
const accountAt = (address: Address, seqno?: bigint): Readonly<Record<string, unknown>> => ({
  address,
  seqno
})

/** The message or its arguments are wrong, whatever the status says. */
const callerMessage =
  /external message|exit ?code|duplicate message|(incorrect|invalid|illegal|can't parse|cannot parse) (account )?(address|boc|stack)|bag of cells/i

/** Not known here: it may be older or newer than the data of this node. */
const elsewhereMessage =
  /not in db|not found|not applied|not ?ready|cannot (find|load|locate|compute)|too old/i

const faultOf = (message: string): Fault | undefined =>
  callerMessage.test(message) ? "caller" : elsewhereMessage.test(message) ? "elsewhere" : undefined

/**
 * Accounts and hashes as hexadecimal digits, in whichever alphabet and with whichever flags they are written, and of the name of a
 * block its height. Any other text may be a name that stands for an account.
 */
const canonical = (text: string): string | undefined => {
  if (/^[\w+/-]{43}(=|[\w+/-]{5})?$/.test(text)) {
    const digits = bytesToHex(bytesOfAnyBase64(text))
    // flags come before an account, and a checksum after it
    return digits.length === 72 ? digits.slice(2, 68) : digits
  }
  const [, workchain, hash] = /^(-?\d+):([0-9a-f]{64})$/i.exec(text) ?? []
  if (hash !== undefined) return bytesToHex([Number(workchain) & 255]) + hash.toLowerCase()
  const [, seqno] = /^\(-?\d+,[0-9a-f]+,(\d+)/i.exec(text) ?? []
  return seqno ?? (/^(0x)?[0-9a-f]+$/i.test(text) ? text : undefined)
}

/** Codes are statuses: 500 stands for any failure, be it of the request or of the node. */
const classify: Dialect["classify"] = (error) => {
  const { code, message } = error
  const isRefusal = code >= 400 && code < 500 && !isRefusalStatus(code)
  return faultOf(message) ?? (isRefusal ? "caller" : code > 500 ? "node" : standardFaultOf(error))
}

/** A classic call that fails says so in its answer, and not always by its status. */
const refusal = (answer: unknown): Refusal | undefined => {
  if (!isRecord(answer) || answer.ok !== false) return undefined
  const { code, error } = answer
  return {
    message: typeof error === "string" ? error : "the call was refused",
    ...(typeof code === "number" ? { code } : {})
  }
}

/** Refusals of lite servers arrive with status 500, be it the node's fault or not: only the message tells. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const message = readMessage(answer, "error")
  const fault = message === undefined ? undefined : faultOf(message)
  return message === undefined || fault === undefined || isRefusalStatus(status)
    ? toFailure(message, status, status === 404 ? "elsewhere" : "caller")
    : { messages: [message], fault }
}

/** Integers in the answers of classic calls are small; large ones are text. Arguments may be of any size. */
const integers: IntegerCodec = { parse: numberIntegers.parse, stringify: bigintIntegers.stringify }

/** Raw calls go to the classic JSON-RPC. */
const reads =
  /^(?:get[A-Z]\w*|runGetMethod\w*|estimateFee|lookupBlock|shards|dnsResolve|tryLocate\w+|detect\w+|(?:un)?packAddress)$/

const broadcasts = /^send(?:Boc|Query)\w*$/

const rawEndpoints = group(
  { prefix: "/jsonRPC", textIds: true, integers, classify, refusal, failure, reads, broadcasts },
  {}
)

const tokenEndpoints = group(
  { prefix: "", integers: bigintIntegers, canonical, classify, refusal, failure },
  {
    /** A jetton, a wallet of it, an item or a collection, by its contract. Supply and balance are in the smallest unit. */
    getTokenData: get("/getTokenData")
      .echoes({ "result.address": 0 })
      .returns<TonResponse<TokenData>>()
      .args(atAddress)
  }
)

/** The parts of a message. */
const messageBytes = { body: base64(), init_code: base64(), init_data: base64() }

/** Hashes by which a block is named beside its place. */
const blockBytes = { after_hash: base64(), file_hash: base64(), root_hash: base64() }

const classicEndpoints = group(
  { prefix: "", integers, canonical, classify, refusal, failure },
  {
    /** An account, now or as of a block of the masterchain: balance (nanotons), code, data, and its last transaction. */
    getAddressInformation: get("/getAddressInformation")
      .returns<TonResponse<AddressInformation>>()
      .args(accountAt),
    /** The same with what is known of the contract. */
    getExtendedAddressInformation: get("/getExtendedAddressInformation")
      .echoes({ "result.address.account_address": 0 })
      .returns<TonResponse<ExtendedAddressInformation>>()
      .args(accountAt),
    /** A wallet, now or as of a block of the masterchain: balance (nanotons), kind and sequence number. */
    getWalletInformation: get("/getWalletInformation")
      .returns<TonResponse<WalletInformation>>()
      .args(accountAt),
    /** Cell of an account in the state of its shard, now or as of a block of the masterchain. */
    getShardAccountCell: get("/getShardAccountCell").returns<TonResponse<TvmCell>>().args(accountAt),
    /** Transactions of an account, newest first. */
    getTransactions: get("/getTransactions")
      .echoes({ "result.0.address.account_address": "address" })
      .returns<TonResponse<ReadonlyArray<RawTransaction>>>()
      .args<[input: TransactionsQuery]>(withUpperLt)
      .lists("result"),
    /** Transactions of an account, newest first, with what comes before them. */
    getTransactionsStd: get("/getTransactionsStd")
      .echoes({ "result.transactions.0.address.account_address": "address" })
      .returns<TonResponse<TransactionsStd>>()
      .args<[input: TransactionsQuery]>(withUpperLt),
    /** Balance of an account in nanotons, now or as of a block of the masterchain. */
    getAddressBalance: get("/getAddressBalance").returns<TonResponse<string>>().args(accountAt),
    /** Whether there is a contract at an address, now or as of a block of the masterchain. */
    getAddressState: get("/getAddressState").returns<TonResponse<AddressState>>().args(accountAt),
    /** An address (workchain and hexadecimal) as base64. */
    packAddress: get("/packAddress").echoes({ result: 0 }).returns<TonResponse<string>>().args(atAddress),
    /** An address (base64) as workchain and hexadecimal. */
    unpackAddress: get("/unpackAddress").echoes({ result: 0 }).returns<TonResponse<string>>().args(atAddress),
    /** An address in all its forms. */
    detectAddress: get("/detectAddress")
      .echoes({ "result.raw_form": 0 })
      .returns<TonResponse<DetectedAddress>>()
      .args(atAddress),
    /** A hash (hexadecimal or base64) in all its forms. */
    detectHash: get("/detectHash")
      .echoes({ "result.hex": 0 })
      .returns<TonResponse<HashForms>>()
      .args((hash: string): Readonly<Record<string, unknown>> => ({ hash })),
    /**
     * Records of a domain: those of a name below the one whose contract is asked, all or of one category (the SHA-256 of
     * its name, base64). `ttl` is how many contracts may be asked in turn.
     */
    dnsResolveEntries: get("/dnsResolve")
      .bytes({ category: base64() })
      .returns<TonResponse<DnsResolved>>()
      .args<
        [
          input: {
            readonly address: Address
            readonly name?: string
            readonly category?: Base64
            readonly ttl?: number
            readonly seqno?: number
          }
        ]
      >(fields),
    /** Newest block of the masterchain. */
    getMasterchainInfo: get("/getMasterchainInfo").returns<TonResponse<MasterchainInfo>>(),
    /** Signatures under a block of the masterchain. */
    getMasterchainBlockSignatures: get("/getMasterchainBlockSignatures")
      .echoes({ "result.id.seqno": 0 })
      .returns<TonResponse<BlockSignatures>>()
      .args(atSeqno),
    /** Proof that a shard's block belongs to the chain. */
    getShardBlockProof: get("/getShardBlockProof")
      .bytes(blockBytes)
      .returns<TonResponse<ShardBlockProof>>()
      .args<[input: BlockPlace & { readonly from_seqno?: number }]>(fields),
    /** Newest block that most of the validators have signed, and its time. */
    getConsensusBlock: get("/getConsensusBlock").returns<TonResponse<ConsensusBlock>>(),
    /** Block of a shard at a height, a logical time or a time (seconds). */
    lookupBlock: get("/lookupBlock")
      .echoes({ "result.seqno": "seqno" })
      .returns<TonResponse<BlockIdExt>>()
      .args<
        [
          input: LogicalTime & {
            readonly workchain: number
            readonly shard: Integer
            readonly seqno?: number
            readonly unixtime?: number
          }
        ]
      >(withUpperLt),
    /** Shards that a block of the masterchain knows. */
    getShards: get("/getShards").returns<TonResponse<Shards>>().args(atSeqno),
    /**
     * The same under the name that servers of before 2.1 have for it.
     *
     * @deprecated it is `getShards`
     */
    shards: get("/shards").returns<TonResponse<Shards>>().args(atSeqno),
    /** Transactions of a block, by account. */
    getBlockTransactions: get("/getBlockTransactions")
      .echoes({ "result.id.seqno": "seqno" })
      .bytes(blockBytes)
      .returns<TonResponse<BlockTransactions<ShortTransactionId>>>()
      .args<[input: BlockTransactionsQuery]>(fields),
    /** Transactions of a block with their messages. */
    getBlockTransactionsExt: get("/getBlockTransactionsExt")
      .echoes({ "result.id.seqno": "seqno" })
      .bytes(blockBytes)
      .returns<TonResponse<BlockTransactions<TransactionExt>>>()
      .args<[input: BlockTransactionsQuery]>(fields),
    /** Header of a block. */
    getBlockHeader: get("/getBlockHeader")
      .echoes({ "result.id.seqno": "seqno" })
      .bytes(blockBytes)
      .returns<TonResponse<BlockHeader>>()
      .args<[input: BlockPlace]>(fields),
    /** Number of messages that wait in the queues of the shards. */
    getOutMsqQueueSizes: get("/getOutMsgQueueSize").returns<TonResponse<OutMsgQueueSizes>>(),
    /** Parameter of the configuration as a cell, now or at a height of the masterchain. */
    getConfigParam: get("/getConfigParam")
      .returns<TonResponse<ConfigInfo>>()
      .args<[input: { readonly config_id: number; readonly seqno?: number }]>((input) => {
        const { config_id, ...rest } = fields(input)
        // its name is of before 2.1, and another since
        return { param: config_id, config_id, ...rest }
      }),
    /** Whole configuration as a cell, now or at a height of the masterchain. */
    getConfigAll: get("/getConfigAll")
      .returns<TonResponse<ConfigInfo>>()
      .args<[input?: { readonly seqno?: number }]>(optional),
    /** Library cells by their hashes. */
    getLibraries: get("/getLibraries")
      .returns<TonResponse<Libraries>>()
      .args<[input: { readonly libraries: ReadonlyArray<string> }]>(fields),
    /** Transaction that received a message. */
    tryLocateTx: get("/tryLocateTx")
      .echoes({ "result.address.account_address": "destination" })
      .returns<TonResponse<RawTransaction>>()
      .args<[input: MessagePlace]>(fields),
    /** Transaction that a message led to. */
    tryLocateResultTx: get("/tryLocateResultTx")
      .echoes({ "result.address.account_address": "destination" })
      .returns<TonResponse<RawTransaction>>()
      .args<[input: MessagePlace]>(fields),
    /** Transaction that sent a message. */
    tryLocateSourceTx: get("/tryLocateSourceTx")
      .echoes({ "result.address.account_address": "source" })
      .returns<TonResponse<RawTransaction>>()
      .args<[input: MessagePlace]>(fields),
    /** Runs a get-method (by name or id). A run that fails is an answer, too: see `exit_code`. */
    runGetMethod: post("/runGetMethod")
      .returns<TonResponse<RunResult>>()
      .args<[input: GetMethodCall<StackArgument>]>(fields),
    /** The same, with every entry of the stack under its kind. */
    runGetMethodStd: post("/runGetMethodStd")
      .returns<TonResponse<RunResultStd>>()
      .args<[input: GetMethodCall<TvmStackEntry>]>(fields),
    /** Sends a signed message. Safe to repeat. */
    sendBoc: post("/sendBoc")
      .bytes({ boc: base64() })
      .returns<TonResponse<{ readonly "@type": string }>>()
      .args<[input: { readonly boc: Base64 }]>(fields)
      .broadcast(),
    /** Sends a signed message, and yields its hash. Safe to repeat. */
    sendBocReturnHash: post("/sendBocReturnHash")
      .bytes({ boc: base64() })
      .returns<TonResponse<ExtMessageInfo>>()
      .args<[input: { readonly boc: Base64 }]>(fields)
      .broadcast(),
    /** Sends a signed message in its parts. Safe to repeat. */
    sendQuery: post("/sendQuery")
      .bytes(messageBytes)
      .returns<TonResponse<{ readonly "@type": string }>>()
      .args<[input: MessageParts]>(fields)
      .broadcast(),
    /** What a message would cost, in nanotons. */
    estimateFee: post("/estimateFee")
      .bytes(messageBytes)
      .returns<TonResponse<QueryFees>>()
      .args<[input: MessageParts & { readonly ignore_chksig?: boolean }]>(fields),
    /** Any classic call through JSON-RPC. They read, or send what is signed: safe to repeat. */
    jsonRPC: post("/jsonRPC").returns<TonResponse<unknown>>().args<[request: JsonRpcCall]>(fields).broadcast()
  }
)

/** The integers of `/v2` that are no amounts, logical times or hashes. */
const numbers: ReadonlyArray<string> = [
  ...[
    "actual_min_split",
    "approvals_num",
    "attempt_duration",
    "basic",
    "bids",
    "catchain_max_blocks_coeff",
    "catchain_max_deps",
    "catchain_seqno",
    "code",
    "consensus_timeout_ms",
    "created_at",
    "creation_date",
    "critical_params.[]",
    "currency_id",
    "current_nominators",
    "cycle_end",
    "cycle_length",
    "cycle_start",
    "date",
    "decimals",
    "default_proportional_fine",
    "elect_at",
    "elect_close",
    "election_id",
    "elections_end_before",
    "elections_start_before",
    "enabled_since",
    "end_block",
    "end_utime",
    "exit_code",
    "expiration_date",
    "expiring_at",
    "ext_msg_queue_size_limit",
    "fast_attempts",
    "fee_burn_denom",
    "fee_burn_nom",
    "first_block_timeout_ms",
    "first_frac",
    "flags",
    "gas_used",
    "gen_catchain_seqno",
    "gen_software_version",
    "gen_utime",
    "global_id",
    "hard_limit",
    "holders_count",
    "id",
    "in_msg_descr_length",
    "indexing_latency",
    "jettons_count",
    "last_activity",
    "last_date_update",
    "last_known_masterchain_seqno",
    "last_paid",
    "last_refresh_success",
    "last_refresh_try",
    "last_utime",
    "long_flat_mult",
    "long_interval",
    "long_proportional_mult",
    "main",
    "mandatory_params.[]",
    "max_acc_state_bits",
    "max_acc_state_cells",
    "max_block_bytes",
    "max_collated_bytes",
    "max_ext_msg_depth",
    "max_ext_msg_size",
    "max_factor",
    "max_leader_window_desync",
    "max_library_cells",
    "max_losses",
    "max_main_validators",
    "max_msg_bits",
    "max_msg_cells",
    "max_nominators",
    "max_span",
    "max_split",
    "max_stake_factor",
    "max_store_sec",
    "max_tot_rounds",
    "max_validators",
    "max_vm_data_depth",
    "mc_catchain_lifetime",
    "medium_flat_mult",
    "medium_interval",
    "medium_proportional_mult",
    "min_ref_mc_seqno",
    "min_split",
    "min_store_sec",
    "min_tot_rounds",
    "min_validators",
    "min_wins",
    "mode",
    "multisig_count",
    "next_candidate_delay_ms",
    "next_charge_at",
    "next_election_id",
    "next_frac",
    "nft_count",
    "nfts_count",
    "nominators_count",
    "noncritical_params.*",
    "now",
    "op",
    "out_msg_descr_length",
    "period",
    "prev_election_id",
    "prev_key_block_seqno",
    "proto_version",
    "rank",
    "req_count",
    "response_time_ms",
    "result_code",
    "round_candidates",
    "score",
    "seqno",
    "severity_flat_mult",
    "severity_proportional_mult",
    "shard_catchain_lifetime",
    "shard_validators_lifetime",
    "shard_validators_num",
    "size",
    "skipped_actions",
    "slots_per_leader_window",
    "soft_limit",
    "stake_held_for",
    "staking_count",
    "start_block",
    "start_utime",
    "state_flags",
    "subwallet_id",
    "suspended_until",
    "target_rate_ms",
    "threshold",
    "till",
    "time",
    "timestamp",
    "total",
    "total_actions",
    "txTime",
    "tx_quantity",
    "underload",
    "unpunishable_interval",
    "used_bits",
    "used_cells",
    "used_public_cells",
    "utime",
    "utime_since",
    "utime_until",
    "valid_until",
    "validators_elected_for",
    "version",
    "vert_seqno",
    "vm_steps",
    "workchain",
    "workchain_id"
  ].map((name) => `**.${name}`),
  // prices and rates are fractions, which may happen to be whole
  ...["apy", "progress", "rate", "total_equivalent", "usd_price", "validator_reward_share"].map(
    (name) => `**.${name}`
  ),
  "**.price.prices.*",
  "rates.*.prices.*",
  "points.[].[]",
  "apy.[].[]",
  "total_stake.[].[]",
  // texts of users, and data for which the node itself has no types
  ...["metadata", "decoded", "decoded_body", "payload", "currencies_balance", "config"].map(
    (name) => `!**.${name}`
  )
]

/** In rewards, weights are fractions. */
const rewardNumbers = [...numbers, "**.weight"]

type Page = [limit?: bigint, offset?: bigint]

const languageHeader = { acceptLanguage: "accept-language" }

const withBody = (body: object | undefined): Readonly<Record<string, unknown>> => ({ ...optional(body) })

const v2Endpoints = group(
  { prefix: "", query: "snake", integers: bigintIntegers, numbers, canonical, classify, failure },
  {
    /** State of the service. */
    status: get("/v2/status").returns<ServiceStatus>(),
    /** Description of this API (OpenAPI). */
    getOpenapiJson: get("/v2/openapi.json").returns<unknown>(),
    /** Description of this API (OpenAPI), as YAML. */
    getOpenapiYml: get("/v2/openapi.yml").text(),
    /** Blocks between two times (seconds), in short. */
    getReducedBlockchainBlocks: get("/v2/blockchain/reduced/blocks")
      .returns<ReducedBlocks>()
      .args<[from: Integer, to: Integer]>((from, to) => exact({ from, to }))
      .lists("blocks"),
    /** Block. */
    getBlockchainBlock: get("/v2/blockchain/blocks/{blockId}")
      .echoes({ seqno: 0 })
      .returns<BlockchainBlock>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId }))
      .lists("prev_refs"),
    /** Shards that a block of the masterchain knows. */
    getBlockchainMasterchainShards: get("/v2/blockchain/masterchain/{seqno}/shards")
      .returns<BlockchainBlockShards>()
      .args(atSeqno)
      .lists("shards"),
    /** Blocks of all shards between this block of the masterchain and the one before. */
    getBlockchainMasterchainBlocks: get("/v2/blockchain/masterchain/{seqno}/blocks")
      .returns<BlockchainBlocks>()
      .args(atSeqno)
      .lists("blocks"),
    /** Transactions of all shards between this block of the masterchain and the one before. */
    getBlockchainMasterchainTransactions: get("/v2/blockchain/masterchain/{seqno}/transactions")
      .returns<Transactions>()
      .args<[seqno: number, limit?: bigint, offset?: bigint]>((seqno, limit, offset) => ({
        seqno,
        limit,
        offset
      }))
      .lists("transactions"),
    /** Configuration as of a block of the masterchain. */
    getBlockchainConfigFromBlock: get("/v2/blockchain/masterchain/{seqno}/config")
      .returns<BlockchainConfig>()
      .args(atSeqno),
    /** The same without types. */
    getRawBlockchainConfigFromBlock: get("/v2/blockchain/masterchain/{seqno}/config/raw")
      .returns<RawBlockchainConfig>()
      .args(atSeqno),
    /** Transactions of a block. */
    getBlockchainBlockTransactions: get("/v2/blockchain/blocks/{blockId}/transactions")
      .returns<Transactions>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId }))
      .lists("transactions"),
    /** Transaction by its hash. */
    getBlockchainTransaction: get("/v2/blockchain/transactions/{transactionId}")
      .echoes({ hash: 0 })
      .returns<Transaction>()
      .args<[transactionId: string]>((transactionId) => ({ transactionId }))
      .lists("out_msgs"),
    /** Transaction that a message belongs to. */
    getBlockchainTransactionByMessageHash: get("/v2/blockchain/messages/{messageId}/transaction")
      .returns<Transaction>()
      .args<[messageId: string]>((messageId) => ({ messageId }))
      .lists("out_msgs"),
    /** Validators of the round. */
    getBlockchainValidators: get("/v2/blockchain/validators").returns<Validators>().lists("validators"),
    /** Newest block of the masterchain. */
    getBlockchainMasterchainHead: get("/v2/blockchain/masterchain-head")
      .returns<BlockchainBlock>()
      .lists("prev_refs"),
    /** Account as the chain has it. */
    getBlockchainRawAccount: get("/v2/blockchain/accounts/{accountId}")
      .echoes({ address: 0 })
      .returns<BlockchainRawAccount>()
      .args<[accountId: Address]>((accountId) => ({ accountId })),
    /** Accounts as the chain has them. */
    getBlockchainRawAccounts: post("/v2/blockchain/accounts/_bulk")
      .returns<BlockchainRawAccounts>()
      .args<[body: AddressList]>(fields)
      .lists("accounts"),
    /** Transactions of an account, newest first unless the order says otherwise. */
    getBlockchainAccountTransactions: get("/v2/blockchain/accounts/{accountId}/transactions")
      .returns<Transactions>()
      .args<
        [
          accountId: Address,
          afterLt?: OptionalInteger,
          beforeLt?: OptionalInteger,
          limit?: bigint,
          sortOrder?: "desc" | "asc"
        ]
      >((accountId, afterLt, beforeLt, limit, sortOrder) =>
        exact({ accountId, afterLt, beforeLt, limit, sortOrder: sortOrder ?? "desc" })
      )
      .lists("transactions"),
    /** Runs a get-method; its arguments are text. */
    execGetMethodForBlockchainAccount: get("/v2/blockchain/accounts/{accountId}/methods/{methodName}")
      .returns<MethodExecutionResult>()
      .args<[accountId: Address, methodName: string, args?: ReadonlyArray<string>]>(
        (accountId, methodName, args) => ({ accountId, methodName, args })
      )
      .lists("stack"),
    /** Runs a get-method; its arguments have types. */
    execGetMethodWithBodyForBlockchainAccount: post(
      "/v2/blockchain/accounts/{accountId}/methods/{methodName}"
    )
      .returns<MethodExecutionResult>()
      .args<
        [accountId: Address, methodName: string, body?: { readonly args: ReadonlyArray<ExecGetMethodArg> }]
      >((accountId, methodName, body) => ({ ...optional(body), accountId, methodName }))
      .lists("stack"),
    /** Sends a signed message, or several. Safe to repeat. */
    sendBlockchainMessage: post("/v2/blockchain/message")
      .args<
        [
          body: {
            readonly boc?: Boc
            readonly batch?: ReadonlyArray<Boc>
            readonly meta?: Readonly<Record<string, string>>
          }
        ]
      >(fields)
      .noContent()
      .broadcast(),
    /** Configuration of the chain. */
    getBlockchainConfig: get("/v2/blockchain/config").returns<BlockchainConfig>(),
    /** The same without types. */
    getRawBlockchainConfig: get("/v2/blockchain/config/raw").returns<RawBlockchainConfig>(),
    /** Code of a contract and its get-methods. */
    blockchainAccountInspect: get("/v2/blockchain/accounts/{accountId}/inspect")
      .returns<BlockchainAccountInspect>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("methods"),
    /** Library cell by its hash. */
    getLibraryByHash: get("/v2/blockchain/libraries/{hash}")
      .returns<BlockchainLibrary>()
      .args<[hash: string]>((hash) => ({ hash })),
    /** Address in all its forms. */
    addressParse: get("/v2/address/{accountId}/parse")
      .echoes({ raw_form: 0 })
      .returns<AddressForms>()
      .args<[accountId: Address]>((accountId) => ({ accountId })),
    /** What wallets hold that may be moved. */
    getMigrationWallets: post("/v2/migration/wallets{?currencies}")
      .returns<MigrationWallets>()
      .args<[body: AddressList, currencies?: ReadonlyArray<string>]>((body, currencies) => ({
        ...fields(body),
        ...joinWithCommas({ currencies })
      }))
      .lists("wallets"),
    /** Transactions to sign that move all that a wallet holds. */
    prepareMigration: post("/v2/migration/prepare")
      .returns<MigrationPrepareResponse>()
      .args<[body: MigrationPrepareRequest]>(fields)
      .lists("transactions"),
    /** Accounts; with a currency, their worth in it. */
    getAccounts: post("/v2/accounts/_bulk{?currency}")
      .returns<Accounts>()
      .args<[currency?: string, body?: AddressList]>((currency, body) => ({ ...withBody(body), currency }))
      .lists("accounts"),
    /** Account. */
    getAccount: get("/v2/accounts/{accountId}")
      .echoes({ address: 0 })
      .returns<Account>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("get_methods"),
    /** Domains that point to an account. */
    accountDnsBackResolve: get("/v2/accounts/{accountId}/dns/backresolve")
      .returns<DomainNames>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("domains"),
    /** Jettons of an account, with prices in the currencies that are asked for. */
    getAccountJettonsBalances: get("/v2/accounts/{accountId}/jettons")
      .returns<JettonsBalances>()
      .args<
        [
          accountId: Address,
          currencies?: ReadonlyArray<string>,
          supportedExtensions?: ReadonlyArray<string>,
          limit?: number,
          offset?: number
        ]
      >((accountId, currencies, supportedExtensions, limit, offset) =>
        joinWithCommas({ accountId, currencies, supportedExtensions, limit, offset })
      )
      .lists("balances"),
    /** What an account has of a jetton. */
    getAccountJettonBalance: get("/v2/accounts/{accountId}/jettons/{jettonId}")
      .echoes({ "jetton.address": 1 })
      .returns<JettonBalance>()
      .args<
        [
          accountId: Address,
          jettonId: Address,
          currencies?: ReadonlyArray<string>,
          supportedExtensions?: ReadonlyArray<string>
        ]
      >((accountId, jettonId, currencies, supportedExtensions) =>
        joinWithCommas({ accountId, jettonId, currencies, supportedExtensions })
      ),
    /** Transfers of jettons of an account. */
    getAccountJettonsHistory: get("/v2/accounts/{accountId}/jettons/history")
      .returns<JettonOperations>()
      .args<[accountId: Address, limit: number, beforeLt?: Integer, startDate?: Integer, endDate?: Integer]>(
        (accountId, limit, beforeLt, startDate, endDate) =>
          exact({ accountId, limit, beforeLt, startDate, endDate })
      )
      .lists("operations"),
    /** Transfers of one jetton of an account. */
    getAccountJettonHistoryById: get("/v2/accounts/{accountId}/jettons/{jettonId}/history")
      .returns<AccountEvents>()
      .args<
        [
          accountId: Address,
          jettonId: Address,
          limit: number,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer,
          acceptLanguage?: Language
        ]
      >((accountId, jettonId, limit, beforeLt, startDate, endDate, acceptLanguage) =>
        exact({ accountId, jettonId, limit, beforeLt, startDate, endDate, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("events"),
    /** Transfers of one jetton of an account, from the jetton's side. */
    getJettonAccountHistoryById: get("/v2/jettons/{jettonId}/accounts/{accountId}/history")
      .returns<JettonOperations>()
      .args<
        [
          accountId: Address,
          jettonId: Address,
          limit: number,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer
        ]
      >((accountId, jettonId, limit, beforeLt, startDate, endDate) =>
        exact({ accountId, jettonId, limit, beforeLt, startDate, endDate })
      )
      .lists("operations"),
    /** Items (NFTs) of an account. */
    getAccountNftItems: get("/v2/accounts/{accountId}/nfts")
      .returns<NftItems>()
      .args<
        [
          accountId: Address,
          collection?: Address,
          limit?: number,
          indirectOwnership?: boolean,
          offset?: number
        ]
      >((accountId, collection, limit, indirectOwnership, offset) => ({
        accountId,
        collection,
        limit,
        indirectOwnership,
        offset
      }))
      .lists("nft_items"),
    /** What an account did with items. */
    getAccountNftHistory: get("/v2/accounts/{accountId}/nfts/history")
      .returns<NftOperations>()
      .args<
        [
          accountId: Address,
          limit: number,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer,
          acceptLanguage?: Language
        ]
      >((accountId, limit, beforeLt, startDate, endDate, acceptLanguage) =>
        exact({ accountId, limit, beforeLt, startDate, endDate, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("operations"),
    /** Events of an account, newest first unless the order says otherwise. */
    getAccountEvents: get("/v2/accounts/{accountId}/events")
      .returns<AccountEvents>()
      .args<
        [
          accountId: Address,
          limit: number,
          initiator?: boolean,
          subjectOnly?: boolean,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer,
          acceptLanguage?: Language,
          afterLt?: Integer,
          sortOrder?: "desc" | "asc"
        ]
      >(
        (
          accountId,
          limit,
          initiator,
          subjectOnly,
          beforeLt,
          startDate,
          endDate,
          acceptLanguage,
          afterLt,
          sortOrder
        ) =>
          exact({
            accountId,
            limit,
            initiator,
            subjectOnly,
            beforeLt,
            startDate,
            endDate,
            acceptLanguage,
            afterLt,
            sortOrder
          })
      )
      .headers(languageHeader)
      .lists("events"),
    /** Event as an account sees it. */
    getAccountEvent: get("/v2/accounts/{accountId}/events/{eventId}")
      .echoes({ "account.address": 0 })
      .returns<AccountEvent>()
      .args<[accountId: Address, eventId: string, subjectOnly?: boolean, acceptLanguage?: Language]>(
        (accountId, eventId, subjectOnly, acceptLanguage) => ({
          accountId,
          eventId,
          subjectOnly,
          acceptLanguage
        })
      )
      .headers(languageHeader)
      .lists("actions"),
    /** Traces of an account, by their ids. */
    getAccountTraces: get("/v2/accounts/{accountId}/traces")
      .returns<TraceIDs>()
      .args<[accountId: Address, beforeLt?: OptionalInteger, limit?: bigint]>((accountId, beforeLt, limit) =>
        exact({ accountId, beforeLt, limit })
      )
      .lists("traces"),
    /** Subscriptions of an account. */
    getAccountSubscriptions: get("/v2/accounts/{accountId}/subscriptions")
      .returns<Subscriptions>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("subscriptions"),
    /** Makes the service read an account again. */
    reindexAccount: post("/v2/accounts/{accountId}/reindex")
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .noBody()
      .noContent()
      .write(),
    /** Accounts by a part of their name. */
    searchAccounts: get("/v2/accounts/search")
      .returns<FoundAccounts>()
      .args<[name: string]>((name) => ({ name }))
      .lists("addresses"),
    /** Domains of an account that expire within a number of days. */
    getAccountDnsExpiring: get("/v2/accounts/{accountId}/dns/expiring")
      .returns<DnsExpiring>()
      .args<[accountId: Address, period?: bigint]>((accountId, period) => ({ accountId, period }))
      .lists("items"),
    /** Public key of a wallet, hexadecimal. */
    getAccountPublicKey: get("/v2/accounts/{accountId}/publickey")
      .returns<{ readonly public_key: string }>()
      .args<[accountId: Address]>((accountId) => ({ accountId })),
    /** Multisig wallets that an account takes part in. */
    getAccountMultisigs: get("/v2/accounts/{accountId}/multisigs")
      .returns<Multisigs>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("multisigs"),
    /** How much the balance has changed between two times (seconds), in nanotons. */
    getAccountDiff: get("/v2/accounts/{accountId}/diff")
      .returns<{ readonly balance_change: bigint }>()
      .args<[accountId: Address, startDate: Integer, endDate: Integer]>((accountId, startDate, endDate) =>
        exact({ accountId, startDate, endDate })
      ),
    /** What an account has in DeFi protocols. */
    getAccountDefiAssets: get("/v2/accounts/{accountId}/defi/assets")
      .returns<DefiAssets>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("assets"),
    /** Transfers of an account in a currency beside the native one. */
    getAccountExtraCurrencyHistoryById: get("/v2/accounts/{accountId}/extra-currency/{id}/history")
      .returns<AccountEvents>()
      .args<
        [
          accountId: Address,
          id: number,
          limit: number,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer,
          acceptLanguage?: Language
        ]
      >((accountId, id, limit, beforeLt, startDate, endDate, acceptLanguage) =>
        exact({ accountId, id, limit, beforeLt, startDate, endDate, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("events"),
    /** Inscriptions of an account. Only nodes that still index them have it. */
    getAccountInscriptions: get("/v2/experimental/accounts/{accountId}/inscriptions")
      .returns<InscriptionBalances>()
      .args<[accountId: Address, limit?: bigint, offset?: bigint]>((accountId, limit, offset) => ({
        accountId,
        limit,
        offset
      }))
      .lists("inscriptions"),
    /** What an account did with inscriptions. */
    getAccountInscriptionsHistory: get("/v2/experimental/accounts/{accountId}/inscriptions/history")
      .returns<AccountEvents>()
      .args<[accountId: Address, beforeLt?: OptionalInteger, limit?: bigint, acceptLanguage?: Language]>(
        (accountId, beforeLt, limit, acceptLanguage) => exact({ accountId, beforeLt, limit, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("events"),
    /** What an account did with inscriptions of one ticker. */
    getAccountInscriptionsHistoryByTicker: get(
      "/v2/experimental/accounts/{accountId}/inscriptions/{ticker}/history"
    )
      .returns<AccountEvents>()
      .args<
        [accountId: Address, ticker: string, beforeLt?: Integer, limit?: number, acceptLanguage?: Language]
      >((accountId, ticker, beforeLt, limit, acceptLanguage) =>
        exact({ accountId, ticker, beforeLt, limit, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("events"),
    /** Comment and receiver of the message that moves an inscription. */
    getInscriptionOpTemplate: get("/v2/experimental/inscriptions/op-template")
      .returns<{ readonly comment: string; readonly destination: Address }>()
      .args<
        [
          type: "ton20" | "gram20",
          operation: "transfer",
          amount: string,
          ticker: string,
          who: Address,
          destination?: Address,
          comment?: string
        ]
      >((type, operation, amount, ticker, who, destination, comment) => ({
        type,
        operation,
        amount,
        ticker,
        who,
        destination,
        comment
      })),
    /** Domain, and when it expires. */
    getDnsInfo: get("/v2/dns/{domainName}")
      .returns<DomainInfo>()
      .args<[domainName: string]>((domainName) => ({ domainName })),
    /** What a domain stands for. */
    dnsResolve: get("/v2/dns/{domainName}/resolve")
      .returns<DnsRecord>()
      .args<[domainName: string, filter?: boolean]>((domainName, filter) => ({ domainName, filter }))
      .lists("sites"),
    /** Bids for a domain. */
    getDomainBids: get("/v2/dns/{domainName}/bids")
      .returns<DomainBids>()
      .args<[domainName: string]>((domainName) => ({ domainName }))
      .lists("data"),
    /** Auctions of domains, of one top level (`ton`, `t.me`) or all. */
    getAllAuctions: get("/v2/dns/auctions")
      .returns<Auctions>()
      .args<[tld?: string]>((tld) => ({ tld }))
      .lists("data"),
    /** Collections of items. */
    getNftCollections: get("/v2/nfts/collections")
      .returns<NftCollections>()
      .args<Page>((limit, offset) => ({ limit, offset }))
      .lists("nft_collections"),
    /** Collection of items. */
    getNftCollection: get("/v2/nfts/collections/{accountId}")
      .echoes({ address: 0 })
      .returns<NftCollection>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("approved_by"),
    /** Collections by their addresses. */
    getNftCollectionItemsByAddresses: post("/v2/nfts/collections/_bulk")
      .returns<NftCollections>()
      .args<[body?: AddressList]>(withBody)
      .lists("nft_collections"),
    /** Items of a collection. */
    getItemsFromCollection: get("/v2/nfts/collections/{accountId}/items")
      .returns<NftItems>()
      .args<[accountId: Address, limit?: bigint, offset?: bigint]>((accountId, limit, offset) => ({
        accountId,
        limit,
        offset
      }))
      .lists("nft_items"),
    /** Items by their addresses. */
    getNftItemsByAddresses: post("/v2/nfts/_bulk")
      .returns<NftItems>()
      .args<[body?: AddressList]>(withBody)
      .lists("nft_items"),
    /** Item. */
    getNftItemByAddress: get("/v2/nfts/{accountId}")
      .echoes({ address: 0 })
      .returns<NftItem>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("approved_by"),
    /** Events of an item. */
    getNftHistoryById: get("/v2/nfts/{accountId}/history")
      .returns<AccountEvents>()
      .args<
        [
          accountId: Address,
          limit: number,
          beforeLt?: Integer,
          startDate?: Integer,
          endDate?: Integer,
          acceptLanguage?: Language
        ]
      >((accountId, limit, beforeLt, startDate, endDate, acceptLanguage) =>
        exact({ accountId, limit, beforeLt, startDate, endDate, acceptLanguage })
      )
      .headers(languageHeader)
      .lists("events"),
    /** Transaction with those that it has led to, by the hash of any of them. */
    getTrace: get("/v2/traces/{traceId}")
      .returns<Trace>()
      .args<[traceId: string]>((traceId) => ({ traceId }))
      .lists("interfaces"),
    /** Chain of transactions as its actions, by the hash of any of them. */
    getEvent: get("/v2/events/{eventId}")
      .returns<Event>()
      .args<[eventId: string, acceptLanguage?: Language]>((eventId, acceptLanguage) => ({
        eventId,
        acceptLanguage
      }))
      .headers(languageHeader)
      .lists("actions", "value_flow"),
    /** Jettons. */
    getJettons: get("/v2/jettons")
      .returns<Jettons>()
      .args<[limit?: bigint, offset?: bigint, lastAccountId?: Address]>((limit, offset, lastAccountId) => ({
        limit,
        offset,
        lastAccountId
      }))
      .lists("jettons"),
    /** Jetton. */
    getJettonInfo: get("/v2/jettons/{accountId}")
      .echoes({ "metadata.address": 0 })
      .returns<JettonInfo>()
      .args<[accountId: Address]>((accountId) => ({ accountId })),
    /** Jettons by their addresses. */
    getJettonInfosByAddresses: post("/v2/jettons/_bulk")
      .returns<Jettons>()
      .args<[body?: AddressList]>(withBody)
      .lists("jettons"),
    /** Who holds a jetton, the largest first unless the order says otherwise. */
    getJettonHolders: get("/v2/jettons/{accountId}/holders")
      .returns<JettonHolders>()
      .args<
        [
          accountId: Address,
          limit?: bigint,
          offset?: bigint,
          sortBy?: "balance" | "address",
          lastAccountId?: Address
        ]
      >((accountId, limit, offset, sortBy, lastAccountId) => ({
        accountId,
        limit,
        offset,
        sortBy,
        lastAccountId
      }))
      .lists("addresses"),
    /** What a transfer of a jetton from an account has to carry. */
    getJettonTransferPayload: get("/v2/jettons/{jettonId}/transfer/{accountId}/payload")
      .returns<JettonTransferPayload>()
      .args<[accountId: Address, jettonId: Address]>((accountId, jettonId) => ({ accountId, jettonId })),
    /** Transfers of jettons in an event. */
    getJettonsEvents: get("/v2/events/{eventId}/jettons")
      .returns<Event>()
      .args<[eventId: string, acceptLanguage?: Language]>((eventId, acceptLanguage) => ({
        eventId,
        acceptLanguage
      }))
      .headers(languageHeader)
      .lists("actions", "value_flow"),
    /** Currency beside the native one. */
    getExtraCurrencyInfo: get("/v2/extra-currency/{id}")
      .echoes({ id: 0 })
      .returns<EcPreview>()
      .args<[id: number]>((id) => ({ id })),
    /** Stakes of an account in pools. */
    getAccountNominatorsPools: get("/v2/staking/nominator/{accountId}/pools")
      .returns<AccountStaking>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("pools"),
    /** Staking pool. */
    getStakingPoolInfo: get("/v2/staking/pool/{accountId}")
      .echoes({ "pool.address": 0 })
      .returns<{ readonly implementation: PoolImplementation; readonly pool: PoolInfo }>()
      .args<[accountId: Address, acceptLanguage?: Language]>((accountId, acceptLanguage) => ({
        accountId,
        acceptLanguage
      }))
      .headers(languageHeader),
    /** Yield of a pool over time (percent of a year). */
    getStakingPoolHistory: get("/v2/staking/pool/{accountId}/history")
      .returns<{ readonly apy: ReadonlyArray<ApyHistory> }>()
      .args<[accountId: Address, beforeLt?: OptionalInteger, limit?: bigint]>((accountId, beforeLt, limit) =>
        exact({ accountId, beforeLt, limit })
      )
      .lists("apy"),
    /** Staking pools, all or those open to an account. */
    getStakingPools: get("/v2/staking/pools")
      .returns<{
        readonly pools: ReadonlyArray<PoolInfo>
        readonly implementations: Readonly<Record<string, PoolImplementation>>
      }>()
      .args<[availableFor?: Address, includeUnverified?: boolean, acceptLanguage?: Language]>(
        (availableFor, includeUnverified, acceptLanguage) => ({
          availableFor,
          includeUnverified,
          acceptLanguage
        })
      )
      .headers(languageHeader)
      .lists("pools"),
    /** Providers of TON Storage. */
    getStorageProviders: get("/v2/storage/providers")
      .returns<{
        readonly providers: ReadonlyArray<StorageProvider>
      }>()
      .lists("providers"),
    /** Prices of tokens (`ton`, or addresses of jettons) in currencies. */
    getRates: get("/v2/rates")
      .returns<{ readonly rates: Readonly<Record<string, TokenRates>> }>()
      .args<[tokens: ReadonlyArray<string>, currencies: ReadonlyArray<string>]>((tokens, currencies) =>
        joinWithCommas({ tokens, currencies })
      ),
    /** Price of a token over time. */
    getChartRates: get("/v2/rates/chart")
      .returns<{ readonly points: ChartPoints }>()
      .args<[token: string, currency?: string, startDate?: Integer, endDate?: Integer, pointsCount?: number]>(
        (token, currency, startDate, endDate, pointsCount) =>
          exact({ token, currency, startDate, endDate, pointsCount })
      )
      .lists("points"),
    /** Price on different markets. */
    getMarketsRates: get("/v2/rates/markets")
      .returns<{
        readonly markets: ReadonlyArray<MarketTonRates>
      }>()
      .lists("markets"),
    /** Payload that a wallet is to sign for `tonConnectProof`. */
    getTonConnectPayload: get("/v2/tonconnect/payload").returns<{ readonly payload: string }>(),
    /** Account of a contract's code and data. */
    getAccountInfoByStateInit: post("/v2/tonconnect/stateinit")
      .bytes({ state_init: base64() })
      .returns<AccountInfoByStateInit>()
      .args<[body: { readonly state_init: Base64 }]>(fields),
    /** Token for a wallet that has proved whose it is. */
    tonConnectProof: post("/v2/wallet/auth/proof")
      .bytes({ proof: byFieldName({ state_init: base64() }) })
      .returns<{ readonly token: string }>()
      .args<[body: ConnectProof]>(fields),
    /** Backup of the user's wallets, with the token of `tonConnectProof`. */
    getWalletBackup: get("/v2/wallet/backup")
      .returns<{ readonly dump: string }>()
      .args<[auth: string]>((auth) => ({ auth }))
      .headers({ auth: "X-TonConnect-Auth" }),
    /** Keeps a backup of the user's wallets, text, bytes or a blob, in place of the last one. */
    setWalletBackup: post("/v2/wallet/backup")
      .args<[auth: string, dump: string | Uint8Array | Blob]>((auth, dump) => ({ auth, dump }))
      .raw("dump", "application/octet-stream")
      .headers({ auth: "X-TonConnect-Auth" })
      .noContent()
      .write(),
    /** Number that a wallet's next message has to have. */
    getAccountSeqno: get("/v2/wallet/{accountId}/seqno")
      .returns<Seqno>()
      .args<[accountId: Address]>((accountId) => ({ accountId })),
    /** Wallet. */
    getWalletInfo: get("/v2/wallet/{accountId}")
      .echoes({ address: 0 })
      .returns<Wallet>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("plugins", "get_methods"),
    /** Jettons that fees can be paid with. */
    gaslessConfig: get("/v2/gasless/config").returns<GaslessConfig>().lists("gas_jettons"),
    /** Messages to sign for a transfer whose fees are paid in a jetton. */
    gaslessEstimate: post("/v2/gasless/estimate/{masterId}")
      .returns<SignRawParams>()
      .args<
        [
          masterId: Address,
          body: {
            readonly throw_error_if_not_enough_jettons?: boolean
            readonly return_emulation?: boolean
            readonly wallet_address: Address
            readonly wallet_public_key: string
            readonly messages: ReadonlyArray<BocBody>
          },
          acceptLanguage?: Language
        ]
      >((masterId, body, acceptLanguage) => ({ ...fields(body), masterId, acceptLanguage }))
      .headers(languageHeader)
      .lists("messages"),
    /** Sends a signed transfer whose fees are paid in a jetton. Safe to repeat. */
    gaslessSend: post("/v2/gasless/send")
      .returns<GaslessTx>()
      .args<[body: { readonly wallet_public_key?: string; readonly boc: Boc }]>(fields)
      .broadcast(),
    /** Wallets of a public key. */
    getWalletsByPublicKey: get("/v2/pubkeys/{publicKey}/wallets")
      .returns<Wallets>()
      .args<[publicKey: string]>((publicKey) => ({ publicKey }))
      .lists("accounts"),
    /** Wallets of public keys. */
    getWalletsByPublicKeyBulk: post("/v2/pubkeys/wallets/_bulk")
      .returns<WalletsByPublicKeys>()
      .args<[body?: { readonly public_keys: ReadonlyArray<string> }]>(withBody)
      .lists("items"),
    /** Newest block of the masterchain, from a lite server. */
    getRawMasterchainInfo: get("/v2/liteserver/get_masterchain_info").returns<{
      readonly last: BlockRaw
      readonly state_root_hash: string
      readonly init: InitStateRaw
    }>(),
    /** The same with the lite server's version and time (seconds). */
    getRawMasterchainInfoExt: get("/v2/liteserver/get_masterchain_info_ext")
      .returns<{
        readonly mode: number
        readonly version: number
        readonly capabilities: bigint
        readonly last: BlockRaw
        readonly last_utime: number
        readonly now: number
        readonly state_root_hash: string
        readonly init: InitStateRaw
      }>()
      .args<[mode: number]>((mode) => ({ mode })),
    /** Time of a lite server (seconds). */
    getRawTime: get("/v2/liteserver/get_time").returns<{ readonly time: number }>(),
    /** Block as a bag of cells. */
    getRawBlockchainBlock: get("/v2/liteserver/get_block/{blockId}")
      .echoes({ "id.seqno": 0 })
      .returns<{ readonly id: BlockRaw; readonly data: string }>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId })),
    /** State after a block, as a bag of cells. */
    getRawBlockchainBlockState: get("/v2/liteserver/get_state/{blockId}")
      .echoes({ "id.seqno": 0 })
      .returns<{
        readonly id: BlockRaw
        readonly root_hash: string
        readonly file_hash: string
        readonly data: string
      }>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId })),
    /** Header of a block with its proof. */
    getRawBlockchainBlockHeader: get("/v2/liteserver/get_block_header/{blockId}")
      .echoes({ "id.seqno": 0 })
      .returns<{ readonly id: BlockRaw; readonly mode: number; readonly header_proof: string }>()
      .args<[blockId: BlockId, mode: number]>((blockId, mode) => ({ blockId, mode })),
    /** Sends a signed message through a lite server. Safe to repeat. */
    sendRawMessage: post("/v2/liteserver/send_message")
      .bytes({ body: base64() })
      .returns<{ readonly code: number }>()
      .args<[body: { readonly body: Base64 }]>(fields)
      .broadcast(),
    /** Account's state with its proof, now or as of a block. */
    getRawAccountState: get("/v2/liteserver/get_account_state/{accountId}")
      .returns<{
        readonly id: BlockRaw
        readonly shardblk: BlockRaw
        readonly shard_proof: string
        readonly proof: string
        readonly state: string
      }>()
      .args<[accountId: Address, targetBlock?: BlockId]>((accountId, targetBlock) => ({
        accountId,
        targetBlock
      })),
    /** Shard as a block of the masterchain knows it. */
    getRawShardInfo: get("/v2/liteserver/get_shard_info/{blockId}")
      .returns<{
        readonly id: BlockRaw
        readonly shardblk: BlockRaw
        readonly shard_proof: string
        readonly shard_descr: string
      }>()
      .args<[blockId: BlockId, workchain: number, shard: Integer, exact: boolean]>(
        (blockId, workchain, shard, only) => exact({ blockId, workchain, shard, exact: only })
      ),
    /** All shards as a block of the masterchain knows them. */
    getAllRawShardsInfo: get("/v2/liteserver/get_all_shards_info/{blockId}")
      .echoes({ "id.seqno": 0 })
      .returns<{ readonly id: BlockRaw; readonly proof: string; readonly data: string }>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId })),
    /** Transactions of an account before one of them, as a bag of cells. */
    getRawTransactions: get("/v2/liteserver/get_transactions/{accountId}")
      .returns<{ readonly ids: ReadonlyArray<BlockRaw>; readonly transactions: string }>()
      .args<[accountId: Address, count: number, lt: Integer, hash: string]>((accountId, count, lt, hash) =>
        exact({ accountId, count, lt, hash })
      )
      .lists("ids"),
    /** Transactions of a block, by account. */
    getRawListBlockTransactions: get("/v2/liteserver/list_block_transactions/{blockId}")
      .echoes({ "id.seqno": 0 })
      .returns<{
        readonly id: BlockRaw
        readonly req_count: number
        readonly incomplete: boolean
        readonly ids: ReadonlyArray<{
          readonly mode: number
          readonly account?: string
          readonly lt?: bigint
          readonly hash?: string
        }>
        readonly proof: string
      }>()
      .args<[blockId: BlockId, mode: number, count: number, accountId?: Address, lt?: Integer]>(
        (blockId, mode, count, accountId, lt) => exact({ blockId, mode, count, accountId, lt })
      )
      .lists("ids"),
    /** Proof from a known block to another one. */
    getRawBlockProof: get("/v2/liteserver/get_block_proof")
      .returns<{
        readonly complete: boolean
        readonly from: BlockRaw
        readonly to: BlockRaw
        readonly steps: ReadonlyArray<BlockProofStep>
      }>()
      .args<[knownBlock: BlockId, mode: number, targetBlock?: BlockId]>((knownBlock, mode, targetBlock) => ({
        knownBlock,
        mode,
        targetBlock
      }))
      .lists("steps"),
    /** Configuration as of a block, with its proof. */
    getRawConfig: get("/v2/liteserver/get_config_all/{blockId}")
      .returns<{
        readonly mode: number
        readonly id: BlockRaw
        readonly state_proof: string
        readonly config_proof: string
      }>()
      .args<[blockId: BlockId, mode: number]>((blockId, mode) => ({ blockId, mode })),
    /** Proof that a shard's block belongs to the chain. */
    getRawShardBlockProof: get("/v2/liteserver/get_shard_block_proof/{blockId}")
      .returns<{
        readonly masterchain_id: BlockRaw
        readonly links: ReadonlyArray<{ readonly id: BlockRaw; readonly proof: string }>
      }>()
      .args<[blockId: BlockId]>((blockId) => ({ blockId }))
      .lists("links"),
    /** Number of messages that wait in the queues of the shards. */
    getOutMsgQueueSizes: get("/v2/liteserver/get_out_msg_queue_sizes")
      .returns<{
        readonly ext_msg_queue_size_limit: number
        readonly shards: ReadonlyArray<{ readonly id: BlockRaw; readonly size: number }>
      }>()
      .lists("shards"),
    /** Multisig wallet. */
    getMultisigAccount: get("/v2/multisig/{accountId}")
      .echoes({ address: 0 })
      .returns<Multisig>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("signers", "proposers", "orders"),
    /** Order of a multisig wallet. */
    getMultisigOrder: get("/v2/multisig/order/{accountId}")
      .echoes({ address: 0 })
      .returns<MultisigOrder>()
      .args<[accountId: Address]>((accountId) => ({ accountId }))
      .lists("signers", "signed_by"),
    /** Takes an external message of a known wallet apart. */
    decodeMessage: post("/v2/message/decode").returns<DecodedMessage>().args<[body: BocBody]>(fields),
    /** What a message would lead to, as actions. Nothing is sent. */
    emulateMessageToEvent: post("/v2/events/emulate{?ignoreSignatureCheck}")
      .returns<Event>()
      .args<[body: BocBody, ignoreSignatureCheck?: boolean, acceptLanguage?: Language]>(
        (body, ignoreSignatureCheck, acceptLanguage) => ({
          ...fields(body),
          ignoreSignatureCheck,
          acceptLanguage
        })
      )
      .headers(languageHeader)
      .lists("actions", "value_flow"),
    /** What a message would lead to, as transactions. Nothing is sent. */
    emulateMessageToTrace: post("/v2/traces/emulate{?ignoreSignatureCheck}")
      .returns<Trace>()
      .args<[body: BocBody, ignoreSignatureCheck?: boolean]>((body, ignoreSignatureCheck) => ({
        ...fields(body),
        ignoreSignatureCheck
      }))
      .lists("interfaces"),
    /** What a message would do to the wallet that sends it. Nothing is sent. */
    emulateMessageToWallet: post("/v2/wallet/emulate{?currency}")
      .returns<MessageConsequences>()
      .args<
        [
          body: BocBody & {
            readonly address_override?: Address
            readonly params?: ReadonlyArray<{ readonly address: Address; readonly balance?: Integer }>
          },
          acceptLanguage?: Language,
          currency?: string
        ]
      >((body, acceptLanguage, currency) => ({ ...fields(body), acceptLanguage, currency }))
      .headers(languageHeader),
    /** What a message would do to an account. Nothing is sent. */
    emulateMessageToAccountEvent: post("/v2/accounts/{accountId}/events/emulate{?ignoreSignatureCheck}")
      .returns<AccountEvent>()
      .args<[accountId: Address, body: BocBody, ignoreSignatureCheck?: boolean, acceptLanguage?: Language]>(
        (accountId, body, ignoreSignatureCheck, acceptLanguage) => ({
          ...fields(body),
          accountId,
          ignoreSignatureCheck,
          acceptLanguage
        })
      )
      .headers(languageHeader)
      .lists("actions"),
    /** Payments of invoices of an account. */
    getPurchaseHistory: get("/v2/purchases/{accountId}/history")
      .returns<AccountPurchases>()
      .args<[accountId: Address, beforeLt?: OptionalInteger, limit?: bigint]>((accountId, beforeLt, limit) =>
        exact({ accountId, beforeLt, limit })
      )
      .lists("purchases"),
    /** Validators with their rewards, now, at a height or at a time (seconds). */
    getValidators: get("/v2/rewards/validators")
      .query<{ readonly seqno?: number; readonly unixtime?: number; readonly shallow?: boolean }>()
      .returns<ValidatorsResponse>()
      .numbers(rewardNumbers)
      .lists("validators"),
    /** Validation rounds, the newest or those of an election, a block or a time (seconds). */
    getValidationRounds: get("/v2/rewards/validation-rounds")
      .query<{ readonly electionId?: Integer; readonly block?: number; readonly unixtime?: number }>()
      .returns<ValidationRoundsResponse>()
      .numbers(rewardNumbers)
      .lists("rounds"),
    /** Rewards of a round. */
    getRoundRewards: get("/v2/rewards/round-rewards")
      .query<{
        readonly electionId?: Integer
        readonly block?: number
        readonly unixtime?: number
        readonly shallow?: boolean
      }>()
      .returns<RoundRewardsResponse>()
      .numbers(rewardNumbers)
      .lists("validators"),
    /** Yield and stake of past rounds. */
    getRewardsStats: get("/v2/rewards/stats").returns<RewardsStats>().lists("apy", "total_stake"),
    /** Yield of staking, in percent of a year. */
    getRewardsApy: get("/v2/rewards/apy").returns<number>().decode<number | bigint>(Number)
  }
)

/**
 * The endpoints of TON.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(merge(merge(rawEndpoints, tokenEndpoints), classicEndpoints), v2Endpoints)
