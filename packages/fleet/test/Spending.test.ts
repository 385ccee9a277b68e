/** Limits of policies over both databases: counted once for all processes, exactly, and over restarts. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import {
  make,
  type PolicyRequest,
  SharedPolicy,
  type SpendingClaim,
  type SpendingStore
} from "effect-chains/effect/signers/policy"
import { describe, expect, it } from "vitest"
import type { Services } from "../src/engine.js"
import * as Spending from "../src/Spending.js"
import { withoutLogs } from "./evm.js"
import { useStores } from "./stores.js"

const DAY = 86_400_000

const claim = (amount: bigint, most: bigint, key = "coin", windowMs = DAY): SpendingClaim => ({
  key,
  amount,
  most,
  windowMs
})

const treasury = Spending.makeStore({ name: "treasury" })

const payment = (amount: bigint): PolicyRequest => ({
  kind: "payment",
  network: "ethereum-mainnet",
  address: "0x01",
  prepared: {
    network: "ethereum-mainnet",
    from: "0x01",
    to: "0x02",
    amount,
    fee: 0n,
    outgoing: [],
    warnings: [],
    transaction: {}
  }
})

/** What was spent of a limit, as a refusal tells it. */
const spentOf = (store: SpendingStore, key = "coin") =>
  Effect.map(store.reserve([claim(10n ** 80n, 0n, key)]), ({ exceeded }) => exceeded?.spent)

