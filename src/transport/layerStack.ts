import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Consistency, ResolvedConfig, SdkConfig } from "../config/Config.js"
import { makeSecretHider } from "../config/headers.js"
import { findCallOptionsProblem } from "../config/optionChecks.js"
import type { Network } from "../data/Network.js"
import { InvalidArgument } from "../data/SdkError.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  Tracing,
  type TransportService,
  type TransportWithOptions
} from "../wire/Transport.js"
import type * as Batch from "./Batch.js"
import type * as Coalesce from "./Coalesce.js"
import type * as Quorum from "./Quorum.js"

/**
 * The optional layers between the calls of a client and its nodes. A client that loads its parts on demand has all of them. A client of
 * `effect-chains/chains/*` or of picked endpoints has those that it is given.
 *
 * @since 0.1.0
 * @category models
 */
export interface Layers {
  readonly batch?: typeof Batch.make
  readonly coalesce?: typeof Coalesce.make
  readonly quorum?: typeof Quorum.make
}

/** The layers of a client, and the check for options that need a missing layer. */
export interface ClientLayers extends Layers {
  readonly findMissingLayer?: (options: CallOptionsShape) => string | undefined
}

/** The layers that are missing, which are also the options that the client does not have. */
export type MissingLayers<L> = Exclude<keyof Layers, keyof L>

/**
 * The layers that a client is given, and their options.
 *
 * @since 0.1.0
 * @category models
 */
export type LayerConfig<L extends Layers, Time = number> = { readonly layers?: L } & Pick<
  SdkConfig<Network, Consistency, Time>,
  keyof NoInfer<L> & keyof SdkConfig
>

/** Makes the layers of a client that has only these. */
export const toClientLayers = (layers: Layers | undefined): ClientLayers => ({
  ...layers,
  findMissingLayer: (options) => {
    const name = (["batch", "coalesce", "quorum"] as const).find(
      (each) => (options[each] ?? false) !== false && layers?.[each] === undefined
    )
    return name && `${name} is not among the layers that this client was made with`
  }
})

/** A transport that ignores the options of calls. */
const ignoreOptions = (inner: TransportService): TransportWithOptions => ({
  nodeUrl: (archive) => inner.nodeUrl(archive),
  send: (call) => inner.send(call),
  sendWith: (call) => inner.send(call)
})

/** The urls of the configuration's nodes: for archive calls those of archive nodes, if there are any. */
const configuredUrls = ({ nodes = [] }: ResolvedConfig, archive: boolean): ReadonlyArray<string> => {
  const archives = nodes.filter(({ type }) => type === "ARCHIVE")
  return (archive && archives.length > 0 ? archives : nodes).map(({ url }) => url)
}

/**
 * Reports the end of a call. An interrupted fiber skips the handlers after the call, so its own end is observed, too. An observer takes a
 * third of the time of a finalizer.
 */
const reportEnd = <A>(
  sent: Effect.Effect<A, CallError>,
  ended: NonNullable<TransportService["onCallEnd"]>
): Effect.Effect<A, CallError> =>
  Effect.withFiberRuntime((fiber) => {
    const reportInterruption = (): void => ended(Exit.interrupt(fiber.id()))
    fiber.addObserver(reportInterruption)
    const reportEnd = (exit: Exit.Exit<A, CallError>): Exit.Exit<A, CallError> => {
      fiber.removeObserver(reportInterruption)
      ended(exit)
      return exit
    }
    return Effect.matchCauseEffect(sent, {
      onFailure: (cause) => reportEnd(Exit.failCause(cause)),
      onSuccess: (value) => reportEnd(Exit.succeed(value))
    })
  })

/**
 * Stacks the layers between the calls of a client and its nodes. However many requests a call shares or sends there, it counts as one call
 * and has one span.
 */
export const makeLayered = (
  inner: TransportService,
  config: ResolvedConfig,
  layers: ClientLayers
): Effect.Effect<TransportService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const tracing = yield* Tracing
    const observed: NonNullable<TransportService["observe"]> = (call, send) => {
      const sent = tracing === undefined ? send(call) : tracing.traceCall(call, send, config.network)
      return inner.onCallEnd === undefined || call.isPart === true ? sent : reportEnd(sent, inner.onCallEnd)
    }
    const batching = layers.batch === undefined ? ignoreOptions(inner) : yield* layers.batch(inner, config)
    const coalescing = layers.coalesce === undefined ? batching : yield* layers.coalesce(batching, config)
    const urlsOf = inner.nodeUrls ?? ((archive) => Effect.succeed(configuredUrls(config, archive)))
    const each: TransportService =
      tracing === undefined
        ? coalescing
        : { ...coalescing, send: (call) => tracing.traceCall(call, coalescing.send) }
    const agreeing = layers.quorum?.(each, urlsOf, config.timeout, makeSecretHider(config)) ?? each
    /** Sends a call through the first layer that it needs, so that most calls skip the others. */
    const sendWith = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> =>
      options.quorum !== undefined
        ? agreeing.send(call)
        : (options.coalesce ?? config.coalesce)
          ? coalescing.sendWith(call, options)
          : (options.batch ?? config.batch ?? false) !== false
            ? batching.sendWith(call, options)
            : inner.send(call)
    const send = <A>(call: Call<A>, options: CallOptionsShape): Effect.Effect<A, CallError> => {
      const problem = findCallOptionsProblem(options) ?? layers.findMissingLayer?.(options)
      if (problem !== undefined)
        return Effect.fail(new InvalidArgument({ call: call.label, reason: problem }))
      if (call.repeat !== "read") return coalescing.sendWith(call, options)
      const { minBlock } = options
      const seen = inner.highestSeen?.()
      if (minBlock === undefined && seen === undefined) return sendWith(call, options)
      const resolved = { ...options, minBlock: Math.max(Number(minBlock ?? -1), seen ?? -1) }
      return Effect.provideService(sendWith(call, resolved), CallOptions, resolved)
    }
    return {
      ...inner,
      joinBatch: config.coalesce ? undefined : batching.joinBatch,
      observe: observed,
      send: (call) => observed(call, (call) => Effect.flatMap(CallOptions, (options) => send(call, options)))
    }
  })
