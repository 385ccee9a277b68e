// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { isSameAddress, normalizeAddress } from "../src/address.js"
import { encodeBase58 } from "../src/chains/internal/base58.js"
import { base64Of, bytesOfAnyBase64 } from "../src/data/base64.js"
import { checksumAddress } from "../src/data/evmAddress.js"
import { bytesToHex, hexToBytes } from "../src/data/hex.js"
import { keccak256 } from "../src/data/keccak.js"
import type { Network } from "../src/data/Network.js"
import { defineNetwork } from "../src/define.js"
import { computeHederaChecksum } from "../src/signers/addressCodecs.js"
import * as Algorand from "../src/signers/algorand/address.js"
import { encodeBase58Check } from "../src/signers/base58Check.js"
import * as Bitcoin from "../src/signers/bitcoin/address.js"
import { encodeBech32 } from "../src/signers/cosmos/address.js"
import * as Stellar from "../src/signers/stellar/address.js"
import * as Tezos from "../src/signers/tezos/address.js"
import * as Ton from "../src/signers/ton/address.js"
import * as Tron from "../src/signers/tron/address.js"
import { RIPPLE_ALPHABET } from "../src/signers/xrp/address.js"
import { addresses, arbitraryBytes } from "./addresses.js"
import { runs } from "./properties.js"

/** The spellings of the account that bytes are, the one that the SDK writes first. */
interface Spelled {
  readonly network: Network
  readonly length: number
  readonly spell: (own: Uint8Array) => readonly [string, ...ReadonlyArray<string>]
}

const upperCase = (text: string): readonly [string, string] => [text, text.toUpperCase()]

/** The checksum of EIP-1191, which has the chain's id in it. */
const rskAddress = (digits: string, chainId: number): string => {
  const hash = bytesToHex(keccak256(new TextEncoder().encode(`${chainId}0x${digits}`)))
  return `0x${[...digits].map((digit, i) => (Number.parseInt(hash[i] ?? "", 16) >= 8 ? digit.toUpperCase() : digit)).join("")}`
}

const spellEvm: Spelled["spell"] = (own) => {
  const digits = bytesToHex(own)
  return [checksumAddress(`0x${digits}`), `0x${digits}`, `0x${digits.toUpperCase()}`]
}

/** The friendly forms of an account: both flags, and both alphabets of Base64. */
const spellTon =
  (isTest: boolean): Spelled["spell"] =>
  (own) => {
    const raw = `0:${bytesToHex(own)}`
    const forms = [isTest, ...(isTest ? [false] : [])].flatMap((test) =>
      [false, true].map((isBounceable) => Ton.formatAddress({ raw, isBounceable }, test))
    )
    const [first = "", ...others] = forms
    return [
      first,
      ...others,
      raw,
      raw.toUpperCase(),
      ...forms.map((form) => base64Of(bytesOfAnyBase64(form)))
    ]
  }

const spellCash =
  (network: Network, version: number, before: string, after: string): Spelled["spell"] =>
  (own) => {
    const address = Bitcoin.addressOf(`${before}${bytesToHex(own)}${after}`, network) ?? ""
    const bare = address.slice(address.indexOf(":") + 1)
    return [
      address,
      bare,
      address.toUpperCase(),
      bare.toUpperCase(),
      encodeBase58Check(Uint8Array.of(version, ...own))
    ]
  }

const xAddress = (account: Uint8Array, tag: number | undefined): string => {
  const view = new DataView(new ArrayBuffer(9))
  view.setUint8(0, tag === undefined ? 0 : 1)
  view.setUint32(1, tag ?? 0, true)
  return encodeBase58Check(
    Uint8Array.of(0x05, 0x44, ...account, ...new Uint8Array(view.buffer)),
    RIPPLE_ALPHABET
  )
}

const spellMove: Spelled["spell"] = (own) => {
  const digits = bytesToHex(own)
  return [`0x${digits}`, `0x${digits.toUpperCase()}`, `0x${digits.replace(/^0+/, "")}`]
}

