/**
 * Durable transactions of a fleet whose runners are killed: three processes over Postgres and Redis, and one over a file. `FLEET_SENDS` is
 * how many transactions are asked for: of more than two hundred, runners are killed until all have ended, and that work goes on elsewhere
 * soon is measured, too. A machine that tests share says nothing of times.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import * as EvmTransactions from "../src/EvmTransactions.js"
import { EvmSend } from "../src/evm/SendWorkflow.js"
import * as Postgres from "../src/Postgres.js"
import { listMined, makeOrder, withoutLogs } from "./evm.js"
import { startPostgres } from "./postgres.js"
import { type Gate, makeGate, type Process, start } from "./processes.js"
import { programPath } from "./processGroup.js"
import { findMissing, type Server, startRedis } from "./servers.js"

const lacking = findMissing()
const found = await Effect.runPromise(Effect.either(Anvil.binary))
if (lacking !== undefined) console.log(lacking)
if (Either.isLeft(found)) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: fleets whose runners are killed (no anvil binary)")
}
const present = lacking === undefined && Either.isRight(found)

const SENDS = Number(process.env.FLEET_SENDS ?? 20)
const IS_LONG = SENDS > 200
/** Where tests share their machine a fleet that is killed for ever may never be done: the short form ends with a time of peace. */
const KILLS = IS_LONG ? Number.POSITIVE_INFINITY : 4
/** Until all have ended, at most. */
const MOST = IS_LONG ? 900_000 : 600_000

const all = Array.from({ length: SENDS }, (_, i) => i)

interface Line {
  readonly at: number
  readonly runner: string
  readonly execution: string
}

const linesOf = (log: string): ReadonlyArray<Line> =>
  readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [at, runner, , execution] = line.split(" ")
      return runner === undefined || execution === undefined ? [] : [{ at: Number(at), runner, execution }]
    })

/** What so large a part of the values is not above. */
const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0
const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

/** How long after each kill the work that a runner had went on in another one, in milliseconds. */
const takeovers = (
  lines: ReadonlyArray<Line>,
  kills: ReadonlyArray<{ readonly at: number; readonly runner: string }>,
  ended: ReadonlyMap<string, number>
): ReadonlyArray<number> => {
  const byExecution = new Map<string, Array<Line>>()
  for (const line of lines)
    byExecution.set(line.execution, [...(byExecution.get(line.execution) ?? []), line])
  return kills.flatMap(({ at, runner }) =>
    [...byExecution].flatMap(([execution, own]) => {
      const last = own.findLast((line) => line.at <= at)
      if (last?.runner !== runner || (ended.get(execution) ?? 0) <= at) return []
      const next = own.find((line) => line.at > at && line.runner !== runner)
      return [(next?.at ?? ended.get(execution) ?? Number.POSITIVE_INFINITY) - at]
    })
  )
}

