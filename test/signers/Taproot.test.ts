import { describe, expect, it } from "@effect/vitest"
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import { BIP322, Verifier } from "bip322-js"
import { address as addresses, networks as bitcoinjs, initEccLib, payments } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as ecc from "tiny-secp256k1"
import type { Network } from "../../src/data/Network.js"
import {
  type AddressType,
  type BitcoinClient,
  type BitcoinFrom,
  leastAmount,
  make
} from "../../src/signers/Bitcoin.js"
import { chains } from "../../src/signers/bitcoin/networks.js"
import * as scure from "../../src/signers/bitcoin/scure.js"
import { sizeOf } from "../../src/signers/bitcoin/selection.js"
import { runs } from "../properties.js"
import { makeChain } from "./utxos.js"

initEccLib(ecc)

const words = `${"abandon ".repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))

const keyAt = (path: string) => {
  const { privateKey, publicKey } = root.derive(path)
  if (privateKey === null || publicKey === null) throw new Error(path)
  return { privateKey, publicKey, hex: Buffer.from(privateKey).toString("hex") }
}

const described = (network: Network) => {
  const { bech32, pubKeyHash, scriptHash, wif } = chains[network] ?? bitcoinjs.bitcoin
  return { ...bitcoinjs.bitcoin, bech32, pubKeyHash, scriptHash, wif }
}

/** The address that bitcoinjs-lib and libsecp256k1 make of a key. */
const taprootOf = (publicKey: Uint8Array, network: Network): string =>
  payments.p2tr({ internalPubkey: publicKey.subarray(1), network: described(network) }).address ?? ""

const made = (from: object, network: Network = "bitcoin-mainnet", rpc: unknown = {}) =>
  make(
    { network, rpc: rpc as BitcoinClient["rpc"] },
    Object.assign({ utxos: () => [] }, from) as unknown as BitcoinFrom
  )

describe("accounts of Taproot", () => {
  it.effect("are the vectors of BIP-86", () =>
    Effect.gen(function* () {
      for (const [path, address] of [
        ["m/86'/0'/0'/0/0", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
        ["m/86'/0'/0'/0/1", "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh"],
        ["m/86'/0'/0'/1/0", "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7"]
      ] as const)
        expect((yield* made({ mnemonic: words, path })).address).toBe(address)
      expect((yield* made({ mnemonic: words, type: "p2tr", index: 1 })).address).toBe(
        "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh"
      )
    })
  )

  it.effect("have the addresses that bitcoinjs-lib gives them, from words and from keys", () =>
    Effect.gen(function* () {
      const networks = [
        ["bitcoin-mainnet", 0],
        ["bitcoin-testnet", 1],
        ["bitcoin-testnet4", 1],
        ["litecoin-mainnet", 2],
        ["litecoin-testnet", 1]
      ] as const
      for (const [network, coin] of networks) {
        const { hex, publicKey } = keyAt(`m/86'/${coin}'/0'/0/3`)
        const address = taprootOf(publicKey, network)
        const account = yield* made({ mnemonic: words, type: "p2tr", index: 3 }, network)
        expect(account).toMatchObject({ address, publicKey: Buffer.from(publicKey).toString("hex") })
        expect((yield* made({ privateKey: hex, type: "p2tr" }, network)).address).toBe(address)
      }
      // the key 1 in the wallet import format
      const privateKey = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn"
      expect((yield* made({ privateKey, type: "p2tr" })).address).toBe(
        taprootOf(secp256k1.Point.BASE.toBytes(true), "bitcoin-mainnet")
      )
    })
  )

  it("have the address of any key, whichever of both points it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        fc.pre(secp256k1.utils.isValidSecretKey(key))
        const publicKey = secp256k1.getPublicKey(key, true)
        const chain = chains["bitcoin-mainnet"]
        if (chain === undefined) throw new Error("there is a chain")
        expect(scure.addressOf(publicKey, "p2tr", chain).address).toBe(
          taprootOf(publicKey, "bitcoin-mainnet")
        )
      }),
      { numRuns: runs(50) }
    )
  })

  it.effect("are none of those who sign elsewhere, whose signatures are of ECDSA", () =>
    Effect.gen(function* () {
      const { publicKey: bytes } = keyAt("m/86'/0'/0'/0/0")
      const publicKey = Buffer.from(bytes).toString("hex")
      const sign = async () => new Uint8Array(64)
      for (const from of [
        { account: { scheme: "secp256k1", publicKey, sign }, type: "p2tr" },
        { publicKey, sign, type: "p2tr" },
        { publicKey, sign, address: taprootOf(bytes, "bitcoin-mainnet") }
      ])
        expect(yield* Effect.flip(made(from))).toMatchObject({
          _tag: "InvalidKey",
          reason: expect.stringContaining("Schnorr")
        })
    })
  )
})

