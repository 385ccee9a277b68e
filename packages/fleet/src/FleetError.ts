/**
 * What can be wrong with a fleet's store.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * What is wrong:
 *
 * - `StoreAway`: the database does not answer;
 * - `StoreRefused`: it answers, and lets this process not in, or not do what a fleet needs;
 * - `RunnersAway`: no runner answers, of which what was stored knows nothing;
 * - `StoreInUse`: another process has the file of a fleet of one process;
 * - `OtherFleet`: the database belongs to a fleet of another name;
 * - `OtherVersion`: it was written by another version of this package;
 * - `PooledConnections`: a pooler between here and Postgres gives one session to several connections;
 * - `NotListening`: the port of a runner cannot be had;
 * - `InvalidOption`: an option that cannot be used.
 *
 * @since 0.1.0
 * @category models
 */
export type FleetReason =
  | "StoreAway"
  | "StoreRefused"
  | "RunnersAway"
  | "StoreInUse"
  | "OtherFleet"
  | "OtherVersion"
  | "PooledConnections"
  | "NotListening"
  | "InvalidOption"

/**
 * The failure of a fleet to start, or of its store to take something. The message says what was wrong and what to do. Nothing that was
 * stored is lost by it; `StoreAway` and `RunnersAway` may be tried again. No part of a url is in it.
 *
 * @since 0.1.0
 * @category errors
 */
export class FleetError extends Data.TaggedError("FleetError")<{
  readonly reason: FleetReason
  readonly message: string
  readonly cause?: unknown
}> {}
