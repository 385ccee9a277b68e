import type { CaipId } from "../data/Caip.js"
import type { FamilyId, Network } from "../data/Network.js"

/**
 * How much the text itself says: `certain` where a checksum fits, or a prefix that nothing else has; `possible` where the shape alone
 * does, which other things may have as well.
 *
 * @since 0.1.0
 * @category models
 */
export type Certainty = "certain" | "possible"

/** What all candidates have. */
interface CandidateBase {
  readonly certainty: Certainty
  /** The families that it may be of. */
  readonly families: ReadonlyArray<FamilyId>
  /** The networks that it may be of. The text does not say more: an address of EVM chains is one of all of them. */
  readonly networks: ReadonlyArray<Network>
}

/**
 * An address of an account, a contract or a script.
 *
 * @since 0.1.0
 * @category models
 */
export interface AddressCandidate extends CandidateBase {
  readonly kind: "address"
  /** The address as its chain writes it: in the case of its checksum, with the prefix that belongs to it. */
  readonly normal: string
  /** What sort of address it is, where a chain has several: `x-address` (XRP), `muxed` or `contract` (Stellar), `raw` (TON). */
  readonly form?: "x-address" | "muxed" | "contract" | "raw"
  /** The account that an X-address or a muxed address is of. */
  readonly account?: string
  /** The tag of an X-address, or the number of a muxed account, in decimal digits. */
  readonly tag?: string
  /** Why it should not be paid to as it is. */
  readonly problem?: string
}

/**
 * The hash of a transaction or of a block. Most chains write both alike: then there is one candidate for each.
 *
 * @since 0.1.0
 * @category models
 */
export interface HashCandidate extends CandidateBase {
  readonly kind: "transaction" | "block"
  readonly normal: string
}

/**
 * A name that a name service resolves.
 *
 * @since 0.1.0
 * @category models
 */
export interface NameCandidate extends CandidateBase {
  readonly kind: "name"
  /** The name in small letters. It has not been normalized as its service does, which happens when it is resolved. */
  readonly normal: string
  /** The name service, such as `ens`. */
  readonly service: string
}

/**
 * A request for a payment: a uri of BIP-21 and its kin, EIP-681, Solana Pay, or SEP-7.
 *
 * @since 0.1.0
 * @category models
 */
export interface PaymentCandidate extends CandidateBase {
  readonly kind: "payment"
  /** The address or the name to pay to, where the uri names one. */
  readonly to?: string
  /** The amount, as the uri has it: in whole coins, but in the smallest unit where the scheme is `ethereum`. */
  readonly amount?: string
  /** The token to pay in, where it is not the chain's coin. */
  readonly token?: string
  /** The memo or the message for the payment. */
  readonly memo?: string
  /** The scheme of the uri, such as `bitcoin`. */
  readonly scheme: string
}

/**
 * A public key that addresses are derived from (BIP-32).
 *
 * @since 0.1.0
 * @category models
 */
export interface ExtendedKeyCandidate extends CandidateBase {
  readonly kind: "extendedKey"
  readonly normal: string
  /** The letters that it begins with, which say the type of its addresses: `xpub`, `ypub`, `zpub` … */
  readonly prefix: string
}

/**
 * An id by CAIP, which `effect-chains/caip` reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface CaipCandidate extends CandidateBase {
  readonly kind: "caip"
  readonly normal: string
  readonly id: CaipId
}

/**
 * A secret: whoever has it has the money. It is not repeated, so there is no normal form.
 *
 * @since 0.1.0
 * @category models
 */
export interface SecretCandidate extends CandidateBase {
  readonly kind: "secret"
  readonly what: "mnemonic" | "private key" | "extended private key" | "seed"
}

/**
 * One thing that a text may be.
 *
 * @since 0.1.0
 * @category models
 */
export type Candidate =
  | AddressCandidate
  | HashCandidate
  | NameCandidate
  | PaymentCandidate
  | ExtendedKeyCandidate
  | CaipCandidate
  | SecretCandidate
