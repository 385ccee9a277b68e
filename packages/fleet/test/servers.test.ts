import { Redis } from "ioredis"
import { expect, it } from "vitest"
import { startPostgres } from "./postgres.js"
import { findMissing, startRedis } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)

it.skipIf(lacking !== undefined)(
  "starts Postgres and Redis, keeps the data over a restart, and ends them",
  async () => {
    const [database, cache] = await Promise.all([startPostgres(), startRedis()])
    try {
      const client = new Redis(cache.url, { maxRetriesPerRequest: 0 })
      client.on("error", () => {})
      expect(await client.ping()).toBe("PONG")
      client.disconnect()
      await database.stop()
      await database.start()
    } finally {
      await Promise.all([database.end(), cache.end()])
    }
  }
)
