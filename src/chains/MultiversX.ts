/**
 * MultiversX: the REST API of its proxy, which asks the nodes of all shards. Every answer is in an envelope. Amounts are in
 * 10^-18 EGLD, mostly decimal strings. Nonces, rounds, gas and times are `bigint`; shards, epochs, versions and counts are
 * `number`. Shard 4294967295 is the metachain, whose blocks are those of the whole chain.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { byFieldName, hex } from "../data/bytes.js"
import { type Failure, type Fault, get, group, post, type Refusal } from "../data/Endpoint.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { isRefusalStatus } from "../wire/jsonRpc.js"
import { standardFaultOf } from "./internal/faults.js"

/**
 * An address, Bech32: `erd1…`.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * A hash, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export type Hash = string

/**
 * An amount in the smallest unit (10^-18 EGLD for the coin), a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount = string

/**
 * An integer to send.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = number | bigint

/**
 * The envelope of an answer: `code` is `successful`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Answer<A> {
  readonly data: A
  readonly error: string
  readonly code: string
}

/**
 * The block of a shard that an answer is of.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockInfo {
  readonly hash?: Hash
  readonly nonce?: bigint
  readonly rootHash?: Hash
}

/**
 * The block that an account is asked about; without one, the newest that the nodes have.
 *
 * @since 0.1.0
 * @category types
 */
export interface AtBlock {
  readonly onFinalBlock?: boolean
  readonly onStartOfEpoch?: Integer
  readonly blockNonce?: Integer
  readonly blockHash?: Hash
  readonly blockRootHash?: Hash
  readonly hintEpoch?: Integer
}

/**
 * The parameters of the chain. Names are those of the nodes' metrics; round durations are in milliseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkConfig {
  readonly erd_adaptivity: string
  readonly erd_chain_id: string
  readonly erd_denomination: number
  readonly erd_extra_gas_limit_guarded_tx?: bigint
  readonly erd_extra_gas_limit_relayed_tx?: bigint
  readonly erd_gas_per_data_byte: bigint
  readonly erd_gas_price_modifier: string
  readonly erd_hysteresis: string
  readonly erd_latest_tag_software_version: string
  readonly erd_max_gas_per_transaction?: bigint
  readonly erd_meta_consensus_group_size: number
  readonly erd_min_gas_limit: bigint
  readonly erd_min_gas_price: bigint
  readonly erd_min_transaction_version: number
  readonly erd_num_metachain_nodes: number
  readonly erd_num_nodes_in_shard: number
  readonly erd_num_shards_without_meta: number
  readonly erd_rewards_top_up_gradient_point: string
  readonly erd_round_duration: number
  readonly erd_rounds_per_epoch: number
  readonly erd_shard_consensus_group_size: number
  readonly erd_start_time: bigint
  readonly erd_top_up_factor: string
}

/**
 * How far a shard is.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkStatus {
  readonly erd_block_timestamp?: bigint
  readonly erd_cross_check_block_height?: string
  readonly erd_current_round: bigint
  readonly erd_epoch_number: number
  readonly erd_highest_final_nonce: bigint
  readonly erd_nonce: bigint
  readonly erd_nonce_at_epoch_start: bigint
  readonly erd_nonces_passed_in_current_epoch: bigint
  readonly erd_round_at_epoch_start: bigint
  readonly erd_rounds_passed_in_current_epoch: bigint
  readonly erd_rounds_per_epoch: number
}

/**
 * The economy of the chain in the last epoch, in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface Economics {
  readonly erd_dev_rewards: Amount
  readonly erd_epoch_for_economics_data: number
  readonly erd_inflation: Amount
  readonly erd_total_base_staked_value: Amount
  readonly erd_total_fees: Amount
  readonly erd_total_supply: Amount
  readonly erd_total_top_up_value: Amount
}

/**
 * An account. Hashes and metadata of its code are Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly address: Address
  readonly nonce: bigint
  readonly balance: Amount
  readonly username: string
  readonly code: string
  readonly codeHash: string | null
  readonly rootHash: string | null
  readonly codeMetadata?: string | null
  readonly developerReward: Amount
  readonly ownerAddress: string
  readonly pairs?: Readonly<Record<string, string>>
}

/**
 * A token of an account. `nonce` and what follows are there for NFTs and the like; `uris` are Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Token {
  readonly tokenIdentifier: string
  readonly balance: Amount
  readonly type?: string
  readonly properties?: string
  readonly nonce?: bigint
  readonly name?: string
  readonly creator?: Address
  readonly royalties?: string
  readonly hash?: string | null
  readonly uris?: ReadonlyArray<string> | null
  readonly attributes?: string | null
}

/**
 * The guardians of an account, which sign with it.
 *
 * @since 0.1.0
 * @category types
 */
