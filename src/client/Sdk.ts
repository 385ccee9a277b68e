/**
 * Makes the client of a network on the Effect surface, and its layers.
 *
 * @since 0.1.0
 */

import type * as HttpClient from "@effect/platform/HttpClient"
import * as EffectConfig from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ClientFamily } from "../balancer/Family.js"
import { NodePool } from "../balancer/NodePool.js"
import { type AnyNetworkOf, loadFamily } from "../chains/registry.js"
import * as SdkConfig from "../config/Config.js"
import { type ClientEnvironment, readEnvironment } from "../config/environment.js"
import { Logger } from "../config/Logger.js"
import { findCallOptionsProblem } from "../config/optionChecks.js"
import { makeInvalidConfig } from "../config/resolveConfig.js"
import { networkIdOf } from "../data/definedNetworks.js"
import { makeDestroyedError } from "../data/destroyed.js"
import type { Chosen } from "../data/Endpoint.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { type AnyNetwork, type FamilyId, type IdOf, type Network, table } from "../data/Network.js"
import type { InitError, LoadError } from "../data/SdkError.js"
import { type Http, layerPlatform } from "../http/Http.js"
import type { Gateway } from "../services/Gateway.js"
import { makeServices } from "../services/internal/load.js"
import type { ServicesOf } from "../services/Services.js"
import type { WalletProvider } from "../services/WalletProvider.js"
import type { WithSubscriptions } from "../subscriptions/Subscription.js"
import type { WithErrors } from "../transport/Client.js"
import { allSpans, withServiceSpan } from "../transport/ClientSpans.js"
import { layers } from "../transport/layersOnDemand.js"
import { ifTraced } from "../transport/Spans.js"
import { AsEffectRequest } from "../wire/effectRequest.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type EnterBatch,
  Transport,
  type TransportService
} from "../wire/Transport.js"
import type { AdaptersOf } from "./adapters/Adapter.js"
import { makeAdapters } from "./adapters/lazyAdapters.js"
import { makeAllNetworksSource } from "./allNetworks.js"
import { type CallScope, makeScopedParts, type Scoped } from "./callScope.js"
import {
  type Families,
  loadCheckedFamily,
  makeFamilySource,
  type RpcSdk,
  type WrapTransport
} from "./clientParts.js"
import { type MakeRpc, makeEffectClient, withObservability } from "./effectSurface.js"
import { checkExtensions, type ExtendedParts, type GetHandle } from "./extendedClient.js"
import { makeSubscribe, pinFilters } from "./lazySubscriptions.js"
import { loadExtensions, loadService, loadStreams } from "./serviceLoaders.js"

export {
  type AnyNetworkOf,
  type Clients,
  loadFamily,
  type NetworkOf,
  type RpcOf
} from "../chains/registry.js"
export { supports } from "../data/Coverage.js"
export type { Families, LoadFamily, RpcSdk } from "./clientParts.js"
export type { MakeRpc } from "./effectSurface.js"

/**
 * The client of a network on the Effect surface: the calls of its nodes, their subscriptions, and the services of the
 * network. `More` are the further errors of reads: `BlockNotReached`, with `consistency: "monotonic"`.
 *
 * @since 0.1.0
 * @category types
 */
export type Sdk<N extends AnyNetwork = Network, More = never> = RpcSdk<N, More> &
  WithErrors<ServicesOf<N>, More> & {
    /** Calls of the network's nodes, subscriptions, and adapters for other libraries. */
    readonly rpc: WithErrors<WithSubscriptions<N>, More> & AdaptersOf<N>
    /** Returns what the `init` of an extension returned. Give the object that is in the configuration. */
    readonly extension: GetHandle
  }

/**
 * Makes the client of a network, for as long as the scope lasts. `Client` is what sends its requests.
 *
 * @since 0.1.0
 * @category types
 */
export type Make<N extends AnyNetwork, Client = HttpClient.HttpClient> = <
  M extends N,
  C extends SdkConfig.Consistency = "eventual"
