import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createNetServer, type Server as NetServer, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { RequestError } from "@effect/platform/HttpClientError"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Tracer from "effect/Tracer"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import {
  Http,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  layerFetch,
  layerPlatform,
  layerUndici,
  makeFetch
} from "../src/http/Http.js"

interface Subject {
  readonly name: string
  readonly layer: Layer.Layer<Http>
  /** Whether it asks for compressed answers, and takes them apart. */
  readonly inflates: boolean
  /** Whether it keeps connections open for the next request. */
  readonly reuses?: false
}

const subjects: ReadonlyArray<Subject> = [
  { name: "layerFetch", layer: layerFetch, inflates: true },
  {
    name: "layerPlatform over FetchHttpClient",
    layer: layerPlatform.pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
    ),
    inflates: true
  },
  {
    name: "layerPlatform over NodeHttpClient.layer",
    layer: Layer.provide(layerPlatform, NodeHttpClient.layer),
    inflates: false,
    // the agent of Node's http module is made without keepAlive there; the next line is how to have it
    reuses: false
  },
  {
    name: "layerPlatform over NodeHttpClient with keepAlive",
    layer: layerPlatform.pipe(
      Layer.provide(NodeHttpClient.layerWithoutAgent),
      Layer.provide(NodeHttpClient.makeAgentLayer({ keepAlive: true }))
    ),
    inflates: false
  },
  {
    name: "layerPlatform over NodeHttpClient.layerUndici",
    layer: Layer.provide(layerPlatform, NodeHttpClient.layerUndici),
    inflates: false
  },
  { name: "layerUndici", layer: layerUndici, inflates: false }
]

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Loopback {
  readonly url: string
  readonly requests: Array<IncomingMessage>
  readonly sockets: Set<Socket>
}

const open: Array<Server | NetServer> = []
const openSockets = new Set<Socket>()

const listen = async (server: Server | NetServer, protocol = "http"): Promise<Loopback> => {
  open.push(server)
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    openSockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => openSockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { url: `${protocol}://127.0.0.1:${address.port}`, requests: [], sockets }
}

