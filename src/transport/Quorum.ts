/**
 * Reads for which no single node is believed: the same call is sent to several nodes, and the answer is the one that enough
 * of them give. A layer between clients and the transport that sends, which is asked once per node.
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { findCallOptionsProblem } from "../config/Config.js"
import { formatValue, InvalidArgument, NoQuorum } from "../data/SdkError.js"
import { type HideSecrets, isRecord } from "../data/untrusted.js"
import { monotonic } from "../http/service.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type QuorumOptions,
  type TransportService
} from "../wire/Transport.js"

/** The answer that some nodes agree on: a value, or that the request is wrong. */
interface AnswerVotes<A> {
  readonly exit: Exit.Exit<A, CallError>
  readonly value: unknown
  votes: number
}

/** Whether two values from JSON are the same, whatever the order of their keys. A key without a value is no key. */
const isEqualJson = (one: unknown, other: unknown): boolean => {
  // a list of the pairs that are left to compare, as nodes may nest their answers as deep as they want
  const pairs: Array<readonly [unknown, unknown]> = [[one, other]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (Object.is(a, b)) continue
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false
      for (const [i, item] of a.entries()) pairs.push([item, b[i]])
    } else {
      if (!isRecord(a) || !isRecord(b)) return false
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) pairs.push([a[key], b[key]])
    }
  }
  return true
}

/** The part of an error about the request that is equal at nodes that mean the same. Their words differ. */
const toMeaning = (error: CallError): unknown => {
  switch (error._tag) {
    case "RpcError":
      return { code: error.code }
    case "RequestRejected":
      return { status: error.status }
    case "InvalidArgument":
      return { reason: error.reason }
    default:
      return undefined
  }
}

/** How several nodes are asked. */
interface PollOptions {
  readonly quorum: QuorumOptions
  /** The options of each request. */
  readonly options: CallOptionsShape
  /** For all of them together, in milliseconds. */
  readonly timeout: number
  readonly hide: HideSecrets
}

/** Asks the nodes. Fails with the answer of each one if too few agree. */
const pollNodes = <A>(
  inner: TransportService,
  call: Call<A>,
  urls: ReadonlyArray<string>,
  { hide, options, quorum: { agree, isSame = isEqualJson, nodes }, timeout }: PollOptions
): Effect.Effect<A, CallError> =>
  Effect.clockWith((clock) => {
    const due = monotonic(clock) + timeout
    const opinions: Array<AnswerVotes<A>> = []
    const answers: Array<{ readonly url: string; readonly said: string }> = []
    const waiting = [...urls]
    let asking = Math.min(nodes, urls.length)
    const none = (): Exit.Exit<never, CallError> =>
      Exit.fail(new NoQuorum({ call: call.label, nodes, agree, answers }))
    const vote = (exit: Exit.Exit<A, CallError>, value: unknown): AnswerVotes<A> => {
      const isKnown = Exit.isSuccess(exit) ? isSame : isEqualJson
      const known = opinions.find((each) => each.exit._tag === exit._tag && isKnown(each.value, value))
      const opinion = known ?? { exit, value, votes: 0 }
      if (known === undefined) opinions.push(opinion)
      opinion.votes++
      return opinion
    }
    /** Asks one node; the next one in its place if it has nothing to say. Fails with the outcome as soon as there is one. */
    const one: Effect.Effect<void, Exit.Exit<A, CallError>> = Effect.suspend(() => {
      const remaining = Math.ceil(due - monotonic(clock))
      const url = remaining > 0 ? waiting.shift() : undefined
      const enough = (): boolean => opinions.some(({ votes }) => votes + asking >= agree) || asking >= agree
      if (url === undefined) {
        asking--
        return enough() ? Effect.void : Effect.fail(none())
      }
      const sent = Effect.provideService(inner.send(call), CallOptions, {
        ...options,
        node: url,
        timeout: remaining
      })
      const count = (exit: Exit.Exit<A, CallError>, value: unknown) => {
        asking--
        const opinion = vote(exit, value)
        if (opinion.votes >= agree) return Effect.fail(opinion.exit)
        return enough() ? Effect.void : Effect.fail(none())
      }
      return Effect.matchEffect(sent, {
        onFailure: (error) => {
          const meaning = toMeaning(error)
          answers.push({ url, said: hide(error.message) })
          return meaning === undefined ? one : count(Exit.fail(error), meaning)
        },
        onSuccess: (value) => {
          answers.push({ url, said: hide(formatValue(value)) })
          return count(Exit.succeed(value), value)
        }
      })
    })
    return Effect.matchEffect(
      Effect.forEach(Array.from({ length: asking }), () => one, { concurrency: "unbounded", discard: true }),
      { onFailure: (outcome) => outcome, onSuccess: none }
    )
  })

/**
 * A transport whose reads are sent to several nodes where `CallOptions.quorum` says so: `nodes` different ones are asked
 * at once, others in place of those that fail, and the call ends as soon as `agree` of them say the same, or no longer
 * can. `urlsOf` tells the nodes to ask, the best ones first, and before them those that are at `minBlock`. `timeout`
 * (milliseconds) is the limit of a call that has none of its own; `hide` takes secrets out of the words of nodes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  inner: TransportService,
  urlsOf: (archive: boolean, minBlock?: number) => Effect.Effect<ReadonlyArray<string>>,
  timeout: number,
  hide: HideSecrets = (said) => said
): TransportService => ({
  nodeUrl: (archive) => inner.nodeUrl(archive),
  send: (call) =>
    Effect.flatMap(CallOptions, (given) => {
      const { quorum, ...options } = given
      if (quorum === undefined || call.repeat !== "read") return inner.send(call)
      const reason =
        findCallOptionsProblem(given) ??
        (options.node === undefined
          ? undefined
          : "a quorum of several nodes and the one node of the option node exclude each other")
      if (reason !== undefined) return Effect.fail(new InvalidArgument({ call: call.label, reason }))
      const { agree, nodes } = quorum
      const minBlock = options.minBlock === undefined ? undefined : Number(options.minBlock)
      return Effect.flatMap(urlsOf(call.archive, minBlock), (urls) =>
        urls.length < agree
          ? Effect.fail(new NoQuorum({ call: call.label, nodes, agree, answers: [] }))
          : pollNodes(inner, call, [...new Set(urls)], {
              quorum,
              options,
              timeout: options.timeout ?? timeout,
              hide
            })
      )
    })
})
