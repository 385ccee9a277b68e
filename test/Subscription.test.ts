// @runtime promise
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Hex, Log } from "../src/chains/Evm.js"
import * as Sdk from "../src/client/Sdk.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { defineNetwork } from "../src/define.js"
import { layerFetch, layerPlatform } from "../src/http/Http.js"
import { type InitConfig, init, type Result } from "../src/promise.js"
import type { Head, SubscriptionError } from "../src/subscriptions/Subscription.js"
import { runs } from "./properties.js"
import { type Answer, type Peer, type SocketNode, startSocketNode } from "./sockets.js"

const hex = (value: number): Hex => `0x${value.toString(16)}`

interface FakeBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: string
  readonly transactions: ReadonlyArray<string>
}

/** A chain that nodes of a test share, each as far as it has got. Blocks of another branch have other hashes. */
class Chain {
  blocks: Array<FakeBlock> = []
  logs: Array<Log> = []
  constructor() {
    this.grow(1)
  }
  get height(): number {
    return this.blocks.length - 1
  }
  grow(count: number, branch = ""): ReadonlyArray<FakeBlock> {
    return Array.from({ length: count }, () => {
      const height = this.blocks.length
      const block = {
        number: hex(height),
        hash: `0xb${height}${branch}` as const,
        parentHash: this.blocks[height - 1]?.hash ?? "0x0",
        transactions: []
      }
      this.blocks.push(block)
      return block
    })
  }
  /** Gives up the newest blocks, with their logs. */
  revert(count: number): void {
    this.blocks.length -= count
    this.logs = this.logs.filter(({ blockHash }) => this.blocks.some(({ hash }) => hash === blockHash))
  }
  /** A log in the newest block. */
  log(index: number): Log {
    const block = this.blocks[this.height]
    const log: Log = {
      address: "0xa",
      topics: [],
      data: "0x",
      blockNumber: block?.number ?? null,
      blockHash: block?.hash ?? null,
      transactionHash: `0xc${this.height}`,
      transactionIndex: "0x0",
      logIndex: hex(index),
      removed: false
    }
    this.logs.push(log)
    return log
  }
}

const numberOf = (value: unknown): number => Number(String(value))

/** Answers as a node of the chain does; a call that no node of a test expects is an error that fails the test. */
const evm =
  (
    chain: Chain,
    own: (
      method: string,
      params: ReadonlyArray<unknown>,
      peer: Peer | undefined
    ) => Answer | undefined | Promise<Answer | undefined> = () => undefined
  ) =>
  async (method: string, params: ReadonlyArray<unknown>, peer: Peer | undefined): Promise<Answer> => {
    const special = await own(method, params, peer)
    if (special !== undefined) return special
    switch (method) {
      case "eth_chainId":
        return { result: "0x1" }
      case "eth_blockNumber":
        return { result: hex(chain.height) }
      case "eth_getBlockByNumber": {
        const [at] = params
        return { result: chain.blocks[at === "latest" ? chain.height : numberOf(at)] ?? null }
      }
      case "eth_getLogs": {
        const { fromBlock, toBlock } = Object(params[0])
        const within = ({ blockNumber }: Log): boolean =>
          numberOf(blockNumber) >= numberOf(fromBlock) && numberOf(blockNumber) <= numberOf(toBlock)
        return { result: chain.logs.filter(within) }
      }
      case "eth_subscribe":
        return { result: `0x${String(params[0])}` }
      case "eth_unsubscribe":
        return { result: true }
      case "eth_gasPrice":
        return { result: "0x1" }
      default:
        throw new Error(`nobody expects ${method}`)
    }
  }

const notify = (node: SocketNode, subscription: string, result: unknown): void => {
  for (const peer of node.open()) {
    peer.send({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } })
  }
}

/** The real timer, also in tests that have a time of their own. */
const { setTimeout: setRealTimeout } = globalThis
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setRealTimeout(resolve, ms))

/** Waits for something that is to happen. Only a test that hangs gets to the limit. */
const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 60_000) throw new Error(`${what}: never`)
    await sleep(5)
  }
}

/** From here on timers run as `untilLater` has them run. */
const stopTime = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
}

/** Limits that no test gets to whose time jumps. */
const UNLIMITED = { idle: 3_600_000, timeout: 3_600_000 }

/** Waits for something while time goes by: half a second of it at each look. */
const untilLater = (what: string, holds: () => boolean): Promise<void> =>
  until(what, () => {
    vi.advanceTimersByTime(500)
    return holds()
  })

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const close of closing.splice(0).reverse()) await close()
})

const nodeOf = async (...of: Parameters<typeof evm>): Promise<SocketNode> => {
  const node = await startSocketNode(evm(...of))
  closing.push(node.close)
  return node
}

/** The lean runtime has the Promise surface alone. */
const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"

type Iterable = (...args: ReadonlyArray<unknown>) => AsyncIterable<Result<unknown, SubscriptionError>>

/** The subscriptions of the Promise surface as streams. */
const streamsOf = (subscribe: object): object =>
  Object.fromEntries(
    Object.entries(subscribe).map(([name, iterable]: readonly [string, Iterable]) => [
      name,
      (...args: ReadonlyArray<unknown>) =>
        Stream.suspend(() => Stream.fromAsyncIterable(iterable(...args), Effect.die)).pipe(
          Stream.mapEffect((result) =>
            result.status === "SUCCESS" ? Effect.succeed(result.data) : Effect.fail(result.error.cause)
          )
        )
    ])
  )

type Client<N extends AnyNetwork> = Pick<Sdk.Sdk<N>, "rpc" | "nodes"> & {
  readonly close: () => Promise<unknown>
}

/** A client on the Effect surface, in a scope of its own, or one on the Promise surface in the same words. */
const opened = async <const N extends AnyNetwork>(config: InitConfig<N, "eventual">): Promise<Client<N>> => {
  if (isLean) {
    const sdk = await init<N, "eventual">(config)
    closing.push(sdk.destroy)
    const nodes = { check: Effect.promise(sdk.checkNodes) }
    const subscribe: unknown = Reflect.get(sdk.rpc, "subscribe")
    const rpc = { ...sdk.rpc, subscribe: streamsOf(Object(subscribe)) }
    // of its calls the tests need those of subscriptions
    return { rpc, nodes, close: sdk.destroy } as unknown as Client<N>
  }
  const scope = Effect.runSync(Scope.make())
  const sdk = await Effect.runPromise(
    Sdk.makeHttp<N, "eventual">(config).pipe(Effect.provide(layerFetch), Scope.extend(scope))
  )
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  closing.push(close)
  return { ...sdk, close }
}

type Config = Omit<InitConfig<"ethereum-mainnet", "eventual">, "network">

const clientOf = (nodes: ReadonlyArray<SocketNode | string>, config: Config = {}) =>
  opened({
    network: "ethereum-mainnet",
    quiet: true,
    rpc: {
      nodes: nodes.map((node) => ({ url: typeof node === "string" ? node : node.url })),
      statusCheckInterval: Number.POSITIVE_INFINITY
    },
    subscriptions: { idle: 200, timeout: 500 },
    ...config
  })

/** A client on the Promise surface. */
const promised = async ({ url }: SocketNode) => {
  const sdk = await init({
    network: "ethereum-mainnet",
    rpc: { nodes: [{ url }] },
    quiet: true,
    timeout: 60_000
  })
  closing.push(sdk.destroy)
  return sdk
}

/** Runs a stream, and has what it has told so far. */
const follow = <A, E>(stream: Stream.Stream<A, E>) => {
  const items: Array<A> = []
  const fiber = Effect.runFork(
    Effect.either(Stream.runForEach(stream, (item) => Effect.sync(() => items.push(item))))
  )
  const stop = () => Effect.runPromise(Fiber.interrupt(fiber))
  closing.push(stop)
  return { items, stop, ended: Effect.runPromise(Fiber.await(fiber)) }
}

