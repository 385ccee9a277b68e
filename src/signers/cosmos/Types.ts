/**
 * What signers of Cosmos take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { MissingPeer } from "../../data/SdkError.js"
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
  Signer,
  Staking,
  WithPolicy
} from "../Signer.js"

/**
 * A transaction of Cosmos: a payment (`MsgSend`) of an amount of a denomination, in its smallest unit, or what `staking` says, with the
 * validator `to`. `fee` is in the smallest unit of the chain's coin,
 * for at most `gas`, and paid by the account `feeGranter`, if it is there, by its allowance. With `onBehalfOf`, the coins are those of that
 * account. With `grant`, `to` may pay up to `amount` of this account's coins from then on, or no longer. Signing chooses the account's number, its sequence, and the last height that can have the payment.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosTransaction {
  readonly from: string
  readonly to: string
  readonly denom: string
  readonly amount: bigint
  readonly staking?: Pick<Staking, "action" | "from">
  readonly feeGranter?: string
  readonly onBehalfOf?: string
  readonly grant?: CosmosGrant
  readonly fee: bigint
  readonly gas: bigint
  readonly memo?: string
  readonly accountNumber?: bigint
  readonly sequence?: bigint
  readonly timeoutHeight?: bigint
}

/**
 * What an account grants another one, or revokes: to pay its fees, or to make payments, which may be for `recipients` alone. `expires` is in
 * seconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosGrant {
  readonly action: "grant" | "revoke"
  readonly kind: "fees" | "payments"
  readonly expires?: number
  readonly recipients?: ReadonlyArray<string>
}

/**
 * A payment with grants of other accounts: `feeGranter` pays its fee, and the coins are those of `onBehalfOf`. One of both is needed.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosGrantedPayment extends Payment {
  readonly feeGranter?: string
  readonly onBehalfOf?: string
}

/**
 * What to grant the account `grantee`, or to revoke. A grant has a `spendLimit`: of the chain's coin for fees, and for payments of that or of
 * `token`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosGrantRequest
  extends Pick<CosmosGrant, "action" | "kind" | "recipients">,
    Pick<Payment, "token" | "decimals" | "maxFee"> {
  readonly grantee: string
  readonly spendLimit?: string | bigint
  readonly expires?: Date
}

/**
 * What a signer of Cosmos is made from: a mnemonic (`m/44'/118'/0'/0/index`), a private key (32 bytes as hexadecimal), an account
 * whose key is elsewhere, or a public key (33 bytes, compressed, as hexadecimal) and a function that signs 32 bytes with its private one.
 *
 * @since 0.1.0
 * @category models
 */
export type CosmosFrom<S extends Secret = Secret> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | {
      readonly publicKey: string
      readonly sign: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>
    }
) &
  WithPolicy

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface OfAddress {
  readonly address: string
}

interface OfDenom {
  readonly denom: string
}

/** An allowance or an authorization, whose fields follow from its type. */
interface GrantedObject {
  readonly "@type": string
  readonly [field: string]: unknown
}

interface BaseAccount {
  readonly account_number?: string
  readonly sequence?: string
  /** Absent or null until the account has paid for the first time. */
  readonly pub_key?: unknown
}

/**
 * The calls that a signer needs. Every client of Cosmos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosCalls {
  readonly broadcastTx: Call<
    [{ readonly tx_bytes: string; readonly mode: "BROADCAST_MODE_SYNC" }],
    { readonly tx_response: { readonly txhash: string } }
  >
  readonly getAccountDetails: Call<
    [OfAddress],
    {
      readonly account: BaseAccount & {
        readonly "@type": string
        readonly name?: string
        readonly base_vesting_account?: { readonly base_account: BaseAccount }
      }
    }
  >
  readonly getAllowance: Call<
    [{ readonly granter: string; readonly grantee: string }],
    { readonly allowance: { readonly allowance: GrantedObject } }
  >
  readonly getAllParams: Call<[], { readonly params: { readonly max_memo_characters: string } }>
  readonly getDenomMetadata: Call<
    [OfDenom],
    {
      readonly metadata: {
        readonly base: string
        readonly display: string
        readonly symbol?: string
        readonly denom_units: ReadonlyArray<{ readonly denom: string; readonly exponent: number }>
      }
    }
  >
  readonly getGasPrice: Call<[OfDenom], { readonly price: { readonly amount: string } }>
  readonly getGrants: Call<
    [{ readonly granter: string; readonly grantee: string; readonly msg_type_url: string }],
    {
      readonly grants: ReadonlyArray<{
        readonly authorization: GrantedObject
        readonly expiration: string | null
      }>
    }
  >
  readonly getLatestBlock: Call<
    [],
    { readonly block: { readonly header: { readonly chain_id: string; readonly height: string } } }
  >
  readonly getNodeConfig: Call<[], { readonly minimum_gas_price: string }>
  readonly getSpendableBalanceByDenom: Call<
    [OfAddress & OfDenom],
    { readonly balance: { readonly amount: string } | null }
  >
  readonly getTxByHash: Call<
    [hash: string],
    {
      readonly tx?: unknown
      readonly tx_response: {
        readonly height: string
        readonly code: number
        readonly codespace: string
        readonly raw_log: string
      }
    }
  >
  readonly getTxsByEvent: Call<
    [{ readonly query: string; readonly events: ReadonlyArray<string>; readonly limit: number }],
    { readonly tx_responses: ReadonlyArray<{ readonly txhash: string }> | null }
  >
  readonly simulate: Call<
    [{ readonly tx_bytes: string }],
    { readonly gas_info: { readonly gas_used: string } }
  >
}

/**
 * A client of Cosmos, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosClient extends NodesOf {
  readonly network: string
  readonly rpc: CosmosCalls
}

/**
 * A signer of Cosmos.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosSigner extends Signer<CosmosTransaction>, Cosigner<CosmosTransaction> {
  /** The compressed public key, as hexadecimal. */
  readonly publicKey: string
  /** The preview of a payment whose fee or coins are another account's, by its grant, for `submit`. */
  readonly prepareGranted: (
    payment: CosmosGrantedPayment
  ) => Effect.Effect<Prepared<CosmosTransaction>, PrepareError | MissingPeer>
  /** The preview of a transaction that grants another account payments or fees, or revokes that, for `submit`. */
  readonly prepareGrant: (
    request: CosmosGrantRequest
  ) => Effect.Effect<Prepared<CosmosTransaction>, PrepareError | MissingPeer>
}
