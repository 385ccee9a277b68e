/**
 * Faults of WebSockets: what happens to notifications, and to the connection itself.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { FaultKind } from "../api/FaultRule.js"
import type {
  ClientSocket,
  HandlerRequest,
  HandlerResponse,
  SocketHandler,
  SocketWatcher
} from "../Handler.js"
import { isJsonObject, type JsonObject, parseLossless, toBody, toHex, toNumber } from "./CallEdits.js"
import { corrupt } from "./Corruption.js"
import type { Random } from "./Random.js"

/**
 * The rules for a socket. `findNotificationFaults` yields the faults of a notification, in the order of the rules.
 * `findConnectionFaults` yields those of the connection that it has not yielded before, and `holds` whether a rule is
 * still in force. `onAdd` adds a listener for new rules, and yields the function that removes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SocketRules {
  readonly findNotificationFaults: (
    message: HandlerRequest
  ) => ReadonlyArray<{ readonly fault: FaultKind; readonly next: Random }>
  readonly findConnectionFaults: () => ReadonlyArray<{
    readonly fault: FaultKind & { readonly kind: "close" | "silence" }
    readonly holds: () => boolean
  }>
  readonly onAdd: (listener: () => void) => () => void
}

/** A notification that waits until `sendAtMs`, on the clock of `performance`. A `late` one comes after the next one. */
interface QueuedNotification {
  readonly sendAtMs: number
  readonly messages: ReadonlyArray<HandlerResponse>
  readonly closesSocket: boolean
  readonly isReordered: boolean
}

/** The time in milliseconds that a late notification waits for the next one. */
const REORDER_WAIT_MS = 1_000

const GARBAGE = Buffer.from('{"jsonrpc":"2.0","method":"eth_subscr\u0000\u0007')

const changeResult = (body: Buffer, change: (result: unknown) => unknown): Buffer => {
  const said = parseLossless(body)
  if (!isJsonObject(said) || !isJsonObject(said.params) || !("result" in said.params)) return body
  return toBody({ ...said, params: { ...said.params, result: change(said.params.result) } })
}

const resultOf = (body: Buffer): unknown => {
  const said = parseLossless(body)
  return isJsonObject(said) && isJsonObject(said.params) ? said.params.result : undefined
}

/** The height in a notification: of a block or a log of an EVM chain, of a slot, or of any other context. */
const findHeight = (result: unknown): number | undefined => {
  if (!isJsonObject(result)) return toNumber(result)
  const context = isJsonObject(result.context) ? result.context.slot : undefined
  return toNumber(result.number ?? result.blockNumber ?? result.slot ?? context)
}

const raiseFields = (fields: JsonObject, by: number): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const number = ["number", "slot", "parent", "root"].includes(name) ? toNumber(value) : undefined
      const higher = number === undefined ? value : number + by
      return [name, typeof higher === "number" && typeof value === "string" ? toHex(higher) : higher]
    })
  )

/** Raises a head by a number of blocks. */
const raiseHead =
  (by: number) =>
  (result: unknown): unknown => {
    if (!isJsonObject(result)) {
      const number = typeof result === "string" ? undefined : toNumber(result)
      return number === undefined ? result : number + by
    }
    return isJsonObject(result.context)
      ? { ...result, context: raiseFields(result.context, by) }
      : raiseFields(result, by)
  }

const spoilMessage = (message: HandlerResponse, fault: FaultKind, next: Random): HandlerResponse => {
  const { body } = message
  switch (fault.kind) {
    case "garbage":
      return { ...message, body: GARBAGE }
    case "truncate":
      return { ...message, body: body.subarray(0, Math.floor(body.length * (fault.keep ?? 0.5))) }
    case "stall":
      return { ...message, isStalled: true }
    case "slowBody":
      return { ...message, dripMs: fault.ms }
    case "corrupt":
      return {
        ...message,
        body: changeResult(body, (result) => corrupt(next, result, fault.changes ?? 1, fault.how))
      }
    case "lying":
      return { ...message, body: changeResult(body, raiseHead(fault.blocks)) }
    default:
      return message
  }
}

type NotificationFaults = ReturnType<SocketRules["findNotificationFaults"]>

