/**
 * The endpoints of Hedera's mirror nodes, and how they report errors.
 *
 * @since 0.1.0
 */
import { hex0x } from "../../data/bytes.js"
import { type Failure, get, group, post } from "../../data/Endpoint.js"
import { isRecord } from "../../data/untrusted.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { toFailure } from "../internal/faults.js"
import type {
  AccountInfo,
  AccountWithTransactions,
  Allowance,
  AtTime,
  BalanceFilter,
  Balances,
  Block,
  Contract,
  ContractAction,
  ContractCallResponse,
  ContractLog,
  ContractResult,
  ContractResultDetails,
  ContractState,
  ContractWithBytecode,
  EvmAddress,
  ExchangeRates,
  FeeEstimates,
  Filter,
  Hook,
  HookStorages,
  LogFilter,
  NetworkFees,
  NetworkNode,
  NetworkStake,
  NetworkSupply,
  Nft,
  NftAllowance,
  NftTransactionTransfer,
  Opcodes,
  Page,
  Paging,
  RegisteredNode,
  RegisteredNodeType,
  ResultFilter,
  Schedule,
  StakingReward,
  Token,
  TokenAirdrop,
  TokenAllowance,
  TokenBalances,
  TokenInfo,
  TokenRelationship,
  Topic,
  TopicMessage,
  Transaction,
  TransactionDetail,
  TransactionType
} from "./Types.js"

/** Fields that are a `number` wherever they stand: none of them can be above 2^53, and some of them are fractions. */
const numbers: ReadonlyArray<string> = [
  "**.call_depth",
  "**.cent_equivalent",
  "**.chunk_info.number",
  "**.chunk_info.total",
  "**.decimals",
  "**.depth",
  "**.hbar_equivalent",
  "**.index",
  "**.initial_transaction_id.nonce",
  "**.max_automatic_token_associations",
  "**.multiplier",
  "**.node_reward_fee_fraction",
  "**.pc",
  "**.port",
  "**.running_hash_version",
  "**.staking_reward_fee_fraction",
  "**.transaction_index",
  "**.type",
  "**.v"
]

/** The texts in `_status.messages`: what is wrong, and a detail where there is one. */
const readMessages = (answer: unknown): ReadonlyArray<string> => {
  const status = isRecord(answer) ? answer._status : undefined
  const messages = isRecord(status) ? status.messages : undefined
  if (!Array.isArray(messages)) return []
  return messages.flatMap((each: unknown) => {
    if (!isRecord(each) || typeof each.message !== "string") return []
    return [
      typeof each.detail === "string" && each.detail !== "" ? `${each.message}: ${each.detail}` : each.message
    ]
  })
}

/**
 * A mirror node says 404 of what the network has not, and of what it has not read yet, or does not keep: only other nodes can tell.
 */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const messages = readMessages(answer)
  return messages.length === 0
    ? undefined
    : toFailure(messages.join("; "), status, status === 404 ? "elsewhere" : "caller")
}

/**
 * Ids are compared in their whole form alone, and hashes: nodes take `123`, an alias and an EVM address for `0.0.123`, and times without
 * their zeros.
 */
const canonical = (text: string): string | undefined =>
  /^(\d+\.\d+\.\d+|0x[\da-f]{64})$/i.test(text) ? text : undefined

export const dialect = {
  prefix: "/api/v1",
  query: "dot",
  integers: bigintIntegers,
  numbers,
  canonical,
  failure
} as const

export const getAccount = get("/accounts/{account}")
  .query<Paging & AtTime & { readonly transactiontype?: TransactionType; readonly transactions?: boolean }>()
  .returns<AccountWithTransactions>()
  .lists("transactions")
  .echoes({ account: "account" })

