/**
 * A watcher of a fleet of three runners that are killed and whose Postgres restarts, over a chain that takes other ways, beside a reader that sees everything.
 * `FLEET_WATCH_ROUNDS` is how often the chain grows.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EvmWatcher from "../src/EvmWatcher.js"
import * as Postgres from "../src/Postgres.js"
import { shardOf } from "../src/watch/AddressSet.js"
import { ask } from "./evm.js"
import { type Process, program, start } from "./processes.js"
import { freePort, missing, postgres, type Server } from "./servers.js"
import { accountsOf, contract, logging, paymentsAt, send, transfer } from "./watching.js"

const lacking = missing()
const found = await Effect.runPromise(Effect.either(Anvil.binary))
if (lacking !== undefined) console.log(lacking)
if (Either.isLeft(found)) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: watchers whose runners are killed (no anvil binary)")
}
const present = lacking === undefined && Either.isRight(found)

const ROUNDS = Number(process.env.FLEET_WATCH_ROUNDS ?? 6)
const SHARDS = 3
/** Milliseconds from when three are up to the next kill: shorter than a takeover, so that it too is killed. */
const EVERY = 2_000
const MOST = 60_000 + ROUNDS * 8_000

/** A small generator with a seed, which the test prints. */
const seed = Number(process.env.FLEET_SEED ?? Date.now() % 1_000_000)
let state = seed
const below = (n: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % n
}

const watched = Array.from({ length: 12 }, (_, i) => `0x${(i + 1).toString(16).padStart(2, "0").repeat(20)}`)

/** The reader that sees everything: it is asked after each change of the chain. */
class Everything {
  readonly events: Array<Array<string>> = Array.from({ length: SHARDS }, () => [])
  private readonly blocks: Array<{ readonly hash: string; readonly lines: ReadonlyArray<string> }> = []
  constructor(
    private readonly url: string,
    private readonly from: number
  ) {}
  private tell(tag: string, lines: ReadonlyArray<string>): void {
    for (const line of lines) this.events[shardOf(line.split(" ")[2] ?? "", SHARDS)]?.push(`${tag} ${line}`)
  }
  async look(): Promise<void> {
    const set = new Set(watched)
    const head = Number(await ask<string>(this.url, "eth_blockNumber"))
    const hashes: Array<string> = []
    for (let height = this.from; height <= head; height++)
      hashes.push(
        (await ask<{ hash: string }>(this.url, "eth_getBlockByNumber", `0x${height.toString(16)}`, false))
          .hash
      )
    while (this.blocks.length > 0 && this.blocks.at(-1)?.hash !== hashes[this.blocks.length - 1])
      this.tell("RolledBack", this.blocks.pop()?.lines.toReversed() ?? [])
    for (const hash of hashes.slice(this.blocks.length)) {
      const lines = await paymentsAt(this.url, this.from + this.blocks.length, set)
      this.blocks.push({ hash, lines })
      this.tell("Paid", lines)
    }
  }
}

/** What the handlers have written, by shard, without repetitions, which must say the same again. */
const toldIn = (log: string): { readonly events: Array<Array<string>>; readonly repeated: number } => {
  const events: Array<Array<string>> = Array.from({ length: SHARDS }, () => [])
  let repeated = 0
  for (const line of readFileSync(log, "utf8").split("\n").filter(Boolean)) {
    const [, shard, sequence, ...event] = line.split(" ")
    const own = events[Number(shard)] ?? []
    const had = own[Number(sequence)]
    if (had === undefined) {
      expect(Number(sequence)).toBe(own.length)
      own.push(event.join(" "))
    } else {
      repeated++
      expect(event.join(" ")).toBe(had)
    }
  }
  return { events, repeated }
}

