/**
 * What a cache spares an indexer: `node scripts/run.mjs bench/fleet/cache.ts [reads]` (default 100,000, of which 90 % are repeated), over
 * anvil on this machine, beside the same client without a cache, which does a tenth of the load. Prints one line of JSON.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { cache } from "../../src/cache.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"

const reads = Number(process.argv[2] ?? 100_000)
const unique = Math.ceil(reads / 10)

type Client = PromiseSdk<"ethereum-mainnet">

const readBlock = async (sdk: Client, at: number): Promise<unknown> => {
  const block = await sdk.rpc.getBlockByNumber(at)
  if (block.status === "ERROR") throw block.error.cause
  return block.data
}

/** Reads, 16 at once: each tenth is of a block that nobody has asked for, the others of those before. */
const readBlocks = async (sdk: Client, first: number, count: number): Promise<Map<number, unknown>> => {
  const answers = new Map<number, unknown>()
  let next = 0
  const worker = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) {
      const known = Math.floor(i / 10)
      const at = first + (i % 10 === 0 ? known : (i * 7_919) % (known + 1))
      answers.set(at, await readBlock(sdk, at))
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return answers
}

const scope = Effect.runSync(Scope.make())
try {
  const { url } = await Effect.runPromise(
    Scope.extend(Anvil.start({ chainId: 1, noMining: true, accounts: 1 }), scope)
  )
  let requests = 0
  const config = {
    network: "ethereum-mainnet",
    rpc: { nodes: [{ url }] },
    quiet: true,
    timeout: 120_000,
    attemptTimeout: 120_000
  } as const
  const counting: typeof fetch = (...args) => {
    requests++
    return fetch(...args)
  }
  const kept = cache()
  await using plain = await init({ ...config, fetch: counting })
  await using cached = await init({ ...config, fetch: counting, coalesce: kept })
  // many blocks take longer than a call may
  for (let left = unique + 200; left > 0; left -= 100) {
    const mined = await plain.rpc.rawRpcCall({
      method: "anvil_mine",
      params: [`0x${Math.min(left, 100).toString(16)}`]
    })
    if (mined.status === "ERROR") throw mined.error.cause
  }
  // until the cache knows what is final
  await readBlock(cached, 1)
  await sleep(500)
  const timed = async <A>(run: () => Promise<A>) => {
    const before = requests
    const start = performance.now()
    const value = await run()
    return { value, ms: performance.now() - start, requests: requests - before }
  }
  const withCache = await timed(() => readBlocks(cached, 1, reads))
  const without = await timed(() => readBlocks(plain, 1, Math.ceil(reads / 10)))
  let wrong = 0
  for (const [at, block] of withCache.value)
    if (!isDeepStrictEqual(block, await readBlock(plain, at))) wrong++
  const share = (sent: number, of: number): number => Math.round((1_000 * sent) / of) / 10
  console.log(
    JSON.stringify({
      reads,
      cached: {
        requestsPercent: share(withCache.requests, reads),
        microsecondsPerRead: Math.round((1_000 * withCache.ms) / reads),
        wrong,
        ...kept.stats()
      },
      naive: {
        requestsPercent: share(without.requests, Math.ceil(reads / 10)),
        microsecondsPerRead: Math.round((1_000 * without.ms) / Math.ceil(reads / 10))
      }
    })
  )
} finally {
  await Effect.runPromise(Scope.close(scope, Exit.void))
}
