import { connect } from "node:net"
import { Readable } from "node:stream"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import type * as Scope from "effect/Scope"
import { isLoopback, normalizePath } from "../../src/sandbox/Access.js"
import * as Sandbox from "../../src/sandbox/index.js"
import { forwardRequest, listen } from "../../src/sandbox/Loopback.js"

const NETWORK = "tron-mainnet"
const EVIL = "https://evil.example"

/** An answer to a request that is written by hand, since clients put targets and hosts in order before they send them. */
const raw = (
  url: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  { body = "", method = "POST" } = {}
) =>
  Effect.async<{ readonly status: number; readonly head: string; readonly text: string }, Error>((resume) => {
    const { host, port } = new URL(url)
    const lines = Object.entries({
      host,
      connection: "close",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...headers
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = connect(Number(port), "127.0.0.1", () => {
      socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
    })
    let said = ""
    const done = (): void => {
      const [head = "", text = ""] = said.split("\r\n\r\n", 2)
      resume(Effect.succeed({ status: Number(head.split(" ")[1]), head: head.toLowerCase(), text }))
    }
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk
      // the server keeps the connection while it waits for the rest of a body that it has refused
      if (said.includes("\r\n\r\n{") && said.endsWith("}")) done()
    })
    socket.on("error", (error) => resume(Effect.fail(error)))
    socket.on("end", done)
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeout("300 seconds"))

const rule = JSON.stringify({ fault: { kind: "slow", ms: 1 }, target: { network: "nowhere" } })

layer(Sandbox.layer({ networks: [{ network: NETWORK }] }), { excludeTestServices: true })(
  "a page of another origin",
  (it) => {
    const targets = (base: string): ReadonlyArray<string> =>
      [
        "/sandbox/faults",
        "/v4/sandbox/faults",
        "/v3/sandbox/faults",
        "//x/sandbox/faults",
        "//sandbox/faults",
        "/sandbox//faults",
        "/%73andbox/faults",
        "/SANDBOX/faults",
        "/x/../sandbox/faults",
        "/x/%2e%2e/sandbox/faults",
        "/./sandbox/faults",
        "/sandbox/faults/",
        "/sandbox/faults;x",
        "\\sandbox\\faults",
        `${base}/sandbox/faults`,
        `${base}//x/sandbox/faults`,
        "http://evil.example/sandbox/faults"
      ].map((target) => (target.startsWith("\\") ? `/${target}` : target))

    it.effect("adds no rule, however it spells the path, and none by the name that it rebinds", () =>
      Effect.gen(function* () {
        const { baseUrl, faults } = yield* Sandbox.Sandbox
        for (const target of targets(baseUrl))
          for (const headers of [{ origin: EVIL }, { origin: "null" }, { host: "evil.example" }]) {
            const { head, status } = yield* raw(baseUrl, target, headers, { body: rule })
            expect([target, status]).toEqual([target, 403])
            expect(head).not.toContain("access-control")
          }
        expect(yield* faults.list).toEqual([])
      })
    )

    it.effect("sends nothing to nodes and to the gateway, and reads nothing", () =>
      Effect.gen(function* () {
        const { baseUrl, network } = yield* Sandbox.Sandbox
        const [node = ""] = network(NETWORK).urls
        const gateway = `/v4/blockchain/node/${NETWORK}`
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_increaseTime", params: [1] })
        for (const [url, target, method] of [
          [node, "/wallet/getnowblock", "POST"],
          [node, "/wallet/getnowblock", "GET"],
          [node, "/jsonrpc", "OPTIONS"],
          [baseUrl, `${gateway}/wallet/getnowblock`, "POST"],
          [baseUrl, `${gateway}/wallet/getnowblock`, "OPTIONS"],
          [baseUrl, "/v4/subscription/webhook?pageSize=10", "GET"],
          [baseUrl, "/v4/ipfs", "POST"],
          [baseUrl, "/sandbox/events", "GET"],
          [baseUrl, `/${NETWORK}/list.json`, "GET"]
        ] as const) {
          const { status, text } = yield* raw(url, target, { origin: EVIL }, { body, method })
          expect([target, status]).toEqual([target, 403])
          expect(JSON.parse(text)).toMatchObject({ statusCode: 403, errorCode: "sandbox.origin" })
        }
      })
    )

    it.effect("embeds nothing that starts a network, but files and the documentation", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* Sandbox.Sandbox
        const embedded = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }
        const status = (target: string) =>
          Effect.map(raw(baseUrl, target, embedded, { method: "GET" }), (answer) => answer.status)
        expect(yield* status("/dogecoin-mainnet/list.json")).toBe(403)
        expect(yield* status("/v4/blockchain/node/doge-mainnet")).toBe(403)
        expect(yield* status("/docs")).toBe(200)
        expect(yield* status("/v4/ipfs/QmNothing")).not.toBe(403)
      })
    )

    it.effect("is one of this machine, and may do everything", () =>
      Effect.gen(function* () {
        const { baseUrl, faults, network } = yield* Sandbox.Sandbox
        const { port } = new URL(baseUrl)
        const [node = ""] = network(NETWORK).urls
        for (const origin of [
          "http://localhost:5173",
          "http://127.0.0.1:1",
          "http://[::1]:3000",
          "https://localhost"
        ]) {
          const { status } = yield* raw(baseUrl, "/sandbox/faults", { origin }, { body: rule })
          expect(status).toBe(201)
          const asked = yield* raw(node, "/wallet/getnowblock", { origin }, { body: "{}" })
          expect(asked.status).toBe(200)
          expect(asked.head).toContain("access-control-allow-origin: *")
        }
        for (const host of [
          `localhost:${port}`,
          "127.0.0.1",
          `127.8.9.1:${port}`,
          `[::1]:${port}`,
          "LOCALHOST"
        ])
          expect((yield* raw(baseUrl, "/sandbox/networks", { host }, { method: "GET" })).status).toBe(200)
        for (const host of ["127.0.0.1.nip.io", "localhost.evil.example", "0.0.0.0", "[::2]", "a@127.0.0.1"])
          expect([
            host,
            (yield* raw(baseUrl, "/sandbox/networks", { host }, { method: "GET" })).status
          ]).toEqual([host, 403])
        expect(yield* faults.clear()).toBe(4)
      })
    )
  }
)

