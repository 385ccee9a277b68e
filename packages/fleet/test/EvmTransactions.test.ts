/** Durable EVM transactions, in one process over a file, on anvil. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { SdkError } from "effect-chains"
import type { EvmSigner, EvmTransaction } from "effect-chains/effect/signers/Evm"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EvmTransactions from "../src/EvmTransactions.js"
import type { Services } from "../src/engine.js"
import { defaults, type Line } from "../src/evm/Line.js"
import { digestOf, Outcome, PlanText } from "../src/evm/Order.js"
import { accountOf, EvmSend } from "../src/evm/Sending.js"
import * as Sweep from "../src/evm/Sweep.js"
import * as Ledger from "../src/Ledger.js"
import * as Libsql from "../src/Libsql.js"
import * as Retention from "../src/Retention.js"
import { accounts, ask, minedOf, network, quiet, to } from "./evm.js"
import { front } from "./front.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = Either.isRight(found)
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: durable transactions (no anvil binary)")
}

const folder = mkdtempSync(join(tmpdir(), "fleet-transactions-"))
let files = 0
const file = (): string => join(folder, `${files++}.db`)

type Needs = Services | EvmTransactions.EvmTransactions

/**
 * A chain whose blocks come when they are told to, and an account of its own: `changed` takes the place of what it signs with, `front` is
 * another way to the node, and `more` are other accounts beside it.
 */
const chain = async (
  index: number,
  changed: (signer: EvmSigner) => Partial<EvmSigner> = () => ({}),
  front = url,
  more: (own: EvmTransactions.EvmAccount) => ReadonlyArray<EvmTransactions.EvmAccount> = () => []
) => {
  const address = (await ask<ReadonlyArray<string>>(url, "eth_accounts"))[index] ?? ""
  const store = file()
  const { accounts: made, layer } = accounts([front], index)
  const own = Effect.map(made, (all) =>
    all.flatMap((each) => [...more(each), { ...each, signer: { ...each.signer, ...changed(each.signer) } }])
  )
  const runs = <A, E>(
    effect: Effect.Effect<A, E, Needs>,
    policy: Partial<EvmTransactions.Policy> = {}
  ): Promise<A> =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(
          Layer.provideMerge(
            EvmTransactions.layer(own, { poll: "200 millis", ...policy }).pipe(Layer.provide(layer)),
            Libsql.layer({ name: "tests", file: store })
          )
        ),
        Effect.timeout("60 seconds"),
        Effect.provide(quiet)
      )
    )
  const order = (key: string, amount: bigint | string = 1n): EvmTransactions.Order => ({
    key,
    network,
    from: address,
    payment: { to, amount }
  })
  return { address, order, runs, mined: () => minedOf(url, address) }
}

const scope = Effect.runSync(Scope.make())
let url = ""
const mine = (blocks = 1) => ask(url, "anvil_mine", `0x${blocks.toString(16)}`)
const mining = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.race(
    effect,
    Effect.forever(
      Effect.delay(
        Effect.promise(() => mine()),
        "300 millis"
      )
    )
  )

const send = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmTransactions.EvmTransactions, (service) => service.send(order))
const submit = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmTransactions.EvmTransactions, (service) => service.submit(order))

/** What the ledger has of signed bytes. */
const signed = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<{
      readonly hash: string
      readonly nonce: bigint
      readonly plan: string
      readonly purpose: string
      readonly raw: string
    }>`SELECT hash, nonce, plan, purpose, raw FROM fleet_signed ORDER BY nonce, round`
)

/** The first nonce of an account that has not ended, as it is told to operators. */
const head = (address: string) =>
  Effect.map(
    Metric.snapshot,
    (all) =>
      all.find(
        ({ metricKey }) =>
          metricKey.name === "fleet_transactions_head" &&
          metricKey.tags.some(({ value }) => value.toLowerCase() === address.toLowerCase())
      )?.metricState
  )
const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (is) => is, schedule: Schedule.spaced("100 millis") })

/** Until the first order has its nonce. */
const hasNonce = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  until(Effect.map(sql`SELECT nonce FROM fleet_transactions WHERE nonce = 0`, ({ length }) => length === 1))
)

