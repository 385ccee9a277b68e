/**
 * What TON's nodes and its indexed API take and give.
 *
 * @since 0.1.0
 */

/**
 * An address: workchain and hexadecimal hash (`0:9a33…`), or 48 characters of base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * A bag of cells, hexadecimal (base64 will do for an argument).
 *
 * @since 0.1.0
 * @category types
 */
export type Boc = string

/**
 * Bytes, base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * An integer as an argument: above 2^53 (shards, for one) a bigint or a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * An {@link Integer} in an argument that may be left out. A `number` does not compile, since `map` and `Effect.forEach` pass one to their
 * callback, the index.
 *
 * @since 0.1.0
 * @category types
 */
export type OptionalInteger = Exclude<Integer, number>

/**
 * A block as `/v2` names it: workchain, shard (hexadecimal) and height, `(-1,8000000000000000,40000000)`.
 *
 * @since 0.1.0
 * @category types
 */
export type BlockId = string

/**
 * A language as an HTTP header has it: `en`, `ru-RU,ru;q=0.5`.
 *
 * @since 0.1.0
 * @category types
 */
export type Language = string

/**
 * The answer of a classic call. A refusal never is one: it fails. Servers of before 2.1 have `@extra`, the time of the
 * answer and more, in the result.
 *
 * @since 0.1.0
 * @category types
 */
export interface TonResponse<A> {
  readonly ok: true
  readonly result: A
  readonly "@extra"?: string
  readonly jsonrpc?: string
  readonly id?: string
}

/**
 * A 64-bit integer of a contract: some servers have it as text.
 *
 * @since 0.1.0
 * @category types
 */
export type Int64 = string | number

/**
 * A block by its place and its hashes (base64). The shard is a signed 64-bit integer.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockIdExt {
  readonly "@type": string
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: Base64
  readonly file_hash: Base64
}

/**
 * A transaction by its logical time and hash.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionId {
  readonly "@type": string
  readonly lt: string
  readonly hash: Base64
}

/**
 * An address as an object.
 *
 * @since 0.1.0
 * @category types
 */
export interface TonlibAddress {
  readonly "@type": string
  readonly account_address: Address
}

/**
 * Whether there is a contract at an address.
 *
 * @since 0.1.0
 * @category types
 */
export type AddressState = "active" | "uninitialized" | "frozen"

/**
 * An amount of a currency beside the native one.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExtraCurrencyAmount {
  readonly "@type": string
  readonly id: number
  readonly amount: string
}

/**
 * An account as a lite server has it. The balance is in nanotons; a number where the account has never been used.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressInformation {
  readonly "@type": string
  readonly balance: string | number
  readonly extra_currencies: ReadonlyArray<ExtraCurrencyAmount>
  readonly code: Base64
  readonly data: Base64
  readonly last_transaction_id: TransactionId
  readonly block_id: BlockIdExt
  readonly frozen_hash: Base64
  readonly sync_utime: number
  readonly state: AddressState
  readonly suspended?: boolean
}

/**
 * The state of a wallet whose seqno is known.
 *
 * @since 0.1.0
 * @category types
 */
export interface SequentialWalletState {
  readonly "@type": "wallet.v3.accountState" | "wallet.v4.accountState" | "wallet.highload.v1.accountState"
  readonly wallet_id: Int64
  readonly seqno: number
}

/**
 * The state of a restricted wallet: what is unlocked (nanotons), and the limits (nanotons) by the time after the start
 * (seconds).
 *
 * @since 0.1.0
 * @category types
 */
export interface RestrictedWalletState {
  readonly "@type": "rwallet.accountState"
  readonly wallet_id: Int64
  readonly seqno: number
  readonly unlocked_balance: Int64
  readonly config: {
    readonly "@type": string
    readonly start_at: number
    readonly limits: ReadonlyArray<{
      readonly "@type": string
      readonly seconds: number
      readonly value: Int64
    }>
  }
}

/**
 * The state of a payment channel between Alice (A) and Bob (B). Amounts are in nanotons, times in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface PaymentChannelState {
  readonly "@type": "pchan.accountState"
  readonly config: {
    readonly "@type": string
    readonly alice_public_key: string
    readonly alice_address: TonlibAddress
    readonly bob_public_key: string
    readonly bob_address: TonlibAddress
    readonly init_timeout: number
    readonly close_timeout: number
    readonly channel_id: Int64
  }
  readonly state:
    | {
        readonly "@type": "pchan.stateInit" | "pchan.stateClose"
        readonly signed_A: boolean
        readonly signed_B: boolean
        readonly min_A: Int64
        readonly min_B: Int64
        readonly expire_at: number
        readonly A: Int64
        readonly B: Int64
      }
    | { readonly "@type": "pchan.statePayout"; readonly A: Int64; readonly B: Int64 }
  readonly description: string
}

/**
 * What is known of a contract, by its `@type`: code and data (base64) of one of no known kind.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountState =
  | {
      readonly "@type": "raw.accountState"
      readonly code: Base64
      readonly data: Base64
      readonly frozen_hash: Base64
    }
  | SequentialWalletState
  | {
      readonly "@type": "wallet.highload.v2.accountState" | "dns.accountState"
      readonly wallet_id: Int64
    }
  | RestrictedWalletState
  | PaymentChannelState
  | { readonly "@type": "uninited.accountState"; readonly frozen_hash: Base64 }

/**
 * An account with the details of its contract, whose kind is in the `@type` of `account_state`.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExtendedAddressInformation {
  readonly "@type": string
  readonly address: TonlibAddress
  readonly balance: string | number
  readonly extra_currencies: ReadonlyArray<ExtraCurrencyAmount>
  readonly last_transaction_id: TransactionId
  readonly block_id: BlockIdExt
  readonly sync_utime: number
  readonly account_state: AccountState
  readonly revision: number
}

/**
 * A wallet, if it is one. The balance is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletInformation {
  readonly "@type"?: string
  readonly wallet: boolean
  readonly balance: string | number
  readonly account_state: AddressState
  readonly wallet_type?: string | null
  readonly seqno?: number | null
  readonly last_transaction_id: TransactionId
  readonly wallet_id?: number
  readonly is_signature_allowed?: boolean
}

/**
 * An address in base64, as it is and as it may stand in a url.
 *
 * @since 0.1.0
 * @category types
 */
export interface FriendlyAddress {
  readonly b64: string
  readonly b64url: string
}

/**
 * An address in all its forms.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressForms<out Friendly = FriendlyAddress> {
  readonly raw_form: Address
  readonly bounceable: Friendly
  readonly non_bounceable: Friendly
  readonly given_type: "raw_form" | "friendly_bounceable" | "friendly_non_bounceable"
  readonly test_only: boolean
}

/**
 * The same as a classic call has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface DetectedAddress extends AddressForms<FriendlyAddress & { readonly "@type"?: string }> {
  readonly "@type"?: string
}

/**
 * A hash in all its forms.
 *
 * @since 0.1.0
 * @category types
 */
export interface HashForms {
  readonly "@type": string
  readonly b64: string
  readonly b64url: string
  readonly hex: string
}

/**
 * The body of a message (base64): raw, or a text, which may be encrypted.
 *
 * @since 0.1.0
 * @category types
 */
export type MessageData =
  | { readonly "@type"?: "msg.dataRaw"; readonly body?: Base64; readonly init_state?: Base64 }
  | {
      readonly "@type"?: "msg.dataText" | "msg.dataDecryptedText" | "msg.dataEncryptedText"
      readonly text?: Base64
    }

/**
 * A message of a transaction. `At` is how addresses are told of. Value and fees are in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessageStd<out At = TonlibAddress> {
  readonly "@type": string
  readonly hash: Base64
  readonly source: At
  readonly destination: At
  readonly value: string
  readonly extra_currencies: ReadonlyArray<ExtraCurrencyAmount>
  readonly fwd_fee: string
  readonly ihr_fee: string
  readonly created_lt: string
  readonly body_hash: Base64
  readonly msg_data: MessageData
}

/**
 * The same with plain addresses and the text in it, if there is one.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawMessage extends MessageStd<Address> {
  readonly message?: string
  readonly message_decode_error?: string
}

/**
 * A transaction with its messages. Fees are in nanotons; `data` is the whole of it as a bag of cells.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionStd<out M = MessageStd> {
  readonly "@type": string
  readonly address: TonlibAddress
  readonly utime: number
  readonly data: Base64
  readonly transaction_id: TransactionId
  readonly fee: string
  readonly storage_fee: string
  readonly other_fee: string
  readonly in_msg?: M
  readonly out_msgs: ReadonlyArray<M>
}

/**
 * A transaction of a block: the same with the account as workchain and hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionExt extends TransactionStd {
  readonly account?: Address
}

/**
 * A transaction of an account, with plain addresses in its messages.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawTransaction extends TransactionStd<RawMessage> {
  readonly account?: Address
}

/**
 * Transactions of an account, and where those before them begin.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionsStd {
  readonly "@type": string
  readonly transactions: ReadonlyArray<TransactionStd>
  readonly previous_transaction_id: TransactionId
}

/**
 * The newest block of the masterchain, and the first.
 *
 * @since 0.1.0
 * @category types
 */
export interface MasterchainInfo {
  readonly "@type": string
  readonly last: BlockIdExt
  readonly state_root_hash: Base64
  readonly init: BlockIdExt
}

/**
 * The newest block that most of the validators have signed, and its time (seconds).
 *
 * @since 0.1.0
 * @category types
 */
export interface ConsensusBlock {
  readonly "@type"?: string
  readonly consensus_block: number
  readonly timestamp: number
}

/**
 * The validators' signatures under a block of the masterchain. Session, slot and candidate are there where blocks are
 * agreed on by the Simplex protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockSignatures {
  readonly "@type": string
  readonly id: BlockIdExt
  readonly signatures: ReadonlyArray<{
    readonly "@type": string
    readonly node_id_short: Base64
    readonly signature: Base64
  }>
  readonly session_id?: Base64
  readonly slot?: number
  readonly candidate?: Base64
}

/**
 * A step of a proof from a shard's block to the masterchain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShardBlockLink {
  readonly "@type": string
  readonly id: BlockIdExt
  readonly proof: Base64
}

/**
 * A step of a proof from one block of the masterchain back to another.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockLinkBack {
  readonly "@type": string
  readonly to_key_block: boolean
  readonly from: BlockIdExt
  readonly to: BlockIdExt
  readonly dest_proof: Base64
  readonly proof: Base64
  readonly state_proof: Base64
}

/**
 * The proof that a shard's block belongs to the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShardBlockProof {
  readonly "@type": string
  readonly from: BlockIdExt
  readonly mc_id: BlockIdExt
  readonly links: ReadonlyArray<ShardBlockLink>
  readonly mc_proof: ReadonlyArray<BlockLinkBack>
}

/**
 * The newest blocks of the shards.
 *
 * @since 0.1.0
 * @category types
 */
