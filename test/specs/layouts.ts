/**
 * The programs that a node of each family consists of, as the chains' own descriptions have them: which routes each one serves, and
 * under which path. What no program of a chain serves, it answers with 404.
 */
import type { ServerUrls } from "../../src/config/Config.js"
import type { Family, Network } from "../../src/data/Network.js"

export interface Program {
  /** The option of a node entry that has its url. */
  readonly option: "url" | keyof ServerUrls
  /** The path of its JSON-RPC; none: it has no JSON-RPC. */
  readonly rpc?: string
  /** The digests of its REST routes. */
  readonly files?: ReadonlyArray<string>
  /** The path of a described route at the server; undefined for one that is not this program's. */
  readonly at?: (path: string) => string
  /** Its routes without a description. */
  readonly routes?: ReadonlyArray<string>
}

export interface NodeOf {
  readonly network: Network
  readonly programs: ReadonlyArray<Program>
}

const rpc = (network: Network): NodeOf => ({ network, programs: [{ option: "url", rpc: "" }] })

const rest = (network: Network, ...files: ReadonlyArray<string>): NodeOf => ({
  network,
  programs: [{ option: "url", files }]
})

/** Chainweb's description is relative to the path of the network, but for two routes. */
const chainweb = (path: string): string =>
  path === "/info" || path === "/health-check" ? path : `/chainweb/0.0/{nodeVersion}${path}`

export const nodesOf: { readonly [F in Family]: NodeOf } = {
  evm: rpc("polygon-mainnet"),
  "evm-beacon": {
    network: "ethereum-mainnet",
    programs: [
      { option: "url", rpc: "" },
      { option: "beaconUrl", files: ["beacon"] }
    ]
  },
  "evm-native": rpc("klaytn-mainnet"),
  zksync: rpc("zksync-mainnet"),
  tron: {
    network: "tron-mainnet",
    programs: [
      { option: "url", files: ["client-tron"] },
      { option: "jsonRpcUrl", rpc: "/jsonrpc" }
    ]
  },
  solana: rpc("solana-mainnet"),
  "algorand-algod": rest("algorand-mainnet-algod", "algod"),
  "algorand-indexer": rest("algorand-mainnet-indexer", "algorand-indexer"),
  utxo: rpc("bitcoin-mainnet"),
  "utxo-estimatefee": rpc("bitcoin-cash-mainnet"),
  doge: rpc("doge-mainnet"),
  rostrum: rpc("bch-mainnet-rostrum"),
  electrs: rpc("bitcoin-mainnet-electrs"),
  cardano: rest("cardano-mainnet", "mesh"),
  cosmos: {
    network: "cosmos-mainnet",
    programs: [
      { option: "url", files: ["cosmos"] },
      { option: "rosettaUrl", files: ["mesh"] }
    ]
  },
  casper: { network: "casper-mainnet", programs: [{ option: "url", rpc: "/rpc" }] },
  eos: {
    network: "eos-mainnet",
    programs: [{ option: "url", files: ["eos"], at: (path) => `/v1/chain${path}` }]
  },
  iota: {
    network: "iota-mainnet",
    programs: [
      // the indexer and the explorer are plugins of the node, which serves their routes
      { option: "url", files: ["iota-core", "iota-indexer"], routes: ["/api/explorer/v2/"] },
      { option: "waspUrl", files: ["wasp"] }
    ]
  },
  kadena: { network: "kadena-mainnet", programs: [{ option: "url", files: ["chainweb"], at: chainweb }] },
  stellar: rest("stellar-mainnet", "horizon"),
  tezos: {
    network: "tezos-mainnet",
    programs: [
      {
        option: "url",
        // the description is of what the client asks for: the node has these besides
        files: ["client-tezos"],
        routes: ["/chains/", "/config/", "/errors/", "/injection/", "/network/", "/protocols", "/version/"]
      }
    ]
  },
  ton: {
    network: "ton-mainnet",
    programs: [
      { option: "url", files: ["tonapi"] },
      { option: "tonCenterUrl", files: ["toncenter"] }
    ]
  },
  xrp: rpc("ripple-mainnet"),
  bnb: rpc("bnb-beacon-chain-mainnet"),
  near: rpc("near-mainnet"),
  // the description is of what stands behind /v1
  aptos: {
    network: "aptos-mainnet",
    programs: [{ option: "url", files: ["aptos"], at: (path) => (path === "/" ? "/v1" : `/v1${path}`) }]
  },
  "hedera-mirror": rest("hedera-mainnet-mirror", "hedera-mirror"),
  sui: {
    network: "sui-mainnet",
    programs: [
      { option: "url", rpc: "" },
      { option: "graphqlUrl", routes: ["/graphql"] }
    ]
  },
  polkadot: rpc("dot-mainnet"),
  flow: { network: "flow-mainnet", programs: [{ option: "url", routes: ["/v1/"] }] },
  multiversx: {
    network: "egld-mainnet",
    programs: [
      {
        option: "url",
        routes: [
          "/about",
          "/address/",
          "/block/",
          "/blocks/",
          "/hyperblock/",
          "/network/",
          "/transaction/",
          "/vm-values/"
        ]
      }
    ]
  },
  zilliqa: rpc("zilliqa-mainnet"),
  "avalanche-p": { network: "avax-p-mainnet", programs: [{ option: "url", rpc: "/ext/bc/P" }] },
  "avalanche-x": { network: "avax-x-mainnet", programs: [{ option: "url", rpc: "/ext/bc/X" }] }
}
