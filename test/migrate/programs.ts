/** Programs as users of `@tatumio/tatum` write them, in projects of their own with that package's types. */
import { spawnSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import ts from "typescript"
import { ensure, homeOf } from "../../scripts/cached.mjs"
import { sources } from "../../scripts/sources.js"
import { MARK } from "../../src/cli/migrate/marks.js"

const root = join(import.meta.dirname, "../..")
const packages = { "@tatumio/tatum": "4.2.58" }
const folder = join(import.meta.dirname, "programs")

export interface ProgramFile {
  /** The path in the project. */
  readonly path: string
  readonly text: string
}

/** The names of the programs: each is a folder. */
export const programs: ReadonlyArray<string> = readdirSync(folder).sort()

/** The files of a program. They end in `.txt`, so that no tool of this repository reads them as its own. */
export const listFiles = (program: string): ReadonlyArray<ProgramFile> =>
  readdirSync(join(folder, program))
    .sort()
    .map((name) => ({
      path: join(program, name.replace(/\.txt$/, "")),
      text: readFileSync(join(folder, program, name), "utf8")
    }))

const options = {
  target: "ES2022",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  types: ["node"],
  jsx: "react-jsx",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowJs: true
}

export interface Problem {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** A project on disk with the old package's types. */
export class UserProject implements Disposable {
  readonly folder: string

  constructor(files: ReadonlyArray<ProgramFile>) {
    const problem = ensure(packages)
    if (problem !== undefined) throw new Error(problem)
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "effect-chains-migrate-")))
    const modules = join(this.folder, "node_modules")
    mkdirSync(join(modules, "@tatumio"), { recursive: true })
    const link = (from: string, name: string) =>
      symlinkSync(join(from, "node_modules", name), join(modules, name), "junction")
    for (const name of ["@tatumio/tatum", "bignumber.js"]) link(homeOf(packages), name)
    for (const name of ["@types", "react"]) link(root, name)
    writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name: "shop", type: "module" }))
    writeFileSync(join(this.folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }))
    this.write(files)
  }

  /** Absolute paths, as the command line gives them. */
  at(files: ReadonlyArray<ProgramFile>): ReadonlyArray<ProgramFile> {
    return files.map(({ path, text }) => ({ path: join(this.folder, path), text }))
  }

  write(files: ReadonlyArray<ProgramFile>): void {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), text)
    }
  }

  /** What the native compiler says of the project's files, over this repository's sources. */
  compile(): ReadonlyArray<Problem> {
    const path = sources["effect-chains/promise"] ?? ""
    const config = join(this.folder, "tsconfig.check.json")
    writeFileSync(
      config,
      JSON.stringify({
        compilerOptions: { ...options, paths: { "effect-chains/promise": [join(root, path)] } },
        exclude: ["node_modules"]
      })
    )
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, "scripts", "compile.mjs"), "-p", config, "--pretty", "false"],
      { encoding: "utf8", cwd: this.folder }
    )
    return stdout.split("\n").flatMap((text) => {
      const [, path, line, message = ""] = /^(\S.+?)\((\d+),\d+\): (.*)$/.exec(text) ?? []
      return path === undefined ? [] : [{ path, line: Number(line), message }]
    })
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}

/** Whether the innermost statement or member at a line, or one around it on the same lines, has a mark above it. */
export const isMarked = ({ path, text }: ProgramFile, line: number): boolean => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const at =
    file.getPositionOfLineAndCharacter(line - 1, 0) +
    (/^\s*/.exec(text.split("\n")[line - 1] ?? "")?.[0].length ?? 0)
  let found = false
  const look = (node: ts.Node): void => {
    if (node.getFullStart() > at || node.end < at) return
    const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
    const isHere = comments.some(({ end, pos }) => text.slice(pos, end).includes(MARK))
    // an inner statement needs its own mark
    if (ts.isStatement(node) && !ts.isBlock(node) && node.getStart() <= at) found = isHere
    else if (isHere) found = true
    ts.forEachChild(node, look)
  }
  ts.forEachChild(file, look)
  return found
}
