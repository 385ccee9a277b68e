/** Step 8: moves all orders on, wherever an earlier process has left them. */
import { setTimeout as sleep } from "node:timers/promises"
import { confirmOrder } from "./confirm.js"
import { closeOrder, forwardOrder, type Treasury } from "./forward.js"
import type { Order, Shop } from "./orders.js"
import { checkOrder } from "./watch.js"

// #region advance
/** The next step of an order. Each of them can be begun again after it was cut off. */
export const advance = async (shop: Shop, order: Order, treasury: Treasury): Promise<Order> => {
  switch (order.state) {
    case "open":
      return checkOrder(shop, order)
    case "paid":
      return confirmOrder(shop, order)
    case "confirmed":
      return forwardOrder(shop, order, treasury)
    case "closing":
      return closeOrder(shop, order)
    case "closed":
      return order
  }
}
// #endregion advance

// #region run
/** Moves all orders on until `signal` says that it is enough. A step that fails is begun again in the next round. */
export const run = async (shop: Shop, treasury: Treasury, signal: AbortSignal): Promise<void> => {
  const busy = new Map<number, Promise<unknown>>()
  while (!signal.aborted) {
    for (const order of shop.orders.all()) {
      if (order.state === "closed" || busy.has(order.id)) continue
      const step = advance(shop, order, treasury)
        .catch((error: unknown) => console.error(`order ${order.id}, ${order.state}: ${error}`))
        .finally(() => busy.delete(order.id))
      busy.set(order.id, step)
    }
    await sleep(500, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(busy.values())
}
// #endregion run
