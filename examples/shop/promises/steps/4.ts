import { chains, disconnect } from "../shop/chains.js"
import { confirmOrder } from "../shop/confirm.js"
import { forwardOrder } from "../shop/forward.js"
import { balanceOf, openShop, otherAddresses, paidOrder } from "./customer.js"

const shop = await openShop()
const treasury = await otherAddresses(shop)
const forwarded = chains.map(async (chain) => {
  const { id, state } = await forwardOrder(
    shop,
    await confirmOrder(shop, await paidOrder(shop, chain)),
    treasury
  )
  console.log(`order ${id} is ${state}: the treasury has ${await balanceOf(shop, chain, treasury[chain])}`)
})
await Promise.all(forwarded)
await disconnect(shop.clients)
