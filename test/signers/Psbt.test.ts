import { describe, expect, it } from "@effect/vitest"
import { address as addresses, initEccLib, Psbt, payments } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as ecc from "tiny-secp256k1"
import {
  type AddressType,
  type BitcoinSigner,
  type DataApiUtxo,
  make,
  scriptOf,
  type Utxo
} from "../../src/signers/Bitcoin.js"
import * as Policy from "../../src/signers/policy.js"
import { makeChain } from "./utxos.js"

initEccLib(ecc)

const network = "bitcoin-mainnet"
const to = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const types: ReadonlyArray<AddressType> = ["p2wpkh", "p2pkh", "p2tr"]

const toScript = (address: string) => Buffer.from(scriptOf(address, network) ?? "", "hex")

const account = (type: AddressType, more: object = {}) =>
  Effect.gen(function* () {
    const chain = makeChain(0.00001)
    const signer = yield* make(
      { network, rpc: chain.rpc },
      {
        privateKey: "22".repeat(32),
        type,
        utxos: (address): ReadonlyArray<Utxo | DataApiUtxo> => chain.listed(toScript(address)),
        ...more
      }
    )
    return { signer, chain, script: toScript(signer.address) }
  })

/** A key of somebody else, which bitcoinjs-lib signs with. */
const other = {
  publicKey: Buffer.from(ecc.pointFromScalar(Buffer.alloc(32, 7)) ?? []),
  sign: (hash: Uint8Array) => Buffer.from(ecc.sign(hash, Buffer.alloc(32, 7)))
}
const otherScript = payments.p2wpkh({ pubkey: other.publicKey }).output ?? new Uint8Array()

const refused = (signer: BitcoinSigner, psbt: string | Uint8Array, options = {}) =>
  Effect.flip(signer.signPsbt(psbt, options))

