/** One process with durable sweeps on an EVM network over a file: `FILE`, `NODE_URL`, `TOKEN`, and `ORDERS`, the addresses that it sweeps. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EvmSweeps } from "../../src/EvmSweeps.js"
import * as Libsql from "../../src/Libsql.js"
import { from as gas, network } from "../evm.js"
import { shop, sweeps } from "../evmSweeping.js"
import { askUntilTaken, reportUp, runUntilKilled } from "../runnerProcess.js"

const { FILE = "", NODE_URL = "", ORDERS = "", TOKEN = "" } = process.env
const addresses = ORDERS.split(" ")

const program = Effect.gen(function* () {
  const { send } = yield* EvmSweeps
  yield* reportUp
  const all = yield* Effect.forEach(
    addresses,
    (from, index) =>
      askUntilTaken(send({ key: `k${index}`, network, from, gas, token: TOKEN, to: shop, maxGas: "0.01" })),
    { concurrency: "unbounded" }
  )
  process.send?.(all.map(({ fundings, payment }) => [...fundings, payment].map(({ hash }) => hash)))
  yield* Effect.never
})

runUntilKilled(
  Effect.provide(
    program,
    Layer.provideMerge(
      sweeps(NODE_URL, addresses.length, { pollingInterval: "100 millis" }),
      Libsql.layer({ name: "tests", file: FILE })
    )
  )
)
