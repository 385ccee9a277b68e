/** What a call of a client may end with, whatever it was answered. */
import { inspect } from "node:util"
import { isSdkError } from "../../src/data/SdkError.js"

/** A message of this length is a page or a dump. */
const LONGEST = 60_000
const MOST_PRINTED = 600_000

/** What is wrong with an error, if anything is. */
export const errorProblem = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || !isSdkError(error))
    return `no error of the SDK: ${inspect(error).slice(0, 500)}`
  if (error._tag === "Unexpected") return `a defect: ${inspect(error).slice(0, 2_000)}`
  const { message } = error
  if (message === "" || message.length > LONGEST) return `the message has ${message.length} characters`
  // what others say may be "null"; these are what JavaScript makes of a value that nobody looked at
  if (/^(undefined|\[object \w+\])$/.test(message)) return `the message is ${message}`
  if (/[\p{Cc}\p{Bidi_C}]/u.test(message)) return "the message has control characters"
  try {
    const shown = [error.toString(), inspect(error), JSON.stringify(error)]
    if (shown.some((text) => text.length > MOST_PRINTED)) return "it prints too much"
  } catch (thrown) {
    return `printing throws ${String(thrown)}`
  }
  return undefined
}

/** Chance has it that half a word of the language is there: nothing of ours may be. */
const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype]
const untouched = prototypes.map((each) => Reflect.ownKeys(each).length)

/** Whether an answer has changed what all objects have. */
export const arePrototypesPolluted = (): boolean =>
  prototypes.some((each, at) => Reflect.ownKeys(each).length !== untouched[at])
