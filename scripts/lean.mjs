/**
 * Puts the sources on the lean runtime: `effect/*` is resolved to `src/lean`, for esbuild, bundlers of Rollup's kind and vitest. A
 * function of effect that the lean runtime does not have may stand in a source, but in nothing that is left after tree
 * shaking: there it is an error of the build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))
const lean = `${root}src/lean/`

/** Members of effect's modules that a source uses as values, each with its line. `of` finds such modules by their specifiers. */
export const usesIn = (file, of = /^effect\/(\w+)$/) => {
  const source = ts.createSourceFile(
    file,
    readFileSync(resolve(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true
  )
  const modules = new Map()
  const found = []
  const use = (module, member, node) =>
    found.push({ module, member, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 })
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === false) {
      const name = of.exec(node.moduleSpecifier.text)?.[1]
      const bindings = node.importClause.namedBindings
      if (name !== undefined && bindings !== undefined && ts.isNamespaceImport(bindings))
        modules.set(bindings.name.text, name)
      else if (name !== undefined && bindings !== undefined)
        for (const element of bindings.elements)
          if (!element.isTypeOnly) use(name, (element.propertyName ?? element.name).text, element)
    }
    if (
      ts.isPropertyAccessExpression(node) &&
      ts.isIdentifier(node.expression) &&
      modules.has(node.expression.text)
    )
      use(modules.get(node.expression.text), node.name.text, node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The sources of a folder, by their paths in the repository. */
export const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file).split(sep).join("/"))

const once = (make) => {
  let made
  return () => {
    made ??= make()
    return made
  }
}

/** Members of effect's modules that any source of a client uses, and where. To read all sources takes a second. */
const used = once(() => {
  const all = new Map()
  for (const file of filesIn("src").filter((file) => !/^src\/(sandbox|lean|entries)\//.test(file))) {
    for (const { line, member, module } of usesIn(file)) {
      const members = all.get(module) ?? new Map()
      members.set(member, [...(members.get(member) ?? []), `${file}:${line}`])
      all.set(module, members)
    }
  }
  return all
})

/** Names that a module of the lean runtime exports. */
const exportsOf = (file) => {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  return new Set(
    source.statements.flatMap((statement) => {
      if (ts.isExportDeclaration(statement))
        return (statement.isTypeOnly ? [] : (statement.exportClause?.elements ?? [])).map(
          ({ name }) => name.text
        )
      if (
        !(
          ts.canHaveModifiers(statement) &&
          ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        )
      )
        return []
      return ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name.getText(source))
        : [statement.name?.text ?? ""]
    })
  )
}

/** The modules of the lean runtime that stand for those of effect, and what they have for the sources. */
export const modules = once(
  () =>
    new Map(
      readdirSync(lean)
        .filter((file) => /^[A-Z]\w*\.ts$/.test(file))
        .map((file) => [file.slice(0, -".ts".length), exportsOf(`${lean}${file}`)])
    )
)

/** Whether any source uses a function of effect. */
export const usedIn = (module, member) => used().get(module)?.has(member) === true

const ABSENT = "__not_in_the_lean_runtime__"

/** A mark that is left in a bundle, where it would be needed. */
export const THROWS = "(what) => { throw new Error(what) }"

/** The text of a module of the lean runtime for those who ask for these names: what it has, and a mark for all else. */
const moduleOf = (name, names, has, absent, folder) => {
  const lacking = names.filter((member) => !has.has(member))
  return [
    ...(has.size > 0 ? [`export * from ${JSON.stringify(`${folder}${name}.ts`)}`] : []),
    ...(lacking.length > 0 ? [`const ${ABSENT} = ${absent}`] : []),
    ...lacking.map(
      (member, i) =>
        `const _${i} = /*#__PURE__*/ ${ABSENT}(${JSON.stringify(`effect/${name}.${member}`)}); export { _${i} as ${member} }`
    ),
    "export {}"
  ].join("\n")
}

/** The text of the module that stands for `effect/<name>`. */
const moduleFor = (name, absent, folder = lean) =>
  moduleOf(name, [...(used().get(name)?.keys() ?? [])], modules().get(name) ?? new Set(), absent, folder)

const sources = `${root.split(sep).join("/")}src/`

/** Whether an import of `effect/<name>` by this file is the lean runtime's to answer. */
const isLean = (importer) => {
  const file = importer.split(sep).join("/")
  const path = file.startsWith(sources) ? file.slice(sources.length) : ""
  return path !== "" && !/^(lean|sandbox)\//.test(path)
}

/** The module of the lean runtime that answers an import of a source. */
const answering = (id, importer, isAnswered = isLean) => {
  const name = /^effect\/(\w+)$/.exec(id)?.[1]
  return name !== undefined && isAnswered(importer) ? name : undefined
}

const pluginWith = (absent, isAnswered) => ({
  name: "lean",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^effect\// }, ({ importer, path }) => {
      const name = answering(path, importer, isAnswered)
      return name && { path: name, namespace: "lean", sideEffects: false }
    })
    esbuild.onLoad({ filter: /.*/, namespace: "lean" }, ({ path }) => ({
      contents: moduleFor(path, absent),
      loader: "js",
      resolveDir: root
    }))
  }
})

