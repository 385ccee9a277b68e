import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = dirname(import.meta.dirname)

/** The entries of a folder by the modules of chains that they are of. */
const entriesIn = (folder: string): ReadonlyArray<readonly [module: string, file: string]> =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replace(/\.ts$/, ""), join(root, folder, file)])

const promise = entriesIn("src/entries")
const effect = entriesIn("src/entries/effect")

/** The names that a module has at run time. */
const namesOf = async (file: string): Promise<ReadonlyArray<string>> =>
  Object.keys(await import(/* @vite-ignore */ file)).sort()

const program = ts.createProgram(
  [...promise, ...effect].map(([, file]) => file),
  {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
      ts.sys,
      root
    ).options,
    noEmit: true
  }
)
const checker = program.getTypeChecker()

/** The exports of a file as the compiler sees them, types included. */
const exportsOf = (file: string): ReadonlyMap<string, ts.Symbol> => {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  return new Map((module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, symbol]))
}

describe("every module of chains", () => {
  it("has an entry of either surface", () => {
    expect(promise.length).toBeGreaterThan(20)
    expect(effect.map(([module]) => module)).toEqual(promise.map(([module]) => module))
  })

  it("has the same beside its maker on both: init alone for Promises, make alone for Effects", async () => {
    for (const [module, file] of promise) {
      const own = await namesOf(join(root, `src/chains/${module}.ts`))
      expect(await namesOf(file), file).toEqual([...own, "init"].sort())
    }
    for (const [module, file] of effect) {
      const own = await namesOf(join(root, `src/chains/${module}.ts`))
      expect(await namesOf(file), file).toEqual([...own, "make"].sort())
    }
  })

  it("has no other maker in its types either", () => {
    const makers = [...promise, ...effect].map(([, file]) => {
      const names = exportsOf(file)
      return ["init", "make"].filter((name) => names.has(name)).join()
    })
    expect(makers).toEqual([...promise.map(() => "init"), ...effect.map(() => "make")])
  })
})
