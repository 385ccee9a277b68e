/** The codemod for `@tatumio/tatum`: it rewrites by the types of the program, and marks what is left to a person. */
import { dirname, resolve } from "node:path"
import type ts from "typescript"
import { Edits } from "./edits.js"
import { listMarks, MARK, Marks } from "./marks.js"
import type { MigratedFile, SourceFile } from "./models.js"
import { Equivalents } from "./oldTypes.js"
import { type Compiler, isOldSymbol, isScript, loadCompiler, Project } from "./project.js"
import { rewriteFile, type Shared } from "./rewrite/index.js"

const PACKAGE = "@tatumio/tatum"

const mentionsPackage = (text: string): boolean =>
  text.includes(`"${PACKAGE}`) || text.includes(`'${PACKAGE}`)

/** Visits all nodes of a file. */
const forEachNode = (compiler: Compiler, node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  compiler.forEachChild(node, (child) => forEachNode(compiler, child, visit))
}

const collectAssigned = (
  compiler: Compiler,
  checker: ts.TypeChecker,
  files: ReadonlyArray<ts.SourceFile>
): Shared["assigned"] => {
  const assigned = new Map<ts.Symbol, Array<ts.Expression>>()
  const add = (target: ts.Node, value: ts.Expression) => {
    const symbol = checker.getSymbolAtLocation(target)
    if (symbol === undefined) return
    const known = assigned.get(symbol)
    if (known === undefined) assigned.set(symbol, [value])
    else known.push(value)
  }
  for (const file of files)
    forEachNode(compiler, file, (node) => {
      const isPlain =
        compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.EqualsToken
      if (isPlain) add(node.left, node.right)
      const isNamed = compiler.isVariableDeclaration(node) && compiler.isIdentifier(node.name)
      if (isNamed && node.initializer !== undefined) add(node.name, node.initializer)
    })
  return assigned
}

/** The networks that a program starts clients of, by the names of their classes. */
const collectNetworks = (
  compiler: Compiler,
  checker: ts.TypeChecker,
  files: ReadonlyArray<ts.SourceFile>
): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  const unknown = new Set<string>()
  for (const file of files)
    forEachNode(compiler, file, (node) => {
      if (!compiler.isCallExpression(node) || !node.expression.getText().endsWith("TatumSDK.init")) return
      const client = checker.getAwaitedType(checker.getTypeAtLocation(node))?.symbol
      const [config] = node.arguments
      const network =
        config === undefined
          ? undefined
          : checker.getPropertyOfType(checker.getTypeAtLocation(config), "network")
      const type = network === undefined ? undefined : checker.getTypeOfSymbolAtLocation(network, node)
      if (client === undefined || !isOldSymbol(client)) return
      const isMember = type !== undefined && (type.flags & compiler.TypeFlags.EnumLiteral) !== 0
      if (type?.isStringLiteral() === true || (isMember && !type.isUnion())) {
        const value: unknown = Reflect.get(type, "value")
        const ids = found.get(client.name) ?? new Set()
        found.set(client.name, ids.add(String(value)))
      } else unknown.add(client.name)
    })
  return new Map([...found].filter(([client]) => !unknown.has(client)))
}

/** Codes of the compiler that say nothing of the rewrite in a file without types. */
const isTypingAdvice = (code: number): boolean => code >= 7000 && code < 8000

const listProblems = (
  compiler: Compiler,
  program: ts.Program,
  path: string
): ReadonlyArray<ts.Diagnostic> => {
  const file = program.getSourceFile(path)
  if (file === undefined) return []
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].filter(
    ({ category, code, file: of }) =>
      category === compiler.DiagnosticCategory.Error &&
      of === file &&
      !(isScript(path) && isTypingAdvice(code))
  )
}

const describe = (compiler: Compiler, { code, messageText }: ts.Diagnostic): string => {
  const [first = ""] = compiler.flattenDiagnosticMessageText(messageText, "\n").split("\n")
  return `${first.length > 160 ? `${first.slice(0, 157)}…` : first} (TS${code})`
}

