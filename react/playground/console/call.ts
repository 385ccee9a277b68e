/**
 * Runs a call of the console, and records its time and nodes.
 *
 * @since 0.1.0
 */
import type { PoolEvent } from "../../../src/balancer/Observation.js"
import type { Sdk } from "../../../src/client/Sdk.js"
import type { Method } from "./model.js"
import type { InputTexts } from "./values.js"

/**
 * The answer of a call, or its error.
 *
 * @since 0.1.0
 * @category models
 */
export type CallOutcome =
  | { readonly _tag: "answer"; readonly value: unknown }
  | { readonly _tag: "error"; readonly error: unknown }

/**
 * A call that was made: `ms` is its time in milliseconds, `answered` the nodes that answered it with their time, and `asked`
 * those that were asked. `at` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface CompletedCall {
  readonly id: number
  readonly at: number
  readonly method: Method
  readonly texts: InputTexts
  readonly args: ReadonlyArray<unknown>
  readonly outcome: CallOutcome
  readonly ms: number
  readonly requestedUrls: ReadonlyArray<string>
  readonly answered: ReadonlyArray<{ readonly url: string; readonly ms: number }>
}

/** Whether a pool's event is of a call of this method, by the method's name on the wire. */
const isEventOf = (
  event: PoolEvent,
  { path, wire }: Method
): event is Extract<PoolEvent, { readonly call: string }> => {
  if (!("call" in event) || !path.startsWith("rpc.")) return false
  if (wire === undefined) return true
  // an event of a REST route also has the base path
  const [verb, route] = wire.split(" ")
  return route === undefined
    ? event.call === wire
    : event.call.startsWith(`${verb} `) && event.call.endsWith(route)
}

/** Records the nodes of a call. Returns the function that stops it, and yields them. */
const recordNodes = (
  sdk: Pick<Sdk, "nodes">,
  method: Method
): (() => Pick<CompletedCall, "requestedUrls" | "answered">) => {
  const requestedUrls: Array<string> = []
  const answered: Array<{ readonly url: string; readonly ms: number }> = []
  const stop = sdk.nodes.listen((event) => {
    if (!isEventOf(event, method)) return
    if (event._tag === "Answered") answered.push({ url: event.url, ms: event.ms })
    else if (event._tag !== "OverQuota") requestedUrls.push(event.url)
  })
  return () => {
    stop()
    return { requestedUrls: [...new Set(requestedUrls)], answered }
  }
}

/**
 * Makes a call: `run` is its function in the bindings. It never rejects.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeCall = async (
  sdk: Pick<Sdk, "nodes">,
  call: Pick<CompletedCall, "method" | "texts" | "args">,
  run: () => Promise<CallOutcome>
): Promise<Omit<CompletedCall, "id">> => {
  const seen = recordNodes(sdk, call.method)
  const at = Date.now()
  const started = performance.now()
  const outcome = await run()
  return { ...call, at, outcome, ms: performance.now() - started, ...seen() }
}

/**
 * The fields of an error besides tag and message, without the undefined ones.
 *
 * @since 0.1.0
 * @category getters
 */
export const extraFieldsOf = (error: unknown): ReadonlyArray<readonly [name: string, value: unknown]> =>
  typeof error !== "object" || error === null
    ? []
    : Object.entries(error).filter(
        ([name, value]) =>
          !["_tag", "message", "name", "stack", "cause", "docsUrl"].includes(name) && value !== undefined
      )
