/**
 * What Stellar's Horizon takes and gives.
 *
 * @since 0.1.0
 */

/**
 * An account: `G…`, or `M…` with an id of its owner's choosing.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * An amount of an asset: a decimal string with up to seven decimals.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount = string

/**
 * An integer that may be above 2^53, as a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Int64 = string

/**
 * A time, RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export type Time = string

/**
 * A structure in XDR, base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Xdr = string

/**
 * An asset in one word: `native`, or `CODE:ISSUER`.
 *
 * @since 0.1.0
 * @category types
 */
export type AssetName = string

/**
 * The kind of an asset.
 *
 * @since 0.1.0
 * @category types
 */
export type AssetType = "native" | "credit_alphanum4" | "credit_alphanum12"

/**
 * An address of Horizon. If `templated`, names in braces are to be filled in.
 *
 * @since 0.1.0
 * @category types
 */
export interface Link {
  readonly href: string
  readonly templated?: boolean
}

/**
 * The links of an answer to further reads, by name.
 *
 * @since 0.1.0
 * @category types
 */
export interface Linked {
  readonly _links: Readonly<Record<string, Link>>
}

/**
 * A page of a list. The `paging_token` of a record is the `cursor` of the records after it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page<A> extends Linked {
  readonly _embedded: { readonly records: ReadonlyArray<A> }
}

/**
 * Asset as most answers name it; code and issuer are absent for lumens.
 *
 * @since 0.1.0
 * @category types
 */
export interface Asset {
  readonly asset_type: AssetType
  readonly asset_code?: string
  readonly asset_issuer?: Address
}

/**
 * A fraction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Price {
  readonly n: number
  readonly d: number
}

/**
 * A fraction whose parts may be above 2^53.
 *
 * @since 0.1.0
 * @category types
 */
export interface LongPrice {
  readonly n: Int64
  readonly d: Int64
}

/**
 * The holding of an account in an asset, or in a liquidity pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly balance: Amount
  readonly asset_type: AssetType | "liquidity_pool_shares"
  readonly asset_code?: string
  readonly asset_issuer?: Address
  readonly liquidity_pool_id?: string
  readonly limit?: Amount
  readonly buying_liabilities?: Amount
  readonly selling_liabilities?: Amount
  readonly sponsor?: Address
  readonly last_modified_ledger?: number
  readonly is_authorized?: boolean
  readonly is_authorized_to_maintain_liabilities?: boolean
  readonly is_clawback_enabled?: boolean
}

/**
 * A key that may sign for an account, and the weight of its signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signer {
  readonly key: string
  readonly weight: number
  readonly type: "ed25519_public_key" | "sha256_hash" | "preauth_tx" | "ed25519_signed_payload"
  readonly sponsor?: Address
}

/**
 * The rights of the holders of an issuer's assets.
 *
 * @since 0.1.0
 * @category types
 */
export interface Flags {
  readonly auth_required: boolean
  readonly auth_revocable: boolean
  readonly auth_immutable?: boolean
  readonly auth_clawback_enabled?: boolean
}

/**
 * An account with balances, signers and data entries (base64 by name).
 *
 * @since 0.1.0
 * @category types
 */
export interface Account extends Linked {
  readonly id: Address
  readonly account_id: Address
  readonly sequence: Int64
  readonly sequence_ledger?: number
  readonly sequence_time?: string
  readonly subentry_count: number
  readonly inflation_destination?: Address
  readonly home_domain?: string
  readonly last_modified_ledger: number
  /** Null where the node no longer has that ledger. */
  readonly last_modified_time: Time | null
  readonly thresholds: {
    readonly low_threshold: number
    readonly med_threshold: number
    readonly high_threshold: number
  }
  readonly flags: Flags
  readonly balances: ReadonlyArray<Balance>
  readonly signers: ReadonlyArray<Signer>
  readonly data: Readonly<Record<string, string>>
  readonly num_sponsoring: number
  readonly num_sponsored: number
  readonly sponsor?: Address
  readonly paging_token: string
}

