/**
 * The endpoints of Casper, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, eachOf, hex, unlessNumber, whenTextOrBytes } from "../../data/bytes.js"
import { type Fault, group, rpc } from "../../data/Endpoint.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { checkingNames } from "../internal/checkingNames.js"
import { standardFaultOf } from "../internal/faults.js"
import type {
  AccountHash,
  AccountInfo,
  AuctionInfo,
  AuctionInfoV2,
  Balance,
  BalanceDetails,
  BlockId,
  BlockTransfers,
  Chainspec,
  Deploy,
  DeployInfo,
  DictionaryIdentifier,
  DictionaryItem,
  Digest,
  EntityIdentifier,
  EntityInfo,
  EraIdentifier,
  EraSummary,
  GetBlock,
  GlobalState,
  Key,
  PackageIdentifier,
  PackageInfo,
  Peer,
  ProvenBalance,
  PublicKey,
  PurseIdentifier,
  Reward,
  SpeculativeDeployResult,
  SpeculativeResult,
  StateIdentifier,
  StateItem,
  StateRootHash,
  Status,
  Transaction,
  TransactionHash,
  TransactionInfo,
  URef,
  ValidatorChanges,
  Versioned
} from "./Types.js"

/**
 * Fields that are a `number` wherever they stand; not in `parsed`, which belongs to a contract.
 */
const numbers: ReadonlyArray<string> = [
  "**.weight",
  "**.deployment",
  "**.key_management",
  "**.upgrade_management",
  "**.delegation_rate",
  "**.protocol_version_major",
  "**.contract_version",
  "**.entity_version",
  "**.disabled_versions.[].[]",
  "**.gas_price_tolerance",
  "**.additional_computation_factor",
  "**.reserved_slots",
  "**.message_count",
  "**.topic_index",
  "**.prepayment_kind",
  "**.AddInt32",
  "**.version",
  "**.ByteArray",
  "**.current_price",
  "**.current_gas_price",
  "**.next_era_gas_price",
  "!**.parsed"
]

/** By code: data that another node may have, and errors about the node. The other codes of Casper are about the request. */
const faults: ReadonlyMap<number, Fault> = new Map([
  // no such deploy, block, state root or transaction; no trie; queries that could not be carried out
  [-32000, "elsewhere"],
  [-32001, "elsewhere"],
  [-32004, "elsewhere"],
  [-32007, "elsewhere"],
  [-32011, "elsewhere"],
  [-32012, "elsewhere"],
  [-32014, "elsewhere"],
  // a function that the node has disabled, a method that it lacks
  [-32019, "elsewhere"],
  [-32601, "elsewhere"],
  // the sidecar does not reach its node
  [-32018, "node"]
])

/**
 * Whose fault an error is.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  const fault = standardFaultOf(error)
  if (fault !== "unclear") return fault
  return faults.get(error.code) ?? (error.code <= -32000 && error.code >= -32099 ? "caller" : "unclear")
}

/** A number means a height, anything else a hash. */
const toBlockIdentifier = (block: BlockId): object =>
  typeof block === "number" || typeof block === "bigint" ? { Height: block } : { Hash: block }

/** One optional block. */
const atBlock = (block?: BlockId): ReadonlyArray<unknown> =>
  block === undefined || block === null ? [] : [toBlockIdentifier(block)]

/** Parameters by name, in which a block is an identifier. */
const withBlock = <A extends { readonly block_identifier?: BlockId }>({
  block_identifier: block,
  ...rest
}: A): object =>
  block === undefined || block === null ? rest : { ...rest, block_identifier: toBlockIdentifier(block) }

/** Parameters by name, as they are. */
const keepNamed = (input: object): object => input

/** The owner of an account. */
const toAccountIdentifier = (input: {
  readonly public_key?: PublicKey
  readonly account_identifier?: PublicKey | AccountHash
}): string => {
  const { account_identifier, public_key } = input
  const account = public_key ?? account_identifier
  if (account === undefined) throw new Error("public_key is missing")
  return account
}

const digest = hex(32)

/** A digest, or an object that has one. */
const digestIn = whenTextOrBytes(digest, () => digests)

const blockId = unlessNumber(digestIn)

const accountHash: BytesForm = (value, place, args) => {
  const prefix = "account-hash-"
  const isPrefixed = typeof value === "string" && value.startsWith(prefix)
  return isPrefixed ? prefix + digest(value.slice(prefix.length), place, args) : digest(value, place, args)
}

/** A public key, or the hash of an account, which says that it is one. */
const account: BytesForm = (value, place, args) =>
  (typeof value === "string" && value.startsWith("account-hash-") ? accountHash : hex())(value, place, args)

