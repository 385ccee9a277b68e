/**
 * The declaration of a chain family for the balancer and the client. The files in `src/chains` export values of it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PastBlock } from "../data/Endpoint.js"
import type { ChainCheck, NetworkInfo } from "../data/Network.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { MakeCalls } from "../transport/Client.js"
import type { Call } from "../wire/Transport.js"
import type { Layout } from "./Layout.js"

/**
 * The request that checks the health and the block height of a node.
 *
 * @since 0.1.0
 * @category models
 */
export interface Probe {
  readonly verb: "GET" | "POST"
  /** The rest of the url, after the node's: empty, or a path that starts with a slash. */
  readonly path: string
  /** The JSON body of a POST, as it is sent. */
  readonly body?: unknown
  /** Reads the height. If it yields `undefined`, the node counts as failed. */
  readonly height: (answer: unknown) => unknown
  /** The probe for a node without this route (404, 405 or 501), which may be another program of the same chain. */
  readonly otherwise?: Probe
}

export type { ChainCheck } from "../data/Network.js"

/**
 * Makes the call that asks whether a node has a past block.
 *
 * @since 0.1.0
 * @category models
 */
export type MakeHasBlockCall = (block: PastBlock) => Call<boolean>

/**
 * Reads native balances, in the smallest unit and in the order of the addresses.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadNativeBalances = (
  makeCalls: MakeCalls,
  addresses: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<bigint>, RpcCallError>

/**
 * The details of a token, as far as its contract has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDetails {
  readonly symbol?: string
  readonly decimals?: number
}

/**
 * Reads the details of a token from nodes, for networks where the provider's balances lack them.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTokenDetails = (
  makeCalls: MakeCalls,
  contract: string
) => Effect.Effect<TokenDetails, RpcCallError>

/**
 * The shape of a family's addresses, as a pattern and in words (`0x and 40 hexadecimal digits`).
 *
 * @since 0.1.0
 * @category models
 */
export type AddressShape = readonly [pattern: RegExp, words: string]

/**
 * A route of the provider that has a whole account. `path` is the route; the address is appended. The other members name the fields of its
 * answer: `coins` is the native balance in the smallest unit, `tokens` a list of records from contracts to amounts, `error` the message of
 * an error.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderAccount {
  readonly path: string
  readonly coins: string
  readonly tokens: string
  readonly error: string
}

/**
 * The shape of a family's addresses, and where their balances come from. The file of a family exports it as `accounts`, apart from the
 * family, so that clients without services do not load it.
 *
 * @since 0.1.0
 * @category models
 */
export interface FamilyAccounts {
  /** The shape of addresses. Without it, any text counts as an address. */
  readonly address?: AddressShape
  /** Balances and histories take one address per request. */
  readonly oneAddress?: true
  /** The provider's route of accounts with tokens, for networks without its data API. */
  readonly account?: ProviderAccount
  /** Reads native balances from nodes. Without it they come from the provider's API, if at all. */
  readonly nativeBalances?: ReadNativeBalances
  /** Reads the details of a token from nodes. */
  readonly tokenDetails?: ReadTokenDetails
}

/**
 * How a family's nodes are checked, and what a client has besides the endpoints.
 *
 * @since 0.1.0
 * @category models
 */
export interface FamilyNodes {
  /**
   * The health check of a node. The provider's nodes and your own (`isOwn`) may need different probes: your own may run each server on its
   * own port.
   */
  readonly probe?: (id: string, network: NetworkInfo, isOwn?: boolean) => Probe
  readonly chain?: ChainCheck
  /** Without it, empty answers about past blocks are accepted from every node. */
  readonly makeHasBlockCall?: MakeHasBlockCall
  /** Methods of the client that are made of several calls or of raw calls. */
  readonly composed?: (makeCalls: MakeCalls) => object
  /** The urls of its routes. Without it, all are at the node's url. */
  readonly layout?: Layout
}

declare const ClientType: unique symbol

/**
 * A chain family: its endpoint table `G`, how its nodes are checked, and the type of its client `C`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Family<out G extends object = object, out C extends object = object> extends FamilyNodes {
  readonly [ClientType]?: C
  readonly endpoints: G
  /** Every family has one: no network is without health checks. Only a {@link ClientFamily} that a program makes itself may lack it. */
  readonly probe: NonNullable<FamilyNodes["probe"]>
}

/**
 * The current client's chain family, without its endpoints. The balancer and the address services use it.
 *
 * @since 0.1.0
 * @category services
 */
export class ClientFamily extends /*#__PURE__*/ Context.Tag("effect-chains/balancer/Family/ClientFamily")<
  ClientFamily,
  FamilyNodes & FamilyAccounts
>() {}

/**
 * Makes a function that reads the member of an answer at a path of keys.
 *
 * @since 0.1.0
 * @category getters
 */
export const fieldAt =
  (...keys: ReadonlyArray<string | number>) =>
  (answer: unknown): unknown =>
    keys.reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      answer
    )

/**
 * Makes a probe that is a JSON-RPC call.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rpcProbe = (
  method: string,
  params: unknown,
  keys: ReadonlyArray<string | number>,
  path = ""
): Probe => ({
  verb: "POST",
  path,
  body: { jsonrpc: "2.0", id: 1, method, params },
  height: fieldAt("result", ...keys)
})

/**
 * Makes a probe that is a GET request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const getProbe = (path: string, keys: ReadonlyArray<string | number>): Probe => ({
  verb: "GET",
  path,
  height: fieldAt(...keys)
})