export interface Shards {
  readonly "@type": string
  readonly shards: ReadonlyArray<BlockIdExt>
}

/**
 * The numbers of messages that wait in the queues of the shards.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutMsgQueueSizes {
  readonly "@type": string
  readonly shards: ReadonlyArray<{
    readonly "@type": string
    readonly id: BlockIdExt
    readonly size: number
  }>
  readonly ext_msg_queue_size_limit: number
}

/**
 * The transactions of a block, and whether these are all.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransactions<A> {
  readonly "@type": string
  readonly id: BlockIdExt
  readonly req_count: number
  readonly incomplete: boolean
  readonly transactions: ReadonlyArray<A>
}

/**
 * A transaction of a block by its account.
 *
 * @since 0.1.0
 * @category types
 */
export interface ShortTransactionId {
  readonly "@type": string
  readonly mode: number
  readonly account: Address
  readonly lt: string
  readonly hash: Base64
}

/**
 * The header of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly "@type": string
  readonly id: BlockIdExt
  readonly global_id: number
  readonly version: number
  readonly flags?: number
  readonly after_merge: boolean
  readonly after_split: boolean
  readonly before_split: boolean
  readonly want_merge: boolean
  readonly want_split: boolean
  readonly validator_list_hash_short: number
  readonly catchain_seqno: number
  readonly min_ref_mc_seqno: number
  readonly is_key_block: boolean
  readonly prev_key_block_seqno: number
  readonly start_lt: string
  readonly end_lt: string
  readonly gen_utime: number
  readonly vert_seqno?: number
  readonly prev_blocks: ReadonlyArray<BlockIdExt>
}

/**
 * A cell as a bag of cells.
 *
 * @since 0.1.0
 * @category types
 */
export interface TvmCell {
  readonly "@type": string
  readonly bytes: Base64
}

/**
 * Parameters of the configuration as a cell.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConfigInfo {
  readonly "@type": string
  readonly config: TvmCell
}

/**
 * Library cells with their hashes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Libraries {
  readonly "@type": string
  readonly result: ReadonlyArray<{
    readonly "@type": string
    readonly hash: Base64
    readonly data: Base64
  }>
}

/**
 * An entry of the stack of a get-method by its kind: numbers are decimal text, cells and slices bags of cells.
 *
 * @since 0.1.0
 * @category types
 */
export type TvmStackEntry =
  | { readonly "@type": "tvm.stackEntrySlice"; readonly slice: TvmCell }
  | { readonly "@type": "tvm.stackEntryCell"; readonly cell: TvmCell }
  | {
      readonly "@type": "tvm.stackEntryNumber"
      readonly number: { readonly "@type": string; readonly number: string }
    }
  | { readonly "@type": "tvm.stackEntryTuple"; readonly tuple: TvmStackEntries }
  | { readonly "@type": "tvm.stackEntryList"; readonly list: TvmStackEntries }
  | { readonly "@type": "tvm.stackEntryUnsupported" }

/**
 * A tuple or a list of a stack.
 *
 * @since 0.1.0
 * @category types
 */
export interface TvmStackEntries {
  readonly "@type": string
  readonly elements: ReadonlyArray<TvmStackEntry>
}

/**
 * A cell of a stack: its bits (base64) with their number, and the cells that it refers to.
 *
 * @since 0.1.0
 * @category types
 */
export interface LegacyTvmCell {
  readonly data: { readonly b64: Base64; readonly len: number }
  readonly refs: ReadonlyArray<LegacyTvmCell>
  readonly special: boolean
}

/**
 * An entry of the stack of a get-method: its kind, and a number (hexadecimal), a cell (as a bag of cells, and read), a
 * tuple or a list.
 *
 * @since 0.1.0
 * @category types
 */
export type StackEntry = readonly [
  type: string,
  value: string | number | { readonly bytes: Base64; readonly object?: LegacyTvmCell } | TvmStackEntries
]

/**
 * An entry of the stack that a get-method is given: its kind, and a number, a cell or a slice (base64).
 *
 * @since 0.1.0
 * @category types
 */
export type StackArgument = readonly [type: string, value: unknown]

/**
 * Outcome of a get-method, with the block that it was asked at. An `exit_code` of 0 or 1 is success.
 *
 * @since 0.1.0
 * @category types
 */
export interface RunResult {
  readonly "@type": string
  readonly gas_used: number
  readonly stack: ReadonlyArray<StackEntry>
  readonly exit_code: number
  readonly block_id: BlockIdExt
  readonly last_transaction_id: TransactionId
}

/**
 * The same with every entry of the stack under its kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface RunResultStd {
  readonly "@type": string
  readonly gas_used: number
  readonly stack: ReadonlyArray<TvmStackEntry>
  readonly exit_code: number
}

/**
 * The fees of a message, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Fees {
  readonly "@type": string
  readonly in_fwd_fee: number
  readonly storage_fee: number
  readonly gas_fee: number
  readonly fwd_fee: number
}

/**
 * The fees of a message for its sender and its receivers.
 *
 * @since 0.1.0
 * @category types
 */
export interface QueryFees {
  readonly "@type": string
  readonly source_fees: Fees
  readonly destination_fees: ReadonlyArray<Fees>
}

/**
 * The hash of a message that was sent, and that of its normal form, under which it is found later.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExtMessageInfo {
  readonly "@type": string
  readonly hash: Base64
  readonly hash_norm: Base64
}

/**
 * The records of a domain: of each its name, its category (base64), and what it says.
 *
 * @since 0.1.0
 * @category types
 */
export interface DnsResolved {
  readonly "@type": string
  readonly entries: ReadonlyArray<{
    readonly "@type": string
    readonly name: string
    readonly category: Base64
    readonly entry: DnsEntryData
  }>
}

/**
 * What a record of a domain says: a text, the contract that knows more, a wallet, a site (ADNL), or files (TON Storage).
 *
 * @since 0.1.0
 * @category types
 */
export type DnsEntryData =
  | { readonly "@type": "dns.entryDataUnknown"; readonly bytes: Base64 }
  | { readonly "@type": "dns.entryDataText"; readonly text: string }
  | { readonly "@type": "dns.entryDataNextResolver"; readonly resolver: TonlibAddress }
  | { readonly "@type": "dns.entryDataSmcAddress"; readonly smc_address: TonlibAddress }
  | {
      readonly "@type": "dns.entryDataAdnlAddress"
      readonly adnl_address: { readonly "@type": string; readonly adnl_address: string }
    }
  | { readonly "@type": "dns.entryDataStorageAddress"; readonly bag_id: string }

/**
 * The metadata of a token: fields that are on the chain, or the address of a file.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenContent {
  readonly type: "onchain" | "offchain"
  readonly data: string | Readonly<Record<string, unknown>>
}

/**
 * An address in a record of a domain that is a token: the workchain, and the hash in hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface SmcAddress {
  readonly "@type": "addr_std"
  readonly workchain_id: bigint
  readonly address: string
}

/**
 * A record of a domain that is a token.
 *
 * @since 0.1.0
 * @category types
 */
export type DnsItemRecord =
  | { readonly "@type": "dns_storage_address"; readonly bag_id: string }
  | { readonly "@type": "dns_smc_address"; readonly smc_addr: SmcAddress }
  | { readonly "@type": "dns_adnl_address"; readonly adnl_addr: string }
  | { readonly "@type": "dns_next_resolver"; readonly resolver: SmcAddress }

/**
 * A domain that is a token: its name and records.
 *
 * @since 0.1.0
 * @category types
 */
export interface DnsContent {
  readonly domain: string
  readonly data: {
    readonly dns_next_resolver?: DnsItemRecord
    readonly wallet?: DnsItemRecord
    readonly site?: DnsItemRecord
    readonly storage?: DnsItemRecord
  }
}

/**
 * A jetton. The supply is in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonMasterData {
  readonly "@type"?: string
  readonly address: Address
  readonly contract_type: "jetton_master"
  readonly total_supply: bigint | string
  readonly mintable: boolean
  readonly admin_address?: Address | null
  readonly jetton_content: TokenContent
  readonly jetton_wallet_code: Base64
}

/**
 * A wallet of a jetton. The balance is in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonWalletData {
  readonly "@type"?: string
  readonly address: Address
  readonly contract_type: "jetton_wallet"
  readonly balance: bigint | string
  readonly owner: Address
  readonly jetton: Address
  readonly mintless_is_claimed?: boolean
  readonly jetton_wallet_code: Base64
}

/**
 * A collection of NFTs.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftCollectionData {
  readonly "@type"?: string
  readonly address: Address
  readonly contract_type: "nft_collection"
  readonly next_item_index: bigint | string
  readonly owner_address?: Address | null
  readonly collection_content: TokenContent
}

/**
 * An NFT; one that is a domain has its records for content.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftItemData {
  readonly "@type"?: string
  readonly address: Address
  readonly contract_type: "nft_item"
  readonly init: boolean
  readonly index: bigint | string
  readonly collection_address?: Address | null
  readonly owner_address?: Address | null
  readonly content: TokenContent | DnsContent
}

/**
 * A jetton, a wallet of it, an item or a collection: `contract_type` says which.
 *
 * @since 0.1.0
 * @category types
 */
export type TokenData = JettonMasterData | JettonWalletData | NftCollectionData | NftItemData

/**
 * A request of the classic JSON-RPC: the name of a call and its parameters.
 *
 * @since 0.1.0
 * @category types
 */
export interface JsonRpcCall {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly id?: string | number
  readonly jsonrpc?: "2.0"
}

