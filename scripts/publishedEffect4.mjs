/**
 * Makes `dist/effect4` of what the compiler has written there (`tsconfig.effect4.json`): modules that import Effect 4 by its own names,
 * and declarations in its names. A file that is the same for Effect 3, with all that it imports, is not published twice.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { toEffect4 } from "./declarations.mjs"
import { placeOf } from "./effect4.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
  .split(sep)
  .join("/")
const compiled = `${root}dist/effect4/compiled/`

const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))

/** The sources of the entries for Effect 4, without their ends, from the manifest. */
const entries = Object.entries(exports)
  .filter(([entry]) => /^\.\/effect4(\/|$)/.test(entry))
  .flatMap(([, target]) => {
    const path = target.default.replace("./dist/effect4/", "").replace(/\.js$/, "")
    const [before, after] = path.split("*")
    return after === undefined
      ? [path]
      : readdirSync(`${compiled}${before}`)
          .filter((file) => file.endsWith(".d.ts"))
          .map((file) => `${before}${file.replace(/\.d\.ts$/, "")}`)
  })

/** The path from a file to another, as a specifier. */
const specifier = (from, to) => {
  const path = relative(dirname(from), to).split(sep).join("/")
  return path.startsWith(".") ? path : `./${path}`
}

/** The specifiers of a module or a declaration, with their places. */
const specifiersIn = (text, file) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    if (ts.isStringLiteral(node)) {
      const { parent } = node
      const isSpecifier =
        ((ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) &&
          parent.moduleSpecifier === node) ||
        (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) ||
        (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent))
      if (isSpecifier) found.push({ start: node.getStart(), end: node.end, id: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const replaceSpecifiers = (text, file, to) => {
  let out = ""
  let at = 0
  for (const { end, id, start } of specifiersIn(text, file)) {
    out += `${text.slice(at, start)}${JSON.stringify(to(id))}`
    at = end
  }
  return out + text.slice(at)
}

/** Removes the docs of a module: its declarations have them. */
const withoutDocs = (text) => text.replace(/^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*\n/gm, "")

/** A module of Effect 3 as one of Effect 4, for a file of the package. */
const toModule = (id, path) => {
  if (path.startsWith("src/effect4/")) return id.replace(/^effect4\//, "effect/")
  const place = placeOf(id)
  if (place === undefined) return id
  if (place.file === undefined) return `effect/${place.path}`
  return specifier(path, relative(root, place.file).replace(/\.ts$/, ".js"))
}

const read = (path, end) => {
  const twin = `${compiled}${path}.effect4${end}`
  return readFileSync(existsSync(twin) ? twin : `${compiled}${path}${end}`, "utf8")
}

/** The code of a file for Effect 4. */
const codeOf = (path) =>
  withoutDocs(replaceSpecifiers(read(path, ".js"), `${path}.js`, (id) => toModule(id, path)))

const importsOf = (text, path, end) =>
  specifiersIn(text, `${path}${end}`)
    .filter(({ id }) => id.startsWith("."))
    .map(({ id }) => join(dirname(path), id).split(sep).join("/").replace(/\.js$/, ""))

/** The files of a surface by their paths: the entries, and all that these import. */
const closure = (textOf, end) => {
  const all = new Map()
  const add = (path) => {
    if (all.has(path)) return
    const text = textOf(path)
    const imports = importsOf(text, path, end)
    all.set(path, { text, imports })
    for (const each of imports) add(each)
  }
  for (const entry of entries) add(entry)
  return all
}

/** The files that Effect 3 has as they are, with all that they import. */
const sharedIn = (files, isSame) => {
  const differ = new Set([...files].filter(([path, { text }]) => !isSame(path, text)).map(([path]) => path))
  for (let size = -1; size !== differ.size; ) {
    size = differ.size
    for (const [path, { imports }] of files) if (imports.some((each) => differ.has(each))) differ.add(path)
  }
  return new Set([...files.keys()].filter((path) => !differ.has(path)))
}

/** Writes the files that Effect 3 does not have, over those that it has. */
const write = (files, shared, to, end) => {
  for (const [path, { text }] of files) {
    if (shared.has(path) && !entries.includes(path)) continue
    const target = `${to}${path}${end}`
    mkdirSync(dirname(target), { recursive: true })
    const rewritten = replaceSpecifiers(text, target, (id) => {
      if (!id.startsWith(".")) return id
      const other = join(dirname(path), id).split(sep).join("/").replace(/\.js$/, "")
      return shared.has(other) && !entries.includes(other) ? specifier(target, `${root}dist/${other}.js`) : id
    })
    writeFileSync(target, rewritten)
  }
}

const published = (path, end) => {
  const file = `${root}dist/${path}${end}`
  return existsSync(file)
    ? readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")
    : undefined
}

/** Whether code is the same for both: it imports nothing that is adapted. */
const isSameCode = (path, text) => {
  const other = published(path, ".js")
  return other !== undefined && withoutDocs(other) === text
}

const isSameType = (path, text) => published(path, ".d.ts") === text

const main = () => {
  const code = closure(codeOf, ".js")
  write(code, sharedIn(code, isSameCode), `${root}dist/effect4/`, ".js")
  const types = closure((path) => toEffect4(read(path, ".d.ts"), `${path}.d.ts`), ".d.ts")
  for (const [path] of types)
    if (path.startsWith("src/effect4/"))
      throw new Error(`A declaration names ${path}, which is no module of Effect 4`)
  write(types, sharedIn(types, isSameType), `${root}dist/effect4/types/`, ".d.ts")
  rmSync(compiled, { recursive: true })
}

main()
