/**
 * What nodes of the XRP Ledger take and give.
 *
 * @since 0.1.0
 */

/**
 * The address of an account (Base58, starts with r).
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * Bytes in hexadecimal, upper case: hashes, ids, keys, blobs.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * A ledger: a number, or the newest of a kind.
 *
 * @since 0.1.0
 * @category types
 */
export type LedgerIndex = number | "validated" | "closed" | "current" | (string & {})

/**
 * A currency: XRP alone, or one with its issuer; or a multi-purpose token.
 *
 * @since 0.1.0
 * @category types
 */
export type Currency =
  | { readonly currency: string; readonly issuer?: Address }
  | { readonly mpt_issuance_id: Hex }

/**
 * An amount: drops (10^-6 XRP), or a value of an issued currency, or of a multi-purpose token.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount =
  | string
  | { readonly currency: string; readonly issuer: Address; readonly value: string }
  | { readonly mpt_issuance_id: Hex; readonly value: string }

/**
 * The continuation of a list: the `marker` of the answer before, as it is.
 *
 * @since 0.1.0
 * @category types
 */
export type Marker = string | number | { readonly ledger: number; readonly seq: number }

/**
 * The ledger to look into, by hash or index.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerOptions {
  readonly ledgerHash?: Hex
  readonly ledgerIndex?: LedgerIndex
}

/**
 * The same, and which page of a list.
 *
 * @since 0.1.0
 * @category types
 */
export interface PageOptions extends LedgerOptions {
  readonly limit?: number
  readonly marker?: Marker
}

/**
 * The secret that a server is to sign with, in one of its forms.
 *
 * @since 0.1.0
 * @category types
 */
export interface SigningOptions {
  readonly secret?: string
  readonly seed?: string
  readonly seedHex?: Hex
  readonly passphrase?: string
  readonly keyType?: "secp256k1" | "ed25519"
}

/**
 * The same, and the fields that the server fills in before it signs.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignOptions extends SigningOptions {
  readonly offline?: boolean
  readonly buildPath?: boolean
  readonly feeMultMax?: number
  readonly feeDivMax?: number
}

/**
 * Options of submitting: `failHard` neither retries nor relays after a failure at once. A secret lets the server sign first.
 *
 * @since 0.1.0
 * @category types
 */
export interface SubmitOptions extends SignOptions {
  readonly failHard?: boolean
}

/**
 * A value of a field of the ledger: JSON, for the fields of amendments that are newer than this table.
 *
 * @since 0.1.0
 * @category types
 */
export type Field =
  | string
  | number
  | boolean
  | null
  | undefined
  | ReadonlyArray<Field>
  | { readonly [name: string]: Field }

/**
 * A step of a path by which a payment is converted: through an account, or into another currency.
 *
 * @since 0.1.0
 * @category types
 */
export type PathStep = {
  readonly account?: Address
  readonly currency?: string
  readonly issuer?: Address
  readonly mpt_issuance_id?: Hex
  readonly type?: number
  readonly type_hex?: Hex
}

/**
 * A bridge between two ledgers (XLS-38): the accounts that hold it on both sides, and what they exchange.
 *
 * @since 0.1.0
 * @category types
 */
export type Bridge = {
  readonly LockingChainDoor: Address
  readonly LockingChainIssue: Currency
  readonly IssuingChainDoor: Address
  readonly IssuingChainIssue: Currency
}

/**
 * The fields of transactions and ledger entries. In the ledger's format (XLS-2, `server_definitions`) a name has one type
 * wherever it stands. Integers of 64 bits are text (hexadecimal, but decimal in amounts of tokens), and so are decimal numbers;
 * times are seconds since 2000.
 *
 * @since 0.1.0
 * @category types
 */
