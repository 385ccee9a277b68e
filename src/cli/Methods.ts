/**
 * The methods of a network's nodes from its family's table, and their arguments on the command line.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadFamily } from "../chains/registry.js"
import { dialectOf, type Spec, specOf } from "../data/Endpoint.js"
import type * as Network from "../data/Network.js"
import { findNearest } from "../data/nearest.js"
import type { LoadError } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { type AnyClient, networkInfo } from "./Connection.js"
import { type CommandError, makeInputError } from "./Failure.js"

/**
 * A method: its name including its groups, and its declaration.
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientMethod {
  readonly name: string
  readonly spec: Spec
}

/**
 * A method of a client with any arguments and answer.
 *
 * @since 0.1.0
 * @category types
 */
export type MethodCall = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/**
 * The method of a client by its name.
 *
 * @since 0.1.0
 * @category getters
 */
export const findMethod = ({ rpc }: AnyClient, path: string): MethodCall =>
  // the client has every path of its table
  path.split(".").reduce<unknown>((value, name) => Reflect.get(value as object, name), rpc) as MethodCall

const listMethods = (endpoints: object, before: string): ReadonlyArray<ClientMethod> =>
  Object.entries(endpoints).flatMap(([name, value]): ReadonlyArray<ClientMethod> => {
    const spec = specOf(value)
    if (spec !== undefined) return [{ name: `${before}${name}`, spec }]
    return isRecord(value) ? listMethods(value, `${before}${name}.`) : []
  })

/**
 * All methods of a network, and whether its JSON-RPC parameters are one object.
 *
 * @since 0.1.0
 * @category getters
 */
export const loadMethods = (
  network: Network.AnyNetwork
): Effect.Effect<{ readonly methods: ReadonlyArray<ClientMethod>; readonly isNamed: boolean }, LoadError> =>
  Effect.map(loadFamily(networkInfo(network).family), ({ endpoints }) => ({
    methods: listMethods(endpoints, ""),
    isNamed: dialectOf(endpoints).parameters === "named"
  }))

/** Numbers that JSON.parse reads without loss. Longer ones are text, as ids are. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/**
 * An argument of a call. Numbers of at most 15 digits, `true`, `false`, `null`, lists, objects and texts in quotes are
 * JSON; everything else is text.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseArgument = (text: string): Effect.Effect<unknown, CommandError> => {
  if (PLAIN_NUMBER.test(text) || /^(?:true|false|null)$/.test(text)) return Effect.succeed(JSON.parse(text))
  if (!/^\s*[[{"]/.test(text)) return Effect.succeed(text)
  return Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) =>
      makeInputError(
        `An argument that begins with ${text.trim()[0]} has to be JSON: ${error instanceof Error ? error.message : String(error)}`
      )
  })
}

const NAMED_ARGUMENT = /^([A-Za-z]\w*)=(.*)$/s

/**
 * The arguments of a call. A REST route also takes `name=value` arguments, which together are its input.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseArguments = (
  spec: Spec | undefined,
  texts: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<unknown>, CommandError> => {
  const pairs = texts.map((text) => NAMED_ARGUMENT.exec(text))
  if (spec?.kind !== "rest" || texts.length === 0 || pairs.some((pair) => pair === null))
    return Effect.forEach(texts, parseArgument)
  return Effect.map(
    Effect.forEach(pairs, (pair) =>
      Effect.map(parseArgument(pair?.[2] ?? ""), (value) => [pair?.[1] ?? "", value] as const)
    ),
    (entries) => [Object.fromEntries(entries)]
  )
}

/**
 * The error of an unknown method, with the most similar names.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeUnknownMethod = (
  network: string,
  name: string,
  methods: ReadonlyArray<ClientMethod>
): CommandError => {
  const wires = methods.flatMap(({ spec }) => (spec.kind === "rpc" ? [spec.method] : []))
  const near = findNearest(name, [...methods.map((method) => method.name), ...wires])
  const hint = near === undefined ? "" : ` Did you mean ${near}?`
  return makeInputError(
    `${network} has no method ${name}.${hint}\n"effect-chains rpc ${network}" lists its methods; --raw sends any JSON-RPC method`
  )
}
