/** What a hostile server does on a connection, made of a seed: sockets, framing, encodings, JSON, JSON-RPC. */
import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { answerOf, Chance } from "./answers.js"

/** The floors of an exchange. What is wrong on the last two may look like an answer of the node's. */
export const levels = ["socket", "framing", "encoding", "json", "rpc"] as const
export type Level = (typeof levels)[number]

/** A request as the server has read it, and what would be right. */
export interface Asked {
  readonly id: number | undefined
  /** The body of the right answer. */
  readonly right: string
  /** A url where nothing may ever arrive. */
  readonly trap: string
}

type Act = (socket: Socket, asked: Asked, chance: Chance) => void

const head = (status: string | number, ...lines: ReadonlyArray<string>): string =>
  [`HTTP/1.1 ${status}`, "content-type: application/json", ...lines, "", ""].join("\r\n")

const whole = (body: string | Buffer, status: string | number = "200 OK", ...lines: ReadonlyArray<string>) =>
  Buffer.concat([
    Buffer.from(head(status, ...lines, `content-length: ${Buffer.byteLength(body)}`), "latin1"),
    Buffer.from(body)
  ])

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** Writes again and again, until the other side has enough. */
const forever = (socket: Socket, part: string | Buffer, pause: number): void => {
  const timer = setInterval(() => {
    if (socket.writableLength < 1_000_000) socket.write(part)
  }, pause)
  socket.on("close", () => clearInterval(timer))
}

const socketActs: Readonly<Record<string, Act>> = {
  reset: (socket) => void socket.resetAndDestroy(),
  close: (socket) => void socket.destroy(),
  "half close": (socket) => void socket.end(),
  "never answers": () => {},
  "reset within the head": (socket) =>
    void socket.write("HTTP/1.1 200 OK\r\ncontent-", () => socket.resetAndDestroy()),
  "reset within the body": (socket, { right }) =>
    void socket.write(whole(right).subarray(0, -1), () => socket.resetAndDestroy()),
  "closed within the body": (socket, { right }) => void socket.end(whole(right).subarray(0, -3)),
  "stands still within the body": (socket, { right }) => void socket.write(whole(right).subarray(0, -1)),
  "bytes of nobody's": (socket, _, chance) =>
    void socket.end(Buffer.from(Array.from({ length: 300 }, () => chance.below(256))))
}

const startLines = [
  "HTTP/1.1 abc",
  "HTTP/1.1 99999 Much",
  "HTTP/1.1 -1 Less",
  "HTTP/1.1",
  "HTTP/9.9 200 OK",
  "ICY 200 OK",
  "200 OK",
  "http/1.1 200 ok",
  "HTTP/1.1 200\0 OK",
  "PRI * HTTP/2.0",
  "HTTP/1.1 000 Nothing"
]
const lengths = ["-1", "1e3", "0x10", "99999999999999999999", "12, 13", "", "NaN", "+5"]
const chunks = [
  "zz\r\nabc\r\n0\r\n\r\n",
  "-5\r\nabcde\r\n0\r\n\r\n",
  "FFFFFFFFFFFFFFFFF\r\nabc\r\n",
  "7FFFFFFFFFFFFFFF\r\nabc\r\n",
  "3\r\nabcdef\r\n0\r\n\r\n",
  "3abc\r\n0\r\n\r\n",
  `3;${"x".repeat(20_000)}\r\nabc\r\n`,
  "\r\n\r\n",
  "0\r\nx-trailer: \0\r\n\r\n"
]
const redirects = [300, 301, 302, 303, 305, 307, 308]

