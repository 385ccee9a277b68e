/** Durable payments of Bitcoin Cash, of one process over a file, on bcash. */
// @covers orders on bcash: bitcoin
import { Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import * as Bcoin from "../../../src/sandbox/nodes/Bcoin.js"
import { requireBinary } from "../../../test/nodes/process.js"
import { BitcoinTransactions } from "../src/BitcoinTransactions.js"
import { bitcoinCash, listSpent } from "./bitcoin.js"
import { blockTime, listSigned, setUpChain, untilSigned } from "./bitcoinChain.js"
import { ask } from "./evm.js"

const bcash = requireBinary("bcash", "durable payments of Bitcoin Cash")

describe.runIf(bcash !== undefined)("durable payments of Bitcoin Cash, on bcash", () => {
  const chain = bitcoinCash
  const { at, gate, mining, runPayments, rich } = setUpChain(chain, () =>
    Bcoin.start({ program: "bcash", blockTime })
  )

  it("are made once each, at once without sharing coins, and say that nothing is to replace them", async () => {
    const from = await rich(0, "1", "1")
    const to = chain.anyone(1)
    const keys = ["a", "b", "c", "d"]
    const { kept, sent } = await runPayments(
      0,
      mining(
        Effect.gen(function* () {
          const { send } = yield* BitcoinTransactions
          const made = yield* Effect.forEach(
            [...keys, ...keys],
            (key) => send({ key, network: chain.network, from, payment: { to, amount: 1_000_000n } }),
            { concurrency: "unbounded" }
          )
          return { sent: made, kept: yield* listSigned }
        })
      )
    )
    expect(sent.slice(keys.length)).toEqual(sent.slice(0, keys.length))
    const paid = await chain.unspent(at.url, to)
    expect(paid.map(({ txid }) => txid).sort()).toEqual([...new Set(sent.map(({ hash }) => hash))].sort())
    expect(await chain.amountAt(at.url, to)).toBe(4_000_000n)
    const spent = kept.flatMap(({ raw }) => listSpent(raw))
    expect(new Set(spent).size).toBe(spent.length)
    const inputs = kept.flatMap(({ raw }) => Transaction.fromHex(raw).ins)
    expect(new Set(inputs.map((input) => input.sequence))).toEqual(new Set([0xffffffff]))
  })

  it("end where others have spent a coin of theirs, though the node gives an id for what it refuses", async () => {
    const from = await rich(1, "1", "0.9")
    const to = chain.anyone(2)
    const { raws, ...door } = await gate()
    const { failure, kept } = await runPayments(
      1,
      Effect.gen(function* () {
        const { send } = yield* BitcoinTransactions
        const order = { network: chain.network, from } as const
        const sending = yield* Effect.fork(
          Effect.flip(send({ ...order, key: "robbed", payment: { to, amount: 150_000_000n } }))
        )
        yield* untilSigned(1)
        yield* Effect.promise(() =>
          chain.wallet(at.url, 1, ({ send: take }) => take({ to: chain.anyone(3), amount: 80_000_000n }))
        )
        door.open()
        const [row] = yield* listSigned
        expect(yield* Effect.promise(() => ask(at.url, "sendrawtransaction", row?.raw))).toBe(row?.hash)
        const error = yield* mining(Fiber.join(sending))
        const next = { ...order, key: "next", payment: { to, amount: 70_000_000n } }
        const rows = yield* listSigned
        yield* mining(send(next))
        return { failure: error, kept: rows }
      }),
      { url: door.url, policy: { giveUpAfter: "500 millis", suspendAfter: "20 seconds" } }
    )
    expect(failure).toMatchObject({ _tag: "TransactionDropped", hash: kept[0]?.hash })
    // it never was in the chain, and the message says nothing else
    expect(failure.message).toMatch(/cannot be confirmed any more: .* spent coins of the account/)
    expect(await chain.amountAt(at.url, to)).toBe(70_000_000n)
    expect(raws.has(kept[0]?.raw)).toBe(true)
  })
})
