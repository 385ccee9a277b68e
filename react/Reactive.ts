/**
 * The Rx surface of a client. A read is a value that is fetched when it is first subscribed to, a write runs when it is set, a stream is
 * its latest item, and a list comes page by page. It does not need React.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Sdk } from "../src/client/Sdk.js"
import type { AnswerBy, Choosing, Chosen } from "../src/data/Endpoint.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidArgument, Unexpected } from "../src/data/SdkError.js"
import type { catalogue } from "../src/services/Services.js"
import type { WithErrors } from "../src/transport/Client.js"
import { attachEntry, CacheEntry, type ResultRx } from "./CacheEntry.js"
import type { Callable, CatalogueEntry, ClientOf, KindOf } from "./paths.js"
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"
import { isObject, keepIdentity, toKey } from "./values.js"

type Lifted<F, Kind> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? <const C extends Exclude<Args[I], undefined> = Usual>(
        ...args: Choosing<Args, I, C>
      ) => Rx.Rx<Result.Result<AnswerBy<H, C>, E>>
    : F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
      ? Kind extends "write"
        ? Rx.RxResultFn<Args, A, E>
        : (...args: Args) => Rx.Rx<Result.Result<A, E>>
      : F extends (...args: infer Args) => Stream.Stream<infer A, infer E>
        ? Kind extends "stream"
          ? (...args: Args) => Rx.Writable<Rx.PullResult<A, E>, void>
          : (...args: Args) => Rx.Rx<Result.Result<A, E>>
        : never

type Lift<C, K> = {
  readonly [M in keyof C]: C[M] extends Callable
    ? Lifted<C[M], KindOf<C[M], CatalogueEntry<K, M>>>
    : Lift<C[M], CatalogueEntry<K, M>>
}

/**
 * The Rx surface of a network's client. A read or a live stream is a function that returns an Rx of a `Result` with the method's errors.
 * A write is an `Rx.fn` of the tuple of its arguments. A list is a function that returns an `Rx.pull`.
 *
 * @since 0.1.0
 * @category types
 */
export type Reactive<N extends AnyNetwork = Network, More = never> = Lift<
  WithErrors<ClientOf<N>, More>,
  typeof catalogue
>

/** A call by path and arguments. Equal calls have the same `key`. `use` runs in place of the method at the path. */
interface KeyedCall<Use> {
  readonly path: string
  readonly args: ReadonlyArray<unknown>
  readonly key: string
  readonly use: Use | undefined
}

/** Makes one value for equal calls, until the value is garbage-collected. */
const memoizeByCall = <Use, T extends object>(make: (call: KeyedCall<Use>) => T) => {
  let call: KeyedCall<Use>
  const valueFor = Rx.family((_key: string) => make(call))
  return (path: string, args: ReadonlyArray<unknown>, use?: Use): T => {
    call = { path, args, key: `${path} ${toKey(args)}`, use }
    return valueFor(call.key)
  }
}

type MakeEffect = (sdk: Sdk) => Effect.Effect<unknown, unknown>

type MakeStream = (sdk: Sdk) => Stream.Stream<unknown, unknown>

export type { ClientOf, Method, Path } from "./paths.js"

type Member = (...args: ReadonlyArray<unknown>) => unknown

const isMethod = (value: unknown): value is Member => typeof value === "function"

/** The member of a client at a path. */
const memberOf = (sdk: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (group, name) => (isObject(group) && Object.hasOwn(group, name) ? Reflect.get(group, name) : undefined),
      sdk
    )

/** Whether a function of a client may have an effect. */
const isWrite = (method: Member): boolean => "repeat" in method

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const isStream = (value: unknown): value is Stream.Stream<unknown, unknown> =>
  isObject(value) && Stream.StreamTypeId in value

const failUnknownMethod = (path: string, sort: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call: path, reason: `the network has no such ${sort}` }))

/** A client, and the function that runs a call with the provider's runtime. It is expensive, so each call applies it once. */
export interface ReadyClient {
  readonly sdk: Sdk
  readonly provide: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Waits for a client. The first one makes it. */
export type GetClient = (get: Pick<Rx.Context, "result">) => Effect.Effect<ReadyClient, InitError>

/** Waits for a client, and runs an effect with it. */
export const withClient = <E, A, E2, R>(
  client: Effect.Effect<ReadyClient, E>,
  use: (sdk: Sdk) => Effect.Effect<A, E2, R>
): Effect.Effect<A, E | E2, R> => Effect.flatMap(client, ({ sdk, provide }) => provide(use(sdk)))

/** Calls the method at a path. Fails if it is not of the given sort. */
export const effectAt = (
  sdk: Sdk,
  path: string,
  args: ReadonlyArray<unknown>,
  sort: "read" | "write"
): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    const method = memberOf(sdk, path)
    const call = isMethod(method) && isWrite(method) === (sort === "write") ? method(...args) : undefined
    return isEffect(call) ? call : failUnknownMethod(path, sort)
  })

