/**
 * The parameters by which definitions identify their chain, and the requests that ask a node for its chain.
 */
import type { ChainParameters } from "../data/ChainParameters.js"
import type { ChainCheck, evmFamilies, FamilyId } from "../data/Network.js"
import { kindOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"

import { type OptionCheck, shapeWithRequired, wholeNumber } from "./optionChecks.js"

/** The families with a chain id of EIP-155. Their own checks ask nodes for it. */
export type NumberedFamily = (typeof evmFamilies)[number] | "tron"

/** The name of a field with parameters. */
export type ParameterName = keyof ChainParameters

/** The field with parameters of each family. Applications define no networks of a family that has none. */
export const parameterByFamily = {
  cosmos: "cosmos",
  utxo: "utxo",
  "utxo-estimatefee": "utxo",
  doge: "utxo",
  rostrum: "electrum",
  electrs: "electrum",
  solana: "solana",
  stellar: "stellar",
  tezos: "tezos",
  "algorand-algod": "algorand",
  "algorand-indexer": "algorand",
  near: "near",
  polkadot: "polkadot",
  cardano: "cardano",
  xrp: "xrp",
  ton: "ton",
  eos: "eos",
  casper: "casper",
  flow: "flow",
  iota: "iota",
  kadena: "kadena",
  multiversx: "multiversx",
  zilliqa: "zilliqa",
  "avalanche-p": "avalanche",
  "avalanche-x": "avalanche",
  bnb: "bnb",
  aptos: "aptos",
  "hedera-mirror": "hedera",
  sui: "sui"
} as const satisfies { readonly [F in Exclude<FamilyId, NumberedFamily>]?: ParameterName }

/** Checks text against a pattern. */
export const textMatching =
  (what: string, pattern: RegExp): OptionCheck =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? undefined : `must be ${what}`

/** Checks a byte. */
export const byte: OptionCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255
    ? undefined
    : `must be a whole number from 0 to 255, not ${kindOf(value)}`

/** Checks a safe integer from 1. */
export const positiveSafeInteger: OptionCheck = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0
    ? undefined
    : `must be a safe integer above 0, not ${kindOf(value)}`

const uint32: OptionCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32
    ? undefined
    : `must be a whole number from 0 to 4294967295, not ${kindOf(value)}`

const blockHash = textMatching("the 64 hexadecimal digits of a block's hash", /^[0-9a-f]{64}$/i)
const base58 = (what: string) => textMatching(what, /^[1-9A-HJ-NP-Za-km-z]{32,60}$/)
const name = (example: string) => textMatching(`the chain's name, such as ${example}`, /^[!-~]{1,64}$/)

/** Reads a member of an answer, at these names, as text. */
const makeReadMember =
  (...names: ReadonlyArray<string | number>) =>
  (answer: unknown): string | undefined => {
    const found = names.reduce<unknown>(
      (value, each) => (typeof value === "object" && value !== null ? Reflect.get(value, each) : undefined),
      answer
    )
    return typeof found === "string" || typeof found === "number" ? String(found) : undefined
  }

type ChainRequest = Pick<ChainCheck, "verb" | "path" | "body" | "chainIn">

const makeGetRequest = (path: string, ...names: ReadonlyArray<string | number>): ChainRequest => ({
  verb: "GET",
  path,
  body: undefined,
  chainIn: makeReadMember(...names)
})

const makeRpcRequest = (
  method: string,
  params: unknown,
  ...names: ReadonlyArray<string | number>
): ChainRequest => ({
  verb: "POST",
  path: "",
  body: { jsonrpc: "2.0", id: 1, method, params },
  chainIn: makeReadMember("result", ...names)
})

/** Expects this chain in the answer. */
const makeCheck = (expected: string | number, question: ChainRequest): ChainCheck => ({
  ...question,
  expected: () => expected
})

/**
 * Sends a second request to nodes that do not have the first route: other programs of the chain have other routes.
 */
const makeCheckWithFallback = (
  expected: string | number,
  first: ChainRequest,
  second: ChainRequest
): ChainCheck => ({
  ...makeCheck(expected, first),
  fallback: makeCheck(expected, second)
})

/** Compares the answer in lower case. */
const withLowerCase = ({ chainIn, ...question }: ChainRequest): ChainRequest => ({
  ...question,
  chainIn: (answer) => chainIn(answer)?.toLowerCase()
})

/** Converts a hash in Base64 or hexadecimal digits to lower-case digits. */
const toHexDigits = (text: string): string =>
  /^[0-9a-f]{64}$/i.test(text)
    ? text.toLowerCase()
    : Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
        character.charCodeAt(0).toString(16).padStart(2, "0")
      ).join("")

const withHexDigits = ({ chainIn, ...question }: ChainRequest): ChainRequest => ({
  ...question,
  chainIn: (answer) => {
    const said = chainIn(answer)
    return said === undefined ? undefined : toHexDigits(said)
  }
})

