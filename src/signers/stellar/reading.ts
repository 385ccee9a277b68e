/** What a payment on Stellar needs of Horizon: accounts, the newest ledger, fees, and what became of a payment. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeOutcomeCheck, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { TransactionDropped } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { CallOptions } from "../../wire/Transport.js"
import { makeMalformedError, maxOf, parseWhole, requireWhole, withAgreement } from "../evidence.js"
import type { ReadError, SubmitError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import { DECIMALS, type Token } from "./assets.js"
import type { CompleteTransaction } from "./base.js"
import type { StellarBalance, StellarCalls } from "./Types.js"

/** What an account has of an asset, in stroops. Its own offers reserve a part of it. */
export interface Holding {
  readonly balance: bigint
  readonly bound: bigint
  /** How much more it takes. */
  readonly room: bigint
  readonly isAuthorized: boolean
}

/** An account, in stroops. */
export interface AccountState {
  readonly sequence: bigint
  /** The entries that it keeps a reserve for. */
  readonly entries: bigint
  readonly wantsMemo: boolean
  /** What its own key weighs, and what the signatures of a payment have to weigh. */
  readonly weight: number
  readonly threshold: number
  /** What the signatures of a transaction that only pays a fee have to weigh. */
  readonly lowThreshold: number
  readonly holds: (token?: Token) => Holding | undefined
}

const parseStroops = (amount: string | undefined): bigint =>
  Option.getOrElse(Units.parse(amount ?? "0", DECIMALS), () => 0n)

const toHolding = (found: StellarBalance): Holding => {
  const balance = parseStroops(found.balance)
  return {
    balance,
    bound: parseStroops(found.selling_liabilities),
    room: parseStroops(found.limit) - balance - parseStroops(found.buying_liabilities),
    isAuthorized: found.is_authorized !== false
  }
}

const isBalanceOf = ({ asset_code, asset_issuer, asset_type }: StellarBalance, token?: Token): boolean =>
  token === undefined ? asset_type === "native" : asset_code === token.code && asset_issuer === token.issuer

/** Whether Horizon answers that there is no such thing. */
const undefinedIfMissing = <A, E extends ReadError>(
  found: Effect.Effect<A, E>
): Effect.Effect<A | undefined, E> =>
  Effect.catchIf(
    found,
    (error) => error._tag === "RequestRejected" && error.status === 404,
    () => Effect.succeed(undefined)
  )

type Thresholds = Effect.Effect.Success<ReturnType<StellarCalls["getAccount"]>>["thresholds"]

/** What the signatures of a payment weigh at least: the thresholds of the transaction and of the payment. A key of weight 0 cannot sign. */
export const thresholdOf = ({ thresholds }: { readonly thresholds: Thresholds }): number =>
  Math.max(1, thresholds.low_threshold, thresholds.med_threshold)

/** Reads an account; undefined if there is none. */
export const readAccount = (
  rpc: Pick<StellarCalls, "getAccount">,
  accountId: string
): Effect.Effect<AccountState | undefined, ReadError> =>
  undefinedIfMissing(
    Effect.map(rpc.getAccount({ accountId }), (account) => ({
      sequence: BigInt(account.sequence),
      entries: 2n + BigInt(account.subentry_count + account.num_sponsoring - account.num_sponsored),
      // "1" in Base64, to SEP-29
      wantsMemo: account.data["config.memo_required"] === "MQ==",
      weight: account.signers.find(({ key }) => key === accountId)?.weight ?? 0,
      threshold: thresholdOf(account),
      lowThreshold: Math.max(1, account.thresholds.low_threshold),
      holds: (token?: Token) => {
        const found = account.balances.find((balance) => isBalanceOf(balance, token))
        return found === undefined ? undefined : toHolding(found)
      }
    }))
  )

/** The newest ledger: its number, its time in seconds since 1970, and what accounts keep for each entry in stroops. */
export interface LatestLedger {
  readonly sequence: number
  readonly time: number
  readonly reserve: bigint
}

type Ledgers = Effect.Effect.Success<ReturnType<StellarCalls["getLedgers"]>>

/** The time of the newest ledger, in seconds since 1970. */
const closeTimeOf = ({ _embedded: { records } }: Ledgers): number =>
  Date.parse(String(records[0]?.closed_at)) / 1_000

/** How many seconds the newest ledgers of two honest nodes may differ. */
const MAX_TIME_DIFFERENCE = 600

/**
 * Reads the close time of the newest ledger. Payments expire some seconds after it, so two nodes have to report about the same time if
 * there are two.
 */
