/**
 * A watcher of a fleet of three runners that are killed and whose Postgres restarts, over a chain that takes other ways, beside a reader that
 * sees everything. `FLEET_WATCH_ROUNDS` is how often the chain grows: in this long form runners are killed to the end.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import * as EvmWatcher from "../src/EvmWatcher.js"
import * as Postgres from "../src/Postgres.js"
import { shardOf } from "../src/watch/AddressSet.js"
import { startPostgres } from "./postgres.js"
import { makeProcessGroup } from "./processGroup.js"
import { findMissing, type Server } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)

const SHARDS = 3
/** Milliseconds from when three are up to the next kill: shorter than a takeover, so that it too is killed. */
const KILL_INTERVAL_MS = 2_000
/** In the short form runners are killed so often, and left in peace after that: each start takes a second of a machine that tests share. */
const SHORT_KILLS = 4

/** A small generator with a seed, which the test prints. */
const seed = Number(process.env.FLEET_SEED ?? Date.now() % 1_000_000)
let state = seed
export const randomBelow = (n: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % n
}

export const pickOne = <A>(all: ReadonlyArray<A>): A => {
  const found = all[randomBelow(all.length)]
  if (found === undefined) throw new Error("there is none")
  return found
}

/** A chain with a node, which grows and takes other ways when it is told to. */
export interface Chain {
  readonly url: string
  readonly watched: ReadonlyArray<string>
  /** An address as the store has it. */
  readonly keyOf: (address: string) => string
  /** The first block that is watched. */
  readonly from: number
  readonly head: () => Promise<number>
  readonly hashAt: (height: number) => Promise<string>
  /** The payments of a block, as lines. */
  readonly paymentsAt: (height: number) => Promise<ReadonlyArray<string>>
  readonly grow: () => Promise<void>
  /** Takes so many of the newest blocks away. */
  readonly reorganise: (depth: number) => Promise<void>
}

/** The reader that sees everything: it is asked after each change of the chain. */
class ReferenceReader {
  readonly events: Array<Array<string>> = Array.from({ length: SHARDS }, () => [])
  private readonly blocks: Array<{ readonly hash: string; readonly lines: ReadonlyArray<string> }> = []
  constructor(private readonly chain: Chain) {}
  private tell(tag: string, lines: ReadonlyArray<string>): void {
    for (const line of lines)
      this.events[shardOf(this.chain.keyOf(line.split(" ")[2] ?? ""), SHARDS)]?.push(`${tag} ${line}`)
  }
  async look(): Promise<void> {
    const { from, hashAt, head, paymentsAt: linesAt } = this.chain
    const newest = await head()
    const hashes: Array<string> = []
    for (let height = from; height <= newest; height++) hashes.push(await hashAt(height))
    while (this.blocks.length > 0 && this.blocks.at(-1)?.hash !== hashes[this.blocks.length - 1])
      this.tell("RolledBack", this.blocks.pop()?.lines.toReversed() ?? [])
    for (const hash of hashes.slice(this.blocks.length)) {
      const lines = await linesAt(from + this.blocks.length)
      this.blocks.push({ hash, lines })
      this.tell("Paid", lines)
    }
  }
}

