/**
 * Kadena through Chainweb nodes: blocks, cuts, mempools, and Pact, in which contracts are called. Every call says which
 * network and chain it is about: `network: { apiVersion: "0.0", nodeVersion: "mainnet01", chain: "0" }`. Answers keep the
 * names of the wire; their integers are `bigint` (heights, gas, microseconds since 1970), except chain ids, ports and
 * page sizes.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { type BytesForm, base64Url, byFieldName, eachOf, whenTextOrBytes } from "../data/bytes.js"
import { type Failure, get, group, post, put } from "../data/Endpoint.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { toFailure } from "./internal/faults.js"

/**
 * A hash, base64url without padding: 43 characters.
 *
 * @since 0.1.0
 * @category types
 */
export type Hash = string

/**
 * Bytes, base64url without padding.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64Url = string

/**
 * An integer as an argument: above 2^53 a bigint or a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * The name of a network: `mainnet01`, `testnet04`, `development`.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkRef {
  readonly apiVersion: string
  readonly nodeVersion: string
  /** Not used where a call is about all chains. */
  readonly chain?: string | number
}

/**
 * A chain of a network.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainRef extends NetworkRef {
  readonly chain: string | number
}

/**
 * A page of a list: its size, and the `next` of the page before.
 *
 * @since 0.1.0
 * @category types
 */
export interface Paging {
  readonly limit?: Integer
  readonly next?: string
}

/**
 * A page of a range of heights.
 *
 * @since 0.1.0
 * @category types
 */
export interface HeightRange extends Paging {
  readonly minheight?: Integer
  readonly maxheight?: Integer
}

/**
 * A page of a list; `next` is null on the last one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page<A> {
  readonly limit: number
  readonly next: string | null
  readonly items: ReadonlyArray<A>
}

/**
 * A peer of the peer-to-peer network; the id is null if its certificate is from an authority.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly id: string | null
  readonly address: { readonly hostname: string; readonly port: number }
}

/**
 * Hash of a block, and its height.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRef {
  readonly hash: Hash
  readonly height: bigint
}

/**
 * A state of all chains: the newest block of each, by chain id. `weight` is 256 bits, little endian.
 *
 * @since 0.1.0
 * @category types
 */
export interface Cut {
  readonly hashes: Readonly<Record<string, BlockRef>>
  readonly height: bigint
  readonly weight: Base64Url
  readonly origin?: Peer | null
  readonly id?: string
  readonly instance?: string
}

/**
 * A cut to publish, with the peer that has its blocks.
 *
 * @since 0.1.0
 * @category types
 */
export interface NewCut {
  readonly hashes: Readonly<Record<string, { readonly hash: Hash; readonly height: Integer }>>
  readonly height: Integer
  readonly weight: Base64Url
  readonly origin: Peer & { readonly network?: NetworkRef }
  readonly id?: string
  readonly instance?: string
}

/**
 * Header of a block. `adjacents` are the parents on neighbouring chains, by chain id; times are
 * microseconds; `target` and `weight` are 256 bits, little endian.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly hash: Hash
  readonly parent: Hash
  readonly height: bigint
  readonly chainId: number
  readonly chainwebVersion: string
  readonly creationTime: bigint
  readonly epochStart: bigint
  readonly adjacents: Readonly<Record<string, Hash>>
  readonly payloadHash: Hash
  readonly target: Base64Url
  readonly weight: Base64Url
  readonly nonce: string
  readonly featureFlags: bigint
}

/**
 * Transactions of a block (JSON in base64url), and who mined it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Payload {
  readonly transactions: ReadonlyArray<Base64Url>
  readonly minerData: Base64Url
  readonly transactionsHash: Hash
  readonly outputsHash: Hash
  readonly payloadHash: Hash
}

/**
 * Transactions of a block with their outputs, pair by pair (JSON in base64url), and the miner's reward.
 *
 * @since 0.1.0
 * @category types
 */
export interface PayloadWithOutputs {
  readonly transactions: ReadonlyArray<readonly [transaction: Base64Url, output: Base64Url]>
  readonly minerData: Base64Url
  readonly transactionsHash: Hash
  readonly outputsHash: Hash
  readonly payloadHash: Hash
  readonly coinbase: Base64Url
}

/**
 * A block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly header: BlockHeader
  readonly payloadWithOutputs: PayloadWithOutputs
}

/**
 * Bounds of branches: blocks that descend from `lower`, and that those of `upper` descend from.
 *
 * @since 0.1.0
 * @category types
 */