describe.runIf(present)("a watcher whose runners are killed", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-watch-kills-"))
  const running = new Set<Process>()
  let database: Server
  let url = ""
  let runner = ""

  beforeAll(async () => {
    const started = Scope.extend(Anvil.start({ chainId: 1, noMining: true }), scope)
    const [server, node, path] = await Promise.all([
      postgres(),
      Effect.runPromise(started),
      program("watcher")
    ])
    database = server
    url = node.url
    runner = path
  }, 60_000)
  afterAll(async () => {
    await Promise.all([...running].map(({ kill }) => kill()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await database?.end()
    rmSync(folder, { recursive: true, force: true })
    rmSync(runner, { force: true })
  })

  it(`tells what a reader that saw everything tells, in ${ROUNDS} rounds with kills and reorganisations`, {
    timeout: MOST + 20_000,
    retry: 0
  }, async () => {
    console.log(`seed ${seed}`)
    const log = join(folder, "log")
    writeFileSync(log, "")
    const [payer = ""] = await accountsOf(url)
    const token = await contract(url, payer, logging)
    const from = Number(await ask<string>(url, "eth_blockNumber")) + 1
    const client = ManagedRuntime.make(Postgres.layer({ name: "tests", url: Redacted.make(database.url) }))
    let names = 0
    const begin = async (port: number): Promise<Process> => {
      const options = { name: "fleet", from, shards: SHARDS, addresses: watched }
      const env = {
        NAME: `r${names++}`,
        LOG: log,
        PG_URL: database.url,
        PORT: String(port),
        NODE_URL: url,
        OPTIONS: JSON.stringify(options)
      }
      const made = start(runner, env, join(folder, "output"))
      running.add(made)
      return made
    }
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const runners = await Promise.all(ports.map(begin))
    await Promise.all(runners.map(({ up }) => up))

    let isOver = false
    let kills = 0
    const killing = async () => {
      while (!isOver) {
        await sleep(EVERY)
        // Postgres restarts once, while watchers run
        if (kills === 2) {
          await database.stop()
          await database.start()
        }
        const victim = runners.shift()
        if (isOver || victim === undefined) return
        kills++
        running.delete(victim)
        await victim.kill()
        const next = await begin(await freePort())
        runners.push(next)
        await next.up
      }
    }
    const everything = new Everything(url, from)
    const any = () => watched[below(watched.length)] ?? ""
    const grow = async () => {
      for (let block = below(3) + 1; block > 0; block--) {
        for (let i = below(24); i > 0; i--)
          if (below(2) === 0) await send(url, payer, { to: any(), value: BigInt(below(1_000)) })
          else await send(url, payer, { to: token, data: transfer(any(), any(), BigInt(below(1_000))) })
        await ask(url, "evm_mine")
      }
    }
    /** Until all shards have told of the newest block: then they have seen what the reader beside them has seen. */
    const caughtUp = async () => {
      const head = Number(await ask<string>(url, "eth_blockNumber"))
      const counts = everything.events.map((own) => own.length)
      const end = Date.now() + 60_000
      for (;;) {
        // fails while Postgres restarts
        const shards = await client.runPromise(Effect.orElseSucceed(EvmWatcher.progress("fleet"), () => []))
        if (
          shards.length === SHARDS &&
          shards.every((own) => own.height >= head && own.events >= (counts[own.shard] ?? 0))
        )
          return
        if (Date.now() > end)
          throw new Error(
            `not told within 60 s: ${JSON.stringify({ head, counts, shards })} ${readFileSync(join(folder, "output"), "utf8").slice(-2_000)}`
          )
        await sleep(50)
      }
    }
    const began = Date.now()
    let reorganisations = 0
    const changing = async () => {
      for (let round = 0; round < ROUNDS || kills < 3 || reorganisations === 0; round++) {
        await grow()
        await everything.look()
        await caughtUp()
        if (below(3) === 0) continue
        const depth = Math.min(below(4) + 1, Number(await ask<string>(url, "eth_blockNumber")) - from + 1)
        await ask(url, "anvil_reorg", depth, [])
        reorganisations++
        // of the same length: it is believed when it has been seen twice
        await everything.look()
        await caughtUp()
      }
    }
    try {
      await Promise.all([
        changing().finally(() => {
          isOver = true
        }),
        killing()
      ])
    } finally {
      await client.dispose()
    }
    const { events, repeated } = toldIn(log)
    console.log(
      `${events.flat().length} events of ${SHARDS} shards in ${((Date.now() - began) / 1_000).toFixed(1)} s: ${kills} kills, ${reorganisations} reorganisations, ${repeated} repetitions`
    )
    expect(events).toEqual(everything.events)
    expect(kills).toBeGreaterThan(2)
    expect(reorganisations).toBeGreaterThan(0)
    expect(events.flat().some((line) => line.startsWith("RolledBack"))).toBe(true)
  })
})
