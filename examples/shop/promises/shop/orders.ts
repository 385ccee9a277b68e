/** Step 1: an address of its own for each order. */
import { signer as bitcoinSigner } from "effect-chains/signers/Bitcoin"
import { signer as ethereumSigner } from "effect-chains/signers/Evm"
import { signer as solanaSigner } from "effect-chains/signers/Solana"
import { type Chain, type Clients, unwrap } from "./chains.js"

// #region order
export interface Payment {
  readonly hash: string
  /** In whole coins, as text: numbers would be rounded. */
  readonly amount: string
  /** The height of its block; on Solana the slot. */
  readonly block: number
}

export interface Order {
  readonly id: number
  readonly chain: Chain
  readonly address: string
  readonly price: string
  readonly state: "open" | "paid" | "confirmed" | "closing" | "closed"
  readonly payments: ReadonlyArray<Payment>
  /** Where the money goes once it leaves the order's address. */
  readonly to?: string
}

/** Orders by their ids. Step 8 keeps them in a file. */
export interface Orders {
  readonly all: () => ReadonlyArray<Order>
  readonly get: (id: number) => Order | undefined
  readonly save: (order: Order) => void
  /** A number that no order has had before. */
  readonly nextId: () => number
}

export const inMemory = (): Orders => {
  const orders = new Map<number, Order>()
  let id = 0
  return {
    all: () => [...orders.values()],
    get: (id) => orders.get(id),
    save: (order) => void orders.set(order.id, order),
    nextId: () => ++id
  }
}

export interface Shop {
  readonly clients: Clients
  readonly mnemonic: string
  readonly orders: Orders
}

/** Saves the next state of an order, unless it has been changed since `before` was read. Yields what is saved now. */
export const update = ({ orders }: Shop, before: Order, change: Partial<Order>): Order => {
  const now = orders.get(before.id) ?? before
  if (now !== before) return now
  const after = { ...before, ...change }
  orders.save(after)
  return after
}
// #endregion order

// #region account
/** The account of an order: the order's id is its number in the mnemonic's wallet. */
export const accountOf = async ({ clients, mnemonic }: Shop, chain: Chain, id: number) => {
  const from = { mnemonic, index: id }
  switch (chain) {
    case "ethereum":
      return unwrap(await ethereumSigner(clients.ethereum, from))
    case "bitcoin":
      return unwrap(await bitcoinSigner(clients.bitcoin, from))
    case "solana":
      return unwrap(await solanaSigner(clients.solana, from))
  }
}

export const createOrder = async (shop: Shop, chain: Chain, price: string): Promise<Order> => {
  const id = shop.orders.nextId()
  const { address } = await accountOf(shop, chain, id)
  const order: Order = { id, chain, address, price, state: "open", payments: [] }
  shop.orders.save(order)
  return order
}
// #endregion account
