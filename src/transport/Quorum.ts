/**
 * Quorum reads: a layer that sends the same call to several nodes, and accepts the answer on which enough of them agree.
 *
 * @since 0.1.0
 */

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

import { findCallOptionsProblem } from "../config/optionChecks.js"
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

/** An answer and its votes: a value, or an error about the request. */
interface AnswerVotes<A> {
  readonly exit: Exit.Exit<A, CallError>
  readonly value: unknown
  votes: number
}

/** Whether two JSON values are equal. The order of keys does not matter, and a key with the value undefined counts as missing. */
const isEqualJson = (one: unknown, other: unknown): boolean => {
  // a list instead of recursion, since a node can nest its answer as deep as it wants
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

/** The part of an error about the request that is equal for nodes that mean the same; undefined for other errors. Messages differ. */
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

/** The options of a quorum read. */
interface PollOptions {
  readonly quorum: QuorumOptions
  /** The options of each request. */
  readonly options: CallOptionsShape
  /** The time limit of the whole read, in milliseconds. */
  readonly timeout: number
  readonly hide: HideSecrets
}

/** Counts a vote for an answer, and yields the answer's votes so far. */
const recordVote = <A>(
  answers: Array<AnswerVotes<A>>,
  isSame: NonNullable<QuorumOptions["isSame"]>,
  exit: Exit.Exit<A, CallError>,
  value: unknown
): AnswerVotes<A> => {
  const isKnown = Exit.isSuccess(exit) ? isSame : isEqualJson
  const known = answers.find((each) => each.exit._tag === exit._tag && isKnown(each.value, value))
  const answer = known ?? { exit, value, votes: 0 }
  if (known === undefined) answers.push(answer)
  answer.votes++
  return answer
}

/** Asks the nodes. If too few agree, it fails with the answers of all. */
const pollNodes = <A>(
  inner: TransportService,
  call: Call<A>,
  urls: ReadonlyArray<string>,
  { hide, options, quorum: { agree, isSame = isEqualJson, nodes }, timeout }: PollOptions
): Effect.Effect<A, CallError> =>
  Effect.clockWith((clock) => {
    const due = monotonic(clock) + timeout
    const voted: Array<AnswerVotes<A>> = []
    const answers: Array<{ readonly url: string; readonly said: string }> = []
    const waiting = [...urls]
    let asking = Math.min(nodes, urls.length)
    const canAgree = (): boolean => voted.some(({ votes }) => votes + asking >= agree) || asking >= agree
    const failWithoutQuorum = (): Exit.Exit<never, CallError> =>
      Exit.fail(new NoQuorum({ call: call.label, nodes, agree, answers }))
    /** Asks one node, and the next one in its place if it fails. As soon as the outcome is known, it fails with that outcome. */
    const askNext: Effect.Effect<void, Exit.Exit<A, CallError>> = Effect.suspend(() => {
      const remaining = Math.ceil(due - monotonic(clock))
      const url = remaining > 0 ? waiting.shift() : undefined
      if (url === undefined) {
        asking--
        return canAgree() ? Effect.void : Effect.fail(failWithoutQuorum())
      }
      const sent = Effect.provideService(inner.send(call), CallOptions, {
        ...options,
        node: url,
        timeout: remaining
      })
      const count = (exit: Exit.Exit<A, CallError>, value: unknown) => {
        asking--
        const { votes, exit: outcome } = recordVote(voted, isSame, exit, value)
        if (votes >= agree) return Effect.fail(outcome)
        return canAgree() ? Effect.void : Effect.fail(failWithoutQuorum())
      }
      return Effect.matchEffect(sent, {
        onFailure: (error) => {
          const meaning = toMeaning(error)
          answers.push({ url, said: hide(error.message) })
          return meaning === undefined ? askNext : count(Exit.fail(error), meaning)
        },
        onSuccess: (value) => {
          answers.push({ url, said: hide(formatValue(value)) })
          return count(Exit.succeed(value), value)
        }
      })
    })
    return Effect.matchEffect(
      Effect.forEach(Array.from({ length: asking }), () => askNext, {
        concurrency: "unbounded",
        discard: true
      }),
      { onFailure: (outcome) => outcome, onSuccess: failWithoutQuorum }
    )
  })

/**
 * Makes a transport that sends reads to several nodes if `CallOptions.quorum` says so. It asks `nodes` nodes at once, and others in place of
 * those that fail. The call ends as soon as `agree` nodes have given the same answer, or no longer can. `urlsOf` yields the nodes, the best
 * first, and before them those that have reached `minBlock`. `timeout` (milliseconds) is the default time limit; `hide` removes secrets from
 * the messages of nodes.
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
