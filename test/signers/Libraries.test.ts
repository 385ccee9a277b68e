/**
 * Modules that are loaded anew with others in the place of their libraries. Not among the tests of mutants: what is loaded while a test
 * runs looks as if it could be broken then.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

describe("the libraries below", () => {
  it("are told to be installed where others are found in their place", async () => {
    const { secp256k1 } = await import("@noble/curves/secp256k1.js")
    vi.doMock("@noble/curves/secp256k1.js", () => ({ secp256k1: { ...secp256k1, sign: () => ({ r: 1n }) } }))
    vi.resetModules()
    const { make } = await import("../../src/signers/Bitcoin.js")
    const mnemonic = `${"abandon ".repeat(11)}about`
    // it fails before it calls anything
    const client = { network: "bitcoin-mainnet", rpc: {} } as never
    const error = await Effect.runPromise(Effect.flip(make(client, { mnemonic, utxos: () => [] })))
    vi.doUnmock("@noble/curves/secp256k1.js")
    vi.resetModules()
    expect(error).toMatchObject({
      _tag: "MissingPeer",
      install: "npm install @scure/btc-signer @noble/curves",
      reason: expect.stringContaining("version 2")
    })
  })
})
