import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type ReactElement, useEffect, useState } from "react"
import type { SeenRequest } from "../../../src/sandbox/api/FaultRule.js"
import type { Attempt, CallTrace, MonitorSnapshot, NodeEvent } from "../live/monitor.js"
import { useNames } from "../live/names.js"
import { useMonitorSnapshot } from "../live/useMonitor.js"
import { type Playground, run, usePlayground } from "../session.js"
import { Badge, Button, Empty, Panel, Scroller, Tabs, Time } from "../ui/index.js"

const tones = { ok: "ok", failed: "bad", lost: "muted", open: "muted" } as const

const kindLabels = { first: "", hedge: "also ", retry: "then " } as const

const formatDuration = ({ end, start }: Attempt): string => (end === undefined ? "…" : `${end - start} ms`)

const CallRow = ({ trace }: { readonly trace: CallTrace }): ReactElement => {
  const nameOf = useNames()
  const first = trace.attempts[0]
  const last = trace.attempts.find(({ outcome }) => outcome === "ok")
  const total = first === undefined || last?.end === undefined ? "…" : `${last.end - first.start} ms`
  return (
    <li className="call">
      <span className="mono truncate">{trace.call}</span>
      <span className="call-route">
        {trace.attempts.map((attempt) => (
          <span key={attempt.id} className="row" style={{ gap: 4 }}>
            {kindLabels[attempt.kind]}
            <Badge tone={tones[attempt.outcome]}>
              {nameOf(attempt.url)}
              {trace.attempts.length > 1 ? <span className="tabular"> {formatDuration(attempt)}</span> : null}
            </Badge>
          </span>
        ))}
      </span>
      <span className="end tabular" style={{ textAlign: "right" }}>
        {total}
      </span>
    </li>
  )
}

/** Keys of the rows by position: a new call changes the content of rows in place of moving all of them. */
const rows: ReadonlyArray<string> = Array.from({ length: 100 }, (_, i) => `row ${i}`)

const NodeEventLine = ({ event }: { readonly event: NodeEvent }): ReactElement => {
  const nameOf = useNames()
  const tone = event.kind === "readmitted" ? "ok" : event.kind === "cooled" ? "warn" : "bad"
  const words = { failed: "Out", readmitted: "Back", cooled: "Cooled", exhausted: "Failed" } as const
  return (
    <li>
      <Badge tone={tone}>{words[event.kind]}</Badge>
      <span className="truncate" title={event.text}>
        <strong>{event.url === "" ? "" : nameOf(event.url)}</strong>{" "}
        <span className="muted">{event.text}</span>
      </span>
      <span className="muted">
        <Time at={event.at} />
      </span>
    </li>
  )
}

