/** The operations of a contract, on any chain. Loaded with the first of them. */
import * as Effect from "effect/Effect"
import type { Block, Hex, LogFilter } from "../chains/evm/Types.js"
import { memoizeSuccess } from "../data/loadOnce.js"
import {
  type ContractReverted,
  copyError,
  type InvalidArgument,
  type TransactionFailed
} from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { invalidArgument } from "../signers/signerChecks.js"
import type { EventForms } from "./abiItems.js"
import {
  type AbiCodec,
  type AddressCheck,
  decodeCallAnswer,
  encodeCallData,
  makeContractReverted,
  orInvalidArgument
} from "./callEncoding.js"
import type {
  ContractCall,
  ContractClient,
  ContractError,
  ContractLog,
  ContractSigner,
  EventOptions,
  EventQuery,
  SimulateOptions,
  TronContractClient,
  TronContractSigner,
  TronWriteOptions,
  WriteError,
  WriteOptions
} from "./Types.js"

/** A client of an EVM chain with a signer. */
export interface EvmContractContext {
  readonly client: ContractClient
  readonly signer: ContractSigner | undefined
}

/** A client of Tron with a signer. */
export interface TronContractContext {
  readonly client: TronContractClient
  readonly signer: TronContractSigner | undefined
}

export type ContractContext = EvmContractContext | TronContractContext

/** The options after the arguments of a call. */
export type AnyContractOptions = SimulateOptions & TronWriteOptions & WriteOptions

/** A call as bytes. `from` is as the caller writes it. */
export interface CallRequest {
  readonly to: Hex
  readonly data: Hex
  readonly from?: string
  readonly value?: bigint
  readonly block?: Block
}

/** A write, and its simulation. */
export interface WriteRequest {
  readonly call: ContractCall
  readonly request: CallRequest
  readonly options: AnyContractOptions
  readonly simulation: Effect.Effect<unknown, ContractError>
}

/** How contracts of a chain are called. Reverts are errors of the contract. */
export interface ContractChain {
  readonly codec: AbiCodec
  readonly checkAddress: AddressCheck
  /** The bytes of the answer. */
  readonly call: (call: ContractCall, request: CallRequest) => Effect.Effect<Hex, ContractError>
  readonly estimate: (call: ContractCall, request: CallRequest) => Effect.Effect<unknown, ContractError>
  readonly write: (write: WriteRequest) => Effect.Effect<unknown, WriteError>
  readonly getLogs: (filter: LogFilter) => Effect.Effect<ReadonlyArray<ContractLog>, ContractError>
  /** An address of a log as the chain writes it. */
  readonly formatAddress: (address: Hex) => string
  /** The contract that aggregates calls, on networks that have it. */
  readonly multicallAddress: string | undefined
}

/** What a module knows of the contracts of its chain. */
export interface ChainContracts {
  readonly chain: ContractChain
  readonly operationsAt: (address: string) => ContractOperations
}

/** The operations of a contract. */
export interface ContractOperations {
  readonly ask: (call: ContractCall, options: AnyContractOptions) => Effect.Effect<unknown, ContractError>
  readonly estimate: (
    call: ContractCall,
    options: AnyContractOptions
  ) => Effect.Effect<unknown, ContractError>
  readonly write: (call: ContractCall, options: AnyContractOptions) => Effect.Effect<unknown, WriteError>
  /** The filter of an event's logs. */
  readonly makeFilter: (
    name: string,
    forms: EventForms,
    wanted: unknown
  ) => Effect.Effect<Pick<LogFilter, "address" | "topics">, ContractError>
  readonly listEvents: (
    name: string,
    forms: EventForms,
    query: EventQuery<unknown>,
    options: EventOptions
  ) => Effect.Effect<ReadonlyArray<unknown>, ContractError>
  /** Decodes a log to its event; empty if the log is of another event. */
  readonly makeEventDecoder: (
    forms: EventForms,
    isStrict: boolean,
    onSkip: EventOptions["onSkip"]
  ) => (log: ContractLog) => ReadonlyArray<unknown>
}

