/** Every entry of the package says to the compiler, under the wrong version of Effect, which one to import: a parameter of a function has that text as its type. */
import { join } from "node:path"
import ts from "typescript"
import { expect, it } from "vitest"
import { messageOf } from "../../scripts/guards.mjs"
import { exports, guarded, ofEffect4, sourcesOf } from "../entrySources.js"

const root = join(import.meta.dirname, "../..")

/** The compiler's view of entries where the module of Effect that tells the versions apart is missing. */
const checkerWithout = (missing: string, config: string, files: ReadonlyArray<string>) => {
  const { config: given } = ts.readConfigFile(join(root, config), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(given, ts.sys, root)
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text === missing
        ? { resolvedModule: undefined }
        : ts.resolveModuleName(text, from, options, host, undefined, undefined, ts.ModuleKind.ESNext)
    )
  const program = ts.createProgram(files, { ...options, skipLibCheck: true }, host)
  return { program, checker: program.getTypeChecker() }
}

/** What the compiler says of an argument, by the names of the functions that say anything. */
const toldBy = (
  { checker, program }: ReturnType<typeof checkerWithout>,
  file: string
): ReadonlyArray<readonly [name: string, text: string]> => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (source === undefined || module === undefined) throw new Error(`${file} is no module`)
  const told = (symbol: ts.Symbol, depth: number): ReadonlyArray<readonly [string, string]> => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    if (own.flags & ts.SymbolFlags.ValueModule)
      return depth === 0 ? [] : checker.getExportsOfModule(own).flatMap((each) => told(each, depth - 1))
    if (!(own.flags & ts.SymbolFlags.Value)) return []
    return checker
      .getTypeOfSymbolAtLocation(own, source)
      .getCallSignatures()
      .flatMap(({ parameters }) => parameters)
      .map((parameter) => checker.getTypeOfSymbolAtLocation(parameter, source))
      .flatMap((type) => (type.isUnion() ? type.types : [type]))
      .flatMap(
        (type): ReadonlyArray<readonly [string, string]> =>
          type.isStringLiteral() ? [[symbol.name, type.value]] : []
      )
  }
  return checker.getExportsOfModule(module).flatMap((each) => told(each, 1))
}

it.each([
  ["effect/Either", "tsconfig.all.json", false, /with Effect 4, import effect-chains\/effect4$/],
  ["effect/Result", "tsconfig.effect4.json", true, /with Effect 3, import effect-chains$/]
] as const)("name the other one in an error of the compiler without %s", (missing, config, isOf4, text) => {
  const own = guarded
    .filter(([entry]) => messageOf(entry, exports) !== undefined && ofEffect4.includes(entry) === isOf4)
    .flatMap(([entry, target]) => sourcesOf(target).map((file) => [entry, file] as const))
  const view = checkerWithout(
    missing,
    config,
    own.map(([, file]) => file)
  )
  const silent = own.filter(([, file]) => !toldBy(view, file).some(([, said]) => text.test(said)))
  expect(silent.map(([entry, file]) => `${entry}: ${file.slice(root.length + 1)}`)).toEqual([])
})
