/** What the first client of a network waits for: one chunk, which has its family and its row. */
import { afterEach, expect, it, vi } from "vitest"

const others = ["../src/data/rowsOf.js", "../src/data/rows.js"]

afterEach(() => {
  for (const other of others) vi.doUnmock(other)
})

it("loads the row of a network with its family", async () => {
  for (const other of others) {
    vi.doMock(other, () => {
      throw new Error(`${other} is asked for`)
    })
  }
  vi.resetModules()
  const { init } = await import("../src/promise.js")
  const rpc = { nodes: [{ url: "http://127.0.0.1:1" }] }
  const sdk = await init({ network: "ethereum-mainnet", quiet: true, verifyChain: false, rpc })
  expect(sdk.network).toBe("ethereum-mainnet")
  await sdk.destroy()
})
