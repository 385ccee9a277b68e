import { type ReactElement, useState } from "react"
import { useRate } from "../../index.js"
import { findOwnNetwork, info } from "../networks.js"
import { usePlayground } from "../session.js"
import { ShowCode } from "../snippets/index.js"
import { ErrorBox, Panel, Segments, Skeleton, Time } from "../ui/index.js"

const bases = ["USD", "EUR", "BTC"] as const

type Base = (typeof bases)[number]

const digits = { USD: 2, EUR: 2, BTC: 8 } as const

const Rate = ({ base, currency }: { readonly base: Base; readonly currency: string }): ReactElement => {
  const { network } = usePlayground()
  const reading = useRate({ currency, basePair: base }, { network, refresh: "10 seconds" })
  const { data } = reading
  return (
    <div className="tile">
      <dt>{currency}</dt>
      <dd className="tabular truncate">
        {data === undefined ? (
          reading.status === "error" ? (
            <span className="muted">no rate</span>
          ) : (
            "…"
          )
        ) : (
          <>
            {Number(data.value).toLocaleString("en-US", {
              minimumFractionDigits: base === "BTC" ? 0 : 2,
              maximumFractionDigits: digits[base]
            })}{" "}
            <small>{base}</small>
          </>
        )}
      </dd>
    </div>
  )
}

/** The rates of coins. */
export const Rates = (): ReactElement => {
  const { network } = usePlayground()
  const [base, setBase] = useState<Base>("USD")
  // the provider has rates only for the coins of networks that it knows
  const symbol = findOwnNetwork(network) === undefined ? info(network).symbol : "ETH"
  const currencies = [...new Set([symbol, "ETH", "BTC", "SOL", "XRP"])].slice(0, 4)
  const reading = useRate({ currency: symbol, basePair: base }, { network, refresh: "10 seconds" })
  return (
    <Panel
      id="rates"
      title="Rates"
      hint={
        reading.data === undefined ? (
          "Asked again every ten seconds."
        ) : (
          <>
            From {reading.data.source}, <Time at={reading.data.timestamp} />
          </>
        )
      }
      actions={
        <Segments
          label="In which currency"
          value={base}
          options={bases.map((value) => ({ value, title: value }))}
          onChange={setBase}
        />
      }
      code={
        <ShowCode
          title="Rates"
          network={network}
          path="rates.getCurrentRate"
          args={[symbol, base]}
          hook="useRate"
          options={{ refresh: "10 seconds" }}
        />
      }
    >
      {reading.status === "error" && reading.data === undefined ? (
        <ErrorBox error={reading.error} onRetry={reading.refresh} />
      ) : reading.data === undefined ? (
        <Skeleton lines={3} height={24} />
      ) : (
        <dl className="tiles">
          {currencies.map((currency) => (
            <Rate key={currency} currency={currency} base={base} />
          ))}
        </dl>
      )}
    </Panel>
  )
}
