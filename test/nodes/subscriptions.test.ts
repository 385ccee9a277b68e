import { connect, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { BlockResult, Log } from "../../src/chains/Evm.js"
import * as Sdk from "../../src/client/Sdk.js"
import type { SdkConfig } from "../../src/config/Config.js"
import { layerFetch } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import * as Surfpool from "../../src/sandbox/nodes/Surfpool.js"
import type { Head } from "../../src/subscriptions/Subscription.js"
import { take } from "../results.js"
import { requireBinary } from "./process.js"

const anvils = await Effect.runPromise(Effect.either(Anvil.binary))
if (anvils._tag === "Left") {
  if (process.env.CI === "true") throw anvils.left
  console.log("left out: subscriptions on anvil (no anvil binary)")
}
const surfpool = requireBinary("surfpool", "subscriptions on Solana")

/** A way to a port that can be cut, can stall and can be closed. */
const road = async (port: number) => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isClosed = false
  let stalled = false
  /** What the node has said to whoever has taken this way. */
  let said = ""
  const server = createServer((near) => {
    if (isClosed) {
      near.destroy()
      return
    }
    const far = connect(port, "127.0.0.1")
    const pair = [near, far] as const
    pairs.add(pair)
    far.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1")
    })
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on("data", (chunk) => {
        // what is said on a stalled road is never heard
        if (!stalled) to.write(chunk)
      })
      from.on("error", () => {})
      from.on("close", () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const cut = (): void => {
    for (const [near] of pairs) near.destroy()
  }
  return {
    url: `127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    connections: () => pairs.size,
    /** How many subscriptions of Solana the node has granted, by their numbers. */
    granted: () => said.match(/"result":\d+/g)?.length ?? 0,
    cut,
    shut: () => {
      isClosed = true
      cut()
    },
    stall: () => {
      stalled = true
    },
    /** Everything is as it should be; what was stalled has lost some of what was said, and is cut. */
    open: () => {
      if (stalled) cut()
      stalled = false
      isClosed = false
    },
    end: () =>
      new Promise((resolve) => {
        cut()
        server.close(resolve)
      })
  }
}

type Road = Awaited<ReturnType<typeof road>>

const portOf = (url: string): number => Number(new URL(url).port)

const until = async (what: string, holds: () => boolean | Promise<boolean>, ms = 300_000): Promise<void> => {
  const end = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`)
    await sleep(20)
  }
}

/** Ends what a test has opened. One that fails must not leave its sockets to the next one, or to its own second try. */
const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end()
})

const follow = <A, E>(stream: Stream.Stream<A, E>) => {
  const items: Array<A> = []
  const fiber = Effect.runFork(Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))))
  opened.push(() => Effect.runPromise(Fiber.interrupt(fiber)))
  return {
    items,
    /** Nothing has ended it but this. */
    stop: async () => {
      const exit = await Effect.runPromise(Fiber.interrupt(fiber))
      expect(Exit.isInterrupted(exit)).toBe(true)
    }
  }
}

