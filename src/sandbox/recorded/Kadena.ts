/** Recordings of Kadena, in chainweb-node's format. */
import { endpoints } from "../../chains/Kadena.js"
import {
  makeRecordings,
  PlainText,
  type RecordedFamily,
  RecordedRefusal,
  type RecordedRequest
} from "./Recording.js"
import { blockHash, heightOfBlockHash, syntheticBytes, syntheticHex } from "./Synthetic.js"

const chains = Array.from({ length: 20 }, (_, chain) => chain)

const base64Url = (buffer: Buffer): string => buffer.toString("base64url")
const token = (seed: string, length = 32): string => base64Url(syntheticBytes(seed, length))

const hashOf = (height: number): string => base64Url(Buffer.from(blockHash(height), "hex"))
const numberOf = (request: RecordedRequest): number => {
  const hash = request.text("blockHash", "")
  return heightOfBlockHash(Buffer.from(hash, "base64url").toString("hex"), request.height, hash)
}

const version = ({ testnet }: RecordedRequest): string => (testnet ? "testnet04" : "mainnet01")
const chainOf = (request: RecordedRequest): number => request.whole("chain", 0)

/** Three neighbours of a chain in the graph of twenty. They need not be the real ones. */
const neighboursOf = (chain: number): ReadonlyArray<number> =>
  [5, 10, 15].map((step) => (chain + step) % chains.length)

const header = (request: RecordedRequest, height: number) => ({
  nonce: "0",
  creationTime: BigInt(Math.floor(request.timeOf(height))) * 1000n,
  parent: hashOf(height - 1),
  adjacents: Object.fromEntries(
    neighboursOf(chainOf(request)).map((chain) => [String(chain), token(`block ${height - 1} of ${chain}`)])
  ),
  target: base64Url(Buffer.alloc(32, 1)),
  payloadHash: token(`payload ${height}`),
  chainId: chainOf(request),
  weight: token("weight"),
  height,
  chainwebVersion: version(request),
  epochStart: BigInt(Math.floor(request.timeOf(height - 120))) * 1000n,
  featureFlags: 0,
  hash: hashOf(height)
})

/** The 318 bytes of a header. Only its height and hash are real. */
const encodeHeader = (height: number): string => {
  const buffer = Buffer.concat([
    syntheticBytes(`header ${height}`, 286),
    Buffer.from(blockHash(height), "hex")
  ])
  return base64Url(buffer)
}

const wantsObjects = ({ accept }: RecordedRequest): boolean => accept.includes("blockheader-encoding=object")

/** Heights of a page, lowest first. */
const heightsOf = (request: RecordedRequest): ReadonlyArray<number> => {
  const highest = Math.min(request.whole("maxheight", request.height), request.height)
  const lowest = Math.min(request.whole("minheight", highest), highest)
  const count = Math.min(highest - lowest + 1, request.whole("limit", 10))
  return Array.from({ length: count }, (_, i) => lowest + i)
}

const makePage = <A>(items: ReadonlyArray<A>) => ({ limit: items.length, items, next: null })

const peers = makePage<never>([])

const minerData = Buffer.from(
  JSON.stringify({ account: "sandbox", predicate: "keys-all", "public-keys": [] })
)

const payload = ({ text }: RecordedRequest, hash = text("payloadHash", token("payload"))) => ({
  transactions: [],
  minerData: base64Url(minerData),
  transactionsHash: token("transactions"),
  outputsHash: token("outputs"),
  payloadHash: hash
})

const outputs = (request: RecordedRequest, hash?: string) => ({
  ...payload(request, hash),
  transactions: [],
  coinbase: base64Url(
    Buffer.from(JSON.stringify({ gas: 0, result: { status: "success", data: "Write succeeded" } }))
  )
})

/** The hashes in a request for several payloads, which has two forms. */
const payloadHashesIn = (body: unknown): ReadonlyArray<string> => {
  const list: unknown = Array.isArray(body) ? body : Object(body).hashes
  return (Array.isArray(list) ? list : []).map((item: unknown) =>
    typeof item === "string" ? item : String(Object(item).hash)
  )
}

const listAsked = ({ body }: RecordedRequest): ReadonlyArray<unknown> => (Array.isArray(body) ? body : [])

const block = (request: RecordedRequest, height: number) => ({
  header: header(request, height),
  payloadWithOutputs: outputs(request, token(`payload ${height}`))
})

