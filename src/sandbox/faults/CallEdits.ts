/**
 * Edits of JSON-RPC for faults: some calls changed or answered, some answers changed, and all other bytes as they were.
 * Numbers keep all of their digits.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { parseNumbers, stringifyLossless } from "../../wire/lossless.js"
import type { Handler, HandlerRequest, HandlerResponse } from "../Handler.js"
import { jsonResponse } from "../Loopback.js"

/**
 * A JSON number with the digits that the node wrote.
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
 * A JSON object.
 *
 * @since 0.1.0
 * @category models
 */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * A JSON-RPC call with all its fields.
 *
 * @since 0.1.0
 * @category models
 */
export interface RpcCall extends JsonObject {
  readonly method: string
}

/**
 * The edit of a call. It replaces the call and changes its answer, or it gives the answer itself (without the id and
 * version).
 *
 * @since 0.1.0
 * @category models
 */
export type CallEdit =
  | { readonly call?: RpcCall; readonly after?: (answer: JsonObject) => JsonObject }
  | { readonly answer: JsonObject }

/**
 * Whether a value is a JSON object: not an array, a number or null.
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
 * The JSON of a body, with all digits of its numbers; undefined if it is invalid.
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
 * A body from the JSON of `parseLossless`, changed or not.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBody = (value: unknown): Buffer => Buffer.from(stringify(value))

/** Compares ids as they are written: 1 differs from "1". */
const idOf = (value: JsonObject): string => stringify(value.id)

/** The node would compress its answer if the client accepts that, and compressed answers cannot be edited. */
const withoutCompression = (received: HandlerRequest): HandlerRequest => {
  const { "accept-encoding": _, ...headers } = received.headers
  return { ...received, headers }
}

/**
 * Forwards a request and lets `change` edit the answer's JSON. A body that is not JSON does not change, and neither
 * does one for which `change` returns its input.
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

/** An item of a request, which is a call if it has an edit. */
interface PlannedCall {
  readonly item: unknown
  readonly edit: CallEdit | undefined
}

const isAnsweredHere = ({ edit }: PlannedCall): boolean => edit !== undefined && "answer" in edit

/** The answers that edits give themselves. A notification in a batch gets none. */
const answerHere = ({ edit, item }: PlannedCall, isBatch: boolean): ReadonlyArray<JsonObject> =>
  edit === undefined || !("answer" in edit) || !isJsonObject(item) || (isBatch && !("id" in item))
    ? []
    : [{ jsonrpc: "2.0", id: item.id ?? null, ...edit.answer }]

const toSentCall = ({ edit, item }: PlannedCall): unknown =>
  edit !== undefined && "call" in edit && edit.call !== undefined ? edit.call : item

const editAnswer = ({ edit }: PlannedCall, answer: JsonObject): JsonObject =>
  edit !== undefined && "after" in edit && edit.after !== undefined ? edit.after(answer) : answer

/** The answers of a batch in the order of its calls, and then those that belong to none of them. */
const mergeAnswers = (
  plans: ReadonlyArray<PlannedCall>,
  answered: ReadonlyArray<unknown>
): ReadonlyArray<JsonObject> => {
  const left = answered.filter(isJsonObject)
  return plans
    .flatMap((plan): ReadonlyArray<JsonObject> => {
      if (isAnsweredHere(plan)) return answerHere(plan, true)
      const id = isJsonObject(plan.item) ? idOf(plan.item) : undefined
      const i = left.findIndex((candidate) => idOf(candidate) === id)
      const found = i < 0 ? undefined : left.splice(i, 1)[0]
      return found === undefined ? [] : [editAnswer(plan, found)]
    })
    .concat(left)
}

/**
 * Forwards a JSON-RPC request with its calls edited. Calls without an edit, and requests without any, do not change.
 * The answers of a batch are in the order of its calls.
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
    const isBatch = Array.isArray(body)
    const items: ReadonlyArray<unknown> = isBatch ? body : [body]
    const plans = items.map((item): PlannedCall => ({ item, edit: isRpcCall(item) ? edit(item) : undefined }))
    if (plans.every((plan) => plan.edit === undefined)) return next(received)

    const forwarded = plans.filter((plan) => !isAnsweredHere(plan))
    if (forwarded.length === 0) {
      const answers = plans.flatMap((plan) => answerHere(plan, isBatch))
      return Effect.succeed({ ...jsonResponse(null), body: toBody(isBatch ? answers : answers[0]) })
    }

    const sent = forwarded.map(toSentCall)
    return changeBody({ ...received, body: toBody(isBatch ? sent : sent[0]) }, next, (answered) => {
      // a node may refuse a batch as a whole, with a single object
      if (isBatch) return Array.isArray(answered) ? mergeAnswers(plans, answered) : answered
      const [plan] = plans
      return plan !== undefined && isJsonObject(answered) ? editAnswer(plan, answered) : answered
    })
  })
