import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Checks } from "../../balancer/Family.js"
import type { Config } from "../../config/Config.js"
import type { Logger } from "../../config/Logger.js"
import type { Http } from "../../http/service.js"
import type { Transport } from "../../wire/Transport.js"
import type { Gateway } from "../Gateway.js"
import { catalogue, type Services } from "../Services.js"

/** What services are made of: all of it belongs to one client. */
export type ServiceContext = Checks | Config | Http | Logger | Transport

type Made<S> = Effect.Effect<S, never, Gateway | ServiceContext>

/** Loads a service when it is first called. */
const loaders: { readonly [S in keyof Services]: () => Promise<{ readonly make: Made<Services[S]> }> } = {
  address: () => import("../Address.js"),
  contract: () => import("../Contract.js"),
  data: () => import("../Data.js"),
  fee: () => import("../Fee.js"),
  gateway: () => import("../Provider.js"),
  ipfs: () => import("../Storage.js"),
  nft: () => import("../Nft.js"),
  notification: () => import("../Notification.js"),
  rates: () => import("../Rates.js"),
  token: () => import("../Token.js"),
  wallet: () => import("../WalletProvider.js")
}

/** The service of a name, made at its first call and kept. */
type LoadService = <S extends keyof Services>(name: S) => Effect.Effect<Services[S]>

/** How the services of a client are found, each made once. */
const serviceLoader = (context: Context.Context<ServiceContext>): LoadService => {
  const made = new Map<keyof Services, Promise<unknown>>()
  const load = async <S extends keyof Services>(name: S): Promise<Services[S]> => {
    const [{ make }, gateway] = await Promise.all([loaders[name](), import("../Gateway.js")])
    return Effect.runSync(
      make.pipe(Effect.provideServiceEffect(gateway.Gateway, gateway.make), Effect.provide(context))
    )
  }
  return <S extends keyof Services>(name: S) =>
    Effect.promise(() => {
      const known = made.get(name)
      // the map holds under each name what was loaded under it
      if (known !== undefined) return known as Promise<Services[S]>
      const loading = load(name)
      made.set(name, loading)
      // a chunk that could not be fetched is asked for again by the next call
      loading.catch(() => made.delete(name))
      return loading
    })
}

/** What becomes of a method of each kind on a surface. */
export interface Surface {
  readonly call: (effect: Effect.Effect<unknown, Error>) => unknown
  readonly stream: (
    service: Effect.Effect<(...args: ReadonlyArray<unknown>) => unknown>,
    args: ReadonlyArray<unknown>
  ) => unknown
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

type Callable = (...args: ReadonlyArray<unknown>) => unknown

/** What a function shows of its kind, as those of endpoints do; of lists by pages their type says enough. */
const marks = new Map<unknown, object>([
  ["write", { repeat: "write" }],
  ["live", { live: true }]
])

/** Stands for a service before it is loaded: its methods load it. */
const facade = (
  methods: Readonly<Record<string, unknown>>,
  service: Effect.Effect<object>,
  surface: Surface
): object =>
  Object.fromEntries(
    Object.entries(methods).map(([name, kind]): readonly [string, unknown] => {
      const member = Effect.map(service, (loaded): unknown => Reflect.get(loaded, name))
      if (isRecord(kind)) return [name, facade(kind, member as Effect.Effect<object>, surface)]
      const method = member as Effect.Effect<Callable>
      const call: Callable =
        kind === "stream" || kind === "live"
          ? (...args) => surface.stream(method, args)
          : (...args) =>
              surface.call(Effect.flatMap(method, (run) => run(...args) as Effect.Effect<unknown, Error>))
      return [name, Object.assign(call, marks.get(kind))]
    })
  )

/** All services of a client, made once for all the surfaces that they are then asked for on. */
export const servicesOf = (context: Context.Context<ServiceContext>): ((surface: Surface) => object) => {
  const load = serviceLoader(context)
  return (surface) =>
    Object.fromEntries(
      (Object.keys(catalogue) as ReadonlyArray<keyof Services>).map((name) => [
        name,
        facade(catalogue[name], load(name), surface)
      ])
    )
}