export interface GuardianData {
  readonly guarded: boolean
  readonly activeGuardian?: Guardian
  readonly pendingGuardian?: Guardian
}

/**
 * A guardian of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface Guardian {
  readonly activationEpoch: number
  readonly address: Address
  readonly serviceUID: string
}

/**
 * The supply of a token, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface Supply {
  readonly supply: Amount
  readonly minted: Amount
  readonly burned: Amount
  readonly initialMinted: Amount
  readonly recomputedSupply?: boolean
}

/**
 * A signed transaction to send. `data` and usernames are Base64, signatures hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly nonce: Integer
  readonly value: Amount
  readonly receiver: Address
  readonly sender: Address
  readonly senderUsername?: string
  readonly receiverUsername?: string
  readonly gasPrice: Integer
  readonly gasLimit: Integer
  readonly data?: string
  readonly signature: string
  readonly chainID: string
  readonly version: number
  readonly options?: number
  readonly guardian?: Address
  readonly guardianSignature?: string
  readonly relayer?: Address
  readonly relayerSignature?: string
}

/**
 * The events of a transaction. Topics and data are Base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface Logs {
  readonly address: Address
  readonly events: ReadonlyArray<{
    readonly address: Address
    readonly identifier: string
    readonly topics: ReadonlyArray<string | null> | null
    readonly data: string | null
    readonly additionalData?: ReadonlyArray<string | null> | null
  }>
}

/**
 * What a transaction, or a result that it led to, moves: as the proxy reads it out of the data.
 *
 * @since 0.1.0
 * @category types
 */
export interface Parsed {
  readonly operation?: string
  readonly function?: string
  readonly esdtValues?: ReadonlyArray<Amount>
  readonly tokens?: ReadonlyArray<string>
  readonly receivers?: ReadonlyArray<Address>
  readonly receiversShardIDs?: ReadonlyArray<number>
}

/**
 * A result of a call of a contract. `value` is an integer here.
 *
 * @since 0.1.0
 * @category types
 */
export interface SmartContractResult extends Parsed {
  readonly hash: Hash
  readonly nonce: bigint
  readonly value: bigint
  readonly receiver: Address
  readonly sender: Address
  readonly data?: string
  readonly prevTxHash: Hash
  readonly originalTxHash: Hash
  readonly gasLimit: bigint
  readonly gasPrice: bigint
  readonly callType: number
  readonly originalSender?: Address
  readonly relayerAddress?: Address
  readonly relayedValue?: bigint
  readonly returnMessage?: string
  readonly code?: string
  readonly codeMetadata?: string
  readonly miniBlockHash?: Hash
  readonly logs?: Logs
  readonly isRelayed?: boolean
  readonly isRefund?: boolean
}

