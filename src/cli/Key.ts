/**
 * The signing key from the environment or a file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { FromMnemonic, FromPrivateKey } from "../signers/Signer.js"
import { type CommandError, makeInputError } from "./Failure.js"
import { readSecretFile } from "./Secrets.js"

/**
 * The options that choose the account.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyOptions {
  readonly keyFile: Option.Option<string>
  readonly account: Option.Option<number>
  readonly path: Option.Option<string>
}

/** A mnemonic has spaces, and a private key has none. */
const isMnemonic = (text: string): boolean => /\s/.test(text.trim())

const readVariable = (name: string): Redacted.Redacted | undefined => {
  const value = process.env[name]
  return value === undefined || value.trim() === "" ? undefined : Redacted.make(value.trim())
}

/**
 * The key for a signer: from the key file, EFFECT_CHAINS_PRIVATE_KEY, or EFFECT_CHAINS_MNEMONIC. `account` and `path`
 * choose the mnemonic's account.
 *
 * @since 0.1.0
 * @category operations
 */
export const readKey = (options: KeyOptions): Effect.Effect<FromMnemonic | FromPrivateKey, CommandError> =>
  Effect.gen(function* () {
    const file = Option.getOrUndefined(options.keyFile) ?? (process.env.EFFECT_CHAINS_KEY_FILE || undefined)
    const privateKey = readVariable("EFFECT_CHAINS_PRIVATE_KEY")
    const mnemonic = readVariable("EFFECT_CHAINS_MNEMONIC")
    if (file === undefined && privateKey !== undefined && mnemonic !== undefined)
      return yield* makeInputError(
        "EFFECT_CHAINS_PRIVATE_KEY and EFFECT_CHAINS_MNEMONIC are both set: unset one of them"
      )
    const secret = file === undefined ? (privateKey ?? mnemonic) : yield* readSecretFile(file)
    if (secret === undefined)
      return yield* makeInputError(
        "There is no key to sign with: set EFFECT_CHAINS_PRIVATE_KEY or EFFECT_CHAINS_MNEMONIC, or give a file with one of them as --key-file FILE"
      )
    const index = Option.getOrUndefined(options.account)
    const path = Option.getOrUndefined(options.path)
    if (!isMnemonic(Redacted.value(secret)))
      return index === undefined && path === undefined
        ? { privateKey: secret }
        : yield* makeInputError(
            "A private key has one account: remove --account and --path, or give a mnemonic"
          )
    return {
      mnemonic: secret,
      ...(index === undefined ? {} : { index }),
      ...(path === undefined ? {} : { path })
    }
  })
