/**
 * The SDK for ordinary async code: every call resolves to a `Result`, none rejects.
 *
 * ```ts
 * import { init } from "effect-chains/promise"
 *
 * const sdk = await init({ network: "ethereum-mainnet" })
 * const balance = await sdk.rpc.getBalance("0x…")
 * if (balance.status === "SUCCESS") console.log(balance.data)
 * await sdk.destroy()
 * ```
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { NodeSnapshot } from "./balancer/Balancer.js"
import type { Promised } from "./Client.js"
import { Http, makeFetch } from "./Http.js"
import type { Family as FamilyId, Network } from "./Network.js"
import { failure, type Result, success } from "./Result.js"
import {
  type Families,
  familyOf,
  type Load,
  loadFamily,
  makeLogging,
  type NetworkOf,
  type RpcOf
} from "./Sdk.js"
import { Aborted, InvalidConfig, Unexpected } from "./SdkError.js"
import type { SdkConfig } from "./services/Config.js"
import { CallOptions, type CallOptionsShape } from "./Transport.js"

export { type Failure, isFailure, isSuccess, type Result, type Success } from "./Result.js"

/**
 * The configuration of a Promise client: that of every client, and the `fetch` to send with (default: the global one).
 *
 * @since 0.1.0
 * @category models
 */
export interface InitConfig<N extends Network = Network> extends SdkConfig<N> {
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Options of single calls: `signal` aborts them, `timeout` and `attemptTimeout` (milliseconds) override the
 * configuration, `node` pins the url of a node of the pool.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseCallOptions extends CallOptionsShape {
  readonly signal?: AbortSignal
}

/**
 * The client of a network on the Promise surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseSdk<N extends Network = Network> extends AsyncDisposable {
  readonly network: N
  /** The calls of the network's nodes. */
  readonly rpc: Promised<RpcOf<N>>
  /** The nodes as they are known now. */
  readonly nodes: () => ReadonlyArray<NodeSnapshot>
  /** Checks all nodes now. */
  readonly checkNodes: () => Promise<void>
  /** The same client with these options for its calls. */
  readonly with: (options: PromiseCallOptions) => PromiseSdk<N>
  /** Ends the client: its checks, timers and calls in flight. It always resolves. */
  readonly destroy: () => Promise<void>
}

type Run = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) => Promise<Result<A, E>>

