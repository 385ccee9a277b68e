/**
 * The Rx surface, derived from a client: reads as values that are fetched when they are looked at, writes that run when
 * they are called, streams as their latest item or page by page. It needs no React.
 *
 * @since 0.1.0
 */
import { Result, Rx } from "@effect-rx/rx-react"
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
import { attachEntry, CacheEntry } from "./CacheEntry.js"
import type { Callable, CatalogueEntry, ClientOf, KindOf } from "./paths.js"
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
 * The Rx surface of a network's client. A read and a live stream are functions to an Rx of a `Result` with the method's own
 * errors, a write is an `Rx.fn` of the tuple of its arguments, a list by pages is an `Rx.pull`.
 *
 * @since 0.1.0
 * @category types
 */
export type Reactive<N extends AnyNetwork = Network, More = never> = Lift<
  WithErrors<ClientOf<N>, More>,
  typeof catalogue
>

/** A path and its arguments, and how the client is asked; by default by the method at the path. Equal calls have the same key. */
interface KeyedCall<Use> {
  readonly path: string
  readonly args: ReadonlyArray<unknown>
  readonly key: string
  readonly use: Use | undefined
}

/** The values of calls: one for equal calls, as long as it is held. */
const memoizeByCall = <Use, T extends object>(make: (call: KeyedCall<Use>) => T) => {
  let call: KeyedCall<Use>
  const known = Rx.family((_key: string) => make(call))
  return (path: string, args: ReadonlyArray<unknown>, use?: Use): T => {
    call = { path, args, key: `${path} ${toKey(args)}`, use }
    return known(call.key)
  }
}

type MakeEffect = (client: Sdk) => Effect.Effect<unknown, unknown>

type MakeStream = (client: Sdk) => Stream.Stream<unknown, unknown>

export type { ClientOf, Method, Path } from "./paths.js"

type Member = (...args: ReadonlyArray<unknown>) => unknown

const isMethod = (value: unknown): value is Member => typeof value === "function"

/** The member of a client at a path. */
const memberOf = (client: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (group, name) => (isObject(group) && Object.hasOwn(group, name) ? Reflect.get(group, name) : undefined),
      client
    )

/** Whether a function of a client may have an effect. */
const isWrite = (method: Member): boolean => "repeat" in method

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const isStream = (value: unknown): value is Stream.Stream<unknown, unknown> =>
  isObject(value) && Stream.StreamTypeId in value

const failUnknownMethod = (path: string, sort: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call: path, reason: `the network has no such ${sort}` }))

/** A client, and what brings its calls their context: to do that costs more than what is done with an answer. */
export interface ReadyClient {
  readonly sdk: Sdk
  readonly provideContext: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The way of reads to a client that may have to be made first. */
export type GetClient = (get: Pick<Rx.Context, "result">) => Effect.Effect<ReadyClient, InitError>

/** Runs an effect with a client as soon as that is there. */
export const withClient = <E, A, E2, R>(
  made: Effect.Effect<ReadyClient, E>,
  use: (sdk: Sdk) => Effect.Effect<A, E2, R>
): Effect.Effect<A, E | E2, R> => Effect.flatMap(made, ({ sdk, provideContext }) => provideContext(use(sdk)))

/** Calls the method at a path, which must be of one of the two sorts. */
export const effectAt = (
  client: Sdk,
  path: string,
  args: ReadonlyArray<unknown>,
  sort: "read" | "write"
): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    const method = memberOf(client, path)
    const made = isMethod(method) && isWrite(method) === (sort === "write") ? method(...args) : undefined
    return isEffect(made) ? made : failUnknownMethod(path, sort)
  })

/** The stream at a path. */
export const streamAt = (
  client: Sdk,
  path: string,
  args: ReadonlyArray<unknown>
): Stream.Stream<unknown, unknown> => {
  const method = memberOf(client, path)
  const made = isMethod(method) ? method(...args) : undefined
  return isStream(made) ? made : Stream.unwrap(failUnknownMethod(path, "stream"))
}

/** A stream of a client. Every step of it runs in the context of the client's calls, whichever fiber takes it. */
export const streamWithClient =
  <A, E>(client: GetClient, use: (sdk: Sdk) => Stream.Stream<A, E>) =>
  (get: Rx.Context): Stream.Stream<A, E | InitError> =>
    Stream.unwrap(
      Effect.map(client(get), ({ sdk, provideContext }) =>
        Stream.fromPull(Effect.map(provideContext(Stream.toPull(use(sdk))), provideContext))
      )
    )

/** The typed error of a cause; an unforeseen one has a type too. */
export const errorOf = <E>(cause: Cause.Cause<E>): E | Unexpected =>
  Option.getOrElse(Cause.failureOption(cause), () => new Unexpected({ defect: Cause.squash(cause) }))

/** Whether a list has ended without an item, which its Rx tells as a failure. */
export const isEmptyList = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) && Cause.isNoSuchElementException(errorOf(result.cause))

/** The value of an Rx, also after a failure. */
export const valueOf = <A, E>(result: Result.Result<A, E>): A | undefined =>
  Option.getOrUndefined(Result.value(result))

/** The latest item of a stream: never waiting once there is one, and kept when the stream fails. */
export const makeLatestRx = <A, E>(
  stream: (get: Rx.Context) => Stream.Stream<A, E>
): Rx.Rx<Result.Result<A, E>> =>
  Rx.withServerValueInitial(
    Rx.make((get): Effect.Effect<A, E> => {
      const say = (result: () => Result.Result<A, E>) => Effect.sync(() => get.setSelf(result()))
      return Stream.runForEach(stream(get), (item) => say(() => Result.success(item))).pipe(
        Effect.catchAllCause((cause) =>
          say(() => Result.failureWithPrevious(cause, { previous: get.self<Result.Result<A, E>>() }))
        ),
        // the stream is over, and has no other answer
        Effect.zipRight(Effect.never)
      )
    })
  )

