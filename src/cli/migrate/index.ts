/**
 * The mechanical part of a migration: it rewrites known code, keeps the formatting of the rest, and says what a person
 * has to check. A rewritten file is not changed again.
 *
 * @since 0.1.0
 */
import { parse as parseBabel } from "@babel/parser"
import * as recast from "recast"
import { library } from "./libraries.js"
import type { MigratedFile, MigrationNote, SourceFile } from "./models.js"
import { migrateTatum } from "./tatum.js"
import type { Rewrite } from "./tree.js"

export type { MigratedFile, MigrationNote, SourceFile } from "./models.js"

/**
 * The packages to migrate from.
 *
 * @since 0.1.0
 * @category models
 */
export type MigrationSource = "@tatumio/tatum" | "viem" | "ethers"

/** The packages whose code is rewritten by its syntax alone. */
type Library = Exclude<MigrationSource, "@tatumio/tatum">

const rewrites: Readonly<Record<Library, Rewrite>> = {
  viem: library("viem"),
  ethers: library("ethers")
}

const makeParser = (path: string) => ({
  parse: (source: string) =>
    parseBabel(source, {
      sourceType: "unambiguous",
      allowReturnOutsideFunction: true,
      plugins: [
        "decorators-legacy",
        ...(/\.[cm]?tsx?$/.test(path) ? (["typescript"] as const) : []),
        ...(/\.[cm]?ts$/.test(path) ? [] : (["jsx"] as const))
      ],
      tokens: true
    })
})

const detectQuote = (text: string): "single" | "double" =>
  text.split("'").length > text.split('"').length ? "single" : "double"

/** Whether the text has an import or a `require` of a package or one of its entries. */
const mentionsPackage = (text: string, from: Library): boolean =>
  [`"${from}"`, `'${from}'`, `"${from}/`, `'${from}/`].some((each) => text.includes(each))

/** Removes the semicolons of new lines in a program that has none. */
const keepStyle = (before: string, after: string): string => {
  if (/;[ \t]*$/m.test(before)) return after
  const known = new Set(before.split("\n"))
  const lines = after.split("\n")
  return lines
    .map((line, at) => {
      // a statement that begins with one of these would go on with the line before it
      const isNeeded = /^\s*[([`/+-]/.test(lines.slice(at + 1).find((next) => next.trim() !== "") ?? "")
      return known.has(line) || isNeeded ? line : line.replace(/;[ \t]*$/, "")
    })
    .join("\n")
}

const migrateFile = (file: SourceFile, from: Library): MigratedFile => {
  if (!mentionsPackage(file.text, from)) return { ...file, notes: [] }
  const notes: Array<MigrationNote> = []
  try {
    const ast: recast.types.namedTypes.File = recast.parse(file.text, { parser: makeParser(file.path) })
    rewrites[from](ast, (node, message) => notes.push({ line: node.loc?.start.line ?? 1, message }))
    const text = keepStyle(file.text, recast.print(ast, { quote: detectQuote(file.text) }).code)
    return { path: file.path, text, notes: notes.sort((one, other) => one.line - other.line) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { ...file, notes: [{ line: 1, message: `it cannot be read: ${error.message}` }] }
  }
}

/**
 * Rewrites files from another package to this one. Files that do not use it do not change. Those of `@tatumio/tatum` are
 * rewritten by their types, so that they have to be in their project, with its packages installed.
 *
 * @since 0.1.0
 * @category conversions
 */
export const migrate = (
  files: ReadonlyArray<SourceFile>,
  from: MigrationSource
): ReadonlyArray<MigratedFile> =>
  from === "@tatumio/tatum" ? migrateTatum(files) : files.map((file) => migrateFile(file, from))