/**
 * The place of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockPlace {
  readonly workchain: number
  readonly shard: Integer
  readonly seqno: number
  readonly root_hash?: Base64
  readonly file_hash?: Base64
}

/**
 * A choice of transactions of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransactionsQuery extends BlockPlace {
  readonly after_lt?: Integer
  readonly after_hash?: Base64
  readonly count?: number
}

/**
 * A place in the past, as the classic calls were first spelt here: `It` is `lt`.
 *
 * @since 0.1.0
 * @category types
 */
export interface LogicalTime {
  readonly lt?: Integer
  /** @deprecated it is `lt` */
  readonly It?: Integer
}

/**
 * A choice of transactions of an account: from `lt` and `hash` back to `to_lt`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionsQuery extends LogicalTime {
  readonly address: Address
  readonly limit?: number
  readonly hash?: string
  readonly to_lt?: Integer
  /** @deprecated it is `to_lt` */
  readonly to_It?: Integer
  readonly archival?: boolean
}

/**
 * A call of a get-method (by name or id), now or as of a block of the masterchain.
 *
 * @since 0.1.0
 * @category types
 */
export interface GetMethodCall<out A> {
  readonly address: Address
  readonly method: string | number
  readonly stack: ReadonlyArray<A>
  readonly seqno?: number
}

/**
 * The message whose transaction is looked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessagePlace {
  readonly source: Address
  readonly destination: Address
  readonly created_lt: Integer
}

/**
 * An external message in its parts.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessageParts {
  readonly address: Address
  readonly body: Base64
  readonly init_code?: Base64
  readonly init_data?: Base64
}

/**
 * Inscriptions of an account, in their smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface InscriptionBalances {
  readonly inscriptions: ReadonlyArray<{
    readonly type: string
    readonly ticker: string
    readonly balance: string
    readonly decimals: number
  }>
}

/**
 * A wallet's proof that it is the user's (TON Connect).
 *
 * @since 0.1.0
 * @category types
 */
export interface ConnectProof {
  readonly address: Address
  readonly proof: {
    readonly timestamp: Integer
    readonly domain: { readonly length_bytes?: number; readonly value: string }
    readonly signature: string
    readonly payload: string
    readonly state_init?: Base64
  }
}

/**
 * An event, transaction or trace to be tried: the message as a bag of cells.
 *
 * @since 0.1.0
 * @category types
 */
export interface BocBody {
  readonly boc: Boc
}

/**
 * Addresses of accounts, jettons, items or collections.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressList {
  readonly account_ids: ReadonlyArray<Address>
}

/**
 * A step of a proof from one block to another.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockProofStep {
  readonly lite_server_block_link_back: {
    readonly to_key_block: boolean
    readonly from: BlockRaw
    readonly to: BlockRaw
    readonly dest_proof: string
    readonly proof: string
    readonly state_proof: string
  }
  readonly lite_server_block_link_forward: {
    readonly to_key_block: boolean
    readonly from: BlockRaw
    readonly to: BlockRaw
    readonly dest_proof: string
    readonly config_proof: string
    readonly signatures: {
      readonly validator_set_hash: bigint
      readonly catchain_seqno: number
      readonly signatures: ReadonlyArray<{ readonly node_id_short: string; readonly signature: string }>
    }
  }
}

/**
 * An account as other objects name it.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountAddress {
  readonly address: Address
  readonly name?: string
  readonly is_scam: boolean
  readonly icon?: string
  readonly is_wallet: boolean
}

/**
 * An amount in nanotons, and the amounts of other currencies.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockCurrencyCollection {
  readonly grams: bigint
  readonly other: ReadonlyArray<{ readonly id: number; readonly value: string }>
}

/**
 * The values that a block took in, gave out and made.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockValueFlow {
  readonly from_prev_blk: BlockCurrencyCollection
  readonly to_next_blk: BlockCurrencyCollection
  readonly imported: BlockCurrencyCollection
  readonly exported: BlockCurrencyCollection
  readonly fees_collected: BlockCurrencyCollection
  readonly burned?: BlockCurrencyCollection
  readonly fees_imported: BlockCurrencyCollection
  readonly recovered: BlockCurrencyCollection
  readonly created: BlockCurrencyCollection
  readonly minted: BlockCurrencyCollection
}

/**
 * State of the service; the latency of its index is in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServiceStatus {
  readonly rest_online: boolean
  readonly indexing_latency: number
  readonly last_known_masterchain_seqno: number
}

/**
 * The few fields of a block that an overview needs.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReducedBlock {
  readonly workchain_id: number
  readonly shard: string
  readonly seqno: number
  readonly master_ref?: string
  readonly tx_quantity: number
  readonly utime: number
  readonly shards_blocks: ReadonlyArray<string>
  readonly parent: ReadonlyArray<string>
}

/**
 * A block. Its shard is hexadecimal; `lt` is logical time.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainBlock {
  readonly tx_quantity: number
  readonly value_flow: BlockValueFlow
  readonly workchain_id: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly global_id: number
  readonly version: number
  readonly after_merge: boolean
  readonly before_split: boolean
  readonly after_split: boolean
  readonly want_split: boolean
  readonly want_merge: boolean
  readonly key_block: boolean
  readonly gen_utime: number
  readonly start_lt: bigint
  readonly end_lt: bigint
  readonly vert_seqno: number
  readonly gen_catchain_seqno: number
  readonly min_ref_mc_seqno: number
  readonly prev_key_block_seqno: number
  readonly gen_software_version?: number
  readonly gen_software_capabilities?: bigint
  readonly master_ref?: string
  readonly prev_refs: ReadonlyArray<string>
  readonly in_msg_descr_length: number
  readonly out_msg_descr_length: number
  readonly rand_seed: string
  readonly created_by: string
}

/**
 * Blocks.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainBlocks {
  readonly blocks: ReadonlyArray<BlockchainBlock>
}

/**
 * Blocks, in short.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReducedBlocks {
  readonly blocks: ReadonlyArray<ReducedBlock>
}

/**
 * The shards that a masterchain block knows, each with its newest block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainBlockShards {
  readonly shards: ReadonlyArray<{
    readonly last_known_block_id: string
    readonly last_known_block: BlockchainBlock
  }>
}

/**
 * State of an account.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountStatus = "nonexist" | "uninit" | "active" | "frozen"

/**
 * Code and data that a message brings for a new contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateInit {
  readonly boc: Boc
  readonly interfaces: ReadonlyArray<string>
}

/**
 * A message. Value and fees are in nanotons; `decoded_body` is the body as far as its contract is known.
 *
 * @since 0.1.0
 * @category types
 */
export interface Message {
  readonly msg_type: "int_msg" | "ext_in_msg" | "ext_out_msg"
  readonly created_lt: bigint
  readonly ihr_disabled: boolean
  readonly bounce: boolean
  readonly bounced: boolean
  readonly value: bigint
  readonly value_extra?: ReadonlyArray<ExtraCurrency>
  readonly fwd_fee: bigint
  readonly ihr_fee: bigint
  readonly destination?: AccountAddress
  readonly source?: AccountAddress
  readonly import_fee: bigint
  readonly created_at: number
  readonly op_code?: string
  readonly init?: StateInit
  readonly hash: string
  readonly raw_body?: Boc
  readonly decoded_op_name?: string
  readonly decoded_body?: unknown
}

/**
 * Kind of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionType =
  | "TransOrd"
  | "TransTickTock"
  | "TransSplitPrepare"
  | "TransSplitInstall"
  | "TransMergePrepare"
  | "TransMergeInstall"
  | "TransStorage"

/**
 * The change of an account's state by a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export type AccStatusChange = "acst_unchanged" | "acst_frozen" | "acst_deleted"

/**
 * Why a transaction did not run any code.
 *
 * @since 0.1.0
 * @category types
 */
export type ComputeSkipReason = "cskip_no_state" | "cskip_bad_state" | "cskip_no_gas" | "cskip_suspended"

/**
 * The way in which a message came to be sent back.
 *
 * @since 0.1.0
 * @category types
 */
export type BouncePhaseType = "TrPhaseBounceNegfunds" | "TrPhaseBounceNofunds" | "TrPhaseBounceOk"

/**
 * The run of the contract's code. Fees are in nanotons, gas is in units.
 *
 * @since 0.1.0
 * @category types
 */
export interface ComputePhase {
  readonly skipped: boolean
  readonly skip_reason?: ComputeSkipReason
  readonly success?: boolean
  readonly gas_fees?: bigint
  readonly gas_used?: number
  readonly vm_steps?: number
  readonly exit_code?: number
  readonly exit_code_description?: string
}

/**
 * The rent that was collected, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface StoragePhase {
  readonly fees_collected: bigint
  readonly fees_due?: bigint
  readonly status_change: AccStatusChange
}

/**
 * The value that a message brought, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface CreditPhase {
  readonly fees_collected: bigint
  readonly credit: bigint
}

/**
 * The sends of the contract. Fees are in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActionPhase {
  readonly success: boolean
  readonly result_code: number
  readonly total_actions: number
  readonly skipped_actions: number
  readonly fwd_fees: bigint
  readonly total_fees: bigint
  readonly result_code_description?: string
}

/**
 * A transaction. Balance and fees are in nanotons, `raw` is the whole of it as a bag of cells.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly hash: string
  readonly lt: bigint
  readonly account: AccountAddress
  readonly success: boolean
  readonly utime: number
  readonly orig_status: AccountStatus
  readonly end_status: AccountStatus
  readonly total_fees: bigint
  readonly end_balance: bigint
  readonly transaction_type: TransactionType
  readonly state_update_old: string
  readonly state_update_new: string
  readonly in_msg?: Message
  readonly out_msgs: ReadonlyArray<Message>
  readonly block: string
  readonly prev_trans_hash?: string
  readonly prev_trans_lt?: bigint
  readonly compute_phase?: ComputePhase
  readonly storage_phase?: StoragePhase
  readonly credit_phase?: CreditPhase
  readonly action_phase?: ActionPhase
  readonly bounce_phase?: BouncePhaseType
  readonly aborted: boolean
  readonly destroyed: boolean
  readonly raw: Boc
}

/**
 * Transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transactions {
  readonly transactions: ReadonlyArray<Transaction>
}

/**
 * The rules for changes of the configuration by vote. Prices are in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConfigProposalSetup {
  readonly min_tot_rounds: number
  readonly max_tot_rounds: number
  readonly min_wins: number
  readonly max_losses: number
  readonly min_store_sec: number
  readonly max_store_sec: number
  readonly bit_price: bigint
  readonly cell_price: bigint
}

/**
 * Limits and price of gas.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasLimitPrices {
  readonly special_gas_limit?: bigint
  readonly flat_gas_limit?: bigint
  readonly flat_gas_price?: bigint
  readonly gas_price: bigint
  readonly gas_limit: bigint
  readonly gas_credit: bigint
  readonly block_gas_limit: bigint
  readonly freeze_due_limit: bigint
  readonly delete_due_limit: bigint
}

/**
 * Limits of a block in one dimension.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockParamLimits {
  readonly underload: number
  readonly soft_limit: number
  readonly hard_limit: number
}

/**
 * Limits of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockLimits {
  readonly bytes: BlockParamLimits
  readonly gas: BlockParamLimits
  readonly lt_delta: BlockParamLimits
}

/**
 * The prices of sending a message.
 *
 * @since 0.1.0
 * @category types
 */
