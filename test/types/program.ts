/**
 * One program of the compiler for all tests that read types: entries, members of every client, results of every call. To make it
 * takes longer than any of these tests.
 */
import { join } from "node:path"
import ts from "typescript"
import { entries } from "../../scripts/sources.js"

export const root: string = join(import.meta.dirname, "../..")

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root
)

/** Files whose exports put the compiler to work, in the order in which they are measured. */
export const measured = ["calls", "members"] as const

const own = [...measured, "promises", "hovers"].map((name) => join(root, `test/types/${name}.ts`))
const program = ts.createProgram([...own, ...Object.values(entries).map((path) => join(root, path))], {
  ...options,
  noEmit: true
})

export const checker: ts.TypeChecker = program.getTypeChecker()

/** The source of a file, by its path from the root of the repository. */
export const sourceOf = (path: string): ts.SourceFile => {
  const source = program.getSourceFile(join(root, path))
  if (source === undefined) throw new Error(`the program has no ${path}`)
  return source
}

/** What a file exports as the compiler sees it, types included. */
export const exportsOf = (path: string): ReadonlyMap<string, ts.Symbol> => {
  const module = checker.getSymbolAtLocation(sourceOf(path))
  return new Map((module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, symbol]))
}

/** The exports of the typical members, as an editor shows them over a version of Effect. */
export const showHovers = (effect: 3 | 4): Readonly<Record<string, string>> => {
  const path = join(root, "test/types/hovers.ts")
  const read = ts.readConfigFile(join(root, "tsconfig.effect4.json"), ts.sys.readFile).config
  const shown =
    effect === 3
      ? program
      : ts.createProgram([path], {
          ...ts.parseJsonConfigFileContent(read, ts.sys, root).options,
          noEmit: true
        })
  const source = shown.getSourceFile(path)
  const types = shown.getTypeChecker()
  const module = source && types.getSymbolAtLocation(source)
  return Object.fromEntries(
    (module ? types.getExportsOfModule(module) : []).map((symbol) => [
      symbol.name,
      types
        .typeToString(types.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation)
        // the compiler's order of a union is that in which it first met the members
        .replace(/\w+( \| \w+)+/g, (union) => union.split(" | ").sort().join(" | "))
    ])
  )
}

/** A type that a file exports. */
export const typeIn = (path: string, name: string): ts.Type => {
  const symbol = exportsOf(path).get(name)
  if (symbol === undefined) throw new Error(`${path} exports no ${name}`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

/**
 * What the compiler had to do for each file that is measured, and what it complains of. Measured before anything else is asked of
 * the program, so that the numbers do not depend on which test runs first.
 */
export const work: ReadonlyMap<
  (typeof measured)[number],
  { readonly instantiations: number; readonly problems: ReadonlyArray<string> }
> = new Map(
  measured.map((name) => {
    const before = program.getInstantiationCount()
    const problems = program
      .getSemanticDiagnostics(sourceOf(`test/types/${name}.ts`))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    return [name, { instantiations: program.getInstantiationCount() - before, problems }]
  })
)

const clients = typeIn("test/types/members.ts", "Clients")

/** The declared type of a member of the clients of all families, by the names on the way to it. */
export const memberType = (path: ReadonlyArray<string>): ts.Type | undefined =>
  path.reduce<ts.Type | undefined>((type, name) => {
    const member = type?.getProperty(name)
    return member && checker.getTypeOfSymbol(member)
  }, clients)
