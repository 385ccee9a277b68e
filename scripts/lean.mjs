/**
 * Runs the sources on the lean runtime: esbuild, bundlers like Rollup and vitest resolve `effect/*` to `src/lean`. A
 * source may use a function that the lean runtime lacks, if tree shaking removes it. Otherwise the build fails.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))
const lean = `${root}src/lean/`

/**
 * The members of effect's modules that a source uses as values, each with its line. `of` matches such modules'
 * specifiers.
 */
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

/**
 * The members of effect's modules that the client's sources use, with their places. Reading all sources takes a second.
 */
const used = once(() => {
  const all = new Map()
  for (const file of filesIn("src").filter(
    (file) => !/^src\/(sandbox|lean|effect4|entries)\/|\.effect4\.ts$/.test(file)
  )) {
    for (const { line, member, module } of usesIn(file)) {
      const members = all.get(module) ?? new Map()
      members.set(member, [...(members.get(member) ?? []), `${file}:${line}`])
      all.set(module, members)
    }
  }
  return all
})

/** The names that a module of the lean runtime exports. */
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

/** The modules of the lean runtime in place of effect's, with their members. */
export const modules = once(
  () =>
    new Map(
      readdirSync(lean)
        .filter((file) => /^[A-Z]\w*\.ts$/.test(file))
        .map((file) => [file.slice(0, -".ts".length), exportsOf(`${lean}${file}`)])
    )
)

/** Whether a source uses a function of effect. */
export const usedIn = (module, member) => used().get(module)?.has(member) === true

const ABSENT = "__not_in_the_lean_runtime__"

/** A marker in a bundle in place of a missing function. */
export const THROWS = "(what) => { throw new Error(what) }"

/** The text of a lean runtime's module with these names: its own members, and a marker for the others. */
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

/** The text of the module for `effect/<name>`. */
const moduleFor = (name, absent, folder = lean) =>
  moduleOf(name, [...(used().get(name)?.keys() ?? [])], modules().get(name) ?? new Set(), absent, folder)

const sources = `${root.split(sep).join("/")}src/`

/** Whether a file's import of `effect/<name>` resolves to the lean runtime. */
const isLean = (importer) => {
  const file = importer.split(sep).join("/")
  const path = file.startsWith(sources) ? file.slice(sources.length) : ""
  return path !== "" && !/^(lean|sandbox)\//.test(path)
}

/** The lean runtime's module for an import of a source. */
const resolveLean = (id, importer, isAnswered = isLean) => {
  const name = /^effect\/(\w+)$/.exec(id)?.[1]
  return name !== undefined && isAnswered(importer) ? name : undefined
}

const pluginWith = (absent, isAnswered) => ({
  name: "lean",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^effect\// }, ({ importer, path }) => {
      const name = resolveLean(path, importer, isAnswered)
      return name && { path: name, namespace: "lean", sideEffects: false }
    })
    esbuild.onLoad({ filter: /.*/, namespace: "lean" }, ({ path }) => ({
      contents: moduleFor(path, absent),
      loader: "js",
      resolveDir: root
    }))
  }
})

/** Resolves `effect/*` in the sources to the lean runtime. */
export const plugin = pluginWith(THROWS)

/** The marker in tests, where nothing of a module is removed: it can be used in any way, and does nothing. */
const INERT = `(what) => {
  const inert = new Proxy(() => {}, {
    get: (_, name) =>
      name === Symbol.toPrimitive ? () => what : typeof name === "symbol" || name === "then" ? undefined : inert,
    apply: () => inert
  })
  return inert
}`

/** The plugin for programs of tests. */
export const inert = pluginWith(INERT)

/** Additional modules for tests: a clock and randomness that they control, layers, and others. */
const tests = `${root.split(sep).join("/")}test/`

/** The additional modules that the sources get too: services that a test provides. */
const PROVIDED = ["Layer", "Random"]

/** The plugin for a program that runs the sources and uses effect itself. */
export const runner = pluginWith(INERT, (importer) => isLean(importer) || importer.startsWith(tests))

/** Data types that are the same on both runtimes. */
const DATA = ["Chunk", "FastCheck", "Option", "Types"]

const inTests = (name) => {
  const file = `${tests}lean/${name}.ts`
  return existsSync(file) ? file : undefined
}

/** The module for a test's import of `effect/<name>` or of `@effect/vitest`. */
const forTests = (name) =>
  inTests(name) ??
  (DATA.includes(name) ? undefined : modules().has(name) ? `${lean}${name}.ts` : `\0not-lean:${name}`)

export const VIRTUAL = /^\0lean:(.*)$/

/** The plugin for bundlers like Rollup. */
export const rollup = (absent, folder) => ({
  name: "lean",
  resolveId(id, importer = "") {
    const name = resolveLean(id, importer)
    return name && { id: `\0lean:${name}`, moduleSideEffects: false }
  },
  load(id) {
    const name = VIRTUAL.exec(id)?.[1]
    return name && moduleFor(name, absent, folder)
  }
})

/**
 * The plugin for vitest. With `isWhole`, the tests' own imports of effect are the lean runtime too, so that their
 * effects run on either runtime. Without it, tests use the Promise surface only, and have effect for themselves.
 */
export const vite = (isWhole, folder) => {
  const { load, resolveId } = rollup(INERT, folder)
  return {
    // what vitest keeps of files that plugins have changed goes by the plugins' names
    name: isWhole ? "lean, with its tests" : "lean",
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

/** The functions of effect that an output needs and the lean runtime lacks, with the places that use them. */
export const lackingIn = (text) =>
  [
    ...new Set(
      // a minifier may have put the marker itself in place of its name
      [...text.matchAll(/\(["'`]effect\/(\w+)\.(\w+)["'`]\)/g)].map(
        ([, module, member]) => `${module}.${member}`
      )
    )
  ].map((what) => {
    const [module = "", member = ""] = what.split(".")
    return `effect/${what} is not in src/lean, and is needed by one of ${used().get(module)?.get(member)?.join(", ")}`
  })
