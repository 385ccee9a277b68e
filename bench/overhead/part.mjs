/** `npm run bench -- overhead`: what a call takes beside those of other clients, and beside no client at all. */
import { fileURLToPath } from "node:url"
import { start } from "../ipc.mjs"
import { median, round } from "../stats.mjs"
import { table } from "../table.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const raw = "fetch, one node"
const undici = "effect-chains, layerUndici"
const batched = "effect-chains, batch"
const withBatching = "effect-chains, batch, withBatching"
const promised = "effect-chains, batch, a promise each"
const own = "effect-chains"
const overPlatform = "effect-chains, layerPlatform"
const platform = "@effect/platform, one node"
const coalescing = ["effect-chains, coalesce", own]

/** Over a node on loopback. */
const overHttp = [
  ...[raw, "undici, one node", own, undici, batched, withBatching, promised, "effect-chains, coalesce"],
  ...["@tatumio/tatum", "viem fallback", "viem fallback, batch", "ethers FallbackProvider", "@solana/kit"]
]

/** Where calls share requests, those that can. */
const batchedPeer = "viem fallback, batch"
const overMany = [batched, withBatching, promised, batchedPeer]
const overLists = [undici]

/** What a quick run is about: the targets that are no CPU time, and whom they name. */
const quickly = [raw, undici]

/** Over a fetch that answers in the process, which undici and ethers do not take. */
const overFake = [
  ...[raw, own, "effect-chains, layerFetch", overPlatform, platform],
  ...["@tatumio/tatum", "viem fallback"]
]

const modes = [
  { kind: "distinct", atOnce: 1 },
  { kind: "distinct", atOnce: 64 },
  { kind: "equal", atOnce: 1 },
  { kind: "equal", atOnce: 64 }
]

/** Many calls at once, and a list of calls: how the cost of a call goes with their number. */
const many = { kind: "distinct", atOnce: 512 }
const lists = [{ kind: "list", atOnce: 4_000 }]

/**
 * What the first lots of a page take is not what those of a server do: in a new process nothing is compiled yet. After some
 * forty lots a call costs no less with another one.
 */
const states = {
  cold: { calls: 4 * many.atOnce, unmeasured: 0 },
  warm: { calls: 8 * many.atOnce, unmeasured: 6 }
}
const kindIn = (state) => `${many.kind}, ${state}`

const sizes = {
  full: { rounds: 7, calls: 1_500, limit: 1_500 },
  quick: { rounds: 7, calls: 960, limit: 600 }
}

const reasonOf = (error) => String(error?.message ?? error).split("\n")[0]

/** A process with a client, or undefined if that cannot be made. */
const open = async (name, { say, ...made }) => {
  const child = start(file("client.mjs"), [name])
  try {
    await child.ask("make", made)
    return child
  } catch (error) {
    child.end()
    say(`left out: ${name}: ${reasonOf(error)}`)
    return undefined
  }
}

const rowOf = (kind, atOnce, client, list) => ({
  kind,
  atOnce,
  client,
  time: round(median(list.map(({ time }) => time))),
  best: round(Math.min(...list.map(({ time }) => time))),
  cpu: round(median(list.map(({ cpu }) => cpu))),
  bestCpu: round(Math.min(...list.map(({ cpu }) => cpu)))
})

/** A url for clients on a fetch that answers in the process. */
export const nowhere = "https://node.example"

/** Every client in a process of its own, and all of them in turn in every round: noise meets them alike. */
export const measure = async (names, urls, { dist, fake, size, wanted, say, as = fake }) => {
  const children = new Map()
  const rows = []
  try {
    for (const name of names) {
      const child = await open(name, { urls, dist, fake, say })
      if (child !== undefined) children.set(name, child)
    }
    for (const mode of wanted) {
      const kind = as ?? mode.kind
      const found = new Map([...children.keys()].map((name) => [name, []]))
      for (let turn = -(size.unmeasured ?? 2); turn < size.rounds; turn++) {
        for (const [name, list] of found) {
          try {
            const figures = await children.get(name).ask("measure", { ...mode, ...size }, 20_000)
            // the first rounds are for the compiler
            if (turn >= 0) list.push(figures)
          } catch (error) {
            say(`left out: ${name}, ${mode.kind}, ${mode.atOnce} at once: ${reasonOf(error)}`)
            found.delete(name)
          }
        }
      }
      for (const [client, list] of found) rows.push(rowOf(kind, mode.atOnce, client, list))
      say(`${kind}, ${mode.atOnce} at once`)
    }
  } finally {
    for (const child of children.values()) child.end()
  }
  return rows
}

/** Many at once in either state: what is cold is so once in the life of a process. */
const measureMany = async (names, urls, { size, ...options }) => {
  const once = {
    ...options,
    wanted: [many],
    as: kindIn("cold"),
    size: { ...size, ...states.cold, rounds: 1 }
  }
  const rounds = []
  for (let turn = 0; turn < size.rounds && names.length > 0; turn++) {
    rounds.push(...(await measure(names, urls, { ...once, say: turn === 0 ? options.say : () => {} })))
  }
  const coldOf = (name) => rounds.filter(({ client }) => client === name)
  const measured = names.filter((name) => coldOf(name).length > 0)
  return [
    ...measured.map((name) => rowOf(kindIn("cold"), many.atOnce, name, coldOf(name))),
    ...(await measure(measured, urls, {
      ...options,
      wanted: [many],
      as: kindIn("warm"),
      size: { ...size, ...states.warm }
    }))
  ]
}

const finder = (rows) => (client, kind, atOnce) =>
  rows.find((row) => row.client === client && row.kind === kind && row.atOnce === atOnce)