const subscribed = (node: SocketNode, times = 1): Promise<void> =>
  until("a subscription", () => {
    const asked = node.peers.flatMap((peer) => peer.requests.map(({ method }) => method))
    return asked.filter((method) => method === "eth_subscribe").length >= times
  })

/** The questions by which subscriptions learn where their node stands. */
const questions: ReadonlyMap<unknown, string> = new Map([
  ["newHeads", "eth_getBlockByNumber"],
  ["logs", "eth_blockNumber"]
])

/** Whether a node was asked where it stands, for each subscription on a socket. It answers in the turn in which it is asked. */
const isPlaced = ({ requests }: Peer): boolean =>
  requests.every(({ method, params: [name] }, i) => {
    const question = method === "eth_subscribe" ? questions.get(name) : undefined
    return question === undefined || requests.slice(i).some((later) => later.method === question)
  })

/** Subscribed, and the node has been asked where it stands: what it tells from now on is new. */
const ready = async (node: SocketNode, times = 1): Promise<void> => {
  await subscribed(node, times)
  await until("where the node stands", () => node.open().every(isPlaced))
}

/** How often a method was asked for over HTTP. */
const posts = (node: SocketNode, method: string): number =>
  node.posted.filter((each) => each === method).length

/** Waits until a client has read all that was sent on its socket: of the same socket, this comes last. */
const barrier = async (
  sdk: Client<"ethereum-mainnet">,
  node: SocketNode,
  times: number
): Promise<() => Promise<void>> => {
  const last = follow(sdk.rpc.subscribe.newPendingTransactions())
  await ready(node, times)
  return () => {
    notify(node, "0xnewPendingTransactions", "0x1a57")
    return until("the last message", () => last.items.includes("0x1a57"))
  }
}

const methodsOf = (peer: Peer | undefined): ReadonlyArray<string> =>
  (peer?.requests ?? []).map(({ method }) => method).filter((method) => method !== "eth_chainId")

const hashes = (heads: ReadonlyArray<Head>): ReadonlyArray<string> => heads.map(({ hash }) => hash)

describe("newHeads", () => {
  it("tells heads as they come, and not the one that was there", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (const block of chain.grow(3)) notify(node, "0xnewHeads", block)
    await until("three heads", () => items.length === 3)
    expect(hashes(items)).toEqual(["0xb1", "0xb2", "0xb3"])
    expect(items[0]).not.toHaveProperty("transactions")
  })

  it("reads what was missed while the socket was lost, in order and once, from where it was", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (const block of chain.grow(2)) notify(node, "0xnewHeads", block)
    await until("two heads", () => items.length === 2)
    node.open()[0]?.disconnect()
    chain.grow(20)
    await until("all heads", () => items.length === 22)
    for (const block of [...chain.blocks.slice(-1), ...chain.grow(1)]) notify(node, "0xnewHeads", block)
    await until("one more", () => items.length === 23)
    expect(hashes(items)).toEqual(chain.blocks.slice(1).map(({ hash }) => hash))
  })

  it("reads what was missed before the first head, too", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    node.open()[0]?.disconnect()
    chain.grow(2)
    await until("both heads", () => items.length === 2)
    expect(hashes(items)).toEqual(["0xb1", "0xb2"])
  })

  it("shows a reorganisation that happened meanwhile from its first block on", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (const block of chain.grow(5)) notify(node, "0xnewHeads", block)
    await until("five heads", () => items.length === 5)
    node.open()[0]?.disconnect()
    chain.revert(3)
    chain.grow(5, "x")
    await until("the branch", () => items.length === 10)
    expect(hashes(items).slice(5)).toEqual(["0xb3x", "0xb4x", "0xb5x", "0xb6x", "0xb7x"])
  })

  it("passes a live reorganisation on as it comes", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (const block of chain.grow(3)) notify(node, "0xnewHeads", block)
    await until("three heads", () => items.length === 3)
    chain.revert(2)
    for (const block of chain.grow(3, "x")) notify(node, "0xnewHeads", block)
    await until("the branch", () => items.length === 6)
    expect(hashes(items)).toEqual(["0xb1", "0xb2", "0xb3", "0xb2x", "0xb3x", "0xb4x"])
  })

  it("reads no more than maxGap blocks, the newest", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads({ maxGap: 5 }))
    await ready(node)
    for (const block of chain.grow(1)) notify(node, "0xnewHeads", block)
    await until("a head", () => items.length === 1)
    node.open()[0]?.disconnect()
    chain.grow(30)
    await until("the newest", () => items.length === 7)
    expect(hashes(items)).toEqual(["0xb1", "0xb26", "0xb27", "0xb28", "0xb29", "0xb30", "0xb31"])
  })

  it("moves on to another node, and tells nothing twice where that one is behind", async () => {
    const chain = new Chain()
    const behind = new Chain()
    const [first, second] = [await nodeOf(chain), await nodeOf(behind)]
    const sdk = await clientOf([first, second], { selection: { node: first.url } })
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await until("a socket", () => first.peers.length + second.peers.length === 1)
    const [at, next, lagging] = first.peers.length === 1 ? [first, second, behind] : [second, first, chain]
    const ahead = lagging === behind ? chain : behind
    await ready(at)
    for (const block of ahead.grow(4)) notify(at, "0xnewHeads", block)
    await until("four heads", () => items.length === 4)
    lagging.grow(2)
    at.refuse(503)
    for (const peer of at.open()) peer.disconnect()
    await ready(next)
    for (const block of lagging.grow(3)) notify(next, "0xnewHeads", block)
    await until("the next head", () => items.length === 5)
    expect(hashes(items)).toEqual(["0xb1", "0xb2", "0xb3", "0xb4", "0xb5"])
  })

  it("reads over HTTP what a slow consumer had no room for", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const items: Array<Head> = []
    const gate = Effect.runSync(Effect.makeLatch(false))
    const fiber = Effect.runFork(
      Stream.runForEach(sdk.rpc.subscribe.newHeads({ buffer: 4 }), (head) =>
        Effect.zipRight(
          gate.await,
          Effect.sync(() => items.push(head))
        )
      )
    )
    closing.push(() => Effect.runPromise(Fiber.interrupt(fiber)))
    await ready(node)
    const read = await barrier(sdk, node, 2)
    for (const block of chain.grow(40)) notify(node, "0xnewHeads", block)
    await read()
    await Effect.runPromise(gate.open)
    await until("all heads", () => items.length === 40)
    expect(hashes(items)).toEqual(chain.blocks.slice(1).map(({ hash }) => hash))
  })

  // how soon they are told is measured in `Subscription.model.test.ts`, whose time is its own
  it("go on over sockets that close soon after they were opened", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain, (method, _, peer) => {
      if (method === "eth_subscribe") setTimeout(() => peer?.disconnect(), 50)
      return undefined
    })
    // no silence is found out by anything else
    const sdk = await clientOf([node], { subscriptions: { idle: 60_000, timeout: 10_000 } })
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (let told = 1; told <= 5; told++) {
      for (const block of chain.grow(1)) notify(node, "0xnewHeads", block)
      await until("the head", () => items.length === told)
      await until("the end of the socket", () => node.open().length === 0)
    }
    expect(hashes(items)).toEqual(chain.blocks.slice(1).map(({ hash }) => hash))
  })

  it("are told once by a socket whose backends are not in step", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    const blocks = chain.grow(13)
    // one backend is two blocks behind the other one
    blocks.forEach((block, i) => {
      notify(node, "0xnewHeads", block)
      if (i >= 2) notify(node, "0xnewHeads", blocks[i - 2])
    })
    for (const block of blocks.slice(-2)) notify(node, "0xnewHeads", block)
    // heads are told in the order of their messages: this one after all that might have been told twice
    for (const block of chain.grow(1)) notify(node, "0xnewHeads", block)
    await until("the last head", () => items.at(-1)?.hash === "0xb14")
    expect(hashes(items)).toEqual(chain.blocks.slice(1).map(({ hash }) => hash))
  })

  it("finds out that a node has stopped telling, though it answers", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    chain.grow(3)
    await until("the heads", () => items.length === 3)
    expect(hashes(items)).toEqual(["0xb1", "0xb2", "0xb3"])
  })
})

