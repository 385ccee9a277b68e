/**
 * WebSockets on loopback: those that clients open at the sandbox, and those that the sandbox opens at nodes.
 *
 * @since 0.1.0
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { RawData, WebSocket } from "ws"
import type {
  ClientSocket,
  Handler,
  HandlerRequest,
  HandlerResponse,
  SocketHandler,
  SocketWatcher
} from "./Handler.js"
import { webSockets } from "./Packages.js"
import { SandboxError } from "./SandboxError.js"

const toBuffer = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parseJson = (text: Buffer): unknown => {
  try {
    return JSON.parse(text.toString("utf8"))
  } catch {
    return undefined
  }
}

/** The time in milliseconds between two pieces of a slow message. */
const DRIP_INTERVAL_MS = 10

/** The number of notifications that may wait for the answer with their subscription's id. */
const MAX_EARLY = 1_000

interface ServedSocket {
  readonly socket: WebSocket
  readonly watchers: Array<SocketWatcher>
  /** Sends one message at a time, so that pieces of two never mix. */
  readonly writeLock: Effect.Semaphore
  /** The subscriptions whose ids the client knows, and the notifications of others, which wait. */
  readonly knownSubscriptions: Set<string>
  earlyNotifications: ReadonlyArray<readonly [id: string, message: HandlerResponse]>
}

const sendFrame = (socket: WebSocket, text: Buffer, fin = true): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (socket.readyState !== socket.OPEN) return resume(Effect.void)
    socket.send(text, { binary: false, fin }, () => resume(Effect.void))
  })

/** Sends a message as a whole, in pieces over a time, or half of it and then nothing. */
const sendWithFaults = (
  socket: WebSocket,
  { body, dripMs, isStalled }: HandlerResponse
): Effect.Effect<void> => {
  if (isStalled)
    return Effect.zipRight(sendFrame(socket, body.subarray(0, body.length / 2), false), Effect.never)
  if (dripMs === undefined) return sendFrame(socket, body)
  const pieces = Math.max(1, Math.min(body.length, Math.floor(dripMs / DRIP_INTERVAL_MS)))
  const offsetOf = (piece: number): number => Math.floor((body.length * piece) / pieces)
  return Effect.forEach(
    Array.from({ length: pieces }, (_, i) => i),
    (i) =>
      Effect.zipRight(
        Effect.sleep(dripMs / pieces),
        sendFrame(socket, body.subarray(offsetOf(i), offsetOf(i + 1)), i === pieces - 1)
      ),
    { discard: true }
  )
}

const isSilent = ({ watchers }: ServedSocket): boolean => watchers.some((watcher) => watcher.isSilent())

const sendMessage = (wire: ServedSocket, message: HandlerResponse): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (isSilent(wire)) return Effect.void
    return Effect.zipRight(
      wire.writeLock.withPermits(1)(sendWithFaults(wire.socket, message)),
      Effect.forEach(wire.watchers, ({ afterMessage }) => afterMessage, { discard: true })
    )
  })

/** Sends a notification, after the answer with its subscription's id. */
const pushNotification = (wire: ServedSocket, message: HandlerResponse): Effect.Effect<void> =>
  Effect.suspend(() => {
    const said = parseJson(message.body)
    const params = isRecord(said) ? said.params : undefined
    const id = isRecord(params) && params.subscription !== undefined ? String(params.subscription) : undefined
    if (id === undefined || wire.knownSubscriptions.has(id)) return sendMessage(wire, message)
    wire.earlyNotifications = [...wire.earlyNotifications.slice(1 - MAX_EARLY), [id, message]]
    return Effect.void
  })

/** Sends the notifications of subscriptions whose ids the client now knows. */
const releaseEarly = (wire: ServedSocket, request: unknown, answered: unknown): Effect.Effect<void> =>
  Effect.suspend(() => {
    const items: ReadonlyArray<unknown> = Array.isArray(answered) ? answered : [answered]
    if (!/subscribe"/i.test(JSON.stringify(request) ?? "")) return Effect.void
    for (const item of items) if (isRecord(item)) wire.knownSubscriptions.add(String(item.result))
    const due = wire.earlyNotifications.filter(([id]) => wire.knownSubscriptions.has(id))
    wire.earlyNotifications = wire.earlyNotifications.filter(([id]) => !wire.knownSubscriptions.has(id))
    return Effect.forEach(due, ([, message]) => sendMessage(wire, message), { discard: true })
  })

/** Converts an HTTP answer to a message. A message has no status, so an error status becomes a JSON-RPC error. */
const toMessage = (answer: HandlerResponse, request: unknown): HandlerResponse => {
  if (answer.status < 400) return answer
  const said = parseJson(answer.body)
  if (Array.isArray(said) || (isRecord(said) && "jsonrpc" in said)) return answer
  const message =
    isRecord(said) && typeof said.message === "string"
      ? said.message
      : answer.body.toString("utf8").slice(0, 200)
  const error = {
    code: answer.status === 429 ? -32_005 : -32_000,
    message: `HTTP ${answer.status}: ${message}`
  }
  const id = isRecord(request) && request.id !== undefined ? request.id : null
  return { ...answer, body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error })) }
}

