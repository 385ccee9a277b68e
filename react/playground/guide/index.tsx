import type { ReactElement } from "react"
import { useNames } from "../live/names.js"
import { useMonitorSnapshot } from "../live/useMonitor.js"
import { usePlayground } from "../session.js"
import { Button, ErrorBox, LiveRegion, Panel } from "../ui/index.js"
import type { ClientKind, PhaseStats, RoundStats } from "./Round.js"
import { BROKEN_MS, CALLS_PER_SECOND, type GuideState, useGuide } from "./useGuide.js"
import "./guide.css"
import { isEvm } from "../networks.js"

const formatMs = (ms: number | undefined): string => (ms === undefined ? "–" : `${Math.round(ms)} ms`)

const titles: Readonly<Record<ClientKind, string>> = {
  pool: "effect-chains",
  single: "A plain client, one node"
}

const countFailures = ({ after, before }: RoundStats[ClientKind]): number => before.failed + after.failed

const Latency = ({
  figures,
  title
}: {
  readonly title: string
  readonly figures: PhaseStats
}): ReactElement => (
  <>
    <dt>{title}</dt>
    <dd className="tabular">{formatMs(figures.p99)}</dd>
  </>
)

const ClientStats = ({
  stats,
  who
}: {
  readonly who: ClientKind
  readonly stats: RoundStats
}): ReactElement => {
  const own = stats[who]
  const failed = countFailures(own)
  const sent = own.before.sent + own.after.sent
  return (
    <section className="guide-client" aria-label={titles[who]}>
      <h3>{titles[who]}</h3>
      <p className={`guide-failed tabular${failed === 0 ? "" : " pulse-bad"}`}>
        {failed.toLocaleString("en-US")} <small>failed</small>
      </p>
      <dl className="guide-figures">
        <Latency title="p99 before" figures={own.before} />
        <Latency title="p99 after" figures={own.after} />
        <dt>calls</dt>
        <dd className="tabular">{sent.toLocaleString("en-US")}</dd>
      </dl>
    </section>
  )
}

const describeStep = ({ brokenNode = "", stats, step, successor }: GuideState): string => {
  switch (step) {
    case "ready":
      return `One click: both clients ask ${CALLS_PER_SECOND} times a second, and then the node that answers is stopped.`
    case "before":
      return `Both clients ask ${brokenNode}, ${CALLS_PER_SECOND} times a second.`
    case "broken":
      return successor === undefined
        ? `${brokenNode} is stopped.`
        : `${brokenNode} is stopped: calls have moved to ${successor}.`
    case "healing":
      return `${brokenNode} is started again.`
    case "done":
      return (
        `${brokenNode} was stopped for ${BROKEN_MS / 1_000} seconds` +
        (successor === undefined ? "." : `, and calls moved to ${successor}.`) +
        ` The plain client lost ${countFailures(stats.single)} calls, effect-chains ${countFailures(stats.pool)}.`
      )
  }
}

/** Stops the active node, and compares the calls of the SDK with those of a plain client. */
export const Guide = (): ReactElement | null => {
  const { admin, network, isOnSandbox, sandbox } = usePlayground()
  const nameOf = useNames()
  const { nodes } = useMonitorSnapshot()
  const guide = useGuide(nameOf)
  const { begin, error, step, stats } = guide
  if (!isOnSandbox || !isEvm(network) || sandbox === undefined) return null
  const isOn = step !== "ready" && step !== "done"
  const isAble = admin !== undefined && nodes.filter(({ failed }) => !failed).length > 1
  const sentence = describeStep(guide)
  return (
    <Panel id="guide" title="See it survive" hint={sentence}>
      <div className="guide">
        <Button kind="primary" busy={isOn} disabled={!isAble} onClick={begin}>
          Break the active node
        </Button>
        <ClientStats who="pool" stats={stats} />
        <ClientStats who="single" stats={stats} />
      </div>
      <LiveRegion>{step === "ready" ? "" : sentence}</LiveRegion>
      {error === undefined ? null : <ErrorBox error={error} />}
    </Panel>
  )
}
