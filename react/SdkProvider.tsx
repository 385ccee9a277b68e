"use client"

/**
 * The provider in which the hooks of an application find their clients: one configuration, a client per network.
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
 * The configuration of a provider: that of `init` for its own network, which other networks share except for the nodes, and the
 * settings of their own.
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
 * The props of the provider. `config` is compared by value: one that is made anew in every render is the same one, and of the
 * functions in it (`fetch`, for example) those of the last render are called. `layer` sends the requests in place of `fetch`,
 * and may bring further services for calls, a tracer for example; another layer makes other clients. `initialValues` are answers
 * that a server has got already; they count when the provider is made. `defaults` are options of all hooks below it.
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

/** The settings of the client of a network. */
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
    // hooks have a client of any network: that of a definition is one of its family
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
 * The clients of a provider. All their parts hang on the registry: none is there before the first look at it, and none is left
 * soon after the last one.
 */
export class Clients {
  /** The id of the provider's own network. */
  readonly network: string
  readonly registry = Registry.make({ scheduleTask, defaultIdleTTL: IDLE_TTL_MS })
  /** Names of reads whose answers were brought along. */
  readonly hydratedKeys = new Set<string>()
  /** The configuration that they were made for. */
  readonly originalConfig: ProviderConfig
  readonly #config: ProviderConfig
  #latest: ProviderConfig
  readonly #runtime: Rx.Rx<Result.Result<Runtime.Runtime<Http>>>
  readonly #entries = new Map<string, NetworkEntry>()
  readonly #kept = new Map<string, () => void>()
  readonly #own: AnyNetwork
  #isHeld = false
  #users = 0
  #end: ReturnType<typeof setTimeout> | undefined

  constructor(
    config: ProviderConfig,
    readonly layer?: Layer.Layer<Http>,
    readonly initialValuesKey = ""
  ) {
    this.#own = config.network
    this.network = networkIdOf(config.network)
    this.originalConfig = config
    this.#latest = config
    this.#config = delegateFunctions(config, () => this.#latest)
    const { fetch } = this.#config
    const fetching = (): HttpService => ({ ...makeFetch(fetch), keepsDeadlines: true })
    this.#runtime = Rx.make(Layer.toRuntime(layer ?? Layer.sync(Http, fetching)))
  }

  /** Whether these are the clients of a configuration. */
  matches({ config, layer }: SdkProviderProps): boolean {
    return layer === this.layer && isSameConfig(this.originalConfig, config)
  }

