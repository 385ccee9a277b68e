/**
 * Addresses of chains of Bitcoin's kind. The sandbox's nodes run regression test networks, which write the same script
 * as another address.
 *
 * @since 0.1.0
 */
import type { Network } from "../../data/Network.js"
import { decodeBase58Check, encodeBase58Check } from "../../signers/base58Check.js"
import { encodeCashAddress, parseReceiver } from "../../signers/bitcoin/address.js"
import { chains } from "../../signers/bitcoin/networks.js"
import type { Account } from "./keys.js"
import * as runtimes from "./runtimes.js"
import { encodeSegwit } from "./segwit.js"

interface AddressFormat {
  readonly pubKeyHash: number
  readonly scriptHash: number
  readonly bech32: string
  readonly cash?: string
}

const addressFormats: Readonly<Record<runtimes.UtxoProgram, AddressFormat>> = {
  bcoin: { pubKeyHash: 0x3c, scriptHash: 0x26, bech32: "rb" },
  bcash: { pubKeyHash: 0x3c, scriptHash: 0x26, bech32: "", cash: "bchreg" },
  litecoind: { pubKeyHash: 0x6f, scriptHash: 0x3a, bech32: "rltc" }
}

const encodeAddress = (script: Uint8Array, spelling: AddressFormat): string => {
  if (spelling.cash !== undefined) return encodeCashAddress(script, spelling.cash)
  const [first = 0] = script
  if (first === 0x76) return encodeBase58Check(Uint8Array.of(spelling.pubKeyHash, ...script.subarray(3, 23)))
  if (first === 0xa9) return encodeBase58Check(Uint8Array.of(spelling.scriptHash, ...script.subarray(2, 22)))
  return encodeSegwit(first === 0 ? 0 : first - 0x50, script.subarray(2), spelling.bech32)
}

/**
 * The address as the network's node writes it. An address that is not the network's own, such as one from the node,
 * does not change, and neither do addresses of other kinds of networks.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toNodeAddress = (network: Network, address: string): string => {
  const runtime = runtimes.runtimeOf(network)
  const chain = chains[network]
  if (runtime.runs !== "utxo" || chain === undefined) return address
  const found = parseReceiver(address, chain)
  return typeof found === "string" ? address : encodeAddress(found.script, addressFormats[runtime.program])
}

/**
 * An account of the node as the network's wallets and signers write it: its address, and its key in the import format.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toNetworkAccount = (network: Network, { address, privateKey }: Account): Account => {
  const runtime = runtimes.runtimeOf(network)
  const chain = chains[network]
  if (runtime.runs !== "utxo" || chain === undefined) return { address, privateKey }
  const found = parseReceiver(address, { ...chain, ...addressFormats[runtime.program] })
  const key = decodeBase58Check(privateKey)
  return {
    address: typeof found === "string" ? address : encodeAddress(found.script, chain),
    privateKey:
      key === undefined ? privateKey : encodeBase58Check(Uint8Array.of(chain.wif, ...key.subarray(1)))
  }
}
