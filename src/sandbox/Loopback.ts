/**
 * HTTP on 127.0.0.1: the sandbox's servers, and the requests that they forward. It uses node:http instead of a platform
 * server, because faults need the socket: no platform response can drop a connection or stall a body.
 *
 * @since 0.1.0
 */
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  ServerResponse
} from "node:http"
import { Socket as TcpSocket } from "node:net"
import type { Duplex } from "node:stream"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { withoutTail } from "../data/tail.js"
import { Access, type AccessService, checkAccess, type Refusal } from "./Access.js"
import type { Handler, HandlerRequest, HandlerResponse } from "./Handler.js"
import { SandboxError } from "./SandboxError.js"
import { serveSocket } from "./WebSockets.js"

/**
 * Runs an effect on the real clock. Sockets and processes run in real time, even in a test with a test clock.
 *
 * @since 0.1.0
 * @category getters
 */
export const withRealClock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withClock(Clock.make())

/**
 * A JSON response that pages of every allowed origin may read, as nodes and the provider send it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const jsonResponse = (body: unknown, status = 200): HandlerResponse => ({
  status,
  headers: { "content-type": "application/json", "access-control-allow-origin": "*" },
  body: Buffer.from(JSON.stringify(body))
})

/**
 * Converts a web handler's response. Server-sent events are streamed, everything else is sent as a whole. Pages of
 * every allowed origin may read it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromWebResponse = (response: Response): Effect.Effect<HandlerResponse> => {
  const headers = { ...Object.fromEntries(response.headers), "access-control-allow-origin": "*" }
  const { body, status } = response
  if (body === null || !response.headers.get("content-type")?.startsWith("text/event-stream"))
    return Effect.map(
      Effect.promise(() => response.arrayBuffer()),
      (bytes) => ({ status, headers, body: Buffer.from(bytes) })
    )
  return Effect.succeed({
    status,
    headers,
    body: Buffer.alloc(0),
    stream: Stream.orDie(Stream.fromReadableStream({ evaluate: () => body, onError: (error) => error }))
  })
}

/** The answer to a CORS preflight. Pages of every allowed origin may send a key or a JSON body. */
const preflight: HandlerResponse = {
  status: 204,
  headers: {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "*"
  },
  body: Buffer.alloc(0)
}

/** Headers of one connection, and lengths that node:http computes itself. */
const CONNECTION_HEADERS = [
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade"
]

const keepEndToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name)))

/** The largest body in bytes. The provider's limit for a file is lower. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

const tooLarge: Refusal = {
  statusCode: 413,
  errorCode: "body.too.large",
  message: `The body is larger than ${MAX_BODY_BYTES} bytes`
}

/** The time in milliseconds that a client has for sending a body that is discarded. */
const DISCARD_TIMEOUT_MS = 10_000

/**
 * Refuses a request whose body may still be arriving. No page may read the answer. The rest of the body is discarded as
 * it comes, because resetting the connection would lose the answer. Then the connection ends.
 */
const refuseRequest = (request: IncomingMessage, response: ServerResponse, refusal: Refusal): void => {
  const body = Buffer.from(JSON.stringify(refusal))
  response.writeHead(refusal.statusCode, {
    "content-type": "application/json",
    "content-length": body.length,
    connection: "close"
  })
  response.write(body)
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_TIMEOUT_MS)
  response.once("close", () => clearTimeout(timer))
  request.once("end", () => response.end()).resume()
}

/** Collects the body of a request, and refuses one that is too large. */
const receiveBody = (
  request: IncomingMessage,
  onBody: (body: Buffer) => void,
  refuse: (refusal: Refusal) => void
): void => {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
    refuse(tooLarge)
    return
  }
  const chunks: Array<Buffer> = []
  let size = 0
  const addChunk = (chunk: Buffer): void => {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) return void chunks.push(chunk)
    request.off("data", addChunk).off("end", finish)
    chunks.length = 0
    refuse(tooLarge)
  }
  const finish = (): void => onBody(Buffer.concat(chunks))
  request.on("data", addChunk).on("end", finish)
}

