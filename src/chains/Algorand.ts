/**
 * Algorand: the node (algod) and the indexer. Answers keep the names of the wire; their integers are `bigint` (amounts
 * in microalgos, 10^-6 Algo, or in the smallest unit of an asset), except `decimals` and the small codes `type` and
 * `action`. Queries are camelCase here and dash-case on the wire.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { bytesOfBase64 } from "../data/base64.js"
import { base64, byFieldName, eachOf } from "../data/bytes.js"
import { del, type Failure, get, group, post } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { readMessage, toFailure } from "./internal/faults.js"
import { joinWithCommas } from "./internal/joinWithCommas.js"

/**
 * An address: 58 characters, base32 with checksum.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * Bytes, base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * An integer as an argument: above 2^53 a bigint or a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * A time as an argument, RFC 3339: `2023-01-01T00:00:00Z`.
 *
 * @since 0.1.0
 * @category types
 */
export type Time = string

/**
 * The number of entries of each kind that a storage has room for.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateSchema {
  readonly "num-byte-slice": bigint
  readonly "num-uint": bigint
}

/**
 * A value in the storage of an application: `bytes` if the type is 1, `uint` if it is 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface TealValue {
  readonly type: number
  readonly bytes: Base64
  readonly uint: bigint
}

/**
 * An entry of the storage of an application.
 *
 * @since 0.1.0
 * @category types
 */
export interface TealKeyValue {
  readonly key: Base64
  readonly value: TealValue
}

/**
 * A change of a value: bytes were set (action 1), an integer was set (2), or the value was deleted (3).
 *
 * @since 0.1.0
 * @category types
 */
export interface EvalDelta {
  readonly action: number
  readonly bytes?: Base64
  readonly uint?: bigint
}

/**
 * A change of an entry of a storage.
 *
 * @since 0.1.0
 * @category types
 */
export interface EvalDeltaKeyValue {
  readonly key: Base64
  readonly value: EvalDelta
}

/**
 * Changes of the local storage of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountStateDelta {
  readonly address: Address
  readonly delta: ReadonlyArray<EvalDeltaKeyValue>
}

/**
 * Programs, creator and global storage of an application.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApplicationParams {
  readonly "approval-program": Base64
  readonly "clear-state-program": Base64
  readonly creator?: Address
  readonly "extra-program-pages"?: bigint
  readonly "family-box-access"?: boolean
  readonly "foreign-box-reads"?: boolean
  readonly "global-state"?: ReadonlyArray<TealKeyValue>
  readonly "global-state-schema"?: StateSchema
  readonly "local-state-schema"?: StateSchema
  readonly "size-sponsor"?: Address
  readonly version?: bigint
}

/**
 * An application. The rounds and `deleted` are known to the indexer only.
 *
 * @since 0.1.0
 * @category types
 */
export interface Application {
  readonly id: bigint
  readonly params?: ApplicationParams
  readonly "created-at-round"?: bigint
  readonly deleted?: boolean
  readonly "deleted-at-round"?: bigint
}

/**
 * Local storage of an account in an application. The rounds and `deleted` are known to the indexer only.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApplicationLocalState {
  readonly id: bigint
  readonly schema: StateSchema
  readonly "key-value"?: ReadonlyArray<TealKeyValue>
  readonly deleted?: boolean
  readonly "opted-in-at-round"?: bigint
  readonly "closed-out-at-round"?: bigint
}

/**
 * The parameters of an asset. `total` is in its smallest unit, of which 10^`decimals` make one.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetParams {
  readonly creator: Address
  readonly decimals: number
  readonly total: bigint
  readonly "default-frozen"?: boolean
  readonly name?: string
  readonly "name-b64"?: Base64
  readonly "unit-name"?: string
  readonly "unit-name-b64"?: Base64
  readonly url?: string
  readonly "url-b64"?: Base64
  readonly "metadata-hash"?: Base64
  readonly manager?: Address
  readonly reserve?: Address
  readonly freeze?: Address
  readonly clawback?: Address
}

/**
 * An asset. The rounds and `deleted` are known to the indexer only.
 *
 * @since 0.1.0
 * @category types
 */
export interface Asset {
  readonly index: bigint
  readonly params: AssetParams
  readonly "created-at-round"?: bigint
  readonly deleted?: boolean
  readonly "destroyed-at-round"?: bigint
}

/**
 * An asset in the list of an account. Without `params` if algod was asked to leave them out.
 *
 * @since 0.1.0
 * @category types
 */
export interface CreatedAsset extends Omit<Asset, "params"> {
  readonly params?: AssetParams
}

/**
 * The holding of an account in an asset, in its smallest unit. The rounds and `deleted` are known to the indexer
 * only.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetHolding {
  readonly amount: bigint
  readonly "asset-id": bigint
  readonly "is-frozen": boolean
  readonly deleted?: boolean
  readonly "opted-in-at-round"?: bigint
  readonly "opted-out-at-round"?: bigint
}

/**
 * Keys with which an account takes part in consensus, and the rounds in which they are valid.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountParticipation {
  readonly "selection-participation-key": Base64
  readonly "vote-participation-key": Base64
  readonly "state-proof-key"?: Base64
  readonly "vote-first-valid": bigint
  readonly "vote-last-valid": bigint
  readonly "vote-key-dilution": bigint
}

/**
 * An account at a round; amounts in microalgos. `deleted` and the rounds of creation and closing are known
 * to the indexer only.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly address: Address
  readonly amount: bigint
  readonly "amount-without-pending-rewards": bigint
  readonly "pending-rewards": bigint
  readonly rewards: bigint
  readonly "reward-base"?: bigint
  readonly "min-balance": bigint
  readonly round: bigint
  readonly status: string
  readonly "sig-type"?: SignatureType
  readonly "auth-addr"?: Address
  readonly participation?: AccountParticipation
  readonly "incentive-eligible"?: boolean
  readonly "last-heartbeat"?: bigint
  readonly "last-proposed"?: bigint
  readonly assets?: ReadonlyArray<AssetHolding>
  readonly "created-assets"?: ReadonlyArray<CreatedAsset>
  readonly "created-apps"?: ReadonlyArray<Application>
  readonly "apps-local-state"?: ReadonlyArray<ApplicationLocalState>
  readonly "apps-total-schema"?: StateSchema
  readonly "apps-total-extra-pages"?: bigint
  readonly "total-apps-opted-in": bigint
  readonly "total-assets-opted-in": bigint
  readonly "total-created-apps": bigint
  readonly "total-created-assets": bigint
  readonly "total-boxes"?: bigint
  readonly "total-box-bytes"?: bigint
  readonly deleted?: boolean
  readonly "created-at-round"?: bigint
  readonly "closed-at-round"?: bigint
}

/**
 * How transactions of an account are signed: one key, several keys, or a program.
 *
 * @since 0.1.0
 * @category types
 */
export type SignatureType = "sig" | "msig" | "lsig"

/**
 * Kind of a transaction: payment, key registration, configuration, transfer or freezing of an asset, call of
 * an application, state proof, heartbeat.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionType = "pay" | "keyreg" | "acfg" | "axfer" | "afrz" | "appl" | "stpf" | "hb"

/**
 * A box of an application, with its content.
 *
 * @since 0.1.0
 * @category types
 */
export interface Box {
  readonly name: Base64
  readonly round: bigint
  readonly value: Base64
}

