/**
 * A hundred thousand random errors, each given by every node of a pool to the calls of one method: those of another method all succeed. The
 * errors are others each time; `FUZZ_SEED` gives those of one run again.
 */
import * as fc from "fast-check"
import { it } from "vitest"
import { arbitraryPlan, checkNobodyIsHarmed } from "../balancer/messages.js"

const ERRORS = 100_000

/** As many as a pool meets one after the other. */
const EACH = 50

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 1_000))

it("no error of a method takes nodes from another one", { timeout: 3_600_000 }, () =>
  fc.assert(fc.asyncProperty(arbitraryPlan(EACH), checkNobodyIsHarmed), { numRuns: ERRORS / EACH, seed })
)
