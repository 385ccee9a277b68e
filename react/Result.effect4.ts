/** The results of Effect 4's atoms under the name of rx. */
import type * as AsyncResult from "effect/reactivity/AsyncResult"

export * from "effect/reactivity/AsyncResult"

export type Result<A, E = never> = AsyncResult.AsyncResult<A, E>
