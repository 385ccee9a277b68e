/**
 * Runs the sources of the Promise surface on Effect 4. Modules of `test/effect4` adapt its modules to those of Effect
 * 3. A nightly run installs it; it is no dependency.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensure, homeOf } from "./cached.mjs"
import * as Lean from "./lean.mjs"

const packages = { effect: "4.1.0" }

/** The plugin for tests, which use the Promise surface, and Effect 3 for themselves. */
export const vite = () => [
  Lean.vite(false, fileURLToPath(new URL("../test/effect4/", import.meta.url))),
  {
    name: "effect4",
    enforce: "pre",
    resolveId(id) {
      const name = /^effect4\/(\w+)$/.exec(id)?.[1]
      return name === undefined
        ? undefined
        : join(homeOf(packages), "node_modules", "effect", "dist", `${name}.js`)
    }
  }
]

export const setup = () => {
  const problem = ensure(packages)
  if (problem !== undefined) throw new Error(problem)
}