export interface Fields {
  readonly AcceptedCredentials?: ReadonlyArray<{ readonly Credential: Fields }>
  readonly Account?: Address
  readonly AccountTxnID?: Hex
  readonly AdditionalBooks?: ReadonlyArray<{ readonly Book: Fields }>
  readonly Amendment?: Hex
  readonly Amendments?: ReadonlyArray<Hex>
  readonly AMMID?: Hex
  readonly Amount?: Amount
  readonly Amount2?: Amount
  readonly Asset?: Currency
  readonly Asset2?: Currency
  readonly AssetClass?: Hex
  readonly AssetPrice?: string
  readonly AssetsAvailable?: string
  readonly AssetScale?: number
  readonly AssetsMaximum?: string
  readonly AssetsTotal?: string
  readonly AttestationRewardAccount?: Address
  readonly AttestationSignerAccount?: Address
  readonly AuctionSlot?: Fields
  readonly AuthAccounts?: ReadonlyArray<{ readonly AuthAccount: Fields }>
  readonly Authorize?: Address
  readonly AuthorizeCredentials?: ReadonlyArray<{ readonly Credential: Fields }>
  readonly Balance?: Amount
  readonly BaseAsset?: string
  readonly BaseFee?: string
  readonly BaseFeeDrops?: Amount
  readonly BatchSigners?: ReadonlyArray<{ readonly BatchSigner: Fields }>
  readonly BidMax?: Amount
  readonly BidMin?: Amount
  readonly BookDirectory?: Hex
  readonly BookNode?: string
  readonly Borrower?: Address
  readonly BurnedNFTokens?: number
  readonly CancelAfter?: number
  readonly Channel?: Hex
  readonly CheckID?: Hex
  readonly ClearFlag?: number
  readonly CloseInterestRate?: number
  readonly ClosePaymentFee?: string
  readonly CloseTime?: number
  readonly Condition?: Hex
  readonly Counterparty?: Address
  readonly CounterpartySignature?: Fields
  readonly CoverAvailable?: string
  readonly CoverRateLiquidation?: number
  readonly CoverRateMinimum?: number
  readonly CredentialIDs?: ReadonlyArray<Hex>
  readonly CredentialType?: Hex
  readonly Data?: Hex
  readonly DebtMaximum?: string
  readonly DebtTotal?: string
  readonly Delegate?: Address
  readonly DeliverMax?: Amount
  readonly DeliverMin?: Amount
  readonly Destination?: Address
  readonly DestinationNode?: string
  readonly DestinationTag?: number
  readonly DIDDocument?: Hex
  readonly Digest?: Hex
  readonly DisabledValidators?: ReadonlyArray<{ readonly DisabledValidator: Fields }>
  readonly DiscountedFee?: number
  readonly Domain?: Hex
  readonly DomainID?: Hex
  readonly EmailHash?: Hex
  readonly EPrice?: Amount
  readonly ExchangeRate?: string
  readonly Expiration?: number
  readonly Fee?: string
  readonly FeeAmount?: Amount
  readonly FinishAfter?: number
  readonly FirstLedgerSequence?: number
  readonly FirstNFTokenSequence?: number
  readonly Flags?: number
  readonly Fulfillment?: Hex
  readonly GracePeriod?: number
  readonly hash?: Hex
  readonly Hashes?: ReadonlyArray<Hex>
  readonly HighLimit?: Amount
  readonly HighNode?: string
  readonly HighQualityIn?: number
  readonly HighQualityOut?: number
  readonly Holder?: Address
  readonly ImmutableFlags?: number
  readonly index?: Hex
  readonly Indexes?: ReadonlyArray<Hex>
  readonly IndexNext?: string
  readonly IndexPrevious?: string
  readonly InterestRate?: number
  readonly InvoiceID?: Hex
  readonly Issuer?: Address
  readonly IssuerNode?: string
  readonly IssuingChainDoor?: Address
  readonly IssuingChainIssue?: Currency
  readonly LastLedgerSequence?: number
  readonly LastUpdateTime?: number
  readonly LateInterestRate?: number
  readonly LatePaymentFee?: string
  readonly LedgerFixType?: number
  readonly LedgerSequence?: number
  readonly LimitAmount?: Amount
  readonly LoanBrokerID?: Hex
  readonly LoanBrokerNode?: string
  readonly LoanID?: Hex
  readonly LoanOriginationFee?: string
  readonly LoanScale?: number
  readonly LoanSequence?: number
  readonly LoanServiceFee?: string
  readonly LockedAmount?: string
  readonly LockingChainDoor?: Address
  readonly LockingChainIssue?: Currency
  readonly LossUnrealized?: string
  readonly LowLimit?: Amount
  readonly LowNode?: string
  readonly LowQualityIn?: number
  readonly LowQualityOut?: number
  readonly LPTokenBalance?: Amount
  readonly LPTokenIn?: Amount
  readonly LPTokenOut?: Amount
  readonly Majorities?: ReadonlyArray<{ readonly Majority: Fields }>
  readonly ManagementFeeOutstanding?: string
  readonly ManagementFeeRate?: number
  readonly MaxFee?: Amount
  readonly MaximumAmount?: string
  readonly MemoData?: Hex
  readonly MemoFormat?: Hex
  readonly Memos?: ReadonlyArray<{ readonly Memo: Fields }>
  readonly MemoType?: Hex
  readonly MessageKey?: Hex
  readonly MinAccountCreateAmount?: Amount
  readonly MinimumOffer?: Amount
  readonly MintedNFTokens?: number
  readonly MPTAmount?: string
  readonly MPTokenIssuanceID?: Hex
  readonly MPTokenMetadata?: Hex
  readonly NetworkID?: number
  readonly NextPageMin?: Hex
  readonly NextPaymentDueDate?: number
  readonly NFTokenBrokerFee?: Amount
  readonly NFTokenBuyOffer?: Hex
  readonly NFTokenID?: Hex
  readonly NFTokenMinter?: Address
  readonly NFTokenOfferNode?: string
  readonly NFTokenOffers?: ReadonlyArray<Hex>
  readonly NFTokens?: ReadonlyArray<{ readonly NFToken: Fields }>
  readonly NFTokenSellOffer?: Hex
  readonly NFTokenTaxon?: number
  readonly ObjectID?: Hex
  readonly OfferSequence?: number
  readonly OracleDocumentID?: number
  readonly OtherChainDestination?: Address
  readonly OtherChainSource?: Address
  readonly OutstandingAmount?: string
  readonly OverpaymentFee?: number
  readonly OverpaymentInterestRate?: number
  readonly Owner?: Address
  readonly OwnerCount?: number
  readonly OwnerNode?: string
  readonly ParentBatchID?: Hex
  readonly Paths?: ReadonlyArray<ReadonlyArray<PathStep>>
  readonly PaymentInterval?: number
  readonly PaymentRemaining?: number
  readonly PaymentTotal?: number
  readonly PeriodicPayment?: string
  readonly Permissions?: ReadonlyArray<{ readonly Permission: Fields }>
  readonly PermissionValue?: string | number
  readonly PreviousPageMin?: Hex
  readonly PreviousPaymentDueDate?: number
  readonly PreviousTxnID?: Hex
  readonly PreviousTxnLgrSeq?: number
  readonly Price?: Amount
  readonly PriceDataSeries?: ReadonlyArray<{ readonly PriceData: Fields }>
  readonly PrincipalOutstanding?: string
  readonly PrincipalRequested?: string
  readonly Provider?: Hex
  readonly PublicKey?: Hex
  readonly QualityIn?: number
  readonly QualityOut?: number
  readonly QuoteAsset?: string
  readonly RawTransactions?: ReadonlyArray<{ readonly RawTransaction: Transaction }>
  readonly ReferenceFeeUnits?: number
  readonly RegularKey?: Address
  readonly ReserveBase?: number
  readonly ReserveBaseDrops?: Amount
  readonly ReserveIncrement?: number
  readonly ReserveIncrementDrops?: Amount
  readonly RootIndex?: Hex
  readonly Scale?: number
  readonly SendMax?: Amount
  readonly Sequence?: number
  readonly SetFlag?: number
  readonly SettleDelay?: number
  readonly ShareMPTID?: Hex
  readonly Signature?: Hex
  readonly SignatureReward?: Amount
  readonly SignerEntries?: ReadonlyArray<{ readonly SignerEntry: Fields }>
  readonly SignerListID?: number
  readonly SignerQuorum?: number
  readonly Signers?: ReadonlyArray<{ readonly Signer: Fields }>
  readonly SignerWeight?: number
  readonly SigningPubKey?: Hex
  readonly SourceTag?: number
  readonly StartDate?: number
  readonly Subject?: Address
  readonly SubjectNode?: string
  readonly TakerGets?: Amount
  readonly TakerGetsCurrency?: Hex
  readonly TakerGetsIssuer?: Hex
  readonly TakerGetsMPT?: Hex
  readonly TakerPays?: Amount
  readonly TakerPaysCurrency?: Hex
  readonly TakerPaysIssuer?: Hex
  readonly TakerPaysMPT?: Hex
  readonly TicketCount?: number
  readonly TicketSequence?: number
  readonly TickSize?: number
  readonly TotalValueOutstanding?: string
  readonly TradingFee?: number
  readonly TransferFee?: number
  readonly TransferRate?: number
  readonly TxnSignature?: Hex
  readonly Unauthorize?: Address
  readonly UnauthorizeCredentials?: ReadonlyArray<{ readonly Credential: Fields }>
  readonly UNLModifyDisabling?: number
  readonly UNLModifyValidator?: Hex
  readonly URI?: Hex
  readonly ValidatorToDisable?: Hex
  readonly ValidatorToReEnable?: Hex
  readonly VaultID?: Hex
  readonly VaultNode?: string
  readonly VoteSlots?: ReadonlyArray<{ readonly VoteEntry: Fields }>
  readonly VoteWeight?: number
  readonly WalletLocator?: Hex
  readonly WalletSize?: number
  readonly WasLockingChainSend?: number
  readonly WithdrawalPolicy?: number
  readonly XChainAccountClaimCount?: string
  readonly XChainAccountCreateCount?: string
  readonly XChainBridge?: Bridge
  readonly XChainClaimAttestations?: ReadonlyArray<{ readonly XChainClaimProofSig: Fields }>
  readonly XChainClaimID?: string
  readonly XChainCreateAccountAttestations?: ReadonlyArray<{ readonly XChainCreateAccountProofSig: Fields }>
  readonly [field: string]: Field
}