/** What the compiler refuses after the rewrite and did not before. */
const listNewProblems = (
  compiler: Compiler,
  before: ReadonlyArray<ts.Diagnostic>,
  after: ReadonlyArray<ts.Diagnostic>
): ReadonlyArray<ts.Diagnostic> => {
  // without types of its own, a program's errors differ with each type that others infer
  const keyOf = (each: ts.Diagnostic): string =>
    each.file !== undefined && isScript(each.file.fileName) ? String(each.code) : describe(compiler, each)
  const known = new Map<string, number>()
  for (const each of before) {
    const text = keyOf(each)
    known.set(text, (known.get(text) ?? 0) + 1)
  }
  return after.filter((each) => {
    const text = keyOf(each)
    const left = known.get(text) ?? 0
    known.set(text, left - 1)
    return left <= 0
  })
}

const findNode = (compiler: Compiler, file: ts.SourceFile, at: number): ts.Node => {
  let found: ts.Node = file
  const look = (node: ts.Node): void => {
    if (node.getStart(file) > at || node.end < at) return
    found = node
    compiler.forEachChild(node, look)
  }
  look(file)
  return found
}

/** Amounts that are bigints now, in what writes JSON. */
const listJsonProblems = (
  compiler: Compiler,
  program: ts.Program,
  path: string
): ReadonlyArray<{ readonly node: ts.Node; readonly reason: string }> => {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  if (file === undefined) return []
  const hasBigInt = (type: ts.Type, depth = 0): boolean => {
    if ((type.flags & compiler.TypeFlags.BigIntLike) !== 0) return true
    if (depth > 3) return false
    if (type.isUnion()) return type.types.some((each) => hasBigInt(each, depth))
    if ((type.flags & compiler.TypeFlags.Object) === 0 || type.getCallSignatures().length > 0) return false
    if (checker.isArrayType(type) || checker.isTupleType(type))
      return checker.getTypeArguments(type as ts.TypeReference).some((each) => hasBigInt(each, depth + 1))
    return (
      checker
        .getPropertiesOfType(type)
        // the cause of a failure is an error
        .some((each) => each.name !== "cause" && hasBigInt(checker.getTypeOfSymbol(each), depth + 1))
    )
  }
  const found: Array<{ readonly node: ts.Node; readonly reason: string }> = []
  forEachNode(compiler, file, (node) => {
    if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return
    const { name } = node.expression
    if (!["stringify", "json", "send"].includes(name.text)) return
    const [value, replacer] = node.arguments
    if (value !== undefined && replacer === undefined && hasBigInt(checker.getTypeAtLocation(value)))
      found.push({ node, reason: "a `bigint` in this value cannot be written as JSON: convert it first" })
  })
  return found
}

/** More errors of one statement say nothing new. */
const MOST_PROBLEMS = 3

const insertMarks = (
  compiler: Compiler,
  file: ts.SourceFile,
  problems: ReadonlyArray<{ readonly node: ts.Node; readonly reason: string }>
): string => {
  const marks = new Marks(compiler, file)
  for (const { node, reason } of problems) marks.add(node, reason)
  const edits = new Edits()
  for (const { at, text } of marks.list(MOST_PROBLEMS)) edits.insertLine(at, text)
  return edits.apply(file.text)
}

/** Whether the old package's types are there: without them nothing can be rewritten. */
const findOldModule = (program: ts.Program): ts.Symbol | undefined => {
  const main = program
    .getSourceFiles()
    .find(({ fileName }) =>
      /[\\/]@tatumio[\\/]tatum[\\/]dist[\\/]src[\\/](main|index)\.d\.ts$/.test(fileName)
    )
  return main === undefined ? undefined : program.getTypeChecker().getSymbolAtLocation(main)
}

const isMarked = (text: string): boolean => text.includes(`// ${MARK} `)

const withMarks = (file: SourceFile, text: string): MigratedFile => ({
  path: file.path,
  text,
  notes: listMarks(text)
})

