/**
 * Methods as callbacks: `map` and `Effect.forEach` pass them an index, which no argument that may be left out takes. The compiler checks
 * this file with the rest of the project, nothing runs it.
 */
import * as Effect from "effect/Effect"
import { describe, it } from "vitest"
import type * as Bitcoin from "../../src/chains/Bitcoin.js"
import type * as Evm from "../../src/chains/Evm.js"
import type * as Solana from "../../src/chains/Solana.js"
import type * as Ton from "../../src/chains/Ton.js"
import { ETHEREUM } from "../../src/data/rows.js"
import * as Picked from "../../src/pick/evm.js"
import { init } from "../../src/promise.js"

declare const evm: Evm.EvmRpc
declare const bitcoin: Bitcoin.BitcoinRpc
declare const solana: Solana.SolanaRpc
declare const ton: Ton.TonRpc
declare const texts: ReadonlyArray<string>

describe("a method that is a callback", () => {
  it("does not take the index as its block on the Effect surface", () => {
    // @ts-expect-error: the index would be the block
    void Effect.forEach(texts, evm.getBalance, { batching: true })
    // @ts-expect-error: the index would be the block
    void texts.map(evm.getTransactionCount)
    // @ts-expect-error: the index would be the limit of the fee rate
    void Effect.forEach(texts, bitcoin.sendRawTransaction)
    // @ts-expect-error: the index would be the last slot
    void Effect.forEach([1n, 2n], solana.getBlocks)
    // @ts-expect-error: the index would be the block of the masterchain
    void Effect.forEach(texts, ton.getAddressInformation)
    void Effect.forEach(texts, (address) => evm.getBalance(address), { batching: true })
  })

  it("does not take it on the Promise surface, either", async () => {
    const { rpc } = await init({ network: "ethereum-mainnet" })
    // @ts-expect-error: the index would be the block
    void texts.map(rpc.getBalance)
    void texts.map((address) => rpc.getBalance(address))
    const picked = await Picked.createClient({
      network: ETHEREUM,
      endpoints: { getBalance: Picked.getBalance }
    })
    // @ts-expect-error: the index would be the block
    void texts.map(picked.rpc.getBalance)
  })

  it("takes a block that is meant: a bigint, a 0x string, a tag or a hash", () => {
    void evm.getBalance("0x", 16n)
    void evm.getBalance("0x", "0x10")
    void evm.getBalance("0x", "latest")
    void evm.getBalance("0x", { blockHash: "0x" })
    // @ts-expect-error: a number could be an index
    void evm.getBalance("0x", 16)
    void evm.getBlockByNumber(16)
  })
})
