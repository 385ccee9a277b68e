/** Durable payments of Solana over nodes that cannot be believed, on Surfpool: made at most once, and never told as unpaid if made. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import { describe, expect, it } from "vitest"
import { requireBinary } from "../../../test/nodes/process.js"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { SolanaTransactions } from "../src/SolanaTransactions.js"
import {
  arbitraryFaults,
  calling,
  checkProperty,
  type Faults,
  NO_FAULTS,
  startFaultyNode,
  TIMEOUT_MS
} from "./faults.js"
import { network, readReceived } from "./solana.js"
import { makeAddress, setUpChain } from "./solanaChain.js"

const surfpool = requireBinary("surfpool", "durable payments of Solana over nodes that cannot be believed")

/** All that was signed is over, and no block has any of it. */
const past = {
  absoluteSlot: 1,
  blockHeight: 1e12,
  epoch: 1,
  slotIndex: 1,
  slotsInEpoch: 432_000,
  transactionCount: 1
}
const nowhere = { context: { slot: 1e12 }, value: [null] }
/** A block has it, and it has failed there. */
const failed = {
  context: { slot: 1 },
  value: [
    {
      slot: 1,
      confirmations: null,
      err: { InstructionError: [0, { Custom: 1 }] },
      confirmationStatus: "finalized"
    }
  ]
}

const lies = [
  { method: "getEpochInfo", result: past },
  { method: "getSignatureStatuses", result: nowhere },
  { method: "getSignatureStatuses", result: failed }
]

describe.runIf(surfpool !== undefined)(
  "durable payments of Solana over nodes that cannot be believed",
  () => {
    const { at, runPayments, scope } = setUpChain(50)
    const pay = (order: Parameters<SolanaTransactions["Type"]["send"]>[0]) =>
      Effect.flatMap(SolanaTransactions, ({ send }) => Effect.either(send(order)))
    const until = (condition: () => boolean) =>
      Effect.repeat(Effect.sync(condition), { until: (is) => is, schedule: Schedule.spaced("20 millis") })

    it("are made at most once, and told as unpaid only if they are", { timeout: TIMEOUT_MS }, async () => {
      let cases = 0
      const one = async (given: Faults): Promise<void> => {
        const fronts = await Promise.all(
          [given, NO_FAULTS].map((faults) => startFaultyNode(at.url, scope, "sendTransaction", faults))
        )
        const to = makeAddress()
        const order = { key: "one", network, from: at.from, payment: { to, amount: 1_000_000n } } as const
        const file = `faults-${cases++}.db`
        const urls = fronts.map(({ by }) => by)
        const isHanded = until(() => fronts.some(({ state }) => state.handed > 0))
        if (given.restarts)
          await runPayments(file, urls, Effect.race(pay(order), isHanded), undefined, calling)
        const end = await runPayments(file, urls, pay(order), undefined, calling)
        const { signatures } = await readReceived(at.url, to)
        expect({ signatures, end }).toMatchObject({
          signatures: Either.isRight(end) ? [end.right.hash] : []
        })
      }
      await checkProperty(arbitraryFaults(lies, 2), one)
    })

    it("are not signed anew by the word of one node", async () => {
      // two looks at it, one after the other: once is not believed anyway
      let left = 4
      const lying = () =>
        startProxy(at.url, scope, (method) => {
          const lie = lies.find((each) => each.method === method)
          if (lie === undefined || left === 0) return undefined
          left--
          return { result: lie.result }
        })
      const to = makeAddress()
      const order = { key: "anew", network, from: at.from, payment: { to, amount: 1_000_000n } } as const
      // whichever is asked lies; of those that are asked beside it, the last one does not
      const end = await runPayments("anew.db", [await lying(), await lying()], pay(order))
      const { signatures } = await readReceived(at.url, to)
      expect({ signatures, end }).toMatchObject({ signatures: [Either.getOrThrow(end).hash] })
    })

    it("are not told as failed by the word of one node", async () => {
      let isTold = false
      const lying = () =>
        startProxy(at.url, scope, (method) => {
          if (method !== "getSignatureStatuses" || isTold) return undefined
          isTold = true
          return { result: failed }
        })
      const to = makeAddress()
      const order = { key: "failed", network, from: at.from, payment: { to, amount: 1_000_000n } } as const
      const end = await runPayments("failed.db", [await lying(), await lying()], pay(order))
      const { signatures } = await readReceived(at.url, to)
      expect({ signatures, end }).toMatchObject({ signatures: [Either.getOrThrow(end).hash] })
    })
  }
)
