/** `npm run bench -- faults`: what is measured, as tables and as measures for the targets. */
import { mean, median, round } from "../stats.mjs"
import { table } from "../table.mjs"
import { ensureWallet } from "../tatum.mjs"
import { wallets } from "../wallets.mjs"
import { measurePayments, paymentMeasures, payments, paymentTable } from "./payments.mjs"
import { faults, timing } from "./plan.mjs"
import { available, measureFaults, QUIET } from "./run.mjs"

/** The clients that the targets are for, on the lean runtime and on Effect: of both, the worse counts. */
const own = "effect-chains"
const owns = [own, `${own}, layerFetch`]

/** A quick run is for the targets alone. */
const inQuick = [own]
const inFull = [
  ...[...owns, "effect-chains, all on", "@tatumio/tatum", "viem fallback", "viem fallback, rank"],
  ...["ethers FallbackProvider", "fetch, one node"]
]

const count = (left) => Object.values(left).reduce((sum, some) => sum + some, 0)

/** Infinity is no JSON. */
const orNever = (value) => (value === Number.POSITIVE_INFINITY ? "never" : round(value, 0))

/** The most frequent outcomes. Ports and the like make one error many, so only how they begin counts. */
const frequent = (errors) => {
  const counts = {}
  for (const [text, times] of Object.entries(errors)) {
    const start = text.replace(/\d{4,}.*/s, "…").slice(0, 60)
    counts[start] = (counts[start] ?? 0) + times
  }
  return Object.fromEntries(
    Object.entries(counts)
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
  )
}

const shorten = (row) =>
  row.out === undefined
    ? {
        ...row,
        success: round(row.success, 2),
        p50: round(row.p50),
        p99: round(row.p99),
        extra: round(row.extra),
        failover: row.failover === undefined ? undefined : orNever(row.failover),
        readmission: row.readmission === undefined ? undefined : orNever(row.readmission),
        noise: round(row.noise),
        errors: frequent(row.errors)
      }
    : row

const tables = (rows, names, wanted) => {
  const of = (fault, client) => rows.find((row) => row.fault === fault && row.client === client)
  const clients = names.filter((name) => rows.some(({ client }) => client === name))
  const short = wanted.filter(({ name }) => rows.some(({ fault }) => fault === name))
  const measured = (client) =>
    short.map(({ name }) => of(name, client)).filter((row) => row !== undefined && row.out === undefined)
  const numbers = (list, key) => list.map((row) => row[key]).filter((value) => typeof value === "number")
  const nevers = (list, key) => list.filter((row) => row[key] === "never").length
  const withNever = (list, key) =>
    `${numbers(list, key).length === 0 ? "–" : round(median(numbers(list, key)), 0)}${nevers(list, key) === 0 ? "" : ` (${nevers(list, key)} never)`}`
  return [
    table(
      "Faults: correct answers % / p50 ms / p99 ms",
      ["fault", ...clients],
      short.map(({ name }) => [
        name,
        ...clients.map((client) => {
          const row = of(name, client)
          return row === undefined || row.out !== undefined
            ? "–"
            : `${row.success} / ${round(row.p50, 0)} / ${round(row.p99, 0)}`
        })
      ])
    ),
    ...clients
      .filter((client) => client.startsWith(own))
      .map((client) =>
        table(
          `Faults: ${client}, one by one`,
          ["fault", "extra load %", "failover ms", "re-admission ms", "left", "rejections", "noise ms"],
          measured(client).map((row) => [
            row.fault,
            row.extra,
            row.failover,
            row.readmission,
            count(row.left),
            row.rejections,
            row.noise
          ])
        )
      ),
    table(
      "Faults: all together",
      [
        "client",
        "correct %",
        "worst p99 ms",
        "extra load %, mean",
        "worst",
        "failover ms, median",
        "re-admission ms, median",
        "left, most",
        "rejections"
      ],
      clients.map((client) => {
        const list = measured(client).filter(({ fault }) => fault !== "healthy")
        return [
          client,
          round(mean(numbers(list, "success")), 2),
          Math.max(...numbers(list, "p99")),
          round(mean(numbers(list, "extra"))),
          Math.max(...numbers(list, "extra")),
          withNever(list, "failover"),
          withNever(list, "readmission"),
          Math.max(...list.map(({ left }) => count(left))),
          list.reduce((sum, { rejections }) => sum + rejections, 0)
        ]
      })
    )
  ]
}

const value = (figure) => (figure === "never" ? Number.POSITIVE_INFINITY : figure)

/** Figures in milliseconds, which are the machine's where it was busy with other things. */
const timed = ["p99", "failover"]

