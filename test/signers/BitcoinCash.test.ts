import {
  base58AddressToLockingBytecode,
  decodeTransactionBCH,
  encodeCashAddress,
  hexToBin,
  type TransactionBCH
} from "@bitauth/libauth"
import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { addressProblem, type BitcoinFrom, make } from "../../src/signers/Bitcoin.js"
import { runs } from "../properties.js"
// loaded before the first test, so that what runs then is broken for none of them alone
import "../../src/signers/bitcoin/scure.js"
import { type Coin, coin, hex, makeNode, own, scriptOf, sha256, vm } from "./cash.js"

const words = `${"abandon ".repeat(11)}about`
const receiver = "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"

const key = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/145'/0'/0/0")
const { privateKey, publicKey } = key
if (privateKey === null || publicKey === null) throw new Error("it has a key")

/** An account whose node has these coins. */
const funded = (coins: ReadonlyArray<Coin>, from: unknown = { mnemonic: words }) => {
  const node = makeNode(coins)
  return Effect.map(
    make(node.client, Object.assign({ utxos: node.utxos }, from as BitcoinFrom)),
    (account) => ({
      account,
      node
    })
  )
}

const wif = (version: number): string => {
  const bytes = Buffer.from([version, ...privateKey, 1])
  let value = BigInt(`0x${Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]).toString("hex")}`)
  let text = ""
  for (; value > 0n; value /= 58n)
    text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[Number(value % 58n)] + text
  return text
}

describe("accounts of Bitcoin Cash", () => {
  it.effect("are those of the standard path, of private keys and of who signs", () =>
    Effect.gen(function* () {
      const sign = (digest: Uint8Array) => secp256k1.sign(digest, privateKey, { prehash: false })
      for (const from of [
        { mnemonic: words },
        { mnemonic: words, path: "m/44'/145'/0'/0/0" },
        { privateKey: hex(privateKey) },
        { privateKey: wif(0x80) },
        { publicKey: hex(publicKey), sign },
        { publicKey: hex(publicKey), sign, address: own },
        { publicKey: hex(publicKey), sign, address: own.slice("bitcoincash:".length) }
      ])
        expect((yield* funded([], from)).account.address).toBe(own)
      const testnet = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/1'/0'/0/3")
      const { address } = yield* make(
        { network: "bch-testnet", rpc: makeNode([]).client.rpc },
        { mnemonic: words, index: 3, utxos: () => [] }
      )
      const payload = testnet.identifier ?? new Uint8Array()
      expect(address).toBe(encodeCashAddress({ prefix: "bchtest", type: "p2pkh", payload }).address)
    })
  )

  it.effect("refuse what is not theirs", () =>
    Effect.gen(function* () {
      const sign = () => new Uint8Array(64)
      for (const from of [
        { privateKey: wif(0xef) },
        { privateKey: wif(0x9e) },
        { mnemonic: words, type: "p2wpkh" },
        { mnemonic: words, path: "m/84'/145'/0'/0/0" },
        { publicKey: hex(publicKey), sign, address: receiver }
      ])
        expect(yield* Effect.flip(funded([], from)), JSON.stringify(from)).toMatchObject({
          _tag: "InvalidKey"
        })
    })
  )
})

