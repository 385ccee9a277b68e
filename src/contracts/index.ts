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
import type { OnThisEffect } from "../data/effectVersion.js"
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
 * Makes a contract at an address of the client's network. Its ABI types its members, and a signer lets it write.
 *
 * @since 0.1.0
 * @category constructors
 */
export const contract = <
  const A extends Abi | ReadonlyArray<unknown>,
  C extends ContractClient | TronContractClient,
  S extends SignerOf<C> = never
>(
  client: OnThisEffect<C>,
  { signer, ...options }: ContractOptions<A, S>
): ContractOf<A, C, S> =>
  // the ABI types the members; the client's type ensures that the signer is of its family
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
 * Makes several reads at once, each with an outcome of its own: in calls of Multicall3, 500 reads each (`batchSize`) at one block, or one
 * by one on networks without it. If a node cannot answer so many at once (gas, time or size), they are split in halves, down to one, so
 * that no call costs the others their answers.
 *
 * @since 0.1.0
 * @category operations
 */
export const multicall = <
  C extends ContractClient | TronContractClient,
  const Calls extends ReadonlyArray<ContractCall>
>(
  client: OnThisEffect<C>,
  calls: Calls,
  options?: ReadOptionsOf<C> & MulticallOptions
): Effect.Effect<
  { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
  ContractError
> =>
  // the answers have the types of the calls
  runMulticall(client, calls, options) as Effect.Effect<
    { readonly [K in keyof AnswersOf<Calls>]: Either.Either<AnswersOf<Calls>[K], ContractError> },
    ContractError
  >
