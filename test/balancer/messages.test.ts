// @runtime both
/** The words of an error take no node away: they may be those of a contract. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../properties.js"
import { arbitraryPlan, checkNobodyIsHarmed, type NodeMessage } from "./messages.js"

/** CI is a gate, which the same change passes every time. */
const SEED = process.env.CI === undefined ? {} : { seed: 20261128 }

const REPORTED: ReadonlyArray<NodeMessage> = [
  "err: insufficient funds: try again",
  "the vault is busy",
  "quota of the token is used up",
  "temporarily locked by its owner",
  "timed out orders cannot be filled",
  "not healthy enough for a loan",
  "backend said no"
].map((message) => ({ code: -32000, message, data: undefined, status: 200 }))

describe("a JSON-RPC error that every node gives to one method", () => {
  it.each(REPORTED)("harms no call of another one: $message", (error) =>
    Promise.all(
      [1, 2, 3].flatMap((urls) =>
        [false, true].flatMap((isChecked) =>
          [false, true].map((isTogether) =>
            checkNobodyIsHarmed({ urls, isChecked, isTogether, errors: [[error], [error], [error], [error]] })
          )
        )
      )
    ).then((all) => expect(all).toHaveLength(12))
  )

  it("harms none, whatever its code and its words are", () =>
    fc.assert(fc.asyncProperty(arbitraryPlan(4), checkNobodyIsHarmed), { numRuns: runs(100), ...SEED }))
})
