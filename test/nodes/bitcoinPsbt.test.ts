/** Partially signed transactions, with the wallet of a node as the other one. */
// @covers psbt on litecoind: bitcoin
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type * as Bitcoin from "../../src/entries/effect/signers/Bitcoin.js"
import { signer } from "../../src/entries/signers/Bitcoin.js"
import type { PromiseSdk } from "../../src/promise.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { refusal, take } from "../results.js"
import { makeLitecoin, renamed } from "./litecoin.js"
import { requireBinary } from "./process.js"

const litecoind = requireBinary("litecoind", "partially signed transactions with the wallet of a node")

const mnemonic = `${"abandon ".repeat(11)}about`

describe.runIf(litecoind !== undefined)("partially signed transactions and the wallet of a node", () => {
  const { ask, start, stop, utxos } = makeLitecoin(litecoind ?? "")
  let node: UtxoNode
  let sdk: PromiseSdk<"litecoin-testnet">

  const rich = async (from: object, ...amounts: ReadonlyArray<string>) => {
    const account = take(await signer(sdk, { mnemonic, utxos, ...from } as Bitcoin.BitcoinFrom<string>))
    for (const amount of amounts) await Effect.runPromise(node.fund(renamed(account.address), amount))
    await Effect.runPromise(node.mine(1))
    return account
  }
  const valueAt = async (address: string): Promise<number> =>
    (await utxos(address)).reduce((sum, { coins }) => sum + Number(coins), 0)

  beforeAll(async () => {
    ;({ node, sdk } = await start())
  })
  afterAll(stop)

  it("are read and finished by the node as they are here, and mined", async () => {
    for (const type of ["p2wpkh", "p2pkh"] as const) {
      const account = await rich({ type, index: 20 }, "2", "1")
      const to = addresses.toBech32(new Uint8Array(20).fill(type.length), 0, "tltc")
      const prepared = take(await account.prepare({ to, amount: "2.5" }))
      const psbt = take(await account.exportPsbt(prepared))
      const decoded = await ask<{ fee: number; tx: { vin: ReadonlyArray<object> } }>("decodepsbt", psbt)
      expect(decoded.fee).toBeCloseTo(Number(prepared.fee) / 1e8, 8)
      expect(decoded.tx.vin).toHaveLength(2)
      expect(await ask("analyzepsbt", psbt)).toMatchObject({ next: "signer" })
      const signed = take(await account.signPsbt(psbt))
      expect(await ask("finalizepsbt", signed.psbt)).toEqual({ hex: signed.transaction?.raw, complete: true })
      const hash = take(await sdk.rpc.sendRawTransaction(signed.transaction?.raw ?? ""))
      expect(hash).toBe(signed.transaction?.hash)
      await Effect.runPromise(node.mine(1))
      expect(await valueAt(to)).toBeCloseTo(2.5, 8)
    }
  })

  it("are signed from Taproot and of version 2, which this node does not know, and mined", async () => {
    for (const version of [0, 2] as const) {
      const account = await rich({ type: "p2tr", index: 21 + version }, "2")
      const prepared = take(await account.prepare({ to: account.address, amount: "0.5" }))
      const psbt = take(await account.exportPsbt(prepared, { version }))
      const { transaction } = take(await account.signPsbt(psbt))
      take(await sdk.rpc.sendRawTransaction(transaction?.raw ?? ""))
      await Effect.runPromise(node.mine(1))
      expect(await valueAt(account.address)).toBeCloseTo(2 - Number(prepared.fee) / 1e8, 8)
    }
  })

  it("of two people get the signatures of both, in either order", async () => {
    for (const isFirst of [true, false]) {
      const account = await rich({ index: isFirst ? 30 : 31 }, "1")
      const theirs = await ask<string>("getnewaddress", "", "bech32")
      const txid = await ask<string>("sendtoaddress", theirs, 1)
      await Effect.runPromise(node.mine(1))
      const { vout: outs } = await ask<{
        vout: ReadonlyArray<{ n: number; scriptPubKey: { addresses: ReadonlyArray<string> } }>
      }>("getrawtransaction", txid, true)
      const vout = outs.find(({ scriptPubKey }) => scriptPubKey.addresses.includes(theirs))?.n
      const [mine] = await utxos(account.address)
      const to = addresses.toBech32(new Uint8Array(20).fill(isFirst ? 41 : 42), 0, "tltc")
      const bare = await ask<string>(
        "createpsbt",
        [
          { txid: mine?.txid, vout: mine?.vout },
          { txid, vout }
        ],
        [{ [renamed(to)]: 1.5 }, { [renamed(account.address)]: 0.4999 }]
      )
      // the node fills in what it knows of the outputs of both
      const given = await ask<string>("utxoupdatepsbt", bare)
      const shown = take(await account.inspectPsbt(given))
      expect(shown).toMatchObject({ fee: 10_000n, balanceChange: -50_010_000n })
      expect(shown.inputs.map(({ isOwn }) => isOwn)).toEqual([true, false])
      const theirPart = async (psbt: string) =>
        (await ask<{ psbt: string }>("walletprocesspsbt", psbt, true, "ALL")).psbt
      const signed = isFirst
        ? await theirPart(take(await account.signPsbt(given)).psbt)
        : take(await account.signPsbt(await theirPart(given))).psbt
      const { complete, hex } = await ask<{ complete: boolean; hex: string }>("finalizepsbt", signed)
      expect(complete).toBe(true)
      take(await sdk.rpc.sendRawTransaction(hex))
      await Effect.runPromise(node.mine(1))
      expect(await valueAt(to)).toBeCloseTo(1.5, 8)
      expect(await valueAt(account.address)).toBeCloseTo(0.4999, 8)
    }
  })

  it("are refused where they say another amount than the node has", async () => {
    const account = await rich({ index: 32 }, "1")
    const prepared = take(await account.prepare({ to: account.address, amount: "0.5" }))
    const { fee, inputs, outputs } = prepared.transaction
    const lie = inputs.map((input) => ({ ...input, amount: input.amount + 5_000n }))
    const transaction = { inputs: lie, outputs, fee: fee + 5_000n }
    const psbt = take(await account.exportPsbt({ ...prepared, transaction }))
    expect(await refusal(account.signPsbt(psbt))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("and the transaction says 1.00005")
    })
  })
})
