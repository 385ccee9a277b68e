/** Accounts of several keys, with a wallet of a node as one of the members. */
// @covers proposals on litecoind: bitcoin
import { HDKey } from "@scure/bip32"
import { address as addresses } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hdSigner, watchMultisig } from "../../src/entries/signers/Bitcoin.js"
import type { PromiseSdk } from "../../src/promise.js"
import { approve, execute, inspect, merge, type Proposal, propose } from "../../src/proposal.js"
import type { UtxoNode } from "../../src/sandbox/nodes/Utxo.js"
import { withChecksum } from "../../src/signers/bitcoin/descriptor.js"
import { take } from "../results.js"
import { makeLitecoin, renamed } from "./litecoin.js"
import { requireBinary } from "./process.js"

const litecoind = requireBinary("litecoind", "accounts of several keys, with a wallet of a node as a member")

const versions = { public: 0x043587cf, private: 0x04358394 }
const path = "m/48'/1'/0'/2'"
const roots = [1, 2, 3].map((byte) => HDKey.fromMasterSeed(new Uint8Array(32).fill(byte), versions))
const keys = roots.map((root) => root.derive(path))
const expressions = keys.map(
  ({ publicExtendedKey }, i) =>
    `[${roots[i]?.fingerprint.toString(16).padStart(8, "0")}/48h/1h/0h/2h]${publicExtendedKey}/<0;1>/*`
)

/** The descriptor of one branch, which this node knows, with the private key of a member. */
const branchOf = (descriptor: string, branch: number, member?: number): string => {
  const [bare = ""] = descriptor.split("#")
  const key = keys[member ?? 0]
  const own =
    member === undefined || key === undefined
      ? bare
      : bare.replace(key.publicExtendedKey, key.privateExtendedKey)
  return withChecksum(own.replaceAll("<0;1>", String(branch)))
}

const kinds = [
  ["wsh(sortedmulti(2,", "))"],
  ["wsh(multi(2,", "))"],
  ["sh(wsh(sortedmulti(2,", ")))"]
] as const

const to = addresses.toBech32(new Uint8Array(20).fill(9), 0, "tltc")

describe.runIf(litecoind !== undefined)(
  "accounts of several keys, and a wallet of a node as a member",
  () => {
    const { ask, findAddresses, start, stop, withWallet } = makeLitecoin(litecoind ?? "")
    let node: UtxoNode
    let sdk: PromiseSdk<"litecoin-testnet">

    beforeAll(async () => {
      ;({ node, sdk } = await start())
    })
    afterAll(stop)

    it("have the addresses that the node derives", async () => {
      for (const [before, after] of kinds) {
        const descriptor = withChecksum(`${before}${expressions.join(",")}${after}`)
        const account = take(await watchMultisig(sdk, { descriptor, findAddresses }))
        for (const branch of [0, 1]) {
          const own: Array<string> = []
          for (const index of [0, 1, 2])
            own.push(renamed(take(await account.addressAt(index, { isChange: branch === 1 })).address))
          expect(await ask("deriveaddresses", branchOf(descriptor, branch), [0, 2])).toEqual(own)
        }
      }
      // what the node makes of the same keys in the order of the script
      const account = take(
        await watchMultisig(sdk, { descriptor: `wsh(multi(2,${expressions.join(",")}))`, findAddresses })
      )
      const publicKeys = keys.map((key) =>
        Buffer.from(key.derive("m/0/0").publicKey ?? new Uint8Array()).toString("hex")
      )
      const { address } = await ask<{ address: string }>("createmultisig", 2, publicKeys, "bech32")
      expect(renamed(take(await account.addressAt(0)).address)).toBe(address)
    })

    it("are paid from with the signatures of a signer and of the wallet, and mined", async () => {
      for (const [at, [before, after]] of kinds.entries()) {
        const descriptor = withChecksum(`${before}${expressions.join(",")}${after}`)
        const account = take(await watchMultisig(sdk, { descriptor, findAddresses, gapLimit: 4 }))
        for (const index of [0, 2])
          await Effect.runPromise(node.fund(renamed(take(await account.addressAt(index)).address), "1"))
        await Effect.runPromise(node.mine(1))
        const proposal = take(await propose(sdk, { from: descriptor, to, amount: "1.5", findAddresses }))

        const signer = take(
          await hdSigner(sdk, {
            extendedKey: keys[0]?.privateExtendedKey ?? "",
            type: "p2wpkh",
            findAddresses
          })
        )
        const ours = take(await approve(sdk, signer, proposal))
        const signature = await withWallet(`member-${at}`, async () => {
          await ask(
            "importmulti",
            [0, 1].map((branch) => ({
              desc: branchOf(descriptor, branch, 1),
              range: [0, 9],
              timestamp: "now",
              watchonly: true
            })),
            { rescan: false }
          )
          return (await ask<{ psbt: string }>("walletprocesspsbt", proposal.payload, true, "ALL")).psbt
        })
        const theirs: Proposal = {
          ...proposal,
          signatures: [{ member: keys[1]?.publicExtendedKey ?? "", signature }]
        }
        const joined = take(await merge(ours, theirs))
        // the node finishes what both have signed as it is finished here
        const both = await ask<string>("combinepsbt", [ours.signatures[0]?.signature, signature])
        const finished = await ask<{ complete: boolean; hex: string }>("finalizepsbt", both)
        expect(finished.complete).toBe(true)
        expect(await ask<{ txid: string }>("decoderawtransaction", finished.hex)).toMatchObject({
          txid: proposal.id
        })

        const sent = take(await execute(sdk, joined))
        expect(sent.hash).toBe(proposal.id)
        expect(await ask("getrawtransaction", sent.hash)).toBe(finished.hex)
        expect(take(await inspect(sdk, joined)).status).toBe("queued")
        await Effect.runPromise(node.mine(1))
        expect(take(await inspect(sdk, joined))).toMatchObject({ status: "executed", hash: sent.hash })
        const found = take(await account.scan())
        expect(found.balance.confirmed).toBe(50_000_000n - BigInt(proposal.preview.fee))
        expect(found.utxos.map((utxo) => utxo.path)).toEqual(["1/0"])
      }
    })
  }
)
