/**
 * What signers of EVM chains take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { EvmWaitError } from "../../chains/Evm.js"
import type { Block, Hex, OptionalBlock, TransactionRequest } from "../../chains/evm/Types.js"
import type { WaitOptions } from "../../chains/internal/Confirmation.js"
import type { BrowserWallet } from "../../config/Extension.js"
import type {
  InvalidArgument,
  LoadError,
  PolicyDenied,
  SigningFailed,
  TransactionFailed
} from "../../data/SdkError.js"
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
  Speed,
  WithPolicy
} from "../Signer.js"

/**
 * Signs 32 bytes. Yields `r`, `s` and, if known, the parity of `y`: 64 or 65 bytes as hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category models
 */
export type SignHash = (hash: Hex) => Hex | Promise<Hex>

/**
 * A transaction of an EVM chain. Amounts and prices are in wei. With `gasPrice` it is a legacy transaction. Without `nonce` it gets the
 * account's next nonce when it is sent. `nonceLimit` is the highest nonce behind transactions that no block has and that this signer has
 * not sent. `replaces` is the hash of the transaction whose `nonce` it takes. `private` sends it to the signer's `privateClient` alone.
 * With `blobs` it has a price for their gas, too (EIP-4844).
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmTransaction {
  readonly chainId: number
  readonly nonce?: number
  readonly nonceLimit?: number
  readonly replaces?: string
  readonly private?: boolean
  readonly to?: Hex
  readonly value: bigint
  readonly data?: Hex
  readonly gas: bigint
  readonly gasPrice?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly maxFeePerBlobGas?: bigint
  readonly blobs?: ReadonlyArray<EvmBlob>
}

/**
 * A blob (EIP-4844), which nodes keep for some 18 days: its 131,072 bytes, its commitment, and the proofs of its 128 cells (EIP-7594), as
 * hexadecimal with 0x. A transaction names it by the hash of its commitment.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmBlob {
  readonly data: Hex
  readonly commitment: Hex
  readonly proofs: ReadonlyArray<Hex>
}

/**
 * What computes the commitments and proofs of blobs, by hexadecimal digits with 0x: `KZG` of `micro-eth-signer/kzg.js`, what `loadKZG` of
 * `kzg-wasm` gives, or another library behind these two calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kzg {
  readonly blobToKzgCommitment: (blob: string) => string
  readonly computeCellsAndProofs: (
    blob: string
  ) => readonly [cells: ReadonlyArray<string>, proofs: ReadonlyArray<string>]
}

/**
 * Blobs to send: from 1 to 6, of 131,072 bytes each, as hexadecimal with 0x or as bytes. `Blobs.from` of `ox/Blobs` makes them of any
 * data. `to` is the account or the contract that they are for, which can read their hashes.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlobRequest extends EvmRequest {
  readonly to: string
  readonly blobs: ReadonlyArray<string | Uint8Array>
  readonly kzg: Kzg
}

/**
 * A payment of a Safe: an account of several owners that is a contract (version 1.3.0 or later). `value` is in wei. `data` is empty, or the
 * transfer of a token whose contract is `to`. It is a plain call without a refund of gas; nothing else is signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SafeTransaction {
  readonly chainId: number
  readonly safe: Hex
  readonly to: Hex
  readonly value: bigint
  readonly data?: Hex
  readonly nonce: bigint
}

/**
 * Typed data after EIP-712.
 *
 * @since 0.1.0
 * @category models
 */
export interface TypedDataDefinition {
  readonly domain?: { readonly chainId?: number | bigint } & Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/**
 * The part of an account of viem (`LocalAccount`) that is used here.
 *
 * @since 0.1.0
 * @category models
 */
export interface ViemAccount {
  readonly address: Hex
  readonly signTransaction: (transaction: never) => Promise<Hex>
  readonly signMessage: (message: never) => Promise<Hex>
  readonly signTypedData: (data: never) => Promise<Hex>
}

/**
 * A function that signs 32 bytes with the key of an address, such as a KMS or a hardware wallet. It yields `r`, `s` and, if known, the
 * parity, as hexadecimal.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromSign {
  readonly address: string
  readonly sign: SignHash
}

/**
 * What a signer of an EVM chain is made from.
 *
 * @since 0.1.0
 * @category models
 */
export type EvmFrom<S extends Secret = Secret, Client = PrivateClient> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | { readonly eip1193: BrowserWallet; readonly address?: string }
  | { readonly viem: ViemAccount }
  | FromSign
) &
  WithPolicy &
  WithPrivateClient<Client>

/** A call of an EVM chain's client. */
type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

