import type * as Tracer from "effect/Tracer"

/** A link to a span. */
export const linkTo = (span: Tracer.AnySpan): Tracer.SpanLink => ({ span, attributes: {} })

/** The options of a trace of its own. If the caller's span is not sampled, neither is this one. */
export const rootOptions = (caller: Tracer.Span): Tracer.SpanOptions => ({
  root: true,
  sampled: caller.sampled,
  annotations: caller.annotations
})
