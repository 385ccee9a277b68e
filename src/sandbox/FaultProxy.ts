/**
 * The front of a node: what clients connect to, and where things go wrong on purpose.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Answer, type Handler, json, listen } from "./Loopback.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * How a front answers instead of its node: with an HTTP `status`, a connection that is reset (`drop`), half a body and
 * then silence (`stall`), a body that is no JSON (`garbage`), or an error page with status 200 (`html`).
 *
 * @since 0.1.0
 * @category models
 */
export type Fault = "drop" | "stall" | "garbage" | "html" | { readonly status: number }

/**
 * A front. It keeps its url while it is closed, when connections are refused. `slow` waits that many milliseconds before
 * each answer; `heal` ends slowness and fault. `requests` counts the HTTP requests that arrived, faulty ones included.
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultProxy {
  readonly url: string
  readonly open: Effect.Effect<void, SandboxError>
  readonly close: Effect.Effect<void>
  readonly slow: (ms: number) => Effect.Effect<void>
  readonly fault: (kind: Fault) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  readonly requests: Effect.Effect<number>
}

const text = (body: string, type: string): Answer => ({
  status: 200,
  headers: { "content-type": type, "access-control-allow-origin": "*" },
  body: Buffer.from(body)
})

const faulty = (kind: Fault): Answer | "drop" => {
  switch (kind) {
    case "drop":
      return "drop"
    case "stall":
      return { ...json({ jsonrpc: "2.0", id: 1, result: "0x" }), stalled: true }
    case "garbage":
      return text('{"jsonrpc":"2.0","id":1,"resu\u0000\u0007', "application/json")
    case "html":
      return text("<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html")
    default:
      return json({ message: `The sandbox answers with status ${kind.status}` }, kind.status)
  }
}

/**
 * Opens a front for `handler` on a free port of 127.0.0.1, until the scope closes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (handler: Handler): Effect.Effect<FaultProxy, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const whole = yield* Effect.scope
    let requests = 0
    let delay = 0
    let fault: Fault | undefined
    let port = 0
    let current: Scope.CloseableScope | undefined

    const front: Handler = (received) =>
      Effect.suspend(() => {
        requests++
        return Effect.zipRight(
          delay > 0 ? Effect.sleep(delay) : Effect.void,
          Effect.suspend(() => (fault === undefined ? handler(received) : Effect.succeed(faulty(fault))))
        )
      })

    const open = Effect.gen(function* () {
      if (current !== undefined) return
      const scope = yield* Scope.fork(whole, whole.strategy)
      port = yield* Scope.extend(listen(front, port), scope).pipe(
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
      current = scope
    })

    yield* open
    return {
      url: `http://127.0.0.1:${port}`,
      open,
      close: Effect.suspend(() => {
        const scope = current
        current = undefined
        return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
      }),
      slow: (ms) =>
        Effect.sync(() => {
          delay = ms
        }),
      fault: (kind) =>
        Effect.sync(() => {
          fault = kind
        }),
      heal: Effect.sync(() => {
        delay = 0
        fault = undefined
      }),
      requests: Effect.sync(() => requests)
    }
  })
