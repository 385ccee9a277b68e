/** The chart of the results, for the documentation. */
import { bars, grid, page } from "./svg.mjs"

const own = (name) => name.startsWith("effect-chains")

const names = (rows, key) => [...new Set(rows.map((row) => row[key]))]

const faultsPanel = ({ rows }) =>
  grid({
    title: "Correct answers while nodes misbehave, %",
    subtitle: "Five nodes, 100 calls a second, fault on the busiest; an answer after 5 s does not count.",
    rows: names(rows, "fault"),
    columns: names(rows, "client"),
    cell: (fault, client) => {
      const row = rows.find((one) => one.fault === fault && one.client === client)
      return row?.success === undefined ? undefined : { text: String(row.success), share: row.success / 100 }
    }
  })

const overheadPanel = ({ rows }, kind, atOnce, title) =>
  bars({
    title,
    subtitle: "The best round of each, in one run. Lower is better.",
    items: rows
      .filter((row) => row.kind === kind && row.atOnce === atOnce)
      .map(({ client, best }) => [client, best])
      .sort((a, b) => a[1] - b[1]),
    unit: "µs",
    own
  })

const startupPanel = ({ rows, limit }) =>
  bars({
    title: "Until the first answer, with 10 nodes of which 3 hang",
    subtitle: `Median; clients without an answer after ${limit / 1_000} s are left out.`,
    items: rows
      .filter(({ first }) => typeof first === "number")
      .map(({ client, first }) => [client, first])
      .sort((a, b) => a[1] - b[1]),
    unit: "ms",
    own
  })

const sizesPanel = (rows, form, title) =>
  bars({
    title,
    subtitle: "Minified, after gzip: the mean of esbuild and Vite, and both.",
    items: rows
      .filter((row) => row.form === form)
      .map(({ name, gzip, vite = gzip }) => [name, (gzip + vite) / 2, `${gzip}, ${vite}`])
      .sort((a, b) => a[1] - b[1]),
    unit: "kB",
    own
  })

/** Of the parts that there are results of. */
export const chart = (results) => {
  const { faults, overhead, startup, sizes } = results
  const panels = [
    ...(faults === undefined ? [] : [faultsPanel(faults)]),
    ...(overhead === undefined
      ? []
      : [
          overheadPanel(overhead, "distinct", 64, "Time of a call, 64 at once, on loopback"),
          overheadPanel(overhead, "distinct", 1, "Time of a call, one after the other, on loopback")
        ]),
    ...(startup === undefined ? [] : [startupPanel(startup)]),
    ...(sizes === undefined
      ? []
      : [
          sizesPanel(sizes.rows, "one file", "What a page with one call ships as one file"),
          sizesPanel(sizes.rows, "first load", "What a page with one call loads for it, of several chunks")
        ])
  ]
  const drawn = Object.entries({ faults, overhead, startup, sizes }).filter(([, part]) => part !== undefined)
  const runs = drawn.map(([name, { commit, date }]) => `${name} of ${commit} on ${date.slice(0, 10)}`)
  return page(panels, [...runs, ...new Set(drawn.map(([, { machine }]) => machine))].join(", "))
}