const framingActs: Readonly<Record<string, Act>> = {
  "a bad status line": (socket, { right }, chance) =>
    void socket.end(
      `${chance.one(startLines)}\r\ncontent-length: ${Buffer.byteLength(right)}\r\n\r\n${right}`
    ),
  "a bad length": (socket, { right }, chance) =>
    void socket.end(`${head("200 OK", `content-length: ${chance.one(lengths)}`)}${right}`),
  "a length too long": (socket, { right }) =>
    void socket.end(`${head("200 OK", `content-length: ${Buffer.byteLength(right) + 7}`)}${right}`),
  "a length too short": (socket, { right }) =>
    void socket.end(`${head("200 OK", `content-length: ${right.length >> 1}`)}${right}`),
  "two lengths": (socket, { right }) =>
    void socket.end(
      `${head("200 OK", "content-length: 3", `content-length: ${Buffer.byteLength(right)}`)}${right}`
    ),
  "a length beside chunks": (socket, { right }) =>
    void socket.end(
      `${head("200 OK", "transfer-encoding: chunked", "content-length: 5")}${chunk(right)}0\r\n\r\n`
    ),
  "an unknown transfer encoding": (socket, { right }) =>
    void socket.end(`${head("200 OK", "transfer-encoding: banana")}${right}`),
  "broken chunks": (socket, _, chance) =>
    void socket.end(`${head("200 OK", "transfer-encoding: chunked")}${chance.one(chunks)}`),
  "chunks without an end": (socket, { right }) =>
    void socket.end(`${head("200 OK", "transfer-encoding: chunked")}${chunk(right)}`),
  "a huge header": (socket, { right }, chance) =>
    void socket.end(whole(right, "200 OK", `x-long: ${"x".repeat(chance.one([20_000, 200_000]))}`)),
  "many headers": (socket, { right }) =>
    void socket.end(whole(right, "200 OK", ...Array.from({ length: 5_000 }, (_, i) => `x-${i}: ${i}`))),
  "headers without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n")
    forever(socket, `x-more: ${"y".repeat(50)}\r\n`, 20)
  },
  "headers of nobody's": (socket, { right }, chance) =>
    void socket.end(
      whole(
        right,
        "200 OK",
        chance.one([
          "no colon",
          ": no name",
          "x y: 1",
          "x-\0: 1",
          "x: \u00ff\u0001",
          " folded: 1",
          "__proto__: x"
        ])
      )
    ),
  "a storm of interim answers": (socket, { right }, chance) => {
    const interim = chance.one(["100 Continue", "102 Processing", "103 Early Hints", "199 What"])
    socket.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 ${interim}\r\n\r\n`.repeat(5_000), "latin1"), whole(right)])
    )
  },
  "interim answers without end": (socket) => forever(socket, "HTTP/1.1 100 Continue\r\n\r\n", 5),
  "another protocol at once": (socket) =>
    void socket.write(head("101 Switching Protocols", "upgrade: websocket", "connection: upgrade")),
  "a body where none can be": (socket, { right }, chance) =>
    void socket.end(whole(right, chance.one(["204 No Content", "304 Not Modified", "205 Reset Content"]))),
  "a redirect": (socket, { right, trap }, chance) =>
    void socket.end(
      whole(
        right,
        `${chance.one(redirects)} Elsewhere`,
        `location: ${chance.one([trap, trap.replace("http:", ""), `${trap}#x`])}`
      )
    ),
  "ways elsewhere": (socket, { right, trap }) =>
    void socket.end(
      whole(
        right,
        "200 OK",
        `location: ${trap}`,
        `refresh: 0; url=${trap}`,
        `link: <${trap}>; rel=preload`,
        `content-location: ${trap}`,
        `alt-svc: h2="${new URL(trap).host}"`
      )
    ),
  "two answers to one request": (socket, { right }) =>
    void socket.write(Buffer.concat([whole(right), whole('{"poison":true}')])),
  "an answer, and later another one": (socket, { right }) => {
    socket.write(whole(right))
    setTimeout(() => socket.write(whole('{"poison":true}')), 1)
  },
  "a body without a head": (socket, { right }) => void socket.end(right)
}

const encodingActs: Readonly<Record<string, Act>> = {
  "bad gzip": (socket, _, chance) => {
    const packed = gzipSync("x".repeat(100))
    packed[chance.below(packed.length)] = chance.below(256)
    socket.end(whole(packed, "200 OK", "content-encoding: gzip"))
  },
  "no gzip": (socket, { right }) => void socket.end(whole(right, "200 OK", "content-encoding: gzip")),
  "half a gzip": (socket, { right }) =>
    void socket.end(whole(gzipSync(right).subarray(0, -8), "200 OK", "content-encoding: gzip")),
  "gzip in gzip in gzip": (socket, { right }) =>
    void socket.end(
      whole(gzipSync(gzipSync(gzipSync(right))), "200 OK", "content-encoding: gzip, gzip, gzip")
    ),
  "an unknown encoding": (socket, { right }) =>
    void socket.end(whole(right, "200 OK", "content-encoding: banana")),
  "many encodings": (socket, { right }) =>
    void socket.end(whole(right, "200 OK", `content-encoding: ${"gzip, ".repeat(300)}gzip`)),
  "a bomb": (socket) =>
    void socket.end(whole(gzipSync(Buffer.alloc(30_000_000)), "200 OK", "content-encoding: gzip")),
  "bad UTF-8": (socket, { right }) =>
    void socket.end(whole(Buffer.concat([Buffer.from([0xc3, 0x28, 0xff, 0xfe]), Buffer.from(right)]))),
  "bad UTF-8 within text": (socket) =>
    void socket.end(whole(Buffer.from([0x22, 0xf0, 0x80, 0x80, 0xed, 0xa0, 0x80, 0x22]))),
  "a byte order mark": (socket, { right }) => void socket.end(whole(`\ufeff${right}`)),
  "UTF-16": (socket, { right }) =>
    void socket.end(whole(Buffer.from(`\ufeff${right}`, "utf16le"), "200 OK", "x-charset: utf-16")),
  "an HTML page": (socket) => void socket.end(whole(`<html><title>${"x".repeat(50_000)}`, 200))
}

const hugeTexts: ReadonlyArray<string> = [
  "[".repeat(300_000),
  `{"a":`.repeat(100_000),
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  `"${"\\u0000".repeat(100_000)}"`,
  `${"9".repeat(500_000)}`,
  "NaN",
  "Infinity",
  "1e999999",
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  `{${'"a":1,'.repeat(50_000)}"a":1}`,
  "'single'",
  "// a comment\n{}",
  '{"a":1,}'
]

const jsonActs: Readonly<Record<string, Act>> = {
  "JSON of its own": (socket, { right }, chance) => {
    const text = chance.one(hugeTexts)
    // as a body, and as the result of a right answer
    socket.end(whole(chance.is(0.5) ? text : right.replace(/("result":).*\}$/s, `$1${text}}`)))
  },
  "truncated JSON": (socket, { right }, chance) =>
    void socket.end(whole(right.slice(0, chance.below(right.length)))),
  "more than JSON": (socket, { right }, chance) =>
    void socket.end(whole(right + chance.one([right, "\0", "}", "\n\n\n,", "<!--"])))
}

const rpcActs: Readonly<Record<string, Act>> = {
  "an answer of nobody's": (socket, { id, right }, chance) => {
    let seed: unknown
    try {
      seed = JSON.parse(right)
    } catch {
      seed = right
    }
    const { status, text } = answerOf(chance, [seed], ["result", "error", "message", "code", "id"], id)
    socket.end(whole(text, status))
  },
  "a batch for one": (socket, { right }) => void socket.end(whole(`[${right}]`)),
  "an error as text": (socket, { id }) =>
    void socket.end(whole(`{"jsonrpc":"2.0","id":${id ?? null},"error":"no"}`)),
  "the answer to another": (socket, { right }) =>
    void socket.end(whole(right.replace(/"id":\d+/, '"id":999999999'))),
  "neither result nor error": (socket, { id }) =>
    void socket.end(whole(`{"jsonrpc":"2.0","id":${id ?? null}}`)),
  "both result and error": (socket, { right }) =>
    void socket.end(whole(right.replace(/\}$/, ',"error":{"code":-32000,"message":"both"}}')))
}

const acts: { readonly [L in Level]: ReadonlyArray<readonly [string, Act]> } = {
  socket: Object.entries(socketActs),
  framing: Object.entries(framingActs),
  encoding: Object.entries(encodingActs),
  json: Object.entries(jsonActs),
  rpc: Object.entries(rpcActs)
}

/** What is done to the requests of a seed. */
export const exchangeOf = (
  seed: number
): { readonly level: Level; readonly what: string; readonly act: Act; readonly chance: Chance } => {
  const chance = new Chance(seed)
  // seeds in a row make the same first number; each act has its turn
  const all = levels.flatMap((level) => acts[level].map(([what, act]) => ({ level, what, act })))
  const { act, level, what } = all[seed % all.length] ?? chance.one(all)
  return { level, what, act, chance }
}

/** As many as there are seeds with different acts in a row. */
export const variety = levels.reduce((all, level) => all + acts[level].length, 0)
