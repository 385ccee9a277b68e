/**
 * What signers of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Coins } from "../../chains/bitcoin/Types.js"
import type { WaitOptions } from "../../chains/internal/Confirmation.js"
import type {
  FeeOverCap,
  GatewayCallError,
  InvalidAmount,
  InvalidArgument,
  LoadError,
  NotSupportedForNetwork,
  PolicyDenied,
  SigningFailed,
  TransactionNotConfirmed
} from "../../data/SdkError.js"
import type {
  Cosigner,
  FromAccount,
  FromMnemonic,
  FromPrivateKey,
  NodesOf,
  Outgoing,
  Payment,
  Prepared,
  PrepareError,
  ReadError,
  Secret,
  SendError,
  SendOptions,
  Sent,
  Signed,
  Signer,
  WithPolicy
} from "../Signer.js"

/**
 * The kind of an account's address: native SegWit (`bc1q…`, `ltc1q…`), of the time before it (`1…`, `L…`, `D…`,
 * `bitcoincash:q…`), Taproot (`bc1p…`, `ltc1p…`; BIP-86), or SegWit inside a script hash (`3…`, `M…`; BIP-49). The last two are for Bitcoin
 * and Litecoin.
 *
 * @since 0.1.0
 * @category models
 */
export type AddressType = "p2wpkh" | "p2pkh" | "p2tr" | "p2sh-p2wpkh"

/**
 * An unspent output: its transaction and its index there. `amount` is a decimal string in whole coins, or a bigint in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface Utxo {
  readonly txid: string
  readonly vout: number
  readonly amount: string | bigint
}

/**
 * An output that is not spent, with its amount as nodes give it: whole coins, as a number or as text.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeUtxo extends Omit<Utxo, "amount"> {
  readonly coins: Coins
}

/**
 * An output that is not spent, as the data API lists it: `value` is a decimal string in whole coins.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataApiUtxo {
  readonly txHash: string
  readonly index: number
  readonly value: string
}

/**
 * Finds the outputs of an address that are not spent, in a wallet or an index of one's own.
 *
 * @since 0.1.0
 * @category models
 */
export type FindUtxos = (
  address: string
) => ReadonlyArray<Utxo | NodeUtxo | DataApiUtxo> | Promise<ReadonlyArray<Utxo | NodeUtxo | DataApiUtxo>>

/**
 * Signs 32 bytes: `r` and `s` as 64 bytes, or a signature in DER.
 *
 * @since 0.1.0
 * @category models
 */
export type SignDigest = (digest: Uint8Array) => Uint8Array | Promise<Uint8Array>

/**
 * A function that signs 32 bytes with a key (`publicKey`: 33 bytes as hexadecimal), such as a KMS or a hardware wallet. `address`, if
 * given, must be one of that key.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinFromSign {
  readonly publicKey: string
  readonly address?: string
  readonly sign: SignDigest
}

/**
 * Options of the account: its address `type`, if it is not the network's usual one, and where to find its outputs, if not in the data
 * API.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinAccount extends WithPolicy {
  readonly type?: AddressType
  readonly utxos?: FindUtxos
}

/**
 * What a signer of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin is made from. A private key is 64 hexadecimal digits, or text in the wallet import
 * format of the network.
 *
 * @since 0.1.0
 * @category models
 */
export type BitcoinFrom<S extends Secret = Secret> = (
  | FromMnemonic<S>
  | FromPrivateKey<S>
  | FromAccount
  | BitcoinFromSign
) &
  BitcoinAccount

/** A call of a client. */
type Call<Args extends ReadonlyArray<unknown>, A, E = ReadError> = (...args: Args) => Effect.Effect<A, E>