const migrateProject = (
  compiler: Compiler,
  folder: string,
  files: ReadonlyArray<SourceFile>
): ReadonlyArray<MigratedFile> => {
  const texts = new Map(files.map(({ path, text }) => [resolve(path), text]))
  const project = new Project(compiler, { folder, texts })
  const before = project.makeProgram(texts)
  const module = findOldModule(before)
  if (module === undefined)
    return files.map((file) => ({
      ...file,
      notes: mentionsPackage(file.text)
        ? [
            {
              line: 1,
              message: `not changed: the types of ${PACKAGE} are not installed here, and it is rewritten by them. Install the project first (npm install)`
            }
          ]
        : listMarks(file.text)
    }))
  const checker = before.getTypeChecker()
  const sources = [...texts.keys()].flatMap((path) => before.getSourceFile(path) ?? [])
  const shared: Shared = {
    compiler,
    checker,
    assigned: collectAssigned(compiler, checker, sources),
    equivalents: new Equivalents(compiler, checker, module, collectNetworks(compiler, checker, sources))
  }
  const rewritten = new Map<string, string>()
  const unreadable = new Map<string, string>()
  for (const source of sources) {
    const path = resolve(source.fileName)
    const [problem] = before.getSyntacticDiagnostics(source)
    if (problem !== undefined) {
      if (mentionsPackage(source.text)) unreadable.set(path, describe(compiler, problem))
      rewritten.set(path, source.text)
      continue
    }
    rewritten.set(path, rewriteFile(shared, source))
  }
  const isChanged = [...rewritten].some(([path, text]) => texts.get(path) !== text)
  const finished = isChanged ? markProblems({ before, compiler, project, texts: rewritten }) : rewritten
  return files.map((file) => {
    const path = resolve(file.path)
    const problem = unreadable.get(path)
    if (problem !== undefined)
      return { ...file, notes: [{ line: 1, message: `it cannot be read: ${problem}` }] }
    return withMarks(file, finished.get(path) ?? file.text)
  })
}

interface Rewritten {
  readonly compiler: Compiler
  readonly project: Project
  readonly before: ts.Program
  readonly texts: ReadonlyMap<string, string>
}

/** Marks what the compiler refuses of the rewritten program, also in files that are not rewritten: they may use what is. */
const markProblems = ({ before, compiler, project, texts }: Rewritten): ReadonlyMap<string, string> => {
  const after = project.makeProgram(texts, before)
  return new Map(
    [...texts].map(([path, text]) => {
      const file = after.getSourceFile(path)
      if (file === undefined) return [path, text]
      const problems = listNewProblems(
        compiler,
        listProblems(compiler, before, path),
        listProblems(compiler, after, path)
      ).map((problem) => ({
        node: findNode(compiler, file, problem.start ?? 0),
        reason: describe(compiler, problem)
      }))
      const isTouched = text !== before.getSourceFile(path)?.text
      const marked = insertMarks(compiler, file, [
        ...problems,
        ...(isTouched ? listJsonProblems(compiler, after, path) : [])
      ])
      return [path, marked]
    })
  )
}

/** The folder of the project that a file belongs to. */
const findProject = (compiler: Compiler, path: string): string => {
  const folder = dirname(resolve(path))
  const config =
    compiler.findConfigFile(folder, compiler.sys.fileExists) ??
    compiler.findConfigFile(folder, compiler.sys.fileExists, "package.json")
  return config === undefined ? folder : dirname(config)
}

/** Rewrites the files of programs of `@tatumio/tatum`, with the TypeScript of their projects. */
export const migrateTatum = (files: ReadonlyArray<SourceFile>): ReadonlyArray<MigratedFile> => {
  if (!files.some(({ text }) => mentionsPackage(text)))
    return files.map((file) => (isMarked(file.text) ? withMarks(file, file.text) : { ...file, notes: [] }))
  const [first] = files.filter(({ text }) => mentionsPackage(text))
  const compiler = loadCompiler(dirname(resolve(first?.path ?? ".")))
  if (compiler === undefined)
    return files.map((file) => ({
      ...file,
      notes: mentionsPackage(file.text)
        ? [
            {
              line: 1,
              message:
                "not changed: it is rewritten by its types, which TypeScript reads. Install it first (npm install --save-dev typescript)"
            }
          ]
        : []
    }))
  const projects = new Map<string, Array<SourceFile>>()
  for (const file of files) {
    const folder = findProject(compiler, file.path)
    projects.set(folder, [...(projects.get(folder) ?? []), file])
  }
  const done = new Map<string, MigratedFile>()
  for (const [folder, each] of projects)
    for (const file of migrateProject(compiler, folder, each)) done.set(file.path, file)
  return files.map((file) => done.get(file.path) ?? { ...file, notes: [] })
}
