/** What contracts need of ox: loaded with the first call. */
import type { Abi, AbiError, AbiEvent, AbiFunction, AbiParameter } from "abitype"
import * as OxError from "ox/AbiError"
import * as OxEvent from "ox/AbiEvent"
import * as OxFunction from "ox/AbiFunction"
import * as AbiParameters from "ox/AbiParameters"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import { hexBytes } from "../data/bytes.js"
import { panicReasons } from "../data/revert.js"
import { reasonOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { EventForms } from "./abiItems.js"
import { checkBytes, checkValue, mapAddresses } from "./abiValues.js"
import type { ContractLog } from "./Types.js"

type HexString = `0x${string}`

const selectors = new WeakMap<object, HexString>()

/** Selectors are kept, since computing the hash costs more than the rest of a call. */
const selectorOf = (item: AbiFunction): HexString => {
  const known = selectors.get(item)
  if (known !== undefined) return known
  const selector = OxFunction.getSelector(item)
  selectors.set(item, selector)
  return selector
}

/** How a chain writes its addresses, where that is not the way of Ethereum. */
export interface AddressFormat {
  readonly toHex: (address: string) => string
  readonly fromHex: (address: string) => string
}

/**
 * The compiler checks a program's own values. Those from outside are checked by ox, except for bytes: ox would pad or cut text that is
 * not hexadecimal.
 */
const encode = (
  inputs: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  format: AddressFormat | undefined
): HexString => {
  const checked = checkBytes(inputs, values)
  return AbiParameters.encode(
    inputs,
    (format === undefined ? checked : mapAddresses(inputs, checked, format.toHex)) as never
  )
}

const decode = (
  outputs: ReadonlyArray<AbiParameter>,
  data: HexString,
  format: AddressFormat | undefined
): ReadonlyArray<unknown> => {
  if (outputs.length === 0) return []
  const values: ReadonlyArray<unknown> = AbiParameters.decode(outputs, data, { checksumAddress: true })
  return format === undefined ? values : mapAddresses(outputs, values, format.fromHex)
}

/** A call of a function as bytes. */
export const encodeCall = (
  item: AbiFunction,
  args: ReadonlyArray<unknown>,
  format?: AddressFormat
): HexString => Hex.concat(selectorOf(item), encode(item.inputs, args, format))

/** The answer to a call: nothing, a single value, or several. */
export const decodeAnswer = ({ outputs }: AbiFunction, data: HexString, format?: AddressFormat): unknown => {
  const values = decode(outputs, data, format)
  return outputs.length < 2 ? values[0] : values
}

/** The outcomes of a multicall: whether each call was successful, and its bytes. */
export const decodeOutcomes = (
  aggregate: AbiFunction,
  data: HexString
): ReadonlyArray<{ readonly success: boolean; readonly returnData: HexString }> =>
  // the type of the contract's own interface
  decodeAnswer(aggregate, data) as ReadonlyArray<{
    readonly success: boolean
    readonly returnData: HexString
  }>

/** Failures that every contract can have. */
const builtInErrors: ReadonlyArray<AbiError> = [
  { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] }
]

/** The error of a contract, by its bytes. */
export interface DecodedRevert {
  readonly errorName: string
  readonly args: ReadonlyArray<unknown>
  readonly reason: string
}

const formatValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(formatValue).join(", ")}]`
    : isRecord(value)
      ? `{${Object.entries(value)
          .map(([name, one]) => `${name}: ${formatValue(one)}`)
          .join(", ")}}`
      : String(value)

const formatRevert = (name: string, args: ReadonlyArray<unknown>): string =>
  name === "Error"
    ? String(args[0])
    : name === "Panic"
      ? (panicReasons[String(args[0])] ?? `panic ${String(args[0])}`)
      : `${name}(${args.map(formatValue).join(", ")})`

/** Decodes an error: one of the ABI, or one that every contract can have. */
export const decodeRevert = (
  abi: Abi,
  data: HexString,
  format?: AddressFormat
): DecodedRevert | undefined => {
  const selector = data.slice(0, 10)
  const errors = abi.filter((item) => item.type === "error")
  for (const item of [...errors, ...builtInErrors]) {
    if (OxError.getSelector(item) !== selector) continue
    try {
      const args = decode(item.inputs, `0x${data.slice(10)}`, format)
      return { errorName: item.name, args, reason: formatRevert(item.name, args) }
    } catch {
      // bytes with the prefix of an error and other content
    }
  }
  return undefined
}

const isHashedType = (type: string): boolean =>
  type === "string" || type === "bytes" || type.startsWith("tuple") || type.endsWith("]")

const hasUnnamedInput = ({ inputs }: AbiEvent): boolean => inputs.some(({ name }) => !name)

const encodeTopic = (
  input: AbiParameter,
  value: unknown,
  place: string,
  format: AddressFormat | undefined
): HexString => {
  if (input.type === "string") return Hash.keccak256(Hex.fromString(String(value)))
  if (input.type === "bytes") return Hash.keccak256(hexBytes(value, place))
  if (isHashedType(input.type)) throw new Error(`${input.type} cannot be looked for: its hash alone is kept`)
  return encode([input], [checkValue(input, value, place)], format)
}

type Topics = ReadonlyArray<HexString | null | ReadonlyArray<HexString>>

/**
 * Encodes the topics of events with these indexed arguments, by name or position. Only the forms of the event that have these arguments
 * indexed count.
 */
export const encodeTopics = (
  forms: EventForms,
  wanted: Readonly<Record<string, unknown>>,
  format?: AddressFormat
): Topics => {
  const found: Array<Topics> = []
  const problems: Array<unknown> = []
  for (const event of forms) {
    try {
      found.push(topicsOfForm(event, wanted, format))
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
  written: AddressFormat | undefined
): Topics => {
  const names = event.inputs.map(({ name }, i) => (hasUnnamedInput(event) ? String(i) : String(name)))
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
        ? value.map((one, i) => encodeTopic(input, one, `${place}[${i}]`, written))
        : encodeTopic(input, value, place, written)
    ]
  })
  const last = topics.findLastIndex((topic) => topic !== null)
  return [OxEvent.getSelector(event), ...topics.slice(0, last + 1)]
}

/** Whether values of a type always take the same room. */
const isStaticType = (input: AbiParameter): boolean =>
  !/^(string|bytes)$|\[\]/.test(input.type) &&
  (!("components" in input) || input.components.every(isStaticType))

/** Decodes the arguments of an event from its log. Throws if the log is of another event. */
const decodeEventArgs = (
  event: AbiEvent,
  { data, topics }: EventLog,
  format: AddressFormat | undefined
): unknown => {
  const [selector, ...indexed] = topics
  const indexedInputs = event.inputs.filter((input) => input.indexed === true)
  const dataInputs = event.inputs.filter((input) => input.indexed !== true)
  if (selector !== OxEvent.getSelector(event) || indexedInputs.length !== indexed.length)
    throw new Error(`it has ${topics.length} topics, which are not those of ${event.name}`)
  const dataValues = decode(dataInputs, data, format)
  if (dataInputs.every(isStaticType) && encode(dataInputs, dataValues, format).length !== data.length)
    throw new Error(`its data is longer than that of ${event.name}`)
  const remaining = { topics: [...indexed], data: [...dataValues] }
  const values = event.inputs.map((input): unknown => {
    if (input.indexed !== true) return remaining.data.shift()
    const topic = remaining.topics.shift() ?? "0x"
    return isHashedType(input.type) ? topic : decode([input], topic, format)[0]
  })
  return hasUnnamedInput(event)
    ? values
    : Object.fromEntries(event.inputs.map(({ name }, i) => [String(name), values[i]]))
}

type EventLog = Pick<ContractLog, "data" | "topics">

/** Decodes the arguments by the form that fits, or yields why none does. */
export const decodeLog = (
  forms: ReadonlyArray<AbiEvent>,
  log: EventLog,
  format?: AddressFormat
): { readonly args: unknown } | { readonly problem: string } => {
  let problem = "it is no event of the ABI"
  for (const event of forms) {
    try {
      return { args: decodeEventArgs(event, log, format) }
    } catch (error) {
      problem = reasonOf(error).split("\n\n")[0] ?? ""
    }
  }
  return { problem }
}
