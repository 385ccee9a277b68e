/**
 * The networks of clients for any network: of each its id is known, and its row is loaded with the family that the network is of.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadFamily, loadRows } from "../chains/registry.js"
import {
  fieldsIn,
  findIn,
  type Resolve,
  type ResolvedConfig,
  resolveIn,
  unsupported
} from "../config/Config.js"
import { isRecord } from "../data/foreign.js"
import { loadOnce } from "../data/loadOnce.js"
import type { Family, Network, NetworkRow, NetworkTable } from "../data/Network.js"
import { allIds, withRows } from "../data/NetworkTable.js"
import { type LoadError, UnsupportedNetwork } from "../data/SdkError.js"
import { layers } from "../transport/layersOnDemand.js"
import { checked } from "./extended.js"
import type { Source } from "./make.js"

const names = /*#__PURE__*/ loadOnce(
  () => import("../data/names.js"),
  ({ meant }) => Effect.succeed(meant)
)

/**
 * The same for networks by other names. A name of the provider's stands for its network, and names of the field and chain ids are
 * suggested. What they are is loaded where an id is unknown.
 */
const withNames =
  <E>(resolve: (...args: Parameters<Resolve>) => Effect.Effect<ResolvedConfig, E | UnsupportedNetwork>) =>
  (...[config, environment]: Parameters<Resolve>): Effect.Effect<ResolvedConfig, E | UnsupportedNetwork> =>
    Effect.catchAll(resolve(config, environment), (error) => {
      if (!(error instanceof UnsupportedNetwork)) return Effect.fail(error)
      return Effect.matchEffect(names, {
        // the error that there was is worth more than the want of a hint
        onFailure: () => Effect.fail(error),
        onSuccess: (meant) => {
          const found = meant(error.network)
          return found?.isAlias === true
            ? // the names are those of ids
              resolve({ ...config, network: found.network as Network }, environment)
            : Effect.fail(unsupported(error.network, found?.network))
        }
      })
    })

/**
 * A source whose networks have their rows: they are loaded with the configuration that asks for one of them.
 *
 * @since 0.1.0
 * @category families
 */
export const overRows = (
  given: (networks: NetworkTable) => Source,
  rowsOf: (family: Family) => Effect.Effect<ReadonlyArray<NetworkRow>, LoadError>
): Source => {
  const unknown = given(allIds)
  return {
    ...unknown,
    resolve: withNames((config, environment) => {
      const network: unknown = isRecord(config) ? config.network : undefined
      const family = typeof network === "string" ? allIds.familyOf(network) : undefined
      return family === undefined
        ? unknown.resolve(config, environment)
        : Effect.flatMap(rowsOf(family), (rows) => given(withRows(rows)).resolve(config, environment))
    })
  }
}

/**
 * All networks, whose families and rows are loaded, as extensions are where a configuration has some.
 *
 * @since 0.1.0
 * @category families
 */
export const allNetworks = (loadExtensions: Parameters<typeof checked>[1]): Source =>
  overRows((networks) => {
    const resolved = resolveIn(findIn(networks), fieldsIn(networks))
    return {
      layers,
      load: loadFamily,
      resolve: (config, environment) =>
        Effect.flatMap(resolved(config, environment), (given) => checked(given, loadExtensions))
    }
  }, loadRows)
