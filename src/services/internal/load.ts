import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ClientFamily } from "../../balancer/Family.js"
import type { Config } from "../../config/Config.js"
import type { Logger } from "../../config/Logger.js"
import { loadOnce } from "../../data/loadOnce.js"
import type { LoadError } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import type { Http } from "../../http/service.js"
import type { Transport } from "../../wire/Transport.js"
import type { Gateway } from "../Gateway.js"
import { catalogue, type Services } from "../Services.js"

/** The parts that services are made of, all of one client. */
export type ServiceContext = ClientFamily | Config | Http | Logger | Transport

type MakeService<S> = Effect.Effect<S, never, Gateway | ServiceContext>

/** What a service loads: its constructor, and its gateway. */
export type LoadService = (
  name: keyof Services
) => Promise<
  { readonly make: MakeService<object> } & Pick<typeof import("./gateway.js"), "Gateway" | "currentGateway">
>

/** Takes a method of each kind to a surface. */
export interface Surface {
  readonly call: (effect: Effect.Effect<unknown, Error>, name: string) => unknown
  readonly stream: (
    service: Effect.Effect<(...args: ReadonlyArray<unknown>) => unknown, Error>,
    args: ReadonlyArray<unknown>,
    name: string
  ) => unknown
}

type Callable = (...args: ReadonlyArray<unknown>) => unknown

/** Marks functions with their kind, as endpoints are marked. For paged lists the type suffices. */
const methodMarks = new Map<unknown, object>([
  ["write", { repeat: "write" }],
  ["live", { live: true }]
])

/** Stands in for a service before it is loaded: its methods load it. */
const makeFacade = (
  methods: Readonly<Record<string, unknown>>,
  service: Effect.Effect<object, Error>,
  surface: Surface,
  path: string
): object =>
  Object.fromEntries(
    Object.entries(methods).map(([name, kind]): readonly [string, unknown] => {
      const member = Effect.map(service, (loaded): unknown => Reflect.get(loaded, name))
      const qualifiedName = `${path}.${name}`
      if (isRecord(kind))
        return [name, makeFacade(kind, member as Effect.Effect<object, Error>, surface, qualifiedName)]
      const method = member as Effect.Effect<Callable, Error>
      const call: Callable =
        kind === "stream" || kind === "live"
          ? (...args) => surface.stream(method, args, qualifiedName)
          : (...args) =>
              surface.call(
                Effect.flatMap(method, (run) => run(...args) as Effect.Effect<unknown, Error>),
                qualifiedName
              )
      return [name, Object.assign(call, methodMarks.get(kind))]
    })
  )

/** All services of a client, each made when it is first called, once for all the surfaces that they are then asked for on. */
export const makeServices = (
  context: Context.Context<ServiceContext>,
  load: LoadService
): ((surface: Surface) => object) => {
  const loadService = (name: keyof Services): Effect.Effect<object, LoadError> =>
    loadOnce(
      () => load(name),
      ({ Gateway, currentGateway, make }) =>
        Effect.provide(Effect.provideServiceEffect(make, Gateway, currentGateway), context)
    )
  const names = Object.keys(catalogue) as ReadonlyArray<keyof Services>
  const services = names.map((name) => [name, loadService(name)] as const)
  return (surface) =>
    Object.fromEntries(
      services.map(([name, service]) => [name, makeFacade(catalogue[name], service, surface, name)])
    )
}
