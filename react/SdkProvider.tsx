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
import { networkIdOf, isDefinition, claimDefinition } from "../src/data/definedNetworks.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import { type InitError, InvalidConfig } from "../src/data/SdkError.js"
import { Http, type HttpService, makeFetch } from "../src/http/service.js"
import type { InitConfig } from "../src/promise.js"
import { heldOf, hold, IDLE, isBrowser, type Occasion } from "./Held.js"
import { type Dehydrated, hydrated } from "./hydration.js"
import { alike, following } from "./latest.js"
import { type NodePool, poolOf } from "./Pool.js"
import { type Derived, derive, type Reads, type Ready, using } from "./Reactive.js"
import { type Blocks, blocksOf } from "./Refresh.js"
import type { DefaultConsistency, ReadDefaults } from "./types.js"
import { keyOf, same } from "./values.js"
import { type WalletState, walletOf } from "./Wallet.js"

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
  readonly initialValues?: ReadonlyArray<Dehydrated>
  readonly defaults?: ReadDefaults
  readonly children?: React.ReactNode
}

/** The settings of the client of a network. */
const settingsOf = (
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
export interface Entry extends Derived {
  /** The network's id. */
  readonly network: string
  readonly registry: Registry.Registry
  readonly ready: Rx.Rx<Result.Result<Ready, InitError>>
  readonly blocks: Blocks
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
  readonly registry = Registry.make({ scheduleTask, defaultIdleTTL: IDLE })
  /** Names of reads whose answers were brought along. */
  readonly brought = new Set<string>()
  /** The configuration that they were made for. */
  readonly given: ProviderConfig
  readonly #config: ProviderConfig
  #latest: ProviderConfig
  readonly #runtime: Rx.Rx<Result.Result<Runtime.Runtime<Http>>>
  readonly #entries = new Map<string, Entry>()
  readonly #kept = new Map<string, () => void>()
  readonly #own: AnyNetwork
  #isHeld = false
  #users = 0
  #end: ReturnType<typeof setTimeout> | undefined

  constructor(
    config: ProviderConfig,
    readonly layer?: Layer.Layer<Http>,
    readonly names = ""
  ) {
    this.#own = config.network
    this.network = networkIdOf(config.network)
    this.given = config
    this.#latest = config
    this.#config = following(config, () => this.#latest)
    const { fetch } = this.#config
    const fetching = (): HttpService => ({ ...makeFetch(fetch), keepsDeadlines: true })
    this.#runtime = Rx.make(Layer.toRuntime(layer ?? Layer.sync(Http, fetching)))
  }

  /** Whether these are the clients of a configuration. */
  fits({ config, layer }: SdkProviderProps): boolean {
    return layer === this.layer && alike(this.given, config)
  }

  /** The configuration of the last render: its functions are the ones to call. */
  follow(config: ProviderConfig): void {
    if (process.env.NODE_ENV !== "production" && !same(this.#latest, config))
      warn(
        "a render has made new functions for `config`: the clients stay, and call those of the last render"
      )
    this.#latest = config
  }

  /** The client of a network, by its id once it has been named. Throws `InvalidConfig` for a second definition of one id. */
  of(named: AnyNetwork | string): Entry {
    // the nodes are looked at where the client is made
    const issues = claimDefinition(named, [])
    if (issues.length > 0) throw new InvalidConfig({ issues })
    const id = isDefinition(named) ? named.id : named
    const known = this.#entries.get(id)
    if (known !== undefined) return known
    // what is no definition is an id, of which the client says whether the table has it
    const network = id === this.network ? this.#own : (named as AnyNetwork)
    const ready: Entry["ready"] = Rx.make((get) =>
      Effect.flatMap(get.result(this.#runtime), (runtime) =>
        Effect.map(Effect.provide(make(settingsOf(this.#config, network)), runtime), (sdk) => ({
          sdk,
          within: (call) => (this.layer ? Effect.provide(call, runtime) : call)
        }))
      )
    )
    const client: Reads = (get) => get.result(ready)
    const derived = derive(client, id, (rx, held) =>
      held.name === undefined ? hold(rx, held) : hydrated(hold(rx, held), held)
    )
    const entry: Entry = {
      network: id,
      registry: this.registry,
      ready,
      blocks: blocksOf(client, ready, id),
      pool: poolOf(ready),
      wallet: walletOf(derived),
      ...derived
    }
    this.#entries.set(id, entry)
    return entry
  }

  /** Answers that were read elsewhere count for reads that no component has looked at yet. */
  bring(values: ReadonlyArray<Dehydrated>): void {
    for (const { key, value } of values) {
      this.brought.add(key)
      if (!this.registry.getNodes().has(key)) this.registry.setSerializable(key, value)
    }
  }

  /** Runs an effect with the client of a network, once; the client is kept until the effect has ended. */
  run<A, E>(network: string, use: (sdk: Sdk) => Effect.Effect<A, E>): Effect.Effect<A, E | InitError> {
    return Effect.suspend(() => {
      const { ready } = this.of(network)
      const leave = this.enter(this.registry.mount(ready))
      const made = Effect.async<Ready, InitError>((resume) => {
        void this.settled(ready).then((result) => {
          if (Result.isSuccess(result)) resume(Effect.succeed(result.value))
          else if (Result.isFailure(result)) resume(Effect.failCause(result.cause))
        })
      })
      return Effect.ensuring(using(made, use), Effect.sync(leave))
    })
  }

  /** The answer to a read, or its failure, when neither is under way any more; asks for it anew where it is to. The clients are kept until then. */
  async settled<A, E>(rx: Rx.Rx<Result.Result<A, E>>, isAsked = false): Promise<Result.Result<A, E>> {
    let leave = (): void => {}
    const answer = await new Promise<Result.Result<A, E>>((resolve) => {
      const heard = (result: Result.Result<A, E>): void => {
        if (!result.waiting) resolve(result)
      }
      leave = this.enter(this.registry.subscribe(rx, heard))
      if (isAsked) this.registry.refresh(rx)
      heard(this.registry.get(rx))
    })
    // it is left now: who leaves a registry while that tells all keeps it from telling the next (rx 0.42)
    leave()
    return answer
  }

  /** Counts a user of the clients, and what stops with that. Registries lose sight of some Rx, so all of them end with the last user. */
  enter(stop: () => void): () => void {
    clearTimeout(this.#end)
    this.#users++
    return () => {
      stop()
      if (--this.#users === 0)
        this.#end = setTimeout(() => {
          this.registry.reset()
          // what ends with another Rx has got a timer for its own end
          this.registry.reset()
        }, IDLE)
    }
  }

  /** The client of a network lives on between its calls, as long as the provider does. */
  keep(network: string): void {
    if (!this.#kept.has(network)) this.#kept.set(network, this.registry.mount(this.of(network).ready))
  }

  /** A provider is there, until it says that it is not; a second one has to have its own clients. */
  hold(): (() => void) | undefined {
    clearTimeout(unclaimed.get(this))
    unclaimed.delete(this)
    if (this.#isHeld) return undefined
    this.#isHeld = true
    const leave = this.enter(this.#watch())
    this.keep(this.network)
    return () => {
      this.#isHeld = false
      leave()
      for (const end of this.#kept.values()) end()
      this.#kept.clear()
    }
  }

  /** Tells the components when the page comes into view, and when the network is back. */
  #watch(): () => void {
    const wake = (occasion: Occasion): void => {
      for (const { rx } of this.registry.getNodes().values())
        for (const observer of heldOf(rx)?.observers ?? []) observer.wake(occasion)
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
  again(): Clients {
    return new Clients(this.#latest, this.layer)
  }
}

/**
 * Clients whose provider is not on the page yet. React forgets the state of a component that suspends before it is mounted, and
 * renders it from the start: the component has to find the clients that it waits for.
 */
const unclaimed = new Map<Clients, ReturnType<typeof setTimeout>>()

/** The time that clients wait for their provider, in milliseconds: longer than any call takes. */
const PATIENCE = 60_000

const clientsFor = (props: SdkProviderProps): Clients => {
  const { config, initialValues = [], layer } = props
  const names = keyOf(initialValues)
  for (const clients of unclaimed.keys()) {
    if (clients.fits(props) && clients.names === names) return clients
  }
  const clients = new Clients(config, layer, names)
  clients.bring(initialValues)
  // servers have no pages, and must not share anything between requests
  if (isBrowser)
    unclaimed.set(
      clients,
      setTimeout(() => unclaimed.delete(clients), PATIENCE)
    )
  return clients
}

const warned = new Set<string>()

/** Tells developers what costs them something, once. */
const warn = (problem: string): void => {
  if (warned.has(problem)) return
  warned.add(problem)
  console.warn(`SdkProvider: ${problem}. Make it outside of the component, or with useMemo`)
}

/** Whether others are needed for nothing but objects that are compared by identity. */
const isRemade = ({ given }: Clients, { config }: SdkProviderProps): boolean =>
  same(given, config, (one, other) => typeof one === typeof other)

const ClientsContext = React.createContext<Clients | undefined>(undefined)

const none: ReadDefaults = {}

const DefaultsContext = React.createContext(none)

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
  const defaults = React.useMemo(() => props.defaults ?? none, [keyOf(props.defaults)])
  const [state, setClients] = React.useState(() => clientsFor(props))
  const clients = state.fits(props) ? state : new Clients(config, layer)
  if (clients !== state) {
    if (process.env.NODE_ENV !== "production" && isRemade(state, props))
      warn(
        "a render has brought another `layer`, or another object in `config`, and makes new clients for it"
      )
    setClients(clients)
  }
  React.useInsertionEffect(() => {
    clients.follow(config)
  })
  React.useEffect(() => {
    const release = clients.hold()
    if (release === undefined) setClients(clients.again())
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
export const useDefaults = (): ReadDefaults => React.useContext(DefaultsContext)

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
  readonly values: ReadonlyArray<Dehydrated>
  readonly children?: React.ReactNode
}): React.ReactNode => {
  const clients = useClients()
  React.useMemo(() => clients.bring(values), [clients, values])
  return children
}

/** The Rx for the hooks of a network, whose client is kept from now on. */
export const useEntry = (network?: AnyNetwork): Entry => {
  const clients = useClients()
  const entry = clients.of(network ?? clients.network)
  const id = entry.network
  React.useEffect(() => clients.keep(id), [clients, id])
  return entry
}
