/**
 * Waiting until a transaction is in the chain, deep enough to stay there.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import {
  InvalidArgument,
  type RpcCallError,
  TransactionFailed,
  TransactionNotConfirmed
} from "../../data/SdkError.js"

/**
 * How long to wait, and for how much: `confirmations` blocks, the transaction's own among them (default 1), looked for
 * every `pollingInterval` (default one second) for the time of `timeout` (default two minutes). Numbers are milliseconds. A transaction that
 * is in the chain and has failed there is a `TransactionFailed`; with `allowFailure` it is given like any other.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions {
  readonly confirmations?: number
  readonly timeout?: Duration.DurationInput
  readonly pollingInterval?: Duration.DurationInput
  readonly allowFailure?: boolean
}

/**
 * A transaction that has been seen in the chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface SeenTransaction<A> {
  readonly transaction: A
  /** Blocks on top of it, its own included; 0 while it waits for a block. */
  readonly confirmations: number
}

/**
 * Why a transaction has failed in its block. `data` are the bytes that a contract has reverted with.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailureReason {
  readonly reason: string
  readonly data?: string
}

/**
 * Holds a transaction that is in the chain to what it was to do there. A family declares one beside how its transactions are looked for.
 *
 * @since 0.1.0
 * @category models
 */
export type CheckOutcome<in A, out E> = (hash: string, transaction: A) => Effect.Effect<unknown, E>

/**
 * The check of a chain whose blocks have no transactions that failed.
 *
 * @since 0.1.0
 * @category constants
 */
export const neverFails: CheckOutcome<unknown, never> = () => Effect.void

/**
 * The check of a chain whose blocks have transactions that failed. `findFailure` tells why one has failed, and undefined if it has not. `explain`
 * asks nodes for a better reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeOutcomeCheck =
  <A>(
    findFailure: (transaction: A) => FailureReason | undefined,
    explain: (transaction: A, failure: FailureReason) => Effect.Effect<FailureReason> = (_, failure) =>
      Effect.succeed(failure)
  ): CheckOutcome<A, TransactionFailed<A>> =>
  (hash, transaction) => {
    const failure = findFailure(transaction)
    return failure === undefined
      ? Effect.void
      : Effect.flatMap(explain(transaction, failure), (explained) =>
          Effect.fail(new TransactionFailed({ hash, ...explained, receipt: transaction }))
        )
  }

/** Nodes that cannot be reached now say nothing about the transaction. */
const isTransient = (error: { readonly _tag: string }): boolean =>
  error._tag === "NodeError" || error._tag === "NoActiveNode" || error._tag === "CallTimeout"

const PENDING = { _tag: "Pending" } as const

/** A time in milliseconds; 0 for what is no time. */
const toMillis = (time: Duration.DurationInput): number => {
  try {
    return Duration.toMillis(time)
  } catch {
    return 0
  }
}

/**
 * Looks for a transaction until it is as deep as wanted. A look that yields nothing (unknown, or its block given up by a
 * reorganisation) is no failure, and neither are nodes that cannot be reached for a while. What it was to do is checked when it is there:
 * that takes no time from the wait.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pollUntilConfirmed = <A, E extends { readonly _tag: string }, F>(
  hash: string,
  options: WaitOptions,
  look: Effect.Effect<SeenTransaction<A> | undefined, E>,
  checkOutcome: CheckOutcome<A, F>
): Effect.Effect<A, E | F | InvalidArgument | TransactionNotConfirmed> => {
  const { allowFailure = false, confirmations = 1 } = options
  const timeout = toMillis(options.timeout ?? 120_000)
  const pollingInterval = toMillis(options.pollingInterval ?? 1_000)
  const problem =
    !Number.isSafeInteger(confirmations) || confirmations < 1
      ? "confirmations must be a whole number of at least 1"
      : timeout === 0 || pollingInterval === 0
        ? "pollingInterval and timeout must be milliseconds above 0, or durations"
        : undefined
  if (problem !== undefined) {
    return Effect.fail(new InvalidArgument({ call: "waitForTransaction", reason: problem }))
  }
  let reached = 0
  return look.pipe(
    Effect.flatMap((seen) => {
      reached = seen?.confirmations ?? 0
      return seen !== undefined && reached >= confirmations
        ? Effect.succeed(seen.transaction)
        : Effect.fail(PENDING)
    }),
    Effect.retry({
      schedule: Schedule.spaced(pollingInterval),
      while: (error) => error === PENDING || isTransient(error)
    }),
    Effect.catchTag("Pending", () => Effect.never),
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () =>
        new TransactionNotConfirmed({ hash, confirmations: reached, wanted: confirmations, timeout })
    }),
    Effect.flatMap((transaction) =>
      allowFailure
        ? Effect.succeed(transaction)
        : Effect.map(checkOutcome(hash, transaction), () => transaction)
    )
  )
}

/**
 * The errors of waiting for a transaction, on any chain. Where blocks have transactions that failed there is {@link TransactionFailed} besides.
 *
 * @since 0.1.0
 * @category errors
 */
export type WaitError = RpcCallError | TransactionNotConfirmed
