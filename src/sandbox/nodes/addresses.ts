/**
 * Addresses of chains of Bitcoin's kind. The sandbox's nodes run regression test networks, which write the same script
 * as another address.
 *
 * @since 0.1.0
 */
import type { Network } from "../../data/Network.js"
import { encodeBase58Check } from "../../signers/base58Check.js"
import { bech32, computeChecksum, encodeWords, expandPrefix, regroupBits } from "../../signers/bech32.js"
import { encodeCashAddress, parseReceiver } from "../../signers/bitcoin/address.js"
import { chains } from "../../signers/bitcoin/networks.js"
import * as runtimes from "./runtimes.js"

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

/** The checksum constant of later SegWit versions (BIP-350). */
const BECH32M_CONSTANT = Array.from({ length: 6 }, (_, i) => ((1 ^ 0x2bc830a3) >> (25 - 5 * i)) & 31)

const encodeSegwit = (version: number, program: Uint8Array, prefix: string): string => {
  const words = [version, ...(regroupBits(program, 8, 5, true) ?? [])]
  const checksum = computeChecksum(bech32, [...expandPrefix(prefix), ...words])
  const own = version === 0 ? checksum : checksum.map((digit, i) => digit ^ (BECH32M_CONSTANT[i] ?? 0))
  return `${prefix}1${encodeWords([...words, ...own])}`
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
