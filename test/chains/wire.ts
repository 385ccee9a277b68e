/** Clients whose node is a text: their requests are kept, and the node gives the answer of the test. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Fault } from "../../src/data/Endpoint.js"
import { type Client, make, makeRawRpc, type RawRpc } from "../../src/transport/Client.js"
import type { Call, Rejection, TransportService } from "../../src/wire/Transport.js"

interface Node {
  readonly transport: TransportService
  readonly calls: ReadonlyArray<Call<unknown>>
  /** The call that was sent last. */
  readonly last: () => Call<unknown>
  /** Whose fault the last answer was taken for. */
  readonly fault: () => Fault | undefined
}

interface Answer {
  readonly text: string
  readonly status: number
}

/** The fault as families have it: what a node says of itself is the node's, be it a pause that it asks for or words. */
const familyFaultOf = (fault: Rejection["fault"]): Fault =>
  fault === "limited" || fault === "declined" ? "node" : fault

/** A node that answers every call as `answer` says. */
const makeNode = (answer: (call: Call<unknown>) => Answer): Node => {
  const calls: Array<Call<unknown>> = []
  let fault: Fault | undefined
  return {
    transport: {
      send: (call) =>
        Effect.suspend(() => {
          calls.push(call)
          const read = call.decode({ ...answer(call), url: "https://node.example" })
          fault = Either.isLeft(read) ? familyFaultOf(read.left.fault) : undefined
          return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
        }),
      nodeUrl: (archive) => Effect.succeed(archive ? "https://archive.example" : "https://normal.example")
    },
    calls,
    last: () => {
      const call = calls.at(-1)
      if (call === undefined) throw new Error("nothing was sent")
      return call
    },
    fault: () => fault
  }
}

export interface Wire<G> {
  readonly client: Client<G>
  readonly calls: ReadonlyArray<Call<unknown>>
  /** What the node answers from now on. */
  readonly answers: (body: unknown, status?: number) => void
  /** The one call that was sent last: verb, path, and body as text or bytes. */
  readonly sent: () => readonly [verb: string, path: string, body: unknown]
  /** Headers of the last call. */
  readonly headers: () => Readonly<Record<string, string>>
  /** The same node for calls that are in no table. */
  readonly transport: TransportService
  /** Whose fault the last answer was taken for. */
  readonly fault: () => Fault | undefined
}

/** A client of a node that answers with whole bodies. */
export const makeWire = <G extends object>(endpoints: G): Wire<G> => {
  let reply: Answer = { text: "{}", status: 200 }
  const { calls, fault, last, transport } = makeNode(() => reply)
  return {
    client: make(endpoints, transport, { archive: false, batchArchive: false }),
    calls,
    answers: (body, status = 200) => {
      reply = { text: typeof body === "string" ? body : JSON.stringify(body), status }
    },
    sent: () => {
      const { body, path, verb } = last()
      return [verb, path, body]
    },
    headers: () => last().headers ?? {},
    transport,
    fault
  }
}

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
  readonly fault: () => Fault | undefined
}

/** A client of a JSON-RPC node, which answers with the id of the request. */
export const makeRpcNode = <G extends object>(endpoints: G): RpcNode<G> => {
  let made: (id: unknown) => string = () => "{}"
  let status = 200
  const { fault, last, transport } = makeNode((call) => ({
    text: made(JSON.parse(String(call.body)).id),
    status
  }))
  const routing = { archive: true, batchArchive: true }
  const answers = (how: (id: unknown) => string, code = 200): void => {
    made = how
    status = code
  }
  return {
    client: { ...make(endpoints, transport, routing), ...makeRawRpc(endpoints, transport, routing) },
    result: (text) => answers((id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`),
    fails: (code, message, httpStatus) =>
      answers((id) => JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }), httpStatus),
    body: (text, httpStatus) => answers(() => text, httpStatus),
    call: last,
    sent: () => {
      const { method, params } = JSON.parse(String(last().body))
      return { method, params }
    },
    fault
  }
}

/** What an effect succeeds with. */
export const runValue = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.mapError(effect, (error) => new Error(String(error))))

/** Sends a call whose answer is not looked at. */
export const runIgnoring = <A, E>(effect: Effect.Effect<A, E>): Promise<void> =>
  Effect.runPromise(Effect.ignore(effect))

/** What an effect fails with. */
export const runError = <A, E>(effect: Effect.Effect<A, E>): Promise<E> =>
  Effect.runPromise(
    Effect.matchEffect(effect, {
      onFailure: Effect.succeed,
      onSuccess: () => Effect.dieMessage("it succeeded")
    })
  )
