/** What processes of a fleet tell each other of their nodes: real processes, a real Redis, nodes of loopback. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { Http, Sdk } from "effect-chains"
import { health } from "effect-chains/effect/health"
import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import * as Health from "../src/Health.js"
import { type FakeNode, startFakeNode } from "./fakeNode.js"
import { type Process, sendCommand, start } from "./processes.js"
import { programPath } from "./processGroup.js"
import { findMissing, type Server, startRedis } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)
const KEY = "effect-chains:health:1"
/** It is in the urls of nodes, and in nothing else. */
const SECRET = "key-that-nobody-may-see"
const folder = mkdtempSync(join(tmpdir(), "fleet-health-"))

let server: Server | undefined
let path = ""
let nodes: ReadonlyArray<FakeNode> = []
let replicas: Array<Process> = []
const url = (): string => server?.url ?? ""

beforeAll(async () => {
  if (lacking !== undefined) return
  server = await startRedis()
  path = programPath("replica")
})
beforeEach(async () => {
  if (lacking !== undefined) return
  nodes = await Promise.all([1, 2, 3].map(() => startFakeNode({}, `/${SECRET}`)))
})
afterEach(async () => {
  await Promise.all(replicas.map(({ kill }) => kill()))
  replicas = []
  await Promise.all(nodes.map(({ end }) => end()))
})
afterAll(async () => {
  await server?.end()
  rmSync(folder, { recursive: true, force: true })
})

const replica = async (isShared = true): Promise<Process> => {
  const started = start(
    path,
    {
      REPLICA_NODES: nodes.map((each) => each.url).join(" "),
      ...(isShared ? { REPLICA_REDIS: url() } : {})
    },
    join(folder, "output")
  )
  replicas.push(started)
  await started.up
  return started
}

const node = (index: number): FakeNode => {
  const found = nodes[index]
  if (found === undefined) throw new Error("there are three nodes")
  return found
}

/** The calls that each node was sent. */
const calls = (): ReadonlyArray<number> => nodes.map(({ asked }) => asked("eth_gasPrice"))
const forget = (): void => {
  for (const { reset } of nodes) reset()
}

/** Asks until something is so. */
const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(20)
}

/** Has a replica check its nodes until one of them is the fastest for it: on a busy machine each of them may be late. */
const prefer = async (each: Process, index: number): Promise<void> => {
  await until(async () => {
    await sendCommand(each, "check")
    forget()
    expect((await sendCommand(each, "call")).ok).toBe(true)
    return calls().every((count, i) => count === (i === index ? 1 : 0))
  })
  forget()
}

/** Replicas of which each has checked its nodes: the first node is the fastest for all of them. */
const fleet = async (count: number, isShared = true): Promise<ReadonlyArray<Process>> => {
  node(1).delays.probe = 250
  node(2).delays.probe = 500
  const made = await Promise.all(Array.from({ length: count }, () => replica(isShared)))
  await Promise.all(made.map((each) => sendCommand(each, "call")))
  // one after another: what several ask of a busy machine at once says nothing of the nodes
  for (const each of made) await prefer(each, 0)
  return made
}

/** The hints in Redis, from the oldest to the newest. */
const hints = async (raw: Redis): Promise<ReadonlyArray<{ readonly id: string; readonly text: string }>> =>
  (await raw.xrange(KEY, "-", "+")).map(([id, [, text = ""]]) => ({ id, text }))

/** What an entry says of nodes. */
const hintsIn = (text = "{}"): ReadonlyArray<object> | undefined => JSON.parse(text).nodes

/** Does something that a replica tells the others, and waits until that is in Redis. */
const tell = async (raw: Redis, tag: "Failed" | "Cooled" | "Found", act: () => Promise<unknown>) => {
  const before = (await hints(raw)).at(-1)?.id
  await act()
  await until(async () => {
    const all = await hints(raw)
    return all
      .slice(all.findIndex(({ id }) => id === before) + 1)
      .some(({ text }) => text.includes(`"${tag}"`))
  })
}

