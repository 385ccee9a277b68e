/** Calls of contracts of Tron that nodes run without a transaction: what they answer, why they are refused, and what they take. */
import * as Effect from "effect/Effect"
import { hexToBytes } from "../../data/hex.js"
import type { NodeError } from "../../data/SdkError.js"
import * as caps from "../caps.js"
import { makeMalformedError, minOf, parseWhole, withAgreement } from "../evidence.js"
import type { ReadError } from "../Signer.js"
import type { TronCalls } from "./Types.js"

/** A call: its function as text, and its arguments as hexadecimal digits. `value` are sun that are sent along. */
export interface ConstantCall {
  readonly owner: string
  readonly contract: string
  readonly functionSelector: string
  readonly parameter: string
  readonly value?: bigint
}

/** What a call has answered, in hexadecimal digits. With `refusal` the contract has not done it, and the answer is its error. */
export interface ConstantCallResult {
  readonly hex: string
  readonly energy: bigint
  readonly refusal?: string
}

/** Nodes write what they say as it is, or as hexadecimal digits. */
const decodeMessage = (message: string): string =>
  /^([0-9a-f]{2})+$/i.test(message) ? new TextDecoder().decode(hexToBytes(message)) : message

type ConstantCallAnswer = Effect.Effect.Success<ReturnType<TronCalls["triggerConstantContract"]>>

/** What a node has said of a call. */
export const parseConstantCall = ({
  constant_result: [output = ""] = [],
  energy_used = 0n,
  result,
  transaction
}: ConstantCallAnswer): Effect.Effect<ConstantCallResult, NodeError> => {
  const [energy, hex, words]: ReadonlyArray<unknown> = [
    parseWhole(energy_used),
    output,
    result?.message ?? ""
  ]
  if (
    typeof energy !== "bigint" ||
    typeof words !== "string" ||
    typeof hex !== "string" ||
    !/^([0-9a-f]{2})*$/i.test(hex)
  )
    return Effect.fail(makeMalformedError("triggerConstantContract", "its energy or its answer is none"))
  const message = decodeMessage(words)
  const isRefused = message !== "" || result?.result === false || transaction?.ret?.[0]?.ret === "FAILED"
  return Effect.succeed({ hex, energy, ...(isRefused ? { refusal: message || "it gave no reason" } : {}) })
}

export const callConstant = (
  rpc: Pick<TronCalls, "triggerConstantContract">,
  { contract, functionSelector, owner, parameter, value = 0n }: ConstantCall
): Effect.Effect<ConstantCallResult, ReadError> =>
  Effect.flatMap(
    rpc.triggerConstantContract(owner, contract, functionSelector, parameter, {
      visible: true,
      ...(value === 0n ? {} : { callValue: value })
    }),
    parseConstantCall
  )

/** What payments are priced by, and the most that each of them is without a cap of the caller, in sun. */
const maxPrices = {
  getEnergyFee: caps.tron.energyPrice,
  getTransactionFee: caps.tron.bytePrice,
  getMemoFee: caps.tron.memo,
  getMultiSignFee: caps.tron.signatures,
  getCreateAccountFee: caps.tron.account,
  getCreateNewAccountFeeInSystemContract: caps.tron.account
}

type PriceName = keyof typeof maxPrices

// the keys of the record are its names, which Object.keys does not say
const priceNames = /*#__PURE__*/ (() => Object.keys(maxPrices) as ReadonlyArray<PriceName>)()

/** What the chain asks for, in sun, by the names of its parameters. */
export type PriceLookup = (name: PriceName) => bigint

type ChainParameters = Effect.Effect.Success<ReturnType<TronCalls["getChainParameters"]>>

/** A parameter of the chain, where it has it: what is no amount is undefined. */
const findParameter = ({ chainParameter }: ChainParameters, name: PriceName): bigint | undefined => {
  const found = chainParameter.find(({ key }) => key === name)
  return found === undefined ? 0n : parseWhole(found.value ?? 0n)
}

/** The prices of the chain, on which two nodes agree where there are two. */
export const readPrices = (
  rpc: Pick<TronCalls, "getChainParameters">
): Effect.Effect<PriceLookup, ReadError> =>
  Effect.flatMap(
    withAgreement(rpc.getChainParameters(), (one, other) =>
      priceNames.every((name) => findParameter(one, name) === findParameter(other, name))
    ),
    (parameters) => {
      const wrong = priceNames.find((name) => findParameter(parameters, name) === undefined)
      const price: PriceLookup = (name) => findParameter(parameters, name) ?? 0n
      return wrong === undefined
        ? Effect.succeed(price)
        : Effect.fail(makeMalformedError("getChainParameters", `${wrong} is no amount`))
    }
  )

/** Prices as far as they are plausible: what a fee may be without a cap of the caller is made of them. */
export const limitPrices =
  (price: PriceLookup): PriceLookup =>
  (name) =>
    minOf(price(name), maxPrices[name])

/** The sun that are burned for energy by an account that has none. */
export const computeEnergyFee = (price: PriceLookup, energy: bigint): bigint => energy * price("getEnergyFee")

/** A fifth more: what a call takes may be more by the time that it is done. */
export const marginOf = (tried: bigint): bigint => (tried * 6n) / 5n

/** The most that may be burned. */
export const computeFeeLimit = (price: PriceLookup, energy: bigint): bigint =>
  marginOf(computeEnergyFee(price, energy))
