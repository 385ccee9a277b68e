import { type ReactElement, useMemo, useState } from "react"
import { formatUnits } from "../../../src/data/amounts.js"
import { decode, type Payload } from "../../../src/webhook.js"
import { ValueTree } from "../console/ValueTree.js"
import { Address, Amount, Badge, CopyButton, Empty, Hash, LiveRegion, Time } from "../ui/index.js"
import { TokenAmount } from "../ui/TokenAmount.js"
import type { Delivery } from "./useInbox.js"

const parseBody = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The amount, type and network of a transfer, from any of the provider's templates. */
const movementOf = (call: Payload | undefined) => {
  if (call?.format === "movement") {
    const { address, amount, asset, type } = call
    return { address, amount, symbol: asset, token: asset?.startsWith("0x") ? asset : undefined, type }
  }
  if (call?.format !== "enriched" && call?.format !== "enriched_with_raw_data") return undefined
  const { contractAddress, to, tokenMetadata, value } = call
  const { decimals, symbol, type } = tokenMetadata ?? {}
  return {
    address: to,
    amount: formatUnits(BigInt(value ?? 0), decimals ?? 0),
    symbol,
    token: contractAddress,
    type
  }
}

type Movement = NonNullable<ReturnType<typeof movementOf>>

const MovementAmount = ({ movement }: { readonly movement: Movement }): ReactElement => (
  <>
    <span className="webhooks-amount">
      {movement.token ? (
        <TokenAmount value={movement.amount} token={movement.token} />
      ) : (
        <Amount value={movement.amount} symbol={movement.symbol ?? undefined} />
      )}
    </span>
    <span className="muted">{movement.type ?? ""}</span>
  </>
)

/** What a delivery is about, and its body as it arrived. */
const DeliveryBody = (props: {
  readonly delivery: Delivery
  readonly call: Payload | undefined
  readonly movement: Movement | undefined
}): ReactElement => {
  const { call, delivery, movement } = props
  return (
    <div className="stack-2 webhooks-body">
      {call === undefined || call.format === "events" || !movement?.address ? null : (
        <p className="row">
          <span className="muted">at</span> <Address value={movement.address} />
          <span className="muted">in</span> <Hash value={call.txId} />
        </p>
      )}
      <div className="spread">
        <p className="hint">
          <span className="mono">POST {delivery.path}</span>, as it arrived
        </p>
        <CopyButton text={delivery.body} label="the body" />
      </div>
      <ValueTree value={parseBody(delivery.body)} />
    </div>
  )
}

const DeliveryItem = ({ delivery }: { readonly delivery: Delivery }): ReactElement => {
  const [open, setOpen] = useState(false)
  const decoded = useMemo(() => decode(delivery.body), [delivery.body])
  const call = decoded.status === "SUCCESS" ? decoded.data : undefined
  const movement = movementOf(call)
  return (
    <li>
      <details
        className="webhooks-delivery"
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <Badge tone={call === undefined ? "bad" : "info"}>{call?.subscriptionType ?? "unreadable"}</Badge>
          {movement === undefined ? null : <MovementAmount movement={movement} />}
          {call?.blockNumber === undefined || call.blockNumber === null ? null : (
            <span className="muted tabular">block {String(call.blockNumber)}</span>
          )}
          <span className="grow" />
          <span className="hint">
            <Time at={delivery.at} />
          </span>
        </summary>
        {open ? <DeliveryBody delivery={delivery} call={call} movement={movement} /> : null}
      </details>
    </li>
  )
}

/** Calls that have arrived, newest first. */
export const Deliveries = ({
  deliveries
}: {
  readonly deliveries: ReadonlyArray<Delivery>
}): ReactElement => {
  const [newest] = deliveries
  return (
    <>
      <LiveRegion>{newest === undefined ? "" : `Delivery ${newest.id} has arrived`}</LiveRegion>
      {deliveries.length === 0 ? (
        <Empty title="Nothing has arrived yet">
          Subscribe to an address with the url that the form suggests, then send something there.
        </Empty>
      ) : (
        <ul className="list-plain divide">
          {deliveries.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </>
  )
}
