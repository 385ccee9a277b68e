import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type DataRoute, dataRoutes } from "../../src/data/dataRoutes.js"
import { v4Routes } from "../../src/data/v4Routes.js"
import { inBoth } from "./generations.js"
import { type CallVector, load } from "./vectors.js"

const isCall = <V extends { readonly kind: string }>(
  vector: V
): vector is Extract<V, { readonly kind: "call" }> => vector.kind === "call"

const shipped = load([join(import.meta.dirname, "vectors")]).filter(isCall)
const both = inBoth(shipped).filter(isCall)
const inV4 = both.filter(({ config }) => config.dataApi === "v4")

const patternOf = (path: string): RegExp => new RegExp(`(^|/)${path.replace(/\{\w+\}/g, "[^/]+")}$`)
const routes = Object.values<DataRoute>(dataRoutes)
const today = [...routes, ...Object.values(v4Routes)].map(({ v4 }) => patternOf(v4))
const before = routes.flatMap(({ legacy }) => (legacy === undefined ? [] : [patternOf(legacy)]))

/** Paths of the data API that a vector's requests have, each once. */
const pathsOf = (requests: CallVector["requests"]): ReadonlyArray<string> =>
  [...new Set(requests.map(({ path }) => path))]
    .filter((path) => [...today, ...before].some((route) => route.test(path)))
    .sort()

const asked = ({ corrected, requests }: CallVector): CallVector["requests"] => corrected ?? requests

describe("vectors of the data API", () => {
  it("run in the legacy generation as they are, and each has one of today beside it", () => {
    const data = shipped.filter((vector) => pathsOf([...vector.requests, ...asked(vector)]).length > 0)
    expect(data.length).toBeGreaterThan(90)
    expect(inV4.map(({ id }) => id)).toEqual(data.map(({ id }) => `${id} (v4)`))
    const legacy = both.filter(({ config }) => config.dataApi === "legacy")
    expect(legacy).toEqual(
      shipped.map((each) => ({ ...each, config: { ...each.config, dataApi: "legacy" } }))
    )
  })

  it("ask no route that is gone, where they are those of today", () => {
    for (const vector of inV4) {
      const paths = pathsOf(asked(vector))
      expect(paths.length, vector.id).toBeGreaterThan(0)
      for (const path of paths)
        expect(
          today.some((route) => route.test(path)),
          `${vector.id}: ${path}`
        ).toBe(true)
    }
  })

  it("of today ask what the recorded client has asked, but for what it asks of a route that is gone", () => {
    const recorded = new Map(shipped.map((vector) => [`${vector.id} (v4)`, vector]))
    const others = inV4.filter((vector) => {
      const { requests = [] } = recorded.get(vector.id) ?? {}
      return pathsOf(requests).join() !== pathsOf(asked(vector)).join()
    })
    expect([...new Set(others.map(({ target }) => target))].sort()).toEqual([
      "$container.TatumApi.getTransactionsByHash",
      "address.getTransactions"
    ])
    // of its histories, those of Bitcoin's kind
    expect(
      others.every(
        ({ network, target }) => target.startsWith("$") || /^(bitcoin|litecoin|doge)-/.test(network)
      )
    ).toBe(true)
  })
})
