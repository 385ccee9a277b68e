/**
 * `effect-chains data`: any route of the provider's data API.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { findNearest } from "../data/nearest.js"
import { isRecord } from "../data/untrusted.js"
import { type ConnectionOptions, connect } from "./Connection.js"
import { makeInputError } from "./Failure.js"
import { escapeControls, formatReadable, formatTable, printResult } from "./Output.js"
import { type DataRoute, formatUsage, parseInput, routes } from "./Routes.js"

const formatRoutes = (found: ReadonlyArray<DataRoute>): string =>
  formatTable(
    ["method", "networks", "parameters"],
    found.map((route) => [
      route.name,
      route.networks.length === 0 ? "" : String(route.networks.length),
      formatUsage(route)
    ])
  )

const isPlain = (value: unknown): boolean =>
  value === null || ["string", "number", "bigint", "boolean"].includes(typeof value)

/** Rows of simple values become a table. */
const formatAnswer = (value: unknown): string => {
  if (!Array.isArray(value) || value.length === 0) return formatReadable(value)
  const rows: ReadonlyArray<unknown> = value
  const records = rows.filter(isRecord)
  if (records.length < rows.length || !records.every((row) => Object.values(row).every(isPlain)))
    return formatReadable(value)
  const names = [...new Set(records.flatMap((row) => Object.keys(row)))]
  return formatTable(
    names.map(escapeControls),
    records.map((row) => names.map((name) => escapeControls(String(row[name] ?? ""))))
  )
}

/** A method of a client's data API by its path. */
const findMember = (data: object, path: string): ((given: unknown) => unknown) =>
  // the client has every path of the declarations
  path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), data) as (
    given: unknown
  ) => unknown

/**
 * Prints the answer of a route of the data API. A stream prints one item per line, as they come. Without a method, or
 * with a group's name, it lists methods with their parameters.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly method: Option.Option<string>
    readonly parameters: ReadonlyArray<string>
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const name = Option.getOrElse(options.method, () => "")
    const group = routes.filter((each) => name === "" || each.name.startsWith(`${name}.`))
    if (group.length > 0) return yield* printResult(options.json, group, formatRoutes)
    const route = routes.find((each) => each.name === name)
    if (route === undefined) {
      const near = findNearest(
        name,
        routes.map((each) => each.name)
      )
      return yield* makeInputError(
        `The data API has no method ${name}${near === undefined ? "" : `: did you mean ${near}?`}\n"effect-chains data" lists its methods`
      )
    }
    const input = yield* parseInput(route, options.parameters)
    // routes name their networks in their parameters, so any client will do
    const { data } = yield* connect("ethereum-mainnet", options)
    const found = findMember(data, route.name)(input)
    if (route.form === "stream")
      return yield* Stream.runForEach(
        // declarations of this form are streams
        found as Stream.Stream<unknown, unknown>,
        (item) => printResult(options.json, item, formatReadable)
      )
    yield* printResult(options.json, yield* found as Effect.Effect<unknown, unknown>, formatAnswer)
  })