export interface MsgForwardPrices {
  readonly lump_price: bigint
  readonly bit_price: bigint
  readonly cell_price: bigint
  readonly ihr_price_factor: bigint
  readonly first_frac: number
  readonly next_frac: number
}

/**
 * A workchain as the configuration has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface WorkchainDescr {
  readonly workchain: number
  readonly enabled_since: number
  readonly actual_min_split: number
  readonly min_split: number
  readonly max_split: number
  readonly basic: number
  readonly active: boolean
  readonly accept_msgs: boolean
  readonly flags: number
  readonly zerostate_root_hash: string
  readonly zerostate_file_hash: string
  readonly version: number
}

/**
 * The fines of a validator for misbehaviour.
 *
 * @since 0.1.0
 * @category types
 */
export interface MisbehaviourPunishmentConfig {
  readonly default_flat_fine: bigint
  readonly default_proportional_fine: number
  readonly severity_flat_mult: number
  readonly severity_proportional_mult: number
  readonly unpunishable_interval: number
  readonly long_interval: number
  readonly long_flat_mult: number
  readonly long_proportional_mult: number
  readonly medium_interval: number
  readonly medium_flat_mult: number
  readonly medium_proportional_mult: number
}

/**
 * Limits of messages and accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface SizeLimitsConfig {
  readonly max_msg_bits: number
  readonly max_msg_cells: number
  readonly max_library_cells: number
  readonly max_vm_data_depth: number
  readonly max_ext_msg_size: number
  readonly max_ext_msg_depth: number
  readonly max_acc_state_cells?: number
  readonly max_acc_state_bits?: number
}

/**
 * Parameters of the newer consensus. Durations are in milliseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface NewConsensusConfig {
  readonly flags: number
  readonly use_quic: boolean
  readonly target_rate_ms?: number
  readonly slots_per_leader_window: number
  readonly first_block_timeout_ms?: number
  readonly max_leader_window_desync?: number
  readonly noncritical_params?: Readonly<Record<string, number>>
}

/**
 * A set of validators with their weights; times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorsSet {
  readonly utime_since: number
  readonly utime_until: number
  readonly total: number
  readonly main: number
  readonly total_weight?: string
  readonly list: ReadonlyArray<{
    readonly public_key: string
    readonly weight: bigint
    readonly adnl_addr?: string
  }>
}

/**
 * An oracle of a bridge.
 *
 * @since 0.1.0
 * @category types
 */
export interface Oracle {
  readonly address: Address
  readonly secp_pubkey: string
}

/**
 * A bridge to another chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface OracleBridgeParams {
  readonly bridge_addr: Address
  readonly oracle_multisig_address: Address
  readonly external_chain_address: string
  readonly oracles: ReadonlyArray<Oracle>
}

/**
 * Fees of a bridge of jettons, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonBridgePrices {
  readonly bridge_burn_fee: bigint
  readonly bridge_mint_fee: bigint
  readonly wallet_min_tons_for_storage?: bigint
  readonly wallet_min_gram_for_storage: bigint
  readonly wallet_gas_consumption: bigint
  readonly minter_min_tons_for_storage?: bigint
  readonly minter_min_gram_for_storage: bigint
  readonly discover_gas_consumption: bigint
}

/**
 * A bridge of jettons.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonBridgeParams {
  readonly bridge_address: Address
  readonly oracles_address: Address
  readonly state_flags: number
  readonly burn_bridge_fee?: bigint
  readonly oracles: ReadonlyArray<Oracle>
  readonly external_chain_address?: string
  readonly prices?: JettonBridgePrices
}

/**
 * A validator; its stake is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly address: Address
  readonly adnl_address: string
  readonly stake: bigint
  readonly max_factor: number
}

/**
 * Validators of the round; stakes are in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validators {
  readonly elect_at: number
  readonly elect_close: number
  readonly min_stake: bigint
  readonly total_stake: bigint
  readonly validators: ReadonlyArray<Validator>
}

/**
 * The storage of an account, and its debt for that (nanotons).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountStorageInfo {
  readonly used_cells: number
  readonly used_bits: number
  readonly used_public_cells: number
  readonly last_paid: number
  readonly due_payment: bigint
}

/**
 * An account as the chain has it. The balance is in nanotons; code and data are bags of cells.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainRawAccount {
  readonly address: Address
  readonly balance: bigint
  readonly extra_balance?: ReadonlyArray<ExtraCurrency>
  readonly code?: Boc
  readonly data?: Boc
  readonly last_transaction_lt: bigint
  readonly last_transaction_hash?: string
  readonly frozen_hash?: string
  readonly status: AccountStatus
  readonly storage: AccountStorageInfo
  readonly libraries?: ReadonlyArray<{ readonly public: boolean; readonly root: Boc }>
}

/**
 * Accounts as the chain has them.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainRawAccounts {
  readonly accounts: ReadonlyArray<BlockchainRawAccount>
}

/**
 * A library cell.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainLibrary {
  readonly boc: Boc
}

/**
 * The counts of a wallet's possessions by kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletStats {
  readonly nfts_count: number
  readonly jettons_count: number
  readonly multisig_count: number
  readonly staking_count: number
}

/**
 * A plugin of a wallet.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletPlugin {
  readonly address: Address
  readonly type: string
  readonly status: AccountStatus
}

/**
 * Wallets.
 *
 * @since 0.1.0
 * @category types
 */
export interface Wallets {
  readonly accounts: ReadonlyArray<Wallet>
}

/**
 * Wallets, by the keys that were asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletsByPublicKeys {
  readonly items: ReadonlyArray<WalletsByPublicKey>
}

/**
 * Wallets of one public key.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletsByPublicKey {
  readonly public_key: string
  readonly wallets: ReadonlyArray<Wallet>
}

/**
 * A wallet; the balance is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Wallet {
  readonly address: Address
  readonly is_wallet: boolean
  readonly balance: bigint
  readonly stats: WalletStats
  readonly plugins: ReadonlyArray<WalletPlugin>
  readonly status: AccountStatus
  readonly last_activity: number
  readonly name?: string
  readonly icon?: string
  readonly get_methods: ReadonlyArray<string>
  readonly is_suspended?: boolean
  readonly signature_disabled?: boolean
  readonly interfaces?: ReadonlyArray<string>
  readonly last_lt: bigint
}

/**
 * An account; the balance is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly address: Address
  readonly balance: bigint
  readonly extra_balance?: ReadonlyArray<ExtraCurrency>
  readonly currencies_balance?: Readonly<Record<string, unknown>>
  readonly last_activity: number
  readonly status: AccountStatus
  readonly interfaces?: ReadonlyArray<string>
  readonly name?: string
  readonly is_scam?: boolean
  readonly icon?: string
  readonly memo_required?: boolean
  readonly get_methods: ReadonlyArray<string>
  readonly is_suspended?: boolean
  readonly is_wallet: boolean
}

/**
 * Accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface Accounts {
  readonly accounts: ReadonlyArray<Account>
}

/**
 * Jettons that fees can be paid with, and the address of the relay.
 *
 * @since 0.1.0
 * @category types
 */
export interface GaslessConfig {
  readonly relay_address: Address
  readonly gas_jettons: ReadonlyArray<{ readonly master_id: Address }>
}

/**
 * A message that a wallet is to sign; the amount is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignRawMessage {
  readonly address: Address
  readonly amount: string
  readonly payload?: Boc
  readonly stateInit?: Boc
}

/**
 * The message that a relay has sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface GaslessTx {
  readonly protocol_name: string
  readonly external?: string
}

/**
 * Messages that a wallet is to sign, and the relay's commission in the smallest unit of the jetton.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignRawParams {
  readonly protocol_name: string
  readonly relay_address: Address
  readonly commission: string
  readonly from: Address
  readonly valid_until: number
  readonly messages: ReadonlyArray<SignRawMessage>
  readonly emulation?: MessageConsequences
}

/**
 * Outcome of a get-method. A run that fails is an answer, too: `success` is false and `exit_code` says why.
 *
 * @since 0.1.0
 * @category types
 */
export interface MethodExecutionResult {
  readonly success: boolean
  readonly exit_code: number
  readonly stack: ReadonlyArray<TvmStackRecord>
  readonly decoded?: unknown
}