/** What a node says that no chain can be like: it is a node's fault, and no other's, nor the consumer's. */
describe("what a node makes up", () => {
  it("is no log where it has no place in the chain: the socket is left, and the next one goes on", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs())
    for (const [i, blockNumber] of [false, ["0x7"], { toString: 1 }, `0x${"f".repeat(400)}`].entries()) {
      await ready(node, i + 1)
      notify(node, "0xlogs", { ...chain.log(0), blockNumber })
      chain.logs.pop()
    }
    await ready(node, 5)
    chain.grow(1)
    notify(node, "0xlogs", chain.log(0))
    await until("the log", () => items.length === 1)
    expect(items).toEqual(chain.logs)
  })

  it("is no reason to leave out logs: a block that there never was is forgotten with the next socket", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs())
    await ready(node)
    chain.grow(1)
    notify(node, "0xlogs", chain.log(0))
    notify(node, "0xlogs", { ...chain.log(1), blockNumber: "0x7fffffff", blockHash: "0xbad" })
    await until("both", () => items.length === 2)
    chain.logs.pop()
    node.open()[0]?.disconnect()
    chain.grow(1)
    chain.log(0)
    await until("the log of the gap", () => items.length === 3)
    expect(items[2]).toEqual(chain.logs[1])
  })

  it("is no height that others have to get to: their own is read up to when they have had half a minute", async () => {
    stopTime()
    const chain = new Chain()
    let isLying = false
    const liar = await nodeOf(chain, async (method) =>
      method === "eth_blockNumber" && isLying ? { result: "0x7fffffff" } : undefined
    )
    const honest = await nodeOf(chain)
    const sdk = await clientOf([], {
      timeout: UNLIMITED.timeout,
      rpc: {
        nodes: [{ url: honest.url, wsUrl: liar.url.replace("http", "ws") }],
        statusCheckInterval: Number.POSITIVE_INFINITY
      },
      subscriptions: UNLIMITED
    })
    const { items } = follow(sdk.rpc.subscribe.logs({}, { maxGap: 1_000, polling: false }))
    await ready(liar)
    isLying = true
    liar.open()[0]?.disconnect()
    chain.grow(1)
    chain.log(0)
    const start = performance.now()
    await untilLater("the log of the gap", () => items.length === 1)
    expect(performance.now() - start).toBeGreaterThan(30_000)
    // it was asked for up to the liar's height fourteen times, and then up to its own
    expect(posts(honest, "eth_getLogs")).toBe(15)
    expect(items).toEqual(chain.logs)
    notify(liar, "0xlogs", chain.log(1))
    await until("the next log", () => items.length === 2)
  })

  it("is no head that the chain has to grow to", async () => {
    stopTime()
    const chain = new Chain()
    let isFirst = true
    const node = await nodeOf(chain, async (method, _, peer) => {
      if (method !== "eth_subscribe" || !isFirst) return undefined
      isFirst = false
      const made = { number: "0x7fffffff", hash: "0xbad", parentHash: "0xworse" }
      // before its answer, and so before it says where it stands
      peer?.send({ method: "eth_subscription", params: { subscription: "0xnewHeads", result: made } })
      return undefined
    })
    const sdk = await clientOf([node], { timeout: UNLIMITED.timeout, subscriptions: UNLIMITED })
    // the blocks below it are asked for one by one, as many as may be missing
    const { items } = follow(sdk.rpc.subscribe.newHeads({ maxGap: 20 }))
    await ready(node)
    for (const block of chain.grow(2)) notify(node, "0xnewHeads", block)
    await untilLater("the heads", () => items.length >= 2)
    expect(hashes(items).slice(-2)).toEqual(["0xb1", "0xb2"])
  })
})

describe("logs", () => {
  it("come each once over an interruption, and those of given up blocks as removed", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs({ address: "0xa" }))
    await ready(node)
    expect(node.peers[0]?.requests.find(({ method }) => method === "eth_subscribe")?.params).toEqual([
      "logs",
      { address: "0xa" }
    ])
    chain.grow(1)
    notify(node, "0xlogs", chain.log(0))
    chain.grow(1)
    notify(node, "0xlogs", chain.log(0))
    await until("two logs", () => items.length === 2)
    node.open()[0]?.disconnect()
    chain.revert(1)
    chain.grow(2, "x")
    chain.log(0)
    const late = chain.log(1)
    await until("the rest", () => items.length === 5)
    notify(node, "0xlogs", late)
    chain.grow(1, "x")
    notify(node, "0xlogs", chain.log(0))
    await until("the log behind it", () => items.length >= 6)
    const told = items.map(({ blockHash, logIndex, removed }) => [blockHash, logIndex, removed])
    expect(told).toEqual([
      ["0xb1", "0x0", false],
      ["0xb2", "0x0", false],
      ["0xb2", "0x0", true],
      ["0xb3x", "0x0", false],
      ["0xb3x", "0x1", false],
      ["0xb4x", "0x0", false]
    ])
  })

  it("come in their order, though the next socket tells a new one before what was missed is read", async () => {
    const chain = new Chain()
    let isCut = false
    const node = await nodeOf(chain, async (method, _, peer) => {
      if (method !== "eth_blockNumber" || peer === undefined || !isCut) return undefined
      isCut = false
      chain.grow(1)
      // it comes before the answer, on the same socket
      notify(node, "0xlogs", chain.log(0))
      return undefined
    })
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs())
    await ready(node)
    chain.grow(1)
    notify(node, "0xlogs", chain.log(0))
    await until("a log", () => items.length === 1)
    isCut = true
    node.open()[0]?.disconnect()
    chain.grow(1)
    chain.log(0)
    await until("the others", () => items.length === 3)
    expect(items.map(({ blockHash }) => blockHash)).toEqual(["0xb1", "0xb2", "0xb3"])
  })

  it("come in their order, and all, to a consumer that is slow", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node], { subscriptions: { idle: 10_000 } })
    const slow = Stream.tap(sdk.rpc.subscribe.logs({}, { buffer: 2 }), () => Effect.sleep(5))
    const { items } = follow(slow)
    await ready(node)
    for (let i = 0; i < 40; i++) {
      chain.grow(1)
      notify(node, "0xlogs", chain.log(0))
      await sleep(1)
    }
    await until("all logs", () => items.length === 40)
    expect(items.map(({ blockNumber }) => Number(blockNumber))).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1)
    )
  })

  it("begin with the first that is new, even if that comes before the node has said where it stands", async () => {
    const chain = new Chain()
    chain.log(0)
    chain.grow(1)
    chain.log(0)
    const node = await nodeOf(chain, async (method, _, peer) => {
      if (method !== "eth_blockNumber" || peer === undefined || chain.height > 1) return undefined
      chain.grow(1)
      notify(node, "0xlogs", chain.log(0))
      return undefined
    })
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs())
    await until("the log", () => items.length === 1)
    node.open()[0]?.disconnect()
    chain.grow(1)
    chain.log(0)
    await until("another one", () => items.length === 2)
    expect(items.map(({ blockHash }) => blockHash)).toEqual(["0xb2", "0xb3"])
  })

  it("are asked for in parts where a node takes no long ranges", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain, (method, params) => {
      const { fromBlock, toBlock } = Object(params[0])
      return method === "eth_getLogs" && numberOf(toBlock) - numberOf(fromBlock) > 6
        ? { error: { code: -32602, message: "block range too large" } }
        : undefined
    })
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.logs())
    await ready(node)
    node.open()[0]?.disconnect()
    const wanted = Array.from({ length: 30 }, () => {
      chain.grow(1)
      return chain.log(0).blockHash
    })
    await until("all logs", () => items.length === 30)
    expect(items.map(({ blockHash }) => blockHash)).toEqual(wanted)
  })

  it("refuses filters that say from when on", async () => {
    const sdk = await clientOf(["http://127.0.0.1:1"])
    const filter: object = { fromBlock: 1 }
    const exit = await Effect.runPromise(Effect.flip(Stream.runDrain(sdk.rpc.subscribe.logs(filter))))
    expect(exit).toMatchObject({ _tag: "InvalidArgument", call: "subscribe.logs" })
  })
})

