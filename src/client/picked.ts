/**
 * Clients of picked endpoints: the row of a network, endpoints of its family, and layers. Balancing, health checks,
 * hedging and error classes are always included; everything else is an import.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Family } from "../balancer/Family.js"
import type { NodePoolView } from "../balancer/NodePool.js"
import * as SdkConfig from "../config/Config.js"
import { makeNodeOptionChecks, type OptionCheck } from "../config/optionChecks.js"
import { failInvalidConfig, makeResolveConfig } from "../config/resolveConfig.js"
import { type Dialect, group, specOf } from "../data/Endpoint.js"
import type { AnyNetwork, FamilyId, IdOf, NetworkRow, NetworkValue } from "../data/Network.js"
import { isRecord } from "../data/untrusted.js"
import {
  type Composed,
  type Connection,
  makeRawRpc,
  makeRpc,
  type PickedEndpoints,
  type RawRpc,
  routingOf,
  type WithErrors
} from "../transport/Client.js"
import { type LayerConfig, type Layers, toClientLayers } from "../transport/layerStack.js"
import type { FullClientOption, MakeSource, RpcSdk } from "./clientParts.js"

/** The options that a client of picked endpoints lacks, or takes in another form. */
export type UnpickedOption = "network" | FullClientOption

/**
 * The parts of a client of picked endpoints. `network` is a row of `effect-chains/chains` or a definition;
 * `endpoints` become its methods.
 *
 * @since 0.1.0
 * @category models
 */
export interface PickOptions<N extends AnyNetwork, G extends PickedEndpoints> {
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
> = PickOptions<N, G> &
  LayerConfig<L, DurationInput> &
  Omit<SdkConfig.SdkConfig<N, C, DurationInput>, UnpickedOption | keyof Layers>

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

/** A client of picked endpoints before its surface. */
interface PickedParts {
  readonly sdk: Omit<RpcSdk, "network" | "rpc"> & { readonly network: string; readonly rpc: object }
}

const isComposed = (value: object): value is Composed<unknown> => "compose" in value

const checkPicks: OptionCheck = (picks, path) =>
  isRecord(picks)
    ? Object.entries(picks).flatMap(([name, pick]) =>
        specOf(pick) !== undefined || (isRecord(pick) && isComposed(pick))
          ? []
          : [{ path: `${path}.${name}`, message: "must be an endpoint or a method that its module exports" }]
      )
    : "must be an object of endpoints, such as { getBalance }"

const isNetworkRow = (value: unknown): value is NetworkRow =>
  isRecord(value) && typeof value.id === "string" && typeof value.family === "string"

/** Makes the picked calls. */
const makePickedCalls = (
  picks: PickedEndpoints,
  dialect: Dialect,
  connection: Connection,
  bindComposed: (calls: object) => object = (calls) => calls
): object => ({
  ...connection.methods(group(dialect, picks)),
  ...bindComposed(
    Object.fromEntries(
      Object.entries(picks).flatMap(([name, pick]) =>
        isComposed(pick) ? [[name, pick.compose(connection)]] : []
      )
    )
  )
})

/** Makes sources of picked endpoints: the network is a row, and the calls are those of the configuration. */
export const makePickedSource =
  ({ checks, dialect, families }: PickableFamily): MakeSource<PickedParts> =>
  ({ endpoints, layers }) => {
    const clientLayers = toClientLayers(layers)
    const picks = endpoints ?? {}
    const resolve = makeResolveConfig(
      (row) =>
        isNetworkRow(row)
          ? Effect.succeed(row)
          : failInvalidConfig("network", "must be a row of effect-chains/chains, such as ETHEREUM"),
      // the network was checked above
      { ...makeNodeOptionChecks(clientLayers), network: () => undefined, endpoints: checkPicks }
    )
    return {
      layers: clientLayers,
      resolve: (config, environment) => {
        // an undefined option would count as not given
        const options = { ...config, endpoints: endpoints ?? null }
        return resolve(options, environment)
      },
      load: (family) =>
        families.includes(family)
          ? Effect.succeed({ ...checks, endpoints: picks })
          : failInvalidConfig("network", `is of the family ${family}, not of ${families.join(" or ")}`),
      makeParts: ({ bindComposed, context, credits, pool, transport }) => {
        const { info, network } = Context.get(context, SdkConfig.Config)
        const routing = routingOf(info)
        const methods: Connection["methods"] = (table) => makeRpc(group(dialect, table), transport, routing)
        const rpc = makePickedCalls(picks, dialect, { methods, transport, routing }, bindComposed)
        return Effect.succeed({ sdk: { network, rpc, nodes: pool, credits } })
      }
    }
  }
