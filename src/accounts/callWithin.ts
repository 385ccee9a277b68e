/** Calls of those who hold keys: with a time limit, and with their errors in plain words. */
import { reasonOf } from "../data/SdkError.js"
import { type HideSecrets, readMember, sanitizeText } from "../data/untrusted.js"

/** Who is called, and for how many milliseconds. */
interface CallLimits {
  readonly name: string
  readonly timeout: number
  readonly hide?: HideSecrets
}

/** The words of an error, with its name where it has one of its own, and with its cause, which `fetch` puts the reason into. */
const describe = (error: unknown): string => {
  const name = readMember(error, "name")
  const cause = readMember(error, "cause")
  return [
    ...(typeof name === "string" && name !== "Error" ? [name] : []),
    reasonOf(error),
    ...(cause instanceof Error ? [reasonOf(cause)] : [])
  ].join(": ")
}

/** Runs a call within its time, even if it ignores the signal. Rejects with an error that names who was called. */
export const callWithin = async <A>(
  { hide, name, timeout }: CallLimits,
  call: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  const limit = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeout} milliseconds`))
      limit.abort()
    }, timeout)
  })
  try {
    return await Promise.race([call(limit.signal), late])
  } catch (error) {
    throw new Error(`${name}: ${sanitizeText(describe(error), hide)}`)
  } finally {
    clearTimeout(timer)
  }
}
