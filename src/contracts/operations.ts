/** What is done with a contract at its address, on any chain: loaded with the first of it. */
import * as Effect from "effect/Effect"
import type { Block, Hex, LogFilter } from "../chains/evm/Types.js"
import { isRecord } from "../data/foreign.js"
import { kept } from "../data/loadOnce.js"
import { ContractReverted, type InvalidArgument } from "../data/SdkError.js"
import { refused } from "../signers/Signer.js"
import { type Checks, decoded, encoded, fitting, type Ox } from "./calling.js"
import type { Forms } from "./items.js"
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
export interface EvmParties {
  readonly client: ContractClient
  readonly signer: ContractSigner | undefined
}

/** A client of Tron with a signer. */
export interface TronParties {
  readonly client: TronContractClient
  readonly signer: TronContractSigner | undefined
}

export type Parties = EvmParties | TronParties

/** The options that may stand behind the arguments of a call. */
export type Options = SimulateOptions & TronWriteOptions & WriteOptions

/** A call as bytes. `from` is as the caller writes it. */
export interface Request {
  readonly to: Hex
  readonly data: Hex
  readonly from?: string
  readonly value?: bigint
  readonly block?: Block
}

/** A write, and what it is to answer. */
export interface Write {
  readonly call: ContractCall
  readonly request: Request
  readonly options: Options
  readonly trial: Effect.Effect<unknown, ContractError>
}

/** How the contracts of a chain are called. Their refusals are told. */
export interface Chain {
  readonly ox: Ox
  readonly check: Checks
  /** The bytes of the answer. */
  readonly call: (call: ContractCall, request: Request) => Effect.Effect<Hex, ContractError>
  readonly estimate: (call: ContractCall, request: Request) => Effect.Effect<unknown, ContractError>
  readonly write: (write: Write) => Effect.Effect<unknown, WriteError>
  readonly logs: (filter: LogFilter) => Effect.Effect<ReadonlyArray<ContractLog>, ContractError>
  /** An address of a log as the chain writes it. */
  readonly spell: (address: Hex) => string
  /** The contract that makes calls for others, where the network has one. */
  readonly multicall: string | undefined
}

/** What a module knows of the contracts of its chain. */
export interface Contracts {
  readonly chain: Chain
  readonly at: (address: string) => Operations
}

/** What is done with a contract. */
export interface Operations {
  readonly ask: (call: ContractCall, options: Options) => Effect.Effect<unknown, ContractError>
  readonly estimate: (call: ContractCall, options: Options) => Effect.Effect<unknown, ContractError>
  readonly write: (call: ContractCall, options: Options) => Effect.Effect<unknown, WriteError>
  /** The filter of an event's logs. */
  readonly filter: (
    name: string,
    forms: Forms,
    wanted: unknown
  ) => Effect.Effect<Pick<LogFilter, "address" | "topics">, ContractError>
  readonly list: (
    name: string,
    forms: Forms,
    query: EventQuery<unknown>,
    options: EventOptions
  ) => Effect.Effect<ReadonlyArray<unknown>, ContractError>
  /** The event of a log, or none where the log is not one of it. */
  readonly decode: (
    forms: Forms,
    isStrict: boolean,
    onSkip: EventOptions["onSkip"]
  ) => (log: ContractLog) => ReadonlyArray<unknown>
}

/** The signer of a contract, on whose network it is. */
export const writerOf = <S extends { readonly network: string }>(
  { client, signer }: { readonly client: { readonly network: string }; readonly signer: S | undefined },
  { functionName }: ContractCall
): Effect.Effect<S, InvalidArgument> => {
  if (signer === undefined)
    return Effect.fail(refused(functionName, "a contract writes with a signer: make it with { signer }"))
  return signer.network === client.network
    ? Effect.succeed(signer)
    : Effect.fail(
        refused(
          functionName,
          `the signer is one of ${signer.network}, and the contract is on ${client.network}`
        )
      )
}

export const contractsOver = (chain: Chain, sender: string | undefined): Contracts => ({
  chain,
  at: (address) => operationsOf(chain, address, sender)
})

const operationsOf = (chain: Chain, address: string, sender: string | undefined): Operations => {
  const { check, ox } = chain
  /** The address, once it is known to be one of the network. */
  const checked = kept(check(address))
  const requestOf = (call: ContractCall, { block, from = sender, value }: Options) =>
    Effect.zipWith(
      checked,
      encoded(ox, check, call),
      (to, data): Request => ({
        to,
        data,
        ...(from === undefined ? {} : { from }),
        ...(value === undefined ? {} : { value }),
        ...(block === undefined ? {} : { block })
      })
    )
  const trialOf = (call: ContractCall, request: Request) =>
    Effect.flatMap(chain.call(call, request), (answer) => decoded(ox, call, answer))
  const filter: Operations["filter"] = (name, forms, wanted) =>
    Effect.zipWith(
      checked,
      fitting(name, () => ox.topicsOf(forms, isRecord(wanted) ? wanted : {})),
      (contract, topics) => ({ address: contract, topics })
    )
  const decode: Operations["decode"] = (forms, isStrict, onSkip) => {
    let count = 0
    return (log) => {
      const found = ox.decodeLog(forms, log)
      const event = { ...log, address: chain.spell(log.address), name: forms[0].name }
      if ("args" in found) return [{ ...event, args: found.args }]
      if (!isStrict) return [{ ...event, args: undefined }]
      count++
      try {
        onSkip?.({ log, reason: found.problem, count })
      } catch {
        // the function is the caller's, and no list ends for an error in it
      }
      return []
    }
  }
  return {
    ask: (call, options) => Effect.flatMap(requestOf(call, options), (request) => trialOf(call, request)),
    estimate: (call, options) =>
      Effect.flatMap(requestOf(call, options), (request) => chain.estimate(call, request)),
    write: (call, options) =>
      requestOf(call, options).pipe(
        Effect.flatMap((request) => chain.write({ call, request, options, trial: trialOf(call, request) })),
        // what was mined may have failed all the same: the state was another one by then
        Effect.catchTag("TransactionFailed", ({ hash }) =>
          Effect.fail(
            new ContractReverted({
              address,
              functionName: call.functionName,
              reason: `the transaction ${hash} was mined and failed`
            })
          )
        )
      ),
    filter,
    list: (name, forms, { args, strict = true, ...range }, { onSkip }) =>
      filter(name, forms, args).pipe(
        Effect.flatMap((wanted) =>
          chain.logs(
            range.blockHash === undefined
              ? { ...wanted, fromBlock: "earliest", ...range }
              : { ...wanted, blockHash: range.blockHash }
          )
        ),
        Effect.map((logs) => logs.flatMap(decode(forms, strict, onSkip)))
      ),
    decode
  }
}
