/** A `fetch` that answers from a script and records what it was asked, in the terms of the vectors. */
import type { CallVector, Reply, WireRequest } from "./vectors.js"

const nodes: Readonly<Record<string, string>> = {
  "https://node-normal.example": "node-normal",
  "https://node-archive.example": "node-archive"
}
const provider = "https://api.tatum.io"

const place = (url: URL): { readonly base: string; readonly path: string } => {
  const path = url.pathname === "/" ? "" : url.pathname
  const node = nodes[url.origin]
  if (node !== undefined) return { base: node, path }
  const [, version] = /^\/(v[34])(?:\/|$)/.exec(path) ?? []
  return url.origin === provider && version !== undefined
    ? { base: version, path: path.slice(3) }
    : { base: `other:${url.origin}`, path }
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

const bodyOf = async (body: unknown, contentType: string): Promise<unknown> => {
  if (body === undefined || body === null) return undefined
  if (body instanceof FormData) return formOf(body)
  if (body instanceof Uint8Array) return { $bytes: Buffer.from(body).toString("base64") }
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

const answerTo = (body: unknown): unknown =>
  Array.isArray(body) && body.every(isCall)
    ? body.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" }))
    : isCall(body)
      ? { jsonrpc: "2.0", id: body.id, result: "0x1" }
      : {}

/** Scripted JSON-RPC answers were recorded with other ids than ours, which are unique in the process. */
const withId = (scripted: unknown, body: unknown): unknown => {
  if (isCall(scripted) && isCall(body)) return { ...scripted, id: body.id }
  if (Array.isArray(scripted) && Array.isArray(body)) {
    return scripted.map((item, i) => (isCall(item) && isCall(body[i]) ? { ...item, id: body[i].id } : item))
  }
  return scripted
}

const respond = (reply: Reply | undefined, body: unknown): Response => {
  const text =
    reply?.text ?? JSON.stringify(reply === undefined ? answerTo(body) : (withId(reply.body, body) ?? {}))
  const type = reply?.text === undefined ? "application/json" : "text/plain"
  return new Response(text, { status: reply?.status ?? 200, headers: { "content-type": type } })
}

export interface Recorder {
  readonly fetch: typeof globalThis.fetch
  /** What was asked since the last time. */
  readonly take: () => ReadonlyArray<WireRequest>
  /** From now on the script answers; before, and when it is used up, the default answers do. */
  readonly play: () => void
  /** Resolves when nothing has been asked for a moment. */
  readonly quiet: () => Promise<void>
}

export const recorder = (vector: Pick<CallVector, "responses">): Recorder => {
  const script = [...vector.responses]
  let playing = false
  let asked: Array<WireRequest> = []
  let last = 0
  return {
    take: () => {
      const taken = asked
      asked = []
      return taken
    },
    play: () => {
      playing = true
    },
    quiet: async () => {
      last = performance.now()
      while (performance.now() - last < 3) await new Promise((resolve) => setTimeout(resolve, 1))
    },
    fetch: async (input, init) => {
      last = performance.now()
      const url = new URL(String(input))
      const headers = Object.fromEntries(new Headers(init?.headers))
      const body = await bodyOf(init?.body, headers["content-type"] ?? "")
      const query = [...url.searchParams]
      asked.push({ method: init?.method ?? "GET", ...place(url), query, headers, body })
      const reply = playing ? script.shift() : undefined
      if (reply?.networkError !== undefined) throw new TypeError(reply.networkError)
      return respond(reply, body)
    }
  }
}
