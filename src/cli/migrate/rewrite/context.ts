/** What the rewrites of one file share: the program's types, the file's names, the edits and what was decided. */
import type ts from "typescript"
import { Edits } from "../edits.js"
import { Marks } from "../marks.js"
import type { Equivalents, NeededType } from "../oldTypes.js"
import { type Compiler, isScript } from "../project.js"

/** What all files of a program share. */
export interface Shared {
  readonly compiler: Compiler
  readonly checker: ts.TypeChecker
  readonly equivalents: Equivalents
  /** What is assigned to names and fields without a type. */
  readonly assigned: ReadonlyMap<ts.Symbol, ReadonlyArray<ts.Expression>>
}

/** The envelopes of the old package, by the field that has an answer's content. */
export type Envelope = "result" | "data"

type NeededValue = "init" | "getOrThrow"

/** How the file is written: new code is written in the same way. */
interface Style {
  readonly isScript: boolean
  readonly quote: string
  /** The end of a statement: a semicolon, or nothing. */
  readonly end: string
  readonly newline: string
}

/** The names of a file. */
export interface FileNames {
  readonly references: ReadonlyMap<ts.Symbol, ReadonlyArray<ts.Identifier>>
  /** All names but those of members. */
  readonly identifiers: ReadonlySet<string>
}

/** What was decided about a file so far. Names and nodes are decided once, wherever they are met first. */
interface Decisions {
  /** The names that the file needs from `effect-chains/promise`, and whether they are types. */
  readonly needed: Map<NeededValue | NeededType, boolean>
  /** The nodes of the old package's names that are no longer there after the edits. */
  readonly consumed: Set<ts.Node>
  /** Nodes that an edit around them replaces, so that none is made in them. */
  readonly dropped: Set<ts.Node>
  /** Awaited calls that throw after a failure, as they did. */
  readonly settled: Set<ts.Node>
  /** Imported types whose uses stay, so that an alias has to take the import's place. */
  readonly aliased: Set<ts.Symbol>
  /** Contents whose names are gone: each use reads the answer. */
  readonly renamed: Set<ts.Symbol>
  /** The answers that are unwrapped where they are held. */
  readonly unwrapped: Map<ts.Symbol, Envelope | undefined>
  /** Whether a name's amount is a bigint from now on. If not, it stays a BigNumber. */
  readonly plainAmounts: Map<ts.Symbol, boolean>
  /** The same of a held answer's amount, for all names that read it. */
  readonly plainHeldAmounts: Map<ts.Symbol, boolean>
  /** The names that functions have, with those that were added. */
  readonly takenNames: Map<ts.Node, Set<string>>
  /** The file's name of `BigNumber`, and whether it is imported for it. */
  bigNumber?: { readonly name: string; readonly isNew: boolean }
}

/** One file while it is rewritten. */
export interface FileContext {
  readonly shared: Shared
  readonly ts: Compiler
  readonly checker: ts.TypeChecker
  readonly file: ts.SourceFile
  readonly style: Style
  readonly names: FileNames
  readonly edits: Edits
  readonly marks: Marks
  readonly decisions: Decisions
}

const detectStyle = ({ fileName, text }: ts.SourceFile): Style => ({
  isScript: isScript(fileName),
  quote: text.split("'").length > text.split('"').length ? "'" : '"',
  end: /;[ \t]*(\/\/.*)?$/m.test(text) ? ";" : "",
  newline: text.includes("\r\n") ? "\r\n" : "\n"
})

export const makeContext = (shared: Shared, file: ts.SourceFile, names: FileNames): FileContext => ({
  shared,
  ts: shared.compiler,
  checker: shared.checker,
  file,
  style: detectStyle(file),
  names,
  edits: new Edits(),
  marks: new Marks(shared.compiler, file),
  decisions: {
    needed: new Map(),
    consumed: new Set(),
    dropped: new Set(),
    settled: new Set(),
    aliased: new Set(),
    renamed: new Set(),
    unwrapped: new Map(),
    plainAmounts: new Map(),
    plainHeldAmounts: new Map(),
    takenNames: new Map()
  }
})

/** A text in the quotes of the file. */
export const quoted = ({ style: { quote } }: FileContext, text: string): string => `${quote}${text}${quote}`

/** Replaces a node, without the comments before it. */
export const replaceNode = ({ edits, file }: FileContext, node: ts.Node, text: string): void =>
  edits.replace(node.getStart(file), node.end, text)

/** Inserts texts around a node. */
export const wrapNode = (
  { edits, file }: FileContext,
  node: ts.Node,
  [before, after]: readonly [before: string, after: string]
): void => {
  edits.insertBefore(node.getStart(file), before)
  edits.insertAfter(node.end, after)
}

/** Removes a statement with its line. */
export const removeStatement = ({ edits, file }: FileContext, node: ts.Node): void => {
  const newline = file.text.slice(node.end).match(/^[ \t]*\r?\n/)?.[0].length ?? 0
  edits.replace(node.getStart(file), node.end + newline, "")
}

/** Notes that a node's names of the old package are gone. */
export const consume = (context: FileContext, node: ts.Node): void => {
  context.decisions.consumed.add(node)
  context.ts.forEachChild(node, (child) => consume(context, child))
}

const LOCAL_NAMES: Readonly<Record<NeededValue, string>> = {
  init: "initClient",
  getOrThrow: "getDataOrThrow"
}

/** The file's name of a value of ours: its own, unless the file uses that name. */
export const localNameOf = ({ names }: FileContext, name: NeededValue): string =>
  names.identifiers.has(name) ? LOCAL_NAMES[name] : name

/** Imports a value of ours, and returns its name in the file. */
export const needValue = (context: FileContext, name: NeededValue): string => {
  context.decisions.needed.set(name, false)
  return localNameOf(context, name)
}

/** Imports types of ours. */
export const needTypes = ({ decisions }: FileContext, ...names: ReadonlyArray<NeededType>): void => {
  for (const name of names) decisions.needed.set(name, true)
}