export interface Branch {
  readonly lower: ReadonlyArray<Hash>
  readonly upper: ReadonlyArray<Hash>
}

/**
 * Request keys in a mempool, and where to go on from: a number of the node's start, and one of the
 * transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface PendingTransactions {
  readonly hashes: ReadonlyArray<Hash>
  readonly highwaterMark: readonly [nonce: bigint, since: bigint]
}

/**
 * Whether a transaction is in a mempool, and the transaction (JSON) if it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolEntry {
  readonly tag: "Missing" | "Pending"
  readonly contents?: string
}

/**
 * A node: its version, its chains, and how they were connected from which height on.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeInfo {
  readonly nodeVersion: string
  readonly nodeApiVersion: string
  readonly nodeChains: ReadonlyArray<string>
  readonly nodeNumberOfChains: bigint
  readonly nodeGraphHistory: ReadonlyArray<
    readonly [
      height: bigint,
      graph: ReadonlyArray<readonly [chain: bigint, neighbours: ReadonlyArray<bigint>]>
    ]
  >
  readonly nodePackageVersion?: string
  readonly nodeBlockDelay?: bigint
  readonly nodeGenesisHeights?: ReadonlyArray<readonly [chain: string, height: bigint]>
  readonly nodeHistoricalChains?: ReadonlyArray<
    readonly [
      height: bigint,
      graph: ReadonlyArray<readonly [chain: string, neighbours: ReadonlyArray<string>]>
    ]
  >
  readonly nodeLatestBehaviorHeight?: bigint
  readonly nodeServiceDate?: string | null
}

/**
 * A transaction: its text (JSON), the hash of the text, and the signatures. It is sent as it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface Command {
  readonly cmd: string
  readonly hash: Hash
  readonly sigs: ReadonlyArray<{ readonly sig: string; readonly pubKey?: string } | null>
}

/**
 * A value of Pact: integers are bigints (or objects `{ int }`), decimals numbers (or objects `{ decimal }`),
 * and objects the contract's own.
 *
 * @since 0.1.0
 * @category types
 */
export type PactValue =
  | string
  | bigint
  | number
  | boolean
  | null
  | ReadonlyArray<PactValue>
  | { readonly [name: string]: PactValue }

/**
 * Why a transaction failed.
 *
 * @since 0.1.0
 * @category types
 */
export interface PactError {
  readonly message: string
  readonly type: string
  readonly callStack?: ReadonlyArray<string>
  readonly info?: string
}

/**
 * An event of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface PactEvent {
  readonly name: string
  readonly params: ReadonlyArray<PactValue>
  readonly module: { readonly name: string; readonly namespace: string | null }
  readonly moduleHash: Hash
}

/**
 * Outcome of a transaction. `failure` is an outcome, too: the transaction is on the chain and has paid its
 * gas.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommandResult {
  readonly reqKey: Hash
  readonly txId: bigint | null
  readonly result:
    | { readonly status: "success"; readonly data: PactValue }
    | { readonly status: "failure"; readonly error: PactError }
  readonly gas: bigint
  readonly logs: Hash | null
  readonly continuation: PactValue
  readonly metaData: {
    readonly blockHash?: Hash
    readonly blockHeight?: bigint
    readonly blockTime?: bigint
    readonly prevBlockHash?: Hash
    readonly publicMeta?: PactValue
  } | null
  readonly events?: ReadonlyArray<PactEvent>
}

/**
 * Outcome of a transaction that was tried with all checks, and their warnings.
 *
 * @since 0.1.0
 * @category types
 */
export interface Preflight {
  readonly preflightResult: CommandResult
  readonly preflightWarnings: ReadonlyArray<string>
}

/**
 * Outcome of a call that was tried: the bare result, the result with its warnings, or the complaint of its checks.
 *
 * @since 0.1.0
 * @category types
 */
export type LocalResult =
  | CommandResult
  | Preflight
  | { readonly preflightValidationFailures: ReadonlyArray<string> }

/**
 * A peer to add, and the network, which may also stand beside it.
 *
 * @since 0.1.0
 * @category types
 */
export interface NewPeer extends Partial<NetworkRef> {
  readonly id?: string | null
  readonly address: { readonly hostname: string; readonly port: Integer }
  readonly network?: NetworkRef
}

/**
 * A choice of payloads: hashes, and the heights that they are at, if known.
 *
 * @since 0.1.0
 * @category types
 */
