/** The Promise surface: calls return promises of results, and a client ends with `destroy`. */

// declarations say so too: an application has this library only if it names it
/// <reference lib="esnext.disposable" preserve="true" />
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { NodePoolView, NodeSnapshot } from "../balancer/NodePool.js"
import type { Listen } from "../balancer/Observation.js"
import type { PromisedRpcOf } from "../chains/registry.js"
import type { ApiKey, Consistency, ConsistencyError, SdkConfig } from "../config/Config.js"
import type { Extension, WalletExtension } from "../config/Extension.js"
import { make as makeLogger } from "../config/Logger.js"
import { findCallOptionsProblem, type OptionCheck } from "../config/optionChecks.js"
import { makeInvalidConfig } from "../config/resolveConfig.js"
import { failure, type Result, success } from "../data/CallResult.js"
import type { Credits } from "../data/credits.js"
import { makeDestroyedError, makeDestroyedReason } from "../data/destroyed.js"
import { leftOf } from "../data/eitherValues.js"
import type { AnyNetwork, IdOf, Network } from "../data/Network.js"
import { Aborted, InvalidArgument, kindOf, Unexpected } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { Http, makeFetch } from "../http/service.js"
import type { LayerConfig, Layers, MissingLayers } from "../transport/layerStack.js"
import {
  CallOptions,
  type CallOptionsShape,
  type OptionError,
  type QuorumOptions
} from "../wire/Transport.js"
import { onAbort } from "./abortSignals.js"
import {
  type ClientConfig,
  type FullClientOption,
  type MakeSource,
  makeClient,
  type RpcSdk,
  type SurfaceConfig
} from "./clientParts.js"
import type { ExtensionContext } from "./extensions.js"

/** The options whose values are Effect's. */
type ScheduleOption = "checks" | "readmission"

/**
 * The configuration of a Promise client. It lacks what takes values of Effect (`Redacted` keys, schedules of `rpc`),
 * and has the `fetch` to send with (default: the global one).
 *
 * @since 0.1.0
 * @category models
 */
export interface InitConfig<N extends AnyNetwork = AnyNetwork, out C extends Consistency = Consistency>
  extends Omit<SdkConfig<N, C>, "apiKey" | "rpc" | "configureExtensions" | "configureWalletProviders"> {
  /** The provider's API key. Without it, only some features work. */
  readonly apiKey?: ApiKey<string>
  /** The nodes, and how the client checks them. */
  readonly rpc?: Omit<NonNullable<SdkConfig["rpc"]>, ScheduleOption>
  /** Extensions that start and end with the client. */
  readonly configureExtensions?: ReadonlyArray<Extension<ExtensionContext<NoInfer<N>>>>
  /** Extensions that may bring a wallet, which `sdk.wallet` then uses. */
  readonly configureWalletProviders?: ReadonlyArray<WalletExtension<ExtensionContext<NoInfer<N>>>>
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Options of single calls: `signal` aborts them, `timeout` and `attemptTimeout` (milliseconds) override the
 * configuration, `node` pins the url of a node of the pool, and `minBlock` is the lowest block that reads may answer
 * from.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseCallOptions<
  out Quorum extends QuorumOptions = QuorumOptions,
  out MinBlock extends bigint | number = bigint | number
> extends CallOptionsShape<Quorum, MinBlock> {
  readonly signal?: AbortSignal
}

/**
 * Options of single calls of a client with chosen layers. It has the options of its layers alone.
 *
 * @since 0.1.0
 * @category models
 */
export type LayeredCallOptions<L extends Layers, Q extends QuorumOptions, M extends bigint | number> = Omit<
  PromiseCallOptions<Q, M>,
  MissingLayers<L>
>

/**
 * The client of a network's nodes on the Promise surface, without services, as `effect-chains/chains/*` make it.
 * `More` are the further errors of reads, which the options `quorum` and `minBlock` and the consistency `"monotonic"`
 * add.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseRpcSdk<
  out N extends AnyNetwork = Network,
  out More = never,
  L extends Layers = Layers
> extends AsyncDisposable {
  /** The network's id. */
  readonly network: IdOf<N>
  /** The calls of the network's nodes. */
  readonly rpc: PromisedRpcOf<N, More>
  /** The current state of the nodes. */
  readonly nodes: () => ReadonlyArray<NodeSnapshot>
  /** Checks all nodes now. */
  readonly checkNodes: () => Promise<void>
  /** Calls the listener with each event of the nodes. Call the returned function to stop. */
  readonly listen: Listen
  /** The credits that the client has spent, or undefined without the option `quota`. */
  readonly credits: () => Credits | undefined
  /** Returns the same client with these options for its calls. */
  readonly with: <Q extends QuorumOptions = never, M extends bigint | number = never>(
    options: LayeredCallOptions<L, Q, M>
  ) => PromiseRpcSdk<N, More | OptionError<Q, M>, L>
  /** Ends the client: its checks, timers and calls in flight. It always resolves. */
  readonly destroy: () => Promise<void>
}

