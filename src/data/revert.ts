/** What a contract has reverted with, wherever nodes and wallets put it, and what it says without an ABI. */
import { textOf } from "./abiText.js"
import type { RpcError } from "./SdkError.js"
import { isRecord } from "./untrusted.js"

type Hex = `0x${string}`

/** The fields in which nodes and wallets put a contract's bytes, and the errors that they wrap around them. */
const errorMembers = ["data", "result", "return", "output", "originalError", "error", "cause"]

/** How deep wallets and gateways wrap an error. */
const MAX_ERROR_DEPTH = 6

/** What an error holds, itself first: each error in it, and the members that a node has named after transactions (ganache). */
const collectNested = (data: unknown, depth = MAX_ERROR_DEPTH): ReadonlyArray<unknown> => {
  if (!isRecord(data) || depth === 0) return [data]
  const named = errorMembers.flatMap((name) =>
    data[name] === undefined ? [] : collectNested(data[name], depth - 1)
  )
  const ofTransactions = Object.entries(data).flatMap(([name, value]) =>
    /^0x[0-9a-f]{64}$/i.test(name) ? collectNested(value, depth - 1) : []
  )
  return [data, ...named, ...ofTransactions]
}

/** Bytes with 0x or without, alone or after the word that OpenEthereum puts before them. */
const bytesPattern = /^(?:reverted\s+)?(?:0x)?((?:[0-9a-f]{2})*)$/i

const parseBytes = (value: unknown): Hex | undefined => {
  const digits = typeof value === "string" ? bytesPattern.exec(value.trim())?.[1] : undefined
  return digits === undefined || value === "" ? undefined : `0x${digits.toLowerCase()}`
}

/** Finds the bytes of a revert, wherever a node puts them. */
export const findRevertData = (data: unknown): Hex | undefined => {
  const found = collectNested(data).flatMap((each) => parseBytes(each) ?? [])
  return found.find((each) => each.length >= SELECTOR_LENGTH) ?? found[0]
}

/** An error of a contract begins with its selector. */
const SELECTOR_LENGTH = "0x12345678".length

const mentionsRevert = (value: unknown): boolean => typeof value === "string" && /revert/i.test(value)

/** The message of the innermost error that mentions a revert. */
export const findRevertMessage = ({ data, rpcMessage }: RpcError): string => {
  const said = collectNested(data).flatMap((each) =>
    isRecord(each) && mentionsRevert(each.message) ? [String(each.message)] : []
  )
  return said.at(-1) ?? rpcMessage
}

/**
 * Whether the contract has reverted, and not the node failed: by the code, the contract's bytes or the message, of the error or one
 * inside it.
 */
export const isRevert = ({ code, data, rpcMessage }: RpcError): boolean =>
  code === 3 ||
  mentionsRevert(rpcMessage) ||
  (findRevertData(data)?.length ?? 0) >= SELECTOR_LENGTH ||
  collectNested(data).some((each) =>
    isRecord(each) ? each.code === 3 || mentionsRevert(each.message) : mentionsRevert(each)
  )

/** The codes of the compiler's panics (Solidity's documentation, "Panic via assert and Error via require"). */
export const panicReasons: Readonly<Record<string, string>> = {
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

/** The text of an `Error(string)` and the meaning of a `Panic(uint256)`, by their selectors. */
const builtInReasons: Readonly<Record<string, (values: string) => string | undefined>> = {
  "0x08c379a0": (values) => (values.length > 64 ? textOf(values) : undefined),
  "0x4e487b71": (values) => {
    const code = BigInt(`0x${values || 0}`).toString()
    return panicReasons[code] ?? `panic ${code}`
  }
}

/**
 * What the bytes of a revert say without the contract's ABI: its own text, the meaning of a panic, or the selector of its error. Undefined
 * for bytes that say nothing.
 */
export const describeRevertData = (data: string): string | undefined => {
  if (data.length < SELECTOR_LENGTH || !/^0x(?:[\da-f]{2})*$/i.test(data)) return undefined
  const selector = data.slice(0, SELECTOR_LENGTH).toLowerCase()
  return Object.hasOwn(builtInReasons, selector)
    ? builtInReasons[selector]?.(data.slice(SELECTOR_LENGTH))
    : `the contract's error ${selector}`
}
