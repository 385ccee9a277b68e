// @runtime both
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { describe } from "vitest"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Storage from "../../src/services/Storage.js"
import { makeScripted } from "./scripted.js"

const text = new TextEncoder()
const chunks = async function* () {
  yield text.encode("hello ")
  yield text.encode("ipfs")
}

/** The one part of a form that was sent. */
const partOf = (body: unknown): File => {
  if (!(body instanceof FormData)) throw new Error("no form was sent")
  const entries = [...body.entries()]
  const [[name, file] = []] = entries
  expect(entries).toHaveLength(1)
  expect(name).toBe("file")
  if (!(file instanceof File)) throw new Error("the part is no file")
  return file
}

const sources: ReadonlyArray<readonly [string, Storage.FileSource]> = [
  ["a blob", new Blob(["hello ipfs"])],
  ["bytes", text.encode("hello ipfs")],
  ["a part of a buffer", text.encode("xxhello ipfsxx").subarray(2, 12)],
  ["an array buffer", text.encode("hello ipfs").buffer],
  ["text", "hello ipfs"],
  ["a stream", new Blob(["hello ipfs"]).stream()],
  ["an iterable", chunks()]
]

describe("an upload", () => {
  it.effect.each(sources)("takes %s", ([, file]) =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(Storage.make, [{ json: { ipfsHash: "Qm" } }])
      expect(yield* service.uploadFile({ file })).toEqual({ ipfsHash: "Qm" })
      const part = partOf(sent[0]?.body)
      expect(yield* Effect.promise(() => part.text())).toBe("hello ipfs")
      expect(part.name).toBe("blob")
      expect(lines()).toEqual(["POST /v4/ipfs"])
    })
  )

  it.effect("takes names and types, its own or those of the file", () =>
    Effect.gen(function* () {
      const answers = [{ json: { ipfsHash: "Qm" } }, { json: { ipfsHash: "Qm" } }]
      const { sent, service } = yield* makeScripted(Storage.make, answers)
      const file = new File(["x"], "ape.png", { type: "image/png" })
      yield* service.uploadFile({ file })
      yield* service.uploadFile({ file, filename: "b.txt", contentType: "text/plain" })
      expect(sent.map(({ body }) => partOf(body)).map(({ name, type }) => [name, type])).toEqual([
        ["ape.png", "image/png"],
        ["b.txt", "text/plain"]
      ])
    })
  )

  it.effect.each([
    [undefined],
    [{}],
    [{ file: undefined }],
    [{ file: 5 }],
    [{ file: { path: "" } }],
    [{ file: { path: "/nowhere/at/all" } }],
    [{ file: "x", filename: "" }]
  ])("of %j is refused before anything is sent", ([upload]) =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Storage.make, [])
      // wrong on purpose
      const error = yield* Effect.flip(service.uploadFile(upload as unknown as Storage.Upload))
      expect(error._tag).toBe("InvalidArgument")
    })
  )

  it.effect("that breaks while it is read is refused, and never sent twice when the provider fails", () =>
    Effect.gen(function* () {
      const broken = async function* () {
        yield text.encode("x")
        throw new Error("the disk is gone")
      }
      const { sent, service } = yield* makeScripted(Storage.make, [{ status: 500, text: "boom" }])
      expect(yield* Effect.flip(service.uploadFile({ file: broken() }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "the disk is gone"
      })
      expect(yield* Effect.flip(service.uploadFile({ file: "x" }))).toMatchObject({ status: 500 })
      expect(sent).toHaveLength(1)
    })
  )

  it.effect("whose path is given where there is no Node is refused, and says what to give", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Storage.make, [])
      const { process } = globalThis
      const upload = Effect.flip(service.uploadFile({ file: { path: "/tmp/ape.png" } }))
      const error = yield* Effect.acquireUseRelease(
        Effect.sync(() => Reflect.deleteProperty(globalThis, "process")),
        () => upload,
        () => Effect.sync(() => Object.assign(globalThis, { process }))
      )
      expect(error).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringContaining("{ path } of a file where Node is")
      })
    })
  )

  it.effect("whose answer has no hash is a failure", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Storage.make, [{ json: { id: 1 } }])
      const error = yield* Effect.flip(service.uploadFile({ file: "x" }))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
      expect(error.message).toContain("ipfsHash")
    })
  )

  it("goes from a file on disk to a real server, and comes back", async () => {
    const folder = await mkdtemp(join(tmpdir(), "effect-chains-"))
    const path = join(folder, "file.bin")
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    await writeFile(path, bytes)
    let stored: Uint8Array = new Uint8Array()
    const server = createServer(async (request, response) => {
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part)
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "image/png" }).end(stored)
        return
      }
      const form = await new Response(Buffer.concat(parts), {
        headers: { "content-type": request.headers["content-type"] ?? "" }
      }).formData()
      const file = form.get("file")
      stored = new Uint8Array(file instanceof File ? await file.arrayBuffer() : [])
      response.writeHead(200, { "content-type": "application/json" }).end('{"ipfsHash":"bafyreal"}')
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    const sdk = await init({ network: "bitcoin-mainnet", apiKey: "KEY", quiet: true, provider: { baseUrl } })
    try {
      expect(await sdk.ipfs.uploadFile({ file: { path } })).toEqual({
        status: "SUCCESS",
        data: { ipfsHash: "bafyreal" }
      })
      expect(stored).toEqual(bytes)
      const file = await sdk.ipfs.getFile({ id: "bafyreal" })
      expect(file.data?.type).toBe("image/png")
      expect(new Uint8Array((await file.data?.arrayBuffer()) ?? [])).toEqual(bytes)
    } finally {
      await sdk.destroy()
      server.close()
      await rm(folder, { recursive: true })
    }
  })
})

