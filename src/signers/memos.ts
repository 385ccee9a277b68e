/** Memos of payments: text, and ids by which a receiver assigns payments to its users. */
import * as Effect from "effect/Effect"
import { InvalidArgument } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { Payment } from "./Signer.js"

/** The kinds of memos. */
type MemoKind = "id" | "text" | "hash" | "return"

const memoKinds: ReadonlyArray<MemoKind> = ["id", "text", "hash", "return"]

/** A memo and its kind; of a plain text the kind is for the family to see. */
export interface ParsedMemo {
  readonly kind: MemoKind | undefined
  readonly text: string
}

const failMemo = (reason: string) => Effect.fail(new InvalidArgument({ call: "prepare", reason }))

/** Reads an object with one kind. */
const parseMemoObject = (memo: unknown): ParsedMemo | undefined => {
  if (!isRecord(memo)) return undefined
  const [entry, ...others] = Object.entries(memo)
  if (entry === undefined || others.length > 0) return undefined
  const [name, value] = entry
  const kind = memoKinds.find((each) => each === name)
  if (kind === undefined) return undefined
  if (typeof value === "string") return { kind, text: value }
  return kind === "id" && typeof value === "bigint" ? { kind, text: String(value) } : undefined
}

/** Parses the memo of a payment, whose kind has to be one of the chain's. The family checks the length of a text. */
export const parseMemo = (
  memo: Payment["memo"],
  allowed: ReadonlyArray<MemoKind>
): Effect.Effect<ParsedMemo | undefined, InvalidArgument> => {
  const given: unknown = memo
  if (given === undefined) return Effect.succeed(undefined)
  const parsed = typeof given === "string" ? { kind: undefined, text: given } : parseMemoObject(given)
  if (parsed === undefined || (parsed.kind !== undefined && !allowed.includes(parsed.kind)))
    return failMemo(`a memo must be text, or ${allowed.map((kind) => `{ ${kind}: "…" }`).join(" or ")}`)
  if (parsed.kind === "id" && !/^(0|[1-9]\d{0,79})$/.test(parsed.text))
    return failMemo(
      `an id is a whole number without zeros before it, and this one is ${JSON.stringify(parsed.text)}`
    )
  return Effect.succeed(parsed)
}

/**
 * A number that is the whole text but for blanks and a sign (` 12345 `, `007`, `#7`), that follows a word and a sign (`tag:12345`), or
 * that has four digits or more and follows a word (`memo 12345`). `order 7` is not an id.
 */
const routingPattern =
  /^\s*(?:(?:[\p{L}_]{1,16}\s*[:=#№-])?[:=#№\s]*(\d{1,24})|[\p{L}_]{1,16}\s+(\d{4,24}))\s*$/u

/** Finds the number in a text that is probably an id; undefined if there is none. */
export const findRoutingId = (text: string): string | undefined => {
  const [, alone, behind] = routingPattern.exec(text.normalize("NFKC")) ?? []
  return alone ?? behind
}

/**
 * Warns about a memo that is sent as text on a chain with ids (`a memo of the kind id`, `a destination tag`), since receivers look only
 * at those. A caller of `{ text }` gets no warning.
 */
export const warnOfTextId = ({ kind, text }: ParsedMemo, id: string): ReadonlyArray<string> =>
  kind === undefined && findRoutingId(text) !== undefined
    ? [
        `The memo ${JSON.stringify(text)} looks like an id, and is sent as text: a receiver who tells payments apart by ${id} does not see it. Say { id } or { text } for which it is.`
      ]
    : []

/** The warning of a memo on chains where ids are text, too: there is more in it than the id, which receivers compare as a whole. */
export const warnOfTextAroundId = (parsedMemo: ParsedMemo | undefined): ReadonlyArray<string> => {
  if (parsedMemo === undefined || parsedMemo.kind !== undefined) return []
  const id = findRoutingId(parsedMemo.text)
  return id === undefined || id === parsedMemo.text
    ? []
    : [
        `The memo ${JSON.stringify(parsedMemo.text)} has more in it than the id ${id}: receivers compare the whole of it. Say { id } or { text } for which it is.`
      ]
}
