import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import { address as addresses, networks as bitcoinjs, payments, Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { SigningKey } from "ethers/crypto"
import { toEffect } from "../../src/data/eitherValues.js"
import type { Network } from "../../src/data/Network.js"
import { NodeError, NotSupportedForNetwork } from "../../src/data/SdkError.js"
import * as Units from "../../src/data/Units.js"
import { signer } from "../../src/entries/signers/Bitcoin.js"
import {
  type BitcoinClient,
  type BitcoinFrom,
  type BitcoinSigner,
  make,
  type Utxo
} from "../../src/signers/Bitcoin.js"
import { encodeBase58Check } from "../../src/signers/base58Check.js"
import {
  bech32,
  cashAddr,
  computeChecksum,
  encodeWords,
  expandPrefix,
  lowBitsOfPrefix,
  regroupBits
} from "../../src/signers/bech32.js"
import { addressOf, addressProblem, leastAmount, scriptOf } from "../../src/signers/bitcoin/address.js"
import { chains } from "../../src/signers/bitcoin/networks.js"
import { sizeOf } from "../../src/signers/bitcoin/selection.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/bitcoin/scure.js"
import { runWithTime } from "./runWithTime.js"
import { lost, makeChain } from "./utxos.js"

const words = `${"abandon ".repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))

const keyAt = (path: string) => {
  const { privateKey, publicKey } = root.derive(path)
  if (privateKey === null || publicKey === null) throw new Error(path)
  return { privateKey, publicKey, hex: Buffer.from(privateKey).toString("hex") }
}

/** The key of the account on Bitcoin: whoever prints it has found it. */
const main = keyAt("m/84'/0'/0'/0/0")

/** Networks as bitcoinjs-lib describes them. */
const described = (network: Network) => {
  const chain = chains[network]
  if (chain === undefined) throw new Error(network)
  const { bech32, pubKeyHash, scriptHash, wif } = chain
  return { ...bitcoinjs.bitcoin, bech32, pubKeyHash, scriptHash, wif }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest()

/** A key in the wallet import format, by its definition. */
const wifOf = (network: Network, key: Uint8Array, isCompressed = true): string => {
  const bytes = Buffer.from([described(network).wif, ...key, ...(isCompressed ? [1] : [])])
  const all = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)])
  let value = BigInt(`0x${all.toString("hex")}`)
  let text = ""
  for (; value > 0n; value /= 58n)
    text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[Number(value % 58n)] + text
  return text
}

const client = (network: Network, rpc: Partial<BitcoinClient["rpc"]> = {}): BitcoinClient => ({
  network,
  rpc: new Proxy(rpc, {
    get: (given, name) =>
      Reflect.get(given, name) ??
      (() => {
        throw new Error(`${String(name)} is called, and the test gives no such call`)
      })
    // what is missing dies by its name
  }) as BitcoinClient["rpc"]
})

const utxos = () => []
const made = (from: object, network: Network = "bitcoin-mainnet") =>
  make(client(network), Object.assign({ utxos }, from) as unknown as BitcoinFrom)

/** The standard accounts of the words. */
const accounts: ReadonlyArray<readonly [Network, string]> = [
  ["bitcoin-mainnet", "m/84'/0'/0'/0/0"],
  ["litecoin-mainnet", "m/84'/2'/0'/0/0"],
  ["doge-mainnet", "m/44'/3'/0'/0/0"],
  ["bitcoin-testnet", "m/84'/1'/0'/0/0"],
  ["bitcoin-testnet4", "m/84'/1'/0'/0/0"],
  ["litecoin-testnet", "m/84'/1'/0'/0/0"],
  ["doge-testnet", "m/44'/1'/0'/0/0"]
]

describe("accounts of Bitcoin, Litecoin and Dogecoin", () => {
  it.effect("are those of the standard paths", () =>
    Effect.gen(function* () {
      for (const [network, path] of accounts) {
        const { publicKey } = keyAt(path)
        const pay = path.startsWith("m/84'") ? payments.p2wpkh : payments.p2pkh
        const { address } = pay({ pubkey: publicKey, network: described(network) })
        expect((yield* made({ mnemonic: words }, network)).address).toBe(address)
      }
      expect((yield* made({ mnemonic: words })).address).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
      expect((yield* made({ mnemonic: words }, "litecoin-mainnet")).address).toBe(
        "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh"
      )
      expect((yield* made({ mnemonic: words }, "doge-mainnet")).address).toBe(
        "DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC"
      )
    })
  )

  it.effect("follow the index, the path and the type", () =>
    Effect.gen(function* () {
      const p2wpkh = (path: string) => payments.p2wpkh({ pubkey: keyAt(path).publicKey }).address
      const p2pkh = (path: string) => payments.p2pkh({ pubkey: keyAt(path).publicKey }).address
      for (const [from, address] of [
        [{ index: 7 }, p2wpkh("m/84'/0'/0'/0/7")],
        [{ path: "m/84'/0'/1'/1/3" }, p2wpkh("m/84'/0'/1'/1/3")],
        [{ path: "m/44'/0'/0'/0/0" }, p2pkh("m/44'/0'/0'/0/0")],
        [{ type: "p2pkh", index: 2 }, p2pkh("m/44'/0'/0'/0/2")],
        [{ derivation: "tatum", type: "p2pkh", index: 2 }, p2pkh("m/44'/0'/0'/0/2")],
        [{ path: "m/44'/0'/0'/0/0", type: "p2wpkh" }, p2wpkh("m/44'/0'/0'/0/0")],
        // a path that tells no type, and one that would tell that of another
        [{ path: "m/0'/7" }, p2wpkh("m/0'/7")],
        [{ path: "m/86'/0'/0'/0/0", type: "p2wpkh" }, p2wpkh("m/86'/0'/0'/0/0")],
        [{ derivation: "tatum", index: 2 }, p2wpkh("m/44'/0'/0'/0/2")],
        [{ derivation: "tatum", path: "m/44'/0'/0'/0/2" }, p2pkh("m/44'/0'/0'/0/2")]
      ] as const)
        expect((yield* made({ mnemonic: words, ...from })).address, inspect(from)).toBe(address)
      // the incumbent has no SegWit on Litecoin, and the coin of Bitcoin Cash on its testnet
      const tatum = { mnemonic: words, derivation: "tatum", index: 2 }
      expect((yield* made(tatum, "litecoin-mainnet")).address).toBe(
        payments.p2pkh({ pubkey: keyAt("m/44'/2'/0'/0/2").publicKey, network: described("litecoin-mainnet") })
          .address
      )
      expect((yield* made(tatum, "bch-testnet")).publicKey).toBe(
        Buffer.from(keyAt("m/44'/145'/0'/0/2").publicKey).toString("hex")
      )
    })
  )

  it.effect("are those of private keys, as digits and in the import format", () =>
    Effect.gen(function* () {
      for (const [network, path] of accounts) {
        const { hex, privateKey } = keyAt(path)
        const { address } = yield* made({ mnemonic: words }, network)
        for (const digits of [hex, `0x${hex}`, hex.toUpperCase()])
          expect((yield* made({ privateKey: digits }, network)).address).toBe(address)
        expect((yield* made({ privateKey: wifOf(network, privateKey) }, network)).address).toBe(address)
      }
      // the example of BIP-84
      expect(
        (yield* made({ privateKey: Redacted.make("KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d") }))
          .address
      ).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
    })
  )

  const wif = wifOf("bitcoin-mainnet", main.privateKey)
  const publicKey = Buffer.from(main.publicKey).toString("hex")
  const sign = () => new Uint8Array(64)
  const own = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
  const old = payments.p2pkh({ pubkey: main.publicKey }).address

  it.effect("are those of public keys, in each of their forms, and of their addresses", () =>
    Effect.gen(function* () {
      for (const [from, address] of [
        [{}, own],
        [{ publicKey: `0x${publicKey}` }, own],
        [{ publicKey: publicKey.toUpperCase() }, own],
        [{ type: "p2pkh" }, old],
        [{ address: own }, own],
        [{ address: own.toUpperCase() }, own],
        [{ address: own, type: "p2wpkh" }, own],
        [{ address: old }, old],
        [{ address: old, type: "p2pkh" }, old]
      ] as const)
        expect(yield* made({ sign, publicKey, ...from })).toMatchObject({ address, publicKey })
      const doge = payments.p2pkh({ pubkey: main.publicKey, network: described("doge-mainnet") }).address
      for (const from of [{}, { address: doge }])
        expect((yield* made({ sign, publicKey, ...from }, "doge-mainnet")).address).toBe(doge)
      // a script of Dogecoin that is none of keys
      const script = encodeBase58Check(Uint8Array.of(0x16, ...new Uint8Array(20)))
      expect(yield* Effect.flip(made({ sign, publicKey, address: script }, "doge-mainnet"))).toMatchObject({
        _tag: "InvalidKey"
      })
    })
  )

  it.effect.each([undefined, null, words])("are made from something, and %s is nothing", (from) =>
    Effect.gen(function* () {
      const nothing = from as unknown as BitcoinFrom
      expect(yield* Effect.flip(make(client("bitcoin-mainnet"), nothing))).toMatchObject({
        _tag: "InvalidKey",
        reason: expect.stringMatching(/^say what the signer/)
      })
    })
  )

  const refusals: ReadonlyArray<readonly [string, object, object, Network?]> = [
    [
      "a wrong word",
      { mnemonic: words.replace("about", "abuot") },
      { _tag: "InvalidMnemonic", position: 12 }
    ],
    ["a wrong checksum", { mnemonic: `${"abandon ".repeat(11)}abandon` }, { _tag: "InvalidMnemonic" }],
    ["a path that is none", { mnemonic: words, path: "84/0" }, { _tag: "InvalidKey" }],
    ...["m/84'/3'/0'/0/0", "m/86'/3'/0'/0/0", "m/49'/3'/0'/0/0"].map(
      (path) =>
        [
          `the path ${path} on Dogecoin`,
          { mnemonic: words, path },
          {
            _tag: "InvalidKey",
            reason:
              "path is one of addresses that are not signed for on doge-mainnet: 44' are, or say which type it is"
          },
          "doge-mainnet"
        ] as const
    ),
    // it is none, whatever it has inside
    [
      "a path with another one in it",
      { mnemonic: words, path: "0m/49'" },
      { _tag: "InvalidKey", reason: expect.stringMatching(/^path must be/) }
    ],
    ["a path that is a number", { mnemonic: words, path: 7 }, { _tag: "InvalidKey" }],
    ["an index that is none", { mnemonic: words, index: 1.5 }, { _tag: "InvalidKey" }],
    [
      "a type that is none",
      { mnemonic: words, type: "p2sh" },
      { _tag: "InvalidKey", reason: "type must be p2wpkh or p2pkh or p2tr or p2sh-p2wpkh on bitcoin-mainnet" }
    ],
    ...["p2wpkh", "p2tr"].map(
      (type) =>
        [
          `${type} where there is no SegWit`,
          { mnemonic: words, type },
          { _tag: "InvalidKey", reason: "type must be p2pkh on doge-mainnet" },
          "doge-mainnet"
        ] as const
    ),
    ...["0".repeat(64), "f".repeat(64)].map(
      (privateKey) =>
        [
          `the key ${privateKey}`,
          { privateKey },
          { _tag: "InvalidKey", reason: "it is none of the curve's keys" }
        ] as const
    ),
    ...[
      "1234",
      `${main.hex}0`,
      `x${main.hex}`,
      `${main.hex.slice(2)}0x00`,
      7,
      // mistyped, and that of an uncompressed public key
      `${wif.slice(0, -1)}1`,
      wifOf("bitcoin-mainnet", main.privateKey, false)
    ].map(
      (privateKey) =>
        [
          `the key ${privateKey}`,
          { privateKey },
          {
            _tag: "InvalidKey",
            reason:
              "a private key is 64 hexadecimal digits, or text in the wallet import format, of a compressed public key"
          }
        ] as const
    ),
    [
      "a key of another network",
      { privateKey: wif },
      { _tag: "InvalidKey", reason: "it is a private key of bitcoin-mainnet" },
      "litecoin-mainnet"
    ],
    [
      "a key of another coin",
      { privateKey: wifOf("doge-mainnet", main.privateKey) },
      { _tag: "InvalidKey", reason: "it is a private key of doge-mainnet" }
    ],
    ...[{}, { publicKey }, { publicKey, sign: 7 }].map(
      (from) =>
        [
          JSON.stringify(from),
          from,
          { _tag: "InvalidKey", reason: "must have mnemonic, privateKey, account, or sign with publicKey" }
        ] as const
    ),
    ...[
      undefined,
      7,
      `04${publicKey.slice(2)}`,
      publicKey.slice(2),
      `${publicKey.slice(2)}0x02`,
      `${publicKey.slice(0, 2)}0x${publicKey.slice(2)}`
    ].map(
      (given) =>
        [
          `the public key ${given}`,
          { sign, publicKey: given },
          {
            _tag: "InvalidKey",
            reason: "publicKey must be a compressed public key: 66 hexadecimal digits"
          }
        ] as const
    ),
    ...[
      { address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
      { address: "none" },
      { address: own, type: "p2pkh" },
      { address: old, type: "p2wpkh" }
    ].map(
      (wrong) =>
        [
          `a function with ${inspect(wrong)}`,
          { sign, publicKey, ...wrong },
          {
            _tag: "InvalidKey",
            reason: "the address is none of the public key on bitcoin-mainnet, or none of this type"
          }
        ] as const
    ),
    [
      "no place of outputs",
      { mnemonic: words, utxos: undefined },
      {
        _tag: "InvalidArgument",
        message: "signer: a client without the data API needs utxos, which finds unspent outputs"
      }
    ],
    ["Ethereum", { mnemonic: words }, { _tag: "InvalidArgument" }, "ethereum-mainnet"]
  ]

  it.effect.each(refusals)("refuse %s", ([, from, error, network]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(made(from, network))).toMatchObject(error)
    })
  )

  it.effect("tell nothing of their keys", () =>
    Effect.gen(function* () {
      const secrets = [
        main.hex,
        main.hex.toUpperCase(),
        wif,
        "abandon",
        "secretword",
        [...main.privateKey].join()
      ]
      const told: Array<unknown> = []
      const chain = makeChain()
      for (const from of [{ mnemonic: words }, { privateKey: main.hex }, { privateKey: wif }]) {
        const account = yield* made(from)
        told.push(account, Object.entries(account))
        told.push(yield* Effect.exit(account.sign({ inputs: [], outputs: [], fee: 1n })))
        told.push(yield* Effect.exit(account.prepare({ to: "", amount: "" })))
        const promised = client("bitcoin-mainnet", chain.rpc)
        told.push(yield* Effect.promise(() => signer(promised as never, { ...from, utxos })))
      }
      for (const from of [
        { privateKey: `${main.hex}00` },
        { privateKey: `${wif}1` },
        { mnemonic: `${words} secretword` },
        { mnemonic: words, path: main.hex },
        { mnemonic: words, type: main.hex }
      ])
        told.push(yield* Effect.exit(made(from)))
      told.push(yield* Effect.exit(made({ privateKey: wif }, "doge-mainnet")))
      for (const each of told) {
        const text = `${inspect(each, { depth: 12, showHidden: true, getters: true })} ${String(each)} ${JSON.stringify(each, (_, value) => (typeof value === "bigint" ? String(value) : value))}`
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    })
  )
})

describe("addresses", () => {
  const program = (length: number) => Uint8Array.from({ length }, (_, i) => i + 1)
  const networks: ReadonlyArray<Network> = accounts.map(([network]) => network)

  it("are those that bitcoinjs-lib takes for the network, and no others", () => {
    for (const network of networks) {
      const known = described(network)
      const point = secp256k1.Point.BASE.toBytes(true).slice(1)
      const forms = [
        addresses.toBase58Check(program(20), known.pubKeyHash),
        addresses.toBase58Check(program(20), known.scriptHash),
        ...(known.bech32 === ""
          ? []
          : [
              addresses.toBech32(program(20), 0, known.bech32),
              addresses.toBech32(program(20), 0, known.bech32).toUpperCase(),
              addresses.toBech32(program(32), 0, known.bech32),
              addresses.toBech32(point, 1, known.bech32)
            ])
      ]
      for (const form of forms) {
        expect(addressProblem(form, network), form).toBeUndefined()
        for (const other of networks) {
          const [here, there] = [described(network), described(other)]
          const shared =
            here.bech32 === there.bech32
              ? here.pubKeyHash === there.pubKeyHash
              : form === forms[0]
                ? here.pubKeyHash === there.pubKeyHash
                : form === forms[1] && here.scriptHash === there.scriptHash
          const problem = addressProblem(form, other)
          if (shared || (form === forms[1] && here.scriptHash === there.scriptHash))
            expect(problem, `${form} ${other}`).toBeUndefined()
          else expect(problem, `${form} ${other}`).toMatch(/^is one of (bitcoin|litecoin|doge)-/)
        }
      }
    }
  })

  it("have one script in all of their texts, and the script has the text that is usual now", () => {
    const program = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString("hex"))
    for (const network of [...networks, "bitcoin-cash-mainnet", "bch-testnet"] as const) {
      const { bech32, cash } = chains[network] ?? {}
      fc.assert(
        fc.property(program, (hex) => {
          const scripts = [
            `76a914${hex.slice(24)}88ac`,
            `a914${hex.slice(24)}87`,
            ...(cash === undefined ? [] : [`aa20${hex}87`]),
            ...(bech32 === "" ? [] : [`0014${hex.slice(24)}`, `0020${hex}`])
          ]
          for (const script of scripts) {
            const address = addressOf(script, network)
            expect(address).toBeDefined()
            expect(scriptOf(address ?? "", network)).toBe(script)
          }
        }),
        { numRuns: 10 }
      )
    }
    // of BIP-173 and BIP-350
    expect(addressOf("0014751e76e8199196d454941c45d1b3a323f1433bd6", "bitcoin-mainnet")).toBe(
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    )
    expect(
      addressOf("512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "bitcoin-mainnet")
    ).toBe("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0")
    expect(
      scriptOf("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "bitcoin-mainnet")
    ).toBe("512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
    expect(addressOf("76a91476a04053bda0a88bda5177b86a15c3b29f55987388ac", "bitcoin-cash-mainnet")).toBe(
      "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"
    )
    expect(scriptOf("nobody", "bitcoin-mainnet")).toBeUndefined()
    expect(scriptOf("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bitcoin-mainnet")).toBe(
      "0014751e76e8199196d454941c45d1b3a323f1433bd6"
    )
    expect(scriptOf("1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "bitcoin-cash-mainnet")).toBe(
      scriptOf("bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "bitcoin-cash-mainnet")
    )
    for (const none of ["", "6a", "0014", "5120zz", `aa20${"00".repeat(32)}87`])
      expect(addressOf(none, "bitcoin-mainnet")).toBeUndefined()
    expect(addressOf("0014751e76e8199196d454941c45d1b3a323f1433bd6", "doge-mainnet")).toBeUndefined()
    expect(addressOf("0014751e76e8199196d454941c45d1b3a323f1433bd6", "cardano-mainnet")).toBeUndefined()
    expect(scriptOf("t1", "cardano-mainnet")).toBeUndefined()
  })

  it("tell their network, and what is wrong", () => {
    expect(addressProblem("DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "bitcoin-mainnet")).toBe(
      "is one of doge-mainnet"
    )
    expect(addressProblem("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "litecoin-mainnet")).toBe(
      "is one of bitcoin-mainnet"
    )
    expect(addressProblem("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "bitcoin-mainnet")).toBe(
      "is one of bitcoin-testnet"
    )
    expect(addressProblem("t1", "cardano-mainnet")).toBe(
      "cannot be read: addresses of cardano-mainnet are not known here"
    )
    expect(addressProblem(7 as never, "bitcoin-mainnet")).toBe("must be text")
    for (const bad of [
      "",
      "bc1",
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv",
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306FYU",
      // invalid by BIP-173 and BIP-350: a mixture of both checksums, wrong lengths, an unknown version
      "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
      "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
      "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47",
      "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90",
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3",
      "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
      "doge1q5awjd720xvyvzugfev3hc7rl3gutt0ldrmwhkm"
    ])
      expect(addressProblem(bad, "bitcoin-mainnet"), bad).toBe("is mistyped, or of another chain")
    expect(addressProblem("doge1q5awjd720xvyvzugfev3hc7rl3gutt0ldrmwhkm", "doge-mainnet")).toBeDefined()
  })
})

describe("addresses whose checksums are right", () => {
  const MISTYPED = "is mistyped, or of another chain"
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i + 1)
  const digits = (length: number) => regroupBits(bytes(length), 8, 5, true)

  it("are none of SegWit where anything else is wrong", () => {
    const [B, M] = [1n, 0x2bc830a3n]
    const point = regroupBits(secp256k1.Point.BASE.toBytes(true).slice(1), 8, 5, true)
    const written = (words: ReadonlyArray<number>, constant: bigint, prefix = "bc") =>
      `${prefix}1${encodeWords([...words, ...computeChecksum(bech32, [...expandPrefix(prefix), ...words], constant)])}`
    for (const right of [
      written([0, ...digits(20)], B),
      written([0, ...digits(32)], B),
      written([1, ...point], M)
    ])
      expect(addressProblem(right, "bitcoin-mainnet"), right).toBeUndefined()
    for (const wrong of [
      written([], B),
      written([0], B),
      written([1], M),
      ...[2, 16, 19, 21, 31, 33, 40].map((length) => written([0, ...digits(length)], B)),
      written([0, ...digits(20)], M),
      written([1, ...point], B),
      // the hash of a key is no point, and other versions have no meaning yet
      written([1, ...digits(20)], M),
      written([1, ...digits(33)], M),
      // nor is one of another length, whose number is that of a point
      ...[20, 31, 33].map((length) =>
        written(
          [
            1,
            ...regroupBits(
              Uint8Array.from({ length }, (_, i) => (i === length - 1 ? 1 : 0)),
              8,
              5,
              true
            )
          ],
          M
        )
      ),
      written([2, ...point], M),
      written([31, ...point], M),
      // digits that are no whole bytes: too many, and with something in their padding
      written([0, ...digits(20), 0], B),
      written([0, ...digits(32).slice(0, -1), 1], B),
      written([1, ...point], M).replace("bc1", "bc2"),
      `${written([0, ...digits(20)], B).slice(0, -1)}b`,
      `x${written([0, ...digits(20)], B)}`
    ])
      expect(addressProblem(wrong, "bitcoin-mainnet"), wrong).toBe(MISTYPED)
    for (const network of ["doge-mainnet", "bitcoin-cash-mainnet"] as const)
      expect(addressProblem(written([0, ...digits(20)], B, ""), network)).toBe(MISTYPED)
    // 1 is on the curve, and so would be what is as much above the size of the field
    const P = 2n ** 256n - 2n ** 32n - 977n
    for (const [x, problem] of [
      [1n, undefined],
      [P + 1n, MISTYPED],
      [0n, MISTYPED]
    ] as const) {
      const program = Buffer.from(x.toString(16).padStart(64, "0"), "hex")
      const address = written([1, ...regroupBits(program, 8, 5, true)], M)
      expect(addressProblem(address, "bitcoin-mainnet")).toBe(problem)
    }
  })

  it("are none of CashAddr where anything else is wrong", () => {
    const prefix = "bitcoincash"
    const written = (payload: ReadonlyArray<number>, tail: ReadonlyArray<number> = []) => {
      const words = [...regroupBits(payload, 8, 5, true), ...tail]
      return `${prefix}:${encodeWords([...words, ...computeChecksum(cashAddr, [...lowBitsOfPrefix(prefix), 0, ...words])])}`
    }
    const right = written([0, ...bytes(20)])
    expect(addressProblem(right, "bitcoin-cash-mainnet")).toBeUndefined()
    for (const wrong of [
      written([]),
      written([0]),
      written([0, ...bytes(32)]),
      written([8, ...bytes(32)]),
      written([11, ...bytes(20)]),
      written([1, ...bytes(20)]),
      written([3, ...bytes(32)]),
      written([0, ...bytes(20)], [0, 0]),
      // the prefix has no part in what is read
      right.replace(prefix, "bitcoincasx"),
      `${right.slice(0, -1)}b`,
      `x${right}`
    ])
      expect(addressProblem(wrong, "bitcoin-cash-mainnet"), wrong).toBe(MISTYPED)
  })

  it("are none of before SegWit where anything else is wrong", () => {
    const [key, script] = [0, 5].map((version) => encodeBase58Check(Uint8Array.of(version, ...bytes(20))))
    for (const right of [key, script]) expect(addressProblem(right ?? "", "bitcoin-mainnet")).toBeUndefined()
    for (const wrong of [
      encodeBase58Check(Uint8Array.of(0, ...bytes(19))),
      encodeBase58Check(Uint8Array.of(0, ...bytes(21))),
      encodeBase58Check(Uint8Array.of(9, ...bytes(20))),
      `0${key}`,
      `${key}0`,
      `${key} `,
      "1".repeat(24),
      "1".repeat(1_000)
    ])
      expect(addressProblem(wrong, "bitcoin-mainnet"), wrong).toBe(MISTYPED)
    expect(leastAmount(key ?? "", "cardano-mainnet")).toBeUndefined()
  })
})

describe("addresses of Taproot", () => {
  it("are those of points of the curve", () => {
    const seen = new Set<boolean>()
    for (let i = 0; i < 32; i++) {
      const x = createHash("sha256").update(String(i)).digest()
      let isPoint = true
      try {
        secp256k1.Point.fromBytes(Uint8Array.of(2, ...x)).assertValidity()
      } catch {
        isPoint = false
      }
      seen.add(isPoint)
      const problem = addressProblem(addresses.toBech32(x, 1, "bc"), "bitcoin-mainnet")
      expect(problem === undefined, x.toString("hex")).toBe(isPoint)
    }
    expect(seen.size).toBe(2)
  })
})

describe("signatures over messages", () => {
  const recovered = (message: string | Uint8Array, signature: string, magic: string) => {
    const bytes = Buffer.from(signature, "base64")
    const text = Buffer.from(message)
    const [one, two, three] = [text.length & 255, (text.length >> 8) & 255, text.length >> 16]
    const size =
      text.length < 253 ? [one] : text.length < 65_536 ? [253, one, two] : [254, one, two, three, 0]
    const digest = sha256(
      sha256(Buffer.concat([Buffer.from([magic.length]), Buffer.from(magic), Buffer.from(size), text]))
    )
    const header = bytes[0] ?? 0
    const r = `0x${bytes.subarray(1, 33).toString("hex")}`
    const s = `0x${bytes.subarray(33).toString("hex")}`
    const point = SigningKey.recoverPublicKey(digest, { r, s, yParity: ((header - 27) & 1) as 0 | 1 })
    return { key: SigningKey.computePublicKey(point, true).slice(2), header, size: bytes.length }
  }

  it.effect("are recovered to the account's key by another library", () =>
    Effect.gen(function* () {
      const magics = { bitcoin: "Bitcoin", litecoin: "Litecoin", doge: "Dogecoin" }
      for (const [network] of accounts) {
        const account = yield* made({ mnemonic: words }, network)
        const name = magics[network.split("-")[0] as keyof typeof magics]
        const long =
          network === "bitcoin-mainnet" ? [252, 253, 65_535, 65_536].map((size) => "m".repeat(size)) : []
        for (const message of ["", "hello", "ä".repeat(200), new Uint8Array([0, 255]), ...long]) {
          const found = recovered(message, yield* account.signMessage(message), `${name} Signed Message:\n`)
          expect(found).toMatchObject({ key: account.publicKey, size: 65 })
          const from = network.startsWith("doge") ? 31 : 39
          expect([from, from + 1]).toContain(found.header)
        }
      }
    })
  )

  it.effect("of someone who signs are checked, in every form", () =>
    Effect.gen(function* () {
      const publicKey = Buffer.from(main.publicKey).toString("hex")
      const given = (format: "compact" | "der", lowS = true) => ({
        publicKey,
        sign: (digest: Uint8Array) => {
          const bytes = secp256k1.sign(digest, main.privateKey, { prehash: false })
          const { r, s } = secp256k1.Signature.fromBytes(bytes, "compact")
          const high = secp256k1.Point.Fn.ORDER - s
          return new secp256k1.Signature(r, lowS ? s : high).toBytes(format)
        }
      })
      const expected = yield* (yield* made({ mnemonic: words })).signMessage("hello")
      for (const from of [given("compact"), given("der"), given("compact", false), given("der", false)]) {
        const account = yield* made(from)
        expect(account.address).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu")
        expect(yield* account.signMessage("hello")).toBe(expected)
      }
      const legacy = payments.p2pkh({ pubkey: main.publicKey }).address
      expect((yield* made({ ...given("der"), address: legacy })).address).toBe(legacy)
      for (const sign of [
        () => new Uint8Array(64),
        () => new Uint8Array(3),
        () => Promise.reject(new Error("the key is locked")),
        (digest: Uint8Array) => secp256k1.sign(digest, keyAt("m/0").privateKey, { prehash: false })
      ])
        expect(yield* Effect.flip((yield* made({ publicKey, sign })).signMessage("hello"))).toMatchObject({
          _tag: "SigningFailed"
        })
      const foreign = yield* made({
        publicKey,
        sign: (digest: Uint8Array) => secp256k1.sign(digest, keyAt("m/0").privateKey, { prehash: false })
      })
      expect(yield* Effect.flip(foreign.signMessage("hello"))).toMatchObject({
        reason: "the signature is not that of the account's key"
      })
    })
  )
})

/** An account on a chain of its own, with these amounts. */
const funded = (network: Network, amounts: ReadonlyArray<bigint>, rate?: number) =>
  Effect.gen(function* () {
    const chain = makeChain(rate)
    const path = accounts.find(([name]) => name === network)?.[1] ?? ""
    const privateKey = keyAt(path).hex
    const { address } = yield* made({ privateKey }, network)
    const script = addresses.toOutputScript(address, described(network))
    for (const amount of amounts) chain.fund(script, amount)
    const account = yield* make(client(network, chain.rpc), {
      privateKey,
      utxos: (asked) => (asked === address ? chain.listed(script) : [])
    })
    return { chain, account, script }
  })

const receiver = {
  bitcoin: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  doge: "DLQ2ydDtXnaU7yJu3afxq7nQMz8NMfFg6P"
}

/** The receiver's script pays what the preview says, and everything else comes back. */
const isAsShown = (
  { chain, script }: Effect.Effect.Success<ReturnType<typeof funded>>,
  { amount, change, fee, transaction }: Effect.Effect.Success<ReturnType<BitcoinSigner["prepare"]>>,
  rate: number
) => {
  const tx = chain.sent.at(-1)
  if (tx === undefined) throw new Error("nothing was sent")
  const back = tx.outs.filter((each) => Buffer.from(each.script).equals(Buffer.from(script)))
  const inputs = transaction.inputs.reduce((sum, each) => sum + each.amount, 0n)
  const outputs = tx.outs.reduce((sum, { value }) => sum + value, 0n)
  expect(tx.ins.length).toBe(transaction.inputs.length)
  expect(inputs).toBe(outputs + fee)
  expect(outputs - (change ?? 0n)).toBe(amount)
  expect(back.map(({ value }) => value)).toEqual(change === undefined ? [] : [change])
  expect(Number(fee)).toBeGreaterThanOrEqual(tx.virtualSize() * rate)
  return { size: tx.virtualSize(), inputs }
}

describe("payments of Bitcoin, Litecoin and Dogecoin", () => {
  /** What takes time is waited for. */
  const later = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      return yield* toEffect(yield* runWithTime(effect, 1_000))
    })

  it.effect("leave what the preview says, whatever the outputs, the amount and the rate", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            isDoge: fc.boolean(),
            amounts: fc.array(fc.bigInt({ min: 1n, max: 3_000_000n }), { minLength: 1, maxLength: 40 }),
            share: fc.double({ min: 0, max: 1.1, noNaN: true }),
            // all but a little, in shares of a fee: where change begins
            rest: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
            rate: fc.integer({ min: 1, max: 400 })
          }),
          async ({ amounts, isDoge, rate, rest, share }) => {
            const network = isDoge ? "doge-mainnet" : "bitcoin-mainnet"
            const per = isDoge ? rate * 1_000 : rate
            const values = amounts.map((amount) => amount * (isDoge ? 1_000n : 1n))
            const place = await Effect.runPromise(funded(network, values, per / 1e5))
            const total = values.reduce((a, b) => a + b, 0n)
            const all = sizeOf(values.length, isDoge ? "p2pkh" : "p2wpkh", [25, 22]) * per
            const wanted = rest === null ? Number(total) * share : Number(total) - all * rest
            const amount = BigInt(Math.max(0, Math.floor(wanted)))
            const to = isDoge ? receiver.doge : receiver.bitcoin
            const least = isDoge ? 1_000_000n : 546n
            const found = await Effect.runPromise(
              Effect.either(place.account.prepare({ to, amount, maxFee: 10n ** 18n }))
            )
            if (found._tag === "Left") {
              const type = isDoge ? "p2pkh" : "p2wpkh"
              // what is worth its fee is not enough
              const cost = BigInt(sizeOf(2, type, [25]) - sizeOf(1, type, [25])) * BigInt(per)
              const worth = values.filter((value) => value > cost)
              const needed = amount + BigInt(sizeOf(worth.length, type, [25]) * per)
              if (found.left._tag === "InsufficientFunds")
                expect(worth.reduce((a, b) => a + b, 0n)).toBeLessThan(needed)
              else
                expect([found.left._tag, amount < least]).toEqual([
                  amount === 0n ? "InvalidAmount" : "DustAmount",
                  true
                ])
              expect(place.chain.sent).toEqual([])
              return
            }
            expect(amount).toBeGreaterThanOrEqual(least)
            const prepared = found.right
            await Effect.runPromise(place.account.submit(prepared))
            const { inputs, size } = isAsShown(place, prepared, per)
            expect(prepared.outgoing).toEqual([
              { asset: isDoge ? "DOGE" : "BTC", amount: expect.stringMatching(/^\d+(\.\d+)?$/) }
            ])
            const dust = isDoge ? 1_000_000n : 294n
            if (prepared.change === undefined)
              // what is left over would have been dust, and no more than that is given away
              expect(
                inputs - amount - BigInt((size + 36 + prepared.transaction.inputs.length) * per)
              ).toBeLessThan(dust)
            else expect(prepared.change).toBeGreaterThanOrEqual(dust)
          }
        ),
        {
          numRuns: runs(150),
          examples: [[{ isDoge: false, amounts: [53_832n], share: 0, rest: 1.0055291364734302, rate: 368 }]]
        }
      )
    )
  )

  it.effect("are not made where nobody can wait for them, or there is none", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const payment = { to: receiver.bitcoin, amount: 1_000n, confirmations: 0 }
      for (const refused of [account.send(payment), account.send(undefined as never)])
        expect(yield* Effect.flip(refused)).toMatchObject({ _tag: "InvalidArgument", call: "send" })
      expect(chain.sent).toEqual([])
    })
  )

  it.effect("go to an address in capitals, as QR codes have it, and name it in small letters", () =>
    Effect.gen(function* () {
      const { account } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const to = addressOf(`0014${"07".repeat(20)}`, "bitcoin-mainnet") ?? ""
      expect(yield* account.prepare({ to: to.toUpperCase(), amount: 5_000n })).toMatchObject({ to })
    })
  )

  it.effect("give change from the least amount on that is no dust", () =>
    Effect.gen(function* () {
      const { account } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const fee = BigInt(sizeOf(1, "p2wpkh", [25, 22]))
      const most = 100_000n - fee - 294n
      expect(yield* account.prepare({ to: receiver.bitcoin, amount: most })).toMatchObject({
        fee,
        change: 294n
      })
      const without = yield* account.prepare({ to: receiver.bitcoin, amount: most + 1n })
      expect(without).toMatchObject({ fee: fee + 293n, transaction: { outputs: [{ amount: most + 1n }] } })
      expect(without).not.toHaveProperty("change")
    })
  )

  it.effect("spend none of the outputs that they are to leave alone, whatever the change of others", () =>
    Effect.gen(function* () {
      const { account } = yield* funded("bitcoin-mainnet", [100_000n, 60_000n, 50_000n])
      const payment = { to: receiver.bitcoin, amount: 40_000n }
      const first = (yield* account.prepare(payment)).transaction.inputs
      expect(first.map(({ amount }) => amount)).toEqual([50_000n])
      const second = (yield* account.prepare({ ...payment, without: first })).transaction.inputs
      expect(second.map(({ amount }) => amount)).toEqual([60_000n])
      const all = [...first, ...second]
      const third = (yield* account.prepare({ ...payment, without: all })).transaction.inputs
      expect(third.map(({ amount }) => amount)).toEqual([100_000n])
      expect(yield* Effect.flip(account.prepare({ ...payment, without: [...all, ...third] }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0"
      })
      // change that no block has is spent, and may be left alone as well
      const { hash } = yield* account.send({ to: receiver.bitcoin, amount: 10_000n })
      const change = { txid: hash, vout: 1 }
      const rest = [...all, ...third]
      expect(
        (yield* account.prepare({ ...payment, amount: 20_000n, without: rest })).transaction.inputs
      ).toMatchObject([change])
      expect(
        yield* Effect.flip(account.prepare({ ...payment, amount: 20_000n, without: [...rest, change] }))
      ).toMatchObject({ _tag: "InsufficientFunds" })
      for (const without of [7, "x", [null], ["a:0"]] as const)
        expect(
          yield* Effect.flip(account.prepare(Object.assign({}, payment, { without }) as typeof payment))
        ).toMatchObject({ _tag: "InvalidArgument", reason: "without is a list of { txid, vout }" })
    })
  )

  it.effect("may be replaced, or are final where that is said (BIP-125)", () =>
    Effect.gen(function* () {
      const { account } = yield* funded("bitcoin-mainnet", [100_000n, 60_000n])
      const payment = { to: receiver.bitcoin, amount: 120_000n }
      expect((yield* account.prepare(payment)).transaction).toMatchObject({ replaceable: true })
      const { transaction } = yield* account.prepare({ ...payment, replaceable: false })
      expect(transaction).not.toHaveProperty("replaceable")
      for (const [replaceable, sequence] of [
        [undefined, 0xffffffff],
        [false, 0xffffffff],
        [true, 0xfffffffd]
      ] as const) {
        const { raw } = yield* account.sign({
          ...transaction,
          ...(replaceable === undefined ? {} : { replaceable })
        })
        const { ins } = Transaction.fromHex(raw)
        expect(ins.map((each) => each.sequence)).toEqual([sequence, sequence])
      }
    })
  )

  it("tell the least amount that an address gets", () => {
    // what Bitcoin Core's policy has for these forms, at 3 satoshi a byte
    expect(leastAmount("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bitcoin-mainnet")).toBe(294n)
    expect(leastAmount(receiver.bitcoin, "bitcoin-mainnet")).toBe(546n)
    expect(leastAmount(receiver.doge, "doge-mainnet")).toBe(1_000_000n)
    expect(leastAmount("nobody", "bitcoin-mainnet")).toBeUndefined()
    expect(leastAmount(receiver.doge, "bitcoin-mainnet")).toBeUndefined()
  })

  it.effect("choose the smallest output that is enough, and few where none is", () =>
    Effect.gen(function* () {
      const { account } = yield* funded(
        "bitcoin-mainnet",
        [90_000n, 30_000n, 20_000n, 500_000n, 10_000n],
        0.00001
      )
      const spent = (amount: bigint) =>
        Effect.map(account.prepare({ to: receiver.bitcoin, amount }), ({ transaction }) =>
          transaction.inputs.map((each) => each.amount)
        )
      expect(yield* spent(25_000n)).toEqual([30_000n])
      expect(yield* spent(100_000n)).toEqual([500_000n])
      expect(yield* spent(505_000n)).toEqual([500_000n, 10_000n])
      expect(yield* spent(600_000n)).toEqual([500_000n, 90_000n, 20_000n])
    })
  )

  it.effect("refuse what cannot be paid, before anything is signed", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const to = receiver.bitcoin
      for (const [payment, error] of [
        [
          { to: "bc1", amount: "1" },
          { _tag: "InvalidAddress", network: "bitcoin-mainnet" }
        ],
        [{ to: 7, amount: "1" }, { _tag: "InvalidAddress" }],
        [
          { to: receiver.doge, amount: "1" },
          { _tag: "InvalidAddress", reason: "is one of doge-mainnet" }
        ],
        [{ to, amount: "0.000000001" }, { _tag: "InvalidAmount" }],
        [{ to, amount: "0" }, { _tag: "InvalidAmount" }],
        [{ to, amount: -1n }, { _tag: "InvalidAmount" }],
        [{ to, amount: 0.5 }, { _tag: "InvalidAmount" }],
        [
          { to, amount: 545n },
          { _tag: "DustAmount", amount: "0.00000545", least: "0.00000546", asset: "BTC" }
        ],
        [
          { to: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", amount: 293n },
          { _tag: "DustAmount", least: "0.00000294" }
        ],
        [
          { to, amount: "1" },
          { _tag: "InsufficientFunds", needed: "1.00000113", available: "0.001", asset: "BTC" }
        ],
        [
          { to, amount: 50_000n, maxFee: 100n },
          { _tag: "FeeOverCap", cap: "0.000001" }
        ],
        [{ to, amount: 50_000n, maxFee: "x" }, { _tag: "InvalidAmount" }],
        [{ to, amount: 50_000n, memo: "7" }, { _tag: "InvalidArgument" }],
        [undefined, { _tag: "InvalidArgument" }]
      ] as const)
        expect(yield* Effect.flip(account.prepare(payment as never)), inspect(payment)).toMatchObject(error)
      expect(yield* Effect.flip(account.sendToken({ to, amount: "1", token: "rune" }))).toMatchObject({
        _tag: "InvalidArgument",
        reason: "bitcoin-mainnet has no tokens"
      })
      expect(chain.sent).toEqual([])
    })
  )

  it.effect("refuse lists of outputs that are none", () =>
    Effect.gen(function* () {
      const chain = makeChain()
      const good = { txid: "ab".repeat(32), vout: 0, amount: 5n }
      for (const listed of [
        undefined,
        good,
        [null],
        [good, undefined],
        [good, { ...good, vout: 1, amount: -1n }],
        [{ ...good, txid: "ab" }],
        [{ ...good, txid: `${good.txid}0` }],
        [{ ...good, txid: `0${good.txid}` }],
        [{ ...good, txid: [good.txid] }],
        [{ ...good, vout: -1 }],
        [{ ...good, vout: 0.5 }],
        [{ ...good, vout: "0" }],
        [{ ...good, amount: 0.5 }],
        [{ ...good, amount: 5 }],
        [{ ...good, amount: "x" }]
      ]) {
        const account = yield* make(client("bitcoin-mainnet", chain.rpc), {
          mnemonic: words,
          utxos: () => listed as unknown as ReadonlyArray<Utxo>
        })
        expect(yield* Effect.flip(account.send({ to: receiver.bitcoin, amount: "1" }))).toMatchObject({
          _tag: "InvalidArgument",
          call: "utxos",
          reason: "unspent outputs must be a list of { txid, vout, amount }, whose amounts are text or bigint"
        })
      }
      // one of nothing is one, in whatever case its id is
      const { chain: other, script } = yield* funded("bitcoin-mainnet", [100_000n])
      const account = yield* make(client("bitcoin-mainnet", other.rpc), {
        mnemonic: words,
        utxos: () => [
          { ...good, amount: 0n },
          ...other.listed(script).map((each) => ({ ...each, txid: each.txid.toUpperCase() }))
        ]
      })
      expect((yield* account.prepare({ to: receiver.bitcoin, amount: 1_000n })).transaction.inputs).toEqual(
        other.listed(script)
      )
      // and one as the data API lists it, such as an application has stored it
      const fromData = yield* make(client("bitcoin-mainnet", other.rpc), {
        mnemonic: words,
        utxos: () =>
          other.listed(script).map(({ amount, txid, vout }) => ({
            txHash: txid,
            index: vout,
            value: Units.format(BigInt(amount), 8)
          }))
      })
      expect((yield* fromData.prepare({ to: receiver.bitcoin, amount: 1_000n })).transaction.inputs).toEqual(
        other.listed(script)
      )
      const failing = yield* make(client("bitcoin-mainnet", chain.rpc), {
        mnemonic: words,
        utxos: () => Promise.reject(new Error("the wallet is locked"))
      })
      expect(yield* Effect.flip(failing.send({ to: receiver.bitcoin, amount: "1" }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "utxos",
        reason: "the wallet is locked"
      })
    })
  )

  it.effect("find outputs by the data API", () =>
    Effect.gen(function* () {
      const chain = makeChain()
      const { address } = yield* made({ mnemonic: words })
      const script = addresses.toOutputScript(address)
      chain.fund(script, 100_000n)
      const asked: Array<object> = []
      const account = yield* make(
        {
          ...client("bitcoin-mainnet", chain.rpc),
          data: {
            getUtxosByAddress: (query) => {
              asked.push(query)
              return Effect.succeed(
                chain.listed(script).map(({ txid, vout }) => ({ txHash: txid, index: vout, value: "0.001" }))
              )
            }
          }
        },
        { mnemonic: words }
      )
      const { prepared } = yield* account.send({ to: receiver.bitcoin, amount: 50_000n })
      expect(prepared.transaction.inputs).toMatchObject([{ amount: 100_000n }])
      expect(asked).toEqual([{ chain: "bitcoin-mainnet", address, totalValue: 200_000_000_000 }])
      const wrong = yield* make(
        {
          ...client("bitcoin-mainnet", chain.rpc),
          data: { getUtxosByAddress: () => Effect.succeed([{ txHash: "ab", index: 0, value: "1" }]) }
        },
        { mnemonic: words }
      )
      expect(yield* Effect.flip(wrong.prepare({ to: receiver.bitcoin, amount: 50_000n }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "data.getUtxosByAddress",
        reason: "unspent outputs must be a list of { txHash, index, value }, whose amounts are text or bigint"
      })
      const unserved = yield* make(
        {
          ...client("bitcoin-mainnet", chain.rpc),
          data: {
            getUtxosByAddress: ({ chain: network }) =>
              Effect.fail(new NotSupportedForNetwork({ feature: "data", network }))
          }
        },
        { mnemonic: words }
      )
      expect(yield* Effect.flip(unserved.prepare({ to: receiver.bitcoin, amount: 50_000n }))).toMatchObject({
        _tag: "InvalidArgument",
        call: "utxos",
        reason: "is needed: the data API has no unspent outputs of bitcoin-mainnet"
      })
    })
  )

  it.effect("leave alone what is spent, of others, without a block, or to mature", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded("doge-mainnet", [], 0.01)
      const coin = 100_000_000n
      chain.steal(chain.fund(script, 5n * coin))
      chain.fund(script, 6n * coin, { confirmations: 0 })
      chain.fund(script, 7n * coin, { coinbase: true, confirmations: 239 })
      const pay = { to: receiver.doge, amount: 2n * coin }
      expect(yield* Effect.flip(account.prepare(pay))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0"
      })
      chain.fund(script, 8n * coin, { coinbase: true, confirmations: 240 })
      expect((yield* account.prepare(pay)).transaction.inputs).toMatchObject([{ amount: 8n * coin }])
    })
  )

  it.effect("believe no list about amounts, nor a node about a transaction", () =>
    Effect.gen(function* () {
      for (const network of ["bitcoin-mainnet", "doge-mainnet"] as const) {
        const { chain, script } = yield* funded(network, [800_000_000n], 0.01)
        const to = network === "doge-mainnet" ? receiver.doge : receiver.bitcoin
        const from = {
          mnemonic: words,
          utxos: () => chain.listed(script).map((each) => ({ ...each, amount: "99" }))
        }
        const account = yield* make(client(network, chain.rpc), from)
        const { prepared } = yield* account.send({ to, amount: "2" })
        expect(prepared.transaction.inputs).toMatchObject([{ amount: 800_000_000n }])
        if (network === "bitcoin-mainnet") continue
        const fresh = yield* funded(network, [800_000_000n], 0.01)
        const lying = yield* make(
          client(network, {
            ...fresh.chain.rpc,
            getRawTransaction: () => Effect.succeed(chain.sent[0]?.toHex() ?? "")
          }),
          { mnemonic: words, utxos: () => fresh.chain.listed(script) }
        )
        expect(yield* Effect.flip(lying.prepare({ to, amount: "2" }))).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining("another transaction")
        })
      }
    })
  )

  it.effect("sign no other fee than the one that is shown, and no amount without proof", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("doge-mainnet", [800_000_000n], 0.01)
      const { transaction } = yield* account.prepare({ to: receiver.doge, amount: "2" })
      const [input] = transaction.inputs
      if (input === undefined) throw new Error("it spends nothing")
      const { previous: _, ...bare } = input
      const outside = { ...input, vout: 9 }
      const { txid } = input
      for (const [changed, reason] of [
        [
          { ...transaction, fee: transaction.fee + 1n },
          `its fee would be ${transaction.fee} in the smallest unit, and it says ${transaction.fee + 1n}`
        ],
        [{ ...transaction, outputs: transaction.outputs.slice(0, 1) }, /^its fee would be/],
        [
          { ...transaction, inputs: [bare] },
          `the amount of ${txid} is not proven: the whole transaction is needed`
        ],
        [
          { ...transaction, inputs: [{ ...input, amount: input.amount + 1n }], fee: transaction.fee + 1n },
          `${txid} has another amount at ${input.vout}`
        ],
        [{ ...transaction, inputs: [outside] }, `a node gave another transaction for ${txid}`],
        [
          { ...transaction, inputs: [{ ...input, txid: "ab".repeat(32) }] },
          `a node gave another transaction for ${"ab".repeat(32)}`
        ],
        [
          {
            ...transaction,
            outputs: transaction.outputs.map((each) => ({ ...each, address: receiver.bitcoin }))
          },
          `${receiver.bitcoin} is one of bitcoin-mainnet`
        ]
      ] as const) {
        const failed = yield* Effect.flip(account.sign(changed))
        expect(failed).toMatchObject({ _tag: "SigningFailed", reason: expect.stringMatching(reason) })
      }
      expect((yield* account.sign(transaction)).raw).toMatch(/^01000000/)
      // of whoever signs with another key, nothing is put in
      for (const network of ["doge-mainnet", "bitcoin-mainnet"] as const) {
        const place = yield* funded(network, [800_000_000n], 0.01)
        const to = network === "doge-mainnet" ? receiver.doge : receiver.bitcoin
        const own = keyAt(accounts.find(([name]) => name === network)?.[1] ?? "")
        const foreign = yield* made(
          {
            publicKey: Buffer.from(own.publicKey).toString("hex"),
            sign: (digest: Uint8Array) => secp256k1.sign(digest, keyAt("m/0").privateKey, { prehash: false })
          },
          network
        )
        expect(foreign.address).toBe(place.account.address)
        const prepared = yield* place.account.prepare({ to, amount: "2" })
        expect(yield* Effect.flip(foreign.sign(prepared.transaction))).toMatchObject({
          _tag: "SigningFailed",
          reason: "the signature is not that of the account's key"
        })
      }
      expect(chain.sent).toEqual([])
    })
  )

  it.effect("warn of what a person should know", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded(
        "bitcoin-mainnet",
        Array.from({ length: 25 }, () => 2_000n),
        0.00001
      )
      const many = yield* account.prepare({ to: account.address, amount: 45_000n })
      expect(many.warnings).toEqual([
        "The receiver is the account itself.",
        expect.stringMatching(/^It spends 2\d outputs/)
      ])
      const blind = yield* make(
        client("bitcoin-mainnet", {
          ...chain.rpc,
          estimateSmartFee: () => Effect.succeed({ feerate: -1 }),
          getMempoolInfo: () => Effect.succeed({ mempoolminfee: 0.00003 })
        }),
        { mnemonic: words, utxos: () => chain.listed(addresses.toOutputScript(account.address)) }
      )
      const { fee, warnings } = yield* blind.prepare({ to: receiver.bitcoin, amount: 600n })
      // an input, two outputs: at the least rate that the pool takes
      expect(fee).toBe(BigInt(3 * sizeOf(1, "p2wpkh", [25, 22])))
      expect(warnings).toEqual([expect.stringContaining("no estimate of fees")])
    })
  )

  it.effect("are shown in full, and may cost as much as their cap", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const payment = { to: receiver.bitcoin, amount: 40_000n }
      expect(yield* account.prepare({ ...payment, maxFee: 144n })).toStrictEqual({
        network: "bitcoin-mainnet",
        from: account.address,
        to: receiver.bitcoin,
        amount: 40_000n,
        fee: 144n,
        change: 59_856n,
        outgoing: [{ asset: "BTC", amount: "0.00040144" }],
        warnings: [],
        transaction: {
          inputs: chain.listed(script),
          outputs: [
            { address: receiver.bitcoin, amount: 40_000n },
            { address: account.address, amount: 59_856n }
          ],
          fee: 144n,
          replaceable: true
        }
      })
      expect(yield* Effect.flip(account.prepare({ ...payment, maxFee: 143n }))).toMatchObject({
        _tag: "FeeOverCap",
        fee: "0.00000144",
        cap: "0.00000143",
        asset: "BTC"
      })
      expect((yield* Effect.flip(account.prepare({ ...payment, memo: "7" }))).message).toBe(
        "prepare: payments on bitcoin-mainnet have no memo"
      )
    })
  )

  it.effect("warn of a fee above the amount, and of more outputs than twenty", () =>
    Effect.gen(function* () {
      // a payment of one output and its change has 144 bytes
      const dear = yield* funded("bitcoin-mainnet", [100_000n], 0.00005)
      const warned = (amount: bigint) =>
        Effect.map(dear.account.prepare({ to: receiver.bitcoin, amount }), ({ warnings }) => warnings)
      expect(yield* warned(720n)).toEqual([])
      expect(yield* warned(719n)).toEqual(["The fee is more than what is paid."])
      const many = yield* funded(
        "bitcoin-mainnet",
        Array.from({ length: 25 }, () => 2_000n),
        0.00001
      )
      for (const [amount, spent, warnings] of [
        [38_000n, 20, []],
        [40_000n, 21, ["It spends 21 outputs, each of which adds to the fee."]]
      ] as const) {
        const prepared = yield* many.account.prepare({ to: receiver.bitcoin, amount })
        expect(prepared.transaction.inputs).toHaveLength(spent)
        expect(prepared.warnings).toEqual(warnings)
      }
    })
  )

  it.effect("are to be smaller where one transaction cannot spend so many outputs", () =>
    Effect.gen(function* () {
      const { account } = yield* funded(
        "bitcoin-mainnet",
        Array.from({ length: 1_500 }, () => 1_000n),
        0.00001
      )
      expect(yield* Effect.flip(account.prepare({ to: receiver.bitcoin, amount: 1_390_000n }))).toMatchObject(
        {
          _tag: "InvalidAmount",
          amount: "0.0139",
          reason: "is spread over more outputs than one transaction can spend: send less at once"
        }
      )
    })
  )

  it.effect("spend what blocks have before change that none of them has", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const first = yield* account.send({ to: receiver.bitcoin, amount: 20_000n })
      // the change would do with less left over
      chain.fund(script, 1_000_000n)
      const spent = (amount: bigint) =>
        Effect.map(account.prepare({ to: receiver.bitcoin, amount }), ({ transaction }) =>
          transaction.inputs.map((each) => each.amount)
        )
      expect(yield* spent(50_000n)).toEqual([1_000_000n])
      expect(yield* spent(1_050_000n)).toEqual([1_000_000n, first.prepared.change])
    })
  )

  it.effect("ask for what they need at once, and of outputs eight at a time", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded(
        "bitcoin-mainnet",
        Array.from({ length: 9 }, () => 10_000n),
        0.00001
      )
      const slowly = <A, E>(effect: Effect.Effect<A, E>) => Effect.delay(effect, 1_000)
      const { estimateSmartFee, getMempoolInfo, getTxOut } = chain.rpc
      const slow = yield* make(
        {
          ...client("bitcoin-mainnet", {
            estimateSmartFee: (...given) => slowly(estimateSmartFee(...given)),
            getMempoolInfo: () => slowly(getMempoolInfo()),
            getTxOut: (...given) => slowly(getTxOut(...given))
          }),
          data: {
            getUtxosByAddress: () =>
              slowly(
                Effect.succeed(
                  chain
                    .listed(script)
                    .map(({ txid, vout }) => ({ txHash: txid, index: vout, value: "0.0001" }))
                )
              )
          }
        },
        { mnemonic: words }
      )
      expect(slow.address).toBe(account.address)
      for (const [amount, outputs, seconds] of [
        [70_000n, 8, 2],
        [80_000n, 9, 3]
      ] as const) {
        const fiber = yield* Effect.fork(slow.prepare({ to: receiver.bitcoin, amount }))
        yield* TestClock.adjust(seconds * 1_000 - 1)
        expect(fiber.unsafePoll()).toBeNull()
        yield* TestClock.adjust(1)
        expect((yield* Fiber.join(fiber)).transaction.inputs).toHaveLength(outputs)
      }
    })
  )

  it.effect("never spend an output twice, and spend change before a block has it", () =>
    Effect.gen(function* () {
      const place = yield* funded("litecoin-mainnet", [100_000_000n, 40_000_000n])
      const { account, chain } = place
      const to = "LQTpS3VaYTjCr4s9Y1t5zbeY26zevf7Fb3"
      const target = addressProblem(to, "litecoin-mainnet") === undefined ? to : account.address
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => i),
        (i) => account.send({ to: target, amount: BigInt(5_000_000 + i) }),
        { concurrency: "unbounded" }
      )
      expect(new Set(all.map(({ hash }) => hash)).size).toBe(20)
      const spent = chain.sent.flatMap(({ ins }) =>
        ins.map(({ hash, index }) => `${Buffer.from(hash).toString("hex")}${index}`)
      )
      expect(new Set(spent).size).toBe(spent.length)
      chain.mine()
      // a list that still has what is spent is not believed
      yield* account.send({ to: target, amount: 1_000_000n })
      expect(chain.sent).toHaveLength(21)
    })
  )

  it.effect("cost what nodes estimate or ask for at least, whichever is most", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      const size = BigInt(sizeOf(1, "p2wpkh", [25, 22]))
      const low = [expect.stringContaining("no estimate of fees")]
      const [some, less] = [0.00002, 0.000015]
      for (const [estimate, pool, rate, warnings] of [
        [{ feerate: 0.00005 }, { mempoolminfee: some, minrelaytxfee: some }, 5_000n, []],
        [{ fee: 0.00005 }, { mempoolminfee: some, minrelaytxfee: some }, 5_000n, []],
        [{ feerate: some, fee: 1 }, { mempoolminfee: 0.00003, minrelaytxfee: less }, 3_000n, []],
        [{ feerate: some }, { mempoolminfee: less, minrelaytxfee: 0.00004 }, 4_000n, []],
        // less than Bitcoin Core relays
        [{ feerate: 0.000001 }, {}, 1_000n, []],
        [{}, {}, 1_000n, low],
        [{ feerate: 0 }, { mempoolminfee: some }, 2_000n, low],
        [{ feerate: -1 }, { mempoolminfee: -1 }, 1_000n, low]
      ] as const) {
        const asked: Array<unknown> = []
        const account = yield* make(
          client("bitcoin-mainnet", {
            ...chain.rpc,
            estimateSmartFee: (...given) => {
              asked.push(...given)
              return Effect.succeed(estimate)
            },
            getMempoolInfo: () => Effect.succeed(pool)
          }),
          { mnemonic: words, utxos: () => chain.listed(script) }
        )
        const prepared = yield* account.prepare({ to: receiver.bitcoin, amount: 20_000n })
        expect([prepared.fee, prepared.warnings], inspect(estimate)).toEqual([
          (size * rate) / 1_000n,
          warnings
        ])
        expect(asked).toEqual([6])
      }
    })
  )

  it.effect("spend what is the account's own and in a block, and no coins that are to mature", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [])
      const theirs = addresses.toOutputScript(receiver.bitcoin)
      chain.fund(theirs, 90_000n)
      chain.fund(script, 10_000n, { confirmations: 0 })
      chain.fund(script, 20_000n, { coinbase: true, confirmations: 99 })
      const account = yield* make(client("bitcoin-mainnet", chain.rpc), {
        mnemonic: words,
        utxos: () => [...chain.listed(theirs), ...chain.listed(script)]
      })
      const payment = { to: receiver.bitcoin, amount: 1_000n }
      expect(yield* Effect.flip(account.prepare(payment))).toMatchObject({ available: "0" })
      chain.fund(script, 30_000n, { coinbase: true, confirmations: 100 })
      expect((yield* account.prepare(payment)).transaction.inputs).toMatchObject([{ amount: 30_000n }])
      chain.fund(script, 25_000n, { confirmations: 1 })
      expect((yield* account.prepare(payment)).transaction.inputs).toMatchObject([{ amount: 25_000n }])
    })
  )

  it.effect("spend nothing whose transaction pays another address", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded("doge-mainnet", [], 0.01)
      const theirs = payments.p2pkh({ pubkey: keyAt("m/0").publicKey }).output ?? new Uint8Array()
      const { txid, vout } = chain.fund(theirs, 800_000_000n)
      const lying = yield* make(
        client("doge-mainnet", {
          ...chain.rpc,
          getTxOut: () =>
            Effect.succeed({
              value: 8,
              confirmations: 200,
              coinbase: false,
              scriptPubKey: { hex: Buffer.from(script).toString("hex") }
            })
        }),
        { mnemonic: words, utxos: () => chain.listed(theirs) }
      )
      expect(lying.address).toBe(account.address)
      expect(yield* Effect.flip(lying.prepare({ to: receiver.doge, amount: "2" }))).toMatchObject({
        _tag: "InvalidArgument",
        message: `prepare: ${txid} pays another address at ${vout}`
      })
    })
  )

  it.effect("are looked for six times in two and a half seconds where a node has given their id", () =>
    Effect.gen(function* () {
      for (const found of [undefined, 3]) {
        const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
        const asked: Array<string> = []
        const account = yield* make(
          client("bitcoin-mainnet", {
            ...chain.rpc,
            getRawTransaction: (txid) =>
              Effect.suspend(() =>
                asked.push(txid) === found ? Effect.succeed("") : chain.rpc.getRawTransaction("none")
              )
          }),
          { mnemonic: words, utxos: () => chain.listed(script) }
        )
        chain.meet("swallowed")
        const fiber = yield* Effect.fork(
          Effect.either(account.send({ to: receiver.bitcoin, amount: 50_000n }))
        )
        for (let left = 2_000; asked.length === 0 && left > 0; left--)
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        for (let looks = 2; looks <= (found ?? 6); looks++) {
          yield* TestClock.adjust(499)
          expect(asked).toHaveLength(looks - 1)
          yield* TestClock.adjust(1)
          expect(asked).toHaveLength(looks)
        }
        expect(yield* Fiber.join(fiber)).toMatchObject(
          found === undefined
            ? {
                left: {
                  _tag: "BroadcastUnclear",
                  hash: asked[0],
                  reason: "a node has given its id, and no node has it"
                }
              }
            : { right: { hash: asked[0] } }
        )
        expect(new Set(asked).size).toBe(1)
      }
    })
  )

  it.effect("are waited for as deep as is wanted", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      const waited: Array<unknown> = []
      const account = yield* make(
        client("bitcoin-mainnet", {
          ...chain.rpc,
          waitForTransaction: (txid, options) => Effect.sync(() => waited.push([txid, options]))
        }),
        { mnemonic: words, utxos: () => chain.listed(script) }
      )
      const { hash } = yield* account.send({ to: receiver.bitcoin, amount: 50_000n, confirmations: 3 })
      expect(waited).toEqual([[hash, { confirmations: 3 }]])
    })
  )

  it.effect("prove their change by what was signed, without asking for it", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("doge-mainnet", [800_000_000n], 0.01)
      const asked: Array<string> = []
      const account = yield* make(
        client("doge-mainnet", {
          ...chain.rpc,
          getRawTransaction: (txid) => {
            asked.push(txid)
            return chain.rpc.getRawTransaction(txid)
          }
        }),
        { mnemonic: words, utxos: () => chain.listed(script) }
      )
      const { hash } = yield* account.send({ to: receiver.doge, amount: "2" })
      asked.splice(0)
      const { transaction } = yield* account.prepare({ to: receiver.doge, amount: "3" })
      expect(transaction.inputs).toMatchObject([{ txid: hash, previous: chain.sent[0]?.toHex() }])
      expect(asked).toEqual([])
    })
  )

  it.effect("keep the change of what nodes have where another payment is refused", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      const { hash } = yield* account.send(pay)
      // the node is told of the first again, and refuses the second all the same
      chain.insist("refused")
      expect(yield* later(Effect.flip(account.send(pay)))).toMatchObject({ _tag: "RpcError", code: -26 })
      chain.insist(undefined)
      expect((yield* account.send(pay)).prepared.transaction.inputs).toMatchObject([{ txid: hash }])
    })
  )

  it.effect("to the account itself are spent again by their change", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n], 0.00001)
      const first = yield* account.send({ to: account.address, amount: 20_000n })
      const second = yield* account.send({ to: receiver.bitcoin, amount: 10_000n })
      expect(second.prepared.transaction.inputs).toMatchObject([
        { txid: first.hash, vout: 1, amount: first.prepared.change }
      ])
      expect(chain.sent).toHaveLength(2)
    })
  )

  it.effect("free what a refused payment was to spend", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      chain.insist("refused")
      const pay = { to: receiver.bitcoin, amount: 50_000n }
      expect(yield* later(Effect.flip(account.send(pay)))).toMatchObject({ _tag: "RpcError", code: -26 })
      expect(chain.sent).toEqual([])
      chain.insist(undefined)
      yield* account.send(pay)
      expect(chain.sent).toHaveLength(1)
    })
  )

  it.effect("refuse a preview whose transaction pays somebody else, or more", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const prepared = yield* account.prepare({ to: receiver.bitcoin, amount: 10_000n })
      const { transaction } = prepared
      const [paid, change] = transaction.outputs
      if (paid === undefined || change === undefined) throw new Error("it has no change")
      const swapped = [
        { ...paid, address: account.address },
        { ...change, address: receiver.bitcoin }
      ]
      const forged: ReadonlyArray<Partial<typeof prepared>> = [
        { to: account.address },
        { amount: 9_999n },
        { fee: prepared.fee - 1n },
        { change: 0n },
        { transaction: { ...transaction, outputs: swapped } },
        { transaction: { ...transaction, outputs: [paid, { ...change, address: receiver.bitcoin }] } },
        { transaction: { ...transaction, outputs: [paid] } },
        { transaction: { ...transaction, outputs: undefined as never } },
        { transaction: { ...transaction, fee: transaction.fee + 1n } },
        { transaction: { ...transaction, inputs: [...transaction.inputs, ...transaction.inputs] } }
      ]
      for (const part of forged)
        expect(yield* Effect.flip(account.submit({ ...prepared, ...part }))).toMatchObject({
          _tag: "InvalidArgument",
          message: "submit: its transaction is another one than that of its preview"
        })
      expect(chain.sent).toEqual([])
      yield* account.submit(prepared)
      expect(chain.sent).toHaveLength(1)
    })
  )

  it.effect("refuse a preview whose outputs another payment has spent", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const first = yield* account.prepare({ to: receiver.bitcoin, amount: 10_000n })
      const second = yield* account.prepare({ to: receiver.bitcoin, amount: 20_000n })
      yield* account.submit(first)
      expect(yield* Effect.flip(account.submit(second))).toMatchObject({
        _tag: "InvalidArgument",
        message: `submit: ${chain.sent[0]?.getId()} of this signer spends what it was to spend: prepare it again`
      })
      expect(chain.sent).toHaveLength(1)
      const { account: other } = yield* funded("litecoin-mainnet", [])
      expect(yield* Effect.flip(other.submit(first))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it.effect("look for what may have been sent, and send the same bytes again", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n, 100_000n])
      const pay = { to: receiver.bitcoin, amount: 50_000n }
      chain.meet("lost", "lost")
      yield* later(account.send(pay))
      chain.meet("arrived")
      yield* later(account.send(pay))
      expect(chain.sent).toHaveLength(2)
    })
  )

  it.effect("say so where nobody can tell, and spend nothing of it again", () =>
    Effect.gen(function* () {
      for (const fates of [["lost", "lost", "lost", "lost", "lost"], ["swallowed"]] as const) {
        const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
        const pay = { to: receiver.bitcoin, amount: 50_000n }
        chain.meet(...fates)
        const error = yield* later(Effect.flip(account.send(pay)))
        expect(error).toMatchObject({
          _tag: "BroadcastUnclear",
          hash: expect.stringMatching(/^[0-9a-f]{64}$/)
        })
        expect(yield* Effect.flip(account.send(pay))).toMatchObject({ _tag: "InsufficientFunds" })
        expect(chain.sent).toEqual([])
        // the bytes of the error are the transaction
        if (error._tag === "BroadcastUnclear") yield* chain.rpc.sendRawTransaction(error.raw)
        expect(chain.sent.map((tx) => tx.getId())).toEqual([Reflect.get(error, "hash")])
      }
    })
  )

  it.effect("give nodes again what they have lost, before its change is spent", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      const { hash } = yield* account.send(pay)
      chain.evict()
      yield* account.send(pay)
      expect(chain.sent.map((tx) => tx.getId())).toEqual([hash, hash, expect.any(String)])
    })
  )

  it.effect("free what a payment has spent that will not come back", () =>
    Effect.gen(function* () {
      const { account, chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      yield* account.send(pay)
      chain.evict()
      for (const each of chain.listed(script)) chain.steal(each)
      chain.fund(script, 30_000n)
      // the first spends what another has taken: it is gone, and so is its change
      const { prepared } = yield* account.send({ ...pay, amount: 25_000n })
      expect(prepared.transaction.inputs).toMatchObject([{ amount: 30_000n }])
    })
  )

  it.effect("spend again what a payment was to spend that nodes have lost, and will not have back", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      yield* account.send({ to: receiver.bitcoin, amount: 20_000n })
      chain.evict()
      chain.meet(...new Array(5).fill("refused" as const))
      // more than the change of the first
      const { prepared } = yield* later(account.send({ to: receiver.bitcoin, amount: 85_000n }))
      expect(prepared.transaction.inputs).toMatchObject([{ amount: 100_000n }])
    })
  )

  it.effect("tell a node of change that it has not heard of, before its word counts", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      yield* account.send(pay)
      // as long as it is not told of the first one again
      const send = chain.rpc.sendRawTransaction
      let told = 0
      Object.assign(chain.rpc, {
        sendRawTransaction: (raw: string) =>
          Effect.suspend(() => {
            const isFirst = raw === Buffer.from(chain.sent[0]?.toBuffer() ?? []).toString("hex")
            if (isFirst) told++
            else if (told === 0) chain.meet("refused")
            return send(raw)
          })
      })
      yield* later(account.send(pay))
      expect(chain.sent.length).toBeGreaterThanOrEqual(2)
      expect(told).toBe(1)
    })
  )

  it.effect("spend nothing twice where nodes do not want a payment back yet", () =>
    Effect.gen(function* () {
      const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      const { hash } = yield* account.send(pay)
      chain.evict()
      chain.insist("priced")
      expect(yield* later(Effect.flip(account.send(pay)))).toMatchObject({ _tag: "InsufficientFunds" })
      chain.insist(undefined)
      yield* account.send(pay)
      expect(chain.sent.map((tx) => tx.getId())).toEqual([hash, hash, expect.any(String)])
    })
  )

  it.effect("spend nothing twice where nobody can tell whether nodes have a payment back", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      let isAway = false
      const away = new NodeError({
        url: "http://node",
        call: "sendrawtransaction",
        kind: "connect",
        reason: "the socket is closed already"
      })
      const account = yield* make(
        client("bitcoin-mainnet", {
          ...chain.rpc,
          sendRawTransaction: (raw) =>
            Effect.suspend(() => (isAway ? Effect.fail(away) : chain.rpc.sendRawTransaction(raw)))
        }),
        { mnemonic: words, utxos: () => chain.listed(script) }
      )
      yield* account.send({ to: receiver.bitcoin, amount: 20_000n })
      chain.evict()
      isAway = true
      // more than the change of the first
      const payment = { to: receiver.bitcoin, amount: 85_000n }
      expect(yield* later(Effect.flip(account.prepare(payment)))).toMatchObject({ _tag: "InsufficientFunds" })
    })
  )

  it.effect(
    "free what a payment has spent whose change was refused, and which nodes do not have either",
    () =>
      Effect.gen(function* () {
        const { account, chain } = yield* funded("bitcoin-mainnet", [100_000n])
        yield* account.send({ to: receiver.bitcoin, amount: 20_000n })
        const second = yield* account.prepare({ to: receiver.bitcoin, amount: 10_000n })
        chain.evict()
        // the second, the first for whose change it is, and the second again
        chain.insist("refused")
        expect(yield* later(Effect.flip(account.submit(second)))).toMatchObject({
          _tag: "RpcError",
          code: -26
        })
        chain.insist(undefined)
        // more than the change of the first
        const { prepared } = yield* account.send({ to: receiver.bitcoin, amount: 85_000n })
        expect(prepared.transaction.inputs).toMatchObject([{ amount: 100_000n }])
      })
  )

  it.effect("tell nodes of change once more only where they have refused what spends it", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      let sent: Array<string> | undefined
      const account = yield* make(
        client("bitcoin-mainnet", {
          ...chain.rpc,
          sendRawTransaction: (raw) =>
            Effect.suspend(() => {
              if (sent === undefined) return chain.rpc.sendRawTransaction(raw)
              sent.push(raw)
              return Effect.fail(lost())
            })
        }),
        { mnemonic: words, utxos: () => chain.listed(script) }
      )
      const pay = { to: receiver.bitcoin, amount: 20_000n }
      yield* account.send(pay)
      sent = []
      expect(yield* later(Effect.flip(account.send(pay)))).toMatchObject({ _tag: "BroadcastUnclear" })
      expect(sent).toHaveLength(5)
      expect(new Set(sent).size).toBe(1)
    })
  )

  it.effect("believe a node that has taken a payment where nobody can be asked about it", () =>
    Effect.gen(function* () {
      const { chain, script } = yield* funded("bitcoin-mainnet", [100_000n])
      const account = yield* make(
        client("bitcoin-mainnet", { ...chain.rpc, getRawTransaction: () => Effect.fail(lost()) }),
        { mnemonic: words, utxos: () => chain.listed(script) }
      )
      yield* account.send({ to: receiver.bitcoin, amount: 20_000n })
      expect(chain.sent).toHaveLength(1)
    })
  )

  it("is the same on the Promise surface", async () => {
    const { account, chain, script } = await Effect.runPromise(funded("bitcoin-mainnet", [100_000n]))
    const calls = Object.fromEntries(
      Object.entries(chain.rpc).map(([name, call]) => [
        name,
        async (...args: ReadonlyArray<never>) => {
          const found = await Effect.runPromise(
            Effect.either(
              (call as (...all: ReadonlyArray<never>) => Effect.Effect<unknown, unknown>)(...args)
            )
          )
          return found._tag === "Right"
            ? { status: "SUCCESS", data: found.right }
            : { status: "ERROR", error: { cause: found.left } }
        }
      ])
    )
    const data = {
      getUtxosByAddress: async () => ({
        status: "SUCCESS",
        data: chain.listed(script).map(({ txid, vout }) => ({ txHash: txid, index: vout, value: "0.001" }))
      })
    }
    const made = await signer({ network: "bitcoin-mainnet", rpc: calls, data } as never, { mnemonic: words })
    if (made.status === "ERROR") throw made.error.cause
    expect(made.data.address).toBe(account.address)
    const sent = await made.data.send({ to: receiver.bitcoin, amount: "0.0005", confirmations: 1 })
    expect(sent).toMatchObject({ status: "SUCCESS", data: { hash: chain.sent[0]?.getId() } })
    expect(await made.data.send({ to: receiver.bitcoin, amount: "1" })).toMatchObject({
      status: "ERROR",
      error: { cause: { _tag: "InsufficientFunds" } }
    })
  })
})

describe("sweeps of Bitcoin", () => {
  it("spend all outputs that are worth it, and leave the others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.oneof(
          fc.array(fc.bigInt({ min: 1n, max: 3_000_000n }), { minLength: 1, maxLength: 40 }),
          // none of which pays for a transaction alone
          fc.array(fc.bigInt({ min: 20_000n, max: 40_000n }), { minLength: 1, maxLength: 40 })
        ),
        fc.integer({ min: 1, max: 400 }),
        async (isDoge, amounts, rate) => {
          const network = isDoge ? "doge-mainnet" : "bitcoin-mainnet"
          const type = isDoge ? "p2pkh" : "p2wpkh"
          const per = isDoge ? rate * 1_000 : rate
          const values = amounts.map((amount) => amount * (isDoge ? 1_000n : 1n))
          const place = await Effect.runPromise(funded(network, values, per / 1e5))
          const to = isDoge ? receiver.doge : receiver.bitcoin
          const cost = BigInt(sizeOf(2, type, [25]) - sizeOf(1, type, [25])) * BigInt(per)
          const worth = values.filter((value) => value > cost)
          const sum = worth.reduce((a, b) => a + b, 0n)
          const found = await Effect.runPromise(
            Effect.either(place.account.prepare({ to, amount: "all", maxFee: 10n ** 18n }))
          )
          const fee = BigInt(sizeOf(Math.max(1, worth.length), type, [25]) * per)
          const least = isDoge ? 1_000_000n : 546n
          if (found._tag === "Left") {
            expect(sum - fee).toBeLessThan(least)
            expect(["InsufficientFunds", "DustAmount"]).toContain(found.left._tag)
            return
          }
          const { amount, outgoing, transaction, warnings } = found.right
          expect(found.right).not.toHaveProperty("change")
          expect(transaction.outputs).toEqual([{ address: to, amount }])
          expect(outgoing).toMatchObject([{ amount: Units.format(amount + found.right.fee, 8) }])
          expect(transaction.inputs.reduce((total, each) => total + each.amount, 0n)).toBe(
            amount + found.right.fee
          )
          expect(transaction.inputs).toHaveLength(worth.length)
          expect(amount).toBe(sum - fee)
          const left = values.length - worth.length
          expect(warnings.filter((each) => each.includes("cost more to spend"))).toHaveLength(
            left === 0 ? 0 : 1
          )
          const sent = await Effect.runPromise(place.account.submit(found.right))
          expect(place.chain.sent).toHaveLength(1)
          expect(sent.prepared.amount).toBe(amount)
        }
      ),
      { numRuns: runs(60) }
    )
  })

  it.effect("of more outputs than fit spend the largest, and say what stays", () =>
    Effect.gen(function* () {
      const most = 1_469
      const { account } = yield* funded(
        "bitcoin-mainnet",
        Array.from({ length: most + 2 }, (_, i) => 50_000n + BigInt(i))
      )
      const all = yield* account.prepare({ to: receiver.bitcoin, amount: "all", maxFee: "1" })
      const { inputs } = all.transaction
      expect(sizeOf(inputs.length, "p2wpkh", [25])).toBeLessThanOrEqual(100_000)
      expect(sizeOf(inputs.length + 1, "p2wpkh", [25])).toBeGreaterThan(100_000)
      expect(all.warnings.at(-1)).toMatch(
        /BTC stay in the account: more outputs than one transaction can spend/
      )
    })
  )

  it.effect("of nothing, or of what nodes do not know, are refused", () =>
    Effect.gen(function* () {
      const { account } = yield* funded("bitcoin-mainnet", [])
      expect(yield* Effect.flip(account.prepare({ to: receiver.bitcoin, amount: "all" }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0"
      })
    })
  )
})
