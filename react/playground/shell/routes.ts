import { useSyncExternalStore } from "react"

/** The views of the page, by the hash of their address. */
export const routes = [
  {
    id: "overview",
    hash: "#/",
    title: "Overview",
    lead: "The node pool at work: take nodes down and watch calls go on."
  },
  {
    id: "chain",
    hash: "#/chain",
    title: "Chain data",
    lead: "Fees, rates and histories, as the provider's API tells them."
  },
  {
    id: "nfts",
    hash: "#/nfts",
    title: "NFTs",
    lead: "Tokens of a collection or of an owner, with their metadata."
  },
  {
    id: "console",
    hash: "#/console",
    title: "RPC console",
    lead: "Every method of the network, with its arguments and its documentation."
  },
  {
    id: "wallet",
    hash: "#/wallet",
    title: "Wallet",
    lead: "Wallets of this browser: connect one, and send."
  },
  {
    id: "webhooks",
    hash: "#/webhooks",
    title: "Webhooks",
    lead: "Subscriptions to addresses and contracts, and what is delivered for them."
  },
  {
    id: "settings",
    hash: "#/settings",
    title: "Settings",
    lead: "Whom this page talks to."
  }
] as const satisfies ReadonlyArray<{
  readonly id: string
  readonly hash: string
  readonly title: string
  readonly lead: string
}>

/** A view of the page. */
export type Route = (typeof routes)[number]

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener("hashchange", listener)
  return () => window.removeEventListener("hashchange", listener)
}

/** The view that the address names; the first one for any other. */
export const useRoute = (): Route => {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return routes.find((route) => route.hash === hash) ?? routes[0]
}
