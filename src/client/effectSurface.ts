/** The Effect surface: calls are effects, and a client ends with its scope. */
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { withMetrics } from "../balancer/Metrics.js"
import type { NodePoolView } from "../balancer/NodePool.js"
import type * as SdkConfig from "../config/Config.js"
import { toMilliseconds } from "../config/durations.js"
import { Logger, makeEffect } from "../config/Logger.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import type { AnyNetwork } from "../data/Network.js"
import type { InitError } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import type { Http } from "../http/service.js"
import type { LayerConfig, Layers } from "../transport/layerStack.js"
import { callSpans } from "../transport/Spans.js"
import { Tracing } from "../wire/Transport.js"
import { type Scoped, scopeCalls } from "./callScope.js"
import {
  type ClientConfig,
  type FullClientOption,
  type MakeSource,
  makeClient,
  type RpcSdk,
  type SurfaceConfig
} from "./clientParts.js"
import { withoutForkLogs } from "./forks.js"

/**
 * Makes the Effect client of a family's network, in one file. `layers` are the layers between its calls and its nodes
 * (default: none). Each of them is an import, and adds its options.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeFamily<N extends AnyNetwork> = <
  M extends N,
  L extends Layers = {},
  C extends SdkConfig.Consistency = "eventual"
>(
  config: OnThisEffect<
    Omit<SdkConfig.SdkConfig<M, C, DurationInput>, FullClientOption | keyof Layers> &
      LayerConfig<L, DurationInput>
  >
) => Effect.Effect<RpcSdk<M, SdkConfig.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/**
 * Makes an Effect client of nodes, without services, with all layers.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeRpc<N extends AnyNetwork> = <M extends N, C extends SdkConfig.Consistency = "eventual">(
  config: OnThisEffect<Omit<SdkConfig.SdkConfig<M, C, DurationInput>, FullClientOption>>
) => Effect.Effect<RpcSdk<M, SdkConfig.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/** Where to import other networks from, for error messages. */
const OTHER_ENTRIES = "the module of effect-chains/effect/chains that has it, or Sdk of effect-chains"

/** Options of an Effect client: `toClient` adds members, `tracing` chooses its spans. */
interface EffectSurface<in Made> {
  readonly toClient?: (made: Scoped<Made>) => object
  readonly tracing?: typeof callSpans
}

/** Adds metrics, deadlines and spans. Fibers of the client do not log their failures. */
export const withObservability = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  tracing: typeof callSpans
): Effect.Effect<A, E, R | Http> =>
  withoutForkLogs(Effect.provideService(withMetrics(keepDeadlines(effect)), Tracing, tracing))

/**
 * Makes the clients of a source on the Effect surface.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffectClient =
  <Made extends { readonly sdk: { readonly nodes: NodePoolView } }>(
    makeSource: MakeSource<Made>,
    { toClient = ({ sdk }) => sdk, tracing = callSpans }: EffectSurface<Made> = {}
  ) =>
  <Client>(options: SurfaceConfig<DurationInput>): Effect.Effect<Client, InitError, Http | Scope.Scope> => {
    // a row stands for its network
    const config = toMilliseconds(options as ClientConfig<DurationInput>)
    const source = makeSource(config, OTHER_ENTRIES)
    // a logger of the program, which nothing requires, stands in for that of the configuration
    const client = Effect.flatMap(Effect.serviceOption(Logger), (own) =>
      makeClient(config, scopeCalls(source), (resolved) => Option.getOrElse(own, () => makeEffect(resolved)))
    )
    // the members follow from the source, whose types are those of the entry
    return Effect.map(withObservability(client, tracing), toClient) as Effect.Effect<
      Client,
      InitError,
      Http | Scope.Scope
    >
  }
