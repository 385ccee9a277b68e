/** The items of an ABI by the names that they have in a contract. */
import type { AbiEvent, AbiFunction, AbiParameter } from "abitype"
import { InvalidArgument, kindOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"

/** The forms of an event: one, or several that differ in their indexed arguments. */
export type EventForms = readonly [AbiEvent, ...ReadonlyArray<AbiEvent>]

interface NamedItem {
  readonly name: string
  readonly inputs: ReadonlyArray<AbiParameter>
}

const canonicalTypeOf = (parameter: AbiParameter): string =>
  "components" in parameter
    ? `(${parameter.components.map(canonicalTypeOf).join(",")})${parameter.type.slice("tuple".length)}`
    : parameter.type

/** A function as its selector is made of it. */
export const signatureOf = ({ inputs, name }: NamedItem): string =>
  `${name}(${inputs.map(canonicalTypeOf).join(",")})`

/** JavaScript calls a member with this name on each awaited value, so that `await contract.read` would never end. */
const THENABLE_NAME = "then"

/** Items by their names, and by their signatures if several share a name or the name is JavaScript's own. */
export const nameItems = <I extends NamedItem>(
  items: ReadonlyArray<I>
): ReadonlyArray<readonly [string, I]> =>
  items.map((item) => [
    item.name !== THENABLE_NAME && items.filter(({ name }) => name === item.name).length === 1
      ? item.name
      : signatureOf(item),
    item
  ])

const isNamedItem = (item: unknown): item is NamedItem =>
  isRecord(item) && typeof item.name === "string" && Array.isArray(item.inputs)

/** Compilers before 0.4.16 wrote `constant` and `payable`, and left out outputs. */
const isFunction = (item: unknown): item is AbiFunction =>
  isNamedItem(item) && "type" in item && item.type === "function"

const isEvent = (item: unknown): item is AbiEvent =>
  isNamedItem(item) &&
  "type" in item &&
  item.type === "event" &&
  !("anonymous" in item && item.anonymous === true)

const withDefaults = (item: AbiFunction): AbiFunction => ({
  ...item,
  outputs: item.outputs ?? [],
  stateMutability: item.stateMutability ?? (item.constant === true ? "view" : "nonpayable")
})

export const isReadFunction = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === "view" || stateMutability === "pure"

/**
 * Events by their names. Events with one signature are one event in several forms, since the signature does not show what is indexed
 * (`Transfer` of ERC-20 and of ERC-721).
 */
const groupEvents = (items: ReadonlyArray<AbiEvent>): ReadonlyArray<readonly [string, EventForms]> => {
  const forms = new Map<string, Array<AbiEvent>>()
  for (const [name, item] of nameItems(items)) forms.set(name, [...(forms.get(name) ?? []), item])
  return [...forms].flatMap(
    ([name, [first, ...others]]): ReadonlyArray<readonly [string, EventForms]> =>
      first === undefined ? [] : [[name, [first, ...others]]]
  )
}

/** The functions and the events of an ABI. It throws on a value that is no ABI, which is a mistake in the program. */
export const parseAbi = (abi: ReadonlyArray<unknown>) => {
  if (!Array.isArray(abi) || !abi.every(isRecord))
    throw new InvalidArgument({
      call: "contract",
      reason: `abi must be a list of items as compilers write it, not ${Array.isArray(abi) ? "one of text" : kindOf(abi)}`
    })
  return {
    functions: nameItems(abi.filter(isFunction).map(withDefaults)),
    events: groupEvents(abi.filter(isEvent))
  }
}
