/** Recordings of Sui: full nodes with JSON-RPC, and an indexer with GraphQL. */

import { encodeBase58 } from "../../chains/internal/base58.js"
import {
  endpoints,
  type MoveModule,
  type ObjectData,
  type ProtocolConfig,
  type SystemState,
  type Validator
} from "../../chains/Sui.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import {
  base58ToHex,
  blockHashBase58,
  heightOfBlockHash,
  syntheticBase64,
  syntheticBytes,
  syntheticHex
} from "./Synthetic.js"

const SUI = "0x2::sui::SUI"
const checkpointsPerEpoch = 350_000
const digest = (seed: string): string => encodeBase58(syntheticBytes(seed))
const id = (seed: string): string => `0x${syntheticHex(seed)}`
const owner = id("owner")
const coin = id("coin")
const validatorAddress = id("validator")
const publicKey = syntheticBase64("key", 96)
const gasPrice = "750"
const version = "103626"

const identifiers: Readonly<Record<string, string>> = {
  "sui-mainnet": "35834a8a",
  "sui-testnet": "4c78adac"
}

const epochOf = (height: number): number => Math.floor(height / checkpointsPerEpoch)

/** The requested checkpoint, by number or digest. */
const requestedCheckpoint = (request: RecordedRequest): number => {
  const text = request.text(0, String(request.height))
  return /^\d+$/.test(text) ? Number(text) : heightOfBlockHash(base58ToHex(text), request.height, text)
}

const gasUsed = {
  computationCost: "750000",
  nonRefundableStorageFee: "9880",
  storageCost: "1976000",
  storageRebate: "978120"
}

const checkpoint = (request: RecordedRequest, height: number) => ({
  checkpointCommitments: [],
  digest: blockHashBase58(height),
  epoch: String(epochOf(height)),
  epochRollingGasCostSummary: gasUsed,
  networkTotalTransactions: String(height * 20),
  previousDigest: blockHashBase58(height - 1),
  sequenceNumber: String(height),
  timestampMs: String(Math.floor(request.timeOf(height))),
  transactions: [digest(`transaction of ${height}`)],
  validatorSignature: syntheticBase64("signature", 48)
})

const reference = { digest: digest("object"), objectId: coin, version: 103_626 } as const
const owned = { owner: { AddressOwner: owner }, reference } as const

const effects = (request: RecordedRequest, transactionDigest: string) => ({
  dependencies: [digest("dependency")],
  executedEpoch: String(epochOf(request.height)),
  gasObject: owned,
  gasUsed,
  messageVersion: "v1" as const,
  modifiedAtVersions: [{ objectId: coin, sequenceNumber: "103625" }],
  mutated: [owned],
  status: { status: "success" as const },
  transactionDigest
})

const event = (request: RecordedRequest, txDigest: string) => ({
  id: { eventSeq: "0", txDigest },
  packageId: id("package"),
  parsedJson: { amount: "1000000000" },
  sender: owner,
  timestampMs: String(Math.floor(request.timeOf(request.height - 3))),
  transactionModule: "market",
  type: `${id("package")}::market::Sold`,
  bcs: syntheticBase64("event", 8),
  bcsEncoding: "base64" as const
})

const balanceChanges = [{ amount: "-1757760", coinType: SUI, owner: { AddressOwner: owner } }] as const
const objectChanges = [
  {
    digest: reference.digest,
    objectId: coin,
    objectType: `0x2::coin::Coin<${SUI}>`,
    owner: { AddressOwner: owner },
    previousVersion: "103625",
    sender: owner,
    type: "mutated",
    version
  }
] as const

const data = {
  gasData: { budget: "10000000", owner, payment: [reference], price: gasPrice },
  messageVersion: "v1",
  sender: owner,
  transaction: {
    inputs: [{ type: "pure", value: owner, valueType: "address" }],
    kind: "ProgrammableTransaction",
    transactions: [{ TransferObjects: [["GasCoin"], { Input: 0 }] }]
  }
} as const

