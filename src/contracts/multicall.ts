/** Many reads at once. */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Hex } from "../chains/evm/Types.js"
import type { InvalidAddress, InvalidArgument } from "../data/SdkError.js"
import {
  checksOf,
  decoded,
  encoded,
  fitting,
  loadOx,
  type OxModule,
  revert,
  tellingReverts
} from "./calling.js"
import type { ContractCall, ContractClient, ContractError, ReadOptions } from "./Types.js"

/** The contract that makes calls for others, at one address on more than 250 chains (Multicall3). */
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"

/** Calls in one: nodes limit the gas of a call, and 500 reads of tokens need about a fifth of what the strictest allow. */
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
  { rpc }: ContractClient,
  ox: OxModule,
  calls: ReadonlyArray<Sendable>,
  { block, from }: ReadOptions
): Effect.Effect<ReadonlyArray<Outcome> | undefined, ContractError> => {
  const asked: ContractCall = {
    abi: [],
    address: MULTICALL,
    functionName: "multicall",
    item: aggregate,
    args: [calls.map(({ data, to }) => ({ target: to, allowFailure: true, callData: data }))]
  }
  return Effect.gen(function* () {
    const data = yield* fitting("multicall", () => ox.encodeCall(aggregate, asked.args))
    const request = { to: MULTICALL, data, ...(from === undefined ? {} : { from }) }
    const answer = yield* tellingReverts(
      ox,
      asked
    )(block === undefined ? rpc.call(request) : rpc.call(request, block))
    if (answer === "0x") return undefined
    const items = yield* fitting("multicall", () => ox.decodeOutcomes(aggregate, answer))
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
  { rpc }: ContractClient,
  ox: OxModule,
  calls: ReadonlyArray<Sendable>,
  { block, from }: ReadOptions
): Effect.Effect<ReadonlyArray<Outcome>> =>
  Effect.forEach(
    calls,
    ({ call, data, to }) => {
      const request = { to, data, ...(from === undefined ? {} : { from }) }
      const asked = block === undefined ? rpc.call(request) : rpc.call(request, block)
      return outcome(Effect.flatMap(tellingReverts(ox, call)(asked), (answer) => decoded(ox, call, answer)))
    },
    { concurrency: 50 }
  )

const lotsOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / MOST) }, (_, i) => items.slice(i * MOST, (i + 1) * MOST))

/** The outcomes of reads in their order. One that cannot be sent, or is refused, costs the others nothing. */
export const outcomesOf = (
  client: ContractClient,
  calls: ReadonlyArray<ContractCall>,
  options: ReadOptions = {}
): Effect.Effect<ReadonlyArray<Outcome>, ContractError> =>
  Effect.gen(function* () {
    const ox = yield* loadOx
    const check = yield* checksOf(client.network)
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
      lotsOf(sendable),
      (lot) =>
        Effect.flatMap(together(client, ox, lot, options), (outcomes) =>
          outcomes === undefined ? apart(client, ox, lot, options) : Effect.succeed(outcomes)
        ),
      { concurrency: 4 }
    )
    const left = answered.flat()[Symbol.iterator]()
    return prepared.map((each: Either.Either<Sendable, Refusal>): Outcome => {
      if (Either.isLeft(each)) return Either.left(each.left)
      const next = left.next()
      return next.done === true ? Either.right(undefined) : next.value
    })
  })
