import { chains, disconnect } from "../shop/chains.js"
import { createOrder } from "../shop/orders.js"
import { watch } from "../shop/watch.js"
import { openShop, pay, prices } from "./customer.js"

const shop = await openShop()
for (const chain of chains) await pay(shop, await createOrder(shop, chain, prices[chain]), prices[chain])

const enough = new AbortController()
await watch(
  shop,
  ({ chain, id, payments }) => {
    console.log(`order ${id} is paid: ${payments.map(({ amount }) => amount).join(" + ")} on ${chain}`)
    if (shop.orders.all().every(({ state }) => state === "paid")) enough.abort()
  },
  { signal: enough.signal }
)
await disconnect(shop.clients)