/**
 * A data entry of an account, base64.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountData {
  readonly value: string
  readonly sponsor?: Address
}

/**
 * An asset in circulation: the rules for its holders, their number, and its supply.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetStat extends Linked {
  readonly asset_type: AssetType
  readonly asset_code: string
  readonly asset_issuer: Address
  readonly paging_token: string
  readonly contract_id?: string
  readonly accounts: {
    readonly authorized: number
    readonly authorized_to_maintain_liabilities: number
    readonly unauthorized: number
  }
  readonly balances: {
    readonly authorized: Amount
    readonly authorized_to_maintain_liabilities: Amount
    readonly unauthorized: Amount
  }
  readonly amount?: Amount
  readonly num_accounts?: number
  readonly num_claimable_balances: number
  readonly num_liquidity_pools: number
  readonly num_contracts?: number
  readonly num_archived_contracts?: number
  readonly claimable_balances_amount: Amount
  readonly liquidity_pools_amount: Amount
  readonly contracts_amount?: Amount
  readonly archived_contracts_amount?: Amount
  readonly flags: Flags
}

/**
 * When a claimable balance can be claimed.
 *
 * @since 0.1.0
 * @category types
 */
export interface Predicate {
  readonly unconditional?: boolean
  readonly and?: ReadonlyArray<Predicate>
  readonly or?: ReadonlyArray<Predicate>
  readonly not?: Predicate
  readonly abs_before?: Time
  readonly abs_before_epoch?: Int64
  readonly rel_before?: Int64
}

/**
 * An account that may claim a balance, and when.
 *
 * @since 0.1.0
 * @category types
 */
export interface Claimant {
  readonly destination: Address
  readonly predicate: Predicate
}

/**
 * A balance that waits to be claimed.
 *
 * @since 0.1.0
 * @category types
 */
export interface ClaimableBalance extends Linked {
  readonly id: string
  readonly asset: AssetName
  readonly amount: Amount
  readonly sponsor?: Address
  readonly last_modified_ledger: number
  /** Null where the node no longer has that ledger. */
  readonly last_modified_time: Time | null
  readonly claimants: ReadonlyArray<Claimant>
  readonly flags?: { readonly clawback_enabled?: boolean }
  readonly paging_token: string
}

/**
 * Part of every effect.
 *
 * @since 0.1.0
 * @category types
 */
export interface EffectBase extends Linked {
  readonly id: string
  readonly paging_token: string
  readonly account: Address
  readonly account_muxed?: Address
  readonly account_muxed_id?: Int64
  readonly type: string
  readonly type_i: number
  readonly created_at: Time
}

/**
 * An effect of an operation. Its other fields depend on `type`: `account_credited`, `trade`
 * …
 *
 * @since 0.1.0
 * @category types
 */
export interface Effect extends EffectBase {
  readonly amount?: Amount
  readonly asset?: AssetName
  readonly asset_type?: string
  readonly asset_code?: string
  readonly asset_issuer?: Address
  readonly starting_balance?: Amount
  readonly low_threshold?: number
  readonly med_threshold?: number
  readonly high_threshold?: number
  readonly home_domain?: string
  readonly auth_required_flag?: boolean
  readonly auth_revocable_flag?: boolean
  readonly auth_immutable_flag?: boolean
  readonly auth_clawback_enabled_flag?: boolean
  readonly weight?: number
  readonly public_key?: string
  readonly key?: string
  readonly signer?: string
  readonly limit?: Amount
  readonly trustor?: Address
  readonly authorized_flag?: boolean
  readonly authorized_to_maintain_liabilites_flag?: boolean
  readonly clawback_enabled_flag?: boolean
  readonly seller?: Address
  readonly seller_muxed?: Address
  readonly seller_muxed_id?: Int64
  readonly offer_id?: Int64
  readonly sold_amount?: Amount
  readonly sold_asset_type?: AssetType
  readonly sold_asset_code?: string
  readonly sold_asset_issuer?: Address
  readonly bought_amount?: Amount
  readonly bought_asset_type?: AssetType
  readonly bought_asset_code?: string
  readonly bought_asset_issuer?: Address
  readonly name?: string
  readonly value?: string
  readonly new_seq?: Int64
  readonly balance_id?: string
  readonly balance_type?: string
  readonly predicate?: Predicate
  readonly sponsor?: Address
  readonly former_sponsor?: Address
  readonly new_sponsor?: Address
  readonly data_name?: string
  readonly contract?: string
  readonly liquidity_pool?: PoolState
  readonly liquidity_pool_id?: string
  readonly reserves_deposited?: ReadonlyArray<Reserve>
  readonly reserves_received?: ReadonlyArray<Reserve>
  readonly reserves_revoked?: ReadonlyArray<Reserve & { readonly claimable_balance_id: string }>
  readonly shares_received?: Amount
  readonly shares_redeemed?: Amount
  readonly shares_revoked?: Amount
  readonly sold?: Reserve
  readonly bought?: Reserve
}