const families: Readonly<Record<string, Spelled>> = {
  evm: { network: "ethereum-mainnet", length: 20, spell: spellEvm },
  "evm, klaytn": { network: "klaytn-mainnet", length: 20, spell: spellEvm },
  "evm, zkSync": { network: "zksync-mainnet", length: 20, spell: spellEvm },
  "evm, XDC": {
    network: "xinfin-mainnet",
    length: 20,
    spell: (own) => [
      ...spellEvm(own),
      `xdc${bytesToHex(own)}`,
      checksumAddress(`0x${bytesToHex(own)}`).replace("0x", "xdc")
    ]
  },
  "evm, RSK": {
    network: "rsk-mainnet",
    length: 20,
    spell: (own) => [...spellEvm(own), rskAddress(bytesToHex(own), 30)]
  },
  "evm, Harmony": {
    network: "one-mainnet-s0",
    length: 20,
    spell: (own) => [...spellEvm(own), ...upperCase(encodeBech32("one", own))]
  },
  tron: {
    network: "tron-mainnet",
    length: 20,
    spell: (own) => {
      const digits = bytesToHex(own)
      return [Tron.encodeAddress(own), `41${digits}`, `41${digits.toUpperCase()}`, `0x${digits}`]
    }
  },
  ton: { network: "ton-mainnet", length: 32, spell: spellTon(false) },
  "ton, test network": { network: "ton-testnet", length: 32, spell: spellTon(true) },
  bitcoin: {
    network: "bitcoin-mainnet",
    length: 20,
    spell: (own) => upperCase(Bitcoin.addressOf(`0014${bytesToHex(own)}`, "bitcoin-mainnet") ?? "")
  },
  "bitcoin, before SegWit": {
    network: "bitcoin-mainnet",
    length: 20,
    spell: (own) => [encodeBase58Check(Uint8Array.of(0, ...own))]
  },
  "bitcoin, indexed": {
    network: "bitcoin-mainnet-electrs",
    length: 32,
    spell: (own) => upperCase(Bitcoin.addressOf(`0020${bytesToHex(own)}`, "bitcoin-mainnet") ?? "")
  },
  litecoin: {
    network: "litecoin-mainnet",
    length: 20,
    spell: (own) => upperCase(Bitcoin.addressOf(`0014${bytesToHex(own)}`, "litecoin-mainnet") ?? "")
  },
  "bitcoin cash, keys": {
    network: "bitcoin-cash-mainnet",
    length: 20,
    spell: spellCash("bitcoin-cash-mainnet", 0x00, "76a914", "88ac")
  },
  "bitcoin cash, scripts": {
    network: "bitcoin-cash-mainnet",
    length: 20,
    spell: spellCash("bitcoin-cash-mainnet", 0x05, "a914", "87")
  },
  "bitcoin cash, indexed": {
    network: "bch-testnet-rostrum",
    length: 20,
    spell: spellCash("bch-testnet", 0x6f, "76a914", "88ac")
  },
  zcash: {
    network: "zcash-mainnet",
    length: 20,
    spell: (own) => [encodeBase58Check(Uint8Array.of(0x1c, 0xb8, ...own))]
  },
  cosmos: { network: "cosmos-mainnet", length: 20, spell: (own) => upperCase(encodeBech32("cosmos", own)) },
  "cosmos, validators": {
    network: "cosmos-mainnet",
    length: 20,
    spell: (own) => upperCase(encodeBech32("cosmosvaloper", own))
  },
  xrp: {
    network: "ripple-mainnet",
    length: 20,
    spell: (own) => [encodeBase58Check(Uint8Array.of(0, ...own), RIPPLE_ALPHABET), xAddress(own, undefined)]
  },
  "xrp, with a tag": { network: "ripple-mainnet", length: 20, spell: (own) => [xAddress(own, 7)] },
  cardano: {
    network: "cardano-mainnet",
    length: 28,
    spell: (own) => upperCase(encodeBech32("addr", Uint8Array.of(0x61, ...own)))
  },
  "cardano, before Shelley": {
    network: "cardano-mainnet",
    length: 30,
    spell: (own) => [encodeBase58(Uint8Array.of(0x82, 0xd8, 0x18, ...own))]
  },
  multiversx: { network: "egld-mainnet", length: 32, spell: (own) => upperCase(encodeBech32("erd", own)) },
  zilliqa: { network: "zilliqa-mainnet", length: 20, spell: (own) => upperCase(encodeBech32("zil", own)) },
  iota: { network: "iota-mainnet", length: 33, spell: (own) => upperCase(encodeBech32("iota", own)) },
  bnb: {
    network: "bnb-beacon-chain-mainnet",
    length: 20,
    spell: (own) => upperCase(encodeBech32("bnb", own))
  },
  avalanche: {
    network: "avax-p-mainnet",
    length: 20,
    spell: (own) => [`P-${encodeBech32("avax", own)}`, ...upperCase(encodeBech32("avax", own))]
  },
  hedera: {
    network: "hedera-testnet-mirror",
    length: 7,
    spell: (own) => {
      const id = `0.0.${BigInt(`0x${bytesToHex(own)}`)}`
      return [id, `${id}-${computeHederaChecksum(id, 1)}`]
    }
  },
  flow: {
    network: "flow-mainnet",
    length: 8,
    spell: (own) => [`0x${bytesToHex(own)}`, bytesToHex(own), bytesToHex(own).toUpperCase()]
  },
  aptos: { network: "aptos-mainnet", length: 32, spell: spellMove },
  sui: { network: "sui-mainnet", length: 32, spell: spellMove },
  casper: {
    network: "casper-mainnet",
    length: 32,
    spell: (own) => [`01${bytesToHex(own)}`, `01${bytesToHex(own).toUpperCase()}`]
  },
  kadena: { network: "kadena-mainnet", length: 32, spell: (own) => [`k:${bytesToHex(own)}`] },
  near: { network: "near-mainnet", length: 32, spell: (own) => [bytesToHex(own)] },
  polkadot: {
    network: "dot-mainnet",
    length: 34,
    spell: (own) => [encodeBase58(Uint8Array.of(0, ...own))]
  },
  solana: { network: "solana-mainnet", length: 32, spell: (own) => [encodeBase58(own)] },
  algorand: { network: "algorand-mainnet-algod", length: 32, spell: (own) => [Algorand.encodeAddress(own)] },
  stellar: { network: "stellar-mainnet", length: 32, spell: (own) => [Stellar.encodeAddress(own)] },
  tezos: { network: "tezos-mainnet", length: 20, spell: (own) => [Tezos.encodeWithPrefix("tz1", own)] }
}