const ofRow = (row) =>
  row.out === undefined
    ? [
        ...["success", "p99", "extra", "failover", "readmission", "rejections"].map((key) => [
          key,
          row.noise > QUIET && timed.includes(key) ? undefined : value(row[key])
        ]),
        ["left", count(row.left)]
      ]
    : [["success", 0]]

/** Only of correct answers are fewer the worse. */
const worse = (key, one, other) =>
  one === undefined || other === undefined
    ? (one ?? other)
    : key === "success"
      ? Math.min(one, other)
      : Math.max(one, other)

/** Payments of a wallet under a fault. */
const PAYMENTS = { quick: 3, full: 25 }

export const measures = ({ paid = [], rows }) => {
  const found = paymentMeasures(paid, own)
  for (const row of rows.filter(({ client }) => owns.includes(client)))
    for (const [key, figure] of ofRow(row)) {
      const measure = `faults/${row.fault}/${key}`
      found[measure] = worse(key, found[measure], figure)
    }
  return found
}

/** So many faults are measured again where a target is missed: more are no noise. */
const DOUBTS = 8

/** The row of medians. What is never right stays so: of the counts, the worst. */
const middle = (rows) => {
  const [first] = rows
  const of = (key) => median(rows.map((row) => value(row[key])))
  return first.out !== undefined || rows.some(({ out }) => out !== undefined)
    ? first
    : {
        ...first,
        ...Object.fromEntries(["success", "p50", "p99", "extra", "noise"].map((key) => [key, of(key)])),
        failover: first.failover === undefined ? undefined : orNever(of("failover")),
        readmission: first.readmission === undefined ? undefined : orNever(of("readmission")),
        rejections: Math.max(...rows.map(({ rejections }) => rejections)),
        left: rows.reduce((most, { left }) => (count(left) > count(most) ? left : most), first.left),
        runs: rows.length
      }
}

/** Clients take turns with noise: a fault that this SDK has missed a target in counts as the median of three runs. */
const again = async (rows, { measureRows, missed, say }) => {
  const doubted = faults.filter(({ name }) =>
    missed(measures({ rows })).some(({ measure }) => measure.startsWith(`faults/${name}/`))
  )
  if (doubted.length === 0 || doubted.length > DOUBTS) return rows
  say(`again: ${doubted.map(({ name }) => name).join(", ")}`)
  const doubtful = owns.filter((name) => rows.some(({ client }) => client === name))
  const more = [...(await measureRows(doubtful, doubted)), ...(await measureRows(doubtful, doubted))]
  return rows.map((row) => {
    const others = more.filter(({ fault, client }) => fault === row.fault && client === row.client)
    return others.length === 0 ? row : middle([row, ...others])
  })
}

export const run = async ({ quick, dist, only, say, missed }) => {
  const wanted = faults.filter(({ full, name }) => only.faults?.includes(name) ?? !(quick && full === true))
  const names = only.clients ?? (quick ? inQuick : inFull)
  const clients = await available(names, dist)
  for (const { name, reason } of clients.out) say(`left out: ${name}: ${reason}`)
  const measureRows = async (which, list) => {
    const rows = await measureFaults({
      clients: which,
      faults: list,
      timing: quick ? timing.quick : timing.full,
      dist,
      atOnce: 4,
      tries: quick ? 2 : 3,
      yielding: true,
      onRows: (measured) => {
        for (const { fault, client, success, p99, out } of measured)
          say(`${fault}, ${client}: ${out ?? `${round(success, 2)} %, p99 ${round(p99)} ms`}`)
      }
    })
    return rows.map(shorten)
  }
  const paying = payments.filter(({ name }) => only.faults?.includes(name) ?? true)
  const payers = (only.clients ?? (quick ? inQuick : Object.keys(wallets))).filter((name) =>
    Object.hasOwn(wallets, name)
  )
  if (paying.length > 0 && payers.some((name) => name !== own)) {
    const missing = ensureWallet()
    if (missing !== undefined) say(`left out: ${missing}`)
  }
  const paid = await measurePayments({
    names: payers,
    wanted: paying,
    count: quick ? PAYMENTS.quick : PAYMENTS.full,
    dist
  })
  const first = await measureRows(clients.names, wanted)
  const rows = missed === undefined ? first : await again(first, { measureRows, missed, say })
  const noisy = rows.filter(({ client, noise }) => owns.includes(client) && noise > QUIET)
  if (missed !== undefined && noisy.length > 0)
    say(
      `left out: times under ${noisy.map(({ fault }) => fault).join(", ")}: the machine was too busy to tell them`
    )
  return {
    result: { rows, paid },
    tables: [
      ...(rows.length === 0 ? [] : tables(rows, names, wanted)),
      ...(paid.length === 0 ? [] : [paymentTable(paid)])
    ]
  }
}
