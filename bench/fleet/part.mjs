/** `npm run bench -- fleet`: what a fleet saves beside processes that share nothing. Each row is a program of its own. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { table } from "../table.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What a program tells in its last line, or undefined where it failed or took too long. */
const told = (path, args, say) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["scripts/run.mjs", path, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 900_000
    })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.on("close", (code) => {
      const line = output.trim().split("\n").at(-1) ?? ""
      if (code === 0 && line.startsWith("{")) resolve(JSON.parse(line))
      else {
        say(line.startsWith("left out") ? line : `left out: ${path} ended with ${code}`)
        resolve(undefined)
      }
    })
  })

export const measures = ({ quota, cache, health, watch }) => ({
  "fleet/quota/used": quota?.shared.usedPercent,
  "fleet/quota/met": quota?.shared.metPercent,
  "fleet/quota/too many": quota?.shared.tooManyLater,
  "fleet/cache/requests": cache?.cached.requestsPercent,
  "fleet/cache/wrong": cache?.cached.wrong,
  "fleet/health/failed": health?.shared.failedCalls,
  "fleet/health/left": health?.shared.lastMs,
  "fleet/watch/memory": watch?.peakRssMB,
  "fleet/watch/block": watch?.blockMs.p50
})

export const run = async ({ quick, say }) => {
  const quota = await told("packages/fleet/test/programs/quotaShare.ts", [quick ? "6" : "20"], say)
  if (quota !== undefined)
    say(`quota: ${quota.shared.usedPercent} % used, ${quota.shared.tooManyLater} times 429`)
  const cache = await told("bench/fleet/cache.ts", [quick ? "5000" : "100000"], say)
  if (cache !== undefined) say(`cache: ${cache.cached.requestsPercent} % of the requests`)
  const health = await told("packages/fleet/test/programs/healthShare.ts", [], say)
  if (health !== undefined) say(`health: ${health.shared.failedCalls} failed calls in all`)
  const watch = quick ? undefined : await told("packages/fleet/test/programs/watchCosts.ts", [], say)
  const tables = []
  if (quota !== undefined) {
    const row = (name, { calls, failed, metPercent, refused, tooMany, tooManyLater, usedPercent }) => [
      name,
      calls,
      usedPercent,
      metPercent,
      refused,
      failed,
      tooMany,
      tooManyLater
    ]
    tables.push(
      table(
        `Quota: ${quota.processes} processes, one key of ${quota.requestsPerSecond} requests a second, bursts of a second, ${quota.seconds} s`,
        ["fleet", "calls", "quota used %", "deadlines met %", "refused", "failed", "429", "429 after 1 s"],
        [row("one quota by Redis", quota.shared), row("none", quota.naive)]
      )
    )
  }
  if (cache !== undefined)
    tables.push(
      table(
        `Cache: ${cache.reads} reads of blocks, 90 % repeated`,
        ["client", "requests %", "µs a read", "other answers"],
        [
          [
            "with a cache",
            cache.cached.requestsPercent,
            cache.cached.microsecondsPerRead,
            cache.cached.wrong
          ],
          ["without", cache.naive.requestsPercent, cache.naive.microsecondsPerRead, undefined]
        ]
      )
    )
  if (health !== undefined) {
    const row = (name, { failedCalls, firstCallMs, firstCallRequests, lastMs, wrong }) => [
      name,
      failedCalls,
      lastMs,
      wrong,
      firstCallRequests,
      firstCallMs
    ]
    tables.push(
      table(
        `Health: ${health.processes} replicas, whose fastest node fails; then a new replica`,
        ["fleet", "failed there", "the last after ms", "calls failed", "first call: requests", "ms"],
        [row("shared by Redis", health.shared), row("none", health.naive)]
      )
    )
  }
  if (watch !== undefined)
    tables.push(
      table(
        `Watchers: ${watch.addresses} addresses`,
        ["table MB", "process MB", "at most MB", "block of 500 ms", "p99 ms"],
        [[watch.tableMB, watch.rssMB, watch.peakRssMB, watch.blockMs.p50, watch.blockMs.p99]]
      )
    )
  return { result: { quota, cache, health, watch }, tables }
}