const isRunnable = (
  value: unknown
): value is (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, Error> => typeof value === "function"

/** Lifts an object of functions that return effects, recursively; what is no function or object passes through. */
const promisify = (client: object, run: Run): object =>
  Object.fromEntries(
    Object.entries(client).map(([name, member]): readonly [string, unknown] => [
      name,
      isRunnable(member)
        ? (...args: ReadonlyArray<unknown>) => {
            try {
              return run(member(...args))
            } catch (defect) {
              return Promise.resolve(failure(new Unexpected({ defect })))
            }
          }
        : typeof member === "object" && member !== null
          ? promisify(member, run)
          : member
    ])
  )

const toResult = <A, E extends { readonly message: string }>(
  exit: Exit.Exit<A, E>,
  reason: () => unknown
): Result<A, E> => {
  if (Exit.isSuccess(exit)) return success(exit.value)
  const error = Cause.failureOption(exit.cause)
  if (error._tag === "Some") return failure(error.value)
  return failure(
    Cause.isInterruptedOnly(exit.cause)
      ? new Aborted({ reason: reason() })
      : new Unexpected({ defect: Cause.squash(exit.cause) })
  )
}

/** Runs calls as fibers, all of which end with the client. */
class Runner {
  private readonly running = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  private closed = false

  with({ signal: given, ...options }: PromiseCallOptions): Run {
    const plain = Object.keys(options).length === 0
    const signal = given ?? undefined
    return <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
      new Promise<Result<A, E>>((resolve) => {
        if (this.closed) {
          resolve(failure(new Aborted({ reason: new Error("The client has been destroyed") })))
          return
        }
        if (signal !== undefined && typeof signal.addEventListener !== "function") {
          resolve(failure(new Unexpected({ defect: new TypeError("signal must be an AbortSignal") })))
          return
        }
        if (signal?.aborted === true) {
          resolve(failure(new Aborted({ reason: signal.reason })))
          return
        }
        const fiber = Effect.runFork(plain ? effect : Effect.provideService(effect, CallOptions, options))
        const abort = (): void => fiber.unsafeInterruptAsFork(fiber.id())
        signal?.addEventListener("abort", abort, { once: true })
        this.running.add(fiber)
        fiber.addObserver((exit) => {
          this.running.delete(fiber)
          signal?.removeEventListener("abort", abort)
          resolve(
            toResult(exit, () =>
              signal?.aborted === true ? signal.reason : new Error("The client has been destroyed")
            )
          )
        })
      })
  }

  close(): void {
    this.closed = true
    for (const fiber of this.running) fiber.unsafeInterruptAsFork(fiber.id())
  }
}

/** What `console` has at every level; read when a line is written, so that tests and tools may replace it. */
const consoleSink: NonNullable<SdkConfig["logger"]> = {
  trace: (message) => console.trace(message),
  debug: (message) => console.debug(message),
  info: (message) => console.info(message),
  warn: (message) => console.warn(message),
  error: (message) => console.error(message)
}

/**
 * How a Promise client is made.
 *
 * @since 0.1.0
 * @category models
 */
export type Init<N extends Network> = <const M extends N>(config: InitConfig<M>) => Promise<PromiseSdk<M>>

const start = async <N extends Network>(config: InitConfig<N>, load: Load): Promise<PromiseSdk<N>> => {
  if (typeof config !== "object" || config === null) {
    throw new InvalidConfig({ issues: [{ path: "config", message: "must be an object with a network" }] })
  }
  const { fetch, ...rest } = config
  if (fetch !== undefined && typeof fetch !== "function") {
    throw new InvalidConfig({ issues: [{ path: "fetch", message: "must be a function" }] })
  }
  const scope = Effect.runSync(Scope.make())
  const exit = await Effect.runPromiseExit(
    makeLogging(
      consoleSink,
      load
    )<N>({ ...rest, network: config.network }).pipe(
      Effect.provideService(Http, makeFetch(fetch)),
      Scope.extend(scope)
    )
  )
  if (Exit.isFailure(exit)) {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    throw Cause.squash(exit.cause)
  }
  const sdk = exit.value
  const runner = new Runner()
  const destroy = async (): Promise<void> => {
    runner.close()
    await Effect.runPromiseExit(Scope.close(scope, Exit.void))
  }
  const lift = (options: PromiseCallOptions): PromiseSdk<N> => ({
    network: sdk.network,
    // promisify follows the type Promised by construction
    rpc: promisify(sdk.rpc, runner.with(options)) as Promised<RpcOf<N>>,
    nodes: () => Effect.runSync(sdk.nodes.snapshot),
    checkNodes: async () => {
      await runner.with(options)(sdk.nodes.check)
    },
    with: (more) => lift({ ...options, ...more }),
    destroy,
    [Symbol.asyncDispose]: destroy
  })
  return lift({})
}

/**
 * Makes the client of a network; its type follows the network's id. Rejects with the tagged error on a bad
 * configuration, an unknown network or a refused extension, and for no other reason.
 *
 * @since 0.1.0
 * @category constructors
 */
export const init: Init<Network> = (config) => start(config, loadFamily)

/**
 * {@link init} for the networks of families that the caller has imported: for builds without code splitting.
 * `./chains/*` export it for their own. Rejects with `InvalidConfig` on a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const initWith = <F extends FamilyId>(families: Families<F>): Init<NetworkOf<F>> => {
  const load = familyOf(families)
  return (config) => start(config, load)
}
