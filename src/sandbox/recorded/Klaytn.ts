/**
 * Recordings of Klaytn's methods under their own names (`klay_`). They are not used for a network with a node, which
 * has the methods under Ethereum's names.
 */
import type { RecordedFamily, RecordedRequest } from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

const quantity = (value: number | bigint): string => `0x${value.toString(16)}`
const zeros = `0x${"0".repeat(64)}`
/** 25 gkei, Klaytn's long-standing gas price. */
const gasPrice = 25_000_000_000

const heightByTag = ({ height, text, whole }: RecordedRequest, position = 0): number => {
  const tag = text(position, "latest")
  return tag === "earliest" ? 0 : /^0x[0-9a-f]+$/i.test(tag) ? whole(position, height) : height
}
const heightByHash = ({ height, text }: RecordedRequest): number => heightOfBlockHash(text(0, ""), height)

const block = (request: RecordedRequest, height: number) =>
  height > request.height
    ? null
    : {
        baseFeePerGas: quantity(gasPrice),
        blockscore: "0x1",
        difficulty: "0x1",
        extraData: "0x",
        gasLimit: "0xe8d4a50fff",
        gasUsed: "0x0",
        governanceData: "0x",
        hash: `0x${blockHash(height)}`,
        logsBloom: `0x${"0".repeat(512)}`,
        miner: `0x${"0".repeat(40)}`,
        mixHash: zeros,
        nonce: "0x0000000000000000",
        number: quantity(height),
        parentHash: height === 0 ? zeros : `0x${blockHash(height - 1)}`,
        receiptsRoot: `0x${syntheticHex(`receipts ${height}`)}`,
        reward: `0x${"0".repeat(40)}`,
        sha3Uncles: zeros,
        size: "0x3e8",
        stateRoot: `0x${syntheticHex(`state ${height}`)}`,
        timestamp: quantity(Math.floor(request.timeOf(height) / 1000)),
        timestampFoS: "0x0",
        totalBlockScore: quantity(height + 1),
        totalDifficulty: quantity(height + 1),
        transactions: [],
        transactionsRoot: `0x${syntheticHex(`transactions ${height}`)}`,
        uncles: [],
        voteData: "0x"
      }

const withPosition = (request: RecordedRequest, hash: string, height: number) => ({
  blockHash: `0x${blockHash(height)}`,
  blockNumber: quantity(height),
  from: `0x${syntheticHex("sender", 20)}`,
  to: `0x${syntheticHex("receiver", 20)}`,
  gas: "0x5208",
  gasPrice: quantity(gasPrice),
  hash,
  input: "0x",
  nonce: "0x0",
  transactionIndex: "0x0",
  type: "TxTypeLegacyTransaction",
  typeInt: 0,
  value: "0xde0b6b3a7640000",
  v: "0x4055",
  r: `0x${syntheticHex("r")}`,
  s: `0x${syntheticHex("s")}`,
  chainId: quantity(request.testnet ? 1001 : 8217)
})

const transactionHash = ({ text }: RecordedRequest): string => text(0, zeros)

/** The methods, each without its `klay_`. */
const answers: Readonly<Record<string, unknown>> = {
  blockNumber: ({ height }: RecordedRequest) => quantity(height),
  chainID: ({ testnet }: RecordedRequest) => quantity(testnet ? 1001 : 8217),
  chainId: ({ testnet }: RecordedRequest) => quantity(testnet ? 1001 : 8217),
  gasPrice: quantity(gasPrice),
  maxPriorityFeePerGas: quantity(gasPrice),
  getBalance: quantity(100_000_000_000_000_000_000n),
  getTransactionCount: "0x1",
  getCode: "0x",
  getStorageAt: zeros,
  estimateGas: "0x5208",
  getBlockByHash: (request: RecordedRequest) => block(request, heightByHash(request)),
  getBlockByNumber: (request: RecordedRequest) => block(request, heightByTag(request)),
  getBlockReceipts: [],
  getBlockTransactionCountByHash: "0x0",
  getBlockTransactionCountByNumber: "0x0",
  getTransactionByHash: (request: RecordedRequest) =>
    withPosition(request, transactionHash(request), request.height - 1),
  getTransactionByBlockHashAndIndex: (request: RecordedRequest) =>
    withPosition(
      request,
      `0x${syntheticHex(`transaction of ${heightByHash(request)}`)}`,
      heightByHash(request)
    ),
  getTransactionByBlockNumberAndIndex: (request: RecordedRequest) =>
    withPosition(
      request,
      `0x${syntheticHex(`transaction of ${heightByTag(request)}`)}`,
      heightByTag(request)
    ),
  getTransactionReceipt: (request: RecordedRequest) => ({
    ...withPosition(request, transactionHash(request), request.height - 1),
    transactionHash: transactionHash(request),
    contractAddress: null,
    cumulativeGasUsed: "0x5208",
    effectiveGasPrice: quantity(gasPrice),
    gasUsed: "0x5208",
    logs: [],
    logsBloom: `0x${"0".repeat(512)}`,
    status: "0x1"
  }),
  getLogs: [],
  sendRawTransaction: ({ text }: RecordedRequest) => `0x${syntheticHex(text(0, "transaction"))}`
}

/**
 * The answers of Klaytn to methods under its own names.
 *
 * @since 0.1.0
 * @category constants
 */
export const klaytn: RecordedFamily = {
  unknown: () => null,

  height: 195_000_000,
  blockTime: 1_000,
  protocol: "rpc",
  native: "klay_",
  recordings: [
    ...Object.entries(answers).map(([name, answer]) => ({ method: `klay_${name}`, answer })),
    ...["blockNumber", "chainId"].map((name) => ({ method: `eth_${name}`, answer: answers[name] }))
  ]
}
