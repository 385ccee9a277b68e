import * as Effect from "effect/Effect"
import type { Family } from "../balancer/Family.js"
import type { Family as FamilyId } from "../Network.js"

/** Loads the family of a network when the first client of it is made: an application ships only what it uses. */
const loaders: { readonly [F in FamilyId]: () => Promise<Family> } = {
  evm: async () => (await import("../chains/Evm.js")).evm,
  "evm-beacon": async () => (await import("../chains/Ethereum.js")).ethereum,
  "evm-native": async () => (await import("../chains/Klaytn.js")).klaytn,
  zksync: async () => (await import("../chains/ZkSync.js")).zksync,
  tron: async () => (await import("../chains/Tron.js")).tron,
  solana: async () => (await import("../chains/Solana.js")).solana,
  "algorand-algod": async () => (await import("../chains/Algorand.js")).algod,
  "algorand-indexer": async () => (await import("../chains/Algorand.js")).indexer,
  utxo: async () => (await import("../chains/Bitcoin.js")).bitcoin,
  "utxo-estimatefee": async () => (await import("../chains/Bitcoin.js")).bitcoinCash,
  doge: async () => (await import("../chains/Bitcoin.js")).doge,
  rostrum: async () => (await import("../chains/Rostrum.js")).rostrum,
  electrs: async () => (await import("../chains/Rostrum.js")).rostrum,
  cardano: async () => (await import("../chains/Cardano.js")).cardano,
  cosmos: async () => (await import("../chains/Cosmos.js")).cosmos,
  casper: async () => (await import("../chains/Casper.js")).casper,
  eos: async () => (await import("../chains/Eos.js")).eos,
  iota: async () => (await import("../chains/Iota.js")).iota,
  kadena: async () => (await import("../chains/Kadena.js")).kadena,
  stellar: async () => (await import("../chains/Stellar.js")).stellar,
  tezos: async () => (await import("../chains/Tezos.js")).tezos,
  ton: async () => (await import("../chains/Ton.js")).ton,
  xrp: async () => (await import("../chains/Xrp.js")).xrp,
  bnb: async () => (await import("../chains/Bnb.js")).bnb,
  generic: async () => (await import("../chains/Generic.js")).generic
}

/**
 * The family of a network, loaded.
 *
 * @since 0.1.0
 * @category families
 */
export const loadFamily = (id: FamilyId): Effect.Effect<Family> => Effect.promise(loaders[id])

/** Loads what keeps filters with the nodes that have made them: in one piece with the subscriptions, which fill gaps too. */
export const loadFilters = () => import("../subscriptions/Evm.js")
