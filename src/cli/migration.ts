/**
 * `effect-chains migrate`: makes the mechanical changes of a migration.
 *
 * @since 0.1.0
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type CommandError, makeInputError } from "./Failure.js"
import { type MigratedFile, type MigrationSource, migrate, type SourceFile } from "./migrate/index.js"
import { escapeControls, printResult, withTone } from "./Output.js"

const MIGRATION_SOURCES: Readonly<Record<string, MigrationSource>> = {
  tatum: "@tatumio/tatum",
  viem: "viem",
  ethers: "ethers"
}

const CODE_FILE = /\.[cm]?[jt]sx?$/
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "coverage"])

/** The code files of a folder, without generated and installed ones. A named file counts whatever its extension. */
const listFiles = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true }).flatMap((entry): ReadonlyArray<string> => {
        const at = join(path, entry.name)
        if (entry.isDirectory())
          return SKIPPED_FOLDERS.has(entry.name) || entry.name.startsWith(".") ? [] : listFiles(at)
        return entry.isFile() && CODE_FILE.test(entry.name) ? [at] : []
      })
    : [path]

const tryOrInputError = <A>(run: () => A): Effect.Effect<A, CommandError> =>
  Effect.try({
    try: run,
    catch: (error) => makeInputError(error instanceof Error ? error.message : String(error))
  })

interface MigrationRow {
  readonly path: string
  readonly changed: boolean
  readonly notes: MigratedFile["notes"]
}

const formatMigration = (moved: ReadonlyArray<MigrationRow>, isWritten: boolean): string => {
  const changed = moved.filter((file) => file.changed)
  const lines = moved.flatMap(({ changed, notes, path }) => [
    `${changed ? withTone("good", isWritten ? "rewritten" : "to rewrite") : withTone("faint", "as it is")}  ${escapeControls(path)}`,
    ...notes.map(
      ({ line, message }) =>
        `  ${escapeControls(path)}:${line} ${withTone("careful", escapeControls(message))}`
    )
  ])
  const hint = isWritten || changed.length === 0 ? "" : "; --write rewrites them"
  return [...lines, `${changed.length} files ${isWritten ? "were rewritten" : "would change"}${hint}`].join(
    "\n"
  )
}

/**
 * Shows the changes in files and folders, and what a person has to check. With `write` it rewrites the files.
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
    const from = Object.hasOwn(MIGRATION_SOURCES, options.from) ? MIGRATION_SOURCES[options.from] : undefined
    if (from === undefined)
      return yield* makeInputError(
        `--from is ${Object.keys(MIGRATION_SOURCES).join(", ")}, and not "${options.from}"`
      )
    const files = yield* tryOrInputError(
      (): ReadonlyArray<SourceFile> =>
        options.paths.flatMap(listFiles).map((path) => ({ path, text: readFileSync(path, "utf8") }))
    )
    const before = new Map(files.map(({ path, text }) => [path, text]))
    const after = migrate(files, from)
    const hasChanged = (file: MigratedFile): boolean => file.text !== before.get(file.path)
    if (options.write)
      yield* tryOrInputError(() => {
        for (const file of after.filter(hasChanged)) writeFileSync(file.path, file.text)
      })
    const moved = after
      .map((file): MigrationRow => ({ path: file.path, changed: hasChanged(file), notes: file.notes }))
      .filter((file) => file.changed || file.notes.length > 0)
    yield* printResult(options.json, moved, (all) => formatMigration(all, options.write))
  })
