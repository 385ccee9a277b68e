"use client"

/**
 * The hooks that give the whole client of a network. Clients that an application makes itself may have less.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as React from "react"
import type { Sdk } from "../src/client/Sdk.js"
import type * as CallResult from "../src/data/CallResult.js"
import type { AnyNetwork } from "../src/data/Network.js"
import type { InitError } from "../src/data/SdkError.js"
import { useNetworkClient } from "./ClientStore.js"
import { useRunner } from "./calls.js"
import type { DefaultNetwork, NetworkOptions } from "./types.js"
import { useObservedRx, useSuspenseRx } from "./useRx.js"

/**
 * The client of a network, for calls without a hook. It is undefined until it is made.
 *
 * @since 0.1.0
 * @category clients
 */
export const useSdk = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): Sdk<N> | undefined => {
  const client = useNetworkClient(options?.network)
  // the client was made for this network
  const ready = useObservedRx(client, client.ready, {}).reading.data as { readonly sdk: Sdk<N> } | undefined
  return ready?.sdk
}

/**
 * The Suspense twin of {@link useSdk}: suspends until there is a client, and throws the error if it cannot be made.
 *
 * @since 0.1.0
 * @category clients
 */
export const useSuspenseSdk = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): Sdk<N> => {
  const client = useNetworkClient(options?.network)
  // the client was made for this network, and a Suspense hook returns only data
  return (useSuspenseRx(client, client.ready, {}).reading.data as { readonly sdk: Sdk<N> }).sdk
}

/**
 * Returns the function that runs effects with a network's client: `const run = useRun()`, then `await run((sdk) => sdk.rpc.chainId())`. The
 * promise never rejects. An effect continues after the component has unmounted.
 *
 * @since 0.1.0
 * @category clients
 */
export const useRun = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): (<A, E extends { readonly message: string }>(
  use: Effect.Effect<A, E> | ((sdk: Sdk<N>) => Effect.Effect<A, E>)
) => Promise<CallResult.Result<A, E | InitError>>) => {
  const run = useRunner(options?.network)
  return React.useCallback(
    // the client was made for this network
    (use) => run((sdk) => (typeof use === "function" ? use(sdk as unknown as Sdk<N>) : use)),
    [run]
  )
}
