/** Recordings of Flow, in the format of an access node. */
import { endpoints } from "../../chains/Flow.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticBase64, syntheticHex } from "./Synthetic.js"

const signature = syntheticBase64("signature", 64)
const links = (path: string) => ({ _self: `/v1/${path}` })

/** A height in the query. Words stand for the newest blocks. */
const heightIn = (request: RecordedRequest, name: string): number => {
  const given = request.text(name, "sealed")
  return given === "sealed" || given === "final" ? request.height : Number(given)
}

const guarantee = (height: number) => ({
  collection_id: syntheticHex(`collection ${height}`),
  signer_ids: [syntheticHex("collector")],
  signature,
  reference_block_id: blockHash(height - 5),
  cluster_chain_id: "cluster-0"
})

const payload = (height: number) => ({
  collection_guarantees: [guarantee(height)],
  block_seals: [
    {
      block_id: blockHash(height - 3),
      result_id: syntheticHex(`result ${height - 3}`),
      final_state: syntheticHex(`state ${height - 3}`),
      aggregated_approval_signatures: [
        { verifier_signatures: [signature], signer_ids: [syntheticHex("verifier")] }
      ]
    }
  ]
})

const block = (request: RecordedRequest, height: number) => ({
  header: {
    id: blockHash(height),
    parent_id: blockHash(height - 1),
    height: String(height),
    timestamp: new Date(request.timeOf(height)).toISOString(),
    parent_voter_signature: signature
  },
  ...(request.text("expand", "").includes("payload") ? { payload: payload(height) } : {}),
  _expandable: {
    payload: `/v1/blocks/${blockHash(height)}/payload`,
    execution_result: `/v1/execution_results/${syntheticHex(`result ${height}`)}`
  },
  _links: links(`blocks/${blockHash(height)}`),
  block_status: "BLOCK_SEALED" as const
})

const heightOfId = (request: RecordedRequest): number =>
  heightOfBlockHash(request.text("id", ""), request.height)

const address = "1654653399040a61"
const event = (transaction: string) => ({
  type: `A.${address}.FlowToken.TokensDeposited`,
  transaction_id: transaction,
  transaction_index: "0",
  event_index: "0",
  payload: Buffer.from(JSON.stringify({ type: "Void" })).toString("base64")
})

const outcome = (request: RecordedRequest, transaction: string) => ({
  block_id: blockHash(request.height - 3),
  collection_id: syntheticHex(`collection ${request.height - 3}`),
  execution: "Success" as const,
  status: "Sealed" as const,
  status_code: 0,
  error_message: "",
  computation_used: "12",
  events: [event(transaction)],
  _links: links(`transaction_results/${transaction}`)
})

const transaction = (id: string) => ({
  id,
  script: Buffer.from("transaction {}").toString("base64"),
  arguments: [],
  reference_block_id: syntheticHex("reference"),
  gas_limit: "9999",
  payer: address,
  proposal_key: { address, key_index: "0", sequence_number: "7" },
  authorizers: [address],
  payload_signatures: [],
  envelope_signatures: [{ address, key_index: "0", signature }],
  _expandable: { result: `/v1/transaction_results/${id}` },
  _links: links(`transactions/${id}`)
})

const result = (height: number) => ({
  id: syntheticHex(`result ${height}`),
  block_id: blockHash(height),
  events: [],
  chunks: [
    {
      block_id: blockHash(height),
      collection_index: "0",
      start_state: syntheticHex(`state ${height - 1}`),
      end_state: syntheticHex(`state ${height}`),
      event_collection: syntheticHex("events"),
      index: "0",
      number_of_transactions: "1",
      total_computation_used: "12"
    }
  ],
  previous_result_id: syntheticHex(`result ${height - 1}`),
  _links: links(`execution_results/${syntheticHex(`result ${height}`)}`)
})