/**
 * An entry of the stack. A number is hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface TvmStackRecord {
  readonly type: "cell" | "num" | "nan" | "null" | "tuple"
  readonly cell?: Boc
  readonly slice?: Boc
  readonly num?: string
  readonly tuple?: ReadonlyArray<TvmStackRecord>
}

/**
 * The configuration without types.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawBlockchainConfig {
  readonly config: Readonly<Record<string, unknown>>
}

/**
 * The configuration of the chain, by the numbers of its parameters. Prices are in nanotons (storage and gas in
 * 2^-16 of them), times in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainConfig {
  readonly raw: Boc
  readonly 0: Address
  readonly 1: Address
  readonly 2: Address
  readonly 3?: Address
  readonly 4: Address
  readonly 5?: {
    readonly blackhole_addr?: Address
    readonly fee_burn_nom: number
    readonly fee_burn_denom: number
  }
  readonly 6?: { readonly mint_new_price: bigint; readonly mint_add_price: bigint }
  readonly 7?: {
    readonly currencies: ReadonlyArray<{ readonly currency_id: number; readonly amount: string }>
  }
  readonly 8?: { readonly version: number; readonly capabilities: bigint }
  readonly 9?: { readonly mandatory_params: ReadonlyArray<number> }
  readonly 10?: { readonly critical_params: ReadonlyArray<number> }
  readonly 11?: { readonly normal_params: ConfigProposalSetup; readonly critical_params: ConfigProposalSetup }
  readonly 12?: { readonly workchains: ReadonlyArray<WorkchainDescr> }
  readonly 13?: { readonly deposit: bigint; readonly bit_price: bigint; readonly cell_price: bigint }
  readonly 14?: { readonly masterchain_block_fee: bigint; readonly basechain_block_fee: bigint }
  readonly 15?: {
    readonly validators_elected_for: number
    readonly elections_start_before: number
    readonly elections_end_before: number
    readonly stake_held_for: number
  }
  readonly 16?: {
    readonly max_validators: number
    readonly max_main_validators: number
    readonly min_validators: number
  }
  readonly 17?: {
    readonly min_stake: string
    readonly max_stake: string
    readonly min_total_stake: string
    readonly max_stake_factor: number
  }
  readonly 18?: {
    readonly storage_prices: ReadonlyArray<{
      readonly utime_since: number
      readonly bit_price_ps: bigint
      readonly cell_price_ps: bigint
      readonly mc_bit_price_ps: bigint
      readonly mc_cell_price_ps: bigint
    }>
  }
  readonly 20?: { readonly gas_limits_prices: GasLimitPrices }
  readonly 21?: { readonly gas_limits_prices: GasLimitPrices }
  readonly 22?: { readonly block_limits: BlockLimits }
  readonly 23?: { readonly block_limits: BlockLimits }
  readonly 24?: { readonly msg_forward_prices: MsgForwardPrices }
  readonly 25?: { readonly msg_forward_prices: MsgForwardPrices }
  readonly 28?: {
    readonly mc_catchain_lifetime: number
    readonly shard_catchain_lifetime: number
    readonly shard_validators_lifetime: number
    readonly shard_validators_num: number
    readonly flags?: number
    readonly shuffle_mc_validators?: boolean
  }
  readonly 29?: {
    readonly flags?: number
    readonly new_catchain_ids?: boolean
    readonly round_candidates: number
    readonly next_candidate_delay_ms: number
    readonly consensus_timeout_ms: number
    readonly fast_attempts: number
    readonly attempt_duration: number
    readonly catchain_max_deps: number
    readonly max_block_bytes: number
    readonly max_collated_bytes: number
    readonly proto_version?: number
    readonly catchain_max_blocks_coeff?: number
  }
  readonly 30?: { readonly mc?: NewConsensusConfig; readonly shard?: NewConsensusConfig }
  readonly 31?: { readonly fundamental_smc_addr: ReadonlyArray<Address> }
  readonly 32?: ValidatorsSet
  readonly 33?: ValidatorsSet
  readonly 34?: ValidatorsSet
  readonly 35?: ValidatorsSet
  readonly 36?: ValidatorsSet
  readonly 37?: ValidatorsSet
  readonly 40?: { readonly misbehaviour_punishment_config: MisbehaviourPunishmentConfig }
  readonly 43?: { readonly size_limits_config: SizeLimitsConfig }
  readonly 44: { readonly accounts: ReadonlyArray<Address>; readonly suspended_until: number }
  readonly 45?: {
    readonly contracts: ReadonlyArray<{ readonly code_hash: string; readonly gas_usage: bigint }>
  }
  readonly 71?: { readonly oracle_bridge_params: OracleBridgeParams }
  readonly 72?: { readonly oracle_bridge_params: OracleBridgeParams }
  readonly 73?: { readonly oracle_bridge_params: OracleBridgeParams }
  readonly 79?: { readonly jetton_bridge_params: JettonBridgeParams }
  readonly 81?: { readonly jetton_bridge_params: JettonBridgeParams }
  readonly 82?: { readonly jetton_bridge_params: JettonBridgeParams }
}

/**
 * Domains.
 *
 * @since 0.1.0
 * @category types
 */
export interface DomainNames {
  readonly domains: ReadonlyArray<string>
}

/**
 * A bid for a domain, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface DomainBid {
  readonly success: boolean
  readonly value: bigint
  readonly txTime: number
  readonly txHash: string
  readonly bidder: AccountAddress
}

/**
 * Bids for a domain.
 *
 * @since 0.1.0
 * @category types
 */
export interface DomainBids {
  readonly data: ReadonlyArray<DomainBid>
}

/**
 * The reputation of a jetton.
 *
 * @since 0.1.0
 * @category types
 */
export type JettonVerificationType = "whitelist" | "graylist" | "blacklist" | "none"

/**
 * The few fields of a jetton that a list needs.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonPreview {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly image: string
  readonly verification: JettonVerificationType
  readonly custom_payload_api_uri?: string
  readonly score: number
  readonly scaled_ui?: ScaledUI
  readonly description?: string
}

/**
 * The asset that a jetton of a DeFi protocol stands for.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonAssetInfo {
  readonly token_type: DefiAssetType
  readonly type?: DefiAssetType
  readonly defi_provider: DefiProvider
  readonly pool_assets?: DefiLiquidPoolAssets
}

/**
 * The two assets of a pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface DefiLiquidPoolAssets {
  readonly asset0: DefiLockedAsset
  readonly asset1: DefiLockedAsset
}

/**
 * The fraction by which an amount is multiplied before it is shown.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScaledUI {
  readonly numerator: string
  readonly denominator: string
}

/**
 * The balance of an account in a jetton, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonBalance {
  readonly balance: string
  readonly price?: TokenRates
  readonly wallet_address: AccountAddress
  readonly jetton: JettonPreview
  readonly defi_asset?: JettonAssetInfo
  readonly extensions?: ReadonlyArray<string>
  readonly lock?: { readonly amount: string; readonly till: number }
}

/**
 * Balances of jettons.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonsBalances {
  readonly balances: ReadonlyArray<JettonBalance>
}

/**
 * The holdings of wallets that may be moved.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationWallets {
  readonly wallets: ReadonlyArray<MigrationWalletValue>
}

/**
 * The holdings of one wallet; the balance is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationWalletValue {
  readonly account: Address
  readonly balance: bigint
  readonly status: AccountStatus
  readonly jettons: ReadonlyArray<JettonBalance>
  readonly nft_count: number
}

/**
 * A move of all that a wallet holds.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationPrepareRequest {
  readonly from: Address
  readonly to: Address
  readonly currency?: string
  readonly public_key?: string
  readonly gas_payer?: "self" | "battery" | "gasless"
  readonly gas_jetton_master?: Address
}

/**
 * Transactions that move all that a wallet holds.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationPrepareResponse {
  readonly from: Address
  readonly to: Address
  readonly wallet_version: string
  readonly transactions: ReadonlyArray<MigrationTransaction>
}

/**
 * A transaction to sign; gas is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationTransaction {
  readonly seqno: number
  readonly boc: string
  readonly sponsored?: boolean
  readonly commission?: string
  readonly state_init?: Base64
  readonly messages: ReadonlyArray<MigrationOutMessage>
  readonly emulation: MessageConsequences
  readonly gas_spent: bigint
}

/**
 * A message that a transaction sends.
 *
 * @since 0.1.0
 * @category types
 */
export interface MigrationOutMessage {
  readonly boc: Base64
  readonly mode: number
}

/**
 * Kind of a currency.
 *
 * @since 0.1.0
 * @category types
 */
export type CurrencyType = "native" | "extra_currency" | "jetton" | "fiat"

/**
 * A deposit to a vault.
 *
 * @since 0.1.0
 * @category types
 */
export interface VaultDepositInfo {
  readonly price: Price
  readonly vault: Address
}

/**
 * An amount in the smallest unit of a currency, which is 10^-decimals of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Price {
  readonly currency_type: CurrencyType
  readonly value: string
  readonly decimals: number
  readonly token_name: string
  readonly verification: TrustType
  readonly image: string
  readonly jetton?: Address
}

/**
 * An image in one resolution.
 *
 * @since 0.1.0
 * @category types
 */
export interface ImagePreview {
  readonly resolution: string
  readonly url: string
}

/**
 * The services that vouch for an item.
 *
 * @since 0.1.0
 * @category types
 */
export type NftApprovedBy = ReadonlyArray<"getgems" | "tonkeeper">

/**
 * The reputation of an object.
 *
 * @since 0.1.0
 * @category types
 */
export type TrustType = "whitelist" | "graylist" | "blacklist" | "none"

/**
 * An offer of an item.
 *
 * @since 0.1.0
 * @category types
 */
export interface Sale {
  readonly address: Address
  readonly market: AccountAddress
  readonly owner?: AccountAddress
  readonly price: Price
}

/**
 * An item (NFT). Its metadata is the creator's own; integers in it are `bigint`.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftItem {
  readonly address: Address
  readonly index: bigint
  readonly owner?: AccountAddress
  readonly collection?: { readonly address: Address; readonly name: string; readonly description: string }
  readonly verified: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  readonly sale?: Sale
  readonly previews?: ReadonlyArray<ImagePreview>
  readonly dns?: string
  readonly approved_by: NftApprovedBy
  readonly include_cnft?: boolean
  readonly trust: TrustType
  readonly code_hash?: string
  readonly data_hash?: string
}

/**
 * Items.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftItems {
  readonly nft_items: ReadonlyArray<NftItem>
}

/**
 * Multisig wallets.
 *
 * @since 0.1.0
 * @category types
 */
export interface Multisigs {
  readonly multisigs: ReadonlyArray<Multisig>
}

/**
 * A multisig wallet with its orders.
 *
 * @since 0.1.0
 * @category types
 */
export interface Multisig {
  readonly address: Address
  readonly seqno: string
  readonly threshold: number
  readonly signers: ReadonlyArray<Address>
  readonly proposers: ReadonlyArray<Address>
  readonly orders: ReadonlyArray<MultisigOrder>
}

/**
 * An order of a multisig wallet; times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultisigOrder {
  readonly address: Address
  readonly order_seqno: string
  readonly threshold: number
  readonly sent_for_execution: boolean
  readonly signers: ReadonlyArray<Address>
  readonly approvals_num: number
  readonly expiration_date: number
  readonly risk: Risk
  readonly creation_date: number
  readonly signed_by: ReadonlyArray<Address>
  readonly multisig_address: Address
  readonly changing_parameters?: {
    readonly threshold: number
    readonly signers: ReadonlyArray<Address>
    readonly proposers: ReadonlyArray<Address>
  }
}

/**
 * A payment that was sent back, and by whom.
 *
 * @since 0.1.0
 * @category types
 */
