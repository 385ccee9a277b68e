/** A process with one client under load: `node bench/faults/client.mjs NAME`. */
import { setTimeout as sleep } from "node:timers/promises"
import { clients } from "../clients.mjs"
import { serve } from "../ipc.mjs"
import { caller } from "./load.mjs"

const [name] = process.argv.slice(2)

const now = () => performance.timeOrigin + performance.now()

let rejections = 0
process.on("unhandledRejection", () => {
  rejections += 1
})
process.on("uncaughtException", () => {
  rejections += 1
})

/** What keeps the process alive, by kind. */
const handles = () => {
  const counts = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const more = (before, after) =>
  Object.fromEntries(
    Object.entries(after).flatMap(([kind, count]) =>
      count > (before[kind] ?? 0) ? [[kind, count - (before[kind] ?? 0)]] : []
    )
  )

let make
let client
let calling
let load
let before

/** For each url that the client has told to be out since the watch began: when it last came back, or undefined. */
const out = new Map()
let watched = []
let watch

const look = () => {
  const failed = client.failed?.() ?? []
  for (const url of watched) {
    if (failed.includes(url)) out.set(url, undefined)
    else if (out.has(url) && out.get(url) === undefined) out.set(url, now())
  }
}

serve({
  /** Makes the client. With `first`, one that has chosen this url, if clients say which they choose. */
  make: async ({ urls, dist, first }) => {
    make = await clients[name](urls, { dist })
    before = handles()
    for (let tries = 0; tries < 40; tries++) {
      client = await make()
      if (first === undefined || client.active === undefined || client.active() === first) break
      await client.close()
    }
  },
  warm: async ({ deadline, load, count }) => {
    calling = caller(client, { deadline, load })
    await calling.warm(count)
  },
  load: ({ rate }) => {
    load = calling.start(rate)
    return now()
  },
  /** Watches these nodes from now on, for when the client takes them back. */
  watch: ({ urls }) => {
    watched = urls
    look()
    watch = setInterval(look, 10)
  },
  /** The calls; and for each url that was out, when it came back, if the client tells. */
  stop: async () => {
    await load.stop()
    clearInterval(watch)
    const back = [...out].map(([url, time]) => [url, time ?? Number.POSITIVE_INFINITY])
    return { calls: calling.calls, back: client.failed === undefined ? undefined : Object.fromEntries(back) }
  },
  close: async () => {
    await client.close()
    await sleep(300)
    return { left: more(before, handles()), rejections }
  }
})
