/**
 * The endpoints of IOTA and Wasp, and how their nodes report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, eachOf, hex0x, whenTextOrBytes } from "../../data/bytes.js"
import { del, type Failure, get, group, merge, post, put, type Refusal } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import type { JsonRpcRequest } from "../../transport/Client.js"
import { bigintIntegers } from "../../wire/bigintIntegers.js"
import { checkingNames } from "../internal/checkingNames.js"
import { readMessage, standardFaultOf, toFailure } from "../internal/faults.js"
import type {
  AddressUpdates,
  Assets,
  Balance,
  BlobPlace,
  Block,
  BlockChildren,
  BlockId,
  BlockInfo,
  BlockMetadata,
  BlockRequest,
  Chain,
  ChainAt,
  ChainInfo,
  ChainMessageMetrics,
  Committee,
  ConditionFilter,
  ContractInfo,
  ControlAddresses,
  Dict,
  DkShares,
  Events,
  EventsOfContract,
  GovernanceChainInfo,
  Hex,
  Integer,
  JsonRpcAnswer,
  MessageMetrics,
  MilestoneBlocks,
  MilestonePayload,
  Milestones,
  MilestoneUpdates,
  Nft,
  NodeInfo,
  OutputMetadata,
  OutputResponse,
  OutputsQuery,
  OutputsResponse,
  PageQuery,
  Peer,
  PeeringIdentity,
  PeeringStatus,
  PipeMetrics,
  Receipt,
  Receipts,
  RequestIds,
  RichestAddresses,
  TokenDistribution,
  Treasury,
  User,
  UtxoChanges,
  WaspInfo,
  WorkflowMetrics
} from "./Types.js"

const fields = (input: object): Readonly<Record<string, unknown>> => {
  if (!isRecord(input)) throw new Error("the input must be an object")
  return { ...input }
}

/** Words about data that a node has pruned or has not seen yet: another one may know it. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const error = isRecord(answer) && !("jsonrpc" in answer) ? answer.error : undefined
  const isOwn = isRecord(error) && "code" in error && typeof error.message === "string"
  const message = isOwn ? String(error.message) : readMessage(answer, "error")
  return toFailure(message, status, status === 404 ? "elsewhere" : "caller")
}

const id = hex0x(32)

/** What has one meaning in all calls of the ledger's nodes. */
const bytesByName: BytesForm = byFieldName({
  aliasId: id,
  appliedMerkleRoot: hex0x(),
  blockId: id,
  data: hex0x(),
  foundryId: hex0x(38),
  id: hex0x(),
  inclusionMerkleRoot: hex0x(),
  inputsCommitment: id,
  metadata: hex0x(),
  milestoneId: id,
  nftId: id,
  outputId: hex0x(34),
  params: hex0x(),
  parents: eachOf(hex0x()),
  previousMilestoneId: id,
  pubKeyHash: id,
  publicKey: hex0x(),
  signature: whenTextOrBytes(hex0x(), () => bytesByName),
  stateMetadata: hex0x(),
  tag: hex0x(),
  transactionId: id
})

