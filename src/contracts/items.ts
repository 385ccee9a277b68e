/** The items of an ABI by the names that they have in a contract. */
import type { AbiEvent, AbiFunction, AbiParameter } from "abitype"
import { isRecord } from "../data/foreign.js"
import { InvalidArgument, kindOf } from "../data/SdkError.js"

interface Named {
  readonly name: string
  readonly inputs: ReadonlyArray<AbiParameter>
}

const typeOf = (parameter: AbiParameter): string =>
  "components" in parameter
    ? `(${parameter.components.map(typeOf).join(",")})${parameter.type.slice("tuple".length)}`
    : parameter.type

/** By their names; where several share one, by their signatures. */
export const byName = <I extends Named>(items: ReadonlyArray<I>): ReadonlyArray<readonly [string, I]> =>
  items.map((item) => [
    items.filter(({ name }) => name === item.name).length === 1
      ? item.name
      : `${item.name}(${item.inputs.map(typeOf).join(",")})`,
    item
  ])

/** The addresses among values, at any depth: whoever mistypes one sends to nobody. */
export const addressesIn = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>
): ReadonlyArray<string> =>
  parameters.flatMap((parameter, i) => {
    const value = values[i]
    const item = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1]
    if (item !== undefined)
      return Array.isArray(value)
        ? addressesIn(
            value.map(() => ({ ...parameter, type: item })),
            value
          )
        : []
    if ("components" in parameter)
      return addressesIn(
        parameter.components,
        isRecord(value) ? parameter.components.map(({ name }) => value[name ?? ""]) : listOf(value)
      )
    // what is no text is refused where it is encoded
    return parameter.type === "address" && typeof value === "string" ? [value] : []
  })

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const isNamed = (item: unknown): item is Named =>
  isRecord(item) && typeof item.name === "string" && Array.isArray(item.inputs)

/** Compilers before 0.4.16 said `constant` and `payable`, and left out outputs. */
const isFunction = (item: unknown): item is AbiFunction =>
  isNamed(item) && "type" in item && item.type === "function"

const isEvent = (item: unknown): item is AbiEvent =>
  isNamed(item) &&
  "type" in item &&
  item.type === "event" &&
  !("anonymous" in item && item.anonymous === true)

const whole = (item: AbiFunction): AbiFunction => ({
  ...item,
  outputs: item.outputs ?? [],
  stateMutability: item.stateMutability ?? (item.constant === true ? "view" : "nonpayable")
})

export const isRead = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === "view" || stateMutability === "pure"

/** The functions and the events of an ABI. An ABI is part of a program: what is none is a mistake there. */
export const itemsOf = (abi: ReadonlyArray<unknown>) => {
  if (!Array.isArray(abi) || !abi.every(isRecord))
    throw new InvalidArgument({
      call: "contract",
      reason: `abi must be a list of items as compilers write it, not ${Array.isArray(abi) ? "one of text" : kindOf(abi)}`
    })
  return {
    functions: byName(abi.filter(isFunction).map(whole)),
    events: byName(abi.filter(isEvent))
  }
}
