import { describe, expect, it } from "vitest"
import { describe as open } from "./descriptions.js"
import { rest, rpc, unexplained } from "./families.js"
import { matched, methodNames, pathOf, walk } from "./tables.js"

describe("REST endpoints and the chains' own descriptions", () => {
  for (const { endpoints, family, files, ours, theirs, written } of rest) {
    const operations = files.flatMap((file) => open(file).operations)
    const { routes } = walk(endpoints)
    const found = routes.map((route) => ({ route, matches: matched(route, operations, written) }))

    it(`${family}: every endpoint is described, under the same verb and path`, () => {
      const missing = found
        .filter(({ matches }) => matches.length === 0)
        .map(({ route }) => `${route.spec.verb} ${pathOf(route)}`)
      expect(unexplained(missing, ours)).toEqual([])
      expect(found.filter(({ matches }) => matches.length > 0).length).toBeGreaterThan(0)
    })

    it(`${family}: every operation that is described has an endpoint`, () => {
      const known = new Set(found.flatMap(({ matches }) => matches))
      const missing = operations.filter((each) => !known.has(each)).map(({ path, verb }) => `${verb} ${path}`)
      expect(unexplained(missing, theirs)).toEqual([])
    })
  }
})

describe("JSON-RPC endpoints and the chains' own descriptions", () => {
  for (const { endpoints, family, files, ours, theirs } of rpc) {
    const described = files.flatMap((file) => methodNames(open(file)))
    const known = walk(endpoints).methods.map(({ spec }) => spec.method)

    it(`${family}: every method is described, under the same name`, () => {
      const missing = known.filter((name) => !described.includes(name))
      expect(unexplained(missing, ours)).toEqual([])
      expect(known.some((name) => described.includes(name))).toBe(true)
    })

    it(`${family}: every method that is described has an endpoint`, () => {
      const missing = described.filter((name) => !known.includes(name))
      expect(unexplained(missing, theirs)).toEqual([])
    })
  }
})
