/**
 * Repeats a call until it returns a value: a receipt that is not there yet, or a balance that has not arrived.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type { Result } from "../data/CallResult.js"
import { NullResult, RetryTimeout } from "../data/SdkError.js"

/**
 * The limit of the whole repetition (`timeout`, default 10 seconds), and the pause between two attempts (`delay`,
 * default 500 ms). Numbers are milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface PollOptions<out Time = Duration.DurationInput> {
  readonly timeout?: Time
  readonly delay?: Time
}

/**
 * {@link PollOptions} of the Promise surface, in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export type RetryOptions = PollOptions<number>

/**
 * The default limit and pause, in milliseconds (specification, section 9).
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults = { timeout: 10_000, delay: 500 } as const

/**
 * Repeats an effect until it yields a value that is neither null nor undefined. At the timeout the current attempt is
 * interrupted, and the effect fails with the last failure: `NullResult` if the last attempt yielded nothing,
 * `RetryTimeout` if no attempt ended. Defects are not repeated.
 *
 * @since 0.1.0
 * @category combinators
 */
export const poll = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { delay = defaults.delay, timeout = defaults.timeout }: PollOptions = {}
): Effect.Effect<NonNullable<A>, E | NullResult | RetryTimeout, R> =>
  Effect.suspend(() => {
    let lastError: () => E | NullResult | RetryTimeout = () => new RetryTimeout()
    return effect.pipe(
      Effect.flatMap((value) =>
        value === null || value === undefined
          ? Effect.fail(new NullResult())
          : Effect.succeed<NonNullable<A>>(value)
      ),
      Effect.tapError((error) =>
        Effect.sync(() => {
          lastError = () => error
        })
      ),
      Effect.retry(Schedule.spaced(delay)),
      Effect.timeoutFail({ duration: timeout, onTimeout: () => lastError() })
    )
  })

/** The data of a `Result`, or the value of any other call. */
type PolledValue<A> = [A] extends [Result<infer D, infer _>] ? D : A

const isResult = (value: unknown): value is Result<unknown, unknown> =>
  typeof value === "object" &&
  value !== null &&
  "status" in value &&
  "data" in value &&
  (value.status === "SUCCESS" || (value.status === "ERROR" && "error" in value))

/** Wraps a thrown value of any type, so that it is told apart from the SDK's own errors. */
class ThrownError {
  constructor(readonly error: unknown) {}
}

/**
 * {@link poll} for ordinary async code. Repeats `call` until it returns a value that is neither null nor undefined,
 * and resolves to that value; a `Result` counts by its data. At the timeout it aborts the signal that `call` gets,
 * and rejects with the last exception, with the error of the last `Result`, with `NullResult`, or with `RetryTimeout`
 * if no attempt ended.
 *
 * @since 0.1.0
 * @category operations
 */
export const pollPromise = async <A>(
  call: (signal: AbortSignal) => A | Promise<A>,
  options: RetryOptions = {}
): Promise<NonNullable<PolledValue<A>>> => {
  const attempt = Effect.tryPromise({
    try: async (signal): Promise<unknown> => {
      const value: unknown = await call(signal)
      if (!isResult(value)) return value
      if (value.status === "ERROR") throw value.error.cause
      return value.data
    },
    catch: (error) => new ThrownError(error)
  })
  const exit = await Effect.runPromiseExit(poll(attempt, options))
  // the data of a Result was just taken out, which the compiler cannot follow
  if (Exit.isSuccess(exit)) return exit.value as NonNullable<PolledValue<A>>
  const error = Cause.squash(exit.cause)
  throw error instanceof ThrownError ? error.error : error
}
