/**
 * Requests and answers inside the sandbox, of HTTP and of WebSockets.
 *
 * @since 0.1.0
 */
import type { IncomingHttpHeaders } from "node:http"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"

/**
 * A request as it came in. `path` has the query and the form of `normalizePath`. With `socket` it belongs to a
 * WebSocket: GET opens it, and POST is a message from the client.
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
 * A response. With `isStalled`, half of the body is sent, and the connection then stays open. With `dripMs`, the body
 * is sent in small pieces over that time in milliseconds (byte by byte, if the time is long enough). With `stream`, its
 * chunks are sent as they come, in place of `body` and without a length, until the stream ends or the client
 * disconnects. With `socket`, the request opens a WebSocket.
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
 * Handles a request. It yields a response, or "drop" to reset the connection without one.
 *
 * @since 0.1.0
 * @category models
 */
export type Handler = (received: HandlerRequest) => Effect.Effect<HandlerResponse | "drop">

/**
 * The client's end of a WebSocket. `push` sends a message that is not an answer. `close` closes the socket with a code,
 * or cuts the connection without one. `watch` adds a watcher: `afterMessage` runs after each sent message, and while
 * any watcher `isSilent` nothing is sent, pongs included.
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
 * The node's end of a WebSocket, open until the scope closes. The handler gets the client's messages, and its answers
 * are sent as messages. A status from 400 on becomes a JSON-RPC error.
 *
 * @since 0.1.0
 * @category models
 */
export type SocketHandler = (line: ClientSocket) => Effect.Effect<Handler, never, Scope.Scope>