/**
 * The distribution of fees over the transactions of the last five ledgers: stroops per operation.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeDistribution {
  readonly max: Int64
  readonly min: Int64
  readonly mode: Int64
  readonly p10: Int64
  readonly p20: Int64
  readonly p30: Int64
  readonly p40: Int64
  readonly p50: Int64
  readonly p60: Int64
  readonly p70: Int64
  readonly p80: Int64
  readonly p90: Int64
  readonly p95: Int64
  readonly p99: Int64
}

/**
 * Fees of the last five ledgers, in stroops, and how full they were (1 is full).
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeStats {
  readonly last_ledger: Int64
  readonly last_ledger_base_fee: Int64
  readonly ledger_capacity_usage: string
  readonly fee_charged: FeeDistribution
  readonly max_fee: FeeDistribution
}

/**
 * A ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ledger extends Linked {
  readonly id: string
  readonly paging_token: string
  readonly hash: string
  readonly prev_hash?: string
  readonly sequence: number
  readonly successful_transaction_count: number
  readonly failed_transaction_count: number | null
  readonly operation_count: number
  readonly tx_set_operation_count: number | null
  readonly closed_at: Time
  readonly total_coins: Amount
  readonly fee_pool: Amount
  readonly base_fee_in_stroops: number
  readonly base_reserve_in_stroops: number
  readonly max_tx_set_size: number
  readonly protocol_version: number
  readonly header_xdr: Xdr
}

/**
 * The reserve of a liquidity pool in an asset.
 *
 * @since 0.1.0
 * @category types
 */
export interface Reserve {
  readonly asset: AssetName
  readonly amount: Amount
}

/**
 * A liquidity pool as effects tell of it. `fee_bp` is in hundredths of a percent.
 *
 * @since 0.1.0
 * @category types
 */
export interface PoolState {
  readonly id: string
  readonly fee_bp: number
  readonly type: string
  readonly total_trustlines: Int64
  readonly total_shares: Amount
  readonly reserves: ReadonlyArray<Reserve>
}

/**
 * A liquidity pool, and the ledger that last changed it.
 *
 * @since 0.1.0
 * @category types
 */
export interface LiquidityPool extends PoolState, Linked {
  readonly paging_token: string
  readonly last_modified_ledger: number
  /** Null where the node no longer has that ledger. */
  readonly last_modified_time: Time | null
}

/**
 * An offer to sell `amount` of one asset for another, at `price` of the second per one of the first.
 *
 * @since 0.1.0
 * @category types
 */
export interface Offer extends Linked {
  readonly id: Int64
  readonly paging_token: string
  readonly seller: Address
  readonly selling: Asset
  readonly buying: Asset
  readonly amount: Amount
  readonly price_r: Price
  readonly price: string
  readonly last_modified_ledger: number
  readonly last_modified_time: Time | null
  readonly sponsor?: Address
}

/**
 * An operation. Which fields there are beyond the first group depends on `type`: `payment`, `create_account`
 * …
 *
 * @since 0.1.0
 * @category types
 */
