/**
 * `effect-chains rpc`: calls a method of a network's nodes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { RawRpc } from "../transport/Client.js"
import { type AnyClient, type ConnectionOptions, connect, findNetwork } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import {
  type ClientMethod,
  findMethod,
  loadMethods,
  type MethodCall,
  makeUnknownMethod,
  parseArguments
} from "./Methods.js"
import { formatReadable, formatTable, printResult } from "./Output.js"

/** A call by the node's name of the method. */
const callRaw = ({ rpc }: AnyClient, method: string, params: unknown): ReturnType<MethodCall> =>
  // a member of every client
  (rpc.rawRpcCall as RawRpc["rawRpcCall"])({ jsonrpc: "2.0", id: 1, method, params })

const wireName = ({ spec }: ClientMethod): string =>
  spec.kind === "rpc" ? spec.method : `${spec.verb} ${spec.template}`

const formatMethods = (methods: ReadonlyArray<ClientMethod>): string =>
  formatTable(
    ["method", "on the wire", ""],
    methods.map((method) => [
      method.name,
      wireName(method),
      method.spec.repeat === "read" ? "" : method.spec.repeat
    ])
  )

/**
 * Calls a method of a network and prints its answer. The SDK's name of a method takes the SDK's arguments and prints
 * its answer; the node's name of it takes and prints what the node does. Without a method, it lists all.
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
    const network = yield* findNetwork(options.network, options)
    const { isNamed, methods } = yield* loadMethods(network)
    const name = Option.getOrUndefined(options.method)
    if (name === undefined) {
      const known = methods.map((method) => ({
        name: method.name,
        wire: wireName(method),
        repeat: method.spec.repeat
      }))
      return yield* printResult(options.json, known, () => formatMethods(methods))
    }
    const method = options.raw ? undefined : methods.find((each) => each.name === name)
    const onWire = methods.some(({ spec }) => spec.kind === "rpc" && spec.method === name)
    if (method === undefined && !onWire && !options.raw)
      return yield* makeUnknownMethod(options.network, name, methods)
    if (options.raw && methods.every(({ spec }) => spec.kind === "rest"))
      return yield* makeInputError(
        `The nodes of ${options.network} have no JSON-RPC: "effect-chains rpc ${options.network}" lists their routes`
      )
    const args = yield* parseArguments(method?.spec, options.args)
    const client = yield* connect(options.network, options)
    const call =
      method === undefined
        ? callRaw(client, name, isNamed && args.length === 1 ? args[0] : args)
        : findMethod(client, method.name)(...args)
    yield* printResult(options.json, yield* call, formatReadable)
  })
