import { Console, Effect } from "effect"
import { chains, networks } from "../shop/chains.js"
import { Orders } from "../shop/orders.js"
import { coins, foundation, prices, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  const orders = yield* Orders
  for (const chain of chains) {
    const { address, id, price } = yield* orders.create(chain, prices[chain])
    yield* Console.log(`order ${id}: pay ${coins(chain, price)} to ${address} (${networks[chain]})`)
  }
})

await Effect.runPromise(withFile((file) => Effect.provide(program, foundation(file))))