/**
 * A transaction that waits for a block, as nodes tell of it: with those before it that wait too (ancestors), and those that spend its
 * outputs (descendants). Sizes are virtual bytes. `fees` are whole coins; older nodes have `ancestorfees` and `descendantfees`, in the
 * smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitingEntry {
  readonly size?: number
  readonly vsize?: number
  readonly fee?: Coins
  readonly fees?: { readonly base: Coins; readonly ancestor: Coins; readonly descendant: Coins }
  readonly ancestorsize?: number
  readonly ancestorfees?: number
  readonly descendantfees?: number
  readonly "bip125-replaceable"?: boolean
}

/**
 * The calls that a signer needs. Every client of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinCalls {
  /** Nodes of Zcash say here which rules the next block follows. */
  readonly getBlockChainInfo?: Call<
    [],
    { readonly blocks: number; readonly consensus?: { readonly nextblock: string } }
  >
  readonly estimateSmartFee: Call<[blocks: number], { readonly feerate?: Coins; readonly fee?: Coins }>
  readonly getMempoolEntry: Call<[txid: string], WaitingEntry>
  readonly getMempoolInfo: Call<
    [],
    { readonly mempoolminfee?: Coins; readonly minrelaytxfee?: Coins; readonly fullrbf?: boolean }
  >
  readonly getNetworkInfo: Call<[], { readonly incrementalfee?: Coins }>
  readonly getRawTransaction: Call<[txid: string], string | object>
  readonly getTxOut: Call<
    [txid: string, vout: number, includeMempool?: boolean],
    {
      readonly confirmations: number
      readonly value: Coins
      readonly coinbase: boolean
      readonly scriptPubKey: { readonly hex: string }
      readonly tokenData?: unknown
    } | null
  >
  readonly sendRawTransaction: Call<[raw: string], string>
  readonly waitForTransaction: (
    txid: string,
    options?: Pick<WaitOptions, "confirmations">
  ) => Effect.Effect<unknown, TransactionNotConfirmed | ReadError>
}

/**
 * The call of the data API that finds unspent outputs.
 *
 * @since 0.1.0
 * @category models
 */
export interface UtxoData {
  readonly getUtxosByAddress: Call<
    [query: { readonly chain: string; readonly address: string; readonly totalValue: number }],
    ReadonlyArray<DataApiUtxo>,
    ReadError | GatewayCallError | LoadError | NotSupportedForNetwork
  >
}

/**
 * A client of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as far as signers use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinClient extends NodesOf {
  readonly network: string
  readonly rpc: BitcoinCalls
  readonly data?: UtxoData
}

/**
 * An output that a transaction spends, in the smallest unit. If signatures do not cover the amount (before SegWit, except on Bitcoin
 * Cash), `previous` is required: the whole transaction of the output (hexadecimal), which proves the amount. `path` is that of the output's
 * address below the key of an HD account, such as `0/5`; without it the address is the signer's own.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinInput {
  readonly txid: string
  readonly vout: number
  readonly amount: bigint
  readonly previous?: string
  readonly path?: string
}

/**
 * An output of a transaction, in the smallest unit. Change of an HD account has the `path` of its address below the account's key.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinOutput {
  readonly address: string
  readonly amount: bigint
  readonly path?: string
}

/**
 * A transaction. The inputs minus the outputs must be `fee`, or it is not signed. If it is `replaceable` (BIP-125), nodes accept a
 * replacement with a higher fee until a block has it. `replaces` is the hash of the transaction whose place it takes. `zcash` has the rules that
 * a transaction of Zcash is signed for, and the last height at which a block can have it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinTransaction {
  readonly inputs: ReadonlyArray<BitcoinInput>
  readonly outputs: ReadonlyArray<BitcoinOutput>
  readonly fee: bigint
  readonly replaceable?: boolean
  readonly replaces?: string
  readonly zcash?: { readonly branchId: string; readonly expiryHeight: number }
}

/**
 * Where an output is: the id of its transaction, and its index there. Those of an HD account have the `path` of their address.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outpoint extends Pick<BitcoinInput, "txid" | "vout" | "path"> {}

/**
 * A payment. It spends all of the outputs in `utxos` and no others, if there are such, and otherwise none of those in `without`, which
 * another payment is going to spend. Outputs in `utxos` may wait for a block. If it is `replaceable` (the default on Bitcoin, whose nodes
 * replace transactions by default), a transaction with a higher fee can take its place until a block has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinPayment extends Payment {
  readonly utxos?: ReadonlyArray<Outpoint>
  readonly without?: ReadonlyArray<Outpoint>
  readonly replaceable?: boolean
}

/**
 * The format of a signed message, in Base64. `bip137` is a signature from which the public key can be recovered, for `p2pkh` and
 * `p2wpkh`. `bip322` is the simple form of BIP-322, for `p2wpkh` and `p2tr`: a witness that spends a transaction of the message.
 *
 * @since 0.1.0
 * @category models
 */
