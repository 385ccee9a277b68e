// @vitest-environment node
/** The tables of docs/react/from-wagmi.md beside the declarations of wagmi and TanStack Query, and beside the tests of this SDK. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"
import type { Path } from "../../react/paths.js"
import { cachedMethods } from "../../scripts/methods.js"

/** The streams that the tables name; the compiler knows whether there are such. */
const streams: ReadonlyArray<Path<"ethereum-mainnet", "live">> = [
  "rpc.subscribe.newPendingTransactions",
  "wallet.accountsChanged"
]

const root = dirname(dirname(import.meta.dirname))

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const declared = `
  import type * as Tanstack from "@tanstack/react-query"
  import type * as Wagmi from "wagmi"
  export declare const wagmiHooks: typeof Wagmi
  export declare const wagmiOptions: Wagmi.WagmiProviderProps | Wagmi.CreateConfigParameters
  export declare const tanstackHooks: typeof Tanstack
  export declare const tanstackOptions:
    | Tanstack.UseQueryOptions
    | Tanstack.UseInfiniteQueryOptions
    | Tanstack.UseMutationOptions`

/** The names in the declarations that are installed, by the table of the docs that has to have them. */
const namesOf = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const file = join(root, "test/react/declared.ts")
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: []
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile } = host
  host.fileExists = (path) => path === file || fileExists(path)
  host.getSourceFile = (path, ...more) =>
    path === file ? ts.createSourceFile(path, declared, options.target) : getSourceFile(path, ...more)
  const program = ts.createProgram([file], options, host)
  const source = program.getSourceFile(file)
  const checker = program.getTypeChecker()
  const module = source && checker.getSymbolAtLocation(source)
  if (source === undefined || module === undefined) throw new Error("the declarations cannot be read")
  expect(program.getSemanticDiagnostics(source).map(({ messageText }) => messageText)).toEqual([])
  return new Map(
    checker.getExportsOfModule(module).map(({ name, valueDeclaration }) => {
      if (valueDeclaration === undefined) throw new Error(`${name} is no value`)
      const type = checker.getTypeAtLocation(valueDeclaration)
      const names = (type.isUnion() ? type.types : [type]).flatMap((one) =>
        checker.getPropertiesOfType(one).map((property) => property.name)
      )
      // what begins with an underscore is marked as internal there
      const isMeant = name.endsWith("Hooks") ? /^use[A-Z]/ : /^[a-z]/
      return [name, [...new Set(names)].filter((each) => isMeant.test(each)).sort()] as const
    })
  )
}

interface Row {
  readonly name: string
  readonly here: string
  readonly remark: string
}

const docs = read("docs/react/from-wagmi.md")

const rowsOf = (title: string): ReadonlyArray<Row> => {
  const [, table = ""] = docs.split(`| ${title} `)
  const lines = table.split("\n\n")[0]?.trim().split("\n").slice(2) ?? []
  return lines.map((line) => {
    const [, name = "", here = "", remark = ""] = line.split("|").map((cell) => cell.trim())
    return { name: name.replaceAll("`", ""), here, remark }
  })
}

const tables = {
  wagmiHooks: "hooks of wagmi",
  wagmiOptions: "options of wagmi's provider and configuration",
  tanstackHooks: "hooks of TanStack Query",
  tanstackOptions: "options of TanStack Query's hooks"
} as const

const rows = Object.values(tables).flatMap(rowsOf)

/** The tests of React, and those in Chromium and on real nodes, as text. */
const tests = [
  ...readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => `test/react/${name}`),
  "test/browser/page/subscribers.tsx",
  "test/nodes/dapp.test.ts"
]
  .map(read)
  .join("\n")

/** Whether a test calls a hook, renders a component, or gives an option: as a field, in short form, or as a prop. */
const isUsed = (name: string): boolean => {
  const uses = /^use[A-Z]/.test(name)
    ? [`${name}\\(`]
    : /^[A-Z]/.test(name)
      ? [`<${name}`]
      : [`\\b${name}: `, `[{,] ${name}[, ]`, ` ${name}(=[{"]| />)`]
  return uses.some((use) => new RegExp(use).test(tests))
}

describe("what stands for the hooks and options of wagmi and TanStack Query", () => {
  const names = namesOf()

  it.each(Object.entries(tables))("has a row for all of %s", (key, title) => {
    expect(names.get(key)?.length).toBeGreaterThan(10)
    expect(
      rowsOf(title)
        .map(({ name }) => name)
        .sort()
    ).toEqual(names.get(key))
  })

  it("has a reason where there is none", () => {
    expect(rows.filter(({ here, remark }) => (here === "–" || here === "") && remark === "")).toEqual([])
  })

  it("names the versions that are installed", () => {
    const of = (name: string): unknown => JSON.parse(read(`node_modules/${name}/package.json`)).version
    expect(docs).toContain(`wagmi ${of("wagmi")} and TanStack Query ${of("@tanstack/react-query")}`)
  })

  it("is used by tests of its behaviour", () => {
    const counterparts = new Set(
      rows.flatMap(({ here }) => [...here.matchAll(/`(\w+)/g)].map(([, name = ""]) => name))
    )
    expect(counterparts.size).toBeGreaterThan(40)
    expect([...counterparts].filter((name) => !isUsed(name))).toEqual([])
  })

  it("names methods that clients have", () => {
    const { families, services } = cachedMethods(root)
    const methods = [...Object.values(services).flat(), ...(families.evm ?? [])]
    const of = (sort: string) => methods.filter(({ kind }) => kind === sort).map(({ path }) => path)
    const paths = { useRpc: of("read"), useRead: of("read"), useWrite: of("write"), useWatch: streams }
    const named = rows.flatMap(({ here }) =>
      [...here.matchAll(/`(\w+)\("([^"]+)"\)/g)].map(([, hook = "", name = ""]) => ({
        path: hook === "useRpc" ? `rpc.${name}` : name,
        known: new Map<string, ReadonlyArray<string>>(Object.entries(paths)).get(hook) ?? []
      }))
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(({ known, path }) => !known.includes(path)).map(({ path }) => path)).toEqual([])
  })
})
