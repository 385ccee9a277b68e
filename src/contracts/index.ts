/**
 * Contracts of EVM chains, and what they know of signatures and names: `effect-chains/effect/contracts`.
 *
 * ```ts
 * const token = contract(sdk, { address, abi })
 * const balance = yield* token.read.balanceOf(owner)
 * ```
 *
 * @since 0.1.0
 */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { membersOf, needsSubscriptions, type Subscribed, type Writable } from "./Contract.js"
import { outcomesOf } from "./multicall.js"
import type {
  AnswersOf,
  Contract,
  ContractCall,
  ContractClient,
  ContractError,
  ContractOptions,
  ContractSigner,
  LogClient,
  ReadOptions
} from "./Types.js"

export { lookupAddress, resolveName } from "./names.js"
export type * from "./Types.js"
export { verifyMessage, verifyTypedData } from "./verify.js"

const subscribes = (client: ContractClient): client is LogClient => "subscribe" in client.rpc

/**
 * A contract at an address of the client's network, whose members follow from its ABI. With a signer it writes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const contract = <
  const A extends Abi | ReadonlyArray<unknown>,
  C extends ContractClient,
  S extends ContractSigner = never
>(
  client: C,
  options: ContractOptions<A, S>
): Contract<A, Writable<S>, Subscribed<C>> =>
  // the members are those of the ABI, which the compiler knows by its type
  membersOf(client, options, ({ decode, filter, options: given }) =>
    Stream.unwrap(
      Effect.flatMap(filter, (wanted) =>
        subscribes(client)
          ? Effect.succeed(Stream.mapEffect(client.rpc.subscribe.logs(wanted, given), decode))
          : Effect.fail(needsSubscriptions)
      )
    )
  ) as unknown as Contract<A, Writable<S>, Subscribed<C>>

/**
 * Several reads at once, each with an outcome of its own: in one call of the contract that makes calls for others (Multicall3), each
 * 500 of them at one block, or one by one on chains that do not have it.
 *
 * @since 0.1.0
 * @category operations
 */
export const multicall = <const Calls extends ReadonlyArray<ContractCall>>(
  client: ContractClient,
  calls: Calls,
  options?: ReadOptions
): Effect.Effect<
  { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
  ContractError
> =>
  // the answers are of the types that the calls say
  outcomesOf(client, calls, options) as Effect.Effect<
    { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
    ContractError
  >