/** What has one meaning in all calls. What a contract's value is parsed as is anything. */
const digests: BytesForm = byFieldName(
  {
    AccountHash: accountHash,
    BlockHash: digest,
    Deploy: digestIn,
    Hash: digestIn,
    PublicKey: hex(),
    StateRootHash: digest,
    Version1: digestIn,
    account: whenTextOrBytes(hex()),
    account_identifier: account,
    block_identifier: blockId,
    body_hash: digest,
    bytes: whenTextOrBytes(hex()),
    delegator: whenTextOrBytes(hex()),
    dependencies: eachOf(digest),
    deploy_hash: digest,
    hash: digestIn,
    main_purse_under_account_hash: accountHash,
    main_purse_under_public_key: hex(),
    module_bytes: hex(),
    public_key: hex(),
    receipt: digest,
    signature: hex(),
    signer: hex(),
    state_root_hash: digest,
    trie_key: digest,
    validator: hex()
  },
  ["parsed"]
)

/** Where a block tells its hash and its height, by the version of the node and of the block. */
const blockEchoes = {
  "block.hash": 0,
  "block.header.height": 0,
  "block_with_signatures.block.Version1.hash": 0,
  "block_with_signatures.block.Version1.header.height": 0,
  "block_with_signatures.block.Version2.hash": 0,
  "block_with_signatures.block.Version2.header.height": 0
}

