/**
 * What proposals are, and what a family implements for them.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { NetworkRow } from "../data/Network.js"
import type { MissingPeer, NotSupportedForNetwork } from "../data/SdkError.js"
import type { FindAddresses } from "./bitcoin/Types.js"
import type { Outgoing, Payment, Prepared, PrepareError, SendError, SendOptions, Sent } from "./Signer.js"

/**
 * Whose signature counts for an account, and how much. On chains without weights each counts 1.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalMember {
  readonly address: string
  readonly weight: number
}

/**
 * A member's signature of a proposal, in the form that the chain takes: 65 bytes as hexadecimal with 0x on EVM chains; hexadecimal digits
 * with the member's `publicKey` on the XRP Ledger; 65 bytes as hexadecimal on Tron; Base64 on Stellar, Algorand and Cosmos; on Bitcoin and Litecoin
 * the payload with the member's signatures, as any wallet gives it (BIP-174).
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalSignature {
  readonly member: string
  readonly publicKey?: string
  readonly signature: string
}

/**
 * Something that leaves the account, as JSON: `units`, the amount in the smallest unit, is text.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalOutgoing extends Omit<Outgoing, "units"> {
  readonly units?: string
}

/**
 * What a proposal does, for a person: `amount` in the smallest unit of what is sent, and `fee` in that of the chain's coin, both as text.
 * `fee` is what the account pays itself: nothing on EVM chains, where whoever executes pays it. `tag` is a destination tag of the XRP Ledger.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalPreview {
  readonly to: string
  readonly token?: string
  readonly amount: string
  readonly fee: string
  readonly memo?: string
  readonly tag?: number
  readonly outgoing: ReadonlyArray<ProposalOutgoing>
  readonly warnings: ReadonlyArray<string>
}

/**
 * A payment of an account with several members, and their signatures: plain JSON, which travels as `JSON.stringify` writes it. `payload` is
 * what is signed: typed data (EIP-712) as JSON on EVM chains, the sign document (amino) as JSON on Cosmos, whose members are public keys, the transaction without signatures as hexadecimal on the XRP Ledger and Tron,
 * and as Base64 on Stellar (XDR), Algorand (MessagePack), and Bitcoin and Litecoin (a partially signed transaction, BIP-174). There `account`
 * is a descriptor, and members are its extended public keys. `id` is its hash. `threshold` is the weight that its signatures need together.
 * `expires` is after when no ledger takes it any more, on chains that have that: the number of the last ledger, round or block on the XRP Ledger,
 * Algorand and Cosmos, a time (ISO 8601) on Stellar and Tron. `since` is the
 * block or ledger it was proposed after. Nothing in it is believed:
 * `inspect` compares all of it with the payload and the chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface Proposal {
  readonly version: 1
  readonly network: string
  readonly account: string
  readonly id: string
  readonly payload: string
  readonly preview: ProposalPreview
  readonly members: ReadonlyArray<ProposalMember>
  readonly threshold: number
  readonly signatures: ReadonlyArray<ProposalSignature>
  readonly since: number
  readonly expires?: string
}

/**
 * A payment to propose. `from` is the account with several members. `nonce` is its number among the account's payments, on EVM chains:
 * without it the next one, so that two proposals without it exclude each other. `until` is when it expires, on chains that have that: by
 * default 7 days after the newest ledger, on Tron nearly a day, and on Algorand the 1,000 rounds (about 45 minutes), which these chains allow
 * at most. `members`, in their order, and `threshold` are for Algorand and Cosmos, where they make the address: on Cosmos public keys
 * (compressed, as hexadecimal or Base64), until the account has paid for the first time. On other chains they are read.
 * `permission` is for Tron: the id of the account's permission that is to sign, by default the first active one that may make the payment.
 * `findAddresses` takes the place of the data API on Bitcoin and Litecoin.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalRequest extends Pick<Payment, "to" | "amount" | "token" | "decimals" | "memo"> {
  readonly from: string
  readonly nonce?: number
  readonly until?: Date
  readonly members?: ReadonlyArray<string>
  readonly threshold?: number
  readonly permission?: number
  readonly findAddresses?: FindAddresses
}

/**
 * How far a proposal is. `pending`: signatures are missing. `ready`: it can be executed. `queued`: payments with earlier numbers come first.
 * `executed`: it is in a block. `void`: it can never be executed any more, or would not be what was shown.
 *
 * @since 0.1.0
 * @category models
 */
