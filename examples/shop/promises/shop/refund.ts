/** Step 6: gives the money of an order back. */
import { closeOrder } from "./forward.js"
import { type Order, type Shop, update } from "./orders.js"

// #region refund
/**
 * Sends back what an order got, less the fee of the chain. The customer says where to: a payment of Bitcoin has no sender, and one
 * that comes from an exchange has an address that is not the customer's.
 */
export const refundOrder = async (shop: Shop, id: number, to: string): Promise<Order> => {
  const order = shop.orders.get(id)
  if (order === undefined || order.payments.length === 0) throw new Error(`order ${id} has no payments`)
  if (order.to !== undefined) throw new Error(`the money of order ${id} goes to ${order.to} already`)
  return closeOrder(shop, update(shop, order, { state: "closing", to }))
}
// #endregion refund
