import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { take } from "../results.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const present = found._tag === "Right"
if (!present) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: batches on real nodes (no anvil binary)")
}

/** The first accounts of anvil's mnemonic, which is public. */
const rich = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const poor = (index: number): string => `0x${(0xdead0000 + index).toString(16).padStart(40, "0")}`

describe.runIf(present)("reads of one tick, on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  /** How many requests were in each body that was sent. */
  const lengths: Array<number> = []
  let sdk: PromiseSdk<"ethereum-mainnet">

  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
    sdk = await init({
      network: "ethereum-mainnet",
      rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY },
      batch: true,
      coalesce: true,
      quiet: true,
      fetch: (input, request) => {
        const json: unknown = JSON.parse(String(request?.body))
        lengths.push(Array.isArray(json) ? json.length : 1)
        return fetch(input, request)
      }
    })
    // the chain check, which is a request of its own
    take(await sdk.rpc.chainId())
    lengths.length = 0
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("are one request per routing, be they of all kinds, and the one that fails fails alone", async () => {
    const balances = Array.from({ length: 46 }, (_, i) => sdk.rpc.getBalance(i === 7 ? rich : poor(i)))
    const [head, block, version, failing, ...others] = await Promise.all([
      sdk.rpc.blockNumber(),
      sdk.rpc.getBlockByNumber(0, false),
      sdk.rpc.clientVersion(),
      sdk.rpc.rawRpcCall({ method: "eth_call", params: [{ to: "no address" }, "latest"] }),
      ...balances
    ])
    expect(take(head)).toBe(0n)
    expect(take(block)).toMatchObject({ number: "0x0" })
    expect(take(version)).toMatch(/^anvil/)
    expect(failing).toMatchObject({ status: "ERROR", error: { code: "-32602" } })
    expect(others.map(take)).toEqual(others.map((_, i) => (i === 7 ? 10_000n * 10n ** 18n : 0n)))
    // old blocks and code are asked of archive nodes
    expect(lengths).toEqual([48, 2])
  })

  it("are asked for once where they are equal", async () => {
    lengths.length = 0
    const balances = await Promise.all(Array.from({ length: 200 }, (_, i) => sdk.rpc.getBalance(poor(i % 2))))
    expect(new Set(balances.map(take))).toEqual(new Set([0n]))
    expect(lengths).toEqual([2])
  })
})
