/** Recordings of IOTA and Shimmer on the Stardust protocol: nodes, their indexer and explorer, and Wasp. */
import { endpoints } from "../../chains/Iota.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

const hash = (seed: string, length = 32): string => `0x${syntheticHex(seed, length)}`
const milestoneId = (index: number): string => `0x${blockHash(index)}`
const supply = "4600000000000000"
const balance = "100000000"

const networkName = ({ testnet }: RecordedRequest): string => (testnet ? "testnet" : "iota-mainnet")
const hrp = ({ testnet }: RecordedRequest): string => (testnet ? "rms" : "iota")
const seconds = (request: RecordedRequest, index: number): number => Math.floor(request.timeOf(index) / 1000)

/** A milestone by its index or its id. */
const indexOf = (request: RecordedRequest): number => {
  const id = request.text("milestoneId", "")
  return id === ""
    ? request.whole("index", request.whole("milestoneIndex", request.height))
    : heightOfBlockHash(id, request.height)
}

const signature = { type: 0 as const, publicKey: hash("key"), signature: hash("signature", 64) }

const milestone = (request: RecordedRequest, index: number) => ({
  type: 7 as const,
  index,
  timestamp: seconds(request, index),
  protocolVersion: 2,
  previousMilestoneId: milestoneId(index - 1),
  parents: [hash(`parent of ${index}`)],
  inclusionMerkleRoot: hash(`inclusion ${index}`),
  appliedMerkleRoot: hash(`applied ${index}`),
  options: [],
  metadata: "0x",
  signatures: [signature]
})

const changes = (request: RecordedRequest) => ({
  index: indexOf(request),
  createdOutputs: [],
  consumedOutputs: []
})

const output = {
  type: 3 as const,
  amount: balance,
  unlockConditions: [{ type: 0 as const, address: { type: 0 as const, pubKeyHash: hash("owner") } }]
}

const block = (request: RecordedRequest) => ({
  protocolVersion: 2,
  parents: [hash(`parent of ${request.text("blockId", "block")}`)],
  payload: {
    type: 5 as const,
    tag: `0x${Buffer.from("sandbox").toString("hex")}`,
    data: "0x"
  },
  nonce: "0"
})

const blockMetadata = (request: RecordedRequest) => ({
  blockId: request.text("blockId", hash(`block of ${request.text("transactionId", "")}`)),
  parents: [hash("parent")],
  isSolid: true,
  referencedByMilestoneIndex: request.height - 2,
  ledgerInclusionState: "included" as const,
  shouldPromote: false,
  shouldReattach: false
})

/** Output ids end with the index of the output, in two bytes. */
const outputMetadata = (request: RecordedRequest) => {
  const id = request.text("outputId", `${hash("transaction")}0000`)
  return {
    blockId: hash(`block of ${id}`),
    transactionId: id.slice(0, 66),
    outputIndex: Number.parseInt(id.slice(68, 70) + id.slice(66, 68), 16) || 0,
    isSpent: false,
    milestoneIndexBooked: request.height - 100,
    milestoneTimestampBooked: seconds(request, request.height - 100),
    ledgerIndex: request.height
  }
}

const outputs = (request: RecordedRequest) => ({
  ledgerIndex: request.height,
  items: [`${hash(`output of ${request.text("address", request.path)}`)}0000`]
})

const answerSent = ({ body }: RecordedRequest) => ({ blockId: hash(JSON.stringify(body)) })

const receipts = { receipts: [] }

const chainAddress = "iota1prcw42l7apdkhw6syp5ju4w3v6ffg6nvj9s7y9zk2smj8t4qgvse9umqpg4"
const chainOf = ({ text }: RecordedRequest): string => text("chainID", chainAddress)

const chain = (request: RecordedRequest) => ({
  chainID: chainOf(request),
  chainOwnerId: chainOf(request),
  gasFeePolicy: { gasPerToken: { a: 100, b: 1 }, evmGasRatio: { a: 1, b: 1 }, validatorFeeShare: 0 },
  gasLimits: {
    maxGasPerBlock: 1_000_000_000,
    minGasPerRequest: 10_000,
    maxGasPerRequest: 50_000_000,
    maxGasExternalViewCall: 50_000_000
  },
  metadata: { name: "Sandbox", description: "", website: "", evmJsonRpcURL: "", evmWebSocketURL: "" },
  publicURL: ""
})

const chainInfo = (request: RecordedRequest) => ({ ...chain(request), evmChainId: 1074, isActive: true })

const assets = { baseTokens: balance, nativeTokens: [] }

const waspBlock = (request: RecordedRequest) => {
  const index = request.whole("blockIndex", request.height)
  return {
    blockIndex: index,
    timestamp: new Date(request.timeOf(index)).toISOString(),
    totalRequests: 1,
    numSuccessfulRequests: 1,
    numOffLedgerRequests: 0,
    previousAliasOutput: `${hash(`output of state ${index - 1}`)}0000`,
    gasBurned: "10000",
    gasFeeCharged: "100"
  }
}

/**
 * The answers of nodes of IOTA.
 *
 * @since 0.1.0
 * @category constants
 */
