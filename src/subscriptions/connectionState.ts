import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { displayUrl } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { SubscriptionTrace } from "../wire/Transport.js"
import { BlockTimeEstimator } from "./blockTime.js"
import type {
  AnySubscriptionOptions,
  Subscriber,
  SubscriptionDeclaration,
  SubscriptionEvent
} from "./declaration.js"
import type { EventQueue } from "./queue.js"
import type { SubscriptionError, SubscriptionMode } from "./Subscription.js"

/** A subscription that a consumer has started. */
export interface StartedSubscription {
  /** Its name in errors, events and log lines. */
  readonly label: string
  readonly declaration: SubscriptionDeclaration<ReadonlyArray<never>, unknown>
  readonly params: ReadonlyArray<unknown>
  readonly options: AnySubscriptionOptions
  readonly queue: EventQueue<unknown>
  /** The subscription's span, which gets each change of its mode. */
  readonly trace: SubscriptionTrace | undefined
}

/** The state of a subscription, shared by the fibers that look for its sockets and that poll for it. Times are milliseconds. */
export class ConnectionState {
  private readonly estimator = new BlockTimeEstimator()
  private socketState: "none" | "node" | "refused" = "none"
  private mode: SubscriptionMode | undefined
  /** Whether it has ever stood at a node, whether it was tried, and whether it was polled since there was no socket. */
  private isFirstNode = true
  private hasTriedNode = false
  private isPolled = false
  /** Events from a node that has not reported its head. They wait until the missed events before them are read. */
  private earlyEvents: Array<SubscriptionEvent<unknown>> = []
  /** When there was last something new of the chain, or the nodes were asked for it. */
  private lastNewsAt: number
  /** Whether the subscription has had a notification, a node or a poll. */
  hasBegun = false
  /** The last error. */
  lastError: SubscriptionError | undefined

  constructor(
    readonly subscription: StartedSubscription,
    private readonly report: Subscriber["pool"]["report"],
    private readonly clock: Clock.Clock
  ) {
    this.lastNewsAt = monotonic(clock)
  }

  /** Whether it has a socket. */
  get hasSocket(): boolean {
    return this.socketState === "node"
  }
  /** Whether no node ever will let it have one. */
  get isSocketRefused(): boolean {
    return this.socketState === "refused"
  }
  get blockTimeMs(): number {
    return this.estimator.estimateMs()
  }
  /** The time since the last news of the chain. */
  get silenceMs(): number {
    return monotonic(this.clock) - this.lastNewsAt
  }

  /** Records a notification. */
  recordNotification(item: unknown): void {
    const { declaration, queue } = this.subscription
    const height = declaration.heightOf?.(item)
    if (height !== undefined) this.recordHeight(height)
    const event: SubscriptionEvent<unknown> = { _tag: "Item", item }
    if (this.hasBegun && !this.hasSocket) this.earlyEvents.push(event)
    else queue.offer(event)
    this.hasBegun = true
  }

  /** Records that it is subscribed at a node, and the node's head. */
  recordConnected(url: string, head: unknown): Effect.Effect<void> {
    for (const event of [
      { _tag: "Connected", isFirst: this.isFirstNode, head } as const,
      ...this.earlyEvents
    ])
      this.subscription.queue.offer(event)
    this.earlyEvents = []
    this.recordHead(head)
    this.socketState = "node"
    this.isFirstNode = false
    this.isPolled = false
    this.hasBegun = true
    return this.setMode("socket", url)
  }

  /** The node was asked for its head in between. */
  recordHeadRead(head: unknown): void {
    this.subscription.queue.offer({ _tag: "HeadRead", head })
    this.recordHead(head)
  }

  /** The nodes were asked for their head over HTTP. */
  recordPoll(head: unknown): Effect.Effect<void> {
    this.subscription.queue.offer({ _tag: "Polled", head })
    this.recordHead(head)
    this.lastNewsAt = monotonic(this.clock)
    this.hasBegun = true
    this.isPolled = !this.hasSocket
    return this.reportIfPolledOnly
  }

  /** Records a failed poll. */
  recordPollFailure(error: SubscriptionError): void {
    this.lastNewsAt = monotonic(this.clock)
    this.lastError = error
  }

  /** Records that it has no socket, or has lost it. */
  readonly recordDisconnected: Effect.Effect<void> = Effect.suspend(() => {
    this.hasTriedNode = true
    this.earlyEvents = []
    if (this.hasSocket) this.socketState = "none"
    return this.reportIfPolledOnly
  })

  /** No node will let it have one. */
  readonly recordRefused: Effect.Effect<void> = Effect.suspend(() => {
    this.socketState = "refused"
    return this.reportIfPolledOnly
  })

  /** Reports the mode `polling` as soon as only polls keep the subscription going. */
  private get reportIfPolledOnly(): Effect.Effect<void> {
    return !this.hasSocket && this.hasTriedNode && this.isPolled ? this.setMode("polling") : Effect.void
  }

  private setMode(mode: SubscriptionMode, url?: string): Effect.Effect<void> {
    const { label: subscription, options } = this.subscription
    if (mode === this.mode && url === undefined) return Effect.void
    if (mode !== this.mode) {
      this.mode = mode
      try {
        options.onMode?.(mode)
      } catch {
        // the function is the user's, and no subscription ends for an error in it
      }
    }
    const displayedUrl = url === undefined ? undefined : displayUrl(url)
    this.subscription.trace?.setMode(mode, displayedUrl)
    const place = displayedUrl === undefined ? {} : { url: displayedUrl }
    return this.report({ _tag: "Subscribed", subscription, mode, ...place })
  }

  private recordHead(head: unknown): void {
    const question = this.subscription.declaration.head
    if (question !== undefined) this.recordHeight(question.heightOf(head))
  }

  private recordHeight(height: number): void {
    const now = monotonic(this.clock)
    if (this.estimator.recordHeight(height, now)) this.lastNewsAt = now
  }
}
