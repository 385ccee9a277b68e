/**
 * What nodes and providers answer when they say no, held as data in `answers`: a file per family, with where each answer
 * comes from, and whose fault it must be taken for.
 */
import { describe, expect, it } from "vitest"
import * as Evm from "../../src/chains/Evm.js"
import evm from "./answers/evm.json" with { type: "json" }

describe("answers of EVM nodes", () => {
  for (const { answers, of } of evm) {
    describe(of, () => {
      it.each(answers)("$fault: $code $message ($when)", ({ fault, when: _, ...error }) =>
        expect(Evm.classify(error)).toBe(fault)
      )
    })
  }
})
