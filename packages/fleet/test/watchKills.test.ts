/**
 * A watcher of a fleet of three runners that are killed and whose Postgres restarts, over a chain that takes other ways, beside a reader that
 * sees everything: over anvil, in shorter forms over Litecoin Core and Surfpool. `FLEET_WATCH_ROUNDS` is how often the chain grows.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { scriptOf } from "effect-chains/effect/signers/Bitcoin"
import * as Solana from "effect-chains/effect/signers/Solana"
import { Anvil } from "effect-chains/sandbox"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import * as Surfpool from "../../../src/sandbox/nodes/Surfpool.js"
import { present } from "../../../test/nodes/process.js"
import * as EvmWatcher from "../src/EvmWatcher.js"
import * as Postgres from "../src/Postgres.js"
import { shardOf } from "../src/watch/AddressSet.js"
import { crew } from "./crew.js"
import { ask, mnemonic } from "./evm.js"
import { postgres } from "./postgres.js"
import { missing, type Server } from "./servers.js"
import { accountsOf, contract, Devnet, lineOf, logging, paymentsAt, send, transfer } from "./watching.js"
import { blockTime, ofLitecoin, open } from "./watchingBitcoin.js"
import { Cluster } from "./watchingSolana.js"

const lacking = missing()
const anvil = await Effect.runPromise(Effect.either(Anvil.binary))
if (lacking !== undefined) console.log(lacking)
if (Either.isLeft(anvil)) {
  if (process.env.CI === "true") throw anvil.left
  console.log("left out: watchers whose runners are killed (no anvil binary)")
}
const litecoind = present("litecoind", "watchers of Litecoin whose runners are killed")
const surfpool = present("surfpool", "watchers of Solana whose runners are killed")

const SHARDS = 3
/** Milliseconds from when three are up to the next kill: shorter than a takeover, so that it too is killed. */
const EVERY = 2_000

/** A small generator with a seed, which the test prints. */
const seed = Number(process.env.FLEET_SEED ?? Date.now() % 1_000_000)
let state = seed
const below = (n: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % n
}

const one = <A>(all: ReadonlyArray<A>): A => {
  const found = all[below(all.length)]
  if (found === undefined) throw new Error("there is none")
  return found
}

/** A chain with a node, which grows and takes other ways when it is told to. */
interface Chain {
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

const overAnvil = async (scope: Scope.Scope): Promise<Chain> => {
  const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, noMining: true }), scope))
  const watched = Array.from(
    { length: 12 },
    (_, i) => `0x${(i + 1).toString(16).padStart(2, "0").repeat(20)}`
  )
  const set = new Set(watched)
  const [payer = ""] = await accountsOf(url)
  const token = await contract(url, payer, logging)
  const head = async () => Number(await ask<string>(url, "eth_blockNumber"))
  return {
    url,
    watched,
    keyOf: (address) => address,
    from: (await head()) + 1,
    head,
    hashAt: async (height) =>
      (await ask<{ hash: string }>(url, "eth_getBlockByNumber", `0x${height.toString(16)}`, false)).hash,
    paymentsAt: (height) => paymentsAt(url, height, set),
    grow: async () => {
      for (let block = below(3) + 1; block > 0; block--) {
        for (let i = below(24); i > 0; i--)
          if (below(2) === 0) await send(url, payer, { to: one(watched), value: BigInt(below(1_000)) })
          else
            await send(url, payer, {
              to: token,
              data: transfer(one(watched), one(watched), BigInt(below(1_000)))
            })
        await ask(url, "evm_mine")
      }
    },
    // of the same length: it is believed when it has been seen twice
    reorganise: (depth) => ask(url, "anvil_reorg", depth, [])
  }
}

/** Payments from the miner, whose change and rewards are payments, too. */
const overLitecoind = async (scope: Scope.Scope): Promise<Chain> => {
  const {
    fund,
    hashAt,
    height,
    mine,
    minerAt,
    node,
    paymentsAt: lines,
    url
  } = await open(Litecoind.start({ command: litecoind ?? "", blockTime }), scope, ofLitecoin)
  const accounts = node.accounts.map(({ address }) => address)
  const set = new Set([...accounts, await minerAt(await height())])
  return {
    url,
    watched: [...set].map(ofLitecoin),
    keyOf: (address) => scriptOf(address, "litecoin-testnet") ?? "",
    from: (await height()) + 1,
    head: height,
    hashAt,
    paymentsAt: (at) => lines(at, set),
    grow: async () => {
      for (let block = below(3) + 1; block > 0; block--) {
        for (let i = below(4) + 1; i > 0; i--) await fund(one(accounts), `0.${below(1e6) + 1e6}`)
        await mine()
      }
    },
    reorganise: async (depth) => {
      await ask(url, "invalidateblock", await hashAt((await height()) + 1 - depth))
      // the same transactions would make the same block, which is not taken any more
      await fund(one(accounts), "0.5")
      await mine(depth + below(2))
    }
  }
}

