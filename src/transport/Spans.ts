/**
 * Spans of calls by the semantic conventions of OpenTelemetry. Only the Effect surface has them, where a program can provide a tracer.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import { RpcError } from "../data/SdkError.js"
import { type Call, outcomeOf, type Trace, type TracingService } from "../wire/Transport.js"
import { linkTo, rootOptions } from "./spanParts.js"

type Attributes = Readonly<Record<string, unknown>>

export const setAttributes = (span: Tracer.Span, attributes: Attributes): void => {
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) span.attribute(key, value)
}

const linkSpans = ({ span }: Trace, other: Trace): void => span.addLinks([linkTo(other.span)])

/** The attempts of a call, those of the requests that it has shared included. */
const collectTotals = (trace: Trace): Pick<Trace, "attempts" | "hedged" | "node"> =>
  trace.sharedTraces.map(collectTotals).reduceRight(
    (one, { attempts, hedged, node }) => ({
      attempts: one.attempts + attempts,
      hedged: one.hedged || hedged,
      node: one.node ?? node
    }),
    trace
  )

/** The attributes of a node. */
export const serverAttributes = (url: string): Attributes => {
  const { hostname, port, protocol } = new URL(url)
  return {
    "server.address": hostname,
    "server.port": Number(port || (protocol === "http:" ? 80 : 443))
  }
}

export const outcomeAttributes = (exit: Exit.Exit<unknown, unknown>): Attributes => {
  const outcome = outcomeOf(exit)
  const error = exit._tag === "Failure" ? Cause.squash(exit.cause) : undefined
  return {
    "effect_chains.outcome": outcome,
    "error.type": error && outcome,
    "rpc.jsonrpc.error_code": error instanceof RpcError ? error.code : undefined
  }
}

/** Sets the attributes of a span that ends. The attempts of a call's part count for the whole call, too. */
const recordEnd = (trace: Trace, whole: Trace | undefined, exit: Exit.Exit<unknown, unknown>): void => {
  const { attempts, hedged, node } = collectTotals(trace)
  setAttributes(trace.span, {
    ...(node && serverAttributes(node.url)),
    "http.response.status_code": node?.status,
    "effect_chains.attempts": attempts,
    "effect_chains.hedged": hedged,
    ...outcomeAttributes(exit)
  })
  if (whole === undefined) return
  whole.attempts += attempts
  whole.hedged ||= hedged
}

/** Runs `traced` if the program has set a tracer, else `plain`. */
export const ifTraced = <A, E, R>(
  plain: () => Effect.Effect<A, E, R>,
  traced: (tracer: Tracer.Tracer) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.tracerWith((tracer) =>
    tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer) ? plain() : traced(tracer)
  )

interface SpanSpec {
  readonly name: string
  readonly network: string | undefined
  readonly tracer: Tracer.Tracer
  readonly attributes: Attributes
  readonly options?: Tracer.SpanOptions
  /** The call that it is a part of. */
  readonly whole?: Trace | undefined
}

export const withSpan = <A, E extends { readonly _tag: string }>(
  { attributes, name, network, options, tracer, whole }: SpanSpec,
  send: (trace: Trace) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  // biome-ignore lint/correctness/useHookAtTopLevel: it is Effect's, and no hook of React
  Effect.useSpan(
    name,
    {
      ...options,
      kind: "client",
      captureStackTrace: false,
      attributes: { "effect_chains.network": network, ...attributes }
    },
    (span) => {
      const trace: Trace = {
        attempts: 0,
        hedged: false,
        node: undefined,
        network,
        span,
        tracer,
        sharedTraces: [],
        join: ({ trace: caller }) => {
          if (caller === undefined) return
          linkSpans(trace, caller)
          linkSpans(caller, trace)
          caller.sharedTraces.push(trace)
        }
      }
      return Effect.onExit(Effect.withParentSpan(send(trace), span), (exit) =>
        Effect.sync(() => recordEnd(trace, whole, exit))
      )
    }
  )

/** The attributes of a call. The label of a route starts with its verb, and contains no values. */
const callAttributes = ({ label, verb }: Call<unknown>): Attributes =>
  label.startsWith(`${verb} `)
    ? { "http.request.method": verb, "url.template": label.slice(verb.length + 1) }
    : { "rpc.system": "jsonrpc", "rpc.method": label }

/** Spans of calls. */
export const callSpans: Pick<TracingService, "traceCall" | "traceShared"> = {
  traceCall: (call, send, network) =>
    ifTraced(
      () => send(call),
      (tracer) => {
        const { label: name, trace: whole } = call
        const spec = {
          name,
          network: network ?? whole?.network,
          tracer,
          attributes: callAttributes(call),
          whole
        }
        return withSpan(spec, (trace) => send({ ...call, trace }))
      }
    ),
  traceShared: (call, callers, send) => {
    const first = callers.find(({ trace }) => trace)?.trace
    if (first === undefined) return send(call)
    const { network, span, tracer } = first
    const options = rootOptions(span)
    const spec = { name: call.label, network, tracer, attributes: callAttributes(call), options }
    return Effect.withTracer(
      withSpan(spec, (trace) => {
        for (const caller of callers) trace.join(caller)
        return send({ ...call, trace })
      }),
      tracer
    )
  }
}
