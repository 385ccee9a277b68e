/**
 * How each family is asked about a transaction.
 *
 * @since 0.1.0
 */
import type { Family } from "../data/Network.js"

/**
 * A method that finds a transaction by its hash or id, and its arguments. With `outcome` the answer does not tell how it ended, and
 * this method does.
 *
 * @since 0.1.0
 * @category models
 */
export interface Finding {
  readonly method: string
  readonly args: (hash: string) => ReadonlyArray<unknown>
  readonly outcome?: string
}

const byHash = (method: string, outcome?: string): Finding => ({
  method,
  args: (hash) => [hash],
  ...(outcome === undefined ? {} : { outcome })
})

const byName = (method: string, name: string): Finding => ({ method, args: (hash) => [{ [name]: hash }] })

const evm = byHash("getTransactionByHash", "getTransactionReceipt")
const utxo: Finding = { method: "getRawTransaction", args: (hash) => [hash, true] }
const rostrum: Finding = {
  method: "blockchainTransactionGet",
  args: (hash) => [{ tx_hash: hash, verbose: true }]
}

/**
 * How the families are asked that find a transaction by its hash alone. The others want to know more: its block, its chain or
 * its sender.
 *
 * @since 0.1.0
 * @category constants
 */
export const findings: { readonly [F in Family]?: Finding } = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  tron: evm,
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  rostrum,
  electrs: rostrum,
  solana: { method: "getTransaction", args: (hash) => [hash, { maxSupportedTransactionVersion: 0 }] },
  "algorand-indexer": byName("getTransaction", "txid"),
  cosmos: byHash("getTxByHash"),
  casper: { method: "infoGetTransaction", args: (hash) => [{ transaction_hash: { Version1: hash } }] },
  eos: byName("getTransaction", "id"),
  stellar: byName("getTransaction", "transactionHash"),
  ton: byHash("getBlockchainTransaction"),
  xrp: byHash("tx"),
  flow: { ...byName("getTransaction", "id") },
  multiversx: byName("getTransaction", "txHash"),
  zilliqa: byHash("getTransaction"),
  "avalanche-p": byName("getTx", "txID"),
  "avalanche-x": byName("getTx", "txID")
}
