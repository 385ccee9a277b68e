/**
 * Writes the public surface of the packages as one readable report, `api.txt`: the names of every entry, and each
 * declaration that they lead to, once and without docs.
 *
 * `npm run api` builds the packages and writes it. `--check` fails if it differs from the existing build (in CI,
 * packing has made one), and if it has changed without a changeset.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const REPORT = "api.txt"

/**
 * The path of an entry's compiled declarations. Those of the Promise surface differ from the published ones in their
 * imports only.
 */
const compiledAt = (target) => target.replace("./dist/lean/types/", "./dist/").replace("./dist/", "")

/** The entries of a package, each with the file of its declarations in a folder. */
const entriesOf = (manifest, folder) =>
  Object.entries(manifest.exports).flatMap(([name, { types }]) => {
    // entries for Effect 4 are made of the same sources, and have the same names
    if (types === undefined || /^\.\/effect4(\/|$)/.test(name)) return []
    const pattern = compiledAt(types)
    if (!name.includes("*")) return [{ name, file: join(folder, pattern) }]
    const [before, after] = pattern.split("*")
    return readdirSync(join(folder, before))
      .filter((file) => file.endsWith(after))
      .map((file) => ({
        name: name.replace("*", file.slice(0, -after.length)),
        file: join(folder, before, file)
      }))
  })

const GUARD = "OnThisEffect<"

/** The text of a declaration without the guard against the other version of Effect, which is the type that it has inside. */
const withoutGuards = (text) => {
  const start = text.indexOf(GUARD)
  if (start === -1 || text.includes(`type ${GUARD}`)) return text
  const from = start + GUARD.length
  let at = from
  for (let depth = 1; depth > 0; at += 1) {
    if (text[at] === "<") depth += 1
    if (text[at] === ">" && text[at - 1] !== "=") depth -= 1
  }
  return `${text.slice(0, start)}${text.slice(from, at - 1)}${withoutGuards(text.slice(at))}`
}

/** A program that reads the packages' own declarations only. Declarations of other packages stay names. */
const programOf = (files) => {
  const options = { noLib: true, types: [], module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 }
  const host = ts.createCompilerHost(options)
  const { readFile } = host
  host.readFile = (file) => withoutGuards(readFile(file))
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      if (!text.startsWith(".")) return { resolvedModule: undefined }
      const resolvedFileName = resolve(dirname(from), text.replace(/\.js$/, ".d.ts"))
      return { resolvedModule: { resolvedFileName, extension: ts.Extension.Dts } }
    })
  return ts.createProgram(files, options, host)
}

