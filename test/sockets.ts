/**
 * A node for tests of subscriptions: JSON-RPC over HTTP and over WebSockets at one port, answered by a function. Commands of the
 * XRP Ledger count as methods with one parameter, and are answered in its form.
 */
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** What a request is answered with: a result, an error, nothing at all (`silent`), or later. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | "silent"

/** A socket as the node has it. */
export interface Peer {
  readonly headers: IncomingMessage["headers"]
  readonly requests: Array<{ readonly method: string; readonly params: ReadonlyArray<unknown> }>
  readonly send: (message: unknown) => void
  readonly sendText: (text: string) => void
  /** Bytes as they are, frames or not. */
  readonly sendBytes: (bytes: Buffer) => void
  /** Ends the connection without a word. */
  readonly disconnect: () => void
  /** Leaves it open, and never says anything again. */
  readonly freeze: () => void
  readonly isOpen: () => boolean
}

export interface SocketNode {
  readonly url: string
  readonly port: number
  /** Every socket that was ever opened, the oldest first. */
  readonly peers: ReadonlyArray<Peer>
  readonly open: () => ReadonlyArray<Peer>
  /** The bodies' methods of requests over HTTP. */
  readonly posted: ReadonlyArray<string>
  /** Refuses new sockets with this status, or lets them in again. */
  refuse: (status: number | undefined) => void
  readonly close: () => Promise<void>
}

type Handler = (
  method: string,
  params: ReadonlyArray<unknown>,
  peer: Peer | undefined
) => Answer | Promise<Answer>

/** A frame of a server (RFC 6455, section 5.2), the last of its message. */
export const encodeFrame = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127]), Buffer.alloc(8)])
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

/** Reads the masked frames that clients send (RFC 6455, section 5.2); messages of several frames are not among them. */
const makeFrameReader = (take: (opcode: number, payload: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 6) {
      const short = (rest[1] ?? 0) & 127
      const extra = short === 126 ? 2 : short === 127 ? 8 : 0
      if (rest.length < 6 + extra) return
      const length =
        extra === 0 ? short : extra === 2 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
      const start = 6 + extra
      if (rest.length < start + length) return
      const mask = rest.subarray(start - 4, start)
      const payload = Buffer.from(
        rest.subarray(start, start + length).map((byte, i) => byte ^ (mask[i % 4] ?? 0))
      )
      const opcode = (rest[0] ?? 0) & 15
      rest = rest.subarray(start + length)
      take(opcode, payload)
    }
  }
}

interface Request {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const parseRequest = (value: unknown): Request => {
  const { command, id, method, params, ...fields } = Object(value)
  if (typeof command === "string") return { id, method: command, params: [fields] }
  if (typeof method !== "string") throw new Error(`no request: ${JSON.stringify(value)}`)
  return { id, method, params: Array.isArray(params) ? params : [] }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const toResponse = (id: unknown, said: Exclude<Answer, "silent">): object =>
  "result" in said
    ? { id, type: "response", status: "success", result: said.result }
    : { id, type: "response", status: "error", error: said.error.message, error_code: said.error.code }

/** Starts a node on a free port of 127.0.0.1. */
export const startSocketNode = async (handler: Handler): Promise<SocketNode> => {
  const sockets = new Set<Socket>()
  const peers: Array<Peer> = []
  const posted: Array<string> = []
  let refused: number | undefined
  const answer = async (value: unknown, peer: Peer | undefined): Promise<unknown> => {
    const { id, method, params } = parseRequest(value)
    peer?.requests.push({ method, params })
    if (peer === undefined) posted.push(method)
    const said = await handler(method, params, peer)
    if (said === "silent") return undefined
    return "command" in Object(value) ? toResponse(id, said) : { jsonrpc: "2.0", id, ...said }
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const respond = async (): Promise<void> => {
      const body: unknown = JSON.parse(await readBody(request))
      const answers = Array.isArray(body)
        ? await Promise.all(body.map((item) => answer(item, undefined)))
        : await answer(body, undefined)
      if (answers === undefined) return
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(answers))
    }
    respond().catch((error) => response.destroy(error))
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => {})
  })
  server.on("upgrade", (request, socket: Socket) => {
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash("sha1").update(key).digest("base64")
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`
    )
    let frozen = false
    let open = true
    const sendBytes = (bytes: Buffer): void => {
      if (!frozen && !socket.destroyed) socket.write(bytes)
    }
    const sendText = (text: string): void => sendBytes(encodeFrame(1, Buffer.from(text, "utf8")))
    const peer: Peer = {
      headers: request.headers,
      requests: [],
      sendText,
      sendBytes,
      send: (message) => sendText(JSON.stringify(message)),
      disconnect: () => socket.destroy(),
      freeze: () => {
        frozen = true
      },
      isOpen: () => open
    }
    peers.push(peer)
    socket.on("close", () => {
      open = false
    })
    // sockets of HTTP servers stay half open by themselves
    socket.on("end", () => socket.end())
    socket.on(
      "data",
      makeFrameReader((opcode, payload) => {
        if (frozen) return
        if (opcode === 8) {
          socket.end(encodeFrame(8, payload))
          return
        }
        if (opcode !== 1) return
        answer(JSON.parse(payload.toString("utf8")), peer).then(
          (said) => {
            if (said !== undefined) peer.send(said)
          },
          (error) => socket.destroy(error)
        )
      })
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    peers,
    open: () => peers.filter((peer) => peer.isOpen()),
    posted,
    refuse: (status) => {
      refused = status
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
}