/**
 * The endpoints of Casper.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  {
    integers: bigintIntegers,
    numbers,
    bytes: digests,
    classify,
    reads: /^(?:state|info|chain)_get_\w+$/
  },
  {
    /** Sends a signed deploy. Safe to repeat. */
    accountPutDeploy: rpc<[deploy: Deploy], Versioned & { readonly deploy_hash: Digest }>(
      "account_put_deploy"
    ).broadcast(),
    /** Sends a signed transaction (Casper 2). Safe to repeat. */
    accountPutTransaction: rpc<
      [transaction: Transaction],
      Versioned & { readonly transaction_hash: TransactionHash }
    >("account_put_transaction").broadcast(),
    /** Block, or the newest. */
    chainGetBlock: rpc<[block?: BlockId], GetBlock>("chain_get_block")
      .echoes(blockEchoes)
      .bytes({ 0: blockId })
      .params(atBlock),
    /** Transfers of a block, or of the newest. */
    chainGetBlockTransfers: rpc<[block?: BlockId], BlockTransfers>("chain_get_block_transfers")
      .echoes({ block_hash: 0 })
      .bytes({ 0: blockId })
      .params(atBlock),
    /** What an era paid, by its last block; null for any other block. */
    chainGetEraInfoBySwitchBlock: rpc<
      [block?: BlockId],
      Versioned & { readonly era_summary?: EraSummary | null }
    >("chain_get_era_info_by_switch_block")
      .echoes({ "era_summary.block_hash": 0 })
      .bytes({ 0: blockId })
      .params(atBlock),
    /** What an era paid, by any of its blocks. */
    chainGetEraSummary: rpc<[block?: BlockId], Versioned & { readonly era_summary: EraSummary }>(
      "chain_get_era_summary"
    )
      .echoes({ "era_summary.block_hash": 0 })
      .bytes({ 0: blockId })
      .params(atBlock),
    /** Root of the state after a block, or after the newest. */
    chainGetStateRootHash: rpc<[block?: BlockId], StateRootHash>("chain_get_state_root_hash")
      .bytes({ 0: blockId })
      .params(atBlock),
    /** Files that the chain is configured by. */
    infoGetChainspec: rpc<[], Chainspec>("info_get_chainspec"),
    /** Deploy with its outcome; with `finalized_approvals`, the signatures are those of the block. */
    infoGetDeploy: rpc<
      [query: { readonly deploy_hash: Digest; readonly finalized_approvals?: boolean }],
      DeployInfo
    >("info_get_deploy")
      .echoes({ "deploy.hash": "deploy_hash" })
      .params(checkingNames((query) => [query.deploy_hash, query.finalized_approvals])),
    /** Peers of the node. */
    infoGetPeers: rpc<[], Versioned & { readonly peers: ReadonlyArray<Peer> }>("info_get_peers").lists(
      "peers"
    ),
    /** What an era paid to a validator or delegator (Casper 2). Without an era, the newest. */
    infoGetReward: rpc<
      [
        query: {
          readonly validator: PublicKey
          readonly delegator?: PublicKey
          readonly era_identifier?: EraIdentifier
        }
      ],
      Reward
    >("info_get_reward").params(keepNamed),
    /** Node: what it is, how far it is, and which blocks it has. */
    infoGetStatus: rpc<[], Status>("info_get_status").lists("peers"),
    /** Transaction with its outcome (Casper 2). */
    infoGetTransaction: rpc<
      [query: { readonly transaction_hash: TransactionHash; readonly finalized_approvals?: boolean }],
      TransactionInfo
    >("info_get_transaction")
      .echoes({
        "transaction.Deploy.hash": "transaction_hash.Deploy",
        "transaction.Version1.hash": "transaction_hash.Version1"
      })
      .params(keepNamed),
    /** How validators came and went, by era. */
    infoGetValidatorChanges: rpc<[], ValidatorChanges>("info_get_validator_changes").lists("changes"),
    /** Balance of a purse, in motes. */
    queryBalance: rpc<
      [query: { readonly purse_identifier: PurseIdentifier; readonly state_identifier?: StateIdentifier }],
      Balance
    >("query_balance").params(keepNamed),
    /** Balance of a purse, and what of it is held back, in motes (Casper 2). */
    queryBalanceDetails: rpc<
      [query: { readonly purse_identifier: PurseIdentifier; readonly state_identifier?: StateIdentifier }],
      BalanceDetails
    >("query_balance_details")
      .params(keepNamed)
      .lists("holds"),
    /** Value under a key, or behind it along a path of names. */
    queryGlobalState: rpc<
      [
        query: {
          readonly key: Key
          readonly path?: ReadonlyArray<string>
          readonly state_identifier?: StateIdentifier
        }
      ],
      GlobalState
    >("query_global_state").params(keepNamed),
    /** Description of the node's methods, in OpenRPC. */
    rpcDiscover: rpc<[], unknown>("rpc.discover"),
    /** What a deploy would do at a block; nothing is sent. */
    speculativeExec: rpc<
      [input: { readonly deploy: Deploy; readonly block_identifier?: BlockId }],
      SpeculativeDeployResult
    >("speculative_exec").params(withBlock),
    /** What a transaction would do (Casper 2); nothing is sent. */
    speculativeExecTxn: rpc<[input: { readonly transaction: Transaction }], SpeculativeResult>(
      "speculative_exec_txn"
    ).params(keepNamed),
    /** Account by public key or account hash. */
    stateGetAccountInfo: rpc<
      [
        query: {
          readonly public_key?: PublicKey
          readonly account_identifier?: PublicKey | AccountHash
          readonly block_identifier?: BlockId
        }
      ],
      AccountInfo
    >("state_get_account_info").params(
      checkingNames((query) => [toAccountIdentifier(query), ...atBlock(query.block_identifier)])
    ),
    /** Validators of this and the coming eras, and all bids. */
    stateGetAuctionInfo: rpc<[block?: BlockId], AuctionInfo>("state_get_auction_info")
      .echoes({ "auction_state.block_height": 0 })
      .bytes({ 0: blockId })
      .params(atBlock),
    /** Same in the form of Casper 2. */
    stateGetAuctionInfoV2: rpc<[block?: BlockId], AuctionInfoV2>("state_get_auction_info_v2")
      .bytes({ 0: blockId })
      .params(atBlock),
    /** Balance of a purse with its proof, in motes. */
    stateGetBalance: rpc<
      [query: { readonly state_root_hash: Digest; readonly purse_uref: URef }],
      ProvenBalance
    >("state_get_balance").params(checkingNames((query) => [query.state_root_hash, query.purse_uref])),
    /** Item of a dictionary. */
    stateGetDictionaryItem: rpc<
      [
        query: {
          readonly state_root_hash: Digest
          readonly dictionary_identifier: DictionaryIdentifier
        }
      ],
      DictionaryItem
    >("state_get_dictionary_item").params(
      checkingNames((query) => [query.state_root_hash, query.dictionary_identifier])
    ),
    /** Account or contract (Casper 2). */
    stateGetEntity: rpc<
      [
        query: {
          readonly entity_identifier: EntityIdentifier
          readonly block_identifier?: BlockId
          readonly include_bytecode?: boolean
        }
      ],
      EntityInfo
    >("state_get_entity").params(withBlock),
    /** Value under a key of a state, or behind it along a path of names. */
    stateGetItem: rpc<
      [
        query: {
          readonly state_root_hash: Digest
          readonly key: Key
          readonly path?: ReadonlyArray<string>
        }
      ],
      StateItem
    >("state_get_item").params(checkingNames((query) => [query.state_root_hash, query.key, query.path])),
    /** Package of contracts (Casper 2). */
    stateGetPackage: rpc<
      [query: { readonly package_identifier: PackageIdentifier; readonly block_identifier?: BlockId }],
      PackageInfo
    >("state_get_package").params(withBlock),
    /** Node of the state's trie, hexadecimal. Most nodes have this disabled. */
    stateGetTrie: rpc<
      [query: { readonly trie_key: Digest }],
      Versioned & { readonly maybe_trie_bytes?: string | null }
    >("state_get_trie").params(checkingNames((query) => [query.trie_key]))
  }
)
