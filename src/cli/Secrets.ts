/**
 * Reads keys from the environment or from a file that only its owner can read. The command line is visible to other
 * programs.
 *
 * @since 0.1.0
 */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type CommandError, makeInputError } from "./Failure.js"

/** The limit of a key's length. A file as large as a disk fails at once. */
const MAX_KEY_BYTES = 4_096

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The text of a key file. The file must be a plain one of this user that no other user can read or write (Windows has
 * no such modes), and not empty.
 *
 * @since 0.1.0
 * @category operations
 */
export const readSecretFile = (path: string): Effect.Effect<Redacted.Redacted, CommandError> =>
  Effect.suspend(() => {
    let file: number
    try {
      file = openSync(path, "r")
    } catch (error) {
      return Effect.fail(makeInputError(`The key file cannot be read: ${messageOf(error)}`))
    }
    try {
      // of the open file, which cannot be replaced between the check and the read
      const { mode, size, uid } = fstatSync(file)
      const own = process.getuid?.()
      if ((mode & 0o170000) !== 0o100000) return Effect.fail(makeInputError(`${path} is not a regular file`))
      if (own !== undefined && (mode & 0o077) !== 0) {
        const shown = (mode & 0o777).toString(8).padStart(3, "0")
        return Effect.fail(
          makeInputError(
            `Other users can read the key file ${path} (mode ${shown}): protect it with "chmod 600 ${path}"`
          )
        )
      }
      if (own !== undefined && uid !== own && own !== 0)
        return Effect.fail(
          makeInputError(`The key file ${path} belongs to another user: use a file of your own`)
        )
      if (size > MAX_KEY_BYTES)
        return Effect.fail(makeInputError(`${path} is too large for a key: it has ${size} bytes`))
      const text = readFileSync(file, "utf8").trim()
      return text === ""
        ? Effect.fail(makeInputError(`The key file ${path} is empty`))
        : Effect.succeed(Redacted.make(text))
    } catch (error) {
      return Effect.fail(makeInputError(`The key file cannot be read: ${messageOf(error)}`))
    } finally {
      closeSync(file)
    }
  })

/** The options of other tools for secrets. */
const SECRET_OPTION = /^--?(?:private-?key|mnemonic|seed|secret|passphrase|password|api-?key|key)(?:=|$)/i

/** The words of a mnemonic in one argument. */
const MNEMONIC = /^(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8}$/

const MNEMONIC_IN_ARGUMENTS = /(?:^| )(?:[a-z]{3,8} ){11}[a-z]{3,8}(?: |$)/

/**
 * The refusal of arguments that are secrets; undefined for others. The process list and the shell's history show
 * arguments to others. The message does not repeat them.
 *
 * @since 0.1.0
 * @category predicates
 */
export const findSecret = (args: ReadonlyArray<string>): string | undefined => {
  const option = args.find((arg) => SECRET_OPTION.test(arg))?.replace(/=.*$/s, "")
  // a mnemonic may be one argument, or one argument per word
  const isMnemonic =
    args.some((arg) => MNEMONIC.test(arg.trim())) || MNEMONIC_IN_ARGUMENTS.test(args.join(" "))
  if (option === undefined && !isMnemonic) return undefined
  return [
    `Secrets cannot be arguments (${option ?? "a mnemonic"}): other programs and the shell's history can read them.`,
    "Set the key in the environment (TATUM_API_KEY; EFFECT_CHAINS_PRIVATE_KEY or EFFECT_CHAINS_MNEMONIC for send),",
    "or give a file that only you can read (--api-key-file, --key-file). If the key is in use, replace it now."
  ].join("\n")
}