describe("previews as partially signed transactions", () => {
  it.effect(
    "are read by bitcoinjs-lib as what the preview shows, and are signed to the same transaction",
    () =>
      Effect.gen(function* () {
        for (const type of types) {
          const { chain, script, signer } = yield* account(type)
          chain.fund(script, 60_000n)
          chain.fund(script, 50_000n)
          const prepared = yield* signer.prepare({ to, amount: 80_000n })
          const exported = yield* signer.exportPsbt(prepared)
          const psbt = Psbt.fromBase64(exported)
          expect(psbt.txOutputs.map(({ address, value }) => ({ address, amount: value }))).toEqual(
            prepared.transaction.outputs
          )
          expect(psbt.txInputs.map(({ hash, index, sequence }) => [hash, index, sequence])).toEqual(
            prepared.transaction.inputs.map(({ txid, vout }) => [
              Uint8Array.from(Buffer.from(txid, "hex").reverse()),
              vout,
              0xfffffffd
            ])
          )
          for (const version of [0, 2] as const) {
            const given = yield* signer.exportPsbt(prepared, { version })
            expect(yield* signer.inspectPsbt(given)).toEqual({
              version,
              inputs: prepared.transaction.inputs.map(({ amount, txid, vout }) => ({
                txid,
                vout,
                amount,
                address: signer.address,
                isOwn: true,
                isSigned: false
              })),
              outputs: prepared.transaction.outputs.map(({ address, amount }) => ({
                address,
                amount,
                isOwn: address === signer.address
              })),
              fee: prepared.fee,
              balanceChange: -(prepared.amount + prepared.fee),
              outgoing: prepared.outgoing,
              warnings: []
            })
            const { psbt: signed, transaction } = yield* signer.signPsbt(given)
            const { hash } = yield* signer.sign(prepared.transaction)
            expect(transaction?.hash).toBe(hash)
            expect((yield* signer.inspectPsbt(signed)).inputs.every(({ isSigned }) => isSigned)).toBe(true)
            if (version === 0) {
              // the peer checks every signature and finishes it
              const peer = Psbt.fromBase64(signed)
              const isValid = (key: Uint8Array, digest: Uint8Array, signature: Uint8Array) =>
                signature.length === 64 && key.length === 32
                  ? ecc.verifySchnorr(digest, key, signature)
                  : ecc.verify(digest, key, signature)
              expect(peer.validateSignaturesOfAllInputs(isValid)).toBe(true)
              expect(peer.finalizeAllInputs().extractTransaction().toHex()).toBe(transaction?.raw)
            }
          }
          const { transaction } = yield* signer.signPsbt(exported)
          yield* chain.rpc.sendRawTransaction(transaction?.raw ?? "")
          expect(chain.sent).toHaveLength(1)
        }
      })
  )

  it.effect("say where keys come from, for devices: the root's fingerprint and the path", () =>
    Effect.gen(function* () {
      const mnemonic = `${"abandon ".repeat(11)}about`
      for (const [type, purpose] of [
        ["p2wpkh", 84],
        ["p2tr", 86]
      ] as const) {
        const { chain, script, signer } = yield* account(type, { privateKey: undefined, mnemonic, index: 5 })
        chain.fund(script, 60_000n)
        const exported = yield* signer.exportPsbt(yield* signer.prepare({ to, amount: 10_000n }))
        const { inputs, outputs } = Psbt.fromBase64(exported).data
        const origins = [inputs[0], outputs[1]].flatMap((each) =>
          type === "p2tr" ? each?.tapBip32Derivation : each?.bip32Derivation
        )
        expect(outputs[0]).toEqual({})
        // the fingerprint of these words is known to everybody
        for (const origin of origins)
          expect(origin).toMatchObject({
            masterFingerprint: Uint8Array.from([0x73, 0xc5, 0xda, 0x0a]),
            path: `m/${purpose}'/0'/0'/0/5`
          })
        expect(origins).toHaveLength(2)
      }
    })
  )

  it.effect("of another account, version or chain are refused", () =>
    Effect.gen(function* () {
      const { chain, script, signer } = yield* account("p2wpkh")
      chain.fund(script, 60_000n)
      const prepared = yield* signer.prepare({ to, amount: 10_000n })
      const { signer: elsewhere } = yield* account("p2tr")
      expect(yield* Effect.flip(elsewhere.exportPsbt(prepared))).toMatchObject({ _tag: "InvalidArgument" })
      expect(yield* Effect.flip(signer.exportPsbt(prepared, { version: 1 as 2 }))).toMatchObject({
        reason: "version must be 0 (BIP-174) or 2 (BIP-370)"
      })
      const cash = yield* make(
        { network: "bitcoin-cash-mainnet", rpc: chain.rpc },
        { privateKey: "22".repeat(32), utxos: () => [] }
      )
      expect(yield* Effect.flip(cash.inspectPsbt("cHNidP8="))).toMatchObject({
        reason: "there are no partially signed transactions on bitcoin-cash-mainnet"
      })
    })
  )
})

/** A transaction of two people, made by bitcoinjs-lib: each has an input, and the account gets its change. */
const joined = (amounts: { readonly own: bigint; readonly said?: bigint; readonly sighashType?: number }) =>
  Effect.gen(function* () {
    const { chain, script, signer } = yield* account("p2wpkh")
    const [mine, theirs] = [chain.fund(script, amounts.own), chain.fund(otherScript, 90_000n)]
    const psbt = new Psbt()
    const { said = amounts.own, sighashType } = amounts
    psbt.addInput({
      hash: mine.txid,
      index: mine.vout,
      witnessUtxo: { script, value: said },
      ...(sighashType === undefined ? {} : { sighashType })
    })
    psbt.addInput({
      hash: theirs.txid,
      index: theirs.vout,
      witnessUtxo: { script: otherScript, value: 90_000n }
    })
    psbt.addOutput({ address: to, value: 120_000n })
    psbt.addOutput({ address: signer.address, value: 27_000n })
    return { chain, mine, psbt, signer }
  })

