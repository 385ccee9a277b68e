// @runtime both
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTcp, type Socket, type Server as TcpServer } from "node:net"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { type InitConfig, init } from "../src/promise.js"

const CAP = 20_000
const TIMEOUT = 1_500
const ATTEMPT = 400

interface Question {
  readonly id: number
  readonly method: string
}

type Http = (question: Question, response: ServerResponse, request: IncomingMessage) => void
type Tcp = (socket: Socket) => void

const servers: Array<Server | TcpServer> = []
const sockets = new Set<Socket>()

const listen = async (server: Server | TcpServer): Promise<string> => {
  servers.push(server)
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return `http://127.0.0.1:${address.port}`
}

const http = (handle: Http): Promise<string> =>
  listen(
    createHttp(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      handle(JSON.parse(Buffer.concat(chunks).toString()) as Question, response, request)
    })
  )

const good: Http = ({ id }, response) => {
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }))
}

beforeAll(async () => {
  // loads the family, which takes its time once
  await (await client([])).destroy()
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
})

const body =
  (make: (question: Question) => string, type = "application/json", status = 200): Http =>
  (question, response) => {
    response.writeHead(status, { "content-type": type }).end(make(question))
  }

const json = (make: (question: Question) => unknown): Http =>
  body((question) => JSON.stringify(make(question)))

interface Bad {
  readonly what: string
  readonly http?: Http
  readonly tcp?: Tcp
  readonly kind: string
  readonly says: RegExp
  /** It tells its chain as it should. */
  readonly honest?: true
}

