/** `npm run bench -- startup`: how long clients take to be made and to answer, where 3 of 10 nodes hang. */
import { fileURLToPath } from "node:url"
import { start } from "../ipc.mjs"
import { median, round } from "../stats.mjs"
import { table } from "../table.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Far enough apart to tell a client that waits for the slow nodes from one that does not. */
const times = Array.from({ length: 10 }, (_, i) => 100 + 40 * i)
const hanging = [0, 4, 7]
const fastest = 1

const own = "effect-chains"
const bare = "fetch, the fastest node"
const names = [
  ...[bare, own, "effect-chains, one time", "@tatumio/tatum", "@tatumio/tatum, one time"],
  ...["viem fallback", "viem fallback, rank", "ethers FallbackProvider"]
]

/** Those that do not wait for a client which hangs. */
const quickly = [bare, own, "effect-chains, one time"]

const orNever = (value) => (Number.isFinite(value) ? round(value, 0) : "never")

export const measures = ({ rows }) => {
  const of = (name) => rows.find(({ client }) => client === name)
  const row = of(own)
  const least = of(bare)
  return row === undefined
    ? {}
    : {
        ...(least === undefined ? {} : { "startup/first/x fetch": round(row.first / least.first, 2) }),
        "startup/ready/x probe":
          row.ready === "never" ? Number.POSITIVE_INFINITY : round(row.ready / row.probe, 2),
        "startup/first/x probe":
          row.first === "never" ? Number.POSITIVE_INFINITY : round(row.first / row.probe, 2)
      }
}

export const run = async ({ quick, dist, only, say }) => {
  const repeats = quick ? 3 : 7
  const limit = quick ? 2_000 : 5_000
  const nodes = start(file("../faults/nodes.mjs"))
  const rows = []
  try {
    const urls = await nodes.ask("open", { lane: 0, times })
    await nodes.ask("become", { lane: 0, changes: hanging.map((node) => ({ node, kind: "hang" })) })
    for (const name of only.clients ?? (quick ? quickly : names)) {
      const runs = []
      let reason
      for (let i = 0; i < repeats && reason === undefined; i++) {
        const child = start(file("client.mjs"), [name])
        try {
          const asked = { urls, fastest: urls[fastest], dist, limit }
          runs.push(await child.ask(name === bare ? "bare" : "measure", asked, 2 * limit + 10_000))
        } catch (error) {
          reason = String(error?.message ?? error).split("\n")[0]
        } finally {
          child.end()
        }
      }
      if (reason !== undefined) {
        say(`left out: ${name}: ${reason}`)
        continue
      }
      const of = (key) => runs.map((one) => one[key])
      rows.push({
        client: name,
        probe: round(median(of("probe"))),
        ready: orNever(median(of("ready"))),
        worstReady: orNever(Math.max(...of("ready"))),
        first: orNever(median(of("first"))),
        worstFirst: orNever(Math.max(...of("first")))
      })
      say(`${name}: ready after ${rows.at(-1).ready} ms, first answer after ${rows.at(-1).first} ms`)
    }
  } finally {
    nodes.end()
  }
  return {
    result: { repeats, limit, rows },
    tables: [
      table(
        `Start-up with 10 nodes of which 3 hang (median and worst of ${repeats}; fastest node ${times[fastest]} ms)`,
        ["client", "fastest probe ms", "made ms", "worst", "first answer ms", "worst"],
        rows.map((row) => [row.client, row.probe, row.ready, row.worstReady, row.first, row.worstFirst])
      )
    ]
  }
}
