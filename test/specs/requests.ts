/** Checks requests by an operation of a description: names, required fields, values, and their spelling. */
import type { AnySchema } from "ajv"
import { type Description, isJson, type Method, type Operation, type Parameter } from "./descriptions.js"

export interface Sent {
  /** Values of the path's names, as the description calls them. */
  readonly path: ReadonlyMap<string, string>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  /** Text or bytes, if there is a body. */
  readonly body: unknown
}

/** What a text of a url may stand for. */
const readings = (text: string): ReadonlyArray<unknown> => [
  text,
  ...(text !== "" && Number.isFinite(Number(text)) ? [Number(text)] : []),
  ...(text === "true" || text === "false" ? [text === "true"] : [])
]

const lists = (texts: ReadonlyArray<string>): ReadonlyArray<unknown> => [
  texts,
  ...(texts.every((text) => text !== "" && Number.isFinite(Number(text))) ? [texts.map(Number)] : [])
]

type Check = Description["problem"]

/** A schema says list if no text and no number fits, but a list of either. */
const isList = (schema: AnySchema, texts: ReadonlyArray<string>, check: Check): boolean =>
  texts.every((text) => readings(text).every((each) => check(schema, each) !== undefined)) &&
  lists(texts.flatMap((text) => text.split(","))).some((each) => check(schema, each) === undefined)

const textProblem = (
  { commas, schema }: Parameter,
  texts: ReadonlyArray<string>,
  check: Check
): string | undefined => {
  const [first = ""] = texts
  if (texts.length === 1 && readings(first).some((each) => check(schema, each) === undefined))
    return undefined
  if (!isList(schema, texts, check)) return check(schema, texts.length === 1 ? first : texts)
  if (commas) return texts.length === 1 ? undefined : "repeats its name, not with commas"
  return texts.some((text) => text.includes(",")) ? "has commas, and does not repeat its name" : undefined
}

/** The names that a schema has for the fields of an object, or nothing if any name will do. */
export const fieldsOf = (
  schema: unknown,
  follow: Description["follow"]
): ReadonlyMap<string, unknown> | undefined => {
  const node = follow(schema)
  const parts = [node.allOf, node.oneOf, node.anyOf].flatMap(
    (each): ReadonlyArray<unknown> => (Array.isArray(each) ? each : [])
  )
  const own = isJson(node.properties) ? Object.entries(node.properties) : []
  const free = node.additionalProperties !== undefined && node.additionalProperties !== false
  if (free) return undefined
  const inner = parts.map((part) => fieldsOf(part, follow)).filter((each) => each !== undefined)
  const all = [...own, ...inner.flatMap((each) => [...each])]
  return all.length === 0 ? undefined : new Map(all)
}

/** Fields that the schema does not know, at any depth, as paths. */
const strangers = (
  schema: unknown,
  value: unknown,
  follow: Description["follow"],
  at = ""
): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    const { items } = follow(schema)
    return items === undefined
      ? []
      : value.flatMap((item, i) => strangers(items, item, follow, `${at}[${i}]`))
  }
  const fields = isJson(value) ? fieldsOf(schema, follow) : undefined
  if (!isJson(value) || fields === undefined) return []
  return Object.entries(value).flatMap(([name, item]) =>
    fields.has(name) ? strangers(fields.get(name), item, follow, `${at}.${name}`) : [`${at}.${name}`]
  )
}

const bodyProblems = (
  operation: Operation,
  { body, headers }: Sent,
  description: Description
): ReadonlyArray<string> => {
  const { bodies, bodyRequired, parameters } = operation
  if (parameters.some((each) => each.in === "formData")) return []
  if (body === undefined) return bodyRequired ? ["has no body"] : []
  if (bodies.size === 0) return ["has a body, and none is described"]
  const type = headers["content-type"] ?? "application/json"
  const schema = bodies.get(type) ?? bodies.get("*/*")
  if (schema === undefined) return [`has a body of type ${type}, not of ${[...bodies.keys()].join(" or ")}`]
  if (!type.endsWith("json") || typeof body !== "string") return []
  const value: unknown = JSON.parse(body)
  const problem = description.problem(schema, value)
  return [
    ...(problem === undefined ? [] : [`body: ${problem}`]),
    ...strangers(schema, value, description.follow).map((name) => `body has ${name}, which is not described`)
  ]
}

/** What is wrong with a request, or nothing. */
export const requestProblems = (
  operation: Operation,
  sent: Sent,
  description: Description
): ReadonlyArray<string> => {
  const { parameters } = operation
  const check = description.problem
  const of = (place: Parameter["in"]) => parameters.filter((each) => each.in === place)
  const queries = new Map(of("query").map((each) => [each.name, each]))
  const names = [...new Set(sent.query.keys())]
  return [
    ...names.filter((name) => !queries.has(name)).map((name) => `query has ${name}, which is not described`),
    ...of("query").flatMap((each) => {
      const texts = sent.query.getAll(each.name)
      if (texts.length === 0) return each.required ? [`query lacks ${each.name}`] : []
      const problem = textProblem(each, texts, check)
      return problem === undefined ? [] : [`query ${each.name}: ${problem}`]
    }),
    ...of("path").flatMap((each) => {
      const text = sent.path.get(each.name)
      const problem = text === undefined ? undefined : textProblem(each, [text], check)
      return problem === undefined ? [] : [`path ${each.name}: ${problem}`]
    }),
    ...of("header").flatMap((each) =>
      each.required &&
      !Object.keys(sent.headers).some((name) => name.toLowerCase() === each.name.toLowerCase())
        ? [`headers lack ${each.name}`]
        : []
    ),
    ...Object.keys(sent.headers)
      .filter(
        (name) =>
          name !== "content-type" &&
          !of("header").some((each) => each.name.toLowerCase() === name.toLowerCase())
      )
      .map((name) => `header ${name} is not described`),
    ...bodyProblems(operation, sent, description)
  ]
}

/** What is wrong with the parameters of a JSON-RPC call, or nothing. */
export const paramsProblems = (
  { params: described }: Pick<Method, "params">,
  params: unknown,
  check: Check
): ReadonlyArray<string> => {
  const given: ReadonlyArray<readonly [name: string, value: unknown]> = Array.isArray(params)
    ? params.map((value, i) => [described[i]?.name ?? `number ${i + 1}`, value])
    : isJson(params)
      ? Object.entries(params)
      : []
  const names = new Set(given.map(([name]) => name))
  return [
    ...given.flatMap(([name, value]) => {
      const param = described.find((each) => each.name === name)
      const problem = param === undefined ? "is not described" : check(param.schema, value)
      // in between, null stands for what is left out
      const omitted = param?.required === false && value === null
      return problem === undefined || omitted ? [] : [`param ${name}: ${problem}`]
    }),
    ...described.flatMap(({ name, required }) =>
      required && !names.has(name) ? [`lacks param ${name}`] : []
    )
  ]
}

/** Whether a parameter takes several values. */
export const listOf = (schema: AnySchema, { follow }: Pick<Description, "follow">): boolean =>
  follow(schema).type === "array"
