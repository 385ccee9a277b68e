/** What orders of all families have in common, and how their outcomes are stored. */
import { createHash } from "node:crypto"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type SdkError, SdkErrorSchema } from "effect-chains"

/** The id of an order: the caller's key, and the account that pays. */
export interface OrderId {
  readonly key: string
  readonly network: string
  readonly from: string
}

/**
 * Amounts as signers take them: whole coins as a decimal string, or the smallest unit as a bigint. Stored as text, a bigint ends with an n,
 * so that it is never read as whole coins.
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

/** How soon a payment should be in a block, as signers take it. */
export const Speed = Schema.Union(
  Schema.Literal("slow", "normal", "fast"),
  Schema.Struct({ percentile: Schema.Number.pipe(Schema.between(0, 100)) })
)

/** The caller's key of an order. */
export const Key = Schema.String.pipe(
  Schema.pattern(/^[^\s\p{C}]{1,200}$/u, {
    message: () => "must be 1 to 200 characters without spaces, the same for each try of one payment"
  })
)

/** The errors that end an order in every family. */
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
  "PolicyDenied",
  "TransactionFailed"
] as const

/** The errors of a signer that has signed nothing: what holds the key did not, or its policy does not allow it now. */
export type Unsigned = SdkError.SigningFailed | SdkError.PolicyDenied

/** Whether an order has failed before anything of it was signed. */
export const isUnsigned = <E extends { readonly _tag: string }>(error: E): error is Extract<E, Unsigned> =>
  error._tag === "SigningFailed" || error._tag === "PolicyDenied"

/** The schema of an error, by its name. The inferred type would name source files of the SDK, which its package does not have. */
export type ErrorSchema<N extends keyof typeof SdkErrorSchema> = (typeof SdkErrorSchema)[N]

/** The error of an order, in families that have no other ones. */
export type SharedSendError = Schema.Schema.Type<ErrorSchema<(typeof sharedErrors)[number]>>

/** The schema of these errors. Schemas of activities need a title: without one, each activity's name has the whole schema in it. */
export const SharedSendError: Schema.Schema<
  SharedSendError,
  Schema.Schema.Encoded<ErrorSchema<(typeof sharedErrors)[number]>>
> = Schema.Union(...sharedErrors.map((name) => SdkErrorSchema[name])).annotations({ title: "Refused" })

/** Makes the schema of an outcome, which the ledger stores as JSON. */
export const makeOutcomeSchema = <A, E, I, J>(
  right: Schema.Schema<A, I>,
  left: Schema.Schema<E, J>
): Schema.Schema<Either.Either<A, E>, string> => Schema.parseJson(Schema.Either({ left, right }))

/** The SHA-256 of a value as JSON, with the fields of its objects sorted. */
export const hashJson = (value: unknown): string => {
  const canonical = JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each
  )
  return createHash("sha256").update(canonical).digest("hex")
}

/** Makes a function that hashes an order without its key. Another digest under the same key is another order. */
export const makeDigest = <O, I extends Pick<OrderId, "key">>(
  schema: Schema.Schema<O, I>
): ((order: O) => string) => {
  const encode = Schema.encodeSync(schema)
  return (order) => {
    const { key: _, ...rest } = encode(order)
    return hashJson(rest)
  }
}
