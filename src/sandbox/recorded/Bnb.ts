/** Recordings of the BNB Beacon Chain, in Tendermint's format. */
import { endpoints } from "../../chains/Bnb.js"
import { makeRecordings, orIfUnknownHash, type RecordedFamily, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticBase64, syntheticUpperHex } from "./Synthetic.js"

const chain = "Binance-Chain-Tigris"
const genesisTime = "2019-04-18T05:59:26.228734998Z"
const validator = {
  address: syntheticUpperHex("validator", 20),
  pub_key: { type: "tendermint/PubKeyEd25519", value: syntheticBase64("validator") },
  voting_power: "1000000000000"
}

const hashOf = (height: number): string => blockHash(height).toUpperCase()
const idOf = (height: number) => ({
  hash: hashOf(height),
  parts: { total: "1", hash: syntheticUpperHex(`parts ${height}`) }
})
const timeOf = (request: RecordedRequest, height: number): string =>
  height === 1 ? genesisTime : new Date(request.timeOf(height)).toISOString()

const heightAsked = (request: RecordedRequest): number => request.whole("height", request.height)

/** Hashes are Base64, or hexadecimal with 0x. */
const heightByHash = (request: RecordedRequest): number => {
  const hash = request.text("hash", "")
  const digits = hash.startsWith("0x") ? hash : Buffer.from(hash, "base64").toString("hex")
  return heightOfBlockHash(digits, request.height, hash)
}

const header = (request: RecordedRequest, height: number) => ({
  version: { block: "10", app: "0" },
  chain_id: chain,
  height: String(height),
  time: timeOf(request, height),
  num_txs: "0",
  total_txs: String(height),
  last_block_id: idOf(height - 1),
  last_commit_hash: syntheticUpperHex(`commit ${height}`),
  data_hash: "",
  validators_hash: syntheticUpperHex("validators"),
  next_validators_hash: syntheticUpperHex("validators"),
  consensus_hash: syntheticUpperHex("consensus"),
  app_hash: syntheticUpperHex(`app ${height}`),
  last_results_hash: "",
  evidence_hash: "",
  proposer_address: validator.address
})

const commit = (request: RecordedRequest, height: number) => ({
  block_id: idOf(height),
  precommits: [
    {
      type: 2,
      height: String(height),
      round: "0",
      block_id: idOf(height),
      timestamp: timeOf(request, height),
      validator_address: validator.address,
      validator_index: "0",
      signature: syntheticBase64(`vote ${height}`, 64)
    }
  ]
})

const meta = (request: RecordedRequest, height: number) => ({
  block_id: idOf(height),
  header: header(request, height)
})

const block = (request: RecordedRequest, height: number) => ({
  block_meta: meta(request, height),
  block: {
    header: header(request, height),
    data: { txs: null },
    evidence: { evidence: null },
    last_commit: commit(request, height - 1)
  }
})

const tx = (request: RecordedRequest) => syntheticBase64(request.text("tx", "transaction"), 120)
const answerSent = (request: RecordedRequest) => ({
  code: 0,
  data: "",
  log: "Msg 0: ",
  hash: syntheticUpperHex(tx(request))
})

const consensus = {
  block: { max_bytes: "1048576", max_gas: "-1" },
  evidence: { max_age: "100000" },
  validator: { pub_key_types: ["ed25519"] }
}

const foundTransaction = (request: RecordedRequest) => {
  const hash = request.text("hash", `0x${syntheticUpperHex("transaction")}`)
  // without 0x it is Base64
  const digits = hash.startsWith("0x") ? hash.slice(2) : Buffer.from(hash, "base64").toString("hex")
  return {
    hash: digits.toUpperCase(),
    height: String(request.height - 1),
    index: 0,
    tx_result: { code: 0, log: "Msg 0: ", gas_wanted: "0", gas_used: "0", tags: null },
    tx: syntheticBase64("transaction", 120)
  }
}

const voting = { validators: [validator], proposer: validator }

const empty = { n_txs: "0", total: "0", total_bytes: "0", txs: null }

/**
 * The answers of a node of the BNB Beacon Chain.
 *
 * @since 0.1.0
 * @category constants
 */