/**
 * The kinds of transactions, and those of amendments to come.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionType =
  | "AMMBid"
  | "AMMClawback"
  | "AMMCreate"
  | "AMMDelete"
  | "AMMDeposit"
  | "AMMVote"
  | "AMMWithdraw"
  | "AccountDelete"
  | "AccountSet"
  | "Batch"
  | "CheckCancel"
  | "CheckCash"
  | "CheckCreate"
  | "Clawback"
  | "CredentialAccept"
  | "CredentialCreate"
  | "CredentialDelete"
  | "DIDDelete"
  | "DIDSet"
  | "DelegateSet"
  | "DepositPreauth"
  | "EnableAmendment"
  | "EscrowCancel"
  | "EscrowCreate"
  | "EscrowFinish"
  | "LedgerStateFix"
  | "LoanBrokerCoverClawback"
  | "LoanBrokerCoverDeposit"
  | "LoanBrokerCoverWithdraw"
  | "LoanBrokerDelete"
  | "LoanBrokerSet"
  | "LoanDelete"
  | "LoanManage"
  | "LoanPay"
  | "LoanSet"
  | "MPTokenAuthorize"
  | "MPTokenIssuanceCreate"
  | "MPTokenIssuanceDestroy"
  | "MPTokenIssuanceSet"
  | "NFTokenAcceptOffer"
  | "NFTokenBurn"
  | "NFTokenCancelOffer"
  | "NFTokenCreateOffer"
  | "NFTokenMint"
  | "NFTokenModify"
  | "OfferCancel"
  | "OfferCreate"
  | "OracleDelete"
  | "OracleSet"
  | "Payment"
  | "PaymentChannelClaim"
  | "PaymentChannelCreate"
  | "PaymentChannelFund"
  | "PermissionedDomainDelete"
  | "PermissionedDomainSet"
  | "SetFee"
  | "SetRegularKey"
  | "SignerListSet"
  | "TicketCreate"
  | "TrustSet"
  | "UNLModify"
  | "VaultClawback"
  | "VaultCreate"
  | "VaultDelete"
  | "VaultDeposit"
  | "VaultSet"
  | "VaultWithdraw"
  | "XChainAccountCreateCommit"
  | "XChainAddAccountCreateAttestation"
  | "XChainAddClaimAttestation"
  | "XChainClaim"
  | "XChainCommit"
  | "XChainCreateBridge"
  | "XChainCreateClaimID"
  | "XChainModifyBridge"
  | (string & {})

/**
 * The kinds of ledger entries, and those of amendments to come.
 *
 * @since 0.1.0
 * @category types
 */
