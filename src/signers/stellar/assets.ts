/** Assets of Stellar, and memos, as payments name them. */
import type { Memo } from "../Signer.js"
import { parseDestination } from "./address.js"

/** The decimals of all assets. */
export const DECIMALS = 7

/** The most of an asset that there can be. */
export const MAX_AMOUNT = 2n ** 63n - 1n

/** An asset by its code and its issuer. */
export interface Token {
  readonly token: string
  readonly code: string
  readonly issuer: string
}

/** Parses an asset such as `USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN`. */
export const parseToken = (text: string): Token | undefined => {
  const found = /^([A-Za-z0-9]{1,12}):(G[A-Z2-7]{55})$/.exec(text)
  if (found === null) return undefined
  const [token, code = "", issuer = ""] = found
  return typeof parseDestination(issuer) === "string" ? undefined : { token, code, issuer }
}

/** Whether a memo is a number of 64 bits, in its only form. Any other is text. */
export const isMemoId = (memo: string): boolean =>
  /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n

/** The most bytes of a text memo. */
export const MAX_MEMO_BYTES = 28

type MemoKind = "id" | "text" | "hash" | "return"

/** A memo to sign: its kind, and its text or digits. A memo that is only text becomes an id if it can be one. */
export const splitMemo = (memo: string | Memo): readonly [MemoKind, string] => {
  if (typeof memo === "string") return [isMemoId(memo) ? "id" : "text", memo]
  if ("id" in memo) return ["id", String(memo.id)]
  if ("text" in memo) return ["text", memo.text]
  return "hash" in memo ? ["hash", memo.hash.toLowerCase()] : ["return", memo.return.toLowerCase()]
}

/** Whether a memo of a kind can be one. */
export const isMemo = ([kind, text]: readonly [MemoKind, string]): boolean => {
  if (kind === "id") return isMemoId(text)
  if (kind !== "text") return /^[0-9a-f]{64}$/.test(text)
  return text !== "" && !/\p{Cs}/u.test(text) && new TextEncoder().encode(text).length <= MAX_MEMO_BYTES
}