export const bnb: RecordedFamily = {
  height: 385_000_000,
  blockTime: 400,
  protocol: "rpc",
  style: "tendermint",
  recordings: makeRecordings(
    endpoints,
    {
      abciInfo: ({ height }) => ({
        response: {
          data: "BNBChain",
          last_block_height: String(height),
          last_block_app_hash: syntheticBase64(`app ${height}`)
        }
      }),
      abciQuery: ({ height }) => ({ response: { code: 0, key: null, value: null, height: String(height) } }),
      block: (request) => block(request, heightAsked(request)),
      blockResult: (request) => ({
        height: String(heightAsked(request)),
        results: { deliver_tx: null, end_block: { validator_updates: null }, begin_block: {} }
      }),
      blockSearch: (request) => ({ blocks: [block(request, request.height)], total_count: "1" }),
      blockchain: (request) => {
        const newest = request.whole("maxHeight", request.height)
        const oldest = Math.max(request.whole("minHeight", newest), newest - 19)
        const count = Math.max(0, newest - oldest + 1)
        return {
          last_height: String(request.height),
          block_metas: Array.from({ length: count }, (_, i) => meta(request, newest - i))
        }
      },
      broadcastTxAsync: answerSent,
      broadcastTxSync: answerSent,
      broadcastTxCommit: (request) => ({
        check_tx: { code: 0 },
        deliver_tx: { code: 0 },
        hash: syntheticUpperHex(tx(request)),
        height: String(request.height + 1)
      }),
      checkTx: { code: 0, log: "Msg 0: ", gas_wanted: "0", gas_used: "0" },
      commit: (request) => ({
        signed_header: {
          header: header(request, heightAsked(request)),
          commit: commit(request, heightAsked(request))
        },
        canonical: true
      }),
      consensusParams: (request) => ({
        block_height: String(heightAsked(request)),
        consensus_params: consensus
      }),
      consensusState: ({ height, timeOf }) => ({
        round_state: {
          "height/round/step": `${height + 1}/0/1`,
          start_time: new Date(timeOf(height)).toISOString(),
          proposal_block_hash: "",
          locked_block_hash: "",
          valid_block_hash: "",
          height_vote_set: []
        }
      }),
      dumpConsensusState: ({ height, timeOf }) => ({
        round_state: {
          height: String(height + 1),
          round: "0",
          step: 1,
          start_time: new Date(timeOf(height)).toISOString(),
          commit_time: new Date(timeOf(height)).toISOString(),
          validators: voting,
          locked_round: "-1",
          valid_round: "-1",
          votes: [],
          commit_round: "-1",
          last_commit: null,
          last_validators: voting,
          triggered_timeout_precommit: false
        },
        peers: []
      }),
      genesis: {
        genesis: {
          genesis_time: genesisTime,
          chain_id: chain,
          consensus_params: consensus,
          validators: [],
          app_hash: ""
        }
      },
      genesisChunked: {
        chunk: "0",
        total: "1",
        data: Buffer.from(JSON.stringify({ genesis_time: genesisTime, chain_id: chain })).toString("base64")
      },
      header: (request) => ({ header: header(request, heightAsked(request)) }),
      health: {},
      netInfo: { listening: true, listeners: [], n_peers: "0", peers: [] },
      numUnconfirmedTxs: empty,
      unconfirmedTxs: empty,
      status: (request) => ({
        node_info: {
          protocol_version: { p2p: "7", block: "10", app: "0" },
          id: "0".repeat(40),
          listen_addr: "tcp://127.0.0.1:27146",
          network: chain,
          version: "0.32.3",
          channels: "36402021222330380041",
          moniker: "sandbox",
          other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:27147" }
        },
        sync_info: {
          latest_block_hash: hashOf(request.height),
          latest_app_hash: syntheticUpperHex(`app ${request.height}`),
          latest_block_height: String(request.height),
          latest_block_time: timeOf(request, request.height),
          catching_up: false
        },
        validator_info: validator
      }),
      tx: foundTransaction,
      txSearch: (request) => ({ txs: [foundTransaction(request)], total_count: "1" }),
      validators: (request) => ({
        block_height: String(heightAsked(request)),
        validators: [{ ...validator, proposer_priority: "0" }]
      })
    },
    {
      // nodes answer null for an unknown block
      blockByHash: (request: RecordedRequest) =>
        orIfUnknownHash({ block_id: { hash: "", parts: { total: 0, hash: "" } }, block: null }, () =>
          block(request, heightByHash(request))
        ),
      headerByHash: (request: RecordedRequest) =>
        orIfUnknownHash({ header: null }, () => ({ header: header(request, heightByHash(request)) }))
    }
  )
}
