/** Recordings of Casper, in the format of Casper 2. */
import { endpoints } from "../../chains/Casper.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

const version = { api_version: "2.0.0" }
const blocksPerEra = 900
const validator = `01${syntheticHex("validator")}`
const purse = `uref-${syntheticHex("purse")}-007`
const merkle_proof = syntheticHex("proof", 64)
const motes = "100000000000"

const isoTime = (request: RecordedRequest, height: number): string =>
  new Date(request.timeOf(height)).toISOString()
const eraOf = (height: number): number => Math.floor(height / blocksPerEra)
const rootOf = (height: number): string => syntheticHex(`state ${height}`)

/** The block in the first parameter, by hash or height. */
const heightAsked = (request: RecordedRequest): number => {
  const list = Array.isArray(request.params) ? request.params : [Object(request.params).block_identifier]
  const given: Readonly<Record<string, unknown>> = Object(list.find((item: unknown) => Object(item) === item))
  return typeof given.Hash === "string"
    ? heightOfBlockHash(given.Hash, request.height)
    : typeof given.Height === "number"
      ? given.Height
      : request.height
}

const header = (request: RecordedRequest, height: number) => ({
  parent_hash: height === 0 ? "0".repeat(64) : blockHash(height - 1),
  state_root_hash: rootOf(height),
  body_hash: syntheticHex(`body ${height}`),
  random_bit: height % 2 === 0,
  accumulated_seed: syntheticHex(`seed ${height}`),
  era_end: null,
  timestamp: isoTime(request, height),
  era_id: eraOf(height),
  height,
  protocol_version: "2.0.0",
  proposer: validator,
  current_gas_price: 1,
  last_switch_block_hash: blockHash(eraOf(height) * blocksPerEra)
})

const summary = (height: number) => ({
  block_hash: blockHash(height),
  era_id: eraOf(height),
  stored_value: {
    EraInfo: {
      seigniorage_allocations: [{ Validator: { validator_public_key: validator, amount: motes } }]
    }
  },
  state_root_hash: rootOf(height),
  merkle_proof
})

/** The account in the parameters, by key or by account hash. */
const accountAsked = ({ text }: RecordedRequest): string =>
  text(0, text("public_key", text("account_identifier", "account")))

const account = (request: RecordedRequest) => {
  const given = accountAsked(request)
  const hash = given.startsWith("account-hash-") ? given : `account-hash-${syntheticHex(given)}`
  return {
    account_hash: hash,
    named_keys: [],
    main_purse: purse,
    associated_keys: [{ account_hash: hash, weight: 1 }],
    action_thresholds: { deployment: 1, key_management: 1 }
  }
}

const storedValue = (request: RecordedRequest) => ({
  ...version,
  stored_value: {
    CLValue: { cl_type: "U512", bytes: "0400e1f505", parsed: String(request.whole("value", 100_000_000)) }
  },
  merkle_proof
})

const args = [
  ["amount", { cl_type: "U512", bytes: "0400e1f505", parsed: "100000000" }] as const,
  [
    "target",
    { cl_type: { ByteArray: 32 }, bytes: syntheticHex("target"), parsed: syntheticHex("target") }
  ] as const
]

const deploy = (request: RecordedRequest, hash: string) => ({
  hash,
  header: {
    account: validator,
    timestamp: isoTime(request, request.height - 5),
    ttl: "30m",
    gas_price: 1,
    body_hash: syntheticHex(`body of ${hash}`),
    dependencies: [],
    chain_name: chainOf(request)
  },
  payment: { ModuleBytes: { module_bytes: "", args: [] } },
  session: { Transfer: { args } },
  approvals: [{ signer: validator, signature: `01${syntheticHex("signature", 64)}` }]
})

const chainOf = ({ testnet }: RecordedRequest): string => (testnet ? "casper-test" : "casper")

const executionInfo = (request: RecordedRequest) => ({
  block_hash: blockHash(request.height - 5),
  block_height: request.height - 5,
  execution_result: {
    Version2: {
      initiator: { PublicKey: validator },
      error_message: null,
      limit: "100000000",
      consumed: "100000000",
      cost: "100000000",
      refund: "0",
      current_price: 1,
      transfers: [],
      size_estimate: 350,
      effects: []
    }
  }
})

const sentHash = (request: RecordedRequest): string => {
  const given = Array.isArray(request.params) ? request.params[0] : request.get("deploy")
  const hash = Object(given).hash
  return typeof hash === "string" ? hash : syntheticHex(JSON.stringify(request.params))
}

const auction = (request: RecordedRequest) => {
  const height = heightAsked(request)
  return {
    state_root_hash: rootOf(height),
    block_height: height,
    era_validators: [{ era_id: eraOf(height), validator_weights: [{ public_key: validator, weight: motes }] }]
  }
}

const bid = {
  validator_public_key: validator,
  bonding_purse: purse,
  staked_amount: motes,
  delegation_rate: 10,
  delegators: [],
  inactive: false
}

const speculativeResult = (request: RecordedRequest) => ({
  ...version,
  execution_result: {
    block_hash: blockHash(request.height),
    transfers: [],
    limit: "100000000",
    consumed: "100000000",
    effects: [],
    messages: [],
    error: null
  }
})

