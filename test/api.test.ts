/** The gate of the public surface, in repositories made for it: what it lists, and what it refuses. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { problemsOf, report, write as writeReport } from "../scripts/api.mjs"

let repository: string
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
}
const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
    cwd: repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"]
  })
const commit = (): void => {
  git("add", "-A")
  git("commit", "-qm", "a change")
}
const api = (): void => writeReport(repository)
/** What the gate says: of what is wrong, and of what cannot be told. */
const checked = (): { readonly problems: ReadonlyArray<string>; readonly notes: ReadonlyArray<string> } => {
  const notes: Array<string> = []
  return { problems: problemsOf(repository, (line) => notes.push(line)), notes }
}
const passes = { problems: [], notes: [] }
const isRefused = { problems: [expect.stringContaining("no changeset says so")], notes: [] }
const changeset = { ".changeset/new.md": '---\n"a": minor\n---\n\nMore.\n' }
const more = {
  "dist/index.d.ts": "import { Row } from './row.js'\nexport declare const one: (row: Row) => string\n"
}

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "effect-chains-api-"))
  write({
    "package.json": JSON.stringify({
      name: "a",
      version: "0.1.0",
      exports: {
        ".": { types: "./dist/index.d.ts" },
        "./families/*": { types: "./dist/lean/types/families/*.d.ts" },
        "./package.json": "./package.json"
      }
    }),
    "dist/index.d.ts":
      'import type { Row } from "./row.js"\n/** Docs are no part of it. */\nexport declare const one: (row: Row) => number\n',
    "dist/row.d.ts": "export interface Row {\n  readonly id: number\n}\nexport declare const unseen: 1\n",
    "dist/families/Evm.d.ts":
      'export { one as first } from "../index.js"\nexport * as rows from "../row.js"\n',
    ".changeset/old.md": "---\n---\n"
  })
  git("init", "-qb", "main")
  commit()
  api()
  commit()
})
afterEach(() => rmSync(repository, { recursive: true }))

describe("the report of the public surface", () => {
  it("has the names of each entry, and each declaration that they lead to, once and without docs", () => {
    write({ "dist/families/Evm.d.ts": 'export { one as first } from "../index.js"\n' })
    expect(report(repository)).toBe(
      [
        "# a",
        "",
        "## .",
        "index: one",
        "",
        "## ./families/Evm",
        "index: one as first",
        "",
        "## in index",
        "export const one: (row: Row) => number;",
        "",
        "## in row",
        "export interface Row { readonly id: number; }",
        ""
      ].join("\n")
    )
  })

  it("is that of the sources: a change of what an export only leads to is one", () => {
    expect(checked()).toEqual(passes)
    write({
      "dist/row.d.ts": "export interface Row {\n  readonly id: bigint\n}\nexport declare const unseen: 1\n"
    })
    const [said] = checked().problems
    expect(said).toContain("- export interface Row { readonly id: number; }")
    expect(said).toContain("+ export interface Row { readonly id: bigint; }")
  })

  it("is the same where what no entry leads to changes", () => {
    write({
      "dist/index.d.ts": `${readFileSync(join(repository, "dist/index.d.ts"), "utf8")}declare const mine: 2\nexport {}\n`
    })
    expect(checked()).toEqual(passes)
  })
})

describe("a change of the report", () => {
  it("needs a new changeset before it is committed, on main and on a branch", () => {
    for (const branch of ["main", "feature"]) {
      if (branch !== "main") git("switch", "-qc", branch)
      write(more)
      api()
      expect([branch, checked()]).toEqual([branch, isRefused])
      write(changeset)
      expect([branch, checked()]).toEqual([branch, passes])
      rmSync(join(repository, ".changeset/new.md"))
    }
  })

  it("needs it in a clone, where nothing is left to commit", () => {
    write(more)
    api()
    commit()
    expect(checked()).toEqual(isRefused)
    // another commit does not hide it
    write({ "README.md": "a" })
    commit()
    expect(checked()).toEqual(isRefused)
    write(changeset)
    commit()
    expect(checked()).toEqual(passes)
  })

  it("needs one on a branch of several commits, and in the merge of it", () => {
    git("switch", "-qc", "feature")
    write(more)
    api()
    commit()
    write({ "README.md": "a" })
    commit()
    expect(checked()).toEqual(isRefused)
    git("switch", "-q", "main")
    git("merge", "-q", "--no-ff", "--no-edit", "feature")
    expect(checked()).toEqual(isRefused)
    git("reset", "-q", "--hard", "HEAD^")
    git("switch", "-q", "feature")
    write(changeset)
    commit()
    expect(checked()).toEqual(passes)
    git("switch", "-q", "main")
    git("merge", "-q", "--no-ff", "--no-edit", "feature")
    expect(checked()).toEqual(passes)
  })

  it("is not excused by a changeset that is only edited, and is by the release that takes them away", () => {
    write({ ...more, ".changeset/old.md": "---\n---\n\nEdited.\n" })
    api()
    expect(checked()).toEqual(isRefused)
    rmSync(join(repository, ".changeset/old.md"))
    const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"))
    write({ "package.json": JSON.stringify({ ...manifest, version: "0.2.0" }) })
    expect(checked()).toEqual(passes)
  })

  it("is not judged where history was cut off, which is said", () => {
    const { root, clone } = { root: repository, clone: mkdtempSync(join(tmpdir(), "effect-chains-api-")) }
    write(more)
    api()
    commit()
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${root}`, clone])
    try {
      repository = clone
      expect(checked()).toEqual({ problems: [], notes: [expect.stringContaining("left out:")] })
    } finally {
      repository = root
      rmSync(clone, { recursive: true })
    }
  })
})
