import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { withMetrics } from "../balancer/Metrics.js"
import * as SdkConfig from "../config/Config.js"
import { makeEffect } from "../config/Logger.js"
import type { AnyNetwork } from "../data/Network.js"
import type { InitError } from "../data/SdkError.js"
import { keepDeadlines } from "../http/deadlines.js"
import type { Http } from "../http/service.js"
import { callSpans } from "../transport/Spans.js"
import { Tracing } from "../wire/Transport.js"
import {
  type AnyPickedConfig,
  asAnyNetwork,
  makePicked,
  type PickableFamily,
  type PickedClient
} from "./picked.js"

/** Makes clients of picked endpoints of a family on the Effect surface. */
export const makePickedEffect =
  (bare: PickableFamily) =>
  <N extends AnyNetwork, Rpc, More>({
    endpoints,
    layers,
    network,
    ...options
  }: AnyPickedConfig<N, SdkConfig.SdkConfig<N, SdkConfig.Consistency, DurationInput>>): Effect.Effect<
    PickedClient<N, Rpc, More>,
    InitError,
    Http | Scope.Scope
  > => {
    const parts = { endpoints, network, ...(layers === undefined ? {} : { layers }) }
    const { network: _, ...timed } = SdkConfig.toMilliseconds({ ...options, network: asAnyNetwork(network) })
    return Effect.map(
      Effect.provideService(
        withMetrics(keepDeadlines(makePicked({ ...timed, ...parts }, bare, makeEffect))),
        Tracing,
        callSpans
      ),
      // the calls follow the type Picked by construction
      ({ sdk }) => sdk as PickedClient<N, Rpc, More>
    )
  }