/**
 * The name of a box of an application, and its content if it was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface BoxDescriptor {
  readonly name: Base64
  readonly value?: Base64
}

/**
 * The chain's first state: its protocol, and who had how many microalgos.
 *
 * @since 0.1.0
 * @category types
 */
export interface Genesis {
  readonly id: string
  readonly network: string
  readonly proto: string
  readonly fees: Address
  readonly rwd: Address
  readonly timestamp: bigint
  readonly comment?: string
  readonly devmode?: boolean
  readonly alloc: ReadonlyArray<{
    readonly addr: Address
    readonly comment: string
    readonly state: {
      readonly algo: bigint
      readonly onl?: bigint
      readonly sel?: string
      readonly stprf?: string
      readonly vote?: string
      readonly voteFst?: bigint
      readonly voteKD?: bigint
      readonly voteLst?: bigint
    }
  }>
}

/**
 * Versions of algod, and the chain that it serves.
 *
 * @since 0.1.0
 * @category types
 */
export interface Versions {
  readonly versions: ReadonlyArray<string>
  readonly genesis_id: string
  readonly genesis_hash_b64: Base64
  readonly build: {
    readonly branch: string
    readonly build_number: bigint
    readonly channel: string
    readonly commit_hash: string
    readonly major: bigint
    readonly minor: bigint
  }
}

/**
 * An account's part in an application: its local storage, and the application itself if it made it.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountApplication {
  readonly round: bigint
  readonly "app-local-state"?: ApplicationLocalState
  readonly "created-app"?: ApplicationParams
}

/**
 * An account's part in an asset: its holding, and the asset itself if it made it.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountAsset {
  readonly round: bigint
  readonly "asset-holding"?: AssetHolding
  readonly "created-asset"?: AssetParams
}

/**
 * A page of the applications of an account.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountApplications {
  readonly round: bigint
  readonly "next-token"?: string
  readonly "application-resources"?: ReadonlyArray<{
    readonly id: bigint
    readonly "app-local-state"?: ApplicationLocalState
    readonly "created-at-round"?: bigint
    readonly deleted?: boolean
    readonly params?: ApplicationParams
  }>
}

/**
 * A page of the assets that an account holds.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountAssets {
  readonly round: bigint
  readonly "next-token"?: string
  readonly "asset-holdings"?: ReadonlyArray<{
    readonly "asset-holding": AssetHolding
    readonly "asset-params"?: AssetParams
  }>
}

/**
 * A page of the boxes of an application.
 *
 * @since 0.1.0
 * @category types
 */
export interface Boxes {
  readonly boxes: ReadonlyArray<BoxDescriptor>
  readonly "next-token"?: string
  readonly round?: bigint
  readonly "application-id"?: bigint
}

/**
 * A transaction with the short names of Algorand's encoding, of which those that are zero are absent: `snd`
 * sender, `fee` microalgos, `fv` and `lv` first and last valid round, `amt` and `rcv` of a payment, `aamt`,
 * `arcv` and `xaid` of a transfer of an asset, `apid`, `apaa` and others of a call.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedTransaction {
  readonly type: TransactionType
  readonly snd: Address
  readonly fee?: bigint
  readonly fv?: bigint
  readonly lv?: bigint
  readonly gen?: string
  readonly gh?: Base64
  readonly grp?: Base64
  readonly lx?: Base64
  readonly note?: Base64
  readonly rekey?: Address
  readonly amt?: bigint
  readonly rcv?: Address
  readonly close?: Address
  readonly aamt?: bigint
  readonly arcv?: Address
  readonly aclose?: Address
  readonly asnd?: Address
  readonly xaid?: bigint
  readonly caid?: bigint
  readonly apar?: EncodedAssetParams
  readonly fadd?: Address
  readonly faid?: bigint
  readonly afrz?: boolean
  readonly apid?: bigint
  readonly apan?: bigint
  readonly apaa?: ReadonlyArray<Base64 | null>
  readonly apap?: Base64
  readonly apsu?: Base64
  readonly apat?: ReadonlyArray<Address>
  readonly apfa?: ReadonlyArray<bigint>
  readonly apas?: ReadonlyArray<bigint>
  readonly apbx?: ReadonlyArray<{ readonly i?: bigint; readonly n?: Base64 | null }>
  readonly apep?: bigint
  readonly apgs?: { readonly nui?: bigint; readonly nbs?: bigint }
  readonly apls?: { readonly nui?: bigint; readonly nbs?: bigint }
  readonly selkey?: Base64
  readonly votekey?: Base64
  readonly sprfkey?: Base64
  readonly votefst?: bigint
  readonly votelst?: bigint
  readonly votekd?: bigint
  readonly nonpart?: boolean
}

/**
 * Parameters of an asset with the short names of Algorand's encoding.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedAssetParams {
  readonly t?: bigint
  readonly dc?: bigint
  readonly df?: boolean
  readonly un?: string
  readonly an?: string
  readonly au?: string
  readonly am?: Base64
  readonly m?: Address
  readonly r?: Address
  readonly f?: Address
  readonly c?: Address
}

/**
 * Signatures of several keys, with the short names of Algorand's encoding.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedMultisig {
  readonly v: bigint
  readonly thr: bigint
  readonly subsig: ReadonlyArray<{ readonly pk: Base64; readonly s?: Base64 }>
}

/**
 * A signed transaction: one signature, several, or a program that allows it.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly txn: EncodedTransaction
  readonly sig?: Base64
  readonly msig?: EncodedMultisig
  readonly lsig?: {
    readonly l: Base64
    readonly arg?: ReadonlyArray<Base64>
    readonly sig?: Base64
    readonly msig?: EncodedMultisig
  }
  readonly sgnr?: Address
}

/**
 * A transaction as blocks have it: `hgi` and `hgid` say that genesis hash and id were left out of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransaction extends SignedTransaction {
  readonly hgi?: boolean
  readonly hgid?: boolean
  readonly ca?: bigint
  readonly aca?: bigint
  readonly caid?: bigint
  readonly apid?: bigint
  readonly rs?: bigint
  readonly rr?: bigint
  readonly rc?: bigint
  readonly dt?: Readonly<Record<string, unknown>>
}

/**
 * A block of algod with the short names of Algorand's encoding: `rnd` round, `ts` time in seconds, `prev`
 * hash of the block before, `tc` number of transactions up to it, `prp` proposer, `txns` its transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedBlock {
  readonly rnd?: bigint
  readonly prev?: string
  readonly prev512?: Base64
  readonly seed?: Base64
  readonly txn?: Base64
  readonly txn256?: Base64
  readonly txn512?: Base64
  readonly ts?: bigint
  readonly gen?: string
  readonly gh?: Base64
  readonly proto?: string
  readonly tc?: bigint
  readonly fees?: Address
  readonly rwd?: Address
  readonly earn?: bigint
  readonly rate?: bigint
  readonly frac?: bigint
  readonly rwcalr?: bigint
  readonly prp?: Address
  readonly fc?: bigint
  readonly bi?: bigint
  readonly pp?: bigint
  readonly nextproto?: string
  readonly nextyes?: bigint
  readonly nextbefore?: bigint
  readonly nextswitch?: bigint
  readonly upgradeprop?: string
  readonly upgradedelay?: bigint
  readonly upgradeyes?: boolean
  readonly partupdrmv?: ReadonlyArray<Address>
  readonly partupdabs?: ReadonlyArray<Address>
  readonly spt?: Readonly<Record<string, { readonly n?: bigint; readonly t?: bigint; readonly v?: Base64 }>>
  readonly txns?: ReadonlyArray<BlockTransaction>
}

/**
 * A block of algod. The certificate is present in msgpack only.
 *
 * @since 0.1.0
 * @category types
 */
