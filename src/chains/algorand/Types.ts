/**
 * What Algorand's nodes and its indexer take and give.
 *
 * @since 0.1.0
 */

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
