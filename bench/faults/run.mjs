/** The faults part: every client under every fault, all clients of a fault at the same time. */
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { start } from "../ipc.mjs"
import { failover, figures } from "./figures.mjs"
import { assign, phasesOf } from "./plan.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
const now = () => performance.timeOrigin + performance.now()

/** Starts one client for one fault; all steps after that are for all clients of the batch at once. */
const prepare = async (nodes, { lane, name, fault, dist }, { deadline, primed }) => {
  const urls = await nodes.ask("open", { lane })
  const child = start(file("client.mjs"), [name])
  try {
    const order = urls.map((_, i) => i)
    const first = fault.fromStart ? urls[0] : undefined
    if (fault.fromStart) await nodes.ask("become", { lane, changes: assign(fault, order) })
    await child.ask("make", { urls, dist, first })
    await child.ask("warm", { deadline, load: fault.load, count: primed })
    return { lane, name, fault, urls, child, order }
  } catch (error) {
    child.end()
    throw error
  }
}

/**
 * When the last of the healed nodes was in use again: for those that the client has told to be out, when it has both told
 * that they are not and had an answer of theirs. Of a client that does not tell, only the busiest node is known to have
 * been given up; then its first good answer counts.
 */
const readmitted = (healed, asked, back, at) =>
  back === undefined
    ? asked[0]
    : Math.max(
        0,
        // who comes and goes may be in use when it heals
        ...healed.map((url, i) =>
          back[url] === undefined || back[url] <= at ? 0 : Math.max(back[url], asked[i])
        )
      )

const measure = async (
  nodes,
  { lane, fault, urls, child, order },
  { warm, fault: duration, heal, rate, deadline }
) => {
  await child.ask("load", { rate })
  await sleep(warm)
  const all = fault.fromStart ? order : await nodes.ask("busiest", { lane, from: now() - warm / 2 })
  const changes = assign(fault, all)
  const from = fault.fromStart ? now() : await nodes.ask("become", { lane, changes })
  await child.ask("watch", { urls: changes.map(({ node }) => urls[node]) })
  await sleep(from + duration - now())
  const to = await nodes.ask("become", { lane, changes: changes.map(({ node }) => ({ node })) })
  await sleep(heal)
  const { calls, back } = await child.ask("stop", undefined, deadline + 10_000)
  const { requests, asked } = await nodes.ask("report", {
    lane,
    from,
    to,
    healed: changes.map(({ node }) => node)
  })
  const { left, rejections } = await child.ask("close", undefined, 15_000)
  const inWindow = calls.filter(([due]) => due >= from && due < to)
  return {
    ...figures({
      // a fault from the start is there for the first calls too
      calls: fault.fromStart ? calls.filter(([due]) => due < to) : inWindow,
      timed: inWindow,
      requests,
      duration: to - from,
      rate
    }),
    failover: fault.slow || fault.everywhere ? undefined : failover(inWindow, from),
    readmission:
      changes.length === 0 || changes.length === urls.length
        ? undefined
        : Math.max(
            0,
            readmitted(
              changes.map(({ node }) => urls[node]),
              asked,
              back,
              to
            ) - to
          ),
    left,
    rejections
  }
}

/** The most noise, in milliseconds, with which times are those of the client and not of the machine. */
export const QUIET = 45

const reasonOf = (error) => String(error?.message ?? error).split("\n")[0]

/** A fault that is none, for a bare client beside the others: what its calls take is what the machine takes. */
const witness = { name: "undici, one node", fault: { name: "none", kinds: [], nodes: 0 } }

/**
 * All jobs of a batch, side by side. `noise` is the p99 of calls without a client to a node that is well, in milliseconds:
 * that of a quiet machine is little more than the 30 ms of the node.
 */
const runBatch = async (nodes, batch, timing) => {
  const jobs = [...batch, { ...witness, lane: "witness" }]
  const ready = await Promise.allSettled(jobs.map((job) => prepare(nodes, job, timing)))
  const done = await Promise.allSettled(
    ready.map((outcome) =>
      outcome.status === "fulfilled"
        ? measure(nodes, outcome.value, phasesOf(outcome.value.fault, timing))
        : Promise.reject(outcome.reason)
    )
  )
  for (const outcome of ready) if (outcome.status === "fulfilled") outcome.value.child.end()
  for (const { lane } of jobs) await nodes.ask("close", { lane }).catch(() => {})
  const last = done.at(-1)
  if (last.status === "rejected") throw last.reason
  const noise = last.value.p99
  return {
    noise,
    rows: batch.map(({ fault, name }, i) => ({
      fault: fault.name,
      client: name,
      noise,
      ...(done[i].status === "fulfilled" ? done[i].value : { out: reasonOf(done[i].reason) })
    }))
  }
}

/** Names of the clients that can be made here, and why the others cannot. */
export const available = async (clients, dist) => {
  const outcomes = await Promise.all(
    clients.map(async (name) => {
      const child = start(file("client.mjs"), [name])
      try {
        // nobody listens there: making a client asks no node
        await child.ask("make", { urls: ["http://127.0.0.1:9"], dist })
        return { name }
      } catch (error) {
        return { name, reason: reasonOf(error) }
      } finally {
        child.end()
      }
    })
  )
  return {
    names: outcomes.flatMap(({ name, reason }) => (reason === undefined ? [name] : [])),
    out: outcomes.filter(({ reason }) => reason !== undefined)
  }
}

/** So many side by side, at the least. */
const FEWEST = 2

/**
 * Measures `clients` (names) under `faults`, `atOnce` of them side by side. Where the machine was too busy or is too slow
 * for so many, so that `noise` was above {@link QUIET}, the batch is run again, up to `tries` times in all: with
 * `yielding`, half of it side by side from then on. The run with the least noise counts. Returns rows of a fault and a
 * client; `onRows` hears of them as they come. A client that broke down has `out`, the reason, and no figures.
 */
export const measureFaults = async ({
  clients,
  faults,
  timing,
  dist,
  atOnce = 4,
  tries = 3,
  yielding = false,
  onRows = () => {}
}) => {
  const jobs = faults.flatMap((fault) => clients.map((name) => ({ name, fault, dist })))
  const nodes = start(file("nodes.mjs"))
  const rows = []
  let lane = 0
  let width = atOnce
  try {
    for (let next = 0; next < jobs.length; next = rows.length) {
      let best
      for (let count = 0; count < tries && (best === undefined || best.noise > QUIET); count++) {
        if (count > 0) await sleep(1_000)
        const batch = jobs.slice(next, next + width).map((job) => ({ ...job, lane: lane++ }))
        const run = await runBatch(nodes, batch, timing)
        // a run with fewer is another one, whatever its noise
        if (best === undefined || run.rows.length < best.rows.length || run.noise < best.noise) best = run
        if (yielding && run.noise > QUIET) width = Math.max(FEWEST, Math.ceil(width / 2))
      }
      rows.push(...best.rows)
      onRows(best.rows)
    }
  } finally {
    nodes.end()
  }
  return rows
}
