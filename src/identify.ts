/**
 * Identifies pasted text: an address and its networks, a hash, a name, a payment request, a key, an id. No node is
 * asked. A text that is or may be a secret is reported as such, and never repeated.
 *
 * ```ts
 * const [first] = identify("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")
 * if (first?.kind === "address") console.log(first.networks, first.certainty)
 * ```
 *
 * @since 0.1.0
 */
import { identifyText } from "./identify/identify.js"
import type { Candidate } from "./identify/Types.js"

export type * from "./identify/Types.js"

/**
 * Returns what a text may be, the most probable first, or an empty list if it is unknown. It never throws.
 *
 * @since 0.1.0
 * @category operations
 */
export const identify: (text: string) => ReadonlyArray<Candidate> = identifyText