export interface Operation extends Linked {
  readonly id: Int64
  readonly paging_token: string
  readonly type: string
  readonly type_i: number
  readonly created_at: Time
  readonly source_account: Address
  readonly source_account_muxed?: Address
  readonly source_account_muxed_id?: Int64
  readonly transaction_hash: string
  readonly transaction_successful: boolean
  readonly transaction?: Transaction
  readonly sponsor?: Address
  readonly account?: Address
  readonly account_muxed?: Address
  readonly account_muxed_id?: Int64
  readonly funder?: Address
  readonly funder_muxed?: Address
  readonly funder_muxed_id?: Int64
  readonly starting_balance?: Amount
  readonly into?: Address
  readonly into_muxed?: Address
  readonly into_muxed_id?: Int64
  readonly from?: Address
  readonly from_muxed?: Address
  readonly from_muxed_id?: Int64
  readonly to?: Address
  readonly to_muxed?: Address
  readonly to_muxed_id?: Int64
  readonly amount?: Amount
  readonly asset?: AssetName
  readonly asset_type?: string
  readonly asset_code?: string
  readonly asset_issuer?: Address
  readonly path?: ReadonlyArray<Asset>
  readonly source_amount?: Amount
  readonly source_max?: Amount
  readonly destination_min?: Amount
  readonly source_asset_type?: AssetType
  readonly source_asset_code?: string
  readonly source_asset_issuer?: Address
  readonly offer_id?: Int64
  readonly price?: string
  readonly price_r?: Price
  readonly buying_asset_type?: AssetType
  readonly buying_asset_code?: string
  readonly buying_asset_issuer?: Address
  readonly selling_asset_type?: AssetType
  readonly selling_asset_code?: string
  readonly selling_asset_issuer?: Address
  readonly inflation_dest?: Address
  readonly home_domain?: string
  readonly low_threshold?: number
  readonly med_threshold?: number
  readonly high_threshold?: number
  readonly signer_key?: string
  readonly signer_weight?: number
  readonly master_key_weight?: number
  readonly set_flags?: ReadonlyArray<number>
  readonly set_flags_s?: ReadonlyArray<string>
  readonly clear_flags?: ReadonlyArray<number>
  readonly clear_flags_s?: ReadonlyArray<string>
  readonly trustor?: Address
  readonly trustor_muxed?: Address
  readonly trustor_muxed_id?: Int64
  readonly trustee?: Address
  readonly trustee_muxed?: Address
  readonly trustee_muxed_id?: Int64
  readonly limit?: Amount
  readonly authorize?: boolean
  readonly authorize_to_maintain_liabilities?: boolean
  readonly name?: string
  readonly value?: string | null
  readonly bump_to?: Int64
  readonly claimant?: Address
  readonly claimant_muxed?: Address
  readonly claimant_muxed_id?: Int64
  readonly claimants?: ReadonlyArray<Claimant>
  readonly balance_id?: string
  /** Of `begin_sponsoring_future_reserves`: the account whose reserves are paid for. */
  readonly sponsored_id?: Address
  /** Of `end_sponsoring_future_reserves`: the account that had begun to pay. */
  readonly begin_sponsor?: Address
  readonly begin_sponsor_muxed?: Address
  readonly begin_sponsor_muxed_id?: Int64
  /** Of `revoke_sponsorship`: the account, if its own reserve is no longer paid for. */
  readonly account_id?: Address
  /** Of `revoke_sponsorship`: the claimable balance, if it is one. */
  readonly claimable_balance_id?: string
  /** Of `revoke_sponsorship`: the account of a data entry, which `data_name` names. */
  readonly data_account_id?: Address
  readonly data_name?: string
  /** Of `revoke_sponsorship`: the account of a trustline, in an asset or a pool. */
  readonly trustline_account_id?: Address
  readonly trustline_asset?: AssetName
  readonly trustline_liquidity_pool_id?: string
  /** Of `revoke_sponsorship`: the account of a signer, which `signer_key` names. */
  readonly signer_account_id?: Address
  readonly liquidity_pool_id?: string
  readonly reserves_max?: ReadonlyArray<Reserve>
  readonly reserves_min?: ReadonlyArray<Reserve>
  readonly reserves_deposited?: ReadonlyArray<Reserve>
  readonly reserves_received?: ReadonlyArray<Reserve>
  readonly min_price?: string
  readonly min_price_r?: Price
  readonly max_price?: string
  readonly max_price_r?: Price
  readonly shares?: Amount
  readonly shares_received?: Amount
  readonly function?: string
  readonly parameters?: ReadonlyArray<{ readonly type: string; readonly value: string }> | null
  readonly address?: string
  readonly salt?: string
  readonly asset_balance_changes?: ReadonlyArray<AssetBalanceChange> | null
  readonly extend_to?: number
}

