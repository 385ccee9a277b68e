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
import type { Answer, Handler, Line, Received, Socket, Watcher } from "./Message.js"
import { webSockets } from "./Packages.js"
import { SandboxError } from "./SandboxError.js"

const textOf = (data: RawData): Buffer =>
  Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const read = (text: Buffer): unknown => {
  try {
    return JSON.parse(text.toString("utf8"))
  } catch {
    return undefined
  }
}

/** Milliseconds between two pieces of a message that drips. */
const TICK = 10

/** Notifications that wait for the answer which tells their subscription. */
const EARLY = 1_000

/** A WebSocket with what is known of it. */
interface Wire {
  readonly socket: WebSocket
  readonly watchers: Array<Watcher>
  /** One message at a time: pieces of two never mix. */
  readonly turn: Effect.Semaphore
  /** The subscriptions whose ids the client has been told, and the notifications of others. */
  readonly told: Set<string>
  early: ReadonlyArray<readonly [id: string, message: Answer]>
}

const send = (socket: WebSocket, text: Buffer, fin = true): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (socket.readyState !== socket.OPEN) return resume(Effect.void)
    socket.send(text, { binary: false, fin }, () => resume(Effect.void))
  })

/** A message as it stands, in pieces over a time, or half of it and then nothing more, ever. */
const deliver = (socket: WebSocket, { body, drip, stalled }: Answer): Effect.Effect<void> => {
  if (stalled) return Effect.zipRight(send(socket, body.subarray(0, body.length / 2), false), Effect.never)
  if (drip === undefined) return send(socket, body)
  const pieces = Math.max(1, Math.min(body.length, Math.floor(drip / TICK)))
  const at = (piece: number): number => Math.floor((body.length * piece) / pieces)
  return Effect.forEach(
    Array.from({ length: pieces }, (_, i) => i),
    (i) =>
      Effect.zipRight(
        Effect.sleep(drip / pieces),
        send(socket, body.subarray(at(i), at(i + 1)), i === pieces - 1)
      ),
    { discard: true }
  )
}

const isSilent = ({ watchers }: Wire): boolean => watchers.some((watcher) => watcher.isSilent())

const say = (wire: Wire, message: Answer): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (isSilent(wire)) return Effect.void
    return Effect.zipRight(
      wire.turn.withPermits(1)(deliver(wire.socket, message)),
      Effect.forEach(wire.watchers, ({ said }) => said, { discard: true })
    )
  })

/** A notification, which never comes before the answer that tells its subscription. */
const push = (wire: Wire, message: Answer): Effect.Effect<void> =>
  Effect.suspend(() => {
    const said = read(message.body)
    const params = isRecord(said) ? said.params : undefined
    const id = isRecord(params) && params.subscription !== undefined ? String(params.subscription) : undefined
    if (id === undefined || wire.told.has(id)) return say(wire, message)
    wire.early = [...wire.early.slice(1 - EARLY), [id, message]]
    return Effect.void
  })

/** What was said about subscriptions that the client now knows. */
const follow = (wire: Wire, asked: unknown, answered: unknown): Effect.Effect<void> =>
  Effect.suspend(() => {
    const items: ReadonlyArray<unknown> = Array.isArray(answered) ? answered : [answered]
    if (!/subscribe"/i.test(JSON.stringify(asked) ?? "")) return Effect.void
    for (const item of items) if (isRecord(item)) wire.told.add(String(item.result))
    const due = wire.early.filter(([id]) => wire.told.has(id))
    wire.early = wire.early.filter(([id]) => !wire.told.has(id))
    return Effect.forEach(due, ([, message]) => say(wire, message), { discard: true })
  })

/** An answer as a message: a status has no place in one, unless the body is JSON-RPC. */
const asMessage = (answer: Answer, asked: unknown): Answer => {
  if (answer.status < 400) return answer
  const said = read(answer.body)
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

const heard = (wire: Wire, handler: Handler, message: Received): Effect.Effect<void> =>
  Effect.flatMap(handler(message), (answer) => {
    if (answer === "drop") return Effect.sync(() => wire.socket.terminate())
    const asked = read(message.body)
    return Effect.zipRight(say(wire, asMessage(answer, asked)), follow(wire, asked, read(answer.body)))
  })

/** The headers of the request that opened a socket, as those of a message in it. */
const headersOf = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
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
export const serve = (
  {
    head,
    request,
    socket: raw
  }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  received: Received,
  open: Socket,
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
    const wire: Wire = {
      socket,
      watchers: [],
      turn: yield* Effect.makeSemaphore(1),
      told: new Set(),
      early: []
    }
    const line: Line = {
      push: (message) => push(wire, message),
      end: (code) => Effect.sync(() => (code === undefined ? socket.terminate() : socket.close(code))),
      watch: (watcher) => void wire.watchers.push(watcher)
    }
    const handler = yield* open(line)
    const fork = yield* FiberSet.makeRuntime<never, void, never>()
    const headers = headersOf(received.headers)
    socket.on("ping", (data) => {
      if (!isSilent(wire)) socket.pong(data)
    })
    socket.on("message", (data) => {
      fork(heard(wire, handler, { ...received, method: "POST", headers, body: textOf(data) }))
    })
    yield* Effect.async<void>((resume) => {
      if (socket.readyState === socket.CLOSED) return resume(Effect.void)
      socket.once("close", () => resume(Effect.void))
      socket.resume()
    })
  })

/**
 * Opens a WebSocket at a node, which is closed with the scope: `hear` gets every message, and `lost` is called when the node has ended
 * it. Yields how to send. Fails if it does not come about (`chain`), or without the package `ws` (`package`).
 *
 * @since 0.1.0
 * @category operations
 */
export const dial = (
  url: string,
  hear: (message: Buffer) => void,
  lost: () => void
): Effect.Effect<(message: string) => void, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { WebSocket } = yield* webSockets
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => new WebSocket(url.replace(/^http/, "ws"), { handshakeTimeout: 10_000 })),
      (opened) => Effect.sync(() => opened.terminate())
    )
    socket.on("message", (data) => hear(textOf(data)))
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
    socket.once("close", lost)
    return (message) => socket.send(message)
  })
