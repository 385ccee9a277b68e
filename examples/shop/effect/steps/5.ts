import { createServer } from "node:http"
import { HttpRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Console, Effect, Layer, Redacted, Schedule } from "effect"
import { chains } from "../shop/chains.js"
import { Orders } from "../shop/orders.js"
import { Calls, calls, signCalls, subscribe } from "../shop/webhook.js"
import { coins, foundation, pay, prices, SECRET, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  const { url } = yield* Calls
  yield* signCalls
  const orders = yield* Orders
  for (const chain of chains) {
    const order = yield* orders.create(chain, prices[chain])
    yield* subscribe(order)
    yield* pay(chain, order.address, coins(chain, order.price))
  }
  // nothing here looks at a chain: the calls do
  const all = yield* Effect.repeat(
    orders.all,
    Schedule.recurUntil<typeof orders.all extends Effect.Effect<infer A, infer _E> ? A : never>((each) =>
      each.every(({ seen }) => seen.length > 0)
    ).pipe(Schedule.addDelay(() => "100 millis"))
  )
  for (const { chain, id, seen } of all)
    yield* Console.log(`order ${id} on ${chain} was told of ${seen.length} payment`)
  const forged = yield* Effect.promise(() => fetch(`${url}/calls/1`, { method: "POST", body: "{}" }))
  yield* Console.log(`a call without the provider's signature gets ${forged.status}`)
})

const server = HttpServer.serve(HttpRouter.toHttpApp(calls).pipe(Effect.flatten)).pipe(
  Layer.provideMerge(
    Layer.effect(
      Calls,
      HttpServer.addressFormattedWith((url) => Effect.succeed({ url, secret: Redacted.make(SECRET) }))
    )
  ),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
)
await Effect.runPromise(
  withFile((file) => Effect.provide(program, Layer.provideMerge(server, foundation(file))))
)
