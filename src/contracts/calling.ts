/** Calls of contracts as bytes, and what their answers and refusals mean. */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { addressProblem } from "../data/evmAddress.js"
import { isRecord } from "../data/foreign.js"
import { kept, loadPeer } from "../data/loadOnce.js"
import { evmFamilies, type Network } from "../data/Network.js"
import {
  ContractReverted,
  type InvalidAddress,
  type InvalidArgument,
  type LoadError,
  type MissingPeer,
  type RpcError,
  reasonOf
} from "../data/SdkError.js"
import { addressed, refused, rowOf } from "../signers/Signer.js"
import { addressesIn } from "./addresses.js"
import type { ContractCall } from "./Types.js"

export type OxModule = typeof import("./ox.js")

/** What encodes and decodes, with addresses as the chain writes them. */
export type Ox = Omit<OxModule, "decodeOutcomes">

export const loadOx: Effect.Effect<OxModule, MissingPeer> = /*#__PURE__*/ kept(
  /*#__PURE__*/ loadPeer("ox", () => import("./ox.js"))
)

/** What ox throws says what does not fit. */
export const fitting = <A>(call: string, make: () => A): Effect.Effect<A, InvalidArgument> =>
  Effect.try({
    try: make,
    // the first paragraph: what follows are links and versions of ox
    catch: (error) => refused(call, reasonOf(error).split("\n\n")[0] ?? "")
  })

/** How addresses of a network are checked: on some chains the checksum depends on their id. */
export type Checks = (address: unknown) => Effect.Effect<Hex, InvalidAddress>

export const checksOf = (network: Network): Effect.Effect<Checks, InvalidArgument | LoadError> =>
  Effect.map(
    rowOf(network, evmFamilies),
    ({ chainId }): Checks =>
      (address) =>
        Effect.map(
          addressed(
            network,
            String(address),
            typeof address === "string" ? addressProblem(address, chainId) : "must be text"
          ),
          (checked) => checked as Hex
        )
  )

/** The bytes of a call, none of whose addresses is mistyped. */
export const encoded = (
  ox: Ox,
  check: Checks,
  { args, functionName, item }: ContractCall
): Effect.Effect<Hex, InvalidArgument | InvalidAddress> =>
  Effect.zipRight(
    Effect.forEach(addressesIn(item.inputs, args), check),
    fitting(functionName, () => ox.encodeCall(item, args))
  )

/** The meaning of an answer. An empty one comes from addresses without code, too. */
export const decoded = (
  ox: Ox,
  { address, functionName, item }: ContractCall,
  answer: Hex
): Effect.Effect<unknown, InvalidArgument> =>
  answer === "0x" && item.outputs.length > 0
    ? Effect.fail(
        refused(
          functionName,
          `the answer of ${address} is empty: there is no contract, or it has no such function`
        )
      )
    : fitting(functionName, () => ox.decodeAnswer(item, answer))

/** The bytes that a contract gave with its refusal, wherever a node puts them. */
const dataOf = (data: unknown): Hex | undefined => {
  const text = isRecord(data) ? dataOf(data.data) : data
  return typeof text === "string" ? (/0x(?:[0-9a-f]{2})*/i.exec(text)?.[0].toLowerCase() as Hex) : undefined
}

/** Whether a contract has refused, and not the node. */
export const isRevert = ({ code, data, rpcMessage }: RpcError): boolean =>
  code === 3 || /revert/i.test(rpcMessage) || (typeof data === "string" && /^reverted/i.test(data))

/** A contract's refusal, by its bytes. */
export const revert = (
  ox: Ox,
  { abi, address, functionName }: ContractCall,
  data: Hex | undefined,
  said: string
): ContractReverted => {
  const known = data === undefined || data === "0x" ? undefined : ox.revertOf(abi as Abi, data)
  return new ContractReverted({
    address,
    functionName,
    ...(known ?? { reason: said }),
    ...(data === undefined ? {} : { data })
  })
}

const isRpcError = (error: { readonly _tag: string }): error is RpcError => error._tag === "RpcError"

/** Turns what nodes say of a refusal into what the contract says. */
export const tellingReverts =
  (ox: Ox, call: ContractCall) =>
  <A, E extends { readonly _tag: string }>(
    effect: Effect.Effect<A, E>
  ): Effect.Effect<A, E | ContractReverted> =>
    Effect.mapError(effect, (error) =>
      isRpcError(error) && isRevert(error) ? revert(ox, call, dataOf(error.data), error.rpcMessage) : error
    )
