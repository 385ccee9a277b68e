import type { ReactElement } from "react"
import type { Network } from "../../../src/data/Network.js"
import type { FeeNetwork } from "../../../src/services/Fee.js"
import { useFee } from "../../index.js"
import { hasFee } from "../networks.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import { Empty, ErrorBox, Panel, Skeleton } from "../ui/index.js"

const isFeeNetwork = (network: Network): network is FeeNetwork => hasFee(network)

const FeeTable = ({ network }: { readonly network: FeeNetwork }): ReactElement => {
  const reading = useFee({ network, refresh: "blocks" })
  const { data } = reading
  if (data === undefined)
    return reading.status === "error" ? (
      <ErrorBox error={reading.error} onRetry={reading.refresh} />
    ) : (
      <Skeleton lines={4} height={24} />
    )
  const steps = "gasPrice" in data ? data.gasPrice : data
  const unit = "gasPrice" in data ? data.gasPrice.unit : "per byte"
  const tiles = [
    ["Slow", steps.slow],
    ["Medium", steps.medium],
    ["Fast", steps.fast],
    ...("gasPrice" in data ? [["Base fee", data.gasPrice.baseFee] as const] : [])
  ] as const
  return (
    <>
      <dl className="tiles">
        {tiles.map(([title, value]) => (
          <div className="tile" key={title}>
            <dt>{title}</dt>
            <dd className="tabular truncate" title={`${value} ${unit}`}>
              {Number(value).toLocaleString("en-US", { maximumSignificantDigits: 4 })} <small>{unit}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p className="footnote tabular">
        As of block {data.basedOnBlockNumber.toLocaleString("en-US")},{" "}
        {new Date(data.lastRecalculated).toLocaleTimeString()}
      </p>
    </>
  )
}

/** The fees of a transaction now. */
export const Fees = (): ReactElement => {
  const { network } = usePlayground()
  return (
    <Panel
      id="fees"
      title="Fees"
      hint="What a transaction costs now, asked again with every block."
      code={
        <ShowCode
          title="Fees"
          network={network}
          path="fee.getCurrentFee"
          hook="useFee"
          options={{ refresh: "blocks" }}
        />
      }
    >
      {isFeeNetwork(network) ? (
        <FeeTable network={network} />
      ) : (
        <Empty title="No estimates here">
          The provider estimates fees for Ethereum, Bitcoin, Litecoin, Dogecoin and their testnets.
        </Empty>
      )}
    </Panel>
  )
}
