import { chains, disconnect } from "../shop/chains.js"
import { confirmOrder } from "../shop/confirm.js"
import { openShop, paidOrder } from "./customer.js"

const shop = await openShop()
const confirmed = chains.map(async (chain) => {
  const { id, state } = await confirmOrder(shop, await paidOrder(shop, chain))
  console.log(`order ${id} on ${chain} is ${state}`)
})
await Promise.all(confirmed)
await disconnect(shop.clients)
