/**
 * The endpoints of the XRP Ledger, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { fieldAt } from "../../balancer/Family.js"
import { type BytesForm, byFieldName, eachOf, hex, unlessNumber, whenTextOrBytes } from "../../data/bytes.js"
import { type Dialect, type Fault, group, merge, type Refusal, rpc } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { recaseDeep } from "../../wire/casing.js"
import { standardFaultOf } from "../internal/faults.js"
import type {
  AccountChannels,
  AccountCurrencies,
  AccountInfo,
  AccountLines,
  AccountNfts,
  AccountObjects,
  AccountOffers,
  AccountTransactions,
  Address,
  AggregatePrice,
  AmmInfo,
  Amount,
  Answer,
  BookChanges,
  BookOffers,
  Currency,
  Definitions,
  DepositAuthorized,
  Features,
  Fee,
  FromLedger,
  GatewayBalances,
  Hex,
  Ledger,
  LedgerData,
  LedgerEntryQuery,
  LedgerEntryResult,
  LedgerOptions,
  Manifest,
  MptHolders,
  NftHistory,
  NftInfo,
  NftOffers,
  NftsByIssuer,
  NoRippleCheck,
  PageOptions,
  Paths,
  ServerInfo,
  ServerState,
  Signed,
  SigningOptions,
  SignOptions,
  Simulated,
  SubmitOptions,
  Submitted,
  Transaction,
  TransactionEntry,
  TransactionResult,
  VaultInfo
} from "./Types.js"

/** Refusals that speak of the server: busy, starting, cut off, or broken. */
const nodeErrors: ReadonlySet<string> = new Set([
  "amendmentBlocked",
  "dbDeserialization",
  "failedToForward",
  "internal",
  "noClosed",
  "noCurrent",
  "noNetwork",
  "notReady",
  "notSynced",
  "slowDown",
  "tooBusy"
])

/** Refusals that another server may not make: it has more of the past, or more of the methods. */
const historyErrors: ReadonlySet<string> = new Set([
  "entryNotFound",
  "lgrIdxInvalid",
  "lgrIdxMalformed",
  "lgrIdxsInvalid",
  "lgrNotFound",
  "noPermission",
  "forbidden",
  "notEnabled",
  "notImpl",
  "notSupported",
  "reportingUnsupported",
  "transactionNotFound",
  "txnNotFound",
  "unknownCmd"
])

/** Refusals that speak of the request: malformed, missing or unknown input, and forbidden transactions (tem…, tef…). */
const callerErrors =
  /^te[mf][A-Z]|^(already|bad|command|excessive|highFee|invalid|json|malformed|master|missing|noEvents|noPathRequest|notStandAlone|tooManyCert|unexpected|unknown|wrong)|(Malformed|Missing|NotFound)$/

/**
 * Whose fault an error of a server is, by the word that its message starts with.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  const [word = ""] = error.message.split(":")
  if (nodeErrors.has(word) || error.code === -32604) return "node"
  // tel…: this server does not take the transaction, for its fee, say; nothing was done
  if (historyErrors.has(word) || /^tel[A-Z]/.test(word)) return "elsewhere"
  return callerErrors.test(word) ? "caller" : standardFaultOf(error)
}

/** The word and the sentence of a refusal, as far as the server has said them. */
const joinWords = (...said: ReadonlyArray<unknown>): string =>
  said.filter((each) => typeof each === "string" && each !== "").join(": ") || "a refusal without a reason"

const toRefusal = (word: unknown, text: unknown, code: unknown): Refusal => ({
  message: joinWords(word, text),
  ...(typeof code === "number" ? { code } : {})
})

/**
 * An error inside an answer: the word of the ledger for it, and its sentence.
 *
 * @since 0.1.0
 * @category getters
 */
export const readRefusal = (answer: unknown): Refusal | undefined =>
  isRecord(answer) && (answer.status === "error" || typeof answer.error === "string")
    ? toRefusal(answer.error, answer.error_message ?? answer.error_exception, answer.error_code)
    : undefined

