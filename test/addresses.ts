/** Addresses as the codecs of the families make them, for properties. */
import * as FastCheck from "effect/FastCheck"
import { encodeBase58 } from "../src/chains/internal/base58.js"
import { checksumAddress } from "../src/data/evmAddress.js"
import { bytesToHex } from "../src/data/hex.js"
import type { Network } from "../src/data/Network.js"
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

/** Bytes of an account: those of nobody, all zeros, are none. */
export const arbitraryBytes = (length: number): FastCheck.Arbitrary<Uint8Array> =>
  FastCheck.uint8Array({ minLength: length, maxLength: length }).filter((all) =>
    all.some((byte) => byte !== 0)
  )

const withVersion = (version: ReadonlyArray<number>, own: Uint8Array): Uint8Array =>
  Uint8Array.of(...version, ...own)

/** The scripts of outputs that have an address, but those of a key of Taproot, which must be on the curve. */
const scripts = FastCheck.oneof(
  arbitraryBytes(20).map((hash) => `76a914${bytesToHex(hash)}88ac`),
  arbitraryBytes(20).map((hash) => `a914${bytesToHex(hash)}87`),
  arbitraryBytes(20).map((hash) => `0014${bytesToHex(hash)}`),
  arbitraryBytes(32).map((hash) => `0020${bytesToHex(hash)}`)
)

/** The X-address of an account: the prefix of the network, and a tag. */
const xAddress = FastCheck.tuple(
  FastCheck.constantFrom([0x05, 0x44], [0x04, 0x93]),
  arbitraryBytes(20),
  FastCheck.option(FastCheck.nat(), { nil: undefined })
).map(([prefix, account, tag]) => {
  const view = new DataView(new ArrayBuffer(9))
  view.setUint8(0, tag === undefined ? 0 : 1)
  view.setUint32(1, tag ?? 0, true)
  return encodeBase58Check(
    Uint8Array.of(...prefix, ...account, ...new Uint8Array(view.buffer)),
    RIPPLE_ALPHABET
  )
})

const bitcoinNetworks = [
  "bitcoin-mainnet",
  "bitcoin-testnet",
  "litecoin-mainnet",
  "litecoin-testnet",
  "doge-mainnet",
  "doge-testnet",
  "bitcoin-cash-mainnet",
  "bch-testnet"
] as const satisfies ReadonlyArray<Network>

/** The addresses of a network of Bitcoin's family. */
export const arbitraryBitcoin = (network: Network): FastCheck.Arbitrary<string> =>
  scripts.map((script) => Bitcoin.addressOf(script, network)).filter((address) => address !== undefined)

/** The addresses of each family, with a network that they are of. */
export const addresses: Readonly<
  Record<string, { readonly network: Network; readonly of: FastCheck.Arbitrary<string> }>
> = {
  evm: {
    network: "ethereum-mainnet",
    // one case alone is no checksum
    of: arbitraryBytes(20)
      .map((own) => checksumAddress(`0x${bytesToHex(own)}`))
      .filter((text) => /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text))
  },
  "evm in small letters": {
    network: "ethereum-mainnet",
    of: arbitraryBytes(20).map((own) => `0x${bytesToHex(own)}`)
  },
  ...Object.fromEntries(
    bitcoinNetworks.map((network) => [network, { network, of: arbitraryBitcoin(network) }])
  ),
  algorand: { network: "algorand-mainnet-algod", of: arbitraryBytes(32).map(Algorand.encodeAddress) },
  cosmos: { network: "cosmos-mainnet", of: arbitraryBytes(20).map((own) => encodeBech32("cosmos", own)) },
  "cosmos, of 32 bytes": {
    network: "cosmos-mainnet",
    of: arbitraryBytes(32).map((own) => encodeBech32("cosmos", own))
  },
  solana: { network: "solana-mainnet", of: arbitraryBytes(32).map((own) => encodeBase58(own)) },
  stellar: { network: "stellar-mainnet", of: arbitraryBytes(32).map(Stellar.encodeAddress) },
  tezos: {
    network: "tezos-mainnet",
    of: FastCheck.tuple(
      FastCheck.constantFrom(...(["tz1", "tz2", "tz3", "tz4", "KT1"] as const)),
      arbitraryBytes(20)
    ).map(([kind, own]) => Tezos.encodeWithPrefix(kind, own))
  },
  ton: {
    network: "ton-mainnet",
    of: FastCheck.tuple(FastCheck.constantFrom("0", "-1"), arbitraryBytes(32), FastCheck.boolean()).map(
      ([workchain, hash, isBounceable]) =>
        Ton.formatAddress({ raw: `${workchain}:${bytesToHex(hash)}`, isBounceable }, false)
    )
  },
  "ton, of the test network": {
    network: "ton-testnet",
    of: arbitraryBytes(32).map((hash) =>
      Ton.formatAddress({ raw: `0:${bytesToHex(hash)}`, isBounceable: true }, true)
    )
  },
  "ton, raw": { network: "ton-mainnet", of: arbitraryBytes(32).map((hash) => `0:${bytesToHex(hash)}`) },
  hedera: {
    network: "hedera-testnet-mirror",
    of: FastCheck.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map((number) => {
      const id = `0.0.${number}`
      return `${id}-${computeHederaChecksum(id, 1)}`
    })
  },
  tron: { network: "tron-mainnet", of: arbitraryBytes(20).map(Tron.encodeAddress) },
  xrp: {
    network: "ripple-mainnet",
    of: arbitraryBytes(20).map((own) => encodeBase58Check(withVersion([0], own), RIPPLE_ALPHABET))
  },
  "xrp, X-addresses": { network: "ripple-mainnet", of: xAddress }
}
