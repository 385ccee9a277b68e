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
  ContractCall,
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
  TokenPayment,
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
 * A whole transaction in place of a payment's parts. `encoded` is Base64 as nodes take it, with the signatures of others, and zeros where
 * one is missing. The rest says what these bytes do: its `version`, the programs that it calls (`calls`, without the one of the compute
 * budget; a method is the first eight bytes of an instruction), who signs (`signers`, of which the first pays the fee), and the accounts
 * that it may write (`writable`), those of lookup tables too.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaWire {
  readonly encoded: string
  readonly version: "legacy" | 0 | 1
  readonly calls: ReadonlyArray<ContractCall>
  readonly signers: ReadonlyArray<Pubkey>
  readonly writable: ReadonlyArray<Pubkey>
}

/**
 * The value of a nonce account in place of a blockhash: a transaction with it begins with `AdvanceNonceAccount`, and is valid until the
 * account has another value.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaNonce {
  readonly account: Pubkey
  readonly value: string
}

/**
 * What a whole transaction stakes. `seed` is that of a stake account that it makes, `rent` what that keeps in lamports, and `source` the
 * stake account that a part of the coins is split from.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaStaking extends Staking {
  readonly stakeAccount: Pubkey
  readonly seed?: string
  readonly rent?: bigint
  readonly source?: Pubkey
}

/**
 * A payment to sign: in lamports, or in the smallest unit of `token`. Its priority fee is `computeUnitLimit` times `computeUnitPrice`
 * (micro-lamports); without a price there is none, and without a limit the chain's own holds. It is valid for about a minute after its
 * blockhash; `submit` takes a new one. With `wire` it is a whole transaction: `to` is the first program that it calls, `amount` what it
 * takes from the account's lamports by simulation, and its blockhash stays. With `nonce` it has no blockhash and does not expire. With `staking` its bytes stake, and do nothing else; `to` is
 * the validator's vote account, or the account itself.
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
  readonly nonce?: SolanaNonce
  readonly wire?: SolanaWire
  readonly staking?: SolanaStaking
}

/**
 * A payment. With `nonceAccount`, the address of a nonce account that this account may use, it does not expire: it can be kept and sent
 * later, and lands at most once, as each value of a nonce account is used once.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaPayment extends Payment, NonceOption {}

/** Where the lifetime of a transaction comes from. */
interface NonceOption {
  readonly nonceAccount?: Pubkey
}

/**
 * The preview of a new nonce account, with its address.
 *
 * @since 0.1.0
 * @category models
 */
export interface PreparedNonceAccount extends Prepared<SolanaTransaction> {
  readonly nonceAccount: Pubkey
}

/**
 * An account of an instruction.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaAccount {
  readonly address: Pubkey
  readonly isSigner?: boolean
  readonly isWritable?: boolean
}

/**
 * An instruction: the program, the accounts that it gets, and its data.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaInstruction {
  readonly program: Pubkey
  readonly accounts?: ReadonlyArray<SolanaAccount>
  readonly data?: Uint8Array
}

/**
 * An instruction of `@solana/kit`, as clients of programs make it. `role` is its `AccountRole`.
 *
 * @since 0.1.0
 * @category models
 */
export interface KitInstruction {
  readonly programAddress: string
  readonly accounts?: ReadonlyArray<{ readonly address: string; readonly role: number }>
  readonly data?: Omit<Uint8Array, "copyWithin" | "fill" | "reverse" | "set" | "sort">
}

/**
 * A transaction from elsewhere, such as that of an API for swaps: its bytes, or Base64 of them, of a transaction or of its message, legacy
 * or of version 0 or 1. `lastValidBlockHeight` is the last block for its blockhash, if that is known. `maxFee` is the highest fee that the
 * account pays, in whole SOL as a decimal string or in lamports as a bigint.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaWireRequest extends Pick<Payment, "maxFee"> {
  readonly transaction: string | Uint8Array
  readonly lastValidBlockHeight?: bigint
}

/**
 * Instructions for a transaction of version 0, which this account pays and nobody else signs. Addresses of `lookupTables` take a byte in
 * place of 32. `maxFee`, `speed` and `nonceAccount` are those of payments. Instructions of the compute budget among them take the place of
 * the signer's own.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaInstructionsRequest extends Pick<SolanaPayment, "maxFee" | "nonceAccount" | "speed"> {
  readonly instructions: ReadonlyArray<SolanaInstruction | KitInstruction>
  readonly lookupTables?: ReadonlyArray<Pubkey>
}

/**
 * A transaction of one's own.
 *
 * @since 0.1.0
 * @category models
 */
export type SolanaRequest = SolanaWireRequest | SolanaInstructionsRequest

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
  readonly isBlockhashValid: Call<[blockhash: string, config?: ContextConfig], At<boolean>>
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
export interface SolanaSigner extends Signer<SolanaTransaction> {
  /** The preview of a payment. Nothing is signed. */
  readonly prepare: (payment: SolanaPayment) => Effect.Effect<Prepared<SolanaTransaction>, PrepareError>
  /** Pays in SOL. */
  readonly send: (
    payment: Omit<SolanaPayment, "token"> & SendOptions
  ) => Effect.Effect<Sent<SolanaTransaction>, SendError>
  /** Pays in a token. */
  readonly sendToken: (
    payment: SolanaPayment & TokenPayment & SendOptions
  ) => Effect.Effect<Sent<SolanaTransaction>, SendError>
  /**
   * The preview of a new nonce account of this account, free of rent. Its address follows from the account's and `seed` (1 to 32 bytes of
   * text, default `"nonce"`).
   */
  readonly prepareNonceAccount: (
    options?: Pick<Payment, "maxFee" | "speed"> & { readonly seed?: string }
  ) => Effect.Effect<PreparedNonceAccount, PrepareError>
  /**
   * The preview of a whole transaction. Nothing is signed. What others have signed in it stays, and `submit` adds the account's
   * signature to these bytes.
   */
  readonly prepareTransaction: (
    request: SolanaRequest
  ) => Effect.Effect<Prepared<SolanaTransaction>, PrepareError>
  /** Sends a whole transaction, as `prepareTransaction` previews it. */
  readonly sendTransaction: (
    request: SolanaRequest & SendOptions
  ) => Effect.Effect<Sent<SolanaTransaction>, SendError>
}