  /** The configuration of the last render: its functions are the ones to call. */
  updateConfig(config: ProviderConfig): void {
    if (process.env.NODE_ENV !== "production" && !isEqual(this.#latest, config))
      warnOnce(
        "a render has made new functions for `config`: the clients stay, and call those of the last render"
      )
    this.#latest = config
  }

  /** The client of a network, by its id once it has been named. Throws `InvalidConfig` for a second definition of one id. */
  entryFor(named: AnyNetwork | string): NetworkEntry {
    // the nodes are looked at where the client is made
    const issues = claimDefinition(named, [])
    if (issues.length > 0) throw new InvalidConfig({ issues })
    const id = isDefinition(named) ? named.id : named
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    // what is no definition is an id, of which the client says whether the table has it
    const network = id === this.network ? this.#own : (named as AnyNetwork)
    const ready: NetworkEntry["ready"] = Rx.make((get) =>
      Effect.flatMap(get.result(this.#runtime), (runtime) =>
        Effect.map(Effect.provide(make(toNetworkConfig(this.#config, network)), runtime), (sdk) => ({
          sdk,
          provideContext: (call) => (this.layer ? Effect.provide(call, runtime) : call)
        }))
      )
    )
    const client: GetClient = (get) => get.result(ready)
    const derived = makeRxFactory(client, id, (rx, held) =>
      held.cacheKey === undefined ? cacheRead(rx, held) : makeHydratable(cacheRead(rx, held), held)
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

  /** Answers that were read elsewhere count for reads that no component has looked at yet. */
  hydrate(values: ReadonlyArray<DehydratedAnswer>): void {
    for (const { key, value } of values) {
      this.hydratedKeys.add(key)
      if (!this.registry.getNodes().has(key)) this.registry.setSerializable(key, value)
    }
  }

  /** Runs an effect with the client of a network, once; the client is kept until the effect has ended. */
  run<A, E>(network: string, use: (sdk: Sdk) => Effect.Effect<A, E>): Effect.Effect<A, E | InitError> {
    return Effect.suspend(() => {
      const { ready } = this.entryFor(network)
      const leave = this.retain(this.registry.mount(ready))
      const made = Effect.async<ReadyClient, InitError>((resume) => {
        void this.waitUntilSettled(ready).then((result) => {
          if (Result.isSuccess(result)) resume(Effect.succeed(result.value))
          else if (Result.isFailure(result)) resume(Effect.failCause(result.cause))
        })
      })
      return Effect.ensuring(withClient(made, use), Effect.sync(leave))
    })
  }

  /** The answer to a read, or its failure, when neither is under way any more; asks for it anew where it is to. The clients are kept until then. */
  async waitUntilSettled<A, E>(
    rx: Rx.Rx<Result.Result<A, E>>,
    isAsked = false
  ): Promise<Result.Result<A, E>> {
    let leave = (): void => {}
    const answer = await new Promise<Result.Result<A, E>>((resolve) => {
      const heard = (result: Result.Result<A, E>): void => {
        if (!result.waiting) resolve(result)
      }
      leave = this.retain(this.registry.subscribe(rx, heard))
      if (isAsked) this.registry.refresh(rx)
      heard(this.registry.get(rx))
    })
    // it is left now: who leaves a registry while that tells all keeps it from telling the next (rx 0.42)
    leave()
    return answer
  }

  /** Counts a user of the clients, and what stops with that. Registries lose sight of some Rx, so all of them end with the last user. */
  retain(stop: () => void): () => void {
    clearTimeout(this.#end)
    this.#users++
    return () => {
      stop()
      if (--this.#users === 0)
        this.#end = setTimeout(() => {
          this.registry.reset()
          // what ends with another Rx has got a timer for its own end
          this.registry.reset()
        }, IDLE_TTL_MS)
    }
  }

  /** The client of a network lives on between its calls, as long as the provider does. */
  keepAlive(network: string): void {
    if (!this.#kept.has(network)) this.#kept.set(network, this.registry.mount(this.entryFor(network).ready))
  }

  /** A provider is there, until it says that it is not; a second one has to have its own clients. */
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

  /** Tells the components when the page comes into view, and when the network is back. */
  #watch(): () => void {
    const wake = (occasion: RefetchTrigger): void => {
      for (const { rx } of this.registry.getNodes().values())
        for (const observer of cacheEntryOf(rx)?.observers ?? []) observer.handleTrigger(occasion)
    }
    const focus = (): void => {
      if (document.visibilityState !== "hidden") wake("refetchOnFocus")
    }
    const online = (): void => wake("refetchOnReconnect")
    document.addEventListener("visibilitychange", focus)
    window.addEventListener("online", online)
    return () => {
      document.removeEventListener("visibilitychange", focus)
      window.removeEventListener("online", online)
    }
  }

  /** Others of the same configuration. */
  recreate(): Clients {
    return new Clients(this.#latest, this.layer)
  }
}

/**
 * Clients whose provider is not on the page yet. React forgets the state of a component that suspends before it is mounted, and
 * renders it from the start: the component has to find the clients that it waits for.
 */
const unmountedClients = new Map<Clients, ReturnType<typeof setTimeout>>()

/** The time that clients wait for their provider, in milliseconds: longer than any call takes. */
const UNMOUNTED_TTL_MS = 60_000

const findOrMakeClients = (props: SdkProviderProps): Clients => {
  const { config, initialValues = [], layer } = props
  const names = toKey(initialValues)
  for (const clients of unmountedClients.keys()) {
    if (clients.matches(props) && clients.initialValuesKey === names) return clients
  }
  const clients = new Clients(config, layer, names)
  clients.hydrate(initialValues)
  // servers have no pages, and must not share anything between requests
  if (isBrowser)
    unmountedClients.set(
      clients,
      setTimeout(() => unmountedClients.delete(clients), UNMOUNTED_TTL_MS)
    )
  return clients
}

const reportedProblems = new Set<string>()

/** Tells developers what costs them something, once. */
const warnOnce = (problem: string): void => {
  if (reportedProblems.has(problem)) return
  reportedProblems.add(problem)
  console.warn(`SdkProvider: ${problem}. Make it outside of the component, or with useMemo`)
}

/** Whether others are needed for nothing but objects that are compared by identity. */
const differsByIdentityOnly = ({ originalConfig }: Clients, { config }: SdkProviderProps): boolean =>
  isEqual(originalConfig, config, (one, other) => typeof one === typeof other)

const ClientsContext = React.createContext<Clients | undefined>(undefined)

const noDefaults: ReadDefaults = {}

const DefaultsContext = React.createContext(noDefaults)

/**
 * Gives the components below it their clients: one per network that their hooks name, made on demand. The clients end soon
 * after the provider is gone, and come back with it.
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
    clients.updateConfig(config)
  })
  React.useEffect(() => {
    const release = clients.mount()
    if (release === undefined) setClients(clients.recreate())
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

/** The options of reads that the provider above has. */
export const useReadDefaults = (): ReadDefaults => React.useContext(DefaultsContext)

/** The clients of the provider above. */
export const useClients = (): Clients => {
  const clients = React.useContext(ClientsContext)
  if (!clients) throw new Error("No SdkProvider above")
  return clients
}

/**
 * Answers that came with a part of the page, as `initialValues` come with all of it. Answers that a component shows already stay.
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

/** The Rx for the hooks of a network, whose client is kept from now on. */
export const useNetworkEntry = (network?: AnyNetwork): NetworkEntry => {
  const clients = useClients()
  const entry = clients.entryFor(network ?? clients.network)
  const id = entry.network
  React.useEffect(() => clients.keepAlive(id), [clients, id])
  return entry
}
