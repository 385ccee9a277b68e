/**
 * Checks transactions that are sent to recorded networks, with each family's rules. The libraries of a check are
 * optional peers, and are loaded with the first transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../../data/loadOnce.js"
import type { RecordedRefusal } from "../Recording.js"

/**
 * The reason for a rejected transaction: invalid bytes, another account's signature, or another chain or time. `detail`
 * is the node's own addition.
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
 * The check of a family: its packages, its module, its result, and the node's answers. An exception means that the
 * bytes are invalid.
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
  /** The node's error for a failure that is not the transaction's. */
  readonly failed: (message: string) => RecordedRefusal
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The answer to a broadcast.
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
 * Whether bytes are equal. A library accepts several encodings of a value, and writes only one.
 *
 * @since 0.1.0
 * @category predicates
 */
export const areSameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) === 0
