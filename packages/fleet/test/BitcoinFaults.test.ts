/** Durable payments of Bitcoin's kind over a node that cannot be believed, on Litecoin Core: made at most once, never told as unpaid if made. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { requireBinary } from "../../../test/nodes/process.js"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { BitcoinTransactions } from "../src/BitcoinTransactions.js"
import { litecoin } from "./bitcoin.js"
import { setUpLitecoin, until } from "./bitcoinChain.js"
import { ask } from "./evm.js"
import {
  arbitraryFaults,
  calling,
  checkProperty,
  type Faults,
  startFaultyNode,
  TIMEOUT_MS
} from "./faults.js"

const litecoind = requireBinary(
  "litecoind",
  "durable payments of Litecoin over a node that cannot be believed"
)
const { anyone, network, unspent } = litecoin

/** For a while the node does not show the coins that are spent. */
const lies = [{ method: "gettxout", result: null }]

describe.runIf(litecoind !== undefined)(
  "durable payments of Bitcoin's kind over a node that cannot be believed",
  () => {
    const { at, mine, mining, runPayments, rich, scope } = setUpLitecoin(litecoind ?? "")
    const pay = (order: Parameters<BitcoinTransactions["Type"]["send"]>[0]) =>
      Effect.flatMap(BitcoinTransactions, ({ send }) => Effect.either(send(order)))

    it("are made at most once, and told as unpaid only if they are", { timeout: TIMEOUT_MS }, async () => {
      let index = 100
      const one = async (given: Faults): Promise<void> => {
        index++
        const from = await rich(index, "1")
        const { by, state } = await startFaultyNode(at.url, scope, "sendrawtransaction", given)
        const to = anyone(index)
        const order = { key: "one", network, from, payment: { to, amount: 1_000_000n } } as const
        const policy = { giveUpAfter: "400 millis", suspendAfter: "1 second" } as const
        const options = { url: by, policy, calling }
        if (given.restarts)
          await runPayments(
            index,
            Effect.race(pay(order), until(Effect.sync(() => state.handed > 0))),
            options
          )
        const end = await runPayments(index, mining(pay(order)), options)
        // what the node still has comes into a block now
        await mine(3)
        const hashes = (await unspent(at.url, to)).map(({ txid }) => txid)
        expect({ hashes, end }).toMatchObject({ hashes: Either.isRight(end) ? [end.right.hash] : [] })
      }
      await checkProperty(arbitraryFaults(lies, 1), one)
    })

    it("are not told as paid by the word of one node", async () => {
      const from = await rich(99, "1")
      const blockhash = await ask<string>(at.url, "getbestblockhash")
      // the node that is asked first takes nothing, and has everything in a block
      let liar: number | undefined
      let lies = 0
      const urls = await Promise.all(
        [0, 1, 2].map((place) =>
          startProxy(at.url, scope, (method, [txid]) => {
            if (method !== "getrawtransaction" && method !== "sendrawtransaction") return undefined
            liar ??= place
            if (liar !== place) return undefined
            if (method === "sendrawtransaction") return { error: { code: -26, message: "no" } }
            lies++
            return { result: { txid, blockhash, confirmations: 9 } }
          })
        )
      )
      const order = { key: "one", network, from, payment: { to: anyone(99), amount: 1_000_000n } } as const
      const waiting = Effect.as(until(Effect.sync(() => lies > 10)), "waiting")
      const options = { url: urls, policy: { suspendAfter: "20 seconds" } } as const
      expect(await runPayments(99, mining(Effect.race(pay(order), waiting)), options)).toBe("waiting")
    })
  }
)
