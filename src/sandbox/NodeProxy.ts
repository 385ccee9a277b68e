/**
 * The proxy of a node: clients connect to it, and it applies the faults of the node's rules.
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
 * A fault of a node: a fault of rules, or one of the short forms `freeze`, `stall`, `garbage`, `html`, `reset` (or
 * `drop`, the same) and an HTTP `status` alone.
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
 * A node's proxy. It keeps its url while it is closed and refuses connections. `slow` waits that many milliseconds
 * before each answer (0 ends it), and `fault` replaces the last one. Both are rules for this node, the slowness first,
 * and die with a FaultRefused if they are invalid. `heal` removes every rule for this node alone, including those of
 * other callers; rules for a whole network or with `*` stay. `requests` counts the HTTP requests that arrived,
 * including faulty ones.
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
 * The options of a proxy. `node` is the name with the network (`ethereum-mainnet/normal-1`), and `handler` is the
 * node's. With `isForwarder`, the proxy listens on the next port too, where Solana's validators have their WebSockets.
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

/** Opens and closes the port of a proxy, which keeps the port that it first chose. */
const makeListener = (handler: Handler, isForwarder: boolean) =>
  Effect.map(Effect.scope, (whole) => {
    let port = 0
    let current: Scope.CloseableScope | undefined
    const listenBoth = Effect.gen(function* () {
      const first = yield* listen(handler, port)
      if (isForwarder) yield* listen(handler, first + 1)
      return first
    })
    return {
      url: () => `http://127.0.0.1:${port}`,
      open: Effect.gen(function* () {
        if (current !== undefined) return
        const scope = yield* Scope.fork(whole, whole.strategy)
        port = yield* Scope.extend(listenBoth, scope).pipe(
          Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
        )
        current = scope
      }),
      close: Effect.suspend(() => {
        const scope = current
        current = undefined
        return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
      })
    }
  })

const makeNodeRules = ({ faults, network, node }: NodeProxyOptions) => {
  let slowness: FaultKind | undefined
  let fault: FaultKind | undefined
  let own: ReadonlyArray<FaultRule> = []

  const removeRules = Effect.suspend(() => {
    const rules = own
    own = []
    return Effect.forEach(rules, ({ id }) => faults.remove(id), { discard: true })
  })

  /** Adds both rules anew. Rules apply in their order, and slowness comes first, whichever was set first. */
  const addRules = Effect.suspend(() =>
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

  const replaceRules = Effect.zipRight(removeRules, addRules)
  const names = new Set([node, node.replace(/^.*\//, "")])
  const isForThisNode = ({ target }: FaultRule): boolean =>
    target.node === node ||
    (target.network === network && target.node !== undefined && names.has(target.node))

  return {
    removeRules,
    slow: (ms: number) =>
      Effect.suspend(() => {
        slowness = ms === 0 ? undefined : { kind: "slow", ms }
        return replaceRules
      }),
    fault: (kind: Fault) =>
      Effect.suspend(() => {
        fault = toFaultKind(kind)
        return replaceRules
      }),
    heal: Effect.suspend(() => {
      slowness = undefined
      fault = undefined
      own = []
      return Effect.flatMap(faults.list, (states) =>
        Effect.forEach(
          states.filter(({ rule }) => isForThisNode(rule)),
          ({ rule }) => faults.remove(rule.id),
          { discard: true }
        )
      )
    })
  }
}

/**
 * Opens a proxy on a free port of 127.0.0.1 until the scope closes. Its own rules end with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: NodeProxyOptions): Effect.Effect<NodeProxy, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { faults, isForwarder = false, network, node } = options
    const answer = faults.wrapHandler({ network, node, label: node }, options.handler)
    let requests = 0
    const listener = yield* makeListener(
      (received) =>
        Effect.suspend(() => {
          requests++
          return answer(received)
        }),
      isForwarder
    )
    const { fault, heal, removeRules, slow } = makeNodeRules(options)
    yield* Effect.addFinalizer(() => removeRules)
    // a forwarder needs two ports in a row, and the second may be taken
    yield* Effect.retry(listener.open, { times: isForwarder ? 20 : 0 })
    return {
      url: listener.url(),
      open: listener.open,
      close: listener.close,
      slow,
      fault,
      heal,
      requests: Effect.sync(() => requests)
    }
  })
