/**
 * The spellings of addresses, over the codecs of all families: `effect-chains/address`.
 *
 * @since 0.1.0
 */
import type { Hex } from "../chains/evm/Types.js"
import { findDefinedRow } from "../data/definedNetworks.js"
import { checksumAddress, addressProblem as evmAddressProblem } from "../data/evmAddress.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import type { AnyNetwork, evmFamilies, FamilyId, FamilyOf, NetworkDefinition } from "../data/Network.js"
import { allIds } from "../data/NetworkTable.js"
import {
  computeHederaChecksum,
  decodeBase58OrUndefined,
  decodeBech32,
  findZcashNetwork
} from "./addressCodecs.js"
import * as BitcoinAddress from "./bitcoin/address.js"
import { chainOf as bitcoinChainOf } from "./bitcoin/networks.js"
import { chainOf as cosmosChainOf } from "./cosmos/networks.js"
import * as StellarAddress from "./stellar/address.js"
import * as TezosAddress from "./tezos/address.js"
import * as TonAddress from "./ton/address.js"
import * as TronAddress from "./tron/address.js"
import * as XrpAddress from "./xrp/address.js"

/** A network, as the codecs look it up: by its id, or by a definition that no client may have been made for yet. */
interface AddressNetwork {
  readonly id: string
  readonly source: string | NetworkDefinition
  readonly chainId: number | undefined
  readonly isTestnet: boolean
}

/** Any spelling of an address to the one that the SDK writes; undefined for a text that is no address of the network. */
type Normalize = (text: string, network: AddressNetwork) => string | undefined

/** A family with one spelling. */
const exactly =
  (shape: RegExp): Normalize =>
  (text) =>
    shape.test(text) ? text : undefined

/** A family whose addresses have no checksum in their letters, which nodes write in small ones. */
const inSmallLetters =
  (shape: RegExp): Normalize =>
  (text) =>
    shape.test(text) ? text.toLowerCase() : undefined

/** A family of bech32: the prefixes of a network, and the bytes that an address has. */
const inBech32 =
  (prefixes: (network: AddressNetwork) => ReadonlyArray<string>, lengths: ReadonlyArray<number>): Normalize =>
  (text, network) => {
    const found = decodeBech32(text)
    return found !== undefined &&
      prefixes(network).includes(found.prefix) &&
      lengths.includes(found.bytes.length)
      ? found.text
      : undefined
  }

/** The chain ids that RSK's networks accept in checksums (EIP-1191): the rows of EVM networks are not loaded for two numbers. */
const rskChainIds: Readonly<Record<string, number>> = { "rsk-mainnet": 30, "rsk-testnet": 31 }

const normalizeHarmony = inBech32(() => ["one"], [20])

const normalizeEvm: Normalize = (text, network) => {
  const { chainId, id } = network
  if (id.startsWith("one-") && normalizeHarmony(text, network) !== undefined)
    return checksumAddress(`0x${bytesToHex(decodeBech32(text)?.bytes ?? [])}`)
  // XDC writes its own letters in place of 0x
  const hex = id.startsWith("xinfin-") ? text.replace(/^xdc(?=[0-9a-f]{40}$)/i, "0x") : text
  return evmAddressProblem(hex, chainId) === undefined ? checksumAddress(hex) : undefined
}

const normalizeTron: Normalize = (text) => {
  // nodes write 41 before the 20 bytes, and 0x where they speak Ethereum's JSON-RPC
  const digits = /^(?:41|0x)([0-9a-f]{40})$/i.exec(text)?.[1]
  if (digits !== undefined) return TronAddress.encodeAddress(hexToBytes(digits))
  return TronAddress.addressProblem(text) === undefined ? text : undefined
}

const normalizeTon: Normalize = (text, { isTestnet }) => {
  const found = TonAddress.parseAddress(text, isTestnet)
  return typeof found === "string"
    ? undefined
    : TonAddress.formatAddress({ ...found, isBounceable: false }, isTestnet)
}

/** The networks of Bitcoin's kind that others index, by the ids of those indexers. */
const indexedNetworks: Readonly<Record<string, string>> = {
  "bitcoin-mainnet-electrs": "bitcoin-mainnet",
  "bitcoin-testnet-electrs": "bitcoin-testnet",
  "bch-mainnet-rostrum": "bitcoin-cash-mainnet",
  "bch-testnet-rostrum": "bch-testnet"
}

