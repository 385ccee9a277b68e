/** A browser wallet for the vectors that have one: it records its requests, and refuses those that its user would refuse. */
import * as Network from "../../src/data/Network.js"
import type { CallVector } from "./vectors.js"

export interface Wallet {
  readonly asked: ReadonlyArray<unknown>
  /** Takes the wallet off the page again. */
  readonly remove: () => void
}

/** What the recorded wallet answered to a transaction. */
const HASH = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
/** EIP-1193: the user rejected the request. */
const REJECTED = 4001

/** Puts a page with this vector's wallet, if it has one, where a browser has it. */
export const installWallet = ({
  accounts = [],
  network,
  noWallet,
  walletFailures = {}
}: CallVector): Wallet => {
  const chainId = Network.isNetwork(network) ? Network.info(network).chainId : undefined
  const asked: Array<unknown> = []
  const request = async (call: { readonly method: string; readonly params?: unknown }): Promise<unknown> => {
    asked.push(structuredClone(call))
    const refusal = walletFailures[call.method]
    if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: REJECTED })
    // what the recorded client never asks: the wallet is on the vector's network
    if (call.method === "eth_chainId" && chainId !== undefined) return `0x${chainId.toString(16)}`
    return call.method === "eth_sendTransaction" ? HASH : accounts
  }
  const page = new EventTarget()
  if (noWallet !== true) Object.assign(page, { ethereum: { request } })
  const before = Object.getOwnPropertyDescriptor(globalThis, "window")
  Object.defineProperty(globalThis, "window", { value: page, configurable: true, writable: true })
  return {
    asked,
    remove: () => {
      if (before === undefined) Reflect.deleteProperty(globalThis, "window")
      else Object.defineProperty(globalThis, "window", before)
    }
  }
}
