/**
 * What signers of Tron take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"

import type {
  Cosigner,
  FromAccount,
  FromMnemonic,
  FromPrivateKey,
  NodesOf,
  Payment,
  Prepared,
  PrepareError,
  ReadError,
  Secret,
  SendError,
  SendOptions,
  Sent,
  Signer,
  Staking,
  WithPolicy
} from "../Signer.js"

/**
 * What a transaction has that several members of an account sign (see `effect-chains/signers/proposal`): the id of the account's permission
 * that they sign with, the block that it names (two bytes of its number and eight of its hash, as hexadecimal), and the milliseconds since
 * 1970 at which it was proposed.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronShared {
  readonly permission: number
  readonly block: string
  readonly timestamp: bigint
}

/**
 * A payment of Tron, in sun or in the smallest unit of a token (TRC-20), whose contract is `token` and whose call is `data`
 * (hexadecimal). With `data` alone it is a call of the contract `to`, which gets the amount in sun. `feeLimit` is the most sun that the
 * contract may burn. The block that it names is chosen when it is signed, and with it `expiration`: the milliseconds since 1970 after
 * which no block takes it. With `shared`, block and expiration are chosen already, for the members of an account to sign. With
 * `staking` it stakes: `amount` is in sun, of votes too, and `to` the super representative, the receiver of a resource, or the account itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronTransaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly token?: string
  readonly data?: string
  readonly memo?: string
  readonly feeLimit?: bigint
  readonly expiration?: bigint
  readonly shared?: TronShared
  readonly staking?: Pick<Staking, "action" | "resource">
}

/**
 * A call of a contract: its function as text, such as `transfer(address,uint256)`, and its encoded arguments as hexadecimal digits. With
 * it go so many `value`: TRX as a decimal string, or sun as a bigint.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronRequest extends Pick<Payment, "maxFee" | "memo"> {
  readonly to: string
  readonly functionSelector: string
  readonly parameter?: string | Uint8Array
  readonly value?: string | bigint
}

/**
 * What a signer of Tron is made from: a mnemonic (`m/44'/195'/0'/0/index`), a private key (32 bytes as hexadecimal), an
 * account whose key is elsewhere, or a function that signs 32 bytes with the key of an address.
 *
 * @since 0.1.0
 * @category models
 */
export type TronFrom<S extends Secret = Secret> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | {
      readonly address: string
      readonly sign: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>
    }
) &
  WithPolicy

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface Visible {
  readonly visible?: boolean
}

/**
 * The calls that a signer needs. Every client of Tron has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronCalls {
  readonly broadcastHex: Call<[transaction: string], { readonly result?: boolean }>
  readonly getAccount: Call<
    [address: string, options?: Visible],
    {
      readonly address?: string
      readonly balance?: bigint
      readonly acquired_delegated_frozen_balance_for_bandwidth?: bigint
      readonly acquired_delegated_frozenV2_balance_for_bandwidth?: bigint
      readonly account_resource?: {
        readonly acquired_delegated_frozen_balance_for_energy?: bigint
        readonly acquired_delegated_frozenV2_balance_for_energy?: bigint
      }
    }
  >
  readonly getAccountResources: Call<
    [address: string, options?: Visible],
    {
      readonly freeNetUsed?: bigint
      readonly freeNetLimit?: bigint
      readonly NetUsed?: bigint
      readonly NetLimit?: bigint
      readonly TotalNetLimit?: bigint
      readonly TotalNetWeight?: bigint
      readonly EnergyUsed?: bigint
      readonly EnergyLimit?: bigint
      readonly TotalEnergyLimit?: bigint
      readonly TotalEnergyWeight?: bigint
    }
  >
  readonly getChainParameters: Call<
    [],
    { readonly chainParameter: ReadonlyArray<{ readonly key: string; readonly value?: bigint }> }
  >
  readonly getNowBlock: Call<
    [],
    {
      readonly blockID: string
      readonly block_header: { readonly raw_data: { readonly number?: bigint; readonly timestamp?: bigint } }
    }
  >
  readonly getTransactionById: Call<[id: string], { readonly txID?: string }>
  readonly getTransactionFromPending: Call<[id: string], { readonly txID?: string }>
  readonly getTransactionInfoById: Call<
    [id: string],
    {
      readonly id?: string
      readonly blockNumber?: bigint
      readonly result?: string
      readonly resMessage?: string
      readonly contractResult?: ReadonlyArray<string>
      readonly receipt?: { readonly result?: string }
    }
  >
  readonly triggerConstantContract: Call<
    [
      owner: string,
      contract: string,
      functionSelector: string,
      parameter: string,
      options?: Visible & { readonly callValue?: bigint }
    ],
    {
      readonly result: { readonly result?: boolean; readonly message?: string }
      readonly constant_result?: ReadonlyArray<string>
      readonly energy_used?: bigint
      readonly transaction?: { readonly ret?: ReadonlyArray<{ readonly ret?: string }> }
    }
  >
}

/**
 * A client of Tron, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronClient extends NodesOf {
  readonly network: string
  readonly rpc: TronCalls
}

/**
 * A signer of Tron.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronSigner extends Signer<TronTransaction>, Cosigner<TronTransaction> {
  /** Calls a contract. */
  readonly sendTransaction: (
    request: TronRequest & SendOptions
  ) => Effect.Effect<Sent<TronTransaction>, SendError>
  /** The preview of a call of a contract. Nothing is signed. */
  readonly prepareTransaction: (
    request: TronRequest
  ) => Effect.Effect<Prepared<TronTransaction>, PrepareError>
}
