/** What contracts need of ox: loaded with the first call. */
import type { Abi, AbiError, AbiEvent, AbiFunction, AbiParameter } from "abitype"
import * as OxError from "ox/AbiError"
import * as OxEvent from "ox/AbiEvent"
import * as OxFunction from "ox/AbiFunction"
import * as AbiParameters from "ox/AbiParameters"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import { hexBytes } from "../data/bytes.js"
import { isRecord } from "../data/foreign.js"
import { reasonOf } from "../data/SdkError.js"
import type { Forms } from "./items.js"
import type { ContractLog } from "./Types.js"
import { checkBytes, checkValue, mapAddresses } from "./values.js"

type H = `0x${string}`

const selectors = new WeakMap<object, H>()

/** Selectors are hashes, which cost more than the rest of a call. */
const selectorOf = (item: AbiFunction): H => {
  const known = selectors.get(item)
  if (known !== undefined) return known
  const selector = OxFunction.getSelector(item)
  selectors.set(item, selector)
  return selector
}

/** How a chain writes its addresses, where that is not the way of Ethereum. */
export interface Written {
  readonly toHex: (address: string) => string
  readonly ofHex: (address: string) => string
}

/**
 * The compiler knows the types of one's own values; those of a caller are checked by ox, but for bytes: text that is none it would
 * fill up or shorten.
 */
const encode = (
  inputs: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  written: Written | undefined
): H => {
  const checked = checkBytes(inputs, values)
  return AbiParameters.encode(
    inputs,
    (written === undefined ? checked : mapAddresses(inputs, checked, written.toHex)) as never
  )
}

const decode = (
  outputs: ReadonlyArray<AbiParameter>,
  data: H,
  written: Written | undefined
): ReadonlyArray<unknown> => {
  if (outputs.length === 0) return []
  const values: ReadonlyArray<unknown> = AbiParameters.decode(outputs, data, { checksumAddress: true })
  return written === undefined ? values : mapAddresses(outputs, values, written.ofHex)
}

/** A call of a function as bytes. */
export const encodeCall = (item: AbiFunction, args: ReadonlyArray<unknown>, written?: Written): H =>
  Hex.concat(selectorOf(item), encode(item.inputs, args, written))

/** The answer to a call: nothing, a single value, or several. */
export const decodeAnswer = ({ outputs }: AbiFunction, data: H, written?: Written): unknown => {
  const values = decode(outputs, data, written)
  return outputs.length < 2 ? values[0] : values
}

/** The outcomes of a multicall: whether each call was successful, and its bytes. */
export const decodeOutcomes = (
  aggregate: AbiFunction,
  data: H
): ReadonlyArray<{ readonly success: boolean; readonly returnData: H }> =>
  // the type of the contract's own interface
  decodeAnswer(aggregate, data) as ReadonlyArray<{ readonly success: boolean; readonly returnData: H }>

/** What the compiler's own failures mean (Solidity's documentation, "Panic via assert and Error via require"). */
const panics: Readonly<Record<string, string>> = {
  "0": "it was called by code that the compiler has put in",
  "1": "an assertion does not hold",
  "17": "an arithmetic operation left the range of its type",
  "18": "a division by zero",
  "33": "a number is none of its enumeration",
  "34": "a byte array in storage is encoded wrongly",
  "49": "pop() of an empty array",
  "50": "an index is out of bounds",
  "65": "too much memory was asked for",
  "81": "a function variable was called that is not set"
}

/** Failures that every contract can have. */
const everywhere: ReadonlyArray<AbiError> = [
  { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] }
]

/** The error of a contract, by its bytes. */
export interface Revert {
  readonly errorName: string
  readonly args: ReadonlyArray<unknown>
  readonly reason: string
}

