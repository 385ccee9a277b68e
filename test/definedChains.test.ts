/** Nodes of networks of one's own, family by family: one of the right chain is taken, and one of another chain is refused. */
import { createServer, type Server } from "node:http"
import * as FastCheck from "effect/FastCheck"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { parameterByFamily } from "../src/config/chainParameters.js"
import { evmFamilies } from "../src/data/Network.js"
import { defineNetwork, type NetworkDefinition } from "../src/define.js"
import { init, type PromiseSdk, type Result } from "../src/promise.js"
import { type SocketNode, startSocketNode } from "./sockets.js"

/** What a node answers: results by JSON-RPC method, and bodies by verb and path. What it lacks it does not know. */
type Answers = Readonly<Record<string, unknown>>

let answers: Answers = {}
let server: Server
let url = ""

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const sent = Buffer.concat(chunks).toString()
    const call = sent === "" ? undefined : JSON.parse(sent)
    response.setHeader("content-type", "application/json")
    if (typeof call?.method === "string") {
      const { id, method } = call
      const said =
        method in answers
          ? { result: answers[method] }
          : { error: { code: -32601, message: "Method not found" } }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }))
      return
    }
    const route = `${request.method} ${request.url}`
    response.statusCode = route in answers ? 200 : 404
    response.end(JSON.stringify(route in answers ? answers[route] : { message: "not found" }))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  url = `http://127.0.0.1:${address.port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** The chains of a family: what they are called, and what a node of one says. */
interface Kind {
  readonly chains: FastCheck.Arbitrary<string>
  readonly node: (chain: string) => Answers
  /** The chain's name in errors. Default: as it is. */
  readonly called?: (chain: string) => string
}

interface Tried extends Kind {
  /** A call to a node of one chain by a client of another one, or of the same. */
  readonly run: (id: string, served: string, defined: string) => Promise<Result<unknown, unknown>>
}

/** A family: its definition of a chain, what its nodes say, and a call to them. */
const family = <const N extends NetworkDefinition>(
  define: (id: string, chain: string) => N,
  kind: Kind,
  read: (sdk: PromiseSdk<N>) => Promise<Result<unknown, unknown>>
): Tried => ({
  ...kind,
  run: async (id, served, defined) => {
    answers = kind.node(served)
    const network = define(id, defined)
    const sdk: PromiseSdk<N> = await init<N>({
      network,
      rpc: { nodes: [{ url }] },
      retryCount: 0,
      quiet: true
    })
    try {
      return await read(sdk)
    } finally {
      await sdk.destroy()
    }
  }
})

const currency = { symbol: "TST", decimals: 6 } as const
const text = (pattern: RegExp) => FastCheck.stringMatching(pattern)
const hash = text(/^[0-9a-f]{64}$/)
const word = text(/^[a-z][a-z0-9-]{2,20}$/)
/** Ids that no network of the table has. */
const number = FastCheck.integer({ min: 3_500_000_000, max: 4_000_000_000 }).map(String)
const base64 = FastCheck.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) =>
  Buffer.from(bytes).toString("base64")
)

const evm: Kind = {
  chains: number,
  node: (chain) => ({ eth_chainId: `0x${Number(chain).toString(16)}`, eth_blockNumber: "0x7" })
}
const bitcoin: Kind = { chains: hash, node: (chain) => ({ getblockhash: chain }) }
const electrum: Kind = {
  chains: hash,
  node: (chain) => ({ "server.features": { genesis_hash: chain.toUpperCase(), hash_function: "sha256" } })
}
const utxo = (genesisHash: string) => ({ genesisHash, pubKeyHash: 1, scriptHash: 2, wif: 3 })
const algorand = (genesisHash: string) => ({ genesisHash, genesisId: "own-v1" })
const avalanche: Kind = { chains: number, node: (chain) => ({ "info.getNetworkID": { networkID: chain } }) }

const masterchain = (rootHash: string) => ({
  init: { workchain: -1, root_hash: rootHash, file_hash: rootHash }
})
const ton = {
  chains: base64,
  called: (chain: string) => Buffer.from(chain, "base64").toString("hex")
}

const families: Readonly<Record<string, Tried>> = {
  evm: family(
    (id, chain) => defineNetwork({ id, family: "evm", chainId: Number(chain), currency }),
    evm,
    ({ rpc }) => rpc.blockNumber()
  ),
  "evm-beacon": family(
    (id, chain) => defineNetwork({ id, family: "evm-beacon", chainId: Number(chain), currency }),
    evm,
    ({ rpc }) => rpc.blockNumber()
  ),
  "evm-native": family(
    (id, chain) => defineNetwork({ id, family: "evm-native", chainId: Number(chain), currency }),
    evm,
    ({ rpc }) => rpc.blockNumber()
  ),
  zksync: family(
    (id, chain) => defineNetwork({ id, family: "zksync", chainId: Number(chain), currency }),
    evm,
    ({ rpc }) => rpc.blockNumber()
  ),
  tron: family(
    (id, chain) => defineNetwork({ id, family: "tron", chainId: Number(chain), currency }),
    evm,
    ({ rpc }) => rpc.blockNumber()
  ),
  cosmos: family(
    (id, chainId) =>
      defineNetwork({
        id,
        family: "cosmos",
        currency,
        cosmos: { chainId, bech32Prefix: "own", denom: "uown" }
      }),
    {
      chains: word,
      node: (network) => ({
        "GET /cosmos/base/tendermint/v1beta1/node_info": { default_node_info: { network } }
      })
    },
    ({ rpc }) => rpc.getNodeInfo()
  ),
  utxo: family(
    (id, chain) => defineNetwork({ id, family: "utxo", currency, utxo: utxo(chain) }),
    bitcoin,
    ({ rpc }) => rpc.getBlockHash(0)
  ),
  "utxo-estimatefee": family(
    (id, chain) => defineNetwork({ id, family: "utxo-estimatefee", currency, utxo: utxo(chain) }),
    bitcoin,
    ({ rpc }) => rpc.getBlockHash(0)
  ),
  doge: family(
    (id, chain) => defineNetwork({ id, family: "doge", currency, utxo: utxo(chain) }),
    bitcoin,
    ({ rpc }) => rpc.getBlockHash(0)
  ),
  rostrum: family(
    (id, genesisHash) => defineNetwork({ id, family: "rostrum", currency, electrum: { genesisHash } }),
    electrum,
    ({ rpc }) => rpc.serverFeatures()
  ),
  electrs: family(
    (id, genesisHash) => defineNetwork({ id, family: "electrs", currency, electrum: { genesisHash } }),
    electrum,
    ({ rpc }) => rpc.serverFeatures()
  ),
  solana: family(
    (id, genesisHash) => defineNetwork({ id, family: "solana", currency, solana: { genesisHash } }),
    { chains: text(/^[1-9A-HJ-NP-Za-km-z]{44}$/), node: (chain) => ({ getGenesisHash: chain }) },
    ({ rpc }) => rpc.getGenesisHash()
  ),
  stellar: family(
    (id, passphrase) => defineNetwork({ id, family: "stellar", currency, stellar: { passphrase } }),
    {
      chains: text(/^[A-Z][a-z]{5,12} ; [a-z]{5}$/),
      node: (chain) => ({ "GET /": { network_passphrase: chain } })
    },
    ({ rpc }) => rpc.getRoot()
  ),
  tezos: family(
    (id, chainId) => defineNetwork({ id, family: "tezos", currency, tezos: { chainId } }),
    {
      chains: text(/^Net[1-9A-HJ-NP-Za-km-z]{12}$/),
      node: (chain) => ({ "GET /chains/main/chain_id": chain })
    },
    ({ rpc }) => rpc.getChainId()
  ),
  "algorand-algod": family(
    (id, chain) => defineNetwork({ id, family: "algorand-algod", currency, algorand: algorand(chain) }),
    { chains: base64, node: (chain) => ({ "GET /v2/transactions/params": { "genesis-hash": chain } }) },
    ({ rpc }) => rpc.getTransactionParams()
  ),
  "algorand-indexer": family(
    (id, chain) => defineNetwork({ id, family: "algorand-indexer", currency, algorand: algorand(chain) }),
    {
      chains: base64,
      node: (chain) => ({
        "GET /v2/blocks/0?header-only=true": { "genesis-hash": chain },
        "GET /health": { round: 7 }
      })
    },
    ({ rpc }) => rpc.getHealth()
  ),
  "algorand-indexer that began later": family(
    (id, chain) => defineNetwork({ id, family: "algorand-indexer", currency, algorand: algorand(chain) }),
    {
      chains: base64,
      node: (chain) => ({
        "GET /v2/transactions?limit=1": { transactions: [{ "genesis-hash": chain }] },
        "GET /health": { round: 7 }
      })
    },
    ({ rpc }) => rpc.getHealth()
  ),
  near: family(
    (id, chainId) => defineNetwork({ id, family: "near", currency, near: { chainId } }),
    { chains: word, node: (chain) => ({ status: { chain_id: chain } }) },
    ({ rpc }) => rpc.status()
  ),
  polkadot: family(
    (id, genesisHash) => defineNetwork({ id, family: "polkadot", currency, polkadot: { genesisHash } }),
    { chains: hash.map((digits) => `0x${digits}`), node: (chain) => ({ chain_getBlockHash: chain }) },
    ({ rpc }) => rpc.chainGetBlockHash(0)
  ),
  cardano: family(
    (id, network) => defineNetwork({ id, family: "cardano", currency, cardano: { network } }),
    {
      chains: word,
      node: (network) => ({
        "POST /network/list": { network_identifiers: [{ blockchain: "cardano", network }] }
      }),
      called: (network) => `cardano ${network}`
    },
    ({ rpc }) => rpc.getNetworkList()
  ),
  xrp: family(
    (id, networkId) => defineNetwork({ id, family: "xrp", currency, xrp: { networkId: Number(networkId) } }),
    {
      chains: number,
      node: (chain) => ({ server_info: { status: "success", info: { network_id: Number(chain) } } })
    },
    ({ rpc }) => rpc.serverInfo()
  ),
  "ton, TonAPI": family(
    (id, rootHash) => defineNetwork({ id, family: "ton", currency, ton: { rootHash } }),
    {
      ...ton,
      node: (chain) => ({
        "GET /v2/liteserver/get_masterchain_info": masterchain(ton.called(chain).toUpperCase())
      })
    },
    ({ rpc }) => rpc.getRawMasterchainInfo()
  ),
  "ton, TON Center": family(
    (id, rootHash) => defineNetwork({ id, family: "ton", currency, ton: { rootHash } }),
    {
      ...ton,
      node: (chain) => ({ "GET /api/v2/getMasterchainInfo": { ok: true, result: masterchain(chain) } })
    },
    ({ rpc }) => rpc.getMasterchainInfo()
  ),
  eos: family(
    (id, chainId) => defineNetwork({ id, family: "eos", currency, eos: { chainId } }),
    { chains: hash, node: (chain) => ({ "POST /v1/chain/get_info": { chain_id: chain } }) },
    ({ rpc }) => rpc.getInfo()
  ),
  casper: family(
    (id, chainName) => defineNetwork({ id, family: "casper", currency, casper: { chainName } }),
    { chains: word, node: (chain) => ({ info_get_status: { chainspec_name: chain } }) },
    ({ rpc }) => rpc.infoGetStatus()
  ),
  flow: family(
    (id, chainId) => defineNetwork({ id, family: "flow", currency, flow: { chainId } }),
    { chains: word, node: (chain) => ({ "GET /v1/network/parameters": { chain_id: chain } }) },
    ({ rpc }) => rpc.getNetworkParameters()
  ),
  iota: family(
    (id, networkName) => defineNetwork({ id, family: "iota", currency, iota: { networkName } }),
    { chains: word, node: (networkName) => ({ "GET /api/core/v2/info": { protocol: { networkName } } }) },
    ({ rpc }) => rpc.getNodeInfo()
  ),
  kadena: family(
    (id, version) => defineNetwork({ id, family: "kadena", currency, kadena: { version } }),
    { chains: word, node: (nodeVersion) => ({ "GET /info": { nodeVersion, nodeChains: [] } }) },
    ({ rpc }) => rpc.getNodeInfo()
  ),
  multiversx: family(
    (id, chainId) => defineNetwork({ id, family: "multiversx", currency, multiversx: { chainId } }),
    {
      chains: word,
      node: (chain) => ({
        "GET /network/config": { code: "successful", error: "", data: { config: { erd_chain_id: chain } } }
      })
    },
    ({ rpc }) => rpc.getNetworkConfig()
  ),
  zilliqa: family(
    (id, networkId) =>
      defineNetwork({ id, family: "zilliqa", currency, zilliqa: { networkId: Number(networkId) } }),
    { chains: number, node: (chain) => ({ GetNetworkId: chain }) },
    ({ rpc }) => rpc.getNetworkId()
  ),
  "avalanche-p": family(
    (id, networkId) =>
      defineNetwork({ id, family: "avalanche-p", currency, avalanche: { networkId: Number(networkId) } }),
    { ...avalanche, node: (chain) => ({ ...avalanche.node(chain), "platform.getHeight": { height: "7" } }) },
    ({ rpc }) => rpc.getHeight()
  ),
  "avalanche-x": family(
    (id, networkId) =>
      defineNetwork({ id, family: "avalanche-x", currency, avalanche: { networkId: Number(networkId) } }),
    { ...avalanche, node: (chain) => ({ ...avalanche.node(chain), "avm.getHeight": { height: "7" } }) },
    ({ rpc }) => rpc.getHeight()
  ),
  bnb: family(
    (id, chainId) => defineNetwork({ id, family: "bnb", currency, bnb: { chainId } }),
    { chains: word, node: (network) => ({ status: { node_info: { network } } }) },
    ({ rpc }) => rpc.status()
  ),
  aptos: family(
    (id, chainId) => defineNetwork({ id, family: "aptos", currency, aptos: { chainId: Number(chainId) } }),
    {
      chains: FastCheck.integer({ min: 4, max: 255 }).map(String),
      node: (chain) => ({ "GET /v1": { chain_id: Number(chain), block_height: "7" } })
    },
    ({ rpc }) => rpc.getLedgerInfo()
  ),
  "hedera-mirror": family(
    (id, genesisHash) => defineNetwork({ id, family: "hedera-mirror", currency, hedera: { genesisHash } }),
    {
      chains: text(/^0x[0-9a-f]{96}$/),
      node: (chain) => ({
        "GET /api/v1/blocks/0": { number: 0, hash: chain },
        "GET /api/v1/blocks?limit=1&order=desc": { blocks: [{ number: 7 }] },
        "GET /api/v1/network/stake": { stake_total: 1 }
      })
    },
    ({ rpc }) => rpc.getNetworkStake()
  ),
  sui: family(
    (id, chainIdentifier) => defineNetwork({ id, family: "sui", currency, sui: { chainIdentifier } }),
    { chains: text(/^[0-9a-f]{8}$/), node: (chain) => ({ sui_getChainIdentifier: chain }) },
    ({ rpc }) => rpc.getChainIdentifier()
  )
}

/** Every definition has an id of its own: two of one id are refused. */
let made = 0
const nextId = () => `chains-${++made}`

describe.each(Object.entries(families))(
  "a defined network of the family %s",
  (_, { called = String, chains, run }) => {
    it("takes a node of its chain, and refuses one of another chain, of which the error says both", async () => {
      const pairs = FastCheck.uniqueArray(chains, { minLength: 2, maxLength: 2 })
      await FastCheck.assert(
        FastCheck.asyncProperty(pairs, async ([right = "", wrong = ""]) => {
          expect(await run(nextId(), right, right)).toMatchObject({ status: "SUCCESS" })
          expect(await run(nextId(), wrong, right)).toMatchObject({
            status: "ERROR",
            error: {
              cause: {
                _tag: "NodeError",
                kind: "wrong-chain",
                message: expect.stringContaining(
                  `the node serves the chain ${called(wrong)}, and not ${called(right)}`
                )
              }
            }
          })
        }),
        { numRuns: 5 }
      )
    })
  }
)

it("every family whose chains have a chain id or parameters is tried here", () => {
  const tried = Object.keys(families).map((name) => name.split(/,| that/)[0])
  expect(new Set(tried)).toEqual(new Set([...evmFamilies, "tron", ...Object.keys(parameterByFamily)]))
})

describe("a socket of a defined network of the XRP Ledger", () => {
  /** Once the node has been asked for its chain and left, the time of a call goes by at once. */
  const passTimeWhenLeft = async (node: SocketNode): Promise<void> => {
    const isLeft = () =>
      node.peers.some(
        ({ isOpen, requests }) => !isOpen() && requests.some(({ method }) => method === "server_info")
      )
    while (!isLeft()) await new Promise((resolve) => setImmediate(resolve))
    // in one jump: no further attempt begins meanwhile
    vi.advanceTimersByTime(30_000)
  }

  const follow = async (served: number, defined: number, meanwhile?: (node: SocketNode) => Promise<void>) => {
    const node = await startSocketNode(async (method, _params, peer) => {
      if (method === "server_info") return { result: { status: "success", info: { network_id: served } } }
      if (method === "ledger") return { result: { status: "success", ledger_current_index: 7 } }
      if (method === "subscribe") peer?.send({ type: "ledgerClosed", ledger_index: 8, ledger_hash: "A" })
      return { result: {} }
    })
    const network = defineNetwork({ id: nextId(), family: "xrp", currency, xrp: { networkId: defined } })
    const sdk = await init({ network, rpc: { nodes: [{ url: node.url }] }, quiet: true, retryCount: 0 })
    const ledgers = sdk.rpc.subscribe.ledger()[Symbol.asyncIterator]()
    if (meanwhile !== undefined) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    try {
      const next = ledgers.next()
      await meanwhile?.(node)
      const { value } = await next
      return { value, asked: node.peers.flatMap(({ requests }) => requests.map(({ method }) => method)) }
    } finally {
      vi.useRealTimers()
      await ledgers.return?.()
      await sdk.destroy()
      await node.close()
    }
  }

  it("is subscribed to at a node of its chain", async () => {
    const { asked, value } = await follow(21_337, 21_337)
    expect(value).toMatchObject({ status: "SUCCESS", data: { ledger_index: 8 } })
    expect(asked).toContain("server_info")
  })

  it("is not at one of another chain, and the stream's error says both", async () => {
    const { asked, value } = await follow(21_338, 21_337, passTimeWhenLeft)
    expect(value).toMatchObject({ status: "ERROR" })
    expect(JSON.stringify(value)).toContain("the node serves the chain 21338, and not 21337")
    expect(asked).not.toContain("subscribe")
  })
})
