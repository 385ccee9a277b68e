/**
 * Tron: the EVM endpoints over JSON-RPC, and the wallet routes of java-tron. Integers of the wallet routes are `bigint`;
 * amounts are in sun (10^-6 TRX), times in milliseconds since 1970. Methods that make a transaction give it unsigned.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, type ReadTokenDetails, rpcProbe } from "../balancer/Family.js"
import { textOf } from "../data/abiText.js"
import { group } from "../data/Endpoint.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { Client, RawRpc } from "../transport/Client.js"
import * as Evm from "./Evm.js"
import { dialect, endpoints, walletEndpoints } from "./tron/endpoints.js"

export { endpoints, refusal } from "./tron/endpoints.js"
export type * from "./tron/Types.js"

/**
 * The client of Tron.
 *
 * @since 0.1.0
 * @category clients
 */
export interface TronRpc extends Client<typeof endpoints>, RawRpc {}

const contractCalls = group(dialect, { ask: walletEndpoints.triggerConstantContract })

/** Decimals are one byte. */
const parseDecimals = (hex: string): number | undefined => {
  const value = BigInt(`0x${hex.slice(0, 64)}`)
  return value <= 255n ? Number(value) : undefined
}

/** The answer of a contract to a call without arguments: nothing if there is no contract, or none with this function. */
const callContract = (
  nodes: Client<typeof contractCalls>,
  contract: string,
  selector: string
): Effect.Effect<string | undefined, RpcCallError> =>
  nodes.ask(contract, contract, selector, "", { visible: true }).pipe(
    Effect.map(({ constant_result: [hex = ""] = [] }) => (/^([0-9a-f]{2})+$/i.test(hex) ? hex : undefined)),
    Effect.catchTag("RequestRejected", () => Effect.succeed(undefined))
  )

/** The details of a token, by its TRC-20 contract. */
const tokenDetails: ReadTokenDetails = (client, contract) => {
  const nodes = client(contractCalls)
  return Effect.gen(function* () {
    const symbolHex = yield* callContract(nodes, contract, "symbol()")
    const decimalsHex = yield* callContract(nodes, contract, "decimals()")
    const symbol = symbolHex === undefined ? undefined : textOf(symbolHex)
    const decimals = decimalsHex === undefined ? undefined : parseDecimals(decimalsHex)
    return {
      ...(symbol === undefined ? {} : { symbol }),
      ...(decimals === undefined ? {} : { decimals })
    }
  })
}

/**
 * The family of Tron, whose nodes answer the height as EVM nodes do. An own node's url is that of its HTTP API, with the JSON-RPC
 * in /jsonrpc beside it, or that of this JSON-RPC; java-tron has the two on ports of their own, for which there is `jsonRpcUrl`.
 *
 * @since 0.1.0
 * @category families
 */
export const tron: Family<typeof endpoints, TronRpc> = {
  endpoints,
  chain: Evm.chain,
  layout: { servers: { jsonRpcUrl: { routes: /^$/, path: "/jsonrpc" } } },
  probe: () => rpcProbe("eth_blockNumber", [], [])
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, "T and 33 digits of base58"],
  account: { path: "tron/account/", coins: "balance", tokens: "trc20", error: "Error" },
  tokenDetails
} satisfies FamilyAccounts
