/**
 * What signers of Algorand take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { MissingPeer, PolicyDenied, SigningFailed } from "../../data/SdkError.js"
import type {
  Cosignature,
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
  SendOptions,
  Sent,
  Signer,
  Staking,
  SubmitError,
  WithPolicy
} from "../Signer.js"

/**
 * The participation keys of an account that a node of the caller votes with, as `goal account partkeyinfo` and the node's
 * `/v2/participation` tell them: keys as Base64 (32 bytes, and 64 for state proofs), and the rounds for which they are good.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandParticipation {
  readonly voteKey: string
  readonly selectionKey: string
  readonly stateProofKey: string
  readonly voteFirst: bigint
  readonly voteLast: bigint
  readonly voteKeyDilution: bigint
}

/**
 * A payment of Algorand, in microalgos or in the smallest unit of an asset (ASA) with the id `token`. Signing chooses the rounds that can
 * have it, and a lease (Base64) that makes equal payments different transactions. With `staking` it registers keys and pays nothing. With
 * `sponsored`, `feePayer` pays the fee, by a transaction of its own that `key` signs where the account was rekeyed to that; `signature`
 * (Base64) is the one of that transaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandTransaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly token?: string
  readonly fee: bigint
  readonly memo?: string
  readonly firstValid?: bigint
  readonly lastValid?: bigint
  readonly lease?: string
  readonly staking?: Pick<Staking, "action"> & { readonly participation?: AlgorandParticipation }
  readonly sponsored?: { readonly feePayer: string; readonly key?: string; readonly signature?: string }
}

/**
 * A payment whose fee the account `feePayer` pays.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandSponsoredPayment extends Payment {
  readonly feePayer: string
}

/**
 * What a signer of Algorand is made from: a mnemonic (Algorand's own of 25 words, or BIP-39 at `m/44'/283'/index'/0'/0'`), a private key
 * (32 bytes, or 64 with the public one behind them, as hexadecimal or Base64), an account whose key is elsewhere, or a function
 * that signs bytes with the key of an address. `account` is the account that it pays from where that was rekeyed to this key; beside an
 * {@link Account}, which has that name, it is `address`.
 *
 * @since 0.1.0
 * @category models
 */
export type AlgorandFrom<S extends Secret = Secret> = (
  | ((FromMnemonic<S> | FromPrivateKey<S>) & { readonly account?: string })
  | (FromAccount & { readonly address?: string })
  | {
      readonly address: string
      readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
      readonly account?: string
    }
) &
  WithPolicy

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

/**
 * The calls that a signer needs. Every client of algod has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandCalls {
  readonly broadcastTransaction: Call<[{ readonly rawtxn: string }], { readonly txId: string }>
  readonly getAccountInfo: Call<
    [{ readonly address: string; readonly exclude: "all" }],
    { readonly amount: bigint; readonly "min-balance": bigint; readonly "auth-addr"?: string }
  >
  readonly getAccountAssetInfo: Call<
    [{ readonly address: string; readonly assetId: string }],
    { readonly "asset-holding"?: { readonly amount: bigint; readonly "is-frozen": boolean } }
  >
  readonly getAssetInformation: Call<
    [{ readonly assetId: string }],
    {
      readonly params: {
        readonly decimals: number
        readonly "unit-name"?: string
        readonly freeze?: string
        readonly clawback?: string
      }
    }
  >
  readonly getNodeStatus: Call<[], { readonly "last-round": bigint }>
  readonly getPendingTransaction: Call<
    [{ readonly txid: string }],
    { readonly "pool-error": string; readonly "confirmed-round"?: bigint }
  >
  readonly getTransactionParams: Call<
    [],
    {
      readonly fee: bigint
      readonly "min-fee": bigint
      readonly "genesis-hash": string
      readonly "last-round": bigint
    }
  >
}

/**
 * A client of algod, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandClient extends NodesOf {
  readonly network: string
  readonly rpc: AlgorandCalls
}

/**
 * A signer of Algorand.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandSigner extends Signer<AlgorandTransaction>, Cosigner<AlgorandTransaction> {
  /**
   * The preview of a payment whose fee another account pays. That account signs with `cosignFee` of its signer, and `submitSponsored` takes
   * the signature. Both have about nine minutes.
   */
  readonly prepareSponsored: (
    payment: AlgorandSponsoredPayment
  ) => Effect.Effect<Prepared<AlgorandTransaction>, PrepareError | MissingPeer>
  /**
   * Signs, as the fee payer, the transaction that pays the fee of exactly this preview, and nothing else. Without `maxFee` it pays no more
   * than its own node asks for. Its policy sees a payment of the fee to the account that is paid for.
   */
  readonly cosignFee: (
    prepared: Prepared<AlgorandTransaction>,
    options?: Pick<Payment, "maxFee">
  ) => Effect.Effect<Cosignature, PrepareError | SigningFailed | PolicyDenied | MissingPeer>
  /** Signs and sends what `prepareSponsored` has made, with the signature of the fee payer. */
  readonly submitSponsored: (
    prepared: Prepared<AlgorandTransaction>,
    cosignature: Cosignature,
    options?: SendOptions
  ) => Effect.Effect<Sent<AlgorandTransaction>, SubmitError>
}
