/** Many reads at once. */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Hex } from "../chains/evm/Types.js"
import type { InvalidAddress, InvalidArgument } from "../data/SdkError.js"
import { refused } from "../signers/Signer.js"
import { contractsOf } from "./Contract.js"
import { decoded, encoded, fitting, loadOx, revert } from "./calling.js"
import type { Chain, Parties } from "./operations.js"
import type { ContractCall, ContractError, MulticallOptions, ReadOptions } from "./Types.js"

/**
 * Calls in one, where nothing else is said: nodes limit the gas of a call, and 500 reads of tokens need about a fifth of what the
 * strictest allow.
 */
const MOST = 500

const aggregate: AbiFunction = {
  type: "function",
  name: "aggregate3",
  stateMutability: "payable",
  inputs: [
    {
      name: "calls",
      type: "tuple[]",
      components: [
        { name: "target", type: "address" },
        { name: "allowFailure", type: "bool" },
        { name: "callData", type: "bytes" }
      ]
    }
  ],
  outputs: [
    {
      name: "returnData",
      type: "tuple[]",
      components: [
        { name: "success", type: "bool" },
        { name: "returnData", type: "bytes" }
      ]
    }
  ]
}

/**
 * The outcome of one read of several.
 *
 * @since 0.1.0
 * @category types
 */
export type Outcome = Either.Either<unknown, ContractError>

type Sendable = { readonly call: ContractCall; readonly to: Hex; readonly data: Hex }
type Refusal = InvalidAddress | InvalidArgument

const outcome = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Either.Either<A, E>> =>
  Effect.match(effect, {
    onFailure: (error) => Either.left(error),
    onSuccess: (value) => Either.right(value)
  })

/** The answers of one multicall, or nothing where the contract is not deployed. */
const together = (
  { call, check, multicall, ox }: Chain,
  calls: ReadonlyArray<Sendable>,
  options: ReadOptions
): Effect.Effect<ReadonlyArray<Outcome> | undefined, ContractError> => {
  if (multicall === undefined) return Effect.succeed(undefined)
  const asked: ContractCall = {
    abi: [],
    address: multicall,
    functionName: "multicall",
    item: aggregate,
    args: [calls.map(({ call, data }) => ({ target: call.address, allowFailure: true, callData: data }))]
  }
  return Effect.gen(function* () {
    const { decodeOutcomes } = yield* loadOx
    const to = yield* check(multicall)
    const data = yield* fitting("multicall", () => ox.encodeCall(aggregate, asked.args))
    // without the contract some nodes answer nothing, and others refuse
    const answer = yield* Effect.catchIf(
      call(asked, { to, data, ...options }),
      (error) => error._tag === "InvalidArgument" && error.call === asked.functionName,
      () => Effect.succeed<Hex>("0x")
    )
    if (answer === "0x") return undefined
    const items = yield* fitting("multicall", () => decodeOutcomes(aggregate, answer))
    return yield* Effect.forEach(calls, ({ call }, i): Effect.Effect<Outcome> => {
      const { returnData, success } = items[i] ?? { success: false, returnData: "0x" }
      return success
        ? outcome(decoded(ox, call, returnData))
        : Effect.succeed(Either.left(revert(ox, call, returnData, "it gave no reason")))
    })
  })
}

/** Each by itself: clients that batch send them in one request. */
const apart = (
  chain: Chain,
  calls: ReadonlyArray<Sendable>,
  options: ReadOptions
): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.forEach(
    calls,
    ({ call, data, to }) =>
      outcome(
        Effect.flatMap(chain.call(call, { to, data, ...options }), (answer) =>
          decoded(chain.ox, call, answer)
        )
      ),
    { concurrency: 50 }
  )

const lotsOf = <A>(items: ReadonlyArray<A>, most: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, i) => items.slice(i * most, (i + 1) * most))

/** Whether less may succeed where all calls at once have failed: not where no node can be asked, or the question is wrong. */
const isSplit = ({ _tag }: ContractError): boolean =>
  _tag === "RpcError" ||
  _tag === "RequestRejected" ||
  _tag === "ContractReverted" ||
  _tag === "NodeError" ||
  _tag === "CallTimeout"

/** A read that failed without a word: it was refused so, or others have left it no gas. Asked by itself it says which. */
const isMute = (outcome: Outcome): boolean =>
  Either.isLeft(outcome) && outcome.left._tag === "ContractReverted" && outcome.left.data === "0x"

interface Asking {
  readonly chain: Chain
  readonly options: ReadOptions
  /** So many parts in a row may fail before the calls that are left get the last error: one more than halves to get to one call. */
  readonly most: number
  failed: number
}

const askingOf = (chain: Chain, options: ReadOptions, calls: number): Asking => ({
  chain,
  options,
  most: Math.ceil(Math.log2(calls)) + 2,
  failed: 0
})