const shieldedPrefixes = { "zcash-mainnet": ["zs", "u"], "zcash-testnet": ["ztestsapling", "utest"] }

const normalizeBitcoin: Normalize = (text, { id, source }) => {
  if (id === "zcash-mainnet" || id === "zcash-testnet") {
    const found = decodeBech32(text)
    if (found !== undefined) return shieldedPrefixes[id].includes(found.prefix) ? found.text : undefined
    return findZcashNetwork(text) === id ? text : undefined
  }
  const chain = bitcoinChainOf(typeof source === "string" ? (indexedNetworks[source] ?? source) : source)
  const found = chain === undefined ? undefined : BitcoinAddress.parseScript(text, chain)
  return chain === undefined || found === undefined
    ? undefined
    : BitcoinAddress.encodeScript(found.script, chain)
}

/** Accounts, and validators by both of their keys. */
const normalizeCosmos: Normalize = (text, network) => {
  const prefix = cosmosChainOf(network.source)?.prefix
  return prefix === undefined
    ? undefined
    : inBech32(() => [prefix, `${prefix}valoper`, `${prefix}valcons`], [20, 32])(text, network)
}

/** Addresses of the time before Shelley are CBOR in Base58: a list of two, whose first item is tagged as encoded. */
const isByronAddress = (text: string): boolean => {
  const [list, tag, number] = decodeBase58OrUndefined(text) ?? []
  return list === 0x82 && tag === 0xd8 && number === 0x18
}

const normalizeShelley = inBech32(
  ({ isTestnet }) => (isTestnet ? ["addr_test", "stake_test"] : ["addr", "stake"]),
  [29, 57]
)

const normalizeCardano: Normalize = (text, network) =>
  normalizeShelley(text, network) ?? (isByronAddress(text) ? text : undefined)

const normalizeStellar: Normalize = (text) => {
  const kind = StellarAddress.strKeyKindOf(text)
  return kind === undefined || kind === "seed" ? undefined : text
}

const normalizeTezos: Normalize = (text) =>
  TezosAddress.addressProblem(text) === undefined ? text : undefined

/** An X-address without a tag is another spelling of its account; one with a tag is a receiver of its own. */
const normalizeXrp: Normalize = (text, { source }) => {
  const found = XrpAddress.parseDestination(text, typeof source === "string" ? source : undefined)
  if (typeof found === "string") return undefined
  return found.tag === undefined ? found.address : text
}

const normalizeSolana: Normalize = (text) => (decodeBase58OrUndefined(text)?.length === 32 ? text : undefined)

/** One prefix, the key and two bytes of checksum, whose hash would weigh more than all the rest: it is not computed. */
const normalizePolkadot: Normalize = (text, { isTestnet }) => {
  const bytes = decodeBase58OrUndefined(text)
  return bytes?.length === 35 && bytes[0] === (isTestnet ? 42 : 0) ? text : undefined
}

const hederaLedgers: Readonly<Record<string, number>> = {
  "hedera-mainnet-mirror": 0,
  "hedera-testnet-mirror": 1,
  "hedera-previewnet-mirror": 2
}

const normalizeHedera: Normalize = (text, { id }) => {
  const [, account = "", checksum] =
    /^((?:0|[1-9]\d{0,18})(?:\.(?:0|[1-9]\d{0,18})){2})(?:-([a-z]{5}))?$/.exec(text) ?? []
  const ledger = hederaLedgers[id]
  if (account === "") return evmAddressProblem(text) === undefined ? checksumAddress(text) : undefined
  return checksum === undefined ||
    (ledger !== undefined && computeHederaChecksum(account, ledger) === checksum)
    ? account
    : undefined
}

