/** What the bytes of a revert say without an ABI, whatever a node puts there. */

import * as fc from "fast-check"
import * as AbiError from "ox/AbiError"
import { describe, expect, it } from "vitest"
import { describeRevertData } from "../src/data/revert.js"

const error = AbiError.from("error Error(string message)")
const panic = AbiError.from("error Panic(uint256 code)")
const refused = AbiError.from("error Refused(address who, uint256 amount)")

describe("the bytes of a revert", () => {
  it("say the text that a contract gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        expect(describeRevertData(AbiError.encode(error, [text]))).toBe(text)
      }),
      { examples: [["\ufeffnot owner"]] }
    )
  })

  it("say what a panic of the compiler means, or its number", () => {
    expect(describeRevertData(AbiError.encode(panic, [0x11n]))).toBe(
      "an arithmetic operation left the range of its type"
    )
    expect(describeRevertData(AbiError.encode(panic, [0x99n]))).toBe("panic 153")
    // a node may append what it likes: the number has 32 bytes
    expect(describeRevertData(`${AbiError.encode(panic, [1n])}${"ff".repeat(1_000)}`)).toBe(
      "an assertion does not hold"
    )
  })

  it("name the selector of an error that only the contract knows", () => {
    const data = AbiError.encode(refused, ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 1n])
    expect(describeRevertData(data)).toBe(`the contract's error ${AbiError.getSelector(refused)}`)
  })

  it("throw nothing, whatever a node puts there", () => {
    const selectors = fc.constantFrom("", "0x", "0x08c379a0", "0x4e487b71", "0x12345678")
    fc.assert(
      fc.property(selectors, fc.string(), fc.uint8Array({ maxLength: 200 }), (selector, text, bytes) => {
        for (const rest of [text, Buffer.from(bytes).toString("hex")]) {
          const said = describeRevertData(`${selector}${rest}`)
          expect(said === undefined || typeof said === "string").toBe(true)
        }
      })
    )
  })
})
