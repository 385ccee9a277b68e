import { Console, Effect, Layer } from "effect"
import { accountOf } from "../shop/chains.js"
import { forwardAll } from "../shop/forward.js"
import { confirmations, watchers } from "../shop/watch.js"
import { balanceOf, buyAll, foundation, untilState, withFile } from "./customer.js"

const program = Effect.gen(function* () {
  yield* Effect.forkScoped(forwardAll)
  for (const { id } of yield* buyAll) {
    const { chain, state } = yield* untilState(id, "closed")
    const treasury = yield* accountOf(chain, 0)
    yield* Console.log(
      `order ${id} is ${state}: the treasury has ${yield* balanceOf(chain, treasury.address)}`
    )
  }
}).pipe(Effect.scoped)

const shop = watchers(confirmations)
await Effect.runPromise(
  withFile((file) => Effect.provide(program, Layer.provideMerge(shop, foundation(file))))
)