const normalizeFlow: Normalize = (text) => {
  const digits = /^(?:0x)?([0-9a-f]{16})$/i.exec(text)?.[1]
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** Addresses of Move's chains, whose zeros at the beginning may be left out. */
const normalizeMove: Normalize = (text) => {
  const digits = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1]
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padStart(64, "0")}`
}

const inAvalancheChain = (chain: "P" | "X"): Normalize => {
  const normalize = inBech32(({ isTestnet }) => [isTestnet ? "fuji" : "avax"], [20])
  return (text, network) => {
    const found = normalize(text.replace(new RegExp(`^${chain}-`, "i"), ""), network)
    return found === undefined ? undefined : `${chain}-${found}`
  }
}

const normalizers: { readonly [F in FamilyId]: Normalize } = {
  evm: normalizeEvm,
  "evm-beacon": normalizeEvm,
  "evm-native": normalizeEvm,
  zksync: normalizeEvm,
  tron: normalizeTron,
  ton: normalizeTon,
  utxo: normalizeBitcoin,
  "utxo-estimatefee": normalizeBitcoin,
  doge: normalizeBitcoin,
  electrs: normalizeBitcoin,
  rostrum: normalizeBitcoin,
  cosmos: normalizeCosmos,
  cardano: normalizeCardano,
  "algorand-algod": exactly(/^[A-Z2-7]{57}[AEIMQUY4]$/),
  "algorand-indexer": exactly(/^[A-Z2-7]{57}[AEIMQUY4]$/),
  stellar: normalizeStellar,
  tezos: normalizeTezos,
  xrp: normalizeXrp,
  solana: normalizeSolana,
  polkadot: normalizePolkadot,
  "hedera-mirror": normalizeHedera,
  flow: normalizeFlow,
  aptos: normalizeMove,
  sui: normalizeMove,
  "avalanche-p": inAvalancheChain("P"),
  "avalanche-x": inAvalancheChain("X"),
  multiversx: inBech32(() => ["erd"], [32]),
  zilliqa: inBech32(() => ["zil"], [20]),
  iota: inBech32(({ isTestnet }) => (isTestnet ? ["rms"] : ["iota", "smr"]), [33]),
  bnb: inBech32(() => ["bnb"], [20]),
  casper: inSmallLetters(/^(01[0-9a-f]{64}|02[0-9a-f]{66}|(account-)?hash-[0-9a-f]{64})$/i),
  eos: exactly(/^(?=.{1,12}$)[a-z1-5]+(\.[a-z1-5]+)*$/),
  kadena: exactly(/^(k:[0-9a-f]{64}|c:[A-Za-z0-9_-]{43})$/),
  near: exactly(/^(?=.{2,64}$)[a-z0-9]+([._-][a-z0-9]+)*$/)
}

/**
 * An address of a network, as a type: that of contracts on EVM networks, text elsewhere.
 *
 * @since 0.1.0
 * @category types
 */
export type AddressOf<N extends AnyNetwork> = FamilyOf<N> extends (typeof evmFamilies)[number] ? Hex : string

/** Converts any spelling of an address to the one that the SDK itself writes, by the id of a network or its definition. */
export const spellAddress = (address: string, network: string | NetworkDefinition): string | undefined => {
  const defined = typeof network === "string" ? findDefinedRow(network) : network
  const id = typeof network === "string" ? network : network.id
  const family = defined?.family ?? allIds.familyOf(id)
  // nothing longer is an address, and reading Base58 takes the square of its length
  if (family === undefined || typeof address !== "string" || address.length > 300) return undefined
  return normalizers[family](address, {
    id,
    source: network,
    chainId: defined?.chainId ?? rskChainIds[id],
    isTestnet: defined === undefined ? !id.includes("mainnet") : defined.testnet === true
  })
}

/**
 * Converts any spelling of an address to the one that the SDK itself writes: with the checksum of EIP-55 on EVM networks, in Base58 on
 * Tron, CashAddr with its prefix on Bitcoin Cash, user-friendly and non-bounceable on TON, in small letters where a family has bech32.
 * Undefined for a text that is no address of the network.
 *
 * @since 0.1.0
 * @category conversions
 */
export const normalizeAddress = <const N extends AnyNetwork>(
  address: string,
  network: N
): AddressOf<N> | undefined => {
  // the family, which decides the form of the text, is looked up by the network's id, which the compiler cannot follow
  return spellAddress(address, network) as AddressOf<N> | undefined
}

/**
 * Whether two texts are spellings of one address of a network. A text that is no address of the network is the same as nothing, itself
 * included.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSameAddress = (one: string, other: string, network: AnyNetwork): boolean => {
  const normal = normalizeAddress(one, network)
  return normal !== undefined && normal === normalizeAddress(other, network)
}
