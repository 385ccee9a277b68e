/**
 * Policies that choose a node among the candidates for a call. The default is part of `Pool.ts`: it keeps one node active, until a call cannot
 * use that node. The policies here spread calls over the nodes.
 *
 * @since 0.1.0
 */
import type { Selection } from "../config/Config.js"
import type { IndexPolicy } from "./Pool.js"

/**
 * A candidate: its index in the pool, its average response time in milliseconds (0 if it was never used),
 * its calls in flight and its weight.
 *
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  readonly index: number
  readonly averageMs: number
  readonly inFlight: number
  readonly weight: number
}

/**
 * Chooses one of the candidates, of which there is at least one. `random` is from 0 to below 1.
 *
 * @since 0.1.0
 * @category models
 */
export type SelectionPolicy = (
  candidates: ReadonlyArray<Candidate>,
  random: () => number
) => Candidate | undefined

/** The cost of a node: its response time times its load. An unused node gets one call at a time until it has answered. */
const cost = ({ averageMs, inFlight }: Candidate): number =>
  averageMs === 0 && inFlight > 0 ? Number.MAX_VALUE : averageMs * (inFlight + 1)

const twoChoices: SelectionPolicy = (candidates, random) => {
  const i = Math.floor(random() * candidates.length)
  const j = (i + 1 + Math.floor(random() * (candidates.length - 1))) % candidates.length
  const [a, b] = [candidates[i], candidates[j]]
  // Stryker disable next-line ConditionalExpression,LogicalOperator: both stand in the list, which the compiler does not know
  if (a === undefined || b === undefined) return a
  return cost(b) < cost(a) ? b : a
}

const weighted: SelectionPolicy = (candidates, random) => {
  let left = random() * candidates.reduce((sum, { weight }) => sum + weight, 0)
  for (const candidate of candidates) {
    left -= candidate.weight
    if (left < 0) return candidate
  }
  return candidates.at(-1)
}

/**
 * The policy of the option `selection`; undefined for those that are part of the pool.
 *
 * @since 0.1.0
 * @category constructors
 */
export const policyOf = (selection: Selection): SelectionPolicy | undefined => {
  if (selection === "p2c") return twoChoices
  if (selection === "weighted") return weighted
  if (selection !== "round-robin") return undefined
  let last = -1
  return (candidates) => {
    // the next index after the last one; the candidates may have changed since
    const next = candidates.find(({ index }) => index > last) ?? candidates[0]
    if (next !== undefined) last = next.index
    return next
  }
}

/**
 * The policy over indices of the pool. `candidateAt` yields the candidate of an index.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeIndexPolicy = (
  selection: Selection,
  candidateAt: (index: number) => Candidate | undefined,
  random: () => number
): IndexPolicy | undefined => {
  const policy = policyOf(selection)
  return (
    policy &&
    ((indices) =>
      policy(
        indices.flatMap((index) => candidateAt(index) ?? []),
        random
      )?.index)
  )
}
