/**
 * Accounts whose key is in Google Cloud KMS: `effect-chains/accounts/google-kms`.
 *
 * ```ts
 * const client = new KeyManagementServiceClient()
 * const account = await googleKms({ client, name: "projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1" })
 * ```
 *
 * @since 0.1.0
 */
import { bytesOfBase64 } from "../data/base64.js"
import type { Account } from "../signers/Signer.js"
import { type KeyServiceOptions, makeServiceAccount } from "./keyService.js"
import { checkOptions } from "./options.js"
import { parsePemPublicKey } from "./publicKeys.js"

export type { Account, FromAccount, KeyScheme, SigningRequest } from "../signers/Signer.js"
export type { KeyServiceOptions } from "./keyService.js"

interface GoogleCallOptions {
  /** In milliseconds. */
  readonly timeout?: number
}

/**
 * The calls of `KeyManagementServiceClient` of `@google-cloud/kms` that an account needs. They take the roles
 * `roles/cloudkms.publicKeyViewer` and `roles/cloudkms.signer`.
 *
 * @since 0.1.0
 * @category models
 */
export interface GoogleKmsClient {
  readonly getPublicKey: (
    request: { readonly name: string },
    options?: GoogleCallOptions
  ) => Promise<readonly [{ readonly pem?: string | null }, ...ReadonlyArray<unknown>]>
  readonly asymmetricSign: (
    request: { readonly name: string } & (
      | { readonly digest: { readonly sha256: Uint8Array } }
      | { readonly data: Uint8Array }
    ),
    options?: GoogleCallOptions
  ) => Promise<readonly [{ readonly signature?: Uint8Array | string | null }, ...ReadonlyArray<unknown>]>
}

/**
 * A key of Google Cloud KMS. `name` is the whole name of a version of the key, whose algorithm is `EC_SIGN_SECP256K1_SHA256` or
 * `EC_SIGN_ED25519`.
 *
 * @since 0.1.0
 * @category models
 */
export interface GoogleKmsOptions extends KeyServiceOptions {
  readonly client: GoogleKmsClient
  readonly name: string
}

/**
 * The account of a key in Google Cloud KMS. Reads the public key. Rejects with `SigningFailed` if KMS does not answer or refuses, with
 * `InvalidKey` if the key is of another kind, and with `InvalidArgument` if the options cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const googleKms = async (options: GoogleKmsOptions): Promise<Account> => {
  checkOptions("googleKms", options, {
    library: { name: "client", calls: ["getPublicKey", "asymmetricSign"] },
    texts: ["name"]
  })
  const { client, name, ...times } = options
  return makeServiceAccount(
    {
      name: "Google Cloud KMS",
      usableKeys: "the algorithms EC_SIGN_SECP256K1_SHA256 and EC_SIGN_ED25519",
      readKey: async () => {
        const [{ pem }] = await client.getPublicKey({ name }, times)
        return typeof pem === "string" ? parsePemPublicKey(pem) : undefined
      },
      sign: async ({ scheme }, bytes) => {
        // the field is named after the hash of the algorithm: the digest of a chain may be another hash of 32 bytes
        const content = scheme === "secp256k1" ? { digest: { sha256: bytes } } : { data: bytes }
        const [{ signature }] = await client.asymmetricSign({ name, ...content }, times)
        return typeof signature === "string" ? bytesOfBase64(signature) : (signature ?? undefined)
      }
    },
    options
  )
}
