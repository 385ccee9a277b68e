/** WebSockets of the sandbox, on a real anvil and a real Surfpool: who may open them, what goes through them, and what goes wrong. */
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { createPublicClient, webSocket } from "viem"
import { mainnet } from "viem/chains"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { init } from "../../src/promise.js"
import type { FaultInput } from "../../src/sandbox/Faults.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { requireBinary } from "../nodes/process.js"
import { take } from "../results.js"

const ID = "ethereum-mainnet"
const found = Effect.runSync(Effect.either(Sandbox.Anvil.binary))
const available = Either.isRight(found)
if (!available && process.env.CI === "true") it("has an anvil binary in CI", () => Promise.reject(found.left))
if (!available) console.log("left out: WebSockets of the sandbox (no anvil binary)")
const surfpool = requireBinary("surfpool", "WebSockets of the sandbox on Solana")

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

/** A client that keeps all that it hears. */
const open = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const socket = new WebSocket(url.replace(/^http/, "ws"), { headers: { ...headers } })
  const texts: Array<string> = []
  let closed: number | undefined
  let pongs = 0
  let ids = 0
  socket.on("message", (data) => texts.push(String(data)))
  socket.on("close", (code) => {
    closed = code
  })
  socket.on("pong", () => pongs++)
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve)
    socket.on("error", reject)
    socket.once("unexpected-response", (_, response) => {
      response.setEncoding("utf8").on("data", (text) => reject(new Error(`${response.statusCode} ${text}`)))
    })
  })
  const parsed = () =>
    texts.flatMap((text): ReadonlyArray<unknown> => {
      try {
        return [JSON.parse(text)]
      } catch {
        return []
      }
    })
  const send = (method: string, ...params: ReadonlyArray<unknown>): number => {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params }))
    return ids
  }
  return {
    texts,
    send,
    ask: async (method: string, ...params: ReadonlyArray<unknown>): Promise<unknown> => {
      const id = send(method, ...params)
      const answer = () => parsed().find((said) => field(said, "id") === id)
      await expect.poll(answer, soon).toBeDefined()
      return field(answer(), "result") ?? field(answer(), "error")
    },
    list: (items: unknown) => socket.send(JSON.stringify(items)),
    heads: () =>
      parsed().flatMap((said) =>
        field(said, "method") === "eth_subscription"
          ? [Number(field(said, "params", "result", "number"))]
          : []
      ),
    parsed,
    ping: () => socket.ping(),
    pongs: () => pongs,
    closed: () => closed,
    close: () => socket.terminate()
  }
}

