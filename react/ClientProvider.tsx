"use client"

/**
 * The provider of clients that the application makes: the page loads what these need.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as React from "react"
import type { RpcSdk, Sdk } from "../src/client/Sdk.js"
import { networkIdOf } from "../src/data/definedNetworks.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { type InitError, InvalidConfig } from "../src/data/SdkError.js"
import type { Http } from "../src/http/service.js"
import type { ClientSource, MakeClient } from "./ClientStore.js"
import { type CommonProviderProps, makeUseProvider } from "./provider.js"
import { isEqual, isSameKind } from "./values.js"

/**
 * An effect that makes a client for hooks: `createClient` of `effect-chains/effect/evm`, or `make` of `effect-chains/effect/chains/*`.
 *
 * @since 0.1.0
 * @category models
 */
export type HookClient = Effect.Effect<
  Pick<RpcSdk<AnyNetwork>, "credits" | "nodes"> & { readonly network: string; readonly rpc: object },
  InitError,
  Http | Scope.Scope
>

/**
 * The props of the provider. `clients` are effects by the ids of their networks, each of which makes a client when a hook first names its
 * network. Make them outside of the component: other effects make new clients. `network` is that of hooks which name none.
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientProviderProps<Id extends string> extends CommonProviderProps {
  readonly clients: { readonly [N in Id]: HookClient }
  readonly network: NoInfer<Id>
}

/** What a render gives. */
interface GivenClients {
  readonly clients: Readonly<Record<string, HookClient>>
  readonly network: string
}

const findClient = ({ clients }: GivenClients, network: AnyNetwork | string): MakeClient => {
  const id = networkIdOf(network as AnyNetwork)
  const client = Object.hasOwn(clients, id) ? clients[id] : undefined
  const message = `is ${id}, of which ClientProvider has no client: it has ${Object.keys(clients).join(", ")}`
  // hooks find calls by their paths, and a call that the client does not have is an error of theirs
  return (client ??
    Effect.fail(new InvalidConfig({ issues: [{ path: "network", message }] }))) as Effect.Effect<
    Sdk,
    InitError,
    Http | Scope.Scope
  >
}

const makeClientsSource = (first: GivenClients): ClientSource => ({
  network: first.network,
  makeClient: (network) => findClient(first, network),
  matches: (given) => isEqual(first, given),
  differsByIdentityOnly: (given) => isSameKind(first, given),
  // clients are compared by identity, so a render with others has made new ones
  update: () => {},
  renew: () => makeClientsSource(first)
})

const useClientProvider = /*#__PURE__*/ makeUseProvider({
  provider: "ClientProvider",
  prop: "clients",
  makeSource: makeClientsSource
})

/**
 * Gives the hooks below it clients that you make, such as those of picked calls. It brings no other client into the page, which then has no
 * services: a hook of a call that the client lacks fails with `InvalidArgument`.
 *
 * ```tsx
 * const clients = { "ethereum-mainnet": createClient({ network: ETHEREUM, endpoints: { getBalance } }) }
 *
 * <ClientProvider network="ethereum-mainnet" clients={clients}>
 *   <App />
 * </ClientProvider>
 * ```
 *
 * @since 0.1.0
 * @category components
 */
export const ClientProvider = <const Id extends string>(
  props: ClientProviderProps<Id>
): React.ReactElement => {
  const { clients, network } = props
  return useClientProvider({ clients, network }, props)
}
