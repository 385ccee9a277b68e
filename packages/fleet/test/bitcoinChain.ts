/** A chain of Bitcoin's kind for tests of durable payments, whose blocks come where they are asked for, and what its store has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import { listen } from "../../../src/sandbox/Loopback.js"
import type * as Bcoin from "../../../src/sandbox/nodes/Bcoin.js"
import * as Litecoind from "../../../src/sandbox/nodes/Litecoind.js"
import type { UtxoNode } from "../../../src/sandbox/nodes/Utxo.js"
import { type ProxyAnswer, startProxy } from "../../../test/nodes/rpcProxy.js"
import { BitcoinTransactions, type Policy, type WithPolicy } from "../src/BitcoinTransactions.js"
import type { Services } from "../src/engine.js"
import * as Libsql from "../src/Libsql.js"
import { type Chain, litecoin, type Signing, type Urls } from "./bitcoin.js"
import { type CallOptions, withoutLogs } from "./evm.js"

/** Blocks come only where they are asked for. */
export const blockTime = 3_600

interface SignedRow {
  readonly key: string
  readonly round: number | bigint
  readonly hash: string
  readonly raw: string
  readonly purpose: string
  readonly created: number | bigint
}

/** What was signed. */
export const listSigned = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<SignedRow>`SELECT * FROM fleet_bitcoin_signed ORDER BY key, round`
)

export const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(condition, { until: (is) => is, schedule: Schedule.spaced("50 millis") })

/** Until so many transactions were signed. */
export const untilSigned = (count: number) => until(Effect.map(listSigned, ({ length }) => length >= count))

/** What came of a key, as soon as something has. */
export const awaitOutcome = (key: string, from: string, { network }: Chain) =>
  Effect.flatMap(BitcoinTransactions, ({ result }) =>
    result({ key, network, from }).pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ until: Option.isSome }),
      Effect.map((outcome) => Option.getOrThrow(outcome))
    )
  )

/** A chain with its node, whose blocks come where they are asked for. */
export const setUpChain = (chain: Chain, begin: (folder: string) => ReturnType<typeof Bcoin.start>) => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-bitcoin-sends-"))
  const at = { url: "" }
  let node: UtxoNode
  beforeAll(async () => {
    node = await Effect.runPromise(Scope.extend(begin(folder), scope))
    const own = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(node.handler), scope))}`
    // estimates come from what earlier tests have paid, by which an amount would take one coin or two: nodes have none at first
    at.url = await startProxy(own, scope, (method) =>
      method === "estimatesmartfee"
        ? { result: { errors: ["Insufficient data or no feerate found"] } }
        : undefined
    )
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  const mine = (blocks = 1) => Effect.runPromise(node.mine(blocks))

  /** An account of its own, with these coins. */
  const rich = async (index: number, ...amounts: ReadonlyArray<string>): Promise<string> => {
    const address = await chain.wallet(at.url, index, (signer) => Effect.succeed(signer.address))
    for (const amount of amounts) await Effect.runPromise(node.fund(chain.renamed(address), amount))
    await mine()
    return address
  }

  const runPayments = <A>(
    index: number,
    during: Effect.Effect<A, unknown, BitcoinTransactions | Services>,
    options: {
      readonly url?: Urls
      readonly policy?: Partial<Policy>
      readonly signing?: Signing
      readonly calling?: CallOptions
      readonly rules?: WithPolicy
    } = {}
  ): Promise<A> =>
    Effect.runPromise(
      during.pipe(
        Effect.provide(
          Layer.provideMerge(
            chain.transactions(
              options.url ?? at.url,
              index,
              options.policy,
              options.signing,
              options.calling,
              options.rules
            ),
            Libsql.layer({ name: "tests", file: join(folder, `${index}.db`) })
          )
        ),
        Effect.provide(withoutLogs),
        Effect.timeout("550 seconds")
      )
    )

  /** Blocks come while something is done. */
  const mining = <A, E, R>(during: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.raceFirst(
      during,
      Effect.forever(
        Effect.delay(
          Effect.promise(() => mine()),
          "150 millis"
        )
      )
    )

  /** A front of the node, which may answer in its place; and waiting until it was asked so often for a transaction. */
  const front = async (answer: ProxyAnswer) => {
    let finds = 0
    const url = await startProxy(at.url, scope, (method, params) => {
      if (method === "getrawtransaction") finds++
      return answer(method, params)
    })
    const looks = (times: number) =>
      Effect.suspend(() => {
        const end = finds + times
        return until(Effect.sync(() => finds >= end))
      })
    return { url, looks }
  }

  /** A front that takes no transaction until it is told to, and what was handed to it since. */
  const gate = async () => {
    let isOpen = false
    const raws = new Set<unknown>()
    const { looks, url } = await front((method, [raw]) => {
      if (method !== "sendrawtransaction") return undefined
      raws.add(raw)
      return isOpen ? undefined : { error: { code: -26, message: "not now" } }
    })
    const open = () => {
      isOpen = true
    }
    return { url, looks, raws, open }
  }

  return { at, folder, front, gate, mine, mining, runPayments, rich, scope }
}

/** The same over Litecoin Core, which lets nothing be replaced unless it is told to. */
export const setUpLitecoin = (litecoind: string) =>
  setUpChain(litecoin, (folder) => {
    const command = join(folder, "litecoind")
    writeFileSync(command, `#!/bin/sh\nexec "${litecoind}" -mempoolreplacement=1 "$@"\n`, { mode: 0o755 })
    return Litecoind.start({ command, blockTime })
  })
