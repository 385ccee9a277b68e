/** One process with durable payments of Litecoin over a file: `FILE`, `NODE_URL`, `FROM`, `TO`, and `COUNT` of payments that it asks for. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BitcoinTransactions } from "../../src/BitcoinTransactions.js"
import * as Libsql from "../../src/Libsql.js"
import { network, transactions } from "../bitcoin.js"
import { quiet } from "../evm.js"

const { COUNT = "0", FILE = "", FROM = "", INDEX = "0", NODE_URL = "", TO = "" } = process.env

// whoever started this one is gone
process.on("disconnect", () => process.exit(1))

const program = Effect.gen(function* () {
  const { send } = yield* BitcoinTransactions
  process.send?.("up")
  const all = yield* Effect.forEach(
    Array.from({ length: Number(COUNT) }, (_, i) => i),
    // equal ones too: what tells them apart are their keys
    (i) =>
      send({ key: `k${i}`, network, from: FROM, payment: { to: TO, amount: BigInt(1_000_000 + (i % 3)) } }),
    { concurrency: "unbounded" }
  )
  process.send?.(all.map(({ hash }) => hash))
  yield* Effect.never
})

Effect.runFork(
  program.pipe(
    Effect.provide(
      Layer.provide(transactions(NODE_URL, Number(INDEX)), Libsql.layer({ name: "tests", file: FILE }))
    ),
    Effect.tapErrorCause((cause) => Effect.logError(cause)),
    Effect.ensuring(Effect.sync(() => process.exit(1))),
    Effect.provide(quiet)
  )
)
