/** Step 4: sends what an order got to the treasury, all of it. */
import type { Chain } from "./chains.js"
import { confirmations } from "./confirm.js"
import { accountOf, type Order, type Shop, update } from "./orders.js"

type Account = Awaited<ReturnType<typeof accountOf>>

// #region all
/** Sends all coins of an account, unless it has no more than the fee. */
const sendAll = async (account: Account, chain: Chain, to: string): Promise<void> => {
  const sent = await account.send({ to, amount: "all", confirmations: confirmations[chain] })
  if (sent.status === "ERROR" && sent.error.cause._tag !== "InsufficientFunds") throw sent.error.cause
}
// #endregion all

// #region close
/**
 * Empties the address of an order that is closing into the one that was saved with it. Whoever calls this again finishes the same
 * move: an address that is empty already has nothing to send.
 */
export const closeOrder = async (shop: Shop, order: Order): Promise<Order> => {
  if (order.state !== "closing" || order.to === undefined) return order
  await sendAll(await accountOf(shop, order.chain, order.id), order.chain, order.to)
  return update(shop, order, { state: "closed" })
}
// #endregion close

// #region forward
/** Addresses of a wallet that the shop's server has no keys of. */
export type Treasury = Record<Chain, string>

/** Where the money goes is saved before any of it moves, and does not change after that. */
export const forwardOrder = (shop: Shop, order: Order, treasury: Treasury): Promise<Order> =>
  closeOrder(
    shop,
    order.state === "confirmed" ? update(shop, order, { state: "closing", to: treasury[order.chain] }) : order
  )
// #endregion forward
