/**
 * What signers of Solana take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type {
  AccountConfig,
  CommitmentConfig,
  ContextConfig,
  Integer,
  Pubkey,
  SendConfig,
  Signature,
  SignatureStatusesConfig,
  SimulateConfig,
  SolanaWaitError,
  SolanaWaitOptions
} from "../../chains/Solana.js"
import type { TransactionFailed } from "../../data/SdkError.js"
import type {
  FromAccount,
  FromMnemonic,
  FromPrivateKey,
  NodesOf,
  ReadError,
  Secret,
  Signer,
  WithPolicy
} from "../Signer.js"

/**
 * The tokens of a payment: their mint, the program that it belongs to (Token or Token-2022), and the accounts that they leave and go
 * to. With `creates` the account of the receiver is made, for rent that the sender pays.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaToken {
  readonly mint: Pubkey
  readonly program: Pubkey
  readonly decimals: number
  readonly source: Pubkey
  readonly destination: Pubkey
  readonly creates: boolean
}

/**
 * A payment to sign: in lamports, or in the smallest unit of `token`. Its priority fee is `computeUnitLimit` times `computeUnitPrice`
 * (micro-lamports); without a price there is none, and without a limit the chain's own holds. It is valid for about a minute after its
 * blockhash; `submit` takes a new one.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaTransaction {
  readonly from: Pubkey
  readonly to: Pubkey
  readonly amount: bigint
  readonly token?: SolanaToken
  readonly memo?: string
  readonly computeUnitLimit?: number
  readonly computeUnitPrice?: bigint
  readonly blockhash?: string
  readonly lastValidBlockHeight?: bigint
}

/**
 * The part of a signer of `@solana/kit` that is used here: a key pair, or a wallet that signs without sending. A signer that changes the
 * transaction is refused.
 *
 * @since 0.1.0
 * @category models
 */
export interface KitSigner {
  readonly address: string
  readonly signTransactions?: (transactions: ReadonlyArray<never>) => Promise<unknown>
  readonly modifyAndSignTransactions?: (transactions: ReadonlyArray<never>) => Promise<unknown>
  readonly signMessages?: (messages: ReadonlyArray<never>) => Promise<unknown>
}

/**
 * A function that signs bytes (Ed25519) with the key of an address: a KMS or a hardware wallet. Its 64 bytes are verified before they
 * are used.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromSign {
  readonly address: string
  readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/**
 * What a signer of Solana is made from. A private key is Base58 of 64 or 32 bytes, or the list of 64 numbers that the command line of
 * Solana writes into its files.
 *
 * @since 0.1.0
 * @category models
 */
export type SolanaFrom<S extends Secret = Secret> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | { readonly kit: KitSigner }
  | FromSign
) &
  WithPolicy

/** A call of a client of Solana. */
type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

/** An answer, and the slot at which it was given. */
interface At<out A> {
  readonly context: { readonly slot: bigint }
  readonly value: A
}

/**
 * The calls that a signer needs. Every client of Solana has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaCalls {
  readonly getEpochInfo: Call<
    [config?: ContextConfig],
    { readonly absoluteSlot: bigint; readonly blockHeight: bigint }
  >
  readonly getFeeForMessage: Call<[message: string, config?: ContextConfig], At<bigint | null>>
  readonly getLatestBlockhash: Call<
    [config?: ContextConfig],
    At<{ readonly blockhash: string; readonly lastValidBlockHeight: bigint }>
  >
  readonly getMinimumBalanceForRentExemption: Call<[dataLength: Integer, config?: CommitmentConfig], bigint>
  readonly getMultipleAccounts: Call<
    [pubkeys: ReadonlyArray<Pubkey>, config?: AccountConfig],
    At<
      ReadonlyArray<{
        readonly lamports: bigint
        readonly owner: Pubkey
        readonly data: unknown
      } | null>
    >
  >
  readonly getRecentPrioritizationFees: Call<
    [addresses?: ReadonlyArray<Pubkey>],
    ReadonlyArray<{ readonly prioritizationFee: bigint }>
  >
  readonly getSignatureStatuses: Call<
    [signatures: ReadonlyArray<Signature>, config?: SignatureStatusesConfig],
    At<ReadonlyArray<object | null>>
  >
  readonly sendTransaction: Call<[transaction: string, config?: SendConfig], Signature>
  readonly simulateTransaction: Call<
    [transaction: string, config?: SimulateConfig],
    At<{
      readonly err: unknown
      readonly logs?: ReadonlyArray<string> | null
      readonly unitsConsumed?: bigint | null
      readonly accounts?: ReadonlyArray<{
        readonly lamports: bigint
        readonly owner: Pubkey
        readonly data: unknown
      } | null> | null
      readonly fee?: bigint | null
    }>
  >
  /** Fails with `TransactionFailed` if the transaction failed in its block. */
  readonly waitForTransaction: (
    signature: Signature,
    options?: Pick<SolanaWaitOptions, "confirmations" | "lastValidBlockHeight">
  ) => Effect.Effect<unknown, SolanaWaitError | TransactionFailed | ReadError>
}

/**
 * A client of Solana, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaClient extends NodesOf {
  readonly network: string
  readonly rpc: SolanaCalls
}

/**
 * A signer of Solana.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaSigner extends Signer<SolanaTransaction> {}
