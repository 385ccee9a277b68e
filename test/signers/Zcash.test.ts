import { describe, expect, it } from "@effect/vitest"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { blake2b } from "@noble/hashes/blake2.js"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as Effect from "effect/Effect"
import {
  addressOf,
  addressProblem,
  type BitcoinFrom,
  type BitcoinPayment,
  hdSigner,
  leastAmount,
  make,
  scriptOf,
  type Utxo
} from "../../src/signers/Bitcoin.js"
import { encodeBase58Check } from "../../src/signers/base58Check.js"
import { computeDigest, computeTxid, type TransactionParts } from "../../src/signers/bitcoin/zcash.js"
import { makeChain } from "./utxos.js"
import { vector } from "./zcashVectors.js"

const words = `${"abandon ".repeat(11)}about`
const network = "zcash-mainnet"
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))
const keyAt = (path: string) => root.derive(path).publicKey ?? new Uint8Array()
const addressBy = (path: string, version: ReadonlyArray<number> = [0x1c, 0xb8]): string =>
  encodeBase58Check(Uint8Array.of(...version, ...ripemd160(sha256(keyAt(path)))))

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** Reads the fields of a transaction of version 5, one after another. */
const read = (raw: string) => {
  const bytes = Buffer.from(raw, "hex")
  let at = 0
  const take = (length: number): Uint8Array => {
    at += length
    return Uint8Array.from(bytes.subarray(at - length, at))
  }
  const number = (length: number): number => Buffer.from(take(length)).readUIntLE(0, length)
  const count = (): number => {
    const first = number(1)
    return first < 0xfd ? first : number(first === 0xfd ? 2 : 4)
  }
  const list = <A>(one: () => A): ReadonlyArray<A> => Array.from({ length: count() }, one)
  const header = {
    version: number(4),
    group: number(4),
    branchId: number(4),
    lockTime: number(4),
    expiryHeight: number(4)
  }
  const inputs = list(() => ({ txid: take(32), vout: number(4), script: take(count()), sequence: number(4) }))
  const outputs = list(() => ({
    amount: BigInt(number(6)) + (BigInt(number(2)) << 48n),
    script: take(count())
  }))
  return { header, inputs, outputs, count, take, rest: () => bytes.length - at }
}

const hashOf = (personalization: string, ...parts: ReadonlyArray<Uint8Array>): Uint8Array =>
  blake2b(Uint8Array.from(parts.flatMap((part) => [...part])), {
    dkLen: 32,
    personalization: new TextEncoder().encode(personalization)
  })

describe("transactions of Zcash", () => {
  it("have the id and the hash to sign of ZIP-244's vector", () => {
    const { count, header, inputs, outputs, take } = read(vector.raw)
    expect(header).toMatchObject({ version: 0x80000005, group: 0x26a7270a, branchId: 0xc2d6d0b4 })
    expect([count(), count(), count()]).toEqual([0, 0, 1])
    // the action of Orchard: value, nullifier, key, commitment, ephemeral key, and both texts
    const [cv, nullifier, rk, cmx, ephemeral, text, out] = [32, 32, 32, 32, 32, 580, 80].map(take)
    const all = [cv, nullifier, rk, cmx, ephemeral, text, out].map((each) => each ?? new Uint8Array())
    const part = (at: number) => all[at] ?? new Uint8Array()
    const orchard = hashOf(
      "ZTxIdOrchardHash",
      hashOf("ZTxIdOrcActCHash", part(1), part(3), part(4), part(5).subarray(0, 52)),
      hashOf("ZTxIdOrcActMHash", part(5).subarray(52, 564)),
      hashOf("ZTxIdOrcActNHash", part(0), part(2), part(5).subarray(564), part(6)),
      // flags, balance and anchor
      take(1 + 8 + 32)
    )
    const parts: TransactionParts = {
      branchId: header.branchId,
      lockTime: header.lockTime,
      expiryHeight: header.expiryHeight,
      orchard,
      inputs: inputs.map((input, at) => ({
        ...input,
        amount: vector.amounts[at] ?? 0n,
        script: Uint8Array.from(Buffer.from(vector.scripts[at] ?? "", "hex"))
      })),
      outputs
    }
    expect(hex(computeTxid(parts))).toBe(vector.txid)
    expect(hex(computeDigest(parts, 0))).toBe(vector.digest)
    expect(hex(computeDigest(parts, 1))).not.toBe(vector.digest)
  })
})

const script = (address: string) => Buffer.from(scriptOf(address, network) ?? "", "hex")
const to = addressBy("m/44'/133'/5'/0/0")

