/** Durable EVM transactions whose workflow died, in one process over a file, on anvil: their ends, and no hole among their nonces. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"
import type { EvmSigner } from "effect-chains/effect/signers/Evm"
import { describe, expect } from "vitest"
import * as EvmTransactions from "../src/EvmTransactions.js"
import { type AccountQueue, defaults } from "../src/evm/AccountQueue.js"
import { digestOf } from "../src/evm/Order.js"
import * as Recovery from "../src/evm/Recovery.js"
import { accountOf } from "../src/evm/SendWorkflow.js"
import * as Ledger from "../src/Ledger.js"
import * as Libsql from "../src/Libsql.js"
import * as Retention from "../src/Retention.js"
import { ask, network, to, withoutLogs } from "./evm.js"
import {
  interruptWorkflow,
  listSigned,
  send,
  submit,
  testOnChain,
  until,
  untilComplete,
  untilNonce,
  untilSigned
} from "./evmChain.js"

/** The first nonce of an account that has not ended, as it is told to operators. */
const head = (address: string) =>
  Effect.map(Metric.snapshot, (all) => {
    const state = all.find(
      ({ metricKey }) =>
        metricKey.name === "fleet_transactions_head" &&
        metricKey.tags.some(({ value }) => value.toLowerCase() === address.toLowerCase())
    )?.metricState
    return MetricState.isGaugeState(state) ? state.value : undefined
  })

/** Pays 1 wei, and dies of more. */
const mortal = {
  changed: ({ prepare }: EvmSigner): Partial<EvmSigner> => ({
    prepare: (payment) =>
      payment.amount === 1n ? prepare(payment) : Effect.die(new Error("a defect of what prepares"))
  })
}

