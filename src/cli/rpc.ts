/**
 * `effect-chains rpc`: a call of a network's nodes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { RawRpc } from "../transport/Client.js"
import { type AnyClient, type ConnectionOptions, connect, networkOf } from "./Connection.js"
import { wrong } from "./Failure.js"
import { argumentsOf, type Call, type Method, memberOf, methodsOf, unknownMethod } from "./Methods.js"
import { answer, readable, table } from "./Output.js"

/** A call by its name on the wire. */
const rawCall = ({ rpc }: AnyClient, method: string, params: unknown): ReturnType<Call> =>
  // a member of every client, whatever its table has
  (rpc.rawRpcCall as RawRpc["rawRpcCall"])({ jsonrpc: "2.0", id: 1, method, params })

const wireOf = ({ spec }: Method): string =>
  spec.kind === "rpc" ? spec.method : `${spec.verb} ${spec.template}`

const listed = (methods: ReadonlyArray<Method>): string =>
  table(
    ["method", "on the wire", ""],
    methods.map((method) => [
      method.name,
      wireOf(method),
      method.spec.repeat === "read" ? "" : method.spec.repeat
    ])
  )

/**
 * Calls a method of a network and prints its answer. A name of the table takes the arguments of the SDK's method and gives its answer;
 * a name on the wire takes and gives what the node does. Without a method, all are listed.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly method: Option.Option<string>
    readonly args: ReadonlyArray<string>
    readonly raw: boolean
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const network = yield* networkOf(options.network, options)
    const { isNamed, methods } = yield* methodsOf(network)
    const name = Option.getOrUndefined(options.method)
    if (name === undefined) {
      const known = methods.map((method) => ({
        name: method.name,
        wire: wireOf(method),
        repeat: method.spec.repeat
      }))
      return yield* answer(options.json, known, () => listed(methods))
    }
    const method = options.raw ? undefined : methods.find((each) => each.name === name)
    const onWire = methods.some(({ spec }) => spec.kind === "rpc" && spec.method === name)
    if (method === undefined && !onWire && !options.raw)
      return yield* unknownMethod(options.network, name, methods)
    if (options.raw && methods.every(({ spec }) => spec.kind === "rest"))
      return yield* wrong(
        `The nodes of ${options.network} have no JSON-RPC: "effect-chains rpc ${options.network}" lists their routes`
      )
    const args = yield* argumentsOf(method?.spec, options.args)
    const client = yield* connect(options.network, options)
    const call =
      method === undefined
        ? rawCall(client, name, isNamed && args.length === 1 ? args[0] : args)
        : memberOf(client, method.name)(...args)
    yield* answer(options.json, yield* call, readable)
  })
