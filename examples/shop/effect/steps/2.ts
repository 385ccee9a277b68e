import { Console, Effect, Layer } from "effect"
import { watchers } from "../shop/watch.js"
import { buyAll, coins, foundation, untilState, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  for (const { id } of yield* buyAll) {
    const { chain, paid, state } = yield* untilState(id, "paid")
    yield* Console.log(`order ${id} is ${state}: ${coins(chain, paid)} on ${chain}`)
  }
})

const seen = watchers({ ethereum: 1, bitcoin: 1, solana: 1 })
await Effect.runPromise(
  withFile((file) => Effect.provide(program, Layer.provideMerge(seen, foundation(file))))
)
