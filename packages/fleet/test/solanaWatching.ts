/**
 * What tests of watchers of Solana have in common: a front of Surfpool. Surfpool's blocks do not follow one another by their hashes, and it
 * skips no slot: the front gives them the hashes of a cluster's, leaves slots out, and takes transactions back. What the transactions are
 * is Surfpool's.
 */
import { setTimeout as delay } from "node:timers/promises"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { listen, parseBody } from "../../../src/sandbox/Loopback.js"
import type { SandboxError } from "../../../src/sandbox/SandboxError.js"
import { ask } from "./evm.js"

interface RawBlock {
  readonly transactions: ReadonlyArray<{
    readonly transaction: { readonly signatures: ReadonlyArray<string> }
  }>
}

interface RpcRequest {
  readonly method: string
  readonly id: unknown
  readonly params: ReadonlyArray<unknown>
}

const isRpcRequest = (body: unknown): body is RpcRequest =>
  typeof body === "object" && body !== null && "method" in body && "params" in body

/** Slots that have no block where they have no transaction. */
const isSkippable = (slot: number): boolean => slot % 3 === 0

/** A cluster made of Surfpool's transactions: every third slot without any is skipped, and branches take what they take. */
export class Cluster {
  private readonly raw = new Map<number, RawBlock>()
  private readonly gone = new Set<string>()
  private readonly branches = new Map<number, number>()
  private branch = 0
  /** Slots from here on are not there yet. */
  end = 0
  constructor(private readonly surfpool: string) {}

  /** Takes another way from a slot on, on which these transactions are not. */
  fork(slot: number, signatures: ReadonlyArray<string>): void {
    this.branch++
    for (let blockAt = slot; blockAt < this.end; blockAt++) this.branches.set(blockAt, this.branch)
    for (const each of signatures) this.gone.add(each)
  }

  /** Goes up to the newest slot with a block. The first slots of all are before what Surfpool knows. */
  async advance(): Promise<number> {
    for (;;) {
      const newest = () => ask<number>(this.surfpool, "getSlot", { commitment: "confirmed" })
      const now = await newest()
      // a slot without a block is known to be skipped by the block after it only: nothing follows the last one here
      const slot = isSkippable(now) ? now + 1 : now
      while ((await newest()) < slot) await delay(20)
      const areThere = await this.load(slot - 1, slot).then(
        () => true,
        () => false
      )
      if (areThere) {
        this.end = slot + 1
        return slot
      }
    }
  }

  /** Reads slots from Surfpool. What is asked of the cluster after that is of one branch: it is told without a pause. */
  private async load(...slots: ReadonlyArray<number>): Promise<void> {
    for (const slot of slots) {
      if (this.raw.has(slot)) continue
      const raw = await ask<RawBlock | null>(this.surfpool, "getBlock", slot, {
        commitment: "confirmed",
        transactionDetails: "accounts",
        maxSupportedTransactionVersion: 0,
        rewards: false
      })
      if (raw === null) throw new Error(`Surfpool has no block of slot ${slot}`)
      this.raw.set(slot, raw)
    }
  }

  private at(slot: number): RawBlock | undefined {
    const raw = slot < this.end ? this.raw.get(slot) : undefined
    if (raw === undefined) return undefined
    const transactions = raw.transactions.filter(
      ({ transaction }) => !this.gone.has(transaction.signatures[0] ?? "")
    )
    return transactions.length === 0 && isSkippable(slot) ? undefined : { ...raw, transactions }
  }

  private previousSlot(slot: number): number {
    return isSkippable(slot - 1) && this.at(slot - 1) === undefined ? slot - 2 : slot - 1
  }

  private hashOf(slot: number): string {
    return `${slot}/${this.branches.get(slot) ?? 0}`
  }

  /** The hash of a slot's block, of one that was skipped that of the block before it; and the signatures of its transactions. */
  async slotAt(slot: number): Promise<{ readonly hash: string; readonly signatures: ReadonlyArray<string> }> {
    await this.load(slot, slot - 1)
    const block = this.at(slot)
    return {
      hash: this.hashOf(block === undefined ? this.previousSlot(slot) : slot),
      signatures: block?.transactions.map(({ transaction }) => transaction.signatures[0] ?? "") ?? []
    }
  }

  private async answer({ method, params }: RpcRequest): Promise<object> {
    const slot = Number(params[0])
    if (method === "getSlot") return { result: this.end - 1 }
    if (method === "getBlocksWithLimit") {
      const seen = [slot, slot + 1].filter((each) => each < this.end)
      await this.load(...seen)
      const next = seen.find((each) => this.at(each) !== undefined)
      return { result: next === undefined ? [] : [next] }
    }
    if (method === "getBlock") {
      if (slot < this.end) await this.load(slot - 1, slot)
      const block = this.at(slot)
      if (block === undefined) return { error: { code: -32_007, message: `Slot ${slot} was skipped` } }
      const parentSlot = this.previousSlot(slot)
      return {
        result: {
          ...block,
          blockhash: this.hashOf(slot),
          previousBlockhash: this.hashOf(parentSlot),
          parentSlot
        }
      }
    }
    return { result: await ask(this.surfpool, method, ...params) }
  }

  /** The url at which it answers. */
  get listening(): Effect.Effect<string, SandboxError, Scope.Scope> {
    const one = async (request: unknown) => {
      const id = isRpcRequest(request) ? request.id : null
      try {
        if (!isRpcRequest(request)) throw new Error("no request")
        return { jsonrpc: "2.0", id, ...(await this.answer(request)) }
      } catch (error) {
        return { jsonrpc: "2.0", id, error: { code: -32_603, message: String(error) } }
      }
    }
    const listening = listen((received) =>
      Effect.promise(async () => {
        const body = parseBody(received.body)
        const answers = await (Array.isArray(body) ? Promise.all(body.map(one)) : one(body))
        return {
          status: 200,
          headers: { "content-type": "application/json" },
          body: Buffer.from(JSON.stringify(answers))
        }
      })
    )
    return Effect.map(listening, (port) => `http://127.0.0.1:${port}`)
  }
}