export const iota: RecordedFamily = {
  unknown: () => new RecordedRefusal({ error: { code: "404", message: "milestone not found" } }, 404),

  height: 12_000_000,
  blockTime: 5_000,
  protocol: "rest",
  error: (message, status) => ({ error: { code: String(status), message } }),
  recordings: makeRecordings(endpoints, {
    getNodeHealth: undefined,
    getAvailableRouteGroups: { routes: ["core/v2", "indexer/v1", "explorer/v2"] },
    getNodeInfo: (request) => {
      const newest = {
        index: request.height,
        timestamp: seconds(request, request.height),
        milestoneId: milestoneId(request.height)
      }
      return {
        name: "HORNET",
        version: "2.0.1",
        status: {
          isHealthy: true,
          latestMilestone: newest,
          confirmedMilestone: newest,
          pruningIndex: 1
        },
        supportedProtocolVersions: [2],
        protocol: {
          version: 2,
          networkName: networkName(request),
          bech32Hrp: hrp(request),
          minPowScore: 0,
          belowMaxDepth: 15,
          rentStructure: { vByteCost: 250, vByteFactorData: 1, vByteFactorKey: 10 },
          tokenSupply: supply
        },
        pendingProtocolParameters: [],
        baseToken: {
          name: "IOTA",
          tickerSymbol: "IOTA",
          unit: "IOTA",
          subunit: "micro",
          decimals: 6,
          useMetricPrefix: false
        },
        metrics: { blocksPerSecond: 2, referencedBlocksPerSecond: 2, referencedRate: 100 },
        features: []
      }
    },
    getTips: ({ height }) => ({ tips: [hash(`tip ${height}`)] }),
    submitBlock: answerSent,
    getBlockDataById: block,
    getBlockMetadata: blockMetadata,
    findOutputById: (request) => ({ metadata: outputMetadata(request), output }),
    getOutputMetadata: outputMetadata,
    getAllReceipts: receipts,
    getReceiptsByMigrationIndex: receipts,
    getTreasuryInformation: { milestoneId: milestoneId(1), amount: "0" },
    getTransactionIncludedBlock: block,
    findIncludedBlockMetadata: blockMetadata,
    getMilestoneById: (request) => milestone(request, indexOf(request)),
    getMilestoneUtxoChangesByMilestone: changes,
    lookupMilestoneByIndex: (request) => milestone(request, indexOf(request)),
    getMilestoneUtxoChangesById: changes,
    getPeers: [],
    getOutputs: outputs,
    getBasicOutputs: outputs,
    getAliasOutputs: outputs,
    getCurrentUnspentAliasOutput: outputs,
    getFoundryOutputs: outputs,
    getCurrentUnspentFoundryOutput: outputs,
    getNftOutputs: outputs,
    getCurrentNftOutput: outputs,
    getBalanceByAddress: ({ height }) => ({
      totalBalance: balance,
      availableBalance: balance,
      ledgerIndex: height
    }),
    getBlockChildren: ({ text }) => ({
      blockId: text("blockId", ""),
      maxResults: 1000,
      count: 0,
      children: []
    }),
    getMilestones: (request) => ({
      items: [
        {
          milestoneId: milestoneId(request.height),
          index: request.height,
          timestamp: seconds(request, request.height)
        }
      ]
    }),
    getBlocksByMilestone: (request) => ({ milestoneId: milestoneId(indexOf(request)), blocks: [] }),
    getBlocksByMilestoneIndex: (request) => ({ milestoneId: milestoneId(indexOf(request)), blocks: [] }),
    getLedgerUpdatesByAddress: ({ text }) => ({ address: text("address", ""), items: [] }),
    getLedgerUpdatesByMilestone: (request) => ({ milestoneIndex: indexOf(request), items: [] }),
    getTopRichestAddresses: ({ height }) => ({ top: [], ledgerIndex: height }),
    getTokenDistribution: ({ height }) => ({ distribution: [], ledgerIndex: height }),
    getChains: (request) => [chainInfo(request)],
    getChainInfo: chainInfo,
    callView: { Items: [] },
    getContracts: [{ hName: "0x3c4b5e02", name: "accounts", programHash: hash("accounts") }],
    getAccounts: (request) => ({ accounts: [chainOf(request)] }),
    accountsGetAccountBalance: assets,
    accountsGetAccountFoundries: { foundrySerialNumbers: [] },
    accountsGetAccountNFTIDs: { nftIds: [] },
    accountsGetAccountNonce: { nonce: "0" },
    accountsGetTotalAssets: assets,
    blobsGetAllBlobs: { Blobs: [] },
    blocklogGetBlockInfo: waspBlock,
    blocklogGetLatestBlockInfo: waspBlock,
    blocklogGetRequestIDsForBlock: { requestIds: [] },
    blocklogGetRequestIDsForLatestBlock: { requestIds: [] },
    blocklogGetRequestReceiptsOfBlock: [],
    blocklogGetRequestReceiptsOfLatestBlock: [],
    blocklogGetControlAddresses: (request) => ({
      governingAddress: chainOf(request),
      stateAddress: chainOf(request),
      sinceBlockIndex: 0
    }),
    blocklogGetRequestIsProcessed: (request) => ({
      chainId: chainOf(request),
      requestId: request.text("requestID", ""),
      isProcessed: true
    }),
    governanceGetChainInfo: chain,
    blocklogGetEventsOfBlock: { events: [] },
    blocklogGetEventsOfLatestBlock: { events: [] },
    blocklogGetEventsOfRequest: { events: [] },
    submitJSONRPCRequest: (request) => ({
      jsonrpc: "2.0" as const,
      id: Number(request.get("id") ?? 1),
      result: request.text("method", "") === "eth_chainId" ? "0x432" : `0x${request.height.toString(16)}`
    })
  })
}