export interface AlgodBlock {
  readonly block: EncodedBlock
  readonly cert?: Readonly<Record<string, unknown>>
}

/**
 * Logs of the calls of applications in a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockLogs {
  readonly logs: ReadonlyArray<{
    readonly "application-index": bigint
    readonly txId: string
    readonly logs: ReadonlyArray<Base64>
  }>
}

/**
 * Proof that a transaction is in a block: a path of `treedepth` hashes.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionProof {
  readonly hashtype: "sha512_256" | "sha256"
  readonly idx: bigint
  readonly proof: Base64
  readonly stibhash: Base64
  readonly treedepth: bigint
}

/**
 * Proof that a block's light header is in the commitment of a state proof.
 *
 * @since 0.1.0
 * @category types
 */
export interface LightBlockHeaderProof {
  readonly index: bigint
  readonly proof: Base64
  readonly treedepth: bigint
}

/**
 * A state proof and the message that it attests to.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateProof {
  readonly Message: {
    readonly BlockHeadersCommitment: Base64
    readonly FirstAttestedRound: bigint
    readonly LastAttestedRound: bigint
    readonly LnProvenWeight: bigint
    readonly VotersCommitment: Base64
  }
  readonly StateProof: Base64
}

/**
 * The state of an account after a change, by the names of algod's ledger. `Status` is 0 offline, 1 online, 2 not participating;
 * amounts are in microalgos.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerAccount {
  readonly Addr: Address
  readonly Status: number
  readonly MicroAlgos: bigint
  readonly RewardsBase: bigint
  readonly RewardedMicroAlgos: bigint
  readonly AuthAddr: Address
  readonly TotalAppSchema: { readonly nui?: bigint; readonly nbs?: bigint }
  readonly TotalExtraAppPages: bigint
  readonly TotalAppParams: bigint
  readonly TotalAppLocalStates: bigint
  readonly TotalAssetParams: bigint
  readonly TotalAssets: bigint
  readonly TotalBoxes: bigint
  readonly TotalBoxBytes: bigint
  readonly VoteID: Base64
  readonly SelectionID: Base64
  readonly StateProofID: Base64
  readonly VoteFirstValid: bigint
  readonly VoteLastValid: bigint
  readonly VoteKeyDilution: bigint
  readonly [field: string]: unknown
}

/**
 * A value in the state of an application, by the names of algod's ledger: `tt` 1 are bytes (`tb`, as text), 2 is an integer
 * (`ui`). Zeros and empty bytes are left out.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerValue {
  readonly tt: number
  readonly tb?: string
  readonly ui?: bigint
}

/**
 * An application, and the state of an account in it, after a change. Null is what has not changed.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerApplication {
  readonly Addr: Address
  readonly Aidx: bigint
  readonly Params: {
    readonly Deleted: boolean
    readonly Params: {
      readonly approv?: Base64
      readonly clearp?: Base64
      readonly epp?: bigint
      readonly gs?: Readonly<Record<string, LedgerValue>>
      readonly gsch?: { readonly nui?: bigint; readonly nbs?: bigint }
      readonly lsch?: { readonly nui?: bigint; readonly nbs?: bigint }
      readonly [field: string]: unknown
    } | null
  }
  readonly State: {
    readonly Deleted: boolean
    readonly LocalState: {
      readonly hsch?: { readonly nui?: bigint; readonly nbs?: bigint }
      readonly tkv?: Readonly<Record<string, LedgerValue>>
    } | null
  }
}

/**
 * Microalgos of accounts of one status, and the units of rewards that they have.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerTotal {
  readonly mon?: bigint
  readonly rwd?: bigint
}

/**
 * The changes of a round, or of a group of transactions, to the ledger, by the names of algod's ledger. algod describes it as
 * an object and no more; nodes of other versions may have more fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface LedgerStateDelta {
  readonly Accts: {
    readonly Accts: ReadonlyArray<LedgerAccount> | null
    readonly AppResources: ReadonlyArray<LedgerApplication> | null
    readonly AssetResources: ReadonlyArray<Readonly<Record<string, unknown>>> | null
  }
  /** Boxes, by application and name: their bytes now, and before. */
  readonly KvMods?: Readonly<
    Record<string, { readonly Data: Base64 | null; readonly OldData: Base64 | null }>
  > | null
  /** Transactions, by id: their place, and the last round in which they are valid. */
  readonly Txids?: Readonly<Record<string, { readonly Intra: bigint; readonly LastValid: bigint }>> | null
  /** Leases of transactions, and the round in which each ends. */
  readonly Txleases?: unknown
  /** Applications and assets that were made or destroyed, by id. */
  readonly Creatables?: Readonly<
    Record<
      string,
      {
        readonly Created: boolean
        readonly Creator: Address
        readonly Ctype: number
        readonly Ndeltas: number
      }
    >
  > | null
  readonly Hdr: EncodedBlock | null
  readonly PrevTimestamp?: bigint
  readonly StateProofNext?: bigint
  readonly Totals?: {
    readonly online: LedgerTotal
    readonly offline: LedgerTotal
    readonly notpart: LedgerTotal
    readonly rwdlvl?: bigint
  }
  readonly [field: string]: unknown
}

/**
 * The changes of a group of transactions to the ledger, and the ids of the group and its transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface GroupLedgerStateDelta {
  readonly Delta: LedgerStateDelta
  readonly Ids: ReadonlyArray<string>
}

/**
 * Microalgos in existence, and online, at a round.
 *
 * @since 0.1.0
 * @category types
 */
export interface Supply {
  readonly current_round: bigint
  readonly "online-money": bigint
  readonly "online-stake"?: bigint
  readonly "total-money": bigint
}

/**
 * State of a node. Times are nanoseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeStatus {
  readonly "last-round": bigint
  readonly "last-version": string
  readonly "next-version": string
  readonly "next-version-round": bigint
  readonly "next-version-supported": boolean
  readonly "stopped-at-unsupported-round": boolean
  readonly "time-since-last-round": bigint
  readonly "catchup-time": bigint
  readonly "last-catchpoint"?: string
  readonly catchpoint?: string
  readonly "catchpoint-acquired-blocks"?: bigint
  readonly "catchpoint-processed-accounts"?: bigint
  readonly "catchpoint-processed-kvs"?: bigint
  readonly "catchpoint-total-accounts"?: bigint
  readonly "catchpoint-total-blocks"?: bigint
  readonly "catchpoint-total-kvs"?: bigint
  readonly "catchpoint-verified-accounts"?: bigint
  readonly "catchpoint-verified-kvs"?: bigint
  readonly "upgrade-delay"?: bigint
  readonly "upgrade-next-protocol-vote-before"?: bigint
  readonly "upgrade-no-votes"?: bigint
  readonly "upgrade-node-vote"?: boolean
  readonly "upgrade-vote-rounds"?: bigint
  readonly "upgrade-votes"?: bigint
  readonly "upgrade-votes-required"?: bigint
  readonly "upgrade-yes-votes"?: bigint
}

/**
 * The parameters of a new transaction: the fee per byte, the least fee (microalgos), the last round, the chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionParams {
  readonly "consensus-version": string
  readonly fee: bigint
  readonly "genesis-hash": Base64
  readonly "genesis-id": string
  readonly "last-round": bigint
  readonly "min-fee": bigint
}

/**
 * A transaction in the node's pool or in one of its newest blocks: `confirmed-round` is there once it is in
 * a block, `pool-error` is not empty if the pool has dropped it.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingTransaction {
  readonly "pool-error": string
  readonly txn: SignedTransaction
  readonly "confirmed-round"?: bigint
  readonly "application-index"?: bigint
  readonly "asset-index"?: bigint
  readonly "asset-closing-amount"?: bigint
  readonly "closing-amount"?: bigint
  readonly "close-rewards"?: bigint
  readonly "receiver-rewards"?: bigint
  readonly "sender-rewards"?: bigint
  readonly "global-state-delta"?: ReadonlyArray<EvalDeltaKeyValue>
  readonly "local-state-delta"?: ReadonlyArray<AccountStateDelta>
  readonly "inner-txns"?: ReadonlyArray<PendingTransaction>
  readonly logs?: ReadonlyArray<Base64>
}

/**
 * Transactions in the node's pool, those first that pay most, and how many there are.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingTransactions {
  readonly "top-transactions": ReadonlyArray<SignedTransaction>
  readonly "total-transactions": bigint
}

/**
 * A value of the AVM: bytes if the type is 1, an integer if it is 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface AvmValue {
  readonly type: number
  readonly bytes?: Base64
  readonly uint?: bigint
}

/**
 * The records of a simulation.
 *
 * @since 0.1.0
 * @category types
 */