/**
 * The change of the balance of an asset by a call of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetBalanceChange extends Asset {
  readonly type: "transfer" | "mint" | "clawback" | "burn"
  readonly from?: string
  readonly to?: string
  readonly amount: Amount
  readonly destination_muxed_id?: Int64
}

/**
 * Bids and asks between two assets, the best first.
 *
 * @since 0.1.0
 * @category types
 */
export interface OrderBook {
  readonly bids: ReadonlyArray<OrderBookLevel>
  readonly asks: ReadonlyArray<OrderBookLevel>
  readonly base: Asset
  readonly counter: Asset
}

/**
 * The amount on offer at a price.
 *
 * @since 0.1.0
 * @category types
 */
export interface OrderBookLevel {
  readonly price: string
  readonly price_r: Price
  readonly amount: Amount
}

/**
 * A way from one asset to another, through those of `path`.
 *
 * @since 0.1.0
 * @category types
 */
export interface PaymentPath {
  readonly source_asset_type: AssetType
  readonly source_asset_code?: string
  readonly source_asset_issuer?: Address
  readonly source_amount: Amount
  readonly destination_asset_type: AssetType
  readonly destination_asset_code?: string
  readonly destination_asset_issuer?: Address
  readonly destination_amount: Amount
  readonly path: ReadonlyArray<Asset>
}

/**
 * The ways that were found; there is one page of them.
 *
 * @since 0.1.0
 * @category types
 */
export interface PaymentPaths {
  readonly _embedded: { readonly records: ReadonlyArray<PaymentPath> }
}

/**
 * Trades of a span of time: `timestamp` is milliseconds; prices are of the counter asset per one of the
 * base.
 *
 * @since 0.1.0
 * @category types
 */
export interface TradeAggregation {
  readonly timestamp: Int64
  readonly trade_count: Int64
  readonly base_volume: Amount
  readonly counter_volume: Amount
  readonly avg: string
  readonly high: string
  readonly high_r: LongPrice
  readonly low: string
  readonly low_r: LongPrice
  readonly open: string
  readonly open_r: LongPrice
  readonly close: string
  readonly close_r: LongPrice
}

/**
 * A trade between two offers, or an offer and a liquidity pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface Trade extends Linked {
  readonly id: string
  readonly paging_token: string
  readonly ledger_close_time: Time
  readonly trade_type: "orderbook" | "liquidity_pool"
  readonly offer_id?: Int64
  readonly liquidity_pool_fee_bp?: number
  readonly base_offer_id?: Int64
  readonly base_account?: Address
  readonly base_liquidity_pool_id?: string
  readonly base_amount: Amount
  readonly base_asset_type: AssetType
  readonly base_asset_code?: string
  readonly base_asset_issuer?: Address
  readonly counter_offer_id?: Int64
  readonly counter_account?: Address
  readonly counter_liquidity_pool_id?: string
  readonly counter_amount: Amount
  readonly counter_asset_type: AssetType
  readonly counter_asset_code?: string
  readonly counter_asset_issuer?: Address
  readonly base_is_seller: boolean
  readonly price?: LongPrice
}

/**
 * When a transaction is valid.
 *
 * @since 0.1.0
 * @category types
 */