const RequestLine = ({ request }: { readonly request: SeenRequest }): ReactElement => (
  <li>
    <Badge tone={request.outcome === "answered" && (request.status ?? 200) < 400 ? "ok" : "bad"}>
      {request.outcome === "answered" ? (request.status ?? "–") : request.outcome}
    </Badge>
    <span className="truncate">
      <strong>{request.node?.replace(/^.*\//, "") ?? request.where}</strong>{" "}
      <span className="mono muted">{request.methods.join(", ") || `${request.verb} ${request.path}`}</span>{" "}
      {request.faults.length === 0 ? null : <Badge tone="warn">met a fault</Badge>}
    </span>
    <span className="muted tabular">{Math.round(request.ms)} ms</span>
  </li>
)

const MAX_REQUESTS = 60

/** The requests that the sandbox has received, while their tab is open. */
const useSandboxRequests = (enabled: boolean): ReadonlyArray<SeenRequest> => {
  const { admin } = usePlayground()
  const [requests, setRequests] = useState<ReadonlyArray<SeenRequest>>([])
  useEffect(() => {
    if (!enabled || admin === undefined) return
    const abort = new AbortController()
    const events = admin.events(MAX_REQUESTS).pipe(
      // leave out the page's own requests to the sandbox
      Stream.filter(({ path }) => !path.startsWith("/sandbox")),
      Stream.groupedWithin(MAX_REQUESTS, 500),
      Stream.runForEach((chunk) =>
        Effect.sync(() => {
          if (!abort.signal.aborted)
            setRequests((before) => [...Array.from(chunk).reverse(), ...before].slice(0, MAX_REQUESTS))
        })
      )
    )
    void run(
      Effect.raceFirst(
        events,
        Effect.async<void>((resume) => {
          abort.signal.addEventListener("abort", () => resume(Effect.void))
        })
      )
    )
    return () => abort.abort()
  }, [admin, enabled])
  return requests
}

const EmptyItem = ({ text, title }: { readonly title: string; readonly text: string }): ReactElement => (
  <li style={{ display: "block" }}>
    <Empty title={title}>{text}</Empty>
  </li>
)

/** Calls with their attempts. `empty` is shown in place of none. */
const CallList = (props: {
  readonly calls: ReadonlyArray<CallTrace>
  readonly empty: ReactElement
}): ReactElement => (
  <Scroller className="calls" label="Calls, newest first">
    <ul className="list-plain divide">
      {rows.slice(0, props.calls.length).map((key, i) => {
        const trace = props.calls[i]
        return trace === undefined ? null : <CallRow key={key} trace={trace} />
      })}
      {props.calls.length === 0 ? <li>{props.empty}</li> : null}
    </ul>
  </Scroller>
)

const NodeEventList = ({ nodeEvents }: Pick<MonitorSnapshot, "nodeEvents">): ReactElement => (
  <Scroller className="log" label="What happened to nodes, newest first">
    <ul className="list-plain divide">
      {nodeEvents.map((each) => (
        <NodeEventLine key={each.id} event={each} />
      ))}
      {nodeEvents.length === 0 ? (
        <EmptyItem
          title="Nothing has happened to a node"
          text="Nodes that are taken out, and those that are back."
        />
      ) : null}
    </ul>
  </Scroller>
)

/** What the user did on this page. */
const ActionList = ({ lines }: Pick<Playground, "lines">): ReactElement => (
  <Scroller className="log" label="What was done on this page, newest first">
    <ul className="list-plain divide">
      {lines.map(({ at, id, text }) => (
        <li key={id}>
          <Badge>You</Badge>
          <span className="truncate">{text}</span>
          <span className="muted">
            <Time at={at} />
          </span>
        </li>
      ))}
      {lines.length === 0 ? (
        <EmptyItem
          title="Nothing yet"
          text="What you do to the sandbox is listed here, to compare it with what follows."
        />
      ) : null}
    </ul>
  </Scroller>
)

const RequestList = ({ requests }: { readonly requests: ReadonlyArray<SeenRequest> }): ReactElement => (
  <Scroller className="log" label="What the sandbox saw, newest first">
    <ul className="list-plain divide">
      {requests.map((request) => (
        <RequestLine key={request.id} request={request} />
      ))}
    </ul>
  </Scroller>
)

interface TabContentProps {
  readonly tab: string
  readonly snapshot: MonitorSnapshot
  readonly requests: ReadonlyArray<SeenRequest>
}

const TabContent = ({ requests, snapshot, tab }: TabContentProps): ReactElement => {
  const { lines } = usePlayground()
  switch (tab) {
    case "calls":
      return (
        <CallList
          calls={snapshot.calls}
          empty={
            <Empty title="No calls yet">
              Every call of this page to a node is listed here, with the nodes it went to.
            </Empty>
          }
        />
      )
    case "notable":
      return (
        <CallList
          calls={snapshot.multiAttemptCalls}
          empty={
            <Empty title="Every call went to one node">
              Slow down or stop the active node, and calls that go to two nodes are listed here.
            </Empty>
          }
        />
      )
    case "marks":
      return <NodeEventList nodeEvents={snapshot.nodeEvents} />
    case "seen":
      return <RequestList requests={requests} />
    default:
      return <ActionList lines={lines} />
  }
}

/** Calls with their attempts, events of nodes, and requests that the sandbox has received. */
export const Calls = (): ReactElement => {
  const { isOnSandbox, lines } = usePlayground()
  const live = useMonitorSnapshot()
  const [paused, setPaused] = useState<typeof live>()
  const [tab, setTab] = useState("calls")
  const requests = useSandboxRequests(tab === "seen" && paused === undefined)
  const snapshot = paused ?? live
  return (
    <Panel
      id="calls"
      fill
      title="Calls, one by one"
      actions={
        <Button
          size="small"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused === undefined ? live : undefined)}
        >
          {paused === undefined ? "Pause" : "Paused"}
        </Button>
      }
    >
      <Tabs
        label="What is listed"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: "calls", title: "All calls" },
          { id: "notable", title: "More than one node", count: snapshot.multiAttemptCalls.length },
          { id: "marks", title: "Nodes", count: snapshot.nodeEvents.length },
          ...(isOnSandbox
            ? [
                { id: "seen", title: "Seen by the sandbox" },
                { id: "done", title: "Done by you", count: lines.length }
              ]
            : [])
        ]}
      >
        <div className="lists">
          <TabContent key={tab} tab={tab} snapshot={snapshot} requests={requests} />
        </div>
      </Tabs>
    </Panel>
  )
}
