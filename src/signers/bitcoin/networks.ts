/** What signing needs for Bitcoin, Bitcoin Cash, Litecoin, Dogecoin and Zcash, besides their rows. */
import { findDefinedRow } from "../../data/definedNetworks.js"
import type { Network, NetworkDefinition, NetworkRow } from "../../data/Network.js"
import * as caps from "../caps.js"
import type { AddressType } from "./Types.js"

export interface Chain {
  /** The prefix of SegWit addresses; empty on chains without them. */
  readonly bech32: string
  /** The prefix of CashAddr addresses, if the chain has them. Signatures of such chains follow a rule of their own. */
  readonly cash?: string
  /**
   * The least fee for each input or output, whichever are more, and for two of them at least (ZIP-317), in the smallest unit. Transactions of
   * chains that have it are those of Zcash.
   */
  readonly actionFee?: bigint
  /** The first byte of addresses (two of them if it is above 255), and of private keys in the wallet import format. */
  readonly pubKeyHash: number
  readonly scriptHash: number
  readonly wif: number
  /** The coin type of derivation paths. */
  readonly coin: number
  /** The types of accounts, the usual one first. An output to Taproot is everybody's on a chain that does not have it. */
  readonly types: readonly ["p2wpkh" | "p2pkh", ...ReadonlyArray<AddressType>]
  /**
   * The address type of `@tatumio/tatum`'s wallet package, whose paths are all those of before SegWit, and its coin type if that differs:
   * it has one for Bitcoin Cash and its testnet.
   */
  readonly tatum: { readonly type: AddressType; readonly coin?: number }
  /** An output is dust below this rate (smallest units for 1,000 bytes of it and of spending it), or below a fixed amount. */
  readonly dust: { readonly rate: bigint } | { readonly least: bigint }
  /** The least that nodes relay a transaction for, in the smallest unit for 1,000 bytes. */
  readonly relay: bigint
  /** The most that is paid for 1,000 virtual bytes without a cap of the caller. */
  readonly most: bigint
  /** Whether payments have to outbid others to get into a block: elsewhere they pay the least that nodes relay. */
  readonly isBusy: boolean
  /** Whether payments are replaceable unless the caller says otherwise: where nodes replace transactions by default. */
  readonly isReplaceable: boolean
  /** The confirmations of a coinbase that can be spent. */
  readonly maturity: number
  /** The prefix of signed messages. */
  readonly message: string
}

const bitcoin: Chain = {
  bech32: "bc",
  pubKeyHash: 0x00,
  scriptHash: 0x05,
  wif: 0x80,
  coin: 0,
  types: ["p2wpkh", "p2pkh", "p2tr", "p2sh-p2wpkh"],
  tatum: { type: "p2wpkh" },
  dust: { rate: 3_000n },
  relay: 1_000n,
  most: caps.bitcoin.bitcoin,
  isBusy: true,
  isReplaceable: true,
  maturity: 100,
  message: "Bitcoin Signed Message:\n"
}

const litecoin: Chain = {
  ...bitcoin,
  bech32: "ltc",
  pubKeyHash: 0x30,
  scriptHash: 0x32,
  wif: 0xb0,
  coin: 2,
  tatum: { type: "p2pkh" },
  dust: { rate: 30_000n },
  most: caps.bitcoin.litecoin,
  isReplaceable: false,
  message: "Litecoin Signed Message:\n"
}

const doge: Chain = {
  ...litecoin,
  bech32: "",
  pubKeyHash: 0x1e,
  scriptHash: 0x16,
  wif: 0x9e,
  coin: 3,
  types: ["p2pkh"],
  dust: { least: 1_000_000n },
  // what Dogecoin's nodes recommend: they relay from a tenth of it on
  relay: 1_000_000n,
  most: caps.bitcoin.doge,
  maturity: 240,
  message: "Dogecoin Signed Message:\n"
}

const cash: Chain = {
  ...bitcoin,
  bech32: "",
  cash: "bitcoincash",
  coin: 145,
  types: ["p2pkh"],
  tatum: { type: "p2pkh", coin: 145 },
  most: caps.bitcoin.cash,
  isBusy: false,
  isReplaceable: false
}

const zcash: Chain = {
  ...bitcoin,
  bech32: "",
  actionFee: 5_000n,
  pubKeyHash: 0x1cb8,
  scriptHash: 0x1cbd,
  coin: 133,
  types: ["p2pkh"],
  tatum: { type: "p2pkh" },
  dust: { rate: 300n },
  // the fee follows from the inputs and outputs
  most: 0n,
  isBusy: false,
  isReplaceable: false,
  message: "Zcash Signed Message:\n"
}

const test = { pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef, coin: 1 }

const bitcoinTest: Chain = { ...bitcoin, ...test, bech32: "tb" }

/** The supported networks. Networks that share their addresses stand for each other. */
export const chains: Readonly<Record<string, Chain>> = {
  "bitcoin-mainnet": bitcoin,
  "litecoin-mainnet": litecoin,
  "doge-mainnet": doge,
  "bitcoin-cash-mainnet": cash,
  "zcash-mainnet": zcash,
  "bitcoin-testnet": bitcoinTest,
  "bitcoin-testnet4": bitcoinTest,
  "bch-testnet": { ...cash, ...test, cash: "bchtest" },
  "litecoin-testnet": { ...litecoin, ...test, scriptHash: 0x3a, bech32: "tltc" },
  "doge-testnet": { ...doge, ...test, pubKeyHash: 0x71, wif: 0xf1 },
  "zcash-testnet": { ...zcash, ...test, pubKeyHash: 0x1d25, scriptHash: 0x1cba }
} satisfies Partial<Record<Network, Chain>>

/** The chain of a defined network. Fields that it leaves out are Bitcoin's. */
const definedChain = ({ family, utxo: own }: Pick<NetworkRow, "family" | "utxo">): Chain | undefined => {
  if (own === undefined) return undefined
  const { bech32 = "", coinType = 1, dustRate, messagePrefix, pubKeyHash, relayFee, scriptHash, wif } = own
  const base = family === "doge" ? doge : bitcoin
  const types: Chain["types"] = bech32 === "" ? ["p2pkh"] : ["p2wpkh", "p2pkh"]
  return {
    ...base,
    bech32,
    pubKeyHash,
    scriptHash,
    wif,
    coin: coinType,
    types,
    tatum: { type: types[0] },
    ...(dustRate === undefined ? {} : { dust: { rate: BigInt(dustRate) } }),
    ...(relayFee === undefined ? {} : { relay: BigInt(relayFee) }),
    message: messagePrefix ?? base.message
  }
}

/** The chain of a network by its id or its definition; undefined for networks whose addresses are not known here. */
export const chainOf = (network: string | NetworkDefinition): Chain | undefined => {
  if (typeof network !== "string") return definedChain(network)
  const row = findDefinedRow(network)
  return row === undefined ? chains[network] : definedChain(row)
}

/** Whether transactions and their signatures are those of Bitcoin. Bitcoin Cash has other signatures, and Zcash both. */
const isPlain = ({ actionFee, cash }: Chain): boolean => cash === undefined && actionFee === undefined

/** Whether a signature covers the amount that it spends. If not, the previous transaction has to prove the amount. */
export const hasSignedAmounts = ({
  chain,
  type
}: {
  readonly chain: Chain
  readonly type: AddressType
}): boolean => type !== "p2pkh" || !isPlain(chain)

/** Whether nodes of a chain can let a transaction take the place of one that pays less (BIP-125). */
export const isReplacing = isPlain

/** Whether programs write transactions of a chain as partially signed ones (BIP-174). */
export const hasPsbts = isPlain