/**
 * The endpoints of a mirror node. `account` is an id, an alias or an EVM address, `contract` an id or an EVM address.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, {
  /** Accounts, all or by id, balance or key. */
  getAccounts: get("/accounts")
    .query<
      Paging & {
        readonly accountBalance?: Filter
        readonly accountId?: Filter
        readonly accountPublickey?: string
        readonly balance?: boolean
      }
    >()
    .returns<Page & { readonly accounts: ReadonlyArray<AccountInfo> }>()
    .lists("accounts"),
  /** Account with a page of its transactions; `transactions: false` leaves them out. */
  getAccount,
  /** Hooks of an account. */
  getAccountHooks: get("/accounts/{account}/hooks")
    .query<Paging & { readonly hookId?: Filter }>()
    .returns<Page & { readonly hooks: ReadonlyArray<Hook> }>()
    .lists("hooks"),
  /** Storage of a hook. */
  getAccountHookStorage: get("/accounts/{account}/hooks/{hookId}/storage")
    .query<Paging & AtTime & { readonly key?: string | ReadonlyArray<string> }>()
    .returns<HookStorages>()
    .lists("storage"),
  /** Items of non-fungible tokens that an account holds. */
  getAccountNfts: get("/accounts/{account}/nfts")
    .query<
      Paging & { readonly serialnumber?: Filter; readonly spenderId?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly nfts: ReadonlyArray<Nft> }>()
    .lists("nfts"),
  /** Rewards for staking that an account was paid. */
  getAccountRewards: get("/accounts/{account}/rewards")
    .query<Paging & AtTime>()
    .returns<Page & { readonly rewards: ReadonlyArray<StakingReward> }>()
    .lists("rewards"),
  /** Tokens that an account is associated with, and its balances. */
  getAccountTokens: get("/accounts/{account}/tokens")
    .query<Paging & { readonly tokenId?: Filter }>()
    .returns<Page & { readonly tokens: ReadonlyArray<TokenRelationship> }>()
    .lists("tokens"),
  /** Airdrops that an account has sent, and nobody has claimed. */
  getAccountOutstandingAirdrops: get("/accounts/{account}/airdrops/outstanding")
    .query<
      Paging & { readonly receiverId?: Filter; readonly serialnumber?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly airdrops: ReadonlyArray<TokenAirdrop> }>()
    .lists("airdrops"),
  /** Airdrops that an account may claim. */
  getAccountPendingAirdrops: get("/accounts/{account}/airdrops/pending")
    .query<
      Paging & { readonly senderId?: Filter; readonly serialnumber?: Filter; readonly tokenId?: Filter }
    >()
    .returns<Page & { readonly airdrops: ReadonlyArray<TokenAirdrop> }>()
    .lists("airdrops"),
  /** Tinybars of an account that others may spend. */
  getAccountCryptoAllowances: get("/accounts/{account}/allowances/crypto")
    .query<Paging & { readonly spenderId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<Allowance> }>()
    .lists("allowances"),
  /** Tokens of an account that others may spend. */
  getAccountTokenAllowances: get("/accounts/{account}/allowances/tokens")
    .query<Paging & { readonly spenderId?: Filter; readonly tokenId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<TokenAllowance> }>()
    .lists("allowances"),
  /** Non-fungible tokens of an account that others may spend; with `owner: false` those of others that it may spend. */
  getAccountNftAllowances: get("/accounts/{account}/allowances/nfts")
    .query<Paging & { readonly accountId?: Filter; readonly owner?: boolean; readonly tokenId?: Filter }>()
    .returns<Page & { readonly allowances: ReadonlyArray<NftAllowance> }>()
    .lists("allowances"),
  /** Balances of accounts, as of the last of the network's regular snapshots. */
  getBalances: get("/balances").query<BalanceFilter>().returns<Balances>().lists("balances"),
  /** Blocks. */
  getBlocks: get("/blocks")
    .query<Paging & AtTime & { readonly blockNumber?: Filter }>()
    .returns<Page & { readonly blocks: ReadonlyArray<Block> }>()
    .lists("blocks"),
  /** Block by its hash or its number. */
  getBlock: get("/blocks/{hashOrNumber}").returns<Block>(),
  /** Calls a contract without a transaction, or estimates its gas. */
  callContract: post("/contracts/call")
    .body<{
      /** Number of a block, or `latest` (the default), `pending` or `earliest`. */
      readonly block?: string
      readonly data?: string | Uint8Array
      readonly estimate?: boolean
      readonly from?: EvmAddress
      readonly gas?: number | bigint
      readonly gasPrice?: number | bigint
      readonly to?: EvmAddress
      readonly value?: number | bigint
    }>()
    .bytes({ data: hex0x(), from: hex0x(20), to: hex0x(20) })
    .returns<ContractCallResponse>(),
  /** Contracts. */
  getContracts: get("/contracts")
    .query<Paging & { readonly contractId?: Filter }>()
    .returns<Page & { readonly contracts: ReadonlyArray<Contract> }>()
    .lists("contracts"),
  /** Contract with its bytecode. */
  getContract: get("/contracts/{contract}")
    .query<AtTime>()
    .returns<ContractWithBytecode>()
    .echoes({ contract_id: "contract" }),
  /** Executions of a contract. */
  getContractResults: get("/contracts/{contract}/results")
    .query<ResultFilter>()
    .returns<Page & { readonly results: ReadonlyArray<ContractResult> }>()
    .lists("results"),
  /** Storage of a contract. */
  getContractState: get("/contracts/{contract}/state")
    .query<Paging & AtTime & { readonly slot?: string | ReadonlyArray<string> }>()
    .returns<Page & { readonly state: ReadonlyArray<ContractState> }>()
    .lists("state"),
  /** Execution of a contract by its time. */
  getContractResultAt: get("/contracts/{contract}/results/{timestamp}")
    .query<{ readonly hbar?: boolean }>()
    .returns<ContractResultDetails>()
    .lists("access_list", "authorization_list", "logs", "state_changes"),
  /** Executions of all contracts. */
  getResults: get("/contracts/results")
    .query<ResultFilter & { readonly hbar?: boolean }>()
    .returns<Page & { readonly results: ReadonlyArray<ContractResult> }>()
    .lists("results"),
  /** Execution by the id of its transaction or its hash as of Ethereum. */
  getResult: get("/contracts/results/{transactionIdOrHash}")
    .query<{ readonly hbar?: boolean; readonly nonce?: number }>()
    .returns<ContractResultDetails>()
    .lists("access_list", "authorization_list", "logs", "state_changes"),
  /** Calls within an execution. */
  getResultActions: get("/contracts/results/{transactionIdOrHash}/actions")
    .query<Paging & { readonly index?: Filter }>()
    .returns<Page & { readonly actions: ReadonlyArray<ContractAction> }>()
    .lists("actions"),
  /** Steps of an execution, which the node runs again. */
  getResultOpcodes: get("/contracts/results/{transactionIdOrHash}/opcodes")
    .query<{ readonly memory?: boolean; readonly stack?: boolean; readonly storage?: boolean }>()
    .returns<Opcodes>()
    .lists("opcodes"),
  /** Logs of a contract. */
  getContractLogs: get("/contracts/{contract}/results/logs")
    .query<LogFilter>()
    .returns<Page & { readonly logs: ReadonlyArray<ContractLog> }>()
    .lists("logs"),
  /** Logs of all contracts. */
  getLogs: get("/contracts/results/logs")
    .query<LogFilter & { readonly transactionHash?: string }>()
    .returns<Page & { readonly logs: ReadonlyArray<ContractLog> }>()
    .lists("logs"),
  /** Exchange rates that fees go by. */
  getExchangeRate: get("/network/exchangerate").query<AtTime>().returns<ExchangeRates>(),
  /** Prices of gas. */
  getNetworkFees: get("/network/fees")
    .query<Pick<Paging, "order"> & AtTime>()
    .returns<NetworkFees>()
    .lists("fees"),
  /** Fee that a transaction (Protobuf) would pay, in tinycents. */
  estimateFees: post("/network/fees{?mode,high_volume_throttle}")
    .body<{
      readonly transaction: Uint8Array
      readonly mode?: "INTRINSIC" | "STATE"
      /** How much of the throttle is in use, in hundredths of a percent. */
      readonly highVolumeThrottle?: number
    }>()
    .raw("transaction", "application/protobuf")
    .prepare(({ highVolumeThrottle, ...input }) => ({ ...input, high_volume_throttle: highVolumeThrottle }))
    .returns<FeeEstimates>(),
  /** Consensus nodes. */
  getNetworkNodes: get("/network/nodes")
    .query<Paging & { readonly fileId?: Filter; readonly nodeId?: Filter }>()
    .returns<Page & { readonly nodes: ReadonlyArray<NetworkNode> }>()
    .lists("nodes"),
  /** Registered nodes: block nodes, mirror nodes, relays and others. */
  getRegisteredNodes: get("/network/registered-nodes")
    .query<Paging & { readonly registerednodeId?: Filter; readonly type?: RegisteredNodeType }>()
    .returns<Page & { readonly registered_nodes: ReadonlyArray<RegisteredNode> }>()
    .lists("registered_nodes"),
  /** State of staking. */
  getNetworkStake: get("/network/stake").returns<NetworkStake>(),
  /** Supply of the coin. */
  getNetworkSupply: get("/network/supply").query<AtTime>().returns<NetworkSupply>(),
  /** Scheduled transactions. */
  getSchedules: get("/schedules")
    .query<Paging & { readonly accountId?: Filter; readonly scheduleId?: Filter }>()
    .returns<Page & { readonly schedules: ReadonlyArray<Schedule> }>()
    .lists("schedules"),
  /** Scheduled transaction. */
  getSchedule: get("/schedules/{scheduleId}")
    .returns<Schedule>()
    .lists("signatures")
    .echoes({ schedule_id: "scheduleId" }),
  /** Transactions. */
  getTransactions: get("/transactions")
    .query<
      Paging &
        AtTime & {
          readonly accountId?: Filter
          readonly result?: "success" | "fail"
          readonly transactiontype?: TransactionType
          readonly type?: "credit" | "debit"
        }
    >()
    .returns<Page & { readonly transactions: ReadonlyArray<Transaction> }>()
    .lists("transactions"),
  /** Transactions of an id (`0.0.10-1234567890-000000321`): that of the payer, and those that came of it. */
  getTransaction: get("/transactions/{transactionId}")
    .query<{ readonly nonce?: number; readonly scheduled?: boolean }>()
    .returns<{ readonly transactions: ReadonlyArray<TransactionDetail> }>()
    .lists("transactions"),
  /** Topic. */
  getTopic: get("/topics/{topicId}")
    .returns<Topic>()
    .lists("fee_exempt_key_list")
    .echoes({ topic_id: "topicId" }),
  /** Messages of a topic. */
  getTopicMessages: get("/topics/{topicId}/messages")
    .query<Paging & AtTime & { readonly encoding?: "base64" | "utf-8"; readonly sequencenumber?: Filter }>()
    .returns<Page & { readonly messages: ReadonlyArray<TopicMessage> }>()
    .lists("messages"),
  /** Message of a topic by its number. */
  getTopicMessage: get("/topics/{topicId}/messages/{sequenceNumber}")
    .returns<TopicMessage>()
    .echoes({ topic_id: "topicId" }),
  /** Message by its time. */
  getTopicMessageAt: get("/topics/messages/{timestamp}").returns<TopicMessage>(),
  /** Tokens. */
  getTokens: get("/tokens")
    .query<
      Paging & {
        readonly accountId?: Filter
        readonly name?: string
        readonly publickey?: string
        readonly tokenId?: Filter
        readonly type?: TokenInfo["type"] | ReadonlyArray<TokenInfo["type"]>
      }
    >()
    .returns<Page & { readonly tokens: ReadonlyArray<Token> }>()
    .lists("tokens"),
  /** Token. */
  getToken: get("/tokens/{tokenId}")
    .query<{ readonly timestamp?: string }>()
    .returns<TokenInfo>()
    .echoes({ token_id: "tokenId" }),
  /** Who holds a token, and how much, in its smallest unit. */
  getTokenBalances: get("/tokens/{tokenId}/balances")
    .query<BalanceFilter>()
    .returns<TokenBalances>()
    .lists("balances"),
  /** Items of a non-fungible token. */
  getTokenNfts: get("/tokens/{tokenId}/nfts")
    .query<Paging & { readonly accountId?: Filter; readonly serialnumber?: Filter }>()
    .returns<Page & { readonly nfts: ReadonlyArray<Nft> }>()
    .lists("nfts"),
  /** Item of a non-fungible token. */
  getTokenNft: get("/tokens/{tokenId}/nfts/{serialNumber}").returns<Nft>().echoes({ token_id: "tokenId" }),
  /** Transfers of an item. */
  getNftTransactions: get("/tokens/{tokenId}/nfts/{serialNumber}/transactions")
    .query<Paging & AtTime>()
    .returns<Page & { readonly transactions: ReadonlyArray<NftTransactionTransfer> }>()
    .lists("transactions")
})
