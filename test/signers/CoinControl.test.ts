import { describe, expect, it } from "@effect/vitest"
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import * as Effect from "effect/Effect"
import { type AddressType, type BitcoinPayment, make, scriptOf } from "../../src/signers/Bitcoin.js"
import { makeChain } from "./utxos.js"

const words = `${"abandon ".repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))
const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"

/** The first address of BIP-86's vectors. */
const taproot = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"

const toScript = (address: string) => Buffer.from(scriptOf(address, "bitcoin-mainnet") ?? "", "hex")

const account = (type: AddressType) =>
  Effect.gen(function* () {
    const chain = makeChain(0.00001)
    const purpose = { p2wpkh: 84, p2pkh: 44, p2tr: 86, "p2sh-p2wpkh": 49 }[type]
    const key = root.derive(`m/${purpose}'/0'/0'/0/0`).privateKey ?? new Uint8Array()
    let listings = 0
    const signer = yield* make(
      { network: "bitcoin-mainnet", rpc: chain.rpc },
      {
        privateKey: Buffer.from(key).toString("hex"),
        type,
        utxos: (address) => {
          listings++
          return chain.listed(toScript(address))
        }
      }
    )
    const script = toScript(signer.address)
    return { signer, chain, script, listings: () => listings }
  })

const refused = (signer: Effect.Effect.Success<ReturnType<typeof account>>["signer"], payment: object) =>
  Effect.flip(signer.prepare({ to, amount: 5_000n, ...payment } as BitcoinPayment))

