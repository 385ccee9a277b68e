/** A process with a node that answers at once, so that what a call takes is what the client and HTTP take. */
import { createServer } from "node:http"
import { serve } from "../ipc.mjs"
import { answer } from "../world.mjs"

const solana = (method) => ({
  result: method === "getBalance" ? { context: { slot: 1 }, value: 1 } : 1
})

const reply = ({ id, method, params = [] }) => ({
  jsonrpc: "2.0",
  id,
  ...(method.includes("_") ? answer(method, params, { time: Date.now() }) : solana(method))
})

serve({
  open: () =>
    new Promise((resolve) => {
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
        const chunks = []
        request.on("data", (chunk) => chunks.push(chunk))
        request.on("end", () => {
          const body = JSON.parse(Buffer.concat(chunks).toString())
          const text = JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body))
          response
            .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
            .end(text)
        })
      })
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`))
    })
})
