/** How payments get to servers of the XRP Ledger. */
import * as Effect from "effect/Effect"
import type { Signed } from "../Signer.js"
import type { SignerContext } from "./payments.js"
import { lookUpTransaction, waitForConfirmations } from "./reading.js"
import type { CompleteTransaction } from "./ripple.js"

/** Milliseconds until servers show a payment that another one has taken: a ledger takes four seconds. */
const PROPAGATION_MS = 8_000

/** The results of payments that servers have accepted: applied, or queued. */
const isAcceptedResult = (result: string): boolean =>
  /^(tesSUCCESS|terQUEUED|terPRE_SEQ|tefALREADY)$/.test(result)

/** Broadcasts a payment to servers. `doubt` is their result if they keep a payment that may still fail. */
export const makeBroadcaster = (
  { nodes, rpc }: Pick<SignerContext, "nodes" | "rpc">,
  transaction: CompleteTransaction
) => {
  let doubt: string | undefined
  return {
    nodes,
    propagationMs: PROPAGATION_MS,
    broadcast: ({ raw }: Signed) =>
      Effect.map(rpc.submit(raw), ({ engine_result }) => {
        if (!isAcceptedResult(engine_result)) doubt = engine_result
      }),
    lookUp: (hash: string) => lookUpTransaction(rpc, hash, transaction),
    // only a validated ledger is final
    confirmAccepted: (hash: string) =>
      doubt === undefined ? Effect.void : waitForConfirmations(rpc, hash, transaction, 1)
  }
}