/** The same, and a transaction that is in no ledger and will be in none: malformed, impossible, or not taken here. */
const readRejection = (answer: unknown): Refusal | undefined => {
  if (!isRecord(answer)) return undefined
  const { engine_result, engine_result_code, engine_result_message } = answer
  // tefALREADY: the ledger has this very transaction
  return typeof engine_result === "string" && /^te[mfl](?!ALREADY)/.test(engine_result)
    ? toRefusal(engine_result, engine_result_message, engine_result_code)
    : readRefusal(answer)
}

/** An object in the place of bytes names the same thing by its parts. */
const text = whenTextOrBytes(hex(), () => bytesByName)

/** What has one meaning in all calls: options, entries of a ledger, and the fields of transactions. */
const bytesByName: BytesForm = byFieldName({
  AMMID: text,
  AccountTxnID: text,
  Amendment: text,
  Amendments: eachOf(text),
  AssetClass: text,
  BookDirectory: text,
  Channel: text,
  CheckID: text,
  Condition: text,
  CredentialIDs: eachOf(text),
  CredentialType: text,
  DIDDocument: text,
  Data: text,
  Digest: text,
  Domain: text,
  DomainID: text,
  EmailHash: text,
  Fulfillment: text,
  Hashes: eachOf(text),
  Indexes: eachOf(text),
  InvoiceID: text,
  LoanBrokerID: text,
  LoanID: text,
  MPTokenIssuanceID: text,
  MPTokenMetadata: text,
  MemoData: text,
  MemoFormat: text,
  MemoType: text,
  MessageKey: text,
  NFTokenBuyOffer: text,
  NFTokenID: text,
  NFTokenOffers: eachOf(text),
  NFTokenSellOffer: text,
  NextPageMin: text,
  ObjectID: text,
  ParentBatchID: text,
  PreviousPageMin: text,
  PreviousTxnID: text,
  Provider: text,
  PublicKey: text,
  RootIndex: text,
  ShareMPTID: text,
  Signature: text,
  SigningPubKey: text,
  TakerGetsCurrency: text,
  TakerGetsIssuer: text,
  TakerGetsMPT: text,
  TakerPaysCurrency: text,
  TakerPaysIssuer: text,
  TakerPaysMPT: text,
  TxnSignature: text,
  UNLModifyValidator: text,
  URI: text,
  ValidatorToDisable: text,
  ValidatorToReEnable: text,
  VaultID: text,
  WalletLocator: text,
  amendments: text,
  amm: text,
  check: text,
  credential: text,
  credentialType: text,
  credentials: eachOf(text),
  ctid: hex(8),
  delegate: text,
  depositPreauth: text,
  dirRoot: text,
  directory: text,
  domain: text,
  escrow: text,
  fee: text,
  hash: hex(32),
  hashes: text,
  index: text,
  ledgerHash: hex(32),
  mptIssuance: text,
  mptIssuanceId: text,
  mpt_issuance_id: text,
  mptoken: text,
  nftOffer: text,
  nftPage: text,
  offer: text,
  oracle: text,
  paymentChannel: text,
  permissionedDomain: text,
  seedHex: hex(16),
  signerList: text,
  ticket: text,
  type_hex: text,
  vault: text,
  vaultId: text
})

/** An account that is asked for by its key or its seed is answered by its address. */
const canonical = (text: string): string | undefined => (/^(a\w{51}|s\w{28})$/.test(text) ? undefined : text)

export const dialect: Dialect = {
  bytes: bytesByName,
  canonical,
  integers: numberIntegers,
  names: "snake",
  parameters: "wrapped",
  anonymous: true,
  // tooBusy and slowDown
  limits: [9, 10],
  classify,
  refusal: readRejection
}

const noParams = (): ReadonlyArray<unknown> => []

const withAccount = (account: Address, options?: object): object => ({ account, ...options })

