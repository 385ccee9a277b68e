"use client"

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Runtime from "effect/Runtime"
import * as React from "react"
import { makeHttp, type Sdk } from "../src/client/Sdk.js"
import type { SdkConfig } from "../src/config/Config.js"
import { claimDefinition, isDefinition, networkIdOf } from "../src/data/definedNetworks.js"
/**
 * The provider: from one configuration it makes a client for each network that a hook names.
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidConfig } from "../src/data/SdkError.js"
import { Http, type HttpService, makeFetch } from "../src/http/service.js"
import type { InitConfig } from "../src/promise.js"
import {
  cacheEntryOf,
  cacheRead,
  IDLE_TTL_MS,
  isBrowser,
  type RefetchTrigger,
  type ResultRx
} from "./CacheEntry.js"
import { type DehydratedAnswer, makeHydratable } from "./hydration.js"
import { makePoolRx, type NodePool } from "./NodePool.js"
import { type GetClient, makeRxFactory, type ReadyClient, type RxFactory, withClient } from "./Reactive.js"
import { type BlockHeight, makeBlockHeight } from "./Refresh.js"
import { listRx, Registry, RegistryContext, Result, Rx, scheduleTask } from "./reactivity.js"
import { delegateFunctions, isSameConfig } from "./stableConfig.js"
import type { DefaultConsistency, ReadDefaults } from "./types.js"
import { isEqual, toKey } from "./values.js"
import { makeWalletRx, type WalletState } from "./Wallet.js"

/**
 * The configuration of a provider: that of `init` for its own network. Other networks share it without the nodes, and have settings of
 * their own in `networks`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderConfig<N extends AnyNetwork = AnyNetwork>
  extends SdkConfig<N, DefaultConsistency>,
    Pick<InitConfig, "fetch"> {
  readonly networks?: { readonly [M in Network]?: Partial<Omit<SdkConfig<M, DefaultConsistency>, "network">> }
}

/**
 * The props of the provider.
 *
 * - `config`: compared by value, so that each render may make a new one. Its functions, such as `fetch`, are those of the last render.
 * - `layer`: sends the requests in place of `fetch`, and may add services for calls, such as a tracer. A new layer makes new clients.
 * - `initialValues`: answers that a server has read. They are used when the provider mounts.
 * - `defaults`: options of all hooks below the provider.
 *
 * @since 0.1.0
 * @category models
 */
export interface SdkProviderProps {
  readonly config: ProviderConfig
  readonly layer?: Layer.Layer<Http>
  readonly initialValues?: ReadonlyArray<DehydratedAnswer>
  readonly defaults?: ReadDefaults
  readonly children?: React.ReactNode
}

/** The configuration of a network's client. */
const toNetworkConfig = (
  { fetch: _fetch, network: ownNetwork, networks = {}, rpc = {}, ...common }: ProviderConfig,
  network: AnyNetwork
): SdkConfig<Network, DefaultConsistency> => {
  const { nodes: _nodes, ...sharedRpc } = rpc
  const id = networkIdOf(network)
  const settings: Readonly<
    Record<string, Partial<Omit<SdkConfig<AnyNetwork, DefaultConsistency>, "network">>>
  > = networks
  const { rpc: networkRpc, ...networkSettings } = settings[id] ?? {}
  return {
    ...common,
    ...networkSettings,
    // hooks take any network, and a definition's client is one of its family
    network: network as Network,
    rpc: { ...(id === networkIdOf(ownNetwork) ? rpc : sharedRpc), ...networkRpc }
  }
}

/** The client of a network as Rx: the client itself, its calls, its height, its nodes and the page's wallet. */
export interface NetworkClient extends RxFactory {
  /** The network's id. */
  readonly network: string
  readonly registry: Registry.Registry
  readonly ready: ResultRx<ReadyClient, InitError>
  readonly blocks: BlockHeight
  readonly pool: ResultRx<NodePool, InitError>
  readonly wallet: ResultRx<WalletState>
}