/** The stream at a path. */
export const streamAt = (
  sdk: Sdk,
  path: string,
  args: ReadonlyArray<unknown>
): Stream.Stream<unknown, unknown> => {
  const method = memberOf(sdk, path)
  const stream = isMethod(method) ? method(...args) : undefined
  return isStream(stream) ? stream : Stream.unwrap(failUnknownMethod(path, "stream"))
}

/** A stream of a client. Every pull gets the provider's runtime, whichever fiber pulls. */
export const streamWithClient =
  <A, E>(getClient: GetClient, use: (sdk: Sdk) => Stream.Stream<A, E>) =>
  (get: Rx.Context): Stream.Stream<A, E | InitError> =>
    Stream.unwrap(
      Effect.map(getClient(get), ({ sdk, provide }) =>
        Stream.fromPull(Effect.map(provide(Stream.toPull(use(sdk))), provide))
      )
    )

/** The typed error of a cause. A defect is `Unexpected`. */
export const errorOf = <E>(cause: Cause.Cause<E>): E | Unexpected =>
  Option.getOrElse(Cause.failureOption(cause), () => new Unexpected({ defect: Cause.squash(cause) }))

/** Whether a list has ended without an item: `Rx.pull` reports that as a failure. */
export const isEmptyList = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) && Cause.isNoSuchElementException(errorOf(result.cause))

/** The value of an Rx, also after a failure. */
export const valueOf = <A, E>(result: Result.Result<A, E>): A | undefined =>
  Option.getOrUndefined(Result.value(result))

/** The latest item of a stream. With an item it is not `waiting`. A failure keeps the last item as its previous value. */
export const makeLatestRx = <A, E>(stream: (get: Rx.Context) => Stream.Stream<A, E>): ResultRx<A, E> =>
  Rx.withServerValueInitial(
    Rx.make((get): Effect.Effect<A, E> => {
      const emit = (result: () => Result.Result<A, E>) => Effect.sync(() => get.setSelf(result()))
      return Stream.runForEach(stream(get), (item) => emit(() => Result.success(item))).pipe(
        Effect.catchAllCause((cause) =>
          emit(() => Result.failureWithPrevious(cause, { previous: get.self<Result.Result<A, E>>() }))
        ),
        // a stream that has ended keeps its last item
        Effect.zipRight(Effect.never)
      )
    })
  )

/** Makes the Rx of a client's methods by path. Equal calls share one Rx. */
export interface RxFactory {
  readonly read: (path: string, args: ReadonlyArray<unknown>, use?: MakeEffect) => ResultRx
  readonly live: (path: string, args: ReadonlyArray<unknown>, use?: MakeStream) => ResultRx
  readonly pages: (
    path: string,
    args: ReadonlyArray<unknown>
  ) => Rx.Writable<Rx.PullResult<unknown, unknown>, void>
}

/**
 * A read: one answer, and another with each refresh. An answer that is equal to the last keeps its identity. Servers do not run it.
 */
export const makeReadRx = <A, E>(read: (get: Rx.Context) => Effect.Effect<A, E>): ResultRx<A, E> =>
  Rx.withServerValueInitial(
    Rx.make((get) => {
      const previous = Option.flatMap(get.self<Result.Result<A, E>>(), Result.value)
      return Effect.map(read(get), (answer) => keepIdentity(previous, answer))
    })
  )

type AnyResult = Result.Result<unknown, unknown>

/** A read with a cache entry: it takes the answer of `setData`, and records whether it has an answer. */
export const makeCachedReadRx = (
  cacheEntry: CacheEntry,
  read: (get: Rx.Context) => Effect.Effect<unknown, unknown>
): ResultRx =>
  makeReadRx((get) => {
    const { nextAnswer } = cacheEntry
    cacheEntry.nextAnswer = undefined
    cacheEntry.isInvalidated = false
    get.addFinalizer(() => {
      cacheEntry.isInvalidated = true
    })
    cacheEntry.hasAnswer =
      nextAnswer !== undefined || Option.isSome(Option.flatMap(get.self<AnyResult>(), Result.value))
    return (
      nextAnswer ??
      Effect.onExit(read(get), (exit) =>
        Effect.sync(() => {
          // an aborted request may end while the next one is in flight
          cacheEntry.hasAnswer ||= !Exit.isInterrupted(exit)
        })
      )
    )
  })

