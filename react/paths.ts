import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RpcOf, Sdk } from "../src/client/Sdk.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import type { catalogue, MethodKind, Services } from "../src/services/Services.js"
import type { Effectful } from "../src/transport/Client.js"

/**
 * The groups of methods that hooks and Rx can call: a network's nodes and services. Without a network: all services, and the methods that
 * the nodes of all networks have.
 *
 * @since 0.1.0
 * @category types
 */
export type ClientOf<N extends AnyNetwork> = [Network] extends [N]
  ? { readonly rpc: RpcOf<N> } & Services
  : Omit<Sdk<N>, "network" | "nodes" | "credits">

export type Callable = (...args: never) => unknown

/** The catalogue's entry for a member. The nodes' functions have none: they are marked themselves. */
export type CatalogueEntry<K, M> = M extends keyof K ? K[M] : unknown

export type KindOf<F, K> = K extends MethodKind
  ? K
  : F extends Effectful
    ? "write"
    : F extends (...args: never) => Effect.Effect<infer _A, infer _E>
      ? "read"
      : F extends (...args: never) => Stream.Stream<infer _A, infer _E>
        ? "live"
        : never

/** Groups nest three deep (`rpc.beacon.v1`). Without this limit, TypeScript before 5.9 does not end for a network that is a type parameter. */
type PathsIn<C, K, Kind, Before extends string, Left extends ReadonlyArray<unknown> = [1, 2, 3]> = {
  [M in keyof C & string]: C[M] extends Callable
    ? KindOf<C[M], CatalogueEntry<K, M>> extends Kind
      ? `${Before}${M}`
      : never
    : Left extends readonly [unknown, ...infer Rest]
      ? PathsIn<C[M], CatalogueEntry<K, M>, Kind, `${Before}${M}.`, Rest>
      : never
}[keyof C & string]

/**
 * The dotted paths of a network's methods of one kind: `"address.getBalance"`, `"rpc.beacon.v1.getGenesis"`.
 *
 * @since 0.1.0
 * @category types
 */
export type Path<N extends AnyNetwork, Kind extends MethodKind> = string &
  PathsIn<ClientOf<N>, typeof catalogue, Kind, "">

type At<C, P> = P extends `${infer Head}.${infer Rest}`
  ? Head extends keyof C
    ? At<C[Head], Rest>
    : never
  : P extends keyof C
    ? C[P]
    : never

/**
 * The method at a dotted path of a network's client.
 *
 * @since 0.1.0
 * @category types
 */
export type Method<N extends AnyNetwork, P extends string> = At<ClientOf<N>, P>
