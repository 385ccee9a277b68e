/** Runners that are gone are told by their sessions, long before their heartbeats are missed. */
import { Runner } from "@effect/cluster/Runner"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeShardingConfig } from "../src/engine.js"
import * as Presence from "../src/Presence.js"
import { withoutLogs } from "./evm.js"
import { startPostgres } from "./postgres.js"
import { findMissing, type Server } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)

describe.skipIf(lacking !== undefined)("the table of runners", () => {
  let server: Server
  const scopes: Array<Scope.CloseableScope> = []
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    for (const scope of scopes) await Effect.runPromise(Scope.close(scope, Exit.void))
    await server?.end()
  })

  /** A process at a port, with sessions of its own; `end` ends them, as the end of a process does, and leaves its row. */
  const begin = async (port: number) => {
    const address = RunnerAddress.make("127.0.0.1", port)
    const scope = Effect.runSync(Scope.make())
    scopes.push(scope)
    const storage = Presence.layer.pipe(
      Layer.provide(SqlRunnerStorage.layer),
      Layer.provideMerge(PgClient.layer({ url: Redacted.make(server.url) })),
      Layer.provide(makeShardingConfig({ runnerAddress: Option.some(address) }))
    )
    const context = await Effect.runPromise(
      Layer.buildWithScope(storage, scope).pipe(Effect.timeout("300 seconds"), Effect.provide(withoutLogs))
    )
    const { getRunners, register } = Context.get(context, RunnerStorage.RunnerStorage)
    await Effect.runPromise(register(Runner.make({ address, groups: ["default"], weight: 1 }), true))
    const sql = Context.get(context, SqlClient.SqlClient)
    return {
      /** How long Postgres is there, in seconds. */
      up: () =>
        Effect.runPromise(
          Effect.map(
            sql<{
              up: number
            }>`SELECT EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time())::float8 AS up`,
            ([row]) => row?.up ?? 0
          )
        ),
      ports: () =>
        Effect.runPromise(Effect.map(getRunners, (all) => all.map(([runner]) => runner.address.port).sort())),
      end: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }

  it("has no runner whose process is gone, though its heartbeat is new, and all after a restart of Postgres", async () => {
    const [first, second] = [await begin(7_001), await begin(7_002)]
    expect(await first.ports()).toEqual([7_001, 7_002])
    await second.end()
    // one whose session is lost for a moment is still there
    expect(await first.ports()).toEqual([7_001, 7_002])
    await expect.poll(() => first.ports()).toEqual([7_001])
    const third = await begin(7_003)
    const late = await begin(7_004)
    await late.end()
    await server.stop()
    await server.start()
    // runners have a while to come back
    await expect.poll(() => third.ports().catch(() => [7_004]), { interval: 100 }).not.toContain(7_004)
    expect(await third.up()).toBeGreaterThan(2)
    await expect.poll(() => third.ports().catch(() => [])).toEqual([7_001, 7_003])
    // another one comes and goes: meanwhile those that are there stay
    const fourth = await begin(7_005)
    expect(await third.ports()).toEqual([7_001, 7_003, 7_005])
    await fourth.end()
    const seen: Array<ReadonlyArray<number>> = []
    const look = async () => {
      const ports = await third.ports()
      seen.push(ports)
      return ports
    }
    await expect.poll(look, { interval: 100 }).not.toContain(7_005)
    for (const ports of seen) expect(ports.filter((port) => port !== 7_005)).toEqual([7_001, 7_003])
    await third.end()
    await expect.poll(() => first.ports(), { interval: 300 }).toEqual([7_001])
  })
})