/** Writes the handler's answer to a request, or resets its connection for a "drop". */
const answerRequest = (
  received: HandlerRequest,
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse
): Effect.Effect<void> =>
  (received.method === "OPTIONS" ? Effect.succeed(preflight) : handler(received)).pipe(
    Effect.flatMap((answer) =>
      answer === "drop"
        ? Effect.sync(() => void request.socket.resetAndDestroy())
        : writeResponse(response, answer)
    ),
    // Without an answer, a client would wait for ever and could only guess that the handler is broken.
    Effect.catchAllDefect((defect) => writeFailure(response, Cause.die(defect))),
    withRealClock
  )

/**
 * Serves `handler` on 127.0.0.1 until the scope closes, and yields the port: `port`, or a free one for 0. CORS
 * preflights are answered here. The handler gets the requests that `Access` allows, with a normalized path. A body of
 * more than 64 MiB is answered with HTTP 413. Closing the scope resets every connection and interrupts its requests,
 * and a client that disconnects interrupts its own. Fails if the port is taken.
 *
 * @since 0.1.0
 * @category operations
 */
export const listen = (handler: Handler, port = 0): Effect.Effect<number, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never, void, never>()
    const access = yield* Access
    const server = createServer((request, response) => {
      const { headers, method = "GET", url = "/" } = request
      const refuse = (refusal: Refusal): void => refuseRequest(request, response, refusal)
      const admitted = checkAccess(access, url, headers)
      if ("errorCode" in admitted) return refuse(admitted)
      const startAnswer = (body: Buffer): void => {
        const received: HandlerRequest = { method, path: admitted.path, headers, body }
        const fiber = fork(answerRequest(received, handler, request, response))
        response.on("error", () => fiber.unsafeInterruptAsFork(FiberId.none))
        response.once("close", () => fiber.unsafeInterruptAsFork(FiberId.none))
      }
      receiveBody(request, startAnswer, refuse)
    })
    const upgraded = new Set<Duplex>()
    server.on("upgrade", (request, socket: Duplex, head) => {
      if (request.headers.upgrade?.toLowerCase() !== "websocket")
        return serveWithoutUpgrade(server, { request, socket, head })
      upgraded.add(socket)
      const fiber = fork(serveUpgrade({ request, socket, head }, handler, access).pipe(withRealClock))
      socket.on("error", () => socket.destroy())
      socket.once("close", () => {
        upgraded.delete(socket)
        fiber.unsafeInterruptAsFork(FiberId.none)
      })
    })
    // a keep-alive timeout would look like a fault that no rule asked for
    server.keepAliveTimeout = 0
    yield* Effect.acquireRelease(openPort(server, port), () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
        // closeAllConnections does not include upgraded sockets
        for (const socket of upgraded) socket.destroy()
      })
    )
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : port
  })

interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/**
 * Serves a request for an upgrade to another protocol without the upgrade (Java's clients offer HTTP/2). node:http
 * hands such a request over before it reads the body, so the request is put back in front of the remaining bytes.
 */
const serveWithoutUpgrade = (server: Server, { head, request, socket }: UpgradeRequest): void => {
  const { rawHeaders } = request
  const lines = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || /^(?:upgrade|http2-settings|connection)$/i.test(name)
      ? []
      : [`${name}: ${rawHeaders[i + 1]}`]
  )
  const start = `${request.method} ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`
  socket.unshift(Buffer.concat([Buffer.from(start, "latin1"), head]))
  server.emit("connection", socket)
}

