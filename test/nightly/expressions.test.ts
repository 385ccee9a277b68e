/** Regular expressions read foreign texts: the time of each must be linear in the length of the text. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { checkSync } from "recheck"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")

interface Found {
  readonly where: string
  readonly source: string
  readonly flags: string
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, folder, file))

/** The literals of a file, each with its line. */
const literalsIn = (file: string): ReadonlyArray<Found> => {
  const text = readFileSync(file, "utf8")
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<Found> = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/")
      const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1
      found.push({
        where: `${relative(root, file)}:${line}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1)
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

const literals = ["src", "react"].flatMap(filesOf).flatMap(literalsIn)

/** Expressions that are made of texts, which nobody can check before. */
const madeIn = (file: string): ReadonlyArray<string> => {
  const parsed = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && node.expression.getText() === "RegExp") found.push(relative(root, file))
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

describe("regular expressions", () => {
  it("are literals, but for a choice of plain texts, which reads a text once", () => {
    expect(["src", "react"].flatMap(filesOf).flatMap(madeIn)).toEqual(["src/data/secrets.ts"])
  })

  it("are found", () => expect(literals.length).toBeGreaterThan(200))

  it("take time by the length of the text, and no more", { timeout: 600_000 }, () => {
    const known = new Map<string, string>()
    const problems = literals.flatMap(({ flags, source, where }) => {
      const key = `/${source}/${flags}`
      if (!known.has(key)) {
        const found = checkSync(source, flags, { timeout: 60_000 })
        known.set(
          key,
          found.status === "safe"
            ? ""
            : found.status === "vulnerable"
              ? `${found.complexity.summary}, by ${found.attack.pattern.slice(0, 200)}`
              : `unknown: ${found.error.kind}`
        )
      }
      const problem = known.get(key)
      return problem === "" ? [] : [`${where} ${key}: ${problem}`]
    })
    expect(problems).toEqual([])
  })
})
