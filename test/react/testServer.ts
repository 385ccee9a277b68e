/** The server of the hooks' tests: on loopback, a node and the provider at once. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ProviderConfig } from "../../react/SdkProvider.js"
import type { AnyNetwork } from "../../src/data/Network.js"
import { Http, makeFetch } from "../../src/http/Http.js"

/** A request that the server has received: a JSON-RPC method with its parameters, or a route with its query. */
export interface ReceivedRequest {
  readonly name: string
  readonly params: unknown
  readonly headers: IncomingMessage["headers"]
}

/** The server's answer: a value, an error of the node, or a status with a body. */
export type ServerReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly body: unknown }

export interface TestServer {
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** The number of requests of a method or route. */
  readonly count: (name: string) => number
  /** The answers by method or route. A request without a rule fails the test. */
  readonly rules: Map<string, (params: unknown) => ServerReply | Promise<ServerReply>>
  readonly unexpected: ReadonlyArray<string>
  readonly url: string
  /** Requests that the client has aborted before the answer. */
  readonly countAborted: () => number
  readonly countOpen: () => number
  /** The configuration of a client whose only node and provider are this server. */
  readonly config: <N extends AnyNetwork>(network: N) => ProviderConfig<N>
  readonly close: () => Promise<void>
}

/** A reply that waits until the test calls `answer`. */
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

interface ParsedRequest extends ReceivedRequest {
  readonly isRpc: boolean
  readonly id: unknown
}

const parseRequest = async (request: IncomingMessage): Promise<ParsedRequest> => {
  const text = await readBody(request)
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1")
  const body: { readonly id?: unknown; readonly method?: string; readonly params?: unknown } =
    text === "" ? {} : JSON.parse(text)
  const isRpc = body.method !== undefined
  return {
    name: body.method ?? `${request.method} ${pathname}`,
    params: isRpc ? body.params : text === "" ? Object.fromEntries(searchParams) : body,
    headers: request.headers,
    isRpc,
    id: body.id
  }
}

const toBody = (reply: ServerReply, { id, isRpc }: ParsedRequest): unknown => {
  if ("status" in reply) return reply.body
  if (isRpc) return { jsonrpc: "2.0", id, ...reply }
  return "result" in reply ? reply.result : reply.error
}

export const startServer = async (): Promise<TestServer> => {
  const requests: Array<ReceivedRequest> = []
  const unexpected: Array<string> = []
  const rules: Map<string, (params: unknown) => ServerReply | Promise<ServerReply>> = new Map()
  let aborted = 0
  let open = 0
  const answer = async ({ name, params }: ReceivedRequest): Promise<ServerReply> => {
    const rule = rules.get(name)
    if (rule !== undefined) return rule(params)
    unexpected.push(name)
    return { status: 404, body: { message: `unexpected: ${name}` } }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open++
    response.on("close", () => {
      open--
      if (!response.writableFinished) aborted++
    })
    const parsed = await parseRequest(request)
    const { headers, name, params } = parsed
    requests.push({ name, params, headers })
    const reply = await answer(parsed)
    response
      .writeHead("status" in reply ? reply.status : 200, { "content-type": "application/json" })
      .end(JSON.stringify(toBody(reply, parsed)))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      unexpected.push(String(error))
      response.destroy()
    })
  })
  // on a busy machine the server would close an idle connection just as the next request comes
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
    countAborted: () => aborted,
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

/** An `Http` that counts how often it was made, and how often it was ended. */
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
