/** One process with durable payments of Litecoin over a file. */
import * as Effect from "effect/Effect"
import { BitcoinTransactions } from "../../src/BitcoinTransactions.js"
import { litecoin } from "../bitcoin.js"
import { type Payment, runPayer } from "../payerProcess.js"

const { INDEX = "0", NODE_URL = "" } = process.env

runPayer(
  Effect.map(
    BitcoinTransactions,
    ({ send }) =>
      (payment: Payment) =>
        send({ ...payment, network: litecoin.network })
  ),
  litecoin.transactions(NODE_URL, Number(INDEX))
)
