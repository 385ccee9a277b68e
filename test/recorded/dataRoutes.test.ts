/** The table of routes beside what the provider's description of April 2026 has of them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { routeCredits } from "../../src/data/credits.js"
import { type DataRoute, dataRoutes, idOfChain, isServed } from "../../src/data/dataRoutes.js"
import { isNetwork } from "../../src/data/Network.js"
import { shared } from "./fixtures.js"

interface Described {
  readonly chains: ReadonlyArray<string>
  readonly credits?: number | null
  readonly query: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
}

const { endpoints }: { readonly endpoints: Readonly<Record<string, Described>> } = JSON.parse(
  readFileSync(join(shared, "facts", "provider-v4.json"), "utf8")
)

const routes = Object.entries<DataRoute>(dataRoutes)

/** Chains that the provider has announced for a route, and has not described. */
const announced: Readonly<Record<string, ReadonlyArray<string>>> = { portfolio: ["mocachain-devnet"] }

/** The provider serves it; the table of networks does not have it yet. */
const unknown = ["monad-mainnet"]

describe("the provider's description", () => {
  it.each(routes)("has the route of %s, with its chains", (name, { chains, v4 }) => {
    const described = endpoints[`GET /v4/${v4}`]
    const more = announced[name] ?? []
    expect(chains.toSorted()).toEqual([...(described?.chains ?? []), ...more].toSorted())
  })

  it.each(routes)("has the parameters of %s that are renamed, and none that it lacks", (_, route) => {
    const names = endpoints[`GET /v4/${route.v4}`]?.query.map((each) => each.name) ?? []
    const { lacking = [], renamed = {} } = route
    expect(names).toEqual(expect.arrayContaining(Object.values(renamed)))
    for (const name of [...lacking, ...Object.keys(renamed)])
      if (!Object.values(renamed).includes(name)) expect(names).not.toContain(name)
  })

  it.each(routes)("names chains of %s that are networks", (_, { chains, legacyChains = [] }) => {
    for (const chain of [...chains, ...legacyChains])
      expect([chain, isNetwork(idOfChain(chain)) || unknown.includes(chain)]).toEqual([chain, true])
  })

  it("has the prices of today's API, and no others", () => {
    const described = Object.entries(endpoints).flatMap(([route, { credits }]) =>
      typeof credits === "number" && route.includes(" /v4/") ? [[route.replace(" /", " "), credits]] : []
    )
    const here = Object.entries(routeCredits).flatMap(([credits, each]) =>
      each.map((route) => [route, Number(credits)])
    )
    expect(here.length).toBeGreaterThan(40)
    expect(here.toSorted()).toEqual(described.toSorted())
  })

  it("has no route of the legacy generation alone", () => {
    for (const [, { legacy, v4 }] of routes)
      if (legacy !== undefined && legacy !== v4) expect(endpoints[`GET /v4/${legacy}`]).toBeUndefined()
  })

  it("has portfolios where the provider announced them", () => {
    for (const network of ["solana", "base", "arbitrum-one", "optimism", "berachain", "unichain"])
      expect(isServed("portfolio", `${network}-mainnet`)).toBe(true)
    expect(isServed("portfolio", "mocachain-devnet")).toBe(true)
    expect(isServed("portfolio", "base-mainnet", "legacy")).toBe(false)
  })
})
