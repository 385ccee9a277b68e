/**
 * The routes of the data API, and their parameters on the command line: `name=value`, typed by the schemas.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { findNearest } from "../data/nearest.js"
import { isRecord } from "../data/untrusted.js"
import { networksOfRoute, type V4Route } from "../data/v4Routes.js"
import {
  type AnyEndpoint,
  endpoints,
  type Fields,
  type StreamEndpoint
} from "../services/internal/dataEndpoints.js"
import { PageSize, pageFields, streamFields } from "../services/internal/dataInput.js"
import { type CommandError, makeInputError } from "./Failure.js"

/**
 * A parameter of a route. Its kind decides how the text after `name=` is parsed. `values` are the possible values, if
 * they are limited.
 *
 * @since 0.1.0
 * @category models
 */
export interface RouteParameter {
  readonly name: string
  readonly kind: "text" | "number" | "list"
  readonly isOptional: boolean
  readonly values: ReadonlyArray<string>
}

/**
 * A method of the data API, by its name in the groups of `sdk.data`.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataRoute {
  readonly name: string
  readonly form: AnyEndpoint["form"] | "stream"
  readonly parameters: ReadonlyArray<RouteParameter>
  /** The possible networks of its `chain`; empty without that parameter. */
  readonly networks: ReadonlyArray<string>
}

/** The members of a union, which may be nested. */
const flattenUnion = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(flattenUnion) : [ast]

const toParameter = ({ isOptional, name, type }: AST.PropertySignature): RouteParameter => {
  const parts = flattenUnion(AST.encodedAST(type))
  const has = (tag: AST.AST["_tag"]): boolean => parts.some(({ _tag }) => _tag === tag)
  return {
    name: String(name),
    kind: has("NumberKeyword") ? "number" : has("TupleType") ? "list" : "text",
    isOptional,
    values: parts.flatMap((part) => (AST.isLiteral(part) ? [String(part.literal)] : []))
  }
}

/** The parameters of fields, required ones first. */
const toParameters = (fields: Fields): ReadonlyArray<RouteParameter> =>
  AST.getPropertySignatures(Schema.Struct(fields).ast)
    .map(toParameter)
    .sort((one, other) => Number(one.isOptional) - Number(other.isOptional))

type EndpointEntry = AnyEndpoint | StreamEndpoint<Fields, unknown>
type EndpointTable = { readonly [name: string]: EndpointEntry | EndpointTable }

const isEntry = (entry: EndpointEntry | EndpointTable): entry is EndpointEntry =>
  typeof entry.form === "string"

const PAGE_FIELDS = { pageSize: Schema.optional(PageSize), offset: pageFields.page }

const toRoute = (name: string, entry: EndpointEntry): DataRoute => {
  const { fields, route }: { readonly fields: Fields; readonly route: V4Route } =
    entry.form === "stream" ? entry.pages : entry
  const more = entry.form === "stream" ? streamFields : entry.form === "pages" ? PAGE_FIELDS : {}
  return {
    name,
    form: entry.form,
    parameters: toParameters({ ...fields, ...more }),
    networks: "chain" in fields ? networksOfRoute(route) : []
  }
}

const listRoutes = (table: EndpointTable, before: string): ReadonlyArray<DataRoute> =>
  Object.entries(table).flatMap(([name, entry]) =>
    isEntry(entry) ? [toRoute(before + name, entry)] : listRoutes(entry, `${before}${name}.`)
  )

/**
 * All declared routes.
 *
 * @since 0.1.0
 * @category constants
 */
export const routes: ReadonlyArray<DataRoute> = listRoutes(endpoints, "")

/**
 * The usage of a route: `chain= symbol= [basePair=]`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatUsage = ({ parameters }: DataRoute): string =>
  parameters.map(({ isOptional, name }) => (isOptional ? `[${name}=]` : `${name}=`)).join(" ")

/** A decimal number. The schema checks its range. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/

const parseValue = (
  { kind, name, values }: RouteParameter,
  text: string
): Effect.Effect<string | number | ReadonlyArray<string>, CommandError> => {
  if (kind === "number")
    return DECIMAL.test(text)
      ? Effect.succeed(Number(text))
      : Effect.fail(makeInputError(`${name} is a number, not ${JSON.stringify(text)}`))
  if (kind === "list") return Effect.succeed(text.split(","))
  if (values.length > 0 && !values.includes(text)) {
    const near = findNearest(text, values)
    return Effect.fail(
      makeInputError(
        `${name} is one of ${values.join(", ")}, not ${JSON.stringify(text)}${near === undefined ? "" : `: did you mean ${near}?`}`
      )
    )
  }
  return Effect.succeed(text)
}

const NAMED_PARAMETER = /^([A-Za-z]\w*)=(.*)$/s

const parseParameter = (
  route: DataRoute,
  text: string
): Effect.Effect<readonly [name: string, value: unknown], CommandError> => {
  const [, name, value = ""] = NAMED_PARAMETER.exec(text) ?? []
  if (name === undefined)
    return Effect.fail(
      makeInputError(
        `Parameters are name=value, not ${JSON.stringify(text)}: ${route.name} takes ${formatUsage(route)}`
      )
    )
  const known = route.parameters.find((each) => each.name === name)
  if (known !== undefined) return Effect.map(parseValue(known, value), (read) => [name, read] as const)
  const near = findNearest(
    name,
    route.parameters.map((each) => each.name)
  )
  return Effect.fail(
    makeInputError(
      `${route.name} has no parameter ${name}${near === undefined ? "" : `: did you mean ${near}?`} It takes ${formatUsage(route)}`
    )
  )
}

/** Parses the parameters of one query. JSON objects are passed on, and the service checks them. */
const parseQuery = (
  route: DataRoute,
  texts: ReadonlyArray<string>
): Effect.Effect<Readonly<Record<string, unknown>>, CommandError> =>
  Effect.gen(function* () {
    const parts = yield* Effect.forEach(texts, (text) =>
      text.startsWith("{") ? parseObject(text) : Effect.map(parseParameter(route, text), (entry) => [entry])
    )
    const query = Object.fromEntries(parts.flat())
    const missing = route.parameters.filter(
      ({ isOptional, name }) => !isOptional && query[name] === undefined
    )
    if (missing.length > 0)
      return yield* makeInputError(
        `${missing.map(({ name }) => name).join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: ${route.name} takes ${formatUsage(route)}`
      )
    return query
  })

const parseObject = (text: string): Effect.Effect<ReadonlyArray<readonly [string, unknown]>, CommandError> =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) =>
        makeInputError(
          `An argument that begins with { has to be JSON: ${error instanceof Error ? error.message : String(error)}`
        )
    }),
    (value) =>
      isRecord(value)
        ? Effect.succeed(Object.entries(value))
        : Effect.fail(makeInputError("JSON of an object is expected"))
  )

/**
 * Parses the input of a route. In a batch, each argument is one query with comma-separated parameters.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseInput = (
  route: DataRoute,
  texts: ReadonlyArray<string>
): Effect.Effect<unknown, CommandError> => {
  if (route.form !== "batch") return parseQuery(route, texts)
  return texts.length === 0
    ? Effect.fail(
        makeInputError(`${route.name} takes at least one query: ${formatUsage(route).replaceAll(" ", ",")}`)
      )
    : Effect.forEach(texts, (text) => parseQuery(route, text.startsWith("{") ? [text] : text.split(",")))
}
