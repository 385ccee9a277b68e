import * as Effect from "effect/Effect"
import { makeDestroyedError } from "../data/destroyed.js"
import type { SubscriptionEvent } from "./declaration.js"
import type { SubscriptionError } from "./Subscription.js"

/** The rule for an item for which there is no room. */
export type OverflowPolicy = "sliding" | "reread" | { readonly fail: () => SubscriptionError }

/** An event was dropped for lack of room, and has to be read again. */
export interface MissedEvents {
  readonly _tag: "Missed"
}

/** The events of a subscription that wait for its consumer: one fiber takes, many offer. */
export class EventQueue<Item> {
  private readonly events: Array<SubscriptionEvent<Item>> = []
  private itemCount = 0
  private hasMissed = false
  private ending: Effect.Effect<never, SubscriptionError> | undefined
  private wakeConsumer: (() => void) | undefined

  constructor(
    private readonly capacity: number,
    private readonly overflow: OverflowPolicy
  ) {}

  offer(event: SubscriptionEvent<Item>): void {
    if (this.ending !== undefined) return
    if (event._tag === "Item") {
      // events behind a gap are read again with it, so that their order stays
      if (this.hasMissed) return
      if (this.itemCount >= this.capacity && !this.makeRoom()) return
      this.itemCount++
    } else if (event._tag !== "Connected" && this.events.some(({ _tag }) => _tag === event._tag)) return
    else if (event._tag === "Connected" && this.events.length > this.capacity + MAX_CONNECT_EVENTS) {
      this.hasMissed = true
      return
    }
    this.events.push(event)
    this.wakeConsumer?.()
  }

  /** Ends it, once the waiting events have been taken. */
  endWith(failure: Effect.Effect<never, SubscriptionError>): void {
    this.ending ??= failure
    this.wakeConsumer?.()
  }

  /** Ends it at once: its client or its consumer has ended. */
  close(): void {
    this.events.length = 0
    this.hasMissed = false
    this.ending = Effect.fail(makeDestroyedError())
    this.wakeConsumer?.()
  }

  /** Takes the next event. A gap of dropped events comes after all waiting events. */
  readonly take: Effect.Effect<SubscriptionEvent<Item> | MissedEvents, SubscriptionError> = Effect.suspend(
    () => {
      const next = this.events.shift()
      if (next !== undefined) {
        if (next._tag === "Item") this.itemCount--
        return Effect.succeed(next)
      }
      if (this.hasMissed) {
        this.hasMissed = false
        return Effect.succeed<MissedEvents>({ _tag: "Missed" })
      }
      if (this.ending !== undefined) return this.ending
      return Effect.zipRight(
        Effect.async<void>((resume) => {
          this.wakeConsumer = () => {
            this.wakeConsumer = undefined
            resume(Effect.void)
          }
          return Effect.sync(() => {
            this.wakeConsumer = undefined
          })
        }),
        this.take
      )
    }
  )

  private makeRoom(): boolean {
    if (this.overflow === "sliding") {
      this.events.splice(
        this.events.findIndex(({ _tag }) => _tag === "Item"),
        1
      )
      this.itemCount--
      return true
    }
    if (this.overflow === "reread") this.hasMissed = true
    else this.endWith(Effect.fail(this.overflow.fail()))
    return false
  }
}

/** How many reconnections fit in the queue of a busy consumer. Later ones count as a gap. */
const MAX_CONNECT_EVENTS = 64
