/**
 * The Rx surface, derived from a client: reads as values that are fetched when they are looked at, writes that run when
 * they are called, streams as their latest item or page by page. It needs no React.
 *
 * @since 0.1.0
 */
import { Result, Rx } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Effectful } from "../src/Client.js"
import type { Network } from "../src/Network.js"
import type { RpcOf, Sdk } from "../src/Sdk.js"
import { type InitError, InvalidArgument } from "../src/SdkError.js"
import type { catalogue, MethodKind, Services } from "../src/Services.js"
import { named } from "./hydration.js"
import { keyOf, shared } from "./values.js"

/**
 * What hooks and Rx can reach of a network's client: its nodes and services, by name. Of no network in particular, that is
 * every service, and what the nodes of all networks have in common.
 *
 * @since 0.1.0
 * @category types
 */
export type ClientOf<N extends Network> = [Network] extends [N]
  ? { readonly rpc: RpcOf<N> } & Services
  : Omit<Sdk<N>, "network" | "nodes">

type Callable = (...args: never) => unknown

/** The part of the catalogue that a member has, or nothing: the functions of nodes are marked instead. */
type Entry<K, M> = M extends keyof K ? K[M] : unknown

type KindOf<F, K> = K extends MethodKind
  ? K
  : F extends Effectful
    ? "write"
    : F extends (...args: never) => Effect.Effect<infer _A, infer _E>
      ? "read"
      : F extends (...args: never) => Stream.Stream<infer _A, infer _E>
        ? "live"
        : never

type Lifted<F, Kind> = F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
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
    ? Lifted<C[M], KindOf<C[M], Entry<K, M>>>
    : Lift<C[M], Entry<K, M>>
}

/**
 * The Rx surface of a network's client. A read and a live stream are functions to an Rx of a `Result` with the method's own
 * errors, a write is an `Rx.fn` of the tuple of its arguments, a list by pages is an `Rx.pull`.
 *
 * @since 0.1.0
 * @category types
 */
export type Reactive<N extends Network = Network> = Lift<ClientOf<N>, typeof catalogue>

type PathsIn<C, K, Kind, Before extends string> = {
  [M in keyof C & string]: C[M] extends Callable
    ? KindOf<C[M], Entry<K, M>> extends Kind
      ? `${Before}${M}`
      : never
    : PathsIn<C[M], Entry<K, M>, Kind, `${Before}${M}.`>
}[keyof C & string]

/**
 * The methods of a kind that a network's client has, as dotted paths: `"address.getBalance"`, `"rpc.beacon.v1.getGenesis"`.
 *
 * @since 0.1.0
 * @category types
 */
export type Path<N extends Network, Kind extends MethodKind> = string &
  PathsIn<ClientOf<N>, typeof catalogue, Kind, "">

type At<C, P> = P extends `${infer Head}.${infer Rest}`
  ? Head extends keyof C
    ? At<C[Head], Rest>
    : never
  : P extends keyof C
    ? C[P]
    : never

/**
 * The method at a dotted path of a network's client.
 *
 * @since 0.1.0
 * @category types
 */
export type Method<N extends Network, P extends string> = At<ClientOf<N>, P>

/** A path and its arguments, by value. */
class Call implements Equal.Equal {
  readonly key: string
  constructor(
    readonly path: string,
    readonly args: ReadonlyArray<unknown>
  ) {
    this.key = `${path} ${keyOf(args)}`
  }
  [Equal.symbol](that: unknown): boolean {
    return that instanceof Call && that.key === this.key
  }
  [Hash.symbol](): number {
    return Hash.string(this.key)
  }
}

type Member = (...args: ReadonlyArray<unknown>) => unknown

const isMethod = (value: unknown): value is Member => typeof value === "function"

const isGroup = (value: unknown): value is object => typeof value === "object" && value !== null

/** What the client has at a path. */
const memberOf = (client: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (group, name) => (isGroup(group) && Object.hasOwn(group, name) ? Reflect.get(group, name) : undefined),
      client
    )

/** Whether a function of a client may have an effect. */
const isWrite = (method: Member): boolean => "repeat" in method

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown> => Effect.isEffect(value)

const isStream = (value: unknown): value is Stream.Stream<unknown, unknown> =>
  typeof value === "object" && value !== null && Stream.StreamTypeId in value

const refused = (path: string, reason: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call: path, reason }))

/** How reads find a client that may have to be made first. */
export type Reads = (
  get: Pick<Rx.Context, "result">
) => <A, E>(use: (sdk: Sdk) => Effect.Effect<A, E>) => Effect.Effect<A, E | InitError>

/** Calls the method at a path, which must be of one of the two sorts. */
export const effectAt = (
  client: Sdk,
  path: string,
  args: ReadonlyArray<unknown>,
  sort: "read" | "write"
): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    const method = memberOf(client, path)
    if (!isMethod(method)) return refused(path, "the client of this network has no such method")
    if (isWrite(method) !== (sort === "write")) return refused(path, `it is no ${sort}`)
    const made = method(...args)
    return isEffect(made) ? made : refused(path, "it has no single answer")
  })

