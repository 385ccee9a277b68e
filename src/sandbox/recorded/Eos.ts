/** Recordings of EOS (Vaulta), in nodeos's format. */
import { endpoints } from "../../chains/Eos.js"
import {
  makeRecordings,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest,
  UnknownBlockHash
} from "./Recording.js"
import { syntheticHex } from "./Synthetic.js"

/** The ids of the public chain, and of the test chain Jungle 4. */
const chains = {
  main: "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906",
  test: "73e4385a2708e6d7048834fbc1079f2fabb17b3c125b146af438971e90716c4d"
}
/** An example key; nobody knows its private key. */
const key = "EOS1111111111111111111111111111111114T1Anm"
const producer = "eosio"
const signature = `SIG_K1_${"1".repeat(94)}`

/** Ids begin with the number of the block. */
const idOf = (height: number): string =>
  (height >>> 0).toString(16).padStart(8, "0") + syntheticHex(`block ${height}`, 28)
const prefixOf = (height: number): number => Buffer.from(idOf(height), "hex").readUInt32LE(8)
const time = (request: RecordedRequest, height: number): string =>
  new Date(request.timeOf(height)).toISOString().replace("Z", "")
const finalHeight = ({ height }: RecordedRequest): number => height - 330

const blockAsked = (request: RecordedRequest): number => {
  const given = request.text("block_num_or_id", "")
  if (given.length !== 64) return request.whole("block_num_or_id", request.height)
  const height = Number.parseInt(given.slice(0, 8), 16)
  if (idOf(height) !== given.toLowerCase()) throw new UnknownBlockHash(given)
  return height
}

const header = (request: RecordedRequest, height: number) => ({
  timestamp: time(request, height),
  producer,
  confirmed: 0,
  previous: idOf(height - 1),
  transaction_mroot: "0".repeat(64),
  action_mroot: syntheticHex(`actions ${height}`),
  schedule_version: 1,
  producer_signature: signature
})

const signedTransaction = (request: RecordedRequest, height: number) => ({
  ...header(request, height),
  new_producers: null,
  transactions: []
})

const account = ({ text }: RecordedRequest): string => text("account_name", producer)

const abi = {
  version: "eosio::abi/1.1",
  types: [],
  structs: [
    {
      name: "transfer",
      base: "",
      fields: [
        { name: "from", type: "name" },
        { name: "to", type: "name" },
        { name: "quantity", type: "asset" },
        { name: "memo", type: "string" }
      ]
    }
  ],
  actions: [{ name: "transfer", type: "transfer", ricardian_contract: "" }],
  tables: [],
  ricardian_clauses: [],
  error_messages: [],
  abi_extensions: []
}

const limit = { used: 100, available: 999_900, max: 1_000_000 }

const permission = (name: string, parent: string) => ({
  perm_name: name,
  parent,
  required_auth: { threshold: 1, keys: [{ key, weight: 1 }], accounts: [], waits: [] }
})

/** The id of a transaction, derived from its bytes, so that sending it again yields the same id. */
const txId = ({ body, text }: RecordedRequest): string =>
  syntheticHex(text("packed_trx", text("transaction.packed_trx", JSON.stringify(body))))

const trace = (request: RecordedRequest, id: string) => ({
  id,
  block_num: request.height + 1,
  block_time: time(request, request.height + 1),
  producer_block_id: null,
  receipt: { status: "executed" as const, cpu_usage_us: 200, net_usage_words: 16 },
  elapsed: 200,
  net_usage: 128,
  scheduled: false,
  action_traces: [],
  account_ram_delta: null,
  except: null,
  error_code: null
})

const answerPush = (request: RecordedRequest) => ({
  transaction_id: txId(request),
  processed: trace(request, txId(request))
})

const schedule = { version: 1, producers: [{ producer_name: producer, block_signing_key: key }] }

/**
 * The answers of an EOS node.
 *
 * @since 0.1.0
 * @category constants
 */
