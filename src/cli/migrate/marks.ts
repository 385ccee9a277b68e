/** The comments that mark what a person has to check. */
import type ts from "typescript"
import type { Compiler } from "./project.js"

/** The beginning of each mark. A second run finds marks by it. */
export const MARK = "effect-chains migrate:"

const hasMark = (compiler: Compiler, { text }: ts.SourceFile, node: ts.Node): boolean =>
  (compiler.getLeadingCommentRanges(text, node.getFullStart()) ?? []).some(({ end, pos }) =>
    text.slice(pos, end).includes(MARK)
  )

const findLineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1

/**
 * The statement, or the member of a class or type, that a comment about a node stands above: the innermost one that
 * begins its line.
 */
const findAnchor = (compiler: Compiler, file: ts.SourceFile, node: ts.Node): ts.Node => {
  for (let each = node; !compiler.isSourceFile(each); each = each.parent) {
    const isAnchor =
      (compiler.isStatement(each) && !compiler.isBlock(each)) ||
      compiler.isClassElement(each) ||
      compiler.isTypeElement(each) ||
      (compiler.isObjectLiteralElement(each) &&
        compiler.isObjectLiteralExpression(each.parent) &&
        each.parent.properties.length > 1)
    const start = each.getStart(file)
    if (isAnchor && file.text.slice(findLineStart(file.text, start), start).trim() === "") return each
  }
  return file.statements[0] ?? file
}

/** Where the mark of a node goes, and its indentation; undefined if its statement has one. */
const findMarkPlace = (
  compiler: Compiler,
  file: ts.SourceFile,
  node: ts.Node
): { readonly at: number; readonly indentation: string } | undefined => {
  const anchor = findAnchor(compiler, file, node)
  if (hasMark(compiler, file, anchor)) return undefined
  const start = anchor.getStart(file)
  const at = findLineStart(file.text, start)
  return { at, indentation: file.text.slice(at, start).trim() === "" ? file.text.slice(at, start) : "" }
}

/** All marks of a text, with their lines. */
export const listMarks = (text: string): ReadonlyArray<{ readonly line: number; readonly message: string }> =>
  text.split(/\r?\n/).flatMap((line, at) => {
    const [, message] = line.split(`// ${MARK} `)
    return message === undefined ? [] : [{ line: at + 1, message }]
  })

/** Marks of one file: the reasons by the place, each once. */
export class Marks {
  private readonly reasons = new Map<number, { readonly indentation: string; readonly each: Set<string> }>()

  constructor(
    readonly compiler: Compiler,
    readonly file: ts.SourceFile
  ) {}

  add(node: ts.Node, reason: string): void {
    const place = findMarkPlace(this.compiler, this.file, node)
    if (place === undefined) return
    const known = this.reasons.get(place.at) ?? { indentation: place.indentation, each: new Set<string>() }
    known.each.add(reason)
    this.reasons.set(place.at, known)
  }

  /** The lines to insert, by their positions, with so many reasons each at most. */
  list(most?: number): ReadonlyArray<{ readonly at: number; readonly text: string }> {
    const newline = this.file.text.includes("\r\n") ? "\r\n" : "\n"
    return [...this.reasons].map(([at, { each, indentation }]) => ({
      at,
      text: `${indentation}// ${MARK} ${[...each].slice(0, most).join("; ")}${newline}`
    }))
  }
}
