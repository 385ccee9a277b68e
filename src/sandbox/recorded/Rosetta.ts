/** Recordings of chains behind Rosetta: Cardano, and a part of Cosmos. */
import { rosettaEndpoints } from "../../chains/Cardano.js"
import {
  makeRecordings,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest,
  type Recording
} from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

/** What differs between the chains. */
interface RosettaChain {
  readonly blockchain: string
  readonly networks: { readonly main: string; readonly test: string }
  readonly currency: { readonly symbol: string; readonly decimals: number }
  readonly first: (testnet: boolean) => { readonly hash: string; readonly index: number }
  readonly operations: ReadonlyArray<string>
  readonly parameters?: Readonly<Record<string, string | number>>
}

const makeObjects = (chain: RosettaChain) => {
  const { currency } = chain
  const hashOf = ({ testnet }: RecordedRequest, index: number): string => {
    const first = chain.first(testnet)
    return index === first.index ? first.hash : blockHash(index)
  }
  const blockAt = (request: RecordedRequest, index: number) => ({ hash: hashOf(request, index), index })
  /** The requested block: by index, by hash, or the newest one. */
  const requestedIndex = (request: RecordedRequest): number => {
    const hash = request.get("block_identifier.hash")
    const index = request.whole("block_identifier.index", request.height)
    if (typeof hash !== "string") return index
    const { testnet } = request
    return hash === chain.first(testnet).hash ? chain.first(testnet).index : heightOfBlockHash(hash, index)
  }
  const account = ({ text }: RecordedRequest): string =>
    text("account_identifier.address", `${chain.blockchain}1`)
  const amount = (value: string) => ({ value, currency })
  const transaction = (request: RecordedRequest) => ({
    transaction_identifier: {
      hash: request.text("transaction_identifier.hash", syntheticHex("transaction"))
    },
    operations: [
      {
        operation_identifier: { index: 0 },
        type: chain.operations[0] ?? "transfer",
        status: "success",
        account: { address: account(request) },
        amount: amount("-1000000")
      }
    ]
  })
  const answerSent = (request: RecordedRequest) => ({
    transaction_identifier: { hash: syntheticHex(request.text("signed_transaction", "transaction")) }
  })
  return { account, amount, requestedIndex, at: blockAt, answerSent, transaction }
}

/**
 * Recordings of a chain behind Rosetta.
 *
 * @since 0.1.0
 * @category constants
 */
export const makeRosettaRecordings = (chain: RosettaChain): ReadonlyArray<Recording> => {
  const { account, amount, requestedIndex, at, answerSent, transaction } = makeObjects(chain)
  return makeRecordings(rosettaEndpoints, {
    getNetworkList: ({ testnet }) => ({
      network_identifiers: [
        { blockchain: chain.blockchain, network: testnet ? chain.networks.test : chain.networks.main }
      ]
    }),
    getNetworkStatus: (request) => ({
      current_block_identifier: at(request, request.height),
      current_block_timestamp: Math.floor(request.timeOf(request.height)),
      genesis_block_identifier: chain.first(request.testnet),
      sync_status: {
        current_index: request.height,
        target_index: request.height,
        stage: "synced",
        synced: true
      },
      peers: []
    }),
    getNetworkOptions: {
      version: { rosetta_version: "1.4.13", node_version: "sandbox recording" },
      allow: {
        operation_statuses: [
          { status: "success", successful: true },
          { status: "invalid", successful: false }
        ],
        operation_types: chain.operations,
        errors: [{ code: 4001, message: "Block not found", retriable: false }],
        historical_balance_lookup: true,
        call_methods: [],
        balance_exemptions: [],
        mempool_coins: false
      }
    },
    getBlock: (request) => {
      const index = requestedIndex(request)
      return {
        block: {
          block_identifier: at(request, index),
          parent_block_identifier: at(request, Math.max(chain.first(request.testnet).index, index - 1)),
          timestamp: Math.floor(request.timeOf(index)),
          transactions: []
        }
      }
    },
    getBlockTransaction: (request) => ({ transaction: transaction(request) }),
    getMempool: { transaction_identifiers: [] },
    getMempoolTransaction: (request) => ({ transaction: transaction(request) }),
    getAccountBalance: (request) => ({
      block_identifier: at(request, requestedIndex(request)),
      balances: [amount("100000000")]
    }),
    getAccountCoins: (request) => ({
      block_identifier: at(request, request.height),
      coins: [
        {
          coin_identifier: { identifier: `${syntheticHex(`coin ${account(request)}`)}:0` },
          amount: amount("100000000")
        }
      ]
    }),
    deriveAccount: (request) => {
      const address = `${chain.blockchain}_${syntheticHex(request.text("public_key.hex_bytes", "key"), 20)}`
      return { address, account_identifier: { address } }
    },
    constructionPreprocess: { options: { relative_ttl: 1000, transaction_size: 300 } },
    getTransactionConstructionMetadata: ({ height }) => ({
      metadata: { ttl: String(height + 1000), ...chain.parameters },
      suggested_fee: [amount("170000")]
    }),
    generateUnsignedTransactionAndSigningPayloads: (request) => ({
      unsigned_transaction: syntheticHex("unsigned", 60),
      payloads: [
        {
          account_identifier: { address: account(request) },
          hex_bytes: syntheticHex("payload"),
          signature_type: "ed25519" as const
        }
      ]
    }),
    createNetworkTransaction: (request) => ({
      signed_transaction: `${request.text("unsigned_transaction", "")}${syntheticHex("signature", 64)}`
    }),
    parseTransaction: (request) => ({
      operations: transaction(request).operations,
      account_identifier_signers: request.get("signed") === true ? [{ address: account(request) }] : []
    }),
    getHashOfTransaction: answerSent,
    submitTransaction: answerSent,
    getEventsBlocks: (request) => ({
      max_sequence: request.height,
      events: [
        {
          sequence: request.height,
          block_identifier: at(request, request.height),
          type: "block_added" as const
        }
      ]
    }),
    searchTransactions: (request) => ({
      transactions: [
        { block_identifier: at(request, request.height - 1), transaction: transaction(request) }
      ],
      total_count: 1
    })
  })
}

const makeRosettaError = (message: string, status: number) => ({
  code: status,
  message,
  retriable: false
})

/** Rosetta's error for an unknown block. */
export const makeUnknownBlock = (): RecordedRefusal =>
  new RecordedRefusal({ code: 4001, message: "Block not found", retriable: false }, 500)

/**
 * The answers of Cardano. Blocks are counted from Byron's first one.
 *
 * @since 0.1.0
 * @category constants
 */
export const cardano: RecordedFamily = {
  unknown: makeUnknownBlock,

  height: 12_000_000,
  blockTime: 20_000,
  protocol: "rest",
  error: makeRosettaError,
  absent: 500,
  recordings: makeRosettaRecordings({
    blockchain: "cardano",
    networks: { main: "mainnet", test: "preprod" },
    currency: { symbol: "ADA", decimals: 6 },
    first: (testnet) => ({
      hash: testnet
        ? "d4b8de7a11d929a323373cbab6c1a9bdc931beffff11db111cf9d57356ee1937"
        : "5f20df933584822601f9e3f8c024eb5eb252fe8cefb24d1317dc3d432e940ebb",
      index: 0
    }),
    operations: ["input", "output", "stakeKeyRegistration", "stakeDelegation", "withdrawal"]
  })
}
