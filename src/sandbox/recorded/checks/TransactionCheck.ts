/**
 * Transactions that are sent to networks on recordings: each family's own check tells whether its nodes would take one. The
 * libraries of a check are optional peers, and are loaded with the first transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../../data/loadOnce.js"
import type { RecordedRefusal } from "../Recording.js"

/**
 * Why a node would not take a transaction: its bytes are none, its signature is not that of its account, or it is of another
 * chain or another time. `detail` is what the node adds to it in its own words.
 *
 * @since 0.1.0
 * @category models
 */
export class RejectedTransaction {
  constructor(
    readonly reason: "unreadable" | "signature" | "chain",
    readonly detail: string,
    readonly hash = ""
  ) {}
}

/**
 * The check of a family: the packages that it needs, its module, what it finds, and the node's answers to that. What it throws is
 * of bytes that cannot be read.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionCheck<M, T, A> {
  readonly peers: string
  readonly load: () => Promise<M>
  readonly find: (module: M) => T | RejectedTransaction | Promise<T | RejectedTransaction>
  readonly taken: (found: T) => A
  readonly refused: (unfit: RejectedTransaction) => RecordedRefusal
  /** The form of the node's errors for what is no fault of the transaction. */
  readonly failed: (message: string) => RecordedRefusal
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The answer to a transaction that is sent.
 *
 * @since 0.1.0
 * @category operations
 */
export const answerTransaction = <M, T, A>({
  failed,
  find,
  load,
  peers,
  refused,
  taken
}: TransactionCheck<M, T, A>): Effect.Effect<A | RecordedRefusal> =>
  Effect.match(
    Effect.flatMap(loadPeer(peers, load), (module) =>
      Effect.promise(async () => {
        try {
          return await find(module)
        } catch (error) {
          return new RejectedTransaction("unreadable", messageOf(error))
        }
      })
    ),
    {
      onFailure: ({ install }) =>
        failed(`The sandbox checks what is sent with ${peers}, which is not installed: ${install}`),
      onSuccess: (found) => (found instanceof RejectedTransaction ? refused(found) : taken(found))
    }
  )

/**
 * Whether bytes are the same: a library that reads more than one form of a thing writes only one.
 *
 * @since 0.1.0
 * @category predicates
 */
export const areSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0
