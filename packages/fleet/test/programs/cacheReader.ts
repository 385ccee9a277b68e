/**
 * A process whose client has a cache over Redis (`READER_REDIS`), on the node at `READER_NODE`. It says "up" once it knows what is final; told
 * to, it reads forty blocks and says their hashes.
 */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { Http, Sdk, SdkCache } from "effect-chains"
import * as Cache from "../../src/Cache.js"

const { READER_NAME = "", READER_NODE = "", READER_REDIS = "" } = process.env

// whoever started this one is gone
process.on("disconnect", () => process.exit(1))

const reader = Effect.gen(function* () {
  const store = yield* Cache.redis({ url: READER_REDIS, name: READER_NAME })
  const cache = SdkCache.make({ store })
  const sdk = yield* Sdk.makeHttp({
    network: "ethereum-mainnet",
    quiet: true,
    rpc: { nodes: [{ url: READER_NODE }], oneTimeLoadBalancing: true },
    coalesce: cache
  })
  while (cache.stats().hits === 0) {
    yield* sdk.rpc.getBlockByNumber(1, false)
    yield* Effect.sleep(10)
  }
  const command = Effect.promise(() => once(process, "message"))
  process.send?.("up")
  yield* command
  const blocks = yield* Effect.forEach(
    Array.from({ length: 40 }, (_, i) => 100 + i),
    (at) => sdk.rpc.getBlockByNumber(at, false),
    { concurrency: "unbounded" }
  )
  process.send?.(blocks.map((block) => block?.hash))
})

await Effect.runPromise(Effect.scoped(Effect.provide(reader, Http.layerFetch)))
process.disconnect()