/**
 * The clients of a provider, by network. `registry` owns the clients and the cache: it makes the value of an Rx for its first subscriber, and
 * ends it some time after the last one, that of a read after its `gcTime`.
 */
export class ClientStore {
  /** The id of the provider's own network. */
  readonly network: string
  readonly registry = Registry.make({ scheduleTask, defaultIdleTTL: IDLE_TTL_MS })
  /** Cache keys of the reads that were hydrated. */
  readonly hydrated = new Set<string>()
  /** The configuration of the first render. */
  readonly firstConfig: ProviderConfig
  readonly #config: ProviderConfig
  #latest: ProviderConfig
  readonly #runtime: ResultRx<Runtime.Runtime<Http>, never>
  readonly #clients = new Map<string, NetworkClient>()
  readonly #keptAlive = new Map<string, () => void>()
  #isMounted = false
  #users = 0
  #resetTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    config: ProviderConfig,
    readonly layer?: Layer.Layer<Http>,
    readonly valuesKey = ""
  ) {
    this.network = networkIdOf(config.network)
    this.firstConfig = config
    this.#latest = config
    this.#config = delegateFunctions(config, () => this.#latest)
    const { fetch } = this.#config
    const makeFetchHttp = (): HttpService => ({ ...makeFetch(fetch), keepsDeadlines: true })
    this.#runtime = Rx.make(Layer.toRuntime(layer ?? Layer.sync(Http, makeFetchHttp)))
  }

  /** Whether these clients were made for a configuration equal to this one. */
  matches({ config, layer }: SdkProviderProps): boolean {
    return layer === this.layer && isSameConfig(this.firstConfig, config)
  }

  /** Takes the configuration of the last render, whose functions are called from now on. */
  setConfig(config: ProviderConfig): void {
    if (process.env.NODE_ENV !== "production" && !isEqual(this.#latest, config))
      warnOnce(
        "a render has made new functions for `config`: the clients stay, and call those of the last render"
      )
    this.#latest = config
  }

  /** The client of a network, made once. Throws `InvalidConfig` for a second definition with the same id. */
  clientFor(networkOrId: AnyNetwork | string): NetworkClient {
    // its nodes are checked when the client is made
    const issues = claimDefinition(networkOrId, [])
    if (issues.length > 0) throw new InvalidConfig({ issues })
    const id = isDefinition(networkOrId) ? networkOrId.id : networkOrId
    const existing = this.#clients.get(id)
    if (existing !== undefined) return existing
    // an unknown id fails when its client is made
    const network = id === this.network ? this.firstConfig.network : (networkOrId as AnyNetwork)
    const ready: NetworkClient["ready"] = Rx.make((get) =>
      Effect.flatMap(get.result(this.#runtime), (runtime) =>
        Effect.map(Effect.provide(makeHttp(toNetworkConfig(this.#config, network)), runtime), (sdk) => ({
          sdk,
          provide: (call) => (this.layer ? Effect.provide(call, runtime) : call)
        }))
      )
    )
    const getClient: GetClient = (get) => get.result(ready)
    const factory = makeRxFactory(getClient, id, (rx, cacheEntry) =>
      makeHydratable(cacheRead(rx, cacheEntry), cacheEntry)
    )
    const client: NetworkClient = {
      network: id,
      registry: this.registry,
      ready,
      blocks: makeBlockHeight(getClient, ready, id),
      pool: makePoolRx(ready),
      wallet: makeWalletRx(factory),
      ...factory
    }
    this.#clients.set(id, client)
    return client
  }

  /** Adds answers of a server or of an earlier visit to the cache. Reads that a component has observed keep their own. */
  hydrate(values: ReadonlyArray<DehydratedAnswer>): void {
    for (const { key, value } of values) {
      this.hydrated.add(key)
      if (!this.registry.getNodes().has(key)) this.registry.setSerializable(key, value)
    }
  }

  /** Runs an effect once with a network's client, which lives until the effect has ended. */
  run<A, E>(network: string, use: (sdk: Sdk) => Effect.Effect<A, E>): Effect.Effect<A, E | InitError> {
    return Effect.suspend(() => {
      const { ready } = this.clientFor(network)
      const release = this.retain(this.registry.mount(ready))
      const readyClient = Effect.async<ReadyClient, InitError>((resume) => {
        void this.settle(ready).then((result) => {
          if (Result.isSuccess(result)) resume(Effect.succeed(result.value))
          else if (Result.isFailure(result)) resume(Effect.failCause(result.cause))
        })
      })
      return Effect.ensuring(withClient(readyClient, use), Effect.sync(release))
    })
  }

  /** Waits until no request of a read is in flight, and returns its result. `isRefetched` refetches it first. The clients live until then. */
  async settle<A, E>(rx: Rx.Rx<Result.Result<A, E>>, isRefetched = false): Promise<Result.Result<A, E>> {
    let release = (): void => {}
    const answer = await new Promise<Result.Result<A, E>>((resolve) => {
      const onResult = (result: Result.Result<A, E>): void => {
        if (!result.waiting) resolve(result)
      }
      release = this.retain(this.registry.subscribe(rx, onResult))
      if (isRefetched) this.registry.refresh(rx)
      onResult(this.registry.get(rx))
    })
    // after the notification: rx 0.42 skips the next subscriber when one unsubscribes during it
    release()
    return answer
  }

  /**
   * Counts a user of the clients. Returns the function that stops and releases it. When the last one is released, the registry is reset: it
   * misses some Rx.
   */
  retain(stop: () => void): () => void {
    clearTimeout(this.#resetTimer)
    this.#users++
    return () => {
      stop()
      if (--this.#users === 0)
        this.#resetTimer = setTimeout(() => {
          this.registry.reset()
          // the first reset gives an idle timer to each Rx that only another Rx used, and the second one clears these timers
          this.registry.reset()
        }, IDLE_TTL_MS)
    }
  }

  /** Keeps a network's client alive between calls, as long as the provider is mounted. */
  keepAlive(network: string): void {
    if (!this.#keptAlive.has(network))
      this.#keptAlive.set(network, this.registry.mount(this.clientFor(network).ready))
  }

  /** Mounts a provider, and returns the function that unmounts it. Undefined if another provider has mounted them: this one needs others. */
  mount(): (() => void) | undefined {
    clearTimeout(unmountedClients.get(this))
    unmountedClients.delete(this)
    if (this.#isMounted) return undefined
    this.#isMounted = true
    const release = this.retain(this.#watch())
    this.keepAlive(this.network)
    return () => {
      this.#isMounted = false
      release()
      for (const stop of this.#keptAlive.values()) stop()
      this.#keptAlive.clear()
    }
  }

  /** Tells the observers of all reads when the page becomes visible, and when the browser is online again. */
  #watch(): () => void {
    const notifyObservers = (trigger: RefetchTrigger): void => {
      for (const rx of listRx(this.registry))
        for (const observer of cacheEntryOf(rx)?.observers ?? []) observer.onTrigger(trigger)
    }
    const onVisible = (): void => {
      if (document.visibilityState !== "hidden") notifyObservers("refetchOnFocus")
    }
    const onReconnect = (): void => notifyObservers("refetchOnReconnect")
    document.addEventListener("visibilitychange", onVisible)
    window.addEventListener("online", onReconnect)
    return () => {
      document.removeEventListener("visibilitychange", onVisible)
      window.removeEventListener("online", onReconnect)
    }
  }

  /** New clients of the same configuration. */
  renew(): ClientStore {
    return new ClientStore(this.#latest, this.layer)
  }
}

/**
 * Clients whose provider has not mounted yet. React drops the state of a component that suspends before it mounts, and renders it from the
 * start. It must then find the clients that it waits for.
 */
const unmountedClients = new Map<ClientStore, ReturnType<typeof setTimeout>>()

/** How long clients wait for their provider to mount, in milliseconds: longer than any call takes. */
const UNMOUNTED_TTL_MS = 60_000

const findOrMakeClients = (props: SdkProviderProps): ClientStore => {
  const { config, initialValues = [], layer } = props
  const valuesKey = toKey(initialValues)
  for (const clients of unmountedClients.keys()) {
    if (clients.matches(props) && clients.valuesKey === valuesKey) return clients
  }
  const clients = new ClientStore(config, layer, valuesKey)
  clients.hydrate(initialValues)
  // a server must share nothing between its requests
  if (isBrowser)
    unmountedClients.set(
      clients,
      setTimeout(() => unmountedClients.delete(clients), UNMOUNTED_TTL_MS)
    )
  return clients
}

const reportedProblems = new Set<string>()

/** Warns a developer once of a problem that makes the page slower. */
const warnOnce = (problem: string): void => {
  if (reportedProblems.has(problem)) return
  reportedProblems.add(problem)
  console.warn(`SdkProvider: ${problem}. Make it outside of the component, or with useMemo`)
}

/** Whether two configurations have the same fields, with values of the same types: then they are likely meant to be equal. */
const differsByIdentityOnly = ({ firstConfig }: ClientStore, { config }: SdkProviderProps): boolean =>
  isEqual(firstConfig, config, (one, other) => typeof one === typeof other)

const ClientsContext = React.createContext<ClientStore | undefined>(undefined)

const noDefaults: ReadDefaults = {}

const DefaultsContext = React.createContext(noDefaults)

/**
 * Gives the hooks below it their clients: one for each network that they name, made on demand. The clients end soon after the provider has
 * unmounted.
 *
 * ```tsx
 * <SdkProvider config={{ network: "ethereum-mainnet", apiKey }}>
 *   <App />
 * </SdkProvider>
 * ```
 *
 * @since 0.1.0
 * @category components
 */
export const SdkProvider = (props: OnThisEffect<SdkProviderProps>): React.ReactElement => {
  const { children, config, layer } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by value
  const defaults = React.useMemo(() => props.defaults ?? noDefaults, [toKey(props.defaults)])
  const [state, setClients] = React.useState(() => findOrMakeClients(props))
  const clients = state.matches(props) ? state : new ClientStore(config, layer)
  if (clients !== state) {
    if (process.env.NODE_ENV !== "production" && differsByIdentityOnly(state, props))
      warnOnce(
        "a render has brought another `layer`, or another object in `config`, and makes new clients for it"
      )
    setClients(clients)
  }
  React.useInsertionEffect(() => {
    clients.setConfig(config)
  })
  React.useEffect(() => {
    const release = clients.mount()
    if (release === undefined) setClients(clients.renew())
    return release
  }, [clients])
  return (
    <ClientsContext.Provider value={clients}>
      <DefaultsContext.Provider value={defaults}>
        <RegistryContext.Provider value={clients.registry}>{children}</RegistryContext.Provider>
      </DefaultsContext.Provider>
    </ClientsContext.Provider>
  )
}

/** The provider's default options of reads. */
export const useReadDefaults = (): ReadDefaults => React.useContext(DefaultsContext)

/** The provider's clients. */
export const useClients = (): ClientStore => {
  const clients = React.useContext(ClientsContext)
  if (!clients) throw new Error("No SdkProvider above")
  return clients
}

/**
 * Hydrates a part of the page, as `initialValues` hydrates all of it. An answer that a component shows already stays.
 *
 * @since 0.1.0
 * @category components
 */
export const HydrationBoundary = ({
  children,
  values
}: {
  readonly values: ReadonlyArray<DehydratedAnswer>
  readonly children?: React.ReactNode
}): React.ReactNode => {
  const clients = useClients()
  React.useMemo(() => clients.hydrate(values), [clients, values])
  return children
}

/** The client of a network. The provider keeps it alive from now on. */
export const useNetworkClient = (network?: AnyNetwork): NetworkClient => {
  const clients = useClients()
  const client = clients.clientFor(network ?? clients.network)
  const id = client.network
  React.useEffect(() => clients.keepAlive(id), [clients, id])
  return client
}
