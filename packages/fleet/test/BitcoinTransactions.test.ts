/** Durable payments of Bitcoin's kind, of one process over a file, on Litecoin Core: they are made once, whatever is in their way. */
// @covers orders on litecoind: bitcoin
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type { BitcoinSigner, BitcoinTransaction } from "effect-chains/effect/signers/Bitcoin"
import { make as makePolicy } from "effect-chains/effect/signers/policy"
import { afterAll, describe, expect, it } from "vitest"
import { requireBinary } from "../../../test/nodes/process.js"
import { BitcoinTransactions } from "../src/BitcoinTransactions.js"
import { accountOf } from "../src/bitcoin/SendWorkflow.js"
import * as UtxoStore from "../src/bitcoin/UtxoStore.js"
import * as Ledger from "../src/Ledger.js"
import { listSpent, litecoin } from "./bitcoin.js"
import { listSigned, setUpLitecoin, until, untilSigned } from "./bitcoinChain.js"
import { ask } from "./evm.js"
import { makeProcessGroup } from "./processGroup.js"

const litecoind = requireBinary("litecoind", "durable payments of Litecoin")
const { amountAt, anyone, network, unspent } = litecoin

describe.runIf(litecoind !== undefined)("durable payments of Bitcoin's kind", () => {
  const { at, folder, front, mine, mining, runPayments, rich } = setUpLitecoin(litecoind ?? "")
  const miner = litecoin.renamed(anyone(255))
  const runners = makeProcessGroup("bitcoinRunner")
  afterAll(runners.end)

  it("are made once under each key, at once without sharing coins, and tell their ends again", async () => {
    const from = await rich(0, "1", "1", "1")
    const to = anyone(1)
    const order = (key: string, amount = 1_000_000n) =>
      ({ key, network, from, payment: { to, amount } }) as const
    const keys = ["a", "b", "c", "d", "e", "f"]
    const { again, bad, kept, poor, reused, sent, found } = await runPayments(
      0,
      mining(
        Effect.gen(function* () {
          const { result, send } = yield* BitcoinTransactions
          const all = yield* Effect.forEach([...keys, ...keys], (key) => send(order(key)), {
            concurrency: "unbounded"
          })
          return {
            sent: all,
            again: yield* send(order("a")),
            found: yield* result({ key: "b", network, from }),
            reused: yield* Effect.flip(send(order("a", 2_000_000n))),
            poor: yield* Effect.flip(send(order("poor", 10n ** 15n))),
            bad: yield* Effect.flip(send({ ...order("bad"), from: "0x12" })),
            kept: yield* listSigned
          }
        })
      )
    )
    const hashes = new Set(sent.map(({ hash }) => hash))
    expect(hashes.size).toBe(keys.length)
    expect(sent.slice(keys.length)).toEqual(sent.slice(0, keys.length))
    expect(again).toEqual(sent[0])
    expect(found).toMatchObject(Option.some({ _tag: "Right", right: sent[1] }))
    expect(reused).toMatchObject({ _tag: "KeyReused", key: "a" })
    expect(poor).toMatchObject({ _tag: "InsufficientFunds" })
    expect(bad).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringMatching(/^from /) })
    expect(await amountAt(at.url, to)).toBe(BigInt(keys.length) * 1_000_000n)
    expect(new Set((await unspent(at.url, to)).map(({ txid }) => txid))).toEqual(hashes)
    // one transaction of each, none of which was to spend what another one has
    expect(kept.map(({ key }) => key)).toEqual(keys)
    const spent = kept.flatMap(({ raw }) => listSpent(raw))
    expect(new Set(spent).size).toBe(spent.length)
  })

  it("are no more than the policy of their account allows, one of them at a time", async () => {
    const from = await rich(40, ...Array<string>(8).fill("0.1"))
    const [to, other] = [anyone(60), anyone(61)]
    const policy = await Effect.runPromise(
      makePolicy({
        limits: [{ network, amount: "0.0055", per: "1 day" }],
        recipients: { [network]: [to] }
      })
    )
    const order = (key: string, receiver = to) =>
      ({ key, network, from, payment: { to: receiver, amount: "0.001", maxFee: "0.0001" } }) as const
    const outcomes = await runPayments(
      40,
      mining(
        Effect.flatMap(BitcoinTransactions, ({ send }) =>
          Effect.forEach(
            [order("other", other), ...["a", "b", "c", "d", "e", "f", "g"].map((key) => order(key))],
            (each) => Effect.either(send(each)),
            { concurrency: "unbounded" }
          )
        )
      ),
      { rules: { policy } }
    )
    const ends = outcomes.map((each) => (Either.isRight(each) ? "paid" : Reflect.get(each.left, "rule")))
    expect(ends[0]).toBe("recipient")
    expect(ends.slice(1).sort()).toEqual(["limit", "limit", ...Array<string>(5).fill("paid")])
    expect(await amountAt(at.url, to)).toBe(500_000n)
    expect(await amountAt(at.url, other)).toBe(0n)
  })

  it("raise their fee by replacing, with a coin of the one before, so that one of them lands", async () => {
    // all of it but the fee is paid: for a higher one it takes another coin
    const from = await rich(1, "1", "0.5")
    const to = anyone(2)
    const { kept, pool, sent } = await runPayments(
      1,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const sending = yield* Effect.fork(
          send({ key: "slow", network, from, payment: { to, amount: 99_999_000n - 500n } })
        )
        const rows = yield* listSigned.pipe(
          Effect.delay("50 millis"),
          Effect.repeat({ until: ({ length }) => length === 3 })
        )
        const pooled = Effect.promise(() => ask<ReadonlyArray<string>>(at.url, "getrawmempool"))
        yield* until(Effect.map(pooled, (all) => all.includes(rows[2]?.hash ?? "")))
        const waiting = yield* pooled
        yield* Effect.promise(() => mine())
        return { kept: rows, pool: waiting, sent: yield* Fiber.join(sending) }
      }),
      { policy: { bumpFeeAfter: "700 millis", suspendAfter: "20 seconds" } }
    )
    expect(pool).toEqual([kept[2]?.hash])
    expect(sent.hash).toBe(kept[2]?.hash)
    const [first = [], second = [], third = []] = kept.map(({ raw }) => listSpent(raw))
    expect(second.some((coin) => first.includes(coin))).toBe(true)
    expect(third.some((coin) => second.includes(coin))).toBe(true)
    expect(await amountAt(at.url, to)).toBe(99_998_500n)
    expect(await unspent(at.url, to)).toHaveLength(1)
  })

  it("are sent again where a reorganisation takes them away, with the same bytes, and end in the kept branch", async () => {
    const from = await rich(2, "1")
    const to = anyone(3)
    let isLost = false
    const handed: Array<{ readonly raw: unknown; readonly isLost: boolean }> = []
    const { looks, url } = await front((method, [raw]) => {
      if (method === "sendrawtransaction") handed.push({ raw, isLost })
      // nodes other than the one that had it in its block do not have it in their pools
      return isLost && method === "getrawtransaction"
        ? { error: { code: -5, message: "No such mempool or blockchain transaction" } }
        : undefined
    })
    const { early, kept, sent } = await runPayments(
      2,
      Effect.gen(function* () {
        const { result, send } = yield* BitcoinTransactions
        const order = {
          key: "left",
          network,
          from,
          payment: { to, amount: 5_000_000n },
          confirmations: 2
        } as const
        const sending = yield* Effect.fork(send(order))
        yield* Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => handed.length > 0 }))
        yield* Effect.promise(() => mine())
        // it was seen in its block
        yield* looks(3)
        yield* Effect.promise(async () => {
          isLost = true
          const tip = await ask<string>(at.url, "getbestblockhash")
          await fetch(at.url, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "invalidateblock", params: [tip] })
          })
          // a branch without it, which is longer
          await ask(at.url, "generateblock", miner, [])
          await ask(at.url, "generateblock", miner, [])
        })
        const before = handed.length
        yield* Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => handed.length > before }))
        const none = yield* result(order)
        isLost = false
        yield* Effect.promise(() => mine(2))
        return { early: none, sent: yield* Fiber.join(sending), kept: yield* listSigned }
      }),
      { url }
    )
    expect(Option.isNone(early)).toBe(true)
    expect(kept).toHaveLength(1)
    expect(handed.some((each) => each.isLost)).toBe(true)
    expect(new Set(handed.map(({ raw }) => raw))).toEqual(new Set([kept[0]?.raw]))
    expect(await ask<string>(at.url, "getblockhash", sent.block)).toBe(sent.blockHash)
    expect(await amountAt(at.url, to)).toBe(5_000_000n)
  })

  it("are sent as they were signed by the next process, where the first is killed before it could send", async () => {
    const from = await rich(3, "1", "1")
    const to = anyone(4)
    const raws: Array<unknown> = []
    let isShut = true
    const { url } = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      raws.push(raw)
      return isShut ? "never" : undefined
    })
    const env = { FILE: join(folder, "3.db"), NODE_URL: url, FROM: from, TO: to, COUNT: "1", INDEX: "3" }
    const victim = runners.begin(env)
    await victim.up
    while (raws.length === 0) await sleep(20)
    await victim.kill()
    isShut = false
    const { kept, sent } = await runPayments(
      3,
      mining(
        Effect.gen(function* () {
          const { send } = yield* BitcoinTransactions
          const confirmed = yield* send({ key: "k0", network, from, payment: { to, amount: 1_000_000n } })
          return { sent: confirmed, kept: yield* listSigned }
        })
      )
    )
    expect(kept.map(({ raw }) => raw)).toEqual([raws[0]])
    expect(sent.hash).toBe(kept[0]?.hash)
    expect(await amountAt(at.url, to)).toBe(1_000_000n)
  })

  it("hand to nodes what is kept and nothing else, which may be what another runner has kept", async () => {
    const from = await rich(20, "1")
    const to = anyone(40)
    const order = { key: "kept", network, from, payment: { to, amount: 2_000_000n } } as const
    const handed = new Set<unknown>()
    const { url } = await front((method, [raw]) => {
      if (method === "sendrawtransaction") handed.add(raw)
      return undefined
    })
    let other = (_: BitcoinTransaction, __: BitcoinSigner["sign"]): Promise<unknown> =>
      Promise.reject(new Error("nothing is signed before it is asked for"))
    const { kept, sent } = await runPayments(
      20,
      Effect.gen(function* () {
        const run = Runtime.runPromise(yield* Effect.runtime<SqlClient.SqlClient>())
        // another runner signs it with a little more of a fee, and keeps it before this one
        other = (transaction, sign) =>
          run(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              const { plan = "" } = (yield* Ledger.make(sql).find(accountOf(order), order.key)) ?? {}
              const outputs = transaction.outputs.map(({ address, amount }) => ({
                address,
                amount: address === from ? amount - 1n : amount
              }))
              const theirs = yield* sign({ ...transaction, outputs, fee: transaction.fee + 1n })
              const at = { ...accountOf(order), key: order.key }
              yield* UtxoStore.make(sql).storeSigned(at, { ...theirs, round: 0, plan, purpose: "pay" }, [])
            })
          )
        const { send } = yield* BitcoinTransactions
        return { sent: yield* mining(send(order)), kept: yield* listSigned }
      }),
      {
        url,
        signing: (sign) => (transaction) =>
          Effect.zipRight(
            Effect.promise(() => other(transaction, sign)),
            sign(transaction)
          )
      }
    )
    expect(kept.map(({ hash }) => hash)).toEqual([sent.hash])
    expect([...handed]).toEqual([kept[0]?.raw])
    expect(await amountAt(at.url, to)).toBe(2_000_000n)
  })

  it("are made once each though their process is killed again and again", async () => {
    const from = await rich(4, "1", "1")
    const to = anyone(5)
    const count = 4
    const env = {
      FILE: join(folder, "4.db"),
      NODE_URL: at.url,
      FROM: from,
      TO: to,
      COUNT: String(count),
      INDEX: "4"
    }
    const hashes = await Effect.runPromise(
      mining(
        Effect.promise(async () => {
          for (const after of [150, 500]) {
            const victim = runners.begin(env)
            await victim.up
            await sleep(after)
            await victim.kill()
          }
          const last = runners.begin(env)
          return new Promise<ReadonlyArray<string>>((resolve, reject) => {
            last.child.on("message", (message) => Array.isArray(message) && resolve(message))
            last.child.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
          })
        })
      )
    )
    expect(new Set(hashes).size).toBe(count)
    expect(new Set((await unspent(at.url, to)).map(({ txid }) => txid))).toEqual(new Set(hashes))
    expect(await amountAt(at.url, to)).toBe(
      Array.from({ length: count }, (_, i) => BigInt(1_000_000 + (i % 3))).reduce((a, b) => a + b)
    )
  })

  it("are made by what was signed before where others have spent what a higher fee has taken", async () => {
    const from = await rich(7, "1", "0.5")
    const to = anyone(10)
    const { kept, sent } = await runPayments(
      7,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const sending = yield* Effect.fork(
          send({ key: "slow", network, from, payment: { to, amount: 99_999_000n - 500n } })
        )
        yield* untilSigned(2)
        // what was signed is handed on after that: until then nodes have the first, and would mine that one
        yield* until(
          Effect.zipWith(
            Effect.promise(() => ask<ReadonlyArray<string>>(at.url, "getrawmempool")),
            listSigned,
            (pooled, [, ...raised]) => raised.some(({ hash }) => pooled.includes(hash))
          )
        )
        // with a fee for which nodes let go of what was to replace the first
        yield* Effect.promise(() =>
          litecoin.wallet(at.url, 7, ({ sign }) =>
            Effect.gen(function* () {
              const all = yield* Effect.promise(() => unspent(at.url, from))
              const inputs = all.filter(({ amount }) => amount === 50_000_000n)
              const outputs = [{ address: anyone(11), amount: 49_000_000n }]
              const { raw } = yield* sign({ inputs, outputs, fee: 1_000_000n })
              yield* Effect.promise(() => ask(at.url, "sendrawtransaction", raw))
            })
          )
        )
        yield* Effect.promise(() => mine())
        yield* until(
          Effect.map(
            Effect.promise(() => ask<ReadonlyArray<string>>(at.url, "getrawmempool")),
            ({ length }) => length > 0
          )
        )
        const rows = yield* listSigned
        yield* Effect.promise(() => mine())
        return { kept: rows, sent: yield* Fiber.join(sending) }
      }),
      { policy: { bumpFeeAfter: "700 millis", suspendAfter: "20 seconds" } }
    )
    expect(listSpent(kept[1]?.raw ?? "")).toHaveLength(2)
    expect(sent.hash).toBe(kept[0]?.hash)
    expect((await unspent(at.url, to)).map(({ txid }) => txid)).toEqual([sent.hash])
    expect(await amountAt(at.url, anyone(11))).toBe(49_000_000n)
  })

  it("wait on with a lower fee where nodes refuse what should replace them", async () => {
    const from = await rich(21, "1")
    const handed: Array<unknown> = []
    const { looks, url } = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      handed.push(raw)
      return raw === handed[0] ? undefined : { error: { code: -26, message: "insufficient fee" } }
    })
    const { kept, sent } = await runPayments(
      21,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const payment = { to: anyone(41), amount: 2_000_000n }
        const sending = yield* Effect.fork(send({ key: "one", network, from, payment }))
        yield* until(Effect.sync(() => new Set(handed).size > 1))
        // longer than there is patience, and looked at after that
        yield* Effect.sleep("700 millis")
        yield* looks(8)
        return { sent: yield* mining(Fiber.join(sending)), kept: yield* listSigned }
      }),
      { url, policy: { bumpFeeAfter: "400 millis", giveUpAfter: "500 millis", suspendAfter: "500 millis" } }
    )
    expect(kept.length).toBeGreaterThan(1)
    expect(kept.every(({ purpose }) => purpose === "pay")).toBe(true)
    expect(sent.hash).toBe(kept[0]?.hash)
  })

  it("are sent again with what has given their coins, where nodes have lost that", async () => {
    const from = await rich(22, "1")
    const handed: Array<unknown> = []
    const { url } = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      handed.push(raw)
      const isGivenAgain = handed.lastIndexOf(handed[0]) > handed.findIndex((each) => each !== handed[0])
      return raw === handed[0] || isGivenAgain
        ? undefined
        : { error: { code: -25, message: "bad-txns-inputs-missingorspent" } }
    })
    const { kept, second } = await runPayments(
      22,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const order = (key: string) =>
          ({ key, network, from, payment: { to: anyone(42), amount: 2_000_000n } }) as const
        yield* mining(send(order("giver")))
        // its coin is the change of the first
        return { second: yield* mining(send(order("taker"))), kept: yield* listSigned }
      }),
      { url }
    )
    expect(kept.map(({ key }) => key)).toEqual(["giver", "taker"])
    expect(handed.slice(0, 3)).toEqual([kept[0]?.raw, kept[1]?.raw, kept[0]?.raw])
    expect(second.hash).toBe(kept[1]?.hash)
  })
})
