/** Every entry of the package says under the wrong version of Effect which one to import. At night, what the compiler says of each. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { messageOf } from "../scripts/guards.mjs"
import { exports, guarded, ofEffect4, sourcesOf } from "./entrySources.js"

describe("the entries of the package", () => {
  const imports = /^(?:import|export)(?! type)\s[^"';]*?from "([^"]+)"/gm
  const needing = new Map<string, boolean>()
  /** Whether what a source imports at once has Effect in it. */
  const needsEffect = (file: string): boolean => {
    const known = needing.get(file)
    if (known !== undefined) return known
    needing.set(file, false)
    const found = Array.from(readFileSync(file, "utf8").matchAll(imports), ([, id = ""]) => id).some((id) =>
      id.startsWith(".")
        ? [".ts", ".tsx"]
            .map((end) => join(dirname(file), id.replace(/\.js$/, end)))
            .filter(existsSync)
            .some(needsEffect)
        : /^@?effect(-rx)?\//.test(id)
    )
    needing.set(file, found)
    return found
  }

  it("name the right one under the wrong version, each that needs a version, and no other", () => {
    expect(guarded.length).toBeGreaterThan(40)
    for (const [entry, target] of guarded) {
      const sources = sourcesOf(target)
      expect([entry, sources.length > 0]).toEqual([entry, true])
      const needs = sources.some(needsEffect) || ofEffect4.includes(entry)
      expect([entry, messageOf(entry, exports) !== undefined]).toEqual([entry, needs])
      expect([entry, target.node !== undefined]).toEqual([entry, needs])
    }
  })

  it("name an entry that is there, of the other version", () => {
    for (const [entry] of guarded) {
      const message = messageOf(entry, exports)
      if (message === undefined) continue
      const isOf4 = ofEffect4.includes(entry)
      expect(message).toContain(`effect-chains${entry.slice(1)} needs effect@${isOf4 ? 4 : 3}`)
      const [, named] = /import "effect-chains([^"]*)"/.exec(message) ?? []
      if (named === undefined) expect(entry).toMatch(/^\.\/sandbox/)
      else {
        expect(Object.keys(exports)).toContain(`.${named}`)
        expect(ofEffect4.includes(`.${named}`)).toBe(!isOf4)
      }
    }
  })

  it("are there for both versions, but for the sandbox", () => {
    const alone = guarded
      .filter(([entry]) => messageOf(entry, exports)?.includes("not there for Effect 4") === true)
      .map(([entry]) => entry)
    expect(alone).toEqual(["./sandbox", "./sandbox/client"])
    // notifications are a part of the whole for Effect 3
    const twins = ofEffect4.map((entry) => entry.slice("./effect4".length))
    const lacking = twins.filter((part) => !(`./effect${part}` in exports) && !(`.${part}` in exports))
    expect(lacking).toEqual([])
  })
})