export type LedgerEntryType =
  | "AMM"
  | "AccountRoot"
  | "Amendments"
  | "Bridge"
  | "Check"
  | "Credential"
  | "DID"
  | "Delegate"
  | "DepositPreauth"
  | "DirectoryNode"
  | "Escrow"
  | "FeeSettings"
  | "LedgerHashes"
  | "Loan"
  | "LoanBroker"
  | "MPToken"
  | "MPTokenIssuance"
  | "NFTokenOffer"
  | "NFTokenPage"
  | "NegativeUNL"
  | "Offer"
  | "Oracle"
  | "PayChannel"
  | "PermissionedDomain"
  | "RippleState"
  | "SignerList"
  | "Ticket"
  | "Vault"
  | "XChainOwnedClaimID"
  | "XChainOwnedCreateAccountClaimID"
  | (string & {})

/**
 * A transaction with the names of the ledger. Which fields there are depends on its type.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends Fields {
  readonly TransactionType: TransactionType
  readonly Account: Address
}

/**
 * A transaction with its place, as servers write that into it. `date` is in seconds since 2000.
 *
 * @since 0.1.0
 * @category types
 */
export interface PlacedTransaction extends Transaction {
  readonly date?: number
  readonly inLedger?: number
  readonly ledger_index?: number
  readonly ledger_hash?: Hex
}

/**
 * An entry of the ledger with the ledger's names. Which fields there are depends on its type.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerEntry extends Fields {
  readonly LedgerEntryType: LedgerEntryType
}

/**
 * A ledger entry that a transaction changed. `FinalFields` are those after it, `PreviousFields` had other values before.
 *
 * @since 0.1.0
 * @category types
 */
export type ChangedNode = {
  readonly LedgerEntryType: LedgerEntryType
  readonly LedgerIndex: Hex
  readonly FinalFields?: Fields
  readonly PreviousFields?: Fields
  readonly PreviousTxnID?: Hex
  readonly PreviousTxnLgrSeq?: number
}

/**
 * The change of a ledger entry by a transaction: made, changed or removed.
 *
 * @since 0.1.0
 * @category types
 */
export type AffectedNode = {
  readonly CreatedNode?: {
    readonly LedgerEntryType: LedgerEntryType
    readonly LedgerIndex: Hex
    readonly NewFields: Fields
  }
  readonly ModifiedNode?: ChangedNode
  readonly DeletedNode?: ChangedNode
}

/**
 * The effects of a transaction. `TransactionResult` is tesSUCCESS, or why it did nothing but cost its fee (tec…). The ids in
 * lower case are those of unique tokens, their offers and tokens that the transaction made or moved.
 *
 * @since 0.1.0
 * @category types
 */
export type Metadata = {
  readonly AffectedNodes: ReadonlyArray<AffectedNode>
  readonly TransactionIndex: number
  readonly TransactionResult: string
  readonly DeliveredAmount?: Amount
  readonly delivered_amount?: Amount | "unavailable"
  readonly nftoken_id?: Hex
  readonly nftoken_ids?: ReadonlyArray<Hex>
  readonly offer_id?: Hex
  readonly mpt_issuance_id?: Hex
  readonly ParentBatchID?: Hex
}

/**
 * The fields of every answer: that it is one, and warnings of the server.
 *
 * @since 0.1.0
 * @category types
 */
export interface Answer {
  readonly status?: "success"
  readonly warnings?: ReadonlyArray<{ readonly id: number; readonly message: string }>
}

/**
 * The ledger that an answer is from. `validated`: it can no longer change.
 *
 * @since 0.1.0
 * @category types
 */
export interface FromLedger extends Answer {
  readonly ledger_hash?: Hex
  readonly ledger_index?: number
  readonly ledger_current_index?: number
  readonly validated?: boolean
}

/**
 * A page of a list. `marker` asks for the next one; it is missing at the end.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page extends FromLedger {
  readonly limit?: number
  readonly marker?: Marker
}

/**
 * Payment channels of an account. Amounts are in drops.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountChannels extends Page {
  readonly account: Address
  readonly channels: ReadonlyArray<{
    readonly account: Address
    readonly amount: string
    readonly balance: string
    readonly channel_id: Hex
    readonly destination_account: Address
    readonly settle_delay: number
    readonly public_key?: string
    readonly public_key_hex?: Hex
    readonly expiration?: number
    readonly cancel_after?: number
    readonly source_tag?: number
    readonly destination_tag?: number
  }>
}

/**
 * Currencies that an account can send and receive.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountCurrencies extends FromLedger {
  readonly receive_currencies: ReadonlyArray<string>
  readonly send_currencies: ReadonlyArray<string>
}

/**
 * The root of an account. `Balance` is in drops.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountRoot extends LedgerEntry {
  readonly Account: Address
  readonly Balance: string
  readonly Flags: number
  readonly OwnerCount: number
  readonly Sequence: number
  readonly PreviousTxnID: Hex
  readonly PreviousTxnLgrSeq: number
  readonly Domain?: Hex
  readonly EmailHash?: Hex
  readonly RegularKey?: Address
  readonly TransferRate?: number
  readonly TickSize?: number
  /** The address of a picture, which servers make of `EmailHash`. */
  readonly urlgravatar?: string
  readonly signer_lists?: ReadonlyArray<LedgerEntry>
}

/**
 * An account, its flags as names, its signer lists and waiting transactions if asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountInfo extends FromLedger {
  readonly account_data: AccountRoot
  readonly account_flags?: Readonly<Record<string, boolean>>
  readonly signer_lists?: ReadonlyArray<LedgerEntry>
  readonly queue_data?: AccountQueue
}

/**
 * Transactions of an account that wait for a ledger. Fees are in drops.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountQueue {
  readonly txn_count: number
  readonly auth_change_queued?: boolean
  readonly lowest_sequence?: number
  readonly highest_sequence?: number
  readonly lowest_ticket?: number
  readonly highest_ticket?: number
  readonly sequence_count?: number
  readonly ticket_count?: number
  readonly max_spend_drops_total?: string
  readonly transactions?: ReadonlyArray<{
    readonly auth_change: boolean
    readonly fee: string
    readonly fee_level: string
    readonly max_spend_drops: string
    readonly seq?: number
    readonly ticket?: number
    readonly LastLedgerSequence?: number
  }>
}

/**
 * A trust line, from the account's side. Amounts are decimal strings in the currency.
 *
 * @since 0.1.0
 * @category types
 */
