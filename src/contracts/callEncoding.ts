/** Encodes calls of contracts, and decodes their answers and reverts. */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { addressProblem } from "../data/evmAddress.js"
import { loadPeer, memoizeSuccess } from "../data/loadOnce.js"
import { evmFamilies } from "../data/Network.js"
import { findRevertData, findRevertMessage, isRevert } from "../data/revert.js"
import {
  ContractReverted,
  type InvalidAddress,
  type InvalidArgument,
  type LoadError,
  type MissingPeer,
  type RpcError,
  reasonOf
} from "../data/SdkError.js"
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
