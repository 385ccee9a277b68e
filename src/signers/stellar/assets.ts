/** Assets of Stellar, and memos: what payments say by text. */
import type { Memo } from "../Signer.js"
import { read } from "./address.js"

/** All assets have so many digits behind the point. */
export const DECIMALS = 7

/** The most of an asset that there can be. */
export const MOST = 2n ** 63n - 1n

/** An asset by its code and its issuer. */
export interface Token {
  readonly token: string
  readonly code: string
  readonly issuer: string
}

/** The asset of a text such as `USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN`. */
export const tokenOf = (text: string): Token | undefined => {
  const found = /^([A-Za-z0-9]{1,12}):(G[A-Z2-7]{55})$/.exec(text)
  if (found === null) return undefined
  const [token, code = "", issuer = ""] = found
  return typeof read(issuer) === "string" ? undefined : { token, code, issuer }
}

/** Whether a memo is a number of 64 bits, in its only form. Any other is text. */
export const isId = (memo: string): boolean => /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) < 2n ** 64n

/** A memo that is text has at most so many bytes. */
export const LONGEST_MEMO = 28

type Kind = "id" | "text" | "hash" | "return"

/** A memo as it is signed: its kind, and its text or its digits. What is text alone is an id where it can be one. */
export const memoIn = (memo: string | Memo): readonly [Kind, string] => {
  if (typeof memo === "string") return [isId(memo) ? "id" : "text", memo]
  if ("id" in memo) return ["id", String(memo.id)]
  if ("text" in memo) return ["text", memo.text]
  return "hash" in memo ? ["hash", memo.hash.toLowerCase()] : ["return", memo.return.toLowerCase()]
}

/** Whether a memo of a kind can be one. */
export const isMemo = ([kind, text]: readonly [Kind, string]): boolean => {
  if (kind === "id") return isId(text)
  if (kind !== "text") return /^[0-9a-f]{64}$/.test(text)
  return text !== "" && !/\p{Cs}/u.test(text) && new TextEncoder().encode(text).length <= LONGEST_MEMO
}
