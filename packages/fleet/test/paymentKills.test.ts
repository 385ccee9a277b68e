/** Durable payments of Dogecoin (on bcoin) and Solana (on Surfpool) in one fleet over Postgres, whose three runners are killed. */
import { setTimeout as sleep } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import { encodeBase58 } from "../../../src/chains/internal/base58.js"
import { listen } from "../../../src/sandbox/Loopback.js"
import * as Bcoin from "../../../src/sandbox/nodes/Bcoin.js"
import * as Surfpool from "../../../src/sandbox/nodes/Surfpool.js"
import type { UtxoNode } from "../../../src/sandbox/nodes/Utxo.js"
import { requireBinary } from "../../../test/nodes/process.js"
import * as BitcoinTransactions from "../src/BitcoinTransactions.js"
import { BitcoinSend } from "../src/bitcoin/SendWorkflow.js"
import * as Postgres from "../src/Postgres.js"
import * as SolanaTransactions from "../src/SolanaTransactions.js"
import { SolanaSend } from "../src/solana/SendWorkflow.js"
import { dogecoin, listSpent } from "./bitcoin.js"
import { withoutLogs } from "./evm.js"
import { startPostgres } from "./postgres.js"
import { makeProcessGroup } from "./processGroup.js"
import { findMissing, type Server } from "./servers.js"
import * as solana from "./solana.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)
const bcoin = requireBinary("bcoin", "payments of Dogecoin in a fleet whose runners are killed")
const surfpool = requireBinary("surfpool", "payments of Solana in a fleet whose runners are killed")

/** Payments of each family. */
const COUNT = 9
const KILLS = 3
/** Between two that are asked for, in milliseconds: all of the kills are while some are on their way. */
const APART = 400

const all = Array.from({ length: COUNT }, (_, i) => i)

