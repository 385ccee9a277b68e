/**
 * The hostile server, a process of its own. It does what paths say: `/bad/SEED/KEY` the exchange of a seed, `/well/KEY` the right
 * answer, `/slow/MS/KEY` the same later, `/cut/reset|end/N/KEY` the first bytes of it, `/big/KIND/BYTES` a large body. Commands come over IPC.
 */
import { createServer, type Socket } from "node:net"
import { createServer as createTls } from "node:tls"
import { createGzip } from "node:zlib"
import { exchangeOf } from "./exchanges.js"

/** Commands of the test. */
export type Command =
  | { readonly _tag: "Right"; readonly key: string; readonly text: string; readonly isRpc: boolean }
  | { readonly _tag: "Tls"; readonly name: string; readonly options: Readonly<Record<string, unknown>> }
  | { readonly _tag: "Seen" }

/** The ports at which it listens. */
export interface Ready {
  readonly _tag: "Ready"
  readonly port: number
  readonly wellPort: number
}

export interface Seen {
  readonly open: number
  readonly trapped: ReadonlyArray<string>
  readonly requests: number
}

const rights = new Map<string, { readonly text: string; readonly isRpc: boolean }>()
const sockets = new Set<Socket>()
const trapped: Array<string> = []
let requests = 0
let trap = ""

interface Request {
  readonly path: string
  readonly body: string
}

/** Reads one request after the other off a socket; bodies have a length or come in chunks, which fetch sends of streams alone. */
const reading = (socket: Socket, take: (request: Request) => void): void => {
  let rest = Buffer.alloc(0)
  socket.on("data", (data) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const end = rest.indexOf("\r\n\r\n")
      if (end === -1) return
      const head = rest.subarray(0, end).toString("latin1")
      const chunked = /^transfer-encoding: *chunked/im.test(head)
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      const last = chunked ? rest.indexOf("0\r\n\r\n", end) + 5 : end + 4 + length
      if ((chunked && last < end) || rest.length < last) return
      const body = rest.subarray(end + 4, last).toString()
      rest = rest.subarray(last)
      requests++
      take({ path: head.split(" ")[1] ?? "/", body })
    }
  })
}

const idOf = (body: string): number | undefined => {
  const id = /"id":(\d+)/.exec(body)?.[1]
  return id === undefined ? undefined : Number(id)
}

const rightOf = (key: string, body: string): string => {
  const { isRpc, text } = rights.get(key) ?? { isRpc: true, text: '"0x1"' }
  if (isRpc && body.startsWith("["))
    return `[${[...body.matchAll(/"id":(\d+)/g)].map(([, id]) => `{"jsonrpc":"2.0","id":${id},"result":${text}}`).join(",")}]`
  return isRpc ? `{"jsonrpc":"2.0","id":${idOf(body) ?? 0},"result":${text}}` : text
}

const whole = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const block = Buffer.alloc(65_536, "x")

/** Writes so many bytes, as fast as they are taken. */
const pour = (stream: NodeJS.WritableStream, bytes: number, framed: (block: Buffer) => Buffer): void => {
  let left = bytes
  const more = (): void => {
    while (left > 0) {
      left -= block.length
      if (!stream.write(framed(block))) {
        stream.once("drain", more)
        return
      }
    }
    stream.end()
  }
  more()
}

const inChunk = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from("\r\n")])

const big = (socket: Socket, kind: string, bytes: number): void => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
  if (kind === "declared") socket.write(`${head}content-length: ${bytes}\r\n\r\n`)
  else if (kind === "chunked") socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
  else if (kind === "gzip") socket.write(`${head}content-encoding: gzip\r\nconnection: close\r\n\r\n`)
  else socket.write(`${head}connection: close\r\n\r\n`)
  if (kind === "gzip") {
    const gzip = createGzip()
    gzip.pipe(socket)
    pour(gzip, bytes, (data) => data)
  } else pour(socket, bytes, kind === "chunked" ? inChunk : (data) => data)
}

const answer = (socket: Socket, { body, path }: Request): void => {
  const [, kind, first = "", second = "", third = ""] = path.split(/[/?]/)
  if (kind === "well") socket.write(whole(rightOf(first, body)))
  else if (kind === "slow") setTimeout(() => socket.write(whole(rightOf(second, body))), Number(first))
  else if (kind === "cut") {
    const bytes = Buffer.from(whole(rightOf(third, body))).subarray(0, Number(second))
    if (first === "end") socket.end(bytes)
    else if (bytes.length === 0) socket.resetAndDestroy()
    else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 2))
  } else if (kind === "big") big(socket, first, Number(second))
  else if (kind === "bad") {
    const { act, chance } = exchangeOf(Number(first))
    act(socket, { id: idOf(body), right: rightOf(second, body), trap }, chance)
  } else socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
}

const accept = (socket: Socket): void => {
  sockets.add(socket)
  socket.on("error", () => {})
  socket.on("close", () => sockets.delete(socket))
  reading(socket, (request) => answer(socket, request))
}

const portOf = (server: ReturnType<typeof createServer>, port = 0): Promise<number> =>
  new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )

const say = (message: unknown): void => void process.send?.(message)

const main = async (): Promise<void> => {
  const port = await portOf(createServer(accept), Number(process.env.PORT ?? 0))
  const wellPort = await portOf(createServer(accept))
  const trapPort = await portOf(
    createServer((socket) => {
      socket.on("error", () => {})
      trapped.push("a connection")
      socket.on("data", (data) => trapped.push(data.toString("latin1").slice(0, 500)))
    })
  )
  trap = `http://127.0.0.1:${trapPort}/elsewhere`
  process.on("message", async (command: Command) => {
    if (command._tag === "Right") rights.set(command.key, command)
    else if (command._tag === "Seen")
      say({ _tag: "Seen", seen: { open: sockets.size, trapped, requests } satisfies Seen })
    else {
      const server = createTls(command.options, accept)
      server.on("tlsClientError", () => {})
      say({ _tag: "Tls", name: command.name, port: await portOf(server) })
    }
  })
  process.on("disconnect", () => process.exit(0))
  say({ _tag: "Ready", port, wellPort } satisfies Ready)
}

await main()
