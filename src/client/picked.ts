/**
 * Clients that are made of what they use: the row of a network, endpoints of its family, and layers between calls and nodes.
 * Balancing, the checks of nodes, second attempts and the classes of errors are inside; everything else is an import of its own.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Family } from "../balancer/Family.js"
import type { NodePoolView } from "../balancer/NodePool.js"
import * as Config from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { type Dialect, type Endpoint, group, specOf } from "../data/Endpoint.js"
import { isRecord } from "../data/foreign.js"
import type { AnyNetwork, Family as FamilyId, IdOf, NetworkRow, NetworkValue } from "../data/Network.js"
import type { ConfigIssue, InitError } from "../data/SdkError.js"
import type { Http } from "../http/service.js"
import {
  type Composed,
  type Connection,
  makeRawRpc,
  makeRpc,
  type RawRpc,
  routingOf,
  type WithErrors
} from "../transport/Client.js"
import type { ClientLayers as GivenLayers, LayerConfig, Layers } from "../transport/layerStack.js"
import { connected, given, type RpcSdk, type Source, type Unserved } from "./make.js"

/**
 * What a client can be made of, by the names that its methods are to have: endpoints, and methods that are no single call.
 *
 * @since 0.1.0
 * @category models
 */
export type Picks = Readonly<Record<string, Endpoint<unknown> | Composed<unknown>>>

/** The options of parts that a client of picked endpoints does not have, or takes in another form. */
export type Unpicked = "network" | Unserved

/**
 * The parts of a client of picked endpoints: `network` is a row of `effect-chains/chains` or a definition, and `endpoints` are those that it is to have.
 *
 * @since 0.1.0
 * @category models
 */
export interface PickedParts<N extends AnyNetwork, G extends Picks> {
  readonly network: NetworkValue<N>
  readonly endpoints: G
}

/**
 * The configuration of a client of picked endpoints on the Effect surface.
 *
 * @since 0.1.0
 * @category models
 */
export type PickedConfig<
  N extends AnyNetwork,
  C extends Config.Consistency,
  G extends Picks,
  L extends Layers
> = PickedParts<N, G> &
  LayerConfig<L, DurationInput> &
  Omit<Config.SdkConfig<N, C, DurationInput>, Unpicked | keyof Layers>

/** What a client of picked endpoints is made of, whatever its layers are: with the options `C` of its surface. */
export type Pickable<N extends AnyNetwork, C> = PickedParts<N, Picks> & { readonly layers?: Layers } & Omit<
    C,
    Unpicked
  >

/**
 * A client of picked endpoints on the Effect surface. Its reads can fail with `More` besides: with `BlockNotReached`, if the
 * configuration says `consistency: "monotonic"`.
 *
 * @since 0.1.0
 * @category clients
 */
export interface PickedClient<N extends AnyNetwork, Rpc, More = never> {
  readonly network: IdOf<N>
  /** The calls of the network's nodes: those that were picked. */
  readonly rpc: WithErrors<Rpc, More>
  /** The pool of nodes behind the calls. */
  readonly nodes: NodePoolView
  /** The credits that the client has spent. Undefined without the option `quota`: nothing counts then. */
  readonly credits: RpcSdk["credits"]
}

/**
 * Raw calls as a pick: they know all methods of these endpoints, and bring their table.
 */
export const rawOf = <K extends keyof RawRpc>(endpoints: object, name: K): Composed<RawRpc[K]> => ({
  compose: ({ routing, transport }) => makeRawRpc(endpoints, transport, routing)[name]
})

/** A family without its table. */
export interface Bare {
  /** The families of networks whose nodes are spoken to in this way. */
  readonly families: ReadonlyArray<FamilyId>
  readonly dialect: Dialect
  readonly checks: Omit<Family, "endpoints">
}

const isComposed = (value: object): value is Composed<unknown> => "compose" in value

/** The problem of what a client is to be made of, if there is one. */
const problemOf = (endpoints: unknown): ConfigIssue | undefined => {
  if (!isRecord(endpoints))
    return { path: "endpoints", message: "must be an object of endpoints, such as { getBalance }" }
  const wrong = Object.entries(endpoints).find(
    ([, pick]) => specOf(pick) === undefined && !(isRecord(pick) && isComposed(pick))
  )
  return (
    wrong && {
      path: `endpoints.${wrong[0]}`,
      message: "must be an endpoint or a method that its module exports"
    }
  )
}

const isRow = (value: unknown): value is NetworkRow =>
  isRecord(value) && typeof value.id === "string" && typeof value.family === "string"

/** The one row as a table of networks, and the family as it is. */
const sourceOf = (
  row: unknown,
  layers: GivenLayers,
  { checks, families }: Bare,
  endpoints: object
): Source => ({
  resolve: isRow(row)
    ? Config.resolveIn(() => Effect.succeed(row), Config.fieldsOver(layers))
    : () => Config.refused("network", "must be a row of effect-chains/chains, such as ETHEREUM"),
  load: (family) =>
    families.includes(family)
      ? Effect.succeed({ ...checks, endpoints })
      : Config.refused("network", `is of the family ${family}, not of ${families.join(" or ")}`),
  layers
})

/** The calls that were picked. */
const callsOf = (picks: Picks, dialect: Dialect, connection: Connection): object => ({
  ...connection.methods(group(dialect, picks)),
  ...Object.fromEntries(
    Object.entries(picks).flatMap(([name, pick]) =>
      isComposed(pick) ? [[name, pick.compose(connection)]] : []
    )
  )
})

/** The network of a configuration: a row goes as it is, of which the id is read alone. */
export const networkOf = (given: NetworkValue<AnyNetwork>): AnyNetwork => given as unknown as AnyNetwork

/** A client before its surface, where times are milliseconds. */
export const makePicked = <N extends AnyNetwork>(
  config: Pickable<N, Config.SdkConfig>,
  bare: Bare,
  loggerOf: (config: Config.ResolvedConfig) => LoggerService
): Effect.Effect<
  { readonly sdk: Omit<RpcSdk<N>, "rpc"> & { readonly rpc: object } },
  InitError,
  Http | Scope.Scope
> => {
  const { endpoints, network: row, ...options } = config
  const problem = problemOf(endpoints)
  if (problem !== undefined) return Config.refused(problem.path, problem.message)
  const source = sourceOf(row, given(config.layers), bare, endpoints)
  return Effect.map(
    connected({ ...options, network: networkOf(row) }, source, loggerOf),
    ({ context, credits, pool, transport }) => {
      const routing = routingOf(Context.get(context, Config.Config).info)
      const methods: Connection["methods"] = (table) =>
        makeRpc(group(bare.dialect, table), transport, routing)
      const rpc = callsOf(endpoints, bare.dialect, { methods, transport, routing })
      // the id of a row, or of a definition
      return { sdk: { network: row.id as IdOf<N>, rpc, nodes: pool, credits } }
    }
  )
}