describe.runIf(present)("a fleet whose runners are killed", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-kills-"))
  const running = new Set<Process>()
  let database: Server
  let shared: Server
  let node: { readonly url: string }
  let pool: ReadonlyArray<Gate> = []
  const runner = programPath("runner")

  beforeAll(async () => {
    ;[database, shared, node] = await Promise.all([
      startPostgres(),
      startRedis(),
      Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, blockTime: 1 }), scope))
    ])
    pool = await Promise.all([makeGate(node.url), makeGate(node.url)])
  })
  afterAll(async () => {
    await Promise.all([...running].map(({ kill }) => kill()))
    await Promise.all(pool.map(({ close }) => close()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await Promise.all([database?.end(), shared?.end()])
    rmSync(folder, { recursive: true, force: true })
  })

  it(`makes ${SENDS} transactions once each, through kills, restarts of Postgres and Redis, and nodes that are away`, {
    timeout: MOST + 30_000
  }, async () => {
    const log = join(folder, "log")
    const output = join(folder, "output")
    writeFileSync(log, "")
    let started = 0
    const begin = async (): Promise<Process & { readonly name: string }> => {
      const name = `r${started++}`
      const env = {
        NAME: name,
        LOG: log,
        PG_URL: database.url,
        PORT: String(await freePort()),
        REDIS_URL: shared.url,
        NODES: pool.map(({ url }) => url).join(" "),
        POLICY: JSON.stringify({ maxInFlight: 250, bumpFeeAfter: "15 seconds" })
      }
      const made = { ...start(runner, env, output), name }
      running.add(made)
      return made
    }
    const runners = await Promise.all([begin(), begin(), begin()])
    await Promise.all(runners.map(({ up }) => up))

    const client = Layer.provideMerge(
      EvmTransactions.layerClient,
      Postgres.layer({ name: "tests", url: Redacted.make(database.url) })
    )
    const began = Date.now()
    const kills: Array<{ readonly at: number; readonly runner: string }> = []
    const waited = Effect.gen(function* () {
      const { send, submit } = yield* EvmTransactions.EvmTransactions
      yield* Effect.forEach(all, (i) => submit(makeOrder(i)), { concurrency: 10, discard: true })
      const submitted = Date.now() - began
      const results = yield* Effect.forEach(all, (i) => Effect.either(send(makeOrder(i))), {
        concurrency: "unbounded"
      })
      return { results, submitted }
    })
    let isOver = false
    const killing = async () => {
      while (!isOver && kills.length < KILLS) {
        await sleep(2_000)
        const victim = runners.shift()
        // on a busy machine one is up later than it would be killed again: a fleet of none is none
        await Promise.all(runners.map(({ up }) => up))
        if (isOver || victim === undefined) return
        kills.push({ at: Date.now(), runner: victim.name })
        running.delete(victim)
        await victim.kill()
        runners.push(await begin())
      }
    }
    const restarting = async () => {
      for (const server of [shared, database, shared]) {
        await sleep(4_000)
        await server.stop()
        await sleep(1_000)
        await server.start()
      }
    }
    /** Half of the time, as long as runners are killed; of two nodes with times of their own, sometimes both are away. */
    const leaving = async ({ close, open }: Gate, ms: number) => {
      while (!isOver && kills.length < KILLS) {
        await sleep(ms)
        await close()
        await sleep(ms)
        await open()
      }
    }
    const [{ ended, results, submitted }] = await Promise.all([
      Effect.runPromise(
        Effect.gen(function* () {
          const outcome = yield* Effect.timeout(waited, MOST)
          const sql = yield* SqlClient.SqlClient
          // all may have ended while Postgres is restarted
          const rows = yield* Effect.retry(
            sql<{
              key: string
              ended: string
            }>`SELECT key, ended FROM fleet_transactions WHERE state = 'ended'`,
            { schedule: Schedule.spaced("200 millis"), times: 300 }
          )
          const ids = yield* Effect.forEach(all, (i) => EvmSend.executionId({ order: makeOrder(i) }))
          const executions = new Map(all.map((i) => [`k${i}`, ids[i] ?? ""]))
          return {
            ...outcome,
            ended: new Map(rows.map((row) => [executions.get(row.key) ?? "", Number(row.ended)]))
          }
        }).pipe(Effect.provide(client), Effect.provide(withoutLogs))
      ).finally(() => {
        isOver = true
      }),
      killing(),
      restarting(),
      ...pool.map((each, i) => leaving(each, 2_000 + 1_000 * i))
    ])

    expect(results.filter(Either.isLeft)).toEqual([])
    expect(ended.size).toBe(SENDS)
    const mined = await listMined(node.url)
    expect(mined.map(({ nonce }) => Number(nonce))).toEqual(all)
    // the amount of each tells its key
    expect(mined.map(({ value }) => Number(value)).sort((one, other) => one - other)).toEqual(
      all.map((i) => i + 1)
    )
    const after = takeovers(linesOf(log), kills, ended)
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
    console.log(
      `${SENDS} transactions in ${seconds(Date.now() - began)} (taken in ${seconds(submitted)}), ${kills.length} kills, ${after.length} takeovers: median ${seconds(median(after))}, 99 of 100 within ${seconds(quantile(after, 0.99))}, longest ${seconds(Math.max(0, ...after))}`
    )
    expect(after.length).toBeGreaterThan(0)
    if (!IS_LONG) return
    expect(median(after)).toBeLessThanOrEqual(5_000)
    expect(Math.max(...after)).toBeLessThanOrEqual(15_000)
  })

  it("of one process over a file goes on where it was killed", async () => {
    const chain = Effect.runSync(Scope.make())
    const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, blockTime: 1 }), chain))
    const env = {
      NAME: "one",
      LOG: join(folder, "one"),
      FILE: join(folder, "fleet.db"),
      NODES: url,
      SENDS: "30"
    }
    const begin = async () => {
      const made = start(runner, env, join(folder, "output-one"))
      running.add(made)
      const done = new Promise<void>((resolve) =>
        made.child.on("message", (message) => (message === "done" ? resolve() : undefined))
      )
      await made.up
      return { ...made, done }
    }
    try {
      for (const after of [300, 1_500]) {
        const { kill } = await begin()
        await sleep(after)
        await kill()
      }
      const { done, kill } = await begin()
      const began = Date.now()
      await done
      console.log(
        `one process over a file: 30 transactions ended ${Date.now() - began} ms after its second kill`
      )
      await kill()
      const mined = await listMined(url)
      expect(mined.map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 30 }, (_, i) => i))
      expect(mined.map(({ value }) => Number(value)).sort((one, other) => one - other)).toEqual(
        Array.from({ length: 30 }, (_, i) => i + 1)
      )
    } finally {
      await Effect.runPromise(Scope.close(chain, Exit.void))
    }
  })
})