/** An account of Taproot on a chain of its own. */
const funded = (amounts: ReadonlyArray<bigint>, rate?: number) =>
  Effect.gen(function* () {
    const chain = makeChain(rate)
    const { hex: privateKey, publicKey } = keyAt("m/86'/0'/0'/0/0")
    const script = addresses.toOutputScript(taprootOf(publicKey, "bitcoin-mainnet"))
    for (const amount of amounts) chain.fund(script, amount)
    const account = yield* made(
      { privateKey, type: "p2tr", utxos: () => chain.listed(script) },
      "bitcoin-mainnet",
      chain.rpc
    )
    return { account, chain, script }
  })

const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

describe("payments of Taproot", () => {
  it("are signed as bitcoinjs-lib computes it, with the size that the fee is for, to the byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 50_000n, max: 3_000_000n }), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        async (amounts, share, rate) => {
          const { account, chain } = await Effect.runPromise(funded(amounts, rate / 1e5))
          const total = Number(amounts.reduce((a, b) => a + b, 0n))
          const amount = BigInt(Math.floor(total * share))
          const found = await Effect.runPromise(Effect.either(account.send({ to, amount, maxFee: "1" })))
          if (found._tag === "Left") {
            expect(["InsufficientFunds"]).toContain(found.left._tag)
            return
          }
          const { fee, change, transaction } = found.right.prepared
          const tx = chain.sent[0]
          expect(tx?.getId()).toBe(found.right.hash)
          const size = tx?.virtualSize() ?? 0
          const scripts = change === undefined ? [25] : [25, 34]
          expect(sizeOf(transaction.inputs.length, "p2tr", scripts)).toBe(size)
          expect(Number(fee)).toBeGreaterThanOrEqual(size * rate)
          if (change !== undefined) expect(Number(fee)).toBe(size * rate)
        }
      ),
      { numRuns: runs(60) }
    )
  })

  it.effect("give change from the dust limit of their own address on", () =>
    Effect.gen(function* () {
      const { account } = yield* funded([100_000n], 0.00001)
      // Bitcoin Core's GetDustThreshold of a Taproot output, at 3 satoshi a byte
      expect(leastAmount(account.address, "bitcoin-mainnet")).toBe(330n)
      const most = 100_000n - BigInt(sizeOf(1, "p2tr", [25, 34])) - 330n
      expect(yield* account.prepare({ to, amount: most })).toMatchObject({ change: 330n })
      expect(yield* account.prepare({ to, amount: most + 1n })).not.toHaveProperty("change")
    })
  )

  it.effect("cover the amounts of all inputs: what lies about one is refused", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded([40_000n, 50_000n], 0.00001)
      const { transaction } = yield* account.prepare({ to, amount: 80_000n })
      const [first, second] = transaction.inputs
      if (first === undefined || second === undefined) throw new Error("it spends both")
      const lie = {
        ...transaction,
        inputs: [first, { ...second, amount: second.amount + 1_000n }],
        fee: transaction.fee + 1_000n
      }
      const { raw } = yield* account.sign(lie)
      expect(yield* Effect.flip(chain.rpc.sendRawTransaction(raw))).toMatchObject({ code: -26 })
      yield* chain.rpc.sendRawTransaction((yield* account.sign(transaction)).raw)
    })
  )

  it("are not signed by a key without the tweak of its output", async () => {
    const { privateKey, publicKey } = keyAt("m/86'/0'/0'/0/0")
    const chain = chains["bitcoin-mainnet"]
    if (chain === undefined) throw new Error("there is a chain")
    const { script } = scure.addressOf(publicKey, "p2tr", chain)
    const sign = (digest: Uint8Array) => schnorr.sign(digest, privateKey)
    const input = { txid: "ab".repeat(32), vout: 0, amount: 10_000n }
    const transaction = { inputs: [input], outputs: [{ address: to, amount: 9_000n }], fee: 1_000n }
    const key = { chain, type: "p2tr" as AddressType, publicKey, script }
    await expect(scure.signTransaction(transaction, chain, () => ({ ...key, sign }))).rejects.toThrow(
      "the signature is not that of the account's key"
    )
    const tweaked = scure.makeSignDigest(privateKey, "p2tr")
    expect(await scure.signTransaction(transaction, chain, () => ({ ...key, sign: tweaked }))).toHaveProperty(
      "hash"
    )
  })
})