export interface SimulateTraceConfig {
  readonly enable?: boolean
  readonly "scratch-change"?: boolean
  readonly "stack-change"?: boolean
  readonly "state-change"?: boolean
}

/**
 * Transactions to simulate, and their allowances beyond the rules. `txns` are signed transactions as
 * JSON with base64 bytes; they are sent as they are.
 *
 * @since 0.1.0
 * @category types
 */
export interface SimulateRequest {
  readonly "txn-groups": ReadonlyArray<{ readonly txns: ReadonlyArray<SignedTransaction> }>
  readonly round?: Integer
  readonly "allow-empty-signatures"?: boolean
  readonly "allow-more-logging"?: boolean
  readonly "allow-unnamed-resources"?: boolean
  readonly "extra-opcode-budget"?: Integer
  readonly "fix-signers"?: boolean
  readonly "exec-trace-config"?: SimulateTraceConfig
}

/**
 * Resources that simulated transactions used without naming them.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnnamedResources {
  readonly accounts?: ReadonlyArray<Address>
  readonly apps?: ReadonlyArray<bigint>
  readonly assets?: ReadonlyArray<bigint>
  readonly boxes?: ReadonlyArray<{ readonly app: bigint; readonly name: Base64 }>
  readonly "app-locals"?: ReadonlyArray<{ readonly account: Address; readonly app: bigint }>
  readonly "asset-holdings"?: ReadonlyArray<{ readonly account: Address; readonly asset: bigint }>
  readonly "extra-box-refs"?: bigint
}

/**
 * One step of a traced program.
 *
 * @since 0.1.0
 * @category types
 */
export interface OpcodeTrace {
  readonly pc: bigint
  readonly "scratch-changes"?: ReadonlyArray<{ readonly slot: bigint; readonly "new-value": AvmValue }>
  readonly "spawned-inners"?: ReadonlyArray<bigint>
  readonly "stack-additions"?: ReadonlyArray<AvmValue>
  readonly "stack-pop-count"?: bigint
  readonly "state-changes"?: ReadonlyArray<{
    readonly "app-state-type": string
    readonly key: Base64
    readonly operation: string
    readonly account?: Address
    readonly "new-value"?: AvmValue
  }>
}

/**
 * How the programs of a simulated transaction ran.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionTrace {
  readonly "approval-program-hash"?: Base64
  readonly "approval-program-trace"?: ReadonlyArray<OpcodeTrace>
  readonly "clear-state-program-hash"?: Base64
  readonly "clear-state-program-trace"?: ReadonlyArray<OpcodeTrace>
  readonly "clear-state-rollback"?: boolean
  readonly "clear-state-rollback-error"?: string
  readonly "inner-trace"?: ReadonlyArray<ExecutionTrace>
  readonly "logic-sig-hash"?: Base64
  readonly "logic-sig-trace"?: ReadonlyArray<OpcodeTrace>
}

/**
 * A storage of an application as a simulation found it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApplicationStorage {
  readonly account?: Address
  readonly kvs: ReadonlyArray<{ readonly key: Base64; readonly value: AvmValue }>
}

/**
 * Outcome of a simulation. A group that would fail has `failure-message`: that is an answer, not an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulation {
  readonly "last-round": bigint
  readonly version: bigint
  readonly "eval-overrides"?: {
    readonly "allow-empty-signatures"?: boolean
    readonly "allow-unnamed-resources"?: boolean
    readonly "extra-opcode-budget"?: bigint
    readonly "fix-signers"?: boolean
    readonly "max-log-calls"?: bigint
    readonly "max-log-size"?: bigint
  }
  readonly "exec-trace-config"?: SimulateTraceConfig
  readonly "initial-states"?: {
    readonly "app-initial-states"?: ReadonlyArray<{
      readonly id: bigint
      readonly "app-boxes"?: ApplicationStorage
      readonly "app-globals"?: ApplicationStorage
      readonly "app-locals"?: ReadonlyArray<ApplicationStorage>
    }>
  }
  readonly "txn-groups": ReadonlyArray<{
    readonly "txn-results": ReadonlyArray<{
      readonly "txn-result": PendingTransaction
      readonly "app-budget-consumed"?: bigint
      readonly "exec-trace"?: ExecutionTrace
      readonly "fees-paid"?: bigint
      readonly "fixed-signer"?: Address
      readonly "logic-sig-budget-consumed"?: bigint
      readonly "unnamed-resources-accessed"?: UnnamedResources
    }>
    readonly "app-budget-added"?: bigint
    readonly "app-budget-consumed"?: bigint
    readonly "failed-at"?: ReadonlyArray<bigint>
    readonly "failure-message"?: string
    readonly "group-fees-paid"?: bigint
    readonly "group-usage"?: bigint
    readonly "unnamed-resources-accessed"?: UnnamedResources
  }>
}

/**
 * A compiled program: its hash as an address, its bytes, and the source map if it was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface CompiledTeal {
  readonly hash: Address
  readonly result: Base64
  readonly sourcemap?: {
    readonly version: bigint
    readonly sources: ReadonlyArray<string>
    readonly names: ReadonlyArray<string>
    readonly mappings: string
  }
}

/**
 * State of an indexer, and the last round that it has.
 *
 * @since 0.1.0
 * @category types
 */
export interface IndexerHealth {
  readonly round: bigint
  readonly version: string
  readonly message: string
  readonly "db-available": boolean
  readonly "is-migrating": boolean
  readonly errors?: ReadonlyArray<string>
  readonly data?: Readonly<Record<string, unknown>>
}