export interface Refund {
  readonly type: "DNS.ton" | "DNS.tg" | "GetGems"
  readonly origin: string
}

/**
 * The effects of an event on an account, in nanotons and in jettons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValueFlow {
  readonly account: AccountAddress
  readonly ton?: bigint
  readonly gram: bigint
  readonly fees: bigint
  readonly jettons?: ReadonlyArray<{
    readonly account: AccountAddress
    readonly jetton: JettonPreview
    readonly qty: string
    readonly quantity: bigint
  }>
}

/**
 * A step of an event. The field of the name in `type` has the details.
 *
 * @since 0.1.0
 * @category types
 */
export interface Action {
  readonly type:
    | "TonTransfer"
    | "ExtraCurrencyTransfer"
    | "ContractDeploy"
    | "JettonTransfer"
    | "FlawedJettonTransfer"
    | "JettonBurn"
    | "JettonMint"
    | "NftItemTransfer"
    | "Subscribe"
    | "UnSubscribe"
    | "AuctionBid"
    | "NftPurchase"
    | "DepositStake"
    | "WithdrawStake"
    | "WithdrawStakeRequest"
    | "ElectionsDepositStake"
    | "ElectionsRecoverStake"
    | "JettonSwap"
    | "SmartContractExec"
    | "DomainRenew"
    | "Purchase"
    | "AddExtension"
    | "RemoveExtension"
    | "SetSignatureAllowedAction"
    | "GasRelay"
    | "DepositTokenStake"
    | "WithdrawTokenStakeRequest"
    | "LiquidityDeposit"
    | "OracleRequest"
    | "BuyXTR"
    | "DepositXTR"
    | "WithdrawXTR"
    | "Unknown"
  readonly status: "ok" | "failed"
  readonly TonTransfer?: TonTransferAction
  readonly ExtraCurrencyTransfer?: ExtraCurrencyTransferAction
  readonly ContractDeploy?: ContractDeployAction
  readonly JettonTransfer?: JettonTransferAction
  readonly FlawedJettonTransfer?: FlawedJettonTransferAction
  readonly JettonBurn?: JettonBurnAction
  readonly JettonMint?: JettonMintAction
  readonly NftItemTransfer?: NftItemTransferAction
  readonly Subscribe?: SubscriptionAction
  readonly UnSubscribe?: UnSubscriptionAction
  readonly AuctionBid?: AuctionBidAction
  readonly NftPurchase?: NftPurchaseAction
  readonly DepositStake?: DepositStakeAction
  readonly WithdrawStake?: WithdrawStakeAction
  readonly WithdrawStakeRequest?: WithdrawStakeRequestAction
  readonly ElectionsDepositStake?: ElectionsDepositStakeAction
  readonly ElectionsRecoverStake?: ElectionsRecoverStakeAction
  readonly JettonSwap?: JettonSwapAction
  readonly SmartContractExec?: SmartContractAction
  readonly DomainRenew?: DomainRenewAction
  readonly Purchase?: PurchaseAction
  readonly AddExtension?: AddExtensionAction
  readonly RemoveExtension?: RemoveExtensionAction
  readonly SetSignatureAllowedAction?: SetSignatureAllowedAction
  readonly GasRelay?: GasRelayAction
  readonly DepositTokenStake?: DepositTokenStakeAction
  readonly WithdrawTokenStakeRequest?: WithdrawTokenStakeRequestAction
  readonly LiquidityDeposit?: LiquidityDepositAction
  readonly OracleRequest?: OracleRequestAction
  readonly WithdrawXTR?: WithdrawXTRAction
  readonly DepositXTR?: DepositXTRAction
  readonly BuyXTR?: BuyXTRAction
  readonly simple_preview: ActionSimplePreview
  readonly base_transactions: ReadonlyArray<string>
}

/**
 * A transfer, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface TonTransferAction {
  readonly sender: AccountAddress
  readonly recipient: AccountAddress
  readonly amount: bigint
  readonly comment?: string
  readonly encrypted_comment?: EncryptedComment
  readonly refund?: Refund
}

/**
 * A request for prices.
 *
 * @since 0.1.0
 * @category types
 */
export interface OracleRequestAction {
  readonly requester: AccountAddress
  readonly response_to: AccountAddress
  readonly price_feeds: ReadonlyArray<OraclePriceFeed>
}

/**
 * A price as an oracle gives it.
 *
 * @since 0.1.0
 * @category types
 */
export interface OraclePriceFeed {
  readonly id: string
  readonly display_symbol: string
  readonly rate?: number
}

/**
 * Telegram Stars that were put in.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositXTRAction {
  readonly recipient: AccountAddress
  readonly amount: string
}

/**
 * Telegram Stars that were bought.
 *
 * @since 0.1.0
 * @category types
 */
export interface BuyXTRAction {
  readonly recipient: AccountAddress
  readonly amount: string
}

/**
 * Telegram Stars that were taken out.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawXTRAction {
  readonly user: AccountAddress
  readonly amount: string
}

/**
 * A currency beside the native one.
 *
 * @since 0.1.0
 * @category types
 */
export interface EcPreview {
  readonly id: number
  readonly symbol: string
  readonly decimals: number
  readonly image: string
}

/**
 * A transfer of another currency, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExtraCurrencyTransferAction {
  readonly sender: AccountAddress
  readonly recipient: AccountAddress
  readonly amount: string
  readonly comment?: string
  readonly encrypted_comment?: EncryptedComment
  readonly currency: EcPreview
}

/**
 * A call of a contract with the amount that it was sent, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface SmartContractAction {
  readonly executor: AccountAddress
  readonly contract: AccountAddress
  readonly ton_attached?: bigint
  readonly gram_attached: bigint
  readonly operation: string
  readonly payload?: string
  readonly refund?: Refund
}

/**
 * A domain that was prolonged.
 *
 * @since 0.1.0
 * @category types
 */
export interface DomainRenewAction {
  readonly domain: string
  readonly contract_address: Address
  readonly renewer: AccountAddress
}

/**
 * Fees that were paid for another, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasRelayAction {
  readonly amount: bigint
  readonly relayer: AccountAddress
  readonly target: AccountAddress
}

/**
 * A payment of an invoice.
 *
 * @since 0.1.0
 * @category types
 */
export interface PurchaseAction {
  readonly source: AccountAddress
  readonly destination: AccountAddress
  readonly invoice_id: string
  readonly amount: Price
  readonly metadata: Metadata
}

/**
 * An extension that a wallet got.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddExtensionAction {
  readonly wallet: AccountAddress
  readonly extension: Address
}

/**
 * An extension that a wallet lost.
 *
 * @since 0.1.0
 * @category types
 */
export interface RemoveExtensionAction {
  readonly wallet: AccountAddress
  readonly extension: Address
}

/**
 * A wallet that allows signatures, or no longer does.
 *
 * @since 0.1.0
 * @category types
 */
export interface SetSignatureAllowedAction {
  readonly wallet: AccountAddress
  readonly allowed: boolean
}

/**
 * An item that changed hands.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftItemTransferAction {
  readonly sender?: AccountAddress
  readonly recipient?: AccountAddress
  readonly nft: Address
  readonly comment?: string
  readonly encrypted_comment?: EncryptedComment
  readonly payload?: string
  readonly refund?: Refund
}

/**
 * A transfer of a jetton, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonTransferAction {
  readonly sender?: AccountAddress
  readonly recipient?: AccountAddress
  readonly senders_wallet: Address
  readonly recipients_wallet: Address
  readonly amount: string
  readonly comment?: string
  readonly encrypted_comment?: EncryptedComment
  readonly refund?: Refund
  readonly jetton: JettonPreview
}

/**
 * A transfer of a jetton in which less arrived than was sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface FlawedJettonTransferAction {
  readonly sender?: AccountAddress
  readonly recipient?: AccountAddress
  readonly senders_wallet: Address
  readonly recipients_wallet: Address
  readonly sent_amount: string
  readonly received_amount: string
  readonly comment?: string
  readonly encrypted_comment?: EncryptedComment
  readonly refund?: Refund
  readonly jetton: JettonPreview
}

/**
 * Jettons that were destroyed, in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonBurnAction {
  readonly sender: AccountAddress
  readonly senders_wallet: Address
  readonly amount: string
  readonly jetton: JettonPreview
}

/**
 * Jettons that were made, in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonMintAction {
  readonly recipient: AccountAddress
  readonly recipients_wallet: Address
  readonly amount: string
  readonly jetton: JettonPreview
}

/**
 * A contract that was deployed.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractDeployAction {
  readonly address: Address
  readonly interfaces: ReadonlyArray<string>
}

/**
 * A payment of a subscription, or its start; the amount is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface SubscriptionAction {
  readonly subscriber: AccountAddress
  readonly subscription: Address
  readonly beneficiary: AccountAddress
  readonly admin: AccountAddress
  readonly amount?: bigint
  readonly price: Price
  readonly initial: boolean
}

/**
 * A subscription that has ended.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnSubscriptionAction {
  readonly subscriber: AccountAddress
  readonly subscription: Address
  readonly beneficiary: AccountAddress
  readonly admin: AccountAddress
}

/**
 * A bid in an auction.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuctionBidAction {
  readonly auction_type: "DNS.ton" | "DNS.tg" | "NUMBER.tg" | "getgems"
  readonly amount: Price
  readonly nft?: NftItem
  readonly bidder: AccountAddress
  readonly auction: AccountAddress
}

/**
 * A stake that was put in, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositStakeAction {
  readonly amount: bigint
  readonly staker: AccountAddress
  readonly pool: AccountAddress
  readonly implementation: PoolImplementationType
  readonly stake_meta?: Price
}

/**
 * A stake that was taken out, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawStakeAction {
  readonly amount: bigint
  readonly staker: AccountAddress
  readonly pool: AccountAddress
  readonly implementation: PoolImplementationType
}

/**
 * A stake that is to be taken out, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawStakeRequestAction {
  readonly amount?: bigint
  readonly staker: AccountAddress
  readonly pool: AccountAddress
  readonly implementation: PoolImplementationType
  readonly stake_meta?: Price
}

/**
 * A stake that a validator got back from the elector, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ElectionsRecoverStakeAction {
  readonly amount: bigint
  readonly staker: AccountAddress
}

/**
 * A stake that a validator gave to the elector, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ElectionsDepositStakeAction {
  readonly amount: bigint
  readonly staker: AccountAddress
}

/**
 * A swap. Jettons are in their smallest unit, the rest in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonSwapAction {
  readonly dex: string
  readonly amount_in: string
  readonly amount_out: string
  readonly ton_in?: bigint
  readonly ton_out?: bigint
  readonly gram_in?: bigint
  readonly gram_out?: bigint
  readonly user_wallet: AccountAddress
  readonly router: AccountAddress
  readonly jetton_master_in?: JettonPreview
  readonly jetton_master_out?: JettonPreview
}

/**
 * An item that was bought.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftPurchaseAction {
  readonly auction_type: "DNS.ton" | "DNS.tg" | "NUMBER.tg" | "getgems"
  readonly amount: Price
  readonly nft: NftItem
  readonly seller: AccountAddress
  readonly buyer: AccountAddress
}

/**
 * A token that was put in a protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositTokenStakeAction {
  readonly staker: AccountAddress
  readonly protocol: Protocol
  readonly stake_meta?: Price
}

/**
 * A token that is to be taken out of a protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawTokenStakeRequestAction {
  readonly staker: AccountAddress
  readonly protocol: Protocol
  readonly stake_meta?: Price
}

/**
 * Liquidity that was given to a protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface LiquidityDepositAction {
  readonly protocol: Protocol
  readonly from: AccountAddress
  readonly tokens: ReadonlyArray<VaultDepositInfo>
}

/**
 * An action as text, for a list.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActionSimplePreview {
  readonly name: string
  readonly description: string
  readonly action_image?: string
  readonly value?: string
  readonly fiat_value?: string
  readonly value_image?: string
  readonly accounts: ReadonlyArray<AccountAddress>
}

/**
 * An event as one account sees it. `extra` is its payment (negative) or gain beside its actions, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountEvent {
  readonly event_id: string
  readonly account: AccountAddress
  readonly timestamp: number
  readonly actions: ReadonlyArray<Action>
  readonly is_scam: boolean
  readonly lt: bigint
  readonly in_progress: boolean
  readonly extra: bigint
  readonly progress: number
  readonly ext_msg_hash?: string
}

/**
 * Events of an account; `next_from` is where the next page starts (a logical time).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountEvents {
  readonly events: ReadonlyArray<AccountEvent>
  readonly next_from: bigint
}

/**
 * A payment of an invoice.
 *
 * @since 0.1.0
 * @category types
 */