describe("a socket", () => {
  it("is shared, told of what ends, and closed with the last", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const heads = follow(sdk.rpc.subscribe.newHeads())
    const logs = follow(sdk.rpc.subscribe.logs())
    const pending = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node, 3)
    expect(node.peers).toHaveLength(1)
    notify(node, "0xnewPendingTransactions", "0x77")
    await until("a transaction", () => pending.items.length === 1)
    await heads.stop()
    await until("the end of one", () => methodsOf(node.peers[0]).includes("eth_unsubscribe"))
    expect(node.peers[0]?.requests.at(-1)?.params).toEqual(["0xnewHeads"])
    expect(node.open()).toHaveLength(1)
    await logs.stop()
    await pending.stop()
    await until("its closing", () => node.open().length === 0)
    const again = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node, 4)
    expect(node.peers).toHaveLength(2)
    await again.stop()
  })

  it("tells a node that has answered too late that nobody wants to know any more", async () => {
    const chain = new Chain()
    let answer = (): void => {}
    const node = await nodeOf(chain, (method, params) =>
      method === "eth_subscribe" && params[0] === "newPendingTransactions"
        ? new Promise<Answer>((resolve) => {
            answer = () => resolve({ result: "0xlate" })
          })
        : undefined
    )
    const sdk = await clientOf([node])
    follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    const pending = follow(sdk.rpc.subscribe.newPendingTransactions())
    await subscribed(node, 2)
    await pending.stop()
    answer()
    await until("the unsubscription", () => methodsOf(node.peers[0]).includes("eth_unsubscribe"))
    expect(node.peers[0]?.requests.at(-1)?.params).toEqual(["0xlate"])
  })

  it("is replaced when it is silent and does not answer, at another node if there is one", async () => {
    const chain = new Chain()
    const nodes = [await nodeOf(chain), await nodeOf(chain)] as const
    const sdk = await clientOf(nodes)
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await until("a socket", () => nodes.some(({ peers }) => peers.length === 1))
    const [at, other] = nodes[0].peers.length === 1 ? nodes : [nodes[1], nodes[0]]
    await ready(at)
    at.peers[0]?.freeze()
    chain.grow(2)
    await until("the heads", () => items.length === 2)
    await until("the other socket", () => other.peers.length === 1)
    await until("the end of the dead connection", () => at.open().length === 0)
  })

  it("is replaced when it is silent, whatever becomes of the time of day", async () => {
    const node = await nodeOf(new Chain())
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node)
    const real = Date.now
    vi.spyOn(Date, "now").mockImplementation(() => real() - 3_600_000)
    node.peers[0]?.freeze()
    await ready(node, 2)
    notify(node, "0xnewPendingTransactions", "0x1")
    await until("a transaction", () => items.length === 1)
  })

  it("is replaced when it is silent, even if nothing else is asked on it", async () => {
    const node = await nodeOf(new Chain())
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node)
    const pings = () => node.peers[0]?.requests.filter(({ method }) => method === "eth_chainId").length ?? 0
    await until("a question", () => pings() > 1)
    node.peers[0]?.freeze()
    await ready(node, 2)
    notify(node, "0xnewPendingTransactions", "0x1")
    await until("a transaction", () => items.length === 1)
    expect(node.peers).toHaveLength(2)
  })

  it("is left when a node sends what is no JSON", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    node.peers[0]?.sendText("<html>")
    chain.grow(1)
    await until("the head", () => items.length === 1)
    expect(node.peers).toHaveLength(2)
    await until("the end of the first", () => node.open().length === 1)
  })

  it("is opened at wsUrl with the entry's headers, and not at a node of another chain", async () => {
    const chain = new Chain()
    // its first socket leads to another chain
    const node: SocketNode = await nodeOf(chain, (method, _, peer) =>
      method === "eth_chainId" && peer !== undefined && peer === node.peers[0] ? { result: "0x5" } : undefined
    )
    const sdk = await clientOf([], {
      rpc: {
        nodes: [
          {
            url: node.url,
            wsUrl: `ws://user:secret@127.0.0.1:${node.port}/ws`,
            headers: { "X-Own": "1" }
          }
        ]
      }
    })
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    for (const block of chain.grow(1)) notify(node, "0xnewHeads", block)
    await until("a head", () => items.length === 1)
    expect(node.peers.length).toBeGreaterThan(1)
    expect(node.peers[0]?.requests.map(({ method }) => method)).toEqual(["eth_chainId"])
    for (const { headers } of node.peers)
      expect(headers).toMatchObject({
        authorization: `Basic ${btoa("user:secret")}`,
        "x-own": "1"
      })
  })

  it("is not asked for its chain where the client trusts its nodes", async () => {
    const node = await nodeOf(new Chain(), (method) =>
      method === "eth_chainId" ? { result: "0x5" } : undefined
    )
    const sdk = await clientOf([node], { verifyChain: false })
    follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    expect(node.peers[0]?.requests[0]?.method).toBe("eth_subscribe")
  })

  it("is left when its node has fallen behind the others", async () => {
    const [chain, stuck] = [new Chain(), new Chain()]
    const nodes = [await nodeOf(stuck), await nodeOf(chain)] as const
    const sdk = await clientOf(nodes)
    const { items } = follow(sdk.rpc.subscribe.newHeads())
    await until("a socket", () => nodes.some(({ peers }) => peers.length === 1))
    const [at, other] = nodes[0].peers.length === 1 ? nodes : [nodes[1], nodes[0]]
    await ready(at)
    const ahead = at === nodes[0] ? chain : stuck
    ahead.grow(30)
    await Effect.runPromise(sdk.nodes.check)
    await until("the heads", () => items.length === 30)
    expect(other.open()).toHaveLength(1)
    await until("the end of the other", () => at.open().length === 0)
  })

  it("is looked for where the calls go, and at other ports on Solana and the XRP Ledger", async () => {
    const socketUrlOf = async (
      network: "ethereum-mainnet" | "solana-mainnet" | "ripple-mainnet",
      url: string
    ) => {
      const asked: Array<string> = []
      const sdk = await init({
        network,
        quiet: true,
        rpc: { nodes: [{ url }] },
        subscriptions: {
          webSocket: (place) => {
            asked.push(place)
            throw new Error("no socket")
          }
        }
      })
      const { subscribe } = sdk.rpc
      const stream =
        "newHeads" in subscribe
          ? subscribe.newHeads()
          : "slot" in subscribe
            ? subscribe.slot()
            : subscribe.ledger()
      const next = stream[Symbol.asyncIterator]().next()
      await until("a socket", () => asked.length > 0)
      await sdk.destroy()
      expect(await next).toMatchObject({ value: { status: "ERROR" } })
      return asked[0]
    }
    expect(await socketUrlOf("ethereum-mainnet", "https://node.example/v2/key?a=b")).toBe(
      "wss://node.example/v2/key?a=b"
    )
    expect(await socketUrlOf("ethereum-mainnet", "http://node.example:8545/")).toBe("ws://node.example:8545")
    expect(await socketUrlOf("solana-mainnet", "https://node.example/key")).toBe("wss://node.example/key")
    expect(await socketUrlOf("solana-mainnet", "http://node.example:8899")).toBe("ws://node.example:8900")
    expect(await socketUrlOf("ripple-mainnet", "https://s1.example:51234/")).toBe("wss://s1.example:51233")
    expect(await socketUrlOf("ripple-mainnet", "http://127.0.0.1:5005")).toBe("ws://127.0.0.1:6006")
    expect(await socketUrlOf("ripple-mainnet", "https://node.example/key")).toBe("wss://node.example/key")
  })

  it("is made by the runtime's own constructor, with headers if the entry has some", async () => {
    const { WebSocket } = await import("undici")
    vi.stubGlobal("WebSocket", WebSocket)
    closing.push(async () => vi.unstubAllGlobals())
    const node = await nodeOf(new Chain())
    const own = await clientOf([], { rpc: { nodes: [{ url: node.url, headers: { "X-Own": "1" } }] } })
    follow(own.rpc.subscribe.newPendingTransactions())
    await ready(node)
    const plain = await clientOf([node])
    follow(plain.rpc.subscribe.newPendingTransactions())
    await ready(node, 2)
    expect(node.peers.map(({ headers }) => headers["x-own"])).toEqual(["1", undefined])
  })

  it("is gone with the client, and so are the streams", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { ended } = follow(sdk.rpc.subscribe.newHeads())
    await ready(node)
    node.peers[0]?.freeze()
    // its node never says goodbye
    await sdk.close()
    const end = await ended
    expect(end).toMatchObject({ value: { left: { _tag: "Aborted" } } })
    await until("its closing", () => node.open().length === 0)
  })

  it("is looked for again, and heads are polled, where nothing listens at its port", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const gone = await startSocketNode(evm(chain))
    await gone.close()
    const sdk = await clientOf([], {
      rpc: { nodes: [{ url: node.url, wsUrl: `ws://127.0.0.1:${gone.port}` }] }
    })
    const { items } = follow(sdk.rpc.subscribe.newHeads({ polling: 20 }))
    for (let count = 1; count <= 3; count++) {
      const polls = posts(node, "eth_getBlockByNumber")
      await until("polls", () => posts(node, "eth_getBlockByNumber") > polls + 2)
      chain.grow(1)
      await until("a head", () => items.length === count)
    }
    const unpolled = follow(sdk.rpc.subscribe.newPendingTransactions())
    expect(await unpolled.ended).toMatchObject({ value: { left: { _tag: "NodeError", kind: "connect" } } })
  })

  it("is replaced, though the constructor's own sockets throw when they are ended", async () => {
    const node = await nodeOf(new Chain())
    const { WebSocket } = await import("undici")
    const sdk = await clientOf([node], {
      subscriptions: {
        webSocket: (url) =>
          Object.assign(new WebSocket(url), {
            terminate: () => {
              throw new Error("already closed")
            }
          })
      }
    })
    const { items } = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node)
    node.peers[0]?.disconnect()
    await ready(node, 2)
    notify(node, "0xnewPendingTransactions", "0x1")
    await until("a transaction", () => items.length === 1)
  })

  it("comes from the configuration, if that has a constructor", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const { WebSocket } = await import("undici")
    const made: Array<string> = []
    const sdk = await clientOf([node], {
      subscriptions: {
        webSocket: (url, headers) => {
          made.push(url)
          return new WebSocket(url, { headers: { ...headers } })
        }
      }
    })
    const { items } = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(node)
    notify(node, "0xnewPendingTransactions", "0x1")
    await until("a transaction", () => items.length === 1)
    expect(made).toEqual([node.url.replace("http", "ws")])
  })
})

