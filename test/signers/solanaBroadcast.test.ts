import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { CallTimeout, NodeError, RpcError, TransactionFailed } from "../../src/data/SdkError.js"
import { make, type SolanaCalls, type SolanaClient, type SolanaSigner } from "../../src/signers/Solana.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/solana/kit.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { blockhash, makeCluster } from "./cluster.js"

const privateKey = encodeBase58(new Uint8Array(32).fill(1))
const to = encodeBase58(new Uint8Array(32).fill(2))

const lost = new NodeError({ kind: "network", call: "sendTransaction", reason: "reset", url: "http://node" })
const says = (rpcMessage: string) =>
  new RpcError({ method: "sendTransaction", code: -32002, rpcMessage, url: "http://node" })

/** A signer of a rich account, over calls of which some are the test's. */
const rich = (changed: Partial<SolanaCalls>, nodes?: SolanaClient["nodes"]) =>
  Effect.gen(function* () {
    const { address } = yield* make(makeCluster().client(), { privateKey })
    const accounts = { [address]: { lamports: 10n ** 12n }, [to]: { lamports: 10n ** 9n } }
    const { client, sent } = makeCluster(accounts, changed)
    return { signer: yield* make({ ...client(), nodes }, { privateKey }), sent }
  })

/** What comes of a payment, however long it takes. */
const outcome = (signer: SolanaSigner, confirmations?: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(
      Effect.exit(signer.send({ to, amount: "1", ...(confirmations === undefined ? {} : { confirmations }) }))
    )
    // steps as short as those of a clock: each wait begins where the one before has ended
    for (let step = 0; step < 40; step++)
      yield* TestClock.adjust("8 seconds").pipe(
        Effect.zipRight(Effect.promise(() => new Promise(setImmediate)))
      )
    return yield* Fiber.join(fiber)
  })

const failureOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.match(exit, {
    onSuccess: () => undefined,
    onFailure: (cause) => (cause._tag === "Fail" ? cause.error : cause)
  })

const status = (value: object | null, slot = 100n) => Effect.succeed({ context: { slot }, value: [value] })
const past = () => Effect.succeed({ absoluteSlot: 400n, blockHeight: 241n })

