/**
 * Nodes that take payments and then refuse them, lose answers, fall silent or lie. `FLEET_FAULTS` is how many cases of them each family
 * goes through.
 */
import * as fc from "effect/FastCheck"
import type * as Scope from "effect/Scope"
import { startProxy } from "../../../test/nodes/rpcProxy.js"
import { ask } from "./evm.js"

/** What a node does with a payment, and what it says then: an error, or nothing as the connection breaks, or nothing for ever. */
interface Fault {
  readonly isTaken: boolean
  readonly answer: { readonly error: { readonly code: number; readonly message: string } } | "drop" | "never"
}

/** What a node says of the chain for so many calls of a method, in the place of what is so. */
interface Lie {
  readonly method: string
  readonly result: unknown
  readonly times: number
}

/** The faults of a node for the payments that it is handed one after another, and whether the last of them stays. */
export interface Faults {
  readonly faults: ReadonlyArray<Fault>
  readonly stays: boolean
  readonly lies: ReadonlyArray<Lie>
  /** The process ends as soon as the payment was handed to a node, and another one goes on. */
  readonly restarts: boolean
}

/** Sentences that nodes are known to say of a payment, whatever they have done with it. */
const messages = [
  "nonce too low",
  "replacement transaction underpriced",
  "already known",
  "insufficient funds for gas * price + value",
  "internal error",
  "context deadline exceeded",
  "txn-mempool-conflict",
  "bad-txns-inputs-missingorspent",
  "Transaction simulation failed: Blockhash not found",
  "Transaction simulation failed: This transaction has already been processed"
]

const arbitraryError = fc.record({
  code: fc.oneof(
    fc.constantFrom(-32_000, -32_003, -32_603, -26, -25, -27, 3),
    fc.integer({ min: -40_000, max: 40_000 })
  ),
  message: fc.oneof(fc.constantFrom(...messages), fc.string({ minLength: 1, maxLength: 60 }))
})

const arbitraryFault: fc.Arbitrary<Fault> = fc.record({
  isTaken: fc.boolean(),
  answer: fc.oneof(
    { arbitrary: fc.record({ error: arbitraryError }), weight: 2 },
    { arbitrary: fc.constantFrom("drop" as const, "never" as const), weight: 1 }
  )
})

/** A client gives such a node up after so many milliseconds. */
export const calling = { attemptTimeout: 1_500 } as const

/** Cases of a family, whose nodes may lie so; one of several nodes, or one alone. */
export const arbitraryFaults = (
  lies: ReadonlyArray<Pick<Lie, "method" | "result">>,
  nodes: number
): fc.Arbitrary<Faults> =>
  fc
    .record({
      faults: fc.array(arbitraryFault, { minLength: 1, maxLength: 4 }),
      stays: fc.boolean(),
      lies:
        lies.length === 0
          ? fc.constant([])
          : fc.array(
              fc
                .record({ lie: fc.constantFrom(...lies), times: fc.integer({ min: 1, max: 4 }) })
                .map(({ lie, times }) => ({ ...lie, times })),
              { maxLength: 2 }
            ),
      restarts: fc.boolean()
    })
    .map((given) => {
      const last = given.faults.at(-1)
      // what no node ever takes has no end: a nonce, a coin or a blockhash stays open; another node takes what one is silent about
      const isEnding = last?.isTaken === true || (last?.answer === "never" && nodes > 1)
      return { ...given, stays: given.stays && isEnding }
    })

/** A way to a node with faults, and how many payments it was handed. */
export const startFaultyNode = async (
  url: string,
  scope: Scope.Scope,
  sends: string,
  { faults, lies, stays }: Omit<Faults, "restarts">
) => {
  const remaining = lies.map((lie) => ({ ...lie }))
  const state = { handed: 0 }
  const by = await startProxy(url, scope, async (method, params) => {
    const lie = remaining.find((each) => each.method === method && each.times > 0)
    if (lie !== undefined) {
      lie.times--
      return { result: lie.result }
    }
    if (method !== sends) return undefined
    const given = faults[stays ? Math.min(state.handed, faults.length - 1) : state.handed]
    state.handed++
    if (given === undefined) return undefined
    if (given.isTaken)
      // what it says of a payment that it has already is nobody's business
      await ask(url, method, ...params).catch(() => undefined)
    return given.answer
  })
  return { by, state }
}

/** What a node does without any of them. */
export const NO_FAULTS: Omit<Faults, "restarts"> = { faults: [], lies: [], stays: false }

const numRuns = Number(process.env.FLEET_FAULTS ?? 1)

/** Of cases that are known, all, or, where `FLEET_FAULTS` says nothing, the one whose turn it is: together the tests of each commit meet them all. */
export const chosenOf = <A>(known: ReadonlyArray<A>, turn: number): ReadonlyArray<A> =>
  process.env.FLEET_FAULTS === undefined ? known.filter((_, at) => at === turn % known.length) : known

/** The limit of a test against what hangs, in milliseconds: a case may wait for silent nodes again and again. */
export const TIMEOUT_MS = 600_000 + numRuns * 60_000

/** So many cases, of any seed: what fails is printed with it. */
export const checkProperty = <A>(cases: fc.Arbitrary<A>, test: (given: A) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(cases, test), { numRuns })
