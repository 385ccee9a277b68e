/** The compose file says what the page says: a database of its own, and runners that do not meet on a port. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { parse } from "yaml"

it("has Postgres, Redis, the sandbox and three runners with ports of their own", () => {
  const file = readFileSync(new URL("../deploy/compose.yaml", import.meta.url), "utf8")
  const { services } = parse(file, { merge: true })
  expect(Object.keys(services).sort()).toEqual([
    "postgres",
    "redis",
    "runner-1",
    "runner-2",
    "runner-3",
    "sandbox"
  ])
  const runners = ["runner-1", "runner-2", "runner-3"].map((name) => services[name])
  expect(new Set(runners.map(({ environment }) => environment.FLEET_PORT)).size).toBe(3)
  for (const { depends_on, environment, image } of runners) {
    expect(image).toContain("RUNNER_IMAGE")
    expect(environment.FLEET_DATABASE_URL).toMatch(/^postgres:\/\/.+@postgres:5432\/fleet$/)
    expect(depends_on.postgres.condition).toBe("service_healthy")
  }
})
