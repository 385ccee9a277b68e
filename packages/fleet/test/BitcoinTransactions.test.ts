/** Durable payments of Bitcoin's kind, of one process over a file, on Litecoin Core. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { forward, listen } from "../../../src/sandbox/Loopback.js"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../../src/sandbox/nodes/Utxo.js"
import { present } from "../../../test/nodes/process.js"
import type { Policy } from "../src/BitcoinTransactions.js"
import { BitcoinTransactions } from "../src/BitcoinTransactions.js"
import * as Libsql from "../src/Libsql.js"
import { amountAt, anyone, network, payer, renamed, transactions, unspent } from "./bitcoin.js"
import { ask, quiet } from "./evm.js"
import { type Process, program, start } from "./processes.js"

const litecoind = present("litecoind", "durable payments of Litecoin")

interface Kept {
  readonly key: string
  readonly round: number | bigint
  readonly hash: string
  readonly raw: string
}

/** The outputs that a transaction spends. */
const spentBy = (raw: string): ReadonlyArray<string> =>
  Transaction.fromHex(raw).ins.map(({ hash, index }) => `${Buffer.from(hash).toString("hex")}:${index}`)

const keptRows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Kept>`SELECT key, round, hash, raw FROM fleet_bitcoin_signed ORDER BY key, round`
)

