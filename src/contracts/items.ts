/** The items of an ABI by the names that they have in a contract. */
import type { AbiEvent, AbiFunction, AbiParameter } from "abitype"
import { isRecord } from "../data/foreign.js"
import { InvalidArgument, kindOf } from "../data/SdkError.js"

/** The forms of an event: one, or several that differ in what is indexed. */
export type Forms = readonly [AbiEvent, ...ReadonlyArray<AbiEvent>]

interface Named {
  readonly name: string
  readonly inputs: ReadonlyArray<AbiParameter>
}

const typeOf = (parameter: AbiParameter): string =>
  "components" in parameter
    ? `(${parameter.components.map(typeOf).join(",")})${parameter.type.slice("tuple".length)}`
    : parameter.type

/** A function as its selector is made of it. */
export const signatureOf = ({ inputs, name }: Named): string => `${name}(${inputs.map(typeOf).join(",")})`

/** JavaScript calls a member of this name of whatever is awaited, so that `await contract.read` would never end. */
const AWAITED = "then"

/** By their names; where several share one, and where the name is JavaScript's own, by their signatures. */
export const byName = <I extends Named>(items: ReadonlyArray<I>): ReadonlyArray<readonly [string, I]> =>
  items.map((item) => [
    item.name !== AWAITED && items.filter(({ name }) => name === item.name).length === 1
      ? item.name
      : signatureOf(item),
    item
  ])

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

/**
 * Events by their names in a contract. Those of one signature are one, in several forms: the signature says nothing of what is indexed
 * (`Transfer` of ERC-20 and of ERC-721).
 */
const eventsOf = (items: ReadonlyArray<AbiEvent>): ReadonlyArray<readonly [string, Forms]> => {
  const forms = new Map<string, Array<AbiEvent>>()
  for (const [name, item] of byName(items)) forms.set(name, [...(forms.get(name) ?? []), item])
  return [...forms].flatMap(
    ([name, [first, ...others]]): ReadonlyArray<readonly [string, Forms]> =>
      first === undefined ? [] : [[name, [first, ...others]]]
  )
}

/** The functions and the events of an ABI. An ABI is part of a program: what is none is a mistake there. */
export const itemsOf = (abi: ReadonlyArray<unknown>) => {
  if (!Array.isArray(abi) || !abi.every(isRecord))
    throw new InvalidArgument({
      call: "contract",
      reason: `abi must be a list of items as compilers write it, not ${Array.isArray(abi) ? "one of text" : kindOf(abi)}`
    })
  return {
    functions: byName(abi.filter(isFunction).map(whole)),
    events: eventsOf(abi.filter(isEvent))
  }
}
