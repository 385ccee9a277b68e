/** Both databases of fleets, for tests that say the same of each. */
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

/** A process of a fleet over one database, each time another one. */
type MakeProcess = () => Promise<Layer.Layer<Services, FleetError>>

/** Starts the databases of a file's tests. Each function makes one that nobody has used. */
export const useStores = (): ReadonlyArray<readonly ["libsql" | "Postgres", () => Promise<MakeProcess>]> => {
  const lacking = findMissing()
  if (lacking !== undefined) console.log(lacking)
  const folder = mkdtempSync(join(tmpdir(), "fleet-stores-"))
  let server: Server | undefined

  beforeAll(async () => {
    if (lacking === undefined) server = await startPostgres()
  })
  afterAll(async () => {
    await server?.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const libsql = async (): Promise<MakeProcess> => {
    const file = join(folder, `${randomUUID()}.db`)
    return async () => Libsql.layer({ name: "tests", file })
  }
  const postgres = async (): Promise<MakeProcess> => {
    if (server === undefined) throw new Error("Postgres is not here")
    const url = Redacted.make(await makeDatabase(server))
    return async () => Postgres.layer({ name: "tests", url, host: "127.0.0.1", port: await freePort() })
  }
  return [["libsql", libsql], ...(lacking === undefined ? [["Postgres", postgres] as const] : [])]
}
