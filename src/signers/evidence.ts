/** Which answers of nodes signers trust: valid numbers, and answers on which two nodes agree if there are two. */
import * as Effect from "effect/Effect"
import { NodeError } from "../data/SdkError.js"
import { toPrintableJson } from "../data/untrusted.js"
import { CallOptions } from "../wire/Transport.js"
import type { ReadError } from "./Signer.js"

/** Whether a comparison of answers holds: of one that has not the form of its type it does not. */
const isTrue = (compare: () => boolean): boolean => {
  try {
    return compare()
  } catch {
    return false
  }
}

/** Makes the error of an answer that cannot be true. */
export const makeMalformedError = (call: string, reason: string): NodeError =>
  new NodeError({ kind: "malformed", call, url: "", reason })

/** How many nodes are asked, and how many have to agree: of three nodes, one liar is outvoted. */
const AGREEMENT = { nodes: 3, agree: 2 } as const

/** Whether a read cannot go to several nodes: the client has one, or the caller has chosen the nodes. */
const isQuorumImpossible = ({ _tag }: ReadError): boolean => _tag === "NoQuorum" || _tag === "InvalidArgument"

/**
 * Reads an answer on which two nodes agree, if the client has two that answer. `isSame` compares two answers, which nothing has checked.
 * If only one node can be asked, its answer counts. If nodes contradict each other, it fails with `NoQuorum`, which has their answers.
 *
 * @since 0.1.0
 * @category operations
 */
export const withAgreement = <A>(
  call: Effect.Effect<A, ReadError>,
  isSame: (one: A, other: A) => boolean
): Effect.Effect<A, ReadError> =>
  Effect.flatMap(CallOptions, (options) => {
    if (options.quorum !== undefined || options.node !== undefined) return call
    let isContradicted = false
    const compare = (one: unknown, other: unknown): boolean => {
      // both are answers to this very call
      const same = isTrue(() => isSame(one as A, other as A))
      isContradicted ||= !same
      return same
    }
    return call.pipe(
      Effect.provideService(CallOptions, { ...options, quorum: { ...AGREEMENT, isSame: compare } }),
      Effect.catchIf(
        (error) => isQuorumImpossible(error) && !isContradicted,
        () => call
      )
    )
  })

/** Whether two numbers are within a factor of each other: what moves with the chain is not the same at two nodes. */
export const isWithin =
  (factor: bigint) =>
  (one: bigint, other: bigint): boolean =>
    one <= other * factor && other <= one * factor

/** The larger of two amounts. */
export const maxOf = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The smaller of two amounts. */
export const minOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** A quantity of an EVM chain in a field that no decoder has read: 0x and hexadecimal digits. */
export const parseQuantity = (call: string, value: unknown): Effect.Effect<bigint, NodeError> =>
  typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value)
    ? Effect.succeed(BigInt(value))
    : Effect.fail(
        makeMalformedError(call, `a quantity was expected, not ${toPrintableJson(value) ?? "nothing"}`)
      )

/** The digits that any number of a chain has at most. */
const MAX_DIGITS = 80

/** Parses a whole number from 0 on, as text, number or bigint; undefined for anything else. */
export const parseWhole = (value: unknown): bigint | undefined => {
  if (typeof value === "bigint") return value >= 0n ? value : undefined
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === "string" && value.length <= MAX_DIGITS && /^\d+$/.test(value)
    ? BigInt(value)
    : undefined
}

/** The same, and an error of the node for anything else. */
export const requireWhole = (
  call: string,
  what: string,
  value: unknown
): Effect.Effect<bigint, NodeError> => {
  const whole = parseWhole(value)
  return whole === undefined
    ? Effect.fail(
        makeMalformedError(
          call,
          `${what} must be a whole number, and is ${toPrintableJson(value) ?? "absent"}`
        )
      )
    : Effect.succeed(whole)
}
