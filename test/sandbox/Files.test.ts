import { createHash } from "node:crypto"
import { createServer } from "node:http"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { group } from "../../src/sandbox/api/Files.js"
import * as Files from "../../src/sandbox/provider/Files.js"
import { SandboxError } from "../../src/sandbox/SandboxError.js"
import * as Store from "../../src/sandbox/Store.js"
import { fetchJson, serve } from "./serve.js"

const HELLO = "Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD"
/** The same content, in the spelling of version 1. */
const HELLO_V1 = "bafybeihykld7uyxzogax6vgyvag42y7464eywpf55gxi5qpoisibh3c5wa"
/** What `ipfs add --cid-version 1` says. */
const HELLO_RAW = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
const EMPTY = "QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH"
const MIB = 2 ** 20

/** The provider's files over a store of their own. */
const provider = (files: Layer.Layer<Files.FileStore, SandboxError>) =>
  Effect.flatMap(Layer.build(files), (context) =>
    serve(
      HttpApiBuilder.api(HttpApi.make("provider").add(group)).pipe(
        Layer.provide(Files.layer),
        Layer.provide(Layer.succeedContext(context))
      )
    )
  )

const upload = (url: string, ...files: ReadonlyArray<readonly [field: string, file: File | string]>) =>
  Effect.promise(async () => {
    const form = new FormData()
    for (const [field, file] of files) form.append(field, file)
    const signal = AbortSignal.timeout(300_000)
    const response = await fetch(`${url}/ipfs`, { method: "POST", body: form, signal })
    const body: unknown = await response.json()
    return { status: response.status, body }
  })

