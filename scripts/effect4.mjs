/**
 * The way to Effect 4: the sources of the Promise surface on modules of `test/effect4`, which stand for those of Effect 3 and are made
 * of Effect 4's. It is installed when a nightly run begins, and is no dependency.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensure, homeOf } from "./cached.mjs"
import { vite as aliased } from "./lean.mjs"

const packages = { effect: "4.1.0" }

/** For tests, which ask the Promise surface and have Effect 3 for themselves. */
export const vite = () => [
  aliased(false, fileURLToPath(new URL("../test/effect4/", import.meta.url))),
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

/** Installs it before the tests. */
export const setup = () => {
  const problem = ensure(packages)
  if (problem !== undefined) throw new Error(problem)
}
