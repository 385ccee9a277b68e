/**
 * The networks in the form that the provider's services need. A network starts with its first use.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Network } from "../data/Network.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * The networks. `kindOf` is the kind of a network's backend: nodes, or recordings. `rpc` makes a JSON-RPC call at a
 * node and yields the result. It fails with the node's message (`chain`). `indexNewBlocks` completes when the store has
 * all blocks that the nodes had when it was called, and at once for networks whose blocks are not indexed.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodesService {
  readonly kindOf: (network: Network) => "evm" | "utxo" | "solana" | "ton" | "recorded"
  readonly rpc: (
    network: Network,
    method: string,
    params: ReadonlyArray<unknown>
  ) => Effect.Effect<unknown, SandboxError>
  readonly indexNewBlocks: (network: Network) => Effect.Effect<void, SandboxError>
}

/**
 * The networks of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Nodes extends Context.Tag("effect-chains/sandbox/Nodes")<Nodes, NodesService>() {}
