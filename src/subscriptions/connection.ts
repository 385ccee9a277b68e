import type * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Fault } from "../data/Endpoint.js"
import type { IntegerCodec } from "../data/integers.js"
import { hideErrorSecrets, NodeError, type NodeErrorKind, type RpcError, reasonOf } from "../data/SdkError.js"
import { type HideSecrets, isRecord } from "../data/untrusted.js"
import { monotonic } from "../http/service.js"
import type { OpenedSocket } from "../http/webSocket.js"
import { hasError, nextId, toRpcError } from "../wire/jsonRpc.js"
import type { SocketDialect } from "./declaration.js"

/** How a connection is opened and looked after. Times are milliseconds. */
export interface ConnectionOptions {
  readonly url: string
  /** Makes the socket, which is closed with the scope. */
  readonly openSocket: () => OpenedSocket
  /** Limit of the opening, and of every call. */
  readonly timeoutMs: number
  /** After this silence, in milliseconds, the node is pinged. */
  readonly idleMs: number
  /** The question to it then: any answer will do. */
  readonly ping: string
  readonly maxBytes: number
  /** Hides secrets from errors. */
  readonly hide: HideSecrets
  readonly integers: IntegerCodec
  /** The paths of integers in notifications that become numbers. */
  readonly numbers: ReadonlyArray<string>
  readonly classify: (error: { readonly code: number; readonly message: string }) => Fault
  readonly dialect?: SocketDialect
}

/** A subscription on the wire. `onNotification` gets the content of its notifications, and throws if it cannot be read. */
export interface SubscribeRequest {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly unsubscribe?: string
  readonly onNotification: (value: unknown) => void
}

/** The refusal of a subscription by a node, and whose fault it is. */
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
  /** Subscribes until the scope ends. Then it unsubscribes without waiting for the node's answer. */
  readonly subscribe: (what: SubscribeRequest) => Effect.Effect<void, NodeError | Refusal, Scope.Scope>
  /** Fails when the socket is lost, and never succeeds. */
  readonly awaitLoss: Effect.Effect<never, NodeError>
}

/** How long a node has to close its side of a socket, in milliseconds. Then the connection is dropped. */
const CLOSE_TIMEOUT_MS = 500

/** The most notifications that are kept for subscriptions whose ids have not arrived: some nodes notify before they answer. */
const MAX_EARLY_NOTIFICATIONS = 256

const decodeText = (data: unknown): string =>
  typeof data === "string"
    ? data
    : data instanceof ArrayBuffer || ArrayBuffer.isView(data)
      ? new TextDecoder().decode(data)
      : ""

type CallExit = Exit.Exit<unknown, NodeError | Refusal>

/** The state of a socket. Times are milliseconds on the clock that never jumps. */
interface SocketState extends OpenedSocket {
  readonly options: ConnectionOptions
  readonly clock: Clock.Clock
  readonly signals: SocketSignals
  /** Questions without an answer, by their ids. */
  readonly pendingCalls: Map<number, (answer: CallExit) => void>
  /** The receivers of notifications, by the ids of their subscriptions. */
  readonly listeners: Map<string, (value: unknown) => void>
  /** The notifications of subscriptions whose ids have not arrived, and their count. */
  earlyNotifications: Array<readonly [id: string, value: unknown]>
  pendingSubscriptions: number
  isOpen: boolean
  /** Why it is of no use any more. */
  failure: NodeError | undefined
  lastMessageAt: number
}

/** The events that are waited for at a socket. */
interface SocketSignals {
  readonly opened: Deferred.Deferred<void, NodeError>
  readonly lost: Deferred.Deferred<never, NodeError>
  readonly closed: Deferred.Deferred<void>
}

/** Opens a connection, and closes it with the scope. Fails if it cannot be opened. */
export const connect = (options: ConnectionOptions): Effect.Effect<Connection, NodeError, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const signals: SocketSignals = {
      opened: yield* Deferred.make<void, NodeError>(),
      lost: yield* Deferred.make<never, NodeError>(),
      closed: yield* Deferred.make<void>()
    }
    const state = yield* Effect.acquireRelease(
      Effect.try({
        try: () => openState(options, clock, signals),
        catch: (error) => makeNodeError(options, "connect", reasonOf(error))
      }),
      closeSocket
    )
    yield* Deferred.await(signals.opened).pipe(
      Effect.timeoutFail({
        duration: options.timeoutMs,
        onTimeout: () => makeNodeError(options, "connect", `no connection within ${options.timeoutMs} ms`)
      })
    )
    yield* Effect.forkScoped(Effect.forever(pingWhenIdle(state)))
    return {
      call: (method, params) => sendCall(state, method, params),
      subscribe: (what) => subscribe(state, what),
      awaitLoss: Deferred.await(signals.lost)
    }
  })

