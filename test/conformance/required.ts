/** The vectors of everything that is built: all of them must pass. A surface that is added moves its line here. */
import { join } from "node:path"
import { groupOf, report } from "./run.js"
import { load, type Vector } from "./vectors.js"

const wrappers: ReadonlySet<string> = new Set([
  "evm",
  "evm-archive",
  "evm-gateway",
  "evm-beacon-archive",
  "native-evm",
  "beacon",
  "generic",
  "bnb",
  "casper",
  "algorand-algod",
  "algorand-indexer",
  "doge",
  "electrs",
  "iota",
  "iota-gateway",
  "kadena",
  "rostrum",
  "solana",
  "stellar",
  "stellar-gateway",
  "tezos",
  "ton",
  "utxo",
  "utxo-estimate-fee",
  "utxo-estimate-fee-gateway",
  "utxo-gateway",
  "xrp",
  "zksync",
  "tron",
  "tron-shasta"
])

const isRequired = (vector: Vector): boolean =>
  vector.kind !== "call" ||
  wrappers.has(groupOf(vector)) ||
  vector.target === "TatumSDK.init" ||
  (/^(gateway|headers)/.test(vector.id) && /^rpc\.(blockNumber|rawRpcCall|beacon)/.test(vector.target)) ||
  (vector.id.startsWith("flow/") && /^rpc\.(blockNumber|getCode)/.test(vector.target))

const vectors = load([join(process.cwd(), "test/conformance/vectors")]).filter(isRequired)
const { failed } = await report(vectors)
process.exitCode = failed === 0 ? 0 : 1