describe("handing payments of Solana to nodes", () => {
  it.effect("takes a payment for sent that nodes know, and sends it no more", () =>
    Effect.gen(function* () {
      const raws: Array<string> = []
      const { signer } = yield* rich({
        sendTransaction: (raw) => {
          raws.push(raw)
          return Effect.fail(lost)
        },
        getSignatureStatuses: () => status(raws.length < 3 ? null : { err: null })
      })
      expect(Exit.isSuccess(yield* outcome(signer))).toBe(true)
      expect(raws).toHaveLength(3)
      expect(new Set(raws).size).toBe(1)
    })
  )

  it.effect("sends the same bytes again to nodes that are behind", () =>
    Effect.gen(function* () {
      const raws: Array<string> = []
      const { signer } = yield* rich({
        sendTransaction: (raw) =>
          raws.push(raw) < 3
            ? Effect.fail(says("Transaction simulation failed: Blockhash not found"))
            : Effect.succeed("")
      })
      expect(Exit.isSuccess(yield* outcome(signer))).toBe(true)
      expect(raws).toHaveLength(3)
      expect(new Set(raws).size).toBe(1)
    })
  )

  it.effect("takes no word for it that it has been processed", () =>
    Effect.gen(function* () {
      for (const isThere of [true, false]) {
        const { signer } = yield* rich({
          sendTransaction: () =>
            Effect.fail(says("Transaction simulation failed: This transaction has already been processed")),
          getSignatureStatuses: () => status(isThere ? { err: null } : null)
        })
        expect(Exit.isSuccess(yield* outcome(signer))).toBe(isThere)
      }
    })
  )

  it.effect(
    "sends it again after a quarter of a second, and then after twice as long each time, up to two",
    () =>
      Effect.gen(function* () {
        const sent: Array<ReadonlyArray<unknown>> = []
        const asked: Array<unknown> = []
        const unsure = [
          new CallTimeout({ call: "sendTransaction", timeout: 1 }),
          lost,
          says("BlockhashNotFound")
        ]
        const { signer } = yield* rich({
          sendTransaction: (...given) =>
            Effect.suspend(() => {
              sent.push(given)
              // what another node says once the first may have it is not the last word, whatever it is
              const refusal = sent.length > 3 ? says("insufficient funds") : lost
              return Effect.fail(unsure[sent.length - 1] ?? refusal)
            }),
          getEpochInfo: (config) => {
            asked.push(config)
            return Effect.succeed({ absoluteSlot: 400n, blockHeight: 240n })
          },
          getSignatureStatuses: (...given) => {
            asked.push(given)
            return status(null, 400n)
          }
        })
        const prepared = yield* signer.prepare({ to, amount: "1" })
        const fiber = yield* Effect.fork(Effect.exit(signer.submit(prepared)))
        const settled = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        for (let left = 2_000; sent.length === 0 && left > 0; left--) yield* settled
        let count = 1
        for (const pause of [250, 500, 1_000, ...new Array<number>(50).fill(2_000)]) {
          yield* TestClock.adjust(pause - 1)
          expect(sent).toHaveLength(count)
          yield* TestClock.adjust(1)
          expect(sent).toHaveLength(++count)
        }
        const failure = failureOf(yield* Fiber.join(fiber))
        expect(count).toBe(54)
        expect(failure).toMatchObject({ _tag: "BroadcastUnclear", raw: sent[0]?.[0], reason: lost.message })
        expect(sent).toEqual(
          new Array(54).fill([sent[0]?.[0], { encoding: "base64", preflightCommitment: "confirmed" }])
        )
        const { hash } = Object(failure)
        expect(asked).toEqual(
          Array.from({ length: 54 }, () => [
            { commitment: "finalized" },
            [[hash], { searchTransactionHistory: true }]
          ]).flat()
        )
      })
  )

  it.effect("does not believe a node that cannot be reached, whatever it is said to have said", () =>
    Effect.gen(function* () {
      let count = 0
      const { signer } = yield* rich({
        sendTransaction: () =>
          Effect.fail(
            new NodeError({
              kind: "network",
              call: "sendTransaction",
              reason: ++count < 3 ? "AlreadyProcessed" : "reset",
              url: "http://node"
            })
          )
      })
      expect(failureOf(yield* outcome(signer))).toMatchObject({ _tag: "BroadcastUnclear" })
      expect(count).toBe(54)
    })
  )

  it.effect("tells a refusal, unless the payment is there all the same", () =>
    Effect.gen(function* () {
      for (const isThere of [false, true]) {
        let count = 0
        const { signer } = yield* rich({
          sendTransaction: () => {
            count++
            return Effect.fail(says("Transaction simulation failed: insufficient funds"))
          },
          getSignatureStatuses: () => status(isThere ? { err: null } : null)
        })
        const exit = yield* outcome(signer)
        // each node that got it has refused it, and none has it by then
        expect(count).toBe(isThere ? 1 : 8)
        if (isThere) expect(Exit.isSuccess(exit)).toBe(true)
        else
          expect(failureOf(exit)).toMatchObject({
            _tag: "RpcError",
            rpcMessage: expect.stringContaining("insufficient")
          })
      }
    })
  )

  it.effect("says that a payment is gone once no block can have it", () =>
    Effect.gen(function* () {
      let count = 0
      const { signer } = yield* rich({
        sendTransaction: () => {
          count++
          return Effect.fail(lost)
        },
        getEpochInfo: () => (count < 4 ? Effect.succeed({ absoluteSlot: 300n, blockHeight: 240n }) : past()),
        getSignatureStatuses: () => status(null, 400n)
      })
      expect(failureOf(yield* outcome(signer))).toMatchObject({
        _tag: "TransactionExpired",
        lastValidBlockHeight: 240n,
        height: 241n
      })
      expect(count).toBe(4)
    })
  )

  it.effect("leaves it open where no node can know, with the bytes that can be sent again", () =>
    Effect.gen(function* () {
      const unknowing: ReadonlyArray<Partial<SolanaCalls>> = [
        // it has not seen the block after which the blockhash is worth nothing
        { getEpochInfo: past, getSignatureStatuses: () => status(null, 399n) },
        { getEpochInfo: past, getSignatureStatuses: () => Effect.fail(lost) },
        { getEpochInfo: () => Effect.fail(lost) }
      ]
      for (const changed of unknowing) {
        const raws: Array<string> = []
        const { signer } = yield* rich({
          ...changed,
          sendTransaction: (raw) => {
            raws.push(raw)
            return Effect.fail(lost)
          }
        })
        const failure = failureOf(yield* outcome(signer))
        expect(failure).toMatchObject({ _tag: "BroadcastUnclear", raw: raws[0], reason: lost.message })
        const raw = Buffer.from(raws[0] ?? "", "base64")
        expect(failure).toMatchObject({ hash: encodeBase58(new Uint8Array(raw.subarray(1, 65))) })
        expect(raws.length).toBeGreaterThan(10)
        expect(new Set(raws).size).toBe(1)
      }
    })
  )

  it.effect("keeps equal payments apart by their blockhashes", () =>
    Effect.gen(function* () {
      let asked = 0
      const { sent, signer } = yield* rich({
        // a new one for every third question
        getLatestBlockhash: () =>
          Effect.sync(() => ({
            context: { slot: 1n },
            value: { blockhash: blockhash(Math.floor(asked++ / 3)), lastValidBlockHeight: 240n }
          }))
      })
      const prepared = yield* signer.prepare({ to, amount: "1" })
      const fiber = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 6 }, () => signer.submit(prepared)),
          { concurrency: "unbounded" }
        )
      )
      for (let step = 0; step < 30; step++)
        yield* TestClock.adjust("400 millis").pipe(
          Effect.zipRight(Effect.promise(() => new Promise(setImmediate)))
        )
      const out = yield* Fiber.join(fiber)
      expect(new Set(out.map(({ hash }) => hash)).size).toBe(6)
      expect(new Set(sent).size).toBe(6)
    })
  )

  it.effect("makes a payment once where the chain stands still", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const { sent, signer } = yield* rich({
        getLatestBlockhash: (config) =>
          Effect.sync(() => {
            asked.push(config)
            return {
              context: { slot: 1n },
              value: { blockhash: blockhash(7), lastValidBlockHeight: 240n }
            }
          })
      })
      expect(Exit.isSuccess(yield* outcome(signer))).toBe(true)
      const prepared = yield* signer.prepare({ to, amount: "1" })
      asked.splice(0)
      const fiber = yield* Effect.fork(Effect.exit(signer.submit(prepared)))
      for (let looks = 1; looks <= 21; looks++) {
        yield* TestClock.adjust(looks === 1 ? 0 : 399)
        expect(asked).toHaveLength(Math.max(1, looks - 1))
        yield* TestClock.adjust(looks === 1 ? 0 : 1)
        expect(asked).toHaveLength(looks)
      }
      expect(failureOf(yield* Fiber.join(fiber))).toMatchObject({
        _tag: "SigningFailed",
        reason: "the same payment was made just now, and the chain has no newer blockhash to tell them apart"
      })
      expect(asked).toEqual(new Array(21).fill({ commitment: "confirmed" }))
      yield* signer.send({ to, amount: "2" })
      expect(sent).toHaveLength(2)
    })
  )

  it.effect("waits as deep as it is told to, and tells a payment that has failed in the chain", () =>
    Effect.gen(function* () {
      const err = { InstructionError: [0, { Custom: 1 }] }
      const waited: Array<unknown> = []
      const { sent, signer } = yield* rich({
        waitForTransaction: (hash, options) => {
          waited.push({ hash, ...options })
          return waited.length === 1
            ? Effect.void
            : Effect.fail(new TransactionFailed({ hash, reason: "its program said no", receipt: { err } }))
        }
      })
      const { hash } = yield* signer.send({ to, amount: "1", confirmations: 3 })
      expect(waited).toEqual([{ hash, confirmations: 3 }])
      expect(yield* Effect.flip(signer.send({ to, amount: "2", confirmations: 1 }))).toMatchObject({
        _tag: "TransactionFailed",
        reason: "its program said no",
        receipt: { err }
      })
      yield* signer.send({ to, amount: "3" })
      expect(waited).toHaveLength(2)
      // what cannot be waited for is told before it is paid
      const before = sent.length
      for (const confirmations of [0, 1.5, Number.NaN, "2"])
        expect(
          yield* Effect.flip(signer.send({ to, amount: "4", confirmations: confirmations as number }))
        ).toMatchObject({
          _tag: "InvalidArgument"
        })
      expect(sent).toHaveLength(before)
    })
  )

  /** Lets seconds pass, each with what nodes answer in it. */
  const pass = (seconds: number) =>
    Effect.forEach(Array.from({ length: seconds }), () =>
      TestClock.adjust("1 second").pipe(Effect.zipRight(Effect.promise(() => new Promise(setImmediate))))
    )

  /** A payment that is waited for until it has expired: its bytes each time that a node got them. */
  const waiting = (changed: Partial<SolanaCalls>, nodes?: SolanaClient["nodes"]) =>
    Effect.gen(function* () {
      const raws: Array<string> = []
      const calls: Partial<SolanaCalls> = {
        waitForTransaction: () => Effect.never,
        // what nodes answer to bytes that they have had proves nothing
        sendTransaction: (raw) =>
          Effect.suspend(() =>
            raws.push(raw) === 1 ? Effect.succeed("") : Effect.fail(says("BlockhashNotFound"))
          ),
        ...changed
      }
      const { signer } = yield* rich(calls, nodes)
      const prepared = yield* signer.prepare({ to, amount: "1" })
      const fiber = yield* Effect.fork(Effect.exit(signer.submit(prepared, { confirmations: 1 })))
      // a signature is a promise of the platform
      for (let left = 2_000; raws.length === 0 && left > 0; left--)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      return { raws, fiber }
    })

  it.effect("sends the same bytes again every two seconds until they can no longer land", () =>
    Effect.gen(function* () {
      let height = 240n
      const looked: Array<unknown> = []
      const { fiber, raws } = yield* waiting({
        getEpochInfo: (config) => {
          looked.push(config)
          return Effect.succeed({ absoluteSlot: 400n, blockHeight: height })
        },
        getSignatureStatuses: () => status(null, 400n)
      })
      yield* pass(7)
      // at once, and after 2, 4 and 6 seconds
      expect(raws).toHaveLength(4)
      expect(fiber.unsafePoll()).toBeNull()
      height = 241n
      yield* pass(1)
      const failure = failureOf(yield* Fiber.join(fiber))
      const hash = encodeBase58(new Uint8Array(Buffer.from(raws[0] ?? "", "base64").subarray(1, 65)))
      expect(failure).toMatchObject({
        _tag: "TransactionExpired",
        hash,
        lastValidBlockHeight: 240n,
        height: 241n
      })
      expect(raws).toEqual(new Array(4).fill(raws[0]))
      expect(looked).toEqual(new Array(4).fill({ commitment: "finalized" }))
    })
  )

  it.effect("sends them no more while nodes show them, and again when these have given them up", () =>
    Effect.gen(function* () {
      let shown: object | null = null
      const { fiber, raws } = yield* waiting({ getSignatureStatuses: () => status(shown) })
      yield* pass(4)
      expect(raws).toHaveLength(3)
      shown = { err: null }
      yield* pass(8)
      expect(raws).toHaveLength(3)
      shown = null
      yield* pass(2)
      expect(raws).toEqual(new Array(4).fill(raws[0]))
      yield* Fiber.interrupt(fiber)
      yield* pass(8)
      expect(raws).toHaveLength(4)
    })
  )

  it.effect("takes the word of two nodes for it that a payment can no longer land, if there are two", () =>
    Effect.gen(function* () {
      let late = 1
      const { fiber, raws } = yield* waiting(
        {
          getEpochInfo: () =>
            Effect.map(CallOptions, ({ node = 0 }) => ({
              absoluteSlot: 400n,
              blockHeight: Number(node) < late ? 241n : 240n
            })),
          getSignatureStatuses: () => status(null, 400n)
        },
        () => [{ failed: false }, { failed: false }]
      )
      yield* pass(6)
      expect(fiber.unsafePoll()).toBeNull()
      expect(raws).toHaveLength(4)
      late = 2
      yield* pass(2)
      expect(failureOf(yield* Fiber.join(fiber))).toMatchObject({ _tag: "TransactionExpired", height: 241n })
    })
  )

  it.effect("takes no word of a node that is behind for it that a payment can no longer land", () =>
    Effect.gen(function* () {
      let count = 0
      const { signer } = yield* rich({
        waitForTransaction: () => Effect.never,
        sendTransaction: () => Effect.sync(() => String(++count)),
        getEpochInfo: past,
        // it is behind the final block
        getSignatureStatuses: () => status(null, 399n)
      })
      const fiber = yield* Effect.fork(Effect.exit(signer.send({ to, amount: "1", confirmations: 1 })))
      for (let step = 0; step < 20; step++)
        yield* TestClock.adjust("2 seconds").pipe(
          Effect.zipRight(Effect.promise(() => new Promise(setImmediate)))
        )
      expect(fiber.unsafePoll()).toBeNull()
      expect(count).toBeGreaterThan(10)
      yield* Fiber.interrupt(fiber)
    })
  )
})
