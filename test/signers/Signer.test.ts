/** What signers of all families have in common, over a family whose parts do what they are told. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Prepared, Signer } from "../../src/signers/Signer.js"
import { assembleSigner, type SignerDefinition } from "../../src/signers/SignerDefinition.js"

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
const setUp = (hasFee = true, more: Partial<SignerDefinition<Transaction>> = {}) => {
  const done: Array<string> = []
  const signer: Signer<Transaction> = assembleSigner<Transaction>({
    network: "tron-mainnet",
    address: "me",
    sign: () => Effect.sync(() => ({ raw: "", hash: String(done.push("signed")) })),
    signMessage: () => Effect.succeed(""),
    readTerms: ({ amount, fee, from, to, token }) => ({
      amount,
      from,
      to,
      token,
      ...(hasFee ? { fee } : {})
    }),
    prepare: () => Effect.sync(() => void done.push("prepared")).pipe(Effect.as(prepared)),
    broadcast: () => Effect.sync(() => void done.push("handed")).pipe(Effect.as({ hash: "0x", prepared })),
    waitForConfirmations: (_, confirmations) => Effect.sync(() => done.push(`waited for ${confirmations}`)),
    ...more
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
      expect(done).toEqual(["handed", "waited for 1"])
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

describe("what signers of all families do", () => {
  it.effect("is to prepare, to hand over, and to wait where that is wanted", () =>
    Effect.gen(function* () {
      const payment = { to: "you", amount: 5n }
      const { done, signer } = setUp()
      expect(yield* signer.prepare(payment)).toBe(prepared)
      expect(yield* signer.send(payment)).toEqual({ hash: "0x", prepared })
      expect(yield* signer.sendToken({ ...payment, token: "gold", confirmations: 3 })).toEqual({
        hash: "0x",
        prepared
      })
      expect(yield* signer.submit(prepared)).toEqual({ hash: "0x", prepared })
      expect(done).toEqual(["prepared", "prepared", "handed", "prepared", "handed", "waited for 3", "handed"])
    })
  )

  it.effect("is done in turn where a family wants that, but for the waiting", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp(true, {
        runExclusive: (effect) =>
          Effect.suspend(() => {
            done.push("begun")
            return Effect.tap(effect, () => void done.push("over"))
          })
      })
      yield* signer.prepare({ to: "you", amount: 5n })
      yield* signer.send({ to: "you", amount: 5n, confirmations: 2 })
      expect(done).toEqual([
        "begun",
        "prepared",
        "over",
        "begun",
        "prepared",
        "handed",
        "over",
        "waited for 2"
      ])
    })
  )

  it.effect("is not begun where nobody can wait so long", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp()
      for (const confirmations of [0, -1, 1.5, Number.NaN, wrong("2")]) {
        const refusals = [
          signer.send({ to: "you", amount: 5n, confirmations }),
          signer.submit(prepared, { confirmations })
        ]
        for (const each of refusals)
          expect(String(yield* Effect.flip<unknown, unknown, never>(each))).toContain(
            "confirmations must be a whole number of at least 1"
          )
      }
      expect(done).toEqual([])
    })
  )
})

describe("a preview is that of its transaction", () => {
  const outgoing = [
    { asset: "COIN", amount: "0.02" },
    { asset: "GOLD", token: "gold", amount: "5.5" }
  ]
  const spending = (spent: string) =>
    setUp(true, {
      readTerms: ({ amount, fee, from, to, token }) => ({ amount, fee, from, to, token, spent })
    })

  it.effect("where it lists what the transaction may take, of that asset", () =>
    Effect.gen(function* () {
      expect((yield* spending("5.5").signer.submit({ ...prepared, outgoing })).hash).toBe("0x")
      for (const spent of ["5.6", "0.02"]) {
        const { done, signer } = spending(spent)
        expect((yield* Effect.flip(signer.submit({ ...prepared, outgoing }))).message).toContain(
          "another one than that of its preview"
        )
        expect(done).toEqual([])
      }
    })
  )

  it.effect("where a family says so whose transactions name no account", () =>
    Effect.gen(function* () {
      for (const isAsShown of [true, false]) {
        const { done, signer } = setUp(true, {
          readTerms: undefined,
          isAsPreviewed: () => isAsShown
        } as never)
        if (isAsShown) yield* signer.submit({ ...prepared, transaction: { ...transaction, from: "them" } })
        else
          expect((yield* Effect.flip(signer.submit(prepared))).message).toContain(
            "another one than that of its preview"
          )
        expect(done).toEqual(isAsShown ? ["handed"] : [])
      }
      const { done, signer } = setUp(true, { readTerms: undefined } as never)
      yield* signer.submit(prepared)
      expect(done).toEqual(["handed"])
    })
  )

  it.effect("and says whose it is, and what is refused", () =>
    Effect.gen(function* () {
      const { signer } = setUp()
      const said = (effect: Effect.Effect<unknown, unknown>) => Effect.map(Effect.flip(effect), String)
      expect(yield* said(signer.submit({ ...prepared, from: "them" }))).toContain(
        "submit: it was prepared for them on tron-mainnet, and this signer is me on tron-mainnet"
      )
      expect(yield* said(signer.submit({ ...prepared, outgoing: wrong("none") }))).toContain(
        "submit: it takes what prepare has made"
      )
      expect(yield* said(signer.submit({ ...prepared, transaction: wrong(7) }))).toContain(
        "submit: a transaction is what prepare has made"
      )
      expect(yield* said(signer.sign(wrong(7)))).toContain("sign: a transaction is what prepare has made")
      expect(yield* said(signer.prepare(wrong(7)))).toContain("prepare: a payment is { to, amount }")
      expect(yield* said(signer.send(wrong(7)))).toContain("send: a payment is { to, amount }")
    })
  )
})
