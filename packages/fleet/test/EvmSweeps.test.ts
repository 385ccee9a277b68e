/** Durable sweeps of token addresses, in one process over a file, on anvil. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import * as EvmSweeps from "../src/EvmSweeps.js"
import type { EvmTransactions } from "../src/EvmTransactions.js"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import { ask, listMined, network, from as payer, withoutLogs } from "./evm.js"
import { testOnChain, until } from "./evmChain.js"
import { deployToken, readAddresses, shop, sweeps } from "./evmSweeping.js"

type Chain = Parameters<Parameters<typeof testOnChain>[1]>[0]
type Needs = Services | EvmTransactions | EvmSweeps.EvmSweeps

/** A shop with so many addresses, each of which was paid a million of the smallest unit. */
const setUp = async ({ file, mine, url }: Chain, count: number) => {
  const [tokens, addresses] = [await deployToken(url, mine), await readAddresses(url, count)]
  for (const each of addresses) await tokens.give(each, 1_000_000n)
  const store = file()
  return {
    ...tokens,
    addresses,
    order: (index: number, more: Partial<EvmSweeps.SweepOrder> = {}): EvmSweeps.SweepOrder => ({
      key: `order-${index}`,
      network,
      from: addresses[index] ?? "",
      gas: payer,
      token: tokens.token,
      to: shop,
      maxGas: "0.01",
      ...more
    }),
    coins: async (address: string): Promise<bigint> =>
      BigInt(await ask<string>(url, "eth_getBalance", address, "latest")),
    /** A process that runs until its effect has ended. */
    runs: <A, E>(effect: Effect.Effect<A, E, Needs>): Promise<A> =>
      Effect.runPromise(
        effect.pipe(
          Effect.provide(
            Layer.provideMerge(
              sweeps(url, count, { pollingInterval: "100 millis", suspendAfter: "20 seconds" }),
              Libsql.layer({ name: "tests", file: store })
            )
          ),
          Effect.timeout("550 seconds"),
          Effect.provide(withoutLogs)
        )
      )
  }
}

const send = (order: EvmSweeps.SweepOrder) =>
  Effect.flatMap(EvmSweeps.EvmSweeps, (service) => service.send(order))
const submit = (order: EvmSweeps.SweepOrder) =>
  Effect.flatMap(EvmSweeps.EvmSweeps, (service) => service.submit(order))

/** Until the ledger has a transaction of this key in this state. */
const untilEntry = (key: string, condition: "signed" | "ended") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    until(
      Effect.map(
        condition === "ended"
          ? sql`SELECT key FROM fleet_transactions WHERE key = ${key} AND state = 'ended'`
          : sql`SELECT t.key FROM fleet_transactions t JOIN fleet_signed s
              ON s.network = t.network AND s.address = t.address AND s.nonce = t.nonce WHERE t.key = ${key}`,
        ({ length }) => length > 0
      )
    )
  )