/**
 * Part of every list of the indexer: the round it was made at, and the token of the next page, if there is
 * one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page {
  readonly "current-round": bigint
  readonly "next-token"?: string
}

/**
 * A signature of the indexer's transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface Multisig {
  readonly subsignature?: ReadonlyArray<{ readonly "public-key"?: Base64; readonly signature?: Base64 }>
  readonly threshold?: bigint
  readonly version?: bigint
}

/**
 * Transaction of the indexer. Amounts are microalgos, or the smallest unit of the asset; `round-time` is
 * seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly "tx-type": TransactionType
  readonly sender: Address
  readonly fee: bigint
  readonly "first-valid": bigint
  readonly "last-valid": bigint
  readonly id?: string
  readonly "auth-addr"?: Address
  readonly "confirmed-round"?: bigint
  readonly "intra-round-offset"?: bigint
  readonly "round-time"?: bigint
  readonly "genesis-hash"?: Base64
  readonly "genesis-id"?: string
  readonly group?: Base64
  readonly lease?: Base64
  readonly note?: Base64
  readonly "rekey-to"?: Address
  readonly "close-rewards"?: bigint
  readonly "closing-amount"?: bigint
  readonly "receiver-rewards"?: bigint
  readonly "sender-rewards"?: bigint
  readonly "created-application-index"?: bigint
  readonly "created-asset-index"?: bigint
  readonly "global-state-delta"?: ReadonlyArray<EvalDeltaKeyValue>
  readonly "local-state-delta"?: ReadonlyArray<AccountStateDelta>
  readonly "inner-txns"?: ReadonlyArray<Transaction>
  readonly logs?: ReadonlyArray<Base64>
  readonly signature?: {
    readonly sig?: Base64
    readonly multisig?: Multisig
    readonly logicsig?: {
      readonly logic: Base64
      readonly args?: ReadonlyArray<Base64>
      readonly signature?: Base64
      readonly "multisig-signature"?: Multisig
      readonly "logic-multisig-signature"?: Multisig
    }
  }
  readonly "payment-transaction"?: {
    readonly amount: bigint
    readonly receiver: Address
    readonly "close-amount"?: bigint
    readonly "close-remainder-to"?: Address
  }
  readonly "asset-transfer-transaction"?: {
    readonly amount: bigint
    readonly "asset-id": bigint
    readonly receiver: Address
    readonly sender?: Address
    readonly "close-amount"?: bigint
    readonly "close-to"?: Address
  }
  readonly "asset-config-transaction"?: { readonly "asset-id"?: bigint; readonly params?: AssetParams }
  readonly "asset-freeze-transaction"?: {
    readonly address: Address
    readonly "asset-id": bigint
    readonly "new-freeze-status": boolean
  }
  readonly "application-transaction"?: ApplicationCall
  readonly "keyreg-transaction"?: {
    readonly "non-participation"?: boolean
    readonly "selection-participation-key"?: Base64
    readonly "state-proof-key"?: Base64
    readonly "vote-participation-key"?: Base64
    readonly "vote-first-valid"?: bigint
    readonly "vote-last-valid"?: bigint
    readonly "vote-key-dilution"?: bigint
  }
  readonly "heartbeat-transaction"?: {
    readonly "hb-address": Address
    readonly "hb-key-dilution": bigint
    readonly "hb-seed": Base64
    readonly "hb-vote-id": Base64
    readonly "hb-proof": {
      readonly "hb-pk"?: Base64
      readonly "hb-pk1sig"?: Base64
      readonly "hb-pk2"?: Base64
      readonly "hb-pk2sig"?: Base64
      readonly "hb-sig"?: Base64
    }
  }
  readonly "state-proof-transaction"?: StateProofTransaction
}

/**
 * Call of an application.
 *
 * @since 0.1.0
 * @category types
 */
export interface ApplicationCall {
  readonly "application-id": bigint
  readonly "on-completion": "noop" | "optin" | "closeout" | "clear" | "update" | "delete"
  readonly accounts?: ReadonlyArray<Address>
  readonly "application-args"?: ReadonlyArray<Base64>
  readonly "approval-program"?: Base64
  readonly "clear-state-program"?: Base64
  readonly "extra-program-pages"?: bigint
  readonly "foreign-apps"?: ReadonlyArray<bigint>
  readonly "foreign-assets"?: ReadonlyArray<bigint>
  readonly "box-references"?: ReadonlyArray<{ readonly app: bigint; readonly name: Base64 }>
  readonly "global-state-schema"?: StateSchema
  readonly "local-state-schema"?: StateSchema
  readonly "reject-version"?: bigint
  readonly access?: ReadonlyArray<{
    readonly address?: Address
    readonly "application-id"?: bigint
    readonly "asset-id"?: bigint
    readonly box?: { readonly app: bigint; readonly name: Base64 }
    readonly holding?: { readonly address: Address; readonly asset: bigint }
    readonly local?: { readonly address: Address; readonly app: bigint }
  }>
}

/**
 * Hashes that prove an element of a Merkle array.
 *
 * @since 0.1.0
 * @category types
 */
export interface MerkleArrayProof {
  readonly "hash-factory"?: { readonly "hash-type"?: bigint }
  readonly path?: ReadonlyArray<Base64>
  readonly "tree-depth"?: bigint
}

/**
 * Transaction with which the chain itself records a state proof.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateProofTransaction {
  readonly "state-proof-type"?: bigint
  readonly message?: {
    readonly "block-headers-commitment"?: Base64
    readonly "first-attested-round"?: bigint
    readonly "latest-attested-round"?: bigint
    readonly "ln-proven-weight"?: bigint
    readonly "voters-commitment"?: Base64
  }
  readonly "state-proof"?: {
    readonly "part-proofs"?: MerkleArrayProof
    readonly "positions-to-reveal"?: ReadonlyArray<bigint>
    readonly "salt-version"?: bigint
    readonly "sig-commit"?: Base64
    readonly "sig-proofs"?: MerkleArrayProof
    readonly "signed-weight"?: bigint
    readonly reveals?: ReadonlyArray<{
      readonly position?: bigint
      readonly participant?: {
        readonly weight?: bigint
        readonly verifier?: { readonly commitment?: Base64; readonly "key-lifetime"?: bigint }
      }
      readonly "sig-slot"?: {
        readonly "lower-sig-weight"?: bigint
        readonly signature?: {
          readonly "falcon-signature"?: Base64
          readonly "merkle-array-index"?: bigint
          readonly proof?: MerkleArrayProof
          readonly "verifying-key"?: Base64
        }
      }
    }>
  }
}

/**
 * Block of the indexer. `timestamp` is seconds; amounts are microalgos.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly round: bigint
  readonly timestamp: bigint
  readonly "genesis-hash": Base64
  readonly "genesis-id": string
  readonly "previous-block-hash": Base64
  readonly "previous-block-hash-512"?: Base64
  readonly seed: Base64
  readonly "transactions-root": Base64
  readonly "transactions-root-sha256"?: Base64
  readonly "transactions-root-sha512"?: Base64
  readonly "txn-counter"?: bigint
  readonly proposer?: Address
  readonly "proposer-payout"?: bigint
  readonly "fees-collected"?: bigint
  readonly bonus?: bigint
  readonly "participation-updates"?: {
    readonly "absent-participation-accounts"?: ReadonlyArray<Address>
    readonly "expired-participation-accounts"?: ReadonlyArray<Address>
  }
  readonly rewards?: {
    readonly "fee-sink": Address
    readonly "rewards-calculation-round": bigint
    readonly "rewards-level": bigint
    readonly "rewards-pool": Address
    readonly "rewards-rate": bigint
    readonly "rewards-residue": bigint
  }
  readonly "state-proof-tracking"?: ReadonlyArray<{
    readonly "next-round"?: bigint
    readonly "online-total-weight"?: bigint
    readonly type?: number
    readonly "voters-commitment"?: Base64
  }>
  readonly "upgrade-state"?: {
    readonly "current-protocol": string
    readonly "next-protocol"?: string
    readonly "next-protocol-approvals"?: bigint
    readonly "next-protocol-switch-on"?: bigint
    readonly "next-protocol-vote-before"?: bigint
  }
  readonly "upgrade-vote"?: {
    readonly "upgrade-approve"?: boolean
    readonly "upgrade-delay"?: bigint
    readonly "upgrade-propose"?: string
  }
  readonly transactions?: ReadonlyArray<Transaction>
}

/**
 * The holding of an account in the asset that was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface AssetBalance {
  readonly address: Address
  readonly amount: bigint
  readonly "is-frozen": boolean
  readonly deleted?: boolean
  readonly "opted-in-at-round"?: bigint
  readonly "opted-out-at-round"?: bigint
}

/**
 * Parts of an account that the indexer may leave out.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountPart = "all" | "assets" | "created-assets" | "apps-local-state" | "created-apps" | "none"

/**
 * A page of a list: how many entries, and the `next-token` of the page before.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly limit?: Integer
  readonly next?: string
}

/**
 * A choice of transactions of the indexer. Amounts are microalgos, or the smallest unit of the asset asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionFilter extends Paging {
  readonly notePrefix?: Base64
  readonly txType?: TransactionType
  readonly sigType?: SignatureType
  readonly txid?: string
  readonly round?: Integer
  readonly minRound?: Integer
  readonly maxRound?: Integer
  readonly beforeTime?: Time
  readonly afterTime?: Time
  readonly currencyGreaterThan?: Integer
  readonly currencyLessThan?: Integer
  readonly rekeyTo?: boolean
}

/**
 * An account in a part of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressFilter {
  readonly address?: Address
  readonly addressRole?: "sender" | "receiver" | "freeze-target"
  readonly excludeCloseTo?: boolean
}

/** Answers are read as JSON; msgpack is not. */
interface Format {
  readonly format?: "json"
}