export const readLatestLedger = (
  rpc: Pick<StellarCalls, "getLedgers">
): Effect.Effect<LatestLedger, ReadError> =>
  Effect.flatMap(
    withAgreement(
      rpc.getLedgers({ order: "desc", limit: 1 }),
      (one, other) => Math.abs(closeTimeOf(one) - closeTimeOf(other)) <= MAX_TIME_DIFFERENCE
    ),
    (ledgers): Effect.Effect<LatestLedger, ReadError> => {
      const [newest] = ledgers._embedded.records
      const time = closeTimeOf(ledgers)
      if (newest === undefined || !Number.isFinite(time))
        return Effect.fail(invalidArgument("getLedgers", "Horizon has no ledger yet"))
      const reserve = parseWhole(newest.base_reserve_in_stroops)
      return reserve === undefined
        ? Effect.fail(makeMalformedError("getLedgers", "the reserve of the newest ledger is no amount"))
        : Effect.succeed({ sequence: newest.sequence, time: Math.floor(time), reserve })
    }
  )

/** What almost all of the last payments got in for, in stroops. The ledger takes no more of it than it needs. */
export const readFee = (rpc: StellarCalls): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.getFeeStats(), ({ fee_charged, last_ledger_base_fee }) =>
    Effect.map(
      Effect.all([
        requireWhole("getFeeStats", "last_ledger_base_fee", last_ledger_base_fee),
        requireWhole("getFeeStats", "fee_charged.p95", fee_charged?.p95)
      ]),
      ([base, high]) => maxOf(base, high)
    )
  )

/** Reads a payment that is in a ledger, where it may have failed. */
export const findTransaction = (rpc: StellarCalls, transactionHash: string) =>
  undefinedIfMissing(rpc.getTransaction({ transactionHash }))

/** The newest transactions of an account that are looked through for one with a number. */
const RECENT_LIMIT = 50

/** The hash of the transaction that a ledger has with a number of an account, also of one that has failed there. */
export const findHashBySequence = (
  rpc: StellarCalls,
  accountId: string,
  sequence: bigint
): Effect.Effect<string | undefined, ReadError> =>
  Effect.map(
    undefinedIfMissing(
      rpc.getAccountTransactions({ accountId, order: "desc", limit: RECENT_LIMIT, includeFailed: true })
    ),
    (page) =>
      page?._embedded.records.find(
        ({ source_account, source_account_sequence }) =>
          source_account === accountId && BigInt(source_account_sequence) === sequence
      )?.hash
  )

/** Reads an account at a node that has a ledger; undefined if no such node can be asked now. */
const readAccountAt = (
  rpc: StellarCalls,
  accountId: string,
  minBlock: number
): Effect.Effect<AccountState | undefined> =>
  Effect.flatMap(CallOptions, (options) =>
    Effect.orElseSucceed(
      Effect.provideService(readAccount(rpc, accountId), CallOptions, { ...options, minBlock }),
      () => undefined
    )
  )

/**
 * Fails if no ledger can have a payment any more: a node has a ledger after its time limit, and the payment's sequence is unused there.
 */
const checkExpiry = (
  rpc: StellarCalls,
  hash: string,
  { bump, expires, from, sequence }: CompleteTransaction
): Effect.Effect<undefined, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const newest = yield* readLatestLedger(rpc)
    const state =
      newest.time > expires ? yield* readAccountAt(rpc, bump?.source ?? from, newest.sequence) : undefined
    if (state !== undefined && state.sequence < sequence)
      return yield* new TransactionDropped({
        hash,
        reason: `it could be in ledgers until ${new Date(expires * 1_000).toISOString()}, and is in none`
      })
    return undefined
  })

const checkConfirmation = (rpc: StellarCalls, hash: string, transaction: CompleteTransaction) =>
  Effect.flatMap(findTransaction(rpc, hash), (there) =>
    there === undefined
      ? checkExpiry(rpc, hash, transaction)
      : Effect.map(readLatestLedger(rpc), ({ sequence }) => ({
          transaction: there,
          confirmations: Math.max(1, sequence - there.ledger + 1)
        }))
  )

type TransactionAnswer = Effect.Effect.Success<ReturnType<StellarCalls["getTransaction"]>>

const checkOutcome = makeOutcomeCheck<TransactionAnswer>(({ result_xdr, successful }) =>
  successful ? undefined : { reason: `it was refused, with the result ${result_xdr}` }
)

/** Milliseconds between ledgers, about. */
const LEDGER_MS = 6_000

/** Waits until a payment is deep enough in the ledger. One that failed there is a failure. */
export const waitForConfirmations = (
  rpc: StellarCalls,
  hash: string,
  transaction: CompleteTransaction,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: LEDGER_MS / 2, timeout: (30 + 2 * confirmations) * LEDGER_MS },
    checkConfirmation(rpc, hash, transaction),
    checkOutcome
  )
