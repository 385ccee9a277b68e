/**
 * `effect-chains identify`: what a text is likely to be.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { type Candidate, identify } from "../identify.js"
import { escapeControls, formatTable, printResult, withTone } from "./Output.js"

/** The number of networks that are listed for a candidate; more than that are counted. */
const MAX_NETWORKS = 3

const formatNetworks = ({ networks }: Candidate): string =>
  networks.length > MAX_NETWORKS
    ? `${networks.slice(0, MAX_NETWORKS).join(" ")} and ${networks.length - MAX_NETWORKS} more`
    : networks.join(" ")

const formatCandidate = (candidate: Candidate): string => {
  switch (candidate.kind) {
    case "secret":
      return candidate.what
    case "payment":
      return [candidate.amount, candidate.token, candidate.to].filter((part) => part !== undefined).join(" ")
    default:
      return candidate.normal
  }
}

const formatCandidates = (found: ReadonlyArray<Candidate>): string =>
  found.length === 0
    ? withTone("faint", "This format is unknown.")
    : formatTable(
        ["what", "certainty", "networks", "text"],
        found.map((candidate) => [
          candidate.kind,
          candidate.certainty,
          formatNetworks(candidate),
          escapeControls(formatCandidate(candidate))
        ])
      )

/**
 * Prints what a text is likely to be, most probable first. Secrets are not repeated.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (options: { readonly json: boolean; readonly text: string }): Effect.Effect<void> =>
  printResult(options.json, identify(options.text), formatCandidates)
