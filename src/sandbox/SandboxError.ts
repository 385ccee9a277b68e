/**
 * The failure of the sandbox.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The sandbox could not carry out a request. `reason` says which part failed: no `binary` of a node, an optional `package` that
 * is missing, a `store` (database) that failed, a node that did not `start`, a loopback port that could not be had (`listen`),
 * a `chain` that did not answer, a `signal` that the platform lacks, or `options` that make no sense. `message` says what to do
 * about it.
 *
 * @since 0.1.0
 * @category errors
 */
export class SandboxError extends Data.TaggedError("SandboxError")<{
  readonly reason: "binary" | "package" | "store" | "start" | "listen" | "chain" | "signal" | "options"
  readonly message: string
}> {}
