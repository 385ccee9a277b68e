/** What live examples were answered when the site was made, and the same answers in place of the sandbox where there is none. */

/** Where the command line's sandbox is. Recorded answers have this address. */
export const SANDBOX = "http://127.0.0.1:4100"

/** `status` and `text` of an answer, or of JSON-RPC what stands in it beside the id. */
type Answer =
  | { readonly status: number; readonly text: string }
  | { readonly result: unknown }
  | { readonly error: unknown }

/** The networks of the nodes, by their urls, and the answers by what was asked. The provider is at `SANDBOX` here. */
export interface Recorded {
  readonly networks: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, Answer>>
}

/** What `live.json` of a site says: where its sandbox is, or what one has answered. */
export type Source = { readonly sandbox: string } | { readonly recorded: Recorded }

/** A request of JSON-RPC. */
interface Call {
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isCall = (value: unknown): value is Call =>
  isRecord(value) && value.jsonrpc === "2.0" && typeof value.method === "string"

/** JSON; undefined for what is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Integers that JSON.parse would have rounded are not kept in silence. */
const exact = (value: unknown): void => {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new Error(`an integer beyond 2^53 cannot be recorded: ${value}`)
  if (typeof value === "object" && value !== null) Object.values(value).forEach(exact)
}

/** A request in few words, by which it is found: nodes of one network answer alike, and ids are of one request alone. */
const keyOf = (place: string, { method, params = [] }: Call): string =>
  `${place} ${method} ${JSON.stringify(params)}`

/** The calls of a request, where it is one of JSON-RPC. */
const callsOf = (body: string): { readonly calls: ReadonlyArray<Call>; readonly isList: boolean } => {
  const json = parsed(body)
  const list: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  const calls = list.filter(isCall)
  return { calls: calls.length === list.length ? calls : [], isList: Array.isArray(json) }
}

const requestOf = async (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init)
  const body = await request.text()
  return { verb: request.method, url: request.url.replace(/\/$/, ""), body, ...callsOf(body) }
}

const plainKey = (place: string, { body, verb }: { readonly body: string; readonly verb: string }): string =>
  [verb, place, body].filter((part) => part !== "").join(" ")

/** A `fetch` that keeps what it is answered. `networks` are the ids of networks, by the urls of their nodes. */
export const recording = (
  fetch: typeof globalThis.fetch,
  provider: string,
  networks: Readonly<Record<string, string>>
): { readonly fetch: typeof globalThis.fetch; readonly recorded: () => Recorded } => {
  const answers: Record<string, Answer> = {}
  const places = [provider, ...Object.keys(networks)]
  /** Ports are of one day: here the provider has that of `SANDBOX`, and its nodes those behind it. */
  const steady = (text: string): string =>
    places.reduce(
      (rest, place, i) =>
        rest.replaceAll(
          place,
          SANDBOX.replace(/\d+$/, (port) => `${Number(port) + i}`)
        ),
      text
    )
  const keep = (place: string, calls: ReadonlyArray<Call>, answer: unknown): void => {
    const list: ReadonlyArray<unknown> = Array.isArray(answer) ? answer : [answer]
    exact(list)
    for (const each of list.filter(isRecord)) {
      const call = calls.find(({ id }) => id === each.id)
      if (call !== undefined)
        answers[keyOf(place, call)] = "error" in each ? { error: each.error } : { result: each.result }
    }
  }
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      const asked = await requestOf(input, init)
      const text = steady(await response.clone().text())
      const place = networks[asked.url] ?? steady(asked.url)
      if (asked.calls.length > 0) keep(place, asked.calls, parsed(text))
      else answers[plainKey(place, asked)] = { status: response.status, text }
      return response
    },
    recorded: () => ({
      networks: Object.fromEntries(Object.entries(networks).map(([url, id]) => [steady(url), id])),
      answers: Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  }
}

/** A `fetch` that gives these answers and no others: `onMissing` hears of what has none. */
export const replaying = (
  { answers, networks }: Recorded,
  onMissing: (what: string) => void
): typeof globalThis.fetch => {
  const answered = (key: string, call: Call): unknown => {
    const answer = answers[key]
    if (answer !== undefined) return { jsonrpc: "2.0", id: call.id, ...answer }
    onMissing(key)
    // an error of the caller's: a node that failed would be asked again, and then leave the pool
    return { jsonrpc: "2.0", id: call.id, error: { code: -32602, message: `not recorded: ${key}` } }
  }
  return async (input, init) => {
    const asked = await requestOf(input, init)
    const place = networks[asked.url] ?? asked.url
    if (asked.calls.length > 0) {
      const all = asked.calls.map((call) => answered(keyOf(place, call), call))
      return Response.json(asked.isList ? all : all[0])
    }
    const key = plainKey(place, asked)
    const answer = answers[key]
    if (answer !== undefined && "text" in answer)
      return new Response(answer.text, {
        status: answer.status,
        headers: { "content-type": "application/json" }
      })
    onMissing(key)
    return Response.json(
      { statusCode: 404, errorCode: "not.recorded", message: `not recorded: ${key}` },
      { status: 404 }
    )
  }
}
