/**
 * Probes of nodes: their block height, and whether they serve the network's chain.
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
import { markVerified, type Node, type NodeFault, recordFault } from "./Nodes.js"
import { CHAIN_CHECK, cooldownOf } from "./Outcome.js"
import type { CheckOutcome } from "./Pool.js"

/** The size limit of an answer: the height of some families comes with a whole block only. */
const MAX_PROBE_BYTES = 4 * 1024 * 1024

/** The node to probe. */
type ProbedNode = Pick<Node, "url" | "targetFor">

/**
 * Parses a height: a JSON number, a decimal string, or a hexadecimal string with 0x.
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
 * The outcome of a probe. `limited`: the node has asked for a pause, so its health is unknown.
 *
 * @since 0.1.0
 * @category models
 */
export type ProbeOutcome = CheckOutcome | "limited"

/** An HTTP status that is not 2xx. `pause` is the cooldown that the node asks for, in milliseconds. */
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

/** A request to a node, which may be a height probe or a chain check. */
interface ProbeRequest<A> {
  readonly verb: "GET" | "POST"
  readonly path: string
  readonly body: unknown
  /** Reads the answer. It may throw: then the probe has failed. */
  readonly read: (answer: unknown) => A
}

const sendProbeRequest = <A>(
  http: HttpService,
  target: ProbedNode,
  { body, path, read, verb }: ProbeRequest<A>,
  timeout: number = PROBE_TIMEOUT
): Effect.Effect<A, Error> =>
  Effect.clockWith((clock) => {
    const requestTarget = target.targetFor(path)
    const sent = sendTo(http, requestTarget, {
      method: verb,
      url: requestTarget.url,
      headers: requestTarget.headers[verb],
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

/** Statuses of a server without the route. */
const NO_ROUTE = [404, 405, 501]

/** Sends `otherwise` if the node does not have the route. */
const orElseIfNoRoute = <A>(
  request: Effect.Effect<A, Error>,
  otherwise: () => Effect.Effect<A, Error>
): Effect.Effect<A, Error> =>
  Effect.catchAll(request, (error) =>
    error instanceof BadStatus && NO_ROUTE.includes(error.status) ? otherwise() : Effect.fail(error)
  )

/** Sends a probe, or its `otherwise` to a node without the route. */
const sendProbe = (
  http: HttpService,
  target: ProbedNode,
  { body, height, otherwise, path, verb }: Probe,
  timeout?: number
): Effect.Effect<number | undefined, Error> => {
  const request = sendProbeRequest(
    http,
    target,
    { verb, path, body, read: (answer) => parseHeight(height(answer)) },
    timeout
  )
  return otherwise === undefined
    ? request
    : orElseIfNoRoute(request, () => sendProbe(http, target, otherwise, timeout))
}

/** The kind and the reason of a failed request. */
const toFault = (error: Error): Pick<NodeError, "kind" | "reason"> => ({
  kind: error instanceof HttpFailure ? error.kind : error instanceof BadStatus ? "status" : "malformed",
  reason: error.message
})

/**
 * The options of a probe: its time limit in milliseconds, a function that gets the cooldown that the node asks for, in milliseconds, and one
 * that gets the reason of a failed probe.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProbeOptions {
  readonly timeout?: number | undefined
  readonly onCooldown?: (pause: number) => Effect.Effect<void>
  readonly onFailure?: (fault: NodeFault) => void
}

/**
 * Probes a node. Yields its height and the response time, `"failed"`, or `"limited"` if the node asks for a pause. It makes up to two attempts
 * and times the last one; with `timeout` it makes one.
 *
 * @since 0.1.0
 * @category operations
 */
export const probeNode = (
  http: HttpService,
  target: ProbedNode,
  probe: Probe,
  { onCooldown = () => Effect.void, onFailure = () => {}, timeout }: ProbeOptions = {}
): Effect.Effect<ProbeOutcome> => {
  const fail = (fault: NodeFault): "failed" => {
    onFailure(fault)
    return "failed"
  }
  return Effect.clockWith((clock) =>
    Effect.suspend(() => {
      const start = monotonic(clock)
      return Effect.map(sendProbe(http, target, probe, timeout), (height): CheckOutcome => {
        return height === undefined
          ? fail({ kind: "malformed", reason: "the node does not tell its height" })
          : { height, time: Math.max(1, monotonic(clock) - start) }
      })
    }).pipe(
      timeout === undefined
        ? Effect.retry({ schedule: PROBE_RETRIES, while: (error) => !isLimited(error) })
        : (once) => once,
      Effect.catchAll(
        (error): Effect.Effect<ProbeOutcome> =>
          isLimited(error)
            ? Effect.as(onCooldown(error.pause), "limited")
            : Effect.succeed(fail(toFault(error)))
      )
    )
  )
}

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null ? Reflect.get(message, "id") : undefined

/** Whether the node does not know the method. Such a node counts as checked. */
const isUnknownMethod = (answer: unknown): boolean => {
  const error = typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined
  if (typeof error !== "object" || error === null) return false
  const message = String(Reflect.get(error, "message"))
  return (
    Reflect.get(error, "code") === -32601 ||
    /method|not (found|supported|available|exist)|unsupported/i.test(message)
  )
}

/** Asks a node for its chain. Yields the problem with the answer, if any. */
const checkChain = (
  http: HttpService,
  target: ProbedNode,
  check: ChainCheck,
  network: NetworkInfo
): Effect.Effect<ReturnType<typeof findChainProblem>, Error> => {
  const { body, chainIn, fallback, path, verb } = check
  const read = (answer: unknown) => {
    // the answer to another request does not count
    const chain = idOf(answer) === idOf(body) ? chainIn(answer) : undefined
    return chain === undefined && isUnknownMethod(answer)
      ? undefined
      : findChainProblem(check, chain, network)
  }
  const request = sendProbeRequest(http, target, { verb, path, body, read })
  return fallback === undefined
    ? request
    : orElseIfNoRoute(request, () => checkChain(http, target, fallback, network))
}

/**
 * Asks a node for its chain. Succeeds if it is the network's chain, or if the node does not know the method.
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyChain = (
  http: HttpService,
  target: ProbedNode,
  check: ChainCheck,
  network: NetworkInfo
): Effect.Effect<void, NodeError> =>
  checkChain(http, target, check, network).pipe(
    Effect.mapError((error) => {
      const status = error instanceof BadStatus ? { status: error.status } : {}
      const pause = isLimited(error) ? { retryAfter: error.pause } : {}
      return new NodeError({ ...toFault(error), call: CHAIN_CHECK, url: target.url, ...status, ...pause })
    }),
    Effect.flatMap((problem) =>
      problem === undefined
        ? Effect.void
        : Effect.fail(new NodeError({ ...problem, call: CHAIN_CHECK, url: target.url }))
    )
  )

/**
 * Checks that nodes serve the network's chain. Until a node has passed, its answers do not count, it gets reads only, and it is not healthy.
 * It is checked once, and again after it has failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainIdCheck {
  readonly isTrusted: (node: Node) => boolean
  /** Whether calls to this path need the check. A JSON-RPC check says nothing of REST routes: another server may answer them. */
  readonly covers: (path: string) => boolean
  /** Checks a node that is not trusted yet. Fails if it serves another chain or does not answer. */
  readonly verify: (node: Node) => Effect.Effect<void, NodeError>
  /** Checks a node, and yields `found` if it passes, `failed` if it does not, `limited` if it asks for a pause. */
  readonly verifyThen: <A>(node: Node, found: A) => Effect.Effect<A | "failed" | "limited">
}

/**
 * Makes the check. Without `check` all nodes are trusted.
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
  const checksInFlight = shareInFlight(scope, (node: Node) =>
    check === undefined
      ? Effect.void
      : Effect.mapError(
          Effect.map(verifyChain(http, node, check, network), () => markVerified(node)),
          (error) => {
            recordFault(node, error)
            return error
          }
        )
  )
  const isTrusted = (node: Node): boolean => check === undefined || node.isVerified
  const verify = (node: Node): Effect.Effect<void, NodeError> =>
    Effect.suspend(() => (isTrusted(node) ? Effect.void : checksInFlight.run(node)))
  return {
    isTrusted,
    covers: (path) => path === "" || (check !== undefined && check.path !== ""),
    verify,
    verifyThen: <A>(node: Node, found: A) =>
      Effect.match(verify(node), {
        onFailure: ({ retryAfter }): A | "failed" | "limited" =>
          retryAfter === undefined ? "failed" : "limited",
        onSuccess: () => found
      })
  }
}