const serve = async (handler: Handler): Promise<Loopback> => {
  const requests: Array<IncomingMessage> = []
  const loopback = await listen(
    createServer((request, response) => {
      requests.push(request)
      response.on("error", () => {})
      handler(request, response)
    })
  )
  return { ...loopback, requests }
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

afterEach(async () => {
  for (const socket of openSockets) socket.destroy()
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

const ask = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  timeout: 5_000,
  maxBytes: 1_000_000,
  ...more
})

/** Waits for something that is to happen. Only a test that hangs gets to the limit. */
const until = async (condition: () => boolean): Promise<void> => {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 60_000) throw new Error("it never happens")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Whether the connections of requests are closed. A client may open others for the next ones, as Node's fetch does, and leave them idle. */
const areOver = (requests: ReadonlyArray<IncomingMessage>): boolean =>
  requests.length > 0 && requests.every(({ socket }) => socket.destroyed)

describe.each(subjects)("$name", ({ layer, inflates, reuses = true }) => {
  const runtime = ManagedRuntime.make(layer)
  beforeAll(() => runtime.runPromise(Effect.void))
  afterAll(() => runtime.dispose())

  const send = (request: HttpRequest): Promise<Either.Either<HttpResponse, HttpFailure>> =>
    runtime.runPromise(
      Effect.either(
        Effect.flatMap(Http, (http) => http.send(request)).pipe(
          Effect.timeoutFail({
            duration: 8_000,
            onTimeout: () => {
              throw new Error("send hangs")
            }
          })
        )
      )
    )
  const answer = async (request: HttpRequest): Promise<HttpResponse> => Either.getOrThrow(await send(request))
  const failure = async (request: HttpRequest): Promise<HttpFailure> => {
    const outcome = await send(request)
    if (Either.isRight(outcome)) throw new Error(`it succeeded with ${outcome.right.status}`)
    return outcome.left
  }
  const start = (request: HttpRequest) => runtime.runFork(Effect.flatMap(Http, (http) => http.send(request)))

  it("gives status, body and headers, whatever the case of their names", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "X-Node-Name": "one" }).end('{"ok":true}')
    })
    const response = await answer(ask(url))
    expect(response.status).toBe(200)
    expect(response.text).toBe('{"ok":true}')
    expect(new TextDecoder().decode(response.bytes)).toBe('{"ok":true}')
    expect(response.header("x-node-name")).toBe("one")
    expect(response.header("content-type")).toBe("application/json")
    expect(response.header("x-missing")).toBeUndefined()
  })

  it.each([200, 201, 206, 400, 401, 404, 408, 429, 500, 502, 503, 599])(
    "hands on status %i with its body",
    async (status) => {
      const { url, requests } = await serve((_, response) => response.writeHead(status).end(`says ${status}`))
      const response = await answer(ask(url))
      expect([response.status, response.text]).toEqual([status, `says ${status}`])
      expect(requests).toHaveLength(1)
    }
  )

  it("sends a stream as it is read, with the type that it is given", async () => {
    let received = ""
    const { url, requests } = await serve(async (request, response) => {
      received = String(await bodyOf(request))
      response.end("{}")
    })
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const part of ["one ", "two ", "three"]) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      }
    })
    const headers = { "content-type": "text/special" }
    expect((await answer(ask(url, { method: "POST", body, headers }))).status).toBe(200)
    expect(received).toBe("one two three")
    expect(requests[0]?.headers["content-type"]).toBe("text/special")
  })

  it("hands the chunks of an answer to a sink, without a cap, and waits for it", async () => {
    const block = Buffer.alloc(100_000, 7)
    let written = 0
    const { url } = await serve((_, response) => {
      const write = (): void => {
        while (written < 200) {
          written++
          if (!response.write(block)) {
            response.once("drain", write)
            return
          }
        }
        response.end()
      }
      write()
    })
    let taken = 0
    let ahead = 0
    const sink = async (chunk: Uint8Array): Promise<void> => {
      if (taken === 0) {
        // until the server has nothing more to write, or nowhere to write it to
        for (let before = -1; written !== before; ) {
          before = written
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        ahead = written
      }
      taken += chunk.byteLength
    }
    const response = await answer(ask(url, { sink, maxBytes: Number.POSITIVE_INFINITY }))
    expect(taken).toBe(20_000_000)
    expect(response.bytes.byteLength).toBe(0)
    // what the sockets hold is a few megabytes; the server could not go on while nobody took anything
    expect(ahead).toBeLessThan(150)
  })

  it("keeps the body of a refusal from the sink", async () => {
    const { url } = await serve((_, response) => response.writeHead(404).end("not here"))
    const sink = async (): Promise<void> => {
      throw new Error("it got something")
    }
    expect(await answer(ask(url, { sink }))).toMatchObject({ status: 404, text: "not here" })
  })

  it("ends with what the sink fails with", async () => {
    const { url } = await serve((_, response) => response.end("data"))
    const sink = () => Promise.reject(new Error("the disk is full"))
    expect((await failure(ask(url, { sink }))).reason).toContain("the disk is full")
  })

  it("takes longer than its time where only a standstill counts, and not longer than that", async () => {
    const { url } = await serve((request, response) => {
      let count = 0
      const timer = setInterval(() => {
        response.write("x")
        if (++count < 8) return
        clearInterval(timer)
        if (request.url === "/ends") response.end()
      }, 90)
      response.on("close", () => clearInterval(timer))
    })
    const [ended, late, hung] = await Promise.all([
      answer(ask(`${url}/ends`, { timeout: 600, isTimeoutPerChunk: true })),
      failure(ask(`${url}/ends`, { timeout: 600 })),
      failure(ask(`${url}/hangs`, { timeout: 600, isTimeoutPerChunk: true }))
    ])
    expect([ended.text, late.kind, hung.kind]).toEqual(["xxxxxxxx", "timeout", "timeout"])
  })

  it("passes over interim answers", async () => {
    const { url } = await serve((_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => {
        response.writeHead(200, { "x-node-name": "one" }).end("real")
      })
    })
    const response = await answer(ask(url))
    expect([response.status, response.text, response.header("x-node-name")]).toEqual([200, "real", "one"])
  })

  it("hands on 304, which is no redirect", async () => {
    const { url } = await serve((_, response) => response.writeHead(304).end())
    expect((await answer(ask(url))).status).toBe(304)
  })

  it("reads empty bodies: declared, chunked, and those of 204", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/204") response.writeHead(204).end()
      else if (request.url === "/chunked") {
        response.writeHead(200, { "transfer-encoding": "chunked" })
        response.flushHeaders()
        response.end()
      } else response.writeHead(200, { "content-length": "0" }).end()
    })
    for (const path of ["/204", "/chunked", "/empty"]) {
      const response = await answer(ask(url + path))
      expect([path, response.text, response.bytes.byteLength]).toEqual([path, "", 0])
    }
  })

  it("keeps binary bodies byte for byte, declared and chunked", async () => {
    const bytes = Uint8Array.from({ length: 1_024 }, (_, i) => (i * 7) % 256)
    const { url } = await serve((request, response) => {
      response.setHeader("content-type", "application/octet-stream")
      if (request.url === "/declared") response.setHeader("content-length", bytes.byteLength)
      response.write(bytes.subarray(0, 500))
      response.end(bytes.subarray(500))
    })
    for (const path of ["/declared", "/chunked"]) {
      expect(Array.from((await answer(ask(url + path))).bytes)).toEqual(Array.from(bytes))
    }
  })

  it.each(["text/plain; charset=iso-8859-1", "application/json", "text/csv"])(
    "keeps the bytes of a body of %s that is no UTF-8, and reads it as text with replacements",
    async (type) => {
      const latin1 = Buffer.from("caf\u00e9 \u00fcber", "latin1")
      const { url } = await serve((request, response) => {
        response.setHeader("content-type", type)
        if (request.url === "/declared") response.setHeader("content-length", latin1.byteLength)
        response.end(latin1)
      })
      for (const path of ["/declared", "/chunked"]) {
        const response = await answer(ask(url + path))
        expect(Array.from(response.bytes)).toEqual(Array.from(latin1))
        expect(response.text).toBe("caf\ufffd \ufffdber")
      }
    }
  )

  it("keeps a byte order mark in the bytes, and leaves it out of the text", async () => {
    const marked = Buffer.from("\ufeff[1]", "utf8")
    const { url } = await serve((_, response) => {
      response
        .writeHead(200, { "content-type": "application/json", "content-length": marked.byteLength })
        .end(marked)
    })
    const response = await answer(ask(url))
    expect(response.bytes.byteLength).toBe(marked.byteLength)
    expect(JSON.parse(response.text)).toEqual([1])
  })

  it("puts a character together that was cut between two chunks", async () => {
    const text = "\u20ac".repeat(1_000)
    const { url } = await serve((_, response) => {
      const bytes = Buffer.from(text)
      response.write(bytes.subarray(0, 1))
      setTimeout(() => response.end(bytes.subarray(1)), 20)
    })
    expect((await answer(ask(url))).text).toBe(text)
  })

  it("reads a body of megabytes", async () => {
    const text = "0123456789".repeat(300_000)
    const { url } = await serve((_, response) => response.end(text))
    const response = await answer(ask(url, { maxBytes: 4_000_000 }))
    expect(response.text === text).toBe(true)
  })

  it("sends method, headers and body as they are", async () => {
    const bodies: Array<string> = []
    const { url, requests } = await serve(async (request, response) => {
      bodies.push((await bodyOf(request)).toString("utf8"))
      response.end("{}")
    })
    const headers = { "content-type": "application/json", "x-api-key": "KEY", authorization: "Basic dTpw" }
    for (const method of ["POST", "PUT"] as const) {
      await answer(ask(`${url}/a?b=%2F`, { method, headers, body: '{"text":"\u20ac"}' }))
    }
    await answer(ask(`${url}/a?b=%2F`, { method: "DELETE", headers: { "x-api-key": "KEY" } }))
    expect(requests.map((request) => [request.method, request.url])).toEqual([
      ["POST", "/a?b=%2F"],
      ["PUT", "/a?b=%2F"],
      ["DELETE", "/a?b=%2F"]
    ])
    expect(bodies).toEqual(['{"text":"\u20ac"}', '{"text":"\u20ac"}', ""])
    expect(requests[0]?.headers).toMatchObject(headers)
    expect(requests[0]?.headers["content-length"]).toBe(String(Buffer.byteLength('{"text":"\u20ac"}')))
    const names =
      requests[0]?.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()) ?? []
    expect(new Set(names).size).toBe(names.length)
    expect(requests[2]?.headers["content-type"]).toBeUndefined()
  })

  it.each([{}, { "content-type": "application/json" }])(
    "uploads a form with its boundary (headers %j)",
    async (headers) => {
      const bodies: Array<Buffer> = []
      const { url, requests } = await serve(async (request, response) => {
        bodies.push(await bodyOf(request))
        response.end("{}")
      })
      const form = new FormData()
      form.append("file", new Blob([Uint8Array.from([0, 255, 128])]), "a.bin")
      form.append("name", "one")
      await answer(ask(url, { method: "POST", headers: { ...headers, "x-api-key": "KEY" }, body: form }))
      const type = String(requests[0]?.headers["content-type"])
      expect(type).toMatch(/^multipart\/form-data; ?boundary=/)
      const boundary = type.replace(/^.*boundary=/, "")
      const body = bodies[0]?.toString("latin1") ?? ""
      expect(body).toContain(`--${boundary}--`)
      expect(body).toContain('name="file"; filename="a.bin"')
      expect(body).toContain("\r\n\r\n\x00\xff\x80\r\n")
      expect(requests[0]?.headers["x-api-key"]).toBe("KEY")
    }
  )

  it("ends at the deadline when no headers come, and closes the socket", async () => {
    const { url, requests } = await serve(() => {})
    const error = await failure(ask(url, { timeout: 300 }))
    expect([error.kind, error.message]).toEqual(["timeout", "no answer within 300 ms"])
    await until(() => areOver(requests))
    expect(requests).toHaveLength(1)
  })

  it.each(["declared", "chunked"])(
    "ends at the deadline when a %s body stalls, and closes the socket",
    async (kind) => {
      const { url, requests } = await serve((_, response) => {
        if (kind === "declared") response.setHeader("content-length", 100)
        response.write('{"jsonrpc"')
      })
      const error = await failure(ask(url, { timeout: 200 }))
      expect(error.kind).toBe("timeout")
      await until(() => areOver(requests))
    }
  )

  it("ends at the deadline when a body trickles without end", async () => {
    const timers: Array<NodeJS.Timeout> = []
    const { url, requests } = await serve((_, response) => {
      timers.push(setInterval(() => response.write(" "), 20))
    })
    try {
      expect((await failure(ask(url, { timeout: 200 }))).kind).toBe("timeout")
      await until(() => areOver(requests))
    } finally {
      for (const timer of timers) clearInterval(timer)
    }
  })

  it("ends at the deadline while it is still connecting", async () => {
    // accepts, but never answers the handshake
    const { url } = await listen(
      createNetServer(() => {}),
      "https"
    )
    expect((await failure(ask(url, { timeout: 200 }))).kind).toBe("timeout")
  })

  it.each([2 ** 31, 1e12, Number.POSITIVE_INFINITY])(
    "takes a deadline of %d ms for a long one",
    async (timeout) => {
      const { url } = await serve((_, response) => setTimeout(() => response.end("late"), 30))
      expect((await answer(ask(url, { timeout }))).text).toBe("late")
    }
  )

  it("closes the socket when it is interrupted, before and during the body", async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url === "/body") response.write("begins")
    })
    for (const path of ["/headers", "/body"]) {
      const fiber = start(ask(url + path))
      await until(() => requests.some((request) => request.url === path))
      await new Promise((resolve) => setTimeout(resolve, 30))
      await Effect.runPromise(Fiber.interrupt(fiber))
      await until(() => areOver(requests))
    }
    expect(requests).toHaveLength(2)
  })

  it("takes a body as large as the cap, and none that is a byte larger, declared or chunked", async () => {
    const { url } = await serve((request, response) => {
      const [, kind, size] = (request.url ?? "").split("/")
      if (kind === "declared") response.setHeader("content-length", Number(size))
      for (let left = Number(size); left > 0; left -= 1_000)
        response.write(Buffer.alloc(Math.min(1_000, left), "x"))
      response.end()
    })
    for (const kind of ["declared", "chunked"]) {
      const response = await answer(ask(`${url}/${kind}/5000`, { maxBytes: 5_000 }))
      expect(response.bytes.byteLength).toBe(5_000)
      const error = await failure(ask(`${url}/${kind}/5001`, { maxBytes: 5_000 }))
      expect([kind, error.kind, error.message]).toEqual([
        kind,
        "too-large",
        "the answer is larger than 5000 bytes"
      ])
    }
  })

  it.each(["declared", "chunked"])(
    "does not read on behind the cap of a %s body without end",
    async (kind) => {
      let written = 0
      const { url, requests } = await serve((_, response) => {
        if (kind === "declared") response.setHeader("content-length", 1_000_000_000)
        const chunk = Buffer.alloc(64_000, "x")
        const write = (): void => {
          while (!response.destroyed && written < 500_000_000) {
            written += chunk.byteLength
            if (!response.write(chunk)) {
              response.once("drain", write)
              return
            }
          }
        }
        write()
      })
      expect((await failure(ask(url, { maxBytes: 100_000 }))).kind).toBe("too-large")
      await until(() => areOver(requests))
      expect(written).toBeLessThan(30_000_000)
    }
  )

  it.each(["declared", "chunked"])("is not blown up by a compressed bomb (%s)", async (kind) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const { url, requests } = await serve((_, response) => {
      response.setHeader("content-encoding", "gzip")
      response.setHeader("content-type", "application/json")
      if (kind === "declared") response.setHeader("content-length", bomb.byteLength)
      response.end(bomb)
    })
    const outcome = await send(ask(url, { maxBytes: 100_000 }))
    if (inflates) {
      expect(Either.isLeft(outcome) && outcome.left.kind).toBe("too-large")
    } else {
      // it never asks for compression, and takes nothing apart
      expect(requests[0]?.headers["accept-encoding"]).toBeUndefined()
      expect(Either.isRight(outcome) && outcome.right.bytes.byteLength).toBe(bomb.byteLength)
    }
  })

  it("reads compressed answers where it asked for them", async () => {
    const text = JSON.stringify({ result: "x".repeat(5_000) })
    const { url } = await serve((request, response) => {
      if (String(request.headers["accept-encoding"] ?? "").includes("gzip")) {
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text))
      } else response.end(text)
    })
    expect((await answer(ask(url))).text).toBe(text)
  })

  it.each([301, 302, 303, 307, 308])(
    "refuses a redirect with %i, and never contacts its target",
    async (status) => {
      const target = await serve((_, response) => response.end("stolen"))
      const { url } = await serve((_, response) =>
        response.writeHead(status, { location: `${target.url}/steal` }).end("moved")
      )
      for (const request of [
        ask(url, { headers: { "x-api-key": "KEY" } }),
        ask(url, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": "KEY" },
          body: "{}"
        })
      ]) {
        const error = await failure(request)
        expect(error.kind).toBe("redirect")
        expect(error.message).toContain("redirect")
      }
      // it would have come before this one
      await answer(ask(`${target.url}/last`))
      expect(target.requests.map((request) => request.url)).toEqual(["/last"])
    }
  )

  it("sends no tracing headers, inside a span with a tracer either", async () => {
    const { url, requests } = await serve((_, response) => response.end("{}"))
    await runtime.runPromise(
      Effect.flatMap(Http, (http) => http.send(ask(url, { method: "POST", body: "{}" }))).pipe(
        Effect.withSpan("outer")
      )
    )
    const names = Object.keys(requests[0]?.headers ?? {})
    expect(names).not.toEqual([])
    expect(names.filter((name) => /^(traceparent|tracestate|b3|x-b3-.*|baggage)$/.test(name))).toEqual([])
  })

  it("shows no key of a url to the tracer", async () => {
    const { url } = await serve((_, response) => response.end("{}"))
    const attributes: Array<string> = []
    const tracer = Tracer.make({
      span: (name, parent, context, links, startTime, kind) => ({
        _tag: "Span",
        spanId: "1",
        traceId: "1",
        sampled: true,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        name,
        parent,
        context,
        links,
        kind,
        end: () => {},
        attribute: (key, value) => attributes.push(`${key}=${String(value)}`),
        event: () => {},
        addLinks: () => {}
      }),
      context: (f) => f()
    })
    await runtime.runPromise(
      Effect.flatMap(Http, (http) => http.send(ask(`${url}/v3/node/SECRET?key=SECRET`))).pipe(
        Effect.withSpan("outer", { attributes: { seen: "yes" } }),
        Effect.withTracer(tracer)
      )
    )
    expect(attributes).toContain("seen=yes")
    expect(attributes.filter((line) => line.includes("SECRET"))).toEqual([])
  })

  it("calls a refused connection `connect`: nothing can have arrived", async () => {
    const { url } = await serve(() => {})
    const server = open.pop()
    await new Promise((resolve) => server?.close(resolve))
    const error = await failure(ask(url, { method: "POST", body: "{}" }))
    expect(error.kind).toBe("connect")
    expect(error.message).toMatch(/ECONNREFUSED/)
  })

  it("calls a connection that is closed without an answer `network`", async () => {
    const { url } = await serve((request) => request.socket.destroy())
    expect((await failure(ask(url, { method: "POST", body: "{}" }))).kind).toBe("network")
  })

  it.each(["declared", "chunked"])("calls a %s body that breaks off `network`", async (kind) => {
    const { url } = await serve((request, response) => {
      if (kind === "declared") response.setHeader("content-length", 1_000)
      response.write("the beginning, not an empty body")
      setTimeout(() => request.socket.resetAndDestroy(), 20)
    })
    // the word in the url must not be taken for what went wrong
    expect((await failure(ask(`${url}/empty`))).kind).toBe("network")
  })

  it("calls what is no HTTP `network`", async () => {
    const { url } = await listen(createNetServer((socket) => socket.end("220 mail.example ESMTP\r\n")))
    expect((await failure(ask(url))).kind).toBe("network")
  })

  it("uses a connection again", async () => {
    const { url, sockets } = await serve((_, response) => response.end("{}"))
    for (let i = 0; i < 10; i++) await answer(ask(url, { method: "POST", body: "{}" }))
    expect(sockets.size).toBeLessThanOrEqual(reuses ? 2 : 10)
  })

  it("keeps 50 requests at once apart", async () => {
    const { url } = await serve(async (request, response) => {
      const body = (await bodyOf(request)).toString()
      setTimeout(() => response.end(`${request.url}:${body}`), Math.random() * 30)
    })
    const texts = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, i) => (await answer(ask(`${url}/${i}`, { method: "POST", body: `b${i}` }))).text
      )
    )
    expect(texts).toEqual(Array.from({ length: 50 }, (_, i) => `/${i}:b${i}`))
  })

  it("goes on after failures of every kind", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/redirect")
        response.writeHead(302, { location: "/elsewhere" }).end("x".repeat(100_000))
      else if (request.url === "/large") response.end("x".repeat(500_000))
      else if (request.url === "/reset") request.socket.destroy()
      else if (request.url === "/ok") response.end("ok")
    })
    const failures = ["redirect", "large", "reset", "hang"].map((path) =>
      failure(ask(`${url}/${path}`, { timeout: path === "hang" ? 200 : 5_000, maxBytes: 1_000 }))
    )
    expect((await Promise.all(failures)).map(({ kind }) => kind)).toEqual([
      "redirect",
      "too-large",
      "network",
      "timeout"
    ])
    expect((await answer(ask(`${url}/ok`))).text).toBe("ok")
  })

  it("leaves no timer behind when it is done", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/reset") request.socket.destroy()
      else response.end("{}")
    })
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    await answer(ask(url))
    const before = timers()
    for (let i = 0; i < 20; i++) {
      await answer(ask(url, { timeout: 60_000 }))
      await failure(ask(`${url}/reset`, { timeout: 60_000 }))
    }
    // a pool has a few timers of its own, however many requests there were
    expect(timers() - before).toBeLessThan(10)
  })
})

