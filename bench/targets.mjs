/**
 * What this SDK has to reach. A target names measures as parts make them (`part/…/measure`); a `*` stands for any name.
 * `most` and `least` are limits that are still met; `cpu` are those in CPU time, which differs from machine to machine, and
 * `quick` is the limit of a quick run where that is another one: of 120 calls one is beyond the p99, and what happens once
 * per fault is more of them.
 */
import { faults } from "./faults/plan.mjs"

const silent = faults.filter((fault) => fault.silent).map(({ name }) => name)
const slow = faults.filter((fault) => fault.slow || fault.everywhere).map(({ name }) => name)
const everywhere = faults.filter((fault) => fault.everywhere).map(({ name }) => name)

/** Balances do not tell their height: those that come before the first height are wrong, and nobody can know. */
const mixed = "stale-mixed"

export const targets = [
  {
    name: "correct answers",
    measure: "faults/*/success",
    least: 99.9,
    quick: 98,
    unit: "%",
    except: [mixed]
  },
  { name: "correct answers", measure: `faults/${mixed}/success`, least: 98, quick: 96, unit: "%" },
  { name: "payments that are made once", measure: "faults/*/paid once", least: 100, unit: "%" },
  { name: "payments that are told right", measure: "faults/*/told right", least: 100, unit: "%" },
  { name: "p99", measure: "faults/*/p99", most: 150, quick: 1_000, unit: "ms", except: slow },
  ...silent.map((fault) => ({
    name: "failover",
    measure: `faults/${fault}/failover`,
    most: 300,
    quick: 1_000,
    unit: "ms"
  })),
  { name: "extra load", measure: "faults/*/extra", most: 10, quick: 25, unit: "%", except: everywhere },
  { name: "re-admission", measure: "faults/*/readmission", most: 1_500, quick: 2_500, unit: "ms" },
  { name: "left after close", measure: "faults/*/left", most: 0, unit: "handles" },
  { name: "unhandled rejections", measure: "faults/*/rejections", most: 0, unit: "" },
  {
    name: "time of a call, 64 at once",
    measure: "overhead/distinct/64/x fetch",
    most: 0.6,
    quick: 1,
    unit: "x fetch"
  },
  {
    name: "time of a call, one by one",
    measure: "overhead/distinct/1/x fetch",
    most: 0.8,
    quick: 1,
    unit: "x fetch"
  },
  { name: "CPU of a call", measure: "overhead/distinct/64/cpu", most: 120, unit: "µs", cpu: true },
  {
    name: "time of a batched call, a promise each",
    measure: "overhead/batched/64/x viem",
    most: 1,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "CPU of a batched call, a promise each",
    measure: "overhead/batched/64/cpu x viem",
    most: 1,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "time of a batched call, a promise each, after many",
    measure: "overhead/batched/512/warm/x viem",
    most: 1,
    cpu: true,
    unit: "x viem"
  },
  // The aim is 1. Effect's `forEach` alone takes 1.2 times viem's CPU for elements that do nothing (`bench/README.md`). These limits
  // hold what is reached.
  {
    name: "CPU of a batched call, a fiber each",
    measure: "overhead/batched/64/fibers/cpu x viem",
    most: 2.6,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "CPU of a batched call, Effect's batching",
    measure: "overhead/batched/64/withBatching/cpu x viem",
    most: 1.8,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "CPU of a batched call, Effect's batching, after many",
    measure: "overhead/batched/512/warm/withBatching/cpu x viem",
    most: 2.4,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "CPU of a batched call, first lots",
    measure: "overhead/batched/512/cold/x viem",
    most: 1.2,
    cpu: true,
    unit: "x viem"
  },
  {
    name: "CPU of a batched call, after many",
    measure: "overhead/batched/512/warm/cpu",
    most: 8,
    unit: "µs",
    cpu: true
  },
  { name: "CPU of a call in a list", measure: "overhead/list/4000/cpu", most: 8, unit: "µs", cpu: true },
  { name: "CPU of the client alone", measure: "overhead/fake/cpu", most: 80, unit: "µs", cpu: true },
  {
    name: "CPU over the platform's client",
    measure: "overhead/fake/x platform",
    most: 1.25,
    cpu: true,
    unit: "x the platform alone"
  },
  {
    name: "CPU of equal calls at once",
    measure: "overhead/equal/64/x coalescing peers",
    most: 1,
    cpu: true,
    unit: "x the dearer of viem and kit"
  },
  { name: "time to ready", measure: "startup/ready/x probe", most: 1.2, unit: "x the fastest probe" },
  // a process that has sent nothing before is slow with any first request: the least is that of a process without a client
  {
    name: "time to the first answer",
    measure: "startup/first/x fetch",
    most: 1.3,
    quick: 3,
    unit: "x a first request to the fastest node"
  },
  { name: "heap per client made and destroyed", measure: "churn/heap", most: 0.5, quick: 1.5, unit: "kB" },
  { name: "handles after 1,000 clients", measure: "churn/handles", most: 0, unit: "handles" },
  { name: "descriptors after 1,000 clients", measure: "churn/descriptors", most: 0, unit: "files" },
  { name: "a shared quota that is used", measure: "fleet/quota/used", least: 95, unit: "%" },
  { name: "deadlines that a shared quota keeps", measure: "fleet/quota/met", least: 99, unit: "%" },
  {
    name: "429 after the first second of a fleet",
    measure: "fleet/quota/too many",
    most: 0,
    unit: "answers"
  },
  { name: "requests of an indexer with a cache", measure: "fleet/cache/requests", most: 12, unit: "%" },
  { name: "answers of a cache that are others", measure: "fleet/cache/wrong", most: 0, unit: "answers" },
  { name: "a million watched addresses", measure: "fleet/watch/memory", most: 200, unit: "MB" },
  { name: "a block of 500 transactions", measure: "fleet/watch/block", most: 50, unit: "ms" }
]

/** The targets of a quick run, on a machine of which nobody knows how fast it is. */
export const inQuick = targets
  .filter(({ cpu }) => cpu !== true)
  .map(({ quick, ...target }) =>
    quick === undefined
      ? target
      : { ...target, ...(target.least === undefined ? { most: quick } : { least: quick }) }
  )

const matches = ({ measure, except = [] }, name) => {
  const pattern = measure.split("/")
  const parts = name.split("/")
  return (
    pattern.length === parts.length &&
    pattern.every((part, i) => (part === "*" ? !except.includes(parts[i]) : part === parts[i]))
  )
}

/**
 * Compares measures (a value by name; undefined where a measure has no meaning, Infinity for never) with the targets of
 * the parts that were run. A target that nothing was measured for is missed, unless `filtered` says that only some of the
 * measures were wanted. Returns what was compared, with `met`.
 */
export const check = (wanted, measures, parts, { filtered = false } = {}) =>
  wanted
    .filter(({ measure }) => parts.includes(measure.split("/")[0]))
    .flatMap((target) => {
      const { name, measure, least, most, unit } = target
      const limit = least ?? most
      const found = Object.entries(measures).filter(([key]) => matches(target, key))
      if (found.length === 0)
        return filtered ? [] : [{ name, measure, limit, unit, value: undefined, met: false }]
      return found
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ({
          name,
          measure: key,
          limit,
          unit,
          value,
          met: least === undefined ? value <= most : value >= least
        }))
    })