>(
  config: OnThisEffect<SdkConfig.SdkConfig<M, C, DurationInput>>
) => Effect.Effect<Sdk<M, SdkConfig.ConsistencyError<C>>, InitError, Client | Scope.Scope>

/**
 * Makes Effect clients of the given families, without services: for builds without code splitting. Import families
 * from `./effect/chains/*`. Fails with `InvalidConfig` for a network of another family.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = <F extends FamilyId>(families: Families<F>): MakeRpc<AnyNetworkOf<F>> =>
  makeEffectClient(makeFamilySource(families, table, layers))

/** Counts the end of a read that is part of a batch, once, as the transport counts that of others. */
const countEnd =
  (enter: EnterBatch, onCallEnd: NonNullable<TransportService["onCallEnd"]>): EnterBatch =>
  (resume) => {
    let isCounted = false
    const count = (exit: Exit.Exit<unknown, unknown>): void => {
      if (!isCounted) onCallEnd(exit)
      isCounted = true
    }
    const leave = enter((outcome) => {
      if (!Exit.isExit(outcome))
        return resume(Effect.onExit(outcome, (exit) => Effect.sync(() => count(exit))))
      count(outcome)
      return resume(outcome)
    })
    return Effect.withFiberRuntime((fiber) => {
      count(Exit.interrupt(fiber.id()))
      return leave
    })
  }

/**
 * Pins filters to their nodes, and makes reads requests of Effect inside `CallOptions.withBatching`. A read that has no span enters its batch
 * at once: this takes a third of the steps that `send` takes.
 */
const wrapTransport: WrapTransport = (inner, makeCalls) => {
  const filtered = pinFilters(inner, makeCalls)
  const { highestSeen, joinBatch, onCallEnd } = filtered
  // what the layers would do besides has to be ruled out. It is asked here, since the Promise surface, which shares the layers, has no such reads
  const enterOf = (call: Call<unknown>, options: CallOptionsShape): EnterBatch | undefined => {
    const { coalesce, minBlock, quorum } = options
    if (
      coalesce === true ||
      (minBlock ?? quorum ?? highestSeen?.()) !== undefined ||
      findCallOptionsProblem(options) !== undefined
    )
      return undefined
    const enter = joinBatch?.(call, options)
    return enter === undefined || onCallEnd === undefined ? enter : countEnd(enter, onCallEnd)
  }
  return {
    ...filtered,
    send: <A>(call: Call<A>): Effect.Effect<A, CallError> =>
      call.repeat !== "read" || call.id === undefined
        ? filtered.send(call)
        : Effect.contextWithEffect((context: Context.Context<never>) => {
            const read = filtered.send(call)
            const enter = enterOf(call, Context.get(context, CallOptions))
            const asRequest = Context.get(context, AsEffectRequest)
            if (enter === undefined && asRequest === undefined) return read
            // the answer is that of the call's own decoder, which a request or a batch of any reads cannot say in its type
            return (
              asRequest === undefined
                ? enter &&
                  ifTraced<unknown, CallError, never>(
                    () => Effect.async(enter),
                    () => read
                  )
                : asRequest(read, enter)
            ) as Effect.Effect<A, CallError>
          })
  }
}

const allNetworks = /*#__PURE__*/ makeAllNetworksSource(loadExtensions, wrapTransport)

/** Makes the parts of a client over services from the context. */
const joinParts = (
  network: AnyNetwork
): Effect.Effect<
  Scoped<ExtendedParts>,
  InitError,
  SdkConfig.Config | Logger | Http | NodePool | Transport | Scope.Scope
> =>
  Effect.gen(function* () {
    const config = yield* SdkConfig.Config
    const id = networkIdOf(network)
    if (config.network !== id) {
      const message = `is ${config.network}, and the client is one of ${id}: give each client a configuration of its own`
      return yield* makeInvalidConfig("network", message)
    }
    const family = yield* loadCheckedFamily(
      yield* checkExtensions(config, loadExtensions),
      yield* Logger,
      loadFamily
    )
    // services find optional ones, such as a gateway or a wallet, in the context
    const context = Context.add(
      yield* Effect.context<SdkConfig.Config | Logger | Http>(),
      ClientFamily,
      family
    )
    const pool = yield* NodePool
    const credits = () => Effect.sync(() => pool.credits?.())
    const connected = { context, family, pool, transport: yield* Transport, credits }
    return yield* makeScopedParts(connected, allNetworks.makeParts)
  })

