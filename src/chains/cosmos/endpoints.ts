/**
 * The endpoints of the Cosmos SDK, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, base64, byFieldName, eachOf, hex, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, type Fault, get, group, merge, post, type Refusal } from "../../data/Endpoint.js"
import { type IntegerCodec, numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { isRefusalStatus } from "../../wire/jsonRpc.js"
import { rosettaEndpoints } from "../Cardano.js"
import { standardFaultOf, tendermintCallerFault } from "../internal/faults.js"
import type {
  AbciQuery,
  Account,
  Address,
  AuthParams,
  Base64,
  BaseAccount,
  BlockAnswer,
  BlockWithTxs,
  BondStatus,
  BroadcastMode,
  Coin,
  ConsensusParams,
  Dec,
  DecCoin,
  Delegation,
  DelegatorReward,
  DenomMetadata,
  DenomOwner,
  Deposit,
  DistributionParams,
  Evidence,
  FeeAllowance,
  GovParams,
  GovParamsV1,
  Grant,
  GrantAuthorization,
  HistoricalInfo,
  Int64,
  Integer,
  MintParams,
  NodeConfig,
  NodeInfo,
  NodeStatus,
  Paged,
  Paging,
  Param,
  Proposal,
  ProposalSearch,
  ProposalV1,
  ProposalVote,
  ProposalVoteV1,
  Redelegation,
  SendEnabled,
  SigningInfo,
  Simulation,
  SlashingParams,
  StakingParams,
  StakingPool,
  Tally,
  TallyV1,
  Tx,
  TxAnswer,
  TxResponse,
  TxSearch,
  UnbondingDelegation,
  UpgradePlan,
  Validator,
  ValidatorDistribution,
  ValidatorSet,
  ValidatorSlash
} from "./Types.js"

/** The reasons that nodes give by number alone: they speak of the pool, which has no log. */
const unloggedErrors: ReadonlyMap<string, string> = new Map([
  ["sdk 19", "tx already in mempool"],
  ["sdk 20", "mempool is full"],
  ["sdk 21", "tx too large"]
])

/** The refusal of the application or the pool, in its own words. */
const readError = (value: unknown): Refusal | undefined => {
  if (!isRecord(value)) return undefined
  const { code = 0, codespace, info, log, raw_log: rawLog, txhash } = value
  // an object may be no number at all, and then it is no code
  if ((typeof code !== "number" && typeof code !== "string") || Number(code) === 0) return undefined
  const place = `${typeof codespace === "string" ? codespace : ""} ${String(code)}`.trim()
  const text = [rawLog, log, info].find((each) => typeof each === "string" && each !== "")
  const hash = typeof txhash === "string" && txhash !== "" ? ` (transaction ${txhash})` : ""
  return {
    message: `${place}: ${String(text ?? unloggedErrors.get(place) ?? "refused")}${hash}`,
    code: Number(code)
  }
}

/** A transaction that was not taken, or a query that the application refuses. */
const refusal = (answer: unknown): Refusal | undefined =>
  isRecord(answer) ? readError(answer.tx_response ?? answer) : undefined

/** Words about data that another node may have: blocks and states that it dropped or has not got yet, an index. */
const elsewhereMessage =
  /failed to load state|version does not exist|not available, lowest height|bigger then the chain length|greater than the current height|must be less than or equal to|could not find (results|block)|\btx(?: \(?[0-9a-f]{64}\)?)? not found|indexing is disabled/i

const nodeMessage =
  /mempool is full|timed out|deadline exceeded|rate limit|too many requests|try again|overloaded|connection (refused|reset|error)|no such host|transport is closing|error while dialing/i

/**
 * Whose fault an error is that has no status: a refusal by the application, whose codes are positive and which speaks of
 * the transaction, or an answer to a raw call of Tendermint, which has the reason in `data`.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}): Fault => {
  const text = typeof error.data === "string" ? `${error.message}: ${error.data}` : error.message
  // only words of the SDK's own count: a log of another module may be made of the words of a contract
  if (error.code > 0) {
    return /^sdk 20:/.test(text)
      ? "node"
      : /^sdk \d+:/.test(text) && elsewhereMessage.test(text)
        ? "elsewhere"
        : "caller"
  }
  if (nodeMessage.test(text)) return "node"
  return elsewhereMessage.test(text)
    ? "elsewhere"
    : tendermintCallerFault.test(text)
      ? "caller"
      : standardFaultOf(error)
}

/** Codes of gRPC, which stand in the body of a failed answer. */
const UNKNOWN = 2

const DEADLINE_EXCEEDED = 4

const UNIMPLEMENTED = 12

const INTERNAL = 13

