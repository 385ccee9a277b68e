/** Our tables by the descriptions that are about them, and the differences on purpose. */
import { algodEndpoints, indexerEndpoints } from "../../src/chains/Algorand.js"
import * as Aptos from "../../src/chains/Aptos.js"
import * as Avalanche from "../../src/chains/Avalanche.js"
import * as Beacon from "../../src/chains/Beacon.js"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Bnb from "../../src/chains/Bnb.js"
import * as Cardano from "../../src/chains/Cardano.js"
import * as Casper from "../../src/chains/Casper.js"
import * as Cosmos from "../../src/chains/Cosmos.js"
import * as Eos from "../../src/chains/Eos.js"
import * as Evm from "../../src/chains/Evm.js"
import * as Hedera from "../../src/chains/Hedera.js"
import * as Iota from "../../src/chains/Iota.js"
import * as Kadena from "../../src/chains/Kadena.js"
import * as Near from "../../src/chains/Near.js"
import * as Solana from "../../src/chains/Solana.js"
import * as Stellar from "../../src/chains/Stellar.js"
import * as Sui from "../../src/chains/Sui.js"
import * as Tezos from "../../src/chains/Tezos.js"
import * as Ton from "../../src/chains/Ton.js"
import * as Tron from "../../src/chains/Tron.js"
import * as Xrp from "../../src/chains/Xrp.js"
import * as Zilliqa from "../../src/chains/Zilliqa.js"
import * as ZkSync from "../../src/chains/ZkSync.js"
import type { FamilyId } from "../../src/data/Network.js"
import type { Description, Kind } from "./descriptions.js"

/** What one side has and the other has not, and why. A pattern that fits nothing is a mistake in this list. */
type Reasons = ReadonlyArray<readonly [what: RegExp, reason: string]>

