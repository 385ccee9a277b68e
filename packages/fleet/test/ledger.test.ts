/** The tables of durable transactions, over both databases: nonces, bytes, and what may be forgotten. */
import * as ClusterSchema from "@effect/cluster/ClusterSchema"
import * as Entity from "@effect/cluster/Entity"
import * as Rpc from "@effect/rpc/Rpc"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Workflow from "@effect/workflow/Workflow"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import * as UtxoStore from "../src/bitcoin/UtxoStore.js"
import type { Services } from "../src/engine.js"
import * as Ledger from "../src/Ledger.js"
import * as Retention from "../src/Retention.js"
import { withoutLogs } from "./evm.js"
import { useStores } from "./stores.js"

const account: Ledger.Account = { network: "ethereum-mainnet", address: "0x01" }
const bytes = (hash: string) => ({
  round: 0,
  hash,
  raw: "0x",
  plan: "{}",
  purpose: "pay" as const
})

describe.each(useStores())("the ledger over %s", (kind, store) => {
  const runs = async <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(await (await store())()),
        Effect.timeout("550 seconds"),
        Effect.provide(withoutLogs)
      )
    )
  const ledger = Effect.map(SqlClient.SqlClient, Ledger.make)
  const purse = Effect.map(SqlClient.SqlClient, UtxoStore.make)
  const spender: Ledger.Account = { network: "litecoin-testnet", address: "tltc1" }
  const coin = (vout: number): UtxoStore.Utxo => ({ txid: "aa", vout, amount: 5n })

  it("gives nonces out one after another to many who ask at once, and each key the same again", async () => {
    const entries = await runs(
      Effect.gen(function* () {
        const { findOrCreate, reserveNonce } = yield* ledger
        return yield* Effect.forEach(
          Array.from({ length: 120 }, (_, i) => i % 60),
          (i) =>
            Effect.flatMap(findOrCreate(account, `k${i}`, "d"), (entry) => reserveNonce(entry, `of ${i}`, 5)),
          { concurrency: 8 }
        )
      })
    )
    const nonces = entries.map(({ nonce = -1 }) => nonce)
    expect(nonces.slice(60).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 5))
    expect(nonces.slice(0, 60)).toEqual(nonces.slice(60))
    expect(entries.map(({ plan }) => plan)).toEqual(entries.map((__, i) => `of ${i % 60}`))
  })

  it("lets no two keys have one nonce, nor one round of a nonce two signatures", async () => {
    const [fence, first, second, same] = await runs(
      Effect.gen(function* () {
        const { findOrCreate, reserveNonce, storeSigned: keep } = yield* ledger
        const sql = yield* SqlClient.SqlClient
        yield* reserveNonce(yield* findOrCreate(account, "owner", "d"), "{}", 5)
        yield* findOrCreate(account, "thief", "d")
        return [
          yield* Effect.exit(sql`UPDATE fleet_transactions SET nonce = 5 WHERE key = 'thief'`),
          yield* keep(account, 5, bytes("0xaa")),
          yield* keep(account, 5, bytes("0xbb")),
          // two runners may sign the same bytes
          yield* keep(account, 5, bytes("0xaa"))
        ] as const
      })
    )
    expect(Exit.isFailure(fence)).toBe(true)
    // whoever is second gets what the first one has kept, and sends that
    expect([first.hash, second.hash, same.hash]).toEqual(["0xaa", "0xaa", "0xaa"])
  })

  it("goes on behind the largest nonce where the account's row is behind", async () => {
    const nonce = await runs(
      Effect.gen(function* () {
        const { findOrCreate, reserveNonce } = yield* ledger
        const sql = yield* SqlClient.SqlClient
        for (const key of ["a", "b", "c", "d"])
          yield* reserveNonce(yield* findOrCreate(account, key, "d"), "{}", 5)
        yield* sql`UPDATE fleet_accounts SET next = 7`
        return (yield* reserveNonce(yield* findOrCreate(account, "late", "d"), "{}", 5)).nonce
      })
    )
    expect(nonce).toBe(9)
  })

  it("gives no nonce to what has ended, ends nothing that got one meanwhile, and leaves no hole by either", async () => {
    const [refused, given, next] = await runs(
      Effect.gen(function* () {
        const { recordEnd, findOrCreate, find, reserveNonce } = yield* ledger
        const [early, late] = [
          yield* findOrCreate(account, "early", "d"),
          yield* findOrCreate(account, "slow", "d")
        ]
        const ends = [yield* recordEnd(early, "refused"), yield* recordEnd(early, "refused")]
        const other = yield* reserveNonce(early, "{}", 5)
        yield* reserveNonce(late, "{}", 5)
        // what a runner says that knew of no nonce
        ends.push(yield* recordEnd(late, "refused"))
        expect(ends).toEqual([true, false, false])
        const after = yield* find(account, "slow")
        return [
          other,
          after,
          yield* reserveNonce(yield* findOrCreate(account, "next", "d"), "{}", 5)
        ] as const
      })
    )
    expect(refused).toMatchObject({ state: "ended", outcome: "refused", nonce: undefined })
    expect(given).toMatchObject({ state: "open", outcome: undefined, nonce: 5 })
    expect(next.nonce).toBe(6)
  })

  it.runIf(kind === "Postgres")(
    "fails where its session ends in the midst of its work, and does not die of it",
    async () => {
      const error = await runs(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.flip(sql.withTransaction(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
        )
      )
      expect(error).toMatchObject({ _tag: "SqlError" })
    }
  )

  it("forgets what has ended for long enough, and nothing else", async () => {
    const Noted = Workflow.make({
      name: "Noted",
      payload: { of: Schema.String },
      idempotencyKey: ({ of }) => of
    })
    const [early, done, rows, messages] = await runs(
      Effect.gen(function* () {
        const { recordEnd, findOrCreate } = yield* ledger
        yield* Noted.execute({ of: "a" })
        yield* recordEnd(yield* findOrCreate(account, "k0", "d"), "{}")
        yield* findOrCreate(account, "k1", "d")
        const before = yield* Retention.forget({ workflows: ["Noted"] })
        yield* Effect.sleep("50 millis")
        const after = yield* Retention.forget({ messages: 1, keys: 1, workflows: ["Noted"] })
        const sql = yield* SqlClient.SqlClient
        return [
          before,
          after,
          yield* sql`SELECT key FROM fleet_transactions WHERE key = 'k0' OR key = 'k1'`,
          yield* sql`SELECT id FROM cluster_messages`
        ] as const
      }).pipe(Effect.provide(Noted.toLayer(() => Effect.void)))
    )
    expect(early).toEqual({ workflows: 0, keys: 0 })
    expect(done).toEqual({ workflows: 1, keys: 1 })
    expect(rows.map(({ key }) => key)).toEqual(["k1"])
    expect(messages).toEqual([])
    const refusal = await runs(Effect.flip(Retention.forget({ messages: "2 days", keys: "1 day" })))
    expect(refusal).toMatchObject({ _tag: "FleetError", reason: "InvalidOption" })
  })

  it("tells of each account the first nonce that has not ended, and all that are to be filled", async () => {
    const [mine, others] = await runs(
      Effect.gen(function* () {
        const { recordEnd, findOrCreate, createFiller, abandonNonce, reserveNonce, listPending } =
          yield* ledger
        const own = { network: "ethereum-mainnet", address: "0x02" }
        const other = { network: "ethereum-mainnet", address: "0x03" }
        const [first, , , fourth] = yield* Effect.forEach(["a", "b", "c", "d"], (key) =>
          Effect.flatMap(findOrCreate(own, key, "d"), (entry) => reserveNonce(entry, "{}", 0))
        )
        yield* findOrCreate(own, "none", "d")
        yield* Effect.flatMap(findOrCreate(other, "a", "d"), (entry) => reserveNonce(entry, "{}", 7))
        if (first) yield* recordEnd(first, "paid")
        if (fourth) yield* abandonNonce(fourth)
        yield* createFiller(own, 9, "")
        return [yield* listPending(own), yield* listPending(other)] as const
      })
    )
    expect(mine.map(({ key, nonce, state }) => [key, nonce, state])).toEqual([
      ["b", 1, "open"],
      ["d", 3, "filling"],
      ["fill 9", 9, "filling"]
    ])
    expect(others.map(({ key, nonce }) => [key, nonce])).toEqual([["a", 7]])
  })

  it("gives a coin to one of many who want it at once, and to each key the same plan again", async () => {
    const keys = ["c0", "c1", "c2", "c9"]
    const [all, again, busy] = await runs(
      Effect.gen(function* () {
        const { findOrCreate } = yield* ledger
        const coins = yield* purse
        const ask = (key: string) =>
          Effect.zipRight(
            findOrCreate(spender, key, "d"),
            Effect.either(coins.reserve({ ...spender, key }, key, [coin(key === "c9" ? 9 : 0), coin(1)]))
          )
        const asked = yield* Effect.forEach(keys, ask, { concurrency: 4 })
        const first = keys.find((_, i) => asked[i]?._tag === "Right") ?? ""
        return [
          asked,
          yield* coins.reserve({ ...spender, key: first }, "other", [coin(7)]),
          yield* coins.listReserved(spender)
        ]
      })
    )
    const [won] = all.filter(Either.isRight)
    expect(all.filter(Either.isLeft).map(({ left }) => left._tag)).toEqual(Array(3).fill("UtxosTaken"))
    expect(again).toBe(won?.right)
    // none has a part of what it wanted
    expect(busy.map(({ vout }) => vout).toSorted()).toEqual(won?.right === "c9" ? [1, 9] : [0, 1])
  })

  it("gives coins back before anything was signed for them, and then never again", async () => {
    const [early, free, kept, second, late, held, still] = await runs(
      Effect.gen(function* () {
        const { recordEnd, findOrCreate, listOpen } = yield* ledger
        const coins = yield* purse
        const [one, other] = ["back", "signed"].map((key) => ({ ...spender, key }))
        if (one === undefined || other === undefined) return yield* Effect.dieMessage("two keys")
        yield* findOrCreate(spender, one.key, "d")
        yield* findOrCreate(spender, other.key, "d")
        yield* coins.reserve(one, "{}", [coin(20)])
        const given = yield* coins.endUnsigned(one, recordEnd(one, "{}"))
        yield* coins.reserve(other, "{}", [coin(20)])
        const signed = yield* coins.storeSigned(other, bytes("b0"), [])
        const raced = yield* coins.storeSigned(other, bytes("b1"), [coin(21)])
        return [
          given,
          (yield* coins.listReserved(spender)).some(({ vout }) => vout === 20),
          signed,
          raced,
          yield* coins.endUnsigned(other, recordEnd(other, "{}")),
          (yield* coins.listReserved(spender)).map(({ vout }) => vout).filter((vout) => vout >= 20),
          (yield* listOpen(spender)).map(({ key }) => key)
        ] as const
      })
    )
    expect([early, free]).toEqual([true, true])
    // whoever is second sends what the first has kept, and has no coin more for it
    expect([kept.hash, second.hash]).toEqual(["b0", "b0"])
    expect([late, held]).toEqual([false, [20]])
    // those whose workflow may have died: without an end, with coins or none
    expect(still).toContain("signed")
    expect(still).not.toContain("back")
  })

  it("frees the coins that what has landed does not spend, and takes none for what has ended", async () => {
    const [busy, ended, again] = await runs(
      Effect.gen(function* () {
        const { recordEnd, findOrCreate } = yield* ledger
        const coins = yield* purse
        const key = { ...spender, key: "landed" }
        yield* findOrCreate(spender, key.key, "d")
        yield* coins.reserve(key, "{}", [coin(30), coin(31)])
        yield* coins.endLanded(key, [coin(30)], recordEnd(key, "{}"))
        yield* findOrCreate(spender, "next", "d")
        const next = { ...spender, key: "next" }
        return [
          (yield* coins.listReserved(spender)).map(({ vout }) => vout).filter((vout) => vout >= 30),
          yield* Effect.flip(coins.reserve(key, "{}", [coin(32)])),
          [
            yield* Effect.flip(coins.reserve(next, "{}", [coin(30)])),
            yield* coins.reserve(next, "{}", [coin(31)])
          ]
        ] as const
      })
    )
    expect(busy).toEqual([])
    expect(ended._tag).toBe("PaymentEnded")
    // what is spent stays with whom it was spent for
    expect(again).toMatchObject([{ _tag: "UtxosTaken" }, "{}"])
  })

  it.each([true, false])(
    "keeps the answer of a call that its caller has left, where the call is annotated: %s",
    async (isAnnotated) => {
      const Slow = Entity.make(`Slow${isAnnotated}`, [
        Rpc.make("Ask", {
          payload: { key: Schema.String },
          success: Schema.Number,
          primaryKey: ({ key }) => key
        })
          .annotate(ClusterSchema.Persisted, true)
          .annotate(ClusterSchema.Uninterruptible, isAnnotated)
      ])
      const begun = Effect.runSync(Deferred.make<void>())
      let calls = 0
      const slow = Slow.toLayer(
        Effect.succeed({
          Ask: () =>
            Effect.suspend(() => {
              calls++
              return Effect.zipRight(
                Deferred.succeed(begun, undefined),
                // what may be interrupted has no other end
                isAnnotated ? Effect.delay(Effect.succeed(42), "1500 millis") : Effect.never
              )
            })
        })
      )
      const again = await runs(
        Effect.gen(function* () {
          const client = (yield* Slow.client)("one")
          const asking = yield* Effect.fork(client.Ask({ key: "one" }))
          // one that is left before it has begun is asked anew
          yield* Deferred.await(begun)
          yield* Fiber.interrupt(asking)
          return yield* Effect.exit(client.Ask({ key: "one" }))
        }).pipe(Effect.provide(slow))
      )
      expect(calls).toBe(1)
      // this is why every call that is kept has the annotation, as the engine's own have
      expect(Exit.match(again, { onFailure: Cause.isInterrupted, onSuccess: (value) => value })).toBe(
        isAnnotated ? 42 : true
      )
    }
  )
})
