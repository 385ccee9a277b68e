/** Recordings of MultiversX, in the format of its proxy. */
import { endpoints } from "../../chains/MultiversX.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

const metachain = 4_294_967_295
const roundsPerEpoch = 14_400
const egld = "1000000000000000000"
const token = "SANDBOX-1a2b3c"
const contract = "erd1qqqqqqqqqqqqqpgq0lzzvt2faev4upyf586tg38s84d7zsaj2jpsglugga"

const wrapData = <A>(data: A) => ({ data, error: "", code: "successful" })

const epochOf = (height: number): number => Math.floor(height / roundsPerEpoch)
const seconds = (request: RecordedRequest, height: number): number =>
  Math.floor(request.timeOf(height) / 1000)
const addressAsked = ({ text }: RecordedRequest): string => text("address", contract)
const info = ({ height }: RecordedRequest) => ({
  hash: blockHash(height),
  nonce: height,
  rootHash: syntheticHex(`state ${height}`)
})

/** The requested block, by nonce or by hash. */
const requestedNonce = (request: RecordedRequest): number =>
  request.whole("nonce", heightOfBlockHash(request.text("hash", ""), request.height))

const result = (hash: string) => ({
  hash: syntheticHex(`result of ${hash}`),
  nonce: 8,
  value: 50_000_000_000_000n,
  receiver: contract,
  sender: contract,
  data: "@6f6b",
  prevTxHash: hash,
  originalTxHash: hash,
  gasLimit: 0,
  gasPrice: 1_000_000_000,
  callType: 0,
  operation: "transfer",
  isRefund: true
})

const transaction = (request: RecordedRequest, hash: string, height = request.height - 3) => ({
  type: "normal",
  processingTypeOnSource: "MoveBalance",
  processingTypeOnDestination: "MoveBalance",
  hash,
  nonce: 7,
  round: height,
  epoch: epochOf(height),
  value: egld,
  receiver: contract,
  sender: contract,
  gasPrice: 1_000_000_000,
  gasLimit: 50_000,
  gasUsed: 50_000,
  signature: syntheticHex("signature", 64),
  sourceShard: 1,
  destinationShard: 1,
  blockNonce: height,
  blockHash: blockHash(height),
  miniblockType: "TxBlock",
  miniblockHash: syntheticHex(`miniblock ${height}`),
  hyperblockNonce: height,
  hyperblockHash: blockHash(height),
  timestamp: seconds(request, height),
  status: "success",
  operation: "transfer",
  chainID: request.testnet ? "T" : "1",
  version: 2,
  options: 0,
  initiallyPaidFee: "50000000000000",
  fee: "50000000000000",
  ...(request.text("withResults", "") === "true" ? { smartContractResults: [result(hash)] } : {})
})

const block = (request: RecordedRequest, shard: number, height: number) => ({
  nonce: height,
  round: height,
  epoch: epochOf(height),
  shard,
  numTxs: 1,
  hash: blockHash(height),
  prevBlockHash: blockHash(height - 1),
  stateRootHash: syntheticHex(`state ${height}`),
  accumulatedFees: "50000000000000",
  developerFees: "0",
  status: "on-chain",
  timestamp: seconds(request, height),
  miniBlocks: [
    {
      hash: syntheticHex(`miniblock ${height}`),
      type: "TxBlock",
      processingType: "Normal",
      constructionState: "Final",
      sourceShard: shard,
      destinationShard: shard,
      indexOfFirstTxProcessed: 0,
      indexOfLastTxProcessed: 0,
      ...(request.text("withTxs", "") === "true"
        ? { transactions: [transaction(request, syntheticHex(`transaction ${height}`), height)] }
        : {})
    }
  ]
})

const hyperblock = (request: RecordedRequest, height: number) => ({
  nonce: height,
  round: height,
  epoch: epochOf(height),
  hash: blockHash(height),
  prevBlockHash: blockHash(height - 1),
  stateRootHash: syntheticHex(`state ${height}`),
  numTxs: 1,
  accumulatedFees: "50000000000000",
  developerFees: "0",
  status: "on-chain",
  timestamp: seconds(request, height),
  shardBlocks: [
    {
      hash: syntheticHex(`shard block ${height}`),
      nonce: height,
      round: height,
      shard: 1,
      rootHash: syntheticHex("root")
    }
  ],
  transactions: [transaction(request, syntheticHex(`transaction ${height}`), height)]
})

