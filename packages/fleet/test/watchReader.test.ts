/** The reader of watchers over a model chain that forks, with the tables in a real file, and deaths at any event. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as LibsqlClient from "@effect/sql-libsql/LibsqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { AddressSet } from "../src/watch/AddressSet.js"
import { keyFormat } from "../src/watch/Evm.js"
import * as Reader from "../src/watch/Reader.js"
import { Payment, type WatchEvent } from "../src/watch/WatchEvent.js"
import * as WatcherStore from "../src/watch/WatcherStore.js"

const folder = mkdtempSync(join(tmpdir(), "fleet-watch-"))
const runtime = ManagedRuntime.make(
  Layer.merge(
    LibsqlClient.layer({ url: `file:${join(folder, "watch.db")}`, intMode: "bigint" }),
    Logger.remove(Logger.defaultLogger)
  )
)
beforeAll(() => runtime.runPromise(WatcherStore.tables))
afterAll(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
})

interface ModelBlock extends Reader.BlockHeader {
  readonly payments: ReadonlyArray<Payment>
}

const address = `0x${"11".repeat(20)}`

/** A chain whose blocks are all different from one another, with so many payments each. */
class Model {
  readonly blocks: Array<ModelBlock> = []
  private made = 0
  constructor() {
    this.mine([0])
  }
  mine(payments: ReadonlyArray<number>): void {
    for (const count of payments) {
      const hash = `block ${this.made++}`
      const height = this.blocks.length
      const own = Array.from(
        { length: count },
        (_, i) =>
          new Payment({
            network: "model",
            height,
            block: hash,
            time: height,
            transaction: `${hash}/${i}`,
            log: null,
            address,
            direction: "in",
            other: null,
            asset: { kind: "native" },
            amount: BigInt(i)
          })
      )
      this.blocks.push({ height, hash, parent: this.blocks.at(-1)?.hash ?? "", payments: own })
    }
  }
  fork(depth: number, payments: ReadonlyArray<number>): void {
    this.blocks.length = Math.max(1, this.blocks.length - depth)
    this.mine(payments)
  }
}

/** A model as a reader sees it. */
const found = (at: (height: number) => ModelBlock | undefined) => {
  const block = (height: number) =>
    Effect.sync((): Reader.FetchedBlock<never> | undefined => {
      const known = at(height)
      return known === undefined ? undefined : { ...known, payments: () => Effect.succeed(known.payments) }
    })
  return { block, header: block }
}

const blocks = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 })
const step = fc.oneof(
  fc.record({ kind: fc.constant("mine" as const), payments: blocks }),
  fc.record({ kind: fc.constant("fork" as const), depth: fc.integer({ min: 1, max: 6 }), payments: blocks }),
  // the process dies after so many events: before or after its handler has taken the last of them
  fc.record({
    kind: fc.constant("read" as const),
    lives: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    isTaken: fc.boolean(),
    // a node that is behind, and blocks that no node has at the moment
    lag: fc.integer({ min: 0, max: 3 }),
    gap: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined })
  })
)

let names = 0

/** What a handler that leaves out repetitions has: the payments that stand. It fails on anything that is out of order. */
const standing = (events: ReadonlyArray<WatchEvent>): ReadonlyArray<string> => {
  const firsts: Array<WatchEvent> = []
  for (const event of events) {
    const had = firsts[event.sequence]
    if (had === undefined) {
      expect(event.sequence).toBe(firsts.length)
      firsts.push(event)
    } else expect(event).toEqual(had)
  }
  const stack: Array<string> = []
  for (const { _tag, payment } of firsts) {
    if (_tag === "Paid") stack.push(payment.transaction ?? "")
    else expect(stack.pop()).toBe(payment.transaction)
  }
  return stack
}

/** Makes a watcher of its own, and gives its shard to each who asks. */
const shelfOf = async (origin: number, hash: string): Promise<() => WatcherStore.ShardStore> => {
  const watcher = `w${names++}`
  const sql = await runtime.runPromise(SqlClient.SqlClient)
  const settings = { family: "model", network: "model", from: String(origin), shards: 1 }
  await runtime.runPromise(WatcherStore.createWatcher(sql, watcher, settings, { origin, hash }))
  return () => WatcherStore.make(sql, { watcher, shard: 0 })
}

