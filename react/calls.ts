/** The base of hooks that write, and of hooks that watch a stream. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as React from "react"
import type { Sdk } from "../src/client/Sdk.js"
import * as CallResult from "../src/data/CallResult.js"
import type { AnyNetwork } from "../src/data/Network.js"
import type { InitError } from "../src/data/SdkError.js"
import { useClients, useNetworkClient } from "./ClientStore.js"
import { useAnyInvalidate } from "./invalidation.js"
import { effectAt, errorOf } from "./Reactive.js"
import type { NetworkOptions, WatchOptions, WatchState, WriteHandle, WriteOptions } from "./types.js"

/** Types a hook. Its implementation takes any path; its declared type restricts it to the methods of a network. */
export const asHook = <H>(hook: (...args: ReadonlyArray<never>) => unknown): H => hook as H

export type ErrorWithMessage = { readonly message: string }

/** Runs effects with a network's client, which lives until they have ended. */
export const useRunner = (network?: AnyNetwork) => {
  const clients = useClients()
  const id = useNetworkClient(network).network
  return React.useCallback(
    async <A, E extends ErrorWithMessage>(
      use: (sdk: Sdk) => Effect.Effect<A, E>
    ): Promise<CallResult.Result<A, E | InitError>> => {
      const exit = await Effect.runPromiseExit(clients.run(id, use))
      return Exit.isSuccess(exit) ? CallResult.success(exit.value) : CallResult.failure(errorOf(exit.cause))
    },
    [clients, id]
  )
}

/** The write at a path. */
export const writeAt =
  (path: string) =>
  (sdk: Sdk, args: ReadonlyArray<unknown>): Effect.Effect<unknown, ErrorWithMessage> =>
    effectAt(sdk, path, args, "write") as Effect.Effect<unknown, ErrorWithMessage>

/** Makes a write for each path. `refetch` runs after each write, and refetches what the write has changed. It must be a stable function. */
export const useWriter = (options: NetworkOptions, refetch: () => unknown) => {
  const runner = useRunner(options.network)
  return React.useCallback(
    (path: string) =>
      async (...args: ReadonlyArray<unknown>) => {
        const outcome = await runner((sdk) => writeAt(path)(sdk, args))
        refetch()
        return outcome
      },
    [runner, refetch]
  )
}

type WriteState =
  | { readonly status: "idle" | "loading"; readonly data: undefined; readonly error: undefined }
  | { readonly status: "success"; readonly data: unknown; readonly error: undefined }
  | { readonly status: "error"; readonly data: undefined; readonly error: unknown }

const idleState = { status: "idle", data: undefined, error: undefined } as const

export type AnyWriteHandle = WriteHandle<ReadonlyArray<unknown>, unknown, unknown>

export type AnyWriteOptions = WriteOptions<AnyNetwork, ReadonlyArray<unknown>>

/** The base of hooks that write. Each call has its own promise. The state is that of the latest call. */
export const useWriteCalls = (
  options: AnyWriteOptions = {},
  call: (sdk: Sdk, args: ReadonlyArray<unknown>) => Effect.Effect<unknown, ErrorWithMessage>
): AnyWriteHandle => {
  const runner = useRunner(options.network)
  const invalidate = useAnyInvalidate(options)
  const [state, setState] = React.useState<WriteState>(idleState)
  const lastCallNumber = React.useRef(0)
  const latest = React.useRef({ call, options })
  React.useEffect(() => {
    latest.current = { call, options }
  })
  const actions = React.useMemo(
    () => ({
      run: async (...args: ReadonlyArray<unknown>) => {
        const callNumber = ++lastCallNumber.current
        setState({ ...idleState, status: "loading" })
        const { call, options } = latest.current
        const undo = options.onMutate?.(...args)
        const outcome = await runner((sdk) => call(sdk, args))
        if (outcome.status === "ERROR") undo?.()
        for (const match of options.invalidates ?? []) void invalidate(match)
        if (callNumber === lastCallNumber.current) {
          setState(
            outcome.status === "SUCCESS"
              ? { ...idleState, status: "success", data: outcome.data }
              : { ...idleState, status: "error", error: outcome.error.cause }
          )
        }
        return outcome
      },
      reset: () => {
        lastCallNumber.current++
        setState(idleState)
      }
    }),
    [invalidate, runner]
  )
  return React.useMemo(() => ({ ...state, ...actions }), [state, actions])
}

/**
 * The base of hooks that watch. Each item of the stream goes to `onItem` of the last render. A new `key` starts another stream, and the
 * stream ends when the component unmounts.
 */
export const useStreamItems = <A>(
  { enabled = true, network }: WatchOptions,
  key: string,
  stream: (sdk: Sdk) => Stream.Stream<A, unknown>,
  onItem: (item: A) => void
): WatchState<unknown> => {
  const clients = useClients()
  const id = useNetworkClient(network).network
  const [exit, setExit] = React.useState<Exit.Exit<unknown, unknown>>()
  const latest = React.useRef({ onItem, stream })
  React.useEffect(() => {
    latest.current = { onItem, stream }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies the stream, whose function is new in every render
  React.useEffect(() => {
    setExit(undefined)
    if (!enabled) return
    const items = clients.run(id, (sdk) =>
      Stream.runForEach(latest.current.stream(sdk), (item) => Effect.sync(() => latest.current.onItem(item)))
    )
    const fiber = Effect.runFork(items)
    fiber.addObserver((exit) => {
      if (!Exit.isInterrupted(exit)) setExit(exit)
    })
    return () => {
      Effect.runFork(Fiber.interruptFork(fiber))
    }
  }, [clients, id, enabled, key])
  return React.useMemo(
    (): WatchState<unknown> =>
      exit !== undefined && Exit.isFailure(exit)
        ? { status: "error", error: errorOf(exit.cause) }
        : { status: exit ? "ended" : enabled ? "watching" : "idle", error: undefined },
    [enabled, exit]
  )
}
