/** What the functions of all endpoints share: their type, their ids, and the checks of their arguments. */
import * as Effect from "effect/Effect"
import { InvalidArgument, reasonOf } from "../data/SdkError.js"
import type { CallError } from "../wire/Transport.js"

/** The function of an endpoint. */
export type EndpointFunction = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, CallError>

let lastEndpointId = 0

/** The next id of an endpoint. Ids are part of deduplication keys: two endpoints of one method may decode its answer differently. */
export const nextEndpointId = (): number => ++lastEndpointId

export const failWithInvalidArgument = (
  call: string,
  error: unknown
): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call, reason: reasonOf(error) }))

/** Drops missing arguments at the end. Those in between are sent as null. */
export const dropTrailingNulls = (params: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let length = params.length
  while (length > 0 && (params[length - 1] === undefined || params[length - 1] === null)) length--
  return length === params.length ? params : params.slice(0, length)
}

/** Refuses more arguments than a call takes, which would be lost. */
export const checkArgumentCount = (args: ReadonlyArray<unknown>, most: number): ReadonlyArray<unknown> => {
  const { length } = dropTrailingNulls(args)
  if (length > most) {
    const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `${most} arguments`
    throw new Error(`it takes ${takes}, and the call has ${length}`)
  }
  return args
}
