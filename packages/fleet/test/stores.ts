/** Both databases of fleets, for the tests of a file. */
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import type { Services } from "../src/engine.js"
import type { FleetError } from "../src/index.js"
import * as Libsql from "../src/Libsql.js"
import * as Postgres from "../src/Postgres.js"
import { makeDatabase, startPostgres } from "./postgres.js"
import { findMissing, type Server } from "./servers.js"

/** Starts Postgres for a file's tests, if it is here, and makes a folder for databases in files. */
export const useDatabases = () => {
  const lacking = findMissing()
  if (lacking !== undefined) console.log(lacking)
  const folder = mkdtempSync(join(tmpdir(), "fleet-databases-"))
  let started: Server | undefined

  beforeAll(async () => {
    if (lacking === undefined) started = await startPostgres()
  })
  afterAll(async () => {
    await started?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const server = (): Server => {
    if (started === undefined) throw new Error("Postgres is not here")
    return started
  }
  return {
    hasPostgres: lacking === undefined,
    server,
    /** The url of a database that nobody has used. */
    makeUrl: () => makeDatabase(server()),
    /** The path of a database that nobody has used. */
    makeFile: () => join(folder, `${randomUUID()}.db`)
  }
}

/** A process of a fleet over the Postgres of a url. */
export const runnerOver = async (url: string, name = "tests"): Promise<Layer.Layer<Services, FleetError>> =>
  Postgres.layer({ name, url: Redacted.make(url), host: "127.0.0.1", port: await freePort() })

/** A process of a fleet over one database, each time another one. */
type MakeProcess = () => Promise<Layer.Layer<Services, FleetError>>

/** Both databases, for tests that say the same of each. Each function makes one that nobody has used. */
export const useStores = (): ReadonlyArray<readonly ["libsql" | "Postgres", () => Promise<MakeProcess>]> => {
  const { hasPostgres, makeFile, makeUrl } = useDatabases()
  const libsql = async (): Promise<MakeProcess> => {
    const file = makeFile()
    return async () => Libsql.layer({ name: "tests", file })
  }
  const postgres = async (): Promise<MakeProcess> => {
    const url = await makeUrl()
    return () => runnerOver(url)
  }
  return [["libsql", libsql], ...(hasPostgres ? [["Postgres", postgres] as const] : [])]
}