const streamAt = (
  client: Sdk,
  path: string,
  args: ReadonlyArray<unknown>
): Effect.Effect<Stream.Stream<unknown, unknown>, unknown> =>
  Effect.suspend(() => {
    const method = memberOf(client, path)
    const made = isMethod(method) ? method(...args) : undefined
    return isStream(made) ? Effect.succeed(made) : refused(path, "it yields no stream")
  })

/** The latest item of a stream: never waiting once there is one, and kept when the stream fails. */
export const latest = <A, E>(stream: (get: Rx.Context) => Stream.Stream<A, E>): Rx.Rx<Result.Result<A, E>> =>
  Rx.withServerValueInitial(
    Rx.readable((get) => {
      const before = get.self<Result.Result<A, E>>()
      let open = true
      const fiber = Effect.runFork(
        Stream.runForEach(stream(get), (item) =>
          Effect.sync(() => {
            if (open) get.setSelf(Result.success<A, E>(item))
          })
        )
      )
      fiber.addObserver((exit) => {
        if (open && Exit.isFailure(exit)) {
          get.setSelf(Result.failureWithPrevious(exit.cause, { previous: get.self<Result.Result<A, E>>() }))
        }
      })
      get.addFinalizer(() => {
        open = false
        fiber.unsafeInterruptAsFork(fiber.id())
      })
      return Result.waitingFrom(before)
    })
  )

/** Every Rx of what a client reads by the path of its method, each made once as long as somebody has it. */
export interface Derived {
  readonly read: (path: string, args: ReadonlyArray<unknown>) => Rx.Rx<Result.Result<unknown, unknown>>
  readonly live: (path: string, args: ReadonlyArray<unknown>) => Rx.Rx<Result.Result<unknown, unknown>>
  readonly pages: (
    path: string,
    args: ReadonlyArray<unknown>
  ) => Rx.Writable<Rx.PullResult<unknown, unknown>, void>
}

/** An answer once, and again when it is refreshed: one that is equal to the last is the last. Servers do not ask for it. */
export const once = <A, E>(read: (get: Rx.Context) => Effect.Effect<A, E>): Rx.Rx<Result.Result<A, E>> =>
  Rx.withServerValueInitial(
    Rx.make((get) => {
      const before = Option.flatMap(get.self<Result.Result<A, E>>(), Result.value)
      return Effect.map(read(get), (answer) => shared(before, answer))
    })
  )

/** Derives the Rx of a client of a network; `as` may do something about those of reads. */
export const derive = (
  client: Reads,
  network: Network,
  as: <R extends object>(rx: R) => R = (rx) => rx
): Derived => {
  const streams =
    ({ args, path }: Call) =>
    (get: Rx.Context) =>
      Stream.unwrap(client(get)((sdk) => streamAt(sdk, path, args)))
  const reads = Rx.family(({ args, key, path }: Call) =>
    as(
      named(
        once((get) => client(get)((sdk) => effectAt(sdk, path, args, "read"))),
        network,
        key
      )
    )
  )
  const lives = Rx.family((call: Call) => latest(streams(call)))
  const lists = Rx.family((call: Call) => Rx.withServerValueInitial(Rx.pull(streams(call))))
  return {
    read: (path, args) => reads(new Call(path, args)),
    live: (path, args) => lives(new Call(path, args)),
    pages: (path, args) => lists(new Call(path, args))
  }
}

/** A write: it runs when it is set. The next call does not take it back. */
const writing = (sdk: Sdk, path: string) =>
  Rx.fn((args: ReadonlyArray<unknown>) =>
    Effect.flatMap(Effect.forkDaemon(effectAt(sdk, path, args, "write")), Fiber.join)
  )

const lift = (group: object, sdk: Sdk, derived: Derived, before: string): object =>
  Object.fromEntries(
    Object.entries(group).flatMap(([name, member]): ReadonlyArray<readonly [string, unknown]> => {
      const path = `${before}${name}`
      if (isGroup(member)) return [[name, lift(member, sdk, derived, `${path}.`)]]
      if (!isMethod(member)) return []
      if (isWrite(member)) return [[name, writing(sdk, path)]]
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
 * nothing is asked before an Rx is looked at, and nothing is sent before a write is set. It may be used with any registry.
 *
 * ```ts
 * const { address } = reactive(sdk)
 * registry.subscribe(address.getBalance({ address: "0x…" }), show, { immediate: true })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const reactive = <N extends Network>(sdk: Sdk<N>): Reactive<N> => {
  const { network: _network, nodes: _nodes, ...client } = sdk
  const whole: Sdk = sdk
  // the members follow the client by construction, which a mapped type cannot express for Object.fromEntries
  return lift(
    client,
    whole,
    derive(() => (use) => use(whole), sdk.network),
    ""
  ) as Reactive<N>
}