/** Expects a network in a Rosetta server's list. */
const makeRosettaCheck = (blockchain: string, network: string): ChainCheck => ({
  verb: "POST",
  path: "/network/list",
  body: { metadata: {} },
  expected: () => `${blockchain} ${network}`,
  chainIn: (answer) => {
    const list = isRecord(answer) ? answer.network_identifiers : undefined
    if (!Array.isArray(list)) return undefined
    const names = list.flatMap((each) => (isRecord(each) ? [`${each.blockchain} ${each.network}`] : []))
    const found = names.find((each) => each === `${blockchain} ${network}`) ?? names.join(", ")
    return found === "" ? undefined : found
  }
})

/** The check of a field with parameters, and the request that asks a node for its chain. */
interface ParameterDeclaration<P> {
  readonly check: OptionCheck
  readonly makeChainCheck: (parameters: P, family: FamilyId) => ChainCheck
}

const declarations: { readonly [K in ParameterName]: ParameterDeclaration<NonNullable<ChainParameters[K]>> } =
  {
    cosmos: {
      check: shapeWithRequired(
        {
          chainId: textMatching("the chain's id, such as osmosis-1", /^[!-~]{1,50}$/),
          bech32Prefix: textMatching("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
          denom: textMatching("a denomination of 3 to 128 characters", /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/)
        },
        { gasPrice: textMatching('a decimal number as text, such as "0.025"', /^\d{1,20}(\.\d{1,18})?$/) }
      ),
      makeChainCheck: ({ chainId }) =>
        makeCheck(
          chainId,
          makeGetRequest("/cosmos/base/tendermint/v1beta1/node_info", "default_node_info", "network")
        )
    },
    utxo: {
      check: shapeWithRequired(
        { genesisHash: blockHash, pubKeyHash: byte, scriptHash: byte, wif: byte },
        {
          bech32: textMatching("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
          coinType: wholeNumber,
          dustRate: positiveSafeInteger,
          relayFee: positiveSafeInteger,
          messagePrefix: textMatching("a text of at most 100 characters", /^[\x20-\x7e\n]{1,100}$/)
        }
      ),
      makeChainCheck: ({ genesisHash }) =>
        makeCheck(genesisHash.toLowerCase(), makeRpcRequest("getblockhash", [0]))
    },
    electrum: {
      check: shapeWithRequired({ genesisHash: blockHash }),
      makeChainCheck: ({ genesisHash }) =>
        makeCheck(
          genesisHash.toLowerCase(),
          withLowerCase(makeRpcRequest("server.features", [], "genesis_hash"))
        )
    },
    solana: {
      check: shapeWithRequired({ genesisHash: base58("a hash as base58 text") }),
      makeChainCheck: ({ genesisHash }) => makeCheck(genesisHash, makeRpcRequest("getGenesisHash", []))
    },
    stellar: {
      check: shapeWithRequired({
        passphrase: textMatching("a text of at most 200 characters", /^[\x20-\x7e]{1,200}$/)
      }),
      makeChainCheck: ({ passphrase }) => makeCheck(passphrase, makeGetRequest("/", "network_passphrase"))
    },
    tezos: {
      check: shapeWithRequired({
        chainId: textMatching(
          "the chain's id: Net and 12 characters of base58",
          /^Net[1-9A-HJ-NP-Za-km-z]{12}$/
        )
      }),
      makeChainCheck: ({ chainId }) => makeCheck(chainId, makeGetRequest("/chains/main/chain_id"))
    },
    algorand: {
      check: shapeWithRequired({
        genesisHash: textMatching("a hash of 32 bytes as Base64", /^[A-Za-z0-9+/]{43}=$/),
        genesisId: textMatching("the name of the first state", /^[!-~]{1,64}$/)
      }),
      // an indexer that started later does not have the first round
      makeChainCheck: ({ genesisHash }, family) =>
        family === "algorand-indexer"
          ? makeCheckWithFallback(
              genesisHash,
              makeGetRequest("/v2/blocks/0?header-only=true", "genesis-hash"),
              makeGetRequest("/v2/transactions?limit=1", "transactions", 0, "genesis-hash")
            )
          : makeCheck(genesisHash, makeGetRequest("/v2/transactions/params", "genesis-hash"))
    },
    near: {
      check: shapeWithRequired({ chainId: name("mainnet") }),
      makeChainCheck: ({ chainId }) => makeCheck(chainId, makeRpcRequest("status", [], "chain_id"))
    },
    polkadot: {
      check: shapeWithRequired({
        genesisHash: textMatching("0x and 64 hexadecimal digits", /^0x[0-9a-f]{64}$/i)
      }),
      makeChainCheck: ({ genesisHash }) =>
        makeCheck(genesisHash.toLowerCase(), withLowerCase(makeRpcRequest("chain_getBlockHash", [0])))
    },
    cardano: {
      check: shapeWithRequired({ network: name("preview") }),
      makeChainCheck: ({ network }) => makeRosettaCheck("cardano", network)
    },
    xrp: {
      check: shapeWithRequired({ networkId: uint32 }),
      makeChainCheck: ({ networkId }) =>
        makeCheck(networkId, makeRpcRequest("server_info", [{}], "info", "network_id"))
    },
    ton: {
      check: shapeWithRequired({
        rootHash: textMatching(
          "a hash of 32 bytes in Base64 or hexadecimal digits",
          /^([A-Za-z0-9+/]{43}=|[0-9a-f]{64})$/i
        )
      }),
      makeChainCheck: ({ rootHash }) =>
        makeCheckWithFallback(
          toHexDigits(rootHash),
          withHexDigits(makeGetRequest("/v2/liteserver/get_masterchain_info", "init", "root_hash")),
          withHexDigits(makeGetRequest("/getMasterchainInfo", "result", "init", "root_hash"))
        )
    },
    eos: {
      check: shapeWithRequired({ chainId: textMatching("64 hexadecimal digits", /^[0-9a-f]{64}$/i) }),
      makeChainCheck: ({ chainId }) =>
        makeCheck(chainId.toLowerCase(), {
          ...withLowerCase(makeGetRequest("/v1/chain/get_info", "chain_id")),
          verb: "POST"
        })
    },
    casper: {
      check: shapeWithRequired({ chainName: name("casper-test") }),
      // JSON-RPC is at the url itself, or at its path /rpc
      makeChainCheck: ({ chainName }) => {
        const status = makeRpcRequest("info_get_status", [], "chainspec_name")
        return makeCheckWithFallback(chainName, status, { ...status, path: "/rpc" })
      }
    },
    flow: {
      check: shapeWithRequired({ chainId: name("flow-emulator") }),
      makeChainCheck: ({ chainId }) =>
        makeCheck(chainId, makeGetRequest("/v1/network/parameters", "chain_id"))
    },
    iota: {
      check: shapeWithRequired({ networkName: name("shimmer") }),
      makeChainCheck: ({ networkName }) =>
        makeCheck(networkName, makeGetRequest("/api/core/v2/info", "protocol", "networkName"))
    },
    kadena: {
      check: shapeWithRequired({
        version: textMatching("a version of Chainweb, such as testnet06", /^[a-z0-9-]{1,64}$/)
      }),
      makeChainCheck: ({ version }) => makeCheck(version, makeGetRequest("/info", "nodeVersion"))
    },
    multiversx: {
      check: shapeWithRequired({ chainId: name("D") }),
      makeChainCheck: ({ chainId }) =>
        makeCheck(chainId, makeGetRequest("/network/config", "data", "config", "erd_chain_id"))
    },
    zilliqa: {
      check: shapeWithRequired({ networkId: positiveSafeInteger }),
      makeChainCheck: ({ networkId }) => makeCheck(networkId, makeRpcRequest("GetNetworkId", [""]))
    },
    avalanche: {
      check: shapeWithRequired({ networkId: uint32 }),
      makeChainCheck: ({ networkId }) =>
        makeCheck(networkId, { ...makeRpcRequest("info.getNetworkID", {}, "networkID"), path: "/ext/info" })
    },
    bnb: {
      check: shapeWithRequired({ chainId: name("Binance-Chain-Tigris") }),
      makeChainCheck: ({ chainId }) =>
        makeCheck(chainId, makeRpcRequest("status", {}, "node_info", "network"))
    },
    aptos: {
      check: shapeWithRequired({ chainId: byte }),
      makeChainCheck: ({ chainId }) => makeCheck(chainId, makeGetRequest("/v1", "chain_id"))
    },
    hedera: {
      check: shapeWithRequired({
        genesisHash: textMatching("0x and 96 hexadecimal digits", /^0x[0-9a-f]{96}$/i)
      }),
      // no answer names the network; a mirror node has the first block unless it started later
      makeChainCheck: ({ genesisHash }) =>
        makeCheck(genesisHash.toLowerCase(), withLowerCase(makeGetRequest("/api/v1/blocks/0", "hash")))
    },
    sui: {
      check: shapeWithRequired({ chainIdentifier: textMatching("8 hexadecimal digits", /^[0-9a-f]{8}$/) }),
      makeChainCheck: ({ chainIdentifier }) =>
        makeCheck(chainIdentifier, makeRpcRequest("sui_getChainIdentifier", []))
    }
  }

/** The names of all fields with parameters. */
// the keys of this table are those of its type, which Object.keys does not say
export const parameterNames = Object.keys(declarations) as ReadonlyArray<ParameterName>

/** Returns the check of a field with parameters. */
export const getParameterCheck = (parameter: ParameterName): OptionCheck => declarations[parameter].check

/**
 * Makes the request that asks a node for the chain with these parameters, or undefined without parameters.
 */
export const makeChainCheck = <K extends ParameterName>(
  parameter: K,
  all: ChainParameters,
  family: FamilyId
): ChainCheck | undefined => {
  const parameters = all[parameter]
  return parameters === undefined ? undefined : declarations[parameter].makeChainCheck(parameters, family)
}
