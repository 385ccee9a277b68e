/** Encodes calls of contracts, and decodes their answers and reverts. */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { addressProblem } from "../data/evmAddress.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import { evmFamilies } from "../data/Network.js"
import {
  ContractReverted,
  type InvalidAddress,
  type InvalidArgument,
  type LoadError,
  type MissingPeer,
  type RpcError,
  reasonOf
} from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { checkAddress, invalidArgument, loadNetworkRow } from "../signers/signerChecks.js"
import { collectAddresses } from "./abiValues.js"
import type { ContractCall } from "./Types.js"

export type CodecModule = typeof import("./abiCodec.js")

/** What encodes and decodes, with addresses as the chain writes them. */
export type AbiCodec = Omit<CodecModule, "decodeOutcomes">

export const loadCodec: Effect.Effect<CodecModule, MissingPeer> = /*#__PURE__*/ memoizeSuccess(
  /*#__PURE__*/ loadPeer("ox", () => import("./abiCodec.js"))
)

/** The encoder's errors say which value does not fit. */
export const orInvalidArgument = <A>(call: string, make: () => A): Effect.Effect<A, InvalidArgument> =>
  Effect.try({
    try: make,
    // the first paragraph: what follows are links and versions of ox
    catch: (error) => invalidArgument(call, reasonOf(error).split("\n\n")[0] ?? "")
  })

/** How addresses of a network are checked: on some chains the checksum depends on their id. */
export type AddressCheck = (address: unknown) => Effect.Effect<Hex, InvalidAddress>

export const makeAddressCheck = (network: string): Effect.Effect<AddressCheck, InvalidArgument | LoadError> =>
  Effect.map(
    loadNetworkRow(network, evmFamilies),
    ({ chainId }): AddressCheck =>
      (address) =>
        Effect.map(
          checkAddress(
            network,
            String(address),
            typeof address === "string" ? addressProblem(address, chainId) : "must be text"
          ),
          (checked) => checked as Hex
        )
  )

/** Encodes a call, after checking its addresses for typing errors. */
export const encodeCallData = (
  ox: AbiCodec,
  check: AddressCheck,
  { args, functionName, item }: ContractCall
): Effect.Effect<Hex, InvalidArgument | InvalidAddress> =>
  Effect.zipRight(
    Effect.forEach(collectAddresses(item.inputs, args), check),
    orInvalidArgument(functionName, () => ox.encodeCall(item, args))
  )

/** Decodes an answer. Addresses without code answer with no bytes. */
export const decodeCallAnswer = (
  ox: AbiCodec,
  { address, functionName, item }: ContractCall,
  answer: Hex
): Effect.Effect<unknown, InvalidArgument> =>
  answer === "0x" && item.outputs.length > 0
    ? Effect.fail(
        invalidArgument(
          functionName,
          `the answer of ${address} is empty: there is no contract, or it has no such function`
        )
      )
    : orInvalidArgument(functionName, () => ox.decodeAnswer(item, answer))

/** The fields in which nodes and wallets put a contract's bytes, and the errors that they wrap around them. */
const errorMembers = ["data", "result", "return", "output", "originalError", "error", "cause"]

/** How deep wallets and gateways wrap an error. */
const MAX_ERROR_DEPTH = 6

/** What an error holds, itself first: each error in it, and the members that a node has named after transactions (ganache). */
const collectNested = (data: unknown, depth = MAX_ERROR_DEPTH): ReadonlyArray<unknown> => {
  if (!isRecord(data) || depth === 0) return [data]
  const named = errorMembers.flatMap((name) =>
    data[name] === undefined ? [] : collectNested(data[name], depth - 1)
  )
  const ofTransactions = Object.entries(data).flatMap(([name, value]) =>
    /^0x[0-9a-f]{64}$/i.test(name) ? collectNested(value, depth - 1) : []
  )
  return [data, ...named, ...ofTransactions]
}

/** Bytes with 0x or without, alone or after the word that OpenEthereum puts before them. */
const bytesPattern = /^(?:reverted\s+)?(?:0x)?((?:[0-9a-f]{2})*)$/i

const parseBytes = (value: unknown): Hex | undefined => {
  const digits = typeof value === "string" ? bytesPattern.exec(value.trim())?.[1] : undefined
  return digits === undefined || value === "" ? undefined : `0x${digits.toLowerCase()}`
}

/** Finds the bytes of a revert, wherever a node puts them. */
const findRevertData = (data: unknown): Hex | undefined => {
  const found = collectNested(data).flatMap((each) => parseBytes(each) ?? [])
  return found.find((each) => each.length >= SELECTOR_LENGTH) ?? found[0]
}

/** An error of a contract begins with its selector. */
const SELECTOR_LENGTH = "0x12345678".length

const mentionsRevert = (value: unknown): boolean => typeof value === "string" && /revert/i.test(value)

/** The message of the innermost error that mentions a revert. */
const findRevertMessage = ({ data, rpcMessage }: RpcError): string => {
  const said = collectNested(data).flatMap((each) =>
    isRecord(each) && mentionsRevert(each.message) ? [String(each.message)] : []
  )
  return said.at(-1) ?? rpcMessage
}

/**
 * Whether the contract has reverted, and not the node failed: by the code, the contract's bytes or the message, of the error or one
 * inside it.
 */
export const isRevert = ({ code, data, rpcMessage }: RpcError): boolean =>
  code === 3 ||
  mentionsRevert(rpcMessage) ||
  (findRevertData(data)?.length ?? 0) >= SELECTOR_LENGTH ||
  collectNested(data).some((each) =>
    isRecord(each) ? each.code === 3 || mentionsRevert(each.message) : mentionsRevert(each)
  )

/** A contract's refusal, by its bytes. */
export const makeContractReverted = (
  ox: AbiCodec,
  { abi, address, functionName }: ContractCall,
  data: Hex | undefined,
  message: string
): ContractReverted => {
  const decodedError = data === undefined || data === "0x" ? undefined : ox.decodeRevert(abi as Abi, data)
  return new ContractReverted({
    address,
    functionName,
    ...(decodedError ?? { reason: message }),
    ...(data === undefined ? {} : { data })
  })
}

const isRpcError = (error: { readonly _tag: string }): error is RpcError => error._tag === "RpcError"

/** Turns a node's error about a revert into the contract's error. */
export const mapReverts =
  (ox: AbiCodec, call: ContractCall) =>
  <A, E extends { readonly _tag: string }>(
    effect: Effect.Effect<A, E>
  ): Effect.Effect<A, E | ContractReverted> =>
    Effect.mapError(effect, (error) =>
      isRpcError(error) && isRevert(error)
        ? makeContractReverted(ox, call, findRevertData(error.data), findRevertMessage(error))
        : error
    )
