/**
 * Limits of policies, counted in the database of a fleet: once for all its processes, and over restarts.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  make,
  type PolicyError,
  type PolicyRules,
  SharedPolicy,
  type SpendingStore
} from "effect-chains/effect/signers/policy"
import { checkName, retryWhileAway, toFleetError } from "./engine.js"
import type { FleetError } from "./FleetError.js"
import * as SpentStore from "./SpentStore.js"

/**
 * The options of a store. `name` is that of the policy: policies of one name share their counts, in all processes of the fleet, and those of
 * other names do not.
 *
 * @since 0.1.0
 * @category models
 */
export interface SpendingOptions {
  readonly name: string
}

/**
 * Makes a store for `make` of `effect-chains/effect/signers/policy`. Payments of all processes are added one after another. If the database
 * is away, nothing is paid. What was not paid is taken back within five seconds; if the database is away for longer, it stays counted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeStore = ({
  name
}: SpendingOptions): Effect.Effect<SpendingStore, FleetError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    yield* checkName(name, "policy")
    const { add, remove } = SpentStore.make(yield* SqlClient.SqlClient, name)
    const release = (payment: string): Effect.Effect<void> =>
      Effect.mapError(remove(payment), toFleetError).pipe(
        retryWhileAway,
        Effect.catchAll((error) =>
          Effect.logWarning(`a payment that was not made stays counted by the policy ${name}`, error)
        )
      )
    return {
      reserve: (claims) =>
        Effect.mapBoth(add(claims), {
          onFailure: toFleetError,
          onSuccess: ({ exceeded, payment }) =>
            exceeded === undefined ? { release: release(payment) } : { exceeded, release: Effect.void }
        })
    }
  })

/**
 * Provides a policy whose limits count in all processes of the fleet, and over restarts. The rules are those of
 * `effect-chains/effect/signers/policy`, and should be the same in all processes.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  rules: PolicyRules,
  options: SpendingOptions
): Layer.Layer<SharedPolicy, PolicyError | FleetError, SqlClient.SqlClient> =>
  Layer.effect(
    SharedPolicy,
    Effect.flatMap(makeStore(options), (store) => make(rules, { store }))
  )