/**
 * Makes the Promise client of a family's network, in one file. `layers` are the layers between its calls and its
 * nodes (default: none). Each of them is an import, and adds its options.
 *
 * @since 0.1.0
 * @category models
 */
export type InitFamily<N extends AnyNetwork> = <
  const M extends N,
  L extends Layers = {},
  C extends Consistency = "eventual"
>(
  config: Omit<InitConfig<M, C>, FullClientOption | keyof Layers> & LayerConfig<L>
) => Promise<PromiseRpcSdk<M, ConsistencyError<C>, L>>

/**
 * Makes a Promise client of nodes, without services, with all layers.
 *
 * @since 0.1.0
 * @category models
 */
export type InitRpc<N extends AnyNetwork> = <const M extends N, C extends Consistency = "eventual">(
  config: Omit<InitConfig<M, C>, FullClientOption>
) => Promise<PromiseRpcSdk<M, ConsistencyError<C>>>

export type RunCall = <A, E extends { readonly message: string }>(
  effect: Effect.Effect<A, E>
) => Promise<Result<A, E>>

const isCallable = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

const isEffect = (value: unknown): value is Effect.Effect<unknown, Error> => Effect.isEffect(value)

/**
 * Converts the functions of an object, at any depth, from effects to results. Other values stay as they are.
 */
export const promisify = (client: object, run: RunCall): object =>
  Object.fromEntries(
    Object.entries(client).map(([name, member]): readonly [string, unknown] => [
      name,
      isCallable(member)
        ? // the marks of a function are true of this one too
          Object.assign((...args: ReadonlyArray<unknown>) => {
            try {
              const made = member(...args)
              return isEffect(made) ? run(made) : made
            } catch (defect) {
              return Promise.resolve(failure(new Unexpected({ defect })))
            }
          }, member)
        : isRecord(member)
          ? promisify(member, run)
          : member
    ])
  )

/** Converts the outcomes of a batch to results. Other values stay as they are. */
const toBatchResults = <A>(value: A): A =>
  Array.isArray(value) && Either.isEither(value[0])
    ? // the type Promised says so
      (value.map(Either.match({ onLeft: failure, onRight: success })) as A)
    : value

const toResult = <A, E extends { readonly message: string }>(
  exit: Exit.Exit<A, E>,
  reason: () => unknown
): Result<A, E> => {
  if (Exit.isSuccess(exit)) return success(toBatchResults(exit.value))
  const error = Cause.failureOrCause(exit.cause)
  if (Either.isLeft(error)) return failure(leftOf(error))
  return failure(
    Cause.isInterruptedOnly(exit.cause)
      ? new Aborted({ reason: reason() })
      : new Unexpected({ defect: Cause.squash(exit.cause) })
  )
}

/** Interrupts a fiber, without waiting for its end. */
const interruptFiber = (fiber: Fiber.RuntimeFiber<unknown, unknown>): void =>
  void Effect.runFork(Fiber.interrupt(fiber))

/** Runs calls as fibers, and ends them with the client. */
class CallRunner {
  private readonly runningFibers = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  private isClosed = false

  with({ signal, ...options }: PromiseCallOptions, problem?: string): RunCall {
    const hasNoOptions = Object.keys(options).length === 0
    return <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
      new Promise<Result<A, E>>((resolve) => {
        const localError = this.isClosed
          ? makeDestroyedError()
          : problem !== undefined
            ? new InvalidArgument({ call: "with", reason: problem })
            : signal?.aborted === true
              ? new Aborted({ reason: signal.reason })
              : undefined
        if (localError !== undefined) {
          resolve(failure(localError))
          return
        }
        const fiber = Effect.runFork(
          hasNoOptions ? effect : Effect.provideService(effect, CallOptions, options)
        )
        const stopListening = signal && onAbort(signal, () => interruptFiber(fiber))
        this.runningFibers.add(fiber)
        fiber.addObserver((exit) => {
          this.runningFibers.delete(fiber)
          stopListening?.()
          resolve(toResult(exit, () => (signal?.aborted === true ? signal.reason : makeDestroyedReason())))
        })
      })
  }

