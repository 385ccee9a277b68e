/**
 * What watchers cost: the memory of a million addresses, and the time of a block of 500 transactions with 1,500 logs of tokens. Run it by
 * `node scripts/run.mjs packages/fleet/test/programs/watchCosts.ts`. It prints one line of JSON.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as SqlClient from "@effect/sql/SqlClient"
import * as LibsqlClient from "@effect/sql-libsql/LibsqlClient"
import * as Effect from "effect/Effect"
import { AddressSet } from "../../src/watch/AddressSet.js"
import { type EvmBlockClient, family, keyFormat } from "../../src/watch/Evm.js"
import * as WatcherStore from "../../src/watch/WatcherStore.js"

const ADDRESSES = Number(process.argv[2] ?? 1_000_000)
const TRANSACTIONS = 500
const LOGS = 1_500
const RUNS = 200
/** Every so many sides of a payment are watched. */
const WATCHED = 20

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")
const megabytes = (bytes: number): number => Math.round(bytes / 1e6)
const memory = (): number => {
  collect()
  return process.memoryUsage().rss
}

/** The most that this program had. What the system counts by itself (maxRSS) has in it the process that started this one. */
const peakMemory = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN) * 1_024

// addresses as hashes are: all their digits differ
let state = 1
const next = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state
}
const random = (): string =>
  `0x${Array.from({ length: 5 }, () => next().toString(16).padStart(8, "0")).join("")}`

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100

/** Writes the addresses, and gives some of them. */
const adding = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* WatcherStore.tables
  yield* WatcherStore.createWatcher(
    sql,
    "bench",
    { family: "evm", network: "ethereum-mainnet", from: "0", shards: 1 },
    { origin: 0, hash: "" }
  )
  for (let i = 0; i < ADDRESSES; i += 20_000) {
    const addresses = Array.from({ length: Math.min(20_000, ADDRESSES - i) }, random)
    yield* WatcherStore.changeAddresses(sql, "bench", 1, { addresses, removed: false })
  }
})

/** Reads them, as a runner does when it begins. */
const loading = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = memory()
  const began = performance.now()
  const set = new AddressSet(keyFormat)
  yield* WatcherStore.make(sql, { watcher: "bench", shard: 0 }).refreshAddresses(set)
  const loadSeconds = (performance.now() - began) / 1_000
  const rows = yield* sql<{ readonly address: string }>`SELECT address FROM fleet_watched LIMIT 1000`
  return { set, some: rows.map(({ address }) => address), loadSeconds, before }
})

/** A block and its logs as a node writes them. */
const blockOf = (some: ReadonlyArray<string>) => {
  const side = () => ((next() >>> 16) % WATCHED === 0 ? (some[next() % some.length] ?? "") : random())
  const hash = `0x${"ab".repeat(32)}`
  const transactions = Array.from({ length: TRANSACTIONS }, (_, i) => ({
    hash: `0x${i.toString(16).padStart(64, "0")}`,
    from: side(),
    to: side(),
    value: i % 2 === 0 ? "0xde0b6b3a7640000" : "0x0",
    input: `0x${"5a".repeat(132)}`,
    nonce: "0x1",
    gas: "0x5208",
    gasPrice: "0x3b9aca00",
    type: "0x2",
    v: "0x0",
    r: hash,
    s: hash
  }))
  const topic = (address: string) => `0x${address.slice(2).padStart(64, "0")}`
  const logs = Array.from({ length: LOGS }, (_, i) => ({
    address: random(),
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      topic(side()),
      topic(side())
    ],
    data: `0x${"1".padStart(64, "0")}`,
    blockHash: hash,
    blockNumber: "0x10",
    transactionHash: transactions[i % TRANSACTIONS]?.hash ?? "",
    transactionIndex: "0x1",
    logIndex: `0x${i.toString(16)}`,
    removed: false
  }))
  const receipts = transactions.map((each) => ({
    transactionHash: each.hash,
    blockHash: hash,
    contractAddress: null,
    status: "0x1"
  }))
  const header = { number: "0x10", hash, parentHash: hash, timestamp: "0x65000000" }
  return {
    block: JSON.stringify({ ...header, transactions }),
    logs: JSON.stringify(logs),
    receipts: JSON.stringify(receipts)
  }
}

/** A node that answers at once with these texts: reading them is part of the time. */
const nodeOf = (texts: ReturnType<typeof blockOf>): EvmBlockClient => ({
  network: "ethereum-mainnet",
  rpc: {
    getBlockByNumber: () => Effect.sync(() => JSON.parse(texts.block)),
    getLogs: () => Effect.sync(() => JSON.parse(texts.logs)),
    getBlockReceipts: () => Effect.sync(() => JSON.parse(texts.receipts)),
    getTransactionReceipt: () => Effect.succeed(null)
  }
})

const database = (file: string) => LibsqlClient.layer({ url: `file:${file}`, intMode: "bigint" })

/** A runner of its own: what wrote the addresses takes no part of its memory. */
const measure = async (file: string, addSeconds: number): Promise<void> => {
  const { before, loadSeconds, set, some } = await Effect.runPromise(Effect.provide(loading, database(file)))
  const peak = peakMemory()
  const after = memory()
  const chain = family.chain(nodeOf(blockOf(some)), "latest")
  const times: Array<number> = []
  let payments = 0
  const cpu = process.cpuUsage()
  for (let i = 0; i < RUNS; i++) {
    const began = performance.now()
    const found = await Effect.runPromise(
      Effect.flatMap(chain.block(16), (block) =>
        block === undefined ? Effect.succeed(undefined) : block.payments(set)
      )
    )
    times.push(performance.now() - began)
    payments = found?.length ?? 0
  }
  const { system, user } = process.cpuUsage(cpu)
  const first = Math.round((times[0] ?? 0) * 100) / 100
  times.sort((one, other) => one - other)
  console.log(
    JSON.stringify({
      addresses: set.size,
      tableMB: megabytes(set.bytes),
      rssBeforeMB: megabytes(before),
      rssMB: megabytes(after),
      peakRssMB: megabytes(peak),
      addSeconds,
      loadSeconds: Math.round(loadSeconds * 10) / 10,
      block: { transactions: TRANSACTIONS, logs: LOGS, payments },
      blockMs: {
        cpu: Math.round((system + user) / RUNS / 10) / 100,
        first,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99)
      }
    })
  )
}

const [, , , file, addSeconds] = process.argv
if (file === undefined) {
  const folder = mkdtempSync(join(tmpdir(), "watch-bench-"))
  try {
    const path = join(folder, "bench.db")
    const began = performance.now()
    await Effect.runPromise(Effect.provide(adding, database(path)))
    const seconds = Math.round((performance.now() - began) / 100) / 10
    execFileSync(
      process.execPath,
      [fileURLToPath(import.meta.url), String(ADDRESSES), path, String(seconds)],
      { stdio: "inherit" }
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
} else {
  // others than those that were added
  state = 2_000_000_011
  await measure(file, Number(addSeconds))
}
