// @runtime both
/**
 * The methods of every family, one line each: a change of the API is a line of the diff. The files are written
 * anew by `npx vitest run --project lean test/chains/listings --update`. The path stands before the flag: behind it, vitest takes
 * the path for the flag's value, and writes all golden files of the project anew.
 */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import { type Dialect, dialectOf, type Spec, specOf } from "../../src/data/Endpoint.js"
import { type FamilyId, networks } from "../../src/data/Network.js"

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

/** A rule may be a function of the arguments, which a listing can only name. */
const ruled = (name: string, rule: unknown): ReadonlyArray<string> =>
  rule === undefined || rule === false ? [] : [typeof rule === "function" ? `${name} by arguments` : name]

const wire = (spec: Spec, dialect: Dialect): string => {
  if (spec.kind === "rest") return `${spec.verb} ${dialect.prefix ?? ""}${spec.template}`
  const native = spec.dual === undefined ? "" : ` or ${spec.method.replace(/^eth_/, spec.dual.prefix)}`
  return `${spec.method}${native}${dialect.prefix === undefined ? "" : ` at ${dialect.prefix}`}`
}

const cases = (spec: Spec, dialect: Dialect): ReadonlyArray<string> => {
  const { body = "camel", names = "camel", parameters = "positional", query = "camel" } = dialect
  if (spec.kind === "rpc") {
    return [
      ...(parameters === "positional" ? [] : [parameters]),
      ...(names === "camel" ? [] : [`${names} names`])
    ]
  }
  return [
    ...(query === "camel" ? [] : [`${query} query`]),
    ...(body === "camel" || spec.verb === "GET" || spec.verb === "DELETE"
      ? []
      : [spec.verbatim === true ? "verbatim body" : `${body} body`]),
    ...(spec.payload === undefined
      ? []
      : [`body: ${"name" in spec.payload ? spec.payload.name : spec.payload._tag}`])
  ]
}

/** Arguments that ask for the past in every place where a method has its block. */
const past: ReadonlyArray<ReadonlyArray<unknown>> = [
  ["0x1"],
  [{}, "0x1"],
  ["0x", "0x0", "0x1"],
  [{ fromBlock: "0x1", toBlock: "0x2" }]
]

const archive = (spec: Spec, { archive: rule }: Dialect): ReadonlyArray<string> => {
  if (spec.kind === "rest" || spec.archive !== undefined || rule === undefined)
    return ruled("archive", spec.archive)
  if (rule(spec.method, [])) return ["archive"]
  return past.some((params) => rule(spec.method, params)) ? ["archive by arguments"] : []
}

const listing = (table: object, path: string, outer: Dialect): ReadonlyArray<string> => {
  const own = { ...outer, ...dialectOf(table) }
  return Object.entries(table).flatMap(([name, value]) => {
    const spec = specOf(value)
    if (spec === undefined) return listing(value, `${path}${name}.`, own)
    const dialect = { ...own, ...spec.dialect }
    const facts = [
      wire(spec, dialect),
      ...cases(spec, dialect),
      ...archive(spec, dialect),
      ...ruled("gateway", spec.gateway ?? dialect.gateway),
      ...(spec.repeat === "read" ? [] : [spec.repeat])
    ]
    return [`${path}${name}: ${facts.join(", ")}`]
  })
}

describe("the methods of a family", () => {
  it.each(families)("%s", async (family) => {
    const { endpoints } = await Effect.runPromise(loadFamily(family))
    const lines = listing(endpoints, "", {})
    expect(new Set(lines).size).toBe(lines.length)
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`listings/${family}.txt`)
  })
})