/** An account over nodes that say which rules the next block follows. */
const account = (options: object = {}, nextblock: unknown = "37a5165b") =>
  Effect.gen(function* () {
    const chain = makeChain()
    const sent: Array<string> = []
    const rpc = {
      ...chain.rpc,
      getBlockChainInfo: () =>
        Effect.succeed({ blocks: 3_500_000, consensus: { nextblock } } as { blocks: number }),
      // nodes of Zcash are asked for none of these
      estimateSmartFee: () => Effect.die("there is no estimate"),
      getMempoolInfo: () => Effect.die("there is no need of it"),
      getRawTransaction: () => Effect.succeed("00"),
      sendRawTransaction: (raw: string) =>
        Effect.sync(() => {
          sent.push(raw)
          return "00"
        })
    }
    const signer = yield* make({ network, rpc }, {
      mnemonic: words,
      utxos: (address: string): ReadonlyArray<Utxo> => chain.listed(script(address)),
      ...options
    } as BitcoinFrom)
    return { chain, sent, signer, rpc }
  })

describe("accounts of Zcash", () => {
  it.effect("have transparent addresses at the paths of its coin", () =>
    Effect.gen(function* () {
      const { signer } = yield* account()
      expect(signer.address).toBe(addressBy("m/44'/133'/0'/0/0"))
      expect(signer.address).toMatch(/^t1/)
      const test = yield* make(
        { network: "zcash-testnet", rpc: makeChain().rpc },
        { mnemonic: words, utxos: () => [] }
      )
      expect(test.address).toBe(addressBy("m/44'/1'/0'/0/0", [0x1d, 0x25]))
      expect(test.address).toMatch(/^tm/)
      expect(addressProblem(test.address, network)).toBe("is one of zcash-testnet")
      expect(addressProblem(signer.address, "bitcoin-mainnet")).toBe("is one of zcash-mainnet")
      const shared = encodeBase58Check(Uint8Array.of(0x1c, 0xbd, ...new Uint8Array(20).fill(7)))
      expect(shared).toMatch(/^t3/)
      expect(scriptOf(shared, network)).toBe(`a914${"07".repeat(20)}87`)
      expect(addressOf(`a914${"07".repeat(20)}87`, network)).toBe(shared)
      expect(leastAmount(to, network)).toBe(54n)
      for (const shielded of ["u1abc", "zs1abc", "tex1abc"])
        expect(addressProblem(shielded, network)).toContain("only transparent ones are paid")
      // a byte more or less before the hash is no other address
      expect(
        addressProblem(encodeBase58Check(Uint8Array.of(0x1c, ...new Uint8Array(20))), network)
      ).toBeDefined()
      expect(
        addressProblem(encodeBase58Check(Uint8Array.of(0, 0x1c, 0xb8, ...new Uint8Array(20))), network)
      ).toBeDefined()
    })
  )

  it.effect("pay in transactions that each input's key has signed, for the rules of the next block", () =>
    Effect.gen(function* () {
      for (const [branch, amounts, fee] of [
        ["c2d6d0b4", [100_000n], 10_000n],
        ["5437f330", [60_000n, 50_000n], 10_000n],
        ["37A5165B", [30_000n, 30_000n, 30_000n, 30_000n], 20_000n]
      ] as const) {
        const { chain, sent, signer } = yield* account({}, branch)
        for (const amount of amounts) chain.fund(script(signer.address), amount)
        const amount = amounts.reduce((sum: bigint, each) => sum + each, 0n) - 33_000n
        const prepared = yield* signer.prepare({ to, amount })
        expect(prepared).toMatchObject({ fee, change: 33_000n - fee })
        expect(prepared.transaction.zcash).toEqual({
          branchId: branch.toLowerCase(),
          expiryHeight: 3_500_040
        })
        const { hash } = yield* signer.submit(prepared)
        const tx = read(sent[0] ?? "")
        expect(tx.header).toEqual({
          version: 0x80000005,
          group: 0x26a7270a,
          branchId: Number.parseInt(branch, 16),
          lockTime: 0,
          expiryHeight: 3_500_040
        })
        expect([tx.count(), tx.count(), tx.count(), tx.rest()]).toEqual([0, 0, 0, 0])
        expect(tx.outputs).toEqual([
          { amount, script: Uint8Array.from(script(to)) },
          { amount: 33_000n - fee, script: Uint8Array.from(script(signer.address)) }
        ])
        const parts: TransactionParts = {
          ...tx.header,
          outputs: tx.outputs,
          inputs: tx.inputs.map((input, at) => ({
            ...input,
            amount: prepared.transaction.inputs[at]?.amount ?? 0n,
            script: Uint8Array.from(script(signer.address))
          }))
        }
        expect(hex(computeTxid(parts).reverse())).toBe(hash)
        const publicKey = keyAt("m/44'/133'/0'/0/0")
        for (const [at, input] of tx.inputs.entries()) {
          const length = input.script[0] ?? 0
          expect(input.script[length]).toBe(1)
          expect(hex(input.script.subarray(length + 2))).toBe(hex(publicKey))
          const signature = input.script.subarray(1, length)
          expect(
            secp256k1.verify(signature, computeDigest(parts, at), publicKey, {
              prehash: false,
              format: "der",
              lowS: true
            })
          ).toBe(true)
        }
      }
    })
  )

  it.effect("sweep for the fee of their inputs", () =>
    Effect.gen(function* () {
      const { chain, signer } = yield* account()
      for (const amount of [40_000n, 40_000n, 40_000n]) chain.fund(script(signer.address), amount)
      expect(yield* signer.prepare({ to, amount: "all" })).toMatchObject({ amount: 105_000n, fee: 15_000n })
      expect(yield* Effect.flip(signer.prepare({ to, amount: 1_000n, maxFee: 9_999n }))).toMatchObject({
        _tag: "FeeOverCap"
      })
      expect(yield* Effect.flip(signer.prepare({ to, amount: 53n }))).toMatchObject({ _tag: "DustAmount" })
    })
  )

  it.effect("sign nothing for rules that are not known here, or that nodes do not say", () =>
    Effect.gen(function* () {
      for (const [said, reason] of [
        ["77190ad9", "the next block follows rules that are not known here (77190ad9)"],
        ["e9ff75a6", "not known here (e9ff75a6)"],
        [null, "it does not say the rules of the next block"],
        ["5437f33", "it does not say the rules of the next block"]
      ] as const) {
        const { chain, signer } = yield* account({}, said)
        chain.fund(script(signer.address), 100_000n)
        expect(yield* Effect.flip(signer.prepare({ to, amount: 1_000n }))).toMatchObject({
          reason: expect.stringContaining(reason)
        })
      }
      const { chain, signer } = yield* account()
      chain.fund(script(signer.address), 100_000n)
      const { transaction } = yield* signer.prepare({ to, amount: 1_000n })
      const { zcash: _, ...bare } = transaction
      expect(yield* Effect.flip(signer.sign(bare))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("it does not name rules")
      })
      expect(yield* Effect.flip(signer.sign({ ...transaction, fee: 1n }))).toMatchObject({
        _tag: "SigningFailed",
        reason: expect.stringContaining("its fee would be 10000")
      })
      const bareClient = yield* make({ network, rpc: makeChain().rpc }, { mnemonic: words, utxos: () => [] })
      expect(yield* Effect.flip(bareClient.prepare({ to, amount: 1_000n }))).toMatchObject({
        reason: expect.stringContaining("has no getBlockChainInfo")
      })
    })
  )

  it.effect("have many addresses, too, and neither replacements nor partially signed transactions", () =>
    Effect.gen(function* () {
      const { chain, rpc, sent, signer } = yield* account()
      const paths = ["0/1", "1/0"] as const
      for (const path of paths) chain.fund(script(addressBy(`m/44'/133'/0'/${path}`)), 50_000n)
      const hd = yield* hdSigner(
        { network, rpc },
        {
          mnemonic: words,
          findAddresses: (all) =>
            all.map((address) => ({ address, isUsed: false, utxos: chain.listed(script(address)) }))
        }
      )
      yield* hd.send({ to, amount: 80_000n } satisfies BitcoinPayment)
      const { inputs, outputs } = read(sent[0] ?? "")
      expect(inputs.map((input) => hex(input.script.subarray(-33))).sort()).toEqual(
        paths.map((path) => hex(keyAt(`m/44'/133'/0'/${path}`))).sort()
      )
      expect(hex(outputs[1]?.script ?? new Uint8Array())).toBe(hex(script(addressBy("m/44'/133'/0'/1/1"))))
      const prepared = {
        network,
        from: signer.address,
        to,
        amount: 1n,
        fee: 1n,
        outgoing: [],
        warnings: [],
        transaction: { inputs: [], outputs: [], fee: 1n }
      }
      expect(yield* Effect.flip(signer.exportPsbt(prepared))).toMatchObject({
        reason: "there are no partially signed transactions on zcash-mainnet"
      })
      expect(yield* Effect.flip(signer.signPsbt("cHNidA=="))).toMatchObject({ _tag: "InvalidArgument" })
      expect(yield* Effect.flip(signer.prepareSpeedUp("ab".repeat(32)))).toMatchObject({
        reason: "nodes of zcash-mainnet replace no transactions"
      })
    })
  )
})
