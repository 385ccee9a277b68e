/** One process with durable payments of Litecoin over a file. */
import * as Effect from "effect/Effect"
import { BitcoinTransactions } from "../../src/BitcoinTransactions.js"
import { network, transactions } from "../bitcoin.js"
import { type Payment, pay } from "../paying.js"

const { INDEX = "0", NODE_URL = "" } = process.env

pay(
  Effect.map(
    BitcoinTransactions,
    ({ send }) =>
      (payment: Payment) =>
        send({ ...payment, network })
  ),
  transactions(NODE_URL, Number(INDEX))
)
