/** What the first client of a network waits for: its row and its family are loaded at the same time. */
import { afterEach, expect, it, vi } from "vitest"

afterEach(() => vi.doUnmock("../src/data/rowsOf.js"))

it("loads a family while its rows are loaded", async () => {
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { rowsOf } = await import("../src/data/rowsOf.js")
  // the rows are there when the family is asked for, and not before
  vi.doMock("../src/data/rowsOf.js", () => ({
    rowsOf: { ...rowsOf, "evm-beacon": () => begun.then(rowsOf["evm-beacon"]) }
  }))
  vi.doMock("../src/chains/Ethereum.js", (original) => {
    begin()
    return original()
  })
  vi.resetModules()
  const { init } = await import("../src/promise.js")
  const rpc = { nodes: [{ url: "http://127.0.0.1:1" }] }
  const sdk = await init({ network: "ethereum-mainnet", quiet: true, verifyChain: false, rpc })
  expect(sdk.network).toBe("ethereum-mainnet")
  await sdk.destroy()
})
