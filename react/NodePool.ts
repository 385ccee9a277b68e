import * as Effect from "effect/Effect"
import type { NodeSnapshot } from "../src/balancer/NodePool.js"
import type { PoolEvent } from "../src/balancer/Observation.js"
import type { Sdk } from "../src/client/Sdk.js"
import type { Credits } from "../src/data/credits.js"
import type { InitError } from "../src/data/SdkError.js"
import type { NetworkClient } from "./ClientStore.js"
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"

/**
 * The nodes of a network's client, and the last 100 events since the first subscription. `credits` is what the client has spent, or
 * undefined without the option `quota`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePool {
  readonly nodes: ReadonlyArray<NodeSnapshot>
  readonly events: ReadonlyArray<PoolEvent>
  readonly credits: Credits | undefined
}

const MAX_EVENTS = 100

/** The least time between two snapshots, in milliseconds: events come in bursts. */
const SNAPSHOT_INTERVAL_MS = 50

/** The nodes of a client as they change. */
const makePoolRx = (
  ready: Rx.Rx<Result.Result<{ readonly sdk: Sdk }, InitError>>
): Rx.Rx<Result.Result<NodePool, InitError>> =>
  Rx.readable(
    (get) => {
      const client = get(ready)
      if (!Result.isSuccess(client))
        return Result.replacePrevious(client, get.self<Result.Result<NodePool, InitError>>())
      const { credits, nodes } = client.value.sdk
      let events: ReadonlyArray<PoolEvent> = []
      let timer: ReturnType<typeof setTimeout> | undefined
      const takeSnapshot = (): Result.Result<NodePool, InitError> =>
        Result.success({
          nodes: Effect.runSync(nodes.snapshot),
          events,
          credits: Effect.runSync(credits())
        })
      const stopListening = nodes.listen((event) => {
        events = [...events, event].slice(-MAX_EVENTS)
        timer ??= setTimeout(() => {
          timer = undefined
          get.setSelf(takeSnapshot())
        }, SNAPSHOT_INTERVAL_MS)
      })
      get.addFinalizer(() => {
        stopListening()
        clearTimeout(timer)
      })
      return takeSnapshot()
    },
    // the pool reports each change, so a refresh does nothing
    () => {}
  )

const pools = new WeakMap<NetworkClient, ReturnType<typeof makePoolRx>>()

/** The nodes of a network's client, one Rx for all hooks. A page without these hooks does not load it. */
export const poolOf = (client: NetworkClient): ReturnType<typeof makePoolRx> => {
  const pool = pools.get(client) ?? makePoolRx(client.ready)
  pools.set(client, pool)
  return pool
}