export type MessageFormat = "bip137" | "bip322"

/**
 * How a message is signed. Without `format` it is BIP-137, and BIP-322 on Taproot, which has no other.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessageOptions {
  readonly format?: MessageFormat
}

/**
 * An input of a partially signed transaction: the output that it spends, with its amount in the smallest unit. `address` is absent for
 * scripts that have none. `isOwn`: the account owns it. `isSigned`: it has a signature already.
 *
 * @since 0.1.0
 * @category models
 */
export interface PsbtInput extends Outpoint {
  readonly amount: bigint
  readonly address?: string
  readonly isOwn: boolean
  readonly isSigned: boolean
}

/**
 * An output of a partially signed transaction, in the smallest unit. `address` is absent for scripts that have none, and `isOwn` says
 * that it pays the account.
 *
 * @since 0.1.0
 * @category models
 */
export interface PsbtOutput {
  readonly amount: bigint
  readonly address?: string
  readonly isOwn: boolean
}

/**
 * What a partially signed transaction changes. `balanceChange` is that of the account in the smallest unit, negative if coins leave it,
 * which `outgoing` lists as in previews. `fee` is that of the whole transaction. `version` is 0 (BIP-174) or 2 (BIP-370).
 *
 * @since 0.1.0
 * @category models
 */
export interface PsbtSummary {
  readonly version: 0 | 2
  readonly inputs: ReadonlyArray<PsbtInput>
  readonly outputs: ReadonlyArray<PsbtOutput>
  readonly fee: bigint
  readonly balanceChange: bigint
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
}

/**
 * A partially signed transaction in Base64, with the signatures of the account. `transaction` is the whole one, which nodes take, if no
 * signature is missing.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignedPsbt {
  readonly psbt: string
  readonly transaction?: Signed
}

/**
 * The errors of signing a partially signed transaction.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignPsbtError =
  | InvalidArgument
  | InvalidAmount
  | FeeOverCap
  | SigningFailed
  | PolicyDenied
  | LoadError
  | ReadError

/**
 * A signer of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin. Change goes to its own address.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinSigner extends Signer<BitcoinTransaction> {
  /** The preview of a payment. Nothing is signed. */
  readonly prepare: (payment: BitcoinPayment) => Effect.Effect<Prepared<BitcoinTransaction>, PrepareError>
  /** Pays in the chain's own coin. */
  readonly send: (
    payment: Omit<BitcoinPayment, "token"> & SendOptions
  ) => Effect.Effect<Sent<BitcoinTransaction>, SendError>
  /** The compressed public key, as hexadecimal: of Taproot the internal one, which the address's key is made of. */
  readonly publicKey: string
  /**
   * The preview of a transaction of the account that waits for a block, with a higher fee, so that it is mined sooner: the same payment
   * and the same inputs, and more of them if the change does not pay for it. Any process that has the key can replace it.
   */
  readonly prepareSpeedUp: (
    hash: string,
    options?: Pick<Payment, "maxFee">
  ) => Effect.Effect<Prepared<BitcoinTransaction>, PrepareError>
  /** The preview of a transaction that takes the place of one that waits for a block, and pays everything back to the account. */
  readonly prepareCancel: (
    hash: string,
    options?: Pick<Payment, "maxFee">
  ) => Effect.Effect<Prepared<BitcoinTransaction>, PrepareError>
  /**
   * The preview of a payment to the account itself that spends what a waiting transaction pays to it, received or change, with a fee for
   * both of them (child pays for parent).
   */
  readonly prepareBumpFeeByChild: (
    hash: string,
    options?: Pick<Payment, "maxFee">
  ) => Effect.Effect<Prepared<BitcoinTransaction>, PrepareError>
  /** Replaces a transaction of the account that waits for a block by one with a higher fee, as `prepareSpeedUp` previews it. */
  readonly speedUp: (
    hash: string,
    options?: Pick<Payment, "maxFee"> & SendOptions
  ) => Effect.Effect<Sent<BitcoinTransaction>, SendError>
  /** Replaces a transaction of the account that waits for a block by one that pays it back, as `prepareCancel` previews it. */
  readonly cancel: (
    hash: string,
    options?: Pick<Payment, "maxFee"> & SendOptions
  ) => Effect.Effect<Sent<BitcoinTransaction>, SendError>
  /** Has the next transaction pay for one that waits for a block, as `prepareBumpFeeByChild` previews it. */
  readonly bumpFeeByChild: (
    hash: string,
    options?: Pick<Payment, "maxFee"> & SendOptions
  ) => Effect.Effect<Sent<BitcoinTransaction>, SendError>
  /**
   * Writes a preview as a partially signed transaction, for another program or device: Base64 of BIP-174, or, with `version: 2`, of
   * BIP-370. Nothing is signed.
   */
  readonly exportPsbt: (
    prepared: Prepared<BitcoinTransaction>,
    options?: { readonly version?: 0 | 2 }
  ) => Effect.Effect<string, InvalidArgument | LoadError>
  /** Says what a partially signed transaction (Base64 or bytes) changes for the account. Nothing is signed. */
  readonly inspectPsbt: (psbt: string | Uint8Array) => Effect.Effect<PsbtSummary, InvalidArgument | LoadError>
  /**
   * Signs the inputs of a partially signed transaction that are the account's, and no others, for all of its outputs. Amounts have to be
   * proven, by the transaction itself or by nodes. `maxFee` is the highest fee of the whole transaction.
   */
  readonly signPsbt: (
    psbt: string | Uint8Array,
    options?: Pick<Payment, "maxFee">
  ) => Effect.Effect<SignedPsbt, SignPsbtError>
  /** Signs a message: Base64 of the format, which cannot be mistaken for a transaction. */
  readonly signMessage: (
    message: string | Uint8Array,
    options?: MessageOptions
  ) => Effect.Effect<string, SigningFailed | PolicyDenied | InvalidArgument>
}