describe("makeFetch", () => {
  const run = (fetch: typeof globalThis.fetch, more: Partial<HttpRequest> = {}) =>
    Effect.runPromise(Effect.either(makeFetch(fetch).send(ask("https://node.example", more))))

  it("refuses the opaque redirects of browsers", async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 }
    })
    const outcome = await run(async () => opaque)
    expect(Either.isLeft(outcome) && [outcome.left.kind, outcome.left.message]).toEqual([
      "redirect",
      "a redirect, which is refused"
    ])
  })

  it("caps bodies whose length was declared before decompression, which browsers hide", async () => {
    const outcome = await run(
      async () =>
        new Response("x".repeat(5_000), {
          headers: { "content-length": "40", "content-type": "application/json" }
        }),
      { maxBytes: 1_000 }
    )
    expect(Either.isLeft(outcome) && outcome.left.kind).toBe("too-large")
  })

  it("takes a fetch that throws at once, or rejects with no error, for a failure of the network", async () => {
    const thrown = await run(() => {
      throw new Error("bad moment")
    })
    const rejected = await run(() => Promise.reject("no reason"))
    expect(Either.isLeft(thrown) && [thrown.left.kind, thrown.left.message]).toEqual([
      "network",
      "bad moment"
    ])
    expect(Either.isLeft(rejected) && [rejected.left.kind, rejected.left.message]).toEqual([
      "network",
      "no reason"
    ])
  })

  it("ends at the deadline although the fetch heeds no signal", async () => {
    const outcome = await run(() => new Promise(() => {}), { timeout: 50 })
    expect(Either.isLeft(outcome) && outcome.left.kind).toBe("timeout")
  })
})