const soon = { interval: 10 }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.runIf(available)("WebSockets of an EVM network", () => {
  const scope = Effect.runSync(Scope.make())
  const clients: Array<{ readonly close: () => void }> = []
  let sandbox: Sandbox.SandboxService
  const network = () => sandbox.network(ID)
  const node = (i = 0) => {
    const at = network().nodes[i]
    if (at === undefined) throw new Error(`no node ${i}`)
    return at
  }
  const mine = (blocks = 1) => Effect.runPromise(network().mine(blocks))
  const height = () => Effect.runPromise(network().height)
  const fault = (rule: FaultInput["fault"], more: Partial<FaultInput> = {}) =>
    Effect.runPromise(sandbox.faults.add({ target: { socket: true }, fault: rule, ...more }))
  const client = async (url = node().url, headers: Readonly<Record<string, string>> = {}) => {
    const opened = await open(url, headers)
    clients.push(opened)
    return opened
  }
  /** A client that hears of heads. */
  const listener = async (url = node().url) => {
    const opened = await client(url)
    await opened.ask("eth_subscribe", "newHeads")
    return opened
  }

  beforeAll(async () => {
    sandbox = await Effect.runPromise(
      Scope.extend(
        Sandbox.make({
          networks: [{ network: ID, nodes: 2, archive: 0 }],
          apiKeys: [
            { key: "", requestsPerSecond: 1_000 },
            { key: "good" },
            { key: "poor", credits: 3 },
            { key: "slow", requestsPerSecond: 2 }
          ]
        }),
        scope
      )
    )
  })
  afterEach(async () => {
    await Effect.runPromise(sandbox.faults.clear())
    for (const each of clients.splice(0)) each.close()
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("carry calls, lists and subscriptions, to every node of the chain", async () => {
    const [first, second] = [await listener(node(0).url), await listener(node(1).url)]
    const before = await height()
    expect(await first.ask("eth_chainId")).toBe("0x1")
    expect(await first.ask("evm_mine", {})).toBe("0x0")
    expect(await first.ask("evm_mine", {})).toBe("0x0")
    for (const each of [first, second]) await expect.poll(each.heads, soon).toEqual([before + 1, before + 2])
    first.list([
      { jsonrpc: "2.0", id: "a", method: "eth_blockNumber", params: [] },
      { jsonrpc: "2.0", id: "b", method: "eth_subscribe", params: ["newPendingTransactions"] }
    ])
    await expect
      .poll(() => first.parsed().find(Array.isArray), soon)
      .toMatchObject([
        { id: "a", result: `0x${(before + 2).toString(16)}` },
        { id: "b", result: expect.stringMatching(/^0x/) }
      ])
    const [from, to] = sandbox.accounts
    const sent = await second.ask("eth_sendTransaction", {
      from: from?.address,
      to: to?.address,
      value: "0x1"
    })
    await expect
      .poll(() => first.parsed().some((said) => field(said, "params", "result") === sent), soon)
      .toBe(true)
    expect(await first.ask("eth_unsubscribe", "0x1")).toBe(false)
  })

  it("carry viem's", async () => {
    const chain = createPublicClient({
      chain: mainnet,
      transport: webSocket(node().url.replace("http", "ws"))
    })
    const numbers: Array<bigint> = []
    const stop = chain.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number) })
    // the first number says that it is watched
    await expect
      .poll(async () => {
        await mine()
        return numbers.length
      }, soon)
      .toBeGreaterThan(0)
    const before = BigInt(await height())
    await mine(2)
    await expect.poll(() => numbers.at(-1), soon).toBe(before + 2n)
    stop()
    const { close } = await chain.transport.getRpcClient()
    close()
  })

  it("are opened at the gateway with the same keys, and messages count as requests", async () => {
    const gateway = `${sandbox.baseUrl}/v3/blockchain/node/${ID}`
    await expect(client(`${gateway}/invalid`)).rejects.toThrow(/401 .*subscription.invalid/)
    await expect(client(gateway, { "x-api-key": "bad" })).rejects.toThrow(/401/)
    const good = await listener(`${gateway}/good`)
    const before = await height()
    await mine()
    await expect.poll(good.heads, soon).toEqual([before + 1])
    // the opening, and two calls
    const poor = await client(gateway, { "x-api-key": "poor" })
    expect(await poor.ask("eth_chainId")).toBe("0x1")
    expect(await poor.ask("eth_chainId")).toBe("0x1")
    expect(await poor.ask("eth_chainId")).toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/403.*used up/)
    })
    const slow = await client(gateway, { "x-api-key": "slow" })
    expect(await slow.ask("eth_chainId")).toBe("0x1")
    expect(await slow.ask("eth_chainId")).toMatchObject({
      code: -32_005,
      message: expect.stringMatching(/429/)
    })
    await expect(client(`${sandbox.baseUrl}/v3/data/balances`)).rejects.toThrow(/40\d/)
    await expect(client(`${sandbox.baseUrl}/v3/blockchain/node/none`)).rejects.toThrow(/404/)
  })

  it("are refused to pages of other origins and under other names", async () => {
    await expect(client(node().url, { origin: "https://evil.test" })).rejects.toThrow(/403 .*sandbox.origin/)
    await expect(client(node().url, { host: "evil.test" })).rejects.toThrow(/403 .*sandbox.host/)
    await client(node().url, { origin: "http://localhost:3000" })
  })

  it("leave requests alone that offer another protocol", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(node().url).port), "127.0.0.1")
      let said = ""
      socket.on("error", reject).on("data", (chunk) => {
        said += chunk
        if (said.includes("}")) {
          socket.destroy()
          resolve(said)
        }
      })
      const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
      socket.write(head + body.slice(0, 10))
      setTimeout(() => socket.write(body.slice(10)), 50)
    })
    expect(text).toContain("200 OK")
    expect(text).toContain('"result":"0x1"')
  })

  it("end with their node, and with the sandbox's server", async () => {
    const opened = await listener(node(1).url)
    await Effect.runPromise(node(1).stop)
    await expect.poll(opened.closed, soon).toBe(1006)
    await expect(client(node(1).url)).rejects.toThrow(/ECONNREFUSED/)
    await Effect.runPromise(node(1).restart)
    const again = await listener(node(1).url)
    const before = await height()
    await mine()
    await expect.poll(again.heads, soon).toEqual([before + 1])
  })

  it("can be refused, by status, by rate and by a reset", async () => {
    const target = { socket: true, verb: "GET" } as const
    await fault({ kind: "status", status: 503 }, { target, times: 1 })
    await expect(client()).rejects.toThrow(/503/)
    await fault({ kind: "reset" }, { target, times: 1 })
    await expect(client()).rejects.toThrow(/ECONNRESET|hang up/)
    await fault({ kind: "rateLimit", requests: 1, perMs: 60_000 }, { target })
    const opened = await client()
    expect(await opened.ask("eth_chainId")).toBe("0x1")
    await expect(client()).rejects.toThrow(/429/)
    // what is no socket is let through
    expect(await height()).toBeGreaterThan(0)
    expect((await Effect.runPromise(sandbox.faults.requests(2))).map(({ socket }) => socket)).toContain(true)
  })

  it("close after so many messages, or so much time, with a code or without", async () => {
    await fault({ kind: "close", messages: 3, code: 1012 })
    const counted = await listener()
    await mine(5)
    await expect.poll(counted.closed, soon).toBe(1012)
    expect(counted.texts).toHaveLength(3)
    await Effect.runPromise(sandbox.faults.clear())
    const timed = await listener()
    await fault({ kind: "close", ms: 1_000 }, { times: 1 })
    expect(timed.closed()).toBe(undefined)
    await expect.poll(timed.closed, soon).toBe(1006)
    expect((await listener()).closed()).toBe(undefined)
  })

  it("fall silent, pongs included, and speak again when that is over", async () => {
    const [opened, witness] = [await listener(node(0).url), await listener(node(1).url)]
    const before = await height()
    opened.ping()
    await expect.poll(opened.pongs, soon).toBe(1)
    await fault({ kind: "silence" }, { target: { socket: true, node: "normal-1" } })
    opened.ping()
    opened.send("eth_chainId")
    await mine()
    await expect.poll(witness.heads, soon).toEqual([before + 1])
    await Effect.runPromise(sandbox.faults.clear())
    await mine()
    // whatever had not been kept back would have come before this
    await expect.poll(opened.heads, soon).toEqual([before + 2])
    expect(opened.pongs()).toBe(1)
    expect(opened.parsed().filter((said) => field(said, "result") === "0x1")).toEqual([])
    expect(opened.closed()).toBe(undefined)
  })

  it("lag, repeat, mix up and lose notifications, and leave answers alone", async () => {
    const target = { socket: true, method: "eth_subscription" } as const
    const opened = await listener()
    const before = await height()
    await fault({ kind: "slow", ms: 1_500 }, { target })
    const start = performance.now()
    await mine()
    // the answer comes before the head that was there before it
    expect(await opened.ask("eth_chainId")).toBe("0x1")
    expect(opened.heads()).toEqual([])
    await expect.poll(opened.heads, soon).toEqual([before + 1])
    expect(performance.now() - start).toBeGreaterThan(1_490)
    await Effect.runPromise(sandbox.faults.clear())
    await fault({ kind: "duplicate" }, { target, times: 1 })
    await mine(2)
    await expect.poll(() => opened.heads().slice(1), soon).toEqual([before + 2, before + 2, before + 3])
    await fault({ kind: "reorder" }, { target, times: 1 })
    await mine(3)
    await expect.poll(() => opened.heads().slice(4), soon).toEqual([before + 5, before + 4, before + 6])
    await fault({ kind: "freeze" }, { target, times: 1 })
    await mine(2)
    await expect.poll(() => opened.heads().slice(7), soon).toEqual([before + 8])
    await fault({ kind: "reorder" }, { target, times: 1 })
    await mine()
    await expect.poll(() => opened.heads().slice(8), soon).toEqual([before + 9])
  })

  it("spoil messages, cut them short and cut the connection", async () => {
    const target = { socket: true, method: "eth_subscription" } as const
    const opened = await listener()
    for (const kind of ["garbage", "truncate", "corrupt"] as const)
      await fault({ kind }, { target, times: 1, after: 0 })
    await mine(1)
    await expect.poll(() => opened.texts.length, soon).toBe(2)
    await fault({ kind: "slowBody", ms: 200 }, { target, times: 1 })
    await Effect.runPromise(sandbox.faults.clear())
    await fault({ kind: "corrupt", how: "drop", changes: 20 }, { target, times: 1 })
    await mine(1)
    await expect.poll(() => opened.texts.length, soon).toBe(3)
    const fields = Object.keys(Object(field(JSON.parse(opened.texts[2] ?? ""), "params", "result")))
    expect(fields.length).toBeLessThan(12)
    await fault({ kind: "stall" }, { target, times: 1 })
    await mine(2)
    await pause(200)
    expect(opened.texts).toHaveLength(3)
    expect(opened.closed()).toBe(undefined)
    const second = await listener()
    await fault({ kind: "reset" }, { target })
    await mine()
    await expect.poll(second.closed, soon).toBe(1006)
  })

  it("spoil calls as requests are spoilt", async () => {
    const opened = await client()
    await fault(
      { kind: "error", code: -32_099, message: "no" },
      { target: { method: "eth_chainId" }, times: 1 }
    )
    expect(await opened.ask("eth_chainId")).toEqual({ code: -32_099, message: "no" })
    await fault({ kind: "wrongChain", chainId: 5 }, { times: 1 })
    expect(await opened.ask("eth_chainId")).toBe("0x5")
    await fault({ kind: "status", status: 503 }, { times: 1 })
    expect(await opened.ask("eth_chainId")).toMatchObject({
      code: -32_000,
      message: expect.stringMatching(/^HTTP 503/)
    })
    await fault({ kind: "slow", ms: 200 }, { times: 1 })
    const start = performance.now()
    await opened.ask("eth_chainId")
    expect(performance.now() - start).toBeGreaterThan(190)
    await fault({ kind: "reset" }, { times: 1 })
    opened.send("eth_chainId")
    await expect.poll(opened.closed, soon).toBe(1006)
  })

  it("are held back, and lie, as requests are", async () => {
    const opened = await listener()
    const before = await height()
    await fault({ kind: "stale", blocks: 2 }, { target: { node: "normal-1" } })
    await mine(4)
    await expect.poll(opened.heads, soon).toEqual([before + 1, before + 2])
    expect(Number(await opened.ask("eth_blockNumber"))).toBe(before + 2)
    await Effect.runPromise(sandbox.faults.clear())
    await mine(1)
    await expect.poll(opened.heads, soon).toEqual([1, 2, 3, 4, 5].map((by) => before + by))
    await fault({ kind: "lying", blocks: 100 }, { target: { node: "normal-1" } })
    await mine(1)
    await expect.poll(() => opened.heads().at(-1), soon).toBe(before + 106)
  })

  it("have rules that make sense alone", async () => {
    const refused = async (rule: FaultInput) =>
      Effect.runPromise(Effect.flip(sandbox.faults.add(rule))).then(({ message }) => message)
    expect(await refused({ fault: { kind: "duplicate" }, target: { socket: false } })).toMatch(/WebSockets/)
    expect(await refused({ fault: { kind: "close" }, target: { method: "eth_call" } })).toMatch(/as a whole/)
    expect(await refused({ fault: { kind: "close", code: 1006 } })).toMatch(/code to close a WebSocket/)
  })

  it("carry the SDK's own subscriptions over whatever happens to them", async () => {
    const sdk = await init({
      ...sandbox.config(ID),
      apiKey: "good",
      quiet: true,
      rpc: { statusCheckInterval: 500 },
      subscriptions: { idle: 300, timeout: 600 }
    })
    const heads: Array<number> = []
    const following = (async () => {
      for await (const head of sdk.rpc.subscribe.newHeads()) heads.push(Number(take(head).number))
    })().catch(() => {})
    const before = await height()
    const countHeads = async (): Promise<number> => {
      await mine()
      return heads.length
    }
    await expect.poll(countHeads, { ...soon, interval: 200 }).toBeGreaterThan(0)
    const first = heads[0] ?? 0
    expect(first).toBeGreaterThan(before)
    for (const rule of [
      { kind: "close" },
      { kind: "silence" },
      { kind: "duplicate" },
      { kind: "reorder" },
      { kind: "garbage" }
    ] as const) {
      await fault(rule, { times: 1 })
      await mine(3)
      await pause(200)
      await Effect.runPromise(sandbox.faults.clear())
      const last = await height()
      await expect.poll(() => heads.at(-1), { interval: 20 }).toBe(last)
    }
    // each once, and in order
    expect(heads).toEqual(heads.map((_, i) => first + i))
    await sdk.destroy()
    await following
  })
})

