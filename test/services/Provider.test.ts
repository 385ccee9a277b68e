// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { HttpFailure } from "../../src/http/Http.js"
import * as Provider from "../../src/services/Provider.js"
import { makeScripted, parseBody } from "./scripted.js"

/** A value that JavaScript may pass. */
const anything = (value: unknown) => value as never

const { make } = Provider

describe("low-level requests", () => {
  it.effect("go to the version of the API, with what is not empty of the query", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(make, [{ json: 1 }, { json: 2 }, { json: 3 }, {}])
      expect(
        yield* service.get<number>({ path: "a/b", params: { n: 5, zero: 0, off: false, list: ["x", "y"] } })
      ).toBe(1)
      expect(yield* service.post({ path: "/a", body: { deep: [1, null] }, version: "V3" })).toBe(2)
      expect(yield* service.put({ path: "a", body: "text" })).toBe(3)
      expect(yield* service.delete({ path: "a", params: { q: "ä" } })).toBeUndefined()
      expect(lines()).toEqual([
        "GET /v4/a/b?n=5&list=x&list=y",
        "POST /v3/a",
        "PUT /v4/a",
        "DELETE /v4/a?q=ä"
      ])
      expect(sent.map(parseBody)).toEqual([undefined, { deep: [1, null] }, "text", undefined])
      expect(sent.every(({ headers }) => headers["x-api-key"] === "KEY")).toBe(true)
    })
  )

  it.effect("carry the key to the provider's hosts, and to no others", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [{}, {}, {}, {}], { network: "ethereum-sepolia" })
      yield* service.get({ basePath: "https://api.tatum.io/v9/", path: "x" })
      yield* service.get({ basePath: "https://other.example", path: "/x" })
      yield* service.get({ basePath: "https://eviltatum.io", path: "x" })
      yield* service.post({ basePath: "http://api.tatum.io", path: "x", body: {} })
      expect(sent.map(({ url, headers }) => [url, headers["x-api-key"]])).toEqual([
        ["https://api.tatum.io/v9/x", "KEY"],
        ["https://other.example/x", undefined],
        ["https://eviltatum.io/x", undefined],
        ["http://api.tatum.io/x", undefined]
      ])
      expect(sent[1]?.headers).toEqual({})
    })
  )

  it.effect("tell the provider alone that the network is a testnet", () =>
    Effect.gen(function* () {
      const anonymous = { network: "ethereum-sepolia", apiKey: "" } as const
      const { sent, service } = yield* makeScripted(make, [{}, {}], anonymous)
      yield* service.get({ path: "x" })
      yield* service.get({ basePath: "https://other.example", path: "x" })
      expect(sent.map(({ url }) => url)).toEqual([
        "https://api.tatum.io/v4/x?type=testnet",
        "https://other.example/x"
      ])
    })
  )

  it.effect("are repeated on a server error if they read, and never if they write", () =>
    Effect.gen(function* () {
      const busy = { status: 500, text: "busy" }
      const reading = yield* makeScripted(make, [
        busy,
        { json: 1 },
        busy,
        { text: "file", type: "text/plain" }
      ])
      expect(yield* reading.service.get({ path: "x" })).toBe(1)
      const file = yield* reading.service.getFile({ path: "f" })
      expect(yield* Effect.promise(() => file.text())).toBe("file")
      for (const write of ["post", "put", "delete"] as const) {
        const { sent, service } = yield* makeScripted(make, [busy])
        const error = yield* Effect.flip(service[write]({ path: "x" }))
        expect(error).toMatchObject({ _tag: "GatewayError", status: 500, messages: ["busy"] })
        expect(sent.length).toBe(1)
      }
      const { sent, service } = yield* makeScripted(make, [busy])
      yield* Effect.flip(service.uploadFile({ path: "ipfs", body: "x" }))
      expect(sent.length).toBe(1)
    })
  )

  it.effect("upload text, bytes and blobs as the file of a form, and download blobs with their type", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode("content")
      const files = ["content", bytes, bytes.buffer, new Blob([bytes])]
      const { sent, service } = yield* makeScripted(make, [
        {},
        {},
        {},
        {},
        { text: "<svg/>", type: "image/svg+xml" }
      ])
      for (const body of files) yield* service.uploadFile({ path: "ipfs", body: anything(body) })
      for (const { body, headers } of sent) {
        const file = body instanceof FormData ? body.get("file") : undefined
        expect(file).toBeInstanceOf(Blob)
        if (file instanceof Blob) expect(yield* Effect.promise(() => file.text())).toBe("content")
        // the boundary is the sender's to choose
        expect(headers).not.toHaveProperty("content-type")
      }
      const file = yield* service.getFile({ path: "ipfs/Qm1" })
      expect([file.type, file.size]).toEqual(["image/svg+xml", 6])
    })
  )

  it.effect("are refused before anything is sent if they could go astray", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [])
      const refused: ReadonlyArray<Effect.Effect<unknown, Error & { readonly _tag: string }>> = [
        service.get({ path: "a?b=c" }),
        service.get({ path: "a#b" }),
        service.get({ path: "ipfs/../subscription" }),
        service.get({ path: "ipfs/%2E%2e" }),
        service.get({ path: "ipfs\\..\\subscription" }),
        service.get({ path: "ipfs/.\t./subscription" }),
        service.get({ basePath: "ftp://host" }),
        service.get({ basePath: "https://user:word@host" }),
        service.get({ basePath: "https://host/?key=1" }),
        service.get(anything({ path: 5 })),
        service.get(anything(undefined)),
        service.get(anything({ version: "V5" })),
        service.uploadFile(anything({ path: "ipfs", body: { no: "file" } })),
        service.rpcCall("file:///etc/passwd", { method: "m" }),
        service.rpcCall("https://node.example", anything({ no: "method" })),
        service.rpcCall("https://node.example", [])
      ]
      for (const call of refused) expect((yield* Effect.flip(call))._tag).toBe("InvalidArgument")
      const error = yield* Effect.flip(service.uploadFile(anything({ body: { no: "file" } })))
      expect(error.message).toBe("provider.uploadFile: body: must be a Blob, bytes or text")
      expect(sent).toEqual([])
    })
  )
})