describe("layerPlatform over a fetch", () => {
  /** Whether the request was aborted, once `layerPlatform` has done with it. */
  const aborts = async (response: () => Promise<Response>, more: Partial<HttpRequest> = {}) => {
    let signal: AbortSignal | null | undefined
    const fetch: typeof globalThis.fetch = (_, init) => {
      signal = init?.signal
      return response()
    }
    const layer = layerPlatform.pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
    )
    const sent = Effect.flatMap(Http, (http) => http.send(ask("https://node.example", more)))
    const outcome = await Effect.runPromise(Effect.either(Effect.provide(sent, layer)))
    return [Either.isRight(outcome), signal?.aborted]
  }

  it("aborts a request whose answer is not read to its end, and none that was: that costs as much as to send it", async () => {
    const endless = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(100)) }))
    expect(await aborts(async () => new Response("whole"))).toEqual([true, false])
    expect(await aborts(async () => endless(), { maxBytes: 1_000 })).toEqual([false, true])
    expect(await aborts(async () => Response.redirect("https://else.example", 302))).toEqual([false, true])
    expect(await aborts(() => new Promise(() => {}), { timeout: 50 })).toEqual([false, true])
  })

  it("says what a client says that names no cause", async () => {
    const client = HttpClient.make((request) =>
      Effect.fail(new RequestError({ request, reason: "Encode", description: "no such body" }))
    )
    const sent = Effect.flatMap(Http, (http) => http.send(ask("https://node.example")))
    const error = await Effect.runPromise(
      Effect.flip(
        Effect.provide(sent, Layer.provide(layerPlatform, Layer.succeed(HttpClient.HttpClient, client)))
      )
    )
    expect([error.kind, error.reason]).toEqual(["network", expect.stringMatching(/no such body/)])
  })
})

