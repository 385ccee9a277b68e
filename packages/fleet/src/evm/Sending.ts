/**
 * The workflow of a transaction: prepared, given a nonce, signed, kept, handed to nodes, and looked for until it is deep in the chain.
 * Each activity may run twice.
 */
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import * as Workflow from "@effect/workflow/Workflow"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { hearing, lasting, passing, refusedBefore, settling } from "../durable/Lasting.js"
import type { Known } from "../durable/Order.js"
import type { Account, Ledger } from "../Ledger.js"
import * as Line from "./Line.js"
import { Confirmed, digestOf, Ended, Order, Outcome, Plan, PlanText } from "./Order.js"

export const EvmSend = Workflow.make({
  name: "fleet/EvmSend",
  payload: { order: Order },
  success: Confirmed,
  error: Ended,
  idempotencyKey: ({ order }) => `${order.network}/${order.from.toLowerCase()}/${order.key}`,
  suspendedRetrySchedule: hearing
})

const encodePlan = Schema.encodeSync(PlanText)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<Known, "from" | "network">): Account => ({
  network,
  address: from.toLowerCase()
})

/** What one attention comes to: the end, a decision, or that it goes on after a rest. */
const Turn = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: Confirmed }),
  Schema.TaggedStruct("Filled", {}),
  Schema.TaggedStruct("Refused", { error: Ended }),
  Schema.TaggedStruct("Waiting", { isMined: Schema.Boolean })
)
type Turn = Schema.Schema.Type<typeof Turn>

/** What a transaction in a block means to who has asked for it. */
export const outcomeOf = (
  order: Pick<Order, "key" | "network" | "from">,
  nonce: number,
  { bytes: { hash }, receipt }: Extract<Line.Seen, { _tag: "Mined" }>
): Either.Either<Confirmed, Ended> =>
  receipt.status === "0x0"
    ? Either.left(new SdkError.TransactionFailed({ hash, reason: "it was reverted" }))
    : Either.right({
        key: order.key,
        network: order.network,
        from: order.from,
        nonce,
        hash,
        block: Number(receipt.blockNumber),
        blockHash: receipt.blockHash
      })

/** Keeps the outcome, and counts it once. */
export const settle = settling(Outcome)

const refused = refusedBefore(Outcome)

/** A while of looking at a nonce, until something has come of it. */
const attend = (
  line: Line.Line,
  ledger: Ledger,
  policy: Line.Policy,
  { order, wanted }: { readonly order: Order; readonly wanted: Line.Wanted }
): Effect.Effect<Turn, Ended> =>
  Effect.gen(function* () {
    const { nonce, purpose } = wanted
    const entry = { ...line.account, key: order.key }
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    const patience = Duration.toMillis(policy.patience)
    let isMined = false
    for (;;) {
      const seen = yield* Effect.either(line.look(wanted))
      const now = yield* Clock.currentTimeMillis
      const isOver = now >= until
      if (Either.isLeft(seen)) {
        const error = seen.left
        // a key that does not sign is asked for the whole of an attention
        if (error._tag === "SigningFailed" && isOver && purpose === "pay") return { _tag: "Refused", error }
        yield* Effect.logDebug("tried again", error)
      } else if (seen.right._tag === "Mined") {
        if (seen.right.bytes.purpose === "fill") return { _tag: "Filled" }
        const outcome = outcomeOf(order, nonce, seen.right)
        yield* lasting(settle(ledger, entry, outcome))
        if (Either.isLeft(outcome)) return yield* Effect.fail(outcome.left)
        return { _tag: "Done", confirmed: outcome.right }
      } else if (seen.right._tag === "Taken") {
        const taken = new SdkError.NonceTaken({ address: line.address, nonce })
        yield* lasting(settle(ledger, entry, Either.left(taken)))
        return yield* taken
      } else if (seen.right._tag === "Refused") {
        if (purpose === "pay" && now - seen.right.since >= patience)
          return { _tag: "Refused", error: seen.right.error }
      } else isMined = seen.right.isMined
      if (isOver) return { _tag: "Waiting", isMined }
      yield* Effect.sleep(policy.poll)
    }
  })

/** The preview, which either ends a transaction before it has a nonce, or is tried until nodes answer. */
const preparing = (line: Line.Line, order: Order): Effect.Effect<Plan, Ended> =>
  Effect.catchAll(
    Effect.retry(line.prepare(order), { schedule: passing, until: Line.isEnd }),
    (error): Effect.Effect<never, Ended> => (Line.isEnd(error) ? Effect.fail(error) : Effect.die(error))
  )

/** A transaction from its preview to its end. */
export const run = (find: (order: Order) => Effect.Effect<Line.Line>, ledger: Ledger, policy: Line.Policy) =>
  Effect.fnUntraced(function* (order: Order) {
    const account = accountOf(order)
    const plan = yield* Activity.make({
      name: "prepare",
      success: Plan,
      error: Ended,
      execute: Effect.flatMap(find(order), (line) => preparing(line, order)).pipe(
        Effect.tapError((error) =>
          lasting(settle(ledger, { ...account, key: order.key }, Either.left(error)))
        ),
        // an account that was too poor may have more by now: the order has ended all the same
        (prepared) => Effect.zipRight(refused(ledger, { ...account, key: order.key }), prepared)
      )
    })
    const nonce = yield* Activity.make({
      name: "reserve",
      success: Schema.Number,
      execute: Effect.flatMap(find(order), (line) =>
        lasting(
          Effect.gen(function* () {
            const entry = yield* ledger.enter(account, order.key, digestOf(order))
            return yield* ledger.reserve(entry, encodePlan(plan), yield* line.count)
          })
        )
      )
    })
    let refusal: Ended | undefined
    for (let turn = 0; ; turn++) {
      const wanted: Line.Wanted = {
        nonce,
        plan,
        purpose: refusal === undefined ? "pay" : "fill",
        confirmations: order.confirmations ?? 1
      }
      const seen: Turn = yield* Activity.make({
        name: `attend/${turn}`,
        success: Turn,
        error: Ended,
        execute: Effect.flatMap(find(order), (line) => attend(line, ledger, policy, { order, wanted }))
      })
      if (seen._tag === "Done") return seen.confirmed
      if (seen._tag === "Refused") refusal = seen.error
      if (seen._tag === "Filled") {
        const error =
          refusal ??
          new SdkError.SigningFailed({ reason: "its nonce was filled with nothing, and nothing was paid" })
        yield* Activity.make({
          name: "filled",
          execute: lasting(settle(ledger, { ...account, key: order.key }, Either.left(error)))
        })
        return yield* Effect.fail(error)
      }
      if (seen._tag === "Waiting")
        yield* DurableClock.sleep({
          name: `rest/${turn}`,
          // a transaction that waits for blocks on top of it needs no haste; one before others is needed by them
          duration: seen.isMined ? Duration.seconds(Math.min(60, 5 * (turn + 1))) : "1 second",
          inMemoryThreshold: "0 millis"
        })
    }
  })
