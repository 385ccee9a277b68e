/** Recordings of Avalanche's P-Chain and X-Chain, in AvalancheGo's format. */

import { createHash } from "node:crypto"
import { pEndpoints, xEndpoints } from "../../chains/Avalanche.js"
import { encodeBase58 } from "../../chains/internal/base58.js"
import { makeRecordings, type RecordedFamily, RecordedRefusal, type RecordedRequest } from "./Recording.js"
import { base58ToHex, blockHash, heightOfBlockHash, syntheticBytes, syntheticHex } from "./Synthetic.js"

/** CB58: Base58 with the last four bytes of the hash appended. */
const encodeCb58 = (payload: Buffer): string =>
  encodeBase58(Buffer.concat([payload, createHash("sha256").update(payload).digest().subarray(-4)]))

const id = (seed: string): string => encodeCb58(syntheticBytes(seed))
const blockId = (height: number): string => encodeCb58(Buffer.from(blockHash(height), "hex"))

const heightOfId = (text: string, none: number): number =>
  heightOfBlockHash(base58ToHex(text).slice(0, 64), none, text)

const primary = "11111111111111111111111111111111LpoYY"
const fxID = "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ"
const nodeID = `NodeID-${encodeCb58(syntheticBytes("node", 20))}`
const signature = `0x${syntheticHex("signature", 65)}`
const amount = "100000000000"
const utxo = `0x${syntheticHex("utxo", 60)}`

const assetOf = ({ testnet }: RecordedRequest): string =>
  testnet
    ? "U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK"
    : "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z"
const seconds = (request: RecordedRequest, height: number): number =>
  Math.floor(request.timeOf(height) / 1000)
const addressOf = ({ testnet }: RecordedRequest, chain: "P" | "X"): string =>
  `${chain}-${testnet ? "fuji" : "avax"}18jma8ppw3nhx5r4ap8clazz0dps7rv5u${testnet ? "6wmu4t" : "kulre5"}`

const wantsJson = (request: RecordedRequest): boolean => request.text("encoding", "hex") === "json"
const encoding = (request: RecordedRequest) => (wantsJson(request) ? ("json" as const) : ("hex" as const))

/** A transaction that sends coins within its own chain. */
const transaction = (request: RecordedRequest, chain: "P" | "X", txID: string) => ({
  id: txID,
  credentials: [
    chain === "P" ? { signatures: [signature] } : { fxID, credential: { signatures: [signature] } }
  ],
  unsignedTx: {
    networkID: request.testnet ? 5 : 1,
    blockchainID: chain === "P" ? primary : id("X-Chain"),
    inputs: [
      {
        txID: id("input"),
        outputIndex: 0,
        assetID: assetOf(request),
        fxID,
        input: { amount: 2_000_000_000, signatureIndices: [0] }
      }
    ],
    outputs: [
      {
        assetID: assetOf(request),
        fxID,
        output: {
          addresses: [addressOf(request, chain)],
          amount: 1_999_000_000,
          locktime: 0,
          threshold: 1
        }
      }
    ],
    memo: "0x"
  }
})

const block = (request: RecordedRequest, chain: "P" | "X", height: number) => ({
  block: wantsJson(request)
    ? {
        id: blockId(height),
        parentID: blockId(height - 1),
        height,
        time: seconds(request, height),
        txs: [transaction(request, chain, id(`transaction ${height}`))]
      }
    : `0x${syntheticHex(`block ${height} in bytes`, 60)}`,
  encoding: encoding(request)
})

const tx = (request: RecordedRequest, chain: "P" | "X") => ({
  tx: wantsJson(request)
    ? transaction(request, chain, request.text("txID", id("transaction")))
    : `0x${syntheticHex("transaction", 60)}`,
  encoding: encoding(request)
})

const makeUnknownBlock = (hash: string): RecordedRefusal =>
  new RecordedRefusal({ code: -32_000, message: `couldn't get block with id ${hash}: not found` })

const blocks = (chain: "P" | "X") => ({
  getHeight: ({ height }: RecordedRequest) => ({ height: String(height) }),
  getBlock: (request: RecordedRequest) =>
    block(request, chain, heightOfId(request.text("blockID", ""), request.height)),
  getBlockByHeight: (request: RecordedRequest) =>
    block(request, chain, request.whole("height", request.height)),
  getTx: (request: RecordedRequest) => tx(request, chain),
  issueTx: (request: RecordedRequest) => ({ txID: id(request.text("tx", "transaction")) }),
  getUTXOs: (request: RecordedRequest) => ({
    numFetched: "1",
    utxos: [utxo],
    endIndex: { address: addressOf(request, chain), utxo: id("utxo") },
    encoding: "hex" as const
  })
})

const owner = (request: RecordedRequest) => ({
  locktime: "0",
  threshold: "1",
  addresses: [addressOf(request, "P")]
})
const byAsset = (request: RecordedRequest, value: string) => ({ [assetOf(request)]: value })