export interface Purchase {
  readonly event_id: string
  readonly invoice_id: string
  readonly source: AccountAddress
  readonly destination: AccountAddress
  readonly lt: bigint
  readonly utime: number
  readonly amount: Price
  readonly metadata: Metadata
}

/**
 * Payments of an account; `next_from` is where the next page starts (a logical time).
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountPurchases {
  readonly purchases: ReadonlyArray<Purchase>
  readonly next_from: bigint
}

/**
 * Data that only its owner can read.
 *
 * @since 0.1.0
 * @category types
 */
export interface Metadata {
  readonly encrypted_binary: string
  readonly decryption_key?: string
}

/**
 * A trace by its id.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceID {
  readonly id: string
  readonly utime: number
}

/**
 * Traces by their ids.
 *
 * @since 0.1.0
 * @category types
 */
export interface TraceIDs {
  readonly traces: ReadonlyArray<TraceID>
}

/**
 * Yield of a year (percent) at a time.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApyHistory {
  readonly apy: number
  readonly time: number
}

/**
 * A subscription; its period is in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Subscription {
  readonly type: string
  readonly status: "not_ready" | "active" | "suspended" | "cancelled"
  readonly period: number
  readonly subscription_id: string
  readonly payment_per_period: Price
  readonly wallet: AccountAddress
  readonly next_charge_at: number
  readonly metadata: Metadata
  readonly address?: Address
  readonly beneficiary?: AccountAddress
  readonly admin?: AccountAddress
}

/**
 * Subscriptions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Subscriptions {
  readonly subscriptions: ReadonlyArray<Subscription>
}

/**
 * An auction of a domain; the price is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Auction {
  readonly domain: string
  readonly owner: Address
  readonly price: bigint
  readonly bids: number
  readonly date: number
}

/**
 * Auctions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Auctions {
  readonly data: ReadonlyArray<Auction>
  readonly total: number
}

/**
 * The wallet that a domain names.
 *
 * @since 0.1.0
 * @category types
 */
export interface WalletDNS {
  readonly address: Address
  readonly account: AccountAddress
  readonly is_wallet: boolean
  readonly has_method_pubkey: boolean
  readonly has_method_seqno: boolean
  readonly names: ReadonlyArray<string>
}

/**
 * A domain, and when it expires.
 *
 * @since 0.1.0
 * @category types
 */
export interface DomainInfo {
  readonly name: string
  readonly expiring_at?: number
  readonly item?: NftItem
}

/**
 * The records of a domain.
 *
 * @since 0.1.0
 * @category types
 */
export interface DnsRecord {
  readonly wallet?: WalletDNS
  readonly next_resolver?: Address
  readonly sites: ReadonlyArray<string>
  readonly storage?: string
  readonly picture?: PictureDNS
}

/**
 * The picture of a domain.
 *
 * @since 0.1.0
 * @category types
 */
export interface PictureDNS {
  readonly type: "url" | "bag_id"
  readonly url?: string
  readonly bag_id?: string
}

/**
 * A collection. Its metadata is the creator's own; integers in it are `bigint`.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftCollection {
  readonly address: Address
  readonly next_item_index: bigint
  readonly owner?: AccountAddress
  readonly raw_collection_content: Boc
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly previews?: ReadonlyArray<ImagePreview>
  readonly approved_by: NftApprovedBy
  readonly trust: TrustType
  readonly metadata_status?: NftCollectionMetadataStatus
}

/**
 * Collections.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftCollections {
  readonly nft_collections: ReadonlyArray<NftCollection>
}

/**
 * Whether the metadata of a collection could be read, and when (seconds).
 *
 * @since 0.1.0
 * @category types
 */
export interface NftCollectionMetadataStatus {
  readonly url?: string
  readonly is_broken?: boolean
  readonly last_refresh_try?: number | null
  readonly last_refresh_success?: number | null
}

/**
 * A transaction with those that it has led to.
 *
 * @since 0.1.0
 * @category types
 */
export interface Trace {
  readonly transaction: Transaction
  readonly interfaces: ReadonlyArray<string>
  readonly children?: ReadonlyArray<Trace>
  readonly emulated?: boolean
}

/**
 * The effects that a message would have; it is not sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessageConsequences {
  readonly trace: Trace
  readonly risk: Risk
  readonly event: AccountEvent
}

/**
 * The losses of a wallet if a message was sent, in nanotons and jettons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Risk {
  readonly transfer_all_remaining_balance: boolean
  readonly ton?: bigint
  readonly gram: bigint
  readonly jettons: ReadonlyArray<JettonQuantity>
  readonly nfts: ReadonlyArray<NftItem>
  readonly total_equivalent?: number
}

/**
 * An amount of a jetton, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonQuantity {
  readonly quantity: string
  readonly wallet_address: AccountAddress
  readonly jetton: JettonPreview
}

/**
 * An external message of a known wallet, taken apart.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedMessage {
  readonly destination: AccountAddress
  readonly destination_wallet_version: string
  readonly ext_in_msg_decoded?: {
    readonly wallet_v3?: {
      readonly subwallet_id: number
      readonly valid_until: number
      readonly seqno: number
      readonly raw_messages: ReadonlyArray<DecodedRawMessage>
    }
    readonly wallet_v4?: {
      readonly subwallet_id: number
      readonly valid_until: number
      readonly seqno: number
      readonly op: number
      readonly raw_messages: ReadonlyArray<DecodedRawMessage>
    }
    readonly wallet_v5?: {
      readonly valid_until: number
      readonly raw_messages: ReadonlyArray<DecodedRawMessage>
    }
    readonly wallet_highload_v2?: {
      readonly subwallet_id: number
      readonly bounded_query_id: string
      readonly raw_messages: ReadonlyArray<DecodedRawMessage>
    }
  }
}

/**
 * A message in another one, with the mode it is sent with.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedRawMessage {
  readonly message: {
    readonly boc: Boc
    readonly decoded_op_name?: string
    readonly op_code?: string
    readonly decoded_body?: unknown
  }
  readonly mode: number
}

/**
 * A chain of transactions as its actions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Event {
  readonly event_id: string
  readonly timestamp: number
  readonly actions: ReadonlyArray<Action>
  readonly value_flow: ReadonlyArray<ValueFlow>
  readonly is_scam: boolean
  readonly lt: bigint
  readonly in_progress: boolean
  readonly progress: number
  readonly last_slice_id?: bigint
  readonly ext_msg_hash?: string
}

/**
 * The metadata of a jetton.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonMetadata {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: string
  readonly image?: string
  readonly description?: string
  readonly social?: ReadonlyArray<string>
  readonly websites?: ReadonlyArray<string>
  readonly catalogs?: ReadonlyArray<string>
  readonly custom_payload_api_uri?: string
}

/**
 * Jettons.
 *
 * @since 0.1.0
 * @category types
 */
export interface Jettons {
  readonly jettons: ReadonlyArray<JettonInfo>
}

/**
 * A jetton; the supply is in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonInfo {
  readonly mintable: boolean
  readonly total_supply: string
  readonly admin?: AccountAddress
  readonly metadata: JettonMetadata
  readonly preview: string
  readonly verification: JettonVerificationType
  readonly holders_count: number
  readonly scaled_ui?: ScaledUI
  readonly code_hash?: string
  readonly data_hash?: string
  readonly last_transaction_lt?: string
  readonly name?: string | null
  readonly interfaces?: ReadonlyArray<string>
}

/**
 * The holders of a jetton; amounts are in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonHolders {
  readonly addresses: ReadonlyArray<{
    readonly address: Address
    readonly owner: AccountAddress
    readonly balance: string
  }>
  readonly total: number
}

/**
 * The payload that a transfer of a jetton has to carry.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonTransferPayload {
  readonly custom_payload?: string
  readonly state_init?: string
}

/**
 * The assets of an account in DeFi protocols.
 *
 * @since 0.1.0
 * @category types
 */
