// @runtime both
import { createServer, type Server } from "node:http"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { describe, vi } from "vitest"
import { fetchLists, listUrls } from "../../src/balancer/NodeList.js"
import type { SdkConfig } from "../../src/config/Config.js"
import { make as makeLogger } from "../../src/config/Logger.js"
import { resolve } from "../../src/config/resolveConfig.js"
import { info, isNetwork, needsOwnNodes, networks } from "../../src/data/Network.js"
import { HttpFailure, type HttpRequest, type HttpService } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"

type Reply = { readonly status?: number; readonly text: string } | HttpFailure["kind"] | "hang"

const list = (...entries: ReadonlyArray<unknown>): Reply => ({ text: JSON.stringify(entries) })
const node = (url: string, type = 0) => ({ url, type })

/** Fetches the lists of a network whose server gives these answers in turn, the last one for ever. */
const fetched = (
  script: { readonly normal: ReadonlyArray<Reply>; readonly archive: ReadonlyArray<Reply> },
  more: Partial<SdkConfig> = {}
) =>
  Effect.gen(function* () {
    const sent: Array<HttpRequest> = []
    const logs: Array<string> = []
    const http: HttpService = {
      send: (request) =>
        Effect.suspend(() => {
          const replies = request.url.includes("-archive/") ? script.archive : script.normal
          const n = sent.filter(({ url }) => url === request.url).length
          sent.push(request)
          const reply = replies[Math.min(n, replies.length - 1)]
          if (reply === undefined || reply === "hang") {
            return Effect.delay(new HttpFailure({ kind: "timeout", reason: "no answer" }), request.timeout)
          }
          if (typeof reply === "string") return new HttpFailure({ kind: reply, reason: `it is ${reply}` })
          return Effect.succeed({
            status: reply.status ?? 200,
            header: () => undefined,
            bytes: new Uint8Array(),
            text: reply.text
          })
        })
    }
    const config = yield* resolve({ network: "ethereum-mainnet", ...more })
    const write = (level: string) => (message: string) => void logs.push(`${level}: ${message}`)
    const logger = makeLogger(
      { quiet: false, verbose: true, logger: undefined },
      {
        trace: write("trace"),
        debug: write("debug"),
        info: write("info"),
        warn: write("warn"),
        error: write("error")
      }
    )
    const fiber = yield* Effect.fork(fetchLists(config, http, logger))
    yield* TestClock.adjust(10_000)
    const nodes = yield* Fiber.join(fiber)
    return { nodes, sent, logs, urls: nodes.map(({ url }) => url) }
  })

const one = "https://one.rpc.tatum.io"

describe("the urls of the node lists", () => {
  it.effect("are two per network, under the network's name or the one that its list has", () =>
    Effect.gen(function* () {
      for (const network of Object.keys(networks).filter(isNetwork)) {
        const nodes = [{ url: "https://node.example" }]
        const config = yield* resolve({ network, ...(needsOwnNodes(network) ? { rpc: { nodes } } : {}) })
        const name = info(network).list ?? network
        expect(listUrls(config)).toEqual([
          `https://rpc.tatum.io/${name}/list.json`,
          `https://rpc.tatum.io/${name}-archive/list.json`
        ])
      }
    })
  )

  it.effect("follow the configuration, with or without a slash at its end", () =>
    Effect.gen(function* () {
      const config = yield* resolve({
        network: "doge-mainnet",
        provider: { baseUrl: "http://127.0.0.1:2", nodeListUrl: "http://127.0.0.1:1/lists//" }
      })
      expect(listUrls(config)[0]).toBe("http://127.0.0.1:1/lists/dogecoin-mainnet/list.json")
    })
  )
})