/** What the handlers have written, by shard, without repetitions, which must say the same again. */
const readHandled = (log: string): { readonly events: Array<Array<string>>; readonly repeated: number } => {
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

/** A chain, and how often it grows at least where `FLEET_WATCH_ROUNDS` says nothing else. */
interface KilledChain {
  readonly family: "evm" | "bitcoin" | "solana"
  readonly name: string
  readonly isThere: boolean
  readonly rounds: number
  readonly make: (scope: Scope.Scope) => Promise<Chain>
}

/** The test of a chain. */
export const killRunners = ({ family, isThere, make, name, rounds }: KilledChain): void => {
  const least = Number(process.env.FLEET_WATCH_ROUNDS ?? rounds)
  const isLong = process.env.FLEET_WATCH_ROUNDS !== undefined
  const most = isLong ? Number.POSITIVE_INFINITY : SHORT_KILLS
  // how runners take over from one another is the same for all families: each commit looks at one of them
  const isLooked = isThere && lacking === undefined && (isLong || family === "evm")
  describe.runIf(isLooked)(`a watcher over ${name} whose runners are killed`, () => {
    const scope = Effect.runSync(Scope.make())
    const fleet = makeProcessGroup("watcher")
    let database: Server
    let chain: Chain

    beforeAll(async () => {
      ;[database, chain] = await Promise.all([startPostgres(), make(scope)])
    })
    afterAll(async () => {
      await fleet.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await database?.end()
    })

    it(`tells what a reader that saw everything tells, in ${least} rounds with kills and reorganisations`, {
      // far more than it takes: a busy machine may need it
      timeout: 240_000 + least * 15_000
    }, async () => {
      console.log(`seed ${seed}`)
      const log = join(fleet.folder, "log")
      writeFileSync(log, "")
      const { from, grow, head, reorganise, url, watched } = chain
      const client = ManagedRuntime.make(Postgres.layer({ name: "tests", url: Redacted.make(database.url) }))
      let names = 0
      const begin = (port: number) => {
        // slots are many
        const options = { name: "fleet", from, shards: SHARDS, addresses: watched, maxReorgDepth: 2_000 }
        return fleet.begin({
          NAME: `r${names++}`,
          LOG: log,
          PG_URL: database.url,
          PORT: String(port),
          NODE_URL: url,
          FAMILY: family,
          OPTIONS: JSON.stringify(options)
        })
      }
      const ports = await Promise.all([freePort(), freePort(), freePort()])
      const runners = await Promise.all(ports.map(begin))
      await Promise.all(runners.map(({ up }) => up))

      let isOver = false
      let kills = 0
      const killing = async () => {
        while (!isOver && kills < most) {
          await sleep(KILL_INTERVAL_MS)
          // Postgres restarts once, while watchers run
          if (kills === 2) {
            await database.stop()
            await database.start()
          }
          const victim = runners.shift()
          if (isOver || victim === undefined) return
          kills++
          await victim.kill()
          const next = await begin(await freePort())
          runners.push(next)
          await next.up
        }
      }
      const everything = new ReferenceReader(chain)
      /** Until all shards have told of the newest block: then they have seen what the reader beside them has seen. */
      const caughtUp = async () => {
        const newest = await head()
        const counts = everything.events.map((own) => own.length)
        const end = Date.now() + 300_000
        for (;;) {
          // fails while Postgres restarts
          const shards = await client.runPromise(Effect.orElseSucceed(EvmWatcher.progress("fleet"), () => []))
          if (
            shards.length === SHARDS &&
            shards.every((own) => own.height >= newest && own.events >= (counts[own.shard] ?? 0))
          )
            return
          if (Date.now() > end)
            throw new Error(
              `not told within 300 s: ${JSON.stringify({ newest, counts, shards })} ${readFileSync(fleet.output, "utf8").slice(-2_000)}`
            )
          await sleep(50)
        }
      }
      const began = Date.now()
      let reorganisations = 0
      const changing = async () => {
        for (let round = 0; round < least || kills < 3 || reorganisations === 0; round++) {
          await grow()
          await everything.look()
          await caughtUp()
          if (randomBelow(3) === 0) continue
          await reorganise(Math.min(randomBelow(4) + 1, (await head()) - from + 1))
          reorganisations++
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
      const { events, repeated } = readHandled(log)
      console.log(
        `${events.map((own) => own.length).join(" + ")} events of ${SHARDS} shards in ${((Date.now() - began) / 1_000).toFixed(1)} s: ${kills} kills, ${reorganisations} reorganisations, ${repeated} repetitions`
      )
      expect(events).toEqual(everything.events)
      expect(kills).toBeGreaterThan(2)
      expect(reorganisations).toBeGreaterThan(0)
      expect(events.flat().some((line) => line.startsWith("RolledBack"))).toBe(true)
    })
  })
}
