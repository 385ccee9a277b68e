import * as chainsOfViem from "viem/chains"
import { describe, expect, it } from "vitest"
import { migrate } from "../src/cli/migrate/index.js"
import { networkByChain } from "../src/cli/migrate/libraries.js"
import { info } from "../src/data/Network.js"
import { ethers, libraryPrograms, viem } from "./migrated.js"

const one = (text: string, from: "viem" | "ethers") => {
  const [file] = migrate([{ path: "app.ts", text }], from)
  if (file === undefined) throw new Error("no file came back")
  return file
}

describe("the codemods for viem and ethers", () => {
  it("put clients over a pool where an await may stand, and note the others", () => {
    const { notes, text } = one(viem, "viem")
    expect(text.match(/await init\(/g)).toHaveLength(2)
    expect(text).toContain("transport: sdk.rpc.viemTransport()")
    expect(text).toContain("transport: sdk2.rpc.viemTransport()")
    expect(text).toContain("transport: custom(")
    expect(notes.map(({ line }) => line)).toEqual([4, 9, 12])
    const rewritten = one(ethers, "ethers")
    expect(rewritten.text).toMatch(/network: "polygon-mainnet"/)
    expect(rewritten.text).toMatch(/sdk\.rpc\.ethersProvider\(\{\s+BrowserProvider\s+\}\)/)
    expect(rewritten.notes.map(({ line }) => line)).toEqual([3, 5])
  })

  it("know chains of viem by the ids that viem gives them", () => {
    for (const [name, network] of Object.entries(networkByChain)) {
      expect([name, Reflect.get(chainsOfViem, name)?.id]).toEqual([name, info(network).chainId])
    }
  })
})

describe("what comes out", () => {
  it.each(libraryPrograms)("is rewritten to itself: $name", ({ from, text }) => {
    const rewritten = one(text, from).text
    expect(one(rewritten, from).text).toBe(rewritten)
  })

  it("has semicolons where the program has them", () => {
    expect(one(viem, "viem").text).not.toMatch(/;$/m)
    expect(one(ethers, "ethers").text).not.toMatch(/;$/m)
    const withSemicolons = viem.replace(/^(import .*|\}\)|console.*)$/gm, "$1;")
    expect(one(withSemicolons, "viem").text).toContain(
      'const sdk = await init({\n  network: "ethereum-mainnet",'
    )
    expect(one(withSemicolons, "viem").text).toMatch(/^import \{ init \} from "effect-chains\/promise";$/m)
  })
})
