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

/** Milliseconds between two pieces of a message that drips. */
const DRIP_INTERVAL_MS = 10

/** Notifications that wait for the answer which tells their subscription. */
const MAX_EARLY = 1_000

/** A WebSocket with what is known of it. */
interface ServedSocket {
  readonly socket: WebSocket
  readonly watchers: Array<SocketWatcher>
  /** One message at a time: pieces of two never mix. */
  readonly writeLock: Effect.Semaphore
  /** The subscriptions whose ids the client has been told, and the notifications of others. */
  readonly knownSubscriptions: Set<string>
  earlyNotifications: ReadonlyArray<readonly [id: string, message: HandlerResponse]>
}

const sendFrame = (socket: WebSocket, text: Buffer, fin = true): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (socket.readyState !== socket.OPEN) return resume(Effect.void)
    socket.send(text, { binary: false, fin }, () => resume(Effect.void))
  })

/** A message as it stands, in pieces over a time, or half of it and then nothing more, ever. */
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

/** A notification, which never comes before the answer that tells its subscription. */
const pushNotification = (wire: ServedSocket, message: HandlerResponse): Effect.Effect<void> =>
  Effect.suspend(() => {
    const said = parseJson(message.body)
    const params = isRecord(said) ? said.params : undefined
    const id = isRecord(params) && params.subscription !== undefined ? String(params.subscription) : undefined
    if (id === undefined || wire.knownSubscriptions.has(id)) return sendMessage(wire, message)
    wire.earlyNotifications = [...wire.earlyNotifications.slice(1 - MAX_EARLY), [id, message]]
    return Effect.void
  })

/** What was said about subscriptions that the client now knows. */
const releaseEarly = (wire: ServedSocket, asked: unknown, answered: unknown): Effect.Effect<void> =>
  Effect.suspend(() => {
    const items: ReadonlyArray<unknown> = Array.isArray(answered) ? answered : [answered]
    if (!/subscribe"/i.test(JSON.stringify(asked) ?? "")) return Effect.void
    for (const item of items) if (isRecord(item)) wire.knownSubscriptions.add(String(item.result))
    const due = wire.earlyNotifications.filter(([id]) => wire.knownSubscriptions.has(id))
    wire.earlyNotifications = wire.earlyNotifications.filter(([id]) => !wire.knownSubscriptions.has(id))
    return Effect.forEach(due, ([, message]) => sendMessage(wire, message), { discard: true })
  })

/** An answer as a message: a status has no place in one, unless the body is JSON-RPC. */
const toMessage = (answer: HandlerResponse, asked: unknown): HandlerResponse => {
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
  const id = isRecord(asked) && asked.id !== undefined ? asked.id : null
  return { ...answer, body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, error })) }
}

const handleMessage = (wire: ServedSocket, handler: Handler, message: HandlerRequest): Effect.Effect<void> =>
  Effect.flatMap(handler(message), (answer) => {
    if (answer === "drop") return Effect.sync(() => wire.socket.terminate())
    const asked = parseJson(message.body)
    return Effect.zipRight(
      sendMessage(wire, toMessage(answer, asked)),
      releaseEarly(wire, asked, parseJson(answer.body))
    )
  })

/** The headers of the request that opened a socket, as those of a message in it. */
const toMessageHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
  ...Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(?:sec-websocket-.*|connection|upgrade|content-.*)$/.test(name)
    )
  ),
  "content-type": "application/json"
})

/**
 * Accepts a WebSocket, and serves it until one of both sides ends it. Interruption cuts it. Fails where the package `ws` is not
 * installed (`package`), before anything is said to the client.
 *
 * @since 0.1.0
 * @category operations
 */
export const serveSocket = (
  {
    head,
    request,
    socket: raw
  }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  received: HandlerRequest,
  open: SocketHandler,
  maxPayload: number
): Effect.Effect<void, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { WebSocketServer } = yield* webSockets
    const options = { noServer: true, clientTracking: false, autoPong: false, maxPayload }
    const socket = yield* Effect.acquireRelease(
      Effect.async<WebSocket>((resume) => {
        new WebSocketServer(options).handleUpgrade(request, raw, head, (opened) => {
          // what comes before its handler is there waits
          opened.pause()
          opened.on("error", () => opened.terminate())
          resume(Effect.succeed(opened))
        })
      }),
      (opened) => Effect.sync(() => opened.terminate())
    )
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
 * Opens a WebSocket at a node, which is closed with the scope: `onMessage` gets every message, and `onClose` is called when the node has ended
 * it. Yields how to send. Fails if it does not come about (`chain`), or without the package `ws` (`package`).
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
            message: `${new URL(url).host} opens no WebSocket: ${message}`
          })
        )
      )
    })
    socket.once("close", onClose)
    return (message) => socket.send(message)
  })
