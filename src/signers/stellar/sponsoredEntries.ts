/** What an account of Stellar keeps the reserve of, for another one, as its preview says it. */
import type { StellarTransaction } from "./Types.js"

/** The line of a preview by which a changed transaction is found. */
export const describeSponsored = ({ creates, sponsors, to }: StellarTransaction): string => {
  const entries = [
    ...(creates === true ? ["the account itself"] : []),
    ...(sponsors?.trust ?? []).map((token) => `its trust line for ${token}`)
  ]
  return `It keeps the reserve of ${to} for ${entries.join(", ")}.`
}
