/**
 * Defines networks that the SDK does not know, on the Effect surface: `effect-chains/effect/networks/define`. Errors
 * are those of `effect-chains`.
 *
 * @since 0.1.0
 */
export * from "../config/chainLists.js"
export {
  defineNetwork,
  type NetworkDefinitionOf,
  type NetworkDefinitionOptions
} from "../config/defineNetwork.js"
export type * from "../data/ChainParameters.js"
export type {
  AnyNetwork,
  Currency,
  Explorer,
  NetworkDefinition,
  ProvidedServices,
  Rollup
} from "../data/Network.js"