it("tells what stands in the chain, in order, and takes back what left it, through forks, gaps and deaths", async () => {
  const run = async (steps: ReadonlyArray<Step>, from: number, concurrency: number) => {
    const model = new Model()
    model.mine([1, 2])
    const shelf = await shelfOf(from, model.blocks[from - 1]?.hash ?? "")
    const events: Array<WatchEvent> = []
    const read = (how: {
      lives?: number | undefined
      isTaken: boolean
      lag: number
      gap?: number | undefined
    }) => {
      let lives = how.lives
      const reader = Reader.make<never>({
        chain: {
          head: Effect.sync(() => model.blocks.length - 1 - how.lag),
          ...found((height) => (height === how.gap ? undefined : model.blocks[height]))
        },
        store: shelf(),
        addresses: new AddressSet(keyFormat),
        handle: (event) =>
          Effect.suspend(() => {
            const isLast = lives !== undefined && lives-- === 0
            if (!isLast || how.isTaken) events.push(event)
            return isLast ? Effect.die("killed") : Effect.void
          }),
        maxReorgDepth: 64,
        confirmations: 1,
        concurrency
      })
      // twice: a branch that is not longer than what was read has to be seen two times
      return runtime.runPromiseExit(Effect.flatMap(reader, (pass) => Effect.zipRight(pass, pass)))
    }
    for (const each of steps) {
      if (each.kind === "mine") model.mine(each.payments)
      else if (each.kind === "fork") model.fork(each.depth, each.payments)
      else await read(each)
    }
    // a chain that has become shorter is known as such when it has grown
    model.mine([1, 0, 1, 0, 1, 0, 1])
    const last = await read({ isTaken: true, lag: 0 })
    expect(Exit.isSuccess(last)).toBe(true)
    expect(standing(events)).toEqual(
      model.blocks
        .slice(from)
        .flatMap(({ payments }) => payments)
        .map(({ transaction }) => transaction)
    )
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      run
    ),
    { numRuns: 30 }
  )
})

it("believes a branch that is no longer than its own when it has seen it twice", async () => {
  const [model, other] = [new Model(), new Model()]
  model.mine([1, 1])
  other.mine([1])
  other.blocks.push({ height: 2, hash: "another", parent: other.blocks[1]?.hash ?? "", payments: [] })
  let shown = model.blocks
  const handled: Array<string> = []
  const pass = await runtime.runPromise(
    Reader.make<never>({
      chain: {
        head: Effect.sync(() => shown.length - 1),
        ...found((height) => shown[height])
      },
      store: (await shelfOf(0, ""))(),
      addresses: new AddressSet(keyFormat),
      handle: ({ _tag }) => Effect.sync(() => void handled.push(_tag)),
      maxReorgDepth: 64,
      confirmations: 1,
      concurrency: 4
    })
  )
  const next = () => runtime.runPromise(pass)
  await next()
  shown = other.blocks
  await next()
  shown = model.blocks
  await next()
  shown = other.blocks
  await next()
  expect(handled).toEqual(["Paid", "Paid"])
  await next()
  expect(handled).toEqual(["Paid", "Paid", "RolledBack"])
})

it("leaves a shard to whoever has taken it last", async () => {
  const shelf = await shelfOf(0, "")
  const [one, other] = [shelf(), shelf()]
  const early = await runtime.runPromise(one.acquire)
  const late = await runtime.runPromise(other.acquire)
  const step = { _tag: "Forward", blocks: [{ height: 0, hash: "block", payments: [] }], keep: -1 } as const
  for (const write of [
    one.writeStep(early, step),
    one.recordHandled(early, 1),
    one.moveCursor(early, step, 1)
  ])
    await expect(runtime.runPromise(write)).rejects.toThrow(/another runner has shard 0/)
  expect((await runtime.runPromise(other.moveCursor(late, step, 0))).height).toBe(0)
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
