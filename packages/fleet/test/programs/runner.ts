/**
 * A runner of a fleet, as a process: `PG_URL` and `PORT`, or `FILE`; `NODES`, the urls of its nodes; `REDIS_URL`, if it shares them with
 * others; `LOG`, where it writes which execution it works at; and `SENDS`, how many transactions it asks for itself. It says `up` when it has
 * a part of the work, and `done` when those have ended.
 */
import { randomBytes } from "node:crypto"
import { appendFileSync } from "node:fs"
import * as ShardId from "@effect/cluster/ShardId"
import { Sharding } from "@effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Tracer from "effect/Tracer"
import { health } from "effect-chains/effect/health"
import * as EvmTransactions from "../../src/EvmTransactions.js"
import { timings } from "../../src/engine.js"
import * as Health from "../../src/Health.js"
import * as Libsql from "../../src/Libsql.js"
import * as Quota from "../../src/Quota.js"
import { accounts, makeOrder } from "../evm.js"
import { askUntilTaken, reportUp, runUntilKilled, store } from "../runnerProcess.js"

const { FILE, LOG = "", NAME = "", NODES = "", POLICY = "{}", REDIS_URL, SENDS = "0" } = process.env

/** Every step of a workflow has a span that names its execution. */
const noting = Tracer.make({
  context: (run) => run(),
  span: (name, parent, context, links, startTime, kind) => {
    const attributes = new Map<string, unknown>()
    return {
      _tag: "Span",
      name,
      spanId: randomBytes(8).toString("hex"),
      traceId: randomBytes(16).toString("hex"),
      parent,
      context,
      status: { _tag: "Started", startTime },
      attributes,
      links,
      sampled: true,
      kind,
      end: () => {},
      event: () => {},
      addLinks: () => {},
      attribute: (key, value) => {
        attributes.set(key, value)
        if (key === "executionId") appendFileSync(LOG, `${Date.now()} ${NAME} ${name} ${value}\n`)
      }
    }
  }
})

/** One quota, which is more than is used, and the health of nodes. A process that begins while Redis is away waits for it. */
const sharing =
  REDIS_URL === undefined
    ? undefined
    : Effect.all({
        quota: Quota.make({ url: REDIS_URL, requestsPerSecond: 2_000, burst: 200 }),
        health: Effect.map(Health.make({ url: REDIS_URL }), health)
      }).pipe(Effect.retry(Schedule.spaced("200 millis")))

const shards = Array.from({ length: timings.shardsPerGroup ?? 0 }, (_, i) => ShardId.make("default", i + 1))
const payer = accounts(NODES.split(" "), 0, sharing)
// the store comes last: a runner has shards as soon as it has a store, and messages for workflows that it does not know yet
const program = EvmTransactions.layer(payer.accounts, JSON.parse(POLICY)).pipe(
  Layer.provideMerge(FILE === undefined ? store : Libsql.layer({ name: "tests", file: FILE })),
  Layer.provide(payer.layer)
)

runUntilKilled(
  Effect.gen(function* () {
    const services = yield* Layer.build(program)
    const sharding = Context.get(services, Sharding)
    // it is one of the fleet once it has a part of the work
    yield* Effect.sync(() => shards.some(sharding.hasShardId)).pipe(
      Effect.repeat({ until: (has) => has, schedule: Schedule.spaced("50 millis") })
    )
    yield* reportUp
    const { send } = Context.get(services, EvmTransactions.EvmTransactions)
    const all = Array.from({ length: Number(SENDS) }, (_, i) => i)
    yield* Effect.forEach(all, (i) => askUntilTaken(send(makeOrder(i))), {
      concurrency: "unbounded",
      discard: true
    })
    process.send?.("done")
  }).pipe(Effect.withTracer(noting))
)