describe("a fetch whose answers have no streams, as that of React Native", () => {
  const http = makeFetch(async (...args) =>
    Object.defineProperty(await fetch(...args), "body", { value: undefined })
  )
  const send = (request: HttpRequest) => Effect.runPromise(Effect.either(http.send(request)))

  it("has its text and its bytes", async () => {
    const bytes = Uint8Array.from({ length: 1_024 }, (_, i) => (i * 7) % 256)
    const { url } = await serve((request, response) => {
      if (request.url === "/204") response.writeHead(204).end()
      else response.end(request.url === "/bytes" ? bytes : '{"ok":true}')
    })
    expect(Either.getOrThrow(await send(ask(url))).text).toBe('{"ok":true}')
    expect(Array.from(Either.getOrThrow(await send(ask(`${url}/bytes`))).bytes)).toEqual(Array.from(bytes))
    expect(Either.getOrThrow(await send(ask(`${url}/204`))).text).toBe("")
  })

  it("is capped, and ends at its deadline", async () => {
    const { url } = await serve((request, response) => {
      response.write("x".repeat(1_000))
      if (request.url !== "/hangs") response.end()
    })
    expect(await send(ask(url, { maxBytes: 999 }))).toMatchObject({ left: { kind: "too-large" } })
    expect(await send(ask(`${url}/hangs`, { timeout: 100 }))).toMatchObject({ left: { kind: "timeout" } })
  })

  it("goes to a sink as a whole", async () => {
    const { url } = await serve((_, response) => response.end("data"))
    let taken = ""
    const sink = async (chunk: Uint8Array): Promise<void> => {
      taken += new TextDecoder().decode(chunk)
    }
    const answered = Either.getOrThrow(await send(ask(url, { sink })))
    expect([answered.status, answered.bytes.byteLength, taken]).toEqual([200, 0, "data"])
  })
})
