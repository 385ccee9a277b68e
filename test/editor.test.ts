/** The package in an editor: the packed tarball in an application, asked through TypeScript's language service. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { pack, sh } from "../scripts/pack.mjs"
import { loadFamily } from "../src/chains/registry.js"
import { specOf } from "../src/data/Endpoint.js"
import { type FamilyId, networks } from "../src/data/Network.js"
import { catalogue } from "../src/services/Services.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const app = mkdtempSync(join(tmpdir(), "effect-chains-editor-"))
const file = join(app, "application.ts")

/** A network of each family. */
const families = new Map<FamilyId, string>(Object.entries(networks).map(([id, { family }]) => [family, id]))

/** The surfaces that have methods as members; hooks take them by paths, which are texts to an editor. */
const surfaces = { effect: "Sdk.Sdk", promise: "PromiseSdk", rx: "Reactive" } as const
type Surface = keyof typeof surfaces

const declarations = [
  `import type { Network, Sdk } from "effect-chains"`,
  `import type { PromiseSdk } from "effect-chains/promise"`,
  `import type { Reactive } from "effect-chains/react"`,
  ...Object.entries(surfaces).flatMap(([surface, type]) => [
    `declare const ${surface}: {`,
    ...[...families].map(([family, network]) => `  "${family}": ${type}<"${network}">`),
    `  any: ${type}<Network.Network>`,
    "}"
  ]),
  ""
].join("\n")

/** The application's one file, as it is in the editor now. */
let text = declarations
let version = 0
const edit = (added: string): void => {
  text = declarations + added
  version++
}

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
  types: ["node"]
}
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => app,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [file],
  // without it every question begins with a look at every file
  getProjectVersion: () => String(version),
  getScriptVersion: (name) => (name === file ? String(version) : ""),
  getScriptSnapshot: (name) => {
    const content = name === file ? text : ts.sys.readFile(name)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath })
})

/** What a build is made of. */
const inputs = ["src", "react", "scripts", "package.json", "tsconfig.json", "tsconfig.build.json"]

/** When a file, or anything in a folder, was written last; a folder is written when a file in it comes or goes. */
const written = (path: string): number => {
  const at = statSync(join(root, path))
  const inside = at.isDirectory() ? readdirSync(join(root, path), { recursive: true, encoding: "utf8" }) : []
  return Math.max(at.mtimeMs, ...inside.map((name) => statSync(join(root, path, name)).mtimeMs))
}

/** The file that a build writes last. */
const last = "dist/cli/main.js"

/** Packs the package, with the build that is there where nothing has been written since. */
const packed = (): string => {
  if (!existsSync(join(root, last)) || inputs.some((path) => written(path) >= written(last))) return pack(app)
  const args = ["pack", "--pack-destination", app, "--silent", "--ignore-scripts"]
  return join(app, sh("npm", args, root).trim())
}

beforeAll(() => {
  const modules = join(app, "node_modules")
  mkdirSync(join(modules, manifest.name), { recursive: true })
  sh("tar", ["-xzf", packed(), "--strip-components=1", "-C", join(modules, manifest.name)], app)
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const needed = ["effect", "@effect/platform", "@effect-rx/rx-react", "react", "@types/node", "@types/react"]
  for (const name of [...needed, ...Object.keys(manifest.dependencies)]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction")
  }
})
afterAll(() => rmSync(app, { recursive: true, force: true }))

/** The paths of the endpoints of a table. */
const endpointsOf = (table: object, before = ""): ReadonlyArray<string> =>
  Object.entries(table).flatMap(([name, value]) =>
    specOf(value) === undefined ? endpointsOf(value, `${before}${name}.`) : [`${before}${name}`]
  )

