import * as Effect from "effect/Effect"
import { type ReactElement, useEffect, useState } from "react"
import type { Network } from "../../../src/data/Network.js"
import { useRun } from "../../index.js"
import { effectAt } from "../../Reactive.js"
import { Badge, describeError, LinkedAddress, LinkedHash, LiveRegion, Time } from "../ui/index.js"

/** A transaction that a wallet has sent: `amount` in whole coins, `at` in milliseconds since 1970. */
export interface SentTransfer {
  readonly hash: string
  readonly to: string
  readonly amount: string
  readonly at: number
}

type Progress =
  | { readonly _tag: "pending" }
  | { readonly _tag: "mined"; readonly block: number; readonly gas: bigint; readonly succeeded: boolean }
  | { readonly _tag: "lost"; readonly error: unknown }

const readField = (value: unknown, name: string): string => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === "string" ? found : "0x0"
}

/** Follows a transaction until it is in a block. */
const useProgress = (hash: string, network: Network): Progress => {
  const run = useRun({ network })
  const [progress, setProgress] = useState<Progress>({ _tag: "pending" })
  useEffect(() => {
    let current = true
    void run((sdk) =>
      Effect.mapError(
        effectAt(sdk, "rpc.waitForTransaction", [hash, { allowFailure: true }], "read"),
        (error) => (error instanceof Error ? error : new Error(String(error)))
      )
    ).then((outcome) => {
      if (!current) return
      setProgress(
        outcome.status === "ERROR"
          ? { _tag: "lost", error: outcome.error.cause }
          : {
              _tag: "mined",
              block: Number(readField(outcome.data, "blockNumber")),
              gas: BigInt(readField(outcome.data, "gasUsed")),
              succeeded: readField(outcome.data, "status") === "0x1"
            }
      )
    })
    return () => {
      current = false
    }
  }, [run, hash])
  return progress
}

const Transfer = ({
  network,
  sent
}: {
  readonly sent: SentTransfer
  readonly network: Network
}): ReactElement => {
  const progress = useProgress(sent.hash, network)
  const words =
    progress._tag === "pending"
      ? "in the queue"
      : progress._tag === "lost"
        ? describeError(progress.error).message
        : `block ${progress.block}, ${progress.gas} gas`
  return (
    <li className="wallet-transfer">
      <Badge
        tone={
          progress._tag === "pending"
            ? "info"
            : progress._tag === "mined" && progress.succeeded
              ? "ok"
              : "bad"
        }
        dot
      >
        {progress._tag === "pending"
          ? "Pending"
          : progress._tag === "lost"
            ? "Lost"
            : progress.succeeded
              ? "Mined"
              : "Reverted"}
      </Badge>
      <span className="tabular">{sent.amount}</span>
      <span className="row">
        <span className="muted">to</span> <LinkedAddress value={sent.to} />
      </span>
      <LinkedHash value={sent.hash} />
      <span className={progress._tag === "lost" ? "hint" : "hint tabular wallet-words"}>{words}</span>
      <span className="hint">
        <Time at={sent.at} />
      </span>
      <LiveRegion>{progress._tag === "pending" ? "" : `The transaction is in: ${words}`}</LiveRegion>
    </li>
  )
}

/** The transfers from this page, the newest first, with their state. */
export const Transfers = ({
  network,
  sent
}: {
  readonly sent: ReadonlyArray<SentTransfer>
  readonly network: Network
}): ReactElement => (
  <div className="wallet-transfers">
    <h3>Sent from this page</h3>
    {sent.length === 0 ? (
      <p className="hint">Nothing yet.</p>
    ) : (
      <ul className="list-plain divide">
        {sent.map((each) => (
          <Transfer key={each.hash} sent={each} network={network} />
        ))}
      </ul>
    )}
  </div>
)
