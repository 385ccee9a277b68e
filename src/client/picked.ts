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
import * as SdkConfig from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { type Dialect, type Endpoint, group, specOf } from "../data/Endpoint.js"
import type { AnyNetwork, Family as FamilyId, IdOf, NetworkRow, NetworkValue } from "../data/Network.js"
import type { ConfigIssue, InitError } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
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
import { type ClientSource, connectParts, type FullClientOption, given, type RpcSdk } from "./clientParts.js"

/**
 * What a client can be made of, by the names that its methods are to have: endpoints, and methods that are no single call.
 *
 * @since 0.1.0
 * @category models
 */
export type PickedEndpoints = Readonly<Record<string, Endpoint<unknown> | Composed<unknown>>>

/** The options of parts that a client of picked endpoints does not have, or takes in another form. */
export type UnpickedOption = "network" | FullClientOption

/**
 * The parts of a client of picked endpoints: `network` is a row of `effect-chains/chains` or a definition, and `endpoints` are those that it is to have.
 *
 * @since 0.1.0
 * @category models
 */
export interface PickedParts<N extends AnyNetwork, G extends PickedEndpoints> {
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
  C extends SdkConfig.Consistency,
  G extends PickedEndpoints,
  L extends Layers
> = PickedParts<N, G> &
  LayerConfig<L, DurationInput> &
  Omit<SdkConfig.SdkConfig<N, C, DurationInput>, UnpickedOption | keyof Layers>

/** What a client of picked endpoints is made of, whatever its layers are: with the options `C` of its surface. */
export type AnyPickedConfig<N extends AnyNetwork, C> = PickedParts<N, PickedEndpoints> & {
  readonly layers?: Layers
} & Omit<C, UnpickedOption>

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
export const makeRawPick = <K extends keyof RawRpc>(endpoints: object, name: K): Composed<RawRpc[K]> => ({
  compose: ({ routing, transport }) => makeRawRpc(endpoints, transport, routing)[name]
})

/** A family without its table. */
export interface PickableFamily {
  /** The families of networks whose nodes are spoken to in this way. */
  readonly families: ReadonlyArray<FamilyId>
  readonly dialect: Dialect
  readonly checks: Omit<Family, "endpoints">
}

const isComposed = (value: object): value is Composed<unknown> => "compose" in value

/** The problem of what a client is to be made of, if there is one. */
const findPickProblem = (endpoints: unknown): ConfigIssue | undefined => {
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

const isNetworkRow = (value: unknown): value is NetworkRow =>
  isRecord(value) && typeof value.id === "string" && typeof value.family === "string"

/** The one row as a table of networks, and the family as it is. */
const makeRowSource = (
  row: unknown,
  layers: GivenLayers,
  { checks, families }: PickableFamily,
  endpoints: object
): ClientSource => ({
  resolve: isNetworkRow(row)
    ? SdkConfig.makeResolveConfig(() => Effect.succeed(row), SdkConfig.makeNodeOptionChecks(layers))
    : () => SdkConfig.failInvalidConfig("network", "must be a row of effect-chains/chains, such as ETHEREUM"),
  load: (family) =>
    families.includes(family)
      ? Effect.succeed({ ...checks, endpoints })
      : SdkConfig.failInvalidConfig("network", `is of the family ${family}, not of ${families.join(" or ")}`),
  layers
})

/** The calls that were picked. */
const makePickedCalls = (picks: PickedEndpoints, dialect: Dialect, connection: Connection): object => ({
  ...connection.methods(group(dialect, picks)),
  ...Object.fromEntries(
    Object.entries(picks).flatMap(([name, pick]) =>
      isComposed(pick) ? [[name, pick.compose(connection)]] : []
    )
  )
})

/** The network of a configuration: a row goes as it is, of which the id is read alone. */
export const asAnyNetwork = (given: NetworkValue<AnyNetwork>): AnyNetwork => given as unknown as AnyNetwork

/** A client before its surface, where times are milliseconds. */
export const makePicked = <N extends AnyNetwork>(
  config: AnyPickedConfig<N, SdkConfig.SdkConfig>,
  bare: PickableFamily,
  loggerOf: (config: SdkConfig.ResolvedConfig) => LoggerService
): Effect.Effect<
  { readonly sdk: Omit<RpcSdk<N>, "rpc"> & { readonly rpc: object } },
  InitError,
  Http | Scope.Scope
> => {
  const { endpoints, network: row, ...options } = config
  const problem = findPickProblem(endpoints)
  if (problem !== undefined) return SdkConfig.failInvalidConfig(problem.path, problem.message)
  const source = makeRowSource(row, given(config.layers), bare, endpoints)
  return Effect.map(
    connectParts({ ...options, network: asAnyNetwork(row) }, source, loggerOf),
    ({ context, credits, pool, transport }) => {
      const routing = routingOf(Context.get(context, SdkConfig.Config).info)
      const methods: Connection["methods"] = (table) =>
        makeRpc(group(bare.dialect, table), transport, routing)
      const rpc = makePickedCalls(endpoints, bare.dialect, { methods, transport, routing })
      // the id of a row, or of a definition
      return { sdk: { network: row.id as IdOf<N>, rpc, nodes: pool, credits } }
    }
  )
}
