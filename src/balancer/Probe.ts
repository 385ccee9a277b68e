/**
 * Asks nodes whether they are alive, how high their chain is, and whether it is the right chain.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { NetworkInfo } from "../data/Network.js"
import { NodeError } from "../data/SdkError.js"
import { HttpFailure, type HttpService, monotonic } from "../http/service.js"
import { sharing } from "./Background.js"
import type { ChainCheck, Probe } from "./Family.js"
import { sendTo } from "./Layout.js"
import { PROBE_RETRIES, PROBE_TIMEOUT } from "./NodeList.js"
import { type Node, verified } from "./Nodes.js"
import type { Checked } from "./Pool.js"

/** An answer to a probe is small, except where a family has no smaller question than a block. */
const MAX_PROBE_BYTES = 4 * 1024 * 1024

/** What is asked. */
type Target = Pick<Node, "url" | "place">

/**
 * A height as nodes write it: a JSON number, a decimal string, or hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category getters
 */
export const parseHeight = (value: unknown): number | undefined => {
  const height =
    typeof value === "number"
      ? value
      : typeof value === "string" && value.trim() !== ""
        ? Number(value)
        : Number.NaN
  return Number.isSafeInteger(height) && height >= 0 ? height : undefined
}

class BadStatus extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`)
  }
}

/** A question to a node. */
interface Question<A> {
  readonly verb: "GET" | "POST"
  readonly path: string
  readonly body: unknown
  /** It may throw: the answer is then none. */
  readonly read: (answer: unknown) => A
}

const ask = <A>(
  http: HttpService,
  target: Target,
  { body, path, read, verb }: Question<A>,
  timeout: number = PROBE_TIMEOUT
): Effect.Effect<A, Error> => {
  const place = target.place(path)
  return Effect.flatMap(
    sendTo(http, place, {
      method: verb,
      url: place.url,
      headers: place.headers[verb],
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout,
      maxBytes: MAX_PROBE_BYTES
    }),
    (response) =>
      Effect.try({
        try: () => {
          if (response.status < 200 || response.status >= 300) throw new BadStatus(response.status)
          return read(JSON.parse(response.text))
        },
        catch: (error) => (error instanceof Error ? error : new Error(String(error)))
      })
  )
}

/** Statuses of a server that does not have a route. */
const NO_ROUTE = [404, 405, 501]

/** Asks a probe, or what it has in its place for a node without that route. */
const askProbe = (
  http: HttpService,
  target: Target,
  { body, height, otherwise, path, verb }: Probe,
  timeout?: number
): Effect.Effect<number | undefined, Error> => {
  const asked = ask(
    http,
    target,
    { verb, path, body, read: (answer) => parseHeight(height(answer)) },
    timeout
  )
  return otherwise === undefined
    ? asked
    : Effect.catchAll(asked, (error) =>
        error instanceof BadStatus && NO_ROUTE.includes(error.status)
          ? askProbe(http, target, otherwise, timeout)
          : Effect.fail(error)
      )
}

/**
 * Probes a node: its height and how long the answer took, or `"failed"`. Two attempts, of which the second is timed if
 * it is needed; one of `timeout` milliseconds where that is given.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  http: HttpService,
  target: Target,
  probe: Probe,
  timeout?: number
): Effect.Effect<Checked> =>
  Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const start = monotonic(clock)
      return Effect.map(askProbe(http, target, probe, timeout), (height): Checked => {
        return height === undefined ? "failed" : { height, time: Math.max(1, monotonic(clock) - start) }
      })
    }).pipe(
      timeout === undefined ? Effect.retry(PROBE_RETRIES) : (once) => once,
      Effect.catchAll(() => Effect.succeed<Checked>("failed"))
    )
  )

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null ? Reflect.get(message, "id") : undefined

/** Whether a node has said that it does not know the question. Such a node counts as checked. */
const knowsNothing = (answer: unknown): boolean => {
  const error = typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined
  if (typeof error !== "object" || error === null) return false
  const message = String(Reflect.get(error, "message"))
  return (
    Reflect.get(error, "code") === -32601 ||
    /method|not (found|supported|available|exist)|unsupported/i.test(message)
  )
}

/**
 * Asks a node for its chain. Succeeds if it is the expected one, or if the node says that it does not know the question.
 *
 * @since 0.1.0
 * @category operations
 */
export const verify = (
  http: HttpService,
  target: Target,
  check: ChainCheck,
  network: NetworkInfo
): Effect.Effect<void, NodeError> =>
  ask(http, target, {
    verb: "POST",
    path: "",
    body: check.body,
    read: (answer) => {
      // an answer to another request says nothing of this node
      const ours = idOf(answer) === idOf(check.body)
      const matches = network.chainId === undefined ? true : ours ? check.matches(answer, network) : undefined
      return matches ?? (knowsNothing(answer) ? true : undefined)
    }
  }).pipe(
    Effect.mapError((error) => {
      const status = error instanceof BadStatus ? { status: error.status } : {}
      const kind =
        error instanceof HttpFailure ? error.kind : error instanceof BadStatus ? "status" : "malformed"
      return new NodeError({ kind, call: "chain check", url: target.url, reason: error.message, ...status })
    }),
    Effect.flatMap((matches) => {
      if (matches === true) return Effect.void
      const [kind, reason] =
        matches === false
          ? (["wrong-chain", `the node serves another chain than ${network.chainId}`] as const)
          : (["malformed", "the node does not say which chain it serves"] as const)
      return Effect.fail(new NodeError({ kind, call: "chain check", url: target.url, reason }))
    })
  )

/**
 * Which nodes are trusted: no answer of a node counts, it gets nothing but reads, and is not found well, before it has told that it
 * serves the chain of the network. It is asked once, and again after it has failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainIdCheck {
  readonly isTrusted: (node: Node) => boolean
  /** Asks a node for its chain, unless it is trusted; fails if it serves another one or does not answer. */
  readonly verify: (node: Node) => Effect.Effect<void, NodeError>
  /** Passes on what a probe has found; `failed` if the node is not to be trusted. */
  readonly believe: <A>(node: Node, found: A) => Effect.Effect<A | "failed">
}

/**
 * Trust by the answer to `check`; without that question all nodes are trusted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeChainIdCheck = (
  http: HttpService,
  scope: Scope.Scope,
  network: NetworkInfo,
  check: ChainCheck | undefined
): ChainIdCheck => {
  const asking = sharing(scope, (node: Node) =>
    check === undefined ? Effect.void : Effect.map(verify(http, node, check, network), () => verified(node))
  )
  const isTrusted = (node: Node): boolean => check === undefined || node.verified
  const ask = (node: Node): Effect.Effect<void, NodeError> =>
    Effect.suspend(() => (isTrusted(node) ? Effect.void : asking.ask(node)))
  return {
    isTrusted,
    verify: ask,
    believe: (node, found) => Effect.match(ask(node), { onFailure: () => "failed", onSuccess: () => found })
  }
}
