/**
 * A leader of Solana whose blocks are full: what is sent to it waits, and each round takes those who pay most for a compute unit. Rounds
 * are the test's. Everything else is answered by the node behind it.
 */
import {
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionMessageComputeUnitPrice
} from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { encodeBase58 } from "../../src/chains/internal/base58.js"
import { forwardRequest, listen, parseBody } from "../../src/sandbox/Loopback.js"

/** A transaction that waits for a round. */
interface Waiting {
  readonly raw: string
  readonly price: bigint
}

export interface Leader {
  readonly url: string
  /** How often each transaction came in, by its signature. */
  readonly received: ReadonlyMap<string, number>
  /** Hands a transaction in beside the signers that are tested. */
  readonly offer: (raw: string) => string
  /** The signatures of those that wait. */
  readonly listWaiting: () => ReadonlyArray<string>
  /** Resolves when so many transactions wait. */
  readonly waitFor: (count: number) => Promise<void>
  /** Takes so many of those that wait, the best payers first: their signatures, and what the node said to each. */
  readonly playRound: (count: number) => Promise<ReadonlyMap<string, unknown>>
  readonly close: () => Promise<void>
}

const bytesOf = (raw: string): Uint8Array => new Uint8Array(Buffer.from(raw, "base64"))

/** The price of a compute unit, as kit reads it: 0 without one. */
export const readPrice = (raw: string): bigint => {
  const read = getCompiledTransactionMessageDecoder().decode(bytesOf(raw).subarray(65))
  // what kit knows of lookup tables and other versions has no part in it
  return getTransactionMessageComputeUnitPrice(decompileTransactionMessage(read as never) as never) ?? 0n
}

export const startLeader = async (url: string): Promise<Leader> => {
  const scope = Effect.runSync(Scope.make())
  const waiting = new Map<string, Waiting>()
  const received = new Map<string, number>()
  const lowest: Array<bigint> = []
  let watchers: ReadonlyArray<() => void> = []
  const offer = (raw: string): string => {
    const signature = encodeBase58(bytesOf(raw).slice(1, 65))
    // what a round has taken does not wait again
    if (!received.has(signature)) waiting.set(signature, { raw, price: readPrice(raw) })
    received.set(signature, (received.get(signature) ?? 0) + 1)
    for (const look of watchers) look()
    return signature
  }
  const port = await Effect.runPromise(
    listen((request) => {
      const body = Object(parseBody(request.body))
      const answer = (result: unknown) =>
        Effect.succeed({
          status: 200,
          headers: { "content-type": "application/json" },
          body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: body.id, result }))
        })
      if (body.method === "sendTransaction") return answer(offer(String(body.params[0])))
      // as nodes list them: the least price of each slot
      if (body.method === "getRecentPrioritizationFees")
        return answer(lowest.map((price, slot) => ({ slot, prioritizationFee: Number(price) })))
      return Effect.orDie(forwardRequest(url, request, { reuse: false, timeout: 300_000 }))
    }).pipe(Scope.extend(scope))
  )
  const forward = async (raw: string): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "sendTransaction",
        params: [raw, { encoding: "base64", preflightCommitment: "confirmed" }]
      })
    })
    return response.json()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    offer,
    listWaiting: () => [...waiting.keys()],
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (waiting.size < count) return
          watchers = watchers.filter((each) => each !== look)
          resolve()
        }
        watchers = [...watchers, look]
        look()
      }),
    playRound: async (count) => {
      const best = [...waiting].sort(([, one], [, other]) => Number(other.price - one.price)).slice(0, count)
      const said = new Map<string, unknown>()
      for (const [signature, { raw }] of best) {
        waiting.delete(signature)
        said.set(signature, await forward(raw))
      }
      const last = best.at(-1)
      if (last !== undefined) lowest.push(last[1].price)
      return said
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
