/**
 * The endpoints of Stellar's Horizon, and how it reports errors.
 *
 * @since 0.1.0
 */
import { base64, hex } from "../../data/bytes.js"
import { type Failure, type Fault, get, group, post, type Refusal } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { joinWithCommas } from "../internal/joinWithCommas.js"
import type {
  Account,
  AccountData,
  Address,
  AssetName,
  AssetStat,
  AssetType,
  AsyncSubmission,
  ClaimableBalance,
  Effect,
  FeeStats,
  Health,
  Ledger,
  LiquidityPool,
  Offer,
  Operation,
  OrderBook,
  Page,
  Paging,
  PaymentPaths,
  Root,
  StrictReceive,
  StrictSend,
  Trade,
  TradeAggregation,
  Transaction,
  Xdr
} from "./Types.js"

/** Failed transactions too. */
interface Failed {
  readonly includeFailed?: boolean
}

/** Operations with their transactions. */
interface Joined {
  readonly join?: "transactions" | ReadonlyArray<"transactions">
}

interface Selling {
  readonly sellingAssetType?: AssetType
  readonly sellingAssetCode?: string
  readonly sellingAssetIssuer?: Address
}

interface Buying {
  readonly buyingAssetType?: AssetType
  readonly buyingAssetCode?: string
  readonly buyingAssetIssuer?: Address
}

interface Base {
  readonly baseAssetType?: AssetType
  readonly baseAssetCode?: string
  readonly baseAssetIssuer?: Address
}

interface Counter {
  readonly counterAssetType?: AssetType
  readonly counterAssetCode?: string
  readonly counterAssetIssuer?: Address
}

/** Result codes of a transaction that was refused, and of its operations: `tx_failed`, `op_underfunded`. */
const readResultCodes = (problem: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const codes = isRecord(problem.extras) ? problem.extras.result_codes : undefined
  return isRecord(codes)
    ? [codes.transaction, codes.inner_transaction, codes.operations]
        .flat()
        .filter((code) => typeof code === "string")
    : []
}

