/** What orders of all families have in common, and how what comes of them is kept. */
import { createHash } from "node:crypto"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { SdkErrorSchema } from "effect-chains"

/** What an order is known by: the caller's key, and the account that pays. */
export interface OrderId {
  readonly key: string
  readonly network: string
  readonly from: string
}

/**
 * Amounts as signers take them: whole coins as a decimal string, or the smallest unit as a bigint. Kept as text, a bigint ends with an n,
 * so that the one is never read as the other.
 */
export const Amount: Schema.Schema<string | bigint, string> = Schema.transform(
  Schema.String,
  Schema.Union(
    Schema.String.pipe(
      Schema.pattern(/^\d+(\.\d+)?$/, {
        message: () =>
          'must be a decimal string in whole coins, such as "1.5", or a bigint in the smallest unit'
      })
    ),
    Schema.NonNegativeBigIntFromSelf
  ),
  {
    strict: true,
    decode: (text) => (/^\d+n$/.test(text) ? BigInt(text.slice(0, -1)) : text),
    encode: (amount) => (typeof amount === "bigint" ? `${amount}n` : amount)
  }
)

/** What an order is known by. */
export const Key = Schema.String.pipe(
  Schema.pattern(/^[^\s\p{C}]{1,200}$/u, {
    message: () => "must be 1 to 200 characters without spaces, the same for each try of one payment"
  })
)

/** The errors that are ends in every family. */
export const sharedErrors = [
  "InvalidAddress",
  "InvalidAmount",
  "InvalidArgument",
  "InsufficientFunds",
  "DustAmount",
  "FeeOverCap",
  "MemoRequired",
  "RpcError",
  "SigningFailed",
  "TransactionFailed"
] as const

/** The schemas of errors by name: an inferred type would name files of the SDK, which only this repository has. */
export type ErrorSchema<N extends keyof typeof SdkErrorSchema> = (typeof SdkErrorSchema)[N]

/** How orders of families end that have no ends of their own. */
export type SharedSendError = Schema.Schema.Type<ErrorSchema<(typeof sharedErrors)[number]>>

/** The schema of these ends. It has a title, as those of activities have: without one it is written out wherever one of them begins. */
export const SharedSendError: Schema.Schema<
  SharedSendError,
  Schema.Schema.Encoded<ErrorSchema<(typeof sharedErrors)[number]>>
> = Schema.Union(...sharedErrors.map((name) => SdkErrorSchema[name])).annotations({ title: "Refused" })

/** What came of an order, as the ledger keeps it. */
export const makeOutcomeSchema = <A, E, I, J>(
  right: Schema.Schema<A, I>,
  left: Schema.Schema<E, J>
): Schema.Schema<Either.Either<A, E>, string> => Schema.parseJson(Schema.Either({ left, right }))

/** The SHA-256 of JSON with the fields of objects in one order. */
export const hashJson = (value: unknown): string => {
  const canonical = JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each
  )
  return createHash("sha256").update(canonical).digest("hex")
}

/** The digest of all that an order says beside its key, which tells whether a key is used for the same again. */
export const makeDigest = <O, I extends Pick<OrderId, "key">>(
  schema: Schema.Schema<O, I>
): ((order: O) => string) => {
  const encode = Schema.encodeSync(schema)
  return (order) => {
    const { key: _, ...rest } = encode(order)
    return hashJson(rest)
  }
}
