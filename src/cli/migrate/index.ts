/**
 * The mechanical part of a migration: it rewrites known code, keeps the formatting of the rest, and says what a person
 * has to check. A rewritten file is not changed again.
 *
 * @since 0.1.0
 */
import { parse as parseBabel } from "@babel/parser"
import * as recast from "recast"
import { library } from "./libraries.js"
import { migrateTatum } from "./tatum.js"
import type { Rewrite } from "./tree.js"

/**
 * A file of the project: its path, whose extension gives its language, and its text.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * What a person has to check: the line and the reason. Lines count from 1: in the new text for `@tatumio/tatum`, where a
 * comment has the reason too, and in the original text for the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface MigrationNote {
  readonly line: number
  readonly message: string
}

/**
 * A file after the migration. Its text is the same if it does not use the other package, or if it cannot be parsed,
 * which a note says.
 *
 * @since 0.1.0
 * @category models
 */
export interface MigratedFile extends SourceFile {
  readonly notes: ReadonlyArray<MigrationNote>
}

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

const migrateFile = (file: SourceFile, from: Library): MigratedFile => {
  if (!mentionsPackage(file.text, from)) return { ...file, notes: [] }
  const notes: Array<MigrationNote> = []
  try {
    const ast: recast.types.namedTypes.File = recast.parse(file.text, { parser: makeParser(file.path) })
    rewrites[from](ast, (node, message) => notes.push({ line: node.loc?.start.line ?? 1, message }))
    const text = recast.print(ast, { quote: detectQuote(file.text) }).code
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
