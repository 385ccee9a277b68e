/**
 * Requests and answers as the sandbox passes them on, over HTTP and over WebSockets.
 *
 * @since 0.1.0
 */
import type { IncomingHttpHeaders } from "node:http"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"

/**
 * A request as it came in; `path` is the path with its query, in the spelling of `pathOf`. With `socket` it is a WebSocket's: GET is
 * the request that opens it, and POST is a message from the client.
 *
 * @since 0.1.0
 * @category models
 */
export interface HandlerRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly socket?: true
}

/**
 * A whole response. With `isStalled`, only half of the body is sent and the connection then stays open in silence. With
 * `dripMs`, the body is sent in small pieces (byte by byte, where the time is enough for that) over so many milliseconds.
 * With `stream`, its chunks are sent as they come, instead of `body` and without a length, until it ends or the client is
 * gone. With `socket`, the request is one for a WebSocket, which is opened.
 *
 * @since 0.1.0
 * @category models
 */
export interface HandlerResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly isStalled?: true
  readonly dripMs?: number
  readonly stream?: Stream.Stream<Uint8Array>
  readonly socket?: SocketHandler
}

/**
 * Turns a request into a response, or into a connection that is reset without one.
 *
 * @since 0.1.0
 * @category models
 */
export type Handler = (received: HandlerRequest) => Effect.Effect<HandlerResponse | "drop">

/**
 * The client's end of a WebSocket. `push` sends it what it has not asked for, `close` closes it with a code, or cuts it without one.
 * `watch` adds a watcher: `afterMessage` runs after each message that was sent, and while any `isSilent` nothing is sent, pongs included.
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientSocket {
  readonly push: (message: HandlerResponse) => Effect.Effect<void>
  readonly close: (code?: number) => Effect.Effect<void>
  readonly watch: (watcher: SocketWatcher) => void
}

/**
 * A watcher of a WebSocket; see `ClientSocket`.
 *
 * @since 0.1.0
 * @category models
 */
export interface SocketWatcher {
  readonly afterMessage: Effect.Effect<void>
  readonly isSilent: () => boolean
}

/**
 * The node's end of a WebSocket, for as long as the scope is open: the handler gets the client's messages, and its answers are sent
 * as messages. A status from 400 on becomes an error of JSON-RPC.
 *
 * @since 0.1.0
 * @category models
 */
export type SocketHandler = (line: ClientSocket) => Effect.Effect<Handler, never, Scope.Scope>
