import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type {
  BlockNotReached,
  BroadcastUnclear,
  DustAmount,
  FeeOverCap,
  GatewayCallError,
  InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  InvalidArgument,
  InvalidKey,
  InvalidMnemonic,
  LoadError,
  MemoRequired,
  MissingPeer,
  NonceTaken,
  NoQuorum,
  PolicyDenied,
  RpcCallError,
  SigningFailed,
  TransactionDropped,
  TransactionExpired,
  TransactionFailed,
  TransactionNotConfirmed,
  TransactionReplaced,
  WalletUnclear
} from "../data/SdkError.js"

/**
 * The nodes of a client, as in `sdk.nodes` on both surfaces. A signer asks each node about a payment. Without them it asks the client,
 * and trusts the node that answers.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodesOf {
  readonly nodes?:
    | (() => ReadonlyArray<{ readonly failed: boolean }>)
    | { readonly snapshot: Effect.Effect<ReadonlyArray<{ readonly failed: boolean }>> }
    | undefined
}

/**
 * A secret as text, or wrapped so that nothing prints it. The Promise surface takes text.
 *
 * @since 0.1.0
 * @category models
 */
export type Secret = string | Redacted.Redacted

/**
 * The words of a mnemonic (BIP-39, English), and the key to use: the one at `path`, or the one with the number `index` (default 0) on the
 * family's standard path. `derivation: "tatum"` uses the path of `@tatumio/tatum`'s wallet packages for the network, and fails with
 * `InvalidKey` if they have none.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromMnemonic<S extends Secret = Secret> {
  readonly mnemonic: S
  readonly passphrase?: S
  readonly index?: number
  readonly path?: string
  readonly derivation?: "standard" | "tatum"
}

/**
 * A private key in the chain's own format.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromPrivateKey<S extends Secret = Secret> {
  readonly privateKey: S
}

/**
 * A curve and the way to sign on it: ECDSA over 32 bytes that are a hash already, or EdDSA (RFC 8032) over the whole message.
 *
 * @since 0.1.0
 * @category models
 */
export type KeyScheme = "secp256k1" | "ed25519"

/**
 * What an account is asked to sign: `bytes`, which are a hash of 32 bytes on secp256k1 and the whole message on ed25519, and what they
 * stand for, as a policy sees it, with the transaction as it is signed: its nonce, its sequence or its end. `preimage` is what `bytes` are the
 * hash of: the unsigned transaction of EVM chains and of Tron, the amino document of a proposal on Cosmos, and of typed data `0x1901` with its
 * two hashes (EIP-712). Only `bytes` are signed;
 * the rest is for showing, checking and logging, and for devices that hash by themselves.
 *
 * @since 0.1.0
 * @category models
 */
export type SigningRequest = PolicyRequest & { readonly bytes: Uint8Array; readonly preimage?: Uint8Array }

/**
 * An account whose key is elsewhere: in a KMS, an HSM or another process. `publicKey` is hexadecimal: 33 bytes (compressed) on
 * secp256k1, 32 on ed25519. `sign` yields 64 bytes, or, on secp256k1, DER; `s` may be the higher one. A signer verifies every signature before
 * it sends anything. What `sign` throws is the reason of `SigningFailed`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly scheme: KeyScheme
  readonly publicKey: string
  readonly sign: (request: SigningRequest) => Promise<Uint8Array>
}

/**
 * An account whose key is elsewhere, as what a signer is made from. Its address is that of the public key.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromAccount {
  readonly account: Account
}

/**
 * A memo and its kind. An `id` is a whole number by which a receiver assigns payments to its users: a memo id of Stellar, a destination
 * tag of the XRP Ledger, text elsewhere. `text` is text, even if it looks like a number. `hash` and `return` are 32 bytes as hexadecimal,
 * for Stellar only.
 *
 * @since 0.1.0
 * @category models
 */
export type Memo =
  | { readonly id: string | bigint }
  | { readonly text: string }
  | { readonly hash: string }
  | { readonly return: string }

/**
 * How much a payment pays to be in a block soon, where the chain has a market for that: the share of recent fees, in percent, that are not
 * above it. `slow` is the 25th percentile, `normal` the 50th, `fast` the 90th.
 *
 * @since 0.1.0
 * @category models
 */
export type Speed = "slow" | "normal" | "fast" | { readonly percentile: number }

/**
 * What a signer is asked to sign. A `payment` has its preview, and the contract that it calls, if it calls one: a payment in
 * tokens does not. A `contract` that is undefined is a new one. `calls` are all of them where a transaction may have several, as on
 * Solana, and `call` is the first. A `transaction` is one without a preview.
 *
 * @since 0.1.0
 * @category models
 */
export type PolicyRequest = { readonly network: string; readonly address: string } & (
  | {
      readonly kind: "payment"
      readonly prepared: Prepared<unknown>
      readonly call?: ContractCall
      readonly calls?: ReadonlyArray<ContractCall>
    }
  | { readonly kind: "transaction"; readonly transaction: unknown }
  | { readonly kind: "message"; readonly message: string | Uint8Array }
  | { readonly kind: "typedData"; readonly data: unknown }
)