describe.runIf(anvils._tag === "Right")("subscriptions on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  const ask = async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    const answer: object = Object(await response.json())
    if ("error" in answer) throw new Error(JSON.stringify(answer.error))
    return Reflect.get(answer, "result")
  }
  const mine = (blocks = 1) => ask("anvil_mine", `0x${blocks.toString(16)}`)
  /** Sends a transaction that does nothing but leave a log, which is in a block when this is over, and yields its hash. */
  const log = async (): Promise<unknown> => {
    const hash = await ask("eth_sendTransaction", { from: account, data: "0x60006000a000" })
    // anvil answers before the block is there
    await until("its block", async () => (await ask("eth_getTransactionReceipt", hash)) !== null)
    return hash
  }
  /** Leaves logs until one of them is heard, which says that the subscription stands, and then waits until the last one is. */
  const untilLogged = async (logs: ReadonlyArray<Log>): Promise<void> => {
    let hash: unknown
    await until("a log", async () => {
      hash = await log()
      return logs.length > 0
    })
    await until("the last log", () => logs.at(-1)?.transactionHash === hash)
  }
  const height = async () => Number(await ask("eth_blockNumber"))
  const block = async (number: number) =>
    Object(await ask("eth_getBlockByNumber", `0x${number.toString(16)}`, false))
  let url = ""
  let account: unknown
  let roads: ReadonlyArray<Road> = []

  /** A client whose sockets go by two roads: one is a `wsUrl`, the other one stands where the calls go. */
  const client = async (config: Partial<SdkConfig<"ethereum-mainnet">> = {}) => {
    const own = Effect.runSync(Scope.make())
    const [first, second] = roads
    const sdk = await Effect.runPromise(
      Sdk.makeHttp({
        network: "ethereum-mainnet",
        quiet: true,
        rpc: {
          nodes: [{ url, wsUrl: `ws://${first?.url}` }, { url: `http://${second?.url}` }],
          statusCheckInterval: Number.POSITIVE_INFINITY
        },
        subscriptions: { idle: 300, timeout: 600 },
        ...config
      }).pipe(Effect.provide(layerFetch), Scope.extend(own))
    )
    const close = () => Effect.runPromise(Scope.close(own, Exit.void))
    opened.push(close)
    return { ...sdk, close }
  }

  const open = (): void => {
    for (const each of roads) each.open()
  }

  beforeAll(async () => {
    const anvil = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    url = anvil.url
    const [first] = Object(await ask("eth_accounts"))
    account = first
    roads = [await road(portOf(url)), await road(portOf(url))]
  })
  afterAll(async () => {
    for (const each of roads) await each.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const step = FastCheck.oneof(
    FastCheck.record({
      do: FastCheck.constant("mine" as const),
      count: FastCheck.integer({ min: 1, max: 6 })
    }),
    FastCheck.record({ do: FastCheck.constant("log" as const) }),
    FastCheck.record({
      do: FastCheck.constant("wait" as const),
      ms: FastCheck.integer({ min: 0, max: 400 })
    }),
    FastCheck.record({
      do: FastCheck.constantFrom("cut" as const, "stall" as const, "shut" as const),
      road: FastCheck.constantFrom(0, 1)
    }),
    FastCheck.record({ do: FastCheck.constant("open" as const) })
  )

  it("tells every head and every log once and in order, whatever happens to the sockets", async () => {
    const property = FastCheck.asyncProperty(
      FastCheck.array(step, { minLength: 8, maxLength: 20 }),
      async (steps) => {
        open()
        const sdk = await client()
        const heads = follow(sdk.rpc.subscribe.newHeads({ buffer: 16 }))
        const logs = follow(sdk.rpc.subscribe.logs({}, { buffer: 16 }))
        await until("a socket", () => roads.some((each) => each.connections() > 0))
        const start = await height()
        // the first head says that the subscriptions stand
        await until("the first head", async () => {
          await mine()
          return heads.items.length > 0
        })
        await untilLogged(logs.items)
        const from = await height()
        for (const each of steps) {
          if (each.do === "mine") await mine(each.count)
          else if (each.do === "log") await log()
          else if (each.do === "wait") await sleep(each.ms)
          else if (each.do === "open") open()
          else roads[each.road]?.[each.do]()
        }
        open()
        await log()
        const end = await height()
        const last = ({ items }: { readonly items: ReadonlyArray<Head> }) => Number(items.at(-1)?.number)
        await until("the last head", () => last(heads) === end)
        const first = Number(heads.items[0]?.number)
        expect(first).toBeGreaterThan(start)
        const wanted = await Promise.all(Array.from({ length: end - first + 1 }, (_, i) => block(first + i)))
        expect(heads.items.map(({ hash }) => hash)).toEqual(wanted.map(({ hash }) => hash))
        const told = (): ReadonlyArray<string> =>
          logs.items
            .filter(({ blockNumber }) => Number(blockNumber) > from)
            .map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`)
        const filter = { fromBlock: `0x${(from + 1).toString(16)}`, toBlock: "latest" }
        const found: ReadonlyArray<Log> = Object(await ask("eth_getLogs", filter))
        await until("the last log", () => told().length >= found.length)
        expect(told()).toEqual(found.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`))
        await heads.stop()
        await logs.stop()
        await sdk.close()
        await until("the end of the sockets", () => roads.every((each) => each.connections() === 0))
      }
    )
    await FastCheck.assert(property, { numRuns: 8, endOnFailure: true })
  })

  it("tells the blocks of another branch from its first on, and takes back the logs of the other", async () => {
    open()
    const sdk = await client()
    const heads = follow(sdk.rpc.subscribe.newHeads())
    const logs = follow(sdk.rpc.subscribe.logs())
    await until("the first head", async () => {
      await mine()
      return heads.items.length > 0
    })
    await untilLogged(logs.items)
    const heard = logs.items.length
    for (const each of roads) each.shut()
    await ask("anvil_reorg", 1, [])
    await mine(2)
    open()
    const end = await height()
    await until("the last head", () => Number(heads.items.at(-1)?.number) === end)
    await until("the log that is gone", () => logs.items.length === heard + 1)
    expect(logs.items[heard]).toEqual({ ...logs.items[heard - 1], removed: true })
    const first = Number(heads.items[0]?.number)
    const chain = await Promise.all(Array.from({ length: end - first + 1 }, (_, i) => block(first + i)))
    const told = heads.items.map(({ hash }) => hash)
    expect(new Set(told).size).toBe(told.length)
    expect(told).toHaveLength(chain.length + 1)
    expect(told.filter((hash) => chain.some((each: BlockResult) => each.hash === hash))).toEqual(
      chain.map(({ hash }) => hash)
    )
  })

  it("goes on at another node as soon as a node dies", async () => {
    open()
    // nobody waits for a socket that is silent: that it is closed is enough
    const sdk = await client({ subscriptions: { idle: 600_000, timeout: 600_000 } })
    const { items, stop } = follow(sdk.rpc.subscribe.newHeads())
    await until("the first head", async () => {
      await mine()
      return items.length > 0
    })
    const [at] = roads.filter((each) => each.connections() > 0)
    at?.shut()
    const before = items.length
    await mine()
    await until("the next head", () => items.length > before)
    expect(roads.filter((each) => each.connections() > 0)).not.toContain(at)
    await stop()
  })

  it("has transactions that wait, and no more of them when it is left", async () => {
    const sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true })
    const { subscribe } = sdk.rpc
    const sending = setInterval(() => void log().catch(() => {}), 50)
    opened.push(async () => clearInterval(sending))
    const seen: Array<string> = []
    for await (const transaction of subscribe.newPendingTransactions()) {
      seen.push(take(transaction))
      if (seen.length === 3) break
    }
    expect(new Set(seen).size).toBe(3)
    for (const hash of seen) expect(take(await sdk.rpc.getTransactionByHash(hash))?.hash).toBe(hash)
    await sdk.destroy()
  })

  it("has in a notification what a block has that is read", async () => {
    const sdk = await client()
    const { items, stop } = follow(sdk.rpc.subscribe.newHeads())
    await until("a head", async () => {
      await mine()
      return items.length > 0
    })
    const [head] = items
    const read: Readonly<Record<string, unknown>> = await block(Number(head?.number))
    const { size, totalDifficulty, transactions, uncles, withdrawals, ...rest } = read
    expect(head).toEqual(rest)
    expect([size, transactions, uncles]).not.toContain(undefined)
    expect(totalDifficulty ?? withdrawals).toBeDefined()
    await stop()
  })
})

