/**
 * `effect-chains identify`: what a text may be.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { type Candidate, identify } from "../identify.js"
import { answer, printable, table, toned } from "./Output.js"

/** Networks of one candidate: more than a few are told by their number. */
const MOST = 3

const networksOf = ({ networks }: Candidate): string =>
  networks.length > MOST
    ? `${networks.slice(0, MOST).join(" ")} and ${networks.length - MOST} more`
    : networks.join(" ")

const textOf = (candidate: Candidate): string => {
  switch (candidate.kind) {
    case "secret":
      return candidate.what
    case "payment":
      return [candidate.amount, candidate.token, candidate.to].filter((part) => part !== undefined).join(" ")
    default:
      return candidate.normal
  }
}

const shown = (found: ReadonlyArray<Candidate>): string =>
  found.length === 0
    ? toned("faint", "It is nothing that is known here.")
    : table(
        ["what", "certainty", "networks", "text"],
        found.map((candidate) => [
          candidate.kind,
          candidate.certainty,
          networksOf(candidate),
          printable(textOf(candidate))
        ])
      )

/**
 * Prints what a text may be, the most probable first. Secrets are not repeated.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (options: { readonly json: boolean; readonly text: string }): Effect.Effect<void> =>
  answer(options.json, identify(options.text), shown)