const makeNodeError = (
  { hide, url }: ConnectionOptions,
  kind: NodeErrorKind,
  reason: string,
  call = "subscription"
): NodeError => new NodeError({ kind, call, url, reason: hide(reason) })

/** Makes the socket, and listens to it. */
const openState = (options: ConnectionOptions, clock: Clock.Clock, signals: SocketSignals): SocketState => {
  const state: SocketState = {
    ...options.openSocket(),
    options,
    clock,
    signals,
    pendingCalls: new Map(),
    listeners: new Map(),
    earlyNotifications: [],
    pendingSubscriptions: 0,
    isOpen: false,
    failure: undefined,
    lastMessageAt: monotonic(clock)
  }
  const { socket } = state
  const failWith = (reason: string): void =>
    failConnection(state, makeNodeError(options, state.isOpen ? "network" : "connect", reason))
  socket.addEventListener("open", () => {
    state.isOpen = true
    Deferred.unsafeDone(signals.opened, Effect.void)
  })
  socket.addEventListener("message", ({ data }) => {
    state.lastMessageAt = monotonic(clock)
    try {
      receive(state, decodeText(data))
    } catch (error) {
      failConnection(
        state,
        error instanceof NodeError ? error : makeNodeError(options, "malformed", reasonOf(error))
      )
    }
  })
  socket.addEventListener("error", ({ error, message }) =>
    failWith(message || (error === undefined ? "the socket has failed" : reasonOf(error)))
  )
  socket.addEventListener("close", ({ code }) => {
    failWith(`the socket was closed (code ${code ?? "unknown"})`)
    Deferred.unsafeDone(signals.closed, Effect.void)
  })
  return state
}

const closeSocket = (state: SocketState): Effect.Effect<void> =>
  Effect.suspend(() => {
    // a peer that has been silent will not answer to this either
    const closeTimeoutMs = state.failure === undefined && state.isOpen ? CLOSE_TIMEOUT_MS : 0
    failConnection(state, makeNodeError(state.options, "network", "the socket is closed"))
    try {
      state.socket.close(1000)
    } catch {
      // some refuse that while they are connecting
    }
    // finalizers cannot be interrupted, and the losing side of the race has to be
    return Effect.ensuring(
      Effect.raceFirst(
        Effect.interruptible(Deferred.await(state.signals.closed)),
        Effect.interruptible(Effect.sleep(closeTimeoutMs))
      ),
      Effect.sync(() => {
        try {
          state.kill()
        } catch {
          // the user's own socket may refuse that, and there is nothing else to end
        }
      })
    )
  })

/** Ends the connection: all waiting calls fail. */
const failConnection = (state: SocketState, error: NodeError): void => {
  if (state.failure !== undefined) return
  state.failure = error
  Deferred.unsafeDone(state.signals.opened, Effect.fail(error))
  Deferred.unsafeDone(state.signals.lost, Effect.fail(error))
  for (const answer of [...state.pendingCalls.values()]) answer(Exit.fail(error))
  state.pendingCalls.clear()
  state.listeners.clear()
}

const receive = (state: SocketState, text: string): void => {
  const { integers, maxBytes, numbers, dialect } = state.options
  if (text.length > maxBytes)
    throw makeNodeError(state.options, "too-large", `a message of more than ${maxBytes} bytes`)
  const message = integers.parse(text, numbers)
  for (const entry of Array.isArray(message) ? message : [message]) {
    if (!isRecord(entry)) continue
    const item = dialect === undefined ? entry : dialect.decode(entry)
    const answer = state.pendingCalls.get(Number(item.id ?? Number.NaN))
    if (answer !== undefined) answer(Exit.succeed(item))
    else if (isRecord(item.params)) notify(state, String(item.params.subscription), item.params.result)
  }
}

