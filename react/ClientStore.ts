"use client"

/**
 * The clients of a provider, and the hooks that find them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as React from "react"
import type { Sdk } from "../src/client/Sdk.js"
import { claimDefinition, isDefinition } from "../src/data/definedNetworks.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { type InitError, InvalidConfig } from "../src/data/SdkError.js"
import { Http, type HttpService, makeFetch } from "../src/http/service.js"
import {
  cacheEntryOf,
  cacheRead,
  IDLE_TTL_MS,
  isBrowser,
  type RefetchTrigger,
  type ResultRx
} from "./CacheEntry.js"
import { type DehydratedAnswer, makeHydratable } from "./hydration.js"
import { type GetClient, makeRxFactory, type ReadyClient, type RxFactory, withClient } from "./Reactive.js"
import { type BlockHeight, makeBlockHeight } from "./Refresh.js"
import * as Registry from "./Registry.js"
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"
import { listRx, scheduleTask } from "./reactivity.js"
import type { ReadDefaults } from "./types.js"
import { toKey } from "./values.js"

/** Makes a client's Effect surface for hooks, with what sends its requests from the context. */
export type MakeClient = Effect.Effect<Sdk, InitError, Http | Scope.Scope>

/** What a provider makes its clients of. `given` is what a render gives: a configuration, or clients. */
export interface ClientSource {
  /** The id of the provider's own network. */
  readonly network: string
  /** Sends the requests without a layer, in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Makes the client of a network, or fails if there is none. */
  makeClient(network: AnyNetwork | string): MakeClient
  /** Whether the clients of another render are the same. */
  matches(given: object): boolean
  /** Whether another render only seems to give others. */
  differsByIdentityOnly(given: object): boolean
  /** Takes what the last render has given. */
  update(given: object): void
  /** The same source with nothing of its clients. */
  renew(): ClientSource
}

/** What all providers have as props. */
export interface RenderedProps {
  readonly given: object
  readonly layer?: Layer.Layer<Http> | undefined
  readonly initialValues?: ReadonlyArray<DehydratedAnswer> | undefined
}

/** The client of a network as Rx: the client itself, its calls and its height. */
export interface NetworkClient extends RxFactory {
  /** The network's id. */
  readonly network: string
  readonly registry: Registry.Registry
  readonly ready: ResultRx<ReadyClient, InitError>
  readonly blocks: BlockHeight
}

/**
 * The clients of a provider, by network. `registry` owns the clients and the cache: it makes the value of an Rx for its first subscriber, and
 * ends it some time after the last one, that of a read after its `gcTime`.
 */
export class ClientStore {
  /** The id of the provider's own network. */
  readonly network: string
  readonly registry: Registry.Registry = Registry.make({ scheduleTask, defaultIdleTTL: IDLE_TTL_MS })
  /** Cache keys of the reads that were hydrated. */
  readonly hydrated = new Set<string>()
  readonly #runtime: ResultRx<Runtime.Runtime<Http>, never>
  readonly #clients = new Map<string, NetworkClient>()
  readonly #keptAlive = new Map<string, () => void>()
  #isMounted = false
  #users = 0
  #resetTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly source: ClientSource,
    readonly layer?: Layer.Layer<Http>,
    readonly valuesKey = ""
  ) {
    this.network = source.network
    const makeFetchHttp = (): HttpService => ({ ...makeFetch(source.fetch), keepsDeadlines: true })
    this.#runtime = Rx.make(Layer.toRuntime(layer ?? Layer.sync(Http, makeFetchHttp)))
  }

  /** Whether these clients were made for what another render gives. */
  matches({ given, layer }: RenderedProps): boolean {
    return layer === this.layer && this.source.matches(given)
  }

  /** The client of a network, made once. Throws `InvalidConfig` for a second definition with the same id. */
  clientFor(networkOrId: AnyNetwork | string): NetworkClient {
    // its nodes are checked when the client is made
    const issues = claimDefinition(networkOrId, [])
    if (issues.length > 0) throw new InvalidConfig({ issues })
    const id = isDefinition(networkOrId) ? networkOrId.id : networkOrId
    const existing = this.#clients.get(id)
    if (existing !== undefined) return existing
    const ready: NetworkClient["ready"] = Rx.make((get) =>
      Effect.flatMap(get.result(this.#runtime), (runtime) =>
        Effect.map(Effect.provide(this.source.makeClient(networkOrId), runtime), (sdk) => ({
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

  /** New clients of the same source. */
  renew(): ClientStore {
    return new ClientStore(this.source.renew(), this.layer)
  }
}

/**
 * Clients whose provider has not mounted yet. React drops the state of a component that suspends before it mounts, and renders it from the
 * start. It must then find the clients that it waits for.
 */
const unmountedClients = new Map<ClientStore, ReturnType<typeof setTimeout>>()

/** How long clients wait for their provider to mount, in milliseconds: longer than any call takes. */
const UNMOUNTED_TTL_MS = 60_000

/** The clients of a render: those of one that React has dropped, or new ones. */
export const findOrMakeClients = (makeSource: () => ClientSource, props: RenderedProps): ClientStore => {
  const { initialValues = [], layer } = props
  const valuesKey = toKey(initialValues)
  for (const clients of unmountedClients.keys()) {
    if (clients.matches(props) && clients.valuesKey === valuesKey) return clients
  }
  const clients = new ClientStore(makeSource(), layer, valuesKey)
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
export const warnOnce = (provider: string, problem: string): void => {
  if (reportedProblems.has(problem)) return
  reportedProblems.add(problem)
  console.warn(`${provider}: ${problem}. Make it outside of the component, or with useMemo`)
}

/** The provider's clients, for the hooks below it. */
export const ClientsContext = React.createContext<ClientStore | undefined>(undefined)

export const noDefaults: ReadDefaults = {}

export const DefaultsContext = React.createContext(noDefaults)

/** The provider's default options of reads. */
export const useReadDefaults = (): ReadDefaults => React.useContext(DefaultsContext)

/** The provider's clients. */
export const useClients = (): ClientStore => {
  const clients = React.useContext(ClientsContext)
  if (!clients) throw new Error("No SdkProvider above")
  return clients
}

/** The client of a network. The provider keeps it alive from now on. */
export const useNetworkClient = (network?: AnyNetwork): NetworkClient => {
  const clients = useClients()
  const client = clients.clientFor(network ?? clients.network)
  const id = client.network
  React.useEffect(() => clients.keepAlive(id), [clients, id])
  return client
}
