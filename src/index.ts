/**
 * One typed SDK for many networks: the Effect surface. Every module is a namespace.
 *
 * @since 0.1.0
 */
export * as Balancer from "./balancer/Balancer.js"
export * as Family from "./balancer/Family.js"
export * as NodePool from "./balancer/NodePool.js"
export * as Client from "./Client.js"
export * as Endpoint from "./Endpoint.js"
export * as Http from "./Http.js"
export * as Network from "./Network.js"
export * as Result from "./Result.js"
export * as Retry from "./Retry.js"
export * as Sdk from "./Sdk.js"
export * as SdkError from "./SdkError.js"
export * as Config from "./services/Config.js"
export * as Extension from "./services/Extension.js"
export * as Gateway from "./services/Gateway.js"
export * as Logger from "./services/Logger.js"
export * as WalletProvider from "./services/WalletProvider.js"
export * as Transport from "./Transport.js"
export * as Units from "./Units.js"
