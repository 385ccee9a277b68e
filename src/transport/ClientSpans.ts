/**
 * Spans of services and subscriptions, which only clients of a whole family have.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SubscriptionTrace, TracingService } from "../wire/Transport.js"
import { callSpans, ifTraced, outcomeAttributes, serverAttributes, setAttributes, withSpan } from "./Spans.js"

/** Spans of calls, of requests to the provider, and of subscriptions. */
export const allSpans: TracingService = {
  ...callSpans,
  extra: {
    traceRequest: ({ method, network, path }, send) =>
      ifTraced(send, (tracer) =>
        withSpan(
          {
            name: `${method} ${path}`,
            network,
            tracer,
            attributes: { "http.request.method": method, "url.template": path }
          },
          send
        )
      ),
    traceSubscription: (label, network) =>
      ifTraced<SubscriptionTrace | undefined, never, Scope.Scope>(
        () => Effect.succeed(undefined),
        () => startSubscriptionSpan(label, network)
      )
  }
}

const startSubscriptionSpan = (
  label: string,
  network: string
): Effect.Effect<SubscriptionTrace, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const span = yield* Effect.makeSpanScoped(label, {
      kind: "client",
      captureStackTrace: false,
      attributes: { "effect_chains.network": network, "rpc.system": "jsonrpc", "rpc.method": label }
    })
    yield* Effect.addFinalizer((exit) => Effect.sync(() => setAttributes(span, outcomeAttributes(exit))))
    return {
      within: (effect) => Effect.withParentSpan(effect, span),
      setMode: (mode, url) => {
        const node = url === undefined ? {} : serverAttributes(url)
        setAttributes(span, { "effect_chains.mode": mode, ...node })
        span.event(mode, clock.unsafeCurrentTimeNanos(), node)
      }
    }
  })

/** Runs a method of a service in a span of its own. */
export const withServiceSpan = <A, E>(
  name: string,
  network: string,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  ifTraced(
    () => effect,
    () =>
      Effect.withSpan(effect, name, {
        captureStackTrace: false,
        attributes: { "effect_chains.network": network }
      })
  )