/**
 * The calls that a signer needs. Every client of an EVM chain has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmCalls {
  readonly call: Call<[transaction: TransactionRequest<string>, block?: OptionalBlock], Hex>
  readonly estimateGas: Call<[transaction: TransactionRequest<string>], bigint>
  readonly feeHistory: Call<
    [blockCount: number, newestBlock: Block, rewardPercentiles: ReadonlyArray<number>],
    {
      readonly baseFeePerGas?: ReadonlyArray<Hex>
      readonly baseFeePerBlobGas?: ReadonlyArray<Hex>
      readonly reward?: unknown
    }
  >
  readonly gasPrice: Call<[], bigint>
  readonly getBalance: Call<[address: string, block?: OptionalBlock], bigint>
  readonly getBlockByNumber: Call<
    [block: Block, includeTransactions?: boolean],
    {
      readonly baseFeePerGas?: Hex
      readonly number?: Hex | null
      readonly transactions?: ReadonlyArray<unknown>
    } | null
  >
  readonly getCode: Call<[address: string, block?: OptionalBlock], Hex>
  readonly getTransactionByHash: Call<[hash: string], object | null>
  readonly getTransactionCount: Call<[address: string, block?: OptionalBlock], bigint>
  readonly maxPriorityFeePerGas: Call<[], bigint>
  readonly sendRawTransaction: Call<[raw: string], Hex>
  /** Fails with `TransactionFailed` if the transaction failed in its block. */
  readonly waitForTransaction: (
    hash: string,
    options?: Pick<WaitOptions, "confirmations">
  ) => Effect.Effect<unknown, EvmWaitError | TransactionFailed | ReadError>
}

/**
 * The client of a node that shows transactions to nobody before they are in a block, such as a protected RPC of a block builder: one of the
 * signer's network, with that node alone.
 *
 * @since 0.1.0
 * @category models
 */
export interface PrivateClient {
  readonly network: string
  readonly rpc: Pick<EvmCalls, "getTransactionByHash" | "sendRawTransaction">
}

/**
 * Where a signer sends transactions that are `private`, and nothing else.
 *
 * @since 0.1.0
 * @category models
 */
export interface WithPrivateClient<Client = PrivateClient> {
  readonly privateClient?: Client
}

/**
 * A client of an EVM chain, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmClient extends NodesOf {
  readonly network: string
  readonly rpc: EvmCalls
}

/**
 * A signer of an EVM chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmSigner extends Signer<EvmTransaction>, Cosigner<SafeTransaction> {
  /** With the checksum of EIP-55. */
  readonly address: Hex
  /** Signs typed data (EIP-712). Its chain, if it names one, has to be the network's. */
  readonly signTypedData: (
    data: TypedDataDefinition
  ) => Effect.Effect<Hex, SigningFailed | PolicyDenied | InvalidArgument>
  /**
   * The preview of a pending transaction of the account with a higher fee, so that it is mined sooner. Any process that has the key can replace
   * it: what a node shows of a transaction that this signer has not sent has to have its hash and the account's signature. One that is private
   * stays so, unless `private` is false.
   */
  readonly prepareSpeedUp: (
    hash: string,
    options?: Pick<Payment, "maxFee" | "private" | "speed">
  ) => Effect.Effect<Prepared<EvmTransaction>, PrepareError>
  /** The preview of an empty transaction in place of a pending one of the account. It is public, unless `private` is true. */
  readonly prepareCancel: (
    hash: string,
    options?: Pick<Payment, "maxFee" | "private" | "speed">
  ) => Effect.Effect<Prepared<EvmTransaction>, PrepareError>
  /** Sends a pending transaction of the account again with a higher fee, as `prepareSpeedUp` previews it. */
  readonly speedUp: (
    hash: string,
    options?: Pick<Payment, "maxFee" | "private" | "speed"> & SendOptions
  ) => Effect.Effect<Sent<EvmTransaction>, SendError>
  /** Replaces a pending transaction of the account by an empty one, as `prepareCancel` previews it. */
  readonly cancel: (
    hash: string,
    options?: Pick<Payment, "maxFee" | "private" | "speed"> & SendOptions
  ) => Effect.Effect<Sent<EvmTransaction>, SendError>
  /** Sends a transaction of one's own: fees, gas and nonce that it lacks are filled in. */
  readonly sendTransaction: (
    transaction: EvmRequest & SendOptions
  ) => Effect.Effect<Sent<EvmTransaction>, SendError>
  /**
   * The preview of a transaction with blobs, for `submit`: what they cost is in the fee and under the cap. Fails with `InvalidArgument` on
   * networks without blobs.
   */
  readonly prepareBlobs: (
    request: BlobRequest
  ) => Effect.Effect<Prepared<EvmTransaction>, PrepareError | LoadError>
  /** The preview of a transaction of one's own. Nothing is signed. */
  readonly prepareTransaction: (
    transaction: EvmRequest
  ) => Effect.Effect<Prepared<EvmTransaction>, PrepareError>
}

/**
 * A transaction of one's own: a call of a contract, or, without `to`, the code of a new one. `value` is in whole coins as a decimal
 * string, or wei as a bigint.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmRequest {
  readonly to?: string
  /** Bytes: 0x and an even number of hexadecimal digits, or the bytes themselves. */
  readonly data?: string | Uint8Array
  readonly value?: string | bigint
  readonly maxFee?: string | bigint
  readonly speed?: Speed
  readonly allowNonceGap?: boolean
  readonly private?: boolean
}
