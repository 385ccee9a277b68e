/**
 * The runtimes of networks: the table of nodes by family and id.
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
 * The runtime of a network. `recorded` means that no node can run it, or that its node, `lacks`, is not installed and
 * recordings can answer. `beacon` says whether a Lodestar can serve the consensus layer, which anvil does not have.
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

/**
 * The programs for chains of Bitcoin's kind, by family and by the beginning of an id. The one closest to the chain
 * comes first.
 */
const utxoRows: ReadonlyArray<{
  readonly family: Network.FamilyId
  readonly id?: string
  readonly programs: readonly [...ReadonlyArray<UtxoProgram>, UtxoProgram]
}> = [
  { family: "utxo", id: "bitcoin-", programs: ["bcoin"] },
  { family: "utxo", id: "litecoin-", programs: ["litecoind", "bcoin"] },
  // Dogecoin uses bcoin's dialect: a boolean verbosity, and estimatefee
  { family: "doge", programs: ["bcoin"] },
  { family: "utxo-estimatefee", programs: ["bcash"] }
]

/**
 * The programs for a network of Bitcoin's kind; the first installed one runs it. None for other networks.
 *
 * @since 0.1.0
 * @category operations
 */
export const utxoPrograms = (network: Network.Network): ReadonlyArray<UtxoProgram> =>
  utxoRows.find(({ family, id = "" }) => family === Network.info(network).family && network.startsWith(id))
    ?.programs ?? []

/** The runtimes of the other families. */
const runtimeRows: ReadonlyArray<{
  readonly families: ReadonlyArray<Network.FamilyId>
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
 * The runtime of a network on this machine. For Litecoin, TON and the beacon routes it depends on the installed
 * programs.
 *
 * @since 0.1.0
 * @category constants
 */
export const runtimeOf = (network: Network.Network): Runtime => {
  const programs = utxoPrograms(network)
  // if none is installed, the error is about the last, which npm has
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
 * Starts a chain of Bitcoin's kind on `size` nodes; see `startChain` of Bcoin.ts and Litecoind.ts.
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
 * The programs that run a network's nodes, or could. None for recordings that no node could replace.
 *
 * @since 0.1.0
 * @category operations
 */
export const programsOf = (network: Network.Network): ReadonlyArray<NodeName> => {
  const runtime = runtimeOf(network)
  if (runtime.runs !== "recorded") return [runtime.program]
  return runtime.lacks === undefined ? [] : [runtime.lacks]
}
