/** How payments get to nodes of Stellar. */
import * as Effect from "effect/Effect"
import { TransactionFailed } from "../../data/SdkError.js"
import type { Signed } from "../Signer.js"
import type { CompleteTransaction } from "./base.js"
import type { SignerContext } from "./payments.js"
import { findHashBySequence, findTransaction } from "./reading.js"

/** The milliseconds until nodes show a payment that one of them has accepted: a ledger takes six seconds at most. */
const PROPAGATION_MS = 12_000

/** Broadcasts a payment; nodes answer once it is in a ledger. `failed` is why it failed there. */
export const makeBroadcaster = (
  { nodes, rpc }: Pick<SignerContext, "nodes" | "rpc">,
  { bump, from, sequence }: CompleteTransaction
) => {
  let failed: { readonly reason: string; readonly receipt: unknown } | undefined
  let said: string | undefined
  return {
    nodes,
    propagationMs: PROPAGATION_MS,
    broadcast: ({ raw }: Signed) =>
      Effect.tapError(rpc.submitTransaction({ tx: raw }), ({ message }) =>
        Effect.sync(() => {
          said ??= message
        })
      ),
    lookUp: (hash: string) =>
      Effect.flatMap(findTransaction(rpc, hash), (there) => {
        if (there?.successful === false)
          failed = { reason: said ?? "the ledger has refused it", receipt: there }
        return there !== undefined
          ? Effect.succeed("known" as const)
          : Effect.map(findHashBySequence(rpc, bump?.source ?? from, sequence), (other) =>
              other === undefined ? "absent" : other === hash ? "known" : "replaced"
            )
      }),
    confirmAccepted: (hash: string) =>
      failed === undefined ? Effect.void : Effect.fail(new TransactionFailed({ hash, ...failed }))
  }
}