/**
 * How far a transaction is.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionStatus = "pending" | "success" | "fail" | "invalid" | "reward-reverted" | (string & {})

/**
 * A transaction, with its place in blocks once it has one. Results are there if they were asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends Parsed {
  readonly type: string
  readonly processingTypeOnSource?: string
  readonly processingTypeOnDestination?: string
  readonly hash?: Hash
  readonly nonce: bigint
  readonly round?: bigint
  readonly epoch?: number
  readonly value: Amount
  readonly receiver: Address
  readonly sender: Address
  readonly senderUsername?: string
  readonly receiverUsername?: string
  readonly gasPrice?: bigint
  readonly gasLimit?: bigint
  readonly gasUsed?: bigint
  readonly data?: string | null
  readonly signature?: string
  readonly sourceShard: number
  readonly destinationShard: number
  readonly blockNonce?: bigint
  readonly blockHash?: Hash
  readonly notarizedAtSourceInMetaNonce?: bigint
  readonly NotarizedAtSourceInMetaHash?: Hash
  readonly notarizedAtDestinationInMetaNonce?: bigint
  readonly notarizedAtDestinationInMetaHash?: Hash
  readonly miniblockType?: string
  readonly miniblockHash?: Hash
  readonly hyperblockNonce?: bigint
  readonly hyperblockHash?: Hash
  readonly timestamp?: bigint
  readonly timestampMs?: bigint
  readonly receipt?: {
    readonly value: bigint
    readonly sender: Address
    readonly data?: string
    readonly txHash: Hash
  }
  readonly smartContractResults?: ReadonlyArray<SmartContractResult>
  readonly logs?: Logs
  readonly status: TransactionStatus
  readonly chainID?: string
  readonly version?: number
  readonly options?: number
  readonly guardian?: Address
  readonly guardianSignature?: string
  readonly relayer?: Address
  readonly relayerSignature?: string
  readonly initiallyPaidFee?: Amount
  readonly fee?: Amount
  readonly isRelayed?: boolean
  readonly isRefund?: boolean
}

/**
 * What a transaction would do.
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulation {
  readonly status?: TransactionStatus
  readonly failReason?: string
  readonly hash?: Hash
  readonly scResults?: Readonly<Record<Hash, SmartContractResult>>
  readonly receipts?: Readonly<Record<Hash, { readonly value: bigint; readonly sender: Address }>>
}

/**
 * A part of a block: transactions from one shard to another.
 *
 * @since 0.1.0
 * @category types
 */
export interface MiniBlock {
  readonly hash: Hash
  readonly type: string
  readonly processingType?: string
  readonly constructionState?: string
  readonly sourceShard: number
  readonly destinationShard: number
  readonly transactions?: ReadonlyArray<Transaction>
  readonly indexOfFirstTxProcessed?: number
  readonly indexOfLastTxProcessed?: number
}

/**
 * A block of a shard.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly nonce: bigint
  readonly round: bigint
  readonly epoch: number
  readonly shard: number
  readonly numTxs: number
  readonly hash: Hash
  readonly prevBlockHash: Hash
  readonly stateRootHash?: Hash
  readonly accumulatedFees?: Amount
  readonly developerFees?: Amount
  readonly accumulatedFeesInEpoch?: Amount
  readonly developerFeesInEpoch?: Amount
  readonly status?: string
  readonly randSeed?: string
  readonly prevRandSeed?: string
  readonly pubKeyBitmap?: string
  readonly signature?: string
  readonly leaderSignature?: string
  readonly chainID?: string
  readonly softwareVersion?: string
  readonly receiptsHash?: string
  readonly reserved?: string
  readonly timestamp: bigint
  readonly timestampMs?: bigint
  readonly miniBlocks?: ReadonlyArray<MiniBlock>
  readonly notarizedBlocks?: ReadonlyArray<NotarizedBlock>
  readonly scheduledData?: {
    readonly rootHash: Hash
    readonly accumulatedFees: Amount
    readonly developerFees: Amount
    readonly gasProvided: bigint
    readonly gasPenalized: bigint
    readonly gasRefunded: bigint
  }
}

/**
 * A block of a shard that the metachain has taken note of.
 *
 * @since 0.1.0
 * @category types
 */
export interface NotarizedBlock {
  readonly hash: Hash
  readonly nonce: bigint
  readonly round: bigint
  readonly shard: number
  readonly rootHash?: Hash
  readonly miniBlockHashes?: ReadonlyArray<Hash> | null
}