/**
 * A call of a contract, or of a program of Solana. `method` is the first four bytes of its data (on Solana the first eight), as hexadecimal
 * with 0x; empty data has none.
 *
 * @since 0.1.0
 * @category models
 */
export interface ContractCall {
  readonly contract: string | undefined
  readonly method: string
}

/**
 * What a signer consults before a key, a device or a wallet is asked: see `effect-chains/signers/policy`. `authorize` runs `signing` if
 * the policy allows the request, and fails with `PolicyDenied` otherwise. The same bytes are sent again without it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly authorize: <A, E>(
    request: PolicyRequest,
    signing: Effect.Effect<A, E>
  ) => Effect.Effect<A, E | PolicyDenied>
}

/**
 * The policy of a signer, beside what it is made from.
 *
 * @since 0.1.0
 * @category models
 */
export interface WithPolicy {
  readonly policy?: Policy | undefined
}

/**
 * A payment. `amount` is a decimal string in whole coins or tokens, or a bigint in the smallest unit. `"all"` sends all that the account can
 * send: its balance without the fee and without what the chain makes it keep, which the preview names. `maxFee` is the highest fee, in the
 * chain's own coin and in the same forms; without it the family's default cap applies. `speed` chooses the priority
 * fee on Solana (default `"normal"`) and on EVM chains (default: what the node suggests); the other families ignore it. `token` (a contract, mint or asset of the network)
 * pays in that token; `decimals` (0 to 255) saves the read of the token's decimals. `allowNonceGap` lets an account of an EVM chain pay
 * behind transactions that no block has and that this signer has not sent. `private` sends it to the node of the signer's `privateClient`
 * alone, on EVM chains; other signers refuse it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Payment {
  readonly to: string
  readonly amount: string | bigint
  readonly token?: string
  readonly decimals?: number
  readonly memo?: string | Memo
  readonly maxFee?: string | bigint
  readonly speed?: Speed
  readonly allowNonceGap?: boolean
  readonly private?: boolean
}

/**
 * A payment in a token.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenPayment extends Payment {
  readonly token: string
}

/**
 * How long a send takes: until the transaction has `confirmations`, or, without them, until a node has accepted it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SendOptions {
  readonly confirmations?: number
}

/**
 * Something that leaves the account: an amount of an asset, in whole coins or tokens. `asset` is the symbol of the chain's own coin, or
 * the id of a token (CAIP-19). `symbol` is what a token calls itself, which nobody verifies: at most 11 letters, digits and `.$-+`, and
 * absent otherwise. Of tokens, `units` is the amount in the smallest unit, and `decimals` is the number that it was computed with. `from` is
 * the account that it leaves, if that is another one than the signer's.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outgoing {
  readonly asset: string
  readonly token?: string
  readonly symbol?: string
  readonly amount: string
  readonly units?: bigint
  readonly decimals?: number
  readonly from?: string
}

/**
 * What a transaction does with coins that an account stakes, in place of a payment, and with how many in the smallest unit: see
 * `effect-chains/signers/staking` for what each action is on each chain. `from` is the validator that `redelegate` takes them from. On Tron
 * `resource` is what the stake is for; on Solana `stakeAccount` holds the coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface Staking {
  readonly action:
    | "delegate"
    | "undelegate"
    | "redelegate"
    | "claim"
    | "stake"
    | "unstake"
    | "finalize_unstake"
    | "cancel_unstake"
    | "delegate_resource"
    | "undelegate_resource"
    | "go_online"
    | "go_offline"
  readonly amount: bigint
  readonly from?: string
  readonly resource?: "BANDWIDTH" | "ENERGY"
  readonly stakeAccount?: string
}

/**
 * A resource of Tron that a transaction needs, and where it comes from, by what nodes say now: what is left to the account of its own
 * stake (`staked`), of what others have delegated to it (`delegated`), and, of bandwidth, of what each account has for nothing (`free`).
 * `burnt` is as much as it lacks, for which it burns so many sun (`cost`). Bandwidth is of one of its kinds for all bytes, or all is burnt.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResourceUse {
  readonly needed: bigint
  readonly staked: bigint
  readonly delegated: bigint
  readonly free?: bigint
  readonly burnt: bigint
  readonly cost: bigint
}

/**
 * The resources of a transaction of Tron: bandwidth, in bytes, and the energy of a call, as it took in a trial.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resources {
  readonly bandwidth: ResourceUse
  readonly energy?: ResourceUse
}

/**
 * The preview of a payment: exactly this is signed. `amount` is in the smallest unit of what is sent, `fee` and `change` in that of the
 * chain's coin. `fee` is the highest possible fee. `outgoing` lists what leaves the account, with the highest fee, and `warnings` what a
 * person should know before signing. `expectedBlocks` is in how many blocks the payment is expected to be with its fee, by recent blocks: on
 * EVM chains, for a payment with a `speed`. With `staking`, `to` is a validator, and `amount` what the account cannot spend from then on.
 * `resources` is what of the fee is probably burnt, on Tron.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prepared<out Tx> {
  readonly network: string
  readonly from: string
  readonly to: string
  readonly token?: string
  readonly amount: bigint
  readonly fee: bigint
  readonly change?: bigint
  readonly expectedBlocks?: number
  readonly staking?: Staking
  readonly resources?: Resources
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
  readonly transaction: Tx
}

/**
 * A signed transaction: its bytes as the chain's nodes take them, and its hash or id.
 *
 * @since 0.1.0
 * @category models
 */