/** The words of a problem document (RFC 7807). */
const readProblem = (
  answer: unknown
): { readonly kind: string; readonly messages: ReadonlyArray<string> } | undefined => {
  if (!isRecord(answer) || typeof answer.title !== "string" || !("status" in answer)) return undefined
  const { detail, title, type } = answer
  // others have documents of this kind, too, and mostly no type
  if (!String(type).includes("horizon-errors/")) return undefined
  const text = typeof detail === "string" && detail !== "" ? `${title}: ${detail}` : title
  return { kind: String(type).replace(/^.*\//, ""), messages: [text, ...readResultCodes(answer)] }
}

/** A node that lags, is full or has forgotten that part of history says nothing about the request. */
const faultOf = (kind: string, status: number): Fault =>
  kind === "before_history" || status === 410
    ? "elsewhere"
    : status >= 500 || status === 408 || status === 429
      ? "node"
      : "caller"

const failure = (answer: unknown, status: number): Failure | undefined => {
  if (status === 401 || status === 402 || status === 403) return undefined
  const problem = readProblem(answer)
  if (problem !== undefined) return { messages: problem.messages, fault: faultOf(problem.kind, status) }
  const refused = refusal(answer)
  return refused === undefined
    ? undefined
    : { messages: [refused.message], fault: classify({ code: status, message: refused.message }) }
}

/** A problem document, or a submission that the node did not take, whatever the status it comes with. */
const refusal = (answer: unknown): Refusal | undefined => {
  if (!isRecord(answer)) return undefined
  const { error_result_xdr: xdr, hash, status, tx_status: verdict } = answer
  if (typeof verdict === "string" && verdict !== "PENDING") {
    const result = typeof xdr === "string" ? `, result ${xdr}` : ""
    return { message: `${verdict}: transaction ${String(hash)}${result}` }
  }
  const problem = readProblem(answer)
  return problem === undefined ? undefined : { message: problem.messages.join("; "), code: Number(status) }
}

/** Only a node that asks for patience speaks of itself. */
const classify = ({ code, message }: { readonly code: number; readonly message: string }): Fault =>
  message.startsWith("TRY_AGAIN_LATER") ? "node" : faultOf("", code)

/**
 * The endpoints of Horizon.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  { query: "snake", body: "snake", integers: numberIntegers, failure, refusal, classify },
  {
    /** Versions of Horizon and Stellar Core, their chain, and how far they are with it. */
    getRoot: get("/").returns<Root>(),
    /** Whether Horizon's database and Stellar Core are up and in step. */
    getHealth: get("/health").returns<Health>(),
    /** Accounts by signer, asset, sponsor or liquidity pool: Horizon wants one of them. */
    getAccounts: get("/accounts")
      .query<
        Paging & {
          readonly sponsor?: Address
          readonly asset?: AssetName
          readonly signer?: string
          readonly liquidityPool?: string
        }
      >()
      .returns<Page<Account>>(),
    /** Account with its balances, signers and data entries. */
    getAccount: get("/accounts/{accountId}")
      .echoes({ account_id: "accountId" })
      .returns<Account>()
      .lists("balances", "signers"),
    /** Data entry of an account, base64. */
    getAccountData: get("/accounts/{accountId}/data/{key}").returns<AccountData>(),
    /** Effects on an account. */
    getAccountEffects: get("/accounts/{accountId}/effects").query<Paging>().returns<Page<Effect>>(),
    /** Open offers of an account. */
    getAccountOffers: get("/accounts/{accountId}/offers").query<Paging>().returns<Page<Offer>>(),
    /** Operations that an account took part in. */
    getAccountOperations: get("/accounts/{accountId}/operations")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Payments that an account made or got. */
    getAccountPayments: get("/accounts/{accountId}/payments")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Trades of an account. */
    getAccountTrades: get("/accounts/{accountId}/trades").query<Paging>().returns<Page<Trade>>(),
    /** Transactions that an account took part in. */
    getAccountTransactions: get("/accounts/{accountId}/transactions")
      .query<Paging & Failed>()
      .returns<Page<Transaction>>(),
    /** Assets, all or by code and issuer. */
    getAssets: get("/assets")
      .query<Paging & { readonly assetCode?: string; readonly assetIssuer?: Address }>()
      .returns<Page<AssetStat>>(),
    /** Balances that wait to be claimed, all or by sponsor, asset or claimant. */
    getClaimableBalances: get("/claimable_balances")
      .query<
        Paging & { readonly sponsor?: Address; readonly asset?: AssetName; readonly claimant?: Address }
      >()
      .returns<Page<ClaimableBalance>>(),
    /** Balance that waits to be claimed. */
    getClaimableBalance: get("/claimable_balances/{claimableBalanceId}")
      .returns<ClaimableBalance>()
      .lists("claimants"),
    /** Operations on a claimable balance. */
    getClaimableOperations: get("/claimable_balances/{claimableBalanceId}/operations")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Transactions that touched a claimable balance. */
    getClaimableTransactions: get("/claimable_balances/{claimableBalanceId}/transactions")
      .query<Paging & Failed>()
      .returns<Page<Transaction>>(),
    /** Effects of all operations. */
    getEffects: get("/effects").query<Paging>().returns<Page<Effect>>(),
    /** Fees of the last five ledgers, in stroops per operation. */
    getFeeStats: get("/fee_stats").returns<FeeStats>(),
    /** Ledgers. */
    getLedgers: get("/ledgers").query<Paging>().returns<Page<Ledger>>(),
    /** Ledger by its sequence number. */
    getLedger: get("/ledgers/{sequence}").echoes({ sequence: "sequence" }).returns<Ledger>(),
    /** Effects of a ledger. */
    getLedgerEffects: get("/ledgers/{sequence}/effects").query<Paging>().returns<Page<Effect>>(),
    /** Operations of a ledger. */
    getLedgerOperations: get("/ledgers/{sequence}/operations")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Payments of a ledger. */
    getLedgerPayments: get("/ledgers/{sequence}/payments")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Transactions of a ledger. */
    getLedgerTransactions: get("/ledgers/{sequence}/transactions")
      .query<Paging & Failed>()
      .returns<Page<Transaction>>(),
    /**
     * Liquidity pools, all or by the assets in their reserves or by an account that has shares. `reserves` is Horizon's
     * name of the filter; `reserve`, that of older SDKs, is sent as it is and filters nothing.
     */
    getLiquidityPools: get("/liquidity_pools")
      .query<
        Paging & {
          readonly reserves?: AssetName | ReadonlyArray<AssetName>
          readonly account?: Address
          readonly reserve?: AssetName
        }
      >()
      .returns<Page<LiquidityPool>>()
      .prepare(joinWithCommas),
    /** Liquidity pool by its id. */
    getLiquidityPool: get("/liquidity_pools/{liquidityPoolId}").returns<LiquidityPool>().lists("reserves"),
    /** Effects on a liquidity pool. */
    getLiquidityPoolEffects: get("/liquidity_pools/{liquidityPoolId}/effects")
      .query<Paging>()
      .returns<Page<Effect>>(),
    /** Operations on a liquidity pool. */
    getLiquidityPoolOperations: get("/liquidity_pools/{liquidityPoolId}/operations")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Trades with a liquidity pool. */
    getLiquidityPoolTrades: get("/liquidity_pools/{liquidityPoolId}/trades")
      .query<Paging>()
      .returns<Page<Trade>>(),
    /** Transactions that touched a liquidity pool. */
    getLiquidityPoolTransactions: get("/liquidity_pools/{liquidityPoolId}/transactions")
      .query<Paging & Failed>()
      .returns<Page<Transaction>>(),
    /** Open offers, all or by sponsor, seller or assets. */
    getOffers: get("/offers")
      .query<Paging & Selling & Buying & { readonly sponsor?: Address; readonly seller?: Address }>()
      .returns<Page<Offer>>(),
    /** Open offer by its id. */
    getOffer: get("/offers/{offerId}").echoes({ id: "offerId" }).returns<Offer>(),
    /** Trades that an offer led to. */
    getOfferTrades: get("/offers/{offerId}/trades").query<Paging>().returns<Page<Trade>>(),
    /** Operations. */
    getOperations: get("/operations")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Operation by its id. */
    getOperation: get("/operations/{id}")
      .echoes({ id: "id" })
      .query<Joined>()
      .returns<Operation>()
      .prepare(joinWithCommas),
    /** Effects of an operation. */
    getOperationEffects: get("/operations/{id}/effects").query<Paging>().returns<Page<Effect>>(),
    /** Bids and asks between two assets. */
    getOrderBook: get("/order_book")
      .query<Selling & Buying & { readonly sellingAssetType: AssetType; readonly limit?: number }>()
      .returns<OrderBook>()
      .lists("bids", "asks"),
    /** Payments: operations that move an asset from one account to another. */
    getPayments: get("/payments")
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Ways to make an amount of an asset arrive, from the assets of an account or those listed. */
    getStrictReceivePaymentPaths: get("/paths/strict-receive")
      .query<StrictReceive>()
      .returns<PaymentPaths>()
      .prepare(joinWithCommas),
    /** Ways to give an amount of an asset, to the assets that an account can hold or those listed. */
    getStrictSendPaymentPaths: get("/paths/strict-send")
      .query<StrictSend>()
      .returns<PaymentPaths>()
      .prepare((input) => {
        const { sourceAccount: _, sourceAssets: __, ...query } = joinWithCommas(input)
        return query
      }),
    /** Trades between two assets, summed up per span of time. Times and resolution are milliseconds. */
    getTradeAggregations: get("/trade_aggregations")
      .query<
        Base &
          Counter & {
            readonly baseAssetType: AssetType
            readonly counterAssetType: AssetType
            readonly startTime?: string | number
            readonly endTime?: string | number
            readonly resolution?: string | number
            readonly offset?: string | number
            readonly order?: "asc" | "desc"
            readonly limit?: number
          }
      >()
      .returns<Page<TradeAggregation>>(),
    /** Trades, all or by offer, assets or kind. */
    getTrades: get("/trades")
      .query<
        Paging &
          Base &
          Counter & {
            readonly offerId?: string | number | bigint
            readonly tradeType?: "all" | "orderbook" | "liquidity_pools"
          }
      >()
      .returns<Page<Trade>>(),
    /** Transactions. */
    getTransactions: get("/transactions").query<Paging & Failed>().returns<Page<Transaction>>(),
    /** Transaction by its hash. */
    getTransaction: get("/transactions/{transactionHash}")
      .bytes({ transactionHash: hex(32) })
      .echoes({ hash: "transactionHash" })
      .returns<Transaction>()
      .lists("signatures"),
    /** Effects of a transaction. */
    getTransactionEffects: get("/transactions/{transactionHash}/effects")
      .bytes({ transactionHash: hex(32) })
      .query<Paging>()
      .returns<Page<Effect>>(),
    /** Operations of a transaction. */
    getTransactionOperations: get("/transactions/{transactionHash}/operations")
      .bytes({ transactionHash: hex(32) })
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Payments of a transaction. */
    getTransactionPayments: get("/transactions/{transactionHash}/payments")
      .bytes({ transactionHash: hex(32) })
      .query<Paging & Failed & Joined>()
      .returns<Page<Operation>>()
      .prepare(joinWithCommas),
    /** Sends a signed transaction (XDR, base64), and yields it once it is in a ledger. Safe to repeat. */
    submitTransaction: post("/transactions")
      .bytes({ tx: base64() })
      .body<{ readonly tx: Xdr }>()
      .returns<Transaction>()
      .form()
      .broadcast()
      .lists("signatures"),
    /** Sends a signed transaction (XDR, base64) without waiting for its ledger. Safe to repeat. */
    submitTransactionAsync: post("/transactions_async")
      .bytes({ tx: base64() })
      .body<{ readonly tx: Xdr }>()
      .returns<AsyncSubmission>()
      .form()
      .broadcast(),
    /** Makes an account with test lumens (test networks that have a friendbot). */
    fundTestAccount: get("/friendbot")
      .query<{ readonly addr: Address }>()
      .returns<Transaction>()
      .write()
      .lists("signatures")
  }
)
