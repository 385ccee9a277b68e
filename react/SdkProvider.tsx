"use client"

/**
 * The provider: from one configuration it makes a client for each network that a hook names.
 *
 * @since 0.1.0
 */
import { Registry, Result, Rx } from "@effect-rx/rx-react"
import { RegistryContext, scheduleTask } from "@effect-rx/rx-react/RegistryContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Runtime from "effect/Runtime"
import * as React from "react"
import { make, type Sdk } from "../src/client/Sdk.js"
import type { SdkConfig } from "../src/config/Config.js"
import { claimDefinition, isDefinition, networkIdOf } from "../src/data/definedNetworks.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidConfig } from "../src/data/SdkError.js"
import { Http, type HttpService, makeFetch } from "../src/http/service.js"
import type { InitConfig } from "../src/promise.js"
import { cacheEntryOf, cacheRead, IDLE_TTL_MS, isBrowser, type RefetchTrigger } from "./CacheEntry.js"
import { type DehydratedAnswer, makeHydratable } from "./hydration.js"
import { makePoolRx, type NodePool } from "./NodePool.js"
import { type GetClient, makeRxFactory, type ReadyClient, type RxFactory, withClient } from "./Reactive.js"
import { type BlockHeight, makeBlockHeight } from "./Refresh.js"
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
  { fetch: _fetch, network: own, networks = {}, rpc = {}, ...common }: ProviderConfig,
  network: AnyNetwork
): SdkConfig<Network, DefaultConsistency> => {
  const { nodes: _nodes, ...shared } = rpc
  const id = networkIdOf(network)
  const settings: Readonly<
    Record<string, Partial<Omit<SdkConfig<AnyNetwork, DefaultConsistency>, "network">>>
  > = networks
  const { rpc: more, ...special } = settings[id] ?? {}
  return {
    ...common,
    ...special,
    // hooks take any network, and a definition's client is one of its family
    network: network as Network,
    rpc: { ...(id === networkIdOf(own) ? rpc : shared), ...more }
  }
}

/** The client of a network, and every Rx of it. */
export interface NetworkEntry extends RxFactory {
  /** The network's id. */
  readonly network: string
  readonly registry: Registry.Registry
  readonly ready: Rx.Rx<Result.Result<ReadyClient, InitError>>
  readonly blocks: BlockHeight
  readonly pool: Rx.Rx<Result.Result<NodePool, InitError>>
  readonly wallet: Rx.Rx<Result.Result<WalletState, unknown>>
}

/**
 * The clients of a provider. The registry owns all of their parts: it makes a part for its first subscriber, and ends it soon after the
 * last one.
 */
