/** What processes with durable payments do: `FILE` is their database, `COUNT` how many payments they ask for, `FROM` and `TO` whose. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import { askUntilTaken, reportUp, runUntilKilled } from "./runnerProcess.js"

/** A payment, but for its network. */
export interface Payment {
  readonly key: string
  readonly from: string
  readonly payment: { readonly to: string; readonly amount: bigint }
}

type Send = (payment: Payment) => Effect.Effect<{ readonly hash: string }, unknown>

/** Asks for payments, tells their hashes, and lives on until it is killed. */
export const runPayer = <S>(
  asking: Effect.Effect<Send, never, S>,
  layer: Layer.Layer<S, unknown, Services>
): void => {
  const { COUNT = "0", FILE = "", FROM = "", TO = "" } = process.env
  const program = Effect.gen(function* () {
    const send = yield* asking
    yield* reportUp
    const all = yield* Effect.forEach(
      Array.from({ length: Number(COUNT) }, (_, i) => i),
      // equal ones too: what tells them apart are their keys
      (i) =>
        askUntilTaken(
          send({ key: `k${i}`, from: FROM, payment: { to: TO, amount: BigInt(1_000_000 + (i % 3)) } })
        ),
      { concurrency: "unbounded" }
    )
    process.send?.(all.map(({ hash }) => hash))
    yield* Effect.never
  })
  runUntilKilled(Effect.provide(program, Layer.provide(layer, Libsql.layer({ name: "tests", file: FILE }))))
}
