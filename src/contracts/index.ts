/**
 * Contracts of EVM chains and of Tron, and what they know of signatures and names: `effect-chains/effect/contracts`.
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
import {
  type ContractOf,
  type IsTronClient,
  makeContractMembers,
  type ReadOptionsOf,
  subscriptionsMissing
} from "./Contract.js"
import type { ContractContext } from "./contractOperations.js"
import { runMulticall } from "./multicall.js"
import type {
  AnswersOf,
  ContractCall,
  ContractClient,
  ContractError,
  ContractOptions,
  ContractSigner,
  LogClient,
  MulticallOptions,
  TronContractClient,
  TronContractSigner
} from "./Types.js"

export { lookupAddress, resolveName } from "./ensNames.js"
export type * from "./Types.js"
export { verifyMessage, verifyTypedData } from "./verify.js"

type SignerOf<C> = IsTronClient<C> extends true ? TronContractSigner : ContractSigner

const canSubscribe = (client: ContractContext["client"] | LogClient): client is LogClient =>
  "subscribe" in client.rpc

/**
 * A contract at an address of the client's network, whose members follow from its ABI. With a signer it writes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const contract = <
  const A extends Abi | ReadonlyArray<unknown>,
  C extends ContractClient | TronContractClient,
  S extends SignerOf<C> = never
>(
  client: C,
  { signer, ...options }: ContractOptions<A, S>
): ContractOf<A, C, S> =>
  // the members are those of the ABI, which the compiler knows by its type; the signer is one of the client's family by its type
  makeContractMembers({ client, signer } as ContractContext, options, ({ decode, filter, options: given }) =>
    Stream.unwrap(
      Effect.flatMap(Effect.zip(filter, decode), ([wanted, read]) =>
        canSubscribe(client)
          ? Effect.succeed(Stream.mapConcat(client.rpc.subscribe.logs(wanted, given), read))
          : Effect.fail(subscriptionsMissing)
      )
    )
  ) as unknown as ContractOf<A, C, S>

/**
 * Several reads at once, each with an outcome of its own: in one call of the contract that makes calls for others (Multicall3), each
 * 500 of them (`batchSize`) at one block, or one by one on networks that do not have it. Where a node cannot answer so many at once
 * (their gas, time or size), they are asked for in halves, down to one: no call costs the others their answers.
 *
 * @since 0.1.0
 * @category operations
 */
export const multicall = <
  C extends ContractClient | TronContractClient,
  const Calls extends ReadonlyArray<ContractCall>
>(
  client: C,
  calls: Calls,
  options?: ReadOptionsOf<C> & MulticallOptions
): Effect.Effect<
  { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
  ContractError
> =>
  // the answers are of the types that the calls say
  runMulticall(client, calls, options) as Effect.Effect<
    { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
    ContractError
  >
