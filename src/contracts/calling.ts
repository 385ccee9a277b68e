/** Calls of contracts as bytes, and what their answers and refusals mean. */
import type { Abi } from "abitype"
import * as Effect from "effect/Effect"
import type { Hex } from "../chains/evm/Types.js"
import { addressProblem } from "../data/evmAddress.js"
import { isRecord } from "../data/foreign.js"
import { kept, loadPeer } from "../data/loadOnce.js"
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
import { addressed, refused, rowOf } from "../signers/Signer.js"
import type { ContractCall } from "./Types.js"
import { addressesIn } from "./values.js"

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

export const checksOf = (network: string): Effect.Effect<Checks, InvalidArgument | LoadError> =>
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

/** The members under which nodes and wallets put a contract's bytes, and the errors that they wrap around those. */
const holders = ["data", "result", "return", "output", "originalError", "error", "cause"]

/** How deep wallets and gateways wrap an error. */
const WRAPPED = 6

/** What an error holds, itself first: each error in it, and the members that a node has named after transactions (ganache). */
const within = (data: unknown, depth = WRAPPED): ReadonlyArray<unknown> => {
  if (!isRecord(data) || depth === 0) return [data]
  const named = holders.flatMap((name) => (data[name] === undefined ? [] : within(data[name], depth - 1)))
  const ofTransactions = Object.entries(data).flatMap(([name, value]) =>
    /^0x[0-9a-f]{64}$/i.test(name) ? within(value, depth - 1) : []
  )
  return [data, ...named, ...ofTransactions]
}

/** Bytes with their 0x or without it, alone or behind the word that OpenEthereum has before them. */
const bytes = /^(?:reverted\s+)?(?:0x)?((?:[0-9a-f]{2})*)$/i

const bytesOf = (value: unknown): Hex | undefined => {
  const digits = typeof value === "string" ? bytes.exec(value.trim())?.[1] : undefined
  return digits === undefined || value === "" ? undefined : `0x${digits.toLowerCase()}`
}

/** The bytes that a contract gave with its refusal, wherever a node puts them. */
const dataOf = (data: unknown): Hex | undefined => {
  const found = within(data).flatMap((each) => bytesOf(each) ?? [])
  return found.find((each) => each.length >= SELECTOR) ?? found[0]
}

/** An error of a contract begins with its selector. */
const SELECTOR = "0x12345678".length

const speaksOfRevert = (value: unknown): boolean => typeof value === "string" && /revert/i.test(value)

/** The words of the innermost error that speaks of a refusal. */
const saidOf = ({ data, rpcMessage }: RpcError): string => {
  const said = within(data).flatMap((each) =>
    isRecord(each) && speaksOfRevert(each.message) ? [String(each.message)] : []
  )
  return said.at(-1) ?? rpcMessage
}

/** Whether a contract has refused, and not the node: by the code, by the contract's bytes, or by the word, in the error or one in it. */
export const isRevert = ({ code, data, rpcMessage }: RpcError): boolean =>
  code === 3 ||
  speaksOfRevert(rpcMessage) ||
  (dataOf(data)?.length ?? 0) >= SELECTOR ||
  within(data).some((each) =>
    isRecord(each) ? each.code === 3 || speaksOfRevert(each.message) : speaksOfRevert(each)
  )

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
      isRpcError(error) && isRevert(error) ? revert(ox, call, dataOf(error.data), saidOf(error)) : error
    )