const outcome = (request: RecordedRequest, reqKey: string) => ({
  reqKey,
  txId: 1,
  result: { status: "success" as const, data: "Write succeeded" },
  gas: 600,
  logs: token("logs"),
  continuation: null,
  metaData: {
    blockHash: hashOf(request.height),
    blockHeight: request.height,
    blockTime: BigInt(Math.floor(request.timeOf(request.height))) * 1000n,
    prevBlockHash: hashOf(request.height - 1)
  },
  events: []
})

const requestKeys = ({ get }: RecordedRequest): ReadonlyArray<string> => {
  const keys = get("requestKeys")
  return Array.isArray(keys) ? keys.map(String) : []
}

/**
 * The answers of a node of Kadena.
 *
 * @since 0.1.0
 * @category constants
 */
export const kadena: RecordedFamily = {
  unknown: (key) => new RecordedRefusal({ key, reason: "key not found" }, 404),

  height: 6_000_000,
  blockTime: 30_000,
  protocol: "rest",
  error: (message) => ({ reason: message }),
  recordings: makeRecordings(
    endpoints,
    {
      checkNodeHealth: () => new PlainText("Health check OK."),
      getNodeInfo: (request) => ({
        nodeVersion: version(request),
        nodeApiVersion: "0.0",
        nodeChains: chains.map(String),
        nodeNumberOfChains: chains.length,
        nodeGraphHistory: [],
        nodePackageVersion: "2.29",
        nodeBlockDelay: 30_000_000
      }),
      getNodeConfig: (request) => ({ chainwebVersion: version(request), logLevel: "info" }),
      getCurrentCut: (request) => {
        const height = Math.min(
          request.height,
          Math.floor(request.whole("maxheight", request.height * chains.length) / chains.length)
        )
        return {
          origin: null,
          weight: token("weight"),
          height: height * chains.length,
          hashes: Object.fromEntries(
            chains.map((chain) => [String(chain), { height, hash: hashOf(height) }])
          ),
          instance: version(request),
          id: token(`cut ${height}`)
        }
      },
      getCutNetworkPeerInfo: peers,
      getBlockHashes: (request) => makePage(heightsOf(request).map(hashOf)),
      getBlockHashBranches: (request) => makePage(heightsOf(request).map(hashOf)),
      getBlock: (request) => makePage(heightsOf(request).map((height) => block(request, height))),
      getBlockBranches: (request) => makePage(heightsOf(request).map((height) => block(request, height))),
      getPayloadByHash: (request) => payload(request),
      getBatchOfBlockPayload: (request) =>
        payloadHashesIn(request.body).map((hash) => payload(request, hash)),
      getBlockPayloadWithOutputs: (request) => outputs(request),
      getBatchBlockPayloadWithOutputs: (request) =>
        payloadHashesIn(request.body).map((hash) => outputs(request, hash)),
      getPendingTransactions: { hashes: [], highwaterMark: [1, 0] },
      checkPendingTransactionsInMempool: (request) => listAsked(request).map(() => false),
      lookupMempoolTransactions: (request) => listAsked(request).map(() => ({ tag: "Missing" as const })),
      getMempoolPeers: peers,
      pactSend: ({ get }) => {
        const commands = get("cmds")
        return {
          requestKeys: (Array.isArray(commands) ? commands : []).map((command: unknown) =>
            String(Object(command).hash)
          )
        }
      },
      pactPoll: (request) =>
        Object.fromEntries(requestKeys(request).map((key) => [key, outcome(request, key)])),
      pactListen: (request) => outcome(request, request.text("listen", token("request"))),
      pactLocal: (request) => outcome(request, request.text("hash", token("request"))),
      pactSpv: ({ text }) => base64Url(Buffer.from(`proof ${text("requestKey", syntheticHex("request"))}`))
    },
    {
      // one route serves bytes and objects, depending on the caller's `accept`
      getBlockHeaders: (request: RecordedRequest) =>
        makePage(
          heightsOf(request).map((height) =>
            wantsObjects(request) ? header(request, height) : encodeHeader(height)
          )
        ),
      getBlockHeaderByHash: (request: RecordedRequest) =>
        wantsObjects(request) ? header(request, numberOf(request)) : encodeHeader(numberOf(request)),
      getBlockHeaderBranches: (request: RecordedRequest) =>
        makePage(
          heightsOf(request).map((height) =>
            wantsObjects(request) ? header(request, height) : encodeHeader(height)
          )
        )
    }
  )
}