/** The first replica calls while the first node fails, and when all others have heard of it they do, again and again. */
const afterFailing = async (all: ReadonlyArray<Process>, hint?: "Failed" | "Cooled"): Promise<void> => {
  const [first, ...others] = all
  if (first === undefined) throw new Error("there is a first replica")
  const call = async () => expect((await sendCommand(first, "call")).ok).toBe(true)
  if (hint === undefined) await call()
  else {
    const raw = new Redis(url())
    await tell(raw, hint, call).finally(() => raw.disconnect())
    for (const each of others) {
      // Redis has sent it by then: what a replica is asked for after that comes after it
      for (let i = 0; i < 5; i++) await sendCommand(each, "look")
      if (hint === "Failed") await until(async () => (await sendCommand(each, "look")).failed.length === 1)
    }
  }
  for (let i = 0; i < 3; i++)
    for (const each of [...others, first]) expect((await sendCommand(each, "call")).ok).toBe(true)
}

it.skipIf(lacking !== undefined)("leaves a failing node after one failed call in all", async () => {
  const alone = await fleet(4, false)
  node(0).state.mode = "lost"
  await afterFailing(alone)
  // each of them has a failed call of its own
  expect(calls()[0]).toBe(4)
  await Promise.all(alone.map(({ kill }) => kill()))

  node(0).state.mode = "well"
  const shared = await fleet(4)
  node(0).state.mode = "lost"
  await afterFailing(shared, "Failed")
  expect(calls()[0]).toBe(1)
  // the first has its failed call; the others have asked the node themselves, for none takes another's word
  for (const each of shared) expect((await sendCommand(each, "call")).failed).toHaveLength(1)
  expect(node(0).asked("eth_blockNumber")).toBeGreaterThanOrEqual(shared.length - 1)

  // it comes back by the replicas' own probes
  node(0).state.mode = "well"
  for (const each of shared) await until(async () => (await sendCommand(each, "look")).failed.length === 0)
})

it.skipIf(lacking !== undefined)("leaves a node with an empty quota, and does not probe it", async () => {
  const shared = await fleet(3)
  node(0).state.mode = "refuses"
  await afterFailing(shared, "Cooled")
  expect(calls()[0]).toBe(1)
  expect(node(0).asked("eth_blockNumber")).toBe(0)
})

it.skipIf(lacking !== undefined)("starts with a pool that the fleet knows", async () => {
  const cold = await replica(false)
  forget()
  await sendCommand(cold, "call")
  // where nothing is known, several are asked at once
  expect(calls().filter((count) => count > 0).length).toBeGreaterThan(1)

  node(0).delays.probe = 250
  node(1).delays.probe = 0
  node(2).delays.probe = 500
  const known = await replica()
  await sendCommand(known, "call")
  const raw = new Redis(url())
  try {
    // it tells what it has found once in a second
    await tell(raw, "Found", () => prefer(known, 1))
    await tell(raw, "Found", () => sendCommand(known, "check"))
    for (const each of nodes) each.delays.probe = 300
    forget()
    const warm = await replica()
    expect((await sendCommand(warm, "call")).ok).toBe(true)
    expect(calls()).toEqual([0, 1, 0])
    // the answer has waited for the node's own check
    expect(node(1).asked("eth_chainId")).toBe(1)

    for (const each of nodes) each.delays.probe = 0
    node(1).state.mode = "lost"
    await tell(raw, "Failed", async () => expect((await sendCommand(known, "call")).ok).toBe(true))
    forget()
    const later = await replica()
    expect((await sendCommand(later, "call")).ok).toBe(true)
    expect(calls()[1]).toBe(0)
  } finally {
    raw.disconnect()
  }

  // what the fleet knows may be wrong meanwhile
  node(0).state.mode = "lost"
  node(1).state.mode = "lost"
  const last = await replica()
  expect((await sendCommand(last, "call")).ok).toBe(true)
})

