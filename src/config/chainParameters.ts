/** What a definition states of its chain by its family, and how nodes are asked whether they serve that chain. */
import type { ChainParameters } from "../data/ChainParameters.js"
import { isRecord } from "../data/foreign.js"
import type { ChainCheck, evmFamilies, Family } from "../data/Network.js"
import { kindOf } from "../data/SdkError.js"
import { type Check, count, shape } from "./Config.js"

/** The families whose chains have a chain id of EIP-155, which their nodes are asked for by the family itself. */
export type NumberedFamily = (typeof evmFamilies)[number] | "tron"

/** The name of a field with parameters. */
export type Parameter = keyof ChainParameters

/** The field that a definition of each family has. */
export const parameterOf = {
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
} as const satisfies { readonly [F in Exclude<Family, NumberedFamily>]: Parameter }

/** The check of a text that has a pattern. */
export const text =
  (what: string, pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? undefined : `must be ${what}`

/** The check of a byte. */
export const byte: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255
    ? undefined
    : `must be a whole number from 0 to 255, not ${kindOf(value)}`

/** The check of a number from 1. */
export const positive: Check = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0
    ? undefined
    : `must be a safe integer above 0, not ${kindOf(value)}`

const id32: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 32
    ? undefined
    : `must be a whole number from 0 to 4294967295, not ${kindOf(value)}`

const hash = text("the 64 hexadecimal digits of a block's hash", /^[0-9a-f]{64}$/i)
const base58 = (what: string) => text(what, /^[1-9A-HJ-NP-Za-km-z]{32,60}$/)
const name = (example: string) => text(`the chain's name, such as ${example}`, /^[!-~]{1,64}$/)

/** A check of an object whose fields have to be there, but for those of `optional`. */
export const complete =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    const found = shape({ ...required, ...optional })(value, path)
    return isRecord(value)
      ? [
          ...Object.keys(required).flatMap((field) =>
            value[field] === undefined
              ? [{ path: path === "" ? field : `${path}.${field}`, message: "is missing" }]
              : []
          ),
          ...found
        ]
      : found
  }

/** Where an answer has the chain: the member at these names, a text or a number. */
const memberAt =
  (...names: ReadonlyArray<string | number>) =>
  (answer: unknown): string | undefined => {
    const found = names.reduce<unknown>(
      (value, each) => (typeof value === "object" && value !== null ? Reflect.get(value, each) : undefined),
      answer
    )
    return typeof found === "string" || typeof found === "number" ? String(found) : undefined
  }

type Question = Pick<ChainCheck, "verb" | "path" | "body" | "chainIn">

const get = (path: string, ...names: ReadonlyArray<string | number>): Question => ({
  verb: "GET",
  path,
  body: undefined,
  chainIn: memberAt(...names)
})

const call = (method: string, params: unknown, ...names: ReadonlyArray<string | number>): Question => ({
  verb: "POST",
  path: "",
  body: { jsonrpc: "2.0", id: 1, method, params },
  chainIn: memberAt("result", ...names)
})

/** A question whose answer is the chain itself. */
const asks = (expected: string | number, question: Question): ChainCheck => ({
  ...question,
  expected: () => expected
})

/** A question that another program of the chain answers, where a node does not have the route of the first. */
const either = (expected: string | number, first: Question, second: Question): ChainCheck => ({
  ...asks(expected, first),
  otherwise: asks(expected, second)
})

/** Hashes of the same bytes are the same text. */
const inSmallLetters = ({ chainIn, ...question }: Question): Question => ({
  ...question,
  chainIn: (answer) => chainIn(answer)?.toLowerCase()
})

/** The digits of a hash that programs write in Base64 or in digits. */
const digits = (text: string): string =>
  /^[0-9a-f]{64}$/i.test(text)
    ? text.toLowerCase()
    : Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
        character.charCodeAt(0).toString(16).padStart(2, "0")
      ).join("")