export interface PayloadBatch {
  readonly hashes: ReadonlyArray<Hash | { readonly hash: Hash }>
  readonly heights?: ReadonlyArray<Integer>
}

interface OfNetwork {
  readonly network: NetworkRef
}

interface OfChain {
  readonly network: ChainRef
}

interface Call extends OfNetwork {
  readonly query?: object
}

/** The network's names go to the path, those of `query` beside the others. */
const onChain = (input: Call): Readonly<Record<string, unknown>> => {
  if (!isRecord(input)) throw new Error("the input must be an object")
  const { network, query, ...rest } = input
  return { ...rest, ...query, ...network }
}

/** The same for calls about all chains. */
const onNetwork = (input: Call): Readonly<Record<string, unknown>> => {
  const { chain: _, ...rest } = onChain(input)
  return rest
}

/** Headers as JSON objects; without that, nodes answer with their bytes. */
const asObjects = (input: Call): Readonly<Record<string, unknown>> => ({
  ...onChain(input),
  accept: "application/json;blockheader-encoding=object"
})

/** A peer's network is the caller's note, not part of a cut. */
const toCut = (input: NewCut & OfNetwork): Readonly<Record<string, unknown>> => {
  const { network: _, ...origin } = input.origin ?? {}
  return onNetwork({ ...input, ...(input.origin === undefined ? {} : { origin }) })
}

/** The routing names may also stand beside the peer. */
const toPeer = (input: NewPeer): Readonly<Record<string, unknown>> => {
  const { network, ...own } = input
  const { chain: _, ...rest } = { chain: undefined, ...own, ...network }
  return rest
}

/** Chainweb's nodes refuse a request in plain text. Proxies have texts of their own. */
const callerMessage =
  /^"?(Validation failed|Metadata validation|Execution failed|Error (in|parsing)|Request Key|SPV|Algorithm|Cross chain|(the )?transaction|missing receipt|failed to create|Internal error:|Failure|Illegal|Unsupported|parse)/i

/** Words about data that this node may lack and another one have. */
const elsewhereMessage = /hash not found|not reachable|^internal error/i

/** A block or payload that this node does not have: another branch, or history that it has thrown away. */
const failure = (answer: unknown, status: number, text: string): Failure | undefined =>
  status === 404 && isRecord(answer) && "key" in answer
    ? { messages: [`${String(answer.reason ?? "not found")}: ${String(answer.key)}`], fault: "elsewhere" }
    : toFailure(
        callerMessage.test(text) ? text.slice(0, 2000) : undefined,
        status,
        elsewhereMessage.test(text) ? "elsewhere" : "caller"
      )

const network = "/chainweb/{apiVersion}/{nodeVersion}"
const chain = `${network}/chain/{chain}` as const
const page = "{?limit,next,minheight,maxheight}"

const hash = base64Url(32)

const hashes = eachOf(hash)

/** What has one meaning in all calls. */
const bytesByName = byFieldName({
  blockHash: hash,
  hash,
  headers: hashes,
  listen: hash,
  lower: hashes,
  payloadHash: hash,
  requestKey: hash,
  requestKeys: hashes,
  upper: hashes,
  weight: base64Url(32)
})

/** Payloads by their hashes: a list of them, or an object with one that may tell the height of each. */
const payloads = byFieldName({ hashes: eachOf(whenTextOrBytes(hash, () => bytesByName)) })

const batch: BytesForm = (value, place, args) =>
  (Array.isArray(value) ? hashes : payloads)(value, place, args)

