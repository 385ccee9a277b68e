/** What the packages export, by the report of their public surface, and the first sentences of its docs, by the sources. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** What an entry or a module exports, by the report of the public surface: each name with the file that declares it, as what. */
export interface Listed {
  readonly of: string
  readonly name: string
  readonly declared: string
  readonly file: string
}

/** The lines of a part of the report: `src/cache: make as cache, version`. */
const listedIn = (of: string, folder: string, lines: ReadonlyArray<string>): ReadonlyArray<Listed> =>
  lines.flatMap((line) => {
    const [file = "", names = ""] = line.split(": ")
    return names.split(", ").map((each) => {
      const [declared = "", name = declared] = each.split(" as ")
      return { of, name, declared, file: join(folder, file) }
    })
  })

/** The exports of all entries, and of the modules that they export by a name, each module by the page of it. */
export const publicSurface = (): ReadonlyArray<Listed> =>
  readFileSync(join(root, "api.txt"), "utf8")
    .split(/^(?=# )/m)
    .flatMap((report) => {
      const [title = "", ...parts] = report.split("\n\n## ")
      const packageName = title.replace("# ", "").trim()
      const folder = packageName === "effect-chains" ? "" : "packages/fleet/src"
      const all = parts.map((part) => part.trim().split("\n"))
      const modules = new Map(
        all.flatMap(([head = "", ...lines]) =>
          head.startsWith("namespace ") ? [[head.slice("namespace ".length), lines]] : []
        )
      )
      return all
        .filter(([head = ""]) => head.startsWith("."))
        .flatMap(([head = "", ...lines]) => {
          const of = `${packageName}${head.slice(1)}/`
          const [named = [], own = []] = [true, false].map((is) =>
            lines.filter((line) => line.startsWith("* of ") === is)
          )
          return [
            ...listedIn(of, folder, own),
            ...listedIn(of, folder, named).flatMap(({ file, name }) =>
              listedIn(`${of}namespaces/${name}`, folder, modules.get(file.replace("* of ", "")) ?? [])
            )
          ]
        })
    })

/** Text without the marks of Markdown, those of links to other exports among them. */
export const plain = (text: string): string =>
  text
    .replace(/\{@link ([^}|]+)\}/g, "$1")
    .replace(/[`\\*]/g, "")
    .trim()

/** The first sentences of the docs of a file's declarations, by their names, as text. */
export const sentencesOf = (file: string): ReadonlyMap<string, string> => {
  const path = [".ts", ".tsx", "/index.ts"].map((end) => join(root, file + end)).find((at) => existsSync(at))
  const source = ts.createSourceFile(file, readFileSync(path ?? file, "utf8"), ts.ScriptTarget.Latest, true)
  const found = new Map<string, string>()
  for (const statement of source.statements) {
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText())
      : ts.isFunctionDeclaration(statement) ||
          ts.isClassDeclaration(statement) ||
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement)
        ? [statement.name?.text ?? ""]
        : []
    const [doc] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc)
    const text = ts.getTextOfJSDocComment(doc?.comment) ?? ""
    const [sentence = ""] = text.replace(/\s+/g, " ").split(/(?<=[.:])\s/)
    for (const name of names) if (!found.has(name)) found.set(name, plain(sentence))
  }
  return found
}
