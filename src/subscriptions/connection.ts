import type * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Fault } from "../data/Endpoint.js"
import { type Hiding, isRecord } from "../data/foreign.js"
import type { Integers } from "../data/integers.js"
import { concealed, NodeError, type NodeErrorKind, type RpcError, reasonOf } from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import type { OpenedSocket } from "../http/webSocket.js"
import { hasError, nextId, toRpcError } from "../wire/jsonRpc.js"
import type { Speech } from "./declaration.js"

/** How a connection is opened and looked after. Times are milliseconds. */
export interface ConnectionOptions {
  readonly url: string
  /** Makes the socket, which is closed with the scope. */
  readonly open: () => OpenedSocket
  /** Limit of the opening, and of every call. */
  readonly timeout: number
  /** After so much silence the node is asked something. */
  readonly idle: number
  /** The question to it then: any answer will do. */
  readonly ping: string
  readonly maxBytes: number
  /** Hides secrets from errors. */
  readonly hide: Hiding
  readonly integers: Integers
  /** Integers of notifications that are to be numbers, by their paths. */
  readonly numbers: ReadonlyArray<string>
  readonly classify: (error: { readonly code: number; readonly message: string }) => Fault
  readonly speech?: Speech
}

/** A subscription on the wire. `take` gets the content of its notifications, and throws if it cannot be read. */
export interface Subscribing {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly unsubscribe?: string
  readonly take: (value: unknown) => void
}

/** A node's no to a subscription, and whose fault that is. */
export interface Refusal {
  readonly _tag: "Refusal"
  readonly fault: Fault
  readonly error: RpcError
}

/** A socket to a node, shared by all its subscriptions. */
export interface Connection {
  readonly call: (
    method: string,
    params: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, NodeError | Refusal>
  /** Ends with the scope: the node is told, and nobody waits for its answer. */
  readonly subscribe: (what: Subscribing) => Effect.Effect<void, NodeError | Refusal, Scope.Scope>
  /** Fails when the socket is lost, and never succeeds. */
  readonly lost: Effect.Effect<never, NodeError>
}

/** A node has so long to close its side of a socket, in milliseconds; then the connection is dropped. */
const FAREWELL = 500

/** Notifications kept for subscriptions whose ids are still on their way: some nodes are that quick. */
const EARLY = 256

const textOf = (data: unknown): string =>
  typeof data === "string"
    ? data
    : data instanceof ArrayBuffer || ArrayBuffer.isView(data)
      ? new TextDecoder().decode(data)
      : ""

type Answer = Exit.Exit<unknown, NodeError | Refusal>

/** The state of a socket. Times are milliseconds on the clock that never jumps. */
interface Line extends OpenedSocket {
  readonly options: ConnectionOptions
  readonly clock: Clock.Clock
  readonly ends: Ends
  /** Questions without an answer, by their ids. */
  readonly waiting: Map<number, (answer: Answer) => void>
  /** The receivers of notifications, by the ids of their subscriptions. */
  readonly listeners: Map<string, (value: unknown) => void>
  /** Notifications of subscriptions whose ids are still on their way, and how many are. */
  early: Array<readonly [id: string, value: unknown]>
  subscribing: number
  isOpen: boolean
  /** Why it is of no use any more. */
  failure: NodeError | undefined
  heard: number
}

/** The events that are waited for at a socket. */
interface Ends {
  readonly opened: Deferred.Deferred<void, NodeError>
  readonly lost: Deferred.Deferred<never, NodeError>
  readonly closed: Deferred.Deferred<void>
}

/** Opens a connection, and closes it with the scope. Fails if it does not come about. */
export const connect = (options: ConnectionOptions): Effect.Effect<Connection, NodeError, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const ends: Ends = {
      opened: yield* Deferred.make<void, NodeError>(),
      lost: yield* Deferred.make<never, NodeError>(),
      closed: yield* Deferred.make<void>()
    }
    const line = yield* Effect.acquireRelease(
      Effect.try({
        try: () => dial(options, clock, ends),
        catch: (error) => errorOf(options, "connect", reasonOf(error))
      }),
      hangUp
    )
    yield* Deferred.await(ends.opened).pipe(
      Effect.timeoutFail({
        duration: options.timeout,
        onTimeout: () => errorOf(options, "connect", `no connection within ${options.timeout} ms`)
      })
    )
    yield* Effect.forkScoped(Effect.forever(look(line)))
    return {
      call: (method, params) => ask(line, method, params),
      subscribe: (what) => subscribe(line, what),
      lost: Deferred.await(ends.lost)
    }
  })

