/**
 * Accounts whose key is in Azure Key Vault or a managed HSM: `effect-chains/accounts/azure-key-vault`.
 *
 * ```ts
 * const client = new KeyClient("https://treasury.vault.azure.net", new DefaultAzureCredential())
 * const account = await azureKeyVault({ client, keyName: "treasury" })
 * ```
 *
 * @since 0.1.0
 */
import type { Account } from "../signers/Signer.js"
import { type KeyServiceOptions, makeServiceAccount } from "./keyService.js"
import { checkOptions } from "./options.js"
import { compressPoint } from "./publicKeys.js"

export type { Account, FromAccount, KeyScheme, SigningRequest } from "../signers/Signer.js"
export type { KeyServiceOptions } from "./keyService.js"

interface AzureCallOptions {
  readonly abortSignal?: AbortSignal
}

/**
 * The calls of `KeyClient` of `@azure/keyvault-keys` that an account needs. They take the permissions `get` and `sign`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AzureKeyClient {
  readonly getKey: (
    name: string,
    options?: AzureCallOptions & { readonly version?: string }
  ) => Promise<{
    readonly key?: {
      readonly crv?: string
      readonly x?: Uint8Array
      readonly y?: Uint8Array
    }
    readonly properties: { readonly version?: string }
  }>
  readonly getCryptographyClient: (
    keyName: string,
    options?: { readonly keyVersion?: string }
  ) => {
    readonly sign: (
      algorithm: "ES256K",
      digest: Uint8Array,
      options?: AzureCallOptions
    ) => Promise<{ readonly result: Uint8Array }>
  }
}

/**
 * A key of Azure Key Vault, on the curve `P-256K`. Without `keyVersion` it is the newest version, which the account keeps. The service has
 * no Ed25519.
 *
 * @since 0.1.0
 * @category models
 */
export interface AzureKeyVaultOptions extends KeyServiceOptions {
  readonly client: AzureKeyClient
  readonly keyName: string
  readonly keyVersion?: string
}

/**
 * The account of a key in Azure Key Vault. Reads the public key. Rejects with `SigningFailed` if the vault does not answer or refuses,
 * with `InvalidKey` if the key is of another kind, and with `InvalidArgument` if the options cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const azureKeyVault = async (options: AzureKeyVaultOptions): Promise<Account> => {
  checkOptions("azureKeyVault", options, {
    library: { name: "client", calls: ["getKey", "getCryptographyClient"] },
    texts: ["keyName"]
  })
  const { client, keyName, keyVersion } = options
  return makeServiceAccount(
    {
      name: "Azure Key Vault",
      usableKeys: "the curve P-256K",
      readKey: async (abortSignal) => {
        const found = await client.getKey(keyName, {
          abortSignal,
          ...(keyVersion === undefined ? {} : { version: keyVersion })
        })
        const { crv, x, y } = found.key ?? {}
        if (crv !== "P-256K" || x?.length !== 32 || y?.length !== 32) return undefined
        const { version } = found.properties
        // a rotated key would be another account
        const own = client.getCryptographyClient(
          keyName,
          version === undefined ? {} : { keyVersion: version }
        )
        return { ...compressPoint(x, y), own }
      },
      sign: async ({ own }, digest, abortSignal) => (await own.sign("ES256K", digest, { abortSignal })).result
    },
    options
  )
}
