/**
 * Nodes that take payments and then refuse them, lose answers, fall silent or lie. `FLEET_FAULTS` is how many cases of them each family
 * goes through.
 */
import * as fc from "effect/FastCheck"
import type * as Scope from "effect/Scope"
import { ask } from "./evm.js"
import { front } from "./front.js"

/** What a node does with a payment, and what it says then. */
interface Fault {
  readonly isTaken: boolean
  /** Nothing where the connection breaks. */
  readonly error: { readonly code: number; readonly message: string } | undefined
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
const sentences = [
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

const error = fc.record({
  code: fc.oneof(
    fc.constantFrom(-32_000, -32_003, -32_603, -26, -25, -27, 3),
    fc.integer({ min: -40_000, max: 40_000 })
  ),
  message: fc.oneof(fc.constantFrom(...sentences), fc.string({ minLength: 1, maxLength: 60 }))
})

const fault = fc.record({
  isTaken: fc.boolean(),
  error: fc.option(error, { nil: undefined })
})

/** Cases of a family, whose nodes may lie so. */
export const faultsOf = (lies: ReadonlyArray<Pick<Lie, "method" | "result">>): fc.Arbitrary<Faults> =>
  fc
    .record({
      faults: fc.array(fault, { minLength: 1, maxLength: 4 }),
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
    // what no node ever takes has no end: a nonce, a coin or a blockhash stays open
    .map((given) => ({ ...given, stays: given.stays && given.faults.at(-1)?.isTaken === true }))

/** A way to a node with faults, and how many payments it was handed. */
export const faulty = async (
  url: string,
  scope: Scope.Scope,
  sends: string,
  { faults, lies, stays }: Omit<Faults, "restarts">
) => {
  const told = lies.map((lie) => ({ ...lie }))
  const state = { handed: 0 }
  const by = await front(url, scope, async (method, params) => {
    const lie = told.find((each) => each.method === method && each.times > 0)
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
    return given.error === undefined ? "drop" : { error: given.error }
  })
  return { by, state }
}

/** What a node does without any of them. */
export const none: Omit<Faults, "restarts"> = { faults: [], lies: [], stays: false }

/** So many cases, of any seed: what fails is printed with it. */
export const holds = <A>(cases: fc.Arbitrary<A>, test: (given: A) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(cases, test), { numRuns: Number(process.env.FLEET_FAULTS ?? 2) })