describe("durable EVM transactions whose workflow died", () => {
  testOnChain(
    "leave no hole: their nonce is filled, and so is one that nobody has",
    async ({ account, mining }) => {
      // its metric is told by the account's name, which no test beside this one has
      const { address, mined, order, runs } = await account({ index: 1 })
      // with no window nothing is signed
      await runs(
        Effect.gen(function* () {
          yield* submit(order("dies"))
          yield* untilNonce
          yield* interruptWorkflow(order("dies"))
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE fleet_accounts SET next = 3`
        }),
        { maxInFlight: 0, suspendAfter: "500 millis" }
      )
      const [next, dead] = await runs(
        Effect.gen(function* () {
          const sending = yield* Effect.fork(send(order("lives", 7n)))
          const sql = yield* SqlClient.SqlClient
          const holes = sql`SELECT nonce FROM fleet_transactions WHERE state = 'filling'`
          yield* mining(until(Effect.map(holes, ({ length }) => length === 2)))
          // no block comes meanwhile
          yield* until(Effect.map(head(address), (value) => value === 1))
          const sent = yield* mining(sending)
          const { result } = yield* EvmTransactions.EvmTransactions
          yield* mining(until(Effect.map(result({ network, from: address, key: "dies" }), Option.isSome)))
          return [sent, yield* result({ network, from: address, key: "dies" })] as const
        }),
        { suspendAfter: "500 millis" }
      )
      expect(next.nonce).toBe(3)
      expect(Option.getOrUndefined(dead)).toMatchObject({ left: { _tag: "SigningFailed" } })
      const there = await mined()
      expect(there.map(({ nonce }) => Number(nonce))).toEqual([0, 1, 2, 3])
      expect(there.slice(0, 3).map((each) => [each.to?.toLowerCase(), BigInt(each.value)])).toEqual(
        Array.from({ length: 3 }, () => [address.toLowerCase(), 0n])
      )
    }
  )

  testOnChain(
    "are told of no hole by one answer alone, which may be of a node that is behind",
    async ({ file }) => {
      const account = { network, address: to.toLowerCase() } as const
      let isBehind = false
      let reads = 0
      const none = Effect.dieMessage("nothing else is asked for")
      const queue: AccountQueue = {
        account,
        network,
        address: account.address,
        workLimit: Effect.unsafeMakeSemaphore(1),
        // every second answer is of another node
        transactionCount: Effect.sync(() => (isBehind || reads++ % 2 === 0 ? 3 : 5)),
        checkNonce: () => Effect.succeed({ _tag: "Waiting", isMined: false }),
        plan: () => none,
        broadcast: () => none
      }
      const [early, late] = await Effect.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const ledger = Ledger.make(sql)
          yield* ledger.reserveNonce(yield* ledger.findOrCreate(account, "fifth", ""), "", 5)
          const policy = { ...defaults, suspendAfter: "10 millis" } as const
          yield* Effect.fork(Recovery.make(new Map([["queue", queue]]), ledger, policy))
          const filling = sql`SELECT nonce FROM fleet_transactions WHERE state = 'filling' ORDER BY nonce`
          yield* until(Effect.sync(() => reads > 10))
          const before = yield* filling
          isBehind = true
          yield* until(Effect.map(filling, ({ length }) => length > 1))
          return [before, yield* filling] as const
        }).pipe(
          Effect.provide(Libsql.layer({ name: "tests", file: file() })),
          Effect.timeout("550 seconds"),
          Effect.provide(withoutLogs)
        )
      )
      // the fifth itself is one that nobody looks after
      expect(early).toEqual([{ nonce: 5n }])
      expect(late).toEqual([{ nonce: 3n }, { nonce: 4n }, { nonce: 5n }])
    }
  )

  testOnChain(
    "before they had a nonce have an end, which is told to all who ask",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account(mortal)
      const dies = order("mortal", 2n)
      const { again, first, next, found } = await runs(
        Effect.gen(function* () {
          const { result } = yield* EvmTransactions.EvmTransactions
          const waiting = yield* Effect.fork(Effect.flip(send(dies)))
          yield* untilComplete(dies)
          // one who asks once it has died hears of the end as those do who wait for it
          yield* submit(dies)
          return {
            again: yield* Effect.flip(send(dies)),
            first: yield* waiting,
            found: yield* result(dies),
            next: yield* mining(send(order("mortal-next")))
          }
        }),
        { suspendAfter: "1 second" }
      )
      expect(first).toMatchObject({ _tag: "SigningFailed", reason: expect.stringContaining("died") })
      expect(again).toEqual(first)
      expect(found).toEqual(Option.some(Either.left(first)))
      expect(next).toMatchObject({ nonce: 0 })
      expect(await mined()).toHaveLength(1)
    }
  )

  testOnChain(
    "have an end, too, where the engine itself ends their workflow, whose message it cannot read",
    async ({ account }) => {
      // a preview that does not come leaves it without a nonce
      const { order, runs } = await account({ changed: () => ({ prepare: () => Effect.never }) })
      await runs(
        Effect.gen(function* () {
          yield* submit(order("garbled"))
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE cluster_messages SET payload = '{"order":{}}' WHERE tag = 'run'`
        })
      )
      expect(await runs(Effect.flip(send(order("garbled"))), { suspendAfter: "500 millis" })).toMatchObject({
        _tag: "SigningFailed"
      })
    }
  )

  testOnChain(
    "or was never begun go on where they are asked for again, and else end a day later",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account(mortal)
      const [asked, left] = [order("asked"), order("left", 2n)]
      const earlier = (milliseconds: number) =>
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE fleet_transactions SET created = created - ${milliseconds}`
        )
      const day = 86_400_000
      /** Written down by a process that died before it could begin it. */
      const enter = (order: EvmTransactions.Order) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Ledger.make(sql).findOrCreate(accountOf(order), order.key, digestOf(order))
        )
      const forgotten = await runs(
        Effect.gen(function* () {
          // nobody has looked since its workflow died
          yield* enter(asked)
          yield* submit(left)
          yield* untilComplete(left)
          yield* Effect.sleep("50 millis")
          return yield* Retention.forget({ messages: 1, keys: "1 day" })
        }),
        { suspendAfter: "1 hour" }
      )
      const { early, late, paid, stays } = await runs(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { result } = yield* EvmTransactions.EvmTransactions
          yield* earlier(day - 60_000)
          // those that are older have their end once somebody has looked: after the second one all were looked at once at least
          for (const key of ["old", "older"]) {
            yield* enter(order(key))
            yield* sql`UPDATE fleet_transactions SET created = 0 WHERE key = ${key}`
            yield* until(Effect.map(result(order(key)), Option.isSome))
          }
          const before = [yield* result(asked), yield* result(left)]
          const sent = yield* mining(send(asked))
          yield* earlier(60_000)
          yield* until(Effect.map(result(left), Option.isSome))
          return {
            early: before,
            late: yield* result(left),
            paid: sent,
            stays: yield* Effect.flip(send(left))
          }
        }),
        { suspendAfter: "200 millis" }
      )
      expect(forgotten).toEqual({ workflows: 1, keys: 0 })
      expect(early).toEqual([Option.none(), Option.none()])
      expect(late).toMatchObject({ value: { left: { _tag: "SigningFailed" } } })
      expect(Option.some(Either.left(stays))).toEqual(late)
      expect((await mined()).map(({ hash }) => hash)).toEqual([paid.hash])
    }
  )

  testOnChain(
    "after they were signed are seen through where the engine has forgotten their workflow",
    async ({ account, mining }) => {
      const { mined, order, runs } = await account()
      const kept = await runs(
        Effect.gen(function* () {
          yield* submit(order("forgotten"))
          yield* untilSigned(1)
          yield* interruptWorkflow(order("forgotten"))
          yield* Effect.sleep("50 millis")
          expect(yield* Retention.forget({ messages: 1, keys: "1 day" })).toEqual({ workflows: 1, keys: 0 })
          return yield* listSigned
        }),
        { suspendAfter: "500 millis" }
      )
      const end = await runs(
        Effect.gen(function* () {
          const { result } = yield* EvmTransactions.EvmTransactions
          yield* mining(until(Effect.map(result(order("forgotten")), Option.isSome)))
          expect(yield* listSigned).toEqual(kept)
          return yield* result(order("forgotten"))
        }),
        { suspendAfter: "500 millis" }
      )
      expect(end).toMatchObject({ value: { right: { hash: kept[0]?.hash } } })
      expect((await mined()).map(({ hash }) => hash)).toEqual([kept[0]?.hash])
    }
  )

  testOnChain("are seen through as deep as they were wanted", async ({ account, counting, mine, url }) => {
    const { by, more } = await counting()
    const { order, runs } = await account({ by })
    const deep = { ...order("deep"), confirmations: 30 }
    await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* submit(deep)
        yield* untilSigned(1)
        yield* interruptWorkflow(deep)
        // what was signed may be lost with the runner that was to hand it on
        yield* until(
          Effect.map(
            Effect.promise(() => ask<{ readonly pending: string }>(url, "txpool_status")),
            ({ pending }) => Number(pending) === 1
          )
        )
        yield* Effect.promise(() => mine(29))
        yield* more("eth_getTransactionReceipt", 4)
        expect(yield* result(deep)).toEqual(Option.none())
        yield* Effect.promise(() => mine())
        yield* until(Effect.map(result(deep), Option.isSome))
        expect(yield* result(deep)).toMatchObject({ value: { right: { nonce: 0 } } })
      }),
      { suspendAfter: "500 millis" }
    )
  })

  testOnChain(
    "and which nodes refuse for longer than there is patience have their nonce filled",
    async ({ account, mining, url }) => {
      const amount = 5_000n * 10n ** 18n
      const { address, mined, order, runs } = await account({
        changed: ({ sign }) => ({
          // what is left is enough for what fills the nonce
          sign: (transaction) =>
            Effect.tap(sign(transaction), () =>
              Effect.promise(() => ask(url, "anvil_setBalance", address, "0xde0b6b3a7640000").catch(() => {}))
            )
        })
      })
      const refused = order("refused", amount)
      await runs(
        Effect.gen(function* () {
          yield* submit(refused)
          yield* untilSigned(1)
          yield* interruptWorkflow(refused)
        }),
        { suspendAfter: "500 millis" }
      )
      const end = await runs(
        Effect.gen(function* () {
          const { result } = yield* EvmTransactions.EvmTransactions
          yield* mining(until(Effect.map(result(refused), Option.isSome)))
          return yield* result(refused)
        }),
        { suspendAfter: "500 millis", giveUpAfter: "1 second" }
      )
      expect(end).toMatchObject({ value: { left: { _tag: "SigningFailed" } } })
      expect((await mined()).map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
        [address.toLowerCase(), 0n]
      ])
    }
  )

  testOnChain(
    "are seen through though the nodes of another account do not answer",
    async ({ account, mining }) => {
      const silent = "0x00000000000000000000000000000000000051e7"
      const { mined, order, runs } = await account({
        more: ({ client, signer }) => [
          {
            client: { ...client, rpc: { ...client.rpc, getTransactionCount: () => Effect.never } },
            signer: { ...signer, address: silent }
          }
        ]
      })
      const dies = order("dies")
      const end = await runs(
        Effect.gen(function* () {
          const ledger = Ledger.make(yield* SqlClient.SqlClient)
          const { result } = yield* EvmTransactions.EvmTransactions
          // nobody looks after it: its nonce is to be filled before any of the other account
          const stuck = { network, address: silent }
          yield* ledger.reserveNonce(yield* ledger.findOrCreate(stuck, "stuck", ""), "", 0)
          yield* mining(send(order("first")))
          yield* submit(dies)
          yield* untilSigned(2)
          yield* interruptWorkflow(dies)
          yield* mining(until(Effect.map(result(dies), Option.isSome)))
          return yield* result(dies)
        }),
        { suspendAfter: "500 millis" }
      )
      expect(end).toMatchObject({ value: { right: { nonce: 1 } } })
      expect(await mined()).toHaveLength(2)
    }
  )
})
