/**
 * What signers of TON take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { MissingPeer } from "../../data/SdkError.js"
import type {
  FromAccount,
  FromMnemonic,
  FromPrivateKey,
  NodesOf,
  Prepared,
  PrepareError,
  ReadError,
  Secret,
  Signer,
  TokenPayment,
  WithPolicy
} from "../Signer.js"

/**
 * The tokens of a payment: their master contract, the account's own wallet contract for them, the nanotons that go with them to pay the
 * way (the rest returns), and those that the receiver gets with the notification.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonToken {
  readonly master: string
  readonly wallet: string
  readonly attached: bigint
  readonly forward: bigint
}

/**
 * What a relay of fees asks for a payment in tokens: `messages` are all that the wallet sends, of which one is the payment and the others
 * pay the `commission`, in the smallest unit of the token. The relay takes it until `validUntil` (seconds).
 *
 * @since 0.1.0
 * @category models
 */
export interface TonRelay {
  readonly address: string
  readonly commission: bigint
  readonly validUntil: number
  readonly messages: ReadonlyArray<{
    readonly address: string
    readonly amount: bigint
    readonly payload: string
  }>
}

/**
 * A payment of TON: in nanotons, or in the smallest unit of `token`. With `bounce` it returns if the receiver's contract fails. Signing
 * chooses the wallet's sequence number, and the time (seconds) until which the message is valid.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonTransaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly bounce: boolean
  readonly memo?: string
  readonly token?: TonToken
  /** Who hands it to the chain and pays its fee. Absent if the wallet does. */
  readonly relay?: TonRelay
  /** The whole balance is sent, whatever it is then: `amount` is the least of it. */
  readonly sweeps?: boolean
  readonly seqno?: number
  readonly validUntil?: number
}

/**
 * The contract of an account: wallet v5 (r1) or v4 (r2). One key has another address in each.
 *
 * @since 0.1.0
 * @category models
 */
export type TonWallet = "v4" | "v5"

/**
 * Options of the account: `wallet` is v5 by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonAccount extends WithPolicy {
  readonly wallet?: TonWallet
}

/**
 * A mnemonic: TON's own 24 words (with `passphrase` as their password, and one key), or BIP-39 (`m/44'/607'/index'`). The checksums tell
 * which of both it is; the few that pass both need `words`.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromTonMnemonic<S extends Secret = Secret> extends FromMnemonic<S> {
  readonly words?: "bip39" | "ton"
}

/**
 * A function that signs 32 bytes (Ed25519) with the key of a public key (64 hexadecimal digits): a KMS or a hardware wallet. Its 64
 * bytes are verified before they are used.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonFromSign {
  readonly publicKey: string
  readonly sign: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/**
 * What a signer of TON is made from. A private key is the seed (32 bytes as hexadecimal), or that with the public key behind it (64).
 *
 * @since 0.1.0
 * @category models
 */
export type TonFrom<S extends Secret = Secret> = (
  | FromTonMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | TonFromSign
) &
  TonAccount

/** A call of a client of TON. */
type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface Result<out A> {
  readonly result: A
}

interface Place {
  readonly lt: string
  readonly hash: string
}

interface RelayedMessage {
  readonly address: string
  readonly amount: string
  readonly payload?: string
  readonly stateInit?: string
}

/**
 * The calls that a signer needs. Every client of TON has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonCalls {
  readonly estimateFee: Call<
    [
      input: {
        readonly address: string
        readonly body: string
        readonly init_code?: string
        readonly init_data?: string
        readonly ignore_chksig?: boolean
      }
    ],
    Result<{
      readonly source_fees: {
        readonly in_fwd_fee: number
        readonly storage_fee: number
        readonly gas_fee: number
        readonly fwd_fee: number
      }
    }>
  >
  readonly gaslessConfig: Call<
    [],
    { readonly relay_address: string; readonly gas_jettons: ReadonlyArray<{ readonly master_id: string }> }
  >
  readonly gaslessEstimate: Call<
    [
      masterId: string,
      body: {
        readonly wallet_address: string
        readonly wallet_public_key: string
        readonly messages: ReadonlyArray<{ readonly boc: string }>
      }
    ],
    {
      readonly relay_address: string
      readonly commission: string
      readonly from: string
      readonly valid_until: number
      readonly messages: ReadonlyArray<RelayedMessage>
    }
  >
  readonly gaslessSend: Call<[body: { readonly wallet_public_key: string; readonly boc: string }], unknown>
  readonly getAccount: Call<[address: string], { readonly memo_required?: boolean }>
  readonly getAddressInformation: Call<
    [address: string],
    Result<{
      readonly balance: string | number
      readonly code: string
      readonly data: string
      readonly state: string
      readonly sync_utime: number
      readonly last_transaction_id: Place
    }>
  >
  readonly getMasterchainInfo: Call<[], Result<{ readonly last: { readonly seqno: number } }>>
  readonly getTransactions: Call<
    [
      input: {
        readonly address: string
        readonly limit?: number
        readonly lt?: string
        readonly hash?: string
      }
    ],
    Result<ReadonlyArray<{ readonly data: string; readonly utime: number; readonly transaction_id: Place }>>
  >
  readonly runGetMethod: Call<
    [
      input: {
        readonly address: string
        readonly method: string
        readonly stack: ReadonlyArray<readonly [type: string, value: unknown]>
      }
    ],
    Result<{
      readonly exit_code: number
      readonly stack: ReadonlyArray<readonly [type: string, value: unknown]>
    }>
  >
  readonly sendBocReturnHash: Call<[input: { readonly boc: string }], unknown>
}

/**
 * A client of TON, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonClient extends NodesOf {
  readonly network: string
  readonly rpc: TonCalls
}

/**
 * A payment in tokens whose receiver gets `forward` TON (as `amount`: whole coins, or nanotons as a bigint) with the notice of the tokens.
 * Contracts that act on tokens pay their work with it; `prepare` forwards a nanoton, which suffices for the notice itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonTokenPayment extends TokenPayment {
  readonly forward: string | bigint
}

/**
 * A payment in tokens whose fee a relay pays for a commission in the same token: at most `maxCommission`, in whole tokens or as a bigint
 * in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonGaslessPayment extends Omit<TokenPayment, "maxFee"> {
  readonly maxCommission: string | bigint
}

/**
 * A signer of TON. It signs messages as TON Connect's `signData` does, and yields a wallet's answer as JSON.
 *
 * @since 0.1.0
 * @category models
 */
export interface TonSigner extends Signer<TonTransaction> {
  /** The public key, as hexadecimal. */
  readonly publicKey: string
  /**
   * The preview of a payment in tokens that a relay hands to the chain, for `submit`: the account needs no TON. It takes a wallet of
   * version 5, and nodes with TonAPI's relay.
   */
  readonly prepareGasless: (
    payment: TonGaslessPayment
  ) => Effect.Effect<Prepared<TonTransaction>, PrepareError | MissingPeer>
  /** The preview of a payment in tokens, for `submit`, with coins for the receiver's contract. */
  readonly prepareToken: (payment: TonTokenPayment) => Effect.Effect<Prepared<TonTransaction>, PrepareError>
}
