/** Compares the result types that endpoints declare with what the chains' own descriptions say. */
import ts from "typescript"
import type { DescribedKind } from "./describedKind.js"
import type { Kind } from "./descriptions.js"

/** What was looked at, and where the two differ: `field.of.result: how`. */
export interface Compared {
  readonly fields: number
  readonly differences: ReadonlyArray<string>
}

interface Field<A> {
  readonly kinds: ReadonlyArray<A>
  /** Whether it is in every object; nothing if nobody says. */
  readonly required: boolean | undefined
  /** The interface that declares it. */
  readonly of?: string | undefined
}

/** What values of a type, or of a kind, are. */
interface Shape<A> {
  readonly kinds: ReadonlySet<string>
  /** The only texts that it may be, if they are listed. */
  readonly words: ReadonlySet<string> | undefined
  readonly fields: ReadonlyMap<string, Field<A>>
  /** What other fields than those are. */
  readonly others: ReadonlyArray<A>
  readonly items: ReadonlyArray<A>
}

const anything: Shape<never> = {
  kinds: new Set(["any"]),
  words: undefined,
  fields: new Map(),
  others: [],
  items: []
}

/** All alternatives as one: a field is required where each object has it. */
const united = <A>(shapes: ReadonlyArray<Shape<A>>): Shape<A> => {
  const kinds = new Set(shapes.flatMap((shape) => [...shape.kinds]))
  const objects = shapes.filter((shape) => shape.kinds.has("object"))
  const texts = shapes.filter((shape) => shape.kinds.has("string"))
  const names = new Set(objects.flatMap(({ fields }) => [...fields.keys()]))
  const fields = [...names].map((name): readonly [string, Field<A>] => {
    const found = objects.map((shape) => shape.fields.get(name))
    const required = found.map((field) => (field === undefined ? false : field.required))
    return [
      name,
      {
        kinds: found.flatMap((field) => field?.kinds ?? []),
        required: required.includes(false) ? false : required.includes(undefined) ? undefined : true,
        of: found.find((field) => field !== undefined)?.of
      }
    ]
  })
  const isListed = texts.length > 0 && texts.every(({ words }) => words !== undefined)
  return {
    kinds,
    words: isListed ? new Set(texts.flatMap(({ words = new Set<string>() }) => [...words])) : undefined,
    fields: new Map(fields),
    others: shapes.flatMap(({ others }) => others),
    items: shapes.flatMap(({ items }) => items)
  }
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** What a description says of a value. */
const described = (
  [description, given]: DescribedKind,
  within: ReadonlySet<Kind> = new Set()
): Shape<DescribedKind> => {
  const of = (kind: Kind): DescribedKind => [description, kind]
  const kind = description.follow(given)
  // one that is among its own alternatives adds none
  if (within.has(kind)) return { ...anything, kinds: new Set() }
  const inside = new Set([...within, kind])
  const { additionalProperties, allOf, anyOf, items, prefixItems, properties, required, type } = kind
  const values = kind.const === undefined ? kind.enum : [kind.const]
  const named = (type === undefined ? [] : [type].flat()).map((name) =>
    name === "integer" ? "number" : name
  )
  const types = new Set(
    values !== undefined
      ? values.map(kindOf)
      : named.length > 0
        ? named
        : properties !== undefined || additionalProperties !== undefined
          ? ["object"]
          : items !== undefined || prefixItems !== undefined
            ? ["array"]
            : []
  )
  const own: Shape<DescribedKind> = {
    kinds: types,
    words: values === undefined ? undefined : new Set(values.filter((each) => typeof each === "string")),
    fields: new Map(
      Object.entries(properties ?? {}).map(([name, each]) => [
        name,
        // where a description says of no field that it is required, it does not say that all are optional
        { kinds: [of(each)], required: required === undefined ? undefined : required.includes(name) }
      ])
    ),
    others: typeof additionalProperties === "object" ? [of(additionalProperties)] : [],
    items: [...(prefixItems ?? []), ...(items === undefined ? [] : [items])].map(of)
  }
  const alternatives = anyOf?.map((each) => described(of(each), inside)) ?? []
  const parts = [
    ...(types.size > 0 ? [own] : []),
    ...(allOf?.map((each) => described(of(each), inside)) ?? []),
    ...(alternatives.length > 0 ? [united(alternatives)] : [])
  ]
  const [first, ...more] = parts
  if (first === undefined || parts.some(({ kinds }) => kinds.has("any"))) return anything
  // all parts at once: the fields of each
  return more.reduce<Shape<DescribedKind>>(
    (all, part) => ({
      kinds: new Set([...all.kinds].filter((each) => part.kinds.has(each))),
      words: all.words ?? part.words,
      fields: new Map([...all.fields, ...part.fields]),
      others: [...all.others, ...part.others],
      items: [...all.items, ...part.items]
    }),
    first
  )
}

/** What a declared type says of a value. */
const declared = (checker: ts.TypeChecker, type: ts.Type): Shape<ts.Type> => {
  const simple = (kind: string, words?: string): Shape<ts.Type> => ({
    ...anything,
    kinds: new Set([kind]),
    words: words === undefined ? undefined : new Set([words])
  })
  if (type.isUnion()) return united(type.types.map((each) => declared(checker, each)))
  const { flags } = type
  if (type.isStringLiteral()) return simple("string", type.value)
  // `string & {}` beside a list of words, which leaves the list open, adds no word to it
  if (type.isIntersection() && type.types.some((each) => each.flags & ts.TypeFlags.String))
    return { ...simple("string"), words: new Set() }
  if (flags & ts.TypeFlags.StringLike) return simple("string")
  // a type that follows an argument, where that is not known
  if (flags & ts.TypeFlags.Instantiable) {
    const bound = checker.getBaseConstraintOfType(type)
    return bound === undefined || bound === type ? anything : declared(checker, bound)
  }
  if (flags & ts.TypeFlags.NumberLike) return simple("number")
  if (flags & ts.TypeFlags.BigIntLike) return simple("bigint")
  if (flags & ts.TypeFlags.BooleanLike) return simple("boolean")
  if (flags & ts.TypeFlags.Null) return simple("null")
  if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return { ...anything, kinds: new Set() }
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return anything
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return {
      ...anything,
      kinds: new Set(["array"]),
      // the arguments of an array's type are those of a reference
      items: checker.getTypeArguments(type as ts.TypeReference)
    }
  const fields = checker.getPropertiesOfType(type).map((member): [string, Field<ts.Type>] => {
    const parent = member.valueDeclaration?.parent
    return [
      member.name,
      {
        kinds: [checker.getTypeOfSymbol(member)],
        required: (member.flags & ts.SymbolFlags.Optional) === 0,
        of: parent !== undefined && ts.isInterfaceDeclaration(parent) ? parent.name.text : undefined
      }
    ]
  })
  return {
    ...anything,
    kinds: new Set(["object"]),
    fields: new Map(fields),
    others: checker.getIndexInfosOfType(type).map((info) => info.type)
  }
}

const show = (kinds: Iterable<string>): string => [...kinds].sort().join(" or ")

const simpleKinds = ["string", "number", "boolean", "array", "object"]

const numbers = (kinds: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...kinds].map((kind) => (kind === "bigint" ? "number" : kind)))