const UNAVAILABLE = 14

/**
 * The SDK answers 500 for most faults of a request, so that the status says little. A request that the application
 * has refused is the caller's; where nobody can tell, another node is asked, and no node is blamed.
 */
const faultOf = (code: number, message: string): Fault => {
  if (code === DEADLINE_EXCEEDED || code === UNAVAILABLE) return "node"
  // the gateway's own words for a route that this version does not have
  if (code === UNIMPLEMENTED || message === "Not Found") return "elsewhere"
  const refused = / with gas used: '\d+'/.test(message)
  if (!refused && elsewhereMessage.test(message)) return "elsewhere"
  if (refused || (code !== UNKNOWN && code !== INTERNAL)) return "caller"
  return nodeMessage.test(message) ? "node" : /codespace \S+ code \d+/.test(message) ? "caller" : "elsewhere"
}

/** An error of the gateway before the application's routes. Anything else comes from proxies, whose status speaks. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  if (!isRecord(answer) || isRefusalStatus(status)) return undefined
  const { code, details, message } = answer
  return typeof code === "number" && typeof message === "string" && Array.isArray(details)
    ? { messages: [message], fault: faultOf(code, message) }
    : undefined
}

/** Integers of the caller's messages: 64-bit ones are decimal strings in the JSON of protocol buffers. */
const integers: IntegerCodec = {
  parse: numberIntegers.parse,
  stringify: (value) =>
    JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? String(item) : item)) ?? "null"
}

/** Pages that are asked for as one object go out under dotted names. */
const toPagination = (input?: Paging): Readonly<Record<string, unknown>> => {
  const { pagination = {}, ...fields } = input ?? {}
  if (!isRecord(pagination)) throw new Error("pagination must be an object")
  return {
    ...fields,
    ...Object.fromEntries(Object.entries(pagination).map(([name, value]) => [`pagination.${name}`, value]))
  }
}

const inMempoolMessage = /^sdk 19: .*\(transaction ([0-9A-F]{64})\)$/

/** The success of a transaction that the node has in its pool already: the answer to the broadcast that brought it there. */
const toMempoolAnswer = async (_: unknown, text: string): Promise<{ readonly tx_response: TxResponse }> => {
  const [, txhash] = inMempoolMessage.exec(text) ?? []
  if (txhash === undefined) throw new Error("the node does not say which transaction")
  return {
    tx_response: {
      height: "0",
      txhash,
      codespace: "",
      code: 0,
      data: "",
      raw_log: "",
      logs: [],
      info: "",
      gas_wanted: "0",
      gas_used: "0",
      tx: null,
      timestamp: "",
      events: []
    }
  }
}

/** A public key, or several with theirs. */
const publicKey: BytesForm = (value, place, args) =>
  byFieldName({ key: base64(), public_keys: eachOf(publicKey) })(value, place, args)

/** What has one meaning in all calls. Messages and extensions are of modules, of which every chain has its own. */
const bytesByName = byFieldName(
  {
    amino_binary: base64(),
    data: whenTextOrBytes(base64()),
    elems: base64(),
    evidence_hash: base64(),
    "pagination.key": base64(),
    public_key: publicKey,
    public_keys: eachOf(publicKey),
    signatures: eachOf(base64()),
    tx_bytes: base64()
  },
  ["extension_options", "messages", "non_critical_extension_options"]
)