/** Makes a stream that ends with the client: each of its pulls is a call. */
const scopeStream =
  (callScope: CallScope) =>
  (stream: Effect.Effect<Stream.Stream<unknown, Error>, Error>): Stream.Stream<unknown, Error> =>
    Stream.fromPull(
      Effect.map(Stream.toPull(Stream.unwrap(callScope.run(stream))), (pull) =>
        callScope.runOr(pull, () => Option.some(makeDestroyedError()))
      )
    )

/** Makes the client over its parts. */
const makeSdk = <M extends AnyNetwork, C extends SdkConfig.Consistency>(
  parts: Scoped<ExtendedParts>
): Sdk<M, SdkConfig.ConsistencyError<C>> => {
  const { run } = parts.callScope
  const stream = scopeStream(parts.callScope)
  const client = {
    ...parts.sdk,
    extension: parts.extension,
    ...makeServices(
      parts.context,
      loadService
    )({
      call: (effect, name) => run(withServiceSpan(name, parts.sdk.network, effect)),
      stream: (method, args) =>
        stream(Effect.map(method, (call) => call(...args) as Stream.Stream<unknown, Error>))
    }),
    rpc: {
      ...parts.sdk.rpc,
      ...makeSubscribe(parts, loadStreams)(stream),
      // raw calls end with the client
      ...makeAdapters(parts)((call) => call)
    }
  }
  // the facades have the methods of the catalogues, which the compiler checks against the interfaces; the errors that the
  // configuration brings are in the type alone
  return client as unknown as Sdk<M, SdkConfig.ConsistencyError<C>>
}

/**
 * Like {@link make}, over an `Http` of your own, or one that is faster than a platform's client: `Http.layerUndici`.
 *
 * ```ts
 * const sdk = yield* Sdk.makeHttp({ network: "ethereum-mainnet" }).pipe(Effect.provide(Http.layerUndici))
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeHttp: Make<AnyNetwork, Http> = /*#__PURE__*/ makeEffectClient(() => allNetworks, {
  toClient: makeSdk,
  tracing: allSpans
})

/**
 * Makes the client of a network, over your program's `HttpClient`. Its type follows from the network's id. It lives as
 * long as the scope: then calls in flight are interrupted, and those and later ones fail with `Aborted`. Several clients
 * share only `HttpClient`. Fails if the configuration is invalid, the network unknown or an extension refused;
 * unreachable nodes do not fail it.
 *
 * ```ts
 * const sdk = yield* Sdk.make({ network: "ethereum-mainnet" })
 * const height = yield* sdk.rpc.blockNumber()
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Make<AnyNetwork> = (config) => Effect.provide(makeHttp(config), layerPlatform)

/**
 * The services of a client. Each has a layer in the module of its name (`NodePool.layer`, and so on) that needs those
 * before it.
 *
 * @since 0.1.0
 * @category services
 */
export type Dependencies = SdkConfig.Config | Logger | Http | NodePool | Transport | Gateway | WalletProvider

/**
 * The family of the configuration's network, with which {@link NodePool} checks nodes.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFamily: Layer.Layer<ClientFamily, LoadError, SdkConfig.Config> = /*#__PURE__*/ Layer.effect(
  ClientFamily,
  /*#__PURE__*/ Effect.flatMap(SdkConfig.Config, ({ info }) => loadFamily(info.family))
)

