/** Accounts of key services, by the clients of their users. */
import { InvalidKey, reasonOf, SigningFailed } from "../data/SdkError.js"
import type { Account } from "../signers/Signer.js"
import { callWithin } from "./callWithin.js"

/**
 * What all key services have in common.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeyServiceOptions {
  /** The milliseconds that one call of the service may take (default: 30,000). */
  readonly timeout?: number
}

const DEFAULT_TIMEOUT_MS = 30_000

/** What a key service does: reads a public key, and signs with its private one. */
interface KeyService<K extends Pick<Account, "scheme" | "publicKey">> {
  readonly name: string
  /** The names that the service has for keys that chains take. */
  readonly usableKeys: string
  /** Undefined if the key is of another kind. */
  readonly readKey: (signal: AbortSignal) => Promise<K | undefined>
  readonly sign: (key: K, bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array | undefined>
}

/**
 * Makes the account of a key: reads the public key once, and asks for a signature each time. Rejects with `SigningFailed` if the service
 * does not answer, and with `InvalidKey` if the key is of a kind that no chain here takes.
 */
export const makeServiceAccount = async <K extends Pick<Account, "scheme" | "publicKey">>(
  { name, readKey, sign, usableKeys }: KeyService<K>,
  { timeout = DEFAULT_TIMEOUT_MS }: KeyServiceOptions
): Promise<Account> => {
  const limits = { name, timeout }
  const key = await callWithin(limits, readKey).catch((error: unknown) => {
    throw new SigningFailed({ reason: reasonOf(error) })
  })
  if (key === undefined) throw new InvalidKey({ reason: `${name}: the key is none of ${usableKeys}` })
  return {
    scheme: key.scheme,
    publicKey: key.publicKey,
    sign: async ({ bytes }) => {
      const signature = await callWithin(limits, (signal) => sign(key, bytes, signal))
      if (signature === undefined) throw new Error(`${name}: the answer has no signature`)
      return signature
    }
  }
}
