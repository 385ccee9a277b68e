/** What the compiler and Node say of an entry that is for the other version of Effect. New projects have it whole, at night. */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { guardOf, withGuards } from "../scripts/guards.mjs"

const root = dirname(import.meta.dirname)
const folder = mkdtempSync(join(tmpdir(), "effect-chains-wrong-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("the compiler", () => {
  /** What it says of a client of the surface for one version of Effect, under the other or the same. */
  const compile = (surface: "" | ".effect4", installed: "effect" | "effect4"): string => {
    const home = join(folder, `${surface}-${installed}`)
    mkdirSync(join(home, "node_modules"), { recursive: true })
    symlinkSync(join(root, "node_modules", installed), join(home, "node_modules/effect"))
    copyFileSync(join(root, `src/data/effectVersion${surface}.ts`), join(home, "effectVersion.ts"))
    writeFileSync(join(home, "package.json"), `{ "type": "module" }`)
    writeFileSync(
      join(home, "app.ts"),
      `import type { OnThisEffect } from "./effectVersion.js"
declare const make: <const N extends string>(options: OnThisEffect<{ readonly network: N }>) => N
export const made: "ethereum-mainnet" = make({ network: "ethereum-mainnet" })
`
    )
    const options = { target: "ES2022", module: "NodeNext", strict: true, noEmit: true, types: [] }
    writeFileSync(
      join(home, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["app.ts"] })
    )
    return spawnSync(process.execPath, [join(root, "scripts/compile.mjs"), "--pretty", "false", "-p", home], {
      encoding: "utf8"
    }).stdout
  }

  it("names the entry of the installed version", () => {
    expect(compile("", "effect4")).toContain(
      "not assignable to parameter of type '\"effect-chains is for Effect 3: with Effect 4, import effect-chains/effect4\"'"
    )
    expect(compile(".effect4", "effect")).toContain(
      "not assignable to parameter of type '\"effect-chains/effect4 is for Effect 4: with Effect 3, import effect-chains\"'"
    )
  })

  it("says nothing of the right one, whose options are inferred as ever", () => {
    expect(compile("", "effect")).toBe("")
    expect(compile(".effect4", "effect4")).toBe("")
  })
})

describe("Node", () => {
  const run = (name: string, target: string, marker = "effect/Effect"): string => {
    const home = join(folder, name)
    const files = {
      "package.json": `{ "type": "module" }`,
      "node_modules/effect/package.json": `{ "name": "effect", "type": "module", "exports": { "./*": "./*.js" } }`,
      "node_modules/effect/Effect.js": "export const succeed = 1",
      "target.js": target,
      "guard.js": guardOf("import the other entry", marker, "./target.js", ["Sdk", "Http"]),
      "app.js": `import * as all from "./guard.js"\nconsole.log(JSON.stringify(all))`
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), text)
    }
    const { stderr, stdout } = spawnSync(process.execPath, ["app.js"], { cwd: home, encoding: "utf8" })
    return `${stdout}${stderr}`
  }

  it("gets the exports of the right entry", () => {
    const said = run(
      "right",
      `import * as Effect from "effect/Effect"\nexport const Sdk = Effect.succeed\nexport const Http = 2`
    )
    expect(JSON.parse(said)).toEqual({ Sdk: 1, Http: 2 })
  })

  it("tells of the other entry where a module of Effect is missing, with the reason", () => {
    const said = run("wrong", `import "effect/MetricBoundaries"\nexport const Sdk = 1, Http = 2`)
    expect(said).toContain("Error: import the other entry")
    expect(said).toMatch(/\[cause\].*MetricBoundaries\.js/s)
  })

  it("tells of the other entry where an entry uses nothing that is missing but a member", () => {
    const said = run(
      "member",
      `import * as Effect from "effect/Effect"\nexport const Sdk = Effect.absent(), Http = 2`,
      "effect/Either"
    )
    expect(said).toContain("Error: import the other entry")
  })

  it("tells of another package that is missing as it is", () => {
    const said = run("absent", `import "react-of-effects"\nexport const Sdk = 1, Http = 2`)
    expect(said).toContain("Cannot find package 'react-of-effects'")
    expect(said).not.toContain("import the other entry")
  })

  it("tells of anything else as it is", () => {
    expect(run("other", `throw new Error("out of order")\nexport const Sdk = 1, Http = 2`)).not.toContain(
      "import the other entry"
    )
  })

  it("alone reads such modules: bundlers have the entry itself", () => {
    const target = { types: "./index.d.ts", default: "./index.js" }
    const guarded = withGuards({ ".": target, "./effect4": target, "./promise": target })
    expect(Object.keys(Object(guarded["."]))).toEqual(["module", "require", "types", "node", "default"])
    expect(guarded["./effect4"]).toMatchObject({ module: "./index.js", node: "./dist/node/effect4.js" })
    expect(guarded["./promise"]).toBe(target)
  })
})