/** The layer of a client whose options come from the environment, and from the code, whose options win. */
const layerEnvironment = <A, R, Options extends object>(
  prefix: string,
  own: Options,
  makeLayer: (options: ClientEnvironment["options"] & Options) => Layer.Layer<A, InitError, R>
): Layer.Layer<A, InitError | ConfigError, R> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { options, provider, renameIssues, unread } = yield* readEnvironment(prefix)
      const all = { ...options, ...own }
      const hasNodes = "rpc" in all || "provider" in all
      if (unread.length > 0 && !hasNodes && options.quiet !== true) {
        yield* Effect.logWarning(
          `There are no nodes in ${prefix}_NODES, so the client takes the provider's. Not read: ${unread.join(", ")}`
        )
      }
      return makeLayer(all).pipe(
        Layer.provide(Layer.setConfigProvider(provider)),
        Layer.mapError((error) => (error._tag === "InvalidConfig" ? renameIssues(error, own) : error))
      )
    })
  )

/**
 * The service of one client. `layer` takes an object, `layerConfig` an object of `Config`s, `layerEnv` the
 * environment (`SdkConfig.fromEnvironment`, which the object overrides; `prefix` replaces `TATUM` in the names of
 * variables, so that each network has its own), and `layerHttp` takes `Http` from the context. These make the parts
 * of the client themselves; `layerWithoutDependencies` takes all of them from the context, so that you can replace
 * any.
 *
 * @since 0.1.0
 * @category types
 */
export interface TagClass<
  Self,
  Id extends string,
  N extends AnyNetwork,
  C extends SdkConfig.Consistency = "eventual"
> extends Context.TagClass<
    Self,
    `effect-chains/Sdk/${IdOf<N>}/${Id}`,
    Sdk<N, SdkConfig.ConsistencyError<C>>
  > {
  readonly network: N
  readonly layer: (
    config?: Omit<SdkConfig.SdkConfig<N, C, DurationInput>, "network">
  ) => Layer.Layer<Self, InitError, HttpClient.HttpClient>
  readonly layerConfig: (
    config: EffectConfig.Config.Wrap<Omit<SdkConfig.SdkConfig<N, C, DurationInput>, "network">>
  ) => Layer.Layer<Self, InitError | ConfigError, HttpClient.HttpClient>
  readonly layerEnv: (
    config?: Omit<SdkConfig.SdkConfig<N, C, DurationInput>, "network"> & { readonly prefix?: string }
  ) => Layer.Layer<Self, InitError | ConfigError, HttpClient.HttpClient>
  readonly layerHttp: (
    config?: Omit<SdkConfig.SdkConfig<N, C, DurationInput>, "network">
  ) => Layer.Layer<Self, InitError, Http>
  readonly layerWithoutDependencies: Layer.Layer<Self, InitError, Dependencies>
}

/**
 * Makes the class of a service that is a client. The key has the network and the id, so that a program can have
 * several networks, and several clients of one network. `Tag("Eth", network)<Eth, "monotonic">()` is a client with
 * this `consistency`, whose reads can fail with `BlockNotReached`.
 *
 * ```ts
 * class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
 * const live = Eth.layer({ apiKey }).pipe(Layer.provide(NodeHttpClient.layerUndici))
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const Tag =
  <const Id extends string, const N extends AnyNetwork>(id: Id, network: OnThisEffect<N>) =>
  <Self, C extends SdkConfig.Consistency = "eventual">(): TagClass<Self, Id, N, C> => {
    const tag = Context.Tag(`effect-chains/Sdk/${networkIdOf(network) as IdOf<N>}/${id}` as const)<
      Self,
      Sdk<N, SdkConfig.ConsistencyError<C>>
    >()
    type Options = Omit<SdkConfig.SdkConfig<N, C, DurationInput>, "network">
    const layerHttp = (config?: Options): Layer.Layer<Self, InitError, Http> =>
      Layer.scoped(tag, makeHttp<N, C>({ ...config, network }))
    return Object.assign(tag, {
      network,
      layerHttp,
      layerWithoutDependencies: Layer.scoped(
        tag,
        Effect.map(withObservability(joinParts(network), allSpans), makeSdk<N, C>)
      ),
      layer: (config?: Options) => layer<Self, N, C>(tag, { ...config, network }),
      layerConfig: (config: EffectConfig.Config.Wrap<Options>) =>
        Layer.unwrapEffect(
          Effect.map(EffectConfig.unwrap(config), (options) =>
            layer<Self, N, C>(tag, { ...options, network })
          )
        ),
      layerEnv: ({ prefix = "TATUM", ...config }: Options & { readonly prefix?: string } = {}) =>
        layerEnvironment(prefix, config, (options) => layer<Self, N, C>(tag, { ...options, network }))
    })
  }

/**
 * The layer of a client under your own tag, over the HttpClient that you provide.
 *
 * ```ts
 * class Chain extends Context.Tag("app/Chain")<Chain, Sdk.Sdk<"polygon-mainnet">>() {}
 * const live = Sdk.layer(Chain, { network: "polygon-mainnet" })
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <Self, N extends AnyNetwork, C extends SdkConfig.Consistency = "eventual">(
  tag: Context.Tag<Self, Sdk<N, SdkConfig.ConsistencyError<C>>>,
  config: OnThisEffect<SdkConfig.SdkConfig<N, C, DurationInput>>
): Layer.Layer<Self, InitError, HttpClient.HttpClient> => Layer.scoped(tag, make<N, C>(config))

/**
 * A part of a client's members, at any depth.
 *
 * @since 0.1.0
 * @category types
 */
