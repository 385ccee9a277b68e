import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { artefacts, path } from "../scripts/contracts.mjs"

it("has the sandbox's templates as they compile", async () => {
  const compiled = await artefacts()
  // no diff of 50 kB: run "node scripts/contracts.mjs" where this fails
  expect((await readFile(path, "utf8")) === compiled).toBe(true)
})
