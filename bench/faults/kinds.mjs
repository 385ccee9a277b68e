/**
 * The ways in which a node of the bench misbehaves. A kind may change when the node answers (`delay`, in milliseconds),
 * what it knows (`view`), an answer's JSON-RPC fields (`item`), or how the response is sent (`send`); `listens` says
 * whether it takes connections. `now` gives the kind at so many milliseconds after the fault began, for what changes, and
 * `of` that of a request.
 */
import { callsOf, chains } from "../world.mjs"

const between = (low, high) => low + Math.random() * (high - low)

/** How long a healthy node takes. */
export const serviceTime = () => between(20, 30)

const page = "<!doctype html><html><body><h1>This host is protected</h1></body></html>"

const status =
  (code, type, body, headers = {}) =>
  ({ response }) => {
    response.writeHead(code, { "content-type": type, ...headers }).end(body)
  }

const reset = ({ response }) => response.socket?.resetAndDestroy()

/** The head of the response and the first half of its body. */
const half = (response, text) => {
  const bytes = Buffer.from(text)
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2))
}

const error = (code, message) => ({ item: () => ({ error: { code, message } }) })

/** What a contract says, in words that providers use of themselves. */
export const WORDS = "err: insufficient funds: try again"

/** How many calls of one request a node has the gas for. */
const GAS = 50

/** Makes of a balance that of another address (see `world.mjs`). */
const otherAddress = 1n << 80n

export const healthy = {}

export const kinds = {
  refuse: { listens: false },
  reset: { send: reset },
  hang: { send: () => {} },
  http500: { send: status(500, "text/plain", "Internal Server Error") },
  http429: { send: status(429, "text/plain", "Too Many Requests", { "retry-after": "1" }) },
  http403: { send: status(403, "text/html", page) },
  http404: { send: status(404, "text/html", page) },
  http402: { send: status(402, "application/json", '{"message":"Payment Required"}') },
  http410: { send: status(410, "text/html", page) },
  http405: { send: status(405, "text/plain", "") },
  http451: { send: status(451, "text/html", page) },
  http304: { send: status(304, "text/plain", "") },
  http400: { send: status(400, "text/html", page) },
  "refused-call": {
    of: (items) =>
      items.some(({ method, params }) => method === "eth_getBalance" && BigInt(params[0]) % 10n === 0n)
        ? kinds.http403
        : healthy
  },
  "contract-words": {
    of: (items) => (items.some(({ method }) => method === "eth_call") ? kinds["contract-refuses"] : healthy)
  },
  "contract-refuses": error(-32_000, WORDS),
  "multicall-gas": {
    of: (items) =>
      items.some(({ method, params }) => method === "eth_call" && callsOf(params[0]).length > GAS)
        ? kinds["out-of-gas"]
        : healthy
  },
  "out-of-gas": error(-32_000, "out of gas"),
  // a quota of seconds: what comes in its first second is too much, and the next one and a half are free
  limited: { now: (elapsed) => (elapsed % 2_500 < 1_000 ? kinds.http429 : healthy) },
  rpc32005: error(-32_005, "limit exceeded"),
  rpc32603: error(-32_603, "Internal error"),
  missing: error(-32_000, "header not found"),
  stale: { view: { behind: 1_000 } },
  wrongchain: { delay: () => between(4, 6), view: { chain: chains.wrong, behind: -1_000_000 } },
  truncated: {
    send: ({ response, text }) => {
      half(response, text)
      setTimeout(() => response.socket?.destroy(), 1)
    }
  },
  garbage: { send: status(200, "text/html", page) },
  empty: { send: status(200, "application/json", "") },
  wrongid: {
    item: ({ result, ...fields }, id) => ({
      ...fields,
      id: typeof id === "number" ? id + 7_777 : "7777",
      ...(/^0x/.test(result) ? { result: `0x${(BigInt(result) ^ otherAddress).toString(16)}` } : { result })
    })
  },
  bodystall: { send: ({ response, text }) => half(response, text) },
  drip: {
    send: ({ response, text }) => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text)
      })
      let sent = 0
      const timer = setInterval(() => {
        if (sent < text.length) response.write(text[sent++])
        else response.end()
      }, 3_000 / text.length)
      response.on("close", () => clearInterval(timer))
    }
  },
  spike2s: { delay: () => 2_000 },
  flap: { now: (elapsed) => (Math.floor(elapsed / 500) % 2 === 0 ? kinds.reset : healthy) },
  tail5: { delay: () => (Math.random() < 0.05 ? 1_000 : serviceTime()) },
  slow: { delay: () => between(295, 305) }
}
