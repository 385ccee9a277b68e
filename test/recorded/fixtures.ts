/** Answers that real nodes have given. They are not part of this repository: without them, this folder's tests are left out. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const shared = process.env.EFFECT_CHAINS_SHARED ?? join(import.meta.dirname, "../../../shared")

export interface Fixture {
  readonly file: string
  readonly text: string
}

/** The recorded answers of a folder. */
export const fixtures = (folder: string): ReadonlyArray<Fixture> => {
  const path = join(shared, "fixtures", folder)
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(path, file), "utf8") }))
}
