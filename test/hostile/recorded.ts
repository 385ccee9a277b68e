/** The sandbox's recorded answers. The sandbox is on Effect 3, whatever the tests are on. */
import * as Effect from "effect/Effect"
import type { Network } from "../../src/data/Network.js"
import { loadRecordedFamily } from "../../src/sandbox/recorded/Recorded.js"

export const loadRecorded = (network: Network) => Effect.runPromise(loadRecordedFamily(network))
