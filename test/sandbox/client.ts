/** Clients of a sandbox in tests, and what their calls end with. */
import * as Effect from "effect/Effect"
import type { Network } from "../../src/data/Network.js"
import { init, type Result } from "../../src/promise.js"
import type * as Sandbox from "../../src/sandbox/Sandbox.js"
import { nodeLimits } from "../nodeLimits.js"

/** The answer of a result; throws its error. */
export const requireData = <A, E>(result: Result<A, E>): A => {
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

/** The answer of a call of the SDK. */
export const fromCall = <A, E>(call: () => Promise<Result<A, E>>): Effect.Effect<A> =>
  Effect.map(Effect.promise(call), requireData)

/** A client of a network of the sandbox, which ends with the scope. */
export const makeClient = <const N extends Network>(
  sandbox: Sandbox.SandboxService,
  network: N,
  dataApi?: "auto" | "v4" | "legacy"
) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      init({ ...sandbox.config(network), ...nodeLimits, ...(dataApi === undefined ? {} : { dataApi }) })
    ),
    (sdk) => Effect.promise(() => sdk.destroy())
  )
