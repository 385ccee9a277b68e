/**
 * The data of the sandbox in one SQLite database: in memory, or in a file that outlives it.
 *
 * @since 0.1.0
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { sqlite } from "./Packages.js"
import { SandboxError } from "./SandboxError.js"

/**
 * A value of a column. Amounts are text: decimal digits of the smallest unit, which may have more than 64 bits.
 *
 * @since 0.1.0
 * @category models
 */
export type ColumnValue = string | number | Uint8Array | null

/**
 * The database inside of a transaction. `all` reads rows by their schema; a row that does not fit is a defect.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transaction {
  readonly run: (sql: string, ...values: ReadonlyArray<ColumnValue>) => void
  readonly all: <A, I>(
    row: Schema.Schema<A, I>,
    sql: string,
    ...values: ReadonlyArray<ColumnValue>
  ) => ReadonlyArray<A>
}

/**
 * The database. `transact` runs a function in a transaction: all that it writes is there afterwards, or, when it throws, nothing. No
 * other transaction reads or writes in between. Fails if the database does (`store`). What is in a file outlives the sandbox.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoreService {
  readonly isFile: boolean
  readonly transact: <A>(body: (transaction: Transaction) => A) => Effect.Effect<A, SandboxError>
}

/**
 * The database of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Store extends Context.Tag("effect-chains/sandbox/Store")<Store, StoreService>() {}

/**
 * The tables. `network` is an id of the table of networks, `time` milliseconds since 1970, and `block` a height: a row that has
 * one goes when its block is no longer part of the chain.
 *
 * - `movements`: amounts and tokens that changed hands. `kind` is `native`, `internal`, `fungible`, `nft`, `multitoken`,
 *   `fee` or `failed`; `sender` of a minting and `receiver` of a burning are null.
 * - `events`: logs of contracts, with topics and data as the node has them.
 * - `tokens`: contracts that have been seen to move tokens, with the details that they tell.
 * - `outputs`: those of Bitcoin's kind; `spent` is the height at which they went, `spender` the transaction.
 * - `transactions`: those of Bitcoin's kind, with inputs and outputs as JSON.
 * - `subscription_options`: conditions, finality, template and pause of subscriptions that have some, as JSON.
 * - `held`: calls that wait for their block to be final.
 * - `chains`: what the nodes of a network are given to have its blocks again, and the state of its clock at position -1.
 */
const tables = `
CREATE TABLE IF NOT EXISTS blocks (
  network TEXT NOT NULL, block INTEGER NOT NULL, hash TEXT NOT NULL, parent TEXT NOT NULL, time INTEGER NOT NULL,
  hashes TEXT NOT NULL, PRIMARY KEY (network, block)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS movements (
  network TEXT NOT NULL, block INTEGER NOT NULL, time INTEGER NOT NULL, hash TEXT NOT NULL,
  transaction_index INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, sender TEXT, receiver TEXT,
  amount TEXT NOT NULL, token TEXT, token_id TEXT
);
CREATE INDEX IF NOT EXISTS movements_block ON movements (network, block);
CREATE INDEX IF NOT EXISTS movements_hash ON movements (network, hash);
CREATE INDEX IF NOT EXISTS movements_sender ON movements (network, sender);
CREATE INDEX IF NOT EXISTS movements_receiver ON movements (network, receiver);
CREATE INDEX IF NOT EXISTS movements_token ON movements (network, token, token_id);
CREATE TABLE IF NOT EXISTS events (
  network TEXT NOT NULL, block INTEGER NOT NULL, time INTEGER NOT NULL, hash TEXT NOT NULL,
  transaction_index INTEGER NOT NULL, log_index INTEGER NOT NULL, address TEXT NOT NULL,
  topic_0 TEXT, topic_1 TEXT, topic_2 TEXT, topic_3 TEXT, data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_block ON events (network, block);
CREATE INDEX IF NOT EXISTS events_address ON events (network, address, topic_0);
CREATE TABLE IF NOT EXISTS tokens (
  network TEXT NOT NULL, token TEXT NOT NULL, block INTEGER NOT NULL, kind TEXT NOT NULL,
  name TEXT, symbol TEXT, decimals INTEGER, PRIMARY KEY (network, token)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS outputs (
  network TEXT NOT NULL, hash TEXT NOT NULL, position INTEGER NOT NULL, address TEXT, amount TEXT NOT NULL,
  block INTEGER NOT NULL, spent INTEGER, spender TEXT, PRIMARY KEY (network, hash, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS outputs_address ON outputs (network, address);
CREATE TABLE IF NOT EXISTS transactions (
  network TEXT NOT NULL, hash TEXT NOT NULL, block INTEGER NOT NULL, time INTEGER NOT NULL,
  position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (network, hash)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS transactions_block ON transactions (network, block);
CREATE TABLE IF NOT EXISTS files (cid TEXT PRIMARY KEY, bytes BLOB NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS subscriptions (
  id TEXT PRIMARY KEY, api_key TEXT NOT NULL, created INTEGER NOT NULL, network TEXT NOT NULL, type TEXT NOT NULL,
  address TEXT, contract TEXT, event TEXT, attr TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS subscriptions_network ON subscriptions (network);
CREATE TABLE IF NOT EXISTS subscription_options (id TEXT PRIMARY KEY, options TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS templates (id TEXT PRIMARY KEY, api_key TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS default_templates (api_key TEXT PRIMARY KEY, template TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS held (
  network TEXT NOT NULL, block INTEGER NOT NULL, subscription TEXT NOT NULL, api_key TEXT NOT NULL, type TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS held_block ON held (network, block);
CREATE TABLE IF NOT EXISTS webhooks (
  id TEXT PRIMARY KEY, subscription TEXT NOT NULL, api_key TEXT NOT NULL, time INTEGER NOT NULL, url TEXT NOT NULL,
  type TEXT NOT NULL, data TEXT NOT NULL, retries INTEGER NOT NULL, failed INTEGER NOT NULL, next INTEGER,
  code INTEGER, said TEXT, network_error INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS chains (
  network TEXT NOT NULL, position INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (network, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS secrets (api_key TEXT PRIMARY KEY, secret TEXT NOT NULL);
`

