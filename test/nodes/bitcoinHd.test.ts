/** Accounts with many addresses, with the wallet of a node as the other one. */
// @covers hd on litecoind: bitcoin
import { HDKey } from "@scure/bip32"
import { mnemonicToSeedSync } from "@scure/bip39"
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hdSigner, signer as makeSigner, watchHdAccount } from "../../src/entries/signers/Bitcoin.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Sandbox from "../../src/sandbox/index.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { withChecksum } from "../../src/signers/bitcoin/descriptor.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { makeLitecoin, renamed } from "./litecoin.js"
import { requireBinary } from "./process.js"

const litecoind = requireBinary("litecoind", "accounts with many addresses, with the wallet of a node")

const mnemonic = `${"abandon ".repeat(11)}about`
const versions = { public: 0x043587cf, private: 0x04358394 }
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic), versions)

const to = addresses.toBech32(new Uint8Array(20).fill(9), 0, "tltc")

describe.runIf(litecoind !== undefined)("accounts with many addresses, and the wallet of a node", () => {
  const { ask, findAddresses, start, stop, utxos, withWallet } = makeLitecoin(litecoind ?? "")
  let node: UtxoNode
  let sdk: PromiseSdk<"litecoin-testnet">

  const sources = { findAddresses, gapLimit: 4 }

  beforeAll(async () => {
    ;({ node, sdk } = await start())
  })
  afterAll(stop)

  it("have the checksums and addresses that the node derives", async () => {
    for (const type of ["p2wpkh", "p2pkh", "p2sh-p2wpkh"] as const) {
      const account = take(await hdSigner(sdk, { mnemonic, type, ...sources }))
      const [bare = ""] = account.descriptor.split("#")
      for (const branch of [0, 1]) {
        // this node is older than the form for two branches
        const one = bare.replace("<0;1>", String(branch))
        const { checksum, descriptor } = await ask<{ checksum: string; descriptor: string }>(
          "getdescriptorinfo",
          one
        )
        expect(withChecksum(one)).toBe(`${one}#${checksum}`)
        const own: Array<string> = []
        for (const index of [0, 1, 2, 3])
          own.push(renamed(take(await account.addressAt(index, { isChange: branch === 1 })).address))
        expect(await ask("deriveaddresses", descriptor, [0, 3])).toEqual(own)
      }
    }
  })

  it("are scanned, and pay with coins of several addresses", async () => {
    for (const type of ["p2wpkh", "p2pkh", "p2tr", "p2sh-p2wpkh"] as const) {
      const account = take(await hdSigner(sdk, { mnemonic, type, account: 1, ...sources }))
      const watched = take(await watchHdAccount(sdk, { descriptor: account.descriptor, ...sources }))
      for (const index of [0, 3, 6])
        await Effect.runPromise(node.fund(renamed(take(await account.addressAt(index)).address), "1"))
      await Effect.runPromise(node.mine(1))
      const before = take(await watched.scan())
      expect(before.balance).toEqual({ confirmed: 300_000_000n, unconfirmed: 0n })
      expect(before.used.map(({ path }) => path)).toEqual(["0/0", "0/3", "0/6"])
      const sent = take(await account.send({ to, amount: "2.5" }))
      await Effect.runPromise(node.mine(1))
      const after = take(await watched.scan())
      expect(after.balance.confirmed).toBe(50_000_000n - sent.prepared.fee)
      expect(after.utxos.map(({ path }) => path)).toEqual(["1/0"])
      expect([after.receive.path, after.change.path]).toEqual(["0/7", "1/1"])
      // nodes relay from a satoshi for each byte on, and ten times as much here
      const { size, weight } = await ask<{ size: number; weight: number }>(
        "decoderawtransaction",
        await ask<string>("getrawtransaction", sent.hash)
      )
      expect(size).toBeGreaterThan(0)
      expect(Number(sent.prepared.fee)).toBeLessThan((weight / 4 + 8) * 100)
    }
  })

  it("are watched here, and signed by a wallet of the node at the paths that the transaction names", async () => {
    for (const [type, before, after] of [
      ["p2wpkh", "wpkh(", ")"],
      ["p2pkh", "pkh(", ")"],
      ["p2sh-p2wpkh", "sh(wpkh(", "))"]
    ] as const) {
      const purpose = { p2wpkh: 84, p2pkh: 44, "p2sh-p2wpkh": 49 }[type]
      const { extendedKey } = take(await hdSigner(sdk, { mnemonic, type, account: 2, ...sources }))
      const key = root.derive(`m/${purpose}'/1'/2'`)
      expect(extendedKey).toBe(key.publicExtendedKey)
      const watched = take(await watchHdAccount(sdk, { extendedKey, type, ...sources }))
      for (const index of [1, 2])
        await Effect.runPromise(node.fund(renamed(take(await watched.addressAt(index)).address), "1"))
      await Effect.runPromise(node.mine(1))
      const prepared = take(await watched.prepare({ to, amount: "1.75" }))
      const psbt = take(await watched.exportPsbt(prepared))
      const { complete, hex } = await withWallet(`owner-${type}`, async () => {
        const desc = (branch: number) =>
          withChecksum(`${before}${key.privateExtendedKey}/${branch}/*${after}`)
        const results = await ask<ReadonlyArray<{ success: boolean }>>(
          "importmulti",
          [0, 1].map((branch) => ({ desc: desc(branch), range: [0, 9], timestamp: "now" })),
          { rescan: false }
        )
        expect(results.map(({ success }) => success)).toEqual([true, true])
        const { psbt: signed } = await ask<{ psbt: string }>("walletprocesspsbt", psbt, true, "ALL")
        return ask<{ complete: boolean; hex: string }>("finalizepsbt", signed)
      })
      expect(complete).toBe(true)
      take(await sdk.rpc.sendRawTransaction(hex))
      await Effect.runPromise(node.mine(1))
      expect(take(await watched.scan()).balance.confirmed).toBe(25_000_000n - prepared.fee)
    }
  })

  it("with one key in a script hash pay by SegWit, too", async () => {
    const own = take(await makeSigner(sdk, { mnemonic, type: "p2sh-p2wpkh", index: 30, utxos }))
    await Effect.runPromise(node.fund(renamed(own.address), "1"))
    await Effect.runPromise(node.mine(1))
    take(await own.send({ to: own.address, amount: "0.4" }))
    await Effect.runPromise(node.mine(1))
    const [largest = "0"] = (await utxos(own.address))
      .map(({ coins }) => String(coins))
      .sort()
      .reverse()
    expect(Number(largest)).toBeGreaterThan(0.59)
    const prepared = take(await own.prepare({ to, amount: "0.9" }))
    const { transaction } = take(await own.signPsbt(take(await own.exportPsbt(prepared))))
    take(await sdk.rpc.sendRawTransaction(transaction?.raw ?? ""))
    await Effect.runPromise(node.mine(1))
    expect(await utxos(own.address)).toHaveLength(1)
  })
})

