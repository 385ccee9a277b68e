/** Step 4: sends what an order got to the treasury, all of it. */
import { Effect, Schedule } from "effect"
import { type Account, accountOf, type Chain } from "./chains.js"
import { type Order, Orders } from "./orders.js"
import { confirmations } from "./watch.js"

// #region all
/** Sends all coins of an account, unless it has no more than the fee. */
const sendAll = (account: Account, chain: Chain, to: string) =>
  account
    .send({ to, amount: "all", confirmations: confirmations[chain] })
    .pipe(Effect.catchTag("InsufficientFunds", () => Effect.void))
// #endregion all

// #region forward
/**
 * Empties the address of an order into the treasury. It can be cut off anywhere and begun again: the money has one way to go, and an
 * address that is empty already has nothing to send.
 */
export const forward = ({ chain, id }: Order) =>
  Effect.gen(function* () {
    const [account, treasury] = yield* Effect.all([accountOf(chain, id), accountOf(chain, 0)])
    yield* sendAll(account, chain, treasury.address)
    const orders = yield* Orders
    return yield* orders.change(id, () => ({ state: "closed" }))
  })

/** Forwards whatever has been paid, for ever. What fails is tried again in the next round. */
export const forwardAll = Effect.gen(function* () {
  const orders = yield* Orders
  const paid = (yield* orders.all).filter(({ state }) => state === "paid")
  yield* Effect.forEach(paid, (order) => Effect.ignoreLogged(forward(order)), { concurrency: 10 })
}).pipe(Effect.repeat(Schedule.spaced("500 millis")))
// #endregion forward
