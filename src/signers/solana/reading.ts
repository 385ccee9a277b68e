/** What a payment on Solana needs of its nodes: accounts, blockhashes, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { BroadcastUnclear, reasonOf, TransactionDropped } from "../../data/SdkError.js"
import { malformed } from "../evidence.js"
import type { ReadError, Signed } from "../Signer.js"
import type { State } from "./layout.js"
import type { SolanaCalls } from "./Types.js"

/** What two thirds of the stake have voted for is not given up again, and half a minute younger than what is final. */
export const confirmed = { commitment: "confirmed" } as const

/** As much of an account's data as payments read. */
const READ = { offset: 0, length: 1_024 }

/** Data in Base64 as nodes give it: with the name of the encoding behind it. */
const dataOf = (data: unknown): Uint8Array => {
  const text: unknown = Array.isArray(data) ? data[0] : undefined
  return typeof text === "string" ? bytesOfBase64(text) : new Uint8Array()
}

/** Accounts in the order of their addresses; undefined where there is none. */
export const statesOf = (
  rpc: SolanaCalls,
  addresses: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<State | undefined>, ReadError> =>
  Effect.flatMap(
    rpc.getMultipleAccounts(addresses, { ...confirmed, encoding: "base64", dataSlice: READ }),
    ({ value }) =>
      Effect.try({
        try: () =>
          value.map((found) =>
            found === null
              ? undefined
              : { lamports: found.lamports, owner: found.owner, data: dataOf(found.data) }
          ),
        catch: (error) => malformed("getMultipleAccounts", reasonOf(error))
      })
  )

/** A blockhash, and how long it is good. */
export interface Lifetime {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

export const lifetimeOf = (rpc: SolanaCalls): Effect.Effect<Lifetime, ReadError> =>
  Effect.map(rpc.getLatestBlockhash(confirmed), ({ value }) => value)

/** A transaction that is in the chain, can still get there, or never will. */
type Fate = "there" | "open" | "gone"

/**
 * What became of a transaction. It is gone only where a node that has seen the block after which its blockhash is worth nothing does
 * not know it: one that is behind knows nothing of it.
 */
const fateOf = (rpc: SolanaCalls, hash: string, { lastValidBlockHeight }: Lifetime): Effect.Effect<Fate> =>
  Effect.gen(function* () {
    const { absoluteSlot, blockHeight } = yield* rpc.getEpochInfo({ commitment: "finalized" })
    const { context, value } = yield* rpc.getSignatureStatuses([hash], { searchTransactionHistory: true })
    const status = value[0] ?? undefined
    if (status !== undefined) return "there" as const
    return blockHeight > lastValidBlockHeight && context.slot >= absoluteSlot
      ? ("gone" as const)
      : ("open" as const)
  }).pipe(Effect.orElseSucceed(() => "open" as const))

/** How often a transaction is sent that may have been taken: for longer than a blockhash is good. */
const TRIES = 18

/** Milliseconds until it is sent again. */
const pause = (tries: number): number => Math.min(500 * 2 ** tries, 8_000)

/** What nodes say of a transaction that is in the chain, and of a blockhash that they do not know (yet). */
const isThere = /already been processed|AlreadyProcessed/
const isBehind = /blockhash not found|BlockhashNotFound/i

/** Whether a node has refused a transaction, and said so. */
const isRefusal = (error: ReadError): boolean =>
  error._tag !== "NodeError" && error._tag !== "CallTimeout" && !isBehind.test(error.message)

type HandError = ReadError | BroadcastUnclear | TransactionDropped

/** Hands a transaction to nodes, and where it is not clear that they have taken it, the same bytes again, as long as they are good. */
export const handOver = (
  rpc: SolanaCalls,
  { hash, raw }: Signed,
  lifetime: Lifetime
): Effect.Effect<void, HandError> => {
  const config = { encoding: "base64", preflightCommitment: confirmed.commitment } as const
  const settle = (error: ReadError, tries: number, fate: Fate): Effect.Effect<void, HandError> => {
    if (fate === "there") return Effect.void
    if (tries === 0 && isRefusal(error)) return Effect.fail(error)
    if (fate === "gone")
      return Effect.fail(
        new TransactionDropped({
          hash,
          reason: `its blockhash was valid up to block ${lifetime.lastValidBlockHeight}, and no node has it`
        })
      )
    return tries === TRIES
      ? Effect.fail(new BroadcastUnclear({ hash, raw, reason: error.message }))
      : Effect.delay(attempt(tries + 1), pause(tries))
  }
  const attempt = (tries: number): Effect.Effect<void, HandError> =>
    Effect.catchAll(Effect.asVoid(rpc.sendTransaction(raw, config)), (error) =>
      error._tag === "RpcError" && isThere.test(error.message)
        ? Effect.void
        : Effect.flatMap(fateOf(rpc, hash, lifetime), (fate) => settle(error, tries, fate))
    )
  return attempt(0)
}
