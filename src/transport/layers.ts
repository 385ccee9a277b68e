import { make as batch } from "./Batch.js"
import { make as coalesce } from "./Coalesce.js"
import { make as quorum } from "./Quorum.js"
import type { Layers } from "./stack.js"

/** All layers, for a client that is one file. */
export const layers: Layers = { batch, coalesce, quorum }