const bads: ReadonlyArray<Bad> = [
  {
    what: "an HTML page",
    http: body(
      () => "<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head></html>",
      "text/html"
    ),
    kind: "malformed",
    says: /HTML page: Welcome to nginx!/
  },
  {
    what: "an HTML page with 502",
    http: body(() => "<html><title>502 Bad Gateway</title></html>", "text/html", 502),
    kind: "status",
    says: /HTTP 502.*HTML page: 502 Bad Gateway/
  },
  {
    what: "truncated JSON",
    http: body(({ id }) => `{"jsonrpc":"2.0","id":${id},"result":"0x`),
    kind: "malformed",
    says: /not valid JSON/
  },
  { what: "an empty body", http: body(() => ""), kind: "malformed", says: /an empty body/ },
  { what: "an empty 204", http: body(() => "", "text/plain", 204), kind: "malformed", says: /an empty body/ },
  {
    what: "the answer to another request",
    http: json(({ id }) => ({ jsonrpc: "2.0", id: id + 999_999, result: "0x1" })),
    kind: "malformed",
    says: /the answer to another request \(id \d+\)/
  },
  {
    what: "an answer without an id",
    http: json(() => ({ jsonrpc: "2.0", result: "0x1" })),
    kind: "malformed",
    says: /the answer to another request \(id none\)/
  },
  {
    what: "an array for a single call",
    http: json(({ id }) => [{ jsonrpc: "2.0", id, result: "0x1" }]),
    kind: "malformed",
    says: /an array for a single call/
  },
  {
    what: "null",
    http: json(() => null),
    kind: "malformed",
    says: /null in place of a JSON-RPC answer/
  },
  {
    what: "a number",
    http: json(() => 1),
    kind: "malformed",
    says: /a bare number in place of/
  },
  {
    what: "a string",
    http: json(() => "ok"),
    kind: "malformed",
    says: /a bare string in place of/
  },
  {
    what: "an object of something else",
    http: json(() => ({ status: "UP" })),
    kind: "malformed",
    says: /an object that is no JSON-RPC answer/
  },
  {
    what: "an answer with neither result nor error",
    http: json(({ id }) => ({ jsonrpc: "2.0", id })),
    kind: "malformed",
    says: /an answer with neither result nor error/
  },
  {
    what: "a result of the wrong type",
    http: json(({ id, method }) => ({
      jsonrpc: "2.0",
      id,
      result: method === "eth_chainId" ? "0x1" : { a: 1 }
    })),
    kind: "malformed",
    says: /a result that cannot be read/,
    honest: true
  },
  {
    what: "binary rubbish",
    http: (_, response) => void response.end(Buffer.from([0, 255, 254, 1, 2, 3])),
    kind: "malformed",
    says: /not valid JSON/
  },
  {
    what: "a declared body over the cap",
    http: (_, response) => void response.end(`"${"x".repeat(CAP)}"`),
    kind: "too-large",
    says: new RegExp(`larger than ${CAP} bytes`)
  },
  {
    what: "a chunked body without end",
    http: (_, response) => {
      const timer = setInterval(() => response.write("x".repeat(5_000)), 1)
      response.on("close", () => clearInterval(timer))
    },
    kind: "too-large",
    says: new RegExp(`larger than ${CAP} bytes`)
  },
  {
    what: "a redirect",
    http: (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
    kind: "redirect",
    says: /a redirect/
  },
  {
    what: "403",
    http: body(() => '{"message":"no key"}', "application/json", 403),
    kind: "status",
    says: /HTTP 403.*no key/
  },
  {
    what: "429",
    http: body(() => "slow down", "text/plain", 429),
    kind: "status",
    says: /HTTP 429.*slow down/
  },
  {
    what: "a body that breaks off",
    http: (_, response, request) => {
      response.writeHead(200, { "content-length": 500 }).write('{"jsonrpc"')
      setTimeout(() => request.socket.destroy(), 20)
    },
    kind: "network",
    says: /terminated|closed|aborted/i
  },
  {
    what: "a body that stalls",
    http: (_, response) => void response.writeHead(200, { "content-length": 500 }).write('{"jsonrpc"'),
    kind: "timeout",
    says: /no answer within \d+ ms/
  },
  { what: "nothing at all", tcp: () => {}, kind: "timeout", says: /no answer within \d+ ms/ },
  {
    what: "nothing, and closes at once",
    tcp: (socket) => socket.destroy(),
    kind: "network",
    says: /closed|ECONNRESET|terminated/
  },
  {
    what: "another protocol",
    tcp: (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
    kind: "network",
    says: /HTTP/i
  }
]

const serve = ({ http: handle, tcp }: Bad): Promise<string> =>
  handle !== undefined ? http(handle) : listen(createTcp(tcp))

type Options = Partial<Omit<InitConfig, "network" | "rpc">> & { readonly interval?: number }

const client = (
  urls: ReadonlyArray<string>,
  { interval = Number.POSITIVE_INFINITY, ...more }: Options = {}
) =>
  init({
    network: "ethereum-mainnet",
    quiet: true,
    timeout: TIMEOUT,
    attemptTimeout: ATTEMPT,
    maxResponseBytes: CAP,
    retryCount: 0,
    ...more,
    rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: interval }
  })

/**
 * Times of a client for a node: one that answers may take its time on a busy machine, for silence the time makes no difference, and a call
 * waits to its end for one that asks for a pause.
 */
const timesFor = ({ kind, what }: Bad): Options =>
  kind === "timeout"
    ? {}
    : what === "429"
      ? { timeout: 4_000, attemptTimeout: 3_000 }
      : { timeout: 15_000, attemptTimeout: 10_000 }

describe.each(bads)("a node that answers with $what", (bad) => {
  it("gives a typed error that names the cause", async () => {
    const sdk = await client([await serve(bad)], { ...timesFor(bad), verifyChain: false })
    const result = await sdk.rpc.gasPrice()
    await sdk.destroy()
    expect(result.status).toBe("ERROR")
    if (result.status !== "ERROR") return
    expect(result.data).toBeNull()
    expect(result.error.cause).toMatchObject({ _tag: "NodeError", kind: bad.kind, call: "eth_gasPrice" })
    expect(result.error.message.join()).toMatch(bad.says)
    expect(result.error.message.join()).toMatch(/^eth_gasPrice failed: /)
  })

  it("gives one when it is asked for its chain, too", async () => {
    const sdk = await client([await serve(bad)], timesFor(bad))
    const result = await sdk.rpc.gasPrice()
    await sdk.destroy()
    expect(result.status).toBe("ERROR")
    if (result.status !== "ERROR") return
    expect(result.error.cause._tag).toBe("NodeError")
    expect(result.error.message.join()).toMatch(
      bad.honest === true ? /^eth_gasPrice failed: / : /^eth_gasPrice failed: chain check: /
    )
  })

  it("is left for a healthy one", async () => {
    const bad1 = await serve(bad)
    const well = await http(good)
    // as the first active node is a random one, enough clients begin with the bad one
    // a busy machine must not make the healthy one late
    const trial = async (verifyChain: boolean): Promise<void> => {
      const sdk = await client([bad1, well], { verifyChain, timeout: 20_000, attemptTimeout: 3_000 })
      const results = await Promise.all([sdk.rpc.gasPrice(), sdk.rpc.gasPrice(), sdk.rpc.gasPrice()])
      const active = sdk.nodes().find((node) => node.active)
      await sdk.destroy()
      const outcomes = results.map((result) =>
        result.status === "ERROR" ? String(result.error.cause) : result.data
      )
      expect(outcomes).toEqual([1n, 1n, 1n])
      expect(active?.url).toBe(well)
    }
    await Promise.all([0, 1, 2, 3].flatMap(() => [trial(true), trial(false)]))
  })

  it("is out after a check, and comes back when it is well", async () => {
    let well = false
    const url =
      bad.http === undefined
        ? undefined
        : await http((...args) => (well ? good : (bad.http ?? good))(...args))
    if (url === undefined) return
    const sdk = await client([url, await http(good)])
    const failed = async (): Promise<boolean | undefined> => {
      await sdk.checkNodes()
      return sdk.nodes().find((node) => node.url === url)?.failed
    }
    // a check knows nothing of ids; a node that hangs takes 10 s to be sure of
    if (!/another request|without an id|stalls/.test(bad.what)) expect(await failed()).toBe(true)
    well = true
    // one that has asked for a pause gets it, whoever asks for a check
    await expect.poll(failed).toBe(false)
    await sdk.destroy()
  })
})

describe("nodes that are all bad", () => {
  it("end a call at its deadline, however many hang", async () => {
    const hang = { what: "", tcp: () => {}, kind: "", says: / / }
    const sdk = await client(await Promise.all(Array.from({ length: 8 }, () => serve(hang))))
    const result = await sdk.rpc.gasPrice()
    await sdk.destroy()
    expect(result.status === "ERROR" && result.error.cause).toMatchObject({
      _tag: "CallTimeout",
      timeout: TIMEOUT
    })
  })

  it("never make a defect, whatever they do at once", async () => {
    const urls = await Promise.all(bads.map(serve))
    const sdk = await client(urls)
    const results = await Promise.all(Array.from({ length: 30 }, () => sdk.rpc.getBalance("0x0")))
    await sdk.destroy()
    const tags = new Set(
      results.map((result) => (result.status === "ERROR" ? result.error.cause._tag : "SUCCESS"))
    )
    expect([...tags].filter((tag) => !["NodeError", "CallTimeout", "NoActiveNode"].includes(tag))).toEqual([])
  })
})
