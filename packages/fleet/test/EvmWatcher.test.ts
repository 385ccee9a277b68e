/** Watchers of one process over a file and an anvil: what is told, what is not, and what is refused. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { Anvil } from "effect-chains/sandbox"
import * as Address from "ox/Address"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as EvmWatcher from "../src/EvmWatcher.js"
import { AddressSet } from "../src/watch/AddressSet.js"
import { findTokenTransfers, keyFormat } from "../src/watch/Evm.js"
import { ask } from "./evm.js"
import {
  deployContract,
  encodeTransfer,
  encodeWord,
  listAccounts,
  loggingCode,
  type Options,
  paymentsAt,
  refusingCode,
  send,
  TRANSFER,
  toLine,
  watcher
} from "./evmWatching.js"
import { runWithWatcher, untilCaughtUp } from "./watcherProcess.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
if (Either.isLeft(found)) {
  if (process.env.CI === "true") throw found.left
  console.log("left out: watchers over anvil (no anvil binary)")
}

const a = `0x${"a1".repeat(20)}`
const b = `0x${"b2".repeat(20)}`
const c = `0x${"c3".repeat(20)}`

describe("payments in logs", () => {
  const token = `0x${"70".repeat(20)}`
  const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
  const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"
  const set = new AddressSet(keyFormat)
  set.add(a)
  const log = (topics: ReadonlyArray<string>, ...data: ReadonlyArray<bigint>) => ({
    address: token,
    topics,
    data: `0x${data.map(encodeWord).join("")}`,
    blockHash: "0x1",
    transactionHash: "0x2",
    logIndex: "0x3"
  })
  const topic = (of: string) => `0x${encodeWord(of)}`
  const moved = (...logs: Parameters<typeof findTokenTransfers>[0]) =>
    findTokenTransfers(logs, set).map(({ amount, asset, from, to }) => ({ amount, asset, from, to }))

  it("are those of ERC-20, ERC-721 and ERC-1155, with their ids", () => {
    expect(
      moved(
        log([TRANSFER, topic(a), topic(b)], 5n),
        log([TRANSFER, topic(b), topic(a), `0x${encodeWord(77n)}`]),
        log([SINGLE, topic(c), topic(b), topic(a)], 8n, 9n),
        log([BATCH, topic(c), topic(a), topic(b)], 64n, 160n, 2n, 1n, 2n, 2n, 10n, 20n)
      )
    ).toEqual([
      { asset: { kind: "erc20", token }, amount: 5n, from: a, to: b },
      { asset: { kind: "erc721", token, id: 77n }, amount: 1n, from: b, to: a },
      { asset: { kind: "erc1155", token, id: 8n }, amount: 9n, from: b, to: a },
      { asset: { kind: "erc1155", token, id: 1n }, amount: 10n, from: a, to: b },
      { asset: { kind: "erc1155", token, id: 2n }, amount: 20n, from: a, to: b }
    ])
  })

  it("are none of others, of nothing, and of what a hostile contract writes", () => {
    expect(
      moved(
        log([TRANSFER, topic(b), topic(c)], 5n),
        log([TRANSFER, topic(a), topic(b)], 0n),
        log([TRANSFER, topic(a), topic(b)]),
        log([TRANSFER], 1n, 2n, 3n),
        log([SINGLE, topic(c), topic(b), topic(a)], 8n),
        log([BATCH, topic(c), topic(a), topic(b)], 2n ** 255n, 64n),
        log([BATCH, topic(c), topic(a), topic(b)], 64n, 64n, 2n ** 200n),
        log([BATCH, topic(c), topic(a), topic(b)], 64n, 128n, 1n, 1n, 2n, 1n, 1n),
        log([BATCH, topic(c), topic(a), topic(b)])
      )
    ).toEqual([])
  })
})

describe.runIf(Either.isRight(found))("a watcher", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-watcher-"))
  let url = ""
  let accounts: ReadonlyArray<string> = []
  beforeAll(async () => {
    const node = await Effect.runPromise(Scope.extend(Anvil.start({ chainId: 1, noMining: true }), scope))
    url = node.url
    accounts = await listAccounts(url)
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  const height = async () => Number(await ask<string>(url, "eth_blockNumber"))
  const mine = () => ask(url, "evm_mine")
  let files = 0
  const file = () => join(folder, `${files++}.db`)

  const withWatcher = <A, E>(
    path: string,
    options: Options<E, never>,
    during: Effect.Effect<A, unknown, SqlClient.SqlClient>
  ): Effect.Effect<A, unknown> => runWithWatcher(path, watcher(url, options), during)
  const caughtUp = (name: string) => untilCaughtUp(EvmWatcher.progress(name), Effect.promise(height))

  const run = <A, E>(...given: Parameters<typeof withWatcher<A, E>>): Promise<A> =>
    Effect.runPromise(withWatcher(...given))
  const failure = (options: Options<never, never>, path = file()) =>
    Effect.runPromise(
      Effect.match(withWatcher(path, options, Effect.void), {
        onFailure: (error) => error,
        onSuccess: () => undefined
      })
    )

  it("tells coins and tokens in the order of the chain, nothing of failed transactions, and takes back what leaves", async () => {
    const [payer = "", other = ""] = accounts
    const token = await deployContract(url, payer, loggingCode)
    const refuser = await deployContract(url, payer, refusingCode)
    const watched = new Set([a, b, other.toLowerCase()])
    const from = (await height()) + 1
    await send(url, payer, { to: a, value: 5n })
    await send(url, other, { to: b, value: 6n })
    await send(url, other, { to: refuser, value: 7n })
    await send(url, payer, { to: token, data: encodeTransfer(a, c, 8n) })
    await send(url, payer, { to: c, value: 9n })
    await mine()
    await send(url, payer, { to: token, data: encodeTransfer(b, a, 10n), value: 1n })
    await mine()

    const events: Array<EvmWatcher.WatchEvent> = []
    let refusals = 3
    const options: Options<string, never> = {
      name: "coins",
      from,
      addresses: [a, other],
      retry: Schedule.spaced("10 millis"),
      handle: (event) =>
        Effect.suspend(() => {
          if (event.sequence === 2 && refusals-- > 0)
            return refusals === 1 ? Effect.die("bad") : Effect.fail("no")
          events.push(event)
          return Effect.void
        })
    }
    const path = file()
    const before = await run(
      path,
      { ...options, addresses: [a, b, other] },
      Effect.gen(function* () {
        yield* caughtUp("coins")
        const expected: Array<string> = []
        for (let i = from; i <= (yield* Effect.promise(height)); i++)
          expected.push(...(yield* Effect.promise(() => paymentsAt(url, i, watched))))
        return expected
      })
    )
    expect(before.length).toBe(6)
    expect(events.map(({ payment }) => toLine(payment))).toEqual(before)
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5])
    const erc20 = { kind: "erc20", token: Address.checksum(Address.from(token)) }
    expect(events.flatMap(({ payment: { asset } }) => (asset.kind === "native" ? [] : [asset]))).toEqual(
      Array.from({ length: 3 }, () => erc20)
    )

    // the process is gone while the chain takes another way; the next one goes on from the cursor
    await ask(url, "anvil_reorg", 1, [])
    await mine()
    await send(url, payer, { to: a, value: 11n })
    await mine()
    await run(path, options, caughtUp("coins"))
    const last = (await paymentsAt(url, await height(), watched)).map((line) => `Paid ${line}`)
    expect(last.length).toBe(1)
    expect(events.slice(6).map(({ _tag, payment }) => `${_tag} ${toLine(payment)}`)).toEqual([
      `RolledBack ${before[5]}`,
      `RolledBack ${before[4]}`,
      ...last
    ])
  })

  it("takes addresses while it runs, and leaves them again", async () => {
    const [payer = ""] = accounts
    const amounts: Array<bigint> = []
    const pay = (value: bigint) =>
      Effect.promise(async () => {
        await send(url, payer, { to: c, value })
        await mine()
      })
    await run(
      file(),
      {
        name: "later",
        from: "latest",
        handle: ({ payment }) => Effect.sync(() => void amounts.push(payment.amount))
      },
      Effect.gen(function* () {
        yield* pay(1n)
        yield* caughtUp("later")
        yield* EvmWatcher.add("later", [c.toUpperCase().replace("0X", "0x")])
        yield* pay(2n)
        yield* caughtUp("later")
        yield* EvmWatcher.remove("later", [c])
        yield* pay(3n)
        yield* caughtUp("later")
        const unknown = yield* Effect.flip(EvmWatcher.add("nobody", [c]))
        expect(unknown).toMatchObject({ _tag: "WatchError", reason: "UnknownWatcher" })
        const bad = yield* Effect.flip(EvmWatcher.add("later", [c, "0x12"]))
        expect(bad).toMatchObject({ reason: "InvalidAddress", index: 1 })
      })
    )
    expect(amounts).toEqual([2n])
  })

  it("refuses bad options, a start above the head, and other settings under the same name", async () => {
    const good: Options<never, never> = { name: "good", from: 0, handle: () => Effect.void }
    expect(await failure({ ...good, name: "no name" })).toMatchObject({ reason: "InvalidOption" })
    expect(await failure({ ...good, from: -1 })).toMatchObject({ reason: "InvalidOption" })
    expect(await failure({ ...good, shards: 0 })).toMatchObject({ reason: "InvalidOption" })
    expect(await failure({ ...good, addresses: [a, b, "0xzz"] })).toMatchObject({
      _tag: "WatchError",
      reason: "InvalidAddress",
      index: 2,
      message: expect.stringContaining("0xzz")
    })
    expect(await failure({ ...good, from: (await height()) + 2 })).toMatchObject({ reason: "FromAboveHead" })
    const path = file()
    expect(await failure(good, path)).toBeUndefined()
    expect(await failure({ ...good, shards: 2 }, path)).toMatchObject({
      reason: "OtherSettings",
      message: expect.stringContaining("shards 1, and not 2")
    })
    expect(await failure({ ...good, from: 1 }, path)).toMatchObject({ reason: "OtherSettings" })
  })
})
