/** A database file keeps the chains: the next sandbox goes on where the last one ended. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { init } from "../../src/promise.js"
import * as Memory from "../../src/sandbox/ChainMemory.js"
import * as Sandbox from "../../src/sandbox/index.js"
import * as Store from "../../src/sandbox/Store.js"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-memory-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rpc = (url: string, method: string, ...params: ReadonlyArray<unknown>): Effect.Effect<unknown> =>
  Effect.promise(async () => {
    const answer: unknown = await (
      await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      })
    ).json()
    return Object(answer).result
  })

const networks = [{ network: "ethereum-mainnet", nodes: 2, archive: 0 }, { network: "bitcoin-mainnet" }]
const rich = "0x00000000000000000000000000000000000000f1"

const payee = (sandbox: Sandbox.SandboxService): string =>
  sandbox.network("bitcoin-mainnet").accounts[3]?.address ?? ""

/** What a sandbox on this file shows: heads, histories, balances. */
const seen = (sandbox: Sandbox.SandboxService) =>
  Effect.gen(function* () {
    const ethereum = sandbox.network("ethereum-mainnet")
    const heads = yield* Effect.forEach(ethereum.urls, (url) =>
      Effect.map(rpc(url, "eth_getBlockByNumber", "latest", false), (block): unknown => Object(block).hash)
    )
    const bitcoin = sandbox.network("bitcoin-mainnet")
    const [url = ""] = bitcoin.urls
    const sdk = yield* Effect.promise(() =>
      init({ ...sandbox.config("ethereum-mainnet"), apiKey: "key", quiet: true })
    )
    const { address = "" } = sandbox.accounts[1] ?? {}
    const history = yield* Effect.promise(() => sdk.address.getTransactions({ address, pageSize: 50 }))
    const nfts = yield* Effect.promise(() => sdk.nft.getBalance({ addresses: [address], pageSize: 50 }))
    yield* Effect.promise(() => sdk.destroy())
    return {
      heads,
      rich: yield* rpc(ethereum.urls[1] ?? "", "eth_getBalance", rich, "latest"),
      best: yield* rpc(url, "getbestblockhash"),
      history: history.data,
      nfts: nfts.data
    }
  })

describe("a sandbox on a database file", () => {
  it.scopedLive("goes on where the last one ended", () =>
    Effect.gen(function* () {
      const file = join(folder, "chains.db")
      const options = { networks, file, populated: true }
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const sandbox = yield* Sandbox.make(options)
          const [url = ""] = sandbox.network("ethereum-mainnet").urls
          yield* rpc(url, "anvil_setBalance", rich, "0x1234")
          yield* rpc(url, "evm_increaseTime", 3_600)
          yield* sandbox.network("ethereum-mainnet").mine(2)
          const id = yield* rpc(url, "evm_snapshot")
          yield* sandbox.network("bitcoin-mainnet").fund(payee(sandbox), "1.5")
          return { ...(yield* seen(sandbox)), id }
        })
      )
      const sandbox = yield* Sandbox.make(options)
      const again = yield* seen(sandbox)
      expect(again).toEqual({
        heads: first.heads,
        rich: first.rich,
        best: first.best,
        history: first.history,
        nfts: first.nfts
      })
      expect(new Set(again.heads).size).toBe(1)
      expect(again.rich).toBe("0x1234")
      // the clock is ahead still, snapshots hold, and both chains go on
      const [url = ""] = sandbox.network("ethereum-mainnet").urls
      const sent = yield* sandbox.network("ethereum-mainnet").fund(rich, "1")
      expect(sent).toMatch(/^0x/)
      const block = yield* rpc(url, "eth_getBlockByNumber", "latest", false)
      expect(Number(Object(block).timestamp)).toBeGreaterThan(Date.now() / 1_000 + 3_500)
      expect(yield* rpc(url, "evm_revert", first.id)).toBe(true)
      expect((yield* seen(sandbox)).heads).toEqual(first.heads)
      yield* sandbox.network("bitcoin-mainnet").fund(payee(sandbox), "2.5")
    })
  )

  it.effect("keeps what is in the list, and forgets what is no longer", () =>
    Effect.gen(function* () {
      const file = join(folder, "list.db")
      const schemas = { entry: Schema.Struct({ n: Schema.Number }), state: Schema.String }
      const memory = Effect.flatMap(Store.make(file), (store) =>
        Effect.provideService(Memory.make("a", schemas), Store.Store, store)
      )
      const [one, two, three, four] = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { entries, save, state } = yield* memory
          expect([entries, state]).toEqual([[], undefined])
          yield* save([one, two, three], "first")
          yield* save([one, four], "second")
        })
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { entries, state } = yield* memory
          expect([entries, state]).toEqual([[one, four], "second"])
        })
      )
    })
  )
})