describe.each(useStores())("what policies count over %s", (kind, database) => {
  const run = <A, E>(
    layer: Layer.Layer<Services, unknown>,
    effect: Effect.Effect<A, E, Services>
  ): Promise<A> =>
    Effect.runPromise(
      effect.pipe(Effect.provide(layer), Effect.timeout("550 seconds"), Effect.provide(withoutLogs))
    )

  const runs = async <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> =>
    run(await (await database())(), effect)

  it("is added once for many who ask at once, up to the limit and no further", async () => {
    const outcomes = await runs(
      Effect.flatMap(treasury, (store) =>
        Effect.forEach(
          Array.from({ length: 60 }, () => 1n),
          () => store.reserve([claim(1n, 25n)]),
          { concurrency: "unbounded" }
        )
      )
    )
    const exceeded = outcomes.filter((each) => each.exceeded !== undefined)
    expect(exceeded).toHaveLength(35)
    expect(new Set(exceeded.map((each) => each.exceeded?.spent))).toEqual(new Set([25n]))
  })

  it("adds all parts of a payment or none, whatever their order", async () => {
    const [coin, token, other] = await runs(
      Effect.gen(function* () {
        const store = yield* treasury
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, i) => i),
          (i) => {
            const parts = [claim(1n, 100n, "coin"), claim(3n, 30n, "token")]
            return store.reserve(i % 2 === 0 ? parts : parts.reverse())
          },
          { concurrency: "unbounded" }
        )
        return [yield* spentOf(store), yield* spentOf(store, "token"), yield* spentOf(store, "none")]
      })
    )
    expect([coin, token, other]).toEqual([10n, 30n, 0n])
  })

  it("is exact, however large an amount is, and takes back what was not paid", async () => {
    const large = 2n ** 256n - 1n
    const [before, after] = await runs(
      Effect.gen(function* () {
        const store = yield* treasury
        yield* store.reserve([claim(large, 10n ** 79n)])
        const { release } = yield* store.reserve([claim(large - 1n, 10n ** 79n), claim(1n, 2n, "token")])
        const sum = yield* spentOf(store)
        yield* release
        // a second time it takes back nothing else
        yield* release
        return [sum, [yield* spentOf(store), yield* spentOf(store, "token")]] as const
      })
    )
    expect(before).toBe(2n * large - 1n)
    expect(after).toEqual([large, 0n])
  })

  it("is there after a restart, and only under the name of its policy", async () => {
    const process = await database()
    await run(
      await process(),
      Effect.flatMap(treasury, (store) => store.reserve([claim(7n, 10n)]))
    )
    const spent = await run(
      await process(),
      Effect.gen(function* () {
        return [
          yield* Effect.flatMap(treasury, (store) => spentOf(store)),
          yield* Effect.flatMap(Spending.makeStore({ name: "wages" }), (store) => spentOf(store))
        ]
      })
    )
    expect(spent).toEqual([7n, 0n])
  })

  it("counts for the span of its limit, and is forgotten then", async () => {
    const [spent, rows] = await runs(
      Effect.gen(function* () {
        const store = yield* treasury
        const sql = yield* SqlClient.SqlClient
        const age = (ms: number) => sql`UPDATE fleet_spent SET created = created - ${ms}`
        yield* store.reserve([claim(5n, 10n)])
        // a minute is left, whatever the machine does meanwhile
        yield* age(DAY - 60_000)
        const young = yield* spentOf(store)
        // a shorter limit forgets nothing that a longer one counts
        yield* store.reserve([claim(1n, 10n, "hourly", 3_600_000)])
        const kept = yield* spentOf(store)
        yield* age(60_000)
        const old = yield* spentOf(store)
        return [[young, kept, old], yield* sql`SELECT key FROM fleet_spent`] as const
      })
    )
    expect(spent).toEqual([5n, 5n, 0n])
    expect(rows).toEqual([{ key: "hourly" }])
  })

  it("lets nobody pay where the database has no answer, and says so", async () => {
    const [denied, signed] = await runs(
      Effect.gen(function* () {
        let signed = 0
        const store = yield* treasury
        const sql = yield* SqlClient.SqlClient
        const { release } = yield* store.reserve([claim(1n, 5n)])
        yield* sql`DROP TABLE fleet_spent`
        // what cannot be taken back stays counted, and fails nobody
        yield* release
        const policy = yield* make(
          { limits: [{ network: "ethereum-mainnet", amount: 5n, per: "1 day" }] },
          { store }
        )
        const denied = yield* Effect.flip(
          policy.authorize(
            payment(1n),
            Effect.sync(() => signed++)
          )
        )
        return [denied, signed] as const
      })
    )
    expect(denied).toMatchObject({ _tag: "PolicyDenied", rule: "limit" })
    expect(denied.message).toContain("what was spent is not known: The database refuses")
    expect(signed).toBe(0)
  })

  it("refuses a name that is none", async () => {
    const error = await runs(Effect.flip(Spending.makeStore({ name: "of the treasury" })))
    expect(error).toMatchObject({ _tag: "FleetError", reason: "InvalidOption" })
  })

  it.runIf(kind === "Postgres")(
    "is added once for many processes that ask at once, in whatever order they name its limits",
    async () => {
      const process = await database()
      const processes = await Promise.all([process(), process(), process()])
      const outcomes = await Promise.all(
        processes.map((layer, at) =>
          run(
            layer,
            Effect.flatMap(treasury, (store) =>
              Effect.forEach(
                Array.from({ length: 40 }, () => [claim(1n, 50n, "coin"), claim(1n, 1_000n, "token")]),
                (parts) => store.reserve(at === 0 ? parts : parts.reverse()),
                { concurrency: "unbounded" }
              )
            )
          )
        )
      )
      expect(outcomes.flat().filter(({ exceeded }) => exceeded === undefined)).toHaveLength(50)
    }
  )

  it("never lets more be signed than a limit, by the policies of several processes, and counts what is signed", async () => {
    const process = await database()
    // a file has one process
    const layers = await Promise.all(Array.from({ length: kind === "Postgres" ? 3 : 1 }, process))
    const processes = layers.map((layer) => ManagedRuntime.make(Layer.provideMerge(layer, withoutLogs)))
    const plan = fc.array(
      fc.record({
        amount: fc.bigInt({ min: 1n, max: 40n }),
        by: fc.nat(2),
        end: fc.constantFrom("paid", "refused", "died")
      }),
      { minLength: 1, maxLength: 25 }
    )
    const MOST = 100n
    const rules = { limits: [{ network: "ethereum-mainnet", amount: MOST, per: "1 day" }] } as const
    let round = 0
    await fc.assert(
      fc.asyncProperty(plan, async (payments) => {
        // each plan has a policy of its own
        const name = `plan-${round++}`
        const signed: Array<bigint> = []
        const pay = ({ amount, end }: (typeof payments)[number]) =>
          Effect.flatMap(SharedPolicy, (policy) =>
            policy.authorize(
              payment(amount),
              Effect.suspend(() => {
                if (end === "refused") return Effect.fail("nothing was sent")
                signed.push(amount)
                return end === "died" ? Effect.die("after it was signed") : Effect.void
              })
            )
          )
        const ended = await Promise.all(
          processes.map((runtime, at) =>
            runtime.runPromise(
              Effect.forEach(
                payments.filter(({ by }) => by % processes.length === at),
                (each) => Effect.map(Effect.exit(pay(each)), (exit) => ({ ...each, exit })),
                { concurrency: "unbounded" }
              ).pipe(Effect.provide(Spending.layer(rules, { name })), Effect.timeout("550 seconds"))
            )
          )
        )
        const sum = signed.reduce((one, other) => one + other, 0n)
        expect(sum).toBeLessThanOrEqual(MOST)
        // what fits, all together, is refused to nobody
        if (payments.reduce((all, { amount }) => all + amount, 0n) <= MOST)
          expect(ended.flat().filter(({ end, exit }) => end === "paid" && Exit.isFailure(exit))).toEqual([])
        const spent = await processes[0]?.runPromise(
          Effect.flatMap(Spending.makeStore({ name }), (store) =>
            spentOf(store, `ethereum-mainnet coin ${DAY}`)
          )
        )
        expect(spent).toBe(sum)
      }),
      { numRuns: 8 }
    )
    await Promise.all(processes.map((runtime) => runtime.dispose()))
  })
})
