/**
 * The networks as the provider's services need them. A network is started when it is first asked for.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Network } from "../data/Network.js"
import type { SandboxError } from "./SandboxError.js"

/**
 * The networks. `kindOf` tells the backend of one: nodes of a kind, or recordings where there are no nodes. `rpc` makes a
 * JSON-RPC call at a node and yields the result; it fails with the node's message (`chain`). `indexNewBlocks` is done when the store has
 * all blocks that the nodes had when it was called; where no blocks are indexed it is done at once.
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
