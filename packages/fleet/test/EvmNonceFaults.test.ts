/** Durable payments of EVM chains over two nodes, one of which lies about how many transactions the account has made, on anvil. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { describe, expect } from "vitest"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { ask } from "./evm.js"
import { send, testOnChain } from "./evmChain.js"
import { checkProperty, chosenOf, TIMEOUT_MS } from "./faults.js"

/** When a node lies: after how many true answers, how many times, and whether it is the node that the client prefers. */
interface Lying {
  readonly after: number
  readonly times: number
  readonly isPreferred: boolean
}

/** What the account has made before the fleet gets it: more than a node keeps of one account. */
const MADE = 200

/** What the other account has made. */
const OTHER = 7

const lies: Readonly<Record<string, (count: number, other: number) => number>> = {
  "too high by one": (count) => count + 1,
  "too high by a million": (count) => count + 1_000_000,
  "too low by one": (count) => count - 1,
  "too low by all of them": () => 0,
  "that of another account": (_, other) => other
}

const ALWAYS = Number.POSITIVE_INFINITY

/** The client reads the count of the preferred node three times before the payment has its nonce. */
const known: ReadonlyArray<Lying> = [
  { after: 0, times: 1, isPreferred: true },
  { after: 0, times: ALWAYS, isPreferred: true },
  { after: 3, times: ALWAYS, isPreferred: true },
  { after: 0, times: ALWAYS, isPreferred: false }
]

const drawn: fc.Arbitrary<Lying> = fc.record({
  after: fc.integer({ min: 0, max: 12 }),
  times: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(ALWAYS)),
  isPreferred: fc.boolean()
})

let next = 0x1000
/** An address that nobody has used. */
const anyone = (): string => `0x${(next++).toString(16).padStart(40, "d")}`

describe("durable EVM transactions over a node that lies about the nonce", () => {
  for (const [turn, [name, lie]] of Object.entries(lies).entries())
    testOnChain(
      `are made at most once and leave no gap, where the count is ${name}`,
      async ({ account, mine, mining, scope, url }) => {
        const [payer = "", other = ""] = await ask<ReadonlyArray<string>>(url, "eth_accounts")
        await ask(url, "anvil_setNonce", payer, `0x${MADE.toString(16)}`)
        await ask(url, "anvil_setNonce", other, `0x${OTHER.toString(16)}`)
        await mine()
        const countOf = async (address: string, block: unknown = "latest") =>
          Number(await ask<string>(url, "eth_getTransactionCount", address, block))
        const balanceOf = async (address: string) =>
          Number(await ask<string>(url, "eth_getBalance", address, "latest"))

        const one = async ({ after, isPreferred, times }: Lying): Promise<void> => {
          let [before, left] = [after, times]
          const liar = await startProxy(url, scope, async (method, [, block]) => {
            if (method !== "eth_getTransactionCount" || before-- > 0 || left-- <= 0) return undefined
            const claimed = lie(await countOf(payer, block), await countOf(other, block))
            return { result: `0x${Math.max(0, claimed).toString(16)}` }
          })
          const honest = await startProxy(url, scope, () => undefined)
          const { order, runs } = await account({
            by: [liar, honest],
            calling: { selection: { node: isPreferred ? liar : honest } }
          })
          const first = await countOf(payer)
          const to = { one: anyone(), two: anyone() }
          const pay = (key: keyof typeof to) =>
            Effect.either(send({ ...order(key), payment: { to: to[key], amount: 1n } }))
          const [one, two] = await runs(
            Effect.gen(function* () {
              const lied = yield* pay("one")
              left = 0
              return [lied, yield* pay("two")] as const
            }).pipe(mining, Effect.timeout("550 seconds")),
            // nodes that will agree are waited for, however late this machine is
            { giveUpAfter: times === ALWAYS ? "2 seconds" : "10 minutes", suspendAfter: "1 second" }
          )
          // what nodes still have comes into a block now
          await mine(3)
          const paid = { one: await balanceOf(to.one), two: await balanceOf(to.two) }
          const made = await countOf(payer)
          // two nodes that contradict each other for good give no nonce, which is the only reason not to pay
          const isPaid = times !== ALWAYS || Either.isRight(one)
          expect({ paid, one, two, made }).toMatchObject({
            paid: { one: isPaid ? 1 : 0, two: 1 },
            one: isPaid ? { right: { nonce: first } } : { left: { _tag: "NoQuorum" } },
            two: { right: { nonce: isPaid ? first + 1 : first } },
            made: isPaid ? first + 2 : first + 1
          })
        }
        for (const given of chosenOf(known, turn)) await one(given)
        await checkProperty(drawn, one)
      },
      { timeout: TIMEOUT_MS }
    )
})
