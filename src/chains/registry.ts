import * as Effect from "effect/Effect"
import type { Family, FamilyAccounts } from "../balancer/Family.js"
import { loadOnce } from "../data/loadOnce.js"
import type {
  AnyNetwork,
  FamilyId,
  FamilyOf,
  Network,
  NetworkDefinition,
  NetworkRow,
  networks,
  RollupStacks
} from "../data/Network.js"
import type { LoadError } from "../data/SdkError.js"
import type { Promised, WithErrors } from "../transport/Client.js"
import type { Rollups } from "./Evm.js"

/** A family, by its name in the module that has it, with the rows of its networks. */
interface Entry<M, K extends keyof M> {
  readonly name: K
  readonly load: () => Promise<M>
}

const familyEntry = <M, const K extends keyof M & string>(load: () => Promise<M>, name: K): Entry<M, K> => ({
  name,
  load
})

/**
 * Every family, a line each: its module, with the rows of its networks (`scripts/entries.mjs` writes that), and its name there. Everything else that there is by family is derived from
 * it. A family is loaded when the first client of it is made: an application ships only what it uses.
 *
 * @since 0.1.0
 * @category constants
 */
export const registry = {
  evm: familyEntry(() => import("./loaded/Evm.js"), "evm"),
  "evm-beacon": familyEntry(() => import("./loaded/Ethereum.js"), "ethereum"),
  "evm-native": familyEntry(() => import("./loaded/Klaytn.js"), "klaytn"),
  zksync: familyEntry(() => import("./loaded/ZkSync.js"), "zksync"),
  tron: familyEntry(() => import("./loaded/Tron.js"), "tron"),
  solana: familyEntry(() => import("./loaded/Solana.js"), "solana"),
  "algorand-algod": familyEntry(() => import("./loaded/Algorand.js"), "algod"),
  "algorand-indexer": familyEntry(() => import("./loaded/Algorand.js"), "indexer"),
  utxo: familyEntry(() => import("./loaded/Bitcoin.js"), "bitcoin"),
  "utxo-estimatefee": familyEntry(() => import("./loaded/Bitcoin.js"), "bitcoinCash"),
  doge: familyEntry(() => import("./loaded/Bitcoin.js"), "doge"),
  rostrum: familyEntry(() => import("./loaded/Rostrum.js"), "rostrum"),
  electrs: familyEntry(() => import("./loaded/Rostrum.js"), "rostrum"),
  cardano: familyEntry(() => import("./loaded/Cardano.js"), "cardano"),
  cosmos: familyEntry(() => import("./loaded/Cosmos.js"), "cosmos"),
  casper: familyEntry(() => import("./loaded/Casper.js"), "casper"),
  eos: familyEntry(() => import("./loaded/Eos.js"), "eos"),
  iota: familyEntry(() => import("./loaded/Iota.js"), "iota"),
  kadena: familyEntry(() => import("./loaded/Kadena.js"), "kadena"),
  stellar: familyEntry(() => import("./loaded/Stellar.js"), "stellar"),
  tezos: familyEntry(() => import("./loaded/Tezos.js"), "tezos"),
  ton: familyEntry(() => import("./loaded/Ton.js"), "ton"),
  xrp: familyEntry(() => import("./loaded/Xrp.js"), "xrp"),
  bnb: familyEntry(() => import("./loaded/Bnb.js"), "bnb"),
  aptos: familyEntry(() => import("./loaded/Aptos.js"), "aptos"),
  "hedera-mirror": familyEntry(() => import("./loaded/Hedera.js"), "hederaMirror"),
  sui: familyEntry(() => import("./loaded/Sui.js"), "sui"),
  near: familyEntry(() => import("./loaded/Near.js"), "near"),
  polkadot: familyEntry(() => import("./loaded/Polkadot.js"), "polkadot"),
  flow: familyEntry(() => import("./loaded/Flow.js"), "flow"),
  multiversx: familyEntry(() => import("./loaded/MultiversX.js"), "multiversx"),
  zilliqa: familyEntry(() => import("./loaded/Zilliqa.js"), "zilliqa"),
  "avalanche-p": familyEntry(() => import("./loaded/Avalanche.js"), "avalancheP"),
  "avalanche-x": familyEntry(() => import("./loaded/Avalanche.js"), "avalancheX")
} as const satisfies Readonly<Record<FamilyId, unknown>>

type ClientIn<E> =
  E extends Entry<infer M, infer K> ? (M[K] extends Family<object, infer C> ? C : never) : never

type DeclaresIn<E, D extends keyof FamilyAccounts> = E extends { readonly load: () => Promise<infer M> }
  ? M extends { readonly accounts: Required<Pick<FamilyAccounts, D>> }
    ? true
    : false
  : never

