// @runtime both
/** The adapters between the pool and other libraries, over real HTTP: broadcasts, filters, and the end of the client. */
import { createServer, type Server } from "node:http"
import { keccak_256 } from "@noble/hashes/sha3.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Scope from "effect/Scope"
import { afterEach, describe, expect, it } from "vitest"
import { make as makeProvider, ProviderRpcError } from "../src/client/adapters/Eip1193.js"
import * as Sdk from "../src/client/Sdk.js"
import * as Evm from "../src/entries/Evm.js"
import { layerFetch } from "../src/http/Http.js"
import { init, type PromiseSdk, type Result } from "../src/promise.js"
import { runs } from "./properties.js"

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"

/** What a node does with a request: it answers with a result, throws an error of JSON-RPC, or says nothing. */
type Serve = (request: Request) => unknown

class Refusal {
  constructor(
    readonly code: number,
    readonly message: string
  ) {}
}

/** Ends the connection; or keeps it, and never answers. */
const silence = Symbol("silence")
const patience = Symbol("patience")

const servers = new Set<Server>()
const clients: Array<AsyncDisposable> = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client[Symbol.asyncDispose]()))
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  servers.clear()
})

const serving = async (serve: Serve) => {
  const asked: Array<string> = []
  const answer = (request: Request): object | typeof silence | typeof patience => {
    asked.push(request.method)
    try {
      const result = serve({ ...request, params: request.params ?? [] })
      return result === silence || result === patience ? result : { jsonrpc: "2.0", id: request.id, result }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { jsonrpc: "2.0", id: request.id, error: { code: error.code, message: error.message } }
    }
  }
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const body: Request | ReadonlyArray<Request> = JSON.parse(Buffer.concat(chunks).toString())
    const answers = Array.isArray(body) ? body.map(answer) : answer(body as Request)
    if (answers === patience) return
    if (answers === silence || (Array.isArray(answers) && answers.includes(silence))) request.socket.destroy()
    else response.setHeader("content-type", "application/json").end(JSON.stringify(answers))
  })
  servers.add(server)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  const stop = async (): Promise<void> => {
    servers.delete(server)
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${address.port}`, asked, stop }
}

const client = async (
  nodes: ReadonlyArray<{ readonly url: string }>,
  selection: "fastest" | "round-robin" = "fastest"
): Promise<PromiseSdk<"polygon-mainnet">> => {
  const sdk = await init({
    network: "polygon-mainnet",
    rpc: { nodes: nodes.map(({ url }) => ({ url })), oneTimeLoadBalancing: true },
    retryDelay: 1,
    timeout: 5_000,
    verifyChain: false,
    selection,
    quiet: true
  })
  clients.push(sdk)
  return sdk
}

const take = <A>(result: Result<A, unknown>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

const raw = "0x02f86c0182"
const hashOf = (signed: string): string =>
  `0x${Buffer.from(keccak_256(Buffer.from(signed.slice(2), "hex"))).toString("hex")}`

describe("a signed transaction, whose first node takes it and hangs up", () => {
  /** Two nodes of one pool of transactions. The first one that is sent to hangs up, having taken what it got. */
  const pool = async () => {
    const known = new Set<unknown>()
    let lost = 0
    const serve: Serve = ({ method, params: [first] }) => {
      if (method === "eth_blockNumber") return "0x10"
      if (method === "evm_increaseTime") {
        lost++
        return silence
      }
      if (method !== "eth_sendRawTransaction") throw new Refusal(-32601, `no ${method}`)
      if (known.has(first)) throw new Refusal(-32000, "already known")
      known.add(first)
      lost++
      return silence
    }
    const nodes = await Promise.all([serving(serve), serving(serve)])
    return { nodes, known, lost: () => lost }
  }

  const request = { method: "eth_sendRawTransaction", params: [raw] }
  type Rpc = PromiseSdk<"polygon-mainnet">["rpc"]
  const ways: ReadonlyArray<readonly [string, (rpc: Rpc) => Promise<unknown>]> = [
    ["the typed method", async (rpc) => take(await rpc.sendRawTransaction(raw))],
    ["a raw call", async (rpc) => take(await rpc.rawRpcCall(request))],
    [
      "a raw batch",
      async (rpc) => {
        const [sent, height] = take(
          await rpc.rawBatchRpcCall([request, { method: "eth_blockNumber", params: [] }])
        )
        expect(height).toMatchObject({ data: "0x10" })
        return sent === undefined ? undefined : take(sent)
      }
    ],
    ["EIP-1193", (rpc) => rpc.eip1193().request(request)],
    ["viem's transport", (rpc) => rpc.viemTransport()().request(request)],
    ["web3's provider", async (rpc) => (await rpc.web3Provider().request(request)).result]
  ]
  it.each(ways)("goes through by way of %s", async (_, send) => {
    const { known, lost, nodes } = await pool()
    const { rpc } = await client(nodes)
    expect(await send(rpc)).toBe(hashOf(raw))
    expect([...known]).toEqual([raw])
    expect(lost()).toBe(1)
  })

  /** The first node mines what it has taken. `has` is what the others know of it. */
  const mined = async (has: (hash: unknown) => unknown) => {
    let taken = 0
    const nodes = await Promise.all(
      [0, 1].map(() =>
        serving(({ method, params: [first] }) => {
          if (method === "eth_blockNumber") return "0x10"
          if (method === "eth_getTransactionByHash") return has(first)
          if (method !== "eth_sendRawTransaction") throw new Refusal(-32601, `no ${method}`)
          if (taken++ > 0) throw new Refusal(-32000, "nonce too low: next nonce 8, tx nonce 7")
          return silence
        })
      )
    )
    return { ...(await client(nodes)), nodes }
  }

  it.each(ways)("is on the chain already, and goes through by way of %s", async (_, send) => {
    const { rpc } = await mined((hash) => (hash === hashOf(raw) ? { hash } : null))
    expect(await send(rpc)).toBe(hashOf(raw))
  })

  // web3 takes the refusals of nodes as answers
  it.each(ways.slice(0, -1))("is not another one that has its nonce, by way of %s", async (_, send) => {
    const { nodes, rpc } = await mined(() => null)
    await expect(send(rpc)).rejects.toMatchObject({ message: expect.stringMatching(/nonce too low/) })
    const asked = nodes.flatMap(({ asked }) => asked)
    expect(asked.filter((method) => method === "eth_sendRawTransaction")).toHaveLength(2)
  })

  it("is looked for where its nonce was refused: other nodes may be behind", async () => {
    let taken = 0
    const nodes = await Promise.all(
      [0, 1, 2].map(() => {
        let hasRefused = false
        return serving(({ method, params: [first] }) => {
          if (method === "eth_blockNumber") return "0x10"
          if (method === "eth_getTransactionByHash") return hasRefused ? { hash: first } : null
          if (taken++ === 0) return silence
          hasRefused = true
          throw new Refusal(-32000, "nonce too low")
        })
      })
    )
    const { rpc } = await client(nodes, "round-robin")
    expect(take(await rpc.sendRawTransaction(raw))).toBe(hashOf(raw))
  })

  it("that nobody has taken before is refused for its nonce without another question", async () => {
    const serve: Serve = ({ method }) => {
      if (method === "eth_blockNumber") return "0x10"
      throw new Refusal(-32000, `nonce too low, and no ${method}`)
    }
    const nodes = await Promise.all([serving(serve), serving(serve)])
    const { rpc } = await client(nodes)
    expect(await rpc.sendRawTransaction(raw)).toMatchObject({
      error: { message: ["nonce too low, and no eth_sendRawTransaction"] }
    })
    expect(nodes.flatMap(({ asked }) => asked)).not.toContain("eth_getTransactionByHash")
  })

  it("that another one has sent before is an error in a batch, too", async () => {
    const { known, nodes } = await pool()
    known.add(raw)
    const { rpc } = await client(nodes)
    const [sent] = take(await rpc.rawBatchRpcCall([request]))
    expect(sent).toMatchObject({ status: "ERROR", error: { message: ["already known"] } })
  })

  it.each<readonly [string, (rpc: Rpc) => Promise<unknown>]>([
    ["a raw call", async (rpc) => take(await rpc.rawRpcCall({ method: "evm_increaseTime", params: [5] }))],
    [
      "a raw batch",
      async (rpc) => take(await rpc.rawBatchRpcCall([{ method: "evm_increaseTime" }, request]))
    ],
    ["EIP-1193", (rpc) => rpc.eip1193().request({ method: "evm_increaseTime", params: [5] })]
  ])("is not what an unknown method is: it is not sent again by way of %s", async (_, send) => {
    const { lost, nodes } = await pool()
    const { rpc } = await client(nodes)
    await expect(send(rpc)).rejects.toBeDefined()
    const once = lost()
    expect(once).toBeLessThanOrEqual(2)
    expect(
      nodes.flatMap(({ asked }) => asked).filter((method) => method === "evm_increaseTime")
    ).toHaveLength(1)
  })

  it("goes through kit's transport, under its signature", async () => {
    const wire = Buffer.from([1, ...Array.from({ length: 64 }, (_, i) => i), 9, 9]).toString("base64")
    const known = new Set<unknown>()
    const serve: Serve = ({ method, params: [first] }) => {
      if (method === "getBlockHeight") return 5
      if (known.has(first)) throw new Refusal(-32002, "This transaction has already been processed")
      known.add(first)
      return silence
    }
    const nodes = await Promise.all([serving(serve), serving(serve)])
    const sdk = await init({
      network: "solana-mainnet",
      rpc: { nodes: nodes.map(({ url }) => ({ url })), oneTimeLoadBalancing: true },
      quiet: true
    })
    clients.push(sdk)
    const payload = {
      jsonrpc: "2.0",
      id: "7",
      method: "sendTransaction",
      params: [wire, { encoding: "base64" }]
    }
    const send = sdk.rpc.kitTransport()
    expect(await send({ payload })).toMatchObject({ id: "7", result: expect.stringMatching(/^1\w{60,}$/) })
    await sdk.destroy()
    await expect(send({ payload })).rejects.toMatchObject({ _tag: "Aborted" })
  })
})

interface Entry {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly logIndex: string
  readonly removed: boolean
}

const hex = (value: number): string => `0x${value.toString(16)}`

/** A chain, and the nodes that follow it. */
class World {
  readonly blocks: Array<{ readonly hash: string; readonly logs: ReadonlyArray<Entry> }> = []
  readonly nodes: Array<FakeNode> = []
  private made = 0

  constructor() {
    for (let i = 0; i < 10; i++) this.mine([])
  }
  get height(): number {
    return this.blocks.length - 1
  }
  mine(logs: ReadonlyArray<string>): void {
    const number = this.blocks.length
    const hash = `0x${(++this.made).toString(16).padStart(64, "0")}`
    const entries = logs.map((data, i) => ({
      address: "0xa",
      topics: [],
      data,
      blockNumber: hex(number),
      blockHash: hash,
      logIndex: hex(i),
      removed: false
    }))
    this.blocks.push({ hash, logs: entries })
    for (const node of this.nodes) node.saw(hash, entries)
  }
  /** The last blocks make way for others. */
  reorganise(depth: number, logs: ReadonlyArray<ReadonlyArray<string>>): void {
    for (const { logs } of this.blocks.splice(-depth).reverse())
      for (const node of this.nodes) node.tookBack(logs)
    for (const each of logs) this.mine(each)
  }
  between(from: number, to: number): ReadonlyArray<Entry> {
    return this.blocks.slice(from, to + 1).flatMap(({ logs }) => logs)
  }
}

/** A node as geth is one: filters are its own, and a poll takes away what it tells. */
class FakeNode {
  readonly filters = new Map<unknown, { readonly kind: string; queue: Array<unknown> }>()
  readonly asked: Array<string> = []
  /** What it does with polls: it may have taken away what nobody gets. */
  mode: "up" | "down" | "lossy" = "up"
  private made = 0

  constructor(private readonly world: World) {
    world.nodes.push(this)
  }
  saw(hash: string, logs: ReadonlyArray<Entry>): void {
    for (const { kind, queue } of this.filters.values())
      queue.push(
        ...(kind === "eth_newFilter" ? logs : kind === "eth_newBlockFilter" ? [hash] : [`tx of ${hash}`])
      )
  }
  tookBack(logs: ReadonlyArray<Entry>): void {
    for (const { kind, queue } of this.filters.values())
      if (kind === "eth_newFilter") queue.push(...logs.map((log) => ({ ...log, removed: true })))
  }
  restart(): void {
    this.filters.clear()
  }
  readonly serve: Serve = ({ method, params }) => {
    this.asked.push(method)
    if (this.mode === "down") return silence
    const said = this.answer(method, params)
    return this.mode === "lossy" && method === "eth_getFilterChanges" ? silence : said
  }
  private answer(method: string, [first]: ReadonlyArray<unknown>): unknown {
    const { world } = this
    switch (method) {
      case "eth_blockNumber":
        return hex(world.height)
      case "eth_getBlockByNumber": {
        const { hash } = world.blocks[world.height] ?? { hash: "" }
        return { number: hex(world.height), hash, parentHash: world.blocks[world.height - 1]?.hash ?? "" }
      }
      case "eth_getLogs": {
        const { fromBlock, toBlock } = Object(first)
        return world.between(Number(fromBlock ?? 0), toBlock === undefined ? world.height : Number(toBlock))
      }
      case "eth_newFilter":
      case "eth_newBlockFilter":
      case "eth_newPendingTransactionFilter": {
        const id = hex(++this.made)
        this.filters.set(id, { kind: method, queue: [] })
        return id
      }
      case "eth_getFilterChanges": {
        const filter = this.filters.get(first)
        if (filter === undefined) throw new Refusal(-32000, "filter not found")
        return filter.queue.splice(0)
      }
      case "eth_getFilterLogs": {
        if (!this.filters.has(first)) throw new Refusal(-32000, "filter not found")
        return world.between(0, world.height)
      }
      case "eth_uninstallFilter":
        return this.filters.delete(first)
      default:
        throw new Refusal(-32601, `no ${method}`)
    }
  }
}

const filtering = async (count: number, selection: "fastest" | "round-robin" = "round-robin") => {
  const world = new World()
  const nodes = Array.from({ length: count }, () => new FakeNode(world))
  const served = await Promise.all(nodes.map(({ serve }) => serving(serve)))
  const sdk = await client(served, selection)
  const provider = sdk.rpc.eip1193()
  const ask = (method: string, ...params: ReadonlyArray<unknown>) => provider.request({ method, params })
  /** The node with a filter of this kind. */
  const holder = (kind: string): FakeNode => {
    const found = nodes.filter(({ filters }) => [...filters.values()].some((filter) => filter.kind === kind))
    const [only] = found
    if (found.length !== 1 || only === undefined) throw new Error(`${found.length} nodes have such a filter`)
    return only
  }
  return { ask, holder, nodes, sdk, served, world }
}

const dataOf = (logs: unknown): ReadonlyArray<string> =>
  (Array.isArray(logs) ? logs : [logs]).map((log) =>
    typeof log === "object" && log !== null ? `${log.removed === true ? "-" : ""}${log.data}` : String(log)
  )

describe("filters", () => {
  it("are asked, read and ended at the node that has made them, under an id of the client's own", async () => {
    const { ask, holder, nodes, world } = await filtering(3)
    const ids = await Promise.all([
      ask("eth_newFilter", { address: "0xa" }),
      ask("eth_newFilter", { address: "0xa" }),
      ask("eth_newBlockFilter"),
      ask("eth_newPendingTransactionFilter")
    ])
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{32}$/)
    for (let i = 0; i < 6; i++) {
      world.mine([`log ${i}`])
      const hash = world.blocks.at(-1)?.hash
      const [logs, again, blocks, pending] = await Promise.all(
        ids.map((id) => ask("eth_getFilterChanges", id))
      )
      expect([dataOf(logs), dataOf(again)]).toEqual([[`log ${i}`], [`log ${i}`]])
      expect([blocks, pending]).toEqual([[hash], [`tx of ${hash}`]])
    }
    expect(dataOf(await ask("eth_getFilterLogs", ids[0]))).toHaveLength(6)
    holder("eth_newBlockFilter")
    expect(await Promise.all(ids.map((id) => ask("eth_uninstallFilter", id)))).toEqual([
      true,
      true,
      true,
      true
    ])
    expect(nodes.flatMap(({ filters }) => [...filters.keys()])).toEqual([])
    expect(await ask("eth_uninstallFilter", ids[0])).toBe(false)
    await expect(ask("eth_getFilterChanges", ids[0])).rejects.toMatchObject({
      code: -32000,
      message: "filter not found"
    })
  })

  it("of raw calls are the same as those of the provider", async () => {
    const { sdk, world } = await filtering(3)
    const call = async (method: string, ...params: ReadonlyArray<unknown>) =>
      take(await sdk.rpc.rawRpcCall({ method, params }))
    const id = await call("eth_newFilter", {})
    for (const log of ["a", "b", "c"]) {
      world.mine([log])
      expect(dataOf(await call("eth_getFilterChanges", id))).toEqual([log])
    }
  })

  it("of raw batches are the same, beside calls that travel as one list", async () => {
    const { holder, nodes, sdk, world } = await filtering(3)
    const batch = async (...bodies: ReadonlyArray<readonly [method: string, ...params: Array<unknown>]>) =>
      take(await sdk.rpc.rawBatchRpcCall(bodies.map(([method, ...params]) => ({ method, params })))).map(take)
    const [height, id, own] = await batch(["eth_blockNumber"], ["eth_newFilter", {}], ["eth_newBlockFilter"])
    expect(height).toBe(hex(world.height))
    expect([id, own]).toEqual([1, 2].map(() => expect.stringMatching(/^0x[0-9a-f]{32}$/)))
    for (const log of ["a", "b", "c"]) {
      world.mine([log])
      const [logs, hashes] = await batch(["eth_getFilterChanges", id], ["eth_getFilterChanges", own])
      expect([dataOf(logs), hashes]).toEqual([[log], [world.blocks.at(-1)?.hash]])
    }
    holder("eth_newFilter").restart()
    world.mine(["d"])
    const [logs] = await batch(["eth_getFilterChanges", id])
    expect(dataOf(logs)).toEqual(["d"])
    expect(await batch(["eth_uninstallFilter", id], ["eth_uninstallFilter", own])).toEqual([true, true])
    expect(nodes.flatMap(({ filters }) => [...filters.values()])).toMatchObject([])
  })

  it.each(["down", "lossy", "restarted"] as const)(
    "of logs lose none and tell none twice when their node is %s",
    async (fault) => {
      const { ask, holder, world } = await filtering(3)
      const id = await ask("eth_newFilter", { fromBlock: "latest" })
      const told: Array<string> = []
      const poll = async () => {
        told.push(...dataOf(await ask("eth_getFilterChanges", id)))
      }
      world.mine(["a", "b"])
      await poll()
      world.mine(["c"])
      const node = holder("eth_newFilter")
      if (fault === "restarted") node.restart()
      else node.mode = fault
      world.mine(["d", "e"])
      await poll()
      world.mine([])
      world.mine(["f"])
      await poll()
      expect(told).toEqual(["a", "b", "c", "d", "e", "f"])
      expect(dataOf(await ask("eth_getFilterLogs", id))).toEqual(["a", "b", "c", "d", "e", "f"])
    }
  )

  it("of logs lose none and tell none twice, whatever becomes of the nodes", async () => {
    const step = FastCheck.oneof(
      FastCheck.record({ _tag: FastCheck.constant("mine" as const), logs: FastCheck.nat(3) }),
      FastCheck.record({
        _tag: FastCheck.constant("reorganise" as const),
        depth: FastCheck.integer({ min: 1, max: 3 })
      }),
      FastCheck.record({
        _tag: FastCheck.constant("fault" as const),
        node: FastCheck.nat(2),
        fault: FastCheck.constantFrom("up" as const, "down" as const, "lossy" as const, "restart" as const)
      }),
      FastCheck.constant({ _tag: "poll" as const })
    )
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { ask, nodes, sdk, world } = await filtering(3)
        const id = await ask("eth_newFilter", {})
        const begin = world.height
        /** What the caller believes: what was told, without what was taken back. */
        const held: Array<string> = []
        let made = 0
        const logs = (count: number): ReadonlyArray<string> =>
          Array.from({ length: count }, () => `log ${++made}`)
        const poll = async (): Promise<void> => {
          const changes = await ask("eth_getFilterChanges", id).catch(() => [])
          for (const log of dataOf(changes)) {
            if (!log.startsWith("-")) expect(held).not.toContain(log)
            if (log.startsWith("-")) held.splice(held.indexOf(log.slice(1)), 1)
            else held.push(log)
          }
        }
        for (const step of steps) {
          if (step._tag === "mine") world.mine(logs(step.logs))
          else if (step._tag === "reorganise") {
            const depth = Math.min(step.depth, world.height - begin)
            if (depth > 0) world.reorganise(depth, [logs(1), ...Array.from({ length: depth }, () => [])])
          } else if (step._tag === "poll") await poll()
          else {
            const node = nodes[step.node]
            if (node === undefined) continue
            if (step.fault === "restart") node.restart()
            else node.mode = step.fault
          }
        }
        for (const node of nodes) node.mode = "up"
        await sdk.checkNodes()
        await poll()
        await poll()
        expect([...held].sort()).toEqual(
          world
            .between(begin + 1, world.height)
            .map(({ data }) => data)
            .sort()
        )
        await sdk.destroy()
      }),
      { numRuns: runs(40) }
    )
  })

  it("tell at another node what a reorganisation has taken back meanwhile", async () => {
    const { ask, holder, world } = await filtering(2)
    const id = await ask("eth_newFilter", {})
    world.mine(["kept"])
    world.mine(["lost"])
    expect(dataOf(await ask("eth_getFilterChanges", id))).toEqual(["kept", "lost"])
    holder("eth_newFilter").mode = "down"
    world.reorganise(1, [["new"], []])
    expect(dataOf(await ask("eth_getFilterChanges", id))).toEqual(["-lost", "new"])
  })

  it("of logs keep to their range", async () => {
    const { ask, holder, world } = await filtering(2)
    const id = await ask("eth_newFilter", { toBlock: hex(world.height + 2) })
    world.mine(["a"])
    expect(dataOf(await ask("eth_getFilterChanges", id))).toEqual(["a"])
    holder("eth_newFilter").mode = "down"
    world.mine(["b"])
    world.mine(["too late"])
    expect(dataOf(await ask("eth_getFilterChanges", id))).toEqual(["b"])
  })

  it("of blocks go on from the head at another node", async () => {
    const { ask, holder, world } = await filtering(2)
    const id = await ask("eth_newBlockFilter")
    world.mine([])
    expect(await ask("eth_getFilterChanges", id)).toEqual([world.blocks.at(-1)?.hash])
    holder("eth_newBlockFilter").mode = "down"
    expect(await ask("eth_getFilterChanges", id)).toEqual([])
    world.mine([])
    expect(await ask("eth_getFilterChanges", id)).toEqual([world.blocks.at(-1)?.hash])
  })

  it("of what is pending end with an error that clients know when their node is gone", async () => {
    const { ask, holder, sdk, world } = await filtering(2)
    const id = await ask("eth_newPendingTransactionFilter")
    world.mine([])
    expect(await ask("eth_getFilterChanges", id)).toHaveLength(1)
    holder("eth_newPendingTransactionFilter").mode = "down"
    const gone = { code: -32000, message: expect.stringMatching(/^filter not found: .*pending/) }
    await expect(ask("eth_getFilterChanges", id)).rejects.toMatchObject({
      ...gone,
      cause: { _tag: "RpcError" }
    })
    expect(await sdk.rpc.rawRpcCall({ method: "eth_getFilterChanges", params: [id] })).toMatchObject({
      error: { cause: { _tag: "RpcError", ...gone } }
    })
  })

  it("fail as other calls do while no node answers, and go on afterwards", async () => {
    const { ask, nodes, world, sdk } = await filtering(2)
    const id = await ask("eth_newFilter", {})
    world.mine(["a"])
    for (const node of nodes) node.mode = "down"
    await expect(ask("eth_getFilterChanges", id)).rejects.toBeInstanceOf(ProviderRpcError)
    world.mine(["b"])
    for (const node of nodes) node.mode = "up"
    await sdk.checkNodes()
    expect(dataOf(await ask("eth_getFilterChanges", id))).toEqual(["a", "b"])
  })

  it("are a thousand at most", async () => {
    const { ask } = await filtering(1)
    for (let i = 0; i < 1_000; i += 50)
      await Promise.all(Array.from({ length: 50 }, () => ask("eth_newBlockFilter")))
    await expect(ask("eth_newBlockFilter")).rejects.toMatchObject({ code: -32005 })
  })
})

describe("an ended client", () => {
  const slow = () => serving(({ method }) => (method === "eth_blockNumber" ? "0x10" : patience))

  it("refuses what its adapters are asked, with the error of all other calls as cause", async () => {
    const sdk = await client([await serving(() => "0x10")])
    const { rpc } = sdk
    const eip1193 = rpc.eip1193()
    const viem = rpc.viemTransport()()
    const web3 = rpc.web3Provider()
    expect(await eip1193.request({ method: "eth_blockNumber" })).toBe("0x10")
    await sdk.destroy()
    const ended = { code: 4900, message: "The client has been destroyed", cause: { _tag: "Aborted" } }
    const request = { method: "eth_blockNumber", params: [] }
    expect(await rpc.blockNumber()).toMatchObject({ error: { cause: { _tag: "Aborted" } } })
    for (const provider of [eip1193, viem, web3, rpc.eip1193()])
      await expect(provider.request(request)).rejects.toMatchObject(ended)
  })

  it("ends what its adapters have in flight", async () => {
    const sdk = await client([await slow()])
    const waiting = sdk.rpc.eip1193().request({ method: "eth_gasPrice" })
    const failed = expect(waiting).rejects.toMatchObject({ code: 4900, cause: { _tag: "Aborted" } })
    await new Promise((done) => setTimeout(done, 50))
    await sdk.destroy()
    await failed
  })

  it.skipIf(isLean)("does so on the Effect surface, where its scope ends", async () => {
    const { url } = await serving(() => "0x10")
    const scope = Effect.runSync(Scope.make())
    const sdk = await Effect.runPromise(
      Sdk.makeHttp({
        network: "polygon-mainnet",
        rpc: { nodes: [{ url }] },
        verifyChain: false,
        quiet: true
      }).pipe(Effect.provide(layerFetch), Scope.extend(scope))
    )
    const provider = sdk.rpc.eip1193()
    expect(await provider.request({ method: "eth_blockNumber" })).toBe("0x10")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await expect(provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({
      code: 4900,
      cause: { _tag: "Aborted" }
    })
  })

  it("is what a client of one family is, whose provider is made of its raw calls", async () => {
    const { url } = await serving(({ method }) => {
      if (method !== "eth_blockNumber") throw new Refusal(-32601, "no such method")
      return "0x10"
    })
    const sdk = await Evm.init({
      network: "polygon-mainnet",
      rpc: { nodes: [{ url }] },
      verifyChain: false,
      quiet: true
    })
    clients.push(sdk)
    const provider = makeProvider(sdk.rpc)
    expect(await provider.request({ method: "eth_blockNumber" })).toBe("0x10")
    await expect(provider.request({ method: "eth_nonsense" })).rejects.toMatchObject({ code: -32601 })
    await sdk.destroy()
    await expect(provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({ code: 4900 })
  })

  it("of calls with options, these hold for its adapters too", async () => {
    const sdk = await client([await slow()])
    const request = sdk.with({ timeout: 100 }).rpc.eip1193().request({ method: "eth_gasPrice" })
    await expect(request).rejects.toMatchObject({ cause: { _tag: "CallTimeout" } })
  })

  it("is not needed to end a request: its signal does", async () => {
    const { rpc } = await client([await slow()])
    const { request } = rpc.viemTransport()()
    const controller = new AbortController()
    const waiting = request({ method: "eth_gasPrice" }, { signal: controller.signal })
    const failed = expect(waiting).rejects.toThrow("enough")
    setTimeout(() => controller.abort(new Error("enough")), 20)
    await failed
  })
})
