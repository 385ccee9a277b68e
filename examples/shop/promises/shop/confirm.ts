/** Step 3: waits until a payment is so deep in its chain that it stays there. */
import type { Chain } from "./chains.js"
import { type Order, type Payment, type Shop, update } from "./orders.js"
import { isPaid } from "./watch.js"

// #region confirm
/** Few, so that the tutorial does not take long. For real money: 12 on Ethereum, 2 to 6 on Bitcoin, 32 on Solana. */
export const confirmations: Record<Chain, number> = { ethereum: 3, bitcoin: 2, solana: 5 }

/** Waits for the payments of a paid order. One that failed, or can no longer be in a block, is none: the order is open again. */
export const confirmOrder = async (shop: Shop, order: Order): Promise<Order> => {
  if (order.state !== "paid") return order
  const kept: Array<Payment> = []
  for (const payment of order.payments) {
    const result = await shop.clients[order.chain].rpc.waitForTransaction(payment.hash, {
      confirmations: confirmations[order.chain],
      pollingInterval: 250
    })
    if (result.status === "SUCCESS") kept.push(payment)
    else if (!["TransactionFailed", "TransactionDropped"].includes(result.error.cause._tag))
      throw result.error.cause
  }
  const state = isPaid({ ...order, payments: kept }) ? "confirmed" : "open"
  return update(shop, order, { payments: kept, state })
}
// #endregion confirm
