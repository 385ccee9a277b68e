/** Ten thousand random payments on anvil: what leaves the account is at most what the previews said, and all of them arrive once. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Scope from "effect/Scope"
import { createTestClient, http, publicActions } from "viem"
import { mainnet } from "viem/chains"
import { expect, it } from "vitest"
import { signer } from "../../src/entries/signers/Evm.js"
import { init } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"

const SENDS = 10_000
const AT_ONCE = 100
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

const mnemonic = "test test test test test test test test test test test junk"
const hex = (digits: number) =>
  fc
    .array(fc.nat(15), { minLength: digits, maxLength: digits })
    .map((all) => all.map((n) => n.toString(16)).join(""))
const payment = fc.record({
  to: hex(40).map((digits): `0x${string}` => `0x${digits}`),
  amount: fc.oneof(
    fc.bigInt({ min: 1n, max: 10n ** 15n }),
    fc.nat(999_999).map((n) => `0.000${n + 1}`)
  ),
  isRefused: fc.nat(9).map((n) => n === 0)
})

it("ten thousand payments take what their previews say", { timeout: 1_800_000 }, async () => {
  const scope = Effect.runSync(Scope.make())
  const { url } = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1 }), scope))
  const sdk = await init({ network: "ethereum-mainnet", rpc: { nodes: [{ url }] }, quiet: true })
  try {
    const made = await signer(sdk, { mnemonic })
    if (made.status === "ERROR") throw made.error.cause
    const account = made.data
    const chain = createTestClient({ mode: "anvil", chain: mainnet, transport: http(url) }).extend(
      publicActions
    )
    const address = account.address as `0x${string}`
    const payments = fc.sample(payment, { numRuns: SENDS, seed })
    const got = new Map<string, bigint>()
    let sent = 0
    for (let i = 0; i < SENDS; i += AT_ONCE) {
      const before = await chain.getBalance({ address })
      const results = await Promise.all(
        payments
          .slice(i, i + AT_ONCE)
          .map(({ amount, isRefused, to }) =>
            account.send({ to, amount, ...(isRefused ? { maxFee: 1n } : {}) })
          )
      )
      let most = 0n
      for (const [at, result] of results.entries()) {
        const given = payments[i + at]
        if (given?.isRefused) expect(result.error?.cause).toMatchObject({ _tag: "FeeOverCap" })
        if (result.status === "ERROR") {
          if (given?.isRefused) continue
          throw result.error.cause
        }
        const { amount, fee, to } = result.data.prepared
        most += amount + fee
        got.set(to, (got.get(to) ?? 0n) + amount)
        sent++
      }
      await expect.poll(() => chain.getTransactionCount({ address })).toBe(sent)
      expect(before - (await chain.getBalance({ address }))).toBeLessThanOrEqual(most)
    }
    for (const [to, amount] of got)
      expect(await chain.getBalance({ address: to as `0x${string}` }), `${to}, seed ${seed}`).toBe(amount)
    console.log(
      `signers: ${sent} payments of ${SENDS} sent, ${SENDS - sent} refused by their cap, seed ${seed}`
    )
  } finally {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
})
