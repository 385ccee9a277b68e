/** The declarations of the Promise surface, which name nothing of effect. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { copyTypes } from "../scripts/published.mjs"

const folder = mkdtempSync(join(tmpdir(), "effect-chains-types-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A declaration with its map, which says that it comes from a file in `src` beside the folder of declarations. */
const declare = (file: string, text: string, source: string): void => {
  const path = join(folder, "dist", file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  writeFileSync(`${path}.map`, JSON.stringify({ version: 3, sources: [source], mappings: "" }))
}

it("copies declarations with what they import, and puts our kinds in the place of effect", () => {
  declare(
    "src/entry.d.ts",
    `import type { Effect } from "effect/Effect"
export * from "./deep/part.js"
export declare const call: import("effect/Stream").Stream<Effect<1>>
export declare const own: import("./deep/part.js").Part
/** \`import { init } from "effect-chains/promise"\` */`,
    "../../src/entry.ts"
  )
  declare(
    "src/deep/part.d.ts",
    `import type { HttpClient } from "@effect/platform/HttpClient"
import type { Query } from "@tanstack/react-query"
export interface Part extends HttpClient, Query {}`,
    "../../../src/deep/part.ts"
  )
  declare("src/other.d.ts", `export * from "effect/Effect"`, "../../src/other.ts")
  const types = join(folder, "dist/lean/types")
  copyTypes(join(folder, "dist"), types, ["src/entry"])
  expect(readFileSync(join(types, "src/entry.d.ts"), "utf8")).toBe(
    `import type { Effect } from "../effect.js"
export * from "./deep/part.js"
export declare const call: import("../effect.js").Stream<Effect<1>>
export declare const own: import("./deep/part.js").Part
/** \`import { init } from "effect-chains/promise"\` */`
  )
  expect(readFileSync(join(types, "src/deep/part.d.ts"), "utf8")).toBe(
    `import type { HttpClient } from "../../effect.js"
import type { Query } from "@tanstack/react-query"
export interface Part extends HttpClient, Query {}`
  )
  const sourceOf = (file: string): string => {
    const map: { readonly sources: readonly [string] } = JSON.parse(
      readFileSync(join(types, `${file}.map`), "utf8")
    )
    return join(dirname(join(types, file)), map.sources[0])
  }
  expect(sourceOf("src/entry.d.ts")).toBe(join(folder, "src/entry.ts"))
  expect(sourceOf("src/deep/part.d.ts")).toBe(join(folder, "src/deep/part.ts"))
  expect(() => readFileSync(join(types, "src/other.d.ts"))).toThrow("ENOENT")
  expect(readFileSync(join(types, "effect.d.ts"), "utf8")).toContain("export interface Effect<")
})
