/** A tracer of tests gets what a span begins with one by one. What it calls the context of a span are its annotations. */
import type * as Context from "effect4/Context"
import type * as Option from "effect4/Option"
import * as Tracers from "effect4/Tracer"

export * from "effect4/Tracer"

interface Tracer {
  readonly span: (
    name: string,
    parent: Option.Option<Tracers.AnySpan>,
    context: Context.Context<never>,
    links: Array<Tracers.SpanLink>,
    startTime: bigint,
    kind: Tracers.SpanKind
  ) => Tracers.Span
}

export const make = ({ span }: Tracer): Tracers.Tracer =>
  Tracers.make({
    span: ({ annotations, kind, links, name, parent, startTime }) =>
      Object.assign(span(name, parent, annotations, links, startTime, kind), { annotations })
  })
