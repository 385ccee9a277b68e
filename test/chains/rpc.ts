/** A client whose JSON-RPC node answers what the test says, with the id of the request. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Client, make, makeRaw, type RawRpc } from "../../src/Client.js"
import type { Call, Rejection, TransportService } from "../../src/Transport.js"

export interface RpcNode<G> {
  readonly client: Client<G> & RawRpc
  /** The text of the result that the node answers from now on. */
  readonly result: (text: string) => void
  /** The JSON-RPC error that the node answers from now on. */
  readonly fails: (code: number, message: string, status?: number) => void
  /** The whole body that the node answers from now on. */
  readonly body: (text: string, status?: number) => void
  /** The last call. */
  readonly call: () => Call<unknown>
  /** Method and parameters of the last call. */
  readonly sent: () => { readonly method: string; readonly params: unknown }
  /** Whose fault the last answer was taken for. */
  readonly fault: () => Rejection["fault"] | undefined
}

export const rpcNode = <G extends object>(endpoints: G): RpcNode<G> => {
  const calls: Array<Call<unknown>> = []
  let answer: (id: unknown) => string = () => "{}"
  let status = 200
  let fault: Rejection["fault"] | undefined
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        calls.push(call)
        const text = answer(JSON.parse(String(call.body)).id)
        const read = call.decode({ status, text, url: "https://node.example" })
        fault = Either.isLeft(read) ? read.left.fault : undefined
        return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
      }),
    nodeUrl: (archive) => Effect.succeed(archive ? "https://archive.example" : "https://normal.example")
  }
  const routing = { archive: true, batchArchive: true }
  const call = (): Call<unknown> => {
    const last = calls.at(-1)
    if (last === undefined) throw new Error("nothing was sent")
    return last
  }
  const answers = (made: (id: unknown) => string, code = 200): void => {
    answer = made
    status = code
  }
  return {
    client: { ...make(endpoints, transport, routing), ...makeRaw(endpoints, transport, routing) },
    result: (text) => answers((id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`),
    fails: (code, message, httpStatus) =>
      answers((id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }), httpStatus),
    body: (text, httpStatus) => answers(() => text, httpStatus),
    call,
    sent: () => {
      const { method, params } = JSON.parse(String(call().body))
      return { method, params }
    },
    fault: () => fault
  }
}
