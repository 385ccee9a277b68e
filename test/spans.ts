/** A tracer that keeps its spans, for tests. */
import * as Cause from "effect/Cause"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

export interface Recorded {
  readonly id: string
  readonly name: string
  readonly kind: Tracer.SpanKind
  readonly parent: string | undefined
  readonly attributes: Map<string, unknown>
  /** The names of the spans that it has links to. */
  readonly links: Array<string>
  readonly events: Array<readonly [string, Readonly<Record<string, unknown>> | undefined]>
  exit: Exit.Exit<unknown, unknown> | undefined
}

/** A span that is used after its end is a fault. */
const requireAlive = (span: Recorded, what: string): void => {
  if (span.exit !== undefined) throw new Error(`${what} of ${span.name}, which has ended`)
}

export const makeRecorder = () => {
  const spans: Array<Recorded> = []
  const faults: Array<string> = []
  const guarded = (span: Recorded, what: string, run: () => void): void => {
    try {
      requireAlive(span, what)
      run()
    } catch (error) {
      faults.push(String(error))
    }
  }
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const recorded: Recorded = {
        id: `${name}#${spans.length}`,
        name,
        kind,
        parent: Option.getOrUndefined(Option.map(parent, ({ spanId }) => spanId)),
        attributes: new Map<string, unknown>(),
        links: links.map(({ span }) => span.spanId),
        events: [],
        exit: undefined
      }
      spans.push(recorded)
      let status: Tracer.SpanStatus = { _tag: "Started", startTime }
      return {
        _tag: "Span",
        name,
        spanId: recorded.id,
        traceId: "trace",
        parent,
        context,
        get status() {
          return status
        },
        attributes: recorded.attributes,
        links,
        sampled: true,
        kind,
        end: (endTime, exit) =>
          guarded(recorded, "end", () => {
            recorded.exit = exit
            status = { _tag: "Ended", startTime, endTime, exit }
          }),
        attribute: (key, value) =>
          guarded(recorded, `attribute ${key}`, () => recorded.attributes.set(key, value)),
        event: (event, _, attributes) =>
          guarded(recorded, `event ${event}`, () => recorded.events.push([event, attributes])),
        addLinks: (more) =>
          guarded(recorded, "link", () => recorded.links.push(...more.map(({ span }) => span.spanId)))
      }
    },
    context: (execution) => execution()
  })
  return {
    tracer,
    spans,
    /** Whatever was done to a span after its end. */
    faults,
    named: (name: string): ReadonlyArray<Recorded> => spans.filter((span) => span.name === name),
    /** Everything in spans, as text. */
    text: (): string =>
      JSON.stringify(
        spans.map(({ attributes, events, exit, name }) => [
          name,
          [...attributes],
          events,
          exit?._tag === "Failure" ? Cause.pretty(exit.cause) : undefined
        ])
      )
  }
}

export const attributesOf = (span: Recorded | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(span?.attributes ?? [])
