import { Console, Effect, Layer } from "effect"
import { Ethereum } from "../shop/chains.js"
import { confirmations, watchers } from "../shop/watch.js"
import { buyAll, foundation, untilState, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  const orders = yield* buyAll
  for (const { id } of orders) {
    const { chain, state } = yield* untilState(id, "paid")
    yield* Console.log(`order ${id} on ${chain} is ${state}, ${confirmations[chain]} blocks deep`)
  }
  const [order] = orders
  const { payments } = yield* untilState(order?.id ?? 0, "paid")
  const { rpc } = yield* Ethereum
  const depth = Number(yield* rpc.blockNumber()) - (payments[0]?.block ?? 0) + 1
  yield* Console.log(`the chain agrees: ${depth >= confirmations.ethereum}`)
})

const deep = watchers(confirmations)
await Effect.runPromise(
  withFile((file) => Effect.provide(program, Layer.provideMerge(deep, foundation(file))))
)
