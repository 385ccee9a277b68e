import { type ReactElement, useMemo } from "react"
import { Guide } from "../guide/index.js"
import { NamesContext } from "../live/names.js"
import { useSandboxNodes } from "../live/useSandboxNodes.js"
import { Balances } from "../panels/Balances.js"
import { Calls } from "../panels/Calls.js"
import { Drive } from "../panels/Drive.js"
import { NodePool } from "../panels/NodePool.js"
import { Pulse } from "../panels/Pulse.js"
import { Timeline } from "../panels/Timeline.js"

/** The pool at work. */
export const Overview = (): ReactElement => {
  const sandbox = useSandboxNodes()
  const names = useMemo(() => new Map(sandbox.nodes.map(({ name, url }) => [url, name])), [sandbox.nodes])
  return (
    <NamesContext value={names}>
      <div className="overview span-full">
        <Guide />
        <Pulse />
        <Timeline />
        <NodePool sandbox={sandbox} />
        <Calls />
        <div className="column">
          <Balances />
          <Drive />
        </div>
      </div>
    </NamesContext>
  )
}
