/**
 * The embedded provider for development and tests (Node only): `import * as Sandbox from "effect-chains/sandbox"`.
 *
 * @since 0.1.0
 */

export type { Fault } from "./NodeProxy.js"
/** Real EVM nodes as scoped processes. */
export * as Anvil from "./nodes/Anvil.js"
export * from "./Sandbox.js"
export { SandboxError } from "./SandboxError.js"
