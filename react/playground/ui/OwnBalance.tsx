import type { ReactElement, ReactNode } from "react"
import { format } from "../../../src/data/Units.js"
import { useRpc } from "../../index.js"
import type { EvmDefinition } from "../networks.js"
import { describeError } from "./States.js"
import { Amount, Badge } from "./Values.js"

/** The balance of an address by the network's nodes, with every block, where the provider does not know the network. */
export const OwnBalance = ({
  address,
  network
}: {
  readonly address: string
  readonly network: EvmDefinition
}): ReactElement => {
  const { data, error } = useRpc("getBalance", [address], { network, refresh: "blocks" })
  const { decimals, symbol } = network.currency
  const failed: ReactNode =
    error === undefined ? null : (
      <span title={describeError(error).message}>
        <Badge tone="bad">{describeError(error).tag ?? "failed"}</Badge>
      </span>
    )
  return (
    <>
      {failed}
      {data === undefined ? (
        <span className="muted">{error === undefined ? "…" : ""}</span>
      ) : (
        <Amount value={format(data, decimals)} symbol={symbol} flash />
      )}
    </>
  )
}
