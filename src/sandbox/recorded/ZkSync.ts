/** Recordings of ZKsync's own methods. A node answers all others, which are Ethereum's. */
import type { Hex } from "../../chains/Evm.js"
import { endpoints } from "../../chains/ZkSync.js"
import { info } from "../../data/Network.js"
import { makeRecordings, type RecordedFamily, type RecordedRequest } from "./Recording.js"
import { syntheticHex } from "./Synthetic.js"

/** The hubs and chains on L1, by whether the network is a testnet. */
const bridgehub = (testnet: boolean): Hex =>
  testnet ? "0x35a54c8c757806eb6820629bc82d90e056394c92" : "0x303a465b659cbb0ab36ee643ea362c509eeb5213"
const ether = "0x0000000000000000000000000000000000000001"
const baseToken = "0x000000000000000000000000000000000000800a"
/** The number of transactions in a block, and of blocks in a batch. */
const perBatch = 100

const hash = (seed: string): Hex => `0x${syntheticHex(seed)}`
const toHexValue = (value: string): Hex => `0x${value.replace(/^0x/, "")}`
const quantity = (value: number): Hex => `0x${value.toString(16)}`

const contracts = { bootloader: hash("bootloader"), default_aa: hash("account") }

const toIsoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

const details = (request: RecordedRequest, number: number, name: string, time: number) => ({
  number,
  timestamp: Math.floor(time / 1000),
  l1TxCount: 0,
  l2TxCount: 1,
  rootHash: hash(`${name} ${number}`),
  status: "verified" as const,
  commitTxHash: hash(`commit ${number}`),
  committedAt: toIsoTime(time + 60_000),
  proveTxHash: hash(`prove ${number}`),
  provenAt: toIsoTime(time + 120_000),
  executeTxHash: hash(`execute ${number}`),
  executedAt: toIsoTime(time + 180_000),
  l1GasPrice: 1_000_000_000,
  l2FairGasPrice: 45_250_000,
  fairPubdataPrice: 5_000_000,
  baseSystemContractsHashes: contracts,
  operatorAddress: `0x${syntheticHex("operator", 20)}` as const,
  protocolVersion: request.testnet ? "Version29" : "Version28"
})

const proof = { proof: [hash("branch")], id: 0, root: hash("root") }

const token = {
  l1Address: ether,
  l2Address: baseToken,
  name: "Ether",
  symbol: "ETH",
  decimals: 18
} as const

/**
 * The answers of ZKsync to methods of its own.
 *
 * @since 0.1.0
 * @category constants
 */