/**
 * The endpoints of Kadena.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  { integers: bigintIntegers, numbers: ["**.chainId", "**.port", "limit"], bytes: bytesByName, failure },
  {
    /** Says that the node is up. */
    checkNodeHealth: get("/health-check").text(),
    /** Version and chains of the node. */
    getNodeInfo: get("/info").returns<NodeInfo>().lists("nodeChains", "nodeGraphHistory"),
    /** Configuration of the node; which fields there are depends on its version. */
    getNodeConfig: get(`${network}/config`)
      .returns<Readonly<Record<string, unknown>>>()
      .args<[input: OfNetwork]>(onNetwork),
    /** Newest blocks of all chains, or those up to a height of the cut. */
    getCurrentCut: get(`${network}/cut`).returns<Cut>().args<
      [
        input: OfNetwork & {
          readonly maxheight?: Integer
          readonly query?: { readonly maxheight?: Integer }
        }
      ]
    >(onNetwork),
    /** Tells the node of newer blocks, and of the peer that has them. */
    publishCut: put(`${network}/cut`).args<[input: NewCut & OfNetwork]>(toCut).noContent().broadcast(),
    /** Peers of the network for cuts. */
    getCutNetworkPeerInfo: get(`${network}/cut/peer`)
      .returns<Page<Peer>>()
      .args<[input: OfNetwork & Paging]>(onNetwork)
      .lists("items"),
    /** Adds a peer to the network for cuts. The node refuses one that it cannot reach. */
    putCutNetworkPeerInfo: put(`${network}/cut/peer`).args<[input: NewPeer]>(toPeer).noContent().write(),
    /** Hashes of blocks, lowest first, those that were given up too. */
    getBlockHashes: get(`${chain}/hash`)
      .returns<Page<Hash>>()
      .args<[input: OfChain & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Hashes of the blocks of branches, highest first. */
    getBlockHashBranches: post(`${chain}/hash/branch${page}`)
      .returns<Page<Hash>>()
      .args<[input: OfChain & Branch & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Blocks, lowest first, those that were given up too. */
    getBlock: get(`${chain}/block`)
      .returns<Page<Block>>()
      .args<[input: OfChain & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Blocks of branches, highest first. */
    getBlockBranches: post(`${chain}/block/branch${page}`)
      .returns<Page<Block>>()
      .args<[input: OfChain & Branch & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Headers of blocks as bytes, lowest first, those that were given up too. */
    getBlockHeaders: get(`${chain}/header`)
      .returns<Page<Base64Url>>()
      .args<[input: OfChain & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Header of a block as bytes. */
    getBlockHeaderByHash: get(`${chain}/header/{blockHash}`)
      .returns<Base64Url>()
      .args<[input: OfChain & { readonly blockHash: Hash }]>(onChain),
    /** Headers of the blocks of branches as bytes, highest first. */
    getBlockHeaderBranches: post(`${chain}/header/branch${page}`)
      .returns<Page<Base64Url>>()
      .args<[input: OfChain & Branch & { readonly query?: HeightRange }]>(onChain)
      .lists("items"),
    /** Headers of blocks as objects, lowest first, those that were given up too. */
    getDecodedBlockHeaders: get(`${chain}/header`)
      .returns<Page<BlockHeader>>()
      .args<[input: OfChain & { readonly query?: HeightRange }]>(asObjects)
      .headers({ accept: "accept" })
      .lists("items"),
    /** Header of a block as an object. */
    getDecodedBlockHeaderByHash: get(`${chain}/header/{blockHash}`)
      .echoes({ hash: "blockHash" })
      .returns<BlockHeader>()
      .args<[input: OfChain & { readonly blockHash: Hash }]>(asObjects)
      .headers({ accept: "accept" }),
    /** Headers of the blocks of branches as objects, highest first. */
    getDecodedBlockHeaderBranches: post(`${chain}/header/branch${page}`)
      .returns<Page<BlockHeader>>()
      .args<[input: OfChain & Branch & { readonly query?: HeightRange }]>(asObjects)
      .headers({ accept: "accept" })
      .lists("items"),
    /** Transactions of a block, by the hash of its payload; its height helps the node to find it. */
    getPayloadByHash: get(`${chain}/payload/{payloadHash}`)
      .echoes({ payloadHash: "payloadHash" })
      .returns<Payload>()
      .args<[input: OfChain & { readonly payloadHash: Hash; readonly height?: Integer }]>(onChain)
      .lists("transactions"),
    /** Transactions of several blocks, in any order; those that the node does not have are left out. */
    getBatchOfBlockPayload: post(`${chain}/payload/batch`)
      .returns<ReadonlyArray<Payload>>()
      .args<[input: OfChain & { readonly body: ReadonlyArray<Hash> | PayloadBatch }]>(onChain)
      .bytes({ body: batch })
      .whole("body")
      .lists(),
    /** Transactions of a block with their outputs. */
    getBlockPayloadWithOutputs: get(`${chain}/payload/{payloadHash}/outputs`)
      .echoes({ payloadHash: "payloadHash" })
      .returns<PayloadWithOutputs>()
      .args<[input: OfChain & { readonly payloadHash: Hash; readonly height?: Integer }]>(onChain)
      .lists("transactions"),
    /** Transactions of several blocks with their outputs, in any order; those that the node does not have are left out. */
    getBatchBlockPayloadWithOutputs: post(`${chain}/payload/outputs/batch`)
      .returns<ReadonlyArray<PayloadWithOutputs>>()
      .args<[input: OfChain & { readonly body: ReadonlyArray<Hash> | PayloadBatch }]>(onChain)
      .bytes({ body: batch })
      .whole("body")
      .lists(),
    /** Request keys in the node's mempool, all or those since an earlier answer. */
    getPendingTransactions: post(`${chain}/mempool/getPending{?nonce,since}`)
      .returns<PendingTransactions>()
      .args<[input: OfChain & { readonly nonce?: Integer; readonly since?: Integer }]>(onChain)
      .noBody()
      .lists("hashes", "highwaterMark"),
    /** Whether transactions are in the node's mempool, by request key. */
    checkPendingTransactionsInMempool: post(`${chain}/mempool/member`)
      .returns<ReadonlyArray<boolean>>()
      .args<[input: OfChain & { readonly headers: ReadonlyArray<Hash> }]>(onChain)
      .whole("headers")
      .lists(),
    /** Transactions in the node's mempool, by request key. */
    lookupMempoolTransactions: post(`${chain}/mempool/lookup`)
      .returns<ReadonlyArray<MempoolEntry>>()
      .args<[input: OfChain & { readonly headers: ReadonlyArray<Hash> }]>(onChain)
      .whole("headers")
      .lists(),
    /** Puts signed transactions (JSON texts) into the node's mempool, past Pact's checks. Safe to repeat. */
    insertTransactionsIntoMempool: put(`${chain}/mempool/insert`)
      .args<[input: OfChain & { readonly body: ReadonlyArray<string> }]>(onChain)
      .whole("body")
      .noContent()
      .broadcast(),
    /** Peers of a chain's network for transactions. */
    getMempoolPeers: get(`${chain}/mempool/peer`)
      .returns<Page<Peer>>()
      .args<[input: OfChain & Paging]>(onChain)
      .lists("items"),
    /** Sends signed transactions, and yields their request keys. Safe to repeat. */
    pactSend: post(`${chain}/pact/api/v1/send`)
      .returns<{ readonly requestKeys: ReadonlyArray<Hash> }>()
      .args<[input: OfChain & { readonly cmds: ReadonlyArray<Command> }]>(onChain)
      .verbatim()
      .broadcast()
      .lists("requestKeys"),
    /** Outcomes of transactions by request key; those that are not on the chain yet are left out. */
    pactPoll: post(`${chain}/pact/api/v1/poll{?confirmationDepth}`)
      .returns<Readonly<Record<Hash, CommandResult>>>()
      .args<
        [
          input: OfChain & {
            readonly requestKeys: ReadonlyArray<Hash>
            readonly confirmationDepth?: Integer
          }
        ]
      >(onChain)
      .numbers([]),
    /** Outcome of a transaction once it is on the chain: the node waits up to two minutes, so allow it that. */
    pactListen: post(`${chain}/pact/api/v1/listen`)
      .echoes({ reqKey: "listen" })
      .returns<CommandResult>()
      .args<[input: OfChain & { readonly listen: Hash }]>(onChain)
      .numbers([]),
    /** Tries a transaction without sending it. A failure of the transaction is an answer, with status `failure`. */
    pactLocal: post(`${chain}/pact/api/v1/local{?preflight,signatureVerification,rewindDepth}`)
      .returns<LocalResult>()
      .args<
        [
          input: OfChain & {
            readonly command: Command
            readonly preflight?: boolean
            readonly signatureVerification?: boolean
            readonly rewindDepth?: Integer
          }
        ]
      >(onChain)
      .whole("command")
      .verbatim()
      .numbers([]),
    /** Proof that the first step of a transfer between chains was taken, for its second step on the target chain. */
    pactSpv: post(`${chain}/pact/spv`)
      .returns<Base64Url>()
      .args<[input: OfChain & { readonly requestKey: Hash; readonly targetChainId: string }]>(onChain)
  }
)

/**
 * The client of Kadena.
 *
 * @since 0.1.0
 * @category clients
 */
export interface KadenaRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Kadena: the cut, of which the height of chain 0 is read.
 *
 * @since 0.1.0
 * @category families
 */
export const kadena: Family<typeof endpoints, KadenaRpc> = {
  endpoints,
  probe: (_, { kadena: { version } = {}, testnet }) =>
    getProbe(`/chainweb/0.0/${version ?? (testnet === true ? "testnet04" : "mainnet01")}/cut`, [
      "hashes",
      "0",
      "height"
    ])
}