it.skipIf(lacking !== undefined)(
  "goes on while Redis is away, and hears others when it is back",
  async () => {
    const shared = await fleet(2)
    await server?.stop()
    try {
      for (const each of shared) expect(await sendCommand(each, "call")).toMatchObject({ ok: true })
      const late = await replica()
      expect((await sendCommand(late, "call")).ok).toBe(true)
      await late.kill()
      forget()
      node(0).state.mode = "lost"
      await afterFailing(shared)
      expect(calls()[0]).toBe(2)
      node(0).state.mode = "well"
    } finally {
      await server?.start()
    }
    const raw = new Redis(url())
    try {
      // both tell again what they find, and both listen
      await until(async () => {
        for (const each of shared) await sendCommand(each, "check")
        const tellers = new Set((await hints(raw)).map(({ text }) => /"from":"([^"]+)"/.exec(text)?.[1]))
        const listeners = String(await raw.call("CLIENT", "LIST")).split("cmd=xread").length - 1
        return tellers.size === 2 && listeners === 2
      })
    } finally {
      raw.disconnect()
    }
    for (const each of shared) await prefer(each, 0)
    node(0).state.mode = "lost"
    await afterFailing(shared, "Failed")
    expect(calls()[0]).toBe(1)
  }
)

/** A client of this process, and what its board has logged. */
const client = Effect.gen(function* () {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ annotations, message }) => {
    lines.push({ message, annotations: Object.fromEntries(annotations) })
  })
  const board = yield* Effect.provide(
    Health.make({ url: url() }),
    Logger.replace(Logger.defaultLogger, logger)
  )
  const sdk = yield* Sdk.makeHttp({
    network: "ethereum-mainnet",
    quiet: true,
    rpc: { nodes: nodes.map((each) => ({ url: each.url })) },
    health: health(board)
  })
  yield* sdk.rpc.gasPrice()
  const raw = yield* Effect.acquireRelease(
    Effect.sync(() => new Redis(url())),
    (made) => Effect.sync(() => made.disconnect())
  )
  yield* sdk.nodes.check
  // it tells what it has found once in a second
  yield* Effect.promise(() =>
    until(async () => (hintsIn((await hints(raw)).at(-1)?.text) ?? []).length === nodes.length)
  )
  return { lines, sdk }
})