const errorOf = (
  { hide, url }: ConnectionOptions,
  kind: NodeErrorKind,
  reason: string,
  call = "subscription"
): NodeError => new NodeError({ kind, call, url, reason: hide(reason) })

/** Makes the socket, and listens to it. */
const dial = (options: ConnectionOptions, clock: Clock.Clock, ends: Ends): Line => {
  const line: Line = {
    ...options.open(),
    options,
    clock,
    ends,
    waiting: new Map(),
    listeners: new Map(),
    early: [],
    subscribing: 0,
    isOpen: false,
    failure: undefined,
    heard: monotonic(clock)
  }
  const { socket } = line
  const lose = (reason: string): void =>
    fail(line, errorOf(options, line.isOpen ? "network" : "connect", reason))
  socket.addEventListener("open", () => {
    line.isOpen = true
    Deferred.unsafeDone(ends.opened, Effect.void)
  })
  socket.addEventListener("message", ({ data }) => {
    line.heard = monotonic(clock)
    try {
      receive(line, textOf(data))
    } catch (error) {
      fail(line, error instanceof NodeError ? error : errorOf(options, "malformed", reasonOf(error)))
    }
  })
  socket.addEventListener("error", ({ error, message }) =>
    lose(message || (error === undefined ? "the socket has failed" : reasonOf(error)))
  )
  socket.addEventListener("close", ({ code }) => {
    lose(`the socket was closed (code ${code ?? "unknown"})`)
    Deferred.unsafeDone(ends.closed, Effect.void)
  })
  return line
}

const hangUp = (line: Line): Effect.Effect<void> =>
  Effect.suspend(() => {
    // a peer that has been silent will not answer to this either
    const patience = line.failure === undefined && line.isOpen ? FAREWELL : 0
    fail(line, errorOf(line.options, "network", "the socket is closed"))
    try {
      line.socket.close(1000)
    } catch {
      // some refuse that while they are connecting
    }
    // finalizers cannot be interrupted, and the one that comes second has to be: whoever interrupts this waits no longer
    return Effect.ensuring(
      Effect.raceFirst(
        Effect.interruptible(Deferred.await(line.ends.closed)),
        Effect.interruptible(Effect.sleep(patience))
      ),
      Effect.sync(line.kill)
    )
  })

/** The socket is of no use any more: all waiting calls are told. */
const fail = (line: Line, error: NodeError): void => {
  if (line.failure !== undefined) return
  line.failure = error
  Deferred.unsafeDone(line.ends.opened, Effect.fail(error))
  Deferred.unsafeDone(line.ends.lost, Effect.fail(error))
  for (const answer of [...line.waiting.values()]) answer(Exit.fail(error))
  line.waiting.clear()
  line.listeners.clear()
}

const receive = (line: Line, text: string): void => {
  const { integers, maxBytes, numbers, speech } = line.options
  if (text.length > maxBytes)
    throw errorOf(line.options, "too-large", `a message of more than ${maxBytes} bytes`)
  const message = integers.parse(text, numbers)
  for (const said of Array.isArray(message) ? message : [message]) {
    if (!isRecord(said)) continue
    const item = speech === undefined ? said : speech.hear(said)
    const answer = line.waiting.get(Number(item.id ?? Number.NaN))
    if (answer !== undefined) answer(Exit.succeed(item))
    else if (isRecord(item.params)) notify(line, String(item.params.subscription), item.params.result)
  }
}

