/** Recordings of Polkadot, in polkadot-sdk's format. */
import { endpoints } from "../../chains/Polkadot.js"
import {
  makeRecordings,
  orIfUnknownHash,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest
} from "./Recording.js"
import { blockHash, blockHashBase58, heightOfBlockHash, syntheticHex } from "./Synthetic.js"

const bytes0x = (seed: string, length?: number) => `0x${syntheticHex(seed, length)}` as const
const hashOf = (height: number) => `0x${blockHash(height)}` as const
const quantity = (value: number) => `0x${value.toString(16)}` as const

const header = (height: number) => ({
  parentHash: hashOf(height - 1),
  number: quantity(height),
  stateRoot: bytes0x(`state ${height}`),
  extrinsicsRoot: bytes0x(`extrinsics ${height}`),
  digest: { logs: [`0x0642414245${syntheticHex(`seal ${height}`, 8)}` as const] }
})

/** The requested block: its hash is the last parameter, or it is the newest. */
const requestedHeight = (request: RecordedRequest, at = 0): number =>
  heightOfBlockHash(request.text(at, ""), request.height)

/** A hash for a number, and a list of hashes for a list. */
const hashes = (request: RecordedRequest) => {
  const first = request.get(0)
  const one = (block: unknown) => hashOf(typeof block === "number" ? block : request.height)
  return Array.isArray(first) ? first.map(one) : one(first)
}

const version = {
  specName: "polkadot",
  implName: "parity-polkadot",
  authoringVersion: 0,
  specVersion: 1_003_000,
  implVersion: 0,
  apis: [["0xdf6acb689907609b", 5]],
  transactionVersion: 26,
  systemVersion: 1
} as const

const votes = { currentWeight: 200, missing: [] }
const round = (number: number) => ({
  round: number,
  totalWeight: 297,
  thresholdWeight: 199,
  prevotes: votes,
  precommits: votes
})

const value = bytes0x("value", 8)

/**
 * The answers of a node of Polkadot.
 *
 * @since 0.1.0
 * @category constants
 */
export const polkadot: RecordedFamily = {
  unknown: (hash) =>
    new RecordedRefusal({
      code: 4003,
      message: `Client error: UnknownBlock: Header was not found in the database: ${hash}`
    }),

  height: 24_000_000,
  blockTime: 6_000,
  protocol: "rpc",
  recordings: makeRecordings(
    endpoints,
    {
      chainGetBlock: (request) =>
        orIfUnknownHash(null, () => ({
          block: { header: header(requestedHeight(request)), extrinsics: [bytes0x("extrinsic", 12)] },
          justifications: null
        })),
      chainGetFinalizedHead: ({ height }) => hashOf(height - 2),
      chainGetHeader: (request) => orIfUnknownHash(null, () => header(requestedHeight(request))),
      stateCall: value,
      stateGetKeysPaged: [bytes0x("key")],
      stateGetMetadata: "0x6d6574610e",
      stateGetReadProof: (request) => ({
        at: hashOf(requestedHeight(request, 1)),
        proof: [bytes0x("proof")]
      }),
      stateGetChildReadProof: (request) => ({
        at: hashOf(requestedHeight(request, 2)),
        proof: [bytes0x("proof")]
      }),
      stateGetRuntimeVersion: version,
      stateGetStorage: value,
      stateGetStorageHash: bytes0x("hash"),
      stateGetStorageSize: 8,
      stateQueryStorageAt: (request) => [
        { block: hashOf(requestedHeight(request, 1)), changes: [[bytes0x("key"), value] as const] }
      ],
      childstateGetKeysPaged: [bytes0x("key")],
      childstateGetStorage: value,
      childstateGetStorageEntries: [value, null],
      childstateGetStorageHash: bytes0x("hash"),
      childstateGetStorageSize: 8,
      systemAccountNextIndex: 7,
      systemChain: ({ testnet }) => (testnet ? "Westend" : "Polkadot"),
      systemChainType: "Live",
      systemHealth: { peers: 20, isSyncing: false, shouldHavePeers: true },
      systemLocalListenAddresses: ["/ip4/127.0.0.1/tcp/30333"],
      systemLocalPeerId: `12D3KooW${blockHashBase58(1)}`,
      systemName: "Sandbox recording",
      systemNodeRoles: ["Full"],
      systemPeers: ({ height }) => [
        {
          peerId: `12D3KooW${blockHashBase58(2)}`,
          roles: "FULL",
          bestHash: hashOf(height),
          bestNumber: height
        }
      ],
      systemProperties: ({ testnet }) =>
        testnet
          ? { ss58Format: 42, tokenDecimals: 12, tokenSymbol: "WND" }
          : { ss58Format: 0, tokenDecimals: 10, tokenSymbol: "DOT" },
      systemSyncState: ({ height }) => ({ startingBlock: 0, currentBlock: height, highestBlock: height }),
      systemVersion: "1.17.0-sandbox",
      authorPendingExtrinsics: [bytes0x("extrinsic", 12)],
      authorSubmitExtrinsic: (request) => bytes0x(request.text(0, "extrinsic")),
      paymentQueryInfo: {
        weight: { ref_time: 149_814_000, proof_size: 3_593 },
        class: "normal",
        partialFee: "154000000"
      },
      paymentQueryFeeDetails: {
        inclusionFee: {
          baseFee: quantity(100_000_000),
          lenFee: quantity(50_000_000),
          adjustedWeightFee: quantity(4_000_000)
        }
      },
      grandpaProveFinality: bytes0x("finality"),
      grandpaRoundState: { setId: 2_900, best: round(7), background: [round(6)] },
      beefyGetFinalizedHead: ({ height }) => hashOf(height - 8),
      rpcMethods: { methods: ["chain_getBlock", "chain_getHeader", "system_health"] }
    },
    // one method has answers of two types
    { chainGetBlockHash: hashes }
  )
}
