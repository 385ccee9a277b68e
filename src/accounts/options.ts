/** The options of accounts: what is missing there would look like the fault of a service or a device. */
import { InvalidArgument, kindOf } from "../data/SdkError.js"
import { isRecord, readMember } from "../data/untrusted.js"

/** What an account is made from: the library that is called, with its calls, and texts such as the name of a key. */
interface RequiredOptions {
  readonly library?: { readonly name: string; readonly calls: ReadonlyArray<string> }
  readonly texts?: ReadonlyArray<string>
}

/** A timer with more rings at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const isTimeout = (value: unknown): boolean =>
  typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS

const findProblem = (options: unknown, { library, texts = [] }: RequiredOptions): string | undefined => {
  if (!isRecord(options)) return `its options are an object, not ${kindOf(options)}`
  if (library !== undefined) {
    const { calls, name } = library
    const missing = calls.find((call) => typeof readMember(options[name], call) !== "function")
    if (missing !== undefined)
      return `${name} must have the call ${missing}, as that of its library has, and is ${kindOf(options[name])}`
  }
  const empty = texts.find((name) => typeof options[name] !== "string" || options[name] === "")
  if (empty !== undefined) return `${empty} must be text that is not empty, not ${kindOf(options[empty])}`
  const { timeout } = options
  return timeout === undefined || isTimeout(timeout)
    ? undefined
    : `timeout must be a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}, not ${kindOf(timeout)}`
}

/** Throws `InvalidArgument` unless an account can be made from these options. */
export const checkOptions = (call: string, options: unknown, required: RequiredOptions): void => {
  const reason = findProblem(options, required)
  if (reason !== undefined) throw new InvalidArgument({ call, reason })
}