describe("durable sweeps on EVM networks", () => {
  testOnChain(
    "pay the gas of each address once and send its tokens once, however often they are asked for",
    async (chain) => {
      const { addresses, balanceOf, coins, order, runs } = await setUp(chain, 3)
      const before = await coins(payer)
      const [results, found] = await runs(
        Effect.gen(function* () {
          const all = [0, 1, 2, 0, 1, 2].map((index) => send(order(index)))
          const swept = yield* chain.mining(Effect.all(all, { concurrency: "unbounded" }))
          const { result } = yield* EvmSweeps.EvmSweeps
          return [swept, yield* result(order(1))] as const
        })
      )
      expect(await balanceOf(shop)).toBe(3_000_000n)
      expect(results.map(({ fundings }) => fundings.length)).toEqual(Array(6).fill(1))
      expect(results[0]).toEqual(results[3])
      expect(found).toMatchObject({ value: { right: results[1] } })
      expect(results[0]).toMatchObject({
        key: "order-0",
        fundings: [{ key: "order-0/gas", from: payer }],
        payment: { key: "order-0/sweep", from: addresses[0], nonce: 0 }
      })
      const paid = await listMined(chain.url)
      expect(paid.map(({ to }) => to?.toLowerCase()).sort()).toEqual(
        addresses.map((each) => each.toLowerCase()).sort()
      )
      for (const each of addresses) expect(await listMined(chain.url, each)).toHaveLength(1)
      expect(before - (await coins(payer))).toBeLessThan(3n * 10n ** 16n)
    }
  )

  testOnChain("are refused where they cannot be made, and pay no gas then", async (chain) => {
    const { addresses, order, runs } = await setUp(chain, 2)
    const [errors, refused, again] = await runs(
      Effect.gen(function* () {
        const bad: ReadonlyArray<readonly [EvmSweeps.SweepOrder, string]> = [
          [order(0, { key: "two words" }), "key must be"],
          [order(0, { key: "k".repeat(181) }), "key must be"],
          [order(0, { gas: shop }), `gas is ${shop}`],
          [order(0, { from: shop }), `from is ${shop}`],
          [order(0, { maxGas: "much" }), "maxGas must be"]
        ]
        const errors = yield* Effect.forEach(bad, ([each, words]) =>
          Effect.map(Effect.flip(submit(each)), (error) => [error, words] as const)
        )
        const capped = yield* Effect.flip(send(order(0, { key: "capped", maxGas: 1_000n })))
        const poor = yield* Effect.flip(send(order(0, { key: "poor", amount: "7" })))
        const same = yield* Effect.flip(send(order(1, { key: "same", gas: addresses[1] ?? "" })))
        const reused = yield* Effect.flip(submit(order(0, { key: "capped" })))
        return [
          errors,
          [capped, poor, same, reused],
          yield* Effect.flip(send(order(0, { key: "capped", maxGas: 1_000n })))
        ] as const
      })
    )
    for (const [error, words] of errors) {
      expect(error).toMatchObject({ _tag: "InvalidArgument" })
      expect(String(error.message)).toContain(words)
    }
    expect(refused).toMatchObject([
      { _tag: "GasOverCap", cap: "0.000000000000001" },
      { _tag: "InsufficientFunds", needed: "7", available: "1" },
      { _tag: "InvalidArgument" },
      { _tag: "KeyReused" }
    ])
    expect(again).toEqual(refused[0])
    expect(await listMined(chain.url)).toEqual([])
  })

  testOnChain("go on where a process ended, at whatever step, and pay nothing twice", async (chain) => {
    const { addresses, balanceOf, order, runs } = await setUp(chain, 1)
    const [address = ""] = addresses
    await runs(submit(order(0)))
    await runs(Effect.zipRight(submit(order(0)), untilEntry("order-0/gas", "signed")))
    await runs(chain.mining(untilEntry("order-0/gas", "ended")))
    await runs(untilEntry("order-0/sweep", "signed"))
    const swept = await runs(chain.mining(send(order(0))))
    expect(await balanceOf(shop)).toBe(1_000_000n)
    const [paid, sent] = [await listMined(chain.url), await listMined(chain.url, address)]
    expect(paid.map(({ hash }) => hash)).toEqual(swept.fundings.map(({ hash }) => hash))
    expect(sent.map(({ hash }) => hash)).toEqual([swept.payment.hash])
  })

  testOnChain("pay what a higher fee lacks, and no more than maxGas in all of it", async (chain) => {
    const { addresses, balanceOf, coins, order, runs } = await setUp(chain, 2)
    /** Mines a block with this base fee. */
    const mineAt = (gwei: number) =>
      Effect.promise(async () => {
        await ask(chain.url, "anvil_setNextBlockBaseFeePerGas", `0x${(gwei * 1e9).toString(16)}`)
        await chain.mine()
      })
    const miningAt = <A, E, R>(gwei: number, effect: Effect.Effect<A, E, R>) =>
      Effect.race(effect, Effect.forever(Effect.delay(mineAt(gwei), "100 millis")))
    /** The base fee doubles while the gas is on its way: a block still takes the gas, and the tokens take more than it. */
    const rise = (index: number, more: Partial<EvmSweeps.SweepOrder>) =>
      Effect.gen(function* () {
        yield* mineAt(1)
        yield* submit(order(index, more))
        yield* untilEntry(`order-${index}/gas`, "signed")
        return yield* miningAt(2, Effect.either(send(order(index, more))))
      })
    const before = await coins(payer)
    const more = await runs(rise(0, { maxGas: "0.01" }))
    expect(Either.isRight(more) && more.right.fundings.map(({ key }) => key)).toEqual([
      "order-0/gas",
      "order-0/gas/2"
    ])
    expect(await balanceOf(shop)).toBe(1_000_000n)
    expect(before - (await coins(payer))).toBeLessThan(10n ** 16n)

    const start = await coins(payer)
    const capped = await runs(rise(1, { maxGas: "0.0005" }))
    expect(Either.isLeft(capped) && capped.left).toMatchObject({ _tag: "GasOverCap" })
    expect(start - (await coins(payer))).toBeLessThanOrEqual(5n * 10n ** 14n)
    expect(await coins(addresses[1] ?? "")).toBeGreaterThan(0n)
    // the gas is there, and a new key goes on with it
    const next = await runs(miningAt(2, send(order(1, { key: "again" }))))
    expect(next.fundings).toHaveLength(1)
    expect(await balanceOf(shop)).toBe(2_000_000n)
  })
})
