/** Durable sweeps of token addresses of Solana, in one process over a file, on Surfpool. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { mintData } from "../../../test/nodes/mints.js"
import { requireBinary } from "../../../test/nodes/process.js"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import * as SolanaSweeps from "../src/SolanaSweeps.js"
import type { SolanaTransactions } from "../src/SolanaTransactions.js"
import { ask, withoutLogs } from "./evm.js"
import { until } from "./evmChain.js"
import { network, readAddresses, readReceived, sweeps } from "./solana.js"
import { makeAddress, setUpChain } from "./solanaChain.js"

const surfpool = requireBinary("surfpool", "durable sweeps of Solana")

const send = (order: SolanaSweeps.SweepOrder) =>
  Effect.flatMap(SolanaSweeps.SolanaSweeps, (service) => service.send(order))
const submit = (order: SolanaSweeps.SweepOrder) =>
  Effect.flatMap(SolanaSweeps.SolanaSweeps, (service) => service.submit(order))

describe.runIf(surfpool !== undefined)("durable sweeps of Solana", () => {
  const { at, folder } = setUpChain(50)
  const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  const COUNT = 3

  const runs = <A, E>(
    effect: Effect.Effect<A, E, Services | SolanaTransactions | SolanaSweeps.SolanaSweeps>
  ): Promise<A> =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(
          Layer.provideMerge(
            sweeps(at.url, COUNT),
            Libsql.layer({ name: "tests", file: `${folder}/sweeps.db` })
          )
        ),
        Effect.timeout("550 seconds"),
        Effect.provide(withoutLogs)
      )
    )

  it("pay gas once and send tokens once, also where a process ended between", async () => {
    const addresses = await readAddresses(at.url, COUNT)
    const [token, shop] = [makeAddress(), makeAddress()]
    const data = mintData()
    await ask(at.url, "surfnet_setAccount", token, {
      lamports: (data.length + 128) * 6_960,
      data: data.toString("hex"),
      owner: program,
      executable: false
    })
    for (const each of addresses.slice(0, 2))
      await ask(at.url, "surfnet_setTokenAccount", each, token, { amount: 5_000_000 }, program)
    const order = (index: number): SolanaSweeps.SweepOrder => ({
      key: `order-${index}`,
      network,
      from: addresses[index] ?? "",
      gas: at.from,
      token,
      to: shop,
      maxGas: "0.01",
      commitment: "confirmed"
    })
    const untilPaid = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      until(
        Effect.map(
          sql`SELECT key FROM fleet_transactions WHERE key = 'order-0/gas' AND state = 'ended'`,
          ({ length }) => length > 0
        )
      )
    )
    // the process ends when the gas of the first one is paid
    await runs(Effect.zipRight(submit(order(0)), untilPaid))
    const [one, two, none] = await runs(
      Effect.gen(function* () {
        const first = yield* send(order(0))
        const second = yield* send(order(1))
        return [first, second, yield* Effect.flip(send(order(2)))] as const
      })
    )
    expect(one.fundings).toMatchObject([{ key: "order-0/gas", from: at.from }])
    expect(two.fundings).toHaveLength(1)
    expect(none).toMatchObject({ _tag: "InsufficientFunds", token })
    // the first makes the receiver's account and empties the address, the second leaves the least that an account has
    for (const [index, left] of [0, 890_880].entries()) {
      const got = await readReceived(at.url, addresses[index] ?? "")
      const { fundings, payment } = [one, two][index] ?? one
      expect(got.lamports).toBe(left)
      expect(new Set(got.signatures)).toEqual(new Set([...fundings.map(({ hash }) => hash), payment.hash]))
    }
    expect(await readReceived(at.url, addresses[2] ?? "")).toEqual({ lamports: 0, signatures: [] })
  })
})
