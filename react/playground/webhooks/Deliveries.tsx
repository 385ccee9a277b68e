import { type ReactElement, useMemo, useState } from "react"
import { decode } from "../../../src/webhook.js"
import { ValueTree } from "../console/ValueTree.js"
import { Address, Amount, Badge, Copy, Empty, Hash, Live, Time } from "../ui/index.js"
import { TokenAmount } from "../ui/TokenAmount.js"
import type { Delivery } from "./useInbox.js"

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const One = ({ delivery }: { readonly delivery: Delivery }): ReactElement => {
  const [open, setOpen] = useState(false)
  const told = useMemo(() => decode(delivery.body), [delivery.body])
  const call = told.status === "SUCCESS" ? told.data : undefined
  const isMovement = call?.format === "movement"
  return (
    <li>
      <details
        className="webhooks-delivery"
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <Badge tone={call === undefined ? "bad" : "info"}>{call?.subscriptionType ?? "unreadable"}</Badge>
          {isMovement ? (
            <>
              <span className="webhooks-amount">
                {call.asset?.startsWith("0x") ? (
                  <TokenAmount value={call.amount} token={call.asset} />
                ) : (
                  <Amount value={call.amount} symbol={call.asset ?? undefined} />
                )}
              </span>
              <span className="muted">{call.type ?? ""}</span>
            </>
          ) : null}
          {call?.blockNumber === undefined || call.blockNumber === null ? null : (
            <span className="muted tabular">block {String(call.blockNumber)}</span>
          )}
          <span className="grow" />
          <span className="hint">
            <Time at={delivery.at} />
          </span>
        </summary>
        {open ? (
          <div className="stack-2 webhooks-body">
            {isMovement ? (
              <p className="row">
                <span className="muted">at</span> <Address value={call.address} />
                <span className="muted">in</span> <Hash value={call.txId} />
              </p>
            ) : null}
            <div className="spread">
              <p className="hint">
                <span className="mono">POST {delivery.path}</span>, as it arrived
              </p>
              <Copy text={delivery.body} label="the body" />
            </div>
            <ValueTree value={parsed(delivery.body)} />
          </div>
        ) : null}
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
      <Live>{newest === undefined ? "" : `Delivery ${newest.id} has arrived`}</Live>
      {deliveries.length === 0 ? (
        <Empty title="Nothing has arrived yet">
          Subscribe to an address with the url that the form suggests, then send something there.
        </Empty>
      ) : (
        <ul className="list-plain divide">
          {deliveries.map((delivery) => (
            <One key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </>
  )
}
