/** Whether two requests are the same on the wire, by the corpus' own rules, and a text of the differences. */
import type { CallVector, WireRequest } from "./vectors.js"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Object keys have no order. */
export const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value === "bigint") return { $BigNumber: value.toString() }
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) }
  if (value instanceof Blob) return { $size: value.size }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .flatMap((key) => (value[key] === undefined ? [] : [[key, canonical(value[key])]]))
  )
}

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

/** Segments compare decoded, each for itself: an encoded slash is no separator. */
const decoded = (path: string): string =>
  path
    .split("/")
    .map((segment) => {
      try {
        return decodeURIComponent(segment).replaceAll("/", "%2F")
      } catch {
        return segment
      }
    })
    .join("/")

/** What a comparison needs to know of a vector. */
type Context = Pick<CallVector, "allHeaders" | "config" | "id" | "target">

/** The headers that count: all of them in header vectors, otherwise those that are not the same everywhere. */
const headersOf = (request: WireRequest, { allHeaders, config, id }: Context): unknown => {
  // services and wallet vectors, `target#case@network`, keep the key; those of rpc, init and flows leave it out
  const keepsKey = /^[^/#@]+#/.test(id)
  const entries = Object.entries(request.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const
  )
  return Object.fromEntries(
    entries.flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
      if (allHeaders === true) return [[name, name === "x-ttm-sdk-version" ? "<sdk version>" : value]]
      if (name.startsWith("x-ttm-sdk-") || (name === "content-type" && value === "application/json"))
        return []
      if (name === "x-api-key" && value === config.apiKey && !keepsKey) return []
      return [[name, value]]
    })
  )
}

/** A request as one line that is equal for equal requests. */
export const line = (request: WireRequest, vector: Context): string => {
  const { method, base, path, query = [], body } = request
  const pairs = [...query].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
  const raw = /\.raw(Batch)?RpcCall$/.test(vector.target)
  // a list, so that no text of a name or a value can look like a separator
  const asked = pairs.length === 0 ? "" : ` ?${JSON.stringify(pairs)}`
  const headers = JSON.stringify(canonical(headersOf(request, vector)))
  return `${method} ${base} ${decoded(path)}${asked} ${headers} ${JSON.stringify(canonical(bodyOf(body, raw)))}`
}

/** How much of a line is shown on either side of the first difference. */
const AROUND = 240

/** Two lines, cut to where they differ. */
const clipped = (want: string, got: string): ReadonlyArray<string> => {
  let at = 0
  while (at < want.length && want[at] === got[at]) at++
  const from = Math.max(0, at - AROUND)
  const cut = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, at + AROUND)}${text.length > at + AROUND ? "…" : ""}`
  return [`- ${cut(want)}`, `+ ${cut(got)}`]
}

/** Sorts what was sent at once: rounds are lists of numbers, equal for requests that have no order among them. */
const inRounds = (lines: ReadonlyArray<string>, rounds: ReadonlyArray<number>): ReadonlyArray<string> => {
  const sorted: Array<string> = []
  for (let from = 0; from < lines.length; ) {
    let to = from + 1
    while (to < lines.length && rounds[to] === rounds[from]) to++
    sorted.push(...lines.slice(from, to).sort())
    from = to
  }
  return sorted
}

/**
 * The difference as lines, or nothing: `-` was expected, `+` was sent. `rounds` tells which of the requests sent were sent
 * at once; without it none has an order.
 */
export const difference = (
  expected: ReadonlyArray<string>,
  sent: ReadonlyArray<string>,
  rounds: ReadonlyArray<number> = []
): ReadonlyArray<string> => {
  const [want, got] = [inRounds(expected, rounds), inRounds(sent, rounds)]
  if (want.length === got.length && want.every((each, i) => each === got[i])) return []
  const pairs = Array.from(
    { length: Math.max(want.length, got.length) },
    (_, i) => [want[i], got[i]] as const
  )
  return pairs.flatMap(([one, other]) =>
    one === undefined
      ? [`+ ${(other ?? "").slice(0, 2 * AROUND)}`]
      : other === undefined
        ? [`- ${one.slice(0, 2 * AROUND)}`]
        : one === other
          ? [`  ${one.slice(0, AROUND)}`]
          : clipped(one, other)
  )
}
