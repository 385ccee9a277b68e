import { keccak_256 } from "@noble/hashes/sha3.js"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { keccak256 } from "../src/data/keccak.js"
import { runs } from "./properties.js"

it("hashes bytes of any length as @noble/hashes does", () => {
  // a block is 136 bytes: one less, itself, and one more are the places where padding goes wrong
  for (const length of [0, 1, 135, 136, 137, 271, 272, 273])
    expect(keccak256(new Uint8Array(length).fill(0xa5))).toEqual(
      keccak_256(new Uint8Array(length).fill(0xa5))
    )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(keccak256(bytes)).toEqual(keccak_256(bytes))
    }),
    { numRuns: runs(300) }
  )
})