describe("fetchLists", () => {
  it.effect("asks for both without a key or any other header, and caps their size", () =>
    Effect.gen(function* () {
      const { nodes, sent } = yield* fetched(
        { normal: [list(node(`${one}///`))], archive: [list(node("https://two.rpc.tatum.io", 1))] },
        { apiKey: "KEY" }
      )
      expect(nodes).toEqual([
        { url: one, type: "NORMAL", headers: {}, sendApiKey: false },
        { url: "https://two.rpc.tatum.io", type: "ARCHIVE", headers: {}, sendApiKey: false }
      ])
      for (const request of sent) {
        expect(request).toMatchObject({ method: "GET", headers: {}, timeout: 5_000, maxBytes: 1024 * 1024 })
        expect(request.body).toBeUndefined()
      }
      expect(sent).toHaveLength(2)
    })
  )

  it.effect("makes two attempts after a failure of the network, and takes the second", () =>
    Effect.gen(function* () {
      const { urls, sent, logs } = yield* fetched({
        normal: ["network", list(node(one))],
        archive: ["hang", list()]
      })
      expect(urls).toEqual([one])
      expect(sent).toHaveLength(4)
      expect(logs).toEqual([])
    })
  )

  it.effect("gives nothing when both fail twice, and logs each", () =>
    Effect.gen(function* () {
      const { urls, sent, logs } = yield* fetched({ normal: ["hang"], archive: ["too-large"] })
      expect(urls).toEqual([])
      expect(sent).toHaveLength(4)
      expect(logs.toSorted()).toEqual([
        "error: Failed to initialize RPC module. Error: it is too-large",
        "error: Failed to initialize RPC module. Error: no answer"
      ])
    })
  )

  it.effect("accepts hosts of the domain over https alone", () =>
    Effect.gen(function* () {
      const good = ["https://tatum.io", "https://a.tatum.io", "https://A.B.TATUM.IO:8443/path"]
      const bad = [
        "https://eviltatum.io",
        "https://tatum.io.evil.example",
        "https://evil.example/.tatum.io",
        "https://evil.example?x=.tatum.io",
        "https://evil.example\\.tatum.io",
        "https://tatum.io@evil.example",
        "https://key@rpc.tatum.io",
        "http://rpc.tatum.io",
        "ws://rpc.tatum.io",
        "javascript:alert(1)//.tatum.io",
        "https://tatum\u3002io.evil.example",
        "tatum.io",
        "https://"
      ]
      const { urls, logs } = yield* fetched({
        normal: [list(...[...bad, ...good].map((url) => node(url)))],
        archive: [list()]
      })
      expect(urls).toEqual(good)
      expect(logs).toHaveLength(11)
      expect(logs[10]).toBe(`warn: Skipping ${bad.length - 10} more entries of the node list.`)
      expect(logs.join("\n")).not.toContain("key@")
    })
  )

  it.effect("accepts hosts of a configured domain, over http too where the provider itself is plain", () =>
    Effect.gen(function* () {
      const { urls } = yield* fetched(
        { normal: [list(node("http://127.0.0.1:9/a"), node("https://rpc.tatum.io"))], archive: [list()] },
        { provider: { baseUrl: "http://127.0.0.1:9" } }
      )
      expect(urls).toEqual(["http://127.0.0.1:9/a"])
    })
  )

  it.effect("skips entries of any other shape", () =>
    Effect.gen(function* () {
      const odd = [
        null,
        1,
        "x",
        true,
        [],
        {},
        { url: null },
        { url: [one] },
        { url: one, type: "0" },
        { url: one, type: null }
      ]
      const { urls, logs } = yield* fetched({ normal: [list(...odd, { url: one })], archive: [list()] })
      expect(urls).toEqual([one])
      expect(logs).toEqual(
        odd.map(() => "warn: Skipping an entry of the node list that is not { url, type }.")
      )
    })
  )

  it.effect("cuts urls that it logs, and keeps them to their origin", () =>
    Effect.gen(function* () {
      const { logs } = yield* fetched({
        normal: [list(node("x".repeat(5_000)), node("https://evil.example/SECRET?key=SECRET"))],
        archive: [list()]
      })
      expect(logs.every((line) => line.length < 300)).toBe(true)
      expect(logs.join()).not.toContain("SECRET")
    })
  )

  it.effect("keeps one entry per url and type", () =>
    Effect.gen(function* () {
      const { nodes } = yield* fetched({
        normal: [list(node(one), node(`${one}/`), node(one, 1))],
        archive: [list(node(one, 1), node(one))]
      })
      expect(nodes.map(({ url, type }) => [url, type])).toEqual([
        [one, "NORMAL"],
        [one, "ARCHIVE"]
      ])
    })
  )

  it.effect("takes url and type of an entry, and nothing else", () =>
    Effect.gen(function* () {
      const entry = {
        ...node(one),
        wsUrl: "ws://evil.example",
        headers: { "x-evil": "1" },
        sendApiKey: true,
        weight: 1e9
      }
      const { logs, nodes } = yield* fetched({ normal: [list(entry, entry)], archive: [list()] })
      expect(nodes).toEqual([{ url: one, type: "NORMAL", headers: {}, sendApiKey: false }])
      expect(logs).toEqual([
        "debug: Of 2 entries of https://rpc.tatum.io/… url and type of 2 are taken, the rest is ignored."
      ])
    })
  )

  it.effect("refuses urls that parsers would have to repair, or that are too long", () =>
    Effect.gen(function* () {
      const odd = [
        "https://a.ta\ntum.io",
        " https://a.tatum.io",
        "https:a.tatum.io",
        "https:\\\\a.tatum.io",
        "https://a.tatum.io/#x",
        "https://a.tatum.io/é",
        `https://a.tatum.io/${"x".repeat(2_048)}`
      ]
      const { urls } = yield* fetched({ normal: [list(...odd.map((url) => node(url)))], archive: [list()] })
      expect(urls).toEqual([])
    })
  )

  it.effect("takes the first 100 entries of a list, and tells the rest in one line", () =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 10_000 }, (_, i) => node(`https://n${i}.tatum.io`))
      const { logs, urls } = yield* fetched({ normal: [list(...entries)], archive: [list()] })
      expect(urls).toEqual(entries.slice(0, 100).map(({ url }) => url))
      expect(logs).toEqual([
        "debug: Of 10000 entries of https://rpc.tatum.io/… url and type of 100 are taken, the rest is ignored."
      ])
    })
  )
})