describe("partially signed transactions of others", () => {
  it.effect("show what leaves the account, and get just its signature", () =>
    Effect.gen(function* () {
      const { chain, psbt, signer } = yield* joined({ own: 60_000n })
      const given = psbt.toBase64()
      const shown = yield* signer.inspectPsbt(given)
      expect(shown).toMatchObject({
        fee: 3_000n,
        balanceChange: -33_000n,
        outgoing: [{ asset: "BTC", amount: "0.00033" }],
        inputs: [
          { isOwn: true },
          { isOwn: false, amount: 90_000n, address: addresses.fromOutputScript(otherScript) }
        ],
        outputs: [{ address: to, isOwn: false }, { isOwn: true }],
        warnings: [
          "1 of its 2 inputs are of others.",
          "Nothing proves the amounts of 1 inputs of others: the fee may be higher."
        ]
      })
      expect(yield* signer.inspectPsbt(Buffer.from(given, "base64"))).toEqual(shown)
      const half = yield* signer.signPsbt(given)
      expect(half).not.toHaveProperty("transaction")
      const peer = Psbt.fromBase64(half.psbt)
      expect(peer.data.inputs.map(({ partialSig }) => partialSig?.length)).toEqual([1, undefined])
      const whole = peer.signInput(1, other).finalizeAllInputs().extractTransaction()
      // the other way round it is whole after the account has signed
      const { transaction } = yield* signer.signPsbt(psbt.signInput(1, other).toBase64())
      expect(transaction).toEqual({ hash: whole.getId(), raw: whole.toHex() })
      yield* chain.rpc.sendRawTransaction(whole.toHex())
      expect(chain.sent).toHaveLength(1)
      expect(yield* refused(signer, half.psbt)).toMatchObject({
        _tag: "InvalidArgument",
        reason: `${signer.address} has no input there that is not signed`
      })
    })
  )

  it.effect("are refused where they lie about an amount of the account's", () =>
    Effect.gen(function* () {
      const { mine, psbt, signer } = yield* joined({ own: 80_000n, said: 60_000n })
      expect(yield* refused(signer, psbt.toBase64())).toMatchObject({
        _tag: "InvalidArgument",
        call: "signPsbt",
        reason: expect.stringMatching(
          new RegExp(`^${mine.txid}:1 has 0.0008 BTC of .*, and the transaction says 0.0006$`)
        )
      })
      // the whole transaction of the output is another one than the input names
      const { chain, mine: coin, psbt: twice, signer: same } = yield* joined({ own: 60_000n })
      const whole = Buffer.from(String(yield* chain.rpc.getRawTransaction(coin.txid)), "hex")
      whole.writeBigUInt64LE(59_000n, whole.indexOf(toScript(same.address)) - 9)
      twice.data.inputs[0] = { nonWitnessUtxo: whole }
      expect(yield* refused(same, twice.toBase64())).toMatchObject({
        _tag: "InvalidArgument",
        reason: expect.stringMatching(/^the partially signed transaction is invalid: /)
      })
    })
  )

  it.effect("are refused where nobody proves an amount", () =>
    Effect.gen(function* () {
      const { chain, mine, psbt, signer } = yield* joined({ own: 60_000n })
      chain.steal(mine)
      expect(yield* refused(signer, psbt.toBase64())).toMatchObject({
        reason: expect.stringContaining(`nothing proves the amount of ${mine.txid}:1`)
      })
      const bare = new Psbt()
        .addInput({ hash: mine.txid, index: 1 })
        .addOutput({ address: to, value: 1_000n })
      expect(yield* refused(signer, bare.toBase64())).toMatchObject({
        reason:
          "the partially signed transaction is invalid: its input 0 does not have the output that it spends"
      })
    })
  )

  it.effect("are refused where others could change the rest, and shown with a warning", () =>
    Effect.gen(function* () {
      for (const sighashType of [0x81, 2, 3]) {
        const { psbt, signer } = yield* joined({ own: 60_000n, sighashType })
        expect((yield* signer.inspectPsbt(psbt.toBase64())).warnings).toContain(
          `The input 0 is to be signed with the type ${sighashType}: others could change the rest.`
        )
        expect(yield* refused(signer, psbt.toBase64())).toMatchObject({
          reason: expect.stringContaining(`is to be signed with the type ${sighashType}`)
        })
      }
      const { psbt, signer } = yield* joined({ own: 60_000n, sighashType: 1 })
      yield* signer.signPsbt(psbt.toBase64())
    })
  )

  it.effect("cost no more than their cap, and pay no more than they spend", () =>
    Effect.gen(function* () {
      const { psbt, signer } = yield* joined({ own: 60_000n })
      expect(yield* refused(signer, psbt.toBase64(), { maxFee: 2_999n })).toMatchObject({
        _tag: "FeeOverCap"
      })
      yield* signer.signPsbt(psbt.toBase64(), { maxFee: 3_000n })
      const { psbt: rich, signer: careless } = yield* joined({ own: 10_000_000n })
      expect(yield* refused(careless, rich.toBase64())).toMatchObject({ _tag: "FeeOverCap" })
      const { psbt: much, signer: poor } = yield* joined({ own: 10_000n })
      expect(yield* refused(poor, much.toBase64())).toMatchObject({
        reason: "the partially signed transaction is invalid: it pays more than it spends"
      })
    })
  )

  it.effect("are signed on Taproot with the type that they ask for (BIP-371)", () =>
    Effect.gen(function* () {
      const { chain, script, signer } = yield* account("p2tr")
      const coin = chain.fund(script, 60_000n)
      const psbt = new Psbt()
        .addInput({
          hash: coin.txid,
          index: coin.vout,
          witnessUtxo: { script, value: 60_000n },
          tapInternalKey: Buffer.from(signer.publicKey, "hex").subarray(1),
          sighashType: 1
        })
        .addOutput({ address: to, value: 59_000n })
      const { psbt: signed } = yield* signer.signPsbt(psbt.toBase64())
      const peer = Psbt.fromBase64(signed)
      expect(peer.data.inputs[0]?.tapKeySig).toHaveLength(65)
      expect(
        peer.validateSignaturesOfAllInputs((key, digest, signature) =>
          ecc.verifySchnorr(digest, key, signature)
        )
      ).toBe(true)
    })
  )

  it.effect("are what policies are asked about: as a payment where the account alone pays", () =>
    Effect.gen(function* () {
      const asked: Array<Policy.PolicyRequest> = []
      const policy = yield* Policy.make({
        limits: [{ network, amount: "0.0005" }],
        confirmation: {
          ask: (request) => {
            asked.push(request)
            return true
          }
        }
      })
      const { chain, script, signer } = yield* account("p2wpkh", { policy })
      chain.fund(script, 200_000n)
      for (const [amount, isAllowed] of [
        [10_000n, true],
        [100_000n, false]
      ] as const) {
        const prepared = yield* signer.prepare({ to, amount })
        const signing = signer.signPsbt(yield* signer.exportPsbt(prepared))
        if (isAllowed) yield* signing
        else expect(yield* Effect.flip(signing)).toMatchObject({ _tag: "PolicyDenied", rule: "limit" })
      }
      expect(asked).toMatchObject([{ kind: "payment", prepared: { to, amount: 10_000n } }])
      // where others pay too, no preview has it all
      const theirs = chain.fund(otherScript, 90_000n)
      const mine = chain.fund(script, 20_000n)
      const psbt = new Psbt()
        .addInput({ hash: mine.txid, index: 1, witnessUtxo: { script, value: 20_000n } })
        .addInput({ hash: theirs.txid, index: 1, witnessUtxo: { script: otherScript, value: 90_000n } })
        .addOutput({ address: to, value: 10_000n })
        .addOutput({ address: signer.address, value: 98_000n })
      expect(yield* refused(signer, psbt.toBase64())).toMatchObject({ _tag: "PolicyDenied", rule: "signing" })
    })
  )

  it.effect("are none in these vectors of BIP-174", () =>
    Effect.gen(function* () {
      const { signer } = yield* account("p2wpkh")
      for (const invalid of [
        // a transaction of the network
        "AgAAAAEmgXE3Ht/yhek3re6ks3t4AAwFZsuzrWRkFxPKQhcb9gAAAABqRzBEAiBwsiRRI+a/R01gxbUMBD1MaRpdJDXwmjSnZiqdwlF5CgIgATKcqdrPKAvfMHQOwDkEIkIsgctFg5RXrrdvwS7dlbMBIQJlfRGNM1e44PTCzUbbezn22cONmnCry5st5dyNv+TOMf7///8C09/1BQAAAAAZdqkU0MWZA8W6woaHYOkP1SGkZlqnZSCIrADh9QUAAAAAF6kUNUXm4zuDLEcFDyTT7rk8nAOUi8eHsy4TAA==",
        // a script in the unsigned transaction
        "cHNidP8BAP0KAQIAAAACqwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QAAAAAakcwRAIgR1lmF5fAGwNrJZKJSGhiGDR9iYZLcZ4ff89X0eURZYcCIFMJ6r9Wqk2Ikf/REf3xM286KdqGbX+EhtdVRs7tr5MZASEDXNxh/HupccC1AaZGoqg7ECy0OIEhfKaC3Ibi1z+ogpL+////qwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QBAAAAAP7///8CYDvqCwAAAAAZdqkUdopAu9dAy+gdmI5x3ipNXHE5ax2IrI4kAAAAAAAAGXapFG9GILVT+glechue4O/p+gOcykWXiKwAAAAAAAABASAA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHhwEEFgAUhdE1N/LiZUBaNNuvqePdoB+4IwgAAAA=",
        // a key of the input's output that has a value
        "cHNidP8BAFUCAAAAASeaIyOl37UfxF8iD6WLD8E+HjNCeSqF1+Ns1jM7XLw5AAAAAAD/////AaBa6gsAAAAAGXapFP/pwAYQl8w7Y28ssEYPpPxCfStFiKwAAAAAAAIBACCVXuoLAAAAABepFGNFIA9o0YnhrcDfHE0W6o8UwNvrhyICA7E0HMunaDtq9PEjjNbpfnFn1Wn6xH8eSNR1QYRDVb1GRjBDAiAEJLWO/6qmlOFVnqXJO7/UqJBkIkBVzfBwtncUaUQtBwIfXI6w/qZRbWC4rLM61k7eYOh4W/s6qUuZvfhhUduamgEBBCIAIHcf0YrUWWZt1J89Vk49vEL0yEd042CtoWgWqO1IjVaBAQVHUiEDsTQcy6doO2r08SOM1ul+cWfVafrEfx5I1HVBhENVvUYhA95V0eHayAXj+KWMH7+blMAvPbqv4Sf+/KSZXyb4IIO9Uq4iBgOxNBzLp2g7avTxI4zW6X5xZ9Vp+sR/HkjUdUGEQ1W9RhC0prpnAAAAgAAAAIAEAACAIgYD3lXR4drIBeP4pYwfv5uUwC89uq/hJ/78pJlfJvggg70QtKa6ZwAAAIAAAACABQAAgAAA",
        // no partially signed transactions at all
        "",
        "cHNidP8=",
        "not base64!",
        7 as never
      ])
        for (const call of [signer.inspectPsbt(invalid), Effect.asVoid(signer.signPsbt(invalid))])
          expect(yield* Effect.flip(call)).toMatchObject({
            _tag: "InvalidArgument",
            reason: expect.stringMatching(/^the partially signed transaction is invalid: /)
          })
    })
  )
})