/** Every Rx of a client's reads by the path of its method, each made once as long as it is held. */
export interface RxFactory {
  readonly read: (
    path: string,
    args: ReadonlyArray<unknown>,
    use?: MakeEffect
  ) => Rx.Rx<Result.Result<unknown, unknown>>
  readonly live: (
    path: string,
    args: ReadonlyArray<unknown>,
    use?: MakeStream
  ) => Rx.Rx<Result.Result<unknown, unknown>>
  readonly pages: (
    path: string,
    args: ReadonlyArray<unknown>
  ) => Rx.Writable<Rx.PullResult<unknown, unknown>, void>
}

/**
 * An answer once, and again when it is refreshed: one that is equal to the last keeps its identity. Servers do not ask for it.
 */
export const makeReadRx = <A, E>(
  read: (get: Rx.Context) => Effect.Effect<A, E>
): Rx.Rx<Result.Result<A, E>> =>
  Rx.withServerValueInitial(
    Rx.make((get) => {
      const before = Option.flatMap(get.self<Result.Result<A, E>>(), Result.value)
      return Effect.map(read(get), (answer) => keepIdentity(before, answer))
    })
  )

type AnyResult = Result.Result<unknown, unknown>

/** The same, where somebody may say the answer, and knows whether there has been one. */
export const makeCachedReadRx = (
  held: CacheEntry,
  read: (get: Rx.Context) => Effect.Effect<unknown, unknown>
): Rx.Rx<AnyResult> =>
  makeReadRx((get) => {
    const { nextAnswer } = held
    held.nextAnswer = Option.none()
    held.isInvalidated = false
    get.addFinalizer(() => {
      held.isInvalidated = true
    })
    held.hasAnswer =
      Option.isSome(nextAnswer) || Option.isSome(Option.flatMap(get.self<AnyResult>(), Result.value))
    return Option.isSome(nextAnswer)
      ? nextAnswer
      : Effect.onExit(read(get), (exit) =>
          Effect.sync(() => {
            // one that was given up may end while its successor is under way
            held.hasAnswer ||= !Exit.isInterrupted(exit)
          })
        )
  })

/** Derives the Rx of a client of a network; `hold` may change those of reads and lists. */
export const makeRxFactory = (
  client: GetClient,
  network: string,
  hold: <R extends Rx.Rx<Result.Result<unknown, unknown>>>(rx: R, held: CacheEntry) => R = attachEntry
): RxFactory => {
  const streams = ({ args, path, use = (sdk) => streamAt(sdk, path, args) }: KeyedCall<MakeStream>) =>
    streamWithClient(client, use)
  return {
    read: memoizeByCall(
      ({ args, key, path, use = (sdk) => effectAt(sdk, path, args, "read") }: KeyedCall<MakeEffect>) => {
        const held = new CacheEntry({ network, path, args }, `${network} ${key}`)
        return hold(
          makeCachedReadRx(held, (get) => withClient(client(get), use)),
          held
        )
      }
    ),
    live: memoizeByCall((call: KeyedCall<MakeStream>) => makeLatestRx(streams(call))),
    pages: memoizeByCall((call: KeyedCall<MakeStream>) => {
      const { args, path } = call
      const held = new CacheEntry({ network, path, args })
      // page by page, as they come
      const items = (get: Rx.Context) =>
        Stream.mapChunks(streams(call)(get), (page) => {
          held.hasAnswer = true
          return page
        })
      return hold(Rx.withServerValueInitial(Rx.pull(items)), held)
    })
  }
}

/** A write: it runs when it is set. The next call does not take it back. */
const makeWriteRx = (sdk: Sdk, path: string) =>
  Rx.fn((args: ReadonlyArray<unknown>) =>
    Effect.flatMap(Effect.forkDaemon(effectAt(sdk, path, args, "write")), Fiber.join)
  )

const liftGroup = (group: object, sdk: Sdk, derived: RxFactory, before: string): object =>
  Object.fromEntries(
    Object.entries(group).flatMap(([name, member]): ReadonlyArray<readonly [string, unknown]> => {
      const path = `${before}${name}`
      if (isObject(member)) return [[name, liftGroup(member, sdk, derived, `${path}.`)]]
      if (!isMethod(member)) return []
      if (isWrite(member)) return [[name, makeWriteRx(sdk, path)]]
      if ("live" in member) return [[name, (...args: ReadonlyArray<unknown>) => derived.live(path, args)]]
      return [
        [
          name,
          (...args: ReadonlyArray<unknown>) =>
            isStream(member(...args)) ? derived.pages(path, args) : derived.read(path, args)
        ]
      ]
    })
  )

/**
 * The Rx surface of a ready client. Equal arguments (by value, `bigint` and nested objects included) give the same Rx;
 * no request is sent before an Rx is looked at, or a write is set. Any registry will do.
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
  // what is called is found by its path, and its errors by the type below
  const whole = sdk as unknown as Sdk
  // the members follow the client by construction, which a mapped type cannot express for Object.fromEntries
  return liftGroup(
    client,
    whole,
    makeRxFactory(() => Effect.succeed({ sdk: whole, provideContext: (call) => call }), sdk.network),
    ""
  ) as Reactive<N, More>
}
