/** Step 1: an address of its own for each order. Orders are in the database from the first one on. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { accountOf, type Chain } from "./chains.js"

// #region order
const Payment = Schema.Struct({
  transaction: Schema.String,
  /** Which output of a transaction of Bitcoin: each pays by itself. */
  output: Schema.NullOr(Schema.Number),

  /** In the smallest unit, as all amounts here. */
  amount: Schema.BigInt,
  block: Schema.Number
})

export type Payment = typeof Payment.Type

export class Order extends Schema.Class<Order>("shop/Order")({
  id: Schema.Number,
  chain: Schema.Literal("ethereum", "bitcoin", "solana"),
  address: Schema.String,
  price: Schema.BigInt,
  state: Schema.Literal("open", "paid", "closed"),
  payments: Schema.Array(Payment),
  /** Transactions that webhooks have told of (step 5). */
  seen: Schema.Array(Schema.String)
}) {
  get paid(): bigint {
    return this.payments.reduce((sum, { amount }) => sum + amount, 0n)
  }
}

const Body = Schema.parseJson(Order)
// #endregion order

// #region orders
export class Orders extends Effect.Service<Orders>()("shop/Orders", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // AUTOINCREMENT gives no number twice, not even that of a deleted row
    yield* sql`CREATE TABLE IF NOT EXISTS shop_orders
      (id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT, body TEXT)`
    const oneAtATime = yield* Effect.makeSemaphore(1)

    const read = (rows: ReadonlyArray<{ readonly body: string }>) =>
      Effect.forEach(rows, ({ body }) => Schema.decode(Body)(body))
    const all = sql<{ body: string }>`SELECT body FROM shop_orders WHERE body IS NOT NULL ORDER BY id`.pipe(
      Effect.flatMap(read)
    )
    const find = (address: string) =>
      sql<{ body: string }>`SELECT body FROM shop_orders WHERE address = ${address.toLowerCase()}`.pipe(
        Effect.flatMap(read),
        Effect.map(([order]) => Option.fromNullable(order))
      )
    const get = (id: number) =>
      sql<{ body: string }>`SELECT body FROM shop_orders WHERE id = ${id} AND body IS NOT NULL`.pipe(
        Effect.flatMap(read),
        Effect.flatMap(([order]) => Effect.fromNullable(order))
      )
    const save = (order: Order) =>
      Effect.flatMap(
        Schema.encode(Body)(order),
        (body) =>
          sql`UPDATE shop_orders SET address = ${order.address.toLowerCase()}, body = ${body} WHERE id = ${order.id}`
      )

    const create = (chain: Chain, price: bigint) =>
      Effect.gen(function* () {
        const [row] = yield* sql<{ id: bigint }>`INSERT INTO shop_orders (body) VALUES (NULL) RETURNING id`
        const id = Number(row?.id)
        const { address } = yield* accountOf(chain, id)
        const order = new Order({ id, chain, address, price, state: "open", payments: [], seen: [] })
        yield* save(order)
        return order
      })
    /** Changes an order. Nothing else changes it meanwhile. */
    const change = (id: number, to: (order: Order) => Partial<Order>) =>
      Effect.flatMap(get(id), (order) => {
        const changed = new Order({ ...order, ...to(order) })
        return Effect.as(save(changed), changed)
      }).pipe(oneAtATime.withPermits(1))
    return { all, find, get, create, change }
  })
}) {}
// #endregion orders
