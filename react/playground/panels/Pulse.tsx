import type { ReactElement, ReactNode } from "react"
import { useBlockNumber } from "../../index.js"
import { useNames } from "../live/names.js"
import { useMonitorSnapshot } from "../live/useMonitor.js"
import { CHECK_INTERVAL_MS, usePlayground } from "../session.js"
import { LiveRegion } from "../ui/index.js"

const formatMs = (ms: number | undefined): string => (ms === undefined ? "–" : String(Math.round(ms)))

interface FigureProps {
  readonly title: string
  readonly value: ReactNode
  readonly note: string
  readonly bad?: boolean
}

const Figure = ({ bad = false, note, title, value }: FigureProps): ReactElement => (
  <div>
    <dt>{title}</dt>
    <dd className="pulse-value tabular truncate">{value}</dd>
    <dd className={`tabular truncate ${bad ? "pulse-bad" : "muted"}`}>{note}</dd>
  </div>
)

/** The pool in four numbers. */
export const Pulse = (): ReactElement => {
  const { network, isOnSandbox, sandbox } = usePlayground()
  const { data: height } = useBlockNumber({ network, watch: true })
  const snapshot = useMonitorSnapshot()
  const nameOf = useNames()
  const active = snapshot.nodes.find((node) => node.active && node.type === "NORMAL" && !node.failed)
  const total = snapshot.nodes.length
  const isSilent = snapshot.silentSince !== undefined
  const healthy = isSilent ? 0 : snapshot.nodes.filter(({ failed }) => !failed).length
  return (
    <section className="span-full" aria-label="The pool in numbers">
      <dl className="pulse">
        <Figure
          title="Newest block"
          value={height === undefined ? "–" : height.toLocaleString("en-US")}
          note={
            isOnSandbox && sandbox?.network === network ? `a block every ${sandbox.blockTime} s` : network
          }
        />
        <Figure
          title="Active node"
          value={isSilent ? "none" : active === undefined ? "–" : nameOf(active.url)}
          note={
            total === 0
              ? "no pool"
              : isSilent
                ? `0 of ${total} well: nothing answers, trying again${isOnSandbox ? ` in ${CHECK_INTERVAL_MS / 1_000} s` : ""}`
                : `${healthy} of ${total} well`
          }
          bad={healthy < total}
        />
        <Figure
          title="Median latency"
          value={
            <>
              {formatMs(snapshot.p50)} <small>ms</small>
            </>
          }
          note={`95 % within ${formatMs(snapshot.p95)} ms`}
        />
        <Figure
          title="Calls answered"
          value={snapshot.answered.toLocaleString("en-US")}
          note={`${snapshot.exhausted} failed`}
          bad={snapshot.exhausted > 0}
        />
      </dl>
      <LiveRegion>
        {isSilent
          ? "No node answers."
          : active === undefined
            ? ""
            : `The active node is ${nameOf(active.url)}.`}
      </LiveRegion>
    </section>
  )
}