/** The families whose checksums are not computed, or that have none: a mistyped address is another one. */
const unchecked = /^(cardano, before|hedera|flow|aptos|sui|casper|kadena|near|polkadot|solana|algorand)/

/** An address with one character replaced by another of its own, which is not the same letter in another case. */
const mistype = (text: string, at: number, by: number): string => {
  const place = at % text.length
  const others = [...new Set(text)].filter((letter) => letter.toLowerCase() !== text[place]?.toLowerCase())
  return text.slice(0, place) + (others[by % others.length] ?? "") + text.slice(place + 1)
}

describe.each(Object.entries(families))("%s", (name, { length, network, spell }) => {
  it("has one normal spelling, and any other is the same address", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryBytes(length), (own) => {
        const spellings = spell(own)
        for (const one of spellings) {
          expect(normalizeAddress(one, network)).toBe(spellings[0])
          for (const other of spellings) expect(isSameAddress(one, other, network)).toBe(true)
        }
      }),
      { numRuns: runs(30) }
    )
  })

  it("never takes two addresses for one, in whatever spelling", () => {
    const nearby = arbitraryBytes(length).chain((own) =>
      FastCheck.tuple(FastCheck.nat({ max: length - 1 }), FastCheck.integer({ min: 1, max: 255 })).map(
        ([at, by]) => [own, own.map((byte, i) => (i === at ? byte ^ by : byte))] as const
      )
    )
    FastCheck.assert(
      FastCheck.property(nearby, ([own, other]) => {
        for (const one of spell(own))
          for (const two of spell(other)) expect(isSameAddress(one, two, network)).toBe(false)
      }),
      { numRuns: runs(30) }
    )
  })

  it("takes no mistyped address", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryBytes(length), FastCheck.nat(), FastCheck.nat(), (own, at, by) => {
        const right = spell(own)[0]
        const wrong = mistype(right, at, by)
        if (wrong !== right) expect(isSameAddress(wrong, right, network)).toBe(false)
        // letters of one case alone are no checksum, and half of the digits of an EVM address have no letter
        if (!unchecked.test(name) && !name.startsWith("evm"))
          expect(isSameAddress(wrong, wrong, network)).toBe(false)
      }),
      { numRuns: runs(60) }
    )
  })
})