export const eos: RecordedFamily = {
  unknown: (id) =>
    new RecordedRefusal(
      {
        code: 500,
        message: "Internal Service Error",
        error: {
          code: 3_100_002,
          name: "unknown_block_exception",
          what: "Unknown block",
          details: [{ message: `Could not find block: ${id}` }]
        }
      },
      500
    ),

  height: 440_000_000,
  blockTime: 500,
  protocol: "rest",
  error: (message, status) => ({
    code: status,
    message,
    error: { code: 0, name: "", what: message, details: [] }
  }),
  recordings: makeRecordings(endpoints, {
    getInfo: (request) => ({
      server_version: "d5dbf0b6",
      chain_id: request.testnet ? chains.test : chains.main,
      head_block_num: request.height,
      last_irreversible_block_num: finalHeight(request),
      last_irreversible_block_id: idOf(finalHeight(request)),
      head_block_id: idOf(request.height),
      head_block_time: time(request, request.height),
      head_block_producer: producer,
      virtual_block_cpu_limit: 200_000,
      virtual_block_net_limit: 1_048_576_000,
      block_cpu_limit: 200_000,
      block_net_limit: 1_048_576,
      server_version_string: "v1.1.0",
      earliest_available_block_num: 1
    }),
    getAccount: (request) => ({
      account_name: account(request),
      head_block_num: request.height,
      head_block_time: time(request, request.height),
      privileged: account(request) === "eosio",
      last_code_update: "1970-01-01T00:00:00.000",
      created: "2018-06-08T08:08:08.500",
      core_liquid_balance: "100.0000 EOS",
      ram_quota: 8192,
      ram_usage: 3574,
      net_weight: 10_000,
      cpu_weight: 10_000,
      net_limit: limit,
      cpu_limit: limit,
      permissions: [permission("active", "owner"), permission("owner", "")],
      total_resources: {
        owner: account(request),
        net_weight: "1.0000 EOS",
        cpu_weight: "1.0000 EOS",
        ram_bytes: 6792
      },
      self_delegated_bandwidth: null,
      refund_request: null,
      voter_info: null,
      rex_info: null
    }),
    getBlock: (request) => {
      const height = blockAsked(request)
      return {
        ...signedTransaction(request, height),
        id: idOf(height),
        block_num: height,
        ref_block_prefix: prefixOf(height)
      }
    },
    getRawBlock: (request) => signedTransaction(request, blockAsked(request)),
    getBlockInfo: (request) => {
      const height = request.whole("block_num", request.height)
      return {
        ...header(request, height),
        id: idOf(height),
        block_num: height,
        ref_block_num: height % 65_536,
        ref_block_prefix: prefixOf(height)
      }
    },
    getBlockHeader: (request) => ({
      id: idOf(blockAsked(request)),
      signed_block_header: header(request, blockAsked(request))
    }),
    getBlockHeaderState: (request) => ({
      block_num: blockAsked(request),
      id: idOf(blockAsked(request)),
      header: header(request, blockAsked(request)),
      active_schedule: schedule
    }),
    getAbi: (request) => ({ account_name: account(request), abi }),
    getRawAbi: (request) => ({
      account_name: account(request),
      code_hash: syntheticHex("code"),
      abi_hash: syntheticHex("abi"),
      abi: "DmVvc2lvOjphYmkvMS4xAAAAAAAAAAAA"
    }),
    getCode: (request) => ({
      account_name: account(request),
      code_hash: syntheticHex("code"),
      wast: "",
      wasm: "0061736d01000000",
      abi
    }),
    getCodeHash: (request) => ({ account_name: account(request), code_hash: syntheticHex("code") }),
    getRawCodeAndAbi: (request) => ({
      account_name: account(request),
      wasm: "AGFzbQEAAAA=",
      abi: "DmVvc2lvOjphYmkvMS4xAAAAAAAAAAAA"
    }),
    getTableRows: { rows: [{ balance: "100.0000 EOS" }], more: false, next_key: "" },
    getKvTableRows: { rows: [], more: false, next_key: "" },
    getTableByScope: ({ text }) => ({
      rows: [
        {
          code: text("code", "eosio.token"),
          scope: producer,
          table: text("table", "accounts"),
          payer: producer,
          count: 1
        }
      ],
      more: ""
    }),
    getCurrencyBalance: ({ text }) => [`100.0000 ${text("symbol", "EOS")}`],
    getCurrencyStats: ({ text }) => ({
      [text("symbol", "EOS")]: {
        supply: `1000000000.0000 ${text("symbol", "EOS")}`,
        max_supply: `2100000000.0000 ${text("symbol", "EOS")}`,
        issuer: "eosio"
      }
    }),
    getProducers: {
      rows: [
        { owner: producer, total_votes: "1.00000000000000000", producer_key: key, is_active: 1, url: "" }
      ],
      total_producer_vote_weight: "1.00000000000000000",
      more: ""
    },
    getProducerSchedule: { active: schedule, pending: null, proposed: null },
    getScheduledTransaction: { transactions: [], more: "" },
    getActivatedProtocolFeatures: { activated_protocol_features: [] },
    getConsensusParameters: {
      chain_config: {
        max_block_net_usage: 1_048_576,
        target_block_net_usage_pct: 1000,
        max_transaction_net_usage: 524_288,
        base_per_transaction_net_usage: 12,
        net_usage_leeway: 500,
        context_free_discount_net_usage_num: 20,
        context_free_discount_net_usage_den: 100,
        max_block_cpu_usage: 200_000,
        target_block_cpu_usage_pct: 1000,
        max_transaction_cpu_usage: 150_000,
        min_transaction_cpu_usage: 100,
        max_transaction_lifetime: 3600,
        deferred_trx_expiration_window: 600,
        max_transaction_delay: 3_888_000,
        max_inline_action_size: 4096,
        max_inline_action_depth: 4,
        max_authority_depth: 6
      }
    },
    getFinalizerInfo: {
      active_finalizer_policy: null,
      pending_finalizer_policy: null,
      last_tracked_votes: []
    },
    getAccountsByAuthorizers: {
      accounts: [
        { account_name: producer, permission_name: "active", authorizing_key: key, weight: 1, threshold: 1 }
      ]
    },
    getRequiredKeys: ({ get, text }) => {
      const keys = get("available_keys")
      return { required_keys: [Array.isArray(keys) ? text("available_keys.0", key) : key] }
    },
    getTransactionId: txId,
    getTransactionStatus: (request) => ({
      state: "IN_BLOCK" as const,
      block_number: request.height - 1,
      block_id: idOf(request.height - 1),
      block_timestamp: time(request, request.height - 1),
      head_number: request.height,
      head_id: idOf(request.height),
      head_timestamp: time(request, request.height),
      irreversible_number: finalHeight(request),
      irreversible_id: idOf(finalHeight(request)),
      irreversible_timestamp: time(request, finalHeight(request)),
      earliest_tracked_block_id: idOf(1),
      earliest_tracked_block_number: 1
    }),
    sendReadOnlyTransaction: answerPush,
    computeTransaction: answerPush,
    pushTransaction: answerPush,
    sendTransaction: answerPush,
    sendTransaction2: answerPush,
    pushTransactions: (request) =>
      (Array.isArray(request.body) ? request.body : []).map((one: unknown) => {
        const id = syntheticHex(JSON.stringify(one))
        return { transaction_id: id, processed: trace(request, id) }
      }),
    getBlockTrace: (request) => {
      const height = request.whole("block_num", request.height)
      return {
        id: idOf(height),
        number: height,
        previous_id: idOf(height - 1),
        status: "irreversible" as const,
        timestamp: time(request, height),
        producer,
        transactions: []
      }
    },
    getTransactionTrace: (request) => ({
      id: request.text("id", syntheticHex("transaction")),
      block_num: request.height - 1,
      block_time: time(request, request.height - 1),
      producer_block_id: idOf(request.height - 1),
      actions: []
    }),
    getActions: (request) => ({ actions: [], last_irreversible_block: finalHeight(request) }),
    getTransaction: (request) => ({
      id: request.text("id", syntheticHex("transaction")),
      block_time: time(request, request.height - 1),
      block_num: request.height - 1,
      last_irreversible_block: finalHeight(request),
      traces: []
    }),
    getKeyAccounts: { account_names: [producer] },
    getControlledAccounts: { controlled_accounts: [] },
    getSupportedApis: { apis: ["/v1/chain/get_info", "/v1/chain/get_block", "/v1/node/get_supported_apis"] }
  })
}