const nodeEndpoints = group(
  { integers: numberIntegers, bytes: bytesByName, failure },
  {
    /** Succeeds if the node is up and follows the network. */
    getNodeHealth: get("/health").noContent(),
    /** Groups of routes that the node has. */
    getAvailableRouteGroups: get("/api/routes")
      .returns<{ readonly routes: ReadonlyArray<string> }>()
      .lists("routes"),
    /** Software, state and protocol of the node. */
    getNodeInfo: get("/api/core/v2/info")
      .returns<NodeInfo>()
      .lists("supportedProtocolVersions", "pendingProtocolParameters", "features"),
    /** Blocks that a new one can refer to. */
    getTips: get("/api/core/v2/tips").returns<{ readonly tips: ReadonlyArray<Hex> }>().lists("tips"),
    /** Submits a block, and yields its id. Safe to repeat where it carries a transaction, or is complete. */
    submitBlock: post("/api/core/v2/blocks")
      .returns<BlockId>()
      .args<[block: BlockRequest]>(fields)
      .write()
      .signed(
        (block) => block.payload?.type === 6 || (block.nonce !== undefined && block.parents !== undefined)
      ),
    /** Submits a whole block as bytes, and yields its id. Safe to repeat. */
    submitBlockBytes: post("/api/core/v2/blocks")
      .returns<BlockId>()
      .args<[block: Uint8Array]>((block) => ({ block }))
      .raw("block", "application/vnd.iota.serializer-v1")
      .broadcast(),
    /** Block. */
    getBlockDataById: get("/api/core/v2/blocks/{blockId}").returns<Block>().lists("parents"),
    /** What became of a block. */
    getBlockMetadata: get("/api/core/v2/blocks/{blockId}/metadata")
      .echoes({ blockId: "blockId" })
      .returns<BlockMetadata>()
      .lists("parents"),
    /** Output with where it comes from. */
    findOutputById: get("/api/core/v2/outputs/{outputId}")
      .returns<OutputResponse>()
      .args<[outputId: Hex]>((outputId) => ({ outputId })),
    /** Where an output comes from, and whether it is spent. */
    getOutputMetadata: get("/api/core/v2/outputs/{outputId}/metadata")
      .returns<OutputMetadata>()
      .args<[outputId: Hex]>((outputId) => ({ outputId })),
    /** Receipts of migrated funds. */
    getAllReceipts: get("/api/core/v2/receipts").returns<Receipts>().lists("receipts"),
    /** Receipts of funds that migrated at an index of the old network. */
    getReceiptsByMigrationIndex: get("/api/core/v2/receipts/{migratedAt}")
      .returns<Receipts>()
      .args<[migratedAt: Integer]>((migratedAt) => ({ migratedAt }))
      .lists("receipts"),
    /** Treasury. */
    getTreasuryInformation: get("/api/core/v2/treasury").returns<Treasury>(),
    /** Block that put a transaction in the ledger. */
    getTransactionIncludedBlock: get("/api/core/v2/transactions/{transactionId}/included-block")
      .returns<Block>()
      .args<[transactionId: Hex]>((transactionId) => ({ transactionId }))
      .lists("parents"),
    /** What became of the block that put a transaction in the ledger. */
    findIncludedBlockMetadata: get("/api/core/v2/transactions/{transactionId}/included-block/metadata")
      .returns<BlockMetadata>()
      .args<[transactionId: Hex]>((transactionId) => ({ transactionId }))
      .lists("parents"),
    /** Milestone by its id. */
    getMilestoneById: get("/api/core/v2/milestones/{milestoneId}")
      .returns<MilestonePayload>()
      .args<[milestoneId: Hex]>((milestoneId) => ({ milestoneId }))
      .lists("parents", "signatures"),
    /** Outputs that a milestone has made and consumed, by its id. */
    getMilestoneUtxoChangesByMilestone: get("/api/core/v2/milestones/{milestoneId}/utxo-changes")
      .returns<UtxoChanges>()
      .args<[milestoneId: Hex]>((milestoneId) => ({ milestoneId }))
      .lists("createdOutputs", "consumedOutputs"),
    /** Milestone by its index. */
    lookupMilestoneByIndex: get("/api/core/v2/milestones/by-index/{index}")
      .echoes({ index: 0 })
      .returns<MilestonePayload>()
      .args<[index: Integer]>((index) => ({ index }))
      .lists("parents", "signatures"),
    /** Outputs that a milestone has made and consumed, by its index. */
    getMilestoneUtxoChangesById: get("/api/core/v2/milestones/by-index/{index}/utxo-changes")
      .echoes({ index: 0 })
      .returns<UtxoChanges>()
      .args<[index: Integer]>((index) => ({ index }))
      .lists("createdOutputs", "consumedOutputs"),
    /** Peers of the node. */
    getPeers: get("/api/core/v2/peers").returns<ReadonlyArray<Peer>>().lists(),
    /** Makes the node connect to a peer. */
    addPeer: post("/api/core/v2/peers")
      .body<{ readonly multiAddress: string; readonly alias?: string }>()
      .returns<Peer>()
      .write()
      .lists("multiAddresses"),
    /** Peer of the node. */
    getPeerInfo: get("/api/core/v2/peers/{peerId}")
      .echoes({ id: 0 })
      .returns<Peer>()
      .args<[peerId: string]>((peerId) => ({ peerId }))
      .lists("multiAddresses"),
    /** Makes the node leave a peer. */
    removePeer: del("/api/core/v2/peers/{peerId}")
      .args<[peerId: string]>((peerId) => ({ peerId }))
      .noContent()
      .write(),
    /** Roots of the Merkle trees that a milestone with these parents would have. */
    computeMerkleRouteHashes: post("/api/core/v2/whiteflag")
      .body<{
        readonly index: number
        readonly timestamp: number
        readonly parents: ReadonlyArray<Hex>
        readonly previousMilestoneId: Hex
      }>()
      .returns<{ readonly inclusionMerkleRoot: Hex; readonly appliedMerkleRoot: Hex }>(),
    /** Makes the node forget what is older: by index, by depth, or down to a size. */
    pruneDatabase: post("/api/core/v2/control/database/prune")
      .body<{ readonly index?: number; readonly depth?: number; readonly targetDatabaseSize?: string }>()
      .returns<{ readonly index: number }>()
      .write(),
    /** Makes the node write a snapshot to a file. */
    createSnapshot: post("/api/core/v2/control/snapshot/create")
      .body<{ readonly index: number }>()
      .returns<{ readonly index: number; readonly filePath: string }>()
      .write(),
    /** Ids of outputs of any kind. */
    getOutputs: get("/api/indexer/v1/outputs")
      .query<OutputsQuery>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Ids of basic outputs. */
    getBasicOutputs: get("/api/indexer/v1/outputs/basic")
      .query<OutputsQuery & ConditionFilter>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Ids of the outputs of aliases. */
    getAliasOutputs: get("/api/indexer/v1/outputs/alias")
      .query<
        OutputsQuery & {
          readonly stateController?: string
          readonly governor?: string
          readonly issuer?: string
          readonly sender?: string
        }
      >()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of an alias. */
    getCurrentUnspentAliasOutput: get("/api/indexer/v1/outputs/alias/{aliasId}")
      .returns<OutputsResponse>()
      .args<[aliasId: Hex]>((aliasId) => ({ aliasId }))
      .lists("items"),
    /** Ids of the outputs of foundries. */
    getFoundryOutputs: get("/api/indexer/v1/outputs/foundry")
      .query<OutputsQuery & { readonly aliasAddress?: string }>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of a foundry. */
    getCurrentUnspentFoundryOutput: get("/api/indexer/v1/outputs/foundry/{foundryId}")
      .returns<OutputsResponse>()
      .args<[foundryId: Hex]>((foundryId) => ({ foundryId }))
      .lists("items"),
    /** Ids of the outputs of NFTs. */
    getNftOutputs: get("/api/indexer/v1/outputs/nft")
      .query<OutputsQuery & ConditionFilter & { readonly issuer?: string }>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of an NFT. */
    getCurrentNftOutput: get("/api/indexer/v1/outputs/nft/{nftId}")
      .returns<OutputsResponse>()
      .args<[nftId: Hex]>((nftId) => ({ nftId }))
      .lists("items"),
    /** What an address owns. */
    getBalanceByAddress: get("/api/explorer/v2/balance/{address}")
      .returns<Balance>()
      .args<[address: string]>((address) => ({ address })),
    /** Blocks that name a block as a parent. */
    getBlockChildren: get("/api/explorer/v2/blocks/{blockId}/children")
      .echoes({ blockId: 0 })
      .returns<BlockChildren>()
      .args<[blockId: Hex, page?: PageQuery & { readonly sort?: "asc" | "desc" }]>((blockId, page) => ({
        ...page,
        blockId
      }))
      .lists("children"),
    /** Milestones between two times (seconds). */
    getMilestones: get("/api/explorer/v2/milestones")
      .query<
        PageQuery & {
          readonly startTimestamp?: Integer
          readonly endTimestamp?: Integer
          readonly sort?: "asc" | "desc"
        }
      >()
      .returns<Milestones>()
      .lists("items"),
    /** Blocks that a milestone refers to, by its id. */
    getBlocksByMilestone: get("/api/explorer/v2/milestones/{milestoneId}/blocks")
      .query<PageQuery & { readonly sort?: "asc" | "desc" }>()
      .returns<MilestoneBlocks>()
      .lists("blocks"),
    /** Blocks that a milestone refers to, by its index. */
    getBlocksByMilestoneIndex: get("/api/explorer/v2/milestones/by-index/{milestoneIndex}/blocks")
      .query<PageQuery & { readonly sort?: "asc" | "desc" }>()
      .returns<MilestoneBlocks>()
      .lists("blocks"),
    /** How the outputs of an address have changed. */
    getLedgerUpdatesByAddress: get("/api/explorer/v2/ledger/updates/by-address/{address}")
      .query<
        PageQuery & {
          readonly sort?: "asc" | "desc"
          readonly startMilestoneIndex?: Integer
          readonly endMilestoneIndex?: Integer
        }
      >()
      .returns<AddressUpdates>()
      .lists("items"),
    /** How a milestone has changed the ledger. */
    getLedgerUpdatesByMilestone: get("/api/explorer/v2/ledger/updates/by-milestone/{milestoneId}")
      .query<PageQuery>()
      .returns<MilestoneUpdates>()
      .lists("items"),
    /** Addresses that own most, now or at a milestone. */
    getTopRichestAddresses: get("/api/explorer/v2/ledger/richest-addresses")
      .query<{ readonly top?: number; readonly ledgerIndex?: Integer }>()
      .returns<RichestAddresses>()
      .lists("top"),
    /** How many addresses own how much, now or at a milestone. */
    getTokenDistribution: get("/api/explorer/v2/ledger/token-distribution")
      .returns<TokenDistribution>()
      .args<[ledgerIndex?: Integer]>((ledgerIndex) => ({ ledgerIndex }))
      .lists("distribution")
  }
)

