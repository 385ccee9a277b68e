/** Many reads at once. */
import type { AbiFunction } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Hex } from "../chains/evm/Types.js"
import type { InvalidAddress, InvalidArgument } from "../data/SdkError.js"
import { contractsOf } from "./Contract.js"
import { decoded, encoded, fitting, loadOx, revert } from "./calling.js"
import type { Chain, Parties } from "./operations.js"
import type { ContractCall, ContractError, ReadOptions } from "./Types.js"

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

const lotsOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / MOST) }, (_, i) => items.slice(i * MOST, (i + 1) * MOST))

/** The outcomes of reads in their order. One that cannot be sent, or is refused, costs the others nothing. */
export const outcomesOf = (
  client: Parties["client"],
  calls: ReadonlyArray<ContractCall>,
  { block, from }: ReadOptions = {}
): Effect.Effect<ReadonlyArray<Outcome>, ContractError> =>
  Effect.gen(function* () {
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
      lotsOf(sendable),
      (lot) =>
        Effect.flatMap(together(chain, lot, options), (outcomes) =>
          outcomes === undefined ? apart(chain, lot, options) : Effect.succeed(outcomes)
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