export interface DefiAssets {
  readonly assets: ReadonlyArray<DefiAsset>
}

/**
 * The role of an asset in a DeFi protocol.
 *
 * @since 0.1.0
 * @category types
 */
export type DefiAssetType =
  | "staking"
  | "lending_supply"
  | "lending_borrow"
  | "liquid_staking"
  | "liquid_pool"
  | "yield_token"

/**
 * An asset in a DeFi protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface DefiAsset {
  readonly type: DefiAssetType
  readonly amount: string
  readonly pool_address?: Address
  readonly asset_address?: Address
  readonly defi_provider: DefiProvider
  readonly locked_asset: DefiLockedAsset
}

/**
 * The asset behind another one.
 *
 * @since 0.1.0
 * @category types
 */
export interface DefiLockedAsset {
  readonly type: "native" | "jetton"
  readonly jetton?: JettonPreview
}

/**
 * A DeFi protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface DefiProvider {
  readonly name: string
  readonly description: string
  readonly link: string
  readonly miniapp_link?: string
  readonly icon: string
  readonly card: string
  readonly full: string
  readonly tag: string
}

/**
 * Stakes of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountStaking {
  readonly pools: ReadonlyArray<AccountStakingInfo>
}

/**
 * The stake of an account in a pool, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountStakingInfo {
  readonly pool: string
  readonly amount: bigint
  readonly pending_deposit: bigint
  readonly pending_withdraw: bigint
  readonly ready_withdraw: bigint
}

/**
 * A staking pool. Amounts are in nanotons, times in seconds, the yield in percent of a year.
 *
 * @since 0.1.0
 * @category types
 */
export interface PoolInfo {
  readonly address: Address
  readonly name: string
  readonly total_amount: bigint
  readonly implementation: PoolImplementationType
  readonly apy: number
  readonly min_stake: bigint
  readonly cycle_start: number
  readonly cycle_end: number
  readonly verified: boolean
  readonly current_nominators: number
  readonly max_nominators: number
  readonly liquid_jetton_master?: Address
  readonly nominators_stake: bigint
  readonly validator_stake: bigint
  readonly cycle_length?: number
}

/**
 * The program of a pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface PoolImplementation {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly socials: ReadonlyArray<string>
}

/**
 * A provider of TON Storage. The rate is in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface StorageProvider {
  readonly address: Address
  readonly accept_new_contracts: boolean
  readonly rate_per_mb_day: bigint
  readonly max_span: number
  readonly minimal_file_size: bigint
  readonly maximal_file_size: bigint
}

/**
 * Accounts that were found.
 *
 * @since 0.1.0
 * @category types
 */
export interface FoundAccounts {
  readonly addresses: ReadonlyArray<{
    readonly address: Address
    readonly name: string
    readonly preview: string
    readonly trust: TrustType
  }>
}

/**
 * Domains of an account that expire soon.
 *
 * @since 0.1.0
 * @category types
 */
export interface DnsExpiring {
  readonly items: ReadonlyArray<{
    readonly expiring_at: number
    readonly name: string
    readonly dns_item?: NftItem
  }>
}

/**
 * Prices at times (seconds).
 *
 * @since 0.1.0
 * @category types
 */
export type ChartPoints = ReadonlyArray<ReadonlyArray<number>>

/**
 * The account of a contract's code and data.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountInfoByStateInit {
  readonly public_key: string
  readonly address: Address
}

/**
 * The number that a wallet's next message has to have.
 *
 * @since 0.1.0
 * @category types
 */
export interface Seqno {
  readonly seqno: number
}

/**
 * A block by its place and its hashes (hexadecimal).
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRaw {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
}

/**
 * The first state of a workchain.
 *
 * @since 0.1.0
 * @category types
 */
export interface InitStateRaw {
  readonly workchain: number
  readonly root_hash: string
  readonly file_hash: string
}

/**
 * A comment that only its receiver can read.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncryptedComment {
  readonly encryption_type: string
  readonly cipher_text: string
}

/**
 * The code of a contract and its known details.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainAccountInspect {
  readonly code: Boc
  readonly disassembled_code?: string
  readonly code_hash: string
  readonly methods: ReadonlyArray<Method>
  readonly compiler: "func" | "fift" | "tact"
  readonly source?: Source
}

/**
 * Program of a pool.
 *
 * @since 0.1.0
 * @category types
 */
export type PoolImplementationType = "whales" | "tf" | "liquidTF" | "ffvault"

/**
 * Prices by currency, and how they changed.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenRates {
  readonly prices?: Readonly<Record<string, number>>
  readonly diff_24h?: Readonly<Record<string, string>>
  readonly diff_7d?: Readonly<Record<string, string>>
  readonly diff_30d?: Readonly<Record<string, string>>
}

/**
 * The price on a market.
 *
 * @since 0.1.0
 * @category types
 */
export interface MarketTonRates {
  readonly market: string
  readonly usd_price: number
  readonly last_date_update: number
}

/**
 * An amount of another currency, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExtraCurrency {
  readonly amount: string
  readonly preview: EcPreview
}

/**
 * A file of a contract's source.
 *
 * @since 0.1.0
 * @category types
 */
export interface SourceFile {
  readonly name: string
  readonly content: string
  readonly is_entrypoint: boolean
  readonly is_std_lib: boolean
  readonly include_in_command: boolean
}

/**
 * The source of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface Source {
  readonly files: ReadonlyArray<SourceFile>
}

/**
 * A get-method by its id.
 *
 * @since 0.1.0
 * @category types
 */
export interface Method {
  readonly id: number
  readonly method: string
}

/**
 * Operations with items; `next_from` is where the next page starts (a logical time).
 *
 * @since 0.1.0
 * @category types
 */
export interface NftOperations {
  readonly operations: ReadonlyArray<NftOperation>
  readonly next_from?: bigint
}

/**
 * An operation with an item.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftOperation {
  readonly operation: string
  readonly utime: number
  readonly lt: bigint
  readonly transaction_hash: string
  readonly source?: AccountAddress
  readonly destination?: AccountAddress
  readonly item: NftItem
}

/**
 * Operations with jettons; `next_from` is where the next page starts (a logical time).
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonOperations {
  readonly operations: ReadonlyArray<JettonOperation>
  readonly next_from?: bigint
}

/**
 * An operation with a jetton, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface JettonOperation {
  readonly operation: "transfer" | "mint" | "burn"
  readonly utime: number
  readonly lt: bigint
  readonly transaction_hash: string
  readonly source?: AccountAddress
  readonly destination?: AccountAddress
  readonly amount: string
  readonly jetton: JettonPreview
  readonly trace_id: string
  readonly query_id: string
  readonly payload?: unknown
}

/**
 * Type of an argument of a get-method.
 *
 * @since 0.1.0
 * @category types
 */
export type ExecGetMethodArgType =
  | "nan"
  | "null"
  | "tinyint"
  | "int257"
  | "slice"
  | "cell_boc_base64"
  | "slice_boc_hex"

/**
 * An argument of a get-method, as text.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecGetMethodArg {
  readonly type: ExecGetMethodArgType
  readonly value: string
}

/**
 * A protocol by its name.
 *
 * @since 0.1.0
 * @category types
 */
export interface Protocol {
  readonly name: string
  readonly image?: string
}

/**
 * A block by its height and time.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockInfo {
  readonly seqno: number
  readonly utime?: number
}

/**
 * A validation round from its start to its end.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoundInfo {
  readonly start_utime?: number
  readonly end_utime?: number
  readonly start_block: number
  readonly end_block: number
}

/**
 * Validators of a round with their rewards, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorsResponse {
  readonly response_time_ms: number
  readonly block: BlockInfo
  readonly validation_round: RoundInfo
  readonly election_id: number
  readonly prev_election_id?: number
  readonly next_election_id?: number
  readonly elector_balance: bigint
  readonly total_stake: bigint
  readonly reward_per_block: bigint
  readonly validators: ReadonlyArray<ValidatorRewardEntry>
}

/**
 * A validation round; amounts are in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidationRound {
  readonly election_id: number
  readonly start_utime?: number
  readonly end_utime?: number
  readonly start_block: number
  readonly end_block?: number
  readonly prev_election_id?: number
  readonly next_election_id?: number
  readonly total_stake?: bigint
  readonly bonuses?: bigint
  readonly finished: boolean
}

/**
 * Validation rounds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidationRoundsResponse {
  readonly response_time_ms: number
  readonly rounds: ReadonlyArray<ValidationRound>
}

/**
 * A nominator's share of a reward, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface NominatorRewardEntry {
  readonly address: string
  readonly weight: number
  readonly reward: bigint
  readonly effective_stake: bigint
  readonly stake: bigint
}

/**
 * A validator's reward, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorRewardEntry {
  readonly rank: number
  readonly public_key: string
  readonly effective_stake: bigint
  readonly weight: number
  readonly reward: bigint
  readonly pool?: string
  readonly pool_type?:
    | "nominator-pool-v1.0"
    | "single-nominator-pool-v1.0"
    | "single-nominator-pool-v1.1"
    | "other"
  readonly owner_address?: string
  readonly validator_address?: string
  readonly validator_stake?: bigint
  readonly nominators_stake?: bigint
  readonly total_stake?: bigint
  readonly validator_reward_share?: number
  readonly nominators_count?: number
  readonly nominators?: ReadonlyArray<NominatorRewardEntry>
}

/**
 * Rewards of a round, in nanotons.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoundRewardsResponse {
  readonly response_time_ms: number
  readonly election_id: number
  readonly prev_election_id?: number
  readonly next_election_id?: number
  readonly round_start: string
  readonly round_end: string
  readonly start_block: number
  readonly end_block: number
  readonly total_bonuses: bigint
  readonly total_stake: bigint
  readonly validators: ReadonlyArray<ValidatorRewardEntry>
  readonly error?: string
}

/**
 * Yield (percent) and stake (whole coins) at times (milliseconds).
 *
 * @since 0.1.0
 * @category types
 */
export interface RewardsStats {
  readonly apy: ReadonlyArray<ReadonlyArray<number>>
  readonly total_stake: ReadonlyArray<ReadonlyArray<number>>
}
