import * as Either from "effect/Either"
import { leftOf } from "../data/eitherValues.js"
import { isRecord, sanitizeText } from "../data/untrusted.js"
import {
  hasError,
  isErrorStatus,
  isRefusalStatus,
  readReply,
  rejectByStatus,
  rejectNode,
  rejectUnreadable
} from "./jsonRpc.js"
import { type ListElement, splitList } from "./splitList.js"
import type { Call, Rejection, Reply } from "./Transport.js"

/** A call of a list, and the id of its request. */
export interface ListedCall {
  readonly call: Call<unknown>
  readonly id: number
}

/**
 * The outcome of a list: the answers in the order of the requests, undefined for those without one; or the list was refused, and `size` is the
 * number of requests to send at once from now on.
 */
export type ListOutcome =
  | {
      readonly _tag: "answered"
      readonly answers: ReadonlyArray<Either.Either<unknown, Rejection> | undefined>
    }
  | { readonly _tag: "refused"; readonly size: number }

const INVALID_REQUEST = -32600

/** Whether an error message is about the list, so that the request alone would not get it. */
export const isAboutBatch = (message: string): boolean =>
  /\bbatch|response (is |size )?too (large|big)/i.test(message)

/** The list size that a node takes, by its error for a list of `count` requests, which may name the limit. */
const parseBatchSize = (message: string, count: number): number => {
  if (!/large|big|limit|size|max|exceed|many|long/i.test(message)) return 1
  const said = [...message.matchAll(/\d+/g)].map(Number).filter((size) => size > 0 && size < count)
  return said.length === 0 ? Math.max(1, Math.floor(count / 2)) : Math.max(...said)
}

const makeRefusedList = (size: number): Either.Either<ListOutcome> => Either.right({ _tag: "refused", size })

/** Whether a rejection is about the node, so that another node may answer the whole list. */
const blamesNode = ({ fault }: Rejection): boolean =>
  fault === "node" || fault === "limited" || fault === "declined"

/** Handles one object in place of a list: an error that refuses the list, or one that any call would get now. */
const readObject = (
  json: Readonly<Record<string, unknown>>,
  reply: Reply,
  label: string,
  items: ReadonlyArray<ListedCall>
): Either.Either<ListOutcome, Rejection> => {
  if (!hasError(json)) return makeRefusedList(1)
  const { code, message }: Readonly<Record<string, unknown>> = isRecord(json.error)
    ? json.error
    : { code: 0, message: json.error }
  const said = typeof message === "string" ? sanitizeText(message) : ""
  if (code === INVALID_REQUEST || isAboutBatch(said))
    return makeRefusedList(parseBatchSize(said, items.length))
  if (isRefusalStatus(reply.status)) return rejectByStatus(reply, label)
  // the endpoint knows whose fault it is: bitcoind answers with HTTP 500 that it does not support lists
  const [first] = items
  const judged =
    first === undefined || (json.id ?? null) !== null
      ? undefined
      : readReply(first.call, { ...reply, status: 200 })
  return judged !== undefined && Either.isLeft(judged) && blamesNode(leftOf(judged))
    ? Either.left(leftOf(judged))
    : makeRefusedList(1)
}

/** The list size that the node takes if the answers to the requests mean that it has refused the list; else undefined. */
const findRefusedSize = (rejections: ReadonlyArray<Rejection>, count: number): number | undefined => {
  for (const { error } of rejections) {
    if (error._tag === "RpcError" && isAboutBatch(error.rpcMessage))
      return parseBatchSize(error.rpcMessage, count)
  }
  const isRefused = ({ error }: Rejection): boolean =>
    error._tag === "RpcError" && error.code === INVALID_REQUEST
  return rejections.length > 0 && rejections.every(isRefused) ? 1 : undefined
}

/** Elements by id. If two with the same id differ, neither counts. */
const indexById = (
  elements: ReadonlyArray<ListElement>
): ReadonlyMap<ListElement["id"], ListElement | undefined> => {
  const found = new Map<ListElement["id"], ListElement | undefined>()
  for (const element of elements) {
    const { id, text } = element
    found.set(id, found.has(id) && found.get(id)?.text !== text ? undefined : element)
  }
  return found
}

/** The error in a list without any answer: it is about the list. */
const findListError = (
  elements: ReadonlyArray<ListElement>
): { readonly json: Readonly<Record<string, unknown>>; readonly text: string } | undefined => {
  const [first] = elements
  if (first === undefined) return undefined
  try {
    const json: unknown = JSON.parse(first.text)
    return isRecord(json) && hasError(json) ? { json, text: first.text } : undefined
  } catch {
    return undefined
  }
}

/** Decodes the answer to a list. It fails only if no request has got an answer. */
export const readList = (
  reply: Reply,
  label: string,
  items: ReadonlyArray<ListedCall>
): Either.Either<ListOutcome, Rejection> => {
  const elements = splitList(reply.text)
  if (elements === undefined) {
    let json: unknown
    try {
      json = JSON.parse(reply.text)
    } catch (error) {
      // a node that does not support lists (rippled, for example) has refused it
      return reply.status === 400 ? makeRefusedList(1) : rejectUnreadable(reply, label, error)
    }
    if (isRecord(json) && (json.jsonrpc !== undefined || (hasError(json) && reply.status < 500)))
      return readObject(json, reply, label, items)
    return isErrorStatus(reply.status)
      ? rejectByStatus(reply, label)
      : rejectNode(reply, label, "malformed", "neither a list of answers nor an error")
  }
  const { status, url } = reply
  const found = indexById(elements)
  const rejections: Array<Rejection> = []
  let isAnswered = false
  const answers = items.map(({ call, id }) => {
    const element = found.get(id)
    if (element === undefined) return undefined
    const answer = readReply(call, { status, url, text: element.text })
    if (Either.isRight(answer)) isAnswered = true
    else rejections.push(leftOf(answer))
    return answer
  })
  if (isAnswered) return Either.right({ _tag: "answered", answers })
  const size = findRefusedSize(rejections, items.length)
  if (size !== undefined) return makeRefusedList(size)
  if (rejections.length === 0) {
    const refusal = findListError(elements)
    if (refusal !== undefined)
      return readObject(refusal.json, { status, url, text: refusal.text }, label, items)
    return isErrorStatus(status)
      ? rejectByStatus(reply, label)
      : rejectNode(reply, label, "malformed", "a list that answers none of its requests")
  }
  const blamed = rejections.find(blamesNode)
  return blamed === undefined || rejections.some(({ fault }) => fault === "caller")
    ? Either.right({ _tag: "answered", answers })
    : Either.left(blamed)
}