describe.runIf(surfpool)("WebSockets of Solana", () => {
  it("carry the SDK's own subscriptions over whatever happens to them", async () => {
    const scope = Effect.runSync(Scope.make())
    const sandbox = await Effect.runPromise(
      Scope.extend(Sandbox.make({ networks: [{ network: "solana-mainnet" }] }), scope)
    )
    const sdk = await init({
      ...sandbox.config("solana-mainnet"),
      quiet: true,
      subscriptions: { idle: 500, timeout: 1_000 }
    })
    const slots: Array<number> = []
    const following = (async () => {
      for await (const said of sdk.rpc.subscribe.slot()) slots.push(Number(take(said).slot))
    })().catch(() => {})
    await expect.poll(() => slots.length, soon).toBeGreaterThan(3)
    for (const fault of [{ kind: "close" }, { kind: "silence" }, { kind: "duplicate" }] as const) {
      await Effect.runPromise(sandbox.faults.add({ target: { socket: true }, fault, times: 1 }))
      await pause(200)
      await Effect.runPromise(sandbox.faults.clear())
      const seen = slots.length
      await expect.poll(() => slots.length).toBeGreaterThan(seen + 3)
    }
    const opened = await open(sandbox.network("solana-mainnet").nodes[0]?.url ?? "")
    expect(await opened.ask("getHealth")).toBe("ok")
    expect(await opened.ask("slotSubscribe")).toEqual(expect.any(Number))
    await expect
      .poll(() => opened.parsed().some((said) => field(said, "method") === "slotNotification"), soon)
      .toBe(true)
    opened.close()
    await sdk.destroy()
    await following
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
