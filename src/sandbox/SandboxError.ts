/**
 * The error of the sandbox.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The sandbox could not carry out a request. `reason` says which part failed: a node's program is missing (`binary`),
 * an optional `package` is missing, the database failed (`store`), a node did not `start`, no loopback port was free
 * (`listen`), a `chain` did not answer, the platform lacks a `signal`, or the `options` are invalid. `message` says
 * what to do about it.
 *
 * @since 0.1.0
 * @category errors
 */
export class SandboxError extends Data.TaggedError("SandboxError")<{
  readonly reason: "binary" | "package" | "store" | "start" | "listen" | "chain" | "signal" | "options"
  readonly message: string
}> {}
