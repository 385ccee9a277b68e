/** Files before and after a migration. */

/**
 * A file of the project: its path, whose extension gives its language, and its text.
 *
 * @since 0.1.0
 * @category models
 */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/**
 * What a person has to check: the line and the reason. Lines count from 1: in the new text for `@tatumio/tatum`, where a
 * comment has the reason too, and in the original text for the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface MigrationNote {
  readonly line: number
  readonly message: string
}

/**
 * A file after the migration. Its text is the same if it does not use the other package, or if it cannot be parsed,
 * which a note says.
 *
 * @since 0.1.0
 * @category models
 */
export interface MigratedFile extends SourceFile {
  readonly notes: ReadonlyArray<MigrationNote>
}
