import { chains, disconnect } from "../shop/chains.js"
import { createOrder } from "../shop/orders.js"
import { openShop, prices } from "./customer.js"

const shop = await openShop()
for (const chain of chains) {
  const { address, id, price } = await createOrder(shop, chain, prices[chain])
  console.log(`order ${id}: pay ${price} to ${address} (${shop.clients[chain].network})`)
}
await disconnect(shop.clients)
