/**
 * The data of the sandbox in one SQLite database: in memory, or in a file that outlives the sandbox.
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
 * A column's value. Amounts are text with the decimal digits of the smallest unit, since they may exceed 64 bits.
 *
 * @since 0.1.0
 * @category models
 */
export type ColumnValue = string | number | Uint8Array | null

/**
 * The database inside a transaction. `all` decodes rows with a schema, and a row that does not fit is a defect.
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
 * The database. `transact` runs a function in a transaction, which writes everything, or nothing if the function
 * throws. No other transaction runs in between. Fails if the database does (`store`).
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
 * The tables. `network` is an id of the network table, `time` milliseconds since 1970, and `block` a height. A row with
 * a `block` is deleted when its block leaves the chain.
 *
 * - `movements`: amounts and tokens that changed hands. `kind` is `native`, `internal`, `fungible`, `nft`,
 *   `multitoken`, `fee` or `failed`; `sender` of a minting and `receiver` of a burning are null.
 * - `events`: logs of contracts, with topics and data as the node has them.
 * - `tokens`: contracts that have moved tokens, with their names, symbols and decimals.
 * - `outputs`: outputs of chains of Bitcoin's kind; `spent` is the height at which `spender`, a transaction, spent
 *   them.
 * - `transactions`: transactions of chains of Bitcoin's kind, with inputs and outputs as JSON.
 * - `subscription_options`: conditions, finality, template and pause of subscriptions, as JSON.
 * - `held`: webhook calls that wait until their block is final.
 * - `chains`: the entries that restore a network's blocks, and the state of its clock at position -1.
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
 * Deletes the rows of a network above a height; -1 deletes all.
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
    // the process belongs to another user
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The running process in a claim file; undefined if it has ended, and without a claim. */
const findOwner = (claim: string): number | undefined => {
  try {
    const pid = Number(readFileSync(claim, "utf8"))
    return Number.isInteger(pid) && pid > 0 && isRunning(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** The claims of this process. An old claim may have the same process id by chance. */
const ownClaims = new Set<string>()

/**
 * Claims a file for this sandbox, since two sandboxes with one database would index each other's chains. The claim of a
 * killed process is removed.
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
        `the sandbox with the process id ${owner} has it open. Stop it, or choose another file`
      )
    return Effect.try({
      try: () => {
        rmSync(claim, { force: true })
        // if two sandboxes start at once, this fails for the second
        writeFileSync(claim, String(process.pid), { flag: "wx" })
        ownClaims.add(claim)
        // SQLite's own lock
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

type SqliteDatabase = InstanceType<Effect.Effect.Success<typeof sqlite>["Database"]>

const openDatabase = (Database: new (path: string) => SqliteDatabase, path: string): SqliteDatabase => {
  const opened = new Database(path)
  try {
    opened.exec(tables)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Prepares each statement once, and finalizes them with the scope. */
const makeTransaction = (database: SqliteDatabase): Effect.Effect<Transaction, never, Scope.Scope> => {
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const prepareStatement = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
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
  return Effect.as(
    Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const statement of statements.values()) statement.finalize()
      })
    ),
    transaction
  )
}

/**
 * Opens the database: in memory, or in `file`, which is created if it does not exist. Fails without the package
 * (`package`), and if the file cannot be used, for example because another sandbox uses it (`store`).
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
          file === undefined ? "" : ": check that no other program has it open"
        }`
      })
    const attempt = <A>(body: () => A): Effect.Effect<A, SandboxError> =>
      Effect.try({ try: body, catch: makeStoreError })

    const database = yield* Effect.acquireRelease(
      attempt(() => openDatabase(Database, file ?? ":memory:")),
      (opened) => Effect.sync(() => opened.close())
    )
    const transaction = yield* makeTransaction(database)
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
