/** What tests of proposals share: the way of a proposal as text, and its steps in any order. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { InvalidArgument } from "../../src/data/SdkError.js"
import { execute, merge, type Proposal, type ProposalClient } from "../../src/signers/proposal.js"

/** What arrives when a proposal is sent as text. */
export const travel = (proposal: Proposal): Proposal => JSON.parse(JSON.stringify(proposal))

/** The reason of a call that is refused as one of its caller's mistakes. */
export const reasonOf = <A>(call: Effect.Effect<A, unknown>): Effect.Effect<string, A> =>
  Effect.map(Effect.flip(call), (error) => {
    expect(error).toMatchObject({ _tag: "InvalidArgument" })
    return (error as InvalidArgument).reason
  })

/** A chain with an account of three members, and a proposal of it. */
export interface ProposalWorld {
  readonly client: ProposalClient
  readonly proposal: Proposal
  readonly approveBy: (proposal: Proposal, member: number) => Effect.Effect<Proposal, unknown>
  /** How many payments nodes were handed. */
  readonly countSent: () => number
  /** Makes a block. */
  readonly settle?: () => void
  /** What has to be true of the chain in the end. */
  readonly check: () => void
}

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("approve" as const), copy: fc.nat(1), member: fc.nat(2) }),
  fc.record({ kind: fc.constant("merge" as const), copy: fc.nat(1) }),
  fc.record({ kind: fc.constant("execute" as const), copy: fc.nat(1) })
)

/** Whether the signatures of these members are enough. */
type IsEnough = (members: ReadonlySet<number>) => boolean

const runSteps = (
  { approveBy, check, client, countSent, proposal, settle = () => undefined }: ProposalWorld,
  steps: ReadonlyArray<typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never>,
  isEnough: IsEnough
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const copies = [proposal, proposal]
    const known = [new Set<number>(), new Set<number>()]
    for (const step of steps) {
      const { copy } = step
      const [at = proposal, before = new Set<number>()] = [copies[copy], known[copy]]
      if (step.kind === "merge") {
        copies[copy] = travel(yield* merge(copies[0] ?? proposal, copies[1] ?? proposal))
        known[copy] = new Set([...(known[0] ?? []), ...(known[1] ?? [])])
      } else if (step.kind === "approve") {
        const result = yield* Effect.either(approveBy(at, step.member))
        expect(result._tag).toBe(countSent() > 0 ? "Left" : "Right")
        if (result._tag === "Left") continue
        copies[copy] = result.right
        known[copy] = new Set([...before, step.member])
      } else {
        const sentBefore = countSent()
        const result = yield* Effect.either(execute(client, at))
        const isReady = isEnough(before) && sentBefore === 0
        expect(result._tag).toBe(isReady ? "Right" : "Left")
        expect(countSent()).toBe(sentBefore + (isReady ? 1 : 0))
        settle()
      }
    }
    check()
  })

/** Two copies of a proposal are approved, merged and executed in any order: it is paid if and only if enough members have signed, and once. */
export const checkSteps = (
  open: () => Effect.Effect<ProposalWorld, unknown>,
  isEnough: IsEnough,
  numRuns: number
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), (steps) =>
      Effect.runPromise(Effect.flatMap(open(), (world) => runSteps(world, steps, isEnough)))
    ),
    { numRuns }
  )