export type ProposalStatus = "pending" | "ready" | "queued" | "executed" | "void"

/**
 * What is true of a proposal now. `proposal` has each valid signature once. `approvals` are the members that have approved, on the chain or
 * by a signature, `missing` the others, and `weight` what the approvals weigh together. `reason` says why it is `queued` or `void`, and
 * `hash` is the transaction of one that is `executed`. `warnings` are what a person should know before signing, by the chain of now.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProposalInspection {
  readonly proposal: Proposal
  readonly status: ProposalStatus
  readonly reason?: string
  readonly hash?: string
  readonly approvals: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  readonly weight: number
  readonly threshold: number
  readonly warnings: ReadonlyArray<string>
}

/**
 * The errors of proposals. `InvalidArgument` names the field of a proposal that is not what the payload or the chain says.
 *
 * @since 0.1.0
 * @category errors
 */
export type ProposalError = PrepareError | MissingPeer | NotSupportedForNetwork

/** What a payload says, before anything is read from a chain. */
export interface PayloadTerms extends Pick<ProposalPreview, "to" | "token" | "memo" | "tag"> {
  readonly from: string
  readonly amount: bigint
  /** Absent where it is not signed: it is then that of the preview, by the chain. */
  readonly fee?: bigint
  readonly expires?: string
}

/** The account of a proposal by the chain, and how far the proposal is there. */
export interface AccountFacts {
  readonly members: ReadonlyArray<ProposalMember>
  readonly threshold: number
  /** Members that have approved on the chain. */
  readonly approvals: ReadonlyArray<string>
  /** Absent while it can be executed next. */
  readonly progress?: Pick<ProposalInspection, "reason" | "hash"> & {
    readonly status: "queued" | "executed" | "void"
  }
}

/** What a family does with the payloads of a network, without a node. */
export interface PayloadCodec<Tx> {
  /** Writes what is signed. */
  readonly encode: (transaction: Tx) => string
  /** Reads it back, as one of an account. Throws unless it is a payment and nothing else, and says which part is not. */
  readonly decode: (payload: string, account: string) => Tx
  readonly hash: (transaction: Tx) => string
  readonly readTerms: (transaction: Tx) => PayloadTerms
  /** Whether a signature is the member's. Throws if it is one that is not taken here, and says why. */
  readonly verify: (transaction: Tx, signature: ProposalSignature) => boolean
}

/** A member's approval: a signature, or one on the chain. */
export interface Approval {
  readonly member: string
  readonly signature?: ProposalSignature
}

/** A proposal that can be executed, with as many approvals as its threshold takes and no more, since chains charge for or refuse others. */
export interface ExecutableProposal<Tx> {
  readonly proposal: Proposal
  readonly prepared: Prepared<Tx>
  readonly approvals: ReadonlyArray<Approval>
}

/** What a family implements for proposals. */
export interface ProposalFamily<Client, Tx, Executor> {
  /**
   * Whether the caller says who the members are: the chain keeps their hash alone, which is the address. `"at first"`: until it shows the
   * keys, with the account's first payment.
   */
  readonly takesMembers?: boolean | "at first"
  /** Whether the caller may say with which permission of the account members sign. */
  readonly takesPermission?: boolean
  /** The member that a signer is, where members have other names than the address of a signer. */
  readonly memberOf?: (signer: unknown) => string | undefined
  readonly loadCodec: (row: NetworkRow) => Effect.Effect<PayloadCodec<Tx>, ProposalError>
  /** The transaction of a request, and the newest block or ledger. */
  readonly draft: (
    client: Client,
    row: NetworkRow,
    request: ProposalRequest
  ) => Effect.Effect<{ readonly transaction: Tx; readonly since: number }, ProposalError>
  /** Members and progress, by the chain. */
  readonly readAccount: (
    client: Client,
    row: NetworkRow,
    transaction: Tx,
    proposal: Pick<Proposal, "id" | "since" | "members" | "threshold">
  ) => Effect.Effect<AccountFacts, ProposalError>
  /** The preview of a transaction that can still be executed, by the chain. */
  readonly preview: (
    client: Client,
    row: NetworkRow,
    transaction: Tx,
    facts: AccountFacts
  ) => Effect.Effect<Prepared<Tx>, ProposalError>
  readonly execute: (
    client: Client,
    row: NetworkRow,
    ready: ExecutableProposal<Tx>,
    options: SendOptions & { readonly signer?: Executor }
  ) => Effect.Effect<Sent<unknown>, ProposalError | SendError>
}