export interface TrustLine {
  readonly account: Address
  readonly balance: string
  readonly currency: string
  readonly limit: string
  readonly limit_peer: string
  readonly quality_in: number
  readonly quality_out: number
  readonly no_ripple?: boolean
  readonly no_ripple_peer?: boolean
  readonly authorized?: boolean
  readonly peer_authorized?: boolean
  readonly freeze?: boolean
  readonly freeze_peer?: boolean
}

/**
 * Trust lines of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountLines extends Page {
  readonly account: Address
  readonly lines: ReadonlyArray<TrustLine>
}

/**
 * A unique token.
 *
 * @since 0.1.0
 * @category types
 */
export interface Nft {
  readonly NFTokenID: Hex
  readonly Issuer: Address
  readonly NFTokenTaxon: number
  readonly Flags: number
  readonly nft_serial: number
  readonly URI?: Hex
  readonly TransferFee?: number
}

/**
 * Unique tokens of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountNfts extends Page {
  readonly account: Address
  readonly account_nfts: ReadonlyArray<Nft>
}

/**
 * Ledger entries that an account owns.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountObjects extends Page {
  readonly account: Address
  readonly account_objects: ReadonlyArray<LedgerEntry>
}

/**
 * Offers of an account. `quality` is its payment for one that it gets.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountOffers extends Page {
  readonly account: Address
  readonly offers?: ReadonlyArray<{
    readonly flags: number
    readonly seq: number
    readonly taker_gets: Amount
    readonly taker_pays: Amount
    readonly quality: string
    readonly expiration?: number
  }>
}

/**
 * A transaction of an account with its effects; with `binary` both as hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountTransaction {
  readonly tx?: PlacedTransaction
  readonly tx_json?: PlacedTransaction
  readonly tx_blob?: Hex
  readonly meta: Metadata | Hex
  readonly meta_blob?: Hex
  readonly hash?: Hex
  readonly ledger_index?: number
  readonly ledger_hash?: Hex
  readonly close_time_iso?: string
  readonly validated: boolean
}

/**
 * Transactions of an account, newest first.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountTransactions extends Answer {
  readonly account: Address
  readonly ledger_index_min: number
  readonly ledger_index_max: number
  readonly limit?: number
  readonly marker?: Marker
  readonly transactions: ReadonlyArray<AccountTransaction>
  readonly validated?: boolean
}

/**
 * An automated market maker.
 *
 * @since 0.1.0
 * @category types
 */
export interface AmmInfo extends FromLedger {
  readonly amm: {
    readonly account: Address
    readonly amount: Amount
    readonly amount2: Amount
    readonly lp_token: Amount
    readonly trading_fee: number
    readonly asset_frozen?: boolean
    readonly asset2_frozen?: boolean
    readonly auction_slot?: {
      readonly account: Address
      readonly auth_accounts?: ReadonlyArray<{ readonly account: Address }>
      readonly discounted_fee: number
      readonly expiration: string
      readonly price: Amount
      readonly time_interval: number
    }
    readonly vote_slots?: ReadonlyArray<{
      readonly account: Address
      readonly trading_fee: number
      readonly vote_weight: number
    }>
  }
}

/**
 * The changes of the order books in a ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface BookChanges extends FromLedger {
  readonly type?: "bookChanges"
  readonly ledger_time: number
  readonly changes: ReadonlyArray<{
    readonly currency_a: string
    readonly currency_b: string
    readonly volume_a: string
    readonly volume_b: string
    readonly high: string
    readonly low: string
    readonly open: string
    readonly close: string
  }>
}

/**
 * An offer in a book. `quality` is the taker's payment for one that it gets; funds are those of the offer's owner.
 *
 * @since 0.1.0
 * @category types
 */
export interface BookOffer extends LedgerEntry {
  readonly Account: Address
  readonly TakerGets: Amount
  readonly TakerPays: Amount
  readonly Sequence: number
  readonly Flags: number
  readonly quality?: string
  readonly owner_funds?: string
  readonly taker_gets_funded?: Amount
  readonly taker_pays_funded?: Amount
}

/**
 * Offers of a book, best first.
 *
 * @since 0.1.0
 * @category types
 */
export interface BookOffers extends Page {
  readonly offers: ReadonlyArray<BookOffer>
}

/**
 * Whether an account may pay another one directly.
 *
 * @since 0.1.0
 * @category types
 */
export interface DepositAuthorized extends FromLedger {
  readonly deposit_authorized: boolean
  readonly source_account: Address
  readonly destination_account: Address
  readonly credentials?: ReadonlyArray<Hex>
}

/**
 * An amendment of the protocol. A server tells those whom it trusts what it votes, and how the vote stands.
 *
 * @since 0.1.0
 * @category types
 */
export interface Feature {
  readonly enabled: boolean
  readonly name?: string
  readonly supported: boolean
  readonly vetoed?: boolean | string
  readonly count?: number
  readonly majority?: number
  readonly threshold?: number
  readonly validations?: number
}

/**
 * Amendments of the protocol, by id: all of them in `features`, a single one beside.
 *
 * @since 0.1.0
 * @category types
 */
export interface Features extends Answer {
  readonly features?: Readonly<Record<Hex, Feature>>
  readonly [id: Hex]: Feature | Readonly<Record<Hex, Feature>> | Answer[keyof Answer]
}