describe.runIf(litecoind !== undefined)("accounts with many addresses, by the data API", () => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("are scanned and paid from, and their emptied addresses are used ones", async () => {
    const sandbox = await Effect.runPromise(
      Sandbox.make({ networks: [{ network: "litecoin-testnet" }], blockTime: 100_000 }).pipe(
        Scope.extend(scope)
      )
    )
    const { fund, mine } = sandbox.network("litecoin-testnet")
    const client = await init({ ...sandbox.config("litecoin-testnet"), quiet: true, ...nodeLimits })
    const account = take(await hdSigner(client, { mnemonic, type: "p2wpkh" }))
    for (const index of [0, 21]) {
      const { address } = take(await account.addressAt(index))
      await Effect.runPromise(fund(address, "1"))
    }
    await Effect.runPromise(mine(1))
    // the second one is behind the first gap
    const near = take(await account.scan())
    expect(near.balance.confirmed).toBe(100_000_000n)
    await Effect.runPromise(fund(take(await account.addressAt(19)).address, "1"))
    await Effect.runPromise(mine(1))
    expect(take(await account.scan()).balance.confirmed).toBe(300_000_000n)
    const { prepared } = take(await account.send({ to, amount: "2.5" }))
    await Effect.runPromise(mine(1))
    const after = take(await account.scan())
    expect(after.balance).toEqual({ confirmed: 50_000_000n - prepared.fee, unconfirmed: 0n })
    expect(after.used.map(({ path }) => path)).toEqual(["0/0", "0/19", "0/21", "1/0"])
    await client.destroy()
  })
})
