/**
 * The outcome of every call of a Promise client, which never rejects.
 *
 * @since 0.1.0
 */
import type { Aborted, InvalidArgument, Unexpected } from "./SdkError.js"

/**
 * A call that worked.
 *
 * @since 0.1.0
 * @category models
 */
export interface Success<out A> {
  readonly status: "SUCCESS"
  readonly data: A
  readonly error?: undefined
}

/**
 * A call that failed: `message` for people, `code` the other side's own (the provider's `errorCode`, or the
 * JSON-RPC code as a string), `cause` the tagged error itself. Any call can be aborted, have been given options that are wrong
 * (`InvalidArgument`), or run into a bug.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure<out E> {
  readonly status: "ERROR"
  readonly data: null
  readonly error: {
    readonly message: ReadonlyArray<string>
    readonly code?: string
    readonly dashboardLog?: string
    readonly cause: E | Aborted | InvalidArgument | Unexpected
  }
}

/**
 * The outcome of a call on the Promise surface: `status` tells the two cases apart.
 *
 * @since 0.1.0
 * @category models
 */
export type Result<A, E = never> = Success<A> | Failure<E>

/**
 * Wraps a value.
 *
 * @since 0.1.0
 * @category constructors
 */
export const success = <A>(data: A): Success<A> => ({ status: "SUCCESS", data })

/** The fields of a tagged error that a result repeats, where the error has them. */
interface Described {
  readonly message: string
  readonly messages?: ReadonlyArray<string>
  readonly code?: string | number
  readonly dashboardLog?: string
}

/**
 * Wraps a tagged error, with its messages and code beside it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failure = <E extends Described>(
  cause: E | Aborted | InvalidArgument | Unexpected
): Failure<E> => {
  const described: Described = cause
  return {
    status: "ERROR",
    data: null,
    error: {
      message: described.messages ?? [described.message],
      ...(described.code === undefined ? {} : { code: String(described.code) }),
      ...(described.dashboardLog === undefined ? {} : { dashboardLog: described.dashboardLog }),
      cause
    }
  }
}

/** The results of a union that are of one kind. A union of results has several data types, which inference cannot join. */
type SuccessOf<R> = Extract<R, Success<unknown>>
type FailureOf<R> = Extract<R, Failure<unknown>>

/**
 * Whether the call worked. It also takes results of different calls.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSuccess = <R extends Result<unknown, unknown>>(result: R): result is SuccessOf<R> =>
  result.status === "SUCCESS"

/**
 * Whether the call failed. It also takes results of different calls.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isFailure = <R extends Result<unknown, unknown>>(result: R): result is FailureOf<R> =>
  result.status === "ERROR"

/**
 * Returns the data of a call that worked, and throws the tagged error of one that failed: for code with `try` and
 * `catch`, and for `call.then(getOrThrow)`.
 *
 * @since 0.1.0
 * @category getters
 */
export const getOrThrow = <R extends Result<unknown, unknown>>(result: R): SuccessOf<R>["data"] => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}