const notify = (line: Line, id: string, value: unknown): void => {
  const listener = line.listeners.get(id)
  if (listener !== undefined) listener(value)
  else if (line.subscribing > 0 && line.early.length < EARLY) line.early.push([id, value])
}

const send = (line: Line, method: string, params: ReadonlyArray<unknown>, id: number): void => {
  const { integers, speech } = line.options
  try {
    line.socket.send(
      speech === undefined
        ? `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${integers.stringify(params)}}`
        : integers.stringify(speech.ask(id, method, params))
    )
  } catch (error) {
    fail(line, errorOf(line.options, "network", reasonOf(error)))
  }
}

/** `settle` sees the answer in the turn in which it comes, before any notification that follows it. */
const ask = (
  line: Line,
  method: string,
  params: ReadonlyArray<unknown>,
  settle?: (answer: unknown, abandoned: boolean) => void
): Effect.Effect<unknown, NodeError | Refusal> => {
  const { options, waiting } = line
  // who waits goes on after the one who answers, and after those whom a loss was told before
  return Effect.flatMap(Deferred.make<unknown, NodeError | Refusal>(), (answered) => {
    if (line.failure !== undefined) return Effect.fail(line.failure)
    const id = nextId()
    let abandoned = false
    waiting.set(id, (answer) => {
      waiting.delete(id)
      if (Exit.isSuccess(answer)) settle?.(answer.value, abandoned)
      Deferred.unsafeDone(
        answered,
        Exit.isSuccess(answer) ? readAnswer(options, method, answer.value) : answer
      )
    })
    send(line, method, params, id)
    const leave = Effect.sync(() => {
      abandoned = true
      if (settle === undefined) waiting.delete(id)
    })
    return Effect.ensuring(Deferred.await(answered), leave)
  }).pipe(
    Effect.timeoutFail({
      duration: options.timeout,
      onTimeout: () => errorOf(options, "timeout", `no answer within ${options.timeout} ms`, method)
    }),
    // a node that leaves one question without an answer is asked no others
    Effect.tapError((error) =>
      error._tag === "NodeError" ? Effect.sync(() => fail(line, error)) : Effect.void
    )
  )
}

const readAnswer = (
  { classify, hide, url }: ConnectionOptions,
  method: string,
  message: unknown
): Effect.Effect<unknown, Refusal> => {
  if (!isRecord(message) || !hasError(message)) {
    return Effect.succeed(isRecord(message) ? message.result : undefined)
  }
  const error = concealed(toRpcError(message, method, url), hide)
  const fault = classify({ code: error.code, message: error.message })
  return Effect.fail<Refusal>({ _tag: "Refusal", fault, error })
}

const subscribe = (
  line: Line,
  { method, params, take, unsubscribe }: Subscribing
): ReturnType<Connection["subscribe"]> => {
  let id: unknown
  const end = (): void => {
    if (id === undefined || line.failure !== undefined) return
    line.listeners.delete(String(id))
    if (unsubscribe !== undefined) send(line, unsubscribe, [id], nextId())
  }
  const begin = Effect.suspend(() => {
    line.subscribing++
    return ask(line, method, params, (answer, abandoned) => {
      if (!isRecord(answer) || hasError(answer)) return
      id = answer.result
      // nobody waits for it any more, and the node does not know that
      if (abandoned) return end()
      line.listeners.set(String(id), take)
      for (const [to, value] of line.early) if (to === String(id)) take(value)
    })
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        if (--line.subscribing === 0) line.early = []
      })
    )
  )
  return Effect.asVoid(Effect.acquireReleaseInterruptible(begin, () => Effect.sync(end)))
}

/** Waits until the node has been silent for too long, and asks it something then. */
const look = (line: Line): Effect.Effect<void, NodeError | Refusal> =>
  Effect.suspend(() => {
    const { idle, ping } = line.options
    const silence = monotonic(line.clock) - line.heard
    return silence < idle
      ? Effect.sleep(idle - silence)
      : Effect.asVoid(Effect.catchTag(ask(line, ping, []), "Refusal", () => Effect.void))
  })
