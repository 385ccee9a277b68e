import { expect, it } from "vitest"
import { loadOnce } from "../../src/data/loadOnce.js"

it("loads once for all who ask, and again where it could not be loaded", async () => {
  let loads = 0
  let isThere = false
  const part = loadOnce(async () => {
    loads += 1
    if (!isThere) throw new Error("no such chunk")
    return loads
  })
  const asked = [part(), part()]
  expect(asked[0]).toBe(asked[1])
  await expect(Promise.all(asked)).rejects.toThrow("no such chunk")
  isThere = true
  expect(await Promise.all([part(), part()])).toEqual([2, 2])
  expect(await part()).toBe(2)
  expect(loads).toBe(2)
})
