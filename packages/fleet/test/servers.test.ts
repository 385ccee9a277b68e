import { Redis } from "ioredis"
import { expect, it } from "vitest"
import { postgres } from "./postgres.js"
import { missing, redis } from "./servers.js"

const lacking = missing()
if (lacking !== undefined) console.log(lacking)

it.skipIf(lacking !== undefined)(
  "starts Postgres and Redis, keeps the data over a restart, and ends them",
  async () => {
    const [database, cache] = await Promise.all([postgres(), redis()])
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