describe("what is no address", () => {
  const networks = Object.values(families).map(({ network }) => network)
  const texts = FastCheck.oneof(
    FastCheck.string(),
    FastCheck.string({ unit: "binary" }),
    FastCheck.constantFrom("", " ", "0x", "T", "bitcoincash:", "cosmos1", "0:", "constructor", "__proto__"),
    FastCheck.string({ minLength: 400, maxLength: 5_000 })
  )

  it("is the same as nothing, not even as itself", () => {
    // names of accounts are any words
    const withoutNames = networks.filter((network) => network !== "near-mainnet")
    FastCheck.assert(
      FastCheck.property(texts, FastCheck.constantFrom(...withoutNames), (text, network) => {
        // what a codec takes by chance is its own spelling, and stays it
        const normal = normalizeAddress(text, network)
        expect(isSameAddress(text, text, network)).toBe(normal !== undefined)
        if (normal !== undefined) expect(normalizeAddress(normal, network)).toBe(normal)
        else expect(isSameAddress(text, "0x742d35cc6634c0532925a3b844bc454e4438f44e", network)).toBe(false)
      }),
      { numRuns: runs(500) }
    )
  })

  it("is a letter in the wrong case, on EVM networks", () => {
    const right = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
    const wrong = right.replace("Cc", "cC")
    expect(isSameAddress(wrong, right, "ethereum-mainnet")).toBe(false)
    expect(isSameAddress(wrong, wrong, "ethereum-mainnet")).toBe(false)
    expect(isSameAddress(right, right.toLowerCase(), "ethereum-mainnet")).toBe(true)
  })

  it.each(Object.entries(addresses))("is one of another family: %s", (_, { network, of }) => {
    const evm = "0x742d35cc6634c0532925a3b844bc454e4438f44e"
    const [address = ""] = FastCheck.sample(of, { numRuns: 1, seed: 7 })
    // X-addresses that begin with T are those of the test network
    const own = address.startsWith("T") && network === "ripple-mainnet" ? "ripple-testnet" : network
    expect(normalizeAddress(address, own)).toBeDefined()
    // Hedera has accounts of EVM, too, and nodes of Tron write 0x
    if (!/^(tron|ethereum|hedera)/.test(network)) expect(isSameAddress(evm, evm, network)).toBe(false)
    if (!network.startsWith("ethereum"))
      expect(isSameAddress(address, address, "ethereum-mainnet")).toBe(false)
  })

  it("is one of the other network, where addresses tell", () => {
    const own = hexToBytes("ab".repeat(32))
    const test = Ton.formatAddress({ raw: `0:${bytesToHex(own)}`, isBounceable: true }, true)
    expect(normalizeAddress(test, "ton-testnet")).toBeDefined()
    expect(normalizeAddress(test, "ton-mainnet")).toBeUndefined()
    const bitcoin = Bitcoin.addressOf(`0014${"ab".repeat(20)}`, "bitcoin-testnet") ?? ""
    expect(normalizeAddress(bitcoin, "bitcoin-testnet")).toBe(bitcoin)
    expect(normalizeAddress(bitcoin, "bitcoin-mainnet")).toBeUndefined()
    // the account and the account behind a tag are paid apart
    const account = own.slice(0, 20)
    const classic = encodeBase58Check(Uint8Array.of(0, ...account), RIPPLE_ALPHABET)
    expect(isSameAddress(classic, xAddress(account, undefined), "ripple-mainnet")).toBe(true)
    expect(isSameAddress(classic, xAddress(account, 7), "ripple-mainnet")).toBe(false)
    expect(isSameAddress(xAddress(account, 8), xAddress(account, 7), "ripple-mainnet")).toBe(false)
  })
})

describe("the addresses of a defined network", () => {
  const currency = { symbol: "TST", decimals: 6 } as const
  const nodes = [{ url: "http://127.0.0.1:1" }] as const

  it("are read before a client of it is made", () => {
    const hub = defineNetwork({
      id: "address-hub",
      family: "cosmos",
      currency,
      nodes,
      cosmos: { chainId: "hub-1", bech32Prefix: "hub", denom: "utst" }
    })
    const own = encodeBech32("hub", hexToBytes("ab".repeat(20)))
    expect(isSameAddress(own, own.toUpperCase(), hub)).toBe(true)
    expect(isSameAddress(own, own, "cosmos-mainnet")).toBe(false)

    const coin = defineNetwork({
      id: "address-coin",
      family: "utxo",
      currency,
      nodes,
      utxo: { genesisHash: "ab".repeat(32), pubKeyHash: 0x37, scriptHash: 0x55, wif: 0x80, bech32: "tst" }
    })
    const old = encodeBase58Check(Uint8Array.of(0x37, ...hexToBytes("ab".repeat(20))))
    expect(normalizeAddress(old, coin)).toBe(old)
    expect(normalizeAddress(old, "bitcoin-mainnet")).toBeUndefined()
  })

  it("have the checksum of EIP-55 on EVM chains, whatever their id", () => {
    const chain = defineNetwork({ id: "address-evm", family: "evm", chainId: 990_500, currency, nodes })
    const address = "0x742d35cc6634c0532925a3b844bc454e4438f44e"
    expect(normalizeAddress(address, chain)).toBe(checksumAddress(address))
  })
})