/** The signer of a contract, which must be on the contract's network. */
export const requireSigner = <S extends { readonly network: string }>(
  { client, signer }: { readonly client: { readonly network: string }; readonly signer: S | undefined },
  { functionName }: ContractCall
): Effect.Effect<S, InvalidArgument> => {
  if (signer === undefined)
    return Effect.fail(
      invalidArgument(functionName, "a contract writes with a signer: make it with { signer }")
    )
  return signer.network === client.network
    ? Effect.succeed(signer)
    : Effect.fail(
        invalidArgument(
          functionName,
          `the signer is one of ${signer.network}, and the contract is on ${client.network}`
        )
      )
}

export const makeContracts = (chain: ContractChain, sender: string | undefined): ChainContracts => ({
  chain,
  operationsAt: (address) => makeOperations(chain, address, sender)
})

/** Makes the decoder of an event's logs. A strict one skips logs that cannot be decoded, and tells `onSkip` of each. */
const makeEventDecoder =
  ({ codec, formatAddress }: ContractChain): ContractOperations["makeEventDecoder"] =>
  (forms, isStrict, onSkip) => {
    let count = 0
    return (log) => {
      const found = codec.decodeLog(forms, log)
      const event = { ...log, address: formatAddress(log.address), name: forms[0].name }
      if ("args" in found) return [{ ...event, args: found.args }]
      if (!isStrict) return [{ ...event, args: undefined }]
      count++
      try {
        onSkip?.({ log, reason: found.problem, count })
      } catch {
        // the function is the caller's: an error in it must not end the list
      }
      return []
    }
  }

/** The refusal of a contract that was mined, with the names of its ABI. */
const toMinedRevert = (
  codec: AbiCodec,
  call: ContractCall,
  { data, hash, reason }: TransactionFailed
): ContractReverted =>
  copyError(
    makeContractReverted(codec, call, data === undefined ? undefined : `0x${data.slice(2)}`, reason),
    (value, field) => (field === "reason" ? `the transaction ${hash} was mined and failed: ${value}` : value)
  )

const makeOperations = (
  chain: ContractChain,
  address: string,
  sender: string | undefined
): ContractOperations => {
  const { checkAddress, codec } = chain
  /** The address, after the check that it is one of the network. */
  const checkedAddress = memoizeSuccess(checkAddress(address))
  const encodeRequest = (call: ContractCall, { block, from = sender, value }: AnyContractOptions) =>
    Effect.zipWith(
      checkedAddress,
      encodeCallData(codec, checkAddress, call),
      (to, data): CallRequest => ({
        to,
        data,
        ...(from === undefined ? {} : { from }),
        ...(value === undefined ? {} : { value }),
        ...(block === undefined ? {} : { block })
      })
    )
  const simulate = (call: ContractCall, request: CallRequest) =>
    Effect.flatMap(chain.call(call, request), (answer) => decodeCallAnswer(codec, call, answer))
  const makeFilter: ContractOperations["makeFilter"] = (name, forms, wanted) =>
    Effect.zipWith(
      checkedAddress,
      orInvalidArgument(name, () => codec.encodeTopics(forms, isRecord(wanted) ? wanted : {})),
      (contract, topics) => ({ address: contract, topics })
    )
  const decoderOf = makeEventDecoder(chain)
  return {
    ask: (call, options) =>
      Effect.flatMap(encodeRequest(call, options), (request) => simulate(call, request)),
    estimate: (call, options) =>
      Effect.flatMap(encodeRequest(call, options), (request) => chain.estimate(call, request)),
    write: (call, options) =>
      encodeRequest(call, options).pipe(
        Effect.flatMap((request) =>
          chain.write({ call, request, options, simulation: simulate(call, request) })
        ),
        // a simulated write may still fail in its block, since the state has changed
        Effect.catchTag("TransactionFailed", (failure) => Effect.fail(toMinedRevert(codec, call, failure)))
      ),
    makeFilter,
    listEvents: (name, forms, { args, strict = true, ...range }, { onSkip }) =>
      makeFilter(name, forms, args).pipe(
        Effect.flatMap((wanted) =>
          chain.getLogs(
            range.blockHash === undefined
              ? { ...wanted, fromBlock: "earliest", ...range }
              : { ...wanted, blockHash: range.blockHash }
          )
        ),
        Effect.map((logs) => logs.flatMap(decoderOf(forms, strict, onSkip)))
      ),
    makeEventDecoder: decoderOf
  }
}
