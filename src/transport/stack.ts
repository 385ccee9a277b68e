import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { callOptionsProblem, type ResolvedConfig } from "../config/Config.js"
import { hidingOf } from "../config/headers.js"
import { InvalidArgument } from "../data/SdkError.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type TransportService
} from "../wire/Transport.js"
import * as Batch from "./Batch.js"
import * as Coalesce from "./Coalesce.js"
import * as Quorum from "./Quorum.js"

/** The nodes that a configuration names: archive nodes for calls that need them, if there are any. */
const configured = ({ nodes = [] }: ResolvedConfig, archive: boolean): ReadonlyArray<string> => {
  const archives = nodes.filter(({ type }) => type === "ARCHIVE")
  return (archive && archives.length > 0 ? archives : nodes).map(({ url }) => url)
}

/** The layers between the calls of a client and its nodes, in which calls share requests or are sent several times. */
export const stack = (
  inner: TransportService,
  config: ResolvedConfig
): Effect.Effect<TransportService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const batching = yield* Batch.make(inner, config)
    const coalescing = yield* Coalesce.make(batching, config.coalesce)
    const urlsOf = inner.nodeUrls ?? ((archive) => Effect.succeed(configured(config, archive)))
    const quorum = Quorum.make(coalescing, urlsOf, config.timeout, hidingOf(config))
    /** Most calls have nothing to do with most of this, and do not pay for it. */
    const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> =>
      options.quorum !== undefined
        ? quorum.send(call)
        : (options.coalesce ?? config.coalesce)
          ? coalescing.sendWith(call, options)
          : (options.batch ?? config.batch ?? false) !== false
            ? batching.sendWith(call, options)
            : inner.send(call)
    return {
      nodeUrl: (archive) => inner.nodeUrl(archive),
      send: (call) =>
        Effect.flatMap(CallOptions, (options) => {
          const problem = callOptionsProblem(options)
          if (problem !== undefined)
            return Effect.fail(new InvalidArgument({ call: call.label, reason: problem }))
          if (call.repeat !== "read") return coalescing.sendWith(call, options)
          const { minBlock } = options
          const seen = inner.seen?.()
          if (minBlock === undefined && seen === undefined) return sendWith(call, options)
          const resolved = { ...options, minBlock: Math.max(Number(minBlock ?? -1), seen ?? -1) }
          return Effect.provideService(sendWith(call, resolved), CallOptions, resolved)
        })
    }
  })
