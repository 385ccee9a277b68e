/** Calls of contracts of Tron that nodes run without a transaction: what they answer, why they are refused, and what they take. */
import * as Effect from "effect/Effect"
import { bytesOfHex } from "../../data/hex.js"
import type { ReadError } from "../Signer.js"
import type { TronCalls } from "./Types.js"

/** A call: its function as text, and its arguments as hexadecimal digits. `value` are sun that are sent along. */
export interface Trial {
  readonly owner: string
  readonly contract: string
  readonly functionSelector: string
  readonly parameter: string
  readonly value?: bigint
}

/** What a call has answered, in hexadecimal digits. With `refusal` the contract has not done it, and the answer is its error. */
export interface Tried {
  readonly hex: string
  readonly energy: bigint
  readonly refusal?: string
}

/** Nodes write what they say as it is, or as hexadecimal digits. */
const said = (message: string): string =>
  /^([0-9a-f]{2})+$/i.test(message) ? new TextDecoder().decode(bytesOfHex(message)) : message

export const tried = (
  rpc: Pick<TronCalls, "triggerConstantContract">,
  { contract, functionSelector, owner, parameter, value = 0n }: Trial
): Effect.Effect<Tried, ReadError> =>
  Effect.map(
    rpc.triggerConstantContract(owner, contract, functionSelector, parameter, {
      visible: true,
      ...(value === 0n ? {} : { callValue: value })
    }),
    ({ constant_result: [hex = ""] = [], energy_used = 0n, result, transaction }) => {
      const message = said(result.message ?? "")
      const isRefused = message !== "" || result.result === false || transaction?.ret?.[0]?.ret === "FAILED"
      return { hex, energy: energy_used, ...(isRefused ? { refusal: message || "it gave no reason" } : {}) }
    }
  )

/** What the chain asks for, in sun, by the names of its parameters. */
export type Price = (name: string) => bigint

export const pricesOf = (rpc: Pick<TronCalls, "getChainParameters">): Effect.Effect<Price, ReadError> =>
  Effect.map(rpc.getChainParameters(), ({ chainParameter }) => {
    const prices = new Map(chainParameter.map(({ key, value = 0n }) => [key, value]))
    return (name) => prices.get(name) ?? 0n
  })

/** The sun that are burned for energy by an account that has none. */
export const energyFee = (price: Price, energy: bigint): bigint => energy * price("getEnergyFee")

/** The most that may be burned: what it takes may be more by the time that it is done. */
export const feeLimitOf = (price: Price, energy: bigint): bigint => (energyFee(price, energy) * 6n) / 5n
