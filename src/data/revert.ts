/**
 * What a contract has reverted with, wherever nodes and wallets put it, and what it says without an ABI.
 *
 * It imports no code: clients load it with the first transaction that has failed, and a bundler that makes one file keeps everything
 * that such a module imports.
 */
import type { RpcCallError, RpcError } from "./SdkError.js"

type Hex = `0x${string}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

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

/** The text in the values of an `Error(string)`: behind its offset and its length. Undefined if it is cut, or empty. */
const readText = (values: string): string | undefined => {
  const start = Number(`0x${values.slice(0, 64)}`) * 2
  const length = Number(`0x${values.slice(start, start + 64)}`) * 2
  const digits = values.slice(start + 64, start + 64 + length)
  if (length === 0 || digits.length !== length) return undefined
  return new TextDecoder(undefined, { ignoreBOM: true }).decode(
    Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  )
}

/** The text of an `Error(string)` and the meaning of a `Panic(uint256)`, by their selectors. */
const builtInReasons: Readonly<Record<string, (values: string) => string | undefined>> = {
  "0x08c379a0": readText,
  "0x4e487b71": (values) => {
    const code = BigInt(`0x${values.slice(0, 64) || 0}`).toString()
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

/** Why an execution has failed. `data` are the bytes that a contract has reverted with. */
interface ExecutionFailure {
  readonly reason: string
  readonly data?: string
}

/**
 * What the error of an `eth_call` says of the execution. Undefined if it does not speak of that: the node lacks the state, or the sender has
 * less by now than it pays. `classify` tells whose fault an error of the node is.
 */
export const readExecutionError = (
  error: RpcCallError,
  classify: (error: { readonly code: number; readonly message: string }) => string
): ExecutionFailure | undefined => {
  if (error._tag !== "RpcError") return undefined
  const { code, rpcMessage: message } = error
  if (isRevert(error)) {
    const data = findRevertData(error.data)
    const reason = (data === undefined ? undefined : describeRevertData(data)) ?? findRevertMessage(error)
    return data === undefined || data === "0x" ? { reason } : { reason, data }
  }
  return classify({ code, message }) === "caller" && !/funds|balance|nonce/i.test(message)
    ? { reason: message }
    : undefined
}

/** A transaction as it is executed again, as far as that needs it. */
interface ExecutedTransaction {
  readonly from: string
  readonly to: string | null
  readonly gas: string
  readonly value: string
  readonly input: string
  readonly accessList?: ReadonlyArray<{
    readonly address: string
    readonly storageKeys: ReadonlyArray<string>
  }>
}

/** A transaction as a call. It offers no price, since its sender may have nothing left for the gas. */
export const toCall = ({ accessList, from, gas, input, to, value }: ExecutedTransaction) => ({
  from,
  gas,
  value,
  data: input,
  ...(to === null ? {} : { to }),
  ...(accessList === undefined ? {} : { accessList })
})
