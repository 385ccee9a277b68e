/** `npm run bench -- churn`: what is left of 1,000 clients, each made, used once and destroyed. */
import { fileURLToPath } from "node:url"
import { start } from "../ipc.mjs"
import { round } from "../stats.mjs"
import { table } from "../table.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const own = "effect-chains"
const names = [own, "@tatumio/tatum", "viem fallback", "viem fallback, rank", "ethers FallbackProvider"]

export const measures = ({ rows }) => {
  const row = rows.find(({ client }) => client === own)
  if (row === undefined) return {}
  return {
    "churn/heap": row.heap,
    "churn/handles": row.handles,
    ...(row.descriptors === undefined ? {} : { "churn/descriptors": row.descriptors })
  }
}

export const run = async ({ quick, dist, only, say }) => {
  const plan = quick ? { warm: 600, count: 300, limit: 10_000 } : { warm: 500, count: 1_000, limit: 60_000 }
  const server = start(file("../overhead/server.mjs"))
  const rows = []
  try {
    const url = await server.ask("open")
    const urls = [1, 2, 3].map((n) => `${url}/${n}`)
    const wanted = only.clients ?? (quick ? [own] : names)
    for (const name of wanted) {
      const child = start(file("client.mjs"), [name], ["--expose-gc"])
      try {
        const { made, heap, handles, descriptors, listeners } = await child.ask(
          "measure",
          { urls, dist, ...plan },
          plan.limit + 30_000
        )
        rows.push({
          client: name,
          made,
          heap: round(heap / 1_000 / made, 2),
          handles,
          descriptors,
          listeners
        })
        say(`${name}: ${made} clients, ${rows.at(-1).heap} kB of heap for each`)
      } catch (error) {
        say(`left out: ${name}: ${String(error?.message ?? error).split("\n")[0]}`)
      } finally {
        child.end()
      }
    }
  } finally {
    server.end()
  }
  return {
    result: { rows },
    tables: [
      table(
        "Churn: what is left of clients made, used once and destroyed",
        ["client", "clients", "heap kB each", "handles", "file descriptors", "listeners"],
        rows.map((row) => [row.client, row.made, row.heap, row.handles, row.descriptors, row.listeners])
      )
    ]
  }
}