/** `effect/*` of the sources, out of the lean runtime. */
export const plugin = pluginWith(THROWS)

/**
 * What the lean runtime lacks, in tests, where nothing is left out of a module: anything can be made of it there, and nothing of it
 * runs.
 */
const INERT = `(what) => {
  const inert = new Proxy(() => {}, {
    get: (_, name) =>
      name === Symbol.toPrimitive ? () => what : typeof name === "symbol" || name === "then" ? undefined : inert,
    apply: () => inert
  })
  return inert
}`

/** The same for programs of tests. */
export const inert = pluginWith(INERT)

/** What tests have besides: a clock and chance that they rule, layers, and all that only they need. */
const tests = `${root.split(sep).join("/")}test/`

/** Of those, what the sources are given too: services that a test provides. */
const PROVIDED = ["Layer", "Random"]

/** A program that runs the sources with what of effect it needs for that. */
export const runner = pluginWith(INERT, (importer) => isLean(importer) || importer.startsWith(tests))

/** Data that is the same on both runtimes. */
const DATA = ["Chunk", "FastCheck", "Option", "Types"]

const inTests = (name) => {
  const file = `${tests}lean/${name}.ts`
  return existsSync(file) ? file : undefined
}

/** What an import of `effect/<name>` or of `@effect/vitest` by a test is. */
const forTests = (name) =>
  inTests(name) ??
  (DATA.includes(name) ? undefined : modules().has(name) ? `${lean}${name}.ts` : `\0not-lean:${name}`)

export const VIRTUAL = /^\0lean:(.*)$/

/** The lean runtime for bundlers of Rollup's kind. */
export const rollup = (absent, folder) => ({
  name: "lean",
  resolveId(id, importer = "") {
    const name = answering(id, importer)
    return name && { id: `\0lean:${name}`, moduleSideEffects: false }
  },
  load(id) {
    const name = VIRTUAL.exec(id)?.[1]
    return name && moduleFor(name, absent, folder)
  }
})

/**
 * The same for tests. With `isWhole`, their own imports of effect are the lean runtime as well, so that what a test makes of effects
 * runs on either; without it, they ask the Promise surface and nothing else, and have effect for themselves.
 */
export const vite = (isWhole, folder) => {
  const { load, resolveId } = rollup(INERT, folder)
  return {
    name: "lean",
    enforce: "pre",
    resolveId(id, importer = "") {
      const name = /^(?:effect\/|@effect\/(?=vitest$))(\w+)$/.exec(id)?.[1]
      if (name !== undefined && isWhole) {
        if (isLean(importer) && PROVIDED.includes(name)) return inTests(name)
        if (importer.startsWith(tests) && !importer.startsWith(`${tests}lean/`)) return forTests(name)
      }
      return resolveId(id, importer)
    },
    load: (id) => (id.startsWith("\0not-lean") ? "export {}" : load(id))
  }
}

/** Functions of effect that an output needs and the lean runtime does not have, with the places that name them. */
export const lackingIn = (text) =>
  [
    ...new Set(
      [...text.matchAll(new RegExp(`${ABSENT}\\d*\\(["']effect/(\\w+)\\.(\\w+)["']`, "g"))].map(
        ([, module, member]) => `${module}.${member}`
      )
    )
  ].map((what) => {
    const [module = "", member = ""] = what.split(".")
    return `effect/${what} is not in src/lean, and is needed by one of ${used().get(module)?.get(member)?.join(", ")}`
  })
