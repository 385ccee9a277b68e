/**
 * The hooks for clients that you make, such as those of picked calls: the page loads what these clients need. It has
 * `ClientProvider` in place of `SdkProvider`, and all other exports of `effect-chains/react` but the hooks that give a whole client: `useSdk`,
 * `useSuspenseSdk` and `useRun`.
 *
 * ```tsx
 * import { ETHEREUM } from "effect-chains/chains"
 * import { createClient, getBalance } from "effect-chains/effect/evm"
 * import { ClientProvider, useRpc } from "effect-chains/react/clients"
 *
 * const clients = { "ethereum-mainnet": createClient({ network: ETHEREUM, endpoints: { getBalance } }) }
 * ```
 *
 * @since 0.1.0
 */
export { ClientProvider, type ClientProviderProps, type HookClient } from "./ClientProvider.js"
export * from "./surface.js"
