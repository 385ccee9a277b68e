/**
 * One HTTP request of a call to one node: its url, its headers, and the decoding of the answer.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type { ResolvedConfig } from "../config/Config.js"
import { makeSecretHider } from "../config/headers.js"
import { isProviderUrl } from "../config/resolveConfig.js"
import { leftOf, rightOf } from "../data/eitherValues.js"
import { hideErrorSecrets, withRetryAfter } from "../data/SdkError.js"
import { type HttpService, monotonic } from "../http/service.js"
import { readReply } from "../wire/jsonRpc.js"
import type { Call, Rejection } from "../wire/Transport.js"
import { type RequestTarget, sendTo } from "./Layout.js"
import type { Node } from "./Nodes.js"
import { type AttemptFailure, cooldownOf, makeNodeError, toCallError } from "./Outcome.js"
import type { ChainIdCheck } from "./Probe.js"

/**
 * Sends a call to a node. If the node's chain is not verified yet, a read is sent at the same time as the chain check, and its answer counts
 * only if the check passes; any other call is sent after the check. The request ends by `until`, in milliseconds on the monotonic clock.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeRequest = <A>(
  node: Node,
  call: Call<A>,
  until: number,
  clock: Clock.Clock
) => Effect.Effect<A, AttemptFailure>

const headersFor = ({ headers }: RequestTarget, call: Call<unknown>): Readonly<Record<string, string>> => {
  const own = call.body === undefined ? headers.GET : headers.POST
  return call.headers === undefined ? own : { ...own, ...call.headers }
}

/** The failure of a rejected answer. If the node has asked for a pause, the error has `retryAfter`. */
const toFailure = (rejection: Rejection, pause: number | undefined): AttemptFailure => {
  if (pause === undefined) return rejection
  if (rejection.fault === "node")
    return { fault: rejection.fault, error: withRetryAfter(rejection.error, pause), pause }
  const { error, fault } = rejection
  const hasField = error._tag === "NodeError" || error._tag === "RpcError"
  return { fault, error: hasField ? withRetryAfter(error, pause) : error, pause }
}

/**
 * Makes the sender of requests over `http`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (config: ResolvedConfig, http: HttpService, chainIdCheck: ChainIdCheck): NodeRequest => {
  const hide = makeSecretHider(config)
  const isWithoutKey = config.info.testnet === true && config.apiKey[config.version] === undefined

  /** Without an API key, the provider needs `type=testnet` to know the network. Other servers get the url unchanged. */
  const urlOf = ({ url }: RequestTarget, { marksTestnet = false }: Call<unknown>): string => {
    return marksTestnet && isWithoutKey && isProviderUrl(config, url)
      ? `${url}${url.includes("?") ? "&" : "?"}type=testnet`
      : url
  }

  const sendRequest: NodeRequest = (node, call, until, clock) => {
    const target = node.targetFor(call.path)
    const sent = sendTo(http, target, {
      method: call.verb,
      url: urlOf(target, call),
      headers: headersFor(target, call),
      body: call.body,
      timeout: Math.max(1, Math.ceil(until - monotonic(clock))),
      maxBytes: config.maxResponseBytes
    })
    return Effect.matchEffect(sent, {
      onFailure: ({ kind, reason, rejection }) =>
        Effect.fail<AttemptFailure>(
          rejection ?? { fault: "node", error: makeNodeError(kind, call.label, node, hide(reason)) }
        ),
      onSuccess: (response) => {
        if (call.trace !== undefined) call.trace.node = { url: node.printableUrl, status: response.status }
        const read = readReply(call, { status: response.status, text: response.text, url: node.url, hide })
        return Either.isRight(read)
          ? Effect.succeed(rightOf(read))
          : Effect.fail(toFailure(leftOf(read), cooldownOf(response, leftOf(read), clock)))
      }
    })
  }

  /** Checks the chain of the node. If the check fails, the call has not been sent. */
  const verifyNode = (
    node: Node,
    { label }: Call<unknown>,
    until: number,
    clock: Clock.Clock
  ): Effect.Effect<void, AttemptFailure> => {
    const limit = Math.ceil(until - monotonic(clock))
    const makeTimeout = () => makeNodeError("timeout", label, node, `no answer within ${limit} ms`)
    return Effect.mapError(
      Effect.timeoutFail(chainIdCheck.verify(node), { duration: limit, onTimeout: makeTimeout }),
      (checkError): AttemptFailure => {
        const { retryAfter: pause } = checkError
        const error = toCallError(hideErrorSecrets(checkError, hide), label)
        return pause === undefined
          ? { fault: "node", error, unsent: true }
          : { fault: "limited", error, unsent: true, pause }
      }
    )
  }

  return (node, call, until, clock) => {
    if (chainIdCheck.isTrusted(node) || !chainIdCheck.covers(call.path))
      return sendRequest(node, call, until, clock)
    const send = Effect.suspend(() => sendRequest(node, call, until, clock))
    const verify = verifyNode(node, call, until, clock)
    if (call.repeat !== "read") return Effect.zipRight(verify, send)
    return Effect.flatMap(Effect.fork(send), (answer) =>
      Effect.ensuring(Effect.zipRight(verify, Fiber.join(answer)), Fiber.interruptFork(answer))
    )
  }
}
