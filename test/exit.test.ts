// @runtime both
import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { plugin } from "../scripts/lean.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"
const bundle = resolve(root, `node_modules/.cache/exit-test/client${isLean ? ".lean" : ""}.mjs`)

/** An application, bundled like one: `init`, calls, and then one of several ways to end. */
const application = `
import { init } from "${isLean ? "./src/entries/Ethereum.ts" : "./src/promise.ts"}"

const urls = JSON.parse(process.env.NODES)
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n")
const make = (more = {}) => init({ network: "ethereum-mainnet", quiet: true, rpc: { nodes: urls.map((url) => ({ url })), ...more } })

// the timers that are not of Node's own pool of connections
const live = new Set()
const { setTimeout: set, clearTimeout: clear } = globalThis
globalThis.setTimeout = (f, delay, ...args) => {
  const own = !String(new Error().stack).includes("node:internal/deps/undici")
  const timer = set(() => { live.delete(timer); f(...args) }, delay)
  if (own) live.add(timer)
  return timer
}
globalThis.clearTimeout = (timer) => { live.delete(timer); clear(timer) }
const timers = () => live.size

const listeners = () => Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]))

const ways = {
  async destroy() {
    const sdk = await make()
    const result = await sdk.rpc.gasPrice()
    await sdk.destroy()
    return result.status
  },
  async nothing() {
    const sdk = await make()
    return (await sdk.rpc.gasPrice()).status
  },
  async once() {
    const sdk = await make({ oneTimeLoadBalancing: true })
    return (await sdk.rpc.gasPrice()).status
  },
  async unused() {
    await make()
    return "SUCCESS"
  },
  async busy() {
    const sdk = await make()
    const calls = Array.from({ length: 20 }, () => sdk.rpc.feeHistory(1, "latest"))
    // the node never answers them
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sdk.destroy()
    const results = await Promise.all(calls)
    return results.every((result) => result.error?.cause._tag === "Aborted") ? "SUCCESS" : results
  },
  async many() {
    const one = await make()
    await one.rpc.gasPrice()
    await one.destroy()
    const before = { listeners: listeners(), timers: timers() }
    for (let i = 0; i < 200; i++) {
      const sdk = await make()
      if (i % 10 === 0) await sdk.rpc.gasPrice()
      await sdk.destroy()
    }
    const clients = await Promise.all(Array.from({ length: 50 }, () => make()))
    await Promise.all(clients.slice(0, 5).map((sdk) => sdk.rpc.gasPrice()))
    const during = listeners()
    const ticking = timers()
    await Promise.all(clients.map((sdk) => sdk.destroy()))
    return { before, during, ticking, after: { listeners: listeners(), timers: timers() } }
  }
}

const outcome = await ways[process.argv[2]]()
say({ outcome, bigints: typeof outcome })
// a process that nothing holds is over before this goes off, which holds nothing itself
set(() => say({ held: process.getActiveResourcesInfo() }), 2_500).unref()
`

let server: Server
const sockets = new Set<Socket>()
let url = ""

beforeAll(async () => {
  mkdirSync(resolve(bundle, ".."), { recursive: true })
  await build({
    stdin: { contents: application, resolveDir: root, loader: "ts" },
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["undici"],
    plugins: isLean ? [plugin] : [],
    logLevel: "error"
  })
  server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown; method: string }
      if (method === "eth_feeHistory") return
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }))
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  url = `http://127.0.0.1:${address.port}`
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((done) => server.close(done))
})

interface Run {
  readonly code: number | null
  readonly outcome: unknown
  readonly errors: string
  /** What has held it for seconds after its last line. */
  readonly held: unknown
}

const run = (way: string): Promise<Run> =>
  new Promise((done, fail) => {
    const nodes = ["a", "b", "c"].map((path) => `${url}/${path}`)
    const child = spawn(process.execPath, [bundle, way], {
      env: { PATH: process.env.PATH ?? "", NODES: JSON.stringify(nodes) },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let out = ""
    let errors = ""
    const killer = setTimeout(() => {
      child.kill("SIGKILL")
      fail(new Error(`the process does not exit: ${out}${errors}`))
    }, 50_000)
    child.stdout.on("data", (chunk) => {
      out += String(chunk)
    })
    child.stderr.on("data", (chunk) => {
      errors += String(chunk)
    })
    child.on("close", (code) => {
      clearTimeout(killer)
      try {
        const [first = "", second = "{}"] = out.trim().split("\n")
        done({ code, outcome: JSON.parse(first).outcome, errors, held: JSON.parse(second).held })
      } catch {
        fail(new Error(`it said nothing: ${out}${errors}`))
      }
    })
  })

describe("a process that has used a client", () => {
  it.each([
    ["after destroy()", "destroy"],
    ["without destroy(), although the nodes are checked periodically", "nothing"],
    ["without destroy(), after the one check of the nodes", "once"],
    ["when it has called nothing", "unused"],
    ["after destroy() in the middle of calls, which all end as aborted", "busy"]
  ])("exits by itself %s", async (_, way) => {
    const { code, outcome, errors, held } = await run(way)
    expect([code, outcome, errors, held]).toEqual([0, "SUCCESS", "", undefined])
  })

  it("has no more listeners and timers after 200 clients than after one", async () => {
    const { code, outcome, errors, held } = await run("many")
    expect([code, errors, held]).toEqual([0, "", undefined])
    const { before, during, ticking, after } = outcome as {
      readonly [when in "before" | "after"]: {
        readonly listeners: Record<string, number>
        readonly timers: number
      }
    } & { readonly during: Record<string, number>; readonly ticking: number }
    expect(during).toEqual(before.listeners)
    expect(after.listeners).toEqual(before.listeners)
    // those that were called have a timer for their next check, until they end
    expect([before.timers, ticking > 0, after.timers]).toEqual([0, true, 0])
  })
})
