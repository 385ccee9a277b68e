/**
 * `effect-chains migrate`: the mechanical part of moving a project.
 *
 * @since 0.1.0
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type CommandError, wrong } from "./Failure.js"
import { type MigratedFile, type MigrationSource, migrate, type SourceFile } from "./migrate/index.js"
import { answer, printable, toned } from "./Output.js"

const sources: Readonly<Record<string, MigrationSource>> = {
  tatum: "@tatumio/tatum",
  viem: "viem",
  ethers: "ethers"
}

const code = /\.[cm]?[jt]sx?$/
const generated: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "coverage"])

/** Files of code in a folder, without those that are made or installed; a file that is named is one whatever its name is. */
const filesIn = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true }).flatMap((entry): ReadonlyArray<string> => {
        const at = join(path, entry.name)
        if (entry.isDirectory())
          return generated.has(entry.name) || entry.name.startsWith(".") ? [] : filesIn(at)
        return entry.isFile() && code.test(entry.name) ? [at] : []
      })
    : [path]

const attempt = <A>(run: () => A): Effect.Effect<A, CommandError> =>
  Effect.try({ try: run, catch: (error) => wrong(error instanceof Error ? error.message : String(error)) })

interface Moved {
  readonly path: string
  readonly changed: boolean
  readonly notes: MigratedFile["notes"]
}

const shown = (moved: ReadonlyArray<Moved>, isWritten: boolean): string => {
  const changed = moved.filter((file) => file.changed)
  const lines = moved.flatMap(({ changed, notes, path }) => [
    `${changed ? toned("good", isWritten ? "rewritten" : "to rewrite") : toned("faint", "as it is")}  ${printable(path)}`,
    ...notes.map(
      ({ line, message }) => `  ${printable(path)}:${line} ${toned("careful", printable(message))}`
    )
  ])
  const hint = isWritten || changed.length === 0 ? "" : "; --write rewrites them"
  return [...lines, `${changed.length} files ${isWritten ? "were rewritten" : "would change"}${hint}`].join(
    "\n"
  )
}

/**
 * Shows what would change in files and folders, and what a person has to look at; with `write` the files are rewritten.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (options: {
  readonly paths: ReadonlyArray<string>
  readonly from: string
  readonly write: boolean
  readonly json: boolean
}): Effect.Effect<void, CommandError> =>
  Effect.gen(function* () {
    const from = Object.hasOwn(sources, options.from) ? sources[options.from] : undefined
    if (from === undefined)
      return yield* wrong(`--from is ${Object.keys(sources).join(", ")}, and not "${options.from}"`)
    const files = yield* attempt(
      (): ReadonlyArray<SourceFile> =>
        options.paths.flatMap(filesIn).map((path) => ({ path, text: readFileSync(path, "utf8") }))
    )
    const before = new Map(files.map(({ path, text }) => [path, text]))
    const after = migrate(files, from)
    const changed = (file: MigratedFile): boolean => file.text !== before.get(file.path)
    if (options.write)
      yield* attempt(() => {
        for (const file of after.filter(changed)) writeFileSync(file.path, file.text)
      })
    const moved = after
      .map((file): Moved => ({ path: file.path, changed: changed(file), notes: file.notes }))
      .filter((file) => file.changed || file.notes.length > 0)
    yield* answer(options.json, moved, (all) => shown(all, options.write))
  })
