/**
 * The chains that a route of the current data API serves.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { idOfChain } from "../../data/dataRoutes.js"
import { chainOfRoute, type V4Route } from "../../data/v4Routes.js"
import { type Invalid, makeInvalid } from "../api/Refusal.js"
import type { SandboxError } from "../SandboxError.js"
import { type DataSources, findPlace, type NetworkPlace } from "./Data.js"

/**
 * Refuses parameters, with a line for each.
 *
 * @since 0.1.0
 * @category errors
 */
export const failInvalid = (...data: ReadonlyArray<string>): Effect.Effect<never, Invalid> =>
  Effect.fail(makeInvalid("validation.failed", "Request validation failed.", data))

/**
 * The network of a query, and its name on the route.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServedPlace extends NetworkPlace {
  readonly chain: string
}

/**
 * A chain's name on a route. Fails for chains that the route does not serve.
 *
 * @since 0.1.0
 * @category getters
 */
export const findServedChain = (
  route: V4Route,
  { chain }: { readonly chain: string }
): Effect.Effect<string, Invalid> => {
  const found = chainOfRoute(route, chain)
  return found === undefined
    ? failInvalid(`chain must be one of ${route.chains.join(", ")}`)
    : Effect.succeed(found)
}

/**
 * The network of a query on a route, once the store has all blocks of its nodes. Fails for chains that the route does
 * not serve, and for networks without an index.
 *
 * @since 0.1.0
 * @category getters
 */
export const findServedPlace = (
  index: DataSources,
  route: V4Route,
  query: { readonly chain: string },
  ...kinds: ReadonlyArray<"evm" | "utxo" | "solana">
): Effect.Effect<ServedPlace, Invalid | SandboxError> =>
  Effect.flatMap(findServedChain(route, query), (chain) =>
    Effect.map(findPlace(index, { chain: idOfChain(chain) }, ...kinds), (place) => ({ ...place, chain }))
  )
