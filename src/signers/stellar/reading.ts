/** What a payment on Stellar needs of Horizon: accounts, the newest ledger, fees, and what became of a payment. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { confirmed } from "../../chains/internal/Confirmation.js"
import { TransactionDropped, TransactionFailed } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { CallOptions } from "../../wire/Transport.js"
import { agreed, largerOf, malformed, wholeIn, wholeOf } from "../evidence.js"
import { type ReadError, refused, type SubmitError } from "../Signer.js"
import { DECIMALS, type Token } from "./assets.js"
import type { Complete } from "./base.js"
import type { StellarBalance, StellarCalls } from "./Types.js"

/** What an account has of an asset, in stroops; offers of its own bind a part of it. */
export interface Holding {
  readonly balance: bigint
  readonly bound: bigint
  /** How much more it takes. */
  readonly room: bigint
  readonly isAuthorized: boolean
}

/** An account, in stroops. */
export interface State {
  readonly sequence: bigint
  /** The entries that it keeps a reserve for. */
  readonly entries: bigint
  readonly wantsMemo: boolean
  /** What its own key weighs, and what the signatures of a payment have to weigh. */
  readonly weight: number
  readonly threshold: number
  readonly holds: (token?: Token) => Holding | undefined
}

const stroops = (amount: string | undefined): bigint =>
  Option.getOrElse(Units.parse(amount ?? "0", DECIMALS), () => 0n)

const holdingOf = (found: StellarBalance): Holding => {
  const balance = stroops(found.balance)
  return {
    balance,
    bound: stroops(found.selling_liabilities),
    room: stroops(found.limit) - balance - stroops(found.buying_liabilities),
    isAuthorized: found.is_authorized !== false
  }
}

const isOf = ({ asset_code, asset_issuer, asset_type }: StellarBalance, token?: Token): boolean =>
  token === undefined ? asset_type === "native" : asset_code === token.code && asset_issuer === token.issuer

/** Horizon says that there is no such thing by the status of its answer. */
const unless = <A, E extends ReadError>(found: Effect.Effect<A, E>): Effect.Effect<A | undefined, E> =>
  Effect.catchIf(
    found,
    (error) => error._tag === "RequestRejected" && error.status === 404,
    () => Effect.succeed(undefined)
  )

/** An account; undefined where there is none. */
export const stateOf = (rpc: StellarCalls, accountId: string): Effect.Effect<State | undefined, ReadError> =>
  unless(
    Effect.map(rpc.getAccount({ accountId }), (account) => ({
      sequence: BigInt(account.sequence),
      entries: 2n + BigInt(account.subentry_count + account.num_sponsoring - account.num_sponsored),
      // "1" in Base64, to SEP-29
      wantsMemo: account.data["config.memo_required"] === "MQ==",
      weight: account.signers.find(({ key }) => key === accountId)?.weight ?? 0,
      // that of the transaction, and that of its payment; a key without weight is none
      threshold: Math.max(1, account.thresholds.low_threshold, account.thresholds.med_threshold),
      holds: (token?: Token) => {
        const found = account.balances.find((balance) => isOf(balance, token))
        return found === undefined ? undefined : holdingOf(found)
      }
    }))
  )

/** The newest ledger: its number, its time in seconds since 1970, and what accounts keep for each entry in stroops. */
export interface Ledger {
  readonly sequence: number
  readonly time: number
  readonly reserve: bigint
}

type Ledgers = Effect.Effect.Success<ReturnType<StellarCalls["getLedgers"]>>

/** The time of the newest ledger, in seconds since 1970. */
const timeIn = ({ _embedded: { records } }: Ledgers): number =>
  Date.parse(String(records[0]?.closed_at)) / 1_000

/** Seconds that the ledgers of two honest nodes may be apart. */
const CLOSE = 600

