/** A JSON-RPC node over HTTP on loopback, healthy or of one of the kinds, and its log of requests. */
import { createServer } from "node:http"
import { answer } from "../world.mjs"
import { healthy, kinds, serviceTime } from "./kinds.mjs"

const now = () => performance.timeOrigin + performance.now()

const reply = (kind, { id, method, params = [] }) => {
  const fields = answer(method, params, { time: Date.now(), ...kind.view })
  return { jsonrpc: "2.0", id, ...(kind.item === undefined ? fields : kind.item(fields, id)) }
}

const send = ({ response, text }) => {
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text)
}

/** `usual` gives the milliseconds that the node takes when it is well. */
export const startNode = async (usual = serviceTime) => {
  let kind = healthy
  let since = 0
  const log = []
  const sockets = new Set()
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const entry = { time: now(), call: false, good: false }
    log.push(entry)
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("error", () => {})
    response.on("error", () => {})
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const items = Array.isArray(body) ? body : [body]
      entry.call = items.some(({ method }) => method === "eth_getBalance")
      const acting = kind.now?.(now() - since) ?? kind.of?.(items) ?? kind
      const { delay = usual } = acting
      const timer = setTimeout(() => {
        if (response.destroyed) return
        entry.good = acting === healthy
        const answers = items.map((item) => reply(acting, item))
        const text = JSON.stringify(Array.isArray(body) ? answers : answers[0])
        const how = acting.send ?? send
        how({ response, text })
      }, delay())
      response.on("close", () => clearTimeout(timer))
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  })
  const listen = (port) =>
    new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject)
        resolve(server.address().port)
      })
    })
  const port = await listen(0)
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    /** Misbehaves from now on; without a name, heals. */
    become: async (next) => {
      kind = next === undefined ? healthy : kinds[next]
      since = now()
      if (kind.listens === false) {
        server.close()
        drop()
      } else if (!server.listening) await listen(port)
    },
    end: () => {
      server.close()
      drop()
    }
  }
}
