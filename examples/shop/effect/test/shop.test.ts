/** Step 7: the shop while the provider and its nodes fail. */
import { expect, layer } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import type { AdminClient } from "effect-chains/sandbox/client"
import { Ethereum } from "../shop/chains.js"
import { Orders } from "../shop/orders.js"
import { confirmations, watch, watchers } from "../shop/watch.js"
import { coins, foundation, pay, prices, sandbox, temporaryFile, untilState } from "../steps/customer.js"

// #region faults
type Fault = Parameters<AdminClient["addFault"]>[0]["payload"]

/** The sandbox has a fault for as long as the effect runs. */
const during = <A, E, R>(fault: Fault, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(sandbox, ({ addFault, removeFault }) =>
    Effect.acquireUseRelease(
      addFault({ payload: fault }),
      () => effect,
      ({ id }) => Effect.orDie(removeFault({ path: { id } }))
    )
  )

const shop = Layer.unwrapScoped(
  Effect.map(temporaryFile, (file) => Layer.provideMerge(watchers(confirmations), foundation(file)))
)
// #endregion faults

// #region tests
layer(shop, { excludeTestServices: true, timeout: "1 minute" })("the shop", (it) => {
  const buy = Effect.gen(function* () {
    const orders = yield* Orders
    const order = yield* orders.create("ethereum", prices.ethereum)
    yield* watch(order)
    yield* pay("ethereum", order.address, coins("ethereum", order.price))
    return order
  })

  it.effect(
    "sees a payment while one of two nodes hangs",
    () =>
      Effect.gen(function* () {
        const { id } = yield* during(
          { fault: { kind: "freeze" }, target: { node: "ethereum-sepolia/normal-1" } },
          Effect.tap(buy, ({ id }) => untilState(id, "paid"))
        )
        const { paid, payments } = yield* (yield* Orders).get(id)
        expect([payments.length, paid]).toEqual([1, prices.ethereum])
      }),
    60_000
  )

  it.effect(
    "needs no data API, and misses nothing while no node answers",
    () =>
      Effect.gen(function* () {
        const { rpc } = yield* Ethereum
        const order = yield* during(
          { fault: { kind: "status", status: 503 }, target: { network: "ethereum-sepolia" } },
          Effect.gen(function* () {
            const order = yield* buy
            expect(Either.isLeft(yield* Effect.either(rpc.blockNumber()))).toBe(true)
            return order
          })
        )
        expect((yield* untilState(order.id, "paid")).payments).toHaveLength(1)
      }),
    60_000
  )
})
// #endregion tests