/** Signed transactions as bytes, or as base64 of them. */
interface Signed {
  readonly rawtxn: Base64 | Uint8Array
  readonly skipPqAddressCheck?: boolean
}

/** Codes below ten, and the decimals of assets: the only integers of Algorand that are worth being numbers. */
const smallNumbers = ["**.decimals", "**.type", "**.action"]

/** The same of changes to the ledger, with its own names. */
const smallLedgerNumbers = [...smallNumbers, "**.Status", "**.tt", "**.Ctype", "**.Ndeltas"]

const toBytes = (data: Base64 | Uint8Array): Uint8Array =>
  typeof data === "string" ? bytesOfBase64(data) : Uint8Array.from(data)

const toSignedBody = ({ rawtxn, ...query }: Signed): Readonly<Record<string, unknown>> => ({
  ...query,
  rawtxn: rawtxn === undefined ? rawtxn : toBytes(rawtxn)
})

/** "transaction already in ledger: ID" answers a transaction that an earlier attempt has brought there. */
const inLedgerMessage = /already in ledger: [A-Z2-7]{52}/

const idFromMessage = async (_: unknown, said: string): Promise<{ readonly txId: string }> => ({
  txId: /[A-Z2-7]{52}/.exec(said)?.[0] ?? said
})

/** Answers that another node may not give: rounds that this one has forgotten or not seen, its own pool. */
const elsewhereMessage = /information from the ledger|state delta|required transaction|no transaction found/i

/** Reads the refusals of algod and the indexer; a message says more than its status only for missing things. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const message = readMessage(answer, "message")
  const isMissing = status === 404 && elsewhereMessage.test(message ?? "")
  return toFailure(message, status, isMissing ? "elsewhere" : "caller")
}

/** What has one meaning in all calls: mostly the short names of signed transactions. */
const bytesByName = byFieldName({
  am: base64(),
  apaa: eachOf(base64()),
  apap: base64(),
  apsu: base64(),
  arg: eachOf(base64()),
  gh: base64(),
  groupId: base64(),
  grp: base64(),
  l: base64(),
  lx: base64(),
  n: base64(),
  note: base64(),
  notePrefix: base64(),
  pk: base64(),
  s: base64(),
  selkey: base64(),
  sig: base64(),
  sprfkey: base64(),
  votekey: base64()
})

