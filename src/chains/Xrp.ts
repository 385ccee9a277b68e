/**
 * The XRP Ledger: the JSON-RPC of rippled and Clio. Arguments are camelCase here and snake_case on the wire; results keep
 * the names of the wire, and transactions and ledger entries theirs (PascalCase), in both directions. Amounts of XRP are
 * strings in drops (10^-6 XRP). A refusal inside an answer, and a result that keeps a submitted transaction out
 * of every ledger, is an `RpcError` whose message starts with the ledger's own word for it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import {
  type Family,
  type FamilyAccounts,
  fieldAt,
  type ReadNativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import { group, rpc } from "../data/Endpoint.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { dialect, endpoints } from "./xrp/endpoints.js"
import type { Address } from "./xrp/Types.js"

export { classify, endpoints, readRefusal } from "./xrp/endpoints.js"
export type * from "./xrp/Types.js"

/**
 * The JSON-RPC client of the XRP Ledger.
 *
 * @since 0.1.0
 * @category clients
 */
export interface XrpRpc extends Client<typeof endpoints>, RawRpc {}

const parseDrops = (answer: unknown): bigint => {
  const balance = fieldAt("account_data", "Balance")(answer)
  if (typeof balance === "string" && /^\d+$/.test(balance)) return BigInt(balance)
  throw new Error("the account has no balance in drops")
}

const openLedger = group(dialect, {
  balance: rpc<[account: Address], bigint>("account_info")
    .params((account) => ({ account, ledgerIndex: "current" }))
    .decode(parseDrops)
})

/** An account that was never paid, or was deleted, has nothing. */
const isMissing = (error: RpcCallError): boolean =>
  error._tag === "RpcError" && /^actNotFound\b/.test(error.rpcMessage)

/** Balances in the open ledger, in drops. */
const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const nodes = client(openLedger)
  return Effect.forEach(
    addresses,
    (address) => Effect.catchIf(nodes.balance(address), isMissing, () => Effect.succeed(0n)),
    { concurrency: 5 }
  )
}

/**
 * The family of the XRP Ledger.
 *
 * @since 0.1.0
 * @category families
 */
export const xrp: Family<typeof endpoints, XrpRpc> = {
  endpoints,
  probe: () =>
    rpcProbe(
      "ledger",
      [{ ledger_index: "current", transactions: false, expand: false, owner_funds: false }],
      ["ledger_current_index"]
    )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/, "r and 24 to 34 digits of base58"],
  oneAddress: true,
  nativeBalances
} satisfies FamilyAccounts
