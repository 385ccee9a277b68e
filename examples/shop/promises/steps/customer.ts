/** The customer of the tutorial: the sandbox pays from its own accounts, on every chain. */
import { setTimeout as sleep } from "node:timers/promises"
import { generateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { type Chain, connect, unwrap } from "../shop/chains.js"
import { accountOf, createOrder, inMemory, type Order, type Shop } from "../shop/orders.js"
import { checkOrder } from "../shop/watch.js"

const SANDBOX = "http://127.0.0.1:4100"

/** What the provider and the shop know, and nobody else. It is one for all subscriptions of an API key. */
export const SECRET = "a secret of the tutorial"

export const prices: Record<Chain, string> = { ethereum: "0.05", bitcoin: "0.001", solana: "1.5" }

/** A shop with a new wallet each time: addresses of an earlier run have been paid already. */
export const openShop = async (): Promise<Shop> => ({
  clients: await connect(),
  mnemonic: generateMnemonic(wordlist),
  orders: inMemory()
})

/** Asks the sandbox's own routes, which no real provider has. */
export const askSandbox = async (path: string, body?: object, method = "POST"): Promise<void> => {
  const response = await fetch(`${SANDBOX}/sandbox/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}

export const pay = async ({ clients }: Shop, { address, chain }: Order, amount: string): Promise<void> => {
  await askSandbox(`networks/${clients[chain].network}/fund`, { address, amount })
}

/** An order that has been paid, as step 2 sees it. */
export const paidOrder = async (shop: Shop, chain: Chain, amount = prices[chain]): Promise<Order> => {
  let order = await createOrder(shop, chain, prices[chain])
  await pay(shop, order, amount)
  while (order.payments.length === 0) {
    await sleep(250)
    order = await checkOrder(shop, order)
  }
  return order
}

/** An address on each chain whose key is somebody else's. */
export const otherAddresses = async (shop: Shop): Promise<Record<Chain, string>> => {
  const other = { ...shop, mnemonic: generateMnemonic(wordlist) }
  const addressOf = async (chain: Chain) => (await accountOf(other, chain, 0)).address
  return {
    ethereum: await addressOf("ethereum"),
    bitcoin: await addressOf("bitcoin"),
    solana: await addressOf("solana")
  }
}

export const balanceOf = async ({ clients }: Shop, chain: Chain, address: string): Promise<string> => {
  const [coins] = unwrap(await clients[chain].address.getBalance({ address }))
  return coins?.balance ?? "0"
}