/**
 * The costs of a transaction. `drops` are decimal strings; levels are relative to the cost of a reference transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Fee extends Answer {
  readonly current_ledger_size: string
  readonly current_queue_size: string
  readonly drops: {
    readonly base_fee: string
    readonly median_fee: string
    readonly minimum_fee: string
    readonly open_ledger_fee: string
  }
  readonly expected_ledger_size: string
  readonly ledger_current_index: number
  readonly levels: {
    readonly median_level: string
    readonly minimum_level: string
    readonly open_ledger_level: string
    readonly reference_level: string
  }
  readonly max_queue_size: string
}

/**
 * The debts of an issuer (by currency), the holdings of its operational accounts, and its own holdings of others.
 *
 * @since 0.1.0
 * @category types
 */
export interface GatewayBalances extends FromLedger {
  readonly account: Address
  readonly obligations?: Readonly<Record<string, string>>
  readonly balances?: Readonly<
    Record<Address, ReadonlyArray<{ readonly currency: string; readonly value: string }>>
  >
  readonly assets?: Readonly<
    Record<Address, ReadonlyArray<{ readonly currency: string; readonly value: string }>>
  >
}

/**
 * The price of an asset by several oracles.
 *
 * @since 0.1.0
 * @category types
 */
export interface AggregatePrice extends FromLedger {
  readonly entire_set: PriceStatistics
  readonly trimmed_set?: PriceStatistics
  readonly median: string
  readonly time: number
}

/**
 * Figures of a set of prices.
 *
 * @since 0.1.0
 * @category types
 */
export interface PriceStatistics {
  readonly mean: string
  readonly size: number
  readonly standard_deviation: string
}

/**
 * A transaction in a ledger, with its effects; with `binary` both as hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerTransaction extends Fields {
  readonly hash?: Hex
  readonly TransactionType?: TransactionType
  readonly tx_json?: Transaction
  readonly tx_blob?: Hex
  readonly meta?: Metadata | Hex
  readonly metaData?: Metadata
  readonly owner_funds?: string
}

/**
 * A ledger's header; with its transactions and entries if asked for. `close_time` is in seconds since 2000,
 * `total_coins` in drops.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerHeader {
  readonly ledger_index?: number | string
  readonly ledger_hash?: Hex
  readonly parent_hash?: Hex
  readonly account_hash?: Hex
  readonly transaction_hash?: Hex
  readonly close_flags?: number
  readonly close_time?: number
  readonly close_time_human?: string
  readonly close_time_iso?: string
  readonly close_time_resolution?: number
  readonly close_time_estimated?: boolean
  readonly parent_close_time?: number
  readonly total_coins?: string
  readonly closed?: boolean
  readonly accepted?: boolean
  readonly hash?: Hex
  readonly seqNum?: string
  readonly totalCoins?: string
  readonly ledger_data?: Hex
  readonly transactions?: ReadonlyArray<Hex | LedgerTransaction>
  readonly accountState?: ReadonlyArray<Hex | LedgerEntry>
}

/**
 * A transaction that waits for a ledger. Fees are in drops.
 *
 * @since 0.1.0
 * @category types
 */
export interface QueuedTransaction {
  readonly account: Address
  readonly tx: Hex | LedgerTransaction
  readonly retries_remaining: number
  readonly preflight_result: string
  readonly last_result?: string
  readonly auth_change?: boolean
  readonly fee?: string
  readonly fee_level?: string
  readonly max_spend_drops?: string
}

/**
 * A ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ledger extends FromLedger {
  readonly ledger: LedgerHeader
  readonly queue_data?: ReadonlyArray<QueuedTransaction | Hex>
}

/**
 * Entries of a ledger; with `binary` their bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerData extends Page {
  readonly ledger?: LedgerHeader
  readonly state: ReadonlyArray<LedgerEntry | { readonly data: Hex; readonly index: Hex }>
}

/**
 * An entry of a ledger; with `binary` its bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerEntryResult extends FromLedger {
  readonly index: Hex
  readonly node?: LedgerEntry
  readonly node_binary?: Hex
  /** The ledger that removed the entry, by Clio, if the caller asks for such entries too. */
  readonly deleted_ledger_index?: number
}

/**
 * A credential by its issuer and its type (hex).
 *
 * @since 0.1.0
 * @category types
 */
export interface CredentialKey {
  readonly issuer: Address
  readonly credentialType: Hex
}

