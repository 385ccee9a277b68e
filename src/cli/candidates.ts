/**
 * Candidates for completions: commands, options, networks, methods, and their parameters.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Network from "../data/Network.js"
import { loadMethods } from "./Methods.js"
import type { DataRoute } from "./Routes.js"
import type { CommandPart, CommandShape } from "./Shape.js"

/** The words that are arguments, without options and their values. */
const keepArguments = ({ options }: CommandShape, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taking = new Set(options.flatMap(({ name, valueName }) => (valueName === undefined ? [] : [name])))
  return words.filter((word, i) => !word.startsWith("-") && !taking.has(words[i - 1] ?? ""))
}

/** A network's methods: the SDK's names, or the node's own ones if the word begins like one. */
const suggestMethods = (network: string, current: string): Effect.Effect<ReadonlyArray<string>> =>
  Network.isNetwork(network)
    ? Effect.map(
        Effect.orElseSucceed(loadMethods(network), () => ({ methods: [] })),
        ({ methods }) => {
          const names = methods.map(({ name }) => name)
          const wires = methods.flatMap(({ spec }) => (spec.kind === "rpc" ? [spec.method] : []))
          return names.some((name) => name.startsWith(current)) ? names : [...new Set(wires)]
        }
      )
    : Effect.succeed([])

/**
 * The parameters of a route that are still missing, and their known values after `name=`. In bash the equals sign is a
 * word of its own.
 */
const suggestParameters = (route: DataRoute | undefined, before: ReadonlyArray<string>, current: string) => {
  const isSplit = current === "=" || before.at(-1) === "="
  const [, name] = isSplit
    ? ["", current === "=" ? before.at(-1) : before.at(-2)]
    : (/^(\w+)=/.exec(current) ?? [])
  const parameters = route?.parameters ?? []
  if (name === undefined) {
    const written = new Set(before.map((word) => word.replace(/=.*$/s, "")))
    return parameters.filter((each) => !written.has(each.name)).map((each) => `${each.name}=`)
  }
  const known = parameters.find((each) => each.name === name)
  const values = name === "chain" ? (route?.networks ?? []) : (known?.values ?? [])
  return isSplit ? values : values.map((value) => `${name}=${value}`)
}

const suggestValues = (
  command: string,
  { name }: CommandPart,
  before: ReadonlyArray<string>,
  current: string
): Effect.Effect<ReadonlyArray<string>> => {
  if (command === "data" && (name === "<method>" || name === "<parameter>"))
    return Effect.map(
      Effect.promise(() => import("./Routes.js")),
      ({ routes }) =>
        name === "<method>"
          ? routes.map((route) => route.name)
          : suggestParameters(
              routes.find((route) => route.name === before[0]),
              before.slice(1),
              current
            )
    )
  switch (name) {
    case "<network>":
    case "--network":
      return Effect.succeed(Object.keys(Network.networks))
    case "<method>":
      return suggestMethods(before[0] ?? "", current)
    case "<currency>":
    case "--in":
      return Effect.succeed([
        ...new Set(Object.values(Network.networks).map(({ symbol }: { readonly symbol: string }) => symbol)),
        "EUR",
        "USD"
      ])
    case "--family":
      return Effect.succeed([
        ...new Set(Object.values(Network.networks).map(({ family }: { readonly family: string }) => family))
      ])
    case "<shell>":
      return Effect.succeed(["bash", "zsh", "fish"])
    case "--from":
      return Effect.succeed(["tatum", "viem", "ethers"])
    default:
      return Effect.succeed([])
  }
}

/**
 * The candidates for the last word after the program's name. There are none for a file.
 *
 * @since 0.1.0
 * @category getters
 */
export const suggestCompletions = (
  shapes: ReadonlyArray<CommandShape>,
  words: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> => {
  const current = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  const shape = shapes.find(
    ({ name }) => name === before.find((word) => shapes.some((each) => each.name === word))
  )
  const begun = current === "=" ? "" : current
  const matching = (all: ReadonlyArray<string>) => all.filter((each) => each.startsWith(begun))
  if (shape === undefined)
    return Effect.succeed(matching([...shapes.map(({ name }) => name), "--help", "--version"]))
  const written = before.toSpliced(before.indexOf(shape.name), 1)
  const option = shape.options.find(
    ({ name, valueName }) => valueName !== undefined && name === written.at(-1)
  )
  if (option !== undefined) return Effect.map(suggestValues(shape.name, option, [], current), matching)
  if (current.startsWith("-"))
    return Effect.succeed(matching([...shape.options.map(({ name }) => name), "--help"]))
  const args = keepArguments(shape, written)
  const last = shape.args.at(-1)
  const part = shape.args[args.length] ?? (last?.isRepeated === true ? last : undefined)
  return part === undefined
    ? Effect.succeed([])
    : Effect.map(suggestValues(shape.name, part, args, current), matching)
}