/**
 * Forgets the rows of a network above a height; -1 forgets all of it.
 *
 * @since 0.1.0
 * @category families
 */
export const rollback = (transaction: Transaction, network: string, height: number): void => {
  for (const table of ["blocks", "movements", "events", "tokens", "outputs", "transactions", "held"])
    transaction.run(`DELETE FROM ${table} WHERE network = ? AND block > ?`, network, height)
  transaction.run(
    "UPDATE outputs SET spent = NULL, spender = NULL WHERE network = ? AND spent > ?",
    network,
    height
  )
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // a process of somebody else
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The process that a claim names; undefined for one that is no more, and for no claim. */
const findOwner = (claim: string): number | undefined => {
  try {
    const pid = Number(readFileSync(claim, "utf8"))
    return Number.isInteger(pid) && pid > 0 && isRunning(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** The claims of this process, whose id a file of an earlier process may have by chance. */
const ownClaims = new Set<string>()

/**
 * Claims a file for this sandbox: two that write to one database would each index the chain of the other. What a process
 * that was killed has left behind is cleared away.
 */
const claimFile = (file: string): Effect.Effect<void, SandboxError, Scope.Scope> => {
  const path = resolve(file)
  const claim = `${path}.pid`
  const makeStoreError = (why: string): SandboxError =>
    new SandboxError({ reason: "store", message: `The database ${file} cannot be used: ${why}` })
  const acquire = Effect.suspend(() => {
    const owner = findOwner(claim)
    if (owner !== undefined && (owner !== process.pid || ownClaims.has(claim)))
      return makeStoreError(
        `the sandbox with the process id ${owner} has it open. End that one, or give another file`
      )
    return Effect.try({
      try: () => {
        rmSync(claim, { force: true })
        // of two that start at once, the second finds the file
        writeFileSync(claim, String(process.pid), { flag: "wx" })
        ownClaims.add(claim)
        // SQLite's own
        rmSync(`${path}.lock`, { recursive: true, force: true })
      },
      catch: (error) => makeStoreError(error instanceof Error ? error.message : String(error))
    })
  })
  return Effect.acquireRelease(acquire, () =>
    Effect.sync(() => {
      ownClaims.delete(claim)
      rmSync(claim, { force: true })
    })
  )
}

/**
 * Opens the database: in memory, or in `file`, which is made if need be. Fails without the package (`package`), and if the
 * file cannot be used, because another sandbox has it too (`store`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (file?: string): Effect.Effect<StoreService, SandboxError, Scope.Scope> =>
  Effect.gen(function* () {
    const { Database } = yield* sqlite
    if (file !== undefined) yield* claimFile(file)
    const makeStoreError = (error: unknown): SandboxError =>
      new SandboxError({
        reason: "store",
        message: `The database ${file ?? "in memory"} failed (${error instanceof Error ? error.message : String(error)})${
          file === undefined ? "" : ": see that no other program has it open"
        }`
      })
    const attempt = <A>(body: () => A): Effect.Effect<A, SandboxError> =>
      Effect.try({ try: body, catch: makeStoreError })

    const database = yield* Effect.acquireRelease(
      attempt(() => {
        const opened = new Database(file ?? ":memory:")
        try {
          opened.exec(tables)
        } catch (error) {
          opened.close()
          throw error
        }
        return opened
      }),
      (opened) => Effect.sync(() => opened.close())
    )

    const statements = new Map<string, ReturnType<typeof database.prepare>>()
    const prepareStatement = (sql: string) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = database.prepare(sql)
      statements.set(sql, statement)
      return statement
    }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const statement of statements.values()) statement.finalize()
      })
    )
    const transaction: Transaction = {
      run: (sql, ...values) => {
        prepareStatement(sql).run([...values])
      },
      all: (row, sql, ...values) => {
        const rows: ReadonlyArray<unknown> = prepareStatement(sql).all([...values])
        const read = Schema.decodeUnknownSync(row)
        return rows.map((each) => read(each))
      }
    }
    return {
      isFile: file !== undefined,
      transact: (body) =>
        attempt(() => {
          database.exec("BEGIN")
          try {
            const result = body(transaction)
            database.exec("COMMIT")
            return result
          } catch (error) {
            if (database.inTransaction) database.exec("ROLLBACK")
            throw error
          }
        })
    } satisfies StoreService
  })

/**
 * The database as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (file?: string): Layer.Layer<Store, SandboxError> => Layer.scoped(Store, make(file))
