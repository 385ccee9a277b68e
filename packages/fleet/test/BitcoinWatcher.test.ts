/** Watchers of chains of Bitcoin's kind: over litecoind and bcoin with real reorganisations, and over nodes that tell more or less. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Transaction } from "bitcoinjs-lib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Sdk, SdkError } from "effect-chains"
import { scriptOf } from "effect-chains/effect/signers/Bitcoin"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Bcoin from "../../../src/sandbox/nodes/Bcoin.js"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import { requireBinary } from "../../../test/nodes/process.js"
import * as BitcoinWatcher from "../src/BitcoinWatcher.js"
import { AddressSet } from "../src/watch/AddressSet.js"
import { type BitcoinBlockClient, family, keyFormat, parseAmounts } from "../src/watch/Bitcoin.js"
import { blockTime, openNode, toDogecoin, toLitecoin } from "./bitcoinWatching.js"
import { ask } from "./evm.js"
import { Litecoin, toLine } from "./evmWatching.js"
import { runWithWatcher, untilCaughtUp } from "./watcherProcess.js"

class Dogecoin extends Sdk.Tag("fleet-watch-tests/Dogecoin", "doge-testnet")<Dogecoin>() {}

type Options = Omit<BitcoinWatcher.WatchOptions<never, never, never, never>, "client">

const clientOptions = (url: string) => ({ rpc: { nodes: [{ url }] }, quiet: true })

const litecoind = requireBinary("litecoind", "watchers of Litecoin over a real node")
const bcoin = requireBinary("bcoin", "watchers of Dogecoin over a real node")

const chains = [
  {
    name: "litecoind",
    isThere: litecoind !== undefined,
    start: Litecoind.start({ command: litecoind ?? "", blockTime }),
    watch: (url: string, options: Options) =>
      Layer.provide(
        BitcoinWatcher.layer({ ...options, client: Litecoin }),
        Litecoin.layer(clientOptions(url))
      ),
    nameOf: toLitecoin
  },
  {
    name: "bcoin",
    isThere: bcoin !== undefined,
    start: Bcoin.start({ blockTime }),
    watch: (url: string, options: Options) =>
      Layer.provide(
        BitcoinWatcher.layer({ ...options, client: Dogecoin }),
        Dogecoin.layer(clientOptions(url))
      ),
    nameOf: toDogecoin
  }
]

for (const { isThere, name, nameOf, start, watch } of chains)
  describe.runIf(isThere)(`a watcher over ${name}`, () => {
    const scope = Effect.runSync(Scope.make())
    const folder = mkdtempSync(join(tmpdir(), "fleet-bitcoin-"))
    let chain: Awaited<ReturnType<typeof openNode>>
    beforeAll(async () => {
      chain = await openNode(start, scope, nameOf)
    })
    afterAll(async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    })
    const lineOf = ({ payment }: BitcoinWatcher.WatchEvent) => toLine(payment)

    it("tells what comes in and goes out, in order, and takes back what a reorganisation has taken", async () => {
      const { fund, hashAt, height, mine, minerAt, node, paymentsAt, url } = chain
      const [one = "", other = ""] = node.accounts.map(({ address }) => address)
      await mine()
      const miner = await minerAt(await height())
      const watched = new Set([one, other, miner])
      const from = (await height()) + 1
      await fund(one, "1.5")
      await fund(other, "0.00012345")
      await mine()
      await mine()
      await fund(one, "2")
      await mine()

      const events: Array<BitcoinWatcher.WatchEvent> = []
      const watcher = watch(url, {
        name: "coins",
        from,
        addresses: [...watched].map(nameOf),
        pollingInterval: "50 millis",
        handle: (event) => Effect.sync(() => void events.push(event))
      }).pipe(Layer.provide(NodeHttpClient.layerUndici))
      const path = join(folder, "coins.db")
      const tell = () =>
        Effect.runPromise(
          runWithWatcher(
            path,
            watcher,
            untilCaughtUp(BitcoinWatcher.progress("coins"), Effect.promise(height))
          )
        )
      const expected = async () => {
        const lines: Array<string> = []
        for (let at = from; at <= (await height()); at++) lines.push(...(await paymentsAt(at, watched)))
        return lines
      }
      await tell()
      const before = await expected()
      // three rewards, and three payments with what comes in, goes out and is the change
      expect(before.length).toBeGreaterThanOrEqual(3 + 3 * 3)
      expect(before.some((line) => line.endsWith(` ${nameOf(other)} in 12345`))).toBe(true)
      expect(before.some((line) => line.includes(" out "))).toBe(true)
      expect(events.map(lineOf)).toEqual(before)
      expect(events.every(({ _tag }) => _tag === "Paid")).toBe(true)

      // the process is gone while the two newest blocks leave
      const gone = await hashAt((await height()) - 1)
      await ask(url, "invalidateblock", gone)
      await fund(other, "3")
      await mine(3)
      await tell()
      const after = await expected()
      const common = before.filter((line, i) => line === after[i])
      expect(common.length).toBeLessThan(before.length)
      expect(events.slice(before.length).map((event) => `${event._tag} ${lineOf(event)}`)).toEqual([
        ...before
          .slice(common.length)
          .toReversed()
          .map((line) => `RolledBack ${line}`),
        ...after.slice(common.length).map((line) => `Paid ${line}`)
      ])
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i))
    })

    it("refuses addresses of other chains, and takes none of them", async () => {
      const watcher = watch(chain.url, {
        name: "bad",
        from: 1,
        addresses: [nameOf(chain.node.accounts[0]?.address ?? ""), "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"],
        handle: () => Effect.void
      }).pipe(Layer.provide(NodeHttpClient.layerUndici))
      const failed = await Effect.runPromise(
        Effect.flip(runWithWatcher(join(folder, "bad.db"), watcher, Effect.void))
      )
      expect(failed).toMatchObject({
        _tag: "WatchError",
        reason: "InvalidAddress",
        index: 1,
        message: expect.stringContaining("is one of bitcoin-mainnet")
      })
    })
  })

describe("blocks of Bitcoin's kind", () => {
  const script = scriptOf("DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", "doge-mainnet") ?? ""
  const set = new AddressSet(keyFormat)
  set.add(script)

  it("have their amounts to the last digit, which JSON does not tell of large ones", async () => {
    const amount = 9_000_000_012_345_677n
    for (const isWitness of [false, true]) {
      const made = new Transaction()
      made.addInput(Buffer.alloc(32, 7), 0)
      if (isWitness) made.setWitness(0, [Buffer.alloc(300, 1)])
      made.addOutput(Buffer.from("6a", "hex"), 5n)
      made.addOutput(Buffer.from(script, "hex"), amount)
      expect(parseAmounts(made.toHex())).toEqual([5n, amount])
      const value = Number(amount) / 1e8
      // two amounts that are one number of JSON
      expect(Number(amount + 1n) / 1e8).toBe(value)
      const vout = [
        { value: 5e-8, scriptPubKey: { hex: "6a" } },
        { value, scriptPubKey: { hex: script } }
      ]
      const large = { txid: "large", hex: made.toHex(), vin: [{ txid: "old", vout: 0 }], vout }
      const asked: Array<string> = []
      const header = { hash: "block", height: 1, time: 7, previousblockhash: "before" }
      const client: BitcoinBlockClient = {
        network: "doge-mainnet",
        rpc: {
          getBlockCount: () => Effect.succeed(1),
          getBlockHash: () => Effect.succeed("block"),
          getBlockHeader: () => Effect.succeed(header),
          getBlock: () =>
            Effect.succeed({
              ...header,
              tx: [
                large,
                // what it spends is told, but not to the last digit; and what it spends of another is
                {
                  txid: "spender",
                  vin: [
                    { txid: "large", vout: 1, prevout: { value, scriptPubKey: { hex: script } } },
                    { txid: "told", vout: 3, prevout: { value: 2.5, scriptPubKey: { hex: script } } },
                    { coinbase: "00" },
                    { ismweb: true }
                  ],
                  vout: [{ ismweb: true, value: 1 }]
                }
              ]
            }),
          getRawTransaction: (txid) => {
            asked.push(txid)
            return Effect.succeed({ txid, vin: [], vout: [{ value: 1, scriptPubKey: { hex: "6a" } }] })
          }
        }
      }
      const block = await Effect.runPromise(family.chain(client, "latest").block(1))
      const payments = await Effect.runPromise(block?.payments(set) ?? Effect.succeed(undefined))
      expect(
        payments?.map(({ amount: paid, direction, log, transaction }) => [transaction, log, direction, paid])
      ).toEqual([
        ["large", 1, "in", amount],
        ["spender", 0, "out", amount],
        ["spender", 1, "out", 250_000_000n]
      ])
      expect(payments?.[0]).toMatchObject({
        address: "DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC",
        time: 7,
        other: null
      })
      expect(asked).toEqual(["old"])
    }
  })

  it("are read again later where a node does not tell all of them", async () => {
    const header = { hash: "block", height: 1, time: 7 }
    const out = { value: 1, scriptPubKey: { hex: script } }
    const unread = async (spends: string, node: Partial<BitcoinBlockClient["rpc"]>) => {
      const client: BitcoinBlockClient = {
        network: "doge-mainnet",
        rpc: {
          getBlockCount: () => Effect.succeed(1),
          getBlockHash: () => Effect.succeed("block"),
          getBlockHeader: () => Effect.succeed(header),
          getBlock: () => Effect.succeed({ ...header, tx: ["one"] }),
          getRawTransaction: (txid) =>
            Effect.succeed(
              txid === "one"
                ? { txid, vin: [{ txid: spends, vout: 0 }], vout: [out] }
                : { txid, vin: [], vout: [out] }
            ),
          ...node
        }
      }
      const block = await Effect.runPromise(family.chain(client, "latest").block(1))
      return block === undefined ? "no block" : Effect.runPromise(block.payments(set))
    }
    expect(await unread("two", {})).toHaveLength(2)
    // a text in the place of what was asked for: of a transaction of the block, or of one whose output it spends
    expect(await unread("two", { getRawTransaction: () => Effect.succeed("00") })).toBeUndefined()
    const half: BitcoinBlockClient["rpc"]["getRawTransaction"] = (txid) =>
      Effect.succeed(txid === "one" ? { txid, vin: [{ txid: "two", vout: 0 }], vout: [out] } : "00")
    expect(await unread("two", { getRawTransaction: half })).toBeUndefined()
    const above = new SdkError.RpcError({
      method: "getblockhash",
      url: "http://127.0.0.1",
      code: -8,
      rpcMessage: "Block height out of range"
    })
    expect(await unread("two", { getBlockHash: () => Effect.fail(above) })).toBe("no block")
  })
})