/** A payment is over some seconds after the newest ledger, so two nodes tell about the same time, where there are two. */
export const ledgerOf = (rpc: StellarCalls): Effect.Effect<Ledger, ReadError> =>
  Effect.flatMap(
    agreed(
      rpc.getLedgers({ order: "desc", limit: 1 }),
      (one, other) => Math.abs(timeIn(one) - timeIn(other)) <= CLOSE
    ),
    (ledgers): Effect.Effect<Ledger, ReadError> => {
      const [newest] = ledgers._embedded.records
      const time = timeIn(ledgers)
      if (newest === undefined || !Number.isFinite(time))
        return Effect.fail(refused("getLedgers", "Horizon has no ledger yet"))
      const reserve = wholeIn(newest.base_reserve_in_stroops)
      return reserve === undefined
        ? Effect.fail(malformed("getLedgers", "the reserve of the newest ledger is no amount"))
        : Effect.succeed({ sequence: newest.sequence, time: Math.floor(time), reserve })
    }
  )

/** What almost all of the last payments got in for, in stroops. The ledger takes no more of it than it needs. */
export const feeOf = (rpc: StellarCalls): Effect.Effect<bigint, ReadError> =>
  Effect.flatMap(rpc.getFeeStats(), ({ fee_charged, last_ledger_base_fee }) =>
    Effect.map(
      Effect.all([
        wholeOf("getFeeStats", "last_ledger_base_fee", last_ledger_base_fee),
        wholeOf("getFeeStats", "fee_charged.p95", fee_charged?.p95)
      ]),
      ([base, high]) => largerOf(base, high)
    )
  )

/** A payment that is in a ledger, where it may have failed. */
export const found = (rpc: StellarCalls, transactionHash: string) =>
  unless(rpc.getTransaction({ transactionHash }))

/** The newest transactions of an account that are looked through for one with a number. */
const NEWEST = 50

/** The hash of the transaction that a ledger has with a number of an account, also of one that has failed there. */
export const madeWith = (
  rpc: StellarCalls,
  accountId: string,
  sequence: bigint
): Effect.Effect<string | undefined, ReadError> =>
  Effect.map(
    unless(rpc.getAccountTransactions({ accountId, order: "desc", limit: NEWEST, includeFailed: true })),
    (page) =>
      page?._embedded.records.find(
        ({ source_account, source_account_sequence }) =>
          source_account === accountId && BigInt(source_account_sequence) === sequence
      )?.hash
  )

/** An account at a node that has a ledger; undefined where none can be asked now. */
const stateAt = (rpc: StellarCalls, accountId: string, minBlock: number): Effect.Effect<State | undefined> =>
  Effect.flatMap(CallOptions, (options) =>
    Effect.orElseSucceed(
      Effect.provideService(stateOf(rpc, accountId), CallOptions, { ...options, minBlock }),
      () => undefined
    )
  )

/**
 * Fails where a payment can get into no ledger any more: the newest one is younger than it may be, and a node that has this one says
 * that the payment's number is free.
 */
const stillOpen = (
  rpc: StellarCalls,
  hash: string,
  { expires, from, sequence }: Complete
): Effect.Effect<undefined, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const newest = yield* ledgerOf(rpc)
    const state = newest.time > expires ? yield* stateAt(rpc, from, newest.sequence) : undefined
    if (state !== undefined && state.sequence < sequence)
      return yield* new TransactionDropped({
        hash,
        reason: `it could be in ledgers until ${new Date(expires * 1_000).toISOString()}, and is in none`
      })
    return undefined
  })

const look = (rpc: StellarCalls, hash: string, transaction: Complete) =>
  Effect.flatMap(found(rpc, hash), (there) =>
    there === undefined
      ? stillOpen(rpc, hash, transaction)
      : Effect.map(ledgerOf(rpc), ({ sequence }) => ({
          transaction: there,
          confirmations: Math.max(1, sequence - there.ledger + 1)
        }))
  )

/** Milliseconds between ledgers, about. */
const LEDGER = 6_000

/** Waits until a payment is so deep in the ledger; one that failed there is a failure. */
export const landed = (
  rpc: StellarCalls,
  hash: string,
  transaction: Complete,
  confirmations: number
): Effect.Effect<void, SubmitError> =>
  Effect.flatMap(
    confirmed(
      hash,
      { confirmations, pollingInterval: LEDGER / 2, timeout: (30 + 2 * confirmations) * LEDGER },
      look(rpc, hash, transaction)
    ),
    ({ result_xdr, successful }) =>
      successful
        ? Effect.void
        : Effect.fail(
            new TransactionFailed({ hash, reason: `it was refused, with the result ${result_xdr}` })
          )
  )