const chain = "/v1/chains/{chainID}" as const

const accounts = `${chain}/core/accounts` as const

const blocklog = `${chain}/core/blocklog` as const

/** A wait that ended without a receipt says nothing against the node. Its errors have names in capitals. */
const waspFailure = (answer: unknown, status: number, text: string): Failure | undefined => {
  if (status === 408 && text === "")
    return { messages: ["the time is up, and there is no receipt yet"], fault: "caller" }
  if (!isRecord(answer) || typeof answer.Message !== "string") return undefined
  const more = typeof answer.Error === "string" && answer.Error !== "" ? `: ${answer.Error}` : ""
  return toFailure(answer.Message + more, status, status === 404 ? "elsewhere" : "caller")
}

/** The same for the nodes of its smart contracts. Keys and values of dictionaries are bytes. */
const waspBytesByName = byFieldName({
  blobHash: hex0x(),
  contractHName: hex0x(4),
  contractHname: hex0x(4),
  functionHName: hex0x(4),
  key: hex0x(),
  nftID: id,
  outputBytes: hex0x(),
  peerIdentities: eachOf(hex0x()),
  publicKey: hex0x(),
  request: hex0x(),
  requestBytes: hex0x(),
  value: hex0x()
})

const waspEndpoints = group(
  { integers: numberIntegers, bytes: waspBytesByName, failure: waspFailure },
  {
    /** Token for a user of the node. */
    authenticate: post("/auth")
      .returns<{ readonly jwt: string; readonly error?: string }>()
      .args<[input: { readonly loginRequest: { readonly username: string; readonly password: string } }]>(
        checkingNames(({ loginRequest }) => fields(loginRequest))
      ),
    /** How users of the node prove who they are. */
    authInfo: get("/auth/info").returns<{ readonly authURL: string; readonly scheme: string }>(),
    /** Chains of the node. */
    getChains: get("/v1/chains").returns<ReadonlyArray<ChainInfo>>().lists(),
    /** Chain with its rules. */
    getChainInfo: get(chain).echoes({ chainID: "chainID" }).query<ChainAt>().returns<ChainInfo>(),
    /** Makes the node run a chain. */
    activateChain: post(`${chain}/activate`).noBody().noContent().write(),
    /** Makes the node stop running a chain. */
    deactivateChain: post(`${chain}/deactivate`).noBody().noContent().write(),
    /** Gives a node access to a chain. */
    addAccessNode: put(`${chain}/access-node/{peer}`).noBody().noContent().write(),
    /** Takes the access to a chain from a node. */
    removeAccessNode: del(`${chain}/access-node/{peer}`).noContent().write(),
    /** Sets the record that the node keeps of a chain. */
    setChainRecord: post(`${chain}/chainrecord`)
      .body<{ readonly accessNodes: ReadonlyArray<string>; readonly isActive: boolean }>()
      .noContent()
      .write(),
    /** Calls a view of a contract. Arguments and result are dictionaries of bytes. */
    callView: post(`${chain}/callview`)
      .body<{
        readonly arguments: Dict
        readonly block?: string
        readonly contractHName?: Hex
        readonly contractName?: string
        readonly functionHName?: Hex
        readonly functionName?: string
      }>()
      .verbatim()
      .returns<Dict>()
      .lists("Items"),
    /** Who runs a chain. */
    getCommitteeInfo: get(`${chain}/committee`)
      .echoes({ chainId: "chainID" })
      .query<ChainAt>()
      .returns<Committee>()
      .lists("accessNodes", "candidateNodes", "committeeNodes"),
    /** Contracts of a chain. */
    getContracts: get(`${chain}/contracts`).query<ChainAt>().returns<ReadonlyArray<ContractInfo>>().lists(),
    /** Accounts of a chain. */
    getAccounts: get(accounts)
      .query<ChainAt>()
      .returns<{ readonly accounts: ReadonlyArray<string> }>()
      .lists("accounts"),
    /** Coins and native tokens of an account on a chain. */
    accountsGetAccountBalance: get(`${accounts}/account/{agentID}/balance`)
      .query<ChainAt>()
      .returns<Assets>()
      .lists("nativeTokens"),
    /** Serial numbers of the foundries of an account on a chain. */
    accountsGetAccountFoundries: get(`${accounts}/account/{agentID}/foundries`)
      .query<ChainAt>()
      .returns<{ readonly foundrySerialNumbers: ReadonlyArray<number> }>()
      .lists("foundrySerialNumbers"),
    /** NFTs of an account on a chain. */
    accountsGetAccountNFTIDs: get(`${accounts}/account/{agentID}/nfts`)
      .query<ChainAt>()
      .returns<{ readonly nftIds: ReadonlyArray<Hex> }>()
      .lists("nftIds"),
    /** Number that the account's next request has to have, as decimal text. */
    accountsGetAccountNonce: get(`${accounts}/account/{agentID}/nonce`)
      .query<ChainAt>()
      .returns<{ readonly nonce: string }>(),
    /** Output of a foundry of a chain. */
    accountsGetFoundryOutput: get(`${accounts}/foundry_output/{serialNumber}`)
      .query<ChainAt>()
      .returns<{ readonly foundryId: Hex; readonly assets: Assets }>(),
    /** NFT on a chain. */
    accountsGetNFTData: get(`${accounts}/nftdata/{nftID}`)
      .echoes({ id: "nftID" })
      .query<ChainAt>()
      .returns<Nft>(),
    /** Native tokens that a chain knows. */
    accountsGetNativeTokenIDRegistry: get(`${accounts}/token_registry`)
      .query<ChainAt>()
      .returns<{ readonly nativeTokenRegistryIds: ReadonlyArray<Hex> }>()
      .lists("nativeTokenRegistryIds"),
    /** Coins and native tokens of all accounts of a chain. */
    accountsGetTotalAssets: get(`${accounts}/total_assets`)
      .query<ChainAt>()
      .returns<Assets>()
      .lists("nativeTokens"),
    /** Blobs of a chain. */
    blobsGetAllBlobs: get(`${chain}/core/blobs`)
      .query<ChainAt>()
      .returns<{ readonly Blobs: ReadonlyArray<{ readonly hash: Hex; readonly size: number }> }>()
      .lists("Blobs"),
    /** Fields of a blob with their sizes. */
    // a field's key, which calls for single fields have beside the place, means nothing here
    blobsGetBlobInfo: get(`${chain}/core/blobs/{blobHash}`)
      .returns<{ readonly fields: Readonly<Record<string, number>> }>()
      .args<[input: BlobPlace & { readonly fieldKey?: string }]>(
        checkingNames(({ blobHash, block, chainID, fieldKey: _ }) => ({ blobHash, block, chainID }))
      ),
    /** Field of a blob. */
    blobsGetBlobValue: get(`${chain}/core/blobs/{blobHash}/data/{fieldKey}`)
      .query<ChainAt>()
      .returns<{ readonly valueData: Hex }>(),
    /** Block of a chain. */
    blocklogGetBlockInfo: get(`${blocklog}/blocks/{blockIndex}`)
      .echoes({ blockIndex: "blockIndex" })
      .query<ChainAt>()
      .returns<BlockInfo>(),
    /** Newest block of a chain. */
    blocklogGetLatestBlockInfo: get(`${blocklog}/blocks/latest`).query<ChainAt>().returns<BlockInfo>(),
    /** Ids of the requests of a block. */
    blocklogGetRequestIDsForBlock: get(`${blocklog}/blocks/{blockIndex}/requestids`)
      .query<ChainAt>()
      .returns<RequestIds>()
      .lists("requestIds"),
    /** Ids of the requests of the newest block. */
    blocklogGetRequestIDsForLatestBlock: get(`${blocklog}/blocks/latest/requestids`)
      .query<ChainAt>()
      .returns<RequestIds>()
      .lists("requestIds"),
    /** Receipts of the requests of a block. */
    blocklogGetRequestReceiptsOfBlock: get(`${blocklog}/blocks/{blockIndex}/receipts`)
      .query<ChainAt>()
      .returns<ReadonlyArray<Receipt>>()
      .lists(),
    /** Receipts of the requests of the newest block. */
    blocklogGetRequestReceiptsOfLatestBlock: get(`${blocklog}/blocks/latest/receipts`)
      .query<ChainAt>()
      .returns<ReadonlyArray<Receipt>>()
      .lists(),
    /** Who controls a chain. */
    blocklogGetControlAddresses: get(`${blocklog}/controladdresses`)
      .query<ChainAt>()
      .returns<ControlAddresses>(),
    /** Receipt of a request. */
    blocklogGetRequestReceipt: get(`${blocklog}/requests/{requestID}`)
      .query<ChainAt>()
      .returns<Receipt>()
      .lists("gasBurnLog"),
    /** Whether a request has been processed. */
    blocklogGetRequestIsProcessed: get(`${blocklog}/requests/{requestID}/is_processed`)
      .query<ChainAt>()
      .returns<{ readonly chainId: string; readonly requestId: string; readonly isProcessed: boolean }>(),
    /** Text of an error of a contract, with places for its parameters. */
    errorsGetErrorMessageFormat: get(`${chain}/core/errors/{contractHname}/message/{errorID}`)
      .query<ChainAt>()
      .returns<{ readonly messageFormat: string }>(),
    /** Addresses that may control a chain. */
    getAllowedStateControllerAddresses: get(`${chain}/core/governance/allowedstatecontrollers`)
      .query<ChainAt>()
      .returns<{ readonly addresses: ReadonlyArray<string> }>()
      .lists("addresses"),
    /** Chain as its governance contract has it. */
    governanceGetChainInfo: get(`${chain}/core/governance/chaininfo`)
      .query<ChainAt>()
      .returns<GovernanceChainInfo>(),
    /** Owner of a chain. */
    governanceGetChainOwner: get(`${chain}/core/governance/chainowner`)
      .query<ChainAt>()
      .returns<{ readonly chainOwner: string }>(),
    /** What a request off the ledger would cost. Nothing is sent. */
    estimateGasOffledger: post(`${chain}/estimategas-offledger`)
      .returns<Receipt>()
      .args<[input: Chain, body: { readonly fromAddress: string; readonly requestBytes: Hex }]>(
        (place, body) => ({ ...fields(body), ...place })
      )
      .lists("gasBurnLog"),
    /** What a request on the ledger would cost. Nothing is sent. */
    estimateGasOnledger: post(`${chain}/estimategas-onledger`)
      .returns<Receipt>()
      .args<[input: Chain, body: { readonly outputBytes: Hex }]>((place, body) => ({
        ...fields(body),
        ...place
      }))
      .lists("gasBurnLog"),
    /** Requests that wait, as the node writes them. */
    getMempoolContents: get(`${chain}/mempool`).text(),
    /** Receipt of a request. */
    getReceipt: get(`${chain}/receipts/{requestID}`).returns<Receipt>().lists("gasBurnLog"),
    /** Receipt of a request as soon as it is there, or the time (seconds) is up. */
    waitForRequest: get(`${chain}/requests/{requestID}/wait`)
      .query<{ readonly timeoutSeconds?: number; readonly waitForL1Confirmation?: boolean }>()
      .returns<Receipt>()
      .minTimeout(75_000)
      .lists("gasBurnLog"),
    /** Value in the state of a chain. */
    getStateValue: get(`${chain}/state/{stateKey}`).returns<{ readonly state: Hex }>(),
    /** Makes the node write the accounts of a chain to a file. */
    dumpAccounts: post(`${chain}/dump-accounts`).noBody().noContent().write(),
    /** Messages between the node and the ledger about a chain. */
    getChainMessageMetrics: get("/v1/metrics/chain/{chainID}/messages").returns<ChainMessageMetrics>(),
    /** Events that wait in the pipes of a chain's consensus. */
    getChainPipeMetrics: get("/v1/metrics/chain/{chainID}/pipe").returns<PipeMetrics>(),
    /** How far a chain's consensus is with its round. */
    getChainWorkflowMetrics: get("/v1/metrics/chain/{chainID}/workflow").returns<WorkflowMetrics>(),
    /** Messages between the node and the ledger. */
    getNodeMessageMetrics: get("/v1/metrics/node/messages")
      .returns<MessageMetrics>()
      .lists("registeredChainIDs"),
    /** Configuration of the node. */
    getConfiguration: get("/v1/node/config").returns<Readonly<Record<string, unknown>>>(),
    /** Makes a key that several nodes hold shares of. The time to wait is in milliseconds. */
    generateDKS: post("/v1/node/dks")
      .body<{
        readonly peerIdentities: ReadonlyArray<Hex>
        readonly threshold: number
        readonly timeoutMS: number
      }>()
      .returns<DkShares>()
      .write()
      .lists("peerIdentities", "publicKeyShares"),
    /** Key that several nodes hold shares of. */
    getDKSInfo: get("/v1/node/dks/{sharedAddress}")
      .returns<DkShares>()
      .args<[sharedAddress: string]>((sharedAddress) => ({ sharedAddress }))
      .lists("peerIdentities", "publicKeyShares"),
    /** Node with the ledger that it follows. */
    getInfo: get("/v1/node/info").returns<WaspInfo>(),
    /** Certificate of the node's owner. */
    ownerCertificate: get("/v1/node/owner/certificate").returns<{ readonly certificate: Hex }>(),
    /** Nodes that the node is connected to. */
    getAllPeers: get("/v1/node/peers").returns<ReadonlyArray<PeeringStatus>>().lists(),
    /** Who the node is on the peer-to-peer network. */
    getPeeringIdentity: get("/v1/node/peers/identity").returns<PeeringIdentity>(),
    /** Nodes that the node trusts. */
    getTrustedPeers: get("/v1/node/peers/trusted").returns<ReadonlyArray<PeeringIdentity>>().lists(),
    /** Makes the node trust another one. */
    trustPeer: post("/v1/node/peers/trusted")
      .body<{ readonly name: string; readonly peeringURL: string; readonly publicKey: Hex }>()
      .noContent()
      .write(),
    /** Makes the node trust another one no longer. */
    distrustPeer: del("/v1/node/peers/trusted/{peer}")
      .args<[peer: string]>((peer) => ({ peer }))
      .noContent()
      .write(),
    /** Shuts the node down. */
    shutdownNode: post("/v1/node/shutdown").noBody().noContent().write(),
    /** Version of the node's software. */
    getVersion: get("/v1/node/version").returns<{ readonly version: string }>(),
    /** Sends a signed request to a chain without going through the ledger. Safe to repeat. */
    offLedger: post("/v1/requests/offledger")
      .body<{ readonly chainId: string; readonly request: Hex }>()
      .noContent()
      .broadcast(),
    /** Users of the node. */
    getUsers: get("/v1/users").returns<ReadonlyArray<User>>().lists(),
    /** Adds a user of the node. */
    addUser: post("/v1/users")
      .body<{
        readonly username: string
        readonly password: string
        readonly permissions: ReadonlyArray<string>
      }>()
      .noContent()
      .write(),
    /** User of the node. */
    getUser: get("/v1/users/{username}")
      .returns<User>()
      .args<[username: string]>((username) => ({ username }))
      .lists("permissions"),
    /** Removes a user of the node. */
    deleteUser: del("/v1/users/{username}")
      .args<[username: string]>((username) => ({ username }))
      .noContent()
      .write(),
    /** Gives a user of the node another password. */
    changeUserPassword: put("/v1/users/{username}/password")
      .body<{ readonly password: string }>()
      .noContent()
      .write(),
    /** Gives a user of the node other permissions. */
    changeUserPermissions: put("/v1/users/{username}/permissions")
      .body<{ readonly permissions: ReadonlyArray<string> }>()
      .noContent()
      .write()
  }
)