const queueNotification = (message: HandlerResponse, met: NotificationFaults): QueuedNotification => {
  const has = (kind: FaultKind["kind"]): boolean => met.some(({ fault }) => fault.kind === kind)
  const said = met.reduceRight((before, { fault, next }) => spoilMessage(before, fault, next), message)
  const delay = met.reduce(
    (sum, { fault, next }) => (fault.kind === "slow" ? sum + fault.ms + next() * (fault.jitter ?? 0) : sum),
    0
  )
  return {
    sendAtMs: performance.now() + delay,
    messages: has("freeze") ? [] : has("duplicate") ? [said, said] : [said],
    closesSocket: has("reset"),
    isReordered: has("reorder")
  }
}

const makeStaleFilter = () => {
  let top = 0
  let kept: ReadonlyArray<{ readonly height: number; readonly message: HandlerResponse }> = []
  return (message: HandlerResponse, met: NotificationFaults): ReadonlyArray<HandlerResponse> => {
    const height = findHeight(resultOf(message.body))
    const by = met.reduce((sum, { fault }) => (fault.kind === "stale" ? sum + fault.blocks : sum), 0)
    if (height === undefined || (by === 0 && kept.length === 0)) return [message]
    top = Math.max(top, height)
    const all = [...kept, { height, message }]
    const isThere = (entry: { readonly height: number }): boolean => entry.height <= top - by
    kept = all.filter((entry) => !isThere(entry))
    return all.filter(isThere).map((entry) => entry.message)
  }
}

const sendNotification = (
  line: ClientSocket,
  { sendAtMs, closesSocket, messages }: QueuedNotification
): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.zipRight(
      Effect.sleep(Math.max(0, sendAtMs - performance.now())),
      closesSocket ? line.close() : Effect.forEach(messages, line.push, { discard: true })
    )
  )

/** Sends notifications in order, except for late ones. */
const sendInOrder = (line: ClientSocket, queue: Queue.Queue<QueuedNotification>): Effect.Effect<never> =>
  Effect.gen(function* () {
    const item = yield* Queue.take(queue)
    if (item.isReordered) {
      const next = yield* Effect.timeoutOption(Queue.take(queue), REORDER_WAIT_MS)
      if (Option.isSome(next)) yield* sendNotification(line, next.value)
    }
    yield* sendNotification(line, item)
  }).pipe(Effect.forever)

/** Applies the faults of the connection. Each one's time begins when the socket meets its rule. */
const watchConnection = (
  rules: SocketRules,
  line: ClientSocket,
  run: (effect: Effect.Effect<void>) => unknown
): { readonly look: () => void; readonly watcher: SocketWatcher } => {
  const silences: Array<() => boolean> = []
  const counting: Array<{ left: number; readonly act: Effect.Effect<void> }> = []
  const armFault = ({ fault, holds }: ReturnType<SocketRules["findConnectionFaults"]>[number]): void => {
    const act = Effect.suspend(() => {
      if (!holds()) return Effect.void
      if (fault.kind === "close") return line.close(fault.code)
      silences.push(holds)
      return Effect.void
    })
    const { messages, ms } = fault
    if (messages !== undefined && messages > 0) counting.push({ left: messages, act })
    if (ms !== undefined) run(Effect.delay(act, ms))
    else if (messages === undefined || messages === 0) run(act)
  }
  return {
    look: () => rules.findConnectionFaults().forEach(armFault),
    watcher: {
      isSilent: () => silences.some((holds) => holds()),
      afterMessage: Effect.suspend(() =>
        Effect.forEach(
          counting.filter((each) => --each.left === 0),
          ({ act }) => act,
          { discard: true }
        )
      )
    }
  }
}

/**
 * Applies the rules' faults to a socket's notifications and to the socket itself.
 *
 * @since 0.1.0
 * @category operations
 */
export const withSocketFaults =
  (rules: SocketRules, upgrade: HandlerRequest, socket: SocketHandler): SocketHandler =>
  (line) =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<QueuedNotification>()
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      const hold = makeStaleFilter()
      const { look, watcher } = watchConnection(rules, line, run)
      line.watch(watcher)
      yield* Effect.acquireRelease(
        Effect.sync(() => rules.onAdd(look)),
        (off) => Effect.sync(off)
      )
      yield* Effect.forkScoped(sendInOrder(line, queue))
      const push = (message: HandlerResponse): Effect.Effect<void> =>
        Effect.suspend(() => {
          const met = rules.findNotificationFaults({ ...upgrade, method: "POST", body: message.body })
          return Queue.offerAll(
            queue,
            hold(message, met).map((said) => queueNotification(said, met))
          )
        })
      const handler = yield* socket({ ...line, push })
      look()
      return handler
    })
