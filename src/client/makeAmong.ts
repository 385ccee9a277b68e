import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { measured } from "../balancer/Metrics.js"
import type { NetworkOf } from "../chains/registry.js"
import * as Config from "../config/Config.js"
import { makeEffect } from "../config/Logger.js"
import type { Family as FamilyId, Network, NetworkTable } from "../data/Network.js"
import type { InitError } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import type { Http } from "../http/service.js"
import { spans } from "../transport/Spans.js"
import type { Layers } from "../transport/stack.js"
import { Tracing } from "../wire/Transport.js"
import { among, type Families, makeParts, type RpcSdk, type Unserved } from "./make.js"

/**
 * How a client of nodes alone is made.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeRpc<N extends Network> = <M extends N, C extends Config.Consistency = "eventual">(
  config: Omit<Config.SdkConfig<M, C, DurationInput>, Unserved>
) => Effect.Effect<RpcSdk<M, Config.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/**
 * Makes clients of nodes for the networks of a table, and of families that the caller has imported.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAmong = <F extends FamilyId>(
  families: Families<F>,
  networks: NetworkTable,
  layers: Layers
): MakeRpc<NetworkOf<F>> => {
  const source = among(
    families,
    networks,
    layers,
    "the module of effect-chains/effect/chains that has it, or Sdk of effect-chains"
  )
  return (config) =>
    Effect.map(
      Effect.provideService(
        measured(keepDeadlines(makeParts(Config.inMilliseconds(config), source, makeEffect))),
        Tracing,
        spans
      ),
      ({ sdk }) => sdk
    )
}