it.skipIf(lacking !== undefined)("ignores what is hostile or garbled, and keeps keys to itself", async () => {
  const raw = new Redis(url())
  try {
    await Effect.gen(function* () {
      const { lines, sdk } = yield* client
      const entries = yield* Effect.promise(() => raw.xrange(KEY, "-", "+"))
      expect(entries.length).toBeGreaterThan(0)
      expect(JSON.stringify(entries)).not.toMatch(/127\.0\.0\.1|key-that/)
      expect(yield* Effect.promise(() => raw.pttl(KEY))).toBeGreaterThan(0)
      const [, [, text = ""] = []] = entries.at(-1) ?? []
      const entry = JSON.parse(text)
      expect(entry).toMatchObject({ network: "ethereum-mainnet", chain: 1 })
      const failing = entry.nodes.map(({ node }: { readonly node: string }) => ({ node, _tag: "Failed" }))
      expect(failing).toHaveLength(3)

      const garbled = [
        "",
        "{}",
        "null",
        '{"from":1}',
        "x".repeat(70_000),
        JSON.stringify({ ...entry, from: "x", nodes: [{ node: "no hash", _tag: "Failed" }] }),
        JSON.stringify({ ...entry, from: "x", nodes: [{ ...failing[0], _tag: "Well" }] }),
        JSON.stringify({ ...entry, from: "x", nodes: [{ ...failing[0], _tag: "Cooled", ms: 1e12 }] }),
        JSON.stringify({ ...entry, from: "x", nodes: Array.from({ length: 300 }, () => failing[0]) })
      ]
      for (const each of garbled) yield* Effect.promise(() => raw.xadd(KEY, "*", "hint", each))
      yield* Effect.promise(() => raw.xadd(KEY, "*", "__proto__", "hint"))
      yield* Effect.promise(() => until(async () => lines.length > 0))
      expect(lines[0]).toMatchObject({ annotations: { _tag: "HintIgnored" } })
      // lines of a flood are few
      expect(lines).toHaveLength(1)

      // that all have failed is no reason to have none, and none of them is out without its own probe
      const events: Array<string> = []
      sdk.nodes.listen(({ _tag }) => events.push(_tag))
      for (let i = 0; i < 5; i++) {
        yield* Effect.promise(() =>
          raw.xadd(KEY, "*", "hint", JSON.stringify({ ...entry, from: "x", nodes: failing }))
        )
        yield* Effect.sleep(50)
        yield* sdk.rpc.gasPrice()
      }
      expect(events).not.toContain("Failed")
      expect((yield* sdk.nodes.snapshot).some(({ failed }) => failed)).toBe(false)

      // a failed node is not well because somebody says so
      node(1).state.mode = "lost"
      yield* sdk.nodes.check
      const well = entry.nodes.map((each: object) => ({ ...each, _tag: "Found", height: 1e9, ms: 1 }))
      yield* Effect.promise(() =>
        raw.xadd(KEY, "*", "hint", JSON.stringify({ ...entry, from: "x", nodes: well }))
      )
      yield* Effect.sleep(100)
      expect((yield* sdk.nodes.snapshot).map(({ failed }) => failed)).toEqual([false, true, false])

      // of another chain, nothing is heard
      forget()
      yield* Effect.promise(() =>
        raw.xadd(KEY, "*", "hint", JSON.stringify({ ...entry, chain: 5, from: "x", nodes: failing }))
      )
      yield* Effect.sleep(300)
      expect(node(0).asked("eth_blockNumber")).toBe(0)

      // an entry of a time to come would hold up all others
      yield* Effect.promise(() => raw.xadd(KEY, `${Date.now() + 1e9}-1`, "hint", text))
      yield* Effect.sleep(600)
      forget()
      yield* Effect.sleep(5_000)
      const before = node(0).asked("eth_blockNumber")
      const asked = () => nodes.map(({ asked: times }) => times("eth_blockNumber"))
      yield* Effect.promise(() =>
        raw.xadd(KEY, "*", "hint", JSON.stringify({ ...entry, from: "x", nodes: failing.slice(0, 3) }))
      )
      // it is heard: the nodes that it names are probed
      yield* Effect.promise(() =>
        until(
          async () => asked().some((times) => times > 0) && (asked()[0] ?? 0) + (asked()[2] ?? 0) > before
        )
      )
    }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
  } finally {
    raw.disconnect()
  }
})

it.skipIf(lacking !== undefined)("prefers others to a node that is far behind elsewhere", async () => {
  const raw = new Redis(url())
  try {
    await Effect.gen(function* () {
      node(1).delays.probe = 250
      node(2).delays.probe = 500
      const { sdk } = yield* client
      /** Calls until a call goes to one of the nodes alone, after what comes before each. */
      const callsTo = (index: number, before: Effect.Effect<unknown> = Effect.sleep("20 millis")) =>
        Effect.zipRight(before, Effect.zipRight(Effect.sync(forget), sdk.rpc.gasPrice())).pipe(
          Effect.repeat({ until: () => calls().every((count, i) => count === (i === index ? 1 : 0)) })
        )
      // a busy machine may be late with any of them
      yield* callsTo(0, sdk.nodes.check)
      const entries = yield* Effect.promise(() => raw.xrevrange(KEY, "+", "-", "COUNT", 1))
      const [, [, text = ""] = []] = entries[0] ?? []
      const entry = JSON.parse(text)
      const found = (heights: ReadonlyArray<number>) =>
        JSON.stringify({
          ...entry,
          from: "x",
          nodes: entry.nodes.map((each: object, i: number) => ({ ...each, height: heights[i] }))
        })
      yield* Effect.promise(() => raw.xadd(KEY, "*", "hint", found([100, 200, 200])))
      yield* callsTo(1)
      // its own check decides
      node(0).state.height = 101
      yield* callsTo(0, sdk.nodes.check)
    }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
  } finally {
    raw.disconnect()
  }
})

it("says what is wrong with a url, and waits for a Redis that is away", async () => {
  await expect(Health.open({ url: "nothing" })).rejects.toThrow(/must be one of Redis/)
  await expect(Health.open({ url: "redis://127.0.0.1:1", keep: 0 })).rejects.toThrow(/keep must be/)
  const board = await Health.open({ url: "redis://127.0.0.1:1" })
  const member = {
    network: "ethereum-mainnet" as const,
    chain: 1,
    nodes: () => [],
    findings: () => [],
    onHints: () => {}
  }
  expect(board.join(member).initialHints).toEqual([])
  await board.close()
})
