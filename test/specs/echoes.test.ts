/** Fields that repeat an argument: each is one that the declared result has, and names an argument that there is. */
import * as Effect from "effect/Effect"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import { type FamilyId, networks } from "../../src/data/Network.js"
import { checker, memberType } from "../types/program.js"
import { walk } from "./tables.js"

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

/** The types of a field, in whichever alternative of a type it is. */
const fieldOf = (type: ts.Type, name: string): ReadonlyArray<ts.Type> => {
  const given = checker.getNonNullableType(type)
  if (given.isUnion()) return given.types.flatMap((each) => fieldOf(each, name))
  const field = given.getProperty(name)
  if (field !== undefined) return [checker.getTypeOfSymbol(field)]
  const items = checker.isArrayType(given) || checker.isTupleType(given)
  return items && /^\d+$/.test(name) ? checker.getTypeArguments(given as ts.TypeReference).slice(0, 1) : []
}

const has = (type: ts.Type, path: string): boolean =>
  path
    .split(".")
    .reduce<ReadonlyArray<ts.Type>>((types, name) => types.flatMap((each) => fieldOf(each, name)), [type])
    .length > 0

describe.each(families)("echoes of %s", (family) => {
  it("are fields of the result, and repeat an argument", async () => {
    const { endpoints } = await Effect.runPromise(loadFamily(family))
    const { methods, routes } = walk(endpoints)
    const wrong = [...methods, ...routes].flatMap(({ name, spec }) => {
      const [signature] = memberType([family, ...name.split(".")])?.getCallSignatures() ?? []
      const returned = signature?.getReturnType()
      const result = returned && checker.getTypeArguments(returned as ts.TypeReference)[0]
      // what follows from an argument has another type for each
      if (signature === undefined || result === undefined || (result.flags & ts.TypeFlags.Instantiable) !== 0)
        return []
      const given = signature.getParameters().flatMap((parameter) => {
        const type = checker.getTypeOfSymbol(parameter)
        // arguments are a tuple, mostly
        return checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [type]
      })
      return Object.entries(spec.echoes ?? {}).flatMap(([path, key]) => {
        const [first] = given
        const isGiven = typeof key === "number" ? given.length > key : first !== undefined && has(first, key)
        return [
          // what is decoded is another thing than what is held against it
          ...(spec.decode !== undefined || has(result, path) ? [] : [`${name} answers without ${path}`]),
          ...(isGiven ? [] : [`${name} is not given ${key}`])
        ]
      })
    })
    expect(wrong).toEqual([])
  })
})