/**
 * What a wallet or an index of one's own knows of an address. `isUsed`: it was ever paid, whether its coins are spent since or not. `utxos`
 * are its unspent outputs.
 *
 * @since 0.1.0
 * @category models
 */
export interface FoundAddress {
  readonly address: string
  readonly isUsed: boolean
  readonly utxos: ReadonlyArray<Utxo | NodeUtxo | DataApiUtxo>
}

/**
 * Finds what addresses have, in a wallet or an index of one's own. It is called again after it has answered, and yields one entry for each
 * address.
 *
 * @since 0.1.0
 * @category models
 */
export type FindAddresses = (
  addresses: ReadonlyArray<string>
) => ReadonlyArray<FoundAddress> | Promise<ReadonlyArray<FoundAddress>>

/**
 * Options of an HD account. `type` is that of its addresses, if its key does not say it. `gapLimit` (default 20, at most 1,000) is the number
 * of consecutive addresses without a payment after which no more are looked at. `findAddresses` takes the place of the data API.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdSources {
  readonly type?: AddressType
  readonly gapLimit?: number
  readonly findAddresses?: FindAddresses
}

/**
 * What a watched account is made from. `extendedKey` is the account's public key as text (`xpub…`, `ypub…`, `zpub…`, `Ltub…`, `dgub…` and
 * the others of SLIP-132). `descriptor` is one with `/<0;1>/*` at its end (BIP-389), or two: of receiving addresses and of change. Their
 * checksums are verified.
 *
 * @since 0.1.0
 * @category models
 */
export type WatchFrom = (
  | { readonly extendedKey: string }
  | { readonly descriptor: string | readonly [receive: string, change: string] }
) &
  HdSources

/**
 * The words of a mnemonic, and the number of the account (default 0) on the standard path of its type (BIP-44, BIP-49, BIP-84, BIP-86), or
 * the `path` of the account's key.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdFromMnemonic<S extends Secret = Secret> {
  readonly mnemonic: S
  readonly passphrase?: S
  readonly account?: number
  readonly path?: string
  readonly type?: AddressType
}

/**
 * What the signer of an HD account is made from: words, or a private extended key (`xprv…`, `zprv…` and so on) of the account. From a root
 * key, the account with the number `account` (default 0) is derived.
 *
 * @since 0.1.0
 * @category models
 */