it.scopedLive("takes hosts and origins besides, and refuses what is none", () =>
  Effect.gen(function* () {
    const networks = [{ network: NETWORK }]
    const { baseUrl, network } = yield* Sandbox.make({
      networks,
      hosts: ["host.docker.internal"],
      origins: [EVIL]
    })
    const [node = ""] = network(NETWORK).urls
    for (const url of [baseUrl, node]) {
      const path = url === node ? "/wallet/getnowblock" : "/sandbox/networks"
      const named = { host: `host.docker.internal:${new URL(url).port}`, origin: EVIL }
      expect((yield* raw(url, path, named, { method: "GET" })).status).not.toBe(403)
      const other = yield* raw(url, path, { ...named, origin: "https://other.example" }, { method: "GET" })
      expect(other.status).toBe(403)
    }
    for (const options of [{ hosts: ["http://x"] }, { hosts: ["x:80"] }, { origins: ["evil.example"] }])
      expect(yield* Effect.flip(Effect.scoped(Sandbox.make({ networks, ...options })))).toMatchObject({
        reason: "options"
      })
  })
)

describe("a path", () => {
  it("has one spelling", () => {
    for (const [target, path] of [
      ["/", "/"],
      ["*", "/"],
      ["//evil.example/a", "/evil.example/a"],
      ["/%73%41%7e/%2F%20?q=%73//", "/sA~/%2F%20?q=%73//"],
      ["http://x:1/a/./b/../c?d", "/a/c?d"],
      ["evil.example:443", undefined],
      ["ftp://x/", undefined]
    ] as const)
      expect(normalizePath(target)).toBe(path)
  })

  it("stays as it is when it is looked at again", () => {
    const part = fc.constantFrom(
      "/",
      "//",
      ".",
      "..",
      "%2e",
      "%2f",
      "%73",
      "sandbox",
      "\\",
      ";",
      "?",
      "x",
      "%",
      "%25"
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = normalizePath(`/${parts.join("")}`)
        expect(once === undefined ? once : normalizePath(once)).toBe(once)
        expect(once ?? "/").toMatch(/^\/(?!\/)/)
      })
    )
  })

  it("knows this machine's names", () => {
    for (const host of ["localhost", "127.0.0.1:80", "127.1", "[::1]", "0x7f.1"])
      expect(isLoopback(host)).toBe(true)
    for (const host of [
      "",
      "localhost.",
      "a.localhost",
      "128.0.0.1",
      "::1",
      "[::ffff:127.0.0.1]",
      "x/127.0.0.1"
    ])
      expect(isLoopback(host)).toBe(false)
  })

  it.scopedLive("never leads a request elsewhere than to its node", () =>
    Effect.gen(function* () {
      const port = yield* listen(({ path }) =>
        Effect.succeed({ status: 200, headers: {}, body: Buffer.from(path) })
      )
      const received = { method: "GET", path: "//nowhere.invalid/x", headers: {}, body: Buffer.alloc(0) }
      const answer = yield* forwardRequest(`http://127.0.0.1:${port}`, received, { timeout: 2_000 })
      expect(answer.body.toString()).toBe("/nowhere.invalid/x")
    })
  )
})