export interface Signed {
  readonly raw: string
  readonly hash: string
}

/**
 * A payment that nodes have taken.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sent<out Tx> {
  readonly hash: string
  readonly prepared: Prepared<Tx>
}

/**
 * The errors of making a signer.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignerError =
  | InvalidMnemonic
  | InvalidKey
  | InvalidArgument
  | MissingPeer
  | SigningFailed
  | LoadError

/**
 * The errors of reading what a payment needs from nodes. A signer asks several nodes what a payment depends on, so `NoQuorum` needs no
 * option. `BlockNotReached` comes of clients with `consistency: "monotonic"`.
 *
 * @since 0.1.0
 * @category errors
 */
export type ReadError = RpcCallError | NoQuorum | BlockNotReached

/**
 * The errors of preparing a payment. Nothing is signed then. On chains whose nodes do not know balances, the data API is asked, and its
 * errors are among these.
 *
 * @since 0.1.0
 * @category errors
 */
export type PrepareError =
  | ReadError
  | GatewayCallError
  | LoadError
  | InvalidAddress
  | InvalidAmount
  | InsufficientFunds
  | DustAmount
  | FeeOverCap
  | MemoRequired

/**
 * The errors of signing and broadcasting a prepared payment. After `BroadcastUnclear` it may have been sent, and after `WalletUnclear`,
 * which only wallets of pages cause.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubmitError =
  | ReadError
  | SigningFailed
  | PolicyDenied
  | NonceTaken
  | BroadcastUnclear
  | WalletUnclear
  | TransactionReplaced
  | TransactionDropped
  | TransactionExpired
  | TransactionFailed
  | TransactionNotConfirmed

/**
 * The errors of a payment in one step: those of its preview, and those of signing and sending it.
 *
 * @since 0.1.0
 * @category errors
 */
export type SendError = PrepareError | SubmitError

/**
 * An account that signs, on its network. `prepare` previews a payment, `submit` signs and sends exactly that preview, and `send` and
 * `sendToken` do both. No payment is made twice: after an unclear outcome the signer looks for the transaction, and only ever sends the
 * same bytes again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Signer<in out Tx> {
  readonly network: string
  readonly address: string
  /** Signs a transaction, without sending it. */
  readonly sign: (transaction: Tx) => Effect.Effect<Signed, SigningFailed | PolicyDenied | ReadError>
  /** Signs a message in the chain's own format, which cannot be mistaken for a transaction. */
  readonly signMessage: (
    message: string | Uint8Array
  ) => Effect.Effect<string, SigningFailed | PolicyDenied | InvalidArgument>
  /** The preview of a payment. Nothing is signed. */
  readonly prepare: (payment: Payment) => Effect.Effect<Prepared<Tx>, PrepareError>
  /**
   * Signs and sends what was prepared. If an earlier submit or send of it ended with `BroadcastUnclear` or was interrupted, it sends the
   * same bytes again; the preview and the error both identify them. A wallet of the page has no bytes: after `WalletUnclear` it is not
   * asked for the same preview again.
   */
  readonly submit: (
    prepared: Prepared<Tx> | BroadcastUnclear,
    options?: SendOptions
  ) => Effect.Effect<Sent<Tx>, SubmitError>
  /** Pays in the chain's own coin. */
  readonly send: (payment: Omit<Payment, "token"> & SendOptions) => Effect.Effect<Sent<Tx>, SendError>
  /** Pays in a token. */
  readonly sendToken: (payment: TokenPayment & SendOptions) => Effect.Effect<Sent<Tx>, SendError>
}

/**
 * One member's signature of a payment, with the `publicKey` where the chain wants it beside.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cosignature {
  readonly publicKey?: string
  readonly signature: string
}

/**
 * A signer that can sign for an account with several members, of which it is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cosigner<in Tx> {
  readonly network: string
  readonly address: string
  /**
   * Signs a payment of an account with several members, of which this signer is one: exactly the preview, once the policy allows it. See
   * `effect-chains/signers/proposal`, which checks it against the chain first. Nothing is sent.
   */
  readonly cosign: (
    prepared: Prepared<Tx>
  ) => Effect.Effect<Cosignature, SigningFailed | PolicyDenied | InvalidArgument | LoadError>
}
