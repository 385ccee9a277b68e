/**
 * Which networks have which services: a table over the columns of the table of networks.
 *
 * @since 0.1.0
 */

import { isServed, type Served } from "./dataRoutes.js"
import * as Network from "./Network.js"
import { hasService, type RouteName, serviceNeeds } from "./serviceCoverage.js"

export { hasService, serviceNeeds } from "./serviceCoverage.js"

/**
 * Whether one of some routes of the data API serves a network: by the table of routes, or by the network's definition.
 *
 * @since 0.1.0
 * @category types
 */
export type IsServed<W extends Network.AnyNetwork, R extends RouteName> =
  W extends Served<R>
    ? true
    : W extends { readonly services: { readonly data: ReadonlyArray<infer D> } }
      ? [Extract<R, D>] extends [never]
        ? false
        : true
      : false

/** The columns that the row of a network lacks, or has another value in, and `served` if no such route serves it. */
type ServicesMissing<W extends Network.AnyNetwork, N> = {
  readonly [C in keyof N]: C extends "served"
    ? N[C] extends ReadonlyArray<infer R extends RouteName>
      ? true extends IsServed<W, R>
        ? never
        : C
      : never
    : C extends keyof Network.RowOf<W>
      ? N[C] extends ReadonlyArray<infer V>
        ? Network.RowOf<W>[C] extends V
          ? never
          : C
        : never
      : C
}[keyof N]

type MeetsNeeds<W extends Network.AnyNetwork, N> = N extends unknown
  ? [ServicesMissing<W, N>] extends [never]
    ? true
    : never
  : never

/**
 * The names of the services that a network has.
 *
 * @since 0.1.0
 * @category types
 */
export type ServiceName<N extends Network.AnyNetwork> = {
  readonly [S in keyof typeof serviceNeeds]: true extends MeetsNeeds<N, (typeof serviceNeeds)[S][number]>
    ? S
    : never
}[keyof typeof serviceNeeds]

/**
 * An error that the methods of a service have where a network lacks the service: none, if the network has it.
 *
 * @since 0.1.0
 * @category types
 */
export type Uncovered<
  N extends Network.AnyNetwork,
  S extends keyof typeof serviceNeeds,
  E
> = N extends unknown ? (true extends MeetsNeeds<N, (typeof serviceNeeds)[S][number]> ? never : E) : never

/**
 * An error that a method has where the route that it asks does not serve a network: none, if it does.
 *
 * @since 0.1.0
 * @category types
 */
export type Unserved<N extends Network.AnyNetwork, R extends RouteName, E> = N extends unknown
  ? true extends IsServed<N, R>
    ? never
    : E
  : never

// the keys of the table are services, which Object.keys does not say
const services = /*#__PURE__*/ Object.keys(serviceNeeds) as ReadonlyArray<keyof typeof serviceNeeds>

/**
 * Whether a network has a service, by its name or that of one of its methods: `supports("polygon-mainnet", "nft.mintNft")`.
 * Further needs of a method are told by its own errors.
 *
 * @since 0.1.0
 * @category getters
 */
export const supports = (
  network: Network.Network,
  path: keyof typeof serviceNeeds | `${keyof typeof serviceNeeds}.${string}`
): boolean => {
  const service = services.find((name) => name === path.split(".", 1)[0])
  return service !== undefined && hasService({ network, info: Network.info(network) }, service)
}

/**
 * Whether the data API has portfolios of its addresses: balances of coins and tokens.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isDataApi = (network: Network.Network): boolean => isServed("portfolio", network)

/**
 * Whether it is an EVM network of the data API, where tokens can be looked up.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isDataApiEvm = (network: Network.Network): boolean =>
  isDataApi(network) && Network.isEvm(network)

/**
 * Whether the data API knows its unspent outputs.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isDataApiUtxo = (network: Network.Network): boolean => isServed("utxos", network)
