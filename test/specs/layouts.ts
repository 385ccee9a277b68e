/**
 * The programs that a node of a family consists of, as the chain's own descriptions have them: which routes each one serves, and
 * under which path. What no program of a chain serves, it answers with 404.
 */
import type { ServerUrls } from "../../src/config/Config.js"
import { type FamilyId, info, isNetwork, type Network, networks } from "../../src/data/Network.js"

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

const rest = (network: Network, ...files: ReadonlyArray<string>): NodeOf => ({
  network,
  programs: [{ option: "url", files }]
})

/** Chainweb's description is relative to the path of the network, but for two routes. */
const chainweb = (path: string): string =>
  path === "/info" || path === "/health-check" ? path : `/chainweb/0.0/{nodeVersion}${path}`

/** Nodes that are more than a JSON-RPC at their url. */
const layouts: { readonly [F in FamilyId]?: NodeOf } = {
  "evm-beacon": {
    network: "ethereum-mainnet",
    programs: [
      { option: "url", rpc: "" },
      { option: "beaconUrl", files: ["beacon"] }
    ]
  },
  tron: {
    network: "tron-mainnet",
    programs: [
      { option: "url", files: ["client-tron"] },
      { option: "jsonRpcUrl", rpc: "/jsonrpc" }
    ]
  },
  "algorand-algod": rest("algorand-mainnet-algod", "algod"),
  "algorand-indexer": rest("algorand-mainnet-indexer", "algorand-indexer"),
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
  "avalanche-p": { network: "avax-p-mainnet", programs: [{ option: "url", rpc: "/ext/bc/P" }] },
  "avalanche-x": { network: "avax-x-mainnet", programs: [{ option: "url", rpc: "/ext/bc/X" }] }
}

/** The first network of a family. */
const networkOf = (family: FamilyId): Network => {
  const found = Object.keys(networks)
    .filter(isNetwork)
    .find((id) => info(id).family === family)
  if (found === undefined) throw new Error(`no network is of the family ${family}`)
  return found
}

/** The programs of a family's node: one alone, with its JSON-RPC at its url, unless its layout is another. */
export const nodeOf = (family: FamilyId): NodeOf =>
  layouts[family] ?? { network: networkOf(family), programs: [{ option: "url", rpc: "" }] }