describe("a body", () => {
  const MIB = 1024 * 1024
  const echo: Effect.Effect<string, unknown, Scope.Scope> = Effect.map(
    listen(({ body }) =>
      Effect.succeed({ status: 200, headers: {}, body: Buffer.from(String(body.length)) })
    ),
    (port) => `http://127.0.0.1:${port}`
  )
  const upload = (url: string, mebibytes: number, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async () => {
      const piece = Buffer.alloc(MIB)
      const body = Readable.toWeb(Readable.from(Array.from({ length: mebibytes }, () => piece)))
      const response = await fetch(url, {
        method: "POST",
        headers,
        // what Node takes for a body, and the DOM's types do not know
        body: body as unknown as ReadableStream<Uint8Array>,
        ...{ duplex: "half" },
        signal: AbortSignal.timeout(300_000)
      })
      return { status: response.status, text: await response.text() }
    })

  it.scopedLive("has a limit, counted as it comes, without the memory that it would take", () =>
    Effect.gen(function* () {
      const url = yield* echo
      expect(yield* upload(url, 64)).toEqual({ status: 200, text: String(64 * MIB) })
      const before = process.memoryUsage()
      const { status, text } = yield* upload(url, 600)
      const after = process.memoryUsage()
      expect(status).toBe(413)
      expect(JSON.parse(text)).toMatchObject({ statusCode: 413, errorCode: "body.too.large" })
      expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(200 * MIB)
    })
  )

  it.scopedLive("is refused before it comes, if it says how long it is", () =>
    Effect.gen(function* () {
      const { head, status } = yield* raw(yield* echo, "/", { "content-length": String(65 * MIB) })
      expect(status).toBe(413)
      expect(head).toContain("connection: close")
    })
  )
})

describe("a webhook's url", () => {
  const subscribe = (baseUrl: string, url: string) =>
    Effect.promise(async () => {
      const response = await fetch(`${baseUrl}/v4/subscription?type=mainnet`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          type: "ADDRESS_EVENT",
          attr: { chain: "base-mainnet", address: "0x00000000000000000000000000000000000000aa", url }
        })
      })
      return { status: response.status, text: await response.text() }
    })

  it.scopedLive("is one of this machine, unless an option says otherwise", () =>
    Effect.gen(function* () {
      const networks = [{ network: NETWORK }]
      const closed = yield* Sandbox.make({ networks })
      for (const url of [
        "http://example.com/",
        "http://169.254.169.254/latest",
        "http://10.0.0.1:8080/",
        "http://0.0.0.0:1/",
        "https://127.0.0.1.nip.io/",
        "http://[::ffff:127.0.0.1]/"
      ]) {
        const { status, text } = yield* subscribe(closed.baseUrl, url)
        expect([url, status]).toEqual([url, 400])
        expect(text).toMatch(/attr.url.*this machine/)
      }
      const open = yield* Sandbox.make({ networks, webhooks: { hosts: ["hooks.example"] } })
      expect((yield* subscribe(open.baseUrl, "https://hooks.example/a")).status).toBe(200)
      expect((yield* subscribe(open.baseUrl, "https://other.example/a")).status).toBe(400)
      expect((yield* subscribe(open.baseUrl, "http://127.0.0.1:1/a")).status).not.toBe(400)
    })
  )
})
