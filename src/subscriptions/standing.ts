import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { displayUrl } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { SubscriptionTrace } from "../wire/Transport.js"
import type { Declaration, Happening, Subscriber, Wishes } from "./declaration.js"
import type { Mailbox } from "./mailbox.js"
import { Pace } from "./pace.js"
import type { SubscriptionError, SubscriptionMode } from "./Subscription.js"

/** A subscription that somebody has begun. */
export interface Begun {
  /** Its name in errors, events and log lines. */
  readonly label: string
  readonly declaration: Declaration<ReadonlyArray<never>, unknown>
  readonly params: ReadonlyArray<unknown>
  readonly options: Wishes
  readonly mailbox: Mailbox<unknown>
  /** Tells the subscription's span, where it has one, how it goes from now on. */
  readonly trace: SubscriptionTrace | undefined
}

/** The state of a subscription, shared by the fibers that look for its sockets and that poll for it. Times are milliseconds. */
export class Standing {
  private readonly pace = new Pace()
  private place: "none" | "node" | "refused" = "none"
  private mode: SubscriptionMode | undefined
  /** Whether it has ever stood at a node, whether it was tried, and whether it was polled since there was no socket. */
  private isFirst = true
  private isTried = false
  private isPolled = false
  /** What a node tells that has not said yet where it stands: what was missed before that comes first. */
  private early: Array<Happening<unknown>> = []
  /** When there was last something new of the chain, or the nodes were asked for it. */
  private heard: number
  /** Whether anything has come of it. */
  hasBegun = false
  /** The last error. */
  problem: SubscriptionError | undefined

  constructor(
    readonly of: Begun,
    private readonly tell: Subscriber["pool"]["report"],
    private readonly clock: Clock.Clock
  ) {
    this.heard = monotonic(clock)
  }

  /** Whether it has a socket. */
  get isUp(): boolean {
    return this.place === "node"
  }
  /** Whether no node ever will let it have one. */
  get isRefused(): boolean {
    return this.place === "refused"
  }
  get blockTime(): number {
    return this.pace.blockTime()
  }
  /** The time since the last news of the chain. */
  get silence(): number {
    return monotonic(this.clock) - this.heard
  }

  /** A notification has come. */
  takes(item: unknown): void {
    const { declaration, mailbox } = this.of
    const height = declaration.heightOf?.(item)
    if (height !== undefined) this.note(height)
    const event: Happening<unknown> = { _tag: "Item", item }
    if (this.hasBegun && !this.isUp) this.early.push(event)
    else mailbox.offer(event)
    this.hasBegun = true
  }

  /** It stands at a node, whose head is this one. */
  stands(url: string, head: unknown): Effect.Effect<void> {
    for (const event of [{ _tag: "Up", first: this.isFirst, head } as const, ...this.early])
      this.of.mailbox.offer(event)
    this.early = []
    this.noteHead(head)
    this.place = "node"
    this.isFirst = false
    this.isPolled = false
    this.hasBegun = true
    return this.turns("socket", url)
  }

  /** The node was asked for its head in between. */
  isMarked(head: unknown): void {
    this.of.mailbox.offer({ _tag: "Mark", head })
    this.noteHead(head)
  }

  /** The nodes were asked for their head over HTTP. */
  isAnswered(head: unknown): Effect.Effect<void> {
    this.of.mailbox.offer({ _tag: "Polled", head })
    this.noteHead(head)
    this.heard = monotonic(this.clock)
    this.hasBegun = true
    this.isPolled = !this.isUp
    return this.settle
  }

  /** The nodes were asked for their head over HTTP, in vain. */
  isUnanswered(error: SubscriptionError): void {
    this.heard = monotonic(this.clock)
    this.problem = error
  }

  /** It has no socket, or none any more. */
  readonly falls: Effect.Effect<void> = Effect.suspend(() => {
    this.isTried = true
    this.early = []
    if (this.isUp) this.place = "none"
    return this.settle
  })

  /** No node will let it have one. */
  readonly isGivenUp: Effect.Effect<void> = Effect.suspend(() => {
    this.place = "refused"
    return this.settle
  })

  /** Tells that it is polled, as soon as polls alone keep it going. */
  private get settle(): Effect.Effect<void> {
    return !this.isUp && this.isTried && this.isPolled ? this.turns("polling") : Effect.void
  }

  private turns(mode: SubscriptionMode, url?: string): Effect.Effect<void> {
    const { label: subscription, options } = this.of
    if (mode === this.mode && url === undefined) return Effect.void
    if (mode !== this.mode) {
      this.mode = mode
      try {
        options.onMode?.(mode)
      } catch {
        // the function is the user's, and no subscription ends for an error in it
      }
    }
    const shown = url === undefined ? undefined : displayUrl(url)
    this.of.trace?.setMode(mode, shown)
    const place = shown === undefined ? {} : { url: shown }
    return this.tell({ _tag: "Subscribed", subscription, mode, ...place })
  }

  private noteHead(head: unknown): void {
    const question = this.of.declaration.head
    if (question !== undefined) this.note(question.height(head))
  }

  private note(height: number): void {
    const now = monotonic(this.clock)
    if (this.pace.note(height, now)) this.heard = now
  }
}