/** Until the workflow of an order is at its end. */
const over = (order: EvmTransactions.Order) =>
  Effect.flatMap(EvmSend.executionId({ order }), (id) =>
    until(Effect.map(EvmSend.poll(id), (result) => result?._tag === "Complete"))
  )

beforeAll(async () => {
  if (present)
    url = (
      await Effect.runPromise(Scope.extend(Anvil.start({ accounts: 24, chainId: 1, noMining: true }), scope))
    ).url
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(present)("durable EVM transactions", () => {
  it("are not made after their end was written, by a runner that died before it could say so", async () => {
    const { mined, order, runs } = await chain(9)
    const refused = order("late")
    const poor = new SdkError.InsufficientFunds({
      address: refused.from,
      available: "0",
      needed: "1",
      asset: "ETH"
    })
    const outcome = await runs(
      Effect.gen(function* () {
        const ledger = Ledger.make(yield* SqlClient.SqlClient)
        const entry = { network, address: refused.from, key: refused.key }
        yield* ledger.enter(entry, refused.key, digestOf(refused))
        yield* ledger.end(entry, Schema.encodeSync(Outcome)(Either.left(poor)))
        return yield* mining(Effect.either(EvmSend.execute({ order: refused })))
      })
    )
    expect(Either.isLeft(outcome) && outcome.left._tag).toBe("InsufficientFunds")
    expect(await mined()).toEqual([])
  })

  it("are made once each, however often they are asked for, with nonces in a row", async () => {
    const { mined, order, runs } = await chain(0)
    const twenty = [...Array(20).keys()]
    const results = await runs(
      mining(
        Effect.forEach([...twenty, ...twenty], (i) => send(order(`a${i}`, BigInt(i + 1))), {
          concurrency: "unbounded"
        })
      )
    )
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(20)
    expect(new Set(results.map(({ nonce }) => nonce))).toEqual(new Set(twenty))
    const there = await mined()
    expect(there.map(({ nonce }) => Number(nonce))).toEqual(twenty)
    expect(new Set(there.map(({ value }) => BigInt(value)))).toEqual(
      new Set(twenty.map((i) => BigInt(i + 1)))
    )
  })

  it("refuse a key that was used for something else, and tell again what came of the same", async () => {
    const { mined, order, runs } = await chain(1)
    const first = await runs(mining(send(order("invoice-7", "0.5"))))
    // another process, on the same store
    expect(await runs(send(order("invoice-7", "0.5")))).toEqual(first)
    const refusal = await runs(Effect.flip(send(order("invoice-7", "0.6"))))
    expect(refusal).toMatchObject({ _tag: "KeyReused", key: "invoice-7" })
    // the smallest unit and whole coins are not the same
    expect(await runs(Effect.flip(submit(order("invoice-7", 5n))))).toMatchObject({ _tag: "KeyReused" })
    expect(await mined()).toHaveLength(1)
  })

  it("refuse what cannot be an order, before anything is kept", async () => {
    const { address, order, runs } = await chain(2)
    const good = order("good")
    const payment = { to, amount: 1n }
    const bad: ReadonlyArray<readonly [EvmTransactions.Order, string]> = [
      [{ ...good, key: "two words" }, "key must be"],
      [{ ...good, key: "" }, "key must be"],
      // what no types would let through comes as data from elsewhere
      [
        JSON.parse(
          JSON.stringify({ key: "k", network: "ethereum", from: address, payment: { to, amount: "1" } })
        ),
        "network must be the id"
      ],
      [
        JSON.parse(
          JSON.stringify({ key: "k", network: "solana-mainnet", from: address, payment: { to, amount: "1" } })
        ),
        "network must be the id"
      ],
      [{ ...good, from: "0x12" }, "from must be an address"],
      [{ ...good, from: to }, "none of the accounts"],
      [{ ...good, confirmations: 0 }, "confirmations must be"],
      [{ ...good, payment: { to, amount: "1e3" } }, "payment.amount must be"],
      [{ ...good, payment: { to, amount: "15n" } }, "payment.amount must be"],
      [{ ...good, payment, transaction: { to } }, "either payment or transaction"],
      [{ key: "k", network, from: address }, "either payment or transaction"]
    ]
    for (const [each, words] of bad) {
      const refusal = await runs(Effect.flip(submit(each)))
      expect(refusal, words).toMatchObject({ _tag: "InvalidArgument" })
      expect(String(refusal.message)).toContain(words)
    }
    const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT key FROM fleet_transactions`)
    expect(await runs(rows)).toEqual([])
  })

  it("end by what the signer refuses, with no nonce taken, and the same for the same key", async () => {
    const { order, runs } = await chain(3)
    const poor = await runs(Effect.flip(send(order("too-much", "1000000"))))
    expect(poor).toMatchObject({ _tag: "InsufficientFunds" })
    expect(await runs(Effect.flip(send(order("too-much", "1000000"))))).toEqual(poor)
    const capped = { ...order("capped"), payment: { to, amount: 1n, maxFee: 1n } }
    expect(await runs(Effect.flip(send(capped)))).toMatchObject({ _tag: "FeeOverCap" })
    expect(await runs(mining(send(order("fine"))))).toMatchObject({ nonce: 0 })
  })

  it("raise the fee of the first one that no block takes, at the same nonce and once in the chain", async () => {
    const { mined, order, runs } = await chain(4)
    const [result, behind, bytes] = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(send(order("slow")))
        yield* until(Effect.map(signed, (all) => all.length === 1))
        const second = yield* Effect.fork(send(order("behind")))
        yield* until(Effect.map(signed, (all) => all.length >= 5))
        const all = yield* signed
        yield* Effect.promise(() => mine())
        return [yield* sending, yield* mining(second), all] as const
      }),
      { raiseAfter: "500 millis", raiseUpTo: 10 }
    )
    expect(new Set(bytes.map(({ hash }) => hash)).size).toBe(bytes.length)
    // those behind it wait for it, and not for their fees
    expect(bytes.filter(({ nonce }) => nonce === 1n)).toHaveLength(1)
    expect((await mined()).map(({ hash }) => hash)).toEqual([result.hash, behind.hash])
  })

  it("raise the fee no further than the order or the policy lets them", async () => {
    const { order, runs } = await chain(14)
    const fees = Effect.map(signed, (all) =>
      all.map(({ plan }) => {
        const { gas, maxFeePerGas = 0n } = Schema.decodeSync(PlanText)(plan).transaction
        return gas * maxFeePerGas
      })
    )
    const [policy, own, maxFee] = await runs(
      Effect.gen(function* () {
        const first = yield* Effect.fork(send(order("policy")))
        yield* Effect.sleep("2 seconds")
        const before = yield* fees
        yield* mining(first)
        const [fee = 0n] = before
        const most = fee * 3n
        const second = yield* Effect.fork(
          send({ ...order("own"), payment: { to, amount: 1n, maxFee: most } })
        )
        yield* Effect.sleep("4 seconds")
        const after = (yield* fees).slice(before.length)
        yield* mining(second)
        return [before, after, most] as const
      }),
      { raiseAfter: "100 millis", raiseUpTo: 1.5 }
    )
    const [preview = 0n] = policy
    // an eighth more each time: a fourth step would be 1.6 times as much
    expect(policy).toHaveLength(4)
    expect(policy.every((fee) => fee <= (preview * 3n) / 2n)).toBe(true)
    const [least = 0n] = own
    expect(own.some((fee) => fee > (least * 3n) / 2n)).toBe(true)
    expect(own.every((fee) => fee <= maxFee)).toBe(true)
  })

  it("hand to nodes what is kept and nothing else, which may be what another runner has kept", async () => {
    const handed: Array<{ readonly raw: unknown; readonly isKept: boolean }> = []
    let isKept = (_: unknown): Promise<boolean> =>
      Promise.reject(new Error("nothing is sent before it is asked for"))
    const by = await front(url, scope, async (method, [raw]) => {
      if (method === "eth_sendRawTransaction") handed.push({ raw, isKept: await isKept(raw) })
      return undefined
    })
    type Sign = EvmSigner["sign"]
    let other = (_: EvmTransaction, __: Sign): Promise<void> =>
      Promise.reject(new Error("nothing is signed before it is asked for"))
    const { order, runs } = await chain(
      15,
      ({ sign }) => ({
        sign: (transaction) =>
          Effect.zipRight(
            Effect.promise(() => other(transaction, sign)),
            sign(transaction)
          )
      }),
      by
    )
    const asked = order("kept")
    const [result, kept] = await runs(
      Effect.gen(function* () {
        const run = Runtime.runPromise(yield* Effect.runtime<SqlClient.SqlClient>())
        isKept = (raw) => run(Effect.map(signed, (all) => all.some((each) => each.raw === raw)))
        // another runner signs the same with a little more gas, and keeps it before this one
        other = (transaction, sign) =>
          run(
            Effect.gen(function* () {
              const ledger = Ledger.make(yield* SqlClient.SqlClient)
              const { plan = "" } = (yield* ledger.find(accountOf(asked), asked.key)) ?? {}
              const theirs = yield* sign({ ...transaction, gas: transaction.gas + 1n })
              yield* ledger.store(accountOf(asked), 0, { ...theirs, round: 0, plan, purpose: "pay" })
            })
          )
        const sent = yield* mining(send(asked))
        return [sent, yield* signed] as const
      })
    )
    expect(kept.map(({ hash }) => hash)).toEqual([result.hash])
    expect(handed.length).toBeGreaterThan(0)
    expect(handed.every((each) => each.isKept && each.raw === kept[0]?.raw)).toBe(true)
  })

  it("wait on with a lower fee where nodes refuse what should replace them", async () => {
    const handed: Array<unknown> = []
    const by = await front(url, scope, async (method, [raw]) => {
      if (method !== "eth_sendRawTransaction") return undefined
      handed.push(raw)
      return raw === handed[0]
        ? undefined
        : { error: { code: -32000, message: "replacement transaction underpriced" } }
    })
    const { mined, order, runs } = await chain(20, undefined, by)
    const [sent, kept] = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(send(order("refused")))
        yield* until(Effect.sync(() => new Set(handed).size > 1))
        // longer than there is patience
        yield* Effect.sleep("2 seconds")
        return [yield* mining(sending), yield* signed] as const
      }),
      { raiseAfter: "300 millis", patience: "1 second", attention: "500 millis" }
    )
    expect(sent.hash).toBe(kept[0]?.hash)
    expect(kept.every(({ purpose }) => purpose === "pay")).toBe(true)
    expect((await mined()).map(({ hash }) => hash)).toEqual([sent.hash])
  })

  it("are sent again when a reorganisation takes their block, the same bytes", async () => {
    const { mined, order, runs } = await chain(5)
    const result = await runs(
      Effect.gen(function* () {
        const before = yield* Effect.promise(() => ask<string>(url, "evm_snapshot"))
        const sending = yield* Effect.fork(send({ ...order("deep"), confirmations: 4 }))
        yield* until(Effect.map(signed, (all) => all.length === 1))
        yield* Effect.sleep("1 second")
        yield* Effect.promise(() => mine(2))
        yield* Effect.sleep("1 second")
        expect(yield* Effect.promise(mined)).toHaveLength(1)
        yield* Effect.promise(() => ask(url, "evm_revert", before))
        expect(yield* Effect.promise(mined)).toHaveLength(0)
        return yield* mining(sending)
      })
    )
    const there = await mined()
    expect(there.map(({ hash }) => hash)).toEqual([result.hash])
  })

  it("leave no hole: the nonce of a workflow that died is filled, and so is one that nobody has", async () => {
    const { address, mined, order, runs } = await chain(6)
    // with no window nothing is signed
    await runs(
      Effect.gen(function* () {
        yield* submit(order("dies"))
        yield* hasNonce
        yield* EvmSend.interrupt(yield* EvmSend.executionId({ order: order("dies") }))
        yield* over(order("dies"))
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE fleet_accounts SET next = 3`
      }),
      { window: 0, attention: "500 millis" }
    )
    const [next, dead] = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(send(order("lives", 7n)))
        const sql = yield* SqlClient.SqlClient
        const holes = sql`SELECT nonce FROM fleet_transactions WHERE state = 'filling'`
        yield* mining(until(Effect.map(holes, ({ length }) => length === 2)))
        yield* Effect.sleep("1 second")
        expect(yield* head(address)).toMatchObject({ value: 1 })
        const sent = yield* mining(sending)
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* mining(until(Effect.map(result({ network, from: address, key: "dies" }), Option.isSome)))
        return [sent, yield* result({ network, from: address, key: "dies" })] as const
      }),
      { attention: "500 millis" }
    )
    expect(next.nonce).toBe(3)
    expect(Option.getOrUndefined(dead)).toMatchObject({ left: { _tag: "SigningFailed" } })
    const there = await mined()
    expect(there.map(({ nonce }) => Number(nonce))).toEqual([0, 1, 2, 3])
    expect(there.slice(0, 3).map((each) => [each.to?.toLowerCase(), BigInt(each.value)])).toEqual(
      Array.from({ length: 3 }, () => [address.toLowerCase(), 0n])
    )
  })

  it("are told of no hole by one answer alone, which may be of a node that is behind", async () => {
    const account = { network, address: to.toLowerCase() } as const
    let isBehind = false
    let looks = 0
    const none = Effect.dieMessage("nothing else is asked for")
    const line: Line = {
      account,
      network,
      address: account.address,
      turn: Effect.unsafeMakeSemaphore(1),
      // every second answer is of another node
      count: Effect.sync(() => (isBehind || looks++ % 2 === 0 ? 3 : 5)),
      look: () => Effect.succeed({ _tag: "Waiting", isMined: false }),
      prepare: () => none,
      hand: () => none
    }
    const [early, late] = await Effect.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = Ledger.make(sql)
        yield* ledger.reserve(yield* ledger.enter(account, "fifth", ""), "", 5)
        const policy = { ...defaults, attention: "10 millis" } as const
        yield* Effect.fork(Sweep.make(new Map([["line", line]]), ledger, policy))
        const filling = sql`SELECT nonce FROM fleet_transactions WHERE state = 'filling' ORDER BY nonce`
        yield* until(Effect.sync(() => looks > 10))
        const before = yield* filling
        isBehind = true
        yield* until(Effect.map(filling, ({ length }) => length > 1))
        return [before, yield* filling] as const
      }).pipe(
        Effect.provide(Libsql.layer({ name: "tests", file: file() })),
        Effect.timeout("60 seconds"),
        Effect.provide(quiet)
      )
    )
    // the fifth itself is one that nobody looks after
    expect(early).toEqual([{ nonce: 5n }])
    expect(late).toEqual([{ nonce: 3n }, { nonce: 4n }, { nonce: 5n }])
  })

  /** An account that pays 1 wei, and dies of more. */
  const mortal = (index: number) =>
    chain(index, ({ prepare }) => ({
      prepare: (payment) =>
        payment.amount === 1n ? prepare(payment) : Effect.die(new Error("a defect of what prepares"))
    }))

  it("whose workflow died before they had a nonce have an end, which is told to all who ask", async () => {
    const { mined, order, runs } = await mortal(10)
    const dies = order("mortal", 2n)
    const { again, first, told } = await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        const waiting = yield* Effect.fork(Effect.flip(send(dies)))
        yield* over(dies)
        // one who asks once it has died hears of the end as those do who wait for it
        yield* submit(dies)
        return { again: yield* Effect.flip(send(dies)), first: yield* waiting, told: yield* result(dies) }
      }),
      { attention: "1 second" }
    )
    expect(first).toMatchObject({ _tag: "SigningFailed", reason: expect.stringContaining("died") })
    expect(again).toEqual(first)
    expect(told).toEqual(Option.some(Either.left(first)))
    expect(await runs(mining(send(order("mortal-next"))))).toMatchObject({ nonce: 0 })
    expect(await mined()).toHaveLength(1)
  })

  it("have an end, too, where the engine itself ends their workflow, whose message it cannot read", async () => {
    // a preview that does not come leaves it without a nonce
    const { order, runs } = await chain(11, () => ({ prepare: () => Effect.never }))
    await runs(
      Effect.gen(function* () {
        yield* submit(order("garbled"))
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE cluster_messages SET payload = '{"order":{}}' WHERE tag = 'run'`
      })
    )
    expect(await runs(Effect.flip(send(order("garbled"))), { attention: "500 millis" })).toMatchObject({
      _tag: "SigningFailed"
    })
  })

  it("that are not known to the engine go on where they are asked for again, and else end a day later", async () => {
    const { mined, order, runs } = await mortal(12)
    const [asked, left] = [order("asked"), order("left", 2n)]
    const earlier = (milliseconds: number) =>
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE fleet_transactions SET created = created - ${milliseconds}`
      )
    const day = 86_400_000
    const forgotten = await runs(
      Effect.gen(function* () {
        // one process died before it could begin what it had written down, and nobody has looked since a workflow did
        yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Ledger.make(sql).enter(accountOf(asked), asked.key, digestOf(asked))
        )
        yield* submit(left)
        yield* over(left)
        yield* Effect.sleep("50 millis")
        return yield* Retention.forget({ messages: 1, keys: "1 day" })
      }),
      { attention: "1 hour" }
    )
    const { early, late, paid, stays } = await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* earlier(day - 60_000)
        yield* Effect.sleep("1 second")
        const before = [yield* result(asked), yield* result(left)]
        const sent = yield* mining(send(asked))
        yield* earlier(60_000)
        yield* until(Effect.map(result(left), Option.isSome))
        return { early: before, late: yield* result(left), paid: sent, stays: yield* Effect.flip(send(left)) }
      }),
      { attention: "200 millis" }
    )
    expect(forgotten).toEqual({ workflows: 1, keys: 0 })
    expect(early).toEqual([Option.none(), Option.none()])
    expect(late).toMatchObject({ value: { left: { _tag: "SigningFailed" } } })
    expect(Option.some(Either.left(stays))).toEqual(late)
    expect((await mined()).map(({ hash }) => hash)).toEqual([paid.hash])
  })

  it("that were signed are seen through where the engine has forgotten their workflow", async () => {
    const { mined, order, runs } = await chain(13)
    const kept = await runs(
      Effect.gen(function* () {
        yield* submit(order("forgotten"))
        yield* until(Effect.map(signed, ({ length }) => length === 1))
        yield* EvmSend.interrupt(yield* EvmSend.executionId({ order: order("forgotten") }))
        yield* over(order("forgotten"))
        yield* Effect.sleep("50 millis")
        expect(yield* Retention.forget({ messages: 1, keys: "1 day" })).toEqual({ workflows: 1, keys: 0 })
        return yield* signed
      }),
      { attention: "500 millis" }
    )
    const end = await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* mining(until(Effect.map(result(order("forgotten")), Option.isSome)))
        expect(yield* signed).toEqual(kept)
        return yield* result(order("forgotten"))
      }),
      { attention: "500 millis" }
    )
    expect(end).toMatchObject({ value: { right: { hash: kept[0]?.hash } } })
    expect((await mined()).map(({ hash }) => hash)).toEqual([kept[0]?.hash])
  })

  it("whose workflow died are seen through as deep as they were wanted", async () => {
    const { order, runs } = await chain(19)
    const deep = { ...order("deep"), confirmations: 30 }
    await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* submit(deep)
        yield* until(Effect.map(signed, ({ length }) => length === 1))
        yield* EvmSend.interrupt(yield* EvmSend.executionId({ order: deep }))
        yield* over(deep)
        yield* Effect.promise(() => mine(29))
        yield* Effect.sleep("2 seconds")
        expect(yield* result(deep)).toEqual(Option.none())
        yield* Effect.promise(() => mine())
        yield* until(Effect.map(result(deep), Option.isSome))
        expect(yield* result(deep)).toMatchObject({ value: { right: { nonce: 0 } } })
      }),
      { attention: "500 millis" }
    )
  })

  it("whose workflow died, and which nodes refuse for longer than there is patience, have their nonce filled", async () => {
    const amount = 5_000n * 10n ** 18n
    const { address, mined, order, runs } = await chain(16, ({ sign }) => ({
      // what is left is enough for what fills the nonce
      sign: (transaction) =>
        Effect.tap(sign(transaction), () =>
          Effect.promise(() => ask(url, "anvil_setBalance", address, "0xde0b6b3a7640000").catch(() => {}))
        )
    }))
    const refused = order("refused", amount)
    await runs(
      Effect.gen(function* () {
        yield* submit(refused)
        yield* until(Effect.map(signed, ({ length }) => length === 1))
        yield* EvmSend.interrupt(yield* EvmSend.executionId({ order: refused }))
        yield* over(refused)
      }),
      { attention: "500 millis" }
    )
    const end = await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        yield* mining(until(Effect.map(result(refused), Option.isSome)))
        return yield* result(refused)
      }),
      { attention: "500 millis", patience: "1 second" }
    )
    expect(end).toMatchObject({ value: { left: { _tag: "SigningFailed" } } })
    expect((await mined()).map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
      [address.toLowerCase(), 0n]
    ])
  })

  it("whose workflow died are seen through though the nodes of another account do not answer", async () => {
    const silent = "0x00000000000000000000000000000000000051e7"
    const { mined, order, runs } = await chain(17, undefined, undefined, ({ client, signer }) => [
      {
        client: { ...client, rpc: { ...client.rpc, getTransactionCount: () => Effect.never } },
        signer: { ...signer, address: silent }
      }
    ])
    const dies = order("dies")
    const end = await runs(
      Effect.gen(function* () {
        const ledger = Ledger.make(yield* SqlClient.SqlClient)
        const { result } = yield* EvmTransactions.EvmTransactions
        // nobody looks after it: its nonce is to be filled before any of the other account
        const stuck = { network, address: silent }
        yield* ledger.reserve(yield* ledger.enter(stuck, "stuck", ""), "", 0)
        yield* mining(send(order("first")))
        yield* submit(dies)
        yield* until(Effect.map(signed, ({ length }) => length === 2))
        yield* EvmSend.interrupt(yield* EvmSend.executionId({ order: dies }))
        yield* over(dies)
        yield* mining(until(Effect.map(result(dies), Option.isSome)))
        return yield* result(dies)
      }),
      { attention: "500 millis" }
    )
    expect(end).toMatchObject({ value: { right: { nonce: 1 } } })
    expect(await mined()).toHaveLength(2)
  })

  it("go on where whoever waits for them is interrupted", async () => {
    const { mined, order, runs } = await chain(7)
    const result = await runs(
      Effect.gen(function* () {
        const waiting = yield* Effect.fork(send(order("patient")))
        yield* until(Effect.map(signed, (all) => all.length === 1))
        yield* Fiber.interrupt(waiting)
        return yield* mining(send(order("patient")))
      })
    )
    expect((await mined()).map(({ hash }) => hash)).toEqual([result.hash])
  })

  it("end where somebody else has used their nonce, and take the next ones after it", async () => {
    const { address, order, runs } = await chain(8)
    await runs(
      Effect.gen(function* () {
        // with no window it has a nonce, and is not signed
        yield* submit(order("late"))
        yield* hasNonce
      }),
      { window: 0, attention: "500 millis" }
    )
    await ask(url, "eth_sendTransaction", { from: address, to, value: "0x5" })
    // nobody believes it while a reorganisation may take it back
    await mine(40)
    expect(await runs(mining(Effect.flip(send(order("late")))))).toMatchObject({
      _tag: "NonceTaken",
      address: expect.stringMatching(new RegExp(`^${address}$`, "i")),
      nonce: 0
    })
    expect(await runs(mining(send(order("next"))))).toMatchObject({ nonce: 1 })
  })

  it("are made after all where a reorganisation takes away what somebody else has used their nonce for", async () => {
    const { address, mined, order, runs } = await chain(18)
    const late = order("late")
    await runs(Effect.zipRight(submit(late), hasNonce), { window: 0, attention: "500 millis" })
    const before = await ask<string>(url, "evm_snapshot")
    await ask(url, "eth_sendTransaction", { from: address, to, value: "0x5" })
    await mine(3)
    const sent = await runs(
      Effect.gen(function* () {
        const { result } = yield* EvmTransactions.EvmTransactions
        const sending = yield* Effect.fork(send(late))
        yield* Effect.sleep("2 seconds")
        expect(yield* result(late)).toEqual(Option.none())
        yield* Effect.promise(() => ask(url, "evm_revert", before))
        return yield* mining(sending)
      })
    )
    expect(sent.nonce).toBe(0)
    expect((await mined()).map(({ hash }) => hash)).toEqual([sent.hash])
  })

  it("end as failed where a block reverts them", async () => {
    const contract = "0x00000000000000000000000000000000000c0de5"
    // it reverts once its first word is set
    await ask(url, "anvil_setCode", contract, "0x600054600757005b60006000fd").catch(() => {})
    const { address, mined, runs } = await chain(9)
    const failure = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(
          Effect.flip(send({ key: "reverts", network, from: address, transaction: { to: contract } }))
        )
        yield* until(Effect.map(signed, (all) => all.length === 1))
        const word = (digit: number) => `0x${String(digit).padStart(64, "0")}`
        yield* Effect.promise(() => ask(url, "anvil_setStorageAt", contract, word(0), word(1)))
        return yield* mining(sending)
      })
    )
    const [there] = await mined()
    expect(failure).toMatchObject({ _tag: "TransactionFailed", hash: there?.hash, reason: "it was reverted" })
  })

  it("end where nothing signs them, and their nonce is filled", async () => {
    const { address, mined, order, runs } = await chain(9, ({ sign }) => ({
      sign: (transaction) =>
        transaction.value === 7n
          ? Effect.fail(new SdkError.SigningFailed({ reason: "the policy of the key refuses" }))
          : sign(transaction)
    }))
    const before = (await mined()).length
    const failure = await runs(mining(Effect.flip(send(order("unsigned", 7n)))), { attention: "500 millis" })
    expect(failure).toMatchObject({ _tag: "SigningFailed", reason: "the policy of the key refuses" })
    const there = (await mined()).slice(before)
    expect(there.map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
      [address.toLowerCase(), 0n]
    ])
    expect(await runs(mining(send(order("signed", 8n))))).toMatchObject({ nonce: before + 1 })
  })

  it("end where nodes refuse them for longer than there is patience, and their nonce is filled", async () => {
    let has = 0n
    const balance = (wei: bigint) =>
      ask(url, "anvil_setBalance", address, `0x${wei.toString(16)}`).catch(() => {})
    const { address, mined, order, runs } = await chain(9, ({ sign }) => ({
      sign: (transaction) =>
        Effect.tap(sign(transaction), () =>
          transaction.value === 9n ? Effect.promise(() => balance(0n)) : Effect.void
        )
    }))
    has = BigInt(await ask<string>(url, "eth_getBalance", address, "latest"))
    const before = (await mined()).length
    const failure = await runs(
      Effect.gen(function* () {
        const sending = yield* Effect.fork(Effect.flip(send(order("refused", 9n))))
        // as long as it may still be paid, the account has nothing
        yield* until(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.map(
              sql`SELECT id FROM cluster_replies WHERE payload LIKE '%"_tag":"Refused"%'`,
              (rows) => rows.length > 0
            )
          )
        )
        yield* Effect.promise(() => balance(has))
        return yield* mining(sending)
      }),
      { patience: "1 second", attention: "1 second" }
    )
    expect(failure).toMatchObject({ _tag: "RpcError", message: expect.stringMatching(/funds/i) })
    const there = (await mined()).slice(before)
    expect(there.map(({ to: whom, value }) => [whom?.toLowerCase(), BigInt(value)])).toEqual([
      [address.toLowerCase(), 0n]
    ])
  })
})