export const zksync: RecordedFamily = {
  height: 65_000_000,
  blockTime: 1_000,
  protocol: "rpc",
  recordings: [
    ...makeRecordings(
      endpoints,
      {
        zksEstimateFee: {
          gas_limit: "0x2371d",
          max_fee_per_gas: "0x2b275d0",
          max_priority_fee_per_gas: "0x0",
          gas_per_pubdata_limit: "0xc350"
        },
        zksGetAllAccountBalances: { [baseToken]: "0x16345785d8a0000" },
        zksGetBaseTokenL1Address: ether,
        zksGetBlockDetails: (request) => {
          const number = request.whole(0, request.height)
          return number > request.height
            ? null
            : {
                ...details(request, number, "block", request.timeOf(number)),
                l1BatchNumber: Math.floor(number / perBatch)
              }
        },
        zksGetBridgeContracts: {
          l1Erc20DefaultBridge: "0x57891966931eb4bb6fb81430e6ce0a03aabde063",
          l2Erc20DefaultBridge: "0x11f943b2c77b743ab90f4a0ae7d5a4e7fca3e102",
          l1WethBridge: null,
          l2WethBridge: null,
          l1SharedDefaultBridge: "0xd7f9f54194c633f36ccd5f3da84ad4a1c38cb2cb",
          l2SharedDefaultBridge: "0x11f943b2c77b743ab90f4a0ae7d5a4e7fca3e102"
        },
        zksGetBridgeHubContract: ({ testnet }) => bridgehub(testnet),
        zksGetBytecodeByHash: null,
        zksGetConfirmedTokens: [token],
        zksGetFeeParams: {
          V2: {
            config: {
              minimal_l2_gas_price: 45_250_000,
              compute_overhead_part: 0,
              pubdata_overhead_part: 1,
              batch_overhead_l1_gas: 800_000,
              max_gas_per_batch: 200_000_000,
              max_pubdata_per_batch: 500_000
            },
            l1_gas_price: 1_000_000_000,
            l1_pubdata_price: 5_000_000,
            conversion_ratio: { numerator: 1, denominator: 1 }
          }
        },
        zksGetL1BatchBlockRange: (request) => {
          const batch = request.whole(0, 0)
          return batch > Math.floor(request.height / perBatch)
            ? null
            : ([quantity(batch * perBatch), quantity(batch * perBatch + perBatch - 1)] as const)
        },
        zksGetL1BatchDetails: (request) => {
          const batch = request.whole(0, 0)
          return batch > Math.floor(request.height / perBatch)
            ? null
            : details(request, batch, "batch", request.timeOf(batch * perBatch))
        },
        zksGetL2ToL1LogProof: proof,
        zksGetL2ToL1MsgProof: proof,
        zksGetMinContract: ({ testnet }) =>
          testnet
            ? "0x9a6de0f62aa270a8bcb1e2610078650d539b1ef9"
            : "0x32400084c286cf3e17e7b677ea9583e60a000324",
        zksGetProof: (request) => {
          const keys = request.get(1)
          return {
            address: toHexValue(request.text(0, baseToken)),
            storageProof: (Array.isArray(keys) ? keys.map(String) : []).map((key, index) => ({
              key: toHexValue(key),
              proof: [hash("branch")],
              value: `0x${"0".repeat(64)}` as const,
              index
            }))
          }
        },
        zksGetProtocolVersion: (request) => ({
          version_id: request.whole(0, 28),
          minorVersion: request.whole(0, 28),
          timestamp: Math.floor(request.now / 1000) - 86_400,
          base_system_contracts: contracts,
          bootloaderCodeHash: contracts.bootloader,
          defaultAccountCodeHash: contracts.default_aa,
          l2_system_upgrade_tx_hash: null
        }),
        zksGetRawBlockTransactions: [],
        zksGetTestnetPaymaster: ({ testnet }) =>
          testnet ? "0x3cb2b87d10ac01736a65688f3e0fb1b070b3eea3" : null,
        zksGetTransactionDetails: (request) => ({
          isL1Originated: false,
          status: "verified" as const,
          fee: "0x37ae4f6d7b40" as const,
          gasPerPubdata: "0xc350" as const,
          initiatorAddress: `0x${syntheticHex(request.text(0, "transaction"), 20)}` as const,
          receivedAt: toIsoTime(request.timeOf(request.height - perBatch)),
          ethCommitTxHash: hash("commit"),
          ethProveTxHash: hash("prove"),
          ethExecuteTxHash: hash("execute")
        }),
        zksSendRawTransactionWithDetailedOutput: ({ text }) => ({
          transactionHash: hash(text(0, "transaction")),
          storageLogs: [],
          events: []
        })
      },
      {
        // quantities, which the client converts to bigint
        zksEstimateGasL1ToL2: quantity(0x2371d),
        zksGetL1GasPrice: quantity(1_000_000_000),
        zksL1BatchNumber: ({ height }: RecordedRequest) => quantity(Math.floor(height / perBatch)),
        zksL1ChainId: ({ testnet }: RecordedRequest) => quantity(testnet ? 11_155_111 : 1)
      }
    ),
    // the height and the chain id while there is no node
    { method: "eth_blockNumber", answer: ({ height }: RecordedRequest) => quantity(height) },
    {
      method: "eth_chainId",
      answer: ({ network }: RecordedRequest) => quantity(info(network).chainId ?? 324)
    }
  ]
}
