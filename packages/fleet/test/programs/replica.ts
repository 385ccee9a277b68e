/**
 * A replica of a fleet with a client of its own, which does what it is told: `call` makes a call, `check` checks its nodes, `look` does
 * nothing. It answers with how that ended, and which nodes have failed for it. `REPLICA_NODES` are the urls of its nodes; without `REPLICA_REDIS` it hears nothing of others.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Http, Sdk } from "effect-chains"
import { health } from "effect-chains/effect/health"
import * as Health from "../../src/Health.js"

const { REPLICA_NODES = "", REPLICA_REDIS } = process.env

// whoever started this one is gone
process.on("disconnect", () => process.exit(1))

const replica = Effect.gen(function* () {
  const shared =
    REPLICA_REDIS === undefined ? {} : { health: health(yield* Health.make({ url: REPLICA_REDIS })) }
  const sdk = yield* Sdk.makeHttp({
    network: "ethereum-mainnet",
    quiet: true,
    retryCount: 0,
    rpc: { nodes: REPLICA_NODES.split(" ").map((url) => ({ url })) },
    ...shared
  })
  const orders: Array<string> = []
  let come = (): void => {}
  process.on("message", (message) => {
    orders.push(String(message))
    come()
  })
  const next = Effect.async<string>((resume) => {
    come = () => {
      const order = orders.shift()
      if (order !== undefined) resume(Effect.succeed(order))
    }
    come()
  })
  const serve = Effect.gen(function* () {
    const order = yield* next
    const began = performance.now()
    const end = yield* Effect.either<unknown, unknown, never>(
      order === "call" ? sdk.rpc.gasPrice() : order === "check" ? sdk.nodes.check : Effect.void
    )
    const ms = performance.now() - began
    const nodes = yield* sdk.nodes.snapshot
    process.send?.({
      ok: Either.isRight(end),
      ms,
      failed: nodes.filter(({ failed }) => failed).map(({ url }) => url)
    })
  })
  process.send?.("up")
  yield* Effect.forever(serve)
})

await Effect.runPromise(Effect.scoped(Effect.provide(replica, Http.layerFetch)))