/** Events have their time in nanoseconds, which a number cannot hold. */
const eventEndpoints = group(
  { integers: bigintIntegers, numbers: ["**.contractID"], bytes: waspBytesByName, failure: waspFailure },
  {
    /** Events of a block of a chain. */
    blocklogGetEventsOfBlock: get(`${blocklog}/events/block/{blockIndex}`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events"),
    /** Events of the newest block of a chain. */
    blocklogGetEventsOfLatestBlock: get(`${blocklog}/events/block/latest`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events"),
    /** Events of a contract. */
    blocklogGetEventsOfContract: get(`${blocklog}/events/contract/{contractHname}`)
      .query<EventsOfContract>()
      .returns<Events>()
      .lists("events"),
    /** Events of a request. */
    blocklogGetEventsOfRequest: get(`${blocklog}/events/request/{requestID}`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events")
  }
)

/** The refusal of a JSON-RPC answer, in an HTTP 200. */
const refusal = (answer: unknown): Refusal | undefined => {
  const error = isRecord(answer) ? answer.error : undefined
  if (!isRecord(error)) return undefined
  const { code, message } = error
  return {
    message: typeof message === "string" ? message : JSON.stringify(error),
    ...(typeof code === "number" ? { code } : {})
  }
}

const evmEndpoints = group(
  {
    integers: numberIntegers,
    refusal,
    failure: waspFailure,
    classify: (error) => (/revert/i.test(error.message) ? "caller" : standardFaultOf(error))
  },
  {
    /** Sends a JSON-RPC request to the EVM of a chain. It reads, or sends what is signed: safe to repeat. */
    submitJSONRPCRequest: post(`${chain}/evm`)
      .returns<JsonRpcAnswer>()
      .args<[input: Chain & { readonly request?: JsonRpcRequest }]>(
        checkingNames(({ chainID, request }) => ({ ...request, chainID }))
      )
      .verbatim()
      .broadcast()
  }
)

/**
 * The endpoints of IOTA and Shimmer: node, indexer, explorer and Wasp.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(merge(nodeEndpoints, waspEndpoints), merge(eventEndpoints, evmEndpoints))
