/** Calls whose type promises a list, or a record with lists: `null` in their place is an empty list, and anything else the node's fault. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import type { Spec } from "../../src/data/Endpoint.js"
import { numberIntegers } from "../../src/data/integers.js"
import { type FamilyId, networks } from "../../src/data/Network.js"
import { decodeRest, decodeRpc } from "../../src/wire/jsonRpc.js"
import { makeResultReader } from "../../src/wire/resultReader.js"
import { checker, memberType } from "../types/program.js"
import { walk } from "./tables.js"

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

/** What a call answers with: the first argument of an Effect is what it succeeds with. */
const resultOf = (path: ReadonlyArray<string>): ts.Type | undefined => {
  const [signature] = memberType(path)?.getCallSignatures() ?? []
  const returned = signature?.getReturnType()
  return returned && checker.getTypeArguments(returned as ts.TypeReference)[0]
}

const isList = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.every(isList) : checker.isArrayType(type) || checker.isTupleType(type)

/** The paths at which a result has lists by its type: itself, or fields that no answer lacks. */
const listsIn = (whole: ts.Type): ReadonlyArray<string> => {
  if (isList(whole)) return [""]
  const type = checker.getNonNullableType(whole)
  if (isList(type)) return ["?"]
  if (checker.typeToString(type) === "string" || type.getProperty("charAt") !== undefined) return []
  return type
    .getProperties()
    .filter((field) => isList(checker.getTypeOfSymbol(field)))
    .map(({ name }) => name)
}

/** What an answer of a node is read as. */
const read = (spec: Spec, json: string): Either.Either<unknown, unknown> => {
  const reply = { text: json, status: 200, url: "https://node.example" }
  const decode = makeResultReader(spec)?.([])
  const { parse } = numberIntegers
  return spec.kind === "rpc"
    ? decodeRpc(
        { ...reply, text: `{"jsonrpc":"2.0","id":1,"result":${json}}` },
        { method: spec.method, id: 1, parse, numbers: [], decode, dialect: {} }
      )
    : decodeRest(reply, {
        label: spec.template,
        parse,
        numbers: [],
        decode,
        noContent: false,
        text: false,
        classify: undefined,
        refusal: undefined,
        failure: undefined
      })
}

const isNodeError = { left: { fault: "node", error: { _tag: "NodeError", kind: "malformed" } } }

describe.each(families)("lists of %s", (family) => {
  const declared = Effect.runPromise(Effect.map(loadFamily(family), ({ endpoints }) => walk(endpoints)))

  it("are declared in the table wherever the type promises them", async () => {
    const { methods, routes } = await declared
    const missing = [...methods, ...routes].flatMap(({ name, spec }) => {
      const type = resultOf([family, ...name.split(".")])
      const told = spec.lists ?? []
      return (type === undefined ? [] : listsIn(type))
        .filter((path) => !told.includes(path))
        .map((path) => `${name}: ${path === "" ? "the result" : path}`)
    })
    expect(missing).toEqual([])
  })

  it("are declared where the type promises them and nowhere else: what may be missing is not filled", async () => {
    const { methods, routes } = await declared
    const unpromised = [...methods, ...routes].flatMap(({ name, spec }) => {
      const type = resultOf([family, ...name.split(".")])
      // what follows from an argument has another type for each
      if (type !== undefined && (type.flags & ts.TypeFlags.Instantiable) !== 0) return []
      const promised = type === undefined ? [] : listsIn(type)
      return (spec.lists ?? [])
        .filter((path) => !promised.includes(path === "?" && promised.includes("") ? "" : path))
        .map((path) => `${name}: ${path}`)
    })
    expect(unpromised).toEqual([])
  })

  it("are empty or the node's fault where a node answers null, and never another thing", async () => {
    const { methods, routes } = await declared
    for (const { name, spec } of [...methods, ...routes]) {
      for (const path of spec.lists ?? []) {
        if (path === "") {
          const empty = read(spec, "null")
          if (Either.isLeft(empty)) expect(empty, name).toMatchObject(isNodeError)
          else expect(empty.right, name).toEqual([])
          for (const other of ["{}", '"text"', "7", "false"]) {
            const found = read(spec, other)
            if (Either.isLeft(found)) expect(found, `${name} of ${other}`).toMatchObject(isNodeError)
            else expect(Array.isArray(found.right), `${name} of ${other}`).toBe(true)
          }
        } else if (path === "?") {
          expect(read(spec, "null"), name).toMatchObject({ right: null })
          expect(read(spec, "{}"), name).toMatchObject(isNodeError)
        } else if (spec.decode === undefined) {
          for (const absent of [`{${JSON.stringify(path)}:null}`, "{}"])
            expect(read(spec, absent), `${name} of ${absent}`).toMatchObject({ right: { [path]: [] } })
          expect(read(spec, `{${JSON.stringify(path)}:{}}`), name).toMatchObject(isNodeError)
        }
      }
    }
  })
})
