/**
 * Ten thousand random payments on Cosmos and on Algorand, whose nodes do not run here, on nodes of the tests: some answers are lost, and
 * what is in the blocks are the payments of the previews, each of them once.
 */
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import * as Algorand from "../../src/signers/Algorand.js"
import * as Cosmos from "../../src/signers/Cosmos.js"
import { encodeBech32 } from "../../src/signers/cosmos/address.js"
import type { Prepared } from "../../src/signers/Signer.js"
import { Algod, addressOf } from "../signers/algod.js"
import { Hub } from "../signers/hub.js"

const SENDS = 10_000
const AT_ONCE = 50
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

const mnemonic = `${"abandon ".repeat(11)}about`
const payment = fc.record({
  to: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  amount: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  memo: fc.string({ minLength: 1, maxLength: 50 }),
  // a lost answer is waited for a while, with all that are behind it
  fault: fc.nat(99).map((n) => (n === 0 ? "before" : n === 1 ? "after" : n < 12 ? "cap" : "none"))
})

interface Chain<Tx> {
  readonly signer: Pick<Cosmos.CosmosSigner, "address"> & {
    readonly send: (payment: {
      readonly to: string
      readonly amount: bigint
      readonly memo: string
      readonly maxFee?: bigint
    }) => Effect.Effect<{ readonly hash: string; readonly prepared: Prepared<unknown> }, unknown>
  }
  readonly toOf: (bytes: Uint8Array) => string
  /** Makes a block, and gives its transactions by their hashes. */
  readonly mined: () => ReadonlyMap<string, Tx>
  readonly paidOf: (tx: Tx) => readonly [to: string, amount: bigint, fee: bigint, memo: string]
}

/** What a broadcast of a payment that is marked so comes to: its first answer is lost. */
const faulty = () => {
  const left = new Map<string, "before" | "after">()
  return {
    left,
    lost: ({ memo }: { readonly memo: string }) => {
      const fault = left.get(memo)
      left.delete(memo)
      return fault
    }
  }
}

const paid = async <Tx>(chain: Chain<Tx>, { left }: ReturnType<typeof faulty>): Promise<number> => {
  const payments = fc.sample(payment, { numRuns: SENDS, seed })
  let sent = 0
  for (let i = 0; i < SENDS; i += AT_ONCE) {
    const results = await Effect.runPromise(
      Effect.all(
        payments.slice(i, i + AT_ONCE).map(({ amount, fault, memo, to }, at) => {
          const own = `${i + at} ${memo}`
          if (fault === "before" || fault === "after") left.set(own, fault)
          const capped = fault === "cap" ? { maxFee: 1n } : {}
          return Effect.either(chain.signer.send({ to: chain.toOf(to), amount, memo: own, ...capped }))
        }),
        { concurrency: "unbounded" }
      )
    )
    const block = chain.mined()
    const hashes = new Set<string>()
    for (const [at, result] of results.entries()) {
      if (payments[i + at]?.fault === "cap") {
        expect(result).toMatchObject({ left: { _tag: "FeeOverCap" } })
        continue
      }
      if (result._tag === "Left") throw result.left
      const { hash, prepared } = result.right
      const tx = block.get(hash)
      if (tx === undefined) throw new Error(`${hash} is in no block, seed ${seed}`)
      expect(chain.paidOf(tx).slice(0, 3), `seed ${seed}`).toEqual([
        prepared.to,
        prepared.amount,
        prepared.fee
      ])
      expect(chain.paidOf(tx)[3]).toBe(`${i + at} ${payments[i + at]?.memo}`)
      hashes.add(hash)
    }
    expect([...block.keys()].sort(), `seed ${seed}`).toEqual([...hashes].sort())
    sent += hashes.size
  }
  return sent
}

it("ten thousand payments of Cosmos are in the chain once", { timeout: 1_800_000 }, async () => {
  const hub = new Hub({})
  const signer = await Effect.runPromise(Cosmos.make(hub.client(), { mnemonic }))
  hub.accounts[signer.address] = { sequence: 0n, coins: { uatom: 10n ** 18n } }
  const faults = faulty()
  hub.lost = faults.lost
  const sent = await paid(
    {
      signer,
      toOf: (bytes) => encodeBech32("cosmos", bytes.subarray(0, 20)),
      mined: () => {
        const block = new Map(hub.pool)
        hub.mine()
        return block
      },
      paidOf: ({ coins, fee, memo, to }) => [to, coins[0]?.amount ?? 0n, fee[0]?.amount ?? 0n, memo]
    },
    faults
  )
  expect(hub.accounts[signer.address]?.sequence).toBe(BigInt(sent))
  console.log(`signers of Cosmos: ${sent} payments of ${SENDS} sent, seed ${seed}`)
})

it("ten thousand payments of Algorand are in the chain once", { timeout: 1_800_000 }, async () => {
  const node = new Algod({})
  const signer = await Effect.runPromise(Algorand.make(node.client(), { mnemonic }))
  node.accounts[signer.address] = { amount: 10n ** 18n }
  const faults = faulty()
  node.lost = faults.lost
  const toOf = (bytes: Uint8Array): string => {
    const to = addressOf(Uint8Array.of(1, ...bytes.subarray(1)))
    node.accounts[to] = { amount: 100_000n }
    return to
  }
  const mined = () => {
    const block = new Map(node.pool)
    node.mine()
    return block
  }
  const sent = await paid(
    { signer, toOf, mined, paidOf: ({ amount, fee, memo, to }) => [to, amount, fee, memo] },
    faults
  )
  console.log(`signers of Algorand: ${sent} payments of ${SENDS} sent, seed ${seed}`)
})
