/** What is published beside the compiled sources: declarations of the Promise surface, which name nothing of effect, and CommonJS. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { build } from "esbuild"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { typesVersions, withRequire, writeInto } from "../scripts/commonJs.mjs"
import { withGuards } from "../scripts/guards.mjs"
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

it("refuses declarations that name of effect what our kinds lack", () => {
  declare(
    "src/spans.d.ts",
    `import type { Effect, FiberRoots } from "effect/Effect"
import type * as Tracer from "effect/Tracer"
/** \`Tracer.NoName\` */
export declare const spans: Effect<Tracer.Span | Tracer.AnySpanAtAll | import("effect/Queue").Enqueue<1>>
export declare const roots: FiberRoots`,
    "../../src/spans.ts"
  )
  expect(() => copyTypes(join(folder, "dist"), join(folder, "dist/lean/types"), ["src/spans"])).toThrow(
    /lacks what declarations name: FiberRoots \(src\/spans\.d\.ts\), AnySpanAtAll \(src\/spans\.d\.ts\), Enqueue \(src\/spans\.d\.ts\)$/
  )
})

describe("a package for CommonJS", () => {
  const app = join(folder, "app")
  const home = join(app, "node_modules/pack")
  const exports = {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./parts/*": { types: "./dist/parts/*.d.ts", default: "./dist/parts/*.js" },
    "./sandbox": { types: "./dist/sandbox.d.ts", default: "./dist/sandbox.js" },
    "./package.json": "./package.json"
  }
  const declared = `export declare class Part { private readonly own: 1 }\nexport declare const part: Part\n`
  const code = `export class Part {}\nexport const part = new Part()\n`
  const files = {
    "dist/index.d.ts": `export * from "./parts/part.js"\nexport declare const load: () => Promise<typeof import("./parts/part.js")>\n`,
    "dist/index.js": `export * from "./parts/part.js"\nexport const load = () => import("./parts/part.js")\n`,
    "dist/parts/part.d.ts": declared,
    "dist/parts/part.js": code,
    "dist/sandbox.d.ts": `export declare const file: string\n`,
    "dist/sandbox.js": `export const file = import.meta.url\n`
  }
  const program = `import { load, Part, part } from "pack"
import { part as same } from "pack/parts/part"
import { file } from "pack/sandbox"
export const parts: ReadonlyArray<Part> = [part, same, new Part()]
export const name: string = file
export const loaded = load().then((module) => module.part satisfies Part)
// @ts-expect-error a part is no number
export const wrong: number = part
`
  const manifest = (more: object): void =>
    writeFileSync(
      join(home, "package.json"),
      JSON.stringify({ name: "pack", type: "module", types: "./dist/index.d.ts", ...more })
    )

  /** What the compiler says of the program in a CommonJS project, of its declarations too. */
  const codesWith = (options: ts.CompilerOptions): ReadonlyArray<number> =>
    ts
      .getPreEmitDiagnostics(
        ts.createProgram([join(app, "program.ts")], {
          ...options,
          strict: true,
          noEmit: true,
          target: ts.ScriptTarget.ES2022,
          lib: ["lib.es2022.d.ts"],
          types: [],
          ignoreDeprecations: "6.0"
        })
      )
      .map(({ code }) => code)

  const node16 = { module: ts.ModuleKind.Node16 }
  const node10 = { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 }

  beforeAll(async () => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), text)
    }
    writeFileSync(join(app, "package.json"), "{}")
    writeFileSync(join(app, "program.ts"), program)
    manifest({ exports: withRequire(exports) })
    await writeInto(home)
  })

  it("is refused by compilers where the manifest says nothing of require", () => {
    manifest({ exports })
    expect(codesWith(node16)).toContain(1479)
    expect(codesWith(node10)).toContain(2307)
  })

  it("has the types of its ES modules, under node16 and under node10", () => {
    manifest({ exports: withRequire(exports), typesVersions: typesVersions(exports) })
    expect(codesWith(node16)).toEqual([])
    expect(codesWith(node10)).toEqual([])
  })

  it("is CommonJS for whoever requires it, and an ES module for who imports it and for bundlers", async () => {
    manifest({ exports: withRequire(exports) })
    const required = createRequire(join(app, "program.js"))
    expect(required.resolve("pack")).toBe(join(home, "dist/cjs/index.cjs"))
    expect(required.resolve("pack/sandbox")).toBe(join(home, "dist/sandbox.js"))
    const own: {
      readonly part: unknown
      readonly Part: new () => unknown
      readonly load: () => Promise<object>
    } = required("pack")
    expect(own.part).toBeInstanceOf(own.Part)
    expect(await own.load()).toMatchObject({ part: own.part, Part: own.Part })
    // whatever names a file of its own there is CommonJS again
    const named = readdirSync(join(home, "dist/cjs"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".cjs"))
      .flatMap(
        (file) => readFileSync(join(home, "dist/cjs", file), "utf8").match(/\b(?:import|export)\b.*$/gm) ?? []
      )
    expect(named.filter((line) => !line.startsWith("exports"))).toEqual([])
    writeFileSync(
      join(app, "imports.js"),
      `export * from "pack"\nexport const required = require("pack/parts/part")\n`
    )
    const { metafile } = await build({
      entryPoints: [join(app, "imports.js")],
      bundle: true,
      format: "esm",
      metafile: true,
      write: false
    })
    expect(Object.keys(metafile.inputs).filter((file) => file.endsWith(".cjs"))).toEqual([])
  })

  it("is what both manifests of the repository say", () => {
    for (const file of ["package.json", "packages/fleet/package.json"]) {
      const { exports, typesVersions: versions } = JSON.parse(
        readFileSync(join(import.meta.dirname, "..", file), "utf8")
      )
      const required = withRequire(exports)
      expect(exports).toEqual(file === "package.json" ? withGuards(required) : required)
      expect(versions).toEqual(typesVersions(exports))
    }
  })
})