describe("payments that name the outputs that they spend", () => {
  it.effect("spend all of them and no others, and look for none", () =>
    Effect.gen(function* () {
      for (const type of ["p2wpkh", "p2pkh", "p2tr"] as const) {
        const { chain, listings, script, signer } = yield* account(type)
        const [one, two] = [chain.fund(script, 40_000n), chain.fund(script, 30_000n)]
        chain.fund(script, 1_000_000n)
        const utxos = [one, { txid: two.txid.toUpperCase(), vout: two.vout }]
        const prepared = yield* signer.prepare({ to, amount: 5_000n, utxos })
        expect(prepared.transaction.inputs.map(({ txid, amount }) => ({ txid, amount }))).toEqual([
          { txid: one.txid, amount: 40_000n },
          { txid: two.txid, amount: 30_000n }
        ])
        expect(70_000n).toBe(prepared.amount + prepared.fee + (prepared.change ?? 0n))
        yield* signer.submit(prepared)
        expect(chain.sent[0]?.ins).toHaveLength(2)
        expect(listings()).toBe(0)
      }
    })
  )

  it.effect("sweep just them", () =>
    Effect.gen(function* () {
      const { chain, script, signer } = yield* account("p2tr")
      const utxos = [chain.fund(script, 40_000n), chain.fund(script, 30_000n)]
      chain.fund(script, 1_000_000n)
      const { prepared } = yield* signer.send({ to, amount: "all", utxos })
      expect(prepared.amount + prepared.fee).toBe(70_000n)
      expect(prepared).not.toHaveProperty("change")
      expect(chain.sent[0]?.outs).toHaveLength(1)
    })
  )

  it.effect("spend the change of this signer, and what no block has, with a warning", () =>
    Effect.gen(function* () {
      for (const type of ["p2wpkh", "p2pkh"] as const) {
        const { chain, script, signer } = yield* account(type)
        chain.fund(script, 100_000n)
        const { hash, prepared } = yield* signer.send({ to, amount: 10_000n })
        const own = yield* signer.prepare({ to, amount: 5_000n, utxos: [{ txid: hash, vout: 1 }] })
        expect(own.transaction.inputs).toMatchObject([{ txid: hash, amount: prepared.change }])
        expect(own.warnings).toEqual([])
        const waiting = chain.fund(script, 50_000n, { confirmations: 0 })
        const received = yield* signer.prepare({ to, amount: 5_000n, utxos: [waiting] })
        expect(received.warnings).toEqual([
          `No block has the output ${waiting.txid}:1 yet: if it never comes, this payment does not either.`
        ])
        yield* signer.submit(received)
        expect(chain.sent).toHaveLength(2)
      }
    })
  )

  it.effect("are the only ones that spend what no block has: a list may have it", () =>
    Effect.gen(function* () {
      const chain = makeChain(0.00001)
      const script = toScript(taproot)
      const waiting = chain.fund(script, 50_000n, { confirmations: 0 })
      const signer = yield* make(
        { network: "bitcoin-mainnet", rpc: chain.rpc },
        { mnemonic: words, type: "p2tr", utxos: () => [waiting] }
      )
      expect(signer.address).toBe(taproot)
      expect(yield* refused(signer, {})).toMatchObject({ _tag: "InsufficientFunds", available: "0" })
      yield* signer.prepare({ to, amount: 5_000n, utxos: [waiting] })
    })
  )

  it.effect("are refused by the name of an output that cannot be spent", () =>
    Effect.gen(function* () {
      const { chain, script, signer } = yield* account("p2wpkh")
      const good = chain.fund(script, 40_000n)
      const spent = chain.fund(script, 40_000n)
      chain.steal(spent)
      const young = chain.fund(script, 40_000n, { coinbase: true, confirmations: 99 })
      const foreign = chain.fund(toScript(to), 40_000n)
      const unknown = { txid: "ab".repeat(32), vout: 0 }
      const nameOf = ({ txid, vout }: { txid: string; vout: number }) => `the output ${txid}:${vout}`
      for (const [each, problem] of [
        [spent, "is spent, or no node has it"],
        [unknown, "is spent, or no node has it"],
        [young, "is of a new block, and has to wait for 100 confirmations"],
        [foreign, "is one of another address"]
      ] as const)
        expect(yield* refused(signer, { utxos: [good, each] })).toMatchObject({
          _tag: "InvalidArgument",
          call: "prepare",
          reason: `${nameOf(each)} ${problem}`
        })
      const { hash } = yield* signer.send({ to, amount: 5_000n, utxos: [good] })
      expect(yield* refused(signer, { utxos: [good] })).toMatchObject({
        reason: `${nameOf(good)} is spent by ${hash} of this signer`
      })
    })
  )

  it.effect("are refused where their outputs are not enough, whatever else the account has", () =>
    Effect.gen(function* () {
      const { chain, script, signer } = yield* account("p2wpkh")
      chain.fund(script, 1_000_000n)
      const utxos = [chain.fund(script, 5_000n)]
      expect(yield* refused(signer, { utxos })).toMatchObject({
        _tag: "InsufficientFunds",
        available: "0.00005"
      })
      expect(yield* refused(signer, { utxos: [chain.fund(script, 300n)], amount: "all" })).toMatchObject({
        _tag: "DustAmount"
      })
    })
  )

  it.effect("are refused where their list is none", () =>
    Effect.gen(function* () {
      const { signer } = yield* account("p2wpkh")
      const coin = { txid: "ab".repeat(32), vout: 0 }
      const form = "utxos is a list of { txid, vout }, with at least one"
      for (const [payment, reason] of [
        [{ utxos: [] }, form],
        [{ utxos: coin }, form],
        [{ utxos: [null] }, form],
        [{ utxos: [{ txid: "ab", vout: 0 }] }, form],
        [{ utxos: [{ ...coin, vout: -1 }] }, form],
        [{ utxos: [{ ...coin, vout: "0" }] }, form],
        [
          { utxos: [coin, { ...coin, txid: coin.txid.toUpperCase() }] },
          `utxos has the output ${coin.txid}:0 twice`
        ],
        [{ utxos: [coin], without: [coin] }, `the output ${coin.txid}:0 is in utxos and in without`],
        [{ replaceable: "no" }, "replaceable must be true or false"]
      ] as const)
        expect(yield* refused(signer, payment)).toMatchObject({ _tag: "InvalidArgument", reason })
    })
  )
})
