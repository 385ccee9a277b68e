/**
 * One key of 50 requests a second for eight processes, each of which makes its calls at the begin of every second, together more than the
 * key allows: `node scripts/run.mjs packages/fleet/test/programs/quotaShare.ts [seconds]`. First with one quota by Redis, then without.
 * The server counts as the sandbox does: what comes too fast is a 429. Prints one line of JSON.
 */
import { fork } from "node:child_process"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Http, Sdk } from "effect-chains"
import * as Quota from "../../src/Quota.js"
import { findMissing, startRedis } from "../servers.js"

const RATE = 50
const PROCESSES = 8
/** Requests that the shared quota lets go at once. */
const BURST = 10
/** Calls of a process in a second: all processes together ask for more than there is. */
const CALLS = 8
/** So long a call may take, in milliseconds. */
const TIMEOUT = 3_000

/** How the calls of a process ended: in time, refused at once by the quota, or failed, and why. */
interface Ends {
  readonly met: number
  readonly refused: number
  readonly failed: number
  readonly reasons: ReadonlyArray<string>
  /** When its first calls were made, in milliseconds since 1970. */
  readonly from: number
}

/** What a fleet did: `used` is the share of the key's requests that it made of what it could. */
interface Row extends Omit<Ends, "from"> {
  readonly calls: number
  readonly usedPercent: number
  readonly metPercent: number
  readonly checks: number
  readonly tooMany: number
  readonly tooManyLater: number
}

const calls = (seconds: number, url: string, redisUrl: string | undefined) =>
  Effect.gen(function* () {
    const quota =
      redisUrl === undefined
        ? {}
        : {
            quota: yield* Quota.make({
              url: redisUrl,
              requestsPerSecond: RATE,
              burst: BURST,
              processes: PROCESSES
            })
          }
    const sdk = yield* Sdk.makeHttp({
      network: "ethereum-mainnet",
      apiKey: "key-of-the-bench",
      rpc: { nodes: [{ url, sendApiKey: true }], oneTimeLoadBalancing: true },
      timeout: TIMEOUT,
      quiet: true,
      ...quota
    })
    const reasons: Array<string> = []
    const one = Effect.map(Effect.either(sdk.rpc.gasPrice()), (end): "met" | "refused" | "failed" => {
      if (Either.isRight(end)) return "met"
      if (end.left._tag === "QuotaExceeded") return "refused"
      reasons.push(end.left.message)
      return "failed"
    })
    const burst = Effect.all(
      Array.from({ length: CALLS }, () => one),
      { concurrency: "unbounded" }
    )
    const from = Date.now()
    const bursts = yield* Effect.forEach(
      Array.from({ length: seconds }, (_, second) => second),
      (second) => Effect.delay(burst, second * 1_000),
      { concurrency: "unbounded" }
    )
    const all = bursts.flat()
    const count = (end: (typeof all)[number]): number => all.filter((each) => each === end).length
    const ends: Ends = {
      met: count("met"),
      refused: count("refused"),
      failed: count("failed"),
      reasons,
      from
    }
    return ends
  }).pipe(Effect.scoped, Effect.provide(Http.layerFetch))

/** A node that takes 50 requests a second of the key, and 50 at once after a rest. */
const node = async () => {
  let tokens = RATE
  let time = performance.now()
  const taken: Array<number> = []
  const refused: Array<number> = []
  let checks = 0
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on("end", () => {
      const now = performance.now()
      tokens = Math.min(RATE, tokens + ((now - time) * RATE) / 1_000)
      time = now
      if (tokens < 1) {
        refused.push(now)
        response.writeHead(429, { "retry-after": "1" }).end("{}")
        return
      }
      tokens--
      taken.push(now)
      const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(text)
      if (method !== "eth_gasPrice") checks++
      const result = method === "eth_chainId" ? "0x1" : "0x10"
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }))
    })
  })
  const url = await new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/key-of-the-bench`)
    })
  )
  return { url, taken, refused, checks: () => checks, close: () => server.close().closeAllConnections() }
}

const fleet = async (seconds: number, redisUrl: string | undefined): Promise<Row> => {
  const asked = await node()
  const children = Array.from({ length: PROCESSES }, () =>
    fork(fileURLToPath(import.meta.url), [], {
      env: {
        ...process.env,
        QUOTA_NODE: asked.url,
        QUOTA_SECONDS: String(seconds),
        ...(redisUrl === undefined ? {} : { QUOTA_REDIS: redisUrl })
      }
    })
  )
  try {
    await Promise.all(children.map((child) => new Promise((resolve) => child.once("message", resolve))))
    const began = performance.now()
    const ends = await Promise.all(
      children.map((child) => {
        const report = new Promise<Ends>((resolve, reject) => {
          // such a process says nothing else
          child.once("message", (message) => resolve(message as Ends))
          child.once("exit", () => reject(new Error("a process of the fleet has ended")))
        })
        child.send("go")
        return report
      })
    )
    const sum = (of: "met" | "refused" | "failed"): number => ends.reduce((all, each) => all + each[of], 0)
    const total = PROCESSES * CALLS * seconds
    const during = asked.taken.filter((at) => at >= began && at < began + seconds * 1_000).length
    // what the key can take of calls until the deadline of the last ones: checks of nodes are requests, too
    const starts = ends.map(({ from }) => from)
    const startSpread = (Math.max(...starts) - Math.min(...starts)) / 1_000
    const room = RATE * (startSpread + seconds - 1 + TIMEOUT / 1_000) + BURST - asked.checks()
    const share = (part: number, of: number): number => Math.round((1_000 * part) / of) / 10
    return {
      calls: total,
      met: sum("met"),
      refused: sum("refused"),
      failed: sum("failed"),
      reasons: [...new Set(ends.flatMap(({ reasons }) => reasons))].slice(0, 5),
      usedPercent: share(during, RATE * seconds),
      metPercent: share(sum("met"), Math.min(total, room)),
      checks: asked.checks(),
      tooMany: asked.refused.length,
      tooManyLater: asked.refused.filter((at) => at > began + 1_000).length
    }
  } finally {
    for (const child of children) child.kill("SIGKILL")
    asked.close()
  }
}

const { QUOTA_NODE, QUOTA_REDIS, QUOTA_SECONDS } = process.env
const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)
else if (QUOTA_NODE === undefined) {
  const seconds = Number(process.argv[2] ?? 20)
  const server = await startRedis()
  try {
    const shared = await fleet(seconds, server.url)
    await sleep(1_000)
    const naive = await fleet(seconds, undefined)
    console.log(JSON.stringify({ seconds, processes: PROCESSES, requestsPerSecond: RATE, shared, naive }))
  } finally {
    await server.end()
  }
} else {
  // whoever started this one is gone
  process.on("disconnect", () => process.exit(1))
  const going = new Promise((resolve) => process.once("message", resolve))
  process.send?.("up")
  await going
  const ends = await Effect.runPromise(calls(Number(QUOTA_SECONDS), QUOTA_NODE, QUOTA_REDIS))
  process.send?.(ends)
}
