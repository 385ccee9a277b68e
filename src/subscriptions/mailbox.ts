import * as Effect from "effect/Effect"
import type { Happening } from "./declaration.js"
import type { SubscriptionError } from "./Subscription.js"

/** The rule for an item for which there is no room. */
export type Full = "sliding" | "reread" | { readonly fail: () => SubscriptionError }

/** There was no room for an event: it is to be read again. */
export interface Missed {
  readonly _tag: "Missed"
}

/** The events of a subscription that wait for its consumer: one fiber takes, many offer. */
export class Mailbox<Item> {
  private readonly waiting: Array<Happening<Item>> = []
  private items = 0
  private missed = false
  private end: Effect.Effect<never, SubscriptionError> | undefined
  private wake: (() => void) | undefined

  constructor(
    private readonly capacity: number,
    private readonly full: Full
  ) {}

  offer(event: Happening<Item>): void {
    if (this.end !== undefined) return
    if (event._tag === "Item") {
      // an event behind a hole is read again with the hole, so that everything is in its order
      if (this.missed) return
      if (this.items >= this.capacity && !this.makeRoom()) return
      this.items++
    } else if (event._tag !== "Up" && this.waiting.some(({ _tag }) => _tag === event._tag)) return
    else if (event._tag === "Up" && this.waiting.length > this.capacity + UPS) {
      this.missed = true
      return
    }
    this.waiting.push(event)
    this.wake?.()
  }

  /** Ends it, once the waiting events have been taken. */
  fail(error: SubscriptionError): void {
    this.end ??= Effect.fail(error)
    this.wake?.()
  }

  /** Ends it at once. */
  close(): void {
    this.waiting.length = 0
    this.missed = false
    this.end = Effect.interrupt
    this.wake?.()
  }

  /** The next one. A hole of dropped events stands behind all waiting ones. */
  readonly take: Effect.Effect<Happening<Item> | Missed, SubscriptionError> = Effect.suspend(() => {
    const next = this.waiting.shift()
    if (next !== undefined) {
      if (next._tag === "Item") this.items--
      return Effect.succeed(next)
    }
    if (this.missed) {
      this.missed = false
      return Effect.succeed<Missed>({ _tag: "Missed" })
    }
    if (this.end !== undefined) return this.end
    return Effect.zipRight(
      Effect.async<void>((resume) => {
        this.wake = () => {
          this.wake = undefined
          resume(Effect.void)
        }
        return Effect.sync(() => {
          this.wake = undefined
        })
      }),
      this.take
    )
  })

  private makeRoom(): boolean {
    if (this.full === "sliding") {
      this.waiting.splice(
        this.waiting.findIndex(({ _tag }) => _tag === "Item"),
        1
      )
      this.items--
      return true
    }
    if (this.full === "reread") this.missed = true
    else this.fail(this.full.fail())
    return false
  }
}

/** A subscription may be made anew so often while its consumer is busy; it is no more than a hole after that. */
const UPS = 64
