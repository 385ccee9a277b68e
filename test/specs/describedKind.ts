/** What the chains' own descriptions tell of answers, and answers made by it. */
import * as fc from "fast-check"
import { type Description, isJson, type Kind, describe as open } from "./descriptions.js"
import type { Described } from "./families.js"
import { matched, pathOf, walk } from "./tables.js"

/** A kind, and the description that has its types. */
export type DescribedKind = readonly [description: Description, kind: Kind]

/** What is told of each call's answer, by the names of the calls. */
export const describedKind = ({
  answer,
  endpoints,
  files,
  written
}: Pick<Described, "answer" | "endpoints" | "files" | "written">): ReadonlyMap<
  string,
  ReadonlyArray<DescribedKind>
> => {
  const { methods, routes } = walk(endpoints)
  const found = new Map<string, ReadonlyArray<DescribedKind>>()
  for (const file of files) {
    const description = open(file)
    const tell = (name: string, kind: Kind | undefined, called: string): void => {
      const inner =
        kind === undefined || answer === undefined ? kind : answer(description, kind, called, name)
      // of some answers, a description says nothing
      if (inner !== undefined && Object.keys(description.follow(inner)).length > 0)
        found.set(name, [...(found.get(name) ?? []), [description, inner]])
    }
    for (const route of routes) {
      const operations = matched(route, description.operations, written)
      // two operations may differ in the name of a parameter alone
      const same = operations.find(({ path }) => path === (written ?? String)(pathOf(route)))
      const operation = same ?? operations[0]
      tell(route.name, operation?.result, `${operation?.verb} ${operation?.path}`)
    }
    for (const { name, spec } of methods) {
      // Tendermint's methods are described in their REST form
      const operation = description.operations.find(({ path }) => path === `/${spec.method}`)
      const method = description.methods.find((each) => each.name === spec.method)
      tell(name, (method ?? operation)?.result, spec.method)
    }
  }
  return found
}

/** Objects in objects that are made, at most: some kinds have themselves inside. */
const DEPTH = 6

const objectOf = (parts: ReadonlyArray<fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects.filter(isJson)))

/** Answers as a description allows them. Texts are quantities, which is what some are read as. */
export const arbitraryAnswers = ([description, given]: DescribedKind, depth = 0): fc.Arbitrary<unknown> => {
  const of = (kind: Kind): fc.Arbitrary<unknown> => arbitraryAnswers([description, kind], depth + 1)
  const {
    additionalProperties,
    allOf,
    anyOf,
    const: only,
    enum: values,
    items,
    prefixItems,
    properties,
    required,
    type
  } = description.follow(given)
  if (only !== undefined) return fc.constant(only)
  if (values !== undefined && values.length > 0) return fc.constantFrom(...values)
  if (anyOf !== undefined && properties === undefined && allOf === undefined)
    return depth > DEPTH ? fc.constant(null) : fc.oneof(...anyOf.map(of))
  const object = (): fc.Arbitrary<unknown> => {
    const own = Object.entries(properties ?? {}).map(([name, each]) => {
      const isNeeded = required?.includes(name) === true
      if (depth > DEPTH) return fc.constant(isNeeded ? { [name]: null } : {})
      const field = of(each).map((value) => ({ [name]: value }))
      return isNeeded ? field : fc.oneof(field, fc.constant({}))
    })
    const others =
      typeof additionalProperties === "object" && depth <= DEPTH
        ? [of(additionalProperties).map((value) => ({ other: value }))]
        : []
    const parts = depth > DEPTH ? [] : [...(allOf ?? []), ...(anyOf === undefined ? [] : [{ anyOf }])].map(of)
    return objectOf([...own, ...others, ...parts])
  }
  const kinds = (type === undefined ? [] : [type].flat()).map((kind): fc.Arbitrary<unknown> => {
    switch (kind) {
      case "string":
        return fc.constantFrom("0x0", "0x1f", "0x7fffffffffffffff")
      case "integer":
        return fc.integer()
      case "number":
        return fc.integer().map((value) => value / 2)
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      case "array":
        return prefixItems !== undefined
          ? fc.tuple(...prefixItems.map(of))
          : items === undefined || depth > DEPTH
            ? fc.constant([])
            : fc.array(of(items), { maxLength: 2 })
      default:
        return object()
    }
  })
  if (kinds.length > 0) return fc.oneof(...kinds)
  return properties !== undefined || allOf !== undefined ? object() : fc.constant({ any: "thing" })
}
