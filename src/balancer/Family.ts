/**
 * The declaration of a chain family for the balancer and the client. Every file in `src/chains` exports values of it,
 * so that nothing outside those files holds a list of families.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PastBlock } from "../data/Endpoint.js"
import type { ChainCheck, NetworkInfo } from "../data/Network.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { MakeClient } from "../transport/Client.js"
import type { Call } from "../wire/Transport.js"
import type { Layout } from "./Layout.js"

/**
 * The question that tells whether a node is alive, and how high its chain is.
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
  /** The height in the answer, `undefined` where there is none: then the node counts as failed. */
  readonly height: (answer: unknown) => unknown
  /** What is asked in place of it where a node has no such route (404, 405 or 501): it may be another program of the same chain. */
  readonly otherwise?: Probe
}

export type { ChainCheck } from "../data/Network.js"

/**
 * The question that tells whether a node holds a past block: its value is the answer.
 *
 * @since 0.1.0
 * @category models
 */
export type HoldsQuestion = (block: PastBlock) => Call<boolean>

/**
 * Reads native balances, in the smallest unit and in the order of the addresses.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadNativeBalances = (
  client: MakeClient,
  addresses: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<bigint>, RpcCallError>

/**
 * The details of a token, as far as its contract tells them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenDetails {
  readonly symbol?: string
  readonly decimals?: number
}

/**
 * Asks the nodes what a token is, for networks whose balances the provider has without it.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTokenDetails = (
  client: MakeClient,
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
 * An account that the provider answers for in one piece. The address is appended to `path`; the others are names of
 * fields: `coins` is the native balance in the smallest unit, `tokens` is a list of records from contracts to amounts, and
 * `refusal` is what the answer says where it is none.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderAccount {
  readonly path: string
  readonly coins: string
  readonly tokens: string
  readonly refusal: string
}

/**
 * The shape of a family's addresses, and where their balances are. The file of a family exports it as `accounts`, beside
 * the family: clients without services have nothing of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface FamilyAccounts {
  /** Text of another shape is no address. Without it, any text may be one. */
  readonly address?: AddressShape
  /** Balances and histories are asked for one address per call. */
  readonly oneAddress?: true
  /** Where the provider has accounts with their tokens, for networks that its data API does not know. */
  readonly account?: ProviderAccount
  /** Native balances over the nodes. Without it the provider's API has them, or nobody. */
  readonly nativeBalances?: ReadNativeBalances
  /** The details of a token, over the nodes. */
  readonly tokenDetails?: ReadTokenDetails
}

/**
 * How a family's nodes are checked, and the questions besides its endpoints.
 *
 * @since 0.1.0
 * @category models
 */
export interface FamilyNodes {
  /** What a node is asked, which may differ between the provider's and own ones: those are laid out as the chain's own servers are. */
  readonly probe?: (id: string, network: NetworkInfo, isOwn?: boolean) => Probe
  readonly chain?: ChainCheck
  /** Without it, nodes are believed that a past block has nothing of what was asked for. */
  readonly holdsQuestion?: HoldsQuestion
  /** Members of the client that are no single call: they are made of several, or of raw ones. */
  readonly composed?: (client: MakeClient) => object
  /** Where its routes are. Without it, all are at the node's url. */
  readonly layout?: Layout
}

declare const ClientType: unique symbol

/**
 * A chain family: its endpoint table, how its nodes are checked, and as a type alone its client `C`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Family<out G extends object = object, out C extends object = object> extends FamilyNodes {
  readonly [ClientType]?: C
  readonly endpoints: G
  /** Every family has one: no network is without health checks. */
  readonly probe: NonNullable<FamilyNodes["probe"]>
}

/**
 * The family of the client at hand, without its table: what the balancer needs, and the services of addresses.
 *
 * @since 0.1.0
 * @category services
 */
export class Checks extends /*#__PURE__*/ Context.Tag("effect-chains/balancer/Family/Checks")<
  Checks,
  FamilyNodes & FamilyAccounts
>() {}

/**
 * The member of an answer at a path of keys.
 *
 * @since 0.1.0
 * @category getters
 */
export const at =
  (...keys: ReadonlyArray<string | number>) =>
  (answer: unknown): unknown =>
    keys.reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      answer
    )

/**
 * A probe that is a JSON-RPC call.
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
  height: at("result", ...keys)
})

/**
 * A probe that is a GET of a route.
 *
 * @since 0.1.0
 * @category constructors
 */
export const getProbe = (path: string, keys: ReadonlyArray<string | number>): Probe => ({
  verb: "GET",
  path,
  height: at(...keys)
})
