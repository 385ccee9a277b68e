import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { NetworkOf } from "../chains/registry.js"
import * as Config from "../config/Config.js"
import { makeEffect } from "../config/Logger.js"
import type { Family as FamilyId, Network } from "../data/Network.js"
import type { InitError } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import type { Http } from "../http/service.js"
import { spans } from "../transport/Spans.js"
import { Tracing } from "../wire/Transport.js"
import { type Families, familyOf, makeParts, type RpcSdk } from "./make.js"

/**
 * How a client of nodes alone is made.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeRpc<N extends Network> = <M extends N, C extends Config.Consistency = "eventual">(
  config: Config.SdkConfig<M, C, DurationInput>
) => Effect.Effect<RpcSdk<M, Config.ConsistencyError<C>>, InitError, Http | Scope.Scope>

/**
 * Makes clients of nodes for the networks of families that the caller has imported: for builds without code splitting.
 * `./effect/chains/*` export it for their own. Fails with `InvalidConfig` on a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = <F extends FamilyId>(families: Families<F>): MakeRpc<NetworkOf<F>> => {
  const load = familyOf(
    families,
    "the module of effect-chains/effect/chains that has it, or Sdk of effect-chains"
  )
  return (config) =>
    Effect.map(
      Effect.provideService(
        keepDeadlines(makeParts(Config.inMilliseconds(config), load, makeEffect)),
        Tracing,
        spans
      ),
      ({ sdk }) => sdk
    )
}