describe("a subscription", () => {
  it.skipIf(isLean)("ends with an error that nobody expects, in place of being silent", async () => {
    const node = await nodeOf(new Chain())
    const broken = new Error("a bug in a layer")
    const client = Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.die(broken))
    )
    const ended = Sdk.makeHttp({
      network: "ethereum-mainnet",
      quiet: true,
      rpc: { nodes: [{ url: node.url }], statusCheckInterval: Number.POSITIVE_INFINITY }
    }).pipe(
      Effect.flatMap((sdk) => Stream.runDrain(sdk.rpc.subscribe.newHeads())),
      Effect.provide(Layer.provide(layerPlatform, client)),
      Effect.scoped
    )
    expect(await Effect.runPromiseExit(ended)).toEqual(Exit.die(broken))
    await until("the closing of its socket", () => node.open().length === 0)
  })

  it("ends at once with what the node has against it", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain, (method) =>
      method === "eth_subscribe" ? { error: { code: -32602, message: "bad filter" } } : undefined
    )
    const sdk = await clientOf([node])
    const error = await Effect.runPromise(Effect.flip(Stream.runDrain(sdk.rpc.subscribe.logs())))
    expect(error).toMatchObject({ _tag: "RpcError", code: -32602, rpcMessage: "bad filter" })
    await until("the closing of the socket", () => node.open().length === 0)
  })

  it("goes to a node that has it, and ends where none has", async () => {
    const chain = new Chain()
    const lacks = (method: string): Answer | undefined =>
      method === "eth_subscribe" ? { error: { code: -32601, message: "no such method" } } : undefined
    const without = [await nodeOf(chain, lacks), await nodeOf(chain, lacks)]
    const having = await nodeOf(chain)
    const sdk = await clientOf([...without, having])
    const { items } = follow(sdk.rpc.subscribe.newPendingTransactions())
    await ready(having)
    notify(having, "0xnewPendingTransactions", "0x1")
    await until("a transaction", () => items.length === 1)
    const other = await clientOf(without)
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(other.rpc.subscribe.newPendingTransactions()))
    )
    expect(error).toMatchObject({ _tag: "RpcError", code: -32601 })
  })

  it.each([
    ["subscriptions are refused", (node: SocketNode) => node.refuse(undefined), -32601],
    ["sockets are refused", (node: SocketNode) => node.refuse(426), 0]
  ] as const)("is polled over HTTP where %s", async (_, prepare, code) => {
    const chain = new Chain()
    const node = await nodeOf(chain, (method) =>
      method === "eth_subscribe" && code !== 0 ? { error: { code, message: "no" } } : undefined
    )
    prepare(node)
    const sdk = await clientOf([node])
    const heads = follow(sdk.rpc.subscribe.newHeads({ polling: 20 }))
    const logs = follow(sdk.rpc.subscribe.logs({}, { polling: 20 }))
    await until("polls", () => posts(node, "eth_blockNumber") > 3 && posts(node, "eth_getBlockByNumber") > 2)
    chain.grow(3)
    chain.log(0)
    await until("the heads", () => heads.items.length === 3)
    await until("the log", () => logs.items.length === 1)
    expect(hashes(heads.items)).toEqual(["0xb1", "0xb2", "0xb3"])
  })

  it("of logs goes on where a node has null for an empty list, and a log among others that is none", async () => {
    const chain = new Chain()
    const asked: Array<string> = []
    const node = await nodeOf(chain, (method, [filter]) => {
      if (method === "eth_subscribe") return { error: { code: -32601, message: "no" } }
      if (method !== "eth_getLogs") return undefined
      asked.push(String(Object(filter).toBlock))
      const within = chain.logs.filter(
        ({ blockNumber }) => numberOf(blockNumber) >= numberOf(Object(filter).fromBlock)
      )
      return { result: within.length === 0 ? null : [{ address: 7 }, ...within] }
    })
    const sdk = await clientOf([node])
    const logs = follow(sdk.rpc.subscribe.logs({}, { polling: 20 }))
    await until("polls", () => posts(node, "eth_blockNumber") > 2)
    chain.grow(1)
    await until("a block without logs", () => asked.length > 0)
    chain.grow(1)
    chain.log(0)
    await until("the log", () => logs.items.length === 1)
    chain.grow(1)
    chain.log(0)
    await until("the next log", () => logs.items.length === 2)
    expect(asked.filter((block) => block === "0x1").length).toBeLessThan(4)
  })

  it.each([
    ["heads that are not polled", { polling: false }],
    ["what cannot be polled", undefined]
  ] as const)("of %s ends within the time of a call where sockets are refused", async (_, options) => {
    const node = await nodeOf(new Chain())
    node.refuse(426)
    const sdk = await promised(node)
    const { subscribe } = sdk.with({ timeout: 1_000 }).rpc
    const stream = options === undefined ? subscribe.newPendingTransactions() : subscribe.newHeads(options)
    const items: Array<unknown> = []
    // the client's own limit is a minute, longer than that of the test
    for await (const item of stream) items.push(item)
    expect(items).toMatchObject([
      { status: "ERROR", error: { cause: { _tag: "NodeError", kind: "connect" } } }
    ])
  })

  it("is refused with options that make no sense", async () => {
    const sdk = await clientOf(["http://127.0.0.1:1"])
    for (const wrong of [
      { polling: {} },
      { polling: -1 },
      { polling: "often" },
      { onMode: 5 },
      { buffer: 0 }
    ]) {
      const options: object = wrong
      const error = await Effect.runPromise(Effect.flip(Stream.runDrain(sdk.rpc.subscribe.newHeads(options))))
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "subscribe.newHeads" })
    }
  })

  it("of Tron is polled, or refused where it must not be", async () => {
    const node = await nodeOf(new Chain())
    const sdk = await init({
      network: "tron-mainnet",
      quiet: true,
      rpc: { nodes: [{ url: node.url }], statusCheckInterval: Number.POSITIVE_INFINITY }
    })
    const outcomes: Array<unknown> = []
    for await (const item of sdk.rpc.subscribe.newHeads({ polling: false })) outcomes.push(item)
    const call = "subscribe.newHeads"
    const reason = "polling must not be false: nodes of Tron have no sockets"
    expect(outcomes).toMatchObject([
      { status: "ERROR", error: { cause: { _tag: "InvalidArgument", call, reason } } }
    ])
    expect(node.posted).toEqual([])
    await sdk.destroy()
  })

  it("is polled after the pauses that a function gives by their count", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    node.refuse(426)
    const sdk = await promised(node)
    const counts: Array<number> = []
    const pauses = (count: number): number => {
      counts.push(count)
      return count < 4 ? 10 : Number.POSITIVE_INFINITY
    }
    const heads = sdk.rpc.subscribe.newHeads({ polling: pauses })[Symbol.asyncIterator]()
    const first = heads.next()
    await until("a poll", () => counts.length > 1)
    chain.grow(1)
    expect((await first).value).toMatchObject({ status: "SUCCESS", data: { hash: "0xb1" } })
    await until("the last pause", () => counts.length === 5)
    const polls = posts(node, "eth_getBlockByNumber")
    // meanwhile others would have been asked for
    for (let i = 0; i < 10; i++) expect((await sdk.rpc.gasPrice()).status).toBe("SUCCESS")
    expect(counts).toEqual([0, 1, 2, 3, 4])
    expect(posts(node, "eth_getBlockByNumber")).toBe(polls)
    await heads.return?.()
  })

  it.each([
    ["no number", () => Number.NaN, "polling(0) must be milliseconds, not NaN"],
    ["a time before now", (count: number) => (count < 2 ? 5 : -1), "polling(2) must be milliseconds, not -1"],
    [
      "an exception",
      () => {
        throw new Error("no idea")
      },
      "polling(0) must be milliseconds, and throws: no idea"
    ]
  ])("ends where a function of pauses gives %s", async (_, polling, reason) => {
    const node = await nodeOf(new Chain())
    node.refuse(426)
    const sdk = await promised(node)
    const items: Array<unknown> = []
    for await (const item of sdk.rpc.subscribe.newHeads({ polling })) items.push(item)
    expect(items).toMatchObject([
      { status: "ERROR", error: { cause: { _tag: "InvalidArgument", call: "subscribe.newHeads", reason } } }
    ])
  })

  it.skipIf(isLean)("is polled by a Schedule on the Effect surface, until that ends", async () => {
    const chain = new Chain()
    let polls = 0
    const node = await nodeOf(chain, (method) => {
      if (method === "eth_getBlockByNumber" && ++polls === 3) chain.grow(1)
      return undefined
    })
    node.refuse(426)
    const sdk = await clientOf([node])
    const polling = Schedule.intersect(Schedule.spaced(10), Schedule.recurs(4))
    const { items } = follow(sdk.rpc.subscribe.newHeads({ polling }))
    // at the beginning, once without a pause, and after each of four
    await until("the last poll", () => polls === 6)
    chain.grow(1)
    // meanwhile others would have been asked for
    for (let i = 0; i < 10; i++) await Effect.runPromise(sdk.rpc.gasPrice())
    expect(polls).toBe(6)
    await until("the head", () => items.length === 1)
    expect(hashes(items)).toEqual(["0xb1"])
  })

  it("goes over from polls to a socket when there is one", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    node.refuse(503)
    const sdk = await clientOf([node])
    const { items } = follow(sdk.rpc.subscribe.newHeads({ polling: 20 }))
    await until("polls", () => node.posted.length > 3)
    chain.grow(2)
    await until("both heads", () => items.length === 2)
    node.refuse(undefined)
    await ready(node)
    for (const block of chain.grow(2)) notify(node, "0xnewHeads", block)
    await until("more heads", () => items.length === 4)
    expect(hashes(items)).toEqual(["0xb1", "0xb2", "0xb3", "0xb4"])
  })

  it("that is not kept ends when its consumer is too slow, or loses the oldest items", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const [sdk, other] = [await clientOf([node]), await clientOf([node])]
    const gate = Effect.runSync(Effect.makeLatch(false))
    let taken = 0
    const slow = <E>(stream: Stream.Stream<string, E>, count: number) =>
      Stream.runCollect(
        Stream.take(
          Stream.tap(stream, () => {
            taken++
            return gate.await
          }),
          count
        )
      ).pipe(
        Effect.map((items) => [...items]),
        Effect.either,
        Effect.runPromise
      )
    const failing = slow(sdk.rpc.subscribe.newPendingTransactions({ buffer: 4 }), 6)
    const sliding = slow(other.rpc.subscribe.newPendingTransactions({ buffer: 4, overflow: "sliding" }), 5)
    await ready(node, 2)
    // of the same sockets: what comes to these comes after the transactions
    const heads = [follow(sdk.rpc.subscribe.newHeads()), follow(other.rpc.subscribe.newHeads())]
    await ready(node, 4)
    notify(node, "0xnewPendingTransactions", "0x0")
    await until("both consumers", () => taken === 2)
    for (let i = 1; i <= 8; i++) notify(node, "0xnewPendingTransactions", hex(i))
    for (const block of chain.grow(1)) notify(node, "0xnewHeads", block)
    await until("the heads", () => heads.every(({ items }) => items.length === 1))
    await Effect.runPromise(gate.open)
    expect(await failing).toMatchObject({ left: { _tag: "SubscriptionOverflow", buffer: 4 } })
    expect(await sliding).toMatchObject({ right: ["0x0", "0x5", "0x6", "0x7", "0x8"] })
  })

  it("says what to install where there is no WebSocket; what can be polled is", async () => {
    vi.doMock("undici", () => {
      throw new Error("not installed")
    })
    closing.push(async () => vi.doUnmock("undici"))
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await clientOf([node])
    const { newHeads, newPendingTransactions } = sdk.rpc.subscribe
    for (const stream of [newPendingTransactions(), newHeads({ polling: false })]) {
      const error = await Effect.runPromise(
        Effect.flip(Stream.runDrain<unknown, { readonly _tag: string }, never>(stream))
      )
      expect(error._tag).toBe("WebSocketUnavailable")
    }
    const { items } = follow(newHeads({ polling: 20 }))
    await until("polls", () => posts(node, "eth_getBlockByNumber") > 1)
    chain.grow(1)
    await until("the head", () => items.length === 1)
    expect(node.peers).toHaveLength(0)
  })

  it("is an async iterable of results, which ends when it is left", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain)
    const sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url: node.url }] },
      quiet: true
    })
    closing.push(sdk.destroy)
    const grown = ready(node).then(() => {
      for (const block of chain.grow(3)) notify(node, "0xnewHeads", block)
    })
    const told: Array<string | undefined> = []
    for await (const head of sdk.rpc.subscribe.newHeads()) {
      told.push(head.data?.hash)
      if (told.length === 2) break
    }
    await grown
    expect(told).toEqual(["0xb1", "0xb2"])
    await until("the closing", () => node.open().length === 0)

    const iterator = sdk.rpc.subscribe.newHeads()[Symbol.asyncIterator]()
    const waiting = iterator.next()
    await ready(node, 2)
    await iterator.return?.()
    expect(await waiting).toMatchObject({ done: true })
    await until("the closing", () => node.open().length === 0)

    const controller = new AbortController()
    const aborted = sdk.with({ signal: controller.signal }).rpc.subscribe.newHeads()[Symbol.asyncIterator]()
    const next = aborted.next()
    await ready(node, 3)
    controller.abort()
    expect(await next).toMatchObject({ value: { status: "ERROR", error: { cause: { _tag: "Aborted" } } } })
    expect(await aborted.next()).toMatchObject({ done: true })
    await until("the closing", () => node.open().length === 0)

    const left = sdk.rpc.subscribe.newHeads()[Symbol.asyncIterator]().next()
    await ready(node, 4)
    await sdk.destroy()
    expect(await left).toMatchObject({ value: { status: "ERROR", error: { cause: { _tag: "Aborted" } } } })
    await until("the closing", () => node.open().length === 0)
  })

  it("never throws, whatever its arguments", async () => {
    const chain = new Chain()
    const node = await nodeOf(chain, (method) =>
      method === "eth_subscribe" ? { error: { code: -32602, message: "no" } } : undefined
    )
    const sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url: node.url }] }, quiet: true })
    closing.push(sdk.destroy)
    const garbage = FastCheck.anything({ withBigInt: true, withMap: true, withNullPrototype: true })
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.constantFrom("newHeads", "logs", "newPendingTransactions"),
        FastCheck.array(garbage, { maxLength: 3 }),
        async (name, args) => {
          const method: unknown = Reflect.get(sdk.rpc.subscribe, name)
          if (typeof method !== "function") throw new Error(`no ${name}`)
          for await (const item of method(...args)) expect(item).toMatchObject({ status: "ERROR" })
        }
      ),
      { numRuns: runs(50) }
    )
  })
})