/**
 * An entry of a ledger: by its id (`index`), or by its kind and fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerEntryQuery extends LedgerOptions {
  readonly binary?: boolean
  readonly includeDeleted?: boolean
  readonly index?: Hex
  readonly accountRoot?: Address
  readonly amendments?: Hex | true
  readonly amm?: Hex | { readonly asset: Currency; readonly asset2: Currency }
  readonly bridge?: Bridge
  readonly bridgeAccount?: Address
  readonly check?: Hex
  readonly delegate?: Hex | { readonly account: Address; readonly authorize: Address }
  readonly credential?: Hex | (CredentialKey & { readonly subject: Address })
  readonly depositPreauth?:
    | Hex
    | {
        readonly owner: Address
        readonly authorized?: Address
        readonly authorizedCredentials?: ReadonlyArray<CredentialKey>
      }
  readonly did?: Address
  readonly directory?: Hex | { readonly owner?: Address; readonly dirRoot?: Hex; readonly subIndex?: number }
  readonly escrow?: Hex | { readonly owner: Address; readonly seq: number }
  readonly fee?: Hex | true
  readonly hashes?: Hex | number | true
  readonly mptIssuance?: Hex
  readonly mptoken?: Hex | { readonly mptIssuanceId: Hex; readonly account: Address }
  readonly nftPage?: Hex
  readonly nftOffer?: Hex
  readonly offer?: Hex | { readonly account: Address; readonly seq: number }
  readonly oracle?: Hex | { readonly account: Address; readonly oracleDocumentId: number | string }
  readonly paymentChannel?: Hex
  readonly permissionedDomain?: Hex | { readonly account: Address; readonly seq: number }
  readonly rippleState?: { readonly accounts: readonly [Address, Address]; readonly currency: string }
  readonly signerList?: Hex | { readonly account: Address }
  readonly ticket?: Hex | { readonly account: Address; readonly ticketSeq: number }
  readonly vault?: Hex | { readonly owner: Address; readonly seq: number }
}

/**
 * The keys of a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Manifest extends Answer {
  readonly requested: string
  readonly manifest?: string
  readonly details?: {
    readonly domain: string
    readonly ephemeral_key: string
    readonly master_key: string
    readonly seq: number
  }
}

/**
 * Offers to buy or sell a unique token.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftOffers extends Page {
  readonly nft_id: Hex
  readonly offers: ReadonlyArray<{
    readonly amount: Amount
    readonly flags: number
    readonly nft_offer_index: Hex
    readonly owner: Address
    readonly destination?: Address
    readonly expiration?: number
  }>
}

/**
 * A unique token as Clio knows it.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftInfo extends FromLedger {
  readonly nft_id: Hex
  readonly owner: Address
  readonly is_burned: boolean
  readonly flags: number
  readonly transfer_fee: number
  readonly issuer: Address
  readonly nft_taxon: number
  readonly nft_serial: number
  readonly uri?: Hex | null
}

/**
 * Transactions of a unique token, as Clio knows them.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftHistory extends Answer {
  readonly nft_id: Hex
  readonly ledger_index_min: number
  readonly ledger_index_max: number
  readonly limit?: number
  readonly marker?: Marker
  readonly transactions: ReadonlyArray<AccountTransaction>
  readonly validated?: boolean
}

/**
 * Unique tokens of an issuer, as Clio knows them.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftsByIssuer extends Page {
  readonly issuer: Address
  readonly nft_taxon?: number
  readonly nfts: ReadonlyArray<NftInfo>
}

/**
 * Holders of a multi-purpose token, as Clio knows them.
 *
 * @since 0.1.0
 * @category types
 */
export interface MptHolders extends Page {
  readonly mpt_issuance_id: Hex
  readonly mptokens: ReadonlyArray<{
    readonly account: Address
    readonly flags: number
    readonly mpt_amount: string
    readonly mptoken_index: Hex
    readonly locked_amount?: string
  }>
}

/**
 * The problems with the rippling of an account, and transactions (unsigned) that would mend them.
 *
 * @since 0.1.0
 * @category types
 */
export interface NoRippleCheck extends FromLedger {
  readonly problems: ReadonlyArray<string>
  readonly transactions?: ReadonlyArray<Transaction>
}

/**
 * Ways of a payment, with the cost of each to the source.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paths extends FromLedger {
  readonly source_account?: Address
  readonly destination_account: Address
  readonly destination_amount?: Amount
  readonly destination_currencies: ReadonlyArray<string>
  readonly full_reply?: boolean
  readonly alternatives: ReadonlyArray<{
    readonly paths_computed: ReadonlyArray<ReadonlyArray<PathStep>>
    readonly source_amount: Amount
    readonly destination_amount?: Amount
  }>
}

/**
 * The state of a server beside figures whose units depend on who asks. `complete_ledgers` are ranges, times in text are
 * microseconds. A server tells its owner more, and Clio names itself and its cache.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerStatus {
  readonly amendment_blocked?: boolean
  readonly build_version?: string
  readonly clio_version?: string
  readonly rippled_version?: string
  readonly libxrpl_version?: string
  readonly complete_ledgers: string
  readonly corruption_detected?: boolean
  readonly cache?: {
    readonly size: number
    readonly is_enabled?: boolean
    readonly is_full: boolean
    readonly latest_ledger_seq: number
    readonly object_hit_rate?: number
    readonly successor_hit_rate?: number
  }
  readonly git?: { readonly branch?: string; readonly hash?: string }
  readonly initial_sync_duration_us?: string
  readonly io_latency_ms?: number
  readonly jq_trans_overflow?: string
  readonly load?: {
    readonly job_types: ReadonlyArray<{
      readonly job_type: string
      readonly per_second?: number
      readonly peak_time?: number
      readonly avg_time?: number
      readonly in_progress?: number
    }>
    readonly threads: number
  }
  readonly load_factor?: number
  readonly load_factor_fee_escalation?: number
  readonly load_factor_fee_queue?: number
  readonly load_factor_server?: number
  readonly network_id?: number
  readonly network_ledger?: string
  readonly node_size?: string
  readonly peer_disconnects?: string
  readonly peer_disconnects_resources?: string
  readonly peers?: number
  readonly ports?: ReadonlyArray<{ readonly port: string; readonly protocol: ReadonlyArray<string> }>
  readonly pubkey_node?: string
  readonly pubkey_validator?: string
  readonly published_ledger?: string | number
  readonly server_state?:
    | "disconnected"
    | "connected"
    | "syncing"
    | "tracking"
    | "full"
    | "validating"
    | "proposing"
    | (string & {})
  readonly server_state_duration_us?: string
  readonly state_accounting?: Readonly<
    Record<string, { readonly duration_us: string; readonly transitions: string | number }>
  >
  readonly time?: string
  readonly uptime?: number
  readonly validation_quorum?: number
}

/**
 * A ledger in the state of a server, for people: amounts are in XRP, `age` in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerInfoLedger {
  readonly age: number
  readonly base_fee_xrp: number
  readonly hash: Hex
  readonly reserve_base_xrp: number
  readonly reserve_inc_xrp: number
  readonly seq: number
}

/**
 * The state of a server, for people: amounts are in XRP, load relative to none. `complete_ledgers` are ranges.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerInfo extends Answer {
  readonly info: ServerStatus & {
    readonly hostid?: string
    readonly last_close?: { readonly converge_time_s: number; readonly proposers: number }
    readonly load_factor_cluster?: number
    readonly load_factor_local?: number
    readonly load_factor_net?: number
    readonly closed_ledger?: ServerInfoLedger
    readonly validated_ledger?: ServerInfoLedger
    readonly validator_list_expires?: string
    readonly validator_list?: {
      readonly count: number
      readonly expiration: string
      readonly status: "active" | "expired" | "unknown"
    }
  }
}

/**
 * A ledger in the state of a server, for programs: amounts are in drops, `close_time` in seconds since 2000.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerStateLedger {
  readonly age?: number
  readonly base_fee: number
  readonly close_time: number
  readonly hash: Hex
  readonly reserve_base: number
  readonly reserve_inc: number
  readonly seq: number
}

/**
 * The state of a server, for programs: amounts are in drops, load in units of `load_base`.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerState extends Answer {
  readonly state: ServerStatus & {
    readonly last_close?: { readonly converge_time: number; readonly proposers: number }
    readonly load_base?: number
    readonly load_factor_fee_reference?: number
    readonly closed_ledger?: ServerStateLedger
    readonly validated_ledger?: ServerStateLedger
    readonly validator_list_expires?: number
  }
}

/**
 * The names and numbers of the ledger's binary format. With the hash that the caller has already there is nothing but it;
 * newer servers tell flags and formats too.
 *
 * @since 0.1.0
 * @category types
 */
