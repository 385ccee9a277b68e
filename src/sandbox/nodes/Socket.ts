/**
 * WebSockets at nodes.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { ClientSocket, Handler, HandlerRequest, HandlerResponse } from "../Handler.js"
import { isJsonRpcCall, type JsonRpcCall, jsonResponse, parseBody } from "../Loopback.js"
import { openSocket } from "../WebSockets.js"

/**
 * The WebSockets of a node. `url` is their url, and `subscriptionMethods` are the methods that belong to one
 * connection. `handler` answers all other calls, from HTTP and from WebSockets.
 *
 * @since 0.1.0
 * @category models
 */
export interface SocketOptions {
  readonly url: () => string
  readonly subscriptionMethods: RegExp
  readonly handler: Handler
}

const toMessage = (value: unknown): HandlerResponse => ({ ...jsonResponse(value), headers: {} })

const CONNECTION_LOST = "The node has ended the connection"

/** Makes calls over the node's socket, with ids of their own. */
const openNodeSocket = ({ url }: SocketOptions, line: ClientSocket) =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never, void, never>()
    const waiting = new Map<number, Deferred.Deferred<object>>()
    let ids = 0
    const send = yield* openSocket(
      url(),
      (body) => {
        const said = parseBody(body)
        const pendingCall =
          typeof said === "object" && said !== null && "id" in said ? waiting.get(Number(said.id)) : undefined
        if (pendingCall !== undefined && typeof said === "object" && said !== null)
          Deferred.unsafeDone(pendingCall, Effect.succeed(said))
        else fork(line.push({ ...toMessage(null), body }))
      },
      () => {
        for (const pendingCall of waiting.values())
          Deferred.unsafeDone(
            pendingCall,
            Effect.succeed({ error: { code: -32_000, message: CONNECTION_LOST } })
          )
        fork(line.close())
      }
    )
    return (call: JsonRpcCall): Effect.Effect<object> =>
      Effect.gen(function* () {
        const id = ++ids
        const answered = yield* Deferred.make<object>()
        waiting.set(id, answered)
        send(JSON.stringify({ jsonrpc: "2.0", params: [], ...call, id }))
        const said = yield* Effect.ensuring(
          Deferred.await(answered),
          Effect.sync(() => waiting.delete(id))
        )
        return { jsonrpc: "2.0", ...said, id: call.id ?? null }
      })
  })

/** Handles a socket's messages. Those about subscriptions go to the node's socket, all others to the handler. */
const makeMessageHandler = (
  options: SocketOptions,
  upgrade: HandlerRequest,
  ask: (call: JsonRpcCall) => Effect.Effect<object>
): Handler => {
  const { handler, subscriptionMethods } = options
  const isOurs = (value: unknown): value is JsonRpcCall =>
    isJsonRpcCall(value) && subscriptionMethods.test(value.method)
  // the path is that of the request that opened the socket
  const pass = (received: HandlerRequest, body: Buffer) => handler({ ...received, path: upgrade.path, body })
  return (received) => {
    const body = parseBody(received.body)
    if (isOurs(body)) return Effect.map(ask(body), toMessage)
    if (!Array.isArray(body) || !body.some(isOurs)) return pass(received, received.body)
    return Effect.map(
      Effect.forEach(body, (item: unknown) =>
        isOurs(item)
          ? Effect.map(ask(item), (said): string => JSON.stringify(said))
          : Effect.map(pass(received, Buffer.from(JSON.stringify(item))), (answer) =>
              answer === "drop" ? "" : answer.body.toString("utf8")
            )
      ),
      (answers) => ({
        ...toMessage(null),
        body: Buffer.from(`[${answers.filter((each) => each !== "").join(",")}]`)
      })
    )
  }
}

/**
 * Adds WebSockets to a node's handler. If the node opens no socket, the connection is dropped.
 *
 * @since 0.1.0
 * @category operations
 */
export const withSockets =
  (options: SocketOptions): Handler =>
  (received) => {
    if (received.socket !== true || received.method !== "GET") return options.handler(received)
    const socket = (line: ClientSocket): Effect.Effect<Handler, never, Scope.Scope> =>
      openNodeSocket(options, line).pipe(
        Effect.map((ask) => makeMessageHandler(options, received, ask)),
        Effect.catchAll(() => Effect.as(line.close(), () => Effect.succeed("drop" as const)))
      )
    return Effect.succeed<HandlerResponse>({ ...jsonResponse(null, 101), socket })
  }
