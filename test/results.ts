/** The two ends of calls of Promise clients. */
import type { Result } from "../src/data/CallResult.js"

/** The value of a call; throws the error of one that failed. */
export const take = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

/** The error of a call; throws if it did not fail. */
export const refusal = async <A, E>(result: Promise<Result<A, E>>): Promise<unknown> => {
  const { error, status } = await result
  if (status === "SUCCESS") throw new Error("it was not refused")
  return error?.cause
}
