/**
 * The runtimes of networks: the table from families and ids to nodes.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Network from "../../data/Network.js"
import type { SandboxError } from "../SandboxError.js"
import * as Bcoin from "./Bcoin.js"
import { findProgram, type NodeName } from "./binaries.js"
import * as Litecoind from "./Litecoind.js"
import { onlyNode, type UtxoChain, type UtxoNode, type UtxoOptions } from "./Utxo.js"

/**
 * The programs for chains of Bitcoin's kind.
 *
 * @since 0.1.0
 * @category models
 */
export type UtxoProgram = "bcoin" | "bcash" | "litecoind"

/**
 * The runtime of a network. `recorded` stands for a network that no node here can run, or whose node, `lacks`, is not installed
 * and is not needed for answers. `beacon` says whether a Lodestar can
 * serve the routes of the consensus layer, which no anvil has.
 *
 * @since 0.1.0
 * @category models
 */
export type Runtime =
  | { readonly runs: "evm"; readonly program: "anvil"; readonly chainId: number; readonly beacon: boolean }
  | { readonly runs: "utxo"; readonly program: UtxoProgram }
  | { readonly runs: "solana"; readonly program: "surfpool" }
  | { readonly runs: "ton"; readonly program: "ton-sandbox" }
  | { readonly runs: "recorded"; readonly lacks?: NodeName }

const recorded: Runtime = { runs: "recorded" }

/** The programs for chains of Bitcoin's kind by families, and ids where one stands there: of several, the nearest to it is first. */
const utxoRows: ReadonlyArray<{
  readonly family: Network.Family
  readonly id?: string
  readonly programs: readonly [...ReadonlyArray<UtxoProgram>, UtxoProgram]
}> = [
  { family: "utxo", id: "bitcoin-", programs: ["bcoin"] },
  { family: "utxo", id: "litecoin-", programs: ["litecoind", "bcoin"] },
  // Dogecoin's dialect is bcoin's: a boolean verbose, and estimatefee
  { family: "doge", programs: ["bcoin"] },
  { family: "utxo-estimatefee", programs: ["bcash"] }
]

/**
 * The programs that can run a network of Bitcoin's kind: the first that is installed does. None for other networks.
 *
 * @since 0.1.0
 * @category operations
 */
export const utxoPrograms = (network: Network.Network): ReadonlyArray<UtxoProgram> =>
  utxoRows.find(({ family, id = "" }) => family === Network.info(network).family && network.startsWith(id))
    ?.programs ?? []

/** The runtimes of the other families. */
const runtimeRows: ReadonlyArray<{
  readonly families: ReadonlyArray<Network.Family>
  readonly runtime: (info: Network.NetworkInfo) => Runtime
}> = [
  {
    families: Network.evmFamilies,
    runtime: ({ chainId, family }) =>
      chainId === undefined
        ? recorded
        : {
            runs: "evm",
            program: "anvil",
            chainId,
            beacon: family === "evm-beacon" && findProgram("lodestar") !== undefined
          }
  },
  { families: ["solana"], runtime: () => ({ runs: "solana", program: "surfpool" }) },
  {
    families: ["ton"],
    runtime: () =>
      findProgram("ton-sandbox") === undefined
        ? { runs: "recorded", lacks: "ton-sandbox" }
        : { runs: "ton", program: "ton-sandbox" }
  }
]

/**
 * The runtime of a network here. For Litecoin, TON and the beacon routes it depends on the installed programs.
 *
 * @since 0.1.0
 * @category constants
 */
export const runtimeOf = (network: Network.Network): Runtime => {
  const programs = utxoPrograms(network)
  // where none is installed, the error is about the last, which npm has
  const program = programs.find((name) => findProgram(name) !== undefined) ?? programs.at(-1)
  if (program !== undefined) return { runs: "utxo", program }
  const info = Network.info(network)
  return runtimeRows.find(({ families }) => families.includes(info.family))?.runtime(info) ?? recorded
}

/**
 * Whether a path belongs to the consensus layer: `/eth/v1/…` or `/eth/v2/…`.
 *
 * @since 0.1.0
 * @category constants
 */
export const isBeaconPath = (path: string): boolean => /^\/eth\/v[12]\//.test(path)

/**
 * Starts a chain of Bitcoin's kind on `size` nodes; see `chain` of Bcoin.ts and Litecoind.ts.
 *
 * @since 0.1.0
 * @category constants
 */
export const startUtxoChain = (
  program: UtxoProgram,
  size: number,
  options: UtxoOptions = {}
): Effect.Effect<UtxoChain, SandboxError, Scope.Scope> =>
  program === "litecoind"
    ? Litecoind.startChain(size, options)
    : Bcoin.startChain(size, { ...options, program })

/**
 * Starts a chain of Bitcoin's kind on one node.
 *
 * @since 0.1.0
 * @category constants
 */
export const startUtxo = (
  program: UtxoProgram,
  options: UtxoOptions = {}
): Effect.Effect<UtxoNode, SandboxError, Scope.Scope> => onlyNode(startUtxoChain(program, 1, options))

/**
 * The programs that the nodes of a network are, or would be. None for recordings that no node could replace.
 *
 * @since 0.1.0
 * @category operations
 */
export const programsOf = (network: Network.Network): ReadonlyArray<NodeName> => {
  const runtime = runtimeOf(network)
  if (runtime.runs !== "recorded") return [runtime.program]
  return runtime.lacks === undefined ? [] : [runtime.lacks]
}