/** Whether a call has been answered, if only by its contract's refusal. */
const isAnswered = (outcome: Outcome): boolean =>
  Either.isRight(outcome) || outcome.left._tag === "ContractReverted"

/** One call by itself: what it fails with is its outcome. */
const single = (asking: Asking, calls: ReadonlyArray<Sendable>): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.tap(apart(asking.chain, calls, asking.options), (outcomes) =>
    Effect.sync(() => {
      if (outcomes.some(isAnswered)) asking.failed = 0
    })
  )

/**
 * Asks for all in one call, and for each half where that fails: a node runs out of gas or time, or the answer is too large. What one
 * call fails with by itself is its outcome.
 */
const split = (
  asking: Asking,
  calls: ReadonlyArray<Sendable>
): Effect.Effect<ReadonlyArray<Outcome>, ContractError> => {
  const { chain, options } = asking
  if (calls.length <= 1) return single(asking, calls)
  return Effect.matchEffect(together(chain, calls, options), {
    onSuccess: (outcomes) => {
      asking.failed = 0
      return outcomes === undefined ? apart(chain, calls, options) : settled(asking, calls, outcomes)
    },
    onFailure: (error) => {
      if (!isSplit(error)) return Effect.fail(error)
      if (++asking.failed > asking.most) return Effect.succeed(calls.map((): Outcome => Either.left(error)))
      const middle = Math.ceil(calls.length / 2)
      return Effect.zipWith(
        split(asking, calls.slice(0, middle)),
        split(asking, calls.slice(middle)),
        (first, second) => [...first, ...second]
      )
    }
  })
}

/**
 * Asks again for reads that have failed without a word: the aggregator gives each call all gas that is left, and the first of them may
 * have taken that of the others. It is asked by itself, and the others without it; those that still fail each by themselves.
 */
const settled = (
  { chain, options }: Asking,
  calls: ReadonlyArray<Sendable>,
  outcomes: ReadonlyArray<Outcome>
): Effect.Effect<ReadonlyArray<Outcome>> => {
  const mute = outcomes.flatMap((outcome, i) => (isMute(outcome) ? [i] : []))
  if (mute.length === 0) return Effect.succeed(outcomes)
  const callsAt = (places: ReadonlyArray<number>) => calls.filter((_, i) => places.includes(i))
  return Effect.gen(function* () {
    const others = mute.slice(1)
    const again = new Map<number, Outcome>()
    if (others.length > 1) {
      const found = yield* outcome(together(chain, callsAt(others), options))
      const answered = Either.isRight(found) ? (found.right ?? []) : []
      for (const [i, each] of answered.entries()) {
        const place = others[i]
        if (place !== undefined && !isMute(each)) again.set(place, each)
      }
    }
    const left = mute.filter((place) => !again.has(place))
    const alone = yield* apart(chain, callsAt(left), options)
    for (const [i, each] of alone.entries()) again.set(left[i] ?? -1, each)
    return outcomes.map((each, i) => again.get(i) ?? each)
  })
}

const batchProblem = (batchSize: unknown): string | undefined =>
  Number.isSafeInteger(batchSize) && Number(batchSize) >= 1
    ? undefined
    : "batchSize must be a whole number from 1"

/** The outcomes of reads in their order. One that cannot be sent, or is refused, costs the others nothing. */
export const outcomesOf = (
  client: Parties["client"],
  calls: ReadonlyArray<ContractCall>,
  { batchSize = MOST, block, from }: ReadOptions & MulticallOptions = {}
): Effect.Effect<ReadonlyArray<Outcome>, ContractError> =>
  Effect.gen(function* () {
    const problem = batchProblem(batchSize)
    if (problem !== undefined) return yield* refused("multicall", problem)
    // the client is one of its family by its type
    const { chain } = yield* contractsOf({ client, signer: undefined } as Parties)
    const { check, ox } = chain
    const options = { ...(block === undefined ? {} : { block }), ...(from === undefined ? {} : { from }) }
    const prepared = yield* Effect.forEach(calls, (call) =>
      outcome(
        Effect.zipWith(
          check(call.address),
          encoded(ox, check, call),
          (to, data): Sendable => ({ call, to, data })
        )
      )
    )
    const sendable = prepared.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
    const answered = yield* Effect.forEach(
      lotsOf(sendable, batchSize),
      (lot) => split(askingOf(chain, options, lot.length), lot),
      { concurrency: 4 }
    )
    const left = answered.flat()[Symbol.iterator]()
    return prepared.map((each: Either.Either<Sendable, Refusal>): Outcome => {
      if (Either.isLeft(each)) return Either.left(each.left)
      const next = left.next()
      return next.done === true ? Either.right(undefined) : next.value
    })
  })
