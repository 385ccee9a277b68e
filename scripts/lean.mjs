/**
 * Builds the entries of the Promise surface against the lean runtime: the same sources, with `effect/*` resolved to `src/lean`. A
 * function of effect that the lean runtime does not have may stand in a source, but in nothing that is left after tree
 * shaking: there it is an error of the build.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))
const lean = `${root}src/lean/`

/** Members of effect's modules that a source uses as values, each with its line. */
export const usesIn = (file) => {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true
  )
  const modules = new Map()
  const found = []
  const use = (module, member, node) =>
    found.push({ module, member, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 })
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === false) {
      const name = /^effect\/(\w+)$/.exec(node.moduleSpecifier.text)?.[1]
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
        .filter((file) => /^[A-Z]/.test(file))
        .map((file) => [file.slice(0, -".ts".length), exportsOf(`${lean}${file}`)])
    )
)

/** Whether any source uses a function of effect. */
export const usedIn = (module, member) => used().get(module)?.has(member) === true

const ABSENT = "__not_in_the_lean_runtime__"

/** The text of the module that stands for `effect/<name>`: what the lean runtime has, and a mark for all else that sources name. */
const moduleFor = (name, absent, folder = lean) => {
  const file = `${folder}${name}.ts`
  const has = modules().get(name) ?? new Set()
  const lacking = [...(used().get(name)?.keys() ?? [])].filter((member) => !has.has(member))
  return [
    ...(has.size > 0 ? [`export * from ${JSON.stringify(file)}`] : []),
    ...(lacking.length > 0 ? [`const ${ABSENT} = ${absent}`] : []),
    ...lacking.map(
      (member, i) =>
        `const _${i} = /*#__PURE__*/ ${ABSENT}(${JSON.stringify(`effect/${name}.${member}`)}); export { _${i} as ${member} }`
    ),
    "export {}"
  ].join("\n")
}

const sources = `${root.split(sep).join("/")}src/`

/** Whether an import of `effect/<name>` by this file is the lean runtime's to answer. */
const isLean = (importer) => {
  const file = importer.split(sep).join("/")
  const path = file.startsWith(sources) ? file.slice(sources.length) : ""
  return path !== "" && !/^(lean|sandbox)\//.test(path)
}

/**
 * A module that is loaded when it is needed is kept with all that it exports. Of services only what makes them is asked for, and
 * not the tags and layers for applications.
 */
const maker = (file) => `export { make } from ${JSON.stringify(file)}`

const pluginWith = (absent) => ({
  name: "lean",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.\.\/[A-Z]\w+\.js$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" && resolveDir === `${root}src/services/internal`
        ? {
            path: join(resolveDir, path.replace(/\.js$/, ".ts")),
            namespace: "lean-service",
            sideEffects: false
          }
        : undefined
    )
    esbuild.onLoad({ filter: /.*/, namespace: "lean-service" }, ({ path }) => ({
      contents: maker(path),
      loader: "js",
      resolveDir: root
    }))
    esbuild.onResolve({ filter: /^effect\/\w+$/ }, ({ importer, path }) =>
      isLean(importer)
        ? { path: path.slice("effect/".length), namespace: "lean", sideEffects: false }
        : undefined
    )
    esbuild.onLoad({ filter: /.*/, namespace: "lean" }, ({ path }) => ({
      contents: moduleFor(path, absent),
      loader: "js",
      resolveDir: root
    }))
  }
})

/** `effect/*` of the sources, out of the lean runtime. */
export const plugin = pluginWith("(what) => { throw new Error(what) }")

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

/**
 * The same for tests. With `isWhole`, their own imports of effect are the lean runtime as well, so that what a test makes of effects
 * runs on either; without it, they ask the Promise surface and nothing else, and have effect for themselves.
 */
export const vite = (isWhole, folder = lean) => ({
  name: "lean",
  enforce: "pre",
  resolveId(id, importer) {
    const name = /^(?:effect\/|@effect\/(?=vitest$))(\w+)$/.exec(id)?.[1]
    if (name === undefined || importer === undefined) return undefined
    if (isLean(importer)) return isWhole && PROVIDED.includes(name) ? inTests(name) : `\0lean:${name}`
    const isOfTest = importer.startsWith(tests) && !importer.startsWith(`${tests}lean/`)
    return isWhole && isOfTest ? forTests(name) : undefined
  },
  load(id) {
    const [kind, name] = id.split(":")
    if (kind === "\0lean") return moduleFor(name, INERT, folder)
    return kind === "\0not-lean" ? "export {}" : undefined
  }
})

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

/** The entries of a folder of sources, by the paths that they have in the package. */
const entriesIn = (folder, to) =>
  readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .map((name) => ({ source: `${folder}/${name}`, to: `${to}/${name}` }))

/** Builds the entries. What of effect they need is in them, with its license; other packages are imported. */
const main = async () => {
  const entries = [
    { source: "src/promise", to: "promise" },
    { source: "react/query", to: "query" },
    ...entriesIn("src/entries", "chains"),
    ...entriesIn("src/pick", "pick")
  ]
  const outdir = `${root}dist/lean`
  rmSync(outdir, { recursive: true, force: true })
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(entries.map(({ source, to }) => [to, `${root}${source}.ts`])),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import"],
    external: ["@noble/*", "lossless-json"],
    chunkNames: "parts/[hash]",
    sourcemap: true,
    // the sources are in the package
    sourcesContent: false,
    write: false,
    logLevel: "warning",
    // a name that is neither there nor marked would be undefined, which is no better
    logOverride: { "import-is-undefined": "error" },
    plugins: [plugin]
  })
  const lacking = new Set(
    outputFiles.flatMap(({ path, text }) => (path.endsWith(".js") ? lackingIn(text) : []))
  )
  if (lacking.size > 0) throw new Error([...lacking].join("\n"))
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    // imports for the order of effects, of which there are none: bundlers warn of them
    writeFileSync(path, path.endsWith(".js") ? text.replace(/^import "[^"]+";$/gm, "") : text)
  }
  cpSync(`${root}node_modules/effect/LICENSE`, `${outdir}/LICENSE.effect`)
  // of the entries on effect the declarations alone are published
  for (const { source } of entries) {
    const file = `${root}dist/${source}.js`
    rmSync(file, { force: true })
    rmSync(`${file}.map`, { force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
