/**
 * Clients of picked endpoints: the row of a network, endpoints of its family, and layers. Balancing, health checks,
 * hedging and error classes are always included; everything else is an import.
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
 * The endpoints of a client, by the names of its methods. A pick may also be a method that makes several calls.
 *
 * @since 0.1.0
 * @category models
 */
export type PickedEndpoints = Readonly<Record<string, Endpoint<unknown> | Composed<unknown>>>

/** The options that a client of picked endpoints lacks, or takes in another form. */
export type UnpickedOption = "network" | FullClientOption

/**
 * The parts of a client of picked endpoints. `network` is a row of `effect-chains/chains` or a definition;
 * `endpoints` become its methods.
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

/** The configuration of a client of picked endpoints with any layers, over the options `C` of its surface. */
export type AnyPickedConfig<N extends AnyNetwork, C> = PickedParts<N, PickedEndpoints> & {
  readonly layers?: Layers
} & Omit<C, UnpickedOption>

/**
 * A client of picked endpoints on the Effect surface. `More` are the further errors of reads: `BlockNotReached`, with
 * `consistency: "monotonic"`.
 *
 * @since 0.1.0
 * @category clients
 */
export interface PickedClient<N extends AnyNetwork, Rpc, More = never> {
  readonly network: IdOf<N>
  /** The picked calls of the network's nodes. */
  readonly rpc: WithErrors<Rpc, More>
  /** The pool of nodes behind the calls. */
  readonly nodes: NodePoolView
  /** The credits that the client has spent, or undefined without the option `quota`. */
  readonly credits: RpcSdk["credits"]
}

/** A raw call as a pick. It knows all methods of these endpoints, so the bundle gets their table. */
export const makeRawPick = <K extends keyof RawRpc>(endpoints: object, name: K): Composed<RawRpc[K]> => ({
  compose: ({ routing, transport }) => makeRawRpc(endpoints, transport, routing)[name]
})

/** A family without its table of endpoints. */
export interface PickableFamily {
  /** The families whose nodes take these calls. */
  readonly families: ReadonlyArray<FamilyId>
  readonly dialect: Dialect
  readonly checks: Omit<Family, "endpoints">
}

const isComposed = (value: object): value is Composed<unknown> => "compose" in value

/** Finds a pick that is no endpoint and no method. */
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

/** A source of one network, by its row. */
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

/** Makes the picked calls. */
const makePickedCalls = (picks: PickedEndpoints, dialect: Dialect, connection: Connection): object => ({
  ...connection.methods(group(dialect, picks)),
  ...Object.fromEntries(
    Object.entries(picks).flatMap(([name, pick]) =>
      isComposed(pick) ? [[name, pick.compose(connection)]] : []
    )
  )
})

/** A row as the network of a configuration: of a network there only its id is read. */
export const asAnyNetwork = (given: NetworkValue<AnyNetwork>): AnyNetwork => given as unknown as AnyNetwork

/** Makes the client before its surface. Durations are milliseconds. */
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
