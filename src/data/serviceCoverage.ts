/**
 * The table of {@link serviceNeeds}, apart from what else applications read of it: services are loaded with this alone.
 *
 * @since 0.1.0
 */
import { type DataRouteName, isServed } from "./dataRoutes.js"
import * as Network from "./Network.js"

/** The name of a route, or of the provider's templates. */
export type RouteName = DataRouteName | "deployments"

/**
 * The needs of a service in a row of the table of networks: one of these values in a column, or (`true`) anything at all. `served` are
 * routes of the data API, of which one must serve the network.
 */
type ServiceNeed = {
  readonly [C in keyof Network.NetworkInfo]?: true | ReadonlyArray<Network.NetworkInfo[C]>
} & {
  readonly served?: ReadonlyArray<RouteName>
}

/**
 * Which networks have a service: those whose row meets one of the alternatives. Types and `Coverage.supports` read
 * the same table.
 *
 * @since 0.1.0
 * @category constants
 */
export const serviceNeeds = {
  address: [
    { served: ["portfolio", "utxos", "history"] },
    { family: ["aptos", "hedera-mirror", "solana", "sui", "tron", "xrp"] }
  ],
  contract: [{ served: ["deployments"] }],
  data: [{}],
  explorer: [{}],
  fee: [{ fee: true }],
  provider: [{}],
  ipfs: [{}],
  nft: [{ served: ["portfolio"], family: [...Network.evmFamilies, "tezos"] }],
  notification: [{ notification: true }],
  rates: [{}],
  token: [{ served: ["portfolio"], family: Network.evmFamilies }],
  wallet: [{ family: Network.evmFamilies, chainId: true }]
} as const satisfies Record<string, ReadonlyArray<ServiceNeed>>

/**
 * Whether a network has a service, by its row and the generation of the data API that is asked.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasService = (
  {
    dataApi,
    info,
    network
  }: {
    readonly network: string
    readonly info: Network.NetworkInfo
    readonly dataApi?: "auto" | "v4" | "legacy"
  },
  service: keyof typeof serviceNeeds
): boolean =>
  serviceNeeds[service].some(({ served, ...columns }: ServiceNeed) => {
    const isMet = Object.entries(columns).every(([column, values]) => {
      const value: unknown = Reflect.get(info, column)
      return values === true ? value !== undefined : values.some((each) => each === value)
    })
    return (
      isMet &&
      (served === undefined || served.some((route) => isServed(route, network, dataApi, info.routes)))
    )
  })
