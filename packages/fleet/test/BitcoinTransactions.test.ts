/** Durable payments of Bitcoin's kind, of one process over a file: on Litecoin Core and on bcash. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { type BitcoinSigner, type BitcoinTransaction, scriptOf } from "effect-chains/effect/signers/Bitcoin"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../src/sandbox/Loopback.js"
import * as Bcoin from "../../../src/sandbox/nodes/Bcoin.js"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../../src/sandbox/nodes/Utxo.js"
import { present } from "../../../test/nodes/process.js"
import { BitcoinTransactions, type Policy } from "../src/BitcoinTransactions.js"
import * as Coins from "../src/bitcoin/Coins.js"
import { accountOf, BitcoinSend } from "../src/bitcoin/Sending.js"
import type { Services } from "../src/engine.js"
import * as Ledger from "../src/Ledger.js"
import * as Libsql from "../src/Libsql.js"
import * as Retention from "../src/Retention.js"
import { bitcoinCash, type Chain, litecoin, type Signing, spentBy } from "./bitcoin.js"
import { crew } from "./crew.js"
import { ask, quiet } from "./evm.js"
import { type Answering, front as fronted } from "./front.js"

const litecoind = present("litecoind", "durable payments of Litecoin")

interface Kept {
  readonly key: string
  readonly round: number | bigint
  readonly hash: string
  readonly raw: string
  readonly purpose: string
  readonly created: number | bigint
}

const keptRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Kept>`SELECT * FROM fleet_bitcoin_signed ORDER BY key, round`
)

const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (is) => is, schedule: Schedule.spaced("50 millis") })

/** Until so many transactions were signed. */
const signed = (count: number) => until(Effect.map(keptRows, ({ length }) => length >= count))

/** What came of a key, as soon as something has. */
const ended = (key: string, from: string, { network }: Chain) =>
  Effect.flatMap(BitcoinTransactions, ({ result }) =>
    result({ key, network, from }).pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ until: Option.isSome }),
      Effect.map((outcome) => Option.getOrThrow(outcome))
    )
  )

