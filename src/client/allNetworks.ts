/**
 * The source of all networks: their ids are known, and the rows of a network's family are loaded with the family.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadFamily, loadRows } from "../chains/registry.js"

import { makeAllOptionChecks } from "../config/optionChecks.js"
import { makeFindNetwork, makeResolveConfig, makeUnsupportedNetwork } from "../config/resolveConfig.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, Network, NetworkRow, NetworkTable } from "../data/Network.js"
import { allIds, withRows } from "../data/NetworkTable.js"
import { type LoadError, UnsupportedNetwork } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { layers } from "../transport/layersOnDemand.js"
import { type ClientSource, makeClientParts, type WrapTransport } from "./clientParts.js"
import {
  checkExtensions,
  type ExtendedParts,
  type LoadExtensions,
  startExtensions
} from "./extendedClient.js"

const loadAliases = /*#__PURE__*/ loadOnce(
  () => import("../data/networkNames.js"),
  ({ findMeantNetwork }) => Effect.succeed(findMeantNetwork)
)

/**
 * Also resolves other names of networks. A provider's name stands for its network; names of the field and chain ids
 * become suggestions. The names are loaded when an id is unknown.
 */
const resolveAliases =
  (resolve: ClientSource["resolve"]): ClientSource["resolve"] =>
  (config, environment) =>
    Effect.catchAll(resolve(config, environment), (error) => {
      if (!(error instanceof UnsupportedNetwork)) return Effect.fail(error)
      return Effect.matchEffect(loadAliases, {
        // if the aliases do not load, keep the original error
        onFailure: () => Effect.fail(error),
        onSuccess: (findMeantNetwork) => {
          const found = findMeantNetwork(error.network)
          return found?.isAlias === true
            ? // the names are those of ids
              resolve({ ...config, network: found.network as Network }, environment)
            : Effect.fail(makeUnsupportedNetwork(error.network, found?.network))
        }
      })
    })

/**
 * A source that loads the rows of a family when a configuration names one of its networks.
 *
 * @since 0.1.0
 * @category families
 */
export const makeSourceLoadingRows = <Made>(
  makeSource: (networks: NetworkTable) => ClientSource<Made>,
  loadRowsOf: (family: FamilyId) => Effect.Effect<ReadonlyArray<NetworkRow>, LoadError>
): ClientSource<Made> => {
  const sourceWithoutRows = makeSource(allIds)
  return {
    ...sourceWithoutRows,
    resolve: resolveAliases((config, environment) => {
      const network: unknown = isRecord(config) ? config.network : undefined
      const family = typeof network === "string" ? allIds.familyOf(network) : undefined
      return family === undefined
        ? sourceWithoutRows.resolve(config, environment)
        : Effect.flatMap(loadRowsOf(family), (rows) =>
            makeSource(withRows(rows)).resolve(config, environment)
          )
    })
  }
}

/**
 * The source of all networks. It loads families and rows, and the code of extensions if a configuration has some.
 * `wrapTransport` adds to transports what a surface adds.
 *
 * @since 0.1.0
 * @category families
 */
export const makeAllNetworksSource = (
  loadExtensions: LoadExtensions,
  wrapTransport: WrapTransport
): ClientSource<ExtendedParts> =>
  makeSourceLoadingRows((networks) => {
    const resolveConfig = makeResolveConfig(makeFindNetwork(networks), makeAllOptionChecks(networks))
    return {
      layers,
      load: loadFamily,
      resolve: (config, environment) =>
        Effect.flatMap(resolveConfig(config, environment), (resolved) =>
          checkExtensions(resolved, loadExtensions)
        ),
      makeParts: (connected, liftCalls) =>
        Effect.flatMap(makeClientParts(connected, wrapTransport), (parts) =>
          startExtensions(parts, loadExtensions, liftCalls)
        )
    }
  }, loadRows)