const notify = (state: SocketState, id: string, value: unknown): void => {
  const listener = state.listeners.get(id)
  if (listener !== undefined) listener(value)
  else if (state.pendingSubscriptions > 0 && state.earlyNotifications.length < MAX_EARLY_NOTIFICATIONS)
    state.earlyNotifications.push([id, value])
}

const send = (state: SocketState, method: string, params: ReadonlyArray<unknown>, id: number): void => {
  const { integers, dialect } = state.options
  try {
    state.socket.send(
      dialect === undefined
        ? `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${integers.stringify(params)}}`
        : integers.stringify(dialect.encode(id, method, params))
    )
  } catch (error) {
    failConnection(state, makeNodeError(state.options, "network", reasonOf(error)))
  }
}

/** `onAnswer` runs in the turn in which the answer arrives, before any notification that follows it. */
const sendCall = (
  state: SocketState,
  method: string,
  params: ReadonlyArray<unknown>,
  onAnswer?: (answer: unknown, isAbandoned: boolean) => void
): Effect.Effect<unknown, NodeError | Refusal> => {
  const { options, pendingCalls } = state
  // the caller resumes after the handler of the answer, and after callers that learn of a loss first
  return Effect.flatMap(Deferred.make<unknown, NodeError | Refusal>(), (answered) => {
    if (state.failure !== undefined) return Effect.fail(state.failure)
    const id = nextId()
    let abandoned = false
    pendingCalls.set(id, (answer) => {
      pendingCalls.delete(id)
      if (Exit.isSuccess(answer)) onAnswer?.(answer.value, abandoned)
      Deferred.unsafeDone(
        answered,
        Exit.isSuccess(answer) ? readAnswer(options, method, answer.value) : answer
      )
    })
    send(state, method, params, id)
    const abandon = Effect.sync(() => {
      abandoned = true
      if (onAnswer === undefined) pendingCalls.delete(id)
    })
    return Effect.ensuring(Deferred.await(answered), abandon)
  }).pipe(
    Effect.timeoutFail({
      duration: options.timeoutMs,
      onTimeout: () => makeNodeError(options, "timeout", `no answer within ${options.timeoutMs} ms`, method)
    }),
    // a node that leaves one question without an answer is asked no others
    Effect.tapError((error) =>
      error._tag === "NodeError" ? Effect.sync(() => failConnection(state, error)) : Effect.void
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
  const error = hideErrorSecrets(toRpcError(message, method, url), hide)
  const fault = classify({ code: error.code, message: error.message })
  return Effect.fail<Refusal>({ _tag: "Refusal", fault, error })
}

const subscribe = (
  state: SocketState,
  { method, params, onNotification, unsubscribe }: SubscribeRequest
): ReturnType<Connection["subscribe"]> => {
  let id: unknown
  const endSubscription = (): void => {
    if (id === undefined || state.failure !== undefined) return
    state.listeners.delete(String(id))
    if (unsubscribe !== undefined) send(state, unsubscribe, [id], nextId())
  }
  const beginSubscription = Effect.suspend(() => {
    state.pendingSubscriptions++
    return sendCall(state, method, params, (answer, abandoned) => {
      if (!isRecord(answer) || hasError(answer)) return
      id = answer.result
      // nobody waits for it any more, which the node cannot know
      if (abandoned) return endSubscription()
      state.listeners.set(String(id), onNotification)
      for (const [to, value] of state.earlyNotifications) if (to === String(id)) onNotification(value)
    })
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        if (--state.pendingSubscriptions === 0) state.earlyNotifications = []
      })
    )
  )
  return Effect.asVoid(
    Effect.acquireReleaseInterruptible(beginSubscription, () => Effect.sync(endSubscription))
  )
}

/** Waits until the node has been silent for too long, and asks it something then. */
const pingWhenIdle = (state: SocketState): Effect.Effect<void, NodeError | Refusal> =>
  Effect.suspend(() => {
    const { idleMs, ping } = state.options
    const silence = monotonic(state.clock) - state.lastMessageAt
    return silence < idleMs
      ? Effect.sleep(idleMs - silence)
      : Effect.asVoid(Effect.catchTag(sendCall(state, ping, []), "Refusal", () => Effect.void))
  })
