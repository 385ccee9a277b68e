/** What the indexer reads of a slot of Solana, on answers of a node as its API describes them. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeReader } from "../../src/sandbox/indexer/Solana.js"
import type { Rpc } from "../../src/sandbox/indexer/Utxo.js"

const [payer, receiver, program, mint] = ["payer", "receiver", "program", "mint"]

const tokens = (owner: string, amount: string) => ({ mint, owner, uiTokenAmount: { amount, decimals: 6 } })

/** A transaction that pays 5,000 lamports as its fee, and what else its balances say. */
const paid = (
  signature: string,
  preBalances: ReadonlyArray<number>,
  postBalances: ReadonlyArray<number>,
  meta: object = {}
) => ({
  transaction: {
    signatures: [signature],
    message: { accountKeys: [payer, receiver, program].map((pubkey) => ({ pubkey })) }
  },
  meta: { err: null, fee: 5_000, preBalances, postBalances, ...meta }
})

/** A node with a slot of these transactions. */
const nodeOf =
  (transactions: ReadonlyArray<object>): Rpc =>
  (method, params) => {
    if (method === "getFirstAvailableBlock") return Effect.succeed(1)
    if (method === "getBlock" && params[0] === 7) return Effect.succeed({ transactions })
    throw new Error(`nobody asks ${method} with ${JSON.stringify(params)}`)
  }

const movementsOf = (...transactions: ReadonlyArray<object>) =>
  Effect.map(makeReader(nodeOf(transactions), Effect.succeed("first")).readBlock(7), ({ movements }) =>
    movements.map(({ amount, kind, receiver, sender }) => [kind, sender, receiver, amount])
  )

describe("the indexer of Solana", () => {
  it.effect("tells what was paid beside the fee, and to whom", () =>
    Effect.gen(function* () {
      expect(yield* movementsOf(paid("a", [100_000, 0, 1], [65_000, 30_000, 1]))).toEqual([
        ["native", payer, receiver, 30_000n],
        ["fee", payer, undefined, 5_000n]
      ])
    })
  )

  it.effect("tells no payment where the fee alone was paid", () =>
    Effect.gen(function* () {
      expect(yield* movementsOf(paid("a", [100_000, 0, 1], [95_000, 0, 1]))).toEqual([
        ["fee", payer, undefined, 5_000n]
      ])
    })
  )

  it.effect("tells of a transaction that failed its fee alone", () =>
    Effect.gen(function* () {
      const failed = paid("a", [100_000, 0, 1], [95_000, 0, 1], { err: { InstructionError: [0, "Custom"] } })
      expect(yield* movementsOf(failed)).toEqual([
        ["failed", payer, undefined, 0n],
        ["fee", payer, undefined, 5_000n]
      ])
    })
  )

  it.effect(
    "tells tokens by their owners, of several takers each, and of several on both sides no pairs",
    () =>
      Effect.gen(function* () {
        const still = [10_000, 0, 1]
        const after = [5_000, 0, 1]
        const fee = ["fee", payer, undefined, 5_000n]
        expect(
          yield* movementsOf(
            paid("a", still, after, {
              preTokenBalances: [tokens(payer, "9"), tokens(receiver, "1")],
              postTokenBalances: [tokens(payer, "2"), tokens(receiver, "5"), tokens(program, "3")]
            }),
            paid("b", still, after, {
              preTokenBalances: [tokens(payer, "9"), tokens(receiver, "1")],
              postTokenBalances: [tokens(program, "10")]
            }),
            paid("c", still, after, {
              preTokenBalances: [tokens(payer, "9"), tokens(receiver, "9")],
              postTokenBalances: [tokens(program, "10"), tokens("another", "8")]
            })
          )
        ).toEqual([
          ["fungible", payer, receiver, 4n],
          ["fungible", payer, program, 3n],
          fee,
          ["fungible", payer, program, 9n],
          ["fungible", receiver, program, 1n],
          fee,
          ["fungible", payer, undefined, 9n],
          ["fungible", receiver, undefined, 9n],
          ["fungible", undefined, program, 10n],
          ["fungible", undefined, "another", 8n],
          fee
        ])
      })
  )
})