/** Of the best round each: other programs on the machine can only add to what a call takes. */
export const measures = ({ rows }) => {
  const of = finder(rows)
  const ratio = (kind, atOnce) => {
    const base = of(raw, kind, atOnce)?.best
    const ours = of(undici, kind, atOnce)?.best
    return base === undefined || ours === undefined ? undefined : round(ours / base, 2)
  }
  const beside = (ours, other, kind, atOnce) => {
    const [one, base] = [ours, other].map((client) => of(client, kind, atOnce)?.bestCpu)
    return one === undefined || base === undefined ? undefined : round(one / base, 2)
  }
  const besidePeer = (ours, field, kind, atOnce) => {
    const [one, base] = [ours, batchedPeer].map((client) => of(client, kind, atOnce)?.[field])
    return one === undefined || base === undefined ? undefined : round(one / base, 2)
  }
  const warm = kindIn("warm")
  const cold = (client) => of(client, kindIn("cold"), many.atOnce)?.bestCpu
  const peers = ["viem fallback", "@solana/kit"].map((name) => of(name, "equal", 64)?.bestCpu ?? 0)
  const equal = coalescing.map((name) => of(name, "equal", 64)).find((row) => row !== undefined)
  return Object.fromEntries(
    Object.entries({
      "overhead/distinct/64/x fetch": ratio("distinct", 64),
      "overhead/distinct/1/x fetch": ratio("distinct", 1),
      "overhead/distinct/64/cpu": of(undici, "distinct", 64)?.bestCpu,
      "overhead/batched/64/x viem": besidePeer(promised, "best", "distinct", 64),
      "overhead/batched/64/cpu x viem": besidePeer(promised, "bestCpu", "distinct", 64),
      "overhead/batched/64/fibers/cpu x viem": besidePeer(batched, "bestCpu", "distinct", 64),
      "overhead/batched/64/withBatching/cpu x viem": besidePeer(withBatching, "bestCpu", "distinct", 64),
      "overhead/batched/512/warm/x viem": besidePeer(promised, "best", warm, many.atOnce),
      "overhead/batched/512/warm/withBatching/cpu x viem": besidePeer(
        withBatching,
        "bestCpu",
        warm,
        many.atOnce
      ),
      "overhead/batched/512/cold/x viem":
        cold(promised) && cold(batchedPeer) && round(cold(promised) / cold(batchedPeer), 2),
      "overhead/batched/512/warm/cpu": of(promised, kindIn("warm"), many.atOnce)?.bestCpu,
      "overhead/list/4000/cpu": of(undici, "list", 4_000)?.bestCpu,
      "overhead/fake/cpu": of(own, "fake", 1)?.bestCpu,
      "overhead/fake/x platform": beside(overPlatform, platform, "fake", 1),
      "overhead/equal/64/x coalescing peers": equal && round(equal.bestCpu / Math.max(...peers), 2)
    }).filter(([, value]) => value !== undefined)
  )
}

const tableOf = (rows, title, kind, atOnce) => {
  const list = rows.filter((row) => row.kind === kind && row.atOnce === atOnce)
  const base = list.find(({ client }) => client === raw)
  return table(
    title,
    ["client", "time µs", "best", "best x fetch", "CPU µs", "best", "best x fetch"],
    list.map(({ client, time, best, cpu, bestCpu }) => [
      client,
      time,
      best,
      base && round(best / base.best, 2),
      cpu,
      bestCpu,
      base && round(bestCpu / base.bestCpu, 2)
    ])
  )
}

export const run = async ({ quick, dist, only, say }) => {
  const size = quick ? sizes.quick : sizes.full
  const wantedOf = (names) =>
    only.clients === undefined
      ? names.filter((name) => !quick || quickly.includes(name))
      : [...new Set([raw, ...only.clients])]
  const onFake = (fake) =>
    measure(among(overFake), [nowhere], {
      ...{ dist, fake, say, wanted: [modes[0]] },
      // where nothing is sent, what is not compiled yet is most of a call
      size: { ...size, calls: 2 * size.calls, rounds: size.rounds + 2, unmeasured: 6 }
    })
  const among = (names) => names.filter((name) => wantedOf(names).includes(name))
  const server = start(file("server.mjs"))
  try {
    const url = await server.ask("open")
    const rows = [
      ...(await measure(wantedOf(overHttp), [url], { dist, size, wanted: modes, say })),
      ...(await measureMany(among(overMany), [url], { dist, size, say })),
      ...(await measure(among(overLists), [url], {
        dist,
        size: { ...size, calls: 4_000 },
        wanted: lists,
        say
      })),
      ...(await onFake("fake")),
      ...(quick ? [] : await onFake("fake without content-length"))
    ]
    return {
      result: { rows },
      tables: [
        tableOf(rows, "Overhead: a call, one after the other, other arguments each", "distinct", 1),
        tableOf(rows, "Overhead: a call, 64 at once, other arguments each", "distinct", 64),
        tableOf(
          rows,
          "Overhead: a call, 512 at once, the first lots of a new process",
          kindIn("cold"),
          many.atOnce
        ),
        tableOf(rows, "Overhead: a call, 512 at once, after many lots", kindIn("warm"), many.atOnce),
        tableOf(rows, "Overhead: a call in one list of 4,000", "list", 4_000),
        tableOf(rows, "Overhead: a call, one after the other, the same arguments", "equal", 1),
        tableOf(rows, "Overhead: a call, 64 at once, the same arguments", "equal", 64),
        tableOf(rows, "Overhead: a call of the client alone, on a fetch without a network", "fake", 1),
        ...(quick
          ? []
          : [
              tableOf(
                rows,
                "Overhead: the same, with answers that do not say how long they are",
                "fake without content-length",
                1
              )
            ])
      ]
    }
  } finally {
    server.end()
  }
}
