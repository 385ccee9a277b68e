/** What signers of all families have in common, over a family whose parts do what they are told. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { BroadcastUnclear, TransactionDropped, TransactionNotConfirmed } from "../../src/data/SdkError.js"
import type { Prepared, Signer, SubmitError } from "../../src/signers/Signer.js"
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
  const signer: Signer<Transaction> = assembleSigner<Transaction>(
    {
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
    },
    {}
  )
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

  it.effect("is a speed that is none, and no other one is", () =>
    Effect.gen(function* () {
      const { done, signer } = setUp()
      const payment = { to: "you", amount: "1" }
      for (const speed of ["quick", "toString", 7, null, {}, { percentile: "50" }, { percentile: -1 }])
        for (const call of [signer.prepare, signer.send] as const)
          expect(
            yield* Effect.flip<unknown, unknown, never>(call({ ...payment, speed: wrong(speed) }))
          ).toMatchObject({ _tag: "InvalidArgument" })
      expect(done).toEqual([])
      for (const speed of ["slow", "normal", "fast", { percentile: 0 }, { percentile: 100 }] as const)
        yield* signer.prepare({ ...payment, speed })
      expect(done).toHaveLength(5)
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
      expect(yield* said(signer.signMessage(wrong(7)))).toContain(
        "signMessage: a message must be text or a Uint8Array"
      )
    })
  )
})

const unclear = (hash: string) => new BroadcastUnclear({ hash, raw: "", reason: "no node has answered" })
const notConfirmed = new TransactionNotConfirmed({ hash: "0x1", confirmations: 0, wanted: 3, timeout: 1 })

/** A signer whose broadcasts, the first one and that of the same bytes, end as they are told to. Each payment that is signed is its own. */
const setUpBroadcasts = (
  outcomes: {
    readonly broadcast?: Effect.Effect<void, SubmitError>
    readonly rebroadcast?: Effect.Effect<void, SubmitError>
  },
  more: Partial<SignerDefinition<Transaction>> = {}
) => {
  const { broadcast = Effect.void, rebroadcast = Effect.void } = outcomes
  let signed = 0
  /** What was signed has a transaction of its own: with a nonce, say. */
  const made: Array<Prepared<Transaction>> = []
  const { done, signer } = setUp(true, {
    broadcast: (given, beforeBroadcast) =>
      Effect.suspend(() => {
        const hash = `0x${++signed}`
        const own = { ...given, transaction: { ...given.transaction } }
        made.push(own)
        beforeBroadcast({ raw: `bytes ${hash}`, hash, prepared: own })
        done.push(`broadcast ${hash}`)
        return Effect.as(broadcast, { hash, prepared: own })
      }),
    rebroadcast: ({ hash, prepared: { transaction: sent }, raw }) => {
      done.push(`rebroadcast ${raw}`)
      expect(sent).toBe(made.find((_, at) => hash === `0x${at + 1}`)?.transaction)
      return rebroadcast
    },
    ...more
  })
  return { done, made, signer }
}

