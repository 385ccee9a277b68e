/**
 * What signers of the XRP Ledger take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Marker } from "../../chains/xrp/Types.js"
import type { LoadError } from "../../data/SdkError.js"
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
  WithPolicy
} from "../Signer.js"

/**
 * A payment as it is signed: in drops, or with `token` (`CUR.rIssuer`) in 10^-81 of that. The receiver gets all of `amount`; `most` is
 * what may be spent of the token for it where its issuer keeps a share. `submit` chooses the number of the payment (`sequence`) and
 * the last ledger that may have it; one that has both is signed as it is. With `ticket`, it is paid from that ticket, and its `sequence` is
 * 0. With `tickets`, it pays nothing and makes so many tickets.
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
  readonly ticket?: number
  readonly tickets?: number
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
  readonly TicketSequence?: number
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
  readonly accountObjects: Call<
    [
      account: string,
      options?: In & { readonly type?: string; readonly limit?: number; readonly marker?: Marker }
    ],
    {
      readonly account_objects: ReadonlyArray<{ readonly TicketSequence?: unknown }>
      readonly marker?: Marker
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
        readonly ticket?: { readonly account: string; readonly ticketSeq: number }
      }
    ],
    {
      readonly ledger_index?: number
      readonly node?: {
        readonly Account?: unknown
        readonly Balance?: unknown
        readonly Flags?: number
        readonly HighLimit?: unknown
        readonly LowLimit?: unknown
        readonly TicketSequence?: unknown
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
 * Tickets to make: from 1 to 250, which is also the most that an account has at a time.
 *
 * @since 0.1.0
 * @category models
 */
export interface TicketRequest extends Pick<Payment, "maxFee"> {
  readonly count: number
}

/**
 * A payment from a ticket of the account. `lastLedger` is the last ledger that may have it: by default a little more than a minute after it
 * is signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface TicketPayment extends Payment {
  readonly ticket: number
  readonly lastLedger?: number
}

/**
 * A signer of the XRP Ledger. Its public key is what others verify its messages with.
 *
 * @since 0.1.0
 * @category models
 */
export interface XrpSigner extends Signer<XrpTransaction>, Cosigner<XrpTransaction> {
  readonly publicKey: string
  /** The numbers of the account's tickets that no payment has used, the lowest first. */
  readonly listTickets: () => Effect.Effect<ReadonlyArray<number>, ReadError | LoadError>
  /** The preview of a transaction that makes tickets, for `submit`: what it costs, and the reserve that the tickets bind. */
  readonly prepareTickets: (request: TicketRequest) => Effect.Effect<Prepared<XrpTransaction>, PrepareError>
  /**
   * The preview of a payment from a ticket, for `submit`. It depends on no other payment of the account, and waits for none. With its
   * `lastLedger`, `sign` asks no node.
   */
  readonly prepareFromTicket: (
    payment: TicketPayment
  ) => Effect.Effect<Prepared<XrpTransaction>, PrepareError>
}
