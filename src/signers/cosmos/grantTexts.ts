/** What a grant of an account of Cosmos allows, as its preview says it. */
import type { NetworkRow } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import type { Chain } from "./networks.js"
import type { CosmosTransaction } from "./Types.js"

/** The line of a preview by which a changed grant is found. */
export const describeGrant = (
  { amount, denom, grant, to }: CosmosTransaction,
  { chain, row }: { readonly chain: Chain; readonly row: NetworkRow }
): string => {
  const what = grant?.kind === "fees" ? "pay fees with" : "pay"
  if (grant?.action === "revoke") return `${to} may no longer ${what} coins of this account.`
  const most =
    denom === chain.denom ? `${Units.format(amount, row.decimals)} ${row.symbol}` : `${amount} ${denom}`
  const recipients = grant?.recipients === undefined ? "" : ` to ${grant.recipients.join(", ")}`
  const end =
    grant?.expires === undefined
      ? "until that is revoked"
      : `until ${new Date(grant.expires * 1_000).toISOString()}`
  return `${to} may ${what} up to ${most} of this account${recipients}, ${end}.`
}
