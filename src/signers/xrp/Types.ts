/**
 * What signers of the XRP Ledger take and give.
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
  WithPolicy
} from "../Signer.js"

/**
 * A payment as it is signed: in drops, or with `token` (`CUR.rIssuer`) in 10^-81 of that. The receiver gets all of `amount`; `most` is
 * what may be spent of the token for it where its issuer keeps a share. `submit` chooses the number of the payment (`sequence`) and
 * the last ledger that may have it; one that has both is signed as it is.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpTransaction {
  readonly from: string
  readonly to: string
  readonly tag?: number
  readonly amount: bigint
  readonly token?: string
  readonly most?: bigint
  readonly memo?: string
  readonly fee: bigint
  readonly sequence?: number
  readonly lastLedger?: number
}

/**
 * What a signer of the XRP Ledger is made from: a mnemonic (`m/44'/144'/0'/0/index`); a private key, which is a family seed (`s…`,
 * `sEd…`), 32 bytes as hexadecimal, or those with the key's kind before them (`00…`, `ED…`); or a public key (33 bytes as hexadecimal)
 * and a function that signs with it: the 32 bytes of a hash, and whole messages where the key is one of Ed25519. `account` is the
 * account that it pays from where the key is its regular key, and not its own; beside an {@link Account}, which has that name, it is
 * `address`.
 *
 * @since 0.1.0
 * @category models
 */
export type XrpFrom<S extends Secret = Secret> = (
  | (XrpKey<S> & { readonly account?: string })
  | (FromAccount & { readonly address?: string })
) &
  WithPolicy

/**
 * A key of the XRP Ledger: a mnemonic, a private key, or a public key and a function that signs with its private one.
 *
 * @since 0.1.0
 * @category models
 */
export type XrpKey<S extends Secret = Secret> =
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | {
      readonly publicKey: string
      readonly sign: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>
    }

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface In {
  readonly ledgerIndex?: string
}

interface NumberedTransaction {
  readonly Account?: string
  readonly Sequence?: number
  readonly hash?: string
}

/**
 * The calls that a signer needs. Every client of the XRP Ledger has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpCalls {
  readonly accountInfo: Call<
    [account: string, options?: In],
    {
      readonly account_data: {
        readonly Balance: string
        readonly Flags: number
        readonly OwnerCount: number
        readonly RegularKey?: string
        readonly Sequence: number
        readonly TransferRate?: number
      }
      readonly ledger_index?: number
    }
  >
  readonly accountTx: Call<
    [account: string, options?: { readonly limit?: number }],
    {
      readonly transactions: ReadonlyArray<{
        readonly hash?: string
        readonly tx?: NumberedTransaction
        readonly tx_json?: NumberedTransaction
        readonly validated?: boolean
      }>
    }
  >
  readonly depositAuthorized: Call<
    [source: string, destination: string, options?: In],
    { readonly deposit_authorized: boolean }
  >
  readonly fee: Call<[], { readonly drops: { readonly base_fee: string; readonly open_ledger_fee: string } }>
  readonly ledgerEntry: Call<
    [
      query?: In & {
        readonly rippleState?: { readonly accounts: readonly [string, string]; readonly currency: string }
      }
    ],
    {
      readonly node?: {
        readonly Balance?: unknown
        readonly Flags?: number
        readonly HighLimit?: unknown
        readonly LowLimit?: unknown
      }
    }
  >
  readonly serverState: Call<
    [],
    {
      readonly state: {
        readonly validated_ledger?: {
          readonly reserve_base: number
          readonly reserve_inc: number
          readonly seq: number
        }
      }
    }
  >
  readonly submit: Call<
    [transaction: string],
    { readonly engine_result: string; readonly engine_result_message: string }
  >
  readonly tx: Call<
    [hash: string],
    {
      readonly validated?: boolean
      readonly ledger_index?: number
      readonly meta?: string | { readonly TransactionResult: string }
    }
  >
}

/**
 * A client of the XRP Ledger, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpClient extends NodesOf {
  readonly network: string
  readonly rpc: XrpCalls
}

/**
 * A signer of the XRP Ledger. Its public key is what others verify its messages with.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpSigner extends Signer<XrpTransaction>, Cosigner<XrpTransaction> {
  readonly publicKey: string
}
