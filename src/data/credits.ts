/**
 * The credits that calls of the provider cost: routes of its API by their paths, and calls of its nodes by their methods.
 *
 * Those of routes are what the provider's description of April 2026 says, and a test holds them against it. Those of nodes are what the
 * provider's pages say of its gateway: each call of a list costs as much as it does alone. A route that is not here has no published
 * price.
 *
 * @since 0.1.0
 */
import { isRecord } from "./untrusted.js"

/**
 * A call that the provider counts: its route (`eth_call`, `GET v4/data/wallet/portfolio`), and its price in credits, if that is published.
 *
 * @since 0.1.0
 * @category models
 */
export interface Charge {
  readonly route: string
  readonly credits?: number
}

/**
 * The calls of one route that the provider has answered, and the credits that they have cost. Without `credits`, the provider publishes no
 * price of the route.
 *
 * @since 0.1.0
 * @category models
 */
export interface RouteCredits {
  readonly calls: number
  readonly credits?: number
}

/**
 * The credits that a client has spent since it was made. `spent` is their sum. `unpriced` are the calls of routes without a published
 * price, which `spent` leaves out. `routes` has both by route: methods of nodes (`eth_call`), and routes of the provider's API
 * (`GET v4/data/wallet/portfolio`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Credits {
  readonly spent: number
  readonly unpriced: number
  readonly routes: Readonly<Record<string, RouteCredits>>
}

/**
 * The routes of the provider's API by the credits of a call.
 *
 * @since 0.1.0
 * @category constants
 */
export const routeCredits = {
  1: [
    "GET v4/subscription",
    "GET v4/subscription/count",
    "GET v4/subscription/webhook",
    "GET v4/subscription/webhook/count"
  ],
  10: [
    "GET v4/data/blockchains/balance",
    "GET v4/data/blockchains/balance/batch",
    "GET v4/data/blockchains/block",
    "GET v4/data/blockchains/block/current",
    "GET v4/data/blockchains/block/hash",
    "GET v4/data/blockchains/transaction",
    "GET v4/data/blockchains/transaction/count",
    "POST v4/blockchainOperations/gas"
  ],
  20: [
    "GET v4/data/blockchains/transaction/history/utxos",
    "GET v4/data/blockchains/transaction/internal",
    "GET v4/data/collections",
    "GET v4/data/metadata",
    "GET v4/data/multitoken/balances",
    "GET v4/data/nft/balances",
    "GET v4/data/owners",
    "GET v4/data/owners/address",
    "GET v4/data/rate/contract",
    "GET v4/data/rate/symbol",
    "GET v4/data/tokens",
    "GET v4/data/tokens/newest",
    "GET v4/data/tokens/popular",
    "GET v4/data/tokens/trending",
    "GET v4/data/transaction/history",
    "GET v4/data/transactions/hash",
    "POST v4/data/blockchains/transaction/history/utxos/batch",
    "POST v4/data/rate/contract/batch",
    "POST v4/data/rate/symbol/batch"
  ],
  50: [
    "GET v4/data/rate/history",
    "GET v4/data/rate/symbol/OHLCV",
    "GET v4/data/wallet/portfolio",
    "POST v4/subscription"
  ],
  100: [
    "GET v4/data/staking/native/current-assets",
    "GET v4/data/staking/native/current-assets-by-validator",
    "GET v4/data/utxos",
    "POST v4/data/utxos/batch"
  ],
  200: ["GET v4/data/rate/price-change", "POST v4/data/rate/price-change/batch"],
  500: ["GET v4/data/rate/symbol/OHLCV/batch"]
} as const

const prices: ReadonlyMap<string, number> = new Map(
  Object.entries(routeCredits).flatMap(([credits, routes]) =>
    routes.map((route): readonly [string, number] => [route, Number(credits)])
  )
)

/** Methods and routes of nodes that follow how a transaction has run: `debug_traceCall`, `trace_block`, `/v1/trace_api/get_block`. */
const TRACES = /(^|\/)(debug|trace)_/

/**
 * The credits of a call of the provider's nodes, by its method or the path of its route.
 *
 * @since 0.1.0
 * @category getters
 */
export const creditsOfNodeCall = (method: string): number =>
  TRACES.test(method) ? 50 : method === "eth_call" ? 5 : 2

/**
 * What a request to the provider's API is charged as, by its method and its path from the version on (`v4/data/tokens`). The other routes
 * may have values in their paths, and go by the first part of theirs.
 *
 * @since 0.1.0
 * @category getters
 */
export const chargeOfRoute = (method: string, path: string): Charge => {
  const route = `${method} ${path}`
  const credits = prices.get(route)
  return credits === undefined
    ? { route: `${method} ${path.split("/").slice(0, 2).join("/")}` }
    : { route, credits }
}

/** The JSON of a text, or nothing. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What a request to one of the provider's nodes is charged as: every JSON-RPC call of its body, or one call of a route. Routes go by the
 * verb alone, since their paths have values in them.
 *
 * @since 0.1.0
 * @category getters
 */
export const chargesOfNode = (verb: string, path: string, body: unknown): ReadonlyArray<Charge> => {
  const json = typeof body === "string" ? parsed(body) : undefined
  const members = Array.isArray(json) ? json : [json]
  const methods = members.flatMap((member) =>
    isRecord(member) && typeof member.method === "string" ? [member.method] : []
  )
  return methods.length === 0
    ? [{ route: `${verb} of a node`, credits: creditsOfNodeCall(path) }]
    : methods.map((method) => ({ route: method, credits: creditsOfNodeCall(method) }))
}

/** Programs name methods: an account does not grow with every name. */
const MAX_ROUTES = 1_000

/**
 * The account of a client: `charge` adds a call, `read` tells what was spent until now.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  /** The charge as it was added: under another route where there are too many. */
  readonly charge: (charge: Charge) => Charge
  readonly read: () => Credits
}

/**
 * An account on which nothing was spent yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeAccount = (): Account => {
  const routes = new Map<string, RouteCredits>()
  let spent = 0
  let unpriced = 0
  return {
    charge: ({ credits, route: requestedRoute }) => {
      const route = routes.has(requestedRoute) || routes.size < MAX_ROUTES ? requestedRoute : "other routes"
      const { calls, ...before }: RouteCredits = routes.get(route) ?? { calls: 0 }
      if (credits === undefined) {
        unpriced++
        routes.set(route, { ...before, calls: calls + 1 })
        return { route }
      }
      spent += credits
      routes.set(route, { calls: calls + 1, credits: (before.credits ?? 0) + credits })
      return { route, credits }
    },
    read: () => ({ spent, unpriced, routes: Object.fromEntries(routes) })
  }
}
