import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { CallTimeout, NodeError, RpcError } from "../../src/data/SdkError.js"
import type { TransactionStatus } from "../../src/signers/broadcast.js"
import { make } from "../../src/signers/evm/Nonces.js"
import type { ReadError } from "../../src/signers/Signer.js"
import { runs } from "../properties.js"

/** What becomes of an attempt to hand a transaction to a node. */
type Fault =
  | "none"
  | "answer lost"
  | "mined, and the answer lost"
  | "taken, and refused in words"
  | "mined, and refused in words"
  | "request lost"
  | "refused"
  | "late"

/** What happens to the account and its chain: sends at the same time, each with the faults of its attempts, and what others do. */
type Step =
  | { readonly do: "send"; readonly faults: ReadonlyArray<ReadonlyArray<Fault>> }
  | { readonly do: "other" | "mine" | "drop" | "evict" | "blind" }

const url = "http://node.example"
const lost = new NodeError({ kind: "network", call: "send", url, reason: "socket hang up" })
/** Words that nodes have for a transaction that they do not take, also where they have taken it. */
const words = [
  "no",
  "nonce too low",
  "replacement transaction underpriced",
  "insufficient funds",
  "already known"
]
const refusal = (at: number) =>
  new RpcError({ method: "send", code: -32_000, rpcMessage: words[at % words.length] ?? "no", url })

/** A node: the transactions of the account by their nonces, of which the first `mined` are in the chain. */
class Node {
  readonly pool = new Map<number, string>()
  /** Transactions that the node will not have again. */
  readonly evicted = new Set<string>()
  readonly accepted = new Map<string, Set<number>>()
  mined = 0
  isBlind = false
  faults = new Map<string, Array<Fault>>()
  answers = 0

  count(): number {
    let count = this.mined
    while (this.pool.has(count)) count++
    return count
  }
  /** Whether it has it then: a nonce that a block has is over, also for the transaction that has it. */
  take(raw: string): boolean {
    const [nonce = "", id = ""] = raw.split(":")
    const at = Number(nonce)
    if (at < this.mined) return false
    if (this.pool.has(at)) return this.pool.get(at) === raw
    this.pool.set(at, raw)
    this.accepted.set(id, new Set(this.accepted.get(id)).add(at))
    return true
  }
  show(hash: string): TransactionStatus {
    if ([...this.pool.values()].some((raw) => `#${raw}` === hash)) return "known"
    return Number(hash.slice(1).split(":")[0]) < this.mined ? "replaced" : "absent"
  }
}

const noncesOf = (node: Node) =>
  make<string>({
    address: "0x1",
    // it takes a while, as all calls do
    readCount: Effect.delay(
      Effect.sync(() => node.count()),
      1
    ),
    sign: (id, nonce) => Effect.succeed({ raw: `${nonce}:${id}`, hash: `#${nonce}:${id}` }),
    makeBroadcaster: () => ({
      nodes: undefined,
      propagationMs: 2_500,
      lookUp: (hash) =>
        Effect.suspend(() =>
          node.isBlind
            ? Effect.fail(new CallTimeout({ call: "look", timeout: 1 }))
            : Effect.succeed(node.show(hash))
        ),
      broadcast: ({ raw }) =>
        Effect.suspend((): Effect.Effect<void, ReadError> => {
          const id = raw.split(":")[1] ?? ""
          const fault = node.faults.get(id)?.shift() ?? "none"
          const refused = Effect.fail(refusal(node.answers++))
          if (fault === "refused" || node.evicted.has(raw)) return refused
          if (fault === "request lost") return Effect.fail(lost)
          const isTaken = node.take(raw)
          if (fault === "late")
            return Effect.delay(Effect.fail(new CallTimeout({ call: "send", timeout: 1 })), 1_000)
          if (fault.startsWith("mined")) node.mined = node.count()
          if (fault.endsWith("in words") || !isTaken) return refused
          return fault.endsWith("lost") ? Effect.fail(lost) : Effect.void
        })
    })
  })

const fault = fc.constantFrom<Fault>(
  "none",
  "none",
  "answer lost",
  "mined, and the answer lost",
  "taken, and refused in words",
  "mined, and refused in words",
  "request lost",
  "refused",
  "late"
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      faults: fc.array(fc.array(fault, { maxLength: 7 }), { minLength: 1, maxLength: 4 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "other" as const,
        "mine" as const,
        "drop" as const,
        "evict" as const,
        "blind" as const
      )
    })
  }
)

describe("the nonces of an account", () => {
  it("pay no send twice, and leave no hole, whatever becomes of the requests", async () => {
    const program = (steps: ReadonlyArray<Step>) =>
      Effect.gen(function* () {
        const node = new Node()
        const nonces = noncesOf(node)
        let id = 0
        const others: Array<string> = []
        const dropped = new Set<string>()
        const paid: Array<{ readonly id: string; readonly nonce: number }> = []
        const settle = (ids: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const fibers = yield* Effect.all(ids.map((each) => Effect.fork(Effect.either(nonces.send(each)))))
            yield* TestClock.adjust("5 minutes")
            const results = yield* Effect.all(fibers.map((fiber) => Fiber.join(fiber)))
            for (const [i, result] of results.entries()) {
              const each = ids[i] ?? ""
              const accepted = node.accepted.get(each) ?? new Set()
              // never twice
              expect(accepted.size).toBeLessThanOrEqual(1)
              if (Either.isRight(result)) {
                expect([...accepted]).toEqual([result.right.nonce])
                paid.push({ id: each, nonce: result.right.nonce })
              } else if (result.left._tag !== "BroadcastUnclear") {
                // what was refused has gone nowhere
                expect(accepted.size).toBe(0)
              }
            }
          })
        for (const each of steps) {
          if (each.do === "send") {
            const ids = each.faults.map(() => `s${id++}`)
            for (const [i, faults] of each.faults.entries()) node.faults.set(ids[i] ?? "", [...faults])
            yield* settle(ids)
          } else if (each.do === "other") {
            const raw = `${node.count()}:o${id++}`
            node.take(raw)
            others.push(raw)
          } else if (each.do === "mine") node.mined = node.count()
          else if (each.do === "blind") node.isBlind = !node.isBlind
          else {
            const last = Math.max(-1, ...[...node.pool.keys()].filter((nonce) => nonce >= node.mined))
            const raw = node.pool.get(last)
            if (raw !== undefined && !others.includes(raw)) {
              node.pool.delete(last)
              dropped.add(raw)
              if (each.do === "evict") node.evicted.add(raw)
            }
          }
        }
        // a last payment without faults gets what was dropped back to the nodes
        node.isBlind = false
        node.faults.clear()
        // each fills one hole that was left while nobody could tell
        const isWhole = () => node.count() === Math.max(...node.pool.keys()) + 1
        do yield* settle([`s${id++}`])
        while (!isWhole() && id < 100)
        const highest = Math.max(...node.pool.keys())
        expect(node.count()).toBe(highest + 1)
        for (const each of paid) {
          const there = node.pool.get(each.nonce)
          expect(there === `${each.nonce}:${each.id}` || dropped.has(`${each.nonce}:${each.id}`)).toBe(true)
        }
      }).pipe(Effect.provide(TestContext.TestContext))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) =>
        Effect.runPromise(program(steps))
      ),
      { numRuns: runs(100) }
    )
  })
})
