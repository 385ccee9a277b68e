/** What keeps a fleet: both stores give the same services, and say what is wrong with them. */
import { createServer } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import * as Workflow from "@effect/workflow/Workflow"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import type { Services } from "../src/engine.js"
import { FleetError } from "../src/index.js"
import * as Libsql from "../src/Libsql.js"
import * as Postgres from "../src/Postgres.js"
import { startPooler } from "./postgres.js"
import { runnerOver as runner, useDatabases } from "./stores.js"

const quiet = Logger.remove(Logger.defaultLogger)
const { hasPostgres, makeFile: file, makeUrl: database, server } = useDatabases()

/** The failure of a layer to start. */
const failure = (layer: Layer.Layer<Services, unknown>): Promise<unknown> =>
  Effect.runPromise(
    Effect.scoped(Layer.build(layer)).pipe(Effect.flip, Effect.timeout("550 seconds"), Effect.provide(quiet))
  )

const Twice = Workflow.make({
  name: "Twice",
  payload: { of: Schema.Number },
  success: Schema.Number,
  idempotencyKey: ({ of }) => String(of)
})
const twice = Twice.toLayer(({ of }) =>
  Effect.gen(function* () {
    yield* DurableClock.sleep({ name: "rest", duration: "100 millis", inMemoryThreshold: "0 millis" })
    return yield* Activity.make({ name: "twice", success: Schema.Number, execute: Effect.succeed(2 * of) })
  })
)

const Slow = Workflow.make({
  name: "Slow",
  payload: { of: Schema.Number },
  success: Schema.Number,
  idempotencyKey: ({ of }) => String(of)
})

/** A workflow that does not end before it is let: what it has begun to work at, and what lets it end. */
const makeSlow = () => {
  const begun: Array<number> = []
  const gate = Effect.unsafeMakeLatch(false)
  const layer = Slow.toLayer(({ of }) =>
    Activity.make({
      name: "slow",
      success: Schema.Number,
      execute: Effect.suspend(() => {
        begun.push(of)
        return Effect.as(gate.await, of)
      })
    })
  )
  return { begun, layer, open: gate.open }
}

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sync(condition), { until: (is) => is, schedule: Schedule.spaced("50 millis") })

const runs = (layer: Layer.Layer<Services, FleetError>): Promise<number> =>
  Effect.runPromise(
    Twice.execute({ of: 21 }).pipe(
      Effect.provide(Layer.provideMerge(twice, layer)),
      Effect.timeout("550 seconds"),
      Effect.provide(quiet)
    )
  )

/** A workflow that is asked for while the store is changed, for a time. */
const meanwhile = (
  layer: Layer.Layer<Services, FleetError>,
  change: string,
  back: string,
  time: Duration.DurationInput
): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // it has its shards by the end of another one
      yield* Twice.execute({ of: 1 })
      yield* sql.unsafe(change)
      const asked = yield* Effect.fork(Twice.execute({ of: 33 }))
      yield* Effect.sleep(time)
      yield* sql.unsafe(back)
      return yield* asked
    }).pipe(
      Effect.provide(Layer.provideMerge(twice, layer)),
      Effect.timeout("550 seconds"),
      Effect.provide(quiet)
    )
  )

/** A message that is marked as read, of which a runner knows nothing: that of a runner that was killed. */
const readByOthers = (layer: Layer.Layer<Services, FleetError>, mark: string, unmark: string) =>
  meanwhile(layer, mark, unmark, "500 millis")

/** A store that keeps no answers for longer than the engine tries by itself. */
const withoutAnswers = (layer: Layer.Layer<Services, FleetError>, away: string, back: string) =>
  meanwhile(layer, away, back, "3 seconds")

/** An answer that comes where one stands already: that of a runner before, or of a try whose end nobody has heard of. */
const answeredBefore = (layer: Layer.Layer<Services, FleetError>): Promise<number> => {
  const slow = makeSlow()
  return Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const asked = yield* Effect.fork(Slow.execute({ of: 35 }))
      // an answer that stands before the question is read is the only one
      yield* until(() => slow.begun.length > 0)
      const stands = sql`INSERT INTO cluster_replies (id, kind, request_id, payload)
        SELECT 1, 0, id, '{"_tag":"Success"}' FROM cluster_messages WHERE tag = 'activity' RETURNING id`
      expect(yield* stands).toHaveLength(1)
      yield* slow.open
      return yield* asked
    }).pipe(
      Effect.provide(Layer.provideMerge(slow.layer, layer)),
      Effect.timeout("550 seconds"),
      Effect.provide(quiet)
    )
  )
}

