import * as Effect from "effect/Effect"
import type { Family } from "../balancer/Family.js"
import type { Family as FamilyId, Network, networks } from "../data/Network.js"

/** A family, by its name in the module that has it. */
interface Entry<M, K extends keyof M> {
  readonly name: K
  readonly load: () => Promise<M>
}

const from = <M, const K extends keyof M & string>(load: () => Promise<M>, name: K): Entry<M, K> => ({
  name,
  load
})

/**
 * Every family, a line each: where it is, and what it is called there. Everything else that there is by family is read off
 * it. A family is loaded when the first client of it is made: an application ships only what it uses.
 *
 * @since 0.1.0
 * @category data
 */
export const registry = {
  evm: from(() => import("../chains/Evm.js"), "evm"),
  "evm-beacon": from(() => import("../chains/Ethereum.js"), "ethereum"),
  "evm-native": from(() => import("../chains/Klaytn.js"), "klaytn"),
  zksync: from(() => import("../chains/ZkSync.js"), "zksync"),
  tron: from(() => import("../chains/Tron.js"), "tron"),
  solana: from(() => import("../chains/Solana.js"), "solana"),
  "algorand-algod": from(() => import("../chains/Algorand.js"), "algod"),
  "algorand-indexer": from(() => import("../chains/Algorand.js"), "indexer"),
  utxo: from(() => import("../chains/Bitcoin.js"), "bitcoin"),
  "utxo-estimatefee": from(() => import("../chains/Bitcoin.js"), "bitcoinCash"),
  doge: from(() => import("../chains/Bitcoin.js"), "doge"),
  rostrum: from(() => import("../chains/Rostrum.js"), "rostrum"),
  electrs: from(() => import("../chains/Rostrum.js"), "rostrum"),
  cardano: from(() => import("../chains/Cardano.js"), "cardano"),
  cosmos: from(() => import("../chains/Cosmos.js"), "cosmos"),
  casper: from(() => import("../chains/Casper.js"), "casper"),
  eos: from(() => import("../chains/Eos.js"), "eos"),
  iota: from(() => import("../chains/Iota.js"), "iota"),
  kadena: from(() => import("../chains/Kadena.js"), "kadena"),
  stellar: from(() => import("../chains/Stellar.js"), "stellar"),
  tezos: from(() => import("../chains/Tezos.js"), "tezos"),
  ton: from(() => import("../chains/Ton.js"), "ton"),
  xrp: from(() => import("../chains/Xrp.js"), "xrp"),
  bnb: from(() => import("../chains/Bnb.js"), "bnb"),
  generic: from(() => import("../chains/Generic.js"), "generic")
} as const satisfies Readonly<Record<FamilyId, unknown>>

type ClientIn<E> =
  E extends Entry<infer M, infer K> ? (M[K] extends Family<object, infer C> ? C : never) : never

/**
 * The client type of every family, by the registry.
 *
 * @since 0.1.0
 * @category types
 */
export type Clients = { readonly [F in FamilyId]: ClientIn<(typeof registry)[F]> }

/**
 * The JSON-RPC and REST client of a network: its type follows the network's id.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcOf<N extends Network> = Clients[(typeof networks)[N]["family"]]

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
 * The family of a network, loaded.
 *
 * @since 0.1.0
 * @category families
 */
export const loadFamily = (id: FamilyId): Effect.Effect<Family> => {
  const { load, name }: Entry<Readonly<Record<string, unknown>>, string> = registry[id]
  // the name is one of that module's families, which the compiler checks above
  return Effect.promise(async () => (await load())[name] as Family)
}

/** Loads what keeps filters with the nodes that have made them: in one piece with the subscriptions, which fill gaps too. */
export const loadFilters = () => import("../subscriptions/Evm.js")