describe.runIf(lacking === undefined && bcoin !== undefined && surfpool !== undefined)(
  "payments of a fleet whose runners are killed",
  () => {
    const scope = Effect.runSync(Scope.make())
    const fleet = makeProcessGroup("paymentRunner")
    let database: Server
    let doge: UtxoNode
    let dogeUrl = ""
    let sol: Surfpool.SurfpoolNode

    beforeAll(async () => {
      ;[database, doge, sol] = await Promise.all([
        startPostgres(),
        Effect.runPromise(Scope.extend(Bcoin.start({ blockTime: 3_600 }), scope)),
        Effect.runPromise(Scope.extend(Surfpool.start({ slotTime: 50 }), scope))
      ])
      dogeUrl = `http://127.0.0.1:${await Effect.runPromise(Scope.extend(listen(doge.handler), scope))}`
    })
    afterAll(async () => {
      await fleet.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await database?.end()
    })

    it("are made once each, spend no coin twice, and all have ended", async () => {
      const from = {
        doge: await dogecoin.wallet(dogeUrl, 0, ({ address }) => Effect.succeed(address)),
        sol: await solana.readPayer(sol.url)
      }
      const to = { doge: dogecoin.anyone(1), sol: encodeBase58(new Uint8Array(32).fill(40)) }
      await Effect.runPromise(sol.fund(from.sol, "100"))
      // fewer coins than payments: some wait for the change of others
      for (let i = 0; i < 4; i++) await Effect.runPromise(doge.fund(dogecoin.renamed(from.doge), "1"))
      await Effect.runPromise(doge.mine(1))

      // equal ones too: what tells them apart are their keys
      const amountOf = (i: number) => BigInt(1_000_000 + (i % 3))
      const orders = {
        doge: all.map(
          (i): BitcoinTransactions.Order => ({
            key: `k${i}`,
            network: dogecoin.network,
            from: from.doge,
            payment: { to: to.doge, amount: amountOf(i) }
          })
        ),
        sol: all.map(
          (i): SolanaTransactions.Order => ({
            key: `k${i}`,
            network: solana.network,
            from: from.sol,
            payment: { to: to.sol, amount: amountOf(i) }
          })
        )
      }

      const begin = async () =>
        fleet.begin({
          PG_URL: database.url,
          PORT: String(await freePort()),
          DOGE_URL: dogeUrl,
          SOLANA_URL: sol.url
        })
      const runners = await Promise.all([begin(), begin(), begin()])
      await Promise.all(runners.map(({ up }) => up))

      let isOver = false
      let kills = 0
      const killing = async () => {
        while (kills < KILLS) {
          await sleep(1_200)
          const victim = runners.shift()
          // on a busy machine one is up later than it would be killed again: a fleet of none is none
          await Promise.all(runners.map(({ up }) => up))
          if (isOver || victim === undefined) return
          kills++
          await victim.kill()
          runners.push(await begin())
        }
      }
      const mining = async () => {
        while (!isOver) {
          await sleep(500)
          await Effect.runPromise(doge.mine(1))
        }
      }
      const client = Layer.provideMerge(
        Layer.merge(BitcoinTransactions.layerClient, SolanaTransactions.layerClient),
        Postgres.layer({ name: "tests", url: Redacted.make(database.url) })
      )
      const waited = Effect.gen(function* () {
        const bitcoin = yield* BitcoinTransactions.BitcoinTransactions
        const { send } = yield* SolanaTransactions.SolanaTransactions
        const [dogePaid, solPaid] = yield* Effect.all(
          [
            Effect.forEach(
              orders.doge,
              (order, i) => Effect.delay(Effect.either(bitcoin.send(order)), APART * i),
              { concurrency: "unbounded" }
            ),
            Effect.forEach(orders.sol, (order, i) => Effect.delay(Effect.either(send(order)), APART * i), {
              concurrency: "unbounded"
            })
          ],
          { concurrency: "unbounded" }
        )
        const sql = yield* SqlClient.SqlClient
        const open = yield* sql`SELECT key FROM fleet_transactions WHERE state <> 'ended'`
        const kept = yield* sql<{ readonly raw: string }>`SELECT raw FROM fleet_bitcoin_signed`
        const results = [
          ...(yield* Effect.forEach(orders.doge, (order) =>
            Effect.flatMap(BitcoinSend.executionId({ order }), BitcoinSend.poll)
          )),
          ...(yield* Effect.forEach(orders.sol, (order) =>
            Effect.flatMap(SolanaSend.executionId({ order }), SolanaSend.poll)
          ))
        ]
        return { dogePaid, solPaid, open, kept, results }
      })
      const [{ dogePaid, kept, open, results, solPaid }] = await Promise.all([
        Effect.runPromise(
          waited.pipe(Effect.timeout("550 seconds"), Effect.provide(client), Effect.provide(withoutLogs))
        ).finally(() => {
          isOver = true
        }),
        killing(),
        mining()
      ])

      // three, unless runners start so slowly that all has ended before
      expect(kills).toBeGreaterThan(0)
      expect([...dogePaid.filter(Either.isLeft), ...solPaid.filter(Either.isLeft)]).toEqual([])
      const hashesOf = (paid: ReadonlyArray<Either.Either<{ readonly hash: string }, unknown>>) =>
        new Set(paid.filter(Either.isRight).map(({ right }) => right.hash))
      const sum = all.map(amountOf).reduce((one, other) => one + other)
      const coins = await dogecoin.unspent(dogeUrl, to.doge)
      expect(coins).toHaveLength(COUNT)
      expect(new Set(coins.map(({ txid }) => txid))).toEqual(hashesOf(dogePaid))
      expect(await dogecoin.amountAt(dogeUrl, to.doge)).toBe(sum)
      const got = await solana.readReceived(sol.url, to.sol)
      expect(got.signatures).toHaveLength(COUNT)
      expect(new Set(got.signatures)).toEqual(hashesOf(solPaid))
      expect(BigInt(got.lamports)).toBe(sum)
      // one transaction of each, none of which was to spend what another one has
      expect(kept).toHaveLength(COUNT)
      const spent = kept.flatMap(({ raw }) => listSpent(raw))
      expect(new Set(spent).size).toBe(spent.length)
      expect(open).toEqual([])
      expect(results.map((result) => result?._tag)).toEqual(results.map(() => "Complete"))
    })
  }
)