/**
 * The endpoints of algod.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const algodEndpoints = group(
  {
    query: "dash",
    body: "snake",
    integers: bigintIntegers,
    numbers: smallNumbers,
    bytes: bytesByName,
    failure
  },
  {
    /** The chain's first state. */
    getGenesis: get("/genesis").returns<Genesis>().lists("alloc"),
    /** Succeeds if the node is up. */
    isHealthy: get("/health").noContent(),
    /** Succeeds if the node is up and has caught up with the chain. */
    isReady: get("/ready").noContent(),
    /** Versions of the node, and the chain that it serves. */
    getVersions: get("/versions").returns<Versions>().lists("versions"),
    /** Counters of the node, as Prometheus text. */
    getMetrics: get("/metrics").text(),
    /** Account with its assets and applications, or without parts of it; amounts in microalgos. */
    getAccountInfo: get("/v2/accounts/{address}")
      .echoes({ address: "address" })
      .query<
        Format & {
          readonly exclude?:
            | "all"
            | "none"
            | ReadonlyArray<"all" | "none" | "created-apps-params" | "created-assets-params">
        }
      >()
      .returns<Account>()
      .prepare(joinWithCommas),
    /** Holding of an asset by an account, in the asset's smallest unit, and the asset if the account made it. */
    getAccountAssetInfo: get("/v2/accounts/{address}/assets/{assetId}")
      .echoes({ "asset-holding.asset-id": "assetId" })
      .query<Format>()
      .returns<AccountAsset>(),
    /** Local storage of an account in an application, and the application if the account made it. */
    getAccountApplicationInfo: get("/v2/accounts/{address}/applications/{applicationId}")
      .echoes({ "app-local-state.id": "applicationId" })
      .query<Format>()
      .returns<AccountApplication>(),
    /** Assets that an account holds, page by page (nodes with the experimental API). */
    getAccountAssets: get("/v2/accounts/{address}/assets").query<Paging>().returns<AccountAssets>(),
    /** Applications of an account, page by page (nodes with the experimental API). */
    getAccountApplications: get("/v2/accounts/{address}/applications")
      .query<Paging & { readonly include?: ReadonlyArray<"params"> }>()
      .returns<AccountApplications>()
      .prepare(joinWithCommas),
    /** Application with its programs and global storage. */
    getApplicationInfo: get("/v2/applications/{applicationId}")
      .echoes({ id: "applicationId" })
      .returns<Application>(),
    /** Names of the boxes of an application. */
    getApplicationBoxes: get("/v2/applications/{applicationId}/boxes")
      .query<
        Paging & {
          readonly max?: Integer
          readonly prefix?: string
          readonly include?: ReadonlyArray<"values">
          readonly round?: Integer
        }
      >()
      .returns<Boxes>()
      .prepare(joinWithCommas)
      .lists("boxes"),
    /** Box of an application by its name: `b64:Zm9v`, `str:foo`, `int:1`, `addr:…`. */
    getApplicationBox: get("/v2/applications/{applicationId}/box")
      .query<{ readonly name: string }>()
      .returns<Box>(),
    /** Asset by its id. */
    getAssetInformation: get("/v2/assets/{assetId}").echoes({ index: "assetId" }).returns<Asset>(),
    /** Block of a round, or its header. */
    getBlock: get("/v2/blocks/{round}")
      .echoes({ "block.rnd": "round" })
      .query<Format & { readonly headerOnly?: boolean }>()
      .returns<AlgodBlock>(),
    /** Block of a round: what this name has always asked for. The hash alone is `getBlockHashOnly`. */
    getBlockHash: get("/v2/blocks/{round}")
      .echoes({ "block.rnd": "round" })
      .query<Format>()
      .returns<AlgodBlock>(),
    /** Hash of the block of a round. */
    getBlockHashOnly: get("/v2/blocks/{round}/hash").returns<{ readonly blockHash: string }>(),
    /** Ids of the transactions of a block. */
    getBlockTransactionIDs: get("/v2/blocks/{round}/txids")
      .returns<{
        readonly blockTxids: ReadonlyArray<string>
      }>()
      .lists("blockTxids"),
    /** Logs of the calls of applications in a block. */
    getBlockLogs: get("/v2/blocks/{round}/logs").returns<BlockLogs>().lists("logs"),
    /** Proof that a transaction is in a block. */
    getTransactionProof: get("/v2/blocks/{round}/transactions/{txid}/proof")
      .query<Format & { readonly hashtype?: "sha512_256" | "sha256" }>()
      .returns<TransactionProof>(),
    /** Proof that the light header of a block is part of a state proof. */
    getLightBlockHeaderProofParams: get(
      "/v2/blocks/{round}/lightheader/proof"
    ).returns<LightBlockHeaderProof>(),
    /** State proof that covers a round. */
    getStateProof: get("/v2/stateproofs/{round}").returns<StateProof>(),
    /** What a round changed in the ledger. Only the newest rounds are there. */
    getLedgerStateDelta: get("/v2/deltas/{round}")
      .query<Format>()
      .returns<LedgerStateDelta>()
      .numbers(smallLedgerNumbers),
    /** What each group of transactions of a round changed in the ledger (nodes that trace). */
    getTransactionGroupLedgerStateDeltas: get("/v2/deltas/{round}/txn/group")
      .query<Format>()
      .returns<{ readonly Deltas: ReadonlyArray<GroupLedgerStateDelta> }>()
      .numbers(smallLedgerNumbers)
      .lists("Deltas"),
    /** What a group of transactions changed in the ledger, by the id of the group or of one of them (nodes that trace). */
    getLedgerStateDeltaForTransactionGroup: get("/v2/deltas/txn/group/{id}")
      .query<Format>()
      .returns<LedgerStateDelta>()
      .numbers(smallLedgerNumbers),
    /** Microalgos in existence and online. */
    getLedgerSupply: get("/v2/ledger/supply").returns<Supply>(),
    /** Round up to which a follower node keeps the ledger. */
    getSyncRound: get("/v2/ledger/sync").returns<{ readonly round: bigint }>(),
    /** Sets the round up to which a follower node keeps the ledger. */
    syncLedgerRound: post("/v2/ledger/sync/{round}").noBody().noContent().write(),
    /** Ends a follower node's waiting for its sync round. */
    unsetSyncRound: del("/v2/ledger/sync").noContent().write(),
    /** State of the node. */
    getNodeStatus: get("/v2/status").returns<NodeStatus>(),
    /** State of the node once the round after this one is there: the node waits up to a minute, and the call for it. */
    getNodeStatusAfterRound: get("/v2/status/wait-for-block-after/{round}")
      .returns<NodeStatus>()
      .minTimeout(75_000),
    /** What a new transaction needs; fees in microalgos. */
    getTransactionParams: get("/v2/transactions/params").returns<TransactionParams>(),
    /** Transactions in the node's pool. */
    getPendingTransactions: get("/v2/transactions/pending")
      .query<Format & { readonly address?: Address; readonly max?: Integer }>()
      .returns<PendingTransactions>()
      .lists("top-transactions"),
    /** Transactions of an account in the node's pool. */
    getPendingTransactionsByAddress: get("/v2/accounts/{address}/transactions/pending")
      .query<Format & { readonly max?: Integer }>()
      .returns<PendingTransactions>()
      .lists("top-transactions"),
    /** Transaction in the node's pool or in its newest blocks. */
    getPendingTransaction: get("/v2/transactions/pending/{txid}")
      .query<Format>()
      .returns<PendingTransaction>(),
    /** Sends signed transactions (one or a group, one after the other), and yields the id of the first. Safe to repeat. */
    broadcastTransaction: post("/v2/transactions{?skipPqAddressCheck}")
      .body<Signed>()
      .returns<{ readonly txId: string }>()
      .bytes({ rawtxn: base64() })
      .raw("rawtxn", "application/x-binary")
      .prepare(toSignedBody)
      .broadcast({ known: inLedgerMessage, result: idFromMessage }),
    /** The same without waiting for the node's checks (nodes with the experimental API). Safe to repeat. */
    broadcastTransactionAsync: post("/v2/transactions/async{?skipPqAddressCheck}")
      .body<Signed>()
      .bytes({ rawtxn: base64() })
      .raw("rawtxn", "application/x-binary")
      .prepare(toSignedBody)
      .noContent()
      .broadcast(),
    /**
     * Runs transactions without sending them. The request's fields are the input's; `request` sends them under that
     * name, as older SDKs do, which algod itself does not know.
     */
    simulateTransaction: post("/v2/transactions/simulate{?format}")
      .body<Format & (SimulateRequest | { readonly request: Partial<SimulateRequest> })>()
      .returns<Simulation>()
      .keep("txn-groups")
      .lists("txn-groups"),
    /** Compiles a TEAL program (nodes for developers). */
    compileTeal: post("/v2/teal/compile{?sourcemap}")
      .body<{ readonly source: string | Uint8Array; readonly sourcemap?: boolean }>()
      .returns<CompiledTeal>()
      .raw("source", "text/plain"),
    /** TEAL text of a compiled program (nodes for developers). */
    disassembleTeal: post("/v2/teal/disassemble")
      .body<{ readonly program: Base64 | Uint8Array }>()
      .returns<{ readonly result: string }>()
      .bytes({ program: base64() })
      .raw("program", "application/x-binary")
      .prepare(({ program }) => ({ program: program === undefined ? program : toBytes(program) })),
    /** Seconds between blocks of a node in development mode. */
    getBlockTimestampOffset: get("/v2/devmode/blocks/offset").returns<{ readonly offset: bigint }>(),
    /** Sets the seconds between blocks of a node in development mode. */
    setBlockTimestampOffset: post("/v2/devmode/blocks/offset/{offset}").noBody().noContent().write(),
    /** Succeeds if the node has the experimental API. */
    checkExperimental: get("/v2/experimental").noContent()
  }
)

