/** Checks requests by an operation of a description: names, required fields, values, and their spelling. */
import {
  type Description,
  isJson,
  type Kind,
  type Method,
  type Operation,
  type Parameter
} from "./descriptions.js"

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
const isList = (kind: Kind, texts: ReadonlyArray<string>, check: Check): boolean =>
  texts.every((text) => readings(text).every((each) => check(kind, each) !== undefined)) &&
  lists(texts.flatMap((text) => text.split(","))).some((each) => check(kind, each) === undefined)

const textProblem = (
  { commas, kind }: Parameter,
  texts: ReadonlyArray<string>,
  check: Check
): string | undefined => {
  const [first = ""] = texts
  if (texts.length === 1 && readings(first).some((each) => check(kind, each) === undefined)) return undefined
  if (!isList(kind, texts, check)) return check(kind, texts.length === 1 ? first : texts)
  if (commas) return texts.length === 1 ? undefined : "repeats its name, not with commas"
  return texts.some((text) => text.includes(",")) ? "has commas, and does not repeat its name" : undefined
}

/** The names that a kind has for the fields of an object, or nothing if any name will do. */
export const fieldsOf = (
  kind: Kind,
  follow: Description["follow"]
): ReadonlyMap<string, Kind> | undefined => {
  const { additionalProperties: free = false, allOf = [], anyOf = [], properties = {} } = follow(kind)
  if (free !== false) return undefined
  const inner = [...allOf, ...anyOf]
    .map((part) => fieldsOf(part, follow))
    .filter((each) => each !== undefined)
  const all = [...Object.entries(properties), ...inner.flatMap((each) => [...each])]
  return all.length === 0 ? undefined : new Map(all)
}

/** Fields that the kind does not know, at any depth, as paths. */
export const strangers = (
  kind: Kind,
  value: unknown,
  follow: Description["follow"],
  at = ""
): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    const { items } = follow(kind)
    return items === undefined
      ? []
      : value.flatMap((item, i) => strangers(items, item, follow, `${at}[${i}]`))
  }
  const fields = isJson(value) ? fieldsOf(kind, follow) : undefined
  if (!isJson(value) || fields === undefined) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const field = fields.get(name)
    return field === undefined ? [`${at}.${name}`] : strangers(field, item, follow, `${at}.${name}`)
  })
}

const bodyProblems = (
  operation: Operation,
  { body, headers }: Sent,
  description: Description
): ReadonlyArray<string> => {
  const { bodies = {}, bodyRequired = false, parameters } = operation
  if (parameters.some((each) => each.in === "formData")) return []
  if (body === undefined) return bodyRequired ? ["has no body"] : []
  if (Object.keys(bodies).length === 0) return ["has a body, and none is described"]
  const type = headers["content-type"] ?? "application/json"
  const kind = bodies[type] ?? bodies["*/*"]
  if (kind === undefined) return [`has a body of type ${type}, not of ${Object.keys(bodies).join(" or ")}`]
  if (!type.endsWith("json") || typeof body !== "string") return []
  const value: unknown = JSON.parse(body)
  const problem = description.problem(kind, value)
  return [
    ...(problem === undefined ? [] : [`body: ${problem}`]),
    ...strangers(kind, value, description.follow).map((name) => `body has ${name}, which is not described`)
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
      if (texts.length === 0) return each.required === true ? [`query lacks ${each.name}`] : []
      const problem = textProblem(each, texts, check)
      return problem === undefined ? [] : [`query ${each.name}: ${problem}`]
    }),
    ...of("path").flatMap((each) => {
      const text = sent.path.get(each.name)
      const problem = text === undefined ? undefined : textProblem(each, [text], check)
      return problem === undefined ? [] : [`path ${each.name}: ${problem}`]
    }),
    ...of("header").flatMap((each) =>
      each.required === true &&
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
      const problem = param === undefined ? "is not described" : check(param.kind, value)
      // in between, null stands for what is left out
      const omitted = param?.required !== true && value === null
      return problem === undefined || omitted ? [] : [`param ${name}: ${problem}`]
    }),
    ...described.flatMap(({ name, required }) =>
      required === true && !names.has(name) ? [`lacks param ${name}`] : []
    )
  ]
}

/** Whether a parameter takes several values. */
export const isListKind = (kind: Kind, { follow }: Description): boolean => follow(kind).type === "array"
