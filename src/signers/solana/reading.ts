/** What a payment on Solana needs of its nodes: accounts, blockhashes, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { reasonOf, TransactionDropped } from "../../data/SdkError.js"
import {
  type BroadcastError,
  type Broadcaster,
  type BroadcastOutcome,
  broadcastTransaction,
  type TransactionStatus
} from "../broadcast.js"
import { makeMalformedError } from "../evidence.js"
import type { ReadError, Signed } from "../Signer.js"
import type { AccountState } from "./layout.js"
import type { SolanaCalls, SolanaClient } from "./Types.js"

/**
 * What two thirds of the stake have voted for does not get rolled back in practice, and is available half a minute before it is final.
 */
export const CONFIRMED = { commitment: "confirmed" } as const

/** As much of an account's data as payments read. */
const DATA_SLICE = { offset: 0, length: 1_024 }

/** Data in Base64 as nodes give it: with the name of the encoding behind it. */
const parseData = (data: unknown): Uint8Array => {
  const text: unknown = Array.isArray(data) ? data[0] : undefined
  return typeof text === "string" ? bytesOfBase64(text) : new Uint8Array()
}

/** Reads accounts in the order of their addresses; undefined for missing ones. */
export const readAccounts = (
  rpc: SolanaCalls,
  addresses: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<AccountState | undefined>, ReadError> =>
  Effect.flatMap(
    rpc.getMultipleAccounts(addresses, { ...CONFIRMED, encoding: "base64", dataSlice: DATA_SLICE }),
    ({ value }) =>
      Effect.try({
        try: () =>
          value.map((found) =>
            found === null
              ? undefined
              : { lamports: found.lamports, owner: found.owner, data: parseData(found.data) }
          ),
        catch: (error) => makeMalformedError("getMultipleAccounts", reasonOf(error))
      })
  )

/** A blockhash, and how long it is good. */
export interface BlockhashLifetime {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

export const readLifetime = (rpc: SolanaCalls): Effect.Effect<BlockhashLifetime, ReadError> =>
  Effect.map(rpc.getLatestBlockhash(CONFIRMED), ({ value }) => value)

/** The milliseconds until all nodes show a transaction that one of them has accepted. During that time an unclear one is sent again. */
const PROPAGATION_MS = 8_000
const RESEND_MS = 100_000

/**
 * Looks up a transaction. Only a node that has seen the last block for its blockhash can show that it will not come: a node that is
 * behind does not know.
 */
const lookUpTransaction = (
  rpc: SolanaCalls,
  hash: string,
  { lastValidBlockHeight }: Pick<BlockhashLifetime, "lastValidBlockHeight">
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { absoluteSlot, blockHeight } = yield* rpc.getEpochInfo({ commitment: "finalized" })
    const { context, value } = yield* rpc.getSignatureStatuses([hash], { searchTransactionHistory: true })
    if ((value[0] ?? undefined) !== undefined) return "known"
    return blockHeight > lastValidBlockHeight && context.slot >= absoluteSlot
      ? yield* new TransactionDropped({
          hash,
          reason: `its blockhash was valid up to block ${lastValidBlockHeight}, and no node has it`
        })
      : "absent"
  })

/** Broadcasts a transaction. If the outcome is unclear, it sends the same bytes again as long as they are valid. */
export const broadcastSigned = (
  { nodes, rpc }: Pick<SolanaClient, "nodes" | "rpc">,
  signed: Signed,
  lifetime: Pick<BlockhashLifetime, "lastValidBlockHeight">,
  wasBroadcast = false
): Effect.Effect<BroadcastOutcome, BroadcastError> => {
  const config = { encoding: "base64", preflightCommitment: CONFIRMED.commitment } as const
  const broadcaster: Broadcaster = {
    nodes,
    propagationMs: PROPAGATION_MS,
    resendMs: RESEND_MS,
    broadcast: ({ raw }) => rpc.sendTransaction(raw, config),
    lookUp: (hash) => lookUpTransaction(rpc, hash, lifetime)
  }
  return broadcastTransaction(broadcaster, signed, wasBroadcast)
}
