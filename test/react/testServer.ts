/** The world of the tests of hooks: a real server on loopback that is node and provider at once. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ProviderConfig } from "../../react/SdkProvider.js"
import type { AnyNetwork } from "../../src/data/Network.js"
import { Http, makeFetch } from "../../src/http/Http.js"

/** A request that has reached the server: a JSON-RPC method with its parameters, or a route with its query. */
export interface ReceivedRequest {
  readonly name: string
  readonly params: unknown
  readonly headers: IncomingMessage["headers"]
}

/** What the server says: a value, an error of the node, a status, or nothing until the test lets it. */
export type ServerReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly body: unknown }

export interface TestServer {
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** How often something was asked for. */
  readonly count: (name: string) => number
  /** How the server answers from now on; what has no rule fails the test. */
  readonly rules: Map<string, (params: unknown) => ServerReply | Promise<ServerReply>>
  readonly unexpected: ReadonlyArray<string>
  readonly url: string
  /** Requests whose other side has gone before there was an answer. */
  readonly countAborted: () => number
  readonly countOpen: () => number
  /** The settings of a client that knows nobody but this server. */
  readonly config: <N extends AnyNetwork>(network: N) => ProviderConfig<N>
  readonly close: () => Promise<void>
}

/** What is answered when the test says so. */
export const deferReply = (): {
  readonly reply: () => Promise<ServerReply>
  readonly answer: (result: unknown) => void
} => {
  const waiting: Array<(said: ServerReply) => void> = []
  return {
    reply: () => new Promise((resolve) => waiting.push(resolve)),
    answer: (result) => {
      const next = waiting.shift()
      if (next === undefined) throw new Error("nobody waits for an answer")
      next({ result })
    }
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const startServer = async (): Promise<TestServer> => {
  const requests: Array<ReceivedRequest> = []
  const unexpected: Array<string> = []
  const rules: Map<string, (params: unknown) => ServerReply | Promise<ServerReply>> = new Map()
  let left = 0
  let open = 0
  const say = async (name: string, params: unknown): Promise<ServerReply> => {
    const rule = rules.get(name)
    if (rule !== undefined) return rule(params)
    unexpected.push(name)
    return { status: 404, body: { message: `unexpected: ${name}` } }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open++
    response.on("close", () => {
      open--
      if (!response.writableFinished) left++
    })
    const text = await readBody(request)
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1")
    const body: { readonly id?: unknown; readonly method?: string; readonly params?: unknown } =
      text === "" ? {} : JSON.parse(text)
    const isRpc = body.method !== undefined
    const name = body.method ?? `${request.method} ${pathname}`
    const params = isRpc ? body.params : text === "" ? Object.fromEntries(searchParams) : body
    requests.push({ name, params, headers: request.headers })
    const said = await say(name, params)
    const status = "status" in said ? said.status : 200
    const answer =
      "status" in said
        ? said.body
        : isRpc
          ? { jsonrpc: "2.0", id: body.id, ...said }
          : "result" in said
            ? said.result
            : said.error
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      unexpected.push(String(error))
      response.destroy()
    })
  })
  // on a busy machine a connection that rests would be closed just as the next request comes
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const at = server.address()
  if (at === null || typeof at === "string") throw new Error("the server has no port")
  const url = `http://127.0.0.1:${at.port}`
  return {
    requests,
    count: (name) => requests.filter((one) => one.name === name).length,
    rules,
    unexpected,
    url,
    countAborted: () => left,
    countOpen: () => open,
    config: (network) => ({
      network,
      quiet: true,
      verifyChain: false,
      hedge: false,
      retryCount: 0,
      provider: { baseUrl: url },
      rpc: { nodes: [{ url: `${url}/node` }], statusCheckInterval: Number.POSITIVE_INFINITY }
    }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** An `Http` that counts how often it is made, and how many of them are still there. */
export const countHttp = () => {
  const counts = { made: 0, ended: 0 }
  const layer = Layer.scoped(
    Http,
    Effect.acquireRelease(
      Effect.sync(() => {
        counts.made++
        return makeFetch()
      }),
      () =>
        Effect.sync(() => {
          counts.ended++
        })
    )
  )
  return { counts, layer }
}