/** The module's statement that contains a declaration; undefined for other declarations. */
const statementOf = (declaration) => {
  let node = declaration
  while (node.parent !== undefined && !ts.isSourceFile(node.parent)) {
    if (ts.isTypeParameterDeclaration(node) || ts.isParameter(node)) return undefined
    node = node.parent
  }
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return undefined
  return node.parent === undefined ? undefined : node
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** A short declaration on one line, a long one with narrow indentation, since types of tables are deeply nested. */
const compact = (text) => {
  const line = text.replace(/\s*\n\s*/g, " ")
  return line.length <= 150 ? line : text.replace(/^ +/gm, (indent) => " ".repeat(indent.length / 4))
}

/** Finds what modules export, and every statement that these exports lead to. */
const makeCollector = (checker, placeOf) => {
  const statements = new Map()
  const modules = new Map()
  const resolveAlias = (symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  const collectStatements = (symbol) => {
    for (const declaration of symbol.declarations ?? []) {
      const statement = statementOf(declaration)
      if (statement === undefined || statements.has(statement)) continue
      statements.set(statement, placeOf(statement.getSourceFile()))
      const visit = (node) => {
        if (ts.isIdentifier(node)) {
          const found = checker.getSymbolAtLocation(node)
          if (found !== undefined) collectStatements(resolveAlias(found))
        } else if (ts.isImportTypeNode(node) && node.qualifier === undefined) {
          const found = checker.getSymbolAtLocation(node.argument.literal)
          if (found !== undefined) collectModule(found)
        }
        ts.forEachChild(node, visit)
      }
      visit(statement)
    }
  }

  /** The names that a module exports, by the file that declares them. */
  const collectModule = (module) => {
    if (modules.has(module)) return modules.get(module)
    const names = new Map()
    modules.set(module, names)
    for (const symbol of checker.getExportsOfModule(module)) {
      const target = resolveAlias(symbol)
      const [declaration] = target.declarations ?? []
      const add = (place, name) => names.set(place, [...(names.get(place) ?? []), name])
      if (declaration === undefined) add("(another package)", symbol.name)
      else if (ts.isSourceFile(declaration)) {
        add(`* of ${placeOf(declaration)}`, symbol.name)
        collectModule(target)
      } else {
        add(
          placeOf(declaration.getSourceFile()),
          target.name === symbol.name ? symbol.name : `${target.name} as ${symbol.name}`
        )
        collectStatements(target)
      }
    }
    return names
  }

  return { collectModule, modules, statements }
}

/** The module of an entry. Fails where the build lacks it. */
const moduleOf = (program, manifest, { file, name }) => {
  const source = program.getSourceFile(file)
  if (source === undefined)
    throw new Error(`${manifest.name}: the entry ${name} has no declarations at ${file}`)
  const module = program.getTypeChecker().getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${manifest.name}: ${file} exports nothing`)
  return module
}

const formatExports = (title, names) => [
  "",
  `## ${title}`,
  ...[...names]
    .sort(([a], [b]) => compare(a, b))
    .map(([place, listed]) => `${place}: ${listed.sort(compare).join(", ")}`)
]

/** The statements under the file of each, in the file's order. */
const formatStatements = (statements) => {
  const printer = ts.createPrinter({ removeComments: true })
  const byFile = new Map()
  for (const [statement, place] of statements) {
    const printed = compact(
      printer
        .printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
        .replace(/^(export )?declare /, "$1")
    )
    byFile.set(place, [...(byFile.get(place) ?? []), { at: statement.pos, printed }])
  }
  return [...byFile]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([place, found]) => [
      "",
      `## in ${place}`,
      ...found.sort((a, b) => a.at - b.at).map(({ printed }) => printed)
    ])
}

const reportOf = (manifest, folder) => {
  const entries = entriesOf(manifest, folder).sort((a, b) => compare(a.name, b.name))
  const program = programOf(entries.map(({ file }) => file))
  const placeOf = (source) =>
    relative(folder, source.fileName)
      .split(sep)
      .join("/")
      .replace(/\.d\.ts$/, "")
  const { collectModule, modules, statements } = makeCollector(program.getTypeChecker(), placeOf)
  const lines = [`# ${manifest.name}`]
  const entryModules = new Set()
  for (const entry of entries) {
    const module = moduleOf(program, manifest, entry)
    entryModules.add(module)
    lines.push(...formatExports(entry.name, collectModule(module)))
  }
  for (const [module, names] of modules)
    if (!entryModules.has(module))
      lines.push(...formatExports(`namespace ${placeOf(module.declarations[0])}`, names))
  return `${[...lines, ...formatStatements(statements)].join("\n")}\n`
}

/** The report of all packages of a repository, from the declarations of their builds. */
export const report = (root) =>
  [".", "packages/fleet"]
    .filter((at) => existsSync(join(root, at, "package.json")))
    .map((at) =>
      reportOf(JSON.parse(readFileSync(join(root, at, "package.json"), "utf8")), join(root, at, "dist"))
    )
    .join("\n")

export const write = (root) => writeFileSync(join(root, REPORT), report(root))

const gitIn =
  (cwd) =>
  (...args) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()
const triedIn = (cwd) => {
  const git = gitIn(cwd)
  return (...args) => {
    try {
      return git(...args)
    } catch {
      return undefined
    }
  }
}

/**
 * The commit to compare with: on a branch, the point where it left `main`; on `main`, the state before the last change.
 * Undefined without a history.
 */
const baseIn = (root) => {
  const git = gitIn(root)
  const tried = triedIn(root)
  if (tried("rev-parse", "--is-shallow-repository") !== "false") return undefined
  const head = tried("rev-parse", "HEAD")
  if (head === undefined) return undefined
  for (const main of ["origin/main", "main"]) {
    const left = tried("merge-base", main, "HEAD")
    if (left !== undefined && left !== head) return left
  }
  if (git("status", "--porcelain", "--", REPORT) !== "") return head
  const last = git(
    "log",
    "-1",
    "--no-patch",
    "--first-parent",
    "--diff-merges=first-parent",
    "--format=%H",
    "--",
    REPORT
  )
  return last === "" ? undefined : tried("rev-parse", `${last}^1`)
}

/** The problems of a changed report's changesets. */
const withoutChangeset = (root, say) => {
  const git = gitIn(root)
  const from = baseIn(root)
  if (from === undefined) {
    say(`left out: whether a change of ${REPORT} has a changeset (no history here)`)
    return []
  }
  // a new repository has no earlier report
  if (triedIn(root)("cat-file", "-e", `${from}:${REPORT}`) === undefined) return []
  if (git("diff", "--name-only", from, "--", REPORT) === "") return []
  const version = (text) => JSON.parse(text).version
  // a release removes the changesets
  const now = readFileSync(join(root, "package.json"), "utf8")
  if (version(git("show", `${from}:package.json`)) !== version(now)) return []
  const added = [
    ...git("diff", "--name-only", "--diff-filter=A", from, "--", ".changeset").split("\n"),
    ...git("ls-files", "--others", "--exclude-standard", "--", ".changeset").split("\n")
  ]
  if (added.some((file) => file.endsWith(".md"))) return []
  return [
    `The public surface has changed since ${from.slice(0, 9)} (git diff ${from.slice(0, 9)} -- ${REPORT}), and no changeset says so: npx changeset`
  ]
}

/** The problems of a repository's report, one per line. What cannot be checked is passed to `say`. */
export const problemsOf = (root, say) => {
  const problems = withoutChangeset(root, say)
  const file = join(root, REPORT)
  const kept = existsSync(file) ? readFileSync(file, "utf8") : ""
  const made = report(root)
  if (kept === made) return problems
  const [a, b] = [kept.split("\n"), made.split("\n")]
  const differing = b.findIndex((line, i) => line !== a[i])
  const first = differing === -1 ? b.length : differing
  return [
    ...problems,
    `${REPORT} is not what the sources export, from line ${first + 1} on:\n- ${a[first] ?? ""}\n+ ${b[first] ?? ""}\nnpm run api writes it; the change needs a changeset.`
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url))
  if (process.argv.includes("--check")) {
    const problems = problemsOf(root, (line) => process.stdout.write(`${line}\n`))
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } else write(root)
}
