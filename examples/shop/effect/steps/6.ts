import { Console, Effect, Layer } from "effect"
import { accountOf, chains } from "../shop/chains.js"
import { refund, transactions } from "../shop/refund.js"
import { confirmations, watchers } from "../shop/watch.js"
import { balanceOf, buyAll, foundation, otherAddress, pay, untilState, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  // the treasury has coins from earlier orders
  for (const chain of chains) yield* pay(chain, (yield* accountOf(chain, 0)).address, "2")
  const orders = yield* buyAll
  const refunds = Effect.forEach(
    orders,
    ({ id }) =>
      Effect.gen(function* () {
        const order = yield* untilState(id, "paid")
        const { chain } = order
        const customer = yield* otherAddress(chain)
        // asked for three times at once, it is paid once
        const [one, two, three] = yield* Effect.all(
          [refund(order, customer), refund(order, customer), refund(order, customer)],
          { concurrency: "unbounded" }
        )
        yield* Console.log(
          `order ${id}: the customer has ${yield* balanceOf(chain, customer)}, by ${new Set([one.hash, two.hash, three.hash]).size} payment`
        )
      }),
    { concurrency: "unbounded", discard: true }
  )
  yield* refunds
})

const shop = Layer.merge(watchers(confirmations), transactions)
await Effect.runPromise(
  withFile((file) => Effect.provide(program, Layer.provideMerge(shop, foundation(file))))
)
