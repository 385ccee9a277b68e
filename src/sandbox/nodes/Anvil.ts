/**
 * Anvil nodes as scoped processes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { callJsonRpc } from "../Loopback.js"
import type { SandboxError } from "../SandboxError.js"
import * as binaries from "./binaries.js"
import * as Process from "./Process.js"

/**
 * The version of anvil that the sandbox is tested with.
 *
 * @since 0.1.0
 * @category conversions
 */
export const VERSION: string = binaries.nodeBinaries.anvil.version ?? ""

/**
 * The path of the anvil binary: from the platform's package next to this one or in the working directory's project, or
 * else from the PATH. Fails with the package and version to install.
 *
 * @since 0.1.0
 * @category conversions
 */
export const binary: Effect.Effect<string, SandboxError> = binaries.requireProgram("anvil")

/**
 * The options of a node. `blockTime` is in seconds; without it there is one block per transaction. `number` and
 * `timestamp` (Unix seconds) are the genesis block's. With `noMining`, only `evm_mine` makes blocks. There are ten
 * accounts by default.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnvilOptions {
  readonly chainId: number
  readonly blockTime?: number
  readonly accounts?: number
  readonly number?: number
  readonly timestamp?: number
  readonly noMining?: boolean
}

/**
 * A node, which ends with its scope. When it starts again, it has the same url and begins at genesis.
 *
 * @since 0.1.0
 * @category models
 */
export interface AnvilNode extends Process.NodeProcess {
  readonly chainId: number
}

/**
 * Starts an anvil on a free port of 127.0.0.1 and waits up to 10 seconds until it answers. It ends with the scope and
 * with this process, however the process ends. Fails without a binary (`binary`), and with anvil's output if it does
 * not come up (`start`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (options: AnvilOptions): Effect.Effect<AnvilNode, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const node = yield* Process.make({
      name: "anvil",
      command: yield* binary,
      args: (port) =>
        [
          ["--host", "127.0.0.1"],
          ["--port", port],
          ["--chain-id", options.chainId],
          ["--silent"],
          options.blockTime === undefined ? [] : ["--block-time", options.blockTime],
          options.accounts === undefined ? [] : ["--accounts", options.accounts],
          options.number === undefined ? [] : ["--number", options.number],
          options.timestamp === undefined ? [] : ["--timestamp", options.timestamp],
          options.noMining ? ["--no-mining"] : []
        ].flatMap((group) => group.map(String)),
      ready: (url) =>
        Effect.map(
          callJsonRpc(url, { method: "eth_chainId" }),
          (answer) => "result" in answer && Number(answer.result) === options.chainId
        )
    })
    return { ...node, chainId: options.chainId }
  })
