/**
 * What signers of Tezos take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Micheline, OperationContent, Script } from "../../chains/Tezos.js"
import type {
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
 * A payment of Tezos, in mutez or in the smallest unit of a token: a contract (FA1.2), or a contract, a point and a token id (FA2). `fee`
 * is that of the payment, and `storageLimit` the most bytes of storage that it may pay for. With `reveal` an operation before it, with
 * the counter before its own, publishes the public key. With `staking` it is no payment: `to` is the baker that it delegates to, or the account
 * itself. Blocks up to the level `until` can have it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosTransaction {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly token?: string
  readonly staking?: Pick<Staking, "action">
  readonly fee: bigint
  readonly counter: bigint
  readonly gasLimit: bigint
  readonly storageLimit: bigint
  readonly reveal?: { readonly publicKey: string; readonly fee: bigint; readonly gasLimit: bigint }
  readonly branch: string
  readonly level: number
  readonly until: number
}

/**
 * What a signer of Tezos is made from: a mnemonic (`m/44'/1729'/index'/0'`), a private key (edsk, spsk, or 32 bytes as hexadecimal), an
 * account whose key is elsewhere, or a public key (edpk, sppk) and a function that signs 32 bytes with it.
 *
 * @since 0.1.0
 * @category models
 */
export type TezosFrom<S extends Secret = Secret> = (
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

/**
 * What became of an operation, or would.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosResult {
  readonly status?: string
  readonly errors?: ReadonlyArray<{ readonly id: string }>
  readonly consumed_milligas?: string
  readonly paid_storage_size_diff?: string
  readonly allocated_destination_contract?: boolean
}

/**
 * Contents of an operation with what became of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosReceipt {
  readonly contents: ReadonlyArray<{
    readonly source?: string
    readonly counter?: string
    readonly metadata?: {
      readonly operation_result?: TezosResult
      readonly internal_operation_results?: ReadonlyArray<{ readonly result?: TezosResult }>
    }
  }>
}

interface InBlock {
  readonly block?: string
}

interface OfAccount {
  readonly contractId: string
}

/**
 * The calls that a signer needs. Every client of Tezos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosCalls {
  readonly getBlockHeader: Call<
    [input?: InBlock],
    { readonly level: number; readonly hash: string; readonly chain_id: string }
  >
  readonly getConstants: Call<
    [],
    {
      readonly cost_per_byte: string
      readonly origination_size: number
      readonly hard_gas_limit_per_operation: string
      readonly hard_gas_limit_per_block: string
      readonly hard_storage_limit_per_operation: string
      readonly max_operations_time_to_live?: number
    }
  >
  readonly getBigMapValue: Call<
    [input: { readonly bigMapId: string; readonly scriptExpression: string }],
    Micheline
  >
  readonly getContractBalance: Call<[input: OfAccount], string>
  readonly getContractCounter: Call<[input: OfAccount], string>
  readonly getContractManagerKey: Call<[input: OfAccount], string | null>
  readonly getContractScript: Call<[input: OfAccount], Script>
  readonly getOperationHashes: Call<[input?: InBlock], ReadonlyArray<ReadonlyArray<string>>>
  readonly getOperationList: Call<
    [input: InBlock & { readonly list: number }],
    ReadonlyArray<TezosReceipt & { readonly hash: string }>
  >
  readonly getPendingOperations: Call<
    [input?: { readonly operationHash?: string }],
    {
      readonly validated?: ReadonlyArray<{ readonly hash: string }>
      readonly applied?: ReadonlyArray<{ readonly hash: string }>
    }
  >
  readonly injectOperation: Call<[input: { readonly operationBytes: string }], string>
  readonly simulateOperation: Call<
    [
      input: {
        readonly operation: {
          readonly branch: string
          readonly contents: ReadonlyArray<OperationContent>
          readonly signature: string
        }
        readonly chain_id: string
      }
    ],
    TezosReceipt
  >
}

/**
 * A client of Tezos, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosClient extends NodesOf {
  readonly network: string
  readonly rpc: TezosCalls
}

/**
 * A signer of Tezos. Its signatures are verified with `publicKey` (edpk or sppk).
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosSigner extends Signer<TezosTransaction> {
  readonly publicKey: string
}
