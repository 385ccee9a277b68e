/** Our tables by the descriptions that are about them, and the differences on purpose. */
import { algodEndpoints, indexerEndpoints } from "../../src/chains/Algorand.js"
import * as Beacon from "../../src/chains/Beacon.js"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Bnb from "../../src/chains/Bnb.js"
import * as Cardano from "../../src/chains/Cardano.js"
import * as Casper from "../../src/chains/Casper.js"
import * as Cosmos from "../../src/chains/Cosmos.js"
import * as Eos from "../../src/chains/Eos.js"
import * as Iota from "../../src/chains/Iota.js"
import * as Kadena from "../../src/chains/Kadena.js"
import * as Solana from "../../src/chains/Solana.js"
import * as Stellar from "../../src/chains/Stellar.js"
import * as Ton from "../../src/chains/Ton.js"
import * as ZkSync from "../../src/chains/ZkSync.js"
import type { Family } from "../../src/data/Network.js"
import type { Description, Kind } from "./descriptions.js"

/** What one side has and the other has not, and why. A pattern that fits nothing is a mistake in this list. */
type Reasons = ReadonlyArray<readonly [what: RegExp, reason: string]>

export interface Described {
  readonly family: string
  /** The networks' families whose clients have this table, at this place. */
  readonly ids: ReadonlyArray<Family>
  readonly place?: string
  /** Calls take their arguments by position: names cannot be given to them by rule. */
  readonly positional?: true
  /** Inputs have the chain's own names, not camelCase. */
  readonly uncased?: true
  readonly endpoints: object
  /** The digests of them. */
  readonly files: ReadonlyArray<string>
  /** Our path as the description writes it. */
  readonly written?: (path: string) => string
  /** Ours, of which the description says nothing: `VERB /path` or the name of the method. */
  readonly ours: Reasons
  /** Theirs, which our table leaves out. */
  readonly theirs: Reasons
  /** Requests of the vectors that the description does not allow: `method: what is wrong`. */
  readonly requests?: Reasons
  /** The part of a described answer that a call succeeds with; by default all of it. */
  readonly answer?: (description: Description, kind: Kind) => Kind | undefined
  /** Results that differ from what is described: `endpoint: field: how`. */
  readonly results?: Reasons
  /** Calls of ours where the vectors' arguments are none that the chain would take. */
  readonly samples?: ReadonlyArray<readonly [name: string, args: ReadonlyArray<unknown>]>
  /** Names that do not go out as the description has them: `endpoint: which is what`. */
  readonly names?: Reasons
}

const operators = "administers a node; the client talks to nodes of others"

/** A field of an object. */
const fieldOf =
  (name: string) =>
  (description: Description, given: Kind): Kind | undefined => {
    const { allOf = [], properties = {} } = description.follow(given)
    return properties[name] ?? allOf.flatMap((part) => fieldOf(name)(description, part) ?? [])[0]
  }

const stream = "a stream of events; the table is of requests that have one answer"

const hash = "QxGCAz5AY1Y41nh1yWtgqhKhZ9pPiPRagFdIKNqBH74"
const place = { chain: "0", nodeVersion: "mainnet01", apiVersion: "0.0" }

