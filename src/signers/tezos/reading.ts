/** What becomes of an operation of Tezos: whether nodes know it, when it is in a block, and when it never will be. */
import * as Effect from "effect/Effect"
import { confirmed } from "../../chains/internal/Confirmation.js"
import { NonceTaken, TransactionDropped, TransactionFailed } from "../../data/SdkError.js"
import { type Handing, handOver, type Shown } from "../broadcast.js"
import type { ReadError, Sent, Signed, SubmitError } from "../Signer.js"
import { failureOf, type Place } from "./payments.js"
import type { TezosCalls, TezosReceipt, TezosTransaction } from "./Types.js"

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

/** Whether an operation is one of an account with a counter. */
const hasCounter = ({ contents }: TezosReceipt, address: string, counter: bigint): boolean =>
  contents.some((one) => one.source === address && one.counter === String(counter))

/** The hash of the operation that a block has with a counter of an account, of the blocks from one level to another. */
const hashWith = ({ account, rpc }: Place, counter: bigint, from: number, to: number) =>
  Effect.gen(function* () {
    const used = BigInt(yield* rpc.getContractCounter({ contractId: account.address }))
    if (used < counter) return undefined
    for (let level = to; level >= from; level--) {
      const operations = yield* rpc.getOperationList({ block: String(level), list: LIST })
      const other = operations.find((one) => hasCounter(one, account.address, counter))
      if (other !== undefined) return other.hash
    }
    return undefined
  })

/** What a node shows of an operation: it has it, another one with its counter, or no block can have it any more. */
const shownOf = (
  place: Place,
  hash: string,
  { counter, level, until }: TezosTransaction
): Effect.Effect<Shown, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { rpc } = place
    const { applied = [], validated = [] } = yield* rpc.getPendingOperations({ operationHash: hash })
    if ([...applied, ...validated].some((one) => one.hash === hash)) return "known"
    const head = yield* rpc.getBlockHeader()
    const from = Math.max(level + 1, head.level - MOST)
    if ((yield* levelIn(rpc, hash, from, head.level)) !== undefined) return "known"
    if ((yield* hashWith(place, counter, from, head.level)) !== undefined) return "replaced"
    return head.level > until + FINAL && from === level + 1 ? yield* dropped(hash, until) : "absent"
  })

const dropped = (hash: string, until: number): TransactionDropped =>
  new TransactionDropped({ hash, reason: `no block up to the level ${until} has it` })

/** Milliseconds until nodes show an operation that waits for a block at another one. */
const WITHIN = 5_000

/** Hands an operation to nodes. `isOpen`: its bytes have gone out before. */
export const handed = (
  place: Place,
  transaction: TezosTransaction,
  signed: Signed,
  isOpen = false
): Effect.Effect<void, SubmitError> => {
  const { account, nodes, rpc } = place
  const handing: Handing = {
    nodes,
    within: WITHIN,
    broadcast: ({ raw }) => rpc.injectOperation({ operationBytes: raw }),
    look: (hash) => shownOf(place, hash, transaction)
  }
  return Effect.flatMap(handOver(handing, signed, isOpen), (taken) =>
    taken === "taken"
      ? Effect.void
      : Effect.fail(new NonceTaken({ address: account.address, nonce: Number(transaction.counter) }))
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
      if (head.level > until + FINAL) return yield* dropped(hash, until)
      seen = Math.max(seen, head.level - FINAL)
      return undefined
    })
    // a node that is behind does not have the newest block yet
    const looked = Effect.catchTag(look, "RequestRejected", () => Effect.succeed(undefined))
    return Effect.flatMap(confirmed(hash, { confirmations, pollingInterval: PAUSE }, looked), (found) =>
      failed(rpc, found, hash)
    )
  })
