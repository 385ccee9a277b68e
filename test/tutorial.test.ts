/** The tutorial's pages: what they show is what the examples have, which test/sandbox/tutorial.test.ts runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { fillExcerpts, listExcerpts } from "../scripts/excerpts.mjs"
import { readPage } from "./pages.js"

const root = dirname(import.meta.dirname)
const shop = join(root, "examples/shop")

const surfaces = [
  { page: "docs/tutorial.md", folder: "promises" },
  { page: "docs/tutorial-effect.md", folder: "effect" }
]

describe.each(surfaces)("$page", ({ folder, page }) => {
  const { text } = readPage(page)
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "")

  it("shows what the examples have", () => {
    // `node scripts/excerpts.mjs` writes it
    expect(fillExcerpts(text)).toBe(text)
    expect(listExcerpts(text).length).toBeGreaterThan(15)
  })

  it("shows each file of the shop, and has ten steps, whose programs exist", () => {
    const shown = new Set(listExcerpts(text))
    const files = readdirSync(join(shop, folder, "shop")).map(
      (name) => `examples/shop/${folder}/shop/${name}`
    )
    expect(files.filter((path) => !shown.has(path))).toEqual([])
    const steps = Array.from(prose.matchAll(/^## (\d+)\. /gm), ([, step]) => Number(step))
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    // step 7 is tests, and step 10 the page
    const programs = steps.filter((step) => step !== 7 && step !== 10)
    expect(programs.filter((step) => !existsSync(join(shop, folder, `steps/${step}.ts`)))).toEqual([])
    expect(existsSync(join(shop, folder, "test/shop.test.ts"))).toBe(true)
    expect(shown).toContain("examples/shop/page/src/App.tsx")
  })

  it("is read in a quarter of an hour", () => {
    const words = prose.split(/\s+/).length
    expect(words).toBeLessThan(2_500)
  })

  it("names each peer that the shop imports in its package", () => {
    const {
      dependencies,
      devDependencies
    }: Record<string, Record<string, string>> = JSON.parse(
      readFileSync(join(shop, folder, "package.json"), "utf8")
    )
    const imported = ["shop", "steps", "test"].flatMap((part) =>
      readdirSync(join(shop, folder, part)).flatMap((name) =>
        Array.from(
          readFileSync(join(shop, folder, part, name), "utf8").matchAll(/from "((?:@[\w-]+\/)?[a-z][\w-]*)/g),
          ([, pack = ""]) => pack
        )
      )
    )
    const known = { ...dependencies, ...devDependencies }
    expect(imported.length).toBeGreaterThan(10)
    expect([...new Set(imported)].filter((pack) => pack !== "node" && known[pack] === undefined)).toEqual([])
  })
})

it("is no part of the published package", () => {
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8")
  )
  expect(files.filter((pattern) => pattern === "." || /^(\*|examples)/.test(pattern))).toEqual([])
})
