/**
 * Eight replicas with three nodes, of which the fastest fails: `node scripts/run.mjs packages/fleet/test/programs/healthShare.ts`. How many
 * calls fail there until all have left it, and how soon that is; and what the first call of a new replica costs. First with shared health by
 * Redis, then without. Prints one line of JSON.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startFakeNode } from "../fakeNode.js"
import { type Answer, type Process, sendCommand, start } from "../processes.js"
import { findMissing, startRedis } from "../servers.js"

const PROCESSES = 8
/** Between two calls of a replica, in milliseconds. */
const PAUSE = 800
/** How long the replicas go on calling, in milliseconds. */
const DURING = 4_000

const fleet = async (redisUrl: string | undefined, output: string) => {
  const nodes = await Promise.all([0, 250, 500].map((probe) => startFakeNode({ probe })))
  const path = fileURLToPath(import.meta.url)
  const replicas: Array<Process> = []
  const replica = async (): Promise<Process> => {
    const made = start(
      path,
      {
        REPLICA_NODES: nodes.map(({ url }) => url).join(" "),
        ...(redisUrl === undefined ? {} : { REPLICA_REDIS: redisUrl })
      },
      output
    )
    replicas.push(made)
    await made.up
    return made
  }
  try {
    const all = await Promise.all(Array.from({ length: PROCESSES }, replica))
    for (const each of all) await sendCommand(each, "call")
    for (const each of all) await sendCommand(each, "check")
    // what checks have found is told within a second
    await sleep(1_500)
    for (const { reset } of nodes) reset()
    const first: Answer = await sendCommand(await replica(), "call")
    const sentFirst = nodes.reduce((sum, { asked }) => sum + asked("eth_gasPrice"), 0)

    for (const { reset } of nodes) reset()
    const [failing] = nodes
    if (failing === undefined) throw new Error("there are nodes")
    failing.state.mode = "lost"
    const began = performance.now()
    let last = began
    let wrong = 0
    let before = 0
    const calling = async (each: Process): Promise<void> => {
      while (performance.now() - began < DURING) {
        if (!(await sendCommand(each, "call")).ok) wrong++
        const count = failing.asked("eth_gasPrice")
        if (count > before) last = performance.now()
        before = Math.max(before, count)
        await sleep(PAUSE)
      }
    }
    // their calls come one after another, as far as a replica's pause allows
    await Promise.all(all.map((each, i) => sleep((i * PAUSE) / PROCESSES).then(() => calling(each))))
    return {
      failedCalls: failing.asked("eth_gasPrice"),
      wrong,
      lastMs: Math.round(last - began),
      firstCallMs: Math.round(first.ms),
      firstCallRequests: sentFirst
    }
  } finally {
    await Promise.all(replicas.map(({ kill }) => kill()))
    await Promise.all(nodes.map(({ end }) => end()))
  }
}

const lacking = findMissing()
if (process.env.REPLICA_NODES !== undefined) await import("./replica.js")
else if (lacking !== undefined) console.log(lacking)
else {
  const folder = mkdtempSync(join(tmpdir(), "fleet-health-"))
  const server = await startRedis()
  try {
    const shared = await fleet(server.url, join(folder, "output"))
    const naive = await fleet(undefined, join(folder, "output"))
    console.log(JSON.stringify({ processes: PROCESSES, shared, naive }))
  } finally {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
