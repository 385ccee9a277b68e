/** Step 2: sees the payments to the orders' addresses. */
import { setTimeout as sleep } from "node:timers/promises"
import { formatUnits, parseUnits } from "effect-chains/promise"
import { type Chain, type Clients, decimals, unwrap } from "./chains.js"
import { type Order, type Payment, type Shop, update } from "./orders.js"

// #region find
type FindPayments = (clients: Clients, address: string) => Promise<ReadonlyArray<Payment>>

/** Payments that are in a block: one that waits for a block may never get into one. */
const inBlocks = (
  rows: ReadonlyArray<Omit<Payment, "block"> & { readonly blockNumber?: number }>
): ReadonlyArray<Payment> =>
  rows.flatMap(({ amount, blockNumber, hash }) =>
    blockNumber === undefined ? [] : [{ hash, amount, block: blockNumber }]
  )

const findPayments: Record<Chain, FindPayments> = {
  ethereum: async ({ ethereum }, address) =>
    inBlocks(
      unwrap(
        await ethereum.address.getTransactions({
          address,
          transactionTypes: ["native"],
          transactionDirection: "incoming"
        })
      )
    ),
  bitcoin: async ({ bitcoin }, address) =>
    inBlocks(unwrap(await bitcoin.address.getTransactions({ address, transactionDirection: "incoming" }))),
  // the data API has no histories of Solana, so its nodes are asked
  solana: async ({ solana: { rpc } }, address) => {
    const signatures = unwrap(await rpc.getSignaturesForAddress(address, { commitment: "confirmed" }))
    const payments: Array<Payment> = []
    for (const { signature } of signatures) {
      const found = unwrap(
        await rpc.getTransaction(signature, { commitment: "confirmed", maxSupportedTransactionVersion: 0 })
      )
      if (found === null || !("message" in found.transaction)) continue
      const at = found.transaction.message.accountKeys.indexOf(address)
      const change = (found.meta?.postBalances[at] ?? 0n) - (found.meta?.preBalances[at] ?? 0n)
      if (change > 0n)
        payments.push({
          hash: signature,
          amount: formatUnits(change, decimals.solana),
          block: Number(found.slot)
        })
    }
    return payments
  }
}
// #endregion find

// #region check
const sum = (chain: Chain, amounts: ReadonlyArray<string>): bigint =>
  amounts.reduce((all, amount) => all + parseUnits(amount, decimals[chain]), 0n)

/** Whether the payments are enough for the order. */
export const isPaid = ({ chain, payments, price }: Order): boolean =>
  sum(
    chain,
    payments.map(({ amount }) => amount)
  ) >= sum(chain, [price])

/** Looks for payments to an open order, and saves what there is. The same payment counts once, however often this looks. */
export const checkOrder = async (shop: Shop, order: Order): Promise<Order> => {
  if (order.state !== "open") return order
  const payments = await findPayments[order.chain](shop.clients, order.address)
  return update(shop, order, { payments, state: isPaid({ ...order, payments }) ? "paid" : "open" })
}
// #endregion check

// #region watch
/** Calls `onPaid` for each order whose money has arrived, until `signal` says that it is enough. */
export const watch = async (
  shop: Shop,
  onPaid: (order: Order) => void,
  { every = 500, signal }: { readonly every?: number; readonly signal: AbortSignal }
): Promise<void> => {
  while (!signal.aborted) {
    for (const order of shop.orders.all().filter(({ state }) => state === "open")) {
      const checked = await checkOrder(shop, order).catch((error: unknown) => {
        // nodes and the provider may fail for a while: the next round asks again
        console.error(`order ${order.id}: ${error}`)
        return order
      })
      if (checked.state === "paid") onPaid(checked)
    }
    await sleep(every, undefined, { signal }).catch(() => undefined)
  }
}
// #endregion watch
