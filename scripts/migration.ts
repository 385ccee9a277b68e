/**
 * `node scripts/run.mjs scripts/migration.ts [--check]` writes `docs/migration/tatum.md`: every public member of
 * `@tatumio/tatum` and its equivalent here. The methods come from the conformance vectors, their deviations from the
 * rules in `test/conformance/exceptions.ts`, the exports from `src/cli/migrate/tatum.json`, and their equivalents from
 * the sources. `--check` fails if the page differs.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Method, MethodTable } from "../react/playground/console/model.js"
import tatum from "../src/cli/migrate/tatum.json" with { type: "json" }
import * as Network from "../src/data/Network.js"
import { rules } from "../test/conformance/exceptions.js"
import { mapTarget } from "../test/conformance/run.js"
import { type CallVector, load } from "../test/conformance/vectors.js"
import { cachedMethods } from "./methods.js"

const root = process.cwd()
const path = join(root, "docs", "migration", "tatum.md")

/**
 * The equivalent of an export: code that compiles over {@link PRELUDE} as a type or a value, or nothing, with a reason.
 */
export interface Equivalent {
  readonly name: string
  readonly kind: "type" | "value" | "none"
  readonly code: string
  readonly note: string
}

/** The declarations that equivalents use. */
export const PRELUDE = `
import * as Sdk from "effect-chains"
import * as Networks from "effect-chains/networks"
import { init, retry, type BrowserWallet, type Extension, type ExtensionContext, type Failure, type Init, type InitConfig, type PromiseCallOptions, type PromiseSdk, type Result, type WalletExtension } from "effect-chains/promise"
`

type Row = readonly [names: string, kind: Equivalent["kind"], code: string, note: string]

const findNetwork = (family: Network.FamilyId): string =>
  Object.keys(Network.networks).find((id) => Network.isNetwork(id) && Network.info(id).family === family) ??
  ""

const clientTypeOf = (network: string): string => `PromiseSdk<"${network}">`

const NO_CLASS_NEEDED = "the client's type follows from its network, so that it needs no class"
const NOT_EXPORTED = "a part that the incumbent exports for its own use: nothing stands in its place"
const INLINE = "the fields stand in the call: write the object there, and the compiler checks it"

