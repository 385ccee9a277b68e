/** Recordings of Tezos, in Octez's format, and of the provider's data API for its addresses. */

import { endpoints } from "../../chains/Tezos.js"
import type { Network } from "../../data/Network.js"
import { answerTransaction } from "./checks/TransactionCheck.js"
import {
  makeRecordings,
  orIfUnknownHash,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest
} from "./Recording.js"
import {
  base58Check,
  base58ToHex,
  blockHash,
  heightOfBlockHash,
  syntheticBytes,
  syntheticHex
} from "./Synthetic.js"

/** The chain ids of mainnet and of Ghostnet. */
const chainIds = { main: "NetXdQprcVkpaWU", test: "NetXnHfVqm9iesp" }
/** The first block of mainnet. */
const genesis = "BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2"
/** The protocol Rio. */
const protocol = "PsRiotumaAMotcRoDWW1bysEhQy2n1M5fy8JgRp8jjRfHGmfeA7"
const LEVELS_PER_CYCLE = 10_800

/** The prefix bytes of Tezos's hashes, which give each kind its first letters. */
const prefixes = {
  block: [1, 52],
  operation: [5, 116],
  operations: [29, 159, 109],
  context: [79, 199],
  payload: [1, 106, 242],
  tz1: [6, 161, 159],
  kt1: [2, 90, 121],
  key: [13, 15, 37, 217],
  signature: [4, 130, 43]
} as const

const hashOf = (level: number): string =>
  level === 0 ? genesis : base58Check(prefixes.block, Buffer.from(blockHash(level), "hex"))
const operationHash = (seed: string): string => base58Check(prefixes.operation, syntheticBytes(seed))
const address = (seed: string): string => base58Check(prefixes.tz1, syntheticBytes(seed, 20))
const signature = base58Check(prefixes.signature, syntheticBytes("signature", 64))
const publicKey = base58Check(prefixes.key, syntheticBytes("key"))
const baker = address("baker")

/** A block by its level, its hash, `genesis`, or its distance from the newest. */
const levelOf = (request: RecordedRequest): number => {
  const block = request.text("block", "head")
  if (block === "genesis" || block === genesis) return 0
  const back = /^head(?:[~-](\d+))?$/.exec(block)
  if (back !== null) return Math.max(0, request.height - Number(back[1] ?? 0))
  if (/^\d+$/.test(block)) return Number(block)
  return heightOfBlockHash(base58ToHex(block).slice(4, 68), request.height, block)
}

const iso = (request: RecordedRequest, level: number): string =>
  level === 0 ? "2018-06-30T16:07:32Z" : new Date(request.timeOf(level)).toISOString().replace(/\.\d+/, "")

const chainId = ({ testnet }: RecordedRequest): string => (testnet ? chainIds.test : chainIds.main)

const shell = (request: RecordedRequest, level: number) => ({
  level,
  proto: 22,
  predecessor: hashOf(Math.max(0, level - 1)),
  timestamp: iso(request, level),
  validation_pass: 4,
  operations_hash: base58Check(prefixes.operations, syntheticBytes(`operations ${level}`)),
  fitness: ["02", level.toString(16).padStart(8, "0"), "", "ffffffff", "00000000"],
  context: base58Check(prefixes.context, syntheticBytes(`context ${level}`))
})

const raw = (request: RecordedRequest, level: number) => ({
  ...shell(request, level),
  payload_hash: base58Check(prefixes.payload, syntheticBytes(`payload ${level}`)),
  payload_round: 0,
  proof_of_work_nonce: "0000000000000000",
  liquidity_baking_toggle_vote: "pass" as const,
  adaptive_issuance_vote: "pass" as const,
  signature
})

const levelInfo = (level: number) => ({
  level,
  level_position: Math.max(0, level - 1),
  cycle: Math.floor(level / LEVELS_PER_CYCLE),
  cycle_position: level % LEVELS_PER_CYCLE,
  expected_commitment: false
})

const period = (level: number) => ({
  voting_period: { index: 150, kind: "proposal" as const, start_position: level - (level % 151_200) },
  position: level % 151_200,
  remaining: 151_199 - (level % 151_200)
})

const metadata = (level: number) => ({
  protocol,
  next_protocol: protocol,
  test_chain_status: { status: "not_running" as const },
  max_operations_ttl: 450,
  max_operation_data_length: 32_768,
  max_block_header_length: 289,
  max_operation_list_length: [{ max_size: 4_194_304, max_op: 2048 }],
  proposer: baker,
  baker,
  level_info: levelInfo(level),
  voting_period_info: period(level),
  nonce_hash: null,
  deactivated: [],
  balance_updates: []
})

