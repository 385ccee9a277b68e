/** Step 6: gives the money of an order back, once. */
import { BitcoinTransactions, layer as bitcoinLayer } from "@effect-chains/fleet/bitcoin"
import { EvmTransactions, layer as evmLayer } from "@effect-chains/fleet/evm"
import { SolanaTransactions, layer as solanaLayer } from "@effect-chains/fleet/solana"
import { Effect, Layer } from "effect"
import { Bitcoin, Ethereum, networks, Solana, treasury } from "./chains.js"
import type { Order } from "./orders.js"
import { confirmations } from "./watch.js"

// #region layer
/** Durable transactions of the treasury. No other program pays from it. */
export const transactions = Layer.mergeAll(
  evmLayer(Effect.map(Effect.all([Ethereum, treasury.ethereum]), ([client, signer]) => [{ client, signer }])),
  bitcoinLayer(
    Effect.map(Effect.all([Bitcoin, treasury.bitcoin]), ([client, signer]) => [{ client, signer }])
  ),
  solanaLayer(Effect.map(Effect.all([Solana, treasury.solana]), ([client, signer]) => [{ client, signer }]))
)
// #endregion layer

// #region refund
/**
 * Pays back what an order got, from the treasury. The key makes it one payment, however often it is asked for, and whichever process
 * dies meanwhile.
 */
export const refund = ({ chain, id, paid }: Order, to: string) =>
  Effect.gen(function* () {
    const key = `refund-${id}`
    const payment = { to, amount: paid }
    const { address: from } = yield* treasury[chain]
    switch (chain) {
      case "ethereum":
        return yield* (yield* EvmTransactions).send({
          key,
          network: networks.ethereum,
          from,
          payment,
          confirmations: confirmations.ethereum
        })
      case "bitcoin":
        return yield* (yield* BitcoinTransactions).send({
          key,
          network: networks.bitcoin,
          from,
          payment,
          confirmations: confirmations.bitcoin
        })
      case "solana":
        return yield* (yield* SolanaTransactions).send({
          key,
          network: networks.solana,
          from,
          payment,
          commitment: "confirmed"
        })
    }
  })
// #endregion refund