describe("a fleet over a file", { concurrent: true }, () => {
  const away = `CREATE TRIGGER away BEFORE INSERT ON cluster_replies BEGIN SELECT RAISE(ABORT, 'away'); END`

  it("keeps an answer for which the store was away, and one in the place of another", async () => {
    const layer = Libsql.layer({ name: "tests", file: file() })
    expect(await withoutAnswers(layer, away, "DROP TRIGGER away")).toBe(66)
    expect(await answeredBefore(Libsql.layer({ name: "tests", file: file() }))).toBe(35)
  })

  it("ends while the store keeps no answer, and has the answer when it begins anew", async () => {
    const layer = Libsql.layer({ name: "tests", file: file() })
    const begins = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe(away).pipe(
        Effect.zipRight(Effect.fork(Twice.execute({ of: 21 }))),
        // longer than the engine tries by itself
        Effect.zipRight(Effect.sleep("3 seconds"))
      )
    )
    const ended = Effect.runPromise(
      begins.pipe(Effect.provide(Layer.provideMerge(twice, layer)), Effect.provide(quiet))
    )
    await ended
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DROP TRIGGER away`).pipe(
        Effect.provide(layer),
        Effect.provide(quiet)
      )
    )
    expect(await runs(layer)).toBe(42)
  })

  it("works at what was read by nobody who is left, without waiting for ten minutes", async () => {
    const mark = `CREATE TRIGGER marked AFTER INSERT ON cluster_messages
      BEGIN UPDATE cluster_messages SET last_read = CURRENT_TIMESTAMP WHERE id = NEW.id; END`
    expect(
      await readByOthers(Libsql.layer({ name: "tests", file: file() }), mark, "DROP TRIGGER marked")
    ).toBe(66)
  })

  it("carries out a workflow with a durable pause, and finds its end again", async () => {
    const layer = Libsql.layer({ name: "tests", file: file() })
    expect(await runs(layer)).toBe(42)
    expect(await runs(layer)).toBe(42)
  })

  it("takes its options from configuration", async () => {
    const provider = ConfigProvider.fromMap(new Map([["FLEET_FILE", file()]]))
    const layer = Libsql.layerConfig({ name: Config.succeed("tests"), file: Config.string("FLEET_FILE") })
    const built = Effect.scoped(Layer.build(layer)).pipe(
      Effect.withConfigProvider(provider),
      Effect.provide(quiet)
    )
    await expect(Effect.runPromise(built)).resolves.toBeDefined()
    await expect(Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(layer))))).resolves.toMatchObject({
      _op: "MissingData"
    })
  })

  it("refuses a second process, a fleet of another name, another version, and a folder that is not there", async () => {
    const path = file()
    await runs(Libsql.layer({ name: "tests", file: path }))
    const both = Layer.provide(
      Layer.unwrapEffect(Effect.as(SqlClient.SqlClient, Libsql.layer({ name: "tests", file: path }))),
      Libsql.layer({ name: "tests", file: path }).pipe(Layer.fresh)
    )
    expect(await failure(both)).toMatchObject({ _tag: "FleetError", reason: "StoreInUse" })
    expect(await failure(Libsql.layer({ name: "others", file: path }))).toMatchObject({
      reason: "OtherFleet",
      message: expect.stringContaining('"tests"')
    })
    await Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE fleet_store SET format = 99`).pipe(
        Effect.provide(Libsql.layer({ name: "tests", file: path })),
        Effect.provide(quiet)
      )
    )
    expect(await failure(Libsql.layer({ name: "tests", file: path }))).toMatchObject({
      reason: "OtherVersion"
    })
    expect(await failure(Libsql.layer({ name: "tests", file: "/nowhere/at.all" }))).toBeInstanceOf(FleetError)
    expect(await failure(Libsql.layer({ name: "no name!", file: path }))).toMatchObject({
      reason: "InvalidOption"
    })
  })
})