const block = (request: RecordedRequest, level = levelOf(request)) => ({
  protocol,
  chain_id: chainId(request),
  hash: hashOf(level),
  header: raw(request, level),
  metadata: metadata(level),
  operations: [[], [], [], []]
})

const isContract = ({ text }: RecordedRequest): boolean => text("contractId", "").startsWith("KT1")

const balance = "100000000"
const unit = { prim: "unit" }
const script = {
  code: [
    { prim: "parameter", args: [unit] },
    { prim: "storage", args: [unit] },
    {
      prim: "code",
      args: [[{ prim: "CDR" }, { prim: "NIL", args: [{ prim: "operation" }] }, { prim: "PAIR" }]]
    }
  ],
  storage: { prim: "Unit" }
}

const applyOperations = (contents: unknown) =>
  (Array.isArray(contents) ? contents : []).map((content: unknown) => {
    const fields: Readonly<Record<string, unknown>> = Object(content)
    return {
      ...fields,
      kind: String(fields.kind),
      metadata: {
        balance_updates: [],
        operation_result: { status: "applied" as const, consumed_milligas: "100000" }
      }
    }
  })

const makeOutcome = ({ get }: RecordedRequest) => ({ contents: applyOperations(get("operation.contents")) })

const PROTOCOL_ERROR_PREFIX = "proto.022-PsRiotum"

/** The greatest age in blocks of an operation's branch. */
const MAX_BRANCH_AGE = 450

/** The answer to a broadcast. The hash of a recorded block has its level. */
const answerSent = (request: RecordedRequest) =>
  answerTransaction({
    peers: "@taquito/local-forging @noble/curves",
    load: () => import("./checks/Tezos.js"),
    find: ({ checkOperation }) =>
      checkOperation(String(request.body), (hash) => {
        const level = orIfUnknownHash(undefined, () => levelOf({ ...request, text: () => hash }))
        return level !== undefined && hash === hashOf(level) && level > request.height - MAX_BRANCH_AGE
      }),
    taken: ({ hash }) => hash,
    refused: ({ detail, reason }) =>
      new RecordedRefusal(
        reason === "unreadable"
          ? [{ kind: "permanent", id: "node.prevalidation.parse_error", msg: detail }]
          : reason === "chain"
            ? [{ kind: "branch", id: "validator.unknown_branch", branch: detail }]
            : [{ kind: "permanent", id: `${PROTOCOL_ERROR_PREFIX}.${detail}` }],
        500
      ),
    failed: (msg) => new RecordedRefusal([{ kind: "permanent", id: "sandbox.not_checked", msg }], 501)
  })

const zero = "0"

/** The coins of an address, in the format of the provider's data API. */
const holding = (network: Network, owner: string) => ({
  address: owner,
  chain: network,
  type: "native" as const,
  symbol: "XTZ",
  balance: "100",
  decimals: 6
})

/**
 * The data API's balances of Tezos addresses in whole coins. There are no tokens.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeTezosBalances = (
  network: Network,
  addresses: ReadonlyArray<string>,
  query: {
    readonly tokenTypes?: ReadonlyArray<string>
    readonly pageSize?: number
    readonly offset?: number
  } = {}
): {
  readonly result: ReadonlyArray<ReturnType<typeof holding>>
  readonly prevPage: string
  readonly nextPage: string
} => {
  const { offset = 0, pageSize = 10, tokenTypes } = query
  const all =
    (tokenTypes?.includes("native") ?? true) ? addresses.map((owner) => holding(network, owner)) : []
  return {
    result: all.slice(offset * pageSize, (offset + 1) * pageSize),
    prevPage: offset > 0 ? String(offset - 1) : "",
    nextPage: (offset + 1) * pageSize < all.length ? String(offset + 1) : ""
  }
}

const TRANSFER_COUNT = 25

/**
 * The data API's transfers of Tezos addresses, newest first: 25 of each, in pages. `cursor` is the `prevPage` or
 * `nextPage` of a page; an invalid one counts as the beginning.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeTezosTransactions = (
  network: Network,
  addresses: ReadonlyArray<string>,
  query: {
    readonly pageSize?: number
    readonly cursor?: string
    readonly transactionSubtype?: string
    readonly blockFrom?: number
    readonly blockTo?: number
  } = {}
): { readonly result: ReadonlyArray<unknown>; readonly prevPage: string; readonly nextPage: string } => {
  const { blockFrom = 0, blockTo = tezos.height, pageSize = 10, transactionSubtype } = query
  const all = addresses
    .flatMap((owner) =>
      Array.from({ length: TRANSFER_COUNT }, (_, i) => {
        const incoming = i % 2 === 0
        return {
          chain: network,
          blockNumber: tezos.height - 10 * i,
          hash: operationHash(`transfer ${i} of ${owner}`),
          transactionType: "native",
          transactionIndex: 0,
          transactionSubtype: incoming ? "incoming" : "outgoing",
          amount: incoming ? "2.5" : "-0.5",
          timestamp: 1_760_000_000_000 - 10 * i * tezos.blockTime,
          address: owner,
          counterAddress: baker
        }
      })
    )
    .filter(
      (row) =>
        row.blockNumber >= blockFrom &&
        row.blockNumber <= blockTo &&
        (transactionSubtype === undefined || row.transactionSubtype === transactionSubtype)
    )
    .sort((a, b) => b.blockNumber - a.blockNumber)
  const start = /^at-(\d{1,6})$/.exec(query.cursor ?? "")?.[1]
  const from = Number(start ?? 0)
  return {
    result: all.slice(from, from + pageSize),
    prevPage: from > 0 ? `at-${Math.max(0, from - pageSize)}` : "",
    nextPage: from + pageSize < all.length ? `at-${from + pageSize}` : ""
  }
}

/**
 * The answers of a node of Tezos.
 *
 * @since 0.1.0
 * @category constants
 */