const download = (url: string, cid: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/ipfs/${cid}`, { headers, signal: AbortSignal.timeout(300_000) })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes }
  })

const file = (bytes: Uint8Array<ArrayBuffer> | string, type: string): File =>
  new File([bytes], "a file.bin", { type })

/** Bytes that no chunk of has an equal. */
const bytesOf = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let seed = 1
  for (let i = 0; i < size; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = seed >>> 16
  }
  return bytes
}

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe("content identifiers", () => {
  it.effect("are those of IPFS", () =>
    Effect.gen(function* () {
      const hello = new TextEncoder().encode("hello world")
      expect(yield* Files.computeCid(hello)).toBe(HELLO)
      expect(yield* Files.computeCid(hello, 1)).toBe(HELLO_RAW)
      expect(yield* Files.computeCid(new Uint8Array())).toBe(EMPTY)
    })
  )
})

for (const [where, files] of [
  ["in memory", Files.memoryLayer],
  ["in the database", Layer.provide(Files.storeLayer, Store.layer())]
] as const)
  describe(`files ${where}`, () => {
    it.scopedLive("come back as they were uploaded", () =>
      Effect.gen(function* () {
        const url = yield* provider(files)
        expect(yield* upload(url, ["file", file("hello world", "text/plain")])).toEqual({
          status: 200,
          body: { ipfsHash: HELLO }
        })
        for (const cid of [HELLO, HELLO_V1, HELLO_V1.toUpperCase()]) {
          const got = yield* download(url, cid)
          expect(got.status).toBe(200)
          expect(new TextDecoder().decode(got.bytes)).toBe("hello world")
          expect(got.headers.get("content-type")).toBe("text/plain")
          expect(got.headers.get("content-length")).toBe("11")
          const etag = got.headers.get("etag") ?? ""
          expect(etag).toBe(`"${cid}"`)
          const again = yield* download(url, cid, { "if-none-match": etag })
          expect([again.status, again.bytes.length]).toEqual([304, 0])
        }
      })
    )

    it.scopedLive("have any size and type", () =>
      Effect.gen(function* () {
        const url = yield* provider(files)
        const sizes = [0, 1, 262_144, 262_145, 5 * MIB + 1, 50 * MIB]
        const answers = yield* Effect.forEach(sizes, (size) =>
          Effect.gen(function* () {
            const bytes = bytesOf(size)
            const { body, status } = yield* upload(url, ["file", file(bytes, "image/png")])
            expect(status).toBe(200)
            const cid = yield* Files.computeCid(bytes)
            expect(body).toEqual({ ipfsHash: cid })
            const got = yield* download(url, cid)
            expect(got.headers.get("content-type")).toBe("image/png")
            expect(got.headers.get("content-length")).toBe(String(size))
            expect(sha(got.bytes)).toBe(sha(bytes))
            return cid
          })
        )
        expect(answers[0]).toBe(EMPTY)
        expect(new Set(answers).size).toBe(sizes.length)
      })
    )

    it.scopedLive("are documents too, and can be given other types", () =>
      Effect.gen(function* () {
        const url = yield* provider(files)
        const text = JSON.stringify({ name: "Ape" })
        for (const type of ["application/json", "application/octet-stream"]) {
          const { body } = yield* upload(url, ["note", "of no interest"], ["file", file(text, type)])
          const cid = yield* Files.computeCid(new TextEncoder().encode(text))
          expect(body).toEqual({ ipfsHash: cid })
          const got = yield* download(url, cid)
          expect(new TextDecoder().decode(got.bytes)).toBe(text)
          expect(got.headers.get("content-type")).toBe(type)
        }
      })
    )

    it.scopedLive("are refused where there is not exactly one, and missing where there is none", () =>
      Effect.gen(function* () {
        const url = yield* provider(files)
        const one = file("1", "text/plain")
        for (const form of [
          [],
          [["other", one]],
          [
            ["file", one],
            ["file", one]
          ]
        ] as const)
          expect(yield* upload(url, ...form)).toMatchObject({
            status: 400,
            body: { statusCode: 400, errorCode: "validation.failed" }
          })
        expect(yield* fetchJson(`${url}/ipfs`, { file: "no form" })).toMatchObject({
          status: 400,
          body: { errorCode: "validation.failed" }
        })
        for (const cid of [EMPTY, HELLO_V1, HELLO_RAW, "nonsense"])
          expect(yield* fetchJson(`${url}/ipfs/${cid}`)).toMatchObject({
            status: 404,
            body: { statusCode: 404, errorCode: "file.not.found", message: expect.stringContaining(cid) }
          })
      })
    )
  })

it.effect("says when the database fails", () =>
  Effect.gen(function* () {
    const failure = new SandboxError({ reason: "store", message: "The disk is full" })
    const broken = Layer.succeed(Files.FileStore, {
      put: () => Effect.fail(failure),
      get: () => Effect.fail(failure)
    })
    const url = yield* provider(broken)
    const unavailable = { status: 503, body: { statusCode: 503, message: "The disk is full" } }
    expect(yield* upload(url, ["file", file("1", "text/plain")])).toMatchObject(unavailable)
    expect(yield* fetchJson(`${url}/ipfs/${HELLO}`)).toMatchObject(unavailable)
  }).pipe(Effect.scoped)
)

describe("metadata", () => {
  /** A server on loopback, for documents that are elsewhere. */
  const server = Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly url: string; readonly close: () => void }>((done) => {
          const http = createServer((request, response) => {
            if (request.url === "/silent") return
            if (request.url === "/moved") response.writeHead(302, { location: "/good" })
            if (request.url === "/bad") response.statusCode = 500
            if (request.url === "/long") return void response.end(`"${"x".repeat(2 * MIB)}"`)
            response.end('{"name":"Web"}')
          }).listen(0, "127.0.0.1", () => {
            const address = http.address()
            done({
              url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
              close: () => {
                http.close()
                http.closeAllConnections()
              }
            })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

  it.scopedLive("is read from files, from URIs and from servers on loopback, and from nowhere else", () =>
    Effect.gen(function* () {
      const { url } = yield* server
      const { put } = yield* Files.FileStore
      const document = new TextEncoder().encode('{"name":"Ape"}')
      const cid = yield* Files.computeCid(document)
      yield* put(cid, document, "application/json", "ape.json")
      yield* put(HELLO, new TextEncoder().encode("hello world"), "text/plain", "hello")
      const cases: ReadonlyArray<readonly [string, unknown]> = [
        [`ipfs://${cid}`, { name: "Ape" }],
        [`ipfs://ipfs/${cid}`, { name: "Ape" }],
        [`ipfs://${EMPTY}`, undefined],
        [`ipfs://${HELLO}`, undefined],
        ['data:application/json,{"name":"%C3%84"}', { name: "Ä" }],
        ['data:application/json;charset=utf-8,{"name":"a,b"}', { name: "a,b" }],
        [`data:application/json;base64,${btoa('{"name":"B"}')}`, { name: "B" }],
        ["data:application/json,%", undefined],
        ["data:;base64,*", undefined],
        [`${url}/good`, { name: "Web" }],
        [`${url}/moved`, undefined],
        [`${url}/bad`, undefined],
        [`${url}/long`, undefined],
        ["http://127.0.0.1.example/good", undefined],
        ["https://metadata.example/1", undefined],
        ["file:///etc/hostname", undefined],
        ["", undefined]
      ]
      for (const [uri, expected] of cases)
        expect([uri, yield* Files.resolveDocument(uri)]).toEqual([uri, expected])
      expect(yield* Files.resolveDocument(`${url}/silent`)).toBeUndefined()
    }).pipe(Effect.provide(Files.memoryLayer))
  )
})