describe("JSON-RPC by url", () => {
  const url = "https://node.example/key-that-must-not-be-shown-anywhere"

  it.effect("yields the result, sent once and without the key", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [
        { json: { jsonrpc: "2.0", id: 9, result: "0x1" } }
      ])
      expect(yield* service.rpcCall(url, { id: 9, method: "m", params: [] })).toBe("0x1")
      expect(sent.map(({ method, url: to, headers }) => [method, to, headers])).toEqual([
        ["POST", url, { "content-type": "application/json" }]
      ])
      expect(parseBody(sent[0])).toEqual({ jsonrpc: "2.0", id: 9, method: "m", params: [] })
    })
  )

  it.effect("sends the key to the provider's own hosts", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(make, [{ json: { id: 1, result: 1 } }])
      yield* service.rpcCall("https://ethereum-mainnet.gateway.tatum.io", { id: 1, method: "m" })
      expect(sent[0]?.headers["x-api-key"]).toBe("KEY")
    })
  )

  it.effect("repeats no key of the client's, which the host may tell in any form", () =>
    Effect.gen(function* () {
      const apiKey = "the-key-of-the-client"
      const url = "https://api.tatum.io/v3/blockchain/node/ETH"
      const said = `no key ${apiKey} ${btoa(apiKey)}`
      const { sent, service } = yield* makeScripted(
        Provider.make,
        [
          { json: { jsonrpc: "2.0", id: 1, error: { code: -32000, message: said, data: [said] } } },
          { status: 401, text: said },
          new HttpFailure({ kind: "network", reason: said }),
          { json: [{ jsonrpc: "2.0", id: 1, error: { code: 1, message: said } }] }
        ],
        { apiKey }
      )
      const body = { jsonrpc: "2.0", id: 1, method: "eth_chainId" } as const
      for (let i = 0; i < 3; i++) {
        const error = yield* Effect.flip(service.rpcCall(url, body))
        expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/the-key|dGhlLWtleS/)
        expect(error.message).toContain("no key … …")
      }
      expect(JSON.stringify(yield* service.rpcCall(url, [body]))).not.toMatch(/the-key|dGhlLWtleS/)
      expect(sent[0]?.headers["x-api-key"]).toBe(apiKey)
    })
  )

  it.effect("fails with what the node said, also beside a status that blames the node", () =>
    Effect.gen(function* () {
      const error = { code: -32_601, message: "no such method" }
      const { service } = yield* makeScripted(make, [{ status: 500, json: { id: 1, result: null, error } }])
      expect(yield* Effect.flip(service.rpcCall(url, { id: 1, method: "m" }))).toMatchObject({
        _tag: "RpcError",
        code: -32_601,
        rpcMessage: "no such method"
      })
    })
  )

  it.effect("fails with a node error that keeps the url to itself", () =>
    Effect.gen(function* () {
      const failure = new HttpFailure({ kind: "connect", reason: `cannot reach ${url}` })
      const { sent, service } = yield* makeScripted(make, [failure])
      const error = yield* Effect.flip(service.rpcCall(url, { method: "m" }))
      expect(error).toMatchObject({ _tag: "NodeError", kind: "connect" })
      expect(String(error)).not.toContain("must-not-be-shown")
      expect(sent.length).toBe(1)
    })
  )

  it.effect("has an outcome for every body of a batch", () =>
    Effect.gen(function* () {
      const json = [
        { id: 2, error: { code: 1, message: "no" } },
        { id: 1, result: "one" }
      ]
      const { sent, service } = yield* makeScripted(make, [{ json }])
      const [one, two, three] = yield* service.rpcCall(url, [
        { id: 1, method: "a" },
        { id: 2, method: "b" },
        { id: 3, method: "c" }
      ])
      expect(one).toMatchObject({ _tag: "Right", right: "one" })
      expect(two).toMatchObject({ _tag: "Left", left: { message: "no" } })
      expect(three).toMatchObject({ _tag: "Left", left: { _tag: "NodeError" } })
      expect(sent.length).toBe(1)
    })
  )
})