export type HdFrom<S extends Secret = Secret> = (
  | HdFromMnemonic<S>
  | { readonly extendedKey: S; readonly account?: number }
) &
  HdSources &
  WithPolicy

/**
 * An address of an HD account. `path` is below the account's key: `0/5` is the sixth to receive, `1/0` the first for change.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdAddress {
  readonly address: string
  readonly path: string
}

/**
 * An unspent output of an HD account as nodes know it, in the smallest unit. `isConfirmed`: a block has it, and so many more if it is of a new
 * coin (coinbase) that it can be spent.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdUtxo extends HdAddress {
  readonly txid: string
  readonly vout: number
  readonly amount: bigint
  readonly isConfirmed: boolean
}

/**
 * What an HD account has, in the smallest unit. `confirmed` is in blocks and is not being spent; `unconfirmed` arrives with transactions that
 * wait for a block, change included. `used` are the addresses that were ever paid. `receive` and `change` come after the last of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdScan {
  readonly balance: { readonly confirmed: bigint; readonly unconfirmed: bigint }
  readonly utxos: ReadonlyArray<HdUtxo>
  readonly used: ReadonlyArray<HdAddress>
  readonly receive: HdAddress
  readonly change: HdAddress
}

/**
 * The calls of the data API that find what an HD account has.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdData extends UtxoData {
  readonly blockchains?: {
    readonly getBalanceBatch: Call<
      [query: { readonly chain: string; readonly addresses: readonly [string, ...Array<string>] }],
      ReadonlyArray<{
        readonly address: string
        readonly balance: string
        readonly incoming?: string
        readonly incomingPending?: string
      }>,
      ReadError | GatewayCallError | LoadError | NotSupportedForNetwork
    >
  }
}

/**
 * A client of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as far as HD accounts use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdClient extends Omit<BitcoinClient, "data"> {
  readonly data?: HdData
}

/**
 * An HD account without its private keys: what it has, its addresses, and payments for whoever signs them.
 *
 * @since 0.1.0
 * @category models
 */
export interface WatchedAccount
  extends Pick<BitcoinSigner, "network" | "address" | "prepare" | "exportPsbt" | "inspectPsbt"> {
  /** The account as an output descriptor with its checksum, which other wallets import. It has no private key. */
  readonly descriptor: string
  /** The public key of the account as text (`xpub…`, `tpub…` on test networks). Whoever has it sees all payments. */
  readonly extendedKey: string
  /** The same key as descriptors of accounts of several keys have it: with its origin, and `/<0;1>/*` at its end. */
  readonly descriptorKey: string
  /** Reads the balance, the unspent outputs and the used addresses. */
  readonly scan: () => Effect.Effect<HdScan, PrepareError>
  /** The address with a number, to receive or for change. Nothing is read. */
  readonly addressAt: (
    index: number,
    options?: { readonly isChange?: boolean }
  ) => Effect.Effect<HdAddress, InvalidArgument>
}

/**
 * The signer of an HD account: pays with coins of all its addresses, and sends change to a new one. `address` is its first one, which stands
 * for the account in previews and policies.
 *
 * @since 0.1.0
 * @category models
 */
export interface HdSigner
  extends WatchedAccount,
    Pick<BitcoinSigner, "sign" | "submit" | "send" | "sendToken" | "signPsbt" | "signMessage">,
    Cosigner<BitcoinTransaction & { readonly from: string }> {}

/**
 * What an account of several keys is made from: its descriptor, such as `wsh(sortedmulti(2,key,key,key))`, whose keys end with `/<0;1>/*`.
 *
 * @since 0.1.0
 * @category models
 */
export interface MultisigFrom extends Omit<HdSources, "type"> {
  readonly descriptor: string
}

/**
 * An account of several keys: what it has, and its addresses. `effect-chains/signers/proposal` pays from it. `members` are its extended
 * public keys, of which `threshold` sign.
 *
 * @since 0.1.0
 * @category models
 */
export interface MultisigAccount
  extends Pick<WatchedAccount, "network" | "descriptor" | "scan" | "addressAt"> {
  readonly threshold: number
  readonly members: ReadonlyArray<string>
}
