/** A `fetch` that answers from a script and records its requests, in the terms of the vectors. */
import type { CallVector, Reply, WireRequest } from "./vectors.js"

const nodes: Readonly<Record<string, string>> = {
  "https://node-normal.example": "node-normal",
  "https://node-archive.example": "node-archive"
}
const provider = "https://api.tatum.io"

const recordedUrl = (url: URL): { readonly base: string; readonly path: string } => {
  const path = url.pathname === "/" ? "" : url.pathname
  const node = nodes[url.origin]
  if (node !== undefined) return { base: node, path }
  const [, version] = /^\/(v[34])(?:\/|$)/.exec(path) ?? []
  if (url.origin !== provider || version === undefined) return { base: `other:${url.origin}`, path }
  const rest = path.slice(3)
  return { base: version, path: rest === "/" ? "" : rest }
}

const formOf = async (form: FormData): Promise<unknown> => ({
  $formData: await Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === "string"
        ? { name, text: value }
        : { name, filename: value.name, size: value.size, text: await value.text() }
    )
  )
})

const bodyOf = async (body: RequestInit["body"], contentType: string): Promise<unknown> => {
  if (body === undefined || body === null) return undefined
  if (body instanceof FormData) return formOf(body)
  if (typeof body !== "string" && !(body instanceof URLSearchParams)) {
    return { $bytes: Buffer.from(await new Response(body).arrayBuffer()).toString("base64") }
  }
  const text = String(body)
  if (contentType.includes("x-www-form-urlencoded")) return { $form: [...new URLSearchParams(text)] }
  try {
    return JSON.parse(text)
  } catch {
    return { $text: text }
  }
}

const isCall = (body: unknown): body is { readonly id: unknown; readonly jsonrpc: string } =>
  typeof body === "object" && body !== null && "jsonrpc" in body

const answerTo = (body: unknown, empty: unknown): unknown =>
  Array.isArray(body) && body.every(isCall)
    ? body.map(({ id }) => ({ jsonrpc: "2.0", id, result: empty ?? "0x1" }))
    : isCall(body)
      ? { jsonrpc: "2.0", id: body.id, result: empty ?? "0x1" }
      : (empty ?? {})

/** Scripted JSON-RPC answers were recorded with other ids than ours, which are unique in the process. */
const withId = (scripted: unknown, body: unknown): unknown => {
  if (isCall(scripted) && isCall(body)) return { ...scripted, id: body.id }
  if (Array.isArray(scripted) && Array.isArray(body)) {
    return scripted.map((item, i) => (isCall(item) && isCall(body[i]) ? { ...item, id: body[i].id } : item))
  }
  return scripted
}

const respond = (
  reply: Reply | undefined,
  body: unknown,
  { empty, raw }: { readonly empty: unknown; readonly raw: boolean }
): Response => {
  const scripted = raw ? reply?.body : withId(reply?.body, body)
  const json = reply === undefined ? answerTo(body, empty) : scripted === undefined ? {} : scripted
  const type = reply?.text === undefined ? "application/json" : "text/plain"
  return new Response(reply?.text ?? JSON.stringify(json), {
    status: reply?.status ?? 200,
    headers: { "content-type": type }
  })
}

/** A request, and how many had been answered when it was sent: those of one round were sent at once. */
export interface Asked extends WireRequest {
  readonly round: number
}

export interface Recorder {
  readonly fetch: typeof globalThis.fetch
  /** What was asked since the last time. */
  readonly take: () => ReadonlyArray<Asked>
  /** From now on the script answers; before, and when it is used up, the default answers do. */
  readonly play: () => void
  /** The recorded call is over: what it left of its replies is not for the calls that follow. */
  readonly next: () => void
  /** Resolves when nothing has been asked for a moment. */
  readonly quiet: () => Promise<void>
}

/**
 * The replies belong to the recorded requests, not to an order: a client that sends a set of them at once, or fewer of
 * them, still gets each request's own answer. `same` tells whether two requests are equal on the wire; `empty` is the default answer
 * of a call whose result is a list, or has some.
 */
export const recorder = (
  { requests, responses, target }: Pick<CallVector, "requests" | "responses" | "target">,
  same: (one: WireRequest, other: WireRequest) => boolean,
  empty?: unknown
): Recorder => {
  const raw = /\.raw(Batch)?RpcCall$/.test(target)
  const used = new Set<number>()
  let playing = false
  let asked: Array<Asked> = []
  let answered = 0
  let pending = 0
  let last = 0
  const replyTo = (request: WireRequest): Reply | undefined => {
    const free = (own: (recorded: WireRequest | undefined) => boolean): number =>
      responses.findIndex((_, i) => !used.has(i) && own(requests[i]))
    const isThis = (recorded: WireRequest | undefined): boolean =>
      recorded !== undefined && same(recorded, request)
    const known = requests.some(isThis)
    const [own, spare] = [free(isThis), free((recorded) => recorded === undefined || !known)]
    const index = own === -1 ? spare : own
    if (index === -1) return undefined
    used.add(index)
    return responses[index]
  }
  return {
    take: () => {
      const taken = asked
      asked = []
      return taken
    },
    play: () => {
      playing = true
    },
    next: () => {
      for (const i of requests.keys()) used.add(i)
    },
    quiet: async () => {
      last = performance.now()
      while (pending > 0 || performance.now() - last < 3)
        await new Promise((resolve) => setTimeout(resolve, 1))
    },
    fetch: async (input, init) => {
      last = performance.now()
      pending++
      try {
        const round = answered
        const url = new URL(input instanceof Request ? input.url : String(input))
        const given = input instanceof Request ? input : undefined
        const headers = Object.fromEntries(new Headers(init?.headers ?? given?.headers))
        const body = await bodyOf(init?.body ?? given?.body, headers["content-type"] ?? "")
        const method = init?.method ?? given?.method ?? "GET"
        const request = { method, ...recordedUrl(url), query: [...url.searchParams], headers, body, round }
        asked.push(request)
        const reply = playing ? replyTo(request) : undefined
        // what is sent at once is sent before the first answer
        await new Promise((resolve) => setImmediate(resolve))
        answered++
        if (reply?.networkError !== undefined) throw new TypeError(reply.networkError)
        return respond(reply, body, { empty, raw })
      } finally {
        pending--
        last = performance.now()
      }
    }
  }
}