describe("addresses of Bitcoin Cash", () => {
  // the examples of the CashAddr specification
  const pairs = [
    ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"],
    ["1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR", "bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy"],
    ["16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb", "bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r"],
    ["3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC", "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq"],
    ["3LDsS579y7sruadqu11beEJoTjdFiFCdX4", "bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e"],
    ["31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw", "bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37"]
  ] as const

  it.effect("are paid in every form, and shown in one", () =>
    Effect.gen(function* () {
      const { account, node } = yield* funded([coin(1, 100_000n)])
      for (const [old, address] of pairs) {
        for (const to of [address, address.slice(12), address.toUpperCase(), old]) {
          expect(addressProblem(to, "bitcoin-cash-mainnet")).toBeUndefined()
          const prepared = yield* account.prepare({ to, amount: 10_000n })
          expect(prepared.to).toBe(address)
          expect(prepared.transaction.outputs[0]).toEqual({ address, amount: 10_000n })
          expect(prepared.warnings).toEqual(to === old ? [expect.stringContaining("old form")] : [])
        }
        const script = base58AddressToLockingBytecode(old)
        if (typeof script === "string") throw new Error(script)
        const { raw } = yield* account.sign({
          inputs: [coin(1, 100_000n)],
          outputs: [{ address: old, amount: 99_000n }],
          fee: 1_000n
        })
        const { outputs } = decodeTransactionBCH(hexToBin(raw)) as TransactionBCH
        expect(outputs[0]?.lockingBytecode).toEqual(script.bytecode)
      }
      expect(node.sent).toEqual([])
    })
  )

  it.effect("of every kind pay the script that libauth reads, those that take tokens too", () =>
    Effect.gen(function* () {
      const { account } = yield* funded([coin(1, 100_000n)])
      for (const [type, length] of [
        ["p2pkh", 20],
        ["p2sh", 20],
        ["p2sh", 32],
        ["p2pkhWithTokens", 20],
        ["p2shWithTokens", 20],
        ["p2shWithTokens", 32]
      ] as const) {
        const payload = Uint8Array.from({ length }, (_, i) => i * 7)
        const { address } = encodeCashAddress({ prefix: "bitcoincash", type, payload })
        const transaction = {
          inputs: [coin(1, 100_000n)],
          outputs: [{ address, amount: 99_000n }],
          fee: 1_000n
        }
        const { raw } = yield* account.sign(transaction)
        const { outputs } = decodeTransactionBCH(hexToBin(raw)) as TransactionBCH
        expect(hex(outputs[0]?.lockingBytecode ?? new Uint8Array()), type).toBe(hex(scriptOf(address)))
        const { to } = yield* account.prepare({ to: address, amount: 1_000n })
        expect(to).toBe(address)
      }
      // a key's hash has 20 bytes
      const wrong = encodeCashAddress({
        prefix: "bitcoincash",
        type: "p2pkh",
        payload: new Uint8Array(32)
      }).address
      expect(addressProblem(wrong, "bitcoin-cash-mainnet")).toBeDefined()
    })
  )

  it("tell what is wrong", () => {
    const payload = Uint8Array.from({ length: 20 }, (_, i) => i)
    const named = (prefix: "bchreg" | "bchtest") =>
      encodeCashAddress({ prefix, type: "p2pkh", payload }).address
    const test = named("bchtest")
    for (const [address, network, problem] of [
      [test, "bitcoin-cash-mainnet", "is one of bch-testnet"],
      [test.slice("bchtest:".length), "bitcoin-cash-mainnet", "is one of bch-testnet"],
      [own, "bch-testnet", "is one of bitcoin-cash-mainnet"],
      [own, "bitcoin-mainnet", "is one of bitcoin-cash-mainnet"],
      ["bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bitcoin-cash-mainnet", "is one of bitcoin-mainnet"],
      ["DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "bitcoin-cash-mainnet", "is one of doge-mainnet"],
      [named("bchreg"), "bch-testnet", "is mistyped, or of another chain"],
      [
        "ecash:qqyx49mu0kkn9ftfj6hje6g2wfer34yfnqqdq5rjvk",
        "bitcoin-cash-mainnet",
        "is mistyped, or of another chain"
      ],
      [`bchtest:${own.slice(12)}`, "bch-testnet", "is mistyped, or of another chain"],
      [own.replace("q", "Q"), "bitcoin-cash-mainnet", "is mistyped, or of another chain"],
      [`${own}q`, "bitcoin-cash-mainnet", "is mistyped, or of another chain"],
      ["bitcoincash:", "bitcoin-cash-mainnet", "is mistyped, or of another chain"],
      ["", "bitcoin-cash-mainnet", "is mistyped, or of another chain"]
    ] as const)
      expect(addressProblem(address, network), `${address} ${network}`).toBe(problem)
    for (const at of own.slice(12).split("").keys()) {
      const other = own[at + 12] === "q" ? "p" : "q"
      const typo = own.slice(0, at + 12) + other + own.slice(at + 13)
      expect(addressProblem(typo, "bitcoin-cash-mainnet"), typo).toBe("is mistyped, or of another chain")
    }
  })
})

describe("payments of Bitcoin Cash", () => {
  it.effect("are taken by libauth's machine with the amounts that they say, and with no others", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.bigInt({ min: 600n, max: 3_000_000n }), { minLength: 1, maxLength: 12 }),
          fc.double({ min: 0.01, max: 0.99, noNaN: true }),
          async (amounts, share) => {
            const coins = amounts.map((amount, i) => coin(i, amount))
            const { account, node } = await Effect.runPromise(funded(coins, { privateKey: wif(0x80) }))
            const total = amounts.reduce((a, b) => a + b, 0n)
            const amount = BigInt(Math.floor(Number(total) * share))
            const found = await Effect.runPromise(Effect.either(account.prepare({ to: receiver, amount })))
            if (found._tag === "Left") {
              expect(found.left._tag).toBe(amount < 546n ? "DustAmount" : "InsufficientFunds")
              // the greatest size that it could have
              if (amount >= 546n) expect(total).toBeLessThan(amount + 44n + BigInt(amounts.length) * 149n)
              return
            }
            const { change = 0n, fee, transaction } = found.right
            expect(amount).toBeGreaterThanOrEqual(546n)
            const { raw } = await Effect.runPromise(account.sign(transaction))
            const signed = decodeTransactionBCH(hexToBin(raw)) as TransactionBCH
            const sourceOutputs = [...node.outputsOf(signed)]
            expect(vm.verify({ sourceOutputs, transaction: signed })).toBe(true)
            expect(
              signed.outputs.map(({ lockingBytecode, valueSatoshis }) => [
                hex(lockingBytecode),
                valueSatoshis
              ])
            ).toEqual([
              [hex(scriptOf(receiver)), amount],
              ...(change === 0n ? [] : [[hex(scriptOf(own)), change]])
            ])
            const spent = sourceOutputs.reduce((sum, { valueSatoshis }) => sum + valueSatoshis, 0n)
            expect(spent).toBe(amount + change + fee)
            // one unit for a byte, and no more than a signature of the greatest length would take
            const size = BigInt(raw.length / 2)
            expect(fee).toBeGreaterThanOrEqual(size)
            expect(fee).toBeLessThan(size + BigInt(3 * signed.inputs.length) + 546n + 35n)
            const other = sourceOutputs.map((output, i) =>
              i === 0 ? { ...output, valueSatoshis: output.valueSatoshis + 1n } : output
            )
            expect(vm.verify({ sourceOutputs: other, transaction: signed })).not.toBe(true)
          }
        ),
        { numRuns: runs(100) }
      )
    )
  )

  it.effect("are handed over, by their id", () =>
    Effect.gen(function* () {
      const { account, node } = yield* funded([coin(1, 50_000n), coin(2, 9_000n)])
      const { hash, prepared } = yield* account.send({ to: receiver, amount: "0.0005" })
      expect(prepared.transaction.inputs).toHaveLength(2)
      expect(node.sent).toEqual([hash])
      expect(prepared.warnings).toEqual([])
    })
  )

  it.effect("never spend tokens, whoever lists them", () =>
    Effect.gen(function* () {
      const tokens = { category: "07".repeat(32), amount: "5" }
      const { account, node } = yield* funded([coin(1, 50_000n, tokens), coin(2, 30_000n), coin(3, 5_000n)])
      const { transaction } = yield* account.prepare({ to: receiver, amount: 33_000n })
      expect(transaction.inputs.map(({ amount }) => amount)).toEqual([30_000n, 5_000n])
      expect(yield* Effect.flip(account.send({ to: receiver, amount: 40_000n }))).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0.00035"
      })
      // a node that does not tell: the signature is worth nothing for such an output
      const silent = yield* account.sign({
        inputs: [coin(1, 50_000n)],
        outputs: [{ address: receiver, amount: 49_000n }],
        fee: 1_000n
      })
      const transactionOf = decodeTransactionBCH(hexToBin(silent.raw)) as TransactionBCH
      const sourceOutputs = [...node.outputsOf(transactionOf)]
      expect(vm.verify({ sourceOutputs, transaction: transactionOf })).not.toBe(true)
    })
  )

  it.effect("know the least amount, and refuse what cannot be paid", () =>
    Effect.gen(function* () {
      const { account, node } = yield* funded([coin(1, 50_000n)])
      yield* account.prepare({ to: receiver, amount: 546n })
      for (const [payment, error] of [
        [
          { to: receiver, amount: 545n },
          { _tag: "DustAmount", least: "0.00000546", asset: "BCH" }
        ],
        [{ to: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", amount: 5_000n }, { _tag: "InvalidAddress" }],
        [{ to: receiver, amount: 5_000n, token: "07".repeat(32) }, { _tag: "InvalidArgument" }],
        [{ to: receiver, amount: 5_000n, maxFee: 100n }, { _tag: "FeeOverCap" }],
        [{ to: receiver, amount: "1" }, { _tag: "InsufficientFunds" }]
      ] as const)
        expect(yield* Effect.flip(account.prepare(payment))).toMatchObject(error)
      expect(node.sent).toEqual([])
    })
  )

  it.effect("sign messages as Bitcoin does", () =>
    Effect.gen(function* () {
      const sign = (digest: Uint8Array) => secp256k1.sign(digest, privateKey, { prehash: false })
      const digest = sha256(sha256(Buffer.from("\u0018Bitcoin Signed Message:\n\u0005hello")))
      for (const from of [{ mnemonic: words }, { publicKey: hex(publicKey), sign, address: own }]) {
        const { account } = yield* funded([], from)
        const bytes = Buffer.from(yield* account.signMessage("hello"), "base64")
        const signature = Uint8Array.from([(bytes[0] ?? 0) - 31, ...bytes.subarray(1)])
        expect(hex(secp256k1.recoverPublicKey(signature, digest, { prehash: false }))).toBe(account.publicKey)
      }
    })
  )
})
