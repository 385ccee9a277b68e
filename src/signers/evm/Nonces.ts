/**
 * The nonces of one account. Transactions are broadcast one after another, so that concurrent sends get consecutive nonces and a refused
 * transaction leaves no gap.
 */
import * as Effect from "effect/Effect"
import { type InvalidArgument, NonceTaken, type SigningFailed } from "../../data/SdkError.js"
import { type BroadcastError, type Broadcaster, broadcastTransaction, isKnownToNodes } from "../broadcast.js"
import type { ReadError, Signed } from "../Signer.js"

/** The chain and the key, as far as nonces are concerned. */
export interface NonceSource<Tx> {
  readonly address: string
  /** How a transaction with this nonce is broadcast. */
  readonly makeBroadcaster: (transaction: Tx, nonce: number) => Broadcaster
  /** The number of the account's transactions, those that wait for a block included. */
  readonly readCount: Effect.Effect<number, ReadError>
  readonly sign: (transaction: Tx, nonce: number) => Effect.Effect<Signed, SigningFailed | InvalidArgument>
}

/** A transaction that went out, with its nonce. */
export interface NumberedTransaction<Tx> extends Signed {
  readonly transaction: Tx
  readonly nonce: number
}

export interface Nonces<Tx> {
  /** Signs a transaction with the next nonce and broadcasts it. `beforeBroadcast` is called right before. */
  readonly send: (
    transaction: Tx,
    beforeBroadcast?: (out: NumberedTransaction<Tx>) => void
  ) => Effect.Effect<NumberedTransaction<Tx>, SendError>
  /** Broadcasts the same bytes again. */
  readonly rebroadcast: (out: NumberedTransaction<Tx>) => Effect.Effect<void, SendError>
  /** The same as a send, with the nonce of one that went out, from this process or another one. */
  readonly replace: (
    out: Pick<NumberedTransaction<Tx>, "hash" | "nonce">,
    transaction: Tx,
    beforeBroadcast?: (out: NumberedTransaction<Tx>) => void
  ) => Effect.Effect<NumberedTransaction<Tx>, SendError>
  /** Finds a transaction by its hash, and the hash of its replacement. */
  readonly find: (hash: string) => NumberedTransaction<Tx> | undefined
  readonly replacedBy: (hash: string) => string | undefined
}

export type SendError = BroadcastError | SigningFailed | NonceTaken

/** How often the nonce is read again if other programs keep taking it. */
const MAX_TRIES = 4

/** Transactions that are remembered: more cannot wait for a block at any node. */
const MAX_REMEMBERED = 1_024

/** The transactions that this process has broadcast, by their nonces. The oldest are forgotten. */
class SentTransactions<Tx> {
  private readonly byNonce = new Map<number, NumberedTransaction<Tx>>()
  get(nonce: number): NumberedTransaction<Tx> | undefined {
    return this.byNonce.get(nonce)
  }
  find(hash: string): NumberedTransaction<Tx> | undefined {
    return [...this.byNonce.values()].find((each) => each.hash === hash)
  }
  /** Remembers a transaction. Yields the function that restores the one that had its nonce before. */
  remember(out: NumberedTransaction<Tx>): () => void {
    const { byNonce } = this
    const before = byNonce.get(out.nonce)
    byNonce.set(out.nonce, out)
    const [oldest = out.nonce] = byNonce.keys()
    if (byNonce.size > MAX_REMEMBERED) byNonce.delete(oldest)
    return () => {
      if (before === undefined) byNonce.delete(out.nonce)
      else byNonce.set(out.nonce, before)
    }
  }
}

export const make = <Tx>(chain: NonceSource<Tx>): Nonces<Tx> => {
  const { address, readCount, makeBroadcaster, sign } = chain
  const turn = Effect.unsafeMakeSemaphore(1)
  const sent = new SentTransactions<Tx>()
  const replaced = new Map<string, string>()

  /**
   * Finds a free nonce. If nodes have lost a transaction of this signer, it is broadcast again, so that later ones do not wait for it.
   */
  const findFreeNonce: Effect.Effect<number, ReadError> = Effect.gen(function* () {
    for (let nonce = yield* readCount; ; nonce++) {
      const lost = sent.get(nonce)
      if (lost === undefined) return nonce
      const broadcaster = makeBroadcaster(lost.transaction, nonce)
      if (yield* isKnownToNodes(broadcaster, lost.hash)) continue
      const mayCome = yield* Effect.match(broadcastTransaction(broadcaster, lost, broadcaster.isPrivate), {
        onFailure: ({ _tag }) => _tag === "BroadcastUnclear",
        onSuccess: () => true
      })
      // it cannot be mined, and later transactions would wait for it
      if (!mayCome) return nonce
    }
  })

  /** Signs a transaction with a nonce and broadcasts it. Undefined if a block has another one with the nonce. */
  const signAndBroadcast = (
    transaction: Tx,
    nonce: number,
    beforeBroadcast: (out: NumberedTransaction<Tx>) => void = () => {}
  ): Effect.Effect<NumberedTransaction<Tx> | undefined, SendError> =>
    Effect.gen(function* () {
      const out = { ...(yield* sign(transaction, nonce)), transaction, nonce }
      // before the broadcast, since the caller's fiber may be interrupted during it
      const forget = Effect.sync(sent.remember(out))
      beforeBroadcast(out)
      const outcome = yield* Effect.tapError(
        broadcastTransaction(makeBroadcaster(transaction, nonce), out),
        ({ _tag }) => (_tag === "BroadcastUnclear" ? Effect.void : forget)
      )
      if (outcome === "accepted") return out
      yield* forget
      return undefined
    })

  const send = (
    transaction: Tx,
    beforeBroadcast?: (out: NumberedTransaction<Tx>) => void
  ): Effect.Effect<NumberedTransaction<Tx>, SendError> =>
    Effect.gen(function* () {
      let nonce = yield* findFreeNonce
      for (let left = MAX_TRIES; left > 0; left--) {
        const out = yield* signAndBroadcast(transaction, nonce, beforeBroadcast)
        if (out !== undefined) return out
        nonce = Math.max(yield* readCount, nonce + 1)
      }
      return yield* new NonceTaken({ address, nonce })
    })

  const rebroadcast = ({ hash, nonce, raw, transaction }: NumberedTransaction<Tx>) =>
    Effect.flatMap(
      broadcastTransaction(makeBroadcaster(transaction, nonce), { hash, raw }, true),
      (outcome): Effect.Effect<void, NonceTaken> =>
        outcome === "accepted" ? Effect.void : Effect.fail(new NonceTaken({ address, nonce }))
    )

  return {
    send: (transaction, beforeBroadcast) => turn.withPermits(1)(send(transaction, beforeBroadcast)),
    rebroadcast: (out) => turn.withPermits(1)(rebroadcast(out)),
    replace: (out, transaction, beforeBroadcast) =>
      turn.withPermits(1)(
        Effect.flatMap(signAndBroadcast(transaction, out.nonce, beforeBroadcast), (replacement) => {
          if (replacement === undefined) return Effect.fail(new NonceTaken({ address, nonce: out.nonce }))
          replaced.set(out.hash, replacement.hash)
          return Effect.succeed(replacement)
        })
      ),
    find: (hash) => sent.find(hash),
    replacedBy: (hash) => replaced.get(hash)
  }
}