/** Opens the WebSocket of a request, or answers with the refusal that any other request would get. */
const serveUpgrade = (
  upgrade: UpgradeRequest,
  handler: Handler,
  access: AccessService
): Effect.Effect<void> => {
  const { request, socket } = upgrade
  const refuse = (answer: HandlerResponse): Effect.Effect<void> =>
    Effect.suspend(() => {
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      if (socket instanceof TcpSocket) response.assignSocket(socket)
      response.once("finish", () => socket.end())
      return writeResponse(response, answer)
    })
  const { headers, method = "GET", url = "/" } = request
  const admitted = checkAccess(access, url, headers)
  // no page may read the answer
  if ("errorCode" in admitted)
    return refuse({
      ...jsonResponse(admitted, admitted.statusCode),
      headers: { "content-type": "application/json" }
    })
  const received: HandlerRequest = {
    method,
    path: admitted.path,
    headers,
    body: Buffer.alloc(0),
    socket: true
  }
  return Effect.flatMap(handler(received), (answer) => {
    if (answer === "drop")
      return Effect.sync(
        () => void (socket instanceof TcpSocket ? socket.resetAndDestroy() : socket.destroy())
      )
    return answer.socket === undefined
      ? refuse(answer)
      : serveSocket(upgrade, received, answer.socket, MAX_BODY_BYTES).pipe(
          Effect.scoped,
          Effect.catchAll(({ message }) =>
            refuse(jsonResponse({ statusCode: 501, errorCode: "sandbox.failed", message }, 501))
          )
        )
  }).pipe(
    Effect.catchAllDefect((defect) =>
      refuse(jsonResponse({ statusCode: 500, errorCode: "sandbox.failed", message: String(defect) }, 500))
    )
  )
}

/** The time in milliseconds between two pieces of a slow body, which is the precision of timers. */
const DRIP_INTERVAL_MS = 2

const writeResponse = (response: ServerResponse, answer: HandlerResponse): Effect.Effect<void> => {
  const { body, dripMs, stream } = answer
  if (stream !== undefined)
    return Effect.sync(() => {
      response.writeHead(answer.status, answer.headers)
      response.flushHeaders()
    }).pipe(
      Effect.zipRight(Stream.runForEach(stream, (chunk) => writeChunk(response, chunk))),
      Effect.zipRight(Effect.sync(() => void response.end()))
    )
  return Effect.suspend(() => {
    response.writeHead(answer.status, { ...answer.headers, "content-length": body.length })
    if (answer.isStalled) {
      response.flushHeaders()
      return writeChunk(response, body.subarray(0, body.length / 2))
    }
    if (dripMs === undefined || body.length === 0) return Effect.sync(() => void response.end(body))
    response.flushHeaders()
    const pieces = Math.max(1, Math.min(body.length, Math.floor(dripMs / DRIP_INTERVAL_MS)))
    const started = performance.now()
    const offsetOf = (writePiece: number): number => Math.floor((body.length * writePiece) / pieces)
    const piece = (i: number): Effect.Effect<void> =>
      Effect.zipRight(
        Effect.sleep(Math.max(0, started + (dripMs * (i + 1)) / pieces - performance.now())),
        writeChunk(response, body.subarray(offsetOf(i), offsetOf(i + 1)))
      )
    return Effect.zipRight(
      Effect.forEach(
        Array.from({ length: pieces }, (_, i) => i),
        piece,
        { discard: true }
      ),
      Effect.sync(() => void response.end())
    )
  })
}

/** Writes a chunk, and waits until the client can take more. */
const writeChunk = (response: ServerResponse, chunk: Uint8Array): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (chunk.length === 0 || response.write(chunk)) return resume(Effect.void)
    const onDrain = (): void => resume(Effect.void)
    response.once("drain", onDrain)
    return Effect.sync(() => response.off("drain", onDrain))
  })

const writeFailure = (response: ServerResponse, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (response.headersSent) return Effect.sync(() => void response.destroy())
    const message = `The sandbox failed at this request: ${Cause.pretty(cause).split("\n", 1)[0]}`
    return writeResponse(
      response,
      jsonResponse({ statusCode: 500, errorCode: "sandbox.failed", message }, 500)
    )
  })

