/** Durable EVM transactions, in one process over a file, on anvil. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EvmTransactions from "../src/EvmTransactions.js"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import { from, minedOf, network, quiet, to, transactions } from "./evm.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = Either.isRight(found)
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: durable transactions (no anvil binary)")
}

const folder = mkdtempSync(join(tmpdir(), "fleet-transactions-"))
let files = 0
const scope = Effect.runSync(Scope.make())
let url = ""

beforeAll(async () => {
  if (present)
    url = (await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, blockTime: 1 }), scope))).url
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

type Needs = Services | EvmTransactions.EvmTransactions

const runs = <A, E>(
  effect: Effect.Effect<A, E, Needs>,
  policy: Partial<EvmTransactions.Policy> = {}
): Promise<A> =>
  Effect.runPromise(
    effect.pipe(
      Effect.provide(
        Layer.provideMerge(
          transactions(url, policy),
          Libsql.layer({ name: "tests", file: join(folder, `${files++}.db`) })
        )
      ),
      Effect.timeout("60 seconds"),
      Effect.provide(quiet)
    )
  )

const order = (key: string, amount = 1n): EvmTransactions.Order => ({
  key,
  network,
  from,
  payment: { to, amount }
})

describe.runIf(present)("durable EVM transactions", () => {
  it("are made once each, however often they are asked for, with nonces in a row", async () => {
    const results = await runs(
      Effect.flatMap(EvmTransactions.EvmTransactions, ({ send }) =>
        Effect.forEach(
          [...Array(20).keys(), ...Array(20).keys()],
          (i) => send(order(`a${i}`, BigInt(i + 1))),
          {
            concurrency: "unbounded"
          }
        )
      )
    )
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(20)
    expect(new Set(results.map(({ nonce }) => nonce))).toEqual(new Set(Array(20).keys()))
    const mined = await minedOf(url)
    expect(mined.map(({ nonce }) => Number(nonce))).toEqual([...Array(20).keys()])
    expect(new Set(mined.map(({ value }) => BigInt(value)))).toEqual(
      new Set([...Array(20).keys()].map((i) => BigInt(i + 1)))
    )
  })
})