const validator = (request: RecordedRequest) => ({
  txID: id("validator"),
  startTime: String(seconds(request, request.height - 1_000)),
  endTime: String(seconds(request, request.height + 1_000_000)),
  weight: "2000000000000",
  stakeAmount: "2000000000000",
  nodeID,
  validationRewardOwner: owner(request),
  delegationRewardOwner: owner(request),
  potentialReward: "117431493426",
  accruedDelegateeReward: "0",
  delegationFee: "10.0000",
  uptime: "99.9900",
  connected: true,
  signer: { publicKey: `0x${syntheticHex("bls", 48)}`, proofOfPossession: `0x${syntheticHex("proof", 96)}` },
  delegatorCount: "0",
  delegatorWeight: "0"
})

/**
 * The answers of a node's P-Chain.
 *
 * @since 0.1.0
 * @category constants
 */
export const avalancheP: RecordedFamily = {
  unknown: makeUnknownBlock,

  height: 22_000_000,
  blockTime: 2_000,
  protocol: "rpc",
  recordings: makeRecordings(pEndpoints, {
    ...blocks("P"),
    getProposedHeight: ({ height }) => ({ height: String(height - 10) }),
    getTimestamp: (request) => ({ timestamp: new Date(request.timeOf(request.height)).toISOString() }),
    getTxStatus: { status: "Committed" },
    getBalance: (request) => ({
      balance: amount,
      unlocked: amount,
      lockedStakeable: "0",
      lockedNotStakeable: "0",
      balances: byAsset(request, amount),
      unlockeds: byAsset(request, amount),
      lockedStakeables: {},
      lockedNotStakeables: {},
      utxoIDs: [{ txID: id("transaction"), outputIndex: 0 }]
    }),
    getStake: (request) => ({
      staked: "2000000000000",
      stakeds: byAsset(request, "2000000000000"),
      stakedOutputs: [utxo],
      encoding: "hex" as const
    }),
    getRewardUTXOs: { numFetched: "1", utxos: [utxo], encoding: "hex" },
    getCurrentValidators: (request) => ({ validators: [validator(request)] }),
    getValidatorsAt: { validators: { [nodeID]: 2_000_000_000_000 } },
    getL1Validator: (request) => ({
      subnetID: id("subnet"),
      nodeID,
      publicKey: `0x${syntheticHex("bls", 48)}`,
      remainingBalanceOwner: owner(request),
      deactivationOwner: owner(request),
      startTime: String(seconds(request, request.height - 1_000)),
      weight: "49463",
      minNonce: "0",
      balance: "1000000000",
      height: String(request.height)
    }),
    sampleValidators: { validators: [nodeID] },
    getSubnet: (request) => ({
      isPermissioned: true,
      controlKeys: [addressOf(request, "P")],
      threshold: "1",
      locktime: "0",
      subnetTransformationTxID: primary,
      conversionID: primary,
      managerChainID: primary,
      managerAddress: null
    }),
    getSubnets: (request) => ({
      subnets: [{ id: id("subnet"), controlKeys: [addressOf(request, "P")], threshold: "1" }]
    }),
    getBlockchains: {
      blockchains: [{ id: id("X-Chain"), name: "X-Chain", subnetID: primary, vmID: id("avm") }]
    },
    getBlockchainStatus: { status: "Validating" },
    validatedBy: { subnetID: primary },
    validates: { blockchainIDs: [id("X-Chain")] },
    getCurrentSupply: ({ height }) => ({ supply: "450000000000000000", height: String(height) }),
    getMinStake: { minValidatorStake: "2000000000000", minDelegatorStake: "25000000000" },
    getTotalStake: { stake: "279825917679866811", weight: "279825917679866811" },
    getStakingAssetID: (request) => ({ assetID: assetOf(request) }),
    getFeeConfig: {
      weights: [1, 1_000, 1_000, 4],
      maxCapacity: 1_000_000,
      maxPerSecond: 100_000,
      targetPerSecond: 50_000,
      minPrice: 1,
      excessConversionConstant: 2_164_043
    },
    getFeeState: (request) => ({
      capacity: 1_000_000,
      excess: 0,
      price: 1,
      timestamp: new Date(request.timeOf(request.height)).toISOString()
    })
  })
}

/**
 * The answers of a node's X-Chain.
 *
 * @since 0.1.0
 * @category constants
 */
export const avalancheX: RecordedFamily = {
  unknown: makeUnknownBlock,

  height: 500_000,
  blockTime: 10_000,
  protocol: "rpc",
  recordings: makeRecordings(xEndpoints, {
    ...blocks("X"),
    getTxStatus: { status: "Accepted" },
    getBalance: { balance: amount, utxoIDs: [{ txID: id("transaction"), outputIndex: 0 }] },
    getAllBalances: { balances: [{ asset: "AVAX", balance: amount }] },
    getAssetDescription: (request) => ({
      assetID: assetOf(request),
      name: "Avalanche",
      symbol: "AVAX",
      denomination: "9"
    }),
    getTxFee: { txFee: "1000000", createAssetTxFee: "10000000" }
  })
}