/**
 * A block of the whole chain: the one of the metachain, with the transactions that it makes final in all shards.
 *
 * @since 0.1.0
 * @category types
 */
export interface Hyperblock {
  readonly nonce: bigint
  readonly round: bigint
  readonly epoch: number
  readonly hash: Hash
  readonly prevBlockHash: Hash
  readonly stateRootHash?: Hash
  readonly numTxs: number
  readonly accumulatedFees?: Amount
  readonly developerFees?: Amount
  readonly accumulatedFeesInEpoch?: Amount
  readonly developerFeesInEpoch?: Amount
  readonly status?: string
  readonly timestamp: bigint
  readonly timestampMs?: bigint
  readonly shardBlocks: ReadonlyArray<NotarizedBlock>
  readonly transactions: ReadonlyArray<Transaction>
}

/**
 * A question to a contract. Arguments are hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface VmQuery {
  readonly scAddress: Address
  readonly funcName: string
  readonly caller?: Address
  readonly value?: Amount
  readonly args?: ReadonlyArray<string>
}

/**
 * The answer of a contract: `returnData` is Base64, and `returnCode` is `ok` unless it failed.
 *
 * @since 0.1.0
 * @category types
 */
export interface VmOutput {
  readonly returnData: ReadonlyArray<string | null> | null
  readonly returnCode: string
  readonly returnMessage: string
  readonly gasRemaining: bigint
  readonly gasRefund: bigint
  readonly outputAccounts?: Readonly<
    Record<
      string,
      {
        readonly address: Address
        readonly nonce: bigint
        readonly balance: bigint | null
        readonly balanceDelta: bigint
        readonly storageUpdates?: Readonly<
          Record<
            string,
            { readonly offset: string; readonly data: string | null; readonly written?: boolean }
          >
        > | null
        readonly code?: string | null
        readonly codeMetadata?: string | null
        readonly gasUsed?: bigint
        readonly outputTransfers?: ReadonlyArray<{
          readonly value: bigint
          readonly gasLimit: bigint
          readonly data: string | null
          readonly callType: number
          readonly senderAddress: Address
        }> | null
        readonly callType?: number
      }
    >
  >
  readonly deletedAccounts: ReadonlyArray<string> | null
  readonly touchedAccounts: ReadonlyArray<string> | null
  readonly logs: ReadonlyArray<{
    readonly address: Address
    readonly identifier: string
    readonly topics: ReadonlyArray<string | null> | null
    readonly data: string | null
  }> | null
}

/** Fields that are a `number` wherever they stand: shards, epochs, versions, counts, and codes. */
const numbers: ReadonlyArray<string> = [
  "**.activationEpoch",
  "**.callType",
  "**.destinationShard",
  "**.epoch",
  "**.erd_denomination",
  "**.erd_epoch_for_economics_data",
  "**.erd_epoch_number",
  "**.erd_meta_consensus_group_size",
  "**.erd_min_transaction_version",
  "**.erd_num_metachain_nodes",
  "**.erd_num_nodes_in_shard",
  "**.erd_num_shards_without_meta",
  "**.erd_round_duration",
  "**.erd_rounds_per_epoch",
  "**.erd_shard_consensus_group_size",
  "**.indexOfFirstTxProcessed",
  "**.indexOfLastTxProcessed",
  "**.numTxs",
  "**.options",
  "**.receiversShardIDs.[]",
  "**.shard",
  "**.shardID",
  "**.sourceShard",
  "**.txsSent",
  "**.version"
]

