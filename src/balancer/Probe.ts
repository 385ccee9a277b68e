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
import { shareInFlight } from "./Background.js"
import { findChainProblem } from "./chainProblem.js"
import type { ChainCheck, Probe } from "./Family.js"
import { sendTo } from "./Layout.js"
import { PROBE_RETRIES, PROBE_TIMEOUT } from "./NodeList.js"
import { markVerified, type Node } from "./Nodes.js"
import { CHAIN_CHECK, cooldownOf } from "./Outcome.js"
import type { CheckOutcome } from "./Pool.js"

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

/**
 * The outcome of a probe: as of a check, or `limited`: the node asks for a pause, which says nothing of how it is.
 *
 * @since 0.1.0
 * @category models
 */
export type ProbeOutcome = CheckOutcome | "limited"

/** `pause`: when the node wants to be asked again, in milliseconds. */
class BadStatus extends Error {
  constructor(
    readonly status: number,
    readonly pause: number | undefined
  ) {
    super(`HTTP ${status}`)
  }
}

const isLimited = (error: Error): error is BadStatus & { readonly pause: number } =>
  error instanceof BadStatus && error.pause !== undefined

/** A question to a node. */
interface Question<A> {
  readonly verb: "GET" | "POST"
  readonly path: string
  readonly body: unknown
  /** It may throw: the answer is then none. */
  readonly read: (answer: unknown) => A
}

const sendQuestion = <A>(
  http: HttpService,
  target: Target,
  { body, path, read, verb }: Question<A>,
  timeout: number = PROBE_TIMEOUT
): Effect.Effect<A, Error> =>
  Effect.clockWith((clock) => {
    const place = target.place(path)
    const sent = sendTo(http, place, {
      method: verb,
      url: place.url,
      headers: place.headers[verb],
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout,
      maxBytes: MAX_PROBE_BYTES
    })
    return Effect.flatMap(sent, (response) =>
      Effect.try({
        try: () => {
          const { status, text } = response
          if (status < 200 || status >= 300)
            throw new BadStatus(
              status,
              status === 429 ? cooldownOf(response, { fault: "limited" }, clock) : undefined
            )
          return read(JSON.parse(text))
        },
        catch: (error) => (error instanceof Error ? error : new Error(String(error)))
      })
    )
  })

/** Statuses of a server that does not have a route. */
const NO_ROUTE = [404, 405, 501]

/** Asks something else where the node has no such route. */
const orElseIfNoRoute = <A>(
  asked: Effect.Effect<A, Error>,
  otherwise: () => Effect.Effect<A, Error>
): Effect.Effect<A, Error> =>
  Effect.catchAll(asked, (error) =>
    error instanceof BadStatus && NO_ROUTE.includes(error.status) ? otherwise() : Effect.fail(error)
  )

/** Asks a probe, or what it has in its place for a node without that route. */
const askProbe = (
  http: HttpService,
  target: Target,
  { body, height, otherwise, path, verb }: Probe,
  timeout?: number
): Effect.Effect<number | undefined, Error> => {
  const asked = sendQuestion(
    http,
    target,
    { verb, path, body, read: (answer) => parseHeight(height(answer)) },
    timeout
  )
  return otherwise === undefined
    ? asked
    : orElseIfNoRoute(asked, () => askProbe(http, target, otherwise, timeout))
}

/**
 * How a probe is made: within `timeout` milliseconds, and with `cool`, which is told of a pause that the node asks for, in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProbeOptions {
  readonly timeout?: number | undefined
  readonly onCooldown?: (pause: number) => Effect.Effect<void>
}

/**
 * Probes a node: its height and how long the answer took, or `"failed"`. Two attempts, of which the second is timed if
 * it is needed; one of `timeout` milliseconds where that is given. A node that asks for a pause is `limited`, and `cool` is told of that.
 *
 * @since 0.1.0
 * @category operations
 */