const readEndpoints = group(
  { integers, bytes: bytesByName, failure, classify },
  {
    /** Accounts. */
    getAccounts: get("/cosmos/auth/v1beta1/accounts")
      .query<Paging>()
      .returns<Paged & { readonly accounts: ReadonlyArray<Account> }>()
      .prepare(toPagination)
      .lists("accounts"),
    /** Account: number and sequence, which the next transaction needs. */
    getAccountDetails: get("/cosmos/auth/v1beta1/accounts/{address}").returns<{
      readonly account: Account
    }>(),
    /** The same, with the fields of the base for every kind of account (newer nodes). */
    getAccountInfo: get("/cosmos/auth/v1beta1/account_info/{address}").returns<{
      readonly info: BaseAccount
    }>(),
    /** Address of an account by its number (newer nodes). */
    getAddressByAccountNumber: get("/cosmos/auth/v1beta1/address_by_id/{id}")
      .query<{ readonly account_id?: Integer }>()
      .returns<{ readonly account_address: Address }>(),
    /** Limits and gas costs of transactions. */
    getAllParams: get("/cosmos/auth/v1beta1/params").returns<{ readonly params: AuthParams }>(),
    /** Accounts of the chain's modules (newer nodes). */
    getModuleAccounts: get("/cosmos/auth/v1beta1/module_accounts")
      .returns<{
        readonly accounts: ReadonlyArray<Account>
      }>()
      .lists("accounts"),
    /** Account of a module, such as `gov` (newer nodes). */
    getModuleAccountByName: get("/cosmos/auth/v1beta1/module_accounts/{name}").returns<{
      readonly account: Account
    }>(),
    /** What addresses of the chain begin with (newer nodes). */
    getBech32Prefix: get("/cosmos/auth/v1beta1/bech32").returns<{ readonly bech32_prefix: string }>(),
    /** Bytes of an address, base64 (newer nodes). */
    getAddressBytes: get("/cosmos/auth/v1beta1/bech32/{address_string}").returns<{
      readonly address_bytes: Base64
    }>(),
    /** What an account has allowed another one to do in its name. */
    getGrants: get("/cosmos/authz/v1beta1/grants")
      .query<
        Paging & { readonly granter: Address; readonly grantee: Address; readonly msg_type_url?: string }
      >()
      .returns<Paged & { readonly grants: ReadonlyArray<Grant> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** What an account has been allowed to do in the name of others. */
    getGranteeGrants: get("/cosmos/authz/v1beta1/grants/grantee/{grantee}")
      .query<Paging>()
      .returns<Paged & { readonly grants: ReadonlyArray<GrantAuthorization> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** What an account has allowed others to do in its name. */
    getGranterGrants: get("/cosmos/authz/v1beta1/grants/granter/{granter}")
      .query<Paging>()
      .returns<Paged & { readonly grants: ReadonlyArray<GrantAuthorization> }>()
      .prepare(toPagination)
      .lists("grants"),
    /** Balances of an account, in the smallest units. */
    getAllBalances: get("/cosmos/bank/v1beta1/balances/{address}")
      .query<Paging & { readonly resolve_denom?: boolean }>()
      .returns<Paged & { readonly balances: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("balances"),
    /** Balance of an account in one coin, in its smallest unit. */
    getBalanceByDenom: get("/cosmos/bank/v1beta1/balances/{address}/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly balance: Coin | null }>(),
    /** What an account can spend, without what is locked, in the smallest units. */
    getSpendableBalances: get("/cosmos/bank/v1beta1/spendable_balances/{address}")
      .query<Paging>()
      .returns<Paged & { readonly balances: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("balances"),
    /** What an account can spend of one coin, in its smallest unit (newer nodes). */
    getSpendableBalanceByDenom: get("/cosmos/bank/v1beta1/spendable_balances/{address}/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly balance: Coin | null }>(),
    /** Coins in existence, in the smallest units. */
    getTotalSupply: get("/cosmos/bank/v1beta1/supply")
      .query<Paging>()
      .returns<Paged & { readonly supply: ReadonlyArray<Coin> }>()
      .prepare(toPagination)
      .lists("supply"),
    /** How much there is of a coin, by a route that nodes have dropped with SDK 0.46: see `getSupplyByDenom`. */
    getSupplyOfCoin: get("/cosmos/bank/v1beta1/supply/{+denom}").returns<{ readonly amount: Coin }>(),
    /** How much there is of a coin, in its smallest unit. */
    getSupplyByDenom: get("/cosmos/bank/v1beta1/supply/by_denom")
      .query<{ readonly denom: string }>()
      .returns<{ readonly amount: Coin }>(),
    /** Whether coins may be sent. */
    getBankParams: get("/cosmos/bank/v1beta1/params").returns<{
      readonly params: {
        readonly send_enabled: ReadonlyArray<SendEnabled>
        readonly default_send_enabled: boolean
      }
    }>(),
    /** Coins for which sending is allowed or forbidden, other than by default (newer nodes). */
    getSendEnabled: get("/cosmos/bank/v1beta1/send_enabled")
      .query<Paging & { readonly denoms?: ReadonlyArray<string> }>()
      .returns<Paged & { readonly send_enabled: ReadonlyArray<SendEnabled> }>()
      .prepare(toPagination)
      .lists("send_enabled"),
    /** What coins are called, and their units. */
    getDenomsMetadata: get("/cosmos/bank/v1beta1/denoms_metadata")
      .query<Paging>()
      .returns<Paged & { readonly metadatas: ReadonlyArray<DenomMetadata> }>()
      .prepare(toPagination)
      .lists("metadatas"),
    /** What a coin is called, and its units. A name with slashes (`ibc/…`) keeps them. */
    getDenomMetadata: get("/cosmos/bank/v1beta1/denoms_metadata/{+denom}").returns<{
      readonly metadata: DenomMetadata
    }>(),
    /** The same, by a route that takes every name (newer nodes). */
    getDenomMetadataByQuery: get("/cosmos/bank/v1beta1/denoms_metadata_by_query_string")
      .query<{ readonly denom: string }>()
      .returns<{ readonly metadata: DenomMetadata }>(),
    /** Accounts that have a coin. A name with slashes (`ibc/…`) keeps them. */
    getDenomOwners: get("/cosmos/bank/v1beta1/denom_owners/{+denom}")
      .query<Paging>()
      .returns<Paged & { readonly denom_owners: ReadonlyArray<DenomOwner> }>()
      .prepare(toPagination)
      .lists("denom_owners"),
    /** The same, by a route that takes every name (newer nodes). */
    getDenomOwnersByQuery: get("/cosmos/bank/v1beta1/denom_owners_by_query")
      .query<Paging & { readonly denom: string }>()
      .returns<Paged & { readonly denom_owners: ReadonlyArray<DenomOwner> }>()
      .prepare(toPagination)
      .lists("denom_owners"),
    /** Price of gas in a coin that the chain asks for now (chains with a fee market). A name with slashes (`ibc/…`) keeps them. */
    getGasPrice: get("/api/feemarket/v1/gas_price/{+denom}").returns<{ readonly price: DecCoin }>(),
    /** How the node is set up. */
    getNodeConfig: get("/cosmos/base/node/v1beta1/config").returns<NodeConfig>(),
    /** How far the node is, and how far back its state goes (newer nodes). */
    getNodeStatus: get("/cosmos/base/node/v1beta1/status").returns<NodeStatus>(),
    /** The newest block. */
    getLatestBlock: get("/cosmos/base/tendermint/v1beta1/blocks/latest").returns<BlockAnswer>(),
    /** Block by height. */
    getBlockByHeight: get("/cosmos/base/tendermint/v1beta1/blocks/{height}")
      .echoes({ "block.header.height": "height" })
      .returns<BlockAnswer>(),
    /** Node: who it is, and its software. */
    getNodeInfo: get("/cosmos/base/tendermint/v1beta1/node_info").returns<NodeInfo>(),
    /** Whether the node is still catching up with the chain. */
    getSyncing: get("/cosmos/base/tendermint/v1beta1/syncing").returns<{ readonly syncing: boolean }>(),
    /** Validators of the newest block. */
    getLatestValidatorSet: get("/cosmos/base/tendermint/v1beta1/validatorsets/latest")
      .query<Paging>()
      .returns<ValidatorSet>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validators of a block. */
    getValidatorSetByHeight: get("/cosmos/base/tendermint/v1beta1/validatorsets/{height}")
      .echoes({ block_height: "height" })
      .query<Paging>()
      .returns<ValidatorSet>()
      .prepare(toPagination)
      .lists("validators"),
    /** Limits that validators agree on (newer nodes). */
    getConsensusParams: get("/cosmos/consensus/v1/params").returns<{
      readonly params: ConsensusParams
    }>(),
    /** What the community has to spend, in the smallest units. */
    getCommunityPool: get("/cosmos/distribution/v1beta1/community_pool")
      .returns<{
        readonly pool: ReadonlyArray<DecCoin>
      }>()
      .lists("pool"),
    /** What a delegator has earned with a validator and not withdrawn, in the smallest units. */
    getDelegationRewards: get(
      "/cosmos/distribution/v1beta1/delegators/{delegator_address}/rewards/{validator_address}"
    )
      .returns<{ readonly rewards: ReadonlyArray<DecCoin> }>()
      .lists("rewards"),
    /** The same with every validator, and in all. */
    getDelegationTotalRewards: get("/cosmos/distribution/v1beta1/delegators/{delegator_address}/rewards")
      .returns<{ readonly rewards: ReadonlyArray<DelegatorReward>; readonly total: ReadonlyArray<DecCoin> }>()
      .lists("rewards", "total"),
    /** Addresses of the validators that an account has staked with. */
    getDelegatorValidators: get("/cosmos/distribution/v1beta1/delegators/{delegator_address}/validators")
      .returns<{ readonly validators: ReadonlyArray<Address> }>()
      .lists("validators"),
    /** Where a delegator's rewards go. */
    getDelegatorWithdrawAddress: get(
      "/cosmos/distribution/v1beta1/delegators/{delegator_address}/withdraw_address"
    ).returns<{ readonly withdraw_address: Address }>(),
    /** Shares of the fees. */
    getDistributionParams: get("/cosmos/distribution/v1beta1/params").returns<{
      readonly params: DistributionParams
    }>(),
    /** What a validator earns, for its own stake and as commission (newer nodes). */
    getValidatorDistribution: get("/cosmos/distribution/v1beta1/validators/{validator_address}")
      .returns<ValidatorDistribution>()
      .lists("self_bond_rewards", "commission"),
    /** What a validator has earned as commission and not withdrawn, in the smallest units. */
    getValidatorCommission: get(
      "/cosmos/distribution/v1beta1/validators/{validator_address}/commission"
    ).returns<{ readonly commission: { readonly commission: ReadonlyArray<DecCoin> } }>(),
    /** What a validator and its delegators have earned and not withdrawn, in the smallest units. */
    getValidatorOutstandingRewards: get(
      "/cosmos/distribution/v1beta1/validators/{validator_address}/outstanding_rewards"
    ).returns<{ readonly rewards: { readonly rewards: ReadonlyArray<DecCoin> } }>(),
    /** When a validator has lost stake, between two heights. */
    getValidatorSlashes: get("/cosmos/distribution/v1beta1/validators/{validator_address}/slashes")
      .query<Paging & { readonly starting_height?: Integer; readonly ending_height?: Integer }>()
      .returns<Paged & { readonly slashes: ReadonlyArray<ValidatorSlash> }>()
      .prepare(toPagination)
      .lists("slashes"),
    /** Proofs that validators have misbehaved. */
    getAllEvidence: get("/cosmos/evidence/v1beta1/evidence")
      .query<Paging>()
      .returns<Paged & { readonly evidence: ReadonlyArray<Evidence> }>()
      .prepare(toPagination)
      .lists("evidence"),
    /** Proof that a validator has misbehaved, by its hash (hexadecimal; older nodes: base64). */
    getEvidence: get("/cosmos/evidence/v1beta1/evidence/{hash}")
      .query<{ readonly evidence_hash?: Base64 }>()
      .returns<{ readonly evidence: Evidence }>(),
    /** Fees that an account pays for another. */
    getAllowance: get("/cosmos/feegrant/v1beta1/allowance/{granter}/{grantee}")
      .echoes({ "allowance.granter": "granter", "allowance.grantee": "grantee" })
      .returns<{
        readonly allowance: FeeAllowance
      }>(),
    /** Fees that others pay for an account. */
    getAllowanceForAddress: get("/cosmos/feegrant/v1beta1/allowances/{grantee}")
      .query<Paging>()
      .returns<Paged & { readonly allowances: ReadonlyArray<FeeAllowance> }>()
      .prepare(toPagination)
      .lists("allowances"),
    /** Fees that an account pays for others. */
    getIssuedAllowances: get("/cosmos/feegrant/v1beta1/issued/{granter}")
      .query<Paging>()
      .returns<Paged & { readonly allowances: ReadonlyArray<FeeAllowance> }>()
      .prepare(toPagination)
      .lists("allowances"),
    /** Rules of governance: `voting`, `deposit` or `tallying`. */
    getGovernanceParams: get("/cosmos/gov/v1beta1/params/{params_type}").returns<GovParams>(),
    /** Proposals by state, voter and depositor. */
    getAllProposals: get("/cosmos/gov/v1beta1/proposals")
      .query<ProposalSearch>()
      .returns<Paged & { readonly proposals: ReadonlyArray<Proposal> }>()
      .prepare(toPagination)
      .lists("proposals"),
    /** Proposal. */
    getProposalDetails: get("/cosmos/gov/v1beta1/proposals/{proposal_id}")
      .echoes({ "proposal.proposal_id": "proposal_id" })
      .returns<{
        readonly proposal: Proposal
      }>(),
    /** Deposits on a proposal, in the smallest units. */
    getDeposits: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/deposits")
      .query<Paging>()
      .returns<Paged & { readonly deposits: ReadonlyArray<Deposit> }>()
      .prepare(toPagination)
      .lists("deposits"),
    /** Deposit of an account on a proposal, in the smallest units. */
    getDeposit: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/deposits/{depositor}")
      .echoes({ "deposit.proposal_id": "proposal_id", "deposit.depositor": "depositor" })
      .returns<{
        readonly deposit: Deposit
      }>(),
    /** Votes on a proposal, summed up. */
    getTallyResult: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/tally").returns<{
      readonly tally: Tally
    }>(),
    /** Votes on a proposal. */
    getVotes: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/votes")
      .query<Paging>()
      .returns<Paged & { readonly votes: ReadonlyArray<ProposalVote> }>()
      .prepare(toPagination)
      .lists("votes"),
    /** Vote of an account on a proposal. */
    getVote: get("/cosmos/gov/v1beta1/proposals/{proposal_id}/votes/{voter}")
      .echoes({ "vote.proposal_id": "proposal_id", "vote.voter": "voter" })
      .returns<{
        readonly vote: ProposalVote
      }>(),
    /** Governance of newer nodes, where a proposal has messages. */
    govV1: {
      /** What the chain has given itself as its constitution, if it has. */
      getConstitution: get("/cosmos/gov/v1/constitution").returns<{ readonly constitution: string }>(),
      /** Rules of governance: `voting`, `deposit` or `tallying`. */
      getParams: get("/cosmos/gov/v1/params/{params_type}").returns<GovParamsV1>(),
      /** Proposals by state, voter and depositor. */
      getProposals: get("/cosmos/gov/v1/proposals")
        .query<ProposalSearch>()
        .returns<Paged & { readonly proposals: ReadonlyArray<ProposalV1> }>()
        .prepare(toPagination)
        .lists("proposals"),
      /** Proposal. */
      getProposal: get("/cosmos/gov/v1/proposals/{proposal_id}")
        .echoes({ "proposal.id": "proposal_id" })
        .returns<{
          readonly proposal: ProposalV1
        }>(),
      /** Deposits on a proposal, in the smallest units. */
      getDeposits: get("/cosmos/gov/v1/proposals/{proposal_id}/deposits")
        .query<Paging>()
        .returns<Paged & { readonly deposits: ReadonlyArray<Deposit> }>()
        .prepare(toPagination)
        .lists("deposits"),
      /** Deposit of an account on a proposal, in the smallest units. */
      getDeposit: get("/cosmos/gov/v1/proposals/{proposal_id}/deposits/{depositor}")
        .echoes({ "deposit.proposal_id": "proposal_id", "deposit.depositor": "depositor" })
        .returns<{
          readonly deposit: Deposit
        }>(),
      /** Votes on a proposal, summed up. */
      getTallyResult: get("/cosmos/gov/v1/proposals/{proposal_id}/tally").returns<{
        readonly tally: TallyV1
      }>(),
      /** Votes on a proposal. */
      getVotes: get("/cosmos/gov/v1/proposals/{proposal_id}/votes")
        .query<Paging>()
        .returns<Paged & { readonly votes: ReadonlyArray<ProposalVoteV1> }>()
        .prepare(toPagination)
        .lists("votes"),
      /** Vote of an account on a proposal. */
      getVote: get("/cosmos/gov/v1/proposals/{proposal_id}/votes/{voter}")
        .echoes({ "vote.proposal_id": "proposal_id", "vote.voter": "voter" })
        .returns<{
          readonly vote: ProposalVoteV1
        }>()
    },
    /** New coins per year, in the smallest unit. */
    getAnnualProvisions: get("/cosmos/mint/v1beta1/annual_provisions").returns<{
      readonly annual_provisions: Dec
    }>(),
    /** Share of new coins per year. */
    getInflation: get("/cosmos/mint/v1beta1/inflation").returns<{ readonly inflation: Dec }>(),
    /** How much new coin there may be. */
    getMintingParams: get("/cosmos/mint/v1beta1/params").returns<{ readonly params: MintParams }>(),
    /** Parameter of a module, as JSON in a text. */
    getSpecificParam: get("/cosmos/params/v1beta1/params")
      .query<{ readonly subspace: string; readonly key: string }>()
      .returns<{ readonly param: Param }>(),
    /** Names of all parameters, by module (newer nodes). */
    getSubspaces: get("/cosmos/params/v1beta1/subspaces")
      .returns<{
        readonly subspaces: ReadonlyArray<{ readonly subspace: string; readonly keys: ReadonlyArray<string> }>
      }>()
      .lists("subspaces"),
    /** What validators lose their stake for. */
    getSlashingParams: get("/cosmos/slashing/v1beta1/params").returns<{
      readonly params: SlashingParams
    }>(),
    /** How reliably validators sign blocks. */
    getSigningInfos: get("/cosmos/slashing/v1beta1/signing_infos")
      .query<Paging>()
      .returns<Paged & { readonly info: ReadonlyArray<SigningInfo> }>()
      .prepare(toPagination)
      .lists("info"),
    /** How reliably a validator signs blocks, by the address of its key. */
    getSingingInfoByConsAddress: get("/cosmos/slashing/v1beta1/signing_infos/{cons_address}").returns<{
      readonly val_signing_info: SigningInfo
    }>(),
    /** What an account has staked. A validator is no part of this question; it is accepted and not sent. */
    getDelegations: get("/cosmos/staking/v1beta1/delegations/{delegator_address}")
      .query<Paging & { readonly validator_addr?: Address }>()
      .returns<Paged & { readonly delegation_responses: ReadonlyArray<Delegation> }>()
      .prepare(({ validator_addr: _, ...input }) => toPagination(input))
      .lists("delegation_responses"),
    /** What is staked with a validator. A delegator is no part of this question; it is accepted and not sent. */
    getDelegationsForValidator: get("/cosmos/staking/v1beta1/validators/{validator_addr}/delegations")
      .query<Paging & { readonly delegator_address?: Address }>()
      .returns<Paged & { readonly delegation_responses: ReadonlyArray<Delegation> }>()
      .prepare(({ delegator_address: _, ...input }) => toPagination(input))
      .lists("delegation_responses"),
    /** What an account has staked with a validator. */
    getDelegation: get("/cosmos/staking/v1beta1/validators/{validator_addr}/delegations/{delegator_addr}")
      .echoes({
        "delegation_response.delegation.delegator_address": "delegator_addr",
        "delegation_response.delegation.validator_address": "validator_addr"
      })
      .returns<{ readonly delegation_response: Delegation }>(),
    /** What an account has moved from one validator to another. */
    getRedelegations: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/redelegations")
      .query<Paging & { readonly src_validator_addr?: Address; readonly dst_validator_addr?: Address }>()
      .returns<Paged & { readonly redelegation_responses: ReadonlyArray<Redelegation> }>()
      .prepare(toPagination)
      .lists("redelegation_responses"),
    /** What an account has taken back, and when it gets it. */
    getUnbondingDelegations: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/unbonding_delegations")
      .query<Paging>()
      .returns<Paged & { readonly unbonding_responses: ReadonlyArray<UnbondingDelegation> }>()
      .prepare(toPagination)
      .lists("unbonding_responses"),
    /** What an account has taken back from a validator, and when it gets it. */
    getUnbondingDelegation: get(
      "/cosmos/staking/v1beta1/validators/{validator_addr}/delegations/{delegator_addr}/unbonding_delegation"
    )
      .echoes({ "unbond.delegator_address": "delegator_addr", "unbond.validator_address": "validator_addr" })
      .returns<{ readonly unbond: UnbondingDelegation }>(),
    /** What has been taken back from a validator. */
    getValidatorUnbondingDelegations: get(
      "/cosmos/staking/v1beta1/validators/{validator_addr}/unbonding_delegations"
    )
      .query<Paging>()
      .returns<Paged & { readonly unbonding_responses: ReadonlyArray<UnbondingDelegation> }>()
      .prepare(toPagination)
      .lists("unbonding_responses"),
    /** Validators that an account has staked with. */
    getValidators: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/validators")
      .query<Paging & { readonly status?: BondStatus }>()
      .returns<Paged & { readonly validators: ReadonlyArray<Validator> }>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validator that an account has staked with. */
    getValidatorInfo: get("/cosmos/staking/v1beta1/delegators/{delegator_addr}/validators/{validator_addr}")
      .echoes({ "validator.operator_address": "validator_addr" })
      .returns<{ readonly validator: Validator }>(),
    /** Validators of a state, or all of them. */
    getValidatorsForGivenStatus: get("/cosmos/staking/v1beta1/validators")
      .query<Paging & { readonly status?: BondStatus }>()
      .returns<Paged & { readonly validators: ReadonlyArray<Validator> }>()
      .prepare(toPagination)
      .lists("validators"),
    /** Validator. */
    getValidatorInfoForAddress: get("/cosmos/staking/v1beta1/validators/{validator_addr}")
      .echoes({ "validator.operator_address": "validator_addr" })
      .returns<{
        readonly validator: Validator
      }>(),
    /** Header and validators of a block. Nodes keep the newest 10,000 or so. */
    getHistoricalInfo: get("/cosmos/staking/v1beta1/historical_info/{height}")
      .echoes({ "hist.header.height": "height" })
      .returns<{
        readonly hist: HistoricalInfo
      }>(),
    /** Rules of staking. */
    getStakingParams: get("/cosmos/staking/v1beta1/params").returns<{ readonly params: StakingParams }>(),
    /** Staked coins, in the smallest unit. */
    getPoolInfo: get("/cosmos/staking/v1beta1/pool").returns<{ readonly pool: StakingPool }>(),
    /** Transactions by their events, such as `tx.height=5` (newer nodes: in one `query`). A failed one is an answer too. */
    getTxsByEvent: get("/cosmos/tx/v1beta1/txs")
      .query<
        Paging & {
          readonly events?: ReadonlyArray<string>
          readonly query?: string
          readonly order_by?: "ORDER_BY_UNSPECIFIED" | "ORDER_BY_ASC" | "ORDER_BY_DESC"
          readonly page?: Integer
          readonly limit?: Integer
        }
      >()
      .returns<TxSearch>()
      .prepare(toPagination)
      .lists("txs", "tx_responses"),
    /** Transaction by its hash (hexadecimal). A failed one is an answer too: see `tx_response.code`. */
    getTxByHash: get("/cosmos/tx/v1beta1/txs/{hash}")
      .bytes({ 0: hex(32) })
      .echoes({ "tx_response.txhash": 0 })
      .returns<TxAnswer>()
      .args((hash: string) => ({ hash })),
    /** Block by height, with its transactions as structures (newer nodes). */
    getBlockWithTxs: get("/cosmos/tx/v1beta1/txs/block/{height}")
      .echoes({ "block.header.height": "height" })
      .query<Paging>()
      .returns<BlockWithTxs>()
      .prepare(toPagination)
      .lists("txs"),
    /** Runs a transaction (`tx_bytes`, base64; older nodes: `tx`) without sending it: what gas it takes. Signatures may be empty. */
    simulate: post("/cosmos/tx/v1beta1/simulate")
      .body<{ readonly tx?: Tx; readonly tx_bytes?: Base64 }>()
      .returns<Simulation>()
      .verbatim(),
    /** Structure of a transaction's bytes, base64 (newer nodes). */
    decodeTx: post("/cosmos/tx/v1beta1/decode")
      .body<{ readonly tx_bytes: Base64 }>()
      .returns<{ readonly tx: Tx }>(),
    /** Bytes of a transaction, base64 (newer nodes). */
    encodeTx: post("/cosmos/tx/v1beta1/encode")
      .body<{ readonly tx: Tx }>()
      .returns<{ readonly tx_bytes: Base64 }>()
      .verbatim(),
    /** Structure of a transaction in the older encoding (base64), as JSON in a text (newer nodes). */
    decodeTxAmino: post("/cosmos/tx/v1beta1/decode/amino")
      .body<{ readonly amino_binary: Base64 }>()
      .returns<{ readonly amino_json: string }>(),
    /** Bytes (base64) of a transaction in the older encoding, from JSON in a text (newer nodes). */
    encodeTxAmino: post("/cosmos/tx/v1beta1/encode/amino")
      .body<{ readonly amino_json: string }>()
      .returns<{ readonly amino_binary: Base64 }>(),
    /** Height at which an upgrade was applied; `0` if it was not. */
    getAppliedPlan: get("/cosmos/upgrade/v1beta1/applied_plan/{name}").returns<{
      readonly height: Int64
    }>(),
    /** Account that may upgrade the chain (newer nodes). */
    getUpgradeAuthority: get("/cosmos/upgrade/v1beta1/authority").returns<{
      readonly address: Address
    }>(),
    /** Upgrade that is to come, or null. */
    getCurrentPlan: get("/cosmos/upgrade/v1beta1/current_plan").returns<{
      readonly plan: UpgradePlan | null
    }>(),
    /** Versions of the chain's modules. */
    getModuleVersions: get("/cosmos/upgrade/v1beta1/module_versions")
      .query<{ readonly module_name?: string }>()
      .returns<{
        readonly module_versions: ReadonlyArray<{ readonly name: string; readonly version: Int64 }>
      }>()
      .lists("module_versions"),
    /** State of the consensus for the chain after an upgrade, by the last height before it. */
    getUpgradedConsensusState: get("/cosmos/upgrade/v1beta1/upgraded_consensus_state/{last_height}")
      .returns<{ readonly upgraded_consensus_state: Base64 }>()
      .args((lastHeight: Integer) => ({ last_height: lastHeight }))
  }
)

/** Endpoints whose answers have a code of the application, where any but 0 means no. */
const checkedEndpoints = group(
  { integers, bytes: bytesByName, failure, classify, refusal },
  {
    /** Sends a signed transaction (base64). One that is not taken is an error. Safe to repeat. */
    broadcastTx: post("/cosmos/tx/v1beta1/txs")
      .bytes({ tx_bytes: base64() })
      .body<{ readonly tx_bytes: Base64; readonly mode: BroadcastMode }>()
      .returns<{ readonly tx_response: TxResponse }>()
      .broadcast({ known: inMempoolMessage, result: toMempoolAnswer }),
    /** Asks the application's store: `path` says what, `data` (base64) with what. A refusal is an error. */
    abciQuery: get("/cosmos/base/tendermint/v1beta1/abci_query")
      .query<{
        readonly path: string
        readonly data?: Base64
        readonly height?: Integer
        readonly prove?: boolean
      }>()
      .returns<AbciQuery>()
  }
)

/**
 * The endpoints of Cosmos: those of the Cosmos SDK, and those of Rosetta.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints: typeof readEndpoints & typeof checkedEndpoints & typeof rosettaEndpoints = merge(
  merge(readEndpoints, checkedEndpoints),
  rosettaEndpoints
)
