/** What users install runs nothing on its own, names what it needs and why, and is made from what is locked. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = join(import.meta.dirname, "..")
const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

describe("what is released", () => {
  it("has no script that an install runs, nor have its dependencies", () => {
    const lock = json("package-lock.json")
    for (const path of ["package.json", "packages/fleet/package.json"]) {
      const { dependencies = {}, scripts = {} } = json(path)
      expect([
        path,
        ["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)
      ]).toEqual([path, []])
      for (const name of Object.keys(dependencies)) {
        const locked = lock.packages[`node_modules/${name}`]
        expect([name, locked?.hasInstallScript ?? false, typeof locked?.integrity]).toEqual([
          name,
          false,
          "string"
        ])
      }
    }
  })

  it("has a reason for each of its dependencies", () => {
    const reasons = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
    const { dependencies } = json("package.json")
    expect(Object.keys(dependencies).filter((name) => !reasons.includes(`| \`${name}\``))).toEqual([])
  })

  it("is published by a workflow that tests first, and signs where it was made", () => {
    const { jobs } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"))
    const { permissions, steps } = jobs.release
    expect(permissions["id-token"]).toBe("write")
    const lines: ReadonlyArray<string> = steps.map(
      (step: { readonly run?: string; readonly uses?: string }) => step.run ?? step.uses
    )
    const at = (part: string) => lines.findIndex((line) => line.includes(part))
    expect(at("npm ci")).toBeGreaterThan(-1)
    expect(at("npm test")).toBeGreaterThan(at("npm ci"))
    expect(at("changesets/action")).toBeGreaterThan(at("npm test"))
    expect(steps.at(-1).env.NPM_CONFIG_PROVENANCE).toBe("true")
  })
})
