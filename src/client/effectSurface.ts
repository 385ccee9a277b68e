import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { withMetrics } from "../balancer/Metrics.js"
import type { AnyNetworkOf } from "../chains/registry.js"
import * as SdkConfig from "../config/Config.js"
import { makeEffect } from "../config/Logger.js"
import type { AnyNetwork, Family as FamilyId, NetworkTable } from "../data/Network.js"
import type { InitError } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import type { Http } from "../http/service.js"
import type { LayerConfig, Layers } from "../transport/layerStack.js"
import { callSpans } from "../transport/Spans.js"
import { Tracing } from "../wire/Transport.js"
import {
  type ClientSource,
  type Families,
  type FullClientOption,
  given,
  makeFamilySource,
  makeParts,
  type RpcSdk
} from "./clientParts.js"

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
  config: Omit<SdkConfig.SdkConfig<M, C, DurationInput>, FullClientOption | keyof Layers> &
    LayerConfig<L, DurationInput>
) => Effect.Effect<RpcSdk<M, SdkConfig.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/**
 * Makes an Effect client of nodes, without services, with all layers.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeRpc<N extends AnyNetwork> = <M extends N, C extends SdkConfig.Consistency = "eventual">(
  config: Omit<SdkConfig.SdkConfig<M, C, DurationInput>, FullClientOption>
) => Effect.Effect<RpcSdk<M, SdkConfig.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/** Where to import other networks from, for error messages. */
export const OTHER_ENTRIES = "the module of effect-chains/effect/chains that has it, or Sdk of effect-chains"

/** Makes every Effect client of nodes, without services. */
export const makeOver = <N extends AnyNetwork>(
  config: Omit<SdkConfig.SdkConfig<N, SdkConfig.Consistency, DurationInput>, FullClientOption>,
  source: ClientSource
): Effect.Effect<RpcSdk<N>, InitError, Http | Scope.Scope> =>
  Effect.map(
    Effect.provideService(
      withMetrics(keepDeadlines(makeParts(SdkConfig.toMilliseconds(config), source, makeEffect))),
      Tracing,
      callSpans
    ),
    ({ sdk }) => sdk
  )

/**
 * Makes clients of nodes for the networks of a table, and of families that the caller has imported, as its layers are.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAmong = <F extends FamilyId>(
  families: Families<F>,
  networks: NetworkTable
): MakeFamily<AnyNetworkOf<F>> => {
  return <M extends AnyNetwork>(
    config: Omit<SdkConfig.SdkConfig<M, SdkConfig.Consistency, DurationInput>, FullClientOption> & {
      readonly layers?: Layers
    }
  ) => makeOver(config, makeFamilySource(families, networks, given(config.layers), OTHER_ENTRIES))
}
