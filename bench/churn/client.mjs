/** A process that makes and destroys clients: `node --expose-gc bench/churn/client.mjs NAME`. */
import { readdirSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { clients } from "../clients.mjs"
import { serve } from "../ipc.mjs"
import { address } from "../world.mjs"

const [name] = process.argv.slice(2)

process.on("unhandledRejection", () => {})

const descriptors = () => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}

const state = async () => {
  await sleep(500)
  for (let i = 0; i < 4; i++) {
    globalThis.gc()
    await sleep(20)
  }
  return {
    heap: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().length,
    descriptors: descriptors(),
    listeners: process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0)
  }
}

/** One after the other, each with a call, until `until` (milliseconds of the clock). */
const churn = async (make, count, until) => {
  let done = 0
  while (done < count && Date.now() < until) {
    const client = await make()
    await client.balance(address(done + 1)).catch(() => {})
    await client.close()
    done += 1
  }
  return done
}

serve({
  /** What is there after `count` clients that was not there after the first ones. */
  measure: async ({ urls, dist, warm, count, limit }) => {
    const make = await clients[name](urls, { dist })
    // what the first ones leave behind is the program's own, so all of them are waited for
    await churn(make, warm, Number.POSITIVE_INFINITY)
    const before = await state()
    const made = await churn(make, count, Date.now() + limit)
    const after = await state()
    return {
      made,
      ...Object.fromEntries(
        Object.keys(before).map((key) => [
          key,
          before[key] === undefined ? undefined : after[key] - before[key]
        ])
      )
    }
  }
})