/**
 * A declared type beside what is described, at every depth; of several descriptions, each may be right. The fields that the
 * interface `flat` declares are those of objects of many kinds: that one has all of them is one difference.
 */
export const compare = (
  checker: ts.TypeChecker,
  types: ReadonlyArray<ts.Type>,
  told: ReadonlyArray<DescribedKind>,
  flat?: string
): Compared => {
  const differences: Array<string> = []
  const met = new Set<string>()
  const numbered = new Map<unknown, number>()
  const number = (value: unknown): number => {
    const known = numbered.get(value) ?? numbered.size
    numbered.set(value, known)
    return known
  }
  const keyOf = (values: ReadonlyArray<unknown>): string => [...new Set(values.map(number))].sort().join()
  /** Whether it is a type of any JSON at all. */
  const isCatchAll = (type: ts.Type): boolean => {
    const { kinds } = declared(checker, type)
    return simpleKinds.every((kind) => kinds.has(kind))
  }
  let fields = 0
  const walk = (types: ReadonlyArray<ts.Type>, kinds: ReadonlyArray<DescribedKind>, at: string): void => {
    const key = `${keyOf(types)}|${keyOf(kinds.map(([description, kind]) => description.follow(kind)))}`
    if (met.has(key)) return
    met.add(key)
    fields++
    const ours = united(types.map((each) => declared(checker, each)))
    const theirs = united(kinds.map((kind) => described(kind)))
    const differ = (how: string): void => {
      differences.push(`${at === "" ? "itself" : at}: ${how}`)
    }
    if (theirs.kinds.has("any") || kinds.length === 0) return
    const isAny = ours.kinds.has("any") || types.some(isCatchAll)
    if (isAny && !simpleKinds.every((kind) => theirs.kinds.has(kind))) {
      differ(`is unknown, and described as ${show(theirs.kinds)}`)
      return
    }
    const known = numbers(ours.kinds)
    const missing = [...theirs.kinds].filter((each) => !known.has(each))
    const extra = [...known].filter((each) => !theirs.kinds.has(each))
    if (missing.length > 0 && extra.some((each) => each !== "null"))
      differ(`is ${show(ours.kinds)}, and described as ${show(theirs.kinds)}`)
    else {
      if (missing.length > 0) differ(`may be ${show(missing)}`)
      if (extra.length > 0) differ(`is never ${show(extra)}`)
    }
    if (ours.words !== undefined && theirs.words !== undefined) {
      const words = [...theirs.words].filter((word) => ours.words?.has(word) === false)
      const more = [...ours.words].filter((word) => theirs.words?.has(word) === false)
      if (words.length > 0) differ(`may be ${words.map((word) => JSON.stringify(word)).join(", ")}`)
      if (more.length > 0) differ(`is never ${more.map((word) => JSON.stringify(word)).join(", ")}`)
    }
    if (ours.kinds.has("array") && theirs.kinds.has("array") && theirs.items.length > 0)
      walk(ours.items, theirs.items, `${at}[]`)
    if (!ours.kinds.has("object") || !theirs.kinds.has("object")) return
    const path = (name: string): string => (at === "" ? name : `${at}.${name}`)
    const isFlat = ({ of }: Field<ts.Type>): boolean => flat !== undefined && of === flat
    let hasAll = false
    for (const [name, their] of theirs.fields) {
      const our = ours.fields.get(name)
      if (our === undefined) {
        // beside fields with names, a catch-all says nothing of a field
        const says = ours.fields.size === 0 || ours.others.some((each) => !isCatchAll(each))
        if (ours.others.length > 0 && says) walk(ours.others, their.kinds, path(name))
        else differences.push(`${path(name)}: is missing`)
        continue
      }
      if (our.required === true && their.required === false) differences.push(`${path(name)}: may be missing`)
      if (our.required === false && their.required === true) {
        if (isFlat(our)) hasAll = true
        else differences.push(`${path(name)}: is always there`)
      }
      walk(our.kinds, their.kinds, path(name))
    }
    for (const [name, our] of ours.fields) {
      if (theirs.fields.has(name)) continue
      if (theirs.others.length > 0) walk(our.kinds, theirs.others, path(name))
      else if (theirs.fields.size > 0) {
        if (isFlat(our)) hasAll = true
        else differences.push(`${path(name)}: is not described`)
      }
    }
    if (hasAll) differ("has the fields of all kinds")
    if (ours.others.length > 0 && theirs.others.length > 0) walk(ours.others, theirs.others, path("*"))
  }
  walk(types, told, "")
  return { fields, differences }
}