describe("a payment of which nobody knows whether it arrives", () => {
  it.effect("is none before it has bytes: what ends it by then is all that is told", () =>
    Effect.gen(function* () {
      const bug = new Error("a defect")
      for (const end of [Effect.interrupt, Effect.die(bug)]) {
        const { signer } = setUp(true, { broadcast: () => end })
        expect(yield* Effect.exit(signer.submit(prepared))).toEqual(yield* Effect.exit(end))
      }
    })
  )

  it.effect("is sent again as the same bytes: by its error, by its preview, and by what was signed", () =>
    Effect.gen(function* () {
      for (const outcome of [
        Effect.fail(unclear("0x1")),
        Effect.fail(notConfirmed),
        Effect.die(new Error("a defect")),
        Effect.interrupt
      ])
        for (const again of [
          () => unclear("0x1"),
          () => prepared,
          (made: ReadonlyArray<Prepared<Transaction>>) => made[0] ?? prepared
        ]) {
          const { done, made, signer } = setUpBroadcasts({ broadcast: outcome })
          yield* Effect.exit(signer.submit(prepared))
          expect(done).toEqual(["broadcast 0x1"])
          expect(yield* signer.submit(again(made))).toEqual({ hash: "0x1", prepared: made[0] })
          expect(done).toEqual(["broadcast 0x1", "rebroadcast bytes 0x1"])
        }
    })
  )

  it.effect("is known as long as it is unclear", () =>
    Effect.gen(function* () {
      const ends: Array<Effect.Effect<void, SubmitError>> = [
        Effect.fail(unclear("0x1")),
        Effect.fail(notConfirmed),
        Effect.void
      ]
      const { done, signer } = setUpBroadcasts({
        broadcast: Effect.fail(unclear("0x1")),
        rebroadcast: Effect.suspend(() => ends.shift() ?? Effect.void)
      })
      expect(yield* Effect.flip(signer.submit(prepared))).toEqual(unclear("0x1"))
      expect(yield* Effect.flip(signer.submit(unclear("0x1")))).toEqual(unclear("0x1"))
      expect(yield* Effect.flip(signer.submit(unclear("0x1")))).toEqual(notConfirmed)
      expect((yield* signer.submit(unclear("0x1"))).hash).toBe("0x1")
      const error = yield* Effect.flip(signer.submit(unclear("0x1")))
      expect(error).toMatchObject({ _tag: "InvalidArgument", call: "submit" })
      expect(error.message).toContain(
        "this signer has not sent these bytes, or knows by now what came of them"
      )
      expect(done).toEqual(["broadcast 0x1", ...Array.from({ length: 3 }, () => "rebroadcast bytes 0x1")])
    })
  )

  it.effect("is no payment that has arrived, was refused, or never left", () =>
    Effect.gen(function* () {
      const refused = Effect.fail(new TransactionDropped({ hash: "0x1", reason: "refused" }))
      for (const broadcast of [Effect.void, refused]) {
        const { done, signer } = setUpBroadcasts({ broadcast })
        yield* Effect.exit(signer.submit(prepared))
        expect(yield* Effect.flip(signer.submit(unclear("0x1")))).toMatchObject({ _tag: "InvalidArgument" })
        yield* Effect.exit(signer.submit(prepared))
        expect(done).toEqual(["broadcast 0x1", "broadcast 0x2"])
      }
      const { signer } = setUpBroadcasts(
        {},
        { broadcast: () => Effect.fail(unclear("0x1")), rebroadcast: () => Effect.die("nothing was signed") }
      )
      yield* Effect.exit(signer.submit(prepared))
      expect(yield* Effect.flip(signer.submit(unclear("0x1")))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it.effect("is signed anew where a family cannot send bytes again", () =>
    Effect.gen(function* () {
      const { done, signer } = setUpBroadcasts(
        { broadcast: Effect.fail(unclear("0x1")) },
        wrong({ rebroadcast: undefined })
      )
      yield* Effect.exit(signer.submit(prepared))
      yield* Effect.exit(signer.submit(prepared))
      expect(done).toEqual(["broadcast 0x1", "broadcast 0x2"])
    })
  )

  it.effect("is forgotten as the oldest of more than 1,024", () =>
    Effect.gen(function* () {
      const { done, signer } = setUpBroadcasts({ broadcast: Effect.fail(unclear("")) })
      const pay = (amount: bigint) =>
        Effect.exit(signer.submit({ ...prepared, amount, transaction: { ...transaction, amount } }))
      for (let i = 1n; i <= 1_024n; i++) yield* pay(i)
      expect((yield* signer.submit(unclear("0x1"))).prepared.amount).toBe(1n)
      // the first one is known now: one more than there may be, and one after that
      yield* pay(1_025n)
      expect(yield* Effect.exit(signer.submit(unclear("0x2")))).toMatchObject({ _tag: "Success" })
      yield* pay(1_026n)
      yield* pay(1_027n)
      const before = done.length
      expect(yield* Effect.flip(signer.submit(unclear("0x3")))).toMatchObject({ _tag: "InvalidArgument" })
      expect(done.length).toBe(before)
      expect((yield* signer.submit(unclear("0x4"))).prepared.amount).toBe(4n)
    })
  )
})

describe("what nodes say where a payment is prepared", () => {
  const prepareWith = (prepare: SignerDefinition<Transaction>["prepare"]) =>
    setUp(true, { prepare }).signer.prepare({ to: "you", amount: 5n })

  it.effect("is malformed if reading it throws", () =>
    Effect.gen(function* () {
      for (const defect of [
        new TypeError("it is no list"),
        new RangeError("it is too large"),
        new SyntaxError("?")
      ]) {
        const error = yield* Effect.flip(prepareWith(() => Effect.die(defect)))
        // several nodes may have answered: none is named
        expect(error).toMatchObject({ _tag: "NodeError", kind: "malformed", call: "prepare", url: "" })
        expect(error).toMatchObject({
          reason: expect.stringContaining(`an answer has not the form that it should have: ${defect.message}`)
        })
      }
    })
  )

  it.effect("is a defect of ours otherwise, and a failure stays what it is", () =>
    Effect.gen(function* () {
      const bug = new Error("a bug")
      expect(yield* Effect.exit(prepareWith(() => Effect.die(bug)))).toEqual(Exit.die(bug))
      const failure = new TypeError("a failure")
      expect(yield* Effect.exit(prepareWith(() => Effect.fail(wrong(failure))))).toEqual(Exit.fail(failure))
    })
  )
})