describe("messages of BIP-322", () => {
  const wif = "L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k"

  it.effect("are the vectors of the BIP, byte by byte, where signatures are deterministic", () =>
    Effect.gen(function* () {
      const account = yield* made({ privateKey: wif })
      expect(account.address).toBe("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l")
      for (const [message, signature] of [
        [
          "",
          "AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy"
        ],
        [
          "Hello World",
          "AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy"
        ]
      ] as const)
        for (const form of [message, new TextEncoder().encode(message)])
          expect(yield* account.signMessage(form, { format: "bip322" })).toBe(signature)
      // what the BIP says about its transactions holds for the verifier, which has to agree with us
      expect(
        BIP322.buildToSpendTx("Hello World", Buffer.from(addresses.toOutputScript(account.address))).getId()
      ).toBe("b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b")
    })
  )

  it.effect("are verified by another library, and by none for another message or address", () =>
    Effect.gen(function* () {
      for (const type of ["p2wpkh", "p2tr"] as const) {
        const account = yield* made({ mnemonic: words, type })
        const other = yield* made({ mnemonic: words, type, index: 1 })
        for (const message of ["", "hello", "ä".repeat(200), "m".repeat(70_000)]) {
          const signature = yield* account.signMessage(message, { format: "bip322" })
          expect(Verifier.verifySignature(account.address, message, signature)).toBe(true)
          expect(Verifier.verifySignature(account.address, `${message}.`, signature)).toBe(false)
          expect(Verifier.verifySignature(other.address, message, signature)).toBe(false)
        }
      }
    })
  )

  it.effect("are what Taproot signs by default, and what others sign when they are asked to", () =>
    Effect.gen(function* () {
      const taproot = yield* made({ mnemonic: words, type: "p2tr" })
      expect(Verifier.verifySignature(taproot.address, "hello", yield* taproot.signMessage("hello"))).toBe(
        true
      )
      const segwit = yield* made({ mnemonic: words })
      const usual = yield* segwit.signMessage("hello")
      expect(usual).toBe(yield* segwit.signMessage("hello", { format: "bip137" }))
      expect(Buffer.from(usual, "base64")).toHaveLength(65)
      for (const [type, format, reason] of [
        ["p2tr", "bip137", "format must be bip322 for p2tr"],
        ["p2pkh", "bip322", "format must be bip137 for p2pkh"],
        ["p2wpkh", "pgp", "format must be bip137 or bip322 for p2wpkh"]
      ] as const) {
        const account = yield* made({ mnemonic: words, type })
        const wrong = { format: format as "bip322" }
        expect(yield* Effect.flip(account.signMessage("hello", wrong))).toMatchObject({
          _tag: "InvalidArgument",
          reason
        })
      }
    })
  )
})
