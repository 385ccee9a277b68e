import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { version } from "../src/config/version.js"

it("the version that requests carry is that of the package", () => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8")
  )
  expect(version).toBe(manifest.version)
})