/** Payments of a signer and of Surfpool itself. What is known of them is who got how much by which signature. */
const overSurfpool = async (scope: Scope.Scope): Promise<Chain> => {
  const node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 200 }), scope))
  const cluster = new Cluster(node.url)
  const direct = Devnet.layer({ rpc: { nodes: [{ url: node.url }] }, quiet: true })
  const payer = await Effect.runPromise(
    Layer.build(Layer.provide(direct, NodeHttpClient.layerUndici)).pipe(
      Effect.flatMap((context) =>
        Solana.make(Context.get(context, Devnet), { mnemonic: Redacted.make(mnemonic) })
      ),
      Scope.extend(scope)
    )
  )
  await Effect.runPromise(node.fund(payer.address, "100"))
  const others = node.accounts.map(({ address }) => address)
  const known = new Map<string, ReadonlyArray<Pick<EvmWatcher.Payment, "address" | "amount" | "direction">>>()
  const head = () => Promise.resolve(cluster.end - 1)
  const from = (await cluster.advance()) + 1
  return {
    url: await Effect.runPromise(Scope.extend(cluster.listening, scope)),
    watched: [payer.address, ...others],
    keyOf: (address) => address,
    from,
    head,
    hashAt: async (slot) => (await cluster.slotAt(slot)).hash,
    paymentsAt: async (slot) => {
      const { hash, signatures } = await cluster.slotAt(slot)
      return signatures.flatMap((transaction) =>
        (known.get(transaction) ?? []).map((each) => lineOf({ ...each, block: hash, transaction, log: null }))
      )
    },
    grow: async () => {
      for (let i = below(4) + 1; i > 0; i--) {
        const address = one(others)
        const amount = BigInt(below(1e6) + 1e6)
        if (below(2) === 0) {
          const signature = await Effect.runPromise(
            node.fund(address, `0.${String(amount).padStart(9, "0")}`)
          )
          known.set(signature, [{ address, amount, direction: "in" }])
          continue
        }
        const sent = payer.send({ to: address, amount, confirmations: 1 })
        known.set((await Effect.runPromise(sent)).hash, [
          { address: payer.address, amount, direction: "out" },
          { address, amount, direction: "in" }
        ])
      }
      await cluster.advance()
    },
    // the newest slots with payments; one of these is not on the other branch
    reorganise: async (depth) => {
      const paid: Array<{ readonly slot: number; readonly signatures: ReadonlyArray<string> }> = []
      for (let slot = cluster.end - 1; paid.length < depth && slot >= from; slot--) {
        const signatures = (await cluster.slotAt(slot)).signatures.filter((each) => known.has(each))
        if (signatures.length > 0) paid.push({ slot, signatures })
      }
      cluster.fork(paid.at(-1)?.slot ?? cluster.end - 1, one(paid).signatures.slice(0, 1))
      await cluster.advance()
    }
  }
}

/** The reader that sees everything: it is asked after each change of the chain. */
class Everything {
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

const chains = [
  { family: "evm", name: "anvil", isThere: Either.isRight(anvil), rounds: 6, make: overAnvil },
  { family: "bitcoin", name: "litecoind", isThere: litecoind !== undefined, rounds: 2, make: overLitecoind },
  { family: "solana", name: "Surfpool", isThere: surfpool !== undefined, rounds: 2, make: overSurfpool }
]

for (const { family, isThere, make, name, rounds } of chains) {
  const least = Number(process.env.FLEET_WATCH_ROUNDS ?? rounds)
  const most = 60_000 + least * 8_000
  describe.runIf(isThere && lacking === undefined)(`a watcher over ${name} whose runners are killed`, () => {
    const scope = Effect.runSync(Scope.make())
    const fleet = crew("watcher")
    let database: Server
    let chain: Chain

    beforeAll(async () => {
      ;[database, chain] = await Promise.all([postgres(), make(scope)])
    }, 60_000)
    afterAll(async () => {
      await fleet.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await database?.end()
    })

    it(`tells what a reader that saw everything tells, in ${least} rounds with kills and reorganisations`, {
      timeout: most + 20_000,
      retry: 0
    }, async () => {
      console.log(`seed ${seed}`)
      const log = join(fleet.folder, "log")
      writeFileSync(log, "")
      const { from, grow, head, reorganise, url, watched } = chain
      const client = ManagedRuntime.make(Postgres.layer({ name: "tests", url: Redacted.make(database.url) }))
      let names = 0
      const begin = (port: number) => {
        // slots are many
        const options = { name: "fleet", from, shards: SHARDS, addresses: watched, depth: 2_000 }
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
          await victim.kill()
          const next = await begin(await freePort())
          runners.push(next)
          await next.up
        }
      }
      const everything = new Everything(chain)
      /** Until all shards have told of the newest block: then they have seen what the reader beside them has seen. */
      const caughtUp = async () => {
        const newest = await head()
        const counts = everything.events.map((own) => own.length)
        const end = Date.now() + 60_000
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
              `not told within 60 s: ${JSON.stringify({ newest, counts, shards })} ${readFileSync(fleet.output, "utf8").slice(-2_000)}`
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
          if (below(3) === 0) continue
          await reorganise(Math.min(below(4) + 1, (await head()) - from + 1))
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
      const { events, repeated } = toldIn(log)
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