export interface Described {
  readonly family: string
  /** The networks' families whose clients have this table, at this place. */
  readonly ids: ReadonlyArray<FamilyId>
  readonly place?: string
  /** Calls take their arguments by position: names cannot be given to them by rule. */
  readonly positional?: true
  /** Inputs have the chain's own names, not camelCase. */
  readonly uncased?: true
  /** Names of the query have dots where inputs have capitals. */
  readonly dotted?: true
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
  /** The part of a described answer that a call (`VERB /path`, or a method; and our name) succeeds with; by default all. */
  readonly answer?: (description: Description, kind: Kind, called: string, name: string) => Kind | undefined
  /** The interface that has the fields of objects of many kinds in one. */
  readonly flat?: string
  /** Results that differ from what is described: `endpoint: field: how`. */
  readonly results?: Reasons
  /** Answers that are described like any other, and by which a node refuses. */
  readonly refusals?: RegExp
  /** Recorded answers of the sandbox that differ from what is described: `method: what`. */
  readonly answers?: Reasons
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

/** Horizon's description gives pages where one record is answered, and single operations where pages are. */
const horizon = (description: Description, given: Kind, called: string): Kind => {
  const isOne = /^GET \/(accounts|ledgers|offers)\/\{\w+\}$|^POST \/transactions$/.test(called)
  if (!isOne && !/\/(operations|payments|effects)$/.test(called)) return given
  const partsOf = (kind: Kind): ReadonlyArray<Kind> => {
    const { allOf = [], anyOf = [] } = description.follow(kind)
    const parts = [...allOf, ...anyOf]
    return parts.length === 0 ? [kind] : parts.flatMap(partsOf)
  }
  const records = partsOf(given)
    .filter((part) => Object.keys(description.follow(part).properties ?? {}).join() !== "_links")
    .map((part) => {
      const page = fieldOf("_embedded")(description, part)
      const list = page && fieldOf("records")(description, page)
      return (list && description.follow(list).items) ?? part
    })
  if (isOne) return { anyOf: records }
  const list: Kind = { type: "array", items: { anyOf: records } }
  return {
    type: "object",
    properties: { _links: {}, _embedded: { properties: { records: list }, required: ["records"] } },
    required: ["_links", "_embedded"]
  }
}

/** A structure of any type (protobuf's Any), as the Cosmos SDK gives it in JSON. */
const any =
  "described as the bytes of a protobuf Any; the gateway gives the structure, with its type in @type"
/** The types that the calls of TON Center answer with: its description has one type for the answers of all calls. */
const tonlib: Readonly<Record<string, Kind>> = {
  detectAddress: { $ref: "#/types/DetectAddress" },
  detectHash: { $ref: "#/types/DetectHash" },
  packAddress: { type: "string" },
  unpackAddress: { type: "string" },
  getAddressInformation: { $ref: "#/types/AddressInformation" },
  getExtendedAddressInformation: { $ref: "#/types/ExtendedAddressInformation" },
  getShardAccountCell: { $ref: "#/types/TvmCell" },
  getWalletInformation: { $ref: "#/types/WalletInformation" },
  getAddressBalance: { type: "string" },
  getAddressState: { $ref: "#/types/AccountStateEnum" },
  getTokenData: {
    anyOf: ["JettonMasterData", "JettonWalletData", "NftCollectionData", "NftItemData"].map((name) => ({
      $ref: `#/types/${name}`
    }))
  },
  dnsResolve: { $ref: "#/types/DnsResolved" },
  getMasterchainInfo: { $ref: "#/types/MasterchainInfo" },
  getMasterchainBlockSignatures: {
    anyOf: [{ $ref: "#/types/BlockSignatures" }, { $ref: "#/types/BlockSignaturesSimplex" }]
  },
  getShardBlockProof: { $ref: "#/types/ShardBlockProof" },
  getConsensusBlock: { $ref: "#/types/ConsensusBlock" },
  lookupBlock: { $ref: "#/types/TonBlockIdExt" },
  getShards: { $ref: "#/types/Shards" },
  getBlockHeader: { $ref: "#/types/BlockHeader" },
  getOutMsgQueueSize: { $ref: "#/types/OutMsgQueueSizes" },
  getBlockTransactions: { $ref: "#/types/BlockTransactions" },
  getBlockTransactionsExt: { $ref: "#/types/BlockTransactionsExt" },
  getTransactions: { type: "array", items: { $ref: "#/types/Transaction" } },
  getTransactionsStd: { $ref: "#/types/TransactionsStd" },
  tryLocateTx: { $ref: "#/types/Transaction" },
  tryLocateResultTx: { $ref: "#/types/Transaction" },
  tryLocateSourceTx: { $ref: "#/types/Transaction" },
  getConfigParam: { $ref: "#/types/ConfigInfo" },
  getConfigAll: { $ref: "#/types/ConfigInfo" },
  getLibraries: { $ref: "#/types/LibraryResult" },
  runGetMethod: { $ref: "#/types/RunGetMethodResult" },
  runGetMethodStd: { $ref: "#/types/RunGetMethodStdResult" },
  sendBoc: { $ref: "#/types/ResultOk" },
  sendBocReturnHash: { $ref: "#/types/ExtMessageInfo" },
  estimateFee: { $ref: "#/types/QueryFees" },
  // any of them
  jsonRPC: {}
}

/** The answer of one call of TON Center. */
const tonlibResponse = (description: Description, kind: Kind, called: string): Kind => {
  const result = tonlib[called.replace(/^.*\/api\/v2\//, "")]
  if (result === undefined) throw new Error(`nobody knows which result of TON Center's is that of ${called}`)
  const response = description.follow(kind)
  return { ...response, properties: { ...response.properties, result } }
}

const stream = "a stream of events; the table is of requests that have one answer"

/** Sui's description gives the versions of objects by two types of one name, and mixes them up. */
const versions =
  "the description has number where nodes write text, and the other way; its own examples are right"

const hash = "QxGCAz5AY1Y41nh1yWtgqhKhZ9pPiPRagFdIKNqBH74"
const place = { chain: "0", nodeVersion: "mainnet01", apiVersion: "0.0" }

/** Families whose nodes are asked over REST. */
export const rest: ReadonlyArray<Described> = [
  {
    family: "Aptos",
    ids: ["aptos"],
    endpoints: Aptos.endpoints,
    files: ["aptos"],
    written: (path) => path.replace(/^\/v1/, "") || "/",
    ours: [],
    theirs: [[/^GET \/spec$/, "a page for people"]],
    results: [
      [
        /\bsignature\.type: (may be "single_key_signature", "multi_key_signature", "abstract_signature"|is never "single_sender")$/,
        "nodes write `single_sender` in the place of the sender's kind of signature"
      ],
      [/\breplay_protector: is never string$/, "described as text with fields; nodes have the text"],
      [
        /^(view|get(Raw)?TableItem): .*: is never array or boolean or number or string$/,
        "described as an object beside all of its alternatives"
      ]
    ]
  },
  {
    family: "Hedera",
    ids: ["hedera-mirror"],
    endpoints: Hedera.endpoints,
    files: ["hedera-mirror"],
    dotted: true,
    ours: [],
    theirs: [],
    results: [
      [
        /(freeze_status|recipient_type): is never null$/,
        "described as text or null, of a list that leaves null out"
      ],
      [/failed_initcode: is never null$/, "null in lists: one type serves both"]
    ]
  },
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
    ],
    results: [
      [
        /: .*\b(deleted|[a-z-]+-at-round|application-id): is not described$/,
        "the indexer's: one type serves both servers"
      ],
      [
        /(params|created-app)\.creator: is always there$/,
        "the indexer may leave it out: one type serves both servers"
      ],
      [/^getAssetInformation: params: may be missing$/, "algod leaves it out of lists alone, and on demand"],
      [/^getGenesis: alloc\[\]\.state\.onl: is always there$/, "genesis files leave out zeros"],
      [
        /^getLedgerSupply: online-stake: is always there$/,
        "newer: algod of older versions has `online-money` alone"
      ]
    ],
    answers: [
      [/^GET \/genesis: .*'onl'$/, "genesis files leave out zeros"],
      [
        /^GET \/v2\/ledger\/supply: .*'online-stake'$/,
        "newer: algod of older versions has `online-money` alone"
      ]
    ]
  },
  {
    family: "indexer",
    ids: ["algorand-indexer"],
    endpoints: indexerEndpoints,
    files: ["algorand-indexer"],
    ours: [],
    theirs: [],
    results: [
      [
        /params\.(family-box-access|foreign-box-reads|size-sponsor): is not described$/,
        "algod's: one type serves both servers"
      ],
      [
        /: (.*\.(params|total-boxes|total-box-bytes)|application-id): is always there$/,
        "algod may leave it out: one type serves both servers"
      ],
      [/transactions-root-sha256: is always there$/, "newer: recorded answers of older servers leave it out"]
    ],
    answers: [
      [
        /^GET \/v2\/accounts\S*: .*'total-box-bytes', .*'total-boxes'$/,
        "newer than the first indexers that applications meet; the type has it optional"
      ]
    ]
  },
  {
    family: "Stellar",
    refusals: /"tx_status":"(ERROR|DUPLICATE|TRY_AGAIN_LATER)"/,
    ids: ["stellar"],
    endpoints: Stellar.endpoints,
    files: ["horizon"],
    answer: horizon,
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
    ],
    results: [
      [
        /sponser(ed)?: is missing$|liabilites: is missing$|pre_hash: is missing$/,
        "the description has them misspelt (sponser, num_sponsered, liabilites, pre_hash)"
      ],
      [
        /(sponsor|num_sponsored|liabilities|prev_hash): is not described$/,
        "the description has them misspelt (sponser, num_sponsered, liabilites, pre_hash)"
      ],
      [
        /^get(\w*(Operations?|Payments|Effects)): (_embedded\.records\[\]\.)?\w+: is not described$/,
        "operations and effects are described with the fields of some kinds only"
      ],
      [/_links: (may be missing|is not described)$/, "Horizon gives them with every record and page"],
      [
        /^getAccountEffects: _embedded\.records\[\]\.\w+: (is missing|may be (missing|string)|is number, and described as string)$/,
        "the description has operations where effects belong"
      ],
      [
        /\.type_i: (is number, and described as|may be) string$/,
        "the description has a text in payments; Horizon gives the number of operations"
      ],
      [
        /^get\w*Payments: _embedded\.records\[\]\.(asset_type|from|to|amount): is always there$/,
        "the creation and the end of an account are payments too, and have none"
      ],
      [/^getLedgers: _embedded\.records: may be missing$/, "a page has its list, if an empty one"],
      [/last_modified_time: is never null$/, "null where Horizon no longer has the ledger"],
      [
        /(failed_transaction_count|tx_set_operation_count): is never null$/,
        "null in ledgers from before Horizon 0.17 and 0.19"
      ],
      [
        /\.(parameters|asset_balance_changes): is never null$/,
        "Horizon gives null for a list that was never begun, as of a contract's creation"
      ],
      [/result_meta_xdr: is always there$/, "operators of Horizon may leave it out (SKIP_TXMETA)"],
      [
        /ledgerbounds\.(min|max)_ledger: is number, and described as string$/,
        "Horizon gives numbers of ledgers as numbers"
      ],
      [
        /last_modified_ledger: is number, and described as string$/,
        "Horizon gives numbers of ledgers as numbers"
      ],
      [
        /balances\[\]\.(limit|last_modified_ledger|is_\w+): is always there$/,
        "the balance of lumens has none of them"
      ],
      [/signers\[\]\.type: is never "ed25519_signed_payload"$/, "newer than the description (CAP-40)"],
      [/flags\.auth_clawback_enabled: is not described$/, "newer than the description (CAP-35)"],
      [/destination_muxed_id: is not described$/, "newer than the description (CAP-67)"],
      [
        /^getClaimableBalances?: .*flags: is object, and described as number$/,
        "Horizon gives an object of flags"
      ],
      [/^getClaimableBalances?: .*claimants: may be missing$/, "a balance has one claimant at least"],
      [
        /^getClaimableBalances?: .*predicate\b.*: is (missing|not described)$/,
        "the description ends at the second level, and has some names in camelCase"
      ],
      [/^getLiquidityPools?: .*reserves: is array, and described as object$/, "Horizon gives a list of two"],
      [
        /Transactions?: (_embedded\.records\[\]\.)?(memo|memo_bytes|valid_\w+|preconditions|\w+_transaction): is not described$/,
        "the description leaves out the fields that not every transaction has"
      ],
      [/^getAssets: .*\.(asset_code|contract_id): is not described$/, "Horizon has them in every asset"],
      [
        /^getAssets: .*\.(amount|num_accounts|\w*archived_contracts\w*): is not described$/,
        "of other versions of Horizon than the description's"
      ],
      [/^getOrderBook: base\.asset_(code|issuer): is not described$/, "the described base is lumens"]
    ],
    answers: [
      [
        /: \.(_embedded\.records\[\d\]\.)?\w+ is not described$/,
        "operations and effects are described with the fields of some kinds only; others are misspelt"
      ],
      [/_links\.(succeeds|operation|transaction) is not described$/, "misspelt (succeds), or left out"],
      [
        /\.(buying|selling)_liabilities is not described$/,
        "the description has them misspelt (sponser, num_sponsered, liabilites, pre_hash)"
      ],
      [
        /predicate\.\w+ is not described$/,
        "the description ends at the second level, and has some names in camelCase"
      ],
      [
        /(last_modified_ledger must be string|type_i must be string|reserves must be object)/,
        "the description is wrong: see the results"
      ],
      [
        /must match a schema in anyOf$/,
        "the alternatives of the description: lumens and liquidity pools have fewer fields, other operations others"
      ],
      [
        /^GET \/ledgers: it\/_embedded must have required property 'id'/,
        "required of a page, in place of its records"
      ],
      [/required property 'result_meta_xdr'/, "operators of Horizon may leave it out (SKIP_TXMETA)"]
    ]
  },
  {
    family: "TON",
    refusals: /"ok":false/,
    positional: true,
    ids: ["ton"],
    endpoints: Ton.endpoints,
    files: ["tonapi", "toncenter"],
    // the classic interface is served below /api/v2, which networks have in the url of their nodes
    written: (path) => (path.startsWith("/v2/") ? path : `/api/v2${path}`),
    answer: (description, kind, called) =>
      description.name === "toncenter" ? tonlibResponse(description, kind, called) : kind,
    ours: [
      [/^GET \/shards$/, "older: getShards has taken its place"],
      [/^POST \/sendQuery$/, "older than the description"],
      [/^GET \/v2\/experimental\//, "older than the description: taken out of it since"],
      [/^POST \/v2\/wallet\/backup$/, "older than the description: taken out of it since"]
    ],
    theirs: [
      [/^GET \/v2\/blockchain\/blocks\/\{block_id\}\/boc$/, "newer; answers with a file, not with JSON"],
      [/^POST \/api\/v2\/(detect|(un)?pack|dns|get|lookup|tryLocate)\w+$/, "the same by GET is in the table"]
    ],
    requests: [
      [/: query has (start|end)_date,/, "older than the description"],
      [/^getWalletBackup: header X-TonConnect-Auth/, "older than the description"],
      [/^jsonRPC: body: /, "the recorded call has only the method; servers of before 2.1 have defaults"]
    ],
    answers: [
      [
        /^GET \/api\/v2\/getBlockTransactionsExt: it\/result\/transactions\/0 must NOT have additional properties, /,
        "the description lets nothing be: each of its two parts refuses the fields of the other"
      ]
    ],
    results: [
      [
        /^getWalletBackup: /,
        "older than the description, which has the account of a wallet where the path says `backup`"
      ],
      [/^\w+: @extra: is always there$/, "servers of before 2.1 have it in the result"],
      [
        /^(getTokenData|getWalletInformation|detectAddress|getConsensusBlock): result\.(bounceable\.)?@type: is always there$/,
        "servers of before 2.1 leave it out where the result is their own"
      ],
      [/: result(\[\])?\.account: is always there$/, "servers of before 2.1 leave it out"],
      [
        /^get\w+Information: result\.balance: is never number$/,
        "servers of before 2.1 have the number 0 for an account that was never used"
      ],
      [
        /^getExtendedAddressInformation: result\.account_state\..*: is never string$/,
        "tonlib writes 64-bit integers as text, and servers of before 2.1 pass that on"
      ],
      [/^getWalletInformation: result\.\w+: is never null$/, "servers of before 2.1 have null for no wallet"],
      [/^getTokenData: result\.total_supply: is never number$/, "servers of before 2.1 have integers"],
      [/^getTokenData: result\.admin_address: is never null$/, "servers of before 2.1 have null for nobody"],
      [
        /^getBlockHeader: result\.(flags|vert_seqno): is not described$/,
        "tonlib has it; the description lets more fields be, and names them not"
      ]
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
    ],
    results: [
      [
        /^getNodeInfo: node(PackageVersion|BlockDelay|GenesisHeights|HistoricalChains|LatestBehaviorHeight|ServiceDate): is not described$/,
        "newer than the description"
      ],
      [/^getCurrentCut: origin: is never null$/, "Chainweb gives null for a cut of its own"],
      [
        /^getDecodedBlockHeaderByHash: itself: is object, and described as string$/,
        "the call asks for the object; without that it is the bytes of the header"
      ]
    ],
    answers: [
      [/: \.node(BlockDelay|PackageVersion) is not described$/, "newer than the description"],
      [
        /^GET \/chain\/\{\w+\}\/header(\/\{\w+\})?: it(\/items\/0)? must be string$/,
        "the call asks for the object; without that it is the bytes of the header"
      ]
    ]
  },
  {
    family: "IOTA",
    samples: [["submitBlockBytes", [new Uint8Array([1])]]],
    ids: ["iota"],
    endpoints: Iota.endpoints,
    files: ["iota-core", "iota-indexer", "wasp"],
    // the description of the node has a word of JSON Schema where the name of a field belongs
    answer: (description, kind) => fieldOf("allOf")(description, kind) ?? kind,
    ours: [
      [/^GET \/api\/explorer\/v2\//, "INX Chronicle, of which there is no description"],
      [/^POST .*\/dump-accounts$/, "newer than the description of Wasp"]
    ],
    names: [
      [/^authenticate: body /, "takes the fields inside `loginRequest`"],
      [
        /^estimateGas(On|Off)ledger: body (fromAddress|requestBytes|outputBytes) /,
        "the fields are a second argument"
      ]
    ],
    theirs: [[/\/ws$/, stream]],
    requests: [
      [
        /^getFoundryOutputs: query has unlockableByAddress,/,
        "the recorded call has it; foundries have no such filter"
      ],
      [
        /^submitJSONRPCRequest: has a body/,
        "the description leaves out the body, which is the JSON-RPC request"
      ]
    ],
    answers: [
      [
        /^GET \/api\/core\/v2\/info: (it\/protocol must .* 'protocolVersion', it\/protocol\/rentStructure must .* 'vByteFactoKey'|\.protocol\.rentStructure\.vByteFactorKey is not described)$/,
        "the description has a name misspelt (vByteFactoKey), and needs one that it has not (protocolVersion)"
      ]
    ],
    results: [
      [
        /: protocol\.rentStructure\.vByteFacto(r)?Key: is (missing|not described)$/,
        "the description has the name misspelt (vByteFactoKey)"
      ],
      [
        /\.tokenScheme: is object, and described as array$/,
        "the description is wrong: a foundry has one token scheme"
      ],
      [
        /unlockConditions\[\]\.amount: is not described$/,
        "nodes name the deposit to give back so; the description says `returnAmount`"
      ],
      [
        /^getInfo: l1Params\.baseToken\.subunit: is always there$/,
        "the ledger's node leaves it out where the coin has none"
      ],
      [/^authenticate: error: is always there$/, "nodes leave it out where there is none"],
      [/request\.nft: is never null$/, "nodes have null for a request without an NFT"],
      [
        /^getConfiguration: \*: is unknown, and described as string$/,
        "the description is wrong: values are the settings as they are, objects among them"
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
      [/^GET \/eth\/v1\/events$/, stream]
    ],
    results: [
      [
        /: version: is never ("\w+"(, )?)+$/,
        "one type for all answers: the description has for each the forks that it exists in"
      ],
      [
        /^v1\.getForkChoice: fork_choice_nodes\[\]\.(parent_root|validity|execution_block_hash): is never null$/,
        "Lighthouse gives null for what it does not know"
      ]
    ]
  },
  {
    family: "Cosmos",
    refusals: /"code":-?[1-9]/,
    ids: ["cosmos"],
    endpoints: Cosmos.endpoints,
    files: ["cosmos", "mesh"],
    uncased: true,
    ours: [
      [/^GET \/cosmos\/bank\/v1beta1\/supply\/\{denom\}$/, "older: by_denom has taken its place"],
      [/^GET \/api\/feemarket\/v1\/gas_price\/\{denom\}$/, "a module of its own, which the Cosmos Hub has"]
    ],
    theirs: [[/^GET \/cosmos\/mint\/v1beta1\/target_supply$/, "Juno's own minting"]],
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
    ],
    results: [
      [/: is never null$/, "the gateway gives null for a message, bytes or a time that is not there"],
      [/\.(type_url|value): is unknown, and described as string$/, any],
      [
        /(\.@type|(pub_?key|public_key)\.key|content\.(title|description)|^get\w*Evidences?: evidence\S*): is not described$/,
        any
      ],
      [/: (accounts\[\]|account|evidence(\[\])?)\.\w+: is not described$/, any],
      [/tx_responses?(\[\])?\.tx\.(body|auth_info|signatures): is not described$/, any],
      [
        /body\.(unordered|timeout_timestamp): is not described$/,
        "newer than the description (Cosmos SDK 0.53)"
      ],
      [
        /^getMintingParams: params\.\w+: is not described$/,
        "the description has Juno's minting, which is by phases"
      ],
      [/coins\[\]\.metadata: is not described$/, "Rosetta on Cardano has tokens there"]
    ],
    answers: [
      [
        /: it\/\S+ must be (string|object)(, it\/pagination must be object)?$/,
        "the gateway gives null for a message, bytes or a time that is not there"
      ],
      [
        /: \.\S*(accounts?(\[0\])?|allowance|(consensus_)?pub_?key|content|messages\[0\])\.@?\w+ is not described$/,
        any
      ],
      [
        /^GET \/cosmos\/mint\/v1beta1\/params: \.params\.\w+ is not described$/,
        "the description has Juno's minting, which is by phases"
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
    ],
    results: [
      [
        /^getTableRows: rows\[\]: is unknown, and described as object$/,
        "the contract decides: texts where rows are not asked for as JSON"
      ],
      [/^getTableRows: next_key_bytes: is not described$/, "of EOSIO 2.1"],
      [/^getProducers: rows: may be null$/, "nodes give an empty list"],
      [
        /^getProducers: total_producer_vote_weight: is never number$/,
        "a number with a fraction: one type for all of them, which nodes write in either form"
      ],
      [/^getScheduledTransaction: more: is not described$/, "nodes have it; the description leaves it out"],
      [
        /^getActivatedProtocolFeatures: activated_protocol_features\[\]: is object, and described as string$/,
        "nodes give an object for each feature"
      ],
      [
        /(max_block_net_usage|threshold|weight): is never string$/,
        "of 64 bits: nodes write integers from 2^32 on as text"
      ],
      [/^getConsensusParameters: wasm_config: may be null$/, "nodes leave it out in place of that"],
      [
        /^getFinalizerInfo: \w+_finalizer_policy: is never null$/,
        "null while there is none, as before the switch to Savanna"
      ],
      [
        /^getAccountsByAuthorizers: accounts\[\]\.(authorizer: is missing|authorizing_\w+: is not described)$/,
        "nodes have one field for accounts and one for keys, not `authorizer`"
      ]
    ],
    answers: [
      [
        /: \.accounts\[0\]\.authorizing_key is not described$|: it\/accounts\/0 must have required property 'authorizer'$/,
        "nodes have one field for accounts and one for keys, not `authorizer`"
      ],
      [/: \.more is not described$/, "nodes have it; the description leaves it out"],
      [
        /: it\/active_finalizer_policy must be object, it\/pending_finalizer_policy must be object$/,
        "null while there is none, as before the switch to Savanna"
      ]
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
    ],
    results: [
      [
        /^getAccountCoins: coins\[\]\.metadata: is not described$/,
        "Cardano's: the tokens of an output, as its recorded answers have them"
      ]
    ]
  }
]

const provider = "the description is one provider's, which does not serve it"

/** Families whose nodes are asked over JSON-RPC. */
export const rpc: ReadonlyArray<Described> = [
  {
    family: "BNB Beacon Chain",
    refusals: /"code":"?(?!0x0)/,
    ids: ["bnb"],
    endpoints: Bnb.endpoints,
    files: ["cometbft"],
    // the description has whole JSON-RPC responses
    answer: fieldOf("result"),
    ours: [],
    theirs: [[/^dial_(seeds|peers)$/, operators]],
    requests: [
      [
        /^(abci_query|blockchain|tx_search|validators): param (height|minHeight|maxHeight|page|per_page): it must be integer$/,
        "integers are texts in JSON-RPC parameters of older nodes; the description is of the REST form"
      ]
    ],
    results: [
      [
        /: is not described$/,
        "nodes have it, of the chain's version (0.32) or a newer one; the description leaves out much of what they answer"
      ],
      [
        /: is always there$/,
        "nodes leave out what is empty or zero, and those of the chain (0.32) what is newer"
      ],
      [/: is never null$/, "nodes write null for a list or bytes that are empty"],
      [/: is never (string|number)$/, "small integers are texts up to 0.33, and numbers since"],
      [/\bcode: is number, and described as string$/, "nodes write codes as numbers"],
      [
        /\.(height|block_size|total_count|round): is string, and described as number$|^blockSearch: total_count: is string, and described as number$/,
        "nodes write integers of 64 bits as texts"
      ],
      [
        /block\.(data|evidence): is object, and described as array$/,
        "nodes have the lists one level down, as `txs` and `evidence`"
      ],
      [
        /last_commit\.signatures\[\]\.(type|height|round|block_id|validator_index): is missing$/,
        "described as votes, which older nodes have in `precommits`"
      ],
      [/consensus_params: may be null$/, "a chain has parameters"],
      [/tx_result\.tags: is array or null, and described as object$/, "nodes give a list, if any"],
      [/^unconfirmedTxs: txs\[\]: may be null$/, "a transaction is bytes"],
      [
        /^abciQuery: response\.proof: is null or object, and described as string$/,
        "nodes give the steps of the proof"
      ],
      [
        /^broadcastEvidence: itself: is object, and described as string$/,
        "nodes give an object with the hash"
      ]
    ],
    answers: [
      [
        /: \.\S+ is not described$/,
        "nodes have it, of the chain's version (0.32) or a newer one; the description leaves out much of what they answer"
      ],
      [
        /: it\/.*\/(chunk|total|round|total_count) must be integer|: it\/(chunk|total_count) must be integer/,
        "small integers are texts up to 0.33, and numbers since"
      ],
      [/code must be string$/, "nodes write codes as numbers"],
      [/time_iota_ms'/, "nodes of the chain (0.32) leave out what is newer"],
      [
        /: it\/(round_state|response) must have required property/,
        "nodes leave out what is empty, zero or not there, and those of the chain (0.32) what is newer"
      ],
      [/tags must be (array|object)$/, "null where there is none, and a list otherwise"]
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
    ],
    results: [
      [
        /^get(MultipleAccounts|SignatureStatuses|TokenAccountsByOwner): itself: is object, and described as array$/,
        "the description leaves out the context, which nodes have around it"
      ],
      [/^getProgramAccounts: itself: is never object$/, "with the context, on demand"]
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
    theirs: [[/^getmemoryinfo$/, operators]],
    results: [
      [
        /(value|amount|fee|fees\.\w+|total_fee|minrelaytxfee|mempoolminfee): is never string$/,
        "an amount that a double cannot hold is its text"
      ],
      [
        /^(?!getMempool|getRawMemPool).*: is not described$/,
        "the description is one provider's, and has the fields of its examples: others are of other cases, versions and chains"
      ],
      [
        /^get(Mempool(Ancestors|Descendants)|RawMemPool): \*\.\S+: is not described$/,
        "the description is one provider's, and has entries of one version in each of these"
      ],
      [
        /^getMempool(Ancestors|Descendants): (txids|mempool_sequence): is \w+, and described as object$/,
        "one type for three methods: `getRawMemPool` has these on demand"
      ],
      [/^getRawMemPool: itself: is never array$/, "ids, where entries are not asked for"],
      [
        /^getMempoolInfo: \w+: is always there$/,
        "newer: Dogecoin, Zcash and older nodes have size, bytes and usage"
      ],
      [/^getIndexInfo: \*\.txindex: is missing$/, "the description has the index's name twice"],
      [/^testMempoolAccept: \[\]\.reject-reason: may be null$/, "Bitcoin Core leaves it out in place of that"]
    ]
  },
  {
    family: "ZkSync",
    results: [
      [
        /^zksGetL1BatchBlockRange: itself: is never null$/,
        "nodes answer null for a batch that they do not know"
      ]
    ],
    ids: ["zksync"],
    endpoints: ZkSync.endpoints,
    files: ["zksync"],
    ours: [
      [
        /^(debug|trace|txpool)_/,
        "every EVM network has it in its table; whether a node serves it is its own matter"
      ],
      [/^(eth_(blobBaseFee|simulateV1|config)|net_peerCount)$/, "every EVM network has it in its table"],
      [
        /^eth_(baseFee|capabilities|fillTransaction|getBlockAccessList|getStorageValues|sendRawTransactionSync)$/,
        "every EVM network has it in its table"
      ],
      [
        /^eth_\w*UserOperation\w*$|^eth_supportedEntryPoints$/,
        "of ERC-4337's bundlers, which stand beside the nodes"
      ],
      [/^zks_getConfirmedTokens$/, "older: nodes still answer it"],
      [
        /^zks_(gasPerPubdata|get(BaseTokenL1Address|BatchFeeInput|BridgehubContract|FeeParams|L1GasPrice|L2Multicall3|ProtocolVersion|TimestampAsserter))$/,
        provider
      ],
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
    family: "Sui",
    ids: ["sui"],
    endpoints: Sui.endpoints,
    files: ["sui"],
    ours: [],
    theirs: [
      [/^suix_subscribe/, "subscriptions over WebSocket, which nodes have not served since 2024"],
      [
        /^unsafe_/,
        "has the node build a transaction, which the signer cannot know to be the one that was meant"
      ]
    ],
    requests: [
      [
        /^sui_tryGetPastObject: param version: |^sui_tryMultiGetPastObjects: param past_objects: it\/0\/version /,
        versions
      ]
    ],
    answers: [
      [/^suix?_\w+: (.*\/)?it\/(.*\/)?(version|sequenceNumber) must be (integer|string)/, versions],
      [/^sui_try(MultiGetPastObjects|GetPastObject): (\[\d\])?\.details\.\w+ is not described$/, versions]
    ],
    results: [
      [
        /^(getLatestCheckpointSequenceNumber|getTotalTransactionBlocks|getReferenceGasPrice): itself: is bigint, and described as string$/,
        "made from the decimal string"
      ],
      [
        /\b(version|sequenceNumber|initial_shared_version): is (bigint, and described as string|string, and described as number|never string)$/,
        versions
      ],
      [/\bdetails\[\]: is never number$/, versions],
      [
        /\bCancelledTransactions(V2)?(\[\])+: is (never number|array or bigint, and described as array or string)$/,
        versions
      ],
      [
        /^(getCoinMetadata|resolveNameServiceAddress): itself: is never null$/,
        "nodes have null for a coin without metadata, and for a name of nobody"
      ]
    ]
  },
  {
    family: "Casper",
    ids: ["casper"],
    endpoints: Casper.endpoints,
    files: ["casper", "casper2", "casper2-speculative"],
    ours: [
      [/^rpc\.discover$/, "gives the description itself"],
      [/^state_get_trie$/, "in neither description"]
    ],
    theirs: [],
    requests: [
      [
        /^(account_put_deploy|speculative_exec): param deploy: /,
        "the recorded deploy is made up; times are texts, whatever the description of 1.5 says"
      ],
      [/^speculative_exec: param block_identifier: is not described$/, "nodes of Casper 1 take it"]
    ],
    answers: [
      [
        /^info_get_deploy: (\.execution_info is not described|it must have required property 'execution_results', .*)$/,
        "the answer is of Casper 2, of whose description current_price and refund are newer: that of 1.5 is nearer"
      ],
      [
        /^info_get_transaction: (\.execution_info\.execution_result\.Version2\.(current_price|refund) is not described|it\/execution_info\/execution_result .*)$/,
        "outcomes have current_price and refund, newer than the description; nodes of 2.0 have them"
      ]
    ],
    results: [
      [
        /(timestamp: is string, and described as|(timestamp|ttl|round_length|uptime): may be) number$/,
        "nodes of either version write times and durations as text, whatever the description of 1.5 says"
      ],
      [
        /\.execution_result\.Version2\.(current_price|refund): is not described$/,
        "newer than the description; nodes of 2.0 have it"
      ],
      [
        /^infoGetDeploy: execution_results\[\]\.result\.Failure\.effect\..*(is never ("\w+"|array)|is not described)$/,
        "one type for outcomes of Casper 1, whichever node tells of them: those of Casper 2 know more kinds"
      ],
      [
        /\.Version1\.Failure\.effect\..*\.WriteBid\.delegators: is never object$/,
        "one type for outcomes of Casper 1, whichever node tells of them: those of Casper 1 have an object"
      ],
      [
        /^speculativeExec: (execution_result\.\w+: is (always there|not described)|block_hash: is not described)$/,
        "nodes of Casper 1 answer too, in another form and with the block; the description is of Casper 2"
      ]
    ]
  }
]

/** A table by recorded answers, which tell of some of its calls. */
type Recorded = Pick<
  Described,
  "answer" | "answers" | "family" | "flat" | "endpoints" | "files" | "results"
> & {
  /** The networks' families whose clients have this table, or stacks of rollups. */
  readonly ids: ReadonlyArray<FamilyId | keyof Evm.Rollups>
}

/** Families by recorded answers of real nodes. Of several clients, each has the calls that it has. */
export const recorded: ReadonlyArray<Recorded> = [
  {
    family: "EVM",
    ids: ["evm", "evm-beacon", "evm-native", "zksync"],
    endpoints: Evm.endpoints,
    files: ["recorded-evm"],
    results: [
      [
        /^debugTrace\w+: .*is unknown, and described as object$/,
        "a tracer of the caller's own answers what it likes; of the named ones, and of none, the answers are typed"
      ],
      [
        /^(getContractAddress|getToken\w+|supportsInterface\w+): itself: /,
        "reads a value out of the answer of a method of another name"
      ],
      [/: itself: is bigint, and described as string$/, "a quantity, which is read"]
    ]
  },
  {
    family: "algod",
    ids: ["algorand-algod"],
    endpoints: algodEndpoints,
    files: ["recorded-algod"],
    results: [
      [/\.today: is (missing|unknown, and described as string)$/, "made up, where any field may be"],
      [/^getAccountInfo: min-balance: may be missing$/, "an answer of before the version that has it"],
      [
        /^getLedgerStateDelta: Txleases: is unknown, and described as null$/,
        "leases are keys of a Go map of structures, of which none is recorded"
      ]
    ]
  },
  {
    family: "indexer",
    ids: ["algorand-indexer"],
    endpoints: indexerEndpoints,
    files: ["recorded-indexer"],
    results: [
      [/\.today: is unknown, and described as string$/, "made up, where any field may be"],
      [/\.assets\[\]\.creator: is missing$/, "an answer of before version 2.9, which has left it out since"],
      [
        /\.(min-balance|total-(apps|assets)-opted-in|total-created-(apps|assets)): may be missing$/,
        "an answer of before the version that has it"
      ]
    ]
  },
  { family: "Cardano", ids: ["cardano"], endpoints: Cardano.endpoints, files: ["recorded-rosetta"] },
  {
    family: "XRP",
    ids: ["xrp"],
    endpoints: Xrp.endpoints,
    files: ["recorded-rippled"],
    results: [
      [/^submit: success: is missing$/, "of a recording of old; rippled gives `engine_result`"],
      [/^tx: hash: may be missing$/, "one recording is cut down to the transaction and its metadata"]
    ]
  },
  { family: "Stellar", ids: ["stellar"], endpoints: Stellar.endpoints, files: ["recorded-horizon"] }
]

/** Differences of blocks, transactions and receipts from what viem declares, on whichever network. */
const viem: Reasons = [
  [/^getContractAddress: itself: /, "reads a value out of the answer of a method of another name"],
  [
    /: (\[\]\.)?(baseFeePerGas|blobGasUsed|excessBlobGas|mixHash|difficulty|totalDifficulty): is always there$/,
    "blocks of before or after a fork have none, and nodes leave it out"
  ],
  [/: (\[\]\.)?baseFeePerGas: may be null$/, "blocks of before London have none, and nodes leave it out"],
  [
    /: (\[\]\.)?(requestsHash|blockAccessListHash): is not described$/,
    "newer than the client (EIP-7685, EIP-7928)"
  ],
  [
    /^(simulate|getBlockByHash): (\[\]\.)?(hash|logsBloom|nonce|number): may be null$/,
    "null in pending blocks, which no hash is of and no simulation yields: the client has one type for all blocks"
  ],
  [/: miner: is never null$/, "null in pending blocks, as Geth gives them"],
  [/\bblockTimestamp: is never null$/, "null while the transaction is pending, as its other places are"],
  [/: (\[\]\.|receipt\.)?contractAddress: may be missing$/, "nodes give null where no contract is made"],
  [
    /: (\[\]\.|receipt\.)?status: is always there$/,
    "transactions of before Byzantium have the root of the state in place of it"
  ]
]

const sealed = [
  /\bsealFields: is missing$/,
  "of OpenEthereum, which has ended; execution-apis has no such field"
] as const

const pendingLogs = [
  /\blogs\[\]\.(blockHash|blockNumber|logIndex|transactionHash|transactionIndex): is never null$/,
  "one type of events, those of pending transactions among them"
] as const

/** Differences of what viem declares of methods that every EVM network has. */
const viemCalls: Reasons = [
  ...viem,
  sealed,
  pendingLogs,
  [
    /: itself: is (bigint|boolean), and described as string$/,
    "a quantity, or the value that a contract has returned, which is read"
  ],
  [
    /^get(BlockTransaction|Uncle)CountBy\w+: itself: is never null$/,
    "null for a block that the node does not know"
  ],
  [
    /^feeHistory: (baseFeePerBlobGas|blobGasUsedRatio): is not described$/,
    "newer than the client (EIP-4844)"
  ],
  [
    /^getLogs: \[\]\.blockTimestamp: may be null$|\blogs\[\]\.blockTimestamp: may be null$/,
    "the client's for events of pending transactions; nodes leave it out, or give a time"
  ],
  [
    /^getUncleBy\w+: (transactions: is always there|transactions\[\]: may be object|withdrawals: is missing)$/,
    "the client has the type of blocks; nodes give the header of an uncle, and no transaction"
  ],
  [/^fillTransaction: capabilities: is missing$/, "of wallets that sponsor, and not of nodes"],
  [
    /^fillTransaction: tx\.\w+: is always there$/,
    "the client has the type of mined ones; what is filled in has no place yet and, by node, no sender or signature"
  ],
  [
    /^(estimateUserOperationGas|getUserOperation\w+): (userOperation\.)?(factory|paymaster)\w*: is never null$/,
    "bundlers leave out or give null for what an operation does without"
  ],
  [
    /^getUserOperationReceipt: reason: is never null$/,
    "bundlers leave out or give null for it after a success"
  ],
  [
    /^getUserOperationByHash: userOperation\.(authorization: is missing|eip7702Auth: is not described)$/,
    "`authorization` is the client's own name; it goes over the wire as eip7702Auth"
  ],
  [
    /^syncing: (current|highest|starting)Block: is always there$/,
    "execution-apis requires none of them, and Erigon gives stages beside some"
  ]
]

/** Families by what the clients of the chains' own projects declare; those of EVM by what viem declares. */
export const clients: ReadonlyArray<Recorded> = [
  {
    family: "Solana",
    ids: ["solana"],
    endpoints: Solana.endpoints,
    files: ["client-solana"],
    results: [
      [/: context\.apiVersion: is not described$/, "nodes have it since 1.10; the client leaves it out"],
      [
        /\.rentEpoch: is not described$/,
        "the client leaves it out, as it tells nothing any more; nodes have it"
      ],
      [/\.space: is always there$/, "newer than the first nodes that applications meet (1.14)"],
      [/\.data: is never string$/, "nodes give Base58 alone where no encoding is asked for"],
      [
        /\.parsed\.info: is never array$/,
        "a list in the sysvars that hold one; the client has none of them here"
      ],
      [/\.instructions\[\]\.parsed: is never string$/, "the text of a memo"],
      [
        /^get(Block: block(Height|Time)|BlockTime: itself): is never null$/,
        "null of old blocks, for which long-term storage has none"
      ],
      [
        /(rewards\[\]|getInflationReward: \[\])\.(rewardType|commission): is (never null|always there)$/,
        "null of a reward that is neither of voting nor of staking"
      ],
      [
        /\.InstructionError\[\]\.(Custom: is always there|BorshIoError: is not described)$/,
        "older: nodes before 3.0 give the text of an error of Borsh, for which the client has the word alone"
      ],
      [
        /\.(pre|post)TokenBalances: is never null$/,
        "null of blocks from before nodes recorded balances of tokens"
      ],
      [/meta\.returnData: is never null$/, "older: null of nodes that did not leave it out yet"],
      [/\.innerInstructions: is never null$/, "null where nodes did not record them"],
      [/\.stackHeight: is never null$/, "null of blocks from before nodes recorded it"],
      [/(meta\.costUnits|commissionBps|numRewardPartitions): is not described$/, "newer nodes have it"],
      [
        /^getTransaction: meta\.(logMessages|rewards): is always there$/,
        "one type for transactions of blocks too, which leave it out where accounts alone are asked for"
      ],
      [
        /^getTransaction: version: is always there$/,
        "nodes leave it out unless the caller says which versions it knows"
      ],
      [
        /^get(Block|Transaction): .*accountKeys\[\]\.source: is (always there|never "lookupTable")$/,
        "older nodes leave it out; the client tells versions apart, and gives legacy ones no tables"
      ],
      [
        /^getBlock: .*\.message\.header: is always there$/,
        "the client is wrong of parsed transactions, which have none"
      ],
      [
        /addressTableLookups: is never null$/,
        "older: null of parsed legacy transactions, where newer nodes leave it out"
      ],
      [
        /^getBlockProduction: value\.range\.lastSlot: may be missing$/,
        "the client has the type of the request"
      ],
      [
        /^getClusterNodes: \[\]\.(clientId|pubsub|serveRepair|tpuForwards|tpuForwardsQuic|tpuQuic|tpuVote|tvu): is always there$/,
        "newer than the first nodes that applications meet"
      ],
      [
        /^getRecentPerformanceSamples: \[\]\.numNonVoteTransactions: is (always there|never null)$/,
        "newer than the first nodes that applications meet, and null of samples that those have left"
      ],
      [
        /^getSupply: value\.nonCirculatingAccounts\[\]: may be object$/,
        "how the client writes an empty list, where accounts are not asked for"
      ],
      [/^getVersion: feature-set: is never null$/, "null of a node that does not know its features"],
      [
        /^simulateTransaction: value\.(fee|loadedAddresses|(pre|post)(Token)?Balances|replacementBlockhash|returnData|accounts): is always there$/,
        "newer than the first nodes that applications meet"
      ],
      [
        /^simulateTransaction: value\.(loadedAccountsDataSize|unitsConsumed): is never null$/,
        "nodes have it as one that may be null"
      ]
    ]
  },
  {
    family: "NEAR",
    ids: ["near"],
    endpoints: Near.endpoints,
    files: ["client-near"],
    answers: [
      [
        /^EXPERIMENTAL_protocol_config: it\/(runtime_config|shard_layout\/V2) must have required property /,
        "each version of the protocol has its own: the recording has some of it"
      ]
    ],
    // what is asked about the state has one method, and answers by the type of the question, named in snake_case
    answer: (description, kind, called, name) =>
      called === "query"
        ? fieldOf(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))(description, kind)
        : kind,
    results: [
      [/^status: detailed_debug_status: is missing$/, "of the node's own pages, on demand of its operator"],
      [
        /\bvalidator_stake_struct_version: is not described$/,
        "nodes have it; the client leaves it out of stakes"
      ],
      [/\.actions\[\]\.DeterministicStateInit: is not described$/, "newer than the client"],
      [/\.Action\.refund_to: is not described$/, "newer than the client"],
      [/\.GlobalContractDistribution\.id: is never string$/, "older nodes give the hash alone"],
      [/^(tx|sendTx|broadcastTxCommit): receipts: is missing$/, "of `txStatus`, which has a type of its own"],
      [
        /^(tx|txStatus|sendTx|broadcastTxCommit): (receipts|receipts_outcome|status|transaction|transaction_outcome): is always there$/,
        "`final_execution_status` alone, where the node did not wait: one type for all that may be waited for"
      ],
      [
        /\.(HostError|StorageError)\.\w+: is unknown, and described as (object|string)$/,
        "of the machine and the storage, of which each version has its own: any JSON"
      ],
      [
        /^changes: changes\[\]\.change\.gas_key\.balance: is never string$/,
        "an amount in yoctoNEAR is text everywhere else, and no number holds it"
      ],
      [/^protocolConfig: \w+: is always there$/, "newer than the first protocols, which one type serves"],
      [
        /^protocolConfig: runtime_config\.\w+: is unknown, and described as (object|string)$|^(protocol|genesis)Config: shard_layout: is unknown, and described as object$/,
        "each version of the protocol has its own: any JSON"
      ]
    ]
  },
  {
    family: "Tezos",
    ids: ["tezos"],
    endpoints: Tezos.endpoints,
    files: ["client-tezos"],
    answers: [
      [
        /^GET \/chains\/\{chainId\}\/blocks\/\{block\}\/context\/contracts\/\{contractId\}\/manager_key: it must be object, /,
        "null until it is revealed"
      ],
      [
        /: it\/metadata\/nonce_hash must be string$|: it\/nonce_hash must be string$/,
        "null of blocks that promise no nonce"
      ],
      [/\/header: it must have required property 'content'$/, "of the first block of test chains alone"],
      [
        /\/header: \.(liquidity_baking_toggle_vote|adaptive_issuance_vote) is not described$/,
        "the client has it in the headers of whole blocks"
      ],
      [
        /\/constants: it must have required property /,
        "the client has those of all protocols in one type; the recording those that applications read"
      ],
      [/\/preapply\/operations: \[0\]\.signature is not described$/, "nodes give back what was signed"],
      [
        /\/run_operation: it\/contents\/0\/kind must be equal to one of the allowed values$/,
        "the test's operation (failing_noop) is one that no block has, and of which the client knows no outcome"
      ]
    ],
    results: [
      [/^getMempoolFilter: minimal_\w+(\[\])?: may be number$/, "Octez writes them as text"],
      [
        /script\.code: is never object$|^getContractScript(Normalized)?: code: is never object$/,
        "any Micheline, of which a program is a list"
      ],
      [/^getContract: script: is always there$/, "the client is wrong of accounts, which have no program"],
      [
        /^getContract(Staked|UnstakedFrozen|UnstakedFinalizable)Balance: itself: is never null$/,
        "null of originated contracts"
      ],
      [
        /^getContractUnstakeRequests: unfinalizable(: is never null|\.delegate: is always there)$/,
        "null where nothing is unstaked from a baker, or without one"
      ],
      [/^getContractDelegate: itself: may be null$/, "made by the client of an answer of 404"],
      [
        /^get(Contract)?ManagerKey: itself: (may be object|is never null)$/,
        "an object until 2019; null until it is revealed"
      ],
      [
        /^getContractEntrypoints: entrypoints\.\*(: is never array|\.prim: is always there|\.(int|string|bytes): is not described)$/,
        "any Micheline, of which types have a word always"
      ],
      [
        /^getContractEntrypoints: unreachable: is array, and described as object$/,
        "the client is wrong: nodes give a list"
      ],
      [/^getContractScriptNormalized: itself: is never null$/, "null of accounts, which have no program"],
      [
        /sufficient_dal_participation(a: is missing|: is not described)$/,
        "the client has it misspelt (sufficient_dal_participationa)"
      ],
      [
        /^getDelegate: (full_balance|current_frozen_deposits|frozen_deposits|frozen_deposits_limit|staking_balance|delegated_contracts|delegated_balance|total_delegated_stake|active_consensus_key|pending_consensus_keys|pending_denunciations|current_ballot|current_proposals|remaining_proposals|balance|frozen_balance|frozen_balance_by_cycle): is missing$/,
        "older: of protocols before Quebec; in reach by its name as any JSON"
      ],
      [/^getVoteListings: \[\]\.(rolls: is missing|voting_power: may be missing)$/, "rolls until 2022"],
      [
        /^getBakingRights: \[\]\.((round|consensus_key): may be missing|priority: is missing)$/,
        "priorities until 2022"
      ],
      [
        /^getAttestationRights: \[\]\.(delegates: may be missing|(delegate|slots): is missing)$/,
        "one baker in each until 2022"
      ],
      [
        /^getAttestationRights: \[\]\.delegates\[\]\.attesting_power: is (always there|never string)$/,
        "newer: `attestation_power` until Tallinn, and text where it is a stake"
      ],
      [/^packData: gas: may be missing$/, "nodes give it always"],
      [
        /^getBlock(sHead|Header)?: (header\.)?(proof_of_work_nonce|signature): is always there$/,
        "the first block of the chain has none"
      ],
      [
        /\.bh1\.(proof_of_work_nonce|signature): is always there$/,
        "one type for all headers, of which the first has none"
      ],
      [/\bper_block_votes: is not described$/, "newer: nodes since Seoul"],
      [
        /^getBlockHeader: content: is missing$/,
        "of the first block of test chains, in which it tells of the protocol"
      ],
      [
        /^getBlockHeader: (seed_nonce_hash|liquidity_baking_toggle_vote|adaptive_issuance_vote): is not described$/,
        "the client has it in the headers of whole blocks"
      ],
      [/\bbaker: is always there$/, "the first block of the chain has none"],
      [/\bnonce_hash: is never null$/, "null of blocks that promise no nonce"],
      [
        /balance_updates\[\]\.category: /,
        "the client has the names of operations here, and not those of older receipts, nor those of the data layer as they are"
      ],
      [/\.staker\.baker: is not described$/, "older: `baker` until Paris"],
      [
        /\.bond_id\.(smart_rollup: is always there|tx_rollup: is not described)$/,
        "older: of the rollups of 2022"
      ],
      [/^getBlock(sHead)?: metadata: is always there$/, "left out where it is not asked for, or too large"],
      [
        /^getBlock\w*: (metadata\.)?(pre)?attestations(: is never null|\.\w+: is string, and described as number)$/,
        "newer: Octez writes the weights as text, and null where there are none"
      ],
      [
        /\bconsensus_power(: is number or object, and described as null or object|\.baking_power: is null or string, and described as number)$/,
        "a number until Tallinn; Octez writes the weight as text, and null where slots count alone"
      ],
      [/\badaptive_issuance_activation_cycle: is never null$/, "null until a cycle is known"],
      [/\baddress_registry_diff: is not described$/, "newer: nodes since Tallinn"],
      [
        /implicit_operations_results\[\]\.(kind: is always there|\w+: is not described)$/,
        "one type for the outcomes of all operations; those of a block itself tell of their kinds"
      ],
      [
        /internal_operation_results\[\]\.result\.\w+: is not described$/,
        "one type for the outcomes of all operations; contracts make four kinds"
      ],
      [
        /result\.status: is always there$/,
        "one type for the outcomes of all operations, of which those of a block itself have none"
      ],
      [/big_map_diff\[\]\.action: may be missing$/, "blocks until 2019, when there was one action"],
      [
        /operation_result\.errors\[\]\.delegate: is missing$/,
        "each kind of error has fields of its own, in reach as any JSON"
      ],
      [
        /operation_result\.kind: is string, and described as boolean$/,
        "the client has a flag of a change of keys here, and not the kind of an outcome"
      ],
      [
        /operation_result\.whitelist_update: is not described$/,
        "of private rollups, which the client leaves out"
      ],
      [
        /\.committee\[\]\.consensus_power: is not described$|\.(slots|total_consensus_power|forbidden_delegate|operation_hash): is not described$/,
        "of aggregates, and of consensus operations and denunciations before and after the protocol that the client follows"
      ],
      [
        /contents\[\]\.nonce: is never number$/,
        "of operations that contracts have made, as older nodes list them"
      ],
      [/contents\[\]\.proof: is never null$/, "null where none is needed"],
      [
        /contents\[\]\.message: is never string$/,
        "one field for a list of messages, and the text of older rollups"
      ],
      [
        /contents\[\]\.refutation\.step\[\]\.(state: is never null|tick: is string, and described as number)$/,
        "Octez writes ticks as text, and null for a state that is none"
      ],
      [
        /^getPendingOperations: validated: is always there$|^getPendingOperations: applied: is not described$/,
        "`applied` in the first version of the answer"
      ],
      [
        /^getPendingOperations: \w+\[\](: is never array|\.(contents|protocol|error): is (always there|not described)|\.data: is not described)$/,
        "one type for the operations of all lists and of both versions of the answer"
      ],
      [
        /^preapplyOperations: \[\]\.contents\[\]\.(commitment: is never string|arbitrary: is not described)$/,
        "one type for the contents of all operations"
      ],
      [
        /^(simulate|run|preapply)Operations?: (\[\]\.)?(contents\[\]\.(commitment: is never string|arbitrary: is not described)|(signature|id|kind): is not described)$/,
        "nodes give the signature of a signed operation, and of one that fails what is wrong"
      ],
      [/^runCode: operations\[\]\.result: is missing$/, "the client is wrong: operations have not been run"],
      [
        /^runCode: lazy_storage_diff: is array, and described as object$/,
        "the client is wrong: nodes give a list"
      ],
      [
        /^getConstants: [\w.]+: is always there$/,
        "each protocol has its own: no constant is in all, but for those without a question mark"
      ],
      [
        /^getConstants: (origination_size|minimal_block_delay|consensus_committee_size|delay_increment_per_round): may be missing$/,
        "older: in all protocols since 2021"
      ],
      [
        /^getConstants: (dal_parametric\.)?(preserved_cycles|blocks_per_(roll_snapshot|voting_period|stake_snapshot|epoch)|time_between_blocks|endorse\w+|tokens_per_roll|seed_nonce_revelation_tip|block_(security_deposit|reward)|smart_rollup_enable|baking_reward_\w+|double_baking_punishment|endorsing_reward_per_slot|frozen_deposits_percentage|ratio_of_\w+|[ts][xc]_\w+|max_wrapped_proof_binary_size|liquidity_baking_(sunset_level|escape_ema_threshold)|delegate_selection|cache_layout|initial_endorsers|delay_per_missing_endorsement|test_chain_duration|max_revelations_per_block|origination_burn|endorsement_\w+|availability_threshold): is missing$/,
        "older: a constant of protocols before Paris, in reach by its name as any JSON"
      ],
      [
        /^getConstants: max_slashing_threshold: is never object$/,
        "the client is wrong of newer protocols, which give a fraction"
      ],
      [
        /^getConstants: zk_rollup_enable: is boolean, and described as number$/,
        "the client is wrong: nodes give a flag"
      ]
    ]
  },
  {
    family: "XRP",
    ids: ["xrp"],
    endpoints: Xrp.endpoints,
    files: ["client-xrp"],
    flat: "Fields",
    answers: [
      [
        /: \.status is not described$|^feature: it\/status must be object$/,
        "what the client has around the result"
      ],
      [
        /: \.(validated|ledger_hash|ledger_index|ledger_current_index) is not described$|: it must have required property 'ledger_current_index'$/,
        "the ledger of an answer, closed or open: the client has one of them, or none"
      ],
      [
        /^(account_tx|nft_history): it\/transactions\/0 must have required property 'ledger_index'$|^tx: (it must have required property 'tx_json'|\.\w+ is not described)$/,
        "the first version of the API, in which the fields of a transaction stand beside each other; the client is of the second"
      ],
      [
        /^ledger: it must have required property 'ledger_hash', .* it\/ledger must have required property 'transaction_hash'$/,
        "an open ledger has its number and that of its parent alone"
      ]
    ],
    results: [
      [
        /: has the fields of all kinds$/,
        "one type for the fields of all transactions and ledger entries (`Fields`), where a name has one type wherever it stands"
      ],
      [
        /: (nfts\[\]\.)?(status|warnings): is not described$|^feature: (status: is string|warnings: is array), and described as object$/,
        "what the client has around the result: with it in the answers of this client"
      ],
      [
        /: (\w+\[\]\.)?(validated|ledger_hash|ledger_index|ledger_current_index|limit|marker): is (always there|not described)$/,
        "one type for the ledger of an answer, closed or open, and one for pages: servers leave out what does not apply"
      ],
      [
        /\b(Amount2?|Asset2?|Balance|BaseFeeDrops|BidM(ax|in)|DeliverM(ax|in)|EPrice|FeeAmount|LPToken(In|Out|Balance)|MaxFee|MinAccountCreateAmount|NFTokenBrokerFee|Price|Reserve(Base|Increment)Drops|SendMax|SignatureReward|TakerGets|TakerPays|taker_(gets|pays)(_funded)?|amount2?|price|(source|destination)_amount)(: is never (object|string)|\.(currency|issuer): is always there|\.mpt_issuance_id: is not described)$/,
        "one type for amounts: of XRP, of issued currencies and of multi-purpose tokens"
      ],
      [
        /\bPaths\[\]\[\]\.(mpt_issuance_id|type|type_hex): is not described$|paths_computed\[\]\[\]\.(mpt_issuance_id|type|type_hex): is not described$/,
        "servers have it beside the step"
      ],
      [
        /: (may be "ConfidentialMPT\w+", .*"Sponsorship\w+"|may be "Sponsorship")$/,
        "of amendments to come (XLS-68, XLS-96), which no network has; the list of types is open"
      ],
      [
        /\b(Sponsor|SponsorFlags|SponsorSignature|Sponsee|SponseeNode|CounterpartySponsor|FeeAmountDelta|RemainingOwnerCount(Delta)?|(Low|High)Sponsor|Sponsored(OwnerCount)|Sponsoring(Owner|Account)Count): is missing$/,
        "of an amendment to come (XLS-68), which no network has; any field is in reach as JSON"
      ],
      [
        /\b(ZKProof|(Issuer|Holder|Auditor)EncryptionKey|(Holder|Issuer|Auditor|Sender|Destination)EncryptedAmount|BlindingFactor|(Balance|Amount)Commitment|ConfidentialOutstandingAmount): is missing$/,
        "of an amendment to come (XLS-96), which no network has; any field is in reach as JSON"
      ],
      [
        /\b(VaultKind|SubscriptionDate|RedemptionDate|LEVersion|ReferenceHolding): is missing$/,
        "of vaults of a version to come, which no network has; any field is in reach as JSON"
      ],
      [/\bFlags: may be object$/, "what the client takes in its requests"],
      [
        /\b(URI: may be null|OfferSequence: may be string|AssetPrice: may be number|XChain(AccountCreateCount|ClaimID): may be number|IssuerNode: may be number|PermissionValue: is never number)$/,
        "what the client takes in its requests; a server gives what the ledger's format has"
      ],
      [
        /\b(TransactionType|LedgerEntryType): is never "/,
        "the list is that of the ledger's format (`server_definitions`), of which the client has those that its users make"
      ],
      [
        /\bIndex(Next|Previous): is string, and described as number$/,
        "the client is wrong: integers of 64 bits are text"
      ],
      [
        /\bOverpaymentFee: is number, and described as string$/,
        "the client is wrong: a rate is an integer of 32 bits"
      ],
      [
        /\bDisabledValidators\[\]\.(FirstLedgerSequence: is missing|PublicKey: is missing|DisabledValidator: is not described)$/,
        "the client leaves out the name around each, which servers give"
      ],
      [
        /^accountInfo: (account_data\.signer_lists|queue_data\.(transactions\[\]\.(ticket|LastLedgerSequence)|(lowest|highest)_ticket|(sequence|ticket)_count)): is not described$|^accountInfo: queue_data\.transactions\[\]\.seq: is always there$/,
        "servers have it, of the first version of the API, or of transactions that wait by tickets"
      ],
      [
        /^accountNfts: account_nfts\[\]\.TransferFee: is not described$/,
        "servers have it; the client leaves it out"
      ],
      [
        /\bLedgerIndex: is missing$|^ledgerData: state\[\]\.ledgerEntryType: is missing$/,
        "names that servers give in no entry: `index` and `LedgerEntryType` are theirs"
      ],
      [/^accountObjects: marker: is never number or object$/, "one type for the marks of all pages"],
      [
        /^(accountTx|nftHistory|simulate): (transactions\[\]\.)?(meta_blob|close_time_iso|tx_json|tx_blob|hash): is not described$|^(ledgerEntry: node_binary|ledgerData: ledger|tx: tx(_blob)?): is not described$|^(ledgerEntry: node|tx: tx_json|simulate: tx_json): is always there$/,
        "one type for both forms of an answer, JSON and bytes, and for both versions of the API; the client has one of them"
      ],
      [
        /^tx: (TransactionType|inLedger): is not described$|^transactionEntry: meta(: is not described|data: is always there)$/,
        "one type for both versions of the API; the client has one of them"
      ],
      [/^ammInfo: amm\.auction_slot\.auth_accounts: is always there$/, "left out where there are none"],
      [
        /^feature: (features\.)?\*\.(name: is always there|(vetoed|count|majority|threshold|validations): is not described)$/,
        "an amendment that the server does not know has no name; administrators are told more"
      ],
      [
        /^feature: \*(: is never array or string|\.(enabled|supported): is always there)$/,
        "the answer's own fields are beside the amendments, by their ids"
      ],
      [
        /^ledger: ledger\.(accountState|transactions)\[\]: is never object$/,
        "objects, where they are asked for"
      ],
      [
        /^ledger: ledger\.(\w+: is always there|ledger_index: is never string)$/,
        "an open ledger has its number, as text, and that of its parent alone"
      ],
      [
        /^ledger: ledger\.(close_time_estimated|accepted|hash|seqNum|totalCoins|ledger_data): is not described$/,
        "of older servers, of the header as bytes, and of close times without a consensus"
      ],
      [
        /^ledger: queue_data\[\]\.tx(: is never string|\.\w+: is (missing|not described))$/,
        "written as the transactions of the ledger are, which the client has in a form of their own"
      ],
      [
        /^nft(Info|sByIssuer): (nfts\[\]\.)?uri: is (always there|never null)$/,
        "null of a token without one, and left out of a burned one"
      ],
      [
        /^norippleCheck: transactions(: is always there|\[\]\.(date|ledger_index|ledger_hash|inLedger): is missing)$/,
        "proposals, on demand: transactions that are in no ledger"
      ],
      [
        /^ripplePathFind: (alternatives\[\]\.destination_amount: is not described|(destination_amount|source_account): is always there)$/,
        "servers have amounts in each alternative where the caller asks for all that can be had, and Clio leaves out others"
      ],
      [/^ripplePathFind: id: is missing$/, "the id of a request over WebSocket"],
      [/^serverDefinitions: hash: is always there$/, "newer: servers since 2.0"],
      [
        /^server(Info: info|State: state)\.(\w+|load\.job_types\[\]\.per_second|closed_ledger\.age): is always there$/,
        "Clio tells less than rippled, and both tell their administrators more"
      ],
      [
        /^server(Info: info|State: state)\.(clio_version|rippled_version|libxrpl_version|corruption_detected|cache|git|initial_sync_duration_us|node_size|published_ledger|network_ledger|ports|closed_ledger\.close_time): is not described$/,
        "of Clio, or of rippled in some states, or to its administrators"
      ],
      [
        /^server(Info: info|State: state)\.state_accounting\.full\.transitions: is never number$/,
        "older servers have a number"
      ],
      [
        /^submit: (accepted|account_sequence_(available|next)|applied|broadcast|kept|queued|open_ledger_cost|validated_ledger_index): is always there$/,
        "newer than the first servers that applications meet (1.5)"
      ],
      [
        /^submitMultisigned: (accepted|account_sequence_(available|next)|applied|broadcast|kept|queued|open_ledger_cost|validated_ledger_index): is not described$/,
        "one type for all submissions"
      ],
      [/^tx: meta_blob: may be object$/, "the client is wrong: bytes are hexadecimal"],
      [
        /^accountInfo: account_data\.urlgravatar: is not described$/,
        "servers have it where the account has the hash of an address"
      ],
      [/^submit: hash: is not described$/, "servers give it beside what they have signed themselves"],
      [
        /\bDeletedNode\.(FinalFields: is always there|PreviousTxnID: is not described|PreviousTxnLgrSeq: is not described)$/,
        "one type for nodes that were changed and removed"
      ]
    ]
  },
  {
    family: "EVM",
    ids: ["evm", "evm-beacon", "evm-native"],
    endpoints: Evm.endpoints,
    files: ["client-viem"],
    results: [
      ...viemCalls,
      [
        /^getBlockBy\w+: (reward|blockScore|governanceData|voteData|timestampFoS|randomReveal): is not described$/,
        "Klaytn's, by the names of its own that its methods have besides"
      ],
      [
        /^get(TransactionBy\w+|TransactionReceipt|BlockReceipts): (\[\]\.)?(typeInt|senderTxHash|signatures|feePayer|feePayerSignatures|feeRatio|codeFormat|humanReadable|key|txError): is not described$/,
        "Klaytn's, by the names of its own that its methods have besides"
      ],
      [
        /^get(TransactionReceipt|BlockReceipts): (\[\]\.)?(accessList|authorizationList|blobVersionedHashes|chainId|gas|gasPrice|input|max\w+Gas|nonce|value): is not described$/,
        "Klaytn's receipts, by the names of its own, have the transaction"
      ],
      [
        /^get(TransactionBy\w+|TransactionReceipt|BlockReceipts): (\[\]\.)?(input|r|s|v|to|value|cumulativeGasUsed): is always there$/,
        "not in each kind of Klaytn's own transactions, nor in its receipts of them"
      ]
    ]
  },
  {
    family: "OP stack",
    ids: ["op"],
    endpoints: Evm.endpoints,
    files: ["client-viem-op"],
    results: [
      ...viem,
      sealed,
      pendingLogs,
      [
        /: (\[\]\.)?l1(Fee|FeeScalar|GasPrice|GasUsed): (is always there|may be null)$/,
        "op-geth leaves it out: of deposits, and by upgrade"
      ],
      [
        /: (\[\]\.)?(l1BaseFeeScalar|l1BlobBaseFee|l1BlobBaseFeeScalar|operatorFee\w+|daFootprintGasScalar): is not described$/,
        "newer than the client (Ecotone, Isthmus, Jovian)"
      ],
      [/\bdepositReceiptVersion: is not described$/, "newer than the client (Canyon)"]
    ]
  },
  {
    family: "ZKsync",
    ids: ["zksync"],
    endpoints: ZkSync.endpoints,
    files: ["client-viem-zksync"],
    answers: [
      [
        /^zks_(estimateGasL1ToL2: it|getTransactionDetails: it\/fee) must be integer/,
        "a quantity, which the client reads"
      ],
      [
        /^zks_get(BlockDetails|L1BatchDetails): \.(l1GasPrice|l2FairGasPrice|fairPubdataPrice|operatorAddress|protocolVersion) is not described$/,
        "newer than the client, or in its type of the other"
      ],
      [
        /^zks_getBridgeContracts: it\/l1WethBridge must be string, it\/l2WethBridge must be string$/,
        "null where a network has none"
      ],
      [
        /^zks_getL1BatchDetails: it must have required property 'l1BatchNumber'$/,
        "the client leaves it out of the type of blocks too little: nodes give `number`"
      ]
    ],
    results: [
      ...viemCalls,
      [
        /^getBlockBy\w+: sealFields: is always there$/,
        "of ZKsync Era, where it is empty; ZKsync OS has the blocks of Ethereum"
      ],
      [
        /^get(BlockBy|TransactionBy)\w+: (transactions\[\]\.)?([rsv]|l1BatchNumber|l1BatchTxIndex): is always there$/,
        "transactions from L1 have no signature, and nodes leave out the batch of one that is in none yet"
      ],
      [/: (\[\]\.)?root: is always there$/, "older: nodes of today have no such field"],
      [
        /\btransactionLogIndex: is never null$/,
        "null while the transaction is pending, as the other places are"
      ],
      [
        /\bl2ToL1Logs\[\]\.(blockHash: is never null|(transactionLogIndex|txIndexInL1Batch): is not described)$/,
        "nodes have it; the client leaves it out"
      ],
      [
        /^zksGet(BlockDetails|BridgeHubContract|L1Batch\w+|L2ToL1LogProof|TestnetPaymaster|TransactionDetails): itself: is never null$/,
        "null for what the node does not know, or its network has not"
      ],
      [
        /^zksGet(BlockDetails|L1BatchDetails|TransactionDetails): (rootHash|eth\w+TxHash|(commit|prove|execute)TxHash|(committed|proven|executed)At|protocolVersion): (may be missing|is never null)$/,
        "nodes give null for a later step"
      ],
      [
        /^zksGet(BlockDetails|L1BatchDetails): (\w+TxFinality|\w+ChainId|precommit\w+|fairPubdataPrice|baseSystemContractsHashes\.evm_emulator): is not described$/,
        "newer than the client"
      ],
      [
        /^zksGetBlockDetails: (l1GasPrice|l2FairGasPrice): is not described$/,
        "the client has it of batches alone; nodes give it of blocks too"
      ],
      [
        /^zksGetL1BatchDetails: l1BatchNumber: is missing$/,
        "the client leaves it out of the type of blocks too little: nodes give `number`"
      ],
      [/^zksGetTransactionDetails: ethPrecommitTxHash: is not described$/, "newer than the client"],
      [
        /^zksGetBridgeContracts: l[12]\w+: is (always there|never null)$/,
        "a network may be without each of them, for which nodes give null"
      ],
      [/^zksGetBridgeContracts: l2LegacySharedBridge: is not described$/, "newer than the client"],
      [
        /^zksGetBridgeContracts: l1(Nullifier|NativeTokenVault): is missing$/,
        "nodes of ZKsync Era do not give it, and the client asks the contract instead"
      ],
      [/^zksGetL2ToL1LogProof: batch_number: is not described$/, "newer than the client"],
      [
        /\.common_data\.(L1|ProtocolUpgrade)\.(deadlineBlock|ethHash|ethBlock): is always there$/,
        "older: nodes are about to lose it"
      ],
      [
        /\.common_data\.L2\.fee\.\w+: is (missing|not described)$/,
        "the client's own names: nodes give those of zks_estimateFee, with underscores"
      ],
      [
        /^zksGetRawBlockTransactions: \[\]\.(common_data\.L2\.input|execute\.factoryDeps|raw_bytes): (may be missing|is never null)$/,
        "nodes give null in place of leaving it out"
      ],
      [
        /\.execute\.contractAddress: is never null$/,
        "newer than the client: a transaction that makes a contract is to no address"
      ],
      [
        /\.execute\.(factoryDeps: is array or null, and described as string|value: is string, and described as number)$/,
        "the client is wrong: nodes give lists of bytes, and amounts as quantities"
      ],
      [
        /^zksGetTransactionDetails: (fee|gasPerPubdata): is string, and described as number$/,
        "the client's own form, a bigint; nodes give quantities"
      ]
    ]
  },
  {
    family: "Tron",
    ids: ["tron"],
    endpoints: Tron.endpoints,
    files: ["client-tron"],
    answers: [
      [
        /^POST \/wallet\/(?!getnodeinfo)\w+: it(\/\S+)? must have required property |^GET \/wallet\/listwitnesses: it\/witnesses\/0 must have required property /,
        "nodes write protobuf messages, in which zeros and what is empty are left out"
      ],
      [
        /^GET \/wallet\/getnodeinfo: it must have required property /,
        "versions of java-tron differ in it: the recording has some of it"
      ],
      [
        /^POST \/wallet\/(getsignweight: \.transaction\.txid|getapprovedlist: \.(result|transaction)) is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /^POST \/wallet\/broadcast(hex|transaction): \.Error is not described$/,
        "java-tron's servlets answer so to bytes that are no protobuf message"
      ]
    ],
    results: [
      [
        /^(?!getNodeInfo).*: is always there$/,
        "nodes write protobuf messages, in which zeros and what is empty are left out, as the client says of itself"
      ],
      [
        /^getNodeInfo: \S+: is always there$/,
        "versions of java-tron differ in it, and the client declares those of one"
      ],
      [
        /\bcontract\[\]\.type: may be "CustomContract", "GetContract", "UNRECOGNIZED"$/,
        "of the protobuf's enumeration and of its reader, and of no transaction"
      ],
      [
        /^trigger(Smart|Constant)Contract: transaction\.ret: is not described$/,
        "of the protobuf message: whether the trial has failed; the client leaves it out"
      ],
      [
        /\braw_data\.(ref_block_num|scripts): is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /\bparameter\.value\.(vote_address|support|count): is not described$/,
        "votes for assets, which the client has not"
      ],
      [
        /\bparameter\.value\.(order_id|(buy|sell)_token_\w+|transparent_\w+_address|(from|to)_amount|\w+_description|binding_signature): is not described$/,
        "of the market and of shielded transfers, which the client has not"
      ],
      [
        /\bparameter\.value\.(type|id|new_contract\.(version|trx_hash|code_hash)): is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /\babi\.entrys\[\]\.inputs\[\]\.(internalType|components|baseType|arrayLength|arrayChildren): is missing$/,
        "the client has the type of a library for ABIs; nodes give a name, a type, and whether it is indexed"
      ],
      [
        /\bparameters\[\]\.key: may be string$/,
        "the client has any record here; nodes give the numbers of parameters"
      ],
      [
        /\bowner\.type: is string, and described as number$|^getAccount: type: is string, and described as number$/,
        "nodes write the names of enumerations"
      ],
      [/\bparent_id: is not described$/, "of the protobuf message; the client leaves it out"],
      [
        /^(?!deployContract).*\bcontract_address: is not described$/,
        "one type of transactions: that which makes a contract has its address"
      ],
      [
        /\bret\[\]\.(ret|fee|withdraw_\w+|unfreeze_amount|shielded_\w+|order\w+|exchange_\w+|cancel_\w+|assetIssueID): is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /\b(latest_asset_operation_time|assetNet(Used|Limit)|cancel_unfreezeV2_amount)\[\]\.key: is string, and described as number$/,
        "the client says of any field that it is a number; nodes give the key of a map beside its value"
      ],
      [/^getAccount: frozen_supply: is array, and described as object$/, "a list in the protobuf message"],
      [
        /^getAccount: (un)?frozenV2\[\]\.type: is never "TRON_POWER"$/,
        "a kind of resources that the client leaves out of its type"
      ],
      [/\bresult: is never "SUCESS"$/, "nodes write it so, if they do not leave it out"],
      [/\bexchange_id: is bigint, and described as string$/, "an integer in the protobuf message"],
      [
        /^(trigger\w+|estimateEnergy): (Error|energy_\w+|constant_result|transaction): is missing$/,
        "the client has one type for three methods, and for refusals, which fail here"
      ],
      [
        /^trigger\w+: (result\.code|logs|internal_transactions|txid): is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /^estimateEnergy: result\.code: is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /^(getSignWeight: transaction\.(txid|result|transaction\.(ret|signature))|getApprovedList: (result|transaction)): is not described$/,
        "of the protobuf message; the client leaves it out"
      ],
      [
        /^getNodeInfo: (peerInfoList: is missing|peerList: is not described)$/,
        "the client has the name of java-tron's class; the JSON has peerList"
      ],
      [
        /^getNodeInfo: machineInfo\.(memoryDesc|deadLockThread)InfoList: is array, and described as object$/,
        "a list, as the name says"
      ],
      [/^getNodeInfo: configNodeInfo\.versionNum: is not described$/, "newer than the client's type"],
      [
        /^getNodeInfo: cheatWitnessInfoMap\.size: is string, and described as number$/,
        "the client has a class of JavaScript here; JSON has an object of texts"
      ]
    ]
  },
  {
    family: "Zilliqa",
    ids: ["zilliqa"],
    endpoints: Zilliqa.endpoints,
    files: ["client-zilliqa"],
    answers: [
      [
        /^(GetTransaction: it|GetTxnBodiesForTxBlock: it\/0) must have required property 'code', /,
        "a payment has neither; the client gives all fields as needed"
      ],
      [
        /^GetTransactionStatus: it must have required property 'statusMessage'$/,
        "the client adds it, from a table of its own"
      ]
    ],
    results: [
      [
        /^(getTransaction: |getTxnBodiesForTxBlock: \[\]\.)(code|data|receipt\.transitions\[\]\.accepted): is always there$/,
        "not every transaction has it; the client gives all fields as needed"
      ],
      [
        /^getTransactionStatus: _id: (is always there|is never null)$/,
        "the id in the database of Zilliqa 1; null on Zilliqa 2"
      ],
      [/^getTransactionStatus: data: is not described$/, "newer than the client: nodes of Zilliqa 2 have it"],
      [/^getTransactionStatus: statusMessage: is missing$/, "the client adds it, from a table of its own"],
      [/^getTransactionsForTxBlock: \[\]: is never null$/, "null for a shard without transactions"]
    ]
  },
  {
    family: "Avalanche P",
    ids: ["avalanche-p"],
    endpoints: Avalanche.pEndpoints,
    files: ["client-avalanche"],
    answers: [
      [
        /^platform\.get\w+: it\/\w+ must be (number|integer)/,
        "nodes write integers of 64 bits as texts; the client has the number that it means"
      ],
      [
        /^platform\.getCurrentValidators: (it\/validators\/0 must have required property 'delegators', .*|\.validators\[0\]\.signer\.proofOfPossession is not described)$/,
        "delegators are left out of lists of all; the client has the proof misspelt"
      ],
      [/^platform\.getTxStatus: it must have required property 'reason'$/, "of dropped transactions alone"],
      [
        /^platform\.get(CurrentSupply: \.height|TotalStake: \.stake|Balance: \.\w+s) is not described$/,
        "nodes have it; the client leaves it out"
      ]
    ],
    results: [
      [
        /^get(Height|UTXOs|Balance|CurrentSupply|MinStake): (height|numFetched|balance|\w*[lL]ocked\w*|supply|min\w+Stake): is string, and described as number$/,
        "nodes write integers of 64 bits as texts (their json.Uint64); the client has the number that it means"
      ],
      [/^getTxStatus: reason: is always there$/, "of dropped transactions alone"],
      [
        /^getBalance: (balances|unlockeds|lockedStakeables|lockedNotStakeables): is not described$/,
        "by asset: the client leaves it out"
      ],
      [
        /^getCurrentValidators: validators\[\]\.signer\.proofOfPosession: is missing$|\.proofOfPossession: is not described$/,
        "the client has it misspelt"
      ],
      [
        /^getCurrentValidators: validators\[\]\.\S+: is always there$/,
        "by sort of validator: those of permissioned subnets and of L1s have fewer or other fields, and delegators are left out of lists of all"
      ],
      [/^getCurrentValidators: validators\[\]\.delegators: is never null$/, "null for a list that is empty"],
      [
        /^getCurrentValidators: validators\[\]\.(validationID|publicKey|remainingBalanceOwner|deactivationOwner|minNonce|balance): is not described$/,
        "of validators of L1s, which are newer than the client's type"
      ],
      [
        /^getCurrentValidators: validators\[\]\.delegators\[\]\.weight: is not described$/,
        "nodes have it beside stakeAmount; the client leaves it out"
      ],
      [/^getCurrentSupply: height: is not described$/, "newer than the client's type"],
      [/^getTotalStake: stake: is not described$/, "older: the name that `weight` had"]
    ]
  },
  {
    family: "Avalanche X",
    ids: ["avalanche-x"],
    endpoints: Avalanche.xEndpoints,
    files: ["client-avalanche"],
    answers: [
      [
        /^avm\.get\w+: it\/\S+ must be number$/,
        "nodes write integers as texts; the client has the number that it means"
      ],
      [
        /^avm\.getTxStatus: it must have required property 'reason'$/,
        "of the P-Chain: one type in the client"
      ]
    ],
    results: [
      [
        /^get(UTXOs: numFetched|AllBalances: balances\[\]\.balance|AssetDescription: denomination): is string, and described as number$/,
        "nodes write integers as texts (their json.Uint64 and json.Uint8); the client has the number that it means"
      ],
      [/^getTxStatus: reason: is missing$/, "of the P-Chain: one type in the client for both"]
    ]
  }
]

/** Families by what a node says itself of the results of its methods (`help METHOD`). */
export const helpTexts: ReadonlyArray<Recorded> = [
  {
    family: "Bitcoin",
    ids: ["utxo", "utxo-estimatefee", "doge"],
    endpoints: Bitcoin.endpoints,
    files: ["help-litecoind"],
    results: [
      [
        /^getMempool(Ancestors|Descendants): (txids|mempool_sequence): is \w+, and described as object$/,
        "one type for three methods: `getRawMemPool` has these on demand"
      ],
      [
        /^scanTxOutSet(Status: \w+: is missing|Abort: itself: is boolean, and described as object)$/,
        "the help has the result of a scan alone; its progress and its end have results of their own"
      ],
      [
        /^decodePsbt: inputs\[\]\.final_scriptsig: is unknown, and described as object$/,
        "the help has it misspelt; nodes write final_scriptSig"
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