/**
 * The answers of a node of Casper.
 *
 * @since 0.1.0
 * @category constants
 */
export const casper: RecordedFamily = {
  unknown: () => new RecordedRefusal({ code: -32_001, message: "No such block", data: null }),

  height: 5_500_000,
  blockTime: 8_000,
  protocol: "rpc",
  recordings: makeRecordings(endpoints, {
    accountPutDeploy: (request) => ({ ...version, deploy_hash: sentHash(request) }),
    accountPutTransaction: (request) => ({
      ...version,
      transaction_hash: {
        Version1: String(
          Object(Array.isArray(request.params) ? Object(request.params[0]).Version1 : undefined).hash ??
            syntheticHex(JSON.stringify(request.params))
        )
      }
    }),
    chainGetBlock: (request) => {
      const height = heightAsked(request)
      return {
        ...version,
        block_with_signatures: {
          block: {
            Version2: {
              hash: blockHash(height),
              header: header(request, height),
              body: { transactions: {}, rewarded_signatures: [] }
            }
          },
          proofs: [{ public_key: validator, signature: `01${syntheticHex(`signature ${height}`, 64)}` }]
        }
      }
    },
    chainGetBlockTransfers: (request) => ({
      ...version,
      block_hash: blockHash(heightAsked(request)),
      transfers: []
    }),
    chainGetEraInfoBySwitchBlock: (request) => {
      const height = heightAsked(request)
      return { ...version, era_summary: height % blocksPerEra === 0 ? summary(height) : null }
    },
    chainGetEraSummary: (request) => ({ ...version, era_summary: summary(heightAsked(request)) }),
    chainGetStateRootHash: (request) => ({ ...version, state_root_hash: rootOf(heightAsked(request)) }),
    infoGetChainspec: {
      ...version,
      chainspec_bytes: { chainspec_bytes: Buffer.from("[protocol]\nversion = '2.0.0'\n").toString("hex") }
    },
    infoGetDeploy: (request) => ({
      ...version,
      deploy: deploy(request, request.text(0, syntheticHex("deploy"))),
      execution_info: executionInfo(request)
    }),
    infoGetPeers: { ...version, peers: [] },
    infoGetReward: (request) => ({
      ...version,
      reward_amount: motes,
      era_id: eraOf(request.height),
      delegation_rate: 10,
      switch_block_hash: blockHash(eraOf(request.height) * blocksPerEra)
    }),
    infoGetStatus: (request) => ({
      ...version,
      protocol_version: "2.0.0",
      peers: [],
      build_version: "2.0.0-sandbox",
      chainspec_name: chainOf(request),
      starting_state_root_hash: rootOf(0),
      last_added_block_info: {
        hash: blockHash(request.height),
        timestamp: isoTime(request, request.height),
        era_id: eraOf(request.height),
        height: request.height,
        state_root_hash: rootOf(request.height),
        creator: validator
      },
      our_public_signing_key: validator,
      round_length: null,
      next_upgrade: null,
      uptime: "1day",
      reactor_state: "Validate",
      last_progress: isoTime(request, request.height),
      available_block_range: { low: 0, high: request.height },
      block_sync: { historical: null, forward: null },
      latest_switch_block_hash: blockHash(eraOf(request.height) * blocksPerEra)
    }),
    infoGetTransaction: (request) => ({
      ...version,
      transaction: {
        Deploy: deploy(
          request,
          request.text(
            "transaction_hash.Deploy",
            request.text("transaction_hash.Version1", syntheticHex("deploy"))
          )
        )
      },
      execution_info: executionInfo(request)
    }),
    infoGetValidatorChanges: { ...version, changes: [] },
    queryBalance: { ...version, balance: motes },
    queryBalanceDetails: {
      ...version,
      total_balance: motes,
      available_balance: motes,
      total_balance_proof: merkle_proof,
      holds: []
    },
    queryGlobalState: (request) => ({ ...storedValue(request), block_header: null }),
    rpcDiscover: {
      openrpc: "1.0.0-rc1",
      info: { version: "2.0.0", title: "Sandbox recording" },
      methods: []
    },
    speculativeExec: speculativeResult,
    speculativeExecTxn: speculativeResult,
    stateGetAccountInfo: (request) => ({ ...version, account: account(request), merkle_proof }),
    stateGetAuctionInfo: (request) => ({
      ...version,
      auction_state: { ...auction(request), bids: [{ public_key: validator, bid }] }
    }),
    stateGetAuctionInfoV2: (request) => ({
      ...version,
      auction_state: { ...auction(request), bids: [{ public_key: validator, bid: { Unified: bid } }] }
    }),
    stateGetBalance: { ...version, balance_value: motes, merkle_proof },
    stateGetDictionaryItem: (request) => ({
      ...storedValue(request),
      dictionary_key: `dictionary-${syntheticHex("dictionary")}`
    }),
    stateGetEntity: (request) => ({ ...version, entity: { Account: account(request) }, merkle_proof }),
    stateGetItem: storedValue
  })
}
