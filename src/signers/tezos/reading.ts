/** What becomes of an operation of Tezos: whether nodes know it, when it is in a block, and when it never will be. */
import * as Effect from "effect/Effect"
import { confirmed } from "../../chains/internal/Confirmation.js"
import { NonceTaken, TransactionDropped, TransactionFailed } from "../../data/SdkError.js"
import { type Handing, handOver, knows } from "../broadcast.js"
import type { ReadError, Sent, Signed, SubmitError } from "../Signer.js"
import { failureOf, type Place } from "./payments.js"
import type { TezosCalls, TezosTransaction } from "./Types.js"

/** Operations of accounts are the last of a block's four lists. */
const LIST = 3

/** Blocks that can still be undone: two on top of one make it final. */
const FINAL = 2

/** Blocks that are looked through at once, the newest first. */
const MOST = 30

/** Milliseconds between two looks. */
const PAUSE = 3_000

const isIn = (rpc: TezosCalls, level: number, hash: string): Effect.Effect<boolean, ReadError> =>
  Effect.map(
    rpc.getOperationHashes({ block: String(level) }),
    (lists) => lists[LIST]?.includes(hash) === true
  )

/** The level of the block that an operation is in, of those from one level to another. */
const levelIn = (rpc: TezosCalls, hash: string, from: number, to: number) =>
  Effect.gen(function* () {
    for (let level = to; level >= from; level--) if (yield* isIn(rpc, level, hash)) return level
    return undefined
  })

const handing = (rpc: TezosCalls, { level }: TezosTransaction): Handing => ({
  broadcast: ({ raw }) =>
    rpc.injectOperation({ operationBytes: raw }).pipe(
      Effect.as("taken" as const),
      // another operation, or this one, has had its counter
      Effect.catchIf(
        (error) => /counter_in_the_past/.test(error.message),
        () => Effect.succeed("replaced" as const)
      )
    ),
  isKnown: (hash) =>
    Effect.gen(function* () {
      const { applied = [], validated = [] } = yield* rpc.getPendingOperations({ operationHash: hash })
      if ([...applied, ...validated].some((one) => one.hash === hash)) return true
      const head = yield* rpc.getBlockHeader()
      const found = yield* levelIn(rpc, hash, Math.max(level + 1, head.level - MOST), head.level)
      return found !== undefined
    })
})

/** Hands an operation to nodes. */
export const handed = (
  { account, rpc }: Place,
  transaction: TezosTransaction,
  signed: Signed
): Effect.Effect<void, SubmitError> => {
  const how = handing(rpc, transaction)
  return Effect.flatMap(handOver(how, signed), (taken) =>
    taken === "taken"
      ? Effect.void
      : Effect.flatMap(knows(how, signed.hash), (isThere) =>
          isThere
            ? Effect.void
            : Effect.fail(new NonceTaken({ address: account.address, nonce: Number(transaction.counter) }))
        )
  )
}

/** Waits until an operation is over: its counter is used, or it can be in no block any more. */
export const over = (
  { account, rpc }: Place,
  { counter, until }: TezosTransaction
): Effect.Effect<void, ReadError> => {
  const wait: Effect.Effect<void, ReadError> = Effect.flatMap(
    Effect.all([rpc.getContractCounter({ contractId: account.address }), rpc.getBlockHeader()]),
    ([used, { level }]) =>
      BigInt(used) >= counter || level > until + FINAL
        ? Effect.void
        : Effect.delay(
            Effect.suspend(() => wait),
            PAUSE
          )
  )
  return wait
}

const failed = (rpc: TezosCalls, level: number, hash: string) =>
  Effect.flatMap(rpc.getOperationList({ block: String(level), list: LIST }), (operations) => {
    const operation = operations.find((one) => one.hash === hash)
    const reason = operation === undefined ? undefined : failureOf(operation)
    return reason === undefined ? Effect.void : Effect.fail(new TransactionFailed({ hash, reason }))
  })

/** Waits until a payment is so deep in the chain; one that failed there is a failure. */
export const landed = (
  { rpc }: Pick<Place, "rpc">,
  { hash, prepared }: Sent<TezosTransaction>,
  confirmations: number
): Effect.Effect<void, SubmitError> =>
  Effect.suspend(() => {
    const { level, until } = prepared.transaction
    // blocks that can no longer be undone are looked through once
    let seen = level
    const look = Effect.gen(function* () {
      const head = yield* rpc.getBlockHeader()
      const found = yield* levelIn(rpc, hash, seen + 1, Math.min(head.level, until))
      if (found !== undefined) return { transaction: found, confirmations: head.level - found + 1 }
      if (head.level > until + FINAL)
        return yield* new TransactionDropped({ hash, reason: `no block up to the level ${until} has it` })
      seen = Math.max(seen, head.level - FINAL)
      return undefined
    })
    // a node that is behind does not have the newest block yet
    const looked = Effect.catchTag(look, "RequestRejected", () => Effect.succeed(undefined))
    return Effect.flatMap(confirmed(hash, { confirmations, pollingInterval: PAUSE }, looked), (found) =>
      failed(rpc, found, hash)
    )
  })
