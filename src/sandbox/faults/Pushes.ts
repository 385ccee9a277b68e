/**
 * Faults of WebSockets: what happens to messages that nobody asked for one by one, and to the connection itself.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { FaultKind } from "../api/FaultRule.js"
import type { Answer, Line, Received, Socket, Watcher } from "../Message.js"
import { corrupt } from "./Corruption.js"
import { isJson, type Json, read, toHex, toNumber, written } from "./Exchange.js"
import type { Random } from "./Random.js"

/**
 * The rules as a socket meets them. `pushed` has the faults of a notification, in the order of the rules. `opened` has those of the
 * connection that it has not met before, and `holds` says whether a rule is still in force. `onAdd` gets a listener for new
 * rules, and yields how to remove it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rules {
  readonly pushed: (message: Received) => ReadonlyArray<{ readonly fault: FaultKind; readonly next: Random }>
  readonly opened: () => ReadonlyArray<{
    readonly fault: FaultKind & { readonly kind: "close" | "silence" }
    readonly holds: () => boolean
  }>
  readonly onAdd: (listener: () => void) => () => void
}

/** What becomes of a notification: `at` is on the clock of `performance`, `late` is behind the next one. */
interface Item {
  readonly at: number
  readonly messages: ReadonlyArray<Answer>
  readonly isCut: boolean
  readonly isLate: boolean
}

/** Milliseconds that a notification waits for one that could come before it. */
const ALONE = 1_000

const GARBAGE = Buffer.from('{"jsonrpc":"2.0","method":"eth_subscr\u0000\u0007')

/** The notification with another result. */
const withResult = (body: Buffer, change: (result: unknown) => unknown): Buffer => {
  const said = read(body)
  if (!isJson(said) || !isJson(said.params) || !("result" in said.params)) return body
  return written({ ...said, params: { ...said.params, result: change(said.params.result) } })
}

const resultOf = (body: Buffer): unknown => {
  const said = read(body)
  return isJson(said) && isJson(said.params) ? said.params.result : undefined
}

/** The height that a notification tells: of a block or a log of an EVM chain, of a slot, or of the context of anything else. */
const heightOf = (result: unknown): number | undefined => {
  if (!isJson(result)) return toNumber(result)
  const context = isJson(result.context) ? result.context.slot : undefined
  return toNumber(result.number ?? result.blockNumber ?? result.slot ?? context)
}

const raised = (fields: Json, by: number): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const number = ["number", "slot", "parent", "root"].includes(name) ? toNumber(value) : undefined
      const higher = number === undefined ? value : number + by
      return [name, typeof higher === "number" && typeof value === "string" ? toHex(higher) : higher]
    })
  )

/** A head that is so many blocks above the real one. */
const lying =
  (by: number) =>
  (result: unknown): unknown => {
    if (!isJson(result)) {
      const number = typeof result === "string" ? undefined : toNumber(result)
      return number === undefined ? result : number + by
    }
    return isJson(result.context) ? { ...result, context: raised(result.context, by) } : raised(result, by)
  }

/** A message with a fault of its content. */
const spoilt = (message: Answer, fault: FaultKind, next: Random): Answer => {
  const { body } = message
  switch (fault.kind) {
    case "garbage":
      return { ...message, body: GARBAGE }
    case "truncate":
      return { ...message, body: body.subarray(0, Math.floor(body.length * (fault.keep ?? 0.5))) }
    case "stall":
      return { ...message, stalled: true }
    case "slowBody":
      return { ...message, drip: fault.ms }
    case "corrupt":
      return {
        ...message,
        body: withResult(body, (result) => corrupt(next, result, fault.changes ?? 1, fault.how))
      }
    case "lying":
      return { ...message, body: withResult(body, lying(fault.blocks)) }
    default:
      return message
  }
}

type Met = ReturnType<Rules["pushed"]>