export interface Definitions extends Answer {
  readonly hash?: Hex
  readonly FIELDS?: ReadonlyArray<
    readonly [
      name: string,
      field: {
        readonly isSerialized: boolean
        readonly isSigningField: boolean
        readonly isVLEncoded: boolean
        readonly nth: number
        readonly type: string
      }
    ]
  >
  readonly TYPES?: Readonly<Record<string, number>>
  readonly LEDGER_ENTRY_TYPES?: Readonly<Record<string, number>>
  readonly LEDGER_ENTRY_FLAGS?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly LEDGER_ENTRY_FORMATS?: Readonly<Record<string, ReadonlyArray<FormatField>>>
  readonly TRANSACTION_RESULTS?: Readonly<Record<string, number>>
  readonly TRANSACTION_TYPES?: Readonly<Record<string, number>>
  readonly TRANSACTION_FLAGS?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly TRANSACTION_FORMATS?: Readonly<Record<string, ReadonlyArray<FormatField>>>
  readonly ACCOUNT_SET_FLAGS?: Readonly<Record<string, number>>
}

/**
 * A field of the format of a transaction or ledger entry. `optionality` is 0 if it must be there, 1 if it may be, 2 if it has a
 * default.
 *
 * @since 0.1.0
 * @category types
 */
export interface FormatField {
  readonly name: string
  readonly optionality: number
}

/**
 * A signed transaction: as JSON, and as the hex that is submitted.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signed extends Answer {
  readonly tx_blob: Hex
  readonly tx_json: Transaction
  /** In version 2 of the API; in `tx_json` before. */
  readonly hash?: Hex
}

/**
 * The preliminary outcome of a submitted transaction; only a validated ledger is final. `engine_result` is tesSUCCESS, or ter…
 * (it waits), or tec… (it costs its fee, and does nothing else).
 *
 * @since 0.1.0
 * @category types
 */
export interface Submitted extends Signed {
  readonly engine_result: string
  readonly engine_result_code: number
  readonly engine_result_message: string
  readonly accepted?: boolean
  readonly applied?: boolean
  readonly broadcast?: boolean
  readonly kept?: boolean
  readonly queued?: boolean
  readonly account_sequence_available?: number
  readonly account_sequence_next?: number
  readonly open_ledger_cost?: string
  readonly validated_ledger_index?: number
}

/**
 * The effects that a transaction would have: `engine_result` has every outcome, refusals too.
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulated extends Answer {
  readonly applied: boolean
  readonly engine_result: string
  readonly engine_result_code: number
  readonly engine_result_message: string
  readonly ledger_index?: number
  readonly meta?: Metadata
  readonly meta_blob?: Hex
  readonly tx_json?: Transaction
  readonly tx_blob?: Hex
}

/**
 * A transaction out of one ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionEntry extends FromLedger {
  readonly metadata?: Metadata
  readonly meta?: Metadata
  readonly tx_json: PlacedTransaction
}

/**
 * A transaction with its effects. `date` is in seconds since 2000. With `binary` it is hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionResult extends Fields {
  readonly status?: Answer["status"]
  readonly warnings?: Answer["warnings"]
  readonly hash: Hex
  readonly ctid?: Hex
  readonly ledger_index?: number
  readonly ledger_hash?: Hex
  readonly date?: number
  readonly meta?: Metadata | Hex
  readonly meta_blob?: Hex
  readonly tx?: Hex
  readonly tx_blob?: Hex
  readonly tx_json?: PlacedTransaction
  readonly TransactionType?: TransactionType
  readonly inLedger?: number
  readonly close_time_iso?: string
  readonly validated?: boolean
}

/**
 * A vault, its entry and its shares.
 *
 * @since 0.1.0
 * @category types
 */
export interface VaultInfo extends FromLedger {
  readonly vault: LedgerEntry & { readonly shares: LedgerEntry & { readonly mpt_issuance_id?: Hex } }
}
