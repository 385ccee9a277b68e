/**
 * Contracts of EVM chains and of Tron, signature checks and ENS names, for Promise clients:
 * `effect-chains/contracts`.
 *
 * ```ts
 * const token = contract(sdk, { address, abi })
 * const balance = await token.read.balanceOf(owner)
 * ```
 *
 * @since 0.1.0
 */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import {
  type PromisedClient,
  runToResult,
  toEffectCalls,
  toEffectClient,
  toPromiseCalls
} from "./client/promiseBridge.js"
import {
  type ContractOf,
  type EventStreamSource,
  type IsTronClient,
  makeContractMembers,
  type ReadOptionsOf,
  subscriptionsMissing
} from "./contracts/Contract.js"
import type { ContractContext } from "./contracts/contractOperations.js"
import * as Names from "./contracts/ensNames.js"
import { runMulticall } from "./contracts/multicall.js"
import type {
  AnswersOf,
  ContractCall,
  ContractClient,
  ContractError,
  ContractOptions,
  ContractSigner,
  LogClient,
  MulticallOptions,
  NameError,
  NameOptions,
  TronContractClient,
  TronContractSigner
} from "./contracts/Types.js"
import * as Verify from "./contracts/verify.js"
import { failure, type Result, success } from "./data/CallResult.js"
import type { Promised } from "./transport/Client.js"

export type { PromisedClient } from "./client/promiseBridge.js"
export type * from "./contracts/Types.js"
export type { Result } from "./data/CallResult.js"

type Client = PromisedClient<ContractClient>
type TronClient = PromisedClient<TronContractClient>
type SignerOf<C> = Promised<IsTronClient<C> extends true ? TronContractSigner : ContractSigner>

const canSubscribe = (
  client: Client | TronClient | PromisedClient<LogClient>
): client is PromisedClient<LogClient> => "subscribe" in client.rpc

/** Yields the events of a subscription one by one. It ends after the first ERROR. */
const streamEvents = (client: Client | TronClient, { decode, filter, options }: EventStreamSource) => ({
  async *[Symbol.asyncIterator](): AsyncGenerator<Result<unknown, Error>> {
    const reading = Effect.zipWith(filter, decode, (wanted, read) => ({ wanted, read }))
    const ready = canSubscribe(client) ? await runToResult(reading) : failure(subscriptionsMissing)
    if (ready.status === "ERROR" || !canSubscribe(client)) {
      yield ready
      return
    }
    const { read, wanted } = ready.data
    for await (const log of client.rpc.subscribe.logs(wanted, options)) {
      if (log.status === "ERROR") {
        yield log
        return
      }
      for (const event of read(log.data)) yield success(event)
    }
  }
})

/**
 * Makes a contract at an address of the client's network. Its members follow from its ABI. With a signer it can
 * write.
 *
 * @since 0.1.0
 * @category constructors
 */
export const contract = <
  const A extends Abi | ReadonlyArray<unknown>,
  C extends Client | TronClient,
  S extends SignerOf<C> = never
>(
  client: C,
  { signer, ...options }: ContractOptions<A, S>
): Promised<ContractOf<A, C, S>> =>
  // members follow from the type of the ABI; the signer's type is that of the client's family
  toPromiseCalls(
    makeContractMembers(
      {
        client: toEffectClient<ContractContext["client"]>(client),
        signer: signer === undefined ? undefined : toEffectCalls<object>(signer)
      } as ContractContext,
      options,
      (streaming) => streamEvents(client, streaming)
    )
  ) as unknown as Promised<ContractOf<A, C, S>>

/**
 * Sends several reads at once, each with its own result. One call of the Multicall3 contract has up to 500 reads
 * (`batchSize`), at one block; networks without that contract get one call for each read. If a node cannot answer so
 * many at once (gas, time or size), they are sent in halves, down to one: no read costs the others their answers.
 *
 * @since 0.1.0
 * @category operations
 */
export const multicall = async <
  C extends Client | TronClient,
  const Calls extends ReadonlyArray<ContractCall>
>(
  client: C,
  calls: Calls,
  options?: ReadOptionsOf<C> & MulticallOptions
): Promise<
  Result<
    { readonly [K in keyof AnswersOf<Calls>]: Result<AnswersOf<Calls>[K], ContractError> },
    ContractError
  >
> => {
  const outcomes = await runToResult(
    runMulticall(toEffectClient<ContractContext["client"]>(client), calls, options)
  )
  return outcomes.status === "ERROR"
    ? outcomes
    : success(
        // the types of answers follow from the calls
        outcomes.data.map(Either.match({ onLeft: failure, onRight: success })) as unknown as {
          readonly [K in keyof AnswersOf<Calls>]: Result<AnswersOf<Calls>[K], ContractError>
        }
      )
}

/**
 * Checks whether an account signed a message: by its key, or by its contract (ERC-1271), which need not be deployed
 * yet (ERC-6492).
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyMessage = (
  client: Client,
  given: Verify.SignedMessage
): Promise<Result<boolean, Verify.VerifyError>> =>
  runToResult(Verify.verifyMessage(toEffectClient<ContractClient>(client), given))

/**
 * Checks whether an account signed typed data (EIP-712): by its key, or by its contract (ERC-1271), which need not be
 * deployed yet (ERC-6492).
 *
 * @since 0.1.0
 * @category operations
 */
export const verifyTypedData = (
  client: Client,
  given: Verify.SignedTypedData
): Promise<Result<boolean, Verify.VerifyError>> =>
  runToResult(Verify.verifyTypedData(toEffectClient<ContractClient>(client), given))

/** Converts a custom CCIP-Read gateway to effects. */
const toEffectNameOptions = ({ ccipRead = true }: NameOptions<PromiseLike<string>> = {}): NameOptions => ({
  ccipRead:
    typeof ccipRead === "function"
      ? (request) => Effect.tryPromise({ try: () => ccipRead(request), catch: (error) => error })
      : ccipRead
})

/**
 * Resolves an ENS name to its address, or to null if it has none.
 *
 * @since 0.1.0
 * @category operations
 */
export const resolveName = (
  client: Client,
  name: string,
  options?: NameOptions<PromiseLike<string>>
): Promise<Result<string | null, NameError>> =>
  runToResult(Names.resolveName(toEffectClient<ContractClient>(client), name, toEffectNameOptions(options)))

/**
 * Looks up the ENS name of an address. Returns null unless the name resolves to the address.
 *
 * @since 0.1.0
 * @category operations
 */
export const lookupAddress = (
  client: Client,
  address: string,
  options?: NameOptions<PromiseLike<string>>
): Promise<Result<string | null, NameError>> =>
  runToResult(
    Names.lookupAddress(toEffectClient<ContractClient>(client), address, toEffectNameOptions(options))
  )