/** A transaction in a checkpoint, with the parts of its options. */
const transaction = (request: RecordedRequest, ofDigest: string, options: unknown) => {
  const shows = (name: string): boolean => Object(options)[name] === true
  return {
    digest: ofDigest,
    checkpoint: String(request.height - 3),
    timestampMs: String(Math.floor(request.timeOf(request.height - 3))),
    ...(shows("showInput") ? { transaction: { data, txSignatures: [] } } : {}),
    ...(shows("showEffects") ? { effects: effects(request, ofDigest) } : {}),
    ...(shows("showEvents") ? { events: [event(request, ofDigest)] } : {}),
    ...(shows("showObjectChanges") ? { objectChanges } : {}),
    ...(shows("showBalanceChanges") ? { balanceChanges } : {})
  }
}

const object = (objectId: string): ObjectData => ({
  digest: reference.digest,
  objectId,
  owner: { AddressOwner: owner },
  previousTransaction: digest("transaction"),
  storageRebate: "988000",
  type: `0x2::coin::Coin<${SUI}>`,
  version
})

const struct = {
  abilities: { abilities: ["Key", "Store"] },
  fields: [
    { name: "id", type: { Struct: { address: "0x2", module: "object", name: "UID", typeArguments: [] } } }
  ],
  typeParameters: [{ constraints: { abilities: [] }, isPhantom: true }]
} as const

const move = {
  isEntry: true,
  parameters: ["U64", { MutableReference: { TypeParameter: 0 } }],
  return: [],
  typeParameters: [{ abilities: ["Drop"] }],
  visibility: "Public"
} as const

const moduleOf = (request: RecordedRequest, name: string): MoveModule => ({
  address: request.text(0, "0x2"),
  enums: {},
  exposedFunctions: { split: move },
  fileFormatVersion: 6,
  friends: [{ address: "0x2", name: "pay" }],
  name,
  structs: { Coin: struct }
})

const balance = (coinType: string) => ({
  coinObjectCount: 1,
  coinType,
  fundsInAddressBalance: "0",
  lockedBalance: {},
  totalBalance: "1000000000"
})

const coins = (coinType: string) => ({
  data: [
    {
      balance: "1000000000",
      coinObjectId: coin,
      coinType,
      digest: reference.digest,
      previousTransaction: digest("transaction"),
      version
    }
  ],
  hasNextPage: false,
  nextCursor: coin
})

const config: Omit<ProtocolConfig, "protocolVersion"> = {
  attributes: { max_tx_gas: { u64: "50000000000" }, max_accumulator_txn: null },
  featureFlags: { package_upgrades: true },
  maxSupportedProtocolVersion: "118",
  minSupportedProtocolVersion: "1"
}

const validator: Validator = {
  commissionRate: "200",
  description: "A validator of the sandbox",
  exchangeRatesId: id("rates"),
  exchangeRatesSize: "900",
  gasPrice,
  imageUrl: "",
  name: "Sandbox",
  netAddress: "/ip4/127.0.0.1/tcp/8080/http",
  networkPubkeyBytes: syntheticBase64("network key"),
  nextEpochCommissionRate: "200",
  nextEpochGasPrice: gasPrice,
  nextEpochStake: "30000000000000000",
  operationCapId: id("operation cap"),
  p2pAddress: "/ip4/127.0.0.1/udp/8084",
  pendingPoolTokenWithdraw: "0",
  pendingStake: "0",
  pendingTotalSuiWithdraw: "0",
  poolTokenBalance: "29000000000000000",
  primaryAddress: "/ip4/127.0.0.1/udp/8081",
  projectUrl: "https://validator.example",
  proofOfPossessionBytes: syntheticBase64("possession", 48),
  protocolPubkeyBytes: publicKey,
  rewardsPool: "1000000000000",
  stakingPoolActivationEpoch: "0",
  stakingPoolDeactivationEpoch: null,
  stakingPoolId: id("pool"),
  stakingPoolSuiBalance: "30000000000000000",
  suiAddress: validatorAddress,
  votingPower: "10000",
  workerAddress: "/ip4/127.0.0.1/udp/8082",
  workerPubkeyBytes: syntheticBase64("worker key")
}

