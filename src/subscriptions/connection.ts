import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Fault } from "../data/Endpoint.js"
import { type Hiding, isRecord } from "../data/foreign.js"
import type { Integers } from "../data/integers.js"
import { concealed, NodeError, type NodeErrorKind, type RpcError, reasonOf } from "../data/SdkError.js"
import { monotonic } from "../http/time.js"
import type { Opened } from "../http/webSocket.js"
import { hasError, nextId, rpcErrorOf } from "../wire/jsonRpc.js"

/** How a connection is opened and looked after. Times are milliseconds. */
export interface ConnectionOptions {
  readonly url: string
  /** Makes the socket, which is closed with the scope. */
  readonly open: () => Opened
  /** Limit of the opening, and of every call. */
  readonly timeout: number
  /** After so much silence the node is asked something. */
  readonly idle: number
  /** What it is asked then: any answer will do. */
  readonly ping: string
  readonly maxBytes: number
  /** What errors must not repeat. */
  readonly hide: Hiding
  readonly integers: Integers
  /** Integers of notifications that are to be numbers, by their paths. */
  readonly numbers: ReadonlyArray<string>
  readonly classify: (error: { readonly code: number; readonly message: string }) => Fault
}

/** A subscription on the wire. `take` gets what its notifications carry, and throws at what cannot be read. */
export interface Subscribing {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly unsubscribe: string
  readonly take: (value: unknown) => void
}

/** What a node says no to, and whose fault that is. */
export interface Refusal {
  readonly _tag: "Refusal"
  readonly fault: Fault
  readonly error: RpcError
}

