/** `npm run bench -- runtimes`: the same client for promises, on Effect 3 and on Effect 4, all in one run. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { start } from "../ipc.mjs"
import { measure, nowhere } from "../overhead/part.mjs"
import { bundle, sizeOf } from "../sizes/bundle.mjs"
import { family, promise, whole } from "../sizes/pages.mjs"
import { median, round } from "../stats.mjs"
import { table } from "../table.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Beside which the time of a call alone is read. */
const bare = "fetch, one node"

/** By name: the entry that programs import, and pages with one call of the whole client, and of one family. */
const runtimes = {
  promises: {
    entry: "lean/promise.js",
    page: promise("effect-chains/promise", "ethereum-mainnet", `getBalance("0x0")`),
    familyPage: promise("effect-chains/chains/Ethereum", "ethereum-mainnet", `getBalance("0x0")`)
  },
  "Effect 3": { entry: "node/index.js", page: whole, familyPage: family },
  "Effect 4": {
    entry: "node/effect4.js",
    page: whole.replaceAll('"effect-chains', '"effect-chains/effect4'),
    familyPage: family
      .replace("effect-chains/effect/http", "effect-chains/effect4")
      .replace("* as Http", "{ Http }")
      .replaceAll("effect-chains/effect/", "effect-chains/effect4/"),
    effect4: true
  }
}
const names = Object.keys(runtimes)

/** The calls that are compared. Each has the client's option that it is about. */
const modes = [
  { title: "a call alone", kind: "distinct", atOnce: 1, clientOf: (name) => name },
  { title: "64 equal", kind: "equal", atOnce: 64, clientOf: (name) => `${name}, coalesce` },
  { title: "512 batched", kind: "distinct", atOnce: 512, clientOf: (name) => `${name}, batch` }
]

const sizes = {
  full: { rounds: 9, calls: 3_072, limit: 1_500, unmeasured: 6 },
  quick: { rounds: 5, calls: 1_024, limit: 600, unmeasured: 3 }
}

/** A folder in which `effect` is Effect 4, as in the project of a user, with the build and all other packages. */
const makeProject = (dist) => {
  const project = mkdtempSync(join(tmpdir(), "bench-runtimes-"))
  const packages = file("../../node_modules")
  mkdirSync(join(project, "node_modules"))
  for (const name of readdirSync(packages))
    if (name !== "effect4" && !name.startsWith("."))
      symlinkSync(join(packages, name === "effect" ? "effect4" : name), join(project, "node_modules", name))
  symlinkSync(dist, join(project, "dist"))
  return project
}

/** The median time of an import, in milliseconds, of new processes that take turns. */
const loadTimes = async (dist, repeats) => {
  const found = new Map(names.map((name) => [name, []]))
  const project = makeProject(dist)
  try {
    for (let i = 0; i < repeats; i++) {
      for (const [name, { effect4 = false, entry }] of Object.entries(runtimes)) {
        const child = start(file("client.mjs"), [], ["--preserve-symlinks"])
        try {
          found.get(name).push(await child.ask("load", join(effect4 ? join(project, "dist") : dist, entry)))
        } finally {
          child.end()
        }
      }
    }
  } finally {
    rmSync(project, { recursive: true })
  }
  return new Map([...found].map(([name, times]) => [name, round(median(times), 0)]))
}

/** The size of a page in kB after gzip, by esbuild, as one file. */
const sizeOfPage = async (code, { effect4 }) =>
  round(sizeOf(await bundle(code, { alias: effect4 ? { effect: "effect4" } : {} })) / 1_000)

const cpuOf = (rows, { atOnce, clientOf, kind }, name) =>
  rows.find((row) => row.client === clientOf(name) && row.atOnce === atOnce && row.kind === kind)?.bestCpu

export const measures = ({ calls, loads }) => {
  const [alone, , batched] = modes
  const base = cpuOf(calls, alone, bare)
  const effect4 = cpuOf(calls, alone, "Effect 4")
  return Object.fromEntries(
    Object.entries({
      "runtimes/Effect 4/alone/x fetch": base && effect4 && round(effect4 / base, 2),
      "runtimes/Effect 4/batched/cpu": cpuOf(calls, batched, "Effect 4"),
      "runtimes/Effect 4/import": loads["Effect 4"]
    }).filter(([, value]) => value !== undefined)
  )
}

export const run = async ({ quick, dist, say }) => {
  const size = quick ? sizes.quick : sizes.full
  const calls = []
  for (const mode of modes) {
    const { atOnce, kind } = mode
    const clients = [...names.map(mode.clientOf), ...(mode.atOnce === 1 ? [bare] : [])]
    calls.push(
      ...(await measure(clients, [nowhere], {
        dist,
        fake: "fake",
        as: mode.kind,
        size,
        wanted: [{ kind, atOnce }],
        say
      }))
    )
  }
  const loads = await loadTimes(dist, quick ? 3 : 7)
  const pages = new Map()
  for (const [name, runtime] of Object.entries(runtimes)) {
    pages.set(name, [await sizeOfPage(runtime.page, runtime), await sizeOfPage(runtime.familyPage, runtime)])
    say(`${name}: imported in ${loads.get(name)} ms, a page has ${pages.get(name).join(" or ")} kB`)
  }
  return {
    result: { calls, loads: Object.fromEntries(loads), pages: Object.fromEntries(pages) },
    tables: [
      table(
        "Runtimes: CPU µs of a call on a fetch in the process, import in ms, kB after gzip of a page with one call",
        ["", ...modes.map(({ title }) => title), "import", "whole client", "one family"],
        [...names, bare].map((name) => [
          name,
          ...modes.map((mode) => cpuOf(calls, mode, name)),
          loads.get(name),
          ...(pages.get(name) ?? [undefined, undefined])
        ])
      )
    ]
  }
}
