import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { chains, disconnect } from "../shop/chains.js"
import { createOrder } from "../shop/orders.js"
import { receiveCalls, signCalls, subscribe } from "../shop/webhook.js"
import { openShop, pay, prices, SECRET } from "./customer.js"

const shop = await openShop()
const receive = receiveCalls(shop, SECRET)
const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(0)
const address = server.address()
const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`

await signCalls(shop, SECRET)
for (const chain of chains) {
  const order = await createOrder(shop, chain, prices[chain])
  await subscribe(shop, order, url)
  await pay(shop, order, prices[chain])
}
// nothing here looks at a chain: the calls do
while (shop.orders.all().some(({ state }) => state !== "paid")) await sleep(100)
for (const { chain, id, payments } of shop.orders.all())
  console.log(`order ${id} on ${chain} was told to be paid by ${payments.length} payment`)

const forged = await fetch(`${url}/calls/1`, { method: "POST", body: "{}" })
console.log(`a call without the provider's signature gets ${forged.status}`)
server.close()
await disconnect(shop.clients)
