/**
 * The endpoints of Algorand's nodes and its indexer, and how they report errors.
 *
 * @since 0.1.0
 */
import { bytesOfBase64 } from "../../data/base64.js"
import { base64, byFieldName, eachOf } from "../../data/bytes.js"
import { del, type Failure, get, group, post } from "../../data/Endpoint.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { readMessage, toFailure } from "../internal/faults.js"
import { joinWithCommas } from "../internal/joinWithCommas.js"
import type {
  Account,
  AccountApplication,
  AccountApplications,
  AccountAsset,
  AccountAssets,
  AccountPart,
  Address,
  AddressFilter,
  AlgodBlock,
  Application,
  ApplicationLocalState,
  Asset,
  AssetBalance,
  AssetHolding,
  Base64,
  Block,
  BlockLogs,
  Box,
  Boxes,
  CompiledTeal,
  Genesis,
  GroupLedgerStateDelta,
  IndexerHealth,
  Integer,
  LedgerStateDelta,
  LightBlockHeaderProof,
  NodeStatus,
  Page,
  Paging,
  PendingTransaction,
  PendingTransactions,
  SimulateRequest,
  Simulation,
  StateProof,
  Supply,
  Time,
  Transaction,
  TransactionFilter,
  TransactionParams,
  TransactionProof,
  Versions
} from "./Types.js"

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
