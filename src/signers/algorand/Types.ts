/**
 * What signers of Algorand take and give.
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
  ReadError,
  Secret,
  Signer,
  Staking,
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
 * have it, and a lease (Base64) that makes equal payments different transactions. With `staking` it registers keys and pays nothing.
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
export interface AlgorandSigner extends Signer<AlgorandTransaction>, Cosigner<AlgorandTransaction> {}
