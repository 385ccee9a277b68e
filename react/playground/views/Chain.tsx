import type { ReactElement } from "react"
import { Fees } from "../panels/Fees.js"
import { Rates } from "../panels/Rates.js"
import { Transactions } from "../panels/Transactions.js"

/** The provider's API on a chain. */
export const Chain = (): ReactElement => (
  <>
    <Transactions />
    <div className="column span-third">
      <Fees />
      <Rates />
    </div>
  </>
)
