/**
 * Accounts whose key is in AWS KMS: `effect-chains/accounts/aws-kms`.
 *
 * ```ts
 * const account = await awsKms({ client: new KMS({ region: "eu-central-1" }), keyId: "alias/treasury" })
 * ```
 *
 * @since 0.1.0
 */
import type { Account, KeyScheme } from "../signers/Signer.js"
import { type KeyServiceOptions, makeServiceAccount } from "./keyService.js"
import { checkOptions } from "./options.js"
import { parseDerPublicKey } from "./publicKeys.js"

export type { Account, FromAccount, KeyScheme, SigningRequest } from "../signers/Signer.js"
export type { KeyServiceOptions } from "./keyService.js"

interface AwsCallOptions {
  readonly abortSignal?: AbortSignal
}

/**
 * The calls of `KMS` of `@aws-sdk/client-kms` that an account needs. The policy of the key has to allow `kms:GetPublicKey` and `kms:Sign`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AwsKmsClient {
  readonly getPublicKey: (
    input: { readonly KeyId: string },
    options?: AwsCallOptions
  ) => Promise<{ readonly PublicKey?: Uint8Array | undefined }>
  readonly sign: (
    input: {
      readonly KeyId: string
      readonly Message: Uint8Array
      readonly MessageType: "DIGEST" | "RAW"
      readonly SigningAlgorithm: "ECDSA_SHA_256" | "ED25519_SHA_512"
    },
    options?: AwsCallOptions
  ) => Promise<{ readonly Signature?: Uint8Array | undefined }>
}

/**
 * A key of AWS KMS. `keyId` is its id, its ARN, or an alias (`alias/…`); it is one of `ECC_SECG_P256K1` or `ECC_NIST_EDWARDS25519`, for
 * `SIGN_VERIFY`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AwsKmsOptions extends KeyServiceOptions {
  readonly client: AwsKmsClient
  readonly keyId: string
}

/** A digest is signed as it is; EdDSA has no other form than the whole message. */
const signingTerms = {
  secp256k1: { MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" },
  ed25519: { MessageType: "RAW", SigningAlgorithm: "ED25519_SHA_512" }
} as const satisfies Record<KeyScheme, object>

/**
 * The account of a key in AWS KMS. Reads the public key. Rejects with `SigningFailed` if KMS does not answer or refuses, with
 * `InvalidKey` if the key is of another kind, and with `InvalidArgument` if the options cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const awsKms = async (options: AwsKmsOptions): Promise<Account> => {
  checkOptions("awsKms", options, {
    library: { name: "client", calls: ["getPublicKey", "sign"] },
    texts: ["keyId"]
  })
  const { client, keyId } = options
  return makeServiceAccount(
    {
      name: "AWS KMS",
      usableKeys: "the key specs ECC_SECG_P256K1 and ECC_NIST_EDWARDS25519",
      readKey: async (abortSignal) => {
        const { PublicKey } = await client.getPublicKey({ KeyId: keyId }, { abortSignal })
        return PublicKey === undefined ? undefined : parseDerPublicKey(PublicKey)
      },
      sign: async ({ scheme }, Message, abortSignal) => {
        const input = { KeyId: keyId, Message, ...signingTerms[scheme] }
        return (await client.sign(input, { abortSignal })).Signature
      }
    },
    options
  )
}
