import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type ReactElement, useEffect, useState } from "react"
import type { SeenRequest } from "../../../src/sandbox/api/FaultRule.js"
import type { Attempt, CallTrace, NodeEvent } from "../live/monitor.js"
import { useNames } from "../live/names.js"
import { useMonitorSnapshot } from "../live/useMonitor.js"
import { run, usePlayground } from "../session.js"
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

/** A new call at the top does not push the others down: rows stay where they are, and their content changes. */
const rows: ReadonlyArray<string> = Array.from({ length: 100 }, (_, i) => `row ${i}`)

const NodeEventLine = ({ mark }: { readonly mark: NodeEvent }): ReactElement => {
  const nameOf = useNames()
  const tone = mark.kind === "readmitted" ? "ok" : mark.kind === "cooled" ? "warn" : "bad"
  const words = { failed: "Out", readmitted: "Back", cooled: "Cooled", exhausted: "Failed" } as const
  return (
    <li>
      <Badge tone={tone}>{words[mark.kind]}</Badge>
      <span className="truncate" title={mark.text}>
        <strong>{mark.url === "" ? "" : nameOf(mark.url)}</strong> <span className="muted">{mark.text}</span>
      </span>
      <span className="muted">
        <Time at={mark.at} />
      </span>
    </li>
  )
}

const SeenLine = ({ seen }: { readonly seen: SeenRequest }): ReactElement => (
  <li>
    <Badge tone={seen.outcome === "answered" && (seen.status ?? 200) < 400 ? "ok" : "bad"}>
      {seen.outcome === "answered" ? (seen.status ?? "–") : seen.outcome}
    </Badge>
    <span className="truncate">
      <strong>{seen.node?.replace(/^.*\//, "") ?? seen.where}</strong>{" "}
      <span className="mono muted">{seen.methods.join(", ") || `${seen.verb} ${seen.path}`}</span>{" "}
      {seen.faults.length === 0 ? null : <Badge tone="warn">met a fault</Badge>}
    </span>
    <span className="muted tabular">{Math.round(seen.ms)} ms</span>
  </li>
)

const KEPT = 60

/** The requests that the sandbox itself has seen, while they are shown. */
const useSeen = (enabled: boolean): ReadonlyArray<SeenRequest> => {
  const { admin } = usePlayground()
  const [seen, setSeen] = useState<ReadonlyArray<SeenRequest>>([])
  useEffect(() => {
    if (!enabled || admin === undefined) return
    const abort = new AbortController()
    const events = admin.events(KEPT).pipe(
      // the page's own requests to the sandbox are of no interest here
      Stream.filter(({ path }) => !path.startsWith("/sandbox")),
      Stream.groupedWithin(KEPT, 500),
      Stream.runForEach((some) =>
        Effect.sync(() => {
          if (!abort.signal.aborted)
            setSeen((before) => [...Array.from(some).reverse(), ...before].slice(0, KEPT))
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
  return seen
}

/** Calls with their attempts, events of nodes, and requests that the sandbox saw. */
export const Calls = (): ReactElement => {
  const { lines, isOnSandbox } = usePlayground()
  const live = useMonitorSnapshot()
  const [held, setHeld] = useState<typeof live>()
  const [tab, setTab] = useState("calls")
  const seen = useSeen(tab === "seen" && held === undefined)
  const picture = held ?? live
  const { multiAttemptCalls } = picture
  const listed = tab === "notable" ? multiAttemptCalls : picture.calls
  const none = (title: string, text: string) => <Empty title={title}>{text}</Empty>
  return (
    <Panel
      id="calls"
      fill
      title="Calls, one by one"
      actions={
        <Button
          size="small"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held === undefined ? live : undefined)}
        >
          {held === undefined ? "Pause" : "Paused"}
        </Button>
      }
    >
      <Tabs
        label="What is listed"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: "calls", title: "All calls" },
          { id: "notable", title: "More than one node", count: multiAttemptCalls.length },
          { id: "marks", title: "Nodes", count: picture.nodeEvents.length },
          ...(isOnSandbox
            ? [
                { id: "seen", title: "Seen by the sandbox" },
                { id: "done", title: "Done by you", count: lines.length }
              ]
            : [])
        ]}
      >
        <div className="lists">
          {tab === "calls" || tab === "notable" ? (
            <Scroller className="calls" label="Calls, newest first">
              <ul className="list-plain divide">
                {rows.slice(0, listed.length).map((key, i) => {
                  const trace = listed[i]
                  return trace === undefined ? null : <CallRow key={key} trace={trace} />
                })}
                {tab === "calls" && picture.calls.length === 0 ? (
                  <li>
                    {none(
                      "No calls yet",
                      "Every call of this page to a node is listed here, with the nodes it went to."
                    )}
                  </li>
                ) : null}
                {tab === "notable" && multiAttemptCalls.length === 0 ? (
                  <li>
                    {none(
                      "Every call went to one node",
                      "Slow down or stop the active node, and calls that go to two nodes are listed here."
                    )}
                  </li>
                ) : null}
              </ul>
            </Scroller>
          ) : null}
          {tab === "marks" ? (
            <Scroller className="log" label="What happened to nodes, newest first">
              <ul className="list-plain divide">
                {picture.nodeEvents.map((mark) => (
                  <NodeEventLine key={mark.id} mark={mark} />
                ))}
                {picture.nodeEvents.length === 0 ? (
                  <li style={{ display: "block" }}>
                    {none(
                      "Nothing has happened to a node",
                      "Nodes that are taken out, and those that are back."
                    )}
                  </li>
                ) : null}
              </ul>
            </Scroller>
          ) : null}
          {tab === "seen" ? (
            <Scroller className="log" label="What the sandbox saw, newest first">
              <ul className="list-plain divide">
                {seen.map((each) => (
                  <SeenLine key={each.id} seen={each} />
                ))}
              </ul>
            </Scroller>
          ) : null}
          {tab === "done" ? (
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
                  <li style={{ display: "block" }}>
                    {none(
                      "Nothing yet",
                      "What you do to the sandbox is listed here, to compare it with what follows."
                    )}
                  </li>
                ) : null}
              </ul>
            </Scroller>
          ) : null}
        </div>
      </Tabs>
    </Panel>
  )
}
