/**
 * Which networks have which services: a table over the columns of the table of networks.
 *
 * @since 0.1.0
 */
import * as Network from "./Network.js"

/** The needs of a service in a row of the table of networks: one of these values in a column, or (`true`) anything at all. */
type Needs = { readonly [C in keyof Network.NetworkInfo]?: true | ReadonlyArray<Network.NetworkInfo[C]> }

/**
 * Which networks have a service: those whose row meets one of the alternatives. Types and {@link supports} read
 * the same table.
 *
 * @since 0.1.0
 * @category constants
 */
export const where = {
  address: [{ data: true }, { family: ["solana", "tron", "xrp"] }],
  contract: [{ data: ["evm"] }, { family: ["tezos"] }],
  data: [{}],
  fee: [{ fee: true }],
  provider: [{}],
  ipfs: [{}],
  nft: [{ data: ["evm", "tezos"] }],
  notification: [{ notification: true }],
  rates: [{}],
  token: [{ data: ["evm"] }],
  wallet: [{ family: Network.evmFamilies, chainId: true }]
} as const satisfies Record<string, ReadonlyArray<Needs>>

/** The columns that a row lacks, or has another value in. */
type Missing<R, N> = {
  readonly [C in keyof N]: C extends keyof R
    ? N[C] extends ReadonlyArray<infer V>
      ? R[C] extends V
        ? never
        : C
      : never
    : C
}[keyof N]

type Fits<R, N> = N extends unknown ? ([Missing<R, N>] extends [never] ? true : never) : never

/**
 * The names of the services that a network has.
 *
 * @since 0.1.0
 * @category types
 */
export type ServiceName<N extends Network.AnyNetwork> = {
  readonly [S in keyof typeof where]: true extends Fits<Network.RowOf<N>, (typeof where)[S][number]>
    ? S
    : never
}[keyof typeof where]

/**
 * An error that the methods of a service have where a network lacks the service: none, if the network has it.
 *
 * @since 0.1.0
 * @category types
 */
export type Uncovered<N extends Network.AnyNetwork, S extends keyof typeof where, E> = N extends unknown
  ? true extends Fits<Network.RowOf<N>, (typeof where)[S][number]>
    ? never
    : E
  : never

/**
 * Whether the network of a row has a service.
 *
 * @since 0.1.0
 * @category predicates
 */
export const covers = (row: Network.NetworkInfo, service: keyof typeof where): boolean =>
  where[service].some((alternative: Needs) =>
    Object.entries(alternative).every(([column, values]) => {
      const value: unknown = Reflect.get(row, column)
      return values === true ? value !== undefined : values.some((each) => each === value)
    })
  )

// the keys of the table are services, which Object.keys does not say
const services = /*#__PURE__*/ Object.keys(where) as ReadonlyArray<keyof typeof where>

/**
 * Whether a network has a service, by its name or that of one of its methods: `supports("polygon-mainnet", "nft.mintNft")`.
 * Further needs of a method are told by its own errors.
 *
 * @since 0.1.0
 * @category getters
 */
export const supports = (
  network: Network.Network,
  path: keyof typeof where | `${keyof typeof where}.${string}`
): boolean => {
  const service = services.find((name) => name === path.split(".", 1)[0])
  return service !== undefined && covers(Network.info(network), service)
}
