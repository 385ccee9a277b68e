/**
 * The declared routes of the data API, and their questions on the command line: parameters are `name=value`, typed by the schemas.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { isRecord } from "../data/untrusted.js"
import { findNearest } from "../data/nearest.js"
import { networksOfRoute, type V4Route } from "../data/v4Routes.js"
import {
  type AnyEndpoint,
  endpoints,
  type Fields,
  type StreamEndpoint
} from "../services/internal/dataEndpoints.js"
import { streamFields, PageSize, pageFields } from "../services/internal/dataInput.js"
import { type CommandError, wrong } from "./Failure.js"

/**
 * A parameter of a route. Its kind is what is made of the text behind `name=`; `words` are the values that it may have, if there are only
 * some.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parameter {
  readonly name: string
  readonly kind: "text" | "number" | "list"
  readonly isOptional: boolean
  readonly words: ReadonlyArray<string>
}

/**
 * A method of the data API, by its name in the groups of `sdk.data`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Route {
  readonly name: string
  readonly form: AnyEndpoint["form"] | "stream"
  readonly parameters: ReadonlyArray<Parameter>
  /** The networks that its `chain` may be; none where it has no such parameter. */
  readonly networks: ReadonlyArray<string>
}

/** The members of a choice, which may be nested. */
const encodedIn = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(encodedIn) : [ast]

const parameterOf = ({ isOptional, name, type }: AST.PropertySignature): Parameter => {
  const parts = encodedIn(AST.encodedAST(type))
  const has = (tag: AST.AST["_tag"]): boolean => parts.some(({ _tag }) => _tag === tag)
  return {
    name: String(name),
    kind: has("NumberKeyword") ? "number" : has("TupleType") ? "list" : "text",
    isOptional,
    words: parts.flatMap((part) => (AST.isLiteral(part) ? [String(part.literal)] : []))
  }
}

/** The parameters of fields, first those that must be there. */
const parametersOf = (fields: Fields): ReadonlyArray<Parameter> =>
  AST.getPropertySignatures(Schema.Struct(fields).ast)
    .map(parameterOf)
    .sort((one, other) => Number(one.isOptional) - Number(other.isOptional))

type Entry = AnyEndpoint | StreamEndpoint<Fields, unknown>
type Table = { readonly [name: string]: Entry | Table }

const isEntry = (entry: Entry | Table): entry is Entry => typeof entry.form === "string"

const pages = { pageSize: Schema.optional(PageSize), offset: pageFields.page }

const declared = (name: string, entry: Entry): Route => {
  const { fields, route }: { readonly fields: Fields; readonly route: V4Route } =
    entry.form === "stream" ? entry.pages : entry
  const more = entry.form === "stream" ? streamFields : entry.form === "pages" ? pages : {}
  return {
    name,
    form: entry.form,
    parameters: parametersOf({ ...fields, ...more }),
    networks: "chain" in fields ? networksOfRoute(route) : []
  }
}

const routesIn = (table: Table, before: string): ReadonlyArray<Route> =>
  Object.entries(table).flatMap(([name, entry]) =>
    isEntry(entry) ? [declared(before + name, entry)] : routesIn(entry, `${before}${name}.`)
  )

/**
 * All declared routes.
 *
 * @since 0.1.0
 * @category constants
 */
export const routes: ReadonlyArray<Route> = routesIn(endpoints, "")

/**
 * What a route takes, in words: `chain= symbol= [basePair=]`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const usageOf = ({ parameters }: Route): string =>
  parameters.map(({ isOptional, name }) => (isOptional ? `[${name}=]` : `${name}=`)).join(" ")

/** A decimal number as it is typed; the schema says which ones make sense. */
const decimal = /^-?\d+(?:\.\d+)?$/

const valueOf = (
  { kind, name, words }: Parameter,
  text: string
): Effect.Effect<string | number | ReadonlyArray<string>, CommandError> => {
  if (kind === "number")
    return decimal.test(text)
      ? Effect.succeed(Number(text))
      : Effect.fail(wrong(`${name} is a number, not ${JSON.stringify(text)}`))
  if (kind === "list") return Effect.succeed(text.split(","))
  if (words.length > 0 && !words.includes(text)) {
    const near = findNearest(text, words)
    return Effect.fail(
      wrong(
        `${name} is one of ${words.join(", ")}, not ${JSON.stringify(text)}${near === undefined ? "" : `: did you mean ${near}?`}`
      )
    )
  }
  return Effect.succeed(text)
}

const pair = /^([A-Za-z]\w*)=(.*)$/s

/** One parameter, as it is typed. */
const parameter = (
  route: Route,
  text: string
): Effect.Effect<readonly [name: string, value: unknown], CommandError> => {
  const [, name, value = ""] = pair.exec(text) ?? []
  if (name === undefined)
    return Effect.fail(
      wrong(`Parameters are name=value, not ${JSON.stringify(text)}: ${route.name} takes ${usageOf(route)}`)
    )
  const known = route.parameters.find((each) => each.name === name)
  if (known !== undefined) return Effect.map(valueOf(known, value), (read) => [name, read] as const)
  const near = findNearest(
    name,
    route.parameters.map((each) => each.name)
  )
  return Effect.fail(
    wrong(
      `${route.name} has no parameter ${name}${near === undefined ? "" : `: did you mean ${near}?`} It takes ${usageOf(route)}`
    )
  )
}

/** A question of parameters, and of objects in JSON, which are taken as they are: the service checks them. */
const question = (
  route: Route,
  texts: ReadonlyArray<string>
): Effect.Effect<Readonly<Record<string, unknown>>, CommandError> =>
  Effect.gen(function* () {
    const parts = yield* Effect.forEach(texts, (text) =>
      text.startsWith("{") ? object(text) : Effect.map(parameter(route, text), (entry) => [entry])
    )
    const query = Object.fromEntries(parts.flat())
    const missing = route.parameters.filter(
      ({ isOptional, name }) => !isOptional && query[name] === undefined
    )
    if (missing.length > 0)
      return yield* wrong(
        `${missing.map(({ name }) => name).join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: ${route.name} takes ${usageOf(route)}`
      )
    return query
  })

const object = (text: string): Effect.Effect<ReadonlyArray<readonly [string, unknown]>, CommandError> =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) =>
        wrong(
          `An argument that begins with { is JSON, and this one is not: ${error instanceof Error ? error.message : String(error)}`
        )
    }),
    (value) =>
      isRecord(value)
        ? Effect.succeed(Object.entries(value))
        : Effect.fail(wrong("JSON of an object is expected"))
  )

/**
 * The input of a route. Of a batch, each argument is a question of its own, with commas between its parameters.
 *
 * @since 0.1.0
 * @category conversions
 */
export const inputOf = (route: Route, texts: ReadonlyArray<string>): Effect.Effect<unknown, CommandError> => {
  if (route.form !== "batch") return question(route, texts)
  return texts.length === 0
    ? Effect.fail(wrong(`${route.name} takes at least one question: ${usageOf(route).replaceAll(" ", ",")}`))
    : Effect.forEach(texts, (text) => question(route, text.startsWith("{") ? [text] : text.split(",")))
}
