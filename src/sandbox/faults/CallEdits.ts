/**
 * JSON-RPC as it goes through a fault: some calls of a request changed or answered on the spot, some answers changed, and
 * everything else byte for byte as it was. Numbers keep all of their digits.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { parseNumbers, stringifyLossless } from "../../wire/lossless.js"
import type { Handler, HandlerRequest, HandlerResponse } from "../Handler.js"
import { jsonResponse } from "../Loopback.js"

/**
 * A number of JSON with the digits that the node wrote.
 *
 * @since 0.1.0
 * @category models
 */
export class ExactNumber {
  constructor(readonly digits: string) {}

  toString(): string {
    return this.digits
  }
}

const stringify = (value: unknown): string =>
  stringifyLossless(value, (each) => (each instanceof ExactNumber ? each.digits : undefined)) ?? "null"

/**
 * An object of JSON.
 *
 * @since 0.1.0
 * @category models
 */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * A JSON-RPC call in which every member is kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface RpcCall extends JsonObject {
  readonly method: string
}

/**
 * The edit of a call: another call in its place and a change of its answer, or an answer without asking (its `id` and
 * version are filled in).
 *
 * @since 0.1.0
 * @category models
 */
export type CallEdit =
  | { readonly call?: RpcCall; readonly after?: (answer: JsonObject) => JsonObject }
  | { readonly answer: JsonObject }

/**
 * Whether a value is an object of JSON: no array, no number, not null.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

/**
 * Whether a value is a JSON-RPC call.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isRpcCall = (value: unknown): value is RpcCall =>
  isJsonObject(value) && typeof value.method === "string"

/**
 * A whole number from JSON or from hexadecimal text (`0x1f`); undefined for anything else.
 *
 * @since 0.1.0
 * @category getters
 */
export const toNumber = (value: unknown): number | undefined => {
  const text = value instanceof ExactNumber ? value.digits : typeof value === "number" ? String(value) : value
  if (typeof text !== "string" || !/^(0x[0-9a-f]+|\d+)$/i.test(text)) return undefined
  return Number(text)
}

/**
 * A number as EVM nodes write it.
 *
 * @since 0.1.0
 * @category getters
 */
export const toHex = (value: number): string => `0x${value.toString(16)}`

/**
 * The JSON of a body with all digits of its numbers; undefined where there is none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseLossless = (body: Buffer): unknown => {
  try {
    return parseNumbers(body.toString("utf8"), (digits) => new ExactNumber(digits))
  } catch {
    return undefined
  }
}

/**
 * A body of JSON that `parseLossless` gave, changed or not.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBody = (value: unknown): Buffer => Buffer.from(stringify(value))

/** Ids are compared as they are written: 1 is another id than "1". */
const idOf = (value: JsonObject): string => stringify(value.id)

/** Nodes may compress for a client that takes it; this code could not read that. */
const withoutCompression = (received: HandlerRequest): HandlerRequest => {
  const { "accept-encoding": _, ...headers } = received.headers
  return { ...received, headers }
}

/**
 * Asks for an answer and lets `change` have its JSON. A body that is no JSON stays as it is, and so does an answer for which
 * `change` gives the value that it got.
 *
 * @since 0.1.0
 * @category conversions
 */
export const changeBody = (
  received: HandlerRequest,
  next: Handler,
  change: (body: unknown, answer: HandlerResponse) => unknown
): Effect.Effect<HandlerResponse | "drop"> =>
  Effect.map(next(withoutCompression(received)), (answer) => {
    if (answer === "drop") return answer
    const before = parseLossless(answer.body)
    if (before === undefined) return answer
    const after = change(before, answer)
    return after === before ? answer : { ...answer, body: toBody(after) }
  })

/**
 * Sends a JSON-RPC request on with its calls edited. Calls without an edit, and requests without any, go through as they
 * are. The answers of a batch are put back in the order of its calls.
 *
 * @since 0.1.0
 * @category conversions
 */
export const editCalls = (
  received: HandlerRequest,
  next: Handler,
  edit: (call: RpcCall) => CallEdit | undefined
): Effect.Effect<HandlerResponse | "drop"> =>
  Effect.suspend(() => {
    const body = parseLossless(received.body)
    const batch = Array.isArray(body)
    const items: ReadonlyArray<unknown> = batch ? body : [body]
    const plans = items.map((item) => ({ item, edit: isRpcCall(item) ? edit(item) : undefined }))
    if (plans.every((plan) => plan.edit === undefined)) return next(received)

    const asked = plans.filter((plan) => plan.edit === undefined || !("answer" in plan.edit))
    const local = (plan: (typeof plans)[number]): ReadonlyArray<JsonObject> =>
      plan.edit === undefined || !("answer" in plan.edit) || !isJsonObject(plan.item)
        ? []
        : batch && !("id" in plan.item)
          ? [] // a notification gets no answer
          : [{ jsonrpc: "2.0", id: plan.item.id ?? null, ...plan.edit.answer }]
    if (asked.length === 0) {
      const answers = plans.flatMap(local)
      return Effect.succeed({ ...jsonResponse(null), body: toBody(batch ? answers : answers[0]) })
    }

    const sent = asked.map((plan) =>
      plan.edit !== undefined && "call" in plan.edit && plan.edit.call !== undefined
        ? plan.edit.call
        : plan.item
    )
    const after = (plan: (typeof plans)[number], answer: JsonObject): JsonObject =>
      plan.edit !== undefined && "after" in plan.edit && plan.edit.after !== undefined
        ? plan.edit.after(answer)
        : answer
    return changeBody({ ...received, body: toBody(batch ? sent : sent[0]) }, next, (answered) => {
      if (!batch) {
        const [plan] = plans
        return plan !== undefined && isJsonObject(answered) ? after(plan, answered) : answered
      }
      // A node that refuses the batch as a whole answers with one object.
      if (!Array.isArray(answered)) return answered
      const left = answered.filter(isJsonObject)
      return plans
        .flatMap((plan): ReadonlyArray<JsonObject> => {
          if (plan.edit !== undefined && "answer" in plan.edit) return local(plan)
          const id = isJsonObject(plan.item) ? idOf(plan.item) : undefined
          const i = left.findIndex((candidate) => idOf(candidate) === id)
          const found = i < 0 ? undefined : left.splice(i, 1)[0]
          return found === undefined ? [] : [after(plan, found)]
        })
        .concat(left)
    })
  })
