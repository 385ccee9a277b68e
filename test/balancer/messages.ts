/**
 * A pool in which one method gets a JSON-RPC error from every node: its code and its words may be a contract's, and a contract may be
 * hostile. What is right of it for any error is told once, here, for CI and for the nightly run.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "fast-check"
import { expect } from "vitest"
import { simulate } from "./simulation.js"
import {
  A,
  B,
  C,
  checkedConfig,
  delayAnswer,
  makeNode,
  makeWorld,
  type NodeAnswer,
  resultAnswer,
  staticConfig,
  textAnswer
} from "./world.js"

/** What nodes, proxies and contracts have said, in pieces: a message is any of them in any order, among random characters. */
const MESSAGE_PIECES = [
  "execution reverted: ",
  "err: ",
  "insufficient funds",
  "try again",
  "the vault is busy",
  "quota of the token is used up",
  "temporarily locked by its owner",
  "timed out orders cannot be filled",
  "not healthy enough for a loan",
  "backend said no",
  "rate limit",
  "too many requests",
  "overloaded",
  "unauthorized",
  "shutting down",
  "request timed out",
  "context deadline exceeded",
  "header not found",
  "missing trie node",
  "already known",
  "nonce too low",
  "Internal error",
  "HTTP 429",
  "retry-after: 60"
]

/** The codes of JSON-RPC, of nodes, of gateways, and those that look like a status. */
const CODES = [
  3, 4, 0, 1, -1, 429, 500, 503, 403, -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32003, -32005,
  -32010, -32015, -32016, -32429, -16429, -16503, -16401, 4444, -38013
]

/** An error as a node says it: some say it with a status that is none of a success. */
export interface NodeMessage {
  readonly code: number
  readonly message: string
  readonly data: unknown
  readonly status: number
}

export const arbitraryMessage: fc.Arbitrary<NodeMessage> = fc.record(
  {
    code: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...CODES) }, fc.integer()),
    message: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...MESSAGE_PIECES) },
      fc
        .array(fc.oneof(fc.constantFrom(...MESSAGE_PIECES), fc.string()), { maxLength: 4 })
        .map((all) => all.join("")),
      fc.string({ unit: "binary", maxLength: 40 })
    ),
    data: fc.oneof(fc.constant(undefined), fc.constant("0x08c379a0"), fc.string(), fc.jsonValue()),
    status: fc.constantFrom(200, 200, 200, 400, 500)
  },
  { noNullPrototype: true }
)

export interface Plan {
  readonly urls: number
  readonly isChecked: boolean
  /** Each is what every node says to the call of its turn, or, where it has several, each node its own. */
  readonly errors: ReadonlyArray<ReadonlyArray<NodeMessage>>
  /** Whether the calls of the other method are made beside, and not after. */
  readonly isTogether: boolean
}

export const arbitraryPlan = (count: number): fc.Arbitrary<Plan> =>
  fc.record(
    {
      urls: fc.integer({ min: 1, max: 3 }),
      isChecked: fc.boolean(),
      errors: fc.array(
        fc.oneof(fc.tuple(arbitraryMessage), fc.tuple(arbitraryMessage, arbitraryMessage, arbitraryMessage)),
        {
          minLength: count,
          maxLength: count
        }
      ),
      isTogether: fc.boolean()
    },
    { noNullPrototype: true }
  )

const URLS = [A, B, C]

/** Calls of a method that all nodes refuse, and those of another one, which all succeed. */
export const checkNobodyIsHarmed = async ({ errors, isChecked, isTogether, urls }: Plan): Promise<void> => {
  const all = URLS.slice(0, urls)
  let turn: ReadonlyArray<NodeMessage> = []
  const behaviour = (i: number) =>
    makeNode((ask): NodeAnswer | undefined => {
      if (ask.method !== "eth_call")
        return ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x2a"), 5) : undefined
      const { status = 200, ...error } = turn[i % turn.length] ?? {}
      return delayAnswer(textAnswer({ jsonrpc: "2.0", id: ask.id, error }, status), 5)
    })
  const exit = await simulate(() =>
    Effect.scoped(
      Effect.gen(function* () {
        const config = isChecked ? checkedConfig(...all) : staticConfig(...all)
        const w = yield* makeWorld({
          config: { ...config, hedge: false },
          nodes: Object.fromEntries(all.map((url, i) => [url, behaviour(i)]))
        })
        const other: Effect.Effect<Exit.Exit<unknown, unknown>> = Effect.exit(w.rpc.gasPrice())
        for (const each of errors) {
          turn = each
          const refused: typeof other = Effect.exit(w.rpc.call({ to: `0x${"1".repeat(40)}` }))
          const [outcome, answered] = yield* Effect.all([refused, other], {
            concurrency: isTogether ? 2 : 1
          })
          expect(Exit.isFailure(outcome) && Cause.isFailType(outcome.cause)).toBe(true)
          expect([each, Exit.isSuccess(answered) ? answered.value : Cause.pretty(answered.cause)]).toEqual([
            each,
            42n
          ])
        }
      })
    )
  )
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
}
