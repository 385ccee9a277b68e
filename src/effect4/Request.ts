/** The resolver gets requests in an entry each, which is what ends them. */
import * as Effect from "effect4/Effect"
import type * as Exit from "effect4/Exit"
import type * as Requests from "effect4/Request"

export * from "effect4/Request"

const entries = new WeakMap<object, Requests.Entry<never>>()

export const enter = <R extends object>(entry: Requests.Entry<R>): R => {
  entries.set(entry.request, entry as Requests.Entry<never>)
  return entry.request
}

export const complete = <A, E>(request: Requests.Request<A, E>, exit: Exit.Exit<A, E>): Effect.Effect<void> =>
  Effect.sync(() =>
    (entries.get(request) as Requests.Entry<typeof request> | undefined)?.completeUnsafe(exit)
  )