/** Families whose nodes are asked over REST. */
export const rest: ReadonlyArray<Described> = [
  {
    family: "algod",
    ids: ["algorand-algod"],
    endpoints: algodEndpoints,
    files: ["algod"],
    ours: [],
    names: [[/^simulateTransaction: body /, "fields of the simulation are typed with algod's own names"]],
    samples: [
      ["simulateTransaction", [{ "txn-groups": [{ txns: [] }], round: 1n, "fix-signers": true }]],
      ["getPendingTransactions", [{ max: 10, format: "json" }]]
    ],
    theirs: [
      [/^\w+ \/debug\/settings\//, operators],
      [/^\w+ \/v2\/(catchup|participation|node)\b/, operators],
      [/^POST \/v2\/shutdown$/, operators],
      [/^GET \/swagger\.json$/, "the description itself"]
    ],
    requests: [
      [
        /^getPendingTransactions: query has address,/,
        "the recorded call has it; algod has a route of its own for an address"
      ],
      [/^simulateTransaction: /, "the recorded call has no transactions and wraps the rest into `request`"]
    ]
  },
  {
    family: "indexer",
    ids: ["algorand-indexer"],
    endpoints: indexerEndpoints,
    files: ["algorand-indexer"],
    ours: [],
    theirs: []
  },
  {
    family: "Stellar",
    ids: ["stellar"],
    endpoints: Stellar.endpoints,
    files: ["horizon"],
    ours: [
      [/^GET \/(health)?$/, "Horizon has it; the description begins below it"],
      [/^GET \/friendbot$/, "of test networks only, beside Horizon"]
    ],
    names: [
      [
        /^submitTransaction(Async)?: query tx /,
        "the description is wrong: Horizon takes the transaction as a form"
      ]
    ],
    theirs: [],
    requests: [
      [
        /: query cursor: it must be integer$/,
        "the description is wrong: paging tokens of effects and trades are two numbers with a dash"
      ],
      [/: query has (sponsor|liquidity_pool),/, "the description has them misspelt (sponser, liqudity_pool)"],
      [/^getLiquidityPools: query has reserve,/, "the recorded call has it; the filter's name is `reserves`"],
      [/^submitTransaction: /, "the description is wrong: Horizon takes the transaction as a form"]
    ]
  },
  {
    family: "TON",
    positional: true,
    ids: ["ton"],
    endpoints: Ton.endpoints,
    files: ["tonapi", "toncenter"],
    // the classic interface is served below /api/v2, which networks have in the url of their nodes
    written: (path) => (path.startsWith("/v2/") ? path : `/api/v2${path}`),
    ours: [
      [/^(GET|POST) \/(?!v2\/)/, "the classic API of another server (TON Center)"],
      [/^GET \/v2\/experimental\//, "older than the description: taken out of it since"],
      [/^POST \/v2\/wallet\/backup$/, "older than the description: taken out of it since"]
    ],
    theirs: [
      [/^GET \/v2\/blockchain\/blocks\/\{block_id\}\/boc$/, "newer; answers with a file, not with JSON"]
    ],
    requests: [
      [/: query has (start|end)_date,/, "older than the description"],
      [/^getWalletBackup: header X-TonConnect-Auth/, "older than the description"]
    ]
  },
  {
    family: "Kadena",
    ids: ["kadena"],
    endpoints: Kadena.endpoints,
    files: ["chainweb"],
    // the description has api version and network in the url of its server
    written: (path) => path.replace("/chainweb/{apiVersion}/{nodeVersion}", ""),
    ours: [[/^POST .*\/pact\/(api\/v1\/(send|poll|listen|local)|spv)$/, "Pact has a description of its own"]],
    samples: [
      ["getBatchOfBlockPayload", [{ network: place, body: [hash] }]],
      ["getBatchOfBlockPayload", [{ network: place, body: { heights: [1], hashes: [hash] } }]],
      ["getBatchBlockPayloadWithOutputs", [{ network: place, body: { heights: [1], hashes: [hash] } }]],
      [
        "publishCut",
        [
          {
            network: place,
            height: 40,
            weight: hash,
            hashes: Object.fromEntries([...Array(20).keys()].map((chain) => [chain, { hash, height: 2 }])),
            origin: { id: hash, address: { hostname: "node.example", port: 443 }, network: place }
          }
        ]
      ],
      [
        "putCutNetworkPeerInfo",
        [{ id: hash, address: { hostname: "node.example", port: 443 }, network: place }]
      ]
    ],
    theirs: [
      [/\/mining\//, "for miners"],
      [/backup/, operators],
      [/\/updates$/, stream],
      [/^PUT \/chain\/\{chain\}\/mempool\/peer$/, "nodes tell each other of their peers with it"]
    ],
    requests: [
      [
        /^getBatch(OfBlockPayload|BlockPayloadWithOutputs): body: .*hashes\/0 must be string/,
        "the recorded call has objects where hashes belong"
      ],
      [/^publishCut: body: .*hashes must have required property/, "the recorded call has one chain of twenty"]
    ]
  },
  {
    family: "IOTA",
    ids: ["iota"],
    endpoints: Iota.endpoints,
    files: ["iota-core", "iota-indexer", "wasp"],
    ours: [
      [/^GET \/api\/explorer\/v2\//, "INX Chronicle, of which there is no description"],
      [/^GET \/v1\/chains$/, "older than the description, which is of a node with one chain"],
      [/^GET \/v1\/metrics\/node\/messages$/, "older than the description"],
      [
        /^GET .*\/core\/(accounts|blobs|accounts\/(nftdata|foundry_output|token_registry)\b.*|blobs\/.*)$/,
        "older: parts of Stardust that the successor has not"
      ],
      [/^GET .*\/core\/accounts\/\{agentID\}\/(foundries|nfts)$/, "older: of Stardust's native tokens"],
      [/^GET .*\/core\/governance\/allowedstatecontrollers$/, "older: of Stardust's alias outputs"],
      [/^GET .*\/core\/blocklog\/events\/contract\/\{contractHname\}$/, "older than the description"]
    ],
    names: [
      [/^authenticate: body /, "takes the fields inside `loginRequest`"],
      [
        /^estimateGas(On|Off)ledger: body (fromAddress|requestBytes|transactionBytes) /,
        "off the ledger the fields are a second argument; on it, the description is newer"
      ]
    ],
    theirs: [
      [/\/ws$/, stream],
      [/^POST \/v1\/chain\/rotate$/, "newer than the networks' nodes"]
    ],
    requests: [
      [
        /^getFoundryOutputs: query has unlockableByAddress,/,
        "the recorded call has it; foundries have no such filter"
      ],
      [/^callView: body: it\/arguments must be array$/, "older: arguments were a dictionary"],
      [/^estimateGasOnledger: body/, "older: of outputs, where the description has transactions"],
      [/^offLedger: body has \.chainId,/, "older than the description, which is of a node with one chain"],
      [
        /^submitJSONRPCRequest: has a body/,
        "the description leaves out the body, which is the JSON-RPC request"
      ]
    ]
  },
  {
    family: "Beacon",
    ids: ["evm-beacon"],
    place: "beacon.",
    endpoints: Beacon.endpoints,
    files: ["beacon"],
    ours: [
      [
        /^GET \/eth\/v1\/beacon\/blocks\/\{blockId\}\/attestations$/,
        "older: v2 has taken its place (Electra)"
      ],
      [/^GET \/eth\/v1\/beacon\/blob_sidecars\/\{blockId\}$/, "older: blobs have taken its place (Fulu)"]
    ],
    theirs: [
      [/ \/eth\/v\d\/validator\//, "the duties of a validator's client, which holds its keys"],
      [/^POST \/eth\/v\d\/beacon\/(blinded_)?blocks$/, "for those who propose blocks"],
      [/\/(execution_payload_(bids|envelopes)|payload_attestations|builders)\b/, "of a fork to come (Gloas)"],
      [
        /^POST \/eth\/v\d\/beacon\/pool\/(attestations|attester_slashings|sync_committees|bls_to_execution_changes)$/,
        "what validators sign; their clients send it"
      ],
      [
        /^POST .*\/validator_balances$/,
        "the list of GET in a body; `postStateValidators` has the balances too"
      ],
      [/^POST .*\/validator_identities$/, "`postStateValidators` tells the same and more"],
      [/^POST .*\/rewards\/(sync_committee|attestations)\//, "what validators earn, asked by their clients"],
      [/^GET \/eth\/v1\/events$/, stream]
    ]
  },
  {
    family: "Cosmos",
    ids: ["cosmos"],
    endpoints: Cosmos.endpoints,
    files: ["cosmos", "mesh"],
    written: (path) => path.replace(/^\/api\//, "/"),
    uncased: true,
    ours: [[/^GET \/api\/cosmos\/bank\/v1beta1\/supply\/\{denom\}$/, "older: by_denom has taken its place"]],
    theirs: [
      [/^GET \/(cosmwasm|juno|osmosis|gaia)\//, "modules of Juno, whose description it is"],
      [/^GET \/cosmos\/(group|nft|circuit)\//, "modules that the networks of the family do not run"],
      [/^GET \/cosmos\/mint\/v1beta1\/target_supply$/, "Juno's own minting"]
    ],
    requests: [
      [
        /: query has pagination\.countTotal,/,
        "the gateway of nodes takes the JSON name beside that of the description"
      ],
      [
        /^getValidators: query has status,/,
        "the recorded call has it; the validators of a delegator have no such filter"
      ],
      [
        /^simulate: body has .*(messages\[0\]|public_key)\./,
        "fields of a message in an Any, whose type the description leaves open"
      ],
      [
        /^(createNetworkTransaction|searchTransactions): body: .*must be equal to one of the allowed values$/,
        "the recorded call has an object where a word belongs"
      ]
    ]
  },
  {
    family: "EOS",
    ids: ["eos"],
    endpoints: Eos.endpoints,
    files: ["eos"],
    written: (path) => path.replace("/v1/chain", ""),
    ours: [
      [
        /^POST \/v1\/(trace_api|history|node)\//,
        "interfaces beside the chain's, with descriptions of their own"
      ],
      [/\/get_(raw_block|block_header)$/, "the chain's, and missing in the description"],
      [/\/(abi_json_to_bin|abi_bin_to_json|get_kv_table_rows)$/, "older than the description"]
    ],
    theirs: [],
    requests: [
      [/^getCode: .*code_as_wasm must be boolean$/, "nodes take 0 and 1 too, which the recorded call has"],
      [/^getProducers: .*'limit'.*'lower_bound'$/, "nodes have defaults for both"]
    ]
  },
  {
    family: "Cardano",
    ids: ["cardano"],
    endpoints: Cardano.endpoints,
    files: ["mesh"],
    ours: [],
    samples: [
      [
        "createNetworkTransaction",
        [
          {
            networkIdentifier: { blockchain: "cardano", network: "mainnet" },
            unsignedTransaction: "00",
            signatures: [
              {
                signingPayload: {
                  accountIdentifier: { address: "addr1" },
                  hexBytes: "00",
                  signatureType: "ed25519"
                },
                publicKey: { hexBytes: "00", curveType: "edwards25519" },
                signatureType: "ed25519",
                hexBytes: "00"
              }
            ]
          }
        ]
      ],
      [
        "searchTransactions",
        [
          {
            networkIdentifier: { blockchain: "cardano", network: "mainnet" },
            operator: "or",
            maxBlock: 1,
            limit: 5
          }
        ]
      ]
    ],
    theirs: [],
    requests: [
      [
        /^(createNetworkTransaction|searchTransactions): body: .*must be equal to one of the allowed values$/,
        "the recorded call has an object where a word belongs"
      ]
    ]
  }
]

const provider = "the description is one provider's, which does not serve it"

/** Families whose nodes are asked over JSON-RPC. */
export const rpc: ReadonlyArray<Described> = [
  {
    family: "BNB Beacon Chain",
    ids: ["bnb"],
    endpoints: Bnb.endpoints,
    files: ["cometbft"],
    // the description has whole JSON-RPC responses
    answer: fieldOf("result"),
    ours: [],
    theirs: [[/^dial_(seeds|peers)$/, operators]],
    requests: [
      [
        /^(abci_query|tx_search|validators): param (height|page|per_page): it must be integer$/,
        "integers are texts in JSON-RPC parameters of older nodes; the description is of the REST form"
      ],
      [
        /^blockchain: param (min|max)_height: is not described$/,
        "the recorded call has it; nodes know minHeight and maxHeight, and answer the newest headers instead"
      ]
    ]
  },
  {
    family: "Solana",
    ids: ["solana"],
    endpoints: Solana.endpoints,
    files: ["solana"],
    ours: [
      [/^getStakeActivation$/, "older: nodes have dropped it"],
      [
        /^get(LeaderSchedule|StakeMinimumDelegation|TokenAccountsByDelegate|TokenLargestAccounts|TransactionCount)$/,
        provider
      ]
    ],
    theirs: [],
    requests: [
      [
        /^getInflationReward: param number 2: is not described$/,
        "the description leaves out the configuration"
      ],
      [
        /^getSlotLeaders: param Start slot: it must be integer$/,
        "the recorded call leaves it out before a limit"
      ]
    ]
  },
  {
    family: "Bitcoin",
    ids: ["utxo"],
    endpoints: Bitcoin.endpoints,
    files: ["bitcoin"],
    ours: [
      [/^z_|^getaddress(balance|txids|utxos)$|^getblocksubsidy$/, "of Zcash; the description is of Bitcoin"],
      [
        /psbts?$|^(create|combine)rawtransaction$|^createmultisig$|^deriveaddresses$|^getdescriptorinfo$/,
        provider
      ],
      [
        /^get(mempoolentry|mininginfo|nettotals|networkhashps|networkinfo|peerinfo|deploymentinfo)$|^uptime$/,
        provider
      ],
      [
        /^(getblocktemplate|submitblock|submitheader|verifytxoutproof|getblockfilter|gettxspendingprevout)$/,
        provider
      ],
      [
        /^(scan(txoutset|blocks)|waitfor(block|blockheight|newblock)|getdescriptoractivity|getchainstates)$/,
        provider
      ]
    ],
    theirs: [[/^getmemoryinfo$/, operators]]
  },
  {
    family: "ZkSync",
    ids: ["zksync"],
    endpoints: ZkSync.endpoints,
    files: ["zksync"],
    ours: [
      [
        /^(debug|trace|txpool)_/,
        "every EVM network has it in its table; whether a node serves it is its own matter"
      ],
      [/^(eth_(blobBaseFee|simulateV1|config)|net_peerCount)$/, "every EVM network has it in its table"],
      [/^zks_getConfirmedTokens$/, "older: nodes still answer it"],
      [/^zks_get(BaseTokenL1Address|BridgehubContract|FeeParams|L1GasPrice|ProtocolVersion)$/, provider],
      [/^zks_sendRawTransactionWithDetailedOutput$/, provider]
    ],
    theirs: [
      [
        /^eth_(new\w*|uninstall)Filter$|^eth_getFilter/,
        "a filter lives on one node; calls of a balanced client go to several"
      ],
      [/^eth_accounts$/, "keys that a node holds; nodes of others hold none"]
    ]
  },
  {
    family: "Casper",
    ids: ["casper"],
    endpoints: Casper.endpoints,
    files: ["casper", "casper2", "casper2-speculative"],
    ours: [
      [
        /^(account_put_transaction|info_get_(reward|transaction)|query_balance_details|state_get_(auction_info_v2|entity|package))$/,
        "newer: Casper 2, the description is of 1.5"
      ],
      [/^speculative_exec(_txn)?$/, "served at a port of its own, with a description of its own"],
      [/^rpc\.discover$/, "gives the description itself"],
      [/^state_get_trie$/, "newer than the description"]
    ],
    theirs: [],
    requests: [
      [
        /^account_put_deploy: param deploy: .*header\/timestamp must be integer, .*session must/,
        "the recorded deploy is made up; times are texts, whatever the description says"
      ]
    ]
  }
]

/** What is in neither the other side nor the list of reasons, and reasons that are for nothing. */
export const unexplained = (missing: ReadonlyArray<string>, reasons: Reasons): ReadonlyArray<string> => [
  ...missing.filter((what) => !reasons.some(([pattern]) => pattern.test(what))),
  ...reasons.flatMap(([pattern, reason]) =>
    missing.some((what) => pattern.test(what)) ? [] : [`no case of ${pattern} (${reason})`]
  )
]
