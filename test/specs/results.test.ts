/** The declared result types of all families that have a description, beside it. */
import type ts from "typescript"
import { describe, expect, it } from "vitest"
import { checker, typeIn } from "../types/program.js"
import { describedKind } from "./describedKind.js"
import { clients, type Described, helpTexts, recorded, rest, rpc, unexplained } from "./families.js"
import { compare } from "./results.js"

const families = typeIn("test/types/members.ts", "Clients")
const rollups = typeIn("src/chains/Evm.ts", "Rollups")

/** What a member of a client is: of a family's or of a stack's of rollups. */
const memberType = (path: ReadonlyArray<string>): ts.Type | undefined => {
  let type: ts.Type | undefined = rollups.getProperty(path[0] ?? "") === undefined ? families : rollups
  for (const name of path) {
    const member: ts.Symbol | undefined = type?.getProperty(name)
    type = member && checker.getTypeOfSymbol(member)
  }
  return type
}

/** The declared types of what a call answers with, by its signatures. */
const resultsOf = (path: ReadonlyArray<string>): ReadonlyArray<ts.Type> => {
  const results = (memberType(path)?.getCallSignatures() ?? []).flatMap((signature) => {
    // the first argument of an Effect is what it succeeds with
    const [result] = checker.getTypeArguments(signature.getReturnType() as ts.TypeReference)
    return result === undefined ? [] : [result]
  })
  if (results.length === 0) throw new Error(`${path.join(".")} is no call`)
  return results
}

/** What is compared: a method once, by however many sources. */
const total = { methods: new Set<string>(), fields: 0, differences: 0 }

type Given = Pick<
  Described,
  "answer" | "endpoints" | "family" | "files" | "flat" | "place" | "results" | "written"
>

/** Compares what a family's calls are declared to answer with what is told of them, on the clients of these. */
const check = (by: string, given: Given, ids: ReadonlyArray<string>, untold?: RegExp): void => {
  const differences = new Set<string>()
  let methods = 0
  let fields = 0
  for (const [name, kinds] of describedKind(given))
    for (const id of ids) {
      const path = [id, ...`${given.place ?? ""}${name}`.split(".")]
      // of several clients, each has the calls that it has
      if (ids.length > 1 && memberType(path) === undefined) continue
      const compared = compare(checker, resultsOf(path), kinds, given.flat)
      methods++
      total.methods.add(path.join("."))
      fields += compared.fields
      for (const difference of compared.differences)
        if (untold?.test(difference) !== true) differences.add(`${name}: ${difference}`)
    }
  total.fields += fields
  total.differences += differences.size
  console.log(
    `compared: ${given.family}, by ${by}: ${methods} methods, ${fields} fields, ${differences.size} differences with a reason`
  )
  expect(methods).toBeGreaterThan(0)
  expect(unexplained([...differences], given.results ?? []).join("\n")).toBe("")
}

describe("results by the chains' own descriptions", () => {
  for (const each of [...rest, ...rpc])
    it(`${each.family}: declared results are those that are described`, () => {
      check("description", each, each.ids.slice(0, 1))
    })
})

/** What samples do not tell: a field that all have may be missing elsewhere, and there may be others. */
const untold = /: is (always there|not described|never .*)$/

describe("results by recorded answers of real nodes", () => {
  for (const each of recorded)
    it(`${each.family}: declared results are those that were recorded`, () => {
      check("recordings", each, each.ids, untold)
    })
})

// a table serves the nodes of several chains and versions, of which a help tells one: of the others it says as little as samples
describe("results by what nodes say of themselves", () => {
  for (const each of helpTexts)
    it(`${each.family}: declared results are those of its node's help`, () => {
      check("help", each, each.ids, untold)
    })
})

describe("results by the declarations of the chains' own clients", () => {
  for (const each of clients)
    it(`${each.family}: declared results are those of its client`, () => {
      check("client", each, each.ids)
    })
})

describe("results", () => {
  it("are compared for most methods", () => {
    console.log(
      `compared: ${total.methods.size} methods, ${total.fields} fields, ${total.differences} differences`
    )
    expect(total.methods.size).toBeGreaterThanOrEqual(1_200)
  })
})