const nft = (request: RecordedRequest) => ({
  tokenIdentifier: `${token}-0${request.text("nonce", "1")}`,
  balance: "1",
  properties: "",
  nonce: request.whole("nonce", 1),
  name: "Sandbox",
  creator: contract,
  royalties: "500",
  hash: null,
  uris: ["aHR0cHM6Ly9leGFtcGxlLmNvbQ=="],
  attributes: null
})

/**
 * The answers of a proxy.
 *
 * @since 0.1.0
 * @category constants
 */
export const multiversx: RecordedFamily = {
  unknown: () => new RecordedRefusal({ data: null, error: "block not found", code: "internal_issue" }, 500),

  height: 25_000_000,
  blockTime: 6_000,
  protocol: "rest",
  error: (error, status) => ({ data: null, error, code: status === 400 ? "bad_request" : "internal_issue" }),
  recordings: makeRecordings(endpoints, {
    getAbout: wrapData({ appVersion: "v1.3.0", commitID: "sandbox" }),
    getNetworkConfig: (request) =>
      wrapData({
        config: {
          erd_adaptivity: "false",
          erd_chain_id: request.testnet ? "T" : "1",
          erd_denomination: 18,
          erd_extra_gas_limit_guarded_tx: 50_000,
          erd_extra_gas_limit_relayed_tx: 50_000,
          erd_gas_per_data_byte: 1_500,
          erd_gas_price_modifier: "0.01",
          erd_hysteresis: "0.200000",
          erd_latest_tag_software_version: "v1.9.0",
          erd_max_gas_per_transaction: 600_000_000,
          erd_meta_consensus_group_size: 400,
          erd_min_gas_limit: 50_000,
          erd_min_gas_price: 1_000_000_000,
          erd_min_transaction_version: 1,
          erd_num_metachain_nodes: 400,
          erd_num_nodes_in_shard: 400,
          erd_num_shards_without_meta: 3,
          erd_rewards_top_up_gradient_point: "2000000000000000000000000",
          erd_round_duration: 6_000,
          erd_rounds_per_epoch: roundsPerEpoch,
          erd_shard_consensus_group_size: 63,
          erd_start_time: 1_596_117_600,
          erd_top_up_factor: "0.500000"
        }
      }),
    getNetworkStatus: (request) =>
      wrapData({
        status: {
          erd_block_timestamp: seconds(request, request.height),
          erd_cross_check_block_height: `0: ${request.height}, 1: ${request.height}, 2: ${request.height}, `,
          erd_current_round: request.height,
          erd_epoch_number: epochOf(request.height),
          erd_highest_final_nonce: request.height - 1,
          erd_nonce: request.height,
          erd_nonce_at_epoch_start: epochOf(request.height) * roundsPerEpoch,
          erd_nonces_passed_in_current_epoch: request.height % roundsPerEpoch,
          erd_round_at_epoch_start: epochOf(request.height) * roundsPerEpoch,
          erd_rounds_passed_in_current_epoch: request.height % roundsPerEpoch,
          erd_rounds_per_epoch: roundsPerEpoch
        }
      }),
    getNetworkEconomics: ({ height }) =>
      wrapData({
        metrics: {
          erd_dev_rewards: egld,
          erd_epoch_for_economics_data: epochOf(height) - 1,
          erd_inflation: egld,
          erd_total_base_staked_value: "8000000000000000000000000",
          erd_total_fees: egld,
          erd_total_supply: "28000000000000000000000000",
          erd_total_top_up_value: "6000000000000000000000000"
        }
      }),
    getEnableEpochs: wrapData({ enableEpochs: { erd_smart_contract_deploy_enable_epoch: 1 } }),
    getTokens: wrapData({ tokens: [token] }),
    getFungibleTokens: wrapData({ tokens: [token] }),
    getSemiFungibleTokens: wrapData({ tokens: [] }),
    getNonFungibleTokens: wrapData({ tokens: [] }),
    getTokenSupply: wrapData({
      supply: "1000000",
      minted: "0",
      burned: "0",
      initialMinted: "1000000",
      recomputedSupply: false
    }),
    getAccount: (request) =>
      wrapData({
        account: {
          address: addressAsked(request),
          nonce: 7,
          balance: "100000000000000000000",
          username: "",
          code: "",
          codeHash: null,
          rootHash: null,
          codeMetadata: null,
          developerReward: "0",
          ownerAddress: ""
        },
        blockInfo: info(request)
      }),
    getBalance: (request) => wrapData({ balance: "100000000000000000000", blockInfo: info(request) }),
    getNonce: (request) => wrapData({ nonce: 7, blockInfo: info(request) }),
    getUsername: (request) => wrapData({ username: "", blockInfo: info(request) }),
    getCodeHash: (request) => wrapData({ codeHash: "", blockInfo: info(request) }),
    getStorage: (request) => wrapData({ pairs: { "6b6579": "76616c7565" }, blockInfo: info(request) }),
    getStorageValue: (request) => wrapData({ value: "76616c7565", blockInfo: info(request) }),
    getShard: wrapData({ shardID: 1 }),
    getGuardianData: (request) => wrapData({ guardianData: { guarded: false }, blockInfo: info(request) }),
    getAccountTokens: (request) =>
      wrapData({
        esdts: { [token]: { tokenIdentifier: token, balance: "1000", properties: "" } },
        blockInfo: info(request)
      }),
    getAccountToken: (request) =>
      wrapData({
        tokenData: {
          tokenIdentifier: request.text("tokenIdentifier", token),
          balance: "1000",
          properties: ""
        },
        blockInfo: info(request)
      }),
    getAccountNft: (request) => wrapData({ tokenData: nft(request), blockInfo: info(request) }),
    getTokenRoles: (request) =>
      wrapData({ roles: { [token]: ["ESDTRoleLocalMint"] }, blockInfo: info(request) }),
    getTokensWithRole: (request) => wrapData({ tokens: [token], blockInfo: info(request) }),
    getRegisteredNfts: (request) => wrapData({ tokens: [], blockInfo: info(request) }),
    getTransaction: (request) =>
      wrapData({ transaction: transaction(request, request.text("txHash", syntheticHex("transaction"))) }),
    getTransactionStatus: wrapData({ status: "success" }),
    getTransactionProcessStatus: wrapData({ status: "success", reason: "" }),
    sendTransaction: (request) => wrapData({ txHash: syntheticHex(`sent ${request.text("signature", "")}`) }),
    sendTransactions: ({ body }) => {
      const count = Array.isArray(body) ? body.length : 0
      return wrapData({
        txsSent: count,
        txsHashes: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [String(i), syntheticHex(`sent ${i}`)])
        )
      })
    },
    simulateTransaction: wrapData({ result: { status: "success", hash: syntheticHex("simulated") } }),
    getTransactionCost: wrapData({ txGasUnits: 50_000, returnMessage: "", smartContractResults: {} }),
    getBlockByNonce: (request) =>
      wrapData({ block: block(request, request.whole("shard", metachain), requestedNonce(request)) }),
    getBlockByHash: (request) =>
      wrapData({ block: block(request, request.whole("shard", metachain), requestedNonce(request)) }),
    getBlocksByRound: (request) =>
      wrapData({
        blocks: [0, 1, 2, metachain].map((shard) =>
          block(request, shard, request.whole("round", request.height))
        )
      }),
    getHyperblockByNonce: (request) => wrapData({ hyperblock: hyperblock(request, requestedNonce(request)) }),
    getHyperblockByHash: (request) => wrapData({ hyperblock: hyperblock(request, requestedNonce(request)) }),
    queryVm: (request) =>
      wrapData({
        data: {
          returnData: ["Kg=="],
          returnCode: "ok",
          returnMessage: "",
          gasRemaining: 18_446_744_073_685_949_187n,
          gasRefund: 0,
          outputAccounts: {},
          deletedAccounts: [],
          touchedAccounts: [],
          logs: []
        },
        blockInfo: info(request)
      }),
    queryVmHex: (request) => wrapData({ data: "2a", blockInfo: info(request) }),
    queryVmString: (request) => wrapData({ data: "*", blockInfo: info(request) }),
    queryVmInt: (request) => wrapData({ data: "42", blockInfo: info(request) })
  })
}
