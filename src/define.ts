/**
 * Defines networks that the SDK does not know: `effect-chains/networks/define`.
 *
 * ```ts
 * import { defineNetwork } from "effect-chains/networks/define"
 * ```
 *
 * @since 0.1.0
 */
export * from "./client/DefineNetwork.js"