const elsewhereMessage =
  /not found|missing|no such|cannot get|could ?n[o']t get|unable to get|pruned|not available/i

const nodeMessage =
  /no (?:available )?observers?|sending request error|time ?out|timed out|not (?:yet )?synced|try again|too many/i

const callerMessage =
  /invalid|wrong|bech32|insufficient|nonce|must|cannot|decod|pars|illegal|malformed|generation failed/i

/** By the words of the proxy: its code only tells whether it has blamed the request at once. */
const faultFromMessage = (words: string, code: string): Fault =>
  nodeMessage.test(words)
    ? "node"
    : elsewhereMessage.test(words)
      ? "elsewhere"
      : code === "bad_request" || callerMessage.test(words)
        ? "caller"
        : "unclear"

/** The words of the proxy in an envelope that has no success. */
const refusal = (answer: unknown): (Refusal & { readonly fault: Fault }) | undefined => {
  if (!isRecord(answer)) return undefined
  const { code, error } = answer
  return typeof code !== "string" || typeof error !== "string" || error === ""
    ? undefined
    : { message: error, fault: faultFromMessage(error, code) }
}

/** The proxy refuses with its envelope, whatever the status. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const said = isRefusalStatus(status) ? undefined : refusal(answer)
  return said === undefined ? undefined : { messages: [said.message], fault: said.fault }
}

/** Whose fault an error is that came with a success' status, or from the gateway. */
const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  const fault = standardFaultOf(error)
  return fault === "unclear" ? faultFromMessage(error.message, "") : fault
}

