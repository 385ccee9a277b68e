/** Arguments whose type is text of bytes: each is checked by its table, wherever it stands, and what is none is refused before anything is sent. */
import * as Effect from "effect/Effect"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { loadFamily } from "../../src/client/Sdk.js"
import { type FamilyId, networks } from "../../src/data/Network.js"
import { make } from "../../src/transport/Client.js"
import { checker, memberType } from "../types/program.js"
import { walk } from "./tables.js"

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

/** How a type says that it is bytes: an alias of text, whose doc begins with them and names their encoding. Quantities are none. */
const ofBytes = /^(Bytes(?! or)|(The|A|Any) (bytes|hash|public key|structure)\b)/
const encoding = /\b(hexadecimal|in hex|base64(url)?)\b/i

/** The alias by which a declaration names its type, if that is one of text. */
const aliasOf = (node: ts.TypeNode): ts.Symbol | undefined => {
  if (!ts.isTypeReferenceNode(node)) return undefined
  const symbol = checker.getSymbolAtLocation(node.typeName)
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

const isBytes = (symbol: ts.Symbol): boolean =>
  (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0 &&
  (checker.getDeclaredTypeOfSymbol(symbol).flags & ts.TypeFlags.StringLike) !== 0 &&
  [ofBytes, encoding].every((said) =>
    said.test(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
  )

type Path = ReadonlyArray<string | number>
interface Leaf {
  readonly path: Path
  readonly alias: string
}

const isSame = (one: ts.Type, other: ts.Type): boolean =>
  checker.getNonNullableType(one) === checker.getNonNullableType(other)

/** Where bytes stand in what a node of the syntax declares; `type` is what the compiler makes of it. */
const inNode = (node: ts.TypeNode, path: Path, met: ReadonlySet<unknown>): ReadonlyArray<Leaf> => {
  if (met.has(node)) return []
  const seen = new Set([...met, node])
  if (ts.isParenthesizedTypeNode(node)) return inNode(node.type, path, seen)
  if (ts.isTypeOperatorNode(node)) return inNode(node.type, path, seen)
  if (ts.isArrayTypeNode(node)) return inNode(node.elementType, [...path, 0], seen)
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node))
    return node.types.flatMap((each) => inNode(each, path, seen))
  if (ts.isTupleTypeNode(node))
    return node.elements.flatMap((each, i) =>
      inNode(ts.isNamedTupleMember(each) ? each.type : each, [...path, i], seen)
    )
  if (ts.isTypeReferenceNode(node)) {
    const alias = aliasOf(node)
    if (alias !== undefined && isBytes(alias)) return [{ path, alias: alias.name }]
    if (alias?.name === "ReadonlyArray" || alias?.name === "Array") {
      const [item] = node.typeArguments ?? []
      return item === undefined ? [] : inNode(item, [...path, 0], seen)
    }
    const [declared] = alias?.declarations ?? []
    if (
      declared !== undefined &&
      ts.isTypeAliasDeclaration(declared) &&
      declared.typeParameters === undefined
    )
      return inNode(declared.type, path, seen)
  }
  return inType(checker.getTypeFromTypeNode(node), path, seen)
}

const inType = (whole: ts.Type, path: Path, met: ReadonlySet<unknown>): ReadonlyArray<Leaf> => {
  const type = checker.getNonNullableType(whole)
  if (met.has(type) || path.length > 8) return []
  const seen = new Set([...met, type])
  if (type.isUnion()) return type.types.flatMap((each) => inType(each, path, seen))
  if ((type.flags & ts.TypeFlags.Object) === 0 && !type.isIntersection()) return []
  if (type.getProperty("byteLength") !== undefined) return []
  if (checker.isTupleType(type)) {
    const { target } = type as ts.TupleTypeReference
    return checker.getTypeArguments(type as ts.TypeReference).flatMap((item, i) => {
      const node = target.labeledElementDeclarations?.[i]?.type
      // of a generic tuple, what was declared is a parameter
      return node !== undefined && isSame(checker.getTypeFromTypeNode(node), item)
        ? inNode(node, [...path, i], seen)
        : inType(item, [...path, i], seen)
    })
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    return item === undefined ? [] : inType(item, [...path, 0], seen)
  }
  return checker.getPropertiesOfType(type).flatMap((field) => {
    const [declared] = field.declarations ?? []
    return declared !== undefined && ts.isPropertySignature(declared) && declared.type !== undefined
      ? inNode(declared.type, [...path, field.name], seen)
      : inType(checker.getTypeOfSymbol(field), [...path, field.name], seen)
  })
}

const argumentsOf = (path: ReadonlyArray<string>): ReadonlyArray<Leaf> => {
  const [signature] = memberType(path)?.getCallSignatures() ?? []
  return (signature?.getParameters() ?? []).flatMap((parameter) =>
    inType(checker.getTypeOfSymbol(parameter), [], new Set())
  )
}

/** A value with something at a path. */
const nested = (path: Path, inner: unknown): unknown =>
  path.reduceRight<unknown>(
    (made, name) => (typeof name === "number" ? [...new Array<undefined>(name), made] : { [name]: made }),
    inner
  )

/** The members of a client whose calls would be sent to nobody. */
const clientOf = (endpoints: object): object =>
  make(
    endpoints,
    {
      send: ({ label }) => Effect.die(new Error(`${label} was sent`)),
      nodeUrl: () => Effect.die("no url")
    },
    { archive: false, batchArchive: false }
  )

const notBytes = "no bytes at all!"

/** Whether a call with that in the place of bytes is refused for it. */
const isRefused = async (client: object, name: string, path: Path): Promise<boolean> => {
  const call = name.split(".").reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), client)
  if (typeof call !== "function") throw new Error(`${name} is no call`)
  const made = Reflect.apply(call, undefined, nested(path, notBytes) as ReadonlyArray<unknown>)
  const exit = await Effect.runPromiseExit(Effect.flip(made as Effect.Effect<unknown, unknown>))
  return (
    exit._tag === "Success" &&
    / must be .*; it is .?no bytes at all!/.test(String(Reflect.get(Object(exit.value), "reason")))
  )
}

describe.each(families)("bytes of %s", (family) => {
  it("are checked wherever an argument's type says that it is such", async () => {
    const { endpoints } = await Effect.runPromise(loadFamily(family))
    const client = clientOf(endpoints)
    const { methods, routes } = walk(endpoints)
    const unchecked: Array<string> = []
    for (const { name } of [...methods, ...routes])
      for (const { alias, path } of argumentsOf([family, ...name.split(".")]))
        if (!(await isRefused(client, name, path))) unchecked.push(`${name}: ${path.join(".")} (${alias})`)
    expect(unchecked).toEqual([])
  })
})