const inDigits = ({ chainIn, ...question }: Question): Question => ({
  ...question,
  chainIn: (answer) => {
    const said = chainIn(answer)
    return said === undefined ? undefined : digits(said)
  }
})

/** The networks that a Rosetta server has, of which one has to be the expected one. */
const rosettaNetwork = (blockchain: string, network: string): ChainCheck => ({
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

/** What a field with parameters has to be, and the question that a node of such a chain is asked. */
interface Declaration<P> {
  readonly check: Check
  readonly question: (parameters: P, family: Family) => ChainCheck
}

const declarations: { readonly [K in Parameter]: Declaration<NonNullable<ChainParameters[K]>> } = {
  cosmos: {
    check: complete(
      {
        chainId: text("the chain's id, such as osmosis-1", /^[!-~]{1,50}$/),
        bech32Prefix: text("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
        denom: text("a denomination of 3 to 128 characters", /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/)
      },
      { gasPrice: text('a decimal number as text, such as "0.025"', /^\d{1,20}(\.\d{1,18})?$/) }
    ),
    question: ({ chainId }) =>
      asks(chainId, get("/cosmos/base/tendermint/v1beta1/node_info", "default_node_info", "network"))
  },
  utxo: {
    check: complete(
      { genesisHash: hash, pubKeyHash: byte, scriptHash: byte, wif: byte },
      {
        bech32: text("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
        coinType: count,
        dustRate: positive,
        relayFee: positive,
        messagePrefix: text("a text of at most 100 characters", /^[\x20-\x7e\n]{1,100}$/)
      }
    ),
    question: ({ genesisHash }) => asks(genesisHash.toLowerCase(), call("getblockhash", [0]))
  },
  electrum: {
    check: complete({ genesisHash: hash }),
    question: ({ genesisHash }) =>
      asks(genesisHash.toLowerCase(), inSmallLetters(call("server.features", [], "genesis_hash")))
  },
  solana: {
    check: complete({ genesisHash: base58("a hash as base58 text") }),
    question: ({ genesisHash }) => asks(genesisHash, call("getGenesisHash", []))
  },
  stellar: {
    check: complete({ passphrase: text("a text of at most 200 characters", /^[\x20-\x7e]{1,200}$/) }),
    question: ({ passphrase }) => asks(passphrase, get("/", "network_passphrase"))
  },
  tezos: {
    check: complete({
      chainId: text("the chain's id: Net and 12 characters of base58", /^Net[1-9A-HJ-NP-Za-km-z]{12}$/)
    }),
    question: ({ chainId }) => asks(chainId, get("/chains/main/chain_id"))
  },
  algorand: {
    check: complete({
      genesisHash: text("a hash of 32 bytes as Base64", /^[A-Za-z0-9+/]{43}=$/),
      genesisId: text("the name of the first state", /^[!-~]{1,64}$/)
    }),
    // an indexer that began later has no first round
    question: ({ genesisHash }, family) =>
      family === "algorand-indexer"
        ? either(
            genesisHash,
            get("/v2/blocks/0?header-only=true", "genesis-hash"),
            get("/v2/transactions?limit=1", "transactions", 0, "genesis-hash")
          )
        : asks(genesisHash, get("/v2/transactions/params", "genesis-hash"))
  },
  near: {
    check: complete({ chainId: name("mainnet") }),
    question: ({ chainId }) => asks(chainId, call("status", [], "chain_id"))
  },
  polkadot: {
    check: complete({ genesisHash: text("0x and 64 hexadecimal digits", /^0x[0-9a-f]{64}$/i) }),
    question: ({ genesisHash }) =>
      asks(genesisHash.toLowerCase(), inSmallLetters(call("chain_getBlockHash", [0])))
  },
  cardano: {
    check: complete({ network: name("preview") }),
    question: ({ network }) => rosettaNetwork("cardano", network)
  },
  xrp: {
    check: complete({ networkId: id32 }),
    question: ({ networkId }) => asks(networkId, call("server_info", [{}], "info", "network_id"))
  },
  ton: {
    check: complete({
      rootHash: text(
        "a hash of 32 bytes in Base64 or hexadecimal digits",
        /^([A-Za-z0-9+/]{43}=|[0-9a-f]{64})$/i
      )
    }),
    question: ({ rootHash }) =>
      either(
        digits(rootHash),
        inDigits(get("/v2/liteserver/get_masterchain_info", "init", "root_hash")),
        inDigits(get("/getMasterchainInfo", "result", "init", "root_hash"))
      )
  },
  eos: {
    check: complete({ chainId: text("64 hexadecimal digits", /^[0-9a-f]{64}$/i) }),
    question: ({ chainId }) =>
      asks(chainId.toLowerCase(), {
        ...inSmallLetters(get("/v1/chain/get_info", "chain_id")),
        verb: "POST"
      })
  },
  casper: {
    check: complete({ chainName: name("casper-test") }),
    // the provider has JSON-RPC under a path, where nodes have it themselves
    question: ({ chainName }) => {
      const status = call("info_get_status", [], "chainspec_name")
      return either(chainName, status, { ...status, path: "/rpc" })
    }
  },
  flow: {
    check: complete({ chainId: name("flow-emulator") }),
    question: ({ chainId }) => asks(chainId, get("/v1/network/parameters", "chain_id"))
  },
  iota: {
    check: complete({ networkName: name("shimmer") }),
    question: ({ networkName }) => asks(networkName, get("/api/core/v2/info", "protocol", "networkName"))
  },
  kadena: {
    check: complete({ version: text("a version of Chainweb, such as testnet06", /^[a-z0-9-]{1,64}$/) }),
    question: ({ version }) => asks(version, get("/info", "nodeVersion"))
  },
  multiversx: {
    check: complete({ chainId: name("D") }),
    question: ({ chainId }) => asks(chainId, get("/network/config", "data", "config", "erd_chain_id"))
  },
  zilliqa: {
    check: complete({ networkId: positive }),
    question: ({ networkId }) => asks(networkId, call("GetNetworkId", [""]))
  },
  avalanche: {
    check: complete({ networkId: id32 }),
    question: ({ networkId }) =>
      asks(networkId, { ...call("info.getNetworkID", {}, "networkID"), path: "/ext/info" })
  },
  bnb: {
    check: complete({ chainId: name("Binance-Chain-Tigris") }),
    question: ({ chainId }) => asks(chainId, call("status", {}, "node_info", "network"))
  },
  aptos: {
    check: complete({ chainId: byte }),
    question: ({ chainId }) => asks(chainId, get("/v1", "chain_id"))
  },
  hedera: {
    check: complete({ genesisHash: text("0x and 96 hexadecimal digits", /^0x[0-9a-f]{96}$/i) }),
    // no answer names the network; a mirror node has the first block unless it began later
    question: ({ genesisHash }) =>
      asks(genesisHash.toLowerCase(), inSmallLetters(get("/api/v1/blocks/0", "hash")))
  },
  sui: {
    check: complete({ chainIdentifier: text("8 hexadecimal digits", /^[0-9a-f]{8}$/) }),
    question: ({ chainIdentifier }) => asks(chainIdentifier, call("sui_getChainIdentifier", []))
  }
}

/** The names of all fields with parameters. */
// the keys of this table are those of its type, which Object.keys does not say
export const parameterNames = Object.keys(declarations) as ReadonlyArray<Parameter>

/** The check of a field with parameters. */
export const checkOf = (parameter: Parameter): Check => declarations[parameter].check

/** The question to a node of the chain with these parameters; undefined where they are not there. */
export const questionOf = <K extends Parameter>(
  parameter: K,
  all: ChainParameters,
  family: Family
): ChainCheck | undefined => {
  const parameters = all[parameter]
  return parameters === undefined ? undefined : declarations[parameter].question(parameters, family)
}
