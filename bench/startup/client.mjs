/** A process that makes one client and one call: `node bench/startup/client.mjs NAME`. */
import { clients } from "../clients.mjs"
import { serve } from "../ipc.mjs"
import { address } from "../world.mjs"

const [name] = process.argv.slice(2)

process.on("unhandledRejection", () => {})

const raced = (promise, milliseconds) => {
  let timer
  const expired = new Promise((resolve) => {
    timer = setTimeout(() => resolve("late"), milliseconds)
  })
  return Promise.race([promise, expired]).finally(() => clearTimeout(timer))
}

/** What the fastest node takes to tell its height, without any client. */
const probe = async (url) => {
  const start = performance.now()
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  })
  await response.text()
  return performance.now() - start
}

serve({
  /** The same of a process that has asked nothing before, and has no client: what an answer takes at least. */
  bare: async ({ fastest }) => {
    const first = await probe(fastest)
    return { ready: 0, first, probe: await probe(fastest) }
  },
  /** Milliseconds until the client was made, and from the same start until its first answer; Infinity if too late. */
  measure: async ({ urls, fastest, dist, limit }) => {
    const make = await clients[name](urls, { dist })
    const start = performance.now()
    const began = make()
    const client = await raced(began, limit)
    const ready = client === "late" ? Number.POSITIVE_INFINITY : performance.now() - start
    const answered =
      client === "late" ? "late" : await raced(client.balance(address(1)), limit).catch(() => "late")
    const first = answered === "late" ? Number.POSITIVE_INFINITY : performance.now() - start
    const probes = []
    for (let i = 0; i < 3; i++) probes.push(await probe(fastest))
    return { ready, first, probe: Math.min(...probes) }
  }
})