export interface Preconditions {
  readonly timebounds?: { readonly min_time?: Int64; readonly max_time?: Int64 }
  readonly ledgerbounds?: { readonly min_ledger?: number; readonly max_ledger?: number }
  readonly min_account_sequence?: Int64
  readonly min_account_sequence_age?: Int64
  readonly min_account_sequence_ledger_gap?: number
  readonly extra_signers?: ReadonlyArray<string>
}

/**
 * A transaction. Fees are stroops.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends Linked {
  readonly id: string
  readonly paging_token: string
  readonly successful: boolean
  readonly hash: string
  readonly ledger: number
  readonly created_at: Time
  readonly source_account: Address
  readonly account_muxed?: Address
  readonly account_muxed_id?: Int64
  readonly source_account_sequence: Int64
  readonly fee_account: Address
  readonly fee_account_muxed?: Address
  readonly fee_account_muxed_id?: Int64
  readonly fee_charged: Int64
  readonly max_fee: Int64
  readonly operation_count: number
  readonly envelope_xdr: Xdr
  readonly result_xdr: Xdr
  readonly result_meta_xdr?: Xdr
  readonly fee_meta_xdr?: Xdr
  readonly memo_type: "none" | "text" | "id" | "hash" | "return"
  readonly memo?: string
  readonly memo_bytes?: string
  readonly signatures: ReadonlyArray<string>
  readonly valid_after?: Time
  readonly valid_before?: Time
  readonly preconditions?: Preconditions
  readonly fee_bump_transaction?: { readonly hash: string; readonly signatures: ReadonlyArray<string> }
  readonly inner_transaction?: {
    readonly hash: string
    readonly signatures: ReadonlyArray<string>
    readonly max_fee: Int64
  }
}

/**
 * The state of a transaction that was sent without waiting for its ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface AsyncSubmission {
  readonly tx_status: "PENDING" | "DUPLICATE" | "TRY_AGAIN_LATER" | "ERROR"
  readonly hash: string
  readonly error_result_xdr?: Xdr | null
}

/**
 * Versions of Horizon and Stellar Core, their chain, and how far they are with it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Root extends Linked {
  readonly horizon_version: string
  readonly core_version: string
  readonly ingest_latest_ledger: number
  readonly history_latest_ledger: number
  readonly history_latest_ledger_closed_at: Time
  readonly history_elder_ledger: number
  readonly core_latest_ledger: number
  readonly network_passphrase: string
  readonly current_protocol_version: number
  readonly supported_protocol_version: number
  readonly core_supported_protocol_version: number
}

/**
 * Whether the parts of Horizon work.
 *
 * @since 0.1.0
 * @category types
 */
export interface Health {
  readonly database_connected: boolean
  readonly core_up: boolean
  readonly core_synced: boolean
}

/**
 * A page of a list: the `paging_token` to start behind (`now` for the end), the order, the number of
 * records.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly cursor?: string
  readonly order?: "asc" | "desc"
  readonly limit?: number
}

/**
 * The payment to give: exactly this amount of this asset. The account and the assets that may be given are no part
 * of Horizon's question; they are accepted and not sent.
 *
 * @since 0.1.0
 * @category types
 */
export interface StrictSend {
  readonly sourceAssetType: AssetType
  readonly sourceAssetCode?: string
  readonly sourceAssetIssuer?: Address
  readonly sourceAmount: Amount
  readonly destinationAccount?: Address
  readonly destinationAssets?: AssetName | ReadonlyArray<AssetName>
  readonly sourceAccount?: Address
  readonly sourceAssets?: AssetName | ReadonlyArray<AssetName>
}

/**
 * The payment that has to arrive: exactly this amount of this asset.
 *
 * @since 0.1.0
 * @category types
 */
export interface StrictReceive {
  readonly sourceAccount?: Address
  readonly sourceAssets?: AssetName | ReadonlyArray<AssetName>
  readonly destinationAssetType: AssetType
  readonly destinationAssetCode?: string
  readonly destinationAssetIssuer?: Address
  readonly destinationAmount: Amount
}