const system = ({ height, timeOf }: RecordedRequest): SystemState => ({
  activeValidators: [validator],
  atRiskValidators: [],
  epoch: String(epochOf(height)),
  epochDurationMs: "86400000",
  epochStartTimestampMs: String(Math.floor(timeOf(epochOf(height) * checkpointsPerEpoch))),
  inactivePoolsId: id("inactive pools"),
  inactivePoolsSize: "0",
  maxValidatorCount: "150",
  minValidatorJoiningStake: "30000000000000000",
  pendingActiveValidatorsId: id("pending validators"),
  pendingActiveValidatorsSize: "0",
  pendingRemovals: [],
  protocolVersion: "118",
  referenceGasPrice: gasPrice,
  safeMode: false,
  safeModeComputationRewards: "0",
  safeModeNonRefundableStorageFee: "0",
  safeModeStorageRebates: "0",
  safeModeStorageRewards: "0",
  stakeSubsidyBalance: "500000000000000000",
  stakeSubsidyCurrentDistributionAmount: "478296900000000",
  stakeSubsidyDecreaseRate: 1000,
  stakeSubsidyDistributionCounter: "900",
  stakeSubsidyPeriodLength: "90",
  stakeSubsidyStartEpoch: "20",
  stakingPoolMappingsId: id("pool mappings"),
  stakingPoolMappingsSize: "1",
  storageFundNonRefundableBalance: "100000000000000",
  storageFundTotalObjectStorageRebates: "1900000000000000",
  systemStateVersion: "2",
  totalStake: "30000000000000000",
  validatorCandidatesId: id("candidates"),
  validatorCandidatesSize: "0",
  validatorLowStakeGracePeriod: "7",
  validatorLowStakeThreshold: "20000000000000000",
  validatorReportRecords: [],
  validatorVeryLowStakeThreshold: "15000000000000000"
})

const stakes = (ids: ReadonlyArray<string>) => [
  {
    stakes: ids.map((stakedSuiId) => ({
      principal: "1000000000",
      stakeActiveEpoch: "101",
      stakeRequestEpoch: "100",
      stakedSuiId,
      status: "Active" as const,
      estimatedReward: "20000000"
    })),
    stakingPool: validator.stakingPoolId,
    validatorAddress
  }
]

/** The texts of a list parameter. */
const readTexts = (request: RecordedRequest, at: number): ReadonlyArray<string> => {
  const list = request.get(at)
  return Array.isArray(list) ? list.map(String) : []
}

const dynamicField = { type: "u64", value: "7" } as const

/**
 * The answers of a node of Sui.
 *
 * @since 0.1.0
 * @category constants
 */
