/**
 * The memory of a chain: the entries that restore every block of its nodes. The database keeps them if it is a file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SandboxError } from "./SandboxError.js"
import { Store } from "./Store.js"

/**
 * The stored entries and state of a chain. `save` writes the entries that are new, and deletes those that are no longer
 * in the list.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainMemory<Entry, State> {
  readonly entries: ReadonlyArray<Entry>
  readonly state: State | undefined
  readonly save: (entries: ReadonlyArray<Entry>, state: State) => Effect.Effect<void>
}

/**
 * A memory that keeps nothing.
 *
 * @since 0.1.0
 * @category constants
 */
export const none: {
  readonly entries: readonly []
  readonly state: undefined
  readonly save: (entries: ReadonlyArray<unknown>, state: unknown) => Effect.Effect<void>
} = { entries: [], state: undefined, save: () => Effect.void }

const STATE_POSITION = -1

const Row = Schema.Struct({ position: Schema.Number, entry: Schema.String })

/**
 * The memory of a network's chain. A database in memory keeps nothing. Fails if the database does, or if it has entries
 * of another format (`store`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <Entry, EncodedEntry, State, EncodedState>(
  network: string,
  schemas: {
    readonly entry: Schema.Schema<Entry, EncodedEntry>
    readonly state: Schema.Schema<State, EncodedState>
  }
): Effect.Effect<ChainMemory<Entry, State>, SandboxError, Store> =>
  Effect.gen(function* () {
    const { isFile, transact } = yield* Store
    if (!isFile) return none
    const entry = Schema.parseJson(schemas.entry)
    const state = Schema.parseJson(schemas.state)
    const rows = yield* transact(({ all }) =>
      all(Row, "SELECT position, entry FROM chains WHERE network = ? ORDER BY position", network)
    )
    const read = yield* transact(() => ({
      entries: rows
        .filter(({ position }) => position !== STATE_POSITION)
        .map((row) => Schema.decodeSync(entry)(row.entry)),
      state: rows
        .filter(({ position }) => position === STATE_POSITION)
        .map((row) => Schema.decodeSync(state)(row.entry))[0]
    }))
    let savedEntries: ReadonlyArray<Entry> = read.entries
    let savedState = ""
    return {
      ...read,
      save: (entries, now) =>
        Effect.suspend(() => {
          // Entries are immutable and only the end of the list changes. So if one entry is the same object, all entries
          // before it are the same too.
          let shared = Math.min(savedEntries.length, entries.length)
          while (shared > 0 && savedEntries[shared - 1] !== entries[shared - 1]) shared--
          const encodedState = Schema.encodeSync(state)(now)
          if (shared === savedEntries.length && shared === entries.length && encodedState === savedState)
            return Effect.void
          return transact(({ run }) => {
            run("DELETE FROM chains WHERE network = ? AND position >= ?", network, shared)
            const insert = "INSERT OR REPLACE INTO chains (network, position, entry) VALUES (?, ?, ?)"
            for (const [i, each] of entries.slice(shared).entries())
              run(insert, network, shared + i, Schema.encodeSync(entry)(each))
            run(insert, network, STATE_POSITION, encodedState)
            savedEntries = [...entries]
            savedState = encodedState
          })
        }).pipe(Effect.catchAll(({ message }) => Effect.logWarning(`${network} is not kept: ${message}`)))
    }
  })
