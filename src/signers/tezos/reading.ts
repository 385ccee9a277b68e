/** What becomes of an operation of Tezos: whether nodes know it, when it is in a block, and when it never will be. */
import * as Effect from "effect/Effect"
import { makeOutcomeCheck, pollUntilConfirmed } from "../../chains/internal/Confirmation.js"
import { NonceTaken, TransactionDropped } from "../../data/SdkError.js"
import { type Broadcaster, broadcastTransaction, type TransactionStatus } from "../broadcast.js"
import type { ReadError, Sent, Signed, SubmitError } from "../Signer.js"
import { findFailure, type SignerContext } from "./payments.js"
import type { TezosCalls, TezosReceipt, TezosTransaction } from "./Types.js"

/** Operations of accounts are the last of a block's four lists. */
const MANAGER_PASS = 3

/** Blocks that can still be undone: two on top of one make it final. */
const FINAL_CONFIRMATIONS = 2

/** Blocks that are looked through at once, the newest first. */
const MAX_LEVELS = 30

/** Milliseconds between two looks. */
const POLL_MS = 3_000

const isInBlock = (rpc: TezosCalls, level: number, hash: string): Effect.Effect<boolean, ReadError> =>
  Effect.map(
    rpc.getOperationHashes({ block: String(level) }),
    (lists) => lists[MANAGER_PASS]?.includes(hash) === true
  )

/** The level of the block that an operation is in, of those from one level to another. */
const findLevel = (rpc: TezosCalls, hash: string, from: number, to: number) =>
  Effect.gen(function* () {
    for (let level = to; level >= from; level--) if (yield* isInBlock(rpc, level, hash)) return level
    return undefined
  })

/** Whether an operation is the account's with this counter. */
const hasCounter = ({ contents }: TezosReceipt, address: string, counter: bigint): boolean =>
  contents.some((one) => one.source === address && one.counter === String(counter))

/** The hash of the operation that a block has with a counter of an account, of the blocks from one level to another. */
const findHashByCounter = ({ account, rpc }: SignerContext, counter: bigint, from: number, to: number) =>
  Effect.gen(function* () {
    const used = BigInt(yield* rpc.getContractCounter({ contractId: account.address }))
    if (used < counter) return undefined
    for (let level = to; level >= from; level--) {
      const operations = yield* rpc.getOperationList({ block: String(level), list: MANAGER_PASS })
      const other = operations.find((one) => hasCounter(one, account.address, counter))
      if (other !== undefined) return other.hash
    }
    return undefined
  })

/** Looks up an operation: a node has it, it has another one with its counter, or no block can have it any more. */
const lookUpOperation = (
  context: SignerContext,
  hash: string,
  { counter, level, until }: TezosTransaction
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { rpc } = context
    const { applied = [], validated = [] } = yield* rpc.getPendingOperations({ operationHash: hash })
    if ([...applied, ...validated].some((one) => one.hash === hash)) return "known"
    const head = yield* rpc.getBlockHeader()
    const from = Math.max(level + 1, head.level - MAX_LEVELS)
    if ((yield* findLevel(rpc, hash, from, head.level)) !== undefined) return "known"
    if ((yield* findHashByCounter(context, counter, from, head.level)) !== undefined) return "replaced"
    return head.level > until + FINAL_CONFIRMATIONS && from === level + 1
      ? yield* makeDroppedError(hash, until)
      : "absent"
  })

const makeDroppedError = (hash: string, until: number): TransactionDropped =>
  new TransactionDropped({ hash, reason: `no block up to the level ${until} has it` })

/** Milliseconds until nodes show an operation that waits for a block at another one. */
const PROPAGATION_MS = 5_000

/** Broadcasts an operation. `wasBroadcast`: its bytes have been broadcast before. */
export const broadcastOperation = (
  context: SignerContext,
  transaction: TezosTransaction,
  signed: Signed,
  wasBroadcast = false
): Effect.Effect<void, SubmitError> => {
  const { account, nodes, rpc } = context
  const broadcaster: Broadcaster = {
    nodes,
    propagationMs: PROPAGATION_MS,
    broadcast: ({ raw }) => rpc.injectOperation({ operationBytes: raw }),
    lookUp: (hash) => lookUpOperation(context, hash, transaction)
  }
  return Effect.flatMap(broadcastTransaction(broadcaster, signed, wasBroadcast), (outcome) =>
    outcome === "accepted"
      ? Effect.void
      : Effect.fail(new NonceTaken({ address: account.address, nonce: Number(transaction.counter) }))
  )
}

/** Waits until an operation is settled: its counter is used, or no block can have it any more. */
export const waitUntilOver = (
  { account, rpc }: SignerContext,
  { counter, until }: TezosTransaction
): Effect.Effect<void, ReadError> => {
  const wait: Effect.Effect<void, ReadError> = Effect.flatMap(
    Effect.all([rpc.getContractCounter({ contractId: account.address }), rpc.getBlockHeader()]),
    ([used, { level }]) =>
      BigInt(used) >= counter || level > until + FINAL_CONFIRMATIONS
        ? Effect.void
        : Effect.delay(
            Effect.suspend(() => wait),
            POLL_MS
          )
  )
  return wait
}

/** An operation with its results, as its block has it. */
const readOperation = (rpc: TezosCalls, level: number, hash: string) =>
  Effect.map(rpc.getOperationList({ block: String(level), list: MANAGER_PASS }), (operations) =>
    operations.find((one) => one.hash === hash)
  )

const checkOutcome = makeOutcomeCheck<TezosReceipt | undefined>((operation) => {
  const reason = operation === undefined ? undefined : findFailure(operation)
  return reason === undefined ? undefined : { reason }
})

/** Waits until a payment is deep enough in the chain. One that failed in its block is a failure. */
export const waitForConfirmations = (
  { rpc }: Pick<SignerContext, "rpc">,
  { hash, prepared }: Sent<TezosTransaction>,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  Effect.suspend(() => {
    const { level, until } = prepared.transaction
    // blocks that can no longer be undone are looked through once
    let seen = level
    const look = Effect.gen(function* () {
      const head = yield* rpc.getBlockHeader()
      const found = yield* findLevel(rpc, hash, seen + 1, Math.min(head.level, until))
      if (found !== undefined) {
        const depth = head.level - found + 1
        // an operation that is not yet deep enough may be in another block later
        return {
          transaction: depth < confirmations ? undefined : yield* readOperation(rpc, found, hash),
          confirmations: depth
        }
      }
      if (head.level > until + FINAL_CONFIRMATIONS) return yield* makeDroppedError(hash, until)
      seen = Math.max(seen, head.level - FINAL_CONFIRMATIONS)
      return undefined
    })
    // a node that is behind does not have the newest block yet
    const looked = Effect.catchTag(look, "RequestRejected", () => Effect.succeed(undefined))
    return pollUntilConfirmed(hash, { confirmations, pollingInterval: POLL_MS }, looked, checkOutcome)
  })
