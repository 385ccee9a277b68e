import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePromisesPage, promises } from "../scripts/promises.js"

const root = join(import.meta.dirname, "..")
const text = (path: string): string => readFileSync(join(root, path), "utf8")

describe("the promises of the docs", () => {
  it("have a test each, by its name, and a page that makes them", () => {
    for (const { page, text: says, test } of promises) {
      const [file, name] = test
      expect([says, existsSync(join(root, "docs", page)), text(file).includes(`"${name}"`)]).toEqual([
        says,
        true,
        true
      ])
    }
  })

  it("have the figures of the nights that they name", () => {
    const nightly = text("test/nightly/README.md")
    const suites = promises.flatMap(({ nightlySuites = [] }) => nightlySuites)
    expect(suites.filter((suite) => !nightly.includes(`| \`${suite}\` `))).toEqual([])
  })

  it("are the page of the docs", () => {
    expect(text("docs/promises.md")).toBe(makePromisesPage(root))
  })
})