describe.runIf(litecoind !== undefined)("durable payments of Bitcoin's kind", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-bitcoin-sends-"))
  const running = new Set<Process>()
  let node: UtxoNode
  let url = ""
  let runner = ""
  let miner = ""
  beforeAll(async () => {
    // Litecoin Core lets nothing be replaced unless it is told to
    const command = join(folder, "litecoind")
    writeFileSync(command, `#!/bin/sh\nexec "${litecoind}" -mempoolreplacement=1 "$@"\n`, { mode: 0o755 })
    node = await Effect.runPromise(Scope.extend(Litecoind.start({ command, blockTime: 3_600 }), scope))
    url = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(node.handler), scope))}`
    miner = renamed(anyone(255))
    runner = await program("bitcoinRunner")
  }, 60_000)
  afterAll(async () => {
    await Promise.all([...running].map(({ kill }) => kill()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
    rmSync(runner, { force: true })
  })

  const mine = (blocks = 1) => Effect.runPromise(node.mine(blocks))
  /** An account of its own, with these coins. */
  const rich = async (index: number, ...amounts: ReadonlyArray<string>): Promise<string> => {
    const address = await payer(url, index)
    for (const amount of amounts) await Effect.runPromise(node.fund(renamed(address), amount))
    await mine()
    return address
  }

  const over = <A>(
    index: number,
    during: Effect.Effect<A, unknown, BitcoinTransactions | SqlClient.SqlClient>,
    { at = url, policy = {} }: { readonly at?: string; readonly policy?: Partial<Policy> } = {}
  ): Promise<A> =>
    Effect.runPromise(
      during.pipe(
        Effect.provide(
          Layer.provideMerge(
            transactions(at, index, policy),
            Libsql.layer({ name: "tests", file: join(folder, `${index}.db`) })
          )
        ),
        Effect.provide(quiet),
        Effect.timeout("25 seconds")
      )
    )

  /** Blocks come while something is done. */
  const mining = async <A>(during: Promise<A>): Promise<A> => {
    let isOn = true
    const blocks = (async () => {
      while (isOn) {
        await sleep(300)
        await mine()
      }
    })()
    try {
      return await during
    } finally {
      isOn = false
      await blocks
    }
  }

  /** A front of the node, which may answer in its place. */
  const front = async (
    answer: (method: string, params: ReadonlyArray<unknown>) => object | "never" | undefined
  ): Promise<string> => {
    const port = await Effect.runPromise(
      Scope.extend(
        listen((received) => {
          const body: { readonly id: number; readonly method: string; readonly params: Array<unknown> } =
            JSON.parse(String(received.body))
          const given = answer(body.method, body.params)
          if (given === "never") return Effect.never
          return given === undefined
            ? Effect.orDie(forward(url, received, { reuse: false, timeout: 20_000 }))
            : Effect.succeed({
                status: 200,
                headers: { "content-type": "application/json" },
                body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: body.id, ...given }))
              })
        }),
        scope
      )
    )
    return `http://127.0.0.1:${port}`
  }

  it("are made once under each key, at once without sharing coins, and tell their ends again", async () => {
    const from = await rich(0, "1", "1", "1")
    const to = anyone(1)
    const order = (key: string, amount = 1_000_000n) =>
      ({ key, network, from, payment: { to, amount } }) as const
    const keys = ["a", "b", "c", "d", "e", "f"]
    const { again, bad, kept, poor, reused, sent, told } = await mining(
      over(
        0,
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
    expect(await amountAt(url, to)).toBe(keys.length * 1_000_000)
    expect(new Set((await unspent(url, to)).map(({ txid }) => txid))).toEqual(hashes)
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
        const waiting = yield* Effect.promise(() => ask<ReadonlyArray<string>>(url, "getrawmempool"))
        yield* Effect.promise(() => mine())
        return { kept: rows, pool: waiting, sent: yield* Fiber.join(sending) }
      }),
      { policy: { raiseAfter: "1 second" } }
    )
    expect(pool).toEqual([kept[2]?.hash])
    expect(sent.hash).toBe(kept[2]?.hash)
    const [first = [], second = [], third = []] = kept.map(({ raw }) => spentBy(raw))
    expect(second.some((coin) => first.includes(coin))).toBe(true)
    expect(third.some((coin) => second.includes(coin))).toBe(true)
    expect(await amountAt(url, to)).toBe(99_998_500)
    expect(await unspent(url, to)).toHaveLength(1)
  })

  it("are sent again where a reorganisation takes them away, with the same bytes, and end in the kept branch", async () => {
    const from = await rich(2, "1")
    const to = anyone(3)
    let isLost = false
    const handed: Array<{ readonly raw: unknown; readonly isLost: boolean }> = []
    const at = await front((method, [raw]) => {
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
          const tip = await ask<string>(url, "getbestblockhash")
          await fetch(url, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "invalidateblock", params: [tip] })
          })
          // a branch without it, which is longer
          await ask(url, "generateblock", miner, [])
          await ask(url, "generateblock", miner, [])
        })
        const before = handed.length
        yield* Effect.sleep("50 millis").pipe(Effect.repeat({ until: () => handed.length > before }))
        const none = yield* result(order)
        isLost = false
        yield* Effect.promise(() => mine(2))
        return { early: none, sent: yield* Fiber.join(sending), kept: yield* keptRows }
      }),
      { at }
    )
    expect(Option.isNone(early)).toBe(true)
    expect(kept).toHaveLength(1)
    expect(handed.some((each) => each.isLost)).toBe(true)
    expect(new Set(handed.map(({ raw }) => raw))).toEqual(new Set([kept[0]?.raw]))
    expect(await ask<string>(url, "getblockhash", sent.block)).toBe(sent.blockHash)
    expect(await amountAt(url, to)).toBe(5_000_000)
  })

  it("are sent as they were signed by the next process, where the first is killed before it could send", async () => {
    const from = await rich(3, "1", "1")
    const to = anyone(4)
    const raws: Array<unknown> = []
    let isShut = true
    const at = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      raws.push(raw)
      return isShut ? "never" : undefined
    })
    const env = { FILE: join(folder, "3.db"), NODE_URL: at, FROM: from, TO: to, COUNT: "1", INDEX: "3" }
    const victim = start(runner, env, join(folder, "output"))
    running.add(victim)
    await victim.up
    while (raws.length === 0) await sleep(20)
    await victim.kill()
    running.delete(victim)
    isShut = false
    const { kept, sent } = await mining(
      over(
        3,
        Effect.gen(function* () {
          const { send } = yield* BitcoinTransactions
          const confirmed = yield* send({ key: "k0", network, from, payment: { to, amount: 1_000_000n } })
          return { sent: confirmed, kept: yield* keptRows }
        })
      )
    )
    expect(kept.map(({ raw }) => raw)).toEqual([raws[0]])
    expect(sent.hash).toBe(kept[0]?.hash)
    expect(await amountAt(url, to)).toBe(1_000_000)
  })

  it("are made once each though their process is killed again and again", { timeout: 60_000 }, async () => {
    const from = await rich(4, "1", "1", "1")
    const to = anyone(5)
    const count = 6
    const env = {
      FILE: join(folder, "4.db"),
      NODE_URL: url,
      FROM: from,
      TO: to,
      COUNT: String(count),
      INDEX: "4"
    }
    const begin = () => {
      const made = start(runner, env, join(folder, "output"))
      running.add(made)
      return made
    }
    const hashes = await mining(
      (async () => {
        for (const after of [150, 400, 700]) {
          const victim = begin()
          await victim.up
          await sleep(after)
          running.delete(victim)
          await victim.kill()
        }
        const last = begin()
        return new Promise<ReadonlyArray<string>>((resolve, reject) => {
          last.child.on("message", (message) => Array.isArray(message) && resolve(message))
          last.child.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
        })
      })()
    )
    expect(new Set(hashes).size).toBe(count)
    expect(new Set((await unspent(url, to)).map(({ txid }) => txid))).toEqual(new Set(hashes))
    expect(await amountAt(url, to)).toBe(
      Array.from({ length: count }, (_, i) => 1_000_000 + (i % 3)).reduce((a, b) => a + b)
    )
  })
})