/**
 * The client type of every family, by the registry.
 *
 * @since 0.1.0
 * @category types
 */
export type Clients = { readonly [F in FamilyId]: ClientIn<(typeof registry)[F]> }

/** The client of every network: that of its family, or of its stack of rollups. */
type ByNetwork = {
  readonly [N in Network]: N extends keyof RollupStacks
    ? Rollups[RollupStacks[N]]
    : Clients[(typeof networks)[N]["family"]]
}

/** The client of a definition: that of its family, or of its stack of rollups. */
type ByDefinition<D extends NetworkDefinition> = D extends {
  readonly rollup: infer R extends keyof Rollups
}
  ? Rollups[R]
  : Clients[D["family"]]

/**
 * The JSON-RPC and REST client of a network: its type follows the network's id, or its definition.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcOf<N extends AnyNetwork> = N extends NetworkDefinition
  ? ByDefinition<N>
  : N extends Network
    ? ByNetwork[N]
    : never

type Milliseconds<O> = {
  readonly [K in keyof O]: K extends "timeout" | "pollingInterval" ? number : O[K]
}

/**
 * A client that waits for transactions by plain milliseconds, as the Promise surface has it.
 *
 * @since 0.1.0
 * @category types
 */
export type Timed<C> = C extends { readonly waitForTransaction: unknown }
  ? { readonly [K in keyof C]: K extends "waitForTransaction" ? TimedWait<C[K]> : C[K] }
  : C

type TimedWait<F> = F extends (...args: infer Args) => infer Returned
  ? (...args: { readonly [I in keyof Args]: Milliseconds<Args[I]> }) => Returned
  : never

/** The clients of all networks, whose reads can fail with `More` besides. */
type WidenedRpc<More> = { readonly [N in Network]: WithErrors<ByNetwork[N], More> }

/** The same on the Promise surface. */
type PromisedRpc<More> = { readonly [N in Network]: Promised<WithErrors<Timed<ByNetwork[N]>, More>> }

/**
 * The client of a network, by its key in a table of all: so the compiler sees without a look into any client that the
 * client of one network is one of those of several.
 *
 * @since 0.1.0
 * @category types
 */
export type WidenedRpcOf<N extends AnyNetwork, More> = N extends NetworkDefinition
  ? WithErrors<ByDefinition<N>, More>
  : N extends Network
    ? WidenedRpc<More>[N]
    : never

/**
 * The same on the Promise surface.
 *
 * @since 0.1.0
 * @category types
 */
export type PromisedRpcOf<N extends AnyNetwork, More> = N extends NetworkDefinition
  ? Promised<WithErrors<Timed<ByDefinition<N>>, More>>
  : N extends Network
    ? PromisedRpc<More>[N]
    : never

/**
 * The networks of the given families.
 *
 * @since 0.1.0
 * @category types
 */
export type NetworkOf<F extends FamilyId> = {
  readonly [N in Network]: (typeof networks)[N]["family"] extends F ? N : never
}[Network]

/**
 * The networks of the given families: those of the table, and definitions.
 *
 * @since 0.1.0
 * @category types
 */
export type AnyNetworkOf<F extends FamilyId> = NetworkOf<F> | NetworkDefinition<string, F>

/**
 * Whether the file of a network's family declares something of its accounts.
 *
 * @since 0.1.0
 * @category types
 */
export type Declares<N extends AnyNetwork, D extends keyof FamilyAccounts> = DeclaresIn<
  (typeof registry)[FamilyOf<N>],
  D
>

/**
 * The rows of a family's networks, loaded with the module that has the family.
 *
 * @since 0.1.0
 * @category families
 */
export const loadRows = (id: FamilyId): Effect.Effect<ReadonlyArray<NetworkRow>, LoadError> => {
  const { load }: { readonly load: () => Promise<{ readonly rows: ReadonlyArray<NetworkRow> }> } =
    registry[id]
  return loadOnce(load, ({ rows }) => Effect.succeed(rows))
}

/**
 * The family of a network, loaded, with the accounts' part of its file.
 *
 * @since 0.1.0
 * @category families
 */
export const loadFamily = (id: FamilyId): Effect.Effect<Family & FamilyAccounts, LoadError> => {
  const { load, name }: Entry<Readonly<Record<string, unknown>>, string> = registry[id]
  return loadOnce(load, ({ accounts, [name]: family }) =>
    // the name is one of that module's families, which the compiler checks above, as it does accounts in each
    Effect.succeed({ ...(family as Family), ...(accounts as FamilyAccounts | undefined) })
  )
}
