/** Recordings of Algorand: its nodes (algod) and its indexers. */
import { algodEndpoints, indexerEndpoints } from "../../chains/Algorand.js"
import { answerTransaction } from "./checks/TransactionCheck.js"
import {
  makeRecordings,
  PlainText,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest
} from "./Recording.js"
import { blockHash, encodeBase32, syntheticBase64, syntheticBytes, syntheticHex } from "./Synthetic.js"

const chains = {
  main: { id: "mainnet-v1.0", network: "mainnet", hash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=" },
  test: { id: "testnet-v1.0", network: "testnet", hash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=" }
}
const protocol = "https://github.com/algorandfoundation/specs/tree/236dcc18c9c507d794813ab768e467ea42d1b4d9"
/** The sink of fees, and the source of rewards. */
const feeSink = "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA"
const rewardsPool = "737777777777777777777777777777777777777777777777777UFEJ2CI"
const usdc = 31_566_704
const firstTime = 1_560_211_200
const microalgos = 100_000_000

const chainOf = ({ testnet }: RecordedRequest) => (testnet ? chains.test : chains.main)
const roundAsked = (request: RecordedRequest): number => request.whole("round", request.height)
const hashOf = (round: number): string => encodeBase32(Buffer.from(blockHash(round), "hex"))
const previousHash = (round: number): string =>
  Buffer.from(round > 1 ? blockHash(round - 1) : "00".repeat(32), "hex").toString("base64")
const seconds = ({ timeOf }: RecordedRequest, round: number): number =>
  round === 0 ? firstTime : Math.floor(timeOf(round) / 1000)
const ownerAsked = ({ text }: RecordedRequest): string => text("address", text("accountId", feeSink))
const txId = ({ text }: RecordedRequest): string => text("txid", encodeBase32(syntheticBytes("transaction")))

const asset = ({ whole }: RecordedRequest) => ({
  index: whole("assetId", whole("asset-id", usdc)),
  params: {
    creator: feeSink,
    decimals: 6,
    total: 18_446_744_073_709_551_615n,
    "default-frozen": false,
    name: "USDC",
    "unit-name": "USDC",
    url: "https://www.centre.io/usdc"
  }
})

const holding = (request: RecordedRequest) => ({
  amount: 25_000_000,
  "asset-id": asset(request).index,
  "is-frozen": false
})

const application = ({ whole }: RecordedRequest) => ({
  id: whole("applicationId", whole("application-id", 1)),
  params: {
    "approval-program": "BIEB",
    "clear-state-program": "BIEB",
    creator: feeSink,
    "global-state": [],
    "global-state-schema": { "num-byte-slice": 0, "num-uint": 0 },
    "local-state-schema": { "num-byte-slice": 0, "num-uint": 0 }
  }
})

const localState = (request: RecordedRequest) => ({
  id: application(request).id,
  schema: { "num-byte-slice": 0, "num-uint": 0 },
  "key-value": []
})

const account = (request: RecordedRequest) => ({
  address: ownerAsked(request),
  amount: microalgos,
  "amount-without-pending-rewards": microalgos,
  "pending-rewards": 0,
  rewards: 0,
  "reward-base": 218_288,
  "min-balance": 200_000,
  round: request.height,
  status: "Offline",
  assets: [holding(request)],
  "created-assets": [],
  "created-apps": [],
  "apps-local-state": [],
  "apps-total-schema": { "num-byte-slice": 0, "num-uint": 0 },
  "total-apps-opted-in": 0,
  "total-assets-opted-in": 1,
  "total-created-apps": 0,
  "total-created-assets": 0
})

const box = (request: RecordedRequest) => ({
  name: request.text("name", "b64:").replace(/^b64:/, ""),
  round: request.height,
  value: syntheticBase64("box", 8)
})

const encodeTransaction = (request: RecordedRequest) => ({
  sig: syntheticBase64("signature", 64),
  txn: {
    type: "pay" as const,
    snd: feeSink,
    rcv: ownerAsked(request),
    amt: 1_000_000,
    fee: 1000,
    fv: request.height - 10,
    lv: request.height + 990,
    gen: chainOf(request).id,
    gh: chainOf(request).hash
  }
})

const pendingTransaction = (request: RecordedRequest) => ({
  "pool-error": "",
  "confirmed-round": request.height,
  txn: encodeTransaction(request)
})

const algodBlock = (request: RecordedRequest) => {
  const round = roundAsked(request)
  return {
    block: {
      rnd: round,
      prev: `blk-${hashOf(round - 1)}`,
      seed: syntheticBase64(`seed ${round}`),
      txn: syntheticBase64(`transactions ${round}`),
      ts: seconds(request, round),
      gen: chainOf(request).id,
      gh: chainOf(request).hash,
      proto: protocol,
      fees: feeSink,
      rwd: rewardsPool,
      tc: round
    }
  }
}

const status = (request: RecordedRequest, round = request.height) => ({
  "last-round": round,
  "last-version": protocol,
  "next-version": protocol,
  "next-version-round": round + 1,
  "next-version-supported": true,
  "stopped-at-unsupported-round": false,
  "time-since-last-round": Math.max(0, Math.floor((request.now - request.timeOf(round)) * 1e6)),
  "catchup-time": 0,
  "last-catchpoint": ""
})

const pool = { "top-transactions": [], "total-transactions": 0 }

const error = (message: string) => ({ message })

const answerSent = (request: RecordedRequest) =>
  answerTransaction({
    peers: "algosdk @noble/curves",
    load: () => import("./checks/Algorand.js"),
    find: ({ checkTransactions }) =>
      checkTransactions(Buffer.from(String(request.body), "latin1"), chainOf(request)),
    taken: ({ id }) => ({ txId: id }),
    refused: ({ detail, hash, reason }) =>
      new RecordedRefusal(
        error(
          reason === "unreadable"
            ? `msgpack decode error ${detail}`
            : reason === "signature"
              ? detail
              : `TransactionPool.Remember: transaction ${hash}: ${detail}`
        ),
        400
      ),
    failed: (message) => new RecordedRefusal(error(message), 501)
  })

const common = { height: 52_000_000, blockTime: 2_800, protocol: "rest", error } as const

/**
 * The answers of algod.
 *
 * @since 0.1.0
 * @category constants
 */
export const algod: RecordedFamily = {
  ...common,
  recordings: makeRecordings(algodEndpoints, {
    getGenesis: (request) => ({
      id: "v1.0",
      network: chainOf(request).network,
      proto: protocol,
      fees: feeSink,
      rwd: rewardsPool,
      timestamp: firstTime,
      alloc: [{ addr: rewardsPool, comment: "RewardsPool", state: { algo: 125_000_000_000_000 } }]
    }),
    isHealthy: undefined,
    isReady: undefined,
    getVersions: (request) => ({
      versions: ["v1", "v2"],
      genesis_id: chainOf(request).id,
      genesis_hash_b64: chainOf(request).hash,
      build: {
        branch: "rel/stable",
        build_number: 0,
        channel: "stable",
        commit_hash: syntheticHex("commit", 4),
        major: 4,
        minor: 2
      }
    }),
    getMetrics: ({ height }) =>
      new PlainText(`# TYPE algod_ledger_round counter\nalgod_ledger_round ${height}\n`),
    getAccountInfo: account,
    getAccountAssetInfo: (request) => ({ round: request.height, "asset-holding": holding(request) }),
    getAccountApplicationInfo: (request) => ({
      round: request.height,
      "app-local-state": localState(request)
    }),
    getAccountAssets: (request) => ({
      round: request.height,
      "asset-holdings": [{ "asset-holding": holding(request) }]
    }),
    getApplicationInfo: application,
    getApplicationBoxes: { boxes: [{ name: syntheticBase64("name", 6) }] },
    getApplicationBox: box,
    getAssetInformation: asset,
    getBlock: algodBlock,
    getBlockHashOnly: (request) => ({ blockHash: hashOf(roundAsked(request)) }),
    getBlockTransactionIDs: { blockTxids: [] },
    getBlockLogs: { logs: [] },
    getTransactionProof: {
      hashtype: "sha512_256",
      idx: 0,
      proof: "",
      stibhash: syntheticBase64("stib"),
      treedepth: 0
    },
    getLedgerSupply: ({ height }) => ({
      current_round: height,
      "online-money": 1_900_000_000_000_000,
      "total-money": 10_000_000_000_000_000n
    }),
    getNodeStatus: (request) => status(request),
    getNodeStatusAfterRound: (request) =>
      status(request, Math.max(request.height, request.whole("round", 0) + 1)),
    getTransactionParams: (request) => ({
      "consensus-version": protocol,
      fee: 0,
      "genesis-hash": chainOf(request).hash,
      "genesis-id": chainOf(request).id,
      "last-round": request.height,
      "min-fee": 1000
    }),
    getPendingTransactions: pool,
    getPendingTransactionsByAddress: pool,
    getPendingTransaction: pendingTransaction,
    broadcastTransaction: answerSent,
    simulateTransaction: (request) => ({
      "last-round": request.height,
      version: 2,
      "txn-groups": [
        { "txn-results": [{ "txn-result": { "pool-error": "", txn: encodeTransaction(request) } }] }
      ]
    }),
    compileTeal: ({ body }) => ({ hash: encodeBase32(syntheticBytes(String(body), 36)), result: "BIEB" }),
    disassembleTeal: { result: "#pragma version 4\npushint 1\n" }
  })
}

const transaction = (request: RecordedRequest) => {
  const round = Math.max(0, request.height - 10)
  return {
    id: txId(request),
    "tx-type": "pay" as const,
    sender: feeSink,
    fee: 1000,
    "first-valid": round - 10,
    "last-valid": round + 990,
    "confirmed-round": round,
    "intra-round-offset": 0,
    "round-time": seconds(request, round),
    "genesis-hash": chainOf(request).hash,
    "genesis-id": chainOf(request).id,
    signature: { sig: syntheticBase64("signature", 64) },
    "payment-transaction": { amount: 1_000_000, receiver: ownerAsked(request) }
  }
}

const transactions = (request: RecordedRequest) => ({
  "current-round": request.height,
  transactions: [transaction(request)]
})

const block = (request: RecordedRequest, round: number) => ({
  round,
  timestamp: seconds(request, round),
  "genesis-hash": chainOf(request).hash,
  "genesis-id": chainOf(request).id,
  "previous-block-hash": previousHash(round),
  seed: syntheticBase64(`seed ${round}`),
  "transactions-root": syntheticBase64(`transactions ${round}`),
  "transactions-root-sha256": syntheticBase64(`transactions ${round}`),
  "txn-counter": round,
  transactions: [],
  "upgrade-state": { "current-protocol": protocol },
  rewards: {
    "fee-sink": feeSink,
    "rewards-calculation-round": round,
    "rewards-level": 218_288,
    "rewards-pool": rewardsPool,
    "rewards-rate": 0,
    "rewards-residue": 0
  }
})

/**
 * The answers of an indexer.
 *
 * @since 0.1.0
 * @category constants
 */
export const indexer: RecordedFamily = {
  ...common,
  recordings: makeRecordings(indexerEndpoints, {
    getHealth: ({ height }) => ({
      round: height,
      version: "3.8.0",
      message: String(height),
      "db-available": true,
      "is-migrating": false
    }),
    getAccounts: (request) => ({ "current-round": request.height, accounts: [account(request)] }),
    getAccount: (request) => ({ "current-round": request.height, account: account(request) }),
    getAccountTransactions: transactions,
    getAccountAssets: (request) => ({ "current-round": request.height, assets: [holding(request)] }),
    getAccountCreatedAssets: ({ height }) => ({ "current-round": height, assets: [] }),
    getAccountApplications: ({ height }) => ({ "current-round": height, applications: [] }),
    getAccountAppsLocalState: ({ height }) => ({ "current-round": height, "apps-local-states": [] }),
    getApplications: (request) => ({
      "current-round": request.height,
      applications: [application(request)]
    }),
    getApplication: (request) => ({ "current-round": request.height, application: application(request) }),
    getApplicationBox: box,
    getApplicationBoxes: (request) => ({
      "application-id": application(request).id,
      boxes: [{ name: syntheticBase64("name", 6) }]
    }),
    getApplicationLogs: (request) => ({
      "current-round": request.height,
      "application-id": application(request).id,
      "log-data": []
    }),
    getAssets: (request) => ({ "current-round": request.height, assets: [asset(request)] }),
    getAsset: (request) => ({ "current-round": request.height, asset: asset(request) }),
    getAssetBalances: (request) => ({
      "current-round": request.height,
      balances: [{ address: feeSink, amount: 25_000_000, "is-frozen": false }]
    }),
    getAssetTransactions: transactions,
    getBlockHeaders: (request) => ({
      "current-round": request.height,
      blocks: [block(request, request.whole("min-round", request.height))]
    }),
    getBlock: (request) => block(request, request.whole("roundNumber", request.height)),
    getTransactions: transactions,
    getTransaction: (request) => ({ "current-round": request.height, transaction: transaction(request) })
  })
}