/** A transaction, whose names are the ledger's, among options, whose names are ours. */
const withTransaction = (transaction: Transaction | Hex, options?: object): ReadonlyArray<unknown> => [
  recaseDeep(
    { ...(typeof transaction === "string" ? { txBlob: transaction } : { txJson: transaction }), ...options },
    "snake",
    ["txJson"]
  )
]

/**
 * The endpoints of the XRP Ledger.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(
  group(dialect, {
    /** Payment channels from an account (drops). */
    accountChannels: rpc<
      [account: Address, options?: PageOptions & { readonly destinationAccount?: Address }],
      AccountChannels
    >("account_channels")
      .echoes({ account: 0 })
      .params(withAccount)
      .lists("channels"),
    /** Currencies that an account can send and receive. */
    accountCurrencies: rpc<
      [account: Address, options?: LedgerOptions & { readonly strict?: boolean }],
      AccountCurrencies
    >("account_currencies")
      .params(withAccount)
      .lists("receive_currencies", "send_currencies"),
    /** Account with its balance (drops) and settings. */
    accountInfo: rpc<
      [
        account: Address,
        options?: LedgerOptions & {
          readonly queue?: boolean
          readonly signerLists?: boolean
          readonly strict?: boolean
        }
      ],
      AccountInfo
    >("account_info")
      .echoes({ "account_data.Account": 0 })
      .params(withAccount),
    /** Trust lines of an account. */
    accountLines: rpc<
      [
        account: Address,
        options?: PageOptions & { readonly peer?: Address; readonly ignoreDefault?: boolean }
      ],
      AccountLines
    >("account_lines")
      .echoes({ account: 0 })
      .params(withAccount)
      .lists("lines"),
    /** Unique tokens of an account. */
    accountNfts: rpc<[account: Address, options?: PageOptions], AccountNfts>("account_nfts")
      .echoes({ account: 0 })
      .params(withAccount)
      .lists("account_nfts"),
    /** Ledger entries that an account owns, all or of a type. */
    accountObjects: rpc<
      [
        account: Address,
        options?: PageOptions & { readonly type?: string; readonly deletionBlockersOnly?: boolean }
      ],
      AccountObjects
    >("account_objects")
      .echoes({ account: 0 })
      .params(withAccount)
      .lists("account_objects"),
    /** Offers of an account. */
    accountOffers: rpc<
      [account: Address, options?: PageOptions & { readonly strict?: boolean }],
      AccountOffers
    >("account_offers")
      .echoes({ account: 0 })
      .params(withAccount),
    /** Transactions of an account, newest first, within the ledgers that the server has. */
    accountTx: rpc<
      [
        account: Address,
        options?: PageOptions & {
          readonly ledgerIndexMin?: number
          readonly ledgerIndexMax?: number
          readonly binary?: boolean
          readonly forward?: boolean
          readonly txType?: string
        }
      ],
      AccountTransactions
    >("account_tx")
      .echoes({ account: 0 })
      .params(withAccount)
      .lists("transactions"),
    /** Automated market maker, by its two assets or its account. */
    ammInfo: rpc<
      [
        query: LedgerOptions & {
          readonly asset?: Currency
          readonly asset2?: Currency
          readonly ammAccount?: Address
          readonly account?: Address
        }
      ],
      AmmInfo
    >("amm_info"),
    /** How the order books moved in a ledger. */
    bookChanges: rpc<[options?: LedgerOptions], BookChanges>("book_changes").lists("changes"),
    /** Offers that give one currency for another, best first. */
    bookOffers: rpc<
      [
        takerGets: Currency,
        takerPays: Currency,
        options?: PageOptions & { readonly taker?: Address; readonly domain?: Hex }
      ],
      BookOffers
    >("book_offers")
      .params((takerGets, takerPays, options) => ({ takerGets, takerPays, ...options }))
      .lists("offers"),
    /** Has the server sign a claim (drops) on a payment channel: the secret goes to the server. */
    channelAuthorize: rpc<
      [amount: string, channelId: Hex, options?: SigningOptions],
      Answer & { readonly signature: Hex }
    >("channel_authorize")
      .bytes({ 1: hex(32) })
      .params((amount, channelId, options) => ({ amount, channelId, ...options })),
    /** Whether the signature of a claim (drops) on a payment channel is right. */
    channelVerify: rpc<
      [amount: string, channelId: Hex, publicKey: string, signature: Hex],
      Answer & { readonly signature_verified: boolean }
    >("channel_verify")
      .bytes({ 1: hex(32), 3: hex() })
      .params((amount, channelId, publicKey, signature) => ({
        amount,
        channelId,
        publicKey,
        signature
      })),
    /** Whether an account may pay another one directly. */
    depositAuthorized: rpc<
      [
        sourceAccount: Address,
        destinationAccount: Address,
        options?: LedgerOptions & { readonly credentials?: ReadonlyArray<Hex> }
      ],
      DepositAuthorized
    >("deposit_authorized")
      .echoes({ source_account: 0, destination_account: 1 })
      .params((sourceAccount, destinationAccount, options) => ({
        sourceAccount,
        destinationAccount,
        ...options
      })),
    /** Amendments of the protocol, all or one (by id or name). */
    feature: rpc<[feature?: string], Features>("feature").params((feature) =>
      feature === undefined ? [] : { feature }
    ),
    /** What a transaction costs now (drops). */
    fee: rpc<[], Fee>("fee").params(noParams),
    /** What an issuer owes, and what its operational accounts hold. */
    gatewayBalances: rpc<
      [
        account: Address,
        options?: LedgerOptions & {
          readonly strict?: boolean
          readonly hotwallet?: Address | ReadonlyArray<Address>
        }
      ],
      GatewayBalances
    >("gateway_balances")
      .echoes({ account: 0 })
      .params(withAccount),
    /** Price of an asset by several oracles. */
    getAggregatePrice: rpc<
      [
        query: LedgerOptions & {
          readonly baseAsset: string
          readonly quoteAsset: string
          readonly oracles: ReadonlyArray<{
            readonly account: Address
            readonly oracleDocumentId: number | string
          }>
          readonly trim?: number
          readonly timeThreshold?: number
        }
      ],
      AggregatePrice
    >("get_aggregate_price"),
    /** Ledger: its header, and more by the options. */
    ledger: rpc<
      [
        options?: LedgerOptions & {
          readonly accounts?: boolean
          readonly binary?: boolean
          readonly expand?: boolean
          readonly full?: boolean
          readonly ownerFunds?: boolean
          readonly queue?: boolean
          readonly transactions?: boolean
          readonly type?: string
        }
      ],
      Ledger
    >("ledger").echoes({ ledger_hash: "ledgerHash", ledger_index: "ledgerIndex" }),
    /** Newest closed ledger. */
    ledgerClosed: rpc<[], Answer & { readonly ledger_hash: Hex; readonly ledger_index: number }>(
      "ledger_closed"
    ).params(noParams),
    /** Index of the open ledger. */
    ledgerCurrent: rpc<[], Answer & { readonly ledger_current_index: number }>("ledger_current").params(
      noParams
    ),
    /** Entries of a ledger, all or of a type. */
    ledgerData: rpc<
      [options?: PageOptions & { readonly binary?: boolean; readonly type?: string }],
      LedgerData
    >("ledger_data")
      .echoes({ ledger_hash: "ledgerHash", ledger_index: "ledgerIndex" })
      .lists("state"),
    /** Entry of a ledger. */
    ledgerEntry: rpc<[query?: LedgerEntryQuery], LedgerEntryResult>("ledger_entry").params((query) => [
      recaseDeep(query ?? {}, "snake", ["bridge"])
    ]),
    /** Newest ledger before a time (ISO 8601), or the newest of all (Clio). */
    ledgerIndex: rpc<
      [date?: string],
      FromLedger & { readonly ledger_index: number; readonly ledger_hash: Hex; readonly closed: string }
    >("ledger_index").params((date) => (date === undefined ? [] : { date })),
    /** Keys of a validator. */
    manifest: rpc<[publicKey: string], Manifest>("manifest")
      .echoes({ requested: 0 })
      .params((publicKey) => ({ publicKey })),
    /** Holders of a multi-purpose token (Clio). */
    mptHolders: rpc<[mptIssuanceId: Hex, options?: PageOptions], MptHolders>("mpt_holders")
      .echoes({ mpt_issuance_id: 0 })
      .bytes({ 0: hex(24) })
      .params((mptIssuanceId, options) => ({ mptIssuanceId, ...options }))
      .lists("mptokens"),
    /** Offers to buy a unique token. */
    nftBuyOffers: rpc<[nftId: Hex, options?: PageOptions], NftOffers>("nft_buy_offers")
      .echoes({ nft_id: 0 })
      .bytes({ 0: hex(32) })
      .params((nftId, options) => ({ nftId, ...options }))
      .lists("offers"),
    /** Offers to sell a unique token. */
    nftSellOffers: rpc<[nftId: Hex, options?: PageOptions], NftOffers>("nft_sell_offers")
      .echoes({ nft_id: 0 })
      .bytes({ 0: hex(32) })
      .params((nftId, options) => ({ nftId, ...options }))
      .lists("offers"),
    /** Transactions of a unique token (Clio). */
    nftHistory: rpc<
      [
        nftId: Hex,
        options?: PageOptions & {
          readonly ledgerIndexMin?: number
          readonly ledgerIndexMax?: number
          readonly binary?: boolean
          readonly forward?: boolean
        }
      ],
      NftHistory
    >("nft_history")
      .echoes({ nft_id: 0 })
      .bytes({ 0: hex(32) })
      .params((nftId, options) => ({ nftId, ...options }))
      .lists("transactions"),
    /** Unique token (Clio). */
    nftInfo: rpc<[nftId: Hex, options?: LedgerOptions], NftInfo>("nft_info")
      .echoes({ nft_id: 0 })
      .bytes({ 0: hex(32) })
      .params((nftId, options) => ({
        nftId,
        ...options
      })),
    /** Unique tokens of an issuer, all or of a taxon (Clio). */
    nftsByIssuer: rpc<
      [issuer: Address, options?: PageOptions & { readonly nftTaxon?: number }],
      NftsByIssuer
    >("nfts_by_issuer")
      .echoes({ issuer: 0 })
      .params((issuer, options) => ({ issuer, ...options }))
      .lists("nfts"),
    /** What is wrong with the rippling of an account, and transactions that would mend it. */
    norippleCheck: rpc<
      [
        account: Address,
        role: "gateway" | "user",
        options?: LedgerOptions & { readonly transactions?: boolean; readonly limit?: number }
      ],
      NoRippleCheck
    >("noripple_check")
      .params((account, role, options) => ({ account, role, ...options }))
      .lists("problems"),
    /** Succeeds if the server is up. */
    ping: rpc<[], Answer & { readonly role?: string; readonly unlimited?: boolean }>("ping").params(noParams),
    /** Random number (256 bits, hex) of the server's. */
    random: rpc<[], Answer & { readonly random: Hex }>("random").params(noParams),
    /** Ways of a payment, with what each costs the source. */
    ripplePathFind: rpc<
      [
        sourceAccount: Address,
        destinationAccount: Address,
        destinationAmount: Amount,
        options?: LedgerOptions & {
          readonly sendMax?: Amount
          readonly sourceCurrencies?: ReadonlyArray<Currency>
          readonly domain?: Hex
        }
      ],
      Paths
    >("ripple_path_find")
      .echoes({ source_account: 0, destination_account: 1 })
      .params((sourceAccount, destinationAccount, destinationAmount, options) => ({
        sourceAccount,
        destinationAccount,
        destinationAmount,
        ...options
      }))
      .lists("destination_currencies", "alternatives"),
    /** Names and numbers of the ledger's binary format; nothing new if its hash is the one given. */
    serverDefinitions: rpc<[hash?: Hex], Definitions>("server_definitions")
      .bytes({ 0: hex(32) })
      .params((hash) => (hash === undefined ? [] : { hash })),
    /** State of the server, for people. */
    serverInfo: rpc<[], ServerInfo>("server_info").params(noParams),
    /** State of the server, for programs. */
    serverState: rpc<[], ServerState>("server_state").params(noParams),
    /** Has the server sign a transaction: the secret goes to the server, and public ones refuse. */
    sign: rpc<[transaction: Transaction, options?: SignOptions], Signed>("sign").params(withTransaction),
    /** Has the server add one of several signatures: the secret goes to the server, and public ones refuse. */
    signFor: rpc<[account: Address, transaction: Transaction, options?: SigningOptions], Signed>(
      "sign_for"
    ).params((account, transaction, options) => withTransaction(transaction, { account, ...options })),
    /**
     * Sends a signed transaction (hex), which is safe to repeat; or has the server sign one and send it, which is never
     * done twice. A refusal (tem…, tef…, tel…) is an error; what the answer says is final only in a validated ledger.
     */
    submit: rpc<[transaction: Hex | Transaction, options?: SubmitOptions], Submitted>("submit")
      .bytes({ 0: unlessNumber(hex()) })
      .params(withTransaction)
      .write()
      .signed((params) => typeof fieldAt(0, "tx_blob")(params) === "string"),
    /** Sends a transaction with several signatures. Safe to repeat. */
    submitMultisigned: rpc<[transaction: Transaction, options?: { readonly failHard?: boolean }], Submitted>(
      "submit_multisigned"
    )
      .params(withTransaction)
      .broadcast(),
    /** Transaction out of one ledger. */
    transactionEntry: rpc<[txHash: Hex, options?: LedgerOptions], TransactionEntry>("transaction_entry")
      .bytes({ 0: hex(32) })
      .echoes({ "tx_json.hash": 0 })
      .params((txHash, options) => ({ txHash, ...options })),
    /** Transaction by hash, or by `ctid` among the options, with what it did. */
    tx: rpc<
      [
        transaction: Hex | undefined,
        options?: {
          readonly ctid?: Hex
          readonly binary?: boolean
          readonly minLedger?: number
          readonly maxLedger?: number
        }
      ],
      TransactionResult
    >("tx")
      .bytes({ 0: hex(32) })
      .echoes({ hash: 0 })
      .params((transaction, options) => ({ transaction, ...options })),
    /** Twenty transactions of the whole network from a number on, newest first. Servers of today refuse. */
    txHistory: rpc<
      [start: number],
      Answer & { readonly index: number; readonly txs: ReadonlyArray<Transaction> }
    >("tx_history")
      .params((start) => ({ start }))
      .lists("txs"),
    /** Vault, by its id or its owner. */
    vaultInfo: rpc<
      [
        query: LedgerOptions & {
          readonly vaultId?: Hex
          readonly owner?: Address
          readonly seq?: number
        }
      ],
      VaultInfo
    >("vault_info"),
    /** Versions of the API that the server speaks. */
    version: rpc<
      [],
      Answer & { readonly version: { readonly first: string; readonly good: string; readonly last: string } }
    >("version").params(noParams)
  }),
  group(
    { ...dialect, refusal: readRefusal },
    {
      /** What a transaction (unsigned) would do: every outcome is an answer here. */
      simulate: rpc<[transaction: Transaction | Hex, options?: { readonly binary?: boolean }], Simulated>(
        "simulate"
      )
        .bytes({ 0: whenTextOrBytes(hex()) })
        .params(withTransaction)
    }
  )
)
