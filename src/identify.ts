/**
 * What a pasted text may be: an address and of which networks, a hash, a name, a payment request, a key, an id. Nothing here asks a node,
 * and a text that is or may be a secret is said to be one, and is repeated nowhere.
 *
 * ```ts
 * const [first] = identify("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")
 * if (first?.kind === "address") console.log(first.networks, first.certainty)
 * ```
 *
 * @since 0.1.0
 */
import { identify as identifyText } from "./identify/identify.js"
import type { Candidate } from "./identify/Types.js"

export type * from "./identify/Types.js"

/**
 * What a text may be, the most probable first; an empty list if it is nothing that is known here. It never throws.
 *
 * @since 0.1.0
 * @category operations
 */
export const identify: (text: string) => ReadonlyArray<Candidate> = identifyText