const receipt = (height: number) => ({
  executor_id: syntheticHex("executor"),
  result_id: syntheticHex(`result ${height}`),
  spocks: [signature],
  executor_signature: signature,
  _expandable: { execution_result: `/v1/execution_results/${syntheticHex(`result ${height}`)}` }
})

const key = {
  index: "0",
  public_key: `0x${syntheticHex("public key", 64)}`,
  signing_algorithm: "ECDSAP256",
  hashing_algorithm: "SHA3_256",
  sequence_number: "7",
  weight: "1000",
  revoked: false
}

const readId = (request: RecordedRequest): string => request.text("id", syntheticHex("transaction"))

/**
 * The answers of an access node.
 *
 * @since 0.1.0
 * @category constants
 */
export const flow: RecordedFamily = {
  unknown: () =>
    new RecordedRefusal({ code: 404, message: "Flow resource not found: could not find resource" }, 404),

  height: 110_000_000,
  blockTime: 800,
  protocol: "rest",
  error: (message, status) => ({ code: status, message }),
  recordings: makeRecordings(endpoints, {
    getBlocks: (request) => {
      const first = heightIn(request, request.text("start_height", "") === "" ? "height" : "start_height")
      const last = Math.min(heightIn(request, "end_height"), first + 49)
      const count = request.text("end_height", "") === "" ? 1 : Math.max(0, last - first + 1)
      return Array.from({ length: count }, (_, i) => block(request, first + i))
    },
    getBlock: (request) => [block(request, heightOfId(request))],
    getBlockPayload: (request) => payload(heightOfId(request)),
    getTransaction: (request) => transaction(readId(request)),
    getTransactions: [transaction(syntheticHex("transaction"))],
    sendTransaction: transaction(syntheticHex("sent")),
    getTransactionResult: (request) =>
      outcome(request, request.text("transactionId", syntheticHex("transaction"))),
    getTransactionResults: (request) => [outcome(request, syntheticHex("transaction"))],
    getCollection: (request) => ({
      id: readId(request),
      _expandable: { transactions: [`/v1/transactions/${syntheticHex("transaction")}`] },
      _links: links(`collections/${readId(request)}`)
    }),
    getExecutionResults: (request) => [
      result(heightOfBlockHash(request.text("block_id", ""), request.height - 3))
    ],
    getExecutionResult: ({ height, text }) => ({
      ...result(height - 3),
      id: text("id", syntheticHex(`result ${height - 3}`))
    }),
    getExecutionReceipts: (request) => [
      receipt(heightOfBlockHash(request.text("block_id", ""), request.height - 3))
    ],
    getExecutionReceiptsOfResult: ({ height }) => [receipt(height - 3)],
    getAccount: (request) => ({
      address: request.text("address", address).replace(/^0x/, ""),
      balance: "100000000000",
      keys: [key],
      contracts: {},
      _expandable: {},
      _links: links(`accounts/${request.text("address", address)}`)
    }),
    getAccountBalance: { balance: "100000000000" },
    getAccountKeys: { keys: [key] },
    getAccountKey: (request) => ({ ...key, index: request.text("index", "0") }),
    // Cadence's JSON of an integer
    executeScript: Buffer.from(JSON.stringify({ type: "Int", value: "42" })).toString("base64"),
    getEvents: (request) => [
      {
        block_id: blockHash(request.height - 3),
        block_height: String(request.height - 3),
        block_timestamp: new Date(request.timeOf(request.height - 3)).toISOString(),
        events: [event(syntheticHex("transaction"))]
      }
    ],
    getNetworkParameters: ({ testnet }) => ({ chain_id: testnet ? "flow-testnet" : "flow-mainnet" }),
    getNodeVersionInfo: ({ height }) => ({
      semver: "v0.42.0",
      commit: syntheticHex("commit", 20),
      spork_id: syntheticHex("spork"),
      protocol_version: "0",
      protocol_state_version: "2",
      spork_root_block_height: "100000000",
      node_root_block_height: "100000000",
      compatible_range: { start_height: "100000000", end_height: String(height) }
    })
  })
}