/** A chain with its node, whose blocks come where they are asked for. */
const ground = (chain: Chain, begin: (folder: string) => ReturnType<typeof Bcoin.start>) => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-bitcoin-sends-"))
  const at = { url: "" }
  let node: UtxoNode
  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(begin(folder), scope))
    at.url = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(node.handler), scope))}`
  }, 60_000)
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  const mine = (blocks = 1) => Effect.runPromise(node.mine(blocks))

  /** An account of its own, with these coins. */
  const rich = async (index: number, ...amounts: ReadonlyArray<string>): Promise<string> => {
    const address = await chain.wallet(at.url, index, (signer) => Effect.succeed(signer.address))
    for (const amount of amounts) await Effect.runPromise(node.fund(chain.renamed(address), amount))
    await mine()
    return address
  }

  const over = <A>(
    index: number,
    during: Effect.Effect<A, unknown, BitcoinTransactions | Services>,
    options: { readonly url?: string; readonly policy?: Partial<Policy>; readonly signing?: Signing } = {}
  ): Promise<A> =>
    Effect.runPromise(
      during.pipe(
        Effect.provide(
          Layer.provideMerge(
            chain.transactions(options.url ?? at.url, index, options.policy, options.signing),
            Libsql.layer({ name: "tests", file: join(folder, `${index}.db`) })
          )
        ),
        Effect.provide(quiet),
        Effect.timeout("25 seconds")
      )
    )

  /** Blocks come while something is done. */
  const mining = <A, E, R>(during: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.raceFirst(
      during,
      Effect.forever(
        Effect.delay(
          Effect.promise(() => mine()),
          "300 millis"
        )
      )
    )

  /** A front of the node, which may answer in its place. */
  const front = (answer: Answering): Promise<string> => fronted(at.url, scope, answer)

  /** A front that takes no transaction until it is told to, and what was handed to it since. */
  const gate = async () => {
    let isOpen = false
    const raws = new Set<unknown>()
    const url = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      raws.add(raw)
      return isOpen ? undefined : { error: { code: -26, message: "not now" } }
    })
    const open = () => {
      isOpen = true
    }
    return { url, raws, open }
  }

  return { at, folder, front, gate, mine, mining, over, rich }
}

/** Blocks come only where they are asked for. */
const blockTime = 3_600

const { amountAt, anyone, network, unspent } = litecoin

describe.runIf(litecoind !== undefined)("durable payments of Bitcoin's kind", () => {
  const { at, folder, front, gate, mine, mining, over, rich } = ground(litecoin, (own) => {
    // Litecoin Core lets nothing be replaced unless it is told to
    const command = join(own, "litecoind")
    writeFileSync(command, `#!/bin/sh\nexec "${litecoind}" -mempoolreplacement=1 "$@"\n`, { mode: 0o755 })
    return Litecoind.start({ command, blockTime })
  })
  const miner = litecoin.renamed(anyone(255))
  const runners = crew("bitcoinRunner")
  afterAll(runners.end)

  it("are made once under each key, at once without sharing coins, and tell their ends again", async () => {
    const from = await rich(0, "1", "1", "1")
    const to = anyone(1)
    const order = (key: string, amount = 1_000_000n) =>
      ({ key, network, from, payment: { to, amount } }) as const
    const keys = ["a", "b", "c", "d", "e", "f"]
    const { again, bad, kept, poor, reused, sent, told } = await over(
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
            told: yield* result({ key: "b", network, from }),
            reused: yield* Effect.flip(send(order("a", 2_000_000n))),
            poor: yield* Effect.flip(send(order("poor", 10n ** 15n))),
            bad: yield* Effect.flip(send({ ...order("bad"), from: "0x12" })),
            kept: yield* keptRows
          }
        })
      )
    )
    const hashes = new Set(sent.map(({ hash }) => hash))
    expect(hashes.size).toBe(keys.length)
    expect(sent.slice(keys.length)).toEqual(sent.slice(0, keys.length))
    expect(again).toEqual(sent[0])
    expect(told).toMatchObject(Option.some({ _tag: "Right", right: sent[1] }))
    expect(reused).toMatchObject({ _tag: "KeyReused", key: "a" })
    expect(poor).toMatchObject({ _tag: "InsufficientFunds" })
    expect(bad).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringMatching(/^from /) })
    expect(await amountAt(at.url, to)).toBe(BigInt(keys.length) * 1_000_000n)
    expect(new Set((await unspent(at.url, to)).map(({ txid }) => txid))).toEqual(hashes)
    // one transaction of each, none of which was to spend what another one has
    expect(kept.map(({ key }) => key)).toEqual(keys)
    const spent = kept.flatMap(({ raw }) => spentBy(raw))
    expect(new Set(spent).size).toBe(spent.length)
  })

  it("raise their fee by replacing, with a coin of the one before, so that one of them lands", async () => {
    // all of it but the fee is paid: for a higher one it takes another coin
    const from = await rich(1, "1", "0.5")
    const to = anyone(2)
    const { kept, pool, sent } = await over(
      1,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const sending = yield* Effect.fork(
          send({ key: "slow", network, from, payment: { to, amount: 99_999_000n - 500n } })
        )
        const rows = yield* keptRows.pipe(
          Effect.delay("50 millis"),
          Effect.repeat({ until: ({ length }) => length === 3 })
        )
        yield* Effect.sleep("1 second")
        const waiting = yield* Effect.promise(() => ask<ReadonlyArray<string>>(at.url, "getrawmempool"))
        yield* Effect.promise(() => mine())
        return { kept: rows, pool: waiting, sent: yield* Fiber.join(sending) }
      }),
      { policy: { raiseAfter: "700 millis", attention: "20 seconds" } }
    )
    expect(pool).toEqual([kept[2]?.hash])
    expect(sent.hash).toBe(kept[2]?.hash)
    const [first = [], second = [], third = []] = kept.map(({ raw }) => spentBy(raw))
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
    const url = await front((method, [raw]) => {
      if (method === "sendrawtransaction") handed.push({ raw, isLost })
      // nodes other than the one that had it in its block do not have it in their pools
      return isLost && method === "getrawtransaction"
        ? { error: { code: -5, message: "No such mempool or blockchain transaction" } }
        : undefined
    })
    const { early, kept, sent } = await over(
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
        yield* Effect.sleep("500 millis")
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
        return { early: none, sent: yield* Fiber.join(sending), kept: yield* keptRows }
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
    const url = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      raws.push(raw)
      return isShut ? "never" : undefined
    })
    const env = { FILE: join(folder, "3.db"), NODE_URL: url, FROM: from, TO: to, COUNT: "1", INDEX: "3" }
    const victim = await runners.begin(env)
    await victim.up
    while (raws.length === 0) await sleep(20)
    await victim.kill()
    isShut = false
    const { kept, sent } = await over(
      3,
      mining(
        Effect.gen(function* () {
          const { send } = yield* BitcoinTransactions
          const confirmed = yield* send({ key: "k0", network, from, payment: { to, amount: 1_000_000n } })
          return { sent: confirmed, kept: yield* keptRows }
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
    const url = await front((method, [raw]) => {
      if (method === "sendrawtransaction") handed.add(raw)
      return undefined
    })
    let other = (_: BitcoinTransaction, __: BitcoinSigner["sign"]): Promise<unknown> =>
      Promise.reject(new Error("nothing is signed before it is asked for"))
    const { kept, sent } = await over(
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
              yield* Coins.make(sql).store(at, { ...theirs, round: 0, plan, purpose: "pay" }, [])
            })
          )
        const { send } = yield* BitcoinTransactions
        return { sent: yield* mining(send(order)), kept: yield* keptRows }
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

  it("are made once each though their process is killed again and again", { timeout: 60_000 }, async () => {
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
            const victim = await runners.begin(env)
            await victim.up
            await sleep(after)
            await victim.kill()
          }
          const last = await runners.begin(env)
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

  it.each([
    {
      how: "refuse them",
      index: 5,
      answer: () => ({ error: { code: -26, message: "these nodes do not pay that" } }),
      rounds: 2,
      end: { _tag: "RpcError", code: -26, rpcMessage: "these nodes do not pay that" }
    },
    {
      how: "give an id for what they do not have",
      index: 9,
      answer: (id: string) => ({ result: id }),
      rounds: 1,
      end: {
        _tag: "TransactionDropped",
        message: expect.stringMatching(
          /^Transaction \w{64} cannot be confirmed any more: no node has it.* paid back/
        )
      }
    }
  ])(
    "pay their coins back where nodes $how, and have ended only then",
    async ({ answer, end, index, rounds }) => {
      const from = await rich(index, "1")
      const to = anyone(6)
      const script = scriptOf(to, network)
      const url = await front((method, [raw]) => {
        if (method !== "sendrawtransaction") return undefined
        const made = Transaction.fromHex(String(raw))
        if (!made.outs.some((out) => Buffer.from(out.script).toString("hex") === script)) return undefined
        return answer(made.getId())
      })
      const { early, failure, first, kept, next } = await over(
        index,
        Effect.gen(function* () {
          const { result, send } = yield* BitcoinTransactions
          const order = { key: "refused", network, from, payment: { to, amount: 90_000_000n } } as const
          const sending = yield* Effect.fork(Effect.flip(send(order)))
          // so many without a block
          yield* signed(rounds)
          yield* Effect.sleep("1500 millis")
          const { length } = yield* keptRows
          if (length === 1) yield* Effect.promise(() => mine(6))
          yield* signed(2)
          yield* Effect.sleep("500 millis")
          const none = yield* result(order)
          yield* Effect.promise(() => mine())
          const error = yield* Fiber.join(sending)
          // its coin is one of the account again
          const payment = { to: anyone(20 + index), amount: 90_000_000n }
          const rows = yield* keptRows
          const sent = yield* mining(send({ key: "next", network, from, payment }))
          return { first: length, early: none, failure: error, kept: rows, next: sent }
        }),
        { url, policy: { patience: "1 second", attention: "10 seconds" } }
      )
      expect(first).toBe(rounds)
      expect(Option.isNone(early)).toBe(true)
      expect(failure).toMatchObject(end)
      const [paid, back] = kept
      expect(kept.map(({ purpose }) => purpose)).toEqual(["pay", "back"])
      expect(Number(back?.created) - Number(paid?.created)).toBeGreaterThanOrEqual(1_000)
      // only one of them could land
      expect(spentBy(back?.raw ?? "")).toEqual(spentBy(paid?.raw ?? ""))
      await expect(ask(at.url, "sendrawtransaction", paid?.raw)).rejects.toThrow("missingorspent")
      expect(await amountAt(at.url, to)).toBe(0n)
      expect((await unspent(at.url, anyone(20 + index))).map(({ txid }) => txid)).toEqual([next.hash])
    }
  )

  it("end where others have spent a coin of theirs, six blocks after that, and leave the other coins", async () => {
    const from = await rich(6, "1", "0.9")
    const to = anyone(8)
    const { raws, ...door } = await gate()
    const { blocks, early, failure, handed, kept, soon } = await over(
      6,
      Effect.gen(function* () {
        const { result, send } = yield* BitcoinTransactions
        const order = { key: "robbed", network, from, payment: { to, amount: 150_000_000n } } as const
        const sending = yield* Effect.fork(Effect.flip(send(order)))
        yield* signed(1)
        yield* Effect.promise(() =>
          litecoin.wallet(at.url, 6, ({ send: take }) => take({ to: anyone(9), amount: 80_000_000n }))
        )
        door.open()
        // it waits for a block, so that nobody knows yet which one lands: the coins are to be paid back
        yield* signed(2)
        yield* Effect.sleep("500 millis")
        for (let left = 7; left > 0; left--)
          yield* Effect.promise(() => ask(at.url, "generateblock", miner, []))
        yield* Effect.sleep("500 millis")
        const none = yield* result(order)
        yield* Effect.promise(() => mine())
        yield* Effect.sleep("1 second")
        const still = yield* result(order)
        const rows = yield* keptRows
        const height = Effect.promise(() => ask<number>(at.url, "getblockcount"))
        const before = yield* height
        const error = yield* mining(Fiber.join(sending))
        const blocks = (yield* height) - before
        const next = { key: "next", network, from, payment: { to, amount: 70_000_000n } } as const
        const given = new Set(raws)
        yield* mining(send(next))
        return { blocks, early: none, soon: still, failure: error, handed: given, kept: rows }
      }),
      { url: door.url, policy: { patience: "500 millis", attention: "20 seconds" } }
    )
    expect([early, soon].map(Option.isNone)).toEqual([true, true])
    expect(blocks).toBeGreaterThanOrEqual(6)
    expect(failure).toMatchObject({ _tag: "TransactionDropped", hash: kept[0]?.hash })
    // it never was in the chain, and the message says nothing else
    expect(failure.message).toMatch(/cannot be confirmed any more: .* spent coins of the account/)
    expect(kept.map(({ purpose }) => purpose)).toEqual(["pay", "back"])
    expect(handed).toEqual(new Set(kept.map(({ raw }) => raw)))
    expect(await amountAt(at.url, to)).toBe(70_000_000n)
  })

  it("are made by what was signed before where others have spent what a higher fee has taken", async () => {
    const from = await rich(7, "1", "0.5")
    const to = anyone(10)
    const { kept, sent } = await over(
      7,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const sending = yield* Effect.fork(
          send({ key: "slow", network, from, payment: { to, amount: 99_999_000n - 500n } })
        )
        yield* signed(2)
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
        const rows = yield* keptRows
        yield* Effect.promise(() => mine())
        return { kept: rows, sent: yield* Fiber.join(sending) }
      }),
      { policy: { raiseAfter: "700 millis", attention: "20 seconds" } }
    )
    expect(spentBy(kept[1]?.raw ?? "")).toHaveLength(2)
    expect(sent.hash).toBe(kept[0]?.hash)
    expect((await unspent(at.url, to)).map(({ txid }) => txid)).toEqual([sent.hash])
    expect(await amountAt(at.url, anyone(11))).toBe(49_000_000n)
  })

  it("whose workflow died have an end: coins are given back if nothing was signed, and else it is seen through", async () => {
    const from = await rich(8, "1")
    const to = anyone(12)
    const unsigned = { key: "unsigned", network, from, payment: { to, amount: 7_000_000n } } as const
    const payment = { to, amount: 8_000_000n }
    const raised = { key: "raised", network, from, payment, confirmations: 20 } as const
    let signatures = 0
    const signing: Signing = (sign) => (transaction) =>
      transaction.outputs[0]?.amount === 7_000_000n || signatures++ > 0
        ? Effect.die(new Error("a defect of what signs"))
        : sign(transaction)
    const { dead, forgotten, kept, lives } = await over(
      8,
      Effect.gen(function* () {
        const { submit } = yield* BitcoinTransactions
        yield* submit(unsigned)
        const first = yield* ended("unsigned", from, litecoin)
        // the account's one coin
        yield* submit(raised)
        const id = yield* BitcoinSend.executionId({ order: raised })
        yield* until(Effect.map(BitcoinSend.poll(id), (result) => result?._tag === "Complete"))
        // one that waits for the change of the other has no coins when it dies
        const waiting = { key: "waiting", network, from, payment: { to, amount: 9_000_000n } } as const
        yield* submit(waiting)
        const other = yield* BitcoinSend.executionId({ order: waiting })
        yield* BitcoinSend.interrupt(other)
        const none = yield* ended("waiting", from, litecoin)
        // the engine's messages are kept for a day, and nodes may be away for longer
        yield* Effect.sleep("50 millis")
        const forgotten = yield* Retention.forget({ messages: 1, keys: "1 day" })
        const rows = yield* keptRows
        const second = yield* mining(ended("raised", from, litecoin))
        const height = yield* Effect.promise(() => ask<number>(at.url, "getblockcount"))
        if (Either.isRight(second)) expect(height - second.right.block + 1).toBeGreaterThanOrEqual(20)
        return { dead: [first, none], forgotten, kept: rows, lives: second }
      }),
      { signing, policy: { raiseAfter: "500 millis", attention: "1 second" } }
    )
    const died = { _tag: "Left", left: { _tag: "SigningFailed" } }
    expect(dead).toMatchObject([died, died])
    expect(kept.map(({ key }) => key)).toEqual(["raised"])
    expect(forgotten).toEqual({ workflows: 3, keys: 0 })
    expect(lives).toMatchObject({ _tag: "Right", right: { hash: kept[0]?.hash } })
    expect(await amountAt(at.url, to)).toBe(8_000_000n)
  })

  it("whose workflow died and whose coins others have spent end after as long as others, over many looks", async () => {
    const from = await rich(14, "1", "0.9")
    const door = await gate()
    const order = { key: "both", network, from, payment: { to: anyone(33), amount: 150_000_000n } } as const
    let signatures = 0
    const signing: Signing = (sign) => (transaction) =>
      signatures++ > 0 ? Effect.die(new Error("a defect of what signs")) : sign(transaction)
    const { kept, outcome } = await over(
      14,
      Effect.gen(function* () {
        const { submit } = yield* BitcoinTransactions
        yield* submit(order)
        const id = yield* BitcoinSend.executionId({ order })
        yield* until(Effect.map(BitcoinSend.poll(id), (result) => result?._tag === "Complete"))
        yield* Effect.promise(() =>
          litecoin.wallet(at.url, 14, ({ send: take }) => take({ to: anyone(34), amount: 80_000_000n }))
        )
        door.open()
        const rows = yield* keptRows
        return { kept: rows, outcome: yield* mining(ended("both", from, litecoin)) }
      }),
      {
        url: door.url,
        signing,
        policy: { raiseAfter: "400 millis", patience: "1 second", attention: "300 millis" }
      }
    )
    expect(kept).toHaveLength(1)
    expect(outcome).toMatchObject({
      _tag: "Left",
      left: { _tag: "TransactionDropped", hash: kept[0]?.hash }
    })
    expect(await amountAt(at.url, anyone(33))).toBe(0n)
  })

  it("wait on with a lower fee where nodes refuse what should replace them", async () => {
    const from = await rich(21, "1")
    const handed: Array<unknown> = []
    const url = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      handed.push(raw)
      return raw === handed[0] ? undefined : { error: { code: -26, message: "insufficient fee" } }
    })
    const { kept, sent } = await over(
      21,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const payment = { to: anyone(41), amount: 2_000_000n }
        const sending = yield* Effect.fork(send({ key: "one", network, from, payment }))
        yield* until(Effect.sync(() => new Set(handed).size > 1))
        // longer than there is patience
        yield* Effect.sleep("2 seconds")
        return { sent: yield* mining(Fiber.join(sending)), kept: yield* keptRows }
      }),
      { url, policy: { raiseAfter: "400 millis", patience: "1 second", attention: "500 millis" } }
    )
    expect(kept.length).toBeGreaterThan(1)
    expect(kept.every(({ purpose }) => purpose === "pay")).toBe(true)
    expect(sent.hash).toBe(kept[0]?.hash)
  })

  it("are sent again with what has given their coins, where nodes have lost that", async () => {
    const from = await rich(22, "1")
    const handed: Array<unknown> = []
    const url = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      handed.push(raw)
      const isGivenAgain = handed.lastIndexOf(handed[0]) > handed.findIndex((each) => each !== handed[0])
      return raw === handed[0] || isGivenAgain
        ? undefined
        : { error: { code: -25, message: "bad-txns-inputs-missingorspent" } }
    })
    const { kept, second } = await over(
      22,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const order = (key: string) =>
          ({ key, network, from, payment: { to: anyone(42), amount: 2_000_000n } }) as const
        yield* mining(send(order("giver")))
        // its coin is the change of the first
        return { second: yield* mining(send(order("taker"))), kept: yield* keptRows }
      }),
      { url }
    )
    expect(kept.map(({ key }) => key)).toEqual(["giver", "taker"])
    expect(handed.slice(0, 3)).toEqual([kept[0]?.raw, kept[1]?.raw, kept[0]?.raw])
    expect(second.hash).toBe(kept[1]?.hash)
  })
})

