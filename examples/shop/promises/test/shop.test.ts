/** Step 7: the shop while the provider and its nodes fail. */
import assert from "node:assert/strict"
import { after, afterEach, before, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { disconnect } from "../shop/chains.js"
import { confirmOrder } from "../shop/confirm.js"
import { createOrder, type Shop } from "../shop/orders.js"
import { checkOrder } from "../shop/watch.js"
import { askSandbox, openShop, paidOrder, pay, prices } from "../steps/customer.js"

// #region faults
let shop: Shop
before(async () => {
  shop = await openShop()
})
after(() => disconnect(shop.clients))
afterEach(() => askSandbox("faults", undefined, "DELETE"))

const addFault = (fault: object, target: object, times?: number) =>
  askSandbox("faults", { fault, target, ...(times === undefined ? {} : { times }) })
// #endregion faults

// #region tests
test("an order is found paid once the data API answers again", async () => {
  const order = await createOrder(shop, "ethereum", prices.ethereum)
  await addFault({ kind: "status", status: 503 }, { route: "*/transaction/history" })
  await pay(shop, order, prices.ethereum)
  await assert.rejects(checkOrder(shop, order), { _tag: "GatewayError" })
  assert.equal(shop.orders.get(order.id)?.state, "open")

  await askSandbox("faults", undefined, "DELETE")
  let checked = await checkOrder(shop, order)
  while (checked.state === "open") {
    await sleep(250)
    checked = await checkOrder(shop, checked)
  }
  assert.deepEqual(
    checked.payments.map(({ amount }) => amount),
    [prices.ethereum]
  )
})

test("confirmations are counted while one of two nodes hangs", async () => {
  const order = await paidOrder(shop, "ethereum")
  await addFault({ kind: "freeze" }, { node: "ethereum-sepolia/normal-1" })
  assert.equal((await confirmOrder(shop, order)).state, "confirmed")
})

test("a payment is counted once, however often the shop looks", async () => {
  let order = await paidOrder(shop, "solana", "0.7")
  for (const _ of [1, 2, 3]) order = await checkOrder(shop, order)
  assert.equal(order.state, "open")
  assert.equal(order.payments.length, 1)
})
// #endregion tests