/** The paths of all functions that are members of an expression's type, or of groups in it. */
const functionsIn = (
  checker: ts.TypeChecker,
  { expression }: ts.ExpressionStatement
): ReadonlyArray<string> => {
  const inside = (type: ts.Type, before: string): ReadonlyArray<string> =>
    type.getProperties().flatMap((member) => {
      const own = checker.getTypeOfSymbolAtLocation(member, expression)
      if (!/^[a-z]\w*$/i.test(member.name)) return []
      if (own.getCallSignatures().length > 0) return [`${before}${member.name}`]
      const isGroup = (own.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
      return isGroup ? inside(own, `${before}${member.name}.`) : []
    })
  return inside(checker.getTypeAtLocation(expression), "")
}

/** The methods of clients by an expression for each: of the nodes by family, and of the services of one network. */
const methodsOf = (surface: Surface): ReadonlyMap<string, ReadonlyArray<string>> => {
  const clients = [
    ...[...families.keys()].map((family) => `${surface}["${family}"].rpc`),
    ...Object.keys(catalogue).flatMap((name) => (name === "rpc" ? [] : [`${surface}["evm-beacon"].${name}`]))
  ]
  edit(clients.map((client) => `;${client}`).join(""))
  const program = service.getProgram()
  const statements = program?.getSourceFile(file)?.statements.filter(ts.isExpressionStatement) ?? []
  expect(statements.length).toBe(clients.length)
  return new Map(
    statements.map((statement, i) => [
      String(clients[i]),
      program === undefined ? [] : functionsIn(program.getTypeChecker(), statement)
    ])
  )
}

/** Those of the expressions of which an editor has nothing to say but a type. */
const silent = (expressions: ReadonlyArray<string>): ReadonlyArray<string> => {
  edit(expressions.map((expression) => `;${expression}`).join(""))
  let end = declarations.length
  return expressions.filter((expression) => {
    end += expression.length + 1
    const info = service.getQuickInfoAtPosition(file, end - 1)
    return ts.displayPartsToString(info?.documentation).trim() === ""
  })
}

/**
 * What the compiler may do until an editor can show the members of a client, in instantiations of types: what it did when this was written,
 * and 15 % more. It does so anew after each keystroke, and its time for it grows with them.
 */
const BUDGETS = { one: 2_450, any: 16_300 } as const

describe("an editor", () => {
  it("finds no fault with an application of the packed package", () => {
    edit("")
    const problems = service.getSemanticDiagnostics(file)
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([])
  })

  it.each(Object.keys(surfaces) as ReadonlyArray<Surface>)(
    "shows a doc of every method of every family and service: %s",
    async (surface) => {
      // an Rx of a write is no function, but stands in the same place
      const methods = methodsOf(surface === "rx" ? "effect" : surface)
      for (const family of families.keys()) {
        const { endpoints } = await Effect.runPromise(loadFamily(family))
        const listed = [...methods].find(([client]) => client.endsWith(`["${family}"].rpc`))?.[1]
        expect(listed).toEqual(expect.arrayContaining([...endpointsOf(endpoints), "rawRpcCall"]))
      }
      const paths = [...methods].flatMap(([client, names]) => names.map((name) => `${client}.${name}`))
      expect(paths.length).toBeGreaterThan(1_500)
      expect(silent(paths.map((path) => path.replace(/^effect/, surface)))).toEqual([])
    },
    300_000
  )

  it.each([
    ["effect", "evm-beacon", "getBalance"],
    ["promise", "evm-beacon", "getBalance"],
    ["effect", "any", "rawRpcCall"],
    ["promise", "any", "rawRpcCall"]
  ] as const)(
    "completes a client soon after a keystroke: %s, %s",
    (surface, family, member) => {
      edit(`const typed = 1;${surface}["${family}"].rpc.`)
      const program = service.getProgram()
      const found = service.getCompletionsAtPosition(file, text.length, {})
      expect(found?.entries.map(({ name }) => name)).toContain(member)
      // every keystroke makes a new program: nothing in it has been looked at before
      const count = program?.getInstantiationCount() ?? Number.NaN
      const budget = BUDGETS[family === "any" ? "any" : "one"]
      console.log(`completion: ${count} instantiations (${surface}, ${family}, budget ${budget})`)
      expect(count).toBeGreaterThan(0)
      expect(count).toBeLessThan(budget)
    },
    300_000
  )
})
