/** Durable payments of EVM chains over nodes that cannot be believed, on anvil: made at most once, and never told as unpaid if made. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { ask } from "./evm.js"
import { listSigned, send, testOnChain, until, untilSigned } from "./evmChain.js"
import {
  arbitraryFaults,
  calling,
  checkProperty,
  type Faults,
  NO_FAULTS,
  startFaultyNode,
  TIMEOUT_MS
} from "./faults.js"

/** One node says that more of the account is in blocks than there is, or does not show what is. */
const lies = [
  { method: "eth_getTransactionByHash", result: null },
  { method: "eth_getTransactionReceipt", result: null },
  { method: "eth_getTransactionCount", result: "0xff" }
]

let next = 0x1000
/** An address that nobody has used. */
const anyone = (): string => `0x${(next++).toString(16).padStart(40, "b")}`

describe("durable EVM transactions over nodes that cannot be believed", () => {
  for (const nodes of [1, 2])
    testOnChain(
      `are made at most once, and told as unpaid only if they are, over ${nodes} of them`,
      async ({ account, mine, mining, scope, url }) => {
        const one = async (given: Faults) => {
          const fronts = await Promise.all(
            Array.from({ length: nodes }, (_, i) =>
              startFaultyNode(url, scope, "eth_sendRawTransaction", i === 0 ? given : NO_FAULTS)
            )
          )
          const { order, runs } = await account({ by: fronts.map(({ by }) => by), calling })
          const to = anyone()
          const asked = { ...order("one"), payment: { to, amount: 1n } }
          const policy = { giveUpAfter: "400 millis", suspendAfter: "1 second" } as const
          if (given.restarts)
            await runs(
              Effect.race(
                Effect.either(send(asked)),
                until(Effect.sync(() => fronts.some(({ state }) => state.handed > 0)))
              ),
              policy
            )
          const end = await runs(mining(Effect.either(send(asked))), policy)
          // what nodes still have comes into a block now
          await mine(3)
          const paid = Number(await ask<string>(url, "eth_getBalance", to, "latest"))
          expect({ paid, end }).toMatchObject({ paid: Either.isRight(end) ? 1 : 0 })
          if (Either.isLeft(end)) return
          const receipt = await ask<{ readonly to: string }>(url, "eth_getTransactionReceipt", end.right.hash)
          expect(receipt.to).toBe(to)
        }
        // lies about the chain are told by one of two
        await checkProperty<Faults>(arbitraryFaults(nodes > 1 ? lies : [], nodes), one)
      },
      { timeout: TIMEOUT_MS }
    )

  for (const [fees, raises] of [
    ["", 0],
    [", though they were signed for two fees", 1]
  ] as const)
    testOnChain(
      `are not told as lost by one node that does not show them${fees}`,
      async ({ account, mine, scope, url }) => {
        let isDeep = false
        const hidden: Array<unknown> = []
        const hiding = () =>
          startProxy(url, scope, async (method, params) => {
            // blocks are seen when all of them are there
            if (method === "eth_getTransactionCount" && !isDeep) return { result: "0x0" }
            if (method !== "eth_getTransactionReceipt" || !isDeep || hidden.length > 0) return undefined
            // of two that were signed one has landed
            const receipt = await ask<object | null>(url, method, ...params)
            if (receipt === null || hidden.length > 0) return undefined
            hidden.push(receipt)
            return { result: null }
          })
        const { order, runs } = await account({ by: [await hiding(), await hiding()] })
        const end = await runs(
          Effect.gen(function* () {
            const sending = yield* Effect.fork(Effect.either(send({ ...order("hidden"), confirmations: 40 })))
            yield* untilSigned(1 + raises)
            const [{ hash } = { hash: "" }] = (yield* listSigned).slice(-1)
            const newest = Effect.promise(() => ask<object | null>(url, "eth_getTransactionByHash", hash))
            yield* until(Effect.map(newest, (found) => found !== null))
            // so deep that another transaction would have its nonce for good, if it had
            yield* Effect.promise(() => mine(60))
            isDeep = true
            return [yield* Fiber.join(sending), yield* listSigned] as const
          }),
          // an eighth more is all that its fee may be raised by
          raises > 0 ? { bumpFeeAfter: "200 millis", maxFeeMultiplier: 1.2 } : {}
        )
        expect(hidden).toHaveLength(1)
        expect(end).toMatchObject([{ _tag: "Right", right: { nonce: 0 } }, Array(1 + raises).fill({})])
      }
    )
})