const handleMessage = (wire: ServedSocket, handler: Handler, message: HandlerRequest): Effect.Effect<void> =>
  Effect.flatMap(handler(message), (answer) => {
    if (answer === "drop") return Effect.sync(() => wire.socket.terminate())
    const request = parseJson(message.body)
    return Effect.zipRight(
      sendMessage(wire, toMessage(answer, request)),
      releaseEarly(wire, request, parseJson(answer.body))
    )
  })

/** The headers of messages, from the request that opened the socket. */
const toMessageHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(?:sec-websocket-.*|connection|upgrade|content-.*)$/.test(name)
    )
  ),
  "content-type": "application/json"
})

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Completes the handshake. The socket is paused, so that no message is lost before its handler is there. */
const acceptSocket = (
  { head, request, socket }: Upgrade,
  maxPayload: number
): Effect.Effect<WebSocket, SandboxError, Scope.Scope> =>
  Effect.flatMap(webSockets, ({ WebSocketServer }) => {
    const options = { noServer: true, clientTracking: false, autoPong: false, maxPayload }
    return Effect.acquireRelease(
      Effect.async<WebSocket>((resume) => {
        new WebSocketServer(options).handleUpgrade(request, socket, head, (opened) => {
          opened.pause()
          opened.on("error", () => opened.terminate())
          resume(Effect.succeed(opened))
        })
      }),
      (opened) => Effect.sync(() => opened.terminate())
    )
  })

/**
 * Accepts a WebSocket, and serves it until either side closes it. Interruption cuts the connection. Fails without the
 * package `ws` (`package`), before the handshake.
 *
 * @since 0.1.0
 * @category operations
 */
export const serveSocket = (
  upgrade: Upgrade,
  received: HandlerRequest,
  open: SocketHandler,
  maxPayload: number
): Effect.Effect<void, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const socket = yield* acceptSocket(upgrade, maxPayload)
    const wire: ServedSocket = {
      socket,
      watchers: [],
      writeLock: yield* Effect.makeSemaphore(1),
      knownSubscriptions: new Set(),
      earlyNotifications: []
    }
    const line: ClientSocket = {
      push: (message) => pushNotification(wire, message),
      close: (code) => Effect.sync(() => (code === undefined ? socket.terminate() : socket.close(code))),
      watch: (watcher) => void wire.watchers.push(watcher)
    }
    const handler = yield* open(line)
    const fork = yield* FiberSet.makeRuntime<never, void, never>()
    const headers = toMessageHeaders(received.headers)
    socket.on("ping", (data) => {
      if (!isSilent(wire)) socket.pong(data)
    })
    socket.on("message", (data) => {
      fork(handleMessage(wire, handler, { ...received, method: "POST", headers, body: toBuffer(data) }))
    })
    yield* Effect.async<void>((resume) => {
      if (socket.readyState === socket.CLOSED) return resume(Effect.void)
      socket.once("close", () => resume(Effect.void))
      socket.resume()
    })
  })

/**
 * Opens a WebSocket at a node, and closes it with the scope. `onMessage` gets every message, and `onClose` is called
 * when the node closes it. Yields the function that sends. Fails if the socket does not open (`chain`), or without the
 * package `ws` (`package`).
 *
 * @since 0.1.0
 * @category operations
 */
export const openSocket = (
  url: string,
  onMessage: (message: Buffer) => void,
  onClose: () => void
): Effect.Effect<(message: string) => void, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { WebSocket } = yield* webSockets
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => new WebSocket(url.replace(/^http/, "ws"), { handshakeTimeout: 10_000 })),
      (opened) => Effect.sync(() => opened.terminate())
    )
    socket.on("message", (data) => onMessage(toBuffer(data)))
    yield* Effect.async<void, SandboxError>((resume) => {
      socket.once("open", () => resume(Effect.void))
      socket.on("error", ({ message }) =>
        resume(
          new SandboxError({
            reason: "chain",
            message: `${new URL(url).host} did not open a WebSocket: ${message}`
          })
        )
      )
    })
    socket.once("close", onClose)
    return (message) => socket.send(message)
  })
