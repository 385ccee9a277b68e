/**
 * The front of a node: clients connect to it, and it applies the faults of the node's rules.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { FaultKind, FaultRule, FaultsService } from "./Faults.js"
import type { Handler } from "./Handler.js"
import { listen } from "./Loopback.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * A front's answer in place of its node's: one of the faults that rules have, or the short forms `freeze`, `stall`,
 * `garbage`, `html`, `reset` (or `drop`, the same), and an HTTP `status` alone.
 *
 * @since 0.1.0
 * @category models
 */
export type Fault =
  | "drop"
  | "reset"
  | "freeze"
  | "stall"
  | "garbage"
  | "html"
  | { readonly status: number }
  | FaultKind

/**
 * A front. It keeps its url while it is closed, when connections are refused. `slow` waits that many milliseconds before
 * each answer (0 ends it), `fault` is in force until the next one: both are rules for this node, slowness before the
 * fault, and make a defect of a FaultRefused if they make no sense. `heal` removes every rule that names this node alone, also
 * those that other callers made; rules for a whole network or with `*` stay. `requests` counts the HTTP requests that arrived,
 * faulty ones included.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeProxy {
  readonly url: string
  readonly open: Effect.Effect<void, SandboxError>
  readonly close: Effect.Effect<void>
  readonly slow: (ms: number) => Effect.Effect<void>
  readonly fault: (kind: Fault) => Effect.Effect<void>
  readonly heal: Effect.Effect<void>
  readonly requests: Effect.Effect<number>
}

/**
 * The parts of a front: the engine, the network's id, the node's name with its network (`ethereum-mainnet/normal-1`) and the
 * handler behind it. With `isForwarder`, the next port has the same, as validators of Solana have their WebSockets there.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeProxyOptions {
  readonly faults: FaultsService
  readonly network: string
  readonly node: string
  readonly handler: Handler
  readonly isForwarder?: boolean
}

const toFaultKind = (fault: Fault): FaultKind => {
  if (fault === "drop") return { kind: "reset" }
  if (typeof fault === "string") return { kind: fault }
  return "kind" in fault ? fault : { kind: "status", status: fault.status }
}

/**
 * Opens a front on a free port of 127.0.0.1, until the scope closes; its own rules end with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: NodeProxyOptions): Effect.Effect<NodeProxy, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { faults, network, node } = options
    const whole = yield* Effect.scope
    const answer = faults.wrapHandler({ network, node, label: node }, options.handler)
    let requests = 0
    let port = 0
    let current: Scope.CloseableScope | undefined
    let slowness: FaultKind | undefined
    let fault: FaultKind | undefined
    let own: ReadonlyArray<FaultRule> = []

    const front: Handler = (received) =>
      Effect.suspend(() => {
        requests++
        return answer(received)
      })

    const open = Effect.gen(function* () {
      if (current !== undefined) return
      const scope = yield* Scope.fork(whole, whole.strategy)
      const listening = Effect.gen(function* () {
        const first = yield* listen(front, port)
        if (options.isForwarder === true) yield* listen(front, first + 1)
        return first
      })
      port = yield* Scope.extend(listening, scope).pipe(
        Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
      )
      current = scope
    })

    const retract = Effect.suspend(() => {
      const rules = own
      own = []
      return Effect.forEach(rules, ({ id }) => faults.remove(id), { discard: true })
    })

    /** Both rules anew: they apply in their order, and slowness comes first whichever was asked for first. */
    const enforce = Effect.suspend(() =>
      Effect.forEach(
        [slowness, fault].filter((kind) => kind !== undefined),
        (kind) =>
          Effect.tap(faults.add({ target: { network, node }, fault: kind }), (rule) =>
            Effect.sync(() => {
              own = [...own, rule]
            })
          ),
        { discard: true }
      )
    ).pipe(Effect.orDie)

    yield* Effect.addFinalizer(() => retract)
    // the port beside one that is free may be taken
    yield* Effect.retry(open, { times: options.isForwarder === true ? 20 : 0 })
    return {
      url: `http://127.0.0.1:${port}`,
      open,
      close: Effect.suspend(() => {
        const scope = current
        current = undefined
        return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
      }),
      slow: (ms) =>
        Effect.suspend(() => {
          slowness = ms === 0 ? undefined : { kind: "slow", ms }
          return Effect.zipRight(retract, enforce)
        }),
      fault: (kind) =>
        Effect.suspend(() => {
          fault = toFaultKind(kind)
          return Effect.zipRight(retract, enforce)
        }),
      heal: Effect.suspend(() => {
        slowness = undefined
        fault = undefined
        own = []
        const named = new Set([node, node.replace(/^.*\//, "")])
        return Effect.flatMap(faults.list, (states) =>
          Effect.forEach(
            states.filter(({ rule: { target } }) =>
              target.node === node
                ? true
                : target.network === network && target.node !== undefined && named.has(target.node)
            ),
            ({ rule }) => faults.remove(rule.id),
            { discard: true }
          )
        )
      }),
      requests: Effect.sync(() => requests)
    }
  })