  close(): void {
    this.isClosed = true
    for (const fiber of this.runningFibers) interruptFiber(fiber)
  }
}

/** The checks of options that only Promise clients have. A null signal means none, as for `fetch`. */
const ownOptionChecks: {
  readonly [K in Exclude<keyof PromiseCallOptions, keyof CallOptionsShape>]-?: OptionCheck
} = {
  signal: (value) =>
    value === null ||
    (typeof value === "object" && typeof Reflect.get(value, "addEventListener") === "function")
      ? undefined
      : `must be an AbortSignal, not ${kindOf(value)}`
}

/** Makes the members that a full client has beyond nodes, once for each set of call options. */
export type MakeAdditions = (run: RunCall) => { readonly members: object; readonly rpc: object }

/** A client on the Effect surface, before it is converted to Promises. */
export interface LiftableClient {
  readonly sdk: {
    readonly network: string
    readonly rpc: object
    readonly nodes: NodePoolView
    readonly credits: RpcSdk["credits"]
  }
}

const noAdditions: () => MakeAdditions = () => () => ({ members: {}, rpc: {} })

/** Converts a client to Promises. `with` makes it again with further call options. */
const toPromiseClient = <Client>(
  { credits, network, nodes, rpc }: LiftableClient["sdk"],
  makeAdditions: MakeAdditions,
  runner: CallRunner,
  destroy: () => Promise<void>
): Client => {
  const withOptions = (options: PromiseCallOptions, problem?: string): Client => {
    const run = runner.with(options, problem)
    const additions = makeAdditions(run)
    const client = {
      ...additions.members,
      network,
      rpc: { ...promisify(rpc, run), ...additions.rpc },
      nodes: () => Effect.runSync(nodes.snapshot),
      credits: () => Effect.runSync(credits()),
      listen: nodes.listen,
      checkNodes: async () => {
        await run(nodes.check)
      },
      with: (more: PromiseCallOptions) =>
        withOptions({ ...options, ...more }, problem ?? findCallOptionsProblem(more, ownOptionChecks)),
      destroy,
      [Symbol.asyncDispose]: destroy
    }
    // the calls follow the type Promised by construction; the errors that options add exist in the type alone
    return client as Client
  }
  return withOptions({})
}

/** Where to import other networks from, for error messages. */
const OTHER_ENTRIES = "the module of effect-chains/chains that has it, or effect-chains/promise"

/**
 * Makes the clients of a source on the Promise surface. `extend` makes the members that they have beyond nodes. The
 * type of a client follows from its entry, which declares it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePromiseClient =
  <Made extends LiftableClient>(
    makeSource: MakeSource<Made>,
    extend: (made: Made) => MakeAdditions = noAdditions
  ) =>
  async <Client>(options: SurfaceConfig & { readonly fetch?: typeof globalThis.fetch }): Promise<Client> => {
    if (!isRecord(options)) throw makeInvalidConfig("config", "must be an object with a network")
    const { fetch, ...rest } = options
    if (fetch !== undefined && typeof fetch !== "function") {
      throw makeInvalidConfig("fetch", "must be a function")
    }
    const scope = Effect.runSync(Scope.make())
    const close = () => Effect.runPromiseExit(Scope.close(scope, Exit.void))
    const runner = new CallRunner()
    // a row stands for its network
    const config = rest as ClientConfig
    const exit = await Effect.runPromiseExit(
      makeClient(
        config,
        makeSource(config, OTHER_ENTRIES),
        // methods of the console are looked up for each line, so that tests and tools can replace them
        (resolved) => makeLogger(resolved, console),
        (calls) => promisify(calls, runner.with({}))
      ).pipe(Effect.provideService(Http, makeFetch(fetch)), Effect.provideService(Scope.Scope, scope))
    )
    if (Exit.isFailure(exit)) {
      await close()
      throw Cause.squash(exit.cause)
    }
    return toPromiseClient(exit.value.sdk, extend(exit.value), runner, async () => {
      runner.close()
      await close()
    })
  }