describe("a hostile list, over HTTP", () => {
  it("costs no more sockets than a few, sends nothing to other hosts, and fails no call", async () => {
    const most = { open: 0, ever: 0 }
    const asked = new Set<string>()
    const strangers: Array<string> = []
    let upgrades = 0
    const stranger = createServer((request) => strangers.push(String(request.url)))
    stranger.on("upgrade", (request, socket) => {
      strangers.push(String(request.headers["x-api-key"] ?? request.url))
      socket.destroy()
    })
    const provider = createServer((request, response) => {
      const { pathname } = new URL(String(request.url), "http://x")
      if (request.method === "GET") {
        if (request.headers.upgrade !== undefined) upgrades++
        response.end(pathname.includes("-archive/") ? "[]" : JSON.stringify(entries()))
        return
      }
      asked.add(pathname)
      most.open++
      most.ever = Math.max(most.ever, most.open)
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        if (request.headers["x-evil"] !== undefined) strangers.push("a header of the list")
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
        setTimeout(() => {
          most.open--
          const result = method === "eth_chainId" ? "0x1" : "0x10"
          response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
        }, 20)
      })
    })
    const bound = (server: Server): Promise<string> =>
      new Promise((done) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          if (address === null || typeof address === "string") throw new Error("no port")
          done(`http://127.0.0.1:${address.port}`)
        })
      })
    const [base, evil] = [await bound(provider), await bound(stranger)]
    const entries = () =>
      Array.from({ length: 3_000 }, (_, i) => ({
        url: `${base}/n${i}`,
        type: 0,
        wsUrl: evil.replace("http", "ws"),
        headers: { "x-evil": "1" },
        sendApiKey: true
      }))
    const lines: Array<string> = []
    const write = (line: string) => void lines.push(line)
    const sdk = await init({
      network: "ethereum-mainnet",
      apiKey: "a-key-of-somebody",
      provider: { baseUrl: base, nodeListUrl: base },
      verbose: true,
      hedge: false,
      logger: { trace: write, debug: write, info: write, warn: write, error: write }
    })
    try {
      expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "SUCCESS", data: 16n })
      // where it opens its socket is told by the lists' servers
      const heads = sdk.rpc.subscribe.newHeads()[Symbol.asyncIterator]()
      const first = heads.next()
      await vi.waitFor(() => expect(upgrades).toBeGreaterThan(0), 15_000)
      await heads.return?.()
      await first
      await sdk.checkNodes()
      expect(sdk.nodes()).toHaveLength(100)
      expect(asked.size).toBe(100)
      // a node is asked for its chain and its height at the same time
      expect(most.ever).toBeLessThan(80)
      expect(strangers).toEqual([])
      expect(lines.filter((line) => line.includes("the rest is ignored"))).toHaveLength(1)
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(8_000)
    } finally {
      await sdk.destroy()
      for (const server of [provider, stranger]) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    }
  })
})