const itemOf = (message: Answer, met: Met): Item => {
  const has = (kind: FaultKind["kind"]): boolean => met.some(({ fault }) => fault.kind === kind)
  const said = met.reduceRight((before, { fault, next }) => spoilt(before, fault, next), message)
  const delay = met.reduce(
    (sum, { fault, next }) => (fault.kind === "slow" ? sum + fault.ms + next() * (fault.jitter ?? 0) : sum),
    0
  )
  return {
    at: performance.now() + delay,
    messages: has("freeze") ? [] : has("duplicate") ? [said, said] : [said],
    isCut: has("reset"),
    isLate: has("reorder")
  }
}

/** Notifications that a node which is held back has not got yet. */
const heldBack = () => {
  let top = 0
  let kept: ReadonlyArray<{ readonly height: number; readonly message: Answer }> = []
  return (message: Answer, met: Met): ReadonlyArray<Answer> => {
    const height = heightOf(resultOf(message.body))
    const by = met.reduce((sum, { fault }) => (fault.kind === "stale" ? sum + fault.blocks : sum), 0)
    if (height === undefined || (by === 0 && kept.length === 0)) return [message]
    top = Math.max(top, height)
    const all = [...kept, { height, message }]
    const isThere = (entry: { readonly height: number }): boolean => entry.height <= top - by
    kept = all.filter((entry) => !isThere(entry))
    return all.filter(isThere).map((entry) => entry.message)
  }
}

const deliver = (line: Line, { at, isCut, messages }: Item): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.zipRight(
      Effect.sleep(Math.max(0, at - performance.now())),
      isCut ? line.end() : Effect.forEach(messages, line.push, { discard: true })
    )
  )

/** Delivers in order, but for those that are late. */
const delivering = (line: Line, queue: Queue.Queue<Item>): Effect.Effect<never> =>
  Effect.gen(function* () {
    const item = yield* Queue.take(queue)
    if (item.isLate) {
      const next = yield* Effect.timeoutOption(Queue.take(queue), ALONE)
      if (Option.isSome(next)) yield* deliver(line, next.value)
    }
    yield* deliver(line, item)
  }).pipe(Effect.forever)

/** The faults of the connection: each counts from when the socket meets its rule. */
const watching = (
  rules: Rules,
  line: Line,
  run: (effect: Effect.Effect<void>) => unknown
): { readonly look: () => void; readonly watcher: Watcher } => {
  const silences: Array<() => boolean> = []
  const counting: Array<{ left: number; readonly act: Effect.Effect<void> }> = []
  const arm = ({ fault, holds }: ReturnType<Rules["opened"]>[number]): void => {
    const act = Effect.suspend(() => {
      if (!holds()) return Effect.void
      if (fault.kind === "close") return line.end(fault.code)
      silences.push(holds)
      return Effect.void
    })
    const { messages, ms } = fault
    if (messages !== undefined && messages > 0) counting.push({ left: messages, act })
    if (ms !== undefined) run(Effect.delay(act, ms))
    else if (messages === undefined || messages === 0) run(act)
  }
  return {
    look: () => rules.opened().forEach(arm),
    watcher: {
      isSilent: () => silences.some((holds) => holds()),
      said: Effect.suspend(() =>
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
 * A socket with the faults that rules have for its notifications and for itself.
 *
 * @since 0.1.0
 * @category operations
 */
export const faulty =
  (rules: Rules, upgrade: Received, socket: Socket): Socket =>
  (line) =>
    Effect.gen(function* () {
      const queue = yield* Queue.unbounded<Item>()
      const run = yield* FiberSet.makeRuntime<never, void, never>()
      const hold = heldBack()
      const { look, watcher } = watching(rules, line, run)
      line.watch(watcher)
      yield* Effect.acquireRelease(
        Effect.sync(() => rules.onAdd(look)),
        (off) => Effect.sync(off)
      )
      yield* Effect.forkScoped(delivering(line, queue))
      const push = (message: Answer): Effect.Effect<void> =>
        Effect.suspend(() => {
          const met = rules.pushed({ ...upgrade, method: "POST", body: message.body })
          return Queue.offerAll(
            queue,
            hold(message, met).map((said) => itemOf(said, met))
          )
        })
      const handler = yield* socket({ ...line, push })
      look()
      return handler
    })
