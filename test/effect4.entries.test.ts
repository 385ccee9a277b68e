/** Every entry of the package says under the wrong version of Effect which one to import, to Node and to the compiler. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import { messageOf } from "../scripts/guards.mjs"

const root = dirname(import.meta.dirname)

describe("the entries of the package", () => {
  interface Target {
    readonly default: string
    readonly node?: string
  }
  const { exports }: { readonly exports: Readonly<Record<string, Target>> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8")
  )
  const ofEffect4 = Object.keys(exports).filter((entry) => /^\.\/effect4(\/|$)/.test(entry))

  /** The sources of an entry, which the package has built from them one by one. */
  const sourcesOf = ({ default: built }: Target): ReadonlyArray<string> => {
    const stem = join(root, built.replace("./dist/effect4/", "").replace("./dist/", "").replace(/\.js$/, ""))
    if (!stem.includes("*")) return [".ts", ".tsx"].map((end) => `${stem}${end}`).filter(existsSync)
    return readdirSync(dirname(stem), { withFileTypes: true }).flatMap((file) =>
      file.isFile() ? [join(dirname(stem), file.name)] : []
    )
  }

  const imports = /^(?:import|export)(?! type)\s[^"';]*?from "([^"]+)"/gm
  const needing = new Map<string, boolean>()
  /** Whether what a source imports at once has Effect in it. */
  const needsEffect = (file: string): boolean => {
    const known = needing.get(file)
    if (known !== undefined) return known
    needing.set(file, false)
    const found = Array.from(readFileSync(file, "utf8").matchAll(imports), ([, id = ""]) => id).some((id) =>
      id.startsWith(".")
        ? [".ts", ".tsx"]
            .map((end) => join(dirname(file), id.replace(/\.js$/, end)))
            .filter(existsSync)
            .some(needsEffect)
        : /^@?effect(-rx)?\//.test(id)
    )
    needing.set(file, found)
    return found
  }

  /** Those on the lean runtime need no Effect. */
  const guarded = Object.entries(exports).filter(
    ([entry, target]) => entry !== "./package.json" && !target.default.startsWith("./dist/lean/")
  )

  it("name the right one under the wrong version, each that needs a version, and no other", () => {
    expect(guarded.length).toBeGreaterThan(40)
    for (const [entry, target] of guarded) {
      const sources = sourcesOf(target)
      expect([entry, sources.length > 0]).toEqual([entry, true])
      const needs = sources.some(needsEffect) || ofEffect4.includes(entry)
      expect([entry, messageOf(entry, exports) !== undefined]).toEqual([entry, needs])
      expect([entry, target.node !== undefined]).toEqual([entry, needs])
    }
  })

  it("name an entry that is there, of the other version", () => {
    for (const [entry] of guarded) {
      const message = messageOf(entry, exports)
      if (message === undefined) continue
      const isOf4 = ofEffect4.includes(entry)
      expect(message).toContain(`effect-chains${entry.slice(1)} needs effect@${isOf4 ? 4 : 3}`)
      const [, named] = /import "effect-chains([^"]*)"/.exec(message) ?? []
      if (named === undefined) expect(entry).toMatch(/^\.\/sandbox/)
      else {
        expect(Object.keys(exports)).toContain(`.${named}`)
        expect(ofEffect4.includes(`.${named}`)).toBe(!isOf4)
      }
    }
  })

  it("are there for both versions, but for the sandbox", () => {
    const alone = guarded
      .filter(([entry]) => messageOf(entry, exports)?.includes("not there for Effect 4") === true)
      .map(([entry]) => entry)
    expect(alone).toEqual(["./sandbox", "./sandbox/client"])
    // notifications are a part of the whole for Effect 3
    const twins = ofEffect4.map((entry) => entry.slice("./effect4".length))
    const lacking = twins.filter((part) => !(`./effect${part}` in exports) && !(`.${part}` in exports))
    expect(lacking).toEqual([])
  })

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
})
