import { Aborted } from "./SdkError.js"

/** The reason of calls that end with their client. */
export const makeDestroyedReason = (): Error => new Error("The client has been destroyed")

/** The error of a call of a client that has ended, or ends before the call does. */
export const makeDestroyedError = (): Aborted => new Aborted({ reason: makeDestroyedReason() })
