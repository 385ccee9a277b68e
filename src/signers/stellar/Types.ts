/**
 * What signers of Stellar take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { MissingPeer } from "../../data/SdkError.js"
import type {
  Cosignature,
  Cosigner,
  FromAccount,
  FromMnemonic,
  FromPrivateKey,
  Memo,
  NodesOf,
  Payment,
  Prepared,
  PrepareError,
  ReadError,
  Secret,
  SendOptions,
  Sent,
  Signer,
  SubmitError,
  WithPolicy
} from "../Signer.js"

/**
 * A payment to sign, in stroops (10^-7) of lumens or of `token` (`CODE:GISSUER`). `creates` makes the receiver's account. A `memo` that
 * is only text becomes an id if it is a number of 64 bits. `fee` is the highest fee in stroops. `submit` chooses the `sequence` and the
 * second (since 1970) after which no ledger may have it; a payment that has both is signed as it is. With `bump`, it pays `fee` for the
 * signed transaction `inner` (XDR in Base64) of the account `source`, whose `sequence` and `expires` it has. With `sponsors`, `from` keeps
 * the reserve of what it makes for `to`: the account, if it `creates` it with `amount`, and trust lines for the assets `trust`. `signature`
 * is that of `to`.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarTransaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly token?: string
  readonly creates?: boolean
  readonly memo?: string | Memo
  readonly fee: bigint
  readonly sponsors?: { readonly trust: ReadonlyArray<string>; readonly signature?: string }
  readonly bump?: { readonly source: string; readonly inner: string }
  readonly sequence?: bigint
  readonly expires?: number
}

/**
 * What a signer of Stellar is made from: a mnemonic (`m/44'/148'/index'`), a private key (a seed, `S…`), an account whose key is elsewhere,
 * or the address of an account and a function that signs bytes (Ed25519) with its key.
 *
 * @since 0.1.0
 * @category models
 */
export type StellarFrom<S extends Secret = Secret> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | {
      readonly address: string
      readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
    }
) &
  WithPolicy

type Call<Parameters, A> = (parameters: Parameters) => Effect.Effect<A, ReadError>

/**
 * What an account has of an asset, as far as signers read it.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarBalance {
  readonly balance: string
  readonly asset_type: string
  readonly asset_code?: string
  readonly asset_issuer?: string
  readonly limit?: string
  readonly buying_liabilities?: string
  readonly selling_liabilities?: string
  readonly is_authorized?: boolean
}

/**
 * The calls that a signer needs. Every client of Stellar has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarCalls {
  readonly getAccount: Call<
    { readonly accountId: string },
    {
      readonly sequence: string
      readonly subentry_count: number
      readonly num_sponsoring: number
      readonly num_sponsored: number
      readonly thresholds: { readonly low_threshold: number; readonly med_threshold: number }
      readonly signers: ReadonlyArray<{ readonly key: string; readonly weight: number }>
      readonly data: Readonly<Record<string, string>>
      readonly balances: ReadonlyArray<StellarBalance>
    }
  >
  readonly getAccountTransactions: Call<
    {
      readonly accountId: string
      readonly order: "desc"
      readonly limit: number
      readonly includeFailed: boolean
    },
    {
      readonly _embedded: {
        readonly records: ReadonlyArray<{
          readonly hash: string
          readonly source_account: string
          readonly source_account_sequence: string
        }>
      }
    }
  >
  readonly getFeeStats: () => Effect.Effect<
    { readonly last_ledger_base_fee: string; readonly fee_charged: { readonly p95: string } },
    ReadError
  >
  readonly getLedgers: Call<
    { readonly order: "desc"; readonly limit: number },
    {
      readonly _embedded: {
        readonly records: ReadonlyArray<{
          readonly sequence: number
          readonly closed_at: string
          readonly base_reserve_in_stroops: number
        }>
      }
    }
  >
  readonly getTransaction: Call<
    { readonly transactionHash: string },
    { readonly ledger: number; readonly successful: boolean; readonly result_xdr: string }
  >
  readonly submitTransaction: Call<{ readonly tx: string }, { readonly hash: string }>
}

/**
 * A client of Stellar, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarClient extends NodesOf {
  readonly network: string
  readonly rpc: StellarCalls
}

/**
 * The highest fee of a fee bump, in lumens as a decimal string or in stroops.
 *
 * @since 0.1.0
 * @category models
 */
export type FeeBumpOptions = Pick<Payment, "maxFee">

/**
 * What an account is sponsored with: itself, if it is not there yet, which starts with `startingBalance` (default 0), and trust lines for
 * assets (`CODE:G…`). `until` is when it is over, by default after ten minutes: the sponsored account has to sign it too.
 *
 * @since 0.1.0
 * @category models
 */
export interface SponsorshipRequest extends Pick<Payment, "maxFee"> {
  readonly account: string
  readonly startingBalance?: string | bigint
  readonly trust?: ReadonlyArray<string>
  readonly until?: Date
}

/**
 * A signer of Stellar.
 *
 * @since 0.1.0
 * @category models
 */
export interface StellarSigner extends Signer<StellarTransaction>, Cosigner<StellarTransaction> {
  /**
   * The preview of a transaction that pays the fee of a signed one (`raw`), for `submit`: of an own payment that waits, at ten times its
   * fee or more, or of any transaction of another account, which costs nothing but the fee.
   */
  readonly prepareFeeBump: (
    raw: string,
    options?: FeeBumpOptions
  ) => Effect.Effect<Prepared<StellarTransaction>, PrepareError | MissingPeer>
  /**
   * The preview of a transaction that makes an account, or trust lines of one, and by which this account keeps their reserve. The sponsored
   * account signs it with `cosign` of its signer, and `submitSponsorship` takes that signature. Its number is the account's next one: a
   * payment in between takes it.
   */
  readonly prepareSponsorship: (
    request: SponsorshipRequest
  ) => Effect.Effect<Prepared<StellarTransaction>, PrepareError | MissingPeer>
  /** Signs and sends what `prepareSponsorship` has made, with the signature of the sponsored account. */
  readonly submitSponsorship: (
    prepared: Prepared<StellarTransaction>,
    cosignature: Cosignature,
    options?: SendOptions
  ) => Effect.Effect<Sent<StellarTransaction>, SubmitError>
  /** The preview of a payment without a fee, for `sign`: another account pays the fee with `prepareFeeBump`. */
  readonly prepareWithoutFee: (
    payment: Payment
  ) => Effect.Effect<Prepared<StellarTransaction>, PrepareError | MissingPeer>
}
