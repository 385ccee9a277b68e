/** Which of our tables which description is about, and where the two differ on purpose. */
import { algodEndpoints, indexerEndpoints } from "../../src/chains/Algorand.js"
import * as Beacon from "../../src/chains/Beacon.js"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Bnb from "../../src/chains/Bnb.js"
import * as Casper from "../../src/chains/Casper.js"
import * as Iota from "../../src/chains/Iota.js"
import * as Kadena from "../../src/chains/Kadena.js"
import * as Solana from "../../src/chains/Solana.js"
import * as Stellar from "../../src/chains/Stellar.js"
import * as Ton from "../../src/chains/Ton.js"
import * as ZkSync from "../../src/chains/ZkSync.js"

/** What one side has and the other has not, and why. A pattern that fits nothing is a mistake in this list. */
type Reasons = ReadonlyArray<readonly [what: RegExp, reason: string]>

export interface Described {
  readonly family: string
  readonly endpoints: object
  readonly files: ReadonlyArray<string>
  /** Our path as the description writes it. */
  readonly written?: (path: string) => string
  /** Ours, of which the description says nothing: `VERB /path` or the name of the method. */
  readonly ours: Reasons
  /** Theirs, which our table leaves out. */
  readonly theirs: Reasons
}

const operators = "administers a node; the client talks to nodes of others"
const stream = "a stream of events; the table is of requests that have one answer"

/** Families whose nodes are asked over REST. */
export const rest: ReadonlyArray<Described> = [
  {
    family: "algod",
    endpoints: algodEndpoints,
    files: ["algod.oas3.yml"],
    ours: [],
    theirs: [
      [/^\w+ \/debug\/settings\//, operators],
      [/^\w+ \/v2\/(catchup|participation|node)\b/, operators],
      [/^POST \/v2\/shutdown$/, operators],
      [/^GET \/swagger\.json$/, "the description itself"]
    ]
  },
  { family: "indexer", endpoints: indexerEndpoints, files: ["indexer.oas3.yml"], ours: [], theirs: [] },
  {
    family: "Stellar",
    endpoints: Stellar.endpoints,
    files: ["horizon.yml"],
    ours: [
      [/^GET \/(health)?$/, "Horizon has it; the description begins below it"],
      [/^GET \/friendbot$/, "of test networks only, beside Horizon"]
    ],
    theirs: []
  },
  {
    family: "TON",
    endpoints: Ton.endpoints,
    files: ["tonapi.yml"],
    ours: [
      [/^(GET|POST) \/(?!v2\/)/, "the classic API of another server (TON Center)"],
      [/^GET \/v2\/experimental\//, "older than the description: taken out of it since"],
      [/^POST \/v2\/wallet\/backup$/, "older than the description: taken out of it since"]
    ],
    theirs: [
      [/^GET \/v2\/blockchain\/blocks\/\{block_id\}\/boc$/, "newer; answers with a file, not with JSON"]
    ]
  },
  {
    family: "Kadena",
    endpoints: Kadena.endpoints,
    files: ["chainweb.yaml"],
    // the description has api version and network in its server
    written: (path) =>
      path.replace("/chainweb/{apiVersion}/{nodeVersion}", "").replace("/pact/spv", "/pact/spv"),
    ours: [],
    theirs: [
      [/\/mining\//, "for miners"],
      [/backup/, operators],
      [/\/updates$/, stream]
    ]
  },
  {
    family: "IOTA",
    endpoints: Iota.endpoints,
    files: ["iota-core.yaml", "iota-indexer.yaml", "wasp.yaml"],
    // Wasp of IOTA's Stardust networks serves many chains; the description is of its successor, which serves one
    written: (path) =>
      path
        .replace("/v1/chains/{chainID}", "/v1/chain")
        .replace("/metrics/chains/{chainID}", "/metrics/chain"),
    ours: [],
    theirs: []
  },
  {
    family: "Beacon",
    endpoints: Beacon.endpoints,
    files: ["beacon/beacon-node-oapi.yaml"],
    ours: [],
    theirs: []
  }
]

/** Families whose nodes are asked over JSON-RPC. */
export const rpc: ReadonlyArray<Described> = [
  { family: "BNB Beacon Chain", endpoints: Bnb.endpoints, files: ["cometbft.yaml"], ours: [], theirs: [] },
  { family: "Solana", endpoints: Solana.endpoints, files: ["solana-openrpc.yaml"], ours: [], theirs: [] },
  { family: "Bitcoin", endpoints: Bitcoin.endpoints, files: ["bitcoin-openrpc.yaml"], ours: [], theirs: [] },
  { family: "ZkSync", endpoints: ZkSync.endpoints, files: ["zksync-openrpc.yaml"], ours: [], theirs: [] },
  { family: "Casper", endpoints: Casper.endpoints, files: ["casper-rpc.json"], ours: [], theirs: [] }
]
