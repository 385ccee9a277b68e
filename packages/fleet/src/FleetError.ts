/**
 * The errors of a fleet's store.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The reason of a `FleetError`:
 *
 * - `StoreAway`: the database does not answer;
 * - `StoreRefused`: the database denies access, or a right that a fleet needs;
 * - `RunnersAway`: no runner answers; stored work is kept;
 * - `StoreInUse`: another process has the file of a fleet of one process;
 * - `OtherFleet`: the database belongs to a fleet of another name;
 * - `OtherVersion`: the database was written by another version of this package;
 * - `PooledConnections`: a pooler before Postgres gives one session to several connections;
 * - `NotListening`: the port of a runner is taken;
 * - `InvalidOption`: an option is invalid.
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
 * A fleet cannot start, or its store cannot take something. The message says what is wrong and what to do, and has no part of a url in it.
 * No stored work is lost. After `StoreAway` and `RunnersAway` you may try again.
 *
 * @since 0.1.0
 * @category errors
 */
export class FleetError extends Data.TaggedError("FleetError")<{
  readonly reason: FleetReason
  readonly message: string
  readonly cause?: unknown
}> {}