export const probeNode = (
  http: HttpService,
  target: Target,
  probe: Probe,
  { onCooldown = () => Effect.void, timeout }: ProbeOptions = {}
): Effect.Effect<ProbeOutcome> =>
  Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const start = monotonic(clock)
      return Effect.map(askProbe(http, target, probe, timeout), (height): CheckOutcome => {
        return height === undefined ? "failed" : { height, time: Math.max(1, monotonic(clock) - start) }
      })
    }).pipe(
      timeout === undefined
        ? Effect.retry({ schedule: PROBE_RETRIES, while: (error) => !isLimited(error) })
        : (once) => once,
      Effect.catchAll(
        (error): Effect.Effect<ProbeOutcome> =>
          isLimited(error) ? Effect.as(onCooldown(error.pause), "limited") : Effect.succeed("failed")
      )
    )
  )

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null ? Reflect.get(message, "id") : undefined

/** Whether a node has said that it does not know the question. Such a node counts as checked. */
const isUnknownMethod = (answer: unknown): boolean => {
  const error = typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined
  if (typeof error !== "object" || error === null) return false
  const message = String(Reflect.get(error, "message"))
  return (
    Reflect.get(error, "code") === -32601 ||
    /method|not (found|supported|available|exist)|unsupported/i.test(message)
  )
}

/** Asks for the chain: the problem with the answer. */
const askChain = (
  http: HttpService,
  target: Target,
  check: ChainCheck,
  network: NetworkInfo
): Effect.Effect<ReturnType<typeof findChainProblem>, Error> => {
  const { body, chainIn, fallback, path, verb } = check
  const read = (answer: unknown) => {
    // an answer to another request says nothing of this node
    const chain = idOf(answer) === idOf(body) ? chainIn(answer) : undefined
    return chain === undefined && isUnknownMethod(answer)
      ? undefined
      : findChainProblem(check, chain, network)
  }
  const asked = sendQuestion(http, target, { verb, path, body, read })
  return fallback === undefined
    ? asked
    : orElseIfNoRoute(asked, () => askChain(http, target, fallback, network))
}

/**
 * Asks a node for its chain. Succeeds if it is the expected one, or if the node says that it does not know the question.
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyChain = (
  http: HttpService,
  target: Target,
  check: ChainCheck,
  network: NetworkInfo
): Effect.Effect<void, NodeError> =>
  askChain(http, target, check, network).pipe(
    Effect.mapError((error) => {
      const status = error instanceof BadStatus ? { status: error.status } : {}
      const pause = isLimited(error) ? { retryAfter: error.pause } : {}
      const kind =
        error instanceof HttpFailure ? error.kind : error instanceof BadStatus ? "status" : "malformed"
      const reason = error.message
      return new NodeError({ kind, call: CHAIN_CHECK, url: target.url, reason, ...status, ...pause })
    }),
    Effect.flatMap((problem) =>
      problem === undefined
        ? Effect.void
        : Effect.fail(new NodeError({ ...problem, call: CHAIN_CHECK, url: target.url }))
    )
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
  /**
   * Whether answers of a route depend on it. REST routes of a chain whose JSON-RPC is asked may be served by a program that knows
   * nothing of chain ids.
   */
  readonly covers: (path: string) => boolean
  /** Asks a node for its chain, unless it is trusted; fails if it serves another one or does not answer. */
  readonly verify: (node: Node) => Effect.Effect<void, NodeError>
  /** Passes on what a probe has found; `failed` if the node is not to be trusted, `limited` if it cannot be asked now. */
  readonly ifTrusted: <A>(node: Node, found: A) => Effect.Effect<A | "failed" | "limited">
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
  const asking = shareInFlight(scope, (node: Node) =>
    check === undefined
      ? Effect.void
      : Effect.map(verifyChain(http, node, check, network), () => markVerified(node))
  )
  const isTrusted = (node: Node): boolean => check === undefined || node.isVerified
  const ask = (node: Node): Effect.Effect<void, NodeError> =>
    Effect.suspend(() => (isTrusted(node) ? Effect.void : asking.run(node)))
  return {
    isTrusted,
    covers: (path) => path === "" || (check !== undefined && check.path !== ""),
    verify: ask,
    ifTrusted: <A>(node: Node, found: A) =>
      Effect.match(ask(node), {
        onFailure: ({ retryAfter }): A | "failed" | "limited" =>
          retryAfter === undefined ? "failed" : "limited",
        onSuccess: () => found
      })
  }
}
