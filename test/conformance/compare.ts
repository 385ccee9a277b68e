/** Whether two requests are the same on the wire, by the corpus' own rules, and how to show that they are not. */
import type { CallVector, WireRequest } from "./vectors.js"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Object keys have no order. */
export const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : isRecord(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .flatMap((key) => (value[key] === undefined ? [] : [[key, canonical(value[key])]]))
        )
      : typeof value === "bigint"
        ? { $BigNumber: value.toString() }
        : value

/** Null at the end of positional parameters equals absence, and so does an empty list. */
const trimmed = (params: unknown): unknown => {
  if (!Array.isArray(params)) return params ?? []
  let { length } = params
  while (length > 0 && (params[length - 1] === null || params[length - 1] === undefined)) length--
  return params.slice(0, length)
}

const bodyOf = (body: unknown, raw: boolean): unknown => {
  if (Array.isArray(body)) return body.map((item) => bodyOf(item, raw))
  if (!isRecord(body) || body.jsonrpc === undefined) return body ?? null
  const { id, params, ...rest } = body
  return { ...rest, params: trimmed(params), ...(raw ? { id } : {}) }
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The headers that count: all of them in header vectors, otherwise those that are not the same everywhere. */
const headersOf = (request: WireRequest, vector: Pick<CallVector, "allHeaders" | "config">): unknown => {
  const entries = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const
  )
  return Object.fromEntries(
    entries.flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
      if (vector.allHeaders === true) return [[name, name === "x-ttm-sdk-version" ? "<sdk version>" : value]]
      if (name.startsWith("x-ttm-sdk-") || (name === "content-type" && value === "application/json"))
        return []
      if (name === "x-api-key" && value === vector.config.apiKey) return []
      return [[name, value]]
    })
  )
}

/** A request as one line that is equal for equal requests. */
export const line = (
  request: WireRequest,
  vector: Pick<CallVector, "allHeaders" | "config" | "target">
): string => {
  const { method, base, path, query = [], body } = request
  const pairs = [...query].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
  const asked = pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`
  const raw = /\.raw(Batch)?RpcCall$/.test(vector.target)
  const headers = JSON.stringify(canonical(headersOf(request, vector)))
  return `${method} ${base} ${decoded(path)}${asked} ${headers} ${JSON.stringify(canonical(bodyOf(body, raw)))}`
}

/** The difference as lines, or nothing. Sets of requests that are sent at once have no order. */
export const difference = (
  expected: ReadonlyArray<string>,
  sent: ReadonlyArray<string>,
  ordered: boolean
): ReadonlyArray<string> => {
  const [want, got] = ordered ? [expected, sent] : [[...expected].sort(), [...sent].sort()]
  if (want.length === got.length && want.every((each, i) => each === got[i])) return []
  return [...want.map((each) => `- ${each}`), ...got.map((each) => `+ ${each}`)]
}