const shown = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(shown).join(", ")}]`
    : isRecord(value)
      ? `{${Object.entries(value)
          .map(([name, one]) => `${name}: ${shown(one)}`)
          .join(", ")}}`
      : String(value)

const sentenceOf = (name: string, args: ReadonlyArray<unknown>): string =>
  name === "Error"
    ? String(args[0])
    : name === "Panic"
      ? (panics[String(args[0])] ?? `panic ${String(args[0])}`)
      : `${name}(${args.map(shown).join(", ")})`

/** The error that bytes are: one of the ABI, or one that every contract can have. */
export const revertOf = (abi: Abi, data: H, written?: Written): Revert | undefined => {
  const selector = data.slice(0, 10)
  const errors = abi.filter((item) => item.type === "error")
  for (const item of [...errors, ...everywhere]) {
    if (OxError.getSelector(item) !== selector) continue
    try {
      const args = decode(item.inputs, `0x${data.slice(10)}`, written)
      return { errorName: item.name, args, reason: sentenceOf(item.name, args) }
    } catch {
      // bytes that begin like an error, and are none
    }
  }
  return undefined
}

const isHashed = (type: string): boolean =>
  type === "string" || type === "bytes" || type.startsWith("tuple") || type.endsWith("]")

const isUnnamed = ({ inputs }: AbiEvent): boolean => inputs.some(({ name }) => !name)

const topicOf = (input: AbiParameter, value: unknown, place: string, written: Written | undefined): H => {
  if (input.type === "string") return Hash.keccak256(Hex.fromString(String(value)))
  if (input.type === "bytes") return Hash.keccak256(hexBytes(value, place))
  if (isHashed(input.type)) throw new Error(`${input.type} cannot be looked for: its hash alone is kept`)
  return encode([input], [checkValue(input, value, place)], written)
}

type Topics = ReadonlyArray<H | null | ReadonlyArray<H>>

/**
 * The topics of events whose indexed arguments are these, by their names or positions. Of several forms of an event those count that
 * have such arguments indexed.
 */
export const topicsOf = (
  forms: Forms,
  wanted: Readonly<Record<string, unknown>>,
  written?: Written
): Topics => {
  const found: Array<Topics> = []
  const problems: Array<unknown> = []
  for (const event of forms) {
    try {
      found.push(topicsOfForm(event, wanted, written))
    } catch (error) {
      problems.push(error)
    }
  }
  const [first] = found
  if (first === undefined) throw problems[0]
  if (found.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new Error(
      `the forms of ${forms[0].name} have these arguments in different places: ask without them`
    )
  return first
}

const topicsOfForm = (
  event: AbiEvent,
  wanted: Readonly<Record<string, unknown>>,
  written: Written | undefined
): Topics => {
  const names = event.inputs.map(({ name }, i) => (isUnnamed(event) ? String(i) : String(name)))
  const unknown = Object.keys(wanted).find((name) => event.inputs[names.indexOf(name)]?.indexed !== true)
  if (unknown !== undefined) throw new Error(`${event.name} has no indexed argument ${unknown}`)
  const topics = event.inputs.flatMap((input, i): Topics => {
    if (input.indexed !== true) return []
    const name = names[i] ?? ""
    const value = Object.hasOwn(wanted, name) ? wanted[name] : undefined
    const place = `args.${name}`
    if (value === undefined || value === null) return [null]
    return [
      Array.isArray(value)
        ? value.map((one, i) => topicOf(input, one, `${place}[${i}]`, written))
        : topicOf(input, value, place, written)
    ]
  })
  const last = topics.findLastIndex((topic) => topic !== null)
  return [OxEvent.getSelector(event), ...topics.slice(0, last + 1)]
}

/** Whether values of a type always take the same room. */
const isStatic = (input: AbiParameter): boolean =>
  !/^(string|bytes)$|\[\]/.test(input.type) && (!("components" in input) || input.components.every(isStatic))

/** The arguments of an event, from its log; throws where the log is not one of it. */
const argsOf = (event: AbiEvent, { data, topics }: EventLog, written: Written | undefined): unknown => {
  const [selector, ...indexed] = topics
  const kept = event.inputs.filter((input) => input.indexed === true)
  const others = event.inputs.filter((input) => input.indexed !== true)
  if (selector !== OxEvent.getSelector(event) || kept.length !== indexed.length)
    throw new Error(`it has ${topics.length} topics, which are not those of ${event.name}`)
  const rest = decode(others, data, written)
  if (others.every(isStatic) && encode(others, rest, written).length !== data.length)
    throw new Error(`its data is longer than that of ${event.name}`)
  const left = { topics: [...indexed], data: [...rest] }
  const values = event.inputs.map((input): unknown => {
    if (input.indexed !== true) return left.data.shift()
    const topic = left.topics.shift() ?? "0x"
    return isHashed(input.type) ? topic : decode([input], topic, written)[0]
  })
  return isUnnamed(event)
    ? values
    : Object.fromEntries(event.inputs.map(({ name }, i) => [String(name), values[i]]))
}

type EventLog = Pick<ContractLog, "data" | "topics">

/** The arguments of an event from its log, by the form that fits, or why none does. */
export const decodeLog = (
  forms: ReadonlyArray<AbiEvent>,
  log: EventLog,
  written?: Written
): { readonly args: unknown } | { readonly problem: string } => {
  let problem = "it is no event of the ABI"
  for (const event of forms) {
    try {
      return { args: argsOf(event, log, written) }
    } catch (error) {
      problem = reasonOf(error).split("\n\n")[0] ?? ""
    }
  }
  return { problem }
}