export class Clients {
  /** The id of the provider's own network. */
  readonly network: string
  readonly registry = Registry.make({ scheduleTask, defaultIdleTTL: IDLE_TTL_MS })
  /** Cache keys of the reads that were hydrated. */
  readonly hydrated = new Set<string>()
  /** The configuration of the first render. */
  readonly firstConfig: ProviderConfig
  readonly #config: ProviderConfig
  #latest: ProviderConfig
  readonly #runtime: Rx.Rx<Result.Result<Runtime.Runtime<Http>>>
  readonly #entries = new Map<string, NetworkEntry>()
  readonly #kept = new Map<string, () => void>()
  #isHeld = false
  #users = 0
  #end: ReturnType<typeof setTimeout> | undefined

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
    const fetching = (): HttpService => ({ ...makeFetch(fetch), keepsDeadlines: true })
    this.#runtime = Rx.make(Layer.toRuntime(layer ?? Layer.sync(Http, fetching)))
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
  entryFor(named: AnyNetwork | string): NetworkEntry {
    // without its nodes, which are checked when the client is made
    const issues = claimDefinition(named, [])
    if (issues.length > 0) throw new InvalidConfig({ issues })
    const id = isDefinition(named) ? named.id : named
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    // an id that is not in the table is refused when its client is made
    const network = id === this.network ? this.firstConfig.network : (named as AnyNetwork)
    const ready: NetworkEntry["ready"] = Rx.make((get) =>
      Effect.flatMap(get.result(this.#runtime), (runtime) =>
        Effect.map(Effect.provide(make(toNetworkConfig(this.#config, network)), runtime), (sdk) => ({
          sdk,
          provide: (call) => (this.layer ? Effect.provide(call, runtime) : call)
        }))
      )
    )
    const client: GetClient = (get) => get.result(ready)
    const derived = makeRxFactory(client, id, (rx, cacheEntry) =>
      makeHydratable(cacheRead(rx, cacheEntry), cacheEntry)
    )
    const entry: NetworkEntry = {
      network: id,
      registry: this.registry,
      ready,
      blocks: makeBlockHeight(client, ready, id),
      pool: makePoolRx(ready),
      wallet: makeWalletRx(derived),
      ...derived
    }
    this.#entries.set(id, entry)
    return entry
  }

  /** Takes the answers of a server, or of an earlier visit, for reads that no component has observed yet. */
  hydrate(values: ReadonlyArray<DehydratedAnswer>): void {
    for (const { key, value } of values) {
      this.hydrated.add(key)
      if (!this.registry.getNodes().has(key)) this.registry.setSerializable(key, value)
    }
  }

  /** Runs an effect once with a network's client, which lives until the effect has ended. */
  run<A, E>(network: string, use: (sdk: Sdk) => Effect.Effect<A, E>): Effect.Effect<A, E | InitError> {
    return Effect.suspend(() => {
      const { ready } = this.entryFor(network)
      const leave = this.retain(this.registry.mount(ready))
      const made = Effect.async<ReadyClient, InitError>((resume) => {
        void this.settle(ready).then((result) => {
          if (Result.isSuccess(result)) resume(Effect.succeed(result.value))
          else if (Result.isFailure(result)) resume(Effect.failCause(result.cause))
        })
      })
      return Effect.ensuring(withClient(made, use), Effect.sync(leave))
    })
  }

  /** Waits until no request of a read is in flight, and returns its result. `isRefetched` refetches it first. The clients live until then. */
  async settle<A, E>(rx: Rx.Rx<Result.Result<A, E>>, isRefetched = false): Promise<Result.Result<A, E>> {
    let leave = (): void => {}
    const answer = await new Promise<Result.Result<A, E>>((resolve) => {
      const onResult = (result: Result.Result<A, E>): void => {
        if (!result.waiting) resolve(result)
      }
      leave = this.retain(this.registry.subscribe(rx, onResult))
      if (isRefetched) this.registry.refresh(rx)
      onResult(this.registry.get(rx))
    })
    // after the notification: rx 0.42 skips the next subscriber when one unsubscribes during it
    leave()
    return answer
  }

  /** Counts a user of the clients, and returns the function that releases it. The registry is reset after the last one, since it misses some Rx. */
  retain(stop: () => void): () => void {
    clearTimeout(this.#end)
    this.#users++
    return () => {
      stop()
      if (--this.#users === 0)
        this.#end = setTimeout(() => {
          this.registry.reset()
          // the first reset gives an Rx that another one has held a timer of its own
          this.registry.reset()
        }, IDLE_TTL_MS)
    }
  }

  /** Keeps a network's client alive between calls, as long as the provider is mounted. */
  keepAlive(network: string): void {
    if (!this.#kept.has(network)) this.#kept.set(network, this.registry.mount(this.entryFor(network).ready))
  }

  /** Mounts a provider, and returns the function that unmounts it. Undefined if another provider has these clients: it needs its own. */
  mount(): (() => void) | undefined {
    clearTimeout(unmountedClients.get(this))
    unmountedClients.delete(this)
    if (this.#isHeld) return undefined
    this.#isHeld = true
    const leave = this.retain(this.#watch())
    this.keepAlive(this.network)
    return () => {
      this.#isHeld = false
      leave()
      for (const end of this.#kept.values()) end()
      this.#kept.clear()
    }
  }

  /** Passes the events of page and network on to the observers of all reads. */
  #watch(): () => void {
    const trigger = (event: RefetchTrigger): void => {
      for (const { rx } of this.registry.getNodes().values())
        for (const observer of cacheEntryOf(rx)?.observers ?? []) observer.onTrigger(event)
    }
    const focus = (): void => {
      if (document.visibilityState !== "hidden") trigger("refetchOnFocus")
    }
    const online = (): void => trigger("refetchOnReconnect")
    document.addEventListener("visibilitychange", focus)
    window.addEventListener("online", online)
    return () => {
      document.removeEventListener("visibilitychange", focus)
      window.removeEventListener("online", online)
    }
  }

  /** New clients of the same configuration. */
  renew(): Clients {
    return new Clients(this.#latest, this.layer)
  }
}

/**
 * Clients whose provider has not mounted yet. React drops the state of a component that suspends before it mounts, and renders it from the
 * start. It must then find the clients that it waits for.
 */
const unmountedClients = new Map<Clients, ReturnType<typeof setTimeout>>()

/** How long clients wait for their provider to mount, in milliseconds: longer than any call takes. */
const UNMOUNTED_TTL_MS = 60_000

const findOrMakeClients = (props: SdkProviderProps): Clients => {
  const { config, initialValues = [], layer } = props
  const names = toKey(initialValues)
  for (const clients of unmountedClients.keys()) {
    if (clients.matches(props) && clients.valuesKey === names) return clients
  }
  const clients = new Clients(config, layer, names)
  clients.hydrate(initialValues)
  // a server must not share anything between its requests
  if (isBrowser)
    unmountedClients.set(
      clients,
      setTimeout(() => unmountedClients.delete(clients), UNMOUNTED_TTL_MS)
    )
  return clients
}

const reportedProblems = new Set<string>()

/** Warns a developer once of what makes the page slower. */
const warnOnce = (problem: string): void => {
  if (reportedProblems.has(problem)) return
  reportedProblems.add(problem)
  console.warn(`SdkProvider: ${problem}. Make it outside of the component, or with useMemo`)
}

/** Whether two configurations differ only in the identity of objects: then they are likely meant to be equal. */
const differsByIdentityOnly = ({ firstConfig }: Clients, { config }: SdkProviderProps): boolean =>
  isEqual(firstConfig, config, (one, other) => typeof one === typeof other)

const ClientsContext = React.createContext<Clients | undefined>(undefined)

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
export const SdkProvider = (props: SdkProviderProps): React.ReactElement => {
  const { children, config, layer } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by value
  const defaults = React.useMemo(() => props.defaults ?? noDefaults, [toKey(props.defaults)])
  const [state, setClients] = React.useState(() => findOrMakeClients(props))
  const clients = state.matches(props) ? state : new Clients(config, layer)
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
export const useClients = (): Clients => {
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

/** The Rx of a network, whose client is kept alive from now on. */
export const useNetworkEntry = (network?: AnyNetwork): NetworkEntry => {
  const clients = useClients()
  const entry = clients.entryFor(network ?? clients.network)
  const id = entry.network
  React.useEffect(() => clients.keepAlive(id), [clients, id])
  return entry
}
