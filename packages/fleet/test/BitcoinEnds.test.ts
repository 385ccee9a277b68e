/** Durable payments of Bitcoin's kind, of one process over a file, on Litecoin Core: how they end that are not made, and whose workflow died. */
import { Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { scriptOf } from "effect-chains/effect/signers/Bitcoin"
import { describe, expect, it } from "vitest"
import { requireBinary } from "../../../test/nodes/process.js"
import { BitcoinTransactions } from "../src/BitcoinTransactions.js"
import { BitcoinSend } from "../src/bitcoin/SendWorkflow.js"
import * as Retention from "../src/Retention.js"
import { listSpent, litecoin, type Signing } from "./bitcoin.js"
import { awaitOutcome, listSigned, setUpLitecoin, until, untilSigned } from "./bitcoinChain.js"
import { ask } from "./evm.js"

const litecoind = requireBinary("litecoind", "durable payments of Litecoin")
const { amountAt, anyone, network, unspent } = litecoin

describe.runIf(litecoind !== undefined)("durable payments of Bitcoin's kind that cannot be made", () => {
  const { at, front, gate, mine, mining, runPayments, rich } = setUpLitecoin(litecoind ?? "")
  const miner = litecoin.renamed(anyone(255))

  it.each([
    {
      how: "refuse them",
      index: 5,
      answer: () => ({ error: { code: -26, message: "these nodes do not pay that" } }),
      rounds: 2,
      end: { _tag: "RpcError", code: -26, rpcMessage: "these nodes do not pay that" }
    },
    {
      how: "give an id for what they do not have",
      index: 9,
      answer: (id: string) => ({ result: id }),
      rounds: 1,
      end: {
        _tag: "TransactionDropped",
        message: expect.stringMatching(
          /^Transaction \w{64} cannot be confirmed any more: no node has it.* paid back/
        )
      }
    }
  ])(
    "pay their coins back where nodes $how, and have ended only then",
    async ({ answer, end, index, rounds }) => {
      const from = await rich(index, "1")
      const to = anyone(6)
      const script = scriptOf(to, network)
      const { looks, url } = await front((method, [raw]) => {
        if (method !== "sendrawtransaction") return undefined
        const made = Transaction.fromHex(String(raw))
        if (!made.outs.some((out) => Buffer.from(out.script).toString("hex") === script)) return undefined
        return answer(made.getId())
      })
      const { early, failure, first, kept, next } = await runPayments(
        index,
        Effect.gen(function* () {
          const { result, send } = yield* BitcoinTransactions
          const order = { key: "refused", network, from, payment: { to, amount: 90_000_000n } } as const
          const sending = yield* Effect.fork(Effect.flip(send(order)))
          // so many without a block, when patience is over and it was looked at after that
          yield* untilSigned(rounds)
          yield* Effect.sleep("1200 millis")
          yield* looks(8)
          const { length } = yield* listSigned
          if (length === 1) yield* Effect.promise(() => mine(6))
          yield* untilSigned(2)
          yield* looks(6)
          const none = yield* result(order)
          yield* Effect.promise(() => mine())
          const error = yield* Fiber.join(sending)
          // its coin is one of the account again
          const payment = { to: anyone(20 + index), amount: 90_000_000n }
          const rows = yield* listSigned
          const sent = yield* mining(send({ key: "next", network, from, payment }))
          return { first: length, early: none, failure: error, kept: rows, next: sent }
        }),
        { url, policy: { giveUpAfter: "1 second", suspendAfter: "10 seconds" } }
      )
      expect(first).toBe(rounds)
      expect(Option.isNone(early)).toBe(true)
      expect(failure).toMatchObject(end)
      const [paid, back] = kept
      expect(kept.map(({ purpose }) => purpose)).toEqual(["pay", "back"])
      expect(Number(back?.created) - Number(paid?.created)).toBeGreaterThanOrEqual(1_000)
      // only one of them could land
      expect(listSpent(back?.raw ?? "")).toEqual(listSpent(paid?.raw ?? ""))
      await expect(ask(at.url, "sendrawtransaction", paid?.raw)).rejects.toThrow("missingorspent")
      expect(await amountAt(at.url, to)).toBe(0n)
      expect((await unspent(at.url, anyone(20 + index))).map(({ txid }) => txid)).toEqual([next.hash])
    }
  )

  it("end where others have spent a coin of theirs, six blocks after that, and leave the other coins", async () => {
    const from = await rich(6, "1", "0.9")
    const to = anyone(8)
    const { raws, ...door } = await gate()
    const { blocks, early, failure, handed, kept, soon } = await runPayments(
      6,
      Effect.gen(function* () {
        const { result, send } = yield* BitcoinTransactions
        const order = { key: "robbed", network, from, payment: { to, amount: 150_000_000n } } as const
        const sending = yield* Effect.fork(Effect.flip(send(order)))
        yield* untilSigned(1)
        yield* Effect.promise(() =>
          litecoin.wallet(at.url, 6, ({ send: take }) => take({ to: anyone(9), amount: 80_000_000n }))
        )
        door.open()
        // it waits for a block, so that nobody knows yet which one lands: the coins are to be paid back
        yield* untilSigned(2)
        yield* door.looks(6)
        for (let left = 7; left > 0; left--)
          yield* Effect.promise(() => ask(at.url, "generateblock", miner, []))
        yield* door.looks(8)
        const none = yield* result(order)
        yield* Effect.promise(() => mine())
        // longer than there is patience, and looked at after that
        yield* Effect.sleep("700 millis")
        yield* door.looks(8)
        const still = yield* result(order)
        const rows = yield* listSigned
        const height = Effect.promise(() => ask<number>(at.url, "getblockcount"))
        const before = yield* height
        const error = yield* mining(Fiber.join(sending))
        const blocks = (yield* height) - before
        const next = { key: "next", network, from, payment: { to, amount: 70_000_000n } } as const
        const given = new Set(raws)
        yield* mining(send(next))
        return { blocks, early: none, soon: still, failure: error, handed: given, kept: rows }
      }),
      { url: door.url, policy: { giveUpAfter: "500 millis", suspendAfter: "20 seconds" } }
    )
    expect([early, soon].map(Option.isNone)).toEqual([true, true])
    expect(blocks).toBeGreaterThanOrEqual(6)
    expect(failure).toMatchObject({ _tag: "TransactionDropped", hash: kept[0]?.hash })
    // it never was in the chain, and the message says nothing else
    expect(failure.message).toMatch(/cannot be confirmed any more: .* spent coins of the account/)
    expect(kept.map(({ purpose }) => purpose)).toEqual(["pay", "back"])
    expect(handed).toEqual(new Set(kept.map(({ raw }) => raw)))
    expect(await amountAt(at.url, to)).toBe(70_000_000n)
  })

  it("whose workflow died have an end: coins are given back if nothing was signed, and else it is seen through", async () => {
    const from = await rich(8, "1")
    const to = anyone(12)
    const unsigned = { key: "unsigned", network, from, payment: { to, amount: 7_000_000n } } as const
    const payment = { to, amount: 8_000_000n }
    const raised = { key: "raised", network, from, payment, confirmations: 20 } as const
    let signatures = 0
    const signing: Signing = (sign) => (transaction) =>
      transaction.outputs[0]?.amount === 7_000_000n || signatures++ > 0
        ? Effect.die(new Error("a defect of what signs"))
        : sign(transaction)
    const { dead, forgotten, kept, lives } = await runPayments(
      8,
      Effect.gen(function* () {
        const { submit } = yield* BitcoinTransactions
        yield* submit(unsigned)
        const first = yield* awaitOutcome("unsigned", from, litecoin)
        // the account's one coin
        yield* submit(raised)
        const id = yield* BitcoinSend.executionId({ order: raised })
        yield* until(Effect.map(BitcoinSend.poll(id), (result) => result?._tag === "Complete"))
        // one that waits for the change of the other has no coins when it dies
        const waiting = { key: "waiting", network, from, payment: { to, amount: 9_000_000n } } as const
        yield* submit(waiting)
        const other = yield* BitcoinSend.executionId({ order: waiting })
        yield* BitcoinSend.interrupt(other)
        const none = yield* awaitOutcome("waiting", from, litecoin)
        // the engine's messages are kept for a day, and nodes may be away for longer
        yield* Effect.sleep("50 millis")
        const forgotten = yield* Retention.forget({ messages: 1, keys: "1 day" })
        const rows = yield* listSigned
        const second = yield* mining(awaitOutcome("raised", from, litecoin))
        const height = yield* Effect.promise(() => ask<number>(at.url, "getblockcount"))
        if (Either.isRight(second)) expect(height - second.right.block + 1).toBeGreaterThanOrEqual(20)
        return { dead: [first, none], forgotten, kept: rows, lives: second }
      }),
      { signing, policy: { bumpFeeAfter: "500 millis", suspendAfter: "1 second" } }
    )
    const died = { _tag: "Left", left: { _tag: "SigningFailed" } }
    expect(dead).toMatchObject([died, died])
    expect(kept.map(({ key }) => key)).toEqual(["raised"])
    expect(forgotten).toEqual({ workflows: 3, keys: 0 })
    expect(lives).toMatchObject({ _tag: "Right", right: { hash: kept[0]?.hash } })
    expect(await amountAt(at.url, to)).toBe(8_000_000n)
  })

  it("whose workflow died and whose coins others have spent end after as long as others, over many looks", async () => {
    const from = await rich(14, "1", "0.9")
    const door = await gate()
    const order = { key: "both", network, from, payment: { to: anyone(33), amount: 150_000_000n } } as const
    let signatures = 0
    const signing: Signing = (sign) => (transaction) =>
      signatures++ > 0 ? Effect.die(new Error("a defect of what signs")) : sign(transaction)
    const { kept, outcome } = await runPayments(
      14,
      Effect.gen(function* () {
        const { submit } = yield* BitcoinTransactions
        yield* submit(order)
        const id = yield* BitcoinSend.executionId({ order })
        yield* until(Effect.map(BitcoinSend.poll(id), (result) => result?._tag === "Complete"))
        yield* Effect.promise(() =>
          litecoin.wallet(at.url, 14, ({ send: take }) => take({ to: anyone(34), amount: 80_000_000n }))
        )
        door.open()
        const rows = yield* listSigned
        return { kept: rows, outcome: yield* mining(awaitOutcome("both", from, litecoin)) }
      }),
      {
        url: door.url,
        signing,
        policy: { bumpFeeAfter: "400 millis", giveUpAfter: "1 second", suspendAfter: "300 millis" }
      }
    )
    expect(kept).toHaveLength(1)
    expect(outcome).toMatchObject({
      _tag: "Left",
      left: { _tag: "TransactionDropped", hash: kept[0]?.hash }
    })
    expect(await amountAt(at.url, anyone(33))).toBe(0n)
  })
})