/** Makes the Rx factory of a network's client. `decorate` gets the Rx of each read and list. */
export const makeRxFactory = (
  getClient: GetClient,
  network: string,
  decorate: <R extends ResultRx>(rx: R, cacheEntry: CacheEntry) => R = attachEntry
): RxFactory => {
  const streamOf = ({ args, path, use = (sdk) => streamAt(sdk, path, args) }: KeyedCall<MakeStream>) =>
    streamWithClient(getClient, use)
  return {
    read: memoizeByCall(
      ({ args, key, path, use = (sdk) => effectAt(sdk, path, args, "read") }: KeyedCall<MakeEffect>) => {
        const cacheEntry = new CacheEntry({ network, path, args }, `${network} ${key}`)
        return decorate(
          makeCachedReadRx(cacheEntry, (get) => withClient(getClient(get), use)),
          cacheEntry
        )
      }
    ),
    live: memoizeByCall((call: KeyedCall<MakeStream>) => makeLatestRx(streamOf(call))),
    pages: memoizeByCall((call: KeyedCall<MakeStream>) => {
      const { args, path } = call
      const cacheEntry = new CacheEntry({ network, path, args })
      // Rx.pull takes one chunk at a time, and a chunk is a page
      const items = (get: Rx.Context) => {
        cacheEntry.pageCount = 0
        cacheEntry.hasAnswer = Option.isSome(Option.flatMap(get.self<AnyResult>(), Result.value))
        const record = (pages: number) => {
          cacheEntry.hasAnswer = true
          cacheEntry.pagedAt = Date.now()
          cacheEntry.pageCount += pages
        }
        return Stream.onEnd(
          Stream.mapChunks(streamOf(call)(get), (page) => {
            record(1)
            return page
          }),
          // an empty list is an answer too
          Effect.sync(() => record(0))
        )
      }
      return decorate(Rx.withServerValueInitial(Rx.pull(items)), cacheEntry)
    })
  }
}

/** A write: it runs when it is set. Setting it again does not interrupt the earlier call. */
const makeWriteRx = (sdk: Sdk, path: string) =>
  Rx.fn((args: ReadonlyArray<unknown>) =>
    Effect.flatMap(Effect.forkDaemon(effectAt(sdk, path, args, "write")), Fiber.join)
  )

const liftGroup = (group: object, sdk: Sdk, factory: RxFactory, prefix: string): object =>
  Object.fromEntries(
    Object.entries(group).flatMap(([name, member]): ReadonlyArray<readonly [string, unknown]> => {
      const path = `${prefix}${name}`
      if (isObject(member)) return [[name, liftGroup(member, sdk, factory, `${path}.`)]]
      if (!isMethod(member)) return []
      if (isWrite(member)) return [[name, makeWriteRx(sdk, path)]]
      if ("live" in member) return [[name, (...args: ReadonlyArray<unknown>) => factory.live(path, args)]]
      return [
        [
          name,
          (...args: ReadonlyArray<unknown>) =>
            isStream(member(...args)) ? factory.pages(path, args) : factory.read(path, args)
        ]
      ]
    })
  )

/**
 * The Rx surface of a client, for any registry. Equal arguments (by value, `bigint` and nested objects included) give the same Rx. It
 * sends a request only when an Rx is subscribed to, or a write is set.
 *
 * ```ts
 * const { address } = reactive(sdk)
 * registry.subscribe(address.getBalance({ address: "0x…" }), show, { immediate: true })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const reactive = <N extends AnyNetwork, More = never>(sdk: Sdk<N, More>): Reactive<N, More> => {
  const { credits: _credits, network: _network, nodes: _nodes, ...client } = sdk
  // methods are found by path, and the return type has their errors
  const anySdk = sdk as unknown as Sdk
  // the members are the client's own, which Object.fromEntries cannot express in its type
  return liftGroup(
    client,
    anySdk,
    makeRxFactory(() => Effect.succeed({ sdk: anySdk, provide: (call) => call }), sdk.network),
    ""
  ) as Reactive<N, More>
}