describe("the subscriptions of Solana that nodes turn on", () => {
  const solana = async () => {
    const node = await startSocketNode(async (method) => {
      if (method === "getHealth") return { result: "ok" }
      if (method === "getBlockHeight") return { result: 7 }
      if (method === "getGenesisHash") return { result: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d" }
      if (/^(account|block|vote|slotsUpdates)Subscribe$/.test(method)) return { result: 23 }
      if (method === "getAccountInfo") return { result: { context: { slot: 12 }, value: null } }
      if (/Unsubscribe$/.test(method)) return { result: true }
      throw new Error(`nobody expects ${method}`)
    })
    closing.push(node.close)
    const sdk = await opened({
      network: "solana-mainnet",
      quiet: true,
      verifyChain: false,
      rpc: {
        nodes: [{ url: node.url, wsUrl: node.url.replace("http", "ws") }],
        statusCheckInterval: Number.POSITIVE_INFINITY
      },
      subscriptions: UNLIMITED
    })
    const asked = () => node.peers.flatMap((peer) => peer.requests)
    const tell = (result: string): void => {
      for (const peer of node.open()) peer.sendText(`{"params":{"subscription":23,"result":${result}}}`)
    }
    const isAsked = (method: string, times = 1) =>
      until(method, () => asked().filter((one) => one.method === method).length >= times)
    return { asked, isAsked, node, subscribe: sdk.rpc.subscribe, tell }
  }

  it("tell blocks, with numbers where blocks have them", async () => {
    const { asked, isAsked, node, subscribe, tell } = await solana()
    const config = { commitment: "confirmed", maxSupportedTransactionVersion: 0, showRewards: true } as const
    const { items, stop } = follow(subscribe.block({ mentionsAccountOrProgram: "Vote" }, config))
    await isAsked("blockSubscribe")
    expect(asked()[0]?.params).toEqual([{ mentionsAccountOrProgram: "Vote" }, config])
    const block =
      '{"blockhash":"h","parentSlot":6,"transactions":[{"meta":{"err":{"InstructionError":[0,{"Custom":1}]},"fee":5000}}],"rewards":[{"lamports":9007199254740993,"commission":5}]}'
    tell(`{"context":{"slot":7},"value":{"slot":7,"block":${block},"err":null}}`)
    await until("a block", () => items.length === 1)
    expect(items[0]?.value).toEqual({
      slot: 7n,
      block: {
        blockhash: "h",
        parentSlot: 6n,
        transactions: [{ meta: { err: { InstructionError: [0, { Custom: 1 }] }, fee: 5000n } }],
        rewards: [{ lamports: 9_007_199_254_740_993n, commission: 5 }]
      },
      err: null
    })
    // and goes on where the socket was lost
    node.open()[0]?.disconnect()
    await isAsked("blockSubscribe", 2)
    tell('{"context":{"slot":9},"value":{"slot":9,"block":null,"err":"BlockStoreError"}}')
    await until("another", () => items.length === 2)
    expect(items[1]?.value).toEqual({ slot: 9n, block: null, err: "BlockStoreError" })
    await stop()
  })

  it("tell an account again behind a slot that there never was", async () => {
    const { isAsked, node, subscribe, tell } = await solana()
    const { items, stop } = follow(subscribe.account("a"))
    await isAsked("accountSubscribe")
    tell('{"context":{"slot":9007199254740000},"value":{"lamports":1}}')
    await until("the account", () => items.length === 1)
    node.open()[0]?.disconnect()
    // where it stands is read, and what comes then is told
    await isAsked("accountSubscribe", 2)
    await until("where it stands", () => items.length === 2)
    tell('{"context":{"slot":13},"value":{"lamports":2}}')
    await until("the next state", () => items.length === 3)
    expect(items.map(({ context }) => context.slot)).toEqual([9_007_199_254_740_000n, 12n, 13n])
    await stop()
  })

  const genesisHash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
  const elsewhere = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"

  /** A client of a definition with that genesis, and its node, some of whose sockets lead to another chain. */
  const ofOwn = async (leadsElsewhere: (peer: Peer, first: Peer | undefined) => boolean, timeout: number) => {
    const node: SocketNode = await startSocketNode(async (method, _, peer) => {
      if (method === "getHealth") return { result: "ok" }
      if (method === "getBlockHeight") return { result: 7 }
      if (method === "getGenesisHash")
        return {
          result: peer !== undefined && leadsElsewhere(peer, node.peers[0]) ? elsewhere : genesisHash
        }
      return { result: method === "voteSubscribe" ? 23 : true }
    })
    closing.push(node.close)
    const sdk = await opened({
      network: defineNetwork({
        id: "own-solana",
        family: "solana",
        currency: { symbol: "OWN", decimals: 9 },
        solana: { genesisHash }
      }),
      quiet: true,
      timeout,
      rpc: {
        nodes: [{ url: node.url, wsUrl: node.url.replace("http", "ws") }],
        statusCheckInterval: Number.POSITIVE_INFINITY
      },
      subscriptions: { idle: 200, timeout: 500 }
    })
    return { node, ...follow(sdk.rpc.subscribe.vote()) }
  }

  it("tell nothing of a socket that leads to another genesis than a definition has", async () => {
    const { items, node, stop } = await ofOwn((peer, first) => peer === first, 30_000)
    const isAsked = ({ requests }: Peer) => requests.some(({ method }) => method === "voteSubscribe")
    await until("a subscription", () => node.peers.some(isAsked))
    const vote = '{"votePubkey":"v","slots":[1],"hash":"h","timestamp":null,"signature":"s"}'
    for (const peer of node.open()) peer.sendText(`{"params":{"subscription":23,"result":${vote}}}`)
    await until("a vote", () => items.length === 1)
    expect(node.peers[0]?.requests.map(({ method }) => method)).toEqual(["getGenesisHash"])
    expect(node.peers.length).toBeGreaterThan(1)
    await stop()
  })

  it("end with the genesis that a definition has where no socket leads there", async () => {
    const { ended } = await ofOwn(() => true, 1_000)
    const end = await ended
    expect(Exit.isSuccess(end) ? end.value : end).toMatchObject({
      _tag: "Left",
      left: {
        _tag: "NodeError",
        kind: "wrong-chain",
        reason: `the node serves the chain ${elsewhere}, and not ${genesisHash}`
      }
    })
  })

  it("tell votes, and what becomes of slots", async () => {
    const { isAsked, subscribe, tell } = await solana()
    const votes = follow(subscribe.vote())
    await isAsked("voteSubscribe")
    tell('{"votePubkey":"v","slots":[1,2],"hash":"h","timestamp":null,"signature":"s"}')
    await until("a vote", () => votes.items.length === 1)
    expect(votes.items).toEqual([
      { votePubkey: "v", slots: [1n, 2n], hash: "h", timestamp: null, signature: "s" }
    ])
    await votes.stop()
    const slots = follow(subscribe.slotsUpdates())
    await isAsked("slotsUpdatesSubscribe")
    tell('{"type":"frozen","slot":7,"timestamp":1600000000000,"stats":{"numTransactionEntries":3}}')
    tell('{"type":"dead","slot":8,"timestamp":1600000000001,"err":"why"}')
    await until("two slots", () => slots.items.length === 2)
    expect(slots.items).toEqual([
      { type: "frozen", slot: 7n, timestamp: 1_600_000_000_000n, stats: { numTransactionEntries: 3n } },
      { type: "dead", slot: 8n, timestamp: 1_600_000_000_001n, err: "why" }
    ])
    // what cannot be read ends the socket, not the stream
    tell('{"slot":9}')
    await isAsked("slotsUpdatesSubscribe", 2)
    await slots.stop()
  })
})

describe("the subscriptions of the XRP Ledger", () => {
  const ledgerClosed = (index: number) => ({
    type: "ledgerClosed",
    fee_base: 10,
    ledger_hash: `h${index}`,
    ledger_index: index,
    ledger_time: 683_942_720,
    reserve_base: 1_000_000,
    reserve_inc: 200_000,
    txn_count: 70
  })

  const server = async (refuses?: { readonly code: number; readonly message: string }) => {
    const node = await startSocketNode(async (method, params) => {
      if (method === "subscribe") return refuses === undefined ? { result: {} } : { error: refuses }
      if (method === "ping") return { result: {} }
      if (method === "ledger") return { result: { ledger_current_index: 7, status: "success" } }
      throw new Error(`nobody expects ${method} ${JSON.stringify(params)}`)
    })
    closing.push(node.close)
    const scope = Effect.runSync(Scope.make())
    closing.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    return { node, scope }
  }

  const xrpOf = async (
    servers: ReadonlyArray<Awaited<ReturnType<typeof server>>>,
    subscriptions: { readonly idle: number; readonly timeout: number } = UNLIMITED
  ) => {
    const sdk = await opened({
      network: "ripple-mainnet",
      quiet: true,
      rpc: {
        nodes: servers.map(({ node }) => ({ url: node.url })),
        statusCheckInterval: Number.POSITIVE_INFINITY
      },
      subscriptions
    })
    return sdk.rpc.subscribe
  }

  const wished = ({ node }: { readonly node: SocketNode }) =>
    node.peers.flatMap(({ requests }) =>
      requests.flatMap(({ method, params }) => (method === "subscribe" ? [params[0]] : []))
    )

  it("are asked for in the ledger's words, each on a socket of its own", async () => {
    const one = await server()
    const subscribe = await xrpOf([one])
    const book = { takerGets: { currency: "XRP" }, takerPays: { currency: "USD", issuer: "rI" }, both: true }
    const all = [
      follow(subscribe.ledger()),
      follow(subscribe.transactions()),
      follow(subscribe.transactionsProposed()),
      follow(subscribe.accounts(["rA", "rB"])),
      follow(subscribe.accountsProposed(["rA"])),
      follow(subscribe.books([book])),
      follow(subscribe.bookChanges()),
      follow(subscribe.validations()),
      follow(subscribe.manifests()),
      follow(subscribe.consensus()),
      follow(subscribe.peerStatus()),
      follow(subscribe.server())
    ]
    await until("all of them", () => wished(one).length === all.length)
    const said = wished(one).map((wish) => JSON.stringify(wish))
    expect(new Set(said)).toEqual(
      new Set(
        [
          ...[
            "ledger",
            "transactions",
            "transactions_proposed",
            "book_changes",
            "validations",
            "manifests",
            "consensus",
            "peer_status",
            "server"
          ].map((name) => ({ streams: [name] })),
          { accounts: ["rA", "rB"] },
          { accounts_proposed: ["rA"] },
          {
            books: [
              { taker_gets: { currency: "XRP" }, taker_pays: { currency: "USD", issuer: "rI" }, both: true }
            ]
          }
        ].map((wish) => JSON.stringify(wish))
      )
    )
    expect(one.node.open()).toHaveLength(all.length)
    await Promise.all(all.map(({ stop }) => stop()))
    await until("the end of the sockets", () => one.node.open().length === 0)
    // the end of its socket ends a subscription: no server is told
    const asked = one.node.peers.flatMap((peer) => peer.requests.map(({ method }) => method))
    expect(asked.filter((method) => method !== "subscribe" && method !== "ping")).toEqual([])
  })

  it("go on at another server when a socket is lost, and tell no ledger twice", async () => {
    const servers = [await server(), await server()] as const
    const subscribe = await xrpOf(servers)
    const { items, stop } = follow(subscribe.ledger())
    const open = () => servers.flatMap(({ node }) => node.open())
    await until("a subscription", () => servers.flatMap(wished).length === 1)
    for (const index of [8, 9]) open()[0]?.send(ledgerClosed(index))
    await until("two ledgers", () => items.length === 2)
    open()[0]?.disconnect()
    await until("another subscription", () => servers.flatMap(wished).length === 2)
    expect(servers.map(({ node }) => node.peers.length)).toEqual([1, 1])
    // this one is behind
    for (const index of [9, 10]) open()[0]?.send(ledgerClosed(index))
    await until("three ledgers", () => items.length === 3)
    expect(items).toEqual([8, 9, 10].map(ledgerClosed))
    await stop()
  })

  it("keep a silent socket that answers when asked, and leave one that does not", async () => {
    const one = await server()
    const subscribe = await xrpOf([one], { idle: 200, timeout: 3_000 })
    const { items, stop } = follow(subscribe.accounts(["rA"]))
    await until(
      "a question",
      () => one.node.peers[0]?.requests.some(({ method }) => method === "ping") === true
    )
    const message = {
      type: "transaction",
      engine_result: "tesSUCCESS",
      engine_result_code: 0,
      engine_result_message: "The transaction was applied.",
      ledger_index: 9,
      transaction: { TransactionType: "Payment", Account: "rA", hash: "00" },
      validated: true
    }
    one.node.open()[0]?.send(message)
    await until("a transaction", () => items.length === 1)
    expect(items).toEqual([message])
    expect(one.node.peers).toHaveLength(1)
    one.node.open()[0]?.freeze()
    await until("another socket", () => wished(one).length === 2)
    await stop()
  })

  it("end with what a server has against them, and begin with no empty list", async () => {
    const one = await server({ code: 35, message: "actMalformed" })
    const subscribe = await xrpOf([one])
    expect(
      await Effect.runPromise(Effect.flip(Stream.runDrain(subscribe.accounts(["nobody"]))))
    ).toMatchObject({
      _tag: "RpcError",
      code: 35,
      message: "actMalformed"
    })
    expect(await Effect.runPromise(Effect.flip(Stream.runDrain(subscribe.accounts([]))))).toMatchObject({
      _tag: "InvalidArgument",
      reason: "the accounts must be a list that is not empty"
    })
  })
})