describe.runIf(surfpool !== undefined)("subscriptions on Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  const own = Effect.runSync(Scope.make())
  let node: Surfpool.SurfpoolNode
  let way: Road
  let sdk: Sdk.Sdk<"solana-mainnet">

  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start(), scope))
    way = await road(portOf(node.wsUrl))
    sdk = await Effect.runPromise(
      Sdk.makeHttp({
        network: "solana-mainnet",
        quiet: true,
        rpc: { nodes: [{ url: node.url, wsUrl: `ws://${way.url}` }] },
        subscriptions: { idle: 300, timeout: 600 }
      }).pipe(Effect.provide(layerFetch), Scope.extend(own))
    )
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(own, Exit.void))
    await way.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const fund = (account: number, amount: string) => {
    const address = node.accounts[account]?.address ?? ""
    return Effect.runPromise(node.fund(address, amount))
  }

  it("tells slots, and goes on after a cut", async () => {
    const { items, stop } = follow(sdk.rpc.subscribe.slot())
    await until("slots", () => items.length > 3)
    way.cut()
    const before = items.length
    await until("more slots", () => items.length > before + 3)
    for (const { parent, root, slot } of items) {
      expect(parent).toBeLessThan(slot)
      expect(root).toBeLessThanOrEqual(slot)
    }
    await stop()
    await until("the end of the socket", () => way.connections() === 0)
  })

  it("tells what an account has, and what it has by now after an outage", async () => {
    const address = node.accounts[1]?.address ?? ""
    const granted = way.granted()
    const { items, stop } = follow(
      sdk.rpc.subscribe.account(address, { commitment: "processed", encoding: "base64" })
    )
    await until("the subscription", () => way.granted() > granted)
    await fund(1, "1.5")
    await until("the change", () => items.length === 1)
    const before = items[0]?.value?.lamports ?? 0n
    way.shut()
    await fund(1, "2.5")
    way.open()
    await until("what has changed meanwhile", () => items.length === 2)
    expect(items[1]?.value?.lamports).toBe(before + 2_500_000_000n)
    const again = way.granted()
    way.cut()
    await until("the subscription after a cut", () => way.granted() > again)
    await fund(1, "1")
    await until("what has changed after that", () => items.length > 2)
    // what it had before the cut is not told again
    expect(items[2]?.value?.lamports).toBe(before + 3_500_000_000n)
    await stop()
  })

  it("tells logs, accounts of programs, and how a transaction ends", async () => {
    const granted = way.granted()
    const logs = follow(
      sdk.rpc.subscribe.logs({ mentions: [node.accounts[2]?.address ?? ""] }, { commitment: "processed" })
    )
    const program = follow(
      sdk.rpc.subscribe.program("11111111111111111111111111111111", {
        commitment: "processed",
        encoding: "base64"
      })
    )
    await until("both subscriptions", () => way.granted() === granted + 2)
    expect(way.connections()).toBe(1)
    const signature = await fund(2, "1")
    await until("its logs", () => logs.items.some(({ value }) => value.signature === signature))
    await until("the account", () =>
      program.items.some(({ value }) => value.pubkey === node.accounts[2]?.address)
    )
    const [ended] = await Effect.runPromise(
      Effect.map(
        Stream.runCollect(sdk.rpc.subscribe.signature(signature, { commitment: "confirmed" })),
        (items) => [...items]
      )
    )
    expect(ended).toMatchObject({ value: { err: null } })
    await logs.stop()
    await program.stop()
  })

  it("ends with what the node has against a subscription", async () => {
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(sdk.rpc.subscribe.account("no account")))
    )
    expect(error._tag).toBe("RpcError")
    const missing = await Effect.runPromise(Effect.flip(Stream.runDrain(sdk.rpc.subscribe.signature(""))))
    expect(missing._tag).toBe("InvalidArgument")
    await until("the end of the socket", () => way.connections() === 0)
  })
})