const bcash = present("bcash", "durable payments of Bitcoin Cash")

describe.runIf(bcash !== undefined)("durable payments of Bitcoin Cash, on bcash", () => {
  const chain = bitcoinCash
  const { at, gate, mining, over, rich } = ground(chain, () => Bcoin.start({ program: "bcash", blockTime }))

  it("are made once each, at once without sharing coins, and say that nothing is to replace them", async () => {
    const from = await rich(0, "1", "1")
    const to = chain.anyone(1)
    const keys = ["a", "b", "c", "d"]
    const { kept, sent } = await over(
      0,
      mining(
        Effect.gen(function* () {
          const { send } = yield* BitcoinTransactions
          const made = yield* Effect.forEach(
            [...keys, ...keys],
            (key) => send({ key, network: chain.network, from, payment: { to, amount: 1_000_000n } }),
            { concurrency: "unbounded" }
          )
          return { sent: made, kept: yield* keptRows }
        })
      )
    )
    expect(sent.slice(keys.length)).toEqual(sent.slice(0, keys.length))
    const paid = await chain.unspent(at.url, to)
    expect(paid.map(({ txid }) => txid).sort()).toEqual([...new Set(sent.map(({ hash }) => hash))].sort())
    expect(await chain.amountAt(at.url, to)).toBe(4_000_000n)
    const spent = kept.flatMap(({ raw }) => spentBy(raw))
    expect(new Set(spent).size).toBe(spent.length)
    const inputs = kept.flatMap(({ raw }) => Transaction.fromHex(raw).ins)
    expect(new Set(inputs.map((input) => input.sequence))).toEqual(new Set([0xffffffff]))
  })

  it("end where others have spent a coin of theirs, though the node gives an id for what it refuses", async () => {
    const from = await rich(1, "1", "0.9")
    const to = chain.anyone(2)
    const { raws, ...door } = await gate()
    const { failure, kept } = await over(
      1,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const order = { network: chain.network, from } as const
        const sending = yield* Effect.fork(
          Effect.flip(send({ ...order, key: "robbed", payment: { to, amount: 150_000_000n } }))
        )
        yield* signed(1)
        yield* Effect.promise(() =>
          chain.wallet(at.url, 1, ({ send: take }) => take({ to: chain.anyone(3), amount: 80_000_000n }))
        )
        door.open()
        const [row] = yield* keptRows
        expect(yield* Effect.promise(() => ask(at.url, "sendrawtransaction", row?.raw))).toBe(row?.hash)
        const error = yield* mining(Fiber.join(sending))
        const next = { ...order, key: "next", payment: { to, amount: 70_000_000n } }
        const rows = yield* keptRows
        yield* mining(send(next))
        return { failure: error, kept: rows }
      }),
      { url: door.url, policy: { patience: "500 millis", attention: "20 seconds" } }
    )
    expect(failure).toMatchObject({ _tag: "TransactionDropped", hash: kept[0]?.hash })
    // it never was in the chain, and the message says nothing else
    expect(failure.message).toMatch(/cannot be confirmed any more: .* spent coins of the account/)
    expect(await chain.amountAt(at.url, to)).toBe(70_000_000n)
    expect(raws.has(kept[0]?.raw)).toBe(true)
  })
})