export type PartialMembers<A> =
  A extends Chosen<infer Args, infer _I, infer _Usual, infer H, infer E>
    ? (...args: Args) => Effect.Effect<H["answer"], E>
    : A extends ((...args: never) => unknown) | Effect.Effect<unknown, unknown, unknown>
      ? A
      : { readonly [K in keyof A]?: PartialMembers<A[K]> }

/**
 * Whether Effect's runtime reads this property. A missing member takes it from an effect that dies, so that `yield*` and
 * `pipe` work on it.
 */
const isEffectMember = (name: string | symbol): boolean =>
  typeof name === "symbol" || /^(_op|effect_instruction_i\d|pipe|toString|toJSON)$/.test(name)

/** Makes a member that the test did not give. Any use of it dies with its name. */
const makeMissingMember = (path: string): unknown => {
  const death = Effect.dieMessage(`Sdk.layerTest: ${path} is used, and the test gives no such member`)
  return new Proxy(() => death, {
    get: (_, name) => {
      if (isEffectMember(name)) return Reflect.get(death, name)
      // no promise
      return name === "then" ? undefined : makeMissingMember(`${path}.${String(name)}`)
    }
  })
}

const isMemberGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Adds members that die in place of those that were not given. */
const completeMembers = (given: object, path: string): unknown =>
  // proxy a copy: a proxy must return the real value of a frozen property
  new Proxy(
    { ...given },
    {
      get: (_, name) => {
        const value: unknown = Reflect.get(given, name)
        const within = path === "" ? String(name) : `${path}.${String(name)}`
        if (isMemberGroup(value)) return completeMembers(value, within)
        return value !== undefined || typeof name === "symbol" || name === "then"
          ? value
          : makeMissingMember(within)
      }
    }
  )

/** The network of a tag. */
const getTagNetwork = (tag: object): unknown => {
  const network: unknown = Reflect.get(tag, "network")
  return Reflect.get(Object(network), "id") ?? network
}

/**
 * The layer of a test double of a client. It has the members that the test gives; a use of any other member dies with
 * its name. Nothing is sent.
 *
 * ```ts
 * class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
 * const test = Sdk.layerTest(Eth, { rpc: { getBalance: () => Effect.succeed(1n) } })
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerTest = <Self, N extends AnyNetwork, More = never>(
  tag: Context.Tag<Self, Sdk<N, More>>,
  members: PartialMembers<Sdk<N, More>>
): Layer.Layer<Self> =>
  // a member that is not given dies where it is used
  Layer.succeed(tag, completeMembers({ network: getTagNetwork(tag), ...members }, "") as Sdk<N, More>)