/** A server on loopback for the length of a test, and a client of it. */
const served = async (
  handler: RequestListener,
  use: (sdk: PromiseSdk<"bitcoin-mainnet">) => Promise<void>
): Promise<void> => {
  const server = createServer((request, response) => {
    // the provider has no nodes of the network
    if (request.url?.endsWith("/list.json") === true) response.writeHead(404).end()
    else handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const sdk = await init({
    network: "bitcoin-mainnet",
    apiKey: "KEY",
    quiet: true,
    provider: { baseUrl },
    timeout: 300,
    attemptTimeout: 300
  })
  try {
    await use(sdk)
  } finally {
    await sdk.destroy()
    server.closeAllConnections()
    server.close()
  }
}

describe("a large file", () => {
  it("tells how far it is while it is sent", async () => {
    let received = 0
    const seen: Array<Storage.Progress> = []
    await served(
      async (request, response) => {
        for await (const part of request) received += part.length
        response.writeHead(200, { "content-type": "application/json" }).end('{"ipfsHash":"Qm"}')
      },
      async (sdk) => {
        const file = new Uint8Array(3_000_000)
        const onProgress = (progress: Storage.Progress) => void seen.push(progress)
        expect(await sdk.ipfs.uploadFile({ file, onProgress })).toMatchObject({ status: "SUCCESS" })
      }
    )
    expect(received).toBeGreaterThan(3_000_000)
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.at(-1)).toEqual({ sent: 3_000_000, total: 3_000_000 })
    expect(seen.every(({ sent }, i) => sent >= (seen[i - 1]?.sent ?? 0))).toBe(true)
  })

  it("is read as it is consumed, however slow the consumer is, and let go when it stops", async () => {
    let written = 0
    let closed = false
    const block = Buffer.alloc(100_000, 1)
    await served(
      (_, response) => {
        const write = (): void => {
          while (!closed) {
            written++
            if (!response.write(block)) {
              response.once("drain", write)
              return
            }
          }
        }
        response.on("close", () => {
          closed = true
        })
        write()
      },
      async (sdk) => {
        let size = 0
        for await (const item of sdk.ipfs.streamFile({ id: "Qm" })) {
          if (item.status === "ERROR") throw item.error.cause
          // longer than the time-out: it is not the server that stands still
          if (size === 0) await new Promise((resolve) => setTimeout(resolve, 500))
          size += item.data.byteLength
          if (size > 1_000_000) break
        }
        for (let i = 0; i < 30_000 && !closed; i++) await new Promise((resolve) => setTimeout(resolve, 10))
      }
    )
    expect(closed).toBe(true)
    expect(written).toBeLessThan(200)
  })

  it("that stands still, or is refused, ends with one ERROR", async () => {
    await served(
      (request, response) => {
        if (request.url?.endsWith("missing")) response.writeHead(404).end('{"message":"no such file"}')
        else response.write("begins")
      },
      async (sdk) => {
        const outcomes: Array<string> = []
        for (const id of ["hangs", "missing"]) {
          for await (const item of sdk.ipfs.streamFile({ id })) {
            outcomes.push(item.status === "ERROR" ? item.error.message.join() : String(item.data.byteLength))
          }
        }
        expect(outcomes).toEqual(["6", "no answer within 300 ms", "no such file"])
      }
    )
  })
})

describe("a download", () => {
  it.effect("yields the bytes with their type, and is asked for again after a 500", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(
        Storage.make,
        [
          { status: 500, text: "boom" },
          { text: '{"x":1}', type: "application/json" }
        ],
        { retryDelay: 1 }
      )
      const fiber = yield* Effect.fork(service.getFile({ id: "Qm/a b.json" }))
      // the pause before the second request
      while ((yield* TestClock.sleeps()).length === 0)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(10)
      const blob = yield* Fiber.join(fiber)
      expect([yield* Effect.promise(() => blob.text()), blob.type]).toEqual(['{"x":1}', "application/json"])
      expect(lines()).toEqual(["GET /v4/ipfs/Qm/a b.json", "GET /v4/ipfs/Qm/a b.json"])
    })
  )

  it.effect.each([[""], ["../secret"], ["Qm/../x"], ["Qm?x=1"], ["Qm//x"], ["https://x"]])(
    "of %s is refused before anything is sent",
    ([id]) =>
      Effect.gen(function* () {
        const { service } = yield* makeScripted(Storage.make, [])
        expect((yield* Effect.flip(service.getFile({ id: id ?? "" })))._tag).toBe("InvalidArgument")
      })
  )
})
