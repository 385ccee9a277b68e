import type { ReactElement } from "react"
import { useNames } from "../live/names.js"
import { usePicture } from "../live/useMonitor.js"
import { usePlayground } from "../session.js"
import { Button, ErrorBox, Live, Panel } from "../ui/index.js"
import type { Figures, Told, Who } from "./rounds.js"
import { BROKEN, RATE, type Step, useGuide } from "./useGuide.js"
import "./guide.css"
import { isEvm } from "../networks.js"

const rounded = (ms: number | undefined): string => (ms === undefined ? "–" : `${Math.round(ms)} ms`)

const titles: Readonly<Record<Who, string>> = {
  pool: "effect-chains",
  single: "A plain client, one node"
}

const failuresOf = ({ after, before }: Told[Who]): number => before.failed + after.failed

const Latency = ({ figures, title }: { readonly title: string; readonly figures: Figures }): ReactElement => (
  <>
    <dt>{title}</dt>
    <dd className="tabular">{rounded(figures.p99)}</dd>
  </>
)

const Client = ({ told, who }: { readonly who: Who; readonly told: Told }): ReactElement => {
  const own = told[who]
  const failed = failuresOf(own)
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

const sentenceOf = (step: Step, victim = "", heir: string | undefined, told: Told): string => {
  switch (step) {
    case "ready":
      return `One click: both clients ask ${RATE} times a second, and then the node that answers is stopped.`
    case "before":
      return `Both clients ask ${victim}, ${RATE} times a second.`
    case "broken":
      return heir === undefined
        ? `${victim} is stopped.`
        : `${victim} is stopped: calls have moved to ${heir}.`
    case "healing":
      return `${victim} is started again.`
    case "done":
      return (
        `${victim} was stopped for ${BROKEN / 1_000} seconds` +
        (heir === undefined ? "." : `, and calls moved to ${heir}.`) +
        ` The plain client lost ${failuresOf(told.single)} calls, effect-chains ${failuresOf(told.pool)}.`
      )
  }
}

/** The first thing to see: the active node breaks, calls go on, and a plain client beside them fails. */
export const Guide = (): ReactElement | null => {
  const { admin, network, onSandbox, sandbox } = usePlayground()
  const nameOf = useNames()
  const { nodes } = usePicture()
  const { begin, error, heir, step, told, victim } = useGuide(nameOf)
  if (!onSandbox || !isEvm(network) || sandbox === undefined) return null
  const isOn = step !== "ready" && step !== "done"
  const isAble = admin !== undefined && nodes.filter(({ failed }) => !failed).length > 1
  const sentence = sentenceOf(step, victim, heir, told)
  return (
    <Panel id="guide" title="See it survive" hint={sentence}>
      <div className="guide">
        <Button kind="primary" busy={isOn} disabled={!isAble} onClick={begin}>
          Break the active node
        </Button>
        <Client who="pool" told={told} />
        <Client who="single" told={told} />
      </div>
      <Live>{step === "ready" ? "" : sentence}</Live>
      {error === undefined ? null : <ErrorBox error={error} />}
    </Panel>
  )
}