const openPort = (server: Server, port: number): Effect.Effect<void, SandboxError> =>
  Effect.async<void, SandboxError>((resume) => {
    server.on("error", (error) =>
      resume(
        new SandboxError({
          reason: "listen",
          message: `Port ${port} of 127.0.0.1 cannot be opened (${error.message}): stop the program that uses it, or choose another port`
        })
      )
    )
    server.listen(port, "127.0.0.1", () => resume(Effect.void))
  })

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request to `url` and yields the whole response, whatever its status. `timeout` is in milliseconds, none by
 * default. Fails if no response comes. Interruption closes the connection.
 *
 * @since 0.1.0
 * @category operations
 */
export const forwardRequest = (
  url: string,
  received: HandlerRequest,
  options: { readonly timeout?: number; readonly reuse?: boolean } = {}
): Effect.Effect<HandlerResponse, SandboxError> =>
  Effect.async<HandlerResponse, SandboxError>((resume) => {
    // the url without its credentials
    const fail = (why: string): void =>
      resume(new SandboxError({ reason: "chain", message: `${new URL(url).origin} did not answer: ${why}` }))
    const outgoing = request(
      // A relative url would not do: a path that begins with two slashes names another host.
      new URL(`${withoutTail(url, "/")}/${received.path.replace(/^\/+/, "")}`),
      {
        method: received.method,
        headers: { ...keepEndToEnd(received.headers), "content-length": received.body.length },
        agent: options.reuse === false ? false : agent
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", (error) => fail(error.message))
        response.once("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? 502,
              headers: keepEndToEnd(response.headers),
              body: Buffer.concat(chunks)
            })
          )
        )
      }
    )
    const timer =
      options.timeout === undefined
        ? undefined
        : setTimeout(
            () => outgoing.destroy(new Error(`no answer within ${options.timeout} ms`)),
            options.timeout
          )
    outgoing.once("close", () => clearTimeout(timer))
    outgoing.on("error", (error) => {
      // A node may close a kept connection just as it is used again, which does not mean that the node is down.
      if (outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET")
        resume(forwardRequest(url, received, { ...options, reuse: false }))
      else fail(error.message)
    })
    outgoing.end(received.body)
    return Effect.sync(() => outgoing.destroy())
  })

/**
 * The fields of a JSON-RPC call that the sandbox reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface JsonRpcCall {
  readonly method: string
  readonly params?: unknown
  readonly id?: unknown
}

/**
 * Whether a value is a JSON-RPC call.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isJsonRpcCall = (value: unknown): value is JsonRpcCall =>
  typeof value === "object" && value !== null && "method" in value && typeof value.method === "string"

/**
 * Makes one JSON-RPC call at `url` and yields the answer, including an error. The timeout of a minute is for nodes on
 * a busy machine. Fails if the body is not a JSON-RPC answer.
 *
 * @since 0.1.0
 * @category operations
 */
export const callJsonRpc = (url: string, body: JsonRpcCall): Effect.Effect<object, SandboxError> =>
  Effect.flatMap(
    forwardRequest(
      url,
      {
        method: "POST",
        path: "/",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, params: [], ...body }))
      },
      // These calls change the chain. A retry on a closed connection would send them twice.
      { timeout: 60_000, reuse: false }
    ),
    ({ body: text, status }) => {
      const answer = parseBody(text)
      return typeof answer === "object" && answer !== null && ("result" in answer || "error" in answer)
        ? Effect.succeed(answer)
        : new SandboxError({
            reason: "chain",
            message: `${new URL(url).origin} answered ${body.method} with HTTP ${status} without JSON-RPC`
          })
    }
  )

/**
 * The JSON in a body; undefined where there is none.
 *
 * @since 0.1.0
 * @category operations
 */
export const parseBody = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}
