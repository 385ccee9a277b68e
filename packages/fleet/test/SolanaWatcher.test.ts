/** Watchers of Solana: over Surfpool, and over a model chain that skips slots and takes other ways. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Solana from "effect-chains/effect/signers/Solana"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { encodeBase58 } from "../../../src/chains/internal/base58.js"
import * as Surfpool from "../../../src/sandbox/nodes/Surfpool.js"
import { findAssociatedAccount } from "../../../src/signers/solana/kit.js"
import { holdingData, mintData } from "../../../test/nodes/mints.js"
import { requireBinary } from "../../../test/nodes/process.js"
import * as SolanaWatcher from "../src/SolanaWatcher.js"
import { AddressSet } from "../src/watch/AddressSet.js"
import { family, keyFormat, type SolanaBlockClient } from "../src/watch/Solana.js"
import { ask } from "./evm.js"
import { Devnet } from "./evmWatching.js"
import { Cluster } from "./solanaWatching.js"
import { runWithWatcher, untilCaughtUp } from "./watcherProcess.js"

const surfpool = requireBinary("surfpool", "watchers of Solana over a real node")

const keyAt = (n: number): string => encodeBase58(new Uint8Array(32).fill(n))

describe("slots of Solana", () => {
  const watched = keyAt(7)
  const set = new AddressSet(keyFormat)
  set.add(watched)

  interface Slot {
    readonly hash: string
    readonly parent: number
    readonly amount: bigint
  }

  /** A chain of slots, of which some have no block; others have been lost by the node that is asked. */
  const model = (blocks: ReadonlyArray<boolean>, lost: number | undefined) => {
    const slots: Array<Slot | undefined> = [{ hash: "h0", parent: 0, amount: 0n }]
    let parent = 0
    for (const isThere of [...blocks, true]) {
      const at = slots.length
      slots.push(isThere ? { hash: `h${at}`, parent, amount: BigInt(at) } : undefined)
      if (isThere) parent = at
    }
    const blockOf = ({ amount, hash, parent: before }: Slot) => ({
      blockhash: hash,
      previousBlockhash: slots[before]?.hash ?? "",
      parentSlot: BigInt(before),
      blockTime: null,
      transactions: [
        {
          transaction: { signatures: [`t${hash}`], accountKeys: [{ pubkey: keyAt(3) }, { pubkey: watched }] },
          meta: { err: null, fee: 5n, preBalances: [100n, 0n], postBalances: [95n - amount, amount] }
        }
      ]
    })
    const seen = (slot: number) => (slot === lost ? undefined : slots[slot])
    const client: SolanaBlockClient = {
      network: "solana-mainnet",
      rpc: {
        getSlot: () => Effect.succeed(BigInt(slots.length - 1)),
        getBlock: (slot) => {
          const found = seen(slot)
          return Effect.succeed(found === undefined ? null : blockOf(found))
        },
        getBlocksWithLimit: (from) => {
          const next = slots.findIndex((_, slot) => slot >= from && seen(slot) !== undefined)
          return Effect.succeed(next === -1 ? [] : [BigInt(next)])
        }
      }
    }
    return { slots, chain: family.chain(client, "latest") }
  }

  it("follow one another by their hashes where some are skipped, and none is taken for skipped that is lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 12 }),
        fc.option(fc.nat({ max: 12 }), { nil: undefined }),
        async (blocks, lost) => {
          const { chain, slots } = model(blocks, lost)
          let before = "h0"
          for (const [slot, expected] of slots.entries()) {
            if (slot === 0) continue
            const found = await Effect.runPromise(chain.block(slot))
            expect((await Effect.runPromise(chain.header(slot)))?.hash).toBe(found?.hash)
            if (found === undefined) {
              // either this one is lost, or the one that would show that this one is skipped
              expect(lost === slot || (expected === undefined && lost !== undefined && lost > slot)).toBe(
                true
              )
              if (lost === slot) before = expected?.hash ?? before
              continue
            }
            expect(found.height).toBe(slot)
            expect(found.parent).toBe(before)
            before = found.hash
            expect(found.hash).toBe(expected?.hash ?? found.parent)
            const payments = await Effect.runPromise(found.payments(set))
            expect(payments?.map(({ amount, other, time }) => [amount, other, time])).toEqual(
              expected === undefined ? [] : [[expected.amount, keyAt(3), 0]]
            )
          }
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe.runIf(surfpool !== undefined)("a watcher over Surfpool", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-solana-"))
  const mnemonic = "test test test test test test test test test test test junk"
  let node: Surfpool.SurfpoolNode
  let cluster: Cluster
  let url = ""
  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 50 }), scope))
    cluster = new Cluster(node.url)
    url = await Effect.runPromise(Scope.extend(cluster.listening, scope))
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  const put = (address: string, owner: string, data: Buffer) =>
    ask(node.url, "surfnet_setAccount", address, {
      lamports: (data.length + 128) * 6_960,
      data: data.toString("hex"),
      owner,
      executable: false
    })
  it("tells coins and tokens by who has more or less, nothing of failures and fees, and takes back what leaves", async () => {
    const direct = Devnet.layer({ rpc: { nodes: [{ url: node.url }] }, quiet: true }).pipe(
      Layer.provide(NodeHttpClient.layerUndici)
    )
    const sdk = Context.get(await Effect.runPromise(Layer.buildWithScope(direct, scope)), Devnet)
    const alice = await Effect.runPromise(Solana.make(sdk, { mnemonic: Redacted.make(mnemonic) }))
    // of this run of the test: a second one would find the holding that the first one made
    const bob = encodeBase58(randomBytes(32))
    const mint = keyAt(11)
    await Effect.runPromise(node.fund(alice.address, "10"))
    await put(mint, token, mintData())
    const holding = await findAssociatedAccount(alice.address, mint, token)
    await put(holding, token, holdingData(mint, alice.address, 1_000_000n, Buffer.alloc(0)).subarray(0, 165))
    const from = (await cluster.advance()) + 1
    const pay = async (payment: { to: string; amount: bigint; token?: string }) =>
      (await Effect.runPromise(alice.send({ ...payment, confirmations: 1 }))).hash

    const coins = await pay({ to: bob, amount: 1_000_000n })
    const tokens = await pay({ to: bob, amount: 250n, token: mint })
    const back = await Effect.runPromise(node.fund(bob, "2"))
    const newest = await cluster.advance()

    const events: Array<SolanaWatcher.WatchEvent> = []
    const watcher = SolanaWatcher.layer({
      name: "coins",
      client: Devnet,
      from,
      addresses: [bob, alice.address, holding],
      pollingInterval: "50 millis",
      handle: (event) => Effect.sync(() => void events.push(event))
    }).pipe(
      Layer.provide(Devnet.layer({ rpc: { nodes: [{ url }] }, quiet: true })),
      Layer.provide(NodeHttpClient.layerUndici)
    )
    // a second run of the test begins where its own transactions do
    const path = join(folder, `coins${from}.db`)
    const watchToEnd = () =>
      Effect.runPromise(
        runWithWatcher(
          path,
          watcher,
          untilCaughtUp(
            SolanaWatcher.progress("coins"),
            Effect.sync(() => cluster.end - 1)
          )
        )
      )
    await watchToEnd()
    const lineOf = ({ _tag, payment }: SolanaWatcher.WatchEvent) => {
      const { address, amount, asset, direction, other, transaction } = payment
      return [_tag, transaction, address, direction, amount, asset.kind, other]
    }
    const rent = await Effect.runPromise(sdk.rpc.getMinimumBalanceForRentExemption(165))
    const itsHolding = await findAssociatedAccount(bob, mint, token)
    const expected = [
      ["Paid", coins, alice.address, "out", 1_000_000n, "native", bob],
      ["Paid", coins, bob, "in", 1_000_000n, "native", alice.address],
      // the account that the receiver did not have costs its rent
      ["Paid", tokens, alice.address, "out", rent, "native", itsHolding],
      ["Paid", tokens, alice.address, "out", 250n, "spl", bob],
      ["Paid", tokens, bob, "in", 250n, "spl", alice.address],
      ["Paid", tokens, holding, "out", 250n, "spl", itsHolding],
      ["Paid", back, bob, "in", 2_000_000_000n, "native", events.at(-1)?.payment.other]
    ]
    expect(events.map(lineOf)).toEqual(expected)
    expect(events.at(-1)?.payment.other).not.toBeNull()
    expect(events.map(({ payment }) => payment.height)).toEqual(
      events.map(({ payment }) => payment.height).toSorted((a, b) => a - b)
    )

    // a branch without the last payments; the same signature never comes twice
    const slot = events[2]?.payment.height ?? newest
    cluster.fork(slot, [tokens])
    await cluster.advance()
    await watchToEnd()
    expect(events.slice(expected.length).map(lineOf)).toEqual([
      ...expected
        .slice(2)
        .toReversed()
        .map((line) => ["RolledBack", ...line.slice(1)]),
      ...expected.slice(6)
    ])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i))
  })
})
