/** Many reads at once. */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Hex } from "../chains/evm/Types.js"
import { leftOf, rightOf } from "../data/eitherValues.js"
import type { InvalidAddress, InvalidArgument } from "../data/SdkError.js"
import { invalidArgument } from "../signers/signerChecks.js"
import { loadChainContracts } from "./Contract.js"
import {
  decodeCallAnswer,
  encodeCallData,
  loadCodec,
  makeContractReverted,
  orInvalidArgument
} from "./callEncoding.js"
import type { ContractChain, ContractContext } from "./contractOperations.js"
import type { ContractCall, ContractError, MulticallOptions, ReadOptions } from "./Types.js"

/** The default batch size. Nodes limit the gas of a call, and 500 reads of tokens need about a fifth of the strictest limit. */
const DEFAULT_BATCH_SIZE = 500

const aggregate3: AbiFunction = {
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
export type ReadOutcome = Either.Either<unknown, ContractError>

type EncodedRead = { readonly call: ContractCall; readonly to: Hex; readonly data: Hex }
type EncodingError = InvalidAddress | InvalidArgument

const toOutcome = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Either.Either<A, E>> =>
  Effect.match(effect, {
    onFailure: (error) => Either.left(error),
    onSuccess: (value) => Either.right(value)
  })

/** Reads the answers of one multicall; undefined if the aggregator is not deployed. */
const readTogether = (
  { call, checkAddress, multicallAddress, codec }: ContractChain,
  calls: ReadonlyArray<EncodedRead>,
  options: ReadOptions
): Effect.Effect<ReadonlyArray<ReadOutcome> | undefined, ContractError> => {
  if (multicallAddress === undefined) return Effect.succeed(undefined)
  const aggregateCall: ContractCall = {
    abi: [],
    address: multicallAddress,
    functionName: "multicall",
    item: aggregate3,
    args: [calls.map(({ call, data }) => ({ target: call.address, allowFailure: true, callData: data }))]
  }
  return Effect.gen(function* () {
    const { decodeOutcomes } = yield* loadCodec
    const to = yield* checkAddress(multicallAddress)
    const data = yield* orInvalidArgument("multicall", () => codec.encodeCall(aggregate3, aggregateCall.args))
    // without the contract some nodes answer nothing, and others refuse
    const answer = yield* Effect.catchIf(
      call(aggregateCall, { to, data, ...options }),
      (error) => error._tag === "InvalidArgument" && error.call === aggregateCall.functionName,
      () => Effect.succeed<Hex>("0x")
    )
    if (answer === "0x") return undefined
    const items = yield* orInvalidArgument("multicall", () => decodeOutcomes(aggregate3, answer))
    return yield* Effect.forEach(calls, ({ call }, i): Effect.Effect<ReadOutcome> => {
      const { returnData, success } = items[i] ?? { success: false, returnData: "0x" }
      return success
        ? toOutcome(decodeCallAnswer(codec, call, returnData))
        : Effect.succeed(Either.left(makeContractReverted(codec, call, returnData, "it gave no reason")))
    })
  })
}

/** Each by itself: clients that batch send them in one request. */
const readSeparately = (
  chain: ContractChain,
  calls: ReadonlyArray<EncodedRead>,
  options: ReadOptions
): Effect.Effect<ReadonlyArray<ReadOutcome>> =>
  Effect.forEach(
    calls,
    ({ call, data, to }) =>
      toOutcome(
        Effect.flatMap(chain.call(call, { to, data, ...options }), (answer) =>
          decodeCallAnswer(chain.codec, call, answer)
        )
      ),
    { concurrency: 50 }
  )

const splitIntoBatches = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/**
 * Whether fewer calls may succeed after all of them have failed together. They do not if no node can be reached, or the request is
 * invalid.
 */
const canSplit = ({ _tag }: ContractError): boolean =>
  _tag === "RpcError" ||
  _tag === "RequestRejected" ||
  _tag === "ContractReverted" ||
  _tag === "NodeError" ||
  _tag === "CallTimeout"

/** A read that failed without a reason: it reverted without one, or the others left it no gas. A call of its own shows which. */
const isSilentFailure = (outcome: ReadOutcome): boolean => {
  const error = Either.isLeft(outcome) ? leftOf(outcome) : undefined
  return error?._tag === "ContractReverted" && error.data === "0x"
}

interface SplitState {
  readonly chain: ContractChain
  readonly options: ReadOptions
  /** How many parts in a row may fail before the remaining calls get the last error: one more than the halvings down to one call. */
  readonly maxFailures: number
  failuresInRow: number
}

const makeSplitState = (chain: ContractChain, options: ReadOptions, calls: number): SplitState => ({
  chain,
  options,
  maxFailures: Math.ceil(Math.log2(calls)) + 2,
  failuresInRow: 0
})

/** Whether a call has been answered, if only by its contract's refusal. */
const isAnswered = (outcome: ReadOutcome): boolean =>
  Either.isRight(outcome) || leftOf(outcome)._tag === "ContractReverted"

/** Makes one call of its own. Its failure is its outcome. */
const readSingle = (
  state: SplitState,
  calls: ReadonlyArray<EncodedRead>
): Effect.Effect<ReadonlyArray<ReadOutcome>> =>
  Effect.tap(readSeparately(state.chain, calls, state.options), (outcomes) =>
    Effect.sync(() => {
      if (outcomes.some(isAnswered)) state.failuresInRow = 0
    })
  )

/**
 * Asks for all in one call, and for each half where that fails: a node runs out of gas or time, or the answer is too large. What one
 * call fails with by itself is its outcome.
 */
const readSplitting = (
  state: SplitState,
  calls: ReadonlyArray<EncodedRead>
): Effect.Effect<ReadonlyArray<ReadOutcome>, ContractError> => {
  const { chain, options } = state
  if (calls.length <= 1) return readSingle(state, calls)
  return Effect.matchEffect(readTogether(chain, calls, options), {
    onSuccess: (outcomes) => {
      state.failuresInRow = 0
      return outcomes === undefined
        ? readSeparately(chain, calls, options)
        : retrySilentFailures(state, calls, outcomes)
    },
    onFailure: (error) => {
      if (!canSplit(error)) return Effect.fail(error)
      if (++state.failuresInRow > state.maxFailures)
        return Effect.succeed(calls.map((): ReadOutcome => Either.left(error)))
      const middle = Math.ceil(calls.length / 2)
      return Effect.zipWith(
        readSplitting(state, calls.slice(0, middle)),
        readSplitting(state, calls.slice(middle)),
        (first, second) => [...first, ...second]
      )
    }
  })
}

/**
 * Repeats reads that have failed without a reason. The aggregator gives each call all of the remaining gas, and the first of them may
 * have used that of the others. The first is repeated alone, and the others together without it. Those that still fail are repeated one
 * by one.
 */
const retrySilentFailures = (
  { chain, options }: SplitState,
  calls: ReadonlyArray<EncodedRead>,
  outcomes: ReadonlyArray<ReadOutcome>
): Effect.Effect<ReadonlyArray<ReadOutcome>> => {
  const failedSilently = outcomes.flatMap((outcome, i) => (isSilentFailure(outcome) ? [i] : []))
  if (failedSilently.length === 0) return Effect.succeed(outcomes)
  const callsAt = (indices: ReadonlyArray<number>) => calls.filter((_, i) => indices.includes(i))
  return Effect.gen(function* () {
    const others = failedSilently.slice(1)
    const retried = new Map<number, ReadOutcome>()
    if (others.length > 1) {
      const found = yield* toOutcome(readTogether(chain, callsAt(others), options))
      const answered = Either.isRight(found) ? (rightOf(found) ?? []) : []
      for (const [i, each] of answered.entries()) {
        const index = others[i]
        if (index !== undefined && !isSilentFailure(each)) retried.set(index, each)
      }
    }
    const remaining = failedSilently.filter((index) => !retried.has(index))
    const separate = yield* readSeparately(chain, callsAt(remaining), options)
    for (const [i, each] of separate.entries()) retried.set(remaining[i] ?? -1, each)
    return outcomes.map((each, i) => retried.get(i) ?? each)
  })
}

const findBatchSizeProblem = (batchSize: unknown): string | undefined =>
  Number.isSafeInteger(batchSize) && Number(batchSize) >= 1
    ? undefined
    : "batchSize must be a whole number from 1"

/** The outcomes of reads in order. A read that cannot be sent, or reverts, does not affect the others. */
export const runMulticall = (
  client: ContractContext["client"],
  calls: ReadonlyArray<ContractCall>,
  { batchSize = DEFAULT_BATCH_SIZE, block, from }: ReadOptions & MulticallOptions = {}
): Effect.Effect<ReadonlyArray<ReadOutcome>, ContractError> =>
  Effect.gen(function* () {
    const problem = findBatchSizeProblem(batchSize)
    if (problem !== undefined) return yield* invalidArgument("multicall", problem)
    // the client's type ensures that it is one of its family
    const { chain } = yield* loadChainContracts({ client, signer: undefined } as ContractContext)
    const { checkAddress, codec } = chain
    const options = { ...(block === undefined ? {} : { block }), ...(from === undefined ? {} : { from }) }
    const prepared = yield* Effect.forEach(calls, (call) =>
      toOutcome(
        Effect.zipWith(
          checkAddress(call.address),
          encodeCallData(codec, checkAddress, call),
          (to, data): EncodedRead => ({ call, to, data })
        )
      )
    )
    const sendable = prepared.flatMap((each) => (Either.isRight(each) ? [rightOf(each)] : []))
    const answered = yield* Effect.forEach(
      splitIntoBatches(sendable, batchSize),
      (lot) => readSplitting(makeSplitState(chain, options, lot.length), lot),
      { concurrency: 4 }
    )
    const remaining = answered.flat()[Symbol.iterator]()
    return prepared.map((each: Either.Either<EncodedRead, EncodingError>): ReadOutcome => {
      if (Either.isLeft(each)) return Either.left(leftOf(each))
      const next = remaining.next()
      return next.done === true ? Either.right(undefined) : next.value
    })
  })
