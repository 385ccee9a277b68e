/**
 * One request of a call to one node: where it goes, with which headers, and what is made of the answer.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isProviderUrl, type ResolvedConfig } from "../config/Config.js"
import { hidingOf } from "../config/headers.js"
import type { Hiding } from "../data/foreign.js"
import { isTestnet } from "../data/Network.js"
import { concealed } from "../data/SdkError.js"
import type { HttpResponse, HttpService } from "../http/service.js"
import { monotonic } from "../http/time.js"
import { readReply } from "../wire/jsonRpc.js"
import { join } from "../wire/route.js"
import type { Call } from "../wire/Transport.js"
import type { ChainIdCheck } from "./ChainIdCheck.js"
import type { Member } from "./Member.js"
import { failureOf, pauseOf, type Refusal } from "./Outcome.js"

/**
 * Sends a call to a node, which is asked for its chain before if that is not known. It ends by `until`, in milliseconds
 * since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export type NodeRequest = <A>(
  member: Member,
  call: Call<A>,
  until: number,
  clock: Clock.Clock
) => Effect.Effect<A, Refusal>

const headersOf = (member: Member, call: Call<unknown>): Readonly<Record<string, string>> => {
  const own = call.body === undefined ? member.headers.GET : member.headers.POST
  return call.headers === undefined ? own : { ...own, ...call.headers }
}

/** What a node repeats of what the client holds goes into no error. */
const read = <A>(
  call: Call<A>,
  response: HttpResponse,
  url: string,
  hide: Hiding,
  clock: Clock.Clock
): Effect.Effect<A, Refusal> => {
  const { status, text } = response
  const outcome = readReply(call, { status, text, url })
  if (Either.isRight(outcome)) return outcome
  const { error, fault } = outcome.left
  return Effect.fail({ fault, error: concealed(error, hide), pause: pauseOf(response, outcome.left, clock) })
}

/**
 * Exchanges over `http`, with nodes that are trusted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (config: ResolvedConfig, http: HttpService, chainIdCheck: ChainIdCheck): NodeRequest => {
  const hide = hidingOf(config)
  const unkeyed = isTestnet(config.network) && config.apiKey[config.version] === undefined

  /** The marker stands for the key that would have told the provider which network it is; to others it means nothing. */
  const urlOf = (member: Member, { marked = false, path }: Call<unknown>): string => {
    const url = path === "" ? member.url : join(member.rest, path)
    return marked && unkeyed && isProviderUrl(config, url)
      ? `${url}${url.includes("?") ? "&" : "?"}type=testnet`
      : url
  }

  const ask: NodeRequest = (member, call, until, clock) => {
    const headers = headersOf(member, call)
    const sent = http.send({
      method: call.verb,
      url: urlOf(member, call),
      headers,
      body: call.body,
      timeout: Math.max(1, Math.ceil(until - monotonic(clock))),
      maxBytes: config.maxResponseBytes
    })
    return Effect.matchEffect(sent, {
      onFailure: ({ kind, reason }) =>
        Effect.fail({ fault: "node", error: failureOf(kind, call.label, member, hide(reason)) } as const),
      onSuccess: (response) => read(call, response, member.url, hide, clock)
    })
  }

  /** If the node turns out not to be trusted, the call itself has not been sent. */
  const verified = (member: Member, until: number, clock: Clock.Clock): Effect.Effect<void, Refusal> => {
    const limit = Math.ceil(until - monotonic(clock))
    const late = () => failureOf("timeout", "chain check", member, `no answer within ${limit} ms`)
    return Effect.mapError(
      Effect.timeoutFail(chainIdCheck.verify(member), { duration: limit, onTimeout: late }),
      (error): Refusal => ({ fault: "node", error: concealed(error, hide), unsent: true })
    )
  }

  return (member, call, until, clock) =>
    // REST routes of a JSON-RPC chain may be served by a program that knows nothing of chain ids
    chainIdCheck.isTrusted(member) || call.path !== ""
      ? ask(member, call, until, clock)
      : Effect.zipRight(
          verified(member, until, clock),
          Effect.suspend(() => ask(member, call, until, clock))
        )
}
