import { chains, disconnect } from "../shop/chains.js"
import { confirmations } from "../shop/confirm.js"
import { refundOrder } from "../shop/refund.js"
import { balanceOf, openShop, otherAddresses, paidOrder } from "./customer.js"

const shop = await openShop()
const customer = await otherAddresses(shop)
const tooLittle = { ethereum: "0.02", bitcoin: "0.0005", solana: "0.7" }
const refunded = chains.map(async (chain) => {
  const order = await paidOrder(shop, chain, tooLittle[chain])
  const [payment] = order.payments
  await shop.clients[chain].rpc.waitForTransaction(payment?.hash ?? "", {
    confirmations: confirmations[chain]
  })
  const { id, state } = await refundOrder(shop, order.id, customer[chain])
  console.log(`order ${id} is ${state}: the customer has ${await balanceOf(shop, chain, customer[chain])}`)
})
await Promise.all(refunded)

const [order] = shop.orders.all()
if (order !== undefined)
  await refundOrder(shop, order.id, customer[order.chain]).catch((error: Error) => console.log(error.message))
await disconnect(shop.clients)