/**
 * The endpoints of the indexer.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const indexerEndpoints = group(
  {
    query: "dash",
    body: "snake",
    integers: bigintIntegers,
    numbers: smallNumbers,
    bytes: bytesByName,
    failure
  },
  {
    /** State of the indexer. */
    getHealth: get("/health").returns<IndexerHealth>(),
    /** Accounts, all or by asset, application, balance or key; amounts in microalgos. */
    getAccounts: get("/v2/accounts")
      .query<
        Paging & {
          readonly applicationId?: Integer
          readonly assetId?: Integer
          readonly authAddr?: Address
          readonly currencyGreaterThan?: Integer
          readonly currencyLessThan?: Integer
          readonly exclude?: AccountPart | ReadonlyArray<AccountPart>
          readonly includeAll?: boolean
          readonly onlineOnly?: boolean
          readonly round?: Integer
        }
      >()
      .returns<Page & { readonly accounts: ReadonlyArray<Account> }>()
      .prepare(joinWithCommas)
      .lists("accounts"),
    /** Account, now or at a round; amounts in microalgos. */
    getAccount: get("/v2/accounts/{accountId}")
      .echoes({ "account.address": "accountId" })
      .query<{
        readonly exclude?: AccountPart | ReadonlyArray<AccountPart>
        readonly includeAll?: boolean
        readonly round?: Integer
      }>()
      .returns<{ readonly account: Account; readonly "current-round": bigint }>()
      .prepare(joinWithCommas),
    /** Transactions of an account. */
    getAccountTransactions: get("/v2/accounts/{accountId}/transactions")
      .query<TransactionFilter & { readonly assetId?: Integer }>()
      .returns<Page & { readonly transactions: ReadonlyArray<Transaction> }>()
      .lists("transactions"),
    /** Assets that an account holds, in their smallest units. */
    getAccountAssets: get("/v2/accounts/{accountId}/assets")
      .query<Paging & { readonly assetId?: Integer; readonly includeAll?: boolean }>()
      .returns<Page & { readonly assets: ReadonlyArray<AssetHolding> }>()
      .lists("assets"),
    /** Assets that an account made. */
    getAccountCreatedAssets: get("/v2/accounts/{accountId}/created-assets")
      .query<Paging & { readonly assetId?: Integer; readonly includeAll?: boolean }>()
      .returns<Page & { readonly assets: ReadonlyArray<Asset> }>()
      .lists("assets"),
    /** Applications that an account made. */
    getAccountApplications: get("/v2/accounts/{accountId}/created-applications")
      .query<Paging & { readonly applicationId?: Integer; readonly includeAll?: boolean }>()
      .returns<Page & { readonly applications: ReadonlyArray<Application> }>()
      .lists("applications"),
    /** Local storages of an account in applications. */
    getAccountAppsLocalState: get("/v2/accounts/{accountId}/apps-local-state")
      .query<Paging & { readonly applicationId?: Integer; readonly includeAll?: boolean }>()
      .returns<Page & { readonly "apps-local-states": ReadonlyArray<ApplicationLocalState> }>()
      .lists("apps-local-states"),
    /** Applications, all or by id or creator. */
    getApplications: get("/v2/applications")
      .query<
        Paging & {
          readonly applicationId?: Integer
          readonly creator?: Address
          readonly includeAll?: boolean
        }
      >()
      .returns<Page & { readonly applications: ReadonlyArray<Application> }>()
      .lists("applications"),
    /** Application by its id. */
    getApplication: get("/v2/applications/{applicationId}")
      .echoes({ "application.id": "applicationId" })
      .query<{ readonly includeAll?: boolean }>()
      .returns<{ readonly application?: Application; readonly "current-round": bigint }>(),
    /** Box of an application by its name: `b64:Zm9v`, `str:foo`, `int:1`, `addr:…`. */
    getApplicationBox: get("/v2/applications/{applicationId}/box")
      .query<{ readonly name: string }>()
      .returns<Box>(),
    /** Names of the boxes of an application. */
    getApplicationBoxes: get("/v2/applications/{applicationId}/boxes")
      .query<Paging & { readonly include?: ReadonlyArray<"values"> }>()
      .returns<Boxes>()
      .prepare(joinWithCommas)
      .lists("boxes"),
    /** Logs of an application, by transaction. */
    getApplicationLogs: get("/v2/applications/{applicationId}/logs")
      .echoes({ "application-id": "applicationId" })
      .query<
        Paging & {
          readonly minRound?: Integer
          readonly maxRound?: Integer
          readonly senderAddress?: Address
          readonly txid?: string
        }
      >()
      .returns<
        Page & {
          readonly "application-id": bigint
          readonly "log-data"?: ReadonlyArray<{
            readonly txid: string
            readonly logs: ReadonlyArray<Base64>
          }>
        }
      >(),
    /** Assets, all or by id, creator, name or unit. */
    getAssets: get("/v2/assets")
      .query<
        Paging & {
          readonly assetId?: Integer
          readonly creator?: Address
          readonly includeAll?: boolean
          readonly name?: string
          readonly unit?: string
        }
      >()
      .returns<Page & { readonly assets: ReadonlyArray<Asset> }>()
      .lists("assets"),
    /** Asset by its id. */
    getAsset: get("/v2/assets/{assetId}")
      .echoes({ "asset.index": "assetId" })
      .query<{ readonly includeAll?: boolean }>()
      .returns<{ readonly asset: Asset; readonly "current-round": bigint }>(),
    /** Who holds an asset, and how much, in its smallest unit. */
    getAssetBalances: get("/v2/assets/{assetId}/balances")
      .query<
        Paging & {
          readonly currencyGreaterThan?: Integer
          readonly currencyLessThan?: Integer
          readonly includeAll?: boolean
        }
      >()
      .returns<Page & { readonly balances: ReadonlyArray<AssetBalance> }>()
      .lists("balances"),
    /** Transactions of an asset. */
    getAssetTransactions: get("/v2/assets/{assetId}/transactions")
      .query<TransactionFilter & AddressFilter>()
      .returns<Page & { readonly transactions: ReadonlyArray<Transaction> }>()
      .lists("transactions"),
    /** Headers of blocks, by round, time, proposer, or accounts that went offline in them. */
    getBlockHeaders: get("/v2/block-headers")
      .query<
        Paging & {
          readonly minRound?: Integer
          readonly maxRound?: Integer
          readonly beforeTime?: Time
          readonly afterTime?: Time
          readonly proposers?: ReadonlyArray<Address>
          readonly expired?: ReadonlyArray<Address>
          readonly absent?: ReadonlyArray<Address>
        }
      >()
      .returns<Page & { readonly blocks: ReadonlyArray<Block> }>()
      .prepare(joinWithCommas)
      .lists("blocks"),
    /** Block of a round, or its header. */
    getBlock: get("/v2/blocks/{roundNumber}")
      .echoes({ round: "roundNumber" })
      .query<{ readonly headerOnly?: boolean }>()
      .returns<Block>(),
    /** Transactions that match a filter. */
    getTransactions: get("/v2/transactions")
      .query<
        TransactionFilter &
          AddressFilter & {
            readonly applicationId?: Integer
            readonly assetId?: Integer
            readonly groupId?: Base64
          }
      >()
      .returns<Page & { readonly transactions: ReadonlyArray<Transaction> }>()
      .lists("transactions"),
    /** Transaction by its id. */
    getTransaction: get("/v2/transactions/{txid}").echoes({ "transaction.id": "txid" }).returns<{
      readonly transaction: Transaction
      readonly "current-round": bigint
    }>()
  }
)

/**
 * The client of algod.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AlgodRpc extends Client<typeof algodEndpoints>, RawRpc {}

/**
 * The client of the indexer.
 *
 * @since 0.1.0
 * @category clients
 */
export interface IndexerRpc extends Client<typeof indexerEndpoints>, RawRpc {}

/**
 * The family of Algorand nodes.
 *
 * @since 0.1.0
 * @category families
 */
export const algod: Family<typeof algodEndpoints, AlgodRpc> = {
  endpoints: algodEndpoints,
  probe: () => getProbe("/v2/status", ["last-round"])
}

/**
 * The family of Algorand indexers.
 *
 * @since 0.1.0
 * @category families
 */
export const indexer: Family<typeof indexerEndpoints, IndexerRpc> = {
  endpoints: indexerEndpoints,
  probe: () => getProbe("/health", ["round"])
}