export const tezos: RecordedFamily = {
  unknown: () => new RecordedRefusal(undefined, 404),

  height: 10_000_000,
  blockTime: 8_000,
  protocol: "rest",
  error: (message, status) => [
    { kind: "permanent", id: status === 400 ? "RPC.Cannot_parse_body" : "sandbox.not_recorded", msg: message }
  ],
  recordings: makeRecordings(endpoints, {
    getChainId: chainId,
    getLevelsCaboose: { block_hash: genesis, level: 0 },
    getLevelsSavepoint: { block_hash: genesis, level: 0 },
    getLevelsCheckpoint: ({ height }) => ({ block_hash: hashOf(height - 100), level: height - 100 }),
    isBootstrapped: { bootstrapped: true, sync_state: "synced" },
    getAllInvalidBlocks: [],
    getPendingOperations: {
      validated: [],
      refused: [],
      outdated: [],
      branch_refused: [],
      branch_delayed: [],
      unprocessed: []
    },
    getBlockHashes: ({ height, whole }) => [
      Array.from({ length: Math.min(100, whole("length", 1)) }, (_, i) => hashOf(height - i))
    ],
    getBlocksHead: (request) => block(request, request.height),
    getBlock: (request) => block(request),
    getBlockHash: (request) => hashOf(levelOf(request)),
    getBlockHeader: (request) => ({
      protocol,
      chain_id: chainId(request),
      hash: hashOf(levelOf(request)),
      ...raw(request, levelOf(request))
    }),
    getBlockShell: (request) => shell(request, levelOf(request)),
    getBlockHeaderRaw: (request) => syntheticHex(`header ${levelOf(request)}`, 200),
    getBlockMetadata: (request) => metadata(levelOf(request)),
    getLiveBlocks: (request) => Array.from({ length: 5 }, (_, i) => hashOf(levelOf(request) - i)),
    getOperations: [[], [], [], []],
    getOperationList: [],
    getOperationHashes: [[], [], [], []],
    getProtocols: { protocol, next_protocol: protocol },
    getKnownProtocols: [protocol],
    getConstants: {
      proof_of_work_nonce_size: 8,
      nonce_length: 32,
      max_anon_ops_per_block: 132,
      max_operation_data_length: 32_768,
      blocks_per_cycle: LEVELS_PER_CYCLE,
      blocks_per_commitment: 84,
      hard_gas_limit_per_operation: "1040000",
      hard_gas_limit_per_block: "1386666",
      proof_of_work_threshold: "281474976710655",
      hard_storage_limit_per_operation: "60000",
      cost_per_byte: "250",
      origination_size: 257,
      minimal_block_delay: "8",
      delay_increment_per_round: "4",
      consensus_committee_size: 7000
    },
    getContracts: [baker, address("user")],
    getContract: (request) => (isContract(request) ? { balance, script } : { balance, counter: "1" }),
    getContractBalance: balance,
    getContractBalanceAndFrozenBonds: balance,
    getContractSpendable: balance,
    getContractFullBalance: balance,
    getContractFrozenBonds: zero,
    getContractStakedBalance: zero,
    getContractUnstakedFrozenBalance: zero,
    getContractUnstakedFinalizableBalance: zero,
    getContractSpendableAndFrozenBonds: balance,
    getContractStakingNumerator: zero,
    getContractEstimatedSlash: zero,
    getContractCounter: "1",
    getContractDelegate: baker,
    // an account that is not revealed sends its key with its first operation
    getContractManagerKey: null,
    getContractEntrypoint: unit,
    getContractEntrypoints: { entrypoints: { default: unit } },
    getContractScript: script,
    getContractStorage: script.storage,
    getContractUsedStorage: "50",
    getContractPaidStorage: "50",
    getContractTickets: [],
    getContractTicketBalance: zero,
    getContractBigMapValue: null,
    getBigMapValue: { prim: "Unit" },
    getDelegates: [baker],
    getDelegateStakingBalance: "6000000000",
    getDelegateFullBalance: "6000000000",
    getDelegateDelegatedBalance: zero,
    getDelegateDeactivated: false,
    getDelegateVotingPower: "6000000000",
    getDelegateOwnFullBalance: "6000000000",
    getDelegateOwnStaked: "6000000000",
    getDelegateOwnDelegated: zero,
    getDelegateExternalStaked: zero,
    getDelegateExternalDelegated: zero,
    getDelegateTotalStaked: "6000000000",
    getDelegateTotalDelegated: zero,
    getDelegateTotalDelegatedStake: zero,
    getDelegateTotalUnstakedPerCycle: [],
    getDelegateMinDelegated: (request) => ({ amount: zero, level: levelInfo(levelOf(request)) }),
    getDelegateStakingDenominator: zero,
    getDelegateStakers: [{ staker: baker, frozen_deposits: "6000000000" }],
    getDelegateDelegators: [baker],
    getDelegateBakingPower: "6000000000",
    getDelegateCurrentVotingPower: "6000000000",
    getDelegateVotingInfo: { voting_power: "6000000000", remaining_proposals: 20 },
    getDelegateConsensusKey: { active: { pkh: baker, pk: publicKey } },
    getDelegateStakingParameters: {
      limit_of_staking_over_baking_millionth: 0,
      edge_of_baking_over_staking_billionth: 1_000_000_000
    },
    getDelegatePendingStakingParameters: [],
    getDelegateIsForbidden: false,
    getDelegateDenunciations: [],
    getDelegateEstimatedSlash: zero,
    getDenunciations: [],
    getTotalCurrentlyStaked: { delegates: "250000000000000", delegators: "40000000000000", overstaked: zero },
    getAdaptiveIssuanceLaunchCycle: 748,
    getDestinationIndex: null,
    getProtocolFirstLevel: 8_767_489,
    getConsecutiveRoundZero: 12,
    getProposalCount: 0,
    getMempoolFilter: {
      minimal_fees: "100",
      minimal_nanotez_per_gas_unit: ["100", "1"],
      minimal_nanotez_per_byte: ["1000", "1"]
    },
    getYearlyIssuanceRate: "4.5",
    getYearlyIssuanceRateExact: { numerator: "9", denominator: "200" },
    getTotalSupply: "1060000000000000",
    getTotalFrozenStake: "290000000000000",
    getBallots: { yay: zero, nay: zero, pass: zero },
    getBallotList: [],
    getVotingPeriod: (request) => period(levelOf(request)),
    getCurrentProposal: null,
    getCurrentQuorum: 5000,
    getProposals: [],
    getTotalVotingPower: "680000000000000",
    getCurrentLevel: (request) => levelInfo(levelOf(request) + request.whole("offset", 0)),
    getLevelsInCurrentCycle: (request) => {
      const level = levelOf(request)
      const first = level - (level % LEVELS_PER_CYCLE)
      return { first, last: first + LEVELS_PER_CYCLE - 1 }
    },
    getRound: 0,
    getBakingRights: (request) => [
      {
        level: levelOf(request) + 1,
        delegate: baker,
        round: 0,
        estimated_time: iso(request, levelOf(request) + 1),
        consensus_key: baker
      }
    ],
    forgeOperation: ({ body }) => syntheticHex(JSON.stringify(body), 110),
    preapplyOperations: ({ body }) =>
      (Array.isArray(body) ? body : []).map((operation: unknown) => ({
        contents: applyOperations(Object(operation).contents),
        signature
      })),
    simulateOperation: makeOutcome,
    runOperation: makeOutcome,
    packData: ({ body }) => ({ packed: `05${syntheticHex(JSON.stringify(body), 20)}`, gas: "1039950" }),
    injectOperation: answerSent,
    getHistoryMode: { history_mode: "archive" },
    getUserActivatedProtocolOverrides: [],
    getUserActivatedUpgrades: [],
    getNodeVersion: (request) => ({
      version: { product: "octez", major: 22, minor: 1, build: 0, additional_info: "release" },
      network_version: {
        chain_name: request.testnet ? "TEZOS_ITHACANET_2022-01-25T15:00:00Z" : "TEZOS_MAINNET",
        distributed_db_version: 2,
        p2p_version: 1
      },
      commit_info: null
    }),
    getConnections: [],
    getPeers: []
  })
}
