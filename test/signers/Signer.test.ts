/** What signers of all families have in common, over a family whose parts do what they are told. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { assemble, type Prepared, type Signer } from "../../src/signers/Signer.js"

interface Transaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly fee: bigint
  readonly token?: string
}

const transaction: Transaction = { from: "me", to: "you", amount: 5n, fee: 2n, token: "gold" }

const prepared: Prepared<Transaction> = {
  network: "tron-mainnet",
  ...transaction,
  outgoing: [],
  warnings: [],
  transaction
}

/** A signer that writes down what it signs and hands over. */
const setUp = (hasFee = true) => {
  const done: Array<string> = []
  const signer: Signer<Transaction> = assemble<Transaction>({
    network: "tron-mainnet",
    address: "me",
    sign: () => Effect.sync(() => ({ raw: "", hash: String(done.push("signed")) })),
    signMessage: () => Effect.succeed(""),
    terms: ({ amount, fee, from, to, token }) => ({ amount, from, to, token, ...(hasFee ? { fee } : {}) }),
    prepare: () => Effect.sync(() => void done.push("prepared")).pipe(Effect.as(prepared)),
    hand: () => Effect.sync(() => void done.push("handed")).pipe(Effect.as({ hash: "0x", prepared })),
    wait: () => Effect.sync(() => done.push("waited"))
  })
  return { done, signer }
}

/** What JavaScript may pass, where the types say otherwise. */
const wrong = (value: unknown) => value as never

describe("what all signers refuse before anything is signed", () => {
  it.effect("is what is no payment, no transaction and nothing prepared", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp()
      for (const value of [null, undefined, 7, "all"]) {
        const refusals = [
          signer.prepare(wrong(value)),
          signer.send(wrong(value)),
          signer.sendToken(wrong(value)),
          signer.sign(wrong(value)),
          signer.submit(wrong(value)),
          signer.submit({ ...prepared, transaction: wrong(value) })
        ]
        for (const each of refusals)
          expect(yield* Effect.flip<unknown, unknown, never>(each)).toMatchObject({ _tag: "InvalidArgument" })
      }
      expect(done).toEqual([])
    })
  )

  it.effect("is a transaction of another account", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp()
      const other = { ...transaction, from: "them" }
      expect((yield* Effect.flip(signer.sign(other))).message).toContain("it is paid by them")
      const error = yield* Effect.flip(signer.submit({ ...prepared, transaction: other }))
      expect(error.message).toContain("it is paid by them, and this signer is me")
      expect(done).toEqual([])
      expect(yield* signer.sign(transaction)).toEqual({ raw: "", hash: "1" })
    })
  )

  it.effect("is a preview of another account or network, or of something else than its transaction", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp()
      const { token: _, ...coins } = transaction
      const others: ReadonlyArray<Prepared<Transaction>> = [
        { ...prepared, from: "them" },
        { ...prepared, network: "tron-testnet" },
        { ...prepared, transaction: { ...transaction, to: "them" } },
        { ...prepared, transaction: { ...transaction, amount: 6n } },
        { ...prepared, transaction: { ...transaction, fee: 3n } },
        { ...prepared, transaction: { ...transaction, token: "silver" } },
        { ...prepared, transaction: coins }
      ]
      for (const other of others)
        expect(yield* Effect.flip(signer.submit(other))).toMatchObject({ _tag: "InvalidArgument" })
      expect(done).toEqual([])
      expect((yield* signer.submit(prepared, { confirmations: 1 })).hash).toBe("0x")
      expect(done).toEqual(["handed", "waited"])
    })
  )

  it.effect("is no fee that is a part of that of its preview", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp(false)
      yield* signer.submit({ ...prepared, fee: 9n })
      expect(done).toEqual(["handed"])
    })
  )
})