/**
 * The endpoints of MultiversX.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {
    integers: bigintIntegers,
    numbers,
    bytes: byFieldName({ blockHash: hex(32), blockRootHash: hex(32) }),
    refusal,
    failure,
    classify
  },
  {
    /** Version and commit of the proxy. */
    getAbout: get("/about").returns<Answer<{ readonly appVersion: string; readonly commitID: string }>>(),
    /** Parameters of the chain. */
    getNetworkConfig: get("/network/config").returns<Answer<{ readonly config: NetworkConfig }>>(),
    /** How far a shard is; 4294967295 is the metachain. */
    getNetworkStatus: get("/network/status/{shard}").returns<Answer<{ readonly status: NetworkStatus }>>(),
    /** Economy of the chain in the last epoch. */
    getNetworkEconomics: get("/network/economics").returns<Answer<{ readonly metrics: Economics }>>(),
    /** Epochs from which changes of the protocol are in force, by name. */
    getEnableEpochs:
      get("/network/enable-epochs").returns<
        Answer<{ readonly enableEpochs: Readonly<Record<string, bigint>> }>
      >(),
    /** Identifiers of all tokens. */
    getTokens: get("/network/esdts").returns<Answer<{ readonly tokens: ReadonlyArray<string> }>>(),
    /** Identifiers of all tokens that are fungible. */
    getFungibleTokens: get("/network/esdt/fungible-tokens").returns<
      Answer<{ readonly tokens: ReadonlyArray<string> }>
    >(),
    /** Identifiers of all tokens that are semi-fungible. */
    getSemiFungibleTokens: get("/network/esdt/semi-fungible-tokens").returns<
      Answer<{ readonly tokens: ReadonlyArray<string> }>
    >(),
    /** Identifiers of all tokens that are not fungible. */
    getNonFungibleTokens: get("/network/esdt/non-fungible-tokens").returns<
      Answer<{ readonly tokens: ReadonlyArray<string> }>
    >(),
    /** Supply of a token. */
    getTokenSupply: get("/network/esdt/supply/{token}").returns<Answer<Supply>>(),
    /** Account with its balance and its nonce. */
    getAccount: get("/address/{address}")
      .echoes({ "data.account.address": "address" })
      .query<AtBlock>()
      .returns<Answer<{ readonly account: Account; readonly blockInfo?: BlockInfo }>>(),
    /** Balance of an account, in 10^-18 EGLD. */
    getBalance: get("/address/{address}/balance")
      .query<AtBlock>()
      .returns<Answer<{ readonly balance: Amount; readonly blockInfo?: BlockInfo }>>(),
    /** Nonce of an account: that of its next transaction. */
    getNonce: get("/address/{address}/nonce")
      .query<AtBlock>()
      .returns<Answer<{ readonly nonce: bigint; readonly blockInfo?: BlockInfo }>>(),
    /** Name of an account. */
    getUsername: get("/address/{address}/username")
      .query<AtBlock>()
      .returns<Answer<{ readonly username: string; readonly blockInfo?: BlockInfo }>>(),
    /** Hash of a contract's code, Base64. */
    getCodeHash: get("/address/{address}/code-hash")
      .query<AtBlock>()
      .returns<Answer<{ readonly codeHash: string; readonly blockInfo?: BlockInfo }>>(),
    /** Storage of an account: keys and values, hexadecimal. */
    getStorage: get("/address/{address}/keys")
      .query<AtBlock>()
      .returns<
        Answer<{ readonly pairs: Readonly<Record<string, string>>; readonly blockInfo?: BlockInfo }>
      >(),
    /** Value under a key (hexadecimal) of an account's storage. */
    getStorageValue: get("/address/{address}/key/{key}")
      .query<AtBlock>()
      .returns<Answer<{ readonly value: string; readonly blockInfo?: BlockInfo }>>(),
    /** Shard of an address. */
    getShard: get("/address/{address}/shard").returns<Answer<{ readonly shardID: number }>>(),
    /** Guardians of an account. */
    getGuardianData: get("/address/{address}/guardian-data")
      .query<AtBlock>()
      .returns<Answer<{ readonly guardianData: GuardianData; readonly blockInfo?: BlockInfo }>>(),
    /** Tokens of an account, by identifier. */
    getAccountTokens: get("/address/{address}/esdt")
      .query<AtBlock>()
      .returns<Answer<{ readonly esdts: Readonly<Record<string, Token>>; readonly blockInfo?: BlockInfo }>>(),
    /** Balance of one token that is fungible. */
    getAccountToken: get("/address/{address}/esdt/{tokenIdentifier}")
      .query<AtBlock>()
      .returns<Answer<{ readonly tokenData: Token; readonly blockInfo?: BlockInfo }>>(),
    /** One NFT or semi-fungible token of an account, by its collection and nonce. */
    getAccountNft: get("/address/{address}/nft/{tokenIdentifier}/nonce/{nonce}")
      .query<AtBlock>()
      .returns<Answer<{ readonly tokenData: Token; readonly blockInfo?: BlockInfo }>>(),
    /** Roles of an account, by token. */
    getTokenRoles: get("/address/{address}/esdts/roles").query<AtBlock>().returns<
      Answer<{
        readonly roles: Readonly<Record<string, ReadonlyArray<string>>>
        readonly blockInfo?: BlockInfo
      }>
    >(),
    /** Tokens on which an account has a role (`ESDTRoleLocalMint`). */
    getTokensWithRole: get("/address/{address}/esdts-with-role/{role}")
      .query<AtBlock>()
      .returns<Answer<{ readonly tokens: ReadonlyArray<string>; readonly blockInfo?: BlockInfo }>>(),
    /** Collections of NFTs that an account has made. */
    getRegisteredNfts: get("/address/{address}/registered-nfts")
      .query<AtBlock>()
      .returns<Answer<{ readonly tokens: ReadonlyArray<string>; readonly blockInfo?: BlockInfo }>>(),
    /** Transaction by its hash, with its results if they are asked for. The sender makes it quicker. */
    getTransaction: get("/transaction/{txHash}")
      .bytes({ txHash: hex(32) })
      .echoes({ "data.transaction.hash": "txHash" })
      .query<{ readonly withResults?: boolean; readonly sender?: Address }>()
      .returns<Answer<{ readonly transaction: Transaction }>>(),
    /** How far a transaction is in its own block. */
    getTransactionStatus: get("/transaction/{txHash}/status")
      .query<{ readonly sender?: Address }>()
      .returns<Answer<{ readonly status: TransactionStatus }>>(),
    /** How far a transaction is with all that it led to. */
    getTransactionProcessStatus: get("/transaction/{txHash}/process-status").returns<
      Answer<{ readonly status: TransactionStatus; readonly reason?: string }>
    >(),
    /** Sends a signed transaction, and yields its hash. Safe to repeat. */
    sendTransaction: post("/transaction/send")
      .body<SignedTransaction>()
      .returns<Answer<{ readonly txHash: Hash }>>()
      .broadcast(),
    /** Sends signed transactions, and yields the hashes of those that were taken, by their places. Safe to repeat. */
    sendTransactions: post("/transaction/send-multiple")
      .body<{ readonly transactions: ReadonlyArray<SignedTransaction> }>()
      .returns<Answer<{ readonly txsSent: number; readonly txsHashes: Readonly<Record<string, Hash>> }>>()
      .whole("transactions")
      .broadcast(),
    /** What a transaction would do: by shard, if it goes from one to another. */
    simulateTransaction: post("/transaction/simulate{?checkSignature}")
      .body<SignedTransaction & { readonly checkSignature?: boolean }>()
      .returns<Answer<{ readonly result: Simulation | Readonly<Record<string, Simulation>> }>>(),
    /** Gas that a transaction would take. */
    getTransactionCost: post("/transaction/cost").body<Partial<SignedTransaction>>().returns<
      Answer<{
        readonly txGasUnits: bigint
        readonly returnMessage: string
        readonly smartContractResults: Readonly<Record<Hash, SmartContractResult>> | null
        readonly logs?: Logs
      }>
    >(),
    /** Block of a shard by its nonce. */
    getBlockByNonce: get("/block/{shard}/by-nonce/{nonce}")
      .echoes({ "data.block.nonce": "nonce", "data.block.shard": "shard" })
      .query<{ readonly withTxs?: boolean; readonly withLogs?: boolean }>()
      .returns<Answer<{ readonly block: Block }>>(),
    /** Block of a shard by its hash. */
    getBlockByHash: get("/block/{shard}/by-hash/{hash}")
      .bytes({ hash: hex(32) })
      .echoes({ "data.block.hash": "hash", "data.block.shard": "shard" })
      .query<{ readonly withTxs?: boolean; readonly withLogs?: boolean }>()
      .returns<Answer<{ readonly block: Block }>>(),
    /** Blocks of all shards by their round. */
    getBlocksByRound: get("/blocks/by-round/{round}")
      .query<{ readonly withTxs?: boolean; readonly withLogs?: boolean }>()
      .returns<Answer<{ readonly blocks: ReadonlyArray<Block> }>>(),
    /** Block of the whole chain by its nonce. */
    getHyperblockByNonce: get("/hyperblock/by-nonce/{nonce}")
      .echoes({ "data.hyperblock.nonce": "nonce" })
      .returns<Answer<{ readonly hyperblock: Hyperblock }>>(),
    /** Block of the whole chain by its hash. */
    getHyperblockByHash: get("/hyperblock/by-hash/{hash}")
      .echoes({ "data.hyperblock.hash": "hash" })
      .returns<Answer<{ readonly hyperblock: Hyperblock }>>(),
    /** Answer of a contract with all that belongs to it. */
    queryVm: post("/vm-values/query")
      .body<VmQuery>()
      .returns<Answer<{ readonly data: VmOutput; readonly blockInfo?: BlockInfo }>>(),
    /** First value that a contract answers with, hexadecimal. */
    queryVmHex: post("/vm-values/hex")
      .body<VmQuery>()
      .returns<Answer<{ readonly data: string; readonly blockInfo?: BlockInfo }>>(),
    /** First value that a contract answers with, as text. */
    queryVmString: post("/vm-values/string")
      .body<VmQuery>()
      .returns<Answer<{ readonly data: string; readonly blockInfo?: BlockInfo }>>(),
    /** First value that a contract answers with, an integer as a decimal string. */
    queryVmInt: post("/vm-values/int")
      .body<VmQuery>()
      .returns<Answer<{ readonly data: string; readonly blockInfo?: BlockInfo }>>()
  }
)

/**
 * The client of MultiversX.
 *
 * @since 0.1.0
 * @category clients
 */
export interface MultiversXRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of MultiversX.
 *
 * @since 0.1.0
 * @category families
 */
export const multiversx: Family<typeof endpoints, MultiversXRpc> = {
  endpoints,
  probe: () => getProbe("/network/status/4294967295", ["data", "status", "erd_nonce"])
}