describe.runIf(hasPostgres)("a fleet over Postgres", { concurrent: true }, () => {
  it("keeps an answer for which the store was away, and one in the place of another", async () => {
    const away = `CREATE FUNCTION away() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'away'; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER away BEFORE INSERT ON cluster_replies FOR EACH ROW EXECUTE FUNCTION away()`
    const layer = await runner(await database())
    expect(await withoutAnswers(layer, away, "DROP TRIGGER away ON cluster_replies")).toBe(66)
    expect(await answeredBefore(await runner(await database()))).toBe(35)
  })

  it("starts with three processes at once on an empty database, and carries out a workflow", async () => {
    const url = await database()
    const layers = await Promise.all([runner(url), runner(url), runner(url)])
    const results = await Promise.all(layers.map(runs))
    expect(results).toEqual([42, 42, 42])
  })

  it("works at what was read by nobody who is left, without waiting for ten minutes", async () => {
    const mark = `CREATE FUNCTION marking() RETURNS trigger AS $$ BEGIN NEW.last_read := NOW(); RETURN NEW; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER marked BEFORE INSERT ON cluster_messages FOR EACH ROW EXECUTE FUNCTION marking()`
    const layer = await runner(await database())
    expect(await readByOthers(layer, mark, "DROP TRIGGER marked ON cluster_messages")).toBe(66)
  })

  it("hands work over to a runner that comes, and does not interrupt it there", async () => {
    const url = await database()
    const [first, second] = [await runner(url), await runner(url)]
    const all = Array.from({ length: 24 }, (_, i) => i)
    const slow = makeSlow()
    const { begun } = slow
    const client = Postgres.layer({ name: "tests", url: Redacted.make(url) })
    const asking = Effect.forEach(all, (of) => Slow.execute({ of }), { concurrency: "unbounded" })
    // an interruption that was carried out is there no more
    const noting = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe(`CREATE TABLE interrupted (id BIGINT);
        CREATE FUNCTION noting() RETURNS trigger AS $$ BEGIN INSERT INTO interrupted VALUES (NEW.id); RETURN NEW; END $$ LANGUAGE plpgsql;
        CREATE TRIGGER noted BEFORE INSERT ON cluster_messages FOR EACH ROW WHEN (NEW.kind = 2) EXECUTE FUNCTION noting()`)
    )
    const counting = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT COUNT(*)::int AS interrupted FROM interrupted`
    )
    const handed = Effect.gen(function* () {
      const begin = (layer: Layer.Layer<Services, FleetError>) =>
        Effect.forkScoped(Layer.launch(Layer.provide(slow.layer, layer)))
      yield* begin(first)
      const asked = yield* Effect.fork(
        Effect.provide(Effect.zipRight(noting, Effect.zip(asking, counting)), client)
      )
      yield* until(() => begun.length === all.length)
      yield* begin(second)
      // some of it goes on where it was handed over to
      yield* until(() => begun.length > all.length)
      yield* slow.open
      return yield* asked
    })
    const [ended, [row]] = await Effect.runPromise(
      Effect.scoped(handed).pipe(Effect.timeout("550 seconds"), Effect.provide(quiet))
    )
    expect(ended).toEqual(all)
    expect(row).toEqual({ interrupted: 0 })
    expect(begun.filter((of) => begun.indexOf(of) !== begun.lastIndexOf(of)).length).toBeGreaterThan(0)
  })

  it("is reached by a process that carries out nothing", async () => {
    const url = await database()
    const client = Postgres.layer({ name: "tests", url: Redacted.make(url) })
    const asked = Effect.gen(function* () {
      yield* Layer.launch(Layer.provide(twice, yield* Effect.promise(() => runner(url)))).pipe(
        Effect.forkScoped
      )
      return yield* Effect.provide(Twice.execute({ of: 4 }), client)
    })
    const result = await Effect.runPromise(
      Effect.scoped(asked).pipe(Effect.timeout("550 seconds"), Effect.provide(quiet))
    )
    expect(result).toBe(8)
  })

  it("says what is wrong: no server, no such user's database, another fleet, a taken port, an option", async () => {
    const url = await database()
    const away = `postgres://fleet:secret@127.0.0.1:${await freePort()}/postgres`
    const noServer = await failure(await runner(away))
    expect(noServer).toMatchObject({ reason: "StoreAway", message: expect.stringContaining("ECONNREFUSED") })
    expect(JSON.stringify(noServer)).not.toContain("secret")
    expect(await failure(await runner(url.replace(/[^/]*$/, "nothing")))).toMatchObject({
      reason: "StoreRefused"
    })
    expect(await failure(await runner("mysql://127.0.0.1/fleet"))).toMatchObject({ reason: "InvalidOption" })
    await runs(await runner(url))
    expect(await failure(await runner(url, "others"))).toMatchObject({ reason: "OtherFleet" })
    const taken = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => taken.once("listening", resolve))
    const address = taken.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const layer = Postgres.layer({ name: "tests", url: Redacted.make(url), host: "127.0.0.1", port })
    expect(await failure(layer)).toMatchObject({ reason: "NotListening" })
    taken.close()
  })

  it("refuses a pooler that gives out its sessions by the transaction", async () => {
    const pooled = await startPooler(server())
    try {
      expect(await failure(await runner(pooled.url))).toMatchObject({
        _tag: "FleetError",
        reason: "PooledConnections",
        message: expect.stringContaining("session mode")
      })
    } finally {
      pooled.end()
    }
  })
})
