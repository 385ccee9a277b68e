/**
 * A call on its way: what it asks for, how much time it has, and what has become of it so far.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { CallTimeout } from "../SdkError.js"
import type { ResolvedConfig } from "../services/Config.js"
import type { Call, CallOptionsShape } from "../Transport.js"
import { type NodeType, typeOf } from "./NodePool.js"
import type { Refusal } from "./Verdict.js"

/**
 * The state of one call. Times are milliseconds, `deadline` since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run<A> {
  readonly call: Call<A>
  readonly clock: Clock.Clock
  readonly timeout: number
  readonly attemptTimeout: number
  readonly deadline: number
  readonly wanted: NodeType
  /** The answer must be of a node that is at this block. */
  readonly floor: number | undefined
  readonly tried: Set<number>
  /** Whether an earlier attempt may have reached a node. */
  delivered: boolean
  /** Whether a node was at fault, and not only in no position to answer. */
  nodeFailed: boolean
  lastError: Refusal["error"] | undefined
}

/**
 * A call whose time begins now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A>(
  call: Call<A>,
  options: CallOptionsShape,
  config: Pick<ResolvedConfig, "timeout" | "attemptTimeout">,
  clock: Clock.Clock
): Run<A> => {
  const { patience = 0 } = call
  const timeout = options.timeout ?? Math.max(patience, config.timeout)
  return {
    call,
    clock,
    timeout,
    attemptTimeout: options.attemptTimeout ?? Math.max(patience, config.attemptTimeout),
    deadline: clock.unsafeCurrentTimeMillis() + timeout,
    wanted: typeOf(call.archive),
    floor: call.repeat === "read" && options.minBlock !== undefined ? Number(options.minBlock) : undefined,
    tried: new Set(),
    delivered: false,
    nodeFailed: false,
    lastError: undefined
  }
}

/**
 * The milliseconds that a call has left.
 *
 * @since 0.1.0
 * @category time
 */
export const left = ({ clock, deadline }: Run<unknown>): number => deadline - clock.unsafeCurrentTimeMillis()

/**
 * What a call ends with when its time is over.
 *
 * @since 0.1.0
 * @category time
 */
export const tooLate = ({ call, lastError, timeout }: Run<unknown>): Effect.Effect<never, CallTimeout> =>
  Effect.fail(
    new CallTimeout({
      call: call.label,
      timeout,
      ...(lastError === undefined ? {} : { last: lastError.message })
    })
  )
