/** A process that measures what the calls of one client take: `node bench/overhead/client.mjs NAME`. */
import { cpuUsage } from "node:process"
import { clients } from "../clients.mjs"
import { serve } from "../ipc.mjs"
import { address, answer } from "../world.mjs"

const [name] = process.argv.slice(2)

/**
 * A fetch that answers in the process: what is left of a call's time is the client's. Answers say how long they are, as
 * most servers' do, or not, as those that stream or compress.
 */
const fakeFetch =
  (withLength) =>
  async (_, { body }) => {
    const time = Date.now()
    const reply = ({ id, method, params }) => ({ jsonrpc: "2.0", id, ...answer(method, params, { time }) })
    const asked = JSON.parse(body)
    const text = JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked))
    return new Response(text, {
      headers: {
        "content-type": "application/json",
        ...(withLength ? { "content-length": String(text.length) } : {})
      }
    })
  }

let client
let next = 1

/** `count` calls, all at once or one after the other. */
const distinct = async (count, atOnce) => {
  const all = Array.from({ length: count }, () => address(next++))
  if (client.balances !== undefined) await client.balances(all, atOnce)
  else if (atOnce > 1) await Promise.all(all.map((of) => client.balance(of)))
  else for (const of of all) await client.balance(of)
}

const equal = async (count, atOnce) => {
  if (atOnce > 1) await Promise.all(Array.from({ length: count }, () => client.equal()))
  else for (let i = 0; i < count; i++) await client.equal()
}

/** One request for all. */
const list = async (count) => {
  const all = Array.from({ length: count }, () => address(next++))
  const balances = await client.list(all)
  if (balances.length !== count) throw new Error(`${balances.length} answers to ${count} calls`)
}

const kinds = { distinct, equal, list }

serve({
  make: async ({ urls, dist, fake }) => {
    if (fake !== undefined) globalThis.fetch = fakeFetch(fake === "fake")
    const make = await clients[name](urls, { dist })
    client = await make()
  },
  /** At least one lot of calls, and no more after `limit` milliseconds. Microseconds per call. */
  measure: async ({ kind, atOnce, calls, limit }) => {
    const run = kinds[kind]
    const lot = Math.max(atOnce, Math.min(calls, 50))
    const start = performance.now()
    const used = cpuUsage()
    let done = 0
    while (done < calls && performance.now() - start < limit) {
      await run(atOnce > 1 ? atOnce : lot, atOnce)
      done += atOnce > 1 ? atOnce : lot
    }
    const { user, system } = cpuUsage(used)
    return { time: ((performance.now() - start) * 1_000) / done, cpu: (user + system) / done }
  }
})