/** A socket to a node, shared by all that have something to ask there. */
export interface Connection {
  readonly call: (
    method: string,
    params: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, NodeError | Refusal>
  /** Ends with the scope: the node is told, and nobody waits for what it says to that. */
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

/** Opens a connection, and closes it with the scope. Fails if it does not come about. */
export const connect = (options: ConnectionOptions): Effect.Effect<Connection, NodeError, Scope.Scope> =>
  Effect.gen(function* () {
    const { hide, url, timeout, integers } = options
    const clock = yield* Effect.clock
    const lost = yield* Deferred.make<never, NodeError>()
    const opened = yield* Deferred.make<void, NodeError>()
    const closed = yield* Deferred.make<void>()
    const waiting = new Map<number, (answer: Exit.Exit<unknown, NodeError | Refusal>) => void>()
    const listeners = new Map<string, (value: unknown) => void>()
    let early: Array<readonly [id: string, value: unknown]> = []
    let subscribing = 0
    let isOpen = false
    let failure: NodeError | undefined
    let heard = monotonic(clock)

    const errorOf = (kind: NodeErrorKind, reason: string, call = "subscription"): NodeError =>
      new NodeError({ kind, call, url, reason: hide(reason) })

    const fail = (error: NodeError): void => {
      if (failure !== undefined) return
      failure = error
      Deferred.unsafeDone(opened, Effect.fail(error))
      Deferred.unsafeDone(lost, Effect.fail(error))
      for (const answer of [...waiting.values()]) answer(Exit.fail(error))
      waiting.clear()
      listeners.clear()
    }

    const notify = (id: string, value: unknown): void => {
      const listener = listeners.get(id)
      if (listener !== undefined) listener(value)
      else if (subscribing > 0 && early.length < EARLY) early.push([id, value])
    }

    const receive = (text: string): void => {
      if (text.length > options.maxBytes) {
        throw errorOf("too-large", `a message of more than ${options.maxBytes} bytes`)
      }
      const message = integers.parse(text, options.numbers)
      for (const item of Array.isArray(message) ? message : [message]) {
        if (!isRecord(item)) continue
        const answer = waiting.get(Number(item.id ?? Number.NaN))
        if (answer !== undefined) answer(Exit.succeed(item))
        else if (isRecord(item.params)) notify(String(item.params.subscription), item.params.result)
      }
    }

    const { socket } = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const made = options.open()
          made.socket.addEventListener("open", () => {
            isOpen = true
            Deferred.unsafeDone(opened, Effect.void)
          })
          made.socket.addEventListener("message", ({ data }) => {
            heard = monotonic(clock)
            try {
              receive(textOf(data))
            } catch (error) {
              fail(error instanceof NodeError ? error : errorOf("malformed", reasonOf(error)))
            }
          })
          made.socket.addEventListener("error", ({ error, message }) => {
            const reason = message || (error === undefined ? "the socket has failed" : reasonOf(error))
            fail(errorOf(isOpen ? "network" : "connect", reason))
          })
          made.socket.addEventListener("close", ({ code }) => {
            fail(errorOf(isOpen ? "network" : "connect", `the socket was closed (code ${code ?? "unknown"})`))
            Deferred.unsafeDone(closed, Effect.void)
          })
          return made
        },
        catch: (error) => errorOf("connect", reasonOf(error))
      }),
      ({ socket, kill }) =>
        Effect.suspend(() => {
          // a peer that has been silent will not answer to this either
          const patience = failure === undefined && isOpen ? FAREWELL : 0
          fail(errorOf("network", "the socket is closed"))
          try {
            socket.close(1000)
          } catch {
            // some refuse that while they are connecting
          }
          // finalizers cannot be interrupted, and the one that comes second has to be
          return Effect.zipRight(
            Effect.raceFirst(
              Effect.interruptible(Deferred.await(closed)),
              Effect.interruptible(Effect.sleep(patience))
            ),
            Effect.sync(kill)
          )
        })
    )

    const send = (method: string, params: ReadonlyArray<unknown>, id: number): void => {
      try {
        socket.send(
          `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${integers.stringify(params)}}`
        )
      } catch (error) {
        fail(errorOf("network", reasonOf(error)))
      }
    }

    const readAnswer = (method: string, message: unknown): Effect.Effect<unknown, Refusal> => {
      if (!isRecord(message) || !hasError(message)) {
        return Effect.succeed(isRecord(message) ? message.result : undefined)
      }
      const error = concealed(rpcErrorOf(message, method, url), hide)
      const fault = options.classify({ code: error.code, message: error.message })
      return Effect.fail<Refusal>({ _tag: "Refusal", fault, error })
    }

    /** `settle` sees the answer in the turn in which it comes, before any notification that follows it. */
    const ask = (
      method: string,
      params: ReadonlyArray<unknown>,
      settle?: (answer: unknown, abandoned: boolean) => void
    ): Effect.Effect<unknown, NodeError | Refusal> =>
      Effect.async<unknown, NodeError | Refusal>((resume) => {
        if (failure !== undefined) return resume(Effect.fail(failure))
        const id = nextId()
        let abandoned = false
        waiting.set(id, (answer) => {
          waiting.delete(id)
          if (Exit.isSuccess(answer)) settle?.(answer.value, abandoned)
          resume(Exit.isSuccess(answer) ? readAnswer(method, answer.value) : answer)
        })
        send(method, params, id)
        return Effect.sync(() => {
          abandoned = true
          if (settle === undefined) waiting.delete(id)
        })
      }).pipe(
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => errorOf("timeout", `no answer within ${timeout} ms`, method)
        }),
        // who leaves one question without an answer is asked no others
        Effect.tapError((error) =>
          error._tag === "NodeError" ? Effect.sync(() => fail(error)) : Effect.void
        )
      )

    const subscribe = ({ method, params, unsubscribe, take }: Subscribing) => {
      let id: unknown
      const end = (): void => {
        if (id === undefined || failure !== undefined) return
        listeners.delete(String(id))
        send(unsubscribe, [id], nextId())
      }
      const begin = Effect.suspend(() => {
        subscribing++
        return ask(method, params, (answer, abandoned) => {
          if (!isRecord(answer) || hasError(answer)) return
          id = answer.result
          // nobody waits for it any more, and the node does not know that
          if (abandoned) return end()
          listeners.set(String(id), take)
          for (const [to, value] of early) if (to === String(id)) take(value)
        })
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (--subscribing === 0) early = []
          })
        )
      )
      return Effect.asVoid(Effect.acquireReleaseInterruptible(begin, () => Effect.sync(end)))
    }

    yield* Deferred.await(opened).pipe(
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () => errorOf("connect", `no connection within ${timeout} ms`)
      })
    )

    const look: Effect.Effect<void, NodeError | Refusal> = Effect.suspend(() => {
      const silence = monotonic(clock) - heard
      return silence < options.idle
        ? Effect.sleep(options.idle - silence)
        : Effect.asVoid(Effect.catchTag(ask(options.ping, []), "Refusal", () => Effect.void))
    })
    yield* Effect.forkScoped(Effect.forever(look))

    return { call: (method, params) => ask(method, params), subscribe, lost: Deferred.await(lost) }
  })