/** Exports that are in no signature, or whose equivalent is in another one. */
const rows: ReadonlyArray<Row> = [
  ["TatumSDK", "value", "init", "`TatumSDK.init<Ethereum>({ network })` is `init({ network })`"],
  [
    "TatumSdkChain ITatumSdkChain FullSdk BaseOther",
    "type",
    "PromiseSdk",
    "the client of any network; `destroy()` is where it was"
  ],
  ["BaseEvm NotificationEvm FullEvm", "type", clientTypeOf("polygon-mainnet"), NO_CLASS_NEEDED],
  ["BaseUtxo UtxoFee NotificationUtxo FullUtxo", "type", clientTypeOf("bitcoin-mainnet"), NO_CLASS_NEEDED],
  ["Address", "type", `${clientTypeOf("ethereum-mainnet")}["address"]`, "a service of the client"],
  ["AddressTezos", "type", `${clientTypeOf("tezos-mainnet")}["address"]`, "a service of the client"],
  ["AddressTron", "type", `${clientTypeOf("tron-mainnet")}["address"]`, "a service of the client"],
  ["Nft", "type", `${clientTypeOf("ethereum-mainnet")}["nft"]`, "a service of the client"],
  ["NftTezos", "type", `${clientTypeOf("tezos-mainnet")}["nft"]`, "a service of the client"],
  ["Notification", "type", `${clientTypeOf("ethereum-mainnet")}["notification"]`, "a service of the client"],
  [
    "Subscribe",
    "type",
    `${clientTypeOf("ethereum-mainnet")}["notification"]["subscribe"]`,
    "a service of the client"
  ],
  ["FeeEvm FeeService", "type", `${clientTypeOf("ethereum-mainnet")}["fee"]`, "a service of the client"],
  [
    "CurrentEvmFee",
    "type",
    `Extract<Awaited<ReturnType<${clientTypeOf("ethereum-mainnet")}["fee"]["getCurrentFee"]>>, { status: "SUCCESS" }>["data"]`,
    "what `fee.getCurrentFee` answers"
  ],
  ["FeeUtxo", "type", `${clientTypeOf("bitcoin-mainnet")}["fee"]`, "a service of the client"],
  [
    "TatumConnector",
    "type",
    `${clientTypeOf("ethereum-mainnet")}["provider"]`,
    "`sdk.provider`: requests to the provider"
  ],
  [
    "WalletProvider MetaMask",
    "type",
    `${clientTypeOf("ethereum-mainnet")}["wallet"]`,
    "`sdk.wallet`: `use(MetaMask)` is `use()` of any wallet of the browser (EIP-6963), or nothing at all"
  ],
  [
    "TatumSdkExtension ExtensionConstructor ExtensionConstructorOrConfig ExtensionWithConfig",
    "type",
    "Extension",
    "an object `{ name, supportedNetworks, init, destroy }` in place of a class"
  ],
  [
    "TatumSdkWalletProvider WalletProviderConstructor WalletProviderConstructorOrConfig WalletProviderWithConfig",
    "type",
    "WalletExtension",
    "an object in place of a class; its `init` returns the wallet"
  ],
  [
    "TatumSdkContainer ITatumSdkContainer ServiceConstructor",
    "type",
    "ExtensionContext",
    "what an extension's `init` is given"
  ],
  [
    "EvmRpc EvmLoadBalancerRpc EvmBasedRpcSuite EvmBasedRpcInterface",
    "type",
    `${clientTypeOf("polygon-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  ["EvmBasedBeaconRpcSuite", "type", `${clientTypeOf("ethereum-mainnet")}["rpc"]`, "the calls of a client"],
  [
    "EvmBeaconV1Interface",
    "type",
    `${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]`,
    "the calls of a client"
  ],
  [
    "UtxoRpc AbstractUtxoRpc UtxoBasedRpcSuite UtxoBasedRpcInterface UtxoBasedCommonRpcInterface",
    "type",
    `${clientTypeOf("bitcoin-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  [
    "UtxoBasedRpcInterfaceEstimateFee UtxoBasedRpcSuiteEstimateFee",
    "type",
    `${clientTypeOf("bitcoin-cash-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  [
    "DogeRpcSuite DogeRpcInterface",
    "type",
    `${clientTypeOf("doge-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  [
    "AbstractSolanaRpc SolanaRpcSuite SolanaRpcInterface",
    "type",
    `${clientTypeOf("solana-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  [
    "AbstractTronRpc TronLoadBalancer TronRpcSuite",
    "type",
    `${clientTypeOf("tron-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  [
    "AbstractXrpRpc XrpRpcSuite XrpRpcInterface",
    "type",
    `${clientTypeOf("ripple-mainnet")}["rpc"]`,
    "the calls of a client"
  ],
  ["TezosRpcInterface", "type", `${clientTypeOf("tezos-mainnet")}["rpc"]`, "the calls of a client"],
  [
    "AbstractBatchRpc GenericRpc",
    "type",
    `${clientTypeOf("ethereum-mainnet")}["rpc"]["rawRpcCall"]`,
    "`rawRpcCall` and `rawBatchRpcCall` of every client"
  ],
  [
    "LoadBalancer",
    "type",
    `ReturnType<PromiseSdk["nodes"]>`,
    "`sdk.nodes()` and `sdk.listen()` show the pool; `rpc` of the configuration steers it"
  ],
  [
    "TatumDevelopmentLogger TatumDevelopmentBrowserLogger TatumProductionLogger",
    "type",
    `InitConfig["verbose"]`,
    "`verbose: true` is for development; without it the client logs what production needs"
  ],
  ["TatumQuietLogger", "type", `InitConfig["quiet"]`, "`quiet: true`"],
  ["Logger", "type", `NonNullable<InitConfig["logger"]>`, "the option `logger`"],
  ["TatumConfig", "type", "InitConfig", "see [the options](#options)"],
  ["RpcNode", "type", `NonNullable<NonNullable<InitConfig["rpc"]>["nodes"]>[number]`, ""],
  [
    "ResponseDto",
    "type",
    "Result<unknown>",
    "of every call, those of nodes too; `status` tells the cases apart"
  ],
  ["JsonRpcResponse", "type", "Result<unknown>", "`result` is `data`; numbers are `bigint`"],
  ["JsonRpcCall", "type", `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["rawRpcCall"]>[0]`, ""],
  ["Status", "value", "Networks.ResultStatus", "or the strings themselves"],
  [
    "Network",
    "type",
    "Sdk.Network.Network",
    'an id; `Network.ETHEREUM` is `"ethereum-mainnet"`, or the constant of `effect-chains/networks`'
  ],
  ["ApiVersion", "value", "Networks.ApiVersion", "or the strings themselves"],
  ["RpcNodeType", "value", "Networks.NodeType", '`"normal"` and `"archive"`, or 0 and 1'],
  ["LogLevel", "value", "Networks.LogLevel", ""],
  ["NotificationType", "value", "Networks.NotificationType", ""],
  [
    "Commitment",
    "type",
    `NonNullable<NonNullable<Parameters<${clientTypeOf("solana-mainnet")}["rpc"]["getBalance"]>[1]>["commitment"]>`,
    "the strings themselves"
  ],
  [
    "Encoding TransactionDetails",
    "type",
    `NonNullable<Parameters<${clientTypeOf("solana-mainnet")}["rpc"]["getBlock"]>[1]>`,
    INLINE
  ],
  [
    "TronStakeType TronStakeTypeNumeric",
    "type",
    `Parameters<${clientTypeOf("tron-mainnet")}["rpc"]["freezeBalance"]>`,
    INLINE
  ],
  [
    "Chain AddressEventNotificationChain MappedNetwork MAPPED_NETWORK NATIVE_PREFIX_MAPPING",
    "none",
    "",
    "codes of the provider: the client writes and reads them"
  ],
  [
    "NETWORK_METADATA NetworkMetadata",
    "value",
    `Sdk.Network.info("ethereum-mainnet")`,
    "what the table has of a network"
  ],
  [
    "Constant",
    "value",
    `Sdk.Network.info("ethereum-mainnet").decimals`,
    "decimals are a column of the table of networks"
  ],
  [
    "CONFIG LOGGER EnvUtils LoggerUtils Utils DefaultParamsType DefaultBodyType EmptyObject SdkRequest GetUrl FileUploadRequest QueryParams QueryValue ApiInfoResponse IdDto NativeTransferFeeEstimation EstimationsApi ApiUtxoFeeResponse ApiEvmFeeResponse AddressBalanceDataApi AddressEventNotificationApi ContractAddressLogEventNotificationApi MetadataResponse GetNftTransactionResponse NativeTransferFeeEstimationDetails EvmBeaconResponse",
    "none",
    "",
    NOT_EXPORTED
  ],
  [
    "ErrorUtils",
    "type",
    "Failure<Sdk.SdkError.SdkError>",
    "calls do not throw: `error.cause` is a tagged error"
  ],
  ["TxId", "type", "string", ""],
  [
    "CreateErc1155NftCollection",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["wallet"]["createErc1155NftCollection"]>`,
    ""
  ],
  [
    "CreateNftCollection",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["wallet"]["createNftCollection"]>`,
    ""
  ],
  [
    "BlockQuery BlockId",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getBlockRoot"]>[0]`,
    ""
  ],
  [
    "StateQuery StateId",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateRoot"]>[0]`,
    ""
  ],
  [
    "StateCommitteesQuery",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateCommittees"]>[0]`,
    ""
  ],
  [
    "StateSyncCommitteesQuery",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateSyncCommittees"]>[0]`,
    ""
  ],
  [
    "ValidatorBalancesQuery",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateValidatorBalances"]>[0]`,
    ""
  ],
  [
    "ValidatorQuery",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateValidator"]>[0]`,
    ""
  ],
  [
    "ValidatorsQuery ValidatorStatus",
    "type",
    `Parameters<${clientTypeOf("ethereum-mainnet")}["rpc"]["beacon"]["v1"]["getStateValidators"]>[0]`,
    ""
  ],
  [
    "isEvmBasedNetwork isEvmLoadBalancerNetwork isEvmArchiveNonArchiveLoadBalancerNetwork",
    "value",
    "Sdk.Network.isEvm",
    ""
  ],
  [
    "isUtxoBasedNetwork isUtxoLoadBalancerNetwork isUtxoEstimateFeeNetwork isUtxoLoadBalancerEstimateFeeNetwork isDogecoinLoadBalancedNetwork",
    "value",
    "Sdk.Network.isUtxo",
    "families are finer: `utxo`, `utxo-estimatefee`, `doge`"
  ],
  ["isXrpNetwork isXrpLoadBalancerNetwork", "value", "Sdk.Network.isXrp", ""],
  ["isSolanaNetwork", "value", "Sdk.Network.isSolana", ""],
  ["isTronNetwork isTronLoadBalancerNetwork", "value", "Sdk.Network.isTron", ""],
  ["isDataApiEnabledNetwork", "value", "Sdk.Coverage.isDataApi", ""],
  ["isDataApiEvmEnabledNetwork", "value", "Sdk.Coverage.isDataApiEvm", ""],
  ["isDataApiUtxoEnabledNetwork", "value", "Sdk.Coverage.isDataApiUtxo", ""],
  ["isLoadBalancerNetwork", "value", "Sdk.Network.isLoadBalanced", ""],
  ["isSameGetBlockNetwork", "none", "", NOT_EXPORTED],
  [
    "DATA_API_NETWORKS DATA_API_EVM_NETWORKS DATA_API_UTXO_NETWORKS",
    "value",
    "Object.keys(Sdk.Network.networks).filter(Sdk.Network.isNetwork).filter(Sdk.Coverage.isDataApi)",
    "a filter of the table"
  ],
  [
    "LOAD_BALANCER_NETWORKS",
    "value",
    "Object.keys(Sdk.Network.networks).filter(Sdk.Network.isNetwork).filter(Sdk.Network.isLoadBalanced)",
    "a filter of the table"
  ]
]

const families: ReadonlyArray<readonly [RegExp, Network.FamilyId]> = [
  [/beacon/i, "evm-beacon"],
  [/algod/i, "algorand-algod"],
  [/indexer/i, "algorand-indexer"],
  [/dogecoin/i, "doge"],
  [/estimate_?fee/i, "utxo-estimatefee"],
  [/utxo/i, "utxo"],
  [/zk_?sync/i, "zksync"],
  [/native_?evm/i, "evm-native"],
  [/evm/i, "evm"],
  [/electrs/i, "electrs"],
  ...(
    [
      "tron",
      "eos",
      "xrp",
      "solana",
      "tezos",
      "cardano",
      "cosmos",
      "stellar",
      "kadena",
      "rostrum",
      "iota",
      "casper",
      "ton"
    ] as const
  ).map((family) => [new RegExp(family, "i"), family] as const)
]

/** A dotted path as indexed types: `rpc.beacon.v1` is `["rpc"]["beacon"]["v1"]`. */
const toIndexedType = (dotted: string): string =>
  dotted
    .split(".")
    .map((name) => `["${name}"]`)
    .join("")

const handWritten = new Map(
  rows.flatMap(([names, kind, code, note]) =>
    names.split(" ").map((name) => [name, { name, kind, code, note }] as const)
  )
)

const clients: Readonly<Record<string, { readonly networks: string } | undefined>> = tatum.clients
const placeByName: Readonly<Record<string, string | undefined>> = tatum.met

/** The equivalent by the first signature that has a type. */
const findBySignature = (name: string): Equivalent | undefined => {
  const place = placeByName[name]
  if (place === undefined) return undefined
  if (place.startsWith("of ")) {
    const outer = findBySignature(place.slice(3)) ?? handWritten.get(place.slice(3))
    return outer === undefined ? undefined : { ...outer, name, note: `a part of \`${place.slice(3)}\`` }
  }
  const [owner = "", method = "", at] = place.split(" ")
  const network = clients[owner]?.networks.split(" ")[0] ?? ""
  const call = `${clientTypeOf(network)}${toIndexedType(method)}`
  return {
    name,
    kind: "type",
    code:
      at === "answer"
        ? `Extract<Awaited<ReturnType<${call}>>, { status: "SUCCESS" }>["data"]`
        : `Parameters<${call}>[${at}]`,
    note: at === "answer" ? `what \`${method}\` answers` : `an argument of \`${method}\``
  }
}

/** The equivalent of an export of `@tatumio/tatum`; undefined if there is none. */
export const findEquivalent = (name: string): Equivalent | undefined => {
  const own = handWritten.get(name)
  if (own !== undefined) return own
  const networks = clients[name]?.networks
  if (networks !== undefined) {
    const ids = networks.split(" ").filter(Network.isNetwork)
    return {
      name,
      kind: "type",
      code: clientTypeOf(ids.join('" | "')),
      note: "the client of these networks"
    }
  }
  const [, family] = families.find(([pattern]) => pattern.test(name)) ?? []
  if (family !== undefined && /^is[A-Z]\w+Network$/.test(name))
    return {
      name,
      kind: "value",
      code: `Sdk.Network.info("${findNetwork(family)}").family === "${family}"`,
      note: "the family of a network"
    }
  if (family !== undefined && /_NETWORKS$/.test(name))
    return {
      name,
      kind: "value",
      code: `Object.values(Sdk.Network.networks).filter(({ family }) => family === "${family}")`,
      note: "a filter of the table"
    }
  return findBySignature(name)
}

/** The names of all exports by their kind. */
export const exported: ReadonlyArray<readonly [kind: string, names: ReadonlyArray<string>]> = Object.entries(
  tatum.exports
).map(([kind, names]) => [kind, names.split(" ")])

/** A method of `@tatumio/tatum`: its path here, and the rules of its deliberate deviations. */
interface MovedMethod {
  readonly target: string
  readonly here: Method | undefined
  readonly place: string
  readonly rules: ReadonlySet<string>
}

const vectors = load(
  ["rpc", "services", "wallet"].map((name) => join(root, `test/conformance/vectors/${name}.json`))
)
  .filter((vector): vector is CallVector => vector.kind === "call")
  .filter(({ target }) => !target.startsWith("TatumSDK."))

/** The rules that only some calls have; one that all have is stated once. */
const specialRules = rules.filter(({ name }) => name !== "key-to-provider-only")

/** The methods in vectors, by the family of their network; those of services under "services". */
export const findMoved = (methods: MethodTable): ReadonlyMap<string, ReadonlyMap<string, MovedMethod>> => {
  const found = new Map<string, Map<string, MovedMethod & { readonly rules: Set<string> }>>()
  const services = Object.values(methods.services).flat()
  for (const vector of vectors) {
    const isRpc = vector.target.startsWith("rpc.")
    if (!Network.isNetwork(vector.network)) continue
    const { family } = Network.info(vector.network)
    const group = isRpc ? family : "services"
    const place = mapTarget(vector.target)
    const own = isRpc ? (methods.families[family] ?? []) : services
    const moved = found.get(group) ?? new Map()
    found.set(group, moved)
    const known = moved.get(vector.target) ?? {
      target: vector.target,
      here: own.find((each) => each.path === place),
      place,
      rules: new Set<string>()
    }
    moved.set(vector.target, known)
    for (const rule of specialRules) if (rule.when(vector)) known.rules.add(rule.name)
  }
  return found
}

const formatCell = (text: string): string => text.replaceAll("|", "\\|")
const formatCode = (text: string): string => (text === "" ? "" : `\`${formatCell(text)}\``)

const formatTable = (head: ReadonlyArray<string>, lines: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const makeLines = (moved: ReadonlyMap<string, MovedMethod>): ReadonlyArray<ReadonlyArray<string>> =>
  [...moved.values()]
    .sort((one, other) => (one.target < other.target ? -1 : 1))
    .map(({ here, place, rules: names, target }) => [
      formatCode(target),
      formatCode(`sdk.${place}`),
      here === undefined ? "**missing**" : formatCode(here.returns),
      [...names].map((name) => `[${name}](#${name})`).join(", ")
    ])

const TABLE_HEAD = ["`@tatumio/tatum`", "here", "`data`", "differs by"]

const stripSource = (reason: string): string =>
  reason.replace(/^(decisions|specification|facts|README of the corpus)[^:]*: /, "")

export const makePage = (methods: MethodTable): string => {
  const moved = findMoved(methods)
  const groups = new Map<string, Array<string>>()
  for (const [group, methods] of moved) {
    if (group === "services") continue
    const text = formatTable(TABLE_HEAD, makeLines(methods))
    groups.set(text, [...(groups.get(text) ?? []), group])
  }
  const services = moved.get("services") ?? new Map()
  const count = [...moved.values()].reduce((sum, methods) => sum + methods.size, 0)
  const names = exported.flatMap(([, each]) => each)
  return [
    `# Every public member of @tatumio/tatum ${tatum.version}`,
    "`scripts/migration.ts` writes this page from the conformance vectors, their exceptions, and the declarations of both packages; a test compiles every equivalent of an export, and finds every method in the tables of endpoints. [The guide](../migration.md) says how to move.",
    `It has ${names.length} exports, and ${count} methods: those of the services and the wallet (${services.size}), and those of the clients by family (${count - services.size}; the same call of two families is counted twice). Every call resolves to a \`Result\`: \`data\` is what the column of that name says.`,
    `## On purpose otherwise`,
    `To all calls applies: ${stripSource(rules.find(({ name }) => name === "key-to-provider-only")?.reason ?? "")}.`,
    ...specialRules.map(({ name, reason }) => `### ${name}\n\n${stripSource(reason)}.`),
    "## Options",
    formatTable(
      ["`TatumConfig`", "here"],
      [
        [
          "`network`, `version`, `apiKey`, `retryDelay`, `retryCount`, `verbose`, `quiet`, `logger`",
          "the same"
        ],
        [
          "`rpc.nodes`, `rpc.allowedBlocksBehind`, `rpc.oneTimeLoadBalancing`, `rpc.evictNodesOnFailure`",
          "the same; `allowedBlocksBehind` is 10 by default"
        ],
        ["`configureExtensions`, `configureWalletProviders`", "the same, with objects in place of classes"]
      ]
    ),
    "## Exports",
    ...exported.map(([kind, each]) =>
      [
        `### Of the kind ${kind}`,
        formatTable(
          ["`@tatumio/tatum`", "here", ""],
          each.map((name) => {
            const found = findEquivalent(name)
            return found === undefined
              ? [formatCode(name), "**missing**", ""]
              : [
                  formatCode(name),
                  found.kind === "none" ? "nothing" : formatCode(found.code),
                  formatCell(found.note)
                ]
          })
        )
      ].join("\n\n")
    ),
    "## Services and the wallet",
    formatTable(TABLE_HEAD, makeLines(services)),
    "## Calls of clients",
    ...[...groups].map(([text, each]) => {
      const ids = Object.keys(Network.networks).filter(
        (id) => Network.isNetwork(id) && each.some((family) => family === Network.info(id).family)
      )
      return `### ${each.join(", ")}\n\n${ids.map((id) => `\`${id}\``).join(", ")}\n\n${text}`
    })
  ]
    .join("\n\n")
    .concat("\n")
}

if (process.argv[1] === "scripts/migration.ts") {
  const text = makePage(cachedMethods(root))
  if (!process.argv.includes("--check")) writeFileSync(path, text)
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(
      "docs/migration/tatum.md is not what the sources say: node scripts/run.mjs scripts/migration.ts"
    )
    process.exitCode = 1
  }
}
