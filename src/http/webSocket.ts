import * as Effect from "effect/Effect"
import { WebSocketUnavailable } from "../data/SdkError.js"
import { loadUndici } from "./undici.js"

/**
 * The part of a WebSocket that the SDK uses. Those of browsers, Node, undici and ws have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface WebSocketLike {
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: {
      readonly data?: unknown
      readonly code?: number
      readonly message?: string
      readonly error?: unknown
    }) => void
  ): void
  send(data: string): void
  close(code?: number): void
}

/**
 * Makes a WebSocket that connects to a url. Browsers cannot send `headers`.
 *
 * @since 0.1.0
 * @category types
 */
export type MakeWebSocket = (url: string, headers: Readonly<Record<string, string>>) => WebSocketLike

/** A socket, and a function that ends it at once if the server does not answer the closing handshake. */
export interface OpenedSocket {
  readonly socket: WebSocketLike
  readonly kill: () => void
}

/** Ends the connection at once if the socket has `terminate`. Otherwise a dead connection stays open until TCP gives up. */
const terminateSocket = (socket: WebSocketLike): void => {
  const method: unknown = Reflect.get(socket, "terminate")
  if (typeof method === "function") method.call(socket)
}

/** Whether the runtime's constructor takes headers. Node's does; browsers would read them as a protocol. */
const supportsHeaders = (): boolean => {
  const runtime: unknown = Reflect.get(globalThis, "process")
  const versions: unknown =
    typeof runtime === "object" && runtime !== null ? Reflect.get(runtime, "versions") : undefined
  return typeof versions === "object" && versions !== null && Reflect.has(versions, "node")
}

const makeStandard = (
  Constructor: typeof globalThis.WebSocket,
  url: string,
  headers: Readonly<Record<string, string>>
): WebSocketLike =>
  Object.keys(headers).length > 0 && supportsHeaders()
    ? Reflect.construct(Constructor, [url, { headers }])
    : new Constructor(url)

/** Makes sockets of undici, each with its own agent: `kill` needs the connections, and fetch's agent may be another version. */
const loadUndiciSockets: Effect.Effect<
  (url: string, headers: Readonly<Record<string, string>>) => OpenedSocket,
  unknown
> = /*#__PURE__*/ Effect.map(
  /*#__PURE__*/ Effect.tryPromise(() => loadUndici()),
  ({ Agent, buildConnector, WebSocket }) =>
    (url, headers) => {
      const connections = new Set<{ destroy: () => unknown }>()
      const connect = buildConnector({})
      const dispatcher = new Agent({
        connect: (options, callback) =>
          connect(options, (...outcome) => {
            if (outcome[0] === null) connections.add(outcome[1])
            callback(...outcome)
          })
      })
      return {
        socket: new WebSocket(url, { headers: { ...headers }, dispatcher }),
        kill: () => {
          for (const connection of connections) connection.destroy()
          dispatcher.destroy().catch(() => {})
        }
      }
    }
)

/** Finds how to make sockets: by the configuration, the runtime's own constructor, or undici. */
export const findSocketMaker = (
  given: MakeWebSocket | undefined
): Effect.Effect<
  (url: string, headers: Readonly<Record<string, string>>) => OpenedSocket,
  WebSocketUnavailable
> =>
  Effect.suspend(() => {
    const opened = (socket: WebSocketLike): OpenedSocket => ({ socket, kill: () => terminateSocket(socket) })
    if (given !== undefined) return Effect.succeed((url, headers) => opened(given(url, headers)))
    const Constructor = globalThis.WebSocket
    if (typeof Constructor === "function") {
      return Effect.succeed((url, headers) => opened(makeStandard(Constructor, url, headers)))
    }
    return Effect.mapError(loadUndiciSockets, () => new WebSocketUnavailable())
  })