export const sui: RecordedFamily = {
  unknown: (hash) =>
    new RecordedRefusal({ code: -32_602, message: `Verified checkpoint not found for digest: ${hash}` }),
  height: 200_000_000,
  blockTime: 250,
  protocol: "both",
  recordings: makeRecordings(
    endpoints,
    {
      getChainIdentifier: ({ network }) => identifiers[network] ?? syntheticHex(network, 4),
      getCheckpoint: (request) => checkpoint(request, requestedCheckpoint(request)),
      getCheckpoints: (request) => {
        const first = Math.max(0, Number(request.text(0, String(request.height - 2))) + 1)
        return {
          data: [checkpoint(request, first), checkpoint(request, first + 1)],
          hasNextPage: true,
          nextCursor: String(first + 1)
        }
      },
      getObject: (request) => ({ data: object(request.text(0, coin)) }),
      multiGetObjects: (request) => readTexts(request, 0).map((each) => ({ data: object(each) })),
      tryGetPastObject: (request) => ({
        details: object(request.text(0, coin)),
        status: "VersionFound" as const
      }),
      tryMultiGetPastObjects: [
        { details: object(coin), status: "VersionFound" },
        { details: id("nothing"), status: "ObjectNotExists" }
      ],
      getTransactionBlock: (request) =>
        transaction(request, request.text(0, digest("transaction")), request.get(1)),
      multiGetTransactionBlocks: (request) =>
        readTexts(request, 0).map((each) => transaction(request, each, request.get(1))),
      getEvents: (request) => [event(request, request.text(0, digest("transaction")))],
      getProtocolConfig: (request) => ({ ...config, protocolVersion: request.text(0, "118") }),
      getMoveFunctionArgTypes: ["Pure", { Object: "ByMutableReference" }],
      getNormalizedMoveFunction: move,
      getNormalizedMoveModule: (request) => moduleOf(request, request.text(1, "coin")),
      getNormalizedMoveModulesByPackage: (request) => ({ coin: moduleOf(request, "coin") }),
      getNormalizedMoveStruct: struct,
      verifyZkLoginSignature: { errors: [], success: true },
      dryRunTransactionBlock: (request) => ({
        balanceChanges,
        effects: effects(request, digest("dry run")),
        events: [],
        input: data,
        objectChanges
      }),
      devInspectTransactionBlock: (request) => ({
        effects: effects(request, digest("inspection")),
        events: [],
        results: [{ returnValues: [[[0, 202, 154, 59, 0, 0, 0, 0], "u64"] as const] }]
      }),
      executeTransactionBlock: (request) => ({
        ...transaction(request, digest(request.text(0, "transaction")), request.get(2)),
        confirmedLocalExecution: true
      }),
      getAllBalances: [balance(SUI)],
      getBalance: (request) => balance(request.text(1, SUI)),
      getAllCoins: coins(SUI),
      getCoins: (request) => coins(request.text(1, SUI)),
      getCoinMetadata: {
        decimals: 9,
        description: "",
        iconUrl: null,
        id: id("metadata"),
        name: "Sui",
        symbol: "SUI"
      },
      getTotalSupply: { value: "10000000000000000000" },
      getOwnedObjects: { data: [{ data: object(coin) }], hasNextPage: false, nextCursor: coin },
      getDynamicFields: {
        data: [
          {
            digest: digest("field"),
            name: dynamicField,
            objectId: id("field"),
            objectType: "u64",
            type: "DynamicField",
            version: 103_626,
            bcsEncoding: "base64",
            bcsName: syntheticBase64("name", 8)
          }
        ],
        hasNextPage: false,
        nextCursor: null
      },
      getDynamicFieldObject: { data: object(id("field")) },
      queryEvents: (request) => ({
        data: [event(request, digest("transaction"))],
        hasNextPage: false,
        nextCursor: { eventSeq: "0", txDigest: digest("transaction") }
      }),
      queryTransactionBlocks: (request) => ({
        data: [transaction(request, digest("transaction"), Object(request.get(0)).options)],
        hasNextPage: false,
        nextCursor: digest("transaction")
      }),
      getLatestSuiSystemState: system,
      getCommitteeInfo: (request) => ({
        epoch: request.text(0, String(epochOf(request.height))),
        validators: [[publicKey, "10000"] as const]
      }),
      getValidatorsApy: ({ height }) => ({
        apys: [{ address: validatorAddress, apy: 0.0213 }],
        epoch: String(epochOf(height))
      }),
      getStakes: stakes([id("stake")]),
      getStakesByIds: (request) => stakes(readTexts(request, 0)),
      resolveNameServiceAddress: owner,
      resolveNameServiceNames: { data: ["sandbox.sui"], hasNextPage: false, nextCursor: null }
    },
    {
      // decimal strings, which the client converts to bigint
      getLatestCheckpointSequenceNumber: ({ height }: RecordedRequest) => String(height),
      getTotalTransactionBlocks: ({ height }: RecordedRequest) => String(height * 20),
      getReferenceGasPrice: gasPrice,
      // any query gets the newest checkpoint, which is what probes query
      graphql: ({ height }: RecordedRequest) => ({
        data: {
          chainIdentifier: blockHashBase58(0),
          checkpoint: { sequenceNumber: height, digest: blockHashBase58(height) }
        }
      })
    }
  )
}
