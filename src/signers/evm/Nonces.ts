/**
 * The nonces of one account: transactions go out one after another, so that those of concurrent sends are consecutive, and one that
 * is refused leaves no hole.
 */
import * as Effect from "effect/Effect"
import {
  type BroadcastUnclear,
  type InvalidArgument,
  NonceTaken,
  type SigningFailed
} from "../../data/SdkError.js"
import { type Handing, handOver, knows } from "../broadcast.js"
import type { ReadError, Signed } from "../Signer.js"

/** The chain and the key, as far as nonces are concerned. */
export interface Chain<Tx> extends Handing {
  readonly address: string
  /** The number of the account's transactions, those that wait for a block included. */
  readonly count: Effect.Effect<number, ReadError>
  readonly sign: (transaction: Tx, nonce: number) => Effect.Effect<Signed, SigningFailed | InvalidArgument>
}

/** A transaction that went out, with its nonce. */
export interface Out<Tx> extends Signed {
  readonly transaction: Tx
  readonly nonce: number
}

export interface Nonces<Tx> {
  /** Signs a transaction with the next nonce, and hands it to nodes. */
  readonly send: (transaction: Tx) => Effect.Effect<Out<Tx>, SendError>
  /** The same with the nonce of one that went out. */
  readonly replace: (out: Out<Tx>, transaction: Tx) => Effect.Effect<Out<Tx>, SendError>
  /** What went out under a hash, and the hash of what has replaced it. */
  readonly find: (hash: string) => Out<Tx> | undefined
  readonly replacedBy: (hash: string) => string | undefined
}

export type SendError = ReadError | SigningFailed | NonceTaken | BroadcastUnclear

/** How often the nonce is read anew where others keep taking it. */
const TRIES = 4

/** Transactions that are remembered: more cannot wait for a block at any node. */
const MOST = 1_024

export const make = <Tx>(chain: Chain<Tx>): Nonces<Tx> => {
  const { address, count, sign } = chain
  const turn = Effect.unsafeMakeSemaphore(1)
  const sent = new Map<number, Out<Tx>>()
  const replaced = new Map<string, string>()

  /** A nonce that is free: nodes that have lost a transaction of ours get it again, and those behind it wait for nothing. */
  const free: Effect.Effect<number, ReadError> = Effect.gen(function* () {
    for (let nonce = yield* count; ; nonce++) {
      const lost = sent.get(nonce)
      if (lost === undefined) return nonce
      if (yield* knows(chain, lost.hash)) continue
      const mayCome = yield* Effect.match(handOver(chain, lost), {
        onFailure: (error) => error._tag !== "RpcError",
        onSuccess: () => true
      })
      // it will not come back, and would keep all behind it from the chain
      if (!mayCome) return nonce
    }
  })

  const remember = (out: Out<Tx>): Out<Tx> => {
    sent.set(out.nonce, out)
    const [oldest = out.nonce] = sent.keys()
    if (sent.size > MOST) sent.delete(oldest)
    return out
  }

  const go = (transaction: Tx, nonce: number): Effect.Effect<Out<Tx> | undefined, SendError> =>
    Effect.gen(function* () {
      const signed = yield* sign(transaction, nonce)
      if ((yield* handOver(chain, signed)) === "replaced") return undefined
      return remember({ ...signed, transaction, nonce })
    })

  const send = (transaction: Tx): Effect.Effect<Out<Tx>, SendError> =>
    Effect.gen(function* () {
      let nonce = yield* free
      for (let left = TRIES; left > 0; left--) {
        const out = yield* go(transaction, nonce)
        if (out !== undefined) return out
        nonce = Math.max(yield* count, nonce + 1)
      }
      return yield* new NonceTaken({ address, nonce })
    })

  return {
    send: (transaction) => turn.withPermits(1)(send(transaction)),
    replace: (out, transaction) =>
      turn.withPermits(1)(
        Effect.flatMap(go(transaction, out.nonce), (made) => {
          if (made === undefined) return Effect.fail(new NonceTaken({ address, nonce: out.nonce }))
          replaced.set(out.hash, made.hash)
          return Effect.succeed(made)
        })
      ),
    find: (hash) => [...sent.values()].find((each) => each.hash === hash),
    replacedBy: (hash) => replaced.get(hash)
  }
}
