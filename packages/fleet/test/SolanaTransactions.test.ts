/** Durable payments of Solana, of one process over a file, on Surfpool. */
// @covers orders on Surfpool: solana
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { SdkError } from "effect-chains"
import { make as makePolicy } from "effect-chains/effect/signers/policy"
import type { SolanaSigner, SolanaTransaction } from "effect-chains/effect/signers/Solana"
import { afterAll, describe, expect, it } from "vitest"
import { forwardRequest, listen } from "../../../src/sandbox/Loopback.js"
import { readPrice } from "../../../test/nodes/leader.js"
import { requireBinary } from "../../../test/nodes/process.js"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import * as Ledger from "../src/Ledger.js"
import * as Retention from "../src/Retention.js"
import { SolanaTransactions } from "../src/SolanaTransactions.js"
import { digestOf, Outcome } from "../src/solana/Order.js"
import { SolanaSend } from "../src/solana/SendWorkflow.js"
import * as SignedStore from "../src/solana/SignedStore.js"
import { ask } from "./evm.js"
import { makeProcessGroup } from "./processGroup.js"
import { network, readReceived } from "./solana.js"
import { makeAddress, setUpChain } from "./solanaChain.js"

const surfpool = requireBinary("surfpool", "durable payments of Solana")

// blocks come by themselves, so that no test waits for another
describe.runIf(surfpool !== undefined)("durable payments of Solana", { concurrent: true }, () => {
  const { at, folder, runPayments, scope } = setUpChain(50)
  const runners = makeProcessGroup("solanaRunner")
  afterAll(runners.end)

  it("are no more than the policy of their account allows", async () => {
    const [to, other] = [makeAddress(), makeAddress()]
    const policy = await Effect.runPromise(
      makePolicy({
        limits: [{ network, amount: "0.0055", per: "1 day" }],
        recipients: { [network]: [to] }
      })
    )
    const order = (key: string, receiver = to) =>
      ({ key, network, from: at.from, payment: { to: receiver, amount: "0.001", maxFee: "0.0001" } }) as const
    const outcomes = await runPayments(
      "policy.db",
      at.url,
      Effect.flatMap(SolanaTransactions, ({ send }) =>
        Effect.forEach(
          [order("other", other), ...["a", "b", "c", "d", "e", "f", "g"].map((key) => order(key))],
          (each) => Effect.either(send(each))
        )
      ),
      undefined,
      undefined,
      { policy }
    )
    expect(outcomes.map((each) => (Either.isRight(each) ? "paid" : Reflect.get(each.left, "rule")))).toEqual([
      "recipient",
      ...Array(5).fill("paid"),
      "limit",
      "limit"
    ])
    expect((await readReceived(at.url, to)).lamports).toBe(5_000_000)
    expect((await readReceived(at.url, other)).lamports).toBe(0)
  })

  it("are made once under each key, equal ones too, and tell their ends again", async () => {
    const to = makeAddress()
    const order = (key: string, amount = 1_000_000n) =>
      ({ key, network, from: at.from, payment: { to, amount } }) as const
    const keys = ["a", "b", "c", "d", "e", "f"]
    const { again, bad, poor, reused, sent, found } = await runPayments(
      "once.db",
      at.url,
      Effect.gen(function* () {
        const { result, send } = yield* SolanaTransactions
        const all = yield* Effect.forEach([...keys, ...keys], (key) => send(order(key)), {
          concurrency: "unbounded"
        })
        return {
          sent: all,
          again: yield* send(order("a")),
          found: yield* result({ key: "b", network, from: at.from }),
          reused: yield* Effect.flip(send(order("a", 2n))),
          poor: yield* Effect.flip(send(order("poor", 10n ** 15n))),
          bad: yield* Effect.flip(send({ ...order("bad"), from: "0x12" }))
        }
      })
    )
    const hashes = new Set(sent.map(({ hash }) => hash))
    expect(hashes.size).toBe(keys.length)
    expect(sent.slice(keys.length)).toEqual(sent.slice(0, keys.length))
    expect(again).toEqual(sent[0])
    expect(found).toMatchObject(Option.some({ _tag: "Right", right: sent[1] }))
    expect(reused).toMatchObject({ _tag: "KeyReused", key: "a" })
    expect(poor).toMatchObject({ _tag: "InsufficientFunds" })
    expect(bad).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringMatching(/^from /) })
    const got = await readReceived(at.url, to)
    expect(got.lamports).toBe(keys.length * 1_000_000)
    expect(new Set(got.signatures)).toEqual(hashes)
  })

  it("pay a priority fee at the speed of their order", async () => {
    const to = makeAddress()
    const url = await startProxy(at.url, scope, (method) =>
      method === "getRecentPrioritizationFees"
        ? { result: [20_000, 90_000, 50_000].map((prioritizationFee, slot) => ({ slot, prioritizationFee })) }
        : undefined
    )
    const rows = await runPayments(
      "priced.db",
      url,
      Effect.gen(function* () {
        const { send } = yield* SolanaTransactions
        const order = { network, from: at.from } as const
        yield* send({ ...order, key: "a", payment: { to, amount: 3_000_000n, speed: "fast" } })
        yield* send({ ...order, key: "b", payment: { to, amount: 3_000_000n } })
        yield* send({ ...order, key: "c", payment: { to, amount: 3_000_000n, speed: { percentile: 0 } } })
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ readonly raw: string }>`SELECT raw FROM fleet_solana_signed ORDER BY key`
      })
    )
    expect(rows.map(({ raw }) => readPrice(raw))).toEqual([90_000n, 50_000n, 20_000n])
    expect((await readReceived(at.url, to)).lamports).toBe(9_000_000)
  })

  it("are not made after their end was written, by a runner that died before it could say so", async () => {
    const to = makeAddress()
    const order = { key: "late", network, from: at.from, payment: { to, amount: 1_000_000n } } as const
    const poor = new SdkError.InsufficientFunds({
      address: at.from,
      available: "0",
      needed: "1",
      asset: "SOL"
    })
    const outcome = await runPayments(
      "late.db",
      at.url,
      Effect.gen(function* () {
        const ledger = Ledger.make(yield* SqlClient.SqlClient)
        const entry = { network, address: at.from, key: order.key }
        yield* ledger.findOrCreate(entry, order.key, digestOf(order))
        yield* ledger.recordEnd(entry, Schema.encodeSync(Outcome)(Either.left(poor)))
        return yield* Effect.either(SolanaSend.execute({ order }))
      })
    )
    expect(Either.isLeft(outcome) && outcome.left).toMatchObject({ _tag: "InsufficientFunds" })
    expect((await readReceived(at.url, to)).lamports).toBe(0)
  })

  it("hand to nodes what is kept and nothing else, which may be what another runner has kept", async () => {
    const to = makeAddress()
    const order = { key: "kept", network, from: at.from, payment: { to, amount: 2_000_000n } } as const
    const handed: Array<{ readonly raw: unknown; readonly isKept: boolean }> = []
    let isKept = (_: unknown): Promise<boolean> =>
      Promise.reject(new Error("nothing is sent before it is asked for"))
    const url = await startProxy(at.url, scope, async (method, [raw]) => {
      if (method === "sendTransaction") handed.push({ raw, isKept: await isKept(raw) })
      return undefined
    })
    let other = (_: SolanaTransaction, __: SolanaSigner["sign"]): Promise<void> =>
      Promise.reject(new Error("nothing is signed before it is asked for"))
    const rows = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{
          readonly raw: string
          readonly hash: string
          readonly round: bigint
        }>`SELECT raw, hash, round FROM fleet_solana_signed ORDER BY round`
    )
    const { kept, sent } = await runPayments(
      "kept.db",
      url,
      Effect.gen(function* () {
        const run = Runtime.runPromise(yield* Effect.runtime<SqlClient.SqlClient>())
        isKept = (raw) => run(Effect.map(rows, (all) => all.some((each) => each.raw === raw)))
        // another runner signs it with another blockhash, and keeps it before this one
        other = (transaction, sign) =>
          run(
            Effect.gen(function* () {
              const newest = yield* Effect.promise(() =>
                ask<{
                  readonly context: { readonly slot: number }
                  readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: number }
                }>(at.url, "getLatestBlockhash", { commitment: "confirmed" })
              ).pipe(
                Effect.filterOrFail(({ value }) => value.blockhash !== transaction.blockhash),
                Effect.retry(Schedule.spaced("20 millis"))
              )
              const { blockhash } = newest.value
              const lastValidBlockHeight = BigInt(newest.value.lastValidBlockHeight)
              const theirs = yield* sign({ ...transaction, blockhash, lastValidBlockHeight })
              const slot = BigInt(newest.context.slot)
              const place = { network, address: at.from, key: order.key }
              yield* SignedStore.make(yield* SqlClient.SqlClient).storeSigned(place, {
                ...theirs,
                round: 0,
                lastValidBlockHeight,
                slot
              })
            })
          )
        const { send } = yield* SolanaTransactions
        return { sent: yield* send(order), kept: yield* rows }
      }),
      ({ sign }) => ({
        sign: (transaction) =>
          Effect.zipRight(
            Effect.promise(() => other(transaction, sign)),
            sign(transaction)
          )
      })
    )
    // on a busy machine a blockhash may expire, and the payment goes into its next round: of each there is one
    expect(kept.map(({ round }) => Number(round))).toEqual(kept.map((_, i) => i))
    expect(kept.at(-1)?.hash).toBe(sent.hash)
    expect(handed.length).toBeGreaterThan(0)
    expect(handed.every((each) => each.isKept && kept.some(({ raw }) => raw === each.raw))).toBe(true)
    expect(await readReceived(at.url, to)).toEqual({ lamports: 2_000_000, signatures: [sent.hash] })
  })

  /** Until the node knows of a signature. */
  const landed = (signature: unknown) =>
    Effect.repeat(
      Effect.promise(() =>
        ask<{ readonly value: ReadonlyArray<unknown> }>(at.url, "getSignatureStatuses", [signature])
      ),
      { until: ({ value }) => value[0] !== null, schedule: Schedule.spaced("20 millis") }
    )

  /** A front that changes results of the node: `change` is given a method, and which call of it this is, from 1. */
  const changing = (change: (method: string, call: number, result: unknown) => unknown) => {
    const calls = new Map<string, number>()
    return Effect.runPromise(
      Scope.extend(
        listen((received) =>
          Effect.gen(function* () {
            const { method }: { readonly method: string } = JSON.parse(String(received.body))
            const call = (calls.get(method) ?? 0) + 1
            calls.set(method, call)
            const answer = yield* Effect.orDie(
              forwardRequest(at.url, received, { reuse: false, timeout: 300_000 })
            )
            const json: { readonly result?: unknown } = JSON.parse(String(answer.body))
            // what was sent has landed before it is looked for: a busy node says nothing of it for a while
            if (method === "sendTransaction") yield* landed(json.result)
            const result = change(method, call, json.result)
            const body = Buffer.from(JSON.stringify(result === undefined ? json : { ...json, result }))
            return { status: 200, headers: { "content-type": "application/json" }, body }
          })
        ),
        scope
      )
    ).then((port) => ({ url: `http://127.0.0.1:${port}`, calls }))
  }

  const expired = (result: unknown) => ({ ...Object(result), blockHeight: 10 ** 9 })
  const unknown = (result: unknown) => ({ ...Object(result), value: [null] })

  /** What is kept of one payment, and what it comes to. */
  const paid = async (file: string, url: string, more: { readonly commitment?: "confirmed" } = {}) => {
    const to = makeAddress()
    const rows = await runPayments(
      file,
      url,
      Effect.gen(function* () {
        const { send } = yield* SolanaTransactions
        yield* send({ key: "one", network, from: at.from, payment: { to, amount: 3_000_000n }, ...more })
        return yield* (yield* SqlClient.SqlClient)`SELECT raw FROM fleet_solana_signed`
      })
    )
    return { rows: rows.length, got: await readReceived(at.url, to) }
  }

  it("are not signed anew where one answer alone says that they are gone", async () => {
    const { url } = await changing((method, call, result) => {
      if (method === "getEpochInfo") return expired(result)
      // a look that finds nothing asks a second time
      return method === "getSignatureStatuses" && call % 3 !== 0 ? unknown(result) : undefined
    })
    expect(await paid("once-gone.db", url)).toMatchObject({ rows: 1, got: { lamports: 3_000_000 } })
  })

  it("are not signed anew where what nodes say is older than the height at which they cannot land", async () => {
    const { url } = await changing((method, call, result) => {
      if (method === "getEpochInfo") return expired(result)
      return method === "getSignatureStatuses" && call <= 4
        ? { ...unknown(result), context: { slot: 1 } }
        : undefined
    })
    expect(await paid("behind.db", url)).toMatchObject({ rows: 1, got: { lamports: 3_000_000 } })
  })

  it("are not signed anew where nodes have forgotten the blocks in which they may be", async () => {
    const { calls, url } = await changing((method, call, result) => {
      if (method === "getEpochInfo") return expired(result)
      if (method === "getFirstAvailableBlock") return 10 ** 9
      return method === "getSignatureStatuses" && call <= 8 ? unknown(result) : undefined
    })
    expect(await paid("forgotten.db", url)).toMatchObject({ rows: 1, got: { lamports: 3_000_000 } })
    expect(calls.get("getFirstAvailableBlock")).toBe(4)
  })

  it("whose workflow died have an end: what was signed is seen through, and what was not is not paid", async () => {
    const dies = async (file: string, method: string, call: number, isForgotten = false) => {
      const { url } = await changing((called, calls) =>
        called === method && calls === call ? null : undefined
      )
      const to = makeAddress()
      const order = { key: "dies", network, from: at.from, payment: { to, amount: 3_000_000n } } as const
      const end = await runPayments(
        file,
        url,
        Effect.gen(function* () {
          const { result, submit } = yield* SolanaTransactions
          yield* submit(order)
          const id = yield* SolanaSend.executionId({ order })
          const gone = yield* SolanaSend.poll(id).pipe(
            Effect.filterOrFail((one) => one?._tag === "Complete"),
            Effect.retry(Schedule.spaced("50 millis"))
          )
          expect(gone).toMatchObject({ exit: { _tag: "Failure", cause: { _tag: "Die" } } })
          // the engine's messages are kept for a day, and nodes may be away for longer
          if (isForgotten) {
            yield* Effect.sleep("50 millis")
            expect(yield* Retention.forget({ messages: 1, keys: "1 day" })).toEqual({ workflows: 1, keys: 0 })
          }
          return yield* result(order).pipe(Effect.flatten, Effect.retry(Schedule.spaced("50 millis")))
        })
      )
      return { end, got: await readReceived(at.url, to) }
    }
    const signed = await dies("signed.db", "getSignatureStatuses", 1)
    expect(signed.got.signatures).toHaveLength(1)
    expect(signed.end).toMatchObject({ _tag: "Right", right: { hash: signed.got.signatures[0] } })
    const forgotten = await dies("signed-forgotten.db", "getSignatureStatuses", 1, true)
    expect(forgotten.end).toMatchObject({ _tag: "Right", right: { hash: forgotten.got.signatures[0] } })
    // the preview has one blockhash, and what is signed has another
    const unsigned = await dies("unsigned.db", "getLatestBlockhash", 2)
    expect(unsigned.end).toMatchObject({ _tag: "Left", left: { _tag: "SigningFailed" } })
    expect(unsigned.got.lamports).toBe(0)
  })

  it("end when their block is final, or with less where that is wanted", async () => {
    /** The first three answers that know of it say that it is confirmed, and no more; and how many know of it. */
    const front = async () => {
      let confirmedCount = 0
      const { url } = await changing((method, _, result) => {
        if (method !== "getSignatureStatuses") return undefined
        const { value }: { readonly value: ReadonlyArray<object | null> } = Object(result)
        if (value.every((each) => each === null) || ++confirmedCount > 3) return undefined
        const made = value.map((each) => each && { ...each, confirmationStatus: "confirmed" })
        return { ...Object(result), value: made }
      })
      return { url, confirmedCount: () => confirmedCount }
    }
    const final = await front()
    await paid("final.db", final.url)
    expect(final.confirmedCount()).toBeGreaterThan(3)
    const early = await front()
    await paid("early.db", early.url, { commitment: "confirmed" })
    expect(early.confirmedCount()).toBeLessThanOrEqual(3)
  })

  it("are made once each though their process is killed again and again", async () => {
    const to = makeAddress()
    const count = 6
    const env = {
      FILE: join(folder, "killed.db"),
      NODE_URL: at.url,
      FROM: at.from,
      TO: to,
      COUNT: String(count)
    }
    for (const after of [150, 500]) {
      const victim = runners.begin(env)
      await victim.up
      await sleep(after)
      await victim.kill()
    }
    const last = runners.begin(env)
    const hashes = await new Promise<ReadonlyArray<string>>((resolve, reject) => {
      last.child.on("message", (message) => Array.isArray(message) && resolve(message))
      last.child.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
    })
    expect(new Set(hashes).size).toBe(count)
    const got = await readReceived(at.url, to)
    expect(new Set(got.signatures)).toEqual(new Set(hashes))
    expect(got.lamports).toBe(
      Array.from({ length: count }, (_, i) => 1_000_000 + (i % 3)).reduce((a, b) => a + b)
    )
  })
})
