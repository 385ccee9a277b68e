import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { cache } from "../../src/cache.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: the cache on real nodes (no anvil binary)")
}

const holder = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

describe.runIf(present)("a cache over anvil, which reorganises", () => {
  const scope = Effect.runSync(Scope.make())
  const kept = cache()
  let sdk: PromiseSdk<"ethereum-mainnet">
  let plain: PromiseSdk<"ethereum-mainnet">
  let requests = 0

  const counting: typeof fetch = (...args) => {
    requests++
    return fetch(...args)
  }
  const raw = (method: string, ...params: ReadonlyArray<unknown>) =>
    plain.rpc.rawRpcCall({ method, params }).then(take)
  const finalHeight = async () => Number(take(await plain.rpc.getBlockByNumber("finalized"))?.number)

  /** The clock of the clients runs ahead by so many nanoseconds. */
  let ahead = 0n
  /** Lets more time pass than the cache leaves between two questions for what is final. */
  const letTimePass = () => {
    ahead += 2_100_000_000n
  }

  beforeAll(async () => {
    const now = process.hrtime.bigint.bind(process.hrtime)
    vi.spyOn(process.hrtime, "bigint").mockImplementation(() => now() + ahead)
    const { url } = await Effect.runPromise(
      Scope.extend(Anvil.start({ chainId: 1, noMining: true, accounts: 2 }), scope)
    )
    const config = { network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true } as const
    sdk = await init({ ...config, coalesce: kept, fetch: counting })
    plain = await init(config)
    await raw("anvil_mine", "0x64")
  })
  afterAll(async () => {
    await sdk?.destroy()
    await plain?.destroy()
    vi.restoreAllMocks()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Waits until the cache knows what is final now: it has the final block in memory from then on. */
  const untilFinalIsKnown = async () => {
    letTimePass()
    const final = await finalHeight()
    await vi.waitFor(
      async () => {
        const { hits } = kept.stats()
        take(await sdk.rpc.getBlockByNumber(final))
        expect(kept.stats().hits).toBe(hits + 1)
      },
      { timeout: 120_000, interval: 5 }
    )
  }

  /** The reads of a height, by either client. */
  const reads = async (of: PromiseSdk<"ethereum-mainnet">, at: number, hash: `0x${string}`) => {
    const [block, same, balance, receipts] = await Promise.all([
      of.rpc.getBlockByNumber(at),
      of.rpc.getBlockByHash(hash),
      of.rpc.getBalance(holder, BigInt(at)),
      of.rpc.getBlockReceipts(at)
    ])
    return [take(block), take(same), take(balance), take(receipts)]
  }

  it("keeps what anvil calls final, which lags, and asks for the rest", async () => {
    const final = await finalHeight()
    expect(final).toBeGreaterThan(0)
    expect(final).toBeLessThan(100)
    await untilFinalIsKnown()
    take(await sdk.rpc.getBlockByNumber(final))
    const before = requests
    take(await sdk.rpc.getBlockByNumber(final))
    expect(requests).toBe(before)
    take(await sdk.rpc.getBlockByNumber(final + 1))
    take(await sdk.rpc.getBlockByNumber(final + 1))
    expect(requests).toBeGreaterThanOrEqual(before + 2)
  })

  it("never has an answer that the chain has left, by reorganisations, snapshots and rollbacks", async () => {
    await untilFinalIsKnown()
    let compared = 0
    for (let round = 0; round < 12; round++) {
      // in each round the cache asks anew what is final
      letTimePass()
      const height = Number(take(await plain.rpc.blockNumber()))
      const heights = Array.from({ length: 12 }, (_, i) => height - i * 7).filter((at) => at > 0)
      // read before, so that what is kept wrongly is kept now
      for (const at of heights) {
        const hash = take(await plain.rpc.getBlockByNumber(at))?.hash ?? "0x"
        await reads(sdk, at, hash)
      }
      if (round % 3 === 0) await raw("anvil_reorg", 20, [])
      else if (round % 3 === 1) {
        await raw("anvil_rollback", 15)
        await raw("anvil_setBalance", holder, `0x${(1_000 + round).toString(16)}`)
        await raw("anvil_mine", "0x10")
      } else {
        const snapshot = await raw("evm_snapshot")
        await raw("anvil_mine", "0x5")
        for (let at = height + 1; at <= height + 5; at++) take(await sdk.rpc.getBlockByNumber(at))
        await raw("evm_revert", snapshot)
        await raw("evm_increaseTime", 1_000)
        await raw("anvil_mine", "0x6")
      }
      for (const at of heights) {
        const block = take(await plain.rpc.getBlockByNumber(at))
        if (block === null) continue
        const [had, told] = [
          await reads(sdk, at, block.hash ?? "0x"),
          await reads(plain, at, block.hash ?? "0x")
        ]
        if (!isDeepStrictEqual(had, told)) expect(had).toEqual(told)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(100)
    // some were kept; how many depends on how soon the cache has heard what is final
    expect(kept.stats().hits).toBeGreaterThan(10)
  })

  it("sends at most 12 % of the requests of a load of which 90 % is repeated", async () => {
    // a thousand blocks at once would take a busy machine longer than a call may take
    for (let mined = 0; mined < 1_000; mined += 100) await raw("anvil_mine", "0x64")
    await untilFinalIsKnown()
    const final = await finalHeight()
    const count = 5_000
    const unique = count / 10
    const first = final - unique + 1
    const before = requests
    const answers = new Map<number, unknown>()
    let next = 0
    const worker = async () => {
      for (let i = next++; i < count; i = next++) {
        // each tenth read is of a block that nobody has asked for; the others are of those before
        const known = Math.floor(i / 10)
        const at = first + (i % 10 === 0 ? known : (i * 7_919) % (known + 1))
        const block = take(await sdk.rpc.getBlockByNumber(at))
        // thousands of "toEqual" would take longer than the reads
        if (answers.has(at) && !isDeepStrictEqual(block, answers.get(at)))
          expect(block).toEqual(answers.get(at))
        answers.set(at, block)
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    const sent = requests - before
    console.log(`a load of ${count} reads: ${sent} requests (${((100 * sent) / count).toFixed(1)} %)`)
    expect(sent).toBeLessThanOrEqual(count * 0.12)
    expect(answers.size).toBe(unique)
    for (const [at, block] of answers) expect(block).toEqual(take(await plain.rpc.getBlockByNumber(at)))
  })
})
