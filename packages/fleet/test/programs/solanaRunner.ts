/** One process with durable payments of Solana over a file. */
import * as Effect from "effect/Effect"
import { SolanaTransactions } from "../../src/SolanaTransactions.js"
import { type Payment, runPayer } from "../payerProcess.js"
import { network, transactions } from "../solana.js"

const { NODE_URL = "" } = process.env

runPayer(
  Effect.map(
    SolanaTransactions,
    ({ send }) =>
      (payment: Payment) =>
        send({ ...payment, network })
  ),
  transactions(NODE_URL)
)
