"use client"

/**
 * The provider: from one configuration it makes a client for each network that a hook names.
 *
 * @since 0.1.0
 */
import type * as React from "react"
import { makeHttp } from "../src/client/Sdk.js"
import type { SdkConfig } from "../src/config/Config.js"
import { networkIdOf } from "../src/data/definedNetworks.js"
import type { OnThisEffect } from "../src/data/effectVersion.js"
import type { AnyNetwork, Network } from "../src/data/Network.js"
import type { InitConfig } from "../src/promise.js"
import { type ClientSource, warnOnce } from "./ClientStore.js"
import { type CommonProviderProps, makeUseProvider } from "./provider.js"
import { delegateFunctions, isSameConfig } from "./stableConfig.js"
import type { DefaultConsistency } from "./types.js"
import { isEqual, isSameKind } from "./values.js"

/**
 * The configuration of a provider: that of `init` for its own network. Other networks share it without the nodes, and have settings of
 * their own in `networks`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderConfig<N extends AnyNetwork = AnyNetwork>
  extends SdkConfig<N, DefaultConsistency>,
    Pick<InitConfig, "fetch"> {
  readonly networks?: { readonly [M in Network]?: Partial<Omit<SdkConfig<M, DefaultConsistency>, "network">> }
}

/**
 * The props of the provider. `config` is compared by value, so that each render may make a new one. Its functions, such as `fetch`, are
 * those of the last render.
 *
 * @since 0.1.0
 * @category models
 */
export interface SdkProviderProps extends CommonProviderProps {
  readonly config: ProviderConfig
}

/** The configuration of a network's client. */
const toNetworkConfig = (
  { fetch: _fetch, network: ownNetwork, networks = {}, rpc = {}, ...common }: ProviderConfig,
  network: AnyNetwork
): SdkConfig<Network, DefaultConsistency> => {
  const { nodes: _nodes, ...sharedRpc } = rpc
  const id = networkIdOf(network)
  const settings: Readonly<
    Record<string, Partial<Omit<SdkConfig<AnyNetwork, DefaultConsistency>, "network">>>
  > = networks
  const { rpc: networkRpc, ...networkSettings } = settings[id] ?? {}
  return {
    ...common,
    ...networkSettings,
    // hooks take any network, and a definition's client is one of its family
    network: network as Network,
    rpc: { ...(id === networkIdOf(ownNetwork) ? rpc : sharedRpc), ...networkRpc }
  }
}

/** The clients of a configuration: one for any network. */
export const makeConfiguredSource = (firstConfig: ProviderConfig): ClientSource => {
  const ownNetwork = networkIdOf(firstConfig.network)
  let latest: object = firstConfig
  const config = delegateFunctions(firstConfig, () => latest)
  return {
    network: ownNetwork,
    fetch: config.fetch,
    makeClient: (network) =>
      // an unknown id fails when its client is made
      makeHttp(
        toNetworkConfig(config, network === ownNetwork ? firstConfig.network : (network as AnyNetwork))
      ),
    matches: (given) => isSameConfig(firstConfig, given),
    differsByIdentityOnly: (given) => isSameKind(firstConfig, given),
    update: (given) => {
      if (process.env.NODE_ENV !== "production" && !isEqual(latest, given))
        warnOnce(
          "SdkProvider",
          "a render has made new functions for `config`: the clients stay, and call those of the last render"
        )
      latest = given
    },
    // both have the same fields, and the functions of the last render count
    renew: () => makeConfiguredSource({ ...firstConfig, ...latest })
  }
}

const useSdkProvider = /*#__PURE__*/ makeUseProvider({
  provider: "SdkProvider",
  prop: "config",
  makeSource: makeConfiguredSource
})

/**
 * Gives the hooks below it their clients: one for each network that they name, made on demand. The clients end soon after the provider has
 * unmounted.
 *
 * ```tsx
 * <SdkProvider config={{ network: "ethereum-mainnet", apiKey }}>
 *   <App />
 * </SdkProvider>
 * ```
 *
 * @since 0.1.0
 * @category components
 */
export const SdkProvider = (props: OnThisEffect<SdkProviderProps>): React.ReactElement =>
  useSdkProvider(props.config, props)
