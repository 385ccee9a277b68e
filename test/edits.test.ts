import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Edits } from "../src/cli/migrate/edits.js"

describe("edits of a text", () => {
  it("nest wrappers in the order of the nodes, and put lines before all else", () => {
    const edits = new Edits()
    edits.insertBefore(0, "Number(")
    edits.insertBefore(0, "getOrThrow(")
    edits.replace(6, 13, ")")
    edits.replace(13, 24, ")")
    edits.insertLine(0, "// a mark\n")
    expect(edits.apply("answer.result.toNumber()")).toBe("// a mark\nNumber(getOrThrow(answer))")
  })

  it("keep what is inside of a wrapper, and drop what is inside of a replacement", () => {
    const edits = new Edits()
    edits.insertBefore(4, "f(")
    edits.insertAfter(7, ")")
    edits.replace(5, 6, "x")
    edits.replace(0, 3, "z")
    edits.replace(1, 2, "never")
    expect(edits.apply("abc def")).toBe("z f(dxf)")
  })

  it("leave everything between them as it is, in whatever order they come", () => {
    const ranges = fc.uniqueArray(fc.nat(60), { minLength: 2, maxLength: 16 }).map((points) => {
      const sorted = points.toSorted((one, other) => one - other)
      return sorted.flatMap((start, at) =>
        at % 2 === 0 && sorted[at + 1] !== undefined ? [[start, sorted[at + 1] ?? start] as const] : []
      )
    })
    fc.assert(
      fc.property(fc.string({ minLength: 61, maxLength: 80 }), ranges, fc.nat(), (text, each, seed) => {
        const edits = new Edits()
        const turned = each.map((_, at) => each[(at + seed) % each.length] ?? ([0, 0] as const))
        for (const [start, end] of turned) edits.replace(start, end, `<${start}>`)
        let expected = ""
        let at = 0
        for (const [start, end] of each) {
          expected += `${text.slice(at, start)}<${start}>`
          at = end
        }
        expect(edits.apply(text)).toBe(expected + text.slice(at))
      })
    )
  })
})
